// Sizes: the area of a home, and the number of its rooms, among the values of a text.

package listing

import (
	"math"
	"strconv"
	"strings"

	"flats/internal/turns"
)

var (
	partAreaWords = anyOf("balkon|terras|garten|grundst|keller|loggia|stellplatz|garage|nutzfl|dachboden|hof_",
		"wohnzimmer|küche|balcon|jardin|terrain|cave|séjour|salon|cuisine|terrace|garden|plot|cellar|kitchen|altan",
		"have_|kælder|grund|køkken|€|eur_|pro_|per_|buitenruimte|perceel|terreno|balcone|cantina|giardino|terraza",
		"bad_|badezimmer|gäste-wc|flur_|diele_|bathroom|hallway|salle de bain|baño|bagno|badkamer|łazienk|koupeln",
		"badeværelse|_gang_|jardín|trastero|salón|varanda|tomt|uteplats|ogród|erkély|zahrad|bis_|max|mindest|jusqu")
	roomAreaWords = anyOf("schlafzimmer|chambre|bedroom")
	ownRoomWords  = anyOf("zimmergr|zimmer|room|chambre|kamer|værelse|stanza|habitación|pokój|rum_")
	besideWords   = newPattern(`(?i) (?:mit|und|inkl|avec|et|plus|med|og|with|and|con|y|met|en|z|i|` +
		`[+&])(?:\P{L}|$)`)
	beforeArea = newPattern(`[,;(.]| - `)
	afterArea  = newPattern(`[,;).]|\d`)
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

// areaIn returns the area of a home: the area that is named so, else the first that is not the area of a room, a
// balcony or a garden. Of a room in a shared home it is the room's. It returns 0 if there is none.
func areaIn(values []labelled, isRoom bool) float64 {
	for _, unit := range []amountUnit{squareMetres, squareFeet} {
		var homes []homeArea
		for i := range values {
			homes = append(homes, values[i].areas(unit, isRoom)...)
		}
		if isRoom {
			homes = ofRoom(homes)
		}
		for _, home := range homes {
			if wholeAreaWords.in(home.about) {
				return home.metres
			}
		}
		if len(homes) > 0 {
			return homes[0].metres
		}
	}
	return 0
}

// ofRoom returns the areas of a room: all that are called so, else the smallest of all.
func ofRoom(all []homeArea) []homeArea {
	var named, least []homeArea
	for _, area := range all {
		if ownRoomWords.in(area.about) && !wholeHomeWords.in(area.about) {
			named = append(named, area)
		}
		if least == nil || area.metres < least[0].metres {
			least = []homeArea{area}
		}
	}
	if named != nil {
		return named
	}
	return least
}

var wholeHomeWords = anyOf("wohnung|_wg_|_home_|_flat_|apartment|appartement|_house_|_maison|piso_|lejlighed|insgesamt")

// areas returns the areas of a unit in a value, without areas of parts of a home and without ranges.
func (v *labelled) areas(unit amountUnit, isRoom bool) []homeArea {
	var areas []homeArea
	last := 0
	between := "" // what stands before a cost that precedes the area
	for i, a := range v.amounts {
		if a.sign != "" {
			between = trailing(between+v.text[min(last, a.start):a.start], 30) + " "
			last = a.tail
		}
		if a.unit != unit || a.inRange || a.sign != "" {
			continue
		}
		before := strings.ToLower(trailing(between+v.text[last:max(last, a.digits)], 30))
		between = ""
		if all := beforeArea().FindAllStringIndex(before, -1); all != nil {
			before = before[all[len(all)-1][1]:]
		}
		rest := v.text[a.end:]
		if i+1 < len(v.amounts) && v.amounts[i+1].sign != "" {
			rest = v.text[a.end:max(a.end, v.amounts[i+1].start)]
		}
		after := strings.ToLower(leading(rest, 20))
		if at := afterArea().FindStringIndex(after); at != nil {
			after = after[:at[0]]
		}
		if at := besideWords().FindStringIndex(after); at != nil {
			after = after[:at[0]]
		}
		last = a.end
		about := v.lowerLabel + " " + before + " " + after
		metres := a.squareMetres()
		if unit == squareFeet {
			metres = math.Round(a.value * SquareFoot)
		}
		isPart := partAreaWords.in(about) || !isRoom && roomAreaWords.in(about)
		isRoomSize := isRoom && metres >= leastRoom
		if (metres >= leastArea || isRoomSize) && metres < 2000 && !isPart {
			areas = append(areas, homeArea{metres, about})
		}
	}
	return areas
}

// Rooms

const roomName = `Zimmer(?:anzahl)?|Anzahl Zimmer|Zi\.?|(?:Nombre de )?Pièces?|Rooms?|(?:Antal )?værelser|` +
	`(?:Aantal )?kamers|Locali|(?:Antal )?(?:rum|rom)|(?:Liczba )?pokoi|Szob(?:ák|aszám)|Huoneita|N(?:r\.|` +
	`umăr)(?: de)? camere|(?:Broj )?soba|(?:Počet )?izieb`

var (
	roomLabel   = newPattern(`(?i)^(?:` + roomName + `)(?:\P{L}|$)`)
	roomsBefore = newPattern(`(?i)(?:^|[^\p{L}-])(?:` + roomName + `)(?: \([^)]*\))? ?:? ?` +
		`(\d{1,2}(?:[.,][05])?(?: ?½| 1/2| \+ 1 fél)?)`)
	notRooms   = newPattern(`(?i)^(?:[\d.]|\p{L}| ?(?:m²|m2|qm|sq|\p{Sc}))`)
	roomWord   = anyOf("zimmer|_zi_|pièce|room|værelse|kamers|locali|_rum_|_rom_|pokoi|szob|huoneita|camere|soba|izieb")
	studioWord = newPattern(`(?i)(?:^|\P{L})(?:studio|monolocale|kawalerka|garzon)(?:[^\p{L}']|$)`)
	countWord  = `ein|zwei|drei|vier|fünf|une|deux|trois|quatre|cinq|one|two|three|four|five|en|to|tre|fire|bi|tri|quadri`
	roomsSaid  = newPattern(`(?i)(?:^|\P{L})(` + countWord + `)[ -]?(?:zimmer|pièces|rooms?|værelse|` +
		`roms?\b|locale\b)`)
	oneOfMany = newPattern(`(?i)(?:^|\P{L})((?:room|zimmer|kamer|værelse|stanza|habitación|pokój|hybel) ` +
		`(?:\p{L}+ ){0,2}(?:in|im|i|en|w|a|till)(?:\P{L}|$))`)
	countBefore = newPattern(`(?i)(?:\d[ -]?|(?:` + countWord + `)[ -])$`)
	sharedWords = anyOf("wg-zimmer|wg zimmer|room to rent|room to let|room for rent|er wg|er-wg",
		"wohngemeinschaft|flatshare|flat share|house share|shared flat|colocation|chambre chez",
		"kamer te huur|habitación en|stanza in|stanza singola|pokój w")
)

var countedWords = map[string]float64{"ein": 1, "zwei": 2, "drei": 3,
	"vier": 4, "fünf": 5, "une": 1, "deux": 2, "trois": 3,
	"quatre": 4, "cinq": 5, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "en": 1, "to": 2, "tre": 3, "fire": 4,
	"bi": 2, "tri": 3, "quadri": 4}

// isRoomTitle reports whether the title of a listing names a room in a shared home.
func isRoomTitle(title string) bool {
	at := oneOfMany().FindStringSubmatchIndex(title)
	return at != nil && !countBefore().MatchString(title[:at[2]]) || sharedWords.in(strings.ToLower(title))
}

// roomsIn returns the number of rooms: as a fact of its own, else in the title, else anywhere, or 0. A Portuguese T2
// has two bedrooms, and a French one two rooms. It charges the work to a task.
func roomsIn(work *turns.Task, values []labelled, title, country string) float64 {
	for _, v := range values {
		number, _, _ := strings.Cut(v.text, " (")
		if v.label != "" && roomLabel().MatchString(v.label) && bareNumber().MatchString(number) {
			return roomNumber(number)
		}
	}
	at := oneOfMany().FindStringSubmatchIndex(title)
	if at != nil && !countBefore().MatchString(title[:at[2]]) {
		return 0
	}
	var named, short, long []labelled
	for _, v := range values {
		if v.letters >= 30 {
			long = append(long, v)
			continue
		}
		short = append(short, v)
		if numberAfterRooms(v.text) != "" {
			named = append(named, v)
		}
	}
	inTitle := labelled{text: title, letters: letters(title), amounts: amountsIn(nil, title)}
	facts := append(append(named, inTitle), short...)
	for _, v := range facts {
		if rooms := v.roomsInDigits(country); isRooms(rooms) {
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
		if rooms := v.roomsInDigits(country); isRooms(rooms) {
			return rooms
		}
		work.Step(stepsOfLetter * len(v.text))
		if rooms := v.roomsInLetters(); isRooms(rooms) {
			return rooms
		}
	}
	return 0
}

func isRooms(n float64) bool { return n > 0 && n < 30 }

// roomsInDigits returns the number of rooms in one text, or 0.
func (v labelled) roomsInDigits(country string) float64 {
	text := v.text
	if !hasDigit(text) {
		return 0
	}
	for _, a := range v.amounts {
		if a.unit == roomCount && !a.inRange {
			return a.value
		}
	}
	if number := numberAfterRooms(text); number != "" {
		return roomNumber(number)
	}
	if !strings.ContainsAny(text, "TF+") {
		return 0
	}
	if found := homeType().FindStringSubmatch(text); found != nil && (country != "pt" || found[2] != "") {
		return roomNumber(found[1] + found[2])
	}
	return 0
}

// numberAfterRooms returns the number after a name of rooms, or "".
func numberAfterRooms(text string) string {
	if !hasDigit(text) || !roomWord.in(strings.ToLower(text)) {
		return ""
	}
	for _, at := range roomsBefore().FindAllStringSubmatchIndex(text, 20) {
		if !notRooms().MatchString(text[at[3]:]) {
			return text[at[2]:at[3]]
		}
	}
	return ""
}

// roomsInLetters returns a number of rooms that is written as a word, or 0.
func (v labelled) roomsInLetters() float64 {
	text := v.text
	if v.letters == 0 {
		return 0
	}
	if found := roomsSaid().FindStringSubmatch(text); found != nil {
		return countedWords[strings.ToLower(found[1])]
	}
	if studioWord().MatchString(text) {
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
