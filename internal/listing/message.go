// Messages: the parts of a mail (RFC 5322, RFC 2045), decoded.

package listing

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"mime"
	"net/mail"
	"strings"
	"time"

	"flats/internal/turns"
)

// MaxMail is the number of bytes of a mail that callers should accept. Few mails are larger than 25 MB.
const MaxMail = 32 << 20

// What exceeds these bounds is ignored, except that a mail with a longer header is refused.
const (
	maxMailListings = 500       // listings of a mail
	maxMailHeader   = 256 << 10 // bytes of a header of a mail
	maxMailParts    = 200       // parts of a mail
	maxMailLevels   = 20        // parts in parts of a mail
)

// MailRules are what only the program that imports the listings of a mail can tell. Both functions must be set.
type MailRules struct {
	// Accept returns a listing as the program keeps it, and the id that it has there. It returns nil for a listing
	// that the program refuses. It may change the map.
	Accept func(listing map[string]json.RawMessage) (kept map[string]json.RawMessage, id string)
	// Fold returns the words of texts in the form in which the program compares them, joined by blanks.
	Fold func(texts ...string) string
}

// A mailMessage is a mail, or one that is attached to a mail.
type mailMessage struct {
	subject string
	sender  string // the domain of the address that it is from
	name    string // of the sender, or "" if there is only the address
	date    time.Time
	html    []string // the bodies, decoded
	plain   []string

	rules      *MailRules
	isOfPerson bool   // it is from the address of a person (isPersonal)
	topic      string // the subject, or the subject of the mail that is forwarded in it

	// What was found in it, to say why it has no listing, or what was left out.
	cards          int
	isLodging      bool
	isFull         bool   // it has more listings than are read
	alike          int    // listings that say the same as others
	unknownCharset string // of a body that cannot be read
	unmet          string // the first condition that a title and a price alone do not meet, or ""
}

// A mailPart is a part of a message that is not read yet.
type mailPart struct {
	header  mailHeader
	body    []byte
	level   int          // how deep it is in other parts
	message *mailMessage // nil for a mail that is attached
}

// A mailHeader holds the first field of each name in keptFields, by its name in lower case.
type mailHeader map[string][]byte

var (
	errNoMail     = errors.New("want a mail, which begins with a header field such as From or Date")
	errMailHeader = errors.New("the header of the mail has more than 256 KiB")
)

// readMail returns a mail and the mails attached to it. It takes time linear in the text.
func readMail(work *turns.Task, text []byte, rules *MailRules) ([]*mailMessage, error) {
	if !IsMail(text) {
		return nil, errNoMail
	}
	header, body, err := cutHeader(work, startOfMail(text))
	if err != nil {
		return nil, err
	}
	first := newMailMessage(header, rules)
	messages := []*mailMessage{first}
	queue := []mailPart{{header: header, body: body, message: first}}
	for parts := 0; len(queue) > 0 && parts < maxMailParts; parts++ {
		part := queue[0]
		queue = queue[1:]
		work.Step(1 + len(part.body)/64)
		if part.message == nil {
			header, body, err := cutHeader(work, startOfMail(part.decoded(MaxMail)))
			if err != nil {
				continue
			}
			part.message = newMailMessage(header, rules)
			part.header, part.body = header, body
			messages = append(messages, part.message)
		}
		queue = append(queue, part.read(work, maxMailParts-len(queue)-parts)...)
	}
	return messages, nil
}

// LooksLikeMail reports whether a text of any kind is a mail: it begins as one, and its header names a sender.
func LooksLikeMail(text []byte) bool {
	if !IsMail(text) {
		return false
	}
	header, _, _ := cutHeader(nil, startOfMail(text[:min(len(text), maxMailHeader)]))
	_, hasSender := header["from"]
	return hasSender
}

func newMailMessage(header mailHeader, rules *MailRules) *mailMessage {
	from := header.words("from")
	m := &mailMessage{subject: header.words("subject"), sender: domainOf(from), name: senderName(from), rules: rules}
	m.isOfPerson = rules.isPersonal(from, m.name)
	m.date, _ = mail.ParseDate(string(header["date"])) // the zero time if there is none
	return m
}

// cutHeader returns the header of a message or a part, and the body after it. It ignores lines that are not fields. Of
// a header that is too long, it returns the fields within the bound, and errMailHeader. It takes time linear in the
// header.
func cutHeader(work *turns.Task, text []byte) (mailHeader, []byte, error) {
	header := mailHeader{}
	name := "" // of the field that the line before belongs to
	for size := 0; len(text) > 0; {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		size += len(text) - len(rest)
		work.Step(16 + len(line)/16)
		if size > maxMailHeader {
			return header, nil, errMailHeader
		}
		text = rest
		line = bytes.TrimRight(line, "\r")
		switch {
		case len(line) == 0:
			return header, text, nil
		case line[0] == ' ' || line[0] == '\t':
			if name != "" {
				header[name] = append(append(header[name], ' '), bytes.TrimSpace(line)...)
			}
		default:
			name = ""
			before, value, ok := bytes.Cut(line, []byte(":"))
			field := strings.ToLower(strings.TrimSpace(string(before)))
			if _, isKnown := header[field]; ok && !isKnown && keptFields[field] {
				name = field
				header[name] = bytes.Clone(bytes.TrimSpace(value))
			}
		}
	}
	return header, nil, nil
}

// keptFields are the fields of a header that are read.
var keptFields = setOf("from subject date content-type content-transfer-encoding content-disposition")

// words returns the text of a field, with its words decoded.
func (h mailHeader) words(name string) string {
	return decodeWords(string(h[name]))
}

// decodeWords decodes the encoded words of a text (RFC 2047). Other bytes are UTF-8 or windows-1252.
func decodeWords(text string) string {
	renamed := encodedWord().ReplaceAllStringFunc(text, func(start string) string {
		charset, _, _ := strings.Cut(strings.Trim(start, "=?"), "*") // without a language
		if strings.EqualFold(charset, "utf-8") {
			// Package mime copies the bytes of such words, so that a letter may begin in one word and end in the next.
			return "=?utf-8?"
		}
		return "=?x-" + charset + "?" // a charset that mime leaves to charsetReader, as it does with all but three
	})
	decoder := mime.WordDecoder{CharsetReader: charsetReader}
	if decoded, err := decoder.DecodeHeader(renamed); err == nil {
		text = decoded
	}
	decoded, _ := decodeCharset([]byte(text), "")
	return strings.TrimSpace(decoded)
}

// encodedWord matches the start of an encoded word: its charset.
var encodedWord = newPattern(`=\?[^?\s]{1,60}\?`)

// SenderDomain returns the domain of the address of the sender of a mail, in lower case. It returns "" if there is
// none, or if the text is not a mail.
func SenderDomain(text []byte) string {
	header, _, _ := cutHeader(nil, startOfMail(text)) // of a header that is too long, its start
	return domainOf(header.words("from"))
}

// senderName returns the name before the last address in a text, or "".
func senderName(text string) string {
	const longestSender = 100 // letters of a name; the rest of it is not kept
	at := strings.LastIndexByte(text, '<')
	return leading(strings.Trim(text[:max(at, 0)], `" `), longestSender)
}

// isPersonal reports whether the last address in a text begins with the name of its owner, as "ann.w@site.example"
// does for Ann Writer. "portal@portal.example" is the address of a site, whose domain has the name, too.
func (r *MailRules) isPersonal(text, name string) bool {
	name, _, _ = strings.Cut(r.Fold(name), " ")
	local, domain, _ := strings.Cut(strings.ToLower(text[strings.LastIndexByte(text, '<')+1:]), "@")
	return len(name) > 1 && strings.HasPrefix(local, name) && !strings.Contains(domain, name)
}

var mailAddress = newPattern(`[^\s<>@,;:"()]+@([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)`)

// domainOf returns the domain of the last address in a text, in lower case, or "".
func domainOf(text string) string {
	const longestAddresses = 4096 // bytes of a header field in which addresses are looked for
	found := mailAddress().FindAllStringSubmatch(text[:min(len(text), longestAddresses)], -1)
	if found == nil {
		return ""
	}
	return strings.ToLower(found[len(found)-1][1])
}

// read adds the text of a part to its message, or returns the parts that it consists of, but no more than limit.
func (p *mailPart) read(work *turns.Task, limit int) (parts []mailPart) {
	kind, parameters := MediaType(string(p.header["content-type"]))
	disposition, file := MediaType(string(p.header["content-disposition"]))
	switch {
	case strings.HasPrefix(kind, "multipart/"):
		if p.level == maxMailLevels {
			return nil
		}
		for _, text := range splitParts(p.body, parameters["boundary"], limit) {
			work.Step(1 + len(text)/64)
			header, body, err := cutHeader(work, text)
			if kind == "multipart/digest" && len(header["content-type"]) == 0 {
				header["content-type"] = []byte("message/rfc822")
			}
			if err == nil {
				parts = append(parts, mailPart{header: header, body: body, level: p.level + 1, message: p.message})
			}
		}
	case p.isMail(kind, parameters["name"], disposition, file["filename"]):
		if p.level < maxMailLevels && limit > 0 {
			return []mailPart{{header: p.header, body: p.body, level: p.level + 1}}
		}
	case disposition == "attachment":
	case kind == "text/html":
		p.message.html = p.appendText(p.message.html, parameters)
	case kind == "text/plain":
		p.message.plain = p.appendText(p.message.plain, parameters)
	}
	return parts
}

// isMail reports whether a part is an attached mail: by its type, by its name, or by its first bytes. A part with the
// text of a mail may begin like a mail, too.
func (p *mailPart) isMail(kind, name, disposition, file string) bool {
	if kind == "message/rfc822" || kind == "message/global" ||
		IsMailName(decodeWords(name)) || IsMailName(decodeWords(file)) {
		return true
	}
	isBody := disposition != "attachment" && (kind == "text/plain" || kind == "text/html")
	return !isBody && LooksLikeMail(p.decoded(firstBytes))
}

const firstBytes = 16 << 10 // of a part, which tell whether it is a mail

// appendText appends the text of a part to others. If it does not know the charset, it notes that in the message
// instead.
func (p *mailPart) appendText(texts []string, parameters map[string]string) []string {
	kind, _ := MediaType(string(p.header["content-type"]))
	body := p.decoded(maxMailBody)
	charset := parameters["charset"]
	// A charset that the HTML names comes before no charset, and before one that stands for windows-1252.
	isDefault := charsetName(charset) == charsetName("")
	if kind == "text/html" && isDefault {
		charset = cmp.Or(charsetOfHTML(body), charset)
	}
	text, unknown := decodeCharset(body, charset)
	if unknown != "" {
		p.message.unknownCharset = unknown
		return texts
	}
	if strings.EqualFold(parameters["format"], "flowed") && kind == "text/plain" {
		keepsBlanks := !strings.EqualFold(parameters["delsp"], "yes")
		text = joinFlowed(text, keepsBlanks)
	}
	return append(texts, text)
}

// MediaType returns the media type in the value of a Content-Type field, in lower case, and its parameters. Of a
// malformed field it returns what can be read; kind is "text/plain" if the field has no type.
func MediaType(field string) (kind string, parameters map[string]string) {
	field = uncommented(field)
	kind, parameters, err := mime.ParseMediaType(field)
	if err == nil {
		return kind, parameters
	}
	kind, rest, _ := strings.Cut(field, ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	if kind == "" || !strings.Contains(kind, "/") && strings.Contains(field, "charset") {
		kind = "text/plain"
	}
	parameters = map[string]string{}
	for parameter := range strings.SplitSeq(rest, ";") {
		name, value, _ := strings.Cut(parameter, "=")
		parameters[strings.ToLower(strings.TrimSpace(name))] = strings.Trim(strings.TrimSpace(value), `"`)
	}
	return kind, parameters
}

// uncommented returns a field without the comments in parentheses that RFC 822 allows.
func uncommented(field string) string {
	if !strings.Contains(field, "(") {
		return field
	}
	var kept strings.Builder
	depth, isQuoted := 0, false
	for i := 0; i < len(field); i++ {
		c := field[i]
		switch {
		case c == '"' && depth == 0:
			isQuoted = !isQuoted
		case c == '(' && !isQuoted:
			depth++
			continue
		case c == ')' && depth > 0:
			depth--
			continue
		}
		if depth == 0 {
			kept.WriteByte(c)
		}
	}
	return strings.TrimSpace(kept.String())
}

// splitParts returns the parts of a multipart body, but no more than limit.
func splitParts(body []byte, boundary string, limit int) (parts [][]byte) {
	if boundary == "" {
		return nil
	}
	mark := []byte("--" + boundary)
	start := -1 // of the current part
	for at := 0; len(parts) < limit; {
		i := bytes.Index(body[at:], mark)
		if i < 0 {
			break
		}
		i += at
		at = i + len(mark)
		rest := bytes.TrimLeft(body[at:min(len(body), at+200)], " \t")
		beginsLine := i == 0 || body[i-1] == '\n'
		endsLine := len(rest) == 0 || strings.IndexByte("\r\n-", rest[0]) >= 0 // or "--" follows
		if !beginsLine || !endsLine {
			continue
		}
		if start >= 0 {
			parts = append(parts, body[start:i])
		}
		if isLastMark := bytes.HasPrefix(rest, []byte("--")); isLastMark {
			return parts
		}
		start = len(body)
		if end := bytes.IndexByte(body[at:], '\n'); end >= 0 {
			start = at + end + 1
		}
	}
	if start >= 0 && len(parts) < limit {
		parts = append(parts, body[start:]) // the end has no mark
	}
	return parts
}

// decoded returns the bytes of a part without their transfer encoding, but no more than limit.
func (p *mailPart) decoded(limit int) []byte {
	encoding, _, _ := strings.Cut(uncommented(string(p.header["content-transfer-encoding"])), ";")
	switch strings.ToLower(strings.Trim(encoding, ` "`)) {
	case "base64":
		return decodeBase64(p.body, limit)
	case "quoted-printable":
		return decodeQuoted(p.body, limit)
	}
	return p.body[:min(len(p.body), limit)]
}

// decodeBase64 decodes what is base64 in a text, and skips the rest.
func decodeBase64(text []byte, limit int) []byte {
	kept := make([]byte, 0, min(len(text), limit/3*4+4))
	for _, c := range text {
		if len(kept) == cap(kept) {
			break
		}
		switch {
		case 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '+', c == '/':
			kept = append(kept, c)
		}
	}
	if len(kept)%4 == 1 {
		kept = kept[:len(kept)-1]
	}
	decoded := make([]byte, base64.RawStdEncoding.DecodedLen(len(kept)))
	n, _ := base64.RawStdEncoding.Decode(decoded, kept) // no error: it has only letters of base64
	return decoded[:min(n, limit)]
}

// decodeQuoted decodes quoted-printable. Invalid escapes stay as they are, and so do control characters, at which
// mime/quotedprintable would end.
func decodeQuoted(text []byte, limit int) []byte {
	decoded := make([]byte, 0, min(len(text), limit))
	for i := 0; i < len(text) && len(decoded) < limit; i++ {
		if text[i] != '=' {
			decoded = append(decoded, text[i])
			continue
		}
		rest := bytes.TrimLeft(text[i+1:min(len(text), i+80)], " \t") // lines have at most 76 bytes
		var octet [1]byte
		n, _ := hex.Decode(octet[:], text[min(len(text), i+1):min(len(text), i+3)]) // n is 0 if these are no hex digits
		switch {
		case n == 1:
			decoded = append(decoded, octet[0])
			i += 2
		case bytes.HasPrefix(rest, []byte("\n")), bytes.HasPrefix(rest, []byte("\r\n")): // the line continues
			i += bytes.IndexByte(text[i:], '\n')
		default:
			decoded = append(decoded, '=')
		}
	}
	return decoded
}
