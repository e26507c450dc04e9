// Records as CSV.

package main

import (
	"bufio"
	"strings"

	"flats/internal/turns"
)

// writeCSV writes records as CSV with a header (RFC 4180). It writes the given fields, or those
// that lists have if fields is nil. A byte order mark tells Excel that the text is UTF-8.
func (t *Fields[R]) writeCSV(work *turns.Task, out *bufio.Writer, records []*R, fields []int) {
	if fields == nil {
		fields = t.listed()
	}
	cells := make([]string, len(fields))
	row := func(text func(field[R]) string) string {
		for i, f := range fields {
			cells[i] = csvCell(text(t.list[f]))
		}
		return strings.Join(cells, ",") + "\r\n"
	}
	out.WriteString("\uFEFF" + row(func(f field[R]) string { return f.name }))
	for _, r := range records {
		out.WriteString(row(func(f field[R]) string {
			text := f.value(r).String()
			work.Step(100 + 4*len(text))
			return text
		}))
	}
}

// csvCell returns a text as a CSV cell that no spreadsheet takes for a formula. Unlike
// csv.Writer, it leaves line breaks in the text as they are.
func csvCell(text string) string {
	if _, isNumber := parseNumber(text); !isNumber {
		text = escapeFormulas(text)
	}
	if strings.ContainsAny(text, "\",\r\n") {
		text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

// escapeFormulas writes an apostrophe before each =, +, - and @ that a spreadsheet may find at the
// start of a cell, and before the apostrophes there.
func escapeFormulas(text string) string {
	var escaped strings.Builder
	copied := 0
	for _, start := range formulaStarts(text) {
		escaped.WriteString(text[copied:start] + "'")
		copied = start
	}
	return escaped.String() + text[copied:]
}

// formulaStarts returns where a cell may start, as a spreadsheet sees it, with =, +, - or @, perhaps after
// apostrophes. If it separates cells by semicolons or tabs, the quotes around this text are
// inside a cell and have no effect, so that cells also start after these and after line breaks.
func formulaStarts(text string) (starts []int) {
	atStart := true
	for i, c := range []byte(text) {
		if atStart && strings.IndexByte("'=+-@", c) >= 0 {
			formula := strings.TrimLeft(text[i:], "'")
			if formula != "" && strings.IndexByte("=+-@", formula[0]) >= 0 {
				starts = append(starts, i)
			}
		}
		switch c {
		case ';', '\t', '\r', '\n':
			atStart = true
		case '"', ' ': // spreadsheets may drop these at the start of a cell
		default:
			atStart = false
		}
	}
	return starts
}
