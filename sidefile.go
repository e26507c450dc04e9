// The files next to flats.json: views.json, shares.json, push.json, mailbox.json, remind.json, settings.json,
// password.json, sessions.json and flats.json.id.

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"path/filepath"
)

// maxSideFile is the number of bytes of a side file. The service writes no file of this size.
const maxSideFile = 8 << 20

// A sideFile is one of these files. The process that owns the data checks, writes and replaces it
// as it does flats.json. Its methods are not safe for concurrent use.
type sideFile struct {
	name string      // symbolic links resolved
	text string      // the content, "" if there is no file
	info fs.FileInfo // the file as this process left it, nil for no file
	data *dataFiles  // nil if the file is never written
}

// openSideFile reads the file with a base name next to the flats.json at path.
func openSideFile(data *dataFiles, path, base string) (*sideFile, error) {
	name, err := resolve(data.disk, filepath.Join(filepath.Dir(path), base))
	if err != nil {
		return nil, err
	}
	removeTemps(data.disk, name)
	text, info, err := readAll(data.disk, name, maxSideFile)
	if err != nil {
		return nil, err
	}
	f := &sideFile{name: name, info: info, data: data}
	if info != nil {
		f.text = sideText(text)
	}
	return f, nil
}

// sideText returns the content of a file that is there, without the byte order mark of an editor. For an empty file it
// returns a line break: "" would mean that there is no file, but an empty one is damaged, and parsing it must fail.
func sideText(text []byte) string {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	if len(text) == 0 {
		return "\n"
	}
	return string(text)
}

// write replaces the content and returns when that is durable. After an error it tries to restore
// the file.
func (f *sideFile) write(text string) error {
	if err := f.data.check(); err != nil {
		return err
	}
	same, err := isUnchanged(f.data.disk, f.name, f.info, sameContent)
	if err == nil && !same {
		err = fmt.Errorf("%s was changed by another program: restart this one to load it as it is now", f.name)
	}
	if err != nil {
		return err
	}
	replaced, err := f.replace(text)
	if err == nil {
		f.text = text
	}
	if err == nil || !replaced {
		return err
	}
	// The new file is there, but may not be durable.
	if hadFile := f.text != ""; hadFile {
		f.replace(f.text)
	} else {
		f.info = nil
		f.data.disk.Remove(f.name)
	}
	return err
}

// replace replaces the file with a new one, and reports whether it has done so.
func (f *sideFile) replace(text string) (replaced bool, err error) {
	temp := newTemp(f.name)
	err = writeTemp(f.data.disk, temp, 0o600, func(w *bufio.Writer) { w.WriteString(text) })
	if err != nil {
		return false, err
	}
	info, err := replace(f.data.disk, temp, f.name)
	if info != nil {
		f.info = info
	}
	return info != nil, err
}

// dataIDSuffix follows the name of flats.json in the name of the file with the id of the data.
const dataIDSuffix = ".id"

// passwordBase is the base name of the file with the password that the page or flats password has set.
const passwordBase = "password.json"
