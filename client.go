// What requests to other services have in common, and the background work that makes them.

package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"flats/internal/turns"
)

// version is set by releases: -ldflags "-X main.version=1.2.3". Requests to other services tell it.
var version = "1.0.0"

// noRedirect makes a client return redirects instead of following them.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

const (
	maxWait   = time.Hour       // the longest wait before a service is asked again
	stopGrace = 3 * time.Second // how long a message or a last look may take when the service stops
)

// backoff returns the time to wait after a failure: a minute, and then twice as long each
// time, up to an hour. lastWait is what it returned after the failure before, or 0.
func backoff(lastWait time.Duration) time.Duration { return min(max(time.Minute, 2*lastWait), maxWait) }

// unwantedStatus returns the error for an answer with an unwanted status.
func unwantedStatus(host string, status int) error {
	return fmt.Errorf("%s answered %d %s", host, status, http.StatusText(status))
}

// retryAfter returns how long an answer asks to wait, at most maxWait; 0 if it does not say, or names a date.
func retryAfter(answer *http.Response) time.Duration {
	seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
	return time.Duration(max(0, min(seconds, int(maxWait.Seconds())))) * time.Second
}

// isRefusal reports whether a status means that the server would refuse the same request again,
// but may accept others.
func isRefusal(status int) bool { return status/100 == 4 && status != http.StatusTooManyRequests }

// netErrorText returns why a request got no answer. It shows no URL, and no text of an answer that is
// not valid HTTP.
func netErrorText(err error) string {
	var operation *net.OpError
	var certificate *tls.CertificateVerificationError
	var timeout net.Error // a *net.OpError may be one, too
	switch {
	case errors.As(err, &timeout) && timeout.Timeout():
		return "no answer in time"
	case errors.As(err, &operation):
		return operation.Error()
	case errors.As(err, &certificate):
		return certificate.Error()
	}
	return "no valid answer"
}

var errNoNetwork = errors.New("this machine has no network")

// isOffline reports whether a request got no answer because this machine has no network, as far as the
// error tells: there is no route, or no DNS server answers.
func isOffline(err error) bool {
	var lookup *net.DNSError
	hasNoRoute := errors.Is(err, syscall.ENETUNREACH)
	hasNoDNS := errors.As(err, &lookup) && !lookup.IsNotFound
	return hasNoRoute || hasNoDNS
}

var errBusy = errors.New("too many requests wait")

// A pace keeps requests to a service apart by askEvery. It is safe for concurrent use.
type pace struct {
	mu   sync.Mutex
	next time.Time // when the next request may be sent
}

// wait waits for the turn of a request, or returns errBusy if that would take longer than a limit.
func (p *pace) wait(ctx context.Context, limit time.Duration) error {
	p.mu.Lock()
	now := time.Now()
	turn := p.next
	if turn.Before(now) {
		turn = now
	}
	if turn.Sub(now) > limit {
		p.mu.Unlock()
		return errBusy
	}
	p.next = turn.Add(askEvery)
	p.mu.Unlock()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Until(turn)):
		return nil
	}
}

// hold lets no request begin for a time.
func (p *pace) hold(wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if next := time.Now().Add(wait); next.After(p.next) {
		p.next = next
	}
}

// A backfill fetches data that flats lack, such as their travel times. At start and after changes it looks at all
// flats, queues what they lack, and asks another service for each of these, one at a time.
type backfill[Q any] struct {
	store   *Store
	changed <-chan struct{} // receives when flats have changed
	every   time.Duration   // the shortest time between two looks after changes: lookEvery, or half of it

	// look stores the answers, and makes the queue of what is still missing. isStored reports that all answers are
	// stored.
	look func(*turns.Task) (isStored bool)
	// ask asks for the first in the queue, and reports whether it got an answer. It may wait before it sends a request.
	ask func(context.Context) bool

	queue        []Q
	failurePause time.Duration // after the last failure; it grows with each failure
	notBefore    time.Time     // nothing is asked for before this time
	lastLook     time.Time     // when look was last called
}

const (
	askEvery   = time.Second      // between two requests to a service
	lookEvery  = 10 * time.Second // the shortest time between two looks after changes
	storeEvery = 30 * time.Second // the shortest time between two looks that store answers, while there is more to ask for
	maxIdle    = time.Hour        // from one look to the next, even without a change
	maxEdits   = 100              // flats that the service itself changes in one update
)

// run looks and asks until ctx is done. It looks after changes and answers, and once an hour.
func (b *backfill[Q]) run(ctx context.Context) {
	changed, answered := true, false // whether flats have changed, and answers have come, since the last look
	for ctx.Err() == nil {
		sinceLook := time.Since(b.lastLook)
		mustStore := answered && (len(b.queue) == 0 || sinceLook >= storeEvery)
		mustLook := changed && sinceLook >= b.every || sinceLook >= maxIdle
		if mustStore || mustLook {
			isStored := b.lookOnce(ctx)
			changed = !isStored // look again at what could not be stored
			answered = false
		}
		gotAnswer := false
		if len(b.queue) > 0 && !time.Now().Before(b.notBefore) {
			gotAnswer = b.askOnce(ctx)
		}
		answered = answered || gotAnswer
		pause := askEvery
		isIdle := !changed && !answered && len(b.queue) == 0
		switch {
		case gotAnswer && len(b.queue) > 0:
			pause = 0 // where a service wants a pause between requests, ask waits for it
		case isIdle:
			pause = time.Until(b.lastLook.Add(maxIdle))
		}
		select {
		case <-ctx.Done():
		case <-b.changed:
			changed = true
		case <-time.After(pause):
		}
	}
	if answered || changed {
		lastCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopGrace)
		defer cancel()
		b.queue = nil       // nothing more is asked for: look need not wait for answers before it stores
		b.lookOnce(lastCtx) // what it cannot store is asked for again after the next start
	}
}

// lookOnce calls look as one long task, and reports whether all answers are stored.
func (b *backfill[Q]) lookOnce(ctx context.Context) (isStored bool) {
	look := func() (err error) {
		work := turns.NewTask(ctx, b.store.turns)
		defer work.Finish(&err) // sets err after a panic, or if ctx is done
		isStored = b.look(work)
		return nil
	}
	if err := look(); err != nil && ctx.Err() == nil {
		b.store.log.Error("the flats could not be looked at", "err", err)
	}
	return isStored
}

// askOnce calls ask, and reports whether there is an answer. After a panic it waits as after a failure.
func (b *backfill[Q]) askOnce(ctx context.Context) (gotAnswer bool) {
	ask := func() (err error) {
		defer recoverError(&err) // sets err after a panic
		gotAnswer = b.ask(ctx)
		return nil
	}
	if err := ask(); err != nil {
		b.failurePause = backoff(b.failurePause)
		b.notBefore = time.Now().Add(b.failurePause)
		b.store.log.Error("an answer of another service could not be read", "err", err, "again_in", b.failurePause)
	}
	return gotAnswer
}

// amend stores the members that amended returns for each flat, as changes by the service itself, which leave updated_at
// as it is. It leaves alone flats that change meanwhile, that have these members already, or that would become too
// large. It reports whether it has stored anything.
func (s *Store) amend(work *turns.Task, amended func(*Flat) members) (stored bool, err error) {
	var edits []edit
	store := func() error {
		work.Pause()
		err := s.change(func(current func(id string) *Flat) ([]edit, error) {
			isStale := func(e edit) bool { return current(e.before.ID.String()) != e.before }
			return slices.DeleteFunc(edits, isStale), nil
		}, nil)
		if err != nil {
			return err
		}
		work.Resume()
		edits, stored = nil, true
		return nil
	}
	for _, f := range s.snapshot().all() {
		if values := amended(f); len(values) > 0 {
			if e, err := s.edit(f, values, f.UpdatedAt.JSON(), nil); err == nil && e.after != f {
				edits = append(edits, e)
			}
		}
		work.Step(3000 + len(f.served)) // as long as amended and edit take, in steps of a few nanoseconds
		if len(edits) == maxEdits {
			if err := store(); err != nil {
				return stored, err
			}
		}
	}
	if len(edits) > 0 {
		err = store()
	}
	return stored, err
}
