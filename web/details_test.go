// Tests of the facts and details of a flat, as they are written.

package web

import (
	"fmt"
	"strings"
	"testing"
)

// TestPageUtilities tests that facts, wherever they are shown, say at the cost what it includes.
func TestPageUtilities(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[
		{"id": "a", "title": "Cold", "cost": 900, "currency": "EUR", "utilities": "excluded", "rooms": 1, "bedrooms": 1},
		{"id": "b", "title": "Other", "cost": 900, "currency": "EUR", "utilities": "150 €"},
		{"id": "c", "title": "None", "utilities": "included", "bedrooms": 0},
		{"id": "d", "title": "Dear", "cost": 1250000, "currency": "EUR", "area": 46, "rooms": 2, "bedrooms": 1},
		{"id": "e", "title": "Usual", "cost": 840, "currency": "EUR", "area": 46, "rooms": 2, "bedrooms": 1,
			"utilities": "included"}]`, "#/flat/a", 1280)
	// onFlat and inTriage have the facts as the page writes them in both views, and after "; " the utilities.
	for _, c := range []struct{ id, title, onFlat, inTriage string }{
		{"a", "Cold", "€900 excl. utilities|1 room 1 bedroom; ", "€900 excl. utilities 1 room · 1 bedroom; "},
		{"b", "Other", "€900; Utilities 150 €", "€900; Utilities 150 €"},
		{"c", "None", "no price; ", "no price; "},
	} {
		p.test("flat of "+c.title, func() {
			p.typeHash("#/flat/" + c.id)
			p.see(hashAnd(factsIn("flat")), "#/flat/"+c.id+" "+c.onFlat)
		})
		p.test("triage of "+c.title, func() {
			p.typeHash("#/triage?q=title%3A" + c.title)
			p.see(text(".triage .ordered")+` + "; " + (`+utilitiesInCard+` ?? "")`, c.inTriage)
		})
	}
	for _, id := range []string{"d", "e"} {
		p.opens("#/flat/" + id)
		for _, width := range []int{390, 900, 1280} {
			p.test(fmt.Sprintf("no fact of %s is wrapped or cut, nor lies under Edit, at %d pixels", id, width), func() {
				p.resize(width)
				p.see(factsInTrouble, "")
			})
		}
	}
}

// TestPageDetails tests the details of a flat, and its listings. A detail is short if it has at most 40 letters.
func TestPageDetails(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[
		{"id": "a@site", "title": "Loft", "date": "2024-01-02T09:14:00", "cost": 900, "currency": "EUR", "details": {
			"available_from": "2026-03-01", "viewing": "2026-02-01T18:30", "yearBuilt": 1930, "deposit": 12500.5,
			"lift": false, "about": "`+strings.Repeat("x", 41)+`", "list": [1], "none": null, "empty": " ",
			"hasWLAN": true, "floor": "3/5", "forty": "`+strings.Repeat("y", 40)+`", "ninth": 9},
			"merged_ids": ["a@site", "b@agency", "nobody"]},
		{"id": "b@agency", "title": "Second listing", "cost": 950, "currency": "EUR", "status": "duplicate",
			"urls": ["https://www.example.org/b", "https://example.net/b", "https://example.org/c"]},
		{"id": "c@site", "title": "Odd", "details": "quiet", "status": "ignored",
			"urls": [{"logo": "https://x.example/1.png", "url": "https://www.example.org/c"},
				{"a": ["https://example.net/c"], "b": 7}, 5]},
		{"id": "d@site", "title": "Late", "details": {"ninth": 8, "about": "long"}, "status": "ignored"}]`,
		"#/flat/a%40site", 1280)
	brief := strings.Join([]string{"Available from 1 Mar 2026", "Viewing 1 Feb 2026, 18:30", "Year built 1930",
		"Deposit €12,500.50", "Lift no", "Has WLAN yes", "Floor 3/5", "Forty " + strings.Repeat("y", 40)}, "; ")
	p.test("the first eight short details stand with the facts, in words", func() {
		p.see(briefPairs, brief+"; Listed Jan 2024")
		p.see(detailNames, "About,List,Empty,Ninth")
	})
	p.test("a flat that was kept names its other listings", func() {
		p.see(otherListings, "Second listing\n€950\nexample.org\nexample.net\nexample.org (2)")
		p.see(lastOtherHref, "https://example.org/c")
	})
	p.test("Triage has the same short details", func() {
		p.typeHash("#/triage")
		p.see(briefPairs, brief+"; Listed Jan 2024")
	})
	p.test("a text in place of details is one detail, and each address of a listing is a link", func() {
		p.typeHash("#/flat/c%40site")
		p.see(briefPairs, "Details quiet")
		p.see(sourceLinks, "example.orghttps://www.example.org/c,example.nethttps://example.net/c,5")
	})
	p.test("Compare has a row with the facts for a detail that is short and among the first of any flat", func() {
		p.typeHash("#/compare/a%40site,d%40site")
		p.see(comparedRows+`.filter((row) => /built|Ninth|About|Site/.test(row)).join("; ")`,
			"Year built 1930 –; Ninth 9 8; About "+strings.Repeat("x", 41)+" long; Site site site")
	})
}

// TestPageDetailsDeposit tests that a deposit is shown as an amount, or in the words of the listing.
func TestPageDetailsDeposit(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "", 1280)
	p.load("words/flats")
	for _, c := range []struct{ value, want string }{
		{`900`, "€900"}, {`"2400"`, "€2,400"}, {`"1.800"`, "€1,800"}, {`3`, "3"}, {`"3 months"`, "3 months"},
		{`"1.800 €"`, "€1,800"}, {`[900]`, "900"}, {`null`, ""}, {`"1.2.3"`, "1.2.3"},
		{`912.125`, "€912.13"}, {`"912.125"`, "€912,125"},
	} {
		if got := p.eval(`flats.detailInWords("deposit", ` + c.value + `, {currency: "EUR"})`); got != c.want {
			t.Errorf("the deposit %s is %q; want %q", c.value, got, c.want)
		}
	}
}

// TestPageDetailsLanguages tests that well-known details are in the user's language, and so is the site of flats that
// were added by hand.
func TestPageDetailsLanguages(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, c := range []struct{ language, brief, site, row string }{
		{"de", "Etage 3; Kaution 900; Frei ab sofort; Energieklasse B; Baujahr 1930; Has WLAN ja", "selbst eingetragen",
			"Lyon · selbst eingetragen · Etage 3 · Kaution 900 · Frei ab sofort"},
		{"fr", "Étage 3; Dépôt de garantie 900; Disponible le sofort; Classe énergie B; Année de construction 1930; " +
			"Has WLAN oui", "ajoutée à la main",
			"Lyon · ajoutée à la main · Étage 3 · Dépôt de garantie 900 · Disponible le sofort"},
	} {
		p := openTab(t, `[{"id": "a@added", "title": "Loft", "location": "Lyon", "details": {"floor": 3, "deposit": 900,
			"availableFrom": "sofort", "energy": "B", "year_built": 1930, "hasWLAN": true}}, {"id": "b@site"}]`, "", 1280)
		p.setLanguage(c.language)
		p.reload()
		p.test("the row of the list in "+c.language, func() {
			p.see(aboutInRows+`.some((about) => about.endsWith(`+encode(c.row)+"))", "true")
		})
		p.test("the chip of the site in "+c.language, func() {
			p.typeHash("#/?site=added")
			p.see(chipTexts, c.site)
		})
		p.test("the flat in "+c.language, func() {
			p.typeHash("#/flat/a%40added")
			p.see(briefPairs, c.brief)
			p.see(firstSource, c.site)
		})
	}
}

// TestPageDetailsWritten tests that amounts and dates in details are shown in the form of the user's language, however
// sites write them, and that other texts stay as they are.
func TestPageDetailsWritten(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "", 1280)
	p.load("words/flats")
	for value, want := range map[string]string{
		"€1,424": "€1,424", "4272 €": "€4,272", "€ 1.424,50": "€1,424.50", "CHF 1'240.–": "CHF\u00a01,240",
		"1 200 EUR": "€1,200", "01.02.2027": "1 Feb 2027", "15 janvier 2027": "15 Jan 2027",
		"12/01/2027": "12 Jan 2027", "01/13/2027": "13 Jan 2027", "1er août 2027": "1 Aug 2027",
		"3. März 2027": "3 Mar 2027", "March 3rd, 2027": "3 Mar 2027", "15 févr. 2027": "15 Feb 2027",
		"2027-01-15": "15 Jan 2027",
		"31.02.2027": "31.02.2027", "3/5": "3/5", "3 ZKB": "3 ZKB", "€": "€", "2 Keller 2027": "2 Keller 2027",
		"€100 to €200": "€100 to €200", "1.5 m": "1.5 m", "99/99/2027": "99/99/2027", "sofort": "sofort",
	} {
		if got := p.eval(fmt.Sprintf(`flats.detailInWords("x", %s, {currency: "EUR"})`, encode(value))); got != want {
			t.Errorf("%s is shown as %q; want %q", value, got, want)
		}
	}
	if got := p.eval(`flats.detailInWords("x", "12/01/2027", {currency: "USD"})`); got != "1 Dec 2027" {
		t.Errorf("with USD as the currency 12/01/2027 is shown as %q; want 1 Dec 2027", got)
	}
}

// TestPageDetailsTimes tests that times that sites write as numbers of milliseconds or seconds are shown as dates.
func TestPageDetailsTimes(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "", 1280)
	p.load("words/flats")
	for nameAndValue, want := range map[string]string{
		`"creationDate", 1512455998000`: "5 Dec 2017, 07:39", `"created_at", 1512455998`: "5 Dec 2017, 07:39",
		`"createdAt", 1512455998`: "5 Dec 2017, 07:39", `"update", 3`: "3", `"seat", 1512455998`: "1,512,455,998",
		`"published", 1512455998000`: "5 Dec 2017, 07:39", `"last_seen", "1512455998"`: "5 Dec 2017, 07:39",
		`"candidate_id", 1512455998`: "1,512,455,998",
		`"date", -1`:                 "-1", `"date", 151245599800000`: "151,245,599,800,000",
	} {
		if got := p.eval(`flats.detailInWords(` + nameAndValue + `, {currency: "EUR"})`); got != want {
			t.Errorf("%s is shown as %q; want %q", nameAndValue, got, want)
		}
	}
}

// TestPageDial tests that "Call" dials whole numbers as people of ten countries write them, and that Add finds them in
// an ad.
func TestPageDial(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/add", 390)
	p.load("lib/phone")
	for _, c := range phoneNumbers {
		if got := p.eval("phone.dialled(" + encode(c.written) + ")"); got != c.dialled {
			t.Errorf("dialled(%q) = %v; want %s", c.written, got, c.dialled)
		}
		label := "Tel.: "
		if strings.HasPrefix(c.written, "T") { // it has a label of its own: "Tlf. 3355 5012"
			label = ""
		}
		ad := "Flat with a balcony\n900 €\n60 m²\n" + label + c.written + "\nNo pets."
		if got := p.eval(fmt.Sprintf(dialledFromAd, encode(ad))); got != c.dialled {
			t.Errorf("the phone in %q dials %v; want %s", ad, got, c.dialled)
		}
	}
	p.see(`phone.dialled("112")`, "112")
}

// TestPageDialLetters tests that letters in a number are neither left out nor guessed: such a number is plain text, for
// the user to dial by hand.
func TestPageDialLetters(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/add", 390)
	p.load("lib/phone")
	for _, written := range []string{"1-800-FLATS", "1-800-Flats", "1800FLATS", "1 800 FLATS", "1-800-FLATS-24",
		"+1 (800) 55-FLATS", "(888) 555-FLAT", "0800 WOHNEN", "0800/WOHNEN", "Tel.: 0800-WOHNEN (free)", "by mail", ""} {
		if got := p.eval("phone.dialled(" + encode(written) + ")"); got != "" {
			t.Errorf("dialled(%q) = %v; want nothing", written, got)
		}
		ad := encode("Flat\n900 €\nTel.: " + written)
		if got := p.eval(fmt.Sprintf(dialledFromAd, ad)); got != "" {
			t.Errorf("the phone in %s dials %v; want nothing", ad, got)
		}
	}
	p.importListings(`[{"id": "v", "title": "V", "phone": "1-800-FLATS", "visit_date": "2031-12-01T18:00"}]`)
	p.test("the flat shows it, and offers no call", func() {
		p.typeHash("#/flat/v")
		p.see(addressText, "1-800-FLATS")
		p.see(firstContact, "Message")
		p.see(callLinkCount, "0")
	})
	p.test("Visits shows the number, and offers no call", func() {
		p.typeHash("#/visits")
		p.wait(visitCard + `?.includes("1-800-FLATS")`)
		p.see(callLinkCount, "0")
	})
}

// dialledFromAd is what the phone number in a text dials.
const dialledFromAd = `fetch("api/v1/read", {method: "POST", body: JSON.stringify({text: %s})})
	.then((response) => response.json()).then(({data}) => phone.dialled(data.phone ?? ""))`

// phoneNumbers are phone numbers as people write them, with the digits to dial. National numbers stay national. A comma
// is a pause before an extension.
var phoneNumbers = []struct{ written, dialled string }{
	// Germany: "-0" is the switchboard, and part of the number.
	{"089 / 55 21 34-0", "0895521340"},
	{"0151 / 123 456 78", "015112345678"},
	{"+49 89 / 55 21 34 - 0", "+49895521340"},
	{"+49 (0)89 123 45-67", "+49891234567"},
	{"+49 (0 89) 55 21 34", "+4989552134"},
	{"+49 089 552134", "+4989552134"},
	{"0049 89 552134", "004989552134"},
	{"0049 (0) 89 / 55 21 34", "004989552134"},
	{"(089) 55 21 34", "089552134"},
	{"(0 89) 55 21 34", "089552134"},
	{"030 – 55 50 12 – 34", "03055501234"},
	{"+49-30-555-01234", "+493055501234"},
	{"03322/55 50 12", "03322555012"},
	{"Tel.: 0176-55 50 19 90 (ab 18 Uhr)", "017655501990"},
	{"040 5550199 (9-17 Uhr)", "0405550199"},
	{"089/5550199 oder 0176/5550188", "0895550199"},
	{"0151 / 123 456 78 / 089 / 55 21 34-0", "015112345678"},
	{"0711 555 03-0, Fax -10", "0711555030"},
	{"089/552134-0/-12", "0895521340"},
	{"089 / 55 21 - 0 Durchwahl 34", "089552134"},
	// Austria: an extension is dialled with the number.
	{"01/555 01-0", "01555010"},
	{"+43 1 555 01 DW 12", "+4315550112"},
	{"0664/555 01 99", "06645550199"},
	{"+43 (0)664 / 555 01 99", "+436645550199"},
	{"0043 (0) 316 123456", "0043316123456"},
	// Switzerland
	{"044 555 12 34", "0445551234"},
	{"+41 44 555 12 34", "+41445551234"},
	{"+41 (0)79 555 12 34", "+41795551234"},
	{"0041 (0)44/555 12 34", "0041445551234"},
	// France
	{"01 99 00 42 17", "0199004217"},
	{"06.39.98.07.21", "0639980721"},
	{"06/39/98/07/21", "0639980721"},
	{"+33 (0)1 99 00 42 17", "+33199004217"},
	{"(+33) 6 39 98 07 21", "+33639980721"},
	{"01 99 00 42 17 / 06 39 98 07 21", "0199004217"},
	{"01 99 00 42 17 poste 12", "0199004217,12"},
	// Italy: the zero stays, also after the code of the country.
	{"02 5550 1234", "0255501234"},
	{"+39 02 55501234", "+390255501234"},
	{"+39 (0)2 55501234", "+390255501234"},
	{"333 555 0123", "3335550123"},
	{"02/5550123 - 333/5550123", "025550123"},
	{"06 5550123 int. 4", "065550123,4"},
	// Spain
	{"912 34 56 78", "912345678"},
	{"+34 612.345.678", "+34612345678"},
	{"0034 612 345 678", "0034612345678"},
	{"612 345 678 / 912 345 678", "612345678"},
	// The Netherlands
	{"06-12345678", "0612345678"},
	{"020 - 555 01 23", "0205550123"},
	{"+31 (0)6 1234 5678", "+31612345678"},
	{"020-5550123, toestel 45", "0205550123,45"},
	// Denmark
	{"33 55 50 12", "33555012"},
	{"Tlf. 3355 5012", "33555012"},
	{"+45 33 55 50 12", "+4533555012"},
	{"33 55 50 12 / 20 55 50 12", "33555012"},
	// Great Britain
	{"020 3889 7345 ext. 12", "02038897345,12"},
	{"020 7946 0321 x5", "02079460321,5"},
	{"+44 (0)20 7946 0321", "+442079460321"},
	{"(0113) 496 0999", "01134960999"},
	{"07700 900 145 or 020 7946 0321", "07700900145"},
	// Poland
	{"501-555-012", "501555012"},
	{"+48 22 555 01 23", "+48225550123"},
	{"(22) 555-01-23 wew. 12", "225550123,12"},
	{"501 555 012; 22 555 01 23", "501555012"},
	// Others
	{"(718) 555-0142", "7185550142"},
	{"+351 21 555 01 23", "+351215550123"},
	{"Agency 0199 00 42, mobile 0176", "01990042"},
	{"Tel. 0199 1234", "01991234"},
	{"0199 5550 ab 18 Uhr", "01995550"},
	{"0176-55501990-Herr Kern", "017655501990"},
	{"9-17Uhr 0176 55501990", "017655501990"},
	{"0176 55501990 WHATSAPP", "017655501990"},
}
