// Tests of what is read from the texts of listings.

package listing

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"flats/internal/turns"
)

// A readerCase is a text, and what is read from it by field.
type readerCase struct {
	name, text string
	want       map[string]string
}

// readerCases reads a file in testdata: "=== name", lines "field: value", "---", and a text.
func readerCases(t testing.TB, name string) []readerCase {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var cases []readerCase
	for _, part := range strings.Split("\n"+string(text), "\n=== ")[1:] {
		head, text, ok := strings.Cut(part, "\n---\n")
		if !ok {
			t.Fatalf("testdata/%s: %.40q has no line ---", name, part)
		}
		c := readerCase{want: map[string]string{}, text: strings.TrimSuffix(text, "\n")}
		for i, line := range strings.Split(head, "\n") {
			field, value, _ := strings.Cut(line, ": ")
			if i == 0 {
				c.name = line
			} else {
				c.want[field] = strings.ReplaceAll(value, `\n`, "\n")
			}
		}
		cases = append(cases, c)
	}
	return cases
}

// fields returns what is read, by field, with numbers as the cases write them.
func (f Home) fields() map[string]string {
	number := func(n float64) string {
		if n == 0 {
			return ""
		}
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return map[string]string{
		"link": f.Link, "title": f.title, "cost": number(f.costs.Cost), "currency": f.costs.Currency,
		"utilities": f.costs.Utilities, "charges": number(f.costs.Charges), "deposit": number(f.costs.Deposit),
		"fee": number(f.costs.Fee), "area": number(f.area), "rooms": number(f.rooms),
		"bedrooms": number(f.bedrooms), "code": f.code, "place": f.location, "phone": f.phone, "text": f.text,
	}
}

// Of each whole listing, as somebody copies it from a page, all facts are read that the file names, and no others.
func TestReadAds(t *testing.T) {
	t.Parallel()
	right, all := 0, 0
	for _, c := range readerCases(t, "ads.txt") {
		got := ReadText(nil, Text{Text: c.text}).fields()
		for _, field := range strings.Fields("link title cost currency area rooms code place phone") {
			if c.want[field] == "" && got[field] == "" {
				continue
			}
			all++
			if got[field] == c.want[field] {
				right++
			} else {
				t.Errorf("%s: %s is %q; want %q", c.name, field, got[field], c.want[field])
			}
		}
	}
	t.Logf("%d of %d fields are right", right, all)
}

// Scraps of listings, such as a link alone, are read without inventing the rest: what the file does not name is empty.
func TestReadScraps(t *testing.T) {
	for _, c := range readerCases(t, "scraps.txt") {
		got := ReadText(nil, Text{Text: c.text}).fields()
		for _, field := range strings.Fields("link title cost currency area rooms code place phone text") {
			if got[field] != c.want[field] {
				t.Errorf("%.60q: %s is %q; want %q", c.text, field, got[field], c.want[field])
			}
		}
	}
}

// Of several amounts, the right one is the cost, and the words at it tell whether it includes utilities.
func TestReadCosts(t *testing.T) {
	for _, row := range rowsOf(t, "costs.txt", 2) {
		text := strings.ReplaceAll(row[0], " ¶ ", "\n")
		found := ReadText(nil, Text{Text: text}).costs
		got := strings.TrimSpace(fmt.Sprint(found.Cost, " ", found.Utilities))
		if got != row[1] {
			t.Errorf("%q costs %s; want %s", text, got, row[1])
		}
	}
}

// A line of facts is not the title if another line can be.
func TestTitleBesideFacts(t *testing.T) {
	for text, want := range map[string]string{
		"Ruhige Wohnung am Kanal\nWarmmiete 980 €, 52 m², 2 Zimmer": "Ruhige Wohnung am Kanal",
		"Quiet flat by the canal\n980 € warm | 52 m² | 2 rooms":     "Quiet flat by the canal",
		"Schöne Wohnung\nKaltmiete 1.100 €, 75 m², 3 Zimmer":        "Schöne Wohnung",
		"Bel appartement\nLoyer 900 €, 45 m², 2 pièces":             "Bel appartement",
		"3-Zimmer-Wohnung, 75 m²\n900 € kalt\nMit Balkon":           "3-Zimmer-Wohnung, 75 m²",
		"Anzeige\n2 Zimmer, 52 m², 980 €\n30 Tage":                  "2 Zimmer, 52 m², 980 €",
	} {
		if got := ReadText(nil, Text{Text: text}).title; got != want {
			t.Errorf("%q: the title is %q; want %q", text, got, want)
		}
	}
}

// Reading takes time linear in the text, also if the text repeats itself. Memory shows it: the least of three runs,
// because a run that goes on on another processor finds its pools empty.
func TestReadIsLinear(t *testing.T) {
	long(t)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection would clear the pools of regexp meanwhile
	for _, part := range []string{
		"1.234,50 € 12 m² 3 Zi. ", "12 M² ", "3 Zimmer ", "T2 ", "900 € Warm, ", "2027-03-01 ", "Nähe 5 Min. ",
		"Am Anger 5, 99084 Erfurt\n", "Tel. 0361 12345\n", "Loft In Kassel ", "Ä: 1\n", "https://x.example/1 ",
		"<B>1</B>",
	} {
		allocated := func(length int) uint64 {
			text := strings.Repeat(part, length/len(part))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			ReadText(nil, Text{Text: text})
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		allocated(8_000) // makes what is made once
		short := min(allocated(2_000), allocated(2_000), allocated(2_000))
		long := min(allocated(8_000), allocated(8_000), allocated(8_000))
		const mostTimes = 6      // linear work takes 4 times as much, quadratic work 16 times
		const forAny = 256 << 10 // bytes that any text may need
		if long > mostTimes*short+forAny {
			t.Errorf("%q: four times the text takes %d bytes in place of %d", part, long, short)
		}
	}
}

// TestReadGivesWay tests that long work is charged to the task in many pieces, also if the text is one line, so that
// the task gives its turn back.
func TestReadGivesWay(t *testing.T) {
	for _, part := range []string{"1/2 ", "T2 ", "12 m² ", "900 € Warm, ", "030 123 45 67 "} {
		looks := 0
		work := turns.NewTask(&hookedContext{Context: t.Context(), onErr: func() { looks++ }}, turns.NewQueue())
		work.Spend(time.Hour) // so that each look at the clock is one at the context
		text := strings.Repeat(part, 10_000/len(part))
		ReadText(work, Text{Text: text})
		work.Pause()
		if numbers := len(text) / len(part); looks < numbers/8 {
			t.Errorf("%q: the task looked at the clock %d times for %d numbers", part, looks, numbers)
		}
	}
}

func BenchmarkReadText(b *testing.B) {
	var all strings.Builder
	for _, c := range readerCases(b, "ads.txt") {
		all.WriteString(c.text + "\n")
	}
	text := all.String()[:20_000]
	for b.Loop() {
		ReadText(nil, Text{Text: text})
	}
}

// Texts that are easily misread are read right. Only the fields that the file names are compared, and the title.
func TestReadMisread(t *testing.T) {
	for _, c := range readerCases(t, "misread.txt") {
		got := ReadText(nil, Text{Text: c.text}).fields()
		for field, want := range c.want {
			if got[field] != strings.TrimSpace(want) {
				t.Errorf("%s: %s is %q; want %q", c.name, field, got[field], want)
			}
		}
		if c.want["title"] == "" && got["title"] != "" {
			t.Errorf("%s: title is %q; want none", c.name, got["title"])
		}
	}
}

// Short facts are read from a line, and none of these lines has bedrooms.
func TestReadDetails(t *testing.T) {
	for _, row := range rowsOf(t, "details.txt", 2) {
		details := detailsIn([]string{row[0]})
		bedrooms := bedroomsIn(valuesOf(nil, []string{row[0]}), "")
		var got []string
		for _, name := range strings.Fields("floor deposit available_from energy") {
			if details[name] != "" {
				got = append(got, name+" "+details[name])
			}
		}
		if strings.Join(got, ",") != row[1] || bedrooms != 0 {
			t.Errorf("detailsIn(%q) = %q, %v bedrooms; want %q", row[0], got, bedrooms, row[1])
		}
	}
}

// A phone number in a text is read with all the digits that a phone dials for it. A zero that is
// dialled only within the country stays as it is written.
func TestReadPhones(t *testing.T) {
	noDigit := regexp.MustCompile(`\D`)
	zeroAfterCode := regexp.MustCompile(`^((?:00)?(?:3[1-3]|4[13469]))0`) // of NL, BE, FR, CH, AT, UK, SE and DE
	dialled := func(text string) string {
		if !strings.HasPrefix(text, "+39") { // in Italy the zero belongs to the number
			text = strings.Replace(text, "(0)", "", 1)
		}
		return zeroAfterCode.ReplaceAllString(noDigit.ReplaceAllString(text, ""), "$1")
	}
	for _, row := range rowsOf(t, "phones.txt", 2) {
		if strings.Contains(row[0], "DW") || strings.Contains(row[0], "Durchwahl") {
			continue // the extension takes the place of the last digit
		}
		label := "Tel.: "
		if strings.HasPrefix(row[0], "T") { // the row has a label: "Tel.", "Tlf."
			label = ""
		}
		text := "Flat with a balcony\n900 €\n60 m²\n" + label + row[0] + "\nNo pets."
		got := ReadText(nil, Text{Text: text}).phone
		if dialled(got) != dialled(row[1]) {
			t.Errorf("the phone in %q is %q; want the digits %s", text, got, row[1])
		}
	}
}

// A text tells about a cost only if it has the same cost. Each amount next to it is read as what its name says.
func TestCostsOf(t *testing.T) {
	const text = "Kaltmiete: 900 €\nNebenkosten: 150 €\nHeizkosten: 50 €\nWarmmiete: 1.100 €\n" +
		"Kaution: 2.700 €\nProvision: 357 €"
	for _, c := range []struct {
		text                  string
		cost                  float64
		utilities             string
		charges, deposit, fee float64
	}{
		{text, 900, "excluded", 200, 2700, 357}, // the charges are the total minus the rent, not only one of its parts
		{text, 1100, "included", 200, 2700, 357},
		{text, 1000, "", 0, 0, 0}, // no amount of the text
		{text, 150, "", 0, 0, 0},  // charges
		{text, 2700, "", 0, 0, 0}, // the deposit
		{"Kaltmiete 900 €, Nebenkosten 150 €", 900, "excluded", 150, 0, 0},
		{"Loyer 640 € HC\nCharges 50 €\nDépôt de garantie 1280 €\nHonoraires 450 €",
			640, "excluded", 50, 1280, 450},
		{"Loyer 690 € CC dont 50 € de charges. Dépôt de garantie 1280 €", 690, "included", 50, 1280, 0},
		{"£950 pcm\nDeposit: £1,096\nAdmin fee: £120", 950, "", 0, 1096, 120},
		{"Alquiler 900 € al mes\nFianza 1.800 €\nGastos de comunidad 60 €", 900, "", 60, 1800, 0},
		{"Canone 800 €\nSpese condominio 90 €\nCauzione 2.400 €", 800, "", 90, 2400, 0},
		{"Huur € 1.200 excl.\nServicekosten € 75\nWaarborgsom € 2.400", 1200, "excluded", 75, 2400, 0},
		{"Renda 900 €\nCondomínio 40 €\nCaução 1.800 €", 900, "", 40, 1800, 0},
		{"Hyra 9 500 kr\nDeposition 19 000 kr", 9500, "", 0, 19000, 0},
		{"Månedlig leje 9.500 kr.\nAconto varme 600 kr.\nDepositum 28.500 kr.", 9500, "", 600, 28500, 0},
		{"Czynsz najmu 2 500 zł\nOpłaty 450 zł\nKaucja 2 500 zł", 2500, "", 450, 2500, 0},
		{"Kaufpreis 300.000 €\nProvision 10.710 €", 300000, "", 0, 0, 10710},
		{"Grundmiete: 600 €\nGesamtmiete: 800 €", 600, "excluded", 200, 0, 0},
		{"Miete: 600 €\nGesamtmiete: 800 €", 600, "excluded", 200, 0, 0},
		{"Miete: 600 €\nGesamtmiete: 800 €", 800, "included", 200, 0, 0},
		{"Loyer 600 €\nLoyer total 700 €", 600, "excluded", 100, 0, 0},
		{"Rent £900\nTotal rent £1,050", 900, "excluded", 150, 0, 0},
		{"Kale huur € 1.000\nTotale huur € 1.200", 1000, "excluded", 200, 0, 0},
		{"Affitto 800 €\nTotale 900 €", 800, "excluded", 100, 0, 0},
		{"Miete: 600 €\nGesamtmiete: 1.800 €", 600, "", 0, 0, 0}, // more than twice the rent is no total of it
		{"", 900, "", 0, 0, 0},
	} {
		got := CostsOf(c.text, c.cost)
		if got.Utilities != c.utilities || got.Charges != c.charges || got.Deposit != c.deposit || got.Fee != c.fee {
			t.Errorf("costsOf(%q, %v) = %q, %v, %v, %v; want %q, %v, %v, %v", c.text, c.cost, got.Utilities, got.Charges,
				got.Deposit, got.Fee, c.utilities, c.charges, c.deposit, c.fee)
		}
	}
}

// Any text is read, and each member is valid JSON.
func FuzzReadText(f *testing.F) {
	for _, text := range []string{"Loft in Kassel\n900 €\n60 m²", "80331 München\nTel. 0-",
		"1 - 2 - 3 €", "<p>1</p>"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		found := ReadText(nil, Text{Text: text})
		listing, _ := found.Members()
		for name, value := range listing {
			if !json.Valid(value) {
				t.Errorf("%q: %s is %s", text, name, value)
			}
		}
	})
}
