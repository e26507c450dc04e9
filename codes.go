// The postal code that stands in an address, the country of a code that several countries have, and the names of cities
// in several languages.

package main

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// codeIn returns the postal code in an address, or "" if there is none, or if it is not clear which code is meant.
// Codes of the constraint come before all others. Without a constraint, the country must also be clear (see
// isOfOneCountry). country is the country of the site, or "".
func (p *PostalCodes) codeIn(address, constraint, country string) string {
	if p == nil || len(address) > maxAddress {
		return ""
	}
	address = strings.Map(narrow, address)
	bounds, hasConstraint := p.constraints[constraint]
	own, all := map[string]bool{}, map[string]bool{} // codes of the constraint, and of all files
	for _, entry := range p.writtenIn(address) {
		code := entry.PostalCode.String()
		all[code] = true
		if hasConstraint && bounds.covers(entry) {
			own[code] = true
		}
	}
	found := own
	if len(own) == 0 {
		found = all
	}
	if len(found) != 1 {
		return ""
	}
	code := slices.Collect(maps.Keys(found))[0] // the only one
	if !hasConstraint {
		if p.isOfOneCountry(address, code, country) {
			return code
		}
		return ""
	}
	// writtenIn leaves out an entry that may be a house number, unless the address names its town. So the constraint may
	// have the found code too, for a town that the address does not name. Then it is not clear which town is meant.
	isUnclear := len(own) == 0 && p.get(constraint, code) != nil
	if isUnclear {
		return ""
	}
	return code
}

// isOfOneCountry reports whether it is clear of which country a code in an address is: only one country has the code,
// or the address tells the country. For a code of five digits or more the address tells too little: writtenIn finds
// such a code even if the address does not name its town.
func (p *PostalCodes) isOfOneCountry(address, code, country string) bool {
	if !p.isInSeveralCountries(code) {
		return true
	}
	return !fiveOrMoreDigits().MatchString(code) && p.countryIn(address, code, country) != ""
}

// isInSeveralCountries reports whether the entries of a code are in more than one country.
func (p *PostalCodes) isInSeveralCountries(code string) bool {
	countries := map[string]bool{}
	for entry := range p.entriesOf(compact(code)) {
		if entry.PostalCode.String() == code {
			countries[entry.country()] = true
		}
	}
	return len(countries) > 1
}

// writtenIn returns the entries whose codes occur in an address: as one word, or as two with only
// spaces or hyphens between them.
func (p *PostalCodes) writtenIn(address string) (found []*PostalCode) {
	all := newAddressWords(words(address))
	isBreak := func(r rune) bool { return isSeparator(r) && r != '-' && !unicode.IsSpace(r) }
	for part := range strings.FieldsFuncSeq(address, isBreak) {
		list := words(part)
		for len(list) > 0 {
			entries, n := p.codeAt(list, all)
			found = append(found, entries...)
			list = list[n:]
		}
	}
	return found
}

// codeAt returns the entries of the code at the start of a list of words, and the number of words that it takes. If
// there is no code, it returns no entries and 1. all are the words of the address.
func (p *PostalCodes) codeAt(list []string, all addressWords) (found []*PostalCode, length int) {
	for n := min(2, len(list)); n >= 1; n-- {
		span := list[:n]
		for entry := range p.entriesOf(strings.Join(span, "")) {
			isAsInFile := entry.isSpelledBy(span) && (entry.isWhole() || entry.isNoHouseNumber(all))
			// Countries with five digits have equal codes but for the separator: 01-234 in Poland, 01234 in Germany. So a
			// code in other groups than in its file needs its town, unless it has six digits.
			hasSixDigits := sixOrMoreDigits().MatchString(entry.PostalCode.String())
			isRegrouped := entry.isRegrouped(span) && (hasSixDigits || entry.hasTownIn(all))
			if isAsInFile || isRegrouped {
				found = append(found, entry)
			}
		}
		if len(found) > 0 {
			return found, n
		}
	}
	if found, length = p.outwardAt(list, all); length > 0 {
		return found, length
	}
	return p.prefixed(list[0], all), 1
}

// inwardParts match the second parts of codes, by country. The files of GeoNames have only the first parts, the outward
// ones.
var inwardParts = map[string]pattern{
	"GB": newPattern(`^[0-9][a-z]{2}$`),
	"CA": newPattern(`^[0-9][a-z][0-9]$`),
	"NL": newPattern(`^[a-z]{2}$`),
	// Four letters and digits, of which at least one is a digit.
	"IE": newPattern(`^(?:[0-9][0-9a-z]{3}|[0-9a-z][0-9][0-9a-z]{2}|[0-9a-z]{2}[0-9][0-9a-z]|[0-9a-z]{3}[0-9])$`),
}

// ordinal matches what may be the inward part of a British code, or an ordinal: "Flat E8 1st floor".
var ordinal = newPattern(`^[0-9](?:st|nd|rd|th)$`)

// outwardAt returns the entries of the outward part at the start of a list of words, if its inward part follows, joined
// or as the next word, and the number of words that the code takes. If there is no such code, it returns 0. A code
// without letters, or with an inward part that may be an ordinal, also needs the name of its town in the address.
func (p *PostalCodes) outwardAt(list []string, all addressWords) (found []*PostalCode, length int) {
	withInward := func(outward, inward string) (found []*PostalCode) {
		for entry := range p.entriesOf(outward) {
			pattern := inwardParts[entry.country()]
			if pattern == nil || !pattern().MatchString(inward) {
				continue
			}
			hasLetter := strings.ContainsFunc(outward, unicode.IsLetter)
			isSurelyCode := hasLetter && !ordinal().MatchString(inward)
			if isSurelyCode || entry.isNoHouseNumber(all) {
				found = append(found, entry)
			}
		}
		return found
	}
	if len(list) > 1 {
		if found = withInward(list[0], list[1]); found != nil {
			return found, 2
		}
	}
	word := list[0]
	// An inward part has 2 characters in the Netherlands, 3 in Great Britain and Canada, and 4 in Ireland. The outward
	// part before it has at least 2.
	for inwardLength := 2; inwardLength <= 4; inwardLength++ {
		outwardLength := len(word) - inwardLength
		if outwardLength < 2 {
			break
		}
		if found = withInward(word[:outwardLength], word[outwardLength:]); found != nil {
			return found, 1
		}
	}
	return nil, 0
}

// loadedPrefixes are the letters before the digits of codes in the files of GeoNames, such as L-1111 and LV-1010.
var loadedPrefixes = []string{"l", "lv", "lt", "ad", "md", "az"}

// prefixedCode matches letters and as many digits as codes have: 3 in Andorra, 6 in Romania.
var prefixedCode = newPattern(`^([a-z]{1,2})([0-9]{3,6})$`)

// prefixed returns the entries of a code before which only the file or only the address has the letters of the country:
// L-1111 in the file and 1111 in the address, or 8001 in the file and CH8001 in the address. The code must be no house
// number.
func (p *PostalCodes) prefixed(word string, all addressWords) (found []*PostalCode) {
	add := func(code, letters string) {
		country := countryOfLetters(letters)
		for entry := range p.entriesOf(code) {
			isOfCountry := country != "" && strings.EqualFold(entry.country(), country)
			if isOfCountry && entry.isNoHouseNumber(all) {
				found = append(found, entry)
			}
		}
	}
	if parts := prefixedCode().FindStringSubmatch(word); parts != nil {
		letters, digits := parts[1], parts[2]
		add(digits, letters) // only the address has the letters
		return found
	}
	isNumber := strings.Trim(word, "0123456789") == ""
	if isNumber {
		for _, letters := range loadedPrefixes {
			add(letters+word, letters) // only the file has them
		}
	}
	return found
}

// isSpelledBy reports whether words spell the code. A code with a space or a letter may also be
// written with more or fewer words: "1012 AB" as "1012AB". A code of digits and hyphens may not.
func (c *PostalCode) isSpelledBy(written []string) bool {
	code := c.PostalCode.String()
	own := words(code)
	if slices.Equal(own, written) {
		return true
	}
	isSpaceOrLetter := func(r rune) bool { return r == ' ' || unicode.IsLetter(r) }
	maySplitOrJoin := strings.ContainsFunc(code, isSpaceOrLetter) && len(own) != len(written)
	return maySplitOrJoin && strings.Join(own, "") == strings.Join(written, "")
}

// isRegrouped reports whether words spell a code of digits and hyphens with another separator or none: 01310-100
// as 01310100, 00-545 as 00545, 560001 as 560 001. Two words of other lengths, such as 5 60001, do not: the first may
// be a house number.
func (c *PostalCode) isRegrouped(written []string) bool {
	own := words(c.PostalCode.String())
	joined := strings.Join(written, "")
	hasDigitsAlone := strings.Trim(joined, "0123456789") == ""
	if joined != strings.Join(own, "") || !hasDigitsAlone {
		return false
	}
	isJoined := len(written) == 1 && len(own) == 2
	isSplit := len(written) == 2 && len(own) == 1 && len(written[0]) == 3 && len(written[1]) == 3
	return isJoined || isSplit
}

// wholeCodes match codes with an outward part that has letters, and an inward part.
var wholeCodes = map[string]pattern{
	"GB": newPattern(`^[a-z]{1,2}[0-9][0-9a-z]?[0-9][a-z]{2}$`),
	"CA": newPattern(`^[a-z][0-9][a-z][0-9][a-z][0-9]$`),
}

// isWhole reports whether the code has both parts, such as SW1A 2AA. Nothing else in an address looks like that.
func (c *PostalCode) isWhole() bool {
	pattern := wholeCodes[c.country()]
	return pattern != nil && pattern().MatchString(compact(c.PostalCode.String()))
}

var (
	fiveOrMoreDigits = newPattern(`([0-9].*){5}`)
	sixOrMoreDigits  = newPattern(`([0-9].*){6}`)
)

// addressWords are the words of an address.
type addressWords struct {
	list   []string
	joined string // with a space before and after each
}

func newAddressWords(list []string) addressWords {
	return addressWords{list, " " + strings.Join(list, " ") + " "}
}

// isNoHouseNumber reports whether the code is no house number in an address: it has more digits than those have, or the
// address names its town.
func (c *PostalCode) isNoHouseNumber(all addressWords) bool {
	return fiveOrMoreDigits().MatchString(c.PostalCode.String()) || c.hasTownIn(all)
}

// hasTownIn reports whether an address has one of the names of the code's town.
func (c *PostalCode) hasTownIn(all addressWords) bool {
	isInAddress := func(name string) bool { return strings.Contains(all.joined, " "+name+" ") }
	return slices.ContainsFunc(c.townNames(), isInAddress)
}

// maxAddress is the maximum length of an address in bytes. A longer text is not an address.
const maxAddress = 1000

// countryIn returns the country of a code in an address, or "" if it is not clear. The address must have the name of
// the code's town next to the code, or at the start of a part. If it has that for several countries, these decide in
// turn: the country at the end of the address, the letters before the code, and the given country. If the address ends
// with the name of another country, countryIn returns "".
func (p *PostalCodes) countryIn(address, code, country string) string {
	if p == nil || len(address) > maxAddress {
		return ""
	}
	var parts []addressPart
	// A hyphen between spaces separates parts, one in a name such as Saint-Gilles does not (isPartBreak).
	address = strings.ReplaceAll(strings.Map(narrow, address), " - ", ", ")
	for part := range strings.FieldsFuncSeq(address, isPartBreak) {
		parts = append(parts, newAddressPart(part, compact(code)))
	}
	var countries []string // those with a town in the address that has the code
	for entry := range p.entriesOf(compact(code)) {
		isInAddress := func(town string) bool {
			return slices.ContainsFunc(parts, func(part addressPart) bool { return part.hasTown(town) })
		}
		if entry.PostalCode.String() == code && slices.ContainsFunc(entry.townNames(), isInAddress) {
			countries = append(countries, entry.country())
		}
	}
	slices.Sort(countries)
	countries = slices.Compact(countries)
	atEnd := countryAtEnd(parts)
	if atEnd != "" && !slices.Contains(countries, atEnd) {
		return ""
	}
	hints := []string{atEnd}
	for _, part := range parts {
		hints = append(hints, part.country) // by the letters before the code
	}
	hints = append(hints, country)
	for _, hint := range hints {
		if slices.Contains(countries, hint) {
			return hint
		}
	}
	if len(countries) == 1 {
		return countries[0]
	}
	return ""
}

// narrow returns the ASCII character for a wide one, as in Japanese addresses, and any other
// character as it is.
func narrow(r rune) rune {
	if '！' <= r && r <= '～' {
		return r - '！' + '!'
	}
	return r
}

// isPartBreak reports whether a character separates the parts of an address.
func isPartBreak(r rune) bool {
	return isSeparator(r) && r != '-' && r != '.' && r != '\'' && !unicode.IsSpace(r)
}

// An addressPart is a part of an address, between commas.
type addressPart struct {
	words     []string // simplified, without the code
	codeIndex int      // the number of words before the code, or -1 if the code is not in this part
	country   string   // the country whose letters stand before the code, or ""
}

// letteredCode matches a code with letters joined to it: CH8001, 3011AD.
var letteredCode = newPattern(`^([a-z]{0,2})([0-9]+)[a-z]{0,2}$`)

// newAddressPart returns a part of an address, and looks in it for a code in the compact form.
func newAddressPart(text, code string) addressPart {
	part := addressPart{codeIndex: -1}
	for t := (tokenizer{text: text}); t.next(); {
		word, letters := string(t.word), ""
		if parts := letteredCode().FindStringSubmatch(word); parts != nil && parts[2] == code {
			word, letters = code, parts[1]
		}
		isCode := word == code && part.codeIndex < 0 // a second one is a house number
		if !isCode {
			part.words = append(part.words, word)
			continue
		}
		part.codeIndex = len(part.words)
		if letters == "" && part.codeIndex > 0 { // they may be a word of their own: CH 8001
			letters = part.words[part.codeIndex-1]
		}
		part.country = countryOfLetters(letters)
	}
	return part
}

// countryLetters maps letters that people write before codes, in addition to those of ISO 3166, to their countries.
var countryLetters = map[string]string{"a": "AT", "b": "BE", "d": "DE", "e": "ES", "f": "FR", "fin": "FI", "fl": "LI",
	"h": "HU", "i": "IT", "l": "LU", "n": "NO", "p": "PT", "s": "SE", "slo": "SI"}

// countryOfLetters returns the country that letters before a code may mean, such as LU for "l" or "lu", or "". Any two
// letters may be a country, because callers ask only whether it is one of those with the code.
func countryOfLetters(letters string) string {
	if country := countryLetters[letters]; country != "" {
		return country
	}
	if len(letters) == len("ch") {
		return strings.ToUpper(letters)
	}
	return ""
}

var (
	// A town's name after wayBefore, or before wayAfter, is the name of a street.
	wayBefore = newPattern(`^(?:rue|avenue|av|boulevard|bd|place|via|viale|corso|piazza|calle|avenida|rua|ul|` +
		`allee|laan|straat|plein|weg|platz)$`)
	wayAfter = newPattern(`^(?:street|st|road|rd|avenue|ave|drive|dr|lane|ln|way|boulevard|blvd|court|terrace|` +
		`strasse|str|straat|laan|plein|platz|gasse|allee|gade|vej|gata|gatan)$`)
)

// hasTown reports whether the part has the name of a town after the code, perhaps with one word between them, or begins
// with the name and is no street.
func (p addressPart) hasTown(town string) bool {
	if p.codeIndex >= 0 {
		afterCode := p.words[p.codeIndex:]
		if beginWithTown(afterCode, town) {
			return true
		}
		// "1000 rue Bruxelles" has the name of a street.
		maySkipWord := len(afterCode) > 0 && !wayBefore().MatchString(afterCode[0])
		if maySkipWord && beginWithTown(afterCode[1:], town) {
			return true
		}
	}
	withoutArticle := p.words
	for len(withoutArticle) > 1 && len(withoutArticle[0]) <= 2 { // such as Le, La and St
		withoutArticle = withoutArticle[1:]
	}
	return beginWithTown(withoutArticle, town) && !slices.ContainsFunc(withoutArticle, isOfStreet)
}

// isOfStreet reports whether a word shows that the words around it name a street, perhaps with the house number.
func isOfStreet(word string) bool {
	return strings.ContainsAny(word, "0123456789") || wayBefore().MatchString(word) || wayAfter().MatchString(word)
}

// beginWithTown reports whether words begin with the name of a town, and not with that of a street as in
// "Lausanne Ave".
func beginWithTown(list []string, town string) bool {
	rest, hasTown := strings.CutPrefix(strings.Join(list, " ")+" ", town+" ")
	next, _, _ := strings.Cut(rest, " ")
	return hasTown && !wayAfter().MatchString(next)
}

// countryAtEnd returns the country whose name is the last part of an address, or "".
func countryAtEnd(parts []addressPart) string {
	if len(parts) == 0 {
		return ""
	}
	return countryNames[strings.Join(parts[len(parts)-1].words, " ")]
}

// longestCity is the number of words of the longest name in cityNames.
const longestCity = 4

// cityNames has all names of a city, by country and by each of the names, simplified as words are:
// cityNames["CH"]["bale"] is "basel", "bale", "basle" and "basilea". The cities are large ones whose names differ in
// the languages of their country and its neighbours. The municipalities of Brussels are also called by its name.
var cityNames = makeCityNames(map[string]string{
	"AT": "Wien,Vienna,Vienne,Viena,Bécs,Vídeň,Wiedeń / Salzburg,Salzbourg / Klagenfurt,Celovec / Villach,Beljak / " +
		"Wiener Neustadt,Wr Neustadt",
	"BE": "Antwerpen,Anvers,Antwerp,Amberes / Gent,Gand,Ghent / Liège,Luik,Lüttich / Brugge,Bruges,Brügge / " +
		"Namur,Namen / Leuven,Louvain,Löwen / Mons,Bergen / Mechelen,Malines,Mecheln / Aalst,Alost / " +
		"Kortrijk,Courtrai / Oostende,Ostende,Ostend / Sint Niklaas,Saint Nicolas / Tournai,Doornik / " +
		"Roeselare,Roulers / Ieper,Ypres,Ypern / Dendermonde,Termonde / Ronse,Renaix / Halle,Hal / Wavre,Waver / " +
		"Nivelles,Nijvel / Bruxelles,Brussel,Brussels,Brüssel,Bruselas,Bruxelas,Ixelles,Elsene,Schaerbeek,Schaarbeek," +
		"Anderlecht,Uccle,Ukkel,Etterbeek,Saint Gilles,Sint Gillis,Forest,Vorst,Molenbeek Saint Jean," +
		"Sint Jans Molenbeek,Molenbeek,Jette,Evere,Ganshoren,Koekelberg,Laeken,Laken,Auderghem,Oudergem," +
		"Watermael Boitsfort,Watermaal Bosvoorde,Woluwe Saint Lambert,Sint Lambrechts Woluwe,Woluwe Saint Pierre," +
		"Sint Pieters Woluwe,Saint Josse Ten Noode,Sint Joost Ten Node,Berchem Sainte Agathe,Sint Agatha Berchem",
	"CH": "Zürich,Zurigo / Genève,Genf,Geneva,Ginevra,Ginebra / Basel,Bâle,Basle,Basilea / Lausanne,Losanna / " +
		"Bern,Berne,Berna / Winterthur,Winterthour / Luzern,Lucerne,Lucerna / St Gallen,Saint Gall,San Gallo / " +
		"Biel,Bienne / Thun,Thoune / Fribourg,Freiburg,Friburgo / Schaffhausen,Schaffhouse / Chur,Coire,Coira / " +
		"Neuchâtel,Neuenburg / Sion,Sitten / Sierre,Siders / Zug,Zoug,Zugo / Solothurn,Soleure / Delémont,Delsberg / " +
		"Bellinzona,Bellinzone,Bellenz / Murten,Morat / Porrentruy,Pruntrut / Vevey,Vivis / Davos,Tavau",
	"CZ": "Praha,Prague,Prag,Praga / Brno,Brünn / Plzeň,Pilsen / Ostrava,Ostrau / Olomouc,Olmütz / " +
		"Liberec,Reichenberg / České Budějovice,Budweis / Karlovy Vary,Karlsbad,Carlsbad / Jihlava,Iglau / Opava,Troppau",
	"DK": "København,Copenhagen,Kopenhagen,Copenhague,Köpenhamn / Aarhus,Århus / Aalborg,Ålborg / " +
		"Helsingør,Elsinore / Aabenraa,Åbenrå / Roskilde,Röskilde",
	"GB": "London,Londres / Cardiff,Caerdydd / Swansea,Abertawe / Newport,Casnewydd / Edinburgh,Edimbourg,Edinburg / " +
		"Wrexham,Wrecsam / Londonderry,Derry",
	"IE": "Dublin,Baile Átha Cliath / Cork,Corcaigh / Galway,Gaillimh / Limerick,Luimneach / Waterford,Port Láirge / " +
		"Kilkenny,Cill Chainnigh / Sligo,Sligeach / Dún Laoghaire,Dunleary",
	"LU": "Luxembourg,Luxemburg,Lëtzebuerg / Esch sur Alzette,Esch an der Alzette,Esch Uelzecht,Esch / " +
		"Differdange,Differdingen,Déifferdeng / Dudelange,Düdelingen,Diddeleng / Ettelbruck,Ettelbrück / " +
		"Diekirch,Dikrech / Echternach,Iechternach",
	"NL": "Den Haag,s Gravenhage,The Hague,La Haye / s Hertogenbosch,Den Bosch,Bois le Duc / Vlissingen,Flushing / " +
		"Leiden,Leyden / Nijmegen,Nimwegen / Leeuwarden,Ljouwert / Rotterdam,Roterdam / Groningen,Grunn",
	"NO": "Oslo,Kristiania / Tromsø,Romsa / Kristiansand,Christiansand / Ålesund,Aalesund",
	"SE": "Göteborg,Gothenburg / Malmö,Malmo",
})

// countryNames has the countries of cityNames, and others in which the same code means another town. The keys are their
// names in several languages, simplified as words are.
var countryNames = makeCountryNames(map[string]string{
	"AT": "Austria,Österreich,Autriche,Oostenrijk,Østrig",
	"BE": "Belgium,België,Belgique,Belgien,Belgio,Bélgica",
	"BG": "Bulgaria",
	"CH": "Switzerland,Schweiz,Die Schweiz,Suisse,Svizzera,Suiza,Zwitserland",
	"CZ": "Czechia,Czech Republic,Česko,Tschechien",
	"DE": "Germany,Deutschland,Allemagne,Germania,Duitsland,Tyskland",
	"DK": "Denmark,Danmark,Dänemark,Danemark,Denemarken",
	"ES": "Spain,España,Spanien,Espagne",
	"FR": "France,Frankreich,Francia,Frankrijk",
	"HU": "Hungary,Magyarország,Ungarn",
	"IT": "Italy,Italia,Italien,Italie",
	"LU": "Luxembourg,Luxemburg,Lëtzebuerg",
	"NL": "Netherlands,The Netherlands,Nederland,Niederlande,Pays Bas,Holland",
	"NO": "Norway,Norge,Noreg,Norwegen,Norvège",
	"PT": "Portugal",
	"SE": "Sweden,Sverige,Schweden,Suède",
	"SI": "Slovenia,Slovenija",
	"AU": "Australia", "NZ": "New Zealand", "US": "USA,United States,United States of America", "ZA": "South Africa",
})

func makeCountryNames(countries map[string]string) map[string]string {
	made := map[string]string{}
	for country, names := range countries {
		for name := range strings.SplitSeq(names, ",") {
			for _, spelling := range spellings(name) {
				made[spelling] = country
			}
		}
	}
	return made
}

// makeCityNames parses the groups of names of each country.
func makeCityNames(countries map[string]string) map[string]map[string][]string {
	made := map[string]map[string][]string{}
	for country, groups := range countries {
		made[country] = map[string][]string{}
		for group := range strings.SplitSeq(groups, " / ") {
			var names []string
			for name := range strings.SplitSeq(group, ",") {
				names = append(names, spellings(name)...)
			}
			for _, name := range names {
				made[country][name] = names
			}
		}
	}
	return made
}

// spellings returns a name simplified as words are and, if it is one word with an umlaut, also with ae,
// oe or ue.
func spellings(name string) []string {
	list := words(name)
	if !strings.Contains(name, " ") {
		return list // the word and, for one with an umlaut, its other spelling
	}
	return []string{strings.Join(list, " ")}
}

var threeOrMoreLetters = newPattern(`(\pL.*){3}`)

// townNames returns the names that an address may have for the code's town: the first word of three letters or more,
// which is "Havre" in "Le Havre", and all names of the city in cityNames. They are simplified as words are.
func (c *PostalCode) townNames() (names []string) {
	own := words(c.Name.String())
	if i := slices.IndexFunc(own, threeOrMoreLetters().MatchString); i >= 0 {
		names = append(names, own[i])
	}
	for n := 1; n <= min(len(own), longestCity); n++ {
		names = append(names, cityNames[c.country()][strings.Join(own[:n], " ")]...)
	}
	return names
}
