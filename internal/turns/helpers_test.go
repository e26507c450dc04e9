// What these tests share with other packages' tests.

package turns

import (
	"net/http"
)

// endsEarly calls f, and reports whether a task in it ends early, as if its client had gone.
func endsEarly(f func()) (endsEarly bool) {
	defer func() {
		switch what := recover(); what {
		case nil:
		case http.ErrAbortHandler: // a task ends with this panic
			endsEarly = true
		default:
			panic(what)
		}
	}()
	f()
	return false
}
