// Tests of codefiles.go: postal codes that are uploaded or fetched.

package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// geoNamesRow returns a row of GeoNames' file of a country. Its last cell is the accuracy, which the service ignores.
func geoNamesRow(country, code, name, area, areaCode string, lat, lng float64) string {
	return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t\t\t\t\t%v\t%v\t1\n", country, code, name, area, areaCode, lat, lng)
}

// frenchCodes are four postal codes of France: three of the area FR-84, and one of FR-11.
var frenchCodes = geoNamesRow("FR", "69001", "Lyon 01", "Auvergne-Rhône-Alpes", "84", 45.77, 4.83) +
	geoNamesRow("FR", "69002", "Lyon 02", "Auvergne-Rhône-Alpes", "84", 45.75, 4.83) +
	geoNamesRow("FR", "38000", "Grenoble", "Auvergne-Rhône-Alpes", "84", 45.17, 5.72) +
	geoNamesRow("FR", "75001", "Paris 01", "Île-de-France", "11", 48.86, 2.33)

// zipped returns an archive of files; names and texts alternate.
func zipped(t testing.TB, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		f.Write([]byte(files[i+1]))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestCodesFromFile tests postal codes that a user uploads: what is refused, what is stored, and when it is in force.
func TestCodesFromFile(t *testing.T) {
	folder := t.TempDir()
	s := newSetup(t, folder, `{}`)
	const path = "/api/v1/postal_codes/FR"
	packed := zipped(t, "readme.txt", "read me", "FR.txt", frenchCodes)
	for _, c := range []struct {
		name, body string
		status     int
	}{
		{"no text", "\x00\x01\x02", 400},
		{"JSON", `[{"postal_code":"69001","name":"Lyon","lat":1,"lng":2}]`, 400},
		{"another country", geoNamesRow("DE", "10115", "Berlin", "Berlin", "BE", 52, 13), 400},
		{"another country after others", frenchCodes + geoNamesRow("DE", "10115", "Berlin", "Berlin", "BE", 52, 13), 400},
		{"another country as CSV", "postal_code,name,lat,lng,area\n1,Wien,48,16,AT-9\n", 400},
		{"a zip of another country", zipped(t, "DE.txt", frenchCodes), 400},
		{"a cut zip", packed[:len(packed)/2], 400},
		{"a damaged zip", strings.Replace(packed, packed[60:70], "0123456789", 1), 400},
		{"a header alone", "postal_code,name,lat,lng,area\n", 400},
		{"a latitude beyond the pole", geoNamesRow("FR", "1", "a", "b", "c", 91, 1), 400},
		{"a row without end", strings.Repeat("FR\t1\t", 100_000), 400},
	} {
		w := s.fetch("PUT", path, c.body)
		if w.Code != c.status || strings.Contains(w.Body.String(), "internal error") {
			t.Errorf("%s: %d %s; want %d", c.name, w.Code, w.Body, c.status)
		}
	}
	if w := s.fetch("PUT", path, "\uFEFF [{}]"); !strings.Contains(w.Body.String(), "JSON works only in files") {
		t.Errorf("JSON: %s", w.Body)
	}
	if got := s.must(200, "GET", "/api/v1/postal_codes", ""); got != "[]" {
		t.Errorf("after what was refused there are %s", got)
	}
	for _, country := range []string{"fr", "F", "FRA", "%2e%2e", "F1", "..%2FFR"} {
		if w := s.fetch("PUT", "/api/v1/postal_codes/"+country, frenchCodes); w.Code != 400 && w.Code != 404 {
			t.Errorf("%s: %d %s", country, w.Code, w.Body)
		}
	}
	got := s.must(200, "PUT", path, packed)
	if !strings.Contains(got, `{"country":"FR","codes":4,"date":"20`) ||
		!strings.Contains(got, `","from":"file","state":"ready","bytes":null,"error":null}`) {
		t.Errorf("PUT answers %s", got)
	}
	if info, err := os.Stat(filepath.Join(folder, "postal_codes", "FR.gz")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("FR.gz: %v, %v", info, err)
	}
	const lyonArea = `{"area":"FR-84","name":"Auvergne-Rhône-Alpes","codes":3,"places":["Lyon","Grenoble"]}`
	const areas = `[{"area":"FR-11","name":"Île-de-France","codes":1,"places":["Paris"]},` + lyonArea + `]`
	checkAreas := func(s *setup) {
		t.Helper()
		if got := s.must(200, "GET", "/api/v1/areas?country=FR", ""); got != areas {
			t.Errorf("the areas are %s; want %s", got, areas)
		}
		if got := s.must(200, "GET", "/api/v1/areas?country=FR&q=LYO", ""); got != "["+lyonArea+"]" {
			t.Errorf("the areas with lyo are %s", got)
		}
	}
	checkAreas(s)
	s.must(404, "GET", "/api/v1/areas?country=DE", "")
	s.must(400, "GET", "/api/v1/areas?country=fr", "")
	s.must(400, "GET", "/api/v1/areas", "")
	// The areas are the same when the codes are in force. Then they cannot be deleted.
	s.must(200, "PATCH", "/api/v1/settings", `{"postal_codes":["FR"]}`)
	checkAreas(s)
	if got := s.must(200, "GET", "/api/v1/metadata", ""); !strings.Contains(got, `"postal_codes":4`) {
		t.Errorf("/metadata answers %s", got)
	}
	s.must(409, "DELETE", path, "")
	withoutParis, _, _ := strings.Cut(frenchCodes, "FR\t75001")
	s.must(200, "PUT", path, withoutParis)
	if got := s.must(200, "GET", "/api/v1/metadata", ""); !strings.Contains(got, `"postal_codes":3`) {
		t.Errorf("after another file /metadata answers %s", got)
	}
	// All stays after a restart. Once the codes are not in force, they can be deleted.
	s.must(200, "PUT", path, packed)
	s.program.stop()
	s = newSetup(t, folder, `{}`)
	checkAreas(s)
	s.must(200, "PATCH", "/api/v1/settings", `{"postal_codes":null}`)
	s.must(204, "DELETE", path, "")
	s.must(404, "DELETE", path, "")
	s.must(400, "PATCH", "/api/v1/settings", `{"postal_codes":["FR"]}`)
}

// TestLargeCodes tests that a zip bomb and a body without end are refused.
func TestLargeCodes(t *testing.T) {
	long(t)
	s := newSetup(t, t.TempDir(), `{}`)
	s.must(413, "PUT", "/api/v1/postal_codes/FR", zipBomb(t))
	r := httptest.NewRequest("PUT", "/api/v1/postal_codes/FR", &endless{})
	r.Host, r.RemoteAddr = "localhost", "127.0.0.1:1"
	w := httptest.NewRecorder()
	if s.handler.ServeHTTP(w, r); w.Code != 413 {
		t.Errorf("an endless body: %d %s", w.Code, w.Body)
	}
}

// TestManyPackedFiles tests that an archive with very many files is refused before its directory is read.
func TestManyPackedFiles(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for range maxZipFiles + 1 {
		w.CreateRaw(&zip.FileHeader{Name: "FR.txt"})
	}
	w.Close()
	if _, err := unpackCodes("FR", b.Bytes()); err == nil || !strings.Contains(err.Error(), "files") {
		t.Errorf("the error is %v", err)
	}
}

// TestUnpackedCodes tests that postal codes are read no further than their bounds, however small they are packed.
func TestUnpackedCodes(t *testing.T) {
	long(t)
	const csv = "postal_code,name,lat,lng,area\n"
	for _, c := range []struct {
		name, start, row string
		most             int // bytes that may be read
	}{
		// A row is shorter than 40 bytes. A MiB may be read ahead.
		{"rows of GeoNames", "", geoNamesRow("FR", "1", "a", "b", "c", 1, 1), maxCodeRows*40 + 1<<20},
		{"rows of CSV", csv, "1,a,1,1,FR\n", maxTable + 1<<20},
		{"one row", "", strings.Repeat("\x00", 1000), maxTable + 1<<20},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := &endlessRows{start: c.start, row: c.row}
			_, err := checkCountryCodes("FR", newCodesText(text))
			var tooLarge *statusError
			if !errors.As(err, &tooLarge) || tooLarge.status != 413 {
				t.Errorf("the error is %v", err)
			}
			if text.read > c.most {
				t.Errorf("%d bytes were read; want at most %d", text.read, c.most)
			}
		})
	}
}

// endlessRows is a text without end: a start, and then the same row again and again.
type endlessRows struct {
	start, row string
	read       int
}

func (r *endlessRows) Read(b []byte) (int, error) {
	if r.read == 0 && r.start != "" {
		r.read = copy(b, r.start)
		return r.read, nil
	}
	n := 0
	for n+len(r.row) <= len(b) {
		n += copy(b[n:], r.row)
	}
	r.read += n
	return n, nil
}

// zipBomb returns a small archive whose file has more than maxCodes bytes. It repeats a compressed part, because
// compressing all of it would take long.
func zipBomb(t *testing.T) string {
	t.Helper()
	rows := strings.Repeat(geoNamesRow("FR", "1", strings.Repeat("a", 60_000), "b", "c", 1, 1), 70) // 4.2 MB
	var part, b bytes.Buffer
	deflate, err := flate.NewWriter(&part, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	deflate.Write([]byte(rows))
	deflate.Flush()
	n := maxCodes/len(rows) + 1
	w := zip.NewWriter(&b)
	f, err := w.CreateRaw(&zip.FileHeader{Name: "FR.txt", Method: zip.Deflate, CompressedSize64: uint64(n * part.Len()),
		UncompressedSize64: uint64(n * len(rows))})
	if err != nil {
		t.Fatal(err)
	}
	f.Write(bytes.Repeat(part.Bytes(), n))
	if err := w.Close(); err != nil || b.Len() > 8<<20 {
		t.Fatalf("the bomb has %d bytes, %v", b.Len(), err)
	}
	return b.String()
}

// endless is a body without end.
type endless struct{}

func (*endless) Read(b []byte) (int, error) { return len(b), nil }

// TestCodesGone tests that the start goes on without postal codes that are gone or damaged, and says so.
func TestCodesGone(t *testing.T) {
	folder := t.TempDir()
	writeFile(t, folder, "settings.json", `{"postal_codes":["FR","DE","AT"],"people":["A","B"]}`)
	if err := os.Mkdir(filepath.Join(folder, "postal_codes"), 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, folder, "postal_codes/DE.gz", "damaged")
	writeFile(t, folder, "postal_codes/AT.gz.ABCDEFGHIJKLMNOPQRSTUVWXYZ.tmp", "left")
	s := newSetup(t, folder, `{}`)
	got := s.must(200, "GET", "/api/v1/postal_codes", "")
	if strings.Count(got, `"state":"failed"`) != 3 || !strings.Contains(got, "DE.gz is damaged: get the postal codes") {
		t.Errorf("/postal_codes answers %s", got)
	}
	if n := strings.Count(s.logs.String(), "the postal codes of a country cannot be used"); n != 3 {
		t.Errorf("there are %d warnings; want 3: %s", n, s.logs)
	}
	s.must(200, "PATCH", "/api/v1/settings", `{"people":["A","C"]}`) // codes that are gone are in the way of no other key
	s.must(400, "PATCH", "/api/v1/settings", `{"postal_codes":["FR","DE"]}`)
	s.must(200, "PUT", "/api/v1/postal_codes/AT", "postal_code,name,lat,lng,area\n1010,Wien,48,16,AT-9\n")
	s.must(200, "PATCH", "/api/v1/settings", `{"postal_codes":["AT"]}`)
	if files, _ := filepath.Glob(filepath.Join(folder, "postal_codes", "*.tmp")); len(files) > 0 {
		t.Errorf("%s is left", files)
	}
}

// TestCodesDamagedLater tests that the postal codes in force go on when their file is damaged later and other ones
// arrive, and that this is told.
func TestCodesDamagedLater(t *testing.T) {
	s := newSetup(t, t.TempDir(), `{}`)
	s.must(200, "PUT", "/api/v1/postal_codes/FR", frenchCodes)
	const austrian = "postal_code,name,lat,lng,area\n1010,Wien,48,16,AT-9\n"
	s.must(200, "PUT", "/api/v1/postal_codes/AT", austrian)
	s.must(200, "PATCH", "/api/v1/settings", `{"postal_codes":["FR","AT"]}`)
	before := s.must(200, "GET", "/api/v1/areas?country=FR", "")
	writeFile(t, s.folder, "postal_codes/FR.gz", "damaged")
	s.must(200, "PUT", "/api/v1/postal_codes/AT", austrian)
	if got := s.must(200, "GET", "/api/v1/areas?country=FR", ""); got != before {
		t.Errorf("the areas were %s, and are %s", before, got)
	}
	const failed = `"state":"failed","bytes":null,"error":"`
	if got := s.must(200, "GET", "/api/v1/postal_codes", ""); !strings.Contains(got, failed) {
		t.Errorf("/postal_codes answers %s", got)
	}
	s.must(200, "PUT", "/api/v1/postal_codes/FR", frenchCodes)
	if got := s.must(200, "GET", "/api/v1/postal_codes", ""); strings.Contains(got, failed) {
		t.Errorf("with a new file /postal_codes answers %s", got)
	}
	// Codes that are not in force are not in memory, so that damage takes them away.
	s.must(200, "PATCH", "/api/v1/settings", `{"postal_codes":["AT"]}`)
	writeFile(t, s.folder, "postal_codes/FR.gz", "damaged")
	s.must(404, "GET", "/api/v1/areas?country=FR", "")
	s.must(400, "PATCH", "/api/v1/settings", `{"postal_codes":["ES"]}`)
	list := s.must(200, "GET", "/api/v1/postal_codes", "")
	if strings.Contains(list, "ES") || !strings.Contains(list, failed) {
		t.Errorf("/postal_codes answers %s", list)
	}
}

// TestCodesFetched tests that postal codes are fetched when somebody wants it, once, and come into force.
func TestCodesFetched(t *testing.T) {
	var requests atomic.Int64
	sendRest := make(chan bool) // the answer for FR goes on once this is closed
	mux := http.NewServeMux()
	answers := map[string]string{"IT": "<html>"}
	for _, country := range []string{"FR", "DE"} { // Germany's file has the codes of France
		answers[country] = zipped(t, country+".txt", frenchCodes)
	}
	mux.HandleFunc("/zip/{name}", func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		country := strings.TrimSuffix(r.PathValue("name"), ".zip")
		switch {
		case country == "ES":
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
		case country == "PT": // a body that never comes
			w.WriteHeader(200)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case answers[country] == "":
			http.NotFound(w, r)
		case country == "FR":
			w.Write([]byte(answers[country])[:10])
			w.(http.Flusher).Flush()
			<-sendRest
			w.Write([]byte(answers[country])[10:])
		default:
			w.Write([]byte(answers[country]))
		}
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	s := newSetup(t, t.TempDir(), `{"geonames":"`+server.URL+`/zip/"}`)
	host := strings.TrimPrefix(server.URL, "http://")
	if w := s.fetch("GET", "/api/v1/postal_codes", ""); !strings.Contains(w.Body.String(), `"geonames":"`+host+`"`) {
		t.Errorf("/postal_codes answers %s", w.Body)
	}
	state := func(country string) string { // what /postal_codes says of a country
		for _, part := range strings.Split(s.must(200, "GET", "/api/v1/postal_codes", ""), "},{") {
			if strings.Contains(part, `"country":"`+country+`"`) {
				return part
			}
		}
		return ""
	}
	await := func(country, want string) {
		t.Helper()
		deadline := time.Now().Add(time.Minute)
		for ; !strings.Contains(state(country), want); time.Sleep(2 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%s is %s; want %s", country, state(country), want)
			}
		}
	}
	for range 3 { // all of them wait for one fetch
		if got := s.must(202, "PUT", "/api/v1/postal_codes/FR", ""); !strings.Contains(got, `"state":"fetching"`) {
			t.Errorf("PUT answers %s", got)
		}
	}
	await("FR", `"bytes":10,`)
	s.must(409, "DELETE", "/api/v1/postal_codes/FR", "")
	s.must(200, "PATCH", "/api/v1/settings", `{"people":["A","B"]}`) // the fetch lives on
	close(sendRest)
	await("FR", `"codes":4,`)
	await("FR", `"from":"`+host+`","state":"ready"`)
	if n := requests.Load(); n != 1 {
		t.Errorf("the host was asked %d times", n)
	}
	s.must(200, "PATCH", "/api/v1/settings", `{"postal_codes":["FR"]}`)
	answers["FR"] = zipped(t, "FR.txt", geoNamesRow("FR", "75001", "Paris 01", "Île-de-France", "11", 48.86, 2.33))
	s.must(202, "PUT", "/api/v1/postal_codes/FR", "")
	await("FR", `"state":"ready"`)
	if got := s.must(200, "GET", "/api/v1/metadata", ""); !strings.Contains(got, `"postal_codes":1`) {
		t.Errorf("after another fetch /metadata answers %s", got)
	}
	for country, want := range map[string]string{
		"DE": "there are postal codes of FR among those of DE", "IT": "Invalid postal codes",
		"AT": "answered 404 Not Found", "ES": "answered 302 Found",
	} {
		s.must(202, "PUT", "/api/v1/postal_codes/"+country, "")
		await(country, `"state":"failed"`)
		if got := state(country); !strings.Contains(got, want) || !strings.Contains(got, `"codes":0`) {
			t.Errorf("%s is %s; want %s", country, got, want)
		}
	}
	// A service stops without waiting for a fetch.
	s.must(202, "PUT", "/api/v1/postal_codes/PT", "")
	await("PT", `"state":"fetching"`)
	s.program.stop()
}

// TestCodesGuarded tests that only the address in the config may be in a private network.
func TestCodesGuarded(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	// Nobody has given geonames in the config file, so that its address must be public.
	c := newCodeFiles(osDisk{}, filepath.Join(t.TempDir(), "flats.json"), &Config{GeoNames: server.URL}, quiet)
	defer c.stop()
	err := c.fetchNow("FR", &codesFetch{})
	if err == nil || !strings.Contains(err.Error(), "not a public address") {
		t.Errorf("a private address: %v", err)
	}
}

// TestCodesPatience tests that a fetch ends when no byte comes.
func TestCodesPatience(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("PK"))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	defer server.Close()
	// Here geonames is given, so that a private address is allowed.
	config := &Config{GeoNames: server.URL, given: members{"geonames": []byte("true")}}
	c := newCodeFiles(osDisk{}, filepath.Join(t.TempDir(), "flats.json"), config, quiet)
	c.patience = 50 * time.Millisecond
	defer c.stop()
	err := c.fetchNow("FR", &codesFetch{})
	if err == nil || !strings.Contains(err.Error(), "no answer in time") {
		t.Errorf("a silent host: %v", err)
	}
}

// The names of areas come from files of the config as from those of the page.
func TestAreaNamesOfConfig(t *testing.T) {
	t.Parallel()
	file := writeFile(t, t.TempDir(), "FR.txt", frenchCodes)
	codes, err := loadPostalCodes([]string{file}, nil)
	if err != nil || codes.areaNames["FR-11"] != "Île-de-France" {
		t.Errorf("the names of areas are %v, %v; want FR-11: Île-de-France", codes.areaNames, err)
	}
}
