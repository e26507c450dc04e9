// Tests of which link and which photo of a card belong to its listing.

package listing

import (
	"strings"
	"testing"
)

// If the HTML has only links of a mailer, the links of the plain text count, if each is below the title of a listing.
func TestMailBareLinks(t *testing.T) {
	t.Parallel()
	const first, second = "https://portal.example/expose/4812001", "https://portal.example/expose/4812002"
	const click = "https://click.portal.example/ls/"
	html := cardOf(click+"aB3dE5fG7hJ9kL1mN3pQ5rS7", "https://img.portal.example/1.jpg", "Sunny flat", "€850 per month",
		"3 rooms · 72 m²", "12 High Street, Galway") + cardOf(click+"zY8xW6vU4tS2rQ0pN8mL6kJ4",
		"https://img.portal.example/2.jpg", "Quiet house", "€950 per month", "4 rooms · 90 m²", "7 Mill Lane, Galway")
	for _, c := range []struct {
		name, plain string
		isTaken     bool
	}{
		{"both", "Sunny flat\n€850\n" + first + "\n\nQuiet house\n€950\n" + second + "?utm_source=x\n\n" +
			"https://portal.example/unsubscribe/1", true},
		{"the wrong order", "Quiet house\n" + second + "\n\nSunny flat\n" + first, true},
		{"one is missing", "Sunny flat\n" + first + "\n\nQuiet house\nTold by phone", false},
		{"one too many", "Sunny flat\n" + first + "\nQuiet house\n" + second + "\nhttps://portal.example/agent/881200",
			false},
		{"other titles", "Flat\n" + first + "\nHouse\n" + second, false},
		{"links of a mailer", "Sunny flat\n" + click + "qW2eR4tZ6uI8oP0a1\nQuiet house\n" + click + "qW2eR4tZ6uI8oP0a2",
			false},
	} {
		text := "From: Portal <news@portal.example>\nSubject: 2 new flats to rent\nContent-Type: multipart/alternative; " +
			"boundary=b\n\n--b\nContent-Type: text/plain; charset=utf-8\n\n" + c.plain + "\n--b\nContent-Type: text/html; " +
			"charset=utf-8\n\n" + html + "\n--b--\n"
		homes := mailHomes(t, text)
		h := homes[`["`+first+`"]`]
		if isTaken := h != nil; len(homes) != 2 || isTaken != c.isTaken || isTaken && h.Cost != 850 {
			t.Errorf("%s: %d homes, with a bare link %v, %+v", c.name, len(homes), isTaken, h)
		}
		for urls := range homes {
			if strings.Contains(urls, click) == c.isTaken {
				t.Errorf("%s: the link is %s", c.name, urls)
			}
		}
	}
}

// A photo may lead to another page of the site about the home. An image that leads elsewhere is not its photo.
func TestMailSisterPhotos(t *testing.T) {
	t.Parallel()
	for link, want := range map[string]string{
		"https://portal.example/gallery/481200":  "1.jpg",
		"https://portal.example/loans/mortgage":  "",
		"https://bank.example/offer/481200":      "",
		"https://www.portal.example/expose/9900": "", // of another home: two links of one shape
	} {
		card := `<div><a href="` + link + `"><img src="https://img.portal.example/1.jpg" width="300"></a>` +
			`<h3><a href="https://portal.example/expose/481200">Sunny flat</a></h3><p>€850 per month</p><p>3 rooms ` +
			`· 72 m²</p>` +
			`<p>12 High Street, Galway</p></div>`
		other := cardOf("https://portal.example/expose/481299", "https://img.portal.example/2.jpg", "Quiet house",
			"€950 per month", "4 rooms · 90 m²", "7 Mill Lane, Galway")
		h := mailHomes(t, mailOf(card+other))[`["https://portal.example/expose/481200"]`]
		if want == "" && (h == nil || h.Photos == nil) {
			continue
		}
		if h == nil || !strings.Contains(string(h.Photos), want) || want == "" {
			t.Errorf("%s: %+v", link, h)
		}
	}
}
