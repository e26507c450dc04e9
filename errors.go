// Errors with the HTTP status of their answer, warnings of which each kind is logged once, and regular
// expressions that are compiled when they are first used.

package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"sync"
)

// A statusError is an error with the HTTP status of its answer. server.answerError writes it, and
// logs any other error and answers it with 500. MCP has errors of its own (rpcError), and
// net/http answers some requests itself.
type statusError struct {
	status int
	text   string
	wrong  map[string]string // what is wrong, by the keys of settings; nil for other errors
}

// The statuses of most errors. Their names say what is wrong, so that the store need not know HTTP.
const (
	statusInvalid = http.StatusBadRequest         // the request is malformed
	statusMissing = http.StatusNotFound           // the resource does not exist
	statusChanged = http.StatusPreconditionFailed // the resource has changed since it was read
	statusRepeat  = http.StatusConflict           // the same request has been answered before
)

func (e *statusError) Error() string { return e.text }

// errorf returns a statusError with a formatted text.
func errorf(status int, format string, args ...any) *statusError {
	return &statusError{status: status, text: fmt.Sprintf(format, args...)}
}

// errorText returns the text of an error, or "" for nil.
func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

var errMissing = errors.New("is missing")

// invalidParameter returns the error for a parameter with an invalid value.
func invalidParameter(name string, err error) error {
	return errorf(statusInvalid, "Invalid %s provided: %v.", name, err)
}

// recoverError turns a panic into an error. Goroutines of the service defer it, because net/http
// recovers only from panics in handlers, and any other panic ends the service.
func recoverError(err *error) {
	if what := recover(); what != nil {
		*err = fmt.Errorf("%w: %v", errInternal, what)
	}
}

// errInternal is in the error of a panic. The same input would cause it again.
var errInternal = errors.New("internal error")

// warnings collects the warnings of a long piece of work. Each kind is logged once, with the
// number of warnings and the first example, so that a large file cannot fill the log.
type warnings struct{ kinds []*warning }

// A warning stands for all warnings of one kind.
type warning struct {
	text, field string
	example     []any // the attributes of the first one
	count       int
}

// noField is the field of a warning that is about no field.
const noField = ""

// add adds a warning. Warnings with the same text and field are of one kind.
func (w *warnings) add(text, field string, example ...any) {
	for _, kind := range w.kinds {
		if kind.text == text && kind.field == field {
			kind.count++
			return
		}
	}
	if field != noField {
		example = append([]any{"field", field}, example...)
	}
	w.kinds = append(w.kinds, &warning{text, field, example, 1})
}

// logTo logs one line for each kind of warning, with an example and the count.
func (w *warnings) logTo(log *slog.Logger) {
	for _, kind := range w.kinds {
		log.Warn(kind.text, append(kind.example, "count", kind.count)...)
	}
}

// A pattern returns a regular expression. It may be called by several goroutines at once.
type pattern func() *regexp.Regexp

// newPattern returns the pattern of a text, which is compiled at the first call. Compiling all of them would slow down
// each start: there are hundreds, most of them for mails. The first call panics if the text is no regular expression.
func newPattern(text string) pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
