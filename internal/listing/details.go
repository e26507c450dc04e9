// Details: short facts in the text of a listing: the floor, the deposit, from when it is free, its energy
// class, and the
// number of its bedrooms.

package listing

import (
	"strconv"
	"strings"
)

const (
	longestDetail = 40    // letters of a short fact in a text
	longestPiece  = 80    // letters of a part of a line that is searched for short facts
	mostPieces    = 2_000 // parts of the lines of a text that are searched for short facts
)

const (
	monthPattern = `(?:jan|ene|gen|f[eéè]v|feb|mar|mär|a[pvb]r|ma[giyj]|ju[inl]|giu|lug|aug|aoû|ago|se[pt]|` +
		`o[kct]t|out|` +
		`nov|d[eéi][zc])\p{L}{0,7}`
	datePattern = `\d{1,2}[./-] ?\d{1,2}[./-] ?\d{2,4}|\d{4}-\d\d-\d\d|` +
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
	newDetail("floor", "floorName", `\d{1,2}.{0,30}|{{floorValue}}|\b(?:EG|DG|UG)\b|rez.{0,20}`, false, false),
	newDetail("deposit", "depositName", `(?:\d{1,2}|une?|dos|tres|deux|trois|one|two|three) (?:mes|mois|month)\p{L}*|`+
		`\d{1,2} \p{L}{3,}|\d{1,3}(?:[.,' ]\d{3})+|\d{3,9}`, true, true),
	newDetail("available_from", "availableName", datePattern+`|`+nowPattern, true, true),
	newDetail("energy", "energyName", `(?:(?:klasse|classe|třída|class) )?[A-H]{1,2}\+{0,3}\d?`, false, true),
}

const bedroomNames = `schlafzimmer|(?:nombre de )?chambres?|bedrooms?|beds?|(?:aantal )?slaapkamers?|soverom|sovrum|` +
	`dormitorios?|habitaci(?:ones|ons)|habs?\b\.?|camere da letto|quartos|sypialnie?|υπνοδωμάτια|υ/δ`

// shortBedrooms matches a number of bedrooms as American and Indian sites shorten it. "bd" is a boulevard, too, so it
// counts only before a number of bathrooms or at the end.
const shortBedrooms = `(\d{1,2})[ -]?(?:brs?|bdrms?|bdr|bhk)(?:[^\p{L}\d]|$)|` +
	`([1-9]) ?bds?(?:$| ?[/,|·•+&] ?\d| \d\S* ?ba)`

var (
	afterDetail = newPattern(`^ ?(?:ca\.|\([^)]*\))? ?:? ?(.*)$`)
	detailParts = newPattern(`\t|\s[|·•]\s|; `)
	sentenceDot = newPattern(`[^\d\s]{2}(\. )`)
	floorAfter  = newPattern(`(?i)(?:^|[^\p{L}\d.,])((?:planta \d{1,2}[ºª]?|` +
		`(?:\d{1,2}(?:\.|er|e|ème|st|nd|rd|th|º|ª)?|ground|first|second|third|fourth|fifth|top|primera|segunda|tercera|` +
		`cuarta|quinta) ?(?:stock|og\b|obergeschoss|étage|floor|sal\b|etasje|andar|emelet|planta)))(?:[^\p{L}\d]|$)`)
	bedroomsAfter = newPattern(`(?i)(?:^|[^\p{L}\d.,])(?:(\d{1,2})[ -]?(?:` + bedroomNames + `)(?:\P{L}|$)|` +
		shortBedrooms + `)`)
	bedroomsFirst  = newPattern(`(?i)^(?:` + shortBedrooms + `)`)
	britishCode    = newPattern(`(?i)\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b`)
	portugueseType = newPattern(`(?:^|[^\p{L}\d])T([1-9])(?:[^\p{L}\d]|$)`)
	bedroomsNamed  = newPattern(`(?i)^(?:` + bedroomNames + `) ?:? ?(\d{1,2})$`)
)

// detailsIn returns the facts in the lines of a listing by name, as texts of at most 40 letters, and the number of
// bedrooms, which a Portuguese T2 has two of.
func detailsIn(lines []string, country string) (details map[string]string, bedrooms float64) {
	pieces := piecesOf(lines)
	details = map[string]string{}
	for _, form := range detailForms {
		value := form.in(pieces)
		if value == "" && form.name == "floor" {
			value = floorIn(pieces)
		}
		if value != "" {
			details[form.name] = value
		}
	}
	return details, bedroomsIn(pieces, country)
}

// piecesOf cuts lines into pieces: at tabs and strokes, and after sentences.
func piecesOf(lines []string) []string {
	var pieces []string
	for _, line := range lines {
		for _, part := range detailParts().Split(line, -1) {
			start := 0
			for _, at := range append(sentenceDot().FindAllStringSubmatchIndex(part, -1), []int{0, 0, len(part), len(part)}) {
				if piece := strings.TrimSpace(part[start:at[2]]); piece != "" {
					pieces = append(pieces, piece)
				}
				start = at[3]
			}
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
		if len(piece) > 200 || letters(piece) >= 100 {
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

// fits reports whether a value is one, by what stands behind it.
func (d *detailForm) fits(value, rest string) bool {
	return value != "" && letters(value) <= longestDetail && !(d.isWhole && endsInLetter(value) && beginsInLetter(rest))
}

func floorIn(pieces []string) string {
	for _, piece := range pieces {
		if letters(piece) < 80 {
			if found := floorAfter().FindStringSubmatch(piece); found != nil {
				return found[1]
			}
		}
	}
	return ""
}

// bedroomsIn returns the number of bedrooms: one with its label, else one in a short piece, or 0.
func bedroomsIn(pieces []string, country string) float64 {
	for i, piece := range pieces {
		found := bedroomsNamed().FindStringSubmatch(piece)
		if found == nil && i+1 < len(pieces) && len(piece) < 40 && len(pieces[i+1]) < 4 {
			found = bedroomsNamed().FindStringSubmatch(piece + " " + pieces[i+1])
		}
		if found != nil {
			bedrooms, _ := strconv.ParseFloat(found[1], 64)
			return bedrooms
		}
	}
	form := bedroomsAfter
	if country == "pt" {
		form = portugueseType
	}
	for _, piece := range pieces {
		if !hasDigit(piece) {
			continue
		}
		piece = britishCode().ReplaceAllLiteralString(piece, "") // "N7 3BR" has no bedrooms
		parts := []string{piece}
		if letters(piece) >= longestPiece {
			parts = strings.Split(piece, ", ")
		}
		for _, part := range parts {
			found := form().FindStringSubmatch(part)
			// Of a long row of facts, each stands alone; a sentence counts bedrooms of other homes, too.
			if found == nil || len(parts) > 1 && strings.TrimSpace(found[0]) != part || letters(part) >= longestPiece {
				continue
			}
			bedrooms, _ := strconv.ParseFloat(strings.Join(found[1:], ""), 64)
			return bedrooms
		}
	}
	return 0
}
