// Package mistakes says in words what is wrong in a JSON text that a person has written by hand: where it stops being
// JSON, and what people usually get wrong there, such as a missing comma or a curly quotation mark.
//
// [Find] returns the [Mistake] that an error of encoding/json stands for. [Suggestion] asks for the key that somebody
// has probably misspelt. The words tell how to mend the text, and quote nothing of it, because it may hold secrets. All
// work takes time linear in the text.
package mistakes

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Mistake is what is wrong in a text that is not JSON. As an error it says how to mend that.
type Mistake struct {
	At     int // the offset in bytes; if something is missing at the end, the length of the text
	words  string
	syntax *json.SyntaxError
}

func (m Mistake) Error() string { return m.words }

// Unwrap returns the error of encoding/json.
func (m Mistake) Unwrap() error { return m.syntax }

// A jsonReader has read the beginning of a text, up to where it stops being JSON.
type jsonReader struct {
	text       []byte
	at         int    // where the text stops being JSON
	token      int    // where the word or number directly before at begins; at itself if there is none
	lastBefore int    // the offset of the last byte before token that is no space, or -1
	open       []byte // the brackets that are open at token

	inString               bool // token is within a string
	isName                 bool // the last string is a name in an object
	stringStart, stringEnd int  // of the last string, with its quotation marks
}

// Find returns the mistake that has made a text invalid. syntax is the error of encoding/json about all of the text.
func Find(text []byte, syntax *json.SyntaxError) Mistake {
	at := min(max(0, int(syntax.Offset)-1), len(text))
	isEnd := syntax.Error() == "unexpected end of JSON input"
	if isEnd {
		at = len(text)
	}
	r := readUpTo(text, at)
	var found Mistake
	switch {
	case r.inString:
		found = r.inText(isEnd)
	case isEnd:
		found = r.atEnd()
	default:
		found = r.atRune()
	}
	found.syntax = syntax
	return found
}

// readUpTo reads a text up to the offset where it stops being JSON.
func readUpTo(text []byte, at int) *jsonReader {
	r := &jsonReader{text: text, at: at}
	last := -1 // the offset of the last byte so far that is no space
	for i := 0; i < at; i++ {
		switch c := text[i]; {
		case r.inString && c == '\\':
			i++
		case r.inString && c == '"':
			r.inString = false
			r.stringEnd = i + 1
			last = i
		case r.inString, isJSONSpace(c):
		case c == '"':
			before := r.byteAt(last)
			r.isName = before == '{' || before == ',' && r.innermost() == '{'
			r.inString = true
			r.stringStart = i
			last = i
		default:
			if c == '{' || c == '[' {
				r.open = append(r.open, c)
			}
			if (c == '}' || c == ']') && len(r.open) > 0 {
				r.open = r.open[:len(r.open)-1]
			}
			last = i
		}
	}
	r.token, r.lastBefore = at, last
	if r.inString {
		return r
	}
	r.token = r.wordStart(at)
	if r.token < at { // last is in that word
		r.lastBefore = len(bytes.TrimRight(text[:r.token], " \t\r\n")) - 1
	}
	return r
}

func isJSONSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// isWordByte reports whether a byte may be part of a number or of a word such as true.
func isWordByte(c byte) bool {
	return isASCIILetter(c) || isDigit(c) || strings.IndexByte("+-._", c) >= 0
}

func isASCIILetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// byteAt returns the byte at an offset, or 0.
func (r *jsonReader) byteAt(at int) byte {
	if at < 0 || at >= len(r.text) {
		return 0
	}
	return r.text[at]
}

// lastByte returns the last byte before token that is no space, or 0.
func (r *jsonReader) lastByte() byte { return r.byteAt(r.lastBefore) }

// innermost returns the innermost bracket that is open, or 0.
func (r *jsonReader) innermost() byte {
	if len(r.open) == 0 {
		return 0
	}
	return r.open[len(r.open)-1]
}

// closing returns the bracket that closes the innermost one.
func (r *jsonReader) closing() string {
	if r.innermost() == '[' {
		return "]"
	}
	return "}"
}

const (
	curlyWords   = `this quotation mark is not the straight one: write "`
	openedWords  = `the closing quotation mark of this text is missing`
	slashWords   = `write a backslash twice, or a slash instead`
	colonWords   = "a colon is missing after the name"
	commaWords   = "a comma is missing here"
	extraWords   = "there is one comma too many"
	numberWords  = "write numbers like 2000000 or 2.5: only digits, with a point before decimals"
	nameWords    = `the name must stand in double quotes, like "name"`
	textWords    = `a text must stand in double quotes, like "text"`
	singleWords  = `write double quotes, not single ones`
	lowerWords   = "write true, false and null in lower case"
	valueWords   = "a value is missing after the colon"
	zeroWords    = "it has only zero bytes, as a crash may leave it: put a backup in its place"
	startWords   = "want JSON, which begins with { or ["
	commentWords = "JSON has no comments: remove this one"
)

// inText returns the mistake in a text whose closing quotation mark has not come yet.
func (r *jsonReader) inText(isEnd bool) Mistake {
	content := r.text[r.stringStart+1 : r.at]
	slash := lastEscape(content)
	if !isEnd && slash >= 0 && isInEscape(content[slash:], r.byteAt(r.at)) {
		return Mistake{At: r.stringStart + 1 + slash, words: slashWords}
	}
	isBreak := !isEnd && (r.text[r.at] == '\n' || r.text[r.at] == '\r')
	// After a line break, a quotation mark or a closing bracket shows that the text should have ended before the break.
	next := bytes.TrimLeft(r.text[r.at:], " \t\r\n")
	goesOn := len(next) > 0 && bytes.IndexByte([]byte("\"}]"), next[0]) < 0
	switch {
	case !isEnd && !isBreak: // only a control character is left
		return Mistake{At: r.at, words: `a text must not contain control characters: write a tab as \t`}
	case isBreak && goesOn:
		return Mistake{At: r.at, words: `a text must not contain line breaks: write \n`}
	}
	if at := curlyQuote(content); at >= 0 {
		return Mistake{At: r.stringStart + 1 + at, words: curlyWords}
	}
	return r.unclosed(content)
}

// lastEscape returns the index of the backslash that begins the last escape sequence of a text, or -1.
func lastEscape(content []byte) int {
	slash := bytes.LastIndexByte(content, '\\')
	run := len(content[:slash+1]) - len(bytes.TrimRight(content[:slash+1], `\`)) // backslashes up to the last one
	if run > 0 && run%2 == 0 {
		return slash - 1
	}
	return slash
}

// isInEscape reports whether next stands within an escape sequence: after the backslash, or in the place of one of the
// four digits of \u0000. There, but not after the backslash, a control character is a mistake of its own. escape is the
// text from the backslash up to next.
func isInEscape(escape []byte, next byte) bool {
	if len(escape) == 1 {
		return true
	}
	return escape[1] == 'u' && len(escape) < len(`\u0000`) && next >= ' '
}

// unclosed returns the mistake of a text that lacks its closing quotation mark. content is what follows the opening
// one, up to the next quotation mark or to the end of the line.
func (r *jsonReader) unclosed(content []byte) Mistake {
	colon := bytes.IndexByte(content, ':')
	if r.isName && colon >= 0 {
		return Mistake{At: r.stringStart + 1 + colon, words: openedWords}
	}
	content = bytes.TrimRight(content, " \t\r\n,]}")
	end := r.stringStart + 1 + len(content)
	if bytes.HasSuffix(content, []byte(`\"`)) { // "C:\flats\"
		return Mistake{At: end - len(`\"`), words: slashWords}
	}
	return Mistake{At: end, words: openedWords}
}

// Suggestion returns a question such as ": did you mean cost?", to be added to an error, if somebody has probably
// misspelt a known key, and "" otherwise. At most two letters, and fewer than half of the key, may differ.
func Suggestion(key string, known []string) string {
	letters := utf8.RuneCountInString(key)
	tooMany := min(3, (letters+1)/2)
	best, fewest := "", tooMany
	for _, name := range known {
		if differs := typos(key, name, fewest); differs < fewest {
			best, fewest = name, differs
		}
	}
	if best == "" {
		return ""
	}
	return ": did you mean " + best + "?"
}

// typos returns the number of letters to insert, remove or replace to make one word of another (Levenshtein), or limit
// if the lengths of the words differ by limit or more.
func typos(a, b string, limit int) int {
	// Somebody may have written a very long key. Its beginning shows that it is too long: a letter has at most 4 bytes.
	from, to := []rune(a[:min(len(a), 4*(len(b)+limit))]), []rune(b)
	if len(from)-len(to) >= limit || len(to)-len(from) >= limit {
		return limit
	}
	row := make([]int, len(to)+1) // the typos between the start of from and each start of to
	for j := range row {
		row[j] = j
	}
	for i, x := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range to {
			replaced := diagonal
			if x != y {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(to)]
}

// curlyQuote returns the offset of the first quotation mark that is not the straight one, or -1.
func curlyQuote(text []byte) int { return bytes.IndexFunc(text, isCurly) }

func isCurly(r rune) bool {
	return unicode.In(r, unicode.Pi, unicode.Pf) || strings.ContainsRune("\u201a\u201e\u2033\u301d\u301e\uff02", r)
}

// atEnd returns the mistake in a text that stops too early.
func (r *jsonReader) atEnd() Mistake {
	end := len(bytes.TrimRight(r.text, " \t\r\n"))
	hasWord := r.token < r.at // a word or a number is the last thing in the text
	switch {
	case end == 0:
		return Mistake{words: "it is empty"}
	case hasWord && !json.Valid(r.text[r.token:r.at]):
		return r.badValue()
	case r.lastByte() == ':' && !hasWord:
		return Mistake{At: end, words: valueWords}
	case r.lastByte() == '"' && r.isName && !hasWord:
		return r.afterName(end)
	}
	return Mistake{At: end, words: "a closing " + r.closing() + " is missing"}
}

// atRune returns the mistake at a character that JSON cannot have there.
func (r *jsonReader) atRune() Mistake {
	c, _ := utf8.DecodeRune(r.text[r.at:])
	hasWord := r.token < r.at // a word or a number ends directly before the character
	goesOn := c < utf8.RuneSelf && (isWordByte(byte(c)) || c == '\'')
	last := r.lastByte()
	followsValue := hasWord || isWordByte(last) || last == '}' || last == ']' || last == '"' && !r.isName
	switch {
	case c == 0 && len(bytes.Trim(r.text, "\x00")) == 0:
		return Mistake{At: r.at, words: zeroWords}
	case c == 0:
		return Mistake{At: r.at, words: "this looks like UTF-16 without a byte order mark: save it as UTF-8"}
	case c == '#' || c == '/' && (r.byteAt(r.at+1) == '/' || r.byteAt(r.at+1) == '*'):
		return Mistake{At: r.at, words: commentWords}
	case isCurly(c):
		return Mistake{At: r.at, words: curlyWords}
	case unicode.IsSpace(c), unicode.In(c, unicode.Zs, unicode.Cf):
		return Mistake{At: r.at, words: "this looks like a space, but is another character: write a plain space"}
	case hasWord && (goesOn || !json.Valid(r.text[r.token:r.at])):
		return r.badValue()
	case followsValue:
		return r.afterValue(r.text[r.at])
	case last == '"':
		return r.afterName(r.at)
	case c == ',' || c == '}' || c == ']':
		return r.noValue(r.text[r.at])
	case r.innermost() == '{' && last != ':':
		return r.badName(r.text[r.at])
	}
	return r.badValue()
}

// noValue returns the mistake of a comma or a closing bracket in the place of a name or a value.
func (r *jsonReader) noValue(c byte) Mistake {
	switch last := r.lastByte(); {
	case r.lastBefore < 0:
		return Mistake{At: r.at, words: startWords}
	case last == ':':
		return Mistake{At: r.lastBefore + 1, words: valueWords}
	case c == ',':
		return Mistake{At: r.at, words: extraWords}
	case last == ',':
		return Mistake{At: r.lastBefore, words: extraWords + " before the " + string(rune(c))}
	}
	return Mistake{At: r.lastBefore + 1, words: r.unclosedWords(c)} // [} or {]
}

// unclosedWords says that the innermost bracket is not closed before the bracket c.
func (r *jsonReader) unclosedWords(c byte) string {
	return "a closing " + r.closing() + " is missing before the " + string(rune(c))
}

// afterName returns the mistake between the name of a member and its value. at is where the mistake was found.
func (r *jsonReader) afterName(at int) Mistake {
	content := r.text[r.stringStart+1 : r.stringEnd-1]
	curly := curlyQuote(content)
	switch {
	case curly >= 0:
		return Mistake{At: r.stringStart + 1 + curly, words: curlyWords}
	case r.byteAt(at) == '=':
		return Mistake{At: at, words: "write a colon instead of ="}
	case at == r.stringEnd && bytes.IndexByte(content, ':') >= 0: // {"a: "b"}
		return r.unclosed(content)
	}
	return Mistake{At: r.stringEnd, words: colonWords}
}

// afterValue returns the mistake of a character that follows a value.
func (r *jsonReader) afterValue(c byte) Mistake {
	end := r.lastBefore + 1 // of the value
	if r.token < r.at {     // the value is a word or a number
		end = len(bytes.TrimRight(r.text[:r.at], " \t\r\n"))
	}
	if isText := r.token == r.at && r.lastByte() == '"'; isText {
		if found, ok := r.afterText(c); ok {
			return found
		}
	}
	isSplit := isDigit(c) && isDigit(r.byteAt(end-1)) // a number with a space in it
	switch {
	case len(r.open) == 0:
		return r.afterAll()
	case c == '}' || c == ']':
		return Mistake{At: end, words: r.unclosedWords(c)}
	case c == ';':
		return Mistake{At: r.at, words: "write a comma instead of the semicolon"}
	case c == ':' && r.innermost() == '[':
		return Mistake{At: r.at, words: "names stand only in { }, not in [ ]"}
	case c == ':' || c == '=':
		return Mistake{At: r.at, words: "a value must not follow another one: want a comma, or the end of the object"}
	case isSplit && r.innermost() == '{':
		return Mistake{At: r.wordStart(end), words: numberWords}
	}
	return Mistake{At: end, words: commaWords}
}

// afterText returns the mistake of a character that follows a text, if the text itself is the mistake.
func (r *jsonReader) afterText(c byte) (found Mistake, ok bool) {
	content := r.text[r.stringStart+1 : r.stringEnd-1]
	trimmed := bytes.TrimRight(content, " \t")
	curly := curlyQuote(content)
	switch {
	case curly >= 0 && !opensOrCloses(c): // "x”, "b": 2
		return Mistake{At: r.stringStart + 1 + curly, words: curlyWords}, true
	case bytes.HasSuffix(trimmed, []byte(",")) && !opensOrCloses(c): // "x, "b": 2
		return r.unclosed(content), true
	case r.at == r.stringEnd && isWordByte(c): // "a "good" flat"
		return Mistake{At: r.stringEnd - 1, words: `write a quotation mark within a text as \"`}, true
	}
	return found, false
}

// opensOrCloses reports whether a byte opens a text, opens an object or a list, or closes one of these two. After a
// text it shows that the text has ended where its author wanted.
func opensOrCloses(c byte) bool { return strings.IndexByte(`"{[}]`, c) >= 0 }

// wordStart returns the start of the word or number that ends at an offset.
func (r *jsonReader) wordStart(end int) int {
	for end > 0 && isWordByte(r.text[end-1]) {
		end--
	}
	return end
}

// afterAll returns the mistake of what follows a whole JSON value.
func (r *jsonReader) afterAll() Mistake {
	start := len(r.text) - len(bytes.TrimLeft(r.text, " \t\r\n"))
	if first := r.text[start]; first != '{' && first != '[' {
		return Mistake{At: start, words: "a { is missing before this"}
	}
	return Mistake{At: r.at, words: "nothing may follow the last bracket: remove this, or a bracket too many before it"}
}

// badName returns the mistake of a character in the place of a name.
func (r *jsonReader) badName(c byte) Mistake {
	switch {
	case isDigit(c) && r.isAfterDecimalComma(r.at):
		return Mistake{At: r.wordStart(r.lastBefore), words: numberWords}
	case c == '\'':
		return Mistake{At: r.at, words: singleWords}
	}
	return Mistake{At: r.at, words: nameWords}
}

// isAfterDecimalComma reports whether a digit and a comma stand directly before an offset, as before the 5 in 2,5.
func (r *jsonReader) isAfterDecimalComma(at int) bool {
	return r.byteAt(at-1) == ',' && isDigit(r.byteAt(at-2))
}

// badValue returns the mistake of a word in the place of a value.
func (r *jsonReader) badValue() Mistake {
	found := Mistake{At: r.token, words: textWords}
	end := r.token
	for end < len(r.text) && bytes.IndexByte([]byte(",]}\r\n"), r.text[end]) < 0 {
		end++
	}
	run := r.text[r.token:end]
	const maxWord = 12 // bytes of a word such as "undefined"; longer than any of those below
	word := strings.ToLower(string(run[:min(len(run), maxWord)]))
	isOneOf := func(names ...string) bool {
		for _, name := range names {
			if rest, ok := strings.CutPrefix(word, name); ok && (rest == "" || !isWordByte(rest[0])) {
				return true
			}
		}
		return false
	}
	beginsAsNumber := len(run) > 0 && (isDigit(run[0]) || strings.IndexByte("+-.", run[0]) >= 0)
	const inNumbers = "0123456789+-._' \t,xXeEkKmM€$£" // as people write them: 1'000, 0x1F, 2e6, 500k, 2M, 900 €
	switch {
	case isOneOf("nan", "inf", "infinity", "-inf", "-infinity", "undefined"):
		found.words = "JSON has no NaN, Infinity or undefined: write null"
	case isOneOf("true", "false", "null"):
		found.words = lowerWords
	case isOneOf("none"):
		found.words = "write null"
	case beginsAsNumber && len(bytes.Trim(run, inNumbers)) == 0:
		found.words = numberWords
		if r.isAfterDecimalComma(found.At) {
			found.At = r.wordStart(r.lastBefore)
		}
	case bytes.HasPrefix(run, []byte("'")):
		found.words = singleWords
	case bytes.HasPrefix(run, []byte("[")), bytes.HasPrefix(run, []byte("{")): // a value may begin with these
		found.words = "this is nested too deeply"
	case r.lastBefore < 0:
		found.words = startWords
	}
	return found
}
