// The program: its parts, and how they start and stop.

package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A program is a service: its parts, which depend on the settings in force, and what stays when these change. It
// answers requests as soon as it is open; start starts the parts that work without requests.
type program struct {
	*parts                    // for the settings in force
	handler      http.Handler // answers with the parts in force
	settingsFile *sideFile
	unlock       func() // gives up the lock of the data, if openProgram has taken it
	log          *slog.Logger

	current    atomic.Pointer[parts] // the same parts, for requests
	gate       gate
	changing   chan struct{}   // has an element while the parts are stopped and started
	outer      context.Context // while it is not done, the parts work; nil before start
	background sync.WaitGroup
	cancel     context.CancelFunc // ends what startParts has started
}

// The parts of a program work by one config.
type parts struct {
	*server
	answers  http.Handler
	reminder *reminder
}

// newProgram returns a program for a store and the file of its views. It keeps settings and postal codes in memory.
// The caller must call stop, or close the store.
func newProgram(config *Config, store *Store, file *sideFile, log *slog.Logger) (*program, error) {
	p := &program{
		settingsFile: &sideFile{name: settingsBase},
		unlock:       func() {},
		log:          log,
		changing:     make(chan struct{}, 1),
		cancel:       func() {},
	}
	s := &server{
		guesses:   newGuesses(log),
		access:    newAccess(config, store, log),
		epoch:     strconv.FormatInt(time.Now().UnixNano(), 36),
		codeFiles: newCodeFiles(osDisk{}, "", config, log),
	}
	first, err := p.newParts(s, config, store, file)
	if err != nil {
		return nil, err
	}
	p.parts = first
	p.current.Store(first)
	p.handler = http.HandlerFunc(p.serve)
	return p, nil
}

// newParts returns the parts for a store and the file of its views. If before is a server with a store, they take over
// its state.
func (p *program) newParts(before *server, config *Config, store *Store, file *sideFile) (*parts, error) {
	importer := newImporter(store)
	views, err := newViews(importer, file, p.log)
	if err != nil {
		return nil, err
	}
	mailbox, err := newMailReader(importer, config.Mailbox, config.Data, importer.ImportMail)
	if err != nil {
		return nil, err
	}
	shares := before.shares
	if shares == nil {
		if shares, err = newShares(store, config.Data, p.log); err != nil {
			return nil, err
		}
	}
	notifier := newReceiverNotifier(views, config.Notify, config.WebsiteURL)
	reminder, err := newReceiverReminder(notifier, config.Notify, config.Timezone, config.Data)
	if err != nil {
		return nil, err
	}
	var devices *pushDevices
	if before.store != nil {
		devices = before.pusher.devices
	} else if devices, err = openPushDevices(views, config.Data); err != nil {
		return nil, err
	}
	s := &server{
		config:       config,
		store:        store,
		importer:     importer,
		views:        views,
		shares:       shares,
		notifier:     notifier,
		pusher:       newPusher(devices, views, config),
		geocoder:     newGeocoder(store, config.Travel, config.Constraints, config.Timezone),
		photoFetcher: newPhotoFetcher(store, config.Data, config.MaxPhotos),
		mailbox:      mailbox,
		guesses:      before.guesses,
		access:       before.access,
		codeFiles:    before.codeFiles,
		nightly:      newNightly(config, store, p.log),
		change:       p.change,
		log:          p.log,
		epoch:        before.epoch,
	}
	if before.store != nil {
		s.importer.inherit(before.importer)
		s.views.inherit(before.views)
		s.notifier.inherit(before.notifier)
		s.geocoder.inherit(before.geocoder)
		s.photoFetcher.inherit(before.photoFetcher)
		s.mailbox.inherit(before.mailbox)
		s.nightly.inherit(before.nightly)
	}
	return &parts{server: s, answers: newHandler(s), reminder: reminder}, nil
}

// openProgram locks and opens the data that the config names, or opens the sample.
func openProgram(config *Config, log *slog.Logger) (*program, error) {
	if config.sample {
		return openLockedProgram(config, log)
	}
	unlock, err := lockData(config.Data, openLocked, log)
	if err != nil {
		return nil, err
	}
	p, err := openLockedProgram(config, log)
	if err != nil {
		unlock()
		return nil, err
	}
	p.unlock = unlock
	return p, nil
}

// openLockedProgram opens the data that the config names, which the caller has locked, or the sample.
func openLockedProgram(config *Config, log *slog.Logger) (p *program, err error) {
	if config.sample {
		config.dataID = "sample-" + newDataID() // a new one, because what a browser keeps for a sample is of no use later
		config = withSampleSettings(config)
		p, err = newProgram(config, openSample(config, time.Now(), log), sampleViews(), log)
		if err == nil {
			addSampleCodes(p.codeFiles, p.store.codes)
		}
		return p, err
	}
	settingsFile, config, err := openSettings(config, log)
	if err != nil {
		return nil, err
	}
	codes := newCodeFiles(osDisk{}, config.Data, config, log)
	store, err := openData(config, codes, log)
	if err != nil {
		return nil, err
	}
	// openSettings had to read the file before there was a store. From now on it is written with the checks of flats.json.
	settingsFile.data = store.writer.files
	file, err := openSideFile(store.writer.files, config.Data, "views.json")
	if err == nil {
		config.dataID, err = openDataID(store, config.Data, log)
		config.beforeSettings.dataID = config.dataID // a change of settings makes the next config from this one
	}
	if err == nil {
		p, err = newProgram(config, store, file, log)
	}
	if err == nil {
		err = p.access.open(store.writer.files, config.Data)
	}
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	p.settingsFile, p.codeFiles = settingsFile, codes
	return p, nil
}

// openSettings reads the settings.json next to the data, and returns the config with the settings in it.
func openSettings(config *Config, log *slog.Logger) (*sideFile, *Config, error) {
	file, err := openSideFile(&dataFiles{disk: osDisk{}}, config.Data, settingsBase)
	var settings members
	if err == nil {
		settings, err = readSettings(file.name, file.text)
	}
	if err == nil {
		wrong := wrongKeys{}
		config = config.withSettings(settings, wrong)
		err = wrong.fileError(file.name)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%w (the file is left as it is: fix it, put a backup in its place, or move it away, "+
			"which forgets what the page has set)", err)
	}
	wrong := wrongKeys{}
	config.checkPersons(wrong)
	switch {
	case config.given.has("constraints"):
		err = wrong.fileError(config.file)
	case len(wrong) > 0: // the page has set the places, and somebody has set other people in the config file since
		log.Warn("places are nobody's", "err", wrong.fileError(file.name))
	}
	return file, config, err
}

// start starts the parts that work in the background, until ctx is done or stop is called.
func (p *program) start(ctx context.Context) {
	p.outer = ctx
	if p.store.writer.files != nil {
		folder := importFolder(p.config.Data)
		// Listings are private. An existing folder keeps its mode.
		if err := os.MkdirAll(folder, 0o700); err != nil {
			p.log.Warn("the import folder cannot be created", "err", err)
		}
		warnUnsyncable(p.log, filepath.Dir(p.config.Data), folder)
	}
	p.startParts()
}

// startParts starts the parts in force, if the program has been started. They stop when cancel is called.
func (p *program) startParts() {
	if p.outer == nil {
		return
	}
	ctx, cancel := context.WithCancel(p.outer)
	p.cancel = cancel
	start := func(run func(context.Context)) { p.background.Go(func() { run(ctx) }) }
	if p.store.writer.files == nil { // the sample stores nothing and asks no other service
		return
	}
	start(p.notifier.run)
	start(p.reminder.run)
	start(p.pusher.run)
	start(newWatcher(p.importer, importFolder(p.config.Data), p.config.MaxImport).watch)
	start(p.geocoder.run)
	if p.config.KeepPhotos {
		start(p.photoFetcher.run)
	}
	start(p.mailbox.run)
	start(p.nightly.run)
	start(p.access.watch)
}

// stop ends what start has started, closes the store and unlocks the data. It lets the current
// import and message end, and the geocoder and the photo fetcher store what they have.
func (p *program) stop() error {
	p.codeFiles.stop()
	p.changing <- struct{}{} // waits until no settings are changing
	defer func() { <-p.changing }()
	p.cancel()
	p.background.Wait()
	p.shares.flush()
	err := p.store.Close()
	p.unlock()
	return err
}

// serve answers a request with the parts in force. A request that may change something waits while the parts change. A
// change of the parts waits in turn for such requests: until their answers begin (leavingWriter), until a handler lets
// the change begin (letSettingsChange), or until they end. So leave may be called several times.
func (p *program) serve(w http.ResponseWriter, r *http.Request) {
	if changesNothing(r) {
		p.current.Load().answers.ServeHTTP(w, r)
		return
	}
	leave, ok := p.gate.enter(r.Context())
	if !ok {
		panic(http.ErrAbortHandler) // the client has gone
	}
	defer leave()
	r = r.WithContext(context.WithValue(r.Context(), leaveKey{}, leave))
	p.current.Load().answers.ServeHTTP(&leavingWriter{w, leave}, r)
}

const (
	settleAfter = 5 * time.Second        // how long a change of settings waits for requests and parts to end
	gateShut    = 500 * time.Millisecond // how long new requests wait meanwhile, before the gate opens for a moment
)

// change stores and brings into force the settings that edit returns for the config in force, and returns the new
// config. hasNewCodes says that files of postal codes have changed. After an error, nothing has changed.
func (p *program) change(ctx context.Context, hasNewCodes bool,
	edit func(*Config) (members, error)) (config *Config, err error) {
	select {
	case p.changing <- struct{}{}:
	case <-time.After(settleAfter):
		return nil, errUnsettled
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	release := func() { <-p.changing }
	defer func() { release() }() // not "defer release()": the goroutine below may take over
	settings, err := edit(p.config)
	if err != nil {
		return nil, err
	}
	if !hasNewCodes && settingsText(settings) == settingsText(p.config.settings) {
		return p.config, nil
	}
	config, store, err := p.prepare(settings, hasNewCodes)
	if err != nil {
		return nil, err
	}
	p.cancel()
	stopped := make(chan struct{})
	go func() {
		p.background.Wait()
		close(stopped)
	}()
	select {
	case <-stopped:
	case <-time.After(settleAfter):
		// Something still runs. When it has ended, start the parts again, and only then let others change settings.
		release = func() {}
		go func() {
			<-stopped
			p.startParts()
			<-p.changing
		}()
		return nil, errUnsettled
	}
	defer p.startParts()
	if !p.gate.shut(settleAfter) {
		return nil, errUnsettled
	}
	defer p.gate.open()
	return config, p.replace(config, store)
}

// prepare returns the config with other settings, and the store for it. The error names wrong keys.
func (p *program) prepare(settings members, hasNewCodes bool) (*Config, *Store, error) {
	wrong := wrongKeys{}
	config := p.config.withoutSettings().withSettings(settings, wrong)
	isNewMailbox := !config.given.has("mailbox") && settings.text("mailbox") != p.config.settings.text("mailbox")
	if isNewMailbox && config.Mailbox != nil {
		_, err := config.Mailbox.readCertificate()
		wrong.add("mailbox.certificate", err)
	}
	if len(wrong) > 0 {
		return nil, nil, invalidSettings(statusInvalid, wrong)
	}
	var codes *PostalCodes
	if !hasNewCodes && slices.Equal(config.countries, p.config.countries) {
		codes = p.store.codes.with(config.Constraints)
	} else {
		var err error
		codes, err = loadCodes(config, p.codeFiles, p.store.codes, func(country string, err error) {
			if !hasNewCodes { // with new files, the country keeps the codes in force
				wrong.add("postal_codes", err)
			}
			if p.codeFiles.has(country) {
				p.codeFiles.setFailed(country, err)
			}
		})
		wrong.add("postal_codes", err)
		if len(wrong) > 0 {
			return nil, nil, invalidSettings(statusInvalid, wrong)
		}
		codes.all.version += p.store.codes.all.version + 1 // so that the tags of lists change
	}
	if settings.text("constraints") != p.config.settings.text("constraints") {
		wrong = config.farPlaces(codes)
		maps.Copy(wrong, config.chosenTransitWithoutTravel())
		maps.Copy(wrong, config.wrongTimes())
		if len(wrong) > 0 {
			return nil, nil, invalidSettings(statusInvalid, wrong)
		}
	}
	return config, p.store.with(codes, config.fieldNames()...), nil
}

// replace replaces the parts, which must have been stopped. After an error, nothing has changed.
func (p *program) replace(config *Config, store *Store) (err error) {
	watchers := store.swapWatchers(nil)
	defer func() {
		if err != nil {
			store.swapWatchers(watchers)
		}
	}()
	next, err := p.newParts(p.server, config, store, p.views.file)
	if err != nil {
		return err
	}
	edits := store.rederive()
	if err := store.writeSide(p.settingsFile, settingsText(config.settings)); err != nil {
		return err
	}
	if err := store.takeOver(edits); err != nil {
		return err
	}
	p.parts = next
	p.current.Store(next)
	return nil
}

// A gate lets in requests that may change something, unless it is shut.
type gate struct {
	mu     sync.Mutex
	inside int
	opened chan struct{} // closed when the gate opens, nil while it is open
	idle   chan struct{} // closed when the last request leaves a gate that is shut
}

// enter waits until the gate is open, and returns a function to leave, which may be called more than once. It returns
// false if ctx is done before.
func (g *gate) enter(ctx context.Context) (leave func(), ok bool) {
	for {
		g.mu.Lock()
		opened := g.opened
		if opened == nil {
			g.inside++
			g.mu.Unlock()
			return sync.OnceFunc(g.leave), true
		}
		g.mu.Unlock()
		select {
		case <-opened:
		case <-ctx.Done():
			return nil, false
		}
	}
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inside--
	if g.inside == 0 && g.opened != nil {
		close(g.idle)
	}
}

// shut shuts the gate when all have left. If that takes longer than limit, it returns false, and the gate is open.
// Meanwhile it opens the gate for a moment every gateShut, so that nobody waits for long.
func (g *gate) shut(limit time.Duration) bool {
	const openFor = gateShut / 10
	for deadline := time.Now().Add(limit); time.Now().Before(deadline); time.Sleep(openFor) {
		idle := make(chan struct{})
		g.mu.Lock()
		g.opened, g.idle = make(chan struct{}), idle
		if g.inside == 0 {
			close(idle)
		}
		g.mu.Unlock()
		select {
		case <-idle:
			return true
		case <-time.After(gateShut):
			g.open()
		}
	}
	return false
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.opened)
	g.opened, g.idle = nil, nil
}

// A leavingWriter leaves the gate when an answer begins, because then the change has been made.
type leavingWriter struct {
	http.ResponseWriter
	leave func()
}

// Unwrap gives http.ResponseController access to the connection.
func (w *leavingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *leavingWriter) WriteHeader(status int) {
	w.leave()
	w.ResponseWriter.WriteHeader(status)
}

func (w *leavingWriter) Write(b []byte) (int, error) {
	w.leave()
	return w.ResponseWriter.Write(b)
}

// openData opens the store that the config names.
func openData(config *Config, files *codeFiles, log *slog.Logger) (*Store, error) {
	codes, err := loadCodes(config, files, nil, func(country string, err error) {
		files.setFailed(country, err)
		log.Warn("the postal codes of a country cannot be used", "country", country, "err", err)
	})
	if err != nil {
		return nil, err
	}
	store, err := openStore(config.Data, osDisk{}, codes, log, config.fieldNames()...)
	if err != nil {
		return nil, err
	}
	log.Info("serving", "data", config.Data, "flats", store.snapshot().size,
		"postal_codes", codes.all.size, "constraints", len(config.Constraints))
	warnConstraints(config, codes, log)
	if _, err := os.Stat(config.Data); err != nil {
		log.Info("the data file does not exist yet: the first flat creates it", "data", config.Data)
	}
	return store, nil
}

// dataID matches the content of the file with the id of the data.
var dataID = newPattern(`^[A-Z2-7]{26}\n$`)

// newDataID returns an id for data. Browsers keep everything under it, so that nothing of one service is shown by, or
// sent to, another one at the same address.
func newDataID() string { return rand.Text() }

// openDataID returns the id of the flats.json at path. If there is none, or its file is damaged, it makes a new one. If
// that cannot be stored, it holds until the next start: then browsers ask what to do with what they have kept.
func openDataID(store *Store, path string, log *slog.Logger) (string, error) {
	file, err := openSideFile(store.writer.files, path, filepath.Base(path)+dataIDSuffix)
	if err != nil {
		return "", err
	}
	if dataID().MatchString(file.text) {
		return strings.TrimSpace(file.text), nil
	}
	if file.text != "" {
		log.Warn("the id of the data is damaged, and replaced by a new one: browsers ask whether to send what they have "+
			"kept for it", "file", file.name)
	}
	id := newDataID()
	// Not by writeSide, which would make a flats.json before the first flat.
	if err := store.call(func() error { return file.write(id + "\n") }); err != nil {
		log.Warn("the id of the data cannot be stored: after a restart, browsers ask whether to send what they have kept",
			"file", file.name, "err", err)
	}
	return id, nil
}
