// Searches: what a mail was sent for. Of a search for homes, a title with a price is enough for a listing.

package listing

import (
	"slices"
	"strings"
	"unicode"
)

// A mailSearch is the search that a mail was sent for, as its name tells it.
type mailSearch struct {
	isOfHomes      bool
	isRent, isSale bool // its name says so
	isFromPerson   bool // the mail
}

// searchOf returns the search that a mail was sent for. Its name is in the subject, or in a line above the first card.
func (r *cardReader) searchOf(topic string, cards []*card, isFromPerson bool) mailSearch {
	s := mailSearch{isFromPerson: isFromPerson}
	names := []string{topic}
	if len(cards) > 0 {
		for i := max(0, cards[0].start-linesOfSearch); i < cards[0].start; i++ {
			names = append(names, r.leaves[i].text)
		}
	}
	isNews := newsWords.in(strings.ToLower(strings.Join(names, "\n")))
	for i, name := range names {
		r.work.Step(20 * len(name))
		isOfThings := namesThing(name)
		if isOfThings && i == 0 {
			break
		}
		if isNews && !isOfThings && !forAnyHome().MatchString(name) && isSearchForHomes(name) {
			lower := strings.ToLower(name)
			s.isOfHomes = true
			s.isRent, s.isSale = s.isRent || toRent.in(lower), s.isSale || toBuy.in(lower)
		}
	}
	return s
}

const linesOfSearch = 8 // above the first card

// isSearchForHomes reports whether a text is the name of a search for homes, or has it after a colon or in quotes.
func isSearchForHomes(text string) bool {
	if !wholeHome().MatchString(text) {
		return false
	}
	lower := strings.ToLower(text)
	if toRent.in(lower) || toBuy.in(lower) {
		return true
	}
	_, after, _ := strings.Cut(text, ":")
	return slices.ContainsFunc(append(inQuotes().FindAllString(text, 4), after), namesFlat)
}

// namesFlat reports whether a text has the word of a home that goods are rarely for, as "house" is.
func namesFlat(text string) bool {
	return slices.ContainsFunc(wholeHome().FindAllString(text, 8), func(word string) bool {
		return !houses[strings.ToLower(strings.TrimFunc(word, isBetweenWords))]
	})
}

func isBetweenWords(r rune) bool { return !unicode.IsLetter(r) }

var houses = setOf("house houses homes haus häuser huis huizen hus huse maison maisons casa casas case villa " +
	"ville domy piso pisos " +
	"rum room rooms zimmer immobilien properties")

// namesWish reports whether a title is one of somebody who looks for a home.
func namesWish(title string) bool {
	return isWish().MatchString(title) && !tenantWanted().MatchString(title)
}

// namesThing reports whether a text, such as a title or the name of a search, names a thing, a job, a garage, a stay or
// a wish. What comes after the word of a home belongs to it.
func namesThing(text string) bool {
	lower := strings.ToLower(text)
	if isWanted().MatchString(text) && !tenantWanted().MatchString(text) || lodgingWords.in(lower) ||
		homeAndGarden().MatchString(text) {
		return true
	}
	if len(lower) == len(text) {
		for _, form := range []pattern{wholeHome, roomsOfHome, besideHome} {
			if home := form().FindStringIndex(lower); home != nil {
				lower = lower[:home[0]+1]
			}
		}
	}
	return things.in(lower) || works.in(lower) || services.in(lower) || commercial.in(lower) || goods.in(lower)
}

// lacks returns what a listing of a title and a price lacks, or "" if that is enough.
func (s *mailSearch) lacks(title string, cost float64, currency string) string {
	switch {
	case title == "" || cost == 0:
		return "there are a title and a price"
	case !s.isOfHomes:
		return "the subject, or a line above the first one, names a search for homes"
	case s.isFromPerson:
		return "the sender is not a person"
	case namesThing(title) || namesWish(title):
		return "the title does not name something else"
	case !s.isPlausible(cost, currency):
		return "the price is one of a home"
	}
	return ""
}

// The costs of a home of which there is only a title. The highest rent is in one of strongCurrencies.
const (
	leastRent   = 50
	highestRent = 20_000
	leastSale   = 5_000
)

var strongCurrencies = setOf("EUR USD GBP CHF CAD AUD NZD")

// isPlausible reports whether a cost may be one of a home that the search asks for.
func (s *mailSearch) isPlausible(cost float64, currency string) bool {
	switch {
	case s.isSale && !s.isRent:
		return cost >= leastSale
	case s.isRent && !s.isSale:
		return cost >= leastRent && (cost <= highestRent || !strongCurrencies[currency])
	}
	return cost >= leastRent
}

// Whole words of homes, as searches and categories name them. What only holds such a word is something else.
const wordsOfHomes = `flats?|apartments?|houses?|homes|housing|rooms?|studios?|bedsits?|maisonettes?|` +
	`townhouses?|condos?|` +
	`lettings|rentals?|flat ?shares?|house ?shares?|properties|` +
	`(?:\p{L}+-?)?(?:zimmer-?)?wohnungen|(?:\p{L}+-?)?wohnung|(?:einfamilien|reihen|mehrfamilien|zweifamilien|` +
	`doppel|stadt|miet)?(?:haus|häuser)|doppelhaushälften?|(?:wg-|miet)?zimmer|wgs?|wohngemeinschaft(?:en)?|` +
	`immobilien|` +
	`(?:huur|koop|nieuwbouw)?woning(?:en)?|huizen|huis|appartement(?:en)?|kamers?|huurkamers?|studio's|` +
	`appartements?|apparts?|maisons?|logements?|colocations?|chambres?|immobilier|` +
	`appartament[oi]|monolocal[ei]|bilocal[ei]|trilocal[ei]|quadrilocal[ei]|cas[ae]|stanz[ae]|camer[ae]|affitt[oi]|` +
	`immobili|vill[ae]|` +
	`pisos?|viviendas?|apartamentos?|casas?|habitaci(?:ón|ones)|áticos?|inmuebles?|departamentos?|` +
	`moradias?|quartos?|imóve(?:l|is)|arrendamentos?|` +
	`(?:hyres)?lägenhet(?:er)?|bostad|bostäder|bostadsrätt(?:er)?|hyresrätt(?:er)?|villor|radhus|hus|rum|` +
	`leiligheter?|(?:leie)?bolig(?:er)?|hybler|hybel|hybelleiligheter?|rekkehus|enebolig(?:er)?|` +
	`lejlighed(?:er)?|(?:leje|andels|ejer)bolig(?:er)?|ejerlejligheder|lejelejligheder|værelser?|rækkehuse?|huse|` +
	`asunto|asunnot|vuokra-asun(?:to|not)|kerrostalot?|yksiöt?|kaksiot?|omakotitalot?|rivitalot?|` +
	`mieszkani[ae]|mieszkań|pokoj[eu]|pokój|domy|kawalerk[ia]|nieruchomości|` +
	`byty?|bytů|bytu|domů|pokoje|lakás(?:ok)?|albérlet(?:ek)?|házak?|apartamente?|garsonier[ăe]|cas[ăe]|` +
	`locuințe|` +
	`stan|stanovi|stanovanj[ae]|kuć[ae]|sob[ae]|hiš[ae]|daire(?:ler)?|konut|διαμερίσματα?|` +
	`διαμέρισμα|κατοικί(?:α|ες)|` +
	`квартир[аиыу]?|будинк[иу]|кімнат[аиу]|комнат[аыу]|` +
	`апартаменти?|къщ[аи]|butas|butai|butų|dzīvok[ļl]\p{L}+|` +
	`korter(?:id)?`

var (
	wholeHome = newPattern(`(?i)(?:^|[^\p{L}-]|\d-)(?:` + wordsOfHomes + `)(?:[^\p{L}'’-]|$)|` +
		`賃貸|マンション|アパート|租房|公寓|아파트|원룸|오피스텔`)
	// roomsOfHome matches a number of rooms in a title, such as "3 Zi." or "T2".
	roomsOfHome = newPattern(`(?i)(?:^|[^\p{L}\d])(?:\d(?:[.,]\d)?[ -]?(?:zi|zkb|raum|rk|bed|br|bd|rok|rums?|roms?|vær|` +
		`pi[eè]ces?|p|locali|hab|pok|szob|\+)|[tf][1-6])(?:[^\p{L}\d]|$)`)
	// isWanted matches the name of a search for wishes, isWish the title of one, and tenantWanted what somebody writes
	// who has a home.
	isWanted = newPattern(`(?i)(?:^|\P{L})(?:\p{L}*gesuche?|\p{L}*gesucht|wanted|demandes? de location|gezocht|søkes|` +
		`ønskes|sökes|poptávka|kupię|сниму|куплю|tausche?|tauschwohnung|wohnungstausch|swaps?|échange|` +
		`scambi\p{L}+|` +
		`permut\p{L}+|woningruil|ruil|bytte|byte|byten|zamieni\p{L}+)(?:\P{L}|$)`)
	isWish = newPattern(`(?i)(?:^|\P{L})(?:wir suchen|ich suche|sucht|looking for|seeks|seeking|(?:re)?cherche|` +
		`busco|busca|` +
		`buscamos|cerco|cerca|cercasi|cerchiamo|procuro|procura|zoekt|(?:wij|ik) zoek(?:en)?|søker|søger|söker|etsin|` +
		`etsimme|haetaan|halutaan|szukam|szukamy|poszukuj\p{L}+|hledám|hledáme|sháním|keresek|caut|шукаю|` +
		`ζητ[ωώ]|` +
		`ζητείται)(?:\P{L}|$)|^suche? `)
	// besideHome matches what comes before a part of a home.
	besideHome = newPattern(`(?i)(?:^|\s)(?:mit|inkl\.?|with|incl\.?|avec|con|com|met|med|inkl|z|ze|s|se|cu)\s`)
	// forAnyHome matches what goods are for.
	forAnyHome = newPattern(`(?i)(?:^|\P{L})(?:für|for|pour|per|para|voor|för|til|till|dla|pro) (?:every|each|` +
		`any|your|` +
		`jede[mnrs]?|ihre?[mnrs]?|deine?[mnrs]?|chaque|votre|ton|ogni|la tua|il tuo|la|cada|tu|su|elke?|je|jouw|uw|varje|` +
		`ditt?|hver|każdego|twojego|každý|váš) (?:\p{L}+ )?(?:` + wordsOfHomes + `|home)(?:\P{L}|$)`)
	homeAndGarden = newPattern(`(?i)(?:haus|home|house|maison|casa|huis|hus|hem|dom|dům|koti|heim|hjem)(?:halt)? ?` +
		`(?:&|\+|/|,|and|und|et|e|y|en|og|och|i|a|ja) ?(?:\p{L}+ )?(?:garten|garden|jardin|giardino|jardín|jardim|tuin|` +
		`have|hage|trädgård|ogród|zahrada|puutarha|inrichting|interior|interieur|deco|deko|living|lifestyle|` +
		`kitchen|household|haushalt|möbel|furniture|électro)`)
)

var (
	toRent = anyOf("miet|_wg_|_wgs_|_wg-|zimmer_|_rent|_let_|letting|_room|_share|louer|loyer|location|colocation|chambre",
		"affitt|locazione|stanz|camer|alquil|arriend|habitaci|arrend|alug|quarto|huur|kamer|hyr|_leie|hyb|_lej|værelse",
		"vuokr|wynaj|najem|pokoj|pokój|pronáj|prenáj|podnáj|kiad|albérlet|închiri|chirie|iznajm|najam|najem|kiralık",
		"ενοικ|оренд|аренд|_наем|под наем|nuom|_īre|izīrē|üür|賃貸|租|월세|전세")
	toBuy = anyOf("kauf|_sale|_buy|achat|achet|_vente|vendre|vendita|_venta|compra|_venda|_koop|salu_|salg|köp",
		"_køb|kjøp",
		"myytäv|myyn|sprzeda|kupn|prodej|prodaj|predaj|elad|vânz|vanzare|satılık|πώλ|πωλ|прода|pardav",
		"pārdo|müü|売買|매매")
	// things are words of what is no home, or no home to live in: goods, garages and plots.
	things = anyOf("wohnmobil|wohnwagen|wohnanhänger|motorhome|_camper|caravan|mobile home|mobil-home|autocaravan|husbil",
		"bobil|autocamper|kamper_|roulotte|_boat|_boot|hausboot|houseboat|_auto_|_car_|_cars_|voiture|_bike|fahrrad|vélo",
		"fiets|cykel|sykkel|bicicl|_roller|motorrad",
		"garage|garáž|garaż|garaj|garasje|garasjeplass|stellplatz|stellplätz|parkplatz|parkplätz|parking|parkovac",
		"parkerings|carport|box auto|posto auto|plaza de|cochera|p-plats|autopaikka|autotalli|miejsce post|otopark",
		"guardamueble|trastero|storage|lagerraum|_lager_|_cave_|_cantina_|garde-meuble|opslag|förråd|_bod_|varasto",
		"grundstück|_plot|_land_|terrain|terreno|_tomt|grundstyk|działk|pozem|telek_|bouwgrond|kleingarten|schrebergarten",
		"sofa|couch|_tisch|tisch_|_table|tavolo|_mesa|_tafel|_bord_|stuhl|stühle|_chair|_sedia|_sedie|_silla|_stoel|_stol",
		"schrank|wardrobe|armoire|armario|armadio|_kast|skap_|_skåp|szafa|skříň|_bett_|_betten|bettgestell",
		"hochbett|_lit_",
		"_cama|_sänky|_seng|_säng_|łóżk|postel|mattress|matratze|matelas|regal_|_regal|kommode|lampe_|lamp_|_lamp",
		"einbauküche|_küche|cuisine équip|kühlschrank|fridge|waschmaschine|washing machine|lave-linge|lavatrice|lavadora",
		"spülmaschine|fernseher|puppenhaus|dollhouse|doll house|doll's house|gartenhaus|spielhaus|vogelhaus|gewächshaus",
		"baumhaus|hundehütte|katzen|kratzbaum|maison de poup|poppenhuis|dukkehus|dockhus|casa de muñecas",
		"casa delle bambole",
		"lego_|playmobil|barbie|_pflanz|plants_|plantes|deko_|dekoration|spiegel|mirror|rasenmäher|werkzeug|_heizung",
		"wärmepumpe|kamin_|_ofen|auflösung|entrümpel|house clear|inboedel|dödsbo|dødsbo|flohmarkt|_flea|_markise",
		"_fenster",
		"_türen|_tür_|möbel|möbler|meuble_|meubles|muebles|mobili_|arredament|_divano|_cucina|_cocina_|keuken",
		"_køkken|_kök_|kuchni|kuchyn",
		"meubel|møbler|_soffa|_szaf|_meble|_nábytek|_postel|huonekalu|sohva|bathroom|badezimmer|badmöbel",
		"wohnzimmer|living room|schlafzimmerset|kinderzimmer|jugendzimmer|esszimmer|chambre bébé|chambre complète")
	// works are words of jobs, of those who do them and of what is written about homes.
	works = anyOf("_job|minijob|m/w/d|w/m/d|vollzeit|teilzeit|full-time|full time|part-time|part time|temps plein",
		"_cdi_|_cdd_",
		"hausmeister|haushaltshilfe|reinigungskraft|putzfrau|putzhilfe|putzkraft|concierge|_cleaner|housekeep|_nanny|au pair",
		"au-pair|femme de ménage|gardien|emplea|limpiador|_colf_|badante|domestic|schoonma|städ|rengjør|sprzątaczk",
		"uklízečk|verwalter|immobilienmakler|property manager|estate agent|negotiator|_salary|gehalt|stellenangebot",
		"vacature",
		"_praca_|työpaik|einricht|renovier|renovat|rénov|ristruttur|verbouw|_tipps|_tips|ideen|_ideas|idées|inspiration",
		"ratgeber|_guide|conseils|umzug|umzieh|_moving|déménag|trasloc|mudanza|verhui|flytt|webinar|seminar|_kurs|_course")
)
