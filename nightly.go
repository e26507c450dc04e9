// The backup of every night.

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	backupHour  = 3 // the hour from which on the backup of a day is made
	keptMondays = 4 // Mondays whose backups are kept
)

// nightName matches the name of a backup, nightTemp that of an unfinished one, which a killed process has left.
var (
	nightName = newPattern(`^flats-([0-9]{4}-[0-9]{2}-[0-9]{2})\.tar\.gz$`)
	nightTemp = newPattern(`^flats-[0-9-]{10}\.tar\.gz\.[A-Z2-7]{26}\.tmp$`)
)

// A nightly makes a backup once a day, without photos, if the data has changed since the last one.
type nightly struct {
	archiver
	store   *Store
	keep    int    // the number of the last backups that stay; 0 for no backups
	folder  string // of the backups
	zone    *time.Location
	now     func() time.Time
	log     *slog.Logger
	lastDay string // the last day whose backup was made, or not needed

	mu  sync.Mutex
	err error // of the last try, guarded by mu
}

// newNightly returns a nightly for the data that a config names. For the sample, it does nothing.
func newNightly(config *Config, store *Store, log *slog.Logger) *nightly {
	n := &nightly{
		archiver: osArchiver(config),
		store:    store,
		keep:     config.Backup.Keep,
		folder:   filepath.Join(filepath.Dir(config.Data), "backups"),
		zone:     config.Timezone,
		now:      time.Now,
		log:      log,
	}
	if n.zone == nil {
		n.zone = time.Local
	}
	if store.writer.files == nil {
		n.keep, n.folder = 0, ""
	}
	return n
}

// inherit copies the outcome of the last try from before, which has stopped.
func (n *nightly) inherit(before *nightly) {
	before.mu.Lock()
	defer before.mu.Unlock()
	n.lastDay, n.err = before.lastDay, before.err
}

// run makes backups until ctx is done. It looks at the clock every minute, because a timer does not count the time
// that a laptop is suspended, and the clock may be set.
func (n *nightly) run(ctx context.Context) {
	if n.keep == 0 {
		return
	}
	n.removeTemps()
	wait := time.Duration(0) // after the last failure, or 0
	var retryAt time.Time
	for sleep(ctx, time.Minute) {
		day := n.day()
		if day == n.lastDay || time.Now().Before(retryAt) {
			continue
		}
		err := n.backUpDay(ctx, day)
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, errNoFlats): // there is nothing to lose yet
			err = nil
		case err == nil:
			n.lastDay = day
			debug.FreeOSMemory() // whole archives were read, and there is a day until the next
		}
		if err == nil {
			wait = 0
		} else {
			wait = backoff(wait)
			retryAt = time.Now().Add(wait)
		}
		n.setResult(err)
	}
}

// setResult stores the error of a try, and logs it if the try before had none.
func (n *nightly) setResult(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err != nil && n.err == nil {
		n.log.Warn("the nightly backup failed and will be tried again", "err", err)
	}
	n.err = err
}

// day returns the day whose backup is due: today, or yesterday in the first hours.
func (n *nightly) day() string {
	now := n.now().In(n.zone)
	if now.Hour() < backupHour {
		const anyHour = 12
		now = time.Date(now.Year(), now.Month(), now.Day()-1, anyHour, 0, 0, 0, n.zone)
	}
	return now.Format(time.DateOnly)
}

// backUpDay makes the backup of a day, unless there is one or nothing has changed since the last one. Then it removes
// the backups that need not stay.
func (n *nightly) backUpDay(ctx context.Context, day string) error {
	if err := n.store.check(); err != nil { // another service may own the data now
		return err
	}
	if err := n.disk.MkdirAll(n.folder, 0o700); err != nil {
		return err
	}
	archives, err := n.archives()
	if err != nil {
		return err
	}
	name := "flats-" + day + ".tar.gz"
	if !slices.Contains(archives, name) {
		isNew, err := n.backUpTo(ctx, name, archives)
		if err != nil {
			return err
		}
		if isNew {
			archives = append([]string{name}, archives...)
		}
	}
	return n.removeOld(archives)
}

// backUpTo makes a backup, unless nothing has changed since the newest archive. It reports whether it has made one.
func (n *nightly) backUpTo(ctx context.Context, name string, archives []string) (isNew bool, err error) {
	var last archive
	if len(archives) > 0 {
		last, _ = n.readBack(ctx, filepath.Join(n.folder, archives[0])) // a damaged one has no sums, so it equals none
	}
	file := filepath.Join(n.folder, name)
	const withPhotos = false
	got, err := n.backUpIf(ctx, n.config.Data, file, withPhotos, func(got archive) bool {
		isNew = !maps.Equal(got.sums, last.sums)
		return isNew
	})
	if err != nil {
		n.disk.Remove(file) // its name may not be durable
		return false, err
	}
	if isNew {
		n.log.Info("backed up", "file", file, "flats", got.flats, "bytes", got.size)
	}
	return isNew, nil
}

// archives returns the names of the backups, newest first.
func (n *nightly) archives() ([]string, error) {
	if n.folder == "" {
		return nil, nil
	}
	files, err := n.disk.List(n.folder + string(filepath.Separator)) // List takes a prefix: here all files in the folder
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, file := range files {
		if name := filepath.Base(file); isNight(name) {
			info, err := n.disk.Lstat(file)
			if err != nil {
				return nil, err
			}
			if info.Mode().IsRegular() {
				names = append(names, name)
			}
		}
	}
	slices.Reverse(names)
	return names, nil
}

// isNight reports whether a name belongs to the backup of a day.
func isNight(name string) bool {
	parts := nightName().FindStringSubmatch(name)
	if parts == nil {
		return false
	}
	_, err := time.Parse(time.DateOnly, parts[1])
	return err == nil
}

// removeOld removes old backups from a list, newest first. It keeps the last n.keep,
// and those of the last keptMondays Mondays that have one.
func (n *nightly) removeOld(archives []string) error {
	mondaysSoFar := 0
	for i, name := range archives {
		day, _ := time.Parse(time.DateOnly, nightName().FindStringSubmatch(name)[1]) // no error: see isNight
		isMonday := day.Weekday() == time.Monday
		if isMonday {
			mondaysSoFar++
		}
		isKeptMonday := isMonday && mondaysSoFar <= keptMondays
		if i < n.keep || isKeptMonday {
			continue
		}
		if err := n.disk.Remove(filepath.Join(n.folder, name)); err != nil {
			return err
		}
	}
	return nil
}

// removeTemps removes unfinished backups that killed processes have left.
func (n *nightly) removeTemps() {
	files, _ := n.disk.List(n.folder + string(filepath.Separator)) // List takes a prefix: here all files in the folder
	for _, file := range files {
		if nightTemp().MatchString(filepath.Base(file)) {
			n.disk.Remove(file)
		}
	}
}

// A nightState is the answer of /backups.
type nightState struct {
	Keep     int            `json:"keep"`
	Error    *string        `json:"error"`
	Archives []nightArchive `json:"archives"` // newest first
}

type nightArchive struct {
	Name  string `json:"name"`
	Date  string `json:"date"`
	Bytes int64  `json:"bytes"`
}

// state returns the backups that are there, and what is wrong.
func (n *nightly) state() (nightState, error) {
	n.mu.Lock()
	state := nightState{Keep: n.keep, Error: orNull(errorText(n.err)), Archives: []nightArchive{}}
	n.mu.Unlock()
	names, err := n.archives()
	for _, name := range names {
		if info, err := n.disk.Lstat(filepath.Join(n.folder, name)); err == nil { // else it was removed since
			date := nightName().FindStringSubmatch(name)[1]
			state.Archives = append(state.Archives, nightArchive{name, date, info.Size()})
		}
	}
	return state, err
}

// openNight opens the backup with a name. It follows no link. The error is fs.ErrNotExist if there is no such backup.
func (n *nightly) openNight(name string) (*os.File, error) {
	if !isNight(name) || n.folder == "" {
		return nil, fs.ErrNotExist
	}
	path := filepath.Join(n.folder, name)
	before, err := os.Lstat(path)
	if err != nil || !before.Mode().IsRegular() {
		return nil, fs.ErrNotExist
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	// A link may have replaced the file between Lstat and Open, which follows links.
	if info, err := file.Stat(); err != nil || !os.SameFile(before, info) {
		file.Close()
		return nil, fmt.Errorf("%s was replaced meanwhile: try again", strings.TrimSpace(name))
	}
	return file, nil
}
