// Flowed text: plain text whose lines may be parts of paragraphs (RFC 3676).

package listing

import "strings"

// joinFlowed returns a text in format=flowed with each paragraph in one line. isSpaced tells that the blank at the end
// of a line belongs to the text (DelSp=no).
func joinFlowed(text string, isSpaced bool) string {
	var out strings.Builder
	out.Grow(len(text))
	isOpen := false // the paragraph goes on in the next line
	depth := 0      // marks of quotation before its lines
	isFirst := true
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		rest := strings.TrimLeft(line, ">")
		quotes := len(line) - len(rest)
		rest = strings.TrimPrefix(rest, " ")
		isSignature := rest == "-- "
		if !isOpen || quotes != depth || isSignature || rest == "" {
			if !isFirst {
				out.WriteByte('\n')
			}
			out.WriteString(line[:quotes])
			if quotes > 0 {
				out.WriteByte(' ')
			}
		}
		isFirst = false
		depth = quotes
		isOpen = strings.HasSuffix(rest, " ") && !isSignature
		if isOpen && !isSpaced {
			rest = rest[:len(rest)-1]
		}
		out.WriteString(rest)
	}
	return out.String()
}
