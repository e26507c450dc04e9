// The input of imports: listings as sites, Flatisfy, woob and fredy write them, and the forms of a text that holds
// them, such as JSON Lines, CSV, gzip and UTF-16.

package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"flats/internal/listing"
	"flats/internal/mistakes"
	"flats/internal/turns"
)

const (
	maxMembers   = 3_000_000 // members of all listings of an import, where each listing counts for 10 more
	maxMailNotes = 5         // notes about the mails of a file; the others are counted
	maxRepeats   = 100       // listings of an import with the same id: each encodes the flat again
)

// Listings are the input of an import. As JSON they are a file of the import folder.
type Listings struct {
	Flats    []members `json:"data"`                    // each has valid members of a flat, perhaps no id but a link
	Complete string    `json:"complete,omitempty"`      // the site of a complete import, or ""
	Plain    bool      `json:"plain,omitempty"`         // the texts are not HTML
	Own      bool      `json:"read_by_flats,omitempty"` // flats import has read them: they may have ownMembers
	partial  bool      // the listings are only what is new: from fredy, or from a mail
	keys     []string  // tell that the import is sent again (UpdateKeys)
	isMail   bool      // the listings are from a mail, which only summarizes them
}

// errMailComplete is the error for a mail that is said to be complete for a site.
var errMailComplete = errors.New("a mail tells what is new, never all that a site has")

// listingsInMails returns the listings of a mail, or of the mails of an mbox. note says in words why there are none, or
// what was left out. The error says that the text, or a mail of it, is not a mail.
func listingsInMails(work *turns.Task, text []byte) (listings Listings, note string, err error) {
	if len(text) > listing.MaxMail {
		return listings, "", fmt.Errorf("a mail may have at most %d bytes", listing.MaxMail)
	}
	listings.partial, listings.isMail = true, true
	var notes []string
	count, memberCount := 0, 0
	for mail := range listing.SplitMails(text) {
		count++
		work.Step(1 + len(mail)/64) // for splitting: ReadMail counts its own steps
		found, mailNote, err := listing.ReadMail(work, mail, &rulesOfMails)
		if err != nil && count > 1 {
			err = fmt.Errorf("mail %d: %w", count, err)
		}
		if err != nil {
			return Listings{}, "", err
		}
		for _, object := range found {
			memberCount += 10 + len(object)
			listings.Flats = append(listings.Flats, object)
		}
		if memberCount > maxMembers {
			return Listings{}, "", errMany
		}
		if mailNote != "" {
			notes = append(notes, mailNote)
		}
	}
	if more := len(notes) - maxMailNotes; more > 0 {
		notes = append(notes[:maxMailNotes], fmt.Sprintf("And %d more.", more))
	}
	return listings, strings.Join(notes, " "), nil
}

// rulesOfMails makes ReadMail accept the listings that an import accepts.
var rulesOfMails = listing.MailRules{
	Accept: func(found map[string]json.RawMessage) (map[string]json.RawMessage, string) {
		object := members(found)
		if object.has("date") {
			object[asOfMember] = object["date"] // the listing was true when the mail was written, not when it is imported
		}
		// The details name the mail. A flat that is there already keeps its own.
		object.put(ifNewMember, members{"details": object["details"]})
		delete(object, "details")
		const isPlain = true
		object, err := readListing(object, isPlain)
		if err != nil {
			return nil, ""
		}
		return object, listingID(object)
	},
	Fold: simplifiedWords, // as searches compare words
}

// readListings parses the listings in a text (see openContainer). It renames the members to those
// of a flat, and checks them. An object around the listings may name the site of a complete
// import. Errors name the text as given, the line and the field.
func readListings(name string, text []byte) (listings Listings, err error) {
	defer recoverError(&err)
	c, err := openContainer(name, text)
	if err != nil {
		return listings, err
	}
	listings.partial = c.fredy != nil
	memberCount := 0
	repeats := map[string]int{} // by id
	listings.Flats, err = c.objects(func(object members) (members, error) {
		memberCount += 10 + len(object) // even a short listing takes several hundred bytes of memory
		if memberCount > maxMembers {
			return nil, errMany
		}
		flat, err := c.readListing(object)
		memberCount += max(0, len(flat)-len(object)) // readListing may unwrap a member flatisfy
		id := listingID(flat)
		repeats[id]++
		if err == nil && repeats[id] > maxRepeats {
			err = fmt.Errorf("id: %s appears more than %d times", excerpt(id), maxRepeats)
		}
		return flat, err
	})
	if err != nil || c.complete == nil {
		return listings, err
	}
	var site Text
	if err = site.setJSON(string(c.complete)); err == nil {
		err = listings.markComplete(site.String())
	}
	if err != nil {
		err = fmt.Errorf("%s:1: complete: %w", name, err)
	}
	return listings, err
}

// readListing returns a listing of the container as valid members of a flat, perhaps without an id.
func (c *container) readListing(object members) (flat members, err error) {
	if c.fredy != nil {
		if object, err = c.fredy.listing(object); err != nil {
			return nil, err
		}
	} else if !c.isOwn { // elsewhere, members of these names mean something else
		for _, name := range ownMembers {
			if text, ok := object[name]; ok {
				delete(object, name)
				object[strings.ReplaceAll(name, ".", "_")] = text
			}
		}
	}
	flat, err = readListing(object, c.isPlain)
	isOther := len(object) > 0 && !slices.ContainsFunc(openedMembers, object.has)
	if err == errNoID && isOther && c.form != csvForm {
		err = errors.New(otherKind(object))
	}
	return flat, err
}

// parseListing parses a listing, which must be an object.
func parseListing(text []byte) (members, error) {
	if !bytes.HasPrefix(text, []byte("{")) {
		return nil, unexpected("a listing, such as "+wantedListing, string(text))
	}
	return parseObject(text)
}

var errMany = fmt.Errorf("there are more than %d members, where each listing counts for 10: import it in parts",
	maxMembers)

// markComplete marks the listings as everything that a site has. It returns an error if none is
// from the site, because a broken crawler must not mark all of the site's flats as gone.
func (l *Listings) markComplete(site string) error {
	isFromSite := func(flat members) bool {
		return strings.HasSuffix(listingID(flat), "@"+site)
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

// errUnpacked reports that a gzipped text is too large when it is unpacked.
var errUnpacked = errors.New("too large when it is unpacked")

// unpack returns the content of a text that begins with the mark of gzip, and any other text as it is. The content may
// have at most limit bytes.
func unpack(text []byte, limit int64) ([]byte, error) {
	if !bytes.HasPrefix(text, []byte("\x1f\x8b")) {
		return text, nil
	}
	packed := bytes.NewReader(text)
	zip, err := gzip.NewReader(packed)
	var content bytes.Buffer
	for err == nil { // gzip may have several parts
		zip.Multistream(false)
		mayRead := limit + 1 - int64(content.Len()) // with one byte more than allowed, to notice that there is more
		if _, err = io.Copy(&content, io.LimitReader(zip, mayRead)); err != nil {
			break
		}
		if int64(content.Len()) > limit {
			return nil, fmt.Errorf("%w: more than %d bytes", errUnpacked, limit)
		}
		rest := text[len(text)-packed.Len():]
		if len(rest) > 0 && !bytes.HasPrefix(rest, []byte("\x1f\x8b")) {
			return nil, fmt.Errorf("damaged gzip: %d bytes that are not gzip follow its end", len(rest))
		}
		err = zip.Reset(packed)
	}
	if err != io.EOF {
		return nil, fmt.Errorf("damaged gzip: %w", err)
	}
	return content.Bytes(), nil
}

// decodeText returns a text in UTF-8 without its byte order mark. A text in UTF-16 must begin with
// one.
func decodeText(text []byte) ([]byte, error) {
	switch {
	case bytes.HasPrefix(text, []byte("\xff\xfe")):
		return decodeUTF16(text[2:], binary.LittleEndian)
	case bytes.HasPrefix(text, []byte("\xfe\xff")):
		return decodeUTF16(text[2:], binary.BigEndian)
	}
	return bytes.TrimPrefix(text, []byte("\uFEFF")), nil
}

func decodeUTF16(text []byte, order binary.ByteOrder) ([]byte, error) {
	if len(text)%2 != 0 {
		return nil, errors.New("the UTF-16 ends in the middle of a character")
	}
	decoded := make([]byte, 0, len(text)/2)
	for ; len(text) > 0; text = text[2:] {
		r := rune(order.Uint16(text))
		if utf16.IsSurrogate(r) {
			if len(text) < 4 {
				return nil, errors.New("the UTF-16 ends in the middle of a character")
			}
			r = utf16.DecodeRune(r, rune(order.Uint16(text[2:])))
			if r == utf8.RuneError {
				return nil, errors.New("the UTF-16 has half a character")
			}
			text = text[2:]
		}
		decoded = utf8.AppendRune(decoded, r)
	}
	return decoded, nil
}

// A container holds the listings of a text.
type container struct {
	name     string // of the text, for errors
	text     []byte // in UTF-8
	form     containerForm
	complete json.RawMessage // the member complete next to the listings, nil if there is none
	isPlain  bool            // the texts of the listings are not HTML
	isOwn    bool            // the listings may have ownMembers
	fredy    *fredyBody      // what fredy says about its listings, nil if they are from elsewhere
}

// A containerForm is how a text holds listings. To add one: recognize it in openContainer (foreignKind refuses some,
// such as XML), and read it in container.objects. Add a row to importInputs in bounds_test.go, its media type to
// docs/openapi.json, a sentence to docs/api.md, and the ending of its files to web/views/import.js. All ways to
// import call readListings: the folder, HTTP, flats import.
type containerForm int

const (
	arrayForm containerForm = iota
	linesForm               // objects one after the other
	csvForm
)

// openContainer finds out where the listings are in a text: it is an array of listings, an object
// that holds one (see openObject), JSON Lines, or CSV. Errors name the text as given, and what it
// looks like if it has no listings.
func openContainer(name string, text []byte) (*container, error) {
	text, err := decodeText(text)
	if err != nil {
		return nil, fmt.Errorf("%s:1: %w", name, err)
	}
	c := &container{name: name, text: text}
	start := bytes.TrimSpace(text)
	if kind := foreignKind(start); kind != "" {
		return nil, fmt.Errorf("%s:1: %s", name, kind)
	}
	if at := invalidUTF8(text); at >= 0 {
		if kind := binaryKind(start); kind != "" {
			return nil, fmt.Errorf("%s:1: %s", name, kind)
		}
		return nil, fmt.Errorf("%s:%d: byte %#x is not UTF-8: save the text as UTF-8", name, lineNumber(text, at), text[at])
	}
	switch {
	case bytes.HasPrefix(start, []byte("[")):
	case bytes.HasPrefix(start, []byte("{")):
		if err := c.openObject(start); err != nil {
			return nil, err
		}
	case len(start) > 0 && !json.Valid(start):
		c.form = csvForm
	}
	return c, nil
}

// openObject finds the listings in a text that begins with an object, which is one of:
//   - a container: its member data, listings, items or results is an array of listings;
//   - a container of one: its member data is a listing;
//   - a body of fredy, with listings or priceChanges, or with neither as a test;
//   - a listing, even if it also has one of these members;
//   - the first of several objects, each of which is a listing.
func (c *container) openObject(start []byte) error {
	if err := json.Unmarshal(c.text, &struct{}{}); err != nil {
		if hasMoreObjects(c.text, err) {
			c.form = linesForm
			return nil
		}
		return c.withPythonHint(withLine(c.name, c.text, err))
	}
	object := someMembers(c.text, openedMembers)
	listName := "data" // if no member is a list: data may be a single listing
	for _, name := range []string{"data", "listings", "items", "results", "priceChanges"} {
		if bytes.HasPrefix(object[name], []byte("[")) {
			listName = name
			break
		}
	}
	list := object[listName]
	isOneListing, err := isListing(object, listName)
	if err != nil {
		return fmt.Errorf("%s:1: %w", c.name, err)
	}
	body := newFredyBody(object)
	isFromFredy := object["data"] == nil && body.isFromFredy() // fredy's bodies have no data
	switch {
	case isOneListing:
		list = start
	case isFromFredy && body.isTest():
		c.fredy = body
		c.text = []byte("[]") // a valid import without listings
		return nil
	case isFromFredy:
		if list, err = body.read(); err != nil {
			return fmt.Errorf("%s:1: %w", c.name, err)
		}
		c.fredy = body
		c.complete = object["complete"]
	case list == nil: // no member holds listings, so the object is read as a listing
		list = start
	default:
		c.complete = object["complete"]
		c.isPlain = string(object["plain"]) == "true"
		c.isOwn = string(object["read_by_flats"]) == "true"
	}
	c.text = listAlone(c.text, list)
	return nil
}

// identityMembers are the members of a listing that may identify it.
var identityMembers = []string{"id", "url", "urls"}

// homeMembers are members of a listing: an object with one of them and an id or a link is probably a listing.
var homeMembers = strings.Fields("cost title text area currency utilities rooms bedrooms location address station " +
	"phone photos")

// openedMembers are the members that tell openObject what an object holds.
var openedMembers = slices.Concat(homeMembers, strings.Fields("id url urls data listings items results priceChanges "+
	"complete plain read_by_flats provider timestamp event"))

// someMembers returns the members of a valid JSON object that have one of the names, in this case. It
// keeps no others, because the object may have millions.
func someMembers(text []byte, names []string) members {
	object := members{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.Token() // the bracket
	var value json.RawMessage
	for d.More() {
		name, _ := d.Token()
		d.Decode(&value)
		if slices.Contains(names, name.(string)) {
			end := d.InputOffset()
			object[name.(string)] = text[end-int64(len(value)) : end]
		}
	}
	return object
}

// isListing reports whether an object is a listing itself, and not a container with listings in its member listName.
// If the object may be either, isListing returns an error, so that nothing is lost.
func isListing(object members, listName string) (bool, error) {
	isGiven := func(name string) bool { return object.has(name) && string(object[name]) != `""` }
	identityAt := slices.IndexFunc(identityMembers, isGiven)
	if identityAt < 0 {
		return false, nil // a listing must have one of these
	}
	homeAt := slices.IndexFunc(homeMembers, isGiven)
	isHome := homeAt >= 0
	hasListings, isEmpty := holdsListings(object[listName])
	switch {
	case isGiven("cost"): // no container has a cost
		return true, nil
	case !isEmpty && !hasListings: // the member is missing, or holds something else
		return true, nil
	case isEmpty && isHome: // an empty list has no listings that could be lost
		return true, nil
	case !isHome && hasListings: // a container may have an id or a url, too
		return false, nil
	case !isHome && listName == "data": // the list is empty: an answer of this API may have no flats in data
		return false, nil
	}
	// Either a home has listings in it, or an object has no more than an id or a url, and an empty list such as items.
	hints := identityMembers[identityAt]
	if isHome {
		hints += " and " + homeMembers[homeAt]
	}
	return false, fmt.Errorf("this may be one listing, which has %s, or hold others in %s: "+
		"put a single listing into an array, or send %s alone", hints, listName, listName)
}

// holdsListings reports whether a value is an object with an id or a link, or a list that begins with
// such an object, and whether it is an empty list.
func holdsListings(value json.RawMessage) (hasListings, isEmpty bool) {
	if bytes.HasPrefix(value, []byte("[")) {
		d := json.NewDecoder(bytes.NewReader(value))
		d.Token() // the bracket
		if !d.More() {
			return false, true
		}
		value = nil
		d.Decode(&value)
	}
	if !bytes.HasPrefix(value, []byte("{")) {
		return false, false
	}
	first := someMembers(value, identityMembers)
	return slices.ContainsFunc(identityMembers, first.has), false
}

// hasMoreObjects reports whether JSON cannot be decoded because an object follows another one.
func hasMoreObjects(text []byte, err error) bool {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return false
	}
	at := int(syntax.Offset) - 1 // where the next object begins: Offset counts its bracket, too
	return at >= 0 && at < len(text) && text[at] == '{' && json.Valid(text[:at])
}

// listAlone returns a list that is part of a text, or a list of a single object. The list begins
// on the same line as in the text, so that errors name the right lines.
func listAlone(text, list []byte) []byte {
	linesBefore := lineNumber(text, bytes.Index(text, list)) - 1
	if list[0] == '{' { // a single listing, or a flat as GET serves it
		list = inArray(list)
	}
	return append(bytes.Repeat([]byte("\n"), linesBefore), list...)
}

// objects calls read for each listing up to the first error, and returns the results. Errors name the
// text, and the line of the syntax error or of the listing. They also name the listing where one line
// has several.
func (c *container) objects(read func(object members) (members, error)) (listings []members, err error) {
	n := 0
	readNumbered := func(object members) (members, error) { // errors have the number of the listing
		n++
		flat, err := read(object)
		if err != nil && c.isListInOneLine() {
			err = fmt.Errorf("listing %d%s: %w", n, identity(object), err)
		}
		return flat, err
	}
	switch c.form {
	case csvForm:
		return readCSV(c.name, c.text, read)
	case linesForm:
		listings, err = readLines(c.name, c.text, readNumbered)
	default:
		listings, err = readObjects(c.name, c.text, parseListing, readNumbered)
	}
	return listings, c.withPythonHint(err)
}

// isListInOneLine reports whether the text is an array of several listings in one line.
func (c *container) isListInOneLine() bool {
	if bytes.ContainsRune(bytes.TrimSpace(c.text), '\n') {
		return false
	}
	var all []json.RawMessage
	return json.Unmarshal(c.text, &all) == nil && len(all) > 1
}

// identity returns the id of a listing, or else its link or title, in brackets after a space, or "".
func identity(object members) string {
	for _, name := range []string{"id", "url", "link", "title"} {
		value := object[name]
		if len(value) > 0 && !bytes.ContainsAny(value[:1], "[{n") { // no list, no object, not null
			return " (" + excerpt(strings.Trim(string(value), `"`)) + ")"
		}
	}
	return ""
}

// readLines parses objects that stand one after the other, usually one a line, up to the first
// error. It is like readObjects otherwise.
func readLines[T any](name string, text []byte, read func(object members) (T, error)) (elements []T, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	for start := 0; ; start = int(d.InputOffset()) {
		var element json.RawMessage
		err := d.Decode(&element)
		if err == io.EOF {
			return elements, nil
		}
		begin := len(text) - len(bytes.TrimLeft(text[start:], " \t\r\n"))
		if err != nil {
			// The offset in the decoder's error does not count from the start of the text.
			err = json.Unmarshal(text[begin:], new(json.RawMessage))
			return nil, atOffset(name, text, err, begin)
		}
		var parsed T
		object, err := parseListing(element)
		if err == nil {
			parsed, err = read(object)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, lineNumber(text, begin), err)
		}
		elements = append(elements, parsed)
	}
}

// atOffset adds the file name, the line and the column to the error of a part of a text that begins at begin. The
// offset of a syntax error counts from there; atOffset makes it count from the start of the text.
func atOffset(name string, text []byte, err error, begin int) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		syntax.Offset += int64(begin)
	}
	return withLine(name, text, err)
}

// withPythonHint adds to a mistake in the JSON that it looks like Python's own notation, if it does.
func (c *container) withPythonHint(err error) error {
	var found mistakes.Mistake
	if !errors.As(err, &found) {
		return err
	}
	rest := c.text[min(found.At, len(c.text)):]
	for _, start := range []string{"'", "None", "True", "False"} {
		if bytes.HasPrefix(rest, []byte(start)) {
			return fmt.Errorf("%w: this looks like Python's own notation: write it with json.dump", err)
		}
	}
	return err
}
