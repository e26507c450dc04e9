// The importer, and what an import does to each flat.

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
)

// An Importer imports listings into a store. A store has at most one. It is safe for concurrent
// use.
type Importer struct {
	store       *Store
	clock       importClock
	outcomes    outcomes
	unpacking   sync.Mutex // held while a body is unpacked and imported
	readingMail lock       // held in its place if the body is a mail, because reading one takes seconds
}

// newImporter returns an importer whose imports are later than those that the store's flats show.
func newImporter(store *Store) *Importer {
	m := &Importer{store: store, outcomes: outcomes{list: []Outcome{}}, readingMail: newLock()}
	m.clock.now = func() time.Time { return store.now() } // tests replace store.now
	for _, f := range store.snapshot().all() {
		m.clock.load(f)
	}
	return m
}

// Import adds the listings with new ids, and sets the fields of the others on the flats
// with their ids. If the listings are complete for a site, it marks the site's other flats
// as gone. Import returns when everything is durable; after an error nothing has changed.
// source is the file that the listings come from, nil for none. Imports run one at a time.
// If ctx is done before the import is stored, the import ends.
func (m *Importer) Import(ctx context.Context, listings Listings, source *importedFile) (counts Counts, err error) {
	defer recovered(&err)
	now := m.clock.begin()
	defer m.clock.end()
	plan := newImportPlan(ctx, m.store, listings, now)
	defer func() { plan.warnings.logTo(m.store.log) }()
	err = errStale
	for err == errStale {
		if err = plan.prepare(m.store.Get); err == nil {
			err = m.store.change(plan.edits, cmp.Or(source, &importedFile{}))
		}
	}
	if err != nil {
		return Counts{}, err
	}
	for _, step := range plan.steps { // a listing may have brought times of its own
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
	now      string // the time of the import, as JSON
	steps    []importStep
	stale    map[string]bool // the ids whose steps are still to be prepared
	tries    int             // how often the writer has found stale steps
	warnings warnings        // about wrong values of warnedFields, which readListing accepts

	areNews bool // the listings are from a mail, which is a summary
}

// An importStep changes one flat: it sets a listing or, if that is nil, gone.
type importStep struct {
	id      string
	listing members
	gone    json.RawMessage
	edit    edit // of the flat as it was when the step was prepared
}

// newImportPlan returns a plan with a step for each listing, and for each flat that is not
// listed and whose gone changes.
func newImportPlan(ctx context.Context, s *Store, listings Listings, now time.Time) *importPlan {
	p := &importPlan{ctx: ctx, store: s, now: now.Format(jsonTime), areNews: listings.isMail, stale: map[string]bool{}}
	var known knownLinks // made when a listing needs it
	for i, listing := range listings.Flats {
		if listing["id"] == nil {
			if known == nil {
				known = newKnownLinks(s.snapshot().all())
				known.addListings(listings.Flats[:i])
			}
			listing = known.identified(listing, s.Get)
		}
		id := unquote(string(listing["id"]))
		known.add(id, listing["urls"])
		p.steps = append(p.steps, importStep{id: id, listing: listing})
	}
	changes := p.goneChanges(listings.Complete)
	for _, id := range slices.Sorted(maps.Keys(changes)) {
		p.steps = append(p.steps, importStep{id: id, gone: json.RawMessage(changes[id])})
	}
	for _, step := range p.steps {
		p.stale[step.id] = true
	}
	return p
}

// maxTries is how often the writer gives an import back because flats have been updated. Then it
// prepares the rest itself: what came since the last try, which takes milliseconds.
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
		before := cmp.Or(latest[step.id], current(step.id), blank)
		values := members{"gone": step.gone}
		if step.listing != nil {
			listing := step.listing
			if p.areNews {
				listing = newOn(listing, before)
			}
			values = listedMembers(listing, before, p.now, p.store.codes)
		}
		step.edit, err = p.store.edit(before, values, p.now, &p.warnings)
		if errors.Is(err, errLarge) && before != blank {
			step.edit, err = p.editWithRoom(step, before, values)
		}
		if err != nil {
			return err
		}
		latest[step.id] = step.edit.after
	}
	return nil
}

// editWithRoom returns the edit of a known flat that would become too large. What the service has added
// to it makes room, because that must refuse no listing. If that is not enough to mark it as gone, it
// stays as it is.
func (p *importPlan) editWithRoom(step *importStep, before *Flat, values members) (edit, error) {
	for _, name := range []string{"cost_history", "kept_photos", "found_position"} {
		values.put(name, nil)
	}
	if merged, ok := step.listing["merged_ids"]; ok {
		values["merged_ids"] = merged
	}
	e, err := p.store.edit(before, values, p.now, &p.warnings)
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
			changes[id] = p.now
		}
	}
	return changes
}

// counts returns the effects of the import once it is applied.
func (p *importPlan) counts() (c Counts) {
	for _, step := range p.steps {
		switch {
		case step.listing == nil && step.edit.after.Gone.Known():
			c.Gone++
		case step.listing == nil: // a flat that is present again is not counted
		case step.edit.after == step.edit.before:
			c.Unchanged++
		case step.edit.before == blank:
			c.Added++
		default:
			c.Updated++
		}
	}
	return c
}

// listedMembers returns the members that a listing sets on a flat. now is the time of the import
// as JSON.
func listedMembers(listing members, before *Flat, now string, codes *PostalCodes) members {
	values := maps.Clone(listing)
	addNew(values, before)
	addCode(values, before, codes)
	addConstraint(values, before, codes)
	if commute, ok := values[detailsCommute]; ok {
		delete(values, detailsCommute)
		details := before.Details
		if text, ok := values["details"]; ok {
			details.setJSON(string(text)) // no error: any value fits
		}
		values["details"] = details.withMember("commute", commute)
	}
	addCosts(values, before)
	var corrected Corrections
	corrected.setJSON(values.text("corrected")) // no error: readListing has checked it
	// In a backup, cost may be the user's value, and corrected then has the listing's.
	said := cmp.Or(string(corrected.members()["cost"]), values.text("cost"))
	var cost Number
	cost.setJSON(said)
	if before == blank {
		// A listing that has values in importFields, as a backup does, keeps them.
		if !slices.ContainsFunc(importFields, values.has) {
			values["first_seen"] = json.RawMessage(now)
			values["cost_history"] = blank.CostHistory.withCost(Number{}, cost, now)
			fillEmpty(values, before)
		}
		addGone(values, before, now)
		dropLoneDate(values)
		// A time in the future would move the times of all later imports.
		var seen, at Datetime
		seen.setJSON(values.text("first_seen")) // no errors: readListing has checked it, and now is a time
		at.setJSON(now)
		if seen.at.After(at.at) {
			values["first_seen"] = json.RawMessage(now)
		}
		return values
	}
	for _, name := range slices.Concat(userFields, importFields) {
		delete(values, name)
	}
	values["gone"] = json.RawMessage("null")
	addGone(values, before, now)
	fillEmpty(values, before)
	var costBefore Number
	costBefore.setJSON(string(before.said("cost")))
	values["cost_history"] = before.CostHistory.withCost(costBefore, cost, now)
	if merged := before.MergedIDs.list(); len(merged) > 0 && values["merged_ids"] != nil {
		added := AnyJSON{literal{string(values["merged_ids"])}}
		values["merged_ids"] = union(merged, added.list())
	}
	keepTimes(values, before)
	if !corrected.Known() { // a backup brings its own
		keepCorrections(values, before)
	}
	return values
}

// dropLoneDate deletes the date of a new flat without a next step.
func dropLoneDate(values members) {
	var step Text
	step.setJSON(values.text("next_step")) // a wrong value leaves it null, as edit does
	if step.String() == "" {
		delete(values, "next_date")
	}
}

// newOn returns the members of a listing from a mail that apply to a flat. A mail describes a home in
// its own words, so it sets the cost of a known flat, and otherwise only fields that have no value.
func newOn(listing members, before *Flat) members {
	if before == blank {
		return listing
	}
	values := maps.Clone(listing)
	maps.DeleteFunc(values, func(name string, _ json.RawMessage) bool {
		if name == "id" || name == "cost" || name == "currency" {
			return false
		}
		stored := before.stored(flatFields.byName[name])
		return stored != "null" && stored != `""` && stored != emptyValues[name]
	})
	return values
}

// addCode sets the postal code that is in the location of a listing without one, if the location
// is new or the flat would otherwise have no code. It leaves backups alone.
func addCode(values members, before *Flat, codes *PostalCodes) {
	var location, code, constraint Text
	location.setJSON(values.text("location")) // no errors: readListing has checked these
	code.setJSON(values.text("service_postal_code"))
	constraint.setJSON(cmp.Or(string(values["service_constraint"]), before.ServiceConstraint.JSON()))
	isBackup := values.has("corrected") || values.has("first_seen")
	if location.String() == "" || code.String() != "" || isBackup {
		return
	}
	if values["service_postal_code"] != nil {
		values.put("service_postal_code", nil) // "" is not a code either
	}
	isNewLocation := !sameValue(before.said("location"), values["location"])
	_, isCorrected := before.Corrected.members()["service_postal_code"]
	keepsCode := values["service_postal_code"] == nil && before.ServicePostalCode.String() != ""
	if !isNewLocation && (isCorrected || keepsCode) {
		return
	}
	if found := codes.in(location.String(), constraint.String(), siteCountry(values)); found != "" {
		values.put("service_postal_code", found)
	}
}

// addConstraint sets the constraint of a listing without one, if the flat has none either, and if
// its code is loaded for exactly one, in the country that the location tells. It leaves backups alone.
func addConstraint(values members, before *Flat, codes *PostalCodes) {
	var code Text
	code.setJSON(cmp.Or(string(values["service_postal_code"]), before.stored(flatFields.byName["service_postal_code"])))
	if isBackup(values) || values.has("service_constraint") || before.ServiceConstraint.Known() {
		return
	}
	var location Text
	location.setJSON(cmp.Or(string(values["location"]), before.Location.JSON()))
	country := codes.countryIn(location.String(), code.String(), siteCountry(values))
	if name := codes.onlyConstraint(code.String(), country); name != "" {
		values.put("service_constraint", name)
	}
}

// siteCountry returns the country that the currency of a listing tells or the domain of its site, or "".
func siteCountry(listing members) string {
	country := currencyCountries[unquote(listing.text("currency"))]
	if links := linksOf(listing["urls"]); len(links) > 0 && country == "" {
		country = topDomain(linkHost(links[0]))
	}
	if country == "uk" {
		country = "gb"
	}
	return strings.ToUpper(country)
}

// addNew sets the members that apply only if the flat is new.
func addNew(values members, before *Flat) {
	if rest := values[ifNew]; rest != nil && before == blank {
		var added members
		json.Unmarshal(rest, &added) // no error: readListing has checked it
		maps.Copy(added, values)
		maps.Copy(values, added)
	}
	delete(values, ifNew)
}

// addGone marks the flat of an expired listing as gone, since an earlier import or this one.
func addGone(values members, before *Flat, now string) {
	if values[isExpired] != nil {
		values["gone"] = json.RawMessage(now)
		if before.Gone.Known() {
			values["gone"] = json.RawMessage(before.Gone.JSON())
		}
	}
	delete(values, isExpired)
}

// emptyValues are the values of fields that a new flat has in place of null, as in Flatisfy.
var emptyValues = map[string]string{"photos": "[]", "urls": "[]", "details": "{}", "merged_ids": "[]",
	"service_stations": "[]", "service_time_to": "{}"}

// fillEmpty sets emptyValues on a new flat. On a known flat, null does not replace them.
func fillEmpty(values members, before *Flat) {
	for name, empty := range emptyValues {
		if values.has(name) {
			continue
		}
		if before == blank {
			values[name] = json.RawMessage(empty)
		} else if before.stored(flatFields.byName[name]) == empty {
			delete(values, name)
		}
	}
}

// readFields are the fields that an import takes from the text of a listing that brings none of them.
var readFields = []string{"utilities", "charges", "deposit", "fee"}

// addCosts sets the readFields that the text of a listing has, if it says the same cost and the
// listing brings none of them. details.read has what was taken, so that a later text replaces it.
// A known text with the same cost is not read again, because reading takes long. Backups stay as
// they are.
func addCosts(values members, before *Flat) {
	if isBackup(values) {
		return
	}
	details := before.Details
	if text, ok := values["details"]; ok {
		details = Details{}
		details.setJSON(string(text)) // no error: any value fits
	}
	read := AnyJSON{}
	read.setJSON(before.Details.members().text("read"))
	taken := read.members()
	text, cost := before.said("text"), before.said("cost")
	isKnown := before != blank && (!values.has("text") || sameValue(values["text"], text)) &&
		(!values.has("cost") || sameValue(values["cost"], cost))
	switch {
	case slices.ContainsFunc(readFields, values.has):
		taken = members{}
	case !isKnown:
		if values.has("text") {
			text = values["text"]
		}
		if values.has("cost") {
			cost = values["cost"]
		}
		found := costsIn(text, cost)
		for name := range taken {
			values.put(name, nil)
		}
		maps.Copy(values, found)
		taken = found
	}
	if len(taken) > 0 {
		values["details"] = details.withMember("read", json.RawMessage(encodeJSON(taken)))
	} else if object := details.members(); read.Known() && len(object) > 0 {
		delete(object, "read")
		values.put("details", object)
	}
}

// costsIn returns the readFields that a text, as JSON, has for a cost.
func costsIn(text, cost json.RawMessage) members {
	found := members{}
	amount, _ := parseNumber(string(cost))
	if amount <= 0 {
		return found
	}
	said := costsOf(unquote(string(text)), amount)
	if said.utilities != "" {
		found.put("utilities", said.utilities)
	}
	for name, n := range map[string]float64{"charges": said.charges, "deposit": said.deposit, "fee": said.fee} {
		if n > 0 {
			found[name] = json.RawMessage(newNumber(n).JSON())
		}
	}
	return found
}

// keepCorrections deletes the members of a listing that say nothing new about a field that the
// user has corrected. A member that says something else ends the correction.
func keepCorrections(values members, before *Flat) {
	said := before.Corrected.members()
	for name, text := range said {
		switch field := flatFields.list[flatFields.byName[name]]; {
		case !values.has(name) || sameValue(values[name], text):
			delete(values, name)
		case field.value(new(Flat)).setJSON(string(values[name])) == nil:
			delete(said, name)
		} // otherwise it is a wrong value of warnedFields, which edit drops
	}
	values.put("corrected", said)
}

// maxMerged is the number of merged ids of a flat, unless a listing brings more. A site may rename its
// listings for ever.
const maxMerged = 500

// union returns a JSON list of the ids of a flat and those that a listing brings, each once. Of more
// than maxMerged, the oldest that the listing does not bring go.
func union(stored, brought []json.RawMessage) json.RawMessage {
	ids, seen, isBrought := []json.RawMessage{}, map[string]bool{}, map[string]bool{}
	for _, id := range brought {
		isBrought[unquote(string(id))] = true
	}
	for _, id := range slices.Concat(stored, brought) {
		if text := unquote(string(id)); !seen[text] {
			seen[text] = true
			ids = append(ids, id)
		}
	}
	surplus := len(ids) - maxMerged
	ids = slices.DeleteFunc(ids, func(id json.RawMessage) bool {
		isOld := surplus > 0 && !isBrought[unquote(string(id))]
		if isOld {
			surplus--
		}
		return isOld
	})
	return json.RawMessage(encodeJSON(ids))
}

// addOutcome adds the outcome of an import to Outcomes. note says why a mail brought nothing; it is "" otherwise.
func (m *Importer) addOutcome(source string, counts Counts, err error, note string) {
	o := Outcome{At: m.store.now().UTC().Format(time.RFC3339), Source: source, Counts: counts, Note: note}
	if err != nil {
		text := err.Error()
		o.Error = &text
	}
	m.outcomes.mu.Lock()
	defer m.outcomes.mu.Unlock()
	older := m.outcomes.list[:min(len(m.outcomes.list), 19)]
	m.outcomes.list = append([]Outcome{o}, older...)
}

// Outcomes returns the outcomes of the last 20 imports since the start, newest first. The caller
// must not modify the slice.
func (m *Importer) Outcomes() []Outcome {
	m.outcomes.mu.Lock()
	defer m.outcomes.mu.Unlock()
	return m.outcomes.list
}

// mailSource is the source of the mails of the mailbox, in outcomes.
const mailSource = "mailbox"

// ImportMail imports the listings of a mail from a source. The error is a *failure if the text is at
// fault, and that of ctx if that is done before the mail is read.
func (m *Importer) ImportMail(ctx context.Context, text []byte, source string) (counts Counts, err error) {
	listings, note, err := m.readMail(ctx, text)
	if err != nil && ctx.Err() != nil {
		return counts, ctx.Err()
	}
	isRefused := err != nil
	if !isRefused {
		// The rest is short, and the context of a request also ends when a client closes only its sending side.
		counts, err = m.Import(context.WithoutCancel(ctx), listings, nil)
		isRefused = errors.Is(err, errLarge) || errors.Is(err, errInternal)
	}
	if isRefused || err == nil || source != mailSource { // a mail of the mailbox is read again
		m.addOutcome(source, counts, err, note)
	}
	if isRefused {
		return counts, fail(statusInvalid, "Nothing was imported: %v.", err)
	}
	return counts, err
}

// readMail is [readMailListings] as a task of its own.
func (m *Importer) readMail(ctx context.Context, text []byte) (listings Listings, note string, err error) {
	work := newTask(ctx, m.store.turns)
	defer work.finish(&err)
	return readMailListings(work, text)
}

// ImportText imports listings that a client has sent. If site is not "", they are
// complete for that site. The error is a *failure if the text is at fault.
func (m *Importer) ImportText(text []byte, site string) (counts Counts, err error) {
	listings, err := readListings("body", text)
	if err == nil && site != "" {
		if err = listings.markComplete(site); err != nil {
			err = fmt.Errorf("complete: %w", err)
		}
	}
	isRefused := err != nil
	if !isRefused {
		// Not the context of the request: it also ends when a client closes only its sending side.
		counts, err = m.Import(context.Background(), listings, nil)
		isRefused = errors.Is(err, errLarge)
	}
	m.addOutcome("HTTP", counts, err, "")
	if isRefused {
		return counts, fail(statusInvalid, "Nothing was imported: %v.", err)
	}
	return counts, err
}
