// What an update by a user does to a flat.

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Update sets the members of a JSON object on a flat: all of them or, on error, none. It
// returns when the update is durable. A flat as GET serves it is also accepted: its postal
// code may be an object, and members that only imports set must have the flat's values. If
// isCurrent is not nil, the update fails unless isCurrent accepts the flat's version. by is
// omitted if the config has no people. Otherwise it is the person who makes the update, or ""
// if the request names nobody; the object may then have the person's rating. The error is a
// *failure if the text is invalid, or if the flat is missing or has changed.
func (s *Store) Update(id string, text []byte, isCurrent func(uint64) bool, by ...string) (after *Flat, err error) {
	set, err := parseObject(text)
	if err == nil {
		err = unwrapCode(set)
	}
	if err != nil {
		return nil, fail(statusInvalid, "Invalid payload provided: %v.", err)
	}
	for err = errStale; err == errStale; {
		before := s.Get(id)
		if before == nil {
			return nil, noFlat(id)
		}
		if isCurrent != nil && !isCurrent(before.version) {
			return nil, fail(statusChanged, "The flat has changed since: read it again.")
		}
		e, refused := s.updating(before, set, by)
		if refused != nil {
			return nil, fail(statusInvalid, "Invalid payload provided: %v.", refused)
		}
		after = e.after
		err = s.change(func(current func(id string) *Flat) ([]edit, error) {
			switch {
			case current(id) != before:
				return nil, errStale
			case after == before:
				return nil, nil
			}
			return []edit{e}, nil
		}, nil)
	}
	s.wakeWatchers()
	return after, err
}

// errStale means that a flat has changed since an edit of it was made.
var errStale = errors.New("the flat has changed meanwhile")

// updating returns the edit of an update. It is made before the writer gets it, because all other
// updates wait for the writer. by is that of Update.
func (s *Store) updating(before *Flat, set members, by []string) (edit, error) {
	set = maps.Clone(set)
	if err := before.dropFixed(set, by); err != nil {
		return edit{}, err
	}
	person := ""
	if len(by) > 0 {
		person = by[0]
	}
	now := s.now().UTC().Format(jsonTime)
	return s.edit(before, before.recorded(set, now, person), now, nil)
}

// dropFixed deletes the members that an update cannot set. It returns an error if one of them
// differs from the flat's value. by is that of Update.
func (f *Flat) dropFixed(set members, by []string) error {
	unknown := f.unknownMembers()
	for _, name := range slices.Sorted(maps.Keys(set)) {
		text, current := set[name], unknown[name]
		// Without a person, rating is an unknown member that an import may have brought.
		isRating := name == "rating" && len(by) > 0 && (by[0] != "" || current == nil)
		if isRating {
			if err := checkRating(set, by[0]); err != nil {
				return fmt.Errorf("rating: %w", err)
			}
			continue
		}
		if i, ok := flatFields.queried(name); ok {
			if name != "id" && !slices.Contains(importFields, name) {
				continue // an update can set it
			}
			current = json.RawMessage(f.field(i).JSON())
		}
		switch {
		case name == "id":
			var id Identifier
			if err := id.set(string(text)); err != nil {
				return fmt.Errorf("id: %w", err)
			}
			if id.String() != f.ID.String() { // 7 and "7" are the same id
				return fmt.Errorf("id: the id of the flat is %s and cannot be changed", current)
			}
		case current == nil && string(text) != "null":
			return fmt.Errorf("%s: a flat has no such field", name)
		case current != nil && !sameValue(current, text):
			return fmt.Errorf("%s: only an import can change it", name)
		}
		delete(set, name)
	}
	return nil
}

// checkRating checks the rating in an update by a person.
func checkRating(set members, by string) error {
	switch {
	case by == "":
		return errors.New("name the person with ?by=")
	case set["notation"] != nil:
		return errors.New("notation becomes the mean of the ratings, and cannot be set together with one")
	}
	return new(Number).set(string(set["rating"]))
}

// recorded returns the members that an update sets, and those that follow from them: corrected;
// status_since and status_by if the status changes; no next_date if there is no next_step; ratings
// and notation if there is a rating.
// now is the time of the update as JSON.
func (f *Flat) recorded(set members, now, by string) members {
	set = maps.Clone(set)
	said := f.Corrected.members()
	for _, name := range correctable {
		text, ok := set[name]
		if !ok {
			continue
		}
		said[name] = f.said(name)
		if sameValue(said[name], text) {
			delete(said, name)
		}
	}
	set.put("corrected", said)
	if status, ok := set["status"]; ok && !sameValue(json.RawMessage(f.Status.JSON()), status) {
		set["status_since"] = json.RawMessage(now)
		set["status_by"] = json.RawMessage(newText(by).JSON())
	}
	if step := string(set["next_step"]); step == "null" {
		set["next_date"] = json.RawMessage(step)
	}
	if rating, ok := set["rating"]; ok {
		delete(set, "rating")
		set["ratings"], set["notation"] = f.Ratings.with(by, rating)
	}
	return set
}

// noFlat returns the failure for an id that no flat has.
func noFlat(id string) error { return fail(statusMissing, "No flat with id %s.", id) }
