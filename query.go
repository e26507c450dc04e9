package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"math/big"
	"math/bits"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// This file answers queries about a table of records: flats or postal codes.
//
//	Errors                     and the HTTP statuses that answer them
//	Tasks                      long requests take turns
//	Values                     the types of fields, their order and equality
//	JSON texts                 reading and writing
//	Fields                     struct tags as fields, records as JSON and CSV
//	Queries                    parsing filter, sort and page, and the parameters of /find
//	Snapshots and sets of rows a table at one instant
//	Tables and orders          queries answered from sorted rows

// Errors
// ------

// A failure is an error with the HTTP status of its answer. server.answerError writes it, and
// logs any other error and answers it with 500. MCP has errors of its own (rpcError), and
// net/http answers some requests itself.
type failure struct {
	status int
	text   string
}

// Most failures use these statuses. Their names say what is wrong, so the store need not know HTTP.
const (
	statusInvalid = http.StatusBadRequest         // the request is malformed
	statusMissing = http.StatusNotFound           // the resource does not exist
	statusChanged = http.StatusPreconditionFailed // the resource has changed since it was read
)

func (f *failure) Error() string { return f.text }

// fail returns a failure with a formatted text.
func fail(status int, format string, args ...any) *failure {
	return &failure{status, fmt.Sprintf(format, args...)}
}

// Tasks
// -----

// A task measures the work for one request, or for one pass of a background goroutine. After
// quickTime it works in turns. Only one task has a turn at a time, which leaves a processor for
// short requests. A task ends early if the client has gone.
type task struct {
	ctx    context.Context
	turns  lock
	inTurn bool
	began  time.Time     // the start of the current stretch of work
	worked time.Duration // the earlier work, without the time spent waiting
	steps  int           // steps since the clock was last read
	total  int           // steps since the start, for tests
}

const (
	quickTime = 5 * time.Millisecond  // the work that a task may do without a turn
	turnTime  = 20 * time.Millisecond // the work in one turn
	// net/http cancels the context of a request when the client disconnects, but also
	// when it only closes its sending side. Such a client still gets its answer, unless
	// the work exceeds grace or one of the waits exceeds maxWaiting.
	grace      = time.Second
	maxWaiting = 5 * time.Second
)

func newTask(ctx context.Context, turns lock) *task {
	return &task{ctx: ctx, turns: turns, began: time.Now()}
}

// clockSteps is the number of steps after which a task reads the clock.
const clockSteps = 1 << 12

// step counts steps of work, of a few nanoseconds each. It must be called periodically, and may
// wait for a turn. If the task must end, step panics with http.ErrAbortHandler, like a handler whose
// client has gone. Background work recovers from that in finish. A nil task counts nothing.
func (t *task) step(steps int) {
	if t == nil {
		return
	}
	t.steps += steps
	t.total += steps
	if t.steps < clockSteps {
		return
	}
	t.steps = 0
	worked := t.worked + time.Since(t.began)
	if worked > grace && t.ctx.Err() != nil { // the client has gone, or has closed its sending side
		panic(http.ErrAbortHandler)
	}
	if t.inTurn && time.Since(t.began) > turnTime {
		t.pause() // gives a waiting task its turn
	}
	if !t.inTurn && worked > quickTime {
		t.wait(t.turns)
		t.inTurn = true
	}
}

// pause ends the turn. It must be called at the end of the work, and before the task
// waits for anything else.
func (t *task) pause() {
	t.worked += time.Since(t.began)
	t.began = time.Now()
	if t.inTurn {
		t.inTurn = false
		t.turns.release()
	}
}

// resume continues after a pause. The time of the pause does not count as work.
func (t *task) resume() {
	t.began = time.Now()
	t.step(clockSteps)
}

// wait pauses the task until it receives from c: a lock, or a channel that is closed when
// something is done. Like step, it panics if the client has gone and the wait takes too long.
func (t *task) wait(c <-chan struct{}) {
	t.pause()
	defer func() { t.began = time.Now() }()
	select {
	case <-c:
		return
	case <-t.ctx.Done():
	}
	select {
	case <-c:
	case <-time.After(maxWaiting):
		panic(http.ErrAbortHandler)
	}
}

// finish ends background work, which must defer it. It pauses the task, and sets err if the
// task had to end early.
func (t *task) finish(err *error) {
	t.pause()
	switch reason := recover(); reason {
	case nil:
	case http.ErrAbortHandler:
		*err = t.ctx.Err()
	default:
		panic(reason)
	}
}

// A lock is a mutex that a select can wait for. Receiving from it locks it, and release
// unlocks it. Goroutines that wait get it in order of arrival.
type lock chan struct{}

func newLock() lock {
	l := make(lock, 1)
	l.release()
	return l
}

func (l lock) release() { l <- struct{}{} }

// Values
// ------

// A value is the value of a field in a record. The zero value is null.
// All methods except set and share are safe for concurrent use.
type value interface {
	// set sets the value to a valid JSON text. If the text does not fit the type, set
	// returns an error and changes nothing; only [KeptPhotos] keeps the valid part.
	set(json string) error
	// JSON returns the JSON text as it was set, with the same digits and escapes.
	JSON() string
	// String returns the content of a string, the JSON text of anything else, and
	// "" for null.
	String() string
	// share makes the value use an equal JSON text that stays in memory anyway, such as a
	// part of its record's JSON, so that its own copy is freed.
	share(json string)
	// Known reports whether the value is not null.
	Known() bool
	// key returns the sort key of a value that is not null.
	key() key
	// matchingKeys returns the keys of the values that match the text of a filter. It
	// returns none if the text does not fit the type.
	matchingKeys(filter string) []key
}

// A literal is the JSON text of a value. Both "" and "null" are null.
type literal struct{ json string }

func (l *literal) JSON() string { return cmp.Or(l.json, "null") }

func (l *literal) String() string {
	if l.json == "null" {
		return ""
	}
	return unquote(l.json)
}

func (l *literal) Known() bool { return l.json != "" && l.json != "null" }

func (l *literal) share(json string) { l.json = json }

// Text is a string or null.
type Text struct{ literal }

func (t *Text) set(json string) error {
	if json[0] != '"' && json != "null" {
		return unexpected("a string or null", json)
	}
	t.json = json
	return nil
}

// newText returns a text, or null if it is empty.
func newText(text string) *Text {
	t := &Text{}
	if text != "" {
		t.json = encodeJSON(text)
	}
	return t
}

func (t *Text) key() key { return textKey(t.String()) }

func (t *Text) matchingKeys(filter string) []key { return []key{textKey(filter)} }

// Number is a finite number or null.
type Number struct {
	literal
	number float64 // 0 for null
}

func (n *Number) set(json string) error {
	number, ok := parseNumber(json)
	if !ok && json != "null" {
		return unexpected("a finite number or null", json)
	}
	n.json, n.number = json, number
	return nil
}

// newNumber returns a number, or null if it is not finite.
func newNumber(number float64) *Number {
	n := &Number{}
	n.set(strconv.FormatFloat(number, 'g', -1, 64)) // rejects NaN and Inf, and n stays null
	return n
}

func (n *Number) key() key { return numberKey(n.json, n.number) }

func (n *Number) matchingKeys(filter string) []key {
	if number, ok := parseNumber(filter); ok {
		return []key{numberKey(filter, number)}
	}
	return nil
}

// Datetime is an ISO 8601 date, with or without a time, or null. See [parseDatetime].
type Datetime struct {
	literal
	at        time.Time // in UTC, or the zero time for null
	hasOffset bool      // whether the text has an offset from UTC; if not, at takes it to be in UTC
}

func (d *Datetime) set(json string) error {
	if json == "null" {
		*d = Datetime{literal: literal{json}}
		return nil
	}
	at, hasOffset, err := parseDatetime(unquote(json))
	if err != nil {
		return err
	}
	*d = Datetime{literal: literal{json}, at: at, hasOffset: hasOffset}
	return nil
}

func (d *Datetime) key() key { return instantKey(d.at) }

func (d *Datetime) matchingKeys(filter string) []key {
	if at, _, err := parseDatetime(filter); err == nil {
		return []key{instantKey(at)}
	}
	return nil
}

// AnyJSON is any JSON value.
type AnyJSON struct{ literal }

func (v *AnyJSON) set(text string) error {
	v.json = text
	if strings.ContainsAny(text, " \t\r\n") {
		v.json = encodeJSON(json.RawMessage(text)) // compacts it
	}
	return nil
}

// setObject sets the value to a JSON object whose members are valid, or to null. An empty
// object becomes null. want names the type in errors.
func (v *AnyJSON) setObject(text, want string, isValid func(name, text string) bool) error {
	var object members
	isWrong := json.Unmarshal([]byte(text), &object) != nil
	for name, member := range object {
		isWrong = isWrong || !isValid(name, string(member))
	}
	if isWrong {
		return unexpected(want, text)
	}
	if len(object) == 0 {
		text = "null"
	}
	return v.set(text)
}

// list returns the elements of a JSON list, and none of any other value.
func (v *AnyJSON) list() (list []json.RawMessage) {
	json.Unmarshal([]byte(v.JSON()), &list)
	return list
}

// members returns the members of a JSON object, and none of any other value.
func (v *AnyJSON) members() members {
	object := members{}
	if v.Known() {
		json.Unmarshal([]byte(v.JSON()), &object)
	}
	return object
}

// ids returns the texts of the ids in a JSON list.
func (v *AnyJSON) ids() (ids []string) {
	for _, id := range v.list() {
		ids = append(ids, unquote(string(id)))
	}
	return ids
}

// withMember returns the value with a member set if it is an object or null, and else as it is.
func (v *AnyJSON) withMember(name string, text json.RawMessage) json.RawMessage {
	object := members{}
	if v.Known() && json.Unmarshal([]byte(v.JSON()), &object) != nil {
		return json.RawMessage(v.JSON())
	}
	object[name] = text
	return json.RawMessage(encodeJSON(object))
}

func (v *AnyJSON) key() key {
	if v.json[0] == '"' {
		return textKey(v.String())
	} else if number, ok := parseNumber(v.json); ok {
		return numberKey(v.json, number)
	}
	return key{kind: kindOther, text: v.json}
}

func (v *AnyJSON) matchingKeys(filter string) []key {
	return append(new(Number).matchingKeys(filter), textKey(filter), key{kind: kindOther, text: filter})
}

// Identifier is a string or an integer, of 1 to maxIdentifier bytes. 7 and "7" identify
// the same record, although their sort keys differ.
type Identifier struct{ AnyJSON }

const maxIdentifier = 1024

func (id *Identifier) set(json string) error {
	size := len(unquote(json))
	isValidType := json[0] == '"' || isInteger(json)
	if !isValidType || size == 0 || size > maxIdentifier {
		return unexpected("a string of 1 to 1024 bytes or an integer", json)
	}
	id.json = json
	return nil
}

// A key is the sort key of a value. Null sorts first, then numbers, texts by their
// bytes, instants, and other values by their compact JSON text. Values are equal if
// their keys are ==.
type key struct {
	kind   kind
	nano   int32   // the nanoseconds of an instant
	number float64 // the number, or the Unix seconds of an instant
	text   string  // the text, or the exact value of a large number (see numberKey)
}

type kind uint8

const (
	kindNull kind = iota
	kindNumber
	kindText
	kindInstant
	kindOther
)

func (a key) compare(b key) int {
	if a.kind != b.kind {
		return cmp.Compare(a.kind, b.kind)
	}
	if a.number != b.number {
		return cmp.Compare(a.number, b.number)
	}
	if a.kind == kindNumber && a.text != b.text { // large numbers with the same float64
		x, _ := new(big.Rat).SetString(a.text)
		y, _ := new(big.Rat).SetString(b.text)
		return x.Cmp(y)
	}
	return cmp.Or(cmp.Compare(a.nano, b.nano), strings.Compare(a.text, b.text))
}

// numberKey returns the key of a number with the given text. From 2^53 on, several integers
// share one float64, so the key also has the exact value.
func numberKey(text string, number float64) key {
	k := key{kind: kindNumber, number: number}
	if math.Abs(number) >= 1<<53 {
		exact, _ := new(big.Rat).SetString(text) // accepts whatever parseNumber accepts
		k.text = exact.RatString()
	}
	return k
}

func textKey(text string) key { return key{kind: kindText, text: text} }

func instantKey(at time.Time) key {
	return key{kind: kindInstant, number: float64(at.Unix()), nano: int32(at.Nanosecond())}
}

// maxDigits limits the length of a number, because strconv and math/big are slow for
// very long ones.
const maxDigits = 400

// parseNumber parses a finite decimal number. Unlike JSON, it also accepts leading zeros, a plus
// sign, and a point without digits on one side.
func parseNumber(s string) (float64, bool) {
	if s == "" || len(s) > maxDigits || strings.Trim(s, "0123456789+-.eE") != "" {
		return 0, false
	}
	number, err := strconv.ParseFloat(s, 64)
	return number, err == nil
}

// parseDatetime parses an ISO 8601 date, or date and time, as people and browsers
// write them:
//
//	datetime = date [ ( "T" / " " ) time [ offset ] ]
//	date     = 4DIGIT "-" 2DIGIT "-" 2DIGIT
//	time     = 2DIGIT ":" 2DIGIT [ ":" 2DIGIT [ ( "." / "," ) 1*DIGIT ] ]
//	offset   = "Z" / ( "+" / "-" ) 2DIGIT [ [ ":" ] 2DIGIT ]
//
// The day must exist. 24:00 and leap seconds are errors. Digits beyond nanoseconds
// are ignored. A time without an offset is taken as UTC.
func parseDatetime(s string) (at time.Time, hasOffset bool, err error) {
	const day, minutes, seconds = "2006-01-02", "2006-01-02T15:04", "2006-01-02T15:04:05"
	local := strings.Replace(s, " ", "T", 1)
	zone := ""
	if i := strings.LastIndexAny(local, "Z+-"); i > len(day) {
		local, zone = local[:i], local[i:]
	}
	layout := day
	if len(local) == len(minutes) {
		layout = minutes
	} else if len(local) >= len(seconds) {
		layout = seconds // time.Parse also accepts a fraction
	}
	switch len(zone) {
	case len("Z"), len("+01:00"):
		layout += "Z07:00"
	case len("+0100"):
		layout += "Z0700"
	case len("+01"):
		layout += "Z07"
	}
	at, err = time.Parse(layout, local+zone)
	// time.Parse accepts offsets of 24 hours and of 60 minutes.
	wrongHours := len(zone) >= len("+01") && zone[1:3] > "23"
	wrongMinutes := len(zone) >= len("+0100") && zone[len(zone)-2:] > "59"
	if err != nil || wrongHours || wrongMinutes {
		const want = "an ISO 8601 datetime such as 2026-12-01T18:00 or 2026-12-01T18:00:00+01:00"
		return time.Time{}, false, unexpected(want, strconv.Quote(s))
	}
	return at.UTC(), zone != "", nil
}

// JSON texts
// ----------

// members is a JSON object: its values by name.
type members map[string]json.RawMessage

// text returns the JSON text of a member, or null if there is none.
func (m members) text(name string) string { return cmp.Or(string(m[name]), "null") }

// has reports whether there is a member that is not null.
func (m members) has(name string) bool { return m.text(name) != "null" }

// encodeJSON returns a value as compact JSON, without escaping < and >. The keys of a
// map are sorted.
func encodeJSON(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("encodeJSON: " + err.Error()) // callers pass only types that can be encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// decodeJSON returns the value of a valid JSON text. Its numbers are json.Numbers.
func decodeJSON(text string) (v any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	d.Decode(&v) // no error: the text is valid
	return v
}

// unquote returns the content of a valid JSON string. It returns any other text as it
// is.
func unquote(text string) string {
	if text == "" || text[0] != '"' {
		return text
	}
	if strings.IndexByte(text, '\\') < 0 {
		return text[1 : len(text)-1]
	}
	var s string
	json.Unmarshal([]byte(text), &s) // no error: it is valid
	return s
}

// isInteger reports whether a valid JSON text is an integer. Without an exponent, a number can have
// a minus only at its start.
func isInteger(text string) bool { return strings.Trim(text, "-0123456789") == "" }

// unexpected returns an error that says what was wanted and what was given instead.
func unexpected(want, got string) error {
	return fmt.Errorf("want %s, got %s", want, cmp.Or(excerpt(got), "nothing"))
}

// cut cuts a text that is longer than limit bytes to that length, and appends "…".
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}

// excerpt shortens a text for an error message.
func excerpt(text string) string { return cut(text, 40) }

const (
	maxObject = 16 << 20 // the size limit of an object, in bytes
	// maxParsedMembers limits the members of an object and of the objects in it, because each takes
	// far more memory than its text. A stored flat has fewer (see maxMembers).
	maxParsedMembers = 15_000
)

// hasMoreMembers reports whether the objects in a JSON text have more than limit members.
// It counts the colons outside of strings.
func hasMoreMembers(text []byte, limit int) bool {
	inString := false
	for i := 0; i < len(text) && limit >= 0; i++ {
		switch text[i] {
		case '\\':
			i++ // the escaped character
		case '"':
			inString = !inString
		case ':':
			if !inString {
				limit--
			}
		}
	}
	return limit < 0
}

// parseObject parses a JSON object in UTF-8. The result shares no memory with the
// text. The error is a *json.SyntaxError if the text is not JSON.
func parseObject(text []byte) (members, error) {
	if len(text) > maxObject {
		return nil, fmt.Errorf("the object is larger than %d bytes", maxObject)
	}
	if hasMoreMembers(text, maxParsedMembers) {
		return nil, fmt.Errorf("the object has more than %d members", maxParsedMembers)
	}
	var object members
	var syntax *json.SyntaxError
	if err := json.Unmarshal(text, &object); errors.As(err, &syntax) {
		return nil, err
	}
	if object == nil { // null, or JSON of another type
		return nil, unexpected("an object", string(bytes.TrimSpace(text)))
	}
	// encoding/json replaces invalid UTF-8 instead of refusing it.
	if at := invalidUTF8(text); at >= 0 {
		return nil, fmt.Errorf("byte %#x is not UTF-8", text[at])
	}
	// encoding/json limits nesting to 10,000 levels. The object must stay valid when it is part of
	// a list, a few levels deeper. Most texts have too few brackets to come near the limit.
	brackets := bytes.Count(text, []byte("[")) + bytes.Count(text, []byte("{"))
	if brackets > 9000 && !json.Valid(slices.Concat([]byte("[[[["), text, []byte("]]]]"))) {
		return nil, errors.New("nested too deeply")
	}
	return object, nil
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for at, r := range string(text) {
		// A text may contain a valid U+FFFD, too.
		if r == utf8.RuneError && !bytes.HasPrefix(text[at:], []byte("\uFFFD")) {
			return at
		}
	}
	return -1
}

// shortRows joins JSON objects with commas, in at most size bytes. If they are too long, it cuts
// texts, names and lists, the longest first, and marks each cut with "…". It overwrites rows.
// Every object is kept, so size must have room for `{"…":"…"},` for each of them.
func shortRows(work *task, size int, rows ...string) string {
	for limit := size; ; limit = limit * 2 / 3 {
		text := strings.Join(rows, ",")
		work.step(len(text))
		if len(text) <= size {
			return text
		}
		for i, row := range rows {
			if len(row) > limit { // a shorter row contains nothing longer than limit
				rows[i] = encodeJSON(shorten(work, decodeJSON(row), limit))
			}
		}
	}
}

// shorten returns a JSON value with texts cut to limit bytes, and lists and objects to limit values.
// Nested values are cut to less, and nested texts that begin with "data:" are left out.
func shorten(work *task, v any, limit int) any {
	work.step(100)
	switch v := v.(type) {
	case string:
		work.step(len(v))
		return cut(v, limit)
	case json.Number:
		if len(v) > limit {
			return cut(v.String(), limit)
		}
	case []any:
		v = slices.DeleteFunc(v, isData)
		if len(v) > limit {
			v = append(v[:limit], "…")
		}
		for i := range v {
			v[i] = shorten(work, v[i], limit*7/8)
		}
		return v
	case map[string]any:
		short := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			inner := limit * 7 / 8 // nested values are cut sooner than what contains them
			if name == "id" {
				inner = max(inner, maxIdentifier) // an assistant needs the whole id to name the flat
			}
			switch {
			case isData(v[name]): // left out
			case len(short) < limit:
				short[cut(name, limit)] = shorten(work, v[name], inner)
			default:
				short["…"] = "…"
			}
		}
		return short
	}
	return v
}

// isData reports whether a JSON value is a text that begins with "data:".
func isData(v any) bool {
	text, _ := v.(string)
	return strings.HasPrefix(text, "data:")
}

// line returns the line number of an offset in a text.
func line(text []byte, at int) int { return 1 + bytes.Count(text[:at], []byte("\n")) }

// withLine adds the file name and the line to an error: the line of the syntax error or of
// the first byte that is not UTF-8, and line 1 for any other error.
func withLine(name string, text []byte, err error) error {
	var syntax *json.SyntaxError
	at := invalidUTF8(text)
	if errors.As(err, &syntax) {
		at = int(syntax.Offset) - 1
	}
	return fmt.Errorf("%s:%d: %w", name, line(text, max(0, at)), err)
}

// readObjects parses a JSON array of objects up to the first error. The error names the file
// and the line of the syntax error or of the object.
func readObjects[T any](name string, text []byte, read func(object members) (T, error)) (records []T, err error) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	d := json.NewDecoder(bytes.NewReader(text))
	if bracket, _ := d.Token(); bracket != json.Delim('[') {
		return nil, arrayError(name, text)
	}
	for d.More() {
		var element json.RawMessage
		if d.Decode(&element) != nil {
			return nil, arrayError(name, text)
		}
		var record T
		object, err := parseObject(element)
		if err == nil {
			record, err = read(object)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line(text, int(d.InputOffset())-len(element)), err)
		}
		records = append(records, record)
	}
	bracket, _ := d.Token()
	_, err = d.Token()
	if bracket != json.Delim(']') || err != io.EOF {
		return nil, arrayError(name, text)
	}
	return records, nil
}

// arrayError returns the error of a text that is not a valid JSON array: its syntax error with
// the line or, if it is valid JSON, that it is no array.
func arrayError(name string, text []byte) error {
	err := json.Unmarshal(text, new(json.RawMessage))
	if err == nil {
		err = unexpected("a JSON array", string(bytes.TrimSpace(text)))
	}
	return withLine(name, text, err)
}

// Fields
// ------

// Fields describes a record type. It has a [field] for each struct field with a tag such as
// `field:"cost"` or `field:"gone,omitempty"`, followed by the fields passed to fieldsOf: struct
// fields with other options, and computed fields.
type Fields[R any] struct {
	list   []field[R]
	labels []string // the names as JSON
	isFind bool     // queries may have the parameters of /find
	own    int      // the number of leading fields that were not passed to fieldsOf
	always int      // the number of leading fields that are served even if they are null
	byName map[string]int
}

type field[R any] struct {
	name  string
	value func(*R) value // points into the record, unless the field is derived
}

// key returns the sort key of the record's field.
func (f field[R]) key(r *R) key {
	if v := f.value(r); v.Known() {
		return v.key()
	}
	return key{}
}

// fieldsOf returns the fields of R that every list serves, followed by others.
func fieldsOf[R any](others ...field[R]) *Fields[R] {
	always, omitted := taggedFields[R](""), taggedFields[R]("omitempty")
	t := &Fields[R]{
		list:   slices.Concat(always, omitted, others),
		own:    len(always) + len(omitted),
		always: len(always),
		byName: map[string]int{},
	}
	for i, f := range t.list {
		t.byName[f.name] = i
		t.labels = append(t.labels, encodeJSON(f.name))
	}
	return t
}

// taggedFields returns the fields of R whose tag has the given option, "" for none.
func taggedFields[R any](option string) (list []field[R]) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[R]()) {
		name, tagged, _ := strings.Cut(f.Tag.Get("field"), ",")
		if name != "" && tagged == option {
			list = append(list, field[R]{name, func(r *R) value {
				return reflect.ValueOf(r).Elem().Field(f.Index[0]).Addr().Interface().(value)
			}})
		}
	}
	return list
}

// encode returns the record as a JSON object, with tail in place of the closing brace.
// The record's values then share the memory of the result.
func (t *Fields[R]) encode(r *R, tail string) string {
	var b strings.Builder
	texts := make([]string, len(t.list))
	size := len(tail)
	for i, f := range t.list {
		texts[i] = f.value(r).JSON()
		size += len(",:") + len(t.labels[i]) + len(texts[i])
	}
	b.Grow(size) // later growth would copy the text, but the values share its memory
	separator := byte('{')
	for i, f := range t.list {
		if i >= t.always && texts[i] == "null" {
			continue
		}
		b.WriteByte(separator)
		separator = ','
		b.WriteString(t.labels[i])
		b.WriteByte(':')
		b.WriteString(texts[i])
		f.value(r).share(b.String()[b.Len()-len(texts[i]):])
	}
	b.WriteString(tail)
	return b.String()
}

// object returns the given fields of a record as a JSON object.
func (t *Fields[R]) object(r *R, fields []int) string {
	members := make([]string, len(fields))
	for i, f := range fields {
		members[i] = t.labels[f] + ":" + t.list[f].value(r).JSON()
	}
	return "{" + strings.Join(members, ",") + "}"
}

// writeCSV writes records as CSV with a header (RFC 4180). It writes the given fields, or the
// record type's own if fields is nil. A byte order mark tells Excel that the text is UTF-8.
func (t *Fields[R]) writeCSV(out *bufio.Writer, records []*R, fields []int) {
	if fields == nil {
		for i := range t.own {
			fields = append(fields, i)
		}
	}
	cells := make([]string, len(fields))
	row := func(text func(field[R]) string) string {
		for i, f := range fields {
			cells[i] = csvCell(text(t.list[f]))
		}
		return strings.Join(cells, ",") + "\r\n"
	}
	out.WriteString("\uFEFF" + row(func(f field[R]) string { return f.name }))
	for _, r := range records {
		out.WriteString(row(func(f field[R]) string { return f.value(r).String() }))
	}
}

// csvCell returns a text as a CSV cell that no spreadsheet takes for a formula. Unlike
// csv.Writer, it leaves line breaks in the text as they are.
func csvCell(text string) string {
	if _, isNumber := parseNumber(text); !isNumber {
		text = escapeFormulas(text)
	}
	if strings.ContainsAny(text, "\",\r\n") {
		text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

// escapeFormulas writes an apostrophe before each =, +, - and @ that a spreadsheet may find at the
// start of a cell. If it separates cells by semicolons or tabs, the quotes around this text are
// inside a cell and have no effect, so that cells also start after these and after line breaks.
func escapeFormulas(text string) string {
	var escaped strings.Builder
	copied := 0
	atStart := true
	for i, c := range []byte(text) {
		if atStart && strings.IndexByte("=+-@", c) >= 0 {
			escaped.WriteString(text[copied:i] + "'")
			copied = i
		}
		switch c {
		case ';', '\t', '\r', '\n':
			atStart = true
		case '"', ' ': // spreadsheets may drop these at the start of a cell
		default:
			atStart = false
		}
	}
	return escaped.String() + text[copied:]
}

// Queries
// -------

// A Query is the parsed query string of a list route. It selects records, their order, a
// page, and the fields to serve.
type Query struct {
	conditions []condition // a record must meet all of them
	keys       []sortKey
	size       int64  // the number of records on a page, or 0 for all
	number     int64  // the number of the page, from 0
	others     string // all parameters but page[number], for links; "" if they are too long

	// The rest is set only for /find.
	search string // a full-text search, or ""
	fields []int  // the fields to serve, or nil for all
	counts []int  // the fields whose values are counted
	format string // "csv", "json" or ""
}

// A condition is met by records whose value of a field is in one of the ranges or, if it
// is negated, in none of them.
type condition struct {
	parameter string // filter, any, not, known, or range for min and max
	field     int
	ranges    []keyRange
	negated   bool
}

// A keyRange contains all keys from first to last.
type keyRange struct{ first, last key }

type sortKey struct {
	field      int
	descending bool
	nullsLast  bool // moves null from the beginning to the end
}

// compare compares two values of the field in the direction of the sort key.
func (k sortKey) compare(a, b key) int {
	c := a.compare(b)
	oneIsNull := (a.kind == kindNull) != (b.kind == kindNull)
	if k.descending || k.nullsLast && oneIsNull {
		return -c
	}
	return c
}

// maxLink is the size up to which links repeat a query string. Clients refuse long headers.
const maxLink = 4 << 10

// parseQuery parses the parameters of a list from a raw query string:
//
//	query     = parameter *( "&" parameter )
//	parameter = "filter[" name "]=" text / "page[size]=" integer /
//	            "page[number]=" integer / "sort=" key *( "," key )
//	key       = [ "-" ] name
//
// and for /find also these:
//
//	parameter =/ "q=" text / ( "any[" / "not[" / "min[" / "max[" ) name "]=" text /
//	             "known[" name "]=" ( "yes" / "no" ) / "unknown=" name / "nulls=last" /
//	             "fields=" name *( "," name ) / "counts=" name / "format=" ( "csv" / "json" )
//
// Any other parameter is ignored. Without sort, defaultSort has the sort keys. Of several errors
// parseQuery returns one about the page, or else one about the sort keys, or else the first. All
// have status 400, except an unknown field in a filter outside /find: version 1 of the API
// answers that with 500.
func parseQuery[R any](fields *Fields[R], raw, defaultSort string) (*Query, error) {
	q := &Query{}
	values := url.Values{}
	var wrong, unknown error
	for pair := range strings.SplitSeq(raw, "&") {
		name, escaped, _ := strings.Cut(pair, "=")
		name, nameErr := url.QueryUnescape(name)
		if nameErr != nil || pair == "" {
			continue // not a parameter of this API
		}
		text, err := url.QueryUnescape(escaped)
		if err != nil {
			text = escaped
		}
		values.Add(name, text)
		isCondition := filterName.MatchString(name) || fields.isFind && conditionName.MatchString(name)
		if !isCondition {
			// q is the only other parameter that would accept a text with an invalid escape.
			if name == "q" && fields.isFind && err != nil {
				wrong = cmp.Or(wrong, invalidParameter(name, err))
			}
			continue
		}
		parameter, field, _ := strings.Cut(strings.TrimSuffix(name, "]"), "[")
		i, exists := fields.byName[field]
		if !exists && !fields.isFind {
			err = fail(http.StatusInternalServerError, "Invalid filter key provided: %s.", field)
			unknown = cmp.Or(unknown, err)
			continue
		}
		if !exists {
			err = errNoField
		}
		if err == nil {
			zero := fields.list[i].value(new(R))
			if _, isDatetime := zero.(*Datetime); isDatetime {
				text = unescapeDatetime(escaped)
			}
			err = q.addCondition(parameter, i, zero, text)
		}
		if err != nil {
			wrong = cmp.Or(wrong, invalidParameter(name, err))
		}
	}
	if err := parsePage(q, fields, values, defaultSort); err != nil {
		return nil, err
	}
	if q.size > 0 && len(raw) <= maxLink {
		values.Del("page[number]")
		q.others = values.Encode()
	}
	if fields.isFind && wrong == nil {
		wrong = parseFind(q, fields, values)
	}
	return q, cmp.Or(wrong, unknown)
}

// invalidParameter returns the error for a parameter with an invalid value.
func invalidParameter(name string, err error) error {
	return fail(statusInvalid, "Invalid %s provided: %v.", name, err)
}

// unescapeDatetime decodes a datetime in a query string. A plus directly after the date
// is a space, as in forms. Any other plus is the sign of an offset, as people type it.
func unescapeDatetime(escaped string) string {
	date, _, _ := strings.Cut(escaped, "+")
	date, _ = url.PathUnescape(date)
	if len(date) == len("2006-01-02") {
		escaped = strings.Replace(escaped, "+", " ", 1)
	}
	text, _ := url.PathUnescape(escaped) // leaves a plus as it is
	return text
}

// filterName matches the filters of a list, and conditionName the conditions of /find. The
// range A-z is that of version 1 of the API: it includes six characters that are not letters.
var (
	filterName    = regexp.MustCompile(`^filter\[[A-z0-9_]+\]$`)
	conditionName = regexp.MustCompile(`^(filter|any|not|min|max|known)\[([A-z0-9_]+|[^,\[\]]+)\]$`)
)

var errNoField = errors.New("there is no such field")

// addCondition adds the condition that a parameter puts on a field; zero is any value of the
// field's type. It merges conditions of the same kind on one field: any and not add values to
// those already given, min and max narrow one range, and all filters must hold.
func (q *Query) addCondition(parameter string, field int, zero value, text string) error {
	c := condition{parameter: parameter, field: field, negated: parameter == "not"}
	switch parameter {
	case "known":
		if text != "yes" && text != "no" {
			return unexpected("yes or no", strconv.Quote(text))
		}
		c.negated = text == "yes"
		// A field with one of these values is unknown: null, "", [] and {}.
		for _, k := range []key{{}, textKey(""), {kind: kindOther, text: "[]"}, {kind: kindOther, text: "{}"}} {
			c.ranges = append(c.ranges, keyRange{k, k})
		}
	case "min", "max":
		c.parameter = "range"
		span, err := openRange(parameter, zero, text)
		if err != nil {
			return err
		}
		c.ranges = []keyRange{span}
	default:
		for _, k := range zero.matchingKeys(text) {
			c.ranges = append(c.ranges, keyRange{k, k})
		}
	}
	i := slices.IndexFunc(q.conditions, func(other condition) bool {
		return other.parameter == c.parameter && other.field == field && other.negated == c.negated
	})
	if i < 0 {
		q.conditions = append(q.conditions, c)
		return nil
	}
	merged := &q.conditions[i]
	switch c.parameter {
	case "range":
		common, added := &merged.ranges[0], c.ranges[0]
		common.first = slices.MaxFunc([]key{common.first, added.first}, key.compare)
		common.last = slices.MinFunc([]key{common.last, added.last}, key.compare)
	case "any", "not":
		merged.ranges = append(merged.ranges, c.ranges...)
	default: // filter or known, which must all hold
		merged.ranges = slices.DeleteFunc(merged.ranges, func(r keyRange) bool {
			return !slices.Contains(c.ranges, r)
		})
	}
	return nil
}

// openRange returns the range of the keys that min or max allows; zero is any value of the
// field's type.
func openRange(parameter string, zero value, text string) (r keyRange, err error) {
	var want string
	switch zero.(type) {
	case *Number:
		want = "a finite number"
	case *Datetime:
		want = "an ISO 8601 datetime"
	default:
		return r, errors.New("only number and datetime fields have ranges")
	}
	keys := zero.matchingKeys(text)
	if len(keys) == 0 {
		return r, unexpected(want, strconv.Quote(text))
	}
	limit := keys[0]
	if parameter == "min" {
		return keyRange{limit, key{kind: limit.kind, number: math.Inf(1)}}, nil
	}
	return keyRange{key{kind: limit.kind, number: math.Inf(-1)}, limit}, nil
}

// parseFind parses the parameters that only /find has.
func parseFind[R any](q *Query, fields *Fields[R], values url.Values) error {
	fieldsIn := func(parameter string, names []string) (list []int, err error) {
		for _, name := range names {
			i, ok := fields.byName[name]
			if !ok {
				return nil, invalidParameter(parameter, fmt.Errorf("%q: %w", name, errNoField))
			}
			if !slices.Contains(list, i) {
				list = append(list, i)
			}
		}
		return list, nil
	}
	unknown, err := fieldsIn("unknown", values["unknown"])
	if err == nil {
		q.counts, err = fieldsIn("counts", values["counts"])
	}
	if err == nil && values.Has("fields") {
		names := "id," + strings.Join(values["fields"], ",")
		q.fields, err = fieldsIn("fields", strings.Split(names, ","))
	}
	if err != nil {
		return err
	}
	for i, c := range q.conditions {
		if c.parameter == "range" && slices.Contains(unknown, c.field) {
			q.conditions[i].ranges = append(c.ranges, keyRange{}) // contains only null
		}
	}
	for _, text := range values["nulls"] {
		if text != "last" {
			return invalidParameter("nulls", unexpected("last", strconv.Quote(text)))
		}
		for i := range q.keys {
			q.keys[i].nullsLast = !q.keys[i].descending // a descending order has them last anyway
		}
	}
	for _, text := range values["format"] {
		if text != "csv" && text != "json" {
			return invalidParameter("format", unexpected("csv or json", strconv.Quote(text)))
		}
		q.format = text
	}
	q.search = strings.TrimSpace(strings.Join(values["q"], " "))
	return nil
}

// parsePage parses the page and the sort keys.
func parsePage[R any](q *Query, fields *Fields[R], values url.Values, defaultSort string) error {
	sort := defaultSort
	if values.Has("sort") {
		sort = strings.Join(values["sort"], ",")
	}
	var sizeErr, numberErr, sortErr error
	q.size, sizeErr = pageParameter(values["page[size]"], 1)
	q.number, numberErr = pageParameter(values["page[number]"], 0)
	q.keys, sortErr = parseSort(fields, sort)
	return cmp.Or(sizeErr, numberErr, sortErr)
}

// pageParameter parses the values of page[size] or page[number]. It returns 0 if there
// are none, and an error if they differ.
func pageParameter(texts []string, least int64) (int64, error) {
	if len(texts) == 0 {
		return 0, nil
	}
	n, err := strconv.ParseInt(texts[0], 10, 64)
	differ := slices.ContainsFunc(texts, func(text string) bool { return text != texts[0] })
	if err != nil || n < least || differ {
		return 0, fail(statusInvalid, "Invalid pagination provided.")
	}
	return n, nil
}

// parseSort parses sort keys separated by commas.
func parseSort[R any](fields *Fields[R], keys string) (order []sortKey, err error) {
	for k := range strings.SplitSeq(keys, ",") {
		name, descending := strings.CutPrefix(k, "-")
		i, ok := fields.byName[name]
		if !ok {
			return nil, fail(statusInvalid, "Invalid sorting key provided: %s.", k)
		}
		// A key makes no difference after another one by its field or by id, which is unique.
		settles := func(earlier sortKey) bool { return earlier.field == i || fields.list[earlier.field].name == "id" }
		if !slices.ContainsFunc(order, settles) {
			order = append(order, sortKey{field: i, descending: descending})
		}
	}
	return order, nil
}

// bounds returns the half-open range of the page in a list of total records. The
// arithmetic cannot overflow.
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

// links returns the Link header of a page (RFC 8288), with references relative to the
// list's URL. It returns "" if there are no pages or the links would be too long.
func (q *Query) links(total int) string {
	if q.others == "" {
		return ""
	}
	link := func(rel string, number int64) string {
		return "<?" + q.others + "&page%5Bnumber%5D=" + strconv.FormatInt(number, 10) + `>; rel="` + rel + `"`
	}
	last := max(0, int64(total)-1) / q.size
	links := []string{link("first", 0)}
	if q.number > 0 {
		links = append(links, link("prev", min(q.number-1, last)))
	}
	if q.number < last {
		links = append(links, link("next", q.number+1))
	}
	return strings.Join(append(links, link("last", last)), ", ")
}

// Snapshots and sets of rows
// --------------------------

// A snapshot contains the records of a table at one instant, numbered by rows. Rows are
// never removed. A snapshot and its records never change; an update makes a new snapshot
// that shares the unchanged chunks.
type snapshot[R any] struct {
	version uint64 // the number of records put in so far
	size    int    // the number of rows
	chunks  []*[chunkRows]*R
}

// chunkRows is the number of rows in a chunk, which is copied when one of them changes.
const chunkRows = 256

// row returns the record at a row.
func (s *snapshot[R]) row(row uint32) *R { return s.chunks[row/chunkRows][row%chunkRows] }

// withRecords returns a snapshot in which the records replace those at the given rows. A new
// row must directly follow the last one.
func (s *snapshot[R]) withRecords(rows []uint32, records []*R) *snapshot[R] {
	next := &snapshot[R]{s.version + uint64(len(records)), s.size, slices.Clone(s.chunks)}
	for i, row := range rows {
		c := int(row / chunkRows)
		if c == len(next.chunks) {
			next.chunks = append(next.chunks, new([chunkRows]*R))
		} else if c < len(s.chunks) && next.chunks[c] == s.chunks[c] { // still shared with s
			chunk := *s.chunks[c]
			next.chunks[c] = &chunk
		}
		next.chunks[c][row%chunkRows] = records[i]
		next.size = max(next.size, int(row)+1)
	}
	return next
}

// all yields the rows and their records in ascending order.
func (s *snapshot[R]) all() iter.Seq2[uint32, *R] { return s.changed(&snapshot[R]{}) }

// changed yields the rows of s that are new or have another record than in from, which may be an
// older or newer snapshot.
func (s *snapshot[R]) changed(from *snapshot[R]) iter.Seq2[uint32, *R] {
	return func(yield func(uint32, *R) bool) {
		for c, chunk := range s.chunks {
			if c < len(from.chunks) && chunk == from.chunks[c] {
				continue
			}
			for i, r := range chunk {
				row := c*chunkRows + i
				if row >= s.size {
					return
				}
				isChanged := row >= from.size || r != from.row(uint32(row))
				if isChanged && !yield(uint32(row), r) {
					return
				}
			}
		}
	}
}

// A rowSet is a set of rows, with one bit for each row of a table. Where a set may be nil, nil
// means all rows.
type rowSet []uint64

func newRowSet(rows int) rowSet { return make(rowSet, (rows+63)/64) }

func (s rowSet) add(rows []uint32) {
	for _, row := range rows {
		s[row/64] |= 1 << (row % 64)
	}
}

// set adds or removes a row.
func (s rowSet) set(row uint32, in bool) {
	if in {
		s[row/64] |= 1 << (row % 64)
	} else {
		s[row/64] &^= 1 << (row % 64)
	}
}

func (s rowSet) has(row uint32) bool { return s[row/64]&(1<<(row%64)) != 0 }

// and returns the intersection. It changes neither set. s may be nil.
func (s rowSet) and(other rowSet) rowSet {
	if s == nil {
		return other
	}
	both := make(rowSet, len(s))
	for i := range both {
		both[i] = s[i] & other[i]
	}
	return both
}

// or adds the rows of another set.
func (s rowSet) or(other rowSet) {
	for i := range s {
		s[i] |= other[i]
	}
}

// not turns the set into its complement in a table with the given number of rows, and returns it.
func (s rowSet) not(rows int) rowSet {
	for i := range s {
		s[i] = ^s[i]
	}
	if rows%64 != 0 {
		s[rows/64] &= 1<<(rows%64) - 1
	}
	return s
}

func (s rowSet) count() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// countOf returns the number of the given rows that are in the set, which may be nil.
func (s rowSet) countOf(rows []uint32) int {
	if s == nil {
		return len(rows)
	}
	n := 0
	for _, row := range rows {
		n += int(s[row/64] >> (row % 64) & 1) // faster than a mispredicted branch
	}
	return n
}

// slice filters the given rows by the set, which may be nil, and returns the slice from:to of
// the result.
func (s rowSet) slice(rows []uint32, from, to int) []uint32 {
	if s == nil {
		return rows[from:to]
	}
	found := make([]uint32, 0, to-from)
	n := 0
	for _, row := range rows {
		if n == to {
			break
		}
		if s.has(row) {
			if n >= from {
				found = append(found, row)
			}
			n++
		}
	}
	return found
}

// all yields the rows in ascending order. The caller may remove rows that it has already got.
func (s rowSet) all() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(uint32(i*64 + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}

// Tables and orders
// -----------------

// A Table answers queries about snapshots. It caches the orders that queries need, both
// to sort records and to find those with a given value. It is safe for concurrent use.
type Table[R any] struct {
	fields *Fields[R]
	mu     sync.Mutex
	orders []*order[R] // the oldest first; guarded by mu

	// Sorting all rows takes memory, so requests do it one at a time. Sorting by several
	// fields may take long and has a lock of its own, so that conditions, which need
	// orders by one field, do not wait for it.
	sortingOne, sortingSeveral lock
}

func newTable[R any](fields *Fields[R]) *Table[R] {
	return &Table[R]{fields: fields, sortingOne: newLock(), sortingSeveral: newLock()}
}

// maxOrders is the number of orders that a table caches.
const maxOrders = 80

// A Page is the result of a query.
type Page[R any] struct {
	records []*R                      // of the page alone
	total   int                       // the number of records on all pages
	version uint64                    // of the snapshot
	counts  map[string]map[string]int // by field and value, the number of records
}

// find answers a query about all rows of a snapshot or, if subset is not nil, about those in
// it. Each condition yields a set of rows by binary search in the order by its field
// (matches). The page is cut from the order by the query's sort keys (order), without the
// rows outside the common set. If few rows remain, only those are sorted (sort).
func (t *Table[R]) find(work *task, s *snapshot[R], q *Query, subset rowSet) Page[R] {
	page := Page[R]{total: s.size, version: s.version, counts: map[string]map[string]int{}}
	found := subset
	counted := slices.Repeat([]rowSet{subset}, len(q.counts)) // the rows to count by each field
	for _, c := range q.conditions {
		set := t.matches(work, s, c)
		found = found.and(set)
		for i, field := range q.counts {
			// The counts tell what choosing another value of the field would find. Therefore the
			// field's own filter, any and not do not limit them, but its range and known do.
			if c.field != field || c.parameter == "range" || c.parameter == "known" {
				counted[i] = counted[i].and(set)
			}
		}
		work.step(len(q.counts) * len(set))
	}
	for i, field := range q.counts {
		page.counts[t.fields.list[field].name] = t.counts(work, s, field, counted[i])
	}
	if found != nil {
		page.total = found.count()
	}
	from, to := q.bounds(page.total)
	var rows []uint32
	if page.total < s.size/1024 {
		// Sorting few rows is quicker than finding them in the order of all. found is not nil here.
		few := slices.Collect(found.all())
		rows = t.sort(work, s, few, q.keys).rows[from:to]
	} else {
		rows = found.slice(t.order(work, s, q.keys).rows, from, to)
	}
	page.records = make([]*R, 0, to-from)
	for _, row := range rows {
		page.records = append(page.records, s.row(row))
	}
	return page
}

// matches returns the rows that meet a condition.
func (t *Table[R]) matches(work *task, s *snapshot[R], c condition) rowSet {
	o := t.order(work, s, []sortKey{{field: c.field}})
	set := newRowSet(s.size)
	for _, r := range c.ranges {
		rows := o.between(r.first, r.last)
		set.add(rows)
		work.step(searchSteps + len(rows))
	}
	if c.negated {
		set = set.not(s.size)
	}
	work.step(len(set))
	return set
}

// searchSteps is about the number of steps of a binary search in an order.
const searchSteps = 200

// maxCounts is the largest number of values in the counts of a field. The most frequent ones
// are kept.
const maxCounts = 1000

// counts returns the number of found rows for each value of a field.
func (t *Table[R]) counts(work *task, s *snapshot[R], field int, found rowSet) map[string]int {
	o := t.order(work, s, []sortKey{{field: field}})
	counts := map[string]int{}
	for rows := o.rows; len(rows) > 0; {
		same := o.upTo(rows, o.key(rows[0]))
		if n := found.countOf(rows[:same]); n > 0 {
			text := "null"
			if v := t.fields.list[field].value(s.row(rows[0])); v.Known() {
				text = v.String()
			}
			counts[text] += n // different keys may have the same text, such as 1 and "1"
		}
		work.step(searchSteps + same)
		rows = rows[same:]
	}
	if len(counts) > maxCounts {
		texts := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
			return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
		})
		for _, text := range texts[maxCounts:] {
			delete(counts, text)
		}
	}
	return counts
}

// An order contains rows of a snapshot, sorted by some keys. A cached order contains all rows.
// Rows with equal keys are ascending. An order never changes.
type order[R any] struct {
	fields   *Fields[R]
	by       []sortKey
	snapshot *snapshot[R]
	rows     []uint32
}

// order returns the order of a snapshot by the given keys. It updates the cached order of
// another snapshot, or sorts all rows if there is none or too much has changed.
func (t *Table[R]) order(work *task, s *snapshot[R], by []sortKey) *order[R] {
	old := t.cachedOrder(by)
	o := old.update(s)
	if o == nil {
		sorting := t.sortingOne
		if len(by) > 1 {
			sorting = t.sortingSeveral
		}
		work.wait(sorting)
		defer sorting.release() // only after the order is cached
		old = t.cachedOrder(by) // another request may have sorted the rows meanwhile
		o = old.update(s)
	}
	if o == nil {
		rows := make([]uint32, s.size)
		for row := range rows {
			rows[row] = uint32(row)
		}
		o = t.sort(work, s, rows, by)
	}
	if o != old {
		t.replaceCached(old, o)
	}
	return o
}

// cachedOrder returns the cached order by the given keys, of any snapshot, or nil.
func (t *Table[R]) cachedOrder(by []sortKey) *order[R] {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.IndexFunc(t.orders, func(o *order[R]) bool { return slices.Equal(o.by, by) }); i >= 0 {
		return t.orders[i]
	}
	return nil
}

// replaceCached replaces a cached order, unless o is of an older snapshot. If old is nil, it adds
// o. If there are then too many orders, it removes the oldest one.
func (t *Table[R]) replaceCached(old, o *order[R]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.Index(t.orders, old)
	switch {
	case i >= 0 && o.snapshot.version >= old.snapshot.version:
		t.orders[i] = o
	case old == nil:
		t.orders = append(t.orders, o)
	}
	if len(t.orders) > maxOrders {
		t.orders = slices.Delete(t.orders, 0, 1)
	}
}

// sort returns a new order of the given rows by the given keys.
func (t *Table[R]) sort(work *task, s *snapshot[R], rows []uint32, by []sortKey) *order[R] {
	o := &order[R]{t.fields, by, s, rows}
	o.sortRows(work, rows, by, false)
	return o
}

// sortRows sorts rows of the order by the first key, and then each run of equal rows by the other
// keys. To save memory, it compares only the beginnings of texts, unless whole is true. It
// sorts runs with equal beginnings again by whole texts.
func (o *order[R]) sortRows(work *task, rows []uint32, by []sortKey, whole bool) {
	if len(rows) < 2 || len(by) == 0 {
		return
	}
	type keyed struct {
		key key
		row uint32
	}
	// Compute keys once, not in each comparison. Copy the beginnings of texts, so that the
	// texts themselves can be freed. Exact numbers cannot be cut.
	const prefix = 32
	list := make([]keyed, len(rows))
	for i, row := range rows {
		k := o.fields.list[by[0].field].key(o.snapshot.row(row))
		if !whole && len(k.text) > prefix && k.kind != kindNumber {
			k.text = strings.Clone(k.text[:prefix])
		}
		list[i] = keyed{k, row}
		work.step(100)
	}
	slices.SortFunc(list, func(a, b keyed) int {
		work.step(10)
		return cmp.Or(by[0].compare(a.key, b.key), cmp.Compare(a.row, b.row))
	})
	for first, next := 0, 0; first < len(list); first = next {
		for ; next < len(list) && list[next].key == list[first].key; next++ {
			rows[next] = list[next].row
		}
		if !whole && len(list[first].key.text) == prefix {
			o.sortRows(work, rows[first:next], by, true)
		} else {
			o.sortRows(work, rows[first:next], by[1:], false)
		}
	}
}

// dropOld drops the orders that are so many versions behind that the next query may have to sort
// all rows anyway. Until then they would keep replaced records in memory.
func (t *Table[R]) dropOld(s *snapshot[R]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.orders = slices.DeleteFunc(t.orders, func(o *order[R]) bool { return o.snapshot.version+maxMoved/2 <= s.version })
}

// maxMoved is the largest number of rows that an update of an order moves. Sorting all rows is
// as quick as moving more.
const maxMoved = 1024

// update returns the order of another snapshot by the same keys. It returns nil if o is nil or
// too much has changed.
func (o *order[R]) update(s *snapshot[R]) *order[R] {
	if o == nil || o.snapshot == s {
		return o
	}
	next := &order[R]{o.fields, o.by, s, o.rows}
	var moved []uint32
	for row, r := range s.changed(o.snapshot) {
		if int(row) >= o.snapshot.size || o.compare(r, o.snapshot.row(row)) != 0 {
			moved = append(moved, row)
		}
		if len(moved) > maxMoved {
			return nil
		}
	}
	if len(moved) == 0 && s.size == o.snapshot.size {
		return next
	}
	isMoved := newRowSet(max(s.size, o.snapshot.size))
	isMoved.add(moved)
	rest := slices.DeleteFunc(slices.Clone(o.rows), func(row uint32) bool {
		return int(row) >= s.size || isMoved.has(row)
	})
	compare := func(a, b uint32) int {
		return cmp.Or(o.compare(s.row(a), s.row(b)), cmp.Compare(a, b))
	}
	slices.SortFunc(moved, compare)
	next.rows = make([]uint32, 0, s.size)
	for _, row := range moved {
		i, _ := slices.BinarySearchFunc(rest, row, compare)
		next.rows = append(next.rows, rest[:i]...)
		next.rows = append(next.rows, row)
		rest = rest[i:]
	}
	next.rows = append(next.rows, rest...)
	return next
}

// compare compares two records by the keys of the order.
func (o *order[R]) compare(a, b *R) int {
	for _, k := range o.by {
		field := o.fields.list[k.field]
		if c := k.compare(field.key(a), field.key(b)); c != 0 {
			return c
		}
	}
	return 0
}

// between returns the rows with keys from first to last. The order must be ascending by
// one field.
func (o *order[R]) between(first, last key) []uint32 {
	from, _ := slices.BinarySearchFunc(o.rows, first, func(row uint32, k key) int { return o.key(row).compare(k) })
	return o.rows[from : from+o.upTo(o.rows[from:], last)]
}

// upTo returns the number of leading rows with keys up to last. The order must be
// ascending by one field.
func (o *order[R]) upTo(rows []uint32, last key) int {
	n, _ := slices.BinarySearchFunc(rows, last, func(row uint32, k key) int {
		return cmp.Or(o.key(row).compare(k), -1) // continue after equal keys
	})
	return n
}

// key returns the key of a row in an order by one field.
func (o *order[R]) key(row uint32) key { return o.fields.list[o.by[0].field].key(o.snapshot.row(row)) }
