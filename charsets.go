// Charsets: the letters of a mail.

package main

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"
)

const maxMailBody = 4 << 20 // bytes of a decoded body

// windows1252 has the letters of windows-1252 from 0x80 to 0x9F; the others are those of Unicode.
var windows1252 = [32]rune{
	'€', '\uFFFD', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\uFFFD', 'Ž', '\uFFFD',
	'\uFFFD', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\uFFFD', 'ž', 'Ÿ',
}

// latin9 has the letters of ISO-8859-15 that are not those of Unicode.
var latin9 = map[byte]rune{
	0xA4: '€', 0xA6: 'Š', 0xA8: 'š', 0xB4: 'Ž', 0xB8: 'ž', 0xBC: 'Œ', 0xBD: 'œ', 0xBE: 'Ÿ',
}

// decodeCharset returns a text in UTF-8. Where the bytes are not what is said they are, it takes them for UTF-8 if
// they are that, else for windows-1252, which includes ISO-8859-1 and US-ASCII.
func decodeCharset(text []byte, charset string) string {
	if len(text) == maxMailBody {
		text = text[:cutLetter(text)]
	}
	if utf8.Valid(text) {
		return string(text)
	}
	isLatin9 := false
	switch strings.ToLower(strings.TrimSpace(charset)) {
	case "iso-8859-15", "iso8859-15", "latin9", "latin-9":
		isLatin9 = true
	}
	var out strings.Builder
	out.Grow(len(text) + len(text)/8)
	for _, c := range text {
		letter := rune(c)
		if c >= 0x80 && c < 0xA0 {
			letter = windows1252[c-0x80]
		}
		if other, ok := latin9[c]; ok && isLatin9 {
			letter = other
		}
		out.WriteRune(letter)
	}
	return out.String()
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

// charsetReader decodes the words of a header.
func charsetReader(charset string, input io.Reader) (io.Reader, error) {
	text, err := io.ReadAll(input)
	return bytes.NewReader([]byte(decodeCharset(text, charset))), err
}
