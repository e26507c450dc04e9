// Tests that a search without a network finds what the service finds.

package web

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// searchedFlats are flats by their ids, with texts in which words are hard to tell.
var searchedFlats = map[string]string{
	"breaks": `"text": "Zimmer\nBalkon\tKeller\r\nLift\u2028Garten\u0085Hof"`,
	"soft": `"title": "Woh\u00adnung",
		"text": "Bal\u00adkon\u200bKüche, word\u2060joiner, \ufeffmark, zero\u200cjoin"`,
	"pets":  `"text": "keine Tiere, Haus. Well, it is kept."`,
	"house": `"text": "keine Haustiere, kein Haus", "notes": "Keine\nHaus-Regeln; well-kept"`,
	"marks": `"title": "שָׁלוֹם", "station": "Ōsaka",
		"text": "مُحَمَّد, Йо\u0301д, стекло\u0484 caf\u0065\u0301, Ku\u0308che"`,
	"plain":  `"title": "שלום", "text": "محمد, иод, стекло, cafe, Kueche", "station": "osaka"`,
	"fields": `"currency": "EUR", "phone": "0151 needle", "urls": ["https://site.invalid/match"], "cost": 4711`,
	"details": `"details": {"heating": {"type": "gas", "age": 1987, "new": true, "none": null},
		"b\nc": ["lift yes", "no"],
		"deposit": 12345678901234567, "Groß": "Bü\u00adro"}`,
	"cjk": `"title": "東京都渋谷区の部屋",
		"text": "カタカナ ひらがな 駅2分 ｶﾀｶﾅ が, 大、阪, 東 京"`,
	"thai":  `"title": "ห้องพักกรุงเทพ", "text": "ဦး Ü 한국어 हिन्दी"`,
	"signs": `"title": "55m² ½ Ⅳ ＡＢＣ１２ ﬁne", "text": "nul\u0000byte snake_case rock'n'roll µg ΟΔΟΣ"`,
	"data":  `"text": "photo ` + strings.Repeat("QUJD/+8=", 20) + ` after ` + strings.Repeat("-", 150) + `line"`,
	"short": `"text": "photo ` + strings.Repeat("QUJD/+8=", 16) + ` after"`,
	"latin": `"title": "Straße Łódź Việt Œuvre ǽra ǿre İzmir ısı ÐÞ",
		"text": "châteaux, glas, bus, prix, Müeller"`,
	"text": `"details": "only a text with gas", "location": "Bärenstraße"`,
	"list": `"details": ["a", ["b", {"c": 2.5}], 7]`,
}

// alikeSearches are searches that the page and the service must answer alike.
var alikeSearches = []string{
	// Line breaks, tabs, soft hyphens and other characters that nobody sees
	"balkon", "-Balkon", "keller", "lift", "garten", "hof", "nbalkon", "tkeller", "\"zimmer balkon keller\"", "wohnung",
	"Woh\u00adnung", "woh", "nung", "kon", "küche", "wordjoiner", "mark", "zerojoin", "\"balkon küche\"", "u00ad",
	// Phrases
	`"well kept"`, "well-kept", `"kept well"`, `-"keine Haus"`, `"keine haus"`, `"keine haustiere kein haus"`,
	`"haus regeln"`, `"keine"`, `"kein* haus"`, `„keine Haus“`, `"keine Haus`, `notes:"keine haus"`,
	`text:"keine haus"`,
	`-text:"keine haus" haus`, `"keine haus" OR "lift yes"`, `"Tieres, HAUS"`, `""`, `" "`, `"-"`,
	// Marks and scripts
	"שלום", "שָׁלוֹם", "محمد", "مُحَمَّد", "иод", "йод", "стекло", "café",
	"cafe", "kueche", "Ku\u0308che", "kuche", "osaka", "ōs*",
	"東京", "京都", "東京*", "京東", "大阪", "\"東 京\"", "渋谷区の", "カナ", "ｶﾅ",
	"駅2分", "駅", "か", "が", "พัก", "กรุงเทพ", "ဦ",
	"한국어", "हिन्दी", "ue", "strasse", "lodz", "viet", "oeuvre", "oeu*", "aera", "ore",
	"izmir", "isi", "ð*", "chateau", "glass",
	"glasss", "bu", "pri", "muller", "müller", "mueller", "müeller", "baerenstrasse",
	// Signs and data
	"55m", "m2", "m²", "55m²", "²", "½", "1", "2", "iv", "Ⅳ", "abc12", "ＡＢＣ*", "fine", "nul",
	"byte", `"nul byte"`, "nulbyte",
	"snake_case", "case", "rock'n'roll", "μg", "µg", "οδος", "οδοσ", "qujd*", "photo", "line",
	`"photo after"`,
	// Fields
	"new", "eur", "match", "needle", "0151", "4711", "title:שלום", "station:osaka", "text:osaka",
	"details:gas", "cost:4711",
	"phone:needle", "id", "null", "true", "soft", "heating", `"heating age"`, `"heating type"`, `"type gas"`,
	`"gas none"`,
	`"age 1987"`, "1987", "19*", `"b c"`, `"c lift yes"`, `"yes no"`, "12345678901234567", "gross", "buero",
	"büro*", "5", "2 5", "7",
	`"b c 2"`, `"a b"`, "details:text",
	// Operators and stars
	"haus OR gas", "haus gas", "keine AND haus", "keine NOT tiere", "NOT NOT gas", "gas OR NOT balkon",
	"OR gas", "gas OR",
	"-", "!", "*", "-gas -balkon", "--gas", "a*b*", "bal.*", "bal**", "ba*l", "-ba*", "gas OR OR balkon", "NOT AND gas",
	"title: gas", "TITLE:gas", "gas haus OR balkon", "“keine« haus»", "balkon\tkeller",
	"balkon\u00a0keller", "zimmer \"", "notes:keine-haus",
}

// TestPageKeptSearchAlike tests that a search of the kept flats finds the flats that the service finds.
func TestPageKeptSearchAlike(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var listings []string
	for id, members := range searchedFlats {
		listings = append(listings, fmt.Sprintf(`{"id": %q, %s}`, id, members))
	}
	service := start(t, "["+strings.Join(listings, ",")+"]")
	p, _ := openThroughProxy(t, service, "", 1280)
	p.startWorker()
	p.see(statusesOf("find"), "200")
	p.waitKept("api/v1/find")
	p.load("lib/keptsearch")
	found := 0
	for _, search := range alikeSearches {
		_, body := get(t, service+"/api/v1/find?"+url.Values{"q": {search}}.Encode())
		var answer struct{ Data []struct{ ID string } }
		if err := json.Unmarshal([]byte(body), &answer); err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, flat := range answer.Data {
			ids = append(ids, flat.ID)
		}
		slices.Sort(ids)
		found += len(ids)
		got := p.eval(`keptsearch.searchKept(new URLSearchParams({q: ` + encode(search) + `}))
			.then((found) => (found?.data ?? []).map(({id}) => id).sort().join(" "))`)
		if want := strings.Join(ids, " "); got != want {
			t.Errorf("%q finds %q without a network; the service finds %q", search, got, want)
		}
	}
	if found < len(alikeSearches) {
		t.Errorf("%d searches find only %d flats", len(alikeSearches), found)
	}
}
