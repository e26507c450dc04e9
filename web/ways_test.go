// Tests of the way of each person: columns, filters and orders.

package web

import (
	"path/filepath"
	"testing"
)

// TestPageWays tests that the list has the minutes of each person whose places are their own, and filters and sorts by
// each and by the longest.
func TestPageWays(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const config = `{"people": ["Ann", "Ben"], "constraints": {"home": {"time_to": {
		"lab": {"gps": [48.1, 11.5], "mode": "WALK", "person": "Ann"},
		"shop": {"gps": [48.2, 11.6], "mode": "WALK", "person": "Ben"}}}}}`
	way := func(id, ann, ben string) string {
		return `{"id": "` + id + `", "title": "` + id + `", "service_constraint": "home", "service_time_to": {
			"lab": {"time": ` + ann + `}, "shop": {"time": ` + ben + `}}}`
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "config.json"), config)
	writeFile(t, filepath.Join(dir, "flats.json"), "["+way("Attic", "780", "4140")+","+way("Barn", "1800", "600")+","+
		`{"id": "Castle", "title": "Castle"}]`)
	p := &tab{browser: openBrowser(t), t: t}
	p.url = startIn(t, dir)
	p.open("#/?sort=travel.Ann", 1280)
	p.be("Ann")
	p.test("as columns, by which the heads sort", func() {
		p.see(wayHeads, "Ann,Ben")
		p.see(wayCells, "Attic 13 min 1 h 09!|Barn 30 min! 10 min|Castle")
		p.clickOn(wayHead("Ben"))
		p.see(hash, "#/?sort=travel.Ben")
		p.see(wayCells, "Barn 30 min! 10 min|Attic 13 min 1 h 09!|Castle")
	})
	p.test("as filters", func() {
		p.typeHash("#/?travel.Ben=..20&sort=travel.Ben")
		p.see(wayCells, "Barn 30 min! 10 min")
		p.see(text(firstChip), "Travel time of Ben ≤ 20 min")
		p.typeHash("#/?travel_longest=60..")
		p.see(wayCells, "Attic 13 min 1 h 09!")
		p.see(text(firstChip), "Longest travel time ≥ 60 min")
	})
	p.test("on a phone in one line of a card", func() {
		p.resize(390)
		p.see(wayInCard, "13 / 69 min")
	})
	p.checkFaults()
}
