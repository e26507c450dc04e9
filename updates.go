// What an update by a user does to a flat.

package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// An author says who makes an update, when and under which keys. The zero value belongs to a service without people.
type author struct {
	hasPeople bool     // whether the config has people
	person    string   // one of them, or "" if the request names nobody
	since     string   // when they set the status, as JSON, or "" if they do so now
	keys      []string // of the update: if the flat has one of them (UpdateKeys), it has had the update already
}

// maxKeys is the number of keys that a request may give its update.
const maxKeys = 10

var updateKey = newPattern(`^[0-9A-Za-z.-]{1,64}$`)

// updateKeys checks the keys that a request gives, and returns each once.
func updateKeys(given []string) ([]string, error) {
	keys := slices.Compact(slices.Sorted(slices.Values(given)))
	isWrong := func(key string) bool { return !updateKey().MatchString(key) }
	if len(keys) > maxKeys || slices.ContainsFunc(keys, isWrong) {
		return nil, errorf(statusInvalid,
			"Invalid key provided: must be 1 to 64 letters, digits, points and dashes, at most %d times.", maxKeys)
	}
	return keys, nil
}

// Update sets the members of a JSON object on a flat: all of them or, on error, none. It returns when the update is
// durable. A flat as GET serves it is also accepted: its postal code may be an object, and members that only imports
// set must have the flat's values. If by has a person, the object may have their rating.
//
// If isCurrent is not nil, the update fails unless isCurrent accepts the flat's version, or an earlier version with the
// same stored values. Otherwise, of two updates at once the second begins again with the flat that the first has made.
// An update fails if the flat has had one with a key in by. The error is a *statusError if the text is invalid, if the
// flat is missing or has changed, or if it has had the update.
func (s *Store) Update(id string, text []byte, isCurrent func(uint64) bool, by author) (after *Flat, err error) {
	values, err := parseObject(text)
	if err == nil {
		err = unwrapCode(values)
	}
	if err != nil {
		return nil, errorf(statusInvalid, "Invalid payload provided: %v.", err)
	}
	for err = errStale; err == errStale; { // again if another update comes first
		before := s.Get(id)
		if before == nil {
			return nil, noFlat(id)
		}
		if before.UpdateKeys.hasAny(by.keys) {
			return nil, errorf(statusRepeat, "The flat has had this update already.")
		}
		if isCurrent != nil && !isCurrent(before.version) && !slices.ContainsFunc(before.earlier, isCurrent) {
			return nil, errorf(statusChanged, "The flat has changed since: read it again.")
		}
		e, refused := s.updateEdit(before, values, by)
		if refused != nil {
			return nil, errorf(statusInvalid, "Invalid payload provided: %v.", refused)
		}
		after = e.after
		err = s.change(func(current func(id string) *Flat) ([]edit, error) {
			if current(id) != before {
				return nil, errStale
			}
			return []edit{e}, nil
		}, nil)
	}
	s.wakeWatchers()
	return after, err
}

// errStale means that a flat has changed since an edit of it was made.
var errStale = errors.New("the flat has changed meanwhile")

// updateEdit returns the edit of an update. Update calls it before it calls the writer, because all
// other updates wait for the writer.
func (s *Store) updateEdit(before *Flat, values members, by author) (edit, error) {
	values = maps.Clone(values)
	if err := before.dropRepeated(values, by); err != nil {
		return edit{}, err
	}
	if _, ok := values["rating"]; ok { // null, too; it is a person's: dropRepeated has dropped any other
		if err := checkRating(values, by); err != nil {
			return edit{}, fmt.Errorf("rating: %w", err)
		}
	}
	step := before.NextStep
	if text, ok := values["next_step"]; ok {
		step.setJSON(string(text)) // a wrong value leaves the step, and edit refuses the update
	}
	current := json.RawMessage(before.NextDate.JSON())
	setsDate := values.has("next_date") && !sameValue(current, values["next_date"])
	if setsDate && step.String() == "" {
		return edit{}, errors.New("next_date: the flat has no next_step: set it, too")
	}
	now := s.now().UTC().Format(jsonTime)
	values = before.withConsequences(values, now, by)
	if len(by.keys) > 0 {
		values["update_keys"] = before.UpdateKeys.withKeys(by.keys)
	}
	return s.edit(before, values, now, nil)
}

// dropRepeated deletes the members that an update cannot set, but may repeat with the flat's value. Null for a member
// that the flat does not have repeats its value, too. dropRepeated returns an error if a member has another value.
func (f *Flat) dropRepeated(values members, by author) error {
	unknown := f.unknownMembers()
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if f.canSet(name, values, by) {
			continue
		}
		text, current := values[name], unknown[name]
		if i, isField := flatFields.queryField(name); isField {
			current = json.RawMessage(f.field(i).JSON())
		}
		switch {
		case name == "id":
			var id Identifier
			if err := id.setJSON(string(text)); err != nil {
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
		delete(values, name)
	}
	return nil
}

// canSet reports whether an update can set a member: a person's rating, or a field that not only imports set.
func (f *Flat) canSet(name string, values members, by author) bool {
	if name == "rating" && f.isRatingBy(by, values) {
		return true
	}
	_, isField := flatFields.queryField(name)
	return isField && name != "id" && !slices.Contains(importFields, name)
}

// isRatingBy reports whether the member "rating" of an update is a person's rating. If an import has brought an unknown
// member of that name, the update may mean it instead. It does if it names no person, or if it repeats the whole flat
// as GET serves it: with the imported value, and with the notation.
func (f *Flat) isRatingBy(by author, values members) bool {
	imported := f.unknownMembers()["rating"]
	if imported == nil {
		return by.hasPeople
	}
	isRepeated := values["notation"] != nil && sameValue(imported, values["rating"])
	return by.person != "" && !isRepeated
}

// checkRating checks the rating in an update by a person.
func checkRating(values members, by author) error {
	switch {
	case by.person == "":
		return errors.New("name the person with ?by=")
	case values["notation"] != nil:
		return errors.New("notation becomes the mean of the ratings, and cannot be set together with one")
	}
	return new(Number).setJSON(string(values["rating"]))
}

// withConsequences returns the members that an update sets, and members that follow from them. now is the time of the
// update as JSON.
//
//   - corrected always follows;
//   - status_since, status_by and no status_because, if the status changes;
//   - no next_date, if there is no next_step;
//   - ratings and notation, if there is a rating.
func (f *Flat) withConsequences(values members, now string, by author) members {
	values = maps.Clone(values)
	corrected := f.Corrected.members()
	for _, name := range correctableFields {
		text, ok := values[name]
		if !ok {
			continue
		}
		corrected[name] = f.listedValue(name)
		if sameValue(corrected[name], text) { // the update takes the correction back
			delete(corrected, name)
		}
	}
	values.put("corrected", corrected)
	if status, ok := values["status"]; ok && !sameValue(json.RawMessage(f.Status.JSON()), status) {
		values["status_since"] = json.RawMessage(cmp.Or(by.since, now))
		values["status_by"] = json.RawMessage(newText(by.person).JSON())
		values["status_because"] = json.RawMessage("null")
	}
	step := f.NextStep
	if text, ok := values["next_step"]; ok {
		step.setJSON(string(text)) // a wrong value leaves the step, and the update is refused
	}
	if step.String() == "" && (f.NextDate.Known() || values.has("next_date")) {
		values.put("next_date", nil)
	}
	if rating, ok := values["rating"]; ok {
		delete(values, "rating")
		values["ratings"], values["notation"] = f.Ratings.withRating(by.person, rating)
	}
	return values
}

// noFlat returns the error for an id that no flat has.
func noFlat(id string) error { return errorf(statusMissing, "No flat with id %s.", id) }
