// Tests of the search field, and of what it marks.

package web

import (
	"encoding/json"
	"fmt"
	"net/url"
	"testing"
)

// TestPageSearch tests the search field, its marks, and the key that leads to it
// from every view.
func TestPageSearch(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/visits", 1280)
	p.wait(`document.querySelector(".visits h1")`)
	p.press("/")
	p.see("document.activeElement.id", "search")
	p.enter("#search", "Balkon")
	p.see(rowCount, "2")
	p.see(`document.querySelector("mark").innerText`, "Balkon")
	p.see("location.hash", "#/?q=Balkon")
	// Another address replaces the words, also while the field has the focus.
	p.eval(`document.querySelector("#search").focus()`)
	p.eval(`location.hash = "#/"`)
	p.see(`document.querySelector("#search").value`, "")
	p.enter("#search", "Balkon")
	p.see("location.hash", "#/?q=Balkon")
	p.see(rowCount, "2")
	// A word may be half typed, and in a plural all the same.
	for _, c := range []struct{ words, rows string }{
		{"balk", "2"},
		{`"balk"`, "0"},
		{"balk OR terras", "2"},
		{"-balkon", "8"},
		{"pièces", "3"},
	} {
		p.enter("#search", c.words)
		p.see(`location.hash + " " + `+rowCount, "#/?q="+url.QueryEscape(c.words)+" "+c.rows)
	}
	// The arrow down goes to the first row, Esc leaves the field, and a second one empties it.
	p.click("#search")
	p.key("ArrowDown")
	p.see(`document.activeElement === document.querySelector(".row a")`, "true")
	p.click("#search")
	p.key("Escape")
	p.see(`document.activeElement.localName + " " + document.querySelector("#search").value`, "body pièces")
	p.key("Escape")
	p.see(`location.hash + " " + document.querySelector("#search").value`, "#/ ")
	p.enter("#search", "balk")
	p.see("location.hash", "#/?q=balk")
	p.click("#search")
	p.key("Escape")
	p.press("j")
	p.key("Escape") // no longer the second one
	p.eval("new Promise((done) => setTimeout(done, 300))")
	p.see("location.hash", "#/?q=balk")
	p.press("?")
	p.see(`[...document.querySelectorAll("#help dl div")].filter(({innerText}) => /search field/.test(innerText))
		.map(({innerText}) => innerText.split(/\s/)[0]).join()`, "↓,Esc")
	p.click("#help .primary")
	// The help of the search hangs at its "?".
	p.click("[popovertarget=search-help]")
	p.see(`[...document.querySelectorAll("#search-help li")].map(({innerText}) => innerText.split(":").slice(0, -1)
		.join(":")).join("|")`, `balcony quiet|"two rooms"|balc*|balcony -furnished|balcony OR terrace|title:loft`)
	p.see(`((help, mark) => help.top >= mark.bottom && help.top - mark.bottom < 8 && help.right >= mark.left &&
		help.left <= mark.right)(...["#search-help", "[popovertarget=search-help]"]
			.map((part) => document.querySelector(part).getBoundingClientRect()))`, "true")
	p.click("[popovertarget=search-help]")
	p.enter("#search", "nowhere to be found")
	p.see(`document.querySelector(".foot .end").innerText`, "No matching flats · Clear filters")
	p.click(".chips .link")
	p.see(rowCount, "10")
	// An umlaut may be written as two letters, and the other way round. The sample has a third one.
	p.bring(`[{"id": "u", "title": "Große Küche"}, {"id": "ue", "title": "Kleine Kueche"}]`)
	for _, word := range []string{"kueche", "Küche", "kuech"} {
		p.enter("#search", word)
		p.see(`location.hash + " " + `+rowCount, "#/?q="+url.QueryEscape(word)+" 3")
	}
	p.checkFaults()
}

// TestPageTyped tests that what was typed into the search field or a range is applied by Enter at once, and by
// whatever opens a view before typing has paused.
func TestPageTyped(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	open := func(hash, field, text string) {
		t.Helper()
		p.eval(`location.hash = ` + encode(hash))
		p.reload()
		p.click(".toggle")
		p.wait(`document.querySelector(".panel input")`)
		// In these tests typing never pauses.
		p.eval(`{ const set = setTimeout;
			window.setTimeout = (act, ms, ...rest) => set(act, ms < 100 ? ms : 1e9, ...rest); }`)
		p.click(field)
		p.press(text)
	}
	for _, c := range []struct{ field, text, filter string }{
		{"#search", "balkon", "q=balkon"},
		{"[aria-label='Rooms from']", "2", "rooms=2.."},
	} {
		for _, view := range []string{"#/", "#/map", "#/prices"} {
			open(view, c.field, c.text)
			p.key("Enter")
			p.see("location.hash", view+"?"+c.filter)
			p.see(`document.activeElement === document.querySelector(`+encode(c.field)+`)`, "true")
		}
		open("#/", c.field, c.text)
		p.click(".tabs [data-status=all]")
		p.see("location.hash", "#/?tab=all&"+c.filter)
		p.see(`document.querySelector(`+encode(c.field)+`).value`, c.text)
		open("#/", c.field, c.text)
		p.click(".views [data-view=triage]")
		p.see("location.hash", "#/triage?"+c.filter)
		open("#/?photos=no", c.field, c.text)
		p.click(".chips .chip")
		p.see("location.hash", "#/?"+c.filter)
		open("#/?photos=no", c.field, c.text)
		p.click(".chips .link")
		p.see("location.hash", "#/")
		open("#/", c.field, c.text)
		p.click(".row a")
		p.wait(`document.querySelector(".flat h1")`)
		p.see(`document.querySelector(".steps a").hash`, "#/?"+c.filter)
		p.eval("history.back()")
		p.wait(rowCount)
		p.click(".toggle")
		p.see(`document.querySelector(`+encode(c.field)+`)?.value`, c.text)
		open("#/", c.field, c.text)
		p.eval(`location.hash = "#/visits"`)
		p.wait(`document.querySelector(".visits h1")`)
		p.click(".views [data-view=list]")
		p.see("location.hash", "#/?"+c.filter)
	}
	open("#/", "[aria-label='Rooms from']", "two")
	p.key("Enter")
	p.see(`document.querySelector(".trouble:not(:empty)")?.innerText`, "This is not a number")
	// Words that were typed meanwhile stay when earlier ones are shown.
	open("#/", "#search", "balkon")
	p.key("Enter")
	p.see("location.hash", "#/?q=balkon")
	p.press(" h")
	p.bring(`[{"id": "new", "title": "Balkon"}]`)
	p.eval(`document.dispatchEvent(new Event("visibilitychange"))`)
	p.click("#fresh button")
	p.see(rowCount, "3")
	p.see(`document.querySelector("#search").value`, "balkon h")
	p.checkFaults()
}

// TestPageMarks tests what the page sends for a query, and what it marks, by a table that the tests of the service
// read, too, so that both follow the same rules.
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
