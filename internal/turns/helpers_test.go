// What tests share with those of other packages.

package turns

import (
	"net/http"
)

// endsEarly calls f, and reports whether a task in it ends early, as that of a client which has gone.
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
