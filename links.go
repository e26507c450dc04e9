// Links: the link in a link of a mailer, the key by which links are compared, and ids made of
// links.

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// maxLinkLength is the number of bytes of a link that is read.
const maxLinkLength = 16 << 10

// maxWrappings is how deep links are in links.
const maxWrappings = 5

var (
	webAddress = newPattern(`(?i)^https?://[^/?#\s]`)
	innerLink  = newPattern(`(?i)/(?:__)?https?:/{1,2}[^/]`) // in a path, where guards of mails mark it
	mirrorHost = newPattern(`^(?:www|m|mobile)\.`)
	pageRoute  = newPattern(`^[/!][^?]*\w`) // a fragment that names the listing
	tracking   = newPattern(`(?i)^(?:utm_.*|fbclid|gclid|msclkid|mc_[ce]id|mkt_tok|_hs.*|rtoken|trk.*|` +
		`xtor|at_.*|cmp|channel|referrer|navigation.*|search_?id|saved_?search_?id|searchtype|(?:e?mail)_?id)$`)
	numbered = newPattern(`[0-9]{5}|(?i:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})`)
	mailer   = newPattern(`^(?:clicks?|clic|clk|links?|lnk|track|tracking|trk|t|e|em|email|mailer|mailing|` +
		`go|r|ct|c|redirect|url)[0-9]*\.`)
	guarded      = newPattern(`(?i)^https?-3A__[^/?#\s]+$`)
	alphanumeric = newPattern(`[0-9A-Za-z]{16,}`)
)

// isWebLink reports whether a text begins as an http or https URL does.
func isWebLink(text string) bool { return webAddress().MatchString(text) }

// parseLink returns the parts of an http or https URL, or nil if the text is not one.
func parseLink(link string) *url.URL {
	if len(link) > maxLinkLength || !webAddress().MatchString(link) {
		return nil
	}
	u, err := url.Parse(link)
	if err != nil || !strings.Contains(strings.Trim(u.Hostname(), "."), ".") {
		return nil
	}
	return u
}

// unwrapLink returns the link that counts: the innermost of links in links, without tracking
// parameters and without a fragment that is not a route. It returns a text that is not an http or https URL as it
// is.
func unwrapLink(link string) string {
	link = strings.TrimSpace(link)
	u := parseLink(link)
	if u == nil {
		return link
	}
	for range maxWrappings {
		inner := parseLink(linkWithin(u))
		if inner == nil {
			break
		}
		u = inner
	}
	u.RawQuery = withoutTracking(u.RawQuery)
	u.ForceQuery = false
	if !pageRoute().MatchString(u.Fragment) {
		u.Fragment, u.RawFragment = "", ""
	}
	return u.String()
}

// linkWithin returns the link that a parameter or the path of another holds, or "".
func linkWithin(u *url.URL) string {
	for parameter := range strings.SplitSeq(u.RawQuery, "&") {
		_, value, _ := strings.Cut(parameter, "=")
		if link := encodedLink(value); link != "" {
			return link
		}
	}
	path := u.EscapedPath()
	if at := innerLink().FindStringIndex(path); at != nil {
		rest, isMarked := strings.CutPrefix(path[at[0]+1:], "__")
		scheme, rest, _ := strings.Cut(rest, ":")
		link := scheme + "://" + strings.TrimLeft(rest, "/")
		if u.RawQuery != "" {
			link += "?" + u.RawQuery
		}
		if isMarked {
			link, _, _ = strings.Cut(link, "__;")
		}
		return link
	}
	for part := range strings.SplitSeq(path, "/") {
		if link := encodedLink(part); link != "" {
			return link
		}
	}
	return ""
}

// encodedLink returns the link that a part of another is: as it is, percent-encoded up to three
// times, or in base64url.
func encodedLink(part string) string {
	part = guarded().ReplaceAllStringFunc(part, unguardLink)
	for range 3 {
		if webAddress().MatchString(part) {
			return part
		}
		decoded, err := url.PathUnescape(part)
		if err != nil || decoded == part {
			break
		}
		part = decoded
	}
	if webAddress().MatchString(part) {
		return part
	}
	if strings.HasPrefix(part, "aHR0c") { // "http" in base64
		part = strings.NewReplacer("+", "-", "/", "_").Replace(strings.TrimRight(part, "="))
		if decoded, err := base64.RawURLEncoding.DecodeString(part); err == nil && webAddress().Match(decoded) {
			return string(decoded)
		}
	}
	return ""
}

// unguardLink returns a link that a guard of mails has encoded, with "-" for "%" and "_" for "/".
func unguardLink(part string) string { return strings.NewReplacer("-", "%", "_", "/").Replace(part) }

// withoutTracking returns a query without the parameters that tell apart readers, mails and
// searches, but no listings.
func withoutTracking(query string) string {
	var kept []string
	for parameter := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(parameter, "=")
		if decoded, err := url.QueryUnescape(name); err == nil {
			name = decoded
		}
		if parameter != "" && !tracking().MatchString(name) {
			kept = append(kept, parameter)
		}
	}
	return strings.Join(kept, "&")
}

// linkHost returns the host of a link as links are compared by it, or "" if the text is not an http or
// https URL.
func linkHost(link string) string {
	u := parseLink(unwrapLink(link))
	if u == nil {
		return ""
	}
	return hostOf(u)
}

func hostOf(u *url.URL) string {
	host := strings.ToLower(u.Host)
	host = strings.TrimSuffix(strings.TrimSuffix(host, ":443"), ":80")
	return mirrorHost().ReplaceAllString(strings.TrimSuffix(host, "."), "")
}

// linkKey returns what links to one listing have in common, or "" if the text is not an http or https
// URL: the host without its mirror, the path, and the query unless the path has a number or a
// UUID.
func linkKey(link string) string {
	u := parseLink(unwrapLink(link))
	if u == nil {
		return ""
	}
	path := u.EscapedPath()
	if u.Fragment != "" {
		path += "#" + u.EscapedFragment()
	}
	key := hostOf(u) + strings.TrimRight(path, "/")
	if u.RawQuery != "" && !numbered().MatchString(path) {
		key += "?" + u.RawQuery
	}
	return key
}

// linkID returns the id of a listing that is known by its link, or "" if the text is not an http or
// https URL.
func linkID(link string) string {
	key := linkKey(link)
	if key == "" {
		return ""
	}
	return hashedID(key, linkHost(link))
}

// hashedID returns the id of a listing that has none of its own: made of what identifies it, and
// of the site that it is from.
func hashedID(identity, site string) string {
	sum := sha256.Sum256([]byte(identity))
	return hex.EncodeToString(sum[:8]) + "@" + site
}

// isOpaque reports whether an unwrapped link says nothing about the listing it leads to, because
// it is that of a mailer, which differs from mail to mail.
func isOpaque(link string) bool {
	u := parseLink(link)
	if u == nil {
		return false
	}
	if mailer().MatchString(strings.ToLower(u.Host)) {
		return true
	}
	for _, run := range alphanumeric().FindAllString(link, -1) {
		kinds := 0
		for _, kind := range []string{"abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"} {
			if strings.ContainsAny(run, kind) {
				kinds++
			}
		}
		if kinds == 3 || kinds == 2 && len(run) >= 25 {
			return true
		}
	}
	return false
}

// linksOf returns the links in the JSON of urls (see readLinks).
func linksOf(urls json.RawMessage) []string {
	links, _ := readLinks(urls)
	return links
}

// linkMembers are the members of an object that have its link, whatever else it has. The first one counts.
var linkMembers = strings.Fields("url link href @id uri html web canonical alternate self")

// readLinks returns the links in a JSON text: a text, or a list or an object of links. It reports whether
// the text holds nothing else.
func readLinks(text json.RawMessage) (links []string, onlyLinks bool) {
	if len(text) == 0 || strings.IndexByte(`"[{`, text[0]) < 0 {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // any number is one, however large
	var v any
	d.Decode(&v) // a text that is not JSON has no links
	r := linkCollector{}
	r.read(v)
	return r.links, len(r.links) > 0 && !r.hasOther
}

// A linkCollector collects the links in a JSON value.
type linkCollector struct {
	links    []string
	hasOther bool // texts that are not links, numbers and other values
}

func (r *linkCollector) read(v any) {
	switch v := v.(type) {
	case nil:
	case string:
		for _, link := range splitLinks(v) {
			if webAddress().MatchString(link) {
				r.links = append(r.links, link)
			} else {
				r.hasOther = true
			}
		}
	case []any:
		for _, element := range v {
			r.read(element)
		}
	case map[string]any:
		r.readObject(v)
	default:
		r.hasOther = true
	}
}

func (r *linkCollector) readObject(object map[string]any) {
	for _, name := range linkMembers {
		before := len(r.links)
		r.read(object[name])
		delete(object, name)
		if len(r.links) > before {
			maps.DeleteFunc(object, func(_ string, v any) bool { return v == nil })
			r.hasOther = r.hasOther || len(object) > 0
			return
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		r.read(object[name])
	}
}

// markedLinks returns the links in brackets or quotes: <https://…>, [title](https://…), href="https://…".
func markedLinks(text string) (links []string) {
	for {
		before, after, _ := strings.Cut(text, "://")
		end := strings.IndexAny(after, " \t\r\n\f\v<>\"'()[]")
		if end < 0 {
			return links
		}
		scheme := before[strings.LastIndexAny(before, `<("'[`)+1:]
		isLink := strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")
		if isLink && len(scheme) < len(before) && end > 0 && strings.IndexByte(`>)"']`, after[end]) >= 0 {
			links = append(links, scheme+"://"+after[:end])
		}
		text = after[end:] // none begins before, because what opens one also ends one
	}
}

// splitLinks returns the links in a text, which commas or white space separate. A comma or a space
// that no other link follows is part of a link. If links are in brackets or quotes, only these are.
func splitLinks(text string) (links []string) {
	text = strings.ReplaceAll(strings.TrimSpace(text), "&amp;", "&")
	if !beginsLink(text) {
		if links = markedLinks(text); links != nil {
			return links
		}
	}
	start := 0
	add := func(end int) {
		if link := strings.TrimRight(text[start:end], ", \t\r\n"); link != "" {
			links = append(links, completeLink(link))
		}
	}
	wasSeparator := false
	for i := range len(text) {
		isSeparator := strings.IndexByte(", \t\r\n", text[i]) >= 0
		if wasSeparator && !isSeparator && beginsLink(text[i:]) {
			add(i)
			start = i
		}
		wasSeparator = isSeparator
	}
	add(len(text))
	return links
}

// linkStarts are the beginnings of links in a text with several.
var linkStarts = []string{"http://", "https://", "//", "www.", "data:image/"}

func beginsLink(text string) bool {
	start := strings.ToLower(text[:min(len(text), 12)])
	return slices.ContainsFunc(linkStarts, func(s string) bool { return strings.HasPrefix(start, s) })
}

// completeLink adds the scheme to a link without one.
func completeLink(link string) string {
	start := strings.ToLower(link[:min(len(link), len("www."))])
	switch {
	case strings.HasPrefix(start, "//"):
		return "https:" + link
	case strings.HasPrefix(start, "www."):
		return "https://" + link
	}
	return link
}
