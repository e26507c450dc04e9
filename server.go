// What the handlers share: the server, bodies of requests, answers, entity tags, errors, and who may change settings.

package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"flats/internal/turns"
)

// patience is the time that a client may take to send a request, and to receive an answer
// or each chunk of a long one. Tests shorten it.
var patience = time.Minute

// chunk is the number of bytes of a long answer that are sent at once.
const chunk = 64 << 10

// A server holds what the handlers share.
type server struct {
	config       *Config
	store        *Store
	importer     *Importer
	views        *Views
	shares       *Shares
	notifier     *notifier
	pusher       *pusher
	geocoder     *geocoder
	photoFetcher *photoFetcher
	mailbox      *mailReader
	guesses      *guesses
	access       *access
	codeFiles    *codeFiles
	nightly      *nightly
	log          *slog.Logger
	longUploads  atomic.Int64 // the number of long bodies that are being received
	trials       atomic.Int64 // the number of mailboxes that are being tried
	epoch        string       // part of entity tags, different for each run of the service
	// change calls edit with the config, brings the settings that it returns into force, and returns the new config.
	change func(ctx context.Context, hasNewCodes bool, edit func(*Config) (members, error)) (*Config, error)
}

// Values of hasNewCodes in calls of server.change.
const sameCodes, newCodes = false, true

// errUnsettled is the answer to settings that cannot come into force yet.
var errUnsettled = errorf(http.StatusServiceUnavailable,
	"Nothing was changed, because an import or an update is still under way: try again.")

// errSampleIsOffline is the answer of the sample to a request for which it would have to ask another service.
var errSampleIsOffline = errorf(http.StatusConflict, "The sample asks no other service.")

// leaveKey is the key of a function in the context of each request that may change something. The function leaves the
// gate of the program (program.serve): changes of settings wait until then, at the latest until the request ends.
type leaveKey struct{}

// letSettingsChange lets settings change before a request ends. Handlers call it if the request changes no flat.
func letSettingsChange(r *http.Request) {
	if leave, ok := r.Context().Value(leaveKey{}).(func()); ok {
		leave()
	}
}

// changesNothing reports whether a request changes nothing. A search and a reading are sent by POST only because they
// have a body. The path of the website's URL may stand before theirs.
func changesNothing(r *http.Request) bool {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return true
	case http.MethodPost:
		return strings.HasSuffix(r.URL.Path, searchPath) || strings.HasSuffix(r.URL.Path, readPath)
	}
	return false
}

// A handler answers a request, or returns an error that [server.answerError] answers.
type handler func(http.ResponseWriter, *http.Request) error

func noContent(w http.ResponseWriter, _ *http.Request) error {
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// A pacedWriter writes an answer while a task makes it. The task pauses during each write, so
// that a slow client holds no turn.
type pacedWriter struct {
	http.ResponseWriter
	work *turns.Task
}

func (w *pacedWriter) Write(b []byte) (int, error) {
	w.work.Pause()
	defer w.work.Resume()
	return w.ResponseWriter.Write(b)
}

// flatPath is the path of updates whose parameter id names the flat.
const flatPath = "/api/v1/flat"

// nameIn returns the name in the path of a request or, if the path has none, in the parameter. Some proxies
// refuse a path with an encoded separator, but no such parameter.
func nameIn(r *http.Request, parameter string) string {
	if name := r.PathValue(parameter); name != "" {
		return name
	}
	if names := parameterValues(r.URL.RawQuery, parameter); len(names) == 1 {
		return names[0]
	}
	return ""
}

// flat returns the flat that the request names.
func (s *server) flat(r *http.Request) (*Flat, error) {
	id := nameIn(r, "id")
	if id == "" {
		return nil, notFound(r)
	}
	f := s.store.Get(id)
	if f == nil {
		return nil, noFlat(id)
	}
	return f, nil
}

// author returns the author of an update. names are the values of the parameter by, which a request may repeat. Without
// people in the config, names mean nothing.
func (s *server) author(names []string) (author, error) {
	if len(s.config.People) == 0 {
		return author{}, nil
	}
	names = slices.Compact(names)
	switch {
	case len(names) == 0:
		return author{hasPeople: true}, nil
	case len(names) > 1 || !slices.Contains(s.config.People, names[0]):
		return author{}, errorf(statusInvalid, "Invalid by provided: must name one of the people in the config.")
	}
	return author{hasPeople: true, person: names[0]}, nil
}

// statusSince returns the time, as JSON, to store as status_since, or "" for now. times are the values of the parameter
// of this name, which a request may repeat. A time after now counts as now: the clock has been set back.
func statusSince(times []string, now time.Time) (string, error) {
	times = slices.Compact(times)
	if len(times) == 0 {
		return "", nil
	}
	since, _, err := parseDatetime(times[0])
	if err != nil || len(times) > 1 {
		return "", errorf(statusInvalid, "Invalid status_since provided: must be a time such as 2026-01-05T18:00:00Z.")
	}
	if since.After(now) {
		return "", nil
	}
	return since.UTC().Format(jsonTime), nil
}

// A counter counts the bytes that are written to it.
type counter int

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// notFound reports that no route matches the path.
func notFound(r *http.Request) error {
	return errorf(statusMissing, "There is nothing at %s.", r.URL.Path)
}

// parameterValues returns the values of a parameter in a query string. A value that cannot
// be decoded becomes "". Unlike in url.ParseQuery, a semicolon is an ordinary character.
func parameterValues(query, name string) (values []string) {
	for parameter := range strings.SplitSeq(query, "&") {
		escapedName, escapedValue, _ := strings.Cut(parameter, "=")
		if decoded, err := url.QueryUnescape(escapedName); err == nil && decoded == name {
			value, _ := url.QueryUnescape(escapedValue)
			values = append(values, value)
		}
	}
	return values
}

const (
	maxBody       = 1 << 20  // bytes of the body of a request other than an import
	maxImportBody = 64 << 20 // bytes of the body of an import, before and after it is unpacked
)

// readBody reads a body that must not be gzipped.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	if err := checkCoding(r, "identity"); err != nil {
		return nil, err
	}
	return readAtMost(http.MaxBytesReader(w, r.Body, limit), limit)
}

// readUpload reads a body that may be gzipped, without unpacking it. Each read extends its deadline.
func readUpload(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	if err := checkCoding(r, "identity", "gzip"); err != nil {
		return nil, err
	}
	return readAtMost(&patientReader{
		Reader:  http.MaxBytesReader(w, r.Body, limit),
		control: http.NewResponseController(w),
		last:    time.Now().Add(10 * patience), // enough for maxImportBody at 110 KB/s
	}, limit)
}

// checkCoding returns an error unless the body of a request has one of some codings, or none.
func checkCoding(r *http.Request, known ...string) error {
	coding := strings.ToLower(r.Header.Get("Content-Encoding"))
	if coding != "" && !slices.Contains(known, coding) {
		return errorf(http.StatusUnsupportedMediaType,
			"The content encoding %q is not supported: send the body without it.", coding)
	}
	return nil
}

// readAtMost reads a body of at most limit bytes. It counts them itself, because http.MaxBytesReader counts what comes
// over the network, and a gzip reader makes more of it.
func readAtMost(body io.Reader, limit int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(body, limit+1))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) || int64(len(text)) > limit {
		return nil, errorf(http.StatusRequestEntityTooLarge, "The body is larger than %d bytes.", limit)
	}
	if err != nil {
		return nil, errorf(statusInvalid, "The body could not be read: %v.", err)
	}
	return text, nil
}

// A patientReader extends the read deadline of a connection with each read, but never beyond
// last, because only a few clients may send long bodies at the same time.
type patientReader struct {
	io.Reader
	control *http.ResponseController
	last    time.Time
}

func (p *patientReader) Read(b []byte) (int, error) {
	deadline := time.Now().Add(patience)
	if deadline.After(p.last) {
		deadline = p.last
	}
	p.control.SetReadDeadline(deadline)
	return p.Reader.Read(b)
}

// tag returns the strong entity tag of a version.
func (s *server) tag(version uint64) string {
	return `"` + s.epoch + "-" + strconv.FormatUint(version, 10) + `"`
}

// csvTag returns the tag of the same records as CSV. The beginning differs, because proxies mark a tag at its end.
func csvTag(tag string) string { return `"csv-` + strings.TrimPrefix(tag, `"`) }

// notModified sets the entity tag of an answer to GET or HEAD, unless it is "". It answers 304
// and returns true if the client already has that representation (RFC 9110, 13.1.2).
func notModified(w http.ResponseWriter, r *http.Request, tag string) bool {
	if tag == "" || (r.Method != http.MethodGet && r.Method != http.MethodHead) {
		return false
	}
	w.Header().Set("Etag", tag)
	if hasTag(r.Header.Values("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return true
	}
	return false
}

// hasTag reports whether the values of If-Match or If-None-Match contain a tag, or *. A tag that a
// proxy has marked counts as the tag.
func hasTag(values []string, tag string) bool {
	for listed := range strings.SplitSeq(strings.Join(values, ","), ",") {
		listed = strings.TrimSpace(listed)
		if listed == "*" || isSameTag(listed, tag) {
			return true
		}
	}
	return false
}

// isSameTag reports whether listed is a tag as a client may send it back: as it was, weak, or with
// the suffix of a proxy that compresses, such as "tag-gzip", "tag;br" or "tag"-df. The service
// itself adds such a suffix, -gzip, to the tag of a gzipped answer.
func isSameTag(listed, tag string) bool {
	listed = strings.TrimPrefix(listed, "W/")
	suffix, isTag := strings.CutPrefix(listed, strings.TrimSuffix(tag, `"`))
	if !isTag {
		return false
	}
	suffix = strings.TrimPrefix(suffix, `"`)
	return suffix == "" || strings.Contains("-;.+", suffix[:1])
}

const (
	typeHTML = "text/html; charset=utf-8"
	typeJSON = "application/json"
	typeMail = "message/rfc822"
	typeICS  = "text/calendar; charset=utf-8"
	typeCSV  = "text/csv; charset=utf-8"
)

// worthZipping is the size above which an answer is gzipped. A smaller one is sent to a
// phone in less time than compressing takes.
const worthZipping = 32 << 10

// answer writes a successful answer. Its entity tag is the hash of the body.
func answer(w http.ResponseWriter, r *http.Request, contentType, body string) error {
	return write(w, r, http.StatusOK, contentType, fmt.Sprintf(`"%x"`, sha256.Sum256([]byte(body))), body)
}

// answerData answers with a value as data.
func answerData(w http.ResponseWriter, r *http.Request, v any) error {
	return answer(w, r, typeJSON, `{"data":`+encodeJSON(v)+`}`)
}

// write writes an answer whose body is given in parts. If tag is "", the answer has none.
func write(w http.ResponseWriter, r *http.Request, status int, contentType, tag string, body ...string) error {
	length := 0
	for _, part := range body {
		length += len(part)
	}
	return send(w, r, status, contentType, tag, length, func(out *bufio.Writer) {
		for _, part := range body {
			out.WriteString(part)
		}
	})
}

// unknownLength is the length of a body that is made while it is sent.
const unknownLength = math.MaxInt

// send writes an answer in chunks, gzipped if it is large enough and the client accepts gzip.
// body writes the body. It need not check errors, because a recorder aborts an answer that
// cannot be sent. send always returns nil, so that handlers can return its result.
func send(w http.ResponseWriter, r *http.Request, status int, contentType, tag string, length int,
	body func(*bufio.Writer)) error {
	h := w.Header()
	zipped := false
	if length > worthZipping && h.Get("Content-Encoding") == "" {
		h.Set("Vary", strings.TrimPrefix(h.Get("Vary")+", Accept-Encoding", ", "))
		zipped = acceptsGzip(r)
	}
	if zipped && tag != "" { // the two forms of an answer must not have the same strong tag
		tag = strings.TrimSuffix(tag, `"`) + `-gzip"`
	}
	if notModified(w, r, tag) {
		return nil
	}
	h.Set("Content-Type", contentType)
	if zipped {
		h.Set("Content-Encoding", "gzip")
	} else if length < unknownLength {
		h.Set("Content-Length", strconv.Itoa(length))
	}
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return nil
	}
	if !zipped {
		buffered(w, body)
		return nil
	}
	zip := gzipWriters.Get().(*gzip.Writer)
	defer gzipWriters.Put(zip)
	buffered(w, func(out *bufio.Writer) {
		zip.Reset(out)
		buffered(zip, body)
		zip.Close()
	})
	return nil
}

// buffered calls body with a writer that writes to out in chunks.
func buffered(out io.Writer, body func(*bufio.Writer)) {
	buffer := buffers.Get().(*bufio.Writer)
	defer buffers.Put(buffer)
	buffer.Reset(out)
	body(buffer)
	buffer.Flush()
}

// Writers are reused, because a gzip.Writer has tables of nearly a megabyte.
var (
	buffers     = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, chunk) }}
	gzipWriters = sync.Pool{New: func() any {
		zip, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // no error: the level is valid
		return zip
	}}
)

// acceptsGzip reports whether the client accepts gzip (RFC 9110, 12.5.3).
func acceptsGzip(r *http.Request) bool {
	return weight(r.Header.Values("Accept-Encoding"), "gzip") > 0
}

// prefersCSV reports whether the client gives CSV more weight than JSON (RFC 9110, 12.5.1).
func prefersCSV(r *http.Request) bool {
	accept := r.Header.Values("Accept")
	return weight(accept, "text/csv", "text/*", "*/*") > weight(accept, "application/json", "application/*", "*/*")
}

// weight returns the weight of the first of names that is in the values of a header such as
// Accept, or 0 if none is (RFC 9110, 12.4.2).
func weight(values []string, names ...string) float64 {
	for _, name := range names {
		for item := range strings.SplitSeq(strings.Join(values, ","), ",") {
			if listed, parameters, _ := mime.ParseMediaType(item); listed == name {
				q, _ := strconv.ParseFloat(cmp.Or(parameters["q"], "1"), 64) // 0 if it is not a number
				return q
			}
		}
	}
	return 0
}

// An errorBody is the body of an answer with an error.
type errorBody struct {
	Error      string            `json:"error"`
	StatusCode int               `json:"status_code"`
	Wrong      map[string]string `json:"wrong,omitempty"` // of settings
}

// answerError writes an error object, and logs the failures of the service.
func (s *server) answerError(w http.ResponseWriter, r *http.Request, err error) {
	f := s.statusErrorOf(r, err)
	if f.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "60")
	}
	body := encodeJSON(errorBody{f.text, f.status, f.wrong})
	write(w, r, f.status, typeJSON, "", body)
}

// statusErrorOf returns err as a statusError. It logs any other error, unless the client has gone.
func (s *server) statusErrorOf(r *http.Request, err error) *statusError {
	var f *statusError
	if errors.As(err, &f) {
		return f
	}
	if r.Context().Err() == nil {
		s.log.Error("request failed", "client", r.RemoteAddr, "method", r.Method, "path", loggedPath(r.URL.Path),
			"err", err)
	}
	return &statusError{status: http.StatusInternalServerError, text: err.Error()}
}

// hasToken reports whether a request for the calendar has the feed token, or an import the import
// token.
func (s *server) hasToken(r *http.Request) bool {
	token, expected := "", ""
	switch {
	case r.URL.Path == feedPath:
		expected = s.config.FeedToken
		if tokens := parameterValues(r.URL.RawQuery, "token"); len(tokens) > 0 {
			token = tokens[0]
		}
	case r.URL.Path == importPath && r.Method == http.MethodPost:
		expected = s.config.ImportToken
		token = bearerToken(r)
	}
	return expected != "" && same(token, expected) == 1
}

// bearerToken returns the token of a request, or "" (RFC 6750, 2.1).
func bearerToken(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

const (
	feedPath   = "/api/v1/ics/visits.ics"
	searchPath = "/api/v1/search"
	readPath   = "/api/v1/read"
	importPath = "/api/v1/import"
	joinPath   = "/join/" // the code of an invite follows
	sharePath  = "/s/"    // the token of a shared page follows
)

// dataHeader has the id of the data. A request that has it is meant only for these data: if another service has come to
// the address of the page, it refuses the request. The answer to such a request has it, too, and so has every file of
// the page and every photo, which browsers request without it. The page takes an answer without it for one of a proxy,
// such as the proxy's own page to sign in.
const dataHeader = "X-Flats"

// loggedPath returns a path without the token of a shared page or the code of an invite, because readers of the log
// could use these. A path that no route matches may have one, too. Below /api/ only a text like a token counts: the id
// of a flat may begin with "s/".
func loggedPath(path string) string {
	parts := pathWithToken().FindStringSubmatch(path)
	if parts == nil {
		return path
	}
	start, token := parts[1], parts[2]
	mayBeID := strings.Contains(start, "/api/") && !tokenLike().MatchString(token)
	if mayBeID {
		return path
	}
	return start + "…"
}

var (
	pathWithToken = newPattern(`(?is)^(.*?/(?:s|join)/)(.*)`)
	tokenLike     = newPattern(`^[\w-]{16}`) // the beginning of a token or a code, which have 22 characters
)

// maySet returns an error unless a request comes from somebody who may change the settings: with a password,
// everybody who has it; without one, only this machine. A page of another origin may not, even one that the config
// allows.
func (s *server) maySet(r *http.Request) error {
	site, _ := url.Parse(s.config.WebsiteURL) // no error: the config has checked it
	if isForeignPage(r, originOf(site)) {
		return errForeignPage
	}
	if !s.access.isOpen() {
		return nil // the request has the password or a session: otherwise it would have been refused before
	}
	isHere := r.Host == s.config.Addr || knownHost(r.Host, site.Hostname())
	if !isHere || !fromThisMachine(r) {
		return errorf(http.StatusForbidden, "Without a password, only this machine itself may do this, at localhost: "+
			"set one there by the page or flats password, or as password in config.json.")
	}
	return nil
}

var errForeignPage = errorf(http.StatusForbidden, "Pages of other origins may not do this.")

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
