// What fredy sends: new listings, and news of prices.

package main

import (
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

// A fredyBody is what the HTTP adapter of fredy sends (github.com/orangecoding/fredy): new
// listings, or listings whose price has changed.
type fredyBody struct {
	Provider, Timestamp, Event, Listings, PriceChanges json.RawMessage

	// Set by read.
	provider     string
	date         json.RawMessage
	priceChanges bool
}

// newFredyBody returns what an object has of it.
func newFredyBody(object members) *fredyBody {
	return &fredyBody{
		Provider:     object["provider"],
		Timestamp:    object["timestamp"],
		Event:        object["event"],
		Listings:     object["listings"],
		PriceChanges: object["priceChanges"],
	}
}

// isTest reports whether this is what the button "Try" of fredy sends. It has no listings for us.
func (b *fredyBody) isTest() bool {
	return string(b.Provider) == `"TestCall"` || string(b.Event) == `"test"`
}

// isGiven reports whether an object is what fredy sends.
func (b *fredyBody) isGiven() bool {
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

// newsOfPrice matches what fredy writes before the title of a listing whose price has changed.
var newsOfPrice = newPattern(`(?i)^(?:price (?:reduced|reduction|drop(?:ped)?|decreased?|increased?|raised|changed?|` +
	`cut|updated?)|preis (?:gesenkt|reduziert|gefallen|gesunken|erhöht|gestiegen|geändert)|` +
	`preis(?:senkung|reduzierung|erhöhung|änderung)) ?: *`)

// noAddress is what fredy sends as the address of a listing without one.
const noAddress = "NO ADDRESS FOUND"

// fredyKey returns what tells a listing apart: its link, or its id if it has none.
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

// listing returns one of the listings as members of a flat. It omits what is null or
// empty, and amounts without a number. If nothing else is left, it also omits the date. News of a
// price sets the cost alone, unless the flat is new.
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
	if b.priceChanges {
		price = "newPrice"
	}
	country := b.country(link)
	cost, err := amounts(object, country, map[string]string{price: "cost"})
	if err != nil {
		return nil, err
	}
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
	if !slices.Contains([]string{"", "[]", "{}"}, strings.TrimSpace(commute.String())) {
		rest[detailsCommute] = json.RawMessage(commute.JSON())
	}
	if len(cost)+len(rest) > 0 && string(b.date) != "null" {
		rest["date"] = b.date
	}
	if link != "" {
		rest.put("urls", []string{link})
	}
	listing := cost
	if b.priceChanges {
		listing.put(ifNew, rest)
	} else {
		maps.Copy(listing, rest)
	}
	sum := sha256.Sum256([]byte(key)) // fredy's own ids differ between its jobs
	listing.put("id", fmt.Sprintf("%x@%s", sum[:8], b.provider))
	if string(b.date) != "null" {
		listing[asOf] = b.date
	}
	return listing, nil
}

// texts returns the members of a listing that are texts. The title of news of a price has the home's title alone.
func (b *fredyBody) texts(object members) (map[string]string, error) {
	texts, err := textsIn(object, "url", "title", "description", "address", "imageUrl")
	if err != nil {
		return nil, err
	}
	for name, text := range texts {
		texts[name] = strings.TrimSpace(text)
	}
	if b.priceChanges {
		texts["title"] = newsOfPrice().ReplaceAllLiteralString(texts["title"], "")
	}
	return texts, nil
}

// amounts reads the members of an object that are amounts, by the names of their fields.
func amounts(object members, country string, fields map[string]string) (members, error) {
	read := members{}
	for _, from := range slices.Sorted(maps.Keys(fields)) { // of several wrong ones, always name the same
		text, to := object[from], fields[from]
		if text == nil || string(text) == "null" {
			continue
		}
		if text[0] != '"' && strings.IndexByte("-0123456789", text[0]) < 0 {
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

// swissSites are the providers of fredy for Switzerland, as their names begin.
var swissSites = []string{"flatfox", "homegate", "immoscout24ch", "immoscout24.ch", "newhome", "comparis"}

// country returns the country of a listing, as in the domain of its site.
func (b *fredyBody) country(link string) string {
	for _, site := range swissSites {
		if strings.HasPrefix(strings.ToLower(b.provider), site) {
			return "ch"
		}
	}
	return topDomain(cmp.Or(listing.LinkHost(link), strings.ToLower(b.provider)))
}
