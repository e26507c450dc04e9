// The folders of a mailbox.

package imap

import (
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	maxFolders    = 500  // folders that a list has
	maxFolderName = 1000 // bytes of the name of a folder in a list
)

// Folders returns the names of the first maxFolders folders that can be opened, sorted, with INBOX first.
func (c *Client) Folders() (names []string, err error) {
	err = c.command(`LIST "" "*"`, func(r response) error {
		if name, isFolder := r.folder(); isFolder && len(names) < maxFolders {
			names = append(names, name)
		}
		return nil
	})
	isInbox := func(name string) bool { return strings.EqualFold(name, "INBOX") }
	slices.SortFunc(names, func(a, b string) int {
		switch {
		case isInbox(a) == isInbox(b):
			return strings.Compare(a, b)
		case isInbox(a):
			return -1
		}
		return 1
	})
	return slices.Compact(names), withHost(c.host, err, noHint)
}

// folder returns the name of the folder in a response to LIST, and whether it can be opened and shown.
func (r *response) folder() (name string, isFolder bool) {
	s := scanner{text: r.text, literals: r.literals}
	if !strings.EqualFold(s.next().text, "LIST") || s.next().kind != '(' {
		return "", false
	}
	for {
		attribute := s.next()
		if attribute.kind == ')' {
			break
		}
		cannotOpen := strings.EqualFold(attribute.text, `\Noselect`) || strings.EqualFold(attribute.text, `\NonExistent`)
		if attribute.kind != kindAtom || cannotOpen {
			return "", false
		}
	}
	s.next() // the separator
	value := s.next()
	encoded := value.text + string(value.content) // an atom has the one, a string the other
	isValue := value.kind == kindAtom || value.kind == kindString
	hasMore := s.at < len(s.text)
	if !isValue || hasMore || len(encoded) > maxFolderName {
		return "", false
	}
	name, err := decodeFolder(encoded)
	if err != nil { // some servers send UTF-8, which other commands then take, too
		name = encoded
	}
	isText := utf8.ValidString(name) && !strings.ContainsFunc(name, unicode.IsControl)
	return name, isText && name != ""
}

var errFolderName = errors.New("no modified UTF-7")

// decodeFolder reverses encodeFolder.
func decodeFolder(encoded string) (string, error) {
	var b strings.Builder
	for encoded != "" {
		plain, rest, hasMore := strings.Cut(encoded, "&")
		if strings.ContainsFunc(plain, func(r rune) bool { return r < ' ' || r > '~' }) {
			return "", errFolderName
		}
		b.WriteString(plain)
		if !hasMore {
			return b.String(), nil
		}
		coded, after, isClosed := strings.Cut(rest, "-")
		encoded = after
		if coded == "" {
			b.WriteByte('&')
			continue
		}
		bytes, err := folderEncoding.DecodeString(coded)
		if err != nil || !isClosed || len(bytes)%2 > 0 {
			return "", errFolderName
		}
		units := make([]uint16, len(bytes)/2)
		for i := range units {
			units[i] = uint16(bytes[2*i])<<8 | uint16(bytes[2*i+1])
		}
		b.WriteString(string(utf16.Decode(units)))
	}
	return b.String(), nil
}
