// Tests that the page is the same in WebKitGTK and Firefox as in Chromium.

package web

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// An evaluator evaluates expressions in a page: a tab, or an engine.
type evaluator interface {
	try(expression string) (value any, exception string)
}

// waitIn waits until an expression is truthy. In an engine the expression may contain await.
func waitIn(t *testing.T, in evaluator, what, expression string) {
	t.Helper()
	var got any
	var exception string
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if got, exception = in.try("Boolean(" + expression + ")"); got == true {
			return
		}
		if time.Now().After(end) {
			text, _ := in.try("document.body.innerText")
			t.Fatalf("%s: timeout waiting for %s: %s\nThe page shows %v", what, expression, exception, text)
		}
	}
}

// showScene opens a scene, reports what is wrong with its look, and returns its texts once they stay the same.
func showScene(t *testing.T, in evaluator, scene scene) string {
	t.Helper()
	if _, exception := in.try("(" + scene.open + ", 0)"); exception != "" {
		t.Fatalf("%s: %s", scene.name, exception)
	}
	waitIn(t, in, scene.name, scene.shown)
	got, before := "", "not yet"
	for end := time.Now().Add(patience); got != before && time.Now().Before(end); {
		before = got
		in.try("new Promise((done) => setTimeout(done, 300))") // a view may come in parts
		value, _ := in.try(shownTexts)
		got = fmt.Sprint(value)
	}
	for what, expression := range map[string]string{"higher than its content": tooHighDialogs, "broken": brokenWords,
		"an alert": alertTexts} {
		if got, exception := in.try(expression); got != "" || exception != "" {
			t.Errorf("%s: %s: %v %s", scene.name, what, got, exception)
		}
	}
	return got
}

// TestEngines tests that each engine shows all views and menus without an error and with the same texts as Chromium,
// that no menu is higher than its content, that no word of a time is broken, that it reads datetimes like Chromium,
// and that keys decide in Triage. Each engine starts only once, because a start takes seconds.
func TestEngines(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	// WebKitGTK takes its language from the system, which may have only English. So all engines use American English
	// (engineEnv), and this tab does, too.
	p.setLanguage("en-US")
	p.reload()
	all := scenes()
	wanted := make([]string, len(all))
	for i, scene := range all {
		wanted[i] = showScene(t, p, scene)
	}
	for name, open := range engines {
		t.Run(name, func(t *testing.T) {
			e := open(t)
			e.open(p.url+"/", 1280)
			waitIn(t, e, "the page", viewHeading)
			for i, scene := range all {
				if got := showScene(t, e, scene); got != wanted[i] {
					t.Errorf("%s: %s", scene.name, firstDifference(got, wanted[i]))
				}
			}
			e.eval(loading(t, "words/format"))
			for _, d := range datetimes {
				if got := fmt.Sprint(e.eval(instantOf(d.text))); got != d.want {
					t.Errorf("%s is read as %s; want %s", d.text, got, d.want)
				}
			}
			e.checkFaults()
			e.checkTriage(t)
		})
	}
}

// firstDifference says in which line two texts begin to differ.
func firstDifference(got, want string) string {
	is, should := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(is), len(should)) {
		if is[i] != should[i] {
			return fmt.Sprintf("line %d of the texts is %q; want %q", i, is[i], should[i])
		}
	}
	return fmt.Sprintf("%d lines of text; want %d", len(is), len(should))
}

// checkTriage checks that the keys of Triage decide on the flat in sight, and that the decision arrives.
func (e *engine) checkTriage(t *testing.T) {
	t.Helper()
	e.open(startSample(t)+"/#/triage", 1280)
	const id = anyCardID
	waitIn(t, e, "the first card", id)
	for key, status := range map[string]string{"f": "followed", "x": "ignored"} {
		first := fmt.Sprint(e.eval(id))
		e.press(key)
		waitIn(t, e, "the next card", id+" !== "+encode(first))
		waitIn(t, e, key, fmt.Sprintf(`await fetch("api/v1/flats/" + encodeURIComponent(%s))
			.then((answer) => answer.json()).then(({data}) => data.status === %q)`, encode(first), status))
	}
	waitIn(t, e, "what is left", `/2 done/.test(`+triageProgress+`)`)
	e.checkFaults()
}
