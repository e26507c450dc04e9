// Links for others: each opens a page of flats without a password, and the file that keeps them.

package main

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	maxShares      = 50          // links for others that are open
	maxShareTitle  = 200         // characters of the title of a shared page
	maxShareDays   = 365         // days for which a shared page is open
	maxSharedFlats = 500         // flats of a shared page
	maxSharedIDs   = 128 << 10   // bytes of the ids of a shared page, as JSON
	shareDays      = 30          // days for which a shared page is open, unless a request says otherwise
	countEvery     = time.Minute // between writes of how often shares were opened
)

// sharedExtras are what a shared page may show in addition to the facts of its flats.
var sharedExtras = []string{"street", "notes", "ratings", "visit"}

// A Share is a page of flats for others. Its json tags name the members of shares.json.
type Share struct {
	ID       string    `json:"id"`
	Hash     string    `json:"hash"` // the SHA-256 of its token in hex: nothing that is stored opens it
	Title    string    `json:"title"`
	Query    *string   `json:"query,omitempty"` // as in a view, nil for a page of certain flats
	IDs      []string  `json:"ids,omitempty"`
	With     []string  `json:"with"` // of sharedExtras
	Language string    `json:"language"`
	Until    time.Time `json:"until"`
	Opened   int       `json:"opened"`
}

// Shares are the shares of a store, in the order in which they were made. They are safe for concurrent use.
type Shares struct {
	store        *Store
	file         *sideFile
	log          *slog.Logger
	changing     sync.Mutex              // held while a change is made
	wroteAt      time.Time               // when counts were last written; guarded by changing
	hasUnwritten bool                    // whether there are counts that are not written; guarded by changing
	list         atomic.Pointer[[]Share] // the slice is never modified
}

// newShares returns the shares in the shares.json next to the flats.json at path. A store without files keeps its
// shares in memory. Errors name the file, the line and the member.
func newShares(store *Store, path string, log *slog.Logger) (*Shares, error) {
	s := &Shares{store: store, file: &sideFile{name: sharesBase}, log: log}
	if files := store.writer.files; files != nil {
		var err error
		if s.file, err = openSideFile(files, path, sharesBase); err != nil {
			return nil, err
		}
	}
	list, err := readShares(s.file.name, s.file.text)
	if err != nil {
		return nil, fmt.Errorf("%w (the file is left as it is: fix it, or remove it, which ends all shared links)", err)
	}
	s.list.Store(&list)
	return s, nil
}

const sharesBase = "shares.json"

// readShares parses the text of a shares.json, which is empty if there is no file.
func readShares(name, text string) ([]Share, error) {
	if text == "" {
		return nil, nil
	}
	list, err := readObjects(name, []byte(text), parseObject, readShare)
	if err == nil && len(list) > maxShares {
		err = fmt.Errorf("%s: there are more than %d shares", name, maxShares)
	}
	return list, err
}

// readShare returns the share in an element of shares.json.
func readShare(object members) (share Share, err error) {
	d := json.NewDecoder(strings.NewReader(encodeJSON(object)))
	d.DisallowUnknownFields()
	if err := d.Decode(&share); err != nil {
		return share, err
	}
	_, hexErr := hex.DecodeString(share.Hash)
	switch {
	case share.ID == "":
		err = fmt.Errorf("id: is missing")
	case hexErr != nil || len(share.Hash) != 2*sha256.Size:
		err = fmt.Errorf("hash: want a SHA-256 in hex")
	case (share.Query == nil) == (share.IDs == nil): // it has both or none
		err = fmt.Errorf("query: want one of query and ids")
	case share.Until.IsZero():
		err = fmt.Errorf("until: is missing")
	default:
		err = checkShareTitle(share.Title)
	}
	return share, err
}

func checkShareTitle(title string) error {
	isWrong := title == "" || utf8.RuneCountInString(title) > maxShareTitle || !utf8.ValidString(title)
	if isWrong || strings.ContainsFunc(title, unicode.IsControl) {
		return fmt.Errorf("title: want a text of 1 to %d characters on one line", maxShareTitle)
	}
	return nil
}

// parseShare reads what a request says about a share. put adds the id, the hash and the language.
func (s *Shares) parseShare(object members, views *Views) (share Share, err error) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains([]string{"title", "view", "ids", "days", "with"}, name) {
			return share, fmt.Errorf("%s: a share has no such member", name)
		}
	}
	var title Text
	if err := title.setJSON(object.text("title")); err != nil {
		return share, fmt.Errorf("title: %w", err)
	}
	share.Title = title.String()
	if err := checkShareTitle(share.Title); err != nil {
		return share, err
	}
	if object.has("view") == object.has("ids") {
		return share, fmt.Errorf("view: want one of view and ids")
	}
	if object.has("view") {
		share.Query, err = sharedQuery(object["view"], views)
	} else {
		share.IDs, err = s.sharedIDs(object["ids"])
	}
	if err != nil {
		return share, err
	}
	days := float64(shareDays)
	if object.has("days") {
		isNumber := json.Unmarshal(object["days"], &days) == nil
		if isWhole := days == math.Trunc(days); !isNumber || !isWhole || days < 1 || days > maxShareDays {
			return share, fmt.Errorf("days: %w", unexpected(fmt.Sprintf("a whole number from 1 to %d", maxShareDays),
				string(object["days"])))
		}
	}
	share.Until = s.now().Add(time.Duration(days) * day)
	share.With, err = sharedWith(object.text("with"))
	return share, err
}

// sharedQuery returns the query of a view. The other members of views mean nothing here.
func sharedQuery(text json.RawMessage, views *Views) (*string, error) {
	var view members
	if json.Unmarshal(text, &view) != nil {
		return nil, fmt.Errorf("view: %w", unexpected("an object with query", string(text)))
	}
	viewMembers := strings.Fields("query name page notify seen total new error rule")
	for _, name := range slices.Sorted(maps.Keys(view)) {
		if !slices.Contains(viewMembers, name) {
			return nil, fmt.Errorf("view.%s: a view has no such member", name)
		}
	}
	var query Text
	if err := query.setJSON(view.text("query")); err != nil || !query.Known() {
		return nil, fmt.Errorf("view.query: %w", unexpected("a string", view.text("query")))
	}
	q := query.String()
	if _, err := views.parse(q); err != nil {
		return nil, fmt.Errorf("view.query: %s", strings.TrimSuffix(err.Error(), "."))
	}
	return &q, nil
}

// sharedIDs returns a list of ids of flats, each once.
func (s *Shares) sharedIDs(text json.RawMessage) (ids []string, err error) {
	var list AnyJSON
	list.setJSON(string(text)) // no error: any JSON will do
	elements := list.list()
	if len(elements) < 1 || len(elements) > maxSharedFlats {
		return nil, fmt.Errorf("ids: %w", unexpected(fmt.Sprintf("a list of 1 to %d ids", maxSharedFlats), string(text)))
	}
	for _, element := range elements {
		var id Identifier
		if err := id.setJSON(string(element)); err != nil {
			return nil, fmt.Errorf("ids: %w", err)
		}
		if s.store.Get(id.String()) == nil {
			return nil, fmt.Errorf("ids: there is no flat with the id %s", excerpt(string(element)))
		}
		if !slices.Contains(ids, id.String()) {
			ids = append(ids, id.String())
		}
	}
	if size := len(encodeJSON(ids)); size > maxSharedIDs {
		return nil, fmt.Errorf("ids: want at most %d bytes, got %d", maxSharedIDs, size)
	}
	return ids, nil
}

// sharedWith returns what a page shows in addition to the facts, in the order of sharedExtras.
func sharedWith(text string) (with []string, err error) {
	var given []string
	if json.Unmarshal([]byte(text), &given) != nil {
		return nil, fmt.Errorf("with: %w", unexpected("a list of "+strings.Join(sharedExtras, ", "), text))
	}
	for _, name := range given {
		if !slices.Contains(sharedExtras, name) {
			return nil, fmt.Errorf("with: %w", unexpected("only "+strings.Join(sharedExtras, ", "), strconv.Quote(name)))
		}
	}
	with = []string{}
	for _, name := range sharedExtras {
		if slices.Contains(given, name) {
			with = append(with, name)
		}
	}
	return with, nil
}

// now returns the time in seconds, as the file has it.
func (s *Shares) now() time.Time { return s.store.now().UTC().Truncate(time.Second) }

// isOpen reports whether a time is before the end of the share.
func (share Share) isOpen(now time.Time) bool { return now.Before(share.Until) }

// open returns the shares that are open.
func (s *Shares) open() []Share {
	now := s.now()
	return slices.DeleteFunc(slices.Clone(*s.list.Load()), func(share Share) bool { return !share.isOpen(now) })
}

// put adds a share, and returns it with its token when it is durable.
func (s *Shares) put(object members, views *Views, language string) (share Share, token string, err error) {
	if share, err = s.parseShare(object, views); err != nil {
		return share, "", errorf(statusInvalid, "Invalid share provided: %v.", err)
	}
	random := make([]byte, 16)
	rand.Read(random)
	token = base64.RawURLEncoding.EncodeToString(random)
	share.ID, share.Hash, share.Language = rand.Text()[:16], tokenHash(token), language
	err = s.change(func(list []Share) ([]Share, error) {
		if len(list) >= maxShares {
			return nil, errorf(statusInvalid, "Invalid share provided: there are %d open ones already: end one.", maxShares)
		}
		return append(list, share), nil
	})
	return share, token, err
}

func tokenHash(token string) string {
	hash := sha256.Sum256([]byte(token))
	return hex.EncodeToString(hash[:])
}

// remove ends a share. It returns when that is durable.
func (s *Shares) remove(id string) error {
	return s.change(func(list []Share) ([]Share, error) {
		i := slices.IndexFunc(list, func(share Share) bool { return share.ID == id })
		if i < 0 {
			return nil, errorf(statusMissing, "No share with the id %s.", id)
		}
		return slices.Delete(list, i, i+1), nil
	})
}

// find returns the open share that a token opens. It does the same work for every token of a length, so that nobody can
// measure whether a token has ended or was never one.
func (s *Shares) find(token string) (found Share, ok bool) {
	hash, now := []byte(tokenHash(token)), s.now()
	for _, share := range *s.list.Load() {
		if subtle.ConstantTimeCompare([]byte(share.Hash), hash) == 1 && share.isOpen(now) {
			found, ok = share, true
		}
	}
	return found, ok
}

// countOpening counts that a share was opened. Counts are written at most once a minute: a service that is killed
// forgets the last ones.
func (s *Shares) countOpening(id string) {
	s.changing.Lock()
	defer s.changing.Unlock()
	list := slices.Clone(*s.list.Load())
	for i := range list {
		if list[i].ID == id {
			list[i].Opened++
		}
	}
	s.list.Store(&list)
	s.hasUnwritten = true
	if now := s.store.now(); now.Sub(s.wroteAt).Abs() >= countEvery { // Abs, because a clock may be set back
		s.wroteAt = now
		s.writeCounts()
	}
}

// flush writes the counts that are not written yet.
func (s *Shares) flush() {
	s.changing.Lock()
	defer s.changing.Unlock()
	if s.hasUnwritten {
		s.writeCounts()
	}
}

// writeCounts writes the list as it is. The caller holds changing.
func (s *Shares) writeCounts() {
	if err := s.write(*s.list.Load()); err != nil {
		s.log.Warn("how often shared links were opened cannot be stored", "err", err)
	}
}

// change replaces the list with what edit returns for a copy of it, without the shares that have ended by themselves.
// It returns when the new list is durable. After an error, the list is as before.
func (s *Shares) change(edit func(list []Share) ([]Share, error)) error {
	s.changing.Lock()
	defer s.changing.Unlock()
	list, err := edit(s.open())
	if err == nil {
		err = s.write(list)
	}
	if err == nil {
		s.list.Store(&list)
	}
	return err
}

// write writes a list. The caller holds changing.
func (s *Shares) write(list []Share) error {
	lines := make([]string, len(list))
	for i, share := range list {
		lines[i] = encodeJSON(share)
	}
	err := s.store.writeSide(s.file, "[\n"+strings.Join(lines, ",\n")+"\n]\n")
	if err == nil {
		s.hasUnwritten = false
	}
	return err
}
