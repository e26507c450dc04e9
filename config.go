package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"text/template"
	"time"
	_ "time/tzdata" // for servers that have no time zones of their own
	"unicode"
	"unicode/utf8"
)

// This file contains the config, the views, and the messages about them:
//
//	Config      the keys of the config file
//	Views       saved queries
//	Messages    what a receiver is told about new, cheaper and gone flats of views
//	Sample      the embedded flats, postal codes, views and config

// Config
// ------

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

// A Constraint is a region in which to look for a home, such as a city.
type Constraint struct {
	Areas  []string         // the areas of its postal codes; nil for all
	Places map[string]Place // by name
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

// Views
// -----

// A View is a query saved under a name. Its json tags name the members of views.json.
type View struct {
	Name   string  `json:"name"`
	Query  string  `json:"query"` // conditions as in a query string
	Page   *string `json:"page"`  // the hash under which the page shows the view
	Notify bool    `json:"notify"`
	Seen   string  `json:"seen"`           // a datetime: later flats are new
	Told   string  `json:"told,omitempty"` // the time of the last import that messages cover
}

const (
	maxViews     = 100
	maxViewName  = 200     // bytes
	maxViewQuery = 4 << 10 // bytes
	maxSeen      = 100     // bytes
)

// Views are the views of a store, in the order in which they were added. They are safe for
// concurrent use.
type Views struct {
	store    *Store
	log      *slog.Logger
	changing sync.Mutex             // held while a change is being written
	list     atomic.Pointer[[]View] // the slice is never modified
}

// newViews returns the views in the text of a views.json. The text is "" if there is no file.
// Errors contain the given name of the file, the line and the member.
func newViews(store *Store, name, text string, log *slog.Logger) (*Views, error) {
	v := &Views{store: store, log: log}
	var list []View
	if text != "" {
		names := map[string]bool{}
		var err error
		list, err = readObjects(name, []byte(text), func(object members) (View, error) {
			view, err := v.readView(object)
			switch {
			case err != nil:
				return view, err
			case len(names) == maxViews:
				return view, fmt.Errorf("there are more than %d views", maxViews)
			case names[view.Name]:
				return view, fmt.Errorf("name: %s appears twice", excerpt(encodeJSON(view.Name)))
			}
			names[view.Name] = true
			return view, nil
		})
		if err != nil {
			return nil, fmt.Errorf("%w (the file is left as it is: fix it, or put a backup in its place)", err)
		}
	}
	for _, view := range list {
		if _, err := v.parse(view.Query); err != nil {
			log.Warn("the query of a view is not valid", "view", view.Name, "err", err)
		}
	}
	changed := v.advanceClock(list)
	v.list.Store(&list)
	if changed {
		// Store the list with the times that advanceClock has set.
		if err := v.change(func(list []View) ([]View, error) { return list, nil }); err != nil {
			log.Warn("the times of views could not be stored", "err", err)
		}
	}
	return v, nil
}

// advanceClock ensures that later imports get later times than any view has. It sets a time
// that is missing or in the future to now, and reports whether it has set any.
func (v *Views) advanceClock(list []View) (changed bool) {
	for i := range list {
		view := &list[i]
		for _, text := range []*string{&view.Seen, &view.Told} {
			at, _, _ := parseDatetime(*text)        // the zero time for ""
			isMissing := *text == "" && view.Notify // notify was added to views.json by hand
			isAhead := !v.store.clock.advance(at)   // the clock refuses what is more than a day ahead
			if isMissing || isAhead {
				v.log.Warn("a time of a view is missing or in the future: set to now", "view", view.Name, "time", *text)
				*text = v.now()
				changed = true
			}
		}
	}
	return changed
}

// readView returns the view in an element of views.json.
func (v *Views) readView(object members) (view View, err error) {
	for _, name := range []string{"name", "query", "seen"} {
		if object[name] == nil {
			return view, fmt.Errorf("%s: is missing", name)
		}
	}
	if err := view.set(object, "name", "query", "page", "notify", "seen", "told"); err != nil {
		return view, err
	}
	if _, _, err := parseDatetime(view.Told); view.Told != "" && err != nil {
		return view, fmt.Errorf("told: %w", err)
	}
	if err := checkViewName(view.Name); err != nil {
		return view, fmt.Errorf("name: %w", err)
	}
	return view, nil
}

func checkViewName(name string) error {
	if name == "" || len(name) > maxViewName || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return unexpected(fmt.Sprintf("a text of 1 to %d bytes on one line", maxViewName), strconv.Quote(name))
	}
	return nil
}

// set sets the members that an object has. It refuses members other than the named ones.
func (view *View) set(object members, names ...string) error {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains(names, name) {
			return fmt.Errorf("%s: a view has no such member", name)
		}
		if name != "page" && !object.has(name) {
			return fmt.Errorf("%s: must not be null", name)
		}
	}
	if object["page"] != nil {
		view.Page = nil // Unmarshal would write through the pointer, which the list shares
	}
	var wrong *json.UnmarshalTypeError
	err := json.Unmarshal([]byte(encodeJSON(object)), view)
	if errors.As(err, &wrong) {
		want := "a string"
		if wrong.Field == "notify" {
			want = "true or false"
		}
		return fmt.Errorf("%s: %w", wrong.Field, unexpected(want, string(object[wrong.Field])))
	}
	if len(view.Seen) > maxSeen {
		return fmt.Errorf("seen: want at most %d bytes", maxSeen)
	}
	if _, _, err := parseDatetime(view.Seen); err != nil {
		return fmt.Errorf("seen: %w", err)
	}
	if view.Page == nil {
		return nil
	}
	page := *view.Page
	if !strings.HasPrefix(page, "#/") || len(page) > maxViewQuery || strings.ContainsFunc(page, unicode.IsControl) {
		return fmt.Errorf("page: %w", unexpected("null or a text that begins with #/", strconv.Quote(page)))
	}
	return nil
}

// parse parses the query of a view, and checks the search in it.
func (v *Views) parse(query string) (*Query, error) {
	if len(query) > maxViewQuery {
		return nil, fail(statusInvalid, "want at most %d bytes, got %d", maxViewQuery, len(query))
	}
	for parameter := range strings.SplitSeq(query, "&") {
		escaped, _, _ := strings.Cut(parameter, "=")
		name, err := url.QueryUnescape(escaped)
		isKnown := name == "q" || name == "unknown" || conditionName.MatchString(name)
		if parameter != "" && (err != nil || !isKnown) {
			return nil, fail(statusInvalid, "%q is not a condition", escaped)
		}
	}
	q, err := parseQuery(v.store.table.fields, query, "-first_seen,-date")
	if err != nil {
		return nil, err
	}
	_, err = parseSearch(nil, q.search)
	return q, err
}

// indexView returns the index of the view with the given name, or -1.
func indexView(list []View, name string) int {
	return slices.IndexFunc(list, func(view View) bool { return view.Name == name })
}

// put sets members of the view with the given name, or adds it. It returns when the change is durable.
func (v *Views) put(name string, object members) (view View, added bool, err error) {
	if err := checkViewName(name); err != nil {
		return view, false, fail(statusInvalid, "Invalid view provided: name: %v.", err)
	}
	// Clients may send a view back as it was served.
	for _, ignored := range []string{"name", "total", "new", "error"} {
		delete(object, ignored)
	}
	err = v.change(func(list []View) ([]View, error) {
		i := indexView(list, name)
		added = i < 0
		if added {
			if object["query"] == nil {
				return nil, fail(statusInvalid, "Invalid view provided: query: is missing.")
			}
			if len(list) == maxViews {
				return nil, fail(statusInvalid, "Invalid view provided: there are %d views already.", maxViews)
			}
			i = len(list)
			list = append(list, View{Name: name, Seen: v.now()})
		}
		before := list[i]
		view = before
		if err := view.set(object, "query", "page", "notify", "seen"); err != nil {
			return nil, fail(statusInvalid, "Invalid view provided: %v.", err)
		}
		hasNewQuery := added || view.Query != before.Query
		if _, err := v.parse(view.Query); err != nil && hasNewQuery {
			return nil, fail(statusInvalid, "Invalid view provided: query: %v.", strings.TrimSuffix(err.Error(), "."))
		}
		// A view that begins to notify, or has another query, tells only what changes from now on.
		if !view.Notify {
			view.Told = ""
		} else if !before.Notify || hasNewQuery {
			view.Told = v.now()
		}
		list[i] = view
		return list, nil
	})
	return view, added, err
}

// now returns a time later than every finished import, and earlier than any that is under way or
// to come.
func (v *Views) now() string { return unquote(v.store.clock.between().Format(jsonTime)) }

// remove removes the view with the given name. It returns when the change is durable.
func (v *Views) remove(name string) error {
	return v.change(func(list []View) ([]View, error) {
		i := indexView(list, name)
		if i < 0 {
			return nil, fail(statusMissing, "No view with the name %s.", name)
		}
		return slices.Delete(list, i, i+1), nil
	})
}

// change replaces the list with what edit returns for a copy of it. It returns when the new
// list is durable. After an error, the list is as before.
func (v *Views) change(edit func(list []View) ([]View, error)) error {
	v.changing.Lock()
	defer v.changing.Unlock()
	list, err := edit(slices.Clone(*v.list.Load()))
	if err != nil {
		return err
	}
	lines := make([]string, len(list))
	for i, view := range list {
		lines[i] = encodeJSON(view)
	}
	if err := v.store.writeViews("[\n" + strings.Join(lines, ",\n") + "\n]\n"); err != nil {
		return err
	}
	v.list.Store(&list)
	return nil
}

// A viewAnswer is a view as it is served, with the number of its flats, and of those that
// were first seen after the time in Seen.
type viewAnswer struct {
	View
	Total *int   `json:"total"`           // nil if the query is no longer valid
	New   *int   `json:"new"`             // likewise
	Error string `json:"error,omitempty"` // why the query is refused
}

// answer returns a view as it is served, or with an error if its query is no longer valid.
func (v *Views) answer(work *task, view View) viewAnswer {
	a := viewAnswer{View: view}
	a.View.Told = "" // not part of the API: omitempty leaves it out
	q, err := v.parse(view.Query)
	if err != nil {
		a.Error = err.Error()
		return a
	}
	q.size = 1                             // only the totals are needed, and 0 would mean all flats
	seen, _, _ := parseDatetime(view.Seen) // no error: it was checked when it was set
	all, _ := v.store.Find(work, q)        // no errors: parse has checked the search
	later, _ := v.store.Find(work, v.after(q, "first_seen", seen))
	a.Total, a.New = &all.total, &later.total
	return a
}

// after returns a query for the flats of q whose field is later than a time.
func (v *Views) after(q *Query, field string, at time.Time) *Query {
	first := instantKey(at.Add(time.Nanosecond))
	last := key{kind: kindInstant, number: math.Inf(1)}
	later := *q
	later.conditions = append(slices.Clone(q.conditions), condition{
		parameter: "range",
		field:     v.store.table.fields.byName[field],
		ranges:    []keyRange{{first, last}},
	})
	return &later
}

// Messages
// --------

// Notify is a receiver of messages. No log, answer or error may show its URL beyond the
// host, or its headers.
type Notify struct {
	url      *url.URL
	headers  map[string]string
	template *template.Template // of the body, nil for a plain text
}

// A message tells what has changed in a view. Templates use its exported members.
type message struct {
	View  string // its name
	Title string
	Text  string
	Link  string
	Flats []flatEvent // the first maxChanges
}

// A flatEvent is a flat of a view that is new, cheaper or gone.
type flatEvent struct {
	Event string       // new, cheaper or gone
	Link  string       // to the flat on the page
	Was   *json.Number // the former cost; nil unless the flat is cheaper
	flat  *Flat
}

// Flat returns the members of the flat by name.
func (c flatEvent) Flat() any { return decodeJSON(c.flat.JSON()) }

// MarshalJSON includes the members of the flat.
func (c flatEvent) MarshalJSON() ([]byte, error) {
	return []byte(encodeJSON(struct {
		Event, Link string
		Was         *json.Number
		Flat        json.RawMessage
	}{c.Event, c.Link, c.Was, json.RawMessage(c.flat.JSON())})), nil
}

const (
	maxMessage = 1 << 20 // bytes of the output of a template
	maxText    = 3780    // bytes of the entries in a plain text; with its title it stays below the usual limit of 4096
	maxLines   = 10      // changes in a plain text
	maxChanges = 100     // changes in a message
)

// setTemplate parses the template of the body, and tries it on the example.
func (n *Notify) setTemplate(text string) (err error) {
	funcs := template.FuncMap{"json": func(v any) string { return encodeJSON(v) }}
	n.template, err = template.New("body").Funcs(funcs).Parse(text)
	if err != nil {
		return err
	}
	_, err = n.execute(exampleMessage("http://127.0.0.1:8080/"))
	return err
}

// body returns the body of a message. It halves the list of changes until the template neither
// fails nor writes too much.
func (n *Notify) body(m message) (string, error) {
	if n.template == nil {
		return m.Text, nil
	}
	text, err := n.execute(m)
	for err != nil && len(m.Flats) > 0 {
		m.Flats = m.Flats[:len(m.Flats)/2]
		text, err = n.execute(m)
	}
	return text, err
}

func (n *Notify) execute(m message) (string, error) {
	out := &limitedBuffer{}
	err := n.template.Execute(out, m)
	return out.String(), err
}

// A limitedBuffer holds up to maxMessage bytes. A write that exceeds them fails.
type limitedBuffer struct{ strings.Builder }

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxMessage {
		return 0, fmt.Errorf("the template writes more than %d bytes", maxMessage)
	}
	return b.Builder.Write(p)
}

// newMessage returns a message about a view. Links begin with website.
func newMessage(website string, view View, changes []flatEvent) message {
	m := message{View: view.Name, Flats: changes[:min(len(changes), maxChanges)], Link: website}
	if view.Page != nil {
		m.Link = website + *view.Page
	}
	if len(changes) == 1 {
		m.Link = changes[0].Link
	}
	counts := map[string]int{}
	for _, c := range changes {
		counts[c.Event]++
	}
	var events []string
	for _, event := range []string{"new", "cheaper", "gone"} {
		if counts[event] > 0 {
			events = append(events, fmt.Sprintf("%d %s", counts[event], event))
		}
	}
	m.Title = view.Name + ": " + strings.Join(events, ", ")
	var text strings.Builder
	for i, c := range changes {
		entry := c.facts() + "\n" + c.Link + "\n"
		if i == maxLines || text.Len()+len(entry) > maxText {
			fmt.Fprintf(&text, "and %d more\n", len(changes)-i)
			break
		}
		text.WriteString(entry)
	}
	m.Text = text.String()
	return m
}

// facts returns a line about the change.
func (c flatEvent) facts() string {
	f := c.flat
	event := strings.ToUpper(c.Event[:1]) + c.Event[1:]
	title := cmp.Or(short(f.Title.String()), "untitled")
	facts := []string{event + ": " + title}
	if f.Cost.Known() {
		cost := strings.TrimSpace(f.Cost.String() + " " + short(f.Currency.String()))
		if c.Was != nil {
			cost += fmt.Sprintf(" (was %s)", *c.Was)
		}
		facts = append(facts, cost)
	}
	if f.Area.Known() {
		facts = append(facts, f.Area.String()+" m²")
	}
	if f.Rooms.Known() {
		facts = append(facts, f.Rooms.String()+" rooms")
	}
	if place := short(f.Location.String()); place != "" {
		facts = append(facts, place)
	}
	return strings.Join(facts, ", ")
}

// short returns a text as one line, cut to at most 100 characters.
func short(text string) string {
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) > 100 {
		return string(line[:99]) + "…"
	}
	return string(line)
}

// exampleMessage returns the message that tests the receiver.
func exampleMessage(website string) message {
	const listing = `[{"id": "example", "title": "Example", "cost": 840, "currency": "EUR", "area": 46, "rooms": 2}]`
	flats, _ := readFlats("the example", []byte(listing), nil, nil) // no error: it is valid
	example := flatEvent{Event: "new", Link: website + flats[0].fragment(), flat: flats[0]}
	return newMessage(website, View{Name: "Test"}, []flatEvent{example})
}

// A notifier sends messages about views. It is safe for concurrent use, except that only
// one goroutine may call run.
type notifier struct {
	views   *Views
	to      *Notify // nil for no receiver
	website string
	client  *http.Client
	// Only run uses told and refused.
	told    map[subscription]time.Time // the last import that messages cover, if views.json has an earlier one
	refused map[subscription]refusal   // the last message, if it was refused

	mu   sync.Mutex // guards the rest
	last time.Time  // when the receiver last took a message
	err  error      // what has gone wrong since
}

// A subscription is what the messages about a view depend on. When one of its members changes,
// what was told or refused before no longer counts.
type subscription struct{ name, query, told string }

func (view View) subscription() subscription { return subscription{view.Name, view.Query, view.Told} }

// A refusal says why the last message was refused, and when to send it again.
type refusal struct {
	err   error
	wait  time.Duration
	retry time.Time
}

func newNotifier(views *Views, to *Notify, website string) *notifier {
	return &notifier{
		views:   views,
		to:      to,
		website: website,
		told:    map[subscription]time.Time{},
		refused: map[subscription]refusal{},
		client:  &http.Client{Timeout: 10 * time.Second, CheckRedirect: noRedirect},
	}
}

// noRedirect makes a client return redirects instead of following them.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

const (
	maxWait   = time.Hour       // before another service is asked again
	stopGrace = 3 * time.Second // how long a message or a last look may take when the service stops
)

// longer returns the time to wait after a failure: a minute, and then twice as long each
// time, up to an hour.
func longer(wait time.Duration) time.Duration { return min(max(time.Minute, 2*wait), maxWait) }

// run sends messages, at start and after each import, until ctx is done. After a failure it
// waits before it sends any. If the receiver refused one message, only those about that view
// wait.
func (n *notifier) run(ctx context.Context) {
	if n.to == nil {
		return
	}
	wait := time.Duration(0)
	for ctx.Err() == nil {
		err := n.tell(ctx)
		saveErr := n.saveTold()
		n.setResult(cmp.Or(err, saveErr), false)
		if ctx.Err() != nil {
			return
		}
		var bad badMessage
		hasFailed := err != nil && !errors.As(err, &bad) // bad messages have timers of their own
		var retry <-chan time.Time
		imports := n.views.store.forNotifier
		switch {
		case hasFailed:
			wait = longer(wait)
			n.views.log.Warn("messages could not be sent", "err", err, "again_in", wait)
			retry, imports = time.After(wait), nil // later imports join the message
		case saveErr != nil:
			wait = longer(wait)
			n.views.log.Warn("messages were sent, but a restart would repeat them", "err", saveErr)
			retry = time.After(wait)
		default:
			wait = 0
		}
		select {
		case <-ctx.Done():
		case <-retry:
		case <-imports:
		}
	}
}

// setResult records what is wrong, or nil, and the time if the receiver has just taken a message.
func (n *notifier) setResult(err error, taken bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.err = err
	if taken {
		n.last = time.Now()
	}
}

// state returns when the receiver last took a message, or the zero time, and what is wrong
// since then.
func (n *notifier) state() (last time.Time, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.last, n.err
}

// tell sends a message about each view whose flats have changed since its last one. It
// returns the first error of the receiver, or a badMessage if the messages about some views
// were refused. Those views wait, and delay no others.
func (n *notifier) tell(ctx context.Context) (refused error) {
	until := n.views.store.clock.lastFinished()
	if err := n.views.store.check(); err != nil { // another service may own the data now, and send messages
		return err
	}
	list := *n.views.list.Load()
	maps.DeleteFunc(n.refused, func(s subscription, _ refusal) bool {
		return !slices.ContainsFunc(list, func(view View) bool { return view.subscription() == s })
	})
	for _, view := range list {
		subscription := view.subscription()
		since, _, _ := parseDatetime(view.Told) // readView has checked it
		if told, ok := n.told[subscription]; ok {
			since = told
		}
		if !view.Notify || !since.Before(until) {
			continue
		}
		last := n.refused[subscription]
		if time.Now().Before(last.retry) {
			refused = cmp.Or(refused, last.err)
			continue
		}
		delete(n.refused, subscription)
		q, err := n.views.parse(view.Query)
		if err != nil {
			continue // the query is no longer valid, which was logged at start
		}
		changes, err := n.changes(ctx, q, since, until)
		if err == nil && len(changes) > 0 {
			_, err = n.send(ctx, newMessage(n.website, view, changes))
		}
		var bad badMessage
		if errors.As(err, &bad) {
			wait := longer(last.wait)
			n.refused[subscription] = refusal{err, wait, time.Now().Add(wait)}
			time.AfterFunc(wait, func() { wake(n.views.store.forNotifier) })
			n.views.log.Warn("a message was refused", "view", view.Name, "err", err, "again_in", wait)
			refused = cmp.Or(refused, err)
			continue
		}
		if err != nil {
			return err
		}
		n.told[subscription] = until
		if len(changes) > 0 {
			n.setResult(nil, true)
			n.saveTold() // run calls it again, and reports the error
		}
	}
	return refused
}

// A badMessage is the error of a message that its template or the receiver refused. It says
// nothing about other messages.
type badMessage struct{ error }

// saveTold saves in views.json what messages cover, except for views that have changed since.
func (n *notifier) saveTold() error {
	if len(n.told) == 0 {
		return nil
	}
	err := n.views.change(func(list []View) ([]View, error) {
		for i := range list {
			if told, ok := n.told[list[i].subscription()]; ok {
				list[i].Told = unquote(told.Format(jsonTime))
			}
		}
		return list, nil
	})
	if err == nil {
		clear(n.told)
	}
	return err
}

// changes returns how the flats that a query finds have changed after since and up to until.
func (n *notifier) changes(ctx context.Context, q *Query, since, until time.Time) (changes []flatEvent, err error) {
	store := n.views.store
	work := newTask(ctx, store.turns)
	defer work.finish(&err)
	isDue := func(at *Datetime) bool { return at.at.After(since) && !at.at.After(until) }
	add := func(event string, f *Flat, was *json.Number) {
		changes = append(changes, flatEvent{Event: event, Link: n.website + f.fragment(), Was: was, flat: f})
	}
	added, _ := store.Find(work, n.views.after(q, "first_seen", since)) // no error: parse has checked the search
	for _, f := range added.records {
		if isDue(&f.FirstSeen) {
			add("new", f, nil)
		}
	}
	changed, _ := store.Find(work, n.views.after(q, "changed", since)) // likewise
	for _, f := range changed.records {
		if isDue(&f.FirstSeen) {
			continue
		}
		costs := f.CostHistory.entries()
		last := len(costs) - 1
		if last > 0 && isDue(&costs[last].date) && costs[last].cost.number < costs[last-1].cost.number {
			was := json.Number(costs[last-1].cost.JSON())
			add("cheaper", f, &was)
		}
		if isDue(&f.Gone) {
			add("gone", f, nil)
		}
	}
	return changes, nil
}

// send posts a message to the receiver and returns the status of its answer. Any answer but
// 2xx is an error.
func (n *notifier) send(outer context.Context, m message) (status int, err error) {
	body, err := n.to.body(m)
	if err != nil {
		return 0, badMessage{err}
	}
	// If the service stops now, the message gets some more time, so that it need not be repeated.
	ctx, cancel := context.WithCancel(context.WithoutCancel(outer))
	defer cancel()
	stop := context.AfterFunc(outer, func() { time.AfterFunc(stopGrace, cancel) })
	defer stop()
	// No error: the config has parsed the URL.
	r, _ := http.NewRequestWithContext(ctx, http.MethodPost, n.to.url.String(), strings.NewReader(body))
	if n.to.template == nil {
		r.Header.Set("Content-Type", "text/plain; charset=utf-8")
		r.Header.Set("Title", m.Title)
		r.Header.Set("Click", m.Link)
	} else {
		r.Header.Set("Content-Type", "application/json")
	}
	for name, text := range n.to.headers {
		r.Header.Set(name, text)
	}
	answer, err := n.client.Do(r)
	if err != nil {
		return 0, fmt.Errorf("%s: %s", n.to.url.Host, reason(err))
	}
	answer.Body.Close()
	status = answer.StatusCode
	if status/100 == 2 {
		return status, nil
	}
	err = statusError(n.to.url.Host, status)
	if isRefusal(status) {
		err = badMessage{err}
	}
	return status, err
}

// statusError returns the error for an answer with an unwanted status.
func statusError(host string, status int) error {
	return fmt.Errorf("%s answered %d %s", host, status, http.StatusText(status))
}

// isRefusal reports whether a status means that the server would refuse the same request again,
// but may accept others.
func isRefusal(status int) bool { return status/100 == 4 && status != http.StatusTooManyRequests }

// reason returns why a request got no answer. It shows no URL, and no text of an answer that is
// not valid HTTP.
func reason(err error) string {
	var network *net.OpError
	var certificate *tls.CertificateVerificationError
	var timeout net.Error
	switch {
	case errors.As(err, &timeout) && timeout.Timeout():
		return "no answer in time"
	case errors.As(err, &network):
		return network.Error()
	case errors.As(err, &certificate):
		return certificate.Error()
	}
	return "no valid answer"
}

// Sample
// ------

// The sample is the flats, postal codes, views and config of flats -sample.
//
//go:embed sample
var sample embed.FS

func sampleFile(name string) []byte {
	text, _ := sample.ReadFile("sample/" + name) // embedded: it cannot fail
	return text
}

// sampleDay matches the dates in the sample, which openSample shifts.
var sampleDay = regexp.MustCompile(`\b20\d\d-\d\d-\d\d`)
