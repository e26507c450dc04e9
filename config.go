package main

import (
	"bytes"
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

// Config is what the service is told at its start. The zero value is not
// ready: defaultConfig is.
type Config struct {
	Addr        string   // host:port to listen at
	WebsiteURL  string   // what links in the calendar begin with; "" follows Addr
	Data        string   // path of flats.json
	PostalCodes []string // paths
	CORSOrigins []string // origins such as https://example.org, or "*"

	Username, Password string // for HTTP Basic; both or none
	FeedToken          string // lets ?token= read the calendar; "" for nobody

	MaxImport int64 // bytes of a file in the import folder

	MapTiles  string // URL of the images under the map, with {z}, {x} and {y}; "" for none
	MapCredit string // whose they are

	Timezone    *time.Location // of visit dates without an offset; nil for floating
	Constraints map[string]Constraint
}

// A Constraint is a named search.
type Constraint struct {
	Areas  []string                   // of the postal codes that it knows; nil for all
	Places map[string]json.RawMessage // that travel times are computed to: arrays of latitude and longitude
}

func defaultConfig() *Config {
	return &Config{Addr: "127.0.0.1:8080", Data: "flats.json", MaxImport: 256 << 20}
}

// parseConfig reads the text of a config file. Paths in it start from its folder. A
// key that is not known is a warning in the log; an error names file and key.
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
		check func(*string) error // mends a string, or each in an array, or fails
	}{
		"addr": {&c.Addr, checkAddr}, "website_url": {&c.WebsiteURL, checkWebsiteURL}, "data": {&c.Data, r.checkPath},
		"postal_codes": {&c.PostalCodes, r.checkPath}, "cors_origins": {&c.CORSOrigins, checkOrigin},
		"username": {&c.Username, checkUsername}, "password": {&c.Password, nil}, "feed_token": {&c.FeedToken, nil},
		"timezone": {&zone, func(*string) (err error) {
			if zone != "" {
				c.Timezone, err = time.LoadLocation(zone)
			}
			return err
		}},
		"max_import": {&c.MaxImport, nil}, "map_tiles": {&c.MapTiles, checkTiles}, "map_credit": {&c.MapCredit, nil}, "constraints": {&c.Constraints, nil},
	}
	r.object("", text, func(path, key string, value json.RawMessage) {
		check := keys[key].check
		switch to := keys[key].to.(type) {
		case nil:
			r.log.Warn("the config has a key that is not known here", "key", path)
		case *string:
			if r.value(path, value, "a string", to); check != nil {
				r.fail(path, check(to))
			}
		case *[]string:
			r.value(path, value, "an array of strings", to)
			for i := range *to {
				r.fail(path, check(&(*to)[i]))
			}
		case *int64:
			if r.value(path, value, "a whole number of bytes", to); *to < 1 {
				r.fail(path, wrongType("at least 1", string(value)))
			}
		case *map[string]Constraint:
			*to = map[string]Constraint{}
			r.object(path, value, func(path, name string, value json.RawMessage) { (*to)[name] = r.constraint(path, value) })
		}
	})
	if r.err != nil {
		return nil, fmt.Errorf("%s: %w", name, r.err)
	}
	return c, nil
}

// A configReader reads the values of a config and remembers the first error,
// which names the path to the key. A null says as much as no key.
type configReader struct {
	folder string // of the file
	log    *slog.Logger
	err    error
}

func (r *configReader) fail(path string, err error) {
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("%s: %w", path, err)
	}
}

// object calls f for each member of an object, in the order of their names.
func (r *configReader) object(path string, text json.RawMessage, f func(path, key string, value json.RawMessage)) {
	object, err := parseObject(text)
	r.fail(path, err)
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if value := object[key]; string(value) != "null" {
			f(strings.TrimPrefix(path+"."+key, "."), key, value)
		}
	}
}

// value reads a value of a type that want names. No error shows a secret.
func (r *configReader) value(path string, value json.RawMessage, want string, to any) {
	err := json.Unmarshal(value, to)
	switch {
	case err == nil:
	case path == "password" || path == "feed_token":
		r.fail(path, errors.New("want "+want))
	default:
		r.fail(path, wrongType(want, string(value)))
	}
}

func (r *configReader) constraint(path string, value json.RawMessage) Constraint {
	c := Constraint{Places: map[string]json.RawMessage{}}
	r.object(path, value, func(path, key string, value json.RawMessage) {
		switch key {
		case "areas":
			r.value(path, value, "an array of strings", &c.Areas)
		case "time_to":
			r.object(path, value, func(path, place string, value json.RawMessage) { c.Places[place] = r.gps(path, value) })
		default:
			r.log.Warn("the config has a key that is not known here", "key", path)
		}
	})
	return c
}

// gps reads the position of a place, an array of a latitude and a longitude.
// Its other members say how travel times are computed, which others do.
func (r *configReader) gps(path string, value json.RawMessage) json.RawMessage {
	place, err := parseObject(value)
	r.fail(path, err)
	var gps []*float64
	if json.Unmarshal(place["gps"], &gps) != nil || len(gps) != 2 || gps[0] == nil || gps[1] == nil ||
		math.Abs(*gps[0]) > 90 || math.Abs(*gps[1]) > 180 {
		r.fail(path+".gps", wrongType("a latitude of at most 90 and a longitude of at most 180 degrees, such as [48.8566, 2.3522]", string(place["gps"])))
	}
	return place["gps"]
}

// finish checks what no key can tell alone, and fills in what follows from
// others.
func (c *Config) finish() (err error) {
	if missing := map[bool]string{true: "username", false: "password"}[c.Username == ""]; (c.Username == "") != (c.Password == "") {
		return fmt.Errorf("config: %s is missing: want both or none (the password may come from the environment, as FLATS_PASSWORD)", missing)
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

// places is the object of api.md 2.4.
func (c *Config) places() string {
	places := map[string]map[string]json.RawMessage{}
	for name, constraint := range c.Constraints {
		places[name] = constraint.Places
	}
	return encodeJSON(places)
}

func checkAddr(addr *string) error {
	_, port, err := net.SplitHostPort(*addr)
	if _, notPort := strconv.ParseUint(port, 10, 16); err != nil || notPort != nil {
		return fmt.Errorf("want HOST:PORT such as 127.0.0.1:8080, got %q", *addr)
	}
	return nil
}

func checkWebsiteURL(s *string) error {
	u, err := url.Parse(*s)
	if err == nil && u.User != nil {
		return errors.New("want a URL without a user name: it is shown to everybody; set username and password")
	}
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("want a URL such as https://flats.example.org/, got %q", *s)
	}
	return nil
}

// checkPath lets a path start from the folder.
func (r *configReader) checkPath(path *string) error {
	if *path == "" {
		return errors.New("want something in the string")
	}
	if !filepath.IsAbs(*path) {
		*path = filepath.Join(r.folder, *path)
	}
	return nil
}

// checkOrigin writes an origin as browsers do.
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

// tilesURL has a host that a content security policy can name.
var tilesURL = regexp.MustCompile(`^https://[A-Za-z0-9.-]+(:[0-9]+)?/`)

func checkTiles(s *string) error {
	if *s != "" && !(tilesURL.MatchString(*s) && strings.Contains(*s, "{z}") && strings.Contains(*s, "{x}") && strings.Contains(*s, "{y}")) {
		return fmt.Errorf("want an https URL with {z}, {x} and {y}, such as https://tiles.example.org/{z}/{x}/{y}.png, got %q", *s)
	}
	return nil
}

// originOf is the origin of a URL as browsers write it: in lower case, and
// without the port that goes without saying.
func originOf(u *url.URL) string {
	host := strings.ToLower(u.Host)
	if port := u.Port(); u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80" {
		host = strings.TrimSuffix(host, ":"+port)
	}
	return u.Scheme + "://" + host
}

func checkUsername(s *string) error {
	if strings.Contains(*s, ":") {
		return errors.New("want a name without a colon: HTTP Basic ends the name there")
	}
	return nil
}
