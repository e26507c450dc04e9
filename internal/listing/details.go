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
	monthPattern = `(?:{{monthStart}}\p{L}{0,7}|{{month}})`
	// Only English puts the month first, and other words begin as months do: "Marseille 13".
	englishMonth = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|` +
		`oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`
	// A date in digits with the year last or first, a month with a year, perhaps after a day, a day and a month, or the
	// month before the day.
	datePattern = `\d{1,2}[./-] ?\d{1,2}[./-] ?\d{2,4}|\d{4}-\d\d-\d\d|` +
		`(?:\d{1,2}(?:\.|er|st|nd|rd|th)? (?:de )?)?\p{L}{3,10},? (?:de )?20\d\d|` +
		`\d{1,2}(?:\.|er|st|nd|rd|th|º)? (?:de )?` + monthPattern + `|` +
		englishMonth + `\.? \d{1,2}(?:st|nd|rd|th)?(?:,? 20\d\d)?\b`
	nowPattern = `(?:ab |per |de )?{{availableNow}}`
)

// A detailForm is what a fact is called, and what it looks like.
type detailForm struct {
	name       string
	afterName  pattern  // matches a piece that begins with a name of the fact; group 1 is the rest
	form       pattern  // matches a value at the start of a text
	isMoney    bool     // an amount with its currency is also a value
	inSentence pattern  // matches a name in a sentence; group 1 begins with the value. nil if sentences do not count
	words      *phrases // the names; only sentences with one of them are matched with inSentence
	isWhole    bool     // no letter may follow the value
}

// detailOptions say where a fact is read, and how its value ends.
type detailOptions struct{ inSentence, isWhole bool }

// newDetail returns the form of a fact. names is the name of the list of words that it is called by, and form is the
// text of a pattern for its value.
func newDetail(name, names, form string, options detailOptions) detailForm {
	d := detailForm{
		name:      name,
		afterName: newPattern(`(?i)^{{` + names + `}}((?:[^\p{L}-].*)?)$`),
		form:      newPattern(`(?i)^(?:` + form + `)`),
		isWhole:   options.isWhole,
		isMoney:   name == "deposit",
	}
	if options.inSentence {
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
		detailOptions{}),
	newDetail("deposit", "depositName", `(?:\d{1,2}|{{depositCount}}) {{depositMonth}}\p{L}*|`+
		`\d{1,2} \p{L}{3,}|\d{1,3}(?:[.,' ]\d{3})+|\d{3,9}`,
		detailOptions{inSentence: true, isWhole: true}),
	newDetail("available_from", "availableName", datePattern+`|`+nowPattern,
		detailOptions{inSentence: true, isWhole: true}),
	newDetail("energy", "energyName", `(?:{{energyClass}} )?[A-H]{1,2}\+{0,3}\d?`,
		detailOptions{isWhole: true}),
}

var (
	// afterDetail matches what follows the name of a fact; group 1 is the value.
	afterDetail = newPattern(`^ ?(?:ca\.|\([^)]*\))? ?:? ?(.*)$`)
	detailParts = newPattern(`\t|\s[|·•]\s|; `)
	// countedFloor matches the number of a floor with a word for floors: "3. Stock", "2nd floor".
	countedFloor = newPattern(`(?i)(?:^|[^\p{L}\d.,])((?:{{storeyBefore}} \d{1,2}[ºª]?|` +
		`(?:\d{1,2}(?:\.|er|e|ème|st|nd|rd|th|de|º|ª|°)?|{{floorOrdinal}}) ?{{storey}}))(?:[^\p{L}\d]|$)`)
)

// detailsIn returns the facts in the lines of a listing by name, as texts of at most longestDetail letters.
func detailsIn(lines []string) map[string]string {
	pieces := piecesOf(lines)
	details := map[string]string{}
	for _, form := range detailForms {
		value := form.valueIn(pieces)
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

// valueIn returns the first value of a fact, or "": in a piece that begins with its name, in the piece after the name,
// or else in a sentence.
func (d *detailForm) valueIn(pieces []string) string {
	if value := d.valueAfterName(pieces); value != "" || d.inSentence == nil {
		return value
	}
	return d.valueInSentence(pieces)
}

func (d *detailForm) valueAfterName(pieces []string) string {
	for i, piece := range pieces {
		const longest = 100 // letters; a longer piece is a sentence
		if len(piece) > 2*longest || runeCount(piece) >= longest {
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
		if value := d.valueAtStart(rest); d.fits(value, rest[len(value):]) {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func (d *detailForm) valueInSentence(pieces []string) string {
	const mostRead = 500 // letters of a sentence in which a fact is looked for
	for _, piece := range pieces {
		piece = leading(piece, mostRead)
		if !d.words.in(strings.ToLower(piece)) {
			continue
		}
		for _, name := range d.inSentence().FindAllStringSubmatchIndex(piece, mostNames) {
			rest := piece[name[2]:]
			if value := d.valueAtStart(rest); value != "" {
				if d.fits(value, rest[len(value):]) {
					return value
				}
				break
			}
		}
	}
	return ""
}

const mostNames = 8 // names of a fact in a sentence after which its value is looked for

// valueAtStart returns the value with which a text begins, or "".
func (d *detailForm) valueAtStart(text string) string {
	if !d.isMoney {
		return d.form().FindString(text)
	}
	amounts := amountsIn(nil, leading(text, longestDetail))
	if len(amounts) == 0 || amounts[0].sign == "" || amounts[0].start > 0 {
		return d.form().FindString(text)
	}
	value := text[:amounts[0].tail]
	if amounts[0].digits > 0 { // the currency stands before the digits
		value = strings.TrimRight(value, ".,-–—") // "CHF 6'000.–"
	}
	return value
}

// fits reports whether a value may end before the rest of its text.
func (d *detailForm) fits(value, rest string) bool {
	return value != "" && runeCount(value) <= longestDetail && !(d.isWhole && endsInLetter(value) && beginsInLetter(rest))
}

// floorIn returns the first floor such as "2nd floor" or "3. Stock" in a short piece, or "".
func floorIn(pieces []string) string {
	for _, piece := range pieces {
		const least = 80 // letters of a sentence
		if runeCount(piece) < least {
			if found := countedFloor().FindStringSubmatch(piece); found != nil {
				return found[1]
			}
		}
	}
	return ""
}
