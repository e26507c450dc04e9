// Links: unwrapped from the links of mailers, compared by their keys, and ids made of them.

package listing

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// maxLinkLength is the number of bytes that a link may have. A longer one is not read.
const maxLinkLength = 16 << 10

// maxWrappings is how many nested links are unwrapped.
const maxWrappings = 5

const uuid = `(?i:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})`

var (
	webAddress = newPattern(`(?i)^https?://[^/?#\s]`)
	innerLink  = newPattern(`(?i)/(?:__)?https?:/{1,2}[^/]`) // in a path, where guards of mails mark it
	mirrorHost = newPattern(`^(?:www|m|mobile)\.`)
	pageRoute  = newPattern(`^[/!][^?]*\w`) // a fragment that names the listing: "/expose/7"
	// The number of a listing has five digits or more, but five may be a postal code. wholeNumber matches a whole part.
	anyNumber   = newPattern(`[0-9]{5}|` + uuid)
	longNumbers = newPattern(`[0-9]{6,}|` + uuid)
	wholeNumber = newPattern(`^(?:[A-Za-z]{0,3}[0-9]{5,}(?:\.[a-z]+)?|` + uuid + `)$`)
	fiveAtEnd   = newPattern(`[0-9]{5}(?:\.[A-Za-z]+)?$`)
	dateNumber  = newPattern(`^(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])$`)
	// mailerHost matches the hosts, and redirectorPath the paths, of links that lead to other links.
	mailerHost = newPattern(`^(?:clicks?|clic|clk|links?|lnk|track|tracking|trk|t|e|em|email|mailer|mailing|` +
		`go|r|ct|c|redirect|url)[0-9]*\.`)
	redirectorPath = newPattern(`(?i)/(?:clicks?|clic|clk|links?|lnk|track|tracking|trk|mailer|mailing|redirect|` +
		`redir|url|out)(?:\.[a-z]+)?(?:/|$)`)
	// targetName has names of parameters with the target of a redirector, and sideName those with other links on the page
	// of a listing: back to the results, a photo.
	targetName = newPattern(`(?i)^(?:u|a|l|q|to|ued|ur[il]|link|href|goto|dest.*|target.*|redirect.*|deep_?link)$`)
	sideName   = newPattern(`(?i)back|return|^ref|origin|source|from|` +
		`prev|cancel|search|list|result|image|img|photo|pic|share`)
	guarded      = newPattern(`(?i)^https?-3A__[^/?#\s]+$`) // a link as guards of mails encode it
	alphanumeric = newPattern(`[0-9A-Za-z]{16,}`)           // a run that may be a token
)

// Words for one home on the page of a building, or of somebody who offers several homes.
const (
	linkUnit  = `unit|we|wohnung|apartment|apt|flat|lot|plot|room|zimmer|listing` // in a path or a parameter
	pathUnit  = linkUnit + `|einheit|objekt`
	queryUnit = linkUnit + `|expose|estate|obj(?:e[ck]t)?`
)

// Names of parameters. One name may match several of these patterns:
//   - withoutTracking drops a trackingName before the others are asked;
//   - tellingParameters passes over a displayName, whatever else the name matches;
//   - numberInQuery asks for an idName that is no otherName: "user_id" and even "id" are both.
var (
	// trackingName matches names that tell apart readers, mails and searches, but not listings.
	trackingName = newPattern(`(?i)^(?:utm_.*|fbclid|gclid|msclkid|mc_[ce]id|mkt_tok|_hs.*|rtoken|trk.*|` +
		`xtor|at_.*|cmp|channel|referrer|navigation.*|search_?id|saved_?search_?id|searchtype|(?:e?mail)_?id)$`)
	// displayName matches names that say how a page shows a listing.
	displayName = newPattern(`(?i)` +
		`days$|view$|` + // streetview
		`^conta[ck]t|` + // contactForm
		`^(?:page|pos|position|sort|order|lang|locale|tab|src|source|from|campaign)$`)
	// idName matches names that tell listings apart.
	idName = newPattern(`(?i)` +
		`id$|nummer$|` + // adId, kennnummer
		`^(?:n[ro]|num|number|ad|ref|code|key)$|` +
		`^(?:obj|expose|estate|listing|unit|flat|wohnung|property|immo|item)`) // objekt_nr
	// unitName matches names that tell apart homes on the page of a building, or of somebody who offers several: "flat",
	// "unit_no".
	unitName = newPattern(`(?i)^(?:` + queryUnit + `)(?:[-_]?(?:id|n[ro]|number|nummer))?$`)
	// otherName matches names with the numbers of those who offer homes, of readers, searches and mails.
	otherName = newPattern(`(?i)` +
		`^(?:u|s|sess?|session|visitor|c|mail)?_?id$|` + // id, uid, visitor_id
		`agen|makler|broker|anbieter|user|kunde|customer|client|seller|` + // agentur, user_no
		`such|search|alert|campaign|session|mail|letter|track|member|person|contact|device`) // suchauftrag
)

// IsWebLink reports whether a text begins as an http or https URL does. The URL need not be valid.
func IsWebLink(text string) bool { return webAddress().MatchString(text) }

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

// unwrapLink returns the link to which the links of mailers and redirectors lead, without tracking parameters, and
// without a fragment that names no listing. It returns a text that is no http or https URL as it is.
func unwrapLink(link string) string {
	link = strings.TrimSpace(link)
	u := parseLink(link)
	if u == nil {
		return link
	}
	u = unwrapped(u, maxWrappings)
	u.RawQuery = withoutTracking(u.RawQuery)
	u.ForceQuery = false
	if !pageRoute().MatchString(u.Fragment) {
		u.Fragment, u.RawFragment = "", ""
	}
	return u.String()
}

// unwrapped returns the link that a link wraps, if leadsToInner tells that it does. Otherwise it returns the link
// without the links that it holds, such as the way back. Two kinds of these stay, because nothing else may tell
// listings apart: one in the path, if the rest is of another site or has no number, and a target in a parameter, if the
// link has no number. levels is how many nested links it unwraps at most.
func unwrapped(u *url.URL, levels int) *url.URL {
	if levels == 0 {
		return u
	}
	outer, inPath := cutPathLink(u)
	if inner := parseLink(inPath); inner != nil {
		inner = unwrapped(inner, levels-1)
		w := wrapping{outer, inner, ""}
		if w.leadsToInner() {
			return inner
		}
		if !w.isOneSite() || numberRank(outer) == noNumber {
			return u
		}
		u = outer // a page of a listing that holds a link of its site
	}
	var kept []string // parameters
	var best *url.URL
	for parameter := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(parameter, "=")
		inner := parseLink(encodedLink(value))
		if inner == nil {
			kept = append(kept, parameter)
			continue
		}
		inner = unwrapped(inner, levels-1)
		w := wrapping{u, inner, name}
		switch {
		case w.leadsToInner():
			if best == nil || numberRank(inner) > numberRank(best) {
				best = inner
			}
		case targetName().MatchString(name) && numberRank(u) == noNumber:
			kept = append(kept, parameter)
		default: // the parameter is left out
		}
	}
	if best != nil {
		return best
	}
	without := *u
	without.RawQuery = strings.Join(kept, "&")
	return &without
}

// cutPathLink returns a link without the link in its path, and that inner link, or "". The query goes with an inner
// link that is not encoded.
func cutPathLink(u *url.URL) (outer *url.URL, link string) {
	path := u.EscapedPath()
	cut := *u
	setPath := func(path string) {
		cut.Path, _ = url.PathUnescape(path) // no error: it is part of a path
		cut.RawPath = path
	}
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
		setPath(path[:at[0]])
		cut.RawQuery = ""
		return &cut, link
	}
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if link := encodedLink(part); link != "" {
			setPath(strings.Join(parts[:i], "/"))
			return &cut, link
		}
	}
	return u, ""
}

// A wrapping is a link and another one that it holds: in a parameter, or in its path if name is "".
type wrapping struct {
	outer, inner *url.URL
	name         string // of the parameter
}

// leadsToInner reports whether the inner link is the one that is meant, because the outer one only leads to it. Pages
// of listings hold links, too: the way back to the results, a photo, what to share. A page of a listing has a number of
// its own, and a redirector has none. Where both links have a number, the name of the parameter decides.
func (w wrapping) leadsToInner() bool {
	outer, inner := numberRank(w.outer), numberRank(w.inner)
	isOneSite := w.isOneSite()
	isSide := sideName().MatchString(w.name)
	isTarget := w.name == "" || targetName().MatchString(w.name)
	switch {
	case isOfMailer(w.outer) && !isSide:
		return !isOneSite || outer < listingNumber || inner == listingNumber
	case isOneSite:
		return isTarget && inner > outer
	case outer == noNumber:
		return true
	case isTarget:
		return inner >= outer || outer == someDigits
	}
	return inner > outer && !isSide
}

// isOfMailer reports whether a link belongs to a mailer or a redirector. Its numbers may identify readers and mails.
func isOfMailer(u *url.URL) bool {
	return mailerHost().MatchString(strings.ToLower(u.Host)) || redirectorPath().MatchString(u.Path)
}

// isOneSite reports whether both links have one host.
func (w wrapping) isOneSite() bool { return hostOf(w.outer) == hostOf(w.inner) }

// What the digits of a link are, in the order of how likely it leads to a listing.
const (
	noNumber = iota
	someDigits
	listingNumber
)

// numberRank returns what the digits in the path and the query of a link are. A whole part counts even if it may be a
// postal code or a date. Links in it and tokens do not count.
func numberRank(u *url.URL) (rank int) {
	for part := range strings.SplitSeq(u.Path, "/") {
		switch {
		case hasRandomRun(part):
		case hasListingNumber(part) || wholeNumber().MatchString(part):
			return listingNumber
		case strings.ContainsAny(part, "0123456789"):
			rank = someDigits
		}
	}
	for parameter := range strings.SplitSeq(withoutTracking(u.RawQuery), "&") {
		_, value, _ := strings.Cut(parameter, "=")
		switch {
		case encodedLink(value) != "" || hasRandomRun(value):
		case wholeNumber().MatchString(value):
			return listingNumber
		case strings.ContainsAny(value, "0123456789"):
			rank = someDigits
		}
	}
	return rank
}

// hasListingNumber reports whether a part of a path has a number that is no postal code and no date, or a UUID.
func hasListingNumber(part string) bool {
	for _, number := range longNumbers().FindAllString(part, -1) {
		if !dateNumber().MatchString(number) {
			return true
		}
	}
	return false
}

// encodedLink returns the link in a part of another link, or "": plain, percent-encoded up to three times, in
// base64url, or in a token.
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
	const httpInBase64 = "aHR0c"
	if strings.HasPrefix(part, httpInBase64) {
		part = strings.NewReplacer("+", "-", "/", "_").Replace(strings.TrimRight(part, "="))
		if decoded, err := base64.RawURLEncoding.DecodeString(part); err == nil && webAddress().Match(decoded) {
			return string(decoded)
		}
	}
	return linkInToken(part)
}

// linkInToken returns the link in an object of JSON in base64url, such as the second part of a JSON Web Token. Of
// several it returns the one that most likely has the number of a listing. It returns "" if there is none.
func linkInToken(token string) (best string) {
	rank := -1
	for part := range strings.SplitSeq(token, ".") {
		if !strings.HasPrefix(part, "eyJ") { // {" in base64
			continue
		}
		decoded, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(part, "="))
		var object map[string]any
		if err != nil || json.Unmarshal(decoded, &object) != nil {
			continue
		}
		r := linkCollector{}
		r.read(object)
		for _, link := range r.links {
			if u := parseLink(link); u != nil && numberRank(u) > rank {
				best, rank = link, numberRank(u)
			}
		}
	}
	return best
}

// unguardLink returns a link that a guard of mails has encoded, with "-" for "%" and "_" for "/".
func unguardLink(part string) string { return strings.NewReplacer("-", "%", "_", "/").Replace(part) }

// withoutTracking returns a query without tracking parameters.
func withoutTracking(query string) string {
	var kept []string
	for parameter := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(parameter, "=")
		if decoded, err := url.QueryUnescape(name); err == nil {
			name = decoded
		}
		if parameter != "" && !trackingName().MatchString(name) {
			kept = append(kept, parameter)
		}
	}
	return strings.Join(kept, "&")
}

// LinkHost returns the host by which links are compared, without a prefix such as "www.", or "" if the text is not an
// http or https URL.
func LinkHost(link string) string {
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

// LinkKey returns what links to one listing have in common, or "" if the text is not an http or https URL: the host, as
// LinkHost returns it, the path, the fragment, and the parameters that may tell listings apart.
func LinkKey(link string) string {
	u := parseLink(unwrapLink(link))
	if u == nil {
		return ""
	}
	return keyOf(u)
}

// keyOf returns the key of an unwrapped link.
func keyOf(u *url.URL) string {
	path := u.EscapedPath()
	if u.Fragment != "" {
		path += "#" + u.EscapedFragment()
	}
	path = strings.TrimRight(path, "/")
	key := hostOf(u) + path
	if query := tellingQuery(path, u.RawQuery); query != "" {
		key += "?" + query
	}
	return key
}

// tellingQuery returns the parameters of a query that may tell apart listings with one path, which depend on the path:
//   - without a number: all;
//   - with the number of a listing at its end: the unit of a building;
//   - with five digits at its end, which may be a postal code: an id;
//   - with another number, which may name a customer: all that do not say how a page is shown.
func tellingQuery(path, query string) string {
	if query == "" || !anyNumber().MatchString(path) {
		return query
	}
	last := path[strings.LastIndexByte(path, '/')+1:]
	isTelling := func(name string) bool { return !displayName().MatchString(name) }
	switch {
	case hasListingNumber(last):
		isTelling = unitName().MatchString
	case fiveAtEnd().MatchString(last):
		isTelling = idName().MatchString
	}
	var kept []string
	for parameter := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(parameter, "=")
		if value != "" && isTelling(name) {
			kept = append(kept, parameter)
		}
	}
	return strings.Join(kept, "&")
}

// linkShape returns the host, the first folder and the number of folders below it of a link's key: what the links to
// the listings of one site have in common.
func linkShape(key string) string {
	path, _, _ := strings.Cut(key, "?")
	host, path, _ := strings.Cut(path, "/")
	folder, rest, ok := strings.Cut(path, "/")
	if !ok {
		folder = ""
	}
	return fmt.Sprintf("%s/%s/%d", host, folder, strings.Count(rest, "/"))
}

// hasPath reports whether a link leads to more than the front page of a site.
func hasPath(link string) bool {
	u, err := url.Parse(link)
	return err == nil && (strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "")
}

// LinkID returns the id of a listing that has only its link, or "" if the text is not an http or https URL.
func LinkID(link string) string {
	key := LinkKey(link)
	if key == "" {
		return ""
	}
	return hashedID(key, LinkHost(link))
}

// hashedID returns the id of a listing that has none of its own: a hash of what identifies it, and its site.
func hashedID(identity, site string) string {
	sum := sha256.Sum256([]byte(identity))
	return hex.EncodeToString(sum[:8]) + "@" + site
}

// isOpaque reports whether an unwrapped link tells nothing about its listing, because it is the link of a mailer, which
// differs from mail to mail.
func isOpaque(link string) bool {
	u := parseLink(link)
	if u == nil {
		return false
	}
	return mailerHost().MatchString(strings.ToLower(u.Host)) || hasRandomRun(link)
}

// hasRandomRun reports whether a text has a run of letters and digits that looks random: with small letters, capitals
// and digits, or with two of these if it is long.
func hasRandomRun(text string) bool {
	for _, run := range alphanumeric().FindAllString(text, -1) {
		kinds := 0
		for _, kind := range []string{"abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"} {
			if strings.ContainsAny(run, kind) {
				kinds++
			}
		}
		const longestWord = 24 // letters of joined words, perhaps with a number; longer ones look random
		if kinds == 3 || kinds == 2 && len(run) > longestWord {
			return true
		}
	}
	return false
}

// LinksOf returns the links in a JSON text, as [ReadLinks] does, or nil if there are none.
func LinksOf(urls json.RawMessage) []string {
	links, _ := ReadLinks(urls)
	return links
}

// linkMembers are the members of an object that have its link, whatever else it has. The first one counts.
var linkMembers = strings.Fields("url link href @id uri html web canonical alternate self")

// ReadLinks returns the links in a JSON text: a text, or a list or an object of links. onlyLinks reports whether the
// text has links and nothing else.
func ReadLinks(text json.RawMessage) (links []string, onlyLinks bool) {
	if len(text) == 0 || strings.IndexByte(`"[{`, text[0]) < 0 {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // numbers of any size
	var v any
	d.Decode(&v) // on an error v stays nil, which has no links
	r := linkCollector{}
	r.read(v)
	return r.links, len(r.links) > 0 && !r.hasOther
}

// A linkCollector collects the links in a JSON value.
type linkCollector struct {
	links    []string
	hasOther bool // it has found something that is not a link
}

func (r *linkCollector) read(v any) {
	switch v := v.(type) {
	case nil:
	case string:
		for _, link := range SplitLinks(v) {
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

// readObject reads the first of linkMembers that has a link. If none has one, it reads all members.
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
		text = after[end:] // no link starts earlier: an opening bracket also ends the link before it
	}
}

// SplitLinks returns the links in a text, which commas or white space separate. A comma or a space that no other link
// follows is part of a link. If links stand in brackets or quotes, it returns only these.
func SplitLinks(text string) (links []string) {
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
	start := strings.ToLower(text[:min(len(text), len("data:image/"))]) // as long as the longest of linkStarts
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
