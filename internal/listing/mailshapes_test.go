// Tests of mails in the shapes that portals send.

package listing

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// unread has the number of values in testdata/shapes that ReadMail still gets wrong, by mail: crowns and dollars of an
// unknown country, the rooms of a home of which one room is let, and francs of West Africa.
var unread = map[string]int{"m01": 3, "m02": 3, "m06": 1, "m07": 1, "m10": 1}

// All listings of the mails in testdata/shapes are found as their files say, and no others. A field that a file does
// not name may have any value.
func TestMailShapes(t *testing.T) {
	t.Parallel()
	files, _ := filepath.Glob("testdata/shapes/*.eml")
	if len(files) < 60 {
		t.Fatalf("%d mails", len(files))
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".eml")
		var wanted struct{ Listings []map[string]json.RawMessage }
		if err := json.Unmarshal([]byte(readFile(t, strings.TrimSuffix(file, "eml")+"json")), &wanted); err != nil {
			t.Fatal(err)
		}
		listings, _, err := ReadMail(nil, []byte(readFile(t, file)), testRules)
		if err != nil {
			t.Fatal(file, err)
		}
		got := homesIn(t, listings)
		faults := []string{}
		for i, w := range readWanted(t, file) {
			home := w.homeWithLink(wanted.Listings[i]["code"], got)
			if home == nil {
				faults = append(faults, "missing: "+string(w.Title))
				continue
			}
			delete(got, home.id)
			for _, fault := range w.faults(home) {
				member, _, _ := strings.Cut(fault, " ")
				if member == "photos" { // the files name only the first
					member = "photo"
				}
				if _, isNamed := wanted.Listings[i][member]; isNamed {
					faults = append(faults, fault)
				}
			}
		}
		for _, home := range got {
			t.Errorf("%s: invented %s, %v", name, home.Title, home.Cost)
		}
		if len(faults) != unread[name] {
			t.Errorf("%s: %d faults, want %d:\n%s", name, len(faults), unread[name], strings.Join(faults, "\n"))
		}
	}
}

// homeWithLink returns the home that is the wanted listing, or nil. It compares the links. If that finds no home, it
// looks for the code of the listing in them.
func (w *wantedListing) homeWithLink(code json.RawMessage, homes map[string]*readHome) *readHome {
	if w.URL != nil && w.ID == "" {
		w.ID = LinkID(*w.URL)
	}
	if home := homes[w.idIn(homes)]; home != nil {
		return home
	}
	var codeText string
	json.Unmarshal(code, &codeText)
	ids := []string{}
	for id, home := range homes {
		if codeText != "" && strings.Contains(string(home.URLs), codeText) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return homes[slices.Min(ids)]
}
