package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"math"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unicode/utf8"
)

// This file contains the flat and the store that keeps flats on disk:
//
//	The flat           its fields and its JSON
//	Journal records    the lines of flats.json.log
//	The disk           the file system, as the store uses it
//	Data files         flats.json and its journals
//	The store          flats in memory, search, duplicates
//	Updates            changes that users make
//	The writer         the goroutine that makes changes durable
//	Listings           the input of imports
//	Imports            the effect of an import on each flat
//	The import folder  the files that are imported from it
//	Seeking            how the service finds out what flats lack, and gets it
//	Kept photos        photos of the shortlist, in files beside flats.json

// The flat
// --------

// A Flat is a listing and what the user added to it. The field tags name its
// fields in answers, filters and sort keys, in the order in which they are
// served. A field without a value is served as null or, with omitempty, left out.
//
// A flat is immutable once edit or readFlats has returned it: an update makes
// a new one.
//
// To add a field:
//
//   - If lists serve it, add a member tagged omitempty after NotDuplicates; if only /find serves
//     it, add a member tagged find at the end; if it is computed, add an entry to derivedFields.
//   - Describe it in docs/openapi.json and docs/api.md.
//   - If only imports set it, add its name to importFields.
//   - If imports must leave it to the user, add it to userFields.
//   - If an import must not fail because of a wrong value, add it to warnedFields.
//   - If the user can correct it, add it to correctable, and add a control to web/parts/edit.js.
//   - If its words can be searched for, add it to searchedFields.
//
// The type of a field is a [value] such as Text. The page of a flat shows every field that has
// a value, with the label detail_NAME in web/words/strings/ or a readable form of its name. To
// show it elsewhere, see placed in web/views/flat.js.
type Flat struct {
	ID                Identifier `field:"id"`
	Title             Text       `field:"title"`
	Text              Text       `field:"text"`
	Area              Number     `field:"area"`
	Cost              Number     `field:"cost"`
	Currency          Text       `field:"currency"`
	Utilities         Text       `field:"utilities"`
	Rooms             Number     `field:"rooms"`
	Bedrooms          Number     `field:"bedrooms"`
	Date              Datetime   `field:"date"`
	Location          Text       `field:"location"`
	Station           Text       `field:"station"`
	Phone             Text       `field:"phone"`
	Photos            AnyJSON    `field:"photos"`
	URLs              AnyJSON    `field:"urls"`
	Details           AnyJSON    `field:"details"`
	MergedIDs         AnyJSON    `field:"merged_ids"`
	Notes             Text       `field:"notes"`
	Notation          Number     `field:"notation"`
	Status            AnyJSON    `field:"status"`
	VisitDate         Datetime   `field:"visit_date"`
	ServiceConstraint Text       `field:"service_constraint"`
	ServicePostalCode Code       `field:"service_postal_code"`
	ServiceStations   AnyJSON    `field:"service_stations"`
	ServiceTimeTo     AnyJSON    `field:"service_time_to"`

	// Only imports set FirstSeen, CostHistory and Gone. Only the user sets NotDuplicates.
	FirstSeen     Datetime    `field:"first_seen,omitempty"`
	CostHistory   CostHistory `field:"cost_history,omitempty"`
	Gone          Datetime    `field:"gone,omitempty"` // when it was first missing from its site
	NotDuplicates IDs         `field:"not_duplicates,omitempty"`

	// Only /find serves these, except UpdatedAt, which is never served.
	UpdatedAt     Datetime      `field:"updated_at,stored"`   // when an update or import last changed the flat
	StatusSince   Datetime      `field:"status_since,find"`   // when an update last changed the status
	StatusBy      Text          `field:"status_by,find"`      // the person who changed it then
	Ratings       Ratings       `field:"ratings,find"`        // what each person thinks of it
	Corrected     Corrections   `field:"corrected,find"`      // the listing's values where the user has others
	FoundPosition FoundPosition `field:"found_position,find"` // what the geocoder knows of its address
	KeptPhotos    KeptPhotos    `field:"kept_photos,find"`    // the photos that the service has

	// unknown holds the members that are not fields, sorted by name, each as
	// `,"name":value`.
	unknown string
	served  string // the JSON of the flat as it is served
	version uint64 // unique among the flats made since the start; 0 for flats read from disk
}

// flatFields are the fields that every list of flats serves. /find has more: see queryFields.
var flatFields = fieldsOf[Flat]()

// onlyFindFields are stored, and served by /find, but not by lists.
var onlyFindFields = taggedFields[Flat]("find")

// storedFields are all fields in flats.json.
var storedFields = fieldsOf(slices.Concat(taggedFields[Flat]("stored"), onlyFindFields)...)

// queryFields returns the fields of /find: flatFields, derivedFields, onlyFindFields, and the
// named ones that the config adds, time_to.PLACE and rating.PERSON. It logs the places that a
// query cannot name.
func queryFields(log *slog.Logger, names ...string) *Fields[Flat] {
	others := slices.Concat(derivedFields, onlyFindFields)
	for _, name := range names {
		kind, key, _ := strings.Cut(name, ".")
		if strings.ContainsAny(key, ",[]") {
			log.Warn("no query can name a place with a comma or bracket", "place", key)
			continue
		}
		get := func(f *Flat) value {
			if kind == "rating" {
				return f.Ratings.of(key)
			}
			if seconds, ok := f.travelTimes()[key]; ok {
				return newNumber(seconds)
			}
			return &Number{}
		}
		others = append(others, field[Flat]{name, get})
	}
	fields := fieldsOf(others...)
	fields.isFind = true
	return fields
}

var derivedFields = []field[Flat]{
	{"cost_per_area", func(f *Flat) value {
		if f.Cost.number > 0 && f.Area.number > 0 {
			return newNumber(f.Cost.number / f.Area.number)
		}
		return &Number{}
	}},
	{"travel_time", func(f *Flat) value {
		shortest := math.Inf(1)
		for _, seconds := range f.travelTimes() {
			shortest = min(shortest, seconds)
		}
		return newNumber(shortest) // null if there are no times
	}},
	{"site", func(f *Flat) value {
		id := f.ID.String()
		at := strings.LastIndexByte(id, '@')
		if at < 0 {
			return &Text{}
		}
		return newText(id[at+1:])
	}},
	{"gps", func(f *Flat) value { return f.gps() }},
	{"lat", func(f *Flat) value { lat, _, _ := f.position(); return lat }},
	{"lng", func(f *Flat) value { _, lng, _ := f.position(); return lng }},
	{"precision", func(f *Flat) value { _, _, precision := f.position(); return newText(precision) }},
	{"place", func(f *Flat) value {
		place := f.ServicePostalCode.String()
		if entry := f.ServicePostalCode.entry; entry != nil {
			place = strings.TrimSpace(place + " " + entry.Name.String())
		}
		return newText(cmp.Or(place, f.Location.String()))
	}},
	{"url", func(f *Flat) value {
		first := &Text{}
		if urls := f.URLs.list(); len(urls) > 0 {
			first.set(string(urls[0])) // anything but a text leaves it null
		}
		return first
	}},
	// priced and price treat a cost of 0 as no price. The page sorts by priced, so that flats
	// without a price come last, and filters by price.
	{"priced", func(f *Flat) value {
		if f.Cost.number > 0 {
			return newNumber(1)
		}
		return newNumber(0)
	}},
	{"price", func(f *Flat) value {
		if f.Cost.number > 0 {
			return &f.Cost
		}
		return &Number{}
	}},
	// changed is when an import last found another cost, or found the flat gone. The first entry
	// of the cost history is not a change.
	{"changed", func(f *Flat) value {
		last := &f.Gone
		if costs := f.CostHistory.entries(); len(costs) > 1 {
			lastCost := &costs[len(costs)-1]
			if lastCost.date.at.After(last.at) {
				last = &lastCost.date
			}
		}
		return last
	}},
}

// travelTimes returns the travel times in seconds, by place.
func (f *Flat) travelTimes() map[string]float64 {
	var places map[string]struct{ Time any }
	json.Unmarshal([]byte(f.ServiceTimeTo.JSON()), &places) // a value of another type has no times
	times := map[string]float64{}
	for place, to := range places {
		if seconds, ok := to.Time.(float64); ok {
			times[place] = seconds
		}
	}
	return times
}

// gps returns the unknown member gps of the flat, or else the member gps of its details.
func (f *Flat) gps() *AnyJSON {
	gps := &AnyJSON{}
	gps.set(f.unknownMembers().text("gps"))
	if !gps.Known() {
		gps.set(f.Details.members().text("gps"))
	}
	return gps
}

// position returns the latitude and longitude of the flat, and how precise they are: "own"
// from its gps, else "house" or "street" from its found position, else "postal_code", else
// "place" from its found position, or "" if they are not known.
func (f *Flat) position() (lat, lng *Number, precision string) {
	if lat, lng, ok := f.ownPosition(); ok {
		return lat, lng, "own"
	}
	found := f.foundNow()
	isFound := found.Precision != nil
	_, _, hasCode := f.ServicePostalCode.at()
	if hasCode && (!isFound || *found.Precision == "place") {
		return &f.ServicePostalCode.entry.Lat, &f.ServicePostalCode.entry.Lng, "postal_code"
	}
	if isFound {
		return newNumber(*found.Lat), newNumber(*found.Lng), *found.Precision
	}
	return &Number{}, &Number{}, ""
}

// ownPosition returns the latitude and longitude in gps, and reports whether they are valid.
func (f *Flat) ownPosition() (lat, lng *Number, ok bool) {
	gps := f.gps().list()
	if len(gps) != 2 {
		return nil, nil, false
	}
	lat, lng = &Number{}, &Number{}
	err := errors.Join(lat.set(string(gps[0])), lng.set(string(gps[1])))
	ok = err == nil && lat.Known() && lng.Known() && onEarth(lat.number, lng.number)
	return lat, lng, ok
}

// A CostHistory lists the costs that imports brought: a JSON list of objects
// with date and cost, or null.
type CostHistory struct{ AnyJSON }

// A costEntry is an entry of a cost history.
type costEntry struct {
	date Datetime
	cost Number
}

func (v *CostHistory) set(text string) error {
	if _, ok := parseCosts(text); !ok {
		return unexpected("a list of objects with date and cost, or null", text)
	}
	return v.AnyJSON.set(text)
}

// entries returns the entries, the oldest first.
func (v *CostHistory) entries() []costEntry {
	entries, _ := parseCosts(v.JSON()) // set has checked it
	return entries
}

// parseCosts parses a JSON list of entries, and reports whether it is valid.
func parseCosts(text string) (entries []costEntry, ok bool) {
	var list []members
	if json.Unmarshal([]byte(text), &list) != nil {
		return nil, false
	}
	for _, object := range list {
		var e costEntry
		err := errors.Join(e.date.set(object.text("date")), e.cost.set(object.text("cost")))
		if err != nil || !e.cost.Known() {
			return nil, false
		}
		entries = append(entries, e)
	}
	return entries, true
}

// withCost returns the history after an import has brought a cost. now is the time of the
// import as JSON. A new history begins with the cost before the import, without a date.
func (v *CostHistory) withCost(before, cost Number, now string) json.RawMessage {
	entry := func(date string, cost Number) json.RawMessage {
		return json.RawMessage(`{"date":` + date + `,"cost":` + cost.JSON() + `}`)
	}
	last := before
	if entries := v.entries(); len(entries) > 0 {
		last = entries[len(entries)-1].cost
	}
	isSame := last.Known() && last.key() == cost.key()
	if isSame || !cost.Known() {
		return json.RawMessage(v.JSON())
	}
	list := v.list()
	if len(list) == 0 && before.Known() {
		list = append(list, entry("null", before))
	}
	return json.RawMessage(encodeJSON(append(list, entry(now, cost))))
}

// Corrections hold the listing's values of the fields that the user has corrected: a JSON
// object by field name, or null. An update that corrects a field keeps the listing's value
// here, and one that sets the field to that value removes it (recorded). An import leaves
// the user's values alone until the listing says something else (onto, keepCorrections).
type Corrections struct{ AnyJSON }

// correctable has the names of the fields that can be corrected.
var correctable = []string{"title", "cost", "currency", "area", "rooms", "bedrooms", "location", "phone",
	"service_postal_code"}

func (v *Corrections) set(text string) error {
	return v.setObject(text, "an object of fields that can be corrected, or null", func(name, said string) bool {
		if !slices.Contains(correctable, name) {
			return false
		}
		field := flatFields.list[flatFields.byName[name]]
		return field.value(new(Flat)).set(said) == nil
	})
}

// Ratings are the numbers that people gave to a flat: a JSON object by person, or null. The
// notation of the flat is their mean, unless an update has set the notation itself.
type Ratings struct{ AnyJSON }

func (v *Ratings) set(text string) error {
	return v.setObject(text, "an object of numbers by name, or null", func(_, rating string) bool {
		_, ok := parseNumber(rating)
		return ok
	})
}

// of returns the rating of a person, which may be null.
func (v *Ratings) of(name string) *Number {
	rating := &Number{}
	rating.set(v.members().text(name)) // no error: set has checked it
	return rating
}

// with returns the ratings after setting one person's rating, or removing it if rating is
// null. It also returns their mean, rounded to one decimal.
func (v *Ratings) with(name string, rating json.RawMessage) (ratings, mean json.RawMessage) {
	object := v.members()
	object[name] = rating
	if string(rating) == "null" {
		delete(object, name)
	}
	if len(object) == 0 {
		return json.RawMessage("null"), json.RawMessage("null")
	}
	average := 0.0
	for _, text := range object {
		number, _ := parseNumber(string(text))
		average += number / float64(len(object)) // the sum of the numbers could overflow
	}
	if tenths := 10 * average; math.Abs(tenths) < 1<<53 { // larger numbers have no decimals
		// Round halves up. The last term is for halves that are stored as slightly less, such as 4.05.
		average = math.Floor(tenths+0.5+1e-12*math.Abs(tenths)) / 10
	}
	return json.RawMessage(encodeJSON(object)), json.RawMessage(newNumber(average).JSON())
}

// IDs are a JSON list of ids, or null.
type IDs struct{ AnyJSON }

func (v *IDs) set(text string) error {
	var list []json.RawMessage
	if json.Unmarshal([]byte(text), &list) != nil {
		return unexpected("a list of ids or null", text)
	}
	for _, id := range list {
		if err := new(Identifier).set(string(id)); err != nil {
			return err
		}
	}
	return v.AnyJSON.set(text)
}

// blank is the flat before any member is set. An edit whose before is blank adds a flat.
var blank = &Flat{Status: AnyJSON{literal{`"new"`}}}

// withMembers returns a copy of the flat with the members set. It looks up in codes
// what to serve for the postal code. An error names the field. If log is not nil, an invalid
// value of a field that is not in version 1 of the API is logged and ignored.
func (f *Flat) withMembers(set members, codes *PostalCodes, log *slog.Logger) (*Flat, error) {
	next := *f
	used := 0
	for i, field := range storedFields.list {
		text, ok := set[field.name]
		if !ok {
			continue
		}
		used++
		err := field.value(&next).set(string(text))
		if err == nil {
			continue
		}
		// A flats.json from another program may have anything under the names that this service
		// has added to version 1.
		inVersion1 := i < storedFields.always || field.name == "updated_at"
		if inVersion1 || log == nil {
			return nil, fmt.Errorf("%s: %w", field.name, err)
		}
		log.Warn("invalid value ignored", "flat", unquote(string(set["id"])), "field", field.name, "err", err)
	}
	if !next.ID.Known() {
		return nil, errors.New("id: a flat must have one")
	}
	if used < len(set) {
		next.setUnknown(set)
	}
	next.ServicePostalCode.entry = codes.get(next.ServiceConstraint.String(), next.ServicePostalCode.String())
	next.served = flatFields.encode(&next, next.unknown+"}")
	end := len(next.served) - len("}")
	next.unknown = next.served[end-len(next.unknown) : end] // shares the memory of served
	return &next, nil
}

// unknownMembers returns the members that are not fields.
func (f *Flat) unknownMembers() members {
	unknown := members{}
	object := "{" + strings.TrimPrefix(f.unknown, ",") + "}"
	json.Unmarshal([]byte(object), &unknown) // no error: setUnknown wrote it
	return unknown
}

// setUnknown adds the members of set that are not fields.
func (f *Flat) setUnknown(set members) {
	unknown := f.unknownMembers()
	for name, text := range set {
		if _, ok := storedFields.byName[name]; !ok {
			unknown[name] = text
		}
	}
	if text := encodeJSON(unknown); text != "{}" {
		f.unknown = "," + text[len("{"):len(text)-len("}")]
	}
}

// JSON returns the flat as it is served.
func (f *Flat) JSON() string { return f.served }

// field returns a field by its number in flatFields.
func (f *Flat) field(i int) value { return flatFields.list[i].value(f) }

// stored returns the JSON text of one of storedFields as it stands in flats.json.
func (f *Flat) stored(i int) string {
	v := storedFields.list[i].value(f)
	if code, ok := v.(*Code); ok {
		v = &code.Text // only answers have the code as an object
	}
	return v.JSON()
}

// appendStored appends the flat as a line of flats.json, without the newline.
func (f *Flat) appendStored(b []byte) []byte {
	separator := byte('{')
	for i, field := range storedFields.list {
		// Store even a null status: without one, readFlats would use the status of blank.
		if !field.value(f).Known() && field.name != "status" {
			continue
		}
		b = append(b, separator)
		separator = ','
		b = append(b, storedFields.labels[i]...)
		b = append(b, ':')
		b = append(b, f.stored(i)...)
	}
	b = append(b, f.unknown...)
	return append(b, '}')
}

// isLarge reports whether the flat is too large to be stored or served.
func (f *Flat) isLarge() bool {
	size := max(len(f.served), len(f.appendStored(nil)))
	return size > maxFlat || hasMoreMembers([]byte(f.served), maxMembers)
}

// said returns the listing's value of a field, even if the user has corrected it.
func (f *Flat) said(name string) json.RawMessage {
	if text, ok := f.Corrected.members()[name]; ok {
		return text
	}
	return json.RawMessage(f.stored(storedFields.byName[name]))
}

// fragment returns the fragment of the URL at which the page shows the flat, with its "#".
func (f *Flat) fragment() string {
	return "#/flat/" + url.PathEscape(strings.ToValidUTF8(f.ID.String(), "\uFFFD"))
}

// searched returns the text of one of searchedFields. The method value f.searched is a
// [document].
func (f *Flat) searched(field int) string {
	name := searchedFields[field]
	text := f.field(flatFields.byName[name]).JSON()
	if text[0] == '"' {
		return unquote(text)
	}
	var b strings.Builder
	writeLeaves(&b, decodeJSON(text)) // set has checked the text
	return b.String()
}

// writeLeaves writes the names, strings and numbers in a JSON value, with a NUL
// after each value. It sorts members by name, so that a search for a phrase that
// spans several of them always has the same result.
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

// readFlats parses the text of a flats.json. Errors name the file as given, the line
// and the field.
func readFlats(name string, text []byte, codes *PostalCodes, log *slog.Logger) ([]*Flat, error) {
	seen := map[string]bool{} // by id
	return readObjects(name, text, func(object members) (*Flat, error) {
		f, err := blank.withMembers(object, codes, log)
		if err != nil {
			return nil, err
		}
		id := f.ID.String()
		if seen[id] {
			return nil, fmt.Errorf("id: %s appears twice", excerpt(f.ID.JSON()))
		}
		seen[id] = true
		return f, nil
	})
}

// Journal records
// ---------------

// A record is a line of the journal. It has the members that an update set on a flat,
// or all members that an import set on its flats, so that a power cut keeps the whole
// import or nothing of it. A checksum (CRC-32C) covers the rest of the line.
//
//	record = `{"crc":"` 8HEX `",` rest LF
//	rest   = `"id":` id *( `,"name":value` ) `}` in any order /
//	         `"imported":` importedFile `,"added":[` flats `],"updated":[` flats `]}`
//	flats  = [ `{"id":` … `}` *( `,{"id":` … `}` ) ]
//
// Only an import adds flats. An update of a flat that does not exist is ignored with a
// warning, because the flat was removed from flats.json by hand.
type record struct {
	Imported       importedFile
	Added, Updated []members
}

// newRecord returns a record in parts, because copying the record of a large import into
// one string would delay updates.
func newRecord(rest ...string) []string {
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	for _, part := range rest {
		io.WriteString(sum, part)
	}
	return slices.Concat([]string{recordHead(sum.Sum32())}, rest, []string{"\n"})
}

func recordHead(sum uint32) string { return fmt.Sprintf(`{"crc":"%08x",`, sum) }

// An importedFile identifies a file that was imported and is still in the import
// folder. It is stored in one record with the flats from the file, so that no file is
// ever imported twice, which would undo what the user has changed since.
type importedFile struct {
	Name string `json:"name,omitempty"` // "" if the listings came from no file
	Sum  string `json:"sum,omitempty"`  // SHA-256 of the content, "" if the file has left the folder
}

// updateIn sets the file in a map by name, or deletes it if it has left the folder.
func (f importedFile) updateIn(imported map[string]importedFile) {
	if f.Sum == "" {
		delete(imported, f.Name)
	} else {
		imported[f.Name] = f
	}
}

// newRecords returns the records of edits, in parts: one record for each edit or, if
// source is not nil, a single one for an import.
func newRecords(source *importedFile, edits []edit) (records []string) {
	if source == nil {
		for _, e := range edits {
			records = append(records, newRecord(e.delta[len("{"):])...)
		}
		return records
	}
	var added, updated []string // each flat after a comma
	for _, e := range edits {
		if e.before == blank {
			added = append(added, ",", e.delta)
		} else {
			updated = append(updated, ",", e.delta)
		}
	}
	list := func(name string, flats []string) []string {
		if len(flats) > 0 {
			flats = flats[1:] // no comma before the first flat
		}
		return slices.Concat([]string{`,"` + name + `":[`}, flats, []string{"]"})
	}
	head := []string{`"imported":`, encodeJSON(source)}
	parts := slices.Concat(head, list("added", added), list("updated", updated), []string{"}"})
	return newRecord(parts...)
}

var errNoRecord = errors.New("not a record, or its checksum does not match")

// parseRecord parses a line, including its newline. It returns an update's members in Updated.
func parseRecord(line []byte) (r record, err error) {
	head, rest, _ := bytes.Cut(line, []byte(","))
	rest, isWhole := bytes.CutSuffix(rest, []byte("\n"))
	sum := crc32.Checksum(rest, crc32.MakeTable(crc32.Castagnoli))
	if !isWhole || string(head)+"," != recordHead(sum) {
		return r, errNoRecord
	}
	text := append([]byte("{"), rest...)
	if bytes.HasPrefix(rest, []byte(`"imported":`)) {
		err = json.Unmarshal(text, &r)
	} else {
		r.Updated = make([]members, 1)
		err = json.Unmarshal(text, &r.Updated[0])
	}
	return r, err
}

// containsRecord reports whether a text contains a record. The record may begin within a
// line, because the newline before it may be damaged.
func containsRecord(text []byte) bool {
	for line := range bytes.Lines(text) {
		start := bytes.LastIndex(line, []byte(`{"crc":"`))
		if start < 0 {
			continue
		}
		if _, err := parseRecord(line[start:]); err != errNoRecord {
			return true
		}
	}
	return false
}

// A replay applies journals to the flats of a flats.json.
type replay struct {
	flats    []*Flat
	rows     map[string]int  // of flats, by id
	updates  map[int]members // by row, merged, so that end makes each flat once
	imported map[string]importedFile
	codes    *PostalCodes
	log      *slog.Logger
}

func newReplay(flats []*Flat, codes *PostalCodes, log *slog.Logger) *replay {
	r := &replay{
		flats:    flats,
		rows:     make(map[string]int, len(flats)),
		updates:  map[int]members{},
		imported: map[string]importedFile{},
		codes:    codes,
		log:      log,
	}
	for row, f := range flats {
		r.rows[f.ID.String()] = row
	}
	return r
}

// applyJournal applies a journal and returns the size of its valid records. The rest, if
// any, is incomplete or damaged. It is an error if a valid record follows an invalid one,
// or if a record has invalid members. Errors name the file as given.
func (r *replay) applyJournal(name string, text []byte) (size int, err error) {
	for recordLine := range bytes.Lines(text) {
		rec, err := parseRecord(recordLine)
		if err == errNoRecord {
			if !containsRecord(text[size:]) {
				return size, nil
			}
			err = fmt.Errorf("%w, but valid records follow: restore the file from a backup, "+
				"or delete the line and lose its update", err)
		}
		if err == nil {
			err = r.apply(name, rec)
		}
		if err != nil {
			return 0, fmt.Errorf("%s:%d: %w", name, line(text, size), err)
		}
		size += len(recordLine)
	}
	return size, nil
}

// apply applies a record of the named journal.
func (r *replay) apply(name string, rec record) error {
	rec.Imported.updateIn(r.imported)
	for i, set := range slices.Concat(rec.Added, rec.Updated) {
		id := unquote(string(set["id"]))
		row, ok := r.rows[id]
		isAdded := i < len(rec.Added)
		if !ok && !isAdded {
			r.log.Warn("ignoring a journal update of a flat that is not in flats.json", "file", name, "flat", id)
			continue
		}
		// Check the members here, where an error can name the line. end makes the flats.
		if _, err := blank.withMembers(set, nil, slog.New(slog.DiscardHandler)); err != nil {
			return err
		}
		if !ok {
			row = len(r.flats)
			r.rows[id] = row
			r.flats = append(r.flats, blank)
		}
		if r.updates[row] == nil {
			r.updates[row] = members{}
		}
		maps.Copy(r.updates[row], set)
	}
	return nil
}

// end returns the flats with all journals applied.
func (r *replay) end() ([]*Flat, error) {
	for row, set := range r.updates {
		f, err := r.flats[row].withMembers(set, r.codes, r.log)
		if err != nil {
			return nil, err
		}
		r.flats[row] = f
	}
	return r.flats, nil
}

// The disk
// --------

// A disk is the file system as the store uses it: osDisk or, in tests, one that fails.
type disk interface {
	Open(name string, flag int, mode fs.FileMode) (diskFile, error)
	ReadFile(name string) ([]byte, error)
	Stat(name string) (fs.FileInfo, error)
	Lstat(name string) (fs.FileInfo, error)
	EvalSymlinks(path string) (string, error)
	MkdirAll(dir string, mode fs.FileMode) error
	Rename(from, to string) error
	Remove(name string) error
	// List returns the paths that begin with the prefix, sorted. The folder of the
	// prefix must exist.
	List(prefix string) ([]string, error)
	// SameFile reports whether two results of Stat or Lstat describe the same file.
	SameFile(a, b fs.FileInfo) bool
	// SyncDir makes the entries of the folder durable.
	SyncDir(dir string) error
}

// A diskFile is an open file of a disk.
type diskFile interface {
	io.WriteCloser
	Chmod(mode fs.FileMode) error
	Stat() (fs.FileInfo, error)
	Sync() error
	Truncate(size int64) error
}

// An osDisk is the file system of the operating system.
type osDisk struct{}

func (osDisk) Open(name string, flag int, mode fs.FileMode) (diskFile, error) {
	return os.OpenFile(name, flag, mode)
}
func (osDisk) ReadFile(name string) ([]byte, error)        { return os.ReadFile(name) }
func (osDisk) Stat(name string) (fs.FileInfo, error)       { return os.Stat(name) }
func (osDisk) Lstat(name string) (fs.FileInfo, error)      { return os.Lstat(name) }
func (osDisk) EvalSymlinks(path string) (string, error)    { return filepath.EvalSymlinks(path) }
func (osDisk) MkdirAll(dir string, mode fs.FileMode) error { return os.MkdirAll(dir, mode) }
func (osDisk) Rename(from, to string) error                { return os.Rename(from, to) }
func (osDisk) Remove(name string) error                    { return os.Remove(name) }
func (osDisk) SameFile(a, b fs.FileInfo) bool              { return os.SameFile(a, b) }

func (osDisk) List(prefix string) (paths []string, err error) {
	dir, name := filepath.Split(prefix)
	entries, err := os.ReadDir(cmp.Or(dir, "."))
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), name) {
			paths = append(paths, dir+entry.Name())
		}
	}
	return paths, err
}

func (osDisk) SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // folders cannot be opened there; the file system orders changes itself
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// readAll returns the content of a file and its info, which is nil if there is no such
// file. It refuses to read a file larger than limit, or one that is not regular.
func readAll(disk disk, name string, limit int64) ([]byte, fs.FileInfo, error) {
	info, err := disk.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	case !info.Mode().IsRegular(): // opening a pipe could block forever
		return nil, info, fmt.Errorf("%s is not a regular file", name)
	case info.Size() > limit:
		return nil, info, fmt.Errorf("%s is larger than %d bytes", name, limit)
	}
	text, err := disk.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil // another service has removed the file since
	}
	return text, info, err
}

// readExisting is like readAll on an osDisk, but the file must exist.
func readExisting(name string, limit int64) ([]byte, error) {
	text, info, err := readAll(osDisk{}, name, limit)
	if err == nil && info == nil {
		err = fmt.Errorf("open %s: %w", name, fs.ErrNotExist)
	}
	return text, err
}

// writeTemp writes a temporary file and returns when it is durable. fill may ignore the
// errors of w, because writeTemp returns them. On error it removes the file.
func writeTemp(disk disk, name string, mode fs.FileMode, fill func(w *bufio.Writer)) error {
	tmp, err := disk.Open(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(tmp, 1<<18)
	fill(w)
	err = tmp.Chmod(mode) // the umask may have removed bits
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = tmp.Sync()
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		disk.Remove(name)
	}
	return err
}

// replace renames a temporary file and returns when the new name is durable. info describes
// the file. If the file cannot be renamed, info is nil, and replace removes the file. If both
// info and err are set, the file has its new name, but a crash may undo that.
func replace(disk disk, temp, name string) (info fs.FileInfo, err error) {
	info, err = disk.Stat(temp)
	if err == nil {
		err = disk.Rename(temp, name)
	}
	if err != nil {
		disk.Remove(temp)
		return nil, err
	}
	return info, disk.SyncDir(filepath.Dir(name))
}

// Data files
// ----------

const (
	maxFile    = min(8<<30, math.MaxInt/4) // bytes of any file: half a GiB on 32-bit systems
	maxFlat    = 8 << 20                   // bytes of a flat
	maxMembers = 10_000                    // members of a flat, including nested ones

	maxListings       = 1 << 18   // listings of an import: even a short one takes several hundred bytes of memory
	maxListingMembers = 3_000_000 // members of all listings of an import together
	maxRepeats        = 100       // listings of an import with the same id: each encodes the flat again

	smallestFold = 1 << 16 // bytes: while the service runs, a journal up to this size is not folded
)

var errLarge = fmt.Errorf("the flat is larger than %d bytes or has more than %d members", maxFlat, maxMembers)

// dataFiles are flats.json and its journals. Records are appended to the journal,
// flats.json.log. Folding the journal takes three steps: it is retired, which means
// renamed to flats.json.log.N while a new journal takes its place; a flats.json with
// its updates is written and renamed into place; the retired journal is removed. After
// a crash at any step, replaying the retired journals in order and then the journal on
// flats.json yields the same flats, because records hold new values, not differences.
//
// Each service creates flats.json.log at its start, and so owns the data: no other process
// writes flats.json or acknowledges updates. A second service takes the data over by
// retiring the journal of the first. A service removes only journals that it has loaded or
// made.
//
// After an error the files still hold every acknowledged update. The methods are not
// safe for concurrent use, except for writeBase.
type dataFiles struct {
	disk      disk
	base      string // flats.json, symbolic links resolved
	log       string // the journal
	processID string // a part of the names of retired and temporary files, unique to this process
	temp      string // the temporary file that becomes flats.json

	// The views. The owner of the data also writes these.
	views     string // views.json, symbolic links resolved
	viewsText string // its content, "" for no file
	viewsInfo fs.FileInfo

	baseInfo fs.FileInfo // flats.json as this process left it, nil for no file
	logInfo  fs.FileInfo // the journal as this process left it, nil if it could not create one
	retired  []string    // journals, oldest first, that the next flats.json replaces
	damaged  []byte      // the bytes after the last valid record of each loaded journal
	fatal    error       // why nothing can be written any more
	// uncertain is set while a journal may contain a refused update, or one that the former owner
	// of the journal may still truncate. A fold that removes the journal clears it.
	uncertain bool
	// journal is open for appending. It is nil after an error that left its content in
	// doubt, or prevented its creation: then a fold must come first.
	journal       diskFile
	out           *bufio.Writer // to the journal
	unfoldedBytes int64         // size of the journal's updates

	imported map[string]importedFile // by name
}

// check returns an error if another process has changed a file. If the journal's
// content is in doubt, it must at least be the same file.
func (f *dataFiles) check() error {
	if f.fatal != nil {
		return f.fatal
	}
	if err := f.checkFile(f.base, f.baseInfo, true); err != nil {
		return err
	}
	return f.checkFile(f.log, f.logInfo, f.journal != nil)
}

// checkFile is like unchanged, but returns a conflict if the file has changed.
func (f *dataFiles) checkFile(name string, before fs.FileInfo, exact bool) error {
	same, err := f.unchanged(name, before, exact)
	if err == nil && !same {
		err = f.conflict(name)
	}
	return err
}

// unchanged reports whether a file is still the one that before describes, where nil means no
// file. If exact, it must also have the same content.
func (f *dataFiles) unchanged(name string, before fs.FileInfo, exact bool) (bool, error) {
	info, err := f.disk.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return before == nil, nil
	case err != nil:
		return false, err
	case before == nil:
		return false, nil
	case exact:
		return sameContent(f.disk, info, before), nil
	}
	return f.disk.SameFile(info, before), nil
}

// sameContent reports whether a file has not been written to between two Stats.
func sameContent(disk disk, a, b fs.FileInfo) bool {
	return disk.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// conflict returns the error for a file that another process changed. check returns it
// from now on.
func (f *dataFiles) conflict(name string) error {
	f.fatal = cmp.Or(f.fatal, fmt.Errorf("%s was changed by another program, so nothing was written: "+
		"stop all other programs that use it, then restart this one to load the file as it is now", name))
	return f.fatal
}

// append writes records, given in parts, to the journal and returns when they are durable.
func (f *dataFiles) append(records []string) error {
	if err := f.check(); err != nil {
		return err
	}
	before := f.logInfo
	if err := f.write(records); err != nil {
		// A refused update must not come back.
		undoErr := errors.Join(f.journal.Truncate(before.Size()), f.journal.Sync())
		if undoErr != nil {
			f.uncertain = true
		}
		f.closeJournal() // its content is in doubt: a fold must come before the next record
		f.logInfo = before
		return err
	}
	f.unfoldedBytes += f.logInfo.Size() - before.Size()
	return nil
}

// write appends records to the journal, sets logInfo, and checks that this process still owns
// the data.
func (f *dataFiles) write(records []string) error {
	for _, part := range records {
		f.out.WriteString(part) // Flush returns the error
	}
	if err := f.out.Flush(); err != nil {
		return err
	}
	if err := f.journal.Sync(); err != nil {
		return err
	}
	info, err := f.journal.Stat()
	if err != nil {
		return err
	}
	f.logInfo = info
	// A service that has retired the journal meanwhile may have read it before the records
	// were written.
	return f.check()
}

func (f *dataFiles) closeJournal() {
	if f.journal != nil {
		f.journal.Close()
		f.journal = nil
	}
}

// needsFold reports whether a fold must come before the next update is acknowledged: there
// is no journal, or no flats.json for it to apply to, or the content of a journal is uncertain.
func (f *dataFiles) needsFold() bool { return f.journal == nil || f.baseInfo == nil || f.uncertain }

// create creates an empty journal. It fails if there is one.
func (f *dataFiles) create() error {
	journal, err := f.disk.Open(f.log, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	info, err := journal.Stat()
	if err != nil {
		journal.Close()
		f.disk.Remove(f.log)
		return err
	}
	f.journal, f.logInfo = journal, info
	f.out = bufio.NewWriterSize(journal, 1<<16)
	f.unfoldedBytes = 0
	if err = f.disk.SyncDir(filepath.Dir(f.log)); err != nil {
		f.closeJournal() // the file stays, because it may belong to a service that has taken over
	}
	return err
}

var (
	retiredSuffix = regexp.MustCompile(`^\.[0-9]{6}-[A-Z2-7]{8}$`) // a number, and the ID of the process that retired it
	tempSuffix    = regexp.MustCompile(`^\.[A-Z2-7]{8,}\.tmp$`)    // the ID of a process
)

// list returns the files whose names are the given one and a matching suffix, sorted.
func (f *dataFiles) list(name string, suffix *regexp.Regexp) ([]string, error) {
	paths, err := f.disk.List(name + ".")
	isOther := func(path string) bool { return !suffix.MatchString(path[len(name):]) }
	return slices.DeleteFunc(paths, isOther), err
}

// retire renames the journal, if this process has one, and starts a new one. It is a conflict
// if there is a retired journal that this process has neither loaded nor made.
func (f *dataFiles) retire() error {
	f.closeJournal()
	if f.logInfo != nil {
		if err := f.renameJournal(); err != nil {
			return err
		}
		// On a full disk each attempt to fold would leave another journal without updates: keep
		// only the first one.
		last := len(f.retired) - 1
		if last > 0 && f.unfoldedBytes == 0 {
			if err := f.disk.Remove(f.retired[last]); err == nil {
				f.retired = f.retired[:last]
			}
		}
	}
	if err := f.startJournal(); err != nil {
		return err
	}
	names, err := f.list(f.log, retiredSuffix)
	for _, name := range names {
		if !slices.Contains(f.retired, name) {
			return f.conflict(name)
		}
	}
	return err
}

// startJournal creates a journal. Its first records hold the files in imported, because
// flats.json does not, and do not count as updates. It is a conflict if there is a journal.
func (f *dataFiles) startJournal() error {
	err := f.create()
	if errors.Is(err, fs.ErrExist) {
		err = f.conflict(f.log)
	}
	if err != nil || len(f.imported) == 0 {
		return err
	}
	var records []string
	for _, file := range f.imported {
		records = append(records, newRecords(&file, nil)...)
	}
	err = f.append(records)
	f.unfoldedBytes = 0
	return err
}

// renameJournal gives the journal a name that sorts after all other retired journals. It
// renames it again if another service retires a journal at the same time. It is a conflict
// if this process has a journal, and the renamed file is another one.
func (f *dataFiles) renameJournal() error {
	own, earlier := f.logInfo, slices.Clip(f.retired)
	name := f.log
	number := 0
	for {
		last, err := f.lastRetired(name)
		if err != nil {
			return err
		}
		if number > last {
			break
		}
		number = last + 1
		next := fmt.Sprintf("%s.%06d-%s", f.log, number, f.processID)
		if err := f.disk.Rename(name, next); err != nil {
			return err
		}
		name = next
		f.retired = append(earlier, name)
		f.logInfo = nil
	}
	if own == nil {
		return nil
	}
	return f.checkFile(name, own, false)
}

// lastRetired returns the number in the name of the last retired journal other than the given
// one, or 0 if there is none.
func (f *dataFiles) lastRetired(except string) (number int, err error) {
	names, err := f.list(f.log, retiredSuffix)
	for _, name := range names {
		if name != except {
			fmt.Sscanf(name[len(f.log):], ".%d-", &number) // no error: the suffix matches
		}
	}
	return number, err
}

// writeBase writes flats to the temporary file, for fold to rename into place.
func (f *dataFiles) writeBase(flats *snapshot[Flat]) error {
	mode := fs.FileMode(0o600) // phone numbers and notes are private
	if f.baseInfo != nil {
		mode = f.baseInfo.Mode().Perm()
	}
	return writeTemp(f.disk, f.temp, mode, func(w *bufio.Writer) {
		w.WriteByte('[')
		separator := "\n"
		var line []byte
		for _, flat := range flats.all() {
			w.WriteString(separator)
			separator = ",\n"
			line = flat.appendStored(line[:0])
			w.Write(line)
		}
		w.WriteString("\n]\n")
	})
}

// fold completes a fold: it renames the file that writeBase has written to flats.json, and
// removes the retired journals, whose updates that file has. writeErr is what writeBase
// returned. If it is not nil, fold only removes the temporary file and returns writeErr.
func (f *dataFiles) fold(writeErr error) error {
	err := writeErr
	if err == nil {
		err = f.check()
	}
	if err != nil {
		f.disk.Remove(f.temp)
		return err
	}
	info, err := replace(f.disk, f.temp, f.base)
	if info != nil {
		f.baseInfo = info
	}
	if err != nil {
		return err
	}
	// Keep what was damaged: it may have been an acknowledged update.
	if len(f.damaged) > 0 {
		name := f.log + ".damaged-" + f.processID
		err := writeTemp(f.disk, name, 0o600, func(w *bufio.Writer) { w.Write(f.damaged) })
		if err != nil {
			return err
		}
		f.damaged = nil
		if err := f.disk.SyncDir(filepath.Dir(f.log)); err != nil {
			return err
		}
	}
	for len(f.retired) > 0 {
		if err := f.disk.Remove(f.retired[0]); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		f.retired = f.retired[1:]
	}
	// A journal that an error has closed may still contain a refused update.
	if f.journal != nil {
		f.uncertain = false
	}
	return nil
}

// writeViews replaces the content of views.json and returns when that is durable. After an
// error it tries to restore the file, unless another service has taken over.
func (f *dataFiles) writeViews(text string) error {
	if err := f.check(); err != nil {
		return err
	}
	same, err := f.unchanged(f.views, f.viewsInfo, true)
	if err == nil && !same {
		err = fmt.Errorf("%s was changed by another program: restart this one to load it as it is now", f.views)
	}
	if err != nil {
		return err
	}
	replaced, err := f.replaceViews(text)
	if err == nil {
		err = f.check() // a service that has taken over may have loaded the old views
	}
	if err == nil {
		f.viewsText = text
		return nil
	}
	if !replaced || f.fatal != nil {
		return err // the file is as it was, or another service owns it
	}
	if f.viewsText == "" { // there was no file
		f.viewsInfo = nil
		f.disk.Remove(f.views)
	} else {
		f.replaceViews(f.viewsText)
	}
	return err
}

// replaceViews replaces views.json with a new file, and reports whether it has done so.
func (f *dataFiles) replaceViews(text string) (replaced bool, err error) {
	temp := f.views + "." + f.processID + ".tmp"
	err = writeTemp(f.disk, temp, 0o600, func(w *bufio.Writer) { w.WriteString(text) })
	if err != nil {
		return false, err
	}
	info, err := replace(f.disk, temp, f.views)
	if info != nil {
		f.viewsInfo = info
	}
	return info != nil, err
}

// A loadedJournal is a journal as load has read it.
type loadedJournal struct {
	name string
	text []byte
}

// load reads the flats from all files, and changes no file. It also sets baseInfo,
// retired, damaged and imported. Errors name flats.json by path.
func (f *dataFiles) load(path string, codes *PostalCodes, log *slog.Logger) ([]*Flat, error) {
	// While another service folds, updates move from the journal to a retired one
	// and on to flats.json. Reading in this order misses none of them.
	text, _, err := readAll(f.disk, f.log, maxFile)
	if err != nil {
		return nil, err
	}
	f.retired, err = f.list(f.log, retiredSuffix)
	if err != nil {
		return nil, err
	}
	journals := []loadedJournal{{f.log, text}} // the newest first
	hasUpdates := len(text) > 0
	for _, name := range slices.Backward(f.retired) {
		if text, _, err = readAll(f.disk, name, maxFile); err != nil {
			return nil, err
		}
		journals = append(journals, loadedJournal{name, text})
		hasUpdates = hasUpdates || len(text) > 0
	}
	text, f.baseInfo, err = readAll(f.disk, f.base, maxFile)
	if err != nil {
		return nil, err
	}
	var flats []*Flat
	if f.baseInfo != nil {
		if flats, err = readFlats(path, text, codes, log); err != nil {
			return nil, fmt.Errorf("%w (the file is left as it is: fix it, or put a backup in its place)", err)
		}
	} else if hasUpdates {
		return nil, fmt.Errorf("%s is missing, but %s has updates to it: "+
			"restore the file, or move the journal away to start without flats", path, f.log)
	}
	replay := newReplay(flats, codes, log)
	f.damaged = nil
	for _, j := range slices.Backward(journals) {
		size, err := replay.applyJournal(j.name, j.text)
		if err != nil {
			return nil, err
		}
		if rest := j.text[size:]; len(rest) > 0 {
			log.Warn("the journal ends in an incomplete or damaged record: cut off, and kept in *.log.damaged-*",
				"file", j.name, "bytes", len(rest))
			f.damaged = append(f.damaged, rest...)
		}
	}
	f.imported = replay.imported
	return replay.end()
}

// takeOver creates the journal. It first retires the journal of a service that is running or
// was killed. If the files cannot be loaded, it changes nothing and returns the error. If the
// journal cannot be created or retired, it only logs that every update will be refused.
func (f *dataFiles) takeOver(path string, codes *PostalCodes, log *slog.Logger) error {
	for {
		err := f.create()
		if err == nil {
			return nil
		}
		if !errors.Is(err, fs.ErrExist) {
			log.Warn("every update will be refused", "err", err)
			return nil
		}
		if _, err := f.load(path, codes, slog.New(slog.DiscardHandler)); err != nil {
			return err
		}
		err = f.renameJournal()
		if errors.Is(err, fs.ErrNotExist) {
			continue // another process has retired it in the meantime
		}
		if err != nil {
			f.fatal = fmt.Errorf("cannot take over the journal: %w; restart once its folder is writable", err)
			log.Warn("every update will be refused", "err", f.fatal)
			return nil
		}
	}
}

// unfolded reports whether there is something to fold: updates in the journal, a retired
// journal, or a journal that was closed by an error.
func (f *dataFiles) unfolded() bool {
	closedByError := f.journal == nil && f.logInfo != nil
	return f.unfoldedBytes > 0 || len(f.retired) > 0 || closedByError
}

// outgrown reports whether the journal is larger than flats.json. Folding it then costs
// no more than writing it did.
func (f *dataFiles) outgrown() bool {
	return f.baseInfo != nil && f.unfoldedBytes > max(smallestFold, f.baseInfo.Size())
}

// close closes the journal, and removes it if it has no records. It renames the journal first,
// so that it never removes the journal of a service that takes over at the same time.
func (f *dataFiles) close() error {
	f.closeJournal()
	if f.logInfo == nil || f.logInfo.Size() > 0 || f.check() != nil {
		return nil
	}
	if err := f.renameJournal(); err != nil {
		return err
	}
	return f.disk.Remove(f.retired[len(f.retired)-1])
}

// The store
// ---------

// A Store keeps flats in memory and, if it has files, on disk. Its methods are safe for
// concurrent use.
//
// Readers take a snapshot of the flats. They never wait for the disk, only for mu while the
// writer replaces the snapshot. All changes go through one goroutine, the [writer]. A change
// that fails leaves memory and files as they were.
//
// These are the locks, in the order in which a goroutine takes them. A task gives up its turn
// before it waits for a lock listed above turns. PostalCodes has its own table, with its own
// sortingOne, sortingSeveral and mu.
//
//	lock                     guards                       is held                    by
//	unpacking                memory for unpacked bodies   during one HTTP import     HTTP imports
//	Views.changing           the list of views            until it is durable        changes of views, messages
//	clock.applying           the time of an import        until that is durable      imports, messages
//	duplicates.making        the kept answer              while flats are compared   /duplicates
//	table.sortingOne         memory for a sort            while all rows are sorted  queries by one field
//	table.sortingSeveral     memory for a sort            while all rows are sorted  queries by several fields
//	turns                    a processor                  for 20 ms at a time        tasks longer than 5 ms
//	mu                       flats and rows               for moments                everyone
//	table.mu                 the cached orders            for moments                queries, the writer
//	index.words.mu           the posting lists            for moments                searches, the index
//	clock.mu, outcomes.mu    their own times and list     for moments                everyone
//	notifier.mu              the state of messages        for moments                messages, /notify
//	finder.mu                the state of the finder      for moments                the finder, /travel
//
// The writer takes only locks that are held for moments, so that it waits for nothing but
// the disk. The keeper needs no lock: it publishes its state through an atomic pointer.
//
// These are the channels:
//
//	channel             sent to by                                   received from by
//	writer.jobs         change and call, which wait for job.done     the writer
//	writer.folding      the goroutine that writes flats.json         the writer
//	writer.quit         Close closes it, and waits for closed        the writer, its clients and the index
//	index.changed       the writer, which does not wait              the index
//	index.searchable    the index closes it when it is built         searches
//	forNotifier         imports and timers, which do not wait        messages
//	forFinder           imports and updates, which do not wait       the finder
//	forKeeper           imports and updates, which do not wait       the keeper
type Store struct {
	codes *PostalCodes
	log   *slog.Logger
	now   func() time.Time
	table *Table[Flat]

	mu    sync.RWMutex
	flats *snapshot[Flat]
	rows  map[string]uint32 // by the text of the id

	versions    atomic.Uint64 // the last version given to a flat
	index       textIndex
	duplicates  keptDuplicates
	clock       importClock
	outcomes    outcomes
	unpacking   sync.Mutex
	forNotifier chan struct{} // receives after an import, and when a refused message is due
	forFinder   chan struct{} // receives after an import or update
	forKeeper   chan struct{} // likewise
	turns       lock
	writer      writer
}

// newStore returns a running store of flats. If files is nil, it keeps them in memory only.
// fields names the fields that the config adds to queries. The caller must call Close.
func newStore(flats []*Flat, codes *PostalCodes, log *slog.Logger, files *dataFiles, fields ...string) *Store {
	s := &Store{
		codes:       codes,
		log:         log,
		now:         time.Now,
		table:       newTable(queryFields(log, fields...)),
		flats:       &snapshot[Flat]{},
		rows:        make(map[string]uint32, len(flats)),
		duplicates:  keptDuplicates{making: newLock()},
		outcomes:    outcomes{list: []Outcome{}},
		forNotifier: make(chan struct{}, 1),
		forFinder:   make(chan struct{}, 1),
		forKeeper:   make(chan struct{}, 1),
		turns:       newLock(),
	}
	s.clock.now = func() time.Time { return s.now() } // tests replace s.now
	s.index = textIndex{
		current:    s.snapshot,
		searchable: make(chan struct{}),
		changed:    make(chan struct{}, 1),
	}
	w := &s.writer
	*w = writer{
		store:  s,
		jobs:   make(chan *job),
		quit:   make(chan struct{}),
		closed: make(chan error, 1),
		files:  files,
	}
	w.close = sync.OnceValue(func() error {
		close(w.quit)
		return <-w.closed
	})
	edits := make([]edit, len(flats))
	for i, f := range flats {
		edits[i].after = f // publish reads nothing else
		s.clock.load(f)
	}
	s.publish(edits)
	go s.index.run(w.quit)
	go w.run()
	return s
}

// Close stops the writer, which finishes the changes that it has begun and folds the
// journal. Later changes fail. Close may be called more than once.
func (s *Store) Close() error { return s.writer.close() }

// openStore reads the flats.json at path and its journals, and returns a running store, whose
// writer first folds the journals. Without a flats.json the store is empty, and the first
// change creates the file.
func openStore(path string, disk disk, codes *PostalCodes, log *slog.Logger, fields ...string) (*Store, error) {
	base, err := resolve(disk, path)
	if err != nil {
		return nil, err
	}
	views, err := resolve(disk, filepath.Join(filepath.Dir(path), "views.json"))
	if err != nil {
		return nil, err
	}
	id := rand.Text()[:8]
	f := &dataFiles{
		disk:      disk,
		base:      base,
		log:       path + ".log",
		processID: id,
		temp:      base + "." + id + ".tmp",
		views:     views,
	}
	if err := f.takeOver(path, codes, log); err != nil {
		return nil, err
	}
	// Remove the temporary files of processes that were killed, and of one that is
	// still running, so that it cannot replace flats.json any more.
	temps, _ := f.list(base, tempSuffix)
	viewTemps, _ := f.list(views, tempSuffix)
	for _, name := range slices.Concat(temps, viewTemps) {
		disk.Remove(name)
	}
	// From here on no other service can change the files.
	flats, err := f.load(path, codes, log)
	f.uncertain = len(f.retired) > 0 // their former owners may still truncate them
	var text []byte
	if err == nil {
		text, f.viewsInfo, err = readAll(disk, views, maxFlat)
	}
	if err != nil {
		return nil, errors.Join(err, f.close())
	}
	f.viewsText = string(text)
	return newStore(flats, codes, log, f, fields...), nil
}

// resolve returns the path with its symbolic links resolved. A link to a file that does not
// exist is an error.
func resolve(disk disk, path string) (string, error) {
	target, err := disk.EvalSymlinks(path)
	if err == nil {
		return target, nil
	}
	if info, err := disk.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return "", fmt.Errorf("%s is a symbolic link to a file that does not exist: "+
			"mount or create that file, or remove the link", path)
	}
	return path, nil
}

// snapshot returns the current flats.
func (s *Store) snapshot() *snapshot[Flat] {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.flats
}

// Get returns the current flat of an id, or nil.
func (s *Store) Get(id string) *Flat {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if row, ok := s.rows[id]; ok {
		return s.flats.row(row)
	}
	return nil
}

// publish makes edits visible to readers, all at once.
func (s *Store) publish(edits []edit) {
	s.mu.Lock()
	rows := make([]uint32, len(edits))
	flats := make([]*Flat, len(edits))
	for i, e := range edits {
		id := e.after.ID.String()
		row, ok := s.rows[id]
		if !ok {
			row = uint32(len(s.rows))
		}
		s.rows[id] = row // also replaces the old key, which shares the memory of the old flat
		rows[i], flats[i] = row, e.after
	}
	s.flats = s.flats.withRecords(rows, flats)
	s.mu.Unlock()
	wake(s.index.changed)
}

// wake sends to a buffered channel, unless that is full.
func wake(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// wakeSeekers makes the finder and the keeper look at the flats again.
func (s *Store) wakeSeekers() {
	wake(s.forFinder)
	wake(s.forKeeper)
}

// Search returns the page that q asks for among the flats that match a full-text search.
func (s *Store) Search(work *task, text string, q *Query) (Page[Flat], error) {
	search, err := parseSearch(work, text)
	if err != nil {
		return Page[Flat]{}, err
	}
	found, flats := s.index.match(work, search)
	return s.table.find(work, flats, q, found), nil
}

// Find returns the page that a query asks for. The query may include a full-text search.
func (s *Store) Find(work *task, q *Query) (Page[Flat], error) {
	if q.search == "" {
		return s.table.find(work, s.snapshot(), q, nil), nil
	}
	return s.Search(work, q.search, q)
}

// A textIndex is the index of words of the flats. Its goroutine updates it after each
// change of the flats. Until then, searches read the texts of the flats that have changed.
type textIndex struct {
	current    func() *snapshot[Flat]
	searchable chan struct{}
	changed    chan struct{}                  // receives when the flats have changed
	words      *Index                         // set before searchable is closed
	indexed    atomic.Pointer[snapshot[Flat]] // words may be newer
}

// run builds the index, and then updates it until quit is closed.
func (x *textIndex) run(quit <-chan struct{}) {
	indexed := x.current()
	x.words = newIndex(indexed.size, func(row uint32) document { return indexed.row(row).searched })
	x.indexed.Store(indexed)
	close(x.searchable)
	for {
		select {
		case <-x.changed:
		case <-quit:
			return
		}
		flats := x.current()
		for row, f := range flats.changed(indexed) {
			before := blank
			if int(row) < indexed.size {
				before = indexed.row(row)
			}
			differs := func(name string) bool {
				i := flatFields.byName[name]
				return before.field(i).JSON() != f.field(i).JSON()
			}
			if slices.ContainsFunc(searchedFields[:], differs) {
				x.words.update(row, before.searched, f.searched)
			}
		}
		indexed = flats
		x.indexed.Store(indexed)
	}
}

// match returns the current flats, and the rows of those that match a full-text search. It
// waits until the index is built.
func (x *textIndex) match(work *task, s search) (rowSet, *snapshot[Flat]) {
	work.wait(x.searchable)
	before := x.indexed.Load()
	found := x.words.match(work, s, before.size, func(row uint32) document { return before.row(row).searched })
	flats := x.current()
	all := newRowSet(flats.size) // with room for new flats
	copy(all, found)
	for row, f := range flats.changed(before) {
		all.set(row, s.matches(work, f.searched))
	}
	return all, flats
}

// A keptDuplicates is the last answer of Duplicates.
type keptDuplicates struct {
	making  lock // guards the rest, and is held while the answer is made
	list    string
	version uint64 // of the flats that were compared
}

// Duplicates returns the groups of flats that are probably the same home, as a JSON
// list, and the version of the flats. It compares the flats once for each version.
func (s *Store) Duplicates(work *task) (list string, version uint64) {
	kept := &s.duplicates
	work.wait(kept.making)
	defer kept.making.release()
	flats := s.snapshot()
	if kept.list != "" && kept.version == flats.version {
		return kept.list, flats.version
	}
	homes := make([]home, 0, flats.size)
	for _, f := range flats.all() {
		homes = append(homes, f.home(work))
		work.step(100 + len(f.MergedIDs.JSON()) + len(f.NotDuplicates.JSON()))
	}
	groups := duplicates(work, homes)
	answer := make([]duplicateGroup, len(groups))
	for i, g := range groups {
		for _, row := range g.rows {
			answer[i].IDs = append(answer[i].IDs, json.RawMessage(flats.row(row).ID.JSON()))
		}
		answer[i].Because = g.because
	}
	kept.list, kept.version = encodeJSON(answer), flats.version
	return kept.list, flats.version
}

// A duplicateGroup lists flats that are probably the same home, and why.
type duplicateGroup struct {
	IDs     []json.RawMessage `json:"ids"`
	Because []string          `json:"because"`
}

// home returns what the search for duplicates compares. Cost and area are NaN unless
// both are known.
func (f *Flat) home(work *task) home {
	h := home{
		links: slices.Concat(linksIn(work, "photo", f.Photos.JSON()), linksIn(work, "url", f.URLs.JSON())),
		cost:  math.NaN(),
		area:  math.NaN(),
		rooms: math.NaN(),
	}
	if f.Status.JSON() == `"duplicate"` {
		return h // without an id, it is in no group, but may show that an agency reuses its photos
	}
	if f.Cost.Known() && f.Area.Known() {
		h.cost, h.area = f.Cost.number, f.Area.number
	}
	if f.Rooms.Known() {
		h.rooms = f.Rooms.number
	}
	h.id = f.ID.String()
	h.currency = cmp.Or(currencySigns[f.Currency.String()], f.Currency.String())
	h.code, h.location = f.ServicePostalCode.String(), f.Location.String()
	digits := strings.FieldsFunc(f.Phone.String(), func(r rune) bool { return r < '0' || r > '9' })
	h.phone = strings.Join(digits, "")
	h.merged, h.apart = f.MergedIDs.ids(), f.NotDuplicates.ids()
	return h
}

var currencySigns = map[string]string{"€": "EUR", "$": "USD", "£": "GBP"}

// linksIn returns the distinct web addresses in a JSON text, as links with the given reason.
func linksIn(work *task, reason, text string) (found []link) {
	seen := map[string]bool{}
	// A web address contains no quotes, so that splitting at them keeps it whole.
	for part := range strings.SplitSeq(text, `"`) {
		work.step(20 + len(part))
		url := escapesInURLs.Replace(part)
		if strings.HasPrefix(url, "http") && !seen[url] {
			seen[url] = true
			found = append(found, link{reason, url})
		}
	}
	return found
}

var escapesInURLs = strings.NewReplacer(`\/`, "/", `\u0026`, "&")

// Updates
// -------

// Update sets the members of a JSON object on a flat: all of them or, on error, none. It
// returns when the update is durable. A flat as GET serves it is also accepted: its postal
// code may be an object, and members that only imports set must have the flat's values. If
// isCurrent is not nil, the update fails unless isCurrent accepts the flat's version. by is
// omitted if the config has no people. Otherwise it is the person who makes the update, or ""
// if the request names nobody; the object may then have the person's rating. The error is a
// *failure if the text is invalid, or if the flat is missing or has changed.
func (s *Store) Update(id string, text []byte, isCurrent func(uint64) bool, by ...string) (after *Flat, err error) {
	set, err := parseObject(text)
	if err == nil {
		err = unwrapCode(set)
	}
	if err != nil {
		return nil, fail(statusInvalid, "Invalid payload provided: %v.", err)
	}
	person := ""
	if len(by) > 0 {
		person = by[0]
	}
	err = s.change(func(current func(id string) *Flat) ([]edit, error) {
		before := current(id)
		if before == nil {
			return nil, noFlat(id)
		}
		if isCurrent != nil && !isCurrent(before.version) {
			return nil, fail(statusChanged, "The flat has changed since: read it again.")
		}
		var e edit
		err := before.dropFixed(set, by)
		if err == nil {
			now := s.now().UTC().Format(jsonTime)
			e, err = s.edit(before, before.recorded(set, now, person), now, nil)
		}
		if err != nil {
			return nil, fail(statusInvalid, "Invalid payload provided: %v.", err)
		}
		after = e.after
		if after == before {
			return nil, nil
		}
		return []edit{e}, nil
	}, nil)
	s.wakeSeekers()
	return after, err
}

// dropFixed deletes the members that an update cannot set. It returns an error if one of them
// differs from the flat's value. by is that of Update.
func (f *Flat) dropFixed(set members, by []string) error {
	unknown := f.unknownMembers()
	for _, name := range slices.Sorted(maps.Keys(set)) {
		text, current := set[name], unknown[name]
		// Without a person, rating is an unknown member that an import may have brought.
		isRating := name == "rating" && len(by) > 0 && (by[0] != "" || current == nil)
		if isRating {
			if err := checkRating(set, by[0]); err != nil {
				return fmt.Errorf("rating: %w", err)
			}
			continue
		}
		if i, ok := flatFields.byName[name]; ok {
			if name != "id" && !slices.Contains(importFields, name) {
				continue // an update can set it
			}
			current = json.RawMessage(f.field(i).JSON())
		}
		switch {
		case name == "id":
			var id Identifier
			if err := id.set(string(text)); err != nil {
				return fmt.Errorf("id: %w", err)
			}
			if id.String() != f.ID.String() { // 7 and "7" are the same id
				return fmt.Errorf("id: the id of the flat is %s and cannot be changed", current)
			}
		case current == nil && string(text) != "null":
			return fmt.Errorf("%s: a flat has no such field", name)
		case current != nil && !sameValue(current, text):
			return fmt.Errorf("%s: only an import can change it", name)
		}
		delete(set, name)
	}
	return nil
}

// checkRating checks the rating in an update by a person.
func checkRating(set members, by string) error {
	switch {
	case by == "":
		return errors.New("name the person with ?by=")
	case set["notation"] != nil:
		return errors.New("notation becomes the mean of the ratings, and cannot be set together with one")
	}
	return new(Number).set(string(set["rating"]))
}

// recorded returns the members that an update sets, and those that follow from them: corrected;
// status_since and status_by if the status changes; ratings and notation if there is a rating.
// now is the time of the update as JSON.
func (f *Flat) recorded(set members, now, by string) members {
	set = maps.Clone(set)
	said := f.Corrected.members()
	for _, name := range correctable {
		text, ok := set[name]
		if !ok {
			continue
		}
		said[name] = f.said(name)
		if sameValue(said[name], text) {
			delete(said, name)
		}
	}
	set["corrected"] = json.RawMessage(encodeJSON(said))
	if status, ok := set["status"]; ok && !sameValue(json.RawMessage(f.Status.JSON()), status) {
		set["status_since"] = json.RawMessage(now)
		set["status_by"] = json.RawMessage(newText(by).JSON())
	}
	if rating, ok := set["rating"]; ok {
		delete(set, "rating")
		set["ratings"], set["notation"] = f.Ratings.with(by, rating)
	}
	return set
}

// sameValue reports whether two JSON texts decode to equal values, with numbers as
// float64: 18.0 equals 18.
func sameValue(a, b json.RawMessage) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return bytes.Equal(a, b) // a number is out of range
	}
	return reflect.DeepEqual(x, y)
}

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

// noFlat returns the failure for an id that no flat has.
func noFlat(id string) error { return fail(statusMissing, "No flat with id %s.", id) }

// jsonTime is the layout of a time as a JSON string, with milliseconds if there are any.
const jsonTime = `"2006-01-02T15:04:05.999Z07:00"`

// An edit replaces a flat or, if before is blank, adds one.
type edit struct {
	before, after *Flat
	delta         string // a JSON object: the id, and the members that differ
}

// edit returns an edit that sets members of a flat as [Flat.withMembers] does, and UpdatedAt
// to now, given as JSON. If nothing differs, after is before.
func (s *Store) edit(before *Flat, set members, now string, log *slog.Logger) (e edit, err error) {
	after, err := before.withMembers(set, s.codes, log)
	if err != nil {
		return e, err
	}
	changed := after.served != before.served
	delta := members{"id": json.RawMessage(after.ID.JSON())}
	for name, text := range set {
		if i, isField := storedFields.byName[name]; isField {
			text = json.RawMessage(after.stored(i)) // not the given text, which may be invalid
			if before.stored(i) == string(text) {
				continue
			}
			changed = true // a field such as corrected is stored, but not in served
		}
		delta[name] = text
	}
	if !changed {
		return edit{before: before, after: before}, nil
	}
	if after.isLarge() {
		return e, fmt.Errorf("id %s: %w", excerpt(after.ID.JSON()), errLarge)
	}
	after.UpdatedAt.set(now) // no error: it is a time
	if before.UpdatedAt.at.After(after.UpdatedAt.at) {
		after.UpdatedAt = before.UpdatedAt // importClock relies on UpdatedAt never going back
	}
	delta["updated_at"] = json.RawMessage(after.UpdatedAt.JSON())
	after.version = s.versions.Add(1)
	return edit{before, after, encodeJSON(delta)}, nil
}

// change makes the edits that makeEdits returns, and returns when they are durable. source is
// not nil for an import.
func (s *Store) change(makeEdits editFunc, source *importedFile) error {
	return s.writer.do(&job{makeEdits: makeEdits, source: source})
}

// call lets the writer call f between changes, and returns the error of f. It does nothing if
// the store has no files.
func (s *Store) call(f func() error) error {
	if s.writer.files == nil {
		return nil
	}
	return s.writer.do(&job{call: f})
}

// writeViews makes the text of views.json durable, if the store has files.
func (s *Store) writeViews(text string) error {
	err := s.call(func() error {
		if err := s.writer.foldIf(s.writer.files.needsFold); err != nil {
			return err
		}
		return s.writer.files.writeViews(text)
	})
	if err != nil {
		return fmt.Errorf("nothing was stored: %w", err)
	}
	return nil
}

// check returns an error if another process has changed the files.
func (s *Store) check() error {
	return s.call(s.writer.files.check) // call ignores it if files is nil
}

// The writer
// ----------

// A writer is the goroutine that changes the flats of a store. It makes the changes that
// arrive at the same time durable with one fsync, and then visible: an import in parts, an
// update at once.
type writer struct {
	store  *Store
	jobs   chan *job
	quit   chan struct{}
	closed chan error   // receives the error of the shutdown; buffered
	close  func() error // closes quit, and returns that error

	// Only the writer's goroutine uses the fields below, except files.disk.
	files   *dataFiles // nil to keep flats in memory only
	folding chan error // receives the result of the fold in progress; nil if there is none
}

// A job is work for the writer: a change or, if call is not nil, another use of the files.
type job struct {
	makeEdits editFunc
	source    *importedFile // not nil for an import
	call      func() error
	done      chan error // receives the result; buffered
}

// An editFunc returns the edits of a change. current returns the latest flat with an id,
// or nil.
type editFunc func(current func(id string) *Flat) ([]edit, error)

// call calls f. A panic in f becomes an error, so that only one job fails.
func (f editFunc) call(current func(id string) *Flat) (edits []edit, err error) {
	defer func() {
		if what := recover(); what != nil {
			err = fmt.Errorf("internal error: %v", what)
		}
	}()
	return f(current)
}

var errClosed = errors.New("the service is stopping")

// do hands a job to the writer and returns its result.
func (w *writer) do(j *job) error {
	j.done = make(chan error, 1)
	select {
	case w.jobs <- j:
		return <-j.done
	case <-w.quit:
		return errClosed
	}
}

// run runs the writer until the store is closed.
func (w *writer) run() {
	if w.files != nil && w.files.unfolded() {
		w.startFold()
	}
	for {
		select {
		case j := <-w.jobs:
			w.commit(w.batch(j))
			if w.files != nil && w.folding == nil && w.files.outgrown() {
				w.startFold()
			}
		case written := <-w.folding:
			if err := w.endFold(written); err != nil {
				w.store.log.Warn("the journal could not be folded and keeps growing", "file", w.files.log, "err", err)
			}
		case <-w.quit:
			var err error
			if w.files != nil {
				err = errors.Join(w.foldIf(w.files.unfolded), w.files.close())
			}
			w.closed <- err
			return
		}
	}
}

// batch returns the first job and all others that are waiting.
func (w *writer) batch(first *job) []*job {
	batch := []*job{first}
	for {
		select {
		case j := <-w.jobs:
			batch = append(batch, j)
		default:
			return batch
		}
	}
}

// commit makes the edits of a batch durable and then visible, and answers the jobs.
func (w *writer) commit(batch []*job) {
	var edits []edit
	var records []string
	var accepted []*job
	latest := map[string]*Flat{}
	current := func(id string) *Flat { return cmp.Or(latest[id], w.store.Get(id)) }
	for _, j := range batch {
		if j.call != nil {
			j.done <- j.call()
			continue
		}
		jobEdits, err := j.makeEdits.call(current)
		if err != nil {
			j.done <- err
			continue
		}
		accepted = append(accepted, j)
		for _, e := range jobEdits {
			latest[e.after.ID.String()] = e.after
		}
		records = append(records, newRecords(j.source, jobEdits)...)
		edits = append(edits, jobEdits...)
	}
	err := w.append(records)
	if err != nil {
		err = fmt.Errorf("nothing was stored: %w", err)
	} else if len(edits) > 0 {
		for part := range slices.Chunk(edits, importBatch) {
			w.store.publish(part)
		}
		w.store.table.dropOld(w.store.flats)
	}
	for _, j := range accepted {
		if err == nil && j.source != nil && w.files != nil {
			j.source.updateIn(w.files.imported)
		}
		j.done <- err
	}
}

// append makes records durable, if the store has files. It folds first if needed, even without
// records: an update that changes nothing is answered from memory, which must be durable, too.
func (w *writer) append(records []string) error {
	if w.files == nil {
		return nil
	}
	if err := w.foldIf(w.files.needsFold); err != nil {
		return err
	}
	if len(records) == 0 {
		return nil
	}
	return w.files.append(records)
}

// startFold retires the journal and starts writing a new flats.json in the background.
// The result must be received from folding and passed to endFold.
func (w *writer) startFold() {
	written := make(chan error, 1)
	w.folding = written
	err := w.files.check()
	if err == nil {
		err = w.files.retire()
	}
	flats := w.store.snapshot()
	go func() {
		if err == nil {
			err = w.files.writeBase(flats)
		}
		written <- err
	}()
}

// endFold ends a fold. written is what was received from folding.
func (w *writer) endFold(written error) error {
	w.folding = nil
	return w.files.fold(written)
}

// foldIf folds if needed returns true. If a fold is in progress, foldIf first waits for it, which
// may be enough.
func (w *writer) foldIf(needed func() bool) (err error) {
	if needed() && w.folding != nil {
		err = w.endFold(<-w.folding)
	}
	if err == nil && needed() {
		w.startFold()
		err = w.endFold(<-w.folding)
	}
	return err
}

// Listings
// --------

// importFolder returns the import folder of the flats.json at a path.
func importFolder(data string) string { return filepath.Join(filepath.Dir(data), "import") }

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
	listings.Flats, err = readObjects(name, text, func(object members) (members, error) {
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
	if err == nil && f.isLarge() {
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

// listing returns one of the listings as members of a flat. It omits what is null or
// empty, and amounts without a number. If nothing else is left, it also omits the date.
func (b *fredyBody) listing(object members) (members, error) {
	listing := members{}
	texts, err := object.trimmedTexts("url", "title", "description", "address", "imageUrl")
	if err != nil {
		return nil, err
	}
	address := texts["url"]
	key := address
	if key == "" {
		var id Identifier
		if id.set(object.text("id")) != nil {
			return nil, errors.New("url: a listing must have one, or an id")
		}
		key = id.String()
	}
	set := func(name string, v any) { listing[name] = json.RawMessage(encodeJSON(v)) }
	amounts := map[string]string{"price": "cost", "size": "area", "rooms": "rooms"}
	if b.priceChanges {
		amounts = map[string]string{"newPrice": "cost"} // title and price describe the change
		clear(texts)
	}
	for from, to := range amounts {
		number, currency, err := readAmount(object[from], to != "cost")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from, err)
		}
		if !number.Known() {
			continue
		}
		listing[to] = json.RawMessage(number.JSON())
		if to == "cost" && currency != "" {
			set("currency", currency)
		}
	}
	for from, to := range map[string]string{"title": "title", "description": "text", "address": "location"} {
		if text := texts[from]; text != "" && text != noAddress {
			set(to, text)
		}
	}
	if photo := texts["imageUrl"]; photo != "" {
		set("photos", []map[string]string{{"url": photo}})
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
	sum := sha256.Sum256([]byte(key)) // fredy's own ids differ between its jobs
	set("id", fmt.Sprintf("%x@%s", sum[:8], b.provider))
	if address != "" {
		set("urls", []string{address})
	}
	return listing, nil
}

// trimmedTexts returns the named texts without white space around them, "" for null.
func (object members) trimmedTexts(names ...string) (map[string]string, error) {
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

var currencyCode = regexp.MustCompile(`\b[A-Z]{3}\b`)

// readAmount reads a number, or a text that contains one as sites write it, such as
// "1.240,50 €". It returns the number, or null if it cannot be read, and the currency that the
// text names. It reads only the first maxAmount characters of a text, not counting repeated
// white space. With decimal, 38.125 is about 38; otherwise it is 38125.
func readAmount(text json.RawMessage, decimal bool) (number Number, currency string, err error) {
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
	whole := unquote(string(text))
	// Sites may pad amounts with white space.
	amount := strings.Join(strings.Fields(whole[:min(len(whole), maxPadded)]), " ")
	runes := []rune(amount)
	if len(runes) > maxAmount || len(whole) > maxPadded {
		// The cut may split a number: drop its digits.
		amount = strings.TrimRight(string(runes[:min(len(runes), maxAmount)]), "0123456789.,'’ ")
	}
	number.set(firstNumber(amount, decimal)) // no error: it is a number or null
	if i := strings.IndexAny(amount, "€$£"); i >= 0 {
		sign, _ := utf8.DecodeRuneInString(amount[i:])
		return number, currencySigns[string(sign)], nil
	}
	return number, currencyCode.FindString(amount), nil
}

// Real amounts are shorter.
const (
	maxAmount = 64             // characters of an amount that are read
	maxPadded = 64 * maxAmount // bytes of an amount with its white space
)

var (
	groupedNumber = regexp.MustCompile(`\d+(?:[.,'’\s\x{A0}\x{202F}]\d+)*`)
	separators    = regexp.MustCompile(`\D+`)
)

// firstNumber returns the first number in a text as JSON, or "null". A separator before
// exactly three digits separates thousands. Any other point or comma is the decimal point, and
// any other separator ends the number. If decimal is set, or if the number begins with 0, a
// single point or comma is always the decimal point.
func firstNumber(text string, decimal bool) string {
	text = groupedNumber.FindString(text)
	if text == "" {
		return "null"
	}
	groups := separators.Split(text, -1)
	seps := separators.FindAllString(text, -1)
	number := groups[0]
	for i, sep := range seps {
		digits := groups[i+1]
		isPoint := sep == "." || sep == ","
		isDecimal := isPoint && len(seps) == 1 && (decimal || text[0] == '0')
		if len(digits) == 3 && !isDecimal {
			number += digits // thousands
			continue
		}
		if isPoint {
			number += "." + digits
		}
		break
	}
	number = strings.TrimLeft(number, "0")
	if number == "" || number[0] == '.' {
		number = "0" + number
	}
	return number
}

// Imports
// -------

// Counts holds the number of listings that an import added, updated or left unchanged,
// and of flats that it marked as gone.
type Counts struct {
	Added     int `json:"added"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
	Gone      int `json:"gone"`
}

// A listing never sets userFields or importFields on an existing flat, and an update
// never sets importFields.
var (
	userFields = []string{"id", "status", "status_since", "status_by", "notes", "notation", "ratings", "visit_date",
		"not_duplicates", "found_position", "kept_photos"}
	importFields = []string{"first_seen", "cost_history", "gone"}
)

// warnedFields are fields that no site has. A wrong value of one in a listing is dropped with a
// warning, and the import goes on.
var warnedFields = []string{"status_by", "ratings", "found_position", "kept_photos"}

// importBatch is the number of flats of an import that become visible at once. It is
// small, because readers wait while a batch becomes visible.
const importBatch = 256

// Import adds the listings with new ids, and sets the fields of the others on the flats
// with their ids. If the listings are complete for a site, it marks the site's other flats
// as gone. Import returns when everything is durable; after an error nothing has changed.
// source is the file that the listings come from, nil for none. Imports run one at a time.
// If ctx is done before the import is stored, the import ends.
func (s *Store) Import(ctx context.Context, listings Listings, source *importedFile) (Counts, error) {
	now := s.clock.begin()
	defer s.clock.end()
	plan := newImportPlan(ctx, s, listings, now)
	// Prepare the edits, so that the writer repeats only those of flats that change meanwhile.
	if _, err := editFunc(plan.edits).call(s.Get); err != nil {
		return Counts{}, err
	}
	if err := s.change(plan.edits, cmp.Or(source, &importedFile{})); err != nil {
		return Counts{}, err
	}
	for _, step := range plan.steps { // a listing may have brought times of its own
		s.clock.advance(step.edit.after.FirstSeen.at)
		s.clock.advance(step.edit.after.Gone.at)
	}
	wake(s.forNotifier)
	s.wakeSeekers()
	return plan.counts(), nil
}

// An importClock gives each import a later time than all imports before it, whatever the
// clock shows, and even after a restart. It is safe for concurrent use.
type importClock struct {
	now func() time.Time

	applying sync.Mutex // held by the import that is being applied, and by messages for a moment

	mu      sync.Mutex // guards the rest, and is taken after applying
	last    time.Time  // no import has a later time
	running time.Time  // of the import that is being applied, or the zero time
}

// load takes note of the times of a flat read at start, before any import. The service has set
// UpdatedAt, so that always counts. A listing may have brought the others, so advance ignores
// them if they are too far ahead.
func (c *importClock) load(f *Flat) {
	if at := f.UpdatedAt.at; at.After(c.last) {
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

// wholeMillisecond rounds a time up, because told and seen are stored in milliseconds.
func wholeMillisecond(at time.Time) time.Time {
	return at.Add(time.Millisecond - 1).Truncate(time.Millisecond)
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

// lastFinished waits until no import is being applied, and returns a time at or after those of
// all imports.
func (c *importClock) lastFinished() time.Time {
	c.applying.Lock()
	defer c.applying.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// between returns a time later than every finished import, and earlier than any that is under
// way or to come.
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

// An importPlan holds the effect of an import on each flat. It is prepared before the
// writer gets it, so that updates need not wait. The writer repeats only the steps whose
// flats have been updated since.
type importPlan struct {
	ctx   context.Context
	store *Store
	now   string // the time of the import, as JSON
	steps []importStep
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
	p := &importPlan{ctx: ctx, store: s, now: now.Format(jsonTime)}
	for _, listing := range listings.Flats {
		p.steps = append(p.steps, importStep{id: unquote(string(listing["id"])), listing: listing})
	}
	changes := p.goneChanges(listings.Complete)
	for _, id := range slices.Sorted(maps.Keys(changes)) {
		p.steps = append(p.steps, importStep{id: id, gone: json.RawMessage(changes[id])})
	}
	return p
}

// edits returns the edits that change anything, in order. It makes an edit only if it has
// not been made yet for the current flat.
func (p *importPlan) edits(current func(id string) *Flat) (edits []edit, err error) {
	latest := map[string]*Flat{} // several listings may have the same id
	for i := range p.steps {
		if err := p.ctx.Err(); err != nil {
			return nil, err
		}
		step := &p.steps[i]
		before := cmp.Or(latest[step.id], current(step.id), blank)
		if step.edit.before != before {
			set := members{"gone": step.gone}
			if step.listing != nil {
				set = step.listing.onto(before, p.now, p.store.codes)
			}
			// The log is for wrong values of warnedFields, which readListing accepts.
			step.edit, err = p.store.edit(before, set, p.now, p.store.log)
			if err != nil {
				return nil, err
			}
		}
		latest[step.id] = step.edit.after
		if step.edit.after != before {
			edits = append(edits, step.edit)
		}
	}
	return edits, nil
}

// goneChanges returns the new JSON values of gone, by id, for flats that the import does not list.
// The flats of the site get the time of the import; the site is "" if the import is not complete.
// A flat with a present one in its merged_ids is still there, too: its gone becomes or stays null.
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

// onto returns the members that a listing sets on a flat. now is the time of the import as
// JSON.
func (listing members) onto(before *Flat, now string, codes *PostalCodes) members {
	set := maps.Clone(listing)
	set.addCode(before, codes)
	if commute, ok := set[detailsCommute]; ok {
		delete(set, detailsCommute)
		details := before.Details
		if text, ok := set["details"]; ok {
			details.set(string(text)) // no error: any value fits
		}
		set["details"] = details.withMember("commute", commute)
	}
	var corrected Corrections
	corrected.set(set.text("corrected")) // no error: readListing has checked it
	// In a backup, cost may be the user's value, and corrected then has the listing's.
	said := cmp.Or(string(corrected.members()["cost"]), set.text("cost"))
	var cost Number
	cost.set(said)
	if before == blank {
		// A listing that has values in importFields, as a backup does, keeps them.
		if !slices.ContainsFunc(importFields, set.has) {
			set["first_seen"] = json.RawMessage(now)
			set["cost_history"] = blank.CostHistory.withCost(Number{}, cost, now)
		}
		return set
	}
	for _, name := range slices.Concat(userFields, importFields) {
		delete(set, name)
	}
	set["gone"] = json.RawMessage("null")
	var costBefore Number
	costBefore.set(string(before.said("cost")))
	set["cost_history"] = before.CostHistory.withCost(costBefore, cost, now)
	if merged := before.MergedIDs.list(); len(merged) > 0 && set["merged_ids"] != nil {
		added := AnyJSON{literal{string(set["merged_ids"])}}
		set["merged_ids"] = union(merged, added.list())
	}
	set.keepTimes(before)
	if !corrected.Known() { // a backup brings its own
		set.keepCorrections(before)
	}
	return set
}

// addCode looks for a postal code in the location of a listing that has no code, if the location
// is new or the flat would otherwise have no code. It leaves backups alone.
func (set members) addCode(before *Flat, codes *PostalCodes) {
	var location, code, constraint Text
	location.set(set.text("location")) // no errors: readListing has checked these
	code.set(set.text("service_postal_code"))
	constraint.set(cmp.Or(string(set["service_constraint"]), before.ServiceConstraint.JSON()))
	isBackup := set.has("corrected") || set.has("first_seen")
	if location.String() == "" || code.String() != "" || isBackup {
		return
	}
	if set["service_postal_code"] != nil {
		set["service_postal_code"] = json.RawMessage("null") // "" is no code, too
	}
	isNewLocation := !sameValue(before.said("location"), set["location"])
	_, isCorrected := before.Corrected.members()["service_postal_code"]
	keepsCode := set["service_postal_code"] == nil && before.ServicePostalCode.String() != ""
	if !isNewLocation && (isCorrected || keepsCode) {
		return
	}
	if found := codes.in(location.String(), constraint.String()); found != "" {
		set["service_postal_code"] = json.RawMessage(encodeJSON(found))
	}
}

// keepCorrections deletes the members of a listing that say nothing new about a field that the
// user has corrected. A member that says something else ends the correction.
func (set members) keepCorrections(before *Flat) {
	said := before.Corrected.members()
	for name, text := range said {
		if !set.has(name) || sameValue(set[name], text) {
			delete(set, name)
		} else {
			delete(said, name)
		}
	}
	set["corrected"] = json.RawMessage(encodeJSON(said))
}

// union returns a JSON list of the ids in a and b, each once.
func union(a, b []json.RawMessage) json.RawMessage {
	ids, seen := []json.RawMessage{}, map[string]bool{}
	for _, id := range slices.Concat(a, b) {
		if text := unquote(string(id)); !seen[text] {
			seen[text] = true
			ids = append(ids, id)
		}
	}
	return json.RawMessage(encodeJSON(ids))
}

// An Outcome tells what an import did.
type Outcome struct {
	At     string `json:"at"`
	Source string `json:"source"` // the name of a file, or HTTP
	Counts
	Error *string `json:"error"` // why the import was refused, nil if it was not
}

// outcomes holds the outcomes of the last 20 imports since the start, newest first.
type outcomes struct {
	mu   sync.Mutex
	list []Outcome
}

// addOutcome adds the outcome of an import to Outcomes.
func (s *Store) addOutcome(source string, counts Counts, err error) {
	o := Outcome{At: s.now().UTC().Format(time.RFC3339), Source: source, Counts: counts}
	if err != nil {
		text := err.Error()
		o.Error = &text
	}
	s.outcomes.mu.Lock()
	defer s.outcomes.mu.Unlock()
	older := s.outcomes.list[:min(len(s.outcomes.list), 19)]
	s.outcomes.list = append([]Outcome{o}, older...)
}

// Outcomes returns the outcomes of the last 20 imports since the start, newest first. The caller
// must not modify the slice.
func (s *Store) Outcomes() []Outcome {
	s.outcomes.mu.Lock()
	defer s.outcomes.mu.Unlock()
	return s.outcomes.list
}

// ImportText imports listings that a client has sent. If site is not "", they are
// complete for that site. The error is a *failure if the text is at fault.
func (s *Store) ImportText(text []byte, site string) (counts Counts, err error) {
	listings, err := readListings("body", text)
	if err == nil && site != "" {
		if err = listings.markComplete(site); err != nil {
			err = fmt.Errorf("complete: %w", err)
		}
	}
	isRefused := err != nil
	if !isRefused {
		// Not the context of the request: it also ends when a client closes only its sending side.
		counts, err = s.Import(context.Background(), listings, nil)
		isRefused = errors.Is(err, errLarge)
	}
	s.addOutcome("HTTP", counts, err)
	if isRefused {
		return counts, fail(statusInvalid, "Nothing was imported: %v.", err)
	}
	return counts, err
}

// placeImport writes listings to a file in an import folder, under a name that sorts
// after earlier ones. Every user may read the file, because the service may run as another user.
func placeImport(disk disk, folder string, listings Listings) error {
	if err := disk.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	name := filepath.Join(folder, time.Now().UTC().Format("20060102T150405.000000000")+".json")
	err := writeTemp(disk, name+".tmp", 0o644, func(w *bufio.Writer) { w.WriteString(encodeJSON(listings)) })
	if err == nil {
		_, err = replace(disk, name+".tmp", name)
	}
	return err
}

// The import folder
// -----------------

// A watcher imports the files in the import folder. It is not safe for concurrent use.
type watcher struct {
	store     *Store
	folder    string
	maxImport int64                   // bytes of a file
	imported  map[string]importedFile // files that were imported and are still in the folder, by name
	stuck     map[string]fs.FileInfo  // finished files that cannot be removed or renamed, by name
	unread    error                   // why the last scan could not read a file, nil if it read all
}

// newWatcher returns a watcher for a store that has files. A store may have only one, and
// no import may be running yet.
func newWatcher(store *Store, folder string, maxImport int64) *watcher {
	return &watcher{
		store:     store,
		folder:    folder,
		maxImport: maxImport,
		imported:  maps.Clone(store.writer.files.imported), // the map itself belongs to the writer
		stuck:     map[string]fs.FileInfo{},
	}
}

// watch imports the files that are in the folder and those that arrive, until ctx is done.
func (w *watcher) watch(ctx context.Context) {
	var logged time.Time // when the last error was logged
	for ctx.Err() == nil {
		wait := time.Second / 2
		err := w.scan(ctx)
		if err != nil {
			wait = 10 * time.Second
		}
		err = cmp.Or(err, w.unread)
		if err != nil && ctx.Err() == nil && time.Since(logged) >= 10*time.Second {
			w.store.log.Error("files in the import folder must wait", "folder", w.folder, "err", err)
			logged = time.Now()
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// importingSuffix ends the name of a file that is being imported. A file is renamed
// before it is read, so that another one can arrive under its name.
const importingSuffix = ".importing"

// scan imports the files in the folder in the order of their names, and removes them. It
// stops at the first error of the store, and when ctx is done. A file that cannot be read
// waits for the next scan.
func (w *watcher) scan(ctx context.Context) error {
	paths, err := w.store.writer.files.disk.List(w.folder + string(filepath.Separator))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	w.unread = nil
	present := map[string]bool{}
	for _, path := range paths {
		name := filepath.Base(path)
		present[importName(name)] = true
		if name[0] == '.' || strings.HasSuffix(name, ".tmp") || strings.Contains(name, ".rejected") {
			continue
		}
		if ctx.Err() != nil {
			return nil
		}
		if err := w.process(ctx, name); err != nil {
			return err
		}
	}
	for name := range w.imported {
		if present[name] {
			continue
		}
		if err := w.forget(name); err != nil {
			return err
		}
	}
	return nil
}

// importName returns the name under which a file arrived, quoted if it is not UTF-8.
func importName(name string) string {
	name = strings.TrimSuffix(name, importingSuffix)
	if !utf8.ValidString(name) {
		return strconv.Quote(name)
	}
	return name
}

// forget records in the journal that an imported file has left the folder, so that a new file
// with that name and content is imported. The record has only the name, without a sum.
func (w *watcher) forget(name string) error {
	delete(w.imported, name)
	noEdits := func(func(string) *Flat) ([]edit, error) { return nil, nil }
	return w.store.change(noEdits, &importedFile{Name: name})
}

// process imports a file and removes it. It renames an invalid one to *.rejected, unless the file
// is less than two seconds old and may be incomplete. An error means that the store has failed, or
// that ctx is done.
func (w *watcher) process(ctx context.Context, file string) error {
	disk, log := w.store.writer.files.disk, w.store.log
	name, path := importName(file), filepath.Join(w.folder, file)
	info, err := disk.Lstat(path)
	if err != nil {
		return nil // the file has left the folder
	}
	if stuck := w.stuck[file]; stuck != nil && sameContent(disk, info, stuck) {
		return nil
	}
	arrived := filepath.Join(w.folder, name)
	if importing := arrived + importingSuffix; importing != path {
		_, err := disk.Lstat(importing)
		if err == nil {
			return nil // an earlier file with this name comes first
		}
		if errors.Is(err, fs.ErrNotExist) && disk.Rename(path, importing) == nil {
			path = importing // otherwise it is read under its own name
		}
	}
	refused, err := w.importFile(ctx, path, arrived, info)
	if err != nil {
		return err
	}
	var failed *fs.PathError
	switch {
	case errors.As(refused, &failed): // the disk has failed: the next scan tries again
		w.unread = cmp.Or(w.unread, refused)
		return nil
	case refused == nil:
		err = disk.Remove(path)
	case time.Since(info.ModTime()).Abs() < 2*time.Second:
		return nil
	default:
		w.store.addOutcome(name, Counts{}, refused)
		log.Error("import refused", "file", arrived, "err", refused)
		err = disk.Rename(path, rejectedPath(disk, arrived))
	}
	if err == nil {
		err = disk.SyncDir(w.folder)
	}
	if err != nil {
		w.stuck[filepath.Base(path)] = info
		log.Error("cannot remove a file from the import folder; it is ignored from now on", "file", path, "err", err)
	} else if _, ok := w.imported[name]; ok {
		return w.forget(name)
	}
	return nil
}

// importFile imports the file at a path, unless that has been done. refused says why the
// file cannot be read or imported, and names it by the path at which it arrived. err says why
// the store failed.
func (w *watcher) importFile(ctx context.Context, path, arrived string, info fs.FileInfo) (refused, err error) {
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", arrived), nil
	}
	text, found, refused := readAll(w.store.writer.files.disk, path, w.maxImport)
	if refused == nil && found == nil { // it has left the folder, which is no mistake in the file
		refused = &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	if refused != nil {
		return refused, nil
	}
	listings, refused := readListings(arrived, text)
	if refused != nil {
		return refused, nil
	}
	name := filepath.Base(arrived)
	source := importedFile{name, fmt.Sprintf("%x", sha256.Sum256(text))}
	if w.imported[name] == source {
		return nil, nil
	}
	counts, err := w.store.Import(ctx, listings, &source)
	if errors.Is(err, errLarge) {
		return err, nil // the listing is small enough, but its flat would become too large
	}
	if err != nil {
		return nil, err
	}
	w.imported[name] = source
	w.store.addOutcome(name, counts, nil)
	w.store.log.Info("imported", "file", arrived,
		"added", counts.Added, "updated", counts.Updated, "unchanged", counts.Unchanged, "gone", counts.Gone)
	return nil, nil
}

// rejectedPath returns an unused path for a rejected file. It shortens names that would
// be too long for the file system.
func rejectedPath(disk disk, path string) string {
	folder, name := filepath.Split(path)
	name = strings.ToValidUTF8(name[:min(len(name), 230)], "") + ".rejected"
	unused := name
	for i := 2; ; i++ {
		if _, err := disk.Lstat(folder + unused); err != nil {
			return folder + unused
		}
		unused = fmt.Sprintf("%s-%d", name, i)
	}
}

// Seeking
// -------

// A seeker finds out what flats lack, and gets it from elsewhere: it looks at all flats at start
// and after changes, and asks for one thing at a time.
type seeker[Q any] struct {
	store   *Store
	changed <-chan struct{}            // receives when flats have changed
	every   time.Duration              // the shortest time between looks after changes
	look    func(*task) (isDone bool)  // stores what is known, and makes the queue of the rest
	ask     func(context.Context) bool // asks for the first in the queue, and reports whether it got an answer

	queue  []Q
	wait   time.Duration // after the last failure
	retry  time.Time     // nothing is asked for before this time
	looked time.Time     // when the flats were last looked at
}

const (
	askEvery   = time.Second
	storeEvery = 30 * time.Second // while there is something to ask for
	maxEdits   = 100              // flats that amend stores at once
)

// run seeks until ctx is done.
func (s *seeker[Q]) run(ctx context.Context) {
	changed, answered := true, false // since the last look
	for ctx.Err() == nil {
		since := time.Since(s.looked)
		mustStore := answered && (len(s.queue) == 0 || since >= storeEvery)
		mustLook := changed && since >= s.every || since >= time.Hour
		if mustStore || mustLook {
			isDone := s.lookOnce(ctx)
			changed = !isDone // look again at what could not be stored
			answered = false
		}
		gotAnswer := false
		if len(s.queue) > 0 && !time.Now().Before(s.retry) {
			gotAnswer = s.ask(ctx)
		}
		answered = answered || gotAnswer
		pause := askEvery
		switch {
		case gotAnswer && len(s.queue) > 0:
			pause = 0
		case !changed && !answered && len(s.queue) == 0:
			pause = time.Until(s.looked.Add(time.Hour))
		}
		select {
		case <-ctx.Done():
		case <-s.changed:
			changed = true
		case <-time.After(pause):
		}
	}
	if answered || changed {
		lastCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopGrace)
		defer cancel()
		s.queue = nil       // nothing more is asked for: look need not wait for answers before it stores
		s.lookOnce(lastCtx) // what it cannot store is asked for again after the next start
	}
}

// lookOnce calls look as one long task, and reports whether all that is known is stored.
func (s *seeker[Q]) lookOnce(ctx context.Context) (isDone bool) {
	var ended error // not used: isDone is false if the task had to end
	work := newTask(ctx, s.store.turns)
	defer work.finish(&ended)
	return s.look(work)
}

// amend stores the members that amended returns for each flat, as changes by the service itself.
// A flat that changes meanwhile is left alone, and so is one that would become too large. amend
// reports whether it has stored anything.
func (s *Store) amend(work *task, amended func(*Flat) members) (stored bool, err error) {
	var edits []edit
	store := func() error {
		work.pause()
		err := s.change(func(current func(id string) *Flat) ([]edit, error) {
			isStale := func(e edit) bool { return current(e.before.ID.String()) != e.before }
			return slices.DeleteFunc(edits, isStale), nil
		}, nil)
		if err != nil {
			return err
		}
		work.resume()
		edits, stored = nil, true
		return nil
	}
	for _, f := range s.snapshot().all() {
		if set := amended(f); len(set) > 0 {
			if e, err := s.edit(f, set, f.UpdatedAt.JSON(), nil); err == nil {
				edits = append(edits, e)
			}
		}
		work.step(3000 + len(f.served))
		if len(edits) == maxEdits {
			if err := store(); err != nil {
				return stored, err
			}
		}
	}
	if len(edits) > 0 {
		err = store()
	}
	return stored, err
}

// Kept photos
// -----------

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

// set keeps the valid photos even when it returns an error, unlike the set methods of other types.
// It accepts no hash but that of the URL, because hashes name files.
func (v *KeptPhotos) set(text string) error {
	var list []keptPhoto
	err := json.Unmarshal([]byte(text), &list)
	size := len(list)
	list = slices.DeleteFunc(list, func(p keptPhoto) bool { return p != newKeptPhoto(p.URL) })
	*v = KeptPhotos{photos: list}
	if len(list) > 0 {
		v.json = encodeJSON(list)
	}
	if err != nil || len(list) < size {
		return unexpected("a list of objects with url and its SHA-256 in hex as hash, or null", text)
	}
	return nil
}

const (
	maxFetched  = 30       // photos of a flat
	maxKept     = 1000     // kept photos of a flat, including those that the listing no longer names
	maxPhoto    = 10 << 20 // bytes
	maxPhotoURL = 4 << 10  // bytes
	day         = 24 * time.Hour
	keptAfter   = 7 * day // how long photos stay after their flat left the shortlist
)

// listedPhotos returns the photos of the listing that may be fetched.
func (f *Flat) listedPhotos() (listed []keptPhoto) {
	photos := f.Photos.list()
	if photos == nil { // one photo without a list
		photos = []json.RawMessage{json.RawMessage(f.Photos.JSON())}
	}
	for _, photo := range photos {
		text := photo // the address, unless the photo is an object
		var object members
		if json.Unmarshal(photo, &object) == nil {
			text = object["url"]
		}
		address := ""
		json.Unmarshal(text, &address) // address stays empty if text is not a string
		if mayBeFetched(address) {
			listed = append(listed, newKeptPhoto(address))
		}
	}
	return listed
}

// mayBeFetched reports whether a photo may have an address. When the connection is made,
// onlyPublic checks where the address leads.
func mayBeFetched(address string) bool {
	if len(address) > maxPhotoURL {
		return false
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return false
	}
	isHTTP := u.Scheme == "http" || u.Scheme == "https"
	return isHTTP && slices.Contains([]string{"", "80", "443"}, u.Port())
}

// isShortlisted reports whether the flat is followed, contacted or visited.
func (f *Flat) isShortlisted() bool {
	return slices.Contains([]string{"followed", "contacted", "visited"}, unquote(f.Status.JSON()))
}

var photoTypes = []string{"image/jpeg", "image/png", "image/gif", "image/webp"}

var (
	globalUnicast = netip.MustParsePrefix("2000::/3")     // all of IPv6 that is public
	nat64         = netip.MustParsePrefix("64:ff9b::/96") // the last four bytes are an IPv4 address
	sixToFour     = netip.MustParsePrefix("2002::/16")    // the four bytes after the prefix are an IPv4 address
	// The parts of IPv4 that are not public, although no method of netip.Addr says so.
	otherIPv4 = []netip.Prefix{
		netip.MustParsePrefix("0.0.0.0/8"),     // this network
		netip.MustParsePrefix("100.64.0.0/10"), // shared by the customers of a provider
		netip.MustParsePrefix("192.0.0.0/24"),  // special purposes
		netip.MustParsePrefix("198.18.0.0/15"), // benchmarks
		netip.MustParsePrefix("240.0.0.0/4"),   // reserved
	}
)

// isPublic reports whether an address belongs to the public internet, and not to this machine
// or a private network.
func isPublic(a netip.Addr) bool {
	a = a.Unmap()
	b := a.As16()
	switch {
	case nat64.Contains(a):
		a = netip.AddrFrom4([4]byte(b[12:16]))
	case sixToFour.Contains(a):
		a = netip.AddrFrom4([4]byte(b[2:6]))
	case a.Is6():
		return globalUnicast.Contains(a)
	}
	containsA := func(p netip.Prefix) bool { return p.Contains(a) }
	return a.IsGlobalUnicast() && !a.IsPrivate() && !slices.ContainsFunc(otherIPv4, containsA)
}

// onlyPublic refuses a connection to anything but a web server of the public internet. A
// dialer calls it with the address that it is about to connect to, so that neither a host name
// nor a redirect gets around it.
func onlyPublic(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	isWebPort := to.Port() == 80 || to.Port() == 443
	if err != nil || !isPublic(to.Addr()) || !isWebPort {
		return errors.New("not a public address with port 80 or 443")
	}
	return nil
}

// checkPhotoRedirect allows up to three redirects, and only to addresses that a photo may have.
func checkPhotoRedirect(r *http.Request, via []*http.Request) error {
	if len(via) > 3 || !mayBeFetched(r.URL.String()) {
		return http.ErrUseLastResponse
	}
	return nil
}

// A wantedPhoto is a photo that is to be fetched for a flat, as it will be kept.
type wantedPhoto struct {
	keptPhoto
	host  string
	flat  *Flat
	index int // among the photos of the flat
}

// A failedPhoto says how often and when a photo could not be fetched.
type failedPhoto struct {
	tries int
	last  time.Time
}

// A keeper fetches the photos of the shortlist, and keeps them in a folder. The file of a photo is
// named by the hash of its address and never changes. It is written before a flat names it, and
// removed when no flat names it any more. Only state and open may be called by goroutines other
// than that of run.
type keeper struct {
	seeker[wantedPhoto]
	folder   string // "" to keep nothing
	disk     disk
	client   *http.Client
	maxBytes int64

	sizes   map[string]int64       // bytes of each file by hash, nil until they are listed
	failed  map[string]failedPhoto // by the hash of the address
	failing map[string]bool        // the hosts whose last photo failed
	lastErr error                  // why the last photo that failed could not be fetched
	cleaned time.Time              // when photos were last removed
	isFull  bool                   // the photo that was fetched last did not fit into maxBytes
	err     error                  // why no photo can be stored, or nil

	published atomic.Pointer[keeperState] // what publish stored last
}

// A keeperState describes the keeper to other goroutines.
type keeperState struct {
	photos  int   // files in the folder
	bytes   int64 // in all files
	waiting int   // photos that are to be fetched
	failed  error // why some photos cannot be fetched, or nil
	err     error // why no photo can be stored, or nil
}

// newKeeper returns a keeper of at most maxBytes of photos, in a folder beside the flats.json at path.
func newKeeper(store *Store, path string, maxBytes int64) *keeper {
	transport := &http.Transport{
		DialContext:            (&net.Dialer{Control: onlyPublic}).DialContext,
		DisableCompression:     true,
		MaxIdleConns:           2,
		IdleConnTimeout:        10 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
	}
	k := &keeper{
		disk:     osDisk{},
		client:   &http.Client{Transport: transport, CheckRedirect: checkPhotoRedirect, Timeout: 20 * time.Second},
		maxBytes: maxBytes,
		failed:   map[string]failedPhoto{},
		failing:  map[string]bool{},
	}
	k.publish()
	k.seeker = seeker[wantedPhoto]{
		store:   store,
		changed: store.forKeeper,
		every:   lookEvery / 2, // so that a new photo is asked for within ten seconds
		look:    k.look,
		ask:     k.ask,
	}
	if store.writer.files != nil {
		k.folder = filepath.Join(filepath.Dir(path), "photos")
	}
	return k
}

// state returns the state that was last published. It is safe for concurrent use.
func (k *keeper) state() keeperState { return *k.published.Load() }

// total returns the number of bytes in the folder.
func (k *keeper) total() (bytes int64) {
	for _, size := range k.sizes {
		bytes += size
	}
	return bytes
}

// publish updates the state that others see.
func (k *keeper) publish() {
	state := keeperState{photos: len(k.sizes), bytes: k.total(), waiting: len(k.queue), err: k.err}
	if len(k.failed) > 0 {
		state.failed = fmt.Errorf("photos that could not be fetched: %d, the last one from %w", len(k.failed), k.lastErr)
	}
	k.published.Store(&state)
}

// setError records why no photo can be stored, or nil if photos can be. It logs a new reason.
func (k *keeper) setError(err error) {
	if err != nil && (k.err == nil || k.err.Error() != err.Error()) {
		k.store.log.Warn("photos cannot be kept", "folder", k.folder, "err", err)
	}
	k.err = err
}

// open opens a kept photo. The error is fs.ErrNotExist if it is not kept.
func (k *keeper) open(hash string) (file *os.File, contentType string, err error) {
	if k.folder == "" || !photoName.MatchString(hash) {
		return nil, "", fs.ErrNotExist
	}
	root, err := os.OpenRoot(k.folder)
	if err != nil {
		return nil, "", err
	}
	defer root.Close()
	info, err := root.Lstat(hash)
	if err == nil && !info.Mode().IsRegular() { // opening a pipe could block forever
		err = fs.ErrNotExist
	}
	if err == nil {
		file, err = root.Open(hash)
	}
	if err != nil {
		return nil, "", err
	}
	head := make([]byte, 512)
	n, _ := io.ReadFull(file, head) // a file that cannot be read has no type of photoTypes
	contentType = http.DetectContentType(head[:n])
	_, err = file.Seek(0, io.SeekStart)
	if !slices.Contains(photoTypes, contentType) {
		err = fs.ErrNotExist
	}
	if err != nil {
		file.Close()
	}
	return file, contentType, err
}

var (
	photoName     = regexp.MustCompile(`^[0-9a-f]{64}$`)
	photoTempName = regexp.MustCompile(`^[0-9a-f]{64}\.[A-Z2-7]+\.tmp$`)
)

// path returns the path of a file in the folder.
func (k *keeper) path(name string) string { return filepath.Join(k.folder, name) }

// listFolder lists the photos in the folder, and creates the folder if it is missing. It removes
// the temporary files of services that were killed.
func (k *keeper) listFolder() error {
	if err := k.disk.MkdirAll(k.folder, 0o700); err != nil {
		return err
	}
	paths, err := k.disk.List(k.folder + string(filepath.Separator))
	if err != nil {
		return err
	}
	sizes := map[string]int64{}
	for _, path := range paths {
		name := filepath.Base(path)
		if photoTempName.MatchString(name) {
			k.disk.Remove(path)
		}
		info, err := k.disk.Lstat(path)
		if err == nil && photoName.MatchString(name) && info.Mode().IsRegular() {
			sizes[name] = info.Size()
		}
	}
	k.sizes = sizes
	return nil
}

// look names the fetched photos in their flats, and queues the missing ones. At start and once
// a day it also lists the folder, and removes files that no flat names and the photos of flats
// that left the shortlist more than keptAfter ago. It reports whether all that is known is
// stored.
func (k *keeper) look(work *task) (isDone bool) {
	k.looked = time.Now()
	mayRemove := k.looked.Sub(k.cleaned) >= day
	err := k.store.check() // another service may own the data, and the photos
	if err == nil && (k.sizes == nil || mayRemove) {
		err = k.listFolder()
	}
	wanted := map[string]wantedPhoto{}
	if err == nil {
		_, err = k.store.amend(work, func(f *Flat) members {
			if !f.isShortlisted() {
				leftAt := f.StatusSince.at
				if f.KeptPhotos.Known() && mayRemove && k.store.now().Sub(leftAt) > keptAfter {
					return members{"kept_photos": json.RawMessage("null")}
				}
				return nil
			}
			kept, missing := k.settle(f)
			for _, p := range missing {
				if other, ok := wanted[p.Hash]; !ok || k.compare(p, other) < 0 {
					wanted[p.Hash] = p
				}
			}
			if slices.Equal(kept, f.KeptPhotos.photos) {
				return nil
			}
			return members{"kept_photos": json.RawMessage(encodeJSON(kept))}
		})
	}
	if err == nil && mayRemove {
		err = k.removeUnnamed(work)
	}
	defer k.publish()
	if err != nil {
		k.queue = nil
		k.setError(err)
		return false
	}
	if mayRemove {
		k.cleaned = k.looked
		clear(k.failing)
	}
	work.pause()
	k.enqueue(wanted)
	return true
}

// settle returns the photos of a flat that are kept, those of its listing first, and the ones
// that are to be fetched.
func (k *keeper) settle(f *Flat) (kept []keptPhoto, missing []wantedPhoto) {
	known := map[keptPhoto]bool{} // photos that the flat names
	for _, p := range f.KeptPhotos.photos {
		known[p] = true
	}
	room := maxKept - len(known) // how many more photos the flat may name
	seen := map[keptPhoto]bool{}
	for _, p := range slices.Concat(f.listedPhotos(), f.KeptPhotos.photos) {
		if seen[p] {
			continue
		}
		index := len(seen)
		seen[p] = true
		_, hasFile := k.sizes[p.Hash]
		mayFetch := index < maxFetched && mayBeFetched(p.URL) && (known[p] || room > 0)
		if known[p] || hasFile && mayFetch {
			kept = append(kept, p)
		}
		if !hasFile && mayFetch {
			u, _ := url.Parse(p.URL) // mayBeFetched has parsed it
			missing = append(missing, wantedPhoto{p, u.Host, f, index})
		}
		if mayFetch && !known[p] {
			room--
		}
	}
	return kept, missing
}

// compare orders photos as they are fetched. Those of the flat that was decided on last come first.
// Those from hosts that have failed come after all others, so that they delay none.
func (k *keeper) compare(a, b wantedPhoto) int {
	rank := func(p wantedPhoto) int {
		if k.failing[p.host] {
			return 1
		}
		return 0
	}
	return cmp.Or(rank(a)-rank(b), b.flat.StatusSince.at.Compare(a.flat.StatusSince.at),
		strings.Compare(a.flat.ID.String(), b.flat.ID.String()), a.index-b.index)
}

// enqueue makes the queue of the wanted photos, without those that failed twice, or once within
// the last day. While the folder is full, the queue is empty.
func (k *keeper) enqueue(wanted map[string]wantedPhoto) {
	maps.DeleteFunc(k.failed, func(hash string, _ failedPhoto) bool {
		_, isWanted := wanted[hash]
		return !isWanted
	})
	maps.DeleteFunc(wanted, func(hash string, _ wantedPhoto) bool {
		failed := k.failed[hash]
		mustWait := failed.tries == 1 && k.looked.Sub(failed.last) < day
		return k.isFull || mustWait || failed.tries > 1
	})
	k.queue = slices.SortedFunc(maps.Values(wanted), k.compare)
	if !k.isFull && len(k.queue) == 0 {
		k.setError(nil) // the photo that could not be stored is not wanted any more
	}
}

// removeUnnamed removes the files that no flat names.
func (k *keeper) removeUnnamed(work *task) error {
	named := map[string]bool{}
	for _, f := range k.store.snapshot().all() {
		for _, p := range f.KeptPhotos.photos {
			named[p.Hash] = true
		}
		work.step(20 + 100*len(f.KeptPhotos.photos))
	}
	for hash := range k.sizes {
		if named[hash] {
			continue
		}
		if err := k.disk.Remove(k.path(hash)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		delete(k.sizes, hash)
		k.isFull = false
	}
	return nil
}

// ask fetches the first photo in the queue, and reports whether it is kept. A photo that cannot be
// fetched is tried once more after a day. If a photo cannot be stored, all wait.
func (k *keeper) ask(ctx context.Context) bool {
	p := k.queue[0]
	k.queue = k.queue[1:]
	content, err := k.fetch(ctx, p.URL)
	if ctx.Err() != nil {
		return false
	}
	defer k.publish()
	if err != nil {
		k.failed[p.Hash] = failedPhoto{k.failed[p.Hash].tries + 1, time.Now()}
		k.lastErr = fmt.Errorf("%s: %w", p.host, err)
		if !k.failing[p.host] {
			k.failing[p.host] = true
			slices.SortFunc(k.queue, k.compare)
		}
		return false
	}
	delete(k.failed, p.Hash)
	delete(k.failing, p.host)
	size := int64(len(content))
	if k.total()+size > k.maxBytes {
		k.isFull = true
		k.queue = nil
		k.setError(fmt.Errorf("the folder has no room: its photos may have %d bytes (max_photos)", k.maxBytes))
		return false
	}
	if err := k.keep(p.Hash, content); err != nil {
		if listErr := k.listFolder(); listErr != nil {
			err = listErr // the folder itself cannot be used
		}
		k.queue = slices.Insert(k.queue, 0, p)
		k.wait = longer(k.wait)
		k.retry = time.Now().Add(k.wait)
		k.setError(err)
		return false
	}
	k.sizes[p.Hash] = size
	k.wait = 0
	k.setError(nil)
	return true
}

// keep stores a photo and returns when that is durable.
func (k *keeper) keep(hash string, content []byte) error {
	temp := k.path(hash + "." + rand.Text() + ".tmp")
	err := writeTemp(k.disk, temp, 0o600, func(w *bufio.Writer) { w.Write(content) })
	if err == nil {
		_, err = replace(k.disk, temp, k.path(hash))
	}
	return err
}

// fetch returns the photo at an address.
func (k *keeper) fetch(ctx context.Context, address string) (content []byte, err error) {
	r, _ := http.NewRequestWithContext(ctx, http.MethodGet, address, nil) // no error: mayBeFetched has parsed it
	r.Header.Set("Accept", strings.Join(photoTypes, ", "))
	r.Header.Set("User-Agent", "flats/"+version)
	answer, err := k.client.Do(r)
	if err == nil {
		defer answer.Body.Close()
		content, err = io.ReadAll(io.LimitReader(answer.Body, maxPhoto+1))
	}
	switch {
	case err != nil:
		return nil, errors.New(reason(err))
	case answer.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("it answered %d %s", answer.StatusCode, http.StatusText(answer.StatusCode))
	case len(content) > maxPhoto:
		return nil, fmt.Errorf("it has more than %d bytes", maxPhoto)
	case !slices.Contains(photoTypes, http.DetectContentType(content)):
		return nil, errors.New("it is no JPEG, PNG, GIF or WebP")
	}
	return content, nil
}
