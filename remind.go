// The daily message about visits and next steps.

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"flats/internal/turns"
)

// A reminder sends one message a day, about today's visits and the next steps that are due.
type reminder struct {
	notifier *notifier
	at       string                   // the time of the message, such as 08:00; "" for none
	zone     *time.Location           // of dates without an offset
	now      func() time.Time         // the clock
	save     func(today string) error // stores lastDay
	lastDay  string                   // the last day whose message was sent, or need not be sent; "" if none is known
}

// maxLate is how long after its time the message of a day may still be sent.
const maxLate = 12 * time.Hour

// newReminder returns a reminder that sends by a notifier, and stores nothing. If zone is nil, it uses the time zone
// of the machine.
func newReminder(n *notifier, to *Notify, zone *time.Location) *reminder {
	r := &reminder{notifier: n, zone: zone, now: time.Now, save: func(string) error { return nil }}
	if zone == nil {
		r.zone = time.Local
	}
	if to != nil {
		r.at = to.Remind
	}
	return r
}

// newReceiverReminder returns a reminder for the receiver in the config. It continues after the day in the remind.json
// next to the flats.json at path.
func newReceiverReminder(n *notifier, to *Notify, zone *time.Location, path string) (*reminder, error) {
	r := newReminder(n, to, zone)
	files := n.views.store.writer.files
	if !r.isOn() || files == nil {
		return r, nil
	}
	file, err := openSideFile(files, path, "remind.json")
	if err != nil {
		return r, err
	}
	r.save = func(today string) error { return n.views.store.writeSide(file, encodeJSON(toldDay{today})+"\n") }
	if file.text == "" {
		return r, nil
	}
	var stored toldDay
	err = json.Unmarshal([]byte(file.text), &stored)
	_, dayErr := time.Parse(time.DateOnly, stored.Told)
	if err != nil || dayErr != nil {
		n.log.Warn("remind.json is damaged: a daily message that is due now is not sent", "file", file.name)
		return r, nil
	}
	r.lastDay = stored.Told
	return r, nil
}

// A toldDay is the content of remind.json.
type toldDay struct {
	Told string `json:"told"` // a date
}

// isOn reports whether the config asks for a daily message, and there is a recipient.
func (r *reminder) isOn() bool { return r.notifier.to != nil && r.at != "" }

// run sends a message every day at the time of the config, until ctx is done. If the service did not run
// then, or the receiver took nothing, it sends the message later on the same day, up to maxLate after its time. At the
// very first start, it sends no message that was due before. run looks at the clock every minute, because a
// timer does not count the time that a laptop is suspended, and the clock may be set.
func (r *reminder) run(ctx context.Context) {
	if !r.isOn() {
		return
	}
	if r.lastDay == "" {
		now := r.now()
		if r.due(now).After(now) {
			now = now.In(r.zone).AddDate(0, 0, -1) // the message of today is still to be sent
		}
		r.setLastDay(r.day(now))
	}
	failedOn := ""           // the day of the last failure
	wait := time.Duration(0) // after the last failure on failedOn
	retryAt := time.Time{}   // no message is sent before this time
	for {
		now := r.now()
		today, late := r.day(now), now.Sub(r.due(now))
		if today != failedOn {
			wait, retryAt = 0, time.Time{}
		}
		isDue := today != r.lastDay && late >= 0 && late < maxLate
		if isDue && !time.Now().Before(retryAt) {
			if err := r.tell(ctx, today); err == nil {
				r.setLastDay(today)
			} else if ctx.Err() == nil {
				failedOn, wait = today, backoff(wait)
				again := askedWait(err, wait)
				retryAt = time.Now().Add(again)
				r.notifier.log.Warn("the daily message could not be sent", "err", err, "again_in", again)
			}
		}
		pause := time.Minute
		if late < 0 { // the message of today is due in -late
			pause = min(pause, -late)
		}
		if !sleep(ctx, pause) {
			return
		}
	}
}

// setLastDay stores the last day of which the message was sent, or need not be sent.
func (r *reminder) setLastDay(today string) {
	r.lastDay = today
	if err := r.save(today); err != nil {
		r.notifier.log.Warn("the day of the daily message was not stored: a restart may repeat it", "err", err)
	}
}

// due returns when the message is due on the day that the reminder's zone has at an instant.
func (r *reminder) due(now time.Time) time.Time {
	at, _ := time.Parse("15:04", r.at) // no error: the config has checked it
	day := now.In(r.zone)
	wall := time.Date(day.Year(), day.Month(), day.Day(), at.Hour(), at.Minute(), 0, 0, time.UTC)
	return whenClocksShow(wall, r.zone)
}

// sleep waits, and reports false if ctx is done.
func sleep(ctx context.Context, wait time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(wait):
		return true
	}
}

// tell sends the message of a day, if there is anything to tell.
func (r *reminder) tell(ctx context.Context, today string) error {
	events, err := r.events(ctx, today)
	if err == nil && len(events) == 0 {
		return nil
	}
	if err == nil {
		err = r.notifier.views.store.check() // another service may own the data now, and send messages
	}
	if err == nil {
		_, err = r.notifier.send(ctx, r.message(events))
	}
	if err != nil {
		r.notifier.setError(err)
		return err
	}
	r.notifier.setTaken()
	return nil
}

// day returns the date that the reminder's zone has at an instant.
func (r *reminder) day(at time.Time) string { return at.In(r.zone).Format(time.DateOnly) }

// events returns the visits of a day, followed by the steps that are due on it or overdue, both
// sorted by time. Visits without a time of day come first. Dismissed and deleted flats and duplicates have no events.
// As in Today on the page, a flat that is gone has no steps unless it is signed, because it is only to be dismissed.
func (r *reminder) events(ctx context.Context, today string) (events []flatEvent, err error) {
	n := r.notifier
	work := turns.NewTask(ctx, n.views.store.turns)
	defer work.Finish(&err)
	type datedEvent struct {
		flatEvent
		at time.Time
	}
	var visits, steps []datedEvent
	for _, f := range n.views.store.snapshot().all() {
		work.Step(10) // steps take a few nanoseconds each
		if f.hasStatus(deadStatuses) {
			continue
		}
		link := n.website + f.fragment()
		if at := f.VisitDate.shownIn(r.zone); f.VisitDate.Known() && at.Format(time.DateOnly) == today {
			event := flatEvent{Event: "visit", Link: link, flat: f}
			if f.VisitDate.hasTime() {
				event.label = at.Format("15:04") + " Visit"
			}
			visits = append(visits, datedEvent{event, at})
		}
		hasStep := f.NextStep.String() != "" && f.NextDate.Known()
		isToDismiss := f.Gone.Known() && !f.hasStatus([]string{"signed"})
		if at := f.NextDate.shownIn(r.zone); hasStep && !isToDismiss && at.Format(time.DateOnly) <= today {
			event := flatEvent{Event: "due", Link: link, label: short(f.NextStep.String()), flat: f}
			steps = append(steps, datedEvent{event, at})
		}
	}
	for _, list := range [][]datedEvent{visits, steps} {
		slices.SortStableFunc(list, func(a, b datedEvent) int { return a.at.Compare(b.at) })
		for _, event := range list {
			events = append(events, event.flatEvent)
		}
	}
	return events, nil
}

// message returns the message about a day's events.
func (r *reminder) message(events []flatEvent) message {
	page := "#/today"
	m := newMessage(r.notifier.website, View{Name: "Today", Page: &page}, events)
	m.about = "day"
	counts := map[string]int{}
	for _, event := range events {
		counts[event.Event]++
	}
	var parts []string
	if n := counts["visit"]; n == 1 {
		parts = append(parts, "1 visit")
	} else if n > 1 {
		parts = append(parts, fmt.Sprintf("%d visits", n))
	}
	if n := counts["due"]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d due", n))
	}
	m.Title = m.View + ": " + strings.Join(parts, ", ")
	return m
}
