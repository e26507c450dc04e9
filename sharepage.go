// The pages of shared flats: the handlers of their links, and what such a page shows.

package main

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"flats/internal/listing"
	"flats/internal/turns"
)

const (
	maxSharedText   = 10_000 // characters of a text on a shared page
	maxSharedTitle  = 300    // characters of a title on a shared page, and of a place
	maxSharedFact   = 40     // characters of a short fact on a shared page
	maxSharedFacts  = 8      // short facts of a flat on a shared page
	maxSharedPlaces = 20     // travel times of a flat on a shared page
)

//go:embed web/share.tmpl
var shareTemplates string

// sharePages has the templates of shared pages, their style, and the policy that allows nothing but that style and
// images.
var sharePages = sync.OnceValue(func() (pages struct {
	*template.Template
	style  template.CSS
	policy string
}) {
	pages.Template = template.Must(template.New("").Parse(shareTemplates))
	var style strings.Builder
	pages.ExecuteTemplate(&style, "style", nil) // no error: a Builder never fails
	pages.style = template.CSS(style.String())
	hash := sha256.Sum256([]byte(style.String()))
	pages.policy = "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'; " +
		"img-src 'self' https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	return pages
})

// A shareAnswer is a share as the API lists it.
type shareAnswer struct {
	ID     string   `json:"id"`
	Title  string   `json:"title"`
	Until  string   `json:"until"`
	With   []string `json:"with"`
	Opened int      `json:"opened"`
}

func (s *server) getShares(w http.ResponseWriter, r *http.Request) error {
	answers := []shareAnswer{}
	for _, share := range s.shares.open() {
		until := share.Until.Format(time.RFC3339)
		answers = append(answers, shareAnswer{share.ID, share.Title, until, share.With, share.Opened})
	}
	return answerData(w, r, answers)
}

// postShare makes a share. Its link is in no later answer.
func (s *server) postShare(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(w, r, maxBody)
	if err != nil {
		return err
	}
	object, err := parseObject(body)
	if err != nil {
		return errorf(statusInvalid, "Invalid share provided: %v.", err)
	}
	share, token, err := s.shares.put(object, s.views, languageOf(r))
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "private, no-store")
	return write(w, r, http.StatusCreated, typeJSON, "", `{"data":`, encodeJSON(map[string]string{
		"id":    share.ID,
		"url":   strings.TrimSuffix(s.config.WebsiteURL, "/") + sharePath + token,
		"until": share.Until.Format(time.RFC3339),
	}), `}`)
}

func (s *server) deleteShare(w http.ResponseWriter, r *http.Request) error {
	if err := s.shares.remove(nameIn(r, "id")); err != nil {
		return err
	}
	return noContent(w, r)
}

// getShared answers everything below sharePath: the page that a token opens, and the kept photos on it.
func (s *server) getShared(w http.ResponseWriter, r *http.Request) error {
	token, rest, isDeeper := strings.Cut(r.PathValue("path"), "/")
	share, ok := s.shares.find(token)
	h := w.Header()
	h.Del(dataHeader) // it is for the page of the household
	h.Set("Cache-Control", "private, no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Content-Security-Policy", sharePages().policy)
	hash, isPhoto := strings.CutPrefix(rest, "photos/")
	switch {
	case ok && isDeeper && isPhoto:
		return s.getSharedPhoto(w, r, share, hash)
	case ok && !isDeeper:
		return s.writeShare(w, r, share, token)
	}
	return noShare(w, r)
}

// noShare answers a link that leads nowhere, whether it has ended or never was one.
func noShare(w http.ResponseWriter, r *http.Request) error {
	page := pageWordsOf(languageOf(r))
	w.Header().Set("Vary", "Origin, Accept, Accept-Language, Sec-Fetch-Mode")
	if !isNavigation(r) {
		body := encodeJSON(errorBody{"There is no such page, or not any more.", statusMissing, nil})
		return write(w, r, statusMissing, typeJSON, "", body)
	}
	return send(w, r, statusMissing, typeHTML, "", unknownLength, func(out *bufio.Writer) {
		pages := sharePages()
		head := sharedHead{page.language, page.texts["no_share"], page.texts["ask_again"], pages.style}
		pages.ExecuteTemplate(out, "head", head)
		pages.ExecuteTemplate(out, "foot", nil)
	})
}

// getSharedPhoto sends a kept photo if it is on the page of the share.
func (s *server) getSharedPhoto(w http.ResponseWriter, r *http.Request, share Share, hash string) error {
	work := turns.NewTask(r.Context(), s.store.turns)
	defer work.Pause()
	hasHash := func(p sharedPhoto) bool { return p.hash == hash }
	isOnPage := slices.ContainsFunc(s.sharedFlats(work, share), func(f *Flat) bool {
		work.Step(10 * len(f.KeptPhotos.photos)) // of a few nanoseconds each
		isKept := slices.ContainsFunc(f.KeptPhotos.photos, func(p keptPhoto) bool { return p.Hash == hash })
		return isKept && slices.ContainsFunc(sharedPhotos(f), hasHash)
	})
	work.Pause() // sending needs no turn
	if !isOnPage {
		return noShare(w, r)
	}
	err := s.sendPhoto(w, r, hash, "private, no-store")
	if errors.Is(err, fs.ErrNotExist) {
		return noShare(w, r)
	}
	return err
}

// writeShare writes the page of a share, and counts that it was opened.
func (s *server) writeShare(w http.ResponseWriter, r *http.Request, share Share, token string) error {
	if r.Method != http.MethodHead {
		s.shares.countOpening(share.ID)
	}
	work := turns.NewTask(r.Context(), s.store.turns)
	defer work.Pause()
	paced := &pacedWriter{w, work}
	return send(paced, r, http.StatusOK, typeHTML, "", unknownLength, func(out *bufio.Writer) {
		pages := sharePages()
		flats := s.sharedFlats(work, share)
		page := sharedPage{
			pageWords: pageWordsOf(share.Language),
			with:      share.With,
			zone:      s.config.Timezone,
			folder:    token + "/photos/",
		}
		note := page.count("n_flats", float64(len(flats))) + " · " +
			strings.ReplaceAll(page.texts["until"], "{date}", page.date(share.Until.In(page.timezone())))
		title := plainLine(share.Title, maxSharedTitle)
		pages.ExecuteTemplate(out, "head", sharedHead{page.language, title, note, pages.style})
		for _, f := range flats {
			pages.ExecuteTemplate(out, "flat", page.flat(f))
			work.Step(len(f.JSON()) + 20_000) // for the template, in steps of a few nanoseconds
		}
		pages.ExecuteTemplate(out, "foot", nil)
	})
}

// sharedFlats returns the flats of a share, without flats that are gone or have one of deadStatuses. A query that is
// not valid any more finds none.
func (s *server) sharedFlats(work *turns.Task, share Share) (flats []*Flat) {
	var found []*Flat
	if share.Query == nil {
		for _, id := range share.IDs {
			if f := s.store.Get(id); f != nil {
				found = append(found, f)
			}
		}
	} else if q, err := s.views.parse(*share.Query); err == nil {
		page, _ := s.store.Find(work, q) // no error: parse has checked the search
		found = page.records
	}
	for _, f := range found {
		work.Step(20)
		if len(flats) < maxSharedFlats && !f.Gone.Known() && !f.hasStatus(deadStatuses) {
			flats = append(flats, f)
		}
	}
	return flats
}

// A sharedHead has what the template head needs.
type sharedHead struct {
	Language, Title, Note string
	Style                 template.CSS
}

// A sharedFlat has what the template flat needs: all that a page shows of a flat, as text.
type sharedFlat struct {
	Title, PhotosLabel  string
	Photos              []sharedPhoto
	Cost                string
	Facts               []string
	Place               string
	Details, Times, Own []sharedPair // Own is what the household has added
	Text                string
	Link, LinkLabel     string
}

// A sharedPair is a value with its name.
type sharedPair struct{ Name, Value string }

// A sharedPhoto is a photo of a flat: its address, and its hash if it is kept.
type sharedPhoto struct {
	Source, Label string
	hash          string
}

// A sharedPage says how a page shows flats.
type sharedPage struct {
	pageWords
	with   []string // what else the page shows: see Share.With
	zone   *time.Location
	folder string // of the kept photos, in their addresses
}

func (p sharedPage) timezone() *time.Location { return cmp.Or(p.zone, time.Local) }

// flat returns what the page shows of a flat.
func (p sharedPage) flat(f *Flat) sharedFlat {
	shown := sharedFlat{
		Title:     cmp.Or(plainLine(f.Title.String(), maxSharedTitle), p.texts["untitled"]),
		Cost:      p.texts["no_price"],
		Place:     p.place(f),
		Details:   p.details(f),
		Times:     p.times(f),
		Text:      plainText(f.Text.String(), maxSharedText),
		Link:      outwardLink(f),
		LinkLabel: p.texts["open_listing"],
		Photos:    p.photos(f),
		Facts:     p.facts(f),
		Own:       p.own(f),
	}
	shown.PhotosLabel = p.texts["photos"] + ": " + shown.Title
	if f.Cost.number > 0 {
		shown.Cost = p.money(f, f.Cost.number)
	}
	return shown
}

// photos returns the photos of a flat with their labels. Kept photos come from the page's own folder.
func (p sharedPage) photos(f *Flat) []sharedPhoto {
	photos := sharedPhotos(f)
	for i, photo := range photos {
		if photo.hash != "" {
			photos[i].Source = p.folder + photo.hash
		}
		photos[i].Label = p.texts["photo"] + " " + strconv.Itoa(i+1)
	}
	return photos
}

const sharedDecimals = 1 // of areas and ratings, as on the household's page

// facts returns the facts that stand next to the cost of a flat, as far as they are known.
func (p sharedPage) facts(f *Flat) (facts []string) {
	if monthly := f.monthly(); !math.IsNaN(monthly) && monthly != f.Cost.number {
		facts = append(facts, strings.ReplaceAll(p.texts["all_in"], "{sum}", p.money(f, monthly)))
	}
	if f.Area.number > 0 {
		facts = append(facts, p.number(f.Area.number, sharedDecimals)+"\u00a0m²")
	}
	if f.Rooms.number > 0 {
		facts = append(facts, p.count("n_rooms", f.Rooms.number))
	}
	return facts
}

// own returns what the household has added to a flat, as far as the page shows it.
func (p sharedPage) own(f *Flat) (own []sharedPair) {
	add := func(extra, label, value string) {
		if slices.Contains(p.with, extra) && value != "" {
			own = append(own, sharedPair{label, value})
		}
	}
	if f.Notation.Known() {
		add("ratings", p.texts["notation"], "★ "+p.number(f.Notation.number, sharedDecimals))
	}
	if f.VisitDate.Known() {
		add("visit", p.texts["visit_date"], p.visit(f))
	}
	add("notes", p.texts["notes"], plainText(f.Notes.String(), maxSharedText))
	return own
}

// place returns where a flat is: its postal code, with the name of the code's place if that is known. It adds the
// location if the page shows streets.
func (p sharedPage) place(f *Flat) string {
	place := ""
	if entry := f.ServicePostalCode.entry; entry != nil {
		code := f.ServicePostalCode.String()
		place = plainLine(code+" "+entry.Name.String(), maxSharedTitle)
	} else if code := f.ServicePostalCode.String(); shortCode().MatchString(code) {
		place = code
	}
	if !slices.Contains(p.with, "street") {
		return place
	}
	location := plainLine(f.Location.String(), maxSharedTitle)
	if location == "" || place == "" || strings.Contains(location, place) {
		return cmp.Or(location, place)
	}
	return location + ", " + place
}

// shortCode matches what looks like a postal code, and not any text that a listing may have in its place.
var shortCode = newPattern(`^[\p{L}\d][\p{L}\d -]{1,9}$`)

// money returns an amount in the currency of a flat.
func (w pageWords) money(f *Flat, amount float64) string {
	currency := plainLine(f.currencyCode(), 10) // a code, or any text that a listing has in its place
	sign := cmp.Or(listing.CurrencySign(currency), currency)
	number := w.number(amount, 2)
	if _, cents, _ := strings.Cut(number, w.point); len(cents) == 1 {
		number += "0" // as in 800.50
	}
	hasSign := sign != currency
	isCode := !hasSign && len(currency) == len("EUR")
	switch {
	case w.language == "en" && hasSign: // £900
		return sign + number
	case w.language == "en" && isCode: // PLN 900
		return sign + "\u00a0" + number
	}
	return strings.TrimSpace(number + "\u00a0" + sign) // 900 £, or 900 if there is no currency
}

// details returns the short facts of a flat that the page has a name for. It leaves out contacts: phone numbers,
// addresses of mail and links.
func (p sharedPage) details(f *Flat) (pairs []sharedPair) {
	facts := map[string]json.RawMessage{}
	given := f.Details.members()
	for _, name := range slices.Sorted(maps.Keys(given)) {
		facts[plainName(name)] = given[name]
	}
	isShown := map[string]bool{} // by label: two names, such as lift and elevator, may have the same
	for _, name := range p.factNames {
		label := p.texts["detail_"+name]
		value := p.fact(f, name, facts[plainName(name)])
		if value == "" || isShown[label] || len(pairs) == maxSharedFacts {
			continue
		}
		isShown[label] = true
		pairs = append(pairs, sharedPair{label, value})
	}
	return pairs
}

// plainName returns the name of a fact without what sites write differently, such as yearBuilt and year_built.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// fact returns a short fact in words. It returns "" for a long text, and for what may be a contact.
func (p sharedPage) fact(f *Flat, name string, text json.RawMessage) string {
	switch number, isNumber := parseNumber(string(text)); {
	// Fewer count months, more may be the number of a phone.
	case isNumber && name == "deposit" && number >= 50 && number < 1e8:
		return p.money(f, number)
	case isNumber && math.Abs(number) < 1e4: // without a separator, because it may be a year
		return strings.Replace(strconv.FormatFloat(number, 'f', -1, 64), ".", p.point, 1)
	case isNumber && math.Abs(number) < 1e6:
		return p.number(number, 2)
	case isNumber: // a longer number may be one of a phone
		return ""
	case string(text) == "true":
		return p.texts["yes"]
	case string(text) == "false":
		return p.texts["no"]
	case len(text) == 0 || text[0] != '"':
		return ""
	}
	value := plainLine(unquote(string(text)), maxSharedFact+1)
	var at Datetime
	if at.setJSON(encodeJSON(value)) == nil {
		return p.date(at.shownIn(p.timezone()))
	}
	if len([]rune(value)) > maxSharedFact {
		return ""
	}
	if mayBeContact(value) {
		amount, currency, ok := listing.AmountIn("once", value, "")
		if ok && name == "deposit" && currency == f.currencyCode() { // "3.751,50 €"
			return p.money(f, amount)
		}
		return ""
	}
	return value
}

// mayBeContact reports whether a short text may hold a phone number, an address of mail or a link. A text with as many
// digits as a short phone number may hold one, unless the digits are a date.
func mayBeContact(text string) bool {
	text = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) { // nobody sees it
			return -1
		}
		return r
	}, text)
	digits := 0
	for _, r := range text {
		if unicode.IsNumber(r) { // unlike IsDigit, it includes ① and ²
			digits++
		}
	}
	const phoneDigits = 6 // "Tel 12 34 56"
	mayBePhone := digits >= phoneDigits && !datedText().MatchString(text)
	return mayBePhone || mailOrLink().MatchString(text)
}

// datedText matches a text whose only digits are those of a date. mailOrLink matches an at sign, also in brackets as
// "(at)", the beginning of a URL, and the name of a host: letters or digits, a dot, and letters.
var (
	datedText  = newPattern(`^\D*(\d{1,2}[./-]\d{1,2}[./-](19|20)\d\d|(19|20)\d\d-\d\d-\d\d)\D*$`)
	mailOrLink = newPattern(`(?i)[@＠﹫]|[(\[{ ](at|ät)[)\]} ]|://|www\.|\b(mailto|tel|https?|javascript|data):|` +
		`\pL[\pL\d-]*[.。．｡]\pL{2,}|\d{3,}[.。．｡]\pL{2,}`)
)

// times returns the travel times of a flat by the names of the places, the shortest first.
func (p sharedPage) times(f *Flat) (pairs []sharedPair) {
	var entries map[string]struct{ Estimated estimate }
	json.Unmarshal([]byte(f.ServiceTimeTo.JSON()), &entries) // what is not of this form has no estimate
	for _, to := range f.ServiceTimeTo.times {
		place := plainLine(to.place, maxSharedTitle)
		const longest = 1e6 // seconds: eleven days, so that the number is short
		if place == "" || to.seconds < 0 || to.seconds > longest || len(pairs) == maxSharedPlaces {
			continue
		}
		minutes := int(math.Round(to.seconds / 60))
		duration := strconv.Itoa(minutes) + "\u00a0min"
		if minutes >= 60 {
			duration = fmt.Sprintf("%d\u00a0h\u00a0%02d", minutes/60, minutes%60)
		}
		switch estimated := entries[to.place].Estimated; {
		case estimated.Over: // the real time is longer
			duration = ">\u00a0" + duration
		case slices.Contains([]string{"street", "postal_code", "place"}, estimated.Precision): // from no exact address
			duration = "≈\u00a0" + duration
		}
		pairs = append(pairs, sharedPair{place, duration})
	}
	return pairs
}

// visit returns when the visit of a flat is, in the timezone of the config.
func (p sharedPage) visit(f *Flat) string {
	at := f.VisitDate.shownIn(p.timezone())
	if !f.VisitDate.hasTime() {
		return p.date(at)
	}
	return p.date(at) + ", " + at.Format("15:04")
}

// outwardLink returns the first link of a flat that leads to a web site, or "".
func outwardLink(f *Flat) string {
	for _, link := range listing.LinksOf(json.RawMessage(f.URLs.JSON())) {
		u, err := url.Parse(link)
		if err == nil && isWebURL(u) && len(link) <= maxPhotoURL {
			return u.String()
		}
	}
	return ""
}

// isWebURL reports whether a URL leads to a web site.
func isWebURL(u *url.URL) bool {
	return (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

// sharedPhotos returns the photos of a flat that a page shows: the first of the listing, then kept ones that it no
// longer names. Photos that are not kept are loaded by https.
func sharedPhotos(f *Flat) (photos []sharedPhoto) {
	kept := map[string]string{} // hashes by address
	for _, p := range f.KeptPhotos.photos {
		kept[p.URL] = p.Hash
	}
	seen := map[string]bool{}
	add := func(link, hash string) {
		u, err := url.Parse(link)
		isPhoto := err == nil && isWebURL(u) && u.User == nil
		if seen[link] || len(photos) == maxFetched || len(link) > maxPhotoURL || !isPhoto {
			return
		}
		seen[link] = true
		u.Scheme = "https"
		photos = append(photos, sharedPhoto{Source: u.String(), hash: hash})
	}
	for _, link := range f.photoLinks() {
		add(link, kept[link])
	}
	for _, p := range f.KeptPhotos.photos {
		add(p.URL, p.Hash)
	}
	return photos
}

// plainText returns at most a number of characters of a text, without control characters other than line breaks and
// without characters that change the direction of the text.
func plainText(text string, most int) string {
	var b strings.Builder
	n := 0
	for i, r := range text { // a byte that is not UTF-8 becomes U+FFFD
		switch {
		case r == '\t':
			r = ' '
		case r == '\r' && !strings.HasPrefix(text[i:], "\r\n"), r == '\u0085', r == '\u2028', r == '\u2029':
			r = '\n' // the other characters that break a line
		case r != '\n' && unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			continue // also the \r of \r\n
		}
		if n == most {
			b.WriteString("…")
			break
		}
		b.WriteRune(r)
		n++
	}
	return strings.TrimSpace(b.String())
}

// plainLine is like plainText, but returns one line.
func plainLine(text string, most int) string {
	return strings.Join(strings.Fields(plainText(text, most)), " ")
}
