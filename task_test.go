// Tests of task.go.

package main

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Long tasks run one at a time, in turns, and end after their clients disconnect. Short
// tasks never wait.
func TestTask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns()
		worked := func(ctx context.Context, d time.Duration) *task {
			work := newTask(ctx, turns)
			work.worked = d
			return work
		}
		ctx, cancel := context.WithCancel(t.Context())
		first := worked(t.Context(), time.Hour)
		if first.step(clockSteps); !first.inTurn {
			t.Fatal("a long task has no turn")
		}
		begun := make(chan *task, 3)
		begin := func(work *task) {
			go func() {
				work.step(clockSteps)
				begun <- work
			}()
			synctest.Wait()
		}
		second, third := worked(t.Context(), time.Hour), worked(t.Context(), 2*quickTime)
		begin(second)
		begin(third)
		newTask(ctx, turns).step(clockSteps) // does not wait
		if len(begun) > 0 {
			t.Error("two long tasks run at the same time")
		}
		// A task whose turn is over waits for its next one after the others.
		time.Sleep(2 * turnTime)
		begin(first)
		for i, want := range []*task{second, third, first} {
			if got := <-begun; got != want || !got.inTurn {
				t.Errorf("turn %d went to another task", i)
			}
			want.pause()
		}
		cancel()
		if endsEarly(func() { newTask(ctx, turns).step(clockSteps) }) {
			t.Error("a short task ends because its client has disconnected")
		}
		if !endsEarly(func() { worked(ctx, 2*grace).step(clockSteps) }) {
			t.Error("a long task goes on although its client has disconnected")
		}
		background := func() (err error) {
			work := worked(ctx, 2*grace)
			defer work.finish(&err)
			work.step(clockSteps)
			return nil
		}
		if err := background(); err != context.Canceled {
			t.Errorf("work in the background that must end: %v", err)
		}
		panics := func() (err error) {
			work := worked(t.Context(), 0)
			defer work.finish(&err)
			panic("a mistake")
		}
		if err := panics(); err == nil || err.Error() != "internal error: a mistake" {
			t.Errorf("work in the background that panics: %v", err)
		}
		// A task that waits for its turn ends some time after its client has disconnected,
		// and takes no turn.
		for wait, want := range map[time.Duration]bool{maxWaiting - 1: false, maxWaiting + 1: true} {
			first.resume()
			late, ended := worked(ctx, 2*quickTime), make(chan bool)
			go func() { ended <- endsEarly(late.resume) }()
			time.Sleep(wait)
			if !want {
				first.pause()
			}
			if got := <-ended; got != want || late.inTurn == want {
				t.Errorf("after %v: ended %v, in turn %v; want %v", wait, got, late.inTurn, want)
			}
			late.pause()
			first.pause()
			if len(turns.lock) != 1 {
				t.Errorf("after %v: a task that has ended keeps its turn", wait)
			}
		}
	})
}

// A task waits at most for one turn of each other long task before each of its own. Work is
// simulated by sleeping in synctest's fake time.
func TestTurns(t *testing.T) {
	const step = time.Millisecond
	for _, long := range []int{1, 4} {
		synctest.Test(t, func(t *testing.T) {
			turns := newTurns()
			took := func(work time.Duration) time.Duration {
				task, began := newTask(t.Context(), turns), time.Now()
				defer task.pause()
				for range work / step {
					time.Sleep(step)
					task.step(clockSteps)
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
					limit += (1 + (work-quickTime)/turnTime) * time.Duration(long) * (turnTime + step)
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

// Tasks whose clients have gone delay another long task no more than a single one does, and together
// end soon, however many they are.
func TestTurnsOfGoneClients(t *testing.T) {
	const step, gone, needed = time.Millisecond, 60, 2 * time.Second
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns()
		works := func(ctx context.Context, work time.Duration) (worked time.Duration) {
			task := newTask(ctx, turns)
			defer task.pause()
			endsEarly(func() {
				for ; worked < work; worked += step {
					time.Sleep(step)
					task.step(clockSteps)
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
		if works(t.Context(), needed); time.Since(began) > needed*9/4 {
			t.Errorf("beside the tasks of %d gone clients, %v of work took %v", gone, needed, time.Since(began))
		}
		group.Wait()
		if all := time.Since(began); all > maxWaiting+grace || time.Duration(wasted.Load()) > maxWaiting+grace {
			t.Errorf("%d gone clients took %v of work until they ended, after %v", gone, time.Duration(wasted.Load()), all)
		}
	})
}
