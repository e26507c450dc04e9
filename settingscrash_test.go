// Tests of settings on a disk that fails, and of kills while they change.

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// settingsOn opens a program on a simulated disk, and returns it with the settings that are stored there.
func settingsOn(t *testing.T, d *simDisk) (p *program, text string) {
	t.Helper()
	file, err := openSideFile(&dataFiles{disk: d}, "/flats.json", settingsBase)
	if err != nil {
		t.Fatal(err)
	}
	settings, err := readSettings(file.name, file.text)
	if err != nil {
		t.Fatal(err)
	}
	config := defaultConfig()
	config.WebsiteURL, config.Data = "http://localhost/", "/flats.json"
	config = config.withSettings(settings, wrongKeys{})
	store, err := openStore("/flats.json", d, newPostalCodes(nil, nil), quiet, config.fieldNames()...)
	if err != nil {
		t.Fatal(err)
	}
	file.data = store.writer.files
	views, err := openSideFile(store.writer.files, "/flats.json", "views.json")
	if err != nil {
		t.Fatal(err)
	}
	if p, err = newProgram(config, store, views, quiet); err != nil {
		t.Fatal(err)
	}
	p.settingsFile = file
	return p, file.text
}

// patchSettings sets settings from this machine, and returns the status.
func patchSettings(p *program, body string) int {
	r := httptest.NewRequest("PATCH", "/api/v1/settings", strings.NewReader(body))
	r.Host, r.RemoteAddr = "localhost", "127.0.0.1:1"
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, r)
	return w.Code
}

// TestSettingsDurable tests that settings are durable before they are answered. If anything fails, those before stay in
// force and on the disk, and a crash at any operation leaves the old ones or the new ones.
func TestSettingsDurable(t *testing.T) {
	const before, after = "{\n\"people\": [\"A\",\"B\"]\n}\n", "{\n\"people\": [\"C\",\"D\"]\n}\n"
	for _, crash := range []bool{false, true} {
		for n := 1; ; n++ {
			d := newSimDisk()
			p, _ := settingsOn(t, d)
			if status := patchSettings(p, `{"people":["A","B"]}`); status != 200 {
				t.Fatal(status)
			}
			d.crash = crash
			d.failIn(n)
			status := patchSettings(p, `{"people":["C","D"]}`)
			inForce := settingsText(p.config.settings)
			reached := d.mend()
			wantInForce := before
			if status == 200 {
				wantInForce = after
			}
			if inForce != wantInForce {
				t.Errorf("crash %v, operation %d: %d, and in force are %s", crash, n, status, inForce)
			}
			for _, unsynced := range []bool{false, true} {
				again, text := settingsOn(t, d.restart(survivors{unsynced: unsynced}))
				isWhole := text == before || text == after
				isLost := status == 200 && text != after
				differs := !crash && text != inForce
				if !isWhole || isLost || differs {
					t.Errorf("crash %v, operation %d: %d, and %s is stored", crash, n, status, text)
				}
				again.store.Close()
			}
			if !crash {
				if status := patchSettings(p, `{"people":["E","F"]}`); status != 200 {
					t.Errorf("operation %d: later: %d", n, status)
				}
			}
			p.store.Close()
			if !reached {
				break
			}
		}
	}
}

// TestSettingsKill kills the program again and again while settings and flats change. Each time the settings are the
// old ones or the new ones, and no acknowledged change is lost.
func TestSettingsKill(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	// The numbers of the last changes that were sent, and of the last ones that were acknowledged.
	var settingsSent, settingsStored, notesSent, notesStored atomic.Int64
	writeFile(t, dir, "flats.json", `[{"id":"a"}]`)
	for n := range *kills + 1 {
		p := start(t, dir)
		stored := storedSettings(t, p)
		if stored < settingsStored.Load() || stored > settingsSent.Load() {
			t.Fatalf("after %d kills the settings are those of change %d; want %d to %d", n, stored, settingsStored.Load(),
				settingsSent.Load())
		}
		_, body := p.do("GET", "/api/v1/flats/a", "")
		var flat struct{ Data struct{ Notes string } }
		json.Unmarshal([]byte(body), &flat)
		var notes int64
		fmt.Sscan(flat.Data.Notes, &notes)
		if notes < notesStored.Load() || notes > notesSent.Load() {
			t.Fatalf("after %d kills the notes are %d; want %d to %d", n, notes, notesStored.Load(), notesSent.Load())
		}
		if n == *kills {
			p.stop()
			return
		}
		var clients sync.WaitGroup
		stop := make(chan bool)
		// repeat sends a numbered change after the other until stop is closed.
		repeat := func(sent, stored *atomic.Int64, method, path string, body func(n int64) string) {
			clients.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					n := sent.Add(1)
					if status, _ := p.do(method, path, body(n)); status == 200 {
						stored.Store(n)
					}
				}
			})
		}
		repeat(&settingsSent, &settingsStored, "PATCH", "/api/v1/settings", func(n int64) string {
			return fmt.Sprintf(`{"people":["P%d","x"],"map_credit":"%d","constraints":{"c%d":{"time_to":{"w":{"gps":[1,2],`+
				`"mode":"WALK"}}}}}`, n, n, n)
		})
		repeat(&notesSent, &notesStored, "PATCH", "/api/v1/flat/a", func(n int64) string {
			return fmt.Sprintf(`{"notes":"%d"}`, n)
		})
		before := settingsStored.Load()
		p.await("changes", func() bool { return settingsStored.Load() > before })
		time.Sleep(time.Duration(rand.IntN(100)) * time.Millisecond)
		p.Process.Kill()
		p.Wait()
		close(stop)
		clients.Wait()
	}
}

// storedSettings returns the number of the change that the settings are from. They must all be from it.
func storedSettings(t *testing.T, p *process) (n int64) {
	t.Helper()
	status, body := p.do(http.MethodGet, "/api/v1/settings", "")
	var all struct {
		Data map[string]struct{ Value any }
	}
	if err := json.Unmarshal([]byte(body), &all); err != nil || status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	credit, _ := all.Data["map_credit"].Value.(string)
	fmt.Sscan(credit, &n)
	if n == 0 {
		return 0
	}
	for key, want := range map[string]string{"people": fmt.Sprintf("[P%d x]", n),
		"constraints": fmt.Sprintf("map[c%d:map[time_to:map[w:map[gps:[1 2] mode:WALK]]]]", n)} {
		if got := fmt.Sprint(all.Data[key].Value); got != want {
			t.Errorf("%s is %s; want %s, as map_credit says", key, got, want)
		}
	}
	return n
}

// TestSettingsUnderLoad tests that no request fails while settings change. It logs how long the longest one waited.
func TestSettingsUnderLoad(t *testing.T) {
	long(t)
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, dir, "flats.json", everydayFlats(10_000))
	p := start(t, dir)
	var clients sync.WaitGroup
	stop := make(chan bool)
	var longest atomic.Int64
	for i, a := range []ask{{method: "GET", target: "/api/v1/find?sort=cost&page[size]=20"},
		{method: "GET", target: "/api/v1/flats?page[size]=20"},
		{method: "PATCH", target: "/api/v1/flat/f1@s", body: `{"notes":"n"}`},
		{method: "POST", target: "/api/v1/import", body: `[{"id":"new"}]`}} {
		clients.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				began := time.Now()
				// Each request sends other notes, or another flat.
				sent := strings.NewReplacer(`"n"`, fmt.Sprintf(`"%d"`, n), "new", fmt.Sprintf("new%d-%d", i, n)).Replace(a.body)
				status, body := p.do(a.method, a.target, sent)
				if status != 200 {
					t.Errorf("%s %s: %d %s", a.method, a.target, status, body)
				}
				if took := int64(time.Since(began)); took > longest.Load() {
					longest.Store(took)
				}
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
	for n := range 5 {
		if status, body := p.do("PATCH", "/api/v1/settings", fmt.Sprintf(`{"people":["A%d","B"]}`, n)); status != 200 {
			t.Errorf("%d %s", status, body)
		}
	}
	close(stop)
	clients.Wait()
	t.Logf("the longest request took %v", time.Duration(longest.Load()))
	p.stop()
	if _, err := os.Stat(dir + "/settings.json"); err != nil {
		t.Error(err)
	}
}
