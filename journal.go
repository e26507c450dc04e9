// Edits of flats, and the lines of flats.json.log that hold them.

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"log/slog"
	"maps"
	"slices"
)

// A journalRecord is a line of the journal. It has the members that an update set on a flat,
// or all members that an import set on its flats, so that a power cut keeps the whole
// import or nothing of it. A checksum (CRC-32C) covers the rest of the line.
//
//	record = `{"crc":"` 8HEX `",` rest LF; an editor may have removed the last LF, or made each one CR LF
//	rest   = `"id":` id *( `,"name":value` ) `}` in any order /
//	         `"imported":` importedFile `,"added":[` flats `],"updated":[` flats `]}`
//	flats  = [ `{"id":` … `}` *( `,{"id":` … `}` ) ]
//
// Only an import adds flats. An update of a flat that does not exist is ignored with a
// warning, because the flat was removed from flats.json by hand.
type journalRecord struct {
	Imported       importedFile
	Added, Updated []members
}

// newJournalRecord returns a record in parts: its checksum, the parts of its rest, and the newline.
// Copying the record of a large import into one string would delay updates.
func newJournalRecord(rest ...string) []string {
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	for _, part := range rest {
		io.WriteString(sum, part)
	}
	return slices.Concat([]string{journalRecordHead(sum.Sum32())}, rest, []string{"\n"})
}

func journalRecordHead(sum uint32) string { return fmt.Sprintf(`{"crc":"%08x",`, sum) }

// An importedFile identifies a file of the import folder that was imported. It is stored
// in one record with the flats from the file, so that no file is ever imported twice,
// which would undo what the user has changed since.
type importedFile struct {
	Name string `json:"name,omitempty"` // "" if the listings came from no file
	Sum  string `json:"sum,omitempty"`  // SHA-256 of the content, "" if the file has left the folder
}

// updateIn sets the file in a map by name, or deletes it if it has left the folder.
func (f importedFile) updateIn(imported map[string]importedFile) {
	if f.Sum == "" {
		delete(imported, f.Name)
	} else {
		imported[f.Name] = f
	}
}

// newJournalRecords returns the parts of the records of edits: one record for each edit or, if
// source is not nil, a single one for an import.
func newJournalRecords(source *importedFile, edits []edit) (parts []string) {
	if source == nil {
		for _, e := range edits {
			rest := e.delta[len("{"):] // journalRecordHead has the {
			parts = append(parts, newJournalRecord(rest)...)
		}
		return parts
	}
	var added, updated []string // each flat after a comma
	for _, e := range edits {
		if e.before == blank {
			added = append(added, ",", e.delta)
		} else {
			updated = append(updated, ",", e.delta)
		}
	}
	list := func(name string, flats []string) []string {
		if len(flats) > 0 {
			flats = flats[1:] // no comma before the first flat
		}
		return slices.Concat([]string{`,"` + name + `":[`}, flats, []string{"]"})
	}
	head := []string{`"imported":`, encodeJSON(source)}
	rest := slices.Concat(head, list("added", added), list("updated", updated), []string{"}"})
	return newJournalRecord(rest...)
}

var errNoJournalRecord = errors.New("not a record, or its checksum does not match")

// parseJournalRecord parses a line. The checksum tells that the line is complete, even without a newline. The error is
// errNoJournalRecord if the checksum does not match. The members of an update are returned in Updated.
func parseJournalRecord(line []byte) (r journalRecord, err error) {
	head, rest, _ := bytes.Cut(line, []byte(","))
	rest = bytes.TrimRight(rest, "\r\n")
	sum := crc32.Checksum(rest, crc32.MakeTable(crc32.Castagnoli))
	if string(head)+"," != journalRecordHead(sum) {
		return r, errNoJournalRecord
	}
	text := append([]byte("{"), rest...)
	if bytes.HasPrefix(rest, []byte(`"imported":`)) {
		err = json.Unmarshal(text, &r)
	} else {
		r.Updated = make([]members, 1) // an update sets one flat
		err = json.Unmarshal(text, &r.Updated[0])
	}
	return r, err
}

// checkTail returns an error if the end of a journal is not what a power cut leaves: one damaged record. No valid
// record may follow in the text, not even within a line, because the newline before it may be damaged. At most one line
// may look like a whole record: several such lines were damaged in another way.
func checkTail(text []byte) error {
	wholeLines := 0
	for tailLine := range bytes.Lines(text) {
		start := bytes.LastIndex(tailLine, []byte(`{"crc":"`))
		if start < 0 {
			continue
		}
		if _, err := parseJournalRecord(tailLine[start:]); err != errNoJournalRecord {
			return fmt.Errorf("%w, but valid records follow: restore the file from a backup, "+
				"or delete the line and lose its update", errNoJournalRecord)
		}
		looksWhole := start == 0 && bytes.HasSuffix(bytes.TrimRight(tailLine, "\r\n"), []byte("}"))
		if looksWhole {
			wholeLines++
		}
	}
	if wholeLines > 1 {
		return fmt.Errorf("%w, and so it is with the lines that follow: restore the file from a backup, "+
			"or delete them and lose their updates", errNoJournalRecord)
	}
	return nil
}

// A replay applies journals to the flats of a flats.json.
type replay struct {
	flats    []*Flat
	rows     map[string]int  // of flats, by id
	updates  map[int]members // the members of all records by the row of their flat, so that end makes each flat once
	imported map[string]importedFile
	damaged  []byte // the bytes after the last valid record of each journal
	codes    *PostalCodes
	log      *slog.Logger
	warnings warnings
}

func newReplay(flats []*Flat, codes *PostalCodes, log *slog.Logger) *replay {
	r := &replay{
		flats:    flats,
		rows:     make(map[string]int, len(flats)),
		updates:  map[int]members{},
		imported: map[string]importedFile{},
		codes:    codes,
		log:      log,
	}
	for row, f := range flats {
		r.rows[f.ID.String()] = row
	}
	return r
}

// A loadedJournal is a journal as it was read.
type loadedJournal struct {
	name string
	text []byte
}

// applyJournals applies journals from the oldest to the newest. The newest is the first in the list.
func (r *replay) applyJournals(journals []loadedJournal) error {
	for _, j := range slices.Backward(journals) {
		size, err := r.applyJournal(j.name, j.text)
		if err != nil {
			return err
		}
		if rest := j.text[size:]; len(rest) > 0 {
			r.log.Warn("the journal ends in an incomplete or damaged record: cut off, and kept in *.log.damaged-*",
				"file", j.name, "bytes", len(rest))
			r.damaged = append(r.damaged, rest...)
		}
	}
	return nil
}

// applyJournal applies a journal and returns the size of its valid records. The rest, if
// any, is incomplete or damaged. It is an error if the rest is more than a power cut leaves (see
// checkTail), or if a record has invalid members. Errors name the file as given.
func (r *replay) applyJournal(name string, text []byte) (size int, err error) {
	for recordLine := range bytes.Lines(text) {
		record, err := parseJournalRecord(recordLine)
		if err == errNoJournalRecord {
			if err = checkTail(text[size:]); err == nil {
				return size, nil
			}
		}
		if err == nil {
			err = r.apply(name, record)
		}
		if err != nil {
			return 0, fmt.Errorf("%s:%d: %w", name, lineNumber(text, size), err)
		}
		size += len(recordLine)
	}
	return size, nil
}

// apply applies a record of the named journal.
func (r *replay) apply(name string, record journalRecord) error {
	record.Imported.updateIn(r.imported)
	for i, values := range slices.Concat(record.Added, record.Updated) {
		id := unquote(string(values["id"]))
		row, isThere := r.rows[id]
		isAdded := i < len(record.Added)
		if !isThere && !isAdded {
			r.warnings.add("ignoring a journal update of a flat that is not in flats.json", noField, "file", name, "flat", id)
			continue
		}
		// Check the members here, where an error can name the line. end makes the flats.
		if _, err := blank.withMembers(values, nil, &warnings{}); err != nil {
			return err
		}
		if !isThere {
			row = len(r.flats)
			r.rows[id] = row
			r.flats = append(r.flats, blank)
		}
		if r.updates[row] == nil {
			r.updates[row] = members{}
		}
		maps.Copy(r.updates[row], values)
	}
	return nil
}

// end returns the flats with all journals applied. It reports what is wrong in the members as warnings.
func (r *replay) end() ([]*Flat, error) {
	defer func() { r.warnings.logTo(r.log) }()
	for row, values := range r.updates {
		f, err := r.flats[row].withMembers(values, r.codes, &r.warnings)
		if err != nil {
			return nil, err
		}
		f.setAsRead(&r.warnings)
		r.flats[row] = f
	}
	return r.flats, nil
}

// An edit replaces a flat or, if before is blank, adds one.
type edit struct {
	before, after *Flat
	delta         string // a JSON object: the id, and the members that differ
	grown         int    // how many bytes it adds to flats.json; negative if the flat becomes smaller
}
