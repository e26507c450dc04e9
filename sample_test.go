// Tests of sample.go: the sample shows what there is.

package main

import (
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestSampleShows tests that the sample has an example of what the page can show, and that the page
// says that it is a sample.
func TestSampleShows(t *testing.T) {
	t.Parallel()
	config, err := options{sample: true}.config(quiet)
	if err != nil {
		t.Fatal(err)
	}
	p, err := openProgram(config, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer p.stop()
	get := func(path string) string {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", path, nil)
		r.Host = "localhost"
		r.Header.Set("Accept-Encoding", "identity")
		p.handler.ServeHTTP(w, r)
		return w.Body.String()
	}
	today := time.Now().UTC().Add(-time.Hour).Format(time.DateOnly)
	for path, want := range map[string]string{
		"/api/v1/duplicates":                                               `"88123@portal"`,
		"/api/v1/flats/berlin-2250@example":                                `"cost":1080`,
		"/api/v1/find?known[gone]=yes&fields=title":                        `berlin-2230`,
		"/api/v1/find?filter[rating.Ann]=5&filter[rating.Ben]=3&fields=id": `lyon-1042`,
		"/api/v1/find?min[visit_date]=" + today + "&fields=visit_date":     `lyon-1063`,
		"/api/v1/find?q=Warmmiete&fields=title":                            `berlin-2210`,
		"/":                                                                `<meta name="flats-sample" content="true">`,
	} {
		if got := get(path); !strings.Contains(got, want) {
			t.Errorf("%s: %.500s; want %s", path, got, want)
		}
	}
	config = defaultConfig()
	files, err := newPage(config, new(access).isOpen).files()
	if err != nil || !strings.Contains(files["/"].plain, `<meta name="flats-sample" content="false">`) {
		t.Errorf("%v; the page of flats of one's own does not say that it is no sample", err)
	}
}

// TestSampleOnce tests that no detail of the sample repeats a cost.
func TestSampleOnce(t *testing.T) {
	t.Parallel()
	var flats []struct {
		ID                     any // a number or a string
		Cost, Charges, Deposit float64
		Details                map[string]any
	}
	if err := json.Unmarshal(sampleFile("flats.json"), &flats); err != nil {
		t.Fatal(err)
	}
	for _, f := range flats {
		for name, value := range f.Details {
			n, isNumber := value.(float64)
			costs := []float64{f.Cost, f.Deposit, f.Charges, f.Cost + f.Charges}
			if isNumber && n >= 100 && slices.Contains(costs, n) { // smaller numbers are floors, rooms and the like
				t.Errorf("%v: %s %v is also among the costs", f.ID, name, n)
			}
		}
	}
}
