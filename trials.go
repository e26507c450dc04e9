// Trials of settings before the page stores them: the places of an address, and the mails in a mailbox.

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"

	"flats/internal/imap"
	"flats/internal/turns"
)

const (
	maxFoundPlaces = 5   // places in an answer
	maxPlaceName   = 200 // bytes of the name of a place
)

// A foundPlace is a place that was found for an address.
type foundPlace struct {
	Name      string     `json:"name"`
	GPS       [2]float64 `json:"gps"`
	Precision string     `json:"precision"` // house, street, place or postal_code
}

// search asks the travel service for places that fit a text. fromCodes are the places that the postal codes have for
// the text: places near the first of these come first. Without an answer, search finds none.
func (g *geocoder) search(outer context.Context, text string, fromCodes []foundPlace) (found []foundPlace) {
	ctx, cancel := context.WithTimeout(outer, maxGeocode)
	defer cancel()
	if g.travel == nil || g.pace.wait(ctx, maxGeocode) != nil {
		return nil
	}
	near := ""
	if len(fromCodes) > 0 {
		near = coordinates(fromCodes[0].GPS[0], fromCodes[0].GPS[1])
	}
	body, status, askedWait, err := g.travel.request(ctx, g.client, "geocode", geocodeValues(text, near), maxGeocode,
		maxGeocodeBody)
	if err == nil && status != http.StatusOK {
		g.pace.hold(askedWait)
	}
	var matches []namedMatch
	if err != nil || status != http.StatusOK || json.Unmarshal(body, &matches) != nil {
		return nil
	}
	for _, m := range matches {
		place, err := m.place(text)
		if err == nil && len(found) < maxFoundPlaces && !slices.Contains(found, place) {
			found = append(found, place)
		}
	}
	return found
}

// A namedMatch is a match with the postal code and the areas that belong to the name of its place.
type namedMatch struct {
	match
	Zip   string `json:"zip"`
	Areas []struct {
		Name      string `json:"name"`
		IsDefault bool   `json:"default"`
	} `json:"areas"`
}

var errNoPlace = errors.New("not a place on earth with a name")

// place returns the place of a match for a text, the address that was asked for.
func (m namedMatch) place(text string) (place foundPlace, err error) {
	if m.Lat == nil || m.Lon == nil || !onEarth(*m.Lat, *m.Lon) {
		return place, errNoPlace
	}
	place.GPS, place.Precision = [2]float64{*m.Lat, *m.Lon}, "place"
	name := strings.TrimSpace(cmp.Or(m.Street, m.Name) + " " + m.HouseNumber)
	switch {
	case m.HouseNumber != "" && occursIn(text, m.HouseNumber):
		place.Precision = "house"
	case m.Type == "ADDRESS" || m.Street != "":
		place.Precision = "street"
	}
	town := m.Zip
	for _, area := range m.Areas {
		if area.IsDefault && area.Name != name {
			town = strings.TrimSpace(town + " " + area.Name)
		}
	}
	if town != "" && name != "" {
		name += ", "
	}
	isUnreadable := func(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar }
	place.Name = cut(strings.Join(strings.FieldsFunc(name+town, isUnreadable), " "), maxPlaceName)
	if place.Name == "" {
		return place, errNoPlace
	}
	return place, nil
}

// A townPlace adds up the positions of a town's postal codes.
type townPlace struct {
	town, area string
	lat, lng   float64 // the sums
	codes      int
	isExact    bool // whether the whole name was asked for
}

// placesIn returns the places of the postal codes in a text or, if there are none, of the towns that it may name.
func (p *PostalCodes) placesIn(work *turns.Task, text string) (found []foundPlace) {
	for _, entry := range p.writtenIn(strings.Map(narrow, text)) {
		if entry.Lat.Known() && entry.Lng.Known() && len(found) < maxFoundPlaces {
			name := entry.PostalCode.String() + " " + entry.Name.String()
			found = append(found, foundPlace{cut(name, maxPlaceName), [2]float64{entry.Lat.number, entry.Lng.number},
				"postal_code"})
		}
	}
	if len(found) > 0 {
		return found
	}
	return p.townsIn(work, text)
}

// townsIn returns the places of the towns whose names begin with a text. Towns of exactly this name come first, then
// those with most codes.
func (p *PostalCodes) townsIn(work *turns.Task, text string) (found []foundPlace) {
	towns := map[[2]string]townPlace{} // by name and area
	beginning := newSimpleName(text)
	if beginning.plain == "" {
		return nil
	}
	for _, entry := range p.all.all() {
		work.Step(400) // of a few nanoseconds each
		if !entry.Lat.Known() || !entry.Lng.Known() {
			continue
		}
		name := townOf(entry.Name.String())
		if spelled := newSimpleName(name); spelled.beginsWith(beginning) {
			key := [2]string{name, entry.Area.String()}
			t := towns[key] // empty for the first code of a town
			towns[key] = townPlace{
				town:    name,
				area:    entry.Area.String(),
				lat:     t.lat + entry.Lat.number,
				lng:     t.lng + entry.Lng.number,
				codes:   t.codes + 1,
				isExact: beginning.beginsWith(spelled), // each begins with the other
			}
		}
	}
	list := slices.SortedFunc(maps.Values(towns), func(a, b townPlace) int {
		switch {
		case a.isExact && !b.isExact:
			return -1
		case b.isExact && !a.isExact:
			return 1
		}
		return cmp.Or(b.codes-a.codes, strings.Compare(a.town+a.area, b.town+b.area))
	})
	for _, t := range list[:min(len(list), maxFoundPlaces)] {
		name := t.town
		if area := cmp.Or(p.areaNames[t.area], t.area); area != "" {
			name += ", " + area
		}
		n := float64(t.codes)
		found = append(found, foundPlace{cut(name, maxPlaceName), [2]float64{t.lat / n, t.lng / n}, "place"})
	}
	return found
}

// A mailboxTrial tells what a mailbox has.
type mailboxTrial struct {
	Folders  []string       `json:"folders"`
	Mails    *int           `json:"mails"`    // of the last days in the folder, nil without a folder
	Listings *int           `json:"listings"` // in these mails
	Examples []trialExample `json:"examples"`
}

// A trialExample is a listing of a mail.
type trialExample struct {
	Title    *string `json:"title"`
	Cost     *string `json:"cost"` // with its currency
	Location *string `json:"location"`
}

const (
	maxTrial      = 25 * time.Second // to look at a mailbox before it is set
	maxExamples   = 3                // listings in the answer, to show what is found
	maxTrialMails = 500              // mails that are read
)

// mailboxToTry parses the mailbox key of the settings form, in which folder and senders may be missing. Errors go to
// wrong. hasFolder reports whether the URL names a folder.
func mailboxToTry(value json.RawMessage, wrong wrongKeys) (m *Mailbox, hasFolder bool) {
	m = &Mailbox{}
	r := configReader{log: slog.New(slog.DiscardHandler), wrong: wrong, isStrict: true}
	if !r.decode("mailbox", value, reflect.ValueOf(m).Elem()) {
		wrong.add("mailbox", errors.New("want an object"))
		return m, false
	}
	found := wrongKeys{}
	m.validate("mailbox", found)
	if len(m.From) == 0 { // the senders may be missing here, but not in the settings
		delete(found, "mailbox.from")
	}
	for path, err := range found {
		wrong.add(path, err)
	}
	wrong.add("mailbox.password", m.checkPassword())
	u, err := url.Parse(m.URL)
	return m, err == nil && strings.Trim(u.Path, "/") != ""
}

// try looks at a mailbox, and stores nothing. If a folder is chosen, it counts the mails of the last days, as many as
// it can read in maxTrial.
func (m *mailReader) try(outer context.Context, hasFolder bool) (t mailboxTrial, err error) {
	ctx, cancel := context.WithTimeout(outer, maxTrial)
	defer cancel() // closes the connection
	t.Examples = []trialExample{}
	c, err := m.mailbox.connect(ctx)
	if err == nil {
		t.Folders, err = c.Folders()
		t.Folders = append([]string{}, t.Folders...) // [] rather than null in JSON
	}
	if err == nil && hasFolder {
		t.Mails, t.Listings = new(int), new(int)
		err = m.tryFolder(ctx, c, &t)
	}
	if err != nil && ctx.Err() != nil && outer.Err() == nil {
		return t, fmt.Errorf("%s: no answer in time", m.mailbox.server.Host)
	}
	return t, err
}

// tryFolder counts the mails and listings of a folder.
func (m *mailReader) tryFolder(ctx context.Context, c *imap.Client, t *mailboxTrial) error {
	folder, err := c.Examine(m.mailbox.folder)
	if err != nil {
		return err
	}
	found, _, isSearched, err := m.find(c, folder, m.since(folder))
	if err != nil {
		return err
	}
	for _, uid := range found[:min(len(found), maxTrialMails)] {
		text, isWanted, err := m.fetchWanted(c, uid, isSearched)
		switch {
		case errors.Is(err, imap.ErrTooLarge):
			continue
		case err != nil && ctx.Err() != nil && *t.Mails > 0:
			return nil // what has been counted tells enough
		case err != nil:
			return err
		case !isWanted:
			continue
		}
		*t.Mails++
		if err := m.tryMail(ctx, text, t); err != nil {
			return err
		}
	}
	c.Logout()
	return nil
}

// tryMail counts the listings of a mail. It reads one mail at a time, as imports do.
func (m *mailReader) tryMail(ctx context.Context, text []byte, t *mailboxTrial) (err error) {
	defer recoverError(&err)
	work := turns.NewTask(ctx, m.importer.store.turns)
	defer work.Finish(&err)
	work.Wait(m.importer.readingMail)
	defer m.importer.readingMail.Release()
	listings, _, err := listingsInMails(work, text)
	if err != nil {
		return nil // the mail counts, but has no listings
	}
	for _, found := range listings.Flats {
		*t.Listings++
		if len(t.Examples) < maxExamples {
			cost := ""
			if found.has("cost") {
				cost = strings.TrimSpace(found.text("cost") + " " + textOf(found["currency"]))
			}
			t.Examples = append(t.Examples, trialExample{
				Title:    orNull(short(textOf(found["title"]))),
				Cost:     orNull(cost),
				Location: orNull(short(textOf(found["location"]))),
			})
		}
	}
	return nil
}
