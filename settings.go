// Settings: the keys of the config that the page sets, and the file that keeps them.

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
)

const (
	maxSettings    = 1 << 20 // bytes of settings.json
	maxConstraints = 50      // constraints in the settings
	maxPlaces      = 50      // places of a constraint in the settings
	maxCountries   = 50      // countries whose postal codes are loaded
	maxHeaders     = 20      // headers of a receiver in the settings
)

// settingsBase is the base name of the file with the settings, next to flats.json.
const settingsBase = "settings.json"

// isSetting reports whether the page can set a key.
func isSetting(name string) bool {
	return slices.ContainsFunc(settingKeys, func(key configKey) bool { return key.name == name })
}

// readSettings parses the text of a settings.json, which is empty if there is no file. The error has a line for each
// wrong key, which names the file as given.
func readSettings(name, text string) (members, error) {
	text = strings.TrimPrefix(text, "\uFEFF") // an editor may have put a byte order mark there
	if text == "" {
		return members{}, nil
	}
	settings, err := parseObject([]byte(text))
	if err != nil {
		return nil, withLine(name, []byte(text), plainSyntax(err))
	}
	if path := repeatedKey("", json.NewDecoder(strings.NewReader(text))); path != "" {
		return nil, fmt.Errorf("%s: %s: an object has this key twice", name, path)
	}
	wrong := wrongKeys{}
	for key := range settings {
		if !isSetting(key) {
			wrong.add(key, errors.New("is no setting"))
		}
	}
	defaultConfig().withSettings(settings, wrong) // only for the errors that it adds to wrong
	return settings, wrong.fileError(name)
}

// plainSyntax returns an error of parseObject that quotes nothing of the text.
func plainSyntax(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) || errors.Is(err, errObject) {
		return err
	}
	return errors.New("want an object in UTF-8")
}

// settingsText returns settings as the content of a settings.json, with a line for each key.
func settingsText(settings members) string {
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		lines = append(lines, encodeJSON(key)+": "+encodeJSON(settings[key]))
	}
	return "{\n" + strings.Join(lines, ",\n") + "\n}\n"
}

// withSettings returns a copy of a config without settings, with the settings that its file does not have. It adds
// errors to wrong. It changes nothing that the copy shares with the config.
func (c *Config) withSettings(settings members, wrong wrongKeys) *Config {
	next := *c
	next.beforeSettings, next.settings = c, settings
	r := configReader{log: slog.New(slog.DiscardHandler), wrong: wrong, isStrict: true}
	var keys []configKey // of the settings that count
	for _, key := range settingKeys {
		if isInFile := c.given.has(key.name); isInFile || !settings.has(key.name) {
			continue
		}
		// Decode into the default value. The value of the config may be a pointer or a map, which the copy shares.
		member := memberWithTag(reflect.ValueOf(&next).Elem(), key.name)
		member.Set(memberWithTag(reflect.ValueOf(defaultConfig()).Elem(), key.name))
		r.decode(key.name, settings[key.name], member)
		keys = append(keys, key)
	}
	next.validate(wrong, keys...)
	hasCodes := slices.ContainsFunc(keys, func(key configKey) bool { return key.name == "postal_codes" })
	if hasCodes { // in settings, they are countries
		next.countries, next.PostalCodes = next.PostalCodes, nil
	}
	next.checkBounds(wrong, keys)
	next.WebsiteURL = cmp.Or(next.WebsiteURL, c.WebsiteURL)
	return &next
}

// checkBounds adds errors for settings that break a rule which does not apply to the config file.
func (c *Config) checkBounds(wrong wrongKeys, keys []configKey) {
	for _, key := range keys {
		switch key.name {
		case "constraints":
			if len(c.Constraints) > maxConstraints {
				wrong.add("constraints", fmt.Errorf("want at most %d constraints", maxConstraints))
			}
			for name, constraint := range c.Constraints {
				if len(constraint.Places) > maxPlaces {
					wrong.add("constraints."+name+".time_to", fmt.Errorf("want at most %d places", maxPlaces))
				}
			}
		case "notify":
			if c.Notify != nil && len(c.Notify.Headers) > maxHeaders {
				wrong.add("notify.headers", fmt.Errorf("want at most %d headers", maxHeaders))
			}
		case "postal_codes":
			wrong.add("postal_codes", checkCountries(c.countries))
		case "mailbox":
			if c.Mailbox != nil {
				wrong.add("mailbox.password", c.Mailbox.checkPassword())
				c.resolveCertificate(c.Mailbox)
			}
		}
	}
}

func checkCountries(countries []string) error {
	for _, country := range countries {
		if err := checkPattern(countryPattern, country, wantCountry); err != nil {
			return err
		}
	}
	switch {
	case len(countries) > maxCountries:
		return fmt.Errorf("want at most %d countries", maxCountries)
	case len(slices.Compact(slices.Sorted(slices.Values(countries)))) < len(countries):
		return errors.New("want each country once")
	}
	return nil
}

// resolveCertificate resolves the path of the certificate of a mailbox that the page sets, against the folder of the
// data.
func (c *Config) resolveCertificate(m *Mailbox) {
	if m.Certificate != "" && !filepath.IsAbs(m.Certificate) {
		m.Certificate = filepath.Join(filepath.Dir(c.Data), m.Certificate)
	}
}

// withoutSettings returns the config of flags, environment and config file alone.
func (c *Config) withoutSettings() *Config { return cmp.Or(c.beforeSettings, c) }

// patched returns the settings with a patch applied: null removes a key, true keeps a stored secret. The error names
// every wrong key.
func (c *Config) patched(patch members) (settings members, err error) {
	settings = maps.Clone(c.settings)
	if settings == nil {
		settings = members{}
	}
	wrong := wrongKeys{}
	setByFile := wrongKeys{}
	for key, value := range patch {
		switch {
		case !isSetting(key):
			wrong.add(key, notSetting(key))
		case c.given.has(key):
			setByFile.add(key, errors.New("stands in the config file, which wins: change it there"))
		case string(value) == "null":
			delete(settings, key)
		default:
			settings[key] = revealed(key, value, c.settings[key], wrong)
		}
	}
	changed := c.withoutSettings().withSettings(settings, wrong)
	_, hasConstraints := patch["constraints"]
	_, hasPeople := patch["people"]
	if hasConstraints || hasPeople { // otherwise the start has warned of what is wrong, and another setting may change
		changed.checkPersons(wrong)
	}
	if len(settingsText(settings)) > maxSettings {
		wrong.add("", fmt.Errorf("all settings together have more than %d bytes", maxSettings))
	}
	status := statusInvalid
	if len(wrong) == 0 { // only setByFile can be the reason of an error
		status = http.StatusConflict
	}
	maps.Copy(wrong, setByFile)
	if len(wrong) > 0 {
		return nil, invalidSettings(status, wrong)
	}
	return settings, nil
}

// notSetting returns the error of a key that the page cannot set.
func notSetting(key string) error {
	if memberWithTag(reflect.ValueOf(Config{}), key).IsValid() {
		return errors.New("is set in the config file alone")
	}
	return errors.New("there is no such setting")
}

// invalidSettings returns the error of an answer that names the wrong keys.
func invalidSettings(status int, wrong wrongKeys) error {
	var list []string
	for _, path := range slices.Sorted(maps.Keys(wrong)) {
		list = append(list, strings.TrimPrefix(path+": "+wrong[path].Error(), ": "))
	}
	err := errorf(status, "Invalid settings provided: %s.", strings.Join(list, "; "))
	err.wrong = wrong.texts()
	return err
}

// A shownSetting is a setting as it is served, without secrets.
type shownSetting struct {
	Value json.RawMessage `json:"value"`
	From  string          `json:"from"`           // config, settings or default
	Host  string          `json:"host,omitempty"` // of a URL that is a secret
}

// shown returns all settings by their keys.
func (c *Config) shown() map[string]shownSetting {
	list := map[string]shownSetting{}
	for _, key := range settingKeys {
		switch {
		case c.given.has(key.name):
			hasHiddenPassword := key.name == "mailbox" && c.Mailbox != nil // perhaps from the environment
			value, host := concealed(key.name, c.given[key.name], hasHiddenPassword)
			list[key.name] = shownSetting{value, "config", host}
		case c.settings.has(key.name):
			const hasHiddenPassword = false // the settings have all passwords themselves
			value, host := concealed(key.name, c.settings[key.name], hasHiddenPassword)
			list[key.name] = shownSetting{value, "settings", host}
		default:
			list[key.name] = shownSetting{c.defaultOf(key.name), "default", ""}
		}
	}
	return list
}

// defaultOf returns the value of a setting that is not set.
func (c *Config) defaultOf(key string) json.RawMessage {
	switch key {
	case "website_url":
		return json.RawMessage(encodeJSON(c.WebsiteURL))
	case "keep_photos":
		return json.RawMessage("false")
	case "max_photos":
		return json.RawMessage(encodeJSON(defaultConfig().MaxPhotos))
	}
	return json.RawMessage("null")
}

// settingObjects are the settings that are objects with secrets.
var settingObjects = map[string]reflect.Value{
	"mailbox": reflect.ValueOf(Mailbox{}),
	"notify":  reflect.ValueOf(Notify{}),
	"travel":  reflect.ValueOf(Travel{}),
}

// secretMark stands for a secret that is stored.
const secretMark = "true"

// concealed returns the value of a setting with secretMark in place of each secret, and the host of a URL that is a
// secret. hasHiddenPassword says that the setting has a password even if the value has none.
func concealed(key string, value json.RawMessage, hasHiddenPassword bool) (shown json.RawMessage, host string) {
	if key == "feed_token" || key == "import_token" {
		if textOf(value) == "" {
			return value, ""
		}
		return json.RawMessage(secretMark), ""
	}
	example, isObject := settingObjects[key]
	if !isObject {
		return value, ""
	}
	object, _ := decodeObject(value) // no error: the value has been checked
	isUnknown := func(name string, _ json.RawMessage) bool { return !memberWithTag(example, name).IsValid() }
	maps.DeleteFunc(object, isUnknown) // members that the service does not know may be secrets, too
	if object.has("password") || hasHiddenPassword {
		object["password"] = json.RawMessage(secretMark)
	}
	if object.has("headers") {
		headers, _ := decodeObject(object["headers"])
		for name := range headers {
			headers[name] = json.RawMessage(secretMark)
		}
		object.put("headers", headers)
	}
	mayHaveSecret := key != "mailbox" // the URL of a mailbox has none: setURL refuses a password in it
	if u, err := url.Parse(textOf(object["url"])); mayHaveSecret && err == nil {
		isHostAlone := strings.Trim(u.Path, "/") == "" && u.RawQuery == "" && u.Fragment == ""
		if !isHostAlone { // what follows the host may be a secret
			object["url"], host = json.RawMessage(secretMark), u.Host
		}
	}
	return json.RawMessage(encodeJSON(object)), host
}

// textOf returns a JSON string as a text, or "" for any other value.
func textOf(value json.RawMessage) (text string) {
	if bytes.HasPrefix(value, []byte(`"`)) {
		json.Unmarshal(value, &text)
	}
	return text
}

var errAgain = errors.New("give it again: none is stored for this server and user")

// revealed returns a value of a setting with the stored secrets in place of secretMark. A secret for another server or
// another user must be given again.
func revealed(key string, value, before json.RawMessage, wrong wrongKeys) json.RawMessage {
	if key == "feed_token" || key == "import_token" {
		if string(value) == secretMark {
			value = before
		}
		if value == nil {
			wrong.add(key, errAgain)
		}
		return value
	}
	object, err := parseObject(value)
	if _, isObject := settingObjects[key]; !isObject || err != nil {
		return value
	}
	stored := members{}
	if before != nil {
		stored, _ = decodeObject(before) // no error: it has been checked
	}
	// reveal replaces the secretMark of a member. path names the member in an error.
	reveal := func(path string, object members, name string, stored members, isAllowed bool) {
		switch {
		case string(object[name]) != secretMark:
			// It is given, or missing.
		case stored.has(name) && isAllowed:
			object[name] = stored[name]
		default:
			wrong.add(path, errAgain)
		}
	}
	if key != "mailbox" { // whose URL is never a secret
		const isAllowed = true // a stored URL leads to the same server again
		reveal(key+".url", object, "url", stored, isAllowed)
	}
	isSame := isSameServer(key, object, stored)
	reveal(key+".password", object, "password", stored, isSame)
	if headers, err := parseObject(object["headers"]); err == nil && headers != nil {
		storedHeaders, _ := decodeObject(json.RawMessage(stored.text("headers")))
		for name := range headers {
			reveal(key+".headers", headers, name, storedHeaders, isSame)
		}
		object.put("headers", headers)
	}
	return json.RawMessage(encodeJSON(object))
}

// isSameServer reports whether two values of a setting send their secrets to the same server, as the same user.
func isSameServer(key string, a, b members) bool {
	if key == "mailbox" {
		x, y := Mailbox{URL: textOf(a["url"])}, Mailbox{URL: textOf(b["url"])}
		return x.setURL() == nil && y.setURL() == nil && strings.EqualFold(x.server.Host, y.server.Host) &&
			x.server.Port == y.server.Port && x.server.StartTLS == y.server.StartTLS && x.user == y.user
	}
	x, err := parseServiceURL(textOf(a["url"]))
	if err != nil {
		return false
	}
	y, err := parseServiceURL(textOf(b["url"]))
	return err == nil && originOf(x) == originOf(y)
}

// revealedMailbox returns the value of a mailbox to try, with the stored password in place of secretMark.
func (c *Config) revealedMailbox(value members, wrong wrongKeys) json.RawMessage {
	before := c.settings["mailbox"]
	if c.given.has("mailbox") {
		object, _ := decodeObject(c.given["mailbox"]) // no error: the config has checked it
		object.put("password", c.Mailbox.Password)    // which the environment may have set
		before = json.RawMessage(encodeJSON(object))
	}
	return revealed("mailbox", json.RawMessage(encodeJSON(value)), before, wrong)
}

// loadCodes returns the postal codes of the countries in the settings or, without such, of the files in the config. If
// a country's file cannot be read, it calls failed, and takes the country's codes from before (nil for none).
func loadCodes(config *Config, files *codeFiles, before *PostalCodes,
	failed func(country string, err error)) (*PostalCodes, error) {
	if config.countries == nil {
		return loadPostalCodes(config.PostalCodes, config.Constraints)
	}
	// Collect garbage more often until the codes are read, so that memory has no high peak: nearly all that is read stays.
	usual := debug.SetGCPercent(15)
	defer debug.SetGCPercent(usual)
	names := map[string]string{}
	var entries []*PostalCode
	for _, country := range config.countries {
		list, err := collect(func(add func(*PostalCode)) error { return files.load(country, add, names) })
		if err != nil {
			failed(country, err)
			list = before.ofCountry(country, names)
		}
		entries = append(entries, list...)
	}
	codes := newPostalCodes(entries, config.Constraints)
	codes.areaNames = names
	return codes, nil
}
