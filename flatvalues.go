// The types of the fields of a flat that are JSON: links, details, costs, ratings, ids, photos, positions.

package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strings"

	"flats/internal/listing"
)

// Status is any JSON value. It keeps the text that it was set to. But "deleted", which an earlier page set, counts as
// statusDeleted wherever statuses are compared.
type Status struct{ AnyJSON }

const (
	statusDuplicate = "duplicate"
	statusDeleted   = "user_deleted"
)

// readStatus returns a status as it is compared.
func readStatus(status string) string {
	if status == "deleted" {
		return statusDeleted
	}
	return status
}

func (v *Status) String() string { return readStatus(v.AnyJSON.String()) }

func (v *Status) key() key {
	k := v.AnyJSON.key()
	k.text = readStatus(k.text) // the key of any other value has its JSON as text, which is never the bare word
	return k
}

func (v *Status) matchingKeys(filter string) []key { return v.AnyJSON.matchingKeys(readStatus(filter)) }

// A CostHistory lists the costs that imports brought: a JSON list of objects
// with date and cost, or null.
type CostHistory struct {
	AnyJSON
	changed *Datetime // the date of the last entry, nil if there are fewer than two
}

// A costEntry is an entry of a cost history.
type costEntry struct {
	date Datetime
	cost Number
}

func (v *CostHistory) setJSON(text string) error {
	entries, ok := parseCosts(text)
	if !ok {
		return unexpected("a list of objects with date and cost, or null", text)
	}
	v.changed = nil
	if last := len(entries) - 1; last > 0 {
		v.changed = &entries[last].date
	}
	return v.AnyJSON.setJSON(text)
}

// entries returns the entries, the oldest first.
func (v *CostHistory) entries() []costEntry {
	entries, _ := parseCosts(v.JSON()) // setJSON has checked it
	return entries
}

// lastPrices returns the last entry and the last price before it. It reports false unless both are prices: a cost of 0
// is no price.
func (v *CostHistory) lastPrices() (before, last costEntry, arePrices bool) {
	entries := v.entries()
	isPriced := len(entries) > 0 && entries[len(entries)-1].cost.number > 0
	prices := slices.DeleteFunc(entries, func(e costEntry) bool { return e.cost.number <= 0 })
	if !isPriced || len(prices) < 2 {
		return before, last, false
	}
	return prices[len(prices)-2], prices[len(prices)-1], true
}

// parseCosts parses a JSON list of entries, and reports whether it is valid.
func parseCosts(text string) (entries []costEntry, ok bool) {
	var list []members
	if json.Unmarshal([]byte(text), &list) != nil {
		return nil, false
	}
	for _, object := range list {
		var e costEntry
		err := errors.Join(e.date.setJSON(object.text("date")), e.cost.setJSON(object.text("cost")))
		if err != nil || !e.cost.Known() {
			return nil, false
		}
		entries = append(entries, e)
	}
	return entries, true
}

// maxCosts is the number of entries of a cost history. It is limited because a listing that stands twice in a dump, at
// two prices, changes its cost with each import. The first entry and the latest ones stay.
const maxCosts = 200

// withCost returns the history after an import has brought a cost. now is the time of the
// import as JSON. A new history begins with the cost before the import, without a date.
func (v *CostHistory) withCost(before, cost Number, now string) json.RawMessage {
	newEntry := func(dateJSON string, cost Number) json.RawMessage {
		return json.RawMessage(`{"date":` + dateJSON + `,"cost":` + cost.JSON() + `}`)
	}
	last := before
	if entries := v.entries(); len(entries) > 0 {
		last = entries[len(entries)-1].cost
	}
	isLast := last.Known() && last.key() == cost.key()
	if isLast || !cost.Known() {
		return json.RawMessage(v.JSON())
	}
	list := v.list()
	if len(list) == 0 && before.Known() {
		list = append(list, newEntry("null", before))
	}
	list = append(list, newEntry(now, cost))
	if surplus := len(list) - maxCosts; surplus > 0 {
		list = slices.Delete(list, 1, 1+surplus) // the first entry stays
	}
	return json.RawMessage(encodeJSON(list))
}

// Ratings are the numbers that people gave to a flat: a JSON object by person, or null. The
// notation of the flat is their mean, unless an update has set the notation itself.
type Ratings struct {
	AnyJSON
	numbers map[string]Number // by person
}

func (v *Ratings) setJSON(text string) error {
	numbers := map[string]Number{}
	err := v.setObject(text, "an object of numbers by name, or null", func(name, rating string) bool {
		var number Number
		err := number.setJSON(rating)
		numbers[name] = number
		return err == nil && number.Known()
	})
	if err == nil {
		v.numbers = numbers
	}
	return err
}

// ratingBy returns the rating of a person, or null.
func (v *Ratings) ratingBy(person string) *Number {
	rating := v.numbers[person]
	return &rating
}

// withRating returns the ratings after setting one person's rating, or removing it if rating is
// null. It also returns their mean, rounded to one decimal.
func (v *Ratings) withRating(person string, rating json.RawMessage) (ratings, mean json.RawMessage) {
	object := v.members()
	object[person] = rating
	if string(rating) == "null" {
		delete(object, person)
	}
	if len(object) == 0 {
		return json.RawMessage("null"), json.RawMessage("null")
	}
	average := 0.0
	for _, text := range object {
		number, _ := parseNumber(string(text))
		average += number / float64(len(object)) // the sum of the numbers could overflow
	}
	if tenths := 10 * average; math.Abs(tenths) < 1<<53 { // a larger float64 has no decimals
		// Round halves up, also halves that are stored as slightly less, such as 4.05.
		const storedLess = 1e-12 // of the number
		average = math.Floor(tenths+0.5+storedLess*math.Abs(tenths)) / 10
	}
	return json.RawMessage(encodeJSON(object)), json.RawMessage(newNumber(average).JSON())
}

// IDs are a JSON list of ids, or null.
type IDs struct{ AnyJSON }

func (v *IDs) setJSON(text string) error {
	var list []json.RawMessage
	if json.Unmarshal([]byte(text), &list) != nil {
		return unexpected("a list of ids or null", text)
	}
	for _, text := range list {
		if err := new(Identifier).setJSON(string(text)); err != nil {
			return err
		}
	}
	return v.AnyJSON.setJSON(text)
}

// UpdateKeys are a JSON list of the last maxUpdateKeys keys that requests gave their updates of a flat, or null. A
// client that gets no answer sends its update again with the same key. The key is stored with the update, so that the
// update is not made twice.
type UpdateKeys struct{ IDs }

const maxUpdateKeys = 20 // keys of the last updates of a flat

// hasAny reports whether the list has one of the keys.
func (v *UpdateKeys) hasAny(keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return slices.Contains(v.ids(), key) })
}

// withKeys returns the list with further keys, and without the oldest ones if there are too many.
func (v *UpdateKeys) withKeys(keys []string) json.RawMessage {
	all := slices.Concat(v.ids(), keys)
	return json.RawMessage(encodeJSON(all[max(0, len(all)-maxUpdateKeys):]))
}

// A keptPhoto is a photo that the service keeps.
type keptPhoto struct {
	URL  string `json:"url"`
	Hash string `json:"hash"` // the SHA-256 of the URL in hex, which names the file
}

func newKeptPhoto(url string) keptPhoto {
	return keptPhoto{url, fmt.Sprintf("%x", sha256.Sum256([]byte(url)))}
}

// KeptPhotos are a JSON list of kept photos, or null.
type KeptPhotos struct {
	AnyJSON
	photos []keptPhoto
}

// setJSON keeps the valid photos even when it returns an error, unlike the setJSON methods of other types.
// It accepts only the hash of the URL, because hashes name files.
func (v *KeptPhotos) setJSON(text string) error {
	var list []keptPhoto
	err := json.Unmarshal([]byte(text), &list)
	size := len(list)
	hasWrongHash := func(p keptPhoto) bool { return p != newKeptPhoto(p.URL) }
	list = slices.DeleteFunc(list, hasWrongHash)
	*v = KeptPhotos{photos: list}
	if len(list) > 0 {
		v.json = encodeJSON(list)
	}
	if err != nil || len(list) < size {
		return unexpected("a list of objects with url and its SHA-256 in hex as hash, or null", text)
	}
	return nil
}

// A position is what the geocoder knows about an address.
type position struct {
	Lat       *float64 `json:"lat"`
	Lng       *float64 `json:"lng"`
	Precision *string  `json:"precision"` // house, street or place; nil if the address is unknown
	Text      string   `json:"text"`      // the address that was asked for
	// If the address is unknown: when it was asked for, and a hash of the URL of the service that was
	// asked. An earlier version has neither, and a listing may have any JSON here.
	Asked   json.RawMessage `json:"asked,omitempty"`
	Service json.RawMessage `json:"service,omitempty"`
}

// FoundPosition is a position, or null, which is the zero position.
type FoundPosition struct {
	AnyJSON
	found *position // nil for null
}

func (v *FoundPosition) setJSON(text string) error {
	var p position
	err := json.Unmarshal([]byte(text), &p)
	if err != nil || text != "null" && !p.isValid() {
		return unexpected("an object with lat, lng, precision and text, or null", text)
	}
	v.found = &p
	if text == "null" {
		v.found = nil
	}
	return v.AnyJSON.setJSON(text)
}

// position returns the position, or the zero position.
func (v *FoundPosition) position() position {
	if v.found == nil {
		return position{}
	}
	return *v.found
}

// isValid reports whether the position has the address and, if the geocoder knows it, a point on
// the earth and a precision.
func (p position) isValid() bool {
	switch {
	case p.Text == "":
		return false
	case p.Precision == nil:
		return true
	}
	return slices.Contains([]string{"house", "street", "place"}, *p.Precision) &&
		p.Lat != nil && p.Lng != nil && onEarth(*p.Lat, *p.Lng)
}

// Links are a JSON list of URLs, or any other JSON value.
type Links struct {
	AnyJSON
	// first is the first element of a list if that is a text, else the first link in the list. Without either, it is null.
	first Text
}

func (v *Links) setJSON(text string) error {
	err := v.AnyJSON.setJSON(text)
	v.first = Text{}
	list := v.list()
	if len(list) == 0 {
		return err
	}
	v.first.setJSON(string(list[0])) // anything but a text leaves it null
	if links := listing.LinksOf(json.RawMessage(v.json)); !v.first.Known() && len(links) > 0 {
		v.first = *newText(links[0])
	}
	return err
}

// share also lets first use the memory of text, if first is the first element of the list in text.
func (v *Links) share(text string) {
	v.AnyJSON.share(text)
	if !v.first.Known() {
		return
	}
	elements := text[len("["):] // only a list has a first link
	if strings.HasPrefix(elements, v.first.json) {
		v.first.share(elements[:len(v.first.json)])
	}
}

// Details are any JSON value.
type Details struct {
	AnyJSON
	words string // what a search reads; see writeLeaves
}

func (v *Details) setJSON(text string) error {
	err := v.AnyJSON.setJSON(text)
	v.words = ""
	if v.Known() {
		var b strings.Builder
		writeLeaves(&b, decodeJSON(v.json))
		v.words = b.String()
	}
	return err
}

// Times are a JSON object of travel times by place, or any other JSON value.
type Times struct {
	AnyJSON
	times []placeTime // the shortest first
}

// A placeTime is the travel time to a place.
type placeTime struct {
	place   string
	seconds float64
}

func (v *Times) setJSON(text string) error {
	err := v.AnyJSON.setJSON(text)
	var places map[string]struct{ Time json.RawMessage }
	if v.Known() {
		json.Unmarshal([]byte(v.json), &places) // a value of another type has no times
	}
	v.times = nil
	for place, to := range places {
		var seconds Number
		if seconds.setJSON(cmp.Or(string(to.Time), "null")) == nil && seconds.Known() {
			v.times = append(v.times, placeTime{place, seconds.number})
		}
	}
	slices.SortFunc(v.times, func(a, b placeTime) int { return cmp.Compare(a.seconds, b.seconds) })
	return err
}

// timeTo returns the travel time to a place in seconds, or null.
func (v *Times) timeTo(place string) *Number {
	i := slices.IndexFunc(v.times, func(t placeTime) bool { return t.place == place })
	if i < 0 {
		return &Number{}
	}
	return newNumber(v.times[i].seconds)
}

// shortest returns the shortest travel time in seconds, or null.
func (v *Times) shortest() *Number {
	if len(v.times) == 0 {
		return &Number{}
	}
	return newNumber(v.times[0].seconds)
}

// A gps is the position that the listing gives of a flat.
type gps struct {
	AnyJSON
	lat, lng Number
	isValid  bool // whether it is a list of a latitude and a longitude, numbers or strings with numbers
}

// writeLeaves writes the names, strings and numbers in a JSON value, for a search of their words. It writes a NUL
// after each value, and sorts members by name, so that a search for a phrase that spans several of them always has
// the same result.
func writeLeaves(b *strings.Builder, content any) {
	switch v := content.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			b.WriteString(name + " ")
			writeLeaves(b, v[name])
		}
	case []any:
		for _, element := range v {
			writeLeaves(b, element)
		}
	case string, json.Number:
		fmt.Fprint(b, v)
	}
	b.WriteByte(0)
}

const (
	maxFetched  = 30      // photos of a flat that are kept
	maxPhotoURL = 4 << 10 // bytes of the URL of a photo that is kept
)

// mayBeFetched reports whether the photo at a link may be fetched. When the connection is made,
// onlyPublic checks where the link leads.
func mayBeFetched(link string) bool {
	if len(link) > maxPhotoURL {
		return false
	}
	u, err := url.Parse(link)
	if err != nil || u.Hostname() == "" {
		return false
	}
	isHTTP := u.Scheme == "http" || u.Scheme == "https"
	return isHTTP && slices.Contains([]string{"", "80", "443"}, u.Port())
}
