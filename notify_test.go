// Tests of notify.go.

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A view with notify has one message after each import that changes its flats.
func TestNotify(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newSimDisk()
		d.put("/flats.json", `[{"id":"old@s","cost":700,"rooms":2}]`)
		h := newHunt(t, d)
		defer func() { h.stop() }()
		h.put("Two rooms", `{"query":"filter[rooms]=2","page":"#/?rooms=2..2","notify":true}`)
		h.put("listed", `{"query":"known[gone]=no&max[cost]=600","notify":true}`)
		h.put("silent", `{"query":""}`)
		h.wants("without an import")
		const link = "https://flats.example/#/flat/"
		h.imports(`[{"id":"a@s","rooms":2,"cost":800.5,"currency":"EUR","area":46,"title":"T2\nlumineux","location":"Lyon"},
			{"id":"b@s","rooms":3,"cost":900},{"id":"old@s","cost":700,"rooms":2}]`)
		h.wants("a new flat", "Two rooms: 1 new | "+link+"a@s | New: T2 lumineux, €800.50, 46 m², 2 rooms, Lyon\n"+
			link+"a@s\n")
		h.imports(`[{"id":"b@s","cost":890}]`)
		h.wants("nothing of a view")
		h.imports(`[{"id":"a@s","cost":750},{"id":"old@s","cost":650},{"id":"c@s","rooms":2}]`)
		h.wants("cheaper", "Two rooms: 1 new, 2 cheaper | https://flats.example/#/?rooms=2..2 | "+
			"New: untitled, 2 rooms\n"+link+"c@s\n"+
			"Cheaper: T2 lumineux, €750 (was €800.50), 46 m², 2 rooms, Lyon\n"+link+"a@s\n"+
			"Cheaper: untitled, 650 (was 700), 2 rooms\n"+link+"old@s\n")
		h.importsAll(`[{"id":"a@s","cost":800},{"id":"b@s"},{"id":"old@s"}]`, "s")
		h.wants("dearer, and gone", "Two rooms: 1 gone | "+link+"c@s | Gone: untitled, 2 rooms\n"+link+"c@s\n")
		h.importsAll(`[{"id":"a@s","cost":500},{"id":"b@s","cost":550}]`, "s")
		h.wants("two views", "Two rooms: 1 cheaper, 1 gone | https://flats.example/#/?rooms=2..2 | "+
			"Cheaper: T2 lumineux, €500 (was €800), 46 m², 2 rooms, Lyon\n"+link+"a@s\n"+
			"Gone: untitled, 650, 2 rooms\n"+link+"old@s\n",
			"listed: 2 cheaper | https://flats.example/ | Cheaper: T2 lumineux, €500 (was €800), 46 m², 2 rooms, Lyon\n"+
				link+"a@s\nCheaper: untitled, 550 (was 890), 3 rooms\n"+link+"b@s\n")
		// An update makes no old flat new, and neither does another query.
		if _, err := h.store.Update("b@s", []byte(`{"rooms":2}`), nil, author{}); err != nil {
			t.Fatal(err)
		}
		h.put("Two rooms", `{"query":"any[rooms]=2&any[rooms]=3"}`)
		h.imports(`[{"id":"x@t","rooms":9,"cost":9000}]`)
		h.wants("after updates")
		h.put("Two rooms", `{"notify":false}`)
		h.imports(`[{"id":"y@t","rooms":2,"cost":9000}]`)
		h.put("Two rooms", `{"notify":true}`)
		h.imports(`[{"id":"z@t","rooms":7,"cost":9000}]`)
		h.wants("while it was silent")
		var many []string // flats whose lines are too long for one message
		for i := range 30 {
			many = append(many, fmt.Sprintf(`{"id":"m%02d@t","rooms":2,"title":"%s"}`, i, strings.Repeat("é", 150)))
		}
		h.imports("[" + strings.Join(many, ",") + "]")
		got := h.receiver.take()
		if len(got) != 1 || !strings.HasPrefix(got[0], "Two rooms: 30 new | https://flats.example/#/?rooms=2..2 | ") ||
			!strings.HasSuffix(got[0], "\nand 20 more\n") || strings.Count(got[0], "é…, 2 rooms\n") != 10 {
			t.Errorf("many flats: %q", got)
		}
		// A restart sends no message again.
		h.stop()
		h = newHunt(t, d.restartUnsynced())
		h.wants("after a restart")
		if last, err := h.told.state(); !last.IsZero() || err != nil {
			t.Errorf("after a restart the state is %v, %v", last, err)
		}
	})
}

// After a restart, messages about a view begin with the next import, whatever the clock showed before.
// The clock shows 2000-01-01.
func TestNotifyClock(t *testing.T) {
	for _, c := range []struct {
		name, flat, view string // flat and view are further members of theirs
		warns            bool   // whether the log says that the time of the view is set to now
	}{
		{"the clock was right", `"first_seen":"1999-12-30T00:00:00Z"`, `"seen":"1999-12-30","told":"1999-12-30"`, false},
		{"ahead by hours", `"first_seen":"2000-01-01T09:00:00Z"`,
			`"seen":"2000-01-01T09:00:00Z","told":"2000-01-01T09:00:00Z"`, false},
		{"ahead by days", `"first_seen":"2000-01-04","updated_at":"2000-01-04"`,
			`"seen":"2000-01-04","told":"2000-01-04"`, false},
		{"ahead by days, and told later than any flat", `"first_seen":"2000-01-04","updated_at":"2000-01-04"`,
			`"seen":"2000-01-04T00:00:00.003Z","told":"2000-01-04T00:00:00.003Z"`, true},
		{"ahead by years while nothing changed", `"first_seen":"1999-12-30"`, `"seen":"2010-01-01","told":"2010-01-01"`,
			true},
		{"a restored mistake", `"first_seen":"2099-01-01","updated_at":"1999-12-30"`,
			`"seen":"2099-01-01","told":"2099-01-01"`, true},
		{"years back now", `"first_seen":"2026-01-04","updated_at":"2026-01-04T01:00:00Z","cost_history":[` +
			`{"date":null,"cost":9},{"date":"2026-01-04T01:00:00Z","cost":8}]`,
			`"seen":"2026-01-04T01:00:00Z","told":"2026-01-04T01:00:00Z"`, false},
		{"notify added by hand", `"first_seen":"1999-12-30"`, `"seen":"1999-01-01"`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newSimDisk()
				flats := `[{"id":"old",` + c.flat + `}]`
				view := `[{"name":"all","query":"","page":null,"notify":true,` + c.view + `}]`
				d.put("/flats.json", flats)
				d.put("/views.json", view)
				h := newHunt(t, d)
				h.wants(c.name + ": at the start")
				if warns := strings.Contains(h.logs.String(), "view=all"); warns != c.warns {
					t.Errorf("%s: the log is %s", c.name, h.logs)
				}
				// Nothing is lost if the service is restarted before the message is taken, and no
				// update moves a time back.
				h.receiver.answerWith(func(*http.Request) (*http.Response, error) { return answerOf(500), nil })
				h.imports(`[{"id":"a"}]`)
				for _, id := range []string{"old", "a"} {
					if _, err := h.store.Update(id, []byte(`{"notes":"n"}`), nil, author{}); err != nil {
						t.Fatal(err)
					}
				}
				h.stop()
				h = newHunt(t, d.restartUnsynced())
				const link = "https://flats.example/#/flat/"
				h.wants(c.name, "all: 1 new | "+link+"a | New: untitled\n"+link+"a\n")
				h.imports(`[{"id":"b"}]`)
				h.wants(c.name, "all: 1 new | "+link+"b | New: untitled\n"+link+"b\n")
				a, b := h.store.Get("a").FirstSeen.at, h.store.Get("b").FirstSeen.at
				old := h.store.Get("old").FirstSeen.at
				isMistake := old.Year() == 2099 // the time of a wrong clock stays, and is later than those of a and b
				if !b.After(a) || !a.After(old) && !isMistake {
					t.Errorf("%s: the flats were first seen at %v, %v, %v", c.name, old, a, b)
				}
				h.stop()
			})
		})
	}
}

// A message that is not taken is sent again after 1, 2, 4 … 60 minutes, together with news that
// have come meanwhile. No log and no answer shows a secret.
func TestNotifyRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHunt(t, newSimDisk())
		defer func() { h.stop() }()
		h.put("all", `{"query":"","notify":true}`)
		fail := func(answer *http.Response, err error) func(*http.Request) (*http.Response, error) {
			return func(*http.Request) (*http.Response, error) { return answer, err }
		}
		tried := []struct {
			answer *http.Response
			err    error
			want   string // the error that the state has, "" for none
		}{
			{answerOf(500), nil, "ntfy.example answered 500 Internal Server Error"},
			{answerOf(301), nil, "ntfy.example answered 301 Moved Permanently"},
			{answerOf(500), nil, "ntfy.example answered 500 Internal Server Error"},
			{nil, errors.New("no route to host"), "ntfy.example: no valid answer"},
			{answerOf(429), nil, "ntfy.example answered 429 Too Many Requests"},
			{nil, errors.New("connection refused"), "ntfy.example: no valid answer"},
			{answerOf(503), nil, "ntfy.example answered 503 Service Unavailable"},
			{answerOf(204), nil, ""},
		}
		failures := len(tried) - 1 // all but the last one
		for i, c := range tried {
			h.receiver.answerWith(fail(c.answer, c.err))
			h.imports(fmt.Sprintf(`[{"id":"f%d"}]`, i))
			if i > 0 { // the first message is sent at once
				_, last := h.receiver.tried()
				wait := min(time.Minute<<(i-1), time.Hour)
				time.Sleep(wait - time.Second - time.Since(last))
				synctest.Wait()
				if tries, _ := h.receiver.tried(); tries != i {
					t.Errorf("%d tries before try %d is due; want %d", tries, i+1, i)
				}
				time.Sleep(2 * time.Second)
				synctest.Wait()
			}
			tries, _ := h.receiver.tried()
			got := ""
			if _, err := h.told.state(); err != nil {
				got = err.Error()
			}
			if tries != i+1 || got != c.want {
				t.Errorf("%d tries, the last one: %s; want %d, %q", tries, got, i+1, c.want)
			}
		}
		h.receiver.answerWith(nil)
		h.imports(`[{"id":"later"}]`)
		h.wants("after the failures", "all: 1 new | https://flats.example/#/flat/later | New: untitled\n"+
			"https://flats.example/#/flat/later\n")
		logs := h.logs.String()
		if n := strings.Count(logs, "messages could not be sent"); n != failures || strings.Contains(logs, "secret") {
			t.Errorf("the log tells of %d failures; want %d, and no secret: %s", n, failures, logs)
		}
	})
}

// After an hour without the receiver, one message has all that came.
func TestNotifyAfterAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHunt(t, newSimDisk())
		defer func() { h.stop() }()
		h.put("all", `{"query":"","notify":true}`)
		h.receiver.answerWith(func(*http.Request) (*http.Response, error) { return nil, errors.New("no route to host") })
		for i := range 60 {
			h.imports(fmt.Sprintf(`[{"id":"h%d"}]`, i))
			time.Sleep(time.Minute)
		}
		h.receiver.answerWith(nil)
		time.Sleep(time.Hour)
		synctest.Wait()
		got := h.receiver.take()
		if len(got) != 1 || !strings.HasPrefix(got[0], "all: 60 new | ") || !strings.HasSuffix(got[0], "and 50 more\n") {
			t.Errorf("after an hour: %q; want one message about 60 flats, the first 10 of them by name", got)
		}
	})
}

// A view with another query gets no message about the imports before.
func TestNotifyOtherQuery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHunt(t, newSimDisk())
		defer func() { h.stop() }()
		h.put("all", `{"query":"","notify":true}`)
		h.receiver.answerWith(func(*http.Request) (*http.Response, error) { return answerOf(500), nil })
		h.imports(`[{"id":"dropped"}]`)
		h.put("all", `{"query":"known[gone]=no"}`)
		h.receiver.answerWith(nil)
		time.Sleep(2 * time.Hour)
		h.wants("after another query")
	})
}

// The changes up to a time include those at that time.
func TestChangesUntil(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHunt(t, newSimDisk())
		defer func() { h.stop() }()
		h.imports(`[{"id":"a"}]`)
		q, err := h.views.parse("known[gone]=no")
		if err != nil {
			t.Fatal(err)
		}
		seen := h.store.Get("a").FirstSeen.at
		for until, want := range map[time.Time]int{seen.Add(-time.Millisecond): 0, seen: 1} {
			events, err := h.told.changes(t.Context(), q, seen.Add(-time.Second), until)
			if err != nil || len(events) != want {
				t.Errorf("until %v: %v, %v; want %d events", until, events, err, want)
			}
		}
	})
}

// After a message, the service marks in the file of views up to where it has told. A kill between an import and its
// message loses nothing, and one between the message and its mark repeats that message alone. If the mark cannot be
// written, the running service repeats nothing.
func TestNotifyKill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newSimDisk()
		h := newHunt(t, d)
		h.put("all", `{"query":"","notify":true}`)
		const message = "all: 1 new | https://flats.example/#/flat/a | New: untitled\nhttps://flats.example/#/flat/a\n"
		var atImport, atMessage *simDisk // what two kills leave
		h.receiver.answerWith(func(*http.Request) (*http.Response, error) {
			atImport = d.restartUnsynced() // the import is answered, the message is not
			return nil, errors.New("refused")
		})
		h.imports(`[{"id":"a"}]`)
		h.stop()
		h = newHunt(t, atImport, func(h *hunt) {
			h.receiver.answerWith(func(*http.Request) (*http.Response, error) {
				atMessage = atImport.restartUnsynced() // the message is taken, and not yet marked
				h.receiver.answer = nil
				return answerOf(200), nil
			})
		})
		synctest.Wait()
		h.imports(`[]`)
		h.wants("after the message")
		h.stop()
		h = newHunt(t, atMessage)
		h.wants("between message and mark", message)
		h.imports(`[]`)
		h.wants("again")
		h.disk.setFull(true)
		h.receiver.answerWith(nil)
		h.stop()

		h = newHunt(t, newSimDisk())
		h.put("all", `{"query":"","notify":true}`)
		h.imports(`[{"id":"b"}]`)
		h.receiver.take()
		h.receiver.answerWith(func(r *http.Request) (*http.Response, error) {
			h.disk.setFull(true) // after the import, before the mark
			h.receiver.answer = nil
			return h.receiver.takeLocked(r)
		})
		h.imports(`[{"id":"a"}]`)
		h.wants("a full disk", message)
		if _, err := h.told.state(); err == nil {
			t.Error("the mark was written to a full disk")
		}
		time.Sleep(10 * time.Minute)
		h.wants("while the disk is full")
		if got := h.logs.String(); !strings.Contains(got, "a restart would repeat them") {
			t.Errorf("the log is %s; want that a restart would repeat the messages", got)
		}
		h.disk.setFull(false)
		time.Sleep(2 * time.Hour)
		h.wants("after it")
		h.imports(`[{"id":"c"}]`)
		h.wants("the next flat", strings.ReplaceAll(message, "/a", "/c"))
		h.stop()
	})
}

// A message that is being sent when the service stops is sent, and not repeated.
func TestNotifyStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newSimDisk()
		h := newHunt(t, d)
		h.put("all", `{"query":"","notify":true}`)
		h.told.to.(*receiverAt).client.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
			select {
			case <-r.Context().Done():
				return nil, r.Context().Err()
			case <-time.After(2 * time.Second):
				return h.receiver.RoundTrip(r)
			}
		})
		h.imports(`[{"id":"a"}]`)
		h.stop()
		if got := h.receiver.take(); len(got) != 1 {
			t.Errorf("at a stop: %q", got)
		}
		h = newHunt(t, d.restartUnsynced())
		h.wants("after it")
		h.stop()
	})
}

// A receiver that accepts the connection but does not answer delays neither imports nor
// requests, and the notifier gives up after ten seconds.
func TestNotifySilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHunt(t, newSimDisk())
		defer func() { h.stop() }()
		h.put("all", `{"query":"","notify":true}`)
		h.told.to.(*receiverAt).client.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		began := time.Now()
		for i := range 3 {
			h.imports(fmt.Sprintf(`[{"id":%d}]`, i))
			h.put("all", fmt.Sprintf(`{"page":"#/%d"}`, i))
		}
		if waited := time.Since(began); waited != 0 {
			t.Errorf("while a receiver did not answer, imports and views took %v", waited)
		}
		time.Sleep(11 * time.Second)
		if _, err := h.told.state(); err == nil || !strings.HasPrefix(err.Error(), "ntfy.example: ") {
			t.Errorf("after ten seconds: %v", err)
		}
	})
}

// A message that the receiver refuses does not delay others. A view whose query is invalid for
// a while is told of the imports of that time with the next one.
func TestNotifyRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHunt(t, newSimDisk())
		defer func() { h.stop() }()
		for _, name := range []string{"first", "second", "third"} {
			h.put(name, `{"query":"","notify":true}`)
		}
		// After a 400 the other messages are sent, too. After a 429 or 503 all wait for the receiver.
		for code, want := range map[int]int{400: 3, 429: 1, 503: 1} { // by the answer to the first, the messages sent
			before, _ := h.receiver.tried()
			h.receiver.answerWith(func(r *http.Request) (*http.Response, error) {
				if strings.HasPrefix(r.Header.Get("Title"), "first") {
					return answerOf(code), nil
				}
				return answerOf(200), nil
			})
			h.imports(fmt.Sprintf(`[{"id":%d}]`, code))
			if tries, _ := h.receiver.tried(); tries-before != want {
				t.Errorf("%d: %d messages were sent; want %d", code, tries-before, want)
			}
			h.receiver.answerWith(nil)
			time.Sleep(3 * time.Hour)
			synctest.Wait()
			h.receiver.take()
		}
		h.store.table = newTable(queryFields(quiet, nil, "time_to.work"))
		h.put("first", `{"query":"known[time_to.work]=no","notify":true}`)
		h.store.table = newTable(queryFields(quiet, nil))
		h.imports(`[{"id":"while the query is invalid"}]`)
		h.receiver.take()
		h.store.table = newTable(queryFields(quiet, nil, "time_to.work"))
		h.imports(`[{"id":"later"}]`)
		got := h.receiver.take()
		if len(got) != 3 || !strings.HasPrefix(got[0], "first: 2 new | ") {
			t.Errorf("once the query is valid again: %q", got)
		}
	})
}

// A failure of the receiver for one view does not end the wait of another, whose message was
// refused.
func TestNotifyBoth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHunt(t, newSimDisk())
		defer func() { h.stop() }()
		h.put("first", `{"query":"","notify":true}`)
		h.put("second", `{"query":"","notify":true}`)
		began := time.Now()
		var tries []float64 // of the second view, in minutes since began
		answerFirstWith := func(status int) {
			h.receiver.answerWith(func(r *http.Request) (*http.Response, error) {
				if strings.HasPrefix(r.Header.Get("Title"), "first") {
					return answerOf(status), nil
				}
				tries = append(tries, time.Since(began).Minutes())
				return answerOf(404), nil
			})
		}
		answerFirstWith(200)
		h.imports(`[{"id":1}]`)
		time.Sleep(90 * time.Second)
		answerFirstWith(503)
		h.imports(`[{"id":2}]`)
		answerFirstWith(200)
		time.Sleep(6 * time.Minute)
		synctest.Wait()
		if want := []float64{0, 1, 3, 7}; !slices.Equal(tries, want) {
			t.Errorf("tries after %v minutes; want %v", tries, want)
		}
	})
}

// A view whose message is refused waits for 1, 2, 4 … 60 minutes; other views do not wait.
// Later imports join its message.
func TestNotifyAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHunt(t, newSimDisk())
		defer func() { h.stop() }()
		h.put("first", `{"query":"","notify":true}`)
		h.put("second", `{"query":"","notify":true}`)
		began := time.Now()
		var tries []float64 // of the first view, in minutes since began
		h.receiver.answerWith(func(r *http.Request) (*http.Response, error) {
			if strings.HasPrefix(r.Header.Get("Title"), "second") {
				return h.receiver.takeLocked(r)
			}
			tries = append(tries, time.Since(began).Minutes())
			return answerOf(404), nil
		})
		for i := range 19 { // every ten minutes, for 190
			h.imports(fmt.Sprintf(`[{"id":%d}]`, i))
			link := fmt.Sprint("https://flats.example/#/flat/", i)
			h.wants("another view", "second: 1 new | "+link+" | New: untitled\n"+link+"\n")
			if _, err := h.told.state(); err == nil || err.Error() != "ntfy.example answered 404 Not Found" {
				t.Errorf("while a view waits the state is %v", err)
			}
			time.Sleep(10 * time.Minute)
			synctest.Wait()
		}
		if want := []float64{0, 1, 3, 7, 15, 31, 63, 123, 183}; !slices.Equal(tries, want) {
			t.Errorf("tries after %v minutes; want %v", tries, want)
		}
		// A change of the view ends its wait.
		h.put("first", `{"query":"known[gone]=no"}`)
		h.imports(`[{"id":"a"}]`)
		if h.receiver.take(); len(tries) != 10 {
			t.Errorf("after another query there are %d tries; want 10", len(tries))
		}
		time.Sleep(30 * time.Second)
		h.receiver.answerWith(nil)
		h.imports(`[{"id":"b"}]`)
		h.receiver.take()
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := h.receiver.take(); len(got) != 1 || !strings.HasPrefix(got[0], "first: 2 new | ") {
			t.Errorf("after the wait: %q", got)
		}
		if _, err := h.told.state(); err != nil {
			t.Errorf("after the wait the state is %v", err)
		}
		// Waits for the receiver are one for all views.
		before, _ := h.receiver.tried()
		h.receiver.answerWith(func(*http.Request) (*http.Response, error) { return answerOf(503), nil })
		h.imports(`[{"id":"c"}]`)
		time.Sleep(8 * time.Minute)
		if after, _ := h.receiver.tried(); after-before != 4 { // at 0, 1, 3 and 7 minutes
			t.Errorf("a receiver that is down was tried %d times in 8 minutes; want 4", after-before)
		}
	})
}

// A template can use every part of a message. If it fails for some flats, or its output is too
// long, the message is sent without those flats.
func TestNotifyTemplate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct{ body, want string }{
			{`{"text":{{json .Text}},"n":{{len .Flats}}}`,
				` |  | {"text":"New: <T>, 5\nhttps://flats.example/#/flat/a\n","n":1}`},
			{`{{.View}}/{{.Title}}/{{.Link}}` +
				"{{range .Flats}}/{{.Event}} {{.Flat.title}} {{.Flat.cost}} {{with .Was}}{{.}}{{end}} {{.Link}}{{end}}",
				" |  | v/v: 1 new/https://flats.example/#/flat/a/new <T> 5  https://flats.example/#/flat/a"},
			{`{{json .Flats}}`, ` |  | [{"Event":"new","Link":"https://flats.example/#/flat/a","Was":null,"Flat":`},
		} {
			h := newTemplateHunt(t, newSimDisk(), c.body)
			h.put("v", `{"query":"","notify":true}`)
			h.imports(`[{"id":"a","title":"<T>","cost":5}]`)
			if got := h.receiver.take(); len(got) != 1 || !strings.HasPrefix(got[0], c.want) {
				t.Errorf("%s: %q; want %q", c.body, got, c.want)
			}
			h.stop()
		}
		h := newTemplateHunt(t, newSimDisk(), `{{range .Flats}}{{.Flat.title}}{{.Flat.text}}{{end}}`)
		defer func() { h.stop() }()
		h.put("v", `{"query":"","notify":true}`)
		large := strings.Repeat("x", 400<<10) // maxMessage has room for two of them
		h.imports(`[{"id":1,"title":"a","text":"` + large + `"},{"id":2,"title":"b","text":"` + large + `"},
			{"id":3,"title":"c","text":"` + large + `"}]`)
		got := h.receiver.take()
		// The list of flats is halved until the message fits: one flat of three.
		if len(got) != 1 || !strings.Contains(got[0], "| ax") || strings.Contains(got[0], "b") {
			t.Errorf("a message that is too long: %.80q", got)
		}
		// A template that fails for a flat gets the message without it.
		failing := newTemplateHunt(t, newSimDisk(), "{{.Title}}"+
			"{{range .Flats}}{{if .Flat.photos}}{{(index .Flat.photos 0).url}}{{end}}{{end}}")
		defer func() { failing.stop() }()
		failing.put("v", `{"query":"","notify":true}`)
		failing.imports(`[{"id":1,"photos":["http://p"]}]`)
		failing.wants("a failing template", " |  | v: 1 new")
		// One that fails for a view does not delay the messages of others.
		other := newTemplateHunt(t, newSimDisk(), `{{if eq .View "bad"}}{{index .Flats 99}}{{end}}{{.Title}}`)
		defer func() { other.stop() }()
		other.put("bad", `{"query":"","notify":true}`)
		other.put("good", `{"query":"","notify":true}`)
		other.imports(`[{"id":1}]`)
		other.wants("a template that fails for a view", " |  | good: 1 new")
	})
}

// The templates in docs/running.md make JSON with the members that their receivers want.
func TestDocumentedTemplates(t *testing.T) {
	doc := readFile(t, "docs/running.md")
	wants := map[string][]string{"Telegram": {"chat_id", "text"}, "Discord": {"content"}, "Apprise": {"body", "title"},
		"Home Assistant": {"message", "title", "url"}}
	// A row of the table: | receiver | address | `template` |
	rows := regexp.MustCompile("(?m)^\\| ([A-Z][A-Za-z ]+) \\| [^|]* \\| `(.*)` \\|$").FindAllStringSubmatch(doc, -1)
	for _, row := range rows {
		receiver, template := row[1], row[2]
		n := &Notify{}
		if err := n.setTemplate(template); err != nil {
			t.Errorf("%s: %v", receiver, err)
			continue
		}
		// The longest name, a long link, and a title and a location that messages cut.
		const name = `"Two" <rooms>`
		view := View{Name: name + strings.Repeat("x", maxViewName-len(name))}
		flat := newService(t, `[{"id":1,"title":"`+strings.Repeat(`\"\n`, 3000)+`","location":"`+
			strings.Repeat("é", 3000)+`"}]`, "[]").store.Get("1")
		change := flatEvent{Event: "new", Link: "https://x/#/flat/" + strings.Repeat("x", 335), flat: flat}
		changes := slices.Repeat([]flatEvent{change}, 30)
		body, err := n.body(newMessage("https://x/", view, changes))
		var object members
		json.Unmarshal([]byte(body), &object)
		if text := unquote(string(object["text"])); len(text) > 4096 { // Telegram takes no more
			t.Errorf("%s: a text of %d bytes; want 4096 at most", receiver, len(text))
		}
		if content := []rune(unquote(string(object["content"]))); len(content) > 2000 { // nor Discord
			t.Errorf("%s: a content of %d characters; want 2000 at most", receiver, len(content))
		}
		if err != nil || !slices.Equal(slices.Sorted(maps.Keys(object)), wants[receiver]) {
			t.Errorf("%s: %s, %v", receiver, body, err)
		}
	}
	if len(rows) != len(wants) {
		t.Errorf("docs/running.md has %d templates; want %d", len(rows), len(wants))
	}
}

// The routes of messages say whether they arrive, and send an example.
func TestNotifyRoutes(t *testing.T) {
	s := newService(t, "[]", "[]")
	s.want(s.ask("GET", "/api/v1/notify", ""), 200, `{"data":{"configured":false,"last":null,"error":null}}`)
	s.refuse(s.ask("POST", "/api/v1/notify", ""), 409, "No receiver is configured: set notify in the settings.")
	taken := make(chan *http.Request, 1)
	code := 200
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		taken <- r
		w.Header().Set("Location", "/secret")
		w.WriteHeader(code)
	}))
	defer ts.Close()
	to, _ := url.Parse(ts.URL + "/secret")
	s = s.with(func(c *Config) {
		c.Notify = &Notify{url: to, Headers: map[string]string{"Authorization": "secret", "content-type": "text/x"}}
	})
	s.want(s.ask("POST", "/api/v1/notify", ""), 200, `{"data":{"status":200}}`)
	r := <-taken
	if r.Method != "POST" {
		t.Errorf("the example is sent with %s; want POST", r.Method)
	}
	for name, want := range map[string]string{"Title": "Test: 1 new", "Click": "https://flats.example/#/flat/example",
		"Authorization": "secret", "Content-Type": "text/x"} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("the example has the %s %q; want %q", name, got, want)
		}
	}
	code = 302
	got := s.ask("POST", "/api/v1/notify", "")
	s.refuse(got, 502, "The message was not taken: "+to.Host+" answered 302 Found.")
	<-taken
	ts.Close()
	got = s.ask("POST", "/api/v1/notify", "")
	if got.status != 502 || strings.Contains(got.body, "secret") || !strings.Contains(got.body, to.Host) {
		t.Errorf("a receiver that is down: %d %s", got.status, got.body)
	}
	// An example counts for nothing.
	s.want(s.ask("GET", "/api/v1/notify", ""), 200, `{"data":{"configured":true,"last":null,"error":null}}`)
	if strings.Contains(s.logs.String(), "secret") {
		t.Errorf("the log shows a secret: %s", s.logs)
	}
}

// Messages name a currency by its sign or code, however a listing writes it.
func TestNotifyMoney(t *testing.T) {
	t.Parallel()
	for currency, want := range map[string]string{"EUR": "€1,240", "euro": "€1,240", "€": "€1,240",
		"pounds": "£1,240", "usd": "$1,240", "dollars": "$1,240", "Kč": "CZK 1,240", "sfr.": "CHF 1,240",
		"chf": "CHF 1,240", "kr.": "1,240 kr", "ABC": "ABC 1,240", "Taler": "1,240 Taler", "": "1,240"} {
		if got := money(1240, currency); got != want {
			t.Errorf("money(1240, %q) = %q; want %q", currency, got, want)
		}
	}
}

// Messages round numbers as the page does.
func TestNotifyRounding(t *testing.T) {
	t.Parallel()
	for amount, want := range map[float64]string{999.999: "€1,000", 0.5: "€0.50", 800.505: "€800.51",
		1.005: "€1.01", 1240: "€1,240", 1.004: "€1", 12345.675: "€12,345.68"} {
		if got := money(amount, "EUR"); got != want {
			t.Errorf("money(%v) = %q; want %q", amount, got, want)
		}
	}
	for number, want := range map[float64]string{62.25: "62.3", 62.35: "62.4", 1249.95: "1,250", 46: "46", 0.25: "0.3"} {
		if got := thousands(number, 1); got != want {
			t.Errorf("thousands(%v, 1) = %q; want %q", number, got, want)
		}
	}
}

// A cost of 0 or less is no price: a price that a listing withdraws is no cheaper one, and a later price is compared
// with the last one before it.
func TestNotifyPrices(t *testing.T) {
	const link = "https://flats.example/#/flat/a\n"
	for _, c := range []struct{ costs, want string }{ // want has the costs in the messages after each import
		{"1200 0", ""},
		{"1200 -1", ""},
		{"1000 0 900", "€900 (was €1,000)"},
		{"1000 0 0.5 -1 0.25", "€0.50 (was €1,000), €0.25 (was €0.50)"},
		{"1000 900 0 900", "€900 (was €1,000)"},
		{"1000 900 0 950 0", "€900 (was €1,000)"},
		{"0 900", ""},
		{"0 900 0 800", "€800 (was €900)"},
		{"1000 0 1100 1050", "€1,050 (was €1,100)"},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := newHunt(t, newSimDisk())
			defer h.stop()
			h.imports(`[{"id":"a","title":"Loft","cost":` + strings.Fields(c.costs)[0] + `,"currency":"EUR"}]`)
			h.put("all", `{"query":"","notify":true}`)
			var got []string
			for _, cost := range strings.Fields(c.costs)[1:] {
				h.imports(`[{"id":"a","cost":` + cost + `}]`)
				for _, m := range h.receiver.take() {
					_, line, _ := strings.Cut(m, "Cheaper: Loft, ")
					got = append(got, strings.TrimSuffix(line, "\n"+link))
				}
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("costs %s: messages of %q; want %q", c.costs, got, c.want)
			}
		})
	}
}

// A price that was lowered and withdrawn before a message could be sent is not told.
func TestNotifyWithdrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHunt(t, newSimDisk())
		defer h.stop()
		h.imports(`[{"id":"a","cost":1000},{"id":"b","cost":1000}]`)
		h.put("all", `{"query":"","notify":true}`)
		h.receiver.answerWith(func(*http.Request) (*http.Response, error) { return answerOf(500), nil })
		h.imports(`[{"id":"a","cost":900},{"id":"b","cost":900}]`)
		h.imports(`[{"id":"a","cost":0}]`)
		h.receiver.answerWith(nil)
		time.Sleep(2 * time.Minute)
		const link = "https://flats.example/#/flat/b"
		h.wants("the other flat", "all: 1 cheaper | "+link+" | Cheaper: untitled, 900 (was 1,000)\n"+link+"\n")
	})
}

// A line has only the amounts that are above 0.
func TestNotifyAmounts(t *testing.T) {
	t.Parallel()
	for members, want := range map[string]string{
		`"cost":0,"area":0,"rooms":0`:            "New: Loft",
		`"cost":0.0,"area":46,"rooms":2`:         "New: Loft, 46 m², 2 rooms",
		`"cost":900,"area":-0.0,"rooms":0e3`:     "New: Loft, €900",
		`"cost":-1,"area":-1,"rooms":-1`:         "New: Loft",
		`"cost":null,"area":null,"rooms":1.5`:    "New: Loft, 1.5 rooms",
		`"rooms":1`:                              "New: Loft, 1 room",
		`"cost":0,"area":0,"location":"Lyon"`:    "New: Loft, Lyon",
		`"cost":1e3,"utilities":"x","area":0.50`: "New: Loft, €1,000, 0.5 m²",
	} {
		flats, err := readFlats("test", []byte(`[{"id":1,"title":"Loft","currency":"EUR",`+members+`}]`), nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		if got := (flatEvent{Event: "new", flat: flats[0]}).line(); got != want {
			t.Errorf("%s: %q; want %q", members, got, want)
		}
	}
}
