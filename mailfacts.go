package main

// Facts of mails: what each line of a mail says of a home, and which lines say nothing of one.

import (
	"regexp"
	"slices"
	"strings"
)

// A lineFacts is what a leaf says of a home.
type lineFacts struct {
	lower   string
	values  []labelled // the pieces of the line, with their labels
	cost    float64    // what is paid for a home, 0 without
	kind    costKind   // of cost
	area    float64
	rooms   float64
	beds    float64
	isLoose bool // the facts are part of a title or such, so that they begin no card

	isProse    bool // a sentence
	isSearch   bool // what a search asks for, or an average
	isFooter   bool // about the mail, its sender or the search
	isButton   bool
	isLodging  bool // a place by the night
	isOnAsking bool // the price is told on request
}

// has reports whether a leaf has facts that may begin a card.
func (f *lineFacts) has() bool {
	return !f.isLoose && (f.cost != 0 || f.area != 0 || f.rooms != 0 || f.beds != 0 || f.isOnAsking)
}

var (
	sentenceEnds = regexp.MustCompile(`(?:\p{Ll}{3}|\d\d|[)”"»“])[.!?…](?:$|\s+\p{Lu})`)
	// beyond matches what a search asks for: at least or at most a number, or a range of sizes.
	beyond = regexp.MustCompile(`(?i)(?:^|[\s(,;:„“"«|–-])(?:bis(?: zu)?|max(?:\.|imal|imum)?|min(?:\.|destens|imum)?|` +
		`up to|at least|at most|under|jusqu.?[àa]|moins de|au moins|fino a|almeno|massimo|hasta|máximo|mínimo|` +
		`tot|minimaal|maximaal|até|do|co najmniej|högst|minst|lägst|opp til|inntil|højst|op til|enintään|vähintään|` +
		`legfeljebb|legalább|până la|(ab|from|dès|desde|vanaf|a partir de|od|da|från|fra)) ?:? ?(?:CHF|EUR|[€£$])? ?\d`)
	beyondUnit = regexp.MustCompile(`(?i)\d ?(?:\+|(?:-|–|bis|to|à|a|tot) ?\d[\d.,]*) ?(?:m²|m2|qm|sq|zi|zimmer|bed|bd|` +
		`br|rooms?|pièces|locali|hab|kamers|rum|rom|pok|h\b)|\d ?(?:max|min)\b|(?:m²|m2|€|£|\$|zł|kr|EUR) (?:min|max)\b`)
	fromCost = regexp.MustCompile(`(?i)(^|\s)(?:ab|from|dès|à partir de|da|desde|vanaf|från|fra|od|alkaen|a partir de) +` +
		`([€£$]|CHF|EUR|R\$|\d[\d.,' ]*\d ?(?:€|£|\$|CHF|EUR|kr|zł|Kč|Ft))`)
	averageWords = anyOf("durchschnitt|average|_avg|moyen|_medio_|_media di|promedio|im schnitt|i snitt|in media|gemiddeld|genomsnitt|gjennomsnitt",
		"gennemsnit|keskim|średni|průměr|átlag|médio|median|_mean_|_ø_|mietspiegel")
	// reductions are words beside what a price has fallen by.
	reductions = anyOf("price cut|price drop|preissenkung|preisreduzierung|baisse de|ribasso|rebaja de|bajada de|ha bajado|reduced by",
		"gesenkt um|reduziert um|prisnedsæt|prissänkning|prisfall|obniżka|sleva|you save|sie sparen|verlaagd met|gezakt met|descida de")
	extraWords   = anyOf("cond.|_iptu|+ ")
	lodgingWords = anyOf("pro nacht|per night|la nuit|par nuit|/nuit|/ nuit|por noche|/noche|a notte|/notte|per nacht",
		"/nacht|/night|por noite|/noite|per natt|/natt|pr. nat|za noc|_notti_|_nights_|_nächte_|_nuits_|_noches_|_nachten_",
		"voyageurs|_guests|gäste|huéspedes|_ospiti|_gasten_|hotel_|hôtel|_hostel|albergo|_gîte|camping|ferienhaus",
		"ferienwohnung|vacances|check-in|checkin|_adulti_|_adults_|_erwachsene|holiday let|holiday home|casa vacanze")
	sleepsWords = anyOf("personnes|personen|persone_|personas|_sleeps_|personer|osób|pessoas")
	weekRent    = anyOf("la semaine|par semaine|/semaine|pro woche|/woche|a settimana|por semana|per week")
	footerWords = anyOf("unsubscribe|abbestell|abmeld|désabonn|désinscri|disiscriv|annulla iscrizione|darse de baja",
		"cancelar la suscripción|cancelar inscri|cancelar subscri|afmeld|uitschrijv|avregistrera|avprenumer|avsluta",
		"avmeld|avslutt|afmeld|wypisz|odhlásit|peruuta|leiratkoz|dezabon|stop these|opt out|opt-out|_copyright|©",
		"all rights reserved|alle rechte|manage alert|edit alert|your alerts|preferences|gérer mes|gérer vos|gestisci",
		"gestionar|gerir|bewerk|wijzig zoek|suchauftrag|suchagent|suchabo|suche bearbeiten|edit search|saved search",
		"modifier mon|modifier votre|ne plus recevoir|you are receiving|you're receiving|sie erhalten diese|du erhältst",
		"vous recevez|ricevi questa|has recibido|recebe este|u ontvangt|je ontvangt|du får d|otrzymujesz|saat tämän",
		"datenschutz|privacy|confidentialité|impressum|mentions légales|muokkaa|hakuvahti|endre lagret|ändra bevak",
		"view in browser|im browser|dans votre navigateur|alle angebote|alle anzeigen|alle treffer|see all|view all",
		"voir toutes|ver todos|vedi tutti|bekijk alle|visa alla|zobacz wszystkie|näytä kaikki|zobrazit vše|abo löschen",
		"stopp varsel|se alle_|odběr|odsubskryb|weergeven in|toutes les annonces|all results|forward to a friend")
	buttonWords = anyOf("view|see |see_|details|more details|contact|email agent|call |save|share|apply|book|request",
		"read more|learn more|find out|show|open|voir|contacter|je découvre|découvrir|plus d|en savoir|appeler|ver ",
		"ver_|contactar|llamar|más info|vedi|contatta|scopri|dettagli|zum |zur |jetzt|ansehen|anzeigen|mehr |mehr_",
		"details|kontakt|anfrag|merken|teilen|exposé|bekijk|meer |reageer|toon|se bolig|se annons|se mer|se alle|läs mer",
		"visa|till annons|se an|kontakta|zobacz|więcej|zadzwoń|napisz|katso|lue lisää|ota yhteyttä|zobrazit|detail",
		"více|megnéz|részletek|megtekint|vezi|detalii|saiba mais|ligar|mais |vis |vis_|les mer|se mere|læs mere")
	// actionWords are words of links that do something rather than show a listing.
	actionWords = anyOf("bezahl|_pay|payer|pagar|_paga|betaal|betala|zapłać|accept|annehmen|accepter|confirm|bestätig|conferma|cancel",
		"stornier|annuler|annulla|download|herunterlad|télécharg|scarica|descargar|sign up|_login|log in|einloggen|anmelden|souscri",
		"subscribe|full report|bewert|_rate |review|antworten|reply|répondre|rispondi|responder|_survey|umfrage")
	footerLine = regexp.MustCompile(`(?i)(?:GmbH|\bAG\b|\bB\.?V\.?|\bS\.?A\.?R\.?L\b|\bLtd|\bLLC|\bInc\b|\bA/S\b|` +
		`\bOy\b|s\.r\.[ol]|\bSpA\b|S\.p\.A|Sp\. z o|\bSuite \d|\bP\.?O\.? Box)`)
)

const (
	shortestProse = 45  // letters of a line that is a sentence, if it has the end of one
	longestFact   = 110 // letters of a line that may be a fact
)

// factsOf returns what each leaf says.
func factsOf(work *task, leaves []leaf, country string) []lineFacts {
	facts := make([]lineFacts, len(leaves))
	lines := make([]string, len(leaves))
	for i := range leaves {
		text := leaves[i].text
		work.step(4 + len(text))
		f := &facts[i]
		f.lower = strings.ToLower(text)
		size := letters(text)
		f.isProse = size > longestFact || size > shortestProse && sentenceEnds.MatchString(text)
		f.isFooter = footerWords.in(f.lower) || footerLine.MatchString(text)
		f.isLodging = lodgingWords.in(f.lower) || sleepsWords.in(f.lower) && weekRent.in(f.lower)
		f.isButton = size < 40 && (buttonWords.begins(f.lower) > 0 || actionWords.in(f.lower)) && len(leaves[i].links) > 0
		if f.isProse {
			continue
		}
		lines[i] = fromCost.ReplaceAllString(text, "$1$2")
		f.isSearch = hasDigit(text) && isSearchLine(lines[i]) || averageWords.in(f.lower) || extraWords.begins(f.lower) > 0
		if f.isSearch || f.isFooter {
			lines[i] = ""
		}
	}
	values := valuesOf(lines)
	for i, line := range lines {
		n := countPieces(lines, i)
		facts[i].values = slices.DeleteFunc(values[:n:n], func(v labelled) bool { return reductions.in(v.lower) })
		values = values[n:]
		if bareNumber.MatchString(line) && n == 1 && facts[i].values[0].label == "" {
			facts[i].values[0].setLabel(lines, i)
		}
		if line != "" {
			work.step(20 * len(line))
			facts[i].read(&leaves[i], country)
		}
	}
	return facts
}

// setLabel takes the name of rooms in a line beside a number for its label.
func (v *labelled) setLabel(lines []string, i int) {
	for _, j := range []int{i - 1, i + 1} {
		if j < 0 || j >= len(lines) || len(lines[j]) > 60 || hasDigit(lines[j]) {
			continue
		}
		if lower := strings.ToLower(lines[j]); bedroomLabels.in(lower) || roomLabels.in(lower) {
			v.label, v.lowerLabel = lines[j], lower
			return
		}
	}
}

// isSearchLine reports whether a line with a number says what a search asks for.
func isSearchLine(text string) bool {
	if beyondUnit.MatchString(text) {
		return true
	}
	found := beyond.FindAllStringSubmatchIndex(text, 8)
	if found == nil {
		return false
	}
	amounts := amountsIn(text)
	for _, at := range found {
		for _, a := range amounts {
			isFrom := at[2] >= 0
			if a.digits == at[1]-1 && a.unit != dateUnit && a.unit != otherUnit && !(isFrom && (a.sign != "" || a.unit == noUnit)) {
				return true
			}
		}
	}
	return false
}

// residue returns the letters of a line beside its amounts.
func (f *lineFacts) residue() string {
	var rest strings.Builder
	for i := range f.values {
		v := &f.values[i]
		at := 0
		for _, a := range v.amounts {
			if a.start >= at {
				rest.WriteString(v.text[at:a.start] + " ")
				at = a.end
			}
		}
		rest.WriteString(v.text[min(at, len(v.text)):] + " ")
	}
	return strings.Join(letterRuns.FindAllString(rest.String(), 40), " ")
}

// countPieces returns the number of values that valuesOf makes of a line.
func countPieces(lines []string, i int) int {
	line := lines[i]
	if line == "m²" || line == "m2" || line == "€" {
		for i--; i >= 0; i-- {
			if lines[i] != "" {
				return 1 - boolInt(isDigit(lines[i][len(lines[i])-1]))
			}
		}
		return 1
	}
	n := 0
	for _, part := range separated.Split(line, -1) {
		if strings.TrimSpace(part) != "" {
			n++
		}
	}
	return n
}

func boolInt(is bool) int {
	if is {
		return 1
	}
	return 0
}

// read reads the facts in the values of a line.
func (f *lineFacts) read(l *leaf, country string) {
	for i := range f.values {
		v := &f.values[i]
		f.isOnAsking = f.isOnAsking || len(v.text) < 60 && onRequest.MatchString(v.text)
		if !hasDigit(v.text) {
			continue
		}
		for _, c := range v.costsIn() {
			if c.isPaid() && f.cost == 0 {
				f.cost, f.kind = c.value, c.kind
			}
		}
		for _, unit := range []amountUnit{squareMetres, squareFeet} {
			if areas := v.areas(unit, false); len(areas) > 0 && f.area == 0 {
				f.area = areas[0].metres
			}
		}
		if beds := bedroomsOf(v, country); beds != 0 && f.beds == 0 {
			f.beds = beds
		}
		if rooms := roomsOf(v, country); rooms != 0 && f.rooms == 0 {
			f.rooms = rooms
		}
	}
	// Words beside the facts make a line that is a link or a heading a title.
	f.isLoose = (l.isLinked || l.isHeading) && f.cost == 0 && letters(f.residue()) > 5
}

// isPaid reports whether a cost is what one pays for a home.
func (c foundCost) isPaid() bool { return c.isPrice() || c.kind == weeklyRent || c.kind == yearlyRent }

var bedroomLabels = anyOf("bedroom|_beds_|schlafzimmer|chambre|slaapkamer|soverom|sovrum|dormitorio|habitaci|quartos|camere da letto",
	"sypialni|ložnic|makuuhuone|soveværelse|hálószob|dormitoare|_hab_|_hab._")

// bedroomsOf returns the number of bedrooms in a value, or 0. A Romanian camera is any room.
func bedroomsOf(v *labelled, country string) float64 {
	if country == "ro" {
		return 0
	}
	for _, a := range v.amounts {
		if a.unit == bedroomCount && !a.inRange && isRooms(a.value) {
			return a.value
		}
	}
	if v.label != "" && bareNumber.MatchString(v.text) && bedroomLabels.in(v.lowerLabel) {
		return roomNumber(v.text)
	}
	if name, number, ok := strings.Cut(v.text, ": "); ok && bareNumber.MatchString(number) && bedroomLabels.in(strings.ToLower(name)) {
		return roomNumber(number)
	}
	if found := homeType.FindStringSubmatch(v.text); found != nil && country == "pt" && found[1] != "" {
		return roomNumber(found[1])
	}
	return 0
}

var (
	roomLabels = anyOf("zimmer|_zi_|_räume|raumanzahl|pièces|rooms|_locali|_vani_|kamers|antal rum|_rum_|værelser|_rom_|pokoi|pokoje",
		"szob|huone|camere|počet pokoj|počet místn|habitaciones|cômodos|δωμάτ")
	compactRooms = regexp.MustCompile(`(?i)(?:^|[^\p{L}\d])([1-9](?:[.,]5)?)(?:-| )?(?:h ?\+ ?k|rok\b|r\.o\.k|ro?k\b|roms?\b|værelses|rums|raum|zkb|zi\b|\+kk|\+1\b)`)
)

// roomsOf returns the number of rooms in a value, or 0.
func roomsOf(v *labelled, country string) float64 {
	if rooms := roomsInDigits(v.text, country); isRooms(rooms) {
		return rooms
	}
	for _, a := range v.amounts {
		if country == "ro" && a.unit == bedroomCount && !a.inRange {
			return a.value
		}
	}
	if found := compactRooms.FindStringSubmatch(v.text); found != nil {
		return roomNumber(found[1])
	}
	isNamed := func(name string) bool { return roomLabels.in(name) && !bedroomLabels.in(name) }
	if v.label != "" && bareNumber.MatchString(v.text) && isNamed(v.lowerLabel) {
		if rooms := roomNumber(v.text); isRooms(rooms) {
			return rooms
		}
	}
	name, number, ok := strings.Cut(v.text, ": ")
	if ok && bareNumber.MatchString(number) && isNamed(strings.ToLower(name)) {
		if rooms := roomNumber(number); isRooms(rooms) {
			return rooms
		}
	}
	return 0
}
