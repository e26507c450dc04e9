// The rows of CSV, of listings and of postal codes alike: their cells, and errors with lines.

package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
)

// maxColumns is the largest number of cells in a row of CSV.
const maxColumns = 10_000

// newCSVReader returns a reader of the rows of a text (RFC 4180). A row with more than maxColumns
// cells is an error, because csv.Reader takes 80 bytes for each of them, however short it is.
func newCSVReader(name string, text []byte, comma rune) (*csv.Reader, error) {
	line, cells, isQuoted := 1, 1, false
	for _, c := range text {
		switch {
		case c == '"':
			isQuoted = !isQuoted // a quotation mark within a cell stands twice
		case c == '\n' && isQuoted:
			line++
		case c == '\n':
			line, cells = line+1, 1
		case rune(c) == comma && !isQuoted:
			cells++
		}
		if cells > maxColumns {
			return nil, fmt.Errorf("%s:%d: the row has more than %d cells", name, line, maxColumns)
		}
	}
	rows := csv.NewReader(bytes.NewReader(keepReturns(text)))
	rows.Comma = comma
	return rows, nil
}

// keepReturns doubles the CR of each CRLF in quotes, because csv.Reader drops one.
func keepReturns(text []byte) []byte {
	var kept []byte
	copied, isQuoted := 0, false
	for i, c := range text {
		switch {
		case c == '"':
			isQuoted = !isQuoted
		case c == '\n' && isQuoted && i > 0 && text[i-1] == '\r':
			kept = append(append(kept, text[copied:i]...), '\r')
			copied = i
		}
	}
	if copied == 0 {
		return text
	}
	return append(kept, text[copied:]...)
}

// csvMistakes say how to mend what a csv.Reader refuses.
var csvMistakes = map[error]error{
	csv.ErrBareQuote: errors.New(`put a cell that has a quotation mark into quotation marks, and write the mark as ""`),
	csv.ErrQuote:     errors.New(`a quoted cell does not end, or has a quotation mark that is not written as ""`),
}

// readCSVLine reads the cells of a line. Errors name the line, except io.EOF after the last one.
func readCSVLine(name string, r *csv.Reader) (cells []string, err error) {
	cells, err = r.Read()
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		err = fmt.Errorf("%s:%d: %w", name, parse.Line, cmp.Or(csvMistakes[parse.Err], parse.Err))
	}
	return cells, err
}
