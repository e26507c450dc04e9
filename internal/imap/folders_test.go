// Tests of the list of folders.

package imap

import (
	"strings"
	"testing"
)

// A response to LIST names a folder, unless that cannot be opened or shown: then the name is "".
func TestFolderOfResponse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`LIST (\HasNoChildren) "/" INBOX`, "INBOX"},
		{`list () NIL "My Flats"`, "My Flats"},
		{`LIST (\HasNoChildren \Marked) "." "INBOX.Flats"`, "INBOX.Flats"},
		{`LIST () "/" "[Gmail]/All Mail"`, "[Gmail]/All Mail"},
		{`LIST () "/" "Entw&APw-rfe &- Co"`, "Entwürfe & Co"},
		{`LIST () "/" "&2D3eAA-"`, "😀"},
		{`LIST () "/" "Möbel"`, "Möbel"},
		{`LIST () "/" "a&b"`, "a&b"},
		{`LIST () "\\" "a\"b\\c"`, `a"b\c`},
		// Folders that cannot be opened, and what is no response to LIST.
		{`LIST (\Noselect) "/" "[Gmail]"`, ""},
		{`LIST (\NONEXISTENT) "/" "gone"`, ""},
		{`LIST () "/" ""`, ""},
		{`LIST () "/"`, ""},
		{`LIST ( "/" "a"`, ""},
		{`LIST () "/" "a" b`, ""},
		{`LIST`, ""},
		{`SEARCH 1`, ""},
		// Names that cannot be shown.
		{`LIST () "/" "a&AAc-b"`, ""},
		{"LIST () \"/\" \"a\xffb\"", ""},
		{`LIST () "/" "` + strings.Repeat("a", maxFolderName+1) + `"`, ""},
	} {
		r := response{tag: "*", text: []byte(c.text)}
		name, isFolder := r.folder()
		if !isFolder {
			name = ""
		}
		if name != c.want {
			t.Errorf("%s: %q; want %q", c.text, name, c.want)
		}
	}
}

func TestDecodeFolderReversesEncode(t *testing.T) {
	for _, name := range []string{"INBOX", "Entwürfe & Co", "日本語/a", "😀", "&", "a-b"} {
		if got, err := decodeFolder(encodeFolder(name)); err != nil || got != name {
			t.Errorf("%q became %q, %v", name, got, err)
		}
	}
}

func FuzzDecodeFolder(f *testing.F) {
	f.Add("Entw&APw-rfe")
	f.Fuzz(func(t *testing.T, encoded string) {
		name, err := decodeFolder(encoded)
		if err != nil || strings.ContainsRune(name, '\uFFFD') {
			return
		}
		if again, err := decodeFolder(encodeFolder(name)); err != nil || again != name {
			t.Errorf("%q became %q and %q, %v", encoded, name, again, err)
		}
	})
}
