// The flats in memory, and the writer, which makes their changes durable.

package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"flats/internal/turns"
)

// A Store keeps flats in memory and, if it has files, on disk. Its methods are safe for
// concurrent use.
//
// Readers take a snapshot of the flats. They never wait for the disk, only for mu while the
// writer replaces the snapshot. All changes go through one goroutine, the [writer]. A change
// that fails leaves memory and files as they were.
//
// These are the locks, in the order in which a goroutine takes them. A task gives up its turn
// before it waits for a lock listed above turns. PostalCodes has its own table, with its own
// sorting, sortingSeveral and mu. program.changing and guesses.compare are channels with room
// for one element.
//
//	lock                   guards                        is held                    by
//	program.changing       the parts of the service      while they are replaced    changes of settings, the stop
//	importer.unpacking     memory for unpacked bodies    during one HTTP import     HTTP imports
//	importer.readingMail   memory for a mail             during one HTTP import     HTTP imports of mails, /mailbox/try
//	codeFiles.storing      memory for postal codes       until a file is written    /postal_codes
//	access.changing        password, sessions, invites   until they are durable     signing in, sessions, the password
//	Views.changing         the list of views             until it is durable        changes of views, messages
//	Shares.changing        the links for others          until they are durable     /shares, shared pages
//	pushDevices.changing   the devices that are told     until they are durable     /push, push messages
//	clock.applying         the time of an import         until that is durable      imports, messages
//	duplicates.making      the kept answer               while flats are compared   /duplicates
//	links                  the index of links            while it is updated        imports, /read, /duplicates
//	table.sorting          memory for a sort, by field   while all rows are sorted  queries by one field
//	table.sortingSeveral   memory for a sort             while all rows are sorted  queries by several fields
//	guesses.compare        a processor                   during one comparison      requests with a password
//	turns.gone             one place in the queue        until its turn begins      long tasks whose client has gone
//	turns                  a processor                   for 20 ms at a time        tasks longer than 5 ms
//	gate.mu                who is inside                 for moments                requests that change something
//	published.mu           flats, rows and watchers      for moments                everyone
//	table.mu               the cached orders             for moments                queries, the writer
//	index.words.mu         the posting lists             for moments                searches, the index
//	clock.mu, outcomes.mu  their own times and list      for moments                everyone
//	codeFiles.mu           what is known of the files    for moments                /postal_codes
//	access.mu              sessions and their last use   for moments                requests with a cookie
//	guesses.mu             what is known of credentials  for moments                requests with a password
//	pusher.mu              which devices are told        for moments                push messages, /push
//	notifier.mu            the state of messages         for moments                messages, /notify
//	geocoder.mu            the state of the geocoder     for moments                the geocoder, /travel
//	mailReader.mu          the state of the mailbox      for moments                the mailbox, /mailbox
//	nightly.mu             the last error                for moments                the backup, /backups
//	pace.mu                the time of the next request  for moments                the geocoder, places by address
//
// The writer takes only locks that are held for moments, so that it waits for nothing but
// the disk. Whoever holds a lock until something is durable waits for the writer. The photo
// fetcher needs no lock: it publishes its state through an atomic pointer.
//
// These are the other channels:
//
//	channel             sent to by                                   received from by
//	writer.jobs         change and call, which wait for job.done     the writer
//	writer.folding      the goroutine that writes flats.json         the writer
//	writer.quit         Close closes it, and waits for closed        the writer, its clients and the index
//	index.changed       the writer, which does not wait              the index
//	index.searchable    the index closes it when it is built         searches
//	changes             imports and updates, which do not wait       messages, the geocoder, the photo fetcher
type Store struct {
	codes *PostalCodes
	table *Table[Flat]
	rules atomic.Pointer[ruleSet] // never nil
	*storeCore
}

// A storeCore is the part of a store that does not depend on the config. A store shares it with the stores that
// [Store.with] returns.
type storeCore struct {
	log *slog.Logger
	now func() time.Time

	published
	index      textIndex
	links      *linkIndex
	duplicates keptDuplicates
	pictures   atomic.Pointer[pictureList] // the pictures of the kept photos, never nil
	turns      *turns.Queue
	writer     writer
}

// published is what readers see of the flats.
type published struct {
	mu       sync.RWMutex
	flats    *snapshot[Flat]
	rows     map[string]uint32 // by the text of the id
	watchers []chan struct{}   // the channels that changes has returned
}

// newStore returns a running store of flats. If files is nil, it keeps them in memory only.
// fields names the fields that the config adds to queries. The caller must call Close.
func newStore(flats []*Flat, codes *PostalCodes, log *slog.Logger, files *dataFiles, fields ...string) *Store {
	s := &Store{
		codes: codes,
		table: newTable(queryFields(log, codes, fields...)),
		storeCore: &storeCore{
			log:        log,
			now:        time.Now,
			published:  published{flats: &snapshot[Flat]{}, rows: make(map[string]uint32, len(flats))},
			duplicates: keptDuplicates{making: turns.NewLock()},
			links:      newLinkIndex(),
			turns:      turns.NewQueue(),
		},
	}
	s.index = textIndex{
		current:    s.snapshot,
		links:      s.links,
		searchable: make(chan struct{}),
		changed:    make(chan struct{}, 1),
	}
	w := &s.writer
	*w = writer{
		store:  s,
		jobs:   make(chan *job),
		quit:   make(chan struct{}),
		closed: make(chan error, 1),
		files:  files,
	}
	w.close = sync.OnceValue(func() error {
		close(w.quit)
		return <-w.closed
	})
	edits := make([]edit, len(flats))
	for i, f := range flats {
		edits[i].after = f // publish reads nothing else
	}
	s.rules.Store(&ruleSet{})
	s.pictures.Store(&pictureList{})
	s.publish(edits)
	go s.index.run(w.quit)
	go w.run()
	return s
}

// with returns a store of the same flats for another config: with its postal codes, and with the fields that it adds
// to queries. The flats keep their entries of the old codes until [Store.takeOver] is called.
func (s *Store) with(codes *PostalCodes, fields ...string) *Store {
	next := &Store{codes: codes, table: newTable(queryFields(s.log, codes, fields...)), storeCore: s.storeCore}
	next.rules.Store(&ruleSet{})
	return next
}

// rederive looks up the postal code of each flat in the codes of the store. It returns edits of the flats for which it
// finds another entry than they have, or none any more. The edits change nothing that is stored, and updates still
// accept tags from before the edits.
func (s *Store) rederive() (edits []edit) {
	for _, f := range s.snapshot().all() {
		before := f.ServicePostalCode.entry
		after := s.codes.get(f.ServiceConstraint.String(), f.ServicePostalCode.String())
		isEqual := before != nil && after != nil && *before == *after
		if before == after || isEqual {
			continue
		}
		next, err := f.withMembers(nil, s.codes, nil) // sets nothing, but looks the code up again
		if err != nil {
			continue // never: the flat is valid
		}
		next.earlier = append(slices.Clip(f.earlier), f.version)
		next.version = s.writer.versions.Add(1)
		edits = append(edits, edit{before: f, after: next})
	}
	return edits
}

// takeOver makes the writer use the store, and publishes the edits that rederive has returned. Nobody may change flats
// between the two calls.
func (s *Store) takeOver(edits []edit) error {
	return s.writer.do(&job{call: func() error {
		s.writer.store = s
		s.publish(edits)
		s.mu.Lock()
		defer s.mu.Unlock()
		flats := *s.flats
		flats.version++ // answers about the same flats differ, and so must their tags
		s.flats = &flats
		return nil
	}})
}

// Close stops the writer, which finishes the changes that it has begun and folds the
// journal. Later changes fail. Close may be called more than once.
func (s *Store) Close() error { return s.writer.close() }

// openStore reads the flats.json at path and its journals, and returns a running store, whose
// writer first folds the journals. Without a flats.json the store is empty, and the first
// change creates the file. fields are the names of the fields that the config adds.
func openStore(path string, disk disk, codes *PostalCodes, log *slog.Logger, fields ...string) (*Store, error) {
	base, err := resolve(disk, path)
	if err != nil {
		return nil, err
	}
	f := &dataFiles{disk: disk, base: base, journalPath: base + ".log", temp: newTemp(base), maxBytes: maxFile}
	flats, err := f.load(path, codes, log)
	if err != nil {
		return nil, err
	}
	if err := f.begin(log); err != nil {
		return nil, err
	}
	// Remove the temporary files of killed processes. Without locks another process may still be running: it
	// cannot replace flats.json any more without its temporary file.
	removeTemps(disk, base)
	return newStore(flats, codes, log, f, fields...), nil
}

// snapshot returns the current flats.
func (s *Store) snapshot() *snapshot[Flat] {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.flats
}

// Get returns the current flat of an id, or nil.
func (s *Store) Get(id string) *Flat {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if row, ok := s.rows[id]; ok {
		return s.flats.row(row)
	}
	return nil
}

// publish makes edits visible to readers, all at once.
func (s *Store) publish(edits []edit) {
	s.mu.Lock()
	rows := make([]uint32, len(edits))
	flats := make([]*Flat, len(edits))
	for i, e := range edits {
		id := e.after.ID.String()
		row, ok := s.rows[id]
		if !ok {
			row = uint32(len(s.rows))
		}
		s.rows[id] = row // also replaces the old key, which shares the memory of the old flat
		rows[i], flats[i] = row, e.after
	}
	s.flats = s.flats.withRecords(rows, flats)
	s.mu.Unlock()
	wake(s.index.changed)
}

// wake sends to a buffered channel, unless that is full.
func wake(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// changes returns a channel to which updates and imports send. It has room for one element, so several changes
// send once while nobody receives. The caller may also wake itself by it.
func (s *Store) changes() chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	woken := make(chan struct{}, 1)
	s.watchers = append(s.watchers, woken)
	return woken
}

// swapWatchers replaces the list of channels that changes has returned, and returns the old list.
// program.replace starts its parts anew, and puts the old list back after an error.
func (s *Store) swapWatchers(next []chan struct{}) (before []chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, s.watchers = s.watchers, next
	return before
}

// wakeWatchers sends to the channels that changes has returned.
func (s *Store) wakeWatchers() {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, woken := range s.watchers {
		wake(woken)
	}
}

// Search returns the page that q asks for among the flats that match a full-text search, for
// POST /search. A search that only excludes words matches no flat.
func (s *Store) Search(work *turns.Task, text string, q *Query) (Page[Flat], error) {
	parsed, err := parseSearch(work, text, searchedFields)
	if err != nil {
		return Page[Flat]{}, err
	}
	if !parsed.isPositive() {
		parsed.groups = nil
	}
	return s.matching(work, parsed, q), nil
}

// Find returns the page that a query asks for. The query may include a full-text search. A search
// that only excludes words matches all other flats.
func (s *Store) Find(work *turns.Task, q *Query) (Page[Flat], error) {
	if q.search == "" {
		return s.table.find(work, s.snapshot(), q, nil), nil
	}
	parsed, err := parseSearch(work, q.search, searchedFields)
	if err != nil {
		return Page[Flat]{}, err
	}
	return s.matching(work, parsed, q), nil
}

// matching returns the page that q asks for among the flats that match a parsed search. If there are none and q is
// forgiving, it replaces misspelled words of the search.
func (s *Store) matching(work *turns.Task, parsed search, q *Query) Page[Flat] {
	found, flats := s.index.match(work, parsed)
	if !q.isForgiving || found.count() > 0 {
		return s.table.find(work, flats, q, found)
	}
	found, flats, version, replaced := s.index.forgive(work, parsed, q.search)
	page := s.table.find(work, flats, q, found)
	page.version, page.replaced = version, replaced
	return page
}

// A keptDuplicates is the last answer of Duplicates.
type keptDuplicates struct {
	making       turns.Lock   // guards the rest, and is held while the answer is made
	list         string       // the answer as JSON
	flatsVersion uint64       // of the flats that were compared
	pictures     *pictureList // the pictures that were compared
	number       uint64       // of the list
}

// edit returns an edit that sets members of a flat as [Flat.withMembers] does, and UpdatedAt to now,
// a JSON text. If nothing differs, the flat after the edit is the flat before it.
func (s *Store) edit(before *Flat, values members, now string, warnings *warnings) (e edit, err error) {
	after, err := before.withMembers(values, s.codes, warnings)
	if err != nil {
		return e, err
	}
	changed := after.served != before.served
	delta := members{"id": json.RawMessage(after.ID.JSON())}
	for name, text := range values {
		if i, isField := flatFields.byName[name]; isField {
			text = json.RawMessage(after.stored(i)) // not the given text, which may be invalid
			if before.stored(i) == string(text) {
				continue
			}
			changed = true // a field such as corrected is stored, but not in served
		}
		delta[name] = text
	}
	if !changed {
		return edit{before: before, after: before}, nil
	}
	after.UpdatedAt.setJSON(now) // no error: it is a time
	if before.UpdatedAt.at.After(after.UpdatedAt.at) {
		after.UpdatedAt = before.UpdatedAt // importClock relies on UpdatedAt never going back
	}
	size := after.size()
	if size.exceeds(after.maxSize()) {
		return e, fmt.Errorf("id %s: %w", excerpt(after.ID.JSON()), errLarge)
	}
	grown := size.bytes + len(",\n") // the bytes by which flats.json grows
	if before != blank {
		grown = size.bytes - len(before.appendStored(nil))
	}
	delta["updated_at"] = json.RawMessage(after.UpdatedAt.JSON())
	after.version, after.earlier = s.writer.versions.Add(1), nil
	return edit{before: before, after: after, delta: encodeJSON(delta), grown: grown}, nil
}

// change makes the edits that makeEdits returns, and returns when they are durable. source is
// not nil for an import.
func (s *Store) change(makeEdits editFunc, source *importedFile) error {
	return s.writer.do(&job{makeEdits: makeEdits, source: source})
}

// call lets the writer call f between changes, and returns the error of f. It does nothing if
// the store has no files.
func (s *Store) call(f func() error) error {
	if s.writer.files == nil {
		return nil
	}
	return s.writer.do(&job{call: f})
}

// writeSide replaces a side file and returns when that is durable. It does nothing if the store has
// no files.
func (s *Store) writeSide(file *sideFile, text string) error {
	// The writer calls this, so that the process that owns the flats also owns the other files.
	err := s.call(func() error {
		if err := s.writer.foldIf(s.writer.files.needsFold); err != nil {
			return err
		}
		return file.write(text)
	})
	if err != nil {
		return fmt.Errorf("nothing was stored: %w", err)
	}
	return nil
}

// check returns an error if another process has changed the files.
func (s *Store) check() error {
	return s.call(s.writer.files.check) // call ignores it if files is nil
}

// A writer is the goroutine that changes the flats of a store. It makes the changes that
// arrive at the same time durable with one fsync, and then visible: an import in parts, an
// update at once.
type writer struct {
	store  *Store
	jobs   chan *job
	quit   chan struct{}
	closed chan error   // receives the error of the shutdown; buffered
	close  func() error // closes quit, and returns that error

	versions atomic.Uint64 // the last version given to a flat

	// Only the writer's goroutine uses the fields below, except files.disk.
	files   *dataFiles // nil to keep flats in memory only
	folding chan error // receives the result of the fold in progress; nil if there is none
	size    int64      // bytes of all flats in flats.json
}

// A job is work for the writer: a change or, if call is not nil, another use of the files.
type job struct {
	makeEdits editFunc
	source    *importedFile // not nil for an import
	call      func() error
	done      chan error // receives the result; buffered
}

// runCall calls call. A panic becomes the error of this job.
func (j *job) runCall() (err error) {
	defer recoverError(&err)
	return j.call()
}

// prepare returns the edits of a job, without those that change nothing, and their journal records.
func (j *job) prepare(current func(id string) *Flat) (edits []edit, records []string, err error) {
	defer recoverError(&err) // only this job fails
	edits, err = j.makeEdits(current)
	edits = slices.DeleteFunc(edits, func(e edit) bool { return e.after == e.before })
	if err == nil {
		records = newJournalRecords(j.source, edits)
	}
	return edits, records, err
}

// An editFunc returns the edits of a change. current returns the latest flat with an id,
// or nil.
type editFunc func(current func(id string) *Flat) ([]edit, error)

var errClosed = errors.New("the service is stopping")

// do hands a job to the writer and returns its result.
func (w *writer) do(j *job) error {
	j.done = make(chan error, 1)
	select {
	case w.jobs <- j:
		return <-j.done
	case <-w.quit:
		return errClosed
	}
}

// run runs the writer until the store is closed.
func (w *writer) run() {
	if w.files != nil {
		w.size = w.measure()
	}
	if w.files != nil && w.files.canFold() {
		w.startFold()
	}
	for {
		select {
		case j := <-w.jobs:
			w.commit(w.batch(j))
			if w.files != nil && w.folding == nil && w.files.isFoldWorthwhile() {
				w.startFold()
			}
		case written := <-w.folding:
			if err := w.endFold(written); err != nil {
				w.store.log.Warn("the journal could not be folded and keeps growing", "file", w.files.journalPath, "err", err)
			}
		case <-w.quit:
			var err error
			if w.files != nil {
				err = errors.Join(w.foldIf(w.files.canFold), w.files.close())
			}
			w.closed <- err
			return
		}
	}
}

// measure returns the bytes that all flats take in flats.json.
func (w *writer) measure() (size int64) {
	var line []byte
	for _, f := range w.store.snapshot().all() {
		line = f.appendStored(line[:0])
		size += int64(len(line) + len(",\n"))
	}
	return size
}

// batch returns the first job and all others that are waiting.
func (w *writer) batch(first *job) []*job {
	batch := []*job{first}
	for {
		select {
		case j := <-w.jobs:
			batch = append(batch, j)
		default:
			return batch
		}
	}
}

// commit makes the edits of a batch durable and then visible, and answers the jobs.
func (w *writer) commit(batch []*job) {
	var edits []edit
	var records []string
	var accepted []*job
	size := w.size               // after the accepted jobs
	latest := map[string]*Flat{} // the flats after the accepted jobs, by id
	current := func(id string) *Flat { return cmp.Or(latest[id], w.store.Get(id)) }
	for _, j := range batch {
		if j.call != nil {
			j.done <- j.runCall()
			continue
		}
		jobEdits, jobRecords, err := j.prepare(current)
		grown := int64(0)
		for _, e := range jobEdits {
			grown += int64(e.grown)
		}
		lacksRoom := w.files != nil && grown > 0 && !w.files.hasRoom(size+grown)
		if err == nil && lacksRoom {
			err = fmt.Errorf("nothing was stored: %w", w.files.tooLarge(w.files.base))
		}
		if err != nil {
			j.done <- err
			continue
		}
		size += grown
		accepted = append(accepted, j)
		for _, e := range jobEdits {
			latest[e.after.ID.String()] = e.after
		}
		records = append(records, jobRecords...)
		edits = append(edits, jobEdits...)
	}
	if len(accepted) == 0 {
		return // calls and refused changes need no flats.json
	}
	err := w.append(records)
	if err != nil {
		err = fmt.Errorf("nothing was stored: %w", err)
	} else if len(edits) > 0 {
		for part := range slices.Chunk(edits, importBatch) { // the edits of an update are fewer
			w.store.publish(part)
		}
		w.store.table.dropOld(w.store.flats)
		w.size = size
	}
	for _, j := range accepted {
		if err == nil && j.source != nil && w.files != nil {
			j.source.updateIn(w.files.imported)
		}
		j.done <- err
	}
}

// append makes records durable, if the store has files. It folds first if needed, even without
// records: an update that changes nothing is answered from memory, which must be durable, too.
func (w *writer) append(records []string) error {
	if w.files == nil {
		return nil
	}
	needsFold := func() bool { return w.files.needsFold() || !w.files.journalHasRoom(records) }
	if err := w.foldIf(needsFold); err != nil {
		return err
	}
	if len(records) == 0 {
		return nil
	}
	return w.files.append(records)
}

// startFold retires the journal and starts writing a new flats.json in the background.
// The result must be received from folding and passed to endFold.
func (w *writer) startFold() {
	written := make(chan error, 1)
	w.folding = written
	err := w.files.check()
	if err == nil && !w.files.hasRoom(w.size) {
		err = w.files.tooLarge(w.files.base)
	}
	if err == nil {
		err = w.files.retire()
	}
	flats := w.store.snapshot() // has all changes of the retired journals
	go func() {
		if err == nil {
			err = w.files.writeBase(flats)
		}
		written <- err
	}()
}

// endFold ends a fold. written is what was received from folding.
func (w *writer) endFold(written error) error {
	w.folding = nil
	return w.files.fold(written)
}

// foldIf folds if needed returns true. If a fold is in progress, foldIf first waits for it, which
// may be enough.
func (w *writer) foldIf(needed func() bool) (err error) {
	if needed() && w.folding != nil {
		err = w.endFold(<-w.folding)
	}
	if err == nil && needed() {
		w.startFold()
		err = w.endFold(<-w.folding)
	}
	return err
}

// importBatch is the number of flats of an import that become visible at once. It is
// small, because readers wait while a batch becomes visible.
const importBatch = 256
