// What servers send (RFC 3501, 7 and 9).

package imap

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	maxLiteral = 1<<31 - 1 // bytes of a literal of a mail server, even of one that is passed over
	maxBlank   = 100       // blank lines in a response
	maxLine    = 64 << 10  // bytes of a line of a mail server, and of a response without its literals
)

// A response is what a server sends at a time:
//
//	response = tag SP text *(literal text) CRLF
//	tag      = "*" for untagged data, "+" for a request to go on, or the tag of a command
//	literal  = "{" number "}" CRLF, and as many bytes as the number says
//
// Blank lines before a response and after the literal of a mail are skipped, because some servers send them.
// A text has no line breaks. The text of an untagged response may be
//
//	("OK" / "NO" / "BAD" / "BYE") SP ["[" code "]" SP] words for people
//	"SEARCH" *(SP number)
//	number SP "EXISTS"
//	number SP "FETCH" SP "(" [name SP value *(SP name SP value)] ")"
//	value  = atom / quoted string / literal / "(" [value *(SP value)] ")"
//
// and others, which this client ignores.
type response struct {
	tag      string
	text     []byte // the literals are cut to their "{number}"
	literals []literalText
}

// A literalText is a literal of a response.
type literalText struct {
	at      int // the index of its "{" in the text
	content []byte
	isLarge bool // whether readResponse has skipped it; then content is nil
}

// readResponse reads the next response. It keeps at most limit bytes of its literals, and skips a literal that would
// exceed them.
func readResponse(in *bufio.Reader, limit int) (r response, err error) {
	kept := 0 // bytes of literals
	blank := 0
	for {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) || len(r.text)+len(line) > maxLine {
			return r, serverError{text: fmt.Sprintf("a response has more than %d bytes", maxLine)}
		}
		if err != nil {
			return r, err
		}
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		// After the literal of a mail, a line without text cannot end the response, because a bracket must come first.
		mayBeBlank := r.tag == "" || len(r.literals) > 0 && r.isFetch()
		if len(line) == 0 && mayBeBlank {
			blank++
			if blank > maxBlank {
				return r, errNotIMAP
			}
			continue
		}
		if r.tag == "" {
			tag, text, _ := bytes.Cut(line, []byte(" "))
			if len(tag) == 0 {
				return r, errNotIMAP
			}
			r.tag, line = string(tag), text
		}
		lineStart := len(r.text)
		r.text = append(r.text, line...)
		status, _ := r.status()
		mayHaveLiteral := r.tag == "*" && status == "" // the words of a status may end with "{1}" by chance
		if !mayHaveLiteral {
			return r, nil
		}
		at, size, err := r.literalAtEnd(lineStart)
		hasLiteral := at >= 0
		if err != nil || !hasLiteral {
			return r, err
		}
		literal := literalText{at: at, isLarge: kept+size > limit}
		if !literal.isLarge {
			kept += size
		}
		if err := literal.read(in, size); err != nil {
			return r, err
		}
		r.literals = append(r.literals, literal)
	}
}

// read reads the bytes of a literal, or skips them if it is large.
func (l *literalText) read(in *bufio.Reader, size int) error {
	if l.isLarge {
		_, err := io.CopyN(io.Discard, in, int64(size))
		return err
	}
	var content bytes.Buffer // grows with what arrives, not with what is announced
	_, err := io.CopyN(&content, in, int64(size))
	l.content = content.Bytes()
	return err
}

// isFetch reports whether the response is one to FETCH.
func (r *response) isFetch() bool {
	const name = "FETCH "
	_, rest, _ := bytes.Cut(r.text, []byte(" ")) // after the number of the mail
	return len(rest) > len(name) && strings.EqualFold(string(rest[:len(name)]), name)
}

// literalAtEnd returns the index and the size of the literal whose "{number}" ends the text so far, or a negative index
// if no literal begins at start or later.
func (r *response) literalAtEnd(start int) (at, size int, err error) {
	start = max(start, len(r.text)-len("{4294967295}")) // the longest: a number has 32 bits (RFC 3501, 4.2)
	number := literalPattern.FindSubmatchIndex(r.text[start:])
	if number == nil {
		return -1, 0, nil
	}
	text := string(r.text[start+number[2] : start+number[3]])
	size, err = strconv.Atoi(text)
	if err != nil || size > maxLiteral {
		return 0, 0, errNotIMAP
	}
	return start + number[0], size, nil
}

var literalPattern = regexp.MustCompile(`\{([0-9]+)\}$`)

// status returns the word that begins a status response, and the code in it, in capitals.
func (r *response) status() (word, code string) {
	first, rest, _ := bytes.Cut(r.text, []byte(" "))
	for _, word := range []string{"OK", "NO", "BAD", "BYE", "PREAUTH"} {
		if strings.EqualFold(string(first), word) {
			if inner, hasCode := bytes.CutPrefix(rest, []byte("[")); hasCode {
				inner, _, _ = bytes.Cut(inner, []byte("]"))
				code = strings.ToUpper(string(inner))
			}
			return word, code
		}
	}
	return "", ""
}

// words returns the words that follow the given name, in capitals, or nil if the response has another name.
func (r *response) words(name string) []string {
	words := strings.Fields(strings.ToUpper(string(r.text)))
	if len(words) == 0 || words[0] != name {
		return nil
	}
	return words[1:]
}

// count returns the number in a response such as "12 EXISTS", and whether it has the given name.
func (r *response) count(name string) (number uint32, isNamed bool) {
	first, second, _ := bytes.Cut(r.text, []byte(" "))
	return parseNumber(string(first)), strings.EqualFold(string(second), name)
}

// The sections of a mail that [Client.Fetch] can fetch.
const (
	WholeMail  = "" // as it is stored
	FromFields = "HEADER.FIELDS (FROM)"
)

// A fetchedMail is what a response to FETCH says about a mail.
type fetchedMail struct {
	uid     uint32
	hasBody bool
	body    []byte
	isLarge bool // whether the body is too large; then it is nil
}

// mail returns what a response to FETCH says about a mail. hasBody is false if the response lacks the given section of
// the mail, or is not one to FETCH.
func (r *response) mail(section string) (m fetchedMail, err error) {
	s := scanner{text: r.text, literals: r.literals}
	s.next() // the number of the mail, which changes when others are removed
	if !strings.EqualFold(s.next().text, "FETCH") {
		return m, nil
	}
	if s.next().kind != '(' {
		return m, errNotIMAP
	}
	for {
		name := s.next()
		if name.kind == ')' {
			break
		}
		value := s.value()
		// A server may announce fewer bytes of a mail than it sends. The other bytes may look like further items.
		isWrongItem := m.hasBody && !slices.Contains(addedToBody, strings.ToUpper(name.text))
		if name.kind != kindAtom || value.kind == kindNone || !s.isAtValueEnd() || isWrongItem {
			return m, errNotIMAP
		}
		switch upper := strings.ToUpper(name.text); {
		case upper == "UID":
			m.uid = parseNumber(value.text)
		case upper == "BODY["+section+"]", section == FromFields && strings.HasPrefix(upper, "BODY[HEADER.FIELDS "):
			if value.kind != kindString && !strings.EqualFold(value.text, "NIL") {
				return m, errNotIMAP
			}
			m.hasBody = true
			m.isLarge = value.isLarge
			m.body = value.content
		}
	}
	if s.at < len(s.text) || len(s.literals) > 0 {
		return m, errNotIMAP
	}
	return m, nil
}

// addedToBody are the items that servers may add, unasked, to a mail that was asked for.
var addedToBody = strings.Fields("UID FLAGS MODSEQ RFC822.SIZE INTERNALDATE SAVEDATE EMAILID THREADID X-GM-MSGID " +
	"X-GM-THRID X-GM-LABELS")

// A scanner splits the text of a response into tokens.
type scanner struct {
	text     []byte
	at       int           // the index of the text that is not read yet
	literals []literalText // the literals that are not read yet
}

// A token is a bracket or a value.
type token struct {
	kind    byte   // '(' or ')' for a bracket, or one of those below
	text    string // of an atom
	content []byte // of a string
	isLarge bool   // whether the content of a literal was too large to be kept
}

const (
	kindNone   = 0   // the end of the text, or an error
	kindAtom   = 'a' // a word or a number
	kindString = 's' // a quoted string or a literal
)

// value returns the next value. For a list it returns the opening bracket, and skips the rest of the list.
func (s *scanner) value() token {
	first := s.next()
	if first.kind == ')' { // the list around it ends: no value follows
		return token{}
	}
	depth := 0
	for t := first; ; t = s.next() {
		switch t.kind {
		case kindNone:
			return t
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth <= 0 {
			break
		}
	}
	return first
}

// isAtValueEnd reports whether no more of a value follows.
func (s *scanner) isAtValueEnd() bool {
	return s.at == len(s.text) || s.text[s.at] == ' ' || s.text[s.at] == ')'
}

// next returns the next token.
func (s *scanner) next() token {
	for s.at < len(s.text) && s.text[s.at] == ' ' {
		s.at++
	}
	if s.at == len(s.text) {
		return token{}
	}
	if len(s.literals) > 0 && s.literals[0].at == s.at {
		literal := s.literals[0]
		s.literals = s.literals[1:]
		s.at += bytes.IndexByte(s.text[s.at:], '}') + 1 // the text has only the announcement of the literal: {123}
		return token{kind: kindString, content: literal.content, isLarge: literal.isLarge}
	}
	switch c := s.text[s.at]; c {
	case '(', ')':
		s.at++
		return token{kind: c}
	case '"':
		return s.quoted()
	}
	return s.atom()
}

// quoted returns a quoted string. A backslash stands before a quote or another backslash.
func (s *scanner) quoted() token {
	var content []byte
	for i := s.at + 1; i < len(s.text); i++ {
		c := s.text[i]
		switch {
		case c == '"':
			s.at = i + 1
			return token{kind: kindString, content: content}
		case c == '\\' && i+1 < len(s.text):
			i++
			content = append(content, s.text[i])
		default:
			content = append(content, c)
		}
	}
	return token{}
}

// atom returns an atom, which may hold spaces in square brackets: BODY[HEADER.FIELDS (FROM)].
func (s *scanner) atom() token {
	start, depth := s.at, 0
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case depth <= 0 && (c == ' ' || c == '(' || c == ')'):
			return token{kind: kindAtom, text: string(s.text[start:s.at])}
		}
	}
	return token{kind: kindAtom, text: string(s.text[start:])}
}

// parseNumber returns a number of 32 bits, or 0 if the text is not one.
func parseNumber(text string) uint32 {
	number, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return 0
	}
	return uint32(number)
}

// A serverError says why a server cannot be used. It holds no text of the server.
type serverError struct {
	text      string
	isRefusal bool // whether the server has refused a command
}

func (e serverError) Error() string { return e.text }

// errNotIMAP is the error for an answer that a server must not give.
var errNotIMAP = serverError{text: "the answer is not valid IMAP"}
