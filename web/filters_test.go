// Tests of the filters of the list.

package web

import (
	"fmt"
	"strings"
	"testing"

	"flats/internal/listing"
)

// TestPageFilters tests which flats each filter finds.
func TestPageFilters(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "1@a", "title": "one", "cost": 0, "currency": "EUR", "rooms": 2, "location": "Ost",
		"notes": "damp"},
		{"id": "2@a", "title": "two", "cost": 500, "currency": "€", "area": 50, "location": "Ost",
			"gps": [45.75, 4.85], "visit_date": "2031-01-01"},
		{"id": "3@b", "title": "three", "cost": 400, "currency": "DKK", "area": 20, "rooms": 3, "location": "West",
			"gps": [-33, 4.85],
			"photos": ["https://127.0.0.1:1/x"]},
		{"id": "4@b", "title": "four", "cost": 900, "currency": "EUR", "rooms": 1, "notation": 4,
			"service_time_to": {"work": {"time": 1500}, "gym": {"time": 600}}},
		{"id": "5@b", "title": "five", "cost": 9000, "currency": "dkk", "area": 30, "rooms": 3, "bedrooms": 2,
			"service_constraint": "far"}]`, "", 1280)
	p.see(rowCount, "5")
	seeRows := func(hash, want string) {
		t.Helper()
		p.eval("location.hash = " + encode("#/?"+hash))
		p.see(`location.hash.slice(3) + ": " + [...document.querySelectorAll(".row h2")]
			.map((title) => title.innerText).join(" ")`, hash+": "+want)
	}
	// Each currency is sorted separately, that of most flats first, and flats without a price come last. A sign and its
	// code are one currency.
	seeRows("sort=cost", "two four three five one")
	seeRows("sort=-cost", "four two five three one")
	seeRows("sort=cost_per_area", "two four three five one")
	for hash, want := range map[string]string{
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
		"currency=dkk&sort=title":            "five three",
		"currency=EUR&sort=title":            "four one two",
		"currency=%E2%82%AC&sort=title":      "four one two",
		"constraint=far":                     "five",
		"visit=yes":                          "two",
		"notes=yes":                          "one",
		"notes=no&photos=no&sort=title":      "five four two",
		"photos=yes":                         "three",
		"lat=45..46&lng=4.8..4.9":            "two",
		"lat=..0":                            "three",
	} {
		seeRows(hash, want)
	}
	// The page says how many flats a range hides because their value is not known, and shows them on demand.
	p.eval(`location.hash = "#/?rooms=2.."`)
	p.see(`document.querySelector(".hidden-ones").innerText`, "1 without rooms · Show")
	p.click(".hidden-ones button")
	p.see(rowCount, "4")
	p.see(chipTexts, "Rooms ≥ 2 or unknown")
	// The window of the map is one filter. A saved view has it, too.
	p.eval(`location.hash = "#/?lat=45..46&lng=4.8..4.9"`)
	p.see(chipTexts, "On the map")
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
	p.eval(`location.hash = "#/?cost=..9000"`)
	p.see(`document.querySelector(".currencies").innerText.trim()`, "Currencies are compared separately. DKKEUR")
	p.eval(`location.hash = "#/?currency=DKK&sort=cost"`)
	p.see(`document.querySelector(".currencies").innerText`, "")
	p.eval(`location.hash = "#/"`)
	p.click(".toggle")
	p.wait(`document.querySelector(".panel [value=West]")`)
	p.click(".further")
	p.see(`[...document.querySelectorAll(".panel label:not([hidden])")].map((label) => label.innerText.split("\n")[0])
		.join()`,
		"Ost (2),West (1),First seen within,Sort by,Travel time to,Currency,Site,Visit,Notes,Photos")
	p.see(`[...document.querySelectorAll(".panel label")].find(({innerText}) => /^First seen/.test(innerText))
		.querySelector("select").innerText.match(/\d+/g).join()`, "1,3,7,30")
	// Several places may be ticked. Each has a chip, and the boxes keep their numbers and the focus.
	p.click(".opener")
	for i, want := range []string{"1", "3"} {
		box := []string{".several [value=West]", ".several [value=Ost]"}[i]
		p.click(box)
		p.see(rowCount, want)
	}
	p.see(chipTexts, "West|Ost")
	p.see("location.hash", "#/?place=West&place=Ost")
	p.click(".chip")
	p.see("location.hash", "#/?place=Ost")
	p.see(`[...document.querySelectorAll(".several label")].map((label) => label.innerText +
		(label.firstChild.checked ? "+" : "")).join()`, "Ost (2)+,West (1)")
	p.click(".opener")
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
	tick := func(place string) {
		t.Helper()
		if p.eval(`document.querySelector(".several").hidden`) == true {
			p.click(".opener")
		}
		p.click(".several [value='" + place + "']")
	}
	// The box also stands for the code of the flat that the other filter leaves out.
	tick("København K")
	p.see(boxes, "København K (1)+,København Ø (1),Ost (1)")
	p.see(chipTexts, "Cost ≤ 500|København K")
	p.see(rowCount, "1")
	p.click(".chips .chip")
	p.see(rowCount, "2")
	p.see(boxes, "København K (2)+,København Ø (1),Ost (1)")
	tick("København K")
	p.bring(`[{"id": 5, "title": "five", "location": "Ost"}, {"id": 6, "title": "six", "location": "Ost"}]`)
	p.reload()
	p.click(".toggle")
	p.see(boxes, "Ost (3),København K (2),København Ø (1)") // those with most flats first
	tick("København K")
	tick("Ost")
	p.see(chipTexts, "København K|Ost")
	p.click(".chips .chip")
	p.see("location.hash", "#/?place=Ost")
	p.eval(`location.hash = "#/?place=1055+K%C3%B8benhavn+K"`)
	p.see(boxes, "Ost (3),København K (2)?,København Ø (1)")
	p.see(chipTexts, "1055 København K")
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
	// A name that is proposed for a view ends behind a filter, or else behind a word.
	for hash, want := range map[string]string{
		"cost=500..1230": "Live, Cost 500–1,230",
		"q=quiet+balcony&rooms=3..&cost=50..99&site=www.example.org": "Live, “quiet balcony”, Rooms ≥ 3, Cost 50–99",
		"tab=new&q=" + strings.Repeat("balcony+", 10):                "New, “" + strings.Repeat(" balcony", 6)[1:] + "…",
		"q=" + strings.Repeat("b", 70):                               "Live, “" + strings.Repeat("b", 52) + "…",
	} {
		p.eval("location.hash = " + encode("#/?"+hash))
		p.clickOn(`[...document.querySelectorAll(".tools button")].find(({innerText}) => innerText === "Save this view")`)
		p.see(`document.querySelector(".naming input")?.value`, want)
		p.click(".naming [type=button]")
	}
	p.checkFaults()
}

// TestPagePanel tests that the filters that everybody uses stand in one line, that the others and the places hang under
// it, that each range is one field, and that a phone shows all of them in a sheet, which moves nothing.
func TestPagePanel(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.click(".toggle")
	p.wait(`document.querySelector(".panel .several [type=checkbox]")`)
	const (
		shown = `[...document.querySelectorAll(".fields :is(label, .range, .opener) > span:first-child")]
			.filter((name) => name.checkVisibility()).map(({innerText}) => innerText).join()`
		common = "Cost,Area,Rooms,Place,First seen within"
	)
	p.see(shown, common)
	p.click(".further")
	p.see(`document.activeElement.parentElement.innerText.slice(0, 7) + " " + `+shown+`.split(",").length`, "Sort by 16")
	p.see(`document.querySelector(".panel").offsetHeight`, "32")
	p.see(`[...document.querySelectorAll(".range")].filter((range) => {
		const outer = range.getBoundingClientRect();
		const ends = [...range.querySelectorAll("input")].map((input) => input.getBoundingClientRect());
		return ends.length !== 2 || ends[0].right > ends[1].left || getComputedStyle(range).borderTopWidth !== "1px" ||
			ends.some(({left, right, top, bottom}) => left < outer.left || right > outer.right || top < outer.top ||
				bottom > outer.bottom);
	}).length`, "0")
	p.see(`document.querySelectorAll(".range").length`, "8")
	// A name and what is typed are apart.
	for _, width := range []int{1280, 900} {
		p.resize(width)
		p.see(`[...document.querySelectorAll(".range")].filter((range) => {
			const name = document.createRange();
			name.selectNodeContents(range.querySelector("span"));
			const [from] = range.querySelectorAll("input");
			const pen = document.createElement("canvas").getContext("2d");
			pen.font = "12px system-ui, sans-serif";
			const {left, width} = from.getBoundingClientRect();
			return left + (width - pen.measureText(from.placeholder).width) / 2 - name.getBoundingClientRect().right < 2;
		}).length`, "0")
	}
	p.resize(1280)
	// A range that is wrong makes nothing taller.
	p.enter("[aria-label='Rooms from']", "3")
	p.enter("[aria-label='Rooms to']", "2")
	p.wait(`document.querySelector(".trouble:not(:empty)")`)
	p.see(`document.querySelector(".panel").offsetHeight`, "32")
	p.enter("[aria-label='Rooms from']", "")
	p.enter("[aria-label='Rooms to']", "")
	// What hangs under the line leaves by Escape, which gives the focus back, and by a press elsewhere.
	const open = `[...document.querySelectorAll(".rest, .several")].filter(({hidden}) => !hidden)
		.map(({className}) => className).join()`
	p.see(open, "rest")
	p.click(".opener")
	p.see(open, "several")
	p.see(`[...document.querySelectorAll(".several label")].every(({offsetLeft}, _, [first]) =>
		offsetLeft === first.offsetLeft) + " " + document.activeElement.ariaLabel`, "true Search places")
	p.key("Escape")
	p.see(open+` + document.activeElement.className + document.activeElement.ariaExpanded`, "openerfalse")
	p.click(".further")
	p.see(open, "rest")
	p.click(".tabs a")
	p.see(open, "")
	for _, width := range []int{900, 390, 320} {
		p.resize(width)
		p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
		p.see(`[...document.querySelectorAll(".panel :is(input:not([type=checkbox]), select)")]
			.filter((control) => control.checkVisibility() && control.offsetHeight < (innerWidth < 900 ? 44 : 30)).length`, "0")
	}
	// On a phone the fields stand in pairs, and the places in one of them until it is opened.
	p.resize(390)
	p.reload()
	p.click(".toggle")
	p.wait(`document.querySelector(".panel .several [type=checkbox]")`)
	p.see(shown, "Sort by,"+common)
	p.see(`[...document.querySelectorAll(".sheet .tools > *")].map(({innerText}) => innerText).join()`,
		"Save this view,Print,CSV")
	const height = `document.querySelector(".panel").offsetHeight`
	p.see(height+` <= 932 / 2`, "true") // half of what it was
	p.see(`(() => {
		const fields = [...document.querySelectorAll(".panel :is(.fields label, .range, .further, .opener)")]
			.filter((field) => field.checkVisibility()).map((field) => field.getBoundingClientRect());
		const row = ({top}) => fields.filter((other) => Math.abs(other.top - top) < 1).length;
		const odd = fields.filter((field) => row(field) !== 2 || field.height < 44 || field.width < 140).length;
		return odd - fields.length % 2;
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
	p.click(".further")
	for _, width := range []int{320, 195} {
		p.resize(width)
		p.see(`(() => {
			const fields = [...document.querySelectorAll(".panel :is(.fields label, .range, .opener)")]
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
	p.click(".further")
	p.wait(`document.querySelector(".panel .several [type=checkbox]")`)
	p.see(`[...document.querySelectorAll(".panel :is(.fields label, .range, .opener) > span:first-child, .tools > *")]
		.filter((part) => part.checkVisibility() && (part.scrollWidth > part.clientWidth || part.offsetHeight > 44))
		.map(({innerText}) => innerText).join()`, "")
	p.checkFaults()
}

// TestPageSheet tests that no field of the filters moves on a phone while one types.
func TestPageSheet(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 390)
	p.click(".toggle")
	p.wait(`document.querySelector(".panel .several [type=checkbox]")`)
	p.click(".further")
	const places = `[...document.querySelectorAll(".sheet :is(label, .range, .opener, .tools, .done)")]
		.filter((field) => field.checkVisibility())
		.map((field) => [field.offsetTop, field.offsetWidth, field.getBoundingClientRect().top].join(" ")).join()`
	before := fmt.Sprint(p.eval(places))
	enter := func(label, text string) {
		t.Helper()
		p.eval(fmt.Sprintf("document.querySelector(`[aria-label=%q]`).focus({preventScroll: true})", label))
		p.press(text)
	}
	const cuts = `[...document.querySelectorAll(".range input")]
		.filter((input) => input.value && input.scrollWidth > input.clientWidth).length`
	enter("Cost to", "10.000.000")
	p.see(cuts, "0")
	p.wait(`location.hash.includes("cost=..10000000")`)
	enter("Area from", "x")
	p.see(`document.querySelector(".trouble:not(:empty)")?.innerText`, "This is not a number")
	p.see(places, before)
	// What is wrong covers no other field.
	p.see(`(() => {
		const trouble = document.querySelector(".trouble:not(:empty)");
		const wrong = trouble.getBoundingClientRect();
		return [...document.querySelectorAll(".sheet :is(label, .range, .opener, button)")].filter((field) => {
			const {top, bottom, left, right} = field.getBoundingClientRect();
			return field.checkVisibility() && field.parentElement !== trouble.parentElement && top < wrong.bottom &&
				bottom > wrong.top && left < wrong.right && right > wrong.left;
		}).map(({innerText}) => innerText).join();
	})()`, "")
	p.eval(`document.querySelector("[aria-label='Area from']").value = ""`)
	enter("Area from", "1")
	p.wait(`location.hash.includes("area=1..")`)
	p.see(places, before)
	// The long number has room when the filters are next opened, too.
	p.click(".done")
	p.click(".toggle")
	p.see(cuts, "0")
	p.checkFaults()
}

// TestPagePush tests that no filter pushes the list down by more than 80 pixels, however many are set, and none at all
// on a phone, and that the button of those that few people use says how many are set.
func TestPagePush(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const (
		many = "cost=1..9000&monthly=1..9000&cost_per_area=1..90&area=1..900&rooms=1..9&bedrooms=1..9&days=30&visit=no" +
			"&notes=no&photos=yes&site=example&currency=EUR&notation=1..5"
		unknown = "&unknown=monthly,notation,bedrooms,rooms,area"
		top     = `Math.round(document.querySelector(".tabs").getBoundingClientRect().top + scrollY)`
	)
	for _, width := range []int{1280, 900, 390} {
		p := openTab(t, "", "#/?tab=all", width)
		p.wait(`document.querySelector(".saved .chip") && document.querySelector(".tabs")`)
		before := p.eval(top).(float64)
		pushes := func(what string, most float64) {
			t.Helper()
			if got := p.eval(top).(float64) - before; got > most {
				t.Errorf("at %d pixels %s pushes the list by %v pixels; want at most %v", width, what, got, most)
			}
		}
		p.click(".toggle")
		p.wait(`document.querySelector(".panel [type=checkbox]")`)
		panel := 80.0
		if width < 900 {
			panel = 0
		}
		pushes("the panel", panel)
		p.click(".further")
		pushes("the rest of it", panel)
		p.eval(`document.querySelector(".sheet")?.close()`)
		p.eval("location.hash = " + encode("#/?tab=all&"+many+unknown))
		p.see(`document.querySelectorAll(".chips .chip").length`, "13")
		p.see(`document.querySelector(".further").innerText`, "More filters (9)")
		pushes("what is set", 80)
		p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
		p.checkFaults()
	}
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
			"cost_history": [{"date": null, "cost": 900}, {"date": "`+daysAgo(30)+`", "cost": 0}]},
		{"id": "b", "title": "B", "cost": null, "location": "Ost", "visit_date": "2031-01-01",
			"photos": ["https://127.0.0.1:1/x"]}]`, "", 1280)
	texts := func(selector string) string {
		return fmt.Sprintf(`[...document.querySelectorAll(%s)].map(({textContent}) => textContent).join("|")`,
			encode(selector))
	}
	for hash, cases := range map[string]map[string]string{ // by a selector
		"#/?sort=title": {"td.cost": "no price|no price"},
		"#/flat/a": {".facts .cost": "no price", ".source ~ p:not(.soft, .address)": "€900 → no price on " + dayAgo(30),
			".doubles li": "Bno price NewOstSame homeNot the same"},
		"#/triage": {".card .facts .cost": "no price"},
		"#/visits": {".day .cost": "no price", "details .where": "Ano price Ost"},
		"#/compare/a,b": {"tbody tr:nth-child(3) td": "no price|no price",
			"tbody tr:nth-child(7) td": "€900 no price " + dayAgo(30) + "|–"},
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

// TestPageSpellings tests that the page knows what people write for currencies as the service does: in the currency of a
// flat, in what is typed, and in a detail.
func TestPageSpellings(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "", 1280)
	p.load("lib/fields")
	p.load("words/format")
	p.load("words/written")
	p.eval(`window.read = one => [fields.currencyOf({currency: one}), format.parseNumber(one + " 1,850"),
		format.parseNumber("1,850" + one), format.currencyIn("1,850 " + one),
		written.amountIn(one + " 1,850")?.currency, written.amountIn("1,850.– " + one)?.currency].join()`)
	for code, list := range listing.CurrencySpellings() {
		for written := range strings.FieldsSeq(list) {
			want := strings.Join([]string{code, "1850", "1850", code, code, code}, ",")
			if got := p.eval("read(" + encode(written) + ")"); got != want {
				t.Errorf("%s: got %v; want %s", written, got, want)
			}
		}
	}
	for _, written := range []string{"5 km", "120 ft", "12", "EUR 5 USD", "about 5"} {
		if got := p.eval("written.amountIn(" + encode(written) + ")"); got != nil {
			t.Errorf("%q is read as %v; want no amount", written, got)
		}
	}
}

// TestPageCurrencies tests that sorted by cost the flats of the currency that most have come first.
func TestPageCurrencies(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "A", "cost": 5, "currency": "CHF"}, {"id": "b", "title": "B", "cost": 900,
		"currency": "EUR"}, {"id": "c", "title": "C", "cost": 700, "currency": "EUR"}, {"id": "d", "title": "D"}]`,
		"#/?sort=cost", 1280)
	p.see(column("cost", 4), "€700|€900|CHF\u00a05|no price")
	p.eval(`location.hash = "#/?sort=-cost"`)
	p.see(column("cost", 4), "€900|€700|CHF\u00a05|no price")
	p.checkFaults()
}
