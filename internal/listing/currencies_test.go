// Tests of the spellings of currencies.

package listing

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// moneyShapes are texts with a rent of 650 a week, which is 2,817 a month, and a deposit of 2,600. # is the currency,
// before each number or after it.
var moneyShapes = []struct{ before, after string }{
	{"Rent: # 650 pw, bond: # 2,600", "Rent: 650 # pw, bond: 2,600 #"},
	{"Rent: #650 pw, bond: #2,600", "Rent: 650# pw, bond: 2,600#"},
	{"Rent\n# 650 pw\nBond\n# 2,600", "Rent\n650 # pw\nBond\n2,600 #"},
	{"Rent\n#650 pw\nBond\n#2,600", "Rent\n650# per week\nBond\n2,600#"},
	{"Rent\n# 650 pw\nBond\n#2,600", "Rent: 650 # pw\nBond\n2,600\n#"},
	{"# 650 pw\nRent\n# 2,600\nBond", "650 # pw\nRent\n2,600 #\nBond"},
	{"The flat is let for # 650 per week, and the deposit is # 2,600.",
		"The flat is let for 650 # per week, and the deposit is 2,600 #."},
}

// Each spelling of a currency counts in each shape of a text.
func TestCurrencyInTexts(t *testing.T) {
	for written, spelling := range spellings {
		want := currencyIn(spelling.currency, "")
		for _, shape := range moneyShapes {
			for _, form := range []string{shape.before, shape.after} {
				if spelling.isAfterNumber && form == shape.before {
					continue
				}
				text := strings.ReplaceAll(form, "#", written)
				got := costIn(valuesOf(nil, linesOf(text)), "")
				if got.Cost != 2817 || got.Deposit != 2600 || got.Currency != want {
					t.Errorf("%q: cost %v %q, deposit %v; want 2817 %q, 2600", text, got.Cost, got.Currency, got.Deposit, want)
				}
			}
		}
	}
}

// joinedShapes are lines with a rent of 1,200 and a deposit of 3,600, each with its label. # is the currency.
var joinedShapes = []string{
	"Rent: 1200 # Deposit: 3600 #", "Rent: 1200 # Deposit: 3600", "Rent: 1200# Deposit: 3600#",
	"Rent:1200 # Deposit:3600 #", "Rent: # 1200 Deposit: # 3600", "Rent: #1200 Deposit: #3600",
	"Rent: #1200 Deposit: 3600", "Rent:# 1200 Deposit:# 3600",
}

// Each spelling of a currency counts in a line that has several labels with their values.
func TestCurrencyInJoinedLines(t *testing.T) {
	for written, spelling := range spellings {
		want := currencyIn(spelling.currency, "")
		for _, shape := range joinedShapes {
			if spelling.isAfterNumber && (strings.Contains(shape, "#1") || strings.Contains(shape, "# 1")) {
				continue
			}
			text := strings.ReplaceAll(shape, "#", written)
			got := costIn(valuesOf(nil, linesOf(factLine(text, ""))), "")
			if got.Cost != 1200 || got.Deposit != 3600 || got.Currency != want {
				t.Errorf("%q: cost %v %q, deposit %v; want 1200 %q, 3600", text, got.Cost, got.Currency, got.Deposit, want)
			}
		}
	}
}

// Each label of a line has its own value, whatever the currency before it.
func TestCurrencyBeforeLabels(t *testing.T) {
	for written, spelling := range spellings {
		for _, shape := range []string{"Rent: 1200 # Floor: 3 Rooms: 2 Baths: 1", "Rent: # 1200 Floor: 3 Rooms: 2 Baths: 1"} {
			if spelling.isAfterNumber && strings.Contains(shape, "# 1") {
				continue
			}
			line := strings.ReplaceAll(shape, "#", written)
			want := strings.NewReplacer(" Floor", " | Floor", " Rooms", " | Rooms", " Baths", " | Baths").Replace(line)
			if got := factLine(line, ""); got != want {
				t.Errorf("factLine(%q) = %q; want %q", line, got, want)
			}
		}
	}
	for written, spelling := range spellings {
		if spelling.isAfterNumber {
			continue
		}
		for _, line := range []string{"1200 # - 2br flat", "# 1200 - 2br flat"} {
			line = strings.ReplaceAll(line, "#", written)
			if got, want := factLine(line, ""), strings.Replace(line, " - ", " | ", 1); got != want {
				t.Errorf("factLine(%q) = %q; want %q", line, got, want)
			}
		}
	}
}

// A number before a currency does not count rooms, and a price may follow bedrooms.
func TestCurrencyAfterRooms(t *testing.T) {
	for written, spelling := range spellings {
		for _, shape := range []string{"Zimmer: 12 #", "Rooms 9#"} {
			line := strings.ReplaceAll(shape, "#", written)
			if got := numberAfterRooms(line); got != "" {
				t.Errorf("%q has %s rooms; want none", line, got)
			}
		}
		if spelling.isAfterNumber {
			continue
		}
		line := strings.ReplaceAll("2 bd, # 900", "#", written)
		if got := valuesOf(nil, []string{line}); got[0].bedrooms("us") != 2 {
			t.Errorf("%q has %v bedrooms; want 2", line, got[0].bedrooms("us"))
		}
	}
}

// No spelling of a currency makes an amount an address, in a text or in a line of a mail.
func TestCurrencyIsNoTown(t *testing.T) {
	for written, spelling := range spellings {
		for _, shape := range []string{"Rent: 1200 # Floor: 3", "Rent: # 1200 Floor: 3", "Rent 12000 # Deposit 36000 #",
			"# 12000 Deposit # 36000", "1200 # Monthly", "12000 #", "Kaltmiete 1200 # Kaution 3600 #"} {
			if spelling.isAfterNumber && strings.Contains(shape, "# 1") {
				continue
			}
			line := strings.ReplaceAll(shape, "#", written)
			for _, country := range []string{"", "ch", "dk", "no", "hu", "de", "it", "at"} {
				if found, ok := addressIn(line, "", country); ok {
					t.Errorf("%q in %q: address %+v; want none", line, country, found)
				}
			}
			if score := (&placeReader{scores: map[string]int{}}).addressScore(line); score > 1 {
				t.Errorf("%q has the score of an address, %d; want at most 1", line, score)
			}
		}
	}
	for _, line := range []string{"06100 Euronville", "91052 Frankenhof", "08010 Lei"} {
		if _, ok := addressIn(line, "", ""); !ok {
			t.Errorf("%q is no address; want one", line)
		}
	}
}

// The form of a value tells that it is one, also with the sign of a country. A sign that is also a word counts only
// after a number.
func TestCurrencyOfValue(t *testing.T) {
	for piece, want := range map[string]bool{"NZD 650 pw": true, "650 złotych": true, "R 650 pw": true,
		"2,600 rand": true,
		"650 TOP":    true, "TOP 3": false, "3 rooms": false, "R2D2": false} {
		if got := isValue(piece); got != want {
			t.Errorf("isValue(%q) = %v; want %v", piece, got, want)
		}
	}
}

// Each spelling of a currency counts in an amount, and in the details of a text.
func TestCurrencyInAmounts(t *testing.T) {
	for written, spelling := range spellings {
		for _, form := range []string{"# 1,850", "#1,850", "1,850 #", "1,850#", "from # 1,850", "from 1,850 # per month"} {
			text := strings.ReplaceAll(form, "#", written)
			cost, currency, ok := AmountIn("cost", text, "")
			if spelling.isAfterNumber && !strings.Contains(form, "0 #") && !strings.Contains(form, "0#") {
				continue
			}
			if want := currencyIn(spelling.currency, ""); cost != 1850 || currency != want || !ok {
				t.Errorf("AmountIn(%q) = %v, %q, %v; want 1850, %q", text, cost, currency, ok, want)
			}
		}
		for _, form := range []string{"Deposit: 2,600 #", "We ask for a deposit of 2,600 #, and a key."} {
			text := strings.ReplaceAll(form, "#", written)
			details := detailsIn([]string{text})
			if want := "2,600 " + written; details["deposit"] != want {
				t.Errorf("the deposit of %q is %q; want %q", text, details["deposit"], want)
			}
		}
	}
	for _, sign := range localSigns {
		for _, text := range []string{"1,850 " + sign.written, sign.written + " 1,850"} {
			if cost, currency, _ := AmountIn("cost", text, sign.country); cost != 1850 || currency != sign.code {
				t.Errorf("AmountIn(%q, %s) = %v, %q; want 1850, %s", text, sign.country, cost, currency, sign.code)
			}
		}
	}
}

// All spellings of a currency have one code.
func TestCurrencyCode(t *testing.T) {
	for written, spelling := range spellings {
		want := spelling.currency
		if want == "$" {
			want = "USD"
		}
		for _, text := range []string{written, spelling.currency, want} {
			if got := CurrencyCode(text); got != want {
				t.Errorf("CurrencyCode(%q) = %q; want %q", text, got, want)
			}
		}
	}
	for written, want := range map[string]string{"": "", "eur": "EUR", "Euro": "EUR", "xyz": "XYZ", "Taler": "Taler",
		"kr.": "kr", " €": "EUR", "\u00a0eur\n": "EUR", " xyz": "XYZ", " Taler ": "Taler"} {
		if got := CurrencyCode(written); got != want {
			t.Errorf("CurrencyCode(%q) = %q; want %q", written, got, want)
		}
	}
	var all []string
	for code, list := range CurrencySpellings() {
		for written := range strings.FieldsSeq(list) {
			if CurrencyCode(written) != code {
				t.Errorf("%q is a spelling of %s; want %s", written, code, CurrencyCode(written))
			}
			all = append(all, written)
		}
	}
	for written := range maps.Keys(spellings) {
		if !slices.Contains(all, written) {
			t.Errorf("CurrencySpellings has no %q", written)
		}
	}
}
