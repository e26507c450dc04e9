// Words in many languages that tell apart homes, searches, messages from people and the frame of a mail.

package listing

const (
	reducedWords = `reduced|dropped|lowered|(?:price )?(?:cut|drop|down)|gesenkt|reduziert|gefallen|preissenkung|` +
		`baissée?|(?:en )?baisse|réduite?|ribassat[oa]|ribasso|ridott[oa]|sces[oa]|(?:ha )?bajado|rebajad[oa]|rebaja|` +
		`bajada|descid[ao]|desceu|baixou|redução|sänkt|prissänkning|nedsat|prisnedsættelse|sat ned|satt ned|prisfall|` +
		`verlaagd|gezakt|gedaald|obniżon[aeoy]|obniżka|zlevněn[aoá]|sleva|snížen[aoá]|laskenut|laskettu|csökkent|` +
		`redus|знижен[аоий]|снижен[аоы]`
	someMoney = `(?:\x01+ ?)?\d[\d.,' ]*(?: ?(?:%|\x01+))?` // in a text of maskSigns
)

var (
	sentenceEnds = newPattern(`(?:\p{Ll}{3}|\d\d|[)”"»“])[.!?…](?:$|\s+\p{Lu})`)
	// beyond matches what a search asks for: at least or at most a number, or a range of sizes.
	beyond = newPattern(`(?i)(?:^|[\s(,;:„“"«|–-])(?:bis(?: zu)?|max(?:\.|imal[ty]?|imum|im)?|` +
		`maks(?:\.|imalt|imum|ymalnie)?|m[áí][xn]\.?|min(?:\.|destens|imum|im|imalt)?|up to|at least|at most|` +
		`under|jusqu.?[àa]|moins de|au moins|fino a|almeno|massimo|hasta|máximo|mínimo|tot|minimaal|maximaal|até|` +
		`do|co najmniej|högst|minst|lägst|opp til|inntil|upp till|højst|op til|enintään|vähintään|` +
		`legfeljebb|legalább|până la|nejvýše|nejvíce|alespoň|nejméně|najviac|najmenej|najviše|najmanje|` +
		`iki|kuni|vähemalt|līdz|vismaz|en fazla|en az|έως|μέχρι|τουλάχιστον|до|щонайменше|` +
		`не більше|` +
		`поне|(ab|from|dès|desde|vanaf|a partir de|od|da|från|fra|nuo|alates|` +
		`από|від|от)) ?:? ?\x01* ?\d`)
	beyondUnit = newPattern(`(?i)\d ?(?:m²|m2|qm) ?(?:[-–|]|bis|to|à|a) ?\d[\d.,]* ?(?:m²|m2|qm)|` +
		`\d ?(?:o más|or more|oder mehr|et plus|o più|of meer|ou mais|eller fler|eller flere|lub więcej|tai enemmän)|` +
		`\d ?(?:\+|(?:-|–|bis|to|à|a|tot) ?\d[\d.,]*) ?(?:m²|m2|qm|sq|zi|zimmer|` +
		`bed|bd|br|rooms?|pièces|locali|hab|kamers|rum|rom|pok|h\b)|\d ?(?:max|min)\b|` +
		`(?:m²|m2|\x01) (?:min|max)\b`)
	// forHome matches what is offered for homes of a size, or is like one: furniture, insurance, a move.
	forHome = newPattern(`(?i)\p{L} (?:für|for|pour|para|voor|för|dla|wie|like|comme|como|come) ` +
		`(?:\p{L}{1,6} )?\d[^\p{L}\d]{0,2}` +
		`(?:zimmer|bed|room|pièce|hab|kamer|rum|pok)`)
	fromCost = newPattern(`(?i)(^|\s)(?:ab|from|dès|à partir de|da|desde|vanaf|från|fra|od|alkaen|` +
		`a partir de) +(\x01|\d[\d.,' ]*\d ?\x01)`)
	// betweenFacts matches a hyphen that separates facts rather than the ends of a range.
	betweenLabels = newPattern(` / (\p{Lu}[\p{L} ]{2,20}:)`)
	// sizeRange matches a line of the sizes of several homes in one building.
	sizeRange = newPattern(`^(?:studio|\d+) ?(?:-|–|to|bis|à|a|tot) ?\d+(?:\+)? ?(?:beds?|bd|br|bedrooms?|rooms?|zimmer|` +
		`pièces|locali|hab|kamers|rum|rom)(?:$|\P{L})`)
	// afterValues matches a value and the label of the next one, as in "Rooms: 3 Area: 72 m²".
	afterValues = newPattern(`(: ?[^\s:]*\d[^\s:]*(?: (?:m²|m2|qm|€|kr|zł|Kč|£|\$))?) ` +
		`(\p{Lu}[\p{L}.]*(?: \p{Ll}+)?: ?[^\s:\p{L}]*\d)`)
	// costAndRooms matches a price before rooms or an area, as in "$900 - 2br", which is no range.
	costAndRooms = newPattern(`(\x01 ?\d[\d.,]*|\d[\d.,]* ?\x01) - (\d[\d.,]* ?(?:br|bd|beds?|rooms?|zi|zimmer|` +
		`pi[eè]ces?|p|locali|hab|kamers|rum|rom|pok|m²|m2|qm|ft2|ft²|sq)(?:\P{L}|$))`)
	// beforeTitle matches a fact before a title.
	beforeTitle  = newPattern(`(\d(?:br|bd|ft2|ft²|m²|m2|qm)?) - (\p{L}{3})`)
	betweenFacts = newPattern(`([^\s\dKkM]) - `)
	// searchHead matches the name of a search before what it asks for.
	searchHead = newPattern(`(?i)^(?:\p{L}+[ ’']){0,3}(?:search|suche|suchauftrag|suchprofil|recherche|` +
		`búsqueda|ricerca|pesquisa|busca|zoekopdracht|sökning|bevakning|søgning|søk|haku|hakuvahti|wyszukiwanie|` +
		`hledání|keresés|căutare\p{L}*|arama\p{L}*|pretraga|paieška)(?: \d+)? ?: ?\P{N}`)
	// sideArea matches an area with that of what is no room, and layoutFirst the rooms before an area.
	sideArea     = newPattern(`(\d{2}(?:[.,]\d+)?) ?\+ ?\d[\d.,]* ?(m²|m2|kvm)`)
	layoutFirst  = newPattern(`((?:^|[^\d+])\d\+(?:1|kk),?) (\d{2,3}(?:[.,]\d+)? ?m[²2])`)
	averageWords = anyOf("durchschnitt|average|_avg_|moyen|_medio_|_media di|promedio|im schnitt|i snitt|in media",
		"gemiddeld|genomsnitt|gjennomsnitt|gennemsnit|keskim|średni|průměr|átlag|médio|median|_mean_|_ø_",
		"mietspiegel")
	// reductions are words beside what a price has fallen by.
	reductions = anyOf("price cut|price drop|preissenkung|preisreduzierung|baisse de|ribasso|rebaja de|bajada de",
		"ha bajado|reduced by|gesenkt um|reduziert um|prisnedsæt|prissänkning|prisfall|obniżka|sleva|you save",
		"sie sparen|verlaagd met|gezakt met|descida de")
	// reducedTo matches words before what a price has fallen to, and reducedBy what it has fallen by.
	reducedTo = newPattern(`(?i)(?:^|[\s(,;])(?:` + reducedWords + `) (?:to|auf|à|a|tot|do|til|till|na|` +
		`la|на) ((?:\x01+ ?)?\d)`)
	reducedBy = newPattern(`(?i)(?:^|[\s(,;–-])(?:(?:` + reducedWords + `) (?:(?:by|um|de|du|d'|di|del|un|med|` +
		`met|o|cu|на) )?\d[\d.,]* ?%|(?:(?:` + reducedWords + `) (?:by|um|de|di|del|med|met|o|cu|на)|ha bajado|` +
		`a baissé) ` + someMoney + `|(?:um|by|de|med|met|di) ` + someMoney +
		` (?:gesenkt|reduziert|günstiger|gefallen|reduced|lower|cheaper|sänkt|verlaagd)|` + someMoney +
		` (?:off|cheaper|günstiger|goedkoper|billigere|billigare|moins cher)(?:\P{L}|$)|` +
		`[↓▼] ?` + someMoney + `)|\([-−–] ?` + someMoney + `\)`)
	// presently matches words before the present price.
	presently = newPattern(`(?i)(?:^|\P{L})(?:jetzt|nur noch|neuer preis|now|new price|désormais|nouveau prix|` +
		`maintenant|ahora|nuevo precio|ora|adesso|nuovo prezzo|agora|novo preço|nu|nieuwe prijs|nå|ny pris|nytt pris|` +
		`nyt|uusi hinta|teraz|nowa cena|nyní|nová cena|most|új ár|acum|тепер|сейчас|` +
		`τώρα)(?:[ :]+(?:nur |only )?)`)
	extraWords   = anyOf("cond.|_iptu|+ ")
	lodgingWords = anyOf("pro nacht|per night|la nuit|par nuit|/nuit|/ nuit|por noche|/noche|a notte|/notte",
		"per nacht|/nacht|/night|por noite|/noite|per natt|/natt|pr. nat|za noc|_notti_|_nights_|_nächte_|_nuits_",
		"_noches_|_nachten_|voyageurs|_guests|gäste|huéspedes|_ospiti|_gasten_|hotel_|hôtel|_hostel|albergo|_gîte",
		"camping|ferienhaus|ferienwohnung|vacances|check-in|checkin|_adulti_|_adults_|_erwachsene|holiday let",
		"holiday home|casa vacanze|couchages|posti letto|per person|par personne|pro person|a persona|por persona",
		"per persoon|your stay|getaway|before taxes|vor steuern|avant taxes|antes de impuestos|timeshare",
		"per dygn|/dygn|per døgn|/døgn|pr. døgn|vuorokau|za dobę|/doba|per day|pro tag|par jour|al día|al giorno",
		"_nætter|_nätter|_nocy_|_nocí_|_yötä_|_éjszaka|_nopți_",
		"hotell|time-share|multipropiedad|multiproprietà|temps partagé|teilzeitwohn|_semana propia")
	// weekOffer matches a home for one week. It has one of weekWords.
	weekOffer = newPattern(`(?i)(?:for|für|pour|för|per|por|para|voor|na|di) ` +
		`(?:one|eine?|une?|una|um|uma|een|en|én|ett|jeden|1) ` +
		`(?:week|woche|semaine|semana|settimana|uge|uke|vecka|tydzień)(?:\P{L}|$)`)
	weekWords = anyOf("_week|_woche|_semaine|_semana|_settimana|_uge|_uke|_vecka|_tydzień")
	// daysOffer matches a price of some days, or a home for one week of a year. It has a digit.
	daysOffer = newPattern(`(?i)\p{L}{4} (?:week|semana|semaine|settimana|woche) \d{1,2}(?:\D|$)|` +
		`\d\.? ?[-–] ?(?:\p{L}{2,3}\.? )?\d{1,2}\.? (?:jan|feb|mar|mär|mrz|apr|may|mai|maj|jun|jul|aug|sep|oct|okt|` +
		`out|ott|nov|dec|dez|déc|dic)|` +
		`\d ?(?:jours|nuits|days|tage|giorni|días|dagen|dagar|dage|dager|dni|` +
		`notti)[,:]? (?:(?:dès|ab|from|da|desde|vanaf|från|fra|od|à partir|for|für|pour|per|para|por|à) |` +
		`\x01 ?\d)|` +
		`\x01 ?\d[\d.,]* ?(?:per |a |/ ?)?weekend|weekend,? \x01+ ?\d`)
	// doneLine matches a line of a home that is not offered to the reader: it is sold or paid.
	doneLine = newPattern(`(?i)^(?:(?:(?:just|recently|already|now|successfully|erfolgreich|bereits|schon|` +
		`soeben|` +
		`gerade|frisch|leider|déjà|récemment|già|appena|ya|recién|já|reeds|zojuist|allerede|netop|redan|nyligen|` +
		`jo|już|` +
		`již) )*(?:sold|closed|rented|let agreed|sale agreed|verkauft|vermietet|vermittelt|` +
		`vendue?|louée?|vendid[oa]|alquilad[oa]|vendut[oa]|affittat[oa]|verkocht|verhuurd|såld|solgt|udlejet|utleid|` +
		`myyty|vuokrattu|sprzedan[ey]|wynajęt[ey]|prodáno|pronajato|eladva|kiadva|vândut|închiriat|продано|` +
		`сдано|slutpris|såldes|sold price|sale price achieved|prix de vente final|toteutunut hinta|` +
		`cena transakcyjna|` +
		`sale completed|anuncio desactivado|annonce désactivée|ya no disponible|plus disponible|nicht mehr verfügbar|` +
		`non più disponibile|niet meer beschikbaar|off the market|no longer available)` +
		`(?: (?:for|on|at|à|le|am|für|por|per|voor|för|til|in|stc)(?: |$)|` +
		` ?[\x01:|!.–-]| \d|$)|let (?:at|for) \x01|` +
		`(?:paid|bezahlt|payée?|pagado|pagato|betaald|betald|betalt|maksettu|zapłacono|` +
		`zaplaceno)$)`)
	// doneHeading matches a heading of homes that are sold or let, unless it matches notDone.
	doneHeading = newPattern(`(?i)(?:^|\P{L})(?:sold|(?:flats|homes|houses|properties|recently)(?: \p{L}+){0,2} ` +
		`let|verkaufte?|vermittelte?|vermietet|` +
		`verkochte?|verhuurde?|solgte?|utleid|såld[at]?|såldes|vendue?s|louée?s|vendid[oa]s|alquilad[oa]s|vendut[ie]|` +
		`affittat[ie]|sprzedan[ey]|wynajęt[ey]|prodan[ée]|myydyt|eladott|vândute|продан[іы]?)(?:\P{L}|$)`)
	notDone = newPattern(`(?i)(?:^|\P{L})(?:wird|werden|to be|to let|not|nicht|niet|ikke|inte|non|noch)` +
		`(?:\P{L}|$)`)
	// countedLine matches counters such as "12 views" or "place 3 of 40": the home is the reader's own, or on a waiting
	// list. Such a line has a digit.
	countedLine = newPattern(`(?i)` +
		`\d (?:views|saves|aufrufe|anfragen|vues|visualizzazioni|weergaven|visningar|visninger|katselu|wyświetle|` +
		`zobrazení|megtekintés)|(?:^|\s)(?:vue?|viewed|seen|visited|besucht|angesehen|aufgerufen|vist[oa]|bekeken|` +
		`visad|set|sett|wyświetlono|zobrazeno|katsottu|megtekintve)[: ]+\d[\d., ]* ?(?:x|fois|times|mal|volte|veces|` +
		`vezes|keer|gange|gånger|ganger|razy|krát|kertaa|alkalommal)(?:\P{L}|$)|` +
		`(?:platz|place|position|posto|plaza|plaats|plads|plats|miejsce|pozice) (?:nr\.? |no\.? )?\d+ ` +
		`(?:von|of|sur|de|di|van|af|av|z) \d|` +
		`(?:^|\s)(?:part|parts|anteile?|shares?|quote?|participación) (?:à partir de|ab|from|desde|da) (?:\x01+ ?)?\d`)
	sleepsWords = anyOf("personnes|personen|persone_|personas|_sleeps_|personer|osób|pessoas")
	weekRent    = anyOf("la semaine|par semaine|/semaine|pro woche|/woche|a settimana|por semana|per week")
	footerWords = anyOf("unsubscribe|abbestell|abmeld|désabonn|désinscri|disiscriv|annulla iscrizione|darse de baja",
		"cancelar la suscripción|cancelar inscri|cancelar subscri|afmeld|uitschrijv|avregistrera|avprenumer|avsluta",
		"avmeld|avslutt|wypisz|odhlásit|peruuta|leiratkoz|dezabon|stop these|opt out|opt-out|_copyright|©",
		"all rights reserved|alle rechte|manage alert|edit alert|your alerts|preferences|gérer mes|gérer vos",
		"gestisci|gestionar|gerir|bewerk|wijzig zoek|suchauftrag|suchagent|suchabo|suche bearbeiten|edit search",
		"saved search|modifier mon|modifier votre|ne plus recevoir|you are receiving|you're receiving",
		"sie erhalten diese|du erhältst|vous recevez|ricevi questa|has recibido|recebe este|u ontvangt|je ontvangt",
		"du får d|otrzymujesz|saat tämän|datenschutz|privacy|confidentialité|impressum|mentions légales|muokkaa",
		"hakuvahti|endre lagret|ändra bevak|view in browser|im browser|dans votre navigateur|alle angebote",
		"alle anzeigen|alle treffer|see all|view all|voir toutes|ver todos|vedi tutti|bekijk alle|visa alla",
		"zobacz wszystkie|näytä kaikki|zobrazit vše|abo löschen|stopp varsel|se alle_|odběr|odsubskryb|weergeven in",
		"toutes les annonces|all results|forward to a friend")
	buttonWords = anyOf("check |continue|start|weiter|view|see |see_|details|more details|contact|email agent|call ",
		"save|share|apply|book|request|read more|learn more|find out|show|open|voir|contacter|je découvre|découvrir",
		"plus d|en savoir|appeler|ver |ver_|contactar|llamar|más info|vedi|contatta|scopri|dettagli|zum |zur |jetzt",
		"ansehen|anzeigen|mehr |mehr_|kontakt|anfrag|merken|teilen|exposé|bekijk|meer |reageer|toon|se bolig",
		"se annons|se mer|se alle|läs mer|visa|till annons|se an|kontakta|zobacz|więcej|zadzwoń|napisz|katso",
		"lue lisää|ota yhteyttä|zobrazit|detail|více|megnéz|részletek|megtekint|vezi|detalii|saiba mais|ligar|mais ",
		"vis |vis_|les mer|se mere|læs mere")
	// actionWords are words of links that do something rather than show a listing.
	actionWords = anyOf("bezahl|_pay|payer|pagar|_paga|betaal|betala|zapłać|accept|annehmen|accepter|confirm",
		"bestätig|conferma|cancel|stornier|annuler|annulla|download|herunterlad|télécharg|scarica|descargar|sign up",
		"_login|log in|einloggen|anmelden|souscri|subscribe|full report|bewert|_rate |review|antworten|reply",
		"répondre|rispondi|responder|_survey|umfrage|order now|jetzt bestellen|jetzt kaufen|commander|ordina ora",
		"bestel nu",
		"_edit |bearbeiten|_ändern|modifica|modifier|modificar|wijzig|_redigera|rediger|zmień|upravit|módosít",
		"verlänger",
		"_renew|_extend|renouvel|prolonger|rinnova|renovar|verleng|förläng|forlæng|przedłuż",
		"beställ nu|zamów|objednat nyní|megrendel|tilaa nyt|buy now|berechnen|calculate|calculer|simul|calcola|calcular",
		"bereken|beräkna|oblicz|book now|book your|je réserve|réserver maintenant|jetzt buchen|prenota ora",
		"reservar ahora|reserva ahora|boek nu|boka nu|bestil nu|bestill nå|zarezerwuj")
	// companyLine matches a line with the name of a company. It has one of companyForms. "1013 AG" is a postal code,
	// "£900 inc. bills" a rent, and a line in cantonLine an address.
	companyLine = newPattern(`(?i:GmbH|\bSARL\b|\bS\.A\.R\.L\b|\bLtd|\bLLC|\bA/S\b|s\.r\.[ol]|S\.p\.A|Sp\. z o|` +
		`\bSuite \d|\bP\.?O\.? Box)|\bO[yY]\b|\bSpA\b|\p{L},? (?:AG|B\.?V)\b|` +
		`\p{L} (?:Srl|SRL|SAS|ApS|Kft|UAB|SIA|OÜ|Ltda|d\.o\.o|s\.r\.o)(?:\P{L}|$)|\p{Ll} A[BS](?:,|$| ·)|` +
		`\p{Lu}\p{L}+,? Inc(?:$|\.$|\.?,|\.? [^\p{L}])`)
	companyForms = anyOf("gmbh|_sarl_|_s.a.r.l_|_ltd|_llc|_a/s_|s.r.|s.p.a|sp. z o",
		"_suite |_po box|_p.o|_oy_|_spa_|_ag_|_bv_|_b.v_|_inc_",
		"_srl_|_sas_|_aps_|_kft_|_uab_|_sia_|_oü_|_ltda_|d.o.o|s.r.o|_ab_|_as_")
	cantonLine = newPattern(`\b\d{4} \p{Lu}[\p{L}. -]* AG(?:\P{L}|$)`)
)

// homeNames are words of a home or of rent.
var homeNames = []string{
	"_wg_|_wgs_|colocation|flatshare|flat share|house share|houseshare",
	"wohnung|_haus_|häuser|altbau|neubau|miete|immobili|appartement|apartment|studio|maison|logement|villa|loft",
	"penthouse|duplex|loyer|_flat|house|_rent_|_rental|for sale|to let|pcm|lejlighed|husleje|lejebolig|bolig",
	"lägenhet|bostad|bostäd|_hyra|leilighet|husleie|woning|_huis_|_huur|te koop|_piso|alquiler|vivienda|apartam",
	"appartam|affitto|_casa_|kerrostalo|asunto|yksiö|vuokra|mieszkanie|kawaler|wynaj|_byt|pronáj|lakás|kiadó",
	"garsonier|garsonijer|închiri|moradia|imóve|arrenda|alugar|kiralık|satılık|_daire|_stan_|stanovanje|stanova",
	"müstakil|konut_|emlak|διαμέρισμα|μονοκατοικία|γκαρσονιέρα",
	"μεζονέτα|κατοικία|ενοικ",
	"квартир|оренд|аренд|апартамент|korter|dzīvok",
	"賃貸|物件|マンション|アパート|租房|公寓|아파트|원룸|투룸|오피스텔|매물",
	"butas|nuomoj|nouveaux biens|nouveau bien|hyresannons|_home|property|properties|realty|annonce immo",
}

// nameOfHome has homeNames; homeOrRent has names of rooms, too.
var (
	nameOfHome = anyOf(homeNames...)
	homeOrRent = anyOf(append(homeNames, "_zimmer|pièces|bedroom|_bed_|_beds_|værelse|kamer|locale_|quadrat")...)
)

// services are words in the titles of what is offered to those who have a home.
var services = anyOf("versicherung|insurance|assurance|_seguro|assicurazion|verzekering|försäkring|forsikring",
	"vakuutus",
	"ubezpiecz|pojištění|biztosítás|reinigung|cleaning|nettoyage|_ménage|limpieza|pulizi|schoonmaak|städning",
	"rengøring|siivous|sprzątan|úklid|takarítás|repaint|painting|anstrich|malerarbeit|imbianca|schilderwerk|malowan",
	"furniture|möbel_|möbelset|_meubles|mobiliario|_mobili_|meubel|møbel|mebli_|meble_|nábytek|bútor|curtain",
	"vorhäng|gardin|rideau|_cortina|gordijn|firan|teppich|_rug_|_tapis|tappet|alfombra|removals|_movers|_moving_",
	"küchenzeile|küche für")

// orders are words of mails about what was bought, booked or billed.
var orders = anyOf("_order_|afrekening|abrechnung|bolletta|_bill_|_bills_|neue nachricht|new message|nouveau message",
	"nuovo messaggio|nuevo mensaje|nieuw bericht|nytt meddelande|nowa wiadomość|_orders_|bestellung|_commande",
	"_pedido|_ordine_|beställning|_ordre|_rechnung|_invoice|_facture|_factura|_fattura|_booking|_buchung",
	"_réservation|_prenotazione|_reserva_|_password|passwort|mot de passe|contraseña|wachtwoord|hasło|_viewing",
	"_receipt|_quittung|_factuur|_faktura|bestelling|zamówieni|tilaus|zahlung|_mahnung|_payment|_quote_|_devis_",
	"preventivo|ihre anfrage|deine anfrage|your enquiry|your inquiry|your message|your application|bewerbung",
	"votre demande|votre message|votre candidature|votre visite|tua richiesta|tu solicitud|tu mensaje|uw reactie",
	"je reactie|uw bericht|din förfrågan|twoje zapytanie|besichtigungstermin|terminbestätigung|_appointment",
	"rendez-vous|presupuesto|orçamento|kostenvoranschlag|kosztorys|wycena|árajánlat|_offertförfrågan|_auftrag",
	"your job_|your project|votre projet|tu proyecto|uw klus|uw opdracht|_termin_|_insurance|versicherung",
	"pagamento|_paiement|_pago_|betaling_|_betalning|_platba|płatnoś|_payout|auszahlung|prenotazioni|_reservas_",
	"_bookings|_buchungen|rent is due|rent due|fällig|échéance",
	"assurance|seguro de|jaarnota|nota staat|zahlungserinnerung")

// otherSubjects are words in the subjects of other mails about homes: of confirmations that a
// search was saved, and of mails by movers, banks, employers and analysts.
var otherSubjects = anyOf("is now active|alert is active|alert created|alert is set|search saved|search is saved",
	"ist aktiv|suche gespeichert|suche wurde|suchauftrag gespeichert|suchauftrag angelegt|suchauftrag wurde",
	"alerta creada|alerta activada|búsqueda guardada",
	"alerte créée|alerte est|alerte enregistrée|recherche enregistrée",
	"avviso creato|avviso attiv|ricerca salvata|zoekopdracht opgeslagen|zoekopdracht is|alerta criad|pesquisa guardada",
	"bevakning skapad|bevakning är|agent er oprettet|agent oprettet|søk er lagret|varsel opprettet|hakuvahti luotu",
	"hakuvahti tallenn|alert utworzony|wyszukiwanie zapisane|hledání uloženo|keresés mentve",
	"verhuizen|verhuizing|umzug|umziehen|déménag|trasloco|mudanza|mudança|_moving_|removals|flyttfirma|przeprowadzk",
	"stěhování|költözés|mortgage|baufinanzierung|hypothek|_mutuo_|_prêt_|hipoteca|bolån|boliglån|kredyt",
	"_job_|_jobs_|stellenangebot|offres d'emploi|empleo|offerte di lavoro|vacature|_praca_|työpaik|_vacancies_",
	"ваканс|_робота_|_работа_|θέσεις εργασίας|iş ilan|求人|darbo skelbim",
	"töökuulutus|pracovní nabíd|locuri de muncă",
	"rent report|market report|price report|rental report|market update|marktbericht|mietspiegel|baromètre|home value",
	"preisspiegel|price index|informe de precios|marktrapport|prisrapport|_survey_|umfrage|sondage|encuesta|enquête",
	"marknadsrapport|markedsrapport|markkinakatsaus|raport z rynku",
	"_rates_|interest rate|bauzins|zinsen|_taux_|_tassi_|tipos de interés|hypotheekrente|rentestand|_bolåneränt",
	"_räntan_|_renten_|euribor|stopy procentow|úrokov|asuntolainako",
	"buys you|gets you_|_bekommt|que peut-on acheter|qué se puede comprar|cosa si compra|wat koop je",
	"net verkocht|onlangs verkocht|solgte boliger|solgte hjem|_compares|unsere erfolge|unsere referenzen",
	"could afford|you can afford|how much house|leisten können|pouvez-vous emprunter",
	"såldes|slutpriser|homes sold|_sold near|_sold in_|recently sold|zuletzt verkauft|récemment vendu|recent verkocht",
	"recién vendid|venduti di recente|solgt i_|ostatnio sprzedane|nedávno prodan",
	// a home that is gone, or lived in
	"ya no está|plus disponible|nicht mehr verfügbar|no longer available|non più disponibil|niet meer beschikbaar",
	"inte längre|ikke længere|ikke lenger|état des lieux|hyresavi|lastschrift|übergabeprotokoll|inspection report",
	// the receiver's own listing
	"your listing is|your listing has|your listing will|your listing expires|your ad_|your advert_|ihre anzeige_",
	"deine anzeige_|ihr inserat_|dein inserat_|votre annonce_|tu anuncio_|su anuncio_|il tuo annuncio_|tua inserzione_",
	"uw advertentie_|je advertentie_|din annons_|din annonce_|twoje ogłoszenie_|seu anúncio_|ilmoituksesi|hirdetésed",
	"anunțul tău|váš inzerát|expired|_expires|abgelaufen|läuft ab|expiré|_expire_|scadut|in scadenza",
	"caducado|caduca_",
	"verlopen|verloopt|vanhent|wygas|lejárt|utgått|udløbe",
	// a home that one lives in, or has seen, or waits for
	"_estimate|valuation|wertermittlung|immobilienwert|estimation de|_stima_|tasación|waardebepaling|värdering",
	"vurdering|arviointi|ocenění|taxe foncière|taxe d'habitation|grundsteuer|steuerbescheid|council tax|property tax",
	"_tax notice|_impôt|_imu_|_ibi_|ejendomsskat|fastighetsavgift|kiinteistövero|podatek|daň_|warteliste",
	"waiting list",
	"liste d'attente|lista d'attesa|lista de espera|wachtlijst|venteliste|lista oczekujących|pořadník",
	"appel de fonds|copropriété|condominial|hausgeld|wohngeld|service charge|eigentümerversammlung|assemblea",
	"junta de propietarios|generalforsamling|wspólnot",
	"rent increase|rent review|mieterhöhung|miethöhe|révision d|augmentation d|aumento de|adeguamento|subida de",
	"actualización de la renta|actualización del alq|huurverhoging|hyreshöjning|huslejestigning|lejeregulering",
	"vuokrankorotus|podwyżka|zvýšení|béremelés|_tenancy|your lease|lease renewal|lease agreement|mietvertrag",
	"votre contrat|votre bail|tu contrato|tuo contratto|huurcontract|huurovereenkomst|hyresavtal|lejekontrakt",
	"leiekontrakt|vuokrasopim|umowa|umowy|smlouva|smlouvy|szerződés|betriebskosten|nebenkostenab|heizkostenab",
	"régularisation|conguaglio|servicekosten|hoitovastike|yhtiövastike|rozliczeni|vyúčtování|elszámolás",
	"how was|how did",
	"rate your|wie war|wie hat|wie zufrieden|comment s'est|com'è andat|cómo fue|cómo ha ido|como correu|como foi",
	"_visitas_|votre visite|vos visites|besichtigung|bezichtiging|oględzin|prohlídk",
	"einladung|invitation|invito|invitación|convite|uitnodiging|inbjudan|invitasjon|kutsu|zaprosz|pozvánka|meghívó",
	"hoe was|hur var|hvordan var|jak oceniasz|miten meni|jaké bylo|_review|bewerten|bewertung",
	// a search that found nothing
	"_no new_|_no results|no matches|nothing new|keine neue|keine treffer|keine ergebnis|_aucun|nessun|ningún|ninguna",
	"sin resultados|geen nieuwe|geen resultaten|inga nya|inga träffar|ingen nye|ei uusia|ei tuloksia",
	"brak nowych|žádné",
	"nincs új|nenhum|niciun")

// newsWords are words in the subjects of mails about one listing: something is new, or was looked for.
var newsWords = anyOf("_new_|_newly|_neu|nouve|nuov|nuev|nieuw|_nya_|_ny_|_nye_|_nytt_|uusi|uutta|_now_|_nowe|_nowa",
	"_nový|_nová|_nové|_új_|_nou_|_nouă|_noi_|_novo|_nova|_novi|_yeni|just listed|alert|match|treffer",
	"passend|update",
	"reduc|reduz|gesenkt|baisse|ribass|rebaj|obniż|zlevn|sänkt|prisfal|prisned|verlaag|_price|preis|_prix|prezz",
	"precio",
	"_pris_|_cena_|_search|suche|recherche|búsqueda|ricerca|pesquisa|zoek|bevak|sökning|søg|søk|hakuvahti|hakusi",
	"wyszukiw|hledán|hlídac|keres|căut|aramanız|_νέα_|_νέο_|_νέες_|_нов|_nauj|_jaun|_uus_",
	"_uued_|新着|新しい|新上|新房|최신|신규|새 매물|새로운")

// ownHome matches what is said about the reader's home, or for it.
var ownHome = newPattern(`(?i)(?:^|\P{L})(?:your|ihre?[mnrs]?|deine?[mnrs]?|eure?[mnrs]?|votre|vos|ton|twój|` +
	`ta|tes|` +
	`tu|su|tus|sus|la tua|il tuo|tuo|tua|uw|je|jouw|din|dit|ditt|deres|twojego|twoje|twoim|seu|sua|teu|váš|vaše|` +
	`vašeho) ` +
	`(?:rent|miete|loyer|huur|hyra|husleje|alquiler|affitto|czynsz|home|house|property|properties|` +
	`flat|apartment|living room|place|wohnung|haus|zuhause|heim|objekt|immobilie|` +
	`eigentum|bien|logement|maison|appartement|intérieur|piso|casa|hogar|vivienda|apartamento|abitazione|` +
	`appartamento|immobile|woning|huis|appartement|bolig|hjem|lejlighed|hus|bostad|lägenhet|leilighet|mieszkania|` +
	`domu|mieszkanie|imóvel|byt|bytu|dům)(?:\P{L}|$)`)

// searched are words of searches.
var searched = anyOf("search|suche|recherche|búsqueda|ricerca|pesquisa|zoek|bevak|sökning|søg|_søk|hakuvahti",
	"wyszukiw|hledán|hlídac|keres|căut|alert|match|treffer|_new home|criteria|kriteri|critère|criterio")

// commercial are words of rooms that nobody lives in.
var commercial = anyOf("büro zu |gewerbeeinheit|gewerbeimmobilie|office to let|office to rent|commercial unit",
	"commercial property|local comercial|locale commerciale|sala comercial|poslovni prostor|üzlethelyiség",
	"lokal handlowy|toimistotila|kiralık ofis|satılık ofis|_dükkan",
	"bürofläche|büroräum|praxisräum|praxisfläche|ladenlokal|ladenfläche|gewerbefl",
	"gewerberäum",
	"lagerfläche|lagerhalle|office space|_retail unit|warehouse|shop to let|bureaux_|local commercial",
	"locaux commerciaux",
	"fonds de commerce|_ufficio_|_negozio_|capannone|_oficina|nave industrial|kantoorruimte|bedrijfsruimte",
	"winkelruimte|kontorslokal|butikslokal|erhvervslokale|kontorlokale|næringslokale|toimitila|liiketila",
	"lokal użytkowy|lokal biurowy|kancelářské prostory|nebytov|iroda kiadó|spațiu comercial|escritório_|loja_")

// goods are words of shops, employers and bills.
var goods = anyOf("warenkorb|add to cart|add to bag|versandkosten|free shipping|free delivery|livraison gratuite",
	"au panier|envío gratis|spedizione gratuita|gratis verzending|winkelwagen|fri frakt|auf lager|in stock|paket: ",
	"en stock|carrello|_salary|gehalt_|_salaire_|_vacancy|stellenangebot|te betalen|zahlbetrag|rechnungsbetrag",
	"zu zahlender betrag|montant à payer|net à payer|importo da pagare|totale da pagare|total a pagar|importe a pagar",
	// of homes that are built from parts, and of shares in homes
	"bodenplatte|aktionspreis|fertighaus|bausatz|casa prefabbricata|prefabricad|maison en kit|prefabrykowan|_kits_",
	"typehus|byggsats|byggesæt|crowdfunding|crowdinvest|financement participatif",
	"minimum investment|mindestanlage|investissement minimum|inversión mínima|investimento minimo",
	// of lenders and magazines
	"example homes|beispielobjekt|musterimmobilie|voorbeeldwoning|shop the look|get the look|shoppez le look",
	"förfallodag|förfallodatum|abbuchung|lastschrift|prélevée|prélevé_|prélèvement|vervaldatum|vencimiento",
	"forfaldsda|data di scadenza|termin płatności|eräpäivä|datum splatnosti|due date|direct debit",
	"amount due|balance due|total due|att betala|å betale|do zapłaty|maksettava|k úhradě|fizetendő")

// viewWords are words of buttons that show a listing.
var viewWords = anyOf("view|see|details|show|open|more|voir|découvr|plus|ver_|más|mais|vedi|scopri|dettagli",
	"ansehen",
	"anzeigen|exposé|zum |zur |mehr|bekijk|meer|lees|se |vis|läs|les |visa|till |zobacz|więcej|katso|lue|zobrazit",
	"detail|více|megnéz|megtekint|vezi|detalii|http")

// firstPerson matches what people write of themselves.
var firstPerson = newPattern(`(?:^|[\s,.!?])(?:I|I'm|I've|I’m|I’ve|ich|Ich|j'ai|J'ai|j’ai|J’ai|` +
	`je vous|Je vous|tengo|Tengo|ho visto|jag har|jeg har|ik heb|Ik heb|mam|Mam) `)

// letterWords are what somebody writes who has met or will meet the reader.
var letterWords = anyOf("as discussed|as promised|as agreed|good to speak|nice to meet|great to meet|good to meet",
	"let me know|we spoke|our conversation|wie besprochen|wie vereinbart|wie versprochen",
	"wie telefonisch|unser telefonat|unserem telefonat|unser gespräch|unserem gespräch|bescheid geben|mir bescheid",
	"hätten sie zeit|hättest du zeit|haben sie zeit|hast du zeit|comme convenu|comme promis",
	"notre échange|notre conversation|tenez-moi|tiens-moi|dites-moi|seriez-vous disponible|êtes-vous disponible",
	"como hablamos|como quedamos|como acordamos|te envío|le envío|te mando|dígame|avísame|cuándo podría",
	"come d'accordo|come concordato|come promesso|ti invio|le invio|ti mando|mi faccia sapere|fammi sapere",
	"zoals afgesproken|zoals besproken|zoals beloofd|stuur ik|laat me weten|laat maar weten|wanneer kun|wanneer kunt",
	"som aftalt|som lovet|som avtalt|som avtalat|som överenskommet|som lovat|hör av dig|lad mig vide|gi meg beskjed",
	"kuten sovittu|kuten lupasin|zgodnie z rozmową|tak jak rozmawia|proszę o informację|jak jsme se domluvili",
	"dejte mi vědět|dej mi vědět|ahogy megbeszéltük|așa cum am discutat|como combinado|conforme combinado",
	"avise-me|avisa-me|konuştuğumuz|όπως είπαμε|як домовлялися|как договорились")

// isReply matches the subject of a message that people write to each other.
var isReply = newPattern(`(?i)^(?:re|aw|antw|sv|odp|ré|r|rif|res|ynt|vá|atb|` +
	`απ|отв|回复|回覆|返信)\s*(?:\[\d+\])?[:：]`)

var oneRoomWords = anyOf("_studio_|_studios_|studio flat|monolocale|kawalerka|garsonier|garzon|_estudio_|_yksiö",
	"_etta_|einzimmer|garconni|1-zimmer")

var (
	otherHosts = anyOf("facebook.|twitter.|instagram.|linkedin.|pinterest.|whatsapp|//x.com|youtube.|tiktok|_t.me",
		"maps.google|google.com/maps|goo.gl/maps|apple.com|play.google|openstreetmap")
	searchPaths = anyOf("/suche|/search|/recherche|/busqueda|/buscar|/ricerca|/zoek|/sok|/søg|/sog|/szukaj|/haku",
		"/hledat|/pesquisa")
	otherPaths = anyOf("unsubscribe|abmeld|abbestell|desabon|désabon|desinscri|disiscri|afmeld|uitschrij|avregistr",
		"avprenum|/baja|cancelar|odhlasit|wypisz|leiratkoz|dezabon|preferences|/share|sharer|mailto:|/alerts",
		"/alert/|privacy|datenschutz|impressum|rekening|rechnung|invoice|facture|factura|fattura|/bill|/pay/|/chat",
		"view-all|view_all|viewall|see-all|all-results|all-listings|alle-treffer",
		"/message|/nachricht|feedback|/zahlung|/payment|/quote|/devis|/account|/konto|/settings|/login|optout",
		"opt-out|contacto=|/kontakt|/contact|/job|/stellen|/emploi|/empleo|/vacature|/career|/karriere|finanzierung",
		"mortgage|hypothe|/kredit|/credit|/loan|mutuo|/sejour|/stays|/hotel|vacation|/holiday|ferienhaus|urlaub|vacances",
		"/home-tour|/house-tour|/inspiration|/inspiracion|/ispirazion|/interior|/stories/|/shop-the-look",
		"vakantie|vacaciones|vacanze|/article|/blog|/magazin|/shop/|/cart|/reise|/survey|umfrage|enquete")
)

var bedroomLabels = anyOf("bedroom|_beds_|schlafzimmer|chambre|slaapkamer|soverom|sovrum|dormitorio|habitaci|quartos",
	"camere da letto|sypialni|ložnic|makuuhuone|soveværelse|hálószob|dormitoare|recámara|alcoba|_hab_|_hab._")

var (
	roomLabels = anyOf("_zimmer|_zi_|_räume|_raumanzahl|_pièces|_rooms|_locali_|_vani_|_kamers|antal rum|_rum_",
		"_værelser|_rom_|_pokoi|_pokoje|_szob|_huone|_camere|počet pokoj|počet místn|_habitaciones|_cômodos",
		"_δωμάτ",
		"_кімнат|_комнат|_стаи")
	// layoutRooms matches a layout as in Japan, where "1K" is a room with a kitchen.
	layoutRooms = newPattern(`(?:^|[:：] ?)([1-9])(?:R|S?L?D?K)(?:$|[^\p{L}\d])`)
	layoutWords = anyOf("間取り|layout|floor plan")
	// roomLayout matches rooms and kitchens as in Turkey and in Czechia.
	roomLayout   = newPattern(`(?:^|[^\p{L}\d+])[1-9]\+(?:kk|[01])(?:$|[^\p{L}\d+])`)
	compactRooms = newPattern(`(?i)(?:^|[^\p{L}\d])([1-9](?:[.,]5)?)(?:-| )?` +
		`(?:h ?\+ ?k|rok\b|r\.o\.k|ro?k\b|roms?\b|værelses|rums|raum|zkb|zi\b|\+kk|\+1\b)`)
)

var (
	// inQuotes matches what a line has in quotes, and tenantWanted what somebody writes who has a home to let or to sell.
	inQuotes     = newPattern(`["“”„«»'‘’‚『「][^"“”„«»'‘’‚『「』」]{2,80}["“”«»'‘’』」]`)
	tenantWanted = newPattern(`(?i)(?:mieter|bewohner|tenant|flatmate|housemate|roommate|locataire|colocataire|` +
		`inquilin|coinquilin|huurder|huisgeno|hyresgäst|inneboende|lejer|leietaker|vuokralai|najemc|nájemn|` +
		`bérlő|chiriaș|eigentümer|besitzer|owner|propriétaire)`)
)
