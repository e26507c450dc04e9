package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A wantedListing is what a file of testdata/mails says of a listing. A title is one text or several allowed ones.
type wantedListing struct {
	URL         *string
	Title       json.RawMessage
	Cost, Area  *float64
	Currency    *string
	Rooms, Beds *float64
	Bedrooms    *float64
	Location    []string
	Photo       *string
	ID          string
	Links       []string
}

func readWanted(t testing.TB, file string) (listings []wantedListing) {
	text, err := os.ReadFile(strings.TrimSuffix(file, ".eml") + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var wanted struct{ Listings []wantedListing }
	if err := json.Unmarshal(text, &wanted); err != nil {
		t.Fatal(err)
	}
	return wanted.Listings
}

func mailFiles(t testing.TB) []string {
	files, err := filepath.Glob("testdata/mails/*/*.eml")
	if err != nil || len(files) == 0 {
		t.Fatal("no mails", err)
	}
	return files
}

// faults returns what a listing says otherwise than wanted.
func (w *wantedListing) faults(f *Flat) (faults []string) {
	differ := func(name string, got, want any) {
		faults = append(faults, fmt.Sprintf("%s = %v; want %v", name, got, want))
	}
	number := func(name string, got Number, want *float64) {
		value, known := got.number, got.Known()
		if known != (want != nil) || known && math.Abs(value-*want) > 0.51 {
			wanted := "none"
			if want != nil {
				wanted = fmt.Sprint(*want)
			}
			differ(name, got.JSON(), wanted)
		}
	}
	number("cost", f.Cost, w.Cost)
	number("area", f.Area, w.Area)
	number("rooms", f.Rooms, w.Rooms)
	number("bedrooms", f.Bedrooms, w.Bedrooms)
	if w.Currency != nil && f.Currency.String() != *w.Currency {
		differ("currency", f.Currency, *w.Currency)
	}
	titles := []string{}
	if json.Unmarshal(w.Title, &titles) != nil {
		titles = []string{unquote(string(w.Title))}
	}
	if !slices.Contains(titles, f.Title.String()) {
		differ("title", f.Title, titles)
	}
	for _, part := range w.Location {
		if !strings.Contains(f.Location.String(), part) {
			differ("location", f.Location, part)
		}
	}
	photo := ""
	if w.Photo != nil {
		photo = *w.Photo
	}
	if photo == "" && f.Photos.JSON() != "null" && f.Photos.JSON() != "[]" || !strings.Contains(f.Photos.JSON(), photo) {
		differ("photos", f.Photos.JSON(), photo)
	}
	return faults
}

// TestMailCorpus reads each mail of the corpus, and compares what is found with what must be found.
func TestMailCorpus(t *testing.T) {
	expected, found, exact, invented := 0, 0, 0, 0
	for _, file := range mailFiles(t) {
		wanted := readWanted(t, file)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		listings, note, err := readMailListings(nil, text)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		got := map[string]*Flat{}
		for _, listing := range listings.Flats {
			f, err := blank.withMembers(listing, nil, nil)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			got[f.ID.String()] = f
		}
		n, m := 0, 0
		for i := range wanted {
			w := &wanted[i]
			id := w.ID
			for _, f := range got { // the id of an opaque link says nothing to compare with
				for _, link := range w.Links {
					if strings.Contains(f.URLs.JSON(), encodeJSON(link)) {
						id = f.ID.String()
					}
				}
			}
			f := got[id]
			if f == nil {
				t.Logf("%s: missing %s %s", file, id, w.Title)
				continue
			}
			delete(got, id)
			n++
			faults := w.faults(f)
			if len(faults) == 0 {
				m++
			}
			for _, fault := range faults {
				t.Logf("%s: %s: %s", file, id, fault)
			}
		}
		for id, f := range got {
			t.Logf("%s: invented %s: %s %s %s", file, id, f.Title, f.Cost.JSON(), f.URLs.JSON())
		}
		if (note == "") != (len(listings.Flats) > 0) {
			t.Errorf("%s: %d listings with note %q", file, len(listings.Flats), note)
		}
		t.Logf("%s: %d/%d found, %d exact, %d invented", file, n, len(wanted), m, len(got))
		expected, found, exact, invented = expected+len(wanted), found+n, exact+m, invented+len(got)
	}
	t.Logf("all: %d/%d found, %d exact, %d invented", found, expected, exact, invented)
}
