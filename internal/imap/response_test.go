// Tests of how the answers of mail servers are read.

package imap

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// readerOf returns a reader of what a server has sent.
func readerOf(sent string) *bufio.Reader {
	return bufio.NewReaderSize(strings.NewReader(sent), maxLine)
}

// A response to FETCH is read as the UID and the body of a mail, such as 5 "m". "none" stands for a response without a
// mail, and the UID is 0 if the response has none.
func TestIMAPMail(t *testing.T) {
	const wrong = "the answer is not valid IMAP"
	cases := []struct{ response, want string }{
		{`* 1 FETCH (UID 5 BODY[] "a \"b\" \\c")`, `5 "a \"b\" \\c"`},
		{"* 1 fetch (body[] {3}\r\na)b uid 5)", `5 "a)b"`},
		{"* 1 FETCH (BODY[] {0}\r\n UID 5)", `5 ""`},
		{"* 1 FETCH (BODY[] NIL UID 5)", `5 ""`},
		{"* 1 FETCH (FLAGS () X (a (b \"(\" {1}\r\n)) c) BODY[HEADER.FIELDS (TO \"X Y\")] {2}\r\n\r\n " +
			"BODY[] {1}\r\nm UID 5)", `5 "m"`},
		{"* 1 FETCH (UID 5 BODY[] {2}\r\n\r\n MODSEQ (7))", `5 "\r\n"`},
		{`* 1 FETCH (UID 5 FLAGS (\Seen))`, "none"},
		{"* 1 FETCH ()", "none"},
		{"* 4 EXISTS", "none"},
		{"* LIST () \"/\" {5}\r\nFETCH", "none"},
		{"* OK [FETCH (] {5}", "none"},
		{"* OK [FETCH (] {4294967295}", "none"},
		{"* 1 FETCH (BODY[] {1}\r\nm FLAGS () X-GM-LABELS (a) INTERNALDATE \"x\" uid 5)", `5 "m"`},
		{"\r\n\r\n* 1 FETCH (UID 5 BODY[] {1}\r\nm)", `5 "m"`},
		{"* 1 FETCH (UID 5 BODY[] {1}\r\nm\r\n)", `5 "m"`},
		{"* 1 FETCH (BODY[] {1}\r\nm)", `0 "m"`},
		{"* 1 FETCH (UID 5 BODY[] {1}\r\nm bed 60)", wrong},
		{"* 1 FETCH (UID 5 BODY[] {1}\r\nmUID 5)", wrong},
		{"* 1 FETCH (UID 5 BODY[] \"m\"FLAGS ())", wrong},
		{"* 1 FETCH (UID 5 BODY[] {1}\r\nm BODY[] {1}\r\nn)", wrong},
		{"* 1 FETCH", wrong},
		{"* 1 FETCH (UID 5", wrong},
		{"* 1 FETCH (UID 5))", wrong},
		{"* 1 FETCH (UID 5) x", wrong},
		{"* 1 FETCH (UID)", wrong},
		{"* 1 FETCH (UID ))", wrong},
		{"* 1 FETCH (\"UID\" 5)", wrong},
		{"* 1 FETCH ((UID) 5)", wrong},
		{"* 1 FETCH (UID 5 BODY[] x)", wrong},
		{"* 1 FETCH (UID 5 BODY[] (x))", wrong},
		{`* 1 FETCH (UID 5 BODY[] "x)`, wrong},
		{`* 1 FETCH (UID 5 BODY[] "x\")`, wrong},
		{"* 1 FETCH (UID 5 BODY[ {1}\r\nx)", wrong},
		{"* 1 FETCH (UID 5 X (BODY[] {1}\r\nx)", wrong},
	}
	for _, c := range cases {
		r, err := readResponse(readerOf(c.response+"\r\n"), maxTestMail)
		if err != nil {
			t.Errorf("%q: %v", c.response, err)
			continue
		}
		m, err := r.mail(WholeMail)
		got := "none"
		if err != nil {
			got = err.Error()
		} else if m.hasBody {
			got = fmt.Sprintf("%d %q", m.uid, m.body)
		}
		if got != c.want {
			t.Errorf("%q: got %s; want %s", c.response, got, c.want)
		}
	}
}

// A response of twice the length allocates at most 2.6 times as much memory, and 128 KiB for what does not depend on
// the length.
func TestIMAPIsLinear(t *testing.T) {
	for name, response := range map[string]func(n int) string{
		"numbers":        func(n int) string { return "* SEARCH" + strings.Repeat(" 11", n/3) + "\r\n" },
		"lists":          func(n int) string { return "* 1 FETCH (" + strings.Repeat("A (B) ", n/6) + ")\r\n" },
		"lists in lists": func(n int) string { return "* 1 FETCH (A " + strings.Repeat("(", n) + "\r\n" },
		"literals":       func(n int) string { return "* 1 FETCH (" + strings.Repeat("A {1}\r\nx ", n/9) + ")\r\n" },
		"a mail": func(n int) string {
			return fmt.Sprintf("* 1 FETCH (BODY[] {%d}\r\n%s)\r\n", n, strings.Repeat("x", n))
		},
		"states":      func(n int) string { return strings.Repeat("* OK [a] b\r\n", n/12) },
		"empty lines": func(n int) string { return strings.Repeat("\r\n", n/2) },
	} {
		allocated := func(n int) uint64 {
			in := readerOf(response(n))
			return allocatedBy(func() {
				for r, err := readResponse(in, maxTestMail); err == nil; r, err = readResponse(in, maxTestMail) {
					r.mail(WholeMail)
					r.words("SEARCH")
				}
			})
		}
		const size = maxLine/2 - 100 // so that a response of twice the length is not too long
		if once, twice := allocated(size), allocated(2*size); twice > once*26/10+128<<10 {
			t.Errorf("%s: %d bytes allocate %d, and twice as many %d", name, size, once, twice)
		}
	}
}

// A response keeps its bounds, whatever a server sends, and the mail in a valid response is read back.
func FuzzIMAP(f *testing.F) {
	f.Add([]byte("* OK [UIDVALIDITY 7] hi\r\n* 3 EXISTS\r\n* SEARCH 1 2\r\n* BYE\r\n"), []byte("mail"), uint32(7))
	f.Add([]byte("* 1 FETCH (UID 5 BODY[] {3}\r\na)b)\r\na1 OK\r\n+ go on\r\n"), []byte(")\r\n{3}\r\n"), uint32(1))
	f.Add([]byte("* 1 FETCH (FLAGS (\\Seen) X \"a\\\"\" BODY[HEADER.FIELDS (TO)] {0}\r\n)\r\n"), []byte{}, uint32(0))
	f.Fuzz(func(t *testing.T, sent, mail []byte, uid uint32) {
		in := readerOf(string(sent))
		for {
			r, err := readResponse(in, maxTestMail)
			if err != nil {
				break
			}
			total := 0
			for _, literal := range r.literals {
				total += len(literal.content)
			}
			if len(r.text) > maxLine || total > len(sent) {
				t.Fatalf("%d bytes, and %d of literals", len(r.text), total)
			}
			if m, err := r.mail(WholeMail); err == nil && len(m.body) > len(sent) {
				t.Fatalf("a mail of %d bytes", len(m.body))
			}
			r.status()
			r.words("SEARCH")
			r.count("EXISTS")
		}
		valid := fmt.Sprintf("* 1 FETCH (FLAGS () BODY[] {%d}\r\n%s UID %d)\r\n", len(mail), mail, uid)
		r, err := readResponse(readerOf(valid), maxTestMail)
		if err != nil {
			t.Fatal(err)
		}
		m, err := r.mail(WholeMail)
		if err != nil || !m.hasBody || m.uid != uid || !bytes.Equal(m.body, mail) {
			t.Fatalf("got %v, %v", m, err)
		}
	})
}
