// Who may change settings and load backups, which hold every secret.

package main

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// maySet returns an error unless a request comes from somebody who may change the settings: with a password,
// whoever has it; without one, this machine itself. No page of another origin may, whatever the config allows it
// otherwise.
func (s *server) maySet(r *http.Request) error {
	site, _ := url.Parse(s.config.WebsiteURL) // no error: the config has checked it
	if isForeignPage(r, originOf(site)) {
		return errorf(http.StatusForbidden, "Pages of other origins may not do this.")
	}
	if s.config.Password != "" {
		return nil // the request has it, or it would not have come here
	}
	isHere := r.Host == s.config.Addr || knownHost(r.Host, site.Hostname())
	if !isHere || !fromThisMachine(r) {
		return errorf(http.StatusForbidden, "Without a password, only this machine itself may do this: "+
			"set username and password in config.json, or FLATS_PASSWORD in the environment.")
	}
	return nil
}

// isForeignPage reports whether a page of another origin than the website's has sent a request.
func isForeignPage(r *http.Request, website string) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site":
		return true
	}
	origin := r.Header.Get("Origin")
	if origin == "" || origin == website {
		return false
	}
	from, err := url.Parse(origin)
	return err != nil || from.Host != r.Host
}

// fromThisMachine reports whether a request comes from a loopback address, and through no proxy that says so.
func fromThisMachine(r *http.Request) bool {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && at.Addr().Unmap().IsLoopback() && !isProxied(r)
}

// knownHost reports whether a Host header cannot name another site: it is empty, an IP address,
// localhost, or the website's own name.
func knownHost(host, site string) bool {
	name := strings.TrimSuffix((&url.URL{Host: host}).Hostname(), ".")
	return name == "" || strings.EqualFold(name, "localhost") || strings.EqualFold(name, site) || net.ParseIP(name) != nil
}
