// Tests of config.go.

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"flats/internal/imap/imaptest"
)

// The receiver of messages is checked at start. No error shows its URL or headers.
func TestNotifyConfig(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{}`, "url: is missing"},
		{`"https://x/secret"`, "want an object"},
		{`["secret"]`, "want an object"},
		{`{"url":5}`, "url: want a string"},
		{`{"url":"secret"}`, "url: want an http or https URL with a host and without a user name"},
		{`{"url":"ftp://x/secret"}`, "url: want an http or https URL with a host and without a user name"},
		{`{"url":"https:///secret"}`, "url: want an http or https URL with a host and without a user name"},
		{`{"url":"https://me:secret@x/"}`, "url: want an http or https URL with a host and without a user name"},
		{`{"url":"https://x/%zz secret"}`, "url: want an http or https URL with a host and without a user name"},
		{`{"url":"https://x/","headers":["secret"]}`, "headers: want an object of strings"},
		{`{"url":"https://x/","headers":{"A":7}}`, "headers: want an object of strings"},
		{`{"url":"https://x/","headers":{"A":"secret\nB: x"}}`,
			"headers: want names of letters, digits and hyphens, and values without line breaks"},
		{`{"url":"https://x/","headers":{"A b":"secret"}}`,
			"headers: want names of letters, digits and hyphens, and values without line breaks"},
		{`{"url":"https://x/","body":7}`, "body: want a string"},
		{`{"url":"https://x/","body":"{{"}`, "body: template: body:1: unclosed action"},
		{`{"url":"https://x/","body":"{{none}}"}`, `body: template: body:1: function "none" not defined`},
		{`{"url":"https://x/","body":"{{.None}}"}`, `body: template: body:1:2: executing "body" at <.None>: ` +
			"can't evaluate field None in type main.message"},
		{`{"url":"https://x/","body":"{{range 20000000}}x{{end}}"}`, "body: the template writes more than 1048576 bytes"},
	} {
		_, err := parseConfig("config.json", []byte(`{"notify":`+c.text+`}`), quiet)
		got := errorText(err)
		if !strings.HasPrefix(got, "config.json: notify") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s; want config.json: notify… %s", c.text, got, c.want)
		}
		if strings.Contains(got, "secret") {
			t.Errorf("%s: the error shows a secret: %s", c.text, got)
		}
	}
	config, err := parseConfig("config.json", []byte(`{"notify":{"url":"http://x","headers":{"A":"b"},`+
		`"body":"{{json .Flats}}"}}`), quiet)
	if err != nil {
		t.Fatal(err)
	}
	n := config.Notify
	if n.url.Host != "x" || n.Headers["A"] != "b" || n.template == nil {
		t.Errorf("notify is %+v; want the host x, the header A: b and a template", n)
	}
}

// The travel service must have a URL and a contact, and no error shows the URL.
func TestTravelConfig(t *testing.T) {
	const url = "travel.url: want an http or https URL with a host and without a user name"
	for _, c := range []struct{ text, want string }{
		{`5`, "travel: want an object"}, {`"https://secret/"`, "travel: want an object"},
		{`{}`, "travel.contact: is missing\nconfig.json: travel.url: is missing"},
		{`{"url":"https://secret/"}`, "travel.contact: is missing"},
		{`{"url":null,"contact":"x"}`, "travel.url: is missing"},
		{`{"url":["secret"],"contact":"x"}`, "travel.url: want a string"},
		{`{"url":"ftp://secret","contact":"x"}`, url}, {`{"url":"https:///secret","contact":"x"}`, url},
		{`{"url":"https://me:secret@x/","contact":"x"}`, url},
		{`{"url":"https://x","contact":7}`, "travel.contact: want a string"},
		{`{"url":"https://x","contact":""}`, "travel.contact: is missing"},
		{`{"url":"https://x","contact":" "}`, "travel.contact: want your mail"},
		{`{"url":"https://x","contact":"(me)"}`, "travel.contact: want your mail"},
		{`{"url":"https://x","contact":"mé"}`, "travel.contact: want your mail"},
		{`{"url":"https://x","contact":"a\nb"}`, "travel.contact: want your mail"},
		{`{"url":"https://x","contact":"x","arrive":"9:00"}`, "travel.arrive: want a time such as 09:00"},
		{`{"url":"https://x","contact":"x","arrive":"24:00"}`, "travel.arrive: want a time such as 09:00"},
		{`{"url":"https://x","contact":"x","arrive":900}`, "travel.arrive: want a string"},
	} {
		_, err := parseConfig("config.json", []byte(`{"travel":`+c.text+`}`), quiet)
		got := errorText(err)
		if !strings.HasPrefix(got, "config.json: "+c.want) {
			t.Errorf("%s: %s; want config.json: %s", c.text, got, c.want)
		}
		if strings.Contains(got, "secret") {
			t.Errorf("%s: the error shows the URL: %s", c.text, got)
		}
	}
	c, err := parseConfig("config.json", []byte(`{"travel":{"url":"https://x","contact":"me@x"}}`), quiet)
	if err != nil {
		t.Fatal(err)
	}
	travel := c.Travel
	if travel.Arrive != "09:00" || travel.Contact != "me@x" {
		t.Errorf("travel is %+v; want me@x as the contact, and to arrive at 09:00 unless the config says when", travel)
	}
	if got := travel.url.JoinPath("api"); got.Host != "x" || got.RequestURI() != "/api" {
		t.Errorf("the path api of travel.url is %s; want https://x/api", got)
	}
}

// The mode of a place is a known one in its spelling, or public transport if the config gives none.
func TestModeConfig(t *testing.T) {
	const refused = ""
	for mode, want := range map[string]string{`null`: "PUBLIC_TRANSPORT", `"BIKE"`: "BIKE", `"WALK"`: "WALK",
		`"PUBLIC_TRANSPORT"`: "PUBLIC_TRANSPORT", `"CAR"`: refused, `7`: refused, `"walk"`: refused} {
		c, err := parseConfig("config.json", []byte(`{"constraints":{"a":{"time_to":{"w":{"gps":[1,2],"mode":`+mode+
			`}}}}}`), quiet)
		wantErr := ""
		switch {
		case mode == "7":
			wantErr = "config.json: constraints.a.time_to.w.mode: want a string"
		case want == "":
			wantErr = `config.json: constraints.a.time_to.w.mode: want "PUBLIC_TRANSPORT", "WALK" or "BIKE"`
		}
		if got := errorText(err); got != wantErr {
			t.Errorf("mode %s: %s; want %s", mode, got, wantErr)
		} else if err == nil && c.Constraints["a"].Places["w"].Mode != want {
			t.Errorf("mode %s is read as %s; want %s", mode, c.Constraints["a"].Places["w"].Mode, want)
		}
	}
}

// The config names no people, or 2 to 8 different people.
func TestPeopleConfig(t *testing.T) {
	const wrongName = "people: want names of 1 to 40 characters, without control characters, commas and brackets"
	const wrongCount = "people: want 2 to 8 names"
	longest := strings.Repeat("ö", 40)
	for text, want := range map[string]string{
		`[]`: "", `null`: "", `["Ann","Ben"]`: "", `["Ann","ann"]`: "", `["A","B","C","D","E","F","G","H"]`: "",
		`["` + longest + `","Ben (2).&+"]`: "",
		`["Ann"]`:                          wrongCount, `["A","B","C","D","E","F","G","H","I"]`: wrongCount,
		`["Ann","Ann"]`: "people: want different names", `["Ann","Ben","Ann"]`: "people: want different names",
		`["Ann",""]`: wrongName, `["Ann","` + longest + `x"]`: wrongName,
		`["Ann","a,b"]`: wrongName, `["[","Ann"]`: wrongName,
		`["Ann","]"]`: wrongName, `["Ann","a\nb"]`: wrongName, `["Ann","\u0085"]`: wrongName,
		`["Ann",null]`: "people: want an array of strings",
		`"Ann"`:        "people: want an array of strings", `["Ann",5]`: "people: want an array of strings",
	} {
		c, err := parseConfig("config.json", []byte(`{"people":`+text+`}`), quiet)
		if want != "" {
			want = "config.json: " + want
		}
		if got := errorText(err); got != want {
			t.Errorf("%s: %s; want %q", text, got, want)
		}
		if err != nil {
			continue
		}
		fields := 0
		if len(c.People) > 0 {
			fields = 2*len(c.People) + 1 // the rating and the travel of each, and travel_longest
		}
		if len(c.fieldNames()) != fields {
			t.Errorf("%s: fields %q", text, c.fieldNames())
		}
	}
}

// Each config key is read, and unknown ones are logged.
func TestConfig(t *testing.T) {
	var logs bytes.Buffer
	c, err := parseConfig("config.json", []byte(`{"addr":":80","website_url":"https://x.example/flats/","data":"f",
		"postal_codes":["a","b"],"cors_origins":["*","https://Y.example:8443","http://z.example:80"],
		"username":"u","password":"p","feed_token":"t","import_token":"i","max_import":5,
			"people":["Ann","Ben"],"who_we_are":"A,\r\n\tB","keep_photos":true,"max_photos":7,
			"map_tiles":"https://T.example:8443/{z}/{x}/{y}.png","map_credit":"© T","timezone":"Europe/Paris",
			"constraints":{"a.b":{"areas":["FR"],"time_to":{"w.x":{"gps":[1,-2.50],"time":[0,1],"mode":"WALK"}}},
			"c":{},"d":null},
		"x":1,"y":null}`), slog.New(slog.NewTextHandler(&logs, nil)))
	if err != nil {
		t.Fatal(err)
	}
	zone := c.Timezone.String()
	c.Timezone = nil // DeepEqual cannot compare locations
	want := &Config{Addr: ":80", MaxImport: 5, People: []string{"Ann", "Ben"}, WhoWeAre: "A,\r\n\tB",
		KeepPhotos: true, MaxPhotos: 7,
		MapTiles: "https://T.example:8443/{z}/{x}/{y}.png", MapCredit: "© T", TimezoneName: "Europe/Paris",
		WebsiteURL: "https://x.example/flats/", Data: "f", PostalCodes: []string{"a", "b"},
		Backup: defaultConfig().Backup, CORSOrigins: []string{"*", "https://y.example:8443", "http://z.example"},
		GeoNames: "https://download.geonames.org/export/zip/",
		Username: "u", Password: "p", FeedToken: "t", ImportToken: "i",
		Constraints: map[string]Constraint{"a.b": {Areas: []string{"FR"},
			Places: map[string]Place{"w.x": {name: "w.x", GPS: json.RawMessage("[1,-2.50]"), Mode: "WALK", isModeSet: true,
				Time:        json.RawMessage("[0,1]"),
				coordinates: "1.0000,-2.5000", at: pointAt(1, -2.5)}}}, "c": {}}}
	c.given = nil // the text of each key, which want does not have
	if !reflect.DeepEqual(c, want) || zone != "Europe/Paris" {
		t.Errorf("got  %+v, %s\nwant %+v, Europe/Paris", c, zone, want)
	}
	if log := logs.String(); strings.Count(log, "\n") != 1 || !strings.Contains(log, "key=x") {
		t.Errorf("the log is %s; want one line, which names the key x", log)
	}
	if got := c.places(); got != `{"a.b":{"w.x":[1,-2.50]},"c":{}}` {
		t.Errorf("places %s", got)
	}
}

// The values null and "" set nothing.
func TestConfigEmptyValues(t *testing.T) {
	c, err := parseConfig("config.json", []byte(`{"website_url":"","timezone":"","map_tiles":"","username":"","data":null,
		"addr":null,"constraints":{"a":{"time_to":{"w":null}}},"travel":null,"notify":null}`), quiet)
	if err != nil {
		t.Fatal(err)
	}
	want := defaultConfig()
	want.Constraints = map[string]Constraint{"a": {}}
	c.given = nil // the text of each key, which want does not have
	if !reflect.DeepEqual(c, want) {
		t.Errorf("got  %+v\nwant %+v", c, want)
	}
}

// TestConfigRefused tests that errors name the key or, in a text that is not JSON, the line and the column. None quotes
// a password.
func TestConfigRefused(t *testing.T) {
	const noPosition = ": constraints.a.time_to.w.gps: want a latitude of at most 90 and a longitude of at most 180 " +
		"degrees, such as [48.8566, 2.3522]"
	const noTiles = ": map_tiles: want an https URL with {z}, {x} and {y}, such as " +
		"https://tiles.example.org/{z}/{x}/{y}.png"
	for _, bad := range []struct{ text, want string }{ // want is the error after "config.json"
		{``, ":1:1: it is empty"},
		{`[]`, ":1: want an object, which begins with {"},
		{`{"password" "hunter2"}`, `:1:12: a colon is missing after the name`}, // does not quote the password
		{"{\n\"password\":hunter2}", ":2:12: a text must stand in double quotes, like \"text\""},
		{`{"feed_token":'hunter2'}`, ":1:15: write double quotes, not single ones"},
		{"{\n\"addr\": 5}", ": addr: want a string"},
		{`{"addr": "localhost"}`, `: addr: want HOST:PORT such as 127.0.0.1:8080`},
		{`{"addr": "x:99999"}`, `: addr: want HOST:PORT such as 127.0.0.1:8080`},
		{`{"website_url": "flats.example"}`,
			`: website_url: want a URL such as https://flats.example.org/`},
		{`{"website_url": "https://u:secret@x.example/"}`,
			": website_url: must not contain a user name, because links show it to everybody; set username and password"},
		{`{"data": ""}`, ": data: must not be empty"},
		{`{"postal_codes": "FR.txt"}`, `: postal_codes: want an array of strings`},
		{`{"cors_origins": ["https://x.example/"]}`,
			`: cors_origins: want an origin such as https://example.org, without a path, or "*"`},
		{`{"username": "a:b"}`, ": username: must not contain a colon: HTTP Basic ends the name there"},
		{`{"password": 12345}`, ": password: want a string"},
		{`{"feed_token": ["secret"]}`, ": feed_token: want a string"},
		{`{"max_import": "1 MB"}`, `: max_import: want a whole number of bytes`},
		{`{"max_import": 0}`, `: max_import: want at least 1`},
		{`{"who_we_are": ["Ann"]}`, ": who_we_are: want a string"},
		{`{"who_we_are": "a\u0000"}`, ": who_we_are: want at most 2000 characters, without control characters"},
		{`{"who_we_are": "` + strings.Repeat("é", 2001) + `"}`,
			": who_we_are: want at most 2000 characters, without control characters"},
		{`{"keep_photos": "yes"}`, `: keep_photos: want true or false`},
		{`{"max_photos": 0}`, `: max_photos: want at least 1`},
		{`{"max_photos": 1.5}`, `: max_photos: want a whole number of bytes`},
		{`{"map_tiles": "http://t.example/{z}/{x}/{y}"}`, noTiles},
		{`{"map_tiles": "https://t.example/{z}/{x}"}`, noTiles},
		{`{"map_tiles": "https://*;t.example/{z}/{x}/{y}"}`, noTiles},
		{`{"map_tiles": ["https://t.example/{z}/{x}/{y}"]}`, `: map_tiles: want a string`},
		{`{"timezone": "Mars/Olympus"}`, ": timezone: want an IANA name such as Europe/Paris"},
		{`{"timezone": "Local"}`, ": timezone: want an IANA name such as Europe/Paris"},
		{`{"data": "a", "addr": ":0", "data": "b"}`, ": data: an object has this key twice"},
		{`{"x": [{"a": {"b": 1}}, {"a": 1, "b": [], "a": 2}]}`, ": x.a: an object has this key twice"},
		{`{"constraints": {"lyon": {"areas": [], "areas": []}}}`, ": constraints.lyon.areas: an object has this key twice"},
		{`{"constraints": []}`, `: constraints: want an object`},
		{"{\"constraints\": {\n\"a\": {\n\"time_to\": 5}}}", `: constraints.a.time_to: want an object`},
		{`{"constraints": {"a": {"time_to": {"w": {}}}}}`, noPosition},
		{`{"constraints": {"a": {"time_to": {"w": {"gps": [91, 0]}}}}}`, noPosition},
		{`{"constraints": {"a": {"time_to": {"w": {"gps": [1, null]}}}}}`, noPosition},
		{`{"constraints": {"a": {"areas": [1]}}}`, ": constraints.a.areas: want an array of strings"},
		{`{"constraints": {"a": {"areas": ["FR-IDF", null]}}}`, ": constraints.a.areas: want an array of strings"},
		{`{"notify": {"url": "https://ntfy.example", "headers": {"a": null}}}`,
			": notify.headers: want an object of strings"},
	} {
		_, err := parseConfig("config.json", []byte(bad.text), quiet)
		if err == nil || err.Error() != "config.json"+bad.want {
			t.Errorf("%s: %v\nwant config.json%s", bad.text, err, bad.want)
		}
	}
}

// TestConfigSecrets tests that no error shows a secret, wherever in the config it is.
func TestConfigSecrets(t *testing.T) {
	for _, key := range []string{"addr", "website_url", "data", "postal_codes", "cors_origins", "username", "password",
		"feed_token", "import_token", "max_import", "map_tiles", "notify", "constraints", "constraints.a",
		"constraints.a.areas", "constraints.a.time_to.w.gps", "notify.url", "notify.headers", "notify.body",
		"notify.remind"} {
		for _, value := range []string{`"hunter2:"`, `["hunter2:"]`, `{"hunter2":"hunter2:"}`, `[["hunter2"]]`,
			`"https://u:hunter2@x.example/%zz"`, `["https://u:hunter2@x.example"]`, `"http://x.example/?key=hunter2"`} {
			text := value
			for _, name := range slices.Backward(strings.Split(key, ".")) {
				text = `{"` + name + `":` + text + `}`
			}
			_, err := parseConfig("config.json", []byte(text), quiet)
			withoutKeys := strings.ReplaceAll(errorText(err), ".hunter2: ", "") // an error may name a wrong key
			if strings.Contains(withoutKeys, "hunter2") {
				t.Errorf("%s: the error shows the value: %v", text, err)
			}
		}
	}
}

// TestConfigWebsite tests the address of the website that follows from addr, if the config gives none, and that a user
// name needs a password.
func TestConfigWebsite(t *testing.T) {
	// want is the address, or a part of the error.
	for _, c := range []struct{ addr, user, password, want string }{
		{"127.0.0.1:8080", "", "", "http://127.0.0.1:8080/"}, {"[::]:81", "", "", "http://" + reachableAddr(":81") + "/"},
		{"0.0.0.0:81", "u", "p", "http://" + reachableAddr(":81") + "/"},
		{":1", "u", "", "password is missing"}, {":1", "", "p", "http://" + reachableAddr(":1") + "/"},
	} {
		config := &Config{Addr: c.addr, Username: c.user, Password: c.password}
		got := errorText(config.finish())
		if got == "" {
			got = config.WebsiteURL
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%+v: got %s", c, got)
		}
	}
}

// TestConfigErrors tests that the error names every wrong key once, in the spelling of the file,
// whether its type or its value is wrong.
func TestConfigErrors(t *testing.T) {
	_, err := parseConfig("config.json", []byte(`{"people":["Ann",5,"[",null],"addr":"x","data":"","max_import":0,
		"max_photos":"a lot","travel":7,"notify":{"url":"x","headers":{"a b":"","c d":""},"body":"{{"},
		"constraints":{"São Paulo":{"areas":5,"time_to":{"Work.1":{"gps":[1],"mode":"CAR"},"x":7,"y":{}}},"b":[]}}`), quiet)
	const gps = "want a latitude of at most 90 and a longitude of at most 180 degrees, such as [48.8566, 2.3522]"
	want := []string{
		"addr: want HOST:PORT such as 127.0.0.1:8080",
		"constraints.São Paulo.areas: want an array of strings",
		"constraints.São Paulo.time_to.Work.1.gps: " + gps,
		`constraints.São Paulo.time_to.Work.1.mode: want "PUBLIC_TRANSPORT", "WALK" or "BIKE"`,
		"constraints.São Paulo.time_to.x: want an object",
		"constraints.São Paulo.time_to.y.gps: " + gps,
		"constraints.b: want an object",
		"data: must not be empty",
		"max_import: want at least 1",
		"max_photos: want a whole number of bytes",
		"notify.body: template: body:1: unclosed action",
		"notify.headers: want names of letters, digits and hyphens, and values without line breaks",
		"notify.url: want an http or https URL with a host and without a user name",
		"people: want an array of strings",
		"travel: want an object",
	}
	if text := "config.json: " + strings.Join(want, "\nconfig.json: "); err == nil || err.Error() != text {
		t.Errorf("got  %v\nwant %s", err, text)
	}
}

// TestMailboxConfig tests that errors name the key, and show nothing of the value.
func TestMailboxConfig(t *testing.T) {
	const wrongURL = "mailbox.url: want an imaps or imap URL with a user and a host, perhaps a folder, and no password"
	const noSender = "mailbox.from: is missing: name the domains of the senders, or a folder of its own in url"
	const urlWithFolder = `"url":"imaps://secret@h/secret"`
	for _, c := range []struct{ text, want string }{
		{`5`, "mailbox: want an object"}, {`{}`, "mailbox.from: is missing"},
		{`{"url":7}`, "mailbox.from: is missing"}, {`{"from":["a.example"]}`, "mailbox.url: is missing"},
		{`{"url":"https://secret@h/secret"}`, wrongURL}, {`{"url":"imaps://h/secret"}`, wrongURL},
		{`{"url":"imaps://secret@/secret"}`, wrongURL}, {`{"url":"imaps://secret:secret@h/secret"}`, wrongURL},
		{`{"url":"imaps://secret@h/secret?x=secret"}`, wrongURL}, {`{"url":"imaps://secret@h/secret#secret"}`, wrongURL},
		{`{"url":"imaps://secret@h/%0a"}`, wrongURL}, {`{"url":"imaps://secret@h/%ff"}`, wrongURL},
		{`{"url":"imaps://se%00cret@h/secret"}`, wrongURL}, {`{"url":"imaps://secret@h:secret/secret"}`, wrongURL},
		{`{"url":"imaps://secret@h:65536/secret"}`, wrongURL},
		{`{"url":"imaps://secret@h"}`, noSender}, {`{"url":"imaps://secret@h/"}`, noSender},
		{`{"url":"imaps://secret@h/inbox"}`, noSender}, {`{"url":"imaps://secret@h","from":[]}`, noSender},
		{`{` + urlWithFolder + `,"from":"secret"}`, "mailbox.from: want an array of strings"},
		{`{` + urlWithFolder + `,"from":["me@secret.example"]}`, "mailbox.from: want domains such as"},
		{`{` + urlWithFolder + `,"from":["secret"]}`, "mailbox.from: want domains such as"},
		{`{` + urlWithFolder + `,"from":[""]}`, "mailbox.from: want domains such as"},
		{`{` + urlWithFolder + `,"from":["a.example"` + strings.Repeat(`,"a.example"`, 50) + `]}`,
			"mailbox.from: want at most 50"},
		{`{` + urlWithFolder + `,"every":"59s"}`, "mailbox.every: want a time from 1m to 24h, such as 5m"},
		{`{` + urlWithFolder + `,"every":"24h1s"}`, "mailbox.every: want a time from 1m to 24h, such as 5m"},
		{`{` + urlWithFolder + `,"every":"secret"}`, "mailbox.every: want a time from 1m to 24h, such as 5m"},
		{`{` + urlWithFolder + `,"every":5}`, "mailbox.every: want a string"},
		{`{` + urlWithFolder + `,"password":["secret"]}`, "mailbox.password: want a string"},
	} {
		_, err := parseConfig("config.json", []byte(`{"mailbox":`+c.text+`}`), quiet)
		if err == nil || !strings.HasPrefix(err.Error(), "config.json: "+c.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v; want %s", c.text, err, c.want)
		}
	}
	// want is the user, host, port, whether TLS begins with STARTTLS, folder, and pause of the mailbox.
	for _, c := range []struct{ text, want string }{
		{`"url":"imaps://me%40example.org@imap.example.org/Meine%20Flats/f%C3%BCr%20uns"`,
			"me@example.org imap.example.org 993 false Meine Flats/für uns 5m0s"},
		{`"url":"imap://me@example.org@[::1]:1143","from":["A.Example"],"every":"24h"`,
			"me@example.org ::1 1143 true INBOX 24h0m0s"},
		{`"url":"imap://me@h","from":["a.example"],"every":"1m"`, "me h 143 true INBOX 1m0s"},
	} {
		config, err := parseConfig("/etc/config.json", []byte(`{"mailbox":{"certificate":"cert.pem",`+c.text+`}}`), quiet)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		m := config.Mailbox
		got := fmt.Sprint(m.user, " ", m.server.Host, " ", m.server.Port, " ", m.server.StartTLS, " ", m.folder, " ", m.every)
		if got != c.want || m.Certificate != "/etc/cert.pem" || len(m.From) > 0 && m.From[0] != "a.example" {
			t.Errorf("%s: got %s; want %s", c.text, got, c.want)
		}
	}
}

// TestMailboxFinish tests the password, which may come from the environment, and the certificate.
func TestMailboxFinish(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "empty.pem", "secret")
	imaptest.MakeCertificate(t, dir)
	for _, c := range []struct{ environment, members, want string }{
		{"", `"x":1`, "config: mailbox.password: is missing (FLATS_MAILBOX_PASSWORD in the environment also sets it)"},
		{"", `"password":"a\u0000b"`, "config: mailbox.password: must not contain control characters"},
		{"a\nb", `"password":"a"`, "config: mailbox.password: must not contain control characters"},
		{"a", `"certificate":"none.pem"`, "config: mailbox.certificate: open " + filepath.Join(dir, "none.pem") +
			": file does not exist"},
		{"a", `"certificate":"empty.pem"`, "config: mailbox.certificate: " + filepath.Join(dir, "empty.pem") +
			" has no certificate in PEM"},
		{"a", `"certificate":"cert.pem"`, ""},
		{"", `"password":"a"`, ""},
	} {
		t.Setenv("FLATS_MAILBOX_PASSWORD", c.environment)
		writeFile(t, dir, "config.json", `{"mailbox":{"url":"imaps://me@h/Flats",`+c.members+`}}`)
		config, err := options{configFile: filepath.Join(dir, "config.json")}.config(quiet)
		if err != nil {
			t.Fatal(err)
		}
		err = config.finish()
		if got := errorText(err); got != c.want {
			t.Errorf("%s: got %s; want %s", c.members, got, c.want)
		}
		if err == nil && config.Mailbox.Password != "a" {
			t.Errorf("the password is %s", config.Mailbox.Password)
		}
	}
}

// TestConfigUnknown tests that each unknown key is logged once with its path, unless its value is null. A key in other
// case than the known one is unknown and sets nothing, though encoding/json would read it. A place may have members for
// other programs, such as name.
func TestConfigUnknown(t *testing.T) {
	const text = `{
		"Addr": ":1", "Timezone": 1, "x": {"y": 1}, "": 1, "name": 1, "nothing": null,
		"travel": {"url": "http://h", "contact": "c", "URL": "http://g", "later": 1},
		"notify": {"url": "http://h", "template": 1},
		"constraints": {"a": {"Areas": ["x"], "b": 1, "time_to": {
			"w": {"gps": [1, 2], "time": [0, 1], "name": "n"}
		}}}
	}`
	var logs bytes.Buffer
	c, err := parseConfig("config.json", []byte(text), slog.New(slog.NewTextHandler(&logs, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if c.Addr != defaultConfig().Addr || c.Travel.url.Host != "h" {
		t.Errorf("addr is %s, and the host of travel.url %s; want the usual addr, and h", c.Addr, c.Travel.url.Host)
	}
	if a := c.Constraints["a"]; a.Areas != nil || a.Places["w"].name != "w" {
		t.Errorf("the constraint a is %+v; want the place w and no areas", a)
	}
	var keys []string
	for line := range strings.Lines(logs.String()) {
		_, key, _ := strings.Cut(strings.TrimSpace(line), `" key=`)
		keys = append(keys, key)
	}
	want := []string{`""`, "Addr", "Timezone", "constraints.a.Areas", "constraints.a.b", "name", "notify.template",
		"travel.URL", "travel.later", "x"}
	if !slices.Equal(keys, want) {
		t.Errorf("unknown keys %q; want %q", keys, want)
	}
}

// FuzzConfig tests that each line of an error names the file, and that a config without errors has
// everything that the service needs.
func FuzzConfig(f *testing.F) {
	f.Add(`{"addr":":1","people":["Ann","Ben"],"max_import":5,"keep_photos":true,"cors_origins":["*"],"timezone":"UTC"}`)
	f.Add(`{"notify":{"url":"http://h","headers":{"a":"b"}},"travel":{"url":"http://h","contact":"c","arrive":null}}`)
	f.Add(`{"mailbox":{"url":"imaps://me@h/Flats","password":"a","from":["a.example"],"every":"5m","certificate":"b"}}`)
	f.Add(`{"constraints":{"a":{"areas":["x"],"time_to":{"w":{"gps":[1,2],"mode":"WALK"},"v":null}},"b":null}}`)
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "body") {
			return // a template may run for long
		}
		c, err := parseConfig("config.json", []byte(text), quiet)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "config.json:") {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		hasZoneOfName := (c.TimezoneName != "") == (c.Timezone != nil)
		isWrong := c.Addr == "" || c.MaxImport < 1 || c.MaxPhotos < 1 || !hasZoneOfName ||
			c.Notify != nil && c.Notify.url == nil || c.Travel != nil && c.Travel.url == nil ||
			c.Mailbox != nil && (c.Mailbox.user == "" || c.Mailbox.server.Host == "" || c.Mailbox.every < time.Minute)
		for name, constraint := range c.Constraints {
			for place, to := range constraint.Places {
				isWrong = isWrong || to.name != place || speeds[to.Mode] == 0 || !json.Valid(to.GPS)
			}
			isWrong = isWrong || !strings.Contains(c.places(), encodeJSON(name))
		}
		if isWrong {
			t.Errorf("%q: %+v", text, c)
		}
	})
}

// TestConfigMistakes tests that the mistake of a config that is not JSON has its line and its column, in characters.
func TestConfigMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"addr\": \"127.0.0.1:8080\"\n  \"data\": \"x\"\n}": "config.json:2:27: a comma is missing here",
		`{"a": "Zürich" "b": 2}`:                                  "config.json:1:15: a comma is missing here",
		"":                                                        "config.json:1:1: it is empty",
	} {
		if _, err := parseConfig("config.json", []byte(text), quiet); err == nil || err.Error() != want {
			t.Errorf("%q:\ngot  %v\nwant %s", text, err, want)
		}
	}
}

// TestUnknownKeys tests that the warning of an unknown key names the key that was probably meant, if there is one: at
// most two letters, and fewer than half of the key, may differ.
func TestUnknownKeys(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"postal_code": []}`, `msg="unknown config key: did you mean postal_codes?" key=postal_code`},
		{`{"postalcodes": []}`, `did you mean postal_codes?`},
		{`{"adress": ""}`, `msg="unknown config key" key=adress`}, // 3 letters differ from addr
		{`{"Addr": ""}`, `did you mean addr?`},
		{`{"dat": ""}`, `did you mean data?`},
		{`{"dtaa": ""}`, `msg="unknown config key" key=dtaa`},                    // 2 of 4 differ from data
		{`{"ad": ""}`, `msg="unknown config key" key=ad`},                        // 2 differ from addr
		{`{"mailbox": {"ulr": ""}}`, `msg="unknown config key" key=mailbox.ulr`}, // 2 of 3 differ from url
		{`{"mailbox": {"evry": "5m"}}`, `msg="unknown config key: did you mean every?" key=mailbox.evry`},
		{`{"constraints": {"a": {"area": []}}}`, `msg="unknown config key: did you mean areas?" key=constraints.a.area`},
		// 3 differ from time_to.
		{`{"constraints": {"a": {"time": {}}}}`, `msg="unknown config key" key=constraints.a.time`},
		{`{"` + strings.Repeat("postal_codes", 1000) + `": 1}`, `msg="unknown config key" key=postal`},
	} {
		var log bytes.Buffer
		parseConfig("config.json", []byte(c.text), slog.New(slog.NewTextHandler(&log, nil)))
		if !strings.Contains(log.String(), c.want) {
			t.Errorf("%s: the log is %s; want %s", c.text[:min(len(c.text), 80)], cut(log.String(), 300), c.want)
		}
	}
}
