// The config file: its keys, their checks and defaults.

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// maxConfig is the size limit of a config file in bytes.
const maxConfig = 8 << 20

// Config configures the service. Start from defaultConfig, not from the zero value.
//
// A new key needs a member here, a line in parseConfig, and a row in docs/running.md.
// A default goes into defaultConfig or, if it depends on other keys, into finish. A key that
// the page shows goes into newPage. A member of a new type needs a case in configReader.key,
// which reads every int64 as a number of bytes.
// A key inside notify, travel or constraints belongs to the reader of that object.
type Config struct {
	Addr        string   // host:port to listen on
	WebsiteURL  string   // the prefix of links in the calendar and in messages; derived from Addr if ""
	Data        string   // path of flats.json
	PostalCodes []string // paths
	CORSOrigins []string // origins such as https://example.org, or "*"

	Username, Password string // for HTTP Basic; both or neither
	FeedToken          string // opens the calendar with ?token=; "" disables it
	ImportToken        string // opens POST /api/v1/import as a bearer token; "" disables it

	People []string // the names of the people who hunt together; nil for a single person

	Notify *Notify // the receiver of messages, nil for none
	Travel *Travel // the service that knows positions and travel times, nil for none

	KeepPhotos bool  // whether the service keeps the photos of the shortlist
	MaxPhotos  int64 // size limit of all kept photos, in bytes

	MaxImport int64 // size limit of a file in the import folder, in bytes

	MapTiles  string // URL of map images, with {z}, {x} and {y}; "" for none
	MapCredit string // the copyright notice of the map images

	Timezone    *time.Location // of visit dates without an offset; nil makes them floating times
	Constraints map[string]Constraint
}

// defaultConfig returns the config of an empty file.
func defaultConfig() *Config {
	return &Config{Addr: "127.0.0.1:8080", Data: "flats.json", MaxImport: 256 << 20, MaxPhotos: 2 << 30}
}

// parseConfig reads the text of a config file. Relative paths are resolved against the folder
// of the file. Unknown keys are logged. Errors name the file and the key.
func parseConfig(name string, text []byte, log *slog.Logger) (*Config, error) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	if _, err := parseObject(text); err != nil {
		return nil, withLine(name, text, err)
	}
	if key := repeatedKey(json.NewDecoder(bytes.NewReader(text))); key != "" {
		return nil, fmt.Errorf("%s: %s: an object has this key twice", name, key)
	}
	c := defaultConfig()
	r := configReader{folder: filepath.Dir(name), log: log}
	r.resolvePath(&c.Data) // the default is relative, too
	r.object("", text, configKeys{
		"addr":         {&c.Addr, checkAddr},
		"website_url":  {&c.WebsiteURL, checkWebsiteURL},
		"data":         {&c.Data, r.resolvePath},
		"postal_codes": {&c.PostalCodes, r.resolvePath},
		"cors_origins": {&c.CORSOrigins, checkOrigin},
		"username":     {&c.Username, matching(userPattern, "must not contain a colon: HTTP Basic ends the name there")},
		"password":     {&c.Password, nil},
		"feed_token":   {&c.FeedToken, nil},
		"import_token": {&c.ImportToken, nil},
		"timezone":     {&c.Timezone, nil},
		"people":       {&c.People, matching(personPattern, wantPerson)},
		"keep_photos":  {&c.KeepPhotos, nil},
		"max_photos":   {&c.MaxPhotos, nil},
		"max_import":   {&c.MaxImport, nil},
		"map_tiles":    {&c.MapTiles, checkTiles},
		"map_credit":   {&c.MapCredit, nil},
		"notify":       {&c.Notify, nil},
		"travel":       {&c.Travel, nil},
		"constraints":  {&c.Constraints, nil},
	})
	r.keep("people", checkPeople(c.People))
	if r.err != nil {
		return nil, fmt.Errorf("%s: %w", name, r.err)
	}
	return c, nil
}

// repeatedKey reads a JSON value, and returns a key that one of its objects has twice, or "".
// encoding/json would keep only the last value of such a key.
func repeatedKey(d *json.Decoder) string {
	first, _ := d.Token()
	if _, isOpen := first.(json.Delim); !isOpen {
		return ""
	}
	seen := map[json.Token]bool{}
	for d.More() {
		if first == json.Delim('{') {
			key, _ := d.Token()
			if seen[key] {
				return key.(string)
			}
			seen[key] = true
		}
		if key := repeatedKey(d); key != "" {
			return key
		}
	}
	d.Token() // the closing bracket
	return ""
}

// A configReader reads the values of a config and keeps the first error, which names
// the path of the key. It does not quote the value, because any value may hold a secret.
// A null counts as a missing key.
type configReader struct {
	folder string // of the config file
	log    *slog.Logger
	err    error
}

// configKeys are the keys of an object in the config.
type configKeys map[string]struct {
	to    any                 // the target of the value; configReader.key has its types
	check func(*string) error // validates and normalizes a string, or each string of an array
}

// object reads an object with the given keys.
func (r *configReader) object(path string, text json.RawMessage, keys configKeys) {
	r.eachMember(path, text, func(path, key string, value json.RawMessage) {
		entry := keys[key] // with a nil target for an unknown key
		r.key(path, value, entry.to, entry.check)
	})
}

// key reads the value of a key into its target. It logs the key as unknown if the target is nil.
func (r *configReader) key(path string, value json.RawMessage, to any, check func(*string) error) {
	switch to := to.(type) {
	case nil:
		r.log.Warn("unknown config key", "key", path)
	case *string:
		r.value(path, value, "a string", to)
		if check != nil {
			r.keep(path, check(to))
		}
	case *[]string:
		r.value(path, value, "an array of strings", to)
		texts := *to
		for i := range texts {
			if check != nil {
				r.keep(path, check(&texts[i]))
			}
		}
	case *bool:
		r.value(path, value, "true or false", to)
	case *int64:
		r.value(path, value, "a whole number of bytes", to)
		if *to < 1 {
			r.keep(path, errors.New("want at least 1"))
		}
	case *map[string]string:
		r.value(path, value, "an object of strings", to)
	case **url.URL:
		*to = r.serviceURL(path, value)
	case **time.Location:
		*to = r.timezone(path, value)
	case **Notify:
		*to = r.notify(path, value)
	case **Travel:
		*to = r.travel(path, value)
	case *map[string]Constraint:
		*to = map[string]Constraint{}
		r.eachMember(path, value, func(path, name string, value json.RawMessage) {
			(*to)[name] = r.constraint(path, value)
		})
	case *map[string]Place:
		r.eachMember(path, value, func(path, name string, value json.RawMessage) {
			(*to)[name] = r.place(path, name, value)
		})
	default:
		panic(fmt.Sprintf("config key %s: there is no reader for %T", path, to))
	}
}

// keep keeps an error if it is the first one. It ignores nil.
func (r *configReader) keep(path string, err error) {
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("%s: %w", path, err)
	}
}

// eachMember calls f for the members of an object, sorted by name, except those that are null.
func (r *configReader) eachMember(path string, text json.RawMessage, f func(path, key string, value json.RawMessage)) {
	object, err := parseObject(text)
	if err != nil {
		r.keep(path, errors.New("want an object"))
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if object.has(key) {
			keyPath := key
			if path != "" {
				keyPath = path + "." + key
			}
			f(keyPath, key, object[key])
		}
	}
}

// value decodes a value into to; want describes its type in errors.
func (r *configReader) value(path string, value json.RawMessage, want string, to any) {
	if json.Unmarshal(value, to) != nil {
		r.keep(path, errors.New("want "+want))
	}
}

// notify reads the receiver of messages, and tries its template on an example.
func (r *configReader) notify(path string, value json.RawMessage) *Notify {
	n := &Notify{}
	body := ""
	r.object(path, value, configKeys{
		"url":     {&n.url, nil},
		"headers": {&n.headers, nil},
		"body":    {&body, nil},
	})
	if body != "" {
		r.keep(path+".body", n.setTemplate(body))
	}
	for name, text := range n.headers {
		if !headerPattern.MatchString(name) || strings.ContainsFunc(text, unicode.IsControl) {
			r.keep(path+".headers", errors.New("want names of letters, digits and hyphens, and values without line breaks"))
		}
	}
	if n.url == nil {
		r.keep(path+".url", errors.New("is missing"))
	}
	return n
}

// serviceURL reads the URL of another service. No error shows the URL, because it may hold a secret.
func (r *configReader) serviceURL(path string, value json.RawMessage) *url.URL {
	text := ""
	r.value(path, value, "a string", &text)
	u, err := url.Parse(text)
	isHTTP := err == nil && (u.Scheme == "http" || u.Scheme == "https")
	if !isHTTP || u.Hostname() == "" || u.User != nil {
		r.keep(path, errors.New("want an http or https URL with a host and without a user name"))
	}
	return u
}

// timezone reads the IANA name of a time zone; "" is none.
func (r *configReader) timezone(path string, value json.RawMessage) *time.Location {
	name := ""
	r.value(path, value, "a string", &name)
	if name == "" {
		return nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil || zone == time.Local { // LoadLocation accepts "Local", too
		r.keep(path, errors.New("want an IANA name such as Europe/Paris"))
	}
	return zone
}

// travel reads the service that knows positions and travel times.
func (r *configReader) travel(path string, value json.RawMessage) *Travel {
	t := &Travel{arrive: "09:00"}
	r.object(path, value, configKeys{
		"url":     {&t.url, nil},
		"contact": {&t.contact, matching(contactPattern, wantContact)},
		"arrive":  {&t.arrive, matching(timePattern, "want a time such as 09:00")},
	})
	switch {
	case t.url == nil:
		r.keep(path+".url", errors.New("is missing"))
	case t.url.Path == "":
		t.url.Path = "/" // without it, JoinPath makes a relative path, which servers refuse
	}
	if t.contact == "" {
		r.keep(path+".contact", errors.New("is missing"))
	}
	return t
}

func (r *configReader) constraint(path string, value json.RawMessage) Constraint {
	c := Constraint{Places: map[string]Place{}}
	r.object(path, value, configKeys{
		"areas":   {&c.Areas, nil},
		"time_to": {&c.Places, nil},
	})
	return c
}

// place reads a destination of travel times. It ignores members other than gps and mode, because
// other programs may use them.
func (r *configReader) place(path, name string, value json.RawMessage) Place {
	object, _ := parseObject(value) // a value of another type has no gps
	var gps []*float64
	err := json.Unmarshal(object["gps"], &gps)
	isPair := err == nil && len(gps) == 2 && gps[0] != nil && gps[1] != nil
	if !isPair || !onEarth(*gps[0], *gps[1]) {
		r.keep(path+".gps", errors.New("want a latitude of at most 90 and a longitude of at most 180 degrees, "+
			"such as [48.8566, 2.3522]"))
		return Place{}
	}
	place := Place{
		name:        name,
		gps:         object["gps"],
		at:          pointAt(*gps[0], *gps[1]),
		coordinates: coordinates(*gps[0], *gps[1]),
		mode:        byTransit,
	}
	if object.has("mode") {
		place.mode = unquote(object.text("mode"))
		if speeds[place.mode] == 0 {
			r.keep(path+".mode", errors.New(`want "PUBLIC_TRANSPORT", "WALK" or "BIKE"`))
		}
	}
	return place
}

// finish checks the keys that depend on each other, and derives their defaults.
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
		ip := net.ParseIP(host)
		if host == "" || ip != nil && ip.IsUnspecified() {
			host = "localhost"
		}
		c.WebsiteURL = "http://" + net.JoinHostPort(host, port) + "/"
	}
	c.Data, err = filepath.Abs(c.Data)
	return err
}

// places returns the places of all constraints as JSON.
func (c *Config) places() string {
	places := map[string]map[string]Place{}
	for name, constraint := range c.Constraints {
		places[name] = constraint.Places
	}
	return encodeJSON(places)
}

// fieldNames returns the names of the query fields that the config adds: one for each place,
// sorted, and then one for each person.
func (c *Config) fieldNames() []string {
	names := map[string]bool{}
	for _, constraint := range c.Constraints {
		for place := range constraint.Places {
			names["time_to."+place] = true
		}
	}
	fields := slices.Sorted(maps.Keys(names))
	for _, name := range c.People {
		fields = append(fields, "rating."+name)
	}
	return fields
}

var (
	userPattern    = regexp.MustCompile(`^[^:]*$`) // RFC 7617, section 2
	headerPattern  = regexp.MustCompile(`^[A-Za-z0-9-]+$`)
	contactPattern = regexp.MustCompile(`^[!-'*-~][ -'*-~]*$`) // printable ASCII without parentheses
	timePattern    = regexp.MustCompile(`^([01][0-9]|2[0-3]):[0-5][0-9]$`)
	personPattern  = regexp.MustCompile(`^[^\p{Cc},\[\]]{1,40}$`) // part of the name of a query field
)

const (
	maxPeople   = 8
	wantContact = "want your mail address or web page, in ASCII and without parentheses"
	wantPerson  = "want names of 1 to 40 characters, without control characters, commas and brackets"
)

// matching returns a check that a string matches a pattern.
func matching(pattern *regexp.Regexp, want string) func(*string) error {
	return func(text *string) error {
		if !pattern.MatchString(*text) {
			return errors.New(want)
		}
		return nil
	}
}

// checkAddr checks an address to listen on. It takes a pointer only because other checks do.
func checkAddr(addr *string) error {
	_, port, err := net.SplitHostPort(*addr)
	_, portErr := strconv.ParseUint(port, 10, 16)
	if err != nil || portErr != nil {
		return errors.New("want HOST:PORT such as 127.0.0.1:8080")
	}
	return nil
}

// checkPeople checks how many people there are, and that their names differ.
func checkPeople(names []string) error {
	different := slices.Compact(slices.Sorted(slices.Values(names)))
	switch {
	case len(names) == 0: // one person, who needs no name
		return nil
	case len(names) == 1 || len(names) > maxPeople:
		return fmt.Errorf("want 2 to %d names", maxPeople)
	case len(different) < len(names):
		return errors.New("want different names")
	}
	return nil
}

// checkWebsiteURL checks the prefix of links.
func checkWebsiteURL(s *string) error {
	u, err := url.Parse(*s)
	if err == nil && u.User != nil {
		return errors.New("must not contain a user name, because links show it to everybody; set username and password")
	}
	isHTTP := err == nil && (u.Scheme == "http" || u.Scheme == "https")
	if !isHTTP || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return errors.New("want a URL such as https://flats.example.org/")
	}
	return nil
}

// resolvePath resolves a relative path against the folder of the config file.
func (r *configReader) resolvePath(path *string) error {
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
	if *s == "*" {
		return nil
	}
	u, err := url.Parse(*s)
	if err != nil || u.Scheme == "" || u.Host == "" || u.Scheme+"://"+u.Host != *s {
		return errors.New(`want an origin such as https://example.org, without a path, or "*"`)
	}
	*s = originOf(u)
	return nil
}

// tilesURL matches URLs with a host that a content security policy can name.
var tilesURL = regexp.MustCompile(`^https://[A-Za-z0-9.-]+(:[0-9]+)?/`)

func checkTiles(s *string) error {
	hasAll := strings.Contains(*s, "{z}") && strings.Contains(*s, "{x}") && strings.Contains(*s, "{y}")
	if *s == "" || hasAll && tilesURL.MatchString(*s) {
		return nil
	}
	return errors.New("want an https URL with {z}, {x} and {y}, " +
		"such as https://tiles.example.org/{z}/{x}/{y}.png")
}

// originOf returns the origin of a URL as browsers write it: in lower case, and
// without the default port.
func originOf(u *url.URL) string {
	host := strings.ToLower(u.Host)
	port := u.Port()
	isDefaultPort := u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80"
	if isDefaultPort {
		host = strings.TrimSuffix(host, ":"+port)
	}
	return u.Scheme + "://" + host
}

// isLoopback reports whether only this machine can reach an address.
func isLoopback(addr string) bool {
	host, _, _ := net.SplitHostPort(addr)
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
