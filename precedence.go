// Which values of a listing a flat takes, and which of its own it keeps.

package main

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"flats/internal/listing"
)

// listedMembers returns the members that a listing sets on a flat. now is the time of the import
// as JSON. What can be read in the listing, such as in its text, sets only fields about which
// neither the user nor a listing has said anything.
func listedMembers(given members, before *Flat, now string, codes *PostalCodes) members {
	values := maps.Clone(given)
	delete(values, asOfMember)
	addNew(values, before)
	addCommute(values, before)
	if string(values["service_postal_code"]) == `""` && !isBackup(values) {
		values.put("service_postal_code", nil) // a flat without a code has null
	}
	listed := maps.Clone(values) // what the listing says, before the members of the flat are added
	if before == blank {
		makeMembersOfNew(values, now)
	} else {
		makeMembersOfKnown(values, before, now)
	}
	if !isBackup(listed) {
		corrected := correctedIn(values)
		r := reading{values, listed, corrected.members(), before, codes}
		r.addCode()
		r.addConstraint()
		r.addCosts()
	}
	return values
}

// makeMembersOfNew changes the members of a listing to the members that it sets on a new flat.
func makeMembersOfNew(values members, now string) {
	// A listing with a value in one of importFields, as a backup has first_seen, keeps these, and gets no others.
	if !slices.ContainsFunc(importFields, values.has) {
		values["first_seen"] = json.RawMessage(now)
		values["cost_history"] = blank.CostHistory.withCost(Number{}, saidCost(values), now)
		fillEmpty(values, blank)
	}
	addGone(values, blank, now)
	dropLoneDate(values)
	// Each import gets a later time than those before, so a time in the future would move all later ones.
	var firstSeen, importTime Datetime
	firstSeen.setJSON(values.text("first_seen")) // no errors: readListing has checked it, and now is a time
	importTime.setJSON(now)
	if firstSeen.at.After(importTime.at) {
		values["first_seen"] = json.RawMessage(now)
	}
}

// makeMembersOfKnown changes the members of a listing to the members that it sets on a known flat.
func makeMembersOfKnown(values members, before *Flat, now string) {
	isOfBackup := isBackup(values) // asked before the loop deletes first_seen, by which a backup is known

	for _, name := range slices.Concat(userFields, importFields) { // a listing does not set these on a known flat
		delete(values, name)
	}
	values["gone"] = json.RawMessage("null") // the listing is there, unless addGone finds that it has expired
	addGone(values, before, now)
	fillEmpty(values, before)
	if merged := before.MergedIDs.list(); len(merged) > 0 && values["merged_ids"] != nil {
		added := AnyJSON{literal{string(values["merged_ids"])}}
		values["merged_ids"] = mergedUnion(merged, added.list())
	}
	keepTimes(values, before)
	if brought := correctedIn(values); !brought.Known() { // the corrections of a backup take the place of the flat's
		keepCorrections(values, before, isOfBackup)
	}
	var costBefore Number
	costBefore.setJSON(string(before.listedValue("cost")))
	values["cost_history"] = before.CostHistory.withCost(costBefore, saidCost(values), now)
}

// saidCost returns the cost that a listing says. In a backup, cost may be the user's value, and
// corrected then has the listing's.
func saidCost(values members) (cost Number) {
	corrected := correctedIn(values)
	cost.setJSON(cmp.Or(string(corrected.members()["cost"]), values.text("cost"))) // no error: it has been checked
	return cost
}

// correctedIn returns the member corrected of a listing or of what an import sets.
func correctedIn(values members) (corrected Corrections) {
	corrected.setJSON(values.text("corrected")) // no error: it has been checked
	return corrected
}

// addCommute sets the member commute of details, and leaves the others as they are.
func addCommute(values members, before *Flat) {
	commute, ok := values[detailsCommute]
	if !ok {
		return
	}
	delete(values, detailsCommute)
	details := before.Details
	if text, ok := values["details"]; ok {
		details.setJSON(string(text)) // no error: any value fits
	}
	values["details"] = details.withMember("commute", commute)
}

// dropLoneDate deletes the date of a new flat without a next step. A wrong value stays, so that edit warns.
func dropLoneDate(values members) {
	var step Text
	var date Datetime
	step.setJSON(values.text("next_step")) // a wrong value leaves it null, as edit does
	if step.String() == "" && date.setJSON(values.text("next_date")) == nil {
		delete(values, "next_date")
	}
}

// addingMembers returns those members of a listing that apply to a flat. The listing is from a mail, or is older than
// what is known about the flat (isOld), or both. A mail describes a home in its own words, and an old listing may no
// longer hold. So on a known flat either sets a field only if the field has no value and the user has not emptied it.
// But a mail that is not old always sets the cost and the currency, and an old listing sets these only if neither has
// been known.
func addingMembers(given members, before *Flat, isOld bool) members {
	if before == blank {
		return given
	}
	corrected := before.Corrected.members()
	hasCost := len(before.CostHistory.entries()) > 0 || before.Cost.Known() || before.Currency.Known() ||
		corrected["cost"] != nil || corrected["currency"] != nil
	values := maps.Clone(given)
	maps.DeleteFunc(values, func(name string, _ json.RawMessage) bool {
		switch name {
		case "id":
			return false
		case "cost", "currency":
			return isOld && hasCost
		}
		i, isField := flatFields.byName[name]
		if !isField || corrected[name] != nil {
			return true
		}
		stored := before.stored(i)
		return stored != "null" && stored != `""` && stored != emptyValues[name]
	})
	return values
}

// A reading adds what can be read in a listing to the members that an import sets on a flat. It
// leaves alone what the user or a listing has said.
type reading struct {
	values    members // that the import sets
	listed    members // what the listing says
	corrected members // what listings say about the fields that stay corrected
	before    *Flat
	codes     *PostalCodes
}

// readLater returns the postal code and the constraint that an import would now read in what a listing has said about a
// flat, and the flat with them. The flat may have come before the postal codes or the constraints were loaded. What the
// flat has stays, and so does what the user has corrected.
func readLater(f *Flat, codes *PostalCodes) (values members, next *Flat) {
	values = members{}
	if codes.all.size == 0 || f.ServicePostalCode.Known() && f.ServiceConstraint.Known() {
		return values, f
	}
	listed := members{}
	for _, name := range []string{"location", "currency", "urls"} {
		listed[name] = f.listedValue(name)
	}
	r := reading{maps.Clone(listed), listed, f.Corrected.members(), f, codes}
	if !f.ServicePostalCode.Known() {
		r.addCode()
	}
	r.addConstraint()
	for _, name := range []string{"service_postal_code", "service_constraint"} {
		if r.values.has(name) {
			values[name] = r.values[name]
		}
	}
	if len(values) == 0 {
		return values, f
	}
	next, _ = f.withMembers(values, codes, nil) // no error: the values are from the codes
	return values, next
}

// addCode sets the postal code that is in the location of a listing without a code. It keeps a code
// that the user or a listing has given, but replaces one that was read in another location.
func (r *reading) addCode() {
	const name = "service_postal_code"
	var location, code, constraint, locationBefore Text
	location.setJSON(r.listed.text("location")) // no errors: readListing has checked these
	code.setJSON(r.listed.text(name))
	constraint.setJSON(cmp.Or(string(r.values["service_constraint"]), r.before.ServiceConstraint.JSON()))
	if location.String() == "" || code.String() != "" || r.corrected[name] != nil {
		return
	}
	country := siteCountry(r.listed)
	codeBefore := r.before.ServicePostalCode.String()
	if codeBefore != "" && r.listed[name] == nil {
		saidBefore := r.before.listedValue("location")
		locationBefore.setJSON(string(saidBefore)) // no error: the flat has it
		isRead := r.codes.codeIn(locationBefore.String(), r.before.ServiceConstraint.String(), country) == codeBefore
		isSameLocation := sameValue(saidBefore, r.listed["location"])
		if isSameLocation || !isRead {
			return
		}
	}
	if found := r.codes.codeIn(location.String(), constraint.String(), country); found != "" {
		r.values.put(name, found)
	}
}

// addConstraint sets the constraint of a listing, if neither the listing nor the flat has one, and if
// exactly one constraint has the postal code, in the country that the location tells.
func (r *reading) addConstraint() {
	const name = "service_constraint"
	if r.values.has(name) || r.before.ServiceConstraint.Known() || r.corrected[name] != nil {
		return
	}
	var code, location Text
	code.setJSON(cmp.Or(string(r.values["service_postal_code"]),
		r.before.stored(flatFields.byName["service_postal_code"])))
	location.setJSON(cmp.Or(string(r.values["location"]), r.before.Location.JSON()))
	country := r.codes.countryIn(location.String(), code.String(), siteCountry(r.values))
	if found := r.codes.onlyConstraint(code.String(), country); found != "" {
		r.values.put(name, found)
	}
}

// siteCountry returns the country that the currency of a listing tells, or else the top-level domain of its site, or
// "".
func siteCountry(given members) string {
	country := listing.CurrencyCountry(unquote(given.text("currency")))
	if links := listing.LinksOf(given["urls"]); len(links) > 0 && country == "" {
		country = topDomain(listing.LinkHost(links[0]))
	}
	if country == "uk" {
		country = "gb"
	}
	return strings.ToUpper(country)
}

// addNew sets the members that apply only if the flat is new.
func addNew(values members, before *Flat) {
	if rest := values[ifNewMember]; rest != nil && before == blank {
		var added members
		json.Unmarshal(rest, &added) // no error: readListing has checked it
		maps.Copy(added, values)     // what the listing says anyway takes precedence
		maps.Copy(values, added)
	}
	delete(values, ifNewMember)
}

// addGone marks the flat of an expired listing as gone since this import, unless an earlier one has marked it.
func addGone(values members, before *Flat, now string) {
	if values[isExpiredMember] != nil {
		values["gone"] = json.RawMessage(now)
		if before.Gone.Known() {
			values["gone"] = json.RawMessage(before.Gone.JSON())
		}
	}
	delete(values, isExpiredMember)
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

// addCosts sets the textFields that the text of a listing has, if the text also has the listing's cost
// and the listing brings none of these fields itself. It sets only those about which neither the user
// nor a listing has said anything. details.read has the values that were taken from a text. They stay
// until another text comes, or until the same text says other values for a new cost. A known text with
// the same cost is not read again, because reading takes long.
func (r *reading) addCosts() {
	read := AnyJSON{}
	read.setJSON(r.before.Details.members().text("read"))
	fromText := read.members() // by field, becomes the new details.read
	found, isNewText := r.costs()
	if slices.ContainsFunc(textFields, r.listed.has) { // the listing says such values itself: its text does not count
		found, isNewText = nil, false
	}
	for _, name := range textFields {
		stored := json.RawMessage(r.before.stored(flatFields.byName[name]))
		isFromText := fromText[name] != nil && sameValue(fromText[name], stored)
		switch {
		case r.corrected[name] != nil: // the user has said it
		case r.listed.has(name):
			delete(fromText, name)
		case string(stored) != "null" && !isFromText && r.values[name] == nil: // a listing has said it
			delete(fromText, name)
		case found[name] != nil:
			r.values[name], fromText[name] = found[name], found[name]
		case isFromText && (isNewText || len(found) > 0): // the text no longer says it
			r.values.put(name, nil)
			delete(fromText, name)
		case isFromText: // it stays; a listing with null says nothing
			delete(r.values, name)
		}
	}
	details := r.before.Details
	if text, ok := r.values["details"]; ok {
		details = Details{}
		details.setJSON(string(text)) // no error: any value fits
	}
	if len(fromText) > 0 {
		r.values["details"] = details.withMember("read", json.RawMessage(encodeJSON(fromText)))
	} else if object := details.members(); read.Known() && len(object) > 0 { // no value is from the text any more
		delete(object, "read")
		r.values.put("details", object)
	}
}

// costs returns the textFields that the text of the listing has, and whether that is a new text.
func (r *reading) costs() (found members, isNewText bool) {
	text, cost := r.before.listedValue("text"), r.before.listedValue("cost")
	isNewText = r.before == blank || r.listed.has("text") && !sameValue(r.listed["text"], text)
	isNewCost := r.listed.has("cost") && !sameValue(r.listed["cost"], cost)
	if !isNewText && !isNewCost {
		return nil, false
	}
	if isNewText {
		text = r.listed["text"]
	}
	if isNewCost || r.before == blank {
		cost = r.listed["cost"]
	}
	return costsIn(text, cost), isNewText
}

// costsIn returns the textFields that a text, as JSON, has for a cost.
func costsIn(text, cost json.RawMessage) members {
	found := members{}
	amount, _ := parseNumber(string(cost))
	if amount <= 0 {
		return found
	}
	said := listing.CostsOf(unquote(string(text)), amount)
	if said.Utilities != "" {
		found.put("utilities", said.Utilities)
	}
	for name, n := range map[string]float64{"charges": said.Charges, "deposit": said.Deposit, "fee": said.Fee} {
		if n > 0 {
			found[name] = json.RawMessage(newNumber(n).JSON())
		}
	}
	return found
}

// sayTheSame reports whether two values are equal. In texts, the space around them and the kind of line breaks do not
// count: a table of listings keeps neither.
func sayTheSame(a, b json.RawMessage) bool {
	if a == nil || b == nil || a[0] != '"' || b[0] != '"' {
		return sameValue(a, b)
	}
	plain := func(text json.RawMessage) string {
		return strings.TrimSpace(strings.ReplaceAll(unquote(string(text)), "\r\n", "\n"))
	}
	return plain(a) == plain(b)
}

// keepCorrections deletes the members of a listing that say nothing new about a field that the
// user has corrected. A member that says something else ends the correction, but the user's links
// stay before the listing's. A backup of the flat has the user's value, which says nothing new, too.
func keepCorrections(values members, before *Flat, isOfBackup bool) {
	said := before.Corrected.members() // what listings have said so far, by the names of the corrected fields
	for name, text := range said {
		field := flatFields.byName[name]
		listed := values[name]
		isEmpty := !values.has(name) || string(listed) == `""` || string(listed) == emptyValues[name]
		own := json.RawMessage(before.stored(field))
		if name == "urls" {
			const arePhotos = false
			own = cleanLinks(own, arePhotos)
		}
		isOwn := isOfBackup && sayTheSame(listed, own)
		switch {
		case isEmpty || isOwn:
			delete(values, name)
		case name == "urls" && keepLinks(values, said, before): // keepLinks has changed values and said
		case sayTheSame(listed, text): // as the listing has said before
			delete(values, name)
		case flatFields.list[field].value(new(Flat)).setJSON(string(listed)) == nil: // something new and valid
			delete(said, name)
		} // otherwise it is a wrong value of lenientFields, which edit drops
	}
	values.put("corrected", said)
}

// keepLinks adds the user's links to the urls in values, and sets in said the urls that the listing says. If the flat
// has no link, keepLinks changes nothing and returns false.
func keepLinks(values, said members, before *Flat) bool {
	own := json.RawMessage(before.URLs.JSON())
	if len(listing.LinksOf(own)) == 0 {
		return false
	}
	listed := values["urls"]
	values["urls"] = withOwnLinks(own, said["urls"], listed)
	said["urls"] = listed
	if sameValue(values["urls"], listed) {
		delete(said, "urls")
	}
	return true
}

// withOwnLinks returns a JSON list of own, the links of a flat, and then of the links that the listing has for the
// first time: those in listed and not in listedBefore. It leaves out own links that the listing no longer has, except
// the first one. Links that the user has removed or replaced stay away.
func withOwnLinks(own, listedBefore, listed json.RawMessage) json.RawMessage {
	keys := func(elements []linkElement) map[string]bool {
		set := map[string]bool{}
		for _, e := range elements {
			set[e.key] = true
		}
		return set
	}
	listedNow := linkElements(listed)
	isListed, wasListed := keys(listedNow), keys(linkElements(listedBefore))
	seen := map[string]bool{} // by key
	list := []json.RawMessage{}
	add := func(e linkElement) {
		if !seen[e.key] {
			seen[e.key] = true
			list = append(list, e.text)
		}
	}
	for i, e := range linkElements(own) {
		if i == 0 || !wasListed[e.key] || isListed[e.key] {
			add(e)
		}
	}
	for _, e := range listedNow {
		if !wasListed[e.key] {
			add(e)
		}
	}
	return json.RawMessage(encodeJSON(list))
}

// maxMerged is the number of merged ids that a flat keeps, unless a listing brings more: a site may rename its listings
// for ever.
const maxMerged = 500

// mergedUnion returns a JSON list of the ids of a flat and those that a listing brings, each once. Of more
// than maxMerged, the oldest that the listing does not bring go.
func mergedUnion(stored, brought []json.RawMessage) json.RawMessage {
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
	surplus := len(ids) - maxMerged // the oldest ids come first
	ids = slices.DeleteFunc(ids, func(id json.RawMessage) bool {
		isOld := surplus > 0 && !isBrought[unquote(string(id))]
		if isOld {
			surplus--
		}
		return isOld
	})
	return json.RawMessage(encodeJSON(ids))
}
