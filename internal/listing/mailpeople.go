// People: letters that they write, and mails of portals that they forward.

package listing

import (
	"encoding/json"
	"slices"
	"strings"
)

// A forward is the head of a mail that is forwarded within another mail. Missing members are "".
type forward struct {
	sender     string // the domain of the last quoted sender
	subject    string
	isOfPerson bool // as in mailMessage
	end        int  // the first leaf after the subject of the head
}

const (
	headLines = 8  // lines, from that of the sender on, in which the subject of a quoted head is looked for
	noteLines = 40 // most lines between the heads of a mail that was forwarded twice

	longestFrom = 300 // bytes of the line with the sender of a quoted head
)

var (
	fromLine    = newPattern(`(?i)^[*>\s]*{{fromName}}\*? ?[:：](.*@.*)`)
	subjectLine = newPattern(`(?i)^[*>\s]*{{subjectName}}\*? ?[:：]\*? *(.+)`)
	// headLine matches a line of a quoted head with addresses, or with the date.
	headLine = newPattern(`(?i)^[*>\s]*\p{L}[\p{L} -]{0,20}\*? ?[:：].*@|^[*>\s]*{{sentName}}\*? ?[:：]\*? .*\d{4}`)
	// forwardMark matches what stands before the subject of a mail that is forwarded. In Finnish "VS" marks a reply, but
	// people rarely reply to portals.
	forwardMark = newPattern(`(?i)^(?:\s*{{forwarded}}(?:\[\d+\])?\s*[:：])+\s*`)
)

// withoutForward returns a subject without the marks that it is forwarded.
func withoutForward(subject string) string { return forwardMark().ReplaceAllLiteralString(subject, "") }

// forwardIn returns the head of the mail that is quoted in lines, if there is one. A mail that was forwarded twice has
// two heads, with nothing but notes between them. The subject is that of the last such head. The sender is that of the
// last head of any kind: the mail of a portal is the innermost one, and what stands above it may be a signature with
// links.
func (r *MailRules) forwardIn(leaves []leaf) (found forward) {
	for i, l := range leaves {
		from := fromOfHead(l.text)
		if from == "" {
			continue
		}
		if domain := domainOf(l.text); domain != "" {
			found.sender = domain
		}
		if i < found.end { // another line of the same head: "From:", "Von:", "Subject:"
			continue
		}
		between := leaves[found.end:i]
		isOfOtherMail := len(between) > noteLines || slices.ContainsFunc(between, isOfContent)
		if found.subject != "" && isOfOtherMail {
			continue
		}
		for j := i; j < min(len(leaves), i+headLines); j++ {
			if subject := subjectLine().FindStringSubmatch(leaves[j].text); subject != nil {
				found.subject = subject[1]
				found.end = j + 1
				found.isOfPerson = r.isPersonal(from, senderName(from))
				break
			}
		}
	}
	return found
}

// fromOfHead returns the sender in a line of a quoted head: "Ann <ann@a.example>" of "From: Ann <ann@a.example>". It
// returns "" if the line is another one.
func fromOfHead(line string) string {
	if len(line) >= longestFrom || !strings.Contains(line, "@") {
		return ""
	}
	from := fromLine().FindStringSubmatch(line)
	if from == nil {
		return ""
	}
	return from[1]
}

// isOfContent reports whether a leaf may belong to a listing rather than to a note.
func isOfContent(l leaf) bool {
	return l.isImage || slices.ContainsFunc(l.links, func(link string) bool { return strings.HasPrefix(link, "http") })
}

// inFirstPerson reports whether one of the leaves that have no links is written in the first person.
func inFirstPerson(leaves []leaf) bool {
	return slices.ContainsFunc(leaves, func(l leaf) bool { return len(l.links) == 0 && firstPerson().MatchString(l.text) })
}

// isAlert reports whether the subject of a mail with one listing tells of something new or of a search, or names the
// home. Letters about one home have other subjects.
func (m *mailMessage) isAlert(listing map[string]json.RawMessage) bool {
	if newsWords.in(strings.ToLower(m.topic)) {
		return true
	}
	subject := " " + m.rules.Fold(m.topic) + " "
	for _, name := range []string{"title", "location"} {
		value := string(listing[name]) // JSON: the quotes are no words
		text := m.rules.Fold(value)
		if value != "null" && text != "" && strings.Contains(subject, " "+text+" ") {
			return true
		}
	}
	return false
}

// isOfSender reports whether a listing is from the site of the sender, by its id and the names of the two sites.
func isOfSender(id, sender string) bool {
	_, site, _ := strings.Cut(id, "@")
	return siteName(site) == siteName(sender)
}

// siteName returns the first label of the site of a host: "portal" of www.portal.co.uk. A portal has the same one in
// several countries.
func siteName(host string) string {
	name, _, _ := strings.Cut(domains().siteOf(host), ".")
	return name
}

// isLetter reports whether a mail whose only listing is in a card was written by a person to the reader: from an
// address of their own, in the first person above the card, or with words of somebody who knows the reader.
func (m *mailMessage) isLetter(leaves []leaf, card *card, forwarded forward) bool {
	above, below := leaves[:card.start], leaves[card.end:]
	return m.isFromPerson(forwarded) || inFirstPerson(above) || hasLetterWords(above) || hasLetterWords(below)
}

// isFromPerson reports whether a mail, or the one that it forwards, is from an address of a person.
func (m *mailMessage) isFromPerson(forwarded forward) bool {
	if forwarded.subject != "" {
		return forwarded.isOfPerson
	}
	return m.isOfPerson
}

// hasLetterWords reports whether one of the leaves that have no links has words of somebody who knows the reader.
func hasLetterWords(leaves []leaf) bool {
	return slices.ContainsFunc(leaves, func(l leaf) bool {
		return len(l.links) == 0 && letterWords.in(strings.ToLower(l.text))
	})
}
