// Which values of a listing a flat takes, and which of its own it keeps.

package main

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

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
