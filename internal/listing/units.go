// Units: what a number counts, and the time that a cost is for, by the words beside it.

package listing

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An amountUnit is what a number counts, as far as the text beside it tells.
type amountUnit int

const (
	noUnit amountUnit = iota
	squareMetres
	squareFeet
	roomCount
	bedroomCount
	perArea // a cost of each square metre
	dateUnit
	otherUnit // clock times, percentages, ordinals, floors, homes, minutes, kilometres, parts of codes
)

// A period is the time that a cost is for.
type period int

const (
	noPeriod period = iota
	perMonth
	perWeek
	perYear
	perDay
)

// monthly returns a cost of a period as one of a month, rounded. A cost without a period, and one of a day, stay as
// they are.
func (p period) monthly(cost float64) float64 {
	switch p {
	case perWeek:
		return math.Round(cost * 52 / 12)
	case perYear:
		return math.Round(cost / 12)
	}
	return cost
}

// A plainNumber is a number in a text.
type plainNumber struct {
	value   float64 // times its scale: 450K is 450,000
	written string  // the digits as they stand, with their separators
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// countDigits returns the number of digits with which a text begins.
func countDigits(text string) int {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return n
}

// The words after a number, in lower case. Longer words come before their own prefixes.
var (
	metresWords = []string{"m²", "m2", "m^2", "qm", "quadratmeter", "kvadratmeter", "sqm", "sq m", "sq.m", "sq. m",
		"square met", "kvm", "mq", "mp", "τ.μ", "τμ", "mètres carrés", "mètre carré", "m. carrés",
		"metros cuadrados",
		"metri quadr", "metros quadrados", "vierkante meter", "m kw", "m kwadrat",
		"м²", "м2", "кв.м", "кв. м", "кв м"}
	feetWords = []string{"sq ft", "sq. ft", "sqft", "sq.ft", "ft²", "ft2", "sf|", "square f"}
	roomWords = []string{"zi|", "zi.", "zimmer", "zkb", "räume", "raum", "pièce", "pieces|", "p.", "p|", "rooms|",
		"room|", "locali", "vani", "kamers|", "kamer|", "rum|", "rom|", "roms|", "pokoje", "pokój", "pokoi", "pokojow",
		"pok.", "pok|", "szob", "huonetta", "soba|", "sobe|", "sobn", "izb", "δωμάτ", "h+", "h +", "vær", "ldk",
		"tuba|", "toa|", "kamb.", "kambar", "istab", "кімн", "комн", "стаи|", "стаен"}
	bedroomWords = []string{"bed", "br|", "bd|", "bds|", "bhk", "schlafzimmer", "chambre", "hab|", "hab.", "habs",
		"habitaci", "recámara", "alcoba", "dormitorio", "slaapkamer", "soverom", "sovrum", "quarto", "camere", "camera",
		"cameră", "sypialni", "ložnic", "υπνοδωμ", "υ/δ", "спальн"}
	floorWords = []string{"og|", "eg|", "ug|", "dg|", "stock", "geschoss", "obergeschoss", "etage", "étage", "floor",
		"sal|", "planta", "piso", "andar", "piano", "piętro", "podlaží", "patro", "emelet", "våning", "etasje",
		"verdieping", "kerros", "etaj", "storey", "storeys", "kat|"}
	homeWords = []string{"units", "unit|", "homes", "flats", "apartments", "properties", "einheiten", "we|", "wohnungen",
		"logements", "appartements", "lots", "lägenheter", "lejligheder", "boliger", "woningen", "mieszka", "bytů",
		"viviendas", "pisos", "unità", "immobili", "imóveis", "bostäder", "leiligheter", "objekte", "biens", "persons",
		"personen", "people"}
	countWords = []string{"%", "‰", "percent", "per cent", "prozent", "pour cent", "procent", "km", "min|", "min.",
		"minut", "kwh", "jahre", "years", "ans|", "år|", "monate|", "months|", "mois|", "uhr", "cm|", "m|", "º", "ª", "°",
		"kw|", "hours", "bath", "ba|", "stunden", "days", "tage|", "jours", "photos", "fotos", "bilder"}
)

// beginsWith reports whether a text begins with one of some words, and returns the length of that. A word that ends
// with "|" must not go on with a letter.
func beginsWith(text string, words []string) int {
	for _, word := range words {
		name, isWhole := strings.CutSuffix(word, "|")
		if len(text) < len(name) || !strings.EqualFold(text[:len(name)], name) {
			continue
		}
		next, _ := utf8.DecodeRuneInString(text[len(name):])
		if !isWhole || len(text) == len(name) || !unicode.IsLetter(next) && next != '²' {
			return len(name)
		}
	}
	return 0
}

// unitAt returns the unit at the start of text, the part after a number, and its length.
func (n plainNumber) unitAt(text string, isMoney bool) (amountUnit, int) {
	rest := strings.TrimLeft(text, " -")
	skipped := len(text) - len(rest)
	if skipped > 1 {
		rest, skipped = text, 0
	}
	for _, known := range []struct {
		unit  amountUnit
		words []string
	}{{squareMetres, metresWords}, {squareFeet, feetWords}} {
		if length := beginsWith(rest, known.words); length > 0 {
			return known.unit, skipped + length
		}
	}
	if isMoney {
		return noUnit, 0
	}
	if beginsWith(rest, floorWords) > 0 || beginsWith(rest, homeWords) > 0 {
		return otherUnit, 0
	}
	if length := beginsWith(rest, bedroomWords); length > 0 {
		return bedroomCount, skipped + length
	}
	if length := beginsWith(rest, roomWords); length > 0 && n.countsRooms(rest[length:]) {
		return roomCount, skipped + length
	}
	if n.isOrdinal(text) || beginsWith(rest, countWords) > 0 {
		return otherUnit, 0
	}
	if months[strings.ToLower(wordAt(rest))] && n.value <= 31 {
		return dateUnit, 0
	}
	if after, ok := strings.CutPrefix(rest, "de "); ok && months[strings.ToLower(wordAt(after))] {
		return dateUnit, 0
	}
	if joined := wordAt(text); joined != "" && len(joined) <= 3 {
		return otherUnit, len(joined) // part of a code: 1AA, 12b
	}
	return noUnit, 0
}

// countsRooms reports whether a number of rooms may be that of a home, by what stands behind it.
func (n plainNumber) countsRooms(rest string) bool {
	if beginsWith(rest, []string{" frei", "s d'eau", " d'eau"}) > 0 {
		return false
	}
	return n.value <= 30 && n.value*2 == math.Trunc(n.value*2)
}

// isOrdinal reports whether a number is an ordinal: 2nd, 3e, and 2. before a word.
func (n plainNumber) isOrdinal(text string) bool {
	if len(n.written) > 2 {
		return false
	}
	ends := []string{"st|", "nd|", "rd|", "th|", "er|", "ère|", "e|", "ème|", "de|", "ste|", "ter|", "te|"}
	if beginsWith(text, ends) > 0 {
		return true
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimPrefix(text, ". "))
	return strings.HasPrefix(text, ". ") && unicode.IsLetter(next)
}

// unitBefore returns the unit that the words before a number without one suggest.
func unitBefore(before string) amountUnit {
	last, _ := utf8.DecodeLastRuneInString(before)
	if unicode.IsLetter(last) || last == '#' || last == '_' || last == '°' {
		return otherUnit // part of a code: T2, #12
	}
	word := strings.ToLower(lastWord(strings.TrimRight(before, ".° ")))
	switch {
	case months[word]:
		return dateUnit
	case numberWords[word]:
		return otherUnit
	}
	return noUnit
}

// numberWords are words behind which a number counts nothing.
var numberWords = setOf("nr no num id ref referenz référence objekt floor etage " +
	"étage stock planta baujahr built bj " +
	"id-nr " +
	"unit apt apartment top plz dpe")

// months are the names of months and what they are shortened to, in small letters.
var months = setOf(`jan january januar janvier enero gennaio januari janeiro stycznia januára ledna leden január
	feb february februar février fevrier febrero febbraio februari fevereiro lutego února únor február fév
	mar march märz mars marzo maart março marca března březen március mär mrt
	apr april avril abril aprile kwietnia dubna duben április avr abr
	may mai mayo maggio mei maio maja května květen május maj
	jun june juni juin junio giugno junho czerwca června červen június
	jul july juli juillet julio luglio julho lipca července červenec július
	aug august août aout agosto augustus sierpnia srpna srpen augusztus augusti
	sep sept september septembre septiembre settembre setembro września září szeptember
	oct okt october oktober octobre octubre ottobre outubro października října říjen október
	nov november novembre noviembre novembro listopada listopadu listopad
	dec dez déc december dezember décembre diciembre dicembre dezembro grudnia prosince prosinec desember`)

// Periods

// The words behind a cost that name its period, in small letters, perhaps after "per", a stroke or such.
var periodWords = map[period][]string{
	perMonth: {"pcm", "p.c.m", "pm|", "p.m", "p/m", "month", "mo|", "mo.", "monat", "mtl", "mois", "mensuel", "mes|",
		"mese", "mensil", "mensual", "mês", "maand", "mnd", "måned", "månad", "mån", "md|", "md.", "mies", "měsíc",
		"mesiac", "hó|", "hónap", "havi", "lună", "luna|", "kk|", "calendar month", "μήνα", "міс", "мес"},
	perWeek: {"pw|", "p.w", "p/w", "ppw", "pppw", "week", "wk", "woche", "wöchentlich", "semaine", "sem|", "semana",
		"settimana", "uge|", "vecka", "uke|", "tydzień", "tyg", "týden", "hét|", "viikko"},
	perYear: {"pa|", "p.a", "year", "yr", "annum", "annual", "jahr", "jährlich", "an|", "année", "año",
		"anno|", "annui",
		"ano|", "jaar", "år|", "rok", "roč", "év|", "vuosi", "yearly"},
	perDay: {"night", "nacht", "nuit", "noche", "notte", "noite", "nat|", "natt", "day", "tag|", "jour", "día", "giorno",
		"dia|", "dag|", "dzień", "noc|", "den|", "nap|"},
}

var periods = []period{perMonth, perWeek, perYear, perDay} // the order of looking

var perWords = []string{"per ", "pro ", "par ", "por ", "al ", "a ", "à la ", "/ ", "/", "je ", "im ",
	"pr. ", "pr ", "za ",
	"i ", "om ", "na ", "each ", "p. ", "al|", "(", "every "}

// periodAt returns the period at the start of text, the part after a cost, and its length.
func periodAt(text string) (period, int) {
	rest := strings.TrimLeft(text, " ,.-–(")
	if len(text)-len(rest) > 4 {
		return noPeriod, 0
	}
	per := beginsWith(rest, perWords)
	for _, start := range []int{per, 0} {
		word := strings.ToLower(wordAt(rest[start:]))
		for _, p := range periods {
			length := beginsWith(rest[start:], periodWords[p])
			isOther := len(word)-length > 4 // Monatsmiete
			if length == 0 || isOther || start == 0 && needsPer[p][word] {
				continue
			}
			return p, len(text) - len(rest) + start + length
		}
	}
	return noPeriod, 0
}

// periodIn returns the length of the name of a period with which a text begins, or 0.
func periodIn(text string) int {
	for _, p := range periods {
		if length := beginsWith(text, periodWords[p]); length > 0 {
			return length
		}
	}
	return 0
}

// needsPer has the words that are a period only behind "per": "3 months" and "12 years" are none.
var needsPer = map[period]map[string]bool{
	perMonth: setOf("mo mon month months monat monate monaten mois mes meses mese mesi"),
	perWeek:  setOf("week weeks woche wochen semaine semaines sem semana semanas"),
	perYear:  setOf("year years jahr jahre jahren an ans año años anno anni ano anos jaar år rok év yr yrs"),
	perDay: setOf("night nights nacht nächte nuit nuits noche noches day days tag tage jour jours dag den dia dias " +
		"noc nap nat natt notte notti giorno giorni día días"),
}

// The parts of words before a cost that name its period: "Jahresmiete", "Weekly rent".
var periodNames = map[period][]string{
	perMonth: {"monat", "month", "mensuel", "mensual", "mensil", "maand", "måned", "månad", "miesięcz",
		"měsíč", "havi"},
	perWeek: {"weekly", "per week", "wochenmiete", "hebdomadaire", "semanal", "settimanale", "ugentlig"},
	perYear: {"jahresmiete", "jährlich", "annual", "yearly", "per year", "annuel", "anual", "annuo", "jahresnetto"},
}

// periodBefore returns the period that the words before a cost name, of those behind the amount before.
func periodBefore(before string) period {
	before = before[max(0, len(before)-40):]
	if i := strings.LastIndexAny(before, ",;/|\n"); i >= 0 {
		before = before[i+1:]
	}
	before = strings.ToLower(before)
	for _, p := range periods {
		for _, name := range periodNames[p] {
			if strings.Contains(before, name) {
				return p
			}
		}
	}
	return noPeriod
}

// isPerArea reports whether the text behind a cost makes it that of a square metre.
func isPerArea(text string) bool {
	rest := strings.TrimLeft(text, " ")
	per := beginsWith(rest, []string{"/ ", "/", "per ", "pro ", "par ", "por ", "pr. ", "pr ", "au ", "al ", "za ", "je "})
	if per == 0 || len(text)-len(rest) > 1 {
		return false
	}
	rest = rest[per:]
	return beginsWith(rest, metresWords) > 0 || beginsWith(rest, feetWords) > 0 || beginsWith(rest, []string{"m|"}) > 0
}

// wordAt returns the letters with which a text begins.
func wordAt(text string) string {
	for i, r := range text {
		if !unicode.IsLetter(r) {
			return text[:i]
		}
	}
	return text
}

// lastWord returns the letters before the end of a text without the spaces and colons there.
func lastWord(text string) string {
	text = strings.TrimRight(text, " :")
	start := strings.LastIndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	if start < 0 {
		return text
	}
	_, size := utf8.DecodeRuneInString(text[start:])
	return text[start+size:]
}
