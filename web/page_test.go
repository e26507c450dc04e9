// Package web tests the page in headless Chromium, against the real program.
// It has no code of its own: the program embeds the other files of this folder.
package web

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"log"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"
	_ "time/tzdata" // for browserNow
	"unicode/utf8"
)

// Contents:
//
//	List                            rows, filters, search, decisions, notices, print
//	Flat, visits, triage, import    and a search from the import to the visit
//	Add                             from a link, a text, another page, a share sheet
//	Compare, map, duplicates, prices
//	Network                         the service worker, passwords
//	Whole page                      accessibility, speed, texts, files
//	Program                         the program, and a proxy in front of it
//	Driver                          what a test does in a tab and sees there
//	Browser                         Chromium and its DevTools protocol
//
// By default the tests take the main way through each view; with -whole all of them run. A test that needs Chromium is
// skipped if it is not installed. If the environment variable CI is set, the test fails instead.

// List
// ----

// TestPageList tests that tabs count the flats, heads sort, active filters have
// chips, and the hash has all of it.
func TestPageList(t *testing.T) {
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.see(rowCount, "10")
	first := p.openOther("")
	// What is loaded once the list is there does not count.
	first.do("Page.addScriptToEvaluateOnNewDocument", object{"source": "window.requestIdleCallback = () => {}"})
	first.eval("window.old = true")
	first.do("Page.reload", object{"ignoreCache": true})
	first.wait("!window.old && " + rowCount + " === 10")
	size := first.eval(`[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
		.map(({name, encodedBodySize}) => (name.includes("/api/") ? 0 : encodedBodySize))
			.reduce((sum, size) => sum + size)`).(float64)
	if size < 10_000 || size >= 80_000 {
		t.Errorf("the first list takes %.0f gzipped bytes of the page; want at least 10,000 and less than 80,000", size)
	}
	p.see(tabTexts, "Live 10|New 5|Changed 0|Shortlist 5|Followed 3|Contacted 2|Duplicate 1|Dismissed 2|Deleted 2|All 15")
	p.see(`document.querySelector("[aria-current] .badge, a .badge").innerText`, "5")
	p.click(`th.cost button`)
	p.see("location.hash", "#/?sort=cost")
	p.see(`document.querySelector("th[aria-sort]").innerText + document.querySelector("th[aria-sort]").ariaSort`,
		"Costascending")
	p.see(column("cost", 3), "€685|€745|€795")
	p.click(`th.cost button`)
	p.see(column("cost", 3), "€1,380|€1,090|€995")
	p.click(".toggle")
	p.enter("[aria-label='Cost to']", "1.000")
	p.see(rowCount, "8")
	p.enter("[aria-label='Area from']", "45,5")
	p.see(rowCount, "5")
	p.see("location.hash", "#/?cost=..1000&area=45.5..&sort=-cost")
	p.see(chipTexts, "Cost ≤ 1,000 ×|Area ≥ 45.5 m² ×")
	p.enter("[aria-label='Rooms from']", "two")
	p.see(`document.querySelector("[aria-label='Rooms from']").getAttribute("aria-invalid")`, "true")
	p.see(`document.querySelector(".trouble:not(:empty)").innerText`, "This is not a number")
	p.enter("[aria-label='Rooms to']", "2")
	p.enter("[aria-label='Rooms from']", "3") // last: 3 or more would be a filter
	p.see(`document.querySelectorAll("[aria-invalid=true]").length`, "2")
	p.see(`document.querySelector(".trouble:not(:empty)").innerText`, "“From” is greater than “to”")
	p.see("location.hash", "#/?cost=..1000&area=45.5..&sort=-cost")
	p.click(".tabs [data-status=new]")
	p.see(rowCount, "2")
	p.reload()
	p.see(rowCount, "2")
	p.see(chipTexts, "Cost ≤ 1,000 ×|Area ≥ 45.5 m² ×")
	p.eval(`document.querySelector(".chips .chip").focus()`)
	p.click(".chips .chip")
	p.see("location.hash", "#/?tab=new&area=45.5..&sort=-cost")
	p.see(`document.activeElement.innerText`, "Area ≥ 45.5 m² ×")
	p.eval("history.back()")
	p.see(rowCount, "5")
	p.click(".chips .link")
	p.see("location.hash", "#/?sort=-cost")
	p.see(rowCount, "10")
	// One request gets the rows, two others the counts of the other tabs.
	for _, tab := range []string{"new", "all"} {
		p.eval(`performance.clearResourceTimings(); location.hash = "#/?tab=` + tab + `"`)
		const asked = `performance.getEntriesByType("resource").filter(({name}) => !/status_since/.test(name))
			.map(({name}) => /\w+(?=\?|$)/.exec(name)[0])
			.filter((name) => /find|duplicates/.test(name)).join().replace(/^duplicates,/, "")`
		p.see(asked, "find,find,find,duplicates")
		p.see(tabTexts, "Live 10|New 5|Changed 0|Shortlist 5|Followed 3|Contacted 2|Duplicate 1|Dismissed 2|Deleted 2|All 15")
	}
	p.eval(`document.querySelector("th.area button").focus()`)
	p.click("th.area button")
	p.see(`document.activeElement.closest("th")?.ariaSort`, "descending")
	p.checkFaults()
}

// TestPageLate tests the list while answers are late and come one by one.
func TestPageLate(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, manyFlats(130), "", 1280)
	p.eval(`{
		const ask = fetch;
		window.late = () => false;
		window.held = () => false;
		window.holding = window.sent = 0;
		window.fetch = async (url, options) => {
			const soon = () => new Promise((next) => setTimeout(next, 20));
			while (late(String(url), options)) await soon();
			const answer = await ask(url, options);
			while (held(String(url))) (holding++, await soon());
			if (options?.method === "PATCH") sent++;
			return answer;
		};
	}`)
	p.wait(`document.querySelector(".tabs b")`)
	total := fmt.Sprint(p.eval(`document.querySelector(".tabs [aria-current] b").innerText`))
	p.wait(rowCount + ` === 50 && (scrollTo(0, 1e6), true)`)
	p.wait(rowCount + ` === 100`)
	// While rows of another order are loading, the end of these asks for nothing.
	p.eval(`late = (url) => /find/.test(url)`)
	p.click("th.title button")
	p.eval(`scrollTo(0, 1e6), new Promise((done) => setTimeout(done, 200))`)
	p.eval(`late = () => false`)
	p.wait(`document.querySelector("th.title").ariaSort && scrollY === 0`)
	p.wait(`(scrollTo(0, 1e6), document.querySelector(".end").innerText === "That is all")`)
	p.see(rowCount, total)
	// The rows do not wait for the counts of other tabs, and all that is shown belongs to the new view.
	p.eval(`late = (url) => /page%5Bsize%5D=1&/.test(url); location.hash = "#/?tab=shortlist&cost=..900"`)
	p.wait(`[...document.querySelectorAll(".row")].every(({dataset}) =>
		["followed", "contacted"].includes(dataset.status))`)
	p.see(`document.querySelector(".tabs [aria-current]").innerText.replace(/ .*/, "")`, "Shortlist")
	p.see(`document.querySelector(".tabs a").hash`, "#/?cost=..900")
	// A number that has changed stays when the view is left.
	p.eval(`location.hash = "#/?tab=new"`)
	p.wait(`[...document.querySelectorAll(".row")].every(({dataset}) => dataset.status === "new")`)
	p.eval(`late = () => false`)
	p.wait(`document.querySelector("a .badge").innerText ===
		document.querySelector(".tabs [aria-current] b").innerText`)
	news := p.eval(`Number(document.querySelector("a .badge").innerText)`).(float64)
	p.eval(`late = (url) => /page%5Bsize%5D=1&/.test(url); location.hash = "#/?tab=new&sort=cost"`)
	p.wait(`document.querySelector("th.cost").ariaSort`)
	p.click(".row [data-status=followed]")
	p.see(`document.querySelector("a .badge").innerText`, fmt.Sprint(news-1))
	p.click(".views a:nth-child(3)")
	p.wait(`document.querySelector(".visits h1")`)
	p.see(`document.querySelector("a .badge").innerText`, fmt.Sprint(news-1))
	// Numbers from before a decision that come after it are asked for again.
	p.eval(`late = (url, options) => options?.method === "PATCH"; location.hash = "#/triage"`)
	p.click(".decide [data-status=followed]")
	p.see(`document.querySelector("a .badge").innerText`, fmt.Sprint(news-2))
	p.eval(`held = (url) => /page%5Bsize%5D=50&/.test(url); sent = holding = 0;
		location.hash = "#/?tab=new&sort=area"`)
	p.wait(`holding > 0`)
	p.eval(`late = () => false`)
	p.wait(`sent > 0`)
	p.eval(`held = () => false`)
	p.see(`document.querySelector(".tabs [aria-current] b").innerText`, fmt.Sprint(news-2))
	p.see(`document.querySelector("a .badge").innerText`, fmt.Sprint(news-2))
	// If the counts cannot be loaded, the page says so.
	p.eval(`late = () => false; location.hash = "#/"`)
	p.wait(`document.querySelector(".row")`)
	// The counts fail once the rows are there: any other answer would close the error, as there is a network again.
	p.eval(`{
		const counts = (url) => /page%5Bsize%5D=1&/.test(url), rows = (url) => /=900.*page%5Bsize%5D=50&/.test(url);
		late = (url) => {
			if (counts(url) && late.fails && late.rows) throw new TypeError("late");
			return counts(url) ? late.fails : late.rows || !rows(url);
		};
		held = (url) => { late.rows ||= rows(url) };
		late.fails = true;
		location.hash = "#/?cost=..900";
	}`)
	p.see(`document.querySelector("[role=alert] p")?.innerText`, "That did not work: no network connection.")
	p.eval(`late.fails = late.rows = false`)
	p.click("[role=alert] button")
	p.wait(`!document.querySelector("[role=alert]")`)
	p.eval(`late = held = () => false`)
	// The field keeps the focus and what is typed while the first answer is on its way.
	for _, view := range []string{"#/", "#/map", "#/prices"} {
		p.eval(`late = () => false; location.hash = "#/visits"`)
		p.wait(`document.querySelector(".visits h1")`)
		p.eval(`late = (url) => /find/.test(url); location.hash = ` + encode(view))
		p.click("#search")
		p.press("a")
		p.see("location.hash", view+"?q=a")
		p.press("b")
		p.see("location.hash + document.activeElement.value", view+"?q=abab")
	}
	p.eval(`late = () => false`)
	p.checkFaults()
	// Without filters no flats are outside them, although the service lacks a decision.
	p = openTab(t, manyFlats(130), "", 1280)
	p.do("Page.addScriptToEvaluateOnNewDocument", object{"source": `{
		const ask = fetch;
		window.fetch = (url, options) => (options?.method === "PATCH" ? new Promise(() => {}) : ask(url, options));
	}`})
	p.do("Page.reload", nil)
	p.wait(`document.querySelector(".row")`)
	p.eval(`location.hash = "#/triage"`)
	p.wait(`document.querySelector(".card h2 a")`)
	left := p.eval(`document.querySelector(".triage [role=status]").innerText.match(/\d+/)[0]`)
	p.press("x")
	p.see(`document.querySelector(".triage [role=status]").innerText.match(/\d+/)[0] - `+fmt.Sprint(left), "-1")
	p.do("Page.reload", nil)
	p.wait(`document.querySelector(".card h2 a")`)
	p.wait(`document.querySelector(".badge").innerText === "` + fmt.Sprint(left) + `"`)
	p.see(`document.querySelector(".outside").innerText`, "")
}

// TestPageFilters tests which flats each filter finds.
func TestPageFilters(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "1@a", "title": "one", "cost": 0, "currency": "EUR", "rooms": 2, "location": "Ost",
		"notes": "damp"},
		{"id": "2@a", "title": "two", "cost": 500, "currency": "EUR", "area": 50, "location": "Ost",
			"gps": [45.75, 4.85], "visit_date": "2031-01-01"},
		{"id": "3@b", "title": "three", "cost": 400, "currency": "DKK", "area": 20, "rooms": 3, "location": "West",
			"gps": [-33, 4.85],
			"photos": ["https://127.0.0.1:1/x"]},
		{"id": "4@b", "title": "four", "cost": 900, "currency": "EUR", "rooms": 1, "notation": 4,
			"service_time_to": {"work": {"time": 1500}, "gym": {"time": 600}}},
		{"id": "5@b", "title": "five", "cost": 9000, "currency": "DKK", "area": 30, "rooms": 3, "bedrooms": 2,
			"service_constraint": "far"}]`, "", 1280)
	p.see(rowCount, "5")
	for hash, want := range map[string]string{
		"sort=cost":                          "three five two four one", // each currency separately, no price last
		"sort=-cost":                         "five three four two one",
		"sort=cost_per_area":                 "three five two four one",
		"sort=-area":                         "two five three one four",
		"cost=..500&sort=title":              "three two",
		"rooms=2..&sort=title":               "five one three",
		"rooms=2..&unknown=rooms&sort=title": "five one three two",
		"bedrooms=1..":                       "five",
		"notation=3..5":                      "four",
		"travel_time=..10":                   "four",
		"cost_per_area=..15&sort=title":      "two",
		"place=Ost&sort=title":               "one two",
		"place=Ost&place=West&sort=title":    "one three two",
		"site=a&sort=title":                  "one two",
		"currency=DKK&sort=title":            "five three",
		"constraint=far":                     "five",
		"visit=yes":                          "two",
		"notes=yes":                          "one",
		"notes=no&photos=no&sort=title":      "five four two",
		"photos=yes":                         "three",
		"lat=45..46&lng=4.8..4.9":            "two",
		"lat=..0":                            "three",
	} {
		p.eval("location.hash = " + encode("#/?"+hash))
		p.see(`location.hash.slice(3) + ": " + [...document.querySelectorAll(".row h2")]
			.map((title) => title.innerText).join(" ")`, hash+": "+want)
	}
	// The page says how many flats a range hides because their value is not known, and shows them on demand.
	p.eval(`location.hash = "#/?rooms=2.."`)
	p.see(`document.querySelector(".hidden-ones").innerText`, "1 without rooms · Show")
	p.click(".hidden-ones button")
	p.see(rowCount, "4")
	p.see(chipTexts, "Rooms ≥ 2 or unknown ×")
	// The window of the map is one filter. A saved view has it, too.
	p.eval(`location.hash = "#/?lat=45..46&lng=4.8..4.9"`)
	p.see(chipTexts, "On the map ×")
	p.load("lib/query")
	p.see(`query.conditionsOf({lat: "45..46", lng: "4.8.."}).split("&")
		.filter((text) => /l(at|ng)/.test(text)).sort().join()`,
		"max%5Blat%5D=46,min%5Blat%5D=45,min%5Blng%5D=4.8")
	p.click(".chip")
	p.see("location.hash", "#/")
	// With several ranges, each may hide what another lets through.
	p.eval(`location.hash = "#/?area=10..&cost_per_area=..60"`)
	p.see(`document.querySelector(".hidden-ones").innerText`, "2 without cost per m² / area · Show")
	p.click(".hidden-ones button")
	p.see(rowCount, "4")
	p.eval(`location.hash = "#/?sort=cost"`)
	p.see(`document.querySelector(".currencies").innerText.trim()`, "Currencies are compared separately. DKKEUR")
	p.click(".currencies button")
	p.see("location.hash", "#/?currency=DKK&sort=cost")
	p.eval(`location.hash = "#/?currency=DKK&sort=cost"`)
	p.see(`document.querySelector(".currencies").innerText`, "")
	p.eval(`location.hash = "#/"`)
	p.click(".toggle")
	p.wait(`document.querySelector(".panel [value=West]")`)
	p.see(`[...document.querySelectorAll(".panel label:not([hidden])")].map((label) => label.innerText.split("\n")[0])
		.join()`,
		"Sort by,Travel time to,Currency,Site,Visit,Notes,Photos,First seen within,Ost (2),West (1)")
	// Several places may be ticked. Each has a chip, and the boxes keep their numbers and the focus.
	for i, want := range []string{"1", "3"} {
		box := []string{".several [value=West]", ".several [value=Ost]"}[i]
		p.click(box)
		p.see(rowCount, want)
	}
	p.see(chipTexts, "West ×|Ost ×")
	p.see("location.hash", "#/?place=West&place=Ost")
	p.click(".chip")
	p.see("location.hash", "#/?place=Ost")
	p.see(`[...document.querySelectorAll(".several label")].map((label) => label.innerText +
		(label.firstChild.checked ? "+" : "")).join()`, "Ost (2)+,West (1)")
	p.eval(`document.querySelector(".several [value=Ost]").focus()`)
	p.key(" ")
	p.see("location.hash", "#/")
	p.see(`document.activeElement.value`, "Ost")
	// What could be chosen stays, also where a search leaves one value.
	p.enter("#search", "four")
	p.see(rowCount, "1")
	p.eval("new Promise((done) => setTimeout(done, 300))")
	p.see(`[...document.querySelectorAll(".panel label:not([hidden]) > span")].map(({innerText}) => innerText).join()
		.includes("Currency,Site")`, "true")
	p.checkFaults()
}

// TestPagePlaces tests that the filter of places has one box for all codes of a name, which can be searched, and that
// its chip removes all of them.
func TestPagePlaces(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": 1, "title": "one", "cost": 100, "location": "1055 København K"},
		{"id": 2, "title": "two", "cost": 900, "location": "1050 København K"},
		{"id": 3, "title": "three", "cost": 100, "location": "2100 København Ø"},
		{"id": 4, "title": "four", "cost": 100, "location": "Ost"}]`, "#/?cost=..500", 1280)
	p.click(".toggle")
	const boxes = `[...document.querySelectorAll(".several label")].map(({innerText, firstChild: box}) =>
		innerText + (box.indeterminate ? "?" : box.checked ? "+" : "")).join()`
	p.see(boxes, "København K (1),København Ø (1),Ost (1)")
	p.eval("new Promise((done) => setTimeout(done, 300))")
	p.enter("[aria-label='Search places']", "kobenhavn k")
	p.see(boxes, "København K (1)")
	p.enter("[aria-label='Search places']", "2100")
	p.see(boxes, "København Ø (1)")
	p.enter("[aria-label='Search places']", "")
	// The box also stands for the code of the flat that the other filter leaves out.
	p.click(".several [value='København K']")
	p.see(boxes, "København K (1)+,København Ø (1),Ost (1)")
	p.see(chipTexts, "Cost ≤ 500 ×|København K ×")
	p.see(rowCount, "1")
	p.click(".chips .chip")
	p.see(rowCount, "2")
	p.see(boxes, "København K (2)+,København Ø (1),Ost (1)")
	p.click(".several [value='København K']")
	p.bring(`[{"id": 5, "title": "five", "location": "Ost"}, {"id": 6, "title": "six", "location": "Ost"}]`)
	p.reload()
	p.click(".toggle")
	p.see(boxes, "Ost (3),København K (2),København Ø (1)") // those with most flats first
	p.click(".several [value='København K']")
	p.click(".several [value=Ost]")
	p.see(chipTexts, "København K ×|Ost ×")
	p.click(".chips .chip")
	p.see("location.hash", "#/?place=Ost")
	p.eval(`location.hash = "#/?place=1055+K%C3%B8benhavn+K"`)
	p.see(boxes, "Ost (3),København K (2)?,København Ø (1)")
	p.see(chipTexts, "1055 København K ×")
	p.load("words/filters")
	for place, want := range map[string]string{
		"80331 München": "München", "69004 Lyon 4e": "Lyon 4e", "1012 AB Amsterdam": "Amsterdam", "110 00 Praha": "Praha",
		"4000-123 Porto": "Porto", "00-950 Warszawa": "Warszawa", "SW1A 1AA London": "London", "2100": "2100",
		"2. Bezirk": "2. Bezirk", "Ost": "Ost",
	} {
		if got := p.eval("filters.placeName(" + encode(place) + ")"); got != want {
			t.Errorf("the name of %q is %q; want %q", place, got, want)
		}
	}
	p.checkFaults()
}

// TestPagePanel tests that each range is one field, that places stand in a column, and how high the filters are.
func TestPagePanel(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.click(".toggle")
	p.wait(`document.querySelector(".panel .several [type=checkbox]")`)
	p.wait(`document.querySelector(".panel").offsetHeight <= 154`) // half of what it was
	p.see(`[...document.querySelectorAll(".range")].filter((range) => {
		const outer = range.getBoundingClientRect();
		const ends = [...range.querySelectorAll("input")].map((input) => input.getBoundingClientRect());
		return ends.length !== 2 || ends[0].right > ends[1].left || getComputedStyle(range).borderTopWidth !== "1px" ||
			ends.some(({left, right, top, bottom}) => left < outer.left || right > outer.right || top < outer.top ||
				bottom > outer.bottom);
	}).length`, "0")
	p.see(`document.querySelectorAll(".range").length`, "7")
	// Four places are in sight, and a name and what is typed are apart.
	p.see(`document.querySelector(".several .boxes").clientHeight >= 92`, "true")
	p.see(`[...document.querySelectorAll(".range")].filter((range) => {
		const name = document.createRange();
		name.selectNodeContents(range.querySelector("span"));
		const [from] = range.querySelectorAll("input");
		const pen = document.createElement("canvas").getContext("2d");
		pen.font = "12px system-ui, sans-serif";
		const {left, width} = from.getBoundingClientRect();
		return left + (width - pen.measureText(from.placeholder).width) / 2 - name.getBoundingClientRect().right < 4;
	}).length`, "0")
	// A range that is wrong makes no other field taller.
	p.enter("[aria-label='Rooms from']", "3")
	p.enter("[aria-label='Rooms to']", "2")
	p.wait(`document.querySelector(".trouble:not(:empty)")`)
	p.see(`Math.max(...[...document.querySelectorAll(".fields label")].map(({offsetHeight}) => offsetHeight))`, "32")
	p.enter("[aria-label='Rooms from']", "")
	p.enter("[aria-label='Rooms to']", "")
	// The places stand beside the fields, one under the other, and scroll within.
	p.see(`(() => {
		const [fields, places] = [".fields", ".several"].map((name) => document.querySelector(name).getBoundingClientRect());
		const lefts = new Set([...document.querySelectorAll(".several label")].map((label) => label.offsetLeft));
		return [places.left >= fields.right, places.bottom <= fields.bottom + 1, lefts.size].join(" ");
	})()`, "true true 1")
	for _, width := range []int{900, 390, 320} {
		p.resize(width)
		p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
		p.see(`[...document.querySelectorAll(".panel :is(input:not([type=checkbox]), select)")]
			.filter((control) => control.checkVisibility() && control.offsetHeight < (innerWidth < 900 ? 44 : 30)).length`, "0")
	}
	// On a phone the fields stand in pairs, and the places in one of them until it is opened.
	p.resize(390)
	const height = `document.querySelector(".panel").offsetHeight`
	p.see(height+` <= 932 / 2`, "true") // half of what it was
	p.see(`(() => {
		const fields = [...document.querySelectorAll(".panel :is(.fields label, .range, .opener, .done)")]
			.filter((field) => field.checkVisibility()).map((field) => field.getBoundingClientRect());
		const row = ({top}) => fields.filter((other) => Math.abs(other.top - top) < 1).length;
		return fields.filter((field) => row(field) !== 2 || field.height < 44 || field.width < 140).length;
	})()`, "0")
	opened := func() string {
		return fmt.Sprint(p.eval(`[document.querySelector(".opener").ariaExpanded,
			document.querySelector(".opener b").innerText,
			...[...document.querySelectorAll(".several :is([type=search], [type=checkbox])")]
				.filter((control) => control.checkVisibility()).map(({type}) => type)].join(" ")`))
	}
	if got := opened(); got != "false Any" {
		t.Errorf("the places are %q; want them closed", got)
	}
	p.click(".opener")
	p.click(".several label")
	p.wait(`document.querySelector(".chips .chip")`)
	p.see(`[...document.querySelectorAll(".several label")].filter(({offsetHeight}) => offsetHeight < 44).length`, "0")
	if got := opened(); !strings.HasPrefix(got, "true "+fmt.Sprint(p.eval(
		`document.querySelector(".several :checked").value`))+" search checkbox") {
		t.Errorf("the places are %q; want them open, and the chosen one named", got)
	}
	p.click(".opener")
	p.see(height+` <= 932 / 2`, "true")
	// At a zoom of 200 % all of it is there, and nothing is cut.
	for _, width := range []int{320, 195} {
		p.resize(width)
		p.see(`(() => {
			const fields = [...document.querySelectorAll(".panel :is(.fields label, .range, .opener, .done)")]
				.filter((field) => field.checkVisibility());
			const cut = fields.filter((field) => field.scrollWidth > field.clientWidth || field.offsetHeight < 44 ||
				field.getBoundingClientRect().right > innerWidth);
			return [fields.length, document.documentElement.scrollWidth <= innerWidth, ...cut.map(({innerText}) => innerText)];
		})().join()`, "16,true")
	}
	// Longer words, too, have one line each on a phone.
	p.do("Emulation.setUserAgentOverride", object{"userAgent": "test", "acceptLanguage": "fr"})
	p.resize(390)
	p.reload()
	p.click(".toggle")
	p.wait(`document.querySelector(".panel .several [type=checkbox]")`)
	p.see(`[...document.querySelectorAll(".panel :is(.fields label, .range, .opener) > span, .tools > *")]
		.filter((part) => part.checkVisibility() && (part.scrollWidth > part.clientWidth || part.offsetHeight > 44))
		.map(({innerText}) => innerText).join()`, "")
	p.checkFaults()
}

// TestPageTravel tests that filter, order and column of the travel time are those of the chosen place, which
// is offered where there are several.
func TestPageTravel(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[
		{"id": 1, "title": "one", "service_time_to": {"station": {"time": 600}, "office": {"time": 3000}}},
		{"id": 2, "title": "two", "service_time_to": {"station": {"time": 1800}, "office": {"time": 1200}}},
		{"id": 3, "title": "three", "service_time_to": {"office": {"time": 300}}}]`, "", 1280)
	const rows = `[...document.querySelectorAll(".row")].map((row) => row.querySelector("h2").innerText + " " +
		row.querySelector(".travel_time").innerText.replace(/\s/g, " ")).join()`
	for hash, want := range map[string]string{
		"sort=travel_time":                            "three 5 min office,one 10 min station,two 20 min office",
		"to=station&sort=travel_time":                 "one 10 min station,two 30 min station,three ",
		"to=office&sort=-travel_time":                 "one 50 min office,two 20 min office,three 5 min office",
		"travel_time=..20&sort=title":                 "one 10 min station,three 5 min office,two 20 min office",
		"travel_time=..20&to=station&sort=title":      "one 10 min station",
		"travel_time=20..60&to=office&sort=title":     "one 50 min office,two 20 min office",
		"travel_time=..20&to=office&sort=-title":      "two 20 min office,three 5 min office",
		"travel_time=..9&to=kita&unknown=travel_time": "one ,two ,three ",
	} {
		p.eval("location.hash = " + encode("#/?"+hash))
		p.see(`location.hash.slice(3) + ": " + `+rows, hash+": "+want)
	}
	p.eval(`location.hash = "#/?travel_time=..20"`)
	offered := `[...document.querySelectorAll(".panel label:not([hidden])")]
		.filter((label) => label.textContent.startsWith("Travel time to")).length`
	p.see(offered, "0") // until the panel is opened
	p.click(".toggle")
	p.see(offered, "1")
	p.see(`[...document.querySelectorAll(".panel select option[value=kita]")].map(({parentElement}) => {
		parentElement.id = "to";
		return [...parentElement.options].map((option) => option.innerText).join();
	}).join()`, "Nearest,kita,office,station,university")
	p.enter("#to", "station")
	p.see("location.hash", "#/?travel_time=..20&to=station")
	p.see(chipTexts, "Travel time to station ≤ 20 min ×")
	p.see(`document.querySelector(".hidden-ones").innerText`, "1 without travel time · Show")
	p.click(".chips .link")
	p.see(rows, "one 10 min station,two 30 min station,three ")
	p.see(chipTexts, "")
	p.eval(`dispatchEvent(new Event("beforeprint"))`)
	p.see(`[...document.querySelectorAll(".paper td.travel_time")]
		.map((cell) => cell.textContent.replace(/\s/g, " ")).join()`, "10 min station,30 min station,")
	p.checkFaults()
	// One place alone leaves nothing to choose. The service has no field for a name with a comma.
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "config.json"), `{"constraints": {"x": {"time_to": {
		"work": {"gps": [45, 4]}, "a, b": {"gps": [45, 4]}}}}}`)
	writeFile(t, filepath.Join(dir, "flats.json"), `[{"id": 1, "service_time_to": {"work": {"time": 60}}}]`)
	p.url = startIn(t, dir)
	p.open("", 1280)
	p.click(".toggle")
	p.eval("new Promise((done) => setTimeout(done, 300))")
	p.see(offered, "0")
}

// TestPageTravelTimes tests how a travel time is written wherever it stands, and
// that its tooltip says how it was computed.
func TestPageTravelTimes(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const byTransit = ", by public transport, arriving at 09:00 on a Tuesday"
	cases := []struct{ id, entry, want, how string }{
		{"a", `{"time": 1500, "mode": "PUBLIC_TRANSPORT"}`, "25 min", "by public transport"},
		{"b", `{"time": 1500}`, "25 min", ""},
		{"c", `1500`, "25 min", ""},
		{"own", `{"time": 1500, %s, "precision": "own", "arrive": "09:00"}}`, "25 min",
			"from the position in the listing" + byTransit},
		{"house", `{"time": 1500, %s, "precision": "house", "arrive": "09:00"}}`, "25 min",
			"from the address" + byTransit},
		{"street", `{"time": 4200, %s, "precision": "street", "arrive": "09:00"}}`, "≈ 1 h 10",
			"from the street" + byTransit},
		{"code", `{"time": 1500, %s, "precision": "postal_code", "arrive": "09:00"}}`, "≈ 25 min",
			"from the middle of the postal code" + byTransit},
		{"place", `{"time": 1500, %s, "precision": "place", "arrive": "09:00"}}`, "≈ 25 min",
			"from the place in the address" + byTransit},
		{"over", `{"time": 5400, %s, "precision": "street", "arrive": "09:00", "over": true}}`, "> 90 min",
			"from the street" + byTransit},
		{"odd", `{"time": 1500, "mode": 5, "estimated": {"from": "x", "precision": "constructor", "arrive": {}}}`,
			"25 min", ""},
	}
	var list []string
	for _, c := range cases {
		entry := strings.Replace(c.entry, "%s", `"gps": [45.7494, 4.8372], "mode": "PUBLIC_TRANSPORT",
			"estimated": {"from": [45.7584, 4.8372]`, 1)
		list = append(list, fmt.Sprintf(`{"id": %q, "title": %q, "service_constraint": "lyon",
			"service_postal_code": "69004", "service_time_to": {"university": %s}}`, c.id, c.id, entry))
	}
	p := openTab(t, "["+strings.Join(list, ",")+"]", "#/?sort=title", 1280)
	// seen returns the time in an element, and how it was computed as the tooltip and as screen readers tell it.
	seen := func(root string) string {
		return `((time) => time && [time.firstChild.textContent, time.title, time.querySelector(".sr")?.textContent ?? ""]
			.join("|").replace(/\s/g, " "))(document.querySelector(` + encode(root+" .duration") + `))`
	}
	for _, c := range cases {
		want := c.want + "|" + c.how + "|"
		if c.how != "" {
			want += " (" + c.how + ")"
		}
		p.wait(rowCount + " === 10")
		row := fmt.Sprintf("[data-id=%s]", c.id)
		p.see(seen(row), want)
		p.eval(`location.hash = "#/flat/` + c.id + `"`)
		p.see(seen(".flat .what"), want)
		p.eval(`location.hash = "#/compare/` + c.id + `"`)
		p.see(seen(".compare"), want)
		p.eval(`location.hash = "#/?sort=title"`)
	}
	// The tooltip lies above the link of the row, and a click on it opens the flat.
	p.wait(rowCount + " === 10")
	p.see(`(({x, y}) => document.elementFromPoint(x, y).closest("[title]")?.title)(
		middleOf(document.querySelector("[data-id=street] .duration")))`, "from the street"+byTransit)
	p.click("[data-id=street] .duration")
	p.see("location.hash", "#/flat/street")
	// Distances are those of the position that the times were computed from, 1 km north of the place.
	const ways = `[...document.querySelectorAll(".pairs div")].map((pair) => [...pair.children]
		.map(({textContent}) => textContent.replace(/\s/g, " ")).join(" "))
		.find((pair) => pair.startsWith("university"))`
	p.see(ways, "university ≈ 1 h 10 (from the street"+byTransit+"), ≈ 1 km in a straight line")
	p.eval(`location.hash = "#/flat/house"`)
	p.see(ways, "university 25 min (from the address"+byTransit+"), 1 km in a straight line")
	p.eval(`location.hash = "#/flat/odd"`)
	p.see(ways, "university 25 min, ≈ 3.4 km in a straight line")
	p.eval(`location.hash = "#/compare/over,street"`)
	p.see(`[...document.querySelectorAll("td:has(.duration)")].map((cell) => cell.matches(".best")).join()`, "false,true")
	p.eval(`location.hash = "#/?travel_time=..89&sort=-travel_time"`)
	p.see(firstRow, "street")
	// "> 90 min" is within no range that ends, however far that is.
	const ids = `[...document.querySelectorAll(".row")].map(({dataset}) => dataset.id).join()`
	for _, c := range []struct{ hash, want string }{
		{"travel_time=60..", "over,street"}, {"travel_time=60..90", "street"}, {"travel_time=60..120", "street"},
		{"to=university&travel_time=60..90", "street"},
	} {
		p.eval("location.hash = " + encode("#/?sort=title&"+c.hash))
		p.see(`new URLSearchParams(location.hash.slice(3)).get("travel_time") + " " + `+ids,
			c.hash[strings.LastIndex(c.hash, "=")+1:]+" "+c.want)
	}
	p.resize(390)
	p.eval(`location.hash = "#/triage?q=street"`)
	p.see(seen(".triage .card"), "≈ 1 h 10|from the street"+byTransit+"| (from the street"+byTransit+")")
	p.eval(`location.hash = "#/?q=street"`)
	p.see(seen("ol .row"), "≈ 1 h 10|from the street"+byTransit+"| (from the street"+byTransit+")")
	p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
	p.click(".row .duration")
	p.see("location.hash", "#/flat/street")
	p.checkFaults()
}

// TestPageNoPrice tests that "no price" stands in place of a cost that is 0 or
// null.
func TestPageNoPrice(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[
		{"id": "a", "title": "A", "cost": 0, "currency": "EUR", "area": 40, "location": "Ost",
			"visit_date": "2020-01-01", "photos": ["https://127.0.0.1:1/x"],
			"cost_history": [{"date": null, "cost": 900}, {"date": "2026-01-03T10:00:00Z", "cost": 0}]},
		{"id": "b", "title": "B", "cost": null, "location": "Ost", "visit_date": "2031-01-01",
			"photos": ["https://127.0.0.1:1/x"]}]`, "", 1280)
	texts := func(selector string) string {
		return fmt.Sprintf(`[...document.querySelectorAll(%s)].map(({textContent}) => textContent).join("|")`,
			encode(selector))
	}
	for hash, cases := range map[string]map[string]string{ // by a selector
		"#/?sort=title": {"td.cost": "no price|no price"},
		"#/flat/a": {".facts .cost": "no price", ".source ~ p:not(.soft, .address)": "€900 → no price on 3 Jan",
			".doubles li": "Bno price NewOstSame homeNot the same"},
		"#/triage": {".card .facts .cost": "no price"},
		"#/visits": {".day .cost": "no price", "details .where": "Ano price Ost"},
		"#/compare/a,b": {"tbody tr:nth-child(3) td": "no price|no price",
			"tbody tr:nth-child(7) td": "€900 no price 3 Jan|–"},
		"#/duplicates": {".homes .cost": "no price|no price"},
		"#/map":        {"tbody .number": "2|no price"},
	} {
		p.eval("location.hash = " + encode(hash))
		for selector, want := range cases {
			p.see(texts(selector), want)
		}
	}
	p.resize(390)
	p.eval(`location.hash = "#/?sort=title"`)
	p.see(texts("div.cost"), "no price|no price")
	// A range hides both, and brings both back.
	p.eval(`location.hash = "#/?cost=1..900&sort=title"`)
	p.see(`document.querySelector(".hidden-ones").innerText`, "2 without cost · Show")
	p.click(".hidden-ones button")
	p.see(texts("div.cost"), "no price|no price")
	p.eval(`location.hash = "#/?sort=title"`)
	p.see(texts("div.cost"), "no price|no price")
	p.eval(`dispatchEvent(new Event("beforeprint"))`)
	p.see(texts(".paper td.cost"), "no price|no price")
	p.click(".row a")
	p.eval("navigator.share = async ({text}) => void (window.shared = text)")
	p.click(".steps span + button")
	p.see("window.shared", "A, no price, 40\u00a0m², Ost\nOst")
	p.checkFaults()
}

// TestPageNumbers tests that numbers are read as people type them, and that
// money is written without useless decimals.
func TestPageNumbers(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "", 1280)
	p.load("words/format")
	for typed, want := range map[string]string{
		"": "null", " ": "null", "1200": "1200", "1 200": "1200", "1.200": "1200", "1,200": "1200", "1200,50": "1200.5",
		"1200.5":    "1200.5",
		"4.500.000": "4500000", "4,500,000": "4500000", "1.200,50": "1200.5", "1,200.50": "1200.5", "1'200": "1200",
		"0.125": "0.125", "1.450 €": "1450", "72 m²": "72", "45,5 m2": "45.5", "1450 EUR": "1450",
		"CHF 1'240.–": "1240", "72m²": "72", "30 min": "30",
		"16 €/m²": "16", "€19/m²": "19", "/m²": "NaN", "kr. 4.500.000": "4500000", "4.500.000 kr.": "4500000",
		"3.5 Zimmer": "3.5", "3 pièces": "3",
		"★ 5": "5", "5 rooms": "5", "rooms": "NaN", "abc 5": "NaN",
		"840,-": "840", "€": "NaN", "TWO": "NaN", "m²": "NaN",
		"45,5": "45.5", "€ 900": "900", "12.3456": "12.3456", "1.2.3": "NaN", "two": "NaN", "12.": "NaN",
		"1.200.50": "NaN", "-5": "NaN",
	} {
		if got := fmt.Sprint(p.eval("String(format.parseNumber(" + encode(typed) + "))")); got != want {
			t.Errorf("%q is read as %s; want %s", typed, got, want)
		}
	}
	for call, want := range map[string]string{
		`money(1200, "EUR")`: "€1,200", `money(1200.5, "€")`: "€1,200.50", `perArea(16.33, "EUR")`: "€16/m²",
		`perArea(2.26, "EUR")`: "€2.3/m²",
		`money(900, "DKK")`:    "DKK\u00a0900", `money(900, "Taler")`: "900\u00a0Taler", `money(900, null)`: "900",
		`minutes(1500)`: "25\u00a0min",
		`minutes(3900)`: "1\u00a0h\u00a005", `minutes(5400)`: "1\u00a0h\u00a030", `percent(-0.12)`: "-12%",
	} {
		if got := fmt.Sprint(p.eval("format." + call)); got != want {
			t.Errorf("%s = %q; want %q", call, got, want)
		}
	}
}

// TestPageAgo tests that time is told as people tell it, in lists, cards, on the flat and in Triage, with the exact one
// in its element and tooltip, and goes on while the page is open.
func TestPageAgo(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const first = "2026-11-25T12:00:00Z"
	p := openTab(t, fmt.Sprintf(`[{"id": "1@site", "title": "One", "location": "Ost", "first_seen": %q},
		{"id": "2@site", "title": "Two", "first_seen": "2024-01-03T10:00:00Z"},
		{"id": "3@site", "title": "Three", "status": "ignored"}]`, first), "#/?sort=title", 1280)
	p.wait(rowCount + " === 2")
	p.eval(`Date.now = () => Date.parse(` + encode(first) + `) + 12.5 * 60_000;
		document.dispatchEvent(new Event("visibilitychange"))`)
	p.see(column("since", 2), "12\u00a0min\u00a0ago|Jan 2024")
	const time1 = `[...document.querySelectorAll("main time")].filter(({innerText}) => /ago/.test(innerText))[0]`
	p.see(time1+`.dateTime.slice(0, 19)`, first[:19])
	p.see(`/^\w+day,? \d+ \w+ 20\d\d at \d\d:\d\d$/.test(`+time1+`.title)`, "true")
	p.resize(390)
	p.see(`document.querySelector(".row .under")?.innerText.replace(/\s/g, " ")`, "12 min ago · Ost · site")
	for _, hash := range []string{"#/flat/1%40site", "#/triage"} {
		p.eval("location.hash = " + encode(hash))
		p.see(`document.querySelector(".source")?.innerText.replace(/\s/g, " ")`, "site Seen 12 min ago")
	}
	p.eval(`{ const now = Date.now; Date.now = () => now() + 3_600_000; }
		document.dispatchEvent(new Event("visibilitychange"))`)
	p.see(time1+`.innerText.replace(/\s/g, " ")`, "1 h ago")
	p.eval(`dispatchEvent(new Event("beforeprint"))`)
	p.eval(`location.hash = "#/?tab=is:ignored"`)
	p.wait(`document.querySelector(".row")`)
	p.eval(`dispatchEvent(new Event("beforeprint"))`)
	p.see(`document.querySelectorAll(".paper td").length > 0 && document.querySelectorAll(".paper time").length`, "0")

	const evening, night = "2026-11-25T20:00:00+01:00", "2026-11-25T02:00:00+01:00"
	for language, cases := range map[string]map[string]string{
		"en-GB": {
			evening + " 2026-11-25T19:59:50+01:00": "1 min ago",
			evening + " 2026-11-25T19:48:00+01:00": "12 min ago",
			evening + " 2026-11-25 17:59:00":       "2 h ago",
			evening + " 2026-11-25T00:10:00+01:00": "19 h ago",
			night + " 2026-11-24T23:00:00+01:00":   "3 h ago",
			night + " 2026-11-24T18:40:00+01:00":   "yesterday 18:40",
			evening + " 2026-11-24T18:40:00+01:00": "yesterday 18:40",
			evening + " 2026-11-21T18:40:00+01:00": "Sat 18:40",
			evening + " 2026-11-19T00:01:00+01:00": "Thu 00:01",
			evening + " 2026-11-18T23:59:00+01:00": "18 Nov",
			evening + " 2024-11-18T23:59:00+01:00": "Nov 2024",
			evening + " 2026-11-25":                "today",
			evening + " 2026-11-24":                "yesterday",
			evening + " 2026-11-21":                "Saturday",
			evening + " 2026-11-18":                "18 Nov",
			evening + " 2026-11-25T20:20:00+01:00": "1 min ago", // the clock is slow
			evening + " 2026-12-01":                "1 Dec",
			evening + " nonsense":                  "",
		},
		"de": {
			evening + " 2026-11-25T19:48:00+01:00": "vor 12 min",
			evening + " 2026-11-25T17:59:00+01:00": "vor 2 h",
			evening + " 2026-11-24T18:40:00+01:00": "gestern 18:40",
			evening + " 2026-11-18T23:59:00+01:00": "18. Nov.",
		},
		"fr": {
			evening + " 2026-11-25T19:48:00+01:00": "il y a 12 min",
			evening + " 2026-11-25T17:59:00+01:00": "il y a 2 h",
			evening + " 2026-11-24T18:40:00+01:00": "hier 18:40",
			evening + " 2026-11-18T23:59:00+01:00": "18 nov.",
		},
	} {
		p.do("Emulation.setUserAgentOverride", object{"userAgent": "test", "acceptLanguage": language})
		p.reload()
		p.load("words/format")
		for clocks, want := range cases {
			now, at, _ := strings.Cut(clocks, " ")
			p.eval(`Date.now = () => Date.parse(` + encode(now) + `)`)
			if got := p.eval(`format.ago(` + encode(at) + `).replace(/\s/g, " ")`); got != want {
				t.Errorf("%s: at %s, %q is %q; want %q", language, now, at, got, want)
			}
		}
		// What "Dismiss" did has one word in each language.
		dismissed := map[string]string{"en-GB": "Dismissed", "de": "Verworfen", "fr": "Écarté"}[language]
		p.see(`document.querySelector(".tabs [data-status=ignored]")?.innerText`, dismissed+" 1")
		p.see(`document.querySelector(".row .status .tag")?.innerText`, dismissed)
	}
	p.checkFaults()
}

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
	p.see(`[...document.querySelectorAll("#help div")].filter(({innerText}) => /search field/.test(innerText))
		.map(({innerText}) => innerText.split(/\s/)[0]).join()`, "↓,Esc")
	p.click("#help .primary")
	p.enter("#search", "nowhere to be found")
	p.see(`document.querySelector(".foot .end").innerText`, "No matching flats")
	p.click(".chips .link")
	p.see(rowCount, "10")
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
		p.click(".views a:nth-child(2)")
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
		p.click(".views a")
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

// TestPageMarks tests that the marks follow the rules of the search.
func TestPageMarks(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "", 1280)
	p.load("words/marks")
	const text = "Straße am Łódź-Platz, sœur. Balkon, Balken; Küche, Kueche; deux pièces, deux belles pièces. " +
		"Not here, no Platz. " +
		"46 m² and more, or less"
	for query, want := range map[string]string{
		"balk*":               "Balkon|Balken",
		"kueche":              "Küche|Kueche",
		"Küch":                "Küche|Kueche",
		"kuech*":              "Küche|Kueche",
		`"deux kueche"`:       "Küche|Kueche|deux|deux",
		"balk":                "Balkon|Balken",
		"strasse lodz soeurs": "Straße|Łódź|sœur",
		`"deux pieces"`:       "deux|pièces|deux|pièces",
		"piece -studio":       "pièces|pièces",
		`sœur -"two words"`:   "sœur",
		"studio OR balkon":    "Balkon",
		"platz":               "Platz|Platz",
		"text:platz":          "Platz|Platz",
		"title:platz":         "",
		// Operators that join nothing are words.
		"balkon AND lift":      "Balkon",
		"balkon OR AND lift":   "Balkon",
		"studio OR NOT balkon": "",
		"NOT platz AND deux":   "deux|deux",
		"NOT -platz":           "Platz|Platz",
		"NOT NOT balkon":       "Balkon",
		"OR balkon":            "Balkon|or",
		"balkon AND":           "Balkon|and",
		"balkon NOT":           "Balkon|Not",
		"balkon AND -":         "Balkon|and",
		"balkon and OR lift":   "Balkon|and",
		`balkon "AND" text:OR`: "Balkon|and|or",
	} {
		script := fmt.Sprintf(`marks.marked(%s, "text", marks.matcher(%s)).flat(9)
			.filter((part) => part.nodeName === "MARK").map((mark) => mark.innerText).join("|")`,
			encode(text), encode(query))
		if got := p.eval(script); got != want {
			t.Errorf("%s marks %q; want %q", query, got, want)
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

// TestPageSweep tests that all new flats of the view are dismissed after a question, several at once, that they come
// back by one Undo, and that those which are not sent when the page closes are sent the next time.
func TestPageSweep(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := &tab{browser: openBrowser(t), t: t}
	network, url := newProxy(t, start(t, manyFlats(130)))
	p.url = url
	p.open("#/?cost=..1500&rooms=2..", 390)
	const sweep = `document.querySelector(".sweep").innerText.trim()`
	const sorted = `document.querySelector(".tabs [data-status=new] b").innerText`
	p.wait(`document.querySelector(".tabs [data-status=new] b")`)
	n := fmt.Sprint(p.eval(sorted))
	p.see(sweep, "Dismiss these "+n)
	// The whole button is in sight from the start, and however far the chips are scrolled.
	p.eval(`location.hash += "&area=10..&cost_per_area=..99"`)
	p.wait(`document.querySelectorAll(".chips .chip").length === 4`)
	const isWhole = `(({left, right, top}) => [left, right].every((x) =>
		document.elementFromPoint((x + (left + right) / 2) / 2, top + 10)?.matches(".sweep")) && left >= 0 &&
		right <= innerWidth)(document.querySelector(".sweep").getBoundingClientRect())`
	p.see(isWhole, "true")
	p.eval(`document.querySelector(".lines").scrollLeft = 120`)
	p.see(isWhole, "true")
	// A chip that gets the focus does not lie under it.
	p.eval(`document.querySelector(".lines").scrollLeft = 0`)
	p.eval(`document.querySelectorAll(".chips .chip")[1].focus()`)
	p.see(`document.activeElement.getBoundingClientRect().right <=
		document.querySelector(".sweep").getBoundingClientRect().left`, "true")
	p.eval(`location.hash = "#/?cost=..1500&rooms=2.."`)
	p.see(sweep, "Dismiss these "+n)
	// What comes in after the list is known has not been seen.
	p.load("lib/kept")
	p.wait("kept.kept.loaded.key")
	p.eval(`fetch("api/v1/import", {method: "POST", body: '[{"id": "late", "cost": 900, "rooms": 3}]'})`)
	p.eval(`window.confirm = (words) => { window.asked = words; return false; }`)
	p.click(".sweep")
	p.see("window.asked", "Dismiss "+n+" new flats?")
	p.eval(`window.confirm = () => true`)
	// hold makes the service's answers to changes wait until it is called the next time.
	var under, most atomic.Int32
	release := func() {}
	t.Cleanup(func() { release() })
	hold := func() {
		gate := make(chan struct{})
		release = sync.OnceFunc(func() { close(gate) })
		change := func(answer *http.Response) {
			if answer.Request.Method == "PATCH" {
				most.Store(max(most.Load(), under.Add(1)))
				<-gate
				under.Add(-1)
			}
		}
		network.change.Store(&change)
	}
	const unsent = `JSON.parse(localStorage["flats.waiting"] ?? "[]").length`
	const unsorted = `fetch("api/v1/find?any[status]=new&max[cost]=1500&min[rooms]=2&page[size]=1")
		.then((answer) => answer.json()).then(({total}) => total)`
	all := fmt.Sprint(p.eval(unsorted)) // with the one that came late

	// Undo is right while the changes are being sent, of which nobody sees how far they are.
	hold()
	p.click(".sweep")
	p.until(func() bool { return under.Load() == 4 }, func() string { return fmt.Sprint(under.Load()) })
	p.see(`document.querySelector(".notice p")?.innerText`, n+" flats: Dismissed")
	p.see(waits, "")
	p.see(`document.querySelector(".sweep").hidden`, "true")
	p.click(".notice button")
	p.see(`document.querySelector(".notice p")?.innerText`, "Undone")
	release()
	p.see(unsent, "0")
	p.see(unsorted, all)
	p.see(sweep, "Dismiss these "+all)
	p.see(sorted, all)
	p.see(`document.querySelector(".undo").hidden`, "true")
	if got := most.Load(); got != 4 {
		t.Errorf("the page sent %d changes at once; want 4", got)
	}

	// What was not sent when the page closed is sent the next time.
	p.reload()
	p.see(sweep, "Dismiss these "+all)
	p.wait(`document.querySelector(".row")`)
	p.eval(`window.confirm = () => true`)
	hold()
	p.click(".sweep")
	p.until(func() bool { return under.Load() == 4 }, func() string { return fmt.Sprint(under.Load()) })
	network.change.Store(nil)
	p.see(unsent, all)
	p.reload()
	release()
	p.see(unsent, "0")
	p.see(unsorted, "0")
	p.wait(`document.querySelector(".sweep")?.hidden`)
	p.eval(`location.hash = "#/?tab=shortlist&cost=..1500"`)
	p.wait(`document.querySelector(".sweep")?.hidden`)
	p.eval(`location.hash = "#/"`)
	p.wait(`!document.querySelector(".sweep")`)
	p.checkFaults()
}

// TestPageDecide tests that a decision in a row can be undone, and that a row
// that leaves the view passes the focus to the next one.
func TestPageDecide(t *testing.T) {
	t.Parallel()
	for _, width := range []int{1280, 390} {
		p := openTab(t, "", "#/?tab=new&sort=cost", width)
		p.see(rowCount, "5")
		first := fmt.Sprint(p.eval(firstRow))
		p.eval(`document.querySelector(".row button[data-status=ignored]").focus()`)
		p.key("Enter")
		p.see(rowCount, "4")
		p.see("document.activeElement.dataset.status + document.activeElement.closest('.row').matches(':first-child')",
			"ignoredtrue")
		p.see(`document.querySelector(".notice p").innerText.endsWith(": Dismissed")`, "true")
		if got := p.flat(first, "status"); got != "ignored" {
			t.Errorf("status after Dismiss = %s; want ignored", got)
		}
		p.see(`document.querySelector(".tabs [data-status=ignored] b").innerText`, "3")
		p.click(".notice button")
		p.see(firstRow, first)
		p.see(`document.querySelector(".notice p").innerText`, "Undone")
		if got := p.flat(first, "status"); got != "new" {
			t.Errorf("status after Undo = %s; want new", got)
		}
		p.eval(`document.querySelector(".row h2 a").focus()`)
		p.press("2")
		p.see(`document.querySelector(".row .rating")?.innerText`, "★ 2")
		p.press("0")
		p.see(`document.querySelector(".row").querySelector(".rating") === null`, "true")
		if got := p.flat(first, "notation"); got != "<nil>" {
			t.Errorf("rating after 0 = %s; want none", got)
		}
		// j goes to the next flat; f follows it, and it leaves the view.
		p.press("j")
		second := fmt.Sprint(p.eval("document.activeElement.closest('.row').dataset.id"))
		p.press("f")
		p.see(rowCount, "4")
		if got := p.flat(second, "status"); got != "followed" {
			t.Errorf("status after f = %s; want followed", got)
		}
		p.press("u")
		p.see(rowCount, "5")
		// "Undone" offers nothing; the bar takes back what was decided before.
		p.see(`document.querySelector(".notice")?.innerText.replace(/\s+/g, " ")`, "Undone ×")
		p.see(`document.querySelector(".undo").hidden`, "false")
		// To follow a contacted flat would be a step back.
		p.eval(`location.hash = "#/?tab=is:contacted"`)
		p.wait(`document.querySelector(".row[data-status=contacted]")`)
		p.see(`document.querySelector(".row [data-status=followed]").getAttribute("aria-disabled")`, "true")
		third := fmt.Sprint(p.eval(firstRow))
		p.click(".row button[data-status=followed]")
		p.wait(`/: Contacted$/.test(document.querySelector(".notice p")?.innerText)`)
		if got := p.flat(third, "status"); got != "contacted" {
			t.Errorf("status after Follow = %s; want contacted", got)
		}
		p.eval(`location.hash = "#/?tab=new&sort=cost"`)
		p.see(firstRow, first)
		p.see(`[...document.querySelectorAll(".row")].map((row) => row.dataset.id).indexOf(`+encode(second)+`)`, "1")
		p.checkFaults()
	}
}

// TestPageNotices tests that the notice of a failure stays until it is closed,
// and that other notices leave, but not while they have the focus.
func TestPageNotices(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, "", 1280)
	// An Undo outlives its view.
	p.click(".row button[data-status=ignored]")
	p.wait(`document.querySelector(".notice")`)
	p.click(".views a:nth-child(3)")
	p.wait(`document.querySelector(".visits h1")`)
	p.click(".notice button")
	p.see(`document.querySelector(".notice p")?.innerText`, "Undone")
	p.eval(`location.hash = "#/"`)
	p.reload()
	p.see(rowCount, "10")
	// So does an Undo from the view of a flat, and the row returns to its place.
	second := fmt.Sprint(p.eval(`document.querySelectorAll(".row")[1].dataset.id`))
	p.click(".row:nth-child(2) a")
	p.click(".own [data-status=ignored]")
	p.wait(`document.querySelector(".notice button")`)
	p.eval("history.back()")
	p.see(rowCount, "9")
	p.see(`document.activeElement.closest(".row") === document.querySelectorAll(".row")[1]`, "true")
	p.click(".notice button")
	p.see(`document.querySelectorAll(".row")[1].dataset.id`, second)
	p.see(rowCount, "10")
	p.click(".row button[data-status=followed]")
	p.see(`document.querySelectorAll(".notice button").length`, "2")
	p.eval("pass(9)")
	p.see(`document.querySelectorAll(".notice button").length`, "2")
	p.eval("pass(1)")
	p.see(`document.querySelectorAll(".notice").length`, "0")
	p.click(".row button[data-status=ignored]")
	p.wait(`document.querySelector(".notice button")`)
	p.eval(`document.querySelector(".notice button").focus()`)
	p.eval("pass(15)")
	p.see(`document.activeElement.innerText`, "Undo")
	p.key("Enter")
	p.see(rowCount, "10")
	refuse := func(answer *http.Response) {
		if answer.Request.Method == "PATCH" {
			answer.StatusCode = 500
			setBody(answer, strings.NewReader(`{"error": "the disk is full"}`))
		}
	}
	network.change.Store(&refuse)
	p.click(".row button[data-status=ignored]")
	p.see(`document.querySelector("[role=alert] p")?.innerText.replace(/^.*: D/, "D")`,
		"Dismissed. That did not work: the disk is full")
	p.eval("pass(15)")
	// A failure leaves once the flat is decided on again, since to try it again would undo that; others stay.
	p.click(".row:nth-child(2) [data-status=followed]")
	p.see(`document.querySelectorAll("[role=alert]").length`, "2")
	network.change.Store(nil)
	p.click(".row:nth-child(2) [data-status=followed]")
	p.wait(`document.querySelector(".notice[role=status]")`)
	p.see(`[...document.querySelectorAll("[role=alert] p")].map(({innerText}) => /: (\w+)\./.exec(innerText)[1]).join()`,
		"Dismissed")
	p.click("[role=alert] button")
	p.see(`[...document.querySelectorAll(".notice")].map((notice) => notice.role).join()`, "status")
	p.see(rowCount, "9")
	// They hide none of the buttons of Add on a phone, wherever it is scrolled to.
	p.resize(390)
	p.do("Emulation.setEmulatedMedia", object{"features": []object{{"name": "pointer", "value": "coarse"}}})
	p.do("Emulation.setTouchEmulationEnabled", object{"enabled": true})
	p.goTo("#/add", ".decision")
	p.load("parts/notice")
	p.eval(`notice.tell("Without a network. ".repeat(9), {error: true})`)
	for _, top := range []string{"0", "document.body.scrollHeight"} {
		p.eval("scrollTo(0, " + top + ")")
		p.see(`document.querySelector(".notice").getBoundingClientRect().bottom <
			document.querySelector(".decision").getBoundingClientRect().top`, "true")
	}
	p.checkFaults()
}

// TestPageRoom tests that prices of eight digits fit at each width, that six
// cards fit on a phone, and that what floats at the bottom does not overlap.
func TestPageRoom(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []string
	for i := range 20 {
		flats = append(flats, fmt.Sprintf(`{"id": "%d@site", "title": "Villa %[1]d", "cost": %d, "currency": "DKK",
			"area": 212, "rooms": 12,
			"location": "Charlottenlund", "service_time_to": {"harbour": {"time": 1200}}}`, i, 1500000*(i+1)))
	}
	p := openTab(t, "["+strings.Join(flats, ",")+"]", "#/?cost=1000000..30000000&sort=cost", 1280)
	for _, width := range []int{1280, 1200, 900} {
		p.resize(width)
		p.see(`document.querySelectorAll("td.cost").length`, "20")
		p.see(`[...document.querySelectorAll("td:is(.cost, .cost_per_area)")].filter((cell) => {
			const text = document.createRange();
			text.selectNodeContents(cell);
			const lines = new Set([...text.getClientRects()].map(({top}) => top));
			return lines.size > 1 || text.getBoundingClientRect().right > cell.getBoundingClientRect().right;
		}).length`, "0")
		p.see(`document.querySelector("td.title").offsetWidth > 150`, "true")
	}
	p.resize(390)
	p.see(`[...document.querySelectorAll(".rows .row")]
		.filter((row) => row.getBoundingClientRect().bottom < innerHeight).length`, "6")
	p.click(".toggle")
	p.see(`[...document.querySelectorAll(".range input")]
		.filter((input) => input.value && input.scrollWidth > input.clientWidth).length`, "0")
	p.click(".toggle")
	p.eval(`window.firstTop = document.querySelector(".row").getBoundingClientRect().top`)
	p.eval(`fetch("api/v1/flat/1%40site", {method: "PATCH", body: '{"rooms": 2}'})`)
	p.wait(`document.dispatchEvent(new Event("visibilitychange")) && document.querySelector("#fresh button")`)
	// News stand under the bar, in the accent, and move nothing.
	p.see(`(({top}) => top - document.querySelector("#bar").getBoundingClientRect().bottom)(
		document.querySelector("#fresh button").getBoundingClientRect())`, "4")
	p.see(`(({backgroundColor}) => backgroundColor)(getComputedStyle(document.querySelector("#fresh button"))) ===
		(({backgroundColor}) => backgroundColor)(getComputedStyle(document.querySelector(".badge")))`, "true")
	p.see(`document.querySelector(".row").getBoundingClientRect().top === firstTop`, "true")
	// Notices and bars at the bottom lie above one another.
	const piled = `(() => {
		const all = [...document.querySelectorAll("#fresh button, #chosen, .notice, .bar")]
			.map((element) => element.getBoundingClientRect());
		all.sort((a, b) => a.top - b.top);
		return all.length + " " + all.slice(1).every(({top}, i) => top >= all[i].bottom);
	})()`
	p.click(".row .compare")
	p.click(".row [data-status=followed]")
	p.see(piled, "3 true")
	p.click(".row a")
	p.click(".own [data-status=contacted]")
	p.see(piled, "3 true")
	p.checkFaults()
}

// TestPageWhole tests that ten rows of the table and six cards of a phone are in sight below chips and saved
// searches, that two tags stand in one line, and how long ago a flat was contacted.
func TestPageWhole(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []string
	for i := range 20 {
		flats = append(flats, fmt.Sprintf(`{"id": "%d@site", "title": "A bright flat with a long title, number %[1]d",
			"cost": 850, "currency": "EUR", "area": 62, "rooms": 2, "location": "Friedrichshain", "status": %q,
			"status_since": %q, "service_time_to": {"office": {"time": 1200}}, "photos": ["https://127.0.0.1:1/%[1]d"],
			"cost_history": [{"date": null, "cost": 900}, {"date": "2026-11-03T10:00:00Z", "cost": 850}]}`, i,
			[]string{"contacted", "new"}[min(i, 1)], time.Now().Add(-125*time.Hour).UTC().Format(time.RFC3339)))
	}
	p := openTab(t, "["+strings.Join(flats, ",")+"]", "#/?cost=..1200&area=20..&sort=-title", 1280)
	p.wait(`document.querySelector(".row")`)
	p.eval(`localStorage["flats.searches"] = '[{"name": "Two rooms", "hash": "#/?rooms=2..", "opened": "2026-01-01"}]'`)
	p.reload()
	for _, size := range [][3]int{{1280, 900, 10}, {390, 844, 6}} {
		p.do("Emulation.setDeviceMetricsOverride",
			object{"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size[0] < 900})
		p.see(`document.querySelectorAll(".row:has(.tag + .tag)").length`, "20")
		p.wait(fmt.Sprintf(`[...document.querySelectorAll(".row")]
			.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length >= %d`, size[2]))
		p.see(`[...document.querySelectorAll(".tags .tag")].filter((tag) => tag.scrollWidth > tag.clientWidth).length`, "0")
		p.see(`new Set([...document.querySelectorAll(".row:first-child .tags .tag")].map((tag) => tag.offsetTop)).size`, "1")
		p.see(`document.querySelector("[data-id='0@site'] .status .tag")?.textContent.replace(/\s/g, " ")`,
			"Contacted · 5 days")
	}
	p.checkFaults()
}

// TestPageOverruled tests that a decision on a row says what it replaces, also where the page has asked for numbers
// since: what it was told then, nobody has seen. The notice stays in sight when others follow, until its decision is
// undone, and so does that of Triage, which comes after the decision.
func TestPageOverruled(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const notices = `[...document.querySelectorAll(".notice p")].map(({innerText}) => innerText).join("|")`
	const replaced = "Bright one-bedroom on the Croix-Rousse plateau: Dismissed. " +
		"This replaced a decision made elsewhere: Contacted"
	const apart = `(([first, last]) => first.bottom <= last.top && last.bottom <= innerHeight)(
		[...document.querySelectorAll(".notice")].map((notice) => notice.getBoundingClientRect()))`
	for _, width := range []int{1280, 390} {
		p := openTab(t, "", "", width)
		p.see(`document.querySelector(".row")?.dataset.id`, "lyon-1051@example")
		p.eval(`fetch("api/v1/flat/lyon-1051%40example", {method: "PATCH", body: '{"status": "contacted"}'})`)
		p.click(".row:nth-child(2) [data-status=followed]")
		p.see(`document.querySelector(".tabs [data-status=contacted]").innerText`, "Contacted 3")
		p.click(".row:first-child [data-status=ignored]")
		p.see(notices, replaced)
		next := fmt.Sprint(p.eval(`document.querySelector(".row h2 a").innerText`))
		p.click(".row:first-child [data-status=ignored]")
		p.see(notices, replaced+"|"+next+": Dismissed")
		p.see(apart, "true")
		p.press("u")
		p.see(notices, replaced+"|Undone")
		p.press("u")
		p.see(notices, "Undone")
		p.see(`fetch("api/v1/flats/lyon-1051%40example").then((answer) => answer.json()).then(({data}) => data.status)`,
			"contacted")
		p.checkFaults()
	}
	p := openTab(t, "", "#/triage", 390)
	// A card is replaced if Triage learns that it was decided on elsewhere before anybody can have seen it.
	p.wait(`performance.getEntriesByType("resource").some(({name}) => /any%5Bid%5D.*fields=status/.test(name))`)
	id := fmt.Sprint(p.eval(`document.querySelector(".card h2 a").hash.slice("#/flat/".length)`))
	p.eval(`fetch("api/v1/flat/` + id + `", {method: "PATCH", body: '{"status": "contacted"}'})`)
	p.press("x")
	p.see(`document.querySelector(".card h2 a").hash.slice("#/flat/".length) !== `+encode(id), "true")
	p.wait(`/elsewhere: Contacted$/.test(` + notices + `)`)
	p.press("f")
	p.wait(`/elsewhere: Contacted\|.*: Followed$/.test(` + notices + `)`)
	p.see(apart, "true")
	p.see(`[...document.querySelectorAll(".decide button")].every((button) => !middleOf(button).cover)`, "true")
	p.checkFaults()
}

// TestPageUndoOverruled tests that an Undo that replaces what was decided elsewhere since says so, also where the page
// has learned of that, and that its own Undo restores it, in a row, in a flat, in Triage, and for each field. Without a
// network it is a question.
func TestPageUndoOverruled(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openPeople(t, "Ann", "#/?tab=new", 1280)
	decide := func(id, by, change string) {
		t.Helper()
		request, err := http.NewRequest("PATCH", network.target.Load().String()+"/api/v1/flat/"+id+"?by="+by,
			strings.NewReader(change))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil || answer.StatusCode != 200 {
			t.Fatal(answer, err)
		}
		answer.Body.Close()
	}
	const notice = `document.querySelector(".notice p")?.innerText`
	const overruled = "Undone. This replaced a decision made elsewhere: "
	both := func(id string) string {
		return found(id, "status") + ".then((status) => " + found(id, "status_by") + ".then((by) => status + by))"
	}

	// In a row
	p.click(".row[data-id=d] [data-status=followed]")
	p.see(notice, "Den: Followed")
	decide("d", "Ben", `{"status": "contacted"}`)
	p.press("u")
	p.see(notice, overruled+"Contacted by Ben")
	p.see(found("d", "status"), `"new"`)
	p.click(".notice button")
	p.see(notice, "Undone")
	p.see(both("d"), `"contacted""Ben"`)
	p.see(`document.querySelector("#bar .undo").hidden`, "true")

	// In a flat: a visit, and a rating by the same person on another device
	p.goTo("#/flat/c", ".own .stars")
	p.enter("#visit", "2031-12-08T10:00")
	p.see(notice, "Castle: Visit Mon, 8 Dec 2031, 10:00")
	decide("c", "Ben", `{"visit_date": "2031-12-09T11:00"}`)
	p.press("u")
	p.see(notice, overruled+"Visit Tue, 9 Dec 2031, 11:00")
	p.press("u")
	p.see(notice, "Undone")
	p.seeFlat("c", "visit_date", "2031-12-09T11:00")
	p.press("4")
	p.see(notice, "Castle: Rating ★ 4")
	decide("c", "Ann", `{"rating": 2}`)
	p.press("u")
	p.see(notice, overruled+"Rating ★ 2")
	p.press("u")
	p.see(notice, "Undone")
	p.see(found("c", "ratings"), `{"Ann":2,"Ben":1}`)

	// In Triage, where the page has asked for the flat since
	p.goTo("#/triage", ".card h2 a")
	p.press("f")
	p.see(notice, "Elm: Followed")
	p.see(both("e"), `"followed""Ann"`)
	p.see(waits, "")
	decide("e", "Ben", `{"status": "visited"}`)
	p.goTo("#/flat/e", ".own [data-status=visited][aria-pressed=true]")
	p.press("u")
	p.see(notice, "Elm: "+overruled+"Visited by Ben")
	p.see(found("e", "status"), `"new"`)
	p.press("u")
	p.see(notice, "Undone")
	p.see(both("e"), `"visited""Ben"`)

	// Without a network
	p.goTo("#/flat/d", ".own .stars")
	p.click(".own .statuses [data-status=followed]")
	p.see(notice, "Den: Followed")
	decide("d", "Ben", `{"status": "visited"}`)
	network.down.Store(true)
	p.press("u")
	p.see(waits, "1 change waits")
	network.down.Store(false)
	p.see(`[...document.querySelectorAll(".questions dd")].map(({innerText}) => innerText).join()`,
		"Contacted,Visited by Ben")
	p.click(".questions button:last-child")
	p.see(waits, "")
	p.see(both("d"), `"visited""Ben"`)
	p.checkFaults()
}

// TestPageTable tests that at least ten rows of the table are in sight on a
// laptop, that photos are large enough to see a room, and that columns in which
// no row has anything leave their room to the titles.
func TestPageTable(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.do("Emulation.setDeviceMetricsOverride",
		object{"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": false})
	p.see(`[...document.querySelectorAll("tbody .row")]
		.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length`, "10")
	p.see(`[...new Set([...document.querySelectorAll("td .photo")]
		.map(({offsetWidth: width, offsetHeight: height}) => width + " × " + height))].join()`, "72 × 48")
	p.see(`[...new Set([...document.querySelectorAll("td:is(.cost, .cost_per_area, .area, .rooms, .notation)")]
		.map((cell) => getComputedStyle(cell).textAlign))].join()`, "right")
	p.see(`document.querySelector("th.title").offsetWidth >= 300`, "true") // the date of a visit takes one line
	p.see(`[...document.querySelectorAll("td.status")].some(({innerText}) => /New/.test(innerText))`, "false")
	// A title that is cut has a tooltip.
	p.see(`(() => {
		const links = [...document.querySelectorAll("h2 a")];
		for (const link of links) link.dispatchEvent(new MouseEvent("mouseover", {bubbles: true}));
		return links.filter((link) => (link.scrollWidth > link.clientWidth) !== (link.title === link.innerText)).length;
	})()`, "0")
	p.see(`document.querySelector("h2 a[title^=Bright]").title`, "Bright one-bedroom on the Croix-Rousse plateau")
	// The buttons of a row name its flat, and words are not broken within.
	p.see(`[...document.querySelectorAll("td.actions button")].slice(0, 3).map(({ariaLabel}) => ariaLabel).join("|")`,
		"Follow: Bright one-bedroom on the Croix-Rousse plateau|Dismiss: Bright one-bedroom on the Croix-Rousse plateau|"+
			"Compare: Bright one-bedroom on the Croix-Rousse plateau")
	const columns = `[...document.querySelectorAll("th")].filter((head) => head.offsetWidth)
		.map((head) => head.className).join()`
	p.see(columns, "picture,title,cost,cost_per_area,area,rooms,travel_time,since,status,notation,actions")
	p.eval(`location.hash = "#/?tab=new&cost=..800"`)
	p.see(rowCount, "3")
	p.see(columns, "picture,title,cost,cost_per_area,area,rooms,travel_time,since,actions")
	p.see(`document.querySelector("th.title").offsetWidth >= 500`, "true")
	p.eval(`document.querySelector(".row a").focus()`)
	p.press("4")
	p.see(columns, "picture,title,cost,cost_per_area,area,rooms,travel_time,since,notation,actions")
	p.see(column("notation", 1), "★ 4")
	// A status has room for its longest word, also where nothing else is in its column.
	p.eval(`location.hash = "#/?tab=is:followed&visit=no"`)
	p.see(rowCount, "1")
	p.see(`document.querySelector(".status .tag").offsetHeight`, "20")
	p.resize(390)
	p.eval(`location.hash = "#/"`)
	p.see(rowCount, "10")
	p.see(`[...document.querySelectorAll(".rows .row")]
		.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length >= 6`, "true")
	p.checkFaults()
}

// TestPageCards tests the cards of a phone: at most 100 pixels high with all that they can have, six whole ones in
// sight, the first one near the top below filters and saved views, buttons beside the facts.
func TestPageCards(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []string
	for i := range 20 {
		flats = append(flats, fmt.Sprintf(`{"id": "%d@site", "title": "A bright flat with a long title, number %[1]d",
			"cost": %d, "currency": "DKK", "area": 62, "rooms": 2, "location": "Friedrichshain", "status": %q,
			"notation": 4, "visit_date": "2031-12-01T18:00:00", "service_time_to": {"gym": {"time": 1200}},
			"photos": ["https://127.0.0.1:1/%[1]d"], "gone": "2026-11-03T10:00:00Z",
			"cost_history": [{"date": null, "cost": 9000000}, {"date": "2026-11-03T10:00:00Z", "cost": 8500000}]}`,
			i, 8500000+i, []string{"contacted", "followed"}[i%2]))
	}
	p := openTab(t, "["+strings.Join(flats, ",")+"]", "#/?tab=shortlist&cost=..9000000&area=20..&rooms=1..", 390)
	p.do("Emulation.setDeviceMetricsOverride",
		object{"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true})
	p.eval(`fetch("api/v1/views/Two", {method: "PUT", body: '{"query": "min[rooms]=2"}'})`)
	p.reload()
	p.wait(`document.querySelector(".saved .chip")`)
	p.wait(`document.querySelectorAll(".row .tag").length >= 80`)
	p.see(`[...document.querySelectorAll(".row")].filter(({offsetHeight}) => offsetHeight > 100).length`, "0")
	p.see(`[...document.querySelectorAll(".row")].filter((row) => {
		const [status, visit] = row.querySelectorAll(".status .tag, .tags .tag:first-child");
		return !visit || visit.getBoundingClientRect().top - status.getBoundingClientRect().bottom < 2;
	}).length`, "0") // the tags of both lines are apart
	p.see(`[...document.querySelectorAll(".row .tags .tag:first-child")]
		.filter((visit) => visit.scrollWidth > visit.clientWidth || !visit.textContent.includes("2031")).length`, "0")
	p.see(`document.querySelector(".row").getBoundingClientRect().top <= 200`, "true")
	const whole = `[...document.querySelectorAll(".row")]
		.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length`
	p.see(whole, "6")
	p.see(`(() => {
		const row = document.querySelector(".row");
		const known = row.querySelector(".known").getBoundingClientRect();
		return [...row.querySelectorAll(".actions button")].map((button) => {
			const {width, height, left, top, bottom} = button.getBoundingClientRect();
			const isBeside = top < known.bottom && bottom > known.top;
			return [width, height, isBeside, button.ariaLabel.split(":")[0]].join(" ");
		}).join();
	})()`, "44 44 true Follow,44 44 true Dismiss,44 44 true Compare")
	// Cost, area, rooms and minutes are whole.
	p.see(`[...document.querySelectorAll(".row:first-child .known > div > *")]
		.filter((fact) => fact.checkVisibility() && fact.innerText).map((fact) => {
			const words = document.createRange();
			words.selectNodeContents(fact.firstChild);
			const isWhole = words.getBoundingClientRect().right <= fact.getBoundingClientRect().right + 0.5;
			return isWhole ? words.toString().trim().replace(/\s/g, " ") : fact.className;
		}).join()`, "DKK 8,500,000,62 m²,2 rooms,20 min")
	p.resize(320)
	p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
	p.see(`[...document.querySelectorAll(".row")].filter(({offsetHeight}) => offsetHeight > 100).length`, "0")
	p.checkFaults()
	// A photo that does not load leaves no box, and nothing moves. A flat without photos has no box either.
	for _, width := range []int{390, 1280} {
		p := openTab(t, `[{"id": 1, "title": "One", "photos": ["https://127.0.0.1:1/x"]}, {"id": 2, "title": "Two"}]`,
			"", width)
		p.wait(`document.querySelectorAll(".row .gap").length === 2`)
		p.see(`[...new Set([...document.querySelectorAll(".row .gap")].map((gap) => [gap.offsetWidth,
			getComputedStyle(gap).backgroundColor].join(" ")))].join()`,
			map[int]string{390: "48", 1280: "72"}[width]+" rgba(0, 0, 0, 0)")
	}
	// Where no flat has a photo, no place is kept for one.
	for _, width := range []int{390, 1280} {
		for photos, want := range map[string]string{"": "false", `, "photos": ["https://127.0.0.1:1/x"]`: "true"} {
			p := openTab(t, `[{"id": 1, "title": "One"`+photos+`}, {"id": 2, "title": "Two"}]`, "", width)
			p.see(rowCount, "2")
			p.see(`[...document.querySelectorAll(".row .picture")].some((place) => place.checkVisibility())`, want)
		}
	}
}

// TestPageAligned tests that the heads of the table stand over their columns to the pixel, that the row of the keyboard
// is tinted, and that a pressed × looks as a pressed ♥.
func TestPageAligned(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/?tab=all", 1280)
	for _, width := range []int{1280, 1200, 900} {
		p.resize(width)
		for _, sort := range []string{"cost", "-cost_per_area", "area", "-rooms", "travel_time", "-first_seen", "-notation",
			"title"} {
			p.eval("location.hash = " + encode("#/?tab=all&sort="+sort))
			column := strings.Replace(strings.TrimPrefix(sort, "-"), "first_seen", "since", 1)
			p.wait(`document.querySelector("th.` + column + `[aria-sort]") && ` + rowCount + ` === 15`)
			p.see(`(() => {
				const words = (element) => {
					const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
					const text = walk.nextNode();
					if (!text) return null;
					const range = document.createRange();
					range.selectNodeContents(text);
					return range.getBoundingClientRect();
				};
				const wrong = [];
				for (const head of document.querySelectorAll("th:not(.picture, .actions)")) {
					const isLeft = ["title", "since", "status"].includes(head.className);
					const edge = (element) => words(element)?.[isLeft ? "left" : "right"];
					for (const cell of document.querySelectorAll("td." + head.className)) {
						const off = edge(cell) - edge(head);
						if (Math.abs(off) > 0.5) wrong.push(head.className + " " + off);
					}
				}
				return [...new Set(wrong)].join();
			})()`, "")
		}
	}
	const ground = `((selector) => getComputedStyle(document.querySelector(selector)).backgroundColor)`
	p.eval(`document.querySelector(".row a").focus()`)
	p.press("j")
	p.see(ground+`(".row:nth-child(2)") === `+ground+`(".row:nth-child(3)")`, "false")
	p.see(ground+`(".row:nth-child(1)") === `+ground+`(".row:nth-child(3)")`, "true")
	const look = `((status) => {
		const probe = document.body.appendChild(document.createElement("i"));
		const {color, backgroundColor} = getComputedStyle(document.querySelector(
			".row[data-status=" + status + "] .actions [data-status=" + status + "]"));
		const colours = ["var(--on)", "var(--" + {followed: "follow", ignored: "dismiss"}[status] + ")"].map((value) => {
			probe.style.color = value;
			return getComputedStyle(probe).color;
		});
		probe.remove();
		return [color, backgroundColor].join() === colours.join();
	})`
	p.see(look+`("followed") + " " + `+look+`("ignored")`, "true true")
	// A time of day is in one line, and so is a visit; no row is taller than its photo needs.
	p.do("Emulation.setUserAgentOverride", object{"userAgent": "test", "acceptLanguage": "en-US"})
	p.eval(`location.hash = "#/?tab=all"`)
	p.reload()
	for _, width := range []int{1280, 1440} {
		p.resize(width)
		p.see(rowCount, "15")
		p.see(`document.querySelectorAll("td.status small").length > 2`, "true")
		p.see(`[...document.querySelectorAll("td.since time, td.status small")].filter(({firstChild: words}) => {
			const at = /\d+:\d+\s[AP]M/.exec(words.data)?.index;
			const range = document.createRange();
			range.setStart(words, words.parentNode.nodeName === "TIME" ? at ?? 0 : 0);
			range.setEnd(words, words.length);
			return new Set([...range.getClientRects()].map(({top}) => top)).size > 1;
		}).map(({innerText}) => innerText).join()`, "")
		p.see(`Math.max(...[...document.querySelectorAll(".row")].map(({offsetHeight}) => offsetHeight))`, "57")
	}
	p.checkFaults()
}

// TestPageLines tests that what belongs together stands in line: the numbers of a row of the narrow table with its
// title and its place, the button that edits the facts with them, the columns of both tables of prices, the first week
// with its chart, and the facts of flats that are probably one home.
func TestPageLines(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 900)
	p.bring(`[{"id": "x", "title": "X", "phone": "0198", "cost": 700, "currency": "EUR", "area": 40, "location": "Ost",
		"photos": ["https://127.0.0.1:1/x"]},
		{"id": "y", "title": "A title that needs several lines, because it says all that the listing has to say",
			"phone": "0198", "cost": 700, "currency": "EUR", "area": 40, "location": "Ost", "notes": "Loud."}]`)
	p.eval(`window.lineOf = (element) => { // where the line is on which its text stands
		const probe = document.createElement("i");
		probe.style.display = "inline-block";
		element.prepend(probe);
		const {bottom} = probe.getBoundingClientRect();
		probe.remove();
		return bottom;
	}`)
	p.wait(`document.querySelector(".flats .row")`)
	p.see(`[...document.querySelectorAll(".flats .row")].filter((row) => {
		const off = (cell, text) => Math.abs(lineOf(row.querySelector(cell)) - lineOf(row.querySelector(text)));
		return off(".cost", "h2 a") > 2 || off(".area", "h2 a") > 2 || off(".cost_per_area", "p") > 2 ||
			off(".rooms", "p") > 2;
	}).length`, "0")
	for _, width := range []int{1280, 390} {
		p.resize(width)
		p.eval(`location.hash = "#/flat/lyon-1042%40example"`)
		p.wait(`document.querySelector(".edit")`)
		p.see(`(() => {
			const [edit, cost] = [".edit", ".what .cost"].map((part) => {
				const words = document.createRange();
				words.selectNodeContents(document.querySelector(part).firstChild);
				const {top, bottom} = words.getBoundingClientRect();
				return (top + bottom) / 2;
			});
			return Math.abs(edit - cost) < 4;
		})()`, "true")
		p.eval(`location.hash = "#/duplicates"`)
		p.wait(`document.querySelectorAll(".homes > li").length === 2`)
		p.see(`["img, .photo", ".facts", "p.soft", "li > label"].filter((part) => {
			const tops = [...document.querySelectorAll(".homes > li")].map((home) =>
				home.querySelector(part).getBoundingClientRect().top);
			return tops[0] !== tops[1];
		}).join()`, "")
		p.eval(`location.hash = "#/prices"`)
		p.wait(`document.querySelector(".bars")`)
		p.see(`(() => {
			const tables = [...document.querySelectorAll(".prices table")];
			const edges = tables.map((table) => [...table.querySelectorAll("thead th")].map((head) =>
				Math.round(head.getBoundingClientRect().right)).join());
			return [tables.length, new Set(edges).size].join();
		})()`, "2,1")
		p.see(`(() => {
			const {left} = document.querySelector(".bars").getBoundingClientRect();
			const parts = [...document.querySelectorAll(".bars *")];
			return parts.every((part) => part.getBoundingClientRect().left >= left - 1);
		})()`, "true")
	}
	p.checkFaults()
}

// TestPageApart tests that what the page says of the network, and what waits for it, keeps its distance from the view.
func TestPageApart(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.eval(`localStorage["flats.waiting"] = JSON.stringify([
		{key: 1, id: "4711", name: "notation", was: null, set: 2, theirs: 4, title: "Loft"}])`)
	p.reload()
	for _, hash := range []string{"#/", "#/flat/4711", "#/visits", "#/map"} {
		p.eval("location.hash = " + encode(hash))
		p.wait(`document.querySelector("#waiting button") && document.querySelector("main h1")`)
		for _, width := range []int{1280, 390} {
			p.resize(width)
			p.see(`(() => {
				const [bar, waits, view] = ["#bar", "#waiting", "main"].map((part) =>
					document.querySelector(part).getBoundingClientRect());
				return [waits.top - bar.bottom >= 8, view.top - waits.bottom >= 8].join();
			})()`, "true,true")
		}
	}
	p.checkFaults()
}

// TestPageBoxes tests that empty boxes look as empty fields do, in the dark, too.
func TestPageBoxes(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": 1, "title": "One", "phone": "0198", "cost": 700, "area": 40, "location": "Ost"},
		{"id": 2, "title": "Two", "phone": "0198", "cost": 700, "area": 40, "location": "Ost"}]`, "#/duplicates", 390)
	p.wait(`document.querySelectorAll(".homes [type=radio]").length === 2`)
	p.eval(`document.querySelectorAll(".homes input").forEach((box) => (box.checked = false))`)
	for _, scheme := range []string{"light", "dark"} {
		p.do("Emulation.setEmulatedMedia", object{"features": []object{{"name": "prefers-color-scheme", "value": scheme}}})
		p.see(`[...document.querySelectorAll(".homes > li:first-child input")].map((box) => {
			const probe = document.body.appendChild(document.createElement("input"));
			const looks = [box, probe].map((element) => {
				const {appearance, backgroundColor, borderTopColor} = getComputedStyle(element);
				return [element === box ? appearance : "none", backgroundColor, borderTopColor].join(" ");
			});
			probe.remove();
			return [box.type, looks[0] === looks[1], box.offsetWidth, box.offsetHeight].join(" ");
		}).join()`, "checkbox true 24 24,radio true 24 24")
	}
	p.checkFaults()
}

// TestPageContrast tests that edges of fields and what is drawn are told apart from what lies behind them by 3:1, light
// and dark (WCAG 2.2, 1.4.11). Contrasts of text are those of TestPageAxe.
func TestPageContrast(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.eval(`{
		const canvas = Object.assign(document.createElement("canvas"), {width: 1, height: 1});
		const pen = canvas.getContext("2d", {willReadFrequently: true});
		const paint = (fillStyle, globalAlpha) => Object.assign(pen, {fillStyle, globalAlpha}).fillRect(0, 0, 1, 1);
		const linear = (part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
		const light = () => {
			const [red, green, blue] = [...pen.getImageData(0, 0, 1, 1).data].map((part) => linear(part / 255));
			return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
		};
		window.contrast = (element, property) => {
			const around = [];
			for (let outer = element; outer; outer = outer.parentElement) around.unshift(getComputedStyle(outer));
			const own = around.at(-1)[property];
			for (const {backgroundColor} of around.slice(0, -1)) paint(backgroundColor, 1);
			const behind = light();
			paint(own, around.reduce((alpha, {opacity}) => alpha * opacity, 1));
			return Math.max(light(), behind) / Math.min(light(), behind);
		};
	}`)
	p.click(".toggle")
	for _, view := range []struct{ hash, part, property string }{
		{"#/", ".panel .range", "borderTopColor"},
		{"#/", ".panel label:has(select)", "borderTopColor"},
		{"#/", ".panel [type=checkbox]", "borderTopColor"},
		{"#/", "#search", "borderTopColor"},
		{"#/flat/4711", ".own textarea", "borderTopColor"},
		{"#/flat/4711", ".stars button", "color"},
		{"#/flat/4711", ".strip [aria-current]", "borderTopColor"},
		{"#/map", ".circle circle:not(.reach)", "fill"},
		{"#/map", ".marker", "fill"},
		{"#/prices", ".scatter circle:not(.reach)", "fill"},
		{"#/prices", ".bars rect", "fill"},
		{"#/import", ".drop", "borderTopColor"},
	} {
		p.eval("location.hash = " + encode(view.hash))
		p.wait("document.querySelector(" + encode("main "+view.part) + ")")
		for _, scheme := range []string{"light", "dark"} {
			p.do("Emulation.setEmulatedMedia", object{"features": []object{{"name": "prefers-color-scheme", "value": scheme}}})
			p.see(fmt.Sprintf(`Math.min(...[...document.querySelectorAll(%s)].map((part) => contrast(part, %q))) >= 3 ||
				[...document.querySelectorAll(%[1]s)].map((part) => contrast(part, %[2]q)).join()`,
				encode("main "+view.part), view.property), "true")
		}
	}
	p.checkFaults()
}

// TestPageColours tests that what is chosen is filled with the colour of what it
// decides, in a row as on the flat's page, light and dark.
func TestPageColours(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 390)
	// look returns the letters' and the ground's colour of a button, by the names of the colours.
	const look = `(selector) => {
		const probe = document.body.appendChild(document.createElement("i"));
		const name = (value) => ["--follow", "--dismiss", "--accent", "--on", "--ink"].find((name) => {
			probe.style.color = "var(" + name + ")";
			return getComputedStyle(probe).color === value;
		}) ?? "other";
		const {color, backgroundColor} = getComputedStyle(document.querySelector(selector));
		const words = name(color) + " on " + name(backgroundColor);
		probe.remove();
		return words;
	}`
	for _, scheme := range []string{"light", "dark"} {
		p.do("Emulation.setEmulatedMedia", object{"features": []object{{"name": "prefers-color-scheme", "value": scheme}}})
		for _, view := range []struct{ hash, within string }{{"#/", ".row[data-id='lyon-1051@example']"},
			{"#/flat/lyon-1051%40example", ".own"}, {"#/flat/lyon-1051%40example", ".bar"}} {
			p.eval("location.hash = " + encode(view.hash))
			for status, colour := range map[string]string{"followed": "--follow", "ignored": "--dismiss"} {
				button := view.within + " button[data-status=" + status + "]"
				p.wait(`document.querySelector(` + encode(button) + `)`)
				p.see("("+look+")("+encode(button)+").split(' ')[0]", colour)
				if view.hash == "#/" && status == "ignored" {
					continue // the row would leave
				}
				p.click(button)
				p.wait(`document.querySelector(` + encode(button+"[aria-pressed=true]") + `)`)
				p.see("("+look+")("+encode(button)+")", "--on on "+colour)
				p.click(button)
				p.wait(`document.querySelector(` + encode(button+"[aria-pressed=false]") + `)`)
			}
		}
		p.eval(`location.hash = "#/"`)
		p.click(".row .compare")
		p.see("("+look+`)(".row .compare")`, "--on on --accent")
		p.click("#chosen .close")
	}
	p.checkFaults()
}

// TestPageDataPhotos tests that a photo may stand in its address, and is only ever
// an image: nothing in it runs, no link leads to it, and nothing else may stand
// in an address.
func TestPageDataPhotos(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const drawing = `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 3 2'` +
		` onload='parent.ran=1'%3E%3Cscript%3Eparent.ran=1%3C/script%3E%3Cpath d='M0 0h3v2H0z'/%3E%3C/svg%3E`
	const pixel = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
	p := openTab(t, encode([]object{
		{"id": "a@site", "title": "A", "photos": []any{drawing, object{"url": "DATA:" + pixel[5:]}},
			"urls": []string{drawing}},
		{"id": "b@site", "title": "B", "photos": []string{"data:text/html,<script>parent.ran=1</script>",
			"data:,x", "data:image/../text/html,x", "javascript:parent.ran=1//data:image/png,", "blob:x"}},
	}), "", 1280)
	p.see(`[...document.querySelectorAll("td .photo")].map(({src}) => src ?? "none").sort().join("\n")`, drawing+"\nnone")
	p.wait(`document.querySelector("img.photo").naturalWidth > 0`)
	p.click(".row[data-id='a@site'] a")
	p.wait(`document.querySelector(".frame img")`)
	p.see(`document.querySelector(".frame img").src`, drawing)
	p.click(".turner :last-child")
	p.see(`document.querySelector(".frame img").src`, pixel)
	p.see(`document.querySelectorAll("[href^=data]").length + " " + window.ran`, "0 undefined")
	p.eval(`location.hash = "#/flat/b%40site"`)
	p.see(`document.querySelector("h1")?.innerText`, "B")
	p.see(`document.querySelectorAll(".flat img").length`, "0")
	p.checkFaults()
}

// TestPageOddStatus tests that a status may be any JSON value: it has a tab, and
// Undo restores it.
func TestPageOddStatus(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": 1, "title": "a", "status": {"by": ["fax"]}}, {"id": 2, "title": "b", "status": null},
		{"id": 3, "title": "c"}]`, "", 1280)
	p.click(`.tabs [data-status='{"by":["fax"]}']`)
	p.see(rowCount, "1")
	p.click(".row button[data-status=ignored]")
	p.see(rowCount, "0")
	p.click(".notice button")
	p.see(rowCount, "1")
	if got := p.flat("1", "status"); got != "map[by:[fax]]" {
		t.Errorf("status after Undo = %s; want map[by:[fax]]", got)
	}
	p.checkFaults()
}

// TestPageLeaves tests that a view that was left leaves no elements, listeners or
// repeated timers behind.
func TestPageLeaves(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/notify", 1280)
	p.do("Page.addScriptToEvaluateOnNewDocument", object{"source": `{
		const set = setInterval, clear = clearInterval;
		window.timers = new Set();
		window.setInterval = (...given) => { const timer = set(...given); timers.add(timer); return timer; };
		window.clearInterval = (timer) => { timers.delete(timer); clear(timer); };
		// The number of requests under way, each with the time to make elements of its answer
		const ask = fetch;
		window.asking = 0;
		window.fetch = (...request) => {
			asking++;
			return ask(...request).finally(() => setTimeout(() => asking--, 50));
		};
	}`})
	p.reload()
	// round goes through all views and returns what there is in the end.
	round := func() (found [3]int) {
		for _, hash := range []string{"#/", "#/triage", "#/flat/4711", "#/visits", "#/add", "#/map", "#/prices",
			"#/duplicates",
			"#/compare/4711,lyon-1042%40example", "#/import", "#/photos", "#/travel", "#/notify"} {
			p.goTo(hash, "h1")
			p.eval("new Promise((done) => setTimeout(done, 50))")
			p.wait("asking === 0")
		}
		// By script, because a notice may leave while a finger is on its way.
		p.eval(`for (const button of document.querySelectorAll(".notice .close")) button.click()`)
		p.do("HeapProfiler.collectGarbage", nil)
		p.do("HeapProfiler.collectGarbage", nil)
		var dom struct{ Nodes, JSEventListeners int }
		p.call(t, p.session, "Memory.getDOMCounters", object{}, &dom)
		return [3]int{dom.Nodes, dom.JSEventListeners, int(p.eval("timers.size").(float64))}
	}
	round()
	before, after := round(), round()
	isMore := func() bool { return after[0] > before[0] || after[1] > before[1] || after[2] > before[2] }
	for range 3 {
		if isMore() {
			after = round() // not everything is collected at once
		}
	}
	if isMore() {
		t.Errorf("nodes, listeners and timers: %d after two rounds through the views, %d after more", before, after)
	}
	p.checkFaults()
}

// TestPageViews tests that views keep the filters of the list, that Back shows
// the list as it was left, and that a view leaves no elements behind.
func TestPageViews(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []string
	for i := range 130 {
		flats = append(flats, fmt.Sprintf(`{"id": %d, "title": "Flat %d", "cost": %d, "currency": "EUR",
			"service_postal_code": null}`, i, i, 500+i))
	}
	p := openTab(t, "["+strings.Join(flats, ",")+"]", "#/?cost=505..&sort=cost", 390)
	p.see(rowCount, "50")
	p.eval("scrollTo(0, document.body.scrollHeight)")
	p.see(rowCount, "100")
	p.see(`document.querySelector(".foot .more").hidden`, "false")
	p.eval(`document.querySelector(".foot .more").focus({preventScroll: true})`) // in sight it would press itself
	p.key("Enter")
	p.see(rowCount, "125")
	p.see(`document.querySelector(".foot .end").innerText`, "That is all")
	p.eval(`(async () => {
		for (let y = 0; y <= 1200; y += 300) {
			scrollTo(0, y);
			await new Promise(requestAnimationFrame);
		}
	})()`)
	const place = `(([row]) => row && row.dataset.id + " at " + Math.round(row.getBoundingClientRect().top))(
		[...document.querySelectorAll(".row")].filter((row) => row.getBoundingClientRect().top > 200))`
	left := fmt.Sprint(p.eval(place))
	p.clickOn(`[...document.querySelectorAll(".row a")].find((a) => a.getBoundingClientRect().top > 200)`)
	p.wait(`document.querySelector(".flat [rel=next]")`)
	p.see("document.querySelectorAll('main > *').length", "1")
	p.eval("history.back()")
	p.wait(`document.querySelector(".row")`)
	p.see(place, left)
	p.see("document.activeElement.closest('.row')?.dataset.id", strings.Fields(left)[0])
	// After a reload too: of the list, and of the flat.
	p.reload()
	p.see(place, left)
	p.clickOn(`[...document.querySelectorAll(".row a")].find((a) => a.getBoundingClientRect().top > 200)`)
	p.wait(`document.querySelector(".flat [rel=next]")`)
	p.reload()
	p.wait(`document.querySelector(".flat [rel=next]")`)
	p.click(".steps a")
	p.see("location.hash", "#/?cost=505..&sort=cost")
	p.see(place, left)
	// And beyond the first page.
	p.wait(`(scrollTo(0, 1e6), ` + rowCount + ` >= 100)`)
	p.eval(`document.querySelector(".row:nth-child(90)").scrollIntoView(), new Promise(requestAnimationFrame)`)
	left = fmt.Sprint(p.eval(place))
	p.reload()
	p.see(place, left)
	p.click("a[href*='#/triage']")
	p.see("location.hash", "#/triage?cost=505..&sort=cost")
	p.click(".menu")
	p.click("#menu a[href*='#/prices']")
	p.see("location.hash + document.querySelector('.menu').matches(':has(+ nav [aria-current])')",
		"#/prices?cost=505..&sort=costtrue")
	p.see("document.title", "Prices · Flats")
	p.click(".views a")
	p.see("location.hash", "#/?cost=505..&sort=cost")
	p.see("document.querySelectorAll('main > *').length", "1")
	p.wait(`document.querySelector(".row")`)
	p.press("?")
	p.wait(`document.querySelector("#help")?.open`)
	p.wait(`document.querySelector("#help").innerText.includes("Previous flat")`)
	p.checkFaults()
}

// TestPageKeys tests that the list of keys opens at its top where it is higher than the window, and that its box does
// not touch the button below.
func TestPageKeys(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.do("Emulation.setDeviceMetricsOverride", // a small laptop at 200 %
		object{"width": 640, "height": 300, "deviceScaleFactor": 2, "mobile": false})
	p.press("?")
	p.wait(`document.querySelector("#help").open`)
	p.see(`document.querySelector("#help").scrollHeight > document.querySelector("#help").clientHeight`, "true")
	p.see(`document.querySelector("#help").scrollTop`, "0")
	p.see(`document.querySelector("#help .primary").getBoundingClientRect().top -
		document.querySelector("#help label").getBoundingClientRect().bottom`, "16")
	p.checkFaults()
}

// TestPageSaved tests that saved views are the same on all devices, show how
// many flats came in since they were last opened, and can be replaced and removed.
func TestPageSaved(t *testing.T) {
	t.Parallel()
	p := openTab(t, `[{"id": "1@a", "title": "Grand balcon", "cost": 800}, {"id": "2@a", "cost": 900}]`,
		"#/?q=balcon", 1280)
	p.see(rowCount, "1")
	save := func(name string) {
		p.click(".tools button")
		p.enter(".naming input", name)
		p.click(".naming .primary")
	}
	save("Balcony / 100 % & more?")
	p.see(`document.querySelector(".saved [aria-current]")?.innerText`, "Balcony / 100 % & more?")
	phone := p.openOther("#/?sort=cost")
	phone.see(chips, "Balcony / 100 % & more?")
	p.eval(`location.hash = "#/"`)
	p.see(rowCount, "2")
	for _, id := range []string{"3@a", "4@a"} {
		p.bring(`[{"id": "` + id + `", "title": "Un balcon", "cost": 700}]`)
	}
	for _, device := range []*tab{p, phone} {
		device.reload()
		device.see(chips, "Balcony / 100 % & more? 2 new")
	}
	// A view that is opened has nothing new on any device, in whatever order its flats stand.
	phone.click(".saved a")
	phone.see(chips, "Balcony / 100 % & more?")
	phone.see("location.hash", "#/?q=balcon")
	p.reload()
	p.see(chips, "Balcony / 100 % & more?")
	p.eval(`location.hash = "#/?cost=..900&sort=cost"`)
	p.see(`document.querySelector(".saved [aria-current]")`, "null")
	save("Cheap")
	p.see(chips, "Balcony / 100 % & more?|Cheap")
	p.eval(`location.hash = "#/"`)
	p.see(rowCount, "4")
	p.bring(`[{"id": "5@a", "cost": 850}]`)
	p.reload()
	p.see(chips, "Balcony / 100 % & more?|Cheap 1 new")
	p.click(".saved .chip:last-child a")
	p.see(chips, "Balcony / 100 % & more?|Cheap")
	// A name that is taken is replaced, and Undo restores it. It restores what was removed, too.
	save("Balcony / 100 % & more?")
	p.see(`document.querySelector(".notice p")?.innerText`, "“Balcony / 100 % & more?” is replaced")
	p.see(`document.querySelectorAll(".saved [aria-current]").length`, "2")
	p.click(".notice button")
	p.see(`document.querySelectorAll(".saved [aria-current]").length`, "1")
	p.eval(`document.querySelector(".saved .close").focus()`)
	p.click(".saved .close")
	p.see(chips, "Balcony / 100 % & more?")
	p.see(`document.activeElement.ariaLabel`, "Tell me: Balcony / 100 % & more?")
	p.click(".notice button")
	p.see(chips, "Balcony / 100 % & more?|Cheap")
	p.see(viewTexts, "Balcony / 100 % & more? #/?q=balcon|Cheap #/?cost=..900&sort=cost")
	p.resize(390)
	top := p.eval(`document.querySelector(".saved .chip").getBoundingClientRect().top`)
	p.eval(`document.querySelector(".saved .chip").scrollIntoView({inline: "start"})`)
	p.see(fmt.Sprintf(`document.elementFromPoint(60, %v + 3).innerText`, top), "Balcony / 100 % & more?")
	// Each chip fits, with its bell whole.
	p.resize(320)
	p.see(`[...document.querySelectorAll(".saved .chip")].filter((chip) => {
		const {left, right, top, bottom, width} = chip.getBoundingClientRect();
		const bell = chip.querySelector(".bell").getBoundingClientRect();
		return width > 288 || bell.width < 44 || bell.left < left || bell.right > right || bell.top < top ||
			bell.bottom > bottom;
	}).length`, "0")
	p.checkFaults()
	phone.checkFaults()
}

// TestPageSavedOdd tests what the page says of views that it cannot save, that the
// service refuses, or that were not made in the page.
func TestPageSavedOdd(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := &tab{browser: openBrowser(t), t: t}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "flats.json"), `[{"id": "1@a", "title": "One"}]`)
	writeFile(t, filepath.Join(dir, "views.json"), `[{"name": "Near work", "query": "max[time_to.work]=900",
		"page": "#/?q=work", "seen": "2026-01-01"}, {"name": "By curl", "query": "q=one", "seen": "2026-01-01"}]`)
	p.url = startIn(t, dir)
	p.open("", 1280)
	p.see(chips, "Near work not working|By curl")
	p.see(`document.querySelector(".saved small").title.includes("time_to.work")`, "true")
	p.click(".saved a")
	p.see(`document.querySelector(".saved small").innerText.includes("time_to.work")`, "true")
	p.click(".saved .chip:last-child .close")
	p.see(`document.querySelectorAll(".saved .chip").length`, "1")
	// A long name is cut. Browsers cannot ask for some names.
	long := strings.Repeat("long", 20)
	p.click(".tools button")
	p.see(`document.activeElement.labels?.[0]?.innerText + ": " + document.activeElement.value`,
		"Name of the view: Live, “work”")
	p.see(`getSelection().toString()`, "Live, “work”")
	for _, name := range []string{".", "..", " "} {
		p.enter(".naming input", name)
		p.key("Enter")
		p.see(`document.querySelector(".naming .trouble").innerText`,
			"“"+strings.TrimSpace(name)+"” cannot be used as a name")
	}
	p.enter(".naming input", long)
	p.key("Enter")
	p.see(`[...document.querySelectorAll(".notice p")].at(-1)?.innerText`, "“"+long+"” is saved")
	p.see(`document.querySelectorAll("dialog[open]").length`, "0")
	p.click(".tools button")
	p.click(".naming [type=button]") // "Cancel"
	p.see(`document.querySelectorAll("dialog[open]").length`, "0")
	p.see(`document.querySelectorAll(".saved .chip").length`, "2")
	p.see(`(({offsetWidth}) => offsetWidth < 320)(document.querySelector(".saved .chip:last-child"))`, "true")
	p.see(`document.querySelector(".saved .chip:last-child .name").title`, long)
	for hash, want := range map[string]string{
		"#/?days=3":      "“First seen within” depends on the current date, so this view cannot be saved",
		"#/?tab=changed": "“Changed” depends on the current date, so this view cannot be saved",
	} {
		p.eval("location.hash = " + encode(hash))
		p.wait(`document.querySelector(".tabs [aria-current]")`)
		p.click(".tools button")
		p.see(`document.querySelector(".notice p")?.innerText`, want)
	}
	p.checkFaults()
}

// TestPageSavedMoved tests that the views that a browser kept itself are moved
// to the service once, whatever comes between.
func TestPageSavedMoved(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	long := strings.Repeat("x", 201)
	p := openTab(t, `[{"id": "1@a", "title": "One", "cost": 400, "first_seen": "2026-01-01T00:00:00Z"}]`, "#/visits", 1280)
	p.eval(`localStorage["flats.searches"] = JSON.stringify([
		{name: "Balcony", hash: "#/?q=balcony", opened: "2020-01-01T00:00:00Z"},
		{name: "Cheap", hash: "#/?cost=..500&sort=cost", opened: "2020-01-01T00:00:00Z"},
		{name: "Rooms", hash: "#/?rooms=2..", opened: "2020-01-01T00:00:00Z"},
		{name: "Today", hash: "#/?days=1", opened: "2020-01-01T00:00:00Z"},
		{name: "` + long + `", hash: "#/?q=long", opened: "2020-01-01T00:00:00Z"}])`)
	for _, name := range []string{"Cheap", "Cheap (2)"} {
		p.eval(`fetch("api/v1/views/` + name + `", {method: "PUT", body: '{"query": "q=other"}'})
			.then((answer) => answer.text())`)
	}
	// lose sets what becomes of updates: they never arrive, or their answers do not.
	lose := func(where string) {
		p.eval(`{
			window.ask ??= fetch;
			window.fetch = async (url, options) => {
				if (options?.method !== "PUT") return ask(url, options);
				if (` + encode(where) + ` === "answers") await ask(url, options);
				throw new TypeError("lost");
			};
		}`)
	}
	const here = `JSON.parse(localStorage["flats.searches"] ?? "[]").length`
	lose("requests")
	p.eval(`location.hash = "#/"`)
	p.see(`document.querySelectorAll(".saved .chip").length`, "7") // nothing is lost, or hidden
	p.see(here, "5")
	lose("answers")
	p.eval(`location.hash = "#/visits"`)
	p.wait(`document.querySelector(".visits h1")`)
	p.eval(`location.hash = "#/"`)
	const views = "Cheap null|Cheap (2) null|Balcony #/?q=balcony"
	p.see(viewTexts, views)
	p.see(here, "5")
	// Another tab moves them at the same time.
	p.eval(`{
		window.fetch = async (url, options) => {
			if (options?.method === "PUT" && !window.other) {
				window.other = open(location.href);
				while (JSON.parse(localStorage["flats.searches"]).length > 2)
					await new Promise((next) => setTimeout(next, 20));
			}
			return ask(url, options);
		};
		location.hash = "#/visits";
	}`)
	p.wait(`document.querySelector(".visits h1")`)
	p.eval(`location.hash = "#/"`)
	p.see(chips, "Cheap|Cheap (2)|Balcony|Cheap (3) 1 new|Rooms|Today only in this browser|"+long+
		" only in this browser")
	p.see(`other.document.querySelectorAll(".saved .chip").length`, "7")
	p.see(viewTexts, views+"|Cheap (3) #/?cost=..500&sort=cost|Rooms #/?rooms=2..")
	p.reload()
	p.see(chips, "Cheap|Cheap (2)|Balcony|Cheap (3) 1 new|Rooms|Today only in this browser|"+long+
		" only in this browser")
	// Those that stay say why, and can be removed.
	p.eval(`location.hash = "#/?days=1"`)
	p.see(`document.querySelector(".saved [aria-current] small")?.innerText`,
		"only in this browser: “First seen within” depends on the current date, so this view cannot be saved")
	p.click(".saved .chip:nth-child(6) .close")
	p.see(here, "1")
	p.click(".notice button")
	p.see(here, "2")
	p.checkFaults()
}

// TestPageNotify tests the bell of a saved view, and the test of the receiver
// of messages.
func TestPageNotify(t *testing.T) {
	t.Parallel()
	p := openTab(t, "", "", 1280)
	// Without a receiver the page says what to write into the config.
	const bells = `[...document.querySelectorAll(".bell")]
		.map((bell) => bell.ariaLabel + ": " + bell.ariaPressed).join("|")`
	p.see(bells, "Tell me: Two rooms in Lyon: false|Tell me: Balcony: false")
	p.eval(`document.querySelectorAll(".bell")[1].focus()`)
	p.key("Enter")
	p.see(bells, "Tell me: Two rooms in Lyon: false|Tell me: Balcony: true")
	p.see("document.activeElement.ariaLabel", "Tell me: Balcony")
	p.see(`document.querySelector(".notice p")?.innerText`, "No messages can be sent yet")
	p.click(".notice button")
	p.see("location.hash", "#/notify")
	p.see(`document.querySelector(".notify p")?.innerText`, "A message is sent when a saved view with a bell has a new "+
		"flat or a lower cost. A view of “Shortlist” or “All” also reports flats that are gone; “Live” and "+
		"“New” leave such flats out.")
	p.see(`document.querySelector("code")?.innerText.replace(/-\w+"/, '-…"')`,
		`"notify": {"url": "https://ntfy.sh/flats-…"}`)
	p.see(bells, "Tell me: Two rooms in Lyon: false|Tell me: Balcony: true")
	p.see(`document.querySelector(".menu").matches(":has(+ nav [aria-current])")`, "true")
	p.checkFaults()

	taken := make(chan string, 9)
	var status atomic.Int32
	status.Store(200)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		taken <- r.Header.Get("Title")
		w.WriteHeader(int(status.Load()))
	}))
	t.Cleanup(receiver.Close)
	p = &tab{browser: p.browser, t: t, url: start(t, "[]", `"notify": {"url": "`+receiver.URL+`"}`)}
	p.open("#/notify", 390)
	const state = `document.querySelector(".told")?.innerText.replace(/\s+/g, " ")`
	p.see(state, "No message has been sent since the service started Send a test")
	p.click(".told button")
	p.see(`document.querySelector(".told [role=status]").innerText`, "The receiver accepted the test (200)")
	if got := <-taken; got != "Test: 1 new" {
		t.Errorf("the test has the title %q; want %q", got, "Test: 1 new")
	}
	status.Store(403)
	p.click(".told button")
	p.wait(`document.querySelector(".told .wrong")?.innerText.includes("403")`)
	<-taken
	status.Store(200)
	// A bell that was pressed tells of what comes in.
	p.eval(`fetch("api/v1/views/All", {method: "PUT", body: '{"query": ""}'}).then((answer) => answer.text())`)
	p.reload()
	p.click(".bell")
	p.see(bells, "Tell me: All: true")
	p.see(`document.querySelector(".notice p")?.innerText`, "You will be told about “All”")
	p.bring(`[{"id": "1@a"}]`)
	if got := <-taken; got != "All: 1 new" {
		t.Errorf("the message has the title %q; want %q", got, "All: 1 new")
	}
	p.wait(`document.dispatchEvent(new Event("visibilitychange")) && ` +
		state + `.startsWith("The last message arrived on ")`)
	p.click(".notice button")
	p.see(bells, "Tell me: All: false")
	p.checkFaults()
}

// TestPageTravelService tests that the page says what to write into the config or,
// with a travel service, how many flats wait and what is wrong, and that a listing
// that is added gets its time within seconds.
func TestPageTravelService(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.click(".menu")
	p.click("#menu [data-view=travel]")
	p.see("location.hash", "#/travel")
	const state = `document.querySelector(".told")?.innerText.replace(/\s+/g, " ")`
	p.wait(state + `.startsWith("No travel service is asked yet Add this to config.json")`)
	p.see(`document.querySelector(".told code").innerText`,
		`"travel": {"url": "https://api.transitous.org", "contact": "me@example.org"}`)
	p.eval(`document.execCommand = () => window.copied = document.activeElement.value`)
	p.click(".told button")
	p.see("copied", `"travel": {"url": "https://api.transitous.org", "contact": "me@example.org"}`)
	p.see(`[...document.querySelectorAll(".travel a")].map(({innerText, href}) => innerText + " " + href).join()`,
		"© OpenStreetMap contributors https://www.openstreetmap.org/copyright,"+
			"MOTIS https://github.com/motis-project/motis,Transitous https://transitous.org/sources/")
	p.checkFaults()

	// A stand-in for MOTIS
	var isBusy atomic.Bool
	isBusy.Store(true)
	asked := make(chan string, 99)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- path.Base(r.URL.Path) + " " + r.FormValue("text") + r.FormValue("one") + " by " + r.UserAgent()
		switch {
		case isBusy.Load():
			w.Header().Set("Retry-After", "2")
			w.WriteHeader(http.StatusServiceUnavailable)
		case strings.HasSuffix(r.URL.Path, "/one-to-all"):
			io.WriteString(w, `{"all": [{"place": {"name": "stop", "lat": 45.735, "lon": 4.839}, "duration": 20}]}`)
		default:
			io.WriteString(w, `[{"type": "ADDRESS", "name": "Rue Pasteur", "street": "Rue Pasteur", "houseNumber": "5",
				"lat": 45.735, "lon": 4.839}]`)
		}
	}))
	t.Cleanup(service.Close)
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "config.json"), `{"postal_codes": ["postal_codes.json"],
		"travel": {"url": "`+service.URL+`", "contact": "me@example.org", "arrive": "08:30"},
		"constraints": {"lyon": {"time_to": {"work": {"gps": [45.7605, 4.8594]}}}}}`)
	writeFile(t, filepath.Join(dir, "postal_codes.json"), readFile(t, "../sample/postal_codes.json"))
	writeFile(t, filepath.Join(dir, "flats.json"), `[
		{"id": 1, "title": "T2", "service_constraint": "lyon", "service_postal_code": "69004"},
		{"id": 2, "gps": [45.7, 4.8], "status": "ignored"}, {"id": 3, "gps": [48.1, 11.5]}]`)
	p.url = startIn(t, dir)
	p.open("#/travel", 390)
	p.wait(`document.dispatchEvent(new Event("visibilitychange")) && ` + // the service may not have looked yet
		state + `.startsWith("1 of 2 flats are still waiting for a position or a travel time ")`)
	p.see(`(({value, max}) => value + " of " + max)(document.querySelector("progress"))`, "1 of 2")
	p.wait(state + `.includes(" answered 503 Service Unavailable")`)
	isBusy.Store(false)
	// The view follows without a press.
	p.wait(state + `.startsWith("No flat waits for a position or a travel time The travel service last answered on ")`)
	p.see(`document.querySelectorAll(".told :is(.wrong, progress)").length`, "0")
	p.eval(`location.hash = "#/add"`)
	p.enter(".paste textarea", "T3 lumineux\n980 €\n61 m²\n5 rue Pasteur, 69007 Lyon")
	p.click(".add .primary")
	p.wait(`document.querySelector(".flat h1")`)
	const time_ = `fetch("api/v1/flats").then((answer) => answer.json()).then(({data}) => JSON.stringify(
		data.find(({title}) => title === "T3 lumineux").service_time_to?.work.estimated))`
	p.see(time_, `{"from":[45.735,4.839],"precision":"house","arrive":"08:30"}`)
	p.wait(`document.dispatchEvent(new Event("visibilitychange")) && document.querySelector("#fresh button")`)
	p.click("#fresh button")
	p.see(`document.querySelector(".what .duration")?.title`,
		"from the address, by public transport, arriving at 08:30 on a Tuesday")
	p.see(`document.querySelector(".what .duration")?.firstChild.textContent.replace(/\s/g, " ")`, "20 min")
	close(asked)
	var last string
	for last = range asked {
	}
	if want := "geocode 69007 Lyon 7e 5 rue Pasteur by flats/"; !strings.HasPrefix(last, want) ||
		!strings.HasSuffix(last, " (me@example.org)") {
		t.Errorf("asked last %q; want %q …", last, want)
	}
	p.checkFaults()
}

// TestPageKeptPhotosState tests that the page says what to write into the config or, where photos are kept, how many,
// how large and how many wait, and what has failed.
func TestPageKeptPhotosState(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.click(".menu")
	p.see(`[...document.querySelectorAll("#menu h2, #menu h2 ~ a")].map((item) => item.innerText).join()`,
		"Background tasks,Photos,Travel,Tell me")
	p.click("#menu [data-view=photos]")
	p.see("location.hash", "#/photos")
	const state = `document.querySelector(".told")?.innerText.replace(/\s+/g, " ")`
	p.see(state, `No photos are kept yet Add this line to config.json, inside its braces. Restart the service. `+
		`"keep_photos": true Copy It fetches the photos from the listings’ sites, which then see the address `+
		"of the service.")
	p.eval(`document.execCommand = () => window.copied = document.activeElement.value`)
	p.click(".told button")
	p.see("copied", `"keep_photos": true`)
	p.checkFaults()

	// Large enough for a number with a unit
	large := pngOf(1) + strings.Repeat("x", 1_250_000)
	flats := []object{{"id": "a", "status": "followed", "photos": []string{"http://127.0.0.1/private"},
		"kept_photos": []object{keptPhoto("https://photos.example/1"), keptPhoto("https://photos.example/2")}}}
	p.url, _ = startKeeping(t, `{"keep_photos": true}`, flats, map[string]string{
		"https://photos.example/1": large, "https://photos.example/2": large})
	p.open("#/photos", 390)
	// The view follows without a press.
	p.wait(state + `.startsWith("2 photos are kept: 2.5 MB Last error: photos that could not be ` +
		`fetched: 1, the last one from 127.0.0.1")`)
	p.checkFaults()
}

// TestPageChanged tests which flats the tab "Changed" has, and the order of the
// flats in the tabs of what was decided.
func TestPageChanged(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	ago := func(days float64) string {
		return time.Now().Add(-time.Duration(days * 24 * float64(time.Hour))).UTC().Format(time.RFC3339)
	}
	fall := func(days float64) string {
		return `"cost_history": [{"date": null, "cost": 900}, {"date": "` + ago(days) + `", "cost": 800}]`
	}
	p := openTab(t, `[{"id": "new", `+fall(1)+`}, {"id": "ignored", "status": "ignored", `+fall(6.5)+`},
		{"id": "gone", "status": "contacted", "gone": "`+ago(2)+`"}, {"id": "old", `+fall(8)+`},
		{"id": "same", "title": "same", "cost_history": [{"date": "`+ago(1)+`", "cost": 800}]},
		{"id": "double", "status": "duplicate", `+fall(1)+`}, {"id": "deleted", "status": "user_deleted", `+fall(1)+`},
		{"id": "followed", "status": "followed"}]`, "", 1280)
	const ids = `[...document.querySelectorAll(".row")].map((row) => row.dataset.id).join(" ")`
	p.see(tabTexts, "Live 4|New 3|Changed 2|Shortlist 2|Followed 1|Contacted 1|Duplicate 1|Dismissed 1|Deleted 1|All 8")
	p.click(".tabs [data-status=changed]")
	p.see(ids, "new gone")
	p.see(tabTexts, "Live 4|New 3|Changed 2|Shortlist 2|Followed 1|Contacted 1|Duplicate 1|Dismissed 1|Deleted 1|All 8")
	p.click(".row button[data-status=ignored]")
	p.see(tabTexts, "Live 3|New 2|Changed 1|Shortlist 2|Followed 1|Contacted 1|Duplicate 1|Dismissed 2|Deleted 1|All 8")
	p.see(ids, "gone")
	p.click(".notice button")
	p.see(ids, "new gone")
	p.click(".row [data-status=followed]")
	p.see(tabTexts, "Live 4|New 2|Changed 2|Shortlist 3|Followed 2|Contacted 1|Duplicate 1|Dismissed 1|Deleted 1|All 8")
	p.eval(`location.hash = "#/?tab=all&q=same"`)
	p.see(ids, "same")
	p.click(".row [data-status=followed]")
	p.see(`document.querySelector(".row").dataset.status`, "followed")
	p.eval(`location.hash = "#/?tab=shortlist"`)
	p.see(ids, "same new gone followed")
	p.eval(`location.hash = "#/?tab=is:followed"`)
	p.see(ids, "same new followed")
	p.click(".toggle")
	p.see(`document.querySelector(".panel select")?.selectedOptions[0].innerText`, "Last decided ↓")
	p.bring(`[{"id": "priced", "title": "cost", "cost": 0, "currency": "EUR"},
		{"id": "unpriced", "title": "cost", "cost": 990, "currency": "EUR"}]`)
	p.bring(`[{"id": "priced", "cost": 930}, {"id": "unpriced", "cost": 0}]`)
	p.eval(`location.hash = "#/?tab=changed&q=cost&sort=title"`)
	p.see(`[...document.querySelectorAll(".row .tag")].map(({innerText}) => innerText.replace(/since .*/, "")).join()`,
		"€930 ,no price ")
	p.eval(`location.hash = "#/?tab=is:followed&sort=-first_seen"`)
	p.see(ids, "new same followed")
	p.see(`document.querySelector(".panel select").selectedOptions[0].innerText`, "Newest ↓")
	p.checkFaults()
}

// TestPageFresh tests that the list reports changes made elsewhere, and shows
// them on demand.
func TestPageFresh(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/?sort=title", 1280)
	p.see(rowCount, "10")
	look := func() { p.eval(`document.dispatchEvent(new Event("visibilitychange"))`) }
	p.click(".row button[data-status=followed]") // a change on this page is not reported
	p.wait(`document.querySelector(".notice")`)
	look()
	p.eval(`fetch("api/v1/flat/4711", {method: "PATCH", body: JSON.stringify({cost: 700})})`)
	look()
	p.see(`document.querySelector("#fresh button")?.innerText`, "1 changed · Show")
	// It stands under the heads of the table, which stay in sight.
	p.eval(`document.body.style.paddingBottom = "1000px"`)
	for _, width := range []int{1440, 1280, 1200, 1100, 900} {
		p.resize(width)
		p.see(rowCount, "10")
		p.eval(`scrollTo(0, 300)`)
		p.see(`(([{bottom}, {top}]) => top >= bottom && top <= bottom + 8 || top + " " + bottom)(
			[".flats thead", "#fresh button"].map((part) => document.querySelector(part).getBoundingClientRect()))`, "true")
	}
	p.resize(1280)
	p.eval(`scrollTo(0, 0)`)
	p.click("#fresh button")
	p.wait(`[...document.querySelectorAll("td.cost")].some((cost) => cost.innerText === "€700")`)
	p.see(`document.querySelector("#fresh").childElementCount`, "0")
	// An import adds flats, changes costs, and marks flats as gone; the rows say so.
	bring := func(site, listings string) {
		t.Helper()
		script := fmt.Sprintf(`fetch("api/v1/import?complete=%s", {method: "POST", body: %s})
			.then((answer) => answer.text())`, site, encode(listings))
		if got := fmt.Sprint(p.eval(script)); !strings.HasPrefix(got, `{"data":`) {
			t.Fatal(got)
		}
	}
	bring("agency", `[{"id": "1@agency", "title": "A new one"}]`)
	look()
	p.see(`document.querySelector("#fresh button")?.innerText`, "1 new · Show")
	p.click("#fresh button")
	p.see(rowCount, "11")
	// All that is in the view counts, whatever has brought it there or taken it away; so does a flat that was changed
	// on this page before.
	p.click(`.row[data-id="4711"] button[data-status=followed]`)
	p.seeFlat("4711", "status", "followed")
	p.see(`document.querySelector(".notice p")?.innerText.split(": ").at(-1)`, "Followed")
	for id, status := range map[string]string{"4711": "ignored", "1%40agency": "user_deleted",
		"lyon-1068%40example": "new", "lyon-1063%40example": "visited"} {
		p.eval(fmt.Sprintf(`fetch("api/v1/flat/%s", {method: "PATCH", body: '{"status": "%s"}'})`, id, status))
	}
	look()
	p.see(`document.querySelector("#fresh button")?.innerText`, "1 new, 1 changed, 2 gone · Show")
	p.click("#fresh button")
	p.see(rowCount, "10")
	bring("agency", `[{"id": "2@agency", "cost": 900, "currency": "EUR"},
		{"id": "3@agency", "cost": 900, "currency": "EUR",
		"photos": ["https://127.0.0.1:1/x"]}, {"id": "4@agency", "photos": ["https://127.0.0.1:1/x"]}]`)
	bring("agency", `[{"id": "2@agency"}, {"id": "3@agency", "cost": 850}, {"id": "4@agency"}]`)
	p.eval(`location.hash = "#/?site=agency&tab=all&sort=site"`)
	p.see(`[...document.querySelectorAll(".row")]
		.map((row) => row.dataset.id + ": " + [...row.querySelectorAll(".tag:not(.status)")]
			.map((tag) => tag.innerText)).join("; ").replace(/\d+ \w+(?=[,;]|$)/g, "today")`,
		"lyon-1077@agency: gone since today; 1@agency: gone since today; 2@agency: ; "+
			"3@agency: −€50 since today,maybe a duplicate; 4@agency: maybe a duplicate")
	// Other views count what is new, too.
	p.goTo("#/visits", "h1")
	bring("agency", `[{"id": "5@agency"}]`)
	look()
	p.see(`fetch("api/v1/find?any[status]=new&known[gone]=no&page[size]=1").then((answer) => answer.json())
		.then(({total}) => total - document.querySelector("#bar .badge").innerText)`, "0")
	p.checkFaults()
}

// TestPageFreshPages tests that all flats of the view count in what has changed elsewhere, not only those of the
// pages that were loaded, and that Back does not forget what was there.
func TestPageFreshPages(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, manyFlats(1200), "#/?tab=all&sort=title", 1280)
	p.see(rowCount, "50")
	p.wait(`performance.getEntriesByType("resource")
		.filter(({name}) => /fields=title%2Cstatus.*number%5D=1/.test(name)).length === 1`)
	p.eval(`location.hash = "#/visits"`)
	p.wait(`document.querySelector(".visits h1")`)
	p.eval(`(async () => {
		const send = (path, method, body) => fetch("api/v1/" + path, {method, body});
		for (const i of [3, 700, 1100]) await send("flat/" + i + "%40many", "PATCH", '{"cost": 1}');
		await send("import", "POST", JSON.stringify(Array.from({length: 70}, (_, i) => ({id: "n" + i}))));
		history.back();
	})()`)
	p.see(`document.querySelector("#fresh button")?.innerText`, "70 new, 3 changed · Show")
	p.checkFaults()
}

// TestPageChosen tests that flats are chosen to compare, and stay chosen.
func TestPageChosen(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/?sort=cost", 1280)
	p.click(".row [data-compare]")
	p.see(`document.querySelector("#chosen").innerText.trim().split("\n")[0]`, "Choose a second flat to compare")
	p.click(".row:nth-child(2) [data-compare]")
	p.see(`document.querySelector("#chosen a").innerText`, "Compare 2 flats")
	p.see(`document.querySelectorAll(".row [data-compare][aria-pressed=true]").length`, "2")
	p.click("#chosen a")
	p.see("location.hash", "#/compare/berlin-2221%40example,4711")
	p.wait(`document.querySelector(".compare thead a")`) // the flats of the address are chosen
	p.reload()
	p.eval(`location.hash = "#/"`)
	p.see(`document.querySelector("#chosen a").innerText`, "Compare 2 flats")
	// The address of other flats leaves the choice, until a press. What it adds to the choice is chosen.
	kept := `JSON.parse(localStorage["flats.compare"]).join()`
	for hash, want := range map[string]string{
		"#/compare/lyon-1042%40example,4711":                       "berlin-2221@example,4711",
		"#/compare/lyon-1042%40example,4711,berlin-2221%40example": "lyon-1042@example,4711,berlin-2221@example",
	} {
		p.eval(`localStorage["flats.compare"] = '["berlin-2221@example", "4711"]'; location.hash = "#/"`)
		p.reload()
		p.eval("location.hash = " + encode(hash))
		p.wait(`document.querySelector(".compare thead a")`)
		p.see(kept, want)
	}
	p.eval(`localStorage["flats.compare"] = '["berlin-2221@example", "4711"]'; location.hash = "#/"`)
	p.reload()
	p.eval(`location.hash = "#/compare/lyon-1042%40example,4711"`)
	p.click("thead th:last-child .close")
	p.see("location.hash", "#/compare/lyon-1042%40example")
	p.see(kept, "berlin-2221@example,4711")
	p.click(".compare > .line > :last-child")
	p.see(kept, "lyon-1042@example")
	p.eval(`location.hash = "#/"`)
	p.click("#chosen .close")
	p.see(`document.querySelector("#chosen").childElementCount`, "0")
	p.reload()
	p.see(`document.querySelector("#chosen").childElementCount`, "0")
	p.checkFaults()
}

// TestPagePrint tests that "Print" prints the whole view, 25 rows a page, even
// if prices are long.
func TestPagePrint(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []string
	for i := range 60 {
		flats = append(flats, fmt.Sprintf(`{"id": "%d@a",
			"title": "A flat with a title that is a good deal longer than its line, %d", "cost": 8695000,
			"currency": "DKK", "area": 88, "rooms": 4,
			"location": "Here", "status": "contacted", "service_time_to": {"harbour": {"time": 4800}}}`, i, i))
	}
	p := openTab(t, "["+strings.Join(flats, ",")+"]", "#/?q=flat", 1280)
	p.see(rowCount, "50")
	if got := p.printedPages(); got != 2 {
		t.Errorf("50 of 60 flats are printed on %d pages; want 2", got)
	}
	p.eval(`window.print = () => {
		window.printed = document.querySelector(".paper").innerText;
		dispatchEvent(new Event("beforeprint"));
	}`)
	p.click(".tools button:nth-child(2)")
	p.wait("window.printed")
	p.see(`printed.startsWith("Live, “flat”")`, "true")
	p.see(`document.querySelectorAll(".paper tbody tr").length`, "60")
	// No flat has a rating.
	p.see(`[...document.querySelectorAll(".paper th")].map(({className}) => className).join()`,
		"title,cost,cost_per_area,area,rooms,travel_time,status")
	p.do("Emulation.setEmulatedMedia", object{"media": "print"})
	p.see(`[...new Set([...document.querySelectorAll(".paper :is(.cost, .area, .rooms)")]
		.map((cell) => getComputedStyle(cell).textAlign))].join()`, "right")
	p.do("Emulation.setEmulatedMedia", object{"media": ""})
	if got := p.printedPages(); got != 3 {
		t.Errorf("60 flats are printed on %d pages; want 3", got)
	}
	p.checkFaults()
}

// TestPageHostileList tests that HTML and scripts in listings stay text in the
// list.
func TestPageHostileList(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const bad = `<img src=x onerror=\"faults.push('ran')\"><script>faults.push('ran')</script>`
	listing := fmt.Sprintf(`[{"id": "../%[1]s", "title": "%[1]s", "text": "%[1]s", "location": "%[1]s",
		"currency": "%[1]s", "cost": 1, "status": "%[1]s",
		"notes": "%[1]s", "visit_date": "2031-01-01T10:00", "service_constraint": "%[1]s",
			"photos": ["javascript:1", {"url": "data:text/html,x"}],
		"details": {"%[1]s": "%[1]s"}, "service_time_to": {"%[1]s": {"time": 60}}, "notation": 1e300,
			"cost_history": "%[1]s", "gone": "%[1]s"}]`, bad)
	for _, width := range []int{1280, 320} {
		p := openTab(t, listing, "#/?q=img&tab=all", width)
		p.see(rowCount, "1")
		p.see(`document.querySelectorAll("main script, main img").length`, "0")
		p.see("document.scrollingElement.scrollWidth <= innerWidth", "true")
		p.click(".toggle")
		p.see("document.scrollingElement.scrollWidth <= innerWidth", "true")
		p.checkFaults()
	}
}

// Flat, visits, triage, import
// ----------------------------

// TestPageFlat tests what the view of a flat shows: its facts, the median of its
// place, distances, the cost history, duplicates, and photos.
func TestPageFlat(t *testing.T) {
	t.Parallel()
	p := openTab(t, `[
		{"id": "a@site", "title": "Loft", "cost": 1200, "currency": "EUR", "area": 100, "rooms": 3, "bedrooms": 2,
			"utilities": "included", "location": "Rue A",
			"station": "Hénon", "phone": "+33 1 99 00 42 17", "urls": ["https://www.example.org/a"],
				"photos": ["https://127.0.0.1:1/1.jpg", {"url": "http://127.0.0.1:1/2.jpg"}],
			"service_constraint": "lyon", "service_postal_code": "69007",
				"service_stations": [{"name": "Jean Macé", "distance": 310}],
			"service_time_to": {"university": {"time": 540}},
				"details": {"gps": [45.7494, 4.8372], "lift": true, "floors": [1, 2], "constructor": null},
			"cost_history": [{"date": null, "cost": 1300}, {"date": "2026-01-03T10:00:00Z", "cost": 1250},
				{"date": "2026-02-03T10:00:00Z", "cost": 1190}, {"date": "2026-02-03T12:00:00Z", "cost": 1200}],
			"text": "`+strings.Repeat("Long. ", 200)+`",
			"toString": "mine", "other": {"a": 1}, "notation": 4.5, "status": "odd"},
		{"id": "b@site", "title": "Nearby", "cost": 1000, "currency": "€", "area": 50,
			"service_constraint": "lyon", "service_postal_code": "69007"},
		{"id": "c@site", "title": "Dear", "cost": 900, "currency": "EUR", "area": 30,
			"service_constraint": "lyon", "service_postal_code": "69007"},
		{"id": "d@site", "title": "Same", "cost": 1210, "currency": "EUR", "area": 100.5,
			"status": "duplicate", "service_postal_code": "69007"},
		{"id": "e@site", "title": "Twin", "cost": 1210, "currency": "EUR", "area": 100.5,
			"location": "Rue A", "phone": "+33199004217"},
		{"id": "f@site", "title": "Francs", "cost": 9000, "currency": "CHF", "area": 10,
			"service_constraint": "lyon", "service_postal_code": "69007"}]`, "#/flat/a%40site", 1280)
	text := `document.querySelector(".what").innerText.replace(/\s+/g, " ")`
	for _, want := range []string{
		// The costs per m² are 12, 20 and 30.
		"example.org", "€1,200 incl. utilities 100 m² 3 rooms 2 bedrooms €12/m²",
		"40% below the median of 3 flats in 69007 Lyon 7e",
		"€1,300 → €1,250 on 3 Jan → €1,190 → €1,200 on 3 Feb", "Rue A, 69007 Lyon 7e",
		"university 9 min, 0 m in a straight line",
		"station 2.1 km in a straight line", "Jean Macé 310 m",
		"Twin €1,210 · 100.5 m² New Rue A · site",
	} {
		p.wait(text + ".includes(" + encode(want) + ")")
	}
	p.see(`document.querySelector(".chart path").getAttribute("d").replace(/[\d ]+/g, "")`, "MhVhVhVh")
	p.see(`document.querySelector(".doubles h2 a").hash`, "#/compare/a%40site,e%40site")
	p.see(`[...document.querySelectorAll(".details div")].map((pair) => pair.innerText.replace("\n", " ")).join("; ")`,
		`Station Hénon; Search area lyon; Other {"a":1}; To string mine; Gps 45.7494, 4.8372; Floors 1, 2`)
	p.see(`document.querySelector(".brief").innerText.replace(/\s+/g, " ")`, "Lift yes")
	p.see(`document.querySelector(".own [aria-pressed=true]").innerText +
		document.querySelector(".stars").innerText.replace(/\s/g, "")`, "odd★★★★☆4.5")
	// A photo that does not load leaves a gap of its size; an http one is requested over https.
	p.wait(`document.querySelector(".gallery .gap")`)
	height := p.eval(`document.querySelector(".gallery").offsetHeight`)
	p.key("ArrowRight")
	p.see(`document.querySelector(".turner span").innerText`, "2 / 2")
	p.see(`document.querySelector(".gallery").offsetHeight`, fmt.Sprint(height))
	p.key("ArrowRight")
	p.see(`document.querySelector(".turner span").innerText`, "1 / 2")
	p.resize(390)
	p.swipe(".gallery", -120)
	p.see(`document.querySelector(".turner span").innerText`, "2 / 2")
	p.see(`document.querySelector(".bar a").href`, "tel:+33199004217")
	// All statuses are in sight, and nothing is too small for a finger.
	p.see(`[...document.querySelectorAll(".own .statuses button")]
		.filter((button) => button.getBoundingClientRect().right > innerWidth).length`, "0")
	p.see(`[...document.querySelector(".flat").children].map(({className}) => className).join()`,
		"steps,gallery,what,text,own,pairs details,bar")
	p.see(`[...document.querySelectorAll(".flat .bar > *")].map((control) => control.innerText).join()`,
		"Call,Follow,Visit,Notes,Dismiss")
	p.see(`[...document.querySelectorAll(".flat :is(button, a)")].filter((control) => control.checkVisibility())
		.filter((control) => Math.min(control.offsetWidth, control.offsetHeight) < 44)
		.map((control) => control.innerText).join()`, "")
	// If somebody else changes the flat, the page says so, and shows the change on demand.
	p.eval(`fetch("api/v1/flat/a%40site", {method: "PATCH", body: '{"title": "Attic"}'})`)
	p.wait(`document.dispatchEvent(new Event("visibilitychange")) && document.querySelector("#fresh button")`)
	p.see("document.querySelector('h1').innerText", "Loft")
	p.click("#fresh button")
	p.see("document.querySelector('h1').innerText", "Attic")
	// The steps stand in one line of a narrow phone.
	p.resize(320)
	p.eval(`location.hash = "#/"`)
	p.wait(`document.querySelector(".row")`)
	p.eval(`location.hash = "#/flat/b%40site"`)
	p.see(`[...document.querySelectorAll(".steps :is(a, button)")].map((step) => step.innerText + step.offsetHeight)
		.join()`, "← Back44,‹44,›44,Share44,Print44")
	p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
	p.eval(`location.hash = "#/flat/nobody"`)
	p.see("document.querySelector('h1')?.innerText", "No flat with id nobody.")
	// The view shows a flat that is updated here before its own answer comes.
	p.reload()
	p.eval(`(async () => {
		const {getFlat, update} = await import(document.querySelector("script").src.replace("app.js", "lib/flats.js"));
		const ask = fetch;
		const asked = new Promise((asking) => window.fetch = async (...request) => {
			if (!/flats\/f/.test(request[0])) return ask(...request);
			window.fetch = ask;
			asking();
			await new Promise((late) => setTimeout(late, 500));
			return ask(...request);
		});
		location.hash = "#/flat/f%40site";
		await asked;
		await getFlat("f@site", null);
		await update("f@site", {notes: "Far."});
	})()`)
	p.see("document.querySelector('h1')?.innerText", "Francs")
	p.see("document.querySelector('#notes').value", "Far.")
	p.checkFaults()
}

// TestPageBack tests that "← Back" and Esc go back in the history, and never add to it.
func TestPageBack(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/?cost=..900", 1280)
	inFlat := func() { p.wait(`document.querySelector(".flat h1")`) }
	press := map[string]func(){"Back": func() { p.click(".steps a") }, "Esc": func() { p.key("Escape") }}
	for name, back := range press {
		for way, meanwhile := range map[string]func(){
			"from the list":  func() {},
			"after a reload": func() { p.reload(); inFlat() },
			"from another flat": func() {
				p.click("[rel=next]")
				p.wait(`document.querySelector("[rel=prev]")`)
			},
			"after another view": func() {
				p.eval(`location.hash = "#/visits"`)
				p.wait(`document.querySelector(".visits h1")`)
				p.eval("history.back()")
				inFlat()
			},
		} {
			p.wait(`document.querySelector(".list .row")`)
			p.click(".row a")
			inFlat()
			meanwhile()
			before := p.eval("history.length")
			back()
			p.see(`location.hash + (document.querySelector(".list .row") !== null)`, "#/?cost=..900true")
			if got := p.eval("history.length"); got != before {
				t.Errorf("%s %s: the history has %v entries; want %v", name, way, got, before)
			}
		}
		// To somebody who opened the page at a flat, it shows the list in place of the flat.
		other := p.openOther("#/flat/4711")
		other.wait(`document.querySelector(".flat h1")`)
		other.reload()
		other.wait(`document.querySelector(".flat h1")`)
		before := other.eval("history.length")
		if name == "Back" {
			other.click(".steps a")
		} else {
			other.key("Escape")
		}
		other.see(`location.hash + (document.querySelector(".list .row") !== null)`, "#/true")
		if got := other.eval("history.length"); got != before {
			t.Errorf("%s at the start: the history has %v entries; want %v", name, got, before)
		}
	}
	p.checkFaults()
}

// TestPageHomes tests that probable duplicates are decided in Triage and on the flat, and that a new flat that is
// probably one that was dismissed says so first.
func TestPageHomes(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	since := browserNow().AddDate(0, 0, -20)
	const same = `"cost": 800, "currency": "EUR", "area": 46, "location": "Ost"`
	p := openTab(t, fmt.Sprintf(`[
		{"id": "n", "title": "N", "date": "2026-02-05", %[1]s},
		{"id": 7, "title": "Seven", "date": "2026-02-04", %[1]s, "status": "ignored", "status_since": %[2]q},
		{"id": "c", "title": "C", "date": "2026-02-03", %[1]s, "status": "contacted", "merged_ids": ["former"]},
		{"id": "m", "title": "M", "date": "2026-02-02", "cost": 500, "area": 20, "location": "West"},
		{"id": "z", "title": "Z", "date": "2026-02-01", "cost": 500, "area": 20, "location": "West",
			"photos": ["data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='3' height='2'/>"]}]`,
		same, since.UTC().Format(time.RFC3339)), "#/triage", 1280)
	const title = `document.querySelector("h2 a, h1:not(.triage h1)")?.innerText`
	const like = `document.querySelector(".like")?.innerText`
	const doubles = `[...document.querySelectorAll(".doubles li")].map((home) => [
		home.querySelector(".photo").matches("img") ? "photo" : "no photo",
		...["a", "b", ".tag"].map((part) => home.querySelector(part).innerText)].join(" ")).join("; ")`
	// fields waits until each flat has a status, merged_ids and not_duplicates.
	fields := func(want string) {
		t.Helper()
		p.see(`fetch("api/v1/flats?sort=title").then((answer) => answer.json()).then(({data}) => data.map((flat) =>
			[flat.id, flat.status, JSON.stringify(flat.merged_ids), JSON.stringify(flat.not_duplicates ?? null)].join(" "))
			.join("; "))`, want)
	}
	press := func(name string) { t.Helper(); p.click(`.doubles [aria-label="` + name + `"]`) }
	const start = `c contacted ["former"] null; m new null null; n new null null; 7 ignored null null; z new null null`
	both := "no photo Seven €800 Dismissed; no photo C €800 Contacted"
	p.see(title, "N")
	p.see(doubles, both)
	p.see(like, "Like one that you dismissed on "+since.Format("2 Jan"))
	p.see(`document.querySelector(".what").firstChild.className`, "like")
	// They are not the same home, and Undo says that they may be.
	press("Not the same: Seven")
	p.see(doubles, "no photo C €800 Contacted")
	p.see(like, "")
	fields(`c contacted ["former"] null; m new null null; n new null [7]; 7 ignored null ["n"]; z new null null`)
	p.press("u")
	p.see(doubles, both)
	fields(start)
	// The one that was dismissed is kept, though the new one is newer, and so is the contacted one.
	press("Same home: Seven")
	p.see(title, "M")
	p.see(`document.querySelector(".notice p").innerText`, "Seven: Same home")
	fields(`c contacted ["former"] null; m new null null; n duplicate null null; 7 ignored ["n"] null; z new null null`)
	p.press("u")
	p.see(title, "N")
	fields(start)
	press("Same home: C")
	p.see(title, "M")
	fields(`c contacted ["former","n"] null; m new null null; n duplicate null null; 7 ignored null null; z new null null`)
	p.see(`document.querySelector(".triage [role=status]").innerText`, "2 left · 1 done")
	// On the flat too.
	p.see(doubles, "photo Z 500 New")
	p.press("o")
	p.wait(`document.querySelector(".flat h1")`)
	p.see(doubles, "photo Z 500 New")
	p.see(like, "")
	press("Same home: Z") // the older one is kept
	p.see(doubles, "")
	const before = `c contacted ["former","n"] null; `
	fields(before + `m duplicate null null; n duplicate null null; 7 ignored null null; z new ["m"] null`)
	p.see(like, "Duplicate of Z")
	p.reload() // the page does not know yet which one was kept
	p.see(like, "Duplicate of Z")
	p.click(".like a")
	p.see(title, "Z")
	p.eval("history.back()")
	p.see(like, "Duplicate of Z")
	p.click(".own .choices [data-status=duplicate]")
	p.see(like, "")
	fields(before + `m new null null; n duplicate null null; 7 ignored null null; z new ["m"] null`)
	p.eval(`fetch("api/v1/flat/z", {method: "PATCH", body: '{"merged_ids": null}'})`)
	p.see(doubles, "photo Z 500 New")
	press("Not the same: Z")
	p.see(doubles, "")
	fields(before + `m new null ["z"]; n duplicate null null; 7 ignored null null; z new null ["m"]`)
	p.checkFaults()
}

// TestPageColumns tests that a laptop shows the photo, the strip and the text in one column, the facts beside it, and
// what one decides in a third, while a phone shows them below each other.
func TestPageColumns(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	long := encode(strings.Repeat("A text of many words. ", 200))
	p := openTab(t, `[
		{"id": "a", "title": "Loft", "cost": 900, "currency": "EUR", "photos": `+encode(slices.Repeat([]string{
		"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 3 2'/%3E"}, 14))+`,
			"text": `+long+`, "details": {"about": `+long+`}},
		{"id": "b", "title": "Bare", "text": `+long+`, "details": {"about": `+long+`}}]`, "#/flat/a", 1280)
	// at returns the numbers of a part's edges.
	p.eval(`window.at = (selector) => document.querySelector(".flat " + selector)?.getBoundingClientRect()`)
	for _, c := range []struct {
		width     int
		condition string
	}{
		{1280, `Math.abs(at(".gallery").width - 560) < 20`},
		{1280, `at(".text").width === at(".gallery").width && at(".text").left === at(".gallery").left`},
		{1280, `at(".strip").top >= at(".frame").bottom && at(".strip").right <= at(".gallery").right`},
		{1280, `at(".text").top - at(".strip").bottom >= 8 && at(".text").top - at(".strip").bottom <= 24`},
		{1280, `at(".what").left > at(".gallery").right && at(".own").left > at(".what").right`},
		{1280, `Math.abs(at(".what").top - at(".gallery").top) < 8 && Math.abs(at(".own").top - at(".gallery").top) < 8`},
		{1280, `at(".details").left === at(".text").left && at(".details").top > at(".text").bottom`},
		{900, `at(".own").left > at(".gallery").right && at(".what").top >= at(".strip").bottom`},
		{390, `at(".strip").height === 0 && at(".what").top >= at(".gallery").bottom`},
		{390, `at(".text").top >= at(".what").bottom && at(".own").top >= at(".text").bottom`},
	} {
		p.resize(c.width)
		p.see(fmt.Sprintf("%[1]d + %[2]q + (%[2]s)", c.width, c.condition), fmt.Sprint(c.width, c.condition, true))
	}
	p.resize(1280)
	// The strip shows which photo is seen, and keeps it in sight.
	const shown = `document.querySelector(".flat .turner span").innerText + " " +
		[...document.querySelectorAll(".flat .strip button")].findIndex(({ariaCurrent}) => ariaCurrent === "true")`
	p.see(shown, "1 / 14 0")
	p.click(".strip button:nth-child(3)")
	p.see(shown, "3 / 14 2")
	p.see(`document.activeElement.ariaLabel`, "Loft, photo 3")
	for range 3 {
		p.key("ArrowLeft")
	}
	p.see(shown, "14 / 14 13")
	p.see(`at(".strip button:last-child").right <= at(".strip").right`, "true")
	p.click(".gallery .frame")
	p.see(`document.querySelectorAll(".photos[open] .strip button").length`, "14")
	p.click(".photos .strip button:nth-child(13)")
	p.key("Escape")
	p.see(shown, "13 / 14 12")
	// Without a photo no place is kept for one.
	p.eval(`location.hash = "#/flat/b"`)
	p.see(`document.querySelector("h1")?.innerText`, "Bare")
	p.see(`Math.abs(at(".what").top - at(".own").top) < 8 && at(".what").right < at(".own").left`, "true")
	p.see(`at(".text").left === at(".what").left && at(".text").top - at(".what").bottom < 40`, "true")
	p.checkFaults()
}

// TestPageStatuses tests the row of the statuses that a flat goes through, with "Dismiss" apart and the others in a
// menu.
func TestPageStatuses(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Loft"}, {"id": "b", "title": "Odd", "status": "odd"}]`, "#/flat/a", 1280)
	const (
		row = `[...document.querySelectorAll(
			".own .statuses button, .own .choices > .line > :is([data-status=duplicate], [data-status=odd])")].map((button) =>
			button.innerText + (button.ariaPressed === "true" ? "!" : "")).join()`
		tops = `new Set([...document.querySelectorAll(".own .statuses button")].map((button) => button.offsetTop)).size`
		menu = `[...document.querySelectorAll(".own [popover]:popover-open button")].map(({innerText}) => innerText).join()`
	)
	for _, width := range []int{1280, 900, 390, 320} {
		p.resize(width)
		p.see(row+"+"+tops, "New!,Followed,Contacted,Visited1")
		p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
		p.see(`(([statuses, dismiss]) => dismiss.top >= statuses.bottom)(
			[".own .statuses", ".own .choices > .line [data-status=ignored]"].map((selector) =>
				document.querySelector(selector).getBoundingClientRect()))`, "true")
		p.click(".own [popovertarget]")
		p.see(menu, "Duplicate,Deleted")
		// The menu stands at its button.
		p.see(`(([button, menu]) => Math.abs(menu.left - button.left) < 100 &&
			Math.min(Math.abs(menu.top - button.bottom), Math.abs(button.top - menu.bottom)) < 10)(
			[".own [popovertarget]", ".own [popover]"].map((selector) =>
				document.querySelector(selector).getBoundingClientRect()))`, "true")
		p.key("Escape")
		p.see(menu+"+ location.hash", "#/flat/a")
	}
	p.resize(1280)
	p.see(`document.querySelector(".own [popovertarget]").ariaLabel`, "More statuses")
	p.click(".own [popovertarget]")
	p.clickOn(`[...document.querySelectorAll(".own [popover] button")].find(({innerText}) => innerText === "Duplicate")`)
	p.see(row, "New,Followed,Contacted,Visited,Duplicate!")
	p.see(`document.querySelectorAll(".own [popover]:popover-open").length`, "0")
	// It stands beside "Dismiss".
	p.see(`(([own, dismiss]) => own.top === dismiss.top && own.width < 120)([...document.querySelectorAll(
		".own .choices > .line:has([popover]) > button")].map((button) => button.getBoundingClientRect()))`, "true")
	p.click(".own .choices > .line > [data-status=duplicate]")
	p.see(row, "New!,Followed,Contacted,Visited")
	// The row also goes back, as after a slip of the finger.
	p.click(".own .statuses [data-status=contacted]")
	p.see(row, "New,Followed,Contacted!,Visited")
	p.click(".own .statuses [data-status=followed]")
	p.see(row, "New,Followed!,Contacted,Visited")
	p.click(".own .statuses [data-status=followed]")
	p.see(row, "New!,Followed,Contacted,Visited")
	p.click(".own .choices > .line [data-status=ignored]")
	p.see(row, "New,Followed,Contacted,Visited")
	p.see(`document.querySelector(".own .choices > .line [data-status=ignored]").ariaPressed`, "true")
	p.eval(`location.hash = "#/flat/b"`)
	p.see(row, "New,Followed,Contacted,Visited,odd!")
	// In each language the row is one line, and the bar of a phone is as wide as the page.
	for language, want := range map[string]string{
		"de": "Neu,Gemerkt,Angefragt,Besichtigt",
		"fr": "Nouveau,Suivi,Contacté,Visité",
	} {
		p.do("Emulation.setUserAgentOverride", object{"userAgent": "Test", "acceptLanguage": language})
		p.eval(`location.hash = "#/flat/a"`)
		p.reload()
		for _, width := range []int{1280, 320} {
			p.resize(width)
			p.see(row+"+"+tops, want+"1")
			p.see(`[".own .statuses", ".flat .bar"].map((part) => document.querySelector(part))
				.filter(({scrollWidth, clientWidth}) => scrollWidth > clientWidth).length`, "0")
		}
	}
	p.checkFaults()
}

// TestPageUtilities tests that what the cost includes stands at the cost, wherever the facts do.
func TestPageUtilities(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[
		{"id": "a", "title": "Cold", "cost": 900, "currency": "EUR", "utilities": "excluded", "rooms": 1, "bedrooms": 1},
		{"id": "b", "title": "Other", "cost": 900, "currency": "EUR", "utilities": "150 €"},
		{"id": "c", "title": "None", "utilities": "included", "bedrooms": 0}]`, "#/flat/a", 1280)
	for id, want := range map[string]string{
		"a": "€900 excl. utilities|1 room|1 bedroom; ",
		"b": "€900; Utilities 150 €",
		"c": "no price; ",
	} {
		for _, view := range []string{"flat", "triage"} {
			hash := "#/flat/" + id
			if view == "triage" {
				hash = "#/triage?q=title%3A" + map[string]string{"a": "Cold", "b": "Other", "c": "None"}[id]
			}
			p.eval("location.hash = " + encode(hash))
			p.see(encode(hash)+` + [...document.querySelectorAll(".`+view+` .what .facts li")]
				.map((fact) => fact.innerText.trim()).join("|") + "; " +
				[...document.querySelectorAll(".`+view+` .what .pairs div")].map(({innerText}) => innerText.replace("\n", " "))
				.filter((pair) => /Utilities|Bedrooms/.test(pair)).join()`, hash+want)
		}
	}
	p.checkFaults()
}

// TestPagePhotos tests the photos on the whole screen: by keys, swipes and the strip, with the focus inside.
func TestPagePhotos(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Loft", "photos":
		["https://127.0.0.1:1/1", "https://127.0.0.1:1/2", "https://127.0.0.1:1/3"]}]`, "#/flat/a", 390)
	const place = `document.querySelector("dialog[open] [role=status]")?.innerText`
	p.wait(`document.querySelector(".gallery .frame")`)
	p.eval(`document.querySelector(".gallery .frame").focus()`)
	p.key("Enter")
	p.see(place, "1 / 3")
	p.see(`[document.querySelector(".photos")].map(({offsetWidth, offsetHeight}) => offsetWidth + "," + offsetHeight)
		.join()`, "390,844")
	p.key("ArrowLeft")
	p.see(place, "3 / 3")
	p.key("ArrowRight")
	p.key("ArrowRight")
	p.see(place, "2 / 3")
	p.swipe(".photos .frame", 120)
	p.see(place, "1 / 3")
	p.click(".photos .strip button:nth-child(3)")
	p.see(place, "3 / 3")
	p.see(`document.querySelector(".photos [aria-current=true]").ariaLabel`, "Loft, photo 3")
	for range 8 {
		p.key("Tab")
		p.see(`document.activeElement === document.body || Boolean(document.activeElement.closest(".photos"))`, "true")
	}
	p.see(`[...document.querySelectorAll(".photos button")]
		.filter((control) => Math.min(control.offsetWidth, control.offsetHeight) < 44).length`, "0")
	p.key("Escape")
	p.wait(`!document.querySelector(".photos")`)
	p.see(`document.activeElement.className`, "frame")
	p.see(`document.querySelector(".turner span").innerText`, "3 / 3")
	// "Back" closes the photo, and does not leave the flat.
	p.eval(`location.hash = "#/visits"`)
	p.eval(`location.hash = "#/flat/a"`)
	p.click(".gallery .frame")
	p.see(place, "1 / 3")
	p.eval("history.back()")
	p.wait(`!document.querySelector(".photos")`)
	p.see("location.hash + document.querySelector('h1').innerText", "#/flat/aLoft")
	p.click(".gallery .frame")
	p.click(".photos .close")
	p.wait(`!document.querySelector(".photos")`)
	p.eval("new Promise((done) => setTimeout(done, 100)).then(() => history.back())")
	p.see("location.hash", "#/visits")
	p.checkFaults()
}

// TestPageKeptPhotos tests that all views show the photo that the service keeps, first those of the listing in their
// order and then those that it no longer names. If the service has lost one, the listing's own address is shown.
func TestPageKeptPhotos(t *testing.T) {
	t.Parallel()
	const lost = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
	alike := object{"status": "followed", "phone": "0198", "cost": 700, "area": 40, "location": "Ost"}
	with := func(id string, more object) object {
		flat := maps.Clone(alike)
		maps.Copy(flat, object{"id": id, "title": strings.ToUpper(id), "visit_date": "2099-05-0" + id[1:] + "T10:00:00Z"})
		maps.Copy(flat, more)
		return flat
	}
	const first, old, bare = "http://127.0.0.1:1/1", "https://127.0.0.1:1/old", "https://127.0.0.1:1/bare"
	url, _ := startKeeping(t, `{"keep_photos": true}`, []object{
		with("a1", object{"photos": []any{first, object{"url": "https://127.0.0.1:1/2"}},
			"kept_photos": []object{keptPhoto(first), keptPhoto(old)}}),
		with("b2", object{"photos": nil, "kept_photos": []object{keptPhoto(bare)}}),
		with("c3", object{"photos": []string{lost}, "kept_photos": []object{keptPhoto(lost)}}),
		{"id": "n4", "title": "N", "status_since": time.Now().UTC().Format(time.RFC3339), "photos": nil,
			"kept_photos": []object{keptPhoto(old)}},
	}, map[string]string{first: pngOf(11), old: pngOf(12), bare: pngOf(13)})
	p := &tab{browser: openBrowser(t), t: t, url: url}
	// Photos are told apart by their width.
	widths := func(selector string) string {
		return `[...document.querySelectorAll("` + selector + `")].map(({naturalWidth}) => naturalWidth ?? "gap").join()`
	}
	for _, width := range []int{1280, 390} {
		for _, c := range []struct{ hash, photos, want string }{
			{"#/?tab=shortlist&sort=title", ".row .photo", "11,13,1"},
			{"#/flat/a1", ".gallery .frame .photo", "11"},
			{"#/flat/b2", ".gallery .photo", "13"},
			{"#/flat/c3", ".gallery .photo", "1"},
			{"#/flat/c3", ".doubles .photo", "11,13"},
			{"#/triage", ".card .photo", "12"},
			{"#/visits", ".visits .photo", "11,13,1"},
			{"#/compare/a1,b2,c3", ".side-by-side .photo", "11,13,1"},
			{"#/duplicates", ".homes .photo", "11,13,1"},
		} {
			// Whether the photos are known before the view is drawn, or after
			for _, opens := range []func(){func() { p.open(c.hash, width) }, func() {
				p.eval(`location.hash = "#/add"`)
				p.wait(`document.querySelector(".add form")`)
				p.eval("location.hash = " + encode(c.hash))
			}} {
				opens()
				p.see(widths(c.photos), c.want)
			}
		}
		if !*whole {
			break
		}
	}
	p.eval(`location.hash = "#/flat/a1"`)
	p.click(".gallery .frame")
	p.see(widths("dialog .frame .photo, dialog .strip .photo"), "11,11,gap,12")
	p.key("ArrowLeft")
	p.see(widths("dialog .frame .photo"), "12")
	p.see(`document.querySelector("dialog [role=status]").innerText`, "3 / 3")
	p.checkFaults()
	// A group whose listings have no photos shows kept ones that are known only after it was drawn.
	url, _ = startKeeping(t, `{"keep_photos": true}`, []object{
		with("a1", object{"photos": nil, "kept_photos": []object{keptPhoto(bare)}}),
		with("b2", object{"photos": nil}),
	}, map[string]string{bare: pngOf(13)})
	p = &tab{browser: openBrowser(t), t: t, url: url}
	p.open("#/duplicates", 1280)
	p.do("Page.addScriptToEvaluateOnNewDocument", object{"source": `
		const ask = fetch;
		window.fetch = async (url, options) => {
			const soon = () => new Promise((next) => setTimeout(next, 20));
			while (/kept_photos/.test(url) && !document.querySelector("article")) await soon();
			return ask(url, options);
		};`})
	p.reload()
	p.see(widths(".homes .photo"), "13,gap")
	p.checkFaults()
}

// keptPhoto makes an entry of kept_photos.
func keptPhoto(address string) object {
	return object{"url": address, "hash": fmt.Sprintf("%x", sha256.Sum256([]byte(address)))}
}

// pngOf returns a PNG of a width in pixels.
func pngOf(width int) string {
	var text strings.Builder
	if err := png.Encode(&text, image.NewGray(image.Rect(0, 0, width, 9))); err != nil {
		panic(err)
	}
	return text.String()
}

// startKeeping runs the program with flats and the photos that it keeps, by their addresses. It returns its URL, and
// the path of its folder.
func startKeeping(t *testing.T, config string, flats []object, photos map[string]string) (url, dir string) {
	t.Helper()
	dir = t.TempDir()
	writeFile(t, filepath.Join(dir, "config.json"), config)
	writeFile(t, filepath.Join(dir, "flats.json"), encode(flats))
	if err := os.Mkdir(filepath.Join(dir, "photos"), 0o700); err != nil {
		t.Fatal(err)
	}
	for address, photo := range photos {
		writeFile(t, filepath.Join(dir, "photos", fmt.Sprint(keptPhoto(address)["hash"])), photo)
	}
	return startIn(t, dir), dir
}

// TestPageMessage tests that a message has the flat's facts between the user's own words, which are kept, and
// that calling and writing offer the next status.
func TestPageMessage(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[
		{"id": "a", "title": "Loft & more", "cost": 900, "currency": "EUR", "location": "Rue A", 
			"phone": "+33 1 99 ext. 12", "urls": ["https://www.example.org/a"], "status": "followed"},
		{"id": "b", "title": "Bare", "status": "contacted"}]`, "#/flat/a", 390)
	p.click(".contact button")
	p.see(`[...document.querySelectorAll(".message textarea")].map(({value}) => value).join("|")`, "Hello,\n\n"+
		"I am interested in this flat. Is it still available, and when could I come and see it?|Kind regards")
	p.see(`new URLSearchParams(document.querySelector(".message [href^=mailto]").href.split("?")[1]).get("body")
		.slice(-14)`, "\n\nKind regards")
	p.enter(".message label:first-of-type textarea", "Dear all,\nis it free?")
	p.enter(".message label:last-of-type textarea", "A & B")
	const text = "Dear all,\nis it free?\n\nLoft & more\nRue A\n€900\nhttps://www.example.org/a\n\nA & B"
	p.see(`new URLSearchParams(document.querySelector(".message [href^=mailto]").href.split("?")[1]).get("body")`, text)
	p.see(`decodeURIComponent(document.querySelector(".message [href^=sms]").href)`, "sms:+33199?body="+text)
	p.eval(`document.execCommand = () => window.copied = document.activeElement.value`)
	p.click(".message .primary")
	p.see("window.copied", text)
	p.see(`document.querySelectorAll(".message").length`, "0")
	const offer = `[...document.querySelectorAll(".notice")].map((notice) => notice.innerText.split("\n")
		.filter(Boolean).join(" ")).join("; ")`
	p.see(offer, "Loft & more Contacted ×")
	p.click(".notice button")
	p.see(`document.querySelector(".own .statuses [aria-pressed=true]").innerText`, "Contacted")
	p.see(offer, "Loft & more: Contacted Undo ×")
	p.press("u")
	p.see(offer, "Undone ×")
	p.eval(`addEventListener("click", (event) => event.preventDefault())`) // nothing takes calls here
	p.click(".bar a")
	p.see(offer, "Loft & more Contacted ×")
	p.click(".notice .close")
	// A flat that is contacted already gets no offer, and the words are kept.
	p.eval(`location.hash = "#/flat/b"`)
	p.see(`document.querySelector("h1")?.innerText`, "Bare")
	p.press("m")
	p.see(`[...document.querySelectorAll(".message textarea")].map(({value}) => value).join("|")`,
		"Dear all,\nis it free?|A & B")
	p.see(`[...document.querySelectorAll(".message .line > *")].map((control) => control.innerText).join()`,
		"Copy,Mail,Close")
	p.click(".message .primary")
	p.see(offer, "Copied ×")
	p.checkFaults()
}

// TestPageDial tests that "Call" dials the whole number as people of ten countries write it, and that Add picks each
// of them out of an ad.
func TestPageDial(t *testing.T) {
	t.Parallel()
	p := openTab(t, "[]", "#/add", 390)
	p.load("lib/phone")
	p.load("words/pick")
	for _, c := range phoneNumbers {
		if got := p.eval("phone.dialled(" + encode(c.written) + ")"); got != c.dialled {
			t.Errorf("dialled(%q) = %v; want %s", c.written, got, c.dialled)
		}
		// Written "Tel. Tel. 0199", the text has no label twice.
		label := "Tel.: "
		if strings.ContainsAny(c.written[:1], "TM☎") {
			label = ""
		}
		ad := "Flat with a balcony\n900 €\n60 m²\n" + label + c.written + "\nNo pets."
		if got := p.eval("phone.dialled(pick.pick(" + encode(ad) + ").phone ?? '')"); got != c.dialled {
			t.Errorf("the phone in %q dials %v; want %s", ad, got, c.dialled)
		}
	}
	p.see(`phone.dialled("112")`, "112")
	// Letters in a number are neither left out nor guessed: such a number is read, and typed by hand.
	for _, written := range []string{"1-800-FLATS", "1-800-Flats", "1800FLATS", "1 800 FLATS", "1-800-FLATS-24",
		"+1 (800) 55-FLATS", "(888) 555-FLAT", "0800 WOHNEN", "0800/WOHNEN", "Tel.: 0800-WOHNEN (free)", "by mail", ""} {
		if got := p.eval("phone.dialled(" + encode(written) + ")"); got != "" {
			t.Errorf("dialled(%q) = %v; want nothing", written, got)
		}
		ad := encode("Flat\n900 €\nTel.: " + written)
		if got := p.eval("phone.dialled(pick.pick(" + ad + ").phone ?? '')"); got != "" {
			t.Errorf("the phone in %s dials %v; want nothing", ad, got)
		}
	}
	p.bring(`[{"id": "v", "title": "V", "phone": "1-800-FLATS", "visit_date": "2031-12-01T18:00"}]`)
	p.eval(`location.hash = "#/flat/v"`)
	p.see(`document.querySelector(".address")?.innerText`, "1-800-FLATS")
	p.see(`document.querySelectorAll(".contact button").length + document.querySelectorAll("[href^=tel]").length`, "1")
	p.eval(`location.hash = "#/visits"`)
	p.wait(`document.querySelector(".visits .card")?.innerText.includes("1-800-FLATS")`)
	p.see(`document.querySelectorAll("[href^=tel]").length`, "0")
	p.checkFaults()
}

// phoneNumbers are phone numbers as people write them, with what dials them: national numbers stay national, a comma
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

// TestPageContacted tests that calling and writing offer "Contacted" on any flat that is not contacted yet, and that
// the offer outlasts a call, which hides the page.
func TestPageContacted(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	statuses := []string{"new", "followed", "odd", "ignored", "contacted", "visited"}
	var flats []object
	for _, status := range statuses {
		flats = append(flats, object{"id": status, "title": status, "status": status, "phone": "0199 00 42"})
	}
	p := openTab(t, encode(flats), "#/", 1280)
	p.eval(`addEventListener("click", (event) => event.preventDefault())`) // nothing takes calls here
	const offer = `document.querySelector(".notice")?.innerText.replace(/\s+/g, " ")`
	for _, status := range statuses {
		want := status + " Contacted ×"
		if status == "contacted" || status == "visited" {
			want = "undefined"
		}
		p.eval(`location.hash = "#/flat/` + status + `"`)
		p.see(`document.querySelector("h1")?.innerText`, status)
		for _, link := range []string{".contact [href^=tel]", ".address [href^=tel]", ".message [href^=sms]"} {
			if strings.HasPrefix(link, ".message") {
				p.click(".contact button")
			}
			p.click(link)
			p.see(offer, want)
			p.eval(`document.querySelector(".message")?.close(), document.querySelector(".notice .close")?.click()`)
		}
	}
	p.eval(`Object.defineProperty(document, "hidden", {value: true, configurable: true}), location.hash = "#/flat/new"`)
	p.see(`document.querySelector("h1")?.innerText`, "new")
	p.click(".contact [href^=tel]")
	p.see(offer, "new Contacted ×")
	p.eval("pass(40)")
	p.see(offer, "new Contacted ×")
	p.eval(`delete document.hidden, pass(10)`)
	p.see(offer, "undefined")
	p.checkFaults()
}

// TestPageMedian tests that the median is that of one postal code with enough
// priced flats, and that it is left out where the list has no other place.
func TestPageMedian(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []string
	for i, c := range []struct{ code, location, cost string }{
		{"69001", "Rue A, Lyon 1er", "1000"}, {"69001", "Rue B", "900"}, {"69001", "Rue C", "1000"},
		{"69002", "Lyon 2e", "100"}, {"69003", "[Rue (D*), Lyon 3e-Ost", "100"}, {"69002", "69002 Lyon", "100"},
		{"69002", "Rue F", "0"},
	} {
		flats = append(flats, fmt.Sprintf(`{"id": %d, "title": "Flat %[1]d", "cost": %s, "currency": "EUR", "area": 10,
			"location": %q, "service_constraint": "lyon", "service_postal_code": %q}`, i, c.cost, c.location, c.code))
	}
	p := openTab(t, "["+strings.Join(flats, ",")+"]", "", 1280)
	const shown = `document.querySelector(".source + .facts ~ p.soft, .editable ~ p.soft")?.innerText.trim() + "; " +
		document.querySelector(".address").firstChild.textContent`
	for _, c := range []struct{ list, flat, want string }{
		{"#/", "0", "at the median of 3 flats in 69001 Lyon 1er; Rue A, 69001 Lyon 1er"},
		{"#/", "1", "10% below the median of 3 flats in 69001 Lyon 1er; Rue B, 69001 Lyon 1er"},
		{"#/", "3", "; 69002 Lyon 2e"}, // two priced ones are not enough
		{"#/", "5", "; 69002 Lyon"},
		{"#/", "4", "; [Rue (D*), 69003 Lyon 3e-Ost"},
		{"#/?place=69001+Lyon+1er", "1", "; Rue B, 69001 Lyon 1er"},
		{"#/?cost=500..", "1", "; Rue B, 69001 Lyon 1er"},
		{"#/?cost=..100", "1", "10% below the median of 3 flats in 69001 Lyon 1er; Rue B, 69001 Lyon 1er"},
		{"#/?place=69003+Lyon+3e", "1", "10% below the median of 3 flats in 69001 Lyon 1er; Rue B, 69001 Lyon 1er"},
	} {
		p.eval("location.hash = " + encode(c.list))
		p.wait(`document.querySelector(".row")`)
		p.eval("location.hash = " + encode("#/flat/"+c.flat))
		p.wait(`document.querySelector(".flat .address")`)
		p.eval("new Promise((done) => setTimeout(done, 200))")
		p.see(encode(c.list+" ")+" + "+shown, c.list+" "+c.want)
	}
	p.checkFaults()
	// Where the median cannot be asked for, no empty line is left.
	p.eval(`window.fetch = ((ask) => (url, ...rest) =>
		String(url).includes("counts=") ? Promise.reject(new TypeError("lost")) : ask(url, ...rest))(fetch)`)
	p.goTo("#/flat/0", ".address")
	p.see(`document.querySelector(".editable ~ p.soft").checkVisibility()`, "false")
}

// TestPageDetails tests that the first short details stand with the facts, in words,
// and that a flat that was kept names its other listings.
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
		{"id": "c@site", "title": "Odd", "details": "quiet", "status": "ignored"},
		{"id": "d@site", "title": "Late", "details": {"ninth": 8, "about": "long"}, "status": "ignored"}]`,
		"#/flat/a%40site", 1280)
	p.load("words/flats")
	for _, c := range []struct{ value, want string }{
		{`900`, "€900"}, {`"2400"`, "€2,400"}, {`"1.800"`, "€1,800"}, {`3`, "3"}, {`"3 months"`, "3 months"},
		{`"1.800 €"`, "1.800 €"}, {`[900]`, "900"}, {`null`, ""}, {`"1.2.3"`, "1.2.3"},
	} {
		if got := p.eval(`flats.detailInWords("deposit", ` + c.value + `, {currency: "EUR"})`); got != c.want {
			t.Errorf("the deposit %s is %q; want %q", c.value, got, c.want)
		}
	}
	brief := strings.Join([]string{"Available from 1 Mar 2026", "Viewing 1 Feb 2026, 18:30", "Year built 1930",
		"Deposit €12,500.50", "Lift no", "Has WLAN yes", "Floor 3/5", "Forty " + strings.Repeat("y", 40)}, "; ")
	const pairs = `[...document.querySelectorAll(".brief > div")].map((pair) => pair.innerText.replace("\n", " "))
		.join("; ")`
	p.see(pairs, brief+"; Listed Jan 2024")
	p.see(`[...document.querySelectorAll(".details dt")].map((name) => name.innerText).join()`,
		"About,List,Empty,Ninth")
	p.see(`[...document.querySelectorAll(".others li")].map((other) => other.innerText).join()`,
		"Second listing\n€950\nexample.org\nexample.net\nexample.org (2)")
	p.see(`document.querySelector(".others a:last-child").href`, "https://example.org/c")
	p.eval(`location.hash = "#/triage"`)
	p.see(pairs, brief+"; Listed Jan 2024")
	p.eval(`location.hash = "#/flat/c%40site"`)
	p.see(pairs, "Details quiet")
	// Compare has a row for a detail with the facts if it is short and among the first of any flat.
	p.eval(`location.hash = "#/compare/a%40site,d%40site"`)
	p.see(`[...document.querySelectorAll("tbody tr")].map((row) => [...row.cells].map((cell) => cell.innerText).join(" "))
		.filter((row) => /built|Ninth|About|Site/.test(row)).join("; ")`,
		"Year built 1930 –; Ninth 9 8; About "+strings.Repeat("x", 41)+" long; Site site site")
	p.checkFaults()
	// Well-known details, and the site of what was added by hand, are in the user's language.
	for _, c := range []struct{ language, brief, site, row string }{
		{"de", "Etage 3; Kaution 900; Frei ab sofort; Energieklasse B; Baujahr 1930; Has WLAN ja", "selbst eingetragen",
			"Lyon · selbst eingetragen"},
		{"fr", "Étage 3; Dépôt de garantie 900; Disponible le sofort; Classe énergie B; Année de construction 1930; " +
			"Has WLAN oui", "ajoutée à la main", "Lyon · ajoutée à la main"},
	} {
		p := openTab(t, `[{"id": "a@added", "title": "Loft", "location": "Lyon", "details": {"floor": 3, "deposit": 900,
			"availableFrom": "sofort", "energy": "B", "year_built": 1930, "hasWLAN": true}}, {"id": "b@site"}]`, "", 1280)
		p.do("Emulation.setUserAgentOverride", object{"userAgent": "test", "acceptLanguage": c.language})
		p.reload()
		p.see(`[...document.querySelectorAll(".row .about")].map(({innerText}) => innerText).join("; ").includes(`+
			encode(c.row)+")", "true")
		p.eval(`location.hash = "#/?site=added"`)
		p.see(`document.querySelector(".chips .chip")?.innerText`, c.site+" ×")
		p.eval(`location.hash = "#/flat/a%40added"`)
		p.wait(`document.querySelector(".brief")`)
		p.see(pairs, c.brief)
		p.see(`document.querySelector(".source").innerText.split("\n")[0]`, c.site)
		p.checkFaults()
	}
}

// TestPagePaper tests that a flat is printed on at most two pages, where texts end with a whole line, without
// what has no value.
func TestPagePaper(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	long := strings.Repeat("A text of many words. ", 400)
	p := openTab(t, fmt.Sprintf(`[{"id": "a", "title": "Loft", "location": "Rue A", "cost": 900, "currency": "EUR",
		"text": %q, "details": {"floor": 3, "about": %q}, "photos": ["https://127.0.0.1:1/x"]}]`, long, long),
		"#/flat/a", 720)
	const shown = `["text", "details", "stars", "visit", "notes", "address"].filter((name) =>
		document.querySelector("." + name).offsetHeight > 0).join()`
	p.wait(`document.querySelector(".address")`)
	p.do("Emulation.setEmulatedMedia", object{"media": "print"})
	p.see(shown, "text,details,address")
	p.do("Emulation.setEmulatedMedia", object{"media": ""})
	p.enter("#notes", strings.Repeat("Damp.\n", 90))
	p.enter("#visit", "2031-07-14T18:30")
	p.click(".own .stars :nth-child(4)")
	p.wait(`document.querySelector(".stars [aria-pressed=true]")`)
	p.do("Emulation.setEmulatedMedia", object{"media": "print"})
	p.see(shown, "text,details,stars,visit,notes,address")
	const status = `[...document.querySelectorAll(".choices button")].filter((button) => button.checkVisibility() &&
		!button.closest(".stars")).map(({innerText}) => innerText).join()`
	p.see(status, "Followed")
	p.see(`document.querySelector(".visit").innerText.replace(/\s+/g, " ")`, "Visit Mon, 14 Jul 2031, 18:30")
	for _, name := range []string{".text", ".details", ".notes .sheet"} {
		p.see(fmt.Sprintf(`(({scrollHeight, clientHeight}, {lineHeight}) => scrollHeight > clientHeight &&
			Math.abs(clientHeight / parseFloat(lineHeight) %% 1 - 0.5) > 0.4)(
			document.querySelector(%[1]q), getComputedStyle(document.querySelector(%[1]q)))`, name), "true")
	}
	if got := p.printedPages(); got != 2 {
		t.Errorf("the flat is printed on %d pages; want 2", got)
	}
	p.do("Emulation.setEmulatedMedia", object{"media": ""})
	p.click(".own [data-status=ignored]")
	p.wait(`document.querySelector(".own [data-status=ignored][aria-pressed=true]")`)
	p.do("Emulation.setEmulatedMedia", object{"media": "print"})
	p.see(status, "Dismiss")
	p.checkFaults()
}

// TestPageEdit tests that fields correct the facts, that nothing is deleted by
// accident, and that what the listing says is named and can be restored.
func TestPageEdit(t *testing.T) {
	t.Parallel()
	p := openTab(t, `[
		{"id": "a@site", "title": "Loft", "cost": 1200, "currency": "EUR", "area": 100, "rooms": 3, "location": "Rue A",
			"phone": "0199", "service_constraint": "lyon", "service_postal_code": "69007",
			"urls": ["https://example.org/a", "https://example.net/a"], "text": "Quiet.\nThird floor.",
			"photos": ["https://127.0.0.1:1/x"]},
		{"id": "b@site", "title": "Bare", "service_constraint": "lyon"}]`, "#/flat/a%40site", 1280)
	p.eval(`{
		const ask = fetch;
		window.sent = [];
		window.down = false;
		window.fetch = async (url, options) => {
			if (options?.method !== "PATCH") return ask(url, options);
			if (down) throw new TypeError("down");
			sent.push(options.body);
			return ask(url, options);
		};
	}`)
	const marks = `[...document.querySelectorAll(".corrected li")].map((line) => line.innerText).join("; ")`
	// correct opens the fields, types the values by name, and saves them.
	correct := func(typed ...string) {
		t.Helper()
		p.click(".edit")
		for i := 0; i < len(typed); i += 2 {
			p.enter("[name="+typed[i]+"]", typed[i+1])
		}
		p.click(".editing .primary")
	}
	p.wait(`document.querySelector(".edit")`)
	p.press("e")
	p.see("document.activeElement.name", "title")
	p.see(`[...document.querySelectorAll(".editing input[name]")].filter(({name, offsetWidth}) =>
		offsetWidth < (name === "link" || name === "title" ? 200 : 90)).map(({name}) => name).join()`, "")
	p.see(`[...document.querySelectorAll(".editing label[for]")].map((label) => label.innerText + " " +
		document.getElementById(label.htmlFor).value).join("; ")`, "Title Loft; Cost 1200; Currency EUR; Area 100; "+
		"Rooms 3; Bedrooms ; Place Rue A; Postal code 69007; Phone 0199; "+
		"Link https://example.org/a; Text Quiet.\nThird floor.")
	p.click(".editing .primary") // nothing was changed, so nothing is sent
	p.see("document.activeElement.className", "edit")
	// Only what was changed is sent. A field that is emptied deletes nothing unless its box is ticked.
	correct("cost", "1.150 €", "area", "72 m²", "rooms", "2,5", "bedrooms", "", "service_postal_code", " 69003 ",
		"phone", "")
	p.see("sent.join()", `{"cost":1150,"area":72,"rooms":2.5,"service_postal_code":"69003"}`)
	p.see(`document.querySelector(".notice p")?.innerText`,
		"Loft: Cost €1,150, Area 72\u00a0m², Rooms 2.5, Postal code 69003")
	p.see(marks, "Cost: €1,150 corrected The listing says €1,200; "+
		"Area: 72\u00a0m² corrected The listing says 100\u00a0m²; Rooms: 2.5 corrected The listing says 3; "+
		"Postal code: 69003 corrected The listing says 69007")
	p.see(`document.querySelector(".what .facts").innerText.replace(/\s+/g, " ")`, "€1,150 72 m² 2.5 rooms €16/m²")
	p.see(`document.querySelector(".address").innerText.includes("Rue A, 69003 Lyon 3e")`, "true")
	p.press("u")
	p.see(marks, "")
	p.see(`document.querySelector(".what .facts").innerText.replace(/\s+/g, " ")`, "€1,200 100 m² 3 rooms €12/m²")
	// Undo leaves what an import has said meanwhile. It restores an earlier correction, also where the listing's
	// value was taken instead.
	correct("cost", "1100", "rooms", "4")
	p.see(marks, "Cost: €1,100 corrected The listing says €1,200; Rooms: 4 corrected The listing says 3")
	p.see(`document.querySelector(".corrected").getBoundingClientRect().top -
		document.querySelector(".editable > .line").getBoundingClientRect().bottom`, "8")
	p.bring(`[{"id": "a@site", "cost": 900}]`)
	p.press("u")
	p.see(marks, "")
	p.see(`document.querySelector(".what .facts").innerText.replace(/\s+/g, " ")`, "€900 100 m² 3 rooms €9/m²")
	correct("cost", "950")
	const first = "Cost: €950 corrected The listing says €900"
	p.see(marks, first)
	correct("cost", "980")
	p.see(marks, "Cost: €980 corrected The listing says €900")
	p.press("u")
	p.see(marks, first)
	correct("cost", "900")
	p.see(`document.querySelector(".notice p")?.innerText`, "Loft: Cost €900")
	p.see(marks, "")
	p.press("u")
	p.see(marks, first)
	p.press("u")
	p.see(marks, "")
	// A text that is no number is marked, and nothing is sent.
	p.eval("sent.length = 0")
	correct("title", "Attic", "rooms", "two")
	p.see(`document.activeElement.name + document.activeElement.ariaInvalid`, "roomstrue")
	p.see(`document.getElementById("edit-trouble-rooms").innerText`, "This is not a number")
	// What was typed is there again where the view was left meanwhile, until it is given up.
	p.enter("[name=phone]", "")
	p.click(".field:has([name=phone]) [type=checkbox]")
	p.eval(`location.hash = "#/visits"`)
	p.wait(`document.querySelector(".visits h1")`)
	p.eval(`location.hash = "#/flat/a%40site"`)
	p.see(`[...document.querySelectorAll(".editing input")].map((input) => input.name ? input.value : input.checked)
		.join()`, "Attic,false,900,false,EUR,false,100,false,two,false,,false,Rue A,false,69007,false,,true,"+
		"https://example.org/a,false,false")
	p.see("document.activeElement.tagName", "H1")
	p.click(".editing > .line [type=button]")
	p.wait(`!document.querySelector(".editing")`)
	p.eval(`location.hash = "#/visits"`)
	p.wait(`document.querySelector(".visits h1")`)
	p.eval(`location.hash = "#/flat/a%40site"`)
	p.click(".edit")
	p.see(`document.querySelector("[name=title]")?.value`, "Loft")
	p.enter("[name=title]", "Attic")
	// An update from elsewhere on the page, and Escape, leave the fields open.
	p.click(".own [data-status=followed]")
	p.wait(`document.querySelector(".own [data-status=followed][aria-pressed=true]")`)
	p.eval(`document.querySelector("[name=rooms]").focus()`)
	p.key("Escape")
	p.enter("[name=rooms]", "3,0")
	p.see(`document.querySelector("[name=rooms]").ariaInvalid`, "false")
	p.eval("down = true")
	p.click(".editing .primary")
	p.see(`document.querySelector("[role=alert] p")?.innerText`,
		"Loft: Title Attic. That did not work: no network connection.")
	p.see(`document.querySelector("[name=title]").value`, "Attic")
	p.eval("down = false")
	p.click("[role=alert] button")
	p.see(`document.querySelector("h1").innerText`, "Attic")
	p.see("sent.join()", `{"status":"followed"},{"title":"Attic"}`)
	p.see(marks, "Title: Attic corrected The listing says Loft")
	// A box deletes a value, and a button restores that of the listing.
	p.click(".edit")
	p.enter("[name=phone]", "")
	p.see(`document.querySelector(".field:has([name=phone]) .line").innerText`, "Tick to delete; otherwise 0199 is kept.")
	p.click(".field:has([name=phone]) [type=checkbox]")
	p.click(".field:has([name=title]) button")
	p.see(`document.querySelector("[name=title]").value`, "Loft")
	p.click(".editing .primary")
	p.see(marks, "Phone: nothing corrected The listing says 0199")
	p.click(".edit")
	p.click(".field:has([name=phone]) button")
	p.click(".editing .primary")
	p.see(marks, "")
	p.see(`sent.slice(-2).join()`, `{"title":"Loft","phone":null},{"phone":"0199"}`)
	// The first link and the text can be changed, too. The other links stay, and Undo restores what was there.
	p.eval("sent.length = 0")
	correct("link", "example.org")
	p.see(`document.activeElement.name + document.getElementById("edit-trouble-link").innerText`, "linkThis is not a link")
	p.eval(`document.querySelector(".editing [type=button]").click()`)
	correct("link", "https://example.org/b", "text", "Loud.\nWith a <b>garden</b>.")
	p.see("sent.join()", `{"text":"Loud.\nWith a <b>garden</b>.",`+
		`"urls":["https://example.org/b","https://example.net/a"]}`)
	p.see(`document.querySelector("p.text").textContent`, "Loud.\nWith a <b>garden</b>.")
	p.see(`[...document.querySelectorAll(".source a")].map(({href}) => href).join()`,
		"https://example.org/b,https://example.net/a")
	p.press("u")
	p.see(`document.querySelector("p.text").textContent`, "Quiet.\nThird floor.")
	p.see(`document.querySelector(".source a").href`, "https://example.org/a")
	p.click(".edit")
	p.enter("[name=text]", "")
	p.click(".field:has([name=text]) [type=checkbox]")
	p.click(".editing .primary")
	p.see(`document.querySelector("p.text").textContent`, "")
	// What the listing does not say can be added, and removed again. The service does not serve a postal code
	// that it does not know, but the page shows it, and Undo removes it. A cost brings its currency.
	p.eval(`location.hash = "#/flat/b%40site"`)
	p.see(`document.querySelector("h1")?.innerText`, "Bare")
	correct("service_postal_code", "99999")
	p.see(marks, "Postal code: 99999 corrected The listing says nothing")
	p.press("u")
	p.see(marks, "")
	correct("cost", "CHF 1'240.–")
	const currency = "Currency: CHF corrected The listing says nothing"
	p.see(marks, "Cost: CHF\u00a01,240 corrected The listing says no price; "+currency)
	p.click(".edit")
	p.click(".field:has([name=cost]) button")
	p.click(".editing .primary")
	p.see(marks, currency)
	p.resize(320)
	p.click(".edit")
	p.wait(`document.querySelector(".editing")`)
	p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
	p.see(`[...document.querySelectorAll(".editing :is(button, input:not([type=checkbox]), .line)")]
		.filter((control) => control.offsetHeight > 0 && control.offsetHeight < 44)
		.map((control) => control.outerHTML).join()`, "")
	p.checkFaults()
}

// TestPageEditElsewhere tests that corrections name what they replace that the form did not know, and that Undo
// restores it.
func TestPageEditElsewhere(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Loft", "cost": 1200, "currency": "EUR", "area": 100, "rooms": 3,
		"urls": ["https://example.org/a"]}]`, "#/flat/a", 1280)
	const marks = `[...document.querySelectorAll(".corrected li")].map((line) => line.innerText).join("; ")`
	const notice = `document.querySelector(".notice p")?.innerText`
	const area = "Area: 90\u00a0m² corrected The listing says 100\u00a0m²; "
	const rooms = "Rooms: 2 corrected The listing says 3"
	other := func(fields string) {
		p.eval(`fetch("api/v1/flat/a", {method: "PATCH", body: ` + encode(fields) + `})`)
	}
	// A field that was not changed here is not sent, and one that has the same value already is replaced by nothing.
	p.click(".edit")
	p.enter("[name=cost]", "1100")
	p.enter("[name=rooms]", "2")
	other(`{"cost": 1150, "area": 90, "rooms": 2}`)
	p.click(".editing .primary")
	p.see(notice, "Loft: Cost €1,100, Rooms 2. This replaced a decision made elsewhere: Cost €1,150")
	p.see(marks, "Cost: €1,100 corrected The listing says €1,200; "+area+rooms)
	p.press("u")
	p.see(marks, "Cost: €1,150 corrected The listing says €1,200; "+area+rooms)
	// Undo corrects nothing where the value of the listing was restored elsewhere.
	p.click(".edit")
	p.enter("[name=cost]", "1000")
	other(`{"cost": 1200}`)
	p.click(".editing .primary")
	p.see(notice, "Loft: Cost €1,000. This replaced a decision made elsewhere: Cost €1,200")
	p.see(marks, "Cost: €1,000 corrected The listing says €1,200; "+area+rooms)
	p.press("u")
	p.see(marks, area+rooms)
	// What was typed before the view was left is compared with what the flat was then.
	p.click(".edit")
	p.enter("[name=title]", "Attic")
	p.enter("[name=link]", "https://example.org/c")
	p.goTo("#/visits", "h1")
	other(`{"title": "Den", "urls": ["https://example.org/b"]}`)
	p.goTo("#/flat/a", ".editing")
	p.see(`["title", "link"].map((name) => document.querySelector("[name=" + name + "]").value).join()`,
		"Attic,https://example.org/c")
	p.click(".editing .primary")
	p.see(notice, "Loft: Title Attic, Link https://example.org/c. "+
		"This replaced a decision made elsewhere: Title Den, Link https://example.org/b")
	p.press("u")
	p.see(`document.querySelector("h1").innerText + " " + document.querySelector(".source a").href`,
		"Den https://example.org/b")
	p.checkFaults()
}

// TestPageEditReload tests that unsaved corrections outlive a reload, also while another view is open, until they are
// saved or cancelled.
func TestPageEditReload(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Loft", "cost": 1200}, {"id": "b", "title": "Bare"}]`, "#/flat/a", 1280)
	const typed = `document.querySelector(".editing [name=cost]")?.value`
	p.click(".edit")
	p.wait(`document.querySelector(".editing")`)
	p.reload()
	p.wait(`document.querySelector(".edit")`) // nothing was typed
	p.click(".edit")
	p.enter(".editing [name=cost]", "1150")
	p.reload()
	p.see(typed, "1150")
	p.goTo("#/flat/b", ".edit")
	p.reload()
	p.goTo("#/flat/a", ".editing")
	p.see(typed, "1150")
	p.reload()
	p.see(typed, "1150")
	p.click(".editing .primary")
	p.wait(`document.querySelector(".edit")`)
	if got := p.flat("a", "cost"); got != "1150" {
		t.Errorf("cost = %s; want 1150", got)
	}
	p.click(".edit")
	p.enter(".editing [name=cost]", "1100")
	p.reload()
	p.see(typed, "1100")
	p.click(".editing .primary + button") // Cancel
	p.wait(`document.querySelector(".edit")`)
	p.reload()
	p.wait(`document.querySelector(".edit")`)
	p.eval("new Promise((done) => setTimeout(done, 200))") // the fields would open a little later
	p.see(`document.querySelectorAll(".editing").length`, "0")
	p.checkFaults()
}

// TestPagePressed tests that a dialog that is opened while the page asks whether the flat has changed elsewhere stays,
// and that the fields open although the facts are made anew in between.
func TestPagePressed(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, "#/flat/lyon-1042%40example", 1280)
	var answer atomic.Pointer[chan struct{}] // the flat's answer waits until it is closed
	hold := func(got *http.Response) {
		switch {
		case path.Base(got.Request.URL.Path) == "lyon-1042@example":
			<-*answer.Load()
		case strings.Contains(got.Request.URL.RawQuery, "corrected"): // what Edit waits for comes later
			<-*answer.Load()
			time.Sleep(300 * time.Millisecond)
		}
	}
	for i, c := range []struct{ press, opens, before string }{
		{".contact button", ".message", `document.querySelector(".message")`},
		{".edit", ".editing", "true"},
	} {
		p.goTo("#/", ".row")
		p.eval(fmt.Sprintf(`fetch("api/v1/flat/lyon-1042%%40example", {method: "PATCH", body: '{"cost": %d}'})`, 700+i))
		come := make(chan struct{})
		answer.Store(&come)
		network.change.Store(&hold)
		p.goTo("#/flat/lyon-1042%40example", c.press)
		p.click(c.press)
		p.wait(c.before)
		close(come)
		network.change.Store(nil)
		p.wait(`performance.getEntriesByType("resource").filter(({name}) => name.endsWith("/flats/lyon-1042%40example"))
			.length > 1`)
		p.eval("new Promise((done) => setTimeout(done, 500))")
		p.see(fmt.Sprintf("document.querySelectorAll(%q).length", c.opens), "1")
		p.reload()
	}
	p.checkFaults()
}

// TestPageNotes tests that notes save themselves, survive a lost network, and
// are not overwritten by another device.
func TestPageNotes(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, "#/flat/4711", 390)
	saved := `document.querySelector("#saved").innerText`
	p.wait(`document.querySelector("#notes")`)
	p.see(`["visit", "notes"].map((id) => document.getElementById(id).getBoundingClientRect().top -
		document.querySelector("[for=" + id + "]").getBoundingClientRect().bottom).join()`, "8,8")
	network.down.Store(true)
	p.enter("#notes", "Second bell, ask for the cellar.")
	p.wait("/Kept/.test(" + saved + ")")
	network.down.Store(false)
	p.see(saved, "Saved")
	if got := p.flat("4711", "notes"); got != "Second bell, ask for the cellar." {
		t.Errorf("notes = %q; want those that were typed", got)
	}
	// A reload loses no notes that are not saved yet; any view sends them.
	p.enter("#notes", "It is damp.")
	p.eval(`location.hash = "#/"`)
	p.reload()
	p.wait(`fetch("api/v1/flats/4711").then((r) => r.json()).then(({data}) => data.notes === "It is damp.")`)
	p.eval(`location.hash = "#/flat/4711"`)
	p.see(`document.querySelector("#notes")?.value`, "It is damp.")
	p.see(`localStorage["flats.notes.4711"]`, "undefined")
	// A draft that another tab of this browser has left is not overwritten: the page asks, once, even if the other tab
	// saves it after all.
	for _, isSaved := range []bool{false, true} {
		p.eval(`localStorage["flats.notes.4711"] = JSON.stringify({text: "Ask for the key.", base: "It is damp."})`)
		p.enter("#notes", "Call at six.")
		p.see(`document.querySelector(".versions p")?.innerText`, "Ask for the key.")
		p.reload()
		p.see(`document.querySelector(".versions p")?.innerText`, "Ask for the key.")
		p.see(saved, "Not saved: changed elsewhere.")
		if isSaved {
			p.eval(`fetch("api/v1/flat/4711", {method: "PATCH", body: '{"notes": "Ask for the key."}'})`)
		}
		p.click(".versions button")
		p.see(saved, "Saved")
		if got := p.flat("4711", "notes"); got != "Ask for the key.\n\nCall at six." {
			t.Errorf("notes after Keep both = %q; want both versions", got)
		}
		p.enter("#notes", "It is damp.")
		p.see(`localStorage["flats.notes.4711"]`, "undefined")
	}
	// If two tabs write at the same time, the second one shows both versions and asks.
	other := p.openOther("#/flat/4711")
	other.see(`document.querySelector("#notes")?.value`, "It is damp.")
	p.enter("#notes", "Ours.")
	p.see(saved, "Saved")
	other.enter("#notes", "Theirs.")
	other.see(`document.querySelector(".versions p")?.innerText`, "Ours.")
	other.see(saved, "Not saved: changed elsewhere.")
	other.see(`document.querySelector(".versions").nextElementSibling.id`, "notes")
	other.click(".versions button")
	other.see(saved, "Saved")
	if got := p.flat("4711", "notes"); got != "Ours.\n\nTheirs." {
		t.Errorf("notes after Keep both = %q; want both versions", got)
	}
	// For other fields the last update wins, and does not affect the notes.
	p.enter("#notes", "Ours.\n\nTheirs.")
	p.click(".own [data-status=contacted]")
	p.see(`document.querySelector(".own [data-status=contacted]").ariaPressed`, "true")
	other.click(".own [data-status=visited]")
	other.see(`document.querySelector(".own [data-status=visited]").ariaPressed`, "true")
	other.enter("#notes", "Agreed.")
	other.see(saved, "Saved")
	other.see(`document.querySelectorAll(".versions p").length`, "0")
	if got := p.flat("4711", "notes") + p.flat("4711", "status"); got != "Agreed.visited" {
		t.Errorf("notes and status = %q; want Agreed.visited", got)
	}
	// The checklist consists of lines of the notes.
	other.click(".notes .line button")
	other.see(`document.querySelectorAll(".boxes input").length`, "12")
	for _, width := range []int{390, 1280} {
		other.resize(width)
		other.eval(`document.querySelector("#notes").scrollIntoView({block: "end"})`)
		other.see(`(({top, bottom}) => top >= 44 && bottom <= innerHeight)(
			document.querySelector("#saved").getBoundingClientRect())`, "true")
	}
	other.click(".boxes li:nth-child(2) input")
	other.wait(`document.querySelector("#notes").value
		.startsWith("Agreed.\n- [ ] Water pressure\n- [x] Noise\n- [ ] Mould")`)
	other.see(saved, "Saved")
	if got := p.flat("4711", "notes"); !strings.Contains(got, "- [x] Noise") {
		t.Errorf("notes = %q; want a ticked box for Noise", got)
	}
	// A box has room for an answer, which stands in its line.
	other.eval(`document.querySelector(".boxes li:nth-child(2) textarea").focus()`)
	other.press("by day: yes")
	other.see(`document.activeElement.ariaLabel + ": " + document.activeElement.value`, "Noise: answer: by day: yes")
	other.see(saved, "Saved")
	other.click(".boxes li:nth-child(2) input")
	other.wait(`document.querySelector("#notes").value.includes("pressure\n- [ ] Noise: by day: yes\n- [ ] Mould")`)
	other.see(`document.querySelector(".boxes li:nth-child(2) textarea").value`, "by day: yes")
	other.see(`document.querySelector(".notes .line button").hidden`, "true")
	p.checkFaults()
	other.checkFaults()
}

// TestPageNotesLeaving tests that notes are sent when the page is hidden or closed while they are typed, once, with
// the rules of notes.
func TestPageNotesLeaving(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, "#/flat/4711", 390)
	service := network.target.Load().String()
	checkNotes := func(want string) {
		t.Helper()
		var got struct{ Data struct{ Notes string } }
		for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			_, body := get(t, service+"/api/v1/flats/4711")
			if json.Unmarshal([]byte(body), &got); got.Data.Notes == want {
				return
			}
		}
		t.Errorf("notes = %q; want %q", got.Data.Notes, want)
	}
	var updates atomic.Int32
	count := func(answer *http.Response) {
		if answer.Request.Method == "PATCH" {
			updates.Add(1)
		}
	}
	network.change.Store(&count)
	const hide = `Object.defineProperty(document, "visibilityState", {value: "hidden", configurable: true});
		document.dispatchEvent(new Event("visibilitychange", {bubbles: true}));`
	typed := func(p *tab, notes, then string) {
		t.Helper()
		p.wait(`document.querySelector("#notes")`)
		p.eval(fmt.Sprintf(`{ const field = document.querySelector("#notes"); field.value = %s;
			field.dispatchEvent(new Event("input")); }; %s 0`, encode(notes), then))
	}
	const saved = `document.querySelector("#saved").innerText`
	// A page that is hidden sends at once; one that stays open asks again, and sends nothing twice.
	p.wait(`document.querySelector("#notes")`)
	network.latency.Store(100)
	typed(p, "Hidden.", `window.timer = setTimeout; window.setTimeout = () => {}; `+hide)
	checkNotes("Hidden.")
	p.eval(`window.setTimeout = timer, 0`)
	p.see(saved, "Saved")
	typed(p, "Hidden twice.", hide+hide)
	p.see(saved, "Saved")
	p.eval(`new Promise((done) => setTimeout(done, 1500))`)
	checkNotes("Hidden twice.")
	if got := updates.Load(); got != 2 {
		t.Errorf("%d updates; want 2", got)
	}
	// Another address, and a tab that is closed, with the worker too.
	for i, worker := range []bool{false, true} {
		for _, leave := range []string{"leave", "close"} {
			other := p.openOther("#/flat/4711")
			if worker {
				other.startWorker()
			}
			notes := fmt.Sprint(leave, i)
			if typed(other, notes, map[string]string{"leave": `location.href = "about:blank";`}[leave]); leave == "close" {
				other.do("Page.close", nil)
			}
			checkNotes(notes)
		}
	}
	// What somebody else wrote meanwhile stays, and the draft waits for an answer.
	p.reload()
	p.see(`document.querySelector("#notes")?.value`, "close1")
	network.latency.Store(0)
	p.eval(`fetch("api/v1/flat/4711", {method: "PATCH", body: '{"notes": "Theirs."}'})`)
	typed(p, "Mine.", hide)
	p.see(`document.querySelector(".versions p")?.innerText`, "Theirs.")
	checkNotes("Theirs.")
	p.see(`JSON.parse(localStorage["flats.notes.4711"]).text`, "Mine.")
	// Who types on before the page knows what has arrived is asked nothing.
	other := p.openOther("#/flat/4711")
	other.see(`document.querySelector("#notes")?.value`, "Theirs.")
	network.latency.Store(1000)
	typed(other, "Typed", "")
	other.reload()
	typed(other, "Typed on.", "")
	other.see(saved, "Saved")
	other.see(`document.querySelectorAll(".versions *").length`, "0")
	checkNotes("Typed on.")
	p.checkFaults()
}

// TestPageNotesNear tests that "Notes" at the bottom of a phone goes to the notes, or to their checklist.
func TestPageNotesNear(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const list = "Old.\n- [ ] Noise\n- [ ] Light"
	long := strings.Repeat("Word. ", 900)
	p := openTab(t, `[{"id": "a", "title": "Loft", "text": "`+long+`"},
		{"id": "b", "title": "Listed", "notes": `+encode(list)+`, "text": "`+long+`"}]`, "#/flat/a", 390)
	for _, c := range []struct{ id, notes, want string }{{"a", "", "textarea"}, {"b", list, "checkbox"}} {
		p.eval(`location.hash = "#/flat/` + c.id + `"`)
		p.see(`document.querySelector("#notes")?.value`, c.notes)
		p.see(`document.querySelector("#notes").getBoundingClientRect().top > innerHeight`, "true")
		p.clickOn(`[...document.querySelectorAll(".flat .bar button")].find(({innerText}) => innerText === "Notes")`)
		p.see(`document.activeElement.type + document.activeElement.closest("section").className`, c.want+"flat")
		p.see(`(([label, field, top, bar]) => label.top >= top.bottom && field.bottom <= bar.top)(
			[document.querySelector("[for=notes]"), document.activeElement, ...document.querySelectorAll("#bar, .flat .bar")]
				.map((element) => element.getBoundingClientRect()))`, "true")
	}
	p.checkFaults()
}

// TestPageNotesAsked tests that the question about notes that were changed elsewhere leaves the field in which one
// types in sight, between the bars of a phone, and takes little of it.
func TestPageNotesAsked(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, lines := range []int{1, 30} {
		p := openTab(t, `[{"id": "a", "notes": "Mine.\n- [ ] Noise"}]`, "#/flat/a", 390)
		for _, field := range []string{"#notes", ".answer"} {
			p.click(field)
			theirs := encode(field + strings.Repeat(" is theirs.\n", lines))
			p.eval(`fetch("api/v1/flat/a", {method: "PATCH", body: JSON.stringify({notes: ` + theirs + `})})`)
			p.press("quiet")
			p.wait(`document.querySelector(".versions button")`)
			p.see(`(([field, top, bar]) => field.top >= top.bottom && field.bottom <= bar.top)(
				[document.activeElement, ...document.querySelectorAll(".bar, #bar")]
					.map((element) => element.getBoundingClientRect()))`, "true")
			p.see(`document.activeElement.matches(`+encode(field)+`)`, "true")
			// However long the other notes are, the question takes little of the view, and all of them can be reached.
			p.see(`document.querySelector(".versions").offsetHeight < innerHeight * 0.3`, "true")
			p.see(`[...document.querySelectorAll(".versions button")].filter(({offsetHeight}) => offsetHeight >= 44)
				.length`, "3")
			p.see(`(text => text.tabIndex === 0 && getComputedStyle(text).overflowY)(document.querySelector(".versions p"))`,
				"auto")
			p.clickOn(`document.querySelectorAll(".versions button")[1]`) // Keep yours
			p.see(`document.querySelector("#saved").innerText`, "Saved")
		}
		p.checkFaults()
	}
}

// TestPageBoth tests that "Keep both" keeps each line that both versions have once.
func TestPageBoth(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.load("parts/notes")
	for _, c := range []struct{ theirs, mine, want string }{
		{"Ours.", "Theirs.", "Ours.\n\nTheirs."},
		{"", "Mine.", "Mine."},
		{"a\nb\nc", "a\nx\nc\ny", "a\nb\nx\nc\ny"},
		{"a\na", "a\na", "a\na"},
		{"- [ ] Noise\n- [x] Light", "- [x] Noise\n- [ ] Light", "- [x] Noise\n- [x] Light"},
		{"- [ ] Noise", "Mine.\n\n- [ ] Noise: quiet", "Mine.\n\n- [ ] Noise: quiet"},
		{"- [x] Noise: loud", "- [ ] Noise", "- [x] Noise: loud"},
		{"- [x] Noise: loud", "- [ ] Noise: quiet\nend", "- [x] Noise: loud\n\n- [ ] Noise: quiet\nend"},
	} {
		if got := p.eval(fmt.Sprintf("notes.united(%s, %s)", encode(c.theirs), encode(c.mine))); got != c.want {
			t.Errorf("united(%q, %q) = %q; want %q", c.theirs, c.mine, got, c.want)
		}
	}
}

// TestPageVisit tests the field for the visit, and what it says about other
// visits.
func TestPageVisit(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/flat/4711", 1280)
	p.enter("#visit", "2031-07-14T18:30")
	p.wait(`document.querySelector(".notice")`)
	if got := p.flat("4711", "visit_date"); got != "2031-07-14T18:30:00+02:00" {
		t.Errorf("visit_date = %q; want 2031-07-14T18:30:00+02:00", got)
	}
	// The visits of others say how far they are from this one, before it is saved.
	p.bring(`[{"id": "late", "title": "Late"}]`)
	p.eval(`fetch("api/v1/flat/late", {method: "PATCH", body: '{"visit_date": "2031-07-14T19:15:00+02:00"}'})`)
	p.eval(`location.hash = "#/flat/lyon-1051%40example"`)
	p.wait(`document.querySelector("h1")?.innerText.startsWith("Bright")`)
	title := fmt.Sprint(p.eval(`fetch("api/v1/flats/4711").then((r) => r.json()).then(({data}) => data.title)`))
	p.eval(`window.timer = setTimeout; window.setTimeout = () => 0`) // typing never pauses
	for typed, want := range map[string]string{
		"14T17:45": "overlaps with " + title + ", 18:30",
		"14T18:45": "overlaps with 2 visits: 18:30, 19:15",
		"14T19:30": "overlaps with Late, 19:15",
		"14T21:00": "45 min left after Late, 19:15",
		"14T16:50": "40 min left before " + title + ", 18:30",
		"15T01:00": "", // another day
	} {
		p.enter("#visit", "2031-07-"+typed)
		p.see(`document.querySelector(".visit [role=status]").innerText.replace(/\s+/g, " ")`, want)
	}
	p.eval(`window.setTimeout = timer, 0`)
	p.enter("#visit", "2031-07-14T19:00")
	p.wait(`/^Bright.*19:00, Followed$/.test(document.querySelector(".notice p")?.innerText)`)
	if got := p.flat("lyon-1051@example", "status"); got != "followed" {
		t.Errorf("a new flat with a visit has the status %q; want followed", got)
	}
	p.eval(`location.hash = "#/visits"`)
	p.wait(`document.querySelector(".visits").innerText.includes("14 July 2031")`)
	p.see(`[...document.querySelectorAll(".overlap")].slice(-3).map((line) => line.innerText.split(": ")[1]).join("|")`,
		"19:00, 19:15|18:30, 19:15|18:30, 19:00")
	feed := fmt.Sprint(p.eval(`fetch(document.querySelector("#feed").value).then((r) => r.text())`))
	for _, want := range []string{"DTSTART:20310714T163000Z\r\n", "#/flat/4711"} {
		if !strings.Contains(feed, want) {
			t.Errorf("the feed does not contain %q", want)
		}
	}
	p.eval(`location.hash = "#/flat/4711"`)
	p.click(".visit .close")
	p.see(`document.querySelector("#visit").value`, "")
	p.press("u")
	p.see(`document.querySelector("#visit").value`, "2031-07-14T18:30")
	// A day that is past is saved only after a question.
	for _, answer := range []struct{ button, field, stored string }{
		{"Cancel", "2031-07-14T18:30", "2031-07-14T18:30:00+02:00"},
		{"Yes", "2016-07-14T18:30", "2016-07-14T18:30:00+02:00"},
	} {
		p.enter("#visit", "2016-07-14T18:30")
		p.see(`document.querySelector(".visit [role=status] p")?.innerText`,
			"Thursday, 14 July 2016 is in the past. Save the visit anyway?")
		if got := p.flat("4711", "visit_date"); got != "2031-07-14T18:30:00+02:00" {
			t.Errorf("visit_date = %q before %q was pressed", got, answer.button)
		}
		p.clickOn(fmt.Sprintf(`[...document.querySelectorAll(".visit [role=status] button")]
			.find((button) => button.innerText === %q)`, answer.button))
		p.see(`document.querySelector("#visit").value`, answer.field)
		p.see(`fetch("api/v1/flats/4711").then((answer) => answer.json()).then(({data}) => data.visit_date)`,
			answer.stored)
	}
	// A visit that the service refuses goes back to what it was.
	p.eval(`{ const ask = fetch; window.fetch = async (url, options) => (options?.method !== "PATCH" ? ask(url, options)
		: new Response('{"error": "full"}', {status: 500})); }`)
	p.enter("#visit", "2031-07-15T18:30")
	p.see(`document.querySelector("[role=alert] p")?.innerText`,
		title+": Visit Tue, 15 Jul 2031, 18:30. That did not work: full")
	p.see(`document.querySelector("#visit").value`, "2016-07-14T18:30")
	p.checkFaults()
	// A date without a time is not stored, and says so.
	p = openTab(t, "", "#/flat/lyon-1051%40example", 1280)
	p.click("#visit")
	for _, digit := range "11272026" {
		p.press(string(digit))
	}
	p.see(`document.querySelectorAll(".visit .wrong").length`, "0")
	p.eval(`document.activeElement.blur()`)
	p.see(`document.querySelectorAll(".visit .wrong:not(:empty)").length`, "1")
	p.checkFaults()
}

// TestPageAgenda tests which visits a visit overlaps, and how much time is left to the one before it and to the one
// after it, unless that one overlaps it.
func TestPageAgenda(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "", 1280)
	p.load("parts/agenda")
	for _, c := range []struct{ at, others, want string }{
		{"10:00", "", ""},
		{"10:00", "13:00", "2 h 00 left before 13:00"},
		{"10:00", "08:15", "45 min left after 08:15"},
		{"10:00", "11:00 09:00", "0 min left after 09:00; 0 min left before 11:00"},
		{"10:00", "10:59 09:01", "overlaps with 2 visits: 09:01, 10:59"},
		{"10:00", "10:30 13:00", "overlaps with 10:30"},
		{"10:30", "13:00 10:00", "overlaps with 10:00; 1 h 30 left before 13:00"},
		{"13:00", "10:00 10:30", "1 h 30 left after 10:30"},
		{"10:00", "07:00 09:30", "overlaps with 09:30"},
		{"10:00", "10:00 12:00", "overlaps with 10:00; 1 h 00 left before 12:00"},
		{"10:00", "07:00 08:30 09:30 10:30 11:30 14:00", "overlaps with 2 visits: 09:30, 10:30"},
		{"11:30", "07:00 08:30 09:30 10:00 14:00 15:00", "30 min left after 10:00; 1 h 30 left before 14:00"},
		{"09:00", "21:00", "11 h 00 left before 21:00"},
		{"20:00", "07:00 15T06:00", "12 h 00 left after 07:00"}, // a night is no time between visits
		{"23:30", "15T00:10", "overlaps with Tue, 15 Jul 2031, 0:10"},
	} {
		p.see(fmt.Sprintf(`agenda.around(new Date("2031-07-14T%s").getTime(), %q.split(" ").filter(Boolean).map((time) =>
			({title: "X", visit_date: "2031-07-" + time.padStart(8, "14T")}))).flat()
			.map(({innerText}) => innerText.replace("X, ", "").replace(/\s/g, " ")).join("; ")`, c.at, c.others), c.want)
	}
	p.see(`agenda.around(Date.now(), [{title: "", visit_date: new Date().toISOString().slice(0, 10)}]).flat().length`, "0")
	p.checkFaults()
}

// TestPageVisits tests the visits day by day, on the screen and on paper, and
// the outcome of past ones.
func TestPageVisits(t *testing.T) {
	t.Parallel()
	at := func(days, hour, minute int) string {
		now := browserNow()
		day := time.Date(now.Year(), now.Month(), now.Day()+days, hour, minute, 0, 0, time.UTC)
		return day.Format("2006-01-02T15:04")
	}
	p := openTab(t, fmt.Sprintf(`[
		{"id": 1, "title": "First", "cost": 700, "currency": "EUR", "area": 40, "location": "1 Rue A", "phone": "0199",
			"visit_date": %q, "status": "contacted", "photos": ["https://127.0.0.1:1/1", "https://127.0.0.1:1/2"],
			"notes": "- [x] Light\n- [ ] Noise\nSecond bell."},
		{"id": 2, "title": "Second", "visit_date": %q},
			{"id": 3, "title": "Third", "visit_date": %q, "gone": "2026-01-01T00:00:00Z"},
		{"id": 4, "title": "Later", "visit_date": %q, "phone": "0188"}, {"id": 5, "title": "Past", "visit_date": %q}]`,
		at(1, 10, 0), at(1, 10, 30), at(1, 13, 0), at(3, 0, 0)[:10], at(-2, 10, 0)), "#/visits", 390)
	p.see(`[...document.querySelectorAll(".day")].map((day) => day.innerText.replace(/\s+/g, " ")
		.replace(/^.*?\d{4}, /, "")).join("|")`,
		"tomorrow 10:00 – 11:00 Contacted First overlaps with Second, 10:30 "+
			"1 Rue A Map €700 40 m² Second bell. · 1 of 2 checked Call 0199 Notes "+
			"10:30 – 11:30 New Second overlaps with First, 10:00 1 h 30 left before Third, 13:00 no price Notes "+
			"13:00 – 14:00 gone since 1 Jan New Third no price Notes|in 3 days New Later no price Call 0188 Notes")
	p.eval(`addEventListener("click", (event) => event.target.matches("[href^=tel]") && event.preventDefault())`)
	p.click("[href='tel:0188']")
	p.see(`document.querySelector(".notice").innerText.replace(/\s+/g, " ")`, "Later Contacted ×")
	p.click(".notice .close")
	p.see(`document.querySelectorAll(".visits .card:first-of-type > .photo").length +
		document.querySelectorAll(".visits .photo").length`, "2")
	p.see(`document.querySelector(".visits details").open`, "false")
	p.click(".visits summary")
	p.click(".visits details .line [data-status=visited]")
	p.see(`document.querySelector(".visits details .tag")?.innerText`, "Visited")
	p.click(".visits details .stars :nth-child(4)")
	p.see(`document.querySelectorAll(".visits details [aria-pressed=true]").length`, "1")
	if got := p.flat("5", "status") + p.flat("5", "notation"); got != "visited4" {
		t.Errorf("status and rating = %s; want visited4", got)
	}
	p.see(`document.querySelector(".visits details").open`, "true")
	// Cards have the width of the page.
	p.resize(900)
	p.see(`document.querySelector(".day .card").offsetWidth > 800`, "true")
	// Each day is printed on its own page, with the checklists.
	if got := p.printedPages(); got != 2 {
		t.Errorf("two days are printed on %d pages; want 2", got)
	}
	p.see(`document.querySelector(".day .sheet").textContent`, "☑ Light\n☐ Noise\nSecond bell.")
	p.eval(`fetch("api/v1/flat/4", {method: "PATCH", body: '{"visit_date": null}'})`)
	p.wait(`document.dispatchEvent(new Event("visibilitychange")) && document.querySelector("#fresh button")`)
	p.click("#fresh button")
	p.see(`document.querySelectorAll(".day").length`, "1")
	p.checkFaults()
}

// TestPageVisitCards tests that the cards of a phone are half as high as they were, that nothing of them is cut but the
// first line of the notes, which has a tooltip, and that their buttons stand in one row, on a laptop too.
func TestPageVisitCards(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/visits", 390)
	p.do("Emulation.setDeviceMetricsOverride",
		object{"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true})
	p.wait(`document.querySelectorAll(".day .card").length === 4`)
	const height = `[...document.querySelectorAll(".day .card")].reduce((sum, {offsetHeight}) => sum + offsetHeight, 0)`
	p.see(height+` <= 1680 / 2`, "true")
	const scattered = `[...document.querySelectorAll(".day .card > .line")].filter((line) => {
		const tops = [...line.children].map((button) => button.getBoundingClientRect().top);
		return line.children.length < 2 || new Set(tops).size > 1;
	}).length`
	p.see(scattered, "0")
	p.see(`[...document.querySelectorAll(".day .card :is(a.button, button)")].filter(({offsetHeight}) => offsetHeight < 44)
		.length`, "0")
	p.see(`[...document.querySelectorAll(".day .card *")].filter((part) => part.scrollWidth > part.clientWidth + 1 &&
		getComputedStyle(part).overflowX !== "visible" && !part.title).map(({className}) => className).join()`, "")
	for _, width := range []int{320, 900, 1280} {
		p.resize(width)
		p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
		p.see(scattered, "0")
	}
	// "Map" follows the last line of the address, however long that is.
	p.resize(390)
	p.see(`[...document.querySelectorAll(".day .address")].filter((address) => {
		const words = document.createRange();
		words.selectNodeContents(address.firstChild);
		const last = [...words.getClientRects()].at(-1);
		const map = address.querySelector("a").getBoundingClientRect();
		return (map.top + map.bottom) / 2 > last.bottom && last.right + map.width + 8 < address.getBoundingClientRect().right;
	}).length`, "0")
	// A photo that does not load leaves no box, and nothing moves.
	p.eval(`fetch("api/v1/flat/" + document.querySelector(".day .card a[href^='#/flat/']").hash.slice(7),
		{method: "PATCH", body: '{"photos": ["https://127.0.0.1:1/1"]}'})`)
	p.reload()
	p.see(`[...document.querySelectorAll(".day .gap")].map((gap) => [gap.offsetWidth, gap.offsetHeight > 30,
		getComputedStyle(gap).backgroundColor].join(" ")).join()`, "64 true rgba(0, 0, 0, 0)")
	p.checkFaults()
	// Where several people rate flats, the stars come after the buttons, and leave these in one row.
	several, _ := openPeople(t, "Ann", "#/visits", 390)
	several.bring(`[{"id": "c", "phone": "0151 123 456 78"}]`)
	several.reload()
	several.wait(`document.querySelector(".day .card .stars")`)
	several.see(`(() => {
		const [call, notes, stars] = document.querySelector(".day .card > .line").children;
		const [first, second, third] = [call, notes, stars].map((part) => part.getBoundingClientRect());
		return [stars.className, first.top === second.top, third.top > first.top, third.left === first.left].join();
	})()`, "stars,true,true,true")
	several.checkFaults()
}

// TestPageVisitNotes tests that the notes of a visit, past ones too, are written in Visits, and that nothing moves
// there while one writes.
func TestPageVisitNotes(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	day := func(days int) string { return browserNow().AddDate(0, 0, days).Format("2006-01-02") }
	p := openTab(t, fmt.Sprintf(`[{"id": "a b", "title": "First", "visit_date": "%[1]sT10:00"},
		{"id": "b", "title": "Second", "visit_date": "%[1]sT12:00", "notes": "Old.\n- [ ] Noise"},
		{"id": "c", "title": "Past", "visit_date": "%[2]sT12:00"}]`, day(1), day(-1)), "#/visits", 390)
	const (
		button = ".day .card:nth-of-type(%d) [aria-expanded]"
		saved  = `[...document.querySelectorAll(".card [role=status]")].map(({innerText}) => innerText).join()`
		held   = `document.activeElement.value`
	)
	p.see(`[...document.querySelectorAll(".card [aria-expanded]")].map(({textContent, ariaLabel, ariaExpanded}) =>
		[textContent, ariaLabel, ariaExpanded].join(" ")).join()`,
		"Notes Notes: First false,Notes Notes: Second false,Notes Notes: Past false")
	p.click(fmt.Sprintf(button, 1))
	p.see(`document.activeElement.labels?.[0]?.innerText`, "Notes")
	p.press("Damp")
	p.see(saved, "Saved")
	p.see(held, "Damp")
	p.press("ish")
	p.see(`fetch("api/v1/flats/a%20b").then((answer) => answer.json()).then(({data}) => data.notes)`, "Dampish")
	p.see(saved, "Saved")
	// What others change is offered, and does not take the field away.
	p.eval(`fetch("api/v1/flat/b", {method: "PATCH", body: '{"title": "Other"}'})`)
	p.wait(`document.dispatchEvent(new Event("visibilitychange")) && document.querySelector("#fresh button")`)
	p.see(held, "Dampish")
	p.click("#fresh button")
	p.see(`document.querySelector(".day .card:nth-of-type(2) h3").innerText`, "Other")
	p.see(`document.querySelector(".day .card textarea").value`, "Dampish")
	// A second one opens beside it; a checklist comes first.
	p.click(fmt.Sprintf(button, 2))
	p.see(`document.activeElement.type`, "checkbox")
	p.press(" ")
	p.see(`fetch("api/v1/flats/b").then((answer) => answer.json()).then(({data}) => data.notes)`, "Old.\n- [x] Noise")
	p.see(`document.querySelectorAll(".card div.notes").length`, "2")
	p.see(`(ids => ids.length - new Set(ids).size)([...document.querySelectorAll("[id]")].map(({id}) => id))`, "0")
	p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
	p.do("Emulation.setEmulatedMedia", object{"media": "print"})
	p.see(`[...document.querySelectorAll(".card .sheet")].filter((sheet) => sheet.offsetHeight > 0)
		.map(({innerText}) => innerText).join("; ")`, "Dampish; Old.\n☑ Noise")
	p.do("Emulation.setEmulatedMedia", object{"media": ""})
	for n := range 2 {
		p.click(fmt.Sprintf(button, n+1))
		p.see(`document.activeElement.ariaExpanded`, "false")
	}
	p.see(`[...document.querySelectorAll(".hints")].map(({innerText}) => innerText).join("; ")`,
		"Dampish; Old. · 1 of 1 checked")
	p.click(".visits summary")
	p.click(".visits details [aria-expanded]")
	p.press("Loud")
	p.see(saved, "Saved")
	if got := p.flat("c", "notes"); got != "Loud" {
		t.Errorf("notes of the past visit = %q; want Loud", got)
	}
	p.see(`document.querySelector(".visits details").open`, "true")
	// A question about notes that were changed elsewhere is asked here as long as the field is open.
	p.eval(`fetch("api/v1/flat/c", {method: "PATCH", body: '{"notes": "Theirs."}'})`)
	p.press("er")
	p.see(`document.querySelector(".card .versions p")?.innerText`, "Theirs.")
	p.click(".card .versions button")
	p.see(saved, "Saved")
	if got := p.flat("c", "notes"); got != "Theirs.\n\nLouder" {
		t.Errorf("notes of the past visit = %q; want both versions", got)
	}
	p.checkFaults()
}

// twoFlats has flats of two people: Ben has followed one, and dismissed another one; of a third they think differently.
const twoFlats = `[{"id": "a", "title": "Attic", "status": "followed", "status_by": "Ben", "cost": 900,
	"status_since": "2026-01-02T10:00:00Z"},
	{"id": "b", "title": "Barn", "status": "ignored", "status_by": "Ben", "status_since": "2026-01-03T10:00:00Z"},
	{"id": "c", "title": "Castle", "status": "contacted", "status_by": "Ann", "notation": 3,
	"ratings": {"Ann": 5, "Ben": 1}, "status_since": "2026-01-04T10:00:00Z", "visit_date": "2031-12-07T18:30"},
	{"id": "d", "title": "Den", "status": "new"}, {"id": "e", "title": "Elm", "status": "new"}]`

// openPeople opens the page of two people, as one of them if that is not "".
func openPeople(t *testing.T, me, hash string, width int) (*tab, *proxy) {
	t.Helper()
	p := &tab{browser: openBrowser(t), t: t}
	network, url := newProxy(t, start(t, twoFlats, `"people": ["Ann", "Ben"]`))
	p.url = url
	p.open(hash, width)
	if me != "" {
		p.be(me)
	}
	return p, network
}

// be answers the question who uses the tab.
func (p *tab) be(name string) {
	p.t.Helper()
	p.clickOn(`[...document.querySelectorAll("dialog.who button")].find(({innerText}) => innerText === ` +
		encode(name) + `)`)
	p.wait(`!document.querySelector("dialog.who") && document.querySelector("main > section h1")`)
}

// found returns an expression for a field of a flat that only find returns.
func found(id, field string) string {
	return fmt.Sprintf(`fetch("api/v1/find?any[id]=%s&fields=%s").then((answer) => answer.json())
		.then(({data}) => JSON.stringify(data[0][%q]))`, id, field, field)
}

// TestPagePeople tests that the page asks once who uses it, says who has decided, keeps the rating of each person, and
// has a tab with what one has not rated.
func TestPagePeople(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const byWhom = `[...document.querySelectorAll(".row")].map((row) =>
		row.dataset.id + ":" + (row.querySelector(".by")?.innerText ?? "")).join("|")`
	for _, width := range []int{1280, 390} {
		p, _ := openPeople(t, "", "#/?tab=all&sort=title", width)
		p.see(`document.querySelector("dialog.who h2")?.innerText`, "Who are you?")
		p.be("Ann")
		p.reload()
		p.see(byWhom, "a:by Ben, 2 Jan|b:by Ben, 3 Jan|c:|d:|e:")
		p.see(`document.querySelector("dialog") && document.querySelector("dialog[open]")`, "null")
		p.see(`document.querySelector(".row .apart")?.innerText.replace(/\s+/g, " ")`,
			"Ratings differ: Ann ★ 5 · Ben ★ 1")
		p.see(tabTexts, "Live 4|New 2|Changed 0|Shortlist 2|For me 1|Followed 1|Contacted 1|Dismissed 1|All 5")

		// A decision says who made it, and so does taking it back.
		p.click(`.row[data-id=d] button[data-status=followed]`)
		p.see(found("d", "status_by"), `"Ann"`)
		p.see(byWhom, "a:by Ben, 2 Jan|b:by Ben, 3 Jan|c:|d:|e:")
		p.click(".notice button")
		p.see(found("d", "status"), `"new"`)
		p.see(found("d", "status_by"), `"Ann"`)

		// What one has rated leaves the tab, and comes back with Undo.
		p.eval(`location.hash = "#/?tab=for:Ann"`)
		p.see(rowCount, "1")
		p.see(`document.querySelector(".tabs [aria-current]").innerText.trim()`, "For me 1")
		p.eval(`document.querySelector(".row h2 a").focus()`)
		p.press("4")
		p.see(rowCount, "0")
		p.see(found("a", "ratings"), `{"Ann":4}`)
		p.see(found("a", "notation"), "4")
		p.see(`document.querySelector(".tabs [aria-current]").innerText.trim()`, "For me 0")
		p.click(".notice button")
		p.see(rowCount, "1")
		p.see(found("a", "ratings"), "null")

		// The other person sees the opposite.
		p.click(".menu")
		p.see(`[...document.querySelectorAll("#menu button")].map(({innerText}) => innerText).join("|")`,
			"Keys|You are Ann|Forget this device")
		p.click("#menu button:nth-last-child(2)")
		p.see(`document.querySelector("dialog.who [aria-pressed=true]")?.innerText`, "Ann")
		p.be("Ben")
		p.see(`document.querySelector(".undo").hidden`, "true")
		p.see(`[...document.querySelectorAll(".tabs a")].slice(3, 5).map(({innerText}) => innerText.trim()).join("|")`,
			"Shortlist 2|For me 1")
		p.eval(`location.hash = "#/?tab=all&sort=title"`)
		p.see(byWhom, "a:|b:|c:by Ann, 4 Jan|d:|e:")
		p.checkFaults()
	}
}

// TestPagePeopleFilter tests the filter for who has decided.
func TestPagePeopleFilter(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openPeople(t, "Ann", "#/?tab=all&sort=title", 1280)
	p.see(rowCount, "5")
	p.click(".toggle")
	const choice = `[...document.querySelectorAll(".panel label")].find(({innerText}) => /^Decided by/.test(innerText))`
	p.wait(choice)
	p.see(`[...`+choice+`.querySelectorAll("option")].map(({innerText}) => innerText).join("|")`,
		"Any|by Ann (1)|by Ben (2)")
	p.eval(`{ const select = ` + choice + `.querySelector("select"); select.value = "Ben";
		select.dispatchEvent(new Event("change", {bubbles: true})); }`)
	p.see("location.hash", "#/?tab=all&by=Ben&sort=title")
	p.see(rowCount, "2")
	p.see(chipTexts, "by Ben ×")
	p.checkFaults()
}

// TestPagePeopleFlat tests the ratings of both on a flat, in Compare and in Visits, and who has decided.
func TestPagePeopleFlat(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openPeople(t, "Ben", "#/flat/c", 1280)
	const stars = `document.querySelector(".stars")?.innerText.replace(/\s+/g, "")`
	p.see(stars, "★☆☆☆☆Ann★5")
	p.see(`document.querySelector(".choices .by")?.parentNode.innerText.replace(/\s+/g, " ")`, "Contacted by Ann, 4 Jan")
	p.click(".stars button:nth-child(3)")
	p.see(stars, "★★★☆☆Ann★5")
	p.see(found("c", "ratings"), `{"Ann":5,"Ben":3}`)
	p.see(found("c", "notation"), "4")
	p.press("u")
	p.see(stars, "★☆☆☆☆Ann★5")
	p.see(found("c", "ratings"), `{"Ann":5,"Ben":1}`)
	p.see(`[...document.querySelectorAll(".details dt")].map(({innerText}) => innerText).join()`, "")

	// Where the other one has rated meanwhile, the page says so.
	p.eval(`fetch("api/v1/flat/c?by=Ann", {method: "PATCH", body: '{"rating": 2}'})`)
	p.eval(`document.dispatchEvent(new Event("visibilitychange"))`)
	p.click("#fresh button")
	p.see(stars, "★☆☆☆☆Ann★2")

	p.eval(`location.hash = "#/compare/a,c"`)
	p.see(`[...document.querySelectorAll("th[scope=row]")].filter(({innerText}) => /^Rating/.test(innerText))
		.map(({parentNode}) => [...parentNode.cells].map(({innerText}) => innerText.trim()).join(" ")).join("|")`,
		"Rating – ★ 1.5|Rating: Ann – ★ 2|Rating: Ben – ★ 1")
	p.see(`[...document.querySelectorAll(".by")].map(({innerText}) => innerText).join("|")`, "by Ann, 4 Jan")
	p.eval(`location.hash = "#/visits"`)
	p.see(stars, "★☆☆☆☆Ann★2")
	p.see(`document.querySelector(".visits .by")?.innerText`, "by Ann, 4 Jan")

	// Notes say whose they are as well; the service would refuse a name that it does not know.
	p.eval(`performance.clearResourceTimings(); location.hash = "#/flat/c"`)
	p.enter("#notes", "Tall towers")
	p.seeFlat("c", "notes", "Tall towers")
	p.see(`performance.getEntriesByType("resource").map(({name}) => name).filter((name) => /\/flat\//.test(name))
		.map((name) => new URL(name).search).join()`, "?by=Ben")
	p.checkFaults()
}

// TestPagePeopleMedian tests that a flat that is opened first has the median of its place, for which the page requests
// flats that it does not know, without their status.
func TestPagePeopleMedian(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := &tab{browser: openBrowser(t), t: t}
	p.url = start(t, `[{"id": "a", "title": "A", "cost": 900, "currency": "EUR", "area": 10, "location": "Lyon"},
		{"id": "b", "title": "B", "cost": 1000, "currency": "EUR", "area": 10, "location": "Lyon"},
		{"id": "c", "title": "C", "cost": 1100, "currency": "EUR", "area": 10, "location": "Lyon"},
		{"id": "d", "title": "D", "location": "Berlin"}]`, `"people": ["Ann", "Ben"]`)
	p.open("#/flat/a", 1280)
	p.be("Ben")
	p.see(`document.querySelector(".editable ~ p.soft")?.innerText.trim()`, "10% below the median of 3 flats in Lyon")
	p.checkFaults()
}

// TestPagePeopleNews tests that the bar of news names who has decided elsewhere.
func TestPagePeopleNews(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openPeople(t, "Ann", "#/?sort=title", 1280)
	p.see(rowCount, "4")
	const asked = `performance.getEntriesByType("resource").filter(({name}) => /ratings/.test(name)).length`
	p.wait(asked + " > 1") // as somebody, and then as Ann
	for id, change := range map[string]string{"a?by=Ben": `{"status": "ignored"}`, "d?by=Ben": `{"status": "ignored"}`,
		"c?by=Ben": `{"rating": 2}`, "e": `{"status": "ignored"}`} {
		p.eval(fmt.Sprintf(`fetch("api/v1/flat/%s", {method: "PATCH", body: %s})`, id, encode(change)))
	}
	p.eval(`document.dispatchEvent(new Event("visibilitychange"))`)
	p.wait(`document.querySelector("#fresh button")`)
	got := strings.Split(fmt.Sprint(p.eval(`document.querySelector("#fresh button").innerText`)), " · ")[0]
	parts := strings.Split(got, ", ")
	slices.Sort(parts)
	if want := []string{"1 gone", "1 rated by Ben", "2 dismissed by Ben"}; !slices.Equal(parts, want) {
		t.Errorf("the bar of news says %q; want %q", parts, want)
	}
	p.click("#fresh button")
	p.see(rowCount, "1")
	p.checkFaults()
}

// TestPagePeopleOverruled tests that Undo of a decision that replaced another person's gives it back to that person,
// also where Triage has sent it.
func TestPagePeopleOverruled(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openPeople(t, "Ann", "#/flat/d", 1280)
	const notice = `document.querySelector(".notice p")?.innerText`
	p.wait(`document.querySelector(".own [data-status=new][aria-pressed=true]")`)
	p.eval(`fetch("api/v1/flat/d?by=Ben", {method: "PATCH", body: '{"status": "ignored"}'})`)
	p.click(".own [data-status=followed]")
	p.see(notice, "Den: Followed. This replaced a decision made elsewhere: Dismissed by Ben")
	p.press("u")
	p.see(`document.querySelector(".choices .by")?.parentNode.innerText.replace(/\s+/g, " ")`, "Dismissed by Ben")
	p.see(found("d", "status"), `"ignored"`)
	p.see(found("d", "status_by"), `"Ben"`)
	p.goTo("#/triage", ".card h2 a")
	p.eval(`fetch("api/v1/flat/e?by=Ben", {method: "PATCH", body: '{"status": "contacted"}'})`)
	p.press("x")
	p.see(notice, "Elm: Dismissed. This replaced a decision made elsewhere: Contacted by Ben")
	p.press("u")
	p.see(found("e", "status"), `"contacted"`)
	p.see(found("e", "status_by"), `"Ben"`)
	p.checkFaults()
}

// TestPagePeopleMine tests that Undo restores what "Keep mine" has replaced, whether the change was to be sent at once
// or not.
func TestPagePeopleMine(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openPeople(t, "Ann", "#/flat/d", 1280)
	for _, c := range []struct{ id, hash, shown, button string }{
		{"d", "#/flat/d", ".own [data-status=new][aria-pressed=true]", ".own [data-status=followed]"},
		{"e", "#/triage", ".card h2 a", ".decide button:last-child"},
	} {
		p.goTo(c.hash, c.shown)
		network.down.Store(true)
		p.click(c.button)
		p.see(waits, "1 change waits")
		request, err := http.NewRequest("PATCH", network.target.Load().String()+"/api/v1/flat/"+c.id+"?by=Ben",
			strings.NewReader(`{"status": "contacted"}`))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil || answer.StatusCode != 200 {
			t.Fatal(answer, err)
		}
		answer.Body.Close()
		network.down.Store(false)
		p.see(`[...document.querySelectorAll(".questions dd")].map(({innerText}) => innerText).join()`,
			"Followed,Contacted by Ben")
		p.click(".questions button")
		p.see(waits, "")
		p.see(found(c.id, "status_by"), `"Ann"`)
		p.press("u")
		p.see(found(c.id, "status")+`.then((status) => [status, document.querySelector(".notice p")?.innerText].join())`,
			`"contacted",Undone`)
		p.see(found(c.id, "status_by"), `"Ben"`)
	}
	p.checkFaults()
}

// TestPagePeopleWaiting tests that what waits for the network is sent under the name of who decided, although the
// device is somebody else's by then, and that the queue of Triage and its Undo say so too.
func TestPagePeopleWaiting(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openPeople(t, "Ann", "#/triage", 1280)
	p.wait(`document.querySelector(".card h2 a")`)
	id := fmt.Sprint(p.eval(`decodeURIComponent(document.querySelector(".card h2 a").hash.slice("#/flat/".length))`))
	p.press("x")
	p.see(found(id, "status_by"), `"Ann"`)
	p.press("u")
	p.see(found(id, "status"), `"new"`)
	p.see(found(id, "status_by"), `"Ann"`)
	p.press("3")
	p.see(found(id, "ratings"), `{"Ann":3}`)

	p.eval(`location.hash = "#/flat/c"`)
	const stars = `document.querySelector(".stars")?.innerText.replace(/\s+/g, "")`
	p.see(stars, "★★★★★Ben★1")
	network.down.Store(true)
	p.click(".stars button:nth-child(2)")
	p.click(".own button[data-status=ignored]")
	p.enter("#notes", "Drawbridge")
	p.see(waits, "3 changes wait")
	p.see(stars, "★★☆☆☆Ben★1")
	p.click(".menu")
	p.click("#menu button:nth-last-child(2)")
	p.be("Ben")
	p.see(stars, "★☆☆☆☆Ann★2")
	p.click(".stars button:nth-child(4)")
	p.see(waits, "4 changes wait")
	var asked []string
	var mu sync.Mutex
	record := func(answer *http.Response) {
		if answer.Request.Method == "PATCH" {
			mu.Lock()
			defer mu.Unlock()
			asked = append(asked, answer.Request.URL.RawQuery)
		}
	}
	network.change.Store(&record)
	network.down.Store(false)
	p.see(waits, "")
	p.see(found("c", "ratings"), `{"Ann":2,"Ben":4}`)
	p.see(found("c", "status_by"), `"Ann"`)
	p.seeFlat("c", "notes", "Drawbridge")
	mu.Lock()
	defer mu.Unlock()
	slices.Sort(asked)
	asked = slices.Compact(asked) // notes are sent again if the flat has changed between two requests
	if want := []string{"by=Ann", "by=Ben"}; !slices.Equal(asked, want) {
		t.Errorf("the page sent its changes with %q; want %q", asked, want)
	}
	p.checkFaults()
}

// TestPagePeopleOffline tests that the page knows the ratings of the shortlist without a network, and adds those that
// wait.
func TestPagePeopleOffline(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openPeople(t, "Ann", "", 1280)
	p.startWorker()
	network.down.Store(true)
	p.eval(`location.hash = "#/flat/c"`)
	p.reload()
	const stars = `document.querySelector(".stars")?.innerText.replace(/\s+/g, "")`
	p.see(stars, "★★★★★Ben★1")
	p.click(".stars button:nth-child(4)")
	p.see(waits, "1 change waits")
	p.reload()
	p.see(stars, "★★★★☆Ben★1")
	p.eval(`location.hash = "#/?tab=for:Ann"`)
	p.see(rowCount, "1")
	p.eval(`document.querySelector(".row h2 a").focus()`)
	p.press("2")
	p.see(rowCount, "0")
	p.reload()
	p.see(rowCount, "0")
	p.see(`document.querySelector(".tabs [aria-current]")?.innerText.trim()`, "For me 0")
	network.down.Store(false)
	p.see(waits, "")
	p.see(found("c", "ratings"), `{"Ann":4,"Ben":1}`)
	p.see(found("a", "ratings"), `{"Ann":2}`)
	p.checkFaults()
}

// TestPagePeopleNames tests names with signs that mean something elsewhere, and long ones.
func TestPagePeopleNames(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	odd, long := `A&B "<i>'.%+#?`, strings.Repeat("W", 40)
	p := &tab{browser: openBrowser(t), t: t}
	p.url = start(t, twoFlats, `"people": `+encode([]string{odd, long, "constructor"}))
	p.open("#/?tab=all&sort=title", 320)
	p.be(odd)
	p.click(`.row[data-id=d] button[data-status=followed]`)
	p.see(found("d", "status_by"), strconv.Quote(odd))
	p.eval(`location.hash = "#/?" + new URLSearchParams({tab: "for:" + ` + encode(odd) + `})`)
	p.see(rowCount, "3")
	p.eval(`document.querySelector(".row h2 a").focus()`)
	p.press("4")
	p.see(rowCount, "2")
	p.eval(`location.hash = "#/?tab=for:constructor"`)
	p.see(rowCount, "3")
	p.click(".menu")
	p.see("document.documentElement.scrollWidth > innerWidth", "false")
	p.click("#menu button:nth-last-child(2)")
	p.be(long)
	p.eval(`location.hash = "#/?tab=all&sort=title"`)
	p.wait(`document.querySelector(".row[data-id=d] .by")`)
	p.click(".menu")
	p.see("document.documentElement.scrollWidth > innerWidth", "false")
	p.see(`document.querySelector("#menu").getBoundingClientRect().left >= 0`, "true")
	p.click("#menu button:nth-last-child(2)")
	p.be(odd)
	p.eval(`fetch("api/v1/flat/c?by=` + long + `", {method: "PATCH", body: '{"rating": 2, "status": "visited"}'})`)
	for _, hash := range []string{"#/flat/c", "#/visits", "#/compare/a,c", "#/?tab=shortlist"} {
		p.eval("location.hash = " + encode(hash))
		p.wait(`/WWW/.test(document.querySelector("main").innerText)`)
		p.see("document.documentElement.scrollWidth > innerWidth", "false")
	}
	p.checkFaults()
}

// TestPagePeopleForget tests that "Forget this device" forgets who uses it.
func TestPagePeopleForget(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openPeople(t, "Ann", "", 1280)
	p.eval(`window.confirm = () => true`)
	p.click(".menu")
	p.click("#menu button:last-child")
	p.see("Object.keys(localStorage).join()", "")
	p.click("main .primary")
	p.see(`document.querySelector("dialog.who h2")?.innerText`, "Who are you?")
	p.checkFaults()
}

// TestPageNoPeople tests that without people in the config there is nothing of them, and that the list sends the same
// requests as ever.
func TestPageNoPeople(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, twoFlats, "#/?tab=for:Ann&by=Ben", 1280)
	p.see(rowCount, "4")
	p.see(tabTexts, "Live 4|New 2|Changed 0|Shortlist 2|Followed 1|Contacted 1|Dismissed 1|All 5")
	p.click(`.row[data-id=d] button[data-status=followed]`)
	p.see(found("d", "status"), `"followed"`)
	p.eval(`document.querySelector(".row h2 a").focus()`)
	p.press("4")
	p.wait(`document.querySelector(".row .rating")`)
	p.click(".toggle")
	p.wait(`document.querySelector(".panel select")`)
	for _, hash := range []string{"#/flat/c", "#/visits", "#/compare/a,c", "#/triage"} {
		p.eval("location.hash = " + encode(hash))
		p.wait(fmt.Sprintf(`document.querySelector("main > .%s h1")`, strings.Split(hash, "/")[1]))
		p.eval("new Promise((done) => setTimeout(done, 300))")
	}
	p.see(`performance.getEntriesByType("resource").map(({name}) => decodeURIComponent(name))
		.filter((name) => /who|others|rating|status_by|by=/.test(name)).join()`, "")
	p.see(`document.querySelectorAll(".who, .by, .apart, .beside").length`, "0")
	p.see(`/Who are you|You are/.test(document.querySelector("#menu").textContent)`, "false")
	p.checkFaults()
}

// TestPageTriage tests deciding, skipping and undoing, by keys and by swipes.
func TestPageTriage(t *testing.T) {
	t.Parallel()
	var flats []string
	for i := range 30 {
		flats = append(flats, fmt.Sprintf(`{"id": "%d", "title": "Flat %[1]d", "date": "2026-01-%02d",
			"text": "A balcony, %[1]d.", "photos": ["https://127.0.0.1:1/1.jpg", "https://127.0.0.1:1/2.jpg"]}`,
			i, 30-i))
	}
	p := openTab(t, "["+strings.Join(flats, ",")+"]", "#/triage?q=balcony", 1280)
	title, left := `document.querySelector(".card h2")?.innerText`,
		`document.querySelector(".triage [role=status]")?.innerText`
	p.see(left, "30 left")
	p.see(title, "Flat 0")
	p.see(`document.querySelector(".card mark").innerText`, "balcony")
	place := p.eval(`JSON.stringify(document.querySelector(".decide").getBoundingClientRect())`)
	p.key("ArrowRight")
	p.see(`document.querySelector(".turner span").innerText`, "2 / 2")
	p.press("4f")
	p.see(left+"+"+title, "29 left · 1 doneFlat 1")
	p.seeFlat("0", "status", "followed")
	p.seeFlat("0", "notation", "4")
	p.press("x")
	p.see(title, "Flat 2")
	p.press("s")
	p.see(left+"+"+title, "28 left · 2 doneFlat 3")
	// Opening a flat does not change the pile.
	p.press("o")
	p.see("document.querySelector('.flat h1')?.innerText", "Flat 3")
	p.press("x")
	p.wait(`document.querySelector(".own [data-status=ignored][aria-pressed=true]")`)
	p.eval("history.back()")
	p.see(left+"+"+title, "27 left · 3 doneFlat 4")
	p.press("u")
	p.see(title, "Flat 3")
	p.press("u") // the skip
	p.see(left+"+"+title, "28 left · 2 doneFlat 2")
	p.press("u")
	p.see(title, "Flat 1")
	p.press("u")
	p.see(left+"+"+title, "30 leftFlat 0")
	p.press("u") // the rating
	p.see(`document.querySelectorAll(".stars [aria-pressed=true]").length`, "0")
	// Skipped flats come back at the end, and no other flat is left out.
	p.press("s")
	for i := 1; i < 30; i++ {
		p.see(title, fmt.Sprint("Flat ", i))
		p.press("x")
	}
	p.see(left+"+"+title, "1 left · 29 doneFlat 0")
	if got := p.eval(`JSON.stringify(document.querySelector(".decide").getBoundingClientRect())`); got != place {
		t.Errorf("the buttons moved from %v to %v", place, got)
	}
	p.resize(390)
	p.see(`document.querySelector(".card h2 a").offsetHeight >= 44`, "true")
	p.see(`(([card, photos]) => [photos.top - card.top, photos.left - card.left, card.right - photos.right].join())(
		[".card", ".gallery"].map((part) => document.querySelector(part).getBoundingClientRect()))`, "1,1,1")
	// The finger moves the card over the next one, with a word. A swipe on the photos turns them.
	p.swipe(".card", 40)
	p.see(`document.querySelector(".card").getBoundingClientRect().left`, "16")
	p.swipe(".gallery", -200)
	p.see(`document.querySelector(".turner span").innerText`, "2 / 2")
	p.swipe(".gallery", 200)
	p.see(`document.querySelector(".turner span").innerText`, "1 / 2")
	p.swipe(".card", 200)
	p.see(`document.querySelector(".card h2")?.innerText`, "Nothing left to triage")
	p.see(`document.querySelector(".card").getBoundingClientRect().left`, "16")
	p.seeFlat("0", "status", "followed")
	p.checkFaults()
}

// TestPageTriageSlow tests that on a slow network the next card is there at once, that each key acts on the flat that
// is seen, and that decisions are sent in their order and taken back one by one.
func TestPageTriageSlow(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []string
	for i := range 12 {
		flats = append(flats, fmt.Sprintf(`{"id": "%d", "title": "Flat %[1]d", "date": "2026-01-%02d", "text": "A flat.",
			"cost": %d, "currency": "EUR", "area": 50, "location": "Ost"}`, i, 30-i, 500+100*i))
	}
	p := &tab{browser: openBrowser(t), t: t}
	network, url := newProxy(t, start(t, "["+strings.Join(flats, ",")+"]"))
	p.url = url
	p.open("#/visits", 1280)
	var mu sync.Mutex
	var sent []string
	list := func(answer *http.Response) {
		if request := answer.Request; request.Method == "PATCH" {
			mu.Lock()
			defer mu.Unlock()
			sent = append(sent, path.Base(request.URL.Path))
		}
	}
	network.change.Store(&list)
	network.latency.Store(560)
	p.eval(`location.hash = "#/triage"`)
	// type presses keys some milliseconds apart, and returns the title 30 ms after each.
	p.eval(`window.type = async (keys, apart) => {
		const rest = (ms) => new Promise((done) => setTimeout(done, ms));
		const titles = [];
		for (const key of keys) {
			dispatchEvent.call(document.body, new KeyboardEvent("keydown", {key, bubbles: true}));
			await rest(30);
			titles.push(document.querySelector(".card h2")?.innerText);
			await rest(apart - 30);
		}
		return titles.join();
	}`)
	// ready waits until flats have come whole, by which their cards are made.
	ready := func(ids ...int) {
		t.Helper()
		for _, id := range ids {
			p.wait(fmt.Sprintf(`"text" in kept.kept.flats.get("%d")`, id))
		}
	}
	p.load("lib/kept")
	const title = `document.querySelector(".card h2")?.innerText`
	const left = `document.querySelector(".triage [role=status]")?.innerText`
	ready(0, 1, 2, 3)
	for _, c := range []struct {
		keys   string
		apart  int
		titles string
		next   []int // the flats whose cards must be there before the next keys
	}{
		{"xf", 50, "Flat 1,Flat 2", []int{4, 5}},
		{"xxx", 80, "Flat 3,Flat 4,Flat 5", []int{6, 7, 8}},
		{"s4f", 50, "Flat 6,Flat 6,Flat 7", nil},
	} {
		if got := p.eval(fmt.Sprintf("type(%q, %d)", c.keys, c.apart)); got != c.titles {
			t.Errorf("titles after %s: %v; want %s", c.keys, got, c.titles)
		}
		p.see(waits, "") // nobody waits for what is under way
		ready(c.next...)
	}
	p.see(left, "6 left · 6 done")
	p.see(`document.querySelector("#bar .badge").innerText`, "6")
	// What one looks at meanwhile has the decisions.
	p.eval(`location.hash = "#/?tab=new"`)
	p.wait(`document.querySelector(".row")`)
	p.see(rowCount, "6")
	p.see(`document.querySelector("#bar .badge").innerText`, "6")
	p.eval(`location.hash = "#/triage"`)
	p.see(title, "Flat 7")
	p.wait(`fetch("api/v1/flats/6").then((answer) => answer.json()).then(({data}) => data.status === "followed")`)
	mu.Lock()
	if got := strings.Join(sent, " "); got != "0 1 2 3 4 6 6" {
		t.Errorf("updates of the flats %s; want 0 1 2 3 4 6 6", got)
	}
	mu.Unlock()
	// Each decision is taken back by an Undo of its own: 7 and the skip. A key for a card that is not there yet is none.
	if got := p.eval(`type("uuuuuuuu", 50)`); got != "Flat 6,Flat 6,Flat 5,Flat 4,Flat 3,Flat 2,Flat 1,Flat 0" {
		t.Errorf("titles after Undo: %v; want those of the flats in reverse", got)
	}
	p.see(`document.querySelector("#bar .undo").hidden`, "true")
	p.see(left, "12 left")
	p.seeFlat("0", "status", "new")
	// An answer that is older than an Undo does not take the flat away again.
	p.press("o")
	p.see("document.querySelector('.flat h1')?.innerText", "Flat 0")
	p.press("x")
	p.seeFlat("0", "status", "ignored")
	network.latency.Store(0)
	var late atomic.Int32
	hold := func(answer *http.Response) {
		if strings.Contains(answer.Request.URL.RawQuery, "1000") {
			time.Sleep(time.Second)
			late.Add(1)
		}
	}
	network.change.Store(&hold)
	p.eval("history.back()")
	p.see(left+"+"+title, "11 left · 1 doneFlat 1")
	p.press("u")
	p.see(left+"+"+title, "12 leftFlat 0")
	for late.Load() == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	p.eval(`new Promise((done) => setTimeout(done, 100))`)
	p.see(left+"+"+title, "12 leftFlat 0")
	p.checkFaults()
}

// TestPageTriageBack tests that keys act on the card that is seen although the pile that is known is asked for again.
func TestPageTriageBack(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, "#/visits", 1280)
	holdAll := func(part string) {
		hold := func(answer *http.Response) {
			if strings.Contains(answer.Request.URL.String(), part) {
				<-answer.Request.Context().Done() // until the view is left
			}
		}
		network.change.Store(&hold)
	}
	const title = `document.querySelector(".card h2")?.innerText`
	holdAll("/flats/")
	p.eval(`location.hash = "#/triage"`)
	p.see(`document.querySelector(".triage [role=status]")?.innerText`, "5 left")
	p.eval(`location.hash = "#/visits"`)
	p.wait(`document.querySelector(".visits h1")`)
	holdAll("size%5D=1000")
	p.eval(`location.hash = "#/triage"`)
	p.wait(title)
	first := p.eval(title)
	p.press("s")
	p.wait(fmt.Sprintf("%s !== %s", title, encode(first)))
	p.checkFaults()
}

// TestPageTriageCard tests that fourteen photos need one look on a laptop, and that the next card lies behind a swipe,
// whose word has the colour of what it does.
func TestPageTriageCard(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const image = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 3 2'/%3E"
	p := openTab(t, fmt.Sprintf(`[{"id": "a", "title": "A", "date": "2026-02-02", "text": "Text.", "photos": %s},
		{"id": "b", "title": "B", "cost": 700, "currency": "EUR", "date": "2026-02-01"}]`,
		encode(slices.Repeat([]string{image}, 14))), "#/triage", 1280)
	p.see(`document.querySelector(".card h2")?.innerText`, "A")
	p.eval(`window.at = (selector) => document.querySelector(".triage " + selector).getBoundingClientRect()`)
	for _, c := range []struct {
		width int
		want  string
	}{
		{1280, `[...document.querySelectorAll(".strip button")].filter((button) => {
			const {left, top, bottom} = button.getBoundingClientRect();
			return left >= at(".frame").right && top >= at(".gallery").top && bottom <= at(".decide").top;
		}).length === 14`},
		{1280, `at(".what").left > at(".strip").right && at(".text").top > at(".strip").bottom`},
		{1280, `at(".turner").bottom <= at(".frame").bottom`},
		{900, `at(".strip button:last-child").bottom < at(".text").top && at(".strip").top >= at(".frame").bottom`},
		{390, `at(".strip").height === 0 && at(".text").top > at(".what").bottom`},
	} {
		p.resize(c.width)
		p.see(fmt.Sprintf("%d + %q + Boolean(%[2]s)", c.width, c.want), fmt.Sprint(c.width, c.want, true))
	}
	p.see(`(({fontSize, textDecorationLine}) => fontSize + " " + textDecorationLine)(
		getComputedStyle(document.querySelector(".card h2 a")))`, "20px none")
	touch := func(event string, points ...object) {
		p.do("Input.dispatchTouchEvent", object{"type": event, "touchPoints": append([]object{}, points...)})
	}
	for _, c := range []struct {
		by   float64
		want string
	}{{60, "Follow followed B €700"}, {-60, "Dismiss ignored B €700"}} {
		touch("touchStart", object{"x": 195, "y": 740}) // below the card
		touch("touchMove", object{"x": 195 + c.by/2, "y": 740})
		touch("touchMove", object{"x": 195 + c.by, "y": 740})
		p.see(`(([word, next]) => [word.innerText, word.dataset.status, ...next.innerText.split(/\s+/)].join(" "))(
			[".verdict", ".behind"].map((part) => document.querySelector(part)))`, c.want)
		p.see(`document.querySelectorAll(".behind .photo").length`, "0") // B has none
		p.see(`at(".card").left`, fmt.Sprint(16+c.by))
		p.see(`getComputedStyle(document.querySelector(".verdict")).backgroundColor === getComputedStyle(
			document.querySelector(".decide [data-status=" + document.querySelector(".verdict").dataset.status + "]"))[
			document.querySelector(".verdict").dataset.status === "followed" ? "backgroundColor" : "color"]`, "true")
		touch("touchEnd")
		p.see(`at(".card").left + " " + document.querySelector(".behind").hidden`, "16 true")
	}
	p.checkFaults()
}

// TestPageTriageElsewhere tests the pile while another device decides too, and new flats come in.
func TestPageTriageElsewhere(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []string
	for i := range 6 {
		flats = append(flats, fmt.Sprintf(`{"id": "%d", "title": "Flat %[1]d", "date": "2026-01-%02d", "cost": %d}`,
			i, 30-i, 500+100*i))
	}
	p := openTab(t, "["+strings.Join(flats, ",")+"]", "#/triage", 1280)
	other := func(id, fields string) { // once one has seen the card, which stays then
		p.eval(fmt.Sprintf(`new Promise((done) => setTimeout(done, 150))
			.then(() => fetch("api/v1/flat/%s", {method: "PATCH", body: %s}))`, id, encode(fields)))
	}
	look := func() { p.eval(`document.dispatchEvent(new Event("visibilitychange"))`) }
	const title, left = `document.querySelector(".card h2")?.innerText`,
		`document.querySelector(".triage [role=status]")?.innerText`
	const notice = `document.querySelector(".notice p")?.innerText`
	p.see(left+"+"+title, "6 leftFlat 0")
	// What another device has decided on leaves the pile, but not the card while one looks at it.
	other("0", `{"status": "followed"}`)
	other("1", `{"status": "ignored"}`)
	look()
	p.see(left+"+"+title, "4 leftFlat 0")
	p.see(`document.querySelector("#fresh button")?.innerText`, "Changed elsewhere · Show")
	p.press("x")
	p.see(notice, "Flat 0: Dismissed. This replaced a decision made elsewhere: Followed")
	p.see(title, "Flat 2")
	p.click(".notice button")
	p.see(notice, "Undone")
	p.seeFlat("0", "status", "followed")
	other("2", `{"status": "contacted"}`)
	look()
	p.see(left+"+"+title, "3 leftFlat 2")
	p.click("#fresh button")
	p.see(left+"+"+title, "3 leftFlat 3")
	// Before anything was asked for, too.
	other("3", `{"status": "visited"}`)
	other("4", `{"status": "ignored"}`)
	p.press("f")
	p.see(notice, "Flat 3: Followed. This replaced a decision made elsewhere: Visited")
	// Flat 4 stays if it was seen before the answer came.
	p.wait(title + ` === "Flat 5" || document.querySelector("#fresh button")`)
	if p.eval(title) == "Flat 4" {
		p.click("#fresh button")
	}
	p.see(left+"+"+title, "1 left · 1 doneFlat 5")
	// What comes in is next, after the flat in the card; of one import the listing with the latest date.
	p.eval(`fetch("api/v1/import", {method: "POST", body: JSON.stringify([
		{id: "7", title: "Flat 7", date: "2026-01-01"}, {id: "6", title: "Flat 6", date: "2026-02-01"}])})`)
	look()
	p.see(left+"+"+title, "3 left · 1 doneFlat 5")
	p.press("4")
	p.see(`document.querySelectorAll(".stars [aria-pressed=true]").length`, "1")
	p.see(title, "Flat 5")
	p.press("s")
	p.see(title, "Flat 6")
	// A skip survives a reload.
	p.reload()
	p.see(left+"+"+title, "3 leftFlat 6")
	p.press("s")
	p.see(title, "Flat 7")
	p.press("s")
	p.see(title, "Flat 5") // the first to be skipped
	p.checkFaults()
}

// TestPageTriageFilters tests that Triage says which filters there are, and how many flats are outside.
func TestPageTriageFilters(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/triage?q=balkon&cost=..700&sort=cost&tab=all", 390)
	const line = `document.querySelector(".triage > .line")?.innerText.replace(/\s+/g, " ")`
	p.see(line, "Triage 1 left “balkon”, Cost ≤ 700 4 more without them · Show")
	p.wait(`document.querySelector(".card h2")`)
	p.see(`document.querySelector("#bar .badge").innerText`, "5") // all new ones, whatever the filters
	p.swipe(".room", -200)                                        // below the card too
	p.see(line, "Triage 0 left · 1 done “balkon”, Cost ≤ 700 4 more without them · Show")
	p.see(`document.querySelector(".card h2").innerText`, "None left with these filters")
	// The notice hides neither the bar nor the buttons.
	p.see(`(() => {
		const {top, bottom} = document.querySelector(".notice").getBoundingClientRect();
		return top > 44 && bottom <= innerHeight - 64;
	})()`, "true")
	// Undo stays in the bar while there is something to take back.
	p.click(".notice .close")
	p.see(`document.querySelector("#bar .undo").offsetWidth >= 44`, "true")
	p.click(".undo")
	p.see(line, "Triage 1 left “balkon”, Cost ≤ 700 4 more without them · Show")
	p.see(`document.querySelector(".undo").hidden`, "true")
	p.click(".outside a")
	p.see(line, "Triage 5 left")
	p.eval(`location.hash = "#/triage?travel_time=..18&to=office"`) // another place may be nearer
	p.see(line, "Triage 1 left Travel time to office ≤ 18 min 4 more without them · Show")
	p.checkFaults()
}

// TestPageVisitLeaving tests that a visit typed just before the page is closed is not lost.
func TestPageVisitLeaving(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/flat/4711", 390)
	p.wait(`document.querySelector("#visit")`)
	p.eval(`{
		window.setTimeout = () => 0;
		Object.defineProperty(document, "visibilityState", {value: "hidden", configurable: true});
	}`)
	leave := func(typed string) {
		p.enter("#visit", typed)
		p.eval(`document.dispatchEvent(new Event("visibilitychange"))`)
	}
	leave("2031-07-14T18:30")
	p.seeFlat("4711", "visit_date", "2031-07-14T18:30:00+02:00")
	leave("")
	p.seeFlat("4711", "visit_date", "null")
	// It is sent although the page is closed at once.
	p.eval(`fetch("api/v1/flat/4711", {method: "PATCH", body: '{"status": "new"}'})`)
	other := p.openOther("#/flat/4711")
	other.wait(`document.querySelector("#visit")`)
	other.enter("#visit", "2031-07-15T18:30")
	other.do("Page.close", nil)
	p.seeFlat("4711", "visit_date", "2031-07-15T18:30:00+02:00")
	p.seeFlat("4711", "status", "followed")
	p.checkFaults()
}

// TestPageLeaving tests that the service gets a decision although the tab is closed while it is sent.
func TestPageLeaving(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, "#/triage", 390)
	network.latency.Store(300)
	p.wait(`document.querySelector(".triage [data-status=followed]")`)
	const isSending = `performance.getEntriesByType("resource").some(({name}) => name.endsWith("/sender.js")) &&
		new Promise((done) => setTimeout(() => done(true), 500))` // its modules, too
	other := p.openOther("#/triage")
	other.wait(isSending)
	other.wait(`document.querySelector(".triage h2 a")`)
	followed := func() string {
		_, body := get(t, p.url+"/api/v1/find?filter[status]=followed&page[size]=1")
		return body[strings.LastIndex(body, `"total"`):]
	}
	before := followed()
	other.eval(`new Promise((sent) => {
		const ask = fetch;
		window.fetch = (...request) => {
			if (request[1]?.method === "PATCH") sent();
			return ask(...request);
		};
		document.querySelector(".triage [data-status=followed]").click();
	})`)
	other.do("Page.close", nil)
	p.until(func() bool { return followed() != before }, followed)
	p.checkFaults()
}

// TestPageTriageRough tests that a number of flats from before a decision is corrected.
func TestPageTriageRough(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]`, "#/", 1280)
	p.wait(rowCount + " === 2")
	// The service counts all new flats before the decisions; its answer comes after theirs.
	p.eval(`{
		const ask = fetch;
		window.fetch = async (url, options) => {
			const answer = await ask(url, options);
			if (/find.*size]=1&/.test(decodeURIComponent(url)) && !window.isDone) {
				window.isAsked = true;
				while (!window.isDone) await new Promise((next) => setTimeout(next, 20));
			}
			return answer;
		};
		location.hash = "#/triage?q=A";
	}`)
	p.see(`document.querySelector(".card h2")?.innerText`, "A")
	p.wait("window.isAsked")
	p.press("x")
	p.seeFlat("a", "status", "ignored")
	p.eval("window.isDone = true")
	p.see(`document.querySelector(".outside").innerText`, "1 more without them · Show")
	p.checkFaults()
}

// TestPageImport tests the import of files and of pasted listings, and that mistakes are reported.
func TestPageImport(t *testing.T) {
	t.Parallel()
	p := openTab(t, "[]", "#/import", 390)
	log := `[...document.querySelectorAll(".log li")]
		.map(({innerText}) => innerText.replace(/^.*\d:\d\d, /, "")).join("|")`
	p.see(log, "None since the service started")
	// What was pasted stays when the view is left.
	p.enter(".import textarea", "[{")
	p.eval(`location.hash = "#/visits"`)
	p.wait(`document.querySelector(".visits h1")`)
	p.eval(`location.hash = "#/import"`)
	p.see(`document.querySelector(".import textarea")?.value`, "[{")
	p.enter(".import textarea", "")
	p.click(".import .take") // without listings
	p.see(`document.activeElement.matches(".import textarea")`, "true")
	p.enter(".import textarea", "[\n"+`{"id": "1@site", "cost": "cheap"}]`)
	p.wait(`/^This page keeps/.test(document.querySelector(".welcome:not([hidden])")?.innerText)`)
	p.see(`[...document.querySelectorAll(".import .primary")].map(({innerText, hash}) => innerText + hash).join()`,
		"Add#/add")
	p.see(`JSON.parse(document.querySelector(".examples[open] pre")?.innerText ?? "[]").length`, "1")
	p.see(`[...document.querySelectorAll(".programs a")].map(({innerText, href}) => innerText + " " + href).join()`,
		"fredy https://github.com/orangecoding/fredy,woob https://woob.tech/")
	p.see(`document.querySelector(".programs pre").innerText.replace(location.origin, "")`, "/api/v1/import")
	p.click(".import .take")
	const wrong = `Nothing was imported. Line 2: cost: want a finite number or null, got "cheap"`
	p.see(`document.querySelector(".report [role=alert]")?.innerText`, wrong+".")
	p.see(`document.querySelector(".import textarea").value.length`, "36")
	// What is no JSON is refused with what to do with it, and not sent.
	const csv = "This looks like CSV. Listings are imported as JSON: an array with an object " +
		"for each, with its id. A spreadsheet or jq can convert it."
	const plain = "This is not JSON. The text of one listing belongs in “Add”: Add#/add?url="
	for _, c := range []struct{ pasted, want string }{
		{"https://example.org/9?a=b", "This is a link, not a file of listings. Open it with “Add”: Add" +
			"#/add?url=https%3A%2F%2Fexample.org%2F9%3Fa%3Db"},
		{"id,title,cost\n1@site,Loft,900\n", csv},
		{"id;title\n1@site;Loft\n", csv},
		{`{"id": "1@site", "title": "a"}` + "\n" + `{"id": "2@site"}`, "This looks like JSON Lines. Put [ before the " +
			"first line, ] after the last one and a comma between lines, or run: jq -s . FILE"},
		{"Zustand\tgepflegt\nZimmer\t2", plain},
		{"Helle Wohnung, 900 €\nBalkon, Keller", plain},
	} {
		p.enter(".import textarea", c.pasted)
		p.click(".import .take")
		p.see(`document.querySelector(".report").innerText.trim() + (document.querySelector(".report a")?.hash ?? "")`,
			c.want)
		p.see(`document.querySelector(".import textarea").value.length`, fmt.Sprint(len([]rune(c.pasted))))
	}
	p.see(`document.querySelectorAll(".log li").length`, "1")
	// No field is marked before the form is sent with it. The error leaves with the view, as the tick does.
	p.click(".import [type=checkbox]")
	p.see(`document.querySelector(".site:not([hidden])").matches(":user-invalid")`, "false")
	p.click(".import .take")
	p.see(`document.activeElement.matches(".site:user-invalid")`, "true")
	p.click(".report a")
	p.see(`document.querySelector(".paste textarea")?.value`, "")
	p.goTo("#/import", "textarea")
	p.see(`document.querySelector(".report").innerText + document.querySelector(".import [type=checkbox]").checked +
		document.querySelector(".site").hidden`, "falsetrue")
	p.enter(".import textarea", "")
	p.eval(`document.querySelector(".examples").open = true`)
	p.click(".examples button")
	p.see(`document.querySelector(".report").innerText.trim()`, "1 added, 0 updated, 0 unchanged, 0 gone Triage")
	p.see(`document.querySelector(".badge").innerText`, "1")
	p.see(log, "page or program: 1 added, 0 updated, 0 unchanged, 0 gone|page or program: "+wrong)
	// What the page is for is only said until there are flats. A text that was imported leaves its field.
	primary := `document.querySelector(".welcome").hidden +
		[...document.querySelectorAll(".import .primary")].map(({innerText}) => innerText).join()`
	p.see(primary, "trueImport")
	p.enter(".import textarea", `[{"id": "1@site", "cost": 800}]`)
	p.click(".import .take")
	p.see(`document.querySelector(".report").innerText.trim()`, "1 added, 0 updated, 0 unchanged, 0 gone Triage")
	p.see(`document.querySelector(".import textarea").value`, "")
	// A file may be dropped on any view.
	p.eval(`location.hash = "#/visits"`)
	p.wait(`document.querySelector(".visits h1")`)
	p.eval(`{ const data = new DataTransfer();
		data.items.add(new File(['[{"id": "2@site", "title": "Dropped"}]'], "new.json"));
		document.querySelector("main")
			.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true})); }`)
	p.see(`document.querySelector(".report")?.innerText.trim()`,
		"new.json: 1 added, 0 updated, 0 unchanged, 0 gone Triage")
	// All of the dashed area takes files.
	p.eval(`location.hash = "#/import"`)
	p.see(`document.elementFromPoint(...(({left, top}) => [left + 2, top + 2])(
		document.querySelector(".drop").getBoundingClientRect())).type`, "file")
	p.eval("new Promise((done) => setTimeout(done, 200))")
	p.see(primary, "trueImport")
	p.click(".import > p a")
	p.see("location.hash", "#/add")
	p.checkFaults()
}

// TestPageImportComplete tests the import of everything that a site has, from files
// and pasted.
func TestPageImportComplete(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "1@a"}, {"id": "2@a"}, {"id": "3@b"}]`, "#/import", 390)
	choose := func(files string) {
		p.wait(`document.querySelector(".import [type=file]")`)
		p.eval(`(async () => {
			const data = new DataTransfer();
			for (const [name, text] of ` + files + `) {
				const body = name.endsWith(".gz") ? new Blob([text]).stream().pipeThrough(new CompressionStream("gzip")) : text;
				data.items.add(new File([await new Response(body).blob()], name));
			}
			const input = document.querySelector(".import [type=file]");
			input.files = data.files;
			input.dispatchEvent(new Event("change", {bubbles: true}));
		})()`)
	}
	site := `(({hidden, value, validity}) => [!hidden && value, validity.valid].join())(document.querySelector(".site"))`
	report := `document.querySelector(".report").innerText.trim()`
	imports := `fetch("api/v1/imports").then((answer) => answer.json()).then(({data}) => data.length)`
	// The listings name the site, and what the site no longer has is gone.
	choose(`[["a.json", '[{"id": "1@a"}]']]`)
	p.see(`document.querySelector(".drop").innerText.replace(/\s+/g, " ")`, "Choose files a.json")
	p.see(site, "false,true")
	p.click(".import [type=checkbox]")
	p.see(site, "a,true")
	p.see(imports, "0")
	p.enter(".site", "")
	p.see(site, ",false")
	p.enter(".site", "a")
	p.click(".import .take")
	p.see(report, "a.json: 0 added, 0 updated, 1 unchanged, 1 gone Triage")
	p.see(site, "false,true")
	p.see(`document.querySelector(".drop .soft").innerText`, "or drop them here: JSON or .json.gz")
	p.click(".import [type=checkbox]")
	choose(`[["b.json.gz", '{"data": [{"id": "3@b"}, {"id": "4@b"}]}']]`)
	p.see(site, "b,true")
	p.click(".import .take")
	p.see(report, "b.json.gz: 1 added, 0 updated, 1 unchanged, 0 gone Triage")
	// Listings of several sites name none: it must be filled in.
	p.enter(".import textarea", `[{"id": "1@a"}, {"id": "3@b"}]`)
	p.click(".import [type=checkbox]")
	p.see(site, ",false")
	p.click(".import .take")
	p.see("document.activeElement.className", "site")
	p.see(imports, "2")
	p.enter(".site", "c")
	p.click(".import .take")
	p.see(report, `Nothing was imported: complete: no listing is from "c": all of its flats would be marked as gone.`)
	p.see(site, "c,true")
	p.enter(".site", "b")
	p.click(".import .take")
	p.see(report, "0 added, 0 updated, 2 unchanged, 1 gone Triage")
	p.see(site, "false,true")
	// The others of the site must stand in the same file.
	p.click(".import [type=checkbox]")
	choose(`[["1.json", '[{"id": "1@a"}]'], ["2.json", '[{"id": "2@a"}]']]`)
	p.see(`document.querySelector(".import [type=checkbox]").validationMessage`,
		"“Complete list for site” takes one file, or one pasted text, at a time")
	p.enter(".site", "a")
	p.click(".import .take")
	p.click(".import [type=checkbox]")
	p.see(imports, "4")
	p.click(".import .take")
	p.see(report+`.replace(/\s+/g, " ")`, "1.json: 0 added, 0 updated, 1 unchanged, 0 gone Triage "+
		"2.json: 0 added, 1 updated, 0 unchanged, 0 gone Triage")
	p.checkFaults()
}

// TestPageHunt tests the way from the import to the day of the visit, by keys on
// a laptop and by fingers on a phone. No view leaves elements behind.
func TestPageHunt(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, width := range []int{1280, 390} {
		p := openTab(t, "[]", "#/import", width)
		p.enter(".import textarea", `[{"id": "1@site", "title": "Junk", "date": "2026-01-02"},
			{"id": "2@site", "title": "Gem", "phone": "0199", "date": "2026-01-01", "cost": 700, "area": 40}]`)
		p.click(".import .take")
		p.click(".report a")
		title := `document.querySelector(".card h2")?.innerText`
		p.see(title, "Junk")
		if width > 900 {
			p.press("x")
			p.see(title, "Gem")
			p.press("f")
			p.see(title, "Nothing left to triage")
			p.press("l")
			p.see(rowCount, "1")
			p.eval(`document.querySelector(".row a").focus()`)
			p.key("Enter")
			p.wait(`document.querySelector("#notes")`)
			p.press("n")
			p.see("document.activeElement.id", "notes")
			p.do("Input.insertText", object{"text": "Ask for the cellar."})
			p.key("Escape")
			p.press("5")
			p.wait(`document.querySelector(".stars [aria-pressed=true]")`)
		} else {
			p.swipe(".card", -200)
			p.see(title, "Gem")
			p.swipe(".card", 200)
			p.see(title, "Nothing left to triage")
			p.click(".empty .button")
			p.click(".row a")
			p.see(`document.querySelector(".bar [data-status=followed]")?.ariaPressed`, "true")
			p.click(".bar button:nth-of-type(2)")
			p.see("document.activeElement.id", "visit")
			p.enter("#notes", "Ask for the cellar.")
			p.click(".own .stars :nth-child(5)")
		}
		p.see(`document.querySelector("#saved").innerText`, "Saved")
		p.enter("#visit", browserNow().AddDate(0, 0, 1).Format("2006-01-02")+"T18:00")
		p.wait(`/18:00/.test(document.querySelector(".notice")?.innerText)`)
		p.click(".views a:nth-child(3)")
		p.wait(`/ tomorrow/.test(document.querySelector(".day")?.innerText) &&
			/Ask for the cellar/.test(document.querySelector(".day").innerText)`)
		p.see(`document.querySelector(".day .card > .line .button").href`, "tel:0199")
		got := []string{
			p.flat("2@site", "status"),
			p.flat("2@site", "notes"),
			p.flat("2@site", "notation"),
			p.flat("1@site", "status"),
		}
		want := []string{"followed", "Ask for the cellar.", "5", "ignored"}
		if !slices.Equal(got, want) {
			t.Errorf("the flats end with %q; want %q", got, want)
		}
		p.see(`document.querySelectorAll("main > *").length`, "1")
		p.checkFaults()
	}
}

// TestPageHostile tests that HTML and scripts in listings stay text in every
// view, and that links to other sites are harmless.
func TestPageHostile(t *testing.T) {
	t.Parallel()
	const bad = `<img src=x onerror=\"faults.push('ran')\"><script>faults.push('ran')</script>`
	long := strings.Repeat("W", 400) + strings.Repeat(" word", 3_000)
	listing := fmt.Sprintf(`[{"id": "../%[1]s", "title": "%[1]s", "text": "%[1]s %[2]s", "location": "%[1]s",
		"currency": "%[1]s", "cost": 1, "area": 1, "phone": "%[1]s",
		"notes": "%[1]s\n- [ ] %[1]s %[2]s", "station": "%[1]s", "visit_date": "2031-01-01T10:00",
			"utilities": "%[1]s", "service_constraint": "%[1]s",
		"urls": ["javascript:faults.push('ran')", "data:text/html,x", "//evil.example", "https://good.example/"],
			"photos": ["http://127.0.0.1/x.png", {"url": "javascript:1"}],
		"details": {"%[1]s": "%[1]s %[2]s"}, "service_time_to": {"%[1]s": {"time": 60}},
			"service_stations": [{"name": "%[1]s"}], "merged_ids": ["%[1]s"], "other": {"%[1]s": 1}},
		{"id": "b", "title": "%[1]s", "currency": "%[1]s", "cost": 1, "area": 1, "location": "%[1]s", "photos": 7,
			"urls": {}, "merged_ids": "x", "service_time_to": [1],
			"service_stations": "y", "visit_date": "2031-01-01T10:30", "details": 5, "phone": "%[1]s"}]`, bad, long)
	p := openTab(t, listing, "#/visits", 320)
	p.wait(`document.querySelector(".visits h3 a")`)
	hash := p.eval(`document.querySelector(".visits h3 a").hash`)
	for _, at := range []any{"#/visits", hash, "#/flat/b", "#/triage?q=img", "#/import"} {
		p.eval("location.hash = " + encode(at))
		p.wait(`document.querySelector("main > section." + (/#.(\w+)/.exec(location.hash)[1]) + " :is(h1, h2)")`)
		p.wait(fmt.Sprintf(`%v || document.querySelector("main").innerText.includes("<img src=x")`, at == "#/import"))
		p.see(`document.querySelectorAll("main script, main img:not([src^='https://127.0.0.1/'])").length`, "0")
		p.see(`[...document.links].filter((a) => !/^(https?|webcal|tel):/.test(a.href)).length`, "0")
		p.see("document.scrollingElement.scrollWidth <= innerWidth", "true")
		if at == hash {
			p.see(`[...document.querySelectorAll(".source a")].map((a) => a.href + a.rel).join()`,
				"https://good.example/noopener noreferrer")
			p.see(`document.querySelector(".doubles li a")?.hash`, "#/flat/b")
			// A flat fits on two pages, however long its texts are.
			if got := p.printedPages(); got > 2 {
				t.Errorf("the flat is printed on %d pages; want at most 2", got)
			}
		}
	}
	p.checkFaults()
}

// Add
// ---

// TestPageAdd tests that a pasted link or text becomes a flat, that a link that is known opens its flat, and
// that fields left empty delete nothing.
func TestPageAdd(t *testing.T) {
	t.Parallel()
	p := openTab(t, `[{"id": "8@example.net", "title": "Known", "text": "Quiet.", "cost": 700, "currency": "CHF",
		"area": 40, "rooms": 2, "location": "Ost", "phone": "0199", "date": "2026-01-02",
		"urls": ["https://example.net/", "https://example.net/8?page=1&utm_source=mail#photos"]},
		{"id": "9@example.net", "title": "As its filter finds it", "urls": ["https://example.net/9"],
		"service_constraint": "lyon", "service_postal_code": "69003"}]`, "", 390)
	const title = `document.querySelector(".flat h1")?.innerText`
	p.click(".views a:last-child")
	p.see("location.hash + document.activeElement.closest('label')?.innerText", "#/addPaste a link or the listing's text")
	p.enter(".paste textarea", "https://www.example.org/flats/7?x=1\n2,5 Zi. mit Balkon in Kassel\n"+
		"Kaltmiete 900 €\nWarmmiete 1.050,50 €\n72 m²\nTel. 0561 5550199")
	p.see(fieldTexts, "https://www.example.org/flats/7?x=1|2,5 Zi. mit Balkon in Kassel|1050.5|EUR|72|2.5||Kassel|"+
		"0561 5550199|Kaltmiete 900 €\nWarmmiete 1.050,50 €\n72 m²\nTel. 0561 5550199")
	p.enter("[name=area]", "")
	p.enter("[name=code]", "69003")
	p.click(".add .primary")
	p.see(title, "2,5 Zi. mit Balkon in Kassel")
	id := linkID("https://www.example.org/flats/7?x=1", "www.example.org")
	for member, want := range map[string]string{
		"cost": "1050.5", "utilities": "included", "rooms": "2.5", "currency": "EUR", "phone": "0561 5550199",
		"area": "<nil>", "status": "new",
		"location": "69003 Kassel", "urls": "[https://www.example.org/flats/7?x=1]", "service_constraint": "lyon",
		"service_postal_code": "map[gps:[45.7539 4.8691] name:Lyon 3e postal_code:69003]",
	} {
		if got := p.flat(id, member); got != want {
			t.Errorf("%s of the flat = %s; want %s", member, got, want)
		}
	}
	p.see(`document.querySelector(".badge").innerText`, "3")
	p.eval(`location.hash = "#/add"`)
	p.see(fieldTexts, "|||||||||")
	// A link that is known, though it is not quite the same, nor the first of its flat.
	for _, c := range []struct{ link, want string }{
		{"http://www.example.net/8/?page=1&utm_medium=share", "Known"},
		{"https://example.net/9/#top", "As its filter finds it"},
		{"www.example.org/flats/7?x=1", "2,5 Zi. mit Balkon in Kassel"},
	} {
		p.eval(`location.hash = "#/add"`)
		p.paste(".paste textarea", c.link)
		p.see(title, c.want)
		p.click(".steps a")
		p.see("location.hash", "#/add")
		p.see(fieldTexts, "|||||||||")
	}
	// One that was typed only says so, also where it was left meanwhile. One that is passed on opens its flat.
	const isKnown = `document.querySelector(".known")?.innerText`
	p.enter(".paste textarea", "https://example.net/9")
	p.see(isKnown, "You already have this flat: As its filter finds it. Empty fields are left unchanged.")
	p.eval(`location.hash = ""`)
	p.wait(`document.querySelector(".list")`)
	p.eval(`location.hash = "#/add"`)
	p.see(isKnown, "You already have this flat: As its filter finds it. Empty fields are left unchanged.")
	p.see("location.hash", "#/add")
	p.eval(`location.hash = "#/add?url=https://example.net/9"`)
	p.see(title, "As its filter finds it")
	p.eval(`location.hash = "#/add"`)
	p.enter(".paste textarea", "https://example.net/8?page=1\nTold of again\n2,5 Zimmer")
	p.see(`document.querySelector(".add .primary").innerText`, "Update it")
	p.see(`document.querySelector(".known").innerText`,
		"You already have this flat: Known. Empty fields are left unchanged.")
	p.enter("[name=cost]", "750")
	p.see(`document.querySelector("[name=currency]").value`, "CHF")
	p.enter("[name=text]", " ")
	p.click(".add .primary")
	p.see(title, "Told of again")
	for member, want := range map[string]string{
		"text": "Quiet.", "cost": "750", "currency": "CHF", "area": "40", "rooms": "2.5", "location": "Ost",
		"phone": "0199", "date": "2026-01-02",
		"urls": "[https://example.net/ https://example.net/8?page=1&utm_source=mail#photos]",
	} {
		if got := p.flat("8@example.net", member); got != want {
			t.Errorf("%s of the flat added again = %s; want %s", member, got, want)
		}
	}
	p.checkFaults()
}

// TestPageWide tests that Add and Import use the width of a laptop, the fields beside the text that fills them and the
// log beside the form, and that a phone has one column.
func TestPageWide(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	for _, view := range []struct{ hash, left, right string }{
		{"#/add?title=Two&text=Two+rooms%0A900+%E2%82%AC", ".add .paste textarea", ".add [name=title]"},
		{"#/import", ".import form", ".import .log"},
	} {
		p.eval("location.hash = " + encode(view.hash))
		for _, width := range []int{1280, 900, 390, 320} {
			p.resize(width)
			p.wait("document.querySelector(" + encode(view.right) + ")?.checkVisibility()")
			p.see(fmt.Sprintf(`(() => {
				const [left, right] = [%s, %s].map((part) => document.querySelector(part).getBoundingClientRect());
				const isBeside = left.right < right.left && right.top < left.bottom && left.top < innerHeight / 2;
				const isBeneath = left.bottom < right.top;
				return innerWidth < 900 ? isBeneath : isBeside && right.right > innerWidth - 40;
			})()`, encode(view.left), encode(view.right)), "true")
			p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
		}
	}
	// The button is in sight on a laptop without scrolling.
	p.resize(1280)
	p.eval(`location.hash = "#/add"`)
	p.see(`document.querySelector(".add .decision")?.getBoundingClientRect().bottom <= innerHeight`, "true")
	p.checkFaults()
}

// TestPageAddDetails tests that short facts of a text become details of the flat, that a text which does not say
// everything leaves fields empty, and that photos and a position come along, all as fields that one can change.
func TestPageAddDetails(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	long := strings.Repeat("o", 2000)
	p := openTab(t, `[{"id": "1@added", "title": "Known", "urls": ["https://example.org/1"], "details": {"pets": "no",
		"floor": "1"}, "bedrooms": 1}]`, "#/add", 390)
	const rare = `[...document.querySelectorAll(".add [name]")].slice(10).map(({value, parentElement: {hidden}}) =>
		hidden ? "-" : value).join("|")`
	const missing = `[...document.querySelectorAll(".add [placeholder]")].filter(({placeholder, value}) =>
		placeholder && !value).map(({name, placeholder}) => name + " " + placeholder).join()`
	p.see(rare+" + "+missing, "-|-|-")
	p.enter(".paste textarea", "Helle Wohnung in Kassel\n60 m²\nEtage: 3\nKaution: 1.800 €\nFrei ab: 01.02.2027\n"+
		"Energieeffizienzklasse: B\nSchlafzimmer: 2")
	p.see(rare, "Floor: 3\nDeposit: 1.800 €\nAvailable from: 01.02.2027\nEnergy class: B\nBedrooms: 2|-|-")
	p.see(missing, "cost not found,rooms not found,code not found")
	// The area of a home may be followed by what else it has, which may have an area of its own.
	for ad, area := range map[string]string{
		"Appartement T3 de 64,5 m² avec balcon":        "64.5",
		"Wohnung 64 m² mit Balkon":                     "64",
		"Wohnung mit 64 m² und Terrasse 8 m²":          "64",
		"45m2 + terrasse 10m2":                         "45",
		"82 m² lejlighed med altan på 6 m²":            "82",
		"Zwei Zimmer, Keller 6 m² und Balkon, 48 m²":   "48",
		"Studio, terrasse de 12 m² et jardin de 30 m²": "",
	} {
		p.enter(".paste textarea", ad)
		p.see(`document.querySelector("[name=area]").value`, area)
	}
	p.enter(".paste textarea", "Helle Wohnung in Kassel\n60 m²\nEtage: 3\nKaution: 1.800 €\nFrei ab: 01.02.2027\n"+
		"Energieeffizienzklasse: B\nSchlafzimmer: 2")
	p.see(`document.querySelector("[name=area]").value`, "60")
	p.enter("[name=details]", "Floor: 4\nBedrooms: 3\nwith a view\nMy own: <b>this</b>\n__proto__: x\nLong: "+long)
	p.click(".add .primary")
	p.see(`document.querySelector(".flat h1")?.innerText`, "Helle Wohnung in Kassel")
	id := fmt.Sprint(p.eval(`decodeURIComponent(location.hash.slice(7))`))
	want := "map[Long:" + long + " My own:<b>this</b> __proto__:x floor:4]3"
	if got := p.flat(id, "details") + p.flat(id, "bedrooms"); got != want {
		t.Errorf("details and bedrooms = %s, want %s", got, want)
	}
	p.see(`document.querySelector(".brief").innerText.replace(/\s+/g, " ")`, "Floor 4 My own <b>this</b> Proto x")
	p.see(`document.querySelector(".source").innerText.split("\n")[0]`, "added by hand")
	// What is passed on about a known flat is added to it.
	p.eval(`location.hash = "#/add?" + new URLSearchParams({url: "https://example.org/1", text: "Etage: 5",
		gps: "48.1,11.5", photos: "https://example.org/a.jpg\njavascript:1\nhttp://example.org/b.jpg\ndata:image/png,x"})`)
	p.see(rare, "Floor: 5|48.1,11.5|https://example.org/a.jpg\nhttp://example.org/b.jpg")
	p.see(`document.querySelectorAll("main img").length`, "0")
	p.enter("[name=gps]", "48.1")
	p.see(`document.querySelector("[name=gps]").validationMessage`, "Enter latitude, longitude: 48.137, 11.576")
	p.enter("[name=gps]", "48.2, 11.6")
	p.click(".add .primary")
	p.see(`document.querySelector(".flat h1")?.innerText`, "Known")
	for member, want := range map[string]string{"details": "map[floor:5 pets:no]", "bedrooms": "1",
		"gps": "[48.2 11.6]", "photos": "[https://example.org/a.jpg http://example.org/b.jpg]"} {
		if got := p.flat("1@added", member); got != want {
			t.Errorf("%s = %s; want %s", member, got, want)
		}
	}
	p.checkFaults()
}

// TestPageAddByHand tests fields that are typed in: mistakes are marked, and Undo brings back what was cleared.
func TestPageAddByHand(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": 1, "title": "a", "cost": 1, "currency": "CHF"}]`, "#/add", 320)
	const wrong = `document.activeElement.name + ": " + document.activeElement.validationMessage`
	p.click(".add .primary")
	p.see(wrong, "link: Enter a link or a title")
	p.enter("[name=link]", "nowhere")
	p.click(".add .primary")
	p.see(wrong, "link: This is not a link")
	p.enter("[name=link]", "")
	p.enter(".paste textarea", "CHF 900 warm")
	p.enter("[name=title]", "Told of by a friend")
	p.enter("[name=cost]", "dear")
	p.click(".add .primary")
	p.see(wrong, "cost: This is not a number")
	p.enter("[name=cost]", "1'200")
	p.see(`document.querySelector("[name=currency]").value`, "CHF")
	p.see("document.scrollingElement.scrollWidth <= innerWidth", "true")
	p.see(`[...document.querySelectorAll(".add :is(input, textarea, button, a)")]
		.filter((control) => control.offsetHeight > 0 && control.offsetHeight < 44).length`, "0")
	p.click(".decision button:nth-of-type(2)")
	p.see(fieldTexts, "|||||||||")
	p.click(".notice button")
	p.see(fieldTexts, "|Told of by a friend|1'200|CHF||||||")
	p.click(".add .primary")
	p.see("document.querySelector('.flat h1')?.innerText", "Told of by a friend")
	p.see(`/^#.flat.[0-9a-f]{16}%40added$/.test(location.hash)`, "true")
	id := fmt.Sprint(p.eval(`decodeURIComponent(location.hash.slice(7))`))
	// What the text says of its own cost does not hold for another one.
	got := p.flat(id, "cost") + p.flat(id, "currency") + p.flat(id, "urls") + p.flat(id, "utilities")
	if got != "1200CHF<nil><nil>" {
		t.Errorf("cost, currency, urls and utilities = %s; want 1200CHF<nil><nil>", got)
	}
	// What a script would run is only ever text.
	p.eval(`location.hash = "#/add"`)
	p.enter(".paste textarea", `<img src=x onerror="faults.push('ran')">`+"\njavascript:faults.push('ran')")
	p.enter("[name=link]", "javascript:faults.push('ran')")
	p.see(`document.querySelector("[name=link]").validationMessage`, "This is not a link")
	p.see(`document.querySelectorAll("main img").length`, "0")
	p.checkFaults()
}

// TestPageAddReplaced tests that a text which is pasted over that of another listing begins a draft of its own, without
// what was typed about the other, which is kept. The same listing, copied again, keeps what was typed.
func TestPageAddReplaced(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/add", 390)
	const unsaved = `document.querySelector(".add form").firstChild.innerText.replace(/\s+/g, " ")`
	p.paste(".paste textarea", "2-Zimmer-Wohnung in Kassel\n900 € warm")
	p.see(fieldTexts, "|2-Zimmer-Wohnung in Kassel|900|EUR||2||Kassel||900 € warm")
	p.enter("[name=cost]", "950")
	p.paste(".paste textarea", "2-Zimmer-Wohnung in Kassel\n900 € warm\nRuhig gelegen.")
	p.see(fieldTexts+" + "+unsaved, "|2-Zimmer-Wohnung in Kassel|950|EUR||2||Kassel||900 € warm\nRuhig gelegen.")
	p.paste(".paste textarea", "Loft in Leipzig\n1.200 €")
	p.see(fieldTexts, "|Loft in Leipzig|1200|EUR||||Leipzig||1.200 €")
	p.see(unsaved, "Not saved yet: 2-Zimmer-Wohnung in Kassel")
	p.click(".add .line button")
	p.see(fieldTexts+" + "+unsaved, "|2-Zimmer-Wohnung in Kassel|950|EUR||2||Kassel||900 € warm\nRuhig gelegen."+
		"Not saved yet: Loft in Leipzig")
	p.see(`document.querySelector(".paste textarea").value`, "2-Zimmer-Wohnung in Kassel\n900 € warm\nRuhig gelegen.")
	// Without anything typed nothing is lost, and nothing is kept.
	p.click(".add .line button")
	p.paste(".paste textarea", "Studio in Halle\n400 €")
	p.see(fieldTexts+" + "+unsaved, "|Studio in Halle|400|EUR||1||Halle||400 €Not saved yet: 2-Zimmer-Wohnung in Kassel")
	p.checkFaults()
}

// TestPageAddOffline tests that without a network what was pasted stays on this device, beside what is shared
// next.
func TestPageAddOffline(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, "#/add", 390)
	p.startWorker()
	p.enter(".paste textarea", "2-Zimmer-Wohnung in Kassel\n900 €")
	network.down.Store(true)
	p.click(".add .primary")
	p.see(`document.querySelector("[role=alert] p")?.innerText`, "That did not work: no network connection.")
	p.see(`document.querySelector(".decision .wrong").innerText`, "Not saved yet. It stays on this device until it is.")
	p.eval(`location.hash = "#/visits"`)
	// The share sheet opens the page with a query.
	p.eval("window.old = true")
	p.do("Page.navigate", object{"url": p.url + "/?title=Loft+%26+Garten&text=https%3A%2F%2Fexample.org%2F5&url="})
	p.wait(`!window.old && document.querySelector(".add [name=title]")?.value`)
	p.see("location.search + location.hash", "#/add")
	p.see(fieldTexts, "https://example.org/5|Loft & Garten||||||||")
	p.reload()
	p.see(fieldTexts, "https://example.org/5|Loft & Garten||||||||")
	p.see(`document.querySelector(".add form").firstChild.innerText.replace(/\s+/g, " ")`,
		"Not saved yet: 2-Zimmer-Wohnung in Kassel")
	network.down.Store(false)
	p.click(".add .primary")
	p.see("document.querySelector('.flat h1')?.innerText", "Loft & Garten")
	p.eval(`location.hash = "#/add"`)
	p.see(fieldTexts, "|2-Zimmer-Wohnung in Kassel|900|EUR||2||Kassel||900 €")
	p.click(".add .primary")
	p.see("document.querySelector('.flat h1')?.innerText", "2-Zimmer-Wohnung in Kassel")
	p.see("localStorage['flats.add']", "undefined")
	p.checkFaults()
}

// TestPageShare tests that what the share sheet of a phone gives fills the fields, behind a password too.
func TestPageShare(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	_, body := get(t, start(t, "[]")+"/manifest.webmanifest")
	var manifest struct {
		ShareTarget struct {
			Action, Method string
			Params         map[string]string
		} `json:"share_target"`
	}
	if err := json.Unmarshal([]byte(body), &manifest); err != nil {
		t.Fatal(err)
	}
	target := fmt.Sprint(manifest.ShareTarget)
	if want := "{./ GET map[text:text title:title url:url]}"; target != want {
		t.Errorf("share_target = %s; want %s", target, want)
	}
	known := "https%3A%2F%2Fexample.org%2F1"
	p := openTab(t, `[{"id": 1, "title": "Known", "urls": ["https://example.org/1"]}]`, "", 390)
	for _, c := range []struct{ query, want string }{
		{"title=&text=&url=", "|||||||||"},
		{"url=javascript%3A1&text=%3Cscript%3E", "|javascript:1||||||||<script>"},
		{"title=3+Zi.+%7C+Example&url=" + known + "%3Fn%3D2", "https://example.org/1?n=2|3 Zi.||||3||||"},
		{"title=3+Zi.&text=72+m%C2%B2+" + known, "https://example.org/1|3 Zi.|||72|3||||72 m²"},
	} {
		p.do("Page.navigate", object{"url": p.url + "/?" + c.query})
		p.see("location.search + location.hash", "#/add")
		p.see(fieldTexts, c.want)
		p.checkFaults()
	}
	p.do("Page.navigate", object{"url": p.url + "/?title=A+page&url=" + known})
	p.see("document.querySelector('.flat h1')?.innerText", "Known")
	// Behind a password that was forgotten the share survives the way through ?sign-in.
	p, network := openThroughProxy(t, "", 390)
	p.startWorker()
	network.pointTo(start(t, "[]", `"username": "me"`, `"password": "secret"`))
	p.signIn("me", "secret")
	p.eval("window.old = true")
	p.do("Page.navigate", object{"url": p.url + "/?title=Shared"})
	p.wait(`!window.old && document.querySelector(".add [name=title]")?.value`)
	p.see("location.search + location.hash + document.querySelector('.add [name=title]').value", "#/addShared")
	p.checkFaults()
}

// TestPageBookmarklet tests that the bookmarklet brings what a page says, as text of bounded size. One of the
// pages is hostile.
func TestPageBookmarklet(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/add", 1280)
	const link = `document.querySelector(".bookmarklet a")`
	p.see(link+".innerText + "+link+".draggable", "Add to flatstrue")
	p.click(".bookmarklet a")
	p.see(`document.querySelector(".notice p").innerText`,
		"Drag this to your bookmarks bar, then click it on a listing's page")
	p.checkFaults()
	source := fmt.Sprint(p.eval(`decodeURIComponent(` + link + `.href.slice("javascript:".length))`))
	deep := strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000)
	const photo = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"/>`
	const listing = `{"@graph": [{"@type": "RealEstateAgent", "name": "Agents", "telephone": "0999",
		"address": {"postalCode": "99999", "addressLocality": "Elsewhere"}}, {"@type": "Apartment",
		"name": "Loft in Kassel", "description": "<b onclick=1>Quiet</b>", "floorSize": {"value": 72.5, "unitCode": "MTK"},
		"numberOfRooms": 2.5, "address": {"@type": "PostalAddress", "streetAddress": "Testgasse 3",
		"postalCode": "34117", "addressLocality": "Kassel"}, "offers": {"@type": "Offer", "price": "1450.00",
		"priceCurrency": "EUR", "seller": {"@type": "Organization", "name": "Agents", "telephone": "0561 555"}}}]}`
	for _, c := range []struct{ head, want string }{
		{`<title>Loft in Kassel</title><script type="application/ld+json">` + listing + `</script>`,
			"|Loft in Kassel|1450|EUR|72.5|2.5|34117|Testgasse 3, Kassel|0561 555|<b onclick=1>Quiet</b>"},
		{`<title>Loft in Kassel | Portal</title><script type="application/ld+json">` + listing + `</script>`,
			"|Loft in Kassel|1450|EUR|72.5|2.5|34117|Testgasse 3, Kassel|0561 555|<b onclick=1>Quiet</b>"},
		{`<title>Altbau – mit Charme | 4 Zi. – Portal</title><h1>Altbau –
			mit  Charme</h1>`, "|Altbau – mit Charme||||||||"},
		{`<title>127 | Loft, 2 Zi.</title><h1>127</h1>`, "|127 | Loft, 2 Zi.||||2||||127"},
		{`<title>a</title><meta property="og:title" content="Loft, 2 Zi., 900 €">
			<meta property="og:description" content="Mit Balkon, 60 m²">`,
			"|Loft, 2 Zi., 900 €|900|EUR|60|2||||Mit Balkon, 60 m²"},
		{`<title>` + strings.Repeat("long ", 9_000) + `</title><script type="application/ld+json">` +
			strings.Repeat(" ", 1_000_000) + listing + `</script><script type="application/ld+json">` + deep +
			`</script><script type="application/ld+json">{"name": {"name": ["<\/script><script>faults.push(1)"]},
			"description": "<\/script><script>faults.push('ran')<\/script>", "price": "1e999", "floorSize": [` + "1,1" + `]}
			</script>`, "|" + strings.TrimSpace(strings.Repeat("long ", 60)) + "||||||||" +
			"</script><script>faults.push('ran')</script>"},
		{`<title>Wohnung in Kassel</title><meta property="og:image" content="/photo.svg?og"><meta name="geo.position"
			content="51.3;9.5"><body><nav>Suche</nav><p>Warmmiete: 910 €<p>Etage: 2<p hidden>Kaution: 1 €</p>
			<img src="/photo.svg?1" width=80><img src="/photo.svg?1"><img src="/icon.svg"><img src="data:image/svg+xml,` +
			url.PathEscape(photo) + `"><p>` + strings.Repeat("ü €. ", 50_000),
			"|Wohnung in Kassel|910|EUR||||Kassel||*"},
	} {
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, ".svg") {
				w.Header().Set("Content-Type", "image/svg+xml")
				image := photo
				if r.URL.Path == "/icon.svg" {
					image = strings.ReplaceAll(photo, "00", "0")
				}
				io.WriteString(w, image)
				return
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, c.head)
		}))
		p.do("Page.navigate", object{"url": site.URL + "/flat/1"})
		p.wait(`location.pathname === "/flat/1" && document.title && document.readyState === "complete"`)
		p.eval(`window.open = (address) => window.opened = address; void ` + source)
		address := fmt.Sprint(p.eval("opened"))
		site.Close()
		if len(address) > 64_000 {
			t.Errorf("the bookmarklet opens an address of %d bytes; want at most 64,000", len(address))
		}
		p.do("Page.navigate", object{"url": address})
		p.wait(`document.querySelector(".add [name=title]")?.value`)
		if want, isOpen := strings.CutSuffix(c.want, "*"); isOpen { // a text of many letters
			p.see(fieldTexts+".split('|').slice(0, 9).join('|') + '|'", site.URL+"/flat/1"+want)
			p.see(`[...document.querySelectorAll(".add [name]")].slice(10).map(({value}) => value).join("|")`,
				"Floor: 2|51.3,9.5|"+site.URL+"/photo.svg?1")
		} else {
			p.see(fieldTexts, site.URL+"/flat/1"+c.want)
		}
		p.see("location.hash", "#/add")
		p.click(".decision button:nth-of-type(2)")
		p.checkFaults()
	}
}

// TestPickWorst tests that texts which repeat one part are read in a short time.
func TestPickWorst(t *testing.T) {
	t.Parallel()
	p := openTab(t, "[]", "#/add", 1280)
	p.load("words/pick")
	for _, part := range []string{"1", "1\n", "1 000 ", "€1", "Aa ", "Aa-", "A\n", "1 €\n", "Zimmer\n",
		"80331 Aa ", "0-", "Aa 1, ", "1071 AB ", "ul. ", "rue a ", "12-345 Aa ", "089 / ", "+", "1 zł ", "Ft ", "Tel. 0-",
		"+4", "http://a.b ", "Kaltmiete ", "inkl. 1 € ", "(", "\u00a0", "🏠"} {
		// The shortest of several times, because the machine may be busy
		took := p.eval(fmt.Sprintf(`(() => {
			const text = %s.repeat(100_000);
			let least = Infinity;
			for (let i = 0; i < 5 && least > 2_000; i++) {
				const start = performance.now();
				pick.pick(text);
				least = Math.min(least, performance.now() - start);
			}
			return least;
		})()`, encode(part)))
		if took.(float64) > 2_000 {
			t.Errorf("a text of %q takes %.0f ms; want at most 2,000", part, took)
		}
	}
}

// TestPick tests what is picked out of the texts of listings.
func TestPick(t *testing.T) {
	t.Parallel()
	p := openTab(t, "[]", "#/add", 1280)
	for _, c := range listingTexts {
		p.enter(".paste textarea", c.text)
		got := fmt.Sprint(p.eval(`[...document.querySelectorAll(".add [name]")].slice(0, 9).map((field) => field.value)`))
		want := fmt.Sprint([]string{c.link, c.title, c.cost, c.currency, c.area, c.rooms, c.code, c.place, c.phone})
		if got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, want)
		}
	}
	p.checkFaults()
}

// TestPickScraps tests what is picked out of a link alone, and out of facts alone: no title and no text.
func TestPickScraps(t *testing.T) {
	t.Parallel()
	p := openTab(t, "[]", "#/add", 1280)
	for _, c := range []struct{ pasted, want string }{
		{"example.org/expose/999111", "https://example.org/expose/999111|||||||||"},
		{"https://example.org/9\nWarmmiete 1.390 €\n60 m²", "https://example.org/9||1390|EUR|60|||||"},
		{"https://www.example.org/", "https://www.example.org/|||||||||"},
		{"Schau mal, ein Loft in Kassel https://example.org/expose/7",
			"https://example.org/expose/7|Schau mal, ein Loft in Kassel||||||Kassel||"},
		{"Wohnung in Kassel\nwww.example.org/expose/7\nWarmmiete 900 €\nDatenschutz: https://example.net/privacy",
			"https://www.example.org/expose/7|Wohnung in Kassel|900|EUR||||Kassel||Warmmiete 900 €"},
		{"Appartement à Lyon, 900 € CC\nLes risques sont publiés sur le site www.example.org\nhttps://www.example.net/",
			"|Appartement à Lyon, 900 € CC|900|EUR||||Lyon||" +
				"Les risques sont publiés sur le site www.example.org\nhttps://www.example.net/"},
		{"Agence Dupont, Tél. 01 99 00 42 17\nLoyer 900 €\nT2 à Lyon",
			"|T2 à Lyon|900|EUR||2||Lyon|01 99 00 42 17|Agence Dupont, Tél. 01 99 00 42 17\nLoyer 900 €"},
		{"Appartement te huur in Leuven\nVeldstraat 240 bus 301, 3000 Leuven\n€ 900 per maand",
			"|Appartement te huur in Leuven|900|EUR|||3000|Veldstraat 240 bus 301, Leuven||" +
				"Veldstraat 240 bus 301, 3000 Leuven\n€ 900 per maand"},
		{"Location appartement 3 pièces\n1.680 €\nParis 11E (75011)\n3 pièces",
			"|Location appartement 3 pièces|1680|EUR||3|75011|Paris 11E||" +
				"1.680 €\nParis 11E (75011)\n3 pièces"},
		{"Koop\nBekijk alle foto's (27)\nFoto's 27\nVerzonnenstraat 14-BS\n9712 XX Groningen\n€ 298.000 k.k.\n" +
			"2 slaapkamers\nContact met makelaar\nOmschrijving\nRuim appartement.\nAantal kamers\n3 kamers (2 slaapkamers)",
			"|Verzonnenstraat 14-BS|298000|EUR||3|9712 XX|Verzonnenstraat 14-BS, Groningen||Koop\n9712 XX Groningen\n" +
				"€ 298.000 k.k.\n2 slaapkamers\nContact met makelaar\nOmschrijving\nRuim appartement.\nAantal kamers\n" +
				"3 kamers (2 slaapkamers)"},
		{"Te huur: Appartement Molenkade 45 B in Utrecht\n3532 XX (Lombok)\n€ 1.650 per maand",
			"|Te huur: Appartement Molenkade 45 B in Utrecht|1650|EUR|||3532 XX|Molenkade 45 B, Utrecht||" +
				"3532 XX (Lombok)\n€ 1.650 per maand"},
		{"Pronájem bytu 2+kk\n19 500 Kč za měsíc\n" +
			"Nabízíme k pronájmu světlý byt po celkové rekonstrukci na adrese Smyšlená 17, 130 00 Praha 3.",
			"|Pronájem bytu 2+kk|19500|CZK||2|130 00|Smyšlená 17, Praha||19 500 Kč za měsíc\n" +
				"Nabízíme k pronájmu světlý byt po celkové rekonstrukci na adrese Smyšlená 17, 130 00 Praha 3."},
		{"1 bed flat for sale\nFlat 2, 19 Invented Street, Bristol BS3 9XX\n£260,000",
			"|Flat 2, 19 Invented Street, Bristol BS3 9XX|260000|GBP|||BS3 9XX|Flat 2, 19 Invented Street, Bristol||" +
				"1 bed flat for sale\n£260,000"},
		{"2 Bed Flat, Made Up Street, M1\nManchester, M1 9XX\n£1,200 per month",
			"|2 Bed Flat, Made Up Street, M1|1200|GBP|||M1 9XX|Made Up Street, M1, Manchester||" +
				"Manchester, M1 9XX\n£1,200 per month"},
		{"Piso en venta en Calle Inventada, 6\n28015 Madrid\n410.000 €",
			"|Piso en venta en Calle Inventada, 6|410000|EUR|||28015|Calle Inventada, 6, Madrid||28015 Madrid\n410.000 €"},
		{"Neubauprojekt Musterpark\n2 - 4 Zimmer\n48 - 112 m²\nTel. (+352) 26 55 01 99",
			"|Neubauprojekt Musterpark|||||||(+352) 26 55 01 99|2 - 4 Zimmer\n48 - 112 m²\nTel. (+352) 26 55 01 99"},
		{"Two bed flat in Leeds\n£950 pcm\nMore properties from this agent\nCall agent: 020 7946 0199",
			"|Two bed flat in Leeds|950|GBP||||Leeds|020 7946 0199|£950 pcm\nMore properties from this agent\n" +
				"Call agent: 020 7946 0199"},
		{"Zurück zur Ergebnisliste\nMerken\nHelle Wohnung in Kassel\n900 €\nRuhig gelegen, mit Garten.",
			"|Helle Wohnung in Kassel|900|EUR||||Kassel||900 €\nRuhig gelegen, mit Garten."},
	} {
		p.enter(".paste textarea", c.pasted)
		p.see(fieldTexts, c.want)
	}
	p.checkFaults()
}

// TestPickCosts tests which of several amounts is the cost, and whether it includes utilities.
func TestPickCosts(t *testing.T) {
	t.Parallel()
	p := openTab(t, "[]", "#/add", 1280)
	p.load("words/pick")
	for _, c := range []struct{ text, want string }{
		{"Kaltmiete 900 €\nNebenkosten 150 €\nWarmmiete 1.050 €", "1050 included"},
		{"Kaltmiete 900 €\nNebenkosten 150 €", "900 excluded"},
		{"Wohnung in Kassel\n900 €\nMiete zzgl. NK: 900 €", "900 excluded"},
		{"Wohnung in Kassel\n900 €\nBruttomiete: 900 €", "900 included"},
		{"Appartement à Lyon\n900 € HC", "900 excluded"},
		{"Appartement à Lyon\n900 € CC", "900 included"},
		{"Appartement te huur\n€ 900 per maand (excl.)", "900 excluded"},
		{"Exklusive Wohnung in Kassel\nMiete 900 €", "900"},
		{"Piso en Málaga\n900 € gastos no incluidos", "900 excluded"},
		{"Flat to let\n£900 pcm", "900"},
		{"Exklusives Loft\nKaufpreis 300.000 € inkl. Küche", "300000"},
		// What the rent comprises stands in the line below it.
		{"Location studio 24 m²\nNantes (44000)\n710 €\nLe loyer comprend les charges\n24 m²\n" +
			"Loyer 640 € + 70 € de charges. Dépôt de garantie 640 €.", "710 included"},
		// A number of a house is no cost.
		{"Te huur: Appartement Molenkade 311-2 in Utrecht\n€ 1.650 per maand\n58 m²", "1650"},
		{"Te huur: Appartement Molenkade 455 B in Utrecht\n€ 1.650 per maand (incl.)", "1650 included"},
		// A former price is none, however often it stands there.
		{"Maison 5 pièces\n412 000 € 395 000 €\nAncien prix : 412 000 €", "395000"},
		{"Piso en venta\n198.000 € antes 215.000 €", "198000"},
		{"Loft in Kassel\nAlter Preis: 1.100 €\n990 €", "990"},
		{"Loft in Kassel\nstatt 1.100 € nur 990 €", "990"},
	} {
		got := p.eval(fmt.Sprintf(`(({cost, utilities = ""}) => (cost + " " + utilities).trim())(pick.pick(%s))`,
			encode(c.text)))
		if got != c.want {
			t.Errorf("%s: got %s; want %s", c.text, got, c.want)
		}
	}
	p.checkFaults()
}

// TestPickDetails tests which short facts are picked out of the lines of a listing.
func TestPickDetails(t *testing.T) {
	t.Parallel()
	p := openTab(t, "[]", "#/add", 1280)
	p.load("words/details")
	for _, c := range []struct{ line, want string }{
		{"Planta 3ª exterior", "floor 3ª exterior"},
		{"72 m², planta 3ª exterior", "floor planta 3ª"},
		{"2ª Planta", "floor 2ª Planta"},
		{"Third floor with lift", "floor Third floor"},
		{"Floor area 52 m² on two floors, 900 plantas", ""},
		{"Fianza de 2 meses", "deposit 2 meses"},
		{"Se pide fianza de dos meses", "deposit dos meses"},
		{"Montant du dépôt de garantie 1500 €", "deposit 1500 €"},
		{"No deposit. The deposit is protected by one scheme", ""},
		{"Piso reformado, disponible desde el 1 de enero, sin muebles", "available_from 1 de enero"},
		{"Le logement est disponible à partir du 1er mars 2027", "available_from 1er mars 2027"},
		{"Available from 1 March, unfurnished", "available_from 1 March"},
		{"Disponible de suite", "available_from de suite"},
		{"Available for 2 people, from 9 to 5", ""},
		{"Certificado energético: Consumo: E", "energy E"},
		{"Consumo: 120 kWh", ""},
	} {
		got := p.eval(fmt.Sprintf(`Object.entries(details.detailsIn([%s]) ?? {}).map((fact) => fact.join(" ")).join()`,
			encode(c.line)))
		if got != c.want {
			t.Errorf("%s: got %s; want %s", c.line, got, c.want)
		}
	}
	p.checkFaults()
}

// TestPickLinks tests which links lead to one listing.
func TestPickLinks(t *testing.T) {
	t.Parallel()
	p := openTab(t, "[]", "#/add", 1280)
	p.load("words/pick")
	for _, c := range []struct {
		one, other string
		same       bool
	}{
		{"https://www.example.org/expose/999111", "https://example.org/expose/999111#/", true},
		{"https://www.example.org/expose/999111", "http://m.example.org/expose/999111/?utm_source=a", true},
		{"https://www.example.org/9", "https://www.example.org/9?referrer=RESULT_LIST&searchType=shape#/", true},
		{"https://www.example.org/properties/7", "https://www.example.org/properties/7#/?channel=RES_LET", true},
		{"https://www.example.org/#/listing/7", "https://www.example.org/#/listing/8", false},
		{"https://www.example.org/#!7", "https://www.example.org/", false},
		{"https://www.example.org/?id=7", "https://www.example.org/?id=8", false},
		{"https://www.example.org/?ref=7", "https://www.example.org/", false},
	} {
		same := p.eval(fmt.Sprintf("pick.linkKey(%s) === pick.linkKey(%s)", encode(c.one), encode(c.other)))
		if same != c.same {
			t.Errorf("%s and %s lead to one listing: %v; want %v", c.one, c.other, same, c.same)
		}
	}
	p.checkFaults()
}

// linkID returns the id of a flat that was added by its link.
func linkID(link, host string) string {
	return fmt.Sprintf("%.8x@%s", sha256.Sum256([]byte(link)), host)
}

// The fields of Add that are always shown.
const fieldTexts = `[...document.querySelectorAll(".add [name]")].slice(0, 10).map((field) => field.value).join("|")`

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

// Compare, map, duplicates, prices
// --------------------------------

// TestPageCompare tests that the best number of a row is marked for each
// currency, that equal rows can be hidden, and that long notes are printed on one
// page.
func TestPageCompare(t *testing.T) {
	t.Parallel()
	p := openTab(t, `[
		{"id": "a,b@x", "title": "<img src=x onerror=faults.push(1)>", "cost": 900, "currency": "EUR", "area": 50,
			"rooms": 2, "notation": 3,
			"service_time_to": {"work": {"time": 600}}, "details": {"lift": true, "heat_source": "gas"}, "text": "t"},
		{"id": "b", "title": "B", "cost": 800, "currency": "€", "area": 40, "rooms": 2, "notation": 5,
			"location": "`+strings.Repeat("Far away ", 20)+`",
			"service_time_to": {"work": {"time": 1200}},
			"details": {"lift": true, "heat_source": "oil"}, "notes": `+encode(strings.Repeat("Damp in the cellar. ", 200))+`},
		{"id": "c", "title": "C", "cost": 700, "currency": "DKK", "area": 0, "rooms": 2, 
			"details": {"lift": true}}]`, "", 1280)
	p.eval(`location.hash = "#/compare/a%2Cb%40x,b,c,gone"`)
	p.see(`[...document.querySelectorAll("tbody tr")].filter((row) => row.querySelector(".best"))
		.map((row) => row.cells[0].innerText + " " + [...row.cells].findIndex((cell) => cell.matches(".best"))).join()`,
		"Cost 2,Cost per m² 1,Area 1,work 1,Rating 2")
	p.see(`document.querySelector(".compare .soft").innerText`, "Currencies are compared separately. No flat gone.")
	rows := `[...document.querySelectorAll("tbody th")].map((name) => name.innerText)
		.filter((name) => /Rooms|Lift|Heat/.test(name)).join()`
	p.see(rows, "Rooms,Lift,Heat source")
	p.press("d")
	p.see(rows, "Heat source")
	var pdf struct{ Data []byte }
	p.call(t, p.session, "Page.printToPDF", object{"preferCSSPageSize": true}, &pdf)
	pages := len(regexp.MustCompile(`/Type /Page\b`).FindAll(pdf.Data, -1))
	landscape := bytes.Contains(pdf.Data, []byte("/MediaBox [0 0 841.9"))
	if pages != 1 || !landscape {
		box := regexp.MustCompile(`/MediaBox.*`).Find(pdf.Data)
		t.Errorf("the comparison is printed on %d pages with %s; want 1 page, A4 landscape", pages, box)
	}
	p.resize(320)
	p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
	p.see(`[...document.querySelectorAll(".compare :is(button:not([hidden]), a)")]
		.filter((control) => Math.min(control.offsetWidth, control.offsetHeight) < 44)
		.map((control) => control.innerText).join()`, "")
	p.see(`[...document.querySelectorAll(".side-by-side td .line")]
		.filter(({children: [follow, dismiss]}) => follow.offsetTop !== dismiss.offsetTop).length`, "0") // one row
	p.eval(`document.querySelector(".side-by-side").scrollTo(150, 200)`)
	// The names of flats and rows stay in sight.
	p.see(`["thead th", "tbody th"].map((name) => document.querySelector(name).getBoundingClientRect())
		.map(({top, left}, i) => i === 0 ? top : left).every((at) => at >= 0 && at < 260)`, "true")
	// Notes are whole, and values stand at the top of their rows.
	p.see(`(({scrollHeight, clientHeight}) => scrollHeight <= clientHeight)(
		document.querySelector(".side-by-side .notes"))`, "true")
	p.press("d")
	p.see(`[...document.querySelectorAll(".side-by-side tbody td")].filter((cell) =>
		cell.firstChild.getBoundingClientRect().top - cell.getBoundingClientRect().top > 8)
		.map((cell) => cell.parentElement.innerText).join()`, "")
	p.click("td:nth-child(3) button[data-status=followed]")
	p.see(`document.querySelector("td:nth-child(3) button[data-status=followed]").ariaPressed`, "true")
	p.click("thead .close")
	p.see(`location.hash`, "#/compare/b,c,gone")
	p.checkFaults()
}

// TestPageComparePhotos tests that photos are 3:2 and at most 320 pixels wide, whether they load or not.
func TestPageComparePhotos(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "A", "photos": ["https://127.0.0.1:1/1.jpg"]}, {"id": "b", "title": "B",
		"photos": ["data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 90'/%3E"]}]`,
		"#/compare/a,b", 1280)
	const sizes = `[...document.querySelectorAll(".side-by-side .photo")].map(({tagName, offsetWidth, offsetHeight}) =>
		[tagName, offsetWidth > 100 && offsetWidth <= 320, Math.abs(offsetWidth / offsetHeight - 1.5) < 0.02].join(" "))
		.join()`
	for _, width := range []int{1280, 390} {
		p.resize(width)
		p.see(sizes, "SPAN true true,IMG true true")
	}
	p.checkFaults()
}

// TestPageCompareBest tests which numbers are marked as the best: not those that look like all others, nor a cost
// without utilities beside one with them.
func TestPageCompareBest(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[
		{"id": "a", "title": "A", "cost": 1000, "currency": "EUR", "area": 61.02, "utilities": "included"},
		{"id": "b", "title": "B", "cost": 1000, "currency": "EUR", "area": 61.04, "utilities": "included"},
		{"id": "c", "title": "C", "cost": 1100, "currency": "EUR", "area": 70, "utilities": "included"},
		{"id": "d", "title": "D", "cost": 800, "currency": "EUR", "area": 70.01, "utilities": "excluded"},
		{"id": "e", "title": "E", "cost": 900, "currency": "EUR", "area": 50, "rooms": 2,
			"service_time_to": {"work": {"time": 601}}},
		{"id": "f", "title": "F", "cost": 900.001, "currency": "€", "area": 50, "rooms": 2.001,
			"service_time_to": {"work": {"time": 620}}},
		{"id": "g", "title": "G", "service_time_to": {"work": {"time": 0}}}]`, "", 1280)
	for _, c := range []struct{ ids, want string }{
		{"a,b", ""},
		{"a,b,c", "Cost A B,Area C"}, // all are 16 €/m²
		{"a,c", "Cost A,Area C"},
		{"a,d", "Area D"},
		{"a,c,d", "Cost A,Area C D"},
		{"d,e", "Area D"},
		{"e,f", ""},
		{"e,g", "work G"},
	} {
		p.eval(`location.hash = "#/compare/` + c.ids + `"`)
		p.see(`(([head, ...rows]) => head.cells.length - 1 + ": " + rows.filter((row) => row.querySelector(".best"))
			.map((row) => [...row.cells].map((cell, i) => i === 0 ? cell.innerText
			: cell.matches(".best") && head.cells[i].querySelector("a").innerText).filter(Boolean).join(" ")).join())(
			document.querySelector(".side-by-side table")?.rows ?? [{cells: []}])`,
			fmt.Sprintf("%d: %s", strings.Count(c.ids, ",")+1, c.want))
	}
	p.eval(`location.hash = "#/compare/a,b,d"`)
	p.see(`document.querySelector(".compare .soft").innerText`,
		"Costs that include utilities, exclude them, or do not say are compared separately.")
	p.checkFaults()
}

// TestPageMap tests that flats are at their own position or else at that of their
// postal code, that a circle opens its flats, and that the table has their
// numbers.
func TestPageMap(t *testing.T) {
	t.Parallel()
	p := openTab(t, `[
		{"id": "a", "title": "<b>A", "status": "followed", "cost": 800, "currency": "EUR",
			"service_constraint": "lyon", "service_postal_code": "69007"},
		{"id": "b", "title": "B", "cost": 1000, "currency": "EUR", "service_constraint": "lyon",
			"service_postal_code": "69007"},
		{"id": "c", "title": "C", "cost": 9000, "currency": "DKK", "service_constraint": "lyon",
			"service_postal_code": "69007"},
		{"id": "d", "title": "D", "gps": [45.80, 4.85], "service_constraint": "lyon", "service_postal_code": "69007"},
		{"id": "e", "title": "E", "status": "visited", "details": {"gps": [45.80, 4.95]}, "location": "Bron"},
		{"id": "f", "title": "F", "gps": ["x", 1], "location": "Bron", "text": "far"}]`, "", 1280)
	p.eval(`document.querySelector("meta[name=flats-map-tiles]").content = "https://tiles.invalid/{z}/{x}/{y}.png"`)
	p.eval(`window.tiles = []; new MutationObserver((changes) => changes.flatMap(({addedNodes}) => [...addedNodes])
		.forEach(({src}) => src && tiles.push(src))).observe(document, {subtree: true, childList: true})`)
	p.eval(`location.hash = "#/map"`)
	circles := `[...document.querySelectorAll(".circle")]
		.map((circle) => circle.dataset.status + " " + circle.textContent).sort().join()`
	p.see(circles, "followed 3,new ,visited ")
	// The first tiles are those of the zoom that is shown.
	p.see(`new Set(tiles.map((src) => src.split("/")[3])).size`, "1")
	p.see(`document.querySelector(".map .found").innerText`, "Live: 6 flats\n1 without a position")
	p.see(`[...document.querySelectorAll(".map tr")].map((row) => row.innerText.replace(/\s+/g, " ").trim()).join()`,
		"Place Flats Median,Lyon 7e 4 €900 DKK 9,000,Bron 2 no price")
	p.see(`[...document.querySelectorAll(".place .name:nth-child(2)")].map((name) => name.textContent).join()`,
		"station,university")
	p.wait(`document.querySelector(".tiles img") && document.querySelector("svg > .name")`)
	p.wait(`[...document.querySelectorAll(".tiles img")].every(({src, referrerPolicy}) =>
		/^https:..tiles.invalid.\d+.\d+.\d+.png$/.test(src) && referrerPolicy === "strict-origin")`)
	p.press("0") // it began without Bron, which is in no search area
	// A press on the circle of Lyon 7e opens its flats.
	p.click(".circle[data-status=followed]")
	p.see(`document.querySelector(".beside h2").innerText`, "Lyon 7e")
	p.see(`[...document.querySelectorAll(".beside li a")].map((link) => link.innerText).join()`, "<b>A,B,C")
	chosen := `[...document.querySelectorAll(".circle[aria-pressed=true]")].map(({ariaLabel}) => ariaLabel).join("|")`
	p.see(chosen, "Lyon 7e, 3 flats, Followed")
	p.click(".beside li a")
	p.wait(`document.querySelector(".flat")`)
	p.eval(`history.back()`)
	p.see(`document.querySelector(".beside h2")?.innerText`, "Lyon 7e")
	p.see(chosen, "Lyon 7e, 3 flats, Followed")
	p.click(".beside .close")
	p.see(chosen, "")
	// Tab reaches one circle, arrow keys the others, Enter opens one, and Escape goes back to it.
	p.see(`document.querySelectorAll(".circle[tabindex='0']").length`, "1")
	p.eval(`document.querySelector(".circle[tabindex='0']").focus()`)
	for range 3 {
		p.key("ArrowRight")
	}
	p.key("ArrowLeft")
	p.see(`document.activeElement.ariaLabel`, "Bron, 1 flat, Visited")
	p.press("+-") // the circle keeps the focus when it is drawn anew
	p.eval("new Promise((done) => setTimeout(done, 200))")
	p.key("Enter")
	p.see(`document.querySelector(".beside h2").innerText`, "Bron")
	p.key("Escape")
	p.see(`document.activeElement.ariaLabel`, "Bron, 1 flat, Visited")
	// However far the map is zoomed, a name hides neither a circle nor another name, and is whole. Names of
	// postal codes are not repeated.
	const hidden = `(() => {
		const map = document.querySelector(".surface").getBoundingClientRect();
		const boxes = (selector) => [...document.querySelectorAll(selector)]
			.map((element) => [element.textContent, element.getBoundingClientRect()]);
		const [names, rounds] = [boxes(".canvas .name"), boxes(".circle circle:first-child, .marker")];
		const far = (from, to, at) => Math.max(from - at, 0, at - to);
		const free = names.map(([, {left, top, right, bottom}], i) =>
			left >= map.left - 1 && right <= map.right + 1 && top >= map.top - 1 && bottom <= map.bottom + 1 &&
			names.slice(0, i).every(([, b]) =>
				left >= b.right || right <= b.left || top >= b.bottom - 1 || bottom - 1 <= b.top) &&
			rounds.every(([, b]) => Math.hypot(far(left, right, (b.left + b.right) / 2),
				far(top, bottom - 1, (b.top + b.bottom) / 2)) >= b.width / 2 - 2));
		const codes = boxes("svg > .name").map(([name]) => name);
		return [...names.filter((_, i) => !free[i]).map(([name]) => name),
			...codes.filter((name, i) => codes.indexOf(name) !== i)].join();
	})()`
	scale := fmt.Sprint(p.eval(`document.querySelector(".rule").innerText`))
	for range 6 {
		p.see(hidden, "")
		p.press("-")
		p.eval("new Promise((done) => setTimeout(done, 200))")
	}
	p.press("0")
	p.see(`document.querySelector(".rule").innerText`, scale)
	// Keys zoom the map.
	p.press("++")
	p.wait(`document.querySelector(".rule").innerText !== ` + encode(scale))
	// A circle of several places has no name.
	p.press("----------")
	p.see(circles, "visited 5")
	p.see(`document.querySelectorAll("svg > .name").length < 3`, "true")
	p.click(".circle")
	p.see(`document.querySelector(".beside h2").innerText`, "5 flats")
	p.click(".beside .close")
	p.press("0")
	p.see(`document.querySelector(".rule").innerText`, scale)
	p.eval(`location.hash = "#/map?q=far"`)
	p.see(`document.querySelector(".map .found").innerText`, "Live, “far”: 1 flat\n1 without a position")
	p.eval(`location.hash = "#/map?q=nothing"`)
	p.wait(`document.querySelector(".map .found").innerText.includes("No matching flats")`)
	p.resize(320)
	p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
	p.checkFaults()
}

// TestPageMapSight tests that the window of the map is a filter of all views, with
// which the map opens, that a reload keeps the window, and that a phone shows
// circles and lists whole.
func TestPageMapSight(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[
		{"id": "a", "title": "A", "gps": [45.80, 4.85]}, {"id": "b", "title": "B", "gps": [45.80, 4.95]},
		{"id": "c", "title": "C", "gps": [45.90, 4.85]}, {"id": "pole", "title": "Pole", "gps": [90, 0]}, {"id": "n"}]`,
		"#/map", 390)
	const circles = `[...document.querySelectorAll(".circle")].map(({ariaLabel}) => ariaLabel).join("|")`
	p.see(circles, "1 flat, New|1 flat, New|1 flat, New")
	p.see(`document.querySelector(".map .found").innerText`, "Live: 5 flats\n2 without a position")
	// Nothing lies on a circle.
	p.see(`[...document.querySelectorAll(".circle")].every((circle) => {
		const {left, right, top, bottom} = circle.getBoundingClientRect();
		return circle.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
	})`, "true")
	p.click(".circle")
	p.see(`(({top, bottom}) => top >= 0 && bottom <= innerHeight)(
		document.querySelector(".beside li").getBoundingClientRect())`, "true")
	p.eval(`location.hash = "#/map?lat=45.79..45.81&lng=4.84..4.86"`)
	p.see(chipTexts, "On the map ×")
	p.see(`document.querySelector(".map .found").innerText`, "Live, On the map: 1 flat")
	p.see(`document.querySelector("a .badge").innerText`, "5") // all new ones, whatever the filters
	// A window without a flat can be left by zooming, and one that cannot be read is none.
	p.eval(`location.hash = "#/map?lat=45.79..45.81&lng=5.84..5.86"`)
	p.see(`document.querySelector(".map .found").innerText`, "Live, On the map: 0 flats\nNo matching flats")
	p.see(`document.querySelector(".canvas").offsetWidth > 300`, "true")
	p.eval(`location.hash = "#/map?lat=abc&cost=x"`)
	p.see(chipTexts, "")
	p.see(`document.querySelector("a .badge").innerText`, "5")
	p.eval(`location.hash = "#/map?lat=45.79..45.81&lng=4.84..4.86"`)
	p.see(`document.querySelector(".map .found").innerText`, "Live, On the map: 1 flat")
	p.click(".over button")
	p.wait(`location.hash !== "#/map?lat=45.79..45.81&lng=4.84..4.86"`)
	p.see(`location.hash.includes("lat=45.79..45.81") || location.hash.includes("lng=4.84..4.86")`, "true")
	p.see(`/^#.map\?lat=45(.\d{1,6})?\.\.45(.\d{1,6})?&lng=4(.\d{1,6})?\.\.4(.\d{1,6})?$/.test(location.hash)`, "true")
	p.eval(`location.hash = location.hash.replace("map", "")`)
	p.see(rowCount, "1")
	p.click(".chip")
	p.see(rowCount, "5")
	p.eval(`location.hash = "#/map"`)
	p.wait(`document.querySelectorAll(".circle").length === 3`)
	rule := `document.querySelector(".rule")?.innerText`
	before := fmt.Sprint(p.eval(rule))
	// zoomIn zooms so far that the scale has another number, and waits until the map is drawn.
	zoomIn := func() {
		p.click(".zoom button:first-child")
		p.click(".zoom button:first-child")
		p.wait(`document.querySelector(".layer").style.transform === ""`)
	}
	zoomIn()
	p.wait(rule + " !== " + encode(before))
	after := fmt.Sprint(p.eval(rule))
	p.reload()
	p.see(rule, after)
	zoomIn()
	p.wait(rule + " !== " + encode(after))
	after = fmt.Sprint(p.eval(rule))
	p.eval(`location.hash = "#/flat/a"`)
	p.wait(`document.querySelector(".flat h1")`)
	p.reload()
	p.eval(`location.hash = "#/map"`)
	p.see(rule, after)
	p.checkFaults()
}

// TestPageMapBegins tests that the map begins with the search area that has most
// of the flats, and without those that are far from the others.
func TestPageMapBegins(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const seen = `[...document.querySelectorAll(".circle")].filter((circle) => {
		const [{left, top}, map] = [circle, document.querySelector(".canvas")].map((one) => one.getBoundingClientRect());
		return left > map.left && left < map.right && top > map.top && top < map.bottom;
	}).map(({ariaLabel}) => ariaLabel.split(",")[0]).sort().join()`
	const inLyon = `{"id": "1", "title": "1", "gps": [45.75, 4.83], "location": "One", "service_constraint": "lyon"},
		{"id": "2", "title": "2", "gps": [45.77, 4.85], "location": "Two", "service_constraint": "lyon"}`
	for _, c := range []struct{ flats, want, all string }{
		{inLyon + `, {"id": "3", "gps": [52.5, 13.4], "location": "Three", "service_constraint": "berlin"}`, "One,Two", ""},
		// One that lies far off counts for nothing,
		{inLyon + `, {"id": "3", "gps": [48.85, 2.35], "location": "Three", "service_constraint": "lyon"}`, "One,Two", ""},
		// nor do areas where flats have none, as long as most lie near each other.
		{strings.ReplaceAll(inLyon, "lyon", "") + `, {"id": "3", "gps": [52.5, 13.4], "location": "Three"}`, "One,Two", ""},
		{`{"id": "1", "gps": [45.75, 4.83], "location": "One"}, {"id": "3", "gps": [52.5, 13.4], "location": "Three"}`,
			"One,Three", ""},
	} {
		p := openTab(t, "["+c.flats+"]", "#/map", 390)
		p.see(seen, c.want)
		p.click(".zoom button:last-child")
		p.wait(seen + `.includes("Three")`)
		p.checkFaults()
	}
}

// TestPageMapKinds tests that positions of flats are points if they are exact, and
// circles if they are those of postal codes, and that the legend says so.
func TestPageMapKinds(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	flat := func(id, more string) string {
		return fmt.Sprintf(`{"id": %q, "title": %q, "cost": 800, "currency": "EUR", "service_constraint": "lyon", %s}`,
			id, id, more)
	}
	found := func(precision, lat string) string {
		return `"location": "Rue Pasteur", "service_postal_code": "69007", "found_position": {"lat": ` + lat +
			`, "lng": 4.8, "precision": "` + precision + `", "text": "69007 Lyon 7e Rue Pasteur"}`
	}
	p := openTab(t, "["+strings.Join([]string{
		flat("own", `"gps": [45.76, 4.9], "location": "Own"`), flat("house", found("house", "45.74")),
		flat("street", found("street", "45.77")), flat("code", `"service_postal_code": "69007"`),
		flat("other", `"service_postal_code": "69007"`), flat("place", found("place", "45.71")),
		flat("village", `"location": "Bron", "found_position": {"lat": 45.72, "lng": 4.91, "precision": "place",
			"text": "Bron"}`),
	}, ",")+"]", "#/map", 1280)
	// From the left: two exact positions, the postal code with what is found less precisely, the listing's own, a village.
	p.see(`[...document.querySelectorAll(".circle")].map((circle) =>
		circle.getAttribute("class") + " " + circle.textContent + ": " + circle.ariaLabel).join("|")`,
		"circle point : Lyon 7e, 1 flat, New|circle point : Lyon 7e, 1 flat, New|"+
			"circle rough 3: Lyon 7e, 3 flats, New|circle point : Own, 1 flat, New|circle rough 1: Bron, 1 flat, New")
	p.see(`document.querySelector(".kinds").innerText.replace(/\s+/g, " ")`,
		"at its address or in its street somewhere in the postal code")
	p.see(`document.querySelector(".atlas + .nowhere + div").innerText.startsWith("New")`, "true") // beneath the map
	p.see(`[...document.querySelectorAll(".map tr")].map((row) => row.innerText.replace(/\s+/g, " ").trim()).join()`,
		"Place Flats Median,Lyon 7e 5 €800,Own 1 €800,Bron 1 €800")
	p.click(".point")
	p.see(`[...document.querySelectorAll(".beside li a")].map((link) => link.innerText).length`, "1")
	// The buttons lie over the map.
	p.see(`[...document.querySelectorAll(".over button, .zoom button")].every((button) => {
		const {x, y} = middleOf(button);
		return document.querySelector(".canvas").contains(document.elementsFromPoint(x, y)[1]);
	})`, "true")
	p.checkFaults()
}

// TestPageMapStreets tests that the tiles of OpenStreetMap are loaded only after a
// question, which is asked once, and that the config's replace them.
func TestPageMapStreets(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 390)
	p.blockTiles()
	p.eval(`location.hash = "#/map"`)
	const (
		tiles = `[...new Set([...document.querySelectorAll(".tiles img")].map(({src, referrerPolicy}) =>
			src.replace(/\d+/g, "0") + " " + referrerPolicy))].join()`
		source = "https://tile.openstreetmap.org/0/0/0.png strict-origin"
		button = ".over button:last-child"
		credit = `[...document.querySelectorAll(".credit a")].map(({innerText, href}) => innerText + " " + href).join()`
	)
	p.wait(`document.querySelector(".circle")`)
	p.see(`document.querySelector("`+button+`").innerText`, "Streets")
	p.see(tiles+` + `+credit, "")
	p.click(button)
	p.see(`document.querySelector("dialog[open] p").innerText`, "Load the street map from openstreetmap.org? Its servers "+
		"then see this device's address, and which part of the map it shows.")
	p.click("dialog[open] button:last-child")
	p.see(`document.querySelectorAll("dialog[open]").length + `+tiles, "0")
	p.click(button)
	p.click("dialog[open] .primary")
	p.see(tiles, source)
	p.see(credit, "© OpenStreetMap contributors https://www.openstreetmap.org/copyright")
	p.see(`document.querySelector("`+button+`").ariaPressed`, "true")
	p.reload()
	p.see(tiles, source)
	p.see(`(({scrollWidth}) => scrollWidth <= innerWidth)(document.documentElement)`, "true")
	p.click(button)
	p.see(tiles+` + `+credit, "")
	p.reload()
	p.wait(`document.querySelector(".circle")`)
	p.see(tiles, "")
	p.click(button) // it was answered
	p.see(tiles, source)
	p.eval(`window.confirm = () => true`)
	p.click(".menu")
	p.click("#menu button:last-child")
	p.see(`Object.keys(localStorage).length`, "0")
	p.click(".empty button")
	p.wait(`document.querySelector(".circle")`)
	p.see(tiles+` + `+credit, "")
	p.checkFaults()
	p.url = start(t, readFile(t, "../sample/flats.json"), `"map_tiles": "https://127.0.0.1:1/{z}/{x}/{y}"`,
		`"map_credit": "<b>Mine"`)
	p.open("#/map", 1280)
	p.see(tiles, "https://0.0.0.0:0/0/0/0 strict-origin")
	p.see(`document.querySelector(".credit").innerText`, "<b>Mine")
	p.see(`[...document.querySelectorAll(".over button")].map(({innerText}) => innerText).join()`, "Only what is in sight")
}

// TestPageMapNowhere tests that the map says why no flat has a position, and what
// to do.
func TestPageMapNowhere(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const flats = `[{"id": 1, "title": "One", "location": "Somewhere 5"}, {"id": 2, "title": "Two"}]`
	p := openTab(t, flats, "#/map", 1280)
	const why = `document.querySelector(".nowhere:not([hidden])")?.innerText.replace(/\s+/g, " ")`
	p.see(why, "None of these flats has a position A position comes from the listing, from its postal code if the config "+
		"names a file of postal codes, or from its address if the config names a travel service. Travel")
	p.see(`document.querySelectorAll(".canvas, .legend").values().some((part) => part.checkVisibility())`, "false")
	p.click(".nowhere a")
	p.see("location.hash", "#/travel")
	p.eval(`fetch("api/v1/flat/1", {method: "PATCH", body: '{"details": {"gps": [45.75, 4.85]}}'})`)
	p.eval(`location.hash = "#/map"`)
	p.wait(`document.querySelector(".circle")`)
	p.see(why, "undefined")
	p.checkFaults()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "[]")
	}))
	t.Cleanup(service.Close)
	for _, c := range []struct{ url, want string }{
		{service.URL, "None of these flats has a position The travel service does not know their addresses. “Edit” on " +
			"a flat adds a postal code. Travel"},
		{"http://127.0.0.1:1", "None of these flats has a position Their addresses are being looked up: 1 are waiting. " +
			"127.0.0.1:1: …"},
	} {
		p.url = start(t, flats, `"travel": {"url": "`+c.url+`", "contact": "me@example.org"}`)
		p.open("#/travel", 390)
		p.wait(`fetch("api/v1/travel").then((answer) => answer.json()).then(({data}) => data.last || data.error)`)
		p.wait(`fetch("api/v1/travel").then((answer) => answer.json()).then(({data}) => !data.last || data.waiting === 0)`)
		p.eval(`location.hash = "#/map"`)
		p.see(why+`.replace(/(127.0.0.1:1: ).*/, "$1…")`, c.want)
		p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
	}
	p.checkFaults()
}

// TestPageDuplicates tests that flats are ticked for which a photo, the phone or
// the listing speaks, that one press merges listings of the same home, another
// undoes it, and that flats that are not the same are not proposed again.
func TestPageDuplicates(t *testing.T) {
	t.Parallel()
	p := openTab(t, `[
		{"id": "old@x", "title": "Old", "cost": 800, "currency": "EUR", "area": 46, "service_postal_code": "69007",
			"date": "2026-01-01"},
		{"id": "mine@x", "title": "Mine", "cost": 800, "currency": "EUR", "area": 46, "service_postal_code": "69007",
			"utilities": "included", "date": "2026-02-01", "notes": "Ring twice.", "merged_ids": ["former@x"]},
		{"id": 7, "title": "<i>Seven", "cost": 801, "currency": "EUR", "area": 46.2, "service_postal_code": "69007"},
		{"id": "u1", "title": "U1", "cost": 500, "currency": "EUR", "area": 20, "location": "Ost", "phone": "+33 (0)1",
			"urls": ["https://x.invalid/u"]},
		{"id": "u2", "title": "U2", "cost": 500, "currency": "EUR", "area": 20, "location": "Ost",
			"urls": ["https://x.invalid/v", "https://x.invalid/u"]},
		{"id": "u3", "title": "U3", "cost": 500, "currency": "EUR", "area": 20, "location": "Ost", "phone": "+3301"},
		{"id": "u4", "title": "U4", "cost": 500, "currency": "EUR", "area": 20, "location": "Ost", "phone": "+33"},
		{"id": "p1", "title": "P1", "photos": ["https://x.invalid/1"]},
			{"id": "p2", "title": "P2", "photos": ["https://x.invalid/1"]}]`, "#/duplicates", 1280)
	groups := `[...document.querySelectorAll(".groups article")].map((group) => {
		const flats = [...group.querySelectorAll(".homes > li")].map((flat) => flat.querySelector("a").innerText +
			(flat.querySelector("[type=checkbox]").checked ? "+" : "") +
			(flat.querySelector("[type=radio]").checked ? "!" : ""));
		return group.querySelector("h2").innerText + ": " + flats.join(" ");
	}).join("; ")`
	const other = "; Same phone, similar cost and area, same place, similar cost and area, same link: U1+! U2+ U3+ U4"
	const photo = other + "; Same photo: P1+! P2+"
	p.see(groups, "Same place, similar cost and area: Old Mine <i>Seven"+photo)
	p.see(`[...document.querySelectorAll(".groups article:first-child button")].map(({disabled}) => disabled).join()`,
		"true,false")
	p.see(`document.querySelector(".homes .cost:has(small)").getClientRects()[0].height < 30`, "true") // one line
	// Where too few are ticked for "Same home", the group says what to do.
	const why = `[...document.querySelectorAll(".groups article")].map((group) =>
		[...group.querySelectorAll(":scope > p:not([hidden])")].map(({innerText}) => innerText).join()).join("; ")`
	p.see(why, "Tick the flats that are the same home.; ; ")
	// Where no flat of a group has a photo, there is no room for one.
	p.see(`[...document.querySelectorAll(".groups article")].map((group) =>
		group.querySelectorAll(".photo").length).join()`, "0,0,2")
	// Without ticks there is no next step, so no button is filled.
	p.see(`new Set([...document.querySelectorAll(".groups article:first-child button")].map((button) =>
		getComputedStyle(button).backgroundColor)).size`, "1")
	for i := 1; i <= 3; i++ {
		p.click(fmt.Sprintf(".groups li:nth-child(%d) [type=checkbox]", i))
	}
	const all = "Same place, similar cost and area: Old+ Mine+! <i>Seven+" + photo
	p.see(groups, all)
	p.see(why, "; ; ")
	// A group keeps its ticks and its choice while another one is decided.
	p.click(".groups article:last-child li:last-child [type=radio]")
	p.click(".groups article:last-child [type=checkbox]")
	p.click(".groups .primary")
	p.see(groups, other[2:]+"; Same photo: P1 P2+!")
	p.click(".groups article:last-child [type=checkbox]")
	p.see(groups, other[2:]+"; Same photo: P1+ P2+!")
	p.click(".groups article:last-child [type=radio]")
	checkStored := func(want string) {
		t.Helper()
		got := p.eval(`fetch("api/v1/flats?sort=title").then((r) => r.json())
			.then(({data}) => data.map(({status, merged_ids, not_duplicates}) =>
			[status, JSON.stringify(merged_ids), JSON.stringify(not_duplicates)].join(" ")).join("; "))`)
		if got != want {
			t.Errorf("the flats have %s; want %s", got, want)
		}
	}
	const rest = "; new null ; new null ; new null ; new null ; new null ; new null "
	checkStored("duplicate null ; new [\"former@x\",\"old@x\",7] ; duplicate null " + rest)
	p.press("u")
	p.see(groups, all)
	checkStored("new null ; new [\"former@x\"] ; new null " + rest)
	// Mine and Seven are not the same home, and neither is Old.
	p.click(".groups [type=checkbox]")
	p.click(".groups .primary + button")
	p.see(groups, "Same place, similar cost and area: Old Mine"+photo)
	p.press("n")
	p.see(groups, "Same place, similar cost and area: Old <i>Seven"+photo)
	p.press("n")
	p.see(groups, photo[2:])
	p.reload()
	p.see(groups, photo[2:])
	// "Compare" adds to what was chosen before.
	p.eval(`localStorage["flats.compare"] = '["old@x", "u1"]'`)
	p.reload()
	p.see(groups, photo[2:])
	p.click(".groups a.button")
	p.wait(`document.querySelector(".side-by-side")`)
	p.see("location.hash", "#/compare/old%40x,u1,u2,u3,u4")
	p.eval("history.back()")
	p.see(groups, photo[2:])
	checkStored("new null [\"mine@x\",\"old@x\"]; new [\"former@x\"] [7,\"old@x\"]; new null [\"mine@x\",7]" + rest)
	p.resize(320)
	// The box leaves the title the whole width of its column.
	p.see(`[...document.querySelectorAll(".homes > li")].filter((home) => home.querySelector(".line a")
		.getBoundingClientRect().left !== home.getBoundingClientRect().left).length`, "0")
	p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
	p.checkFaults()
}

// TestPagePrices tests the medians and quartiles of each currency, and that a dot
// opens its flat.
func TestPagePrices(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	var flats []map[string]any
	costs, each := map[string][]float64{}, map[string][]float64{} // by currency, table and row
	for i := range 200 {
		f := object{"id": i, "title": fmt.Sprint("Flat ", i), "cost": random.IntN(900),
			"currency": pick(random, []string{"EUR", "EUR", "DKK"}),
			"area":     pick(random, []int{0, 32, 64}), "rooms": pick(random, []int{0, 1, 2}),
			"location": pick(random, []string{"Mitte", "Wedding"}), "date": "2026-03-04"}
		if i%9 == 0 {
			f["cost"] = 0
		}
		flats = append(flats, f)
		cost, area := float64(f["cost"].(int)), float64(f["area"].(int))
		rooms := map[int]string{0: "Unknown", 1: "1 room", 2: "2 rooms"}[f["rooms"].(int)]
		for _, group := range []string{"Place, " + f["location"].(string), "Rooms, " + rooms} {
			group = f["currency"].(string) + ", " + group
			if cost > 0 {
				costs[group] = append(costs[group], cost)
			}
			if cost > 0 && area > 0 {
				each[group] = append(each[group], cost/area)
			}
		}
	}
	flats[1]["cost_history"] = // below half a percent
		json.RawMessage(`[{"date": null, "cost": 900}, {"date": "2026-03-04T10:00:00Z", "cost": 897}]`)
	flats[0]["currency"], flats[0]["cost_history"] = "EUR",
		json.RawMessage(`[{"date": null, "cost": 1000}, {"date": "2026-03-05T10:00:00Z", "cost": 900}]`)
	p := openTab(t, encode(flats), "#/prices", 1280)
	p.wait(`document.querySelector(".market")`)
	var got, want []string
	text := fmt.Sprint(p.eval(`JSON.stringify([...document.querySelectorAll(".market")].flatMap((market) =>
		[...market.querySelectorAll("tbody tr")].map((row) =>
		[market.previousElementSibling.innerText, row.closest("table").tHead.rows[0].cells[0].innerText,
			row.cells[0].innerText].join(", ") + ": " +
		[row.cells[1].innerText, ...[...row.querySelectorAll("data")].map(({value}) => value)].join(" "))))`))
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	quantile := func(all []float64, quarters int) string {
		slices.Sort(all)
		at, rest := quarters*(len(all)-1)/4, float64(quarters*(len(all)-1)%4)
		return strconv.FormatFloat((all[at]*(4-rest)+all[min(at+1, len(all)-1)]*rest)/4, 'f', -1, 64)
	}
	for group, all := range costs {
		want = append(want, fmt.Sprintf("%s: %d %s %s %s %s", group, len(all), quantile(all, 1), quantile(all, 2),
			quantile(all, 3), quantile(each[group], 2)))
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	p.see(`document.querySelector(".changes li").innerText.replace(/\s/g, " ")`, "Flat 0 €1,000 → €900 −10% 5 Mar")
	p.see(`/900 → .*897.*−\D*3 4 Mar/.test(document.querySelectorAll(".changes li")[1].innerText.replace(/\s/g, " "))`,
		"true")
	p.see(`document.querySelector(".bars").ariaLabel`, "New per week: 2 Mar 200")
	p.wait(`document.querySelector(".scatter a").ariaLabel.startsWith("Flat ")`)
	// Tab reaches one dot, and the arrow keys go on from there.
	p.see(`document.querySelectorAll(".scatter")[0].querySelectorAll("a[tabindex='0']").length`, "1")
	p.eval(`document.querySelector(".scatter a[tabindex='0']").focus()`)
	p.key("ArrowRight")
	p.see(`[...document.querySelectorAll(".scatter a")].indexOf(document.activeElement)`, "1")
	p.key("ArrowLeft")
	p.key("ArrowLeft")
	p.see(`document.activeElement === [...document.querySelector(".scatter").querySelectorAll("a")].at(-1)`, "true")
	// The headings of the currencies keep their distance.
	p.see(`[...document.querySelectorAll(".prices h2 + .market")].every((market) => {
		const {top, bottom} = market.previousElementSibling.getBoundingClientRect();
		const before = market.previousElementSibling.previousElementSibling ?? document.querySelector(".found");
		return top - before.getBoundingClientRect().bottom >= 16 && market.getBoundingClientRect().top - bottom >= 8;
	})`, "true")
	p.clickOn(`[...document.querySelectorAll(".scatter a")].at(-1)`)
	p.wait(`document.querySelector(".flat")`)
	p.checkFaults()
}

// TestPagePlot tests that the axes of the scatter plot end where nineteen of
// twenty flats do, and that the page says how many lie beyond.
func TestPagePlot(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []object
	for i := range 40 {
		f := object{"id": i, "title": fmt.Sprint("Flat ", i), "cost": 500 + 10*i, "currency": "EUR", "area": 20 + i}
		if i >= 38 {
			f["cost"] = 90000 * (i - 37)
		}
		if i == 37 {
			f["area"] = 900
		}
		flats = append(flats, f)
	}
	p := openTab(t, encode(flats), "#/prices", 1280)
	const marks = `[...document.querySelectorAll(".scatter text")].map(({textContent}) => textContent).join(" ")
		.replaceAll("\u00a0", " ")`
	p.see(marks, "0 m² 20 m² 40 m² 60 m² €0 €200 €400 €600 €800")
	p.see(`document.querySelector("figcaption .soft").innerText`, "3 flats lie beyond the axes")
	p.see(`[...document.querySelectorAll(".scatter a:has(.beyond)")].map(({ariaLabel}) => ariaLabel.slice(0, 7)).join()`,
		"Flat 38,Flat 39,Flat 37")
	p.eval(`location.hash = "#/prices?cost=..1000&area=..100"`)
	p.see(`document.querySelectorAll(".scatter .beyond, figcaption .soft").length`, "0")
	// Where the reach of two dots overlaps, a press opens the nearer one. The other one may lie on top.
	p.resize(390)
	dot := p.eval(`middleOf(document.querySelector(".scatter a[href='#/flat/3']"))`).(object)
	p.clickAt(dot["x"], dot["y"])
	p.see("location.hash", "#/flat/3")
	p.checkFaults()
}

// TestPagePricesNarrow tests that a long name leaves room for the numbers on a
// phone, and that what no flat has takes none.
func TestPagePricesNarrow(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[
		{"id": 1, "cost": 4695000, "currency": "DKK",
			"location": "Thalkirchen-Obersendling-Forstenried-Fürstenried-Solln"},
		{"id": 2, "cost": 12500000, "currency": "DKK", "location": "Charlottenlund"}]`, "#/prices", 390)
	p.wait(`document.querySelector(".market thead tr")`)
	heads := `[...document.querySelector(".market thead tr").cells].map(({innerText}) => innerText).join()`
	p.see(heads, "Place,Flats,Lower quartile,Median,Upper quartile")
	p.see(`document.querySelector(".market > p").innerText`, "Cost against area: 2 without area")
	p.bring(`[{"id": 3, "cost": 21797500, "currency": "DKK", "area": 100, "location": "Charlottenlund"}]`)
	p.reload()
	p.wait(`document.querySelector(".market thead tr")`)
	p.see(heads, "Place,Flats,Lower quartile,Median,Upper quartile,Cost per m²")
	p.see(`[...document.querySelectorAll(".wide")].every((table) => table.scrollWidth <= table.clientWidth)`, "true")
	p.see(`[...document.querySelectorAll("tbody tr:first-child td")].map((cell) => cell.getBoundingClientRect())
		.every(({left, right}) => left > 70 && right <= 390)`, "true")
	// Words of a name stay whole. One that is too long for its column ends in an ellipsis.
	p.bring(`[{"id": 4, "title": "Long", "cost": 12495000, "currency": "DKK", "area": 145,
		"location": "Frederikkevejgade 2A, Hellerup"}]`)
	p.reload()
	const long = `[...document.querySelectorAll("tbody th")].find(({innerText}) => innerText.startsWith("Frederikke"))`
	p.see(long+".title", "Frederikkevejgade 2A, Hellerup")
	for _, width := range []int{390, 320} {
		p.resize(width)
		p.see(`[...document.querySelectorAll("tbody th")].flatMap((name) => {
			const words = name.firstChild;
			return [...words.data.matchAll(/[^\s-]+/g)].filter(({0: word, index}) => {
				const range = document.createRange();
				range.setStart(words, index);
				range.setEnd(words, index + word.length);
				return new Set([...range.getClientRects()].map(({top}) => top)).size !== 1;
			});
		}).join()`, "")
		p.see(`getComputedStyle(`+long+`).textOverflow`, "ellipsis")
		p.see(`[...document.querySelectorAll("tbody th")].every((name) => name.offsetWidth >= 70 &&
			name.getBoundingClientRect().right <= name.nextElementSibling.getBoundingClientRect().left)`, "true")
		p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
	}
	p.checkFaults()
}

// Network
// -------

// TestPageOffline tests that the page starts without a network, shows the last
// answers, and says so.
func TestPageOffline(t *testing.T) {
	t.Parallel()
	p, network := openThroughProxy(t, "", 390)
	p.startWorker() // the first load sends its requests before the worker takes over
	// An answer that breaks off does not replace the one that was kept.
	network.change.Store(&tearLists)
	p.reload()
	p.see(notKept, "1")
	network.change.Store(nil)
	network.down.Store(true)
	p.reload()
	p.see(rowCount, "10")
	p.see(`/^No network: data as of \d/.test(document.querySelector("#kept").innerText)`, "true")
	p.eval(`location.hash = "#/?tab=shortlist"`)
	p.see(rowCount, "5")
	p.click(".row h2 a")
	p.wait(`document.querySelector(".flat h1")`)
	p.eval(`location.hash = "#/?tab=shortlist"`)
	p.click(".row button[data-status=ignored]")
	p.see(waits, "1 change waits")
	p.see(rowCount, "4")
	// The saved views are there, and stay as they are.
	p.see(chips, "Two rooms in Lyon|Balcony")
	p.click(".toggle")
	for i, control := range []string{".tools button", ".bell"} {
		if i > 0 {
			p.click("[role=alert] .close")
		}
		p.click(control)
		if i == 0 {
			p.click(".naming .primary")
		}
		p.see(`document.querySelector("[role=alert] p")?.innerText`, "This was not saved: no network connection.")
	}
	network.down.Store(false)
	p.click("[role=alert] button")
	p.see(`document.querySelector(".bell").ariaPressed`, "true")
	p.eval(`location.hash = "#/"`)
	p.see(rowCount, "9")
	p.see(waits, "")
	p.see(`document.querySelector("#kept").innerText`, "")
	p.checkFaults()
}

// TestPageProxy tests that the page is shown as without a network while a proxy answers in place of the service, that
// changes wait then, and that the service's own 502 is shown.
func TestPageProxy(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, "", 1280)
	p.startWorker()
	for _, status := range []int{502, 503, 504} {
		fail := func(answer *http.Response) {
			answer.StatusCode = status
			answer.Header = http.Header{"Content-Type": {"text/html"}}
			setBody(answer, strings.NewReader("<h1>The upstream is down</h1>"))
		}
		network.change.Store(&fail)
		p.reload()
		p.see(`/^No network: data as of \d/.test(document.querySelector("#kept").innerText)`, "true")
		p.wait(`document.querySelector(".row")`)
		id := fmt.Sprint(p.eval(firstRow))
		p.click(".row [data-status=ignored]")
		p.see(waits, "1 change waits")
		p.see(`document.querySelectorAll("[role=alert], .questions .card").length`, "0")
		network.change.Store(nil)
		p.eval(`dispatchEvent(new Event("online"))`)
		p.see(waits, "")
		p.seeFlat(id, "status", "ignored")
	}
	refuse := func(answer *http.Response) {
		if answer.Request.Method == "POST" {
			answer.StatusCode = 502
			setBody(answer, strings.NewReader(`{"error": "The message was not taken: 410."}`))
		}
	}
	network.change.Store(&refuse)
	p.eval(`fetch("api/v1/notify", {method: "POST"}).then((answer) => answer.json())
		.then(({error}) => window.answered = error)`)
	p.see("window.answered", "The message was not taken: 410.")
	p.checkFaults()
}

// notKept is an expression for how many views say that the device has not kept them.
const notKept = `document.querySelectorAll(".not-kept").length`

// TestPageNotKept tests that a view that the device has not kept says so, with no rows or numbers of another one,
// and that it is shown once the network is back.
func TestPageNotKept(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, "", 1280)
	p.startWorker()
	open := func(hash string) { p.eval("location.hash = " + encode(hash)) }
	const none = `document.querySelector(".foot").innerText + " " + ` + notKept
	for _, hash := range []string{"#/?days=3", "#/?tab=changed"} {
		open(hash)
		p.see(none, "No matching flats 0")
	}
	open("#/")
	p.see(rowCount, "10")
	// Make two answers three hours older: the addresses of both have the hour.
	p.eval(`caches.open("answers").then(async (cache) => {
		for (const {url} of await cache.keys()) if (/min%5B(changed|first_seen)/.test(url)) {
			const kept = await cache.match(url);
			const earlier = (time) => new Date(Date.parse(time) - 3 * 3_600_000).toISOString();
			const time = /(?<=min%5B(changed|first_seen)%5D=)[^&]+/;
			const headers = {...Object.fromEntries(kept.headers), "X-Kept": earlier(kept.headers.get("X-Kept"))};
			await cache.delete(url);
			await cache.put(url.replace(time, (at) => encodeURIComponent(earlier(decodeURIComponent(at)))),
				new Response(await kept.text(), {headers}));
		}
	})`)
	network.down.Store(true)
	p.reload()
	p.see(rowCount, "10")
	for _, hash := range []string{"#/?cost=5000000..", "#/?days=7", "#/?q=zzzzqq"} {
		open(hash)
		p.see(notKept, "1")
		p.see(rowCount, "0")
		p.see(tabTexts, "Live|New|Changed|Shortlist|All")
	}
	open("#/?tab=is:ignored")
	p.see(rowCount+` + " " + `+notKept, "0 1")
	p.see(tabTexts, "Live 10|New 5|Changed 0|Shortlist 5|Followed 3|Contacted 2|Duplicate 1|Dismissed 2|Deleted 2|All 15")
	for _, hash := range []string{"#/?days=3", "#/?tab=changed"} {
		open(hash)
		p.see(none, "No matching flats 0")
	}
	p.see(`document.querySelectorAll("[role=alert]").length`, "0")

	// Other views say so, too. Compare needs nothing but the flats.
	for _, hash := range []string{"#/map", "#/prices", "#/compare/nobody,nothing", "#/duplicates"} {
		p.eval(`caches.open("answers").then((cache) => cache.delete("api/v1/duplicates"))`)
		open(hash)
		p.see(`location.hash + " " + `+notKept, hash+" 1")
	}
	open("#/")
	p.see(rowCount, "10")
	p.see(`document.querySelectorAll("[role=alert]").length`, "0")
	open("#/compare/" + fmt.Sprint(p.eval(`[...document.querySelectorAll(".row")].slice(0, 2)
		.map(({dataset}) => encodeURIComponent(dataset.id)).join()`)))
	p.see(`document.querySelectorAll(".side-by-side thead th").length + " " + `+notKept, "2 0")

	open("#/?cost=..800")
	p.see(notKept, "1")
	// A notice that there is no network leaves once there is one.
	open("#/")
	p.see(rowCount, "10")
	p.click(".tools button + button")
	p.see(`document.querySelector("[role=alert] p")?.innerText`, "That did not work: no network connection.")
	open("#/?cost=..800")
	p.see(notKept, "1")
	network.down.Store(false)
	p.click(".not-kept button")
	p.see(rowCount+` + " " + `+notKept, "3 0")
	p.see(`document.querySelectorAll("[role=alert]").length`, "0")
	network.down.Store(true)
	open("#/?cost=..700")
	p.see(notKept, "1")
	network.down.Store(false)
	p.eval(`document.dispatchEvent(new Event("visibilitychange"))`)
	p.see(rowCount+` + " " + `+notKept, "1 0")
	p.checkFaults()
}

// TestPageAsked tests that a notice leads to a question that is out of sight.
func TestPageAsked(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, "#/?tab=all&sort=title", 390)
	p.startWorker()
	p.see(rowCount, "15")
	p.eval(`scrollTo(0, document.body.scrollHeight)`)
	id := fmt.Sprint(p.eval(`[...document.querySelectorAll(".row")].at(-1).dataset.id`))
	network.down.Store(true)
	p.eval(`[...document.querySelectorAll(".row [data-status=ignored]")].at(-1).click()`)
	p.see(waits, "1 change waits")
	network.down.Store(false)
	p.eval(fmt.Sprintf(`fetch("api/v1/flat/" + encodeURIComponent(%q),
		{method: "PATCH", body: '{"status": "contacted"}'})`, id))
	p.eval(`scrollTo(0, document.body.scrollHeight)`)
	p.eval(`dispatchEvent(new Event("online"))`)
	p.see(`document.querySelector("[role=alert] p")?.innerText.replace(/^.*: /, "")`,
		"Status. A change here needs your answer.")
	p.click("[role=alert] button")
	p.see(`document.activeElement.innerText`, "Keep mine")
	p.click("#waiting button:last-child")
	p.seeFlat(id, "status", "contacted")
	p.see(`document.querySelector("#waiting").hidden`, "true")
	p.checkFaults()
}

// TestPageWaiting tests that lists, visits and numbers without a network comprise what was changed before, and what
// waits.
func TestPageWaiting(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, "#/?tab=new", 1280)
	p.startWorker()
	p.see(rowCount, "5")
	ids := strings.Split(fmt.Sprint(p.eval(`[...document.querySelectorAll(".row")].map(({dataset}) => dataset.id)
		.join(" ")`)), " ")
	const badge = `document.querySelector("#bar .badge").innerText`

	// What is decided is kept once the page is hidden, or a while later.
	p.eval(`caches.open("answers")
		.then((cache) => cache.delete("api/v1/find?known%5Bvisit_date%5D=yes&sort=visit_date"))`)
	p.click(".row [data-status=followed]")
	p.see(rowCount, "4")
	hide := func(state string) {
		p.eval(`Object.defineProperty(document, "visibilityState", {value: "` + state + `", configurable: true});
			document.dispatchEvent(new Event("visibilitychange"))`)
	}
	hide("hidden")
	p.waitKept("known%5Bvisit_date") // what is asked for last
	hide("visible")
	network.down.Store(true)
	p.eval(`location.hash = "#/?tab=shortlist"`)
	p.reload()
	p.see(rowCount, "6")
	p.see(firstRow, ids[0])

	// What is decided without a network is in the lists and the numbers as well.
	p.eval(`location.hash = "#/?tab=new"`)
	p.see(firstRow, ids[1])
	p.click(".row [data-status=followed]")
	p.see(waits, "1 change waits")
	p.click(".row [data-status=ignored]")
	p.see(waits, "2 changes wait")
	const tabs = "Live 9|New 2|Changed 0|Shortlist 7|Followed 5|Contacted 2|Duplicate 1|Dismissed 3|Deleted 2|All 15"
	p.see(tabTexts, tabs)
	p.reload()
	p.see(rowCount, "2")
	p.see(tabTexts, tabs)
	p.see(badge, "2")
	p.eval(`location.hash = "#/?tab=shortlist"`)
	p.see(rowCount, "7")
	p.see(firstRow, ids[1])
	p.eval(`location.hash = "#/triage"`)
	p.see(`document.querySelector(".triage [role=status]")?.innerText`, "2 left")
	p.see(badge, "2")

	// So are visits, with the one that they overlap.
	p.eval(`location.hash = "#/flat/" + encodeURIComponent(` + encode(ids[3]) + `)`)
	p.enter("#visit", "2031-12-07T18:30")
	p.see(waits, "4 changes wait") // a visit of a new flat follows it
	p.eval(`location.hash = "#/flat/" + encodeURIComponent(` + encode(ids[4]) + `)`)
	p.enter("#visit", "2031-12-07T18:40")
	p.see(waits, "6 changes wait")
	p.see(`document.querySelectorAll(".visit .overlap").length`, "1")
	const overlaps = `[...document.querySelectorAll(".visits .day")].filter((day) => /2031/.test(day.innerText))
		.map((day) => day.querySelectorAll("article").length + " " + day.querySelectorAll(".overlap").length).join()`
	p.eval(`location.hash = "#/visits"`)
	p.see(overlaps, "2 2")
	p.reload()
	p.see(overlaps, "2 2")
	network.down.Store(false)
	p.see(waits, "")
	p.reload()
	p.see(overlaps, "2 2")
	p.checkFaults()
}

// tearLists makes answers to searches break off within their bodies.
var tearLists = func(answer *http.Response) {
	if answer.Request.URL.Path == "/api/v1/find" {
		start := io.LimitReader(answer.Body, 1000)
		setBody(answer, io.MultiReader(start, iotest.ErrReader(errors.New("torn"))))
	}
}

// waits is an expression for how many changes wait, in words.
const waits = `document.querySelector("#waiting p")?.innerText ?? ""`

// TestPageQueue tests that decisions, ratings, visits and notes made without a network are sent in their order,
// and that nothing that was changed elsewhere meanwhile is overwritten without a question.
func TestPageQueue(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, "#/flat/4711", 1280)
	p.startWorker()
	service := network.target.Load().String()
	// set changes the flat as another device does.
	set := func(change string) {
		t.Helper()
		request, err := http.NewRequest("PATCH", service+"/api/v1/flat/4711", strings.NewReader(change))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil || answer.StatusCode != 200 {
			t.Fatal(answer, err)
		}
		answer.Body.Close()
	}
	checkStored := func(want string) {
		t.Helper()
		p.see(`fetch("api/v1/flats/4711").then((answer) => answer.json())
			.then(({data}) => [data.status, data.notation, data.visit_date].join())`, want)
	}
	const (
		shown = `document.querySelector(".own .statuses [aria-pressed=true]")?.innerText + " " +
			document.querySelectorAll(".own .stars [aria-pressed=true]").length + " " +
			document.querySelector("#visit").value`
		asked = `[...document.querySelectorAll(".questions .card")].map((card) => card.innerText.split("\n")
			.filter(Boolean).slice(1, -2).join(" ")).join("; ")`
	)
	set(`{"status": "new", "notation": null, "visit_date": null}`)
	p.reload()
	p.see(shown, "New 0 ")

	// What waits outlives a reload, and is sent in its order.
	network.down.Store(true)
	p.click(".own [data-status=contacted]")
	p.see(waits, "1 change waits")
	p.click(".own .stars :nth-child(4)")
	p.see(waits, "2 changes wait")
	p.enter("#visit", "2031-07-14T18:30")
	p.see(waits, "3 changes wait")
	p.click(".own [data-status=visited]")
	p.see(waits, "4 changes wait")
	p.press("u")
	p.see(waits, "5 changes wait")
	p.reload()
	p.see(waits, "5 changes wait")
	p.see(shown, "Contacted 1 2031-07-14T18:30")
	var mu sync.Mutex
	var sent []string
	list := func(answer *http.Response) {
		if request := answer.Request; request.Method == "PATCH" {
			mu.Lock()
			defer mu.Unlock()
			sent = append(sent, fmt.Sprint(request.ContentLength))
		}
	}
	network.change.Store(&list)
	network.down.Store(false)
	p.see(waits, "")
	checkStored("contacted,4,2031-07-14T18:30:00+02:00")
	mu.Lock()
	if got := strings.Join(sent, " "); got != "22 14 42 20 22" {
		t.Errorf("the updates have lengths %s; want 22 14 42 20 22, those of status, rating, visit, status, status", got)
	}
	mu.Unlock()
	network.change.Store(nil)

	// A field that was changed elsewhere is a question; the same change elsewhere is none.
	network.down.Store(true)
	p.click(".own .stars :nth-child(2)")
	p.click(".own [data-status=visited]")
	p.see(waits, "2 changes wait")
	set(`{"notation": 5, "status": "visited"}`)
	network.down.Store(false)
	p.see(waits, "1 change waits")
	p.see(asked, "Changed elsewhere Here ★ 2 Elsewhere ★ 5")
	p.reload()
	p.see(asked, "Changed elsewhere Here ★ 2 Elsewhere ★ 5")
	checkStored("visited,5,2031-07-14T18:30:00+02:00")
	p.click(".own .stars :nth-child(3)") // the question is about the last change
	p.see(asked, "Changed elsewhere Here ★ 3 Elsewhere ★ 5")
	p.click(".questions button")
	p.see(waits, "")
	checkStored("visited,3,2031-07-14T18:30:00+02:00")

	// So is a change that the service refuses.
	network.down.Store(true)
	p.click(".own .stars :nth-child(1)")
	p.see(waits, "1 change waits")
	refuse := func(answer *http.Response) {
		if answer.Request.Method == "PATCH" {
			answer.StatusCode = 400
			setBody(answer, strings.NewReader(`{"error": "too low"}`))
		}
	}
	network.change.Store(&refuse)
	network.down.Store(false)
	p.see(asked, "The service rejected this: too low Here ★ 1 Elsewhere ★ 3")
	network.change.Store(nil)
	set(`{"notation": 3}`) // the refusal was the proxy's
	p.click(".questions button:last-child")
	p.see(waits, "")
	p.see(`document.querySelector(".own .stars [aria-pressed=true]")?.ariaLabel`, "Rating 3")

	// A change of a flat that is no longer there is dropped without an error.
	network.down.Store(true)
	p.click(".own .stars :nth-child(1)")
	p.see(waits, "1 change waits")
	lose := func(answer *http.Response) {
		if answer.Request.URL.Path == "/api/v1/flats/4711" {
			answer.StatusCode = 404
			setBody(answer, strings.NewReader(`{"error": "No flat with id 4711"}`))
		}
	}
	network.change.Store(&lose)
	network.down.Store(false)
	p.see(asked, "The service rejected this: No flat with id 4711 Here ★ 1 Elsewhere –")
	p.click(".questions button:last-child")
	p.see(waits, "")
	p.eval("new Promise((done) => setTimeout(done, 300))") // an error would come with the answer
	p.see(`document.querySelectorAll("[role=alert]").length`, "0")
	network.change.Store(nil)
	p.reload()
	p.see(`document.querySelector(".own .stars [aria-pressed=true]")?.ariaLabel`, "Rating 3")
	p.wait(`caches.match(new URL("api/v1/flats/4711", location), {ignoreVary: true})
		.then((answer) => answer?.json()).then((answer) => answer?.data.notation === 3)`) // kept a little later

	// What waits outlives a 401, and notes are asked about in any view.
	network.down.Store(true)
	p.click(".own .stars :nth-child(5)")
	p.see(waits, "1 change waits")
	p.enter("#notes", "Mine.")
	p.see(waits, "2 changes wait")
	set(`{"notes": "Theirs."}`)
	lock := func(answer *http.Response) {
		answer.StatusCode = 401
		setBody(answer, strings.NewReader(`{"error": "no password"}`))
	}
	network.change.Store(&lock)
	network.down.Store(false)
	p.see(`[...document.querySelectorAll("[role=alert] button")].map((button) => button.innerText).join()`, "Sign in,×")
	p.see(waits, "2 changes wait")
	network.change.Store(nil)
	p.eval(`location.hash = "#/"`)
	p.reload()
	p.see(asked, "Changed elsewhere Here Mine. Elsewhere Theirs. Keep both")
	checkStored("visited,5,2031-07-14T18:30:00+02:00")

	// "Forget this device" says how many changes would be lost.
	p.eval(`window.confirm = (text) => void (window.said = text)`)
	p.click(".menu")
	p.click("#menu button:last-child")
	p.see("window.said", "1 unsent change will be lost. Delete the flats, drafts and views kept on this device?")
	p.click(".questions button")
	p.see(waits, "")
	if got := p.flat("4711", "notes"); got != "Theirs.\n\nMine." {
		t.Errorf("notes = %q; want both versions", got)
	}
	p.checkFaults()
}

// TestPagePile tests that Triage offers the flats that the device has kept, and leaves out others.
func TestPagePile(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, "", 390)
	p.startWorker()
	p.waitKept("page%5Bsize%5D=1000")
	network.down.Store(true)
	p.eval(`location.hash = "#/triage"`)
	p.reload()
	const left = `document.querySelector(".triage [role=status]")?.innerText`
	p.see(left, "5 left")
	p.wait(`document.querySelector(".card h2")`)
	first := p.eval(`document.querySelector(".card h2")?.innerText`)
	p.click(".decide button:last-child")
	p.see(left, "4 left · 1 done")
	p.see(waits, "1 change waits")
	p.see(`document.querySelector(".card h2")?.innerText !== `+encode(first), "true")
	p.see(`document.querySelectorAll("[role=alert]").length`, "0")
	// What is left of the pile is not kept.
	p.eval(`caches.open("answers").then(async (cache) => {
		for (const key of await cache.keys()) if (!key.url.includes("1000")) await cache.delete(key);
	})`)
	p.reload()
	p.see(`document.querySelector(".card h2")?.innerText`, "The rest need a network connection")
	p.see(left, "4 left")
	p.see(waits, "1 change waits")
	network.down.Store(false)
	p.see(waits, "")
	p.eval(`document.dispatchEvent(new Event("visibilitychange"))`)
	p.see(`document.querySelector(".card h2")?.innerText !== "The rest need a network connection"`, "true")
	p.see(left, "4 left")
	p.checkFaults()
}

// TestPageSignIn tests that the browser asks for the password again, as after a
// restart, and that the page then starts without a network.
func TestPageSignIn(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, "#/?tab=shortlist", 1280)
	p.startWorker()
	flats := readFile(t, "../sample/flats.json")
	network.pointTo(start(t, flats, `"username": "me"`, `"password": "secret"`))
	p.signIn("me", "secret")
	p.reload()
	p.see(rowCount, "5")
	p.see("location.search + location.hash", "#/?tab=shortlist")
	p.do("Fetch.disable", nil)
	times := network.unauthorized.Load()
	p.waitKept("find?any")
	network.down.Store(true)
	p.reload()
	p.see(rowCount, "5")
	// So does an address from the history that still has ?sign-in.
	p.eval("window.old = true")
	p.do("Page.navigate", object{"url": p.url + "/?sign-in#/?tab=shortlist"})
	p.wait("!window.old")
	p.see(rowCount, "5")
	p.see("location.search + location.hash", "#/?tab=shortlist")
	if got := network.unauthorized.Load(); times == 0 || got != times {
		t.Errorf("%d answers with status 401 before the network failed, %d after", times, got)
	}
	p.checkFaults()
}

// TestPageForget tests that "Forget this device" deletes everything at once and
// in all tabs, even during an update of the worker, and that nothing is kept
// until the page is next opened.
func TestPageForget(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, "", 1280)
	p.startWorker()
	p.eval(`{ const {clear} = Storage.prototype;
		Storage.prototype.clear = function () { clear.call(this); if (this === sessionStorage) this.worker = true; };
		window.confirm = () => true; void (window.other = open(location.href)); }`)
	p.wait(`other.document.querySelector(".row")`)
	p.do("Page.bringToFront", nil) // a tab behind another one gets clicks late
	asked, held := make(chan bool, 9), make(chan bool)
	updateWorker := func(answer *http.Response) {
		if answer.Request.URL.Path != "/sw.js" {
			return
		}
		asked <- true
		select {
		case <-held:
		case <-answer.Request.Context().Done():
		}
		setBody(answer, io.MultiReader(answer.Body, strings.NewReader("// a new version")))
	}
	network.change.Store(&updateWorker)
	p.eval("void navigator.serviceWorker.getRegistration().then((registration) => registration.update())")
	<-asked
	p.click(".row [data-status=followed]")
	p.see(`document.querySelectorAll(".notice button").length`, "2")
	p.click(".menu")
	p.click("#menu button:last-child")
	const kept = "caches.keys().then((names) => names.join() + Object.keys(localStorage))"
	p.see(kept, "")
	p.see(`document.querySelector("h1").innerText`, "Deleting…")
	close(held)
	const done = "Nothing is kept on this device any more"
	p.see(`document.querySelector("h1").innerText`, done)
	p.see(`other.document.querySelector("h1").innerText`, done)
	p.see(`document.querySelectorAll(".notice, .undo:not([hidden]), .badge:not([hidden])").length`, "0")
	// Keys keep nothing, and requests of tabs that are still open go through the worker.
	p.press("u?")
	p.click("#help input")
	p.press("u")
	p.eval(`Promise.all([window, other].map((tab) => tab.fetch("api/v1/flats").then((answer) => answer.text())))`)
	p.eval("new Promise((done) => setTimeout(done, 500))")
	p.see(kept, "")
	p.see("navigator.serviceWorker.getRegistrations().then((all) => all.length)", "0")
	p.see(`document.querySelector(".empty button").innerText`, "Reopen the page")
	p.reload()
	p.see(rowCount, "10")
	p.waitKept("known%5Bvisit_date")
	network.down.Store(true)
	p.reload()
	p.see(rowCount, "10")
	p.checkFaults()
}

// TestPageOnTheWay tests that the visits can be seen without a network, and that
// notes typed then are sent later.
func TestPageOnTheWay(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, "#/visits", 390)
	p.eval("sessionStorage.worker = true")
	p.reload()
	p.wait("navigator.serviceWorker.controller")
	p.reload() // the first load sends its requests before the worker takes over
	p.wait(`document.querySelector(".visits h3 a")`)
	p.wait(`caches.match("api/v1/find?known%5Bvisit_date%5D=yes&sort=visit_date")`)
	title := fmt.Sprint(p.eval(`document.querySelector(".visits h3").innerText`))
	p.click(".visits h3 a")
	p.enter("#notes", "Bring the tape measure.")
	p.see(`document.querySelector("#saved").innerText`, "Saved")
	p.wait(`caches.match(new URL("api/v1/flats/" + location.hash.slice(7), document.baseURI), {ignoreVary: true})
		.then((answer) => answer?.json()).then((answer) => answer?.data.notes === "Bring the tape measure.")`)
	p.eval(`location.hash = "#/visits"`)
	network.down.Store(true)
	p.reload()
	p.wait(`document.querySelector(".visits h3 a")`)
	p.click(".visits h3 a")
	p.see(`document.querySelector(".flat h1")?.innerText`, title)
	p.eval("new Promise((done) => setTimeout(done, 100))") // the answer that the worker kept comes later
	p.see(`document.querySelector("#notes").value`, "Bring the tape measure.")
	p.click(".notes .line button")
	p.click(".boxes input")
	p.see(`document.querySelector("#saved").innerText`, "Kept on this device for now: no network connection.")
	p.reload()
	p.wait(`document.querySelector(".boxes :checked")`)
	p.click(".own [data-status=visited]")
	p.see(waits, "2 changes wait")
	network.down.Store(false)
	p.see(waits, "")
	p.see(`document.querySelector("#saved").innerText`, "Saved")
	id := fmt.Sprint(p.eval(`decodeURIComponent(location.hash.slice(7))`))
	const want = "Bring the tape measure.\n- [x] Water pressure\n- [ ] Noise"
	if got := p.flat(id, "notes"); !strings.HasPrefix(got, want) {
		t.Errorf("notes = %q; want %q at their start", got, want)
	}
	p.checkFaults()
}

// TestPageKeptPhotosOffline tests that the worker keeps the newest 300 photos, shows them without a network, keeps no
// error in place of one, and deletes them with the answers.
func TestPageKeptPhotosOffline(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	// The older flat has 302 photos, the newer one ten.
	var flats []object
	files := map[string]string{}
	for i, n := range []int{302, 10} {
		var photos []object
		for j := range n {
			address := fmt.Sprintf("https://127.0.0.1:1/%d/%d", i, j)
			photos = append(photos, keptPhoto(address))
			files[address] = pngOf(2 + 10*i)
		}
		flats = append(flats, object{"id": fmt.Sprint(i), "title": fmt.Sprint(i), "status": "followed",
			"status_since": fmt.Sprintf("2026-01-0%dT10:00:00Z", i+1), "photos": photos[:1], "kept_photos": photos})
	}
	program, dir := startKeeping(t, `{}`, flats, files)
	network, url := newProxy(t, program)
	p := &tab{browser: openBrowser(t), t: t, url: url}
	p.open("#/?tab=shortlist", 1280)
	p.startWorker()
	const keptOnes = `caches.open("photos").then((cache) => cache.keys()).then((keys) => keys.map(({url}) => url))`
	seeAll := func() {
		t.Helper()
		p.wait(keptOnes + `.then((urls) => urls.length > 100)`) // they come one by one
		p.wait(keptOnes + `.then((urls) => urls.length > 200)`)
		p.see(keptOnes+`.then((urls) => urls.length)`, "300")
	}
	seeAll()
	p.eval(`window.photoOf = (address) => import(document.querySelector("script").src.replace("app.js", "lib/sha256.js"))
		.then(({sha256}) => new URL("api/v1/photos/" + sha256(address), document.baseURI).href)`)
	isKept := func(address string) string {
		return `Promise.all([photoOf("` + address + `"), ` + keptOnes + `]).then(([url, urls]) => urls.includes(url))`
	}
	p.see(isKept("https://127.0.0.1:1/1/9"), "true")
	p.see(isKept("https://127.0.0.1:1/0/0"), "true")
	p.see(isKept("https://127.0.0.1:1/0/300"), "false")

	// An answer that is no photo is not kept.
	os.Remove(filepath.Join(dir, "photos", fmt.Sprint(keptPhoto("https://127.0.0.1:1/0/301")["hash"])))
	p.see(`photoOf("https://127.0.0.1:1/0/301").then(fetch).then(({status}) => status)`, "404")
	p.see(isKept("https://127.0.0.1:1/0/301"), "false")

	network.down.Store(true)
	p.do("Network.clearBrowserCache", nil)
	p.reload()
	const widths = `[...document.querySelectorAll(".row .photo")].map(({naturalWidth}) => naturalWidth ?? "gap").join()`
	p.see(widths, "12,2")
	p.click("[data-id='1'] a")
	p.see(`[...document.querySelectorAll(".gallery .strip img")].filter(({naturalWidth}) => naturalWidth === 12).length`,
		"10")

	// A 401 deletes them.
	network.pointTo(start(t, "[]", `"username": "me"`, `"password": "secret"`))
	network.down.Store(false)
	p.signIn("me", "secret")
	p.reload()
	p.see(`caches.has("photos")`, "false")

	// So does "Forget this device", here another one: a request of this one may still wait for the password.
	network.pointTo(program)
	p.open("#/?tab=shortlist", 1280)
	p.startWorker()
	seeAll()
	p.eval("window.confirm = () => true")
	p.click(".menu")
	p.click("#menu button:last-child")
	p.see(`document.querySelector("h1").innerText`, "Nothing is kept on this device any more")
	p.see("caches.keys().then((names) => names.join())", "")
	p.checkFaults()
}

// Whole page
// ----------

// TestPageReach tests that each control of each view is what lies at its own middle, where a finger lands. It checks
// each view with axe-core too, if the environment variable FLATS_AXE has the path of axe.min.js.
func TestPageReach(t *testing.T) {
	onlyWhole(t)
	axe := ""
	if path := os.Getenv("FLATS_AXE"); path != "" {
		axe = readFile(t, path)
	}
	for _, width := range []int{1280, 390} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			t.Parallel()
			p := openTab(t, "", "", width)
			p.showAll(func(what string) {
				t.Helper()
				if axe != "" {
					p.checkAxe(axe, what)
				}
				p.checkReach(what)
			})
		})
	}
}

// checkAxe reports what axe-core, whose text it is given, finds wrong in the light and the dark scheme.
func (p *tab) checkAxe(axe, what string) {
	p.t.Helper()
	if p.eval("window.axe === undefined") == true {
		p.eval(axe + "; 0")
	}
	// The dark scheme differs only in its colours.
	for scheme, rules := range map[string]string{
		"light": `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`,
		"dark":  `{type: "rule", values: ["color-contrast"]}`,
	} {
		p.do("Emulation.setEmulatedMedia",
			object{"features": []object{{"name": "prefers-color-scheme", "value": scheme}}})
		got := p.eval(`axe.run({runOnly: ` + rules + `, resultTypes: ["violations"]}).then(({violations}) =>
			violations.map(({id, nodes}) => id + ": " + nodes.map(({target, failureSummary}) =>
				target + " " + failureSummary)).join("\n"))`)
		if got != "" {
			p.t.Errorf("%s, %s: %s", what, scheme, got)
		}
	}
}

// checkReach reports each control that something else covers. A dot of the scatter plot may lie on another one: a
// press opens the nearer one.
func (p *tab) checkReach(what string) {
	p.t.Helper()
	got := p.eval(`[...(document.querySelector("dialog[open], :popover-open") ?? document)
		.querySelectorAll("a[href], button, select, input, textarea, summary, label, .circle, [tabindex='0']")]
		.filter((control) => control.checkVisibility() && control.getBoundingClientRect().width > 0)
		.filter((control) => !control.matches(":disabled, .scatter a, [inert] *"))
		.map((control) => [control.outerHTML.slice(0, 80), middleOf(control).cover])
		.filter(([, cover]) => cover).map(([control, cover]) => control + " lies under " + cover).join("\n")`)
	if got != "" {
		p.t.Errorf("%s: %s", what, got)
	}
}

// showAll shows each view, what opens in it, and what floats above it, and calls check with the name of each.
func (p *tab) showAll(check func(what string)) {
	p.t.Helper()
	p.bring(`[{"id": "x", "title": "X", "phone": "0198", "cost": 700, "area": 40, "location": "Ost"},
		{"id": "y", "title": "Y", "phone": "0198", "cost": 700, "area": 40, "location": "Ost"}]`)
	for _, view := range []struct{ hash, last string }{ // a selector of what comes last
		{"#/", ".foot .end:not(:empty)"},
		{"#/?q=balcon&cost=1..900&sort=cost", ".chips .chip"},
		{"#/flat/4711", ".others"},
		{"#/triage", ".card h2 a"},
		{"#/visits", ".day"},
		{"#/compare/4711,lyon-1042%40example", ".side-by-side"},
		{"#/duplicates", ".groups article"},
		{"#/map", ".circle"},
		{"#/prices", ".scatter a"},
		{"#/import", ".log li"},
		{"#/notify", ".told p"},
		{"#/travel", ".told p"},
		{"#/photos", ".told p"},
		{"#/add", "form"},
		{"#/", ".foot .end:not(:empty)"}, // from Add to Add the view would stay
		{"#/add?title=3+Zi.&url=https://example.org/1&text=900+%E2%82%AC", "form"},
	} {
		p.goTo(view.hash, view.last)
		p.eval("new Promise((done) => setTimeout(done, 200))")
		check(view.hash)
	}
	p.blockTiles()
	p.goTo("#/map", ".circle")
	p.click(".over button:last-child")
	p.wait(`document.querySelector("dialog[open]")`)
	check("the question about streets")
	p.click("dialog[open] .primary")
	p.wait(`document.querySelector(".credit a")`)
	check("the map with streets")
	p.goTo("#/import", ".log li")
	p.click(".import [type=checkbox]")
	check("an import of everything")
	p.goTo("#/", ".foot .end:not(:empty)")
	p.click("[popovertarget=search-help]")
	p.wait(`document.querySelector("#search-help:popover-open")`)
	check("the help of the search")
	p.click("[popovertarget=search-help]")
	p.click(".row [data-compare]")
	p.wait(`document.querySelector("#chosen:not(:empty)")`)
	p.click(".row button[data-status=ignored]")
	p.wait(`document.querySelector(".notice")`)
	p.click(".toggle")
	p.wait(`document.querySelector(".panel [type=checkbox]")`)
	check("the list with its filters and a notice")
	p.click(".tools button")
	p.wait(`document.querySelector(".naming[open]")`)
	check("the name of a view")
	p.key("Escape")
	p.wait(`!document.querySelector(".naming")`)
	p.click(".menu")
	p.wait(`document.querySelector("#menu:popover-open")`)
	check("the menu")
	p.press("?")
	p.wait(`document.querySelector("#help[open]")`)
	check("the keys")
	p.eval(`document.querySelector("#help").close()`)
	p.eval(`fetch("api/v1/flat/4711", {method: "PATCH",
		body: '{"cost": 700, "phone": "0199", "photos": ["https://127.0.0.1:1/1", "https://127.0.0.1:1/2"]}'})`)
	p.goTo("#/flat/4711", ".strip") // the photos are in the answer
	p.click(".edit")
	p.enter("[name=rooms]", "two")
	p.enter("[name=title]", "")
	check("a flat with its fields")
	p.click(".editing > .line [type=button]")
	p.wait(`!document.querySelector(".editing")`)
	p.click(".own [popovertarget]")
	p.wait(`document.querySelector("#statuses:popover-open")`)
	check("the menu of the statuses")
	p.key("Escape")
	p.wait(`!document.querySelector("#statuses:popover-open")`)
	p.click(".notes .line button")
	p.see(`document.querySelector("#saved").innerText`, "Saved")
	check("a flat with its checklist")
	p.goTo("#/visits", ".day")
	p.click(".day .card [aria-expanded]")
	p.wait(`document.querySelector(".day .notes")`)
	check("the notes of a visit")
	p.goTo("#/flat/4711", ".strip")
	p.click(".gallery .frame")
	p.wait(`document.querySelector(".photos[open]")`)
	check("the photos")
	p.key("Escape")
	p.wait(`!document.querySelector(".photos")`)
	p.click(".contact button")
	p.wait(`document.querySelector(".message[open]")`)
	check("a message")
	p.key("Escape")
	p.eval(`localStorage["flats.waiting"] = JSON.stringify([
		{key: 1, id: "4711", name: "notation", was: null, set: 2, theirs: 4, title: "Loft"}])`)
	p.eval(`localStorage["flats.notes.4711"] = JSON.stringify({text: "Ours.", base: "Old.", other: "Theirs."})`)
	p.reload()
	p.wait(`document.querySelector(".questions button") && document.querySelector(".versions button")`)
	check("a question")
}

// TestPageSpeed logs how long the list takes to show the first of 5,000 flats,
// and to scroll.
func TestPageSpeed(t *testing.T) {
	onlyWhole(t)
	if !testing.Verbose() {
		t.Skip("it only logs times, which needs -v")
	}
	p := openTab(t, manyFlats(5000), "", 1280)
	p.see(rowCount, "50")
	// The browser lays out and paints a frame after the frame's callbacks.
	p.do("Page.addScriptToEvaluateOnNewDocument", object{"source": `new MutationObserver((_, watch) => {
		if (!document.querySelector(".row")) return;
		watch.disconnect();
		requestAnimationFrame(() => setTimeout(() => window.shown = performance.now()));
	}).observe(document, {childList: true, subtree: true})`})
	for i, how := range []string{
		"files cached", "files cached", "nothing cached", "worker starts", "through the worker", "through the worker",
	} {
		if i == 3 {
			p.eval("sessionStorage.worker = true")
		}
		p.eval("window.old = true")
		p.do("Page.reload", object{"ignoreCache": i == 2})
		p.wait("!window.old && window.shown")
		t.Logf("%s: first rows after %.0f ms", how, p.eval("window.shown"))
		if i == 3 {
			p.wait("navigator.serviceWorker.controller")
		}
		if i != 2 && i != 5 {
			continue
		}
		for _, hash := range []string{"#/?sort=cost", "#/?cost=..900", "#/?tab=all", "#/"} {
			p.see(rowCount, "50")
			t.Logf("%s: %s shown after %.0f ms", how, hash, p.eval(`(async () => {
				const [start, row] = [performance.now(), document.querySelector(".row")];
				location.hash = `+encode(hash)+`;
				while (row.isConnected) await new Promise(requestAnimationFrame);
				await new Promise((painted) => setTimeout(painted));
				return performance.now() - start;
			})()`))
		}
	}
	t.Logf("frames while scrolling through 1,000 rows, the longest first: %v ms", p.eval(`(async () => {
		await new Promise((rested) => setTimeout(rested, 1_100)); // the requests after the rows are done
		const frames = [];
		let last = await new Promise(requestAnimationFrame);
		const end = last + 8_000; // a busy machine shows fewer rows
		const rows = document.getElementsByClassName("row");
		for (let y = 0; rows.length < 1000 && last < end; y += 250) {
			scrollTo(0, y);
			y = Math.min(y, document.body.scrollHeight);
			await new Promise(requestAnimationFrame);
			frames.push(performance.now() - last);
			last = performance.now();
		}
		return frames.sort((a, b) => b - a).slice(0, 5).map(Math.round).join(", ") + " of " + frames.length +
			" over " + rows.length + " rows";
	})()`))
	p.checkFaults()
}

// TestPageStrings tests that each language has the same texts, in the same forms,
// and all texts that the modules use.
func TestPageStrings(t *testing.T) {
	t.Parallel()
	p := openTab(t, "", "", 1280)
	var texts map[string]map[string]any
	got := p.eval(`(async () => {
		const all = {};
		for (const language of ["en", "fr", "de"]) all[language] =
			(await import(document.querySelector("script").src.replace("app.js", "words/strings/" + language + ".js"))).default;
		return JSON.stringify(all);
	})()`)
	if err := json.Unmarshal([]byte(fmt.Sprint(got)), &texts); err != nil {
		t.Fatal(err)
	}
	// form returns what a text must have in common with its translations.
	form := func(text any) string {
		braces := regexp.MustCompile(`\{\w+\}|#`).FindAllString(fmt.Sprint(text), -1)
		slices.Sort(braces)
		return fmt.Sprintf("%T %q", text, braces)
	}
	for language, table := range texts {
		for name, text := range texts["en"] {
			if table[name] == nil || table[name] == "" || form(table[name]) != form(text) {
				t.Errorf("%s: %s = %q; want the form of %q", language, name, table[name], text)
			}
		}
		if len(table) != len(texts["en"]) {
			t.Errorf("%s has %d texts; want %d as in en", language, len(table), len(texts["en"]))
		}
	}
	used := regexp.MustCompile(`\bt\.([a-z_]+)`)
	for name, source := range readFolder(t) {
		if path.Ext(name) != ".js" {
			continue
		}
		for _, use := range used.FindAllStringSubmatch(source, -1) {
			if texts["en"][use[1]] == nil {
				t.Errorf("%s uses the text %s, which does not exist", name, use[1])
			}
		}
	}
}

// TestPageModules tests that a module imports only from its own folder or from one below it, and no view from another
// one, that there is no circle, that only lib/kept.js has variables, and that index.html names the modules of the
// first list.
func TestPageModules(t *testing.T) {
	folders := []string{"lib", "words", "parts", "views", "."} // the lowest first
	imports := importsOf(readFolder(t))
	variable := regexp.MustCompile(`(?m)^(?:export )?(?:let .*|const \w+ = (?:new \w*(?:Map|Set)\(\)|\[\]|\{\})$)`)
	for name, imported := range imports {
		if found := variable.FindString(imported.source); found != "" && name != "lib/kept.js" && name != "sw.js" {
			t.Errorf("%s has the variable %s; want it in lib/kept.js", name, found)
		}
		own := slices.Index(folders, strings.Split(path.Dir(name), "/")[0])
		for _, other := range imported.all {
			layer := slices.Index(folders, strings.Split(path.Dir(other), "/")[0])
			if imports[other].source == "" || layer > own || layer == own && folders[own] == "views" {
				t.Errorf("%s must not import %s", name, other)
			}
		}
	}
	finished := map[string]bool{}
	var visit func(name string, from []string)
	visit = func(name string, from []string) {
		if i := slices.Index(from, name); i >= 0 {
			t.Errorf("circle: %s", strings.Join(append(from[i:], name), " imports "))
			return
		}
		if finished[name] {
			return
		}
		for _, other := range imports[name].all {
			visit(other, append(slices.Clip(from), name))
		}
		finished[name] = true
	}
	for name := range imports {
		visit(name, nil)
	}

	var first []string
	for wanted := []string{"app.js", "views/list.js"}; len(wanted) > 0; wanted = wanted[1:] {
		if !slices.Contains(first, wanted[0]) {
			first = append(first, wanted[0])
			wanted = append(wanted, imports[wanted[0]].static...)
		}
	}
	var preloaded []string
	link := regexp.MustCompile(`(?:modulepreload" href|module" src)="assets/-/([^"]+)"`)
	for _, found := range link.FindAllStringSubmatch(readFile(t, "index.html"), -1) {
		preloaded = append(preloaded, found[1])
	}
	slices.Sort(first)
	slices.Sort(preloaded)
	if !slices.Equal(preloaded, first) {
		t.Errorf("index.html loads %q\nwant %q", preloaded, first)
	}
}

// A module is a file of JavaScript with the paths of those that it imports: static has those that are loaded with it,
// all also those that it loads later.
type module struct {
	source      string
	static, all []string
}

// importsOf returns the modules among files by their paths. It leaves out imports whose path is computed.
func importsOf(files map[string]string) map[string]module {
	modules := map[string]module{}
	statement := regexp.MustCompile(`(from |import\()"(\.[^"]+)"`)
	for name, source := range files {
		if path.Ext(name) != ".js" {
			continue
		}
		m := module{source: source}
		for _, found := range statement.FindAllStringSubmatch(source, -1) {
			other := path.Join(path.Dir(name), found[2])
			m.all = append(m.all, other)
			if found[1] == "from " {
				m.static = append(m.static, other)
			}
		}
		modules[name] = m
	}
	return modules
}

// TestPageFiles tests that the browser may cache files with the hash in their
// path and must revalidate others, that every file of this folder but the tests
// is served, and that no line of code is too long.
func TestPageFiles(t *testing.T) {
	url := start(t, "[]")
	const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; " +
		"connect-src 'self'; worker-src 'self'; manifest-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	links := map[string]bool{}
	for _, path := range []string{"/", "/sw.js", "/manifest.webmanifest"} {
		answer, body := get(t, url+path)
		h := answer.Header
		if answer.StatusCode != 200 || h.Get("Content-Security-Policy") != policy ||
			h.Get("Cache-Control") != "no-cache" {
			t.Errorf("GET %s = %d %v", path, answer.StatusCode, h)
		}
		for _, link := range regexp.MustCompile(`"(assets/[^"]+[^/])"`).FindAllStringSubmatch(body, -1) {
			links[link[1]] = true
		}
		if strings.Contains(body, "assets/-/") {
			t.Errorf("GET %s has links without a hash", path)
		}
	}
	missing := []string{"/assets/-/app.js", "/assets/", "/index.html", "/web/app.js"}
	for link := range links {
		answer, body := get(t, url+"/"+link)
		h := answer.Header
		_, name, _ := strings.Cut(strings.TrimPrefix(link, "assets/"), "/")
		if answer.StatusCode != 200 || !strings.Contains(h.Get("Cache-Control"), "immutable") ||
			h.Get("Content-Type") == "" || body != readFile(t, name) {
			t.Errorf("GET /%s = %d %v", link, answer.StatusCode, h)
		}
		missing = append(missing, "/"+path.Dir(link)+"/page_test.go")
	}
	for _, path := range missing {
		answer, body := get(t, url+path)
		want := fmt.Sprintf(`{"error":%q,"status_code":404}`, "There is nothing at "+path+".")
		if answer.StatusCode != 404 || strings.TrimSpace(body) != want {
			t.Errorf("GET %s = %d %s; want %s", path, answer.StatusCode, body, want)
		}
	}

	_, body := get(t, url+"/sw.js")
	var worker []string
	_, list, _ := strings.Cut(body, "const files = ")
	if err := json.NewDecoder(strings.NewReader(list)).Decode(&worker); err != nil {
		t.Error(err)
	}
	var files []string
	for name, text := range readFolder(t) {
		if !slices.Contains([]string{"index.html", "sw.js", "manifest.webmanifest"}, name) {
			files = append(files, name)
		}
		if slices.Contains([]string{".png", ".svg"}, path.Ext(name)) {
			continue
		}
		for i, line := range strings.Split(text, "\n") {
			if n := utf8.RuneCountInString(line); n > 120 {
				t.Errorf("%s:%d has %d characters; want at most 120", name, i+1, n)
			}
		}
	}
	slices.Sort(files)
	slices.Sort(worker)
	if !slices.Equal(worker, files) {
		t.Errorf("the service worker keeps %q\nwant %q", worker, files)
	}
}

// readFolder returns the texts of the page's files, which are those in this folder but for the
// tests, by their names.
func readFolder(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(".", func(path string, file fs.DirEntry, err error) error {
		isTest := strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "testdata")
		if err == nil && !file.IsDir() && !isTest {
			texts[filepath.ToSlash(path)] = readFile(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// TestMapTiles tests that the page may load tiles only from the server that the
// config names.
func TestMapTiles(t *testing.T) {
	for _, c := range []struct {
		settings              []string
		policy, tiles, credit string
	}{
		{nil, "img-src 'self' https: data:;", "", ""},
		{
			[]string{`"map_tiles": "https://T.example:443/{z}/{x}/{y}"`, `"map_credit": "\"A\" & B"`},
			"img-src 'self' https: data: https://t.example;",
			"https://T.example:443/{z}/{x}/{y}",
			"&#34;A&#34; &amp; B",
		},
	} {
		answer, body := get(t, start(t, "[]", c.settings...)+"/")
		if got := answer.Header.Get("Content-Security-Policy"); !strings.Contains(got, c.policy) {
			t.Errorf("Content-Security-Policy = %q; want %s in it", got, c.policy)
		}
		for name, want := range map[string]string{"tiles": c.tiles, "credit": c.credit} {
			if meta := fmt.Sprintf(`"flats-map-%s" content="%s"`, name, want); !strings.Contains(body, meta) {
				t.Errorf("the page does not contain %s:\n%s", meta, body)
			}
		}
	}
}

// whole is true if the tests that onlyWhole marks run too.
var whole = flag.Bool("whole", false, "run all tests of the page, not only the main way through each view")

// onlyWhole skips a test of what is beside the main way through a view, unless -whole is given.
func onlyWhole(t *testing.T) {
	t.Helper()
	if !*whole {
		t.Skip("only with -whole")
	}
}

// Program
// -------

// flatsProgram is the path of the program, which TestMain builds.
var flatsProgram string

// TestMain runs the tests with more of them in parallel than by default.
func TestMain(m *testing.M) {
	// Tests mostly wait for the browser. Parse comes later, so that the command line wins.
	flag.Set("test.parallel", strconv.Itoa(2+runtime.GOMAXPROCS(0)))
	flag.Parse()
	os.Exit(run(m))
}

// run builds the program, runs the tests and cleans up.
func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "flats-page-test")
	if err != nil {
		log.Print(err)
		return 1
	}
	defer os.RemoveAll(dir)
	flatsProgram = filepath.Join(dir, "flats.exe")
	if output, err := exec.Command("go", "build", "-o", flatsProgram, "..").CombinedOutput(); err != nil {
		log.Printf("go build: %v\n%s", err, output)
		return 1
	}
	defer func() { chromium.stop() }()
	return m.Run()
}

// start runs the program until the test ends and returns its URL. The program
// serves flats, given as the text of their file, with the postal codes and the
// config of the sample. Settings are further members of the config, as JSON.
func start(t *testing.T, flats string, settings ...string) string {
	t.Helper()
	dir := t.TempDir()
	config := strings.Replace(readFile(t, "../sample/config.json"), "{", "{"+strings.Join(append(settings, ""), ","), 1)
	writeFile(t, filepath.Join(dir, "config.json"), config)
	writeFile(t, filepath.Join(dir, "postal_codes.json"), readFile(t, "../sample/postal_codes.json"))
	writeFile(t, filepath.Join(dir, "flats.json"), flats)
	return startIn(t, dir)
}

// startSample runs the program with the sample, like start.
func startSample(t *testing.T) string {
	t.Helper()
	return startIn(t, t.TempDir(), "-sample")
}

// startIn runs the program in a folder until the test ends and returns its URL.
func startIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command(flatsProgram, append(args, "-addr", "127.0.0.1:0")...)
	cmd.Dir = dir
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	var lines []string
	for scanner := bufio.NewScanner(stderr); scanner.Scan(); {
		lines = append(lines, scanner.Text())
		if _, url, ok := strings.Cut(scanner.Text(), "msg=listening url="); ok {
			go io.Copy(io.Discard, stderr)
			return strings.TrimSuffix(url, "/")
		}
	}
	t.Fatalf("the program exited before it listened:\n%s", strings.Join(lines, "\n"))
	return ""
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// get sends a GET request and returns the answer, whose body is closed, and the
// text of the body.
func get(t *testing.T, url string) (answer *http.Response, body string) {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(text)
}

// manyFlats returns the text of a file with n flats of about 1.2 KB each.
func manyFlats(n int) string {
	random := rand.New(rand.NewPCG(1, 2))
	words := func(n int) string {
		var b strings.Builder
		for range n {
			fmt.Fprintf(&b, "%x ", random.IntN(60_000))
		}
		return b.String()
	}
	var flats []map[string]any
	for i := range n {
		statuses := []string{"new", "new", "new", "new", "new", "new", "new", "followed", "contacted", "ignored"}
		flats = append(flats, object{
			"id":       fmt.Sprint(i, "@many"),
			"title":    words(6),
			"text":     words(150),
			"cost":     200 + random.IntN(2000),
			"area":     10 + random.IntN(150),
			"currency": "EUR",
			"rooms":    1 + i%5,
			"date":     fmt.Sprintf("2026-01-%02dT10:00:00", 1+i%28),
			"location": words(2),
			"photos":   []string{fmt.Sprintf("https://example.org/%d.jpg", i)},
			"status":   pick(random, statuses),
		})
	}
	return encode(flats)
}

// pick returns a random element of a list.
func pick[T any](random *rand.Rand, from []T) T { return from[random.IntN(len(from))] }

// encode returns a value as JSON, which is also an expression in JavaScript.
func encode(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// A proxy is a reverse proxy between the tabs and the program. It can change
// answers, and cut connections as a lost network does.
type proxy struct {
	httputil.ReverseProxy
	target       atomic.Pointer[url.URL]
	down         atomic.Bool                          // whether the proxy cuts every connection, also of earlier requests
	latency      atomic.Int64                         // milliseconds that each request to the API takes
	change       atomic.Pointer[func(*http.Response)] // changes each answer, unless nil
	unauthorized atomic.Int32                         // the number of answers with status 401
}

// newProxy starts a proxy in front of a program, which runs until the test ends.
// It returns the proxy and its URL.
func newProxy(t *testing.T, program string) (p *proxy, url string) {
	p = &proxy{}
	p.pointTo(program)
	p.ErrorLog = log.New(io.Discard, "", 0)
	p.FlushInterval = -1 // flush each write at once
	p.Rewrite = func(r *httputil.ProxyRequest) {
		r.SetURL(p.target.Load())
		r.Out.Host = r.In.Host // the program compares it with the origin
		if p.change.Load() != nil {
			// change needs answers that have a body and are not compressed.
			r.Out.Header.Del("If-None-Match")
			r.Out.Header.Del("Accept-Encoding")
		}
	}
	p.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }
	p.ModifyResponse = func(answer *http.Response) error {
		if p.down.Load() {
			return errors.New("down")
		}
		if answer.StatusCode == http.StatusUnauthorized {
			p.unauthorized.Add(1)
		}
		if change := p.change.Load(); change != nil {
			(*change)(answer)
		}
		return nil
	}
	server := httptest.NewServer(p)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return p, server.URL
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p.down.Load() {
		panic(http.ErrAbortHandler)
	}
	if strings.HasPrefix(r.URL.Path, "/api/") {
		time.Sleep(time.Duration(p.latency.Load()) * time.Millisecond)
	}
	p.ReverseProxy.ServeHTTP(w, r)
}

// pointTo makes the proxy send further requests to another program.
func (p *proxy) pointTo(program string) {
	target, err := url.Parse(program)
	if err != nil {
		panic(err)
	}
	p.target.Store(target)
}

// setBody replaces the body of an answer. The new body may read from the old one.
func setBody(answer *http.Response, body io.Reader) {
	answer.Body = struct {
		io.Reader
		io.Closer
	}{body, answer.Body}
	answer.ContentLength = -1
	answer.Header.Del("Content-Length")
}

// Driver
// ------
//
// A test does in a tab what a user does, and waits for what a user sees. Four calls are most of it:
//
//	p := openTab(t, flats, hash, width)   starts the program and opens its page at a hash
//	p.click(selector)                     clicks or taps an element once it rests and nothing covers it
//	p.enter(selector, value)              sets the value of a control as typing does
//	p.see(expression, want)               waits until a JavaScript expression has a value, as text
//
// The other methods of tab press keys, swipe, reload, print, sign in, and run what these cannot. What
// waits for a condition fails after two minutes, and says what the page shows.

// A tab is a tab of the browser that shows the page of a program.
type tab struct {
	*browser
	t       *testing.T
	session string
	url     string // the URL of the page, without a slash at the end
}

// openTab starts the program with flats, or with the sample if flats is "", and
// opens its page at a hash in a tab of a width in pixels.
func openTab(t *testing.T, flats, hash string, width int) *tab {
	t.Helper()
	p := &tab{browser: openBrowser(t), t: t}
	if flats == "" {
		p.url = startSample(t)
	} else {
		p.url = start(t, flats)
	}
	p.open(hash, width)
	return p
}

// openThroughProxy is like openTab with the sample, but the tab reaches the
// program through the proxy that it returns.
func openThroughProxy(t *testing.T, hash string, width int) (*tab, *proxy) {
	t.Helper()
	p := &tab{browser: openBrowser(t), t: t}
	network, url := newProxy(t, startSample(t))
	p.url = url
	p.open(hash, width)
	return p, network
}

// open opens the page in a new browser context, which shares no storage with
// others, as if it were another device.
func (p *tab) open(hash string, width int) {
	p.t.Helper()
	var context struct{ BrowserContextId string }
	p.call(p.t, "", "Target.createBrowserContext", object{}, &context)
	var target struct{ TargetId string }
	p.call(p.t, "", "Target.createTarget",
		object{"url": "about:blank", "browserContextId": context.BrowserContextId}, &target)
	var attached struct{ SessionId string }
	p.call(p.t, "", "Target.attachToTarget", object{"targetId": target.TargetId, "flatten": true}, &attached)
	p.session = attached.SessionId
	p.t.Cleanup(func() {
		p.call(p.t, "", "Target.disposeBrowserContext", object{"browserContextId": context.BrowserContextId}, nil)
	})
	p.resize(width)
	p.do("Page.enable", nil)
	p.do("Page.addScriptToEvaluateOnNewDocument", object{"source": `
		// checkFaults reports these faults.
		window.faults = [];
		window.partsOf = (element) => [element, ...element.labels ?? []];
		addEventListener("error", (e) => faults.push(e.message || "failed to load " + e.target?.src));
		addEventListener("securitypolicyviolation", (e) =>
			faults.push("policy: " + e.blockedURI + " " + e.violatedDirective));
		// middleOf returns the middle of an element, which it scrolls into sight, and what covers it there, if
		// anything does.
		window.middleOf = (element) => {
			const own = partsOf(element);
			const find = () => {
				const {left, top, width, height} = [...element.getClientRects()].find(({width}) => width > 0) ??
					element.getBoundingClientRect();
				const [x, y] = [left + width / 2, top + height / 2];
				const hit = document.elementFromPoint(x, y);
				return {x, y, hit, isFree: own.some((part) => part.contains(hit))};
			};
			if (!find().isFree) element.scrollIntoView({block: "center", inline: "center"});
			const {x, y, hit, isFree} = find();
			return {x, y, cover: isFree ? "" : hit?.outerHTML.slice(0, 80) ?? "nothing"};
		};
		// Notices leave by timers of one second, which run only when a test calls pass with a number of seconds: on a busy
		// machine a notice would have left before the test looks for it.
		{
			const set = setTimeout;
			let waiting = [];
			window.setTimeout = (act, ms, ...rest) => {
				if (ms !== 1000) return set(act, ms, ...rest);
				waiting.push(() => act(...rest));
				return 0;
			};
			window.pass = (seconds) => {
				for (let i = 0; i < seconds; i++) {
					const now = waiting;
					waiting = [];
					for (const act of now) act();
				}
			};
		}
		// clicked says whether the last click hit what aim returned at that moment. One that did not hit it does nothing:
		// what moved under it might open another view.
		window.aim = () => null;
		addEventListener("click", (event) => {
			if (!event.isTrusted) return;
			const aimed = aim();
			window.aim = () => null;
			window.clicked = !aimed || partsOf(aimed).some((part) => part.contains(event.target));
			if (clicked) return;
			event.preventDefault();
			event.stopImmediatePropagation();
		}, {capture: true});
		// Only tests that ask for the service worker get one.
		try { if (!sessionStorage.worker) delete Navigator.prototype.serviceWorker; } catch {}`})
	p.do("Page.navigate", object{"url": p.url + "/" + hash})
	p.wait(`document.querySelector("main > section h1")`)
}

// openOther opens the page as another device would.
func (p *tab) openOther(hash string) *tab {
	p.t.Helper()
	other := &tab{browser: p.browser, t: p.t, url: p.url}
	other.open(hash, 1280)
	return other
}

// goTo opens the view of a hash, and waits until a selector finds something in it.
func (p *tab) goTo(hash, selector string) {
	p.t.Helper()
	p.eval("location.hash = " + encode(hash))
	view, _, _ := strings.Cut(strings.TrimPrefix(hash, "#/"), "/")
	view, _, _ = strings.Cut(view, "?")
	if view == "" {
		view = "list"
	}
	p.wait(fmt.Sprintf("document.querySelector(%q)", "main > ."+view+" "+selector))
}

// do sends a command that has no result.
func (p *tab) do(method string, params object) {
	p.t.Helper()
	p.call(p.t, p.session, method, params, nil)
}

// resize sets the width of the tab in pixels.
func (p *tab) resize(width int) {
	p.t.Helper()
	size := object{"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": false}
	p.do("Emulation.setDeviceMetricsOverride", size)
}

// eval returns the value of an expression in the page. If that is a promise, it
// waits for the promised value.
func (p *tab) eval(expression string) any {
	p.t.Helper()
	value, exception := p.try(expression)
	if exception != "" {
		p.t.Fatalf("%s: %s", expression, exception)
	}
	return value
}

// try is like eval, but returns the exception that the expression throws.
func (p *tab) try(expression string) (value any, exception string) {
	p.t.Helper()
	var got struct {
		Result           struct{ Value any }
		ExceptionDetails *struct {
			Exception struct{ Description string }
		}
	}
	p.call(p.t, p.session, "Runtime.evaluate", object{
		"expression":    expression,
		"awaitPromise":  true,
		"returnByValue": true,
		"userGesture":   true,
	}, &got)
	if got.ExceptionDetails == nil {
		return got.Result.Value, ""
	}
	exception = got.ExceptionDetails.Exception.Description
	if strings.HasPrefix(exception, "SyntaxError") {
		p.t.Fatalf("%s: %s", expression, exception)
	}
	return nil, cmp.Or(exception, "exception")
}

// load imports a module of the page, such as lib/state, into a global variable with the last part of its name.
func (p *tab) load(module string) {
	p.t.Helper()
	p.eval(fmt.Sprintf(`(async () => {
		window[%q] = await import(document.querySelector("script").src.replace("app.js", %q));
	})()`, path.Base(module), module+".js"))
}

// patience is how long a test waits for what must come. Nothing is timed: a slow machine passes later.
const patience = 2 * time.Minute

// until tries something until it succeeds. It fails the test if that takes too long, with the words of why and what the
// page shows.
func (p *tab) until(try func() bool, why func() string) {
	p.t.Helper()
	end := time.Now().Add(patience)
	for !try() {
		if time.Now().After(end) {
			p.t.Fatalf("%s; the page shows %v:\n%v\nfaults: %v", why(), p.eval("location.hash"),
				p.eval("document.body.innerText"), p.eval("window.faults"))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// wait waits until a condition, or the value that it promises, is true. A condition that throws is not true yet: a view
// may be drawn after its heading, or anew at any moment.
func (p *tab) wait(condition string) {
	p.t.Helper()
	var got any
	var exception string
	p.until(func() bool {
		got, exception = p.try(settled("Boolean", condition))
		return got == true
	}, func() string { return strings.TrimSpace("timeout waiting for " + condition + "\n" + exception) })
}

// settled returns an expression that applies a function to the value of another
// expression. It only waits if that value is a promise, because the tab might
// navigate away meanwhile.
func settled(function, expression string) string {
	return "((value) => value instanceof Promise ? value.then(" + function + ") : " + function + "(value))(" +
		expression + ")"
}

// see waits until an expression, or the value that it promises, is want. It may throw before, as in wait.
func (p *tab) see(expression, want string) {
	p.t.Helper()
	var got any
	var exception string
	p.until(func() bool {
		got, exception = p.try(settled("String", expression))
		return got == want
	}, func() string { return fmt.Sprintf("%s\nis %q; want %q %s", expression, got, want, exception) })
}

// click waits for an element and clicks it as a user does, like clickOn.
func (p *tab) click(selector string) {
	p.t.Helper()
	p.clickOn("document.querySelector(" + encode(selector) + ")")
}

// clickOn clicks the element that an expression returns at its middle, once that rests and nothing covers it: with a
// finger where the page is as narrow as a phone, or else with the mouse. It tries again if the element has moved away
// at the last moment.
func (p *tab) clickOn(element string) {
	p.t.Helper()
	var got any
	var last string
	p.until(func() bool {
		got = p.eval("window.aim = () => " + element + "; aim() && middleOf(aim())")
		middle, _ := got.(object)
		at := fmt.Sprint(middle["x"], middle["y"])
		if middle["cover"] != "" || at != last {
			last = at
			return false
		}
		p.clickAt(middle["x"], middle["y"])
		return p.eval("![null, false].includes(window.clicked)") == true
	}, func() string { return fmt.Sprintf("cannot click %s: %v", element, got) })
}

// clickAt taps or clicks a point of the tab. A tap becomes a click only after its touch has ended, and this waits for
// that. A mouse has clicked once its button is released, unless what it was pressed on has gone meanwhile.
func (p *tab) clickAt(x, y any) {
	p.t.Helper()
	isNarrow := p.eval("window.clicked = null, innerWidth < 900").(bool)
	if isNarrow {
		p.do("Input.dispatchTouchEvent", object{"type": "touchStart", "touchPoints": []object{{"x": x, "y": y}}})
		p.do("Input.dispatchTouchEvent", object{"type": "touchEnd", "touchPoints": []object{}})
		p.wait("window.clicked !== null") // it is undefined once the click has opened another page
	} else {
		for _, event := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
			p.do("Input.dispatchMouseEvent", object{"type": event, "x": x, "y": y, "button": "left", "clickCount": 1})
		}
	}
}

// enter waits for a control and sets its value, with the events of a user who
// types it.
func (p *tab) enter(selector, value string) {
	p.t.Helper()
	p.wait("document.querySelector(" + encode(selector) + ")")
	p.eval(fmt.Sprintf(`{ const control = document.querySelector(%s); control.value = %s;
		for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, {bubbles: true})); }`,
		encode(selector), encode(value)))
}

// paste pastes text into the control that the selector finds, as by hand.
func (p *tab) paste(selector, text string) {
	p.t.Helper()
	p.wait("document.querySelector(" + encode(selector) + ")")
	do := func(command string) {
		p.do("Input.dispatchKeyEvent", object{"type": "keyDown", "commands": []string{command}})
	}
	p.eval(fmt.Sprintf(`{ const copied = document.createElement("textarea"); copied.id = "copied";
		copied.value = %s; document.body.append(copied); copied.select(); }`, encode(text)))
	do("copy")
	p.eval(fmt.Sprintf(`copied.remove(); document.querySelector(%s).select()`, encode(selector)))
	do("paste")
}

// press presses the key of each letter.
func (p *tab) press(keys string) {
	p.t.Helper()
	for _, key := range keys {
		p.do("Input.dispatchKeyEvent", object{"type": "keyDown", "key": string(key), "text": string(key)})
		p.do("Input.dispatchKeyEvent", object{"type": "keyUp", "key": string(key)})
	}
}

// key presses a key that has a name, such as ArrowRight.
func (p *tab) key(name string) {
	p.t.Helper()
	text := map[string]string{"Enter": "\r"}[name]
	p.do("Input.dispatchKeyEvent", object{"type": "keyDown", "key": name, "code": name, "text": text})
	p.do("Input.dispatchKeyEvent", object{"type": "keyUp", "key": name, "code": name})
}

// swipe drags an element sideways by some pixels, as a finger does. It begins low in the part that is in sight.
func (p *tab) swipe(selector string, by int) {
	p.t.Helper()
	got := p.eval(fmt.Sprintf(`(({top, bottom, left, width}) => ({
		x: left + (width - %d) / 2,
		y: Math.max(top, 0) * 0.2 + Math.min(bottom, innerHeight) * 0.8,
	}))(document.querySelector(%s).getBoundingClientRect())`, by, encode(selector))).(object)
	x := got["x"].(float64)
	touch := func(event string, x float64) {
		p.do("Input.dispatchTouchEvent", object{"type": event, "touchPoints": []object{{"x": x, "y": got["y"]}}})
	}
	touch("touchStart", x)
	touch("touchMove", x+float64(by)/2)
	touch("touchMove", x+float64(by))
	time.Sleep(100 * time.Millisecond) // a finger that leaves at once flings the page, and the next tap stops that
	p.do("Input.dispatchTouchEvent", object{"type": "touchEnd", "touchPoints": []object{}})
}

// printedPages returns the number of A4 pages that the view is printed on.
func (p *tab) printedPages() int {
	p.t.Helper()
	var pdf struct{ Data []byte }
	p.call(p.t, p.session, "Page.printToPDF", object{"paperWidth": 8.27, "paperHeight": 11.69}, &pdf)
	return len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(pdf.Data, -1))
}

// reload reloads the page and waits for its view.
func (p *tab) reload() {
	p.t.Helper()
	p.eval("window.old = true")
	p.do("Page.reload", nil)
	p.wait(`!window.old && document.querySelector("main > section h1")`)
}

// startWorker reloads the page with its service worker, and waits until the worker
// has kept what a device needs without a network.
func (p *tab) startWorker() {
	p.t.Helper()
	p.eval("sessionStorage.worker = true")
	p.reload()
	p.wait("navigator.serviceWorker.controller")
	p.waitKept("known%5Bvisit_date")
}

// waitKept waits until the worker has kept an answer whose address contains a
// text.
func (p *tab) waitKept(text string) {
	p.t.Helper()
	p.wait(`caches.open("answers").then((cache) => cache.keys())
		.then((keys) => keys.some(({url}) => url.includes(` + encode(text) + `)))`)
}

// signIn makes the browser answer with a name and a password when it asks for
// them.
func (p *tab) signIn(name, password string) {
	p.t.Helper()
	p.mu.Lock()
	p.events[p.session] = func(event devtoolsReply) {
		request := object{"requestId": event.Params.RequestId}
		switch event.Method {
		case "Fetch.requestPaused":
			p.do("Fetch.continueRequest", request)
		case "Fetch.authRequired":
			request["authChallengeResponse"] = object{
				"response": "ProvideCredentials",
				"username": name,
				"password": password,
			}
			p.do("Fetch.continueWithAuth", request)
		}
	}
	p.mu.Unlock()
	p.do("Fetch.enable", object{"handleAuthRequests": true, "patterns": []any{object{"resourceType": "Document"}}})
}

// blockTiles makes requests for the tiles of OpenStreetMap fail, because tests ask no other site.
func (p *tab) blockTiles() {
	p.t.Helper()
	p.do("Network.enable", nil)
	p.do("Network.setBlockedURLs", object{"urls": []string{"https://tile.openstreetmap.org/*"}})
}

// checkFaults reports errors in the page, and violations of its content security
// policy.
func (p *tab) checkFaults() {
	p.t.Helper()
	if got := p.eval("window.faults.join()"); got != "" {
		p.t.Errorf("faults in the page: %v", got)
	}
}

// flat returns a member of a flat as formatted by fmt.Sprint.
func (p *tab) flat(id, member string) string {
	p.t.Helper()
	return fmt.Sprint(p.eval(fmt.Sprintf(`fetch("api/v1/flats/" + encodeURIComponent(%s))
		.then((answer) => answer.json()).then(({data}) => data[%s])`, encode(id), encode(member))))
}

// seeFlat waits until a member of a flat is want, as flat returns it.
func (p *tab) seeFlat(id, member, want string) {
	p.t.Helper()
	p.see(fmt.Sprintf(`fetch("api/v1/flats/" + encodeURIComponent(%s))
		.then((answer) => answer.json()).then(({data}) => data[%s])`, encode(id), encode(member)), want)
}

// bring imports listings.
func (p *tab) bring(listings string) {
	p.t.Helper()
	script := fmt.Sprintf(`fetch("api/v1/import", {method: "POST", body: %s}).then((answer) => answer.text())`,
		encode(listings))
	if got := fmt.Sprint(p.eval(script)); !strings.HasPrefix(got, `{"data":`) {
		p.t.Fatal(got)
	}
}

// Expressions for the number of rows, the texts of the tabs and of the chips, the
// id of the flat in the first row of the list, the names of the saved views,
// and the names and pages of the views of the service.
const (
	rowCount  = `document.querySelectorAll(".row").length`
	tabTexts  = `[...document.querySelectorAll(".tabs a")].map((tab) => tab.innerText.trim()).join("|")`
	chipTexts = `[...document.querySelectorAll(".chips .chip")]
		.map((chip) => chip.innerText.trim().replace(/\s+/g, " ")).join("|")`
	firstRow = `document.querySelector(".row")?.dataset.id`
	chips    = `[...document.querySelectorAll(".saved .chip > :first-child")]
		.map((name) => name.innerText.trim()).join("|")`
	viewTexts = `fetch("api/v1/views").then((answer) => answer.json())
		.then(({data}) => data.map(({name, page}) => name + " " + page).join("|"))`
)

// column returns an expression for the first n texts of a column of the table.
func column(class string, n int) string {
	return fmt.Sprintf(`[...document.querySelectorAll("td.%s")].slice(0, %d).map((cell) => cell.innerText).join("|")`,
		class, n)
}

// Browser
// -------

// A browser is a running Chromium. It reads commands from its file descriptor 3
// and writes answers to 4, as JSON objects that each end in a zero byte.
type browser struct {
	to io.Writer

	mu      sync.Mutex
	last    int
	waiting map[int]chan<- devtoolsReply
	events  map[string]func(devtoolsReply) // handlers by session, called in goroutines of their own
	err     error                          // the reason why there are no more answers
}

// An object is a JSON object.
type object = map[string]any

// A devtoolsReply is an answer to the command with its ID, or an event of a
// session, which has no ID.
type devtoolsReply struct {
	ID        int
	Method    string
	SessionId string
	Params    struct{ RequestId string }
	Result    json.RawMessage
	Error     *struct{ Message string }
}

// chromium is the browser that all tests share. missing says why there is none;
// stop ends it.
var chromium = struct {
	sync.Once
	*browser
	missing string
	stop    func()
}{stop: func() {}}

// browserZone is the time zone of the browser.
const browserZone = "Europe/Paris"

// browserNow returns the time in the time zone of the browser.
func browserNow() time.Time {
	zone, err := time.LoadLocation(browserZone)
	if err != nil {
		panic(err)
	}
	return time.Now().In(zone)
}

// openBrowser returns the browser that all tests share, and starts it the first
// time. Without Chromium the test is skipped, or fails if CI is set.
func openBrowser(t *testing.T) *browser {
	t.Helper()
	chromium.Do(func() {
		// The headless shell takes the least processor time.
		for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome"} {
			if path, err := exec.LookPath(name); err == nil {
				chromium.browser, err = startBrowser(path)
				if err != nil {
					chromium.missing = err.Error()
				}
				return
			}
		}
		chromium.missing = "Chromium is not installed"
	})
	switch {
	case chromium.missing == "":
	case os.Getenv("CI") != "":
		t.Fatal(chromium.missing)
	default:
		t.Skip(chromium.missing)
	}
	return chromium.browser
}

// startBrowser starts the Chromium at path with a new profile.
func startBrowser(path string) (*browser, error) {
	profile, err := os.MkdirTemp("", "flats-browser")
	if err != nil {
		return nil, err
	}
	in, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	from, out, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	args := []string{
		"--headless=new",
		"--remote-debugging-pipe",
		"--user-data-dir=" + profile,
		"--disable-gpu",
		"--disable-quic",
		"--no-first-run",
		"--disable-background-networking",
		"--disable-component-update",
		"--disable-sync",
		"--disable-extensions",
		"--disable-component-extensions-with-background-pages",
		"--no-startup-window",
		// Each would cost a process, the last two for each window.
		"--disable-features=SpareRendererForSitePerProcess,WebUIOmniboxPopup,WebUIOmniboxAimPopup",
		"--disable-dev-shm-usage",
		"--force-prefers-reduced-motion",
		"--accept-lang=en-GB",
	}
	if os.Getuid() == 0 {
		args = append(args, "--no-sandbox")
	}
	cmd := exec.Command(path, args...)
	cmd.ExtraFiles = []*os.File{in, out}
	cmd.Env = append(os.Environ(), "TZ="+browserZone, "LANGUAGE=en")
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	in.Close()
	out.Close()
	chromium.stop = func() {
		to.Close()
		cmd.Process.Kill()
		cmd.Wait()
		os.RemoveAll(profile)
	}
	b := &browser{to: to, waiting: make(map[int]chan<- devtoolsReply), events: make(map[string]func(devtoolsReply))}
	go b.read(from)
	return b, nil
}

// read passes answers to the calls that wait for them, and events to their
// handlers, until the browser exits.
func (b *browser) read(from io.Reader) {
	r := bufio.NewReader(from)
	for {
		text, err := r.ReadBytes(0)
		var answer devtoolsReply
		if err == nil {
			err = json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &answer)
		}
		b.mu.Lock()
		if err != nil {
			b.err = fmt.Errorf("the browser has exited: %w", err)
			for _, waiting := range b.waiting {
				close(waiting)
			}
			b.waiting = nil
			b.mu.Unlock()
			return
		}
		if waiting := b.waiting[answer.ID]; waiting != nil {
			delete(b.waiting, answer.ID)
			waiting <- answer
		} else if act := b.events[answer.SessionId]; act != nil && answer.Method != "" {
			go act(answer)
		}
		b.mu.Unlock()
	}
}

// call sends a command and puts its result into result, which may be nil.
func (b *browser) call(t testing.TB, session, method string, params, result any) {
	t.Helper()
	answer := make(chan devtoolsReply, 1)
	b.mu.Lock()
	b.last++
	id := b.last
	text, err := json.Marshal(object{"id": id, "method": method, "params": params, "sessionId": session})
	if session == "" {
		text, err = json.Marshal(object{"id": id, "method": method, "params": params})
	}
	if err == nil {
		err = b.err
	}
	if err == nil {
		b.waiting[id] = answer
		_, err = b.to.Write(append(text, 0))
	}
	b.mu.Unlock()
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	select {
	case got, ok := <-answer:
		if !ok || got.Error != nil {
			t.Fatalf("%s: %v %v", method, b.err, got.Error)
		}
		if result != nil {
			if err := json.Unmarshal(got.Result, result); err != nil {
				t.Fatalf("%s: %v", method, err)
			}
		}
	case <-time.After(patience):
		t.Fatalf("%s: no answer from the browser", method)
	}
}
