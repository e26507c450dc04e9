package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"math/big"
	"math/bits"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// This file is what lists are made of: the typed fields of a record, and the
// filter, sort and page parameters of api.md 4.1 over any type of record.

// A value is what a field of a record holds: where its JSON stands in the text
// of the record, and what it means. The zero value is null. Readers may share
// values; only set changes one.
type value interface {
	// set takes a JSON text without white space around it and fails when its
	// type is not the field's; the value is then as before. It returns the
	// text by which the record is to hold the value, "" for null.
	set(literal string) (string, error)
	// place is where that text stands once there is a record.
	place() *span
	// key is where the value stands among the values of its field, in a record
	// of that text.
	key(text string) key
	// wants lists the keys that equal the text of a filter, none where the
	// text does not fit the type.
	wants(filter string) []key
}

// A span is a part of the text of a record: offsets, since the garbage
// collector would have to follow each string. The zero value stands for null.
type span struct{ from, to uint32 }

func (s *span) place() *span { return s }

// of is the JSON text in the text of a record, "" for null.
func (s *span) of(text string) string { return text[s.from:s.to] }

// literal is the JSON text in the text of a record.
func (s *span) literal(text string) string {
	if s.to == 0 {
		return "null"
	}
	return text[s.from:s.to]
}

// Known reports whether the value is anything but null.
func (s *span) Known() bool { return s.to != 0 }

// Text is a string or null.
type Text struct{ span }

func (t *Text) set(literal string) (string, error) {
	switch literal[0] {
	case 'n':
		return "", nil
	case '"':
		return literal, nil
	}
	return "", wrongType("a string or null", literal)
}

// in is the string, given the text of its record; "" for null.
func (t *Text) in(text string) string { return unquote(t.of(text)) }

func (t *Text) key(text string) key {
	if !t.Known() {
		return key{}
	}
	return key{kind: kindText, text: t.in(text)}
}

func (t *Text) wants(filter string) []key { return []key{{kind: kindText, text: filter}} }

// Number is a finite number or null. Its text is kept as it was given.
type Number struct {
	span
	number float64
}

func (n *Number) set(literal string) (string, error) {
	switch c := literal[0]; {
	case c == 'n':
		n.number = 0
		return "", nil
	case c == '-' || '0' <= c && c <= '9':
		number, ok := parseNumber(literal)
		if !ok {
			return "", wrongType("a finite number or null", literal)
		}
		n.number = number
		return literal, nil
	}
	return "", wrongType("a number or null", literal)
}

// Float is the number, 0 for null.
func (n *Number) Float() float64 { return n.number }

func (n *Number) key(text string) key {
	if !n.Known() {
		return key{}
	}
	return numberKey(n.of(text), n.number)
}

func (n *Number) wants(filter string) []key {
	if number, ok := parseNumber(filter); ok {
		return []key{numberKey(filter, number)}
	}
	return nil
}

// Datetime is an ISO 8601 date and time in the forms of [parseDatetime], or
// null. Its text is kept as it was given.
type Datetime struct {
	span
	unix   int64 // seconds since 1970-01-01T00:00:00Z
	nano   int32
	offset bool // the text names an offset from UTC
}

func (d *Datetime) set(literal string) (string, error) {
	switch literal[0] {
	case 'n':
		*d = Datetime{}
		return "", nil
	case '"':
		at, offset, err := parseDatetime(unquote(literal))
		if err != nil {
			return "", err
		}
		d.unix, d.nano, d.offset = at.Unix(), int32(at.Nanosecond()), offset
		return literal, nil
	}
	return "", wrongType("a datetime or null", literal)
}

// Time is the instant; a text without an offset counts as UTC. It says
// nothing where the value is null.
func (d *Datetime) Time() time.Time { return time.Unix(d.unix, int64(d.nano)).UTC() }

// HasOffset reports whether the text names its offset from UTC; without one
// it is the time that clocks on the wall show.
func (d *Datetime) HasOffset() bool { return d.offset }

func (d *Datetime) key(string) key {
	if !d.Known() {
		return key{}
	}
	return key{kind: kindInstant, number: float64(d.unix), nano: d.nano}
}

func (d *Datetime) wants(filter string) []key {
	at, _, err := parseDatetime(filter)
	if err != nil {
		return nil
	}
	return []key{{kind: kindInstant, number: float64(at.Unix()), nano: int32(at.Nanosecond())}}
}

// Value is any JSON value.
type Value struct{ span }

func (v *Value) set(literal string) (string, error) {
	if literal == "null" {
		return "", nil
	}
	return compact(literal), nil
}

func (v *Value) key(text string) key {
	if !v.Known() {
		return key{}
	}
	literal := v.of(text)
	switch c := literal[0]; {
	case c == '"':
		return key{kind: kindText, text: unquote(literal)}
	case c == '-' || '0' <= c && c <= '9':
		if number, ok := parseNumber(literal); ok {
			return numberKey(literal, number)
		}
	}
	return key{kind: kindOther, text: literal}
}

func (v *Value) wants(filter string) []key {
	keys := []key{{kind: kindText, text: filter}, {kind: kindOther, text: filter}}
	if number, ok := parseNumber(filter); ok {
		keys = append(keys, numberKey(filter, number))
	}
	return keys
}

// Identifier is a string or an integer of any size, never null or empty.
type Identifier struct{ span }

func (id *Identifier) set(literal string) (string, error) {
	switch c := literal[0]; {
	case c == '"' && literal != `""`:
	case (c == '-' || '0' <= c && c <= '9') && !strings.ContainsAny(literal, ".eE"):
	default:
		return "", wrongType("a string with something in it or an integer", literal)
	}
	return literal, nil
}

// isIdentifier reports whether a JSON text can be an identifier.
func isIdentifier(literal string) bool {
	_, err := new(Identifier).set(literal)
	return err == nil
}

// in is the text by which the record is known, given the text of the record.
func (id *Identifier) in(text string) string { return identity(id.of(text)) }

// identity is the text by which a record with an identifier of a JSON text is
// known: 7 and "7" are the same.
func identity(literal string) string {
	if literal != "" && literal[0] != '"' {
		return literal
	}
	return unquote(literal)
}

func (id *Identifier) key(text string) key {
	literal := id.of(text)
	if number, ok := parseNumber(literal); ok {
		return numberKey(literal, number)
	}
	return key{kind: kindText, text: id.in(text)}
}

func (id *Identifier) wants(filter string) []key {
	keys := []key{{kind: kindText, text: filter}}
	if number, ok := parseNumber(filter); ok {
		keys = append(keys, numberKey(filter, number))
	}
	return keys
}

// numberKey is the key of a number, of which a float64 may not hold all
// digits: from 2^53 on it keeps them, so that neighbours stay apart.
func numberKey(literal string, number float64) key {
	k := key{kind: kindNumber, number: number}
	if math.Abs(number) >= 1<<53 {
		exact, ok := new(big.Rat).SetString(literal)
		if !ok {
			exact = new(big.Rat).SetFloat64(number)
		}
		k.text = exact.RatString()
	}
	return k
}

// longestNumber bounds the text of a number: strconv and math/big read longer
// ones wrongly, or for ever, and only to make trouble does anybody write them.
const longestNumber = 400

// parseNumber reads a finite decimal number in the digits of JSON, leading
// zeros and a leading plus allowed, and nothing else that strconv takes.
func parseNumber(s string) (float64, bool) {
	if s == "" || len(s) > longestNumber || strings.Trim(s, "0123456789+-.eE") != "" {
		return 0, false
	}
	number, err := strconv.ParseFloat(s, 64)
	return number, err == nil
}

// parseDatetime reads an ISO 8601 date, or date and time, as people and
// browsers write them:
//
//	datetime = date [ ( "T" / " " ) time [ offset ] ]
//	date     = 4DIGIT "-" 2DIGIT "-" 2DIGIT
//	time     = 2DIGIT ":" 2DIGIT [ ":" 2DIGIT [ ( "." / "," ) 1*DIGIT ] ]
//	offset   = "Z" / ( "+" / "-" ) 2DIGIT [ [ ":" ] 2DIGIT ]
//
// The day must exist; 24:00 and leap seconds do not. Digits of a fraction
// beyond nanoseconds say nothing. Without an offset the time is returned as if
// it were UTC, and offset is false.
func parseDatetime(s string) (at time.Time, offset bool, err error) {
	rest, good := s, true
	// digits takes n digits with a value up to most.
	digits := func(n, most int) int {
		if len(rest) < n {
			rest = ""
			n, most = 0, -1
		}
		v := 0
		for _, c := range []byte(rest[:n]) {
			if c < '0' || c > '9' {
				most = -1
			}
			v = v*10 + int(c-'0')
		}
		rest = rest[n:]
		if v > most {
			good = false
			return 0
		}
		return v
	}
	has := func(c byte) bool {
		if rest == "" || rest[0] != c {
			return false
		}
		rest = rest[1:]
		return true
	}
	want := func(c byte) {
		good = has(c) && good
	}

	year := digits(4, 9999)
	want('-')
	month := digits(2, 12)
	want('-')
	day := digits(2, 31)
	var hour, minute, second, nano, east int
	if has('T') || has(' ') {
		hour = digits(2, 23)
		want(':')
		minute = digits(2, 59)
		if has(':') {
			second = digits(2, 59)
			if has('.') || has(',') {
				n := 0
				for n < len(rest) && '0' <= rest[n] && rest[n] <= '9' {
					n++
				}
				good = good && n > 0
				fraction := rest[:n]
				rest = rest[min(n, 9):]
				nano, _ = strconv.Atoi((fraction + "000000000")[:9])
				rest = rest[max(n-9, 0):]
			}
		}
		sign := 0
		switch {
		case has('Z'):
			offset = true
		case has('+'):
			sign = 1
		case has('-'):
			sign = -1
		}
		if sign != 0 {
			offset = true
			east = digits(2, 23) * 3600
			if has(':') || rest != "" {
				east += digits(2, 59) * 60
			}
			east *= sign
		}
	}
	if !good || rest != "" {
		return time.Time{}, false, fmt.Errorf("want an ISO 8601 datetime such as 2026-12-01T18:00 or 2026-12-01T18:00:00+01:00, got %s", excerpt(strconv.Quote(s)))
	}
	at = time.Date(year, time.Month(month), day, hour, minute, second, nano, time.UTC)
	if at.Day() != day || at.Month() != time.Month(month) {
		return time.Time{}, false, fmt.Errorf("there is no such day as %s", s[:10])
	}
	return at.Add(-time.Duration(east) * time.Second), offset, nil
}

// unquote is the content of a valid JSON string literal, without a copy where
// it holds no escapes; "" for "".
func unquote(literal string) string {
	if literal == "" {
		return ""
	}
	text := literal[1 : len(literal)-1]
	next := strings.IndexByte(text, '\\')
	if next < 0 {
		return text
	}
	// Most texts have no escapes but these, and are read over and over.
	b := make([]byte, 0, len(text))
	for ; next >= 0; next = strings.IndexByte(text, '\\') {
		c := simpleEscapes[text[next+1]]
		if c == 0 {
			break
		}
		b = append(append(b, text[:next]...), c)
		text = text[next+2:]
	}
	if next < 0 {
		return string(append(b, text...))
	}
	var s string
	if err := json.Unmarshal([]byte(literal), &s); err != nil {
		panic("unquote: " + err.Error()) // literals are checked when they are read
	}
	return s
}

var simpleEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f'}

// wrongType is the error of a value that has another type than its field.
func wrongType(want, literal string) error {
	return fmt.Errorf("want %s, got %s", want, excerpt(literal))
}

// excerpt shortens a text for an error message.
func excerpt(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// A key orders the values of a field and tells which are equal: null first,
// then numbers, texts by their bytes, instants, and all other values by their
// compact JSON text. Two keys are equal where == says so.
type key struct {
	kind   kind
	nano   int32   // of an instant
	number float64 // of a number; of an instant, the Unix seconds
	text   string  // also the exact value of a number beyond 2^53
}

type kind uint8

const (
	kindNull kind = iota
	kindNumber
	kindText
	kindInstant
	kindOther
)

func (a *key) compare(b *key) int {
	if a.kind != b.kind {
		return cmp.Compare(a.kind, b.kind)
	}
	if a.number != b.number {
		if a.number < b.number {
			return -1
		}
		return +1
	}
	if a.nano != b.nano {
		return cmp.Compare(a.nano, b.nano)
	}
	if a.kind == kindNumber && a.text != b.text {
		x, _ := new(big.Rat).SetString(a.text)
		y, _ := new(big.Rat).SetString(b.text)
		return x.Cmp(y)
	}
	return strings.Compare(a.text, b.text)
}

// Fields is what a record type has got, in the order of its declaration: one
// [field] for each struct field of a value type, named by its json tag.
type Fields[R any] struct {
	list   []field[R]
	byName map[string]int
	text   func(*R) string // the text of a record, in which its values stand
}

type field[R any] struct {
	name string
	at   func(*R) value // the field of a record, shared with it
}

// fieldsOf reads the table of R, whose records have a text, from its struct
// tags. It is meant to run once for each type: everything after it goes
// without reflection.
func fieldsOf[R any](text func(*R) string) *Fields[R] {
	t := &Fields[R]{byName: map[string]int{}, text: text}
	record := reflect.TypeFor[R]()
	for i := range record.NumField() {
		f := record.Field(i)
		name := f.Tag.Get("json")
		if name == "" || name == "-" {
			continue
		}
		var at func(*R) value
		switch f.Type {
		case reflect.TypeFor[Text]():
			at = fieldAt[R, Text](f.Offset)
		case reflect.TypeFor[Number]():
			at = fieldAt[R, Number](f.Offset)
		case reflect.TypeFor[Datetime]():
			at = fieldAt[R, Datetime](f.Offset)
		case reflect.TypeFor[Value]():
			at = fieldAt[R, Value](f.Offset)
		case reflect.TypeFor[Identifier]():
			at = fieldAt[R, Identifier](f.Offset)
		default:
			panic(fmt.Sprintf("fieldsOf: %s is no value type", f.Type))
		}
		t.byName[name] = len(t.list)
		t.list = append(t.list, field[R]{name, at})
	}
	if len(t.list) > mostFields {
		panic("fieldsOf: mostFields is too small")
	}
	return t
}

// key is where a field of a record stands among those of other records.
func (t *Fields[R]) key(r *R, field int) key { return t.list[field].at(r).key(t.text(r)) }

// literal is the JSON text of a field of a record.
func (t *Fields[R]) literal(r *R, field int) string {
	return t.list[field].at(r).place().literal(t.text(r))
}

// literals are the JSON texts of the fields of a record, "" for null.
type literals [mostFields]string

const mostFields = 32

// literals are those that a record has.
func (t *Fields[R]) literals(r *R) (all literals) {
	text := t.text(r)
	for i := range t.list {
		all[i] = t.list[i].at(r).place().of(text)
	}
	return all
}

// set sets a field of a record that is being made, and its text among those of
// the others.
func (t *Fields[R]) set(r *R, all *literals, field int, literal string) (err error) {
	stored, err := t.list[field].at(r).set(literal)
	if err == nil {
		all[field] = stored
	}
	return err
}

// write writes the fields of a record to the text that it is to have, as a JSON
// object without its closing brace, and points the values to where they stand.
// The text may have at most math.MaxUint32 bytes.
func (t *Fields[R]) write(text *strings.Builder, r *R, all *literals) {
	for i := range t.list {
		field := &t.list[i]
		text.WriteByte("{,"[min(i, 1)])
		text.WriteByte('"')
		text.WriteString(field.name)
		text.WriteString(`":`)
		at := span{}
		if all[i] == "" {
			text.WriteString("null")
		} else {
			at.from = uint32(text.Len())
			text.WriteString(all[i])
			at.to = uint32(text.Len())
		}
		*field.at(r).place() = at
	}
}

// fieldAt reaches the field of type F at an offset that reflection has told,
// which costs an addition where reflect.Value costs an allocation.
func fieldAt[R, F any, P interface {
	*F
	value
}](offset uintptr) func(*R) value {
	return func(r *R) value { return P((*F)(unsafe.Add(unsafe.Pointer(r), offset))) }
}

// A Query is the query string of a list route, parsed: which records, in
// which order, which page of them.
type Query struct {
	filters []filter
	order   []sortKey
	size    int64  // records a page; 0 means all of them
	number  int64  // of the page, from 0
	others  string // the parameters but for the page's number, as links repeat them; "" where they are too long
}

// A filter keeps the records whose field has one of the keys.
type filter struct {
	field int
	keys  []key
}

type sortKey struct {
	field      int
	descending bool
}

// parseQuery reads the parameters of api.md 4.1 from a raw query string:
//
//	query     = parameter *( "&" parameter )
//	parameter = "filter[" name "]=" text / "page[size]=" integer /
//	            "page[number]=" integer / "sort=" key *( "," key )
//	key       = [ "-" ] name
//
// Anything else is ignored. Bad pages and sort keys are 400, in this order;
// a filter on a field that R has not got is 500 (rule 6). Without a sort key
// the order is ascending by the named field.
func parseQuery[R any](fields *Fields[R], raw, order string) (Query, error) {
	var q Query
	var others []byte
	var size, number pageParameter
	var sorts []string
	var unknown error
	for parameter := range strings.SplitSeq(raw, "&") {
		name, text, _ := strings.Cut(parameter, "=")
		name, err := unescape(name)
		if err == nil {
			text, err = unescape(text)
		}
		if err != nil {
			return q, fail(400, "Invalid query string provided: %v.", err)
		}
		if name != "page[number]" && parameter != "" && len(raw) <= longestLink {
			others = append(append(others, escapeURI(parameter)...), '&')
		}
		switch name {
		case "page[size]":
			size.give(text)
		case "page[number]":
			number.give(text)
		case "sort":
			sorts = append(sorts, text)
		default:
			name, ok := filterName(name)
			if !ok {
				continue
			}
			i, ok := fields.byName[name]
			if !ok {
				unknown = cmp.Or(unknown, error(fail(500, "Invalid filter key provided: %s.", name)))
				continue
			}
			var none R
			q.filters = append(q.filters, filter{i, fields.list[i].at(&none).wants(text)})
		}
	}
	q.others = string(others)
	var err error
	if q.size, err = size.value(1); err != nil {
		return q, err
	}
	if q.number, err = number.value(0); err != nil {
		return q, err
	}
	if sorts == nil {
		sorts = append(sorts, order)
	}
	for _, keys := range sorts {
		for k := range strings.SplitSeq(keys, ",") {
			name, descending := strings.CutPrefix(k, "-")
			i, ok := fields.byName[name]
			if !ok {
				return q, fail(400, "Invalid sorting key provided: %s.", k)
			}
			// Named again, a field cannot part what it did not part before.
			if !slices.ContainsFunc(q.order, func(k sortKey) bool { return k.field == i }) {
				q.order = append(q.order, sortKey{i, descending})
			}
		}
	}
	return q, unknown
}

// filterName is the field that a parameter filters by: filter[<field>] with a
// field of [A-z0-9_]+, in which A-z spans six signs, too.
func filterName(parameter string) (field string, ok bool) {
	field, ok = strings.CutPrefix(parameter, "filter[")
	field, closed := strings.CutSuffix(field, "]")
	for _, c := range []byte(field) {
		ok = ok && ('A' <= c && c <= 'z' || '0' <= c && c <= '9')
	}
	return field, ok && closed && field != ""
}

// unescape is url.QueryUnescape with the answer at hand for the texts that
// hold no escape, as most do.
func unescape(s string) (string, error) {
	if strings.IndexByte(s, '%') < 0 && strings.IndexByte(s, '+') < 0 {
		return s, nil
	}
	return url.QueryUnescape(s)
}

// A pageParameter is the text of page[size] or page[number]. Given twice with
// different texts it means nothing, and is refused.
type pageParameter struct {
	text         string
	given, clash bool
}

func (p *pageParameter) give(text string) {
	p.clash = p.clash || p.given && p.text != text
	p.text, p.given = text, true
}

// value is the integer, 0 where none was given.
func (p *pageParameter) value(least int64) (int64, error) {
	if !p.given {
		return 0, nil
	}
	n, err := strconv.ParseInt(p.text, 10, 64)
	if err != nil || n < least || p.clash {
		return 0, fail(400, "Invalid pagination provided.")
	}
	return n, nil
}

// bounds are the half-open range of a page in a list of total records,
// whatever the numbers: nothing in here can overflow.
func (q *Query) bounds(total int) (from, to int) {
	if q.size == 0 {
		return 0, total
	}
	if q.number > int64(total)/q.size {
		return total, total
	}
	from = int(q.number * q.size)
	return from, from + int(min(q.size, int64(total-from)))
}

// links is the Link header of a page (RFC 8288), with references relative to
// the list's own URL: first and last, and prev and next where there are any.
// It is "" where a query is so long that clients would choke on the header.
func (q *Query) links(total int) string {
	if q.others == "" {
		return "" // page[size] is one of them
	}
	last := int64(0)
	if total > 0 {
		last = (int64(total) - 1) / q.size
	}
	var b strings.Builder
	b.Grow(4 * (len(q.others) + 64))
	link := func(rel string, number int64) {
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString("<?")
		b.WriteString(q.others)
		b.WriteString("page%5Bnumber%5D=")
		b.WriteString(strconv.FormatInt(number, 10))
		b.WriteString(`>; rel="`)
		b.WriteString(rel)
		b.WriteByte('"')
	}
	link("first", 0)
	if q.number > 0 {
		link("prev", min(q.number-1, last))
	}
	if q.number < last {
		link("next", q.number+1)
	}
	link("last", last)
	return b.String()
}

// longestLink bounds the query strings that links repeat.
const longestLink = 4 << 10

// escapeURI percent-encodes what a URI cannot hold (RFC 3986) and leaves
// everything else, percent signs included, as it is.
func escapeURI(s string) string {
	bad := func(c byte) bool {
		return c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0
	}
	clean := 0
	for clean < len(s) && !bad(s[clean]) {
		clean++
	}
	if clean == len(s) {
		return s
	}
	b := []byte(s[:clean])
	for _, c := range []byte(s[clean:]) {
		if bad(c) {
			b = fmt.Appendf(b, "%%%02X", c)
		} else {
			b = append(b, c)
		}
	}
	return string(b)
}

// A Table holds records by row number and answers queries on them. Rows are
// never removed, so that a number stands for one record for good; a record is
// never changed, only replaced by another one.
//
// What speeds queries up is kept in step by put: an order for each sequence
// of sort keys that was asked for lately, and for each field that was
// filtered by and has few values, the rows of each value. Both are made when
// they are first needed, from a copy, while others read and write.
type Table[R any] struct {
	fields *Fields[R]
	listed func(*R) string // a record's JSON behind a comma
	// mu guards the rest, and whatever the owner keeps in step with it.
	mu      sync.RWMutex
	rows    []*R
	texts   []string // the rows as listed: a list then takes no look at its records
	version uint64   // counts the puts
	orders  []*order[R]
	lookups map[int]*lookup // by field

	making sync.Mutex // held while an order or a lookup is made
	clock  atomic.Int64
}

// mostOrders bounds the orders of a table: each costs memory, and time in
// every put. The one that was not asked for the longest makes room.
const mostOrders = 16

// mostValues bounds the values of a lookup. A field with more of them is
// filtered by looking at each record.
const mostValues = 4096

// A lookup has the rows of each value of a field; rows is nil where there are
// too many values.
type lookup struct{ rows map[key]*postings }

func newTable[R any](fields *Fields[R], listed func(*R) string, rows []*R) *Table[R] {
	t := &Table[R]{fields: fields, listed: listed, rows: rows, texts: make([]string, len(rows)), lookups: map[int]*lookup{}}
	for row, r := range rows {
		t.texts[row] = listed(r)
	}
	return t
}

// put replaces the record of a row, or adds one where the row is the next
// one. The caller holds mu.
func (t *Table[R]) put(row uint32, r *R) {
	t.version++
	var old *R
	if int(row) < len(t.rows) {
		old = t.rows[row]
	}
	changed := func(field int) bool {
		return old == nil || t.fields.key(old, field) != t.fields.key(r, field)
	}
	var moved []*order[R]
	for _, o := range t.orders {
		if slices.ContainsFunc(o.by, func(k sortKey) bool { return changed(k.field) }) {
			moved = append(moved, o)
			if old != nil {
				o.remove(row)
			}
		}
	}
	for field, values := range t.lookups {
		if values.rows == nil || !changed(field) {
			continue
		}
		if old != nil {
			values.remove(t.fields.key(old, field), row)
		}
		values.add(t.fields.key(r, field), row)
	}
	if old == nil {
		t.rows, t.texts = append(t.rows, r), append(t.texts, "")
	}
	t.rows[row], t.texts[row] = r, t.listed(r)
	for _, o := range moved {
		o.insert(t, row)
	}
}

// add adds a row to those of a value, and gives up where the values are too
// many then.
func (l *lookup) add(k key, row uint32) {
	rows := l.rows[k]
	if rows == nil {
		if len(l.rows) == mostValues {
			l.rows = nil
			return
		}
		rows = &postings{}
		k.text = strings.Clone(k.text) // not to keep the text of a record that has gone
		l.rows[k] = rows
	}
	rows.add(row)
}

// remove takes a row away from those of a value that it was added to.
func (l *lookup) remove(k key, row uint32) {
	rows := l.rows[k]
	if rows.remove(row); rows.n == 0 {
		delete(l.rows, k)
	}
}

// A Page is what a query found: the records of one page, each as its JSON
// behind a comma, how many records there are on all pages, and the version of
// the table that this is true of.
type Page struct {
	records []string
	total   int
	version uint64
}

// find answers a query about all rows or, where among is not nil, about those
// that it returns for a number of rows; it is called with mu held.
func (t *Table[R]) find(q *Query, among func(rows int) *postings) Page {
	for {
		t.mu.RLock()
		o := t.orderBy(q.order)
		ready := o != nil
		for _, f := range q.filters {
			ready = ready && t.lookups[f.field] != nil
		}
		if ready {
			defer t.mu.RUnlock()
			page, total := t.page(q, o, among)
			return Page{page, total, t.version}
		}
		t.mu.RUnlock()
		t.prepare(q)
	}
}

// orderBy returns the order by the keys, nil where it is not made yet.
func (t *Table[R]) orderBy(by []sortKey) *order[R] {
	for _, o := range t.orders {
		if slices.Equal(o.by, by) {
			o.used.Store(t.clock.Add(1))
			return o
		}
	}
	return nil
}

// prepare makes what find misses. It works on a copy of the rows and catches
// up with what was put meanwhile before others see the result.
func (t *Table[R]) prepare(q *Query) {
	t.making.Lock()
	defer t.making.Unlock()
	t.mu.RLock()
	rows := slices.Clone(t.rows)
	o := t.orderBy(q.order)
	missing := map[int]*lookup{}
	for _, f := range q.filters {
		if t.lookups[f.field] == nil {
			missing[f.field] = nil
		}
	}
	t.mu.RUnlock()

	then := &Table[R]{fields: t.fields, listed: t.listed, rows: rows, texts: make([]string, len(rows)), lookups: missing}
	for field := range missing {
		missing[field] = makeLookup(rows, t.fields, field)
	}
	if o == nil {
		o = makeOrder(then, q.order)
		o.used.Store(t.clock.Add(1))
		then.orders = []*order[R]{o}
	}

	t.mu.Lock()
	defer t.mu.Unlock()
	for row, r := range t.rows {
		if row >= len(then.rows) || then.rows[row] != r {
			then.put(uint32(row), r)
		}
	}
	for field, values := range then.lookups {
		t.lookups[field] = values
	}
	if t.orders = append(t.orders, then.orders...); len(t.orders) > mostOrders {
		oldest := slices.MinFunc(t.orders, func(a, b *order[R]) int { return cmp.Compare(a.used.Load(), b.used.Load()) })
		t.orders = slices.DeleteFunc(t.orders, func(o *order[R]) bool { return o == oldest })
	}
}

func makeLookup[R any](rows []*R, fields *Fields[R], field int) *lookup {
	l := &lookup{map[key]*postings{}}
	for row, r := range rows {
		if l.rows == nil {
			break
		}
		l.add(fields.key(r, field), uint32(row))
	}
	return l
}

// page is find with everything made.
func (t *Table[R]) page(q *Query, o *order[R], among func(rows int) *postings) ([]string, int) {
	var sets []*postings
	var checks []func(uint32) bool
	if among != nil {
		sets = append(sets, among(len(t.rows)))
	}
	for _, f := range q.filters {
		if values := t.lookups[f.field].rows; values != nil {
			var equal []*postings
			for _, k := range f.keys {
				if rows := values[k]; rows != nil {
					equal = append(equal, rows)
				}
			}
			sets = append(sets, union(equal))
			continue
		}
		checks = append(checks, func(row uint32) bool { return slices.Contains(f.keys, t.fields.key(t.rows[row], f.field)) })
	}
	var found *postings
	switch {
	case sets != nil:
		found = intersect(sets).keep(checks...)
	case checks != nil:
		found = (&postings{}).complement(len(t.rows)).keep(checks...)
	default:
		from, to := q.bounds(len(t.rows))
		page := make([]string, 0, to-from)
		for row := range o.from(from) {
			if len(page) == cap(page) {
				break
			}
			page = append(page, t.texts[row])
		}
		return page, len(t.rows)
	}

	from, to := q.bounds(found.n)
	page := make([]string, 0, to-from)
	if from == to {
		return page, found.n
	}
	// Either the order is walked until enough of its rows have come up, or the
	// rows found are put in order: whichever looks at less.
	step, start := 10.0, 0.0 // what it costs to see whether a row was found, and to list those that were
	if found.bits != nil {
		step, start = 1, float64(len(found.bits))
	}
	walk := step * float64(len(t.rows)) / float64(found.n) * float64(to)
	if sort := start + 3*float64(found.n+to*bits.Len(uint(to))); sort < walk {
		for _, row := range o.first(found, to)[from:] {
			page = append(page, t.texts[row])
		}
		return page, found.n
	}
	for row := range o.from(0) {
		if len(page) == cap(page) {
			break
		}
		if found.has(row) {
			if from > 0 {
				from--
				continue
			}
			page = append(page, t.texts[row])
		}
	}
	return page, found.n
}

// compare puts two rows in order by the keys, and rows that are equal by the
// keys in the order in which they are stored.
func (t *Table[R]) compare(by []sortKey, a, b uint32) int {
	x, y := t.rows[a], t.rows[b]
	for _, k := range by {
		ka, kb := t.fields.key(x, k.field), t.fields.key(y, k.field)
		if c := ka.compare(&kb); c != 0 {
			if k.descending {
				return -c
			}
			return c
		}
	}
	return cmp.Compare(a, b)
}

// An order is all rows of a table, sorted. It is cut into blocks, so that a
// row moves at the cost of a block and not of the table; and each row has a
// label that grows along the order, so that rows are compared as integers.
// Its table guards it.
type order[R any] struct {
	by     []sortKey
	blocks [][]uint32   // none of them empty
	labels []uint64     // by row
	used   atomic.Int64 // the table's clock when it was last asked for
}

const (
	blockRows  = 1024    // the length at which a block falls into two
	labelGap   = 1 << 31 // between the labels of neighbours, at first
	firstLabel = 1 << 62
)

func makeOrder[R any](t *Table[R], by []sortKey) *order[R] {
	rows := make([]uint32, len(t.rows))
	keys := make([][]key, len(by)) // made once, not for each comparison
	for i, k := range by {
		keys[i] = make([]key, len(t.rows))
		for row, r := range t.rows {
			keys[i][row] = t.fields.key(r, k.field)
		}
	}
	for row := range rows {
		rows[row] = uint32(row)
	}
	slices.SortFunc(rows, func(a, b uint32) int {
		for i, k := range by {
			if c := keys[i][a].compare(&keys[i][b]); c != 0 {
				if k.descending {
					return -c
				}
				return c
			}
		}
		return cmp.Compare(a, b)
	})
	o := &order[R]{by: by, labels: make([]uint64, len(rows))}
	for block := range slices.Chunk(rows, blockRows/2) {
		o.blocks = append(o.blocks, append(make([]uint32, 0, blockRows), block...))
	}
	o.relabel()
	return o
}

// relabel gives every row a label, with room between them.
func (o *order[R]) relabel() {
	label := uint64(firstLabel)
	for _, b := range o.blocks {
		for _, row := range b {
			o.labels[row] = label
			label += labelGap
		}
	}
}

// insert takes a row in that the table holds already.
func (o *order[R]) insert(t *Table[R], row uint32) {
	if int(row) == len(o.labels) {
		o.labels = append(o.labels, 0)
	}
	if len(o.blocks) == 0 {
		o.blocks = [][]uint32{{row}}
		o.labels[row] = firstLabel
		return
	}
	compare := func(in, row uint32) int { return t.compare(o.by, in, row) }
	i, _ := slices.BinarySearchFunc(o.blocks, row, func(b []uint32, row uint32) int { return compare(b[len(b)-1], row) })
	i = min(i, len(o.blocks)-1)
	place, _ := slices.BinarySearchFunc(o.blocks[i], row, compare)
	o.blocks[i] = slices.Insert(o.blocks[i], place, row)
	o.label(i, place)
	if b := o.blocks[i]; len(b) == blockRows {
		half := append(make([]uint32, 0, blockRows), b[blockRows/2:]...)
		o.blocks[i] = b[:blockRows/2]
		o.blocks = slices.Insert(o.blocks, i+1, half)
	}
}

// label gives the row at a place a label between those of its neighbours.
// Where there is no room left, its block shares its own anew, or all do.
func (o *order[R]) label(i, place int) {
	b := o.blocks[i]
	// around are the labels before and behind rows of the block.
	around := func(from, to int) (low, high uint64) {
		switch {
		case from > 0:
			low = o.labels[b[from-1]]
		case i > 0:
			last := o.blocks[i-1]
			low = o.labels[last[len(last)-1]]
		}
		switch {
		case to < len(b):
			high = o.labels[b[to]]
		case i+1 < len(o.blocks):
			high = o.labels[o.blocks[i+1][0]]
		}
		if low == 0 && high != 0 {
			low = high - labelGap*uint64(to-from+1)
		} else if low != 0 && high == 0 {
			high = low + labelGap*uint64(to-from+1)
		}
		return low, high
	}
	share := func(from, to int) bool {
		low, high := around(from, to)
		if low == 0 && high == 0 {
			return false
		}
		gap := (high - low) / uint64(to-from+1)
		for j := from; j < to && gap > 0; j++ {
			low += gap
			o.labels[b[j]] = low
		}
		return gap > 0
	}
	if !share(place, place+1) && !share(0, len(b)) {
		o.relabel()
	}
}

// remove takes a row out.
func (o *order[R]) remove(row uint32) {
	byLabel := func(in, row uint32) int { return cmp.Compare(o.labels[in], o.labels[row]) }
	i, _ := slices.BinarySearchFunc(o.blocks, row, func(b []uint32, row uint32) int { return byLabel(b[len(b)-1], row) })
	place, _ := slices.BinarySearchFunc(o.blocks[i], row, byLabel)
	o.blocks[i] = slices.Delete(o.blocks[i], place, place+1)
	if len(o.blocks[i]) == 0 {
		o.blocks = slices.Delete(o.blocks, i, i+1)
	}
}

// first puts rows in order and returns the first n of them, n > 0.
func (o *order[R]) first(rows *postings, n int) []uint32 {
	compare := func(a, b uint32) int { return cmp.Compare(o.labels[a], o.labels[b]) }
	best := make([]uint32, 0, min(rows.n, 2*n))
	worst := ^uint64(0) // label of the n-th best row, once there are n in order
	for row := range rows.all() {
		if o.labels[row] > worst {
			continue
		}
		if best = append(best, row); len(best) == 2*n {
			slices.SortFunc(best, compare)
			best = best[:n]
			worst = o.labels[best[n-1]]
		}
	}
	slices.SortFunc(best, compare)
	return best[:min(n, len(best))]
}

// from yields the rows of the order but for the first n.
func (o *order[R]) from(n int) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for _, b := range o.blocks {
			if n >= len(b) {
				n -= len(b)
				continue
			}
			for _, row := range b[n:] {
				if !yield(row) {
					return
				}
			}
			n = 0
		}
	}
}
