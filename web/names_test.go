// A test of names that every object of JavaScript inherits.

package web

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// TestPageInherited tests that statuses, places, sites, details, currencies, travel times, views and people may have
// names that every object inherits, and are shown, counted and compared like any others.
func TestPageInherited(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	inherited := []string{"__proto__", "constructor", "toString"}
	var flats []string
	for i, name := range inherited {
		// The next flat has the other names, so that Compare looks up each name in a flat without it.
		other := inherited[(i+1)%len(inherited)]
		flats = append(flats, fmt.Sprintf(`{"id": "%[1]s@%[1]s", "title": "Flat %[1]s", "status": "%[1]s",
			"location": "%[1]s", "currency": "%[1]s", "cost": 700, "area": 70, "service_constraint": "%[1]s",
			"details": {"%[1]s": "said by %[1]s"}, "gps": [45.75, 4.85], "notation": 3, "ratings": {"%[2]s": 3},
			"service_time_to": {"%[1]s": {"time": 600}, "%[2]s": {"time": 1200}}}`, name, other))
	}
	p := &tab{browser: openBrowser(t), t: t}
	p.url = start(t, "["+strings.Join(flats, ",")+"]", `"people": `+encode(inherited))
	p.open("#/?tab=all&sort=title", 1280)
	p.answerWho("constructor")
	p.see(rowCount, "3")
	p.test("as statuses and tabs", func() {
		p.see(tabTexts, "Live 3|To sort 0|Changed 0|Shortlist 0|For me 0|__proto__ 1|constructor 1|toString 1|All 3")
		for _, name := range inherited {
			p.typeHash("#/?" + url.Values{"tab": {"is:" + name}}.Encode())
			p.see(rowCount+` + " " + `+currentTab, "1 "+name+" 1")
			p.typeHash("#/?tab=" + name) // no tab's name, so that the page takes it for "is:" and a status
			p.see(currentTab, name[len("is:"):]+" 0")
			p.see(rowCount, "0")
			p.typeHash("#/?tab=for:" + name)
			whom := name
			if name == "constructor" { // who uses the page
				whom = "me"
			}
			p.see(currentTab, "For "+whom+" 0")
		}
	})
	openInherited(p, inherited)
	p.checkFaults()
}

// openInherited tests the other things that may have such names, and the views that show them.
func openInherited(p *tab, inherited []string) {
	p.typeHash("#/?tab=all&sort=title")
	p.see(rowCount, "3")
	p.click(filtersButton)
	p.test("as places", func() { p.see(placesOffered, "__proto__ (1)|constructor (1)|toString (1)") })
	p.test("as saved views", func() {
		for _, name := range inherited {
			p.saveView(name)
			p.wait("!" + isThere(viewName))
		}
		p.see(savedViewNames, "__proto__|constructor|toString")
	})
	p.test("as places that one goes to, and as details", func() {
		for i, name := range inherited {
			other := inherited[(i+1)%len(inherited)]
			p.typeHash("#/flat/" + name + "%40" + name)
			p.see(waysOfFlat, strings.Join(slices.Sorted(slices.Values([]string{name + " 10 min", other + " 20 min"})), "|"))
			p.wait(mainWords + `.includes("said by ` + name + `")`)
		}
	})
	p.test("side by side", func() {
		p.typeHash("#/compare/__proto__%40__proto__,constructor%40constructor,toString%40toString")
		for _, want := range []string{"Constructor|–|said by constructor|–", "To string|–|–|said by toString"} {
			p.wait(comparedLines + `.includes(` + encode(want) + `)`)
		}
	})
	for _, hash := range []string{"#/prices", "#/map", "#/visits", "#/duplicates", "#/triage?tab=all"} {
		p.test("at "+hash, func() { p.goTo(hash, "h1") })
	}
}
