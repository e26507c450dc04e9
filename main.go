// Flats keeps the listings of one person's search for a home and serves them
// over a JSON HTTP API and as a web page. Its manual is below; docs/running.md
// describes its files, its configuration and its use of the network.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"html"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"math"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unicode/utf8"
)

// This file contains the program and its HTTP interface:
//
//	Command line          flags, subcommands, run
//	Serving               the data that is served, listening, shutdown
//	Routes                the route table
//	Handlers              a function for each route
//	Assistants            the Model Context Protocol and its tools
//	The page              the embedded files
//	Requests and answers  bodies, entity tags, compression, errors
//	Access                paths behind a proxy, host names, origins, passwords
//	Failures and log      panics, the access log

// version is set by releases: -ldflags "-X main.version=1.2.3".
var version = "1.0.0"

// web contains the files of the page: all of web/ except the Go tests.
//
//go:embed web/*.js web/*.css web/*.html web/*.webmanifest web/*.png web/*.svg web/lib web/parts web/views web/words
var web embed.FS

//go:embed docs/openapi.json
var openAPIFile []byte

//go:embed docs/mcp.json
var toolsFile []byte

// Command line
// ------------

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal restores the default handling, so a second one ends the program at once.
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
as a web page and over a JSON HTTP API, at /api/v1/.

Usage:
  flats [-config FILE] [-data FILE] [-addr HOST:PORT] [-access-log] [-log-json]
  flats -sample
  flats import [-config FILE] [-data FILE] [-complete SITE] FILE|- ...
  flats -version | -h

Import checks listings and hands them to the service, which imports them
within a second, or at its next start. Its flags may also follow the files;
everything after -- is a file. A flag wins over the environment
(FLATS_PASSWORD), the environment over the config file, and the config file
over the defaults. The exit status is 0 after an orderly stop (SIGINT or
SIGTERM), 1 after a failure, and 2 for wrong usage.

Flags:
`

// options holds the command line.
type options struct {
	configFile, dataFile, addr              string
	sample, accessLog, logJSON, showVersion bool
	complete                                string   // the site of a complete import, "" for none
	files                                   []string // the arguments of import, nil for any other command
}

// parseFlags reads the command line. It returns flag.ErrHelp if help is requested.
func parseFlags(args []string) (o options, flags *flag.FlagSet, err error) {
	flags = flag.NewFlagSet("flats", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.configFile, "config", "", "read the config from `FILE` (default config.json, if it is there)")
	flags.StringVar(&o.dataFile, "data", "", "keep the flats in `FILE` (default flats.json)")
	flags.StringVar(&o.addr, "addr", "", "listen at `HOST:PORT` (default 127.0.0.1:8080)")
	flags.BoolVar(&o.sample, "sample", false, "serve made-up flats from memory; nothing is written")
	flags.BoolVar(&o.accessLog, "access-log", false, "log every request")
	flags.BoolVar(&o.logJSON, "log-json", false, "log in JSON instead of text")
	flags.BoolVar(&o.showVersion, "version", false, "print the version and exit")
	const completeUsage = "the files list everything that `SITE` has: mark its other flats as gone"
	flags.Func("complete", completeUsage, func(site string) error {
		if site == "" {
			return errors.New("must not be empty")
		}
		o.complete = site
		return nil
	})
	err = flags.Parse(args)
	importing := err == nil && flags.Arg(0) == "import"
	if importing {
		rest := flags.Args()[1:]
		var afterDashes []string // all of them are files
		if i := slices.Index(rest, "--"); i >= 0 {
			rest, afterDashes = rest[:i], rest[i+1:]
		}
		// flag.Parse stops at the first file, but flags may follow it.
		for err == nil && len(rest) > 0 {
			err = flags.Parse(rest)
			rest = flags.Args()
			if len(rest) > 0 {
				o.files = append(o.files, rest[0])
				rest = rest[1:]
			}
		}
		o.files = append(o.files, afterDashes...)
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return o, flags, err
	case err != nil:
		return o, flags, usageError(err.Error())
	}
	return o, flags, o.check(importing, flags.Args())
}

// check returns an error if the options contradict each other. arguments are those after the flags.
func (o options) check(importing bool, arguments []string) error {
	switch {
	case importing && (o.addr != "" || o.sample || o.accessLog || o.logJSON || o.showVersion):
		return usageError("import accepts only -config, -data and -complete")
	case importing && len(o.files) == 0:
		return usageError("import: name files with listings, or - for standard input")
	case !importing && o.complete != "":
		return usageError("-complete is only for import")
	case !importing && len(arguments) > 0:
		return usageError(fmt.Sprintf("there is no command %q", arguments[0]))
	case o.sample && (o.configFile != "" || o.dataFile != ""):
		return usageError("-sample serves its own flats: remove -config and -data")
	case o.addr == "":
		return nil
	}
	if err := checkAddr(&o.addr); err != nil {
		return usageError("-addr: " + err.Error())
	}
	return nil
}

// run runs the program. It serves until ctx is done, and then shuts down cleanly. The log
// goes to stderr.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, flags, err := parseFlags(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		io.WriteString(stdout, manual)
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		return nil
	case err != nil:
		return err
	case o.files != nil:
		return runImport(o, stdout)
	case o.showVersion:
		build, _ := debug.ReadBuildInfo() // never nil, because the program is built as a module
		fmt.Fprintln(stdout, "flats", version, build.Main.Version)
		return nil
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	if o.logJSON {
		log = slog.New(slog.NewJSONHandler(stderr, nil))
	}
	config, err := o.config(log)
	if err != nil {
		return err
	}
	// Listen first, so that an address in use fails before any data is loaded.
	listener, err := net.Listen("tcp", config.Addr)
	if err != nil {
		return fmt.Errorf("%w: choose another address with -addr", err)
	}
	defer listener.Close()
	config.Addr = listener.Addr().String()
	if err := config.finish(); err != nil {
		return err
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50) // saves memory: most of the heap lives as long as the process
	}
	return o.runService(ctx, config, listener, log)
}

// runService opens the data and serves it until ctx is done.
func (o options) runService(ctx context.Context, config *Config, listener net.Listener, log *slog.Logger) error {
	store, err := openData(config, o.sample, log)
	if err != nil {
		return err
	}
	views, err := openViews(store, o.sample, log)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	notifier := newNotifier(views, config.Notify, config.WebsiteURL)
	finder := newFinder(store, config.Travel, config.Constraints, config.Timezone)
	keeper := newKeeper(store, config.Data, config.MaxPhotos)
	ctx, stop := context.WithCancel(ctx) // ends the goroutines below even if serve fails
	defer stop()
	var background sync.WaitGroup
	background.Go(func() { notifier.run(ctx) })
	if !o.sample { // the sample stores nothing and asks no other service
		folder := importFolder(config.Data)
		// Listings are private. An existing folder keeps its mode.
		if err := os.MkdirAll(folder, 0o700); err != nil {
			log.Warn("the import folder cannot be created", "err", err)
		}
		watcher := newWatcher(store, folder, config.MaxImport)
		background.Go(func() { watcher.watch(ctx) })
		background.Go(func() { finder.run(ctx) })
		if config.KeepPhotos {
			background.Go(func() { keeper.run(ctx) })
		}
	}
	handler := newHandler(config, store, notifier, finder, keeper, log, o.accessLog)
	err = serve(ctx, listener, handler, log)
	stop()
	// Let the current import and message end, and the finder and the keeper store what they have.
	background.Wait()
	return errors.Join(err, store.Close())
}

// config returns the config that flags, environment and config file give together.
func (o options) config(log *slog.Logger) (config *Config, err error) {
	name, text, err := o.readConfig()
	if err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	config, err = parseConfig(name, text, log)
	if err != nil {
		return nil, err
	}
	// The sample has no password: it stores nothing, and nothing in it is private.
	if password := os.Getenv("FLATS_PASSWORD"); password != "" && !o.sample {
		config.Password = password
	}
	config.Addr = cmp.Or(o.addr, config.Addr)
	config.Data = cmp.Or(o.dataFile, config.Data)
	if !isLoopback(config.Addr) && config.Password == "" && !o.sample {
		log.Warn("everybody who reaches this address can read and change the flats: set username and password",
			"addr", config.Addr)
	}
	return config, nil
}

// readConfig returns the name and the text of the config file. If the command line names none,
// the file may be missing.
func (o options) readConfig() (name string, text []byte, err error) {
	if o.sample {
		return "sample/config.json", sampleFile("config.json"), nil
	}
	name = cmp.Or(o.configFile, "config.json")
	text, err = readExisting(name, maxConfig)
	if o.configFile == "" && errors.Is(err, fs.ErrNotExist) {
		return name, []byte("{}"), nil
	}
	return name, text, err
}

// runImport checks the listings of all files, then puts them into the import folder as one file.
func runImport(o options, stdout io.Writer) error {
	config, err := o.config(slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	// A claim says that the listings are all that a site has.
	type claim struct {
		source string // what makes the claim, for errors
		site   string
	}
	listings := Listings{Flats: []members{}}
	var claims []claim
	for _, name := range o.files {
		text, err := readInput(name, config.MaxImport)
		if err != nil {
			return err
		}
		part, err := readListings(name, text)
		if err != nil {
			return fmt.Errorf("%w (nothing was imported)", err)
		}
		listings.Flats = append(listings.Flats, part.Flats...)
		listings.partial = listings.partial || part.partial
		if part.Complete != "" {
			claims = append(claims, claim{name + ": complete", part.Complete})
		}
	}
	if o.complete != "" {
		claims = append(claims, claim{"-complete", o.complete})
	}
	for _, c := range claims {
		if err := listings.markComplete(c.site); err != nil {
			return fmt.Errorf("%s: %w (nothing was imported)", c.source, err)
		}
	}
	// All listings become one file in the import folder, so the limits of one file apply.
	together := encodeJSON(listings)
	if int64(len(together)) > config.MaxImport {
		return fmt.Errorf("nothing was imported: together the files have more than %d bytes: "+
			"import them in parts", config.MaxImport)
	}
	if _, err := readListings("the files together", []byte(together)); err != nil {
		return fmt.Errorf("%w (nothing was imported)", err)
	}
	folder := importFolder(config.Data)
	notice := ""
	used, _ := osDisk{}.List(config.Data) // the data file and its journals
	if _, err := os.Stat(folder); err != nil && len(used) == 0 {
		data, _ := filepath.Abs(config.Data)
		notice = fmt.Sprintf("no service has kept flats in %s yet: the listings wait until one starts there; "+
			"if yours keeps them elsewhere, name its file with -data or -config\n", data)
	}
	if err := placeImport(osDisk{}, folder, listings); err != nil {
		return fmt.Errorf("nothing was imported: %w", err)
	}
	_, err = fmt.Fprintf(stdout, "listings handed to the service in %s: %d\n%s", folder, len(listings.Flats), notice)
	return err
}

// readInput reads a file, or standard input for "-". More than limit bytes are an error.
func readInput(name string, limit int64) ([]byte, error) {
	in := os.Stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s is larger than %d bytes: import it in parts, or raise max_import", name, limit)
	}
	return text, err
}

// Serving
// -------

// openData opens the store that the config names, or the sample.
func openData(config *Config, useSample bool, log *slog.Logger) (*Store, error) {
	if useSample {
		return openSample(config, time.Now(), log), nil
	}
	codes, err := loadPostalCodes(config.PostalCodes, config.Constraints)
	if err != nil {
		return nil, err
	}
	store, err := openStore(config.Data, osDisk{}, codes, log, config.fieldNames()...)
	if err != nil {
		return nil, err
	}
	log.Info("serving", "data", config.Data, "flats", store.snapshot().size,
		"postal_codes", codes.all.size, "constraints", len(config.Constraints))
	if _, err := os.Stat(config.Data); err != nil {
		log.Warn("the data file does not exist yet: the first flat creates it", "data", config.Data)
	}
	return store, nil
}

// openSample opens a store of the embedded flats. It shifts all dates by the same number of
// weeks, so that the visits are in the future.
func openSample(config *Config, now time.Time, log *slog.Logger) *Store {
	// The sample was written in the week of this Monday.
	monday := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	shift := now.Sub(monday).Truncate(7 * 24 * time.Hour)
	text := sampleDay.ReplaceAllFunc(sampleFile("flats.json"), func(day []byte) []byte {
		at, _ := time.Parse(time.DateOnly, string(day))
		return at.Add(shift).AppendFormat(nil, time.DateOnly)
	})
	// The errors are always nil: both files are embedded, and tests read them.
	entries, _ := readPostalCodes("sample/postal_codes.json", sampleFile("postal_codes.json"))
	codes := newPostalCodes(entries, config.Constraints)
	flats, _ := readFlats("sample/flats.json", text, codes, log)
	log.Info("serving made-up flats from memory", "flats", len(flats))
	return newStore(flats, codes, log, nil, config.fieldNames()...)
}

// openViews opens the views of a store, or those of the sample.
func openViews(store *Store, useSample bool, log *slog.Logger) (*Views, error) {
	if useSample {
		return newViews(store, "sample/views.json", string(sampleFile("views.json")), log)
	}
	text := store.writer.files.viewsText
	if store.writer.files.viewsInfo != nil && text == "" {
		text = "\n" // "" would mean no file, but an empty file must be refused as damaged
	}
	return newViews(store, store.writer.files.views, text, log)
}

// patience is the time that a client may take to send a request, and to receive an answer
// or each chunk of a long one. Tests shorten it.
var patience = time.Minute

// chunk is the number of bytes of a long answer that are sent at once.
const chunk = 64 << 10

// serve answers requests until ctx is done. It then gives current requests some time to end.
func serve(ctx context.Context, listener net.Listener, handler http.Handler, log *slog.Logger) error {
	server := &http.Server{
		Handler:        handler,
		ReadTimeout:    patience,
		WriteTimeout:   patience, // extended by the recorder
		IdleTimeout:    2 * patience,
		MaxHeaderBytes: 64 << 10,
		ErrorLog:       slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	log.Info("listening", "url", "http://"+listener.Addr().String()+"/")
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	log.Info("stopping")
	shutdownCtx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := server.Shutdown(shutdownCtx); err != nil {
		server.Close()
	}
	return nil
}

// Routes
// ------

// A server holds what the handlers share.
type server struct {
	config      *Config
	store       *Store
	views       *Views
	notifier    *notifier
	finder      *finder
	keeper      *keeper
	log         *slog.Logger
	longUploads atomic.Int64 // the number of imports with long bodies under way
	epoch       string       // part of entity tags, different for each run of the service
}

// newHandler returns the service's handler.
func newHandler(config *Config, store *Store, notifier *notifier, finder *finder, keeper *keeper, log *slog.Logger,
	accessLog bool) http.Handler {
	s := &server{
		config:   config,
		store:    store,
		views:    notifier.views,
		notifier: notifier,
		finder:   finder,
		keeper:   keeper,
		log:      log,
		epoch:    strconv.FormatInt(time.Now().UnixNano(), 36),
	}
	mux := s.routes(s.table())
	guarded := s.guarded(mux)
	return s.observed(s.underWebsite(mux, guarded), accessLog)
}

// A handler answers a request, or returns an error that [server.answerError] answers.
type handler func(http.ResponseWriter, *http.Request) error

// A route is a line of the route table. Several methods may share a path.
type route struct {
	method, path string
	serve        handler
	options      handler // answers OPTIONS
}

// table returns all routes.
func (s *server) table() []route {
	emptyObject := constant("{}")
	getPage, assistants := newPage(s.config).get, newAssistants(s)
	return []route{
		{"GET", "/{$}", getPage, noContent},
		{"GET", "/sw.js", getPage, noContent},
		{"GET", "/manifest.webmanifest", getPage, noContent},
		{"GET", "/assets/{hash}/{name...}", getPage, noContent},

		// Version 1.
		{"GET", "/api/v1", constant(index), noContent},
		{"GET", "/api/v1/{$}", constant(index), noContent},
		{"GET", "/api/v1/flats", s.listFlats(flatFields), emptyText},
		{"GET", "/api/v1/flats/{id...}", s.getFlat, emptyObject},
		{"PATCH", "/api/v1/flat/{id...}", s.patchFlat, emptyObject},
		{"POST", "/api/v1/search", s.postSearch, emptyObject},
		{"GET", feedPath, s.getVisits, emptyObject},
		{"GET", "/api/v1/time_to_places", constant(`{"data":` + s.config.places() + `}`), emptyObject},
		{"GET", "/api/v1/metadata", s.getMetadata, emptyObject},
		{"GET", "/api/v1/opendata", constant(opendata), noContent},
		{"GET", "/api/v1/opendata/postal_codes", s.getPostalCodes, emptyObject},

		// Beyond version 1.
		{"GET", "/api/v1/find", s.listFlats(s.store.table.fields), emptyObject},
		{"GET", "/api/v1/duplicates", s.getDuplicates, emptyObject},
		{"POST", importPath, s.postImport, emptyObject},
		{"GET", "/api/v1/imports", s.getImports, emptyObject},
		{"GET", "/api/v1/views", s.getViews, emptyObject},
		{"PUT", "/api/v1/views/{name...}", s.putView, emptyObject},
		{"DELETE", "/api/v1/views/{name...}", s.deleteView, emptyObject},
		{"GET", "/api/v1/notify", s.getNotify, emptyObject},
		{"POST", "/api/v1/notify", s.postNotify, emptyObject},
		{"GET", "/api/v1/travel", s.getTravel, emptyObject},
		{"GET", "/api/v1/photos", s.getPhotos, emptyObject},
		{"GET", "/api/v1/photos/{hash}", s.getPhoto, emptyObject},
		{"POST", "/api/v1/mcp", assistants.post, emptyObject},
		{"GET", "/api/v1/openapi.json", constant(openAPI(s.config.WebsiteURL)), emptyObject},
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
	for path, routes := range byPath {
		handle(path, func(w http.ResponseWriter, r *http.Request) error { return otherMethod(w, r, routes) })
	}
	for _, path := range []string{"/", "/api/v1/flat"} { // http.ServeMux would redirect the latter
		handle(path, func(w http.ResponseWriter, r *http.Request) error { return notFound(r) })
	}
	return mux
}

// otherMethod answers a method for which the path has no route. The first route of the path
// answers OPTIONS; any other method is refused with 405.
func otherMethod(w http.ResponseWriter, r *http.Request, routes []route) error {
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
		return fail(http.StatusMethodNotAllowed, "%s does not answer %s, only %s.", r.URL.Path, r.Method, allow)
	}
	if w.Header().Get("Access-Control-Allow-Headers") != "" { // set by allowOrigin for a preflight
		w.Header().Set("Access-Control-Allow-Methods", allow)
	}
	return routes[0].options(w, r)
}

// The answers of the index routes.
var (
	index = encodeJSON(map[string]string{
		"opendata":       "/api/v1/opendata",
		"flats":          "/api/v1/flats",
		"flat":           "/api/v1/flat/:id",
		"search":         "/api/v1/search",
		"ics":            feedPath,
		"time_to_places": "/api/v1/time_to_places",
	})
	opendata = encodeJSON(map[string]string{"postal_codes": "/api/v1/opendata/postal_codes"})
)

// constant returns a handler that answers with a JSON text.
func constant(body string) handler {
	return func(w http.ResponseWriter, r *http.Request) error { return answer(w, r, typeJSON, body) }
}

func noContent(w http.ResponseWriter, _ *http.Request) error {
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// emptyText answers OPTIONS of the list of flats, for which version 1 wants an empty string.
func emptyText(w http.ResponseWriter, r *http.Request) error {
	return write(w, r, http.StatusOK, "text/plain; charset=utf-8", "")
}

// openAPI returns docs/openapi.json with the version of the program and the URL of the service.
func openAPI(website string) string {
	var description map[string]any
	json.Unmarshal(openAPIFile, &description) // no error: tests read the embedded file
	description["info"].(map[string]any)["version"] = version
	description["servers"] = []map[string]string{{"url": strings.TrimSuffix(website, "/")}}
	return encodeJSON(description)
}

// Handlers
// --------

// listFlats returns a handler that lists flats. Queries may name the given fields.
func (s *server) listFlats(fields *Fields[Flat]) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		return answerList(s, w, r, fields, "cost", s.store.Find, (*Flat).JSON)
	}
}

func (s *server) getPostalCodes(w http.ResponseWriter, r *http.Request) error {
	return answerList(s, w, r, postalFields, "postal_code", s.store.codes.Find, (*PostalCode).JSON)
}

func (s *server) postSearch(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(w, r, maxBody, false)
	if err != nil {
		return err
	}
	object, err := parseObject(body)
	var query Text
	if err == nil {
		err = query.set(object.text("query"))
	}
	if err != nil || !query.Known() {
		return fail(statusInvalid, "Invalid query provided.")
	}
	search := func(work *task, q *Query) (Page[Flat], error) { return s.store.Search(work, query.String(), q) }
	return answerList(s, w, r, flatFields, "cost", search, (*Flat).JSON)
}

// answerList answers with the records that the query string asks for. The answer to /find
// also has a total and counts, and may be CSV. defaultSort is the sort parameter of a query
// without one.
func answerList[R any](s *server, w http.ResponseWriter, r *http.Request, fields *Fields[R], defaultSort string,
	find func(*task, *Query) (Page[R], error), text func(*R) string) error {
	q, err := parseQuery(fields, r.URL.RawQuery, defaultSort)
	if err != nil {
		return err
	}
	work := newTask(r.Context(), s.store.turns)
	defer work.pause()
	page, err := find(work, q)
	if err != nil {
		return err
	}
	csv := q.format == "csv" || (q.format == "" && fields.isFind && prefersCSV(r))
	if csv || q.fields != nil || acceptsGzip(r) {
		w = &pacedWriter{w, work} // the answer is made or compressed while it is sent
	}
	h := w.Header()
	tag := s.tag(page.version)
	more := ""
	h.Set("X-Total-Count", strconv.Itoa(page.total))
	if links := q.links(page.total); links != "" {
		h.Set("Link", links)
	}
	if fields.isFind {
		h.Set("Vary", "Origin, Accept")
		more = fmt.Sprintf(`,"total":%d,"counts":%s`, page.total, encodeJSON(page.counts))
	}
	if csv {
		h.Set("Content-Disposition", `attachment; filename="flats.csv"`)
		return send(w, r, http.StatusOK, typeCSV, variant(tag, "csv"), unknownLength, func(out *bufio.Writer) {
			fields.writeCSV(out, page.records, q.fields)
		})
	}
	const begin = `{"data":[`
	itemsPerPage := cmp.Or(q.size, int64(len(page.records)))
	end := fmt.Sprintf(`],"page":%d,"items_per_page":%d%s}`, q.number, itemsPerPage, more)
	length := len(begin) + max(0, len(page.records)-1) + len(end)
	for _, record := range page.records {
		length += len(text(record))
	}
	if q.fields != nil {
		// Objects are made while they are sent, so that a slow client does not keep them in memory.
		length = unknownLength
		text = func(record *R) string { return fields.object(record, q.fields) }
	}
	work.pause() // copying needs no turn
	return send(w, r, http.StatusOK, typeJSON, tag, length, func(out *bufio.Writer) {
		out.WriteString(begin)
		for i, record := range page.records {
			if i > 0 {
				out.WriteByte(',')
			}
			out.WriteString(text(record))
		}
		out.WriteString(end)
	})
}

// A pacedWriter writes an answer while a task makes it. The task pauses during each write, so
// that a slow client holds no turn.
type pacedWriter struct {
	http.ResponseWriter
	work *task
}

func (w *pacedWriter) Write(b []byte) (int, error) {
	w.work.pause()
	defer w.work.resume()
	return w.ResponseWriter.Write(b)
}

func (s *server) getDuplicates(w http.ResponseWriter, r *http.Request) error {
	work := newTask(r.Context(), s.store.turns)
	defer work.pause() // Duplicates panics if the client has gone
	list, version := s.store.Duplicates(work)
	work.pause() // sending needs no turn
	return write(w, r, http.StatusOK, typeJSON, s.tag(version), `{"data":`, list, `}`)
}

func (s *server) getFlat(w http.ResponseWriter, r *http.Request) error {
	f, err := s.flat(r)
	if err != nil {
		return err
	}
	return s.answerFlat(w, r, f)
}

// flat returns the flat that the path names.
func (s *server) flat(r *http.Request) (*Flat, error) {
	id := r.PathValue("id")
	if id == "" {
		return nil, notFound(r)
	}
	f := s.store.Get(id)
	if f == nil {
		return nil, noFlat(id)
	}
	return f, nil
}

func (s *server) patchFlat(w http.ResponseWriter, r *http.Request) error {
	f, err := s.flat(r)
	if err != nil {
		return err
	}
	by, err := s.person(parameterValues(r.URL.RawQuery, "by"))
	if err != nil {
		return err
	}
	body, err := readBody(w, r, maxBody, false)
	if err != nil {
		return err
	}
	tags := r.Header.Values("If-Match")
	isCurrent := func(version uint64) bool {
		tag := s.tag(version)
		return len(tags) == 0 || hasTag(tags, tag) || hasTag(tags, variant(tag, "gzip"))
	}
	f, err = s.store.Update(f.ID.String(), body, isCurrent, by...)
	if err != nil {
		return err
	}
	return s.answerFlat(w, r, f)
}

// person returns the by argument of [Store.Update]: nothing if the config has no people, else one
// name, or "" if names is empty. A request may repeat its name.
func (s *server) person(names []string) (by []string, err error) {
	if len(s.config.People) == 0 {
		return nil, nil
	}
	names = slices.Compact(names)
	switch {
	case len(names) == 0:
		return []string{""}, nil
	case len(names) > 1 || !slices.Contains(s.config.People, names[0]):
		return nil, fail(statusInvalid, "Invalid by provided: must name one of the people in the config.")
	}
	return names, nil
}

func (s *server) answerFlat(w http.ResponseWriter, r *http.Request, f *Flat) error {
	return write(w, r, http.StatusOK, typeJSON, s.tag(f.version), `{"data":`, f.JSON(), `}`)
}

// getVisits makes the calendar twice, first for its hash and length, and then to send it, so that
// a slow client does not keep it in memory.
func (s *server) getVisits(w http.ResponseWriter, r *http.Request) error {
	work := newTask(r.Context(), s.store.turns)
	defer work.pause()
	visits := visitsOf(work, s.store.snapshot().all(), s.config.Timezone, s.log)
	feed := func(out *bufio.Writer) { writeCalendar(work, out, visits, s.config.WebsiteURL) }
	hash := sha256.New()
	var length counter
	buffered(io.MultiWriter(hash, &length), feed)
	w.Header().Set("Content-Disposition", `inline; filename="visits.ics"`)
	tag := fmt.Sprintf(`"%x"`, hash.Sum(nil))
	return send(&pacedWriter{w, work}, r, http.StatusOK, typeICS, tag, int(length), feed)
}

// A counter counts the bytes that are written to it.
type counter int

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

func (s *server) getMetadata(w http.ResponseWriter, r *http.Request) error {
	flats := s.store.snapshot()
	var last time.Time
	for _, f := range flats.all() {
		if at := f.UpdatedAt.at; at.After(last) && at.Year() <= 9999 {
			last = at
		}
	}
	update := "null"
	if !last.IsZero() {
		update = encodeJSON(last.Format(time.RFC3339))
	}
	people := ""
	if len(s.config.People) > 0 {
		people = `,"people":` + encodeJSON(s.config.People)
	}
	return write(w, r, http.StatusOK, typeJSON, s.tag(flats.version),
		fmt.Sprintf(`{"data":{"version":%s,"flats":%d,"postal_codes":%d,"last_update":%s%s}}`,
			encodeJSON(version), flats.size, s.store.codes.all.size, update, people))
}

// notFound reports that no route matches the path.
func notFound(r *http.Request) error {
	return fail(statusMissing, "There is nothing at %s.", r.URL.Path)
}

// postImport imports the listings of a body. The parameter complete names the site of a
// complete import.
func (s *server) postImport(w http.ResponseWriter, r *http.Request) error {
	sites := slices.Compact(parameterValues(r.URL.RawQuery, "complete"))
	if len(sites) > 1 || slices.Contains(sites, "") {
		return s.refuseImport(fail(statusInvalid, "Invalid complete provided: must name one site."))
	}
	site := ""
	if len(sites) == 1 {
		site = sites[0]
	}
	if r.ContentLength < 0 || r.ContentLength > maxBody {
		underWay := s.longUploads.Add(1)
		defer s.longUploads.Add(-1)
		if underWay > maxUploads {
			return s.refuseImport(fail(http.StatusServiceUnavailable,
				"%d other long imports are under way: try again later.", maxUploads))
		}
	}
	body, err := readBody(w, r, maxImportBody, true)
	if err != nil {
		return s.refuseImport(err)
	}
	counts, err := s.importAlone(r, body, site)
	if err != nil {
		return err
	}
	return write(w, r, http.StatusOK, typeJSON, "", `{"data":`, encodeJSON(counts), `}`)
}

// importAlone unpacks and imports one body at a time, because both take much memory. A waiting
// body is kept as it was sent.
func (s *server) importAlone(r *http.Request, body []byte, site string) (counts Counts, err error) {
	s.store.unpacking.Lock()
	defer s.store.unpacking.Unlock()
	if strings.EqualFold(r.Header.Get("Content-Encoding"), "gzip") {
		zip, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return counts, s.refuseImport(fail(statusInvalid, "The body could not be read: %v.", err))
		}
		body, err = readAtMost(zip, maxImportBody)
		if err != nil {
			return counts, s.refuseImport(err)
		}
	}
	return s.store.ImportText(body, site)
}

// refuseImport adds err to the list of imports, and returns it. It is for imports that fail
// before [Store.ImportText], which adds its own outcome.
func (s *server) refuseImport(err error) error {
	s.store.addOutcome("HTTP", Counts{}, err)
	return err
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

func (s *server) getImports(w http.ResponseWriter, r *http.Request) error {
	return answer(w, r, typeJSON, `{"data":`+encodeJSON(s.store.Outcomes())+`}`)
}

func (s *server) getViews(w http.ResponseWriter, r *http.Request) error {
	work := newTask(r.Context(), s.store.turns)
	defer work.pause()
	answers := []viewAnswer{}
	for _, view := range *s.views.list.Load() {
		answers = append(answers, s.views.answer(work, view))
	}
	return answer(w, r, typeJSON, `{"data":`+encodeJSON(answers)+`}`)
}

// putView adds a view, or sets members of it.
func (s *server) putView(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(w, r, maxBody, false)
	if err != nil {
		return err
	}
	object, err := parseObject(body)
	if err != nil {
		return fail(statusInvalid, "Invalid view provided: %v.", err)
	}
	view, added, err := s.views.put(r.PathValue("name"), object)
	if err != nil {
		return err
	}
	work := newTask(r.Context(), s.store.turns)
	defer work.pause()
	status := http.StatusOK
	if added {
		status = http.StatusCreated
	}
	return write(w, r, status, typeJSON, "", `{"data":`, encodeJSON(s.views.answer(work, view)), `}`)
}

func (s *server) deleteView(w http.ResponseWriter, r *http.Request) error {
	if err := s.views.remove(r.PathValue("name")); err != nil {
		return err
	}
	return noContent(w, r)
}

// getNotify tells whether there is a receiver of messages, and whether it accepts them.
func (s *server) getNotify(w http.ResponseWriter, r *http.Request) error {
	last, err := s.notifier.state()
	return answer(w, r, typeJSON, `{"data":{`+serviceState(s.notifier.to != nil, last, err)+`}}`)
}

// getTravel tells how many flats wait for positions and travel times, and whether the
// travel service answers.
func (s *server) getTravel(w http.ResponseWriter, r *http.Request) error {
	waiting, last, err := s.finder.state()
	return answer(w, r, typeJSON, fmt.Sprintf(`{"data":{%s,"waiting":%d}}`,
		serviceState(s.config.Travel != nil, last, err), waiting))
}

// getPhotos tells how many photos are kept, how many are to be fetched, and what is wrong.
func (s *server) getPhotos(w http.ResponseWriter, r *http.Request) error {
	state := s.keeper.state()
	reason := ""
	if err := cmp.Or(state.err, state.failed); err != nil {
		reason = err.Error()
	}
	return answer(w, r, typeJSON, fmt.Sprintf(`{"data":{"configured":%t,"photos":%d,"bytes":%d,"waiting":%d,"error":%s}}`,
		s.config.KeepPhotos, state.photos, state.bytes, state.waiting, newText(reason).JSON()))
}

// getPhoto sends a kept photo. Its content comes from a stranger, so a browser may only show
// it, and must run nothing in it.
func (s *server) getPhoto(w http.ResponseWriter, r *http.Request) error {
	hash := r.PathValue("hash")
	file, contentType, err := s.keeper.open(hash)
	if errors.Is(err, fs.ErrNotExist) {
		return fail(statusMissing, "No photo with hash %s.", hash)
	}
	if err != nil {
		return err
	}
	defer file.Close()
	h := w.Header()
	h.Set("Cache-Control", "private, max-age=31536000, immutable")
	h.Set("Content-Security-Policy", "sandbox")
	h.Set("Content-Type", contentType)
	h.Set("Etag", `"`+hash+`"`)
	http.ServeContent(w, r, "", time.Time{}, file)
	return nil
}

// serviceState describes another service in JSON members: whether it is configured, when it
// last answered, and what has gone wrong since.
func serviceState(isConfigured bool, last time.Time, err error) string {
	at, reason := "", ""
	if !last.IsZero() {
		at = last.UTC().Format(time.RFC3339)
	}
	if err != nil {
		reason = err.Error()
	}
	return fmt.Sprintf(`"configured":%t,"last":%s,"error":%s`, isConfigured, newText(at).JSON(), newText(reason).JSON())
}

// postNotify sends an example to the receiver of messages.
func (s *server) postNotify(w http.ResponseWriter, r *http.Request) error {
	if s.notifier.to == nil {
		return fail(http.StatusConflict, "No receiver is configured: set notify in the config.")
	}
	status, err := s.notifier.send(r.Context(), exampleMessage(s.config.WebsiteURL))
	if err != nil {
		return fail(http.StatusBadGateway, "The message was not taken: %v.", err)
	}
	return write(w, r, http.StatusOK, typeJSON, "", fmt.Sprintf(`{"data":{"status":%d}}`, status))
}

// Assistants
// ----------

// protocolVersions are the supported versions of the Model Context Protocol (MCP), newest first.
var protocolVersions = []string{"2025-11-25", "2025-06-18"}

// A tool is what an assistant may call. Its JSON is that of MCP.
type tool struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Annotations map[string]bool `json:"annotations"`
	InputSchema struct {
		Type       string                     `json:"type"`
		Properties map[string]json.RawMessage `json:"properties"` // the schemas of its arguments
		Required   []string                   `json:"required,omitempty"`
		Others     bool                       `json:"additionalProperties"`
	} `json:"inputSchema"`
}

// A schema is the part of JSON Schema that docs/mcp.json uses.
type schema struct {
	Type             json.RawMessage // one name or several
	Enum             []string
	Minimum, Maximum float64 // of a number; if Maximum is 0, there are no limits
	Items            *schema
}

// Assistants call tools, by MCP.
type assistants struct {
	*server
	tools        []tool
	instructions string
}

func newAssistants(s *server) *assistants {
	instructions, tools := readTools(s.config)
	return &assistants{s, tools, instructions}
}

// readTools returns the instructions and tools of docs/mcp.json, with the names in the config.
func readTools(config *Config) (instructions string, tools []tool) {
	names := encodeJSON(cut(strings.Join(config.fieldNames(), ", "), 4000))
	values := strings.NewReplacer(
		"{fields}", names[1:len(names)-1], // without quotes, because it becomes part of a string
		`["{people}"]`, encodeJSON(config.People),
	)
	var file struct {
		Instructions string
		Tools        []tool
	}
	text := values.Replace(string(toolsFile))
	json.Unmarshal([]byte(text), &file) // no error: tests read the embedded file
	if len(config.People) == 0 {
		for _, t := range file.Tools {
			delete(t.InputSchema.Properties, "rating")
			delete(t.InputSchema.Properties, "by")
		}
	}
	return file.Instructions, file.Tools
}

// An rpcMessage is a message of JSON-RPC 2.0. Its id and params are JSON.
type rpcMessage struct {
	id         string // "" for none
	method     string
	params     string // "" for none
	isResponse bool
}

// An rpcError says why a message is refused. Its JSON is that of JSON-RPC 2.0.
type rpcError struct {
	status  int    // of the HTTP answer
	Code    int    `json:"code"`
	Message string `json:"message"`
}

const (
	rpcParseError     = -32700
	rpcInvalidRequest = -32600
	rpcMethodNotFound = -32601
	rpcInvalidParams  = -32602
)

func refuseRPC(status, code int, format string, args ...any) *rpcError {
	return &rpcError{status, code, fmt.Sprintf(format, args...)}
}

// post answers a message of MCP. A notification or a response gets 202 without a body.
func (s *assistants) post(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(w, r, maxBody, false)
	if err != nil {
		return err
	}
	message, refused := parseMCP(body, r.Header.Get("MCP-Protocol-Version"))
	if refused == nil && (message.id == "" || message.isResponse) {
		w.WriteHeader(http.StatusAccepted)
		return nil
	}
	var result any
	if refused == nil {
		result, refused = s.answerMCP(r, message)
	}
	id := ""
	if message.id != "" {
		id = `"id":` + message.id + ","
	}
	if refused != nil {
		return write(w, r, refused.status, typeJSON, "", `{"jsonrpc":"2.0",`, id, `"error":`, encodeJSON(refused), "}")
	}
	return write(w, r, http.StatusOK, typeJSON, "", `{"jsonrpc":"2.0",`, id, `"result":`, encodeJSON(result), "}")
}

// parseMCP parses a message. protocol is the version that the client says it speaks, or "". A
// refused message keeps its id if that could be read.
func parseMCP(body []byte, protocol string) (m rpcMessage, refused *rpcError) {
	object, err := parseObject(body)
	// parseObject refuses these bodies, too, but JSON-RPC has a separate code for them.
	if !json.Valid(body) || !utf8.Valid(body) {
		return m, refuseRPC(statusInvalid, rpcParseError, "Invalid message: %v.", err)
	}
	id := string(object["id"])
	if id != "" && id[0] != '"' && !isInteger(id) {
		err = errors.New("id: want a string or an integer")
	}
	if err != nil {
		return m, refuseRPC(statusInvalid, rpcInvalidRequest, "Invalid message: %v.", err)
	}
	m = rpcMessage{
		id:         id,
		method:     unquote(object.text("method")),
		params:     string(object["params"]),
		isResponse: object["method"] == nil && (object["result"] != nil || object["error"] != nil),
	}
	isText := func(name string) bool { return object.text(name)[0] == '"' }
	isRequest := isText("method") && isText("jsonrpc") && unquote(object.text("jsonrpc")) == "2.0"
	switch {
	case protocol != "" && m.method != "initialize" && !slices.Contains(protocolVersions, protocol):
		refused = refuseRPC(statusInvalid, rpcInvalidRequest, "Invalid MCP-Protocol-Version: want one of %s.",
			protocolVersions)
	case m.id != "" && !m.isResponse && !isRequest:
		refused = refuseRPC(statusInvalid, rpcInvalidRequest, "Invalid message: want a request of JSON-RPC 2.0.")
	}
	return m, refused
}

// answerMCP returns the result of a request.
func (s *assistants) answerMCP(r *http.Request, m rpcMessage) (result any, refused *rpcError) {
	// The error of an unknown method comes first, even if its params are invalid.
	if !slices.Contains([]string{"initialize", "ping", "tools/list", "tools/call"}, m.method) {
		return nil, refuseRPC(http.StatusOK, rpcMethodNotFound, "Unknown method: %s.", excerpt(encodeJSON(m.method)))
	}
	params, err := parseObject([]byte(cmp.Or(m.params, "{}")))
	if err != nil {
		return nil, refuseRPC(http.StatusOK, rpcInvalidParams, "Invalid params: %v.", err)
	}
	arguments, err := parseObject([]byte(cmp.Or(string(params["arguments"]), "{}")))
	if err != nil {
		return nil, refuseRPC(http.StatusOK, rpcInvalidParams, "Invalid params: %v.", err)
	}
	switch m.method {
	case "initialize":
		protocol := protocolVersions[0]
		requested := unquote(params.text("protocolVersion"))
		if slices.Contains(protocolVersions, requested) {
			protocol = requested
		}
		return map[string]any{
			"protocolVersion": protocol,
			"capabilities":    map[string]any{"tools": members{}},
			"serverInfo":      map[string]string{"name": "flats", "title": "Flats", "version": version},
			"instructions":    s.instructions,
		}, nil
	case "ping":
		return members{}, nil
	case "tools/list":
		return map[string]any{"tools": s.tools}, nil
	}
	// The method is tools/call.
	name := unquote(params.text("name"))
	i := slices.IndexFunc(s.tools, func(t tool) bool { return t.Name == name })
	if i < 0 {
		return nil, refuseRPC(http.StatusOK, rpcInvalidParams, "Unknown tool: %s.", excerpt(name))
	}
	text, err := s.callTool(r, &s.tools[i], arguments)
	if err != nil {
		text = cut(s.failureOf(r, err).text, maxAnswer-len("…"))
	}
	content := []map[string]string{{"type": "text", "text": text}}
	return map[string]any{"content": content, "isError": err != nil}, nil
}

// check returns an error if arguments do not fit the schema of the tool.
func (t *tool) check(arguments members) error {
	for _, name := range t.InputSchema.Required {
		if arguments[name] == nil {
			return invalidParameter(name, errors.New("is missing"))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		property, ok := t.InputSchema.Properties[name]
		if !ok {
			return invalidParameter(excerpt(name), errors.New("there is no such argument"))
		}
		var want schema
		json.Unmarshal(property, &want) // no error: tests read the embedded file
		if text := string(arguments[name]); !want.fits(text) {
			return invalidParameter(name, unexpected(string(property), text))
		}
	}
	return nil
}

// fits reports whether a JSON value fits the schema.
func (want *schema) fits(text string) bool {
	has := func(name string) bool { return bytes.Contains(want.Type, []byte(encodeJSON(name))) }
	isWrong := func(item json.RawMessage) bool { return !want.Items.fits(string(item)) }
	number, isNumber := parseNumber(text)
	switch {
	case text[0] == '"':
		return has("string") && (want.Enum == nil || slices.Contains(want.Enum, unquote(text)))
	case text[0] == '[':
		var items []json.RawMessage
		json.Unmarshal([]byte(text), &items) // no error: it is valid
		return has("array") && !slices.ContainsFunc(items, isWrong)
	case isNumber:
		isWhole := number == math.Trunc(number)
		isInRange := want.Maximum == 0 || (number >= want.Minimum && number <= want.Maximum)
		return isInRange && (has("number") || (has("integer") && isWhole))
	}
	return text == "null" && has("null") // no schema allows an object or a boolean
}

// maxAnswer is the largest number of bytes of a tool's answer.
const maxAnswer = 100_000

// callTool returns what a tool answers, as JSON.
func (s *assistants) callTool(r *http.Request, t *tool, arguments members) (string, error) {
	if err := t.check(arguments); err != nil {
		return "", err
	}
	work := newTask(r.Context(), s.store.turns)
	defer work.pause()
	if t.Name == "find_flats" {
		return s.findFlats(work, arguments)
	}
	// The others, get_flat and update_flat, answer with one flat.
	id := unquote(arguments.text("id"))
	f := s.store.Get(id)
	if f == nil {
		return "", noFlat(id)
	}
	if t.Name == "update_flat" {
		var err error
		f, err = s.updateFlat(f, arguments)
		if err != nil {
			return "", err
		}
	}
	shown := members{}
	json.Unmarshal([]byte(f.JSON()), &shown) // no error: it is valid
	fields := s.store.table.fields
	for _, onlyFind := range fields.list[fields.own:] {
		shown[onlyFind.name] = json.RawMessage(onlyFind.value(f).JSON())
	}
	delete(shown, "corrected") // what listings say, not what the flat has
	return s.shownFlat(work, f, shown), nil
}

// shownFlat returns members of a flat and a link to the page as JSON of at most maxAnswer bytes,
// without inline photos and other data.
func (s *assistants) shownFlat(work *task, f *Flat, shown members) string {
	shown["link"] = json.RawMessage(encodeJSON(s.config.WebsiteURL + f.fragment()))
	const large = 10 * maxAnswer // cuts nothing that shortRows would keep
	withoutData := shorten(work, decodeJSON(encodeJSON(shown)), large)
	return shortRows(work, maxAnswer, encodeJSON(withoutData))
}

// findFlats returns the number of flats that a query finds, and rows of the first of them.
func (s *assistants) findFlats(work *task, arguments members) (string, error) {
	a := struct {
		Q, Where, Sort string
		Limit          float64
		Fields         []string
	}{
		Sort:   "cost",
		Limit:  20,
		Fields: []string{"title", "cost", "currency", "area", "rooms", "place", "status", "travel_time", "first_seen"},
	}
	json.Unmarshal([]byte(encodeJSON(arguments)), &a) // no error: they fit the schema
	if _, err := s.views.parse(a.Where); err != nil {
		return "", err
	}
	if arguments["q"] != nil && len(parameterValues(a.Where, "q")) > 0 {
		return "", invalidParameter("q", errors.New("where has q, too: give only one of them"))
	}
	// The other arguments become parameters, so that parseQuery checks them.
	more := url.Values{"q": {a.Q}, "sort": {a.Sort}, "page[size]": {fmt.Sprint(a.Limit)}, "fields": append(a.Fields, "id")}
	fields := s.store.table.fields
	q, err := parseQuery(fields, a.Where+"&"+more.Encode(), "")
	if err != nil {
		return "", err
	}
	page, err := s.store.Find(work, q)
	if err != nil {
		return "", err
	}
	rows := make([]string, len(page.records))
	for i, f := range page.records {
		shown := members{}
		for _, n := range q.fields {
			shown[fields.list[n].name] = json.RawMessage(fields.list[n].value(f).JSON())
		}
		rows[i] = s.shownFlat(work, f, shown)
	}
	data := shortRows(work, maxAnswer-100, rows...) // the rest takes less than 100 bytes
	return fmt.Sprintf(`{"total":%d,"data":[%s]}`, page.total, data), nil
}

// updateFlat sets what the arguments name, as PATCH does, and adds a line to the notes.
func (s *assistants) updateFlat(f *Flat, arguments members) (*Flat, error) {
	set := maps.Clone(arguments)
	for _, name := range []string{"id", "add_note", "by"} {
		delete(set, name)
	}
	var names []string
	if name := arguments["by"]; name != nil {
		names = []string{unquote(string(name))}
	}
	by, err := s.person(names)
	if err != nil {
		return nil, err
	}
	var isCurrent func(version uint64) bool
	if note := arguments["add_note"]; note != nil {
		notes := strings.Join(strings.Fields(unquote(string(note))), " ")
		if notes == "" {
			return nil, invalidParameter("add_note", errors.New("must not be empty"))
		}
		if before := f.Notes.String(); before != "" {
			notes = before + "\n" + notes
		}
		set["notes"] = json.RawMessage(encodeJSON(notes))
		isCurrent = func(version uint64) bool { return version == f.version }
	}
	after, err := s.store.Update(f.ID.String(), []byte(encodeJSON(set)), isCurrent, by...)
	var refused *failure
	if errors.As(err, &refused) && refused.status == statusChanged {
		return s.updateFlat(s.store.Get(f.ID.String()), arguments) // add the line to the notes as they are now
	}
	return after, err
}

// The page
// --------

// A pageFile is a file of the page as it is served, plain and gzipped.
type pageFile struct{ plain, zipped string }

func newPageFile(text string) pageFile {
	var b strings.Builder
	zip := gzip.NewWriter(&b) // compresses better than send, because browsers load these over slow networks
	io.WriteString(zip, text) // a Builder never fails
	zip.Close()
	return pageFile{text, b.String()}
}

// A page is the handler of the page's files.
type page struct {
	config *Config
	files  func() map[string]pageFile // by path; made at the first request, so that the service starts sooner
}

func newPage(config *Config) *page {
	return &page{config, sync.OnceValue(func() map[string]pageFile { return pageFiles(config) })}
}

// pageFiles returns the files of web/ by the paths under which they are served. Assets are served
// unchanged, from a folder named by one hash of all files, so that browsers may keep them forever.
// They import each other by relative paths. The other three files have fixed paths, and
// placeholders for that folder, for the list of assets, and for values of the config.
func pageFiles(config *Config) map[string]pageFile {
	fixed := map[string]string{
		"index.html":           "/",
		"sw.js":                "/sw.js",
		"manifest.webmanifest": "/manifest.webmanifest",
	}
	texts := map[string]string{}
	assets := []string{}
	hash := sha256.New()
	// The files are embedded: reading them cannot fail.
	fs.WalkDir(web, "web", func(path string, file fs.DirEntry, _ error) error {
		if file.IsDir() {
			return nil
		}
		text, _ := web.ReadFile(path)
		name := strings.TrimPrefix(path, "web/")
		texts[name] = string(text)
		if fixed[name] == "" {
			assets = append(assets, name)
		}
		fmt.Fprintf(hash, "%s %d\n%s", name, len(text), text)
		return nil
	})
	// The service worker (sw.js) keeps the page until this hash changes. Of the values below, the
	// page needs only the people without a network.
	fmt.Fprintf(hash, "%q", config.People)
	folder := fmt.Sprintf("assets/%x/", hash.Sum(nil)[:8])
	feedToken := ""
	if config.Password != "" {
		feedToken = config.FeedToken // shown only to those who have given the password
	}
	values := strings.NewReplacer(
		"assets/-/", folder,
		"const files = []", "const files = "+encodeJSON(assets),
		"{feed-token}", html.EscapeString(feedToken),
		"{map-tiles}", html.EscapeString(config.MapTiles),
		"{map-credit}", html.EscapeString(config.MapCredit),
		"{people}", html.EscapeString(encodeJSON(config.People)),
	)
	files := map[string]pageFile{}
	for name, path := range fixed {
		files[path] = newPageFile(values.Replace(texts[name]))
	}
	for _, name := range assets {
		files["/"+folder+name] = newPageFile(texts[name])
	}
	return files
}

// pagePolicy returns the content security policy of the page. The page loads its own files,
// connects only to this service, and shows the photos of listings and the map tiles.
func pagePolicy(config *Config) string {
	tiles := ""
	if u, err := url.Parse(config.MapTiles); err == nil && u.Host != "" {
		tiles = " " + originOf(u)
	}
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:" + tiles +
		"; connect-src 'self'; worker-src 'self'; manifest-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

func (p *page) get(w http.ResponseWriter, r *http.Request) error {
	file, ok := p.files()[r.URL.Path]
	if !ok {
		return notFound(r)
	}
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	if strings.HasPrefix(r.URL.Path, "/assets/") {
		h.Set("Cache-Control", "max-age=31536000, immutable")
	}
	h.Set("Content-Security-Policy", pagePolicy(p.config))
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Vary", "Origin, Accept-Encoding")
	text := file.plain
	if acceptsGzip(r) {
		h.Set("Content-Encoding", "gzip")
		text = file.zipped
	}
	return answer(w, r, assetTypes[path.Ext(r.URL.Path)], text)
}

// Requests and answers
// --------------------

const (
	maxBody       = 1 << 20  // bytes of a body
	maxImportBody = 64 << 20 // bytes of the body of an import, before and after it is unpacked
	maxUploads    = 4        // imports at a time of more than maxBody bytes, or of unknown length
)

// readBody reads the body of a request without unpacking it. The body of an import may be
// gzipped, and each read extends its deadline.
func readBody(w http.ResponseWriter, r *http.Request, limit int64, isImport bool) ([]byte, error) {
	coding := strings.ToLower(r.Header.Get("Content-Encoding"))
	if coding != "" && coding != "identity" && (coding != "gzip" || !isImport) {
		return nil, fail(http.StatusUnsupportedMediaType,
			"The content encoding %q is not supported: send the body without it.", coding)
	}
	body := http.MaxBytesReader(w, r.Body, limit)
	if isImport {
		return readAtMost(&patientReader{
			Reader:  body,
			control: http.NewResponseController(w),
			last:    time.Now().Add(10 * patience), // enough for maxImportBody at 110 KB/s
		}, limit)
	}
	return readAtMost(body, limit)
}

// readAtMost reads a body of at most limit bytes. For an unpacked body, there is no other limit.
func readAtMost(body io.Reader, limit int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(body, limit+1))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) || int64(len(text)) > limit {
		return nil, fail(http.StatusRequestEntityTooLarge, "The body is larger than %d bytes.", limit)
	}
	if err != nil {
		return nil, fail(statusInvalid, "The body could not be read: %v.", err)
	}
	return text, nil
}

// A patientReader extends the read deadline of a connection with each read, but not beyond
// last, because the service reads only a few long bodies at a time.
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

// variant returns the tag of another representation, such as gzip.
func variant(tag, form string) string { return strings.TrimSuffix(tag, `"`) + "-" + form + `"` }

// notModified sets the entity tag of an answer to GET or HEAD, unless it is "". It answers 304
// and returns true if the client already has that representation (RFC 9110, 13.1.2).
func notModified(w http.ResponseWriter, r *http.Request, tag string) bool {
	if tag == "" || (r.Method != http.MethodGet && r.Method != http.MethodHead) {
		return false
	}
	w.Header().Set("Etag", tag)
	seen := r.Header.Values("If-None-Match")
	if hasTag(seen, tag) || hasTag(seen, "W/"+tag) {
		w.WriteHeader(http.StatusNotModified)
		return true
	}
	return false
}

// hasTag reports whether the values of If-Match or If-None-Match contain a tag, or *.
func hasTag(values []string, tag string) bool {
	for listed := range strings.SplitSeq(strings.Join(values, ","), ",") {
		listed = strings.TrimSpace(listed)
		if listed == "*" || listed == tag {
			return true
		}
	}
	return false
}

const (
	typeJSON = "application/json"
	typeICS  = "text/calendar; charset=utf-8"
	typeCSV  = "text/csv; charset=utf-8"
)

// assetTypes has the content types of the page's files by extension, because the table of
// the operating system may be wrong.
var assetTypes = map[string]string{
	"":             "text/html; charset=utf-8", // the path /
	".css":         "text/css; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".webmanifest": "application/manifest+json",
}

// worthZipping is the size above which an answer is gzipped. A smaller one is sent to a
// phone in less time than compressing takes.
const worthZipping = 32 << 10

// answer writes a successful answer. Its entity tag is the hash of the body.
func answer(w http.ResponseWriter, r *http.Request, contentType, body string) error {
	return write(w, r, http.StatusOK, contentType, fmt.Sprintf(`"%x"`, sha256.Sum256([]byte(body))), body)
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

// send writes an answer in chunks, gzipped if that is worth it and the client accepts it.
// body writes the body. It need not check errors, because a recorder aborts an answer that
// cannot be sent. It always returns nil, so that handlers can end with a call of it.
func send(w http.ResponseWriter, r *http.Request, status int, contentType, tag string, length int,
	body func(*bufio.Writer)) error {
	h := w.Header()
	zipped := false
	if length > worthZipping && h.Get("Content-Encoding") == "" {
		h.Set("Vary", h.Get("Vary")+", Accept-Encoding")
		zipped = acceptsGzip(r)
	}
	if zipped && tag != "" {
		tag = variant(tag, "gzip")
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

// answerError writes an error object, and logs the failures of the service.
func (s *server) answerError(w http.ResponseWriter, r *http.Request, err error) {
	f := s.failureOf(r, err)
	if f.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "60")
	}
	write(w, r, f.status, typeJSON, "", fmt.Sprintf(`{"error":%s,"status_code":%d}`, encodeJSON(f.text), f.status))
}

// failureOf returns err as a failure. It logs any other error, unless the client has gone.
func (s *server) failureOf(r *http.Request, err error) *failure {
	var f *failure
	if errors.As(err, &f) {
		return f
	}
	if r.Context().Err() == nil {
		s.log.Error("request failed", "client", r.RemoteAddr, "method", r.Method, "path", r.URL.Path, "err", err)
	}
	return &failure{http.StatusInternalServerError, err.Error()}
}

// Access
// ------

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

// guarded refuses requests to foreign host names (DNS rebinding), from other origins (CSRF),
// and without the password. It tells browsers which origins may read answers (CORS).
func (s *server) guarded(next http.Handler) http.Handler {
	c := s.config
	site, _ := url.Parse(c.WebsiteURL)
	origins := append([]string{originOf(site)}, c.CORSOrigins...)
	anyOrigin := slices.Contains(origins, "*")
	crossOrigin := http.NewCrossOriginProtection()
	for _, origin := range origins {
		crossOrigin.AddTrustedOrigin(origin) // rejects "*", which anyOrigin covers
	}
	rebindable := isLoopback(c.Addr) && c.Password == ""

	check := func(w http.ResponseWriter, r *http.Request) error {
		if rebindable && r.Host != c.Addr && !knownHost(r.Host, site.Hostname()) {
			return fail(http.StatusForbidden, "The host name %q is not known here: "+
				"set website_url to the URL under which the service is reached.", r.Host)
		}
		origin := r.Header.Get("Origin")
		isNamed := slices.Contains(origins, origin)
		if origin != "" && (isNamed || anyOrigin) {
			allowOrigin(w, r, origin, isNamed)
		}
		switch r.Method {
		case http.MethodOptions:
			return nil // browsers send no password with a preflight
		case http.MethodConnect:
			w.Header().Set("Allow", "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT")
			return fail(http.StatusMethodNotAllowed, "This is not a proxy.")
		}
		if err := crossOrigin.Check(r); err != nil && !(anyOrigin && preflighted(r)) {
			return fail(http.StatusForbidden, "Requests from the origin %q are refused: add it to cors_origins to allow them.",
				origin)
		}
		if c.Password != "" && !s.authenticated(r) {
			w.Header().Set("WWW-Authenticate", `Basic realm="flats", charset="UTF-8"`)
			return fail(http.StatusUnauthorized, "The user name or the password is wrong or missing.")
		}
		return nil
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := check(w, r); err != nil {
			s.answerError(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// preflighted reports whether browsers send a request to another origin only after a preflight,
// which does not let them use a stored password. They send forms without a preflight. A DELETE
// counts, and any other method only with a JSON body.
func preflighted(r *http.Request) bool {
	contentType, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return r.Method == http.MethodDelete || contentType == typeJSON
}

// allowOrigin sets the headers that let a page from origin read the answer. For a preflight, it
// also sets those that let the page send what the API accepts. Only an origin that the config
// names may use the browser's stored password.
func allowOrigin(w http.ResponseWriter, r *http.Request, origin string, isNamed bool) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", "ETag, Link, X-Total-Count")
	if isNamed {
		h.Set("Access-Control-Allow-Credentials", "true")
	}
	if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
		h.Set("Access-Control-Allow-Headers", "Authorization, Content-Encoding, Content-Type, "+
			"If-Match, If-None-Match, MCP-Protocol-Version")
		h.Set("Access-Control-Max-Age", "600")
	}
}

// authenticated reports whether a request has the user name and the password or, for the
// calendar and for imports, the token. It compares secrets in constant time.
func (s *server) authenticated(r *http.Request) bool {
	name, password, _ := r.BasicAuth()
	if same(name, s.config.Username)&same(password, s.config.Password) == 1 {
		return true
	}
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
	importPath = "/api/v1/import"
)

// same returns 1 if two secrets are equal, else 0. It compares hashes to hide the lengths.
func same(a, b string) int {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:])
}

// knownHost reports whether a Host header cannot name another site: it is empty, an IP address,
// localhost, or the website's own name.
func knownHost(host, site string) bool {
	name := strings.TrimSuffix((&url.URL{Host: host}).Hostname(), ".")
	return name == "" || strings.EqualFold(name, "localhost") || strings.EqualFold(name, site) || net.ParseIP(name) != nil
}

// isLoopback reports whether only this machine can reach an address.
func isLoopback(addr string) bool {
	host, _, _ := net.SplitHostPort(addr)
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Failures and log
// ----------------

// everyHeader has the headers of every answer.
var everyHeader = http.Header{
	"X-Content-Type-Options": {"nosniff"},
	"Vary":                   {"Origin"},
	"Cache-Control":          {"private, no-cache"}, // getPage and getPhoto replace it
}

// observed turns a panic of a handler into a 500, and logs every request if accessLog is set.
func (s *server) observed(next http.Handler, accessLog bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		maps.Copy(w.Header(), everyHeader)
		rec := &recorder{ResponseWriter: w}
		defer func() {
			what := recover()
			mustAbort := what != nil // an answer that has begun can only be aborted
			if what != nil && what != http.ErrAbortHandler {
				s.log.Error("panic", "err", what, "stack", string(debug.Stack()))
				if rec.status == 0 {
					s.answerError(rec, r, fmt.Errorf("internal error: %v", what))
					mustAbort = false
				}
			}
			if accessLog {
				s.log.Info("request", "client", r.RemoteAddr, "method", r.Method, "path", r.URL.Path,
					"status", rec.status, "bytes", rec.bytes, "time", time.Since(start))
			}
			if mustAbort {
				panic(http.ErrAbortHandler)
			}
		}()
		next.ServeHTTP(rec, r)
	})
}

// A recorder records the status and the size of an answer. It aborts the connection if the answer
// cannot be sent, because a part of it could otherwise look complete.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// Unwrap serves http.ResponseController.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// WriteHeader starts the time that the client has to receive the answer: the service may take
// longer than that to make it.
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
