// A test of names that every object of JavaScript inherits.

package web

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// TestPageInherited tests that statuses, places, sites, details, currencies, travel times, views and people may have
// the names of what every object inherits, and that each of these is shown, counted and compared as any other.
func TestPageInherited(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	inherited := []string{"__proto__", "constructor", "toString"}
	var flats []string
	for i, name := range inherited {
		// The flat after it has the others' names, so that Compare looks each of them up in a flat without it.
		other := inherited[(i+1)%len(inherited)]
		flats = append(flats, fmt.Sprintf(`{"id": "%[1]s@%[1]s", "title": "Flat %[1]s", "status": "%[1]s",
			"location": "%[1]s", "currency": "%[1]s", "cost": 700, "area": 70, "service_constraint": "%[1]s",
			"details": {"%[1]s": "said by %[1]s"}, "gps": [45.75, 4.85], "notation": 3, "ratings": {"%[2]s": 3},
			"service_time_to": {"%[1]s": {"time": 600}, "%[2]s": {"time": 1200}}}`, name, other))
	}
	p := &tab{browser: openBrowser(t), t: t}
	p.url = start(t, "["+strings.Join(flats, ",")+"]", `"people": `+encode(inherited))
	p.open("#/?tab=all&sort=title", 1280)
	p.be("constructor")
	p.see(rowCount, "3")
	p.see(tabTexts, "Live 3|New 0|Changed 0|Shortlist 0|For me 0|__proto__ 1|constructor 1|toString 1|All 3")
	for _, name := range inherited {
		p.eval(`location.hash = "#/?` + url.Values{"tab": {"is:" + name}}.Encode() + `"`)
		p.see(rowCount+` + " " + document.querySelector(".tabs [aria-current]").innerText.trim()`, "1 "+name+" 1")
		p.eval(`location.hash = "#/?tab=` + name + `"`) // no tab's name
		p.see(currentTab, name[len("is:"):]+" 0")
		p.see(rowCount, "0")
		p.eval(`location.hash = "#/?tab=for:` + name + `"`)
		p.see(currentTab,
			map[bool]string{true: "For me 0", false: "For " + name + " 0"}[name == "constructor"])
	}

	p.typeHash("#/?tab=all&sort=title")
	p.see(rowCount, "3")
	p.click(filtersButton)
	p.see(`[...document.querySelectorAll(".panel .boxes label")].map((label) => label.innerText.trim()).join("|")`,
		"__proto__ (1)|constructor (1)|toString (1)")
	for _, name := range inherited {
		p.click(saveThisView)
		p.enter(viewName, name)
		p.click(saveName)
		p.wait(`!document.querySelector(".naming")`)
	}
	p.see(chips, "__proto__|constructor|toString")

	for i, name := range inherited {
		other := inherited[(i+1)%len(inherited)]
		p.eval(`location.hash = "#/flat/" + encodeURIComponent("` + name + "@" + name + `")`)
		p.see(`[...document.querySelectorAll("main .pairs div")].map((pair) => pair.innerText.replace(/\s+/g, " ").trim())
			.filter((pair) => / min$/.test(pair)).join("|")`, name+" 10 min|"+other+" 20 min")
		p.wait(fmt.Sprintf(`document.querySelector("main").innerText.includes("said by %s")`, name))
	}
	p.typeHash("#/compare/__proto__%40__proto__,constructor%40constructor,toString%40toString")
	const line = `[...document.querySelectorAll(".side-by-side tr")].map((row) =>
		row.innerText.trim().replace(/\s*\t\s*/g, "|").replace(/\s+/g, " "))`
	for _, want := range []string{"Constructor|–|said by constructor|–", "To string|–|–|said by toString"} {
		p.wait(line + `.includes(` + encode(want) + `)`)
	}
	for _, hash := range []string{"#/prices", "#/map", "#/visits", "#/duplicates", "#/triage?tab=all"} {
		p.goTo(hash, "h1")
	}
	p.checkFaults()
}
