// Texts: HTML in the texts of listings as plain text, and characters that one does not see.

package listing

import (
	"bytes"
	"html"
	"strings"
)

// entity matches a character reference. One without its semicolon may be a parameter of a link: ?a=1&copy=2.
var entity = newPattern(`&(?:[A-Za-z][A-Za-z0-9]{1,31}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});`)

// PlainText returns a text of a listing without markup: of HTML, what a browser shows, with a line break for <br> and
// between paragraphs. Tags are read first and entities once, so that &lt;b&gt; stays the text <b>. Neither "5 < 6"
// nor <me@example.org> is a tag. Soft hyphens and characters without width are removed. It takes time linear in the
// text.
func PlainText(text string) string {
	if strings.IndexByte(text, '<') >= 0 {
		text = withoutTags(text)
	}
	if strings.IndexByte(text, '&') >= 0 {
		text = entity().ReplaceAllStringFunc(text, html.UnescapeString)
	}
	return hidden.Replace(text)
}

// hidden removes soft hyphens and characters without width.
var hidden = strings.NewReplacer("\u00ad", "", "\u200b", "", "\u200c", "", "\u200d", "", "\u200e", "", "\u200f", "",
	"\u2060", "", "\ufeff", "")

// plainSpaces replaces all kinds of spaces and apostrophes by plain ones, and all kinds of line breaks by \n.
func plainSpaces(text string) string { return spaces.Replace(text) }

var spaces = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u00a0", " ", "\u2000", " ", "\u2001", " ", "\u2002", " ",
	"\u2003", " ", "\u2004", " ", "\u2005", " ", "\u2006", " ", "\u2007", " ", "\u2008", " ", "\u2009", " ", "\u200a", " ",
	"\u202f", " ", "\u3000", " ", "’", "'", "\f", " ", "\v", " ")

// The elements of HTML: blocks end a line, inlines do not.
var (
	blocks = setOf("p div li tr h1 h2 h3 h4 h5 h6 ul ol table section article header footer blockquote dd dt dl pre hr " +
		"aside main nav figure figcaption tbody thead fieldset form")
	inlines = setOf("a abbr acronym address audio b basefont bdi bdo big body br button canvas caption center cite code " +
		"col colgroup data del details dfn em embed font g head html i iframe img input ins kbd label legend link map mark " +
		"meta nobr noscript object optgroup option output param picture progress q rp rt ruby s samp script select small " +
		"source span strike strong style sub summary sup svg td template textarea tfoot th time title tt u var video wbr o:p")
)

// withoutTags returns a text without its tags. A text without any stays as it is.
func withoutTags(text string) string {
	var out []byte
	breaks := 0 // line breaks before the next part
	hasTags := false
	unclosed := map[string]bool{} // elements that end nowhere in the rest, which is then searched only once
	for text != "" {
		part, tag, rest := cutTag(text)
		text = rest
		if breaks > 0 { // no white space stands next to a line break
			part = strings.TrimLeft(part, whiteSpace)
		}
		if part != "" {
			if breaks > 0 {
				out = bytes.TrimRight(out, whiteSpace)
			}
			if len(out) > 0 {
				out = append(out, strings.Repeat("\n", breaks)...)
			}
			breaks = 0
			out = append(out, part...)
		}
		if tag == "" {
			continue
		}
		hasTags = true
		name := strings.TrimPrefix(tag, "/")
		switch {
		case name == "br":
			breaks++
		case blocks[name]:
			breaks = max(breaks, 1)
		case tag == "td" || tag == "th":
			out = append(out, ' ')
		case tag == "!--" || tag == "script" || tag == "style":
			text = afterElement(text, tag, unclosed)
		}
	}
	if hasTags {
		out = bytes.TrimRight(out, whiteSpace)
	}
	return string(out)
}

const whiteSpace = " \t\r\n"

// cutTag cuts a text at its first tag or comment. tag is the name in lower case, with a slash before the name of an end
// tag, "!--" for a comment, or "" without a tag.
func cutTag(text string) (before, tag, after string) {
	for at := 0; ; at++ {
		i := strings.IndexByte(text[at:], '<')
		if i < 0 {
			return text, "", ""
		}
		at += i
		if strings.HasPrefix(text[at:], "<!--") {
			return text[:at], "!--", text[at+len("<!--"):]
		}
		end := strings.IndexAny(text[at+1:], "<>")
		if end < 0 {
			return text, "", ""
		}
		end += at + 1
		if text[end] == '<' { // the first < begins no tag: "5 < 6 <br>"
			at = end - 1
			continue
		}
		if name := tagName(text[at+1 : end]); name != "" {
			return text[:at], name, text[end+1:]
		}
	}
}

// otherTag matches what stands between the brackets of a tag with any name: of an end tag, of a tag with an attribute,
// or of one that closes itself.
var otherTag = newPattern(`^(?:/[A-Za-z][\w:-]*\s*|[A-Za-z][\w:-]*(?:\s[^=]*=\s*["'](?s:.*)|\s*/))$`)

// tagName returns the name of a tag, as cutTag does, given what stands between its brackets. It returns "" if that is
// no tag.
func tagName(content string) string {
	const longestName = 20 // bytes of the name of an element; those of blocks and inlines have fewer
	tag := strings.ToLower(content[:min(len(content), longestName)])
	if end := strings.IndexAny(tag, whiteSpace); end >= 0 {
		tag = tag[:end]
	}
	tag = strings.TrimSuffix(tag, "/")
	name := strings.TrimPrefix(tag, "/")
	if blocks[name] || inlines[name] || otherTag().MatchString(content) {
		return tag
	}
	return ""
}

// afterElement returns the text after a comment, a script or a style. An element without an end ends where it begins.
func afterElement(text, tag string, unclosed map[string]bool) string {
	if unclosed[tag] {
		return text
	}
	if tag == "!--" {
		if _, after, ok := strings.Cut(text, "-->"); ok {
			return after
		}
	} else if at := endTags[tag]().FindStringIndex(text); at != nil {
		return text[at[1]:]
	}
	unclosed[tag] = true
	return text
}

var endTags = map[string]pattern{
	"script": newPattern(`(?i)</script\s*>`),
	"style":  newPattern(`(?i)</style\s*>`),
}
