// Phones: the phone number in the text of a listing.

package listing

import (
	"strings"

	"flats/internal/turns"
)

// phoneDigits matches 7 to 14 digits with separators, as phone numbers have.
const phoneDigits = `(?:\+|00)?\(?\d(?:[ ./()–-]{0,3}\d){6,13}`

// phoneForms are the forms of phone numbers, the surest first: after a name such as "Tel.", with the code of a country,
// as in America, as in France or Britain, and with the code of a town after a zero.
var phoneForms = []pattern{
	newPattern(`(?i)(?:^|\P{L}){{phoneName}}[^\d+(]{0,24}(` + phoneDigits + `)(?:[^\dXx*]|$)`),
	newPattern(`(?:^|[^\d\p{L}])((?:\(?\+\d{2}|00\d{2})[ ()]*\d(?:[ ./()–-]{0,3}\d){6,11})(?:[^\dXx*]|$)`),
	newPattern(`(?:^|[^\d\p{L}.,-])(\(\d{3}\) ?\d{3}-\d{4}|\d{3}-\d{3}-\d{4})(?:[^\dXx*]|$)`),
	newPattern(`(?:^|[^\d\p{L}.,-])(0[1-9](?:(?:[ .-]?\d{2}){4}|[ /.]\d{3}(?:[ .]\d{2}){2}| \d{3,4} \d{4}))` +
		`(?:[^\dXx*]|$)`),
	newPattern(`(?:^|[^\d\p{L}.,-])(0\d{2,4}[ /-]{1,3}\d{2,8}(?:[ -]?\d{2,5}){0,3})(?:[^\dXx*]|$)`),
}

const leastPhone = 8 // digits of a phone number in a listing

var notPhone = phrasesOf("notPhone")

// phoneIn returns the first phone number in lines, as it stands there, or "": after a word such as "Tel.", else one in
// a usual form. It charges the work to a task.
func phoneIn(work *turns.Task, lines []textLine) string {
	for at, form := range phoneForms {
		isNamed := at == 0         // the form has a word such as "Tel."
		otherWords := companyWords // of lines with the numbers of others
		if isNamed {
			otherWords = imprintWords // such a number may stand next to the name of an agency
		}
		for i, line := range lines {
			const least = 6 // digits of a line that has a phone number or a part of one
			if line.digits < least || otherWords.in(line.lower) {
				continue
			}
			above := ""
			if i > 0 {
				above = lines[i-1].text
			}
			for _, part := range phoneParts(line.text) {
				work.Step(stepsOfLetter * len(part))
				if phone := phoneOfForm(form, part, above); phone != "" {
					return phone
				}
			}
		}
	}
	return ""
}

const longestPhoneLine = 400 // bytes of a line that is searched for phone numbers as a whole

// phoneParts returns the parts of a line in which a phone number may be: places with at least leastPhone digits, with
// some text around them. The forms are slow on long texts.
func phoneParts(text string) (parts []string) {
	if len(text) <= longestPhoneLine {
		return []string{text}
	}
	const place, before, after = 60, 70, 90 // bytes: of a place from its first digit on, and of a part around that digit
	for i := 0; i < len(text); i++ {
		if !isDigit(text[i]) {
			continue
		}
		end := min(len(text), i+place)
		if countAllDigits(text[i:end]) < leastPhone {
			i += countDigits(text[i:])
			continue
		}
		part := text[max(0, i-before):min(len(text), i+after)]
		parts = append(parts, strings.ToValidUTF8(part, "")) // a part may begin or end within a character
		i = end
	}
	return parts
}

// phoneOfForm returns the phone number of a form in a line, or "". The line above may have its name.
func phoneOfForm(form pattern, text, above string) string {
	found := form().FindStringSubmatchIndex(text)
	if found == nil && above != "" && len(text)+len(above) < 2*longestPhoneLine {
		text = above + ": " + text
		found = form().FindStringSubmatchIndex(text)
	}
	if found == nil || countAllDigits(text[found[2]:found[3]]) < leastPhone {
		return ""
	}
	const lettersBefore = 40 // letters before a number that may say that it is no phone number
	before := trailing(text[:found[2]], lettersBefore)
	before = before[strings.LastIndexAny(before, ",;")+1:]
	if notPhone.in(strings.ToLower(before)) {
		return ""
	}
	return strings.TrimSpace(phoneNumber(text[found[2]:]))
}

const phoneDash = `[\x{2010}-\x{2015}\x{2212}-]`

var (
	digitsInARow   = newPattern(`[+(]*\d(?:(?:[ ,./()+]|` + phoneDash + `){0,5}\d)*`)
	phoneSeparator = newPattern(`(?:[ ,./()+]|` + phoneDash + `)+`)
	wideSeparator  = newPattern(`/| ` + phoneDash + ` |  `) // it may separate two numbers
	endSeparator   = newPattern(`[(+]|/ ?` + phoneDash)     // it ends a number that is long enough
	extension      = newPattern(`(?i)^[ ,(.–-]{0,4}(?:{{extensionName}}|x|#)[ .:–-]{0,3}\d{1,6}`)
	phoneLetters   = newPattern(`^(?:[-.]?\p{L}{2}| ?[-./]? ?\p{Lu}{3})[\p{L}\d-]*`)
	trunkZero      = newPattern(`^\D*00|\(0\)`)
)

// phoneNumber returns the first phone number of a text as it stands there, with its extension and the letters that are
// a part of it, or "". Fewer than five digits count only if the text has no others.
func phoneNumber(text string) string {
	const mostRead = 500 // letters at the start of a text in which a number is looked for
	text = leading(text, mostRead)
	runs := digitsInARow().FindAllStringIndex(text, -1)
	if runs == nil {
		return ""
	}
	run := runs[0]
	for _, other := range runs {
		if countAllDigits(text[other[0]:other[1]]) >= 5 {
			run = other
			break
		}
	}
	number := text[run[0]:run[1]]
	number = number[:endOfPhone(number)]
	rest := text[run[0]+len(number):]
	more := extension().FindString(rest)
	goesOn := countDigits(rest[len(more):]) > 0 // in digits, so that it is no extension
	if more != "" && !goesOn {
		return number + more
	}
	if countAllDigits(number) < 8 { // letters may take the place of the last digits: "1-800-FLATS"
		number += phoneLetters().FindString(rest)
	}
	return number
}

// endOfPhone returns the length of the first of several numbers in a row. Most separators of numbers may also stand
// within a number, so it depends on the digits before and after. The lib/phone.js of the page does the same.
func endOfPhone(run string) int {
	for _, at := range phoneSeparator().FindAllStringIndex(run, -1) {
		separator, rest := run[at[0]:at[1]], run[at[1]:]
		// The digits before the separator, without the 00 before a country code and without (0).
		before := countAllDigits(trunkZero().ReplaceAllLiteralString(run[:at[0]], ""))
		least := 8 // "33 55 50 12 / 20 55 50 12" are two numbers of eight digits
		if strings.HasPrefix(rest, "0") {
			least = 7 // the 0 shows that a number begins
		}
		isBetweenTwo := wideSeparator().MatchString(separator) && countAllDigits(rest) >= 7 && before >= least
		isAtComma := before >= 6 && strings.Contains(separator, ",")
		isAtEnd := before >= 7 && endSeparator().MatchString(separator)
		if isBetweenTwo || isAtComma || isAtEnd {
			return at[0]
		}
	}
	return len(run)
}
