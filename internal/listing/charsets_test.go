// Tests of charsets.go, flowed.go and mailfiles.go.

package listing

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// Each byte of each charset means what the codecs of Python say, or else what it means in windows-1252.
func TestCharsetTables(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/charsets.txt")
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string][]rune{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		cells := strings.Fields(line)
		for _, cell := range cells[1:] {
			letter, err := strconv.ParseUint(cell, 16, 16)
			if err != nil {
				t.Fatal(line, err)
			}
			tables[cells[0]] = append(tables[cells[0]], rune(letter))
		}
	}
	if len(tables) != 26 {
		t.Errorf("%d charsets; want 26", len(tables))
	}
	for name, letters := range tables {
		for c := range 256 {
			want := rune(c)
			if c >= 0x80 {
				want = letters[c-0x80]
			}
			if isNone := want == utf8.RuneError || c >= 0x80 && want < 0xA0; isNone && name != "windows1252" {
				want = tables["windows1252"][c-0x80]
			}
			got, unknown := decodeCharset([]byte{byte(c), 0xC0}, name) // 0xC0 is never UTF-8
			if first, _ := utf8.DecodeRuneInString(got); first != want || unknown != "" {
				t.Errorf("%s: byte %#x is %U, %q; want %U", name, c, first, unknown, want)
			}
		}
	}
}

// A text is read in the charset that the mail tells.
func TestMailCharsets(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		charset, text string
		want          string // the text, or "? " and the charset that cannot be read
	}{
		{"ISO-8859-2", "\xa3\xf3d\xbc, \xb1\xea", "Łódź, ąę"},
		{"latin2", "P\xf8\xedbram", "Příbram"}, {"csISOLatin2", "P\xf8\xedbram", "Příbram"},
		{"windows-1250", "\x8eatec, \x80 \x8a\xb9", "Žatec, € Šą"},
		{"iso-8859-5", "\xba\xd2\xd0\xe0\xe2\xd8\xe0\xd0", "Квартира"},
		{"windows-1251", "\xca\xe8\xbf\xe2", "Київ"},
		{"KOI8-R", "\xcb\xd7\xc1\xd2\xd4\xc9\xd2\xc1", "квартира"},
		{"koi8-u", "\xeb\xc9\xa7\xd7", "Київ"},
		{"iso-8859-7", "\xc1\xe8\xde\xed\xe1, 520 \xa4", "Αθήνα, 520 €"},
		{"windows-1253", "\xc1\xe8\xde\xed\xe1, 520 \x80", "Αθήνα, 520 €"},
		{"iso-8859-9", "kiral\xfdk, \xdei\xfeli", "kiralık, Şişli"},
		{"windows-1254", "kiral\xfdk, 5 \x80", "kiralık, 5 €"},
		{"windows-1257", "\xd0iauliai, 450 \x80", "Šiauliai, 450 €"},
		{"Windows-1257", "R\xeega, Br\xeev\xeebas iela", "Rīga, Brīvības iela"},
		{"iso-8859-13", "R\xeega", "Rīga"},
		{"iso-8859-4", "R\xefga", "Rīga"},
		{"ISO_8859-8-I", "\xf9\xec\xe5\xed", "שלום"},
		{"windows-1255", "\xf9\xec\xe5\xed 5 \xa4", "שלום 5 ₪"},
		{"windows-1256", "\xd4\xde\xc9", "شقة"},
		{"tis-620", "\xba\xe9\xd2\xb9", "บ้าน"},
		{"iso-8859-16", "Bucure\xbati, 5 \xa4", "București, 5 €"},
		{"iso-8859-15", "5 \xa4, c\xbdur", "5 €, cœur"},
		{"iso-8859-1", "5 \x80, caf\xe9\xa0x", "5 €, café\u00a0x"},
		{"ISO_8859-1:1987", "caf\xe9", "café"},
		{"x-cp1251", "\xca\xe8\xbf\xe2", "Київ"},
		{"windows-1250", "a\xa0b\xadc", "a\u00a0b\u00adc"},
		{"utf-8", "caf\xe9", "café"},
		{"utf-8", "\xef\xbb\xbfcafé", "café"},
		{"koi8-r", "\xef\xbb\xbfcafé", "café"},
		{"us-ascii", "\xff\xfec\x00a\x00f\x00\xe9\x00", "café"},
		{"us-ascii", "\xfe\xff\x00c\x00a\x00f\x00\xe9", "café"},
		{"utf-16le", "c\x00a\x00f\x00\xe9\x00", "café"},
		{"koi8-r", "Київ", "Київ"},
		{"shift_jis", "Flat, 900", "Flat, 900"},
		{"gb2312", "你好，北京", "你好，北京"},
		{"unknown-8bit", "caf\xe9", "café"},
		{"iso-2022-jp", "Flat, 900", "Flat, 900"},
		{"ISO-2022-JP", "\x1b$B2HDB\x1b(B 85,000", "? ISO-2022-JP"},
		{"us-ascii", "\x1b$B2HDB\x1b(B 85,000", "? ISO-2022"},
		{"utf-8", "\x1b$B2HDB\x1b(B 85,000", "? ISO-2022"},
		{"Shift_JIS", "\x89\xc6\x92\xc0 85,000", "? Shift_JIS"},
		{"euc-kr", "\xbf\xf9\xbc\xbc 50", "? euc-kr"},
		{"GB18030", "\xd7\xe2\xbd\xf0 50", "? GB18030"},
		{"big5", "\xaf\xb2\xaa\xf7 50", "? big5"},
		{"utf-7", "Stra+AN8-e", "? utf-7"},
		{"hz-gb-2312", "~{VPND~}", "? hz-gb-2312"},
		{strings.Repeat("x", 99), "\xff", "? " + strings.Repeat("x", 40)},
	} {
		got, unknown := decodeCharset([]byte(test.text), test.charset)
		if unknown != "" {
			got += "? " + unknown
		}
		if got != test.want {
			t.Errorf("%s: %q; want %q", test.charset, got, test.want)
		}
	}
}

func TestCharsetOfHTML(t *testing.T) {
	t.Parallel()
	for html, want := range map[string]string{
		`<html><head><meta charset="windows-1251">`:                                                    "windows-1251",
		`<META HTTP-EQUIV=Content-Type CONTENT="text/html; charset=ISO-8859-2">`:                       "ISO-8859-2",
		`<meta content='text/html;charset=koi8-r' http-equiv='Content-Type'/>`:                         "koi8-r",
		`<meta name="viewport" content="width=1"><meta charset = utf-8>`:                               "utf-8",
		`<!-- <meta charset=big5> --><meta charset=latin2>`:                                            "latin2",
		`<!-- <meta charset=big5>`:                                                                     "",
		`<meta charset=utf-16le>`:                                                                      "utf-8",
		`<p>charset=big5</p>`:                                                                          "",
		strings.Repeat(" ", 1000) + `<meta charset="windows-1251">`:                                    "",
		strings.Repeat(" ", 1000-len(`<meta charset="x">`)) + `<meta charset="windows-1251"><p>`:       "windows-1251",
		`<meta http-equiv="refresh" content="5"><meta http-equiv="x" content="text/html;charset=abc">`: "abc",
	} {
		if got := charsetOfHTML([]byte(html)); got != want {
			t.Errorf("%q: %q; want %q", html, got, want)
		}
	}
}

// The words of a header are read in the same charsets as bodies. Words that cannot be read are missing.
func TestEncodedWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"=?windows-1257?Q?R=EEga?=":                                   "Rīga",
		"=?koi8-r?B?y9fB0tTJ0sE=?= 5":                                 "квартира 5",
		"=?iso-8859-1?Q?5_=80?=":                                      "5 €",
		"=?iso-8859-1?Q?Gr=C3=B6=C3=9Fe?=":                            "Größe",
		"=?us-ascii?Q?Gr=F6=DFe?=":                                    "Größe",
		"=?iso-8859-2*pl?Q?=A3=F3d=BC?=":                              "Łódź",
		"=?utf-8*de?Q?Gr=C3=B6=C3=9Fe?=":                              "Größe",
		"=?utf-8?B?R3LD?= =?utf-8?B?tsOfZQ==?=":                       "Größe",
		"=?ISO-2022-JP?B?GyRCMkhEQhsoQg==?= 2 new":                    "2 new",
		"=?Shift_JIS?B?icaSwA==?=":                                    "",
		"=?euc-kr?Q?=BF=F9?= =?utf-8?Q?=C3=A4?=":                      "ä",
		"Gr\xf6\xdfe":                                                 "Größe",
		"=?utf-8?X?a?= b":                                             "=?utf-8?X?a?= b",
		"plain =? text ?=":                                            "plain =? text ?=",
		"=?iso-8859-15?q?2_Zimmer_f=FCr_900_=A4?= | Portal":           "2 Zimmer für 900 € | Portal",
		"=?windows-1251?B?yuLg8PLo8OA=?= =?windows-1251?B?LCDK6L/i?=": "Квартира, Київ",
	} {
		if got := decodeWords(text); got != want {
			t.Errorf("%q: %q; want %q", text, got, want)
		}
	}
}

// The note of a mail names the charset that cannot be read, and nothing is read wrong.
func TestMailUnknownCharset(t *testing.T) {
	t.Parallel()
	const head = "From: a@portal.example\nSubject: 2 homes to rent\n"
	card := cardOf("https://portal.example/expose/48120", "https://img.portal.example/1.jpg", "Flat \x1b$B2H\x1b(B to let",
		"€850", "3 rooms · 72 m²", "12 High Street, Galway")
	readable := strings.NewReplacer("\x1b$B2H\x1b(B", "", "€", "&euro;", "·", ",", "²", "&sup2;").Replace(card)
	inRiga := strings.Replace(readable, "Galway", "R\xeega", 1) // in windows-1257
	html := func(charset, body string) string { return "Content-Type: text/html" + charset + "\n\n" + body }
	const unread = "is written in ISO-2022-JP, a charset that cannot be read."
	for _, test := range []struct {
		text  string
		count int // listings
		note  string
	}{
		{head + html("; charset=ISO-2022-JP", card), 0, `The mail "2 homes to rent" ` + unread},
		{head + html("", "<meta charset=ISO-2022-JP>"+card), 0, `The mail "2 homes to rent" ` + unread},
		{"From: a@portal.example\n" + html("; charset=ISO-2022-JP", card), 0, "The mail from portal.example " + unread},
		{head + html("; charset=ISO-2022-JP", readable), 1, ""},
		{head + html("; charset=euc-jp", card+"\xa2"), 0,
			`The mail "2 homes to rent" is written in euc-jp, a charset that cannot be read.`},
		{head + "Content-Type: multipart/mixed; boundary=b\n\n--b\n" + html("", readable) + "\n--b\n" +
			html("; charset=ISO-2022-JP", card) + "\n--b--\n", 1,
			`A part of the mail "2 homes to rent" was left out: it ` + unread},
		{head + html("", "<meta charset=windows-1257>"+inRiga), 1, ""},
		{head + html("; charset=us-ascii", "<meta charset=windows-1257>"+inRiga), 1, ""},
	} {
		listings, note, err := ReadMail(nil, []byte(test.text), testRules)
		if err != nil || len(listings) != test.count || note != test.note {
			t.Errorf("%q:\n%d listings, %q, %v; want %d, %q", test.text, len(listings), note, err, test.count, test.note)
		}
		if strings.Contains(test.text, inRiga) && !strings.Contains(fmt.Sprintf("%s", listings), "Rīga") {
			t.Errorf("%q: %s; want Rīga", test.text, listings)
		}
	}
}

func TestJoinFlowed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text, want string
		keepsBlanks      bool
	}{
		{"a paragraph", "A bright \nflat \nby the park\n900 €", "A bright flat by the park\n900 €", true},
		{"blanks that are no part of it", "https://portal.example/ \nexpose/1\nx", "https://portal.example/expose/1\nx",
			false},
		{"CR LF", "A bright \r\nflat\r\n900 €\r\n", "A bright flat\n900 €\n", true},
		{"a stuffed blank", " > 900 €\n From the park", "> 900 €\nFrom the park", true},
		{"quotes", "> A bright \n> flat\n>> older \n> text", "> A bright flat\n>> older \n> text", true},
		{"a signature", "Ann \n-- \nPortal", "Ann \n-- \nPortal", true},
		{"an empty line", "A flat \n\n900 €", "A flat \n\n900 €", true},
		{"nothing", "", "", true},
	} {
		if got := joinFlowed(test.text, test.keepsBlanks); got != test.want {
			t.Errorf("%s: %q; want %q", test.name, got, test.want)
		}
	}
}

// The lines of a flowed mail are joined before anything in them is read.
func TestMailFlowed(t *testing.T) {
	t.Parallel()
	const body = "Bright flat by \nthe canal\n850 € warm, 72 m², \n3 Zimmer\nMühlgraben 8, 06484 Quedlinburg\n" +
		"https://portal.example/expose/ \n48120\n\nLoft am Markt\n950 € warm, 80 m², \n2 Zimmer\n" +
		"Markt 1, 06484 Quedlinburg\nhttps://portal.example/expose/ \n48121\n"
	text := "From: a@portal.example\nSubject: 2 neue Wohnungen\nContent-Type: text/plain; charset=utf-8;\n" +
		" format=Flowed; DelSp=Yes\n\n" + strings.ReplaceAll(strings.ReplaceAll(body, "by \n", "by  \n"), ", \n", ",  \n")
	listings, note, err := ReadMail(nil, []byte(text), testRules)
	if err != nil || len(listings) != 2 {
		t.Fatalf("%d listings, %q, %v", len(listings), note, err)
	}
	for name, want := range map[string]string{"title": `"Bright flat by the canal"`, "rooms": "3",
		"urls": `["https://portal.example/expose/48120"]`} {
		if got := string(listings[0][name]); got != want {
			t.Errorf("%s = %s; want %s", name, got, want)
		}
	}
}

func TestSplitMails(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":                                    {""},
		"From: a\n\nx\n\nFrom b\nFrom: c\n\n": {"From: a\n\nx\n\nFrom b\nFrom: c\n\n"},
		"From a\nFrom: a\n\nx\n\nFrom b\nFrom: c\n\ny\n": {"From a\nFrom: a\n\nx\n\n",
			"From b\nFrom: c\n\ny\n"},
		"\n\nFrom a\r\nTo: a\r\n\r\nx\r\n\r\nFrom b\r\nTo: c\r\n": {"From a\r\nTo: a\r\n\r\nx\r\n\r\n",
			"From b\r\nTo: c\r\n"},
		"\uFEFFFrom a\nTo: a\n\n": {"From a\nTo: a\n\n"},
		"From a\nTo: a\n\nx\nFrom b@b.example Mon Sep 14 10:00:00 2026\nTo: c\n": {"From a\nTo: a\n\nx\n",
			"From b@b.example Mon Sep 14 10:00:00 2026\nTo: c\n"},
		"From a\nTo: a\n\nx\nFrom b\nTo: c\n": {"From a\nTo: a\n\nx\nFrom b\nTo: c\n"},
		"From a\nTo: a\n\nx\n\nFrom here it is near\nthe park.\n": {
			"From a\nTo: a\n\nx\n\nFrom here it is near\nthe park.\n"},
		"From a\nTo: a\n\n>From here\n>>From there\n> From\n>Form\n": {
			"From a\nTo: a\n\nFrom here\n>From there\n> From\n>Form\n"},
		"To: a\n\n>From here\n": {"To: a\n\n>From here\n"},
		"From a\nTo: a\n\nFrom b\nTo: b\n\nFrom c\nTo: c\n\n": {"From a\nTo: a\n\n", "From b\nTo: b\n\n",
			"From c\nTo: c\n\n"},
	} {
		var got []string
		for mail := range SplitMails([]byte(text)) {
			got = append(got, string(mail))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q; want %q", text, got, want)
		}
	}
}

// A mail is found in any file or part, whatever type that claims to have.
func TestAttachedMails(t *testing.T) {
	t.Parallel()
	mail := mailOf(cardOf("https://portal.example/expose/48120", "https://img.portal.example/1.jpg", "Altbau", "850 €",
		"3 Zimmer · 72 m²", "Mühlgraben 8, 06484 Quedlinburg"))
	counted := fmt.Sprintf("%-10d\n%s<?xml version=\"1.0\"?><plist><p>950 €</p></plist>", len(mail), mail)
	encoded := base64.StdEncoding.EncodeToString([]byte(mail))
	for header, body := range map[string]string{
		"Content-Type: application/octet-stream; name=\"=?utf-8?Q?f=C3=BCr_dich.EML?=\"":    mail,
		"Content-Type: text/plain; name=a.eml":                                              mail,
		"Content-Type: application/x\nContent-Transfer-Encoding: base64":                    encoded,
		"Content-Type: text/plain\nContent-Disposition: attachment":                         mail,
		"Content-Type: application/x\nContent-Disposition: attachment; filename=\"1.emlx\"": counted,
		"Content-Type: application/x\nContent-Disposition: inline":                          counted,
	} {
		text := "From: me@a.example\nContent-Type: multipart/mixed; boundary=b\n\n--b\n" + header + "\n\n" + body +
			"\n--b--\n"
		listings, note, err := ReadMail(nil, []byte(text), testRules)
		if err != nil || len(listings) != 1 || string(listings[0]["cost"]) != "850" {
			t.Errorf("%s: %d listings, %q, %v", header, len(listings), note, err)
		}
	}
	if listings, note, err := ReadMail(nil, []byte(counted), testRules); err != nil || len(listings) != 1 {
		t.Errorf("%d listings, %q, %v", len(listings), note, err)
	}
	const letter = "From: a@b.example\nSubject: x\n\nFrom: Ann\nDate: today\n\nHello"
	messages, err := readMail(nil, []byte(letter), testRules)
	if err != nil || len(messages) != 1 {
		t.Errorf("a text that begins like a mail: %d mails, %v", len(messages), err)
	}
}

func TestLooksLikeMail(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"From: a@b.example\n\n":                             true,
		"Return-Path: <a@b>\r\nFrom : a\r\n\r\n":            true,
		"From a@b Fri\nSubject: x\nFrom: a\n\n":             true,
		"\uFEFFFrom: a\n\n":                                 true,
		"25        \nDate: x\nFrom: a@b.example\n\n<?xml?>": true,
		"7\nDate: x\nFrom: a@b.example\n\n<?xml?>":          false,
		"Subject: x\n\nFrom: a\n":                           false,
		"url,price\nhttps://a.example,1\n":                  false,
		"BEGIN:VCALENDAR\nFROM\n":                           false,
		"title: x\nfrom the park\n":                         false,
		"https://portal.example/1\nFrom: a\n":               false,
		"1\n2\n":                                            false,
		"":                                                  false,
	} {
		if got := LooksLikeMail([]byte(text)); got != want {
			t.Errorf("%q: %v; want %v", text, got, want)
		}
	}
}

// Any text is decoded to UTF-8 that is not much longer, or the charset is named as unknown.
func FuzzCharset(f *testing.F) {
	for _, text := range []string{"caf\xe9", "\xff\xfea\x00", "\x1b$B", "R\xeega", "\xef\xbb\xbf", "+AN8-"} {
		for _, charset := range []string{"", "utf-8", "windows-1257", "iso-2022-jp", "utf-7"} {
			f.Add([]byte(text), charset)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, charset string) {
		decoded, unknown := decodeCharset(text, charset)
		if !utf8.ValidString(decoded) || len(decoded) > 3*len(text) || unknown != "" && decoded != "" {
			t.Errorf("%q in %q: %q, %q", text, charset, decoded, unknown)
		}
		decodeWords(string(text))
		charsetOfHTML(text)
	})
}

// Joining flowed text changes only blanks, line breaks and marks of quotation.
func FuzzFlowed(f *testing.F) {
	for _, text := range []string{"a \nb", "> a \n>> b", "-- \n", " From\r\n"} {
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, text string, keepsBlanks bool) {
		letters := strings.NewReplacer(" ", "", ">", "", "\r", "", "\n", "")
		got := joinFlowed(text, keepsBlanks)
		if letters.Replace(got) != letters.Replace(text) || len(got) > 2*len(text)+1 {
			t.Errorf("%q: %q", text, got)
		}
	})
}

// The mails of a text are all of it except the marks of quoted lines, and each but the first begins with "From ".
func FuzzSplitMails(f *testing.F) {
	for _, text := range []string{"From a\nTo: a\n\n\nFrom b\nTo: b\n\n>From c\n", "12\nTo: a\n", "\n\nFrom "} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		length, count := 0, 0
		for mail := range SplitMails(text) {
			if count > 0 && !strings.HasPrefix(string(mail), "From ") {
				t.Errorf("%q: a mail is %q", text, mail)
			}
			length += len(mail)
			count++
		}
		least := len(bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\uFEFF")), "\r\n")) - bytes.Count(text, []byte(">"))
		if length > len(text) || length < least {
			t.Errorf("%q has mails of %d bytes", text, length)
		}
	})
}
