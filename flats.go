package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// This file contains the flat and the store that keeps flats on disk:
//
//	The flat           its fields, its JSON
//	Journal records    the lines of flats.json.log
//	Files              flats.json and its journals on disk
//	The store          flats in memory, searches, duplicates
//	Updates            changes and the goroutine that writes
//	Listings           the input of imports
//	Imports            what an import does to each flat
//	The import folder  files that come in

// The flat
// --------

// Flat is a listing with what its user made of it. The json tags name its
// fields in lists, filters and sort keys, in the order in which they are
// served; all of them are served, null where nothing is known, but for those
// with omitempty.
//
// A flat never changes once edit or readFlats has returned it: an update makes
// a new one.
type Flat struct {
	ID                Identifier `json:"id"`
	Title             Text       `json:"title"`
	Text              Text       `json:"text"`
	Area              Number     `json:"area"`
	Cost              Number     `json:"cost"`
	Currency          Text       `json:"currency"`
	Utilities         Text       `json:"utilities"`
	Rooms             Number     `json:"rooms"`
	Bedrooms          Number     `json:"bedrooms"`
	Date              Datetime   `json:"date"`
	Location          Text       `json:"location"`
	Station           Text       `json:"station"`
	Phone             Text       `json:"phone"`
	Photos            Value      `json:"photos"`
	URLs              Value      `json:"urls"`
	Details           Value      `json:"details"`
	MergedIDs         Value      `json:"merged_ids"`
	Notes             Text       `json:"notes"`
	Notation          Number     `json:"notation"`
	Status            Value      `json:"status"`
	VisitDate         Datetime   `json:"visit_date"`
	ServiceConstraint Text       `json:"service_constraint"`
	ServicePostalCode Code       `json:"service_postal_code"`
	ServiceStations   Value      `json:"service_stations"`
	ServiceTimeTo     Value      `json:"service_time_to"`

	// What imports leave, and at the end what the user has to say.
	FirstSeen     Datetime    `json:"first_seen,omitempty"`
	CostHistory   CostHistory `json:"cost_history,omitempty"`
	Gone          Datetime    `json:"gone,omitempty"` // since when its site no longer has it
	NotDuplicates IDs         `json:"not_duplicates,omitempty"`

	// UpdatedAt is when the flat was last changed through the service. It is
	// stored as "updated_at" and not served.
	UpdatedAt Datetime `json:"-"`

	// unknown are the members that the model does not know, in the order of
	// their names: `,"name":value` each.
	unknown string
	served  string // the flat as it is served
	version uint64 // different for each flat that this run has made; 0 as it was read
}

var flatFields = fieldsOf[Flat]()

// viewFields are those of a view: also what follows from other fields.
var viewFields = fieldsOf(
	field[Flat]{"cost_per_area", func(f *Flat) value {
		if f.Cost.Float() > 0 && f.Area.Float() > 0 {
			return newNumber(f.Cost.Float() / f.Area.Float())
		}
		return &Number{}
	}},
	field[Flat]{"travel_time", func(f *Flat) value {
		var places map[string]struct{ Time any }
		json.Unmarshal([]byte(f.ServiceTimeTo.JSON()), &places) // what has another type says nothing
		shortest := math.Inf(1)
		for _, place := range places {
			if seconds, ok := place.Time.(float64); ok {
				shortest = min(shortest, seconds)
			}
		}
		return newNumber(shortest)
	}},
	field[Flat]{"site", func(f *Flat) value {
		id, site := f.ID.String(), &Text{}
		if i := 1 + strings.LastIndexByte(id, '@'); i > 0 && i < len(id) {
			site.set(encodeJSON(id[i:]))
		}
		return site
	}},
	field[Flat]{"gps", func(f *Flat) value { // as the listing gives it, in the record or its details
		var details members
		json.Unmarshal([]byte(f.Details.JSON()), &details) // what has another type says nothing
		gps := &Value{}
		gps.set(string(f.unknownMembers()["gps"]))
		if !gps.Known() {
			gps.set(string(details["gps"]))
		}
		return gps
	}},
	field[Flat]{"priced", func(f *Flat) value {
		if f.Cost.Float() > 0 {
			return newNumber(1)
		}
		return newNumber(0)
	}},
)

// CostHistory is the costs that imports have brought, a JSON list of objects
// with date and cost, or null.
type CostHistory struct{ Value }

func (v *CostHistory) set(text string) error {
	var entries []members
	ok := json.Unmarshal([]byte(text), &entries) == nil
	for _, entry := range entries {
		var date Datetime
		var cost Number
		ok = ok && date.set(cmp.Or(string(entry["date"]), "null")) == nil && cost.set(cmp.Or(string(entry["cost"]), "null")) == nil && cost.Known()
	}
	if !ok {
		return wrongType("a list of objects with date and cost, or null", text)
	}
	return v.Value.set(text)
}

// withCost is the history after an import has brought a cost. Where there is none
// yet, it begins with the cost that the flat has.
func (v *CostHistory) withCost(has, cost Number, now string) json.RawMessage {
	list := v.list()
	if n := len(list); n > 0 {
		var last members
		json.Unmarshal(list[n-1], &last)
		has.set(string(last["cost"]))
	} else if has.Known() {
		list = append(list, json.RawMessage(`{"date":null,"cost":`+has.JSON()+"}"))
	}
	if !cost.Known() || has.Known() && has.key() == cost.key() {
		return json.RawMessage(v.JSON())
	}
	return json.RawMessage(encodeJSON(append(list, json.RawMessage(`{"date":`+now+`,"cost":`+cost.JSON()+"}"))))
}

// IDs is a JSON list of ids, or null.
type IDs struct{ Value }

func (v *IDs) set(text string) error {
	var list []json.RawMessage
	if json.Unmarshal([]byte(text), &list) != nil {
		return wrongType("a list of ids or null", text)
	}
	for _, id := range list {
		if err := new(Identifier).set(string(id)); err != nil {
			return err
		}
	}
	return v.Value.set(text)
}

// list is the elements of a JSON list, none of any other value.
func (v *Value) list() (list []json.RawMessage) {
	if v.Known() {
		json.Unmarshal([]byte(v.JSON()), &list)
	}
	return list
}

// ids are the texts of those in a JSON list.
func (v *Value) ids() (ids []string) {
	for _, id := range v.list() {
		ids = append(ids, unquote(string(id)))
	}
	return ids
}

// blank is a flat of which nothing is known.
var blank = &Flat{Status: Value{literal{`"new"`}}}

// addedFields are those that earlier versions did not know, and kept whatever
// their type.
var addedFields = []string{"first_seen", "cost_history", "gone", "not_duplicates"}

// withMembers returns the flat with the members set. An error names the field. codes
// has what to serve for a postal code. Where log is not nil, it is told of added
// fields that have the wrong type, and they stay as they are.
func (f *Flat) withMembers(set members, codes *PostalCodes, log *slog.Logger) (*Flat, error) {
	next, known := *f, 0
	for i, field := range flatFields.list {
		if text, ok := set[field.name]; ok {
			known++
			err := next.field(i).set(string(text))
			if err != nil && log != nil && slices.Contains(addedFields, field.name) {
				log.Warn("a value cannot be used, and counts as unknown", "flat", string(set["id"]), "field", field.name, "err", err)
			} else if err != nil {
				return nil, fmt.Errorf("%s: %w", field.name, err)
			}
		}
	}
	if text, ok := set["updated_at"]; ok {
		known++
		if err := next.UpdatedAt.set(string(text)); err != nil {
			return nil, fmt.Errorf("updated_at: %w", err)
		}
	}
	if !next.ID.Known() {
		return nil, errors.New("id: a flat must have one")
	}
	if known < len(set) {
		next.setUnknown(set)
	}
	next.ServicePostalCode.entry = codes.get(next.ServiceConstraint.String(), next.ServicePostalCode.String())
	tail := next.unknown + "}"
	next.served = flatFields.encode(&next, tail)
	next.unknown = next.served[len(next.served)-len(tail) : len(next.served)-len("}")] // shares its memory
	return &next, nil
}

// unknownMembers are those that the model does not know.
func (f *Flat) unknownMembers() members {
	unknown := members{}
	json.Unmarshal([]byte("{"+strings.TrimPrefix(f.unknown, ",")+"}"), &unknown) // setUnknown has written them
	return unknown
}

// setUnknown sets those of the members that the model does not know.
func (f *Flat) setUnknown(set members) {
	unknown := f.unknownMembers()
	for name, text := range set {
		if _, ok := flatFields.byName[name]; !ok && name != "updated_at" {
			unknown[name] = text
		}
	}
	if text := encodeJSON(unknown); text != "{}" {
		f.unknown = "," + text[len("{"):len(text)-len("}")]
	}
}

// JSON is the flat as it is served.
func (f *Flat) JSON() string { return f.served }

// field is a field by its number in flatFields.
func (f *Flat) field(i int) value { return flatFields.list[i].value(f) }

// stored is the JSON text of a field as flats.json has it.
func (f *Flat) stored(i int) string {
	v := f.field(i)
	if code, ok := v.(*Code); ok {
		v = &code.Text
	}
	return v.JSON()
}

// appendStored appends the flat as a line of flats.json, without the newline.
func (f *Flat) appendStored(b []byte) []byte {
	start := len(b)
	member := func(name, text string) {
		b = append(append(append(append(b, `,"`...), name...), `":`...), text...)
	}
	for i, field := range flatFields.list {
		if f.field(i).Known() || field.name == "status" {
			member(field.name, f.stored(i))
		}
	}
	b = append(b, f.unknown...)
	if f.UpdatedAt.Known() {
		member("updated_at", f.UpdatedAt.JSON())
	}
	b[start] = '{'
	return append(b, '}')
}

// searched is the flat as a [document].
func (f *Flat) searched(field int) string {
	text := f.field(flatFields.byName[searchedFields[field]]).JSON()
	if text[0] == '"' {
		return unquote(text)
	}
	var content any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	d.Decode(&content) // no error: the text was checked when it was read
	var b strings.Builder
	writeLeaves(&b, content)
	return b.String()
}

// writeLeaves writes the names, strings and numbers in a JSON value, a NUL
// after each value. Members come in the order of their names, so that a phrase
// across a name and what follows it is found every time or never.
func writeLeaves(b *strings.Builder, content any) {
	switch v := content.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			b.WriteString(name + " ")
			writeLeaves(b, v[name])
		}
	case []any:
		for _, v := range v {
			writeLeaves(b, v)
		}
	case string, json.Number:
		fmt.Fprint(b, v)
	}
	b.WriteByte(0)
}

// readFlats reads the text of a flats.json; name is for errors, which name
// line and field.
func readFlats(name string, text []byte, codes *PostalCodes, log *slog.Logger) ([]*Flat, error) {
	flats, err := readObjects(name, text, func(object members) (*Flat, error) {
		return blank.withMembers(object, codes, log)
	})
	rows := make(map[string]int, len(flats))
	for i, f := range flats {
		if first, ok := rows[f.ID.String()]; ok {
			return nil, fmt.Errorf("%s:%d: id: %s stands in the file twice, first in line %d", name, elementLine(text, i), excerpt(f.ID.JSON()), elementLine(text, first))
		}
		rows[f.ID.String()] = i
	}
	return flats, err
}

// Journal records
// ---------------

// A record is a line of the journal: the members that were set on the flat of
// an id or, of an import, on all of its flats, after a checksum (CRC-32C) of
// the rest of the line.
//
//	record = `{"crc":"` 8HEX `",` rest LF
//	rest   = `"id":` id *( `,"name":value` ) `}` in any order /
//	         `"imported":` imported `,"added":[` flats `],"updated":[` flats `]}`
//	flats  = [ `{"id":` … `}` *( `,{"id":` … `}` ) ]
//
// Only what an import has added makes a flat. Any other record of an id that no
// flat has is left out with a warning: somebody has removed the flat from
// flats.json. Earlier versions wrote "flats" in the place of the two lists, where
// any of them may be new.
//
// newRecord returns it in parts: to copy that of a large import holds up everybody.
func newRecord(rest ...string) []string {
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	for _, part := range rest {
		io.WriteString(sum, part)
	}
	return slices.Concat([]string{recordHead(sum.Sum32())}, rest, []string{"\n"})
}

func recordHead(sum uint32) string { return fmt.Sprintf(`{"crc":"%08x",`, sum) }

// An imported is a file in the import folder that has been taken in. That is
// durable together with the flats that came with it, so that no file is taken
// in twice, and sets back what its user has changed since. Without a sum the
// file has gone.
type imported struct {
	Name string `json:"name,omitempty"` // "" where the listings came in no file
	Sum  string `json:"sum,omitempty"`  // SHA-256
}

// apply brings what is known of the files in the folder up to date.
func (file imported) apply(imports map[string]imported) {
	if delete(imports, file.Name); file.Sum != "" {
		imports[file.Name] = file
	}
}

// newRecords are the records of edits: one of each or, of an import, one of all, so
// that a power cut takes all or none.
func newRecords(file *imported, edits []edit) (records []string) {
	if file == nil {
		for _, e := range edits {
			records = append(records, newRecord(e.record[1:])...)
		}
		return records
	}
	added, updated := []string{`,"added":[`}, []string{`],"updated":[`}
	for _, e := range edits {
		list := &updated
		if e.before == blank {
			list = &added
		}
		if len(*list) > 1 {
			*list = append(*list, ",")
		}
		*list = append(*list, e.record)
	}
	return newRecord(slices.Concat([]string{`"imported":`, encodeJSON(file)}, added, updated, []string{"]}"})...)
}

var errNoRecord = errors.New("no record, or its checksum does not fit")

// parseRecord reads a record with its newline: an import, the members of flats
// that it has added, and those of flats that it or an update has changed.
func parseRecord(line []byte) (file imported, added, updated []members, err error) {
	rest, whole := bytes.CutSuffix(line[min(len(line), len(recordHead(0))):], []byte("\n"))
	sum := crc32.Checksum(rest, crc32.MakeTable(crc32.Castagnoli))
	if !whole || !bytes.HasPrefix(line, []byte(recordHead(sum))) {
		return file, nil, nil, errNoRecord
	}
	text := append([]byte("{"), rest...)
	var set members
	err = json.Unmarshal(text, &set)
	if err != nil || set["id"] != nil || set["imported"] == nil {
		return file, nil, []members{set}, err
	}
	var of struct {
		Imported              imported
		Added, Flats, Updated []members
	}
	err = json.Unmarshal(text, &of)
	return of.Imported, append(of.Added, of.Flats...), of.Updated, err
}

// replay applies a journal to flats and to what is known of imports, and tells
// how many bytes of it are records; what follows them never was acknowledged.
// Where it is no record, but one follows, or where a record does not fit the
// flats, that is an error.
func replay(name string, text []byte, flats []*Flat, imports map[string]imported, codes *PostalCodes, log *slog.Logger) (_ []*Flat, whole int, err error) {
	rows := make(map[string]int, len(flats))
	for row, f := range flats {
		rows[f.ID.String()] = row
	}
	for record := range bytes.Lines(text) {
		file, added, updated, err := parseRecord(record)
		switch {
		case err == errNoRecord && !holdsRecord(text[whole+1:]):
			return flats, whole, nil
		case err == errNoRecord:
			return nil, 0, fmt.Errorf("%s:%d: %w, but valid records follow: put a backup of the file in its place, "+
				"or delete the line to go without that update", name, line(text, whole), err)
		case err != nil:
			return nil, 0, fmt.Errorf("%s:%d: %w", name, line(text, whole), err)
		}
		file.apply(imports)
		for i, set := range slices.Concat(added, updated) {
			id := unquote(string(set["id"]))
			row, ok := rows[id]
			if !ok && i >= len(added) {
				log.Warn("the journal has an update of a flat that is not in flats.json: left out", "file", name, "flat", id)
				continue
			}
			before := blank
			if ok {
				before = flats[row]
			} else {
				row, flats = len(flats), append(flats, nil)
			}
			if flats[row], err = before.withMembers(set, codes, log); err != nil {
				return nil, 0, fmt.Errorf("%s:%d: %w", name, line(text, whole), err)
			}
			rows[id] = row
		}
		whole += len(record)
	}
	return flats, whole, nil
}

// holdsRecord reports whether there is a record in a text, at the beginning of
// a line or not: the newline in front of it may be damaged.
func holdsRecord(text []byte) bool {
	for record := range bytes.Lines(text) {
		if start := bytes.LastIndex(record, []byte(`{"crc":"`)); start >= 0 {
			if _, _, _, err := parseRecord(record[start:]); err != errNoRecord {
				return true
			}
		}
	}
	return false
}

// Files
// -----

// A disk is how the store reaches the file system. Tests put one in that
// fails; everything else uses osDisk.
type disk interface {
	Open(name string, flag int, mode fs.FileMode) (file, error)
	ReadFile(name string) ([]byte, error)
	Stat(name string) (fs.FileInfo, error)
	Rename(from, to string) error
	Remove(name string) error
	// List returns the files whose paths begin with a text, in order.
	List(prefix string) ([]string, error)
	// SameFile reports whether two infos of Stat are of one file.
	SameFile(a, b fs.FileInfo) bool
	// SyncDir makes what was created, renamed or removed in a folder durable.
	SyncDir(dir string) error
}

type file interface {
	io.WriteCloser
	Chmod(mode fs.FileMode) error
	Stat() (fs.FileInfo, error)
	Sync() error
	Truncate(size int64) error
}

type osDisk struct{}

func (osDisk) Open(name string, flag int, mode fs.FileMode) (file, error) {
	return os.OpenFile(name, flag, mode)
}
func (osDisk) ReadFile(name string) ([]byte, error)  { return os.ReadFile(name) }
func (osDisk) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }
func (osDisk) Rename(from, to string) error          { return os.Rename(from, to) }
func (osDisk) Remove(name string) error              { return os.Remove(name) }
func (osDisk) SameFile(a, b fs.FileInfo) bool        { return os.SameFile(a, b) }

func (osDisk) List(prefix string) (paths []string, err error) {
	dir, name := filepath.Split(prefix)
	entries, err := os.ReadDir(cmp.Or(dir, "."))
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), name) {
			paths = append(paths, dir+entry.Name())
		}
	}
	return paths, err
}

func (osDisk) SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // folders cannot be opened there, and the file system orders them itself
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return cmp.Or(d.Sync(), d.Close())
}

// readAll returns a file's content and what it is; info is nil where there is
// no such file. One of more than most bytes is not read.
func readAll(disk disk, name string, most int64) ([]byte, fs.FileInfo, error) {
	info, err := disk.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	case !info.Mode().IsRegular(): // to open a pipe could take for ever
		return nil, info, fmt.Errorf("%s is no regular file", name)
	case info.Size() > most:
		return nil, info, fmt.Errorf("%s is larger than %d bytes", name, most)
	}
	text, err := disk.ReadFile(name)
	return text, info, err
}

// readExisting reads a file that must be there, of at most some bytes.
func readExisting(name string, most int64) ([]byte, error) {
	text, info, err := readAll(osDisk{}, name, most)
	if err == nil && info == nil {
		err = fmt.Errorf("open %s: %w", name, fs.ErrNotExist)
	}
	return text, err
}

const (
	mostFile = min(8<<30, math.MaxInt/4) // bytes of a flats.json, a journal, or any other file
	mostFlat = 8 << 20                   // bytes of a flat

	mostListings = 1 << 18 // listings of an import: even a short one takes some hundred bytes of memory

	smallestFold = 1 << 16 // bytes up to which a journal is left alone
)

var errLarge = fmt.Errorf("the flat is larger than %d bytes", mostFlat)

// writeTemp writes a temporary file, and returns when its content is durable.
// On error there is no file.
func writeTemp(disk disk, name string, mode fs.FileMode, fill func(w *bufio.Writer)) error {
	tmp, err := disk.Open(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(tmp, 1<<18) // which tells of an error at its end
	fill(w)
	if err = cmp.Or(tmp.Chmod(mode), w.Flush(), tmp.Sync(), tmp.Close()); err != nil {
		disk.Remove(name)
	}
	return err
}

// files are flats.json and its journals on disk. Records go to the journal,
// flats.json.log. To fold it, it is retired: renamed to flats.json.log.N, for
// a new one to take its place; a flats.json that holds its updates is written
// and put in place; and it is removed. Whatever of that has happened when the
// power goes, flats.json, the retired journals in their order and the journal
// make up the same flats, because records say what is, not what changes.
//
// Who has made the file that is named flats.json.log owns the data: no other
// service writes flats.json, or acknowledges an update. A second service that
// starts takes the data over by retiring the journal.
//
// After an error the files hold every update that was acknowledged. Not for
// two goroutines, but for writeBase.
type files struct {
	disk disk
	base string // flats.json, symbolic links resolved
	log  string // the journal
	mark string // in the names of files that it makes, different for each service
	temp string // the temporary file

	baseInfo fs.FileInfo // as the service left it, nil where there is no file
	logInfo  fs.FileInfo // likewise, of the journal that it has made
	retired  []string    // journals, the oldest first, that the next flats.json replaces
	lost     error       // why nothing can be written any more
	// journal is open for appending. It is nil before the first record, and
	// where an error has left the file in doubt: then a fold must come first.
	journal file
	out     *bufio.Writer       // to the journal
	size    int64               // of the records in the journal
	carried int64               // of those that tell again what is known of imports
	imports map[string]imported // what is known of the import folder, by name
}

// check refuses to go on where another process has changed a file. A journal
// in doubt must at least be the same file.
func (f *files) check() error {
	same := func(name string, known fs.FileInfo, exact bool) error {
		info, err := f.disk.Stat(name)
		gone := errors.Is(err, fs.ErrNotExist)
		switch {
		case err != nil && !gone:
			return err
		case gone && known == nil, !gone && known != nil && f.disk.SameFile(info, known) && (!exact || sameContent(f.disk, info, known)):
			return nil
		}
		return f.foreign(name)
	}
	return cmp.Or(f.lost, same(f.base, f.baseInfo, true), same(f.log, f.logInfo, f.journal != nil))
}

// sameContent reports whether a file has not been written to since.
func sameContent(disk disk, a, b fs.FileInfo) bool {
	return disk.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// foreign is the error of check from now on.
func (f *files) foreign(name string) error {
	f.lost = cmp.Or(f.lost, fmt.Errorf("%s was changed by another program: nothing was written; stop every other program that uses it, then restart this one to go on from what the file holds now", name))
	return f.lost
}

// append writes records to the journal and returns when they are durable.
func (f *files) append(records []string) error {
	err := f.check()
	if err == nil && f.journal == nil {
		err = f.create()
	}
	if err != nil {
		return err
	}
	size := int64(0)
	for _, part := range records {
		n, _ := f.out.WriteString(part)
		size += int64(n)
	}
	err = f.out.Flush() // which tells of earlier errors, too
	syncErr := f.journal.Sync()
	info, statErr := f.journal.Stat()
	if err = cmp.Or(err, syncErr, statErr); err == nil {
		f.logInfo = info
		// A service that has retired the journal meanwhile may have read it before
		// the records were in it.
		err = f.check()
	}
	if err != nil {
		// What is refused must not come back, though nobody knows what the failure
		// has left: a fold comes before the next record.
		f.journal.Truncate(f.size)
		f.journal.Sync()
		f.closeJournal()
		return err
	}
	f.size += size
	return nil
}

func (f *files) closeJournal() {
	if f.journal != nil {
		f.journal.Close()
		f.journal = nil
	}
}

// needsFold reports whether flats.json has to be written before a record can
// be: a journal needs one to stand on, and to be beyond doubt.
func (f *files) needsFold() bool {
	return f.journal == nil && (f.baseInfo == nil || f.logInfo != nil || len(f.retired) > 0)
}

// create makes an empty journal, which must not exist.
func (f *files) create() error {
	journal, err := f.disk.Open(f.log, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return f.foreign(f.log)
	case err != nil:
		return err
	}
	info, err := journal.Stat()
	if err = cmp.Or(err, f.disk.SyncDir(filepath.Dir(f.log))); err != nil {
		journal.Close()
		f.disk.Remove(f.log)
		return err
	}
	f.journal, f.out, f.logInfo = journal, bufio.NewWriterSize(journal, 1<<16), info
	f.size, f.carried = 0, 0
	return nil
}

// What follows a name in that of a retired journal, its number and who retired
// it, and in that of a temporary file.
var (
	retiredName = regexp.MustCompile(`^\.[0-9]{6}-[A-Z2-7]{8}$`)
	tempName    = regexp.MustCompile(`^\.[A-Z2-7]{8,}\.tmp$`)
)

// list returns the files with such names, in order.
func (f *files) list(name string, suffix *regexp.Regexp) ([]string, error) {
	names, err := f.disk.List(name + ".")
	return slices.DeleteFunc(names, func(other string) bool { return !suffix.MatchString(other[len(name):]) }), err
}

// retire renames the journal, which a flats.json is to replace soon, and makes a
// new one in its place. With takeOver it is that of another service.
func (f *files) retire(takeOver bool) (err error) {
	f.closeJournal()
	name, owned := f.log, f.logInfo
	for owned != nil || takeOver {
		if f.retired, err = f.list(f.log, retiredName); err != nil {
			return err
		}
		// It comes after those that another service may have retired meanwhile.
		last := 0
		for _, other := range f.retired {
			if other != name {
				fmt.Sscanf(other[len(f.log):], ".%d-", &last)
			}
		}
		next := fmt.Sprintf("%s.%06d-%s", f.log, last+1, f.mark)
		if next <= name {
			break
		}
		if err := f.disk.Rename(name, next); err != nil {
			return err
		}
		name, f.logInfo = next, nil
	}
	if owned != nil {
		if info, err := f.disk.Stat(name); err != nil {
			return err
		} else if !f.disk.SameFile(info, owned) {
			return f.foreign(f.log)
		}
	}
	if n := len(f.retired) - 1; n > 0 && f.retired[n] == name && f.size == f.carried && !takeOver {
		// No update came since the last fold, which has failed: on a full disk each
		// one would leave a journal more.
		if f.disk.Remove(name) == nil {
			f.retired = f.retired[:n]
		}
	}
	if err := f.create(); err != nil || len(f.imports) == 0 {
		return err
	}
	var records []string
	for _, file := range f.imports {
		records = append(records, newRecords(&file, nil)...)
	}
	err = f.append(records)
	f.carried = f.size
	return err
}

// writeBase writes flats as a flats.json that is yet to be put in place.
func (f *files) writeBase(flats *snapshot[Flat]) error {
	mode := fs.FileMode(0o600) // phone numbers and notes are private
	if f.baseInfo != nil {
		mode = f.baseInfo.Mode().Perm()
	}
	return writeTemp(f.disk, f.temp, mode, func(w *bufio.Writer) {
		line := []byte("[")
		for _, flat := range flats.all() {
			line = flat.appendStored(append(line, '\n'))
			w.Write(line)
			line = append(line[:0], ',')
		}
		w.Write(append(bytes.TrimSuffix(line, []byte(",")), "\n]\n"...))
	})
}

// fold puts what writeBase has written, and returned err for, in the place of
// flats.json, and removes the retired journals, whose updates it holds.
func (f *files) fold(err error) error {
	info, statErr := f.disk.Stat(f.temp)
	if err = cmp.Or(err, statErr, f.check()); err == nil {
		err = f.disk.Rename(f.temp, f.base)
	}
	if err != nil {
		f.disk.Remove(f.temp)
		return err
	}
	f.baseInfo = info
	if err := f.disk.SyncDir(filepath.Dir(f.base)); err != nil {
		return err
	}
	for len(f.retired) > 0 {
		if err := f.disk.Remove(f.retired[0]); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		f.retired = f.retired[1:]
	}
	return nil
}

// load reads the files and tells what they are. It changes none of them.
func (f *files) load(path string, codes *PostalCodes, log *slog.Logger) (flats []*Flat, err error) {
	// Updates move from the journal to a retired one to flats.json. Read in this
	// order, none is missed while another service still moves them.
	text, _, err := readAll(f.disk, f.log, mostFile)
	if err != nil {
		return nil, err
	}
	f.imports = map[string]imported{}
	if f.retired, err = f.list(f.log, retiredName); err != nil {
		return nil, err
	}
	names, journals := []string{f.log}, [][]byte{text}
	for _, name := range slices.Backward(f.retired) {
		if text, _, err = readAll(f.disk, name, mostFile); err != nil {
			return nil, err
		}
		names, journals = append(names, name), append(journals, text)
	}
	if text, f.baseInfo, err = readAll(f.disk, f.base, mostFile); err != nil {
		return nil, err
	}
	if f.baseInfo == nil && len(bytes.Join(journals, nil)) > 0 {
		return nil, fmt.Errorf("%s is missing, but there are updates to it in %s: put the file back, or move the journal away to start with nothing", path, f.log)
	}
	if f.baseInfo != nil {
		if flats, err = readFlats(path, text, codes, log); err != nil {
			return nil, fmt.Errorf("%w (the file is left as it is: mend it, or put a backup in its place)", err)
		}
	}
	for i, name := range slices.Backward(names) {
		whole := 0
		if flats, whole, err = replay(name, journals[i], flats, f.imports, codes, log); err != nil {
			return nil, err
		}
		if torn := len(journals[i]) - whole; torn > 0 {
			log.Warn("the journal ends in a record that was never acknowledged: cut off", "file", name, "bytes", torn)
		}
	}
	return flats, nil
}

// unfolded reports whether there is more than flats.json.
func (f *files) unfolded() bool {
	return f.size > 0 || len(f.retired) > 0 || f.journal == nil && f.logInfo != nil
}

// close removes a journal without a record.
func (f *files) close() error {
	f.closeJournal()
	if f.logInfo == nil || f.size > 0 || f.check() != nil {
		return nil
	}
	return f.disk.Remove(f.log)
}

// The store
// ---------

// A Store keeps flats in memory and, where it has files, on disk.
//
// Readers take a snapshot of the flats and wait for no writer. All changes go
// through one goroutine, which makes those that come in at the same time durable
// with one fsync, and then shows them: an import in pieces, others all at once.
// After an error memory and files are as they were.
type Store struct {
	codes *PostalCodes
	log   *slog.Logger
	now   func() time.Time
	table *Table[Flat]

	mu    sync.RWMutex // guards the next two, held for moments only
	flats *snapshot[Flat]
	rows  map[string]uint32 // by the text of the id

	words   *Index // of indexed, or of later flats; made before searchable is closed
	indexed atomic.Pointer[snapshot[Flat]]

	versions atomic.Uint64 // the last version given to a flat

	comparing    sync.Mutex // guards the next two
	duplicates   string     // the answer of Duplicates
	duplicatesOf uint64     // its version

	searchable chan struct{} // closed when the index is first made
	changed    chan struct{} // tells that it has to be brought up to date; buffered

	jobs    chan *job
	quit    chan struct{} // closed to ask the writer to stop
	stopped chan error    // gets the writer's last word
	// Close stops the writer, which finishes what it has begun, and folds the
	// journal. Changes that come later fail.
	Close func() error

	unpacking sync.Mutex // held while the import of a client is unpacked, parsed and stored
	importing sync.Mutex // held by the import under way
	outcomes  []Outcome  // of the last imports, the latest first; guarded by mu

	// The rest is the writer's own.
	files   *files     // nil keeps everything in memory
	written chan error // gets the result of a fold, nil where none is under way
}

// A job is a change that waits for the writer.
type job struct {
	// edits makes the new flats; current returns a flat as it is by then, nil
	// for none.
	edits    func(current func(id string) *Flat) ([]edit, error)
	imported *imported  // not nil where the edits are of an import
	done     chan error // buffered
}

// An edit replaces a flat, or blank, which is none.
type edit struct {
	before, after *Flat
	record        string // for the journal: the id, and the members that differ
}

var errClosed = errors.New("the service is stopping")

// newStore is a store of flats. Without files it keeps them in memory alone.
// Close must be called to stop it.
func newStore(flats []*Flat, codes *PostalCodes, log *slog.Logger, files *files) *Store {
	s := &Store{
		codes: codes, log: log, now: time.Now, table: &Table[Flat]{fields: viewFields},
		flats: &snapshot[Flat]{}, rows: make(map[string]uint32, len(flats)), searchable: make(chan struct{}), changed: make(chan struct{}, 1),
		jobs: make(chan *job), quit: make(chan struct{}), stopped: make(chan error, 1),
		files: files, outcomes: []Outcome{},
	}
	s.Close = sync.OnceValue(func() error { close(s.quit); return <-s.stopped })
	edits := make([]edit, len(flats))
	for i, f := range flats {
		edits[i].after = f
	}
	s.show(edits)
	go s.indexWords()
	go s.write()
	return s
}

// indexWords makes the index of words, and then brings it up to date with the
// flats, beside everything else.
func (s *Store) indexWords() {
	indexed := s.snapshot()
	s.words = newIndex(indexed.size, func(row uint32) document { return indexed.row(row).searched })
	s.indexed.Store(indexed)
	close(s.searchable)
	for {
		select {
		case <-s.changed:
		case <-s.quit:
			return
		}
		flats := s.snapshot()
		for row, f := range flats.changed(indexed) {
			before := blank
			if int(row) < indexed.size {
				before = indexed.row(row)
			}
			if slices.ContainsFunc(searchedFields[:], func(name string) bool {
				i := flatFields.byName[name]
				return before.field(i).JSON() != f.field(i).JSON()
			}) {
				s.words.update(row, before.searched, f.searched)
			}
		}
		indexed = flats
		s.indexed.Store(indexed)
	}
}

// openStore reads flats.json at a path and its journals, folds them into one
// and starts the writer. Where there is no such file, the store is empty and
// the file comes with the first change. Close must be called to stop it.
func openStore(path string, disk disk, codes *PostalCodes, log *slog.Logger) (*Store, error) {
	base := path
	if target, err := filepath.EvalSymlinks(path); err == nil {
		base = target
	} else if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s is a symbolic link to a file that is not there: mount or make what it points to, or remove it", path)
	}
	f := &files{disk: disk, base: base, log: path + ".log", mark: rand.Text()[:8]}
	f.temp = base + "." + f.mark + ".tmp"
	for {
		if _, err := disk.Stat(f.log); errors.Is(err, fs.ErrNotExist) {
			break
		}
		// What cannot be read is refused before anything is changed.
		if _, err := f.load(path, codes, slog.New(slog.DiscardHandler)); err != nil {
			return nil, err
		}
		err := f.retire(true)
		if errors.Is(err, fs.ErrNotExist) {
			continue // another service has retired it this moment
		}
		if _, still := disk.Stat(f.log); err != nil && still == nil {
			f.lost = fmt.Errorf("the journal could not be taken over at the start: %w; restart when its folder can be written", err)
			log.Warn("every update will be refused", "err", f.lost)
		}
		break
	}
	// What a service that was killed has left, and what one that is running wanted
	// to put in the place of flats.json.
	temps, _ := f.list(base, tempName)
	for _, name := range temps {
		disk.Remove(name)
	}
	// Only now can no other service change anything.
	flats, err := f.load(path, codes, log)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(writeTemp(disk, f.temp, 0o600, func(*bufio.Writer) {}), disk.Remove(f.temp)); err != nil {
		log.Warn("nothing can be written there: every update will be refused", "err", err)
	}
	return newStore(flats, codes, log, f), nil
}

// snapshot is the flats as they are now.
func (s *Store) snapshot() *snapshot[Flat] {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.flats
}

// Get returns the flat of an id, nil where there is none.
func (s *Store) Get(id string) *Flat {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if row, ok := s.rows[id]; ok {
		return s.flats.row(row)
	}
	return nil
}

// Search answers a query about the flats that a full-text query matches. Right
// after the start it waits until the index is made.
func (s *Store) Search(work *task, query string, q *Query) (Page[Flat], error) {
	search, err := parseSearch(work, query)
	if err != nil {
		return Page[Flat]{}, err
	}
	if s.indexed.Load() == nil {
		select {
		case <-s.searchable:
		case <-work.abandoned():
			return Page[Flat]{}, work.ctx.Err()
		}
	}
	before := s.indexed.Load()
	found, err := s.words.match(work, search, before.size, func(row uint32) document { return before.row(row).searched })
	if err != nil {
		return Page[Flat]{}, err
	}
	flats := s.snapshot()
	found = append(found, newRowSet(flats.size-64*len(found))...)
	// What has changed since the index was of one snapshot is told by its texts.
	for row, f := range flats.changed(before) {
		matches, err := search.matches(work, f.searched)
		if err != nil {
			return Page[Flat]{}, err
		}
		found.set(row, matches)
	}
	return s.table.find(work, flats, q, found)
}

// Find answers a query of a view, which may have a full-text query in it.
func (s *Store) Find(work *task, q *Query) (Page[Flat], error) {
	if q.search == "" {
		return s.table.find(work, s.snapshot(), q, nil)
	}
	return s.Search(work, q.search, q)
}

// Duplicates is the groups of flats that are probably one home, as a JSON list,
// and the version of the flats. They are compared once for each version.
func (s *Store) Duplicates(work *task) (list string, version uint64, err error) {
	s.comparing.Lock()
	defer s.comparing.Unlock()
	flats := s.snapshot()
	if s.duplicates != "" && s.duplicatesOf == flats.version {
		return s.duplicates, flats.version, nil
	}
	homes := make([]home, 0, flats.size)
	for _, f := range flats.all() {
		homes = append(homes, f.home())
		if err := work.step(100); err != nil {
			return "", 0, err
		}
	}
	groups, err := duplicates(work, homes)
	if err != nil {
		return "", 0, err
	}
	texts := make([]string, len(groups))
	for i, g := range groups {
		var ids []string
		for _, row := range g.rows {
			ids = append(ids, flats.row(row).ID.JSON())
		}
		texts[i] = `{"ids":[` + strings.Join(ids, ",") + `],"because":["` + strings.Join(g.because, `","`) + `"]}`
	}
	s.duplicates, s.duplicatesOf = "["+strings.Join(texts, ",")+"]", flats.version
	return s.duplicates, flats.version, nil
}

// home is what tells whether the flat is the same home as another one.
func (f *Flat) home() home {
	h := home{photos: addresses(f.Photos.JSON()), cost: math.NaN(), area: math.NaN()}
	if f.Status.JSON() == `"duplicate"` {
		return h
	}
	if f.Cost.Known() && f.Area.Known() {
		h.cost, h.area = f.Cost.Float(), f.Area.Float()
	}
	h.id, h.currency = f.ID.String(), cmp.Or(currencySigns[f.Currency.String()], f.Currency.String())
	h.code, h.location = f.ServicePostalCode.String(), f.Location.String()
	digits := strings.FieldsFunc(f.Phone.String(), func(r rune) bool { return r < '0' || r > '9' })
	h.phone = strings.Join(digits, "")
	h.merged, h.apart = f.MergedIDs.ids(), f.NotDuplicates.ids()
	return h
}

var currencySigns = map[string]string{"€": "EUR", "$": "USD", "£": "GBP"}

// addresses are the web addresses in a JSON text, each once.
func addresses(text string) (found []string) {
	for part := range strings.SplitSeq(text, `"`) {
		if address := escapesInAddresses.Replace(part); strings.HasPrefix(part, "http") && !slices.Contains(found, address) {
			found = append(found, address)
		}
	}
	return found
}

var escapesInAddresses = strings.NewReplacer(`\/`, "/", `\u0026`, "&")

// Updates
// -------

// Update sets members of a flat, given as the text of a JSON object: all of them or,
// on error, none. It accepts what GET serves: the postal code as an object, and members
// that only imports set, if their values are the flat's. seen is the versions of which
// the flat must still be one, nil for any. Update returns when the update is durable.
// The error is a *failure if the text is invalid, the flat is missing or has changed.
func (s *Store) Update(id string, text []byte, seen []uint64) (after *Flat, err error) {
	set, err := parseObject(text)
	if err == nil {
		err = unwrapCode(set)
	}
	if err != nil {
		return nil, fail(invalid, "Invalid payload provided: %v.", err)
	}
	err = s.change(func(current func(id string) *Flat) ([]edit, error) {
		before := current(id)
		if before == nil {
			return nil, noFlat(id)
		}
		if seen != nil && !slices.Contains(seen, before.version) {
			return nil, fail(changed, "The flat has changed since: read it again.")
		}
		var e edit
		err := before.settable(set)
		if err == nil {
			e, err = s.edit(before, set)
		}
		if err != nil {
			return nil, fail(invalid, "Invalid payload provided: %v.", err)
		}
		if after = e.after; after == before {
			return nil, nil
		}
		return []edit{e}, nil
	}, nil)
	return after, err
}

// settable removes from the members those that no update changes: they must have
// the value that the flat has, the id in either form, 7 or "7".
func (f *Flat) settable(set members) error {
	unknown := f.unknownMembers()
	for _, name := range slices.Sorted(maps.Keys(set)) {
		text, has := set[name], unknown[name]
		if i, known := flatFields.byName[name]; known {
			if name != "id" && !slices.Contains(importsOwn, name) {
				continue
			}
			has = json.RawMessage(f.field(i).JSON())
		}
		switch {
		case name == "id":
			var id Identifier
			if err := id.set(string(text)); err != nil {
				return fmt.Errorf("id: %w", err)
			} else if id.String() != f.ID.String() {
				return fmt.Errorf("id: the flat's own id is %s, and it stays", has)
			}
		case has == nil && string(text) != "null":
			return fmt.Errorf("%s: a flat has no such field", name)
		case has != nil && !sameValue(has, text):
			return fmt.Errorf("%s: only an import changes it", name)
		}
		delete(set, name)
	}
	return nil
}

// sameValue reports whether two JSON texts mean the same to programs that read
// numbers as float64: 18.0 is 18.
func sameValue(a, b json.RawMessage) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return bytes.Equal(a, b) // a number that is too large
	}
	return reflect.DeepEqual(x, y)
}

// unwrapCode replaces a postal code as it is served by what is set: its code, or
// nothing for an empty object, which does not say that there is none.
func unwrapCode(set members) error {
	const name = "service_postal_code"
	var object members
	if json.Unmarshal(set[name], &object) != nil || object == nil {
		return nil
	}
	switch code, ok := object["postal_code"]; {
	case ok:
		set[name] = code
	case len(object) > 0:
		return fmt.Errorf("%s: %w", name, wrongType("a string, null, or an object with postal_code", string(set[name])))
	default:
		delete(set, name)
	}
	return nil
}

// noFlat is the failure of api.md 4.3.
func noFlat(id string) error { return fail(missing, "No flat with id %s.", id) }

// stamp is the layout of the times that the store sets, as JSON.
const stamp = `"` + time.RFC3339 + `"`

// edit sets members of a flat and the time of the update. Where nothing
// differs, after is before.
func (s *Store) edit(before *Flat, set members) (e edit, err error) {
	after, err := before.withMembers(set, s.codes, nil)
	if err != nil {
		return e, err
	}
	// Of codes that no file has, all are served as {}, and so are "" and null.
	had, has := &before.ServicePostalCode, &after.ServicePostalCode
	if after.served == before.served && has.String() == had.String() && has.Known() == had.Known() {
		return edit{before, before, ""}, nil
	}
	if len(after.served) > mostFlat {
		return e, fmt.Errorf("id %s: %w", excerpt(after.ID.JSON()), errLarge)
	}
	record := members{"id": json.RawMessage(after.ID.JSON())}
	for name, text := range set {
		if i, ok := flatFields.byName[name]; !ok || before.stored(i) != after.stored(i) {
			record[name] = text
		}
	}
	now := s.now().UTC().Format(stamp)
	record["updated_at"] = json.RawMessage(now)
	after.version = s.versions.Add(1)
	return edit{before, after, encodeJSON(record)}, after.UpdatedAt.set(now)
}

// change hands a job to the writer and waits until it is durable.
func (s *Store) change(edits func(current func(id string) *Flat) ([]edit, error), file *imported) error {
	j := &job{edits, file, make(chan error, 1)}
	select {
	case s.jobs <- j:
		return <-j.done
	case <-s.quit:
		return errClosed
	}
}

// write is the writer: it runs until the store is closed.
func (s *Store) write() {
	if s.files != nil && s.files.unfolded() {
		s.fold()
	}
	for {
		select {
		case j := <-s.jobs:
			batch := []*job{j}
			for more := true; more; {
				select {
				case j := <-s.jobs:
					batch = append(batch, j)
				default:
					more = false
				}
			}
			s.commit(batch)
			// A journal that has outgrown flats.json took about as much to write.
			if f := s.files; f != nil && s.written == nil && f.baseInfo != nil && f.size > max(smallestFold, f.baseInfo.Size()) {
				s.fold()
			}
		case err := <-s.written:
			if err := s.folded(err); err != nil {
				s.log.Warn("the journal could not be folded; it goes on growing", "file", s.files.log, "err", err)
			}
		case <-s.quit:
			s.stopped <- s.end()
			return
		}
	}
}

// commit makes the edits of a batch durable, then visible, then known to
// those who asked.
func (s *Store) commit(batch []*job) {
	var edits []edit
	var records []string
	var waiting []*job
	latest := map[string]*Flat{}
	current := func(id string) *Flat { return cmp.Or(latest[id], s.Get(id)) }
	for _, j := range batch {
		made, err := j.make(current)
		if err != nil {
			j.done <- err
			continue
		}
		waiting = append(waiting, j)
		for _, e := range made {
			latest[e.after.ID.String()] = e.after
		}
		records = append(records, newRecords(j.imported, made)...)
		edits = append(edits, made...)
	}
	var err error
	if s.files != nil && len(records) > 0 {
		if s.files.needsFold() {
			err = s.foldIf(s.files.needsFold)
		}
		if err == nil {
			err = s.files.append(records)
		}
	}
	if err == nil {
		for some := range slices.Chunk(edits, importBatch) {
			s.show(some)
		}
		s.table.refresh(s.flats)
	} else {
		err = fmt.Errorf("nothing was stored: %w", err)
	}
	for _, j := range waiting {
		if err == nil && j.imported != nil && s.files != nil {
			j.imported.apply(s.files.imports)
		}
		j.done <- err
	}
}

// make calls edits. A panic in it is the failure of one job.
func (j *job) make(current func(id string) *Flat) (made []edit, err error) {
	defer func() {
		if what := recover(); what != nil {
			made, err = nil, fmt.Errorf("internal error: %v", what)
		}
	}()
	return j.edits(current)
}

// show lets readers see edits, all of them at once.
func (s *Store) show(edits []edit) {
	s.mu.Lock()
	rows, flats := make([]uint32, len(edits)), make([]*Flat, len(edits))
	for i, e := range edits {
		id := e.after.ID.String()
		row, ok := s.rows[id]
		if !ok {
			row = uint32(len(s.rows))
		}
		s.rows[id] = row // also so that the key does not hold the text of the flat before
		rows[i], flats[i] = row, e.after
	}
	s.flats = s.flats.withRecords(rows, flats)
	s.mu.Unlock()
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// fold begins to write flats.json anew, beside the updates that come in
// meanwhile. Its result comes through written, and is for folded.
func (s *Store) fold() {
	written := make(chan error, 1)
	s.written = written
	err := s.files.check()
	if err == nil {
		err = s.files.retire(false)
	}
	flats := s.snapshot()
	go func() {
		if err == nil {
			err = s.files.writeBase(flats)
		}
		written <- err
	}()
}

// folded ends a fold.
func (s *Store) folded(err error) error {
	s.written = nil
	return s.files.fold(err)
}

// foldIf waits for the fold under way, then folds where there is need.
func (s *Store) foldIf(needed func() bool) (err error) {
	if s.written != nil {
		err = s.folded(<-s.written)
	}
	if err == nil && needed() {
		s.fold()
		err = s.folded(<-s.written)
	}
	return err
}

// end leaves the files as they are best found: folded.
func (s *Store) end() error {
	if s.files == nil {
		return nil
	}
	return errors.Join(s.foldIf(s.files.unfolded), s.files.close())
}

// Listings
// --------

// importFolder is where listings for the flats.json of a path come in.
func importFolder(data string) string { return filepath.Join(filepath.Dir(data), "import") }

// Listings are what an import brings, and what a file in the import folder holds.
type Listings struct {
	Flats    []members `json:"data"`               // their members, checked
	Complete string    `json:"complete,omitempty"` // the site that has these flats and no others
}

// readListings reads listings in any of the forms in which they come: an
// array of objects, an object with such an array as its data, as this API and
// Flatisfy's answer, or one object. Each becomes an object with the members of
// a flat, and is checked as one. The object with data may name the site of a
// complete import. name is for errors, which name line and field.
func readListings(name string, text []byte) (listings Listings, err error) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	list := bytes.TrimSpace(text)
	var complete json.RawMessage
	if bytes.HasPrefix(list, []byte("{")) {
		if !json.Valid(text) {
			return listings, placed(name, text, json.Unmarshal(text, &listings))
		}
		object := members{} // without other members, of which there may be millions
		d := json.NewDecoder(bytes.NewReader(text))
		for d.Token(); d.More(); {
			member, _ := d.Token()
			var value json.RawMessage
			d.Decode(&value)
			if name := member.(string); name == "id" || name == "data" || name == "complete" {
				object[name] = value
			}
		}
		if data, ok := object["data"]; ok && object["id"] == nil {
			list, complete = data, object["complete"]
		}
		lines := line(text, bytes.Index(text, list)) - 1
		if list[0] == '{' {
			list = slices.Concat([]byte("["), list, []byte("]"))
		}
		// In front come as many line breaks as in the text, for the lines of errors.
		text = slices.Concat(bytes.Repeat([]byte("\n"), lines), list)
	}
	var count atomic.Int64
	listings.Flats, err = readObjects(name, text, func(object members) (members, error) {
		if count.Add(1) > mostListings {
			return nil, fmt.Errorf("there are more than %d listings: import them in parts", mostListings)
		}
		return checkListing(object)
	})
	if err == nil && complete != nil {
		var site Text
		if err = cmp.Or(site.set(string(complete)), listings.completes(site.String())); err != nil {
			err = fmt.Errorf("%s:1: complete: %w", name, err)
		}
	}
	return listings, err
}

// completes makes the listings all that a site has.
func (l *Listings) completes(site string) error {
	ofSite := func(listing members) bool { return strings.HasSuffix(unquote(string(listing["id"])), "@"+site) }
	switch {
	case site == "":
		return errors.New("want the name of a site, got nothing")
	case l.Complete != "" && l.Complete != site:
		return fmt.Errorf("the listings are of %q, not of %q", l.Complete, site)
	case !slices.ContainsFunc(l.Flats, ofSite):
		return fmt.Errorf("no listing is of %q: an import without any would make all of its flats gone", site)
	}
	l.Complete = site
	return nil
}

// checkListing returns a listing as the members of a flat.
func checkListing(object members) (members, error) {
	listing := normalize(object)
	err := unwrapCode(listing)
	if err != nil {
		return nil, err
	}
	f, err := blank.withMembers(listing, nil, nil)
	if err == nil && len(f.served) > mostFlat {
		err = errLarge
	}
	return listing, err
}

// normalize turns the members of a listing, as other programs name them, into
// those of a flat. What a listing says in the flat's own names comes first.
func normalize(listing members) members {
	flat, theirs := maps.Clone(listing), members{}
	var nested members
	if json.Unmarshal(listing["flatisfy"], &nested) == nil && nested != nil {
		delete(flat, "flatisfy")
	}
	for name, text := range nested {
		theirs["service_"+strings.TrimPrefix(name, "matched_")] = text
	}
	for name, text := range listing {
		if own, ok := strings.CutPrefix(name, "flatisfy_"); ok {
			delete(flat, name)
			theirs["service_"+own] = text
		}
	}
	if url := listing["url"]; url != nil {
		delete(flat, "url")
		if theirs["urls"] = url; url[0] == '"' {
			theirs["urls"] = slices.Concat([]byte("["), url, []byte("]"))
		}
	}
	maps.Copy(theirs, flat)
	if own, ok := map[string]string{`"C.C."`: `"included"`, `"H.C."`: `"excluded"`}[string(theirs["utilities"])]; ok {
		theirs["utilities"] = json.RawMessage(own)
	}
	delete(theirs, "updated_at") // when the flat was changed here is not for a listing to say
	return theirs
}

// Imports
// -------

// Counts says what an import came to: what became of each listing, and how many
// flats have gone.
type Counts struct {
	Added     int `json:"added"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
	Gone      int `json:"gone"`
}

// usersOwn and importsOwn are the fields that an import leaves alone on a flat
// that is known, whatever a listing says, the latter also an update.
var (
	usersOwn   = []string{"id", "status", "notes", "notation", "visit_date", "not_duplicates"}
	importsOwn = []string{"first_seen", "cost_history", "gone"}
)

// importBatch is how many flats of an import readers get to see at once: few
// enough that they hardly wait for it.
const importBatch = 256

// Import takes what readListings returns. It adds the listings of new flats, and
// sets the fields of listings on the flats that have their ids, except the user's
// own. If the listings are all that a site has, its other flats are gone. Everything
// is durable when Import returns; after an error nothing has been done. file is
// where the listings are from, nil for no file. Imports wait for one another.
func (s *Store) Import(listings Listings, file *imported) (Counts, error) {
	s.importing.Lock()
	defer s.importing.Unlock()
	plan := newImportPlan(s, listings.Flats)
	if err := plan.prepare(); err != nil {
		return Counts{}, err
	}
	plan.addGone(listings.Complete)
	if err := plan.prepare(); err != nil {
		return Counts{}, err
	}
	if err := s.change(plan.edits, cmp.Or(file, &imported{})); err != nil {
		return Counts{}, err
	}
	return plan.counts(), nil
}

// An importPlan is what an import does to each flat. Most of the work is done before
// the writer has it, beside updates. The writer repeats the steps of flats that have
// been updated meanwhile.
type importPlan struct {
	store    *Store
	now      string // the time of the import, as JSON
	steps    []importStep
	listings int // the first steps, one for each listing
}

// An importStep changes one flat: it sets a listing or, if that is nil, gone.
type importStep struct {
	id      string
	listing members
	gone    json.RawMessage
	edit    edit // of the flat as it was when the step was made
}

func newImportPlan(s *Store, listings []members) *importPlan {
	p := &importPlan{store: s, now: s.now().UTC().Format(stamp), listings: len(listings)}
	for _, listing := range listings {
		p.steps = append(p.steps, importStep{id: unquote(string(listing["id"])), listing: listing})
	}
	return p
}

// prepare makes the edits of all steps beside the writer.
func (p *importPlan) prepare() error {
	_, err := (&job{edits: p.edits}).make(p.store.Get)
	return err
}

// edits returns the edits that change anything, in order. It makes those anew whose
// flat is not the current one.
func (p *importPlan) edits(current func(id string) *Flat) (edits []edit, err error) {
	latest := map[string]*Flat{} // an id may be listed twice
	for i := range p.steps {
		step := &p.steps[i]
		before := cmp.Or(latest[step.id], current(step.id), blank)
		if step.edit.before != before {
			set := members{"gone": step.gone}
			if step.listing != nil {
				set = step.listing.onto(before, p.now)
			}
			if step.edit, err = p.store.edit(before, set); err != nil {
				return nil, err
			}
		}
		latest[step.id] = step.edit.after
		if step.edit.after != before {
			edits = append(edits, step.edit)
		}
	}
	return edits, nil
}

// addGone adds a step for each flat that is not listed and that goes or comes back.
// site is the one that has no other listings, "" for none.
func (p *importPlan) addGone(site string) {
	changes := p.goneChanges(site)
	for _, id := range slices.Sorted(maps.Keys(changes)) {
		p.steps = append(p.steps, importStep{id: id, gone: json.RawMessage(changes[id])})
	}
}

// goneChanges returns the new values of gone, by id, for flats that are not listed:
// the time of the import for those that go, and null for those that come back because
// a flat that they are merged with is there.
func (p *importPlan) goneChanges(site string) map[string]string {
	listed := map[string]*Flat{}
	for _, step := range p.steps {
		listed[step.id] = step.edit.after
	}
	missing := map[string]*Flat{}
	for _, f := range p.store.snapshot().all() {
		id := f.ID.String()
		ofSite := site != "" && strings.HasSuffix(id, "@"+site)
		if listed[id] == nil && (ofSite || f.Gone.Known()) {
			missing[id] = f
		}
	}
	changes := map[string]string{}
	there := func(id string) bool {
		f := cmp.Or(listed[id], p.store.Get(id))
		return changes[id] == "null" || f != nil && missing[id] == nil && !f.Gone.Known()
	}
	// A flat that is there keeps those that name it in merged_ids, and these keep
	// those that name them.
	for more := true; more; {
		more = false
		for id, f := range missing {
			if !slices.ContainsFunc(f.MergedIDs.ids(), there) {
				continue
			}
			if f.Gone.Known() {
				changes[id] = "null"
			}
			delete(missing, id)
			more = true
		}
	}
	for id, f := range missing {
		if !f.Gone.Known() {
			changes[id] = p.now
		}
	}
	return changes
}

// counts says what the import came to, once it is applied.
func (p *importPlan) counts() (c Counts) {
	for i, step := range p.steps {
		switch {
		case i >= p.listings && step.edit.after.Gone.Known():
			c.Gone++
		case i >= p.listings:
		case step.edit.after == step.edit.before:
			c.Unchanged++
		case step.edit.before == blank:
			c.Added++
		default:
			c.Updated++
		}
	}
	return c
}

// onto is what a listing sets on a flat.
func (listing members) onto(before *Flat, now string) members {
	set := maps.Clone(listing)
	var cost Number
	cost.set(cmp.Or(string(set["cost"]), "null")) // no error: the listing was checked
	if before == blank {
		// Where a listing says what an import has left somewhere else, it stays.
		said := func(name string) bool { return set[name] != nil && string(set[name]) != "null" }
		if !slices.ContainsFunc(importsOwn, said) {
			set["first_seen"] = json.RawMessage(now)
			set["cost_history"] = blank.CostHistory.withCost(Number{}, cost, now)
		}
		return set
	}
	for _, name := range slices.Concat(usersOwn, importsOwn) {
		delete(set, name)
	}
	set["gone"] = json.RawMessage("null")
	set["cost_history"] = before.CostHistory.withCost(before.Cost, cost, now)
	if had := before.MergedIDs.list(); len(had) > 0 && set["merged_ids"] != nil {
		known := map[string]bool{}
		all := (&Value{literal{string(set["merged_ids"])}}).list() // what is no list has none
		set["merged_ids"] = json.RawMessage(encodeJSON(slices.DeleteFunc(append(had, all...), func(id json.RawMessage) bool {
			again := known[unquote(string(id))]
			known[unquote(string(id))] = true
			return again
		})))
	}
	return set
}

// An Outcome is what came of an import.
type Outcome struct {
	At     string `json:"at"`
	Source string `json:"source"`
	Counts
	Error any `json:"error"` // why it was refused, nil where it was not
}

// note remembers the outcome of an import.
func (s *Store) note(source string, counts Counts, err error) {
	o := Outcome{s.now().UTC().Format(time.RFC3339), source, counts, nil}
	if err != nil {
		o.Error = err.Error()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.outcomes = append([]Outcome{o}, s.outcomes[:min(len(s.outcomes), 19)]...)
}

// Outcomes are those of the last 20 imports since the start, the latest first. The
// list never changes.
func (s *Store) Outcomes() []Outcome {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.outcomes
}

// ImportText imports what a client has sent, where site is not "" as all that
// the site has. The error is a *failure for what is wrong with the text.
func (s *Store) ImportText(text []byte, site string) (counts Counts, err error) {
	listings, err := readListings("body", text)
	if err == nil && site != "" {
		if err = listings.completes(site); err != nil {
			err = fmt.Errorf("complete: %w", err)
		}
	}
	refused := err != nil
	if !refused {
		counts, err = s.Import(listings, nil)
		refused = errors.Is(err, errLarge)
	}
	if s.note("HTTP", counts, err); refused {
		err = fail(invalid, "Nothing was imported: %v.", err)
	}
	return counts, err
}

// placeImport puts listings into an import folder as one file, under a name that
// sorts after earlier ones. The service, maybe another user, may read it.
func placeImport(disk disk, folder string, listings Listings) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	name := filepath.Join(folder, time.Now().UTC().Format("20060102T150405.000000000")+".json")
	err := writeTemp(disk, name+".tmp", 0o644, func(w *bufio.Writer) { w.WriteString(encodeJSON(listings)) })
	if err == nil {
		err = disk.Rename(name+".tmp", name)
	}
	return cmp.Or(err, disk.SyncDir(folder))
}

// The import folder
// -----------------

// A watcher takes in the files of the import folder. One goroutine uses it.
type watcher struct {
	store     *Store
	folder    string
	maxImport int64                  // bytes of a file
	taken     map[string]imported    // files that were taken in and had not gone since, by name
	stuck     map[string]fs.FileInfo // files that were looked at and cannot be moved, by name
}

// newWatcher returns a watcher for a store with files. There must be only one.
func newWatcher(store *Store, folder string, maxImport int64) *watcher {
	// The writer goes on to change its own map.
	taken := maps.Clone(store.files.imports)
	return &watcher{store, folder, maxImport, taken, map[string]fs.FileInfo{}}
}

// watch takes in what is in the folder, and what comes into it, until ctx is done.
func (w *watcher) watch(ctx context.Context) {
	for ctx.Err() == nil {
		wait := time.Second / 2
		if err := w.takeIn(ctx); err != nil && ctx.Err() == nil {
			w.store.log.Error("imports wait where they are", "folder", w.folder, "err", err)
			wait = 10 * time.Second
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// importing ends the name of a file that is being taken in. It is set aside under
// this name before it is read, so that another file can come under its own.
const importing = ".importing"

// takeIn imports the files of the folder in the order of their names, and
// removes them. One that cannot be stored stays, and those after it. Between
// files it ends when ctx is done.
func (w *watcher) takeIn(ctx context.Context) error {
	entries, err := os.ReadDir(w.folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	there := map[string]bool{}
	for _, entry := range entries {
		name := entry.Name()
		there[importName(name)] = true
		if name[0] == '.' || strings.HasSuffix(name, ".tmp") || strings.Contains(name, ".rejected") {
			continue
		}
		if ctx.Err() != nil {
			return nil
		}
		if err := w.takeInFile(entry); err != nil {
			return err
		}
	}
	for name := range w.taken {
		if there[name] {
			continue
		}
		if err := w.forget(name); err != nil {
			return err
		}
	}
	return nil
}

// importName returns the name under which a file of the folder is known: the one
// under which it came, in UTF-8 whatever bytes it has.
func importName(name string) string {
	name = strings.TrimSuffix(name, importing)
	if !utf8.ValidString(name) {
		return strconv.Quote(name)
	}
	return name
}

// forget makes it durable that a file which was taken in has gone.
func (w *watcher) forget(name string) error {
	delete(w.taken, name)
	return w.store.change(func(func(string) *Flat) ([]edit, error) { return nil, nil }, &imported{Name: name})
}

// takeInFile imports a file and removes it. One that is no import is renamed to
// *.rejected, unless it may still be written to. On error the store can't be.
func (w *watcher) takeInFile(entry fs.DirEntry) error {
	disk, log := w.store.files.disk, w.store.log
	name, path := importName(entry.Name()), filepath.Join(w.folder, entry.Name())
	info, err := entry.Info()
	if known := w.stuck[entry.Name()]; err != nil || known != nil && sameContent(disk, info, known) {
		return nil // it has gone, or cannot go
	}
	if aside := filepath.Join(w.folder, name+importing); aside != path {
		if _, err := os.Lstat(aside); err == nil {
			return nil // the file waits for the one that came before under its name
		}
		if disk.Rename(path, aside) == nil { // else it is read where it is
			path = aside
		}
	}
	arrived := filepath.Join(w.folder, name)
	refused, err := w.importFile(path, arrived, info)
	if err != nil {
		return err
	}
	switch {
	case refused == nil:
		err = disk.Remove(path)
	case time.Since(info.ModTime()).Abs() < 2*time.Second:
		return nil
	default:
		w.store.note(name, Counts{}, refused)
		log.Error("an import is refused", "file", arrived, "err", refused)
		err = disk.Rename(path, rejected(arrived))
	}
	if err = cmp.Or(err, disk.SyncDir(w.folder)); err != nil {
		w.stuck[filepath.Base(path)] = info
		log.Error("a file stays in the import folder, and is not looked at again", "file", path, "err", err)
	} else if _, ok := w.taken[name]; ok {
		return w.forget(name)
	}
	return nil
}

// importFile imports the file at a path, unless it was taken in before. Errors
// name it as it has arrived. refused says why it is no import, and err why it
// could not be stored.
func (w *watcher) importFile(path, arrived string, info fs.FileInfo) (refused, err error) {
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file", arrived), nil
	}
	text, _, refused := readAll(w.store.files.disk, path, w.maxImport)
	if refused != nil {
		return refused, nil
	}
	listings, refused := readListings(arrived, text)
	if refused != nil {
		return refused, nil
	}
	name := filepath.Base(arrived)
	file := imported{name, fmt.Sprintf("%x", sha256.Sum256(text))}
	if w.taken[name] == file {
		return nil, nil
	}
	counts, err := w.store.Import(listings, &file)
	if errors.Is(err, errLarge) {
		return err, nil // by what the flat has already
	} else if err != nil {
		return nil, err
	}
	w.taken[name] = file
	w.store.note(name, counts, nil)
	w.store.log.Info("imported", "file", arrived,
		"added", counts.Added, "updated", counts.Updated, "unchanged", counts.Unchanged, "gone", counts.Gone)
	return nil, nil
}

// rejected is the name of a file that was refused: one that nobody has, and
// not too long.
func rejected(path string) string {
	folder, name := filepath.Split(path)
	name = strings.ToValidUTF8(name[:min(len(name), 230)], "") + ".rejected"
	for i, aside := 2, name; ; i++ {
		if _, err := os.Lstat(folder + aside); err != nil {
			return folder + aside
		}
		aside = fmt.Sprintf("%s-%d", name, i)
	}
}
