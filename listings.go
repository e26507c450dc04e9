// The input of imports: listings as sites, Flatisfy, woob and fredy write them.

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
	"strconv"
	"strings"
)

const (
	maxListings       = 1 << 18   // listings of an import: even a short one takes several hundred bytes of memory
	maxListingMembers = 3_000_000 // members of all listings of an import together
	maxRepeats        = 100       // listings of an import with the same id: each encodes the flat again
)

// unwrapCode replaces a postal code object, as GET serves it, with its code. It deletes an
// empty object, which GET serves both for no code and for an unknown one.
func unwrapCode(set members) error {
	const name = "service_postal_code"
	var object members
	if json.Unmarshal(set[name], &object) != nil || object == nil {
		return nil
	}
	code, ok := object["postal_code"]
	switch {
	case ok:
		set[name] = code
	case len(object) > 0:
		return fmt.Errorf("%s: %w", name, unexpected("a string, null, or an object with postal_code", string(set[name])))
	default:
		delete(set, name)
	}
	return nil
}

// Listings are the input of an import. As JSON they are a file of the import folder.
type Listings struct {
	Flats    []members `json:"data"`               // each has valid members of a flat, at least the id
	Complete string    `json:"complete,omitempty"` // the site of a complete import, or ""
	partial  bool      // the listings are from fredy, which sends only what is new
}

// readListings parses an array of listings, an object with such an array as data (the format
// of this API and of Flatisfy's), what fredy sends, or a single listing. It renames the
// members to those of a flat, and checks them. An object with data may name the site of a
// complete import. Errors name the file as given, the line and the field.
func readListings(name string, text []byte) (listings Listings, err error) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	list := bytes.TrimSpace(text)
	read := readListing
	var complete json.RawMessage
	if bytes.HasPrefix(list, []byte("{")) {
		// Decode only these members, because the object may have millions of others.
		var object struct {
			ID, Data, Complete json.RawMessage
			fredyBody
		}
		if err := json.Unmarshal(text, &object); err != nil {
			return listings, withLine(name, text, err)
		}
		switch {
		case object.ID != nil: // a single listing
		case object.Data != nil:
			list, complete = object.Data, object.Complete
		case object.Listings != nil || object.PriceChanges != nil:
			if list, err = object.read(); err != nil {
				return listings, fmt.Errorf("%s:1: %w", name, err)
			}
			read = func(listing members) (members, error) {
				listing, err := object.listing(listing)
				if err != nil {
					return nil, err
				}
				return readListing(listing)
			}
			complete = object.Complete
			listings.partial = true
		}
		text = listAlone(text, list)
	}
	listingCount, memberCount := 0, 0
	repeats := map[string]int{} // by id
	listings.Flats, err = readObjects(name, text, parseObject, func(object members) (members, error) {
		listingCount++
		memberCount += len(object)
		if listingCount > maxListings || memberCount > maxListingMembers {
			return nil, errMany
		}
		listing, err := read(object)
		memberCount += max(0, len(listing)-len(object)) // read may unwrap a member flatisfy
		id := unquote(string(listing["id"]))
		repeats[id]++
		if err == nil && repeats[id] > maxRepeats {
			err = fmt.Errorf("id: %s appears more than %d times", excerpt(id), maxRepeats)
		}
		return listing, err
	})
	if err != nil || complete == nil {
		return listings, err
	}
	var site Text
	if err = site.set(string(complete)); err == nil {
		err = listings.markComplete(site.String())
	}
	if err != nil {
		err = fmt.Errorf("%s:1: complete: %w", name, err)
	}
	return listings, err
}

// listAlone returns a list that is part of a text, or a list of a single object. The list begins
// on the same line as in the text, so that errors name the right lines.
func listAlone(text, list []byte) []byte {
	linesBefore := line(text, bytes.Index(text, list)) - 1
	if list[0] == '{' { // a single listing, or a flat as GET serves it
		list = inArray(list)
	}
	return slices.Concat(bytes.Repeat([]byte("\n"), linesBefore), list)
}

// inArray returns a JSON array of one element.
func inArray(element []byte) []byte { return slices.Concat([]byte("["), element, []byte("]")) }

var errMany = fmt.Errorf("there are more than %d listings or %d members: import them in parts",
	maxListings, maxListingMembers)

// markComplete marks the listings as everything that a site has. It returns an error if none is
// from the site, because a broken crawler must not mark all of the site's flats as gone.
func (l *Listings) markComplete(site string) error {
	isFromSite := func(listing members) bool {
		return strings.HasSuffix(unquote(string(listing["id"])), "@"+site)
	}
	switch {
	case site == "":
		return errors.New("want the name of a site, got nothing")
	case l.partial:
		return errors.New("fredy sends what is new, never all that a site has")
	case l.Complete != "" && l.Complete != site:
		return fmt.Errorf("the listings are from %q, not from %q", l.Complete, site)
	case !slices.ContainsFunc(l.Flats, isFromSite):
		return fmt.Errorf("no listing is from %q: all of its flats would be marked as gone", site)
	}
	l.Complete = site
	return nil
}

// readListing returns a listing as valid members of a flat.
func readListing(object members) (members, error) {
	listing := normalize(object)
	err := unwrapCode(listing)
	if err != nil {
		return nil, err
	}
	// A wrong value of warnedFields is no error: edit drops it.
	checked := maps.Clone(listing)
	maps.DeleteFunc(checked, func(name string, _ json.RawMessage) bool { return slices.Contains(warnedFields, name) })
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

// normalize renames the members of a listing, as Flatisfy and woob name them, to those of
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
	for name, text := range listing {
		if rest, ok := strings.CutPrefix(name, "flatisfy_"); ok {
			delete(kept, name)
			flat["service_"+rest] = text
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
	delete(flat, "updated_at") // only the store sets it
	return flat
}

// A fredyBody is what the HTTP adapter of fredy sends (github.com/orangecoding/fredy): new
// listings, or listings whose price has changed.
type fredyBody struct {
	Provider, Timestamp, Listings, PriceChanges json.RawMessage

	// Set by read.
	provider     string
	date         json.RawMessage
	priceChanges bool
}

// read decodes everything but the listings, which it returns undecoded.
func (b *fredyBody) read() (list json.RawMessage, err error) {
	isGiven := func(text json.RawMessage) bool { return text != nil && string(text) != "null" }
	var provider Text
	if b.Provider != nil {
		err = provider.set(string(b.Provider))
	}
	if err != nil || provider.String() == "" {
		return nil, fmt.Errorf("provider: %w", unexpected("the name of a site", string(b.Provider)))
	}
	if isGiven(b.Listings) && isGiven(b.PriceChanges) {
		return nil, errors.New("priceChanges: want either listings or priceChanges")
	}
	var date Datetime
	if err := date.set(cmp.Or(string(b.Timestamp), "null")); err != nil {
		return nil, fmt.Errorf("timestamp: %w", err)
	}
	b.provider = provider.String()
	b.date = json.RawMessage(date.JSON())
	b.priceChanges = isGiven(b.PriceChanges)
	name, list := "listings", b.Listings
	if b.priceChanges {
		name, list = "priceChanges", b.PriceChanges
	}
	if len(list) == 0 || list[0] != '[' {
		return nil, fmt.Errorf("%s: %w", name, unexpected("a JSON array", string(list)))
	}
	return list, nil
}

// noAddress is what fredy sends as the address of a listing without one.
const noAddress = "NO ADDRESS FOUND"

// A rename gives a member of a listing its name in a flat.
type rename struct{ from, to string }

// listing returns one of the listings as members of a flat. It omits what is null or
// empty, and amounts without a number. If nothing else is left, it also omits the date.
func (b *fredyBody) listing(object members) (members, error) {
	listing := members{}
	texts, err := trimmedTexts(object, "url", "title", "description", "address", "imageUrl")
	if err != nil {
		return nil, err
	}
	link := texts["url"]
	named := link // what the id of the flat is made of
	if named == "" {
		var id Identifier
		if id.set(object.text("id")) != nil {
			return nil, errors.New("url: a listing must have one, or an id")
		}
		named = id.String()
	}
	amounts := []rename{{"price", "cost"}, {"size", "area"}, {"rooms", "rooms"}}
	if b.priceChanges {
		amounts = []rename{{"newPrice", "cost"}} // title and price describe the change
		clear(texts)
	}
	country := b.country()
	for _, amount := range amounts {
		from, to := amount.from, amount.to
		number, currency, err := readAmount(to, object[from], country)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from, err)
		}
		if !number.Known() {
			continue
		}
		listing[to] = json.RawMessage(number.JSON())
		if to == "cost" && currency == "EUR" && country != "" {
			currency = ownCurrencies[country]
		}
		if to == "cost" && currency != "" {
			listing.put("currency", currency)
		}
	}
	for from, to := range map[string]string{"title": "title", "description": "text", "address": "location"} {
		if text := texts[from]; text != "" && text != noAddress {
			listing.put(to, text)
		}
	}
	if photo := texts["imageUrl"]; photo != "" {
		listing.put("photos", []map[string]string{{"url": photo}})
	}
	var commute AnyJSON
	commute.set(object.text("commute")) // no error: any value fits
	isEmpty := slices.Contains([]string{"", "[]", "{}"}, strings.TrimSpace(commute.String()))
	if !isEmpty && !b.priceChanges {
		listing[detailsCommute] = json.RawMessage(commute.JSON())
	}
	if len(listing) > 0 && !b.priceChanges && string(b.date) != "null" {
		listing["date"] = b.date
	}
	sum := sha256.Sum256([]byte(named)) // fredy's own ids differ between its jobs
	listing.put("id", fmt.Sprintf("%x@%s", sum[:8], b.provider))
	if link != "" {
		listing.put("urls", []string{link})
	}
	return listing, nil
}

// trimmedTexts returns the named texts of an object without white space around them, "" for null.
func trimmedTexts(object members, names ...string) (map[string]string, error) {
	texts := map[string]string{}
	for _, name := range names {
		var text Text
		if err := text.set(object.text(name)); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		texts[name] = strings.TrimSpace(text.String())
	}
	return texts, nil
}

// detailsCommute is a member of a listing that sets the member commute of details, and
// leaves the others as they are.
const detailsCommute = "details.commute"

// readAmount reads the number of a field that fredy gives as a number or as a text that contains
// one. It returns null if there is none, and the currency that the text names.
func readAmount(field string, text json.RawMessage, country string) (number Number, currency string, err error) {
	if text == nil || string(text) == "null" {
		return number, "", nil
	}
	if text[0] != '"' {
		if strings.IndexByte("-0123456789", text[0]) < 0 {
			return number, "", unexpected("a number or a text", string(text))
		}
		number.set(string(text)) // stays null if it is not finite
		return number, "", nil
	}
	value, currency, ok := amountIn(field, unquote(string(text)), country)
	if !ok {
		return number, "", nil
	}
	number.set(strconv.FormatFloat(value, 'f', -1, 64)) // no error: it is finite
	return number, currency, nil
}

// country returns the country of the provider, as in the domain of its site, if that has no euro.
// fredy adds "€" to each price, so that its sign says nothing there.
func (b *fredyBody) country() string {
	name := strings.ToLower(b.provider)
	switch {
	case strings.HasPrefix(name, "flatfox"), strings.HasPrefix(name, "homegate"):
		return "ch"
	}
	domain := name[strings.LastIndexByte(name, '.')+1:]
	if domain != name && ownCurrencies[domain] != "" {
		return domain
	}
	return ""
}
