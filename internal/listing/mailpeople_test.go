// Tests of forwarded mails, and of letters.

package listing

import (
	"fmt"
	"strings"
	"testing"
)

// A forwarded mail is read as if it had come from the portal, whatever the note above it says. A reply is not.
func TestMailForwards(t *testing.T) {
	t.Parallel()
	const link = "https://www.portal.example/home/8812001"
	card := cardOf(link, "https://img.portal.example/8812001.jpg", "Bright flat with a loggia", "€ 950 per month",
		"48 m² · 2 rooms", "7 Harbour Row, Galway")
	for _, c := range []struct {
		subject    string
		note, head string // above the card: what the forwarder writes, and the quoted head with "|" between its lines
		want       int    // homes
	}{
		// Each language has its own mark before the subject, and its own names in the head.
		{"VS: 1 ny bolig til dig", "Jeg har set den her.", "Fra: P <a@portal.example>|Emne: 1 ny bolig til dig", 1},
		{"Vs: Ny bolig", "Jeg har fundet noe.", "Fra: P <a@portal.example>|Emne: Ny bolig", 1},
		{"VB: Nya bostäder", "Jag har ringt.", "Från: P <a@portal.example>|Ämne: Nya bostäder", 1},
		{"FW: New flat", "I like this one. Let me know!", "From: P <a@portal.example>|Subject: New flat", 1},
		{"Fwd: look", "I like this one.", "From: P <a@portal.example>|Subject: New flat", 1},
		{"WG: Neue Wohnung", "Ich finde die gut.", "Von: P <a@portal.example>|Betreff: Neue Wohnung", 1},
		{"TR: Nouvelle annonce", "J'ai vu ça.", "De : P <a@portal.example>|Objet : Nouvelle annonce", 1},
		{"RV: Un piso nuevo", "Tengo dudas.", "De: P <a@portal.example>|Asunto: Un piso nuevo", 1},
		{"I: Nuovo annuncio", "Ti mando questo.", "Da: P <a@portal.example>|Oggetto: Nuovo annuncio", 1},
		{"Doorst: kijk", "Ik heb gebeld.", "Van: P <a@portal.example>|Onderwerp: Nieuwe woning", 1},
		{"PD: Nowe ogłoszenie", "Mam pytanie.", "Od: P <a@portal.example>|Temat: Nowe ogłoszenie", 1},
		{"VL: Uusi asunto", "Katso tätä.", "Lähettäjä: P <a@portal.example>|Aihe: Uusi asunto", 1},
		{"ENC: Novo imóvel", "Que tal?", "De: P <a@portal.example>|Assunto: Novo imóvel", 1},
		{"İLT: Yeni ilan", "Bak.", "Kimden: P <a@portal.example>|Konu: Yeni ilan", 1},
		// A mail that was forwarded twice is read if the last head is from the portal.
		{"FW: FW: New flat", "", "From: P <a@portal.example>|Subject: FW: New flat", 1},
		{"FW: FW: New flat", "What do you think?", "From: Bo <bo@friend.example>|Subject: FW: New flat|I like it." +
			"|From: P <a@portal.example>|Subject: New flat", 1},
		{"FW: FW: A flat", "", "From: Bo <bo@friend.example>|Subject: FW: A flat|From: Sam <sam@portal.example>" +
			"|Subject: A new flat", 0},
		// Without a head, the mail is from the friend.
		{"New flat", "I like this one.", "", 0},
		// Replies are no alerts, whether the mail itself or the one that it quotes is one.
		{"VS: SV: Ny bolig", "", "Fra: P <a@portal.example>|Emne: Ny bolig", 0},
		{"FW: New flat", "", "From: P <a@portal.example>|Subject: FW: Re: New flat", 0},
		{"Fwd: Re: New flat", "", "", 0},
		{"FW: New flat", "", "From: P <a@portal.example>|Subject: Re: New flat", 0},
		{"SV: Ny bolig", "", "Fra: P <a@portal.example>|Emne: Ny bolig", 0},
		{"R: Nuovo annuncio", "", "Da: P <a@portal.example>|Oggetto: Nuovo annuncio", 0},
		{"Απ: Νέα αγγελία", "", "", 0},
		// Neither are letters of agents, from an address with their name, and mails about viewings.
		{"FW: A flat", "", "From: Sam Agent <sam@portal.example>|Subject: A new flat", 0},
		{"WG: Wohnung", "", "Von: Petra Makler <petra.makler@portal.example>|Betreff: Neue Wohnung", 0},
		{"FW: hello", "", "From: P <a@portal.example>|Subject: Your viewing on Friday", 0},
	} {
		body := "<p>" + c.note + "</p><p>" + newLines.Replace(escaped.Replace(c.head)) + "</p>" + card
		text := "From: Ann Friend <ann@friend.example>\nSubject: " + c.subject +
			"\nContent-Type: text/html; charset=utf-8\n\n" + body
		if flats := mailHomes(t, text); len(flats) != c.want {
			t.Errorf("%s, %s: %d flats; want %d", c.subject, c.head, len(flats), c.want)
		}
	}
}

// A forwarded mail is from the portal of the innermost head, although the note above it has a link, and although the
// head names the sender in two languages.
func TestMailInnermostHead(t *testing.T) {
	t.Parallel()
	const link = "https://www.portal.example/home/8812001"
	cards := cardOf(link, "https://img.portal.example/8812001.jpg", "Bright flat with a loggia", "€ 950 per month",
		"48 m² · 2 rooms", "7 Harbour Row, Galway") +
		cardOf("https://www.portal.example/home/8812002", "https://img.portal.example/8812002.jpg", "Attic near the park",
			"€ 1,050 per month", "52 m² · 2 rooms", "9 Dock Road, Galway")
	const friend = "<p>From: Bo &lt;bo@friend.example&gt;<br>Subject: FW: New flats</p><p>Look!</p>"
	const signature = `<p><a href="https://aka.example/ios">Get Outlook</a></p>`
	for name, head := range map[string]string{
		"a signature with a link":   friend + signature + "<p>From: P &lt;a@portal.example&gt;",
		"a sender in two languages": "<p>From: P &lt;a@portal.example&gt;<br>Von: P &lt;a@portal.example&gt;",
	} {
		text := "From: Ann Friend <ann@friend.example>\nSubject: FW: FW: New flats" +
			"\nContent-Type: text/html; charset=utf-8\n\n" + head + "<br>Subject: New flats</p>" + cards
		home := mailHomes(t, text)[`["`+link+`"]`]
		if home == nil {
			t.Errorf("%s: no listing", name)
			continue
		}
		if want := `{"mail":{"from":"portal.example"}}`; string(home.Details) != want {
			t.Errorf("%s: details are %s; want %s", name, home.Details, want)
		}
	}
}

// A letter of a person about one home brings no listing, unlike a mail of a portal in the same form. Neither does a
// letter about two homes by somebody who knows the reader.
func TestMailLetters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, above, below string // above and below are lines around the homes
		homes, want        int    // in the mail, and read
	}{
		// mails of a portal
		{"Portal <alert@portal.example>", "Hello Ann, this is new for your search:", "With kind regards,|Portal", 1, 1},
		{"Portal <portal@portal.example>", "Neu für Sie:", "Mit freundlichen Grüßen|Portal", 1, 1},
		{"Portal <anzeigen@portal.example>", "Nouveau pour vous :", "Cordialement|L'équipe", 1, 1},
		// letters, from an address with the name of a person or in words of somebody who knows the reader
		{"Sam Agent <sam@portal.example>", "This is the flat.", "Best,|Sam", 1, 0},
		{"Sam Agent <sam.agent@portal.example>", "This is the flat.", "Best,|Sam", 1, 0},
		{"Homes <homes@office.example>", "This is the flat that I mentioned.", "Best,|Sam", 1, 0},
		// two homes of one person: only words of somebody who knows the reader make a letter
		{"Sam Agent <sam@portal.example>", "These are new.", "Best,|Sam", 2, 2},
		{"Sam Agent <sam@portal.example>", "As discussed, here are two.", "Best,|Sam", 2, 0},
		// words of somebody who knows the reader, from an address without a name
		{"Portal <office@portal.example>", "This is the flat I mentioned.", "Best,|Sam", 1, 0},
		{"Portal <office@portal.example>", "This is the flat.", "Let me know when you can come.|Sam", 1, 0},
		{"Portal <office@portal.example>", "wie besprochen hier die Wohnung.", "Gruß|Petra", 1, 0},
		{"Portal <office@portal.example>", "Comme convenu, voici le bien.", "Cordialement,|Luc", 1, 0},
		{"Portal <office@portal.example>", "Como hablamos, este es el piso.", "Un saludo,|Eva", 1, 0},
		{"Portal <office@portal.example>", "Come concordato, ecco la casa.", "Saluti,|Ugo", 1, 0},
		{"Portal <office@portal.example>", "Zoals afgesproken, de woning.", "Groeten,|Jan", 1, 0},
		{"Portal <office@portal.example>", "Som aftalt er her lejligheden.", "Hilsen|Bo", 1, 0},
		{"Portal <office@portal.example>", "Zgodnie z rozmową, to mieszkanie.", "Pozdrawiam|Ewa", 1, 0},
		{"Portal <office@portal.example>", "Kuten sovittu, tässä asunto.", "Terveisin|Aino", 1, 0},
	} {
		cards := ""
		for _, h := range rowHomes[:c.homes] {
			cards += "<div>" + h.leaf("photo") + h.leaf("title") + "<br>" + h.leaf("price") + "<br>" + h.leaf("facts") + "<br>" +
				h.address + "</div>"
		}
		body := fmt.Sprintf("<p>%s</p>%s<p>%s</p>", c.above, cards, newLines.Replace(c.below))
		text := "From: " + c.from + "\nSubject: New flat\nContent-Type: text/html; charset=utf-8\n\n" + body
		if flats := mailHomes(t, text); len(flats) != c.want {
			t.Errorf("%s, %q: %d flats; want %d", c.from, c.above+" … "+c.below, len(flats), c.want)
		}
	}
}

var (
	newLines = strings.NewReplacer("|", "<br>")
	escaped  = strings.NewReplacer("<", "&lt;", ">", "&gt;")
)

// A listing is of the sender if the names of their sites are equal, without the suffixes below which sites register.
func TestIsOfSender(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id, sender string
		want       bool
	}{
		{"1@portal.example", "mail.portal.example", true},
		{"1@www.portal.co.uk", "mail.portal.co.uk", true},
		{"1@portal.fr", "alerts.portal.de", true}, // one portal in two countries
		{"1@abc.de", "mail.abc.de", true},         // a short name is no part of a suffix
		{"1@other.example", "mail.portal.example", false},
		{"1@other.co.uk", "mail.portal.co.uk", false},
	} {
		if got := isOfSender(c.id, c.sender); got != c.want {
			t.Errorf("isOfSender(%q, %q) = %v; want %v", c.id, c.sender, got, c.want)
		}
	}
}
