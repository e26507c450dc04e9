// The config file: its keys, their checks and defaults.

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"flats/internal/mistakes"
)

// maxConfig is the size limit of a config file in bytes.
const maxConfig = 8 << 20

// Config configures the service. Start from defaultConfig, not from the zero value. The members
// with a tag are the keys of the config file.
//
// A new key needs a member with its tag, a row in docs/running.md, and one in configKeys or
// settingKeys. A default goes into defaultConfig or, if it depends on other keys, into finish. A
// key that the page shows goes into newPage. A type that no other key has needs a line in typeNames.
type Config struct {
	Addr        string   `json:"addr"`         // host:port to listen on
	WebsiteURL  string   `json:"website_url"`  // prefix of links outside of the page; derived from Addr if ""
	Data        string   `json:"data"`         // path of flats.json
	PostalCodes []string `json:"postal_codes"` // paths
	CORSOrigins []string `json:"cors_origins"` // origins such as https://example.org, or "*"

	// Without a password, the page can set one. A name alone goes with a password.json. Without a name it is defaultUser.
	Username string `json:"username"`
	Password string `json:"password"`

	// Paths; both or neither.
	TLSCertificate string `json:"tls_certificate"` // with its intermediate certificates, in PEM
	TLSKey         string `json:"tls_key"`

	FeedToken   string `json:"feed_token"`   // opens the calendar with ?token=; "" disables it
	ImportToken string `json:"import_token"` // opens POST /api/v1/import as a bearer token; "" disables it

	People   []string `json:"people"`     // the names of the people who hunt together; nil for a single person
	WhoWeAre string   `json:"who_we_are"` // what they say of themselves in each message to an advertiser; "" for nothing

	Notify *Notify `json:"notify"` // the receiver of messages, nil for none
	Travel *Travel `json:"travel"` // the service that knows positions and travel times, nil for none

	Mailbox *Mailbox `json:"mailbox"` // the mailbox whose mails bring listings, nil for none

	Backup Backup `json:"backup"` // the backup of every night

	KeepPhotos bool  `json:"keep_photos"` // whether the service keeps the photos of the shortlist
	MaxPhotos  int64 `json:"max_photos"`  // size limit of all kept photos, in bytes

	MaxImport int64 `json:"max_import"` // size limit of a file in the import folder, in bytes

	GeoNames string `json:"geonames"` // the URL of the folder with the postal codes of all countries

	MapTiles  string `json:"map_tiles"`  // URL of map images, with {z}, {x} and {y}; "" for none
	MapCredit string `json:"map_credit"` // the copyright notice of the map images

	TimezoneName string                `json:"timezone"` // an IANA name; "" for none
	Constraints  map[string]Constraint `json:"constraints"`

	// From the command line.
	file      string // the path of the config file, "" if there is none
	webFolder string // of the page's files, "" for the embedded ones
	sample    bool   // whether the flats are made up and kept in memory
	accessLog bool   // whether to log every request

	given          members  // the keys of the config file
	beforeSettings *Config  // this config without the settings; nil if it has no settings
	settings       members  // what the page has set
	countries      []string // from the settings: load the postal codes of these countries instead of PostalCodes

	dataID string // the id of the data, which openProgram sets

	Timezone *time.Location // of visit dates without an offset; nil makes them floating times
}

// defaultConfig returns the config of an empty file.
func defaultConfig() *Config {
	return &Config{Addr: "127.0.0.1:8080", Data: "flats.json", MaxImport: 256 << 20, MaxPhotos: 2 << 30,
		Backup: Backup{7}, GeoNames: "https://download.geonames.org/export/zip/"}
}

// parseConfig reads the text of a config file. Relative paths are resolved against the folder
// of the file. Unknown keys are logged. The error has a line for each wrong key, which names
// the file and the key.
func parseConfig(name string, text []byte, log *slog.Logger) (*Config, error) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	given, err := parseObject(text)
	if err != nil {
		// For JSON that is no object, the error of parseObject would quote the text, which may hold secrets.
		isOtherJSON := json.Valid(text) && utf8.Valid(text) && err != errObject
		if isOtherJSON {
			err = errors.New("want an object, which begins with {")
		}
		return nil, withLine(name, text, err)
	}
	if path := repeatedKey("", json.NewDecoder(bytes.NewReader(text))); path != "" {
		return nil, fmt.Errorf("%s: %s: an object has this key twice", name, path)
	}
	c := defaultConfig()
	c.given = given
	wrong := wrongKeys{}
	r := configReader{log: log, wrong: wrong}
	r.decode("", text, reflect.ValueOf(c).Elem())
	c.validate(wrong, slices.Concat(configKeys, settingKeys)...)
	if len(wrong) > 0 {
		return nil, wrong.fileError(name)
	}
	c.resolvePaths(filepath.Dir(name))
	return c, nil
}

// keyPath returns the path of a key in the object at a path. The path of the whole config is "".
func keyPath(object, key string) string {
	if object == "" {
		return key
	}
	return object + "." + key
}

// repeatedKey reads the JSON value at a path, and returns the path of a key that one of its objects
// has twice, or "". encoding/json would keep only the last value of such a key.
func repeatedKey(path string, d *json.Decoder) string {
	first, _ := d.Token()
	_, isBracket := first.(json.Delim)
	if !isBracket {
		return "" // neither an array nor an object
	}
	seen := map[string]bool{}
	for d.More() {
		inner := path
		if first == json.Delim('{') {
			token, _ := d.Token()
			key := token.(string) // the text is valid
			inner = keyPath(path, key)
			if seen[key] {
				return inner
			}
			seen[key] = true
		}
		if repeated := repeatedKey(inner, d); repeated != "" {
			return repeated
		}
	}
	d.Token() // the closing bracket
	return ""
}

// wrongKeys has what is wrong with the keys of a config, by the paths of the keys. No error quotes
// the value of its key, because any value may hold a secret.
type wrongKeys map[string]error

// add adds an error, unless it is nil or the key has one already.
func (w wrongKeys) add(path string, err error) {
	if err != nil && w[path] == nil {
		w[path] = err
	}
}

// texts returns what is wrong as text, by the paths of the keys.
func (w wrongKeys) texts() map[string]string {
	texts := map[string]string{}
	for path, err := range w {
		texts[path] = err.Error()
	}
	return texts
}

// fileError returns the errors as one, with the name of the file in each line.
func (w wrongKeys) fileError(name string) error {
	var list []error
	for _, path := range slices.Sorted(maps.Keys(w)) {
		list = append(list, fmt.Errorf("%s: %s: %w", name, path, w[path]))
	}
	return errors.Join(list...)
}

// A configReader decodes a config into tagged members. encoding/json alone would accept keys in upper case, name no
// constraint or place in an error, and return only the first error.
type configReader struct {
	log      *slog.Logger
	wrong    wrongKeys
	isStrict bool // whether unknown keys are wrong
}

// decode decodes the value at a path. It descends into structs, and into maps of structs. It
// reports whether there is a value of the right type: a null counts as a missing key.
func (r configReader) decode(path string, text json.RawMessage, to reflect.Value) bool {
	kind := to.Kind()
	switch {
	case string(text) == "null":
		return false
	case kind == reflect.Pointer:
		target := reflect.New(to.Type().Elem())
		hasValue := r.decode(path, text, target.Elem())
		if hasValue {
			to.Set(target)
		}
		return hasValue
	case kind != reflect.Struct && !isMapOfStructs(to.Type()): // a value to decode as a whole
		err := json.Unmarshal(text, to.Addr().Interface())
		isAnyJSON := to.Type() == reflect.TypeFor[json.RawMessage]() // such as the time of a place, which may be [0, null]
		if err != nil || !isAnyJSON && hasNull(text) {
			r.wrong.add(path, errors.New("want "+typeNames[kind]))
		}
		return err == nil
	}
	object, err := parseObject(text)
	if err != nil {
		r.wrong.add(path, errors.New("want an object"))
		return false
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		inner := keyPath(path, key)
		if kind == reflect.Map {
			r.decodeEntry(inner, key, object[key], to)
			continue
		}
		member := memberWithTag(to, key)
		if member.IsValid() {
			r.decode(inner, object[key], member)
			continue
		}
		isNull := !object.has(key)                       // a null counts as a missing key
		isPlace := to.Type() == reflect.TypeFor[Place]() // may have more members, which other programs use
		if isNull || isPlace {
			continue
		}
		suggestion := mistakes.Suggestion(key, tagsOf(to.Type()))
		if r.isStrict {
			r.wrong.add(inner, errors.New("there is no such key"+suggestion))
		} else {
			r.log.Warn("unknown config key"+suggestion, "key", inner)
		}
	}
	return true
}

// hasNull reports whether a JSON array or object has a member null, which json.Unmarshal takes for an empty string.
func hasNull(text json.RawMessage) bool {
	var array []any
	var object map[string]any
	json.Unmarshal(text, &array)
	json.Unmarshal(text, &object)
	return slices.Contains(array, nil) || slices.Contains(slices.Collect(maps.Values(object)), nil)
}

// decodeEntry decodes the value at a path into an entry of a map.
func (r configReader) decodeEntry(path, key string, text json.RawMessage, to reflect.Value) {
	entry := reflect.New(to.Type().Elem()).Elem()
	if !r.decode(path, text, entry) {
		return
	}
	if to.IsNil() {
		to.Set(reflect.MakeMap(to.Type()))
	}
	to.SetMapIndex(reflect.ValueOf(key), entry)
}

// typeNames has what errors call the types of values. An int64 is a size.
var typeNames = map[reflect.Kind]string{
	reflect.String:  "a string",
	reflect.Bool:    "true or false",
	reflect.Int:     "a whole number",
	reflect.Int64:   "a whole number of bytes",
	reflect.Float64: "a number",
	reflect.Slice:   "an array of strings",
	reflect.Map:     "an object of strings",
}

func isMapOfStructs(t reflect.Type) bool {
	return t.Kind() == reflect.Map && t.Elem().Kind() == reflect.Struct
}

// tagsOf returns the keys of a struct.
func tagsOf(object reflect.Type) (tags []string) {
	for i := range object.NumField() {
		if tag, ok := object.Field(i).Tag.Lookup("json"); ok {
			tags = append(tags, tag)
		}
	}
	return tags
}

// memberWithTag returns the member of a struct for a key, or the zero Value.
func memberWithTag(object reflect.Value, key string) reflect.Value {
	for i := range object.NumField() {
		if tag, ok := object.Type().Field(i).Tag.Lookup("json"); ok && tag == key {
			return object.Field(i)
		}
	}
	return reflect.Value{}
}

// A configKey is a key of the config.
type configKey struct {
	name  string
	check func(c *Config, wrong wrongKeys) // adds what is wrong with the value, and derives members from it; may be nil
}

// configKeys are the keys that only whoever runs the machine can set.
var configKeys = []configKey{
	{"addr", func(c *Config, wrong wrongKeys) { wrong.add("addr", checkAddr(c.Addr)) }},
	{"data", func(c *Config, wrong wrongKeys) { wrong.add("data", checkPath(c.Data)) }},
	{"cors_origins", func(c *Config, wrong wrongKeys) {
		for i, origin := range c.CORSOrigins {
			var err error
			c.CORSOrigins[i], err = parseOrigin(origin)
			wrong.add("cors_origins", err)
		}
	}},
	{"username", func(c *Config, wrong wrongKeys) {
		const wantUsername = "must not contain a colon: HTTP Basic ends the name there"
		wrong.add("username", checkPattern(userPattern, c.Username, wantUsername))
	}},
	{"password", nil},
	{"max_import", func(c *Config, wrong wrongKeys) { wrong.add("max_import", checkSize(c.MaxImport)) }},
	{"tls_certificate", nil},
	{"tls_key", nil},
	{"backup", func(c *Config, wrong wrongKeys) { wrong.add("backup.keep", c.Backup.check()) }},
	{"geonames", func(c *Config, wrong wrongKeys) {
		_, err := parseServiceURL(c.GeoNames)
		wrong.add("geonames", err)
	}},
}

// settingKeys are the keys that the page can set, too.
var settingKeys = []configKey{
	{"constraints", func(c *Config, wrong wrongKeys) {
		for name, constraint := range c.Constraints {
			if constraint.Near != nil {
				constraint.Near.validate("constraints."+name+".near", wrong)
			}
			for place, to := range constraint.Places {
				to.name = place
				to.validate("constraints."+name+".time_to."+place, wrong)
				constraint.Places[place] = to
			}
		}
	}},
	{"feed_token", nil},
	{"import_token", nil},
	{"keep_photos", nil},
	{"mailbox", func(c *Config, wrong wrongKeys) {
		if c.Mailbox != nil {
			c.Mailbox.validate("mailbox", wrong)
		}
	}},
	{"map_credit", nil},
	{"map_tiles", func(c *Config, wrong wrongKeys) { wrong.add("map_tiles", checkTiles(c.MapTiles)) }},
	{"max_photos", func(c *Config, wrong wrongKeys) { wrong.add("max_photos", checkSize(c.MaxPhotos)) }},
	{"notify", func(c *Config, wrong wrongKeys) {
		if c.Notify != nil {
			c.Notify.validate("notify", wrong)
		}
	}},
	{"people", func(c *Config, wrong wrongKeys) {
		for _, name := range c.People {
			wrong.add("people", checkPattern(personPattern, name, wantPerson))
		}
		wrong.add("people", checkPeople(c.People))
	}},
	{"postal_codes", func(c *Config, wrong wrongKeys) {
		for _, path := range c.PostalCodes {
			wrong.add("postal_codes", checkPath(path))
		}
	}},
	{"timezone", func(c *Config, wrong wrongKeys) {
		var err error
		c.Timezone, err = parseTimezone(c.TimezoneName)
		wrong.add("timezone", err)
	}},
	{"travel", func(c *Config, wrong wrongKeys) {
		if c.Travel != nil {
			c.Travel.validate("travel", wrong)
		}
	}},
	{"website_url", func(c *Config, wrong wrongKeys) { wrong.add("website_url", checkWebsiteURL(c.WebsiteURL)) }},
	{"who_we_are", func(c *Config, wrong wrongKeys) { wrong.add("who_we_are", checkWhoWeAre(c.WhoWeAre)) }},
}

// validate adds what is wrong with the values of some keys.
func (c *Config) validate(wrong wrongKeys, keys ...configKey) {
	for _, key := range keys {
		if key.check != nil {
			key.check(c, wrong)
		}
	}
}

// validate checks the receiver of messages, and sets its url and its template.
func (n *Notify) validate(path string, wrong wrongKeys) {
	var err error
	// With remind alone there is no receiver: it tells when devices get their daily message.
	hasReceiver := n.URL != "" || n.Body != "" || n.Headers != nil
	if hasReceiver || n.Remind == "" {
		n.url, err = parseServiceURL(n.URL)
		wrong.add(path+".url", err)
	}
	if n.Body != "" {
		wrong.add(path+".body", n.setTemplate(n.Body))
	}
	for name, text := range n.Headers {
		if !headerPattern().MatchString(name) || strings.ContainsFunc(text, unicode.IsControl) {
			wrong.add(path+".headers", errors.New("want names of letters, digits and hyphens, and values without line breaks"))
		}
	}
	if n.Remind != "" {
		wrong.add(path+".remind", checkPattern(timePattern, n.Remind, "want a time such as 08:00"))
	}
}

// usualArrival is when travel ends unless the config says otherwise: when many people begin work.
const usualArrival = "09:00"

func (t *Travel) validate(path string, wrong wrongKeys) {
	var err error
	t.url, err = parseServiceURL(t.URL)
	wrong.add(path+".url", err)
	if err == nil && t.url.Path == "" {
		t.url.Path = "/" // without it, JoinPath makes a relative path, which servers refuse
	}
	if t.Contact == "" {
		wrong.add(path+".contact", errMissing)
	} else {
		wrong.add(path+".contact", checkPattern(contactPattern, t.Contact, wantContact))
	}
	t.Arrive = cmp.Or(t.Arrive, usualArrival)
	wrong.add(path+".arrive", checkPattern(timePattern, t.Arrive, "want a time such as 09:00"))
}

func (m *Mailbox) validate(path string, wrong wrongKeys) {
	var err error
	if m.URL == "" {
		wrong.add(path+".url", errMissing) // so that the error of setURL is dropped
	}
	wrong.add(path+".url", m.setURL())
	for i, domain := range m.From {
		m.From[i] = strings.ToLower(domain)
		wrong.add(path+".from", checkPattern(domainPattern, domain, "want domains such as immobilienscout24.de"))
	}
	if len(m.From) > maxSenders {
		wrong.add(path+".from", fmt.Errorf("want at most %d domains", maxSenders))
	}
	isInbox := strings.EqualFold(m.folder, inbox)
	if len(m.From) == 0 && isInbox {
		wrong.add(path+".from", errors.New("is missing: name the domains of the senders, or a folder of its own in url, "+
			"because an inbox has letters and bills, too"))
	}
	m.every, err = time.ParseDuration(cmp.Or(m.Every, "5m"))
	if err != nil || m.every < time.Minute || m.every > day {
		wrong.add(path+".every", errors.New("want a time from 1m to 24h, such as 5m"))
	}
}

func (p *Place) validate(path string, wrong wrongKeys) {
	lat, lng, err := coordinatesIn(p.GPS)
	wrong.add(path+".gps", err)
	if err == nil {
		p.at = pointAt(lat, lng)
		p.coordinates = coordinates(lat, lng)
	}
	p.isModeSet = p.Mode != ""
	p.Mode = cmp.Or(p.Mode, byTransit)
	if speeds[p.Mode] == 0 {
		wrong.add(path+".mode", errors.New(`want "PUBLIC_TRANSPORT", "WALK" or "BIKE"`))
	}
}

func (n *Near) validate(path string, wrong wrongKeys) {
	lat, lng, err := coordinatesIn(n.GPS)
	wrong.add(path+".gps", err)
	n.lat, n.at = lat, pointAt(lat, lng)
	if n.KM <= 0 || n.KM > maxNear {
		wrong.add(path+".km", fmt.Errorf("want a number of kilometres, more than 0 and at most %d", maxNear))
	}
}

// resolvePaths resolves relative paths against a folder.
func (c *Config) resolvePaths(folder string) {
	resolve := func(path *string) {
		if !filepath.IsAbs(*path) {
			*path = filepath.Join(folder, *path)
		}
	}
	resolve(&c.Data)
	if c.Mailbox != nil && c.Mailbox.Certificate != "" {
		resolve(&c.Mailbox.Certificate)
	}
	if c.TLSCertificate != "" {
		resolve(&c.TLSCertificate)
	}
	if c.TLSKey != "" {
		resolve(&c.TLSKey)
	}
	for i := range c.PostalCodes {
		resolve(&c.PostalCodes[i])
	}
}

// finish checks the keys that depend on each other, and derives their defaults.
func (c *Config) finish() (err error) {
	switch {
	case c.Username != "" && c.Password == "" && !c.hasPasswordFile():
		return errors.New("config: password is missing: set it or FLATS_PASSWORD, remove username, or run flats password")
	case c.TLSCertificate == "" && c.TLSKey != "":
		return errors.New("config: tls_certificate is missing: set it and tls_key, or neither")
	case c.TLSCertificate != "" && c.TLSKey == "":
		return errors.New("config: tls_key is missing: set it and tls_certificate, or neither")
	}
	if c.WebsiteURL == "" {
		c.WebsiteURL = c.ownURL()
	}
	if c.Mailbox != nil {
		if err := c.Mailbox.finish(); err != nil {
			return fmt.Errorf("config: mailbox.%w", err)
		}
	}
	c.Data, err = filepath.Abs(c.Data)
	return err
}

// hasPasswordFile reports whether there is a password next to the data.
func (c *Config) hasPasswordFile() bool {
	_, err := os.Stat(filepath.Join(filepath.Dir(c.Data), passwordBase))
	return err == nil
}

// unusedNotice returns a line if no service has kept flats where the config says, or "". now says what happens instead.
func (c *Config) unusedNotice(now string) string {
	used, _ := osDisk{}.List(c.Data) // the data file and its journals
	if _, err := os.Stat(importFolder(c.Data)); err == nil || len(used) > 0 {
		return ""
	}
	data, _ := filepath.Abs(c.Data)
	return fmt.Sprintf("no service has kept flats in %s yet: %s; if yours keeps them elsewhere, name its file with "+
		"-data or -config\n", data, now)
}

// ownURL returns the URL at which another device reaches the address to listen on.
func (c *Config) ownURL() string {
	scheme := "http"
	if c.TLSCertificate != "" {
		scheme = "https"
	}
	return scheme + "://" + reachableAddr(c.Addr) + "/"
}

// places returns the places of all constraints as JSON.
func (c *Config) places() string {
	places := map[string]map[string]Place{}
	for name, constraint := range c.Constraints {
		places[name] = map[string]Place{} // an object even without places
		maps.Copy(places[name], constraint.Places)
	}
	return encodeJSON(places)
}

// fieldNames returns the names of the query fields that the config adds: time_to.PLACE for each place, sorted, then
// rating.PERSON and travel.PERSON for each person, and travel_longest, the longest time of any person.
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
	for _, name := range c.People {
		fields = append(fields, "travel."+name)
	}
	if len(c.People) > 0 {
		fields = append(fields, "travel_longest")
	}
	return fields
}

// checkPersons adds an error for each place with a person who is not one of the people in the config.
func (c *Config) checkPersons(wrong wrongKeys) {
	for name, constraint := range c.Constraints {
		for place, to := range constraint.Places {
			if to.Person != "" && !slices.Contains(c.People, to.Person) {
				wrong.add("constraints."+name+".time_to."+place+".person", errors.New("want one of people"))
			}
		}
	}
}
