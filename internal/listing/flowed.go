// Flowed text: plain text whose lines may be parts of paragraphs (RFC 3676).

package listing

import "strings"

// joinFlowed returns a text in format=flowed with each paragraph in one line. A paragraph goes on in the next line if a
// line ends with a blank. keepsBlanks tells that these blanks belong to the text (DelSp=no).
func joinFlowed(text string, keepsBlanks bool) string {
	var out strings.Builder
	out.Grow(len(text))
	isOpen := false // the paragraph goes on in the next line
	depth := 0      // marks of quotation before the lines of the paragraph
	isFirst := true
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		rest := strings.TrimLeft(line, ">")
		quotes := len(line) - len(rest)
		rest = strings.TrimPrefix(rest, " ")
		isSignature := rest == "-- " // the line above a signature, whose blank has no meaning
		goesOn := isOpen && quotes == depth && !isSignature && rest != ""
		if !goesOn {
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
		if isOpen && !keepsBlanks {
			rest = rest[:len(rest)-1]
		}
		out.WriteString(rest)
	}
	return out.String()
}
