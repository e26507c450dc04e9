// What tests share with those of other packages.

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"flats/internal/imap"
	"flats/internal/imap/imaptest"
)

// hostileMails are mails that are made to cost much.
func hostileMails(n int) map[string]string {
	const longHeader = 256 << 10
	head := "From: a@portal.example\nContent-Type: "
	html := head + "text/html\n\n"
	card := func(i int) string {
		return cardOf(fmt.Sprintf("https://portal.example/expose/%d", 100000+i), "https://img.portal.example/1.jpg",
			"Flat to rent", fmt.Sprintf("€%d", 500+i), "3 rooms · 72 m²", "12 High Street, Galway")
	}
	var cards, parts, bodies, deep strings.Builder
	for i := range n / 250 {
		cards.WriteString(card(i))
	}
	for range n / 64 {
		parts.WriteString("--b\nContent-Type: text/html\n\n<p>850 €, 72 m²\n")
	}
	for range 160 {
		bodies.WriteString("--b\nContent-Type: text/html\n\n" + strings.Repeat("<p>€1,000", n/160/11) + "\n")
	}
	for i := range n / 64 {
		fmt.Fprintf(&deep, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
	}
	return map[string]string{
		"nested tables": html + strings.Repeat("<table><tr><td>", n/15) + "850 €",
		"texts between cells": html + strings.Repeat("<table><td><a href=0>0<td><a href=0>0<tr><td>0€<td>0€<tr>0<td>0",
			n/70),
		"tables without ends":   html + strings.Repeat("<table>", n/7),
		"ends of nothing":       html + strings.Repeat("</div>", n/6),
		"ends in deep elements": html + strings.Repeat("<i>", 255) + strings.Repeat("</b>", n/4),
		"an attribute":          html + `<a href="` + strings.Repeat("x", n) + `">850 €</a>`,
		"open quotes":           html + strings.Repeat(`<a href="`, n/9),
		"open comments":         html + strings.Repeat("<!--", n/4),
		"open tags":             html + strings.Repeat("<", n),
		"open scripts":          html + strings.Repeat("<script>", n/8),
		"entities":              html + strings.Repeat("&amp", n/4),
		"base64":                head + "text/html\nContent-Transfer-Encoding: base64\n\n" + strings.Repeat("PGI+", n/4),
		"quoted-printable":      head + "text/html\nContent-Transfer-Encoding: quoted-printable\n\n" + strings.Repeat("=", n),
		"parts":                 head + "multipart/mixed; boundary=b\n\n" + parts.String(),
		"bodies":                head + "multipart/mixed; boundary=b\n\n" + bodies.String(),
		"deep parts":            "From: a@portal.example\n" + deep.String(),
		"mails in mails":        "From: a@b.example\n" + strings.Repeat("Content-Type: message/rfc822\n\n", n/32),
		"cards":                 html + cards.String(),
		"a price":               html + "<p>€" + strings.Repeat("1", n) + "</p>",
		"prices":                html + strings.Repeat("<p>€1,000 ", n/10),
		"labels":                html + strings.Repeat("<p>Miete<p>Zimmer", n/17),
		"equal gaps":            html + "<p>850 €<p>72 m²" + strings.Repeat("<p>b", n/4) + "<p>900 €",
		"links":                 html + strings.Repeat(`<a href="https://t.example/?u=https%3A%2F%2Fa.example">x</a>`, n/60),
		"columns": html + "<table>" + strings.Repeat("<tr><td>850 €<td>9 €<tr><td><a href=x>x<td><a href=x>y",
			n/50),
		"cells in cells": html + strings.Repeat("<table><tr><td>850 €", n/20),
		"a line":         html + strings.Repeat("72 m² ", n/7),
		"plain links":    head + "text/plain\n\n" + strings.Repeat("https://a.example/1 ", n/20),
		"plain lines":    head + "text/plain\n\n" + strings.Repeat("850 €\n", n/6),
		"binary":         html + strings.Repeat("\x00\xff<\x80", n/4),
		"addresses":      html + strings.Repeat("<p>Am Weg 5, 12345 Ort", n/22),
		"a subject":      "Subject: " + strings.Repeat("=?utf-8?Q?x?= ", longHeader/16) + "\n\nx",
		"a folded field": "Subject: x\n" + strings.Repeat(" a\n", min(n, longHeader-99)/3) + "\nx",
		"folded parts": head + "multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\nContent-Type: text/html\n"+
			strings.Repeat(" a\n", n/16)+"\nx\n", 4),
		"parameters": head + "text/html" + strings.Repeat(`; a="\""`, min(n, longHeader-99)/8) + "\n\nx",
		"comments":   head + "text/html " + strings.Repeat("(", min(n, longHeader-99)) + "\n\nx",
		"senders":    "From: " + strings.Repeat("a <a@b.example>, ", min(n, longHeader-99)/17) + "\n\nx",
	}
}

// reaching returns how to reach a server, whose mails have at most 32 MiB.
func reaching(s *imaptest.Server, startTLS bool) imap.Server {
	return imap.Server{Host: "example.com", Port: "993", StartTLS: startTLS, MaxMail: 32 << 20, Roots: s.Roots,
		Dial: s.Dial}
}

// readFolder reads all mails of a folder, and returns them with the first error.
func readFolder(server imap.Server, user, password, folder string) (mails []string, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c, err := server.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.Login(user, password); err != nil {
		return nil, err
	}
	opened, err := c.Examine(folder)
	if err != nil {
		return nil, err
	}
	uids, err := c.Search(opened, "UID 1:*")
	if err != nil {
		return nil, err
	}
	for _, uid := range uids {
		mail, isThere, err := c.Fetch(uid)
		switch {
		case errors.Is(err, imap.ErrTooLarge):
			mails = append(mails, "too large")
		case err != nil:
			return mails, err
		case isThere:
			mails = append(mails, string(mail))
		}
	}
	c.Logout()
	return mails, nil
}
