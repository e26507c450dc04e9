// Sizes: the area of a home, and the number of its rooms, among the values of a text.

package listing

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"flats/internal/turns"
)

var (
	partAreaWords  = phrasesOf("partArea")
	bathAreaWords  = phrasesOf("bathArea")
	roomAreaWords  = phrasesOf("roomArea")
	ownRoomWords   = phrasesOf("ownRoom")
	wholeHomeWords = phrasesOf("wholeHome")
	withWord       = newPattern(`(?i) (?:{{with}}|[+&])(?:\P{L}|$)`)
	beforeArea     = newPattern(`[,;(.]| - `) // a mark at which the words before an area begin
	afterArea      = newPattern(`[,;).]|\d`)  // a mark or a digit at which the words after an area end
)

const (
	leastArea = 8 // m² of a home
	leastRoom = 5 // m² of a room in a shared home
)

// A homeArea is an area in a text, in square metres, with the words around it in lower case.
type homeArea struct {
	metres float64
	about  string
}

// areaIn returns the area of a home, or 0: the first that is called the area of a whole home, else the first one. Areas
// of balconies, gardens and the like do not count. If isRoom, the home is a room in a shared home, and the area is the
// area of the room.
func areaIn(values []textValue, isRoom bool) float64 {
	for _, unit := range []amountUnit{squareMetres, squareFeet} {
		var homes []homeArea
		for i := range values {
			homes = append(homes, values[i].areas(unit, isRoom)...)
		}
		if isRoom {
			homes = roomAreas(homes)
		}
		if len(homes) > 0 {
			return wholeArea(homes)
		}
	}
	return 0
}

// wholeArea returns the first area that is called the area of a whole home, or else the first one.
func wholeArea(homes []homeArea) float64 {
	for _, home := range homes {
		if wholeAreaWords.in(home.about) {
			return home.metres
		}
	}
	return homes[0].metres
}

// roomAreas returns the areas that are called the area of a room, or else the smallest of all.
func roomAreas(all []homeArea) []homeArea {
	var named []homeArea
	for _, area := range all {
		if ownRoomWords.in(area.about) && !wholeHomeWords.in(area.about) {
			named = append(named, area)
		}
	}
	if named != nil || len(all) == 0 {
		return named
	}
	smallest := slices.MinFunc(all, func(a, b homeArea) int { return cmp.Compare(a.metres, b.metres) })
	return []homeArea{smallest}
}

// homeAreas returns the areas of homes in a value, in a unit.
func (v *textValue) homeAreas(unit amountUnit) []homeArea { return v.areas(unit, false) }

// Letters next to an area that may tell of what it is.
const lettersBeforeArea, lettersAfterArea = 30, 20

// areas returns the areas of homes or, if isRoom, of rooms in a value, in a unit. It leaves out ranges, and the areas
// of other parts of a home, by the words around each area.
func (v *textValue) areas(unit amountUnit, isRoom bool) []homeArea {
	least, otherWords := float64(leastArea), roomAreaWords
	if isRoom {
		least, otherWords = leastRoom, bathAreaWords
	}
	var areas []homeArea
	wordsStart := 0  // where the words before the next amount begin
	beforeCost := "" // "Balkon" of "Balkon EUR 900 10 m²": these words belong to the area, too
	for i, a := range v.amounts {
		if a.sign != "" {
			words := v.text[min(wordsStart, a.start):a.start]
			beforeCost = trailing(beforeCost+words, lettersBeforeArea) + " "
			wordsStart = a.tail
		}
		if a.unit != unit || a.inRange || a.sign != "" {
			continue
		}
		words := v.text[wordsStart:max(wordsStart, a.digits)]
		before := strings.ToLower(trailing(beforeCost+words, lettersBeforeArea))
		beforeCost = ""
		wordsStart = a.end
		if marks := beforeArea().FindAllStringIndex(before, -1); marks != nil {
			lastMark := marks[len(marks)-1]
			before = before[lastMark[1]:]
		}
		about := v.lowerLabel + " " + before + " " + v.wordsAfterArea(i)
		metres := a.squareMetres()
		if unit == squareFeet {
			metres = math.Round(a.value * SquareFoot)
		}
		isPart := partAreaWords.in(about) || otherWords.in(about)
		if metres >= least && metres < largestHome && !isPart {
			areas = append(areas, homeArea{metres, about})
		}
	}
	return areas
}

// wordsAfterArea returns the words after the amount i that may tell of what it is the area, in lower case.
func (v *textValue) wordsAfterArea(i int) string {
	end := v.amounts[i].end
	rest := v.text[end:]
	if i+1 < len(v.amounts) && v.amounts[i+1].sign != "" { // up to the sign of the next amount
		rest = v.text[end:max(end, v.amounts[i+1].start)]
	}
	after := strings.ToLower(leading(rest, lettersAfterArea))
	for _, endOfWords := range []pattern{afterArea, withWord} {
		if at := endOfWords().FindStringIndex(after); at != nil {
			after = after[:at[0]]
		}
	}
	return after
}

// Rooms

var (
	// roomLabel matches a label of a number of rooms, and roomsBefore such a label with its number.
	roomLabel   = newPattern(`(?i)(?:^|\P{L}){{rooms}}(?:\P{L}|$)`)
	roomsBefore = newPattern(`(?i)(?:^|[^\p{L}-]){{rooms}}(?: \([^)]*\))? ?:? ?` +
		`(\d{1,2}(?:[.,][05])?(?: ?½| 1/2| \+ 1 fél)?)`)
	// notRooms matches what follows a number that is not one of rooms.
	notRooms     = newPattern(`(?i)^(?:[\d.]|\p{L}| ?(?:m²|m2|qm|sq))`)
	roomWords    = phrasesOf("rooms")
	studioWords  = phrasesOf("studio")
	numeralRooms = newPattern(`(?i)(?:^|\P{L})({{numeral}})[ -]?{{roomsAfterWord}}`)
	// numeralBedrooms matches a number of bedrooms in letters: "two-bed". "One" counts only in English, because in other
	// languages it is also the article.
	numeralBedrooms = newPattern(`(?i)(?:^|\P{L})({{numeral}})[ -]({{bedrooms}}|` +
		`bed (?:apartment|flat|home|house|maisonette)\b)`)
	// oneOfMany matches a room in a home, as in "Zimmer in WG". It may be several if countBefore matches the text before.
	oneOfMany   = newPattern(`(?i)(?:^|\P{L})({{oneRoom}} (?:\p{L}+ ){0,2}{{within}}(?:\P{L}|$))`)
	countBefore = newPattern(`(?i)(?:\d[ -]?|{{numeral}}[ -])$`)
	sharedWords = phrasesOf("sharedHome")
)

// numerals maps the words for one, two and so on to their numbers.
var numerals = sync.OnceValue(func() map[string]float64 {
	numbers := map[string]float64{}
	for _, words := range lexicons() {
		for i, word := range words["numeral"] {
			numbers[word] = float64(i + 1)
		}
	}
	return numbers
})

// isRoomTitle reports whether the title of a listing names a room in a shared home.
func isRoomTitle(title string) bool {
	return isOneOfMany(title) || sharedWords.in(strings.ToLower(title))
}

// isOneOfMany reports whether a title is about one room of a home.
func isOneOfMany(title string) bool {
	at := oneOfMany().FindStringSubmatchIndex(title)
	return at != nil && !countBefore().MatchString(title[:at[2]])
}

// roomsIn returns the number of rooms, or 0. It takes the first that it finds: in a value with such a label, in short
// values that name rooms, in the title, in other short values, and in long ones. It charges the work to a task.
func roomsIn(work *turns.Task, values []textValue, title, country string) float64 {
	for _, v := range values {
		if rooms := v.countNamed(isRoomLabel); v.label != "" && isRooms(rooms) {
			return rooms
		}
	}
	if isOneOfMany(title) {
		return 0
	}
	var named, short, long []textValue
	for _, v := range values {
		const longest = 30 // letters of a short value
		if v.length >= longest {
			long = append(long, v)
			continue
		}
		short = append(short, v)
		if numberAfterRooms(v.text) != "" {
			named = append(named, v)
		}
	}
	inTitle := textValue{text: title, length: runeCount(title), amounts: amountsIn(nil, title)}
	facts := append(append(named, inTitle), short...)
	for _, v := range facts {
		if rooms := v.rooms(country); isRooms(rooms) {
			return rooms
		}
	}
	for _, v := range facts {
		if rooms := v.roomsInLetters(); isRooms(rooms) {
			return rooms
		}
	}
	for _, v := range long {
		work.Step(stepsOfLetter * len(v.text))
		if rooms := v.rooms(country); isRooms(rooms) {
			return rooms
		}
		work.Step(stepsOfLetter * len(v.text))
		if rooms := v.roomsInLetters(); isRooms(rooms) {
			return rooms
		}
	}
	return 0
}

// isRooms reports whether a home may have n rooms.
func isRooms(n float64) bool { return n > 0 && n <= maxRooms }

// rooms returns the number of rooms that a value has in digits, or 0. "camera" is one of bedroomUnit, but in Romania it
// is any room. "T2" is two bedrooms in Portugal, and two rooms elsewhere.
func (v *textValue) rooms(country string) float64 {
	if !hasDigit(v.text) {
		return 0
	}
	if rooms := v.countNamed(isRoomLabel); isRooms(rooms) {
		return rooms
	}
	for _, a := range v.amounts {
		if !a.inRange && (a.unit == roomCount || a.unit == bedroomCount && country == "ro") {
			return a.value
		}
	}
	if number := numberAfterRooms(v.text); number != "" {
		return roomNumber(number)
	}
	if found := homeType().FindStringSubmatch(v.text); found != nil && (country != "pt" || found[2] != "") {
		return roomNumber(found[1] + found[2])
	}
	isLayout := country == "jp" || layoutWords.in(v.lowerLabel+" "+v.lower)
	if found := layoutRooms().FindStringSubmatch(v.text); found != nil && isLayout {
		return roomNumber(found[1])
	}
	if found := compactRooms().FindStringSubmatch(v.text); found != nil {
		return roomNumber(found[1])
	}
	return 0
}

func isRoomLabel(name string) bool { return roomLabel().MatchString(name) && !bedroomLabels.in(name) }

// bedroomsIn returns the number of bedrooms, or 0: of a value with such a label, else in a sentence. A long sentence
// counts bedrooms of other homes, too, so only what stands alone between commas counts there.
func bedroomsIn(values []textValue, country string) float64 {
	for i := range values {
		if bedrooms := values[i].countNamed(bedroomLabels.in); bedrooms != 0 && country != "ro" { // a camera is any room
			return bedrooms
		}
	}
	for i := range values {
		for _, sentence := range sentencesOf(values[i].text) {
			if bedrooms := bedroomsOf(sentence, country); bedrooms != 0 {
				return bedrooms
			}
		}
	}
	for i := range values {
		if bedrooms := values[i].bedroomsInLetters(); bedrooms != 0 {
			return bedrooms
		}
	}
	return 0
}

// bedroomsInLetters returns a number of bedrooms that a short value has as a word, or 0.
func (v *textValue) bedroomsInLetters() float64 {
	if v.length >= longestPiece {
		return 0
	}
	found := numeralBedrooms().FindStringSubmatch(v.text)
	isFurniture := found != nil && strings.Contains(strings.ToLower(found[2]), "beds") // "a room with three beds"
	if found == nil || isFurniture {
		return 0
	}
	numeral := strings.ToLower(found[1])
	if bedrooms := numerals()[numeral]; bedrooms > 1 || numeral == "one" {
		return bedrooms
	}
	return 0
}

const longestPiece = 80 // letters of a sentence that is searched for bedrooms as a whole

// bedroomsOf returns the number of bedrooms in a sentence, or 0.
func bedroomsOf(sentence, country string) float64 {
	if !hasDigit(sentence) {
		return 0
	}
	if runeCount(sentence) < longestPiece {
		v := textValue{text: sentence, amounts: amountsIn(nil, sentence)}
		return v.bedrooms(country)
	}
	for part := range strings.SplitSeq(sentence, ", ") {
		v := textValue{text: part, amounts: amountsIn(nil, part)}
		if len(v.amounts) != 1 || v.amounts[0].start > 0 {
			continue
		}
		rest := part[v.amounts[0].end:]
		isRestOfWord := rest == wordAt(rest) // nothing follows the unit but its ending
		if bedrooms := v.bedrooms(country); bedrooms != 0 && isRestOfWord {
			return bedrooms
		}
	}
	return 0
}

// bedrooms returns the number of bedrooms that a value has, or 0. In Romania, "2 camere" are no bedrooms, and only in
// Portugal "T2" has two: see rooms.
func (v *textValue) bedrooms(country string) float64 {
	if country == "ro" || !hasDigit(v.text) {
		return 0
	}
	if bedrooms := v.countNamed(bedroomLabels.in); bedrooms != 0 {
		return bedrooms
	}
	if found := homeType().FindStringSubmatch(v.text); found != nil && country == "pt" && found[1] != "" {
		return roomNumber(found[1])
	}
	for _, a := range v.amounts {
		if a.unit == bedroomCount && !a.inRange && isRooms(a.value) && v.isOfBedrooms(a) {
			return a.value
		}
	}
	return 0
}

// isOfBedrooms reports whether a number with a unit of bedrooms is no part of a postal code, as "3BR" of "N7 3BR", and
// no number of a house: "bd" is a boulevard, too, so it counts only at the end or before a number of bathrooms.
func (v *textValue) isOfBedrooms(a amount) bool {
	const firstHalf = len("SW1A ") // the longest first half of a British code, before a second half such as "2BD"
	codeStart := max(0, a.digits-firstHalf)
	if codeBefore().MatchString(v.text[:a.digits]) && britishCode().MatchString(v.text[codeStart:]) {
		return false
	}
	if a.end < len(v.text) && isDigit(v.text[a.end]) { // a code of its own: "12BR34"
		return false
	}
	unit := strings.ToLower(strings.TrimLeft(v.text[a.tail:a.end], " -"))
	return unit != "bd" && unit != "bds" || bathsAfter().MatchString(maskSigns(v.text[a.end:]))
}

// countNamed returns the number of a value whose name or label isName accepts: 3 of "Rooms: 3", of "Rooms 3", and of
// "3" with the label "Rooms". Otherwise it returns 0. What follows in brackets does not count: "3 (of 5)".
func (v *textValue) countNamed(isName func(lower string) bool) float64 {
	number, _, _ := strings.Cut(v.text, " (")
	name := v.lowerLabel
	if before, after, ok := strings.Cut(number, ": "); ok {
		name, number = strings.ToLower(before), after
	} else if at := strings.LastIndexByte(number, ' '); at >= 0 && !hasDigit(number[:at]) {
		name, number = strings.ToLower(lastWord(number[:at])), number[at+1:]
	}
	const tooLongName = 60 // bytes; a text of as many is a sentence that ends in a number
	if len(name) < tooLongName && name != "" && bareNumber().MatchString(number) && isName(name) {
		return roomNumber(number)
	}
	return 0
}

var (
	codeBefore  = newPattern(`(?i)(?:^|[^\p{L}\d])[A-Z]{1,2}\d[A-Z\d]? ?$`)
	britishCode = newPattern(`(?i)\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b`)
	// bedroomsFirst matches a number of bedrooms as American and Indian sites shorten it.
	bedroomsFirst = newPattern(`(?i)^(?:\d{1,2}[ -]?(?:brs?|bdrms?|bdr|bhk)(?:[^\p{L}\d]|$)|` +
		`[1-9] ?bds?(?:$| ?[/,|·•+&] ?\d| \d\S* ?ba))`)
	bathsAfter = newPattern(`^(?:$| ?[/,|·•+&] ?[\d\x01]| \d\S* ?ba)`) // after maskSigns
	// layoutRooms matches a layout as in Japan, where "1K" is a room with a kitchen.
	layoutRooms  = newPattern(`(?:^|[:：] ?)([1-9])(?:R|S?L?D?K)(?:$|[^\p{L}\d])`)
	layoutWords  = phrasesOf("layout")
	compactRooms = newPattern(`(?i)(?:^|[^\p{L}\d])([1-9](?:[.,]5)?)(?:-| )?{{compactRoom}}`)
)

// numberAfterRooms returns the number after a name of rooms, or "".
func numberAfterRooms(text string) string {
	if !hasDigit(text) || !roomWords.in(strings.ToLower(text)) {
		return ""
	}
	const most = 20 // names of rooms that are looked at
	for _, found := range roomsBefore().FindAllStringSubmatchIndex(text, most) {
		start, end := found[2], found[3] // of the number
		if !notRooms().MatchString(text[end:]) && !isNextToSign(text, start, end) {
			return text[start:end]
		}
	}
	return ""
}

// roomsInLetters returns a number of rooms that is written as a word, or 0. A studio has one.
func (v textValue) roomsInLetters() float64 {
	if v.length == 0 {
		return 0
	}
	if found := numeralRooms().FindStringSubmatch(v.text); found != nil {
		return numerals()[strings.ToLower(found[1])]
	}
	if studioWords.in(strings.ToLower(v.text)) {
		return 1
	}
	return 0
}

// roomNumber reads "2,5", "3½" and "3 1/2".
func roomNumber(text string) float64 {
	number := text
	for i := range text {
		if !isDigit(text[i]) && text[i] != ',' && text[i] != '.' {
			number = text[:i]
			break
		}
	}
	rooms, _ := strconv.ParseFloat(strings.ReplaceAll(number, ",", "."), 64)
	if strings.Contains(text, "½") || strings.Contains(text, "1/2") || strings.Contains(text, "fél") {
		rooms += 0.5
	}
	return rooms
}
