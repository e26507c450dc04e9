// The times and the outcomes of imports.

package main

import (
	"sync"
	"time"
)

// Counts holds the number of listings that an import added, updated or left unchanged,
// and of flats that it marked as gone. Of the added ones, rules have followed and dismissed some.
type Counts struct {
	Added     int `json:"added"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
	Gone      int `json:"gone"`
	Followed  int `json:"followed,omitempty"`
	Dismissed int `json:"dismissed,omitempty"`
}

// An importClock gives each import a later time than all imports before it, whatever the
// clock shows, and even after a restart. It is safe for concurrent use.
type importClock struct {
	now func() time.Time

	applying sync.Mutex // held by the import that is being applied, and by messages for a moment

	mu      sync.Mutex // guards the rest, and is taken after applying
	last    time.Time  // no import has a later time
	running time.Time  // of the import that is being applied, or the zero time
}

// load seeds the clock from a flat that is stored before any import. The service has set UpdatedAt, so
// that counts even if the clock has gone back by years, but not if it is a lifetime ahead, because a
// person has set it then. A listing may have brought the others, so advance ignores them if they
// are too far ahead.
func (c *importClock) load(f *Flat) {
	if at := f.UpdatedAt.at; at.After(c.last) && at.Before(c.now().AddDate(80, 0, 0)) {
		c.last = wholeMillisecond(at)
	}
	c.advance(f.FirstSeen.at)
	c.advance(f.Gone.at)
}

// advance makes the times of later imports later than at, and reports whether they are. A time
// more than a day ahead of the clock is taken for a mistake and changes nothing.
func (c *importClock) advance(at time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !at.After(c.last) {
		return true
	}
	if at.After(c.now().Add(day)) {
		return false
	}
	c.last = wholeMillisecond(at)
	return true
}

// wholeMillisecond rounds a time up, because told and seen are stored in milliseconds.
func wholeMillisecond(at time.Time) time.Time {
	return at.Add(time.Millisecond - 1).Truncate(time.Millisecond)
}

// begin waits until no import is being applied, and returns the time of a new one. The caller
// must call end.
func (c *importClock) begin() time.Time {
	c.applying.Lock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running = c.next()
	return c.running
}

func (c *importClock) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running = time.Time{}
	c.applying.Unlock()
}

// lastFinished waits until no import is being applied, and returns a time at or after the ends of
// all imports.
func (c *importClock) lastFinished() time.Time {
	c.applying.Lock()
	defer c.applying.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// between returns a time later than every finished import, and earlier than any that is under
// way or to come.
func (c *importClock) between() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.running.IsZero() {
		return c.running.Add(-time.Millisecond)
	}
	return c.next()
}

// next returns the current time or, if that is not after last, the next millisecond. The caller
// must hold mu.
func (c *importClock) next() time.Time {
	now := c.now().UTC().Truncate(time.Millisecond)
	if !now.After(c.last) {
		now = c.last.Add(time.Millisecond).Truncate(time.Millisecond)
	}
	c.last = now
	return now
}

// An Outcome tells what an import did.
type Outcome struct {
	At     string `json:"at"`
	Source string `json:"source"` // the name of a file, or HTTP
	Counts
	Error *string `json:"error"`          // why the import was refused, nil if it was not
	Note  string  `json:"note,omitempty"` // why a mail has no listing, or what was left out, else ""
}

// outcomes holds the outcomes of the last 20 imports since the start, newest first.
type outcomes struct {
	mu   sync.Mutex
	list []Outcome
}
