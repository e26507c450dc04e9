// Signing in: the page that asks for the password, the links that sign a device in, and the handlers of sessions.

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"math"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	sessionPath = "/api/v1/session"
	maxNext     = 2048 // bytes of the address to which signing in leads back
)

// site returns the address under which the service is reached. Its path ends in a slash.
func (s *server) site() *url.URL {
	site, _ := url.Parse(s.config.WebsiteURL) // no error: the config has checked it
	return site
}

// basePath returns the path of a website, which ends in a slash.
func basePath(site *url.URL) string { return strings.TrimSuffix(site.EscapedPath(), "/") + "/" }

// enter returns an error unless a request has a session, the password or a token.
func (s *server) enter(w http.ResponseWriter, r *http.Request, p *password) error {
	if s.hasSession(w, r) || s.hasToken(r) {
		return nil
	}
	if name, text, isGuess := r.BasicAuth(); isGuess {
		ok, wait := s.guesses.check(r, p, name, text)
		if ok {
			return nil
		}
		if wait > 0 {
			return tooManyGuesses(w, wait)
		}
	}
	if !isNavigation(r) && !s.isFromPage(r) {
		// Browsers keep a password for each realm of a host, and several services may be under one.
		realm := strings.TrimSpace("flats " + strings.Trim(s.site().EscapedPath(), "/"))
		w.Header().Set("WWW-Authenticate", `Basic realm="`+realm+`", charset="UTF-8"`)
	}
	return errorf(http.StatusUnauthorized, "The user name or the password is wrong or missing.")
}

func tooManyGuesses(w http.ResponseWriter, wait time.Duration) error {
	seconds := int64(math.Ceil(wait.Seconds()))
	w.Header().Set("Retry-After", strconv.FormatInt(seconds, 10))
	return errorf(http.StatusTooManyRequests, "Too many wrong passwords were tried: try again in %d s.", seconds)
}

// hasSession reports whether a request has the cookie of a session and may use it. After a week it sends the cookie
// again, but not with an answer that caches keep.
func (s *server) hasSession(w http.ResponseWriter, r *http.Request) bool {
	site := s.site()
	found, cookie, ok := s.access.sessionOf(sentCookies(r, site))
	if !ok || !mayUseSession(r, originOf(site)) {
		return false
	}
	isCached := strings.HasPrefix(r.URL.Path, "/api/v1/photos/")
	if s.access.touch(found, !isCached) {
		setCookie(w, site, cookie)
	}
	return true
}

// mayUseSession reports whether a request comes from the service's own pages, from the person at the browser, or from
// a link that the person has followed: browsers send cookies with requests of other ports and subdomains, too.
func mayUseSession(r *http.Request, website string) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "same-origin", "none":
		return true
	case "":
		return !isForeignPage(r, website)
	}
	navigates := r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
	isFollowedLink := navigates && r.Method == http.MethodGet
	return isFollowedLink
}

// isNavigation reports whether a person opens an address in a browser.
func isNavigation(r *http.Request) bool {
	for name := range r.Header {
		if strings.HasPrefix(name, "Sec-Fetch-") {
			return r.Header.Get("Sec-Fetch-Mode") == "navigate"
		}
	}
	first, _, _ := strings.Cut(r.Header.Get("Accept"), ",")
	first, _, _ = mime.ParseMediaType(first)
	return first == "text/html"
}

// isFromPage reports whether the page itself has probably sent a request. Over plain http browsers do not say where a
// request comes from.
func (s *server) isFromPage(r *http.Request) bool {
	if from := r.Header.Get("Sec-Fetch-Site"); from != "" {
		return from == "same-origin"
	}
	return r.Header.Get(dataHeader) != "" || len(r.CookiesNamed(cookieName(s.site()))) > 0
}

// needsNoPassword reports whether a request is for an invite or an open path, or signs in or out.
func needsNoPassword(r *http.Request) bool {
	if code, isJoin := strings.CutPrefix(r.URL.Path, joinPath); isJoin {
		return code != "" && !strings.Contains(code, "/")
	}
	if r.URL.Path == sessionPath {
		return r.Method == http.MethodPost || r.Method == http.MethodDelete
	}
	return isOpenPath(r.URL.Path)
}

// isOpenPath reports whether a path needs no password. It leads to a file of the program, so that a page whose user has
// been signed out can load what it needs to say so, or to a shared page, which is open to whoever has its token.
func isOpenPath(path string) bool {
	return path == "/sw.js" || path == "/manifest.webmanifest" || strings.HasPrefix(path, "/assets/") ||
		strings.HasPrefix(path, sharePath)
}

// forOwnPage returns a handler that no page of another origin may use, even if the config lets such pages use other
// handlers.
func (s *server) forOwnPage(serve handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		letSettingsChange(r) // the request changes no flat
		for _, name := range []string{"Origin", "Credentials", "Headers"} {
			w.Header().Del("Access-Control-Allow-" + name)
		}
		w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
		if isForeignPage(r, originOf(s.site())) {
			return errForeignPage
		}
		return serve(w, r)
	}
}

// postSession signs a device in: by the form of the sign-in page, or by JSON.
func (s *server) postSession(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(w, r, maxBody)
	if err != nil {
		return err
	}
	var given struct{ Password *string }
	next := "" // where the form leads
	isForm := !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{"))
	if isForm {
		form, err := url.ParseQuery(string(body))
		if err != nil || len(form["password"]) != 1 {
			return errorf(statusInvalid, "Invalid session provided: want a form or an object with one password.")
		}
		given.Password = &form["password"][0]
		next = s.landing(form.Get("next"))
	} else if _, err := parseObject(body); err != nil || json.Unmarshal(body, &given) != nil || given.Password == nil {
		return errorf(statusInvalid, "Invalid session provided: want an object with a text as password.")
	}
	p := s.access.password()
	if p == nil {
		return errorf(http.StatusConflict, "There is no password: everybody who reaches the service is in.")
	}
	ok, wait := s.guesses.check(r, p, p.username, *given.Password)
	if wait > 0 {
		err = tooManyGuesses(w, wait)
	} else if !ok {
		err = errorf(http.StatusUnauthorized, "The password is wrong.")
	}
	switch {
	case err != nil && isForm:
		return s.writeSignIn(w, r, s.statusErrorOf(r, err), next)
	case err != nil:
		return err
	}
	cookie, err := s.access.signIn(p, deviceName(r.UserAgent()), sentCookies(r, s.site()))
	if err != nil {
		return err
	}
	return s.answerSignIn(w, r, next, cookie)
}

// answerSignIn sends the cookie of a new session, and redirects to next unless that is "".
func (s *server) answerSignIn(w http.ResponseWriter, r *http.Request, next, cookie string) error {
	setCookie(w, s.site(), cookie)
	if next == "" {
		return noContent(w, r)
	}
	w.Header().Set("Location", next)
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

func (s *server) deleteSession(w http.ResponseWriter, r *http.Request) error {
	site := s.site()
	if err := s.access.signOut(sentCookies(r, site)); err != nil {
		return err
	}
	setCookie(w, site, "")
	return noContent(w, r)
}

// getSessions lists the devices that are signed in, the last used one first.
func (s *server) getSessions(w http.ResponseWriter, r *http.Request) error {
	type device struct {
		ID    string `json:"id"`
		Name  string `json:"name"`
		First string `json:"first"`
		Last  string `json:"last"`
		This  bool   `json:"this"`
	}
	zone := s.config.Timezone
	if zone == nil {
		zone = time.Local
	}
	this, _, _ := s.access.sessionOf(sentCookies(r, s.site()))
	sessions, now := s.access.list().Sessions, time.Now()
	slices.SortStableFunc(sessions, func(a, b session) int { return b.Last.Compare(a.Last) })
	list := []device{}
	for _, found := range sessions {
		if !found.hasEnded(now) {
			list = append(list, device{
				ID:    found.id(),
				Name:  found.Name,
				First: found.First.In(zone).Format(time.DateOnly),
				Last:  found.Last.In(zone).Format(time.DateOnly),
				This:  bytes.Equal(found.Hash, this.Hash),
			})
		}
	}
	return answerData(w, r, list)
}

// deleteDevice ends the session with an id, which may be the session of this device.
func (s *server) deleteDevice(w http.ResponseWriter, r *http.Request) error {
	this, _, _ := s.access.sessionOf(sentCookies(r, s.site())) // without a hash if there is none
	id := r.PathValue("id")
	if err := s.access.endSession(id); err != nil {
		return err
	}
	if len(this.Hash) > 0 && this.id() == id {
		setCookie(w, s.site(), "")
	}
	return noContent(w, r)
}

// putPassword sets the password.
func (s *server) putPassword(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(w, r, maxBody)
	if err != nil {
		return err
	}
	p := s.access.password()
	switch {
	case s.config.sample:
		return errorf(http.StatusConflict, "The sample has no password: it stores nothing.")
	case s.access.isFixed():
		return errorf(http.StatusConflict, "config.json or FLATS_PASSWORD has the password: change it there.")
	}
	var given struct{ Password, Old *string }
	object, err := parseObject(body)
	if err != nil || json.Unmarshal(body, &given) != nil || given.Password == nil {
		return errorf(statusInvalid, "Invalid password provided: want an object with texts as password and old.")
	}
	for name := range object {
		if name != "password" && name != "old" {
			return errorf(statusInvalid, "Invalid password provided: want an object with texts as password and old.")
		}
	}
	if err := checkPassword(*given.Password); err != nil {
		return invalidParameter("password", err)
	}
	hasSession := s.hasSession(w, r) // setPassword ends it
	if p != nil {
		if given.Old == nil {
			return errorf(http.StatusForbidden, "The old password is missing.")
		}
		ok, wait := s.guesses.check(r, p, p.username, *given.Old)
		switch {
		case wait > 0:
			return tooManyGuesses(w, wait)
		case !ok:
			return errorf(http.StatusForbidden, "The old password is wrong.")
		}
	}
	cookie, err := s.access.setPassword(p, *given.Password, deviceName(r.UserAgent()))
	if err != nil {
		return err
	}
	if hasSession || p == nil { // any other client sends the password with each request
		setCookie(w, s.site(), cookie)
	}
	return noContent(w, r)
}

// postInvite makes an invite, and answers with its link.
func (s *server) postInvite(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(w, r, maxBody)
	if err != nil {
		return err
	}
	p := s.access.password()
	if p == nil {
		return errorf(http.StatusConflict, "There is no password: everybody who reaches the service is in.")
	}
	var given struct{ Person *string }
	if len(bytes.TrimSpace(body)) > 0 {
		if _, err := parseObject(body); err != nil || json.Unmarshal(body, &given) != nil {
			return errorf(statusInvalid, "Invalid invite provided: want an object with a name as person.")
		}
	}
	person := ""
	if given.Person != nil {
		if person = *given.Person; !slices.Contains(s.config.People, person) {
			return errorf(statusInvalid, "Invalid person provided: must name one of the people in the config.")
		}
	}
	by := ""
	if this, _, ok := s.access.sessionOf(sentCookies(r, s.site())); ok {
		by = this.id()
	}
	code, until, err := s.access.invite(p, person, by)
	if err != nil {
		return err
	}
	address := strings.TrimSuffix(s.config.WebsiteURL, "/") + joinPath + code // whole, because another device opens it
	return write(w, r, http.StatusCreated, typeJSON, "", `{"data":`+encodeJSON(struct {
		URL   string    `json:"url"`
		Until time.Time `json:"until"`
	}{address, until})+`}`)
}

// getJoin shows the page of an invite. Only its button uses the invite up, since previews open links, too.
func (s *server) getJoin(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("X-Robots-Tag", "noindex")
	if s.access.isOpen() || !s.access.isInvited(r.PathValue("code")) {
		return s.noInvite(w, r)
	}
	// A path, so that the form is sent to the host that the browser has reached.
	action := strings.TrimSuffix(basePath(s.site()), "/") + joinPath + r.PathValue("code")
	return s.writeForm(w, r, http.StatusOK, signInForm{Action: action, IsJoin: true})
}

// postJoin signs a device in by an invite. It redirects to the page, with the person's name in the address.
func (s *server) postJoin(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("X-Robots-Tag", "noindex")
	if s.access.isOpen() {
		return s.noInvite(w, r)
	}
	cookie, person, err := s.access.join(r.PathValue("code"), deviceName(r.UserAgent()), sentCookies(r, s.site()))
	if err == errNoInvite {
		return s.noInvite(w, r)
	}
	if err != nil {
		return err
	}
	next := basePath(s.site())
	if slices.Contains(s.config.People, person) {
		next += "?person=" + url.QueryEscape(person)
	}
	return s.answerSignIn(w, r, next, cookie)
}

// noInvite answers an invite that cannot be used, whatever the reason.
func (s *server) noInvite(w http.ResponseWriter, r *http.Request) error {
	if isNavigation(r) {
		return s.writeForm(w, r, http.StatusNotFound, signInForm{HasEnded: true})
	}
	return errNoInvite
}

// landing returns where signing in leads: to an address of this service that a form names, or to the page.
func (s *server) landing(next string) string {
	base := basePath(s.site())
	next, hash, hasHash := strings.Cut(next, "#")
	isOdd := func(c rune) bool { return c <= ' ' || c > '~' || c == '\\' } // browsers take \ for /
	u, err := url.Parse(next)
	if err != nil || strings.ContainsFunc(next+hash, isOdd) || len(next)+len(hash) > maxNext {
		return base
	}
	next = u.EscapedPath()
	isElsewhere := u.Scheme != "" || u.Host != "" || u.Opaque != "" || !strings.HasPrefix(next, base)
	if isElsewhere || !isPlainPath(u.Path) {
		return base
	}
	rest := "/" + next[len(base):]
	isForSigningIn := rest == sessionPath || strings.HasPrefix(rest, joinPath) // of no use once signed in
	if isForSigningIn {
		return base
	}
	if query := withoutParameter(u.RawQuery, "sign-in"); query != "" { // it would show the form again
		next += "?" + query
	}
	if hasHash {
		next += "#" + hash
	}
	return next
}

// isPlainPath reports whether browsers open a path as it is. They would resolve .. in it, and take what follows //
// for a host.
func isPlainPath(p string) bool {
	return strings.TrimSuffix(p, "/") == strings.TrimSuffix(path.Clean(p), "/") && !strings.Contains(p, "//")
}

// withoutParameter returns a query string without the parameters of a name.
func withoutParameter(query, name string) string {
	parameters := slices.DeleteFunc(strings.Split(query, "&"), func(parameter string) bool {
		given, _, _ := strings.Cut(parameter, "=")
		return given == name
	})
	return strings.Join(parameters, "&")
}

// writeRefused answers a navigation without the right password with the page that asks for it.
func (s *server) writeRefused(w http.ResponseWriter, r *http.Request, err *statusError) error {
	base := basePath(s.site())
	next := base
	if r.Method == http.MethodGet {
		opened := r.URL.EscapedPath() + "?" + r.URL.RawQuery
		if !strings.HasPrefix(opened, base) { // underWebsite or a proxy has stripped the base
			opened = strings.TrimSuffix(base, "/") + opened
		}
		next = s.landing(opened)
	}
	if err.status == http.StatusUnauthorized {
		err = nil // nobody has typed anything here yet
	}
	return s.writeSignIn(w, r, err, next)
}

// writeSignIn writes the page that asks for the password. The page says what was wrong, and leads to next once the
// device is signed in.
func (s *server) writeSignIn(w http.ResponseWriter, r *http.Request, err *statusError, next string) error {
	form := signInForm{Action: strings.TrimSuffix(basePath(s.site()), "/") + sessionPath, Next: next}
	status := http.StatusUnauthorized
	if err != nil {
		status = err.status
		form.IsWrong = true
		form.Wait = w.Header().Get("Retry-After")
	}
	if status == http.StatusUnauthorized && s.cannotSignInHere(r) {
		form = signInForm{Elsewhere: strings.TrimSuffix(s.config.WebsiteURL, "/") + "/"}
	}
	return s.writeForm(w, r, status, form)
}

// cannotSignInHere reports whether nobody can sign in at the address that was opened. That is so for http at another
// host or port than the website's if the website has https: browsers would not send the cookie to such an address.
//
// A proxy may not tell the service that a page was opened by https. To get the form even then, the link to the website
// has ?sign-in, with which cannotSignInHere returns false.
func (s *server) cannotSignInHere(r *http.Request) bool {
	site := s.site()
	isHTTPS := r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https"
	isOverHTTP := site.Scheme == "https" && !isHTTPS
	isFromLink := withoutParameter(r.URL.RawQuery, "sign-in") != r.URL.RawQuery
	if !isOverHTTP || isFromLink || r.Method != http.MethodGet {
		return false
	}
	at := &url.URL{Host: r.Host}
	isOtherHost := !strings.EqualFold(at.Hostname(), site.Hostname())
	isOtherPort := at.Port() != "" && at.Port() != site.Port()
	return isOtherHost || isOtherPort
}

// A signInForm fills the template of the password page and of the invite page.
type signInForm struct {
	Language, Action, Next string
	IsWrong                bool
	Wait                   string // seconds until the next password may be tried, or ""
	Elsewhere              string // the website, if it is the only place to sign in, or ""
	IsJoin                 bool   // the page of an invite, with a button in the place of the password
	HasEnded               bool   // the page of an invite that was used or has expired
	Words                  map[string]string
	Mark                   template.HTML
	Style                  template.CSS
	Script                 template.JS
}

// signInWords are the texts of the sign-in page, by language.
var signInWords = map[string]map[string]string{
	"en": {
		"title": "Sign in", "password": "Password", "sign_in": "Sign in", "wrong": "This password is wrong.",
		"wait": "Too many wrong passwords were tried. Try again in", "seconds": "seconds.",
		"elsewhere": "Signing in works at this address only:",
		"join":      "This link signs this device in. It works once.", "sign_device_in": "Sign this device in",
		"ended": "This link has been used, or has ended. Ask for another one.",
	},
	"de": {
		"title": "Anmelden", "password": "Passwort", "sign_in": "Anmelden", "wrong": "Dieses Passwort ist falsch.",
		"wait": "Es wurden zu viele falsche Passwörter versucht. Versuchen Sie es wieder in", "seconds": "Sekunden.",
		"elsewhere": "Anmelden geht nur unter dieser Adresse:",
		"join":      "Dieser Link meldet dieses Gerät an. Er gilt einmal.", "sign_device_in": "Dieses Gerät anmelden",
		"ended": "Dieser Link wurde schon benutzt oder ist abgelaufen. Lassen Sie sich einen neuen geben.",
	},
	"fr": {
		"title": "Connexion", "password": "Mot de passe", "sign_in": "Se connecter", "wrong": "Ce mot de passe est faux.",
		"wait": "Trop de mots de passe faux ont été essayés. Réessayez dans", "seconds": "secondes.",
		"elsewhere": "On se connecte seulement à cette adresse :",
		"join":      "Ce lien connecte cet appareil. Il sert une seule fois.", "sign_device_in": "Connecter cet appareil",
		"ended": "Ce lien a déjà servi ou a expiré. Demandez-en un autre.",
	},
}

// hashScript is a script of the sign-in page. Browsers do not send what follows # in an address to a service. So the
// script adds this part to the address that the form opens after signing in. Without the script the form works, too.
const hashScript = `let n = document.forms[0].next; if (location.hash) n.value = n.value.split("#")[0] + location.hash`

const signInStyle = `
* {box-sizing: border-box; margin: 0}
body {min-height: 100vh; display: grid; place-content: center; padding: var(--l)}
main {display: grid; gap: var(--l); width: min(320px, 100vw - 32px); overflow-wrap: anywhere}
h1 {display: flex; align-items: center; gap: var(--m); font-size: var(--title)}
h1 svg {width: 44px; height: 44px; border-radius: var(--rounder)}
form {display: grid; gap: var(--s)}
label {color: var(--soft)}
a {color: var(--accent); display: inline-block; padding-block: 12px}
input, button {min-height: 44px; padding: var(--xs) var(--m); border-radius: var(--round); font: inherit; width: 100%}
input {border: 1px solid var(--edge); color: var(--ink); background: var(--card); font-size: 16px}
button {
	border: 1px solid var(--accent); background: var(--accent); color: var(--on); font-weight: 600; cursor: pointer;
	margin-top: var(--s);
}
:focus-visible {outline: 2px solid var(--accent); outline-offset: 1px}
.name {position: absolute; width: 1px; height: 1px; min-height: 0; padding: 0; border: 0; clip-path: inset(50%)}
#wrong {color: var(--warn)}
[aria-invalid] {border-color: var(--warn)}
`

var signInPage = template.Must(template.New("sign in").Parse(`<!doctype html>
<html lang="{{.Language}}">
<meta charset="utf-8">
<title>{{.Words.title}} · Flats</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f5f5f2" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0f1113" media="(prefers-color-scheme: dark)">
<link rel="icon" href="data:,">
<style>{{.Style}}</style>
<main>
<h1>{{.Mark}} Flats</h1>
{{if .HasEnded}}<p>{{.Words.ended}}</p>
{{else if .Elsewhere}}<p>{{.Words.elsewhere}} <a href="{{.Elsewhere}}?sign-in">{{.Elsewhere}}</a></p>
{{else if .IsJoin}}<form method="post" action="{{.Action}}">
<p>{{.Words.join}}</p>
<button>{{.Words.sign_device_in}}</button>
</form>
{{else}}<form method="post" action="{{.Action}}">
<input type="hidden" name="next" value="{{.Next}}" autocomplete="off">
<input class="name" name="username" value="me" autocomplete="username" readonly tabindex="-1" aria-hidden="true">
<label for="password">{{.Words.password}}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus
{{- if .IsWrong}} aria-invalid="true" aria-describedby="wrong"{{end}}>
{{if .Wait}}<p id="wrong" role="alert">{{.Words.wait}} {{.Wait}} {{.Words.seconds}}</p>
{{else if .IsWrong}}<p id="wrong" role="alert">{{.Words.wrong}}</p>
{{end}}<button>{{.Words.sign_in}}</button>
</form>
<script>{{.Script}}</script>
{{end}}</main>
`))

// signInColours returns the first rule of style.css, :root, which has the variables of the page: sizes and colours.
func signInColours() string {
	style, _ := web.ReadFile("web/style.css") // no error: it is embedded
	_, text, _ := strings.Cut(withoutComments("style.css", string(style)), ":root")
	text, _, _ = strings.Cut(text, "}")
	return ":root" + text + "}"
}

// writeForm writes a page with a form that signs in. Its policies are strict, except that of the referrer: without a
// referrer, browsers would not say which page has sent the form, and the service would refuse it.
func (s *server) writeForm(w http.ResponseWriter, r *http.Request, status int, form signInForm) error {
	form.Language = languageOf(r)
	form.Words = signInWords[form.Language]
	mark, _ := web.ReadFile("web/icon.svg") // no error: it is embedded
	style := signInColours() + signInStyle
	form.Mark, form.Style, form.Script = template.HTML(mark), template.CSS(style), hashScript
	var text strings.Builder
	if err := signInPage.Execute(&text, form); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src '"+hashSource(style)+"'; script-src '"+
		hashSource(hashScript)+"'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Vary", "Origin, Accept-Language")
	return write(w, r, status, typeHTML, "", text.String())
}

// hashSource returns the source that allows only one text in a content security policy.
func hashSource(text string) string {
	hash := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(hash[:])
}
