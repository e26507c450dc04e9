// Tests of remind.go.

package main

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// startReminder starts the reminder of a hunt, and returns a function that stops it.
func (h *hunt) startReminder(at string, zone *time.Location) (stop func()) {
	h.t.Helper()
	to := &Notify{Remind: at}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	r, err := newReceiverReminder(h.told, to, zone, "/flats.json")
	if err != nil {
		h.t.Fatal(err)
	}
	running.Go(func() { r.run(ctx) })
	return func() {
		cancel()
		running.Wait()
	}
}

// Once a day, a message tells the visits of the day and the steps that are due. The clock of the
// bubble begins at midnight UTC, on 1 January 2000.
func TestRemind(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		d := newSimDisk()
		d.put("/flats.json", `[{"id":"g","title":"G","next_date":"2000-01-01"}]`) // a date without a step tells nothing
		h := newHunt(t, d)
		defer func() { h.stop() }()
		defer h.startReminder("08:00", zone)()
		h.imports(`[{"id":"a","title":"A","cost":800,"currency":"EUR","visit_date":"2000-01-02T18:00"},
			{"id":"b","title":"B","visit_date":"2000-01-01T23:30Z"},
			{"id":"c","title":"C","visit_date":"2000-01-02T09:00","status":"ignored"},
			{"id":"d","title":"D","next_step":"Call","next_date":"2000-01-03"},
			{"id":"e","title":"E","next_step":"Send\ndocuments","next_date":"2000-01-02T23:59"},
			{"id":"f","title":"F","next_step":"Think"}]`)
		const link = "https://flats.example/#/flat/"
		time.Sleep(7*time.Hour - time.Minute) // 08:00 in Paris is 07:00 UTC
		h.wants("a minute before")
		time.Sleep(2 * time.Minute)
		h.wants("a day without visits and steps")
		time.Sleep(24 * time.Hour)
		h.wants("the second day", "Today: 2 visits, 1 due | https://flats.example/#/today | 00:30 Visit: B\n"+link+"b\n"+
			"18:00 Visit: A, €800\n"+link+"a\nSend documents: E\n"+link+"e\n")
		// A message that is not taken is sent again, for twelve hours of that day.
		h.receiver.answerWith(func(*http.Request) (*http.Response, error) { return answerOf(500), nil })
		if _, err := h.store.Update("e", []byte(`{"next_step":null}`), nil, author{}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(24*time.Hour + 30*time.Second)
		if _, err := h.told.state(); fmt.Sprint(err) != "ntfy.example answered 500 Internal Server Error" {
			t.Errorf("the state is %v; want that ntfy.example answered 500", err)
		}
		h.receiver.answerWith(nil)
		time.Sleep(2 * time.Minute)
		h.wants("after a failure", "Today: 1 due | "+link+"d | Call: D\n"+link+"d\n")
		if last, err := h.told.state(); last.IsZero() || err != nil {
			t.Errorf("the last message was at %v, %v; want a time and no error", last, err)
		}
		h.receiver.answerWith(func(*http.Request) (*http.Response, error) { return answerOf(500), nil })
		time.Sleep(24 * time.Hour)
		tries, _ := h.receiver.tried()
		time.Sleep(17 * time.Hour) // past midnight
		h.receiver.answerWith(nil)
		now, _ := h.receiver.tried()
		if now < tries+10 || now > tries+15 { // a little before or after twelve: the first waits are shorter
			t.Errorf("%d tries on a day; want one an hour, for twelve hours", now-tries)
		}
		time.Sleep(3 * time.Hour)
		h.wants("a day that has passed")
	})
}

// The message of a day tells what Today shows on the page.
func TestRemindEvents(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	const due = `"next_step":"Call","next_date":"2000-01-01"`
	for _, c := range []struct{ members, want string }{
		// A visit without a time of day has none here, and comes first.
		{`"visit_date":"2000-01-02"`, "Visit: V"},
		{`"visit_date":"2000-01-02T00:00"`, "00:00 Visit: V"},
		{`"visit_date":"2000-01-02 18:30"`, "18:30 Visit: V"},
		{`"visit_date":"2000-01-01T23:00Z"`, "00:00 Visit: V"},
		{`"visit_date":"2000-01-02T23:00Z"`, ""},
		{`"visit_date":"2000-01-01"`, ""},
		// A flat that is gone has no steps, unless it is signed.
		{due, "Call: V"},
		{due + `,"status":"followed"`, "Call: V"},
		{due + `,"gone":"1999-12-01"`, ""},
		{due + `,"gone":"2000-01-02","status":"followed"`, ""},
		{due + `,"gone":"2000-01-02","status":"offered"`, ""},
		{due + `,"gone":"2000-01-02","status":"signed"`, "Call: V"},
		{due + `,"gone":"2000-01-02","visit_date":"2000-01-02"`, "Visit: V"},
		{due + `,"status":"refused"`, ""},
		{`"next_step":"","next_date":"2000-01-01"`, ""},
		{`"next_step":null,"next_date":"2000-01-01"`, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := newSimDisk()
			d.put("/flats.json", `[{"id":"v","title":"V",`+c.members+`}]`)
			h := newHunt(t, d)
			defer func() { h.stop() }()
			r := newReminder(h.told, &Notify{Remind: "08:00"}, zone)
			events, err := r.events(t.Context(), "2000-01-02")
			var lines []string
			for _, event := range events {
				lines = append(lines, event.line())
			}
			if got := strings.Join(lines, "\n"); got != c.want || err != nil {
				t.Errorf("%s: %q, %v; want %q", c.members, got, err, c.want)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		d := newSimDisk()
		d.put("/flats.json", `[{"id":"a","title":"A","visit_date":"2000-01-02T18:00"},
			{"id":"b","title":"B","visit_date":"2000-01-02"},{"id":"c","title":"C","visit_date":"2000-01-02T09:00"},
			{"id":"d","title":"D","gone":"2000-01-01","next_step":"Call","next_date":"2000-01-02"}]`)
		h := newHunt(t, d)
		defer func() { h.stop() }()
		r := newReminder(h.told, &Notify{Remind: "08:00"}, zone)
		events, err := r.events(t.Context(), "2000-01-02")
		m := r.message(events)
		const want = "Today: 3 visits\nVisit: B\n09:00 Visit: C\n18:00 Visit: A\n"
		if got := m.Title + "\n" + m.textWithoutLinks; got != want || err != nil {
			t.Errorf("the message is %q, %v; want %q", got, err, want)
		}
	})
}

// Where the clocks change, the message comes once a day, at the time that the clocks show.
func TestRemindDue(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	// want is when the message of the day of now is due.
	for _, c := range []struct{ at, now, want string }{
		{"08:00", "2026-03-28T06:59:59Z", "2026-03-28T07:00:00Z"},
		{"08:00", "2026-03-28T07:00:00Z", "2026-03-28T07:00:00Z"},
		{"08:00", "2026-03-28T22:59:59Z", "2026-03-28T07:00:00Z"},
		{"08:00", "2026-03-28T23:00:00Z", "2026-03-29T06:00:00Z"},
		{"02:30", "2026-03-29T00:00:00Z", "2026-03-29T01:30:00Z"}, // a time that the clocks skip
		{"02:30", "2026-03-30T12:00:00Z", "2026-03-30T00:30:00Z"},
		{"02:30", "2026-10-24T22:00:00Z", "2026-10-25T00:30:00Z"}, // a time that they show twice
		{"02:30", "2026-10-26T12:00:00Z", "2026-10-26T01:30:00Z"},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		r := &reminder{at: c.at, zone: zone}
		if got := r.due(now).UTC().Format(time.RFC3339); got != c.want {
			t.Errorf("%s on the day of %s: %s; want %s", c.at, c.now, got, c.want)
		}
	}
}

// The message of a day is sent once, also where a laptop was suspended when it was due, and where the clock is set. The
// bubble begins at midnight, on 1 January 2000.
func TestRemindClock(t *testing.T) {
	for _, c := range []struct {
		name string
		// How far the clock is ahead of the timers from one hour on, and from ten hours on. Timers stand still while
		// a laptop is suspended.
		aheadAfter1, aheadAfter10 time.Duration
		want                      []time.Duration // when messages are sent, by the timers
	}{
		{"a plain day", 0, 0, []time.Duration{8 * time.Hour, 32 * time.Hour}},
		{"suspended until past the time", 12 * time.Hour, 12 * time.Hour, []time.Duration{time.Hour, 20 * time.Hour}},
		{"suspended for days", 57 * time.Hour, 57 * time.Hour, []time.Duration{time.Hour, 23 * time.Hour}},
		{"set back", 0, -2 * time.Hour, []time.Duration{8 * time.Hour, 34 * time.Hour}},
		{"days ahead, then right", 240 * time.Hour, 0, []time.Duration{8 * time.Hour, 10 * time.Hour, 32 * time.Hour}},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := newHunt(t, newSimDisk())
			defer func() { h.stop() }()
			to := &Notify{Remind: "08:00"}
			h.imports(`[{"id":"a","title":"A","next_step":"Call","next_date":"2000-01-01"}]`)
			began := time.Now()
			r, err := newReceiverReminder(h.told, to, time.UTC, "/flats.json")
			if err != nil {
				t.Fatal(err)
			}
			r.now = func() time.Time {
				now := time.Now().Round(0) // without the timers' clock
				switch past := now.Sub(began); {
				case past >= 10*time.Hour:
					return now.Add(c.aheadAfter10)
				case past >= time.Hour:
					return now.Add(c.aheadAfter1)
				}
				return now
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			go r.run(ctx)
			var got []time.Duration
			before, _ := h.receiver.tried()
			for time.Since(began) < 36*time.Hour {
				synctest.Wait()
				if now, _ := h.receiver.tried(); now > before {
					got = append(got, time.Since(began).Round(5*time.Minute))
					before = now
				}
				time.Sleep(time.Minute)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s: messages after %v; want %v", c.name, got, c.want)
			}
		})
	}
}

// A restart neither loses the message of a day nor repeats it. The bubble begins at midnight, on
// 1 January 2000, and hours are counted from there.
func TestRemindRestart(t *testing.T) {
	type run struct {
		from, to float64 // when the service starts, and when it is killed
		fails    bool    // the receiver takes nothing
	}
	for _, c := range []struct {
		name string
		file string // remind.json at the first start
		runs []run
		want []float64 // when the receiver takes messages
	}{
		{"not taken before the restart", "", []run{{7, 8.1, true}, {8.2, 40, false}}, []float64{8.2, 32}},
		{"not taken in several runs", "", []run{{7, 8.1, true}, {8.2, 9, true}, {10, 11, false}}, []float64{10}},
		{"sent before the restart", "", []run{{7, 8.1, false}, {8.2, 31, false}}, []float64{8}},
		{"started late each morning", "", []run{{7, 20, false}, {32.5, 44, false}, {56.5, 68, false}},
			[]float64{8, 32.5, 56.5}},
		{"started too late", "", []run{{7, 9, false}, {47, 57, false}}, []float64{8, 56}},
		{"off for days", "", []run{{7, 9, false}, {81, 82, false}}, []float64{8, 81}},
		{"the first start is late", "", []run{{8.5, 8.6, false}, {9, 33, false}}, []float64{32}},
		{"the first start is early", "", []run{{6, 7, false}, {8.5, 9, false}}, []float64{8.5}},
		{"damaged", "{", []run{{8.5, 9, false}, {9.5, 33, false}}, []float64{32}},
		{"no day", `{"told":"soon"}`, []run{{7, 33, false}}, []float64{8, 32}},
		{"empty", " ", []run{{7, 33, false}}, []float64{8, 32}},
		{"not taken for too long", "", []run{{7, 20.1, true}, {20.2, 33, false}}, []float64{32}},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			disk := newSimDisk()
			if c.file != "" {
				disk.put("/remind.json", c.file)
			}
			var got []float64
			for i, run := range c.runs {
				time.Sleep(time.Duration(run.from*float64(time.Hour)) - time.Since(began))
				h := newHunt(t, disk)
				if i == 0 {
					h.imports(`[{"id":"a","title":"A","next_step":"Call","next_date":"2000-01-01"}]`)
				}
				h.receiver.answerWith(func(r *http.Request) (*http.Response, error) {
					if run.fails {
						return answerOf(503), nil
					}
					got = append(got, math.Round(time.Since(began).Hours()*10)/10)
					return answerOf(200), nil
				})
				stop := h.startReminder("08:00", time.UTC)
				time.Sleep(time.Duration(run.to*float64(time.Hour)) - time.Since(began))
				disk = disk.restartUnsynced()
				stop()
				h.stop()
				isDamaged := i == 0 && c.file != ""
				if got := strings.Contains(h.logs.String(), "remind.json is damaged"); got != isDamaged {
					t.Errorf("%s: run %d warns of damage: %v", c.name, i, got)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s: messages after %v hours; want %v", c.name, got, c.want)
			}
		})
	}
}

// A message that fails all day does not delay that of the next day, which is due a few minutes after midnight.
func TestRemindMidnight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHunt(t, newSimDisk())
		defer func() { h.stop() }()
		h.imports(`[{"id":"a","title":"A","next_step":"Call","next_date":"2000-01-01"}]`)
		defer h.startReminder("00:10", time.UTC)()
		h.receiver.answerWith(func(*http.Request) (*http.Response, error) { return answerOf(503), nil })
		time.Sleep(24 * time.Hour)
		h.receiver.answerWith(nil)
		time.Sleep(10*time.Minute - time.Second)
		h.wants("before it is due")
		time.Sleep(2 * time.Second)
		if got := h.receiver.take(); len(got) != 1 {
			t.Errorf("the messages are %q; want one as soon as it is due", got)
		}
	})
}
