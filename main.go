// Flats keeps the listings of a search for a home and serves them over a JSON
// HTTP API and as a web page. Its manual is below. docs/running.md describes
// its files, its configuration and its use of the network, docs/design.md the
// code.
package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"expvar"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"
	_ "time/tzdata" // for servers that have no time zones of their own

	"flats/internal/listing"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal restores the default handling, so a second one ends the program at once.
	context.AfterFunc(ctx, stop)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	var usage usageError
	var blocked blockedError
	switch {
	case errors.As(err, &usage):
		fmt.Fprintf(os.Stderr, "flats: %v\nTry flats -h.\n", err)
		os.Exit(2)
	case errors.As(err, &blocked):
		fmt.Fprintf(os.Stderr, "flats: %v\n", blocked) // a line for each reason
		os.Exit(1)
	case err != nil:
		fmt.Fprintf(os.Stderr, "flats: %s\n", strings.ReplaceAll(err.Error(), "\n", "; "))
		os.Exit(1)
	}
}

// usageError is an error in the command line.
type usageError string

func (e usageError) Error() string { return string(e) }

const manual = `Flats keeps the listings of a search for a home and serves them
as a web page and over a JSON HTTP API, at /api/v1/.

Usage:
  flats [-config FILE] [-data FILE] [-addr HOST:PORT] [-access-log] [-log-json]
  flats -sample
  flats import [-config FILE] [-data FILE] [-complete SITE] FILE|- ...
  flats areas FILE
  flats backup [-config FILE] [-data FILE] [-photos] FILE
  flats restore [-config FILE] [-data FILE] FILE
  flats password [-config FILE] [-data FILE]
  flats -version | -h

For those who work on it: -web DIR serves the page from a folder, so that a
change shows at reload, and -debug HOST:PORT serves profiles on loopback.

Import checks listings and hands them to the service, which imports them
within a second, or at its next start. Areas lists the areas of a file of
postal codes, as the config names them.

Backup writes the data to a new file, a gzipped tar, and reads it back. It may
run while the service does. Restore puts that where no flats are yet, and says
how to start a service with it. No backup has the password that was set.

Password sets the password that opens the service, also while that runs. It
asks for it twice, or reads a line of standard input.

The flags of a command may also follow its files; everything after -- is a
file. A flag wins over the environment (FLATS_PASSWORD and, for the mailbox in
the config file, FLATS_MAILBOX_PASSWORD), the environment over the config file,
the config file over the settings of the page, and these over the defaults. A
change of the config needs a restart. The exit status is 0 after an orderly stop
(SIGINT or SIGTERM), 1 after a failure, and 2 for wrong usage.

Flags:
`

// options holds the command line.
type options struct {
	configFile, dataFile, addr              string
	sample, accessLog, logJSON, showVersion bool
	webFolder, debugAddr                    string
	photos                                  bool   // whether a backup has photos
	complete                                string // the site of a complete import, "" for none
	command                                 string // a key of commands
	files                                   []string
}

// commands has the flags that each command accepts. The command "" serves.
var commands = map[string][]string{
	"":         {"config", "data", "addr", "sample", "access-log", "log-json", "version", "web", "debug"},
	"import":   {"config", "data", "complete"},
	"areas":    {},
	"backup":   {"config", "data", "photos"},
	"restore":  {"config", "data"},
	"password": {"config", "data"},
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
	flags.BoolVar(&o.photos, "photos", false, "put the kept photos into the backup, too")
	flags.BoolVar(&o.showVersion, "version", false, "print the version and exit")
	flags.StringVar(&o.webFolder, "web", "", "serve the page from `DIR`, such as web, instead of the built-in one")
	flags.StringVar(&o.debugAddr, "debug", "", "serve net/http/pprof and expvar at `HOST:PORT`, on loopback alone")
	const completeUsage = "the files list everything that `SITE` has: mark its other flats as gone"
	flags.Func("complete", completeUsage, func(site string) error {
		if site == "" {
			return errors.New("must not be empty")
		}
		o.complete = site
		return nil
	})
	err = flags.Parse(args)
	command, hasCommand := flags.Arg(0), flags.NArg() > 0
	isKnown := command != "" && commands[command] != nil
	if err == nil && isKnown {
		o.command = command
		o.files, err = parseRest(flags, flags.Args()[1:])
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return o, flags, err
	case err != nil:
		return o, flags, usageError(err.Error())
	case hasCommand && !isKnown:
		return o, flags, usageError(fmt.Sprintf("there is no command %q", command))
	}
	if err := checkFlags(o.command, flags); err != nil {
		return o, flags, err
	}
	return o, flags, o.check()
}

// parseRest parses the arguments that follow a command, which are flags and files, and returns the files.
func parseRest(flags *flag.FlagSet, rest []string) (files []string, err error) {
	var afterDashes []string // all of them are files, even if they look like flags
	if i := slices.Index(rest, "--"); i >= 0 {
		rest, afterDashes = rest[:i], rest[i+1:]
	}
	// flag.Parse stops at the first file, but flags may follow it.
	for err == nil && len(rest) > 0 {
		err = flags.Parse(rest)
		rest = flags.Args()
		if len(rest) > 0 {
			files = append(files, rest[0])
			rest = rest[1:]
		}
	}
	return append(files, afterDashes...), err
}

// checkFlags returns an error if a flag is set that the command does not accept.
func checkFlags(command string, flags *flag.FlagSet) (err error) {
	accepted := commands[command]
	flags.Visit(func(f *flag.Flag) {
		switch {
		case slices.Contains(accepted, f.Name):
		case command == "":
			err = usageError(fmt.Sprintf("-%s is only for %s", f.Name, commandWith(f.Name)))
		case len(accepted) == 0:
			err = usageError(command + " accepts no flags")
		default:
			last := len(accepted) - 1 // no command accepts only one flag
			list := "-" + strings.Join(accepted[:last], ", -") + " and -" + accepted[last]
			err = usageError(command + " accepts only " + list)
		}
	})
	return err
}

// commandWith returns the name of a command that accepts a flag, or "".
func commandWith(flagName string) string {
	for command, accepted := range commands {
		if command != "" && slices.Contains(accepted, flagName) {
			return command
		}
	}
	return ""
}

// check returns an error if the options contradict each other, or files are missing.
func (o options) check() error {
	switch {
	case o.command == "import" && len(o.files) == 0:
		return usageError("import: name files with listings, or - for standard input")
	case o.command == "areas" && len(o.files) != 1:
		return usageError("areas: name one file of postal codes")
	case (o.command == "backup" || o.command == "restore") && (len(o.files) != 1 || o.files[0] == "-"):
		return usageError(o.command + ": name one file, which is read more than once: it cannot be a pipe")
	case o.command == "password" && len(o.files) > 0:
		return usageError("password: accepts no files; it asks for the password, or reads a line of standard input")
	case o.sample && (o.configFile != "" || o.dataFile != ""):
		return usageError("-sample serves its own flats: remove -config and -data")
	}
	for _, option := range []struct{ name, addr string }{{"-addr", o.addr}, {"-debug", o.debugAddr}} {
		if option.addr == "" {
			continue
		}
		if err := checkAddr(option.addr); err != nil {
			return usageError(option.name + ": " + err.Error())
		}
	}
	if o.debugAddr != "" && !isLoopback(o.debugAddr) {
		return usageError("-debug: want an address that only this machine reaches, such as 127.0.0.1:6060")
	}
	return nil
}

// run runs the program until it has done what the arguments ask for, or until ctx is done. The log goes to stderr.
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
	case o.command != "":
		return o.runCommand(ctx, stdout)
	case o.showVersion:
		build, _ := debug.ReadBuildInfo() // never nil, because the program is built as a module
		fmt.Fprintln(stdout, "flats", version, build.Main.Version)
		return nil
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	if o.logJSON {
		log = slog.New(slog.NewJSONHandler(stderr, nil))
	}
	return o.serve(ctx, log)
}

// serve serves until ctx is done, and then shuts down cleanly.
func (o options) serve(ctx context.Context, log *slog.Logger) error {
	config, err := o.config(log)
	if err != nil {
		return err
	}
	if !o.sample {
		// Lock first, so that a second service with the same data fails because of the data, not of the address.
		if config.Data, err = filepath.Abs(config.Data); err != nil {
			return err
		}
		unlock, err := lockData(config.Data, openLocked, log)
		if err != nil {
			return err
		}
		defer unlock()
	}
	// Listen before any data is loaded, so that an address in use fails at once.
	listener, err := net.Listen("tcp", config.Addr)
	if err != nil {
		return fmt.Errorf("%w: choose another address with -addr", err)
	}
	defer listener.Close()
	config.Addr = listener.Addr().String()
	if err := config.finish(); err != nil {
		return err
	}
	certificate, err := openKeyPair(config, log)
	if err != nil {
		return err
	}
	if o.debugAddr != "" {
		debugListener, err := net.Listen("tcp", o.debugAddr)
		if err != nil {
			return fmt.Errorf("%w: choose another address with -debug", err)
		}
		defer debugListener.Close()
		go serveDebug(ctx, debugListener, log)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50) // saves memory: most of the heap lives as long as the process
	}
	program, err := openLockedProgram(config, log)
	if err != nil {
		return err
	}
	if !isLoopback(config.Addr) && program.access.isOpen() && !o.sample {
		log.Warn("everybody who reaches this address can read and change the flats: set a password by flats password, or "+
			"as password in config.json", "addr", config.Addr)
	}
	go freeAfterStart(program.store)
	program.start(ctx)
	log.Info("listening", "url", config.ownURL())
	err = serve(ctx, listener, certificate, program.handler, log)
	return errors.Join(err, program.stop())
}

// freeAfterStart waits until both indexes have the flats. It then returns to the system the memory that only the start
// has used.
func freeAfterStart(store *Store) {
	<-store.index.searchable
	store.links.update(store.snapshot()) // textIndex.run does so only after searchable is closed
	debug.FreeOSMemory()
}

// runCommand runs a command that does not serve.
func (o options) runCommand(ctx context.Context, stdout io.Writer) error {
	if o.command == "areas" {
		return printAreas(stdout, o.files[0])
	}
	config, err := o.config(slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	switch o.command {
	case "backup":
		return osArchiver(config).backUp(ctx, config.Data, o.files[0], o.photos, stdout)
	case "restore":
		return osArchiver(config).restore(ctx, config.Data, o.files[0], stdout)
	case "password":
		return setPassword(ctx, config, os.Stdin, stdout, passwordRounds)
	}
	return runImport(o, config, stdout)
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
	if password := os.Getenv("FLATS_MAILBOX_PASSWORD"); password != "" && config.Mailbox != nil {
		config.Mailbox.Password = password
	}
	if config.file, err = filepath.Abs(name); err != nil {
		return nil, err
	}
	if _, err := os.Stat(config.file); err != nil || o.sample { // the config is the default or embedded: it has no file
		config.file = ""
	}
	config.Addr = cmp.Or(o.addr, config.Addr)
	config.Data = cmp.Or(o.dataFile, config.Data)
	config.sample = o.sample
	config.accessLog = o.accessLog
	config.webFolder = o.webFolder
	if o.webFolder != "" {
		if _, err := os.Stat(filepath.Join(o.webFolder, "index.html")); err != nil { // else it is another folder
			return nil, fmt.Errorf("-web: %w: name the folder web of the sources", err)
		}
		log.Info("serving the page from a folder, not the built-in one", "folder", o.webFolder)
	}
	if config.FeedToken != "" && config.Timezone == nil {
		log.Warn("calendars on the internet take visits without an offset for UTC: set timezone, such as Europe/Paris")
	}
	return config, nil
}

// readConfig returns the name and the text of the config file, which the sample brings along. If the command line names
// no file, config.json may be missing: then the text is that of an empty config.
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

// handedFiles are the files that flats import hands to the service: one file of all listings, and each
// file of mails as it is.
type handedFiles struct {
	listings Listings
	claims   []claim
	mails    [][]byte // the texts of the files of mails
	inMails  int      // the number of listings in the mails
}

// A claim says that the listings are all that a site has.
type claim struct {
	source string // the member or the flag that makes the claim, for errors
	site   string
}

// add checks the text of a file and adds it.
func (h *handedFiles) add(name string, text []byte) error {
	isMailOnInput := name == "-" && listing.IsMail(text) // standard input has no name that tells
	if isMailFile(name, text) || isMailOnInput {
		found, _, err := listingsInMails(nil, text)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		h.mails = append(h.mails, text)
		h.inMails += len(found.Flats)
		return nil
	}
	part, err := readListings(name, text)
	if err != nil {
		return err
	}
	h.listings.Flats = append(h.listings.Flats, part.Flats...)
	h.listings.partial = h.listings.partial || part.partial
	if part.Complete != "" {
		h.claims = append(h.claims, claim{name + ": complete", part.Complete})
	}
	return nil
}

// finish marks the listings with the claims of their files, and as the service's own. It returns an error if a claim is
// not valid, or if all listings do not fit into one file.
func (h *handedFiles) finish(limit int64) error {
	for _, c := range h.claims {
		if err := h.listings.markComplete(c.site); err != nil {
			return fmt.Errorf("%s: %w", c.source, err)
		}
	}
	// All listings become one file in the import folder, so the limits of one file apply.
	h.listings.Own = true
	together := encodeJSON(h.listings)
	if int64(len(together)) > limit {
		return fmt.Errorf("together the files have more than %d bytes: import them in parts", limit)
	}
	_, err := readListings("the files together", []byte(together)) // there may be too many members
	return err
}

// handOver puts the files into the import folder.
func (h *handedFiles) handOver(folder string) error {
	// Files without any listing are an import, too. But if all files are mails, there is no file of listings.
	if len(h.listings.Flats) > 0 || len(h.mails) == 0 {
		if err := handOverListings(osDisk{}, folder, h.listings); err != nil {
			return fmt.Errorf("nothing was imported: %w", err)
		}
	}
	for i, mail := range h.mails {
		if err := handOverFile(osDisk{}, folder, ".eml", string(mail)); err != nil {
			return fmt.Errorf("files of mails after the first %d were not imported: %w", i, err) // i were handed over
		}
	}
	return nil
}

// runImport checks the listings of all files, then puts them into the import folder.
func runImport(o options, config *Config, stdout io.Writer) error {
	handed := &handedFiles{listings: Listings{Flats: []members{}, Plain: true}}
	for _, name := range o.files {
		text, err := readInput(name, config.MaxImport)
		if err != nil {
			return err
		}
		if err := handed.add(name, text); err != nil {
			return fmt.Errorf("%w (nothing was imported)", err)
		}
	}
	if o.complete != "" {
		if len(handed.mails) > 0 {
			return fmt.Errorf("-complete: %w (nothing was imported)", errMailComplete)
		}
		handed.claims = append(handed.claims, claim{"-complete", o.complete})
	}
	if err := handed.finish(config.MaxImport); err != nil {
		return fmt.Errorf("%w (nothing was imported)", err)
	}
	folder := importFolder(config.Data)
	notice := config.unusedNotice("the listings wait until one starts there")
	if err := handed.handOver(folder); err != nil {
		return err
	}
	_, err := fmt.Fprintf(stdout, "listings handed to the service in %s: %d\n%s", folder,
		len(handed.listings.Flats)+handed.inMails, notice)
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
	if err != nil {
		return nil, err
	}
	if text, err = unpack(text, limit); err != nil {
		return nil, fmt.Errorf("%s: %w (nothing was imported)", name, err)
	}
	return text, nil
}

// serve answers requests until ctx is done, by https if there is a certificate. It then gives current requests some
// time to end.
func serve(ctx context.Context, listener net.Listener, certificate *keyPair, handler http.Handler,
	log *slog.Logger) error {
	server := &http.Server{
		Handler:        handler,
		ReadTimeout:    patience,
		WriteTimeout:   patience, // extended by the recorder
		IdleTimeout:    2 * patience,
		MaxHeaderBytes: 64 << 10,
		ErrorLog:       slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	if certificate == nil {
		go func() { failed <- server.Serve(listener) }()
	} else {
		server.TLSConfig = &tls.Config{GetCertificate: certificate.get}
		go certificate.watch(ctx)
		go func() { failed <- server.ServeTLS(listener, "", "") }()
	}
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	log.Info("stopping")
	shutdownCtx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := server.Shutdown(shutdownCtx); err != nil { // requests still run
		server.Close()
	}
	return nil
}

// serveDebug serves net/http/pprof and expvar below /debug/ until ctx is done.
func serveDebug(ctx context.Context, listener net.Listener, log *slog.Logger) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	mux.Handle("GET /debug/vars", expvar.Handler())
	server := &http.Server{Handler: onlyLocal(mux), ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { server.Close() })
	log.Info("serving profiles and variables", "url", "http://"+listener.Addr().String()+"/debug/pprof/")
	server.Serve(listener) // returns when it is closed
}

// onlyLocal refuses requests by pages of other sites, and requests to a host name other than localhost.
func onlyLocal(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isForeign := r.Header.Get("Sec-Fetch-Site") == "cross-site" && r.Header.Get("Sec-Fetch-Mode") != "navigate"
		if isForeign || !knownHost(r.Host, "localhost") {
			http.Error(w, "only pages of this address may ask", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
