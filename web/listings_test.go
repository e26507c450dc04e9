// Texts of listings, as one copies them from a page.

package web

// listingTexts are texts of listings as one copies them from a page, in the manner of several sites, with
// what should be picked out of them. All names, addresses and numbers are invented.
var listingTexts = []struct {
	name, text                      string
	cost, currency, area, rooms     string
	code, place, phone, title, link string
}{
	{name: "ImmoScout24, facts above their labels", text: `
Wir verwenden Cookies und ähnliche Technologien. Mit einem Klick auf "Alle akzeptieren" stimmst du der Nutzung zu.
Alle akzeptieren
Einstellungen
Zum Inhalt springen
Suchen
Mieten
Kaufen
Bauen
Merkliste
Anmelden
Zurück zur Ergebnisliste
Teilen
Drucken
Helle 3-Zimmer-Wohnung mit Südbalkon nahe Westpark
Wachsweg 14, 81373 München, Sendling-Westpark
Die vollständige Adresse der Immobilie erhältst du vom Anbieter.
1.450 €
Kaltmiete
1.690 €
Warmmiete
3
Zi.
72 m²
Fläche
Kosten prüfen: Umzugskosten ab 499 €
Typ:
Etagenwohnung
Etage:
2 von 4
Wohnfläche ca.:
72 m²
Bezugsfrei ab:
01.02.2027
Zimmer:
3
Schlafzimmer:
2
Badezimmer:
1
Kosten
Kaltmiete:
1.450 €
Preis/m²:
20,14 €/m²
Nebenkosten:
+ 160 €
Heizkosten:
+ 80 €
Gesamtmiete:
1.690 €
Kaution o. Genossenschaftsanteile:
4.350
Bausubstanz & Energieausweis
Baujahr:
1987
Endenergieverbrauch:
98,5 kWh/(m²*a)
Objektbeschreibung
Die Wohnung liegt ruhig zum Hof. Der Balkon hat 6 m², der Keller 5 m².
Kontakt
Frau Tilda Wachsmuth
Telefon: 089 5550 1427
Ähnliche Immobilien
3-Zimmer-Wohnung in Laim
1.290 €
68 m²
Impressum
Wohnwerk Musterbau GmbH, Kanalstraße 3, 20095 Hamburg
Tel. 040 55501200`,
		cost: "1690", currency: "EUR", area: "72", rooms: "3", code: "81373", place: "Wachsweg 14, München",
		phone: "089 5550 1427", title: "Helle 3-Zimmer-Wohnung mit Südbalkon nahe Westpark"},
	{name: "ImmoScout24, all at once", text: `
Startseite › Bayern › Augsburg › Wohnung mieten
2,5 Zi. Altbauwohnung mit Stuck und Parkett
86150 Augsburg, Innenstadt
Kaltmiete	Zi.	Wohnfläche
980 €	2,5	64,5 m²
Ist das ein guter Preis? Jetzt Mietspiegel ansehen
Kosten
Kaltmiete
980 €
Nebenkosten
140 €
Heizkosten
nicht in Nebenkosten enthalten
Gesamtmiete
1.120 €
Kaution
2.940 €
SCHUFA-BonitätsCheck ab 29,95 €
Beschreibung
Schöne Altbauwohnung. Bitte keine Anrufe am Wochenende.
Andere Nutzer interessierten sich auch für
2 Zimmer, 55 m², 860 €, 86152 Augsburg`,
		cost: "1120", currency: "EUR", area: "64.5", rooms: "2.5", code: "86150", place: "Augsburg",
		title: "2,5 Zi. Altbauwohnung mit Stuck und Parkett"},
	{name: "Kleinanzeigen", text: `
kleinanzeigen
Einloggen oder Registrieren
Anzeige aufgeben
Meine Anzeigen
Was suchst du?
Alle Kategorien
Kleinanzeigen Leipzig > Immobilien > Mietwohnungen
1 von 9
Nachmieter gesucht: 2 Zi-Wohnung mit EBK
650 €
04229 Leipzig - Plagwitz
17.11.2026
1284
Wohnfläche
58 m²
Zimmer
2
Badezimmer
1
Etage
3
Verfügbar ab
Januar 2027
Nebenkosten
150 €
Warmmiete
800 €
Kaution / Genoss.-Anteile
1.300 €
Beschreibung
Hallo, ich ziehe zum 1.1. aus. Ablöse für die Küche 1.200 € VB. Meldet euch gern unter 0176/5550199.
Nachricht schreiben
R. Beispielhuber
Privater Nutzer
Aktiv seit 03.05.2019
Das könnte dich auch interessieren
04229 Plagwitz
3-Raum-Wohnung
720 €
Impressum Nutzungsbedingungen Datenschutzerklärung`,
		cost: "800", currency: "EUR", area: "58", rooms: "2", code: "04229", place: "Leipzig - Plagwitz",
		phone: "0176/5550199", title: "Nachmieter gesucht: 2 Zi-Wohnung mit EBK"},
	{name: "Kleinanzeigen, all in the prose", text: `
Anzeige aufgeben
Sonnige Dachgeschosswohnung in Ehrenfeld
760 € VB
50823 Köln - Ehrenfeld
21.11.2026
Anzeigennummer: 2999123456
Vermiete ab sofort meine Wohnung, drei Zimmer, 61 qm, 4. Stock ohne Aufzug. Die Kaltmiete beträgt 760 Euro, dazu
kommen 145 € Nebenkosten, also 905 € warm. Kaution 3 Kaltmieten (2.280 €). Kein Makler. Besichtigung am 28.11.
Weitere Anzeigen des Anbieters
Ikea Schrank
80 €
Fahrrad 28 Zoll
120 €`,
		cost: "905", currency: "EUR", area: "61", rooms: "3", code: "50823", place: "Köln - Ehrenfeld",
		title: "Sonnige Dachgeschosswohnung in Ehrenfeld"},
	{name: "WG-Gesucht, a room", text: `
WG-Gesucht.de
Anzeige erstellen
Login
Suche
Gesuche
18 m² Zimmer in gemütlicher 3er WG am Kanal
Zimmergröße:
18m²
Gesamtmiete:
540€
Kosten
Miete:
450€
Nebenkosten:
90€
Sonstige Kosten:
n.a.
Kaution:
900€
Ablösevereinbarung:
150€
Adresse
Uferstraße 27
12047 Berlin Neukölln
Verfügbarkeit
frei ab: 01.12.2026
WG-Details
Wohnungsgröße: 85m²
3er WG (1w,1m,0d)
Bewohneralter: 24 bis 31
Zimmer
Dein Zimmer geht zum Hof, 18 Quadratmeter mit Dielenboden.
Kontaktdetails
Online-Tour: möglich
Ähnliche Angebote
WG-Zimmer in Kreuzberg, 14 m², 610 €`,
		cost: "540", currency: "EUR", area: "18", rooms: "", code: "12047", place: "Uferstraße 27, Berlin Neukölln",
		title: "18 m² Zimmer in gemütlicher 3er WG am Kanal"},
	{name: "WG-Gesucht, a flat", text: `
Einstellungen zum Datenschutz: Wir und unsere 212 Partner verarbeiten Daten. Zustimmen
Wohnungen in Hamburg
Zweizimmerwohnung in Altona zur Zwischenmiete
Größe
Gesamtmiete
Zimmer
47m²
890€
2
Kosten
Miete:	750€
Nebenkosten:	140€
Sonstige Kosten:	50€
Kaution:	1500€
SCHUFA-Auskunft:	Hier anfordern
Adresse
Beim Trichter 8
22765 Hamburg Altona
frei ab: 15.01.2027
frei bis: 15.07.2027
Mobil: 0151 55501 33
Die Wohnung ist voll möbliert, der Keller kostet 20 € extra. Strom ca. 45 € im Monat.
Impressum
Such & Find GmbH, Lange Zeile 9, 90419 Nürnberg, Telefon 0911 5550 88 99`,
		cost: "890", currency: "EUR", area: "47", rooms: "2", code: "22765", place: "Beim Trichter 8, Hamburg Altona",
		phone: "0151 55501 33", title: "Zweizimmerwohnung in Altona zur Zwischenmiete"},
	{name: "Immowelt", text: `
Immobilien
Mieten
Preis bis 1.500 €
Zimmer ab 2
Wohnung zur Miete
4-Zimmer-Maisonette mit Dachterrasse und Tiefgarage
2.150 €
Kaltmiete zzgl. Nebenkosten
4 Zimmer
118,3 m² Wohnfläche
Blumenthalstr. 5a
70565 Stuttgart (Vaihingen)
Die Terrasse misst 24 m², das Wohnzimmer 38 m².
Preise & Kosten
Kaltmiete
2.150 €
Nebenkosten
320 €
Stellplatz
95 €
Kaution: 6.450 €
Provision für Mieter: provisionsfrei
Immobilien-Referenznummer 70123-5
Anbieter
Hausverwaltung Exempel
0711 / 555 03 40
Ihr Ansprechpartner Herr Olaf Nimmermann
Weitere Immobilien des Anbieters
3-Zimmer-Wohnung 1.480 € 82 m² 70563 Stuttgart`,
		cost: "2150", currency: "EUR", area: "118.3", rooms: "4", code: "70565",
		place: "Blumenthalstr. 5a, Stuttgart", phone: "0711 / 555 03 40",
		title: "4-Zimmer-Maisonette mit Dachterrasse und Tiefgarage"},
	{name: "Homegate", text: `
Inserat speichern
Teilen
CHF 2'240.–
Miete / Monat
3.5
Zimmer
86 m²
Wohnfläche
Moderne 3½-Zimmer-Wohnung im Grünen
Musterhalde 11, 8050 Zürich
Hauptangaben
Verfügbarkeit:
Nach Vereinbarung
Typ:
Wohnung
Anzahl Zimmer:
3.5
Etage:
1
Wohnfläche:
86 m²
Baujahr:
2014
Kosten
Nettomiete:
CHF 1'990.–
Nebenkosten:
CHF 250.–
Miete:
CHF 2'240.–
Beschreibung
Mietzinsdepot CHF 6'000.–. Einstellplatz CHF 150.– zusätzlich.
Kontakt für Besichtigung
Herr U. Beispieli
+41 44 555 12 34
Ähnliche Inserate
CHF 1'850.–
3 Zimmer, 70 m², 8051 Zürich`,
		cost: "2240", currency: "CHF", area: "86", rooms: "3.5", code: "8050", place: "Musterhalde 11, Zürich",
		phone: "+41 44 555 12 34", title: "Moderne 3½-Zimmer-Wohnung im Grünen"},
	{name: "a letting agent's own page, with a link", text: `
https://www.hausverwaltung.example/objekte/4471?utm_source=mail#top
Home | Über uns | Objekte | Kontakt
Drei-Zimmer-Wohnung mit Garten in ruhiger Lage
Objekt-Nr. 4471
Ort: Regensburg
Miete inkl. Nebenkosten: EUR 1.180,00
Kaltmiete: EUR 980,00
Kaution: EUR 2.940,00
Wohnfläche: ca. 78,50 qm
Gartenanteil: ca. 120 qm
Zimmer: 3
Rufen Sie uns an: Tel.: +49 (0)941 / 555 66-0, Fax: +49 941 55566-10
Impressum
Hausverwaltung Exempel GmbH
Domgasse 1, 94032 Passau`,
		cost: "1180", currency: "EUR", area: "78.5", rooms: "3", place: "Regensburg",
		phone: "+49 (0)941 / 555 66-0", title: "Drei-Zimmer-Wohnung mit Garten in ruhiger Lage",
		link: "https://www.hausverwaltung.example/objekte/4471"},
	{name: "leboncoin", text: `
Aller au contenu
Déposer une annonce
Rechercher
Mes recherches
Favoris
Messages
Se connecter
Accueil > Locations > Rhône-Alpes > Lyon
Appartement 3 pièces 65 m² lumineux
1 050 €
Charges comprises
Publié le 14/11/2026 à 09:12
Lyon 69003 Part-Dieu
Critères
Type de bien
Appartement
Nombre de pièces
3
Nombre de chambres
2
Surface habitable
65 m²
Étage de votre bien
4
Classe énergie
D
Charges locatives
95 €
Dépôt de garantie
955 €
Description
Bel appartement traversant, séjour de 24 m², cave, balcon de 5 m². Loyer 955 € + 95 € de charges.
Honoraires à la charge du locataire : 845 €
Voir plus
Contacter
04 55 55 12 18
Ces annonces peuvent vous intéresser
Appartement 2 pièces 41 m²
780 €
Lyon 69007
Mentions légales
SAS Annonces Inventées, 12 quai des Fleurs, 75004 Paris, SIRET 123 456 789 00012`,
		cost: "1050", currency: "EUR", area: "65", rooms: "3", code: "69003", place: "Lyon",
		phone: "04 55 55 12 18", title: "Appartement 3 pièces 65 m² lumineux"},
	{name: "leboncoin, a T2", text: `
Nous et nos partenaires utilisons des cookies ou traceurs. Tout accepter
Retour aux résultats
T2 meublé hyper centre
690 €
Villeurbanne 69100
Il y a 2 jours
Particulier
T2 de 38m2 au 3e étage, loyer 640€ hors charges, provision pour charges 50€/mois soit 690€ CC.
Dépôt de garantie 1280€. Disponible le 1er décembre. Me joindre au 06.55.55.07.21 après 18h.
Loyer de référence majoré : 18,9 €/m²
Annonces similaires
T3 Villeurbanne 880 €`,
		cost: "690", currency: "EUR", area: "38", rooms: "2", code: "69100", place: "Villeurbanne",
		phone: "06.55.55.07.21", title: "T2 meublé hyper centre"},
	{name: "SeLoger", text: `
Acheter
Louer
Estimer
Mon compte
Louer › Appartement › Île-de-France › Paris 11ème
1 380 € /mois
charges comprises
Appartement à louer
2 pièces
1 chambre
42,3 m²
Étage 5/6
Rue des Inventés, Paris 11ème (75011)
Loyer hors charges 1 260 €
Provision pour charges (régularisation annuelle) 120 €
Dépôt de garantie 1 260 €
Honoraires TTC à la charge du locataire 634,50 €
dont état des lieux 126,90 €
Complément de loyer 0 €
À propos de cet appartement
Au pied du métro, deux pièces au calme sur cour, cuisine séparée de 6 m².
Montant estimé des dépenses annuelles d'énergie : entre 560 € et 810 € par an
Agence Bidon Immobilier
Afficher le téléphone
Réf. annonce 41-77120
Biens similaires
1 450 € cc Paris 11ème`,
		cost: "1380", currency: "EUR", area: "42.3", rooms: "2", code: "75011",
		place: "Rue des Inventés, Paris 11ème", title: "Appartement à louer"},
	{name: "SeLoger, a studio on one line", text: `
Studio 1 pièce 22 m² | 545 € CC/mois | Rennes 35000 | Quartier Sud Gare
Loyer 500 € + charges 45 €, dépôt de garantie 500 €, frais d'agence 286 €
Contactez Mme Fictive : Tél. : 02 55 55 60 70
Vous aimerez aussi
Studio 19 m² 480 €`,
		cost: "545", currency: "EUR", area: "22", rooms: "1", code: "35000", place: "Rennes",
		phone: "02 55 55 60 70", title: "Studio 1 pièce 22 m² | 545 € CC/mois | Rennes 35000 | Quartier Sud Gare"},
	{name: "PAP", text: `
Annonces
Conseils
Services
PAP.fr > Location appartement > Bordeaux
Location appartement 4 pièces 92 m² Bordeaux (33000)
1.640 €
Bordeaux (33000)
4 pièces
3 chambres
92 m²
Nous vous proposons un bel appartement familial avec terrasse de 15 m². Loyer mensuel : 1.640 € charges comprises
(dont 160 € de charges). Dépôt de garantie : 1.480 €. Garage possible 90 € par mois.
Métro ou tram à 300 m
DPE : C - GES : B
Contacter le propriétaire
Téléphone
07 55 55 44 09
Sauvegarder l'annonce
À voir aussi
Location 3 pièces Bordeaux 1.200 €`,
		cost: "1640", currency: "EUR", area: "92", rooms: "4", code: "33000", place: "Bordeaux",
		phone: "07 55 55 44 09", title: "Location appartement 4 pièces 92 m² Bordeaux (33000)"},
	{name: "Bien'ici", text: `
Enregistrer ma recherche
Location Maison 5 pièces 110 m²
Nantes 44300 (Saint-Joseph de Porterie)
1 490 € par mois charges comprises
dont 30 € de provision sur charges
Maison F5 de 110 m² habitables sur un terrain de 350 m², quatre chambres, garage.
Les caractéristiques
Surface : 110 m²
Pièces : 5
Terrain : 350 m²
Les honoraires : 1 210 € dont 330 € pour l'état des lieux
Dépôt de garantie 1 460 €
Nos agences à proximité : Agence Imaginaire, 3 place du Marché, 44000 Nantes, 02 55 55 90 00`,
		cost: "1490", currency: "EUR", area: "110", rooms: "5", code: "44300", place: "Nantes",
		title: "Location Maison 5 pièces 110 m²"},
	{name: "Rightmove", text: `
Skip to content
Buy
Rent
House Prices
Sign in
Back to search results
Save
Share
2 bedroom flat to rent
Kiln Yard Lane, Peckham, London, SE15
£1,750 pcm
£404 pw
Tenancy info
Added on 18/11/2026
PROPERTY TYPE
Flat
BEDROOMS
2
BATHROOMS
1
SIZE
743 sq ft
69 sq m
Let available date: Now
Deposit: £2,019
Min. tenancy: Ask agent
Furnish type: Furnished
Council Tax: Ask agent
Description
A bright two bedroom flat with 3 photos of the garden to follow. Holding deposit £403. Reception room of 22 sq m.
Call agent: 020 7946 0321
Letting details from Makebelieve Lettings Ltd, 1 Nowhere Road, London, W1A 1ZZ
Similar properties
1 bedroom flat
£1,400 pcm`,
		cost: "1750", currency: "GBP", area: "69", rooms: "", code: "SE15",
		place: "Kiln Yard Lane, Peckham, London", phone: "020 7946 0321", title: "2 bedroom flat to rent"},
	{name: "OpenRent", text: `
We use cookies to improve your experience. Accept all cookies
OpenRent
Search properties
Studio Flat, Tannery Street, M4
1 Bed
1 Bath
Max 1 Tenants
Property No. 2210987
Rent PCM	£895.00
Deposit	£1,032.69
Bills Included	Yes
Available From	12 January, 2027
Size	28 m²
EPC Rating	C
Location: Tannery Street, Manchester, M4 5ZX
Call the landlord on 07700 900 145.
Nearby properties
Room in a Shared House £650 pcm`,
		cost: "895", currency: "GBP", area: "28", rooms: "1", code: "M4 5ZX", place: "Tannery Street, Manchester",
		phone: "07700 900 145", title: "Studio Flat, Tannery Street, M4"},
	{name: "a house for sale in Britain", text: `
For sale
To rent
New homes
3 bed semi-detached house for sale
Guide price
£425,000
Stamp duty: £8,750
Mortgage repayments from £2,104 per month
Thimble Close, Leeds LS8 9QQ
3 beds
1 bath
2 receptions
1,033 sq. ft
About this property
Garden of 120 sq m. Ground rent: none. Service charge £0.
Tel: 0113 496 0999
Similar homes for sale
£410,000`,
		cost: "425000", currency: "GBP", area: "96", rooms: "", code: "LS8 9QQ", place: "Thimble Close, Leeds",
		phone: "0113 496 0999", title: "3 bed semi-detached house for sale"},
	{name: "an American list", text: `
CL > new york > brooklyn > apts
Sunny one bedroom, no fee, near the park
$2,850 / 1br - 650ft² (Prospect Heights)
414 Madeup Pl, Brooklyn, NY 11238
Security deposit: $2,850. Application fee $20. Cats are OK. Laundry in bldg.
3 rooms in all, utilities not included.
Call or text (718) 555-0142
© 2026 a list`,
		cost: "2850", currency: "USD", area: "60", rooms: "3", code: "11238", place: "414 Madeup Pl, Brooklyn, NY",
		phone: "(718) 555-0142", title: "Sunny one bedroom, no fee, near the park"},
	{name: "Boligportal", text: `
Vi bruger cookies. Accepter alle
Find bolig
Udlej bolig
Log ind
Gem
Del
3-værelses lejlighed på 78 m²
Opdigtet Vej 12, 2200 København N
14.500 kr.
Månedlig leje
Om boligen
Boligtype
Lejlighed
Størrelse
78 m²
Værelser
3
Etage
2. sal
Møbleret
Nej
Udlejning
Ledig fra
1. januar 2027
Månedlig leje
14.500 kr.
Aconto forbrug
900 kr.
Depositum
43.500 kr.
Forudbetalt leje
14.500 kr.
Indflytningspris
73.400 kr.
Tlf. 55 50 12 34
Lignende boliger
2-værelses lejlighed 11.000 kr.`,
		cost: "14500", currency: "DKK", area: "78", rooms: "3", code: "2200", place: "Opdigtet Vej 12, København N",
		phone: "55 50 12 34", title: "3-værelses lejlighed på 78 m²"},
	{name: "Boligsiden, for sale", text: `
Køb bolig
Sælg bolig
Boligpriser
Find mægler
Log ind
Forside
Søborg
Villa
Gem bolig
Del bolig
Opfundet Allé 5
2860 Søborg
Villa
4.995.000 kr.
Ydelse fra 24.310 kr./md.
Beregn din ydelse
Boligareal 128 m²
Grundareal 612 m²
Værelser 4
Byggeår 1954
Energimærke C
Ejerudgift 3.210 kr./md.
Kontantpris 4.995.000 kr.
Udbetaling 250.000 kr.
Brutto/netto ekskl. ejerudgift 26.480 / 21.900 kr.
Kvadratmeterpris 39.023 kr.
Dage til salg 12
Om boligen
Rødstensvilla på rolig vej med stor have og nyt tag. Kælderen er på 60 m².
Kontakt mægler
Opfundne Mæglere ApS, Torvet 1, 2860 Søborg
Tlf. 55 50 77 10
Lignende boliger
Villa, 3.995.000 kr.`,
		cost: "4995000", currency: "DKK", area: "128", rooms: "4", code: "2860", place: "Opfundet Allé 5, Søborg",
		phone: "55 50 77 10", title: "Opfundet Allé 5"},
	{name: "Homegate, address by line", text: `
Mieten
Kaufen
Inserieren
Mein Konto
Zurück zur Liste
1 / 14
Inserat melden
Erfundene Halde 27a
8004 Zürich
Miete
CHF 2'190.–
Zimmer
2.5
Wohnfläche
58m²
Ruhige Stadtwohnung mit Loggia und Abendsonne
Die Wohnung liegt im Hochparterre. Loggia 7 m². Mietkaution CHF 6'570.–.
Kosten
Nettomiete:	CHF 1'980.–
Nebenkosten:	CHF 210.–
Bruttomiete:	CHF 2'190.–
Referenznummer	40219.01.0203
Anbieter
Exempel Immobilien AG
Postfach 12
8021 Zürich
Telefonnummer anzeigen
Ähnliche Inserate
CHF 1'750.– 2 Zimmer, 8005 Zürich`,
		cost: "2190", currency: "CHF", area: "58", rooms: "2.5", code: "8004", place: "Erfundene Halde 27a, Zürich",
		title: "Ruhige Stadtwohnung mit Loggia und Abendsonne"},
	{name: "Homegate in French", text: `
Louer
Acheter
Publier une annonce
Se connecter
Retour à la liste
Chemin de l'Invention 9
1004 Lausanne
Loyer
CHF 1'860.–
Pièces
3.5
Surface habitable
74 m²
Appartement lumineux avec vue sur le lac
Coûts
Loyer net: CHF 1'690.–
Charges: CHF 170.–
Loyer brut: CHF 1'860.–
Disponibilité: 01.03.2027
Étage: 3
Garantie de loyer: CHF 5'070.–
Description
Deux chambres, grand séjour de 25 m², balcon de 6 m². Place de parc CHF 120.– en sus.
Personne de contact: Mme Fictive
Tél. 021 555 12 34
Annonces similaires
CHF 2'100.– 4 pièces`,
		cost: "1860", currency: "CHF", area: "74", rooms: "3.5", code: "1004",
		place: "Chemin de l'Invention 9, Lausanne", phone: "021 555 12 34",
		title: "Appartement lumineux avec vue sur le lac"},
	{name: "Funda, to let", text: `
Ga naar content
Kopen
Huren
Verkopen
Mijn Huis
Inloggen
Zoek een huis
Amsterdam
Verzonnenlaan 24-2
1071 AB Amsterdam
Museumkwartier
€ 2.450 per maand
85 m² wonen
2 slaapkamers
Energielabel B
Bewaren
Delen
Omschrijving
Licht bovenhuis op de tweede verdieping met balkon van 8 m² op het zuiden.
Kenmerken
Overdracht
Huurprijs
€ 2.450 per maand (servicekosten onbekend)
Waarborgsom
€ 4.900 eenmalig
Aanvaarding
Per direct beschikbaar
Bouw
Soort appartement
Bovenwoning (appartement)
Oppervlakten en inhoud
Wonen
85 m²
Gebouwgebonden buitenruimte
8 m²
Inhoud
260 m³
Indeling
Aantal kamers
3 kamers (2 slaapkamers)
Aantal badkamers
1 badkamer
Makelaar
Verzonnen Makelaars
020 555 01 23
Vergelijkbare woningen
€ 2.100 per maand 70 m²`,
		cost: "2450", currency: "EUR", area: "85", rooms: "3", code: "1071 AB", place: "Verzonnenlaan 24-2, Amsterdam",
		phone: "020 555 01 23", title: "Verzonnenlaan 24-2"},
	{name: "Funda, for sale", text: `
Kopen
Huren
Verzinselstraat 110
3512 JN Utrecht
€ 585.000 k.k.
92 m² wonen
104 m² perceel
3 slaapkamers
Maximale hypotheek berekenen
Bruto maandlasten € 2.811
Overdracht
Vraagprijs
€ 585.000 kosten koper
Vraagprijs per m²
€ 6.359
Servicekosten
€ 0 per maand
Soort woonhuis
Eengezinswoning, tussenwoning
Wonen
92 m²
Perceel
104 m²
Aantal kamers
4 kamers (3 slaapkamers)
Energielabel
A`,
		cost: "585000", currency: "EUR", area: "92", rooms: "4", code: "3512 JN", place: "Verzinselstraat 110, Utrecht",
		title: "Verzinselstraat 110"},
	{name: "Rightmove, a long menu", text: `
Skip to content
Buy
Property for sale
New homes for sale
Property valuation
Rent
Property to rent
Student property to rent
House price estimates
Find estate agents
Commercial property to rent
Inspire
My Rightmove
Where can I live? See what you could borrow
Garden flats
Back
Save property
1/12
Floorplan
Inkwell Street, Bristol, BS3
£1,395 pcm
£322 pw
The amount per month or week you need to pay the landlord.
Tenancy info
Apply for this property
Added yesterday
PROPERTY TYPE
Apartment
BEDROOMS
1
BATHROOMS
1
SIZE
538 sq ft
50 sq m
LETTING DETAILS
Let available date:
15/01/2027
Deposit:
£1,609A deposit provides security for a landlord against damage, or unpaid rent by a tenant.
Min. Tenancy:
12 months
Let type:
Long term
Furnish type:
Unfurnished
Council Tax:
Band B
PROPERTY DESCRIPTION
A quiet first floor apartment with high ceilings, close to the river. Holding deposit £321.
UTILITIES, RIGHTS & RESTRICTIONS
Energy performance certificate - ask agent
Inkwell Street, Bristol, BS3
About Makebelieve Homes, Bristol
9 Nowhere Parade, Bristol, BS1 9ZZ
Call agent: 0117 496 0321
Properties nearby
£1,250 pcm`,
		cost: "1395", currency: "GBP", area: "50", rooms: "", code: "BS3", place: "Inkwell Street, Bristol",
		phone: "0117 496 0321", title: "Inkwell Street, Bristol, BS3"},
	{name: "Otodom, to let", text: `
Sprzedaż
Wynajem
Nowe inwestycje
Moje konto
Dodaj ogłoszenie
Wróć do listy
Mieszkanie na wynajem
Mazowieckie
Przytulne 2 pokoje z balkonem przy metrze
ul. Zmyślona 5, Mokotów, Warszawa, mazowieckie
3 450 zł
+ czynsz 650 zł/miesiąc
45,5 m²
2 pokoje
Powierzchnia:
45,5 m²
Liczba pokoi:
2
Ogrzewanie:
miejskie
Piętro:
3/5
Czynsz:
650 zł
Kaucja:
3 450 zł
Dostępne od:
2027-01-15
Opis
Mieszkanie po remoncie, balkon 5 m², kuchnia z oknem. Bez prowizji.
Zadzwoń: 501 555 012
Podobne ogłoszenia
Kawalerka 2 300 zł`,
		cost: "3450", currency: "PLN", area: "45.5", rooms: "2", place: "ul. Zmyślona 5, Mokotów, Warszawa, mazowieckie",
		phone: "501 555 012", title: "Przytulne 2 pokoje z balkonem przy metrze"},
	{name: "Otodom, for sale", text: `
Dodaj ogłoszenie
Sprzedaż
Wynajem
3-pokojowe mieszkanie z ogródkiem
749 000 zł
11 703 zł/m²
Oblicz ratę kredytu: od 4 120 zł/mies.
ul. Wymyślna 14, 31-564 Kraków
64 m²
3 pokoje
Informacje
Powierzchnia: 64 m²
Ogródek 40 m²
Czynsz administracyjny 540 zł
Rynek wtórny
Rok budowy 2012`,
		cost: "749000", currency: "PLN", area: "64", rooms: "3", code: "31-564", place: "ul. Wymyślna 14, Kraków",
		title: "3-pokojowe mieszkanie z ogródkiem"},
	{name: "Idealista in Spain, to let", text: `
Publica tu anuncio
Acceder
Comprar
Alquilar
Compartir
Precio de alquiler en Chamberí
Volver al listado
Alquiler de Piso en calle de la Invención, 12
Trafalgar, Madrid
1.350 €/mes
72 m²
2 hab.
Planta 3ª exterior con ascensor
Guardar favorito
Comentario del anunciante
Piso reformado y luminoso, con dos dormitorios y salón de 22 m². Gastos de comunidad incluidos.
Disponible desde el 1 de febrero.
Características básicas
72 m² construidos, 65 m² útiles
2 habitaciones
1 baño
Fianza de 1 mes
Calle de la Invención, 12
28010 Madrid
Precio del inmueble:	1.350 €/mes
Precio por m²:	18,75 €/m²
Fianza:	1.350 €
Garantía adicional:	2.700 €
Calcular hipoteca: cuota de 812 €/mes
Referencia del anuncio	7755
Llamar: 910 555 012
Anuncios similares
Piso en Chamberí 1.500 €/mes`,
		cost: "1350", currency: "EUR", area: "72", rooms: "", code: "28010", place: "Calle de la Invención, 12, Madrid",
		phone: "910 555 012", title: "Alquiler de Piso en calle de la Invención, 12"},
	{name: "Immobiliare, to let", text: `
Accedi
Pubblica annunci
Affitto
Vendita
Torna alla ricerca
Trilocale via dell'Invenzione 8, Isola, Milano
Milano
Isola
Via dell'Invenzione 8
€ 1.600/mese
3 locali
82 m²
1 bagno
Piano 2
Ascensore
Contatta l'inserzionista
Descrizione
Appartamento ristrutturato con balcone di 6 m² e cantina. Libero dal 1 marzo.
Caratteristiche
Contratto
Affitto
Superficie
82 m²
Locali
3 (2 camere da letto)
Piano
2
Prezzo e costi
Prezzo
€ 1.600/mese
Spese condominio
€ 180/mese
Cauzione
€ 4.800
Efficienza energetica
Classe D
20159 Milano
Telefono 02 5550 1234
Annunci simili
Bilocale € 1.200/mese`,
		cost: "1600", currency: "EUR", area: "82", rooms: "3", code: "20159", place: "Via dell'Invenzione 8, Milano",
		phone: "02 5550 1234", title: "Trilocale via dell'Invenzione 8, Isola, Milano"},
	{name: "Pararius", text: `
Huurwoningen
Koopwoningen
Inloggen
Terug naar zoekresultaten
Appartement Bedachtekade 88 in Rotterdam
3011 BH (Centrum)
€ 1.795 per maand
68 m²
3 kamers
Gestoffeerd
Beschrijving
Hoekappartement met uitzicht over de haven, twee slaapkamers. Inclusief servicekosten.
Overdracht
Huurprijs
€ 1.795 per maand
Inclusief: Servicekosten
Exclusief: Gas, water en elektra
Aangeboden sinds
3 weken
Beschikbaar
Per 1-2-2027
Borg
€ 3.590
Oppervlakte
68 m²
Aantal kamers
3
Aantal slaapkamers
2
Telefoon: 010 555 01 23
Vergelijkbaar aanbod
Appartement € 1.650`,
		cost: "1795", currency: "EUR", area: "68", rooms: "3", code: "3011 BH", place: "Bedachtekade 88, Rotterdam",
		phone: "010 555 01 23", title: "Appartement Bedachtekade 88 in Rotterdam"},
	{name: "willhaben", text: `
Marktplatz
Immobilien
Auto & Motor
Jobs
Anzeige aufgeben
Einloggen
Zurück zum Suchergebnis
Merken
Teilen
Helle Altbauwohnung mit Innenhofbalkon
Gesamtmiete
€ 1.149,90
2 Zimmer
54 m² Wohnfläche
Objektstandort
Erfindergasse 21/8, 1070 Wien, 07. Bezirk, Neubau
Preis
Gesamtmiete inkl. MWSt
€ 1.149,90
Nettomiete
€ 890
Betriebskosten (inkl. MWSt)
€ 210,90
Monatliche Kosten für Heizung
€ 49
Kaution
€ 3.449,70
Objektinformationen
Wohnfläche
54 m²
Zimmer
2
Stockwerk(e)
3
Verfügbar
ab sofort
Provision: provisionsfrei
Beschreibung
Ruhig in den Hof gelegen, der Balkon hat 4 m².
Kontakt
Exempelhaus Immobilien GmbH
Telefon +43 664 / 555 01 99
Ähnliche Anzeigen
3 Zimmer, 1080 Wien € 1.490`,
		cost: "1149.9", currency: "EUR", area: "54", rooms: "2", code: "1070", place: "Erfindergasse 21/8, Wien",
		phone: "+43 664 / 555 01 99", title: "Helle Altbauwohnung mit Innenhofbalkon"},
	{name: "Zoopla, for sale", text: `
Skip to main content
For sale
To rent
House prices
Agent search
My home
Sign in
Sell your home
Back to results
Save
Share
£310,000
Offers over
2 bed terraced house for sale
Daydream Road, Sheffield S7 1ZZ
2 beds
1 bath
1 reception
797 sq. ft
Chain free
Estimated mortgage repayments
£1,442 per month
See your borrowing power
Tenure
Freehold
Council tax band
A
Ground rent
£0
About this property
A handsome terraced house with a loft room and a courtyard garden.
Call agent
0114 496 0123
Nearby properties
£295,000 2 bed terraced house`,
		cost: "310000", currency: "GBP", area: "74", rooms: "", code: "S7 1ZZ", place: "Daydream Road, Sheffield",
		phone: "0114 496 0123", title: "2 bed terraced house for sale"},
	{name: "ImmoScout24, for sale", text: `
Merkliste
Anmelden
Zurück zur Ergebnisliste
Gepflegte Eigentumswohnung mit Loggia und Stellplatz
Ausgedachter Weg 3, 50670 Köln, Neustadt-Nord
389.000 €
Kaufpreis
3
Zi.
78 m²
Fläche
Monatliche Rate: 1.512 €
Finanzierungsrechner
Kosten
Kaufpreis:
389.000 €
Preis/m²:
4.987 €/m²
Hausgeld:
310 €
Provision für Käufer:
3,57 % (inkl. MwSt.)
Kaufnebenkosten
Grunderwerbsteuer
25.285 €
Notarkosten
5.835 €
Gesamtkosten
434.007 €
Objektbeschreibung
Dritter Stock, Loggia 6 m². Mieteinnahmen pro Monat 1.050 €.
Telefon: 0221 5550 199
Weitere Angebote des Anbieters
2 Zimmer, 299.000 €`,
		cost: "389000", currency: "EUR", area: "78", rooms: "3", code: "50670", place: "Ausgedachter Weg 3, Köln",
		phone: "0221 5550 199", title: "Gepflegte Eigentumswohnung mit Loggia und Stellplatz"},
	{name: "Hemnet", text: `
Sök bostad
Hitta mäklare
Slutpriser
Logga in
Spara
Dela
Påhittsgatan 14B, 3tr
Bostadsrättslägenhet · Södermalm, Stockholm
4 250 000 kr
Bostadstyp
Lägenhet
Upplåtelseform
Bostadsrätt
Antal rum
2 rum
Boarea
51 m²
Balkong
Ja
Våning
3 av 5, hiss finns
Byggår
1938
Förening
Brf Påhittet 7
Energiklass
D
Avgift
2 984 kr/mån
Driftkostnad
4 800 kr/år
Pris/m²
83 333 kr/m²
Räkna på boendekostnaden
Lånekostnad 13 281 kr/mån
Om bostaden
Ljus tvåa med öppen spis. Adress: Påhittsgatan 14B, 118 26 Stockholm
Mäklare: Påhittade Mäklarna AB
Tel. 08-555 012 34
Liknande bostäder
3 995 000 kr, 48 m²`,
		cost: "4250000", currency: "SEK", area: "51", rooms: "2", code: "118 26", place: "Påhittsgatan 14B, Stockholm",
		phone: "08-555 012 34", title: "Bostadsrättslägenhet · Södermalm, Stockholm"},
	{name: "Blocket, to let", text: `
Logga in
Lägg in annons
Hyr ut
Möblerad trea nära Slottsskogen
Fantasivägen 6, 413 08 Göteborg
12 900 kr/mån
3 rum
76 m²
Inflyttning 1 februari 2027
Hyra
12 900 kr/mån
Deposition
12 900 kr
El ingår inte
Beskrivning
Lägenhet på andra våningen med balkong mot gården. Kök och två sovrum.
Liknande annonser
Tvåa 9 800 kr/mån`,
		cost: "12900", currency: "SEK", area: "76", rooms: "3", code: "413 08", place: "Fantasivägen 6, Göteborg",
		title: "Möblerad trea nära Slottsskogen"},
	{name: "Finn, to let", text: `
Til innhold
Varslinger
Ny annonse
Logg inn
Meldinger
Lys toroms med balkong på Grünerløkka
Oppdiktet gate 17, 0552 Oslo
Månedsleie
16 500 kr
Depositum
49 500 kr
Inkluderer
Varmtvann og internett
Nøkkelinfo
Boligtype
Leilighet
Soverom
1
Primærrom
43 m²
Bruksareal
46 m²
Etasje
4
Leieperiode
01.02.2027 - 31.01.2030
Energimerking
E - Gul
Om boligen
Leiligheten har to rom og eget bad.
Telefon 900 55 012
Lignende annonser
Hybel 9 500 kr`,
		cost: "16500", currency: "NOK", area: "43", rooms: "2", code: "0552", place: "Oppdiktet gate 17, Oslo",
		phone: "900 55 012", title: "Lys toroms med balkong på Grünerløkka"},
	{name: "Finn, for sale", text: `
Logg inn
Legg til favoritt
Påfunn - Vestvendt 3-roms med heis
Innfallsveien 3B, 5003 Bergen
Prisantydning
3 790 000 kr
Totalpris
3 893 142 kr
Omkostninger
95 992 kr
Fellesgjeld
7 150 kr
Felleskost/mnd.
3 180 kr
Lån: 19 240 kr per mnd.
Nøkkelinfo
Internt bruksareal
67 m²
Rom
3
Soverom
2
Byggeår
1998
Lignende boliger
3 500 000 kr`,
		cost: "3790000", currency: "NOK", area: "67", rooms: "3", code: "5003", place: "Innfallsveien 3B, Bergen",
		title: "Påfunn - Vestvendt 3-roms med heis"},
	{name: "Sreality, to let", text: `
Přihlásit se
Přidat inzerát
Prodej
Pronájem
Zpět na výpis
Pronájem bytu 2+kk 48 m²
Vymyšlená 12, 120 00 Praha 2 - Vinohrady
21 500 Kč za měsíc
+ poplatky 3 800 Kč
Popis
Světlý byt po rekonstrukci, balkon 4 m². Vratná kauce 43 000 Kč, provize 21 500 Kč.
Celková cena:
21 500 Kč za měsíc
Poznámka k ceně:
+ energie a služby 3 800 Kč
Užitná plocha:
48 m²
Podlaží:
3. podlaží z celkem 5
Energetická náročnost:
Třída C
Datum nastěhování:
1. 2. 2027
Volejte: +420 777 555 012
Podobné nabídky
Byt 1+kk 15 000 Kč`,
		cost: "21500", currency: "CZK", area: "48", rooms: "2", code: "120 00", place: "Vymyšlená 12, Praha 2 - Vinohrady",
		phone: "+420 777 555 012", title: "Pronájem bytu 2+kk 48 m²"},
	{name: "Idealista in Portugal", text: `
Publicar anúncio
Iniciar sessão
Comprar
Arrendar
Voltar à pesquisa
Arrendamento de Apartamento T2 na rua da Invenção, 45
Arroios, Lisboa
1.250 €/mês
78 m² área bruta
T2
2º andar com elevador
Comentário do anunciante
Apartamento remodelado com dois quartos e varanda de 5 m². Disponível a partir de março.
Características
78 m² área bruta, 70 m² úteis
T2
1 casa de banho
Certificado energético: C
Caução: 2.500 €
Rua da Invenção, 45
1150-012 Lisboa
Ligar: 210 555 012
Anúncios semelhantes
T1 em Arroios 950 €/mês`,
		cost: "1250", currency: "EUR", area: "78", rooms: "", code: "1150-012", place: "Rua da Invenção, 45, Lisboa",
		phone: "210 555 012", title: "Arrendamento de Apartamento T2 na rua da Invenção, 45"},
	{name: "ingatlan.com, to let", text: `
Bejelentkezés
Hirdetésfeladás
Eladó
Kiadó
Vissza a találatokhoz
Kiadó tégla lakás, 1065 Budapest, Kitalált utca 8
Budapest VI. kerület, Kitalált utca 8
Havi bérleti díj
285 000 Ft
Alapterület
52 m²
Szobák
2
Kaució
570 000 Ft
Rezsi
35 000 Ft/hó
Emelet
2
Energiatanúsítvány
CC
Leírás
Felújított, napos lakás erkéllyel (4 m²). Költözhető február 1-től.
Telefon: +36 30 555 0123
Hasonló hirdetések
Garzon 190 000 Ft`,
		cost: "285000", currency: "HUF", area: "52", rooms: "2", code: "1065",
		place: "Budapest VI. kerület, Kitalált utca 8",
		phone: "+36 30 555 0123", title: "Kiadó tégla lakás, 1065 Budapest, Kitalált utca 8"},
	{name: "leboncoin, for sale", text: `
Déposer une annonce
Se connecter
Accueil
Maison 5 pièces 112 m² avec jardin
318 000 €
Simulez votre prêt : 1 587 €/mois
Angers 49000
Critères
Honoraires inclus
Prix hors honoraires 303 000 €
Surface habitable
112 m²
Surface totale du terrain
420 m²
Nombre de pièces
5
Nombre de chambres
4
Classe énergie
C
Description
Maison familiale au calme. Taxe foncière 1 840 €. Garage, jardin de 300 m².
Prix au m² : 2 839 €
07 55 55 66 01
Ces annonces peuvent vous intéresser
Maison 4 pièces 280 000 €`,
		cost: "318000", currency: "EUR", area: "112", rooms: "5", code: "49000", place: "Angers",
		phone: "07 55 55 66 01", title: "Maison 5 pièces 112 m² avec jardin"},
	{name: "Immoweb", text: `
À vendre
À louer
Se connecter
Retour aux résultats
Appartement à louer
950 €
+ 90 € de charges
2 chambres | 84 m²
Rue de l'Imaginaire 31
1050 - Ixelles
Général
Disponible le 1 mars 2027
Étage 2
Surface habitable 84 m²
Chambres 2
Terrasse 9 m²
Énergie
Classe énergétique D
Financier
Loyer mensuel demandé 950 €
Charges mensuelles 90 €
Garantie locative 1 900 €
Contacter l'agence
Tél. 02 555 01 23
Biens similaires
Appartement 1 100 €`,
		cost: "950", currency: "EUR", area: "84", rooms: "", code: "1050", place: "Rue de l'Imaginaire 31, Ixelles",
		phone: "02 555 01 23", title: "Appartement à louer"},
	{name: "Comparis", text: `
Immobilien
Auto
Versicherungen
Login
Zurück
Wohnung mieten
CHF 2'480
pro Monat, inkl. NK
3.5 Zimmer
82 m2
2. Stock
Ausdenkstrasse 40
3012 Bern
Bezug: 01.04.2027
Beschreibung
Schöne Altbauwohnung mit Parkett. Balkon 8 m2.
Miete netto CHF 2'230
Nebenkosten CHF 250
Depot: 3 Monatsmieten
Telefon 031 555 12 34
Mietkautionsversicherung ab CHF 110 pro Jahr`,
		cost: "2480", currency: "CHF", area: "82", rooms: "3.5",
		code: "3012", place: "Ausdenkstrasse 40, Bern",
		phone: "031 555 12 34", title: "Wohnung mieten"},
	{name: "Daft", text: `
Sign in
Buy
Rent
Share
Sell
Save Search
Place ad
15 Makebelieve Terrace, Ranelagh, Dublin 6
€2,150 per month
2 Bed
1 Bath
Apartment
Overview
Single Bedroom: No
Available From: Immediately
Furnished: Yes
Lease: Minimum 1 Year
Floor area 68 m²
BER C2
Description
Bright apartment on the first floor. Deposit of €2,150 payable on signing.
Eircode: D06 X2Y3
Similar properties
€1,950 per month`,
		cost: "2150", currency: "EUR", area: "68", rooms: "",
		code: "D06 X2Y3", place: "15 Makebelieve Terrace, Ranelagh, Dublin 6",
		title: "15 Makebelieve Terrace, Ranelagh, Dublin 6"},
	{name: "Ireland, the address as title", text: `
Apartment 4, 23 Fantasy Road, Dublin 4, D04 X2Y3
€2,400 per month
1 Bed
1 Bath
52 m²`,
		cost: "2400", currency: "EUR", area: "52", rooms: "",
		code: "D04 X2Y3", place: "Apartment 4, 23 Fantasy Road, Dublin 4",
		title: "Apartment 4, 23 Fantasy Road, Dublin 4, D04 X2Y3"},
	{name: "Ireland, the address without a code", text: `
Apartment 4, 23 Fantasy Road, Dublin 4
€2,400 per month
52 m²`,
		cost: "2400", currency: "EUR", area: "52", rooms: "", place: "Apartment 4, 23 Fantasy Road, Dublin 4",
		title: "Apartment 4, 23 Fantasy Road, Dublin 4"},
	{name: "Fotocasa", text: `
Inicia sesión
Publica gratis
Comprar
Alquilar
Obra nueva
Guardar
Piso en venta en Gràcia
245.000 €
Hipoteca desde 890 €/mes
3 habs.
1 baño
76 m²
3.224 €/m²
Planta 2
Carrer de l'Invent, 33, 08012 Barcelona
Descripción
Piso exterior con balcón y ascensor. Gastos de comunidad: 75 €/mes. IBI: 410 €/año.
Consumo energía: E
Contactar: 930 555 012
Inmuebles similares
Piso 260.000 €`,
		cost: "245000", currency: "EUR", area: "76", rooms: "",
		code: "08012", place: "Carrer de l'Invent, 33, Barcelona",
		title: "Piso en venta en Gràcia"},
	{name: "Subito", text: `
Accedi
Inserisci annuncio
Preferiti
Cerca
Bilocale arredato zona università
850 €
Torino (TO)
Affitto
Oggi alle 10:32
Dettagli
Superficie
55 mq
Numero locali
2
Piano
3
Classe energetica
E
Descrizione
Affittasi bilocale in via Fantasia 14, 10124 Torino. Spese condominiali 90 euro al mese.
Due mensilità di cauzione (1.700 €). Balcone.
Contatta: 333 555 0123
Annunci correlati
Monolocale 600 €`,
		cost: "850", currency: "EUR", area: "55", rooms: "2",
		code: "10124", place: "via Fantasia 14, Torino",
		title: "Bilocale arredato zona università"},
	{name: "Kamernet", text: `
Kamers
Studio's
Appartementen
Aanmelden
Inloggen
Appartement te huur aan de Dagdroomstraat in Den Haag
€ 1.325 per maand excl.
55 m²
Gemeubileerd
Dagdroomstraat 7
2511 AB Den Haag
Huurprijs € 1.325
Servicekosten € 95
Borg € 2.650
Beschikbaar vanaf 01-03-2027
Slaapkamers 1
Kamers 2
Over deze woning
Fijn appartement met dakterras van 12 m².
Meer woningen in Den Haag
€ 1.100 per maand`,
		cost: "1325", currency: "EUR", area: "55", rooms: "2",
		code: "2511 AB", place: "Dagdroomstraat 7, Den Haag",
		title: "Appartement te huur aan de Dagdroomstraat in Den Haag"},
	{name: "Lejebolig", text: `
Log ind
Opret annonce
Søg lejebolig
Tilbage til søgning
Dejlig 2-værelses lejlighed med altan
Drømmevej 21, 2. tv
8000 Aarhus C
Husleje: 9.200 kr./md.
Forbrug: 800 kr./md.
Depositum: 27.600 kr.
Forudbetalt husleje: 9.200 kr.
Areal: 61 m²
Antal værelser: 2
Overtagelsesdato: 1. februar 2027
Altan 5 m²
Ring til udlejer: 55 50 12 88
Se også
3 vær. 11.500 kr.`,
		cost: "9200", currency: "DKK", area: "61", rooms: "2",
		code: "8000", place: "Drømmevej 21, 2. tv, Aarhus C",
		phone: "55 50 12 88", title: "Dejlig 2-værelses lejlighed med altan"},
	{name: "Boliga", text: `
Boliga
Til salg
Solgte
Log på
Ejerlejlighed til salg
Tankespind 3, st. th.
2100 København Ø
3.195.000 kr
Boligydelse: 15.870 kr/md
74 m²
3 værelser
Opført 1932
Ejerudgift 2.950 kr
Pris pr. m²: 43.176 kr
Udbetaling 160.000 kr
Energimærke D
Mægler: Tankemæglerne
Telefon 55 50 44 20`,
		cost: "3195000", currency: "DKK", area: "74", rooms: "3",
		code: "2100", place: "Tankespind 3, st. th., København Ø",
		phone: "55 50 44 20", title: "Ejerlejlighed til salg"},
	{name: "Hybel", text: `
Logg inn
Registrer deg
Finn bolig
Fin 2-roms leilighet til leie sentralt
Drømmegata 5, 7013 Trondheim
12 900 kr / mnd
Depositum 38 700 kr
45 m²
2-roms
Strøm ikke inkludert
Ledig fra 01.03.2027
2. etasje
Beskrivelse
Møblert leilighet med balkong på 4 m².
Lignende boliger
9 000 kr`,
		cost: "12900", currency: "NOK", area: "45", rooms: "2",
		code: "7013", place: "Drømmegata 5, Trondheim",
		title: "Fin 2-roms leilighet til leie sentralt"},
	{name: "Bezrealitky", text: `
Přihlásit
Vložit inzerát
Hledat
Pronájem bytu 3+1 • 71 m² bez realitky
Snová, Brno - Veveří, Jihomoravský kraj
18 900 Kč
+ Poplatky za služby 2 500 Kč
+ Poplatky za energie 1 700 Kč
Vratná kauce 37 800 Kč
Dispozice
3+1
Plocha
71 m²
Dostupné od
1. 3. 2027
PENB
C
Podlaží
2. podlaží z 4
Slunný byt s lodžií 3 m².
Podobné nabídky
15 000 Kč`,
		cost: "18900", currency: "CZK", area: "71", rooms: "3",
		code: "", place: "",
		title: "Pronájem bytu 3+1 • 71 m² bez realitky"},
	{name: "OLX", text: `
Dodaj ogłoszenie
Obserwowane
Zaloguj się
Wróć
Wynajmę kawalerkę w centrum, od zaraz
1 900 zł
Czynsz (dodatkowo): 450 zł
Powierzchnia: 28 m²
Liczba pokoi: Kawalerka
Poziom: 2
Umeblowane: Tak
OPIS
Kawalerka przy ul. Bajkowej 9, 50-082 Wrocław. Kaucja 1 900 zł. Tel. 501 555 012
Lokalizacja
Wrocław, Stare Miasto
Zobacz także
2 pokoje 2 800 zł`,
		cost: "1900", currency: "PLN", area: "28", rooms: "1",
		code: "50-082", place: "ul. Bajkowej 9, Wrocław",
		phone: "501 555 012", title: "Wynajmę kawalerkę w centrum, od zaraz"},
	{name: "Imovirtual", text: `
Entrar
Anunciar
Comprar
Arrendar
Apartamento T3 com terraço
Rua dos Sonhos 18, 4000-120 Porto
295 000 €
2 950 €/m²
Prestação mensal estimada: 1 050 €
Área: 100 m²
Tipologia: T3
Casas de banho: 2
Certificado energético: B
Descrição
Apartamento renovado. Condomínio 45 €/mês.
Contactar anunciante 220 555 012`,
		cost: "295000", currency: "EUR", area: "100", rooms: "",
		code: "4000-120", place: "Rua dos Sonhos 18, Porto",
		title: "Apartamento T3 com terraço"},
	{name: "SpareRoom", text: `
Log in
Register
Browse
Post an ad
Search
Large double room in friendly house share
Area: Clapham
Postcode: SW4
£850 pcm
Deposit £980
Bills included? Yes
Available Now
Minimum term 6 months
A sunny double room on the second floor of a Victorian house.
Contact Sam on 07700 900 222
More rooms in Clapham £900 pcm`,
		cost: "850", currency: "GBP", area: "", rooms: "",
		code: "SW4", place: "",
		phone: "07700 900 222", title: "Large double room in friendly house share"},
	{name: "Immonet, a house", text: `
Suche
Favoriten
Einloggen
Reihenmittelhaus mit Garten in familienfreundlicher Lage
Kaufpreis: 475.000 €
Wohnfläche ca. 118 m²
Grundstück ca. 210 m²
Zimmer: 5
Luftschlossweg 12
28213 Bremen
Baujahr: 1974
Energieeffizienzklasse: D
Käuferprovision: 2,98 %
Monatl. Rate ab 1.880 €
Stellplatzpreis: 12.000 €
Ansprechpartner: Frau Muster
Tel. 0421 / 55 50 19-0`,
		cost: "475000", currency: "EUR", area: "118", rooms: "5",
		code: "28213", place: "Luftschlossweg 12, Bremen",
		phone: "0421 / 55 50 19-0", title: "Reihenmittelhaus mit Garten in familienfreundlicher Lage"},
	{name: "Qasa", text: `
Logga in
Hyra
Hyr ut
Lägenhet på Drömgatan
21 000 kr/mån
2 rum
58 m²
Malmö
Drömgatan 9, 211 20 Malmö
Inflytt: 1 mars 2027
Våning 3
Deposition: 21 000 kr
Avgift till Qasa: 995 kr
Om hemmet
Ljus och fräsch lägenhet med balkong (6 m²).`,
		cost: "21000", currency: "SEK", area: "58", rooms: "2",
		code: "211 20", place: "Drömgatan 9, Malmö",
		title: "Lägenhet på Drömgatan"},
	{name: "derStandard", text: `
Immobiliensuche
Anmelden
3-Zimmer-Neubauwohnung mit Loggia nahe U-Bahn
Luftgasse 5, 1160 Wien
1.380,00 € Gesamtmiete
76,4 m² Wohnfläche
3 Zimmer
Kosten
Hauptmietzins 1.050,00 €
Betriebskosten 204,55 €
USt 125,45 €
Gesamtmiete 1.380,00 €
Kaution 4.140,00 €
HWB 38,2 kWh/m²a
Die Wohnung liegt im 4. Liftstock. Verfügbar ab 1.3.2027`,
		cost: "1380", currency: "EUR", area: "76.4", rooms: "3",
		code: "1160", place: "Luftgasse 5, Wien",
		title: "3-Zimmer-Neubauwohnung mit Loggia nahe U-Bahn"},
	{name: "ParuVendu", text: `
Accueil
Immobilier
Connexion
Déposer mon annonce
Location appartement F3 58 m²
Toulouse (31000)
780 € cc*
Charges : 60 €
3 pièces - 58 m² - 2 chambres - 2ème étage
DPE : D
Appartement rénové, balcon 4 m². Dépôt de garantie : 720 €. Honoraires locataire : 580 €.
Disponible de suite
05 55 55 18 18
Annonces similaires
T2 620 €`,
		cost: "780", currency: "EUR", area: "58", rooms: "3",
		code: "31000", place: "Toulouse",
		phone: "05 55 55 18 18", title: "Location appartement F3 58 m²"},
	{name: "ImmoScout24.ch", text: `
Suchen
Inserieren
Login
Vierzimmerwohnung an sonniger Lage
Luzernerstrasse 0, 6010 Kriens
CHF 2'050 / Monat
4.5 Zimmer
101 m² Wohnfläche
Mietzins exkl. NK CHF 1'800
Nebenkosten CHF 250
Verfügbar ab: 01.05.2027
Stockwerk: 2
Parkplatz CHF 110
Beschreibung: Grosszügige Wohnung mit Balkon.
Kontakt: 041 555 12 34`,
		cost: "2050", currency: "CHF", area: "101", rooms: "4.5",
		code: "6010", place: "Luzernerstrasse 0, Kriens",
		phone: "041 555 12 34", title: "Vierzimmerwohnung an sonniger Lage"},
	{name: "Gumtree", text: `
Sell
Messages
Login / Register
Cozy 1 bed flat near station
Walthamstow, London
£1,300pm
Posted 2 days ago
Property type: Flat
Number of bedrooms: 1
Date available: 12 Jan 2027
Description
Lovely flat, 45 sqm, on Imaginary Road, E17 3AA. Deposit of 5 weeks rent (£1,500). Call 07700 900 555.
You may also like
£1,200pm`,
		cost: "1300", currency: "GBP", area: "45", rooms: "",
		code: "E17 3AA", place: "Imaginary Road",
		phone: "07700 900 555", title: "Cozy 1 bed flat near station"},
	{name: "Casa.it vendita", text: `
Accedi
Vendi
Cerca casa
Quadrilocale in vendita a Bologna
€ 320.000
Rata mutuo da € 1.120/mese
110 m²
4 locali
2 bagni
Via dei Sogni 21, Saragozza, Bologna
Descrizione
Luminoso quadrilocale al terzo piano con due balconi.
Spese condominiali: € 150/mese
€ 2.909/m²
Classe energetica: F
40135 Bologna (BO)
Chiama 051 555 0123`,
		cost: "320000", currency: "EUR", area: "110", rooms: "4",
		code: "40135", place: "Via dei Sogni 21, Saragozza, Bologna",
		phone: "051 555 0123", title: "Quadrilocale in vendita a Bologna"},
	{name: "Habitaclia", text: `
Acceder
Alquiler
Venta
Contactar
Alquiler Ático en Calle Fantasía 3
Ruzafa - València
1.100 €
80 m²
2 habitaciones
1 baño
13,75 €/m²
Ático con terraza de 20 m². Planta 5. Fianza 2 meses: 2.200 €. Gastos incluidos.
46006 Valencia
Tel. 960 555 012`,
		cost: "1100", currency: "EUR", area: "80", rooms: "",
		code: "46006", place: "Calle Fantasía 3, Valencia",
		phone: "960 555 012", title: "Alquiler Ático en Calle Fantasía 3"},
	{name: "BoligPortal, room", text: `
Log ind
Opret bolig
Værelse i 3-værelses lejlighed
Fantasivej 88, 4. th., 2400 København NV
5.200 kr.
pr. måned
14 m²
Depositum 10.400 kr.
Aconto 400 kr.
Ledig fra 1. marts 2027
Ring 55 50 66 77`,
		cost: "5200", currency: "DKK", area: "14", rooms: "",
		code: "2400", place: "Fantasivej 88, 4. th., København NV",
		phone: "55 50 66 77", title: "Værelse i 3-værelses lejlighed"},
	{name: "Booli", text: `
Sök
Värdera
Logga in
Lägenhet Sagovägen 3
Hammarby Sjöstad, Stockholm
Utropspris
3 450 000 kr
Avgift 3 400 kr/mån
2 rum, 55 m², vån 4
71 875 kr/m²
Driftskostnad 450 kr/mån
Byggår 2004`,
		cost: "3450000", currency: "SEK", area: "55", rooms: "2",
		code: "", place: "Hammarby Sjöstad, Stockholm",
		title: "Lägenhet Sagovägen 3"},
	{name: "ImmoScout24 rent with parking", text: `
Mieten
Kaufen
Merkzettel
Schicke 2-Raum-Wohnung mit Einbauküche
01099 Dresden, Äußere Neustadt
Kaltmiete 620 €
Nebenkosten 130 €
Stellplatzmiete 45 €
Warmmiete 750 €
2 Zimmer, 57,5 m²
Kaution: 1.860 EUR
Einzug: sofort
Heizungsart: Fernwärme
Telefonnummer: 0351 5550 199-0`,
		cost: "750", currency: "EUR", area: "57.5", rooms: "2",
		code: "01099", place: "Dresden",
		phone: "0351 5550 199-0", title: "Schicke 2-Raum-Wohnung mit Einbauküche"},
	{name: "SeLoger vente", text: `
Acheter
Louer
Vendre
Connexion
Appartement à vendre 3 pièces 68 m²
12 rue des Songes, 31500 Toulouse
249 000 €
soit 3 662 €/m²
Estimer mes mensualités 1 205 €/mois
3 pièces
2 chambres
68 m²
Étage 2/4
Charges de copropriété 1 200 €/an
Taxe foncière 900 €
DPE : C
Honoraires à la charge du vendeur
05 55 55 33 11`,
		cost: "249000", currency: "EUR", area: "68", rooms: "3",
		code: "31500", place: "12 rue des Songes, Toulouse",
		phone: "05 55 55 33 11", title: "Appartement à vendre 3 pièces 68 m²"},
	{name: "Huurwoningen", text: `
Inloggen
Registreren
Appartement te huur
Fabelstraat 12 B
5611 CD Eindhoven
€1.250 p/m
60 m2
2 kamers
Inclusief gas, water, licht
Waarborgsom: €2.500
Bemiddelingskosten: €0
Beschikbaar per 01-04-2027`,
		cost: "1250", currency: "EUR", area: "60", rooms: "2",
		code: "5611 CD", place: "Fabelstraat 12 B, Eindhoven",
		title: "Appartement te huur"},
	{name: "jofogas", text: `
Belépés
Hirdetésfeladás
Eladó 2 szobás panellakás Zuglóban
54 900 000 Ft
1 055 769 Ft/m²
52 m²
2 szoba
1144 Budapest, Mese utca 12
Emelet: 4
Közös költség: 18 000 Ft
Hívás: +36 20 555 0123`,
		cost: "54900000", currency: "HUF", area: "52", rooms: "2",
		code: "1144", place: "1144 Budapest, Mese utca 12",
		phone: "+36 20 555 0123", title: "Eladó 2 szobás panellakás Zuglóban"},
	{name: "SeLoger, charges behind the rent", text: `
Bouquet photo – Séjour lumineux
Appartement à louer 2 pièces 43,6 m²
1 240 € /mois charges comprises
2 pièces
1 chambre
43,6 m²
Étage 5/7
T2 meublé situé à 10 minutes à pied de la gare, au 5ème étage avec ascenseur d'une résidence de 1972. Il
se compose d'une entrée avec placard, d'un séjour de 21 m² avec cuisine équipée, d'une chambre, d'une salle
de douche avec WC. Chauffage collectif. Box de stationnement possible en supplément (110 €/mois).
Libre le 15/01/2027.
Le loyer et les charges
Loyer charges comprises
1 240 €
dont charges (provision avec régularisation annuelle)
95 €
Loyer de base
Loyer soumis à l'encadrement
Dépôt de garantie
2 290 €
Honoraires charge locataire
566,80 €
dont état des lieux
L'agence
Agence des Brotteaux Gestion
Annonces similaires
Appartement 3 pièces 66 m² 1 480 € Lyon 6ème
Studio 24 m² 690 € Villeurbanne`,
		cost: "1240", currency: "EUR", area: "43.6", rooms: "2",
		title: "Appartement à louer 2 pièces 43,6 m²"},
	{name: "leboncoin, the price before", text: `
Appartement T4 avec terrasse et garage, proche tram
4 pièces · 78 m² · Nantes 44300
219 000 €
Ancien prix : 234 000 €
-6 %
Baisse de prix
2 807 €/m²
Critères
Type de bien
Appartement
Type de vente
Ancien
Surface habitable
78 m²
Nombre de pièces
4
Nombre de chambres
Calculez votre mensualité
1 158 €/mois sur 20 ans, apport 21 900 €
Localisation
Ces annonces peuvent vous intéresser
Maison 5 pièces 110 m² 349 000 € Carquefou 44470
T3 62 m² 187 500 € Nantes 44300`,
		cost: "219000", currency: "EUR", area: "78", rooms: "4",
		code: "44300", place: "Nantes",
		title: "Appartement T4 avec terrasse et garage, proche tram"},
	{name: "Immoweb in Dutch", text: `
Appartement te huur
985 € (+ 75 €) per maand
985 € + 75 € maandelijkse kosten
2 slaapkamers | 92 m² bewoonbare oppervlakte
Lange Leemstraat 318
2018 — Antwerpen
19 foto's
Plattegrond
Bereken mijn verhuisbudget
Instapklaar appartement met 2 slaapkamers en terras aan het Stadspark
Interieur
Bewoonbare oppervlakte
92 m²
Slaapkamers
2
Makelaarskantoor
Immo Zuiderpoort BV
BIV 509.887
03 555 19 80
Vergelijkbare panden
Appartement 1.150 € 3 slk. 110 m² 2600 Berchem
Studio 650 € 35 m² 2000 Antwerpen`,
		cost: "985", currency: "EUR", area: "92",
		code: "2018", place: "Lange Leemstraat 318, Antwerpen",
		phone: "03 555 19 80", title: "Appartement te huur"},
	{name: "atHome, a code of Luxembourg", text: `
Appartement 1 chambre à louer à Luxembourg-Hollerich
1 950 € /mois
Charges : 250 €
Caution : 3 900 €
71 m²
1 chambre
1 salle de douche
Disponible : immédiatement
17, rue de Hollerich, L-1741 Luxembourg
Calculer un trajet
Description
Bel appartement meublé au 2e étage d'une résidence de 2014 avec ascenseur, à 8 minutes à pied de la gare.
Il se compose comme suit :
- hall d'entrée 6 m²
- living / salle à manger 30 m²
Agence
Immo Pétrusse S.à r.l.
+352 27 55 18 30
Annonces similaires
Appartement, 2 chambres, 88 m², 2 400 €, Luxembourg-Gare
Studio, 32 m², 1 350 €, Bonnevoie`,
		cost: "1950", currency: "EUR", area: "71",
		code: "L-1741", place: "17, rue de Hollerich, Luxembourg",
		phone: "+352 27 55 18 30", title: "Appartement 1 chambre à louer à Luxembourg-Hollerich"},
	{name: "Immobiliare, the address in the title", text: `
Trilocale via Riccardo Grazioli Lante 30, Prati, Roma
€ 1.100/mese
3 locali
75 m²
superficie
1
bagno
4
piano
Informazioni sui costi
Prezzo
€ 1.100/mese
Spese condominio
€ 120/mese
Cauzione
€ 2.200
Prezzo al m²
14,67 €/m²
Annunci simili
Bilocale via Trionfale, Roma € 950/mese 60 m²`,
		cost: "1100", currency: "EUR", area: "75", rooms: "3",
		place: "via Riccardo Grazioli Lante 30, Prati, Roma",
		title: "Trilocale via Riccardo Grazioli Lante 30, Prati, Roma"},
	{name: "Idealista, the town below the title", text: `
Piso en venta en Calle de Embajadores, 187
Legazpi, Madrid
Ver mapa
342.000 €
360.000 €
5%
96 m²
3 hab.
Precio del inmueble: 342.000 €
Precio por m²: 3.563 €/m²
Gastos de comunidad: 85 €/mes
Ref. anuncio 104883127
Referencia: RS-0491
Teléfono
910 555 284
Pisos similares
Piso en Paseo de la Chopera, 299.000 € 2 hab. 70 m²`,
		cost: "342000", currency: "EUR", area: "96",
		place: "Calle de Embajadores, 187, Legazpi, Madrid",
		phone: "910 555 284", title: "Piso en venta en Calle de Embajadores, 187"},
	{name: "Rightmove, the address of the agent", text: `
2 bedroom apartment to rent
Dalston Lane, London, E8
£1,650 pcm
£381 pw
SIZE
678 sq ft
63 sq m
About Fernhurst & Cole, Hackney
401 Mare Street, London, E8 1ZZ
Call agent: 020 7946 0318
Properties you may like
£1,900 pcm 2 bed flat Graham Road E8`,
		cost: "1650", currency: "GBP", area: "63",
		code: "E8", place: "Dalston Lane, London",
		phone: "020 7946 0318", title: "2 bedroom apartment to rent"},
	{name: "Zoopla, a price on application", text: `
POA
£423/mo est. service and energy? Get a personalised quote
2 bed flat for sale
Kelvinhaugh Street, Glasgow G3 8PE
2 beds
1 bath
1 reception
626 sq. ft
Service charge:
£1,140 per year
Listed by
Corrie & Bain Property, Glasgow West End
Call 0141 496 0722
Similar properties
£310,000 3 bed flat Argyle Street, Glasgow G3`,
		area: "58",
		code: "G3 8PE", place: "Kelvinhaugh Street, Glasgow",
		phone: "0141 496 0722", title: "2 bed flat for sale"},
	{name: "Daft, a code in a line of its own", text: `
Apartment 31, The Maltings, Watercourse Road, Blackpool, Co. Cork
T23 X8N1
€2,150 per month
2 Bed
2 Bath
Available From: Immediately
Furnished: Yes
Lease: Minimum 1 Year
BER C1
Other properties in Blackpool
€1,750 per month 1 Bed Apartment, Shandon Street, Cork City`,
		cost: "2150", currency: "EUR",
		code: "T23 X8N1", place: "Apartment 31, The Maltings, Watercourse Road, Blackpool, Co. Cork",
		title: "Apartment 31, The Maltings, Watercourse Road, Blackpool, Co. Cork"},
	{name: "Qasa, a street without a number", text: `
Lägenhet på Hornsgatan, Stockholm
Hornsgatan, 117 28 Stockholm
54 m²
Våning 3 av 6
12 900 kr/mån
Om bostaden
Ljus och fin lägenhet på Hornstull som hyrs ut i andra hand fullt möblerad. Sovrum mot gården, vardagsrum
med öppen spis (ej i bruk). Köket renoverades 2017. Tvättstuga och cykelrum finns i huset. Max 2 personer,
inga husdyr.
Liknande bostäder
1 rum 32 m² 9 500 kr/mån Liljeholmen`,
		cost: "12900", currency: "SEK", area: "54",
		code: "117 28", place: "Hornsgatan, Stockholm",
		title: "Lägenhet på Hornsgatan, Stockholm"},
	{name: "Fotocasa, the address in a sentence", text: `
1.250 € /mes
Gastos incluidos
Piso en alquiler en Avenida del Puerto
3 habs
2 baños
85 m²
6ª Planta
Avenida del Puerto, Valencia. A 10 min de la playa en tranvía.
Leer más
Anuncios que te pueden interesar
Piso en Algirós 1.050 €/mes 2 habs 72 m²`,
		cost: "1250", currency: "EUR", area: "85",
		place: "Avenida del Puerto, Valencia",
		title: "Piso en alquiler en Avenida del Puerto"},
	{name: "Pararius, the address in a sentence", text: `
Te huur: Appartement Blaak in Rotterdam
3011 GB (Stadsdriehoek)
€ 1.795 per maand
62 m²
2 kamers
Omschrijving
Blaak 555, Rotterdam. Modern gemeubileerd appartement op de 9e verdieping met uitzicht op de Markthal. Woonkamer
met open keuken (29 m²), slaapkamer, badkamer met inloopdouche en apart toilet. Huurprijs is exclusief gas,
water, licht, internet en gemeentelijke heffingen. Parkeerplaats in de garage € 175 per maand. Waarborgsom
twee maanden huur. Geen studenten of woningdelers. Inkomenseis 3x de huurprijs.
Makelaar
Maasstad Rentals
010-5550284
Vergelijkbare woningen
Appartement Wijnhaven € 2.100 per maand 80 m² 3 kamers
Studio Goudsesingel € 1.150 per maand 34 m²`,
		cost: "1795", currency: "EUR", area: "62", rooms: "2",
		code: "3011 GB", place: "Blaak 555, Rotterdam",
		phone: "010-5550284", title: "Te huur: Appartement Blaak in Rotterdam"},
	{name: "Boligsiden, the floor behind the number", text: `
Skt. Pauls Kirkeplads 9, 2. th
8000 Aarhus C
Ejerlejlighed
2.195.000 kr.
-4% (100.000 kr.)
Gem bolig
Del bolig
Boligareal
83 m²
Værelser
3
Etage
2.
Byggeår
1904
Energimærke
D
Ejerudgift
3.418 kr./md.
Boliger i nærheden
M.P. Bruuns Gade 44, 1. tv 2.695.000 kr. 96 m² 4 værelser`,
		cost: "2195000", currency: "DKK", area: "83", rooms: "3",
		code: "8000", place: "Skt. Pauls Kirkeplads 9, 2. th, Aarhus C",
		title: "Skt. Pauls Kirkeplads 9, 2. th"},
	{name: "Vuokraovi", text: `
Kerrostalo, Hämeenkatu 22 B 31, Keskusta, Tampere
2h + kk + s + parveke
48,5 m²
890 €/kk
Sijainti
Hämeenkatu 22 B 31, 33200 Tampere
Tyyppi
Kerrostalo
Huoneiston kokoonpano
2h + kk + s + parveke
Huoneita
2
Vakuus
1 780 €
Samankaltaisia kohteita
1h + kk, 29 m², 640 €/kk, Kaleva, Tampere`,
		cost: "890", currency: "EUR", area: "48.5", rooms: "2",
		code: "33200", place: "Hämeenkatu 22 B 31, Tampere",
		title: "Kerrostalo, Hämeenkatu 22 B 31, Keskusta, Tampere"},
	{name: "imobiliare.ro", text: `
Apartament 2 camere de închiriat, Zorilor, mobilat modern
Strada Observatorului, Zorilor, Cluj-Napoca, județul Cluj
550 € / lună
Fără comision la chiriaș
Preț anterior: 600 €
Caracteristici
Nr. camere:
2
Suprafaţă utilă:
54 mp
Suprafaţă construită:
62 mp
Anunțuri similare
Garsonieră Mărăști 380 € / lună 32 mp`,
		cost: "550", currency: "EUR", area: "54", rooms: "2",
		place: "Strada Observatorului, Zorilor, Cluj-Napoca, județul Cluj",
		title: "Apartament 2 camere de închiriat, Zorilor, mobilat modern"},
	{name: "realtor.ca", text: `
$589,900
1407 1055 RICHARDS STREET
1407 - 1055 Richards Street, Vancouver, British Columbia V6B0E2
MLS® Number: R2988104
2 Bedrooms
2 Bathrooms
745 sqft Square Feet
Similar Listings
$649,000 1 bed 1 bath 630 sqft Homer Street`,
		cost: "589900", currency: "CAD", area: "69",
		code: "V6B0E2", place: "1407 - 1055 Richards Street, Vancouver, British Columbia",
		title: "1407 1055 RICHARDS STREET"},
	{name: "ingatlan.com, half a room", text: `
Budapest XI. kerület, Bartók Béla út
Kiadó tégla építésű lakás, Budapest, XI. kerület, Bartók Béla út
Ár havonta
265 000 Ft
Alapterület
56 m²
Szobák
2 + 1 fél
Hasonló ingatlanok
Kiadó 1 szobás lakás, 34 m², 190 000 Ft, Móricz Zsigmond körtér`,
		cost: "265000", currency: "HUF", area: "56", rooms: "2.5",
		place: "Budapest XI. kerület, Bartók Béla út",
		title: "Kiadó tégla építésű lakás, Budapest, XI. kerület, Bartók Béla út"},
	{name: "a price without a label above a list of facts", text: `
Søg bolig
Log ind
Lys ejerlejlighed tæt på havnen
Opdigtet Strandvej 7, 2100 København Ø
3.295.000 kr.
Boligareal
88 m²
Værelser
4
Energimærke
C`,
		cost: "3295000", currency: "DKK", area: "88", rooms: "4",
		code: "2100", place: "Opdigtet Strandvej 7, København Ø",
		title: "Lys ejerlejlighed tæt på havnen"},
	{name: "MyHome, the code of the agent", text: `
7 Cedar Grove, Salthill, Galway, H91 X2C3
€385,000
3 Beds
102 m²
BER D1
Selling Agent
Corrib Sales
14 Quay Lane, Galway, H91 AB12
Similar properties
€395,000 3 Beds`,
		cost: "385000", currency: "EUR", area: "102",
		code: "H91 X2C3", place: "7 Cedar Grove, Salthill, Galway",
		title: "7 Cedar Grove, Salthill, Galway, H91 X2C3"},
	{name: "Kijiji, the unit with the label", text: `
1 Bedroom Condo near Liberty Village
$2,150
Utilities: Water included
85 East Liberty St, Toronto, ON M6K 3R4
Bathrooms: 1
Size (sqft)
560
Unit Type: Condo
Aro Rentals
04 555 0198`,
		cost: "2150", currency: "CAD", area: "52",
		code: "M6K 3R4", place: "85 East Liberty St, Toronto, ON",
		phone: "04 555 0198", title: "1 Bedroom Condo near Liberty Village"},
	{name: "habitaclia, a street without a number and its town below the title", text: `
habitaclia
Lloguer
Publicar anunci
Accedir
habitaclia > Lloguer pisos Girona > Barri Vell
Lloguer Pis a Carrer de la Font. Pis moblat amb balcó
Girona - Barri Vell
Veure mapa
1.095 €
ha baixat 55 €
Favorit
Compartir
Superfície 78 m2
3 habitacions
Pis en lloguer de 78 m² al Barri Vell de Girona, a tocar del riu. Segona planta sense ascensor. Fiança: 1 mes.
Localització
Carrer de la Font
Barri Vell
Anuncis semblants
Pis a Carrer Nou. 1.250 € 90 m2 3 habitacions`,
		cost: "1095", currency: "EUR", area: "78", place: "Carrer de la Font, Girona - Barri Vell",
		title: "Lloguer Pis a Carrer de la Font. Pis moblat amb balcó"},
	{name: "Kamernet, kinds of homes in the menu and the street above its town", text: `
Kamernet
Kamer
Appartement
Studio
Verhuren
Log in
Huren Groningen / Appartementen Groningen / Nieuwe Veldstraat
Appartement te huur aan de Nieuwe Veldstraat in Groningen
Nieuwe Veldstraat
Groningen
€ 1.325 p.m.
Inclusief gas, water en licht
48 m²
Gemeubileerd
Huurprijs
€ 1.325
Waarborgsom
€ 2.650
Geschikt voor
1 tot 2 personen
Vergelijkbare advertenties
Studio Oude Veldstraat € 895 27 m²`,
		cost: "1325", currency: "EUR", area: "48", place: "Nieuwe Veldstraat, Groningen",
		title: "Appartement te huur aan de Nieuwe Veldstraat in Groningen"},
	{name: "SpareRoom, the first half of a code below its town", text: `
SpareRoom
Find a place
Post ad
Log in
Back to search results
Two bed flat to let in the heart of Chorlton, pets welcome!
Flat to rent
Chorlton
M21 Area info
£1,195 pcm (whole property)
Email advertiser
Whole 2 bed flat to rent, top floor of a converted house. Two doubles, big kitchen diner, lounge. Shared garden.
Deposit	£1,375.00
# bedrooms	2
You might also like
1 bed flat Didsbury £950 pcm M20`,
		cost: "1195", currency: "GBP", code: "M21", place: "Chorlton",
		title: "Two bed flat to let in the heart of Chorlton, pets welcome!"},
	{name: "Spitogatos, a place that the title and the breadcrumb have", text: `
Spitogatos
Αγορά
Ενοικίαση
Μεσίτες
Σύνδεση
Ενοικίαση κατοικίας > Αττική > Αθήνα - Κέντρο > Παγκράτι
Πίσω στα αποτελέσματα
1/19
Αποθήκευση
Ενοικίαση, Διαμέρισμα, 74 τ.μ. Παγκράτι, Αθήνα - Κέντρο
€680
από €720 -6%
€9,19 / τ.μ.
74 τ.μ.
2 υ/δ
Υπνοδωμάτια
2
Κοινόχρηστα
€30
Παρόμοια ακίνητα
Διαμέρισμα 60 τ.μ. Μετς €620 1 υ/δ`,
		cost: "680", currency: "EUR", area: "74", place: "Παγκράτι, Αθήνα - Κέντρο",
		title: "Ενοικίαση, Διαμέρισμα, 74 τ.μ. Παγκράτι, Αθήνα - Κέντρο"},
	{name: "Njuškalo, a place below its label, and the address of the agency", text: `
Njuškalo
Predaj oglas
Nekretnine
Stan: Split, Bol, 56.30 m2, dugoročni najam
750 € / mjesec
Spremi oglas
Osnovne informacije
Lokacija
Splitsko-dalmatinska, Split, Bol
Ulica
Vrtna ulica 88
Broj soba
2-sobni
Stambena površina
56,30 m²
Opis oglasa
Iznajmljuje se uređen dvosoban stan na duži period. Dnevni boravak s kuhinjom, spavaća soba, kupaonica, lođa.
Prodavatelj
Primjer Dom nekretnine
Obala Primjera 99, 21000 Split
Pošalji poruku
Slični oglasi
Garsonijera Split, Spinut, 28 m2, 480 €`,
		cost: "750", currency: "EUR", area: "56.3", rooms: "2",
		place: "Vrtna ulica 88, Splitsko-dalmatinska, Split, Bol", title: "Stan: Split, Bol, 56.30 m2, dugoročni najam"},
	{name: "SeLoger, a link in a sentence that the law wants", text: `
SeLoger
Louer
Estimer
Retour
Appartement à louer
Appartement 2 pièces 43 m² Rennes
1 chambre
43 m²
Étage 2/4
765 € /mois charges comprises
35000 Rennes
Dépôt de garantie : 700 €
Description
Appartement T2 de 43 m² avec cuisine équipée et cave. Libre le 01/02/2027.
Les risques auxquels ce bien est exposé : voir le site de l'État : https://www.risques.example.fr/mes-risques
Honoraires et barème sur www.exemple-immo.example
Annonces similaires`,
		cost: "765", currency: "EUR", area: "43", rooms: "2", code: "35000", place: "Rennes",
		title: "Appartement 2 pièces 43 m² Rennes"},
	{name: "Immobiliare, a street in the title and the address of the agency", text: `
Immobiliare.it
Vendita
Affitto
Trilocale via delle Prove 61, Navile, Bologna
Bologna
Navile
Via delle Prove 61
€ 285.000
3
locali
84 m²
superficie
Descrizione
Luminoso trilocale al secondo piano con ascensore e cantina di 4 mq.
Contatta l'inserzionista
Studio Esempio srl
Via Inventata 9, 40121 Bologna
051 555 01 99`,
		cost: "285000", currency: "EUR", area: "84", rooms: "3", place: "via delle Prove 61, Navile, Bologna",
		phone: "051 555 01 99", title: "Trilocale via delle Prove 61, Navile, Bologna"},
	{name: "Idealista, an agency below the facts", text: `
Piso en venta en calle Ficticia, 23
Delicias, Zaragoza
168.000 €
77 m²
3 hab.
Inmobiliaria Muestra
Paseo Imaginario 4, 50001 Zaragoza
976 55 01 99`,
		cost: "168000", currency: "EUR", area: "77", place: "calle Ficticia, 23, Delicias, Zaragoza",
		title: "Piso en venta en calle Ficticia, 23"},
	{name: "Hemnet, the address of the agent", text: `
Hemnet
Till salu
Slutpriser
Provgatan 18B, 2tr
Kungsholmen, Stockholms kommun
3 650 000 kr
Utgångspris
Antal rum
2 rum
Boarea
47 m²
Avgift
2 905 kr/mån
Karin Påhittad
Mäklare, Exempelbyrån
070-555 01 99
Låtsasgatan 5, 112 34 Stockholm`,
		cost: "3650000", currency: "SEK", area: "47", rooms: "2",
		place: "Provgatan 18B, 2tr, Kungsholmen, Stockholms kommun", phone: "070-555 01 99", title: "Provgatan 18B, 2tr"},
	{name: "Otodom, the code of the agency before its street", text: `
Mieszkanie, 2 pokoje, Gdańsk, Zmyślona, balkon
ul. Zmyślona 31, Wrzeszcz, Gdańsk, pomorskie
2 900 zł
/miesiąc
44 m²
2 pokoje
Opis
Jasne mieszkanie z balkonem 5 m2.
Przykładowe Nieruchomości
Anna Wymyślona
+48 600 555 019
80-244 Gdańsk, ul. Przykładowa 7`,
		cost: "2900", currency: "PLN", area: "44", rooms: "2", place: "ul. Zmyślona 31, Wrzeszcz, Gdańsk, pomorskie",
		phone: "+48 600 555 019", title: "Mieszkanie, 2 pokoje, Gdańsk, Zmyślona, balkon"},
	{name: "ImmoScout24, a street near the title and the company below", text: `
Ruhige 2-Zimmer-Wohnung mit Balkon
Erfundene Straße 8
04317 Leipzig
720 €
Kaltmiete
55 m²
2
Zi.
Objektbeschreibung
Die Wohnung liegt ruhig zum Hof.
Hausverwaltung Beispiel GmbH
Herr Max Erdacht
Musterstraße 5
04109 Leipzig`,
		cost: "720", currency: "EUR", area: "55", rooms: "2", code: "04317", place: "Erfundene Straße 8, Leipzig",
		title: "Ruhige 2-Zimmer-Wohnung mit Balkon"},
	{name: "no street but that of the agency", text: `
Ruhige 2-Zimmer-Wohnung am Park
Gohlis, Leipzig
720 € kalt
55 m²
Die Wohnung liegt ruhig zum Hof.
Exempel Hausverwaltung
Frau Eva Erdacht
Musterstraße 5
04109 Leipzig`,
		cost: "720", currency: "EUR", area: "55", rooms: "2", place: "Gohlis, Leipzig",
		title: "Ruhige 2-Zimmer-Wohnung am Park"},
	{name: "Pararius, a house number with a dash", text: `
Pararius
Huurwoningen
Koopwoningen
Te huur: Appartement Molenkade 311-2 in Utrecht
3532 XX (Lombok)
€ 1.650 per maand (excl.)
58 m² · 2 kamers · Gestoffeerd
Omschrijving
Mooi appartement met balkon van 4 m².`,
		cost: "1650", currency: "EUR", area: "58", rooms: "2", code: "3532 XX", place: "Molenkade 311-2, Utrecht",
		title: "Te huur: Appartement Molenkade 311-2 in Utrecht"},
}
