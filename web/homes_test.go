// Tests of probable duplicates where a flat shows.

package web

import (
	"fmt"
	"testing"
)

// openHomes opens Triage at the flat N. It is probably the same home as Seven, which was dismissed, and as C, which is
// contacted and has a former listing. M and Z are probably one home, too.
func openHomes(t *testing.T, hash string) *tab {
	t.Helper()
	const same = `"cost": 800, "currency": "EUR", "area": 46, "location": "Ost"`
	return openTab(t, fmt.Sprintf(`[
		{"id": "n", "title": "N", "date": "2026-02-05", %[1]s},
		{"id": 7, "title": "Seven", "date": "2026-02-04", %[1]s, "status": "ignored", "status_since": %[2]q},
		{"id": "c", "title": "C", "date": "2026-02-03", %[1]s, "status": "contacted", "merged_ids": ["former"]},
		{"id": "m", "title": "M", "date": "2026-02-02", "cost": 500, "area": 20, "location": "West"},
		{"id": "z", "title": "Z", "date": "2026-02-01", "cost": 500, "area": 20, "location": "West",
			"photos": ["data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='3' height='2'/>"]}]`,
		same, daysAgo(20)), hash, 1280)
}

// seeHomes waits until each flat has a status, merged_ids and not_duplicates.
func (p *tab) seeHomes(want string) {
	p.t.Helper()
	p.see(`fetch("api/v1/flats?sort=title").then((answer) => answer.json()).then(({data}) => data.map((flat) =>
		[flat.id, flat.status, JSON.stringify(flat.merged_ids), JSON.stringify(flat.not_duplicates ?? null)].join(" "))
		.join("; "))`, want)
}

// homesUndecided are the flats of openHomes as seeHomes sees them.
const homesUndecided = `c contacted ["former"] null; m new null null; n new null null; 7 ignored null null; ` +
	"z new null null"

// TestPageHomes tests deciding on probable duplicates in Triage.
func TestPageHomes(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openHomes(t, "#/triage")
	const both = "no photo Seven €800 Dismissed; no photo C €800 Contacted"
	p.test("a new flat that is probably one that was dismissed says so first", func() {
		p.see(titleShown, "N")
		p.see(doubleHomes, both)
		p.see(likeLine, "Like one that you dismissed on "+dayAgo(20))
		p.see(firstFactClass, "like")
	})
	p.test("Not the same is stored in both, and nothing speaks of it any more", func() {
		p.settleHomes("Not the same: Seven")
		p.see(doubleHomes, "no photo C €800 Contacted")
		p.see(likeLine, "")
		p.seeHomes(`c contacted ["former"] null; m new null null; n new null [7]; 7 ignored null ["n"]; z new null null`)
	})
	p.test("Undo says again that they may be", func() {
		p.press("u")
		p.see(doubleHomes, both)
		p.seeHomes(homesUndecided)
	})
	p.test("Same home keeps the dismissed one, though the new one is newer", func() {
		p.settleHomes("Same home: Seven")
		p.see(titleShown, "M")
		p.see(notice, "Seven: Same home")
		p.seeHomes(`c contacted ["former"] null; m new null null; n duplicate null null; 7 ignored ["n"] null; ` +
			"z new null null")
	})
	p.test("one Undo takes back \"Same home\"", func() {
		p.press("u")
		p.see(titleShown, "N")
		p.seeHomes(homesUndecided)
	})
	joinContacted(p)
}

// TestPageHomesOfOthers tests that a new flat says who dismissed the same home before.
func TestPageHomesOfOthers(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	flats := fmt.Sprintf(`[{"id": "n", "title": "N", "cost": 800, "area": 46, "location": "Ost"},
		{"id": "b", "title": "B", "cost": 800, "area": 46, "location": "Ost", "status": "ignored",
			"status_since": %[1]q, "status_by": "Ben"},
		{"id": "m", "title": "M", "cost": 500, "area": 20, "location": "West"},
		{"id": "a", "title": "A", "cost": 500, "area": 20, "location": "West", "status": "ignored",
			"status_since": %[1]q, "status_by": "Ann"}]`, daysAgo(20))
	p := &tab{browser: openBrowser(t), t: t, url: start(t, flats, `"people": ["Ann", "Ben"]`)}
	p.open("#/flat/n", 1280)
	p.checkAtEnd()
	p.answerWho("Ann")
	p.test("a flat dismissed by another person names that person", func() {
		p.see(likeLine, "Like one that Ben dismissed")
	})
	p.test("a flat that one dismissed oneself says \"you\"", func() {
		p.typeHash("#/flat/m")
		p.see(likeLine, "Like one that you dismissed on "+dayAgo(20))
	})
}

// joinContacted joins the flat with one that was contacted.
func joinContacted(p *tab) {
	p.test("Same home keeps the contacted one with its former listings", func() {
		p.settleHomes("Same home: C")
		p.see(titleShown, "M")
		p.seeHomes(`c contacted ["former","n"] null; m new null null; n duplicate null null; 7 ignored null null; ` +
			"z new null null")
		p.see(triageProgress, "2 left · 1 done")
	})
	p.test("each probable duplicate stands in Triage with its photo", func() { p.see(doubleHomes, "photo Z 500 To sort") })
}

// TestPageHomesInFlat tests deciding on probable duplicates in the view of a flat.
func TestPageHomesInFlat(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openHomes(t, "#/flat/m")
	// fields waits until M and Z have a status, merged_ids and not_duplicates.
	fields := func(m, z string) {
		p.t.Helper()
		p.seeHomes(`c contacted ["former"] null; m ` + m + `; n new null null; 7 ignored null null; z ` + z)
	}
	p.test("probable duplicates stand in the view of a flat", func() {
		p.see(doubleHomes, "photo Z 500 To sort")
		p.see(likeLine, "")
	})
	p.test("Same home keeps the older flat", func() {
		p.settleHomes("Same home: Z")
		p.see(doubleHomes, "")
		fields("duplicate null null", `new ["m"] null`)
	})
	p.test("the duplicate leads to the kept flat, after a reload, too", func() {
		p.see(likeLine, "Duplicate of Z")
		p.reload() // the page does not know yet which flat was kept
		p.see(likeLine, "Duplicate of Z")
		p.click(likeLink)
		p.see(titleShown, "Z")
		p.goBack()
		p.see(likeLine, "Duplicate of Z")
	})
	p.test("a flat is no duplicate any more once its status is taken back", func() {
		p.setStatus("new")
		p.see(likeLine, "")
		fields("new null null", `new ["m"] null`)
	})
	p.test("Not the same is stored in both", func() {
		p.changeElsewhere("z", `{"merged_ids": null}`)
		p.see(doubleHomes, "photo Z 500 To sort")
		p.settleHomes("Not the same: Z")
		p.see(doubleHomes, "")
		fields(`new null ["z"]`, `new null ["m"]`)
	})
}

// TestPageMergedList tests that a change of a list keeps what others have added to it and removed from it.
func TestPageMergedList(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "", 1280)
	p.load("lib/lists")
	for lists, want := range map[string]string{ // now, before, set
		`["a","b"], ["a"], ["c"]`: `["c","b"]`,
		`[], ["a","b"], ["a"]`:    `[]`, // others have removed both
		`["a"], ["a"], null`:      `null`,
		`"a", ["a"], []`:          `[]`,
		`null, null, ["x"]`:       `["x"]`,
		`["b"], ["a"], ["a","c"]`: `["b","c"]`,
		`[1,{"u":1}], [1], ["1"]`: `[1,{"u":1}]`, // texts compare
	} {
		if got := fmt.Sprint(p.eval("JSON.stringify(lists.mergedList(" + lists + "))")); got != want {
			t.Errorf("mergedList(%s) = %s; want %s", lists, got, want)
		}
	}
}
