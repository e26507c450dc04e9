// The importer, what an import does to each flat, and the times and the outcomes of imports.

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"flats/internal/turns"
)

// An Importer imports listings into a store. A store has at most one. It is safe for concurrent
// use.
type Importer struct {
	store       *Store
	clock       importClock
	outcomes    outcomes
	unpacking   sync.Mutex // held while a body is unpacked and imported
	readingMail turns.Lock // held instead if the body is a mail, because reading one takes seconds
}

// newImporter returns an importer that gives its imports later times than those in the store's flats.
func newImporter(store *Store) *Importer {
	m := &Importer{store: store, outcomes: outcomes{list: []Outcome{}}, readingMail: turns.NewLock()}
	m.clock.now = func() time.Time { return store.now() } // tests replace store.now
	for _, f := range store.snapshot().all() {
		m.clock.load(f)
	}
	return m
}

// inherit takes over the outcomes and the last time of before, which has stopped.
func (m *Importer) inherit(before *Importer) {
	before.outcomes.mu.Lock()
	defer before.outcomes.mu.Unlock()
	m.outcomes.list = slices.Clone(before.outcomes.list)
	before.clock.mu.Lock()
	defer before.clock.mu.Unlock()
	if before.clock.last.After(m.clock.last) {
		m.clock.last = before.clock.last
	}
}

// Import adds the listings with new ids, and sets the fields of the others on the flats
// with their ids. If the listings are complete for a site, it marks the site's other flats
// as gone. Import returns when everything is durable; after an error nothing has changed.
// source is the file that the listings come from, nil for none. Imports run one at a time.
// If ctx is done before the import is stored, the import ends.
func (m *Importer) Import(ctx context.Context, listings Listings, source *importedFile) (counts Counts, err error) {
	defer recoverError(&err)
	importTime := m.clock.begin()
	defer m.clock.end()
	plan := newImportPlan(ctx, m.store, listings, importTime)
	defer func() { plan.warnings.logTo(m.store.log) }()
	err = errStale
	for err == errStale { // plan.edits, which change calls, returns errStale if flats have been updated since prepare
		if err = plan.prepare(m.store.Get); err == nil {
			err = m.store.change(plan.edits, cmp.Or(source, &importedFile{}))
		}
	}
	if err != nil {
		return Counts{}, err
	}
	for _, step := range plan.steps { // a listing may have brought times of its own, later than importTime
		m.clock.advance(step.edit.after.FirstSeen.at)
		m.clock.advance(step.edit.after.Gone.at)
	}
	m.store.wakeWatchers()
	return plan.counts(), nil
}

// An importPlan holds the effect of an import on each flat. It is prepared before the
// writer gets it, so that updates need not wait. Steps whose flats have been updated
// since are prepared anew, outside the writer as well, unless updates keep coming.
type importPlan struct {
	ctx      context.Context
	store    *Store
	realTime time.Time // what the clock of the machine shows
	// importTime is the time that the import gets from the importClock. It is later than realTime if that clock was ahead
	// at an earlier import.
	importTime time.Time
	timeJSON   string // importTime as JSON
	rules      *ruleSet
	steps      []importStep
	stale      map[string]bool // the ids whose steps are still to be prepared
	tries      int             // how often the writer has found stale steps
	warnings   warnings        // about wrong values of lenientFields, which readListing accepts
	keys       []string        // of the request that sent the listings: see wasMadeFor
	isMail     bool            // the listings are from a mail, which only summarizes them
}

// An importStep changes one flat: it sets the members of a listing or, if listing is nil, only gone.
type importStep struct {
	id        string
	listing   members
	gone      json.RawMessage
	edit      edit  // of the flat as it was when the step was prepared
	isSame    bool  // the listing says nothing new
	decidedBy *rule // the rule that decides on the new flat, or nil
}

// newImportPlan returns a plan with a step for each listing, and for each flat that is not
// listed and whose gone changes.
func newImportPlan(ctx context.Context, s *Store, listings Listings, importTime time.Time) *importPlan {
	p := &importPlan{
		ctx:        ctx,
		store:      s,
		realTime:   s.now(),
		importTime: importTime,
		timeJSON:   importTime.Format(jsonTime),
		rules:      s.rules.Load(),
		stale:      map[string]bool{},
		keys:       listings.keys,
		isMail:     listings.isMail,
	}
	var known *knownLinks // nil if each listing has an id, and withID needs no links
	lacksID := func(given members) bool { return given["id"] == nil }
	if listings.isMail || slices.ContainsFunc(listings.Flats, lacksID) {
		known = newKnownLinks(nil, s.links, s.snapshot())
	}
	for _, given := range listings.Flats {
		given = known.withID(given, listings.isMail, s.Get)
		p.steps = append(p.steps, importStep{id: unquote(string(given["id"])), listing: given})
	}
	site := listings.Complete
	isRepeated := func(step importStep) bool { return p.wasMadeFor(cmp.Or(s.Get(step.id), blank)) }
	if slices.ContainsFunc(p.steps, isRepeated) {
		site = "" // flats that have come since the import was first made are not gone
	}
	changes := p.goneChanges(site)
	for _, id := range slices.Sorted(maps.Keys(changes)) {
		p.steps = append(p.steps, importStep{id: id, gone: json.RawMessage(changes[id])})
	}
	for _, step := range p.steps {
		p.stale[step.id] = true
	}
	return p
}

// maxTries is how often the writer may find stale steps in an import. The last time, it does not give the import back,
// but prepares these steps itself: what came since the last try, which takes milliseconds.
const maxTries = 5

// prepare makes the edits of stale steps for the current flats.
func (p *importPlan) prepare(current func(id string) *Flat) (err error) {
	latest := map[string]*Flat{} // several listings may have the same id
	for i := range p.steps {
		step := &p.steps[i]
		if !p.stale[step.id] {
			continue
		}
		if err := p.ctx.Err(); err != nil {
			return err
		}
		stored := cmp.Or(current(step.id), blank)
		before := cmp.Or(latest[step.id], stored)
		if step.listing != nil && p.wasMadeFor(stored) {
			step.edit, step.isSame = edit{before: before, after: before}, true
		} else if err := p.prepareStep(step, before); err != nil {
			return err
		}
		latest[step.id] = step.edit.after
	}
	return nil
}

// wasMadeFor reports whether an earlier attempt of this import has set a flat. Such a flat stays as it is: a client
// that got no answer sends its import again with the same keys.
func (p *importPlan) wasMadeFor(f *Flat) bool { return f.UpdateKeys.hasAny(p.keys) }

// prepareStep makes the edit of a step. A listing older than what is known about a flat only adds what the flat lacks.
func (p *importPlan) prepareStep(step *importStep, before *Flat) (err error) {
	values := members{"gone": step.gone}
	isOld := step.listing != nil && p.isOld(step.listing, before)
	if step.listing != nil {
		values = p.importedValues(step.listing, before, isOld)
	}
	// A number that is only written in another way is no change.
	maps.DeleteFunc(values, func(name string, text json.RawMessage) bool {
		i, isField := flatFields.byName[name]
		isComparable := isField && before != blank && json.Valid(text) // gone may be nil
		return isComparable && sameNumbers(decodeJSON(before.stored(i)), decodeJSON(string(text)))
	})
	step.edit, err = p.store.edit(before, values, p.timeJSON, &p.warnings)
	if errors.Is(err, errLarge) && before != blank {
		step.edit, err = p.editWithRoom(step, before, values)
	}
	if err != nil {
		return err
	}
	step.decidedBy = nil
	if before == blank {
		p.decide(step, values)
	}
	step.isSame = step.edit.after == before
	if !isOld {
		p.addKnownAsOf(step, before, values)
	}
	return nil
}

// importedValues returns the members that a listing sets on a flat.
func (p *importPlan) importedValues(listing members, before *Flat, isOld bool) members {
	if isOld || p.isMail {
		listing = addingMembers(listing, before, isOld)
	}
	values := listedMembers(listing, before, p.timeJSON, p.store.codes)
	if isOld {
		delete(values, "gone") // an old listing does not say that the flat is there now
	}
	if len(p.keys) > 0 && !p.wasMadeFor(before) { // else an earlier step has added them
		values["update_keys"] = before.UpdateKeys.withKeys(p.keys)
	}
	return values
}

// addKnownAsOf adds known_as_of to the edit of a step, which sets values, if it changes.
func (p *importPlan) addKnownAsOf(step *importStep, before *Flat, values members) {
	knownAsOf := p.knownAsOf(step, before)
	if knownAsOf == "" {
		return
	}
	updatedAt := p.timeJSON
	if step.isSame {
		updatedAt = before.UpdatedAt.JSON() // known_as_of is no change that the user sees
	}
	values["known_as_of"] = json.RawMessage(knownAsOf)
	noWarnings := &warnings{} // the edit of the step has given them
	e, err := p.store.edit(before, values, updatedAt, noWarnings)
	if err == nil { // otherwise the flat has no room for known_as_of
		step.edit = e
	}
}

// decide lets the rules decide on the new flat of a step, and adds what they decide to the values. They do not decide
// on a flat from a backup: decide marks it as restored, so that they do not decide on it later either.
func (p *importPlan) decide(step *importStep, values members) {
	f := step.edit.after
	if !p.rules.isAny || !f.isUndecided() {
		return
	}
	var first *rule
	added := members{"restored": json.RawMessage("true")}
	if !isBackup(step.listing) {
		first = p.rules.ruleFor(nil, p.store.table.fields, f, p.importTime)
		if first == nil {
			return
		}
		added = first.decision(p.timeJSON)
	}
	decided := maps.Clone(values)
	maps.Copy(decided, added)
	noWarnings := &warnings{} // the edit of the step has given them
	e, err := p.store.edit(blank, decided, p.timeJSON, noWarnings)
	if err == nil { // otherwise the flat has no room for the decision
		step.edit, step.decidedBy = e, first
		maps.Copy(values, added)
	}
}

// listingTime returns the time that a listing is about, such as that of its mail, or the zero time if that is the time
// of the import. isAhead reports that the time lies in the future, further than clocks differ.
func (p *importPlan) listingTime(listing members) (at time.Time, isAhead bool) {
	var given Datetime
	given.setJSON(listing.text(asOfMember)) // no error: fredyBody.read has checked it, or a mail has it
	return given.at.Truncate(time.Millisecond), given.at.After(p.realTime.Add(importSlack))
}

// isOld reports whether a listing is older than the newest one of a flat. Of two listings about the
// same instant the later import counts, unless its cost is one that the flat had before: then it has
// probably been read before. A listing about the future is treated like that, too.
func (p *importPlan) isOld(listing members, f *Flat) bool {
	at, isAhead := p.listingTime(listing)
	newest := f.asOf(p.realTime)
	isNewer := at.After(newest) && !isAhead
	if f == blank || at.IsZero() || isNewer {
		return false
	}
	return at.Before(newest) || f.hadCost(listing["cost"])
}

// knownAsOf returns the new JSON of known_as_of of a flat, or "" if it stays as it is. A listing without a
// time of its own counts as newer than all before it. So an earlier listing with a time is old when it is read again.
func (p *importPlan) knownAsOf(step *importStep, before *Flat) string {
	newest := before.asOf(p.realTime)
	at, isAhead := p.listingTime(step.listing)
	hasOwnTime := !at.IsZero() && !isAhead
	switch {
	case hasOwnTime && !at.After(newest):
		return ""
	case hasOwnTime:
		return at.UTC().Format(jsonTime)
	case step.isSame:
		return ""
	case !before.KnownAsOf.Known(): // asOf goes by the times of imports, and this is one
		return ""
	}
	asNewest := newest.Add(time.Millisecond)
	if listed := p.realTime.Add(-importSlack); listed.After(asNewest) {
		asNewest = listed
	}
	return asNewest.UTC().Format(jsonTime)
}

// editWithRoom returns the edit of a known flat that would become too large. It makes room by removing what
// the service has added to the flat, because that must not make the import fail. If the step only sets gone
// and the flat is still too large, it stays as it is.
func (p *importPlan) editWithRoom(step *importStep, before *Flat, values members) (edit, error) {
	for _, name := range []string{"cost_history", "kept_photos", "found_position", "update_keys"} {
		values.put(name, nil)
	}
	if merged, ok := step.listing["merged_ids"]; ok {
		values["merged_ids"] = merged // without the ids that the flat had, which listedMembers has added
	}
	e, err := p.store.edit(before, values, p.timeJSON, &p.warnings)
	if errors.Is(err, errLarge) && step.listing == nil {
		return edit{before: before, after: before}, nil
	}
	return e, err
}

// edits returns the edits in order, or errStale if steps must be prepared anew.
func (p *importPlan) edits(current func(id string) *Flat) (edits []edit, err error) {
	if err := p.ctx.Err(); err != nil {
		return nil, err
	}
	p.stale = map[string]bool{}
	latest := map[string]*Flat{}
	for _, step := range p.steps {
		if step.edit.before != cmp.Or(latest[step.id], current(step.id), blank) {
			p.stale[step.id] = true
		}
		latest[step.id] = step.edit.after
	}
	if rules := p.store.rules.Load(); rules.text != p.rules.text { // somebody has changed the rules meanwhile
		p.rules = rules
		for _, step := range p.steps {
			if current(step.id) == nil { // rules decide only on new flats
				p.stale[step.id] = true
			}
		}
	}
	if len(p.stale) > 0 {
		p.tries++
		if p.tries < maxTries {
			return nil, errStale
		}
		if err := p.prepare(current); err != nil {
			return nil, err
		}
	}
	for _, step := range p.steps {
		edits = append(edits, step.edit)
	}
	return edits, nil
}

// goneChanges returns the new JSON values of gone, by id, for flats that the import does not list.
// The flats of the site get the time of the import; the site is "" if the import is not complete.
// A flat merged with one that is still listed is not gone.
func (p *importPlan) goneChanges(site string) map[string]string {
	listed := map[string]bool{}
	for _, step := range p.steps {
		listed[step.id] = true
	}
	missing := map[string]*Flat{}
	for _, f := range p.store.snapshot().all() {
		id := f.ID.String()
		isFromSite := site != "" && strings.HasSuffix(id, "@"+site)
		if !listed[id] && (isFromSite || f.Gone.Known()) {
			missing[id] = f
		}
	}
	// A missing flat that names a present one in merged_ids is present, too, and so are the
	// missing flats that name it.
	var present []string             // the ids of missing flats that turn out to be present
	namedBy := map[string][]string{} // the ids of the missing flats that name a missing flat
	for id, f := range missing {
		for _, merged := range f.MergedIDs.ids() {
			if missing[merged] != nil {
				namedBy[merged] = append(namedBy[merged], id)
			} else if listed[merged] || p.store.Get(merged) != nil {
				present = append(present, id)
			}
		}
	}
	changes := map[string]string{}
	for len(present) > 0 {
		id := present[len(present)-1]
		present = present[:len(present)-1]
		if f := missing[id]; f != nil && f.Gone.Known() {
			changes[id] = "null"
		}
		delete(missing, id)
		present = append(present, namedBy[id]...)
		delete(namedBy, id)
	}
	for id, f := range missing {
		if !f.Gone.Known() {
			changes[id] = p.timeJSON
		}
	}
	return changes
}

// counts returns the effects of the import once it is applied.
func (p *importPlan) counts() (c Counts) {
	for _, step := range p.steps {
		switch {
		case step.decidedBy == nil:
		case step.decidedBy.status == "followed":
			c.Followed++
		default:
			c.Dismissed++
		}
		switch {
		case step.listing == nil && step.edit.after.Gone.Known():
			c.Gone++
		case step.listing == nil: // a flat that is present again is not counted
		case step.isSame:
			c.Unchanged++
		case step.edit.before == blank:
			c.Added++
		default:
			c.Updated++
		}
	}
	return c
}

// addOutcome adds the outcome of an import to Outcomes. note is for Outcome.Note.
func (m *Importer) addOutcome(source string, counts Counts, err error, note string) {
	o := Outcome{At: m.store.now().UTC().Format(time.RFC3339), Source: source, Counts: counts, Note: note}
	if err != nil {
		text := err.Error()
		o.Error = &text
	}
	m.outcomes.mu.Lock()
	defer m.outcomes.mu.Unlock()
	older := m.outcomes.list[:min(len(m.outcomes.list), maxOutcomes-1)]
	m.outcomes.list = append([]Outcome{o}, older...)
}

// maxOutcomes is the number of imports whose outcomes are kept.
const maxOutcomes = 20

// Outcomes returns the outcomes of the last maxOutcomes imports since the start, newest first. The caller
// must not modify the slice.
func (m *Importer) Outcomes() []Outcome {
	m.outcomes.mu.Lock()
	defer m.outcomes.mu.Unlock()
	return m.outcomes.list
}

// mailSource names the mailbox as the source of an import.
const mailSource = "mailbox"

// ImportMail imports the listings of a mail or an mbox from a source. The error is a *statusError if the text is at
// fault, and the error of ctx if ctx is done before the mail is read.
func (m *Importer) ImportMail(ctx context.Context, text []byte, source string) (counts Counts, err error) {
	listings, note, err := m.readMail(ctx, text)
	if err != nil && ctx.Err() != nil {
		return counts, ctx.Err()
	}
	isRefused := err != nil
	if !isRefused {
		// The rest is short, and the context of a request also ends when a client closes only its sending side.
		counts, err = m.Import(context.WithoutCancel(ctx), listings, nil)
		// Such a mail would fail each time: a flat would become too large, or reading a listing causes a panic.
		isRefused = errors.Is(err, errLarge) || errors.Is(err, errInternal)
	}
	isReadAgain := err != nil && !isRefused && source == mailSource // the mailbox tries again: that is no outcome
	if !isReadAgain {
		m.addOutcome(source, counts, err, note)
	}
	if isRefused {
		return counts, errorf(statusInvalid, "Nothing was imported: %v.", err)
	}
	return counts, err
}

// readMail is [listingsInMails] as a task of its own.
func (m *Importer) readMail(ctx context.Context, text []byte) (listings Listings, note string, err error) {
	work := turns.NewTask(ctx, m.store.turns)
	defer work.Finish(&err)
	return listingsInMails(work, text)
}

// ImportText imports listings that a client has sent. If site is not "", they are complete for that site. keys name the
// request: a client that gets no answer sends it again with the same keys, and flats that it has set already stay as
// they are. The error is a *statusError if the text is at fault.
func (m *Importer) ImportText(text []byte, site string, keys ...string) (counts Counts, err error) {
	listings, err := readListings("body", text)
	listings.keys = keys
	if err == nil && site != "" {
		if err = listings.markComplete(site); err != nil {
			err = fmt.Errorf("complete: %w", err)
		}
	}
	isRefused := err != nil
	if !isRefused {
		// The context of the request also ends when a client closes only its sending side: do not use it.
		counts, err = m.Import(context.Background(), listings, nil)
		isRefused = errors.Is(err, errLarge)
	}
	m.addOutcome("HTTP", counts, err, "")
	if isRefused {
		return counts, errorf(statusInvalid, "Nothing was imported: %v.", err)
	}
	return counts, err
}

// Counts holds the number of listings that an import added, updated or left unchanged,
// of flats that it marked as gone, and of added flats that rules followed or dismissed.
type Counts struct {
	Added     int `json:"added"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
	Gone      int `json:"gone"`
	Followed  int `json:"followed,omitempty"`
	Dismissed int `json:"dismissed,omitempty"`
}

// An importClock gives each import a later time than all imports before it, whatever the
// clock shows, and even after a restart. It is safe for concurrent use.
type importClock struct {
	now func() time.Time

	applying sync.Mutex // held by the import that is being applied, and by messages for a moment

	mu      sync.Mutex // guards the rest, and is taken after applying
	last    time.Time  // no import has a later time
	running time.Time  // the time of the import that is being applied, or the zero time
}

// load makes the times of imports later than those of a stored flat. UpdatedAt counts even if the clock has
// gone back by years, because the service sets it, but not if it is a lifetime ahead: then a person has set
// it in the file. FirstSeen and Gone may come from a listing, so advance ignores them if they are too far
// ahead.
func (c *importClock) load(f *Flat) {
	const lifetime = 80 // years
	if at := f.UpdatedAt.at; at.After(c.last) && at.Before(c.now().AddDate(lifetime, 0, 0)) {
		c.last = wholeMillisecond(at)
	}
	c.advance(f.FirstSeen.at)
	c.advance(f.Gone.at)
}

// advance makes the times of later imports later than at, and reports whether they are. A time
// more than a day ahead of the clock is taken for a mistake and changes nothing.
func (c *importClock) advance(at time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !at.After(c.last) {
		return true
	}
	if at.After(c.now().Add(day)) {
		return false
	}
	c.last = wholeMillisecond(at)
	return true
}

// wholeMillisecond rounds a time up to a millisecond, because times are stored in milliseconds.
func wholeMillisecond(at time.Time) time.Time {
	return at.Add(time.Millisecond - time.Nanosecond).Truncate(time.Millisecond)
}

// begin waits until no import is being applied, and returns the time of a new one. The caller
// must call end.
func (c *importClock) begin() time.Time {
	c.applying.Lock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running = c.next()
	return c.running
}

func (c *importClock) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running = time.Time{}
	c.applying.Unlock()
}

// lastFinished waits until no import is being applied, and returns a time at or after the times of all imports so far.
func (c *importClock) lastFinished() time.Time {
	c.applying.Lock()
	defer c.applying.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// between returns a time at or after every finished import, and earlier than every import that is
// under way or to come.
func (c *importClock) between() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.running.IsZero() {
		return c.running.Add(-time.Millisecond)
	}
	return c.next()
}

// next returns the current time or, if that is not after last, the next millisecond. The caller
// must hold mu.
func (c *importClock) next() time.Time {
	now := c.now().UTC().Truncate(time.Millisecond)
	if !now.After(c.last) {
		now = c.last.Add(time.Millisecond).Truncate(time.Millisecond)
	}
	c.last = now
	return now
}

// An Outcome tells what an import did.
type Outcome struct {
	At     string `json:"at"`
	Source string `json:"source"` // the name of a file, HTTP, or mailSource
	Counts
	Error *string `json:"error"`          // why the import was refused, nil if it was not
	Note  string  `json:"note,omitempty"` // why a mail has no listing, or what was left out, else ""
}

// outcomes holds the outcomes of the last maxOutcomes imports since the start, newest first.
type outcomes struct {
	mu   sync.Mutex
	list []Outcome
}
