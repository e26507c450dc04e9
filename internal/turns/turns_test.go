// Tests of turns.go.

package turns

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Long tasks run one at a time, in turns, and end after their clients disconnect. Short tasks never wait.
func TestTask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := NewQueue()
		taskAfter := func(ctx context.Context, worked time.Duration) *Task {
			work := NewTask(ctx, turns)
			work.worked = worked
			return work
		}
		ctx, cancel := context.WithCancel(t.Context())
		first := taskAfter(t.Context(), time.Hour)
		if first.Step(clockSteps); !first.inTurn {
			t.Fatal("a long task has no turn")
		}
		begun := make(chan *Task, 3)
		begin := func(work *Task) {
			go func() {
				work.Step(clockSteps)
				begun <- work
			}()
			synctest.Wait()
		}
		second, third := taskAfter(t.Context(), time.Hour), taskAfter(t.Context(), 2*quickTime)
		begin(second)
		begin(third)
		NewTask(ctx, turns).Step(clockSteps) // does not wait
		if len(begun) > 0 {
			t.Error("two long tasks run at the same time")
		}
		// A task whose turn is over waits for its next one after the others.
		time.Sleep(2 * turnTime)
		begin(first)
		for i, want := range []*Task{second, third, first} {
			if got := <-begun; got != want || !got.inTurn {
				t.Errorf("turn %d went to another task", i)
			}
			want.Pause()
		}
		cancel()
		if endsEarly(func() { NewTask(ctx, turns).Step(clockSteps) }) {
			t.Error("a short task ends because its client has disconnected")
		}
		if !endsEarly(func() { taskAfter(ctx, 2*grace).Step(clockSteps) }) {
			t.Error("a long task goes on although its client has disconnected")
		}
		background := func() (err error) {
			work := taskAfter(ctx, 2*grace)
			defer work.Finish(&err)
			work.Step(clockSteps)
			return nil
		}
		if err := background(); err != context.Canceled {
			t.Errorf("work in the background that must end: %v; want %v", err, context.Canceled)
		}
		panics := func() (err error) {
			work := taskAfter(t.Context(), 0)
			defer work.Finish(&err)
			panic("a mistake")
		}
		if err := panics(); err == nil || err.Error() != "internal error: a mistake" {
			t.Errorf("work in the background that panics: %v", err)
		}
		// A task that waits for its turn ends some time after its client has disconnected,
		// and takes no turn.
		for wait, wantEnd := range map[time.Duration]bool{maxWaiting - 1: false, maxWaiting + 1: true} {
			first.Resume() // takes the turn
			late, ended := taskAfter(ctx, 2*quickTime), make(chan bool)
			go func() { ended <- endsEarly(late.Resume) }()
			time.Sleep(wait)
			if !wantEnd {
				first.Pause()
			}
			if got := <-ended; got != wantEnd || late.inTurn == wantEnd {
				t.Errorf("after %v: ended %v, in turn %v; want %v", wait, got, late.inTurn, wantEnd)
			}
			late.Pause()
			first.Pause()
			if isFree := len(turns.Lock) == 1; !isFree {
				t.Errorf("after %v: a task that has ended keeps its turn", wait)
			}
		}
	})
}

// Before each of its turns, a task waits at most for one turn of each other long task. Sleeping in the fake time of
// synctest stands for work.
func TestTurns(t *testing.T) {
	const step = time.Millisecond
	for _, long := range []int{1, 4} {
		synctest.Test(t, func(t *testing.T) {
			turns := NewQueue()
			took := func(work time.Duration) time.Duration {
				task, began := NewTask(t.Context(), turns), time.Now()
				defer task.Pause()
				for range work / step {
					time.Sleep(step)
					task.Step(clockSteps)
				}
				return time.Since(began)
			}
			var group sync.WaitGroup
			for range long {
				group.Go(func() { took(5 * time.Second) })
			}
			time.Sleep(2 * time.Second)
			for _, work := range []time.Duration{step, quickTime - step, 2 * quickTime, turnTime, 3 * turnTime} {
				limit := work
				if work > quickTime {
					turnsNeeded := 1 + (work-quickTime)/turnTime
					limit += turnsNeeded * time.Duration(long) * (turnTime + step) // a turn ends within a step
				}
				if all := took(work); all > limit {
					t.Errorf("with %d long tasks, %v of work took %v; want at most %v", long, work, all, limit)
				}
				time.Sleep(3 * step)
			}
			group.Wait()
		})
	}
}

// Tasks whose clients have gone delay another long task no more than a single task does, and all of them end soon,
// however many they are.
func TestTurnsOfGoneClients(t *testing.T) {
	const step, gone, needed = time.Millisecond, 60, 2 * time.Second
	synctest.Test(t, func(t *testing.T) {
		turns := NewQueue()
		works := func(ctx context.Context, work time.Duration) (worked time.Duration) {
			task := NewTask(ctx, turns)
			defer task.Pause()
			endsEarly(func() {
				for ; worked < work; worked += step {
					time.Sleep(step)
					task.Step(clockSteps)
				}
			})
			return worked
		}
		ctx, leave := context.WithCancel(t.Context())
		var group sync.WaitGroup
		var wasted atomic.Int64
		for range gone {
			group.Go(func() { wasted.Add(int64(works(ctx, time.Hour))) })
		}
		time.Sleep(4 * turnTime)
		wasted.Store(0)
		leave()
		began := time.Now()
		// A task that takes turns with one other takes twice as long, and a little more.
		if works(t.Context(), needed); time.Since(began) > needed*9/4 {
			t.Errorf("with the tasks of %d gone clients, %v of work took %v", gone, needed, time.Since(began))
		}
		group.Wait()
		if all := time.Since(began); all > maxWaiting+grace || time.Duration(wasted.Load()) > maxWaiting+grace {
			t.Errorf("%d gone clients took %v of work until they ended, after %v", gone, time.Duration(wasted.Load()), all)
		}
	})
}
