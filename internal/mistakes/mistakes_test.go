// Tests of mistakes.go.

package mistakes

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// texts has texts that people write, with a mark (¦) at the mistake, and what it is called.
var texts = []struct{ text, words string }{
	// A comma is missing: the mistake is after the value that it should follow.
	{"{\n  \"addr\": \"127.0.0.1:8080\"¦\n  \"data\": \"x\"\n}", commaWords},
	{`{"a": 1¦ "b": 2}`, commaWords}, {`{"a": true¦ "b": 2}`, commaWords}, {`{"a": {}¦ "b": 2}`, commaWords},
	{`{"a": []¦` + "\n\n" + `"b": 2}`, commaWords}, {`{"a": ["x"¦ "y"]}`, commaWords},
	{`{"gps": [45.7¦ 4.8]}`, commaWords},
	{`{"a": "Zürich"¦ "b": 2}`, commaWords}, {`{"a":"x"¦"b":2}`, commaWords}, {`{"a": 5¦"b": 2}`, commaWords},
	{`{"a": "x"¦; "b": 2}`, "write a comma instead of the semicolon"},
	// One comma too many.
	{`{"a": 1¦,}`, extraWords + " before the }"}, {"{\n\"a\": [1, 2¦,\n]}", extraWords + " before the ]"},
	{`{"a": 1,¦, "b": 2}`, extraWords}, {`{¦,"a": 1}`, extraWords}, {`[1,¦,2]`, extraWords},
	// Curly quotes.
	{`{¦“a”: 1}`, curlyWords}, {`{"a": ¦„x“}`, curlyWords}, {`{"a¦”: 1, "b": 2}`, curlyWords},
	{`{"a": ¦‘x’}`, curlyWords},
	{`{"a": "x¦”}`, curlyWords}, {`{"a": "x¦”, "b": 1}`, curlyWords}, {"{\"a\": \"x¦”\n}", curlyWords},
	{`{"a": ¦«x»}`, curlyWords},
	// A comment.
	{"{\n  ¦// where\n  \"a\": 1}", commentWords}, {`{"a": 1, ¦/* x */ "b": 2}`, commentWords},
	{"{\"a\": 1 ¦# x\n}", commentWords}, {`{"a": 1¦// x` + "\n}", commentWords}, {"¦// x\n{}", commentWords},
	// Something after the last brace.
	{"{\"a\": 1}\n¦x", "nothing may follow the last bracket: remove this, or a bracket too many before it"},
	{"{\"a\": {}}¦}", "nothing may follow the last bracket: remove this, or a bracket too many before it"},
	{"{\"a\": {}}¦, \"b\": 1}", "nothing may follow the last bracket: remove this, or a bracket too many before it"},
	// Single quotes, or none.
	{`{¦'a': 1}`, singleWords}, {`{"a": ¦'x'}`, singleWords}, {`{"a": 1, ¦'b': 1}`, singleWords},
	{`{¦a: 1}`, nameWords}, {`{¦a": 1}`, nameWords}, {`{"a": ¦x}`, textWords}, {`{"a": ¦x", "b": 1}`, textWords},
	{`{"addr": ¦127.0.0.1:8080}`, textWords}, {`{"addr": ¦127.0.0.1:8080"}`, textWords}, {`{"t": ¦09:00}`, textWords},
	{`{"data": ¦/srv/flats.json}`, textWords}, {`{"a": ¦tru}`, textWords}, {`{"people": [¦Ann, Ben]}`, textWords},
	{`{¦["a"]}`, nameWords}, {`{¦1: 2}`, nameWords}, {`{"a": 1, ¦{}}`, nameWords},
	// = or nothing in place of a colon.
	{`{"a" ¦= 1}`, "write a colon instead of ="}, {`{"a"¦ "x"}`, colonWords}, {`{"a"¦}`, colonWords},
	{`{"a"¦, "b": 1}`, colonWords}, {`{"a"¦=1}`, "write a colon instead of ="}, {"{\"a\"¦\n", colonWords},
	{`{"a":¦}`, valueWords}, {`{"a":¦, "b": 1}`, valueWords}, {`{"a":¦`, valueWords},
	{`["a"¦: 1]`, "names stand only in { }, not in [ ]"},
	{`{"a": "b"¦: 1}`, "a value must not follow another one: want a comma, or the end of the object"},
	// A brace, bracket or quote that is missing.
	{`{"a": {"b": 1}¦`, "a closing } is missing"}, {`{"a": [1, 2¦` + "\n\n", "a closing ] is missing"},
	{`{"a": [1, 2¦}`, "a closing ] is missing before the }"}, {`[{"a": 1¦]`, "a closing } is missing before the ]"},
	{`{"a": [{"b": "x"¦]}`, "a closing } is missing before the ]"},
	{`{"a": ["x"¦}`, "a closing ] is missing before the }"},
	{`{"a": 1,¦`, "a closing } is missing"}, {`¦"addr": "x"`, "a { is missing before this"}, {`{"a": [¦}`,
		"a closing ] is missing before the }"},
	{`{"addr¦: "x"}`, openedWords}, {`{"addr¦: 5, "b": 1}`, openedWords}, {`{"a": "x¦, "b": 1}`, openedWords},
	{"{\"a\": \"x¦,\n\"b\": 1}", openedWords}, {"{\"a\": \"x¦\n}", openedWords}, {`{"a": "x¦}`, openedWords},
	{"{\"a\": [\"x¦],\n\"b\": 1}", openedWords}, {"{\"a¦: 5,\n\"b\": 1}", openedWords},
	{`{"title": "a ¦"good" flat"}`, `write a quotation mark within a text as \"`},
	// A backslash.
	{`{"data": "C:¦\data"}`, slashWords}, {`{"data": "C:\\x¦\users"}`, slashWords}, {`{"a": "¦\u00g0"}`, slashWords},
	{"{\"data\": \"C:\\\\flats¦\\\",\n\"b\": 1}", slashWords}, {"{\"data\": \"C:\\\\flats¦\\\"\n}", slashWords},
	// What a crash leaves.
	{"¦\x00", zeroWords}, {"¦\x00\x00\x00\x00", zeroWords},
	// True.
	{`{"a": ¦True}`, lowerWords}, {`{"a": ¦FALSE, "b": 1}`, lowerWords}, {"{\"a\": ¦Null\n}", lowerWords},
	{`{"a": ¦nUll}`, lowerWords}, {`[¦None]`, "write null"},
	{`{"a": ¦NaN}`, "JSON has no NaN, Infinity or undefined: write null"},
	{`{"a": ¦-Infinity}`, "JSON has no NaN, Infinity or undefined: write null"},
	{`{"a": ¦undefined}`, "JSON has no NaN, Infinity or undefined: write null"},
	// A number such as 2.000.000.
	{`{"a": ¦2.000.000}`, numberWords}, {`{"a": ¦2,000,000}`, numberWords}, {`{"a": ¦2,5}`, numberWords},
	{`{"a": ¦2 000}`, numberWords}, {`{"a": ¦2'000}`, numberWords}, {`{"a": ¦+5}`, numberWords},
	{`{"a": ¦.5}`, numberWords},
	{`{"a": ¦5.}`, numberWords}, {`{"a": ¦007}`, numberWords}, {`[¦2,000]`, numberWords},
	{`{"a": ¦2_000}`, numberWords},
	{`{"a": ¦-}`, numberWords}, {`{"a": ¦1.200,50}`, numberWords},
	// A line break in a text.
	{"{\"a\": \"one¦\ntwo\"}", `a text must not contain line breaks: write \n`},
	{"{\"a\": \"one¦\r\ntwo\"}", `a text must not contain line breaks: write \n`},
	{"{\"a\": \"one¦\ttwo\"}", `a text must not contain control characters: write a tab as \t`},
	{"{\"a\": \"C:\\\\¦\ttwo\"}", `a text must not contain control characters: write a tab as \t`},
	{`{"a": "C:\\¦\x"}`, slashWords},
	// A character that looks like a space.
	{"{¦\u00a0\"a\": 1}", "this looks like a space, but is another character: write a plain space"},
	{"{\"a\":¦\u3000" + `1}`, "this looks like a space, but is another character: write a plain space"},
	{"{\"a\": 1¦\u200b}", "this looks like a space, but is another character: write a plain space"},
	// An empty file.
	{"¦", "it is empty"}, {"¦ \n", "it is empty"},
	{"¦a: 1", "want JSON, which begins with { or ["}, {"¦}", "want JSON, which begins with { or ["},
}

// TestMistakes tests the place and the words of each mistake.
func TestMistakes(t *testing.T) {
	for _, c := range texts {
		before, after, _ := strings.Cut(c.text, "¦")
		var syntax *json.SyntaxError
		if err := json.Unmarshal([]byte(before+after), new(any)); !errors.As(err, &syntax) {
			t.Fatalf("%q: %v", c.text, err)
		}
		got := Find([]byte(before+after), syntax)
		if got.At != len(before) || got.Error() != c.words || !errors.Is(got, syntax) {
			t.Errorf("%q:\ngot  %d %s\nwant %d %s", c.text, got.At, got, len(before), c.words)
		}
	}
}

// TestSuggestion tests which key was probably meant.
func TestSuggestion(t *testing.T) {
	known := []string{"addr", "data", "postal_codes"}
	for _, c := range []struct{ shows, key, meant string }{
		{"a letter is missing", "postal_code", "postal_codes"},
		{"one letter is another", "Addr", "addr"},
		{"one letter of a short key", "dat", "data"},
		{"two of four letters are too many", "dtaa", ""},
		{"and two of a key of two", "ad", ""},
		{"three letters are too many", "adress", ""},
		{"no key", "", ""},
		{"a very long key", strings.Repeat("postal_codes", 1000), ""},
	} {
		want := ""
		if c.meant != "" {
			want = ": did you mean " + c.meant + "?"
		}
		if got := Suggestion(c.key, known); got != want {
			t.Errorf("%s: %.20q: got %q, want %q", c.shows, c.key, got, want)
		}
	}
}

// TestMistakesAreLinear tests that hostile texts are explained without looking at each byte for each other one. It
// measures nothing: 2^36 looks for each text would take longer than go test waits.
func TestMistakesAreLinear(t *testing.T) {
	const size = 1 << 18 // bytes
	for _, part := range []string{"[", `{"a":`, `"`, `\`, "“", " ", "1", "a", ".", ",", "}", "{\"a\":\"", "\n", "'"} {
		text := []byte(strings.Repeat(part, size/len(part)))
		for _, start := range []string{"", "{", "[", `{"a": "`, `{"a": `, `{"a": 1 `} {
			whole := append([]byte(start), text...)
			var syntax *json.SyntaxError
			if err := json.Unmarshal(whole, new(any)); errors.As(err, &syntax) {
				Find(whole, syntax)
			}
		}
	}
}

// FuzzMistake tests that each text that is not JSON has a mistake within it, in words on one line that
// quote nothing of it.
func FuzzMistake(f *testing.F) {
	for _, c := range texts {
		f.Add(strings.Replace(c.text, "¦", "", 1))
	}
	const maxWords = 60 // more than the package has
	seen := map[string]bool{}
	f.Fuzz(func(t *testing.T, text string) {
		err := json.Unmarshal([]byte(text), new(json.RawMessage))
		var syntax *json.SyntaxError
		if !errors.As(err, &syntax) {
			return
		}
		got := Find([]byte(text), syntax)
		if got.At < 0 || got.At > len(text) || got.words == "" || strings.Contains(got.words, "\n") {
			t.Errorf("%q: %+v", text, got)
		}
		if seen[got.words] = true; len(seen) > maxWords {
			t.Errorf("%q: the words depend on the text: %s", text, got.words)
		}
	})
}
