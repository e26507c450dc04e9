package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // for servers that have no time zones of their own
)

// Config configures the service. Start from defaultConfig, not from the zero value.
type Config struct {
	Addr        string   // host:port to listen on
	WebsiteURL  string   // the prefix of links in the calendar; finish derives it from Addr if it is ""
	Data        string   // path of flats.json
	PostalCodes []string // paths
	CORSOrigins []string // origins such as https://example.org, or "*"

	Username, Password string // for HTTP Basic; both or neither
	FeedToken          string // opens the calendar with ?token=; "" disables it
	ImportToken        string // opens POST /api/v1/import as a bearer token; "" disables it

	MaxImport int64 // size limit of a file in the import folder, in bytes

	MapTiles  string // URL of map images, with {z}, {x} and {y}; "" for none
	MapCredit string // the copyright notice of the map images

	Timezone    *time.Location // of visit dates without an offset; nil makes them floating times
	Constraints map[string]Constraint
}

// A Constraint is a search.
type Constraint struct {
	Areas  []string                   // the areas of its postal codes; nil for all
	Places map[string]json.RawMessage // positions by name, each an array of latitude and longitude
}

// defaultConfig returns the config of an empty file.
func defaultConfig() *Config {
	return &Config{Addr: "127.0.0.1:8080", Data: "flats.json", MaxImport: 256 << 20}
}

// parseConfig reads the text of a config file. Relative paths start from the folder of
// the file. Unknown keys are logged. Errors name the file and the key.
func parseConfig(name string, text []byte, log *slog.Logger) (*Config, error) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	if _, err := parseObject(text); err != nil {
		return nil, placed(name, text, err)
	}
	c := defaultConfig()
	r, zone := configReader{folder: filepath.Dir(name), log: log}, ""
	r.checkPath(&c.Data)
	keys := map[string]struct {
		to    any
		check func(*string) error // validates and normalizes a string, or each string of an array
	}{
		"addr":         {&c.Addr, checkAddr},
		"website_url":  {&c.WebsiteURL, checkWebsiteURL},
		"data":         {&c.Data, r.checkPath},
		"postal_codes": {&c.PostalCodes, r.checkPath},
		"cors_origins": {&c.CORSOrigins, checkOrigin},
		"username":     {&c.Username, checkUsername},
		"password":     {&c.Password, nil},
		"feed_token":   {&c.FeedToken, nil},
		"import_token": {&c.ImportToken, nil},
		"timezone":     {&zone, c.setTimezone},
		"max_import":   {&c.MaxImport, nil},
		"map_tiles":    {&c.MapTiles, checkTiles},
		"map_credit":   {&c.MapCredit, nil},
		"constraints":  {&c.Constraints, nil},
	}
	r.object("", text, func(path, key string, value json.RawMessage) {
		check := keys[key].check
		switch to := keys[key].to.(type) {
		case nil:
			r.log.Warn("unknown config key", "key", path)
		case *string:
			r.value(path, value, "a string", to)
			if check != nil {
				r.fail(path, check(to))
			}
		case *[]string:
			r.value(path, value, "an array of strings", to)
			for i := range *to {
				r.fail(path, check(&(*to)[i]))
			}
		case *int64:
			r.value(path, value, "a whole number of bytes", to)
			if *to < 1 {
				r.fail(path, wrongType("at least 1", string(value)))
			}
		case *map[string]Constraint:
			*to = map[string]Constraint{}
			r.object(path, value, func(path, name string, value json.RawMessage) {
				(*to)[name] = r.constraint(path, value)
			})
		}
	})
	if r.err != nil {
		return nil, fmt.Errorf("%s: %w", name, r.err)
	}
	return c, nil
}

// A configReader reads the values of a config and keeps the first error, which names
// the path of the key. A null counts as a missing key.
type configReader struct {
	folder string // of the config file
	log    *slog.Logger
	err    error
}

// fail keeps an error, unless it is nil or not the first one.
func (r *configReader) fail(path string, err error) {
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("%s: %w", path, err)
	}
}

// object calls f for each member of an object, sorted by name.
func (r *configReader) object(path string, text json.RawMessage, f func(path, key string, value json.RawMessage)) {
	object, err := parseObject(text)
	r.fail(path, err)
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if value := object[key]; string(value) != "null" {
			f(strings.TrimPrefix(path+"."+key, "."), key, value)
		}
	}
}

// value reads a value; want names its type in errors. No error shows a secret.
func (r *configReader) value(path string, value json.RawMessage, want string, to any) {
	err := json.Unmarshal(value, to)
	switch {
	case err == nil:
	case path == "password" || strings.HasSuffix(path, "_token"):
		r.fail(path, errors.New("want "+want))
	default:
		r.fail(path, wrongType(want, string(value)))
	}
}

// constraint reads a search.
func (r *configReader) constraint(path string, value json.RawMessage) Constraint {
	c := Constraint{Places: map[string]json.RawMessage{}}
	r.object(path, value, func(path, key string, value json.RawMessage) {
		switch key {
		case "areas":
			r.value(path, value, "an array of strings", &c.Areas)
		case "time_to":
			r.object(path, value, func(path, place string, value json.RawMessage) {
				c.Places[place] = r.gps(path, value)
			})
		default:
			r.log.Warn("unknown config key", "key", path)
		}
	})
	return c
}

// gps returns the position of a place, an array of latitude and longitude. The other
// members of a place are for the programs that compute travel times.
func (r *configReader) gps(path string, value json.RawMessage) json.RawMessage {
	place, err := parseObject(value)
	r.fail(path, err)
	var gps []*float64
	if json.Unmarshal(place["gps"], &gps) != nil || len(gps) != 2 || gps[0] == nil || gps[1] == nil ||
		math.Abs(*gps[0]) > 90 || math.Abs(*gps[1]) > 180 {
		r.fail(path+".gps", wrongType("a latitude of at most 90 and a longitude of at most 180 degrees, "+
			"such as [48.8566, 2.3522]", string(place["gps"])))
	}
	return place["gps"]
}

// finish checks the keys that depend on each other, and derives the defaults that do.
func (c *Config) finish() (err error) {
	const both = "set both or neither (FLATS_PASSWORD in the environment sets the password)"
	switch {
	case c.Username == "" && c.Password != "":
		return errors.New("config: username is missing: " + both)
	case c.Username != "" && c.Password == "":
		return errors.New("config: password is missing: " + both)
	}
	if c.WebsiteURL == "" {
		host, port, _ := net.SplitHostPort(c.Addr)
		if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
			host = "localhost"
		}
		c.WebsiteURL = "http://" + net.JoinHostPort(host, port) + "/"
	}
	c.Data, err = filepath.Abs(c.Data)
	return err
}

// places returns the object of api.md 2.4 as JSON.
func (c *Config) places() string {
	places := map[string]map[string]json.RawMessage{}
	for name, constraint := range c.Constraints {
		places[name] = constraint.Places
	}
	return encodeJSON(places)
}

// checkAddr checks an address to listen on.
func checkAddr(addr *string) error {
	_, port, err := net.SplitHostPort(*addr)
	if _, notPort := strconv.ParseUint(port, 10, 16); err != nil || notPort != nil {
		return fmt.Errorf("want HOST:PORT such as 127.0.0.1:8080, got %q", *addr)
	}
	return nil
}

// setTimezone loads a time zone by its IANA name; "" leaves visits floating.
func (c *Config) setTimezone(name *string) (err error) {
	if *name != "" {
		c.Timezone, err = time.LoadLocation(*name)
	}
	return err
}

// checkWebsiteURL checks a URL that others are appended to.
func checkWebsiteURL(s *string) error {
	u, err := url.Parse(*s)
	if err == nil && u.User != nil {
		return errors.New("must not contain a user name, because links show it to everybody; set username and password")
	}
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("want a URL such as https://flats.example.org/, got %q", *s)
	}
	return nil
}

// checkPath makes a relative path start from the folder of the config file.
func (r *configReader) checkPath(path *string) error {
	if *path == "" {
		return errors.New("must not be empty")
	}
	if !filepath.IsAbs(*path) {
		*path = filepath.Join(r.folder, *path)
	}
	return nil
}

// checkOrigin checks an origin, or "*", and writes it as browsers do.
func checkOrigin(s *string) error {
	if *s != "*" {
		u, err := url.Parse(*s)
		if err != nil || u.Scheme == "" || u.Host == "" || u.Scheme+"://"+u.Host != *s {
			return fmt.Errorf(`want an origin such as https://example.org, without a path, or "*", got %q`, *s)
		}
		*s = originOf(u)
	}
	return nil
}

// tilesURL matches URLs with a host that a content security policy can name.
var tilesURL = regexp.MustCompile(`^https://[A-Za-z0-9.-]+(:[0-9]+)?/`)

// checkTiles checks the URL of map images.
func checkTiles(s *string) error {
	hasAll := strings.Contains(*s, "{z}") && strings.Contains(*s, "{x}") && strings.Contains(*s, "{y}")
	if *s == "" || hasAll && tilesURL.MatchString(*s) {
		return nil
	}
	return fmt.Errorf("want an https URL with {z}, {x} and {y}, "+
		"such as https://tiles.example.org/{z}/{x}/{y}.png, got %q", *s)
}

// originOf returns the origin of a URL as browsers write it: in lower case, and
// without the default port.
func originOf(u *url.URL) string {
	host := strings.ToLower(u.Host)
	if port := u.Port(); u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80" {
		host = strings.TrimSuffix(host, ":"+port)
	}
	return u.Scheme + "://" + host
}

// checkUsername refuses a colon, which ends the name in HTTP Basic (RFC 7617, 2).
func checkUsername(s *string) error {
	if strings.Contains(*s, ":") {
		return errors.New("must not contain a colon: HTTP Basic ends the name there")
	}
	return nil
}

// The sample is the flats, postal codes and config of flats -sample.
//
//go:embed sample
var sample embed.FS

func sampleFile(name string) []byte {
	text, _ := sample.ReadFile("sample/" + name) // embedded: it cannot fail
	return text
}

var sampleDay = regexp.MustCompile(`\b20\d\d-\d\d-\d\d`)

// readSample reads the embedded postal codes and flats, with all their days
// moved.
func readSample(constraints map[string]Constraint, by time.Duration, log *slog.Logger) (*PostalCodes, []*Flat, error) {
	rows, err := readPostalCodes("sample/postal_codes.json", sampleFile("postal_codes.json"))
	if err != nil {
		return nil, nil, err
	}
	text := sampleDay.ReplaceAllFunc(sampleFile("flats.json"), func(day []byte) []byte {
		at, _ := time.Parse(time.DateOnly, string(day))
		return at.Add(by).AppendFormat(nil, time.DateOnly)
	})
	codes := newPostalCodes(rows, constraints)
	flats, err := readFlats("sample/flats.json", text, codes, log)
	return codes, flats, err
}
