// The fields of a listing as sites and programs write them, and the listings that the program fredy sends.

package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
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
	detailsCommute  = "details.commute"    // sets the member commute of details, and leaves the others as they are
	ifNewMember     = "listing.if_new"     // an object of the members that count only if the flat is new
	isExpiredMember = "listing.is_expired" // true if the flat is gone
	asOfMember      = "listing.as_of"      // the time at which the listing was true, if not at the time of the import
)

// ownMembers are members that only this service sets. In listings from elsewhere they are unknown members, and their
// names get a "_" in place of the ".".
var ownMembers = []string{ifNewMember, isExpiredMember, asOfMember}

var errNoID = errors.New("id: a listing must have one, or an http or https link in its urls")

// readListing returns a listing as valid members of a flat. A listing without an id must have a link in its urls.
// isPlain says that its texts are not HTML.
func readListing(object members, isPlain bool) (members, error) {
	given := normalize(object)
	err := unwrapCode(given)
	if err != nil {
		return nil, err
	}
	fitTypes(given)
	if !isPlain && !isBackup(given) {
		readTexts(given)
	}
	if given.text("id") == "null" || given.text("id") == `""` {
		delete(given, "id")
	}
	id := listingID(given)
	if id == "" {
		return nil, errNoID
	}
	trial := maps.Clone(given) // the members of a new flat, which show whether the values are valid
	if given["id"] == nil {
		trial.put("id", id)
	}
	if given[ifNewMember] != nil {
		if err := readIfNew(given, trial["id"], isPlain); err != nil {
			return nil, err
		}
	}
	// A wrong value of lenientFields is not an error: edit drops it.
	maps.DeleteFunc(trial, func(name string, _ json.RawMessage) bool { return slices.Contains(lenientFields, name) })
	f, err := blank.withMembers(trial, nil, nil) // without postal codes and warnings
	if err == nil && f.size().exceeds(maxLine) {
		err = errLarge
	}
	if commute, ok := given[detailsCommute]; ok && err == nil {
		// In details, commute is nested one level deeper, which may be too deep.
		nested := members{"details": blank.Details.withMember("commute", commute)}
		_, err = parseObject([]byte(encodeJSON(nested)))
	}
	return given, err
}

// isBackup reports whether the listing is a copy of a flat of this service.
func isBackup(given members) bool { return given.has("corrected") || given.has("first_seen") }

// readIfNew reads the members that count only if the flat is new, like a listing with the id of the flat.
func readIfNew(given members, id json.RawMessage, isPlain bool) error {
	var rest members
	json.Unmarshal(given[ifNewMember], &rest) // a value of another type has no members
	if rest == nil {
		rest = members{}
	}
	delete(rest, ifNewMember)
	rest["id"] = id
	rest, err := readListing(rest, isPlain)
	delete(rest, "id")
	given.put(ifNewMember, rest)
	return err
}

// normalize returns a listing with the names and the forms that its members have in a flat, and without those that no
// listing may set. The steps build on each other: readAddress and readLink fill only what has no value under any of the
// names before, and cleanLinks cleans what readLink has moved, too.
func normalize(given members) members {
	flat, isDump := withFlatNames(given)
	for _, name := range internalFields {
		delete(flat, name)
	}
	if !isBackup(flat) { // in a copy, they are as the user may have written them
		readUtilities(flat)
	}
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

// withFlatNames returns a listing with a flat's names in place of those of Flatisfy and woob:
//
//	{"flatisfy": {"matched_stations": …, "postal_code": …}}    service_stations, service_postal_code
//	{"flatisfy_stations": …, "flatisfy_postal_code": …}        the same, and isDump: it is of Flatisfy's database
//	{"url": "https://a.example/1"}                             urls, as a list
//
// A member that already has the flat's name takes precedence, then one of a dump. In the object flatisfy, stations
// takes precedence over matched_stations, unless it is null.
func withFlatNames(given members) (flat members, isDump bool) {
	flat = members{}
	kept := maps.Clone(given) // the members that are not renamed
	var nested members
	if json.Unmarshal(given["flatisfy"], &nested) == nil && nested != nil {
		delete(kept, "flatisfy")
	}
	for name := range nested {
		plain := strings.TrimPrefix(name, "matched_")
		matched := nested["matched_"+plain]
		flat["service_"+plain] = nested[plain]
		if !nested.has(plain) && matched != nil {
			flat["service_"+plain] = matched
		}
	}
	for name, text := range given {
		if rest, ok := strings.CutPrefix(name, "flatisfy_"); ok {
			delete(kept, name)
			flat["service_"+rest] = text
			isDump = true
		}
	}
	if urls := given["url"]; urls != nil {
		delete(kept, "url")
		if urls[0] == '"' {
			urls = inArray(urls)
		}
		flat["urls"] = urls
	}
	maps.Copy(flat, kept)
	return flat, isDump
}

// internalFields are the fields that no answer has. Only the store and the importer set them. A listing with them could
// keep rules, updates and later listings from the flat.
var internalFields = flatFields.with(string(onlyStored))

// readUtilities reads the utilities as French sites write them.
func readUtilities(given members) {
	switch string(given["utilities"]) {
	case `"C.C."`: // charges comprises
		given["utilities"] = json.RawMessage(`"included"`)
	case `"H.C."`: // hors charges
		given["utilities"] = json.RawMessage(`"excluded"`)
	}
}

// linkNames are the members that may have the link of a listing if its urls have none. The first one counts.
var linkNames = strings.Fields("link href property_url listing_url detail_url permalink web_url canonical_url " +
	"links _links")

// readLink moves the first link in the members of linkNames to urls, if these have none. A member with more than this
// link stays as it is, too: its other links may be common to many listings.
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

// readDump reads what only dumps of Flatisfy's database have: visit dates in UTC, and whether a listing has expired.
func readDump(given members) {
	visit := unquote(given.text("visit_date"))
	_, hasOffset, err := parseDatetime(visit)
	if hasTime := len(visit) > len("2006-01-02"); err == nil && !hasOffset && hasTime {
		given.put("visit_date", visit+"Z")
	}
	if expired := given["is_expired"]; expired != nil {
		delete(given, "is_expired")
		// What the importer reads has a name of its own, so that only a dump can set it.
		if string(expired) == "true" {
			given[isExpiredMember] = expired
		}
	}
}

// readAddress sets the location and the postal code of a listing without a location from woob's address. It deletes the
// address unless that has other parts.
func readAddress(given members) {
	address := given["address"]
	if address == nil || given.has("location") {
		return
	}
	if address[0] == '"' {
		given["location"] = address
		delete(given, "address")
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
	given.put("location", location)
	if code := texts["postal_code"]; code != "" && !given.has("service_postal_code") {
		given.put("service_postal_code", code)
	}
	maps.DeleteFunc(parts, func(_ string, text json.RawMessage) bool {
		return string(text) == "null" || string(text) == `""`
	})
	if len(parts) == 0 {
		delete(given, "address")
	}
}

// joinParts returns the parts of an address that are not empty, separated by commas. A part that
// an earlier one contains is omitted.
func joinParts(parts ...string) string {
	var joined []string
	for _, part := range parts {
		hasPart := func(earlier string) bool { return strings.Contains(earlier, part) }
		if part != "" && !slices.ContainsFunc(joined, hasPart) {
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

// fitTypes changes values of another JSON type to the type of their field: a text such as "1.240,50 €" to a number,
// an empty text to null in the fields of numbers and datetimes, and a number to a text in the fields of texts, such as
// phone and postal code, except in lenientFields. Values that it cannot read stay.
func fitTypes(given members) {
	for name, text := range given {
		i, ok := flatFields.byName[name]
		if !ok {
			continue
		}
		field := flatFields.list[i]
		zero := field.value(new(Flat)) // has the type of the field
		_, isDatetime := zero.(*Datetime)
		isEmpty := strings.TrimSpace(unquote(string(text))) == ""
		if isEmpty && (field.isNumber() || isDatetime) {
			given[name] = json.RawMessage("null")
		}
		switch zero.(type) {
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

// topDomain returns the last part of the name of a host, which may be the code of a country: "ch".
func topDomain(host string) string { return host[strings.LastIndexByte(host, '.')+1:] }

// readAmount reads the number of a field from a JSON number or from a text such as "1.240,50 €" (see
// listing.AmountIn). The number is null if there is none, or if it is not finite.
func readAmount(name string, text json.RawMessage, country string) (number Number, currency string) {
	if text[0] != '"' {
		number.setJSON(string(text)) // stays null if it is not finite
		return number, ""
	}
	written := strings.TrimSpace(unquote(string(text)))
	_, decimals, _ := strings.Cut(written, ".")
	mayBeThousands := len(decimals) == 3 // 1.240 may be 1240
	const exactDigits = 15               // a float64 keeps as many
	if isLong := len(written) > exactDigits; isLong && json.Valid([]byte(written)) && number.setJSON(written) == nil {
		return number, "" // with all of its digits
	}
	if plain, ok := parseNumber(written); ok && !mayBeThousands {
		return *newNumber(plain), ""
	}
	kind := flatFields.list[flatFields.byName[name]].optionAmong("cost", "monthly", "once", "area", "rooms")
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
	// PlainText changes nothing in a JSON text without one of these: markup, escapes, and invisible characters.
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

// A fredyBody is what the HTTP adapter of fredy sends (github.com/orangecoding/fredy): new
// listings, or listings whose price has changed.
type fredyBody struct {
	Provider, Timestamp, Event, Listings, PriceChanges json.RawMessage

	// Set by read.
	site            string          // Provider as a text
	date            json.RawMessage // Timestamp as a Datetime, null for none
	hasPriceChanges bool            // whether the body has price changes instead of listings
}

// newFredyBody returns the members of an object that fredy sends.
func newFredyBody(object members) *fredyBody {
	return &fredyBody{
		Provider:     object["provider"],
		Timestamp:    object["timestamp"],
		Event:        object["event"],
		Listings:     object["listings"],
		PriceChanges: object["priceChanges"],
	}
}

// isTest reports whether fredy's button "Try" has sent the body. Then it has no listings.
func (b *fredyBody) isTest() bool {
	return string(b.Provider) == `"TestCall"` || string(b.Event) == `"test"`
}

// isFromFredy reports whether fredy has sent the body.
func (b *fredyBody) isFromFredy() bool {
	return b.isTest() || b.PriceChanges != nil || b.Provider != nil && b.Listings != nil
}

// read decodes everything but the listings, which it returns undecoded.
func (b *fredyBody) read() (list json.RawMessage, err error) {
	isGiven := func(text json.RawMessage) bool { return text != nil && string(text) != "null" }
	var provider Text
	if b.Provider != nil {
		err = provider.setJSON(string(b.Provider))
	}
	if err != nil || provider.String() == "" {
		return nil, fmt.Errorf("provider: %w", unexpected("the name of a site", string(b.Provider)))
	}
	if isGiven(b.Listings) && isGiven(b.PriceChanges) {
		return nil, errors.New("priceChanges: want either listings or priceChanges")
	}
	var date Datetime
	if err := date.setJSON(cmp.Or(string(b.Timestamp), "null")); err != nil {
		return nil, fmt.Errorf("timestamp: %w", err)
	}
	b.site = provider.String()
	b.date = json.RawMessage(date.JSON())
	b.hasPriceChanges = isGiven(b.PriceChanges)
	name, list := "listings", b.Listings
	if b.hasPriceChanges {
		name, list = "priceChanges", b.PriceChanges
	}
	if len(list) == 0 || list[0] != '[' {
		return nil, fmt.Errorf("%s: %w", name, unexpected("a JSON array", string(list)))
	}
	return list, nil
}

// priceNews matches what fredy writes before the title of a listing whose price has changed.
var priceNews = newPattern(`(?i)^(?:price (?:reduced|reduction|drop(?:ped)?|decreased?|increased?|raised|changed?|` +
	`cut|updated?)|preis (?:gesenkt|reduziert|gefallen|gesunken|erhöht|gestiegen|geändert)|` +
	`preis(?:senkung|reduzierung|erhöhung|änderung)) ?: *`)

// noAddress is what fredy sends as the address of a listing without one.
const noAddress = "NO ADDRESS FOUND"

// fredyKey returns what identifies a listing: its link, or its id if it has none.
func fredyKey(object members, link string) (string, error) {
	if link != "" {
		return link, nil
	}
	var id Identifier
	if id.setJSON(object.text("id")) != nil {
		return "", errors.New("url: a listing must have one, or an id")
	}
	return id.String(), nil
}

// listing returns one of the listings as members of a flat. It omits members that are null or empty, and amounts
// without a number. If it omits all of them, it also omits the date. If only the price has changed, the listing sets
// the cost alone, and the other members count only if the flat is new.
func (b *fredyBody) listing(object members) (members, error) {
	texts, err := b.texts(object)
	if err != nil {
		return nil, err
	}
	link := texts["url"]
	key, err := fredyKey(object, link)
	if err != nil {
		return nil, err
	}
	price := "price"
	if b.hasPriceChanges {
		price = "newPrice"
	}
	country := b.country(link)
	cost, err := amounts(object, country, map[string]string{price: "cost"})
	if err != nil {
		return nil, err
	}
	rest, err := restOf(object, texts, country)
	if err != nil {
		return nil, err
	}
	if len(cost)+len(rest) > 0 && string(b.date) != "null" {
		rest["date"] = b.date
	}
	if link != "" {
		rest.put("urls", []string{link})
	}
	flat := cost
	if b.hasPriceChanges {
		flat.put(ifNewMember, rest)
	} else {
		maps.Copy(flat, rest)
	}
	sum := sha256.Sum256([]byte(key)) // fredy's own ids differ between its jobs
	flat.put("id", fmt.Sprintf("%x@%s", sum[:8], b.site))
	if string(b.date) != "null" {
		flat[asOfMember] = b.date
	}
	return flat, nil
}

// restOf returns what a listing says other than its price, date and link. texts has its texts.
func restOf(object members, texts map[string]string, country string) (members, error) {
	rest, err := amounts(object, country, map[string]string{"size": "area", "rooms": "rooms"})
	if err != nil {
		return nil, err
	}
	for from, to := range map[string]string{"title": "title", "description": "text", "address": "location"} {
		if text := texts[from]; text != "" && text != noAddress {
			rest.put(to, text)
		}
	}
	if photo := texts["imageUrl"]; photo != "" {
		rest.put("photos", []map[string]string{{"url": photo}})
	}
	var commute AnyJSON
	commute.setJSON(object.text("commute")) // no error: any value fits
	hasCommute := !slices.Contains([]string{"", "[]", "{}"}, strings.TrimSpace(commute.String()))
	if hasCommute {
		rest[detailsCommute] = json.RawMessage(commute.JSON())
	}
	return rest, nil
}

// texts returns the members of a listing that are texts. It removes from the title that the price has changed.
func (b *fredyBody) texts(object members) (map[string]string, error) {
	texts, err := textsIn(object, "url", "title", "description", "address", "imageUrl")
	if err != nil {
		return nil, err
	}
	for name, text := range texts {
		texts[name] = strings.TrimSpace(text)
	}
	if b.hasPriceChanges {
		texts["title"] = priceNews().ReplaceAllLiteralString(texts["title"], "")
	}
	return texts, nil
}

// amounts reads the amounts of an object into fields of a flat, and into its currency. fields has the names of the
// fields by the names of the object's members.
func amounts(object members, country string, fields map[string]string) (members, error) {
	read := members{}
	for _, from := range slices.Sorted(maps.Keys(fields)) { // sorted, so that the error is always the same
		text, to := object[from], fields[from]
		if text == nil || string(text) == "null" {
			continue
		}
		isText, isNumber := text[0] == '"', strings.IndexByte("-0123456789", text[0]) >= 0
		if !isText && !isNumber {
			return nil, fmt.Errorf("%s: %w", from, unexpected("a number or a text", string(text)))
		}
		number, currency := readAmount(to, text, country)
		if !number.Known() {
			continue
		}
		read[to] = json.RawMessage(number.JSON())
		if own := listing.OwnCurrency(country); currency == "EUR" && own != "" {
			currency = own // fredy writes € after every price
		}
		if currency != "" {
			read.put("currency", currency)
		}
	}
	return read, nil
}

// swissSites are the beginnings of the names that fredy's providers for Switzerland have. Few of these names end
// in a top-level domain that tells the country, and amounts must know that a price from Switzerland is not in €.
var swissSites = []string{"flatfox", "homegate", "immoscout24ch", "immoscout24.ch", "newhome", "comparis"}

// country returns the country of a listing as the top-level domain of its site has it: "ch".
func (b *fredyBody) country(link string) string {
	for _, site := range swissSites {
		if strings.HasPrefix(strings.ToLower(b.site), site) {
			return "ch"
		}
	}
	return topDomain(cmp.Or(listing.LinkHost(link), strings.ToLower(b.site)))
}
