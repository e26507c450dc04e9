// The program: its parts, and how they start and stop.

package main

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A program is all parts of a service. What answers requests works as soon as it is opened; start
// starts the parts that work without requests.
type program struct {
	*server
	handler  http.Handler
	reminder *reminder
	unlock   func() // gives up the lock of the data

	background sync.WaitGroup
	cancel     context.CancelFunc // ends what start has started
}

// newProgram returns a program for a store and the file of its views. The caller must call stop,
// or close the store.
func newProgram(config *Config, store *Store, file *sideFile, log *slog.Logger, accessLog bool) (*program, error) {
	importer := newImporter(store)
	views, err := newViews(importer, file, log)
	if err != nil {
		return nil, err
	}
	mailbox, err := newMailReader(importer, config.Mailbox, config.Data, importer.ImportMail)
	if err != nil {
		return nil, err
	}
	notifier := newNotifier(views, config.Notify, config.WebsiteURL)
	reminder, err := newReminder(notifier, config.Timezone, config.Data)
	if err != nil {
		return nil, err
	}
	s := &server{
		config:       config,
		store:        store,
		importer:     importer,
		views:        views,
		notifier:     notifier,
		geocoder:     newGeocoder(store, config.Travel, config.Constraints, config.Timezone),
		photoFetcher: newPhotoFetcher(store, config.Data, config.MaxPhotos),
		mailbox:      mailbox,
		guesses:      newGuesses(log),
		log:          log,
		epoch:        strconv.FormatInt(time.Now().UnixNano(), 36),
	}
	return &program{
		server:   s,
		handler:  newHandler(s, accessLog),
		reminder: reminder,
		unlock:   func() {},
		cancel:   func() {},
	}, nil
}

// openProgram opens the data that the config names, or the sample.
func openProgram(config *Config, useSample bool, log *slog.Logger, accessLog bool) (p *program, err error) {
	if useSample {
		config.dataID = "sample-" + newDataID() // what a browser keeps for it is of no use after a restart
		return newProgram(config, openSample(config, time.Now(), log), sampleViews(), log, accessLog)
	}
	unlock, err := lockData(config.Data, openLocked, log)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			unlock()
		}
	}()
	store, err := openData(config, log)
	if err != nil {
		return nil, err
	}
	file, err := openSideFile(store.writer.files, config.Data, "views.json")
	if err == nil {
		config.dataID, err = openDataID(store, config.Data, log)
	}
	if err == nil {
		p, err = newProgram(config, store, file, log, accessLog)
	}
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	p.unlock = unlock
	return p, nil
}

// start starts the parts that work in the background, until ctx is done or stop is called.
func (p *program) start(ctx context.Context) {
	ctx, p.cancel = context.WithCancel(ctx)
	start := func(run func(context.Context)) { p.background.Go(func() { run(ctx) }) }
	start(p.notifier.run)
	start(p.reminder.run)
	if p.store.writer.files == nil { // the sample stores nothing and asks no other service
		return
	}
	folder := importFolder(p.config.Data)
	// Listings are private. An existing folder keeps its mode.
	if err := os.MkdirAll(folder, 0o700); err != nil {
		p.log.Warn("the import folder cannot be created", "err", err)
	}
	warnUnsyncable(p.log, filepath.Dir(p.config.Data), folder)
	start(newWatcher(p.importer, folder, p.config.MaxImport).watch)
	start(p.geocoder.run)
	if p.config.KeepPhotos {
		start(p.photoFetcher.run)
	}
	start(p.mailbox.run)
}

// stop ends what start has started, closes the store and unlocks the data. It lets the current
// import and message end, and the geocoder and the photo fetcher store what they have.
func (p *program) stop() error {
	p.cancel()
	p.background.Wait()
	err := p.store.Close()
	p.unlock()
	return err
}

// openData opens the store that the config names.
func openData(config *Config, log *slog.Logger) (*Store, error) {
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
	warnRegions(config, codes, log)
	if _, err := os.Stat(config.Data); err != nil {
		log.Info("the data file does not exist yet: the first flat creates it", "data", config.Data)
	}
	return store, nil
}

// dataID matches the content of the file with the id of the data.
var dataID = newPattern(`^[A-Z2-7]{26}\n$`)

// newDataID returns an id for data. Browsers name by it what they keep, so that nothing that is kept for one set of
// data is shown or sent to another one at the same address.
func newDataID() string { return rand.Text() }

// openDataID returns the id of the flats.json at path, and makes one if there is none or the file is damaged. If the
// new id cannot be stored, it holds for this start alone: browsers then ask what to do with what they have kept.
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
