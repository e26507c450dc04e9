// Checks of what people write into a config: addresses, names, URLs. And the addresses at which the service is reached.

package main

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

var (
	userPattern    = newPattern(`^[^:]*$`)                                       // RFC 7617, section 2
	headerPattern  = newPattern(`^[A-Za-z0-9-]+$`)                               // names of HTTP headers
	contactPattern = newPattern(`^[!-'*-~][ -'*-~]*$`)                           // ASCII, for a comment of User-Agent
	domainPattern  = newPattern(`^(?i)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){1,7}$`) // DNS allows 63 characters in a part
	timePattern    = newPattern(`^([01][0-9]|2[0-3]):[0-5][0-9]$`)
	personPattern  = newPattern(`^[^\p{Cc},\[\]]{1,40}$`) // a part of query fields such as rating.PERSON
)

const (
	maxPeople   = 8    // people in the config
	maxSenders  = 50   // senders of a mailbox in the config
	maxWhoWeAre = 2000 // characters of what people say of themselves
	wantContact = "want your mail address or web page, in ASCII and without parentheses"
	wantPerson  = "want names of 1 to 40 characters, without control characters, commas and brackets"
)

// checkPattern returns an error with the text want unless the text matches the pattern.
func checkPattern(form pattern, text, want string) error {
	if !form().MatchString(text) {
		return errors.New(want)
	}
	return nil
}

// checkAddr checks an address to listen on.
func checkAddr(addr string) error {
	_, port, err := net.SplitHostPort(addr)
	_, portErr := strconv.ParseUint(port, 10, 16)
	if err != nil || portErr != nil {
		return errors.New("want HOST:PORT such as 127.0.0.1:8080")
	}
	return nil
}

// checkSize returns an error if a size limit lets nothing through.
func checkSize(size int64) error {
	if size < 1 {
		return errors.New("want at least 1")
	}
	return nil
}

// checkPath returns an error if the path of a file is empty: it would name the current folder.
func checkPath(path string) error {
	if path == "" {
		return errors.New("must not be empty")
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

// checkWhoWeAre checks what people say of themselves, which may have several lines.
func checkWhoWeAre(text string) error {
	isWrong := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' }
	if utf8.RuneCountInString(text) > maxWhoWeAre || strings.ContainsFunc(text, isWrong) {
		return fmt.Errorf("want at most %d characters, without control characters", maxWhoWeAre)
	}
	return nil
}

// checkWebsiteURL checks the prefix of links. It accepts "", which Config.finish replaces.
func checkWebsiteURL(text string) error {
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	if err == nil && u.User != nil {
		return errors.New("must not contain a user name, because links show it to everybody; set username and password")
	}
	isHTTP := err == nil && (u.Scheme == "http" || u.Scheme == "https")
	// Links append a path or a fragment to it, such as #/flat/1, so it must have no query and no fragment.
	if !isHTTP || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return errors.New("want a URL such as https://flats.example.org/")
	}
	return nil
}

// parseServiceURL parses the URL of another service. No error shows the URL, because it may hold
// a secret.
func parseServiceURL(text string) (*url.URL, error) {
	if text == "" {
		return nil, errMissing
	}
	u, err := url.Parse(text)
	isHTTP := err == nil && (u.Scheme == "http" || u.Scheme == "https")
	if !isHTTP || u.Hostname() == "" || u.User != nil {
		return nil, errors.New("want an http or https URL with a host and without a user name")
	}
	return u, nil
}

// A Backup says how many nightly backups are kept.
type Backup struct {
	Keep int `json:"keep"` // the last backups; 0 for no backups
}

const maxKeep = 365 // nightly backups that are kept, in addition to those of Mondays

func (b Backup) check() error {
	if b.Keep < 0 || b.Keep > maxKeep {
		return fmt.Errorf("want 0 to %d backups", maxKeep)
	}
	return nil
}

// parseTimezone parses the IANA name of a time zone; "" means no time zone.
func parseTimezone(name string) (*time.Location, error) {
	if name == "" {
		return nil, nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil || zone == time.Local { // LoadLocation accepts "Local", too
		return nil, errors.New("want an IANA name such as Europe/Paris")
	}
	return zone, nil
}

// parseOrigin returns an origin as browsers write it, or "*".
func parseOrigin(text string) (string, error) {
	if text == "*" {
		return text, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || u.Host == "" || u.Scheme+"://"+u.Host != text {
		return "", errors.New(`want an origin such as https://example.org, without a path, or "*"`)
	}
	return originOf(u), nil
}

// tilesURL matches URLs with a host that a content security policy can name.
var tilesURL = newPattern(`^https://[A-Za-z0-9.-]+(:[0-9]+)?/`)

func checkTiles(text string) error {
	hasAll := strings.Contains(text, "{z}") && strings.Contains(text, "{x}") && strings.Contains(text, "{y}")
	if text == "" || hasAll && tilesURL().MatchString(text) {
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

// reachableAddr returns the address at which other devices reach the service, which listens on addr. If addr means all
// addresses of the machine, the result is one of them.
func reachableAddr(addr string) string {
	host, port, _ := net.SplitHostPort(addr)
	ip := net.ParseIP(host)
	meansAll := host == "" || ip != nil && ip.IsUnspecified()
	if meansAll {
		host = ownHost()
	}
	return net.JoinHostPort(host, port)
}

// ownHost returns the address of the network interface that leads to the internet, or else the first address of this
// machine that others may reach, or localhost.
func ownHost() string {
	// Nothing is sent to these addresses, which are reserved for examples: a connection by UDP only chooses the
	// interface, for IPv4 or else IPv6.
	for _, onInternet := range []string{"192.0.2.1:9", "[2001:db8::1]:9"} {
		if host := ownAddressTo(onInternet); host != "" {
			return host
		}
	}
	addrs, _ := net.InterfaceAddrs()
	for _, addr := range addrs {
		if ip, ok := addr.(*net.IPNet); ok && ip.IP.IsGlobalUnicast() {
			return ip.IP.String()
		}
	}
	return "localhost"
}

// ownAddressTo returns the address of this machine from which packets to addr are sent, or "".
func ownAddressTo(addr string) string {
	conn, err := net.Dial("udp", addr)
	if err != nil {
		return ""
	}
	defer conn.Close()
	if own := conn.LocalAddr().(*net.UDPAddr); own.IP.IsGlobalUnicast() {
		return own.IP.String()
	}
	return ""
}
