// Regular expressions that are compiled when they are first used.

package listing

import (
	"regexp"
	"sync"
)

// A pattern returns a regular expression. It may be called by several goroutines at once.
type pattern func() *regexp.Regexp

// newPattern returns the pattern of a text, which may name lists of words: see withWords. It is compiled at the first
// call. Compiling all of them would slow down each start: there are hundreds, most of them for mails. The first call
// panics if the text is no regular expression, or names a list that does not exist.
func newPattern(text string) pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(withWords(text)) })
}
