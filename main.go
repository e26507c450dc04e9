// Flats keeps the listings of one person's search for a home and serves them
// over a JSON HTTP API.
//
// Usage:
//
//	flats [-config FILE] [-data FILE] [-addr HOST:PORT] [-access-log] [-log-json]
//	flats -sample
//	flats import [-config FILE] [-data FILE] FILE|- ...
//	flats -version | -h
//
// The first form serves the flats of a data file, flats.json unless the
// config or -data says otherwise. -config names the config file; without it
// config.json is read if it is there. With -sample, made-up flats are served
// from memory, and nothing is written anywhere. Import hands listings to the
// service: it checks them, and the service takes them in within a second or
// at its next start.
//
// A flag wins over the environment (FLATS_PASSWORD), that over the config
// file, and that over the defaults. The exit status is 0 after an orderly
// stop (SIGINT or SIGTERM), 1 after a failure and 2 for wrong usage.
package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"embed"
	"errors"
	"flag"
	"fmt"
	"html"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

const version = "1.0.0"

//go:embed sample
var sample embed.FS

//go:embed web
var web embed.FS

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the program at once.
	context.AfterFunc(ctx, stop)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	var usage usageError
	switch {
	case errors.As(err, &usage):
		fmt.Fprintf(os.Stderr, "flats: %v\nTry flats -h.\n", err)
		os.Exit(2)
	case err != nil:
		fmt.Fprintf(os.Stderr, "flats: %s\n", strings.ReplaceAll(err.Error(), "\n", "; "))
		os.Exit(1)
	}
}

// usageError is an error in the command line.
type usageError string

func (e usageError) Error() string { return string(e) }

const manual = `Flats keeps the listings of one person's search for a home and serves them
over a JSON HTTP API, at /api/v1/.

Usage:
  flats [-config FILE] [-data FILE] [-addr HOST:PORT] [-access-log] [-log-json]
  flats -sample
  flats import [-config FILE] [-data FILE] FILE|- ...
  flats -version | -h

Import checks listings and hands them to the service, which takes them in
within a second, or at its next start.

Flags:
`

// run is the program: it returns when it is done or ctx is, after an orderly
// stop. Logs and errors of the command line go to stderr.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("flats", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	var (
		configFile  = flags.String("config", "", "read the config from `FILE` (default config.json, if it is there)")
		dataFile    = flags.String("data", "", "keep the flats in `FILE` (default flats.json)")
		addr        = flags.String("addr", "", "listen at `HOST:PORT` (default 127.0.0.1:8080)")
		useSample   = flags.Bool("sample", false, "serve made-up flats from memory; nothing is written")
		accessLog   = flags.Bool("access-log", false, "log every request")
		logJSON     = flags.Bool("log-json", false, "log in JSON instead of text")
		showVersion = flags.Bool("version", false, "print the version and exit")
	)
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			io.WriteString(stdout, manual)
			flags.SetOutput(stdout)
			flags.PrintDefaults()
			return nil
		}
		return usageError(err.Error())
	}
	if flags.Arg(0) == "import" {
		return runImport(flags.Args()[1:], *configFile, *dataFile, stdout, stderr)
	}
	if flags.NArg() > 0 {
		return usageError(fmt.Sprintf("there is no command %q", flags.Arg(0)))
	}
	if *showVersion {
		fmt.Fprintln(stdout, "flats", version)
		return nil
	}
	if *useSample && (*configFile != "" || *dataFile != "") {
		return usageError("-sample serves flats of its own: it goes without -config and -data")
	}

	log := slog.New(slog.NewTextHandler(stderr, nil))
	if *logJSON {
		log = slog.New(slog.NewJSONHandler(stderr, nil))
	}
	config, unknown, err := findConfig(*configFile, *useSample)
	if err != nil {
		return err
	}
	if len(unknown) > 0 {
		log.Warn("the config has keys that are not known here", "keys", strings.Join(unknown, " "))
	}
	if password := os.Getenv("FLATS_PASSWORD"); password != "" && !*useSample {
		config.Password = password
	}
	if *addr != "" {
		if err := checkAddr(*addr); err != nil {
			return usageError("-addr: " + err.Error())
		}
		config.Addr = *addr
	}
	if *dataFile != "" {
		config.Data = *dataFile
	}
	// Listening comes first: who finds the address taken has read no data yet.
	listener, err := net.Listen("tcp", config.Addr)
	if err != nil {
		return fmt.Errorf("%w: choose another address with -addr", err)
	}
	defer listener.Close()
	config.Addr = listener.Addr().String()
	if err := config.finish(); err != nil {
		return err
	}

	store, codes, err := openData(config, *useSample, log)
	if err != nil {
		return err
	}
	go func() {
		<-store.searchable
		tuneMemory()
	}()
	if !isLoopback(config.Addr) && config.Password == "" {
		log.Warn("everybody who reaches this address can read and change the flats: set username and password", "addr", config.Addr)
	}
	if store.files != nil {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		folder := importFolder(config.Data)
		// The folder is the service's own, whoever puts something in it later.
		if err := os.MkdirAll(folder, 0o700); err != nil {
			log.Warn("there is no folder for imports", "err", err)
		}
		store.takeIn(folder)
		go store.watch(ctx, folder)
	}
	err = serve(ctx, listener, newHandler(config, store, codes, log, *accessLog), log)
	return errors.Join(err, store.Close())
}

// runImport checks listings whole and places them in the import folder.
func runImport(args []string, configFile, dataFile string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("flats import", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&configFile, "config", configFile, "")
	flags.StringVar(&dataFile, "data", dataFile, "")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		io.WriteString(stdout, manual)
		return nil
	} else if err != nil {
		return usageError("import: " + err.Error())
	}
	if flags.NArg() == 0 {
		return usageError("import: name files with listings, or - for standard input")
	}
	config, _, err := findConfig(configFile, false)
	if err != nil {
		return err
	}
	if dataFile != "" {
		config.Data = dataFile
	}
	// All of the input is checked before any of it counts.
	var inputs []input
	for _, name := range flags.Args() {
		if slices.ContainsFunc(inputs, func(in input) bool { return in.name == name }) {
			return usageError(fmt.Sprintf("import: %s is named twice", name))
		}
		text, err := readInput(name, stderr)
		if err != nil {
			return err
		}
		inputs = append(inputs, input{name, text})
	}
	counts, err := previewImport(config.Data, inputs)
	if err != nil {
		return err
	}
	if err := placeImports(osDisk{}, importFolder(config.Data), inputs); err != nil {
		return fmt.Errorf("nothing was imported: %w", err)
	}
	_, err = fmt.Fprintf(stdout, "%s; handed to the service in %s\n", counts, importFolder(config.Data))
	return err
}

// readInput reads a file, or standard input for "-". Where somebody watches
// and has to wait, it says how far it is.
func readInput(name string, stderr io.Writer) (string, error) {
	in := os.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return "", err
		}
		defer f.Close()
		in = f
	}
	var b strings.Builder
	terminal := isTerminal(stderr)
	for shown := time.Now(); ; {
		n, err := io.CopyN(&b, in, 1<<20)
		if terminal && time.Since(shown) > time.Second/2 {
			fmt.Fprintf(stderr, "\rflats: read %d MB of %s ", b.Len()>>20, name)
			shown = time.Now()
		}
		if err == io.EOF || err == nil && n == 0 {
			if terminal && b.Len() > 16<<20 {
				fmt.Fprintf(stderr, "\rflats: read %d MB of %s\n", b.Len()>>20, name)
			}
			return b.String(), nil
		}
		if err != nil {
			return "", fmt.Errorf("read %s: %w", name, err)
		}
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// tuneMemory gives back what the start took, and sets how much may come and go
// before the garbage collector looks at all that stays, which is nearly all
// there is: nearly half as much again, but for a small store more, so that it
// need not look many times a second. GOGC in the environment wins.
func tuneMemory() {
	debug.FreeOSMemory()
	if os.Getenv("GOGC") == "" {
		(&tuner{}).tune()
	}
}

// A tuner is garbage that comes back: each time that the garbage collector
// finds it, it looks how much memory there is by now.
type tuner struct {
	percent int
	_       *byte // parts it from what has no pointers, whose finalizers may wait for others
}

func (t *tuner) tune() {
	const little = 48 << 20
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	percent := int(max(45, min(400, 100*little/(live[0].Value.Uint64()+1))))
	if percent < t.percent*9/10 || percent > t.percent*11/10 {
		t.percent = percent
		debug.SetGCPercent(percent)
	}
	runtime.SetFinalizer(t, (*tuner).tune)
}

// findConfig loads the config that the flags ask for.
func findConfig(file string, useSample bool) (*Config, []string, error) {
	if useSample {
		text, err := fs.ReadFile(sample, "sample/config.json")
		if err != nil {
			return nil, nil, err
		}
		config, unknown, err := parseConfig("sample/config.json", string(text))
		if config != nil {
			config.WebsiteURL = "" // follows the address
		}
		return config, unknown, err
	}
	if file == "" {
		file = "config.json"
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return defaultConfig(), nil, nil
		}
	}
	return loadConfig(file)
}

// openData loads the postal codes and opens the store.
func openData(config *Config, useSample bool, log *slog.Logger) (*Store, *PostalCodes, error) {
	if useSample {
		store, codes, err := openSample(config, time.Now(), log)
		if err == nil {
			log.Info("serving made-up flats from memory", "flats", len(store.flats.rows))
		}
		return store, codes, err
	}
	codes, err := loadPostalCodes(config.PostalCodes, config.areas())
	if err != nil {
		return nil, nil, err
	}
	path, err := filepath.Abs(config.Data)
	if err != nil {
		return nil, nil, err
	}
	store, err := openStore(path, osDisk{}, codes, log)
	if err != nil {
		return nil, nil, err
	}
	flats, _, _ := store.State()
	log.Info("serving", "data", path, "flats", flats, "postal_codes", len(codes.rows), "constraints", len(config.Constraints))
	if _, err := os.Stat(path); err != nil {
		log.Warn("there is no such data file yet: it comes with the first flat", "data", path)
	}
	if err := store.files.writable(); err != nil {
		log.Warn("nothing can be written there: every update will be refused", "err", err)
	}
	return store, codes, nil
}

// patience is how long a client may take to send a request, and to receive an
// answer or each [slowest] bytes of a long one, give or take a second.
var patience = time.Minute // but for tests

// slowest is the least that a client has to take in that time.
const slowest = 256 << 10

// serve answers requests until ctx is done, and then those under way.
func serve(ctx context.Context, listener net.Listener, handler http.Handler, log *slog.Logger) error {
	server := &http.Server{
		Handler:        handler,
		ReadTimeout:    patience, // for writes see connection.hurry
		IdleTimeout:    2 * patience,
		MaxHeaderBytes: 64 << 10,
		ErrorLog:       slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connectionKey{}, c)
		},
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(connections{listener}) }()
	log.Info("listening", "url", "http://"+listener.Addr().String()+"/")
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	log.Info("stopping")
	grace, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		server.Close()
	}
	return nil
}

// A connection spares net/http what costs most in an answer. It sends a page
// in one system call, where net/http would send the head and the first bytes
// apart, which costs the server and the client a turn each: a sixth of the
// time of a page. It sends a long list without copying it. It sets a deadline
// when the last one is a second old, not several times in a request. And it
// does not look, during each request, whether the client is still there: only a
// search would stop, and an answer that cannot be sent fails by itself.
type connection struct {
	*net.TCPConn
	// watched tells that the client is to be looked for all the same. It is set
	// by the goroutine that answers before it reads the end of a body.
	watched atomic.Bool
	blind   bool // the last read was one that did not look

	// joins tells that the next write is to wait for the list behind it. It is
	// set by the goroutine that answers while it sends one with io.Copy.
	joins   bool
	held    *[]byte     // the write that waits, copied; one of [buffers]
	pieces  [][]byte    // for ReadFrom
	sending net.Buffers // of pieces, those that are yet to go

	readBy, writeBy time.Time // the deadlines
}

// buffers are for the beginnings of lists.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// Up to about copied bytes of a list are copied into a buffer, since what fits
// there is sent faster as one piece than as many; of the rest, about chunk
// bytes are sent at a time, the more the faster.
const (
	copied = 64 << 10
	chunk  = 1 << 20
)

// Read reads, but for a single byte only when it is asked again. During a
// request net/http asks for one, in a goroutine of its own that cancels the
// context of the request when it fails and that takes some waking up when the
// answer is done. It asks only once.
func (c *connection) Read(b []byte) (int, error) {
	if len(b) == 1 && !c.blind && !c.watched.Load() {
		c.blind = true
		return 0, nil
	}
	c.blind = false
	return c.TCPConn.Read(b)
}

func (c *connection) Write(b []byte) (int, error) {
	if c.joins {
		c.joins = false
		c.held = buffers.Get().(*[]byte)
		*c.held = append((*c.held)[:0], b...)
		return len(b), nil
	}
	c.hurry(len(b))
	if c.held != nil { // net/http has found another way for the list
		first := *c.held
		c.held = nil
		if _, err := c.TCPConn.Write(first); err != nil {
			return 0, err
		}
	}
	return c.TCPConn.Write(b)
}

// ReadFrom sends a list behind what was held back. It is what net/http calls
// for io.Copy.
func (c *connection) ReadFrom(r io.Reader) (int64, error) {
	l, ok := r.(*list)
	if !ok || c.held == nil {
		return io.Copy(struct{ io.Writer }{c}, r)
	}
	b, more := *c.held, true
	first := int64(len(b))
	for len(b) < copied && more {
		piece := l.next()
		b = append(b, piece...)
		more = piece != ""
	}
	c.hurry(len(b))
	n, err := c.TCPConn.Write(b)
	sent := max(0, int64(n)-first)
	*c.held = b
	buffers.Put(c.held)
	c.held = nil
	for err == nil && more {
		c.pieces = c.pieces[:0]
		size := 0
		for size < chunk && more {
			piece := l.next()
			size += len(piece)
			c.pieces = append(c.pieces, unsafe.Slice(unsafe.StringData(piece), len(piece)))
			more = piece != ""
		}
		c.hurry(size)
		c.sending = c.pieces
		var n int64
		n, err = c.sending.WriteTo(c.TCPConn)
		sent += n
	}
	return sent, err
}

// hurry gives the client its time to receive the n bytes that are written next.
// So a slow client gets a long list whole, and a dead one frees its place.
func (c *connection) hurry(n int) {
	by := time.Now().Add(patience * time.Duration(1+n/slowest))
	if by.Sub(c.writeBy).Abs() > time.Second {
		c.writeBy = by
		c.TCPConn.SetWriteDeadline(by)
	}
}

// SetWriteDeadline does nothing: each write has a deadline.
func (c *connection) SetWriteDeadline(time.Time) error { return nil }

// SetReadDeadline may leave a deadline that is up to a second earlier.
func (c *connection) SetReadDeadline(by time.Time) error {
	if later := by.Sub(c.readBy); later >= 0 && later < time.Second {
		return nil
	}
	c.readBy = by
	return c.TCPConn.SetReadDeadline(by)
}

// connections are those that a listener accepts.
type connections struct{ net.Listener }

func (l connections) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok {
		return &connection{TCPConn: tcp}, err
	}
	return c, err
}

// connectionKey is the key of a request's connection in its context.
type connectionKey struct{}

// watch lets the context of a request with a body be cancelled when the client
// goes away. It is to be called before the body is read, and what it returns
// at the end.
func watch(r *http.Request) (done func()) {
	c, ok := r.Context().Value(connectionKey{}).(*connection)
	if !ok {
		return func() {}
	}
	c.watched.Store(true)
	return func() { c.watched.Store(false) }
}

// A failure is an error with the status that tells a client what kind it is.
type failure struct {
	status int
	text   string
}

func (f *failure) Error() string { return f.text }

func fail(status int, format string, args ...any) *failure {
	return &failure{status, fmt.Sprintf(format, args...)}
}

// A server answers the routes.
type server struct {
	config *Config
	store  *Store
	codes  *PostalCodes
	log    *slog.Logger
	places string
	page   *page
	// epoch parts the entity tags of this run from those of others.
	epoch string
}

// newHandler is the whole service but for the network.
func newHandler(config *Config, store *Store, codes *PostalCodes, log *slog.Logger, accessLog bool) http.Handler {
	s := &server{
		config: config, store: store, codes: codes, log: log, places: config.places(), page: newPage(config),
		epoch: strconv.FormatInt(time.Now().UnixNano(), 36),
	}
	h := s.recovered(s.underWebsite(s.guarded(s.routes())))
	if accessLog {
		h = s.logged(h)
	}
	return h
}

// routes is the table of all routes: the page, and those of api.md 4.2. The
// answer to OPTIONS stands behind each (api.md 4.5); the page and the index
// routes have none but their methods.
func (s *server) routes() http.Handler {
	table := []struct {
		method, path string
		serve        func(http.ResponseWriter, *http.Request) error
		options      string
	}{
		{"GET", "/{$}", s.getPage, noContent},
		{"GET", "/assets/{hash}/{name}", s.getAsset, noContent},
		{"GET", "/api/v1", s.getIndex, noContent},
		{"GET", "/api/v1/{$}", s.getIndex, noContent},
		{"GET", "/api/v1/flats", s.getFlats, ""},
		{"GET", "/api/v1/flats/{id}", s.getFlat, "{}"},
		{"PATCH", "/api/v1/flat/{id}", s.patchFlat, "{}"},
		{"POST", "/api/v1/search", s.postSearch, "{}"},
		{"GET", feedPath, s.getVisits, "{}"},
		{"GET", "/api/v1/time_to_places", s.getPlaces, "{}"},
		{"GET", "/api/v1/metadata", s.getMetadata, "{}"},
		{"GET", "/api/v1/opendata", s.getOpendata, noContent},
		{"GET", "/api/v1/opendata/postal_codes", s.getPostalCodes, "{}"},
	}
	mux := http.NewServeMux()
	handle := func(pattern string, serve func(http.ResponseWriter, *http.Request) error) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := serve(w, r); err != nil {
				s.fail(w, r, err)
			}
		})
	}
	for _, route := range table {
		allow := route.method + ", OPTIONS"
		if route.method == "GET" {
			allow = "GET, HEAD, OPTIONS"
		}
		handle(route.method+" "+route.path, route.serve)
		handle("OPTIONS "+route.path, func(w http.ResponseWriter, r *http.Request) error {
			w.Header().Set("Allow", allow)
			switch route.options {
			case noContent:
				w.WriteHeader(http.StatusNoContent)
				return nil
			case "":
				return s.answer(w, r, typeNone, "")
			}
			return s.answer(w, r, typeJSON, "", route.options)
		})
		handle(route.path, func(w http.ResponseWriter, r *http.Request) error {
			w.Header().Set("Allow", allow)
			return fail(http.StatusMethodNotAllowed, "%s does not answer %s, only %s.", r.URL.Path, r.Method, allow)
		})
	}
	handle("/", func(w http.ResponseWriter, r *http.Request) error { return nothing(r) })
	return mux
}

// noContent as the answer to OPTIONS is a 204.
const noContent = "204"

func (s *server) getIndex(w http.ResponseWriter, r *http.Request) error {
	return s.answer(w, r, typeJSON, s.tag("index"), `{"opendata":"/api/v1/opendata","flats":"/api/v1/flats","flat":"/api/v1/flat/:id",`+
		`"search":"/api/v1/search","ics":"/api/v1/ics/visits.ics","time_to_places":"/api/v1/time_to_places"}`)
}

func (s *server) getOpendata(w http.ResponseWriter, r *http.Request) error {
	return s.answer(w, r, typeJSON, s.tag("index"), `{"postal_codes":"/api/v1/opendata/postal_codes"}`)
}

func (s *server) getFlats(w http.ResponseWriter, r *http.Request) error {
	q, err := parseQuery(flatFields, r.URL.RawQuery, "cost")
	if err != nil {
		return err
	}
	return s.answerPage(w, r, &q, s.store.List(&q))
}

func (s *server) getPostalCodes(w http.ResponseWriter, r *http.Request) error {
	q, err := parseQuery(postalFields, r.URL.RawQuery, "postal_code")
	if err != nil {
		return err
	}
	return s.answerPage(w, r, &q, s.codes.find(&q, nil))
}

func (s *server) postSearch(w http.ResponseWriter, r *http.Request) error {
	defer watch(r)()
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	members, err := parseObject(body)
	i := slices.IndexFunc(members, func(m member) bool { return m.name == "query" && m.literal[0] == '"' })
	if err != nil || i < 0 {
		return fail(http.StatusBadRequest, "Invalid query provided.")
	}
	q, err := parseQuery(flatFields, r.URL.RawQuery, "cost")
	if err != nil {
		return err
	}
	page, err := s.store.Search(r.Context(), unquote(members[i].literal), &q)
	if err != nil {
		return err
	}
	return s.answerPage(w, r, &q, page)
}

func (s *server) getFlat(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	f := s.store.Get(id)
	if f == nil {
		return noFlat(id)
	}
	return s.answerFlat(w, r, f)
}

func (s *server) patchFlat(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if s.store.Get(id) == nil {
		return noFlat(id)
	}
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	f, err := s.store.Update(id, body)
	if err != nil {
		return err
	}
	return s.answerFlat(w, r, f)
}

func (s *server) answerFlat(w http.ResponseWriter, r *http.Request, f *Flat) error {
	return s.answer(w, r, typeJSON, s.versionTag(f.version, ""), `{"data":`, f.listed()[1:], `}`)
}

func (s *server) getVisits(w http.ResponseWriter, r *http.Request) error {
	feed := visitsCalendar(s.store.Visits(), s.codes, s.config.WebsiteURL, s.config.Timezone, s.log)
	w.Header().Set("Content-Disposition", `inline; filename="visits.ics"`)
	return s.answer(w, r, typeICS, fmt.Sprintf(`"%x"`, sha256.Sum256(feed)), string(feed))
}

func (s *server) getPlaces(w http.ResponseWriter, r *http.Request) error {
	return s.answer(w, r, typeJSON, s.tag("places"), `{"data":`+s.places+`}`)
}

func (s *server) getMetadata(w http.ResponseWriter, r *http.Request) error {
	flats, updated, v := s.store.State()
	last := "null"
	if at := updated.Time(); updated.Known() && at.Year() >= 0 && at.Year() <= 9999 {
		last = quote(updated.Time().Format(time.RFC3339))
	}
	return s.answer(w, r, typeJSON, s.versionTag(v, ""),
		fmt.Sprintf(`{"data":{"version":%s,"flats":%d,"postal_codes":%d,"last_update":%s}}`, quote(version), flats, len(s.codes.rows), last))
}

// A page is the folder web/ as it is served. One hash stands for all of it and
// is part of the assets' path: they import each other by relative paths, and
// may be kept for ever.
type page struct {
	hash   string
	index  string            // index.html with the hash in its links
	assets map[string]string // contents by name
}

// newPage prepares the embedded page. Who may load it at all may also know the
// token of the calendar feed, which needs one where there is a password.
func newPage(config *Config) *page {
	p := &page{assets: make(map[string]string)}
	sum := sha256.New()
	files, _ := web.ReadDir("web") // embedded: it cannot fail
	for _, file := range files {
		text, _ := web.ReadFile("web/" + file.Name())
		fmt.Fprintf(sum, "%s %d\n%s", file.Name(), len(text), text)
		p.assets[file.Name()] = string(text)
	}
	p.hash = fmt.Sprintf("%x", sum.Sum(nil)[:8])
	p.index = strings.ReplaceAll(p.assets["index.html"], `"assets/-/`, `"assets/`+p.hash+`/`)
	if config.Password != "" {
		const meta = `<meta name="flats-feed-token" content="`
		p.index = strings.Replace(p.index, meta, meta+html.EscapeString(config.FeedToken), 1)
	}
	delete(p.assets, "index.html")
	return p
}

// pageHeader lets the page load its own files, speak to this service alone,
// and show the photos of listings.
func pageHeader(h http.Header, cache string) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self'; "+
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", cache)
}

func (s *server) getPage(w http.ResponseWriter, r *http.Request) error {
	pageHeader(w.Header(), "no-cache")
	return s.answer(w, r, typeHTML, fmt.Sprintf(`"%x"`, sha256.Sum256([]byte(s.page.index))), s.page.index)
}

func (s *server) getAsset(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("name")
	text, ok := s.page.assets[name]
	if !ok || r.PathValue("hash") != s.page.hash {
		return nothing(r)
	}
	pageHeader(w.Header(), "max-age=31536000, immutable")
	return s.answer(w, r, assetTypes[path.Ext(name)], `"`+s.page.hash+`"`, text)
}

// nothing is the failure of a path that no route has.
func nothing(r *http.Request) error {
	return fail(http.StatusNotFound, "There is nothing at %s.", r.URL.Path)
}

// mostBody bounds the body of a request.
const mostBody = 1 << 20

func readBody(w http.ResponseWriter, r *http.Request) (string, error) {
	if 0 <= r.ContentLength && r.ContentLength <= 4<<10 { // nearly all are
		body := make([]byte, r.ContentLength)
		if _, err := io.ReadFull(r.Body, body); err != nil {
			return "", fail(http.StatusBadRequest, "The body could not be read: %v.", err)
		}
		return string(body), nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return "", fail(http.StatusRequestEntityTooLarge, "The body is larger than %d bytes.", mostBody)
	}
	if err != nil {
		return "", fail(http.StatusBadRequest, "The body could not be read: %v.", err)
	}
	return string(body), nil
}

// tag is a strong entity tag for what has a name in this run.
func (s *server) tag(name string) string { return `"` + s.epoch + "-" + name + `"` }

// versionTag is a tag for a version of something, in a variant or "".
func (s *server) versionTag(version uint64, variant string) string {
	var space [64]byte
	b := strconv.AppendUint(append(append(append(space[:0], '"'), s.epoch...), '-'), version, 10)
	return string(append(append(b, variant...), '"'))
}

// notModified answers 304 where the client holds what the tag stands for
// (RFC 9110, 13.1.2).
func notModified(w http.ResponseWriter, r *http.Request, tag string) bool {
	if tag == "" || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	w.Header()["Etag"] = []string{tag}
	for _, header := range r.Header["If-None-Match"] {
		for held := range strings.SplitSeq(header, ",") {
			if held = strings.TrimSpace(held); held == "*" || strings.TrimPrefix(held, "W/") == tag {
				w.WriteHeader(http.StatusNotModified)
				return true
			}
		}
	}
	return false
}

// answer writes a whole answer with status 200, of which the body may come in
// parts. A tag of "" is none; so is a content type.
func (s *server) answer(w http.ResponseWriter, r *http.Request, contentType []string, tag string, body ...string) error {
	if notModified(w, r, tag) {
		return nil
	}
	write(w, r, http.StatusOK, contentType, body...)
	return nil
}

// Header values that are shared by all answers, and never changed.
var (
	typeNone []string
	typeJSON = []string{"application/json"}
	typeICS  = []string{"text/calendar; charset=utf-8"}
	typeHTML = []string{"text/html; charset=utf-8"}
	nosniff  = []string{"nosniff"}

	vary       = []string{"Origin"}
	varyZipped = []string{"Origin, Accept-Encoding"}
)

// assetTypes are set here because the system's table of types may be wrong.
var assetTypes = map[string][]string{
	".css": {"text/css; charset=utf-8"},
	".js":  {"text/javascript; charset=utf-8"},
}

func write(w http.ResponseWriter, r *http.Request, status int, contentType []string, body ...string) {
	length := 0
	for _, part := range body {
		length += len(part)
	}
	h := w.Header()
	if contentType != nil {
		h["Content-Type"] = contentType
	}
	h["Content-Length"] = []string{strconv.Itoa(length)}
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return
	}
	for _, part := range body {
		if _, err := io.WriteString(w, part); err != nil {
			return // the client has gone
		}
	}
}

// A list is the body of an answer with records (api.md 4.1, rule 5). It is
// read once.
type list struct {
	records []string // those to come: the JSON of each behind a comma
	tail    string   // what comes behind them
	rest    string   // what comes before them: the head, or what is left of a piece
}

// next returns the next piece of the list, "" behind the last.
func (l *list) next() (piece string) {
	switch {
	case l.rest != "":
		piece, l.rest = l.rest, ""
	case len(l.records) > 0:
		piece, l.records = l.records[0], l.records[1:]
	default:
		piece, l.tail = l.tail, ""
	}
	return piece
}

// Read is for readers that do not know of the pieces.
func (l *list) Read(b []byte) (n int, err error) {
	for n < len(b) {
		piece := l.next()
		if piece == "" {
			return n, io.EOF
		}
		taken := copy(b[n:], piece)
		n += taken
		l.rest = piece[taken:]
	}
	return n, nil
}

// answerPage writes a list. However long it is, it takes little memory.
func (s *server) answerPage(w http.ResponseWriter, r *http.Request, q *Query, page Page) error {
	perPage := q.size
	if perPage == 0 {
		perPage = int64(len(page.records))
	}
	var space [64]byte
	tail := strconv.AppendInt(append(space[:0], `],"page":`...), q.number, 10)
	tail = strconv.AppendInt(append(tail, `,"items_per_page":`...), perPage, 10)
	body := &list{records: page.records, tail: string(append(tail, '}')), rest: `{"data":[`}
	if len(page.records) > 0 {
		page.records[0] = page.records[0][1:]
	}
	length := len(body.rest) + len(body.tail)
	for _, record := range page.records {
		length += len(record)
	}

	h := w.Header()
	values := new([3]string) // in one allocation
	values[0] = strconv.Itoa(page.total)
	h["X-Total-Count"] = values[0:1:1]
	if q.size > 0 {
		if values[1] = q.links(page.total); values[1] != "" {
			h["Link"] = values[1:2:2]
		}
	}
	variant := ""
	var zip *zipper
	if length > worthZipping {
		h["Vary"] = varyZipped
		if takesGzip(r) {
			select {
			case zip = <-zippers:
				defer func() { zippers <- zip }()
				variant = "-gzip"
			default: // others are at it: this one is sent as it is
			}
		}
	}
	if notModified(w, r, s.versionTag(page.version, variant)) {
		return nil
	}
	h["Content-Type"] = typeJSON
	if zip != nil {
		h["Content-Encoding"] = []string{"gzip"}
	} else {
		values[2] = strconv.Itoa(length)
		h["Content-Length"] = values[2:3:3]
	}
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return nil
	}
	if zip != nil {
		zip.copy(w, body)
		return nil
	}
	// An error means that the client has gone.
	if c, ok := r.Context().Value(connectionKey{}).(*connection); ok && length > 1<<10 {
		// Of a body of known length, net/http copies 512 bytes itself and leaves
		// the rest to ReadFrom.
		c.joins = true
		io.Copy(w, body)
		c.joins = false
		return nil
	}
	for piece := body.next(); piece != ""; piece = body.next() {
		if _, err := io.WriteString(w, piece); err != nil {
			break
		}
	}
	return nil
}

// A zipper compresses lists with gzip, one after the other.
type zipper struct {
	gzip *gzip.Writer
	out  *bufio.Writer
}

// zippers are those that are free. A zipper takes a megabyte, and a slow
// client keeps it for long, so that there are not many.
var zippers = func() chan *zipper {
	c := make(chan *zipper, 8)
	for range cap(c) {
		c <- &zipper{}
	}
	return c
}()

// worthZipping is the size from which a list takes longer to send than to
// compress on the way to a phone.
const worthZipping = 32 << 10

// copy compresses a text into w. An error means that the client has gone.
func (z *zipper) copy(w io.Writer, text io.Reader) {
	if z.gzip == nil {
		z.out = bufio.NewWriterSize(nil, 32<<10)
		z.gzip, _ = gzip.NewWriterLevel(z.out, gzip.BestSpeed)
	}
	z.out.Reset(w)
	z.gzip.Reset(z.out)
	if _, err := io.Copy(z.gzip, text); err == nil && z.gzip.Close() == nil {
		z.out.Flush()
	}
	z.out.Reset(nil)
}

// takesGzip reports whether a client asks for gzip (RFC 9110, 12.5.3).
func takesGzip(r *http.Request) bool {
	for _, header := range r.Header["Accept-Encoding"] {
		for coding := range strings.SplitSeq(header, ",") {
			name, weight, _ := strings.Cut(coding, ";")
			if strings.EqualFold(strings.TrimSpace(name), "gzip") {
				_, q, weighted := strings.Cut(weight, "=")
				return !weighted || strings.Trim(q, "0. \t") != ""
			}
		}
	}
	return false
}

// fail writes the error object of api.md 2.5, and logs what is no fault of the
// client's.
func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	f := &failure{http.StatusInternalServerError, err.Error()}
	errors.As(err, &f)
	if f.status >= 500 && r.Context().Err() == nil {
		s.log.Error("request failed", "client", r.RemoteAddr, "method", r.Method, "path", r.URL.Path, "err", err)
	}
	for _, name := range []string{"X-Total-Count", "Link", "Content-Encoding", "Etag", "Content-Disposition"} {
		w.Header().Del(name)
	}
	write(w, r, f.status, typeJSON, fmt.Sprintf(`{"error":%s,"status_code":%d}`, quote(f.text), f.status))
}

// underWebsite answers under the path of the website's URL, too: for proxies
// that pass requests on as they are.
func (s *server) underWebsite(next http.Handler) http.Handler {
	site, _ := url.Parse(s.config.WebsiteURL)
	base := strings.TrimSuffix(site.Path, "/")
	if base == "" {
		return next
	}
	stripped := http.StripPrefix(base, next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, base+"/") {
			stripped.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// guarded lets in who may come in: the names under which browsers reach the
// service (DNS rebinding), the origins that may read and change it (CORS and
// cross-site requests), and the one user.
func (s *server) guarded(next http.Handler) http.Handler {
	c := s.config
	site, _ := url.Parse(c.WebsiteURL)
	origins := append([]string{originOf(site)}, c.CORSOrigins...)
	anyOrigin := slices.Contains(origins, "*")
	crossOrigin := http.NewCrossOriginProtection()
	for _, origin := range origins {
		if origin != "*" {
			if err := crossOrigin.AddTrustedOrigin(origin); err != nil {
				s.log.Warn("an origin cannot be trusted", "origin", origin, "err", err)
			}
		}
	}
	rebindable := isLoopback(c.Addr) && c.Password == ""

	check := func(w http.ResponseWriter, r *http.Request) error {
		if rebindable && r.Host != c.Addr && !knownHost(r.Host, site.Hostname()) {
			return fail(http.StatusForbidden, "The host name %q is not known here: set website_url to the URL under which the service is reached.", r.Host)
		}
		if origin := r.Header.Get("Origin"); origin != "" && (anyOrigin || slices.Contains(origins, origin)) {
			allowOrigin(w, r, origin, slices.Contains(origins, origin))
		}
		switch r.Method {
		case http.MethodOptions:
			return nil
		case http.MethodConnect:
			return fail(http.StatusMethodNotAllowed, "This is no proxy.")
		}
		if err := crossOrigin.Check(r); err != nil && !anyOrigin {
			return fail(http.StatusForbidden, "Requests from the origin %q are refused: add it to cors_origins to allow them.", r.Header.Get("Origin"))
		}
		if c.Password != "" && !s.knows(r) {
			w.Header().Set("WWW-Authenticate", `Basic realm="flats", charset="UTF-8"`)
			return fail(http.StatusUnauthorized, "The user name or the password is wrong or missing.")
		}
		return nil
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Vary"] = vary
		if err := check(w, r); err != nil {
			s.fail(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// allowOrigin lets a page of an origin read the answer and, after a
// preflight, send what the API takes. Only an origin that the config names
// may use the password that the browser keeps.
func allowOrigin(w http.ResponseWriter, r *http.Request, origin string, named bool) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", "ETag, Link, X-Total-Count")
	if named {
		h.Set("Access-Control-Allow-Credentials", "true")
	}
	if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
		h.Set("Access-Control-Allow-Methods", "GET, HEAD, PATCH, POST")
		h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, If-None-Match")
		h.Set("Access-Control-Max-Age", "600")
	}
}

// knows reports whether a request brings the user's name and password or, for
// the calendar, its token. How long it takes tells nothing about how near a
// guess is.
func (s *server) knows(r *http.Request) bool {
	name, password, _ := r.BasicAuth()
	if same(name, s.config.Username)&same(password, s.config.Password) == 1 {
		return true
	}
	if r.URL.Path != feedPath || s.config.FeedToken == "" {
		return false
	}
	query, _ := url.ParseQuery(strings.ReplaceAll(r.URL.RawQuery, ";", "%3B")) // a semicolon parts nothing
	return same(query.Get("token"), s.config.FeedToken) == 1
}

const feedPath = "/api/v1/ics/visits.ics"

// same compares two secrets; 1 means equal. Hashes hide their lengths.
func same(a, b string) int {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:])
}

// knownHost reports whether a Host header is one under which no other site
// can be: an address, localhost or the website's own name.
func knownHost(host, site string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(name, "["), "]"), ".")
	return name == "" || strings.EqualFold(name, "localhost") || strings.EqualFold(name, site) || net.ParseIP(name) != nil
}

func isLoopback(addr string) bool {
	host, _, _ := net.SplitHostPort(addr)
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// recovered turns a panic of a handler into a failure of the one request.
func (s *server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["X-Content-Type-Options"] = nosniff
		rec := &recorder{ResponseWriter: w}
		defer func() {
			what := recover()
			if what == nil || what == http.ErrAbortHandler {
				return
			}
			s.log.Error("panic", "err", what, "stack", string(debug.Stack()))
			if rec.status != 0 {
				panic(http.ErrAbortHandler) // an answer that has begun can only be cut
			}
			s.fail(rec, r, fmt.Errorf("internal error: %v", what))
		}()
		next.ServeHTTP(rec, r)
	})
}

// logged writes a line to the log for each request.
func (s *server) logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		rec := &recorder{ResponseWriter: w}
		defer func() {
			s.log.Info("request", "client", r.RemoteAddr, "method", r.Method, "path", r.URL.Path,
				"status", rec.status, "bytes", rec.bytes, "time", time.Since(start))
		}()
		next.ServeHTTP(rec, r)
	})
}

// A recorder remembers the status and the size of an answer.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(b)
	r.bytes += int64(n)
	return n, err
}

func (r *recorder) WriteString(s string) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := io.WriteString(r.ResponseWriter, s)
	r.bytes += int64(n)
	return n, err
}

// ReadFrom lets [connection.ReadFrom] through.
func (r *recorder) ReadFrom(src io.Reader) (int64, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := io.Copy(r.ResponseWriter, src)
	r.bytes += n
	return n, err
}

// openSample loads the embedded flats, moved by whole weeks so that their
// visits are to come.
func openSample(config *Config, now time.Time, log *slog.Logger) (*Store, *PostalCodes, error) {
	text, err := fs.ReadFile(sample, "sample/postal_codes.json")
	if err != nil {
		return nil, nil, err
	}
	rows, err := readPostalCodes("sample/postal_codes.json", string(text))
	if err != nil {
		return nil, nil, err
	}
	codes := newPostalCodes(rows, config.areas())
	if text, err = fs.ReadFile(sample, "sample/flats.json"); err != nil {
		return nil, nil, err
	}
	flats, err := readFlats("sample/flats.json", string(text), codes)
	if err != nil {
		return nil, nil, err
	}
	// The sample was written in the week of this Monday.
	monday := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	const week = 7 * 24 * time.Hour
	weeks := now.Sub(monday) / week * week
	for i, f := range flats {
		var moved []member
		for name, d := range map[string]*Datetime{"date": &f.Date, "visit_date": &f.VisitDate} {
			if d.Known() {
				moved = append(moved, member{name: name, literal: quote(shift(unquote(d.of(f.text)), weeks))})
			}
		}
		if flats[i], err = f.with(moved, codes); err != nil {
			return nil, nil, err
		}
	}
	return memoryStore(flats, codes, log), codes, nil
}

// shift moves the day that a datetime begins with, and leaves its clock as it
// is.
func shift(datetime string, by time.Duration) string {
	day, err := time.Parse(time.DateOnly, datetime[:10])
	if err != nil {
		return datetime
	}
	return day.Add(by).Format(time.DateOnly) + datetime[10:]
}
