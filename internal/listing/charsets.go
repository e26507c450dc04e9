// Charsets: the letters of a mail.

package listing

import (
	"bytes"
	"cmp"
	"io"
	"strings"
	"unicode/utf8"
)

const maxMailBody = 4 << 20 // bytes of a decoded body of a mail

// windows1252 has the letters of windows-1252 from 0x80 to 0x9F; all others are as in Unicode.
var windows1252 = [32]rune{
	'€', '\uFFFD', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\uFFFD', 'Ž', '\uFFFD',
	'\uFFFD', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\uFFFD', 'ž', 'Ÿ',
}

// charsets has the letters of the last bytes of charsets, "?" where there is none. Before these they are as
// windows-1252. A blank is one that breaks no line, and a hyphen one that is not shown.
var charsets = map[string]string{
	"iso88592": " Ą˘Ł¤ĽŚ§¨ŠŞŤŹ-ŽŻ°ą˛ł´ľśˇ¸šşťź˝žżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇ" +
		"ÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙",
	"iso88595": " ЁЂЃЄЅІЇЈЉЊЋЌ-ЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабв" +
		"гдежзийклмнопрстуфхцчшщъыьэюя№ёђѓєѕіїјљњћќ§ўџ",
	"iso88597": " ‘’£€₯¦§¨©ͺ«¬-?―°±²³΄΅Ά·ΈΉΊ»Ό½ΎΏΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠ" +
		"Ρ?ΣΤΥΦΧΨΩΪΫάέήίΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώ?",
	"windows1250": "€?‚?„…†‡?‰Š‹ŚŤŽŹ?‘’“”•–—?™š›śťžź ˇ˘Ł¤Ą¦§¨©Ş«" +
		"¬-®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝ" +
		"Ţßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙",
	"windows1251": "ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—?™љ›њќћџ ЎўЈ¤Ґ¦§Ё©" +
		"Є«¬-®Ї°±Ііґµ¶·ё№є»јЅѕїАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫ" +
		"ЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя",
	"windows1253": " ΅Ά£¤¥¦§¨©?«¬-®―°±²³΄µ¶·ΈΉΊ»Ό½ΎΏΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡ?" +
		"ΣΤΥΦΧΨΩΪΫάέήίΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώ?",
	"koi8u": "???ёє?ії?????ґ?????ЁЄ?ІЇ?????Ґ??юабцдефгхийклмнопярстужвьызшэ" +
		"щчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ",
}

// turkish and latin9 have the letters in which ISO-8859-9 and ISO-8859-15 differ from ISO-8859-1.
var (
	turkish = map[byte]rune{0xD0: 'Ğ', 0xDD: 'İ', 0xDE: 'Ş', 0xF0: 'ğ', 0xFD: 'ı', 0xFE: 'ş'}
	latin9  = map[byte]rune{
		0xA4: '€', 0xA6: 'Š', 0xA8: 'š', 0xB4: 'Ž', 0xB8: 'ž', 0xBC: 'Œ', 0xBD: 'œ', 0xBE: 'Ÿ',
	}
)

var namesOfCharsets = map[string]string{"latin2": "iso88592", "cyrillic": "iso88595", "greek": "iso88597",
	"cp1250": "windows1250", "cp1251": "windows1251", "cp1253": "windows1253", "koi8r": "koi8u"}

// lettersOf returns the letters of the bytes of a charset from 0x80 on.
func lettersOf(charset string) (letters [128]rune) {
	for i := range letters {
		letters[i] = rune(0x80 + i)
	}
	copy(letters[:], windows1252[:])
	name := strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(charset))
	name = strings.TrimPrefix(name, "x")
	others := map[byte]rune{}
	switch name {
	case "iso885915", "latin9":
		others = latin9
	case "iso88599", "latin5", "windows1254", "cp1254":
		others = turkish
	}
	for c, letter := range others {
		letters[c-0x80] = letter
	}
	known := []rune(charsets[cmp.Or(namesOfCharsets[name], name)])
	for i, letter := range known {
		if letter != ' ' && letter != '-' {
			letters[len(letters)-len(known)+i] = letter
		}
	}
	return letters
}

// decodeCharset returns a text in UTF-8. Where the bytes are not what is said they are, it takes them for UTF-8 if
// they are that, else for windows-1252, which includes ISO-8859-1 and US-ASCII, or what charsets has.
func decodeCharset(text []byte, charset string) string {
	if len(text) == maxMailBody {
		text = text[:cutLetter(text)]
	}
	if utf8.Valid(text) {
		return string(text)
	}
	letters := lettersOf(charset)
	var out strings.Builder
	out.Grow(len(text) + len(text)/8)
	for _, c := range text {
		if c < 0x80 {
			out.WriteByte(c)
		} else {
			out.WriteRune(letters[c-0x80])
		}
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
