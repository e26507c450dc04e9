// Package turns lets long work take turns, so that short work need not wait for it.
//
// A [Task] is the work for one request, or for one pass of a background goroutine. It counts its steps itself
// ([Task.Step]). The first 5 ms of a task need no turn. After that it works in turns of 20 ms, and of all tasks of a
// [Queue] one has a turn at a time, in order of arrival. That leaves a processor for short requests. Before a task
// waits for anything else, it gives its turn back ([Task.Pause], [Task.Wait]).
//
// A task ends early if its context is done: Step and Wait panic with [http.ErrAbortHandler], as handlers do, and
// [Task.Finish] recovers from that in goroutines of other kinds.
package turns

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// A Task measures one piece of work. One goroutine at a time may use it. A nil task counts nothing, and only its method
// Step may be called.
type Task struct {
	ctx    context.Context
	turns  *Queue
	inTurn bool
	began  time.Time     // the start of the current stretch of work
	worked time.Duration // the earlier work, without the time spent waiting
	waited time.Duration // the time spent waiting since the client has gone
	steps  int           // steps since Step last read the clock
	total  int           // steps since the start, for tests
}

const (
	quickTime = 5 * time.Millisecond  // the work that a task may do without a turn
	turnTime  = 20 * time.Millisecond // the work in one turn
	// net/http cancels the context of a request when the client disconnects, but also
	// when it only closes its sending side. Such a client still gets its answer, unless
	// the work exceeds grace or all waits together exceed maxWaiting.
	grace      = time.Second
	maxWaiting = 5 * time.Second // of waiting for turns after the client has gone
)

// A Queue is where long tasks wait for their turns. It may be used by several goroutines at once.
type Queue struct {
	Lock      // held by the task that has a turn
	gone Lock // held by the one task that may wait for a turn although its client has gone
}

// NewQueue returns a queue in which no task has a turn.
func NewQueue() *Queue { return &Queue{NewLock(), NewLock()} }

// NewTask returns a task that begins now, and ends early when ctx is done.
func NewTask(ctx context.Context, queue *Queue) *Task {
	return &Task{ctx: ctx, turns: queue, began: time.Now()}
}

// clockSteps is the number of steps after which a task reads the clock: some tens of microseconds of work.
const clockSteps = 1 << 12

// Step charges work to the task, in steps of a few nanoseconds each, and yields when its turn is
// over. Long work must call it periodically. If the task must end, Step panics with
// http.ErrAbortHandler, like a handler whose client has gone. Background work recovers from that in
// Finish.
func (t *Task) Step(steps int) {
	if t == nil {
		return
	}
	t.steps += steps
	t.total += steps
	if t.steps >= clockSteps {
		t.readClock()
	}
}

// readClock ends the task if it must end, and gives or takes a turn if it is time to.
func (t *Task) readClock() {
	t.steps = 0
	worked := t.worked + time.Since(t.began)
	if worked > grace && t.ctx.Err() != nil { // the client has gone, or has closed its sending side
		panic(http.ErrAbortHandler)
	}
	if t.inTurn && time.Since(t.began) > turnTime {
		t.Pause() // gives a waiting task its turn
	}
	if !t.inTurn && worked > quickTime {
		t.takeTurn()
	}
}

// takeTurn waits for a turn. All tasks whose clients have gone share the turns of a single task, so that
// many requests that were given up delay no other for long.
func (t *Task) takeTurn() {
	if t.ctx.Err() == nil {
		t.Wait(t.turns.Lock)
		t.inTurn = true
	}
	if t.ctx.Err() == nil {
		return
	}
	// If the client has gone during the wait above, the task has a turn, which the next Wait gives back.
	t.Wait(t.turns.gone)
	defer t.turns.gone.Release()
	t.Wait(t.turns.Lock)
	t.inTurn = true
}

// Pause ends the turn. It must be called at the end of the work, and before the task
// waits for anything else.
func (t *Task) Pause() {
	now := time.Now()
	t.worked += now.Sub(t.began)
	t.began = now
	if t.inTurn {
		t.inTurn = false
		t.turns.Release()
	}
}

// Resume continues after a pause. The time of the pause does not count as work.
func (t *Task) Resume() {
	t.began = time.Now()
	t.Step(clockSteps) // so many that Step reads the clock at once, and takes a turn if the task is a long one
}

// Wait pauses the task until it receives from c: a lock, or a channel that is closed when
// something is done. Like Step, it panics if the client has gone and the wait takes too long.
func (t *Task) Wait(c <-chan struct{}) {
	t.Pause()
	defer func() { t.began = time.Now() }() // the wait is no work
	select {
	case <-c:
		return
	case <-t.ctx.Done():
	}
	whenGone := time.Now()
	select {
	case <-c:
		t.waited += time.Since(whenGone)
	case <-time.After(maxWaiting - t.waited):
		panic(http.ErrAbortHandler)
	}
}

// Spend counts some time as worked, in the turn if the task has one. Tests make a short task a long one with it.
func (t *Task) Spend(d time.Duration) {
	if t.inTurn {
		t.began = t.began.Add(-d)
	} else {
		t.worked += d
	}
}

// Steps returns the number of steps since the start. Tests compare how much work inputs take.
func (t *Task) Steps() int { return t.total }

// HasTurn reports whether the task has a turn, so that other long tasks wait for it. It is for tests.
func (t *Task) HasTurn() bool { return t.inTurn }

// Finish ends background work, which must defer it. It pauses the task, and sets err if the
// task had to end early, or has panicked.
func (t *Task) Finish(err *error) {
	t.Pause()
	switch reason := recover(); reason {
	case nil:
	case http.ErrAbortHandler:
		*err = t.ctx.Err()
	default:
		*err = fmt.Errorf("internal error: %v", reason)
	}
}

// A Lock is a mutex that a select can wait for. Receiving from it locks it, and Release
// unlocks it. Goroutines that wait get it in order of arrival.
type Lock chan struct{}

// NewLock returns a lock that is free.
func NewLock() Lock {
	l := make(Lock, 1)
	l.Release()
	return l
}

// Release unlocks l, which must be locked. Any goroutine may call it.
func (l Lock) Release() { l <- struct{}{} }
