package main

import (
	"bufio"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// This file is the Flat, its JSON, and the store that keeps flats on disk.

// Flat is a listing with what its user made of it. The json tags name its
// fields in lists, filters and sort keys, in the order in which they are
// served; all of them are served, null where nothing is known.
//
// A flat never changes once with or readFlats have returned it: an update
// makes a new one. Any number of goroutines may hold it for as long as they
// like.
type Flat struct {
	ID                Identifier `json:"id"`
	Title             Text       `json:"title"`
	Text              Text       `json:"text"`
	Area              Number     `json:"area"`
	Cost              Number     `json:"cost"`
	Currency          Text       `json:"currency"`
	Utilities         Text       `json:"utilities"`
	Rooms             Number     `json:"rooms"`
	Bedrooms          Number     `json:"bedrooms"`
	Date              Datetime   `json:"date"`
	Location          Text       `json:"location"`
	Station           Text       `json:"station"`
	Phone             Text       `json:"phone"`
	Photos            Value      `json:"photos"`
	URLs              Value      `json:"urls"`
	Details           Value      `json:"details"`
	MergedIDs         Value      `json:"merged_ids"`
	Notes             Text       `json:"notes"`
	Notation          Number     `json:"notation"`
	Status            Value      `json:"status"`
	VisitDate         Datetime   `json:"visit_date"`
	ServiceConstraint Text       `json:"service_constraint"`
	ServicePostalCode Text       `json:"service_postal_code"` // served as an object, api.md 2.2
	ServiceStations   Value      `json:"service_stations"`
	ServiceTimeTo     Value      `json:"service_time_to"`

	// UpdatedAt is when the flat was last changed through the service. It is
	// stored as "updated_at" and not served.
	UpdatedAt Datetime `json:"-"`

	// extra are the members that the model does not know, as they came:
	// `"name":value`, parted by commas.
	extra span
	// text holds the flat as it is served, behind a comma, which lists need,
	// and behind that what is not served: the postal code, then UpdatedAt.
	text   string
	served uint32 // the bytes of text that are served
	// version is that of the table since which the flat is what it is.
	version uint64
}

var (
	flatFields      = fieldsOf(func(f *Flat) string { return f.text })
	idField         = flatFields.byName["id"]
	statusField     = flatFields.byName["status"]
	constraintField = flatFields.byName["service_constraint"]
	postalCodeField = flatFields.byName["service_postal_code"]
)

// blank is a flat of which nothing is known.
var blank = &Flat{text: `"new"`, Status: Value{span{0, uint32(len(`"new"`))}}}

// listed is the JSON of the flat as it is served, behind a comma.
func (f *Flat) listed() string { return f.text[:f.served] }

// equals reports whether two flats are the same but for the time of their
// update.
func (f *Flat) equals(other *Flat) bool {
	content := func(f *Flat) string { return strings.TrimSuffix(f.text, f.UpdatedAt.of(f.text)) }
	return content(f) == content(other)
}

// fieldError is an error in the value of a member.
type fieldError struct {
	name string
	at   int // the byte at which the value starts
	err  error
}

func (e *fieldError) Error() string { return e.name + ": " + e.err.Error() }

// with returns the flat with the members set, those that the model does not
// know included. It fails with a *fieldError where a value has not the type
// of its field. codes tells what to serve for a postal code.
func (f *Flat) with(members []member, codes *PostalCodes) (*Flat, error) {
	next := *f
	all := flatFields.literals(f)
	updated := f.UpdatedAt.of(f.text)
	var unknown []member
	for _, m := range members {
		var err error
		if i, ok := flatFields.byName[m.name]; ok {
			err = flatFields.set(&next, &all, i, m.literal)
		} else if m.name == "updated_at" {
			updated, err = next.UpdatedAt.set(m.literal)
		} else {
			unknown = append(unknown, m)
		}
		if err != nil {
			return nil, &fieldError{m.name, m.at, err}
		}
	}
	if all[idField] == "" {
		return nil, &fieldError{name: "id", err: errors.New("a flat must have one")}
	}
	extra := f.extra.of(f.text)
	if unknown != nil {
		extra = mergeExtra(extra, unknown)
	}
	if err := next.seal(&all, extra, updated, codes); err != nil {
		return nil, err
	}
	return &next, nil
}

// mergeExtra sets unknown members among those that a flat has already.
func mergeExtra(old string, members []member) string {
	all, err := parseObject("{" + old + "}")
	if err != nil {
		panic("mergeExtra: " + err.Error()) // it was written below
	}
	for _, m := range members {
		if i := slices.IndexFunc(all, func(o member) bool { return o.name == m.name }); i >= 0 {
			all[i] = m
		} else {
			all = append(all, m)
		}
	}
	var b strings.Builder
	for i, m := range all {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(m.quoted + ":" + compact(m.literal))
	}
	return b.String()
}

// seal writes the text of the flat, and points the values into it.
func (f *Flat) seal(all *literals, extra, updated string, codes *PostalCodes) error {
	place, code := "{}", all[postalCodeField]
	if found := codes.get(unquote(all[constraintField]), unquote(code)); found != nil {
		place = found.place
	}
	all[postalCodeField] = place
	size := len(`,,}`) + len(extra) + len(code) + len(updated)
	for i := range flatFields.list {
		size += len(`,"":`) + len(flatFields.list[i].name) + max(len("null"), len(all[i]))
	}
	if uint64(size) > math.MaxUint32 {
		return &fieldError{name: "id", err: errors.New("the flat is larger than 4 GB")}
	}
	var b strings.Builder
	b.Grow(size)
	b.WriteByte(',')
	flatFields.write(&b, f, all)
	// add writes one more text, and tells where it stands.
	add := func(text string) span {
		if text == "" {
			return span{}
		}
		b.WriteString(text)
		return span{uint32(b.Len() - len(text)), uint32(b.Len())}
	}
	if extra != "" {
		b.WriteByte(',')
	}
	f.extra = add(extra)
	b.WriteByte('}')
	f.served = uint32(b.Len())
	f.ServicePostalCode.span = add(code)
	f.UpdatedAt.span = add(updated)
	f.text = b.String()
	return nil
}

// appendStored appends the flat as a line of flats.json, without the newline.
func (f *Flat) appendStored(b []byte) []byte {
	b = append(b, '{')
	for i := range flatFields.list {
		if literal := flatFields.literal(f, i); literal != "null" || i == statusField {
			b = appendMember(b, flatFields.list[i].name, literal)
		}
	}
	if extra := f.extra.of(f.text); extra != "" {
		b = append(append(b, extra...), ',')
	}
	if updated := f.UpdatedAt.of(f.text); updated != "" {
		b = appendMember(b, "updated_at", updated)
	}
	b[len(b)-1] = '}'
	return b
}

func appendMember(b []byte, name, literal string) []byte {
	b = append(b, '"')
	b = append(b, name...)
	b = append(b, `":`...)
	b = append(b, literal...)
	return append(b, ',')
}

// searchedAt has the number of each of the [searchedFields] among the fields of
// a flat.
var searchedAt = func() (at [len(searchedFields)]int) {
	for i, name := range searchedFields {
		at[i] = flatFields.byName[name]
	}
	return at
}()

// searched is one of the [searchedFields]: the flat as a [document].
func (f *Flat) searched(field int) string {
	v := flatFields.list[searchedAt[field]].at(f)
	literal := v.place().of(f.text)
	if _, ok := v.(*Text); ok {
		return unquote(literal)
	}
	return leaves(literal)
}

// changeFrom is what the flat means to an index that has another one in its
// place, nil for none.
func (f *Flat) changeFrom(before *Flat) change {
	if before == nil {
		before = &Flat{}
	}
	var changed [len(searchedFields)]bool
	for i, field := range searchedAt {
		changed[i] = flatFields.literal(f, field) != flatFields.literal(before, field)
	}
	return difference(changed, before.searched, f.searched)
}

// leaves is the text in a JSON value, for search: its names, strings and
// numbers, a NUL behind each value.
func leaves(literal string) string {
	var b strings.Builder
	for i := 0; i < len(literal); {
		start := i
		switch c := literal[i]; {
		case c == '"':
			i = stringEnd(literal, i)
			b.WriteString(unquote(literal[start:i]))
			if i < len(literal) && literal[i] == ':' {
				b.WriteByte(' ')
			} else {
				b.WriteByte(0)
			}
		case c == '-' || '0' <= c && c <= '9':
			for i < len(literal) && !strings.ContainsRune(",]}", rune(literal[i])) {
				i++
			}
			b.WriteString(literal[start:i])
			b.WriteByte(0)
		default:
			i++
		}
	}
	return b.String()
}

// stringEnd is where the string ends that starts at i of a valid JSON text.
func stringEnd(text string, i int) int {
	for i++; text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// compact is a valid JSON text without white space between its parts.
func compact(text string) string {
	var b []byte
	copied := 0 // the bytes of text that are in b, or left out of it
	for i := 0; i < len(text); {
		switch text[i] {
		case '"':
			i = stringEnd(text, i)
		case ' ', '\t', '\n', '\r':
			b = append(b, text[copied:i]...)
			i++
			copied = i
		default:
			i++
		}
	}
	if copied == 0 {
		return text
	}
	return string(append(b, text[copied:]...))
}

// A scanner reads JSON (RFC 8259) as strictly as encoding/json does, and
// tells where each member stands, which that does not: files and requests are
// refused with the place, and members go from file to answer as they are.
type scanner struct {
	text  string
	at    int
	outer int // levels that do not count, because they are around what does
}

// A member is one of a JSON object.
type member struct {
	name    string
	quoted  string // the name as it stands in the text
	literal string // the value as it stands in the text
	at      int    // the byte at which the value starts
}

// syntaxError is an error in a JSON text.
type syntaxError struct {
	at   int
	text string
}

func (e *syntaxError) Error() string { return e.text }

// parseObject reads a text that is one JSON object with no name twice, in
// UTF-8. Errors are of type *syntaxError.
func parseObject(text string) ([]member, error) {
	s := scanner{text: text}
	return s.whole()
}

func (s *scanner) whole() ([]member, error) {
	if err := s.utf8(); err != nil {
		return nil, err
	}
	s.space()
	members, err := s.object(nil)
	if err != nil {
		return nil, err
	}
	return members, s.end()
}

// fail is an error at the place where the scanner stands.
func (s *scanner) fail(want string) error {
	if s.at >= len(s.text) {
		return &syntaxError{len(s.text), "want " + want + ", got the end"}
	}
	return &syntaxError{s.at, "want " + want + ", got " + excerpt(fmt.Sprintf("%q", s.text[s.at:min(len(s.text), s.at+16)]))}
}

// utf8 refuses a text that is not UTF-8.
func (s *scanner) utf8() error {
	if utf8.ValidString(s.text) {
		return nil
	}
	for at, r := range s.text {
		if r == utf8.RuneError && !strings.HasPrefix(s.text[at:], "\uFFFD") {
			return &syntaxError{at, fmt.Sprintf("byte %#x is not UTF-8", s.text[at])}
		}
	}
	panic("unreachable")
}

func (s *scanner) space() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return
		}
	}
}

// has takes a byte, if it is the next one, and the space behind it.
func (s *scanner) has(c byte) bool {
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		s.space()
		return true
	}
	return false
}

// end refuses anything but space in what is left.
func (s *scanner) end() error {
	if s.space(); s.at < len(s.text) {
		return s.fail("the end")
	}
	return nil
}

// object takes an object and the space behind it, and appends its members.
func (s *scanner) object(members []member) ([]member, error) {
	if !s.has('{') {
		return nil, s.fail("an object")
	}
	if s.has('}') {
		return members, nil
	}
	first := len(members)
	var seen map[string]bool // once there are too many to look at all of them
	for {
		m := member{at: s.at}
		if err := s.string(); err != nil {
			return nil, err
		}
		m.quoted = s.text[m.at:s.at]
		m.name = unquote(m.quoted)
		twice := false
		if len(members)-first < 64 {
			twice = slices.ContainsFunc(members[first:], func(o member) bool { return o.name == m.name })
		} else {
			if seen == nil {
				seen = map[string]bool{}
				for _, o := range members[first:] {
					seen[o.name] = true
				}
			}
			twice = seen[m.name]
			seen[m.name] = true
		}
		if twice {
			return nil, &syntaxError{m.at, "the name " + excerpt(m.quoted) + " stands twice in one object"}
		}
		if s.space(); !s.has(':') {
			return nil, s.fail("a colon")
		}
		m.at = s.at
		if err := s.value(0); err != nil {
			return nil, err
		}
		m.literal = s.text[m.at:s.at]
		members = append(members, m)
		if s.space(); s.has(',') {
			continue
		}
		if s.has('}') {
			return members, nil
		}
		return nil, s.fail("a comma or the end of the object")
	}
}

// deepest is how many arrays and objects may stand in one another.
const deepest = 1000

// value takes a value; no space behind it.
func (s *scanner) value(depth int) error {
	if s.at == len(s.text) {
		return s.fail("a value")
	}
	if depth > deepest+s.outer {
		return s.fail(fmt.Sprintf("at most %d values inside one another", deepest))
	}
	switch c := s.text[s.at]; c {
	case '"':
		return s.string()
	case '{', '[':
		end := c + 2 // the closing bracket, in ASCII
		s.at++
		s.space()
		if s.at < len(s.text) && s.text[s.at] == end {
			s.at++
			return nil
		}
		for {
			if c == '{' {
				if err := s.string(); err != nil {
					return err
				}
				if s.space(); !s.has(':') {
					return s.fail("a colon")
				}
			}
			if err := s.value(depth + 1); err != nil {
				return err
			}
			s.space()
			if s.at < len(s.text) && s.text[s.at] == end {
				s.at++
				return nil
			}
			if !s.has(',') {
				return s.fail(fmt.Sprintf("a comma or %q", end))
			}
		}
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	}
	return s.number()
}

func (s *scanner) word(word string) error {
	if !strings.HasPrefix(s.text[s.at:], word) {
		return s.fail("a value")
	}
	s.at += len(word)
	return nil
}

func (s *scanner) string() error {
	if s.at == len(s.text) || s.text[s.at] != '"' {
		return s.fail("a string")
	}
	for i := s.at + 1; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '"':
			s.at = i + 1
			return nil
		case c < ' ':
			s.at = i
			return s.fail("no control character in a string")
		case c == '\\':
			i++
			if i == len(s.text) {
				break
			}
			if s.text[i] == 'u' {
				if i+4 >= len(s.text) || strings.Trim(s.text[i+1:i+5], "0123456789abcdefABCDEF") != "" {
					s.at = i - 1
					return s.fail("four hexadecimal digits behind \\u")
				}
				i += 4
			} else if strings.IndexByte(`"\/bfnrt`, s.text[i]) < 0 {
				s.at = i - 1
				return s.fail("an escape that JSON knows")
			}
		}
	}
	s.at = len(s.text)
	return s.fail("the end of a string")
}

func (s *scanner) number() error {
	start := s.at
	digits := func() bool {
		from := s.at
		for s.at < len(s.text) && '0' <= s.text[s.at] && s.text[s.at] <= '9' {
			s.at++
		}
		return s.at > from
	}
	next := func(set string) bool {
		if s.at < len(s.text) && strings.IndexByte(set, s.text[s.at]) >= 0 {
			s.at++
			return true
		}
		return false
	}
	next("-")
	ok := next("0") || digits()
	if ok && next(".") {
		ok = digits()
	}
	if ok && next("eE") {
		next("+-")
		ok = digits()
	}
	if !ok {
		s.at = start
		return s.fail("a value")
	}
	return nil
}

// quote is a text as a JSON string.
func quote(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic("quote: " + err.Error()) // every string can be encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// formatNumber is a finite number as JSON writes it, as short as it goes.
func formatNumber(number float64) string {
	b, err := json.Marshal(number)
	if err != nil {
		return fmt.Sprint(number)
	}
	return string(b)
}

// place is where in a file an error of this file's readers is: "name:line".
func place(name, text string, err error) string {
	var syntax *syntaxError
	var field *fieldError
	at := 0
	if errors.As(err, &syntax) {
		at = syntax.at
	} else if errors.As(err, &field) {
		at = field.at
	}
	return fmt.Sprintf("%s:%d", name, 1+strings.Count(text[:at], "\n"))
}

// eachObject calls f with the members of each object in a text that is one
// JSON array, and the byte at which the object starts; the members are good
// for the call alone. Errors begin with name and line.
func eachObject(name, text string, f func(members []member, at int) error) error {
	s := scanner{text: text}
	err := s.eachObject(f)
	if err != nil {
		return fmt.Errorf("%s: %w", place(name, text, err), err)
	}
	return nil
}

func (s *scanner) eachObject(f func(members []member, at int) error) error {
	if err := s.utf8(); err != nil {
		return err
	}
	if s.space(); !s.has('[') {
		return s.fail("a JSON array")
	}
	if !s.has(']') {
		if err := s.objects(f); err != nil {
			return err
		}
		if !s.has(']') {
			return s.fail("a comma or the end of the array")
		}
	}
	return s.end()
}

// objects takes objects parted by commas, and the space behind them.
func (s *scanner) objects(f func(members []member, at int) error) error {
	var members []member
	for {
		at := s.at
		var err error
		if members, err = s.object(members[:0]); err != nil {
			return err
		}
		if err := f(members, at); err != nil {
			return err
		}
		if !s.has(',') {
			return nil
		}
	}
}

// readFlats reads the text of a flats.json; name is for errors, which name
// the line and the field.
func readFlats(name, text string, codes *PostalCodes) ([]*Flat, error) {
	text = strings.TrimPrefix(text, "\uFEFF")
	if flats := readLines(text, codes); flats != nil {
		return flats, nil
	}
	// Some other layout, or something is wrong: one after the other, which
	// takes anything and knows the place.
	var flats []*Flat
	lines := map[string]int{} // where each id was seen first
	err := eachObject(name, text, func(members []member, at int) error {
		f, err := blank.with(members, codes)
		if err != nil {
			if field := err.(*fieldError); field.at == 0 {
				field.at = at
			}
			return err
		}
		id := f.ID.in(f.text)
		if first, ok := lines[id]; ok {
			return &fieldError{"id", at, fmt.Errorf("%s stands in the file twice, first in line %d", excerpt(f.ID.of(f.text)), 1+strings.Count(text[:first], "\n"))}
		}
		lines[id] = at
		flats = append(flats, f)
		return nil
	})
	return flats, err
}

// readLines reads a flats.json with all processors, if it is right and its
// flats stand in lines of their own, as the service writes it; else it returns
// nil. It cuts the text where one flat must end and the next one begin: should
// that be elsewhere, inside of a flat, what is in front of the cut cannot be
// read.
func readLines(text string, codes *PostalCodes) []*Flat {
	text, ok := strings.CutPrefix(strings.TrimSpace(text), "[")
	text, closed := strings.CutSuffix(text, "]")
	if !ok || !closed || !utf8.ValidString(text) {
		return nil
	}
	const between = ",\n{"
	parts := runtime.GOMAXPROCS(0)
	read := make([][]*Flat, parts)
	var group sync.WaitGroup
	for i, size := 0, len(text)/parts+1; i < parts && text != ""; i++ {
		part := text
		text = ""
		if size < len(part) {
			if cut := strings.Index(part[size:], between); cut >= 0 {
				part, text = part[:size+cut], part[size+cut+1:]
			}
		}
		group.Go(func() {
			s := scanner{text: part}
			var flats []*Flat
			s.space()
			err := s.objects(func(members []member, _ int) error {
				f, err := blank.with(members, codes)
				flats = append(flats, f)
				return err
			})
			if err == nil && s.at == len(part) {
				read[i] = flats
			}
		})
	}
	group.Wait()
	flats := slices.Concat(read...)
	ids := make(map[string]bool, len(flats))
	for _, f := range flats {
		ids[f.ID.in(f.text)] = true
	}
	if text != "" || len(ids) < len(flats) || slices.ContainsFunc(read, func(part []*Flat) bool { return part == nil }) {
		return nil
	}
	return flats
}

// appendRecord appends a line of the journal: the members that were set on
// the flat of an id, behind a checksum of the rest of the line.
//
//	record = `{"crc":"` 8HEX `",` rest LF      rest = `"id":` id *( `,"name":value` ) `}`
func appendRecord(b []byte, id string, members []member) []byte {
	start := len(b)
	b = append(b, recordHead...)
	rest := len(b)
	b = append(b, `"id":`...)
	b = append(b, id...)
	for _, m := range members {
		b = append(append(append(append(b, ','), m.quoted...), ':'), compact(m.literal)...)
	}
	b = append(b, '}')
	sum := binary.BigEndian.AppendUint32(nil, crc32.Checksum(b[rest:], castagnoli))
	hex.Encode(b[start+len(`{"crc":"`):], sum)
	return append(b, '\n')
}

const recordHead = `{"crc":"00000000",`

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// parseRecord reads a line of the journal without its newline.
func parseRecord(line string) ([]member, error) {
	const sum = len(`{"crc":"`)
	if len(line) < len(recordHead) || line[:sum] != recordHead[:sum] || line[sum+8:len(recordHead)] != recordHead[sum+8:] {
		return nil, errors.New("no record")
	}
	rest := line[len(recordHead):]
	if line[sum:sum+8] != fmt.Sprintf("%08x", crc32.Checksum([]byte(rest), castagnoli)) {
		return nil, errors.New("the checksum does not fit")
	}
	return parseObject("{" + rest)
}

// replay applies a journal to flats, of which it changes the slice. whole is
// how many bytes of the journal are records; what is behind them never was
// acknowledged. A line that is no record in front of one that is, or a record
// that does not fit the flats, is an error.
func replay(name, text string, flats []*Flat, codes *PostalCodes) (_ []*Flat, whole int, err error) {
	ids := make(map[string]int, len(flats))
	for i, f := range flats {
		ids[f.ID.in(f.text)] = i
	}
	line, broken := 0, 0
	var reason error
	for at := 0; at < len(text); {
		line++
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			break
		}
		record := text[at : at+end]
		members, err := parseRecord(record)
		at += end + 1
		if err != nil {
			if broken == 0 {
				broken, reason = line, err
			}
			// Where only the newline in front of it is damaged, a record stands
			// at the end of the line.
			if i := strings.LastIndex(record, recordHead[:8]); i <= 0 {
				continue
			} else if _, err := parseRecord(record[i:]); err != nil {
				continue
			}
		}
		if broken > 0 {
			return nil, 0, fmt.Errorf("%s:%d: %w, but valid records follow: put a backup of the file in its place, or delete the line to go without that update", name, broken, reason)
		}
		if len(members) == 0 || members[0].name != "id" || !isIdentifier(members[0].literal) {
			return nil, 0, fmt.Errorf("%s:%d: id: the record has none", name, line)
		}
		i, ok := ids[identity(members[0].literal)]
		f := blank
		if ok {
			f, members = flats[i], members[1:]
		}
		if f, err = f.with(members, codes); err != nil {
			return nil, 0, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		if ok {
			flats[i] = f
		} else {
			ids[f.ID.in(f.text)] = len(flats)
			flats = append(flats, f)
		}
		whole = at
	}
	return flats, whole, nil
}

// A disk is how the store reaches the file system. Tests put one in that
// fails; everything else uses osDisk.
type disk interface {
	Open(name string, flag int, mode fs.FileMode) (file, error)
	Stat(name string) (fs.FileInfo, error)
	Rename(from, to string) error
	Remove(name string) error
	// SameFile reports whether two infos of Stat are of one file.
	SameFile(a, b fs.FileInfo) bool
	// SyncDir makes what was created, renamed or removed in a folder durable.
	SyncDir(dir string) error
}

type file interface {
	io.ReadWriteCloser
	io.Seeker
	Chmod(mode fs.FileMode) error
	Stat() (fs.FileInfo, error)
	Sync() error
	Truncate(size int64) error
}

type osDisk struct{}

func (osDisk) Open(name string, flag int, mode fs.FileMode) (file, error) {
	return os.OpenFile(name, flag, mode)
}
func (osDisk) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }
func (osDisk) Rename(from, to string) error          { return os.Rename(from, to) }
func (osDisk) Remove(name string) error              { return os.Remove(name) }
func (osDisk) SameFile(a, b fs.FileInfo) bool        { return os.SameFile(a, b) }

func (osDisk) SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // folders cannot be opened there, and the file system orders them itself
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// files are flats.json and its journal on disk. After an error of any method
// they hold what they held before: every update that was acknowledged, and
// no other. Not for two goroutines, but for writeBase.
type files struct {
	disk disk
	base string // flats.json, symbolic links resolved
	log  string // the journal
	// mark is in the names of temporary files, so that a second program on the
	// same data cannot write into those of this one.
	mark string

	baseInfo fs.FileInfo // as the service left it, nil where there is no file
	logInfo  fs.FileInfo // likewise
	journal  file        // open for appending once there was something to append
	size     int64       // of the records in the journal
	// suspect: the journal may hold more than its records, or an fsync has
	// failed and nobody knows what it holds. Only a fold mends that.
	suspect bool
}

// errForeign is wrapped by the refusal to write over somebody else's change.
var errForeign = errors.New("was changed by another program")

// check refuses to go on where another process has changed a file.
func (f *files) check() error {
	for _, known := range []struct {
		name string
		info fs.FileInfo
	}{{f.base, f.baseInfo}, {f.log, f.logInfo}} {
		info, err := f.disk.Stat(known.name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err != nil {
			info = nil
		}
		if f.suspect && known.name == f.log && info != nil && known.info != nil && f.disk.SameFile(info, known.info) {
			continue
		}
		if !f.unchanged(info, known.info) {
			return fmt.Errorf("%s %w: nothing was written; stop every other program that uses it, then restart this one to go on from what the file holds now", known.name, errForeign)
		}
	}
	return nil
}

func (f *files) unchanged(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return f.disk.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// append writes records to the journal and returns when they are durable.
func (f *files) append(records []byte) (err error) {
	if err := f.check(); err != nil {
		return err
	}
	if f.journal == nil {
		if err := f.openJournal(); err != nil {
			return err
		}
	}
	_, err = f.journal.Write(records)
	if err == nil {
		if err = f.journal.Sync(); err != nil {
			f.suspect = true
		}
	}
	if err != nil {
		if f.journal.Truncate(f.size) != nil {
			f.suspect = true
		}
	} else {
		f.size += int64(len(records))
	}
	if info, statErr := f.journal.Stat(); statErr == nil {
		f.logInfo = info
	} else {
		f.suspect = true
	}
	return err
}

func (f *files) openJournal() error {
	flag := os.O_WRONLY | os.O_APPEND
	if f.logInfo == nil {
		flag |= os.O_CREATE | os.O_EXCL
	}
	journal, err := f.disk.Open(f.log, flag, 0o600)
	if err != nil {
		return err
	}
	info, err := journal.Stat()
	if err != nil {
		journal.Close()
		if f.logInfo == nil {
			f.disk.Remove(f.log)
		}
		return err
	}
	f.logInfo = info
	if err := f.disk.SyncDir(filepath.Dir(f.log)); err != nil {
		journal.Close()
		return err
	}
	f.journal = journal
	return nil
}

// writeTemp writes a temporary file beside the one that it is to replace, and
// returns its name when its content is durable. On error there is no file.
// Unlike the rest it may run beside other methods.
func (f *files) writeTemp(target string, mode fs.FileMode, fill func(io.Writer) error) (_ string, err error) {
	name := target + f.mark + ".tmp"
	tmp, err := f.disk.Open(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return "", err
	}
	defer func() {
		if closeErr := tmp.Close(); err == nil {
			err = closeErr
		}
		if err != nil {
			f.disk.Remove(name)
		}
	}()
	info, err := tmp.Stat()
	if err != nil {
		return "", err
	}
	if info.Mode().Perm() != mode {
		if err := tmp.Chmod(mode); err != nil {
			return "", err
		}
	}
	w := bufio.NewWriterSize(tmp, 1<<18)
	if err := fill(w); err != nil {
		return "", err
	}
	if err := w.Flush(); err != nil {
		return "", err
	}
	return name, tmp.Sync()
}

// writable tries whether a file can be made where the flats are.
func (f *files) writable() error {
	tmp, err := f.writeTemp(f.base, 0o600, func(io.Writer) error { return nil })
	if err != nil {
		return err
	}
	return f.disk.Remove(tmp)
}

// writeBase writes flats as a flats.json that is yet to be put in place.
func (f *files) writeBase(flats []*Flat) (tmp string, err error) {
	mode := fs.FileMode(0o600) // phone numbers and notes are nobody else's business
	if f.baseInfo != nil {
		mode = f.baseInfo.Mode().Perm()
	}
	return f.writeTemp(f.base, mode, func(w io.Writer) error {
		line := []byte("[")
		for i, flat := range flats {
			if i > 0 {
				line = append(line, ',')
			}
			line = flat.appendStored(append(line, '\n'))
			if _, err := w.Write(line); err != nil {
				return err
			}
			line = line[:0]
		}
		_, err := w.Write(append(line, "\n]\n"...))
		return err
	})
}

// fold puts a file of writeBase in the place of flats.json, and takes the
// records that it accounts for, the first upTo bytes, out of the journal. At
// any instant in between, flats.json and the journal make up the same flats,
// because records say what is, not what changes.
func (f *files) fold(tmp string, upTo int64) error {
	err := f.check()
	if err == nil && f.suspect && f.size > upTo {
		// The rest of the journal would have to stay, and cannot be trusted.
		err = errors.New("an fsync of the journal has failed meanwhile")
	}
	var info fs.FileInfo
	if err == nil {
		info, err = f.disk.Stat(tmp)
	}
	if err == nil {
		err = f.disk.Rename(tmp, f.base)
	}
	if err != nil {
		f.disk.Remove(tmp)
		return err
	}
	f.baseInfo = info
	if err := f.disk.SyncDir(filepath.Dir(f.base)); err != nil {
		return err
	}
	if f.logInfo == nil {
		f.suspect = false
		return nil
	}

	if f.size == upTo {
		if err := f.closeJournal(); err != nil {
			return err
		}
		if err := f.disk.Remove(f.log); err != nil {
			return err
		}
		f.logInfo, f.size, f.suspect = nil, 0, false
	} else {
		tail, info, err := f.writeTail(upTo)
		if err != nil {
			return err
		}
		if err := f.closeJournal(); err != nil {
			f.disk.Remove(tail)
			return err
		}
		if err := f.disk.Rename(tail, f.log); err != nil {
			f.disk.Remove(tail)
			return err
		}
		f.logInfo, f.size = info, f.size-upTo
	}
	if err := f.disk.SyncDir(filepath.Dir(f.log)); err != nil {
		f.suspect = true
		return err
	}
	return nil
}

// writeTail copies the records behind the first upTo bytes of the journal.
func (f *files) writeTail(upTo int64) (tmp string, info fs.FileInfo, err error) {
	from, err := f.disk.Open(f.log, os.O_RDONLY, 0)
	if err != nil {
		return "", nil, err
	}
	defer from.Close()
	if _, err := from.Seek(upTo, io.SeekStart); err != nil {
		return "", nil, err
	}
	tmp, err = f.writeTemp(f.log, f.logInfo.Mode().Perm(), func(w io.Writer) error {
		_, err := io.CopyN(w, from, f.size-upTo)
		return err
	})
	if err != nil {
		return "", nil, err
	}
	if info, err = f.disk.Stat(tmp); err != nil {
		f.disk.Remove(tmp)
	}
	return tmp, info, err
}

func (f *files) closeJournal() error {
	if f.journal == nil {
		return nil
	}
	err := f.journal.Close()
	f.journal = nil
	return err
}

// A Store keeps flats in memory and, where it has files, on disk.
//
// Readers take flats, and pages of them, and may hold on to them for as long
// as they like: flats do not change. They wait for no disk. All changes go
// through one goroutine, which makes those that come in at the same time
// durable with one fsync, and only then shows them, all of them in one
// instant. After an error memory and files are as they were.
type Store struct {
	codes *PostalCodes
	log   *slog.Logger
	now   func() time.Time

	flats *Table[Flat] // its mu guards these, too:
	ids   map[string]uint32
	words *Index // nil until searchable is closed
	// visits are the rows with a visit date.
	visits *postings
	// updated is the latest UpdatedAt of all flats, the zero value if none.
	updated Datetime

	searchable chan struct{} // closed when the index is made

	jobs    chan *job
	quit    chan struct{} // closed to ask the writer to stop
	stopped chan error    // gets the writer's last word
	closing sync.Once
	resume  time.Time // when takeIn tries again after a failure; its own

	// The rest is the writer's own.
	files   *files // nil keeps everything in memory
	records []byte // a buffer for those of a batch
	folding chan folded
	foldAt  int64 // the size of the journal at which it is folded
}

// A job is a change that waits for the writer.
type job struct {
	// edits makes the new flats; current returns a flat as it is by then, nil
	// for none.
	edits func(current func(id string) *Flat) ([]edit, error)
	done  chan error // buffered
}

// make calls edits. A panic in it is the failure of one job.
func (j *job) make(current func(id string) *Flat) (made []edit, err error) {
	defer func() {
		if what := recover(); what != nil {
			made, err = nil, fmt.Errorf("internal error: %v", what)
		}
	}()
	return j.edits(current)
}

// An edit replaces a flat, or adds one where before is nil.
type edit struct {
	before, after *Flat
	members       []member // what the journal is to say of it, id aside
}

// folded is the end of writing a flats.json in the background.
type folded struct {
	tmp  string
	upTo int64
	err  error
}

var errClosed = errors.New("the service is stopping")

// memoryStore is a store that keeps its flats in memory alone. Close must be
// called to stop it.
func memoryStore(flats []*Flat, codes *PostalCodes, log *slog.Logger) *Store {
	s := newStore(flats, codes, log)
	go s.write()
	return s
}

func newStore(flats []*Flat, codes *PostalCodes, log *slog.Logger) *Store {
	s := &Store{
		codes: codes, log: log, now: time.Now,
		ids: make(map[string]uint32, len(flats)), visits: &postings{},
		searchable: make(chan struct{}), jobs: make(chan *job), quit: make(chan struct{}), stopped: make(chan error, 1),
	}
	s.flats = newTable(flatFields, (*Flat).listed, flats)
	for i, f := range flats {
		s.index(uint32(i), nil, f, change{})
	}
	go s.indexWords()
	return s
}

// indexWords makes the search index of the flats as they are, while everything
// but searches goes on, and catches up with what changed meanwhile.
func (s *Store) indexWords() {
	flats := s.all()
	words := newIndex()
	words.fill(len(flats), func(row uint32, field int) string { return flats[row].searched(field) })
	s.flats.mu.Lock()
	defer s.flats.mu.Unlock()
	for row, f := range s.flats.rows {
		var before *Flat
		if row < len(flats) {
			before = flats[row]
		}
		if before != f {
			words.apply(uint32(row), f.changeFrom(before))
		}
	}
	s.words = words
	close(s.searchable)
}

// openStore reads flats.json at a path and its journal, folds them into one
// and starts the writer. Where there is no such file, the store is empty and
// the file comes with the first change. Close must be called to stop it.
func openStore(path string, disk disk, codes *PostalCodes, log *slog.Logger) (*Store, error) {
	base := path
	if target, err := filepath.EvalSymlinks(path); err == nil {
		base = target
	} else if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s is a symbolic link to a file that is not there: mount or make what it points to, or remove it", path)
	}
	fl := &files{disk: disk, base: base, log: path + ".log", mark: "." + rand.Text()}
	for _, target := range []string{fl.base, fl.log} {
		// What a program that was killed has left. Should one be running, its
		// fold fails, and loses nothing.
		left, _ := filepath.Glob(target + ".??????????????????????????.tmp")
		for _, name := range left {
			os.Remove(name)
		}
	}
	text, info, err := readAll(disk, base)
	if err != nil {
		return nil, err
	}
	fl.baseInfo = info
	journal, info, err := readAll(disk, fl.log)
	if err != nil {
		return nil, err
	}
	fl.logInfo = info
	if fl.baseInfo == nil && journal != "" {
		return nil, fmt.Errorf("%s is missing, but there are updates to it in %s: put the file back, or move the journal away to start with nothing", path, fl.log)
	}
	var flats []*Flat
	if fl.baseInfo != nil {
		if flats, err = readFlats(path, text, codes); err != nil {
			return nil, fmt.Errorf("%w (the file is left as it is: mend it, or put a backup in its place)", err)
		}
	}
	flats, whole, err := replay(fl.log, journal, flats, codes)
	if err != nil {
		return nil, err
	}
	fl.size = int64(whole)
	if torn := len(journal) - whole; torn > 0 {
		log.Warn("the journal ends in a record that was never acknowledged: cut off", "file", fl.log, "bytes", torn)
		fl.suspect = true
	}

	s := newStore(flats, codes, log)
	s.files, s.folding = fl, make(chan folded, 1)
	s.setFoldAt()
	if journal != "" {
		if err := s.fold(); err != nil {
			log.Warn("the journal could not be folded", "err", err)
		}
	}
	go s.write()
	return s, nil
}

// readAll returns a file's text and what it is; info is nil where there is
// no such file.
func readAll(disk disk, name string) (string, fs.FileInfo, error) {
	info, err := disk.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	if !info.Mode().IsRegular() { // to open a pipe could take for ever
		return "", nil, fmt.Errorf("%s is no regular file", name)
	}
	f, err := disk.Open(name, os.O_RDONLY, 0)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	var b strings.Builder
	b.Grow(int(info.Size()))
	if _, err := io.Copy(&b, f); err != nil {
		return "", nil, fmt.Errorf("read %s: %w", name, err)
	}
	return b.String(), info, nil
}

// Close stops the writer, which finishes what it has begun, and folds the
// journal. Changes that come later fail.
func (s *Store) Close() error {
	s.closing.Do(func() { close(s.quit) })
	err := <-s.stopped
	s.stopped <- err
	return err
}

// Get returns the flat of an id, nil where there is none.
func (s *Store) Get(id string) *Flat {
	s.flats.mu.RLock()
	defer s.flats.mu.RUnlock()
	if row, ok := s.ids[id]; ok {
		return s.flats.rows[row]
	}
	return nil
}

// List answers a query about all flats.
func (s *Store) List(q *Query) Page { return s.flats.find(q, nil) }

// Search answers a query about the flats that a full-text query matches. Right
// after the start it waits until the index is made. What only the texts can
// tell is found out with no lock held, so that no query holds up others; the
// page is of one state of the store all the same. It fails when ctx is done.
func (s *Store) Search(ctx context.Context, query string, q *Query) (Page, error) {
	select {
	case <-s.searchable: // first: who asks and then sends no more is answered
	default:
		select {
		case <-s.searchable:
		case <-ctx.Done():
			return Page{}, ctx.Err()
		}
	}
	search := parseSearch(query)
	reader := search.reader()
	verdicts := map[*Flat]bool{}
	for {
		var unknown []*Flat
		page := s.flats.find(q, func(rows int) *postings {
			found, sure := s.words.match(search, rows)
			if sure {
				return found
			}
			return found.keep(func(row uint32) bool {
				f := s.flats.rows[row]
				holds, known := verdicts[f]
				if !known {
					unknown = append(unknown, f)
				}
				return holds
			})
		})
		if len(unknown) == 0 {
			return page, nil
		}
		for _, f := range unknown {
			if ctx.Err() != nil {
				return page, ctx.Err()
			}
			verdicts[f] = reader.holds(f.searched)
		}
	}
}

// Visits returns the flats with a visit date, in the order of the store.
func (s *Store) Visits() []*Flat {
	s.flats.mu.RLock()
	defer s.flats.mu.RUnlock()
	flats := make([]*Flat, 0, s.visits.n)
	for row := range s.visits.all() {
		flats = append(flats, s.flats.rows[row])
	}
	return flats
}

// State is the number of flats, when one was last changed through the
// service (the zero value if none was), and the version of it all.
func (s *Store) State() (flats int, updated Datetime, version uint64) {
	s.flats.mu.RLock()
	defer s.flats.mu.RUnlock()
	return len(s.flats.rows), s.updated, s.flats.version
}

// Update sets members of a flat, given as the text of a JSON object: all of
// them or, on error, none. The error is a *failure for what the caller did
// wrong: 400 for a bad text, 404 where no flat has the id. It returns when
// the update is durable.
func (s *Store) Update(id, text string) (*Flat, error) {
	members, err := parseObject(text)
	if err != nil {
		return nil, fail(400, "Invalid payload provided: %v.", err)
	}
	for _, m := range members {
		if _, ok := flatFields.byName[m.name]; !ok {
			return nil, fail(400, "Invalid payload provided: %s: a flat has no such field.", m.name)
		}
	}
	// The id stays to the letter, 7 or "7", however the client writes it.
	members = slices.DeleteFunc(members, func(m member) bool {
		return m.name == "id" && isIdentifier(m.literal) && identity(m.literal) == id
	})
	var after *Flat
	err = s.change(func(current func(id string) *Flat) ([]edit, error) {
		before := current(id)
		if before == nil {
			return nil, noFlat(id)
		}
		set := append(slices.Clip(members), s.stamp())
		next, err := before.with(set, s.codes)
		if err != nil {
			return nil, fail(400, "Invalid payload provided: %v.", err)
		}
		if next.ID.in(next.text) != id {
			return nil, fail(400, "Invalid payload provided: id: the flat's own id is %s, and it stays.", before.ID.of(before.text))
		}
		e, changed := s.edit(before, next, set)
		after = e.after
		if !changed {
			return nil, nil
		}
		return []edit{e}, nil
	})
	return after, err
}

// noFlat is the failure of api.md 4.3.
func noFlat(id string) error { return fail(404, "No flat with id %s.", id) }

// stamp is the member that says when a flat was changed.
func (s *Store) stamp() member {
	return member{name: "updated_at", quoted: `"updated_at"`, literal: s.now().UTC().Format(`"` + time.RFC3339 + `"`)}
}

// edit is the change from one flat to another one that was just made by
// setting members, a stamp among them: those that differ. It reports false,
// and after is before, where none does.
func (s *Store) edit(before, after *Flat, members []member) (edit, bool) {
	if before.equals(after) {
		return edit{before, before, nil}, false
	}
	e := edit{before, after, make([]member, 0, len(members))}
	for _, m := range members {
		if i, ok := flatFields.byName[m.name]; ok && flatFields.literal(before, i) == flatFields.literal(after, i) {
			continue
		}
		e.members = append(e.members, m)
	}
	return e, true
}

// change hands a job to the writer and waits until it is durable.
func (s *Store) change(edits func(current func(id string) *Flat) ([]edit, error)) error {
	j := &job{edits, make(chan error, 1)}
	select {
	case s.jobs <- j:
		return <-j.done
	case <-s.quit:
		return errClosed
	}
}

// mostJobs bounds how many changes share one fsync.
const mostJobs = 1024

// write is the writer: it runs until the store is closed.
func (s *Store) write() {
	for {
		select {
		case first := <-s.jobs:
			batch := []*job{first}
			for len(batch) < mostJobs {
				select {
				case j := <-s.jobs:
					batch = append(batch, j)
					continue
				default:
				}
				break
			}
			s.commit(batch)
			s.foldSoon()
		case done := <-s.folding:
			s.foldDone(done)
		case <-s.quit:
			s.stopped <- s.finish()
			return
		}
	}
}

// finish leaves the files as they are best found: folded.
func (s *Store) finish() error {
	if s.files == nil {
		return nil
	}
	if s.foldAt < 0 {
		s.foldDone(<-s.folding)
	}
	var err error
	if s.files.logInfo != nil {
		err = s.fold()
	}
	return errors.Join(err, s.files.closeJournal())
}

// commit makes the edits of a batch durable, then visible, then known to
// those who asked.
func (s *Store) commit(batch []*job) {
	var edits []edit
	records := s.records[:0]
	latest := map[string]*Flat{}
	current := func(id string) *Flat {
		if f, ok := latest[id]; ok {
			return f
		}
		return s.Get(id)
	}
	var waiting []*job
	for _, j := range batch {
		made, err := j.make(current)
		if err != nil {
			j.done <- err
			continue
		}
		waiting = append(waiting, j)
		for _, e := range made {
			latest[e.after.ID.in(e.after.text)] = e.after
			records = appendRecord(records, e.after.ID.of(e.after.text), e.members)
		}
		edits = append(edits, made...)
	}
	err := s.persist(records)
	if s.records = nil; cap(records) < 1<<20 {
		s.records = records
	}
	if err == nil {
		s.show(edits)
	}
	for _, j := range waiting {
		j.done <- err
	}
}

// persist returns when records are durable.
func (s *Store) persist(records []byte) error {
	if s.files == nil || len(records) == 0 {
		return nil
	}
	// A journal needs a flats.json to stand on, and to be beyond doubt.
	if s.files.baseInfo == nil || s.files.suspect {
		if s.foldAt < 0 {
			s.foldDone(<-s.folding)
		}
		if err := s.fold(); err != nil {
			return fmt.Errorf("the update was not stored: %w", err)
		}
	}
	if err := s.files.append(records); err != nil {
		return fmt.Errorf("the update was not stored: %w", err)
	}
	return nil
}

// show lets readers see edits, all at once.
func (s *Store) show(edits []edit) {
	changes := make([]change, len(edits))
	for i, e := range edits {
		changes[i] = e.after.changeFrom(e.before)
	}
	s.flats.mu.Lock()
	defer s.flats.mu.Unlock()
	for i, e := range edits {
		row, ok := s.ids[e.after.ID.in(e.after.text)]
		if !ok {
			row = uint32(len(s.flats.rows))
		}
		e.after.version = s.flats.version + 1
		s.flats.put(row, e.after)
		s.index(row, e.before, e.after, changes[i])
	}
}

// index keeps everything beside the table in step with a row of it.
func (s *Store) index(row uint32, before, after *Flat, c change) {
	s.ids[after.ID.in(after.text)] = row // also so that the key does not hold the text of the flat before
	if s.words != nil {
		s.words.apply(row, c)
	}
	if after.VisitDate.Known() {
		s.visits.add(row)
	} else {
		s.visits.remove(row)
	}
	if at := after.UpdatedAt; at.Known() && (!s.updated.Known() || at.Time().After(s.updated.Time())) {
		s.updated = at
	}
}

// smallestFold is the size below which a journal is left alone.
const smallestFold = 1 << 16

// setFoldAt lets the journal grow by the size of flats.json, so that folding
// writes about as much as the updates did.
func (s *Store) setFoldAt() {
	s.foldAt = s.files.size + smallestFold
	if s.files.baseInfo != nil {
		s.foldAt = s.files.size + max(smallestFold, s.files.baseInfo.Size())
	}
}

// fold writes flats.json anew and empties the journal.
func (s *Store) fold() error {
	defer s.setFoldAt()
	tmp, err := s.files.writeBase(s.all())
	if err != nil {
		return err
	}
	return s.files.fold(tmp, s.files.size)
}

// foldSoon begins to fold the journal where it has outgrown its bound, beside
// the updates that come in meanwhile. foldAt is -1 until foldDone.
func (s *Store) foldSoon() {
	if s.files == nil || s.foldAt < 0 || s.files.size < s.foldAt {
		return
	}
	s.foldAt = -1
	upTo, flats := s.files.size, s.all()
	go func() {
		tmp, err := s.files.writeBase(flats)
		s.folding <- folded{tmp, upTo, err}
	}()
}

func (s *Store) foldDone(done folded) {
	err := done.err
	if err == nil {
		err = s.files.fold(done.tmp, done.upTo)
	}
	if err != nil {
		s.log.Warn("the journal could not be folded; it goes on growing", "file", s.files.log, "err", err)
	}
	s.setFoldAt()
}

// all returns every flat as it is now.
func (s *Store) all() []*Flat {
	s.flats.mu.RLock()
	defer s.flats.mu.RUnlock()
	return slices.Clone(s.flats.rows)
}

// importFolder is where listings for the flats.json of a path come in.
func importFolder(data string) string { return filepath.Join(filepath.Dir(data), "import") }

// readListings reads listings in any of the forms in which they come: an
// array of objects, an object with such an array as its data, as this API and
// Flatisfy's answer, or one object. Each becomes the text of an object with the
// members of a flat, and is checked as one. name is for errors, which name line
// and field.
func readListings(name, text string) ([]string, error) {
	text = strings.TrimPrefix(text, "\uFEFF")
	var listings []string
	add := func(members []member, at int) error {
		listing, err := normalize(members)
		if err == nil {
			_, err = blank.with(listing, nil)
		}
		if err != nil {
			if field, ok := err.(*fieldError); ok && field.at == 0 {
				field.at = at
			}
			return err
		}
		var b []byte
		for i, m := range listing {
			b = append(append(append(append(b, "{,"[min(i, 1)]), m.quoted...), ':'), m.literal...)
		}
		again := string(append(b, '}'))
		if _, err := parseObject(again); err != nil { // what was nested in a list may be too deep by now
			return &syntaxError{at, err.Error()}
		}
		listings = append(listings, again)
		return nil
	}
	s := scanner{text: text}
	if s.space(); s.at < len(text) && text[s.at] == '[' {
		err := eachObject(name, text, add)
		return listings, err
	}
	s.outer = 2 // a backup nests flats in a list
	members, err := s.whole()
	if err == nil {
		i := slices.IndexFunc(members, func(m member) bool { return m.name == "data" })
		isListing := slices.ContainsFunc(members, func(m member) bool { return m.name == "id" })
		switch {
		case i < 0 || isListing:
			err = add(members, s.at)
		case members[i].literal[0] == '{':
			if members, err = parseObject(members[i].literal); err == nil {
				err = add(members, s.at)
			}
		default:
			// The rest of the text goes, so that lines are counted as they are.
			data := scanner{text: text[:members[i].at+len(members[i].literal)], at: members[i].at}
			err = data.eachObject(add)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", place(name, text, err), err)
	}
	return listings, nil
}

// normalize turns the members of a listing, as other programs name them, into
// those of a flat.
func normalize(members []member) ([]member, error) {
	var out []member
	set := func(name string, m member) {
		if i := slices.IndexFunc(out, func(o member) bool { return o.name == name }); i >= 0 {
			return // what a listing says in its own words goes before
		}
		out = append(out, member{name, quote(name), m.literal, m.at})
	}
	var url, nested member
	for _, m := range members {
		switch {
		case m.name == "url":
			url = m
		case m.name == "flatisfy" && m.literal[0] == '{':
			nested = m
		case m.name == "updated_at":
			// When the flat was changed here is ours to say.
		case m.name == "utilities":
			m.literal = cmp.Or(map[string]string{`"C.C."`: `"included"`, `"H.C."`: `"excluded"`}[m.literal], m.literal)
			set(m.name, m)
		case strings.HasPrefix(m.name, "flatisfy_"):
			set("service_"+strings.TrimPrefix(m.name, "flatisfy_"), m)
		default:
			set(m.name, m)
		}
	}
	if nested.name != "" {
		inner, err := parseObject(nested.literal)
		if err != nil {
			return nil, &fieldError{"flatisfy", nested.at + err.(*syntaxError).at, err}
		}
		for _, m := range inner {
			m.at += nested.at
			set("service_"+cmp.Or(map[string]string{"matched_stations": "stations"}[m.name], m.name), m)
		}
	}
	if url.name != "" {
		if url.literal[0] == '"' {
			url.literal = "[" + url.literal + "]"
		}
		set("urls", url)
	}
	for i, m := range out {
		if m.name != "service_postal_code" || m.literal[0] != '{' {
			continue
		}
		// As it is served: an object that holds the code, or nothing, which
		// does not say that there is no code.
		code, err := parseObject(m.literal)
		if err != nil {
			return nil, &fieldError{m.name, m.at, err}
		}
		if j := slices.IndexFunc(code, func(m member) bool { return m.name == "postal_code" }); j >= 0 {
			out[i].literal = code[j].literal
		} else {
			out = slices.Delete(out, i, i+1)
		}
		break
	}
	return out, nil
}

// Counts says what an import came to.
type Counts struct{ Added, Updated, Unchanged int }

func (c Counts) String() string {
	return fmt.Sprintf("%d added, %d updated, %d unchanged", c.Added, c.Updated, c.Unchanged)
}

// usersOwn are the fields that an import leaves alone on a flat that is known.
var usersOwn = []string{"id", "status", "notes", "notation", "visit_date"}

// importBatch is how many listings go to the writer at once: few enough that
// readers and updates hardly wait for it.
const importBatch = 16

// Import takes what readListings returns. It adds the listings of new flats,
// and sets the fields of listings on the flats that have their ids, but for the
// user's own. It may be repeated: what is there already is left alone. An error
// may leave a part undone.
func (s *Store) Import(listings []string) (Counts, error) {
	var total Counts
	for batch := range slices.Chunk(listings, importBatch) {
		var counts Counts
		start := time.Now()
		err := s.change(func(current func(id string) *Flat) (edits []edit, err error) {
			edits, counts, err = s.importEdits(batch, current)
			return edits, err
		})
		if err != nil {
			return total, err
		}
		total.Added += counts.Added
		total.Updated += counts.Updated
		total.Unchanged += counts.Unchanged
		time.Sleep(time.Since(start) / 2) // a long import leaves processors to readers
	}
	return total, nil
}

// importEdits are the edits that listings mean to the flats of now.
func (s *Store) importEdits(listings []string, current func(id string) *Flat) ([]edit, Counts, error) {
	var edits []edit
	var counts Counts
	seen := map[string]*Flat{} // by listings before, in this call
	for _, text := range listings {
		listing, err := parseObject(text)
		if err != nil {
			return nil, counts, err
		}
		i := slices.IndexFunc(listing, func(m member) bool { return m.name == "id" })
		id := identity(listing[i].literal)
		before := cmp.Or(seen[id], current(id))
		base, members := before, listing
		if before == nil {
			base = blank
		} else {
			members = slices.DeleteFunc(listing, func(m member) bool { return slices.Contains(usersOwn, m.name) })
		}
		members = append(members, s.stamp())
		after, err := base.with(members, s.codes)
		if err != nil {
			return nil, counts, err
		}
		e, changed := s.edit(base, after, members)
		if e.before = before; before == nil {
			e.members = slices.DeleteFunc(e.members, func(m member) bool { return m.name == "id" })
		}
		seen[id] = e.after
		switch {
		case !changed:
			counts.Unchanged++
			continue
		case before == nil:
			counts.Added++
		default:
			counts.Updated++
		}
		edits = append(edits, e)
	}
	return edits, counts, nil
}

// An input is a text of listings and the name by which errors call it.
type input struct{ name, text string }

// previewImport checks listings, and counts what they will come to as far as
// the flats on disk tell.
func previewImport(data string, inputs []input) (Counts, error) {
	var listings []string
	for _, in := range inputs {
		some, err := readListings(in.name, in.text)
		if err != nil {
			return Counts{}, fmt.Errorf("%w (nothing was imported)", err)
		}
		listings = append(listings, some...)
	}
	flats, err := readOnly(data)
	if err != nil {
		return Counts{}, err
	}
	s := &Store{now: time.Now}
	_, counts, err := s.importEdits(listings, func(id string) *Flat { return flats[id] })
	return counts, err
}

// readOnly reads the flats of a data file and its journal, which a service
// may be writing at this moment, by id.
func readOnly(data string) (map[string]*Flat, error) {
	text, info, err := readAll(osDisk{}, data)
	if err != nil || info == nil {
		return nil, err
	}
	journal, _, err := readAll(osDisk{}, data+".log")
	if err != nil {
		return nil, err
	}
	flats, err := readFlats(data, text, nil)
	if err != nil {
		return nil, err
	}
	if flats, _, err = replay(data+".log", journal, flats, nil); err != nil {
		return nil, err
	}
	byID := make(map[string]*Flat, len(flats))
	for _, f := range flats {
		byID[f.ID.in(f.text)] = f
	}
	return byID, nil
}

// placeImports puts texts into an import folder, all or, as far as the disk
// lets it, none of them, under names that stand behind those of earlier calls.
// Whoever may look into the folder may read them: the service may be another
// user.
func placeImports(disk disk, folder string, inputs []input) (err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	fl := &files{disk: disk}
	stamp := time.Now().UTC().Format("20060102T150405.000000000")
	var tmps []string
	defer func() {
		for _, tmp := range tmps {
			disk.Remove(tmp)
		}
	}()
	for i, in := range inputs {
		name := filepath.Join(folder, fmt.Sprintf("%s-%03d.json", stamp, i))
		tmp, err := fl.writeTemp(name, 0o644, func(w io.Writer) error {
			_, err := io.WriteString(w, in.text)
			return err
		})
		if err != nil {
			return err
		}
		tmps = append(tmps, tmp)
	}
	for len(tmps) > 0 {
		if err := disk.Rename(tmps[0], strings.TrimSuffix(tmps[0], ".tmp")); err != nil {
			return err
		}
		tmps = tmps[1:]
	}
	return disk.SyncDir(folder)
}

// watch takes in what comes into an import folder until ctx is done.
func (s *Store) watch(ctx context.Context, folder string) {
	tick := time.NewTicker(time.Second / 2)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.takeIn(folder)
		}
	}
}

// takeIn imports the files of a folder in the order of their names, and
// removes them. A file that is no import is renamed to *.rejected, unless it
// was written to just now and may not be complete. One that cannot be stored
// stays, and those behind it, until the store can write again.
func (s *Store) takeIn(folder string) {
	if s.now().Before(s.resume) {
		return
	}
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		s.resume = s.now().Add(10 * time.Second)
		s.log.Error("imports cannot be taken in", "err", err)
		return
	}
	for _, entry := range entries {
		name := entry.Name()
		if !entry.Type().IsRegular() || name[0] == '.' || strings.HasSuffix(name, ".tmp") || strings.Contains(name, ".rejected") {
			continue
		}
		path := filepath.Join(folder, name)
		info, err := entry.Info()
		if err != nil {
			continue // it has gone
		}
		counts, refused, err := s.takeInFile(path)
		switch age := time.Since(info.ModTime()); {
		case errors.Is(err, errClosed):
			return
		case refused && age >= 0 && age < 2*time.Second:
			continue
		case refused:
			aside := path + ".rejected"
			for i := 2; ; i++ {
				if _, err := os.Lstat(aside); err != nil {
					break
				}
				aside = fmt.Sprintf("%s.rejected-%d", path, i) // the one before is somebody's, too
			}
			s.log.Error("an import was refused", "file", aside, "err", err)
			err = s.files.disk.Rename(path, aside)
		case err == nil:
			s.log.Info("imported", "file", path, "added", counts.Added, "updated", counts.Updated, "unchanged", counts.Unchanged)
			if err = s.files.disk.Remove(path); err == nil {
				err = s.files.disk.SyncDir(folder)
			}
		}
		if err != nil {
			s.resume = s.now().Add(10 * time.Second)
			s.log.Error("an import waits where it is", "file", path, "err", err)
			return
		}
	}
}

// takeInFile imports a file. refused says that the file is at fault, and that
// nothing of it was imported.
func (s *Store) takeInFile(path string) (counts Counts, refused bool, err error) {
	text, _, err := readAll(s.files.disk, path)
	if err != nil {
		return counts, true, err
	}
	listings, err := readListings(path, text)
	if err != nil {
		return counts, true, err
	}
	counts, err = s.Import(listings)
	return counts, false, err
}
