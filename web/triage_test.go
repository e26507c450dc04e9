// Tests of Triage.

package web

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// triageFlats returns n flats, the newest first, with further fields given as JSON.
func triageFlats(n int, fields string) string {
	var flats []string
	for i := range n {
		flats = append(flats, fmt.Sprintf(`{"id": "%d", "title": "Flat %[1]d", "date": "2026-01-%02d", "cost": %d, %s}`,
			i, 30-i, 500+100*i, fields))
	}
	return "[" + strings.Join(flats, ",") + "]"
}

// pileAndCard has the numbers of flats left and done, and the title of the card: "28 left · 2 done: Flat 2".
const pileAndCard = triageProgress + `+ ": " +` + cardTitle

// TestPageTriage tests the keys of Triage.
func TestPageTriage(t *testing.T) {
	t.Parallel()
	p := openTab(t, triageFlats(30, `"text": "A balcony.",
		"photos": ["https://127.0.0.1:1/1.jpg", "https://127.0.0.1:1/2.jpg"]`), "#/triage?q=balcony", 1280)
	p.see(pileAndCard, "30 left: Flat 0")
	place := p.eval(decidePlace)
	p.test("the words of the search are marked", func() {
		p.see(markedWord, "balcony")
	})
	p.test("the arrow turns the photos", func() {
		p.key("ArrowRight")
		p.see(photoNumber, "2 / 2")
	})
	p.test("4 rates and f follows the flat that is seen, and shows the next one", func() {
		p.press("4f")
		p.see(pileAndCard, "29 left · 1 done: Flat 1")
		p.seeFlat("0", "status", "followed")
		p.seeFlat("0", "notation", "4")
	})
	p.test("x dismisses, and s skips", func() {
		p.press("x")
		p.see(cardTitle, "Flat 2")
		p.press("s")
		p.see(pileAndCard, "28 left · 2 done: Flat 3")
	})
	p.test("what is decided in the flat that o opens leaves the pile", func() {
		p.press("o")
		p.see(heading, "Flat 3")
		p.press("x")
		p.wait(dismissPressed + ` === "true"`)
		p.goBack()
		p.see(pileAndCard, "27 left · 3 done: Flat 4")
	})
	takeBackAll(p)
	p.test("the buttons have stayed in their place", func() {
		p.see(decidePlace, fmt.Sprint(place))
	})
}

// takeBackAll takes back four decisions and a rating, and goes through the pile.
func takeBackAll(p *tab) {
	p.test("u takes back each of it, skips and ratings too", func() {
		p.press("u")
		p.see(cardTitle, "Flat 3")
		p.press("u")
		p.see(pileAndCard, "28 left · 2 done: Flat 2")
		p.press("u")
		p.see(cardTitle, "Flat 1")
		p.press("u")
		p.see(pileAndCard, "30 left: Flat 0")
		p.press("u")
		p.see(litStarCount, "0")
	})
	p.test("skipped ones come back at the end, and none is left out", func() {
		p.press("s")
		for i := 1; i < 30; i++ {
			p.see(cardTitle, fmt.Sprint("Flat ", i))
			p.press("x")
		}
		p.see(pileAndCard, "1 left · 29 done: Flat 0")
	})
}

// TestPageTriageSwipe tests Triage by a finger.
func TestPageTriageSwipe(t *testing.T) {
	t.Parallel()
	p := openTab(t, triageFlats(1, `"photos": ["https://127.0.0.1:1/1.jpg", "https://127.0.0.1:1/2.jpg"]`),
		"#/triage", 390)
	p.see(cardTitle, "Flat 0")
	p.test("the title has room for a thumb, and the photos the width of the card", func() {
		p.see(cardTitleHeight+" >= 44", "true")
		p.see(galleryMargins, "1,1,1")
	})
	p.test("a card that is moved a little comes back", func() {
		p.swipe(triageCard, 40)
		p.see(cardLeft, "16")
	})
	p.test("a swipe on the photos turns them", func() {
		const lost = ".gallery .frame .gap" // lower than a photo
		p.wait(isThere(lost))
		p.swipe(galleryPart, -200)
		p.see(photoNumber, "2 / 2")
		p.wait(isThere(lost))
		p.swipe(galleryPart, 200)
		p.see(photoNumber, "1 / 2")
	})
	p.test("a swipe to the right follows", func() {
		p.swipe(triageCard, 200)
		p.see(cardTitle, "Nothing left to triage")
		p.see(cardLeft, "16")
		p.seeFlat("0", "status", "followed")
	})
}

// openSlowTriage opens Triage with twelve flats on a slow network. It returns a function that returns the changed
// flats, in the order of their changes.
func openSlowTriage(t *testing.T) (p *tab, network *proxy, sent func() string) {
	t.Helper()
	program := start(t, triageFlats(12, `"text": "A flat.", "currency": "EUR", "area": 50, "location": "Ost"`))
	p, network = openThroughProxy(t, program, "#/visits", 1280)
	var mu sync.Mutex
	var ids []string
	list := func(answer *http.Response) {
		if request := answer.Request; request.Method == "PATCH" {
			mu.Lock()
			defer mu.Unlock()
			ids = append(ids, request.URL.Query().Get("id"))
		}
	}
	network.change.Store(&list)
	network.latency.Store(560)
	p.load("lib/kept")
	p.typeHash("#/triage")
	p.waitWhole(0, 1, 2, 3)
	return p, network, func() string {
		mu.Lock()
		defer mu.Unlock()
		return strings.Join(ids, " ")
	}
}

// waitWhole waits until flats have come with all fields, so that their cards are made.
func (p *tab) waitWhole(ids ...int) {
	p.t.Helper()
	for _, id := range ids {
		p.wait(fmt.Sprintf(`"text" in kept.kept.flats.get("%d")`, id))
	}
}

// typeFast presses keys some milliseconds apart, and returns the title of the card 30 ms after each.
func (p *tab) typeFast(keys string, apart int) string {
	p.t.Helper()
	return fmt.Sprint(p.eval(fmt.Sprintf(`(async () => {
		const rest = (ms) => new Promise((done) => setTimeout(done, ms));
		const titles = [];
		for (const key of %q) {
			dispatchEvent.call(document.body, new KeyboardEvent("keydown", {key, bubbles: true}));
			await rest(30);
			titles.push(%s);
			await rest(%d - 30);
		}
		return titles.join();
	})()`, keys, cardTitle, apart)))
}

// TestPageTriageSlow tests that on a slow network the next card is there at once.
func TestPageTriageSlow(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _, sent := openSlowTriage(t)
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
		p.test("each key of "+c.keys+" acts on the flat that is seen", func() {
			if got := p.typeFast(c.keys, c.apart); got != c.titles {
				p.t.Errorf("titles after %s: %v; want %s", c.keys, got, c.titles)
			}
			p.see(waitingLine, "") // changes under way do not count as waiting
			p.waitWhole(c.next...)
		})
	}
	p.test("the numbers have the decisions at once, and so has the list", func() {
		p.see(triageProgress, "6 left · 6 done")
		p.see(triageCount, "6")
		p.typeHash("#/?tab=new")
		p.wait(isThere(anyRow))
		p.see(rowCount, "6")
		p.see(triageCount, "6")
		p.typeHash("#/triage")
		p.see(cardTitle, "Flat 7")
	})
	sendSlowly(p, sent)
}

// sendSlowly tests which changes the service gets, and how each is undone.
func sendSlowly(p *tab, sent func() string) {
	p.test("decisions are sent in their order", func() {
		p.seeFlat("6", "status", "followed")
		if got := sent(); got != "0 1 2 3 4 6 6" {
			p.t.Errorf("updates of the flats %s; want 0 1 2 3 4 6 6", got)
		}
	})
	p.test("each is taken back by an Undo of its own", func() {
		// Eight presses of u take back seven changes and the skip. A key for a card that is not there yet does nothing.
		if got := p.typeFast("uuuuuuuu", 50); got != "Flat 6,Flat 6,Flat 5,Flat 4,Flat 3,Flat 2,Flat 1,Flat 0" {
			p.t.Errorf("titles after Undo: %v; want those of the flats in reverse", got)
		}
		p.see(undoInBarIsHidden, "true")
		p.see(triageProgress, "12 left")
		p.seeFlat("0", "status", "new")
	})
}

// TestPageTriageLate tests that an answer that is older than an Undo does not take the flat away again.
func TestPageTriageLate(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network, _ := openSlowTriage(t)
	p.press("o")
	p.see(heading, "Flat 0")
	p.press("x")
	p.seeFlat("0", "status", "ignored")
	network.latency.Store(0)
	var late atomic.Int32
	hold := func(answer *http.Response) {
		if strings.Contains(answer.Request.URL.RawQuery, "1000") { // the page size of requests for the pile
			time.Sleep(time.Second) // until the Undo below has been sent
			late.Add(1)
		}
	}
	network.change.Store(&hold)
	p.goBack()
	p.see(pileAndCard, "11 left · 1 done: Flat 1")
	p.press("u")
	p.see(pileAndCard, "12 left: Flat 0")
	for late.Load() == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	p.rest(forDrawing)
	p.see(pileAndCard, "12 left: Flat 0")
}

// TestPageTriageBack tests that keys act on the card in sight while the known pile is requested again.
func TestPageTriageBack(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/visits", 1280)
	holdAll := func(part string) {
		hold := func(answer *http.Response) {
			if strings.Contains(answer.Request.URL.String(), part) {
				<-answer.Request.Context().Done() // until the view is left
			}
		}
		network.change.Store(&hold)
	}
	holdAll("/flats?id=")
	p.typeHash("#/triage")
	p.see(triageProgress, "5 left")
	p.typeHash("#/visits")
	p.wait(isThere(visitsHeading))
	holdAll("size%5D=1000")
	p.typeHash("#/triage")
	p.wait(cardTitle)
	first := p.eval(cardTitle)
	p.press("s")
	p.wait(fmt.Sprintf("%s !== %s", cardTitle, encode(first)))
}

// TestPageTriageQuick tests that keys act on a flat once its facts are there, before the rest of its card.
func TestPageTriageQuick(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, start(t, triageFlats(20, `"area": 50`)), "#/triage", 1280)
	p.load("lib/kept")
	p.wait(cardTitle)
	p.wait(`"title" in (kept.kept.flats.get("19") ?? {})`)
	network.latency.Store(2000) // no further card comes in time
	p.press("xxxxxxxxxxxxxxxxxxxx")
	p.see(triageProgress, "0 left · 20 done")
}

// TestPageTriageFilters tests Triage with the filters of the list.
func TestPageTriageFilters(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/triage?q=balkon&cost=..700&sort=cost&tab=all", 390)
	p.test("it says which filters there are, and how many flats are outside", func() {
		p.see(triageLine, "Triage 1 left “balkon”, Cost ≤ 700 4 more without them · Show")
		p.wait(cardTitle)
		p.see(triageCount, "5") // all new flats, whatever the filters
	})
	p.test("a swipe below the card acts on it", func() {
		p.swipe(cardArea, -200)
		p.see(triageLine, "Triage 0 left · 1 done “balkon”, Cost ≤ 700 4 more without them · Show")
		p.see(cardTitle, "None left with these filters")
	})
	p.test("the notice stands at the top, where it hides neither the bar nor the buttons", func() {
		p.see(noticeIsAtTop, "true")
	})
	p.test("Undo stays once the notice with its own has left", func() {
		p.see(undoInBarIsHidden, "true")
		p.click(closeNotice)
		p.click(undoInBar)
		p.see(triageLine, "Triage 1 left “balkon”, Cost ≤ 700 4 more without them · Show")
		p.see(undoInBarIsHidden, "true")
	})
	p.test("Show drops the filters", func() {
		p.click(linkInOutside)
		p.see(triageLine, "Triage 5 left")
	})
	p.test("a limit on the way to one place leaves out flats that are only near another place", func() {
		p.typeHash("#/triage?travel_time=..18&to=office")
		p.see(triageLine, "Triage 1 left Travel time to office ≤ 18 min 4 more without them · Show")
	})
}

// TestPageTriageRough tests that a number of flats outside the filters is corrected if it was counted before a
// decision.
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
	p.see(cardTitle, "A")
	p.wait("window.isAsked")
	p.press("x")
	p.seeFlat("a", "status", "ignored")
	p.eval("window.isDone = true")
	p.see(outsideLine, "1 more without them · Show")
}

// TestPageTriageBare tests that Triage of an empty service says where flats can come from, until there are some.
func TestPageTriageBare(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/triage", 390)
	p.test("without flats Triage leads to Add and Start", func() {
		p.see(cardWords, "No flats yet Add Start")
		p.see(cardLinks, "#/add,#/start")
	})
	p.test("without flats Triage leads to Add and Start with filters, too", func() {
		p.typeHash("#/triage?rooms=2")
		p.see(triageKeepsFilters+" && "+cardWords, "No flats yet Add Start")
	})
	p.test("a flat that comes is shown", func() {
		p.importListings(`[{"id": "a", "title": "Attic", "rooms": 2}]`)
		p.comeBack()
		p.see(cardTitle, "Attic")
	})
	p.test("after the last flat Triage leads to the shortlist", func() {
		p.click(dismissCard)
		p.see(cardWords, "Nothing left to triage Shortlist")
	})
}
