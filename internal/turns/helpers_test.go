// What these tests share with other packages' tests.

package turns

import (
	"net/http"
)

// endsEarly calls f, and reports whether a task in it ends early, as the task of a client does that has gone.
func endsEarly(f func()) (ended bool) {
	defer func() {
		what := recover()
		if ended = what == http.ErrAbortHandler; what != nil && !ended {
			panic(what)
		}
	}()
	f()
	return false
}
