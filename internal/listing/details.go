// Details: short facts in the text of a listing: the floor, the deposit, from when it is free, and its energy class.

package listing

import (
	"strings"
)

const (
	longestDetail = 40    // letters of a short fact in a text
	mostPieces    = 2_000 // parts of the lines of a text that are searched for short facts
)

const (
	monthPattern = `{{monthStart}}\p{L}{0,7}`
	datePattern  = `\d{1,2}[./-] ?\d{1,2}[./-] ?\d{2,4}|\d{4}-\d\d-\d\d|` +
		`(?:\d{1,2}(?:\.|er|st|nd|rd|th)? (?:de )?)?\p{L}{3,10},? (?:de )?20\d\d|` +
		`\d{1,2}(?:\.|er|st|nd|rd|th|º)? (?:de )?` + monthPattern
	nowPattern = `(?:ab |per |de )?{{availableNow}}`
)

// A detailForm is what a fact is called, and what it looks like.
type detailForm struct {
	name       string
	afterName  pattern // group 1 is what follows the name at the start of a piece
	form       pattern
	isMoney    bool     // an amount with its currency is also a value
	inSentence pattern  // group 1 begins with the value, or nil if it does not count in sentences
	words      *phrases // what a sentence with it has
	isWhole    bool     // the value ends with a word
}

// newDetail returns the form of a fact whose names are a list of words.
func newDetail(name, names, form string, inSentence, isWhole bool) detailForm {
	d := detailForm{
		name:      name,
		afterName: newPattern(`(?i)^{{` + names + `}}((?:[^\p{L}-].*)?)$`),
		form:      newPattern(`(?i)^(?:` + form + `)`),
		isWhole:   isWhole,
		isMoney:   name == "deposit",
	}
	if inSentence {
		value := form
		if d.isMoney {
			value = `\S`
		}
		d.words = phrasesOf(names)
		d.inSentence = newPattern(`(?i)(?:^|[^\p{L}-]){{` + names + `}}:? (` + value + `)`)
	}
	return d
}

var detailForms = []detailForm{
	newDetail("floor", "floorName", `\d{1,2}.{0,30}|{{floorValue}}|\b{{floorShort}}\b|{{floorStart}}.{0,20}`,
		false, false),
	newDetail("deposit", "depositName", `(?:\d{1,2}|{{depositCount}}) {{depositMonth}}\p{L}*|`+
		`\d{1,2} \p{L}{3,}|\d{1,3}(?:[.,' ]\d{3})+|\d{3,9}`, true, true),
	newDetail("available_from", "availableName", datePattern+`|`+nowPattern, true, true),
	newDetail("energy", "energyName", `(?:{{energyClass}} )?[A-H]{1,2}\+{0,3}\d?`, false, true),
}

var (
	afterDetail = newPattern(`^ ?(?:ca\.|\([^)]*\))? ?:? ?(.*)$`)
	detailParts = newPattern(`\t|\s[|·•]\s|; `)
	floorAfter  = newPattern(`(?i)(?:^|[^\p{L}\d.,])((?:{{storeyBefore}} \d{1,2}[ºª]?|` +
		`(?:\d{1,2}(?:\.|er|e|ème|st|nd|rd|th|º|ª)?|{{floorOrdinal}}) ?{{storey}}))(?:[^\p{L}\d]|$)`)
)

// detailsIn returns the facts in the lines of a listing by name, as texts of at most 40 letters.
func detailsIn(lines []string) map[string]string {
	pieces := piecesOf(lines)
	details := map[string]string{}
	for _, form := range detailForms {
		value := form.in(pieces)
		if value == "" && form.name == "floor" {
			value = floorIn(pieces)
		}
		if value != "" {
			details[form.name] = value
		}
	}
	return details
}

// piecesOf cuts lines into pieces: at tabs and strokes, and after sentences.
func piecesOf(lines []string) []string {
	var pieces []string
	for _, line := range lines {
		for _, part := range detailParts().Split(line, -1) {
			pieces = append(pieces, sentencesOf(part)...)
		}
		if len(pieces) >= mostPieces {
			return pieces[:mostPieces]
		}
	}
	return pieces
}

// in returns the first value of a fact: after its name, in the piece after its name, or else in a sentence.
func (d *detailForm) in(pieces []string) string {
	for i, piece := range pieces {
		if len(piece) > 200 || runeCount(piece) >= 100 {
			continue
		}
		found := d.afterName().FindStringSubmatch(piece)
		if found == nil {
			continue
		}
		rest := afterDetail().FindStringSubmatch(found[1])[1]
		if rest == "" && i+1 < len(pieces) {
			rest = pieces[i+1]
		}
		if value := d.at(rest); d.fits(value, rest[len(value):]) {
			return strings.TrimSpace(value)
		}
	}
	if d.inSentence == nil {
		return ""
	}
	for _, piece := range pieces {
		piece = leading(piece, 500)
		if !d.words.in(strings.ToLower(piece)) {
			continue
		}
		for _, name := range d.inSentence().FindAllStringSubmatchIndex(piece, mostNames) {
			rest := piece[name[2]:]
			if value := d.at(rest); value != "" {
				if d.fits(value, rest[len(value):]) {
					return value
				}
				break
			}
		}
	}
	return ""
}

const mostNames = 8 // of a fact in a sentence

// at returns the value with which a text begins, or "".
func (d *detailForm) at(text string) string {
	if d.isMoney {
		found := amountsIn(nil, leading(text, longestDetail))
		switch {
		case len(found) == 0 || found[0].sign == "" || found[0].start > 0:
		case found[0].digits > 0:
			return strings.TrimRight(text[:found[0].tail], ".,-–—") // "CHF 6'000.–"
		default:
			return text[:found[0].tail]
		}
	}
	return d.form().FindString(text)
}

// fits reports whether a value may end before the rest of its text.
func (d *detailForm) fits(value, rest string) bool {
	return value != "" && runeCount(value) <= longestDetail && !(d.isWhole && endsInLetter(value) && beginsInLetter(rest))
}

func floorIn(pieces []string) string {
	for _, piece := range pieces {
		if runeCount(piece) < 80 {
			if found := floorAfter().FindStringSubmatch(piece); found != nil {
				return found[1]
			}
		}
	}
	return ""
}
