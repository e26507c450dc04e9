// Tests of the way of each person: columns, filters and orders.

package web

import (
	"path/filepath"
	"testing"
)

// TestPageWays tests that the list has the minutes of each person with places of their own, and filters and sorts by
// each person's and by the longest.
func TestPageWays(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const config = `{"people": ["Ann", "Ben"], "constraints": {"home": {"time_to": {
		"lab": {"gps": [48.1, 11.5], "mode": "WALK", "person": "Ann"},
		"shop": {"gps": [48.2, 11.6], "mode": "WALK", "person": "Ben"}}}}}`
	way := func(id, ann, ben string) string { // the seconds of both ways
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
	p.answerWho("Ann")
	p.test("as columns, by which the heads sort", func() {
		p.see(wayHeads, "Ann,Ben")
		p.see(wayCells, "Attic 13 min 1 h 09!|Barn 30 min! 10 min|Castle") // "!" is at the longest of a flat
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

// TestPageWaysTooLong tests that ways that take longer than the bound of their place or a filter allows stand out in
// every view, in colour and in words, and hide no flat.
func TestPageWaysTooLong(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const config = `{"people": ["Ann", "Ben"], "constraints": {"home": {"time_to": {
		"lab": {"gps": [48.1, 11.5], "mode": "WALK", "person": "Ann", "time": [0, 1800]},
		"shop": {"gps": [48.2, 11.6], "mode": "WALK", "person": "Ben"}}}}}`
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "config.json"), config)
	writeFile(t, filepath.Join(dir, "flats.json"), `[
		{"id": "Attic", "title": "Attic", "service_constraint": "home", "status": "followed",
			"service_time_to": {"lab": {"time": 1860}, "shop": {"time": 4140}}},
		{"id": "Barn", "title": "Barn", "service_constraint": "home",
			"service_time_to": {"lab": {"time": 1800}, "shop": {"time": 600}}}]`)
	p := &tab{browser: openBrowser(t), t: t}
	p.url = startIn(t, dir)
	p.open("#/?sort=travel.Ann", 1280)
	p.answerWho("Ann")
	const attic = "31 min (longer than 30 min)"
	p.test("the list marks the way that is too long", func() { p.see(waysTooLong, attic) })
	p.test("a filter marks ways that are longer than it allows", func() {
		p.typeHash("#/?travel_time=..40&sort=travel.Ann")
		p.see(waysTooLong, attic+"|1 h 09 (longer than 40 min)")
		p.see(rowCount, "2")
		p.typeHash("#/?sort=travel.Ann")
	})
	p.test("a flat marks the way that is too long", func() {
		p.typeHash("#/flat/Attic")
		p.see(waysTooLong, attic)
	})
	p.test("Compare marks the way that is too long", func() {
		p.typeHash("#/compare/Attic,Barn")
		p.see(waysTooLong, attic)
	})
	p.test("Triage does not mark a way of exactly the longest time", func() {
		p.typeHash("#/triage")
		p.see(text(".card h2"), "Barn")
		p.see(waysTooLong, "")
	})
	p.test("a card marks only the minutes of the way that is too long", func() {
		p.typeHash("#/")
		p.resize(390)
		p.see(waysTooLong, "31") // of "31 / 69 min"
		p.see(wayForScreenReaders, "Ann 31 min (longer than 30 min), Ben 1 h 09")
	})
	p.checkFaults()
}

// TestPageWaysInOrder tests that a flat and Triage show the places by person and then by name, however long each way
// is.
func TestPageWaysInOrder(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const config = `{"people": ["Zoe", "Ann"], "constraints": {"home": {"time_to": {
		"a school": {"gps": [48.1, 11.5], "mode": "WALK", "person": "Ann"},
		"work": {"gps": [48.2, 11.6], "mode": "WALK", "person": "Zoe"},
		"lab": {"gps": [48.2, 11.6], "mode": "WALK", "person": "Zoe"}}}}}`
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "config.json"), config)
	writeFile(t, filepath.Join(dir, "flats.json"), `[
		{"id": "Attic", "title": "Attic", "service_constraint": "home", "date": "2026-02-02",
			"service_time_to": {"a school": {"time": 60}, "work": {"time": 120}, "lab": {"time": 180}}},
		{"id": "Barn", "title": "Barn", "service_constraint": "home", "date": "2026-02-01", "gps": [48.1, 11.5],
			"service_time_to": {"work": {"time": 60}, "a school": {"time": 180}}}]`)
	p := &tab{browser: openBrowser(t), t: t}
	p.url = startIn(t, dir)
	p.open("#/flat/Attic", 1280)
	p.answerWho("Zoe")
	const inOrder = "lab,work,a school"
	p.see(placesOfWays, inOrder)
	p.typeHash("#/triage")
	p.see(cardTitle+` + " " + `+placesOfWays, "Attic "+inOrder)
	p.press("x")
	p.see(cardTitle+` + " " + `+placesOfWays, "Barn "+inOrder)
	p.checkFaults()
}
