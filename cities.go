// The names of cities in several languages.

package main

import (
	"slices"
	"strings"
)

// longestCity is the number of words of the longest name in cityNames.
const longestCity = 4

// cityNames has the names of cities by country and by one of the names, simplified as words are. It has
// the names of large cities that have different names in the languages of their country and of
// their neighbours. The municipalities of Brussels are also called by its name.
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

// countryNames has the countries of cityNames and their neighbours, by their names in several languages,
// simplified as words are.
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
		return list
	}
	return []string{strings.Join(list, " ")}
}

var threeLetters = newPattern(`(\pL.*){3}`)

// names returns the names by which addresses have the town of the code: the first word of its name that has three
// letters, and the city's names in other languages. They are simplified as words are.
func (c *PostalCode) names() (names []string) {
	own := words(c.Name.String())
	if i := slices.IndexFunc(own, threeLetters().MatchString); i >= 0 {
		names = append(names, own[i])
	}
	for n := 1; n <= min(len(own), longestCity); n++ {
		names = append(names, cityNames[c.country()][strings.Join(own[:n], " ")]...)
	}
	return names
}
