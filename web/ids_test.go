// Tests of ids that are integers which JSON.parse would round.

package web

import (
	"net/url"
	"strings"
	"testing"
)

// threeAlike are three flats whose ids JSON.parse would make the same. The first two have the same photo.
const threeAlike = `[
	{"id": 12345678901234567, "title": "Attic", "text": "With a view.", "photos": ["https://127.0.0.1:1/1"]},
	{"id": 12345678901234568, "title": "Barn", "text": "With a garden.", "photos": ["https://127.0.0.1:1/1"]},
	{"id": 12345678901234569, "title": "Castle", "text": "With a moat.", "not_duplicates": [12345678901234571]}]`

// TestPageReadJSON tests that integers which JSON.parse would round become texts, and that nothing else changes.
func TestPageReadJSON(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "", 1280)
	p.load("lib/api")
	for text, want := range map[string]string{
		`{"data":{"id":12345678901234567}}`:              `{"data":{"id":"12345678901234567"}}`,
		`[{"ids":[12345678901234567,7,"a"],"same":1}]`:   `[{"ids":["12345678901234567",7,"a"],"same":1}]`,
		`[ -12345678901234567 , 123456789012345678901 ]`: `["-12345678901234567","123456789012345678901"]`,
		`12345678901234567`:                              `"12345678901234567"`,
		`[123456789012345,-0.5,1e3]`:                     `[123456789012345,-0.5,1000]`,
		`[1.1234567890123456,1234567890123456.5]`:        `[1.1234567890123457,1234567890123456.5]`,
		`[1234567890123456e2,0.1e-1]`:                    `[123456789012345600,0.01]`,
		`{"12345678901234567":[]}`:                       `{"12345678901234567":[]}`,
		`["{\"id\":12345678901234567}"]`:                 `["{\"id\":12345678901234567}"]`,
		`["\\",12345678901234567,"\\\",12345678901234567,\""]`: `["\\","12345678901234567",` +
			`"\\\",12345678901234567,\""]`,
	} {
		if got := p.eval("JSON.stringify(api.readJSON(" + encode(text) + "))"); got != want {
			t.Errorf("%s is read as %s; want %s", text, got, want)
		}
	}
}

// TestPageReadJSONCopy tests that the worker, which cannot import, reads JSON as the page does.
func TestPageReadJSONCopy(t *testing.T) {
	t.Parallel()
	read := func(file string) string {
		_, rest, _ := strings.Cut(readFile(t, file), "const readJSON = ")
		code, _, _ := strings.Cut(rest, "\n\n")
		return code
	}
	if page, worker := read("lib/api.js"), read("sw.js"); page != worker || page == "" {
		t.Errorf("sw.js reads JSON by %s; want %s", worker, page)
	}
}

// TestPageLongIDs tests that flats whose ids JSON.parse would make the same are shown and merged as duplicates.
func TestPageLongIDs(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, threeAlike, "#/duplicates", 1280)
	p.test("a group has its own flats", func() { p.see(groupsInWords, "Same photo: Attic! Barn") })
	p.test("one press makes the other one a duplicate", func() {
		p.click(pairButton(1))
		p.see(groupsInWords, "")
		p.seeFlat("12345678901234568", "status", "duplicate")
		p.seeFlat("12345678901234567", "merged_ids", "12345678901234568")
	})
	p.test("one Undo takes the duplicate back", func() {
		p.press("u")
		p.see(groupsInWords, "Same photo: Attic! Barn")
	})
	p.test("flats that are not the same stay in the list of each other", func() {
		p.changeElsewhere("12345678901234569", `{"photos": ["https://127.0.0.1:1/1"]}`)
		p.reload()
		p.see(groupsInWords, "Same photo: Attic+! Barn+ Castle+")
		p.click(".groups .differ")
		p.see(groupsInWords, "")
		want := "12345678901234571,12345678901234567,12345678901234568"
		p.see(`fetch("api/v1/flats/12345678901234569").then((answer) => answer.text())
			.then((text) => /"not_duplicates":\[(.*?)\]/.exec(text)[1].replaceAll('"', ""))`, want)
	})
}

// TestPageLongIDsKept tests that without a network the right one of such flats opens, is found and is compared.
func TestPageLongIDsKept(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, start(t, threeAlike), "", 1280)
	p.startWorker()
	network.down.Store(true)
	for id, title := range map[string]string{"12345678901234567": "Attic", "12345678901234568": "Barn",
		"12345678901234569": "Castle"} {
		p.test(title+" opens", func() {
			p.openAnew("/#/flat/" + id)
			p.see(flatTitle, title)
		})
	}
	for search, want := range map[string]string{
		"with":       "Attic|Barn|Castle",
		"garden":     "Barn",
		"with -moat": "Attic|Barn",
	} {
		p.test("a search for "+search, func() {
			p.typeHash("#/?" + url.Values{"q": {search}}.Encode())
			p.see(hashAnd(sortedTitles), "#/?"+url.Values{"q": {search}}.Encode()+" "+want)
		})
	}
	p.test("all three are compared", func() {
		p.typeHash("#/compare/12345678901234567,12345678901234568,12345678901234569")
		p.wait(mainWords + `.match(/Attic[^]*Barn[^]*Castle/)`)
	})
}
