// Saved queries, and the file that keeps them.

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"flats/internal/turns"
)

// A View is a query saved under a name. Its json tags name the members of views.json.
type View struct {
	Name   string  `json:"name"`
	Query  string  `json:"query"` // conditions as in a query string
	Page   *string `json:"page"`  // the hash under which the page shows the view
	Notify bool    `json:"notify"`
	Seen   string  `json:"seen"`            // a datetime: later flats are new
	Told   string  `json:"told,omitempty"`  // the time of the last import that messages to the receiver cover
	From   string  `json:"from,omitempty"`  // since when it notifies with this query; "" if that was not stored
	Rule   string  `json:"rule,omitempty"`  // what the view decides on new flats: dismiss or follow, or "" for nothing
	Ruled  string  `json:"ruled,omitempty"` // a datetime: the rule concerns flats that came later
}

// markName begins the names of the views that the page keeps for itself: the marks up to which each person
// has looked at the list (web/parts/seen.js).
const markName = "flats: seen"

const (
	maxViews     = 100     // views other than marks
	maxMarks     = 100     // marks, also of people who are no longer in the config
	maxViewName  = 200     // characters of the name of a view; the page lets people type 100
	maxViewQuery = 4 << 10 // bytes of the query of a view, and of its page
	maxSeen      = 100     // bytes of the time in a view
)

// Views are the views of a store, in the order in which they were added. They are safe for
// concurrent use.
type Views struct {
	store    *Store
	clock    *importClock
	file     *sideFile
	log      *slog.Logger
	changing sync.Mutex             // held while a change is being written
	list     atomic.Pointer[[]View] // the slice is never modified
}

// newViews returns the views in a file. Errors contain its name, the line and the member.
func newViews(imports *Importer, file *sideFile, log *slog.Logger) (*Views, error) {
	v := &Views{store: imports.store, clock: &imports.clock, file: file, log: log}
	list, err := readViews(file.name, []byte(file.text))
	if err != nil {
		return nil, fmt.Errorf("%w (the file is left as it is: fix it, or put a backup in its place)", err)
	}
	for _, view := range list {
		if _, err := v.parse(view.Query); err != nil {
			log.Warn("the query of a view is not valid", "view", view.Name, "err", err)
		}
	}
	changed := v.advanceClock(list)
	v.setList(list)
	if changed {
		// Store the list with the times that advanceClock has set.
		if err := v.change(func(list []View) ([]View, error) { return list, nil }); err != nil {
			log.Warn("the times of views could not be stored", "err", err)
		}
	}
	return v, nil
}

// inherit takes over the list of before, which no longer changes. A service without files has its views nowhere else.
func (v *Views) inherit(before *Views) { v.setList(*before.list.Load()) }

// setList replaces the list, and the rules of the store by those in the list. Nobody may modify the list any more.
func (v *Views) setList(list []View) {
	v.list.Store(&list)
	set := &ruleSet{}
	for _, view := range list {
		if view.Rule == "" {
			continue
		}
		set.isAny = true
		set.text += encodeJSON([]string{view.Name, view.Query, view.Rule, view.Ruled}) + "\n"
		if r, err := v.rule(view); err == nil { // otherwise it decides nothing
			set.rules = append(set.rules, r)
		}
	}
	set.sort()
	v.store.rules.Store(set)
}

// rule returns the rule of a view, or an error if its query is not valid.
func (v *Views) rule(view View) (rule, error) {
	q, err := v.parse(view.Query)
	if err != nil {
		return rule{}, err
	}
	since, _, _ := parseDatetime(view.Ruled) // readView has checked it
	return newRule(view.Name, view.Rule, since, q)
}

// readViews parses the text of a views.json, which is empty if there is no file. Errors name the
// file as given, the line and the member.
func readViews(name string, text []byte) ([]View, error) {
	if len(text) == 0 {
		return nil, nil
	}
	names := map[string]bool{}
	var list []View
	return readObjects(name, text, parseObject, func(object members) (View, error) {
		view, err := readView(object)
		switch {
		case err != nil:
			return view, err
		case names[view.Name]:
			return view, fmt.Errorf("name: %s appears twice", excerpt(encodeJSON(view.Name)))
		}
		if limit := reachedLimit(list, view.Name); limit > 0 {
			return view, fmt.Errorf("there are more than %d views", limit)
		}
		list = append(list, view)
		names[view.Name] = true
		return view, nil
	})
}

// advanceClock ensures that later imports get later times than any view has. It sets a time
// that is missing or in the future to now, and reports whether it has set any.
func (v *Views) advanceClock(list []View) (changed bool) {
	for i := range list {
		view := &list[i]
		// Somebody may have added notify or rule to views.json by hand, without the time that the service stores with it.
		lacksTold := view.Notify && view.Told == ""
		lacksRuled := view.Rule != "" && view.Ruled == ""
		for _, t := range []struct {
			text      *string
			isMissing bool
		}{{&view.Seen, false}, {&view.Told, lacksTold}, {&view.From, false}, {&view.Ruled, lacksRuled}} {
			at, _, _ := parseDatetime(*t.text) // the zero time for ""
			isAhead := !v.clock.advance(at)    // the clock refuses what is more than a day ahead
			if t.isMissing || isAhead {
				v.log.Warn("a time of a view is missing or in the future: set to now", "view", view.Name, "time", *t.text)
				*t.text = v.now()
				changed = true
			}
		}
		if lacksTold {
			view.From = view.Told
		}
	}
	return changed
}

// readView returns the view in an element of views.json.
func readView(object members) (view View, err error) {
	for _, name := range []string{"name", "query", "seen"} {
		if object[name] == nil {
			return view, fmt.Errorf("%s: is missing", name)
		}
	}
	err = view.setMembers(object, "name", "query", "page", "notify", "seen", "told", "from", "rule", "ruled")
	if err != nil {
		return view, err
	}
	for name, at := range map[string]string{"told": view.Told, "from": view.From, "ruled": view.Ruled} {
		if _, _, err := parseDatetime(at); at != "" && err != nil {
			return view, fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := checkViewName(view.Name); err != nil {
		return view, fmt.Errorf("name: %w", err)
	}
	return view, nil
}

func checkViewName(name string) error {
	isTooLong := utf8.RuneCountInString(name) > maxViewName
	if name == "" || isTooLong || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return unexpected(fmt.Sprintf("a text of 1 to %d characters on one line", maxViewName), strconv.Quote(name))
	}
	return nil
}

// setMembers sets the members that an object has. It refuses members other than the named ones.
func (view *View) setMembers(object members, names ...string) error {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains(names, name) {
			return fmt.Errorf("%s: a view has no such member", name)
		}
		mayBeNull := name == "page" || name == "rule"
		if !object.has(name) && !mayBeNull {
			return fmt.Errorf("%s: must not be null", name)
		}
	}
	if object["page"] != nil {
		view.Page = nil // Unmarshal would write through the pointer, which the list shares
	}
	if text := object["rule"]; text != nil {
		kind, _ := decodeJSON(string(text)).(string) // "" for any other type
		if isRule := ruleStatuses[kind] != ""; !isRule && string(text) != "null" {
			return fmt.Errorf("rule: %w", unexpected(`"dismiss", "follow" or null`, string(text)))
		}
		view.Rule = "" // Unmarshal would leave it as it is for null
	}
	var wrong *json.UnmarshalTypeError
	err := json.Unmarshal([]byte(encodeJSON(object)), view)
	if errors.As(err, &wrong) {
		want := "a string"
		if wrong.Field == "notify" {
			want = "true or false"
		}
		return fmt.Errorf("%s: %w", wrong.Field, unexpected(want, string(object[wrong.Field])))
	}
	if len(view.Seen) > maxSeen {
		return fmt.Errorf("seen: want at most %d bytes", maxSeen)
	}
	if _, _, err := parseDatetime(view.Seen); err != nil {
		return fmt.Errorf("seen: %w", err)
	}
	if view.Page == nil {
		return nil
	}
	page := *view.Page
	if !strings.HasPrefix(page, "#/") || len(page) > maxViewQuery || strings.ContainsFunc(page, unicode.IsControl) {
		return fmt.Errorf("page: %w", unexpected("null or a text that begins with #/", strconv.Quote(page)))
	}
	return nil
}

// parse parses the query of a view, and checks the search in it.
func (v *Views) parse(query string) (*Query, error) {
	if len(query) > maxViewQuery {
		return nil, errorf(statusInvalid, "want at most %d bytes, got %d", maxViewQuery, len(query))
	}
	for parameter := range strings.SplitSeq(query, "&") {
		escaped, _, _ := strings.Cut(parameter, "=")
		name, err := url.QueryUnescape(escaped)
		isKnown := name == "q" || name == "unknown" || conditionName().MatchString(name)
		if parameter != "" && (err != nil || !isKnown) {
			return nil, errorf(statusInvalid, "%q is not a condition", escaped)
		}
	}
	q, err := parseQuery(v.store.table.fields, query, "-first_seen,-date")
	if err != nil {
		return nil, err
	}
	_, err = parseSearch(nil, q.search, searchedFields)
	return q, err
}

// reachedLimit returns the limit of the list for another view with a name, or 0 if the list has not reached it. Marks
// have a limit of their own, so that saved views never keep the page from moving a mark.
func reachedLimit(list []View, name string) int {
	isMark := func(name string) bool { return strings.HasPrefix(name, markName) }
	limit := maxViews
	if isMark(name) {
		limit = maxMarks
	}
	sameKind := 0 // the number of marks, or of views other than marks
	for _, view := range list {
		if isMark(view.Name) == isMark(name) {
			sameKind++
		}
	}
	if sameKind < limit {
		return 0
	}
	return limit
}

// indexView returns the index of the view with the given name, or -1.
func indexView(list []View, name string) int {
	return slices.IndexFunc(list, func(view View) bool { return view.Name == name })
}

// put sets members of the view with the given name, or adds it. If was is not empty, put first renames the view of that
// name. It returns when the change is durable.
func (v *Views) put(name, was string, object members) (view View, added bool, err error) {
	if err := checkViewName(name); err != nil {
		return view, false, errorf(statusInvalid, "Invalid view provided: name: %v.", err)
	}
	// Clients may send a view back as it was served.
	for _, ignored := range []string{"name", "total", "new", "error"} {
		delete(object, ignored)
	}
	err = v.change(func(list []View) ([]View, error) {
		list, err := rename(list, was, name)
		if err != nil {
			return nil, err
		}
		i := indexView(list, name)
		added = i < 0
		if added {
			if object["query"] == nil {
				return nil, errorf(statusInvalid, "Invalid view provided: query: is missing.")
			}
			if limit := reachedLimit(list, name); limit > 0 {
				return nil, tooManyViews(limit)
			}
			i = len(list)
			list = append(list, View{Name: name, Seen: v.now()})
		}
		before := list[i]
		view = before
		if err := view.setMembers(object, "query", "page", "notify", "seen", "rule"); err != nil {
			return nil, errorf(statusInvalid, "Invalid view provided: %v.", err)
		}
		hasNewQuery := added || view.Query != before.Query
		if _, err := v.parse(view.Query); err != nil && hasNewQuery {
			return nil, errorf(statusInvalid, "Invalid view provided: query: %v.", strings.TrimSuffix(err.Error(), "."))
		}
		// A view that begins to notify, or has another query, tells only what changes from now on.
		if !view.Notify {
			view.Told, view.From = "", ""
		} else if !before.Notify || hasNewQuery {
			view.Told = v.now()
			view.From = view.Told
		}
		// Likewise, what has come before does not concern a new rule.
		if view.Rule == "" {
			view.Ruled = ""
		} else if before.Rule != view.Rule || hasNewQuery {
			view.Ruled = v.now()
		}
		list[i] = view
		return list, nil
	})
	return view, added, err
}

// rename changes the name of a view from was to name. The view keeps its place, and another view with the new name
// leaves the list. rename modifies the list, and returns it. If was is empty, it does nothing.
func rename(list []View, was, name string) ([]View, error) {
	if was == "" || was == name {
		return list, nil
	}
	if indexView(list, was) < 0 {
		return nil, noView(was)
	}
	list = slices.DeleteFunc(list, func(view View) bool { return view.Name == name })
	i := indexView(list, was)
	others := slices.Concat(list[:i], list[i+1:])
	if limit := reachedLimit(others, name); limit > 0 {
		return nil, tooManyViews(limit)
	}
	list[i].Name = name
	return list, nil
}

// tooManyViews returns the error for a list that already has as many views as it may.
func tooManyViews(limit int) error {
	return errorf(statusInvalid, "Invalid view provided: there are %d views already.", limit)
}

// now returns a time not before any finished import, and earlier than any that is under way or to
// come.
func (v *Views) now() string { return unquote(v.clock.between().Format(jsonTime)) }

// remove removes the view with the given name. It returns when the change is durable.
func (v *Views) remove(name string) error {
	return v.change(func(list []View) ([]View, error) {
		i := indexView(list, name)
		if i < 0 {
			return nil, noView(name)
		}
		return slices.Delete(list, i, i+1), nil
	})
}

// noView returns the error for a name that no view has.
func noView(name string) error { return errorf(statusMissing, "No view with the name %s.", name) }

// change replaces the list with what edit returns for a copy of it. It returns when the new
// list is durable. After an error, the list is as before.
func (v *Views) change(edit func(list []View) ([]View, error)) error {
	v.changing.Lock()
	defer v.changing.Unlock()
	list, err := edit(slices.Clone(*v.list.Load()))
	if err != nil {
		return err
	}
	lines := make([]string, len(list))
	for i, view := range list {
		lines[i] = encodeJSON(view)
	}
	if err := v.store.writeSide(v.file, "[\n"+strings.Join(lines, ",\n")+"\n]\n"); err != nil {
		return err
	}
	v.setList(list)
	return nil
}

// apply lets the rule of a view decide on all flats that the view finds and nobody has decided on. It returns their ids
// when all decisions are durable. After an error, nothing was decided.
func (v *Views) apply(work *turns.Task, name string) (ids []json.RawMessage, err error) {
	list := *v.list.Load()
	i := indexView(list, name)
	if i < 0 {
		return nil, noView(name)
	}
	if list[i].Rule == "" {
		return nil, errorf(http.StatusConflict, "The view %s has no rule.", name)
	}
	r, err := v.rule(list[i])
	if err != nil {
		return nil, err
	}
	q := v.undecided(r.query)
	for err = errStale; err == errStale; { // again if a flat has changed meanwhile
		found, _ := v.store.Find(work, q) // no error: v.rule has checked the search
		var edits []edit
		ids = []json.RawMessage{}
		now := v.store.now().UTC().Format(jsonTime)
		for _, f := range found.records {
			e, err := v.store.edit(f, r.decision(now), now, nil)
			if err != nil {
				return nil, errorf(statusInvalid, "Nothing was decided: %v.", err)
			}
			edits = append(edits, e)
			ids = append(ids, json.RawMessage(f.ID.JSON()))
			work.Step(3000 + len(f.served)) // as long as edit takes, in steps of a few nanoseconds
		}
		work.Pause()
		err = v.store.change(func(current func(id string) *Flat) ([]edit, error) {
			isStale := func(e edit) bool { return current(e.before.ID.String()) != e.before }
			if slices.ContainsFunc(edits, isStale) {
				return nil, errStale
			}
			return edits, nil
		}, nil)
		work.Resume()
	}
	if err != nil {
		return nil, err
	}
	v.store.wakeWatchers()
	return ids, nil
}

// undecided returns a query for the flats of q on which nobody has decided.
func (v *Views) undecided(q *Query) *Query {
	equals := func(field string, k key) condition {
		return condition{parameter: "filter", field: v.store.table.fields.byName[field], ranges: []keyRange{{k, k}}}
	}
	null := key{}
	undecided := *q
	undecided.conditions = append(slices.Clone(q.conditions),
		equals("status", blank.Status.key()), equals("status_since", null))
	return &undecided
}

// A viewAnswer is a view as it is served, with the number of its flats, and of those that
// were first seen after the time in Seen.
type viewAnswer struct {
	View
	Total *int   `json:"total"`           // nil if the query is no longer valid
	New   *int   `json:"new"`             // nil as Total
	Error string `json:"error,omitempty"` // why the query is refused
}

// answer returns a view as it is served, or with an error if its query is no longer valid.
func (v *Views) answer(work *turns.Task, view View) viewAnswer {
	a := viewAnswer{View: view}
	a.View.Told, a.View.From, a.View.Ruled = "", "", "" // not part of the API: omitempty leaves them out
	q, err := v.parse(view.Query)
	if err != nil {
		a.Error = err.Error()
		return a
	}
	q.size = 1                             // the size of the page: only the totals are needed, and 0 would mean all flats
	seen, _, _ := parseDatetime(view.Seen) // no error: it was checked when it was set
	all, _ := v.store.Find(work, q)        // no errors: parse has checked the search
	later, _ := v.store.Find(work, v.onlyAfter(q, "first_seen", seen))
	a.Total, a.New = &all.total, &later.total
	return a
}

// onlyAfter returns a query for those flats of q whose field is later than a time.
func (v *Views) onlyAfter(q *Query, field string, at time.Time) *Query {
	first := instantKey(at.Add(time.Nanosecond))        // the next instant that a field can have
	last := key{kind: kindInstant, number: math.Inf(1)} // later than all of them
	later := *q
	later.conditions = append(slices.Clone(q.conditions), condition{
		parameter: "range",
		field:     v.store.table.fields.byName[field],
		ranges:    []keyRange{{first, last}},
	})
	return &later
}
