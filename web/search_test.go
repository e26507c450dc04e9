// Tests of the search field, and of what it marks.

package web

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// TestPageSearch tests what the search finds as the user types.
func TestPageSearch(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/visits", 1280)
	p.wait(isThere(visitsHeading))
	p.test("/ leads to its field from any view, which leads to the list", func() {
		p.press("/")
		p.see(hasFocus(searchField), "true")
		p.enter(searchField, "Balkon")
		p.see(rowCount, "2")
		p.see(firstMark, "Balkon")
		p.see(hash, "#/?q=Balkon")
	})
	p.test("another address replaces the words, also while the field has the focus", func() {
		p.focus(searchField)
		p.typeHash("#/")
		p.see(valueOf(searchField), "")
		p.enter(searchField, "Balkon")
		p.see(hash, "#/?q=Balkon")
		p.see(rowCount, "2")
	})
	// A word may be half typed, and also in the plural.
	for _, c := range []struct{ words, rows string }{
		{"balk", "2"},
		{`"balk"`, "0"},
		{"balk OR terras", "2"},
		{"-balkon", "8"},
		{"pièces", "3"},
	} {
		p.test("the search finds "+c.words, func() {
			p.enter(searchField, c.words)
			p.see(hashAnd(rowCount), "#/?q="+url.QueryEscape(c.words)+" "+c.rows)
		})
	}
	p.test("where the search finds nothing, Clear filters leads back", func() {
		p.enter(searchField, "nowhere to be found")
		p.see(endOfList, "No matching flats · Clear filters")
		p.click(clearFilters)
		p.see(rowCount, "10")
	})
	searchUmlauts(p)
}

// searchUmlauts tests spellings of umlauts.
func searchUmlauts(p *tab) {
	// The sample has a third such flat.
	p.importListings(`[{"id": "u", "title": "Große Küche"}, {"id": "ue", "title": "Kleine Kueche"}]`)
	for _, word := range []string{"kueche", "Küche", "kuech"} {
		p.test("an umlaut may be written as two letters, and the other way round: "+word, func() {
			p.enter(searchField, word)
			p.see(hashAnd(rowCount), "#/?q="+url.QueryEscape(word)+" 3")
		})
	}
}

// TestPageSearchKeys tests the keys of the field of the search, and its help.
func TestPageSearchKeys(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/?q=pièces", 1280)
	p.see(rowCount, "3")
	p.test("the arrow down goes to the first row", func() {
		p.click(searchField)
		p.key("ArrowDown")
		p.see(hasFocus(".row a"), "true")
	})
	p.test("Esc leaves the field, and a second one empties it", func() {
		p.click(searchField)
		p.key("Escape")
		p.see("document.activeElement.localName", "body")
		p.see(valueOf(searchField), "pièces")
		p.key("Escape")
		p.see(hash, "#/")
		p.see(valueOf(searchField), "")
	})
	p.test("a second Esc after another key does not empty the field", func() {
		p.enter(searchField, "balk")
		p.see(hash, "#/?q=balk")
		p.click(searchField)
		p.key("Escape")
		p.press("j")
		p.key("Escape") // again a first one, because j came between
		p.rest(forAnswer)
		p.see(hash, "#/?q=balk")
	})
	p.test("the list of keys names the arrow and Esc", func() {
		p.press("?")
		p.see(keysOf("search field"), "↓,Esc")
		p.click(closeHelp)
	})
	p.test("the help of the search hangs at its button", func() {
		p.click(searchHelp)
		p.see(searchHelpWords, `balcony quiet|"two rooms"|balc*|balcony -furnished|balcony OR terrace|title:loft`)
		p.see(searchHelpIsAtButton, "true")
		p.click(searchHelp)
	})
}

// typeInto opens the filters of a view anew, and types into a field. In these tests typing never pauses.
func (p *tab) typeInto(view, field, text string) {
	p.t.Helper()
	p.typeHash(view)
	p.reload()
	p.click(filtersButton)
	p.wait(isThere(".panel input"))
	p.eval(`{ const set = setTimeout;
		window.setTimeout = (act, ms, ...rest) => set(act, ms < 100 ? ms : 1e9, ...rest); }`)
	p.click(field)
	p.press(text)
}

// TestPageTyped tests that what was typed into the search field or a range is applied by Enter at once, and by
// whatever opens a view before typing has paused.
func TestPageTyped(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	for _, c := range []struct{ field, text, filter string }{
		{searchField, "balkon", "q=balkon"},
		{rangeField("Rooms from"), "2", "rooms=2.."},
	} {
		for _, view := range []string{"#/", "#/map", "#/prices"} {
			p.test(c.filter+" by Enter at "+view, func() {
				p.typeInto(view, c.field, c.text)
				p.key("Enter")
				p.see(hash, view+"?"+c.filter)
				p.see(hasFocus(c.field), "true")
			})
		}
		for _, way := range []struct{ sentence, from, press, to string }{
			{"by a tab", "#/", tabOf("all"), "#/?tab=all&" + c.filter},
			{"by another view", "#/", triageInBar, "#/triage?" + c.filter},
			{"by a chip", "#/?photos=no", firstChip, "#/?" + c.filter},
			{"not by Clear filters", "#/?photos=no", clearFilters, "#/"},
		} {
			p.test(c.filter+" "+way.sentence, func() {
				p.typeInto(way.from, c.field, c.text)
				p.click(way.press)
				p.see(hash, way.to)
				if way.press == tabOf("all") {
					p.see(valueOf(c.field), c.text)
				}
			})
		}
		leaveTyped(p, c.field, c.text, c.filter)
	}
}

// leaveTyped types a filter, and leaves the list before it is applied.
func leaveTyped(p *tab, field, text, filter string) {
	p.test(filter+" by a row, from which Back leads to it", func() {
		p.typeInto("#/", field, text)
		p.openRow(1)
		p.wait(isThere(flatHeading))
		p.see(backHash, "#/?"+filter)
		p.goBack()
		p.wait(rowCount)
		p.click(filtersButton)
		p.see(valueOf(field), text)
	})
	p.test(filter+" by an address that was typed, from which the bar leads to it", func() {
		p.typeInto("#/", field, text)
		p.typeHash("#/visits")
		p.wait(isThere(visitsHeading))
		p.click(listInBar)
		p.see(hash, "#/?"+filter)
	})
}

// TestPageTypedOn tests words that were typed and are not applied.
func TestPageTypedOn(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.test("a word in a range is marked", func() {
		p.typeInto("#/", rangeField("Rooms from"), "two")
		p.key("Enter")
		p.see(filterTrouble, "This is not a number")
	})
	p.test("words that were typed meanwhile stay when earlier ones are shown", func() {
		p.typeInto("#/", searchField, "balkon")
		p.key("Enter")
		p.see(hash, "#/?q=balkon")
		p.press(" h")
		p.importListings(`[{"id": "new", "title": "Balkon"}]`)
		p.comeBack()
		p.showNews()
		p.see(rowCount, "3")
		p.see(valueOf(searchField), "balkon h")
	})
}

// TestPageMarks tests what the page sends and marks for a search. The tests of the service read the same table, so that
// both follow the same rules.
func TestPageMarks(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var texts []struct {
		Text     string
		Searches []struct{ Query, Sent, Marks string }
	}
	if err := json.Unmarshal([]byte(readFile(t, "../testdata/search.json")), &texts); err != nil {
		t.Fatal(err)
	}
	p := openTab(t, "[]", "", 1280)
	p.load("words/marks")
	p.load("lib/search")
	for _, c := range texts {
		for _, s := range c.Searches {
			script := fmt.Sprintf(`marks.marked(%s, "text", marks.matcher(%s)).flat(9)
				.filter((part) => part.nodeName === "MARK").map((mark) => mark.innerText).join("|")`,
				encode(c.Text), encode(s.Query))
			if got := p.eval(script); got != s.Marks {
				t.Errorf("%s marks %q in %s; want %q", s.Query, got, c.Text, s.Marks)
			}
			if got := p.eval("search.halfTyped(" + encode(s.Query) + ")"); got != s.Sent {
				t.Errorf("%s is sent as %q; want %q", s.Query, got, s.Sent)
			}
		}
	}
}

// TestPageHalfTyped tests the query that the service gets for words that may be half typed.
func TestPageHalfTyped(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "", 1280)
	p.load("lib/search")
	for query, want := range map[string]string{
		"":                       "",
		"balk":                   "balk OR balk*",
		"deux pièces":            "deux OR deux* pièces OR pièces*",
		`"two roo" balk*`:        `"two roo" balk*`,
		"title:lof 2 Zimmer":     "title:lof OR title:lof* 2 Zimmer OR Zimmer*",
		"balk -furn":             "balk OR balk* -furn",
		"balk NOT furn":          "balk OR balk* NOT furn",
		"a OR NOT -b":            "a OR a* OR NOT -b",
		"balcony OR terr":        "balcony OR balcony* OR terr OR terr*",
		"balcony AND terr":       "balcony OR balcony* AND terr OR terr*",
		"OR balk":                "OR balk OR balk*",
		"balk AND":               "balk OR balk* AND",
		"803 -":                  "803 OR 803*",
		"-":                      "-",
		"Küche":                  "Küche OR Küche*",
		"title:kueche neue":      "title:kueche OR title:kueche* neue OR neue*",
		"„zwei Zimmer“ josef-pl": `"zwei Zimmer" josef-pl OR josef-pl*`,
	} {
		if got := p.eval("search.halfTyped(" + encode(query) + ")"); got != want {
			t.Errorf("%s is sent as %q; want %q", query, got, want)
		}
	}
}

// TestPageMisspelled tests what the page says about a word with a wrong letter.
func TestPageMisspelled(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Große Dachterrasse", "cost": 900}, {"id": "b", "title": "Loft", "cost": 800,
		"text": "mit Dachterrassenzugang"}, {"id": "c", "title": "Balkon", "cost": 700}]`, "", 1280)
	p.see(rowCount, "3")
	const line = "Nothing has “dachterasse”; these have “dachterrasse”, “dachterrassenzugang”"
	p.test("the page names the word that nothing has, and those that flats have instead", func() {
		p.enter(searchField, "dachterasse")
		p.see(misspelledLine, line)
		p.see(rowCount, "2")
		p.see(firstMark, "Dachterrasse")
	})
	p.test("the line about a misspelled word is still there after a flat was opened", func() {
		p.openRow(1)
		p.wait(isThere(flatHeading))
		p.goBack()
		p.see(misspelledLine, line)
		p.see(firstMark, "Dachterrasse")
	})
	p.test("the tabs have the same numbers, and the file has the same flats", func() {
		p.see(text(tabOf("all")), "All 2")
		p.click(filtersButton)
		p.wait(csvLink)
		if _, got := get(t, fmt.Sprint(p.eval(csvLink+".href"))); strings.Count(got, "\n") != 3 {
			t.Errorf("the file has %q", got)
		}
		p.click(filtersButton)
	})
	p.test("while what is written right is found, the page says nothing", func() {
		p.enter(searchField, "dachterrasse")
		p.see(hashAnd(rowCount), "#/?q=dachterrasse 2")
		p.see(misspelledLine, "")
		p.enter(searchField, "dachterasse OR balkon")
		p.see(hashAnd(rowCount), "#/?q="+url.QueryEscape("dachterasse OR balkon")+" 1")
		p.see(misspelledLine, "")
		p.enter(searchField, `"dachterasse"`)
		p.see(endOfList, "No matching flats · Clear filters")
		p.see(misspelledLine, "")
	})
}

// TestPageElsewhere tests what a search finds in addition to the flats of the list.
func TestPageElsewhere(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	flats := []object{
		{"id": "live", "title": "Balkon", "cost": 900},
		{"id": "no", "title": "Cellar", "cost": 800, "status": "ignored", "text": "Dark.\nA room without balkon, and " +
			strings.Repeat("much ", 40) + "more"},
		{"id": "other", "title": "Balkon to the yard", "cost": 700, "status": "ignored", "currency": "EUR"},
		{"id": "far", "title": "Far", "cost": 600, "status": "ignored"},
	}
	p := openTab(t, encode(flats), "", 1280)
	p.wait(isThere(listEnd))
	p.test("without a search there is nothing, and nothing is asked", func() {
		p.see(elsewhereCount, "0")
		p.see(elsewhereWasAsked, "false")
	})
	p.test("dismissed flats stand beneath the list, with the line that matches", func() {
		p.enter(searchField, "balk")
		p.see(hashAnd(rowCount), "#/?q=balk 1")
		p.see(elsewhereLine, "2 that you dismissed · Show all")
		line := "A room without balkon, and" + strings.Repeat(" much", 26) + "…"
		p.see(elsewhereLines, "Cellar 800 Dismissed "+line+"|Balkon to the yard €700 Dismissed")
		p.see(elsewhereMarks, "balkon|Balkon")
	})
	p.test("dismissed flats stand beneath an empty list, too", func() {
		p.enter(searchField, "yard")
		p.see(hashAnd(elsewhereLine), "#/?q=yard 1 that you dismissed · Show all")
		p.see(endOfList, "No matching flats · Clear filters")
	})
	p.test("a link leads to all flats of other tabs", func() {
		p.click(elsewhereAll)
		p.see(hash, "#/?tab=is%3Aignored&q=yard")
		p.see(rowCount, "1")
		p.see(elsewhereCount, "0")
	})
	p.test("a flat that is dismissed joins them", func() {
		p.typeHash("#/?q=balk")
		p.see(firstTitle, "Balkon")
		p.dismissRow(1)
		p.see(elsewhereLine, "3 that you dismissed · Show all")
	})
	p.test("no more than 20 of them are shown, and flats that are gone are in other tabs", func() {
		var many []string
		for i := range 30 {
			many = append(many, fmt.Sprintf(`{"id": "m%d@s", "title": "Balkon %d", "cost": 5}`, i, i))
		}
		p.importAll("s", "["+strings.Join(many, ",")+"]")
		p.importAll("s", `[{"id": "x@s", "title": "X"}]`)
		p.reload()
		p.see(elsewhereLine, "3 that you dismissed, 30 in other tabs · Show all")
		p.see(elsewhereCount, "20")
		p.click(elsewhereAll)
		p.see(hash, "#/?tab=all&q=balk")
	})
}

// TestPageElsewhereLook tests that on a phone a flat that a search finds in another tab has its title in one block,
// with its facts in the next line.
func TestPageElsewhereLook(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Bright cosy rooftop loft with a garden", "cost": 1105, "currency": "EUR",
		"status": "ignored"}, {"id": "b", "title": "Rooftop", "cost": 900, "currency": "EUR", "status": "ignored"}]`,
		"#/?q=rooftop", 390)
	p.see(elsewhereCount, "2")
	p.see(linesElsewhere, "1 in 1,2 in 1")
	p.checkLooks("beneath the search")
	p.checkFaults()
}
