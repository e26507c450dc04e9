// JSON texts: reading, writing, and errors with lines.

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"flats/internal/mistakes"
)

// sameValue reports whether two JSON texts decode to equal values, with numbers as
// float64: 18.0 equals 18.
func sameValue(a, b json.RawMessage) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return bytes.Equal(a, b) // a number is out of range
	}
	return reflect.DeepEqual(x, y)
}

// sameNumbers reports whether two decoded JSON values differ at most in how their numbers are written: 1240.0 is
// 1240. Numbers that a float64 cannot tell apart, such as long ids, must have the same digits.
func sameNumbers(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, isNumber := b.(json.Number)
		x, errX := a.Float64()
		y, errY := b.Float64()
		isExact := errX == nil && errY == nil && math.Abs(x) < 1<<53 // a float64 has every integer up to 2^53
		return isNumber && (a == b || isExact && x == y)
	case []any:
		b, isList := b.([]any)
		return isList && slices.EqualFunc(a, b, sameNumbers)
	case map[string]any:
		b, isObject := b.(map[string]any)
		return isObject && maps.EqualFunc(a, b, sameNumbers)
	}
	return a == b
}

// members is a JSON object: its values by name, as JSON.
type members map[string]json.RawMessage

// put sets a member to a value that encodeJSON accepts. nil becomes null.
func (m members) put(name string, v any) { m[name] = json.RawMessage(encodeJSON(v)) }

// text returns the JSON text of a member, or null if there is none.
func (m members) text(name string) string { return cmp.Or(string(m[name]), "null") }

// size returns the bytes of the names and values.
func (m members) size() (n int) {
	for name, text := range m {
		n += len(name) + len(text)
	}
	return n
}

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

// orNull returns a text as a value that becomes null in JSON if the text is "".
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
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
	maxObject  = 16 << 20 // bytes of an object; each of its members, nested ones too, counts for memberSize
	memberSize = 1 << 10  // a member takes far more memory than its text
)

var errObject = fmt.Errorf("the object is larger than %d bytes, where each member counts for %d", maxObject, memberSize)

// countValues returns the number of members and elements in a valid JSON text, including nested
// ones: one member and two elements in {"a":[1,2]}. Outside of strings, each colon belongs to a member. A member or
// an element follows each comma, and each opening bracket unless the closing one follows.
func countValues(text []byte) (memberCount, elementCount int) {
	values := 0 // members and elements
	inString := false
	afterOpening := false // the last character that is no space was an opening bracket
	for i := 0; i < len(text); i++ {
		c := text[i]
		if inString {
			if c == '\\' {
				i++ // the escaped character
			}
			inString = c != '"'
			continue
		}
		if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
			continue
		}
		if c == ',' || afterOpening && c != ']' && c != '}' {
			values++
		}
		afterOpening = c == '[' || c == '{'
		if c == ':' {
			memberCount++
		}
		inString = c == '"'
	}
	return memberCount, values - memberCount
}

// parseObject parses a JSON object in UTF-8 that comes from elsewhere. The result shares no
// memory with the text. The error is a *json.SyntaxError if the text is not JSON.
func parseObject(text []byte) (members, error) {
	if count, _ := countValues(text); len(text)+count*memberSize > maxObject {
		return nil, errObject
	}
	return decodeObject(text)
}

// decodeObject is like parseObject, but accepts an object of any size, because whatever the service
// has written must be readable.
func decodeObject(text []byte) (members, error) {
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
	// encoding/json limits nesting to 10,000 levels. The object must stay valid when it is part of a list, a few levels
	// deeper. A text with fewer brackets than that cannot be nested too deeply, and need not be parsed again.
	const safeBrackets = 9000
	brackets := bytes.Count(text, []byte("[")) + bytes.Count(text, []byte("{"))
	if brackets > safeBrackets && !json.Valid(slices.Concat([]byte("[[[["), text, []byte("]]]]"))) {
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
		// The text itself may contain a valid U+FFFD.
		if r == utf8.RuneError && !bytes.HasPrefix(text[at:], []byte("\uFFFD")) {
			return at
		}
	}
	return -1
}

// lineNumber returns the number of the line at an offset in a text.
func lineNumber(text []byte, at int) int { return 1 + bytes.Count(text[:at], []byte("\n")) }

// withLine adds the file name and the line to an error. For a mistake in JSON, and for the first byte that is not
// UTF-8, it also adds the column in characters.
func withLine(name string, text []byte, err error) error {
	var syntax *json.SyntaxError
	at := invalidUTF8(text)
	if errors.As(err, &syntax) {
		found := mistakes.Find(text, syntax)
		at, err = found.At, found
	}
	if at < 0 {
		return fmt.Errorf("%s:1: %w", name, err)
	}
	start := bytes.LastIndexByte(text[:at], '\n') + 1
	return fmt.Errorf("%s:%d:%d: %w", name, lineNumber(text, at), 1+utf8.RuneCount(text[start:at]), err)
}

// readObjects parses a JSON array of objects up to the first error. parse is parseObject or
// decodeObject. The error names the file and the line of the syntax error or of the object.
func readObjects[T any](name string, text []byte, parse func([]byte) (members, error),
	read func(object members) (T, error)) (elements []T, err error) {
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
		var parsed T
		object, err := parse(element)
		if err == nil {
			parsed, err = read(object)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, lineNumber(text, int(d.InputOffset())-len(element)), err)
		}
		elements = append(elements, parsed)
	}
	closing, _ := d.Token()
	_, err = d.Token()
	hasMore := err != io.EOF
	if closing != json.Delim(']') || hasMore {
		return nil, arrayError(name, text)
	}
	return elements, nil
}

// arrayError returns the error of a text that is not a JSON array: the mistake with its line and column or, if the text
// is valid JSON, that it is no array.
func arrayError(name string, text []byte) error {
	err := json.Unmarshal(text, new(json.RawMessage))
	if err == nil {
		err = unexpected("a JSON array", string(bytes.TrimSpace(text)))
	}
	return withLine(name, text, err)
}
