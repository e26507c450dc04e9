// Tests of amounts and of the rows of testdata.

package listing

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// rowsOf returns the rows of a file in testdata, without comments and empty lines, each cut into cells at "|".
func rowsOf(t testing.TB, name string, cells int) [][]string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		row := strings.Split(line, "|")
		if len(row) != cells {
			t.Fatalf("testdata/%s:%d: got %d cells; want %d", name, i+1, len(row), cells)
		}
		rows = append(rows, row)
	}
	return rows
}

// Each row of the file is a kind of field, a country, a text, and the number and the currency that are read.
func TestAmountIn(t *testing.T) {
	rows := rowsOf(t, "amounts.txt", 4)
	if len(rows) < 150 {
		t.Errorf("got %d amounts; want at least 150", len(rows))
	}
	for _, row := range rows {
		value, currency, ok := AmountIn(row[0], row[2], row[1])
		got := "none"
		if ok {
			got = strings.TrimSpace(strconv.FormatFloat(value, 'f', -1, 64) + " " + currency)
		}
		if got != row[3] {
			t.Errorf("AmountIn(%q, %q, %q) = %s; want %s", row[0], row[2], row[1], got, row[3])
		}
	}
}

// Amounts lie in their text one after the other, and their values are finite numbers.
func FuzzAmountsIn(f *testing.F) {
	for _, text := range []string{"1.240,50 €", "$1M - $1.2M", "2½ Zi.", "450 T€", "£450 pw", "01.02.2027",
		"8.5万円", "1 - 2 - 3 k€"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lastDigits := 0 // where the digits of the amount before begin
		for _, a := range amountsIn(nil, text) {
			isInText := 0 <= a.start && a.start <= a.digits && a.digits < a.end && a.end <= len(text)
			if !isInText || a.digits < lastDigits {
				t.Fatalf("amountsIn(%q): %d to %d after %d", text, a.start, a.end, lastDigits)
			}
			lastDigits = a.digits
			if math.IsNaN(a.value) || math.IsInf(a.value, 0) || a.value < 0 {
				t.Fatalf("amountsIn(%q): %v", text, a.value)
			}
		}
		for _, field := range []string{"cost", "area", "rooms"} {
			if value, _, ok := AmountIn(field, text, ""); ok && (math.IsNaN(value) || math.IsInf(value, 0)) {
				t.Fatalf("amountIn(%q, %q) = %v", field, text, value)
			}
		}
	})
}
