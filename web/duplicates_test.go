// Tests of Duplicates.

package web

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math/rand/v2"
	"strings"
	"testing"
)

// openDuplicates opens three groups of listings that may be one home: by their place, by their phone and link, and by
// their photo.
func openDuplicates(t *testing.T) *tab {
	t.Helper()
	return openTab(t, `[
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
}

// The groups of openDuplicates, as groupsInWords has them. In unticked no flat of the first group is ticked, in ticked
// all are.
const (
	groupByPhone = "Same phone, similar cost and area, same place, same link: U1+! U2+ U3+ U4"
	otherGroups  = "; " + groupByPhone + "; Same photo: P1! P2"
	unticked     = "Same place, similar cost and area: Old Mine <i>Seven" + otherGroups
	ticked       = "Same place, similar cost and area: Old+ Mine+! <i>Seven+" + otherGroups
)

// seeStored waits until the service has a status, merged_ids and not_duplicates of <i>Seven, Mine and Old: the first
// three of all flats, sorted by title. The six others stay as they were.
func (p *tab) seeStored(want string) {
	p.t.Helper()
	p.see(`fetch("api/v1/flats?sort=title").then((answer) => answer.json())
		.then(({data}) => data.map(({status, merged_ids, not_duplicates}) =>
		[status, JSON.stringify(merged_ids), JSON.stringify(not_duplicates)].join(" ")).join("; "))`,
		want+"; new null ; new null ; new null ; new null ; new null ; new null ")
}

// TestPageDuplicates tests what the groups of probable duplicates show.
func TestPageDuplicates(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openDuplicates(t)
	p.test("flats are ticked for which a photo, the phone or the listing speaks", func() {
		p.see(groupsInWords, unticked)
	})
	p.test("a group in which nothing speaks for it says what to do, and has no next step", func() {
		p.see(disabledInFirstGroup, "true,false")
		p.see(groupHints, "Tick the flats that are the same home.; ; ")
		p.see(coloursInFirstGroup, "1")
	})
	p.test("two groups stand in a row of a wide window", func() { p.see(groupsPaired, "true") })
	p.test("facts that differ within a group are tinted", func() {
		p.see(differences, "€800,46 m²,€800 incl. utilities,46 m²,€801,46.2 m²||")
		p.see(differenceIsTinted, "true")
	})
	p.test("a cost with its utilities is one line", func() { p.see(groupCostHeight+" < 30", "true") })
	p.test("where no flat of a group has a photo, there is no room for one", func() { p.see(photosInGroups, "0,0,2") })
	p.resize(320)
	p.test("on a phone the box leaves the title the whole width of its column", func() {
		p.see(narrowHomeCount, "0")
		p.see(fitsAcross, "true")
	})
}

// TestPageDuplicatesTitles tests that two flats stand whole beside each other, and their titles at one height, however
// long these are.
func TestPageDuplicatesTitles(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": 1, "title": "Short", "photos": ["https://127.0.0.1:1/1"]},
		{"id": 2, "title": "`+strings.Repeat("Long ", 30)+`", "photos": ["https://127.0.0.1:1/1"]}]`, "#/duplicates", 1280)
	for _, width := range []int{1280, 390, 320} {
		p.resize(width)
		p.see(titleHeightsOfGroups, "1")
		p.see(pairScrolls, "false")
	}
}

// TestPageDuplicatesSame tests "Same home".
func TestPageDuplicatesSame(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openDuplicates(t)
	p.see(groupsInWords, unticked)
	p.test("ticking chooses the flat with most of one's own work", func() {
		for i := 1; i <= 3; i++ {
			p.click(homeBox(i))
		}
		p.see(groupsInWords, ticked)
		p.see(groupHints, "; ; ")
	})
	p.test("a group keeps its ticks and its choice while another one is decided", func() {
		p.click(homeOfSecondGroup(2))
		p.click(boxOfSecondGroup(1))
		p.click(sameHome)
		p.see(groupsInWords, "Same phone, similar cost and area, same place, same link: U1 U2+! U3+ U4; Same photo: P1! P2")
	})
	p.test("the chosen flat gets the ids of the others, which become duplicates", func() {
		p.seeStored(`duplicate null ; new ["former@x","old@x",7] ; duplicate null `)
	})
	p.test("one Undo takes back the choice and the duplicates", func() {
		p.press("u")
		p.see(groupsInWords, strings.Replace(ticked, "U1+! U2+ U3+", "U1 U2+! U3+", 1))
		p.seeStored(`new null ; new ["former@x"] ; new null `)
	})
	p.test("a group of two has no boxes, and one press settles it", func() {
		p.see(pairControls, "Same home,Not the same,Compare")
		p.click(pairButton(1))
		p.seeFlat("p2", "status", "duplicate")
		p.seeFlat("p1", "merged_ids", "p2")
		p.press("u")
		p.seeFlat("p2", "status", "new")
		p.see(pairControls, "Same home,Not the same,Compare")
		p.click(pairButton(2))
		p.seeFlat("p2", "not_duplicates", "p1")
		p.press("u")
	})
	p.test("which flat of a group of two is kept can be chosen, too", func() {
		p.see(pairControls, "Same home,Not the same,Compare")
		p.click(keepOfPair(2))
		p.click(pairButton(1))
		p.seeFlat("p1", "status", "duplicate")
		p.seeFlat("p2", "merged_ids", "p1")
	})
}

// TestPageDuplicatesNot tests "Not the same".
func TestPageDuplicatesNot(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openDuplicates(t)
	p.see(groupsInWords, unticked)
	p.test("ticked flats are kept apart from each other, and unticked ones with each", func() {
		p.click(homeBox(2))
		p.click(homeBox(3))
		p.click(notTheSame)
		p.see(groupsInWords, "Same place, similar cost and area: Old Mine!"+otherGroups)
		p.press("n")
		p.see(groupsInWords, "Same place, similar cost and area: Old! <i>Seven"+otherGroups)
		p.press("n")
		p.see(groupsInWords, otherGroups[2:])
	})
	p.test("flats kept apart are stored as such, and not proposed again", func() {
		p.reload()
		p.see(groupsInWords, otherGroups[2:])
		p.seeStored(`new null ["mine@x","old@x"]; new ["former@x"] [7,"old@x"]; new null ["mine@x",7]`)
	})
	p.test("Compare adds a group to what was chosen before, and takes nothing away", func() {
		p.choose("old@x", "u1")
		p.see(groupsInWords, otherGroups[2:])
		p.click(compareGroup)
		p.wait(isThere(sideBySide))
		p.see(hash, "#/compare/old%40x,u1,u2,u3,u4")
		p.goBack()
		p.see(groupsInWords, otherGroups[2:])
	})
}

// TestPageDuplicatesNone tests that "Not the same" keeps all flats of a group apart where none is ticked.
func TestPageDuplicatesNone(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openDuplicates(t)
	p.see(groupsInWords, unticked)
	p.click(notTheSame)
	p.see(groupsInWords, otherGroups[2:])
	p.seeStored(`new null ["old@x","mine@x"]; new ["former@x"] ["old@x",7]; new null ["mine@x",7]`)
}

// TestPageDuplicatesLinks tests that flats are ticked if their links lead to the same listing, however they are spelt,
// or have its number.
func TestPageDuplicatesLinks(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const home = `"cost": 700, "area": 40, "location": "Ost", "title": `
	p := openTab(t, `[{`+home+`"A", "id": "a", "urls": ["https://www.immo.de/expose/12345678"]},
		{`+home+`"B", "id": "b", "urls": ["https://immo.de/expose/12345678/"]},
		{`+home+`"C", "id": 3, "urls": ["http://immo.de/expose/12345678?utm_source=mail"]},
		{`+home+`"D", "id": "d", "urls": ["https://immo.de/expose/87654321"]}]`, "#/duplicates", 1280)
	p.see(groupsInWords, "Links to one listing, same place, similar cost and area, same link: A+! B+ C+ D")
	p.click(sameHome)
	p.seeFlat("3", "status", "duplicate")
	p.seeFlat("d", "status", "new")
}

// photoOf draws a room, which a number names, as a JPEG of a quality.
func photoOf(number uint64, quality int) string {
	random := rand.New(rand.NewPCG(number, 2))
	room := image.NewGray(image.Rect(0, 0, 160, 120))
	for range 40 {
		left, top, shade := random.IntN(160), random.IntN(120), uint8(random.IntN(256))
		for y := top; y < min(120, top+10+random.IntN(40)); y++ {
			for x := left; x < min(160, left+40); x++ {
				room.SetGray(x, y, color.Gray{Y: shade})
			}
		}
	}
	var b bytes.Buffer
	jpeg.Encode(&b, room, &jpeg.Options{Quality: quality})
	return b.String()
}

// TestPageDuplicatesPictures tests that flats are ticked if their kept photos show the same, although each site has
// encoded the photos anew, under addresses of its own.
func TestPageDuplicatesPictures(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	address := func(name string) string { return "https://127.0.0.1:1/" + name }
	home := func(id string) object {
		return object{"id": id, "title": strings.ToUpper(id), "status": "followed", "cost": 700, "area": 40,
			"location": "Ost", "photos": []string{address(id)}, "kept_photos": []object{keptPhoto(address(id))}}
	}
	url, _ := startKeeping(t, `{"keep_photos": true}`, []object{home("a"), home("b"), home("c")}, map[string]string{
		address("a"): photoOf(1, 90), address("b"): photoOf(2, 90), address("c"): photoOf(1, 50)})
	p := &tab{browser: openBrowser(t), t: t, url: url}
	p.open("", 1280)
	p.checkAtEnd()
	p.see(`fetch("api/v1/duplicates").then((answer) => answer.json())
		.then(({data}) => JSON.stringify(data[0].same_photos))`, `["a","c"]`)
	p.test("flats with the same pictures are ticked", func() {
		p.typeHash("#/duplicates")
		p.see(groupsInWords, "Same photo, same place, similar cost and area: A+! B C+")
	})
	p.test("one press settles flats with the same pictures", func() {
		p.click(sameHome)
		p.seeFlat("c", "status", "duplicate")
		p.seeFlat("b", "status", "followed")
	})
}

// TestPageDuplicatesPresses tests that groups of two take one press each.
func TestPageDuplicatesPresses(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const pairs = 18
	var flats, left []string
	for i := range pairs {
		flats = append(flats, fmt.Sprintf(`{"id": "a%[1]d", "title": "A%[1]d", "photos": ["https://127.0.0.1:1/%[1]d"]},
			{"id": "b%[1]d", "title": "B%[1]d", "photos": ["https://127.0.0.1:1/%[1]d"]}`, i))
		left = append(left, fmt.Sprintf("Same photo: A%[1]d! B%[1]d", i))
	}
	// Nothing but the place speaks for the last pair.
	flats = append(flats, fmt.Sprintf(`{"id": "a%[1]d", "title": "A%[1]d", "cost": 800, "area": 46, "location": "Ost"},
			{"id": "b%[1]d", "title": "B%[1]d", "cost": 800, "area": 46, "location": "Ost"}`, pairs))
	left = append(left, fmt.Sprintf("Same place, similar cost and area: A%[1]d! B%[1]d", pairs))
	p := openTab(t, "["+strings.Join(flats, ",")+"]", "#/duplicates", 390)
	for i := range left {
		p.see(groupsInWords, strings.Join(left[i:], "; "))
		p.click(sameHome)
	}
	p.see(groupsInWords, "")
	for i := range left {
		p.seeFlat(fmt.Sprint("b", i), "status", "duplicate")
	}
}
