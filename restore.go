// Restoring an archive: all of it, or nothing.

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// A blockedError lists everything that prevents a restore.
type blockedError []string

func (e blockedError) Error() string {
	if len(e) == 1 {
		return e[0] + " (nothing was restored)"
	}
	return fmt.Sprintf("%d things are in the way (nothing was restored):\n%s", len(e), strings.Join(e, "\n"))
}

// restore puts the files of an archive in the place of flats.json at path and next to it, or none of
// them. It fails if any of the data is there, and then names everything that is in the way.
func (a archiver) restore(ctx context.Context, path, file string, report io.Writer) error {
	path, err := filepath.Abs(path)
	if err == nil {
		path, err = resolve(a.disk, path)
	}
	if err != nil {
		return err
	}
	var blocked blockedError
	got, err := a.read(ctx, file, skipPhoto)
	var unreadable *fs.PathError // says nothing about the archive
	if errors.As(err, &unreadable) || errors.Is(err, errInterrupted) {
		return fmt.Errorf("%s: %w (nothing was restored)", file, err)
	}
	if err != nil { // the archive is bad: say what else is in the way, too, but make no folder
		for reason := range strings.SplitSeq(err.Error(), "\n") {
			blocked = append(blocked, file+": "+reason)
		}
	} else {
		if err = a.disk.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		unlock, lockErr := a.lock(path)
		if lockErr != nil {
			blocked = append(blocked, lockErr.Error())
		} else {
			defer unlock()
		}
	}
	existing, err := a.blockers(path, got)
	if err != nil {
		return err
	}
	if blocked = append(blocked, existing...); len(blocked) > 0 {
		return blocked
	}
	notRestored, err := a.leaveExtras(filepath.Dir(path), got)
	if err != nil {
		return err
	}
	advice, err := a.startAdvice(path, got)
	if err != nil {
		return err
	}
	p := &placing{disk: a.disk, path: path}
	if err := a.placeAll(ctx, p, file, got); err != nil {
		p.undo()
		return fmt.Errorf("%w (nothing was restored)", err)
	}
	_, err = fmt.Fprintf(report, "ok: %s in %s\n%s%s", got, filepath.Dir(path), notRestored, advice)
	return err
}

// startAdvice returns lines that say how to start a service with an archive that is about to be restored: with the
// config next to flats.json, else with that of the archiver, and with the password that it had.
func (a archiver) startAdvice(path string, got archive) (lines string, err error) {
	folder := filepath.Dir(path)
	exists := func(file string) bool {
		_, statErr := a.disk.Lstat(file)
		if statErr != nil && !errors.Is(statErr, fs.ErrNotExist) {
			err = statErr
		}
		return statErr == nil
	}
	file := filepath.Join(folder, "config.json")
	text, isRestored := got.texts["config.json"]
	if !isRestored {
		if !exists(file) {
			file = ""
			if a.config != nil {
				file = a.config.file
			}
		}
		if file != "" {
			text, _, _ = readAll(a.disk, file, maxConfig) // a file that cannot be read is an error at the start
		}
	}
	flags := " -data " + shellQuoted(path)
	if file != "" {
		flags = " -config " + shellQuoted(file) + flags
	}
	lines = "Give the files to the user of the service, if that is another one.\n"
	config, parseErr := parseConfig(file, text, slog.New(slog.DiscardHandler))
	hasPassword := parseErr == nil && config.Password != ""
	if !hasPassword && !exists(filepath.Join(folder, passwordBase)) {
		lines += "No backup has a password that the page, flats password or FLATS_PASSWORD has set. If there was one, " +
			"set it again before the start: flats password" + flags + "\n"
	}
	return lines + "Start the service: flats" + flags + "\n", err
}

// shellQuoted returns the name of a file as a word of a shell.
func shellQuoted(name string) string {
	if shellWord().MatchString(filepath.ToSlash(name)) {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}

// shellWord matches names that a shell takes as they are.
var shellWord = newPattern(`^[\pL\pN/_.,:@%+-]+$`)

// blockers returns a line for each file that exists where a restore would put one, and a line if the
// disk is too full for the photos.
func (a archiver) blockers(path string, got archive) (list []string, err error) {
	folder := filepath.Dir(path)
	files, err := a.disk.List(path + ".log") // the journals, whose names begin like this
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	files = append(files, path)
	for _, name := range []string{"views.json", "mailbox.json", "photos"} { // extra files block nothing: see leaveExtras
		files = append(files, filepath.Join(folder, name))
	}
	for _, file := range files {
		err := a.checkAbsent(file, "move it away, or name another place with -data")
		if err != nil {
			list = append(list, err.Error())
		}
	}
	free, isKnown := a.free(folder)
	isFull := isKnown && free-got.textsSize-got.photosSize < minFree
	if got.photos > 0 && isFull {
		list = append(list, fmt.Sprintf("the disk has no room for the photos: %d MiB must stay free for updates",
			minFree>>20))
	}
	return list, nil
}

// placeAll writes all files of an archive under temporary names, and then renames them, flats.json
// as the last one.
func (a archiver) placeAll(ctx context.Context, p *placing, file string, got archive) error {
	if got.photos > 0 {
		folder := filepath.Join(filepath.Dir(p.path), "photos")
		temp := newTemp(folder)
		if err := p.makeFolder(temp, folder); err != nil {
			return err
		}
		// The first reading kept no photos in memory.
		again, err := a.read(ctx, file, func(name string, text []byte) error {
			return p.write(filepath.Join(temp, name), text)
		})
		if err == nil && again.String() != got.String() {
			err = fmt.Errorf("%s has changed while it was read", file)
		}
		if err == nil {
			err = p.disk.SyncDir(temp)
		}
		if err != nil {
			return err
		}
	}
	names := slices.Sorted(maps.Keys(got.texts))
	names = slices.DeleteFunc(names, func(name string) bool { return name == "flats.json" })
	names = append(names, "flats.json") // as the last one
	for _, name := range names {
		target := filepath.Join(filepath.Dir(p.path), extraPath(name))
		if suffix, ok := strings.CutPrefix(name, "flats.json"); ok {
			target = p.path + suffix
		}
		if err := p.makeParents(target); err != nil {
			return err
		}
		temp := newTemp(target)
		if err := p.write(temp, got.texts[name]); err != nil {
			return err
		}
		p.renames = append(p.renames, fileRename{temp, target})
	}
	if ctx.Err() != nil {
		return errInterrupted
	}
	// The data get a new id, so that browsers do not send what they have kept for other data.
	if err := p.disk.Remove(p.path + dataIDSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return p.finish()
}

// A placing is a restore under way.
type placing struct {
	disk    disk
	path    string       // of flats.json
	made    []string     // files and folders as they are named now, oldest first
	folders []string     // below the folder of flats.json, in which files are placed
	renames []fileRename // which finish carries out
}

// A fileRename gives a file or folder its final name.
type fileRename struct{ temp, name string }

// makeFolder makes a folder that finish renames.
func (p *placing) makeFolder(temp, name string) error {
	if err := p.disk.MkdirAll(temp, 0o700); err != nil {
		return err
	}
	p.made = append(p.made, temp)
	p.renames = append(p.renames, fileRename{temp, name})
	return nil
}

func (p *placing) write(name string, text []byte) error {
	err := writeTemp(p.disk, name, 0o600, func(w *bufio.Writer) { w.Write(text) })
	if err == nil {
		p.made = append(p.made, name)
	}
	return err
}

// finish gives all files their names, and returns when these are durable.
func (p *placing) finish() error {
	for _, r := range p.renames {
		if err := p.disk.Rename(r.temp, r.name); err != nil {
			return err
		}
		for i, file := range p.made {
			if rest, ok := strings.CutPrefix(file, r.temp); ok { // the file itself, or a file in the folder
				p.made[i] = r.name + rest
			}
		}
	}
	for _, folder := range p.folders {
		if err := p.disk.SyncDir(folder); err != nil {
			return err
		}
	}
	return p.disk.SyncDir(filepath.Dir(p.path))
}

// undo removes what was made.
func (p *placing) undo() {
	for _, file := range slices.Backward(p.made) {
		p.disk.Remove(file)
	}
}

// leaveExtras removes from an archive the extra files that exist already, and returns a line about each.
func (a archiver) leaveExtras(folder string, got archive) (lines string, err error) {
	targets := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(got.texts)) {
		if !isExtra(name) {
			continue
		}
		target := filepath.Join(folder, extraPath(name))
		_, err := a.disk.Lstat(target)
		isMissing := errors.Is(err, fs.ErrNotExist)
		if err != nil && !isMissing {
			return "", err
		}
		if !isMissing || targets[target] { // two names in the archive may have one target: x and config/x
			lines += fmt.Sprintf("%s exists and was left as it is: that of the archive was not restored\n", target)
			delete(got.texts, name)
		}
		targets[target] = true
	}
	return lines, nil
}

// makeParents makes the folders of a file below the folder of flats.json.
func (p *placing) makeParents(file string) error {
	folder := filepath.Dir(file)
	if folder == filepath.Dir(p.path) || slices.Contains(p.folders, folder) {
		return nil
	}
	if err := p.makeParents(folder); err != nil {
		return err
	}
	_, err := p.disk.Lstat(folder)
	if errors.Is(err, fs.ErrNotExist) {
		if err = p.disk.MkdirAll(folder, 0o700); err == nil {
			p.made = append(p.made, folder)
		}
	}
	p.folders = append(p.folders, folder)
	return err
}
