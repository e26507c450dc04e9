// The flat: its fields, their types, and its JSON.

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
)

// A Flat is a listing and what the user added to it. The field tags name its
// fields in answers, filters and sort keys, in the order in which they are
// served, and say who sets a field and how (see fieldsOf).
//
// A flat is immutable once edit or readFlats has returned it: an update makes
// a new one.
//
// To add a field:
//
//   - Add a member: tagged omitempty after Fee if lists serve it, tagged find at the end if only /find
//     does. If it is computed, add an entry to derivedFields instead.
//   - Describe it in docs/openapi.json (Flat, Row, FlatChange, Listing, FlatField, and RangeField for
//     a number or a datetime) and docs/api.md.
//   - Add detail_NAME to web/words/strings/, in each language: its label on the page.
//   - If the page edits it, TestPageEditFields lists its label.
//   - If only /find has it, add it to foundOnly in TestOpenAPIFields.
//   - If an import can bring it, add it to contests in precedence_test.go. TestWhoWins then says which row of the
//     table in docs/design.md it belongs to.
//   - Name it in the description of find_flats in docs/mcp.json, for assistants.
//
// Queries can name it at once. To filter by it on the page, add it to ranges (a number) or to one of the other lists in
// web/lib/state.js, to choices in web/parts/panel.js, and its NAME to web/words/strings/.
//
// The type of a field is a [value] such as Text. The page of a flat shows every field that has
// a value, edits those that are numbers and correctable, and compares them. fieldsElsewhere in web/views/flat.js
// keeps a field out of the details; to edit a text, see fields in web/parts/edit.js.
type Flat struct {
	ID                Identifier `field:"id,user"`
	Title             Text       `field:"title,correctable,searched"`
	Text              Text       `field:"text,correctable,searched"`
	Area              Number     `field:"area,correctable,area"`
	Cost              Number     `field:"cost,correctable,cost"`
	Currency          Text       `field:"currency,correctable"`
	Utilities         Text       `field:"utilities,correctable,fromtext"`
	Rooms             Number     `field:"rooms,correctable,rooms"`
	Bedrooms          Number     `field:"bedrooms,correctable,rooms"`
	Date              Datetime   `field:"date,correctable"`
	Location          Text       `field:"location,correctable,searched"`
	Station           Text       `field:"station,correctable,searched"`
	Phone             Text       `field:"phone,correctable"`
	Photos            AnyJSON    `field:"photos"`
	URLs              Links      `field:"urls,correctable"`
	Details           Details    `field:"details,searched"`
	MergedIDs         AnyJSON    `field:"merged_ids"`
	Notes             Text       `field:"notes,user,searched"`
	Notation          Number     `field:"notation,user"`
	Status            Status     `field:"status,user"`
	VisitDate         Datetime   `field:"visit_date,user"`
	ServiceConstraint Text       `field:"service_constraint,correctable"`
	ServicePostalCode Code       `field:"service_postal_code,correctable"`
	ServiceStations   AnyJSON    `field:"service_stations"`
	ServiceTimeTo     Times      `field:"service_time_to"`

	FirstSeen     Datetime    `field:"first_seen,omitempty,import"`
	CostHistory   CostHistory `field:"cost_history,omitempty,import"`
	Gone          Datetime    `field:"gone,omitempty,import"` // when it was first missing from its site
	NotDuplicates IDs         `field:"not_duplicates,omitempty,user"`
	NextStep      Text        `field:"next_step,omitempty,user,lenient"`                       // what the user does next
	NextDate      Datetime    `field:"next_date,omitempty,user,lenient"`                       // when NextStep is due
	Charges       Number      `field:"charges,omitempty,correctable,lenient,fromtext,monthly"` // utilities beyond the cost
	Deposit       Number      `field:"deposit,omitempty,correctable,lenient,fromtext,once"`
	Fee           Number      `field:"fee,omitempty,correctable,lenient,fromtext,once"`

	// Only /find serves these, except UpdatedAt, UpdateKeys, KnownAsOf and Restored, which are never served.
	UpdatedAt     Datetime      `field:"updated_at,stored"`                // when an update or import last changed it
	UpdateKeys    UpdateKeys    `field:"update_keys,stored"`               // the keys of the last updates that had any
	StatusSince   Datetime      `field:"status_since,find,user"`           // when an update last changed the status
	StatusBy      Text          `field:"status_by,find,user,lenient"`      // the person who changed it then
	StatusBecause Text          `field:"status_because,find,user,lenient"` // the rule that changed it then
	Ratings       Ratings       `field:"ratings,find,user,lenient"`        // what each person thinks of it
	Corrected     Corrections   `field:"corrected,find"`                   // the listing's values where the user's differ
	FoundPosition FoundPosition `field:"found_position,find,user,lenient"` // what the geocoder knows about its address
	KeptPhotos    KeptPhotos    `field:"kept_photos,find,user,lenient"`    // the photos that the service has
	KnownAsOf     Datetime      `field:"known_as_of,stored"`               // see asOf; often null
	Restored      AnyJSON       `field:"restored,stored"`                  // true if no rule decides on it

	// unknown holds the members that are not fields, sorted by name, each as
	// `,"name":value`.
	unknown string
	served  string    // the JSON of the flat as it is served
	asRead  *lineSize // its size when it was read, if that exceeds maxLine, else nil

	// derive sets these when a flat is made, so that no query parses JSON.
	gps     *gps        // nil if the listing gives none
	isFound bool        // whether FoundPosition belongs to the address that the flat has now
	listed  []keptPhoto // see listedPhotos; nil unless the flat is on the shortlist

	// The store sets these.
	version uint64   // unique among the flats made since the start; 0 for flats read from disk
	earlier []uint64 // the versions before it that differ in nothing that is stored: see Store.rederive
}

// flatFields are the fields in flats.json. /find has more: see queryFields.
var flatFields = fieldsOf[Flat]()

// The names of the fields that have an option: see fieldsOf.
var (
	userFields        = flatFields.with("user")
	importFields      = flatFields.with("import")
	correctableFields = flatFields.with("correctable")
	lenientFields     = flatFields.with("lenient")
	textFields        = flatFields.with("fromtext")
	searchedFields    = flatFields.with("searched")
)

// Corrections hold the listing's values of the fields that the user has corrected: a JSON
// object by field name, or null. An update that corrects a field keeps the listing's value
// here, and one that sets the field to that value removes it (withConsequences). An import leaves
// the user's values alone until the listing says something else (listedMembers, keepCorrections).
type Corrections struct{ AnyJSON }

func (v *Corrections) setJSON(text string) error {
	return v.setObject(text, "an object of fields that can be corrected, or null", func(name, said string) bool {
		if !slices.Contains(correctableFields, name) {
			return false
		}
		return new(Flat).field(flatFields.byName[name]).setJSON(said) == nil
	})
}

// blank is the flat before any member is set. An edit whose before is blank adds a flat.
var blank = &Flat{Status: Status{AnyJSON{literal{`"new"`}}}}

// withMembers returns a copy of the flat with the values set. It looks up in codes
// what to serve for the postal code. An error names the field. If warnings is not nil, an invalid
// value of a field that is not in version 1 of the API is ignored with a warning.
func (f *Flat) withMembers(values members, codes *PostalCodes, warnings *warnings) (*Flat, error) {
	next := *f
	fieldCount := 0
	for _, field := range flatFields.list {
		text, ok := values[field.name]
		if !ok {
			continue
		}
		fieldCount++
		err := field.value(&next).setJSON(string(text))
		if err == nil {
			continue
		}
		// A flats.json from another program may have anything under the names that this service
		// has added to version 1.
		inVersion1 := field.where == inLists || field.name == "updated_at"
		if inVersion1 || warnings == nil {
			return nil, fmt.Errorf("%s: %w", field.name, err)
		}
		warnings.add("invalid value ignored", field.name, "flat", unquote(string(values["id"])), "err", err)
	}
	if !next.ID.Known() {
		return nil, errors.New("id: a flat must have one")
	}
	if fieldCount < len(values) { // some are not fields
		next.setUnknown(values)
	}
	next.ServicePostalCode.entry = codes.get(next.ServiceConstraint.String(), next.ServicePostalCode.String())
	next.derive(values)
	next.served = flatFields.encode(&next, next.unknown+"}")
	// unknown stands at the end of served, before the bracket: let it share that memory.
	end := len(next.served) - len("}")
	next.unknown = next.served[end-len(next.unknown) : end]
	return &next, nil
}

// unknownMembers returns the members that are not fields.
func (f *Flat) unknownMembers() members {
	unknown := members{}
	object := "{" + strings.TrimPrefix(f.unknown, ",") + "}"
	json.Unmarshal([]byte(object), &unknown) // no error: setUnknown wrote it
	return unknown
}

// setUnknown adds the values that are not fields.
func (f *Flat) setUnknown(values members) {
	unknown := f.unknownMembers()
	for name, text := range values {
		if _, ok := flatFields.byName[name]; !ok {
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

// stored returns the JSON text of a field, by its number, as it stands in flats.json.
func (f *Flat) stored(i int) string {
	v := f.field(i)
	if code, ok := v.(*Code); ok {
		v = &code.Text // only answers have the code as an object
	}
	return v.JSON()
}

// appendStored appends the flat as a line of flats.json, without the newline.
func (f *Flat) appendStored(b []byte) []byte {
	separator := byte('{')
	for i, field := range flatFields.list {
		// Store even a null status: without one, readFlats would use the status of blank.
		if !field.value(f).Known() && field.name != "status" {
			continue
		}
		b = append(b, separator)
		separator = ','
		b = append(b, flatFields.labels[i]...)
		b = append(b, ':')
		b = append(b, f.stored(i)...)
	}
	b = append(b, f.unknown...)
	return append(b, '}')
}

// A lineSize is the size of a flat as a line of flats.json.
type lineSize struct {
	bytes  int
	values int // members and elements, including nested ones
}

// maxLine is the size up to which an import or update may make a flat grow.
var maxLine = lineSize{bytes: 1 << 20, values: 10_000}

var errLarge = fmt.Errorf("the flat is larger than %d bytes or has more than %d values", maxLine.bytes, maxLine.values)

// exceeds reports whether a line has more bytes or more values than the bound.
func (s lineSize) exceeds(bound lineSize) bool {
	return s.bytes > bound.bytes || s.values > bound.values
}

// size returns the size of the flat as it is stored.
func (f *Flat) size() lineSize {
	line := f.appendStored(nil)
	memberCount, elementCount := countValues(line)
	return lineSize{len(line), memberCount + elementCount}
}

// maxSize returns the size up to which the flat may grow. A flat that was read with more than maxLine may grow a
// little, so that its notes and status can still be changed.
func (f *Flat) maxSize() lineSize {
	if f.asRead == nil {
		return maxLine
	}
	const moreBytes, moreValues = 4 << 10, 100
	return lineSize{max(maxLine.bytes, f.asRead.bytes+moreBytes), max(maxLine.values, f.asRead.values+moreValues)}
}

// setAsRead remembers the size of a flat that was read, if it is too large: a file may have been written
// by hand, or by a version with other bounds.
func (f *Flat) setAsRead(warnings *warnings) {
	f.asRead = nil
	if size := f.size(); size.exceeds(maxLine) {
		f.asRead = &size
		warnings.add("a flat is too large, and can hardly grow", noField, "flat", f.ID.String(), "bytes", size.bytes,
			"values", size.values)
	}
}

// listedValue returns the listing's value of a field, even if the user has corrected it.
func (f *Flat) listedValue(name string) json.RawMessage {
	if text, ok := f.Corrected.members()[name]; ok {
		return text
	}
	return json.RawMessage(f.stored(flatFields.byName[name]))
}

// importSlack is how much older than its import a listing without a time of its own may be: a crawl takes
// time, a mail is on its way for some, and clocks differ.
const importSlack = time.Hour

// asOf returns the time of the newest listing of the flat: an older listing only adds what the flat lacks. Without a
// known_as_of, it is importSlack before the last import that the flat tells of. A time more than a day ahead of now is
// a mistake. Then asOf returns importSlack before now, as for a listing that is imported now.
func (f *Flat) asOf(now time.Time) time.Time {
	newest := f.KnownAsOf.at
	if !f.KnownAsOf.Known() {
		for _, importTime := range []*Datetime{&f.FirstSeen, &f.Gone, f.CostHistory.changed} {
			if importTime == nil || !importTime.Known() {
				continue
			}
			if listed := importTime.at.Add(-importSlack); listed.After(newest) {
				newest = listed
			}
		}
	}
	if newest.After(now.Add(day)) {
		return now.Add(-importSlack)
	}
	return newest
}

// hadCost reports whether imports have brought a cost, given as JSON, and another one since.
func (f *Flat) hadCost(text json.RawMessage) bool {
	return !sameValue(f.listedValue("cost"), text) && slices.ContainsFunc(f.CostHistory.entries(), func(e costEntry) bool {
		return sameValue(json.RawMessage(e.cost.JSON()), text)
	})
}

// fragment returns the fragment of the URL at which the page shows the flat, with its "#".
func (f *Flat) fragment() string {
	return "#/flat/" + url.PathEscape(strings.ToValidUTF8(f.ID.String(), "\uFFFD"))
}

// readFlats parses the text of a flats.json. Errors name the file as given, the line
// and the field.
func readFlats(name string, text []byte, codes *PostalCodes, log *slog.Logger) ([]*Flat, error) {
	seen := map[string]bool{} // by id
	warnings := &warnings{}
	defer func() { warnings.logTo(log) }()
	return readObjects(name, text, decodeObject, func(object members) (*Flat, error) {
		f, err := blank.withMembers(object, codes, warnings)
		if err != nil {
			return nil, err
		}
		id := f.ID.String()
		if seen[id] {
			return nil, fmt.Errorf("id: %s appears twice", excerpt(f.ID.JSON()))
		}
		seen[id] = true
		// A value has at least two bytes with its comma: an object with fewer bytes cannot have maxLine.values.
		const leastBytes = 2
		if object.size() >= leastBytes*maxLine.values {
			f.setAsRead(warnings)
		}
		return f, nil
	})
}

// The statuses that the page and the assistants set. shortlist is in the order in which a flat gets them; deadStatuses
// are for flats that nobody wants, or can have. The page and docs/mcp.json get them from here (pageValues).
var (
	shortlist    = []string{"followed", "contacted", "visited", "applied", "offered"}
	deadStatuses = []string{"ignored", "refused", statusDuplicate, statusDeleted}
	pageStatuses = slices.Concat([]string{"new"}, shortlist, []string{"signed"}, deadStatuses)
)

// isShortlisted reports whether the flat has a status of the shortlist.
func (f *Flat) isShortlisted() bool { return f.hasStatus(shortlist) }

// hasStatus reports whether the status is one of the given words.
func (f *Flat) hasStatus(words []string) bool {
	// A status may be any JSON. A long one need not be decoded: it is no word. The longest word is user_deleted, with 74
	// bytes if each letter is escaped, as in "\u0075".
	const maxWord = 100 // bytes of a status that may be a word
	return len(f.Status.JSON()) <= maxWord && slices.Contains(words, f.Status.String())
}

// derive sets what depends on several members, after the given ones have been set.
func (f *Flat) derive(values members) {
	if values["gps"] != nil || values["details"] != nil {
		f.gps = newGPS(f)
	}
	// Most flats have no found position, and their address need not be made.
	f.isFound = f.FoundPosition.found != nil && f.FoundPosition.found.Text == f.address()
	if values["photos"] != nil || values["status"] != nil {
		f.listed = nil
		if f.isShortlisted() {
			f.listed = f.listedPhotos()
		}
	}
}

// newGPS returns the unknown member gps of a flat or else the member gps of its details, or nil
// if both are null.
func newGPS(f *Flat) *gps {
	text := "null"
	// Most flats have neither, and need not be parsed. The name may be written with escapes, as in "\u0067ps".
	mayHaveGPS := func(object string) bool { return strings.Contains(object, `"gps"`) || strings.Contains(object, `\u`) }
	if mayHaveGPS(f.unknown) {
		text = f.unknownMembers().text("gps")
	}
	if text == "null" && mayHaveGPS(f.Details.json) {
		text = f.Details.members().text("gps")
	}
	if text == "null" {
		return nil
	}
	g := &gps{}
	g.AnyJSON.setJSON(text)
	if list := g.list(); len(list) == 2 {
		g.lat, g.lng = coordinateIn(string(list[0])), coordinateIn(string(list[1]))
		g.isValid = g.lat.Known() && g.lng.Known() && onEarth(g.lat.number, g.lng.number)
	}
	return g
}

// coordinateIn returns the finite number in a JSON text, which may be a string. It returns null for anything else.
func coordinateIn(text string) (n Number) {
	if n.setJSON(text) == nil {
		return n
	}
	number, ok := parseNumber(strings.TrimSpace(unquote(text)))
	if !ok {
		return n
	}
	return *newNumber(number)
}

// address returns the address of the flat as the geocoder is asked for it: the postal code and
// its name, and words of the location that say more, up to maxAsked words in all. It returns ""
// if the location says no more, or if location and code are longer than maxAddress.
func (f *Flat) address() string {
	location, codeAndName := f.Location.String(), f.ServicePostalCode.String()
	codeWords := []string{compact(codeAndName)} // a location may have the code "1012 AB" as one word
	if entry := f.ServicePostalCode.entry; entry != nil {
		codeAndName += " " + entry.Name.String()
	}
	if len(location)+len(codeAndName) > maxAddress {
		return ""
	}
	codeWords = append(codeWords, words(codeAndName)...)
	isNew := func(word string) bool { return !slices.Contains(codeWords, word) }
	isBetween := func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == ';' }
	asked := strings.Fields(codeAndName)
	var fromLocation []string
	for word := range strings.FieldsFuncSeq(location, isBetween) {
		if slices.ContainsFunc(words(word), isNew) && len(asked)+len(fromLocation) < maxAsked {
			fromLocation = append(fromLocation, strings.TrimFunc(word, isSeparator))
		}
	}
	if fromLocation == nil {
		return ""
	}
	return strings.Join(append(asked, fromLocation...), " ")
}

// maxAsked is the maximum number of words that the geocoder reads.
const maxAsked = 8

// listedPhotos returns the first maxFetched photos of the listing that may be fetched.
func (f *Flat) listedPhotos() (listed []keptPhoto) {
	seen := map[string]bool{}
	for _, link := range f.photoLinks() {
		if len(listed) < maxFetched && !seen[link] && mayBeFetched(link) {
			seen[link] = true
			listed = append(listed, newKeptPhoto(link))
		}
	}
	return listed
}

// photoLinks returns the texts that stand for the photos of the listing, which may be anything.
func (f *Flat) photoLinks() (links []string) {
	photos := f.Photos.list()
	if photos == nil { // one photo without a list
		photos = []json.RawMessage{json.RawMessage(f.Photos.JSON())}
	}
	for _, photo := range photos {
		text := photo // the link, unless the photo is an object
		var object members
		if json.Unmarshal(photo, &object) == nil {
			text = object["url"]
		}
		link := ""
		json.Unmarshal(text, &link) // link stays empty if text is not a string
		links = append(links, link)
	}
	return links
}
