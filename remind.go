// The daily message about visits and next steps.

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A reminder sends one message a day, about today's visits and the next steps that are due.
type reminder struct {
	notifier *notifier
	zone     *time.Location   // of dates without an offset
	now      func() time.Time // the clock
}

// newReminder returns a reminder. If zone is nil, it uses the time zone of the machine.
func newReminder(n *notifier, zone *time.Location) *reminder {
	if zone == nil {
		zone = time.Local
	}
	return &reminder{n, zone, time.Now}
}

// run sends a message every day at the time of the config, until ctx is done. What was due before it
// started is not sent later. It looks at the clock every minute, because a timer does not count the
// time that a laptop is suspended, and the clock may be set.
func (r *reminder) run(ctx context.Context) {
	if r.notifier.to == nil || r.notifier.to.Remind == "" {
		return
	}
	told := "" // the last day of which the message was sent, or need not be sent
	if now := r.now(); !r.due(now).After(now) {
		told = r.day(now)
	}
	for {
		now := r.now()
		wait := r.due(now).Sub(now)
		if wait <= 0 && r.day(now) != told {
			told = r.day(now)
			r.tell(ctx, told)
		}
		if wait <= 0 {
			wait = time.Minute
		}
		if !sleep(ctx, min(wait, time.Minute)) {
			return
		}
	}
}

// due returns when the message is due on the day that the reminder's zone has at an instant.
func (r *reminder) due(now time.Time) time.Time {
	at, _ := time.Parse("15:04", r.notifier.to.Remind) // no error: the config has checked it
	day := now.In(r.zone)
	return inZone(time.Date(day.Year(), day.Month(), day.Day(), at.Hour(), at.Minute(), 0, 0, time.UTC), r.zone)
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

// tell sends the message of a day. After a failure it sends it again, as long as it is that day.
func (r *reminder) tell(ctx context.Context, today string) {
	wait := time.Duration(0)
	for r.day(r.now()) == today {
		events, err := r.events(ctx, today)
		if err == nil && len(events) == 0 {
			return
		}
		if err == nil {
			_, err = r.notifier.send(ctx, r.message(events))
		}
		r.notifier.setResult(err, err == nil)
		if err == nil {
			return
		}
		wait = longer(wait)
		r.notifier.views.log.Warn("the daily message could not be sent", "err", err, "again_in", wait)
		if !sleep(ctx, wait) {
			return
		}
	}
}

// day returns the date that the reminder's zone has at an instant.
func (r *reminder) day(at time.Time) string { return at.In(r.zone).Format(time.DateOnly) }

// wall returns a datetime as the clocks of the reminder's zone show it.
func (r *reminder) wall(d Datetime) time.Time {
	if d.hasOffset() {
		return d.at.In(r.zone)
	}
	return d.at
}

// events returns the visits of a day, followed by the steps that are due on it or overdue, each by
// time. Dismissed and deleted flats and duplicates have none.
func (r *reminder) events(ctx context.Context, today string) (events []flatEvent, err error) {
	n := r.notifier
	work := newTask(ctx, n.views.store.turns)
	defer work.finish(&err)
	type dated struct {
		flatEvent
		at time.Time
	}
	var visits, steps []dated
	for _, f := range n.views.store.snapshot().all() {
		work.step(10)
		if f.hasStatus(deadStatuses) {
			continue
		}
		link := n.website + f.fragment()
		if at := r.wall(f.VisitDate); f.VisitDate.Known() && at.Format(time.DateOnly) == today {
			event := flatEvent{Event: "visit", Link: link, label: at.Format("15:04") + " Visit", flat: f}
			visits = append(visits, dated{event, at})
		}
		if at := r.wall(f.NextDate); f.NextDate.Known() && f.NextStep.Known() && at.Format(time.DateOnly) <= today {
			steps = append(steps, dated{flatEvent{Event: "due", Link: link, label: short(f.NextStep.String()), flat: f}, at})
		}
	}
	for _, list := range [][]dated{visits, steps} {
		slices.SortStableFunc(list, func(a, b dated) int { return a.at.Compare(b.at) })
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
