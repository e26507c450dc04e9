// Rules: which views decide on new flats, and what they decide.

package main

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"flats/internal/turns"
)

// ruleStatuses are the statuses that rules give, by the member rule of a view.
var ruleStatuses = map[string]string{"dismiss": "ignored", "follow": "followed"}

// A rule decides on the new flats that a view finds.
type rule struct {
	name   string // of the view
	status string
	since  time.Time // the rule only concerns flats that came later
	query  *Query
	search search // of the query
}

// A ruleSet has the rules of a store in the order in which they decide. It never changes.
type ruleSet struct {
	rules []rule
	text  string // what the rules depend on, by which an import sees whether they have changed
	isAny bool   // whether any view has a rule, even one whose query is not valid
}

// newRule returns the rule of a kind, a key of ruleStatuses, for what a query finds.
func newRule(name, kind string, since time.Time, q *Query) (r rule, err error) {
	r = rule{name: name, status: ruleStatuses[kind], since: since, query: q}
	r.search, err = parseSearch(nil, q.search, searchedFields)
	return r, err
}

// sort puts the rules into the order in which they decide: rules that follow flats come first.
func (set *ruleSet) sort() {
	slices.SortFunc(set.rules, func(a, b rule) int {
		// The status followed sorts before ignored.
		return cmp.Or(strings.Compare(a.status, b.status), strings.Compare(a.name, b.name))
	})
}

// ruleFor returns the rule that decides on a flat, or nil: the first one that matches it and concerns flats that came
// at the given time.
func (set *ruleSet) ruleFor(work *turns.Task, fields *Fields[Flat], f *Flat, came time.Time) *rule {
	i := slices.IndexFunc(set.rules, func(r rule) bool {
		return came.After(r.since) && r.matches(work, fields, f)
	})
	if i < 0 {
		return nil
	}
	return &set.rules[i]
}

// matches reports whether /find would find a flat with the query of the rule.
func (r *rule) matches(work *turns.Task, fields *Fields[Flat], f *Flat) bool {
	for _, c := range r.query.conditions {
		k := fields.list[c.field].key(work, f)
		isIn := slices.ContainsFunc(c.ranges, func(span keyRange) bool {
			return span.first.compare(k) <= 0 && k.compare(span.last) <= 0
		})
		if isIn == c.negated {
			return false
		}
	}
	return r.query.search == "" || r.search.matches(work, f.searched)
}

// decision returns the members that the rule sets on a flat. now is the time as JSON.
func (r *rule) decision(now string) members {
	return members{
		"status":         json.RawMessage(encodeJSON(r.status)),
		"status_since":   json.RawMessage(now),
		"status_by":      json.RawMessage("null"),
		"status_because": json.RawMessage(encodeJSON(r.name)),
	}
}

// isUndecided reports whether neither a person nor a rule has ever given the flat a status.
func (f *Flat) isUndecided() bool { return f.hasStatus([]string{"new"}) && !f.StatusSince.Known() }

// isRuledOut reports whether a rule has dismissed the flat.
func (f *Flat) isRuledOut() bool { return f.StatusBecause.Known() && f.hasStatus([]string{"ignored"}) }
