// Tests of pushdevices.go, and of the routes of devices.

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

// pushedService returns a service with a config, whose push services are simulated.
func pushedService(t *testing.T, config string, s *pushService) (*service, *program) {
	t.Helper()
	service := newService(t, "[]", "[]")
	c, err := parseConfig("config.json", []byte(config), quiet)
	if err != nil {
		t.Fatal(err)
	}
	p := testProgram(t, c, service.store, service.store.log)
	p.pusher.client.Transport = s
	service.use(p)
	return service, p
}

var deviceID = regexp.MustCompile(`"id":"([A-Z2-7]{12})"`)

// The routes add, list, test and remove devices, and show no more of an endpoint than its host.
func TestPushRoutes(t *testing.T) {
	ann := newSubscriber(t, "https://push.example/secret/ann")
	ben := newSubscriber(t, "https://push.example:443/secret/ben")
	push := newPushService(t, ann, ben)
	s, _ := pushedService(t, `{"website_url":"https://flats.example/"}`, push)
	got := s.ask("GET", "/api/v1/push", "")
	var state struct {
		Data struct {
			Key     string
			Devices []deviceAnswer
		}
	}
	list := func() []deviceAnswer {
		t.Helper()
		answer := s.ask("GET", "/api/v1/push", "")
		if err := json.Unmarshal([]byte(answer.body), &state); err != nil || answer.status != 200 ||
			strings.Contains(answer.body, "secret") {
			t.Fatalf("GET: %d %s", answer.status, answer.body)
		}
		return state.Data.Devices
	}
	devices := list()
	key := state.Data.Key // 65 bytes in base64url, of which the first is 4
	if len(key) != 87 || !strings.HasPrefix(key, "B") || devices == nil {
		t.Errorf("GET: %s", got.body)
	}
	added := s.ask("POST", "/api/v1/push", ann.subscription(" Ann's \n phone "))
	match := deviceID.FindStringSubmatch(added.body)
	if match == nil {
		t.Fatalf("POST: %d %s", added.status, added.body)
	}
	id := match[1]
	served := s.ask("GET", "/api/v1/push", "").body
	since := regexp.MustCompile(`"since":"([^"]+)"`).FindStringSubmatch(served)[1]
	want := `{"data":{"id":"` + id + `","name":"Ann's phone","since":"` + since + `","last":null,"error":null}}`
	s.want(added, 201, want)
	s.want(s.ask("POST", "/api/v1/push", ann.subscription("Ann's phone")), 200, want)
	again := s.ask("POST", "/api/v1/push", ann.subscription("Tablet"))
	s.want(again, 200, strings.Replace(want, "Ann's phone", "Tablet", 1))
	s.ask("POST", "/api/v1/push", ben.subscription("Ben"))
	if devices := list(); len(devices) != 2 || devices[0].Name != "Tablet" || devices[1].Name != "Ben" ||
		state.Data.Key != key {
		t.Errorf("the devices are %+v", state.Data)
	}
	target := "/api/v1/push/" + id
	s.want(s.ask("POST", target, ""), 200, `{"data":{"status":201}}`)
	if taken := push.take(ann); len(taken) != 1 ||
		taken[0] != "Test: 1 new | https://flats.example/#/flat/example | New: Example, €840, 46 m², 2 rooms | 0" {
		t.Errorf("the example is %q", taken)
	}
	push.answerWith(func(string, pushed) *http.Response { return answerOf(500) })
	s.refuse(s.ask("POST", target, ""), 502, "The message was not taken: push.example answered 500 Internal Server Error.")
	push.answerWith(func(string, pushed) *http.Response { return nil })
	s.refuse(s.ask("POST", target, ""), 502, "The message was not taken: push.example: no valid answer.")
	if devices := list(); devices[0].Error != nil || devices[0].Last != nil {
		t.Errorf("an example counts: %+v", devices)
	}
	push.answerWith(func(string, pushed) *http.Response { return answerOf(410) })
	s.refuse(s.ask("POST", target, ""), 502, "The message was not taken: push.example answered 410 Gone.")
	for _, method := range []string{"POST", "DELETE"} {
		s.refuse(s.ask(method, target, ""), 404, "No device with the id "+id+".")
	}
	if got := s.ask("DELETE", "/api/v1/push/"+list()[0].ID, ""); got.status != 204 || len(list()) != 0 {
		t.Errorf("DELETE: %d %s", got.status, got.body)
	}
	if logs := s.logs.String(); strings.Contains(logs, "secret") {
		t.Errorf("the log shows a secret: %s", logs)
	}
}

// What is no subscription is refused, in words that show nothing of it.
func TestPushInvalid(t *testing.T) {
	s, p := pushedService(t, `{"website_url":"https://flats.example/"}`, nil)
	phone := newSubscriber(t, "https://push.example/secret")
	with := func(change func(object)) string {
		var o object
		json.Unmarshal([]byte(phone.subscription("Ann")), &o)
		change(o)
		return encodeJSON(o)
	}
	at := func(endpoint string) string { return with(func(o object) { o["endpoint"] = endpoint }) }
	keys := func(name, text string) string {
		return with(func(o object) { o["keys"].(object)[name] = text })
	}
	const https, internet = "endpoint: want an https URL with port 443", "endpoint: want a URL of the internet"
	for body, want := range map[string]string{
		"":          "want a JSON object",
		"[]":        "want a JSON object",
		`"secret"`:  "want a JSON object",
		`{"secret"`: "want a JSON object",
		`{}`:        https,
		with(func(o object) { o["endpoint"] = 5 }):                           "endpoint: has another type",
		with(func(o object) { o["name"] = []string{"secret"} }):              "name: has another type",
		with(func(o object) { o["keys"] = "secret" }):                        "keys: has another type",
		with(func(o object) { o["name"] = strings.Repeat("é", 101) }):        "name: want at most 100 characters",
		with(func(o object) { delete(o, "keys") }):                           "keys.p256dh: want 65 bytes in base64url",
		keys("p256dh", "secret"):                                             "keys.p256dh: want 65 bytes in base64url",
		keys("p256dh", strings.Repeat("A", 87)):                              "keys.p256dh: want a point of the curve P-256",
		keys("auth", "secret"):                                               "keys.auth: want 16 bytes in base64url",
		at("http://push.example/secret"):                                     https,
		at("https://push.example:8443/secret"):                               https,
		at("https://me:secret@push.example/"):                                https,
		at("//push.example/secret"):                                          https,
		at("https://push.example/%secret"):                                   https,
		at("https:///secret"):                                                internet,
		at("https://localhost/secret"):                                       internet,
		at("https://printer/secret"):                                         internet,
		at("https://printer./secret"):                                        internet,
		at("https://127.0.0.1/secret"):                                       internet,
		at("https://127.1/secret"):                                           internet,
		at("https://0177.0.0.1/secret"):                                      internet,
		at("https://127.0.0.0x1/secret"):                                     internet,
		at("https://１２７.０.０.１/secret"):                                       internet,
		at("https://127。0。0。1/secret"):                                       internet,
		at("https://127.0.0.1../secret"):                                     internet,
		at("https://.example/secret"):                                        internet,
		at("https://push..example/secret"):                                   internet,
		at("https://192.168.1.1:443/secret"):                                 internet,
		at("https://[::1]/secret"):                                           internet,
		at("https://[fe80::1%25eth0]/secret"):                                internet,
		at("https://[::ffff:10.0.0.1]/secret"):                               internet,
		at("https://100.64.0.1/secret"):                                      internet,
		at("https://push.example/secret" + strings.Repeat("a", maxEndpoint)): "endpoint: want at most 2000 bytes",
	} {
		got := s.ask("POST", "/api/v1/push", body)
		if s.refuse(got, 400, "Invalid subscription provided: "+want+"."); strings.Contains(got.body, "secret") {
			t.Errorf("%s: the answer shows a secret: %s", body, got.body)
		}
	}
	if len(p.pusher.devices.list()) != 0 {
		t.Errorf("there are the devices %v; want none", p.pusher.devices.list())
	}
	for i := range maxDevices {
		phone.endpoint = fmt.Sprintf("https://8.8.8.8/%d", i)
		if got := s.ask("POST", "/api/v1/push", phone.subscription(strings.Repeat("é", 100))); got.status != 201 {
			t.Fatalf("device %d: %d %s", i, got.status, got.body)
		}
	}
	// A device that is there may be added again.
	s.want(s.ask("POST", "/api/v1/push", phone.subscription("known")), 200,
		s.ask("POST", "/api/v1/push", phone.subscription("known")).body)
	phone.endpoint = "https://8.8.8.8/one more"
	s.refuse(s.ask("POST", "/api/v1/push", phone.subscription("")), 400, "There are 20 devices already: remove one first.")
}

// The sample adds no device, and has a key.
func TestPushSample(t *testing.T) {
	s, p := pushedService(t, `{"website_url":"https://flats.example/"}`, nil)
	p.config.sample = true
	for _, target := range []string{"/api/v1/push", "/api/v1/push/x"} {
		s.refuse(s.ask("POST", target, newSubscriber(t, "https://push.example/").subscription("")), 409,
			"The sample asks no other service.")
	}
	got := s.ask("GET", "/api/v1/push", "")
	key, err := p.pusher.devices.key(s.store)
	if err != nil {
		t.Fatal(err)
	}
	s.want(got, 200, `{"data":{"key":"`+key.Public()+`","devices":[]}}`)
}

// Whoever may use the routes of messages may use these, and nobody else.
func TestPushAccess(t *testing.T) {
	s, _ := pushedService(t, `{"username":"me","password":"p","feed_token":"f","import_token":"i"}`, nil)
	body := newSubscriber(t, "https://push.example/").subscription("")
	for _, c := range []struct {
		method, target, name, value string
		want                        int
	}{
		{"GET", "/api/v1/push", "Authorization", "Bearer i", 401},
		{"GET", "/api/v1/push?token=f", "X", "x", 401},
		{"POST", "/api/v1/push", "Authorization", "Bearer i", 401},
		{"DELETE", "/api/v1/push/x", "X", "x", 401},
		{"OPTIONS", "/api/v1/push/x", "X", "x", 200},
		{"GET", "/api/v1/push", "Authorization", "Basic bWU6cA==", 200},
		{"POST", "/api/v1/push", "Authorization", "Basic bWU6cA==", 201},
		{"DELETE", "/api/v1/push/x", "Authorization", "Basic bWU6cA==", 404},
	} {
		sent := ""
		if c.method == "POST" {
			sent = body
		}
		if got := s.ask(c.method, c.target, sent, c.name, c.value); got.status != c.want {
			t.Errorf("%s %s with %s: %d %s; want %d", c.method, c.target, c.value, got.status, got.body, c.want)
		}
	}
}

// A push.json that is damaged refuses the start, in words without a secret.
func TestReadPush(t *testing.T) {
	phone := newSubscriber(t, "https://push.example/secret")
	var given pushDevice
	json.Unmarshal([]byte(phone.subscription("Ann")), &given)
	given.ID, given.Since, given.Told = "A", "2026-01-01T00:00:00Z", map[string]string{"v": "2026-01-01"}
	file := func(change func(*pushFile)) string {
		f := pushFile{Devices: []pushDevice{given}}
		change(&f)
		return encodeJSON(f)
	}
	withDevice := func(change func(*pushDevice)) string {
		return file(func(f *pushFile) { change(&f.Devices[0]) })
	}
	for text, want := range map[string]string{ // the beginning of the error, "" for none
		"":                         "",
		`{}`:                       "",
		file(func(*pushFile) {}):   "",
		"\n":                       "push.json:1:1: it is empty",
		`["secret"]`:               "push.json:1: ",
		"{\n\"key\": \"secret\"":   "push.json:2:16: a closing } is missing",
		`{"key":5}`:                "push.json: key: has another type",
		`{"key":"secret"}`:         "push.json: key: want 32 bytes in base64url",
		`{"keys":"secret"}`:        `push.json: json: unknown field "keys"`,
		`{"devices":[{"id":"A"}]}`: "push.json: device 1: since: ",
		withDevice(func(d *pushDevice) { d.ID = "" }):                               "push.json: device 1: id: is missing",
		withDevice(func(d *pushDevice) { d.Last = "secret" }):                       "push.json: device 1: last: ",
		withDevice(func(d *pushDevice) { d.Told["v"] = "then" }):                    "push.json: device 1: v: ",
		withDevice(func(d *pushDevice) { d.Told["v"] = "2026-01-01" }):              "",
		withDevice(func(d *pushDevice) { d.Endpoint = "https://127.0.0.1/secret" }): "push.json: device 1: endpoint: ",
		withDevice(func(d *pushDevice) { d.Keys.Auth = "" }):                        "push.json: device 1: keys.auth: ",
		file(func(f *pushFile) { f.Devices = append(f.Devices, f.Devices[0]) }):     "push.json: device 2: id: appears twice",
		file(func(f *pushFile) { f.Devices = slices.Repeat(f.Devices, 21) }):        "push.json: there are more than 20",
		file(func(f *pushFile) { f.Devices, f.Key = nil, "AAAAAAAAAAAAAAAAAAAA" }):  "push.json: key: want 32 bytes",
	} {
		_, err := readPush("push.json", text)
		if got := errorText(err); !strings.HasPrefix(got, want) || (want == "") != (err == nil) ||
			strings.Contains(got, "/secret") {
			t.Errorf("%s: %v; want %s", text, err, want)
		}
	}
}

// The file of the devices is private, is in archives, and comes back from them.
func TestPushFile(t *testing.T) {
	dir := t.TempDir()
	config := &Config{Data: filepath.Join(dir, "flats.json"), WebsiteURL: "https://flats.example/"}
	os.WriteFile(config.Data, []byte(`[{"id":1}]`), 0o600)
	open := func() (*program, *Store) {
		t.Helper()
		store, err := openStore(config.Data, osDisk{}, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		p, err := newProgram(config, store, &sideFile{name: "views.json"}, quiet)
		if err != nil {
			t.Fatal(err)
		}
		return p, store
	}
	p, store := open()
	if _, err := os.Stat(filepath.Join(dir, pushBase)); err == nil {
		t.Error("a key is made before it is needed")
	}
	if _, _, err := p.pusher.add([]byte(newSubscriber(t, "https://push.example/").subscription("Ann"))); err != nil {
		t.Fatal(err)
	}
	key, err := p.pusher.devices.key(store)
	if err != nil {
		t.Fatal(err)
	}
	want := p.pusher.devices.list()
	store.Close()
	info, err := os.Stat(filepath.Join(dir, pushBase))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info.Mode(), err)
	}
	archive := filepath.Join(t.TempDir(), "a.tar.gz")
	var out strings.Builder
	if err := osArchiver(nil).backUp(t.Context(), config.Data, archive, withoutPhotos, &out); err != nil {
		t.Fatal(err)
	}
	os.RemoveAll(dir)
	if err := osArchiver(nil).restore(t.Context(), config.Data, archive, &out); err != nil {
		t.Fatal(err)
	}
	p, store = open()
	defer store.Close()
	again, err := p.pusher.devices.key(store)
	if err != nil || again.Public() != key.Public() || encodeJSON(p.pusher.devices.list()) != encodeJSON(want) {
		t.Errorf("restored: %v, %v, %v; want %v", again, p.pusher.devices.list(), err, want)
	}
	os.WriteFile(filepath.Join(dir, pushBase), []byte("{"), 0o600)
	if _, err := openPushDevices(p.views, config.Data); err == nil || !strings.Contains(err.Error(), "left as it is") {
		t.Errorf("a damaged file: %v", err)
	}
	os.Remove(archive)
	if err := osArchiver(nil).backUp(t.Context(), config.Data, archive, withoutPhotos, &out); err == nil {
		t.Error("a damaged push.json is backed up")
	}
}

// If the stored times of a device lie ahead of the clock, it gets messages from now on. A device is added or removed
// only if that can be stored.
func TestPushClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ann, ben := newSubscriber(t, "https://push.example/ann"), newSubscriber(t, "https://push.example/ben")
		s := newPushService(t, ann, ben)
		d := newSimDisk()
		h := newPushHunt(t, d, s)
		h.put("all", `{"query":"","notify":true}`)
		h.adds(ann, "Ann")
		h.imports(`[{"id":"a"}]`)
		h.wantsPushed("at first", s, ann, allNew("a", 1))
		device, _ := h.pusher.devices.find(ann.id)
		h.stop()
		text := string(d.names["/push.json"].data)
		text = strings.ReplaceAll(text, device.Told["all"], "2099-01-01T00:00:00Z")
		d = d.restartUnsynced()
		d.put("/push.json", text)
		h = newPushHunt(t, d, s)
		defer func() { h.stop() }()
		h.imports(`[{"id":"b"}]`)
		h.wantsPushed("after a restored mistake", s, ann, allNew("b", 2))
		if logs := h.logs.String(); !strings.Contains(logs, "a time of a device is in the future") {
			t.Errorf("the log is %s; want that a time of a device is in the future", logs)
		}
		h.disk.setFull(true)
		if _, _, err := h.pusher.add([]byte(ben.subscription("Ben"))); err == nil || len(h.pusher.devices.list()) != 1 {
			t.Errorf("added on a full disk: %v, %v", h.pusher.devices.list(), err)
		}
		if err := h.pusher.remove(ann.id); err == nil || len(h.pusher.devices.list()) != 1 {
			t.Errorf("removed on a full disk: %v, %v", h.pusher.devices.list(), err)
		}
		h.disk.setFull(false)
		if _, err := d.Lstat("/push.json"); err != nil {
			t.Errorf("the file is gone: %v", err)
		}
	})
}
