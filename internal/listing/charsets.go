// Charsets: the letters of a mail.

package listing

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

const maxMailBody = 4 << 20 // bytes of a decoded body of a mail

// otherCharsets maps other names of charsets to those that decodeCharset knows. Both have the form of charsetName.
var otherCharsets = map[string]string{
	"": "windows1252", "usascii": "windows1252", "ascii": "windows1252", "ansix3.41968": "windows1252",
	"iso88591": "windows1252", "latin1": "windows1252", "l1": "windows1252", "isoir100": "windows1252",
	"cp819": "windows1252", "ibm819": "windows1252", "isolatin1": "windows1252",
	"latin2": "iso88592", "latin3": "iso88593", "latin4": "iso88594", "latin5": "iso88599", "latin6": "iso885910",
	"isolatin2": "iso88592", "isolatin3": "iso88593", "isolatin4": "iso88594", "isolatin5": "iso88599",
	"isolatin6": "iso885910",
	"latin7":    "iso885913", "latin8": "iso885914", "latin9": "iso885915", "latin10": "iso885916",
	"cyrillic": "iso88595", "arabic": "iso88596", "greek": "iso88597", "hebrew": "iso88598", "thai": "iso885911",
	"iso88598i": "iso88598", "iso88598e": "iso88598", "tis620": "iso885911", "windows874": "iso885911",
	"koi8": "koi8r", "koi8ru": "koi8u", "utf16": "utf16be", "ucs2": "utf16be",

	// These names say nothing.
	"unknown": "windows1252", "unknown8bit": "windows1252", "userdefined": "windows1252", "8bit": "windows1252",
	"binary": "windows1252", "default": "windows1252", "ansi": "windows1252", "none": "windows1252",
}

var betweenLetters = strings.NewReplacer("-", "", "_", "", " ", "", `"`, "", "'", "")

// charsetName returns the name of a charset as in charsets, such as "iso88592" for "ISO_8859-2:1987" and "windows1250"
// for "x-cp1250". It returns "windows1252" for "" and for names that say nothing, such as "8bit".
func charsetName(charset string) string {
	name, _, _ := strings.Cut(strings.ToLower(charset), ":")
	name = strings.TrimPrefix(strings.TrimPrefix(betweenLetters.Replace(name), "x"), "cs")
	if strings.HasPrefix(name, "8859") {
		name = "iso" + name
	}
	for _, prefix := range []string{"cp", "win", "ansi"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && (strings.HasPrefix(rest, "125") || rest == "874") {
			name = "windows" + rest
		}
	}
	if other, ok := otherCharsets[name]; ok {
		return other
	}
	return name
}

// lettersOf returns the letters of the bytes of a charset from 0x80 on. A byte that has no letter in the charset means
// what it does in windows-1252.
func lettersOf(name string) (letters [128]rune, isKnown bool) {
	if _, isKnown = charsets[name]; !isKnown {
		return letters, false
	}
	for _, table := range []string{charsets["windows1252"], charsets[name]} {
		ofTable := []rune(table)                    // of 0x80 to 0xFF, or only of 0xA0 to 0xFF
		last := letters[len(letters)-len(ofTable):] // the letters of the same bytes
		for i, letter := range ofTable {
			switch {
			case letter != '?': // a question mark stands for a byte without a letter
				last[i] = letter
			case last[i] == 0:
				last[i] = utf8.RuneError
			}
		}
	}
	return letters, true
}

// decodeCharset returns a text in UTF-8. A text with the byte order mark or the name of UTF-16 is read as that. Any
// other text that is valid UTF-8, and not shifted (isShifted), is read as UTF-8, whatever its charset. A text that is
// called UTF-8 but is not valid is read as windows-1252. unknown is the name of the charset of a text that cannot be
// read, and "" otherwise.
func decodeCharset(text []byte, charset string) (decoded, unknown string) {
	const longestCharset = 40 // letters of the name of a charset that a warning quotes
	name := charsetName(charset)
	switch {
	case bytes.HasPrefix(text, []byte("\xff\xfe")):
		return decodeUTF16(text[2:], binary.LittleEndian), ""
	case bytes.HasPrefix(text, []byte("\xfe\xff")):
		return decodeUTF16(text[2:], binary.BigEndian), ""
	case name == "utf16le":
		return decodeUTF16(text, binary.LittleEndian), ""
	case name == "utf16be":
		return decodeUTF16(text, binary.BigEndian), ""
	}
	if len(text) == maxMailBody { // its end may be missing
		text = text[:cutLetter(text)]
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	if name == "utf8" {
		name = "windows1252" // what the text is if it is not valid UTF-8
	}
	letters, isKnown := lettersOf(name)
	hasShifts := isShifted(text, name)
	switch {
	case hasShifts && isKnown:
		return "", "ISO-2022"
	case !hasShifts && utf8.Valid(text):
		return string(text), ""
	case !isKnown:
		return "", leading(strings.TrimSpace(charset), longestCharset)
	}
	var out strings.Builder
	out.Grow(len(text) + len(text)/8)
	for _, c := range text {
		if c < 0x80 {
			out.WriteByte(c)
		} else {
			out.WriteRune(letters[c-0x80])
		}
	}
	return out.String(), ""
}

// isShifted reports whether bytes of ASCII stand for other letters in a text: after an escape sequence of ISO-2022 in
// any charset, or after the marks of UTF-7 and HZ.
func isShifted(text []byte, name string) bool {
	return bytes.Contains(text, []byte("\x1b$")) ||
		name == "utf7" && bytes.ContainsRune(text, '+') || name == "hzgb2312" && bytes.Contains(text, []byte("~{"))
}

// decodeUTF16 decodes UTF-16. A half of a surrogate pair becomes U+FFFD.
func decodeUTF16(text []byte, order binary.ByteOrder) string {
	units := make([]uint16, len(text)/2)
	for i := range units {
		units[i] = order.Uint16(text[2*i:])
	}
	return string(utf16.Decode(units))
}

// cutLetter returns the length of a text without a letter of UTF-8 that is cut at its end.
func cutLetter(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if c := text[len(text)-n]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(text[len(text)-n:]) {
				return len(text) - n
			}
			break
		}
	}
	return len(text)
}

var (
	metaCharset = newPattern(`(?i)<meta[^>]*?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]+)["'\s;/>]`)
	comment     = newPattern(`(?s)<!--.*?(?:-->|$)`)
)

// charsetOfHTML returns the charset that a <meta> element at the start of a page names, or "".
func charsetOfHTML(html []byte) string {
	const longestStart = 1024 // bytes of a page, in which HTML requires the element that names the charset
	start := comment().ReplaceAllLiteral(html[:min(len(html), longestStart)], nil)
	found := metaCharset().FindSubmatch(start)
	if found == nil {
		return ""
	}
	charset := string(found[1])
	if strings.HasPrefix(charsetName(charset), "utf16") {
		return "utf-8" // otherwise its name could not have been read
	}
	return charset
}

// charsetReader decodes the words of a header. What cannot be read is missing.
func charsetReader(charset string, input io.Reader) (io.Reader, error) {
	text, err := io.ReadAll(input)
	decoded, _ := decodeCharset(text, charset)
	return strings.NewReader(decoded), err
}
