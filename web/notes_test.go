// Tests of notes.

package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestPageNotes tests that notes save themselves.
func TestPageNotes(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/flat/4711", 390)
	p.wait(isThere(notesField))
	p.test("the fields stand near their labels", func() {
		p.click(setVisit)
		p.see(gapsBelowLabels, "8,8")
	})
	p.test("Notes in the bar shows their name, and the first box beneath it", func() {
		p.enter(notesField, strings.Repeat("- [ ] Noise\n", 12))
		p.see(checklistCount, "12")
		p.click(notesInBar)
		p.see(notesNameAndBoxInSight, "true")
	})
	p.enter(notesField, "")
	p.test("notes are kept without a network, and sent once there is one", func() {
		network.down.Store(true)
		p.enter(notesField, "Second bell, ask for the cellar.")
		p.wait("/Kept/.test(" + savedLine + ")")
		network.down.Store(false)
		p.see(savedLine, "Saved")
		p.seeFlat("4711", "notes", "Second bell, ask for the cellar.")
	})
	p.test("a reload loses none that are not saved yet: any view sends them", func() {
		p.enter(notesField, "It is damp.")
		p.typeHash("#/")
		p.reload()
		p.seeFlat("4711", "notes", "It is damp.")
		p.typeHash("#/flat/4711")
		p.see(notesValue, "It is damp.")
		p.see(keptNotes+`(4711)`, "undefined")
	})
}

// TestPageNotesDraft tests that a draft left by another tab of this browser is not overwritten: the page asks, once,
// even if the other tab saves the draft after all.
func TestPageNotesDraft(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "4711", "notes": "It is damp."}]`, "#/flat/4711", 390)
	p.see(notesValue, "It is damp.")
	for _, isSaved := range []bool{false, true} {
		p.test(fmt.Sprint("which the other tab saves: ", isSaved), func() {
			p.eval(`localStorage[keptAs("flats.notes.4711")] = JSON.stringify({text: "Ask for the key.", base: "It is damp."})`)
			p.enter(notesField, "Call at six.")
			p.see(otherNotes, "Ask for the key.")
			p.reload()
			p.see(otherNotes, "Ask for the key.")
			p.see(savedLine, "Not saved: changed elsewhere.")
			if isSaved {
				p.changeElsewhere("4711", `{"notes": "Ask for the key."}`)
			}
			p.click(keepBoth)
			p.see(savedLine, "Saved")
			p.seeFlat("4711", "notes", "Ask for the key.\n\nCall at six.")
			p.enter(notesField, "It is damp.")
			p.see(keptNotes+`(4711)`, "undefined")
		})
	}
}

// TestPageNotesTwice tests two devices that write notes of one flat.
func TestPageNotesTwice(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "4711", "notes": "It is damp."}]`, "#/flat/4711", 390)
	p.see(notesValue, "It is damp.")
	other := p.openOther("#/flat/4711")
	other.see(notesValue, "It is damp.")
	p.test("the second one shows both versions, and asks", func() {
		p.enter(notesField, "Ours.")
		p.see(savedLine, "Saved")
		other.enter(notesField, "Theirs.")
		other.see(otherNotes, "Ours.")
		other.see(savedLine, "Not saved: changed elsewhere.")
		other.see(fieldAfterQuestion, "notes")
	})
	p.test("Keep both keeps both", func() {
		other.click(keepBoth)
		other.see(savedLine, "Saved")
		p.seeFlat("4711", "notes", "Ours.\n\nTheirs.")
	})
	p.test("of other fields the last update wins, which does not affect the notes", func() {
		p.enter(notesField, "Ours.\n\nTheirs.")
		p.setStatus("contacted")
		p.see(statuses, "To sort,Followed,Contacted!,Visited,Applied")
		other.setStatus("visited")
		other.see(statuses, "To sort,Followed,Contacted,Visited!,Applied")
		other.enter(notesField, "Agreed.")
		other.see(savedLine, "Saved")
		other.see(questionsAboutNotes, "0")
		p.seeFlat("4711", "notes", "Agreed.")
		p.seeFlat("4711", "status", "visited")
	})
	other.checkFaults()
}

// TestPageChecklist tests the boxes of the notes.
func TestPageChecklist(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "4711", "notes": "Agreed."}]`, "#/flat/4711", 1280)
	p.test("Add checklist puts a dozen questions there", func() {
		p.click(addChecklist)
		p.see(checklistCount, "12")
	})
	p.click(asText)
	for _, width := range []int{390, 1280} {
		p.test(fmt.Sprintf("beneath the notes as a text one sees at %d pixels whether they are saved", width), func() {
			p.resize(width)
			p.eval(`document.querySelector("` + notesField + `").scrollIntoView({block: "end"})`)
			p.see(savedIsInSight, "true")
		})
	}
	p.click(asText)
	p.test("a box is a line of the notes", func() {
		p.click(boxAt(2))
		p.wait(notesValue + `.startsWith("Agreed.\n- [ ] Water pressure\n- [x] Noise\n- [ ] Mould")`)
		p.see(savedLine, "Saved")
		p.wait(`fetch("api/v1/flats/4711").then((answer) => answer.json())
			.then(({data}) => data.notes.includes("- [x] Noise"))`)
	})
	p.test("a box has room for an answer, which stands in its line of the notes", func() {
		p.focus(answerAt(2))
		p.press("by day: yes")
		p.see(together(focusedName, focusedValue), "Noise: answer, by day: yes")
		p.see(savedLine, "Saved")
		p.click(boxAt(2))
		p.wait(notesValue + `.includes("pressure\n- [ ] Noise: by day: yes\n- [ ] Mould")`)
		p.see(valueOf(answerAt(2)), "by day: yes")
	})
	p.test("there is no second checklist to add", func() { p.see(isHidden(addChecklist), "true") })
}

// TestPageChecklistWords tests that no word of a checklist breaks on a phone, and that an answer has room.
func TestPageChecklistWords(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "A"}, {"id": "b", "title": "B"}, {"id": "c", "title": "C"}, {"id": "own",
		"title": "Own", "notes": "- [ ] Nebenkosten\n- [x] Ist der Fahrradkeller trocken: ja\n- [ ] Lärm"}]`,
		"", 320)
	for _, c := range []struct{ id, language string }{{"a", "en"}, {"b", "fr"}, {"c", "de"}, {"own", "de"}} {
		p.setLanguage(c.language)
		p.openAnew("/#/flat/" + c.id)
		if c.id != "own" {
			p.click(addChecklist)
		}
		p.wait(isThere(boxAt(1)))
		for _, width := range []int{320, 390, 1280} {
			p.test(fmt.Sprintf("of flat %s in %s at %d pixels", c.id, c.language, width), func() {
				p.resize(width)
				p.see(brokenIn(".notes .boxes"), "")
				p.see(`document.querySelector("`+answerAt(1)+`").offsetWidth >= 100`, "true")
				p.see(fitsAcross, "true")
			})
		}
	}
	p.test("paper has the notes as text", func() {
		p.do("Emulation.setEmulatedMedia", object{"media": "print"})
		p.see(`document.querySelector(".notes .boxes").checkVisibility()`, "false")
	})
	p.checkFaults()
}

// checkNotes waits until the service has some notes of a flat. It asks the service past the page and its proxy.
func checkNotes(t *testing.T, network *proxy, want string) {
	t.Helper()
	var got struct{ Data struct{ Notes string } }
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		_, body := get(t, network.target.Load().String()+"/api/v1/flats/4711")
		if json.Unmarshal([]byte(body), &got); got.Data.Notes == want {
			return
		}
	}
	t.Errorf("notes = %q; want %q", got.Data.Notes, want)
}

// typeNotes types notes and at once runs a script.
func (p *tab) typeNotes(notes, then string) {
	p.t.Helper()
	p.wait(isThere(notesField))
	p.eval(fmt.Sprintf(`{ const field = document.querySelector(%s); field.value = %s;
		field.dispatchEvent(new Event("input")); }; %s 0`, encode(notesField), encode(notes), then))
}

// hidePage hides the page, as another tab does that covers it.
const hidePage = `Object.defineProperty(document, "visibilityState", {value: "hidden", configurable: true});
	document.dispatchEvent(new Event("visibilitychange", {bubbles: true}));`

// TestPageNotesHidden tests that notes are sent when the page is hidden while they are typed, once.
func TestPageNotesHidden(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/flat/4711", 390)
	var updates atomic.Int32
	countUpdates := func(answer *http.Response) {
		if answer.Request.Method == "PATCH" {
			updates.Add(1)
		}
	}
	network.change.Store(&countUpdates)
	p.wait(isThere(notesField))
	network.latency.Store(100)
	p.test("a page that is hidden sends at once, and knows that it did when it is seen again", func() {
		p.eval("window.timer = setTimeout; window.setTimeout = () => {}; 0") // else they are sent soon anyway
		p.typeNotes("Hidden.", hidePage)
		checkNotes(p.t, network, "Hidden.")
		p.eval(`window.setTimeout = timer, 0`)
		p.see(savedLine, "Saved")
	})
	p.test("a page that is hidden twice sends nothing twice", func() {
		p.typeNotes("Hidden twice.", hidePage+hidePage)
		p.see(savedLine, "Saved")
		p.rest(1500) // longer than typed notes wait to be sent
		checkNotes(p.t, network, "Hidden twice.")
		if got := updates.Load(); got != 2 { // one for each of the two texts
			p.t.Errorf("%d updates; want 2", got)
		}
	})
}

// TestPageNotesLeaving tests that notes are sent when the page is left while they are typed, with the worker too.
func TestPageNotesLeaving(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/flat/4711", 390)
	p.wait(isThere(notesField))
	network.latency.Store(100)
	for _, worker := range []bool{false, true} {
		for _, leave := range []string{"leave", "close"} {
			p.test(fmt.Sprintf("%s the tab, with the worker: %v", leave, worker), func() {
				other := p.openOther("#/flat/4711")
				if worker {
					other.startWorker()
				}
				notes := fmt.Sprint(leave, worker)
				other.typeNotes(notes, map[string]string{"leave": `location.href = "about:blank";`}[leave])
				if leave == "close" {
					other.do("Page.close", nil)
				}
				checkNotes(p.t, network, notes)
			})
		}
	}
	p.test("the page shows them when it is opened next", func() {
		p.reload()
		p.see(notesValue, "closetrue")
	})
}

// TestPageNotesLeavingRules tests that notes sent on leaving follow the rules of notes.
func TestPageNotesLeavingRules(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/flat/4711", 390)
	p.wait(isThere(notesField))
	p.test("what somebody else wrote meanwhile stays, and the draft waits for an answer", func() {
		p.changeElsewhere("4711", `{"notes": "Theirs."}`)
		p.typeNotes("Mine.", hidePage)
		p.see(otherNotes, "Theirs.")
		checkNotes(p.t, network, "Theirs.")
		p.see("JSON.parse("+keptNotes+`(4711)).text`, "Mine.")
	})
	p.test("who types on before the page knows what has arrived is asked nothing", func() {
		other := p.openOther("#/flat/4711")
		other.see(notesValue, "Theirs.")
		network.latency.Store(1000)
		other.typeNotes("Typed", "")
		other.reload()
		other.typeNotes("Typed on.", "")
		other.see(savedLine, "Saved")
		other.see(count(notesQuestion+" *"), "0")
		checkNotes(p.t, network, "Typed on.")
	})
}

// TestPageNotesNear tests that "Notes" at the bottom of a phone goes to the notes, or to their checklist.
func TestPageNotesNear(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const list = "Old.\n- [ ] Noise\n- [ ] Light"
	long := strings.Repeat("Word. ", 900)
	p := openTab(t, `[{"id": "a", "title": "Loft", "text": "`+long+`"},
		{"id": "b", "title": "Listed", "notes": `+encode(list)+`, "text": "`+long+`"}]`, "#/flat/a", 390)
	for _, c := range []struct{ sentence, id, notes, want string }{
		{"notes", "a", "", "textarea"},
		{"their checklist", "b", list, "checkbox"},
	} {
		p.test("Notes goes to "+c.sentence, func() {
			p.typeHash("#/flat/" + c.id)
			p.see(notesValue, c.notes)
			p.see(box(".own .notes")+".top > innerHeight", "true")
			p.click(notesInBar)
			p.see("document.activeElement.type", c.want)
			p.see(focusedView, "flat")
			p.see(notesFocusIsInSight, "true")
		})
	}
}

// TestPageNotesLate tests that a flat that comes late does not take the focus from a field in which somebody types
// meanwhile, so that no letter acts as a key.
func TestPageNotesLate(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Attic", "text": "Old", "status": "followed"}]`, "#/flat/a", 1280)
	p.wait(isThere(notesField))
	p.opens("#/")
	p.load("lib/kept")
	p.holdAnswers("GET", "/flats?id=a")
	p.changeElsewhere("a", `{"text": "New"}`)
	p.goTo("#/flat/a", notesField) // as it was
	p.press("n")
	p.see("document.activeElement.id", "notes")
	p.press("Bo")
	p.eval("release()")
	p.wait(`answered > 0 && kept.kept.flats.get("a").text === "New"`)
	p.rest(forAnswer)
	p.test("typing goes on in the notes", func() {
		p.press("x")
		p.see(notesValue, "Box")
		p.see(findField("a", "status"), `"followed"`)
		p.see(listingText, "Old")
	})
	p.test("Show shows the flat, and leaves what was typed", func() {
		p.comeBack()
		p.showNews()
		p.see(listingText, "New")
		p.see(notesValue, "Box")
	})
}

// TestPageFocusLate tests that the focus stays where it is in a flat that comes late, with more controls than before.
func TestPageFocusLate(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Attic", "text": "Old", "status": "followed",
		"notes": "- [ ] Light\n- [ ] Noise"}]`, "#/flat/a", 1280)
	for text, part := range map[string]string{"Button": ownStatus("contacted"), "Heading": flatHeading, "Box": boxAt(2)} {
		p.test(text, func() {
			p.goTo("#/flat/a", notesField)
			p.opens("#/")
			p.holdAnswers("GET", "/flats?id=a")
			p.changeElsewhere("a", `{"text": "`+text+`", "phone": "0199 `+text+`"}`)
			p.goTo("#/flat/a", notesField) // as it was
			p.focus(part)
			p.eval("release()")
			p.see(listingText, text)
			p.see(hasFocus(part), "true")
		})
	}
}

// TestPageStepLate tests that the choices of the next step stay when the save of an earlier decision ends.
func TestPageStepLate(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, c := range []struct{ hash, decision string }{
		{"#/flat/a", ownStatus("contacted")},
		{"#/triage", starInTriage(4)},
		{"#/today", settleButton},
	} {
		visit := time.Now().Add(-time.Minute).UTC().Format(time.RFC3339) // Today asks for its outcome
		p := openTab(t, `[{"id": "a", "title": "Attic", "visit_date": "`+visit+`"}]`, c.hash, 1280)
		p.test("at "+c.hash, func() {
			p.wait(isThere(stepButton))
			p.holdAnswers("PATCH", "")
			p.click(c.decision)
			p.click(stepButton)
			p.click(stepWords)
			p.press("Bo")
			p.eval("release()")
			p.wait("answered > 0")
			p.rest(forAnswer)
			p.press("x")
			p.see(valueOf(stepWords), "Box")
		})
	}
}

// TestPageNotesAsked tests the question about notes that were changed elsewhere while the user types on a phone.
func TestPageNotesAsked(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, lines := range []int{1, 30} {
		p := openTab(t, `[{"id": "a", "notes": "Mine.\n- [ ] Noise"}]`, "#/flat/a", 390)
		p.test("boxes stand for their lines", func() {
			p.see(notesFieldIsSeen, "false")
			p.see(notesWords, "Mine.")
		})
		p.click(asText)
		// The box stays beside the text, and "Keep yours" keeps it for the second question.
		for _, c := range []struct{ name, field string }{{"The text", notesField}, {"The answer to a box", answerField}} {
			p.click(c.field)
			theirs := c.name + strings.Repeat(" is theirs.\n", lines)
			p.test(fmt.Sprintf("%s stays in sight above the bar, and focused, with %d other lines", c.name, lines), func() {
				p.changeElsewhere("a", encode(object{"notes": theirs}))
				p.press("quiet")
				p.wait(isThere(keepBoth))
				p.see(focusIsAboveBar, "true")
				p.see(`document.activeElement.matches(`+encode(c.field)+`)`, "true")
			})
			p.test(fmt.Sprintf("%d lines take little of the view, and would scroll", lines), func() {
				p.see(questionHeight+" < innerHeight * 0.3", "true")
				p.see(otherNotesScroll, "auto")
			})
			p.test("the three answers are large enough for a finger", func() { p.see(largeAnswerCount, "3") })
			p.clickOn(keepYours)
			p.see(savedLine, "Saved")
		}
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
