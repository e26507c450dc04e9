// The route table, what surrounds every route, and who may ask.

package main

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

//go:embed docs/openapi.json
var openAPIFile []byte

// newHandler returns the service's handler.
func newHandler(s *server) http.Handler {
	mux := s.routes(s.table())
	guarded := s.guarded(mux)
	return s.observed(s.underWebsite(mux, guarded)) // mux only tells which paths have a route
}

// A route is a line of the route table, with its members in this order. Several methods may share a path: then the
// first of its routes answers OPTIONS.
type route struct {
	method, path string
	serve        handler
	options      handler // of OPTIONS
}

// emptyObject answers OPTIONS of most routes.
var emptyObject = constant("{}")

// table returns all routes.
func (s *server) table() []route {
	return slices.Concat(s.pageRoutes(), s.version1(), s.beyondVersion1(), s.settingRoutes())
}

func (s *server) pageRoutes() []route {
	getPage := newPage(s.config, s.access.isOpen).get
	return []route{
		{"GET", "/{$}", getPage, noContent},
		{"GET", "/sw.js", getPage, noContent},
		{"GET", "/manifest.webmanifest", getPage, noContent},
		{"GET", "/assets/{hash}/{name...}", getPage, noContent},
		{"GET", "/join/{code}", s.getJoin, noContent},
		{"POST", "/join/{code}", s.forOwnPage(s.postJoin), noContent},
		{"GET", sharePath + "{path...}", s.getShared, noContent},
	}
}

func (s *server) version1() []route {
	return []route{
		{"GET", "/api/v1", constant(indexAnswer), noContent},
		{"GET", "/api/v1/{$}", constant(indexAnswer), noContent},
		{"GET", "/api/v1/flats", s.getFlats, emptyText},
		{"GET", "/api/v1/flats/{id...}", s.getFlat, emptyObject},
		{"PATCH", "/api/v1/flat/{id...}", s.patchFlat, emptyObject},
		{"PATCH", flatPath, s.patchFlat, emptyObject}, // with ?id=, beyond version 1
		{"POST", searchPath, s.postSearch, emptyObject},
		{"GET", feedPath, s.getVisits, emptyObject},
		{"GET", "/api/v1/time_to_places", constant(`{"data":` + s.config.places() + `}`), emptyObject},
		{"GET", "/api/v1/metadata", s.getMetadata, emptyObject},
		{"GET", "/api/v1/opendata", constant(opendataAnswer), noContent},
		{"GET", "/api/v1/opendata/postal_codes", s.getPostalCodes, emptyObject},
	}
}

// beyondVersion1 returns the other routes for flats, and those for what the service does with them. Some have a twin
// that takes the name or id as a parameter: see nameIn.
func (s *server) beyondVersion1() []route {
	assistants := newAssistants(s)
	return []route{
		{"GET", "/api/v1/find", s.listFlats(s.store.table.fields), emptyObject},
		{"GET", "/api/v1/duplicates", s.getDuplicates, emptyObject},
		{"POST", readPath, s.postRead, emptyObject},
		{"POST", importPath, s.postImport, emptyObject},
		{"GET", "/api/v1/imports", s.getImports, emptyObject},
		{"GET", "/api/v1/views", s.getViews, emptyObject},
		{"PUT", "/api/v1/views", s.putView, emptyObject}, // with ?name=
		{"DELETE", "/api/v1/views", s.deleteView, emptyObject},
		{"PUT", "/api/v1/views/{name...}", s.putView, emptyObject},
		{"DELETE", "/api/v1/views/{name...}", s.deleteView, emptyObject},
		{"POST", "/api/v1/views/apply", s.postApply, emptyObject}, // with ?name=
		{"POST", "/api/v1/views/{name}/apply", s.postApply, emptyObject},
		{"GET", "/api/v1/shares", s.getShares, emptyObject},
		{"POST", "/api/v1/shares", s.postShare, emptyObject},
		{"DELETE", "/api/v1/shares", s.deleteShare, emptyObject}, // with ?id=
		{"DELETE", "/api/v1/shares/{id}", s.deleteShare, emptyObject},
		{"GET", "/api/v1/notify", s.getNotify, emptyObject},
		{"POST", "/api/v1/notify", unchanging(s.postNotify), emptyObject},
		{"GET", "/api/v1/push", s.getPush, emptyObject},
		{"POST", "/api/v1/push", s.postPush, emptyObject},
		{"POST", "/api/v1/push/{id}", unchanging(s.postPushTest), emptyObject},
		{"DELETE", "/api/v1/push/{id}", s.deletePush, emptyObject},
		{"GET", "/api/v1/travel", s.getTravel, emptyObject},
		{"POST", "/api/v1/travel", s.postTravel, emptyObject},
		{"GET", "/api/v1/mailbox", s.getMailbox, emptyObject},
		{"GET", "/api/v1/photos", s.getPhotos, emptyObject},
		{"GET", "/api/v1/photos/{hash}", s.getPhoto, emptyObject},
		{"GET", "/api/v1/backups", s.getBackups, emptyObject},
		{"GET", "/api/v1/backups/{name}", s.getBackup, emptyObject},
		{"POST", "/api/v1/mcp", assistants.post, emptyObject},
		{"GET", "/api/v1/openapi.json", s.getOpenAPI, emptyObject},
	}
}

// settingRoutes returns the routes that no page of another origin may use: those to sign in and to invite somebody, and
// those for people who may change settings.
func (s *server) settingRoutes() []route {
	return []route{
		{"POST", sessionPath, s.forOwnPage(s.postSession), emptyObject},
		{"DELETE", sessionPath, s.forOwnPage(s.deleteSession), emptyObject},
		{"GET", "/api/v1/sessions", s.forSettings(s.getSessions), emptyObject},
		{"DELETE", "/api/v1/sessions/{id}", s.forSettings(s.deleteDevice), emptyObject},
		{"PUT", "/api/v1/password", s.forSettings(s.putPassword), emptyObject},
		{"POST", "/api/v1/invites", s.forOwnPage(s.postInvite), emptyObject},

		{"GET", "/api/v1/settings", s.forSettings(s.getSettings), emptyObject},
		{"PATCH", "/api/v1/settings", s.forSettings(s.patchSettings), emptyObject},
		{"GET", "/api/v1/postal_codes", s.forSettings(s.getCodeFiles), emptyObject},
		{"PUT", "/api/v1/postal_codes/{country}", s.forSettings(s.putCodeFile), emptyObject},
		{"DELETE", "/api/v1/postal_codes/{country}", s.forSettings(s.deleteCodeFile), emptyObject},
		{"GET", "/api/v1/areas", s.forSettings(s.getAreas), emptyObject},
		{"GET", "/api/v1/geocode", s.forSettings(s.getGeocode), emptyObject},
		{"POST", "/api/v1/mailbox/try", s.forSettings(s.postMailboxTry), emptyObject},
	}
}

// unchanging returns a handler of POST requests that change no flat. A change of settings does not wait until they end.
func unchanging(serve handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		letSettingsChange(r)
		return serve(w, r)
	}
}

// routes returns a handler for a table. It also answers OPTIONS, and any other method with 405.
func (s *server) routes(table []route) *http.ServeMux {
	mux := http.NewServeMux()
	handle := func(pattern string, serve handler) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := serve(w, r); err != nil {
				s.answerError(w, r, err)
			}
		})
	}
	byPath := map[string][]route{}
	for _, route := range table {
		handle(route.method+" "+route.path, route.serve)
		byPath[route.path] = append(byPath[route.path], route)
	}
	// A request for a path such as /api/v1/views/x/apply, with a method that the table lacks, comes to the handler of
	// /api/v1/views/{name...} (see isInView). This handler finds the longer path by inViews, and answers for it, too.
	inViews := http.NewServeMux()
	for path, routes := range byPath {
		if isInView(path) {
			inViews.Handle(path, http.NotFoundHandler())
			continue
		}
		handle(path, func(w http.ResponseWriter, r *http.Request) error {
			_, pathInView := inViews.Handler(r) // "" if the request has no such path
			return otherMethod(w, r, slices.Concat(routes, byPath[pathInView]))
		})
	}
	handle("/", func(w http.ResponseWriter, r *http.Request) error { return notFound(r) })
	return mux
}

// isInView reports whether a path in the table also matches /api/v1/views/{name...}, the path of a view.
// http.ServeMux refuses to handle both for all methods.
func isInView(path string) bool {
	return strings.HasPrefix(path, "/api/v1/views/") && strings.HasSuffix(path, "/apply")
}

// otherMethod answers a method for which the path has no route. The first route of the path
// answers OPTIONS; any other method is refused with 405.
func otherMethod(w http.ResponseWriter, r *http.Request, routes []route) error {
	if r.URL.Path == flatPath && nameIn(r, "id") == "" {
		return notFound(r) // as in version 1
	}
	var methods []string
	for _, route := range routes {
		methods = append(methods, route.method)
		if route.method == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
	}
	allow := strings.Join(append(methods, http.MethodOptions), ", ")
	w.Header().Set("Allow", allow)
	if r.Method != http.MethodOptions {
		return errorf(http.StatusMethodNotAllowed, "%s does not answer %s, only %s.", r.URL.Path, r.Method, allow)
	}
	if w.Header().Get("Access-Control-Allow-Headers") != "" { // set by allowOrigin for a preflight
		w.Header().Set("Access-Control-Allow-Methods", allow)
	}
	return routes[0].options(w, r)
}

// indexAnswer and opendataAnswer are the answers of /api/v1 and /api/v1/opendata: paths of the API by name.
var (
	indexAnswer = encodeJSON(map[string]string{
		"opendata":       "/api/v1/opendata",
		"flats":          "/api/v1/flats",
		"flat":           "/api/v1/flat/:id",
		"search":         "/api/v1/search",
		"ics":            feedPath,
		"time_to_places": "/api/v1/time_to_places",
	})
	opendataAnswer = encodeJSON(map[string]string{"postal_codes": "/api/v1/opendata/postal_codes"})
)

// constant returns a handler that always answers with the same JSON text.
func constant(body string) handler {
	return func(w http.ResponseWriter, r *http.Request) error { return answer(w, r, typeJSON, body) }
}

// emptyText answers OPTIONS of the list of flats. Version 1 requires an empty string there.
func emptyText(w http.ResponseWriter, r *http.Request) error {
	return write(w, r, http.StatusOK, "text/plain; charset=utf-8", "")
}

// getOpenAPI answers with docs/openapi.json, with the version of the program and the URL of the service.
func (s *server) getOpenAPI(w http.ResponseWriter, r *http.Request) error {
	var description map[string]any
	json.Unmarshal(openAPIFile, &description) // no error: tests read the embedded file
	description["info"].(map[string]any)["version"] = version
	description["servers"] = []map[string]string{{"url": strings.TrimSuffix(s.config.WebsiteURL, "/")}}
	return answer(w, r, typeJSON, encodeJSON(description))
}

// underWebsite strips the path of the website's URL, for proxies that pass requests on
// unchanged, and extra leading slashes, for clients whose base URL ends in one. It also escapes
// "//" and "/.", which an id may contain, but http.ServeMux would redirect or clean away. It
// redirects the path of the website to the same path with a final slash. If mux has a route for
// both the stripped and the whole path, the stripped path wins: with the website
// http://h/api/v1/, the page could not be reached otherwise.
func (s *server) underWebsite(mux *http.ServeMux, next http.Handler) http.Handler {
	site, _ := url.Parse(s.config.WebsiteURL)
	base := strings.TrimSuffix(site.Path, "/")
	withPath := func(r *http.Request, path string) *http.Request {
		path = "/" + strings.TrimLeft(path, "/")
		escaped := strings.NewReplacer("/.", "/%2E", "//", "/%2F").Replace((&url.URL{Path: path}).EscapedPath())
		inner := *r
		inner.URL = &url.URL{Path: path, RawPath: escaped, RawQuery: r.URL.RawQuery}
		return &inner
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		if path == base && base != "" {
			// The page has relative links, which begin at its folder.
			folder := &url.URL{Path: base + "/", RawQuery: r.URL.RawQuery}
			w.Header().Set("Location", folder.String())
			w.WriteHeader(http.StatusTemporaryRedirect)
			return
		}
		rest, isBelow := strings.CutPrefix(path, base+"/")
		if isBelow && base != "" {
			inner := withPath(r, rest)
			if _, pattern := mux.Handler(inner); pattern != "/" { // "/" answers 404
				next.ServeHTTP(w, inner)
				return
			}
		}
		if raw := cmp.Or(r.URL.RawPath, path); strings.Contains(raw, "//") || strings.Contains(raw, "/.") {
			r = withPath(r, path)
		}
		next.ServeHTTP(w, r)
	})
}

// admit refuses requests that come without the password although they need it, and requests of a page that shows other
// data. If no password is set, no request needs one. Otherwise all do, except those for the paths of needsNoPassword,
// and those with a session or a token (see enter).
func (s *server) admit(w http.ResponseWriter, r *http.Request) error {
	if p := s.access.password(); p != nil && !needsNoPassword(r) {
		if err := s.enter(w, r, p); err != nil {
			return err
		}
	}
	if id := r.Header.Get(dataHeader); id != "" && id != s.config.dataID {
		return errorf(http.StatusMisdirectedRequest, "Other flats are at this address by now.")
	}
	return nil
}

// guarded refuses requests from other origins (CSRF) and those that admit refuses. It refuses foreign host names (DNS
// rebinding) where the service is on loopback and needs no password. It tells browsers which origins may read answers
// (CORS).
func (s *server) guarded(next http.Handler) http.Handler {
	c := s.config
	site, _ := url.Parse(c.WebsiteURL)
	origins := append([]string{originOf(site)}, c.CORSOrigins...)
	anyOrigin := slices.Contains(origins, "*")
	crossOrigin := http.NewCrossOriginProtection()
	for _, origin := range origins {
		crossOrigin.AddTrustedOrigin(origin) // rejects "*", which anyOrigin covers
	}

	onLoopback := isLoopback(c.Addr)
	check := func(w http.ResponseWriter, r *http.Request) error {
		isUnprotected := onLoopback && s.access.isOpen() // only the host name can tell requests of other sites
		isForeignHost := r.Host != c.Addr && !knownHost(r.Host, site.Hostname())
		if isUnprotected && isForeignHost {
			return errorf(http.StatusForbidden, "The host name %q is not known here: "+
				"set website_url to the URL under which the service is reached.", r.Host)
		}
		origin := r.Header.Get("Origin")
		isTrusted := slices.Contains(origins, origin)
		if origin != "" && (isTrusted || anyOrigin) {
			allowOrigin(w, r, origin, isTrusted)
		}
		if isTrusted || anyOrigin {
			w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
		} else if isForeignRead(r) && !s.hasToken(r) {
			return errorf(http.StatusForbidden, "Pages of other sites may not read this: "+
				"add the origin of the page to cors_origins to allow it.")
		}
		switch r.Method {
		case http.MethodOptions:
			return nil // browsers send no password with a preflight
		case http.MethodConnect:
			w.Header().Set("Allow", "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT")
			return errorf(http.StatusMethodNotAllowed, "This is not a proxy.")
		}
		isAllowedAnywhere := anyOrigin && needsPreflight(r)
		if err := crossOrigin.Check(r); err != nil && !isAllowedAnywhere {
			return errorf(http.StatusForbidden, "Requests from the origin %q are refused: add it to cors_origins to allow them.",
				origin)
		}
		return s.admit(w, r)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.setForPages(w.Header(), r)
		err := check(w, r)
		if err == nil {
			next.ServeHTTP(w, r)
			return
		}
		refused := s.statusErrorOf(r, err)
		isRefused := refused.status == http.StatusUnauthorized || refused.status == http.StatusTooManyRequests
		if isRefused && isNavigation(r) {
			err = s.writeRefused(w, r, refused)
		}
		if err != nil {
			s.answerError(w, r, err)
		}
	})
}

// setForPages sets the headers that pages need and programs do not: Vary, if cors_origins lets pages of other origins
// read answers, and dataHeader.
func (s *server) setForPages(h http.Header, r *http.Request) {
	if len(s.config.CORSOrigins) > 0 {
		h.Set("Vary", "Origin")
	}
	isAPI := strings.HasPrefix(r.URL.Path, "/api/")
	if !isAPI || r.Header.Get(dataHeader) != "" {
		h.Set(dataHeader, s.config.dataID)
	}
}

// isForeignRead reports whether a browser loads an answer of the API into a page of another site, in
// any way, or embeds it in a page of another origin, as an object or a frame. The page cannot read
// the answer, but could tell whether there is one. Following a link does not count.
func isForeignRead(r *http.Request) bool {
	isRead := r.Method == http.MethodGet || r.Method == http.MethodHead
	if !isRead || !strings.HasPrefix(r.URL.Path, "/api/") {
		return false
	}
	from := r.Header.Get("Sec-Fetch-Site")
	if from != "cross-site" && from != "same-site" {
		return false
	}
	navigates := r.Header.Get("Sec-Fetch-Mode") == "navigate"
	destination := r.Header.Get("Sec-Fetch-Dest") // old browsers do not say
	isLink := navigates && (destination == "" || destination == "document")
	if from == "same-site" {
		// everyHeader's Cross-Origin-Resource-Policy makes browsers refuse all but embedded documents.
		return navigates && !isLink
	}
	return !isLink
}

// needsPreflight reports whether browsers send a request to another origin only after a preflight,
// which does not let them use a stored password. They send forms without a preflight. DELETE always
// needs a preflight; other methods only with Content-Type: application/json.
func needsPreflight(r *http.Request) bool {
	contentType, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return r.Method == http.MethodDelete || contentType == typeJSON
}

// allowOrigin sets the headers that let a page from origin read the answer. For a preflight, it
// also sets those that let the page send what the API accepts. Only a trusted origin, which the
// config names, may use the browser's stored password.
func allowOrigin(w http.ResponseWriter, r *http.Request, origin string, isTrusted bool) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", "ETag, Link, Retry-After, X-Flats, X-Total-Count")
	if isTrusted {
		h.Set("Access-Control-Allow-Credentials", "true")
	}
	if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
		h.Set("Access-Control-Allow-Headers", "Authorization, Content-Encoding, Content-Type, "+
			"If-Match, If-None-Match, MCP-Protocol-Version, X-Flats")
		h.Set("Access-Control-Max-Age", "600")
	}
}

// everyHeader has the headers of every answer. The answer to a program has at most eight, but for /find: with a ninth,
// the maps in which net/http keeps them grow, which costs an eighth of the processor time of a page of 20.
var everyHeader = http.Header{
	"X-Content-Type-Options":       {"nosniff"},
	"Cache-Control":                {"private, no-cache"}, // getPage, getPhoto and getBackup replace it
	"Cross-Origin-Resource-Policy": {"same-origin"},       // guarded replaces it
}

// observed turns a panic of a handler into a 500, and logs every request if the config asks for it.
func (s *server) observed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		maps.Copy(w.Header(), everyHeader)
		rec := &recorder{ResponseWriter: w}
		defer func() {
			panicked := recover()
			mustAbort := panicked != nil // an answer that has begun can only be aborted
			if panicked != nil && panicked != http.ErrAbortHandler {
				s.log.Error("panic", "err", panicked, "stack", string(debug.Stack()))
				if rec.status == 0 { // no answer has begun
					s.answerError(rec, r, fmt.Errorf("internal error: %v", panicked))
					mustAbort = false
				}
			}
			if s.config.accessLog {
				s.log.Info("request", "client", r.RemoteAddr, "method", r.Method, "path", loggedPath(r.URL.Path),
					"status", rec.status, "bytes", rec.bytes, "time", time.Since(start))
			}
			if mustAbort {
				panic(http.ErrAbortHandler)
			}
		}()
		next.ServeHTTP(rec, r)
	})
}

// A recorder keeps the status and the size of an answer. It aborts the connection if the answer
// cannot be sent, because a part of it could otherwise look complete.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// Unwrap gives http.ResponseController access to the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// WriteHeader resets the write deadline, because building the answer may have used it up.
func (r *recorder) WriteHeader(status int) {
	r.extend()
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// Write extends the deadline with each chunk but the first, so that a slow client gets
// all of a long list, and a dead client does not block forever.
func (r *recorder) Write(b []byte) (int, error) {
	if r.bytes > 0 {
		r.extend()
	}
	r.status = cmp.Or(r.status, http.StatusOK)
	n, err := r.ResponseWriter.Write(b)
	r.bytes += int64(n)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	return n, nil
}

func (r *recorder) extend() {
	http.NewResponseController(r.ResponseWriter).SetWriteDeadline(time.Now().Add(patience))
}
