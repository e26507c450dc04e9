package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"net/url"
	"os"
	"path/filepath"
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

	Timezone    *time.Location // of visit dates without an offset; nil for floating
	Constraints []Constraint   // in the order of the file
}

// A Constraint is a named search.
type Constraint struct {
	Name   string
	Areas  []string // of the postal codes that it knows; nil for all
	Places []Place  // that travel times are computed to
}

// A Place has a name and a position.
type Place struct {
	Name string
	GPS  string // a JSON array of latitude and longitude
}

func defaultConfig() *Config {
	return &Config{Addr: "127.0.0.1:8080", Data: "flats.json"}
}

// loadConfig reads a config file. Paths in it start from its folder. unknown
// lists the keys that it does not know, with the path to them; an error names
// file, line and key.
func loadConfig(path string) (c *Config, unknown []string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, fmt.Errorf("config: %w", err)
	}
	c, unknown, err = parseConfig(path, string(text))
	if err != nil {
		return nil, nil, err
	}
	folder := filepath.Dir(path)
	from := func(path string) string {
		if filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(folder, path)
	}
	c.Data = from(c.Data)
	for i := range c.PostalCodes {
		c.PostalCodes[i] = from(c.PostalCodes[i])
	}
	return c, unknown, nil
}

// parseConfig reads the text of a config file; name is for errors.
func parseConfig(name, text string) (c *Config, unknown []string, err error) {
	text = strings.TrimPrefix(text, "\uFEFF")
	r := configReader{config: defaultConfig()}
	if err := r.read(text); err != nil {
		where := place(name, text, err)
		var syntax *syntaxError
		if errors.As(err, &syntax) {
			// What stands there instead may be a password.
			syntax.text, _, _ = strings.Cut(syntax.text, ", got ")
		}
		return nil, nil, fmt.Errorf("%s: %w", where, err)
	}
	return r.config, r.unknown, nil
}

// A configReader puts the members of a file into a config. Its errors are of
// type *syntaxError or *fieldError, with the path to the member as the name.
// A null says as much as no member.
type configReader struct {
	config  *Config
	unknown []string // paths
}

func (r *configReader) read(text string) error {
	c := r.config
	err := r.members(member{literal: text}, func(m member) error {
		switch m.name {
		case "addr":
			return r.text(m, &c.Addr, checkAddr)
		case "website_url":
			return r.text(m, &c.WebsiteURL, checkWebsiteURL)
		case "data":
			return r.text(m, &c.Data, checkSomething)
		case "postal_codes":
			return r.texts(m, &c.PostalCodes, checkSomething)
		case "cors_origins":
			err := r.texts(m, &c.CORSOrigins, checkOrigin)
			for i, origin := range c.CORSOrigins {
				if u, parseErr := url.Parse(origin); parseErr == nil && origin != "*" {
					c.CORSOrigins[i] = originOf(u)
				}
			}
			return err
		case "username":
			return r.text(m, &c.Username, checkUsername)
		case "password":
			return r.secret(m, &c.Password)
		case "feed_token":
			return r.secret(m, &c.FeedToken)
		case "timezone":
			var name string
			return r.text(m, &name, func(string) (err error) {
				if name != "" {
					c.Timezone, err = time.LoadLocation(name)
				}
				return err
			})
		case "constraints":
			return r.members(m, r.constraint)
		}
		r.unknown = append(r.unknown, m.name)
		return nil
	})
	return err
}

func (r *configReader) constraint(m member) error {
	_, name, _ := strings.Cut(m.name, ".")
	c := Constraint{Name: name}
	err := r.members(m, func(m member) error {
		switch key := strings.TrimPrefix(m.name, "constraints."+name+"."); key {
		case "areas":
			c.Areas = []string{}
			return r.texts(m, &c.Areas, checkSomething)
		case "time_to":
			return r.members(m, func(m member) error {
				place := Place{Name: strings.TrimPrefix(m.name, "constraints."+name+".time_to.")}
				if err := r.gps(m, &place.GPS); err != nil {
					return err
				}
				c.Places = append(c.Places, place)
				return nil
			})
		}
		r.unknown = append(r.unknown, m.name)
		return nil
	})
	r.config.Constraints = append(r.config.Constraints, c)
	return err
}

// gps reads the position of a place. Its other members say how travel times
// are computed, which others do.
func (r *configReader) gps(m member, gps *string) error {
	err := r.members(m, func(m member) error {
		if strings.HasSuffix(m.name, ".gps") {
			if err := checkGPS(m.literal); err != nil {
				return &fieldError{m.name, m.at, err}
			}
			*gps = compact(m.literal)
		}
		return nil
	})
	if err == nil && *gps == "" {
		err = &fieldError{m.name + ".gps", m.at, errors.New("is missing: want latitude and longitude, such as [48.8566, 2.3522]")}
	}
	return err
}

// members calls f for each member of the object that m holds, with the path
// to it as its name and its place in the file.
func (r *configReader) members(m member, f func(member) error) error {
	members, err := parseObject(m.literal)
	if err != nil {
		syntax := err.(*syntaxError)
		syntax.at += m.at
		if m.name == "" {
			return syntax
		}
		return &fieldError{m.name, syntax.at, err}
	}
	for _, inner := range members {
		inner.at += m.at
		if m.name != "" {
			inner.name = m.name + "." + inner.name
		}
		if inner.literal == "null" {
			continue
		}
		if err := f(inner); err != nil {
			return err
		}
	}
	return nil
}

// text reads a string that passes a check, if there is one.
func (r *configReader) text(m member, to *string, check func(string) error) error {
	if m.literal[0] != '"' {
		return &fieldError{m.name, m.at, wrongType("a string", m.literal)}
	}
	*to = unquote(m.literal)
	if check != nil {
		if err := check(*to); err != nil {
			return &fieldError{m.name, m.at, err}
		}
	}
	return nil
}

// secret is text for what no error may show.
func (r *configReader) secret(m member, to *string) error {
	if m.literal[0] != '"' {
		return &fieldError{m.name, m.at, errors.New("want a string")}
	}
	return r.text(m, to, nil)
}

// texts reads an array of strings that each pass a check.
func (r *configReader) texts(m member, to *[]string, check func(string) error) error {
	if json.Unmarshal([]byte(m.literal), to) != nil {
		return &fieldError{m.name, m.at, wrongType("an array of strings", m.literal)}
	}
	for _, s := range *to {
		if err := check(s); err != nil {
			return &fieldError{m.name, m.at, err}
		}
	}
	return nil
}

// finish checks what no key can tell alone, and fills in what follows from
// others.
func (c *Config) finish() error {
	if c.Password != "" && c.Username == "" {
		return errors.New("config: username is missing: a password without one lets nobody in")
	}
	if c.Username != "" && c.Password == "" {
		return errors.New("config: password is missing: set it beside username, or in the environment as FLATS_PASSWORD")
	}
	if c.WebsiteURL == "" {
		host, port, _ := net.SplitHostPort(c.Addr)
		if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
			host = "localhost"
		}
		c.WebsiteURL = "http://" + net.JoinHostPort(host, port) + "/"
	}
	return nil
}

// areas are those of each constraint, for loadPostalCodes.
func (c *Config) areas() map[string][]string {
	areas := map[string][]string{}
	for _, constraint := range c.Constraints {
		areas[constraint.Name] = constraint.Areas
	}
	return areas
}

// places is the object of api.md 2.4.
func (c *Config) places() string {
	var b strings.Builder
	for i, constraint := range c.Constraints {
		b.WriteByte("{,"[min(i, 1)])
		b.WriteString(quote(constraint.Name) + ":{")
		for i, place := range constraint.Places {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(quote(place.Name) + ":" + place.GPS)
		}
		b.WriteByte('}')
	}
	if b.Len() == 0 {
		return "{}"
	}
	return b.String() + "}"
}

func checkSomething(s string) error {
	if s == "" {
		return errors.New("want something in the string")
	}
	return nil
}

func checkAddr(addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if n, numErr := strconv.Atoi(port); err != nil || numErr != nil || n < 0 || n > 65535 {
		return fmt.Errorf("want HOST:PORT such as 127.0.0.1:8080, got %q", addr)
	}
	return nil
}

func checkWebsiteURL(s string) error {
	u, err := url.Parse(s)
	if err == nil && u.User != nil {
		return errors.New("want a URL without a user name: it is shown to everybody; set username and password")
	}
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("want a URL such as https://flats.example.org/, got %q", s)
	}
	return nil
}

func checkOrigin(s string) error {
	u, err := url.Parse(s)
	if s != "*" && (err != nil || u.Scheme == "" || u.Host == "" || u.Scheme+"://"+u.Host != s) {
		return fmt.Errorf(`want an origin such as https://example.org, without a path, or "*", got %q`, s)
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

func checkUsername(s string) error {
	if strings.Contains(s, ":") {
		return errors.New("want a name without a colon: HTTP Basic ends the name there")
	}
	return nil
}

// checkGPS accepts a JSON array of a latitude and a longitude.
func checkGPS(literal string) error {
	var gps []*float64
	if json.Unmarshal([]byte(literal), &gps) != nil || len(gps) != 2 || gps[0] == nil || gps[1] == nil ||
		math.Abs(*gps[0]) > 90 || math.Abs(*gps[1]) > 180 {
		return fmt.Errorf("want a latitude of at most 90 and a longitude of at most 180 degrees, such as [48.8566, 2.3522], got %s", excerpt(literal))
	}
	return nil
}
