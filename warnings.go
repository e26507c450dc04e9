// Warnings that many flats may cause, logged once.

package main

import "log/slog"

// warnings collects the warnings of a long piece of work. Each kind is logged once, with the
// number of warnings and the first example, so that a large file cannot fill the log.
type warnings struct{ kinds []*warning }

// A warning is a kind of warning.
type warning struct {
	text, field string
	example     []any // the attributes of the first one
	count       int
}

// add adds a warning. Warnings with the same text and field are of one kind. field is "" if the
// warning is about no field.
func (w *warnings) add(text, field string, example ...any) {
	for _, kind := range w.kinds {
		if kind.text == text && kind.field == field {
			kind.count++
			return
		}
	}
	if field != "" {
		example = append([]any{"field", field}, example...)
	}
	w.kinds = append(w.kinds, &warning{text, field, example, 1})
}

// logTo logs the warnings.
func (w *warnings) logTo(log *slog.Logger) {
	for _, kind := range w.kinds {
		log.Warn(kind.text, append(kind.example, "count", kind.count)...)
	}
}
