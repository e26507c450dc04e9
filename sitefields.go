// The fields of a listing as sites and programs write them.

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"flats/internal/listing"
)

// Members of a listing that are not fields of a flat.
const (
	detailsCommute = "details.commute"    // sets the member commute of details, and leaves the others as they are
	ifNew          = "listing.if_new"     // an object of the members that count only if the flat is new
	isExpired      = "listing.is_expired" // true if the flat is gone
	asOf           = "listing.as_of"      // the time about which the listing tells, if it is not the time of the import
)

// ownMembers are those that only this service may set. From elsewhere they are unknown members, whose
// names get a "_" in place of the ".".
var ownMembers = []string{ifNew, isExpired, asOf}

// readListing returns a listing as valid members of a flat. If it has no id, one of its urls must
// be a link. isPlain tells that its texts are not HTML.
func readListing(object members, isPlain bool) (members, error) {
	listing := normalize(object)
	err := unwrapCode(listing)
	if err != nil {
		return nil, err
	}
	readNumbers(listing)
	if !isPlain && !isBackup(listing) {
		readTexts(listing)
	}
	if listing.text("id") == "null" || listing.text("id") == `""` {
		delete(listing, "id")
	}
	id := listingID(listing)
	if id == "" {
		return nil, errors.New("id: a listing must have one, or an http or https link in its urls")
	}
	checked := maps.Clone(listing)
	if listing["id"] == nil {
		checked.put("id", id)
	}
	if listing[ifNew] != nil {
		if err := readIfNew(listing, checked["id"], isPlain); err != nil {
			return nil, err
		}
	}
	// A wrong value of lenientFields is not an error: edit drops it.
	maps.DeleteFunc(checked, func(name string, _ json.RawMessage) bool { return slices.Contains(lenientFields, name) })
	f, err := blank.withMembers(checked, nil, nil)
	if err == nil && f.size().exceeds(maxLine) {
		err = errLarge
	}
	if commute, ok := listing[detailsCommute]; ok && err == nil {
		// In details, commute is nested one level deeper, which may be too deep.
		nested := members{"details": blank.Details.withMember("commute", commute)}
		_, err = parseObject([]byte(encodeJSON(nested)))
	}
	return listing, err
}

// isBackup reports whether the listing is a copy of a flat of this service.
func isBackup(listing members) bool { return listing.has("corrected") || listing.has("first_seen") }

// readIfNew reads the members that count only if the flat is new, as a listing with an id.
func readIfNew(listing members, id json.RawMessage, isPlain bool) error {
	var rest members
	json.Unmarshal(listing[ifNew], &rest) // a value of another type has no members
	if rest == nil {
		rest = members{}
	}
	delete(rest, ifNew)
	rest["id"] = id
	rest, err := readListing(rest, isPlain)
	delete(rest, "id")
	listing.put(ifNew, rest)
	return err
}

// normalize renames the members of a listing, as Flatisfy and woob name them, to the members of
// a flat. A member that already has the flat's name takes precedence.
func normalize(listing members) members {
	flat := members{}
	kept := maps.Clone(listing) // the members that are not renamed
	var nested members
	if json.Unmarshal(listing["flatisfy"], &nested) == nil && nested != nil {
		delete(kept, "flatisfy")
	}
	for name, text := range nested {
		flat["service_"+strings.TrimPrefix(name, "matched_")] = text
	}
	isDump := false
	for name, text := range listing {
		if rest, ok := strings.CutPrefix(name, "flatisfy_"); ok {
			delete(kept, name)
			flat["service_"+rest] = text
			isDump = true
		}
	}
	if urls := listing["url"]; urls != nil {
		delete(kept, "url")
		if urls[0] == '"' {
			urls = inArray(urls)
		}
		flat["urls"] = urls
	}
	maps.Copy(flat, kept)
	switch string(flat["utilities"]) {
	case `"C.C."`: // charges comprises
		flat["utilities"] = json.RawMessage(`"included"`)
	case `"H.C."`: // hors charges
		flat["utilities"] = json.RawMessage(`"excluded"`)
	}
	delete(flat, "updated_at")  // only the store sets these
	delete(flat, "update_keys") // likewise
	delete(flat, "known_as_of") // only the importer sets these
	delete(flat, "restored")    // likewise
	if isDump {
		readDump(flat)
	}
	readAddress(flat)
	readLink(flat)
	for _, name := range []string{"urls", "photos"} {
		if text, ok := flat[name]; ok {
			flat[name] = cleanLinks(text, name == "photos")
		}
	}
	return flat
}

// linkNames are the members that have the link of a listing whose urls have none. The first one counts.
var linkNames = strings.Fields("link href property_url listing_url detail_url permalink web_url canonical_url " +
	"links _links")

// readLink makes the link in a member of another name the urls of a listing that has none there. Of several links, it
// takes the first, since the others may lead to what listings have in common. A member with anything else stays, too.
func readLink(given members) {
	for _, name := range linkNames {
		links, onlyLinks := listing.ReadLinks(given[name])
		if len(links) == 0 || len(listing.LinksOf(given["urls"])) > 0 {
			continue
		}
		given.put("urls", links[:1])
		if onlyLinks && len(links) == 1 {
			delete(given, name)
		}
	}
}

// readDump reads what only dumps of Flatisfy's database have: visit dates in UTC, and whether a
// listing has expired.
func readDump(listing members) {
	visit := unquote(listing.text("visit_date"))
	_, hasOffset, err := parseDatetime(visit)
	if hasTime := len(visit) > len("2006-01-02"); err == nil && !hasOffset && hasTime {
		listing.put("visit_date", visit+"Z")
	}
	if expired := listing["is_expired"]; expired != nil {
		delete(listing, "is_expired")
		if string(expired) == "true" {
			listing[isExpired] = expired
		}
	}
}

// readAddress makes woob's address the location and the postal code of a listing that has none. An
// address with other parts than these stays, too.
func readAddress(listing members) {
	address := listing["address"]
	if address == nil || listing.has("location") {
		return
	}
	if address[0] == '"' {
		listing["location"] = address
		delete(listing, "address")
		return
	}
	var parts members
	json.Unmarshal(address, &parts) // a value of another type has no parts
	texts := map[string]string{}
	for _, name := range []string{"full_address", "street", "postal_code", "city"} {
		if text := parts.text(name); text != "null" && (text[0] == '"' || isInteger(text)) {
			texts[name] = strings.TrimSpace(unquote(text))
			delete(parts, name)
		}
	}
	location := texts["full_address"]
	if location == "" {
		town := strings.TrimSpace(texts["postal_code"] + " " + texts["city"])
		location = joinParts(texts["street"], town)
	}
	if location == "" {
		return
	}
	listing.put("location", location)
	if code := texts["postal_code"]; code != "" && !listing.has("service_postal_code") {
		listing.put("service_postal_code", code)
	}
	maps.DeleteFunc(parts, func(_ string, text json.RawMessage) bool {
		return string(text) == "null" || string(text) == `""`
	})
	if len(parts) == 0 {
		delete(listing, "address")
	}
}

// joinParts returns the parts of an address that are not empty, separated by commas. A part that
// an earlier one contains is omitted.
func joinParts(parts ...string) string {
	var joined []string
	for _, part := range parts {
		isNew := func(earlier string) bool { return strings.Contains(earlier, part) }
		if part != "" && !slices.ContainsFunc(joined, isNew) {
			joined = append(joined, part)
		}
	}
	return strings.Join(joined, ", ")
}

// unwrapCode replaces a postal code object, as GET serves it, with its code. It deletes an
// empty object, which GET serves both for no code and for an unknown one.
func unwrapCode(values members) error {
	const name = "service_postal_code"
	var object members
	if json.Unmarshal(values[name], &object) != nil || object == nil {
		return nil
	}
	code, ok := object["postal_code"]
	switch {
	case ok:
		values[name] = code
	case len(object) > 0:
		return fmt.Errorf("%s: %w", name, unexpected("a string, null, or an object with postal_code", string(values[name])))
	default:
		delete(values, name)
	}
	return nil
}

// readNumbers reads the amounts that are given as texts, and makes an empty text null where a flat
// has a number or a datetime. A text, such as a phone or a postal code, may be a number, but not
// one of lenientFields. Values that cannot be read stay.
func readNumbers(given members) {
	for name, text := range given {
		i, ok := flatFields.byName[name]
		if !ok {
			continue
		}
		v := flatFields.list[i].value(new(Flat))
		_, isDatetime := v.(*Datetime)
		if (flatFields.list[i].isNumber() || isDatetime) && strings.TrimSpace(unquote(string(text))) == "" {
			given[name] = json.RawMessage("null")
		}
		switch v.(type) {
		case *Text, *Code:
			if _, isNumeric := parseNumber(string(text)); isNumeric && !slices.Contains(lenientFields, name) {
				given.put(name, string(text))
			}
		}
	}
	country := ""
	if links := listing.LinksOf(given["urls"]); len(links) > 0 {
		country = topDomain(listing.LinkHost(links[0]))
	}
	for _, field := range flatFields.list { // the cost precedes other money, so that its currency counts
		name := field.name
		text := given.text(name)
		if text[0] != '"' || !field.isNumber() {
			continue
		}
		number, currency := readAmount(name, given[name], country)
		if !number.Known() {
			continue
		}
		given[name] = json.RawMessage(number.JSON())
		if currency != "" && slices.Contains([]string{"null", `""`}, given.text("currency")) {
			given.put("currency", currency)
		}
	}
}

// topDomain returns the last part of the name of a host, which may be a country: "ch".
func topDomain(host string) string { return host[strings.LastIndexByte(host, '.')+1:] }

// readAmount reads the number of a field that is given as a JSON number or as a text such as "1.240,50 €" (see
// listing.AmountIn). The number is null if there is none, or if it is not finite.
func readAmount(name string, text json.RawMessage, country string) (number Number, currency string) {
	if text[0] != '"' {
		number.setJSON(string(text)) // stays null if it is not finite
		return number, ""
	}
	written := strings.TrimSpace(unquote(string(text)))
	// A point before three digits may separate thousands.
	_, decimals, _ := strings.Cut(written, ".")
	if plain, ok := parseNumber(written); ok && len(decimals) != 3 {
		return *newNumber(plain), ""
	}
	kind := flatFields.list[flatFields.byName[name]].oneOf("cost", "monthly", "once", "area", "rooms")
	value, currency, ok := listing.AmountIn(kind, written, country)
	if !ok {
		return number, ""
	}
	return *newNumber(value), currency
}

// readTexts makes plain texts of those that are HTML (see listing.PlainText).
func readTexts(given members) {
	for _, name := range []string{"title", "location", "station", "text"} {
		text := given[name]
		if text == nil || text[0] != '"' {
			continue
		}
		written := unquote(string(text))
		plain := listing.PlainText(written)
		if plain == written {
			continue
		}
		if name != "text" {
			plain = strings.Join(strings.FieldsFunc(plain, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
		}
		given.put(name, plain)
	}
	const notPlain = `<&\` + "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
	if details := given["details"]; bytes.ContainsAny(details, notPlain) {
		given.put("details", plainValue(decodeJSON(string(details))))
	}
}

// plainValue returns a decoded JSON value with plain texts.
func plainValue(v any) any {
	switch v := v.(type) {
	case string:
		return listing.PlainText(v)
	case []any:
		for i := range v {
			v[i] = plainValue(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = plainValue(v[name])
		}
	}
	return v
}
