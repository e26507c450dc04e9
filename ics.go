// The calendar of the visits, as iCalendar (RFC 5545).

package main

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"fmt"
	"iter"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"flats/internal/turns"
)

// visitLength is the duration of a visit.
const visitLength = time.Hour

// A visitEvent is the visit of a flat.
type visitEvent struct {
	*Flat
	start     time.Time // an instant, or a wall-clock time given as if it were UTC
	isInstant bool      // false for a floating time, which is the same on the clocks of each zone
}

// visitsOf returns the visits of flats, sorted by start. Visit dates without an offset are
// times in zone, or floating times if zone is nil. A visit that cannot be written is
// skipped and logged.
func visitsOf(work *turns.Task, flats iter.Seq2[uint32, *Flat], zone *time.Location,
	log *slog.Logger) (visits []visitEvent) {
	var leftOut warnings
	for _, f := range flats {
		work.Step(10)
		if !f.VisitDate.Known() {
			continue
		}
		v := visitEvent{f, f.VisitDate.at, f.VisitDate.hasOffset()}
		if zone != nil && !v.isInstant {
			v.start = whenClocksShow(v.start, zone)
			v.isInstant = true
		}
		if v.start.Year() < 0 || v.start.Add(visitLength).Year() > 9999 {
			leftOut.add("visit left out of the calendar: its year does not have four digits", noField, "flat", f.ID.String())
			continue
		}
		visits = append(visits, v)
	}
	leftOut.logTo(log)
	slices.SortFunc(visits, func(a, b visitEvent) int {
		return cmp.Or(a.start.Compare(b.start), strings.Compare(a.ID.String(), b.ID.String()))
	})
	return visits
}

// writeCalendar writes visits as an iCalendar object. Links begin with website. The same
// visits always give the same bytes.
func writeCalendar(work *turns.Task, out *bufio.Writer, visits []visitEvent, website string) {
	w := icsWriter{out}
	w.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//flats//visits//EN\r\nCALSCALE:GREGORIAN\r\n" +
		"NAME:Flat visits\r\nX-WR-CALNAME:Flat visits\r\n" +
		"REFRESH-INTERVAL;VALUE=DURATION:PT1H\r\nX-PUBLISHED-TTL:PT1H\r\n")
	for _, v := range visits {
		w.event(v, website)
		work.Step(len(v.JSON())) // in steps of a few nanoseconds
	}
	if len(visits) == 0 {
		// A calendar must have a component (RFC 5545, 3.6).
		w.WriteString("BEGIN:VTIMEZONE\r\nTZID:UTC\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n" +
			"TZOFFSETFROM:+0000\r\nTZOFFSETTO:+0000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n")
	}
	w.line("END", "VCALENDAR")
}

// whenClocksShow returns the instant at which the clocks of a zone show a wall-clock time, given
// as if it were UTC. If the clocks show the time twice, the first instant counts. If they skip it,
// the offset before the gap applies (RFC 5545, 3.3.5).
func whenClocksShow(wall time.Time, zone *time.Location) time.Time {
	// time.Date does not guarantee which offset it uses where the clocks change.
	withOffsetAt := func(reference time.Time) (at time.Time, isShown bool) {
		_, offset := reference.In(zone).Zone()
		at = wall.Add(-time.Duration(offset) * time.Second)
		_, actual := at.In(zone).Zone()
		return at, actual == offset
	}
	before, isShown := withOffsetAt(wall.Add(-24 * time.Hour))
	if isShown {
		return before
	}
	after, isShown := withOffsetAt(wall.Add(24 * time.Hour))
	if isShown {
		return after
	}
	return before // the clocks skip the time
}

// event writes a visit, with a link to its flat below the website.
func (w *icsWriter) event(v visitEvent, website string) {
	// The event was last changed at UpdatedAt, or else at Date. iCalendar can only write years of four digits.
	stamp := time.Unix(0, 0).UTC()
	for _, d := range []*Datetime{&v.Date, &v.UpdatedAt} {
		if d.Known() && d.at.Year() >= 0 && d.at.Year() <= 9999 {
			stamp = d.at
		}
	}
	const utc, floating = "20060102T150405Z", "20060102T150405"
	layout := floating
	if v.isInstant {
		layout = utc
	}
	title := v.Title.String()
	if !v.Title.Known() {
		title = "untitled"
	}
	location := strings.TrimSpace(v.Location.String())
	code := v.ServicePostalCode.entry
	if location == "" && code != nil {
		location = code.Name.String()
	}
	id := v.ID.String()
	site, _ := url.Parse(website) // the config has checked it

	w.line("BEGIN", "VEVENT")
	// An id may be long and have any characters. Half of its hash is short, plain, and long enough to be unique.
	sum := sha256.Sum256([]byte(id))
	w.line("UID", fmt.Sprintf("%x@flats", sum[:16]))
	w.line("DTSTAMP", stamp.Format(utc))
	w.line("DTSTART", v.start.Format(layout))
	w.line("DTEND", v.start.Add(visitLength).Format(layout))
	w.text("SUMMARY", "Visit - "+title)
	w.text("DESCRIPTION", visitDescription(v.Flat, title, website+"#/flat/"+id))
	w.text("LOCATION", location)
	w.line("URL", site.String()+v.fragment()) // escaped, unlike the link in the description
	w.line("END", "VEVENT")
}

// visitDescription returns the description of a visit. Unknown numbers are written as
// "unknown"; unknown texts are left out.
func visitDescription(f *Flat, title, link string) string {
	cost := cmp.Or(f.Cost.String(), "unknown")
	if currency := f.Currency.String(); currency != "" {
		cost += " " + currency
	}
	area := cmp.Or(f.Area.String(), "unknown")
	text := fmt.Sprintf("%s (area: %s, cost: %s)\n%s\n\n%s", title, area, cost, link, f.Text.String())
	if notes := f.Notes.String(); notes != "" {
		text += "\n\n" + notes
	}
	return text
}

// An icsWriter writes content lines (RFC 5545, 3.1).
type icsWriter struct{ *bufio.Writer }

// text writes a property of type TEXT, or nothing if the text is empty. Line breaks of
// all kinds become \n, tabs become spaces, other control characters are dropped, and
// invalid UTF-8 becomes U+FFFD.
func (w *icsWriter) text(name, text string) {
	text = icsEscapes.Replace(strings.ToValidUTF8(text, "\uFFFD"))
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
	if text != "" {
		w.line(name, text)
	}
}

var icsEscapes = strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\t", " ",
	"\r\n", `\n`, "\n", `\n`, "\r", `\n`, "\v", `\n`, "\f", `\n`, "\u0085", `\n`, "\u2028", `\n`, "\u2029", `\n`)

// line writes a property whose value needs no escaping. It breaks the line into lines of at
// most maxOctets, and splits no character.
func (w *icsWriter) line(name, value string) {
	const maxOctets = 75 // octets of a line of the calendar (RFC 5545, 3.1)
	line := name + ":" + value
	room := maxOctets
	for len(line) > room {
		cut := room
		for !utf8.RuneStart(line[cut]) { // the text is valid UTF-8
			cut--
		}
		w.WriteString(line[:cut] + "\r\n ")
		line = line[cut:]
		room = maxOctets - 1 // the space before it counts
	}
	w.WriteString(line + "\r\n")
}
