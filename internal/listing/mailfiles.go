// Mail files: the forms in which programs store mails, one or several of them in a file.

package listing

import (
	"bytes"
	"iter"
	"strconv"
	"strings"
)

var (
	headerField = newPattern(`^([A-Za-z][A-Za-z0-9-]*)[ \t]*:(?:[^/]|/[^/]|$)`) // but not the start of a URL
	countLine   = newPattern(`^\d{1,10} *\r?\n`)                                // the byte count of an .emlx file
	// envelopeLine matches a line "From " with a sender and a date, which does not occur in the text of a mail.
	envelopeLine = newPattern(`^From \S+ +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? [A-Z0-9]`)
	quotedFrom   = newPattern(`(?m)^>(>*From )`)
)

// IsMail reports whether a text begins as a mail does: with a header field, perhaps after a line "From " of an mbox or
// the byte count of an .emlx file. Other texts may begin so, too.
func IsMail(text []byte) bool {
	const longestField = 1000 // bytes of a line in which the name of a field is looked for
	line, _, _ := bytes.Cut(startOfMail(text), []byte("\n"))
	line = bytes.TrimRight(line[:min(len(line), longestField)], "\r")
	return headerField().Match(line)
}

// IsMailName reports whether a file name ends as those of mails do: in .eml or .emlx.
func IsMailName(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".eml") || strings.HasSuffix(name, ".emlx")
}

// startOfMail returns a mail from its first header field on: without the line "From " of an mbox, and without the byte
// count before it and the property list after it in an .emlx file.
func startOfMail(text []byte) []byte {
	const longestCount = 100 // bytes at the start in which a byte count is looked for: ten digits, blanks, a line break
	text = bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\uFEFF")), "\r\n")
	if count := countLine().Find(text[:min(len(text), longestCount)]); count != nil {
		n, _ := strconv.Atoi(string(bytes.TrimSpace(count))) // no error: it has at most ten digits
		text = text[len(count):]
		text = bytes.TrimLeft(text[:min(len(text), n)], "\r\n")
	}
	if bytes.HasPrefix(text, []byte("From ")) {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	return text
}

// SplitMails yields the mails of a text. An mbox may have several. Each begins with a line "From " before a header
// field. That line must also have a date or follow an empty line. In the mails of an mbox, lines ">From " lose their
// ">". Any other text is one mail. It takes time linear in the text.
func SplitMails(text []byte) iter.Seq[[]byte] {
	const longestEnvelope = 200 // bytes of a line "From " in which a date is looked for
	return func(yield func([]byte) bool) {
		text := bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\uFEFF")), "\r\n")
		if !bytes.HasPrefix(text, []byte("From ")) {
			yield(text)
			return
		}
		for start, at := 0, 0; ; {
			i := bytes.Index(text[at:], []byte("\nFrom "))
			if i < 0 {
				yield(withFrom(text[start:]))
				return
			}
			before := bytes.TrimSuffix(text[at:at+i], []byte("\r"))
			next := text[at+i+1:]
			isApart := bytes.HasSuffix(before, []byte("\n")) || envelopeLine().Match(next[:min(len(next), longestEnvelope)])
			at += i + 1
			if !isApart || !IsMail(next) {
				continue
			}
			if !yield(withFrom(text[start:at])) {
				return
			}
			start = at
		}
	}
}

// withFrom restores the lines of a mail that begin with "From ", which an mbox quotes.
func withFrom(mail []byte) []byte {
	if !bytes.Contains(mail, []byte("\n>")) {
		return mail
	}
	return quotedFrom().ReplaceAll(mail, []byte("$1"))
}
