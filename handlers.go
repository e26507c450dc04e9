// The handlers of flats, searches, duplicates, views, imports, states, backups and photos.

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"flats/internal/listing"
	"flats/internal/turns"
)

// listFlats returns a handler that lists flats. Queries may name the given fields.
func (s *server) listFlats(fields *Fields[Flat]) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		return answerList(s, w, r, fields, "cost", s.store.Find, (*Flat).JSON)
	}
}

// getFlats lists flats. If id is the only parameter, it answers with this flat instead.
func (s *server) getFlats(w http.ResponseWriter, r *http.Request) error {
	hasSeveralParameters := strings.Contains(r.URL.RawQuery, "&")
	if !hasSeveralParameters && nameIn(r, "id") != "" {
		return s.getFlat(w, r)
	}
	return s.listFlats(flatFields)(w, r)
}

func (s *server) getPostalCodes(w http.ResponseWriter, r *http.Request) error {
	return answerList(s, w, r, postalFields, "postal_code", s.store.codes.Find, (*PostalCode).JSON)
}

func (s *server) postSearch(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(w, r, maxBody)
	if err != nil {
		return err
	}
	object, err := parseObject(body)
	var query Text
	if err == nil {
		err = query.setJSON(object.text("query"))
	}
	if err != nil || !query.Known() {
		return errorf(statusInvalid, "Invalid query provided.")
	}
	search := func(work *turns.Task, q *Query) (Page[Flat], error) { return s.store.Search(work, query.String(), q) }
	return answerList(s, w, r, flatFields, "cost", search, (*Flat).JSON)
}

// postRead answers with what the text of a listing says about a home, and with the id of the flat that
// has its link. It stores nothing.
func (s *server) postRead(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(w, r, maxBody)
	if err != nil {
		return err
	}
	given, err := parseListingText(body)
	if err != nil {
		return errorf(statusInvalid, "Invalid text provided: %v.", err)
	}
	work := turns.NewTask(r.Context(), s.store.turns)
	defer work.Pause()
	found := listing.ReadText(work, given)
	object, unsure := found.Members()
	links := newKnownLinks(work, s.store.links, s.store.snapshot())
	knownID := links.idOfLink(cmp.Or(given.Link, found.Link), object)
	data := `"data":` + encodeJSON(object) + `,"unsure":` + encodeJSON(unsure)
	if knownID != "" {
		data += `,"known":` + encodeJSON(knownID)
	}
	return answer(w, r, typeJSON, "{"+data+"}")
}

// parseListingText parses the body of a postRead request.
func parseListingText(body []byte) (given listing.Text, err error) {
	object, err := parseObject(body)
	if err != nil {
		return given, err
	}
	texts, err := textsIn(object, "link", "text", "title")
	if err != nil {
		return given, err
	}
	given.Link, given.Text, given.Title = texts["link"], texts["text"], texts["title"]
	switch shared := object.text("shared"); shared {
	case "null", "false":
	case "true":
		given.IsShared = true
	default:
		return given, fmt.Errorf("shared: %w", unexpected("true or false", shared))
	}
	if strings.TrimSpace(given.Text+given.Link) == "" {
		return given, errors.New("text: must not be empty")
	}
	return given, nil
}

// answerList answers with the records that the query string asks for. The answer to /find
// also has a total and counts, and may be CSV. defaultSort is the sort parameter of a query
// without one. find answers the query, and text returns a record as JSON.
func answerList[R any](s *server, w http.ResponseWriter, r *http.Request, fields *Fields[R], defaultSort string,
	find func(*turns.Task, *Query) (Page[R], error), text func(*R) string) error {
	q, err := parseQuery(fields, r.URL.RawQuery, defaultSort)
	if err != nil {
		return err
	}
	work := turns.NewTask(r.Context(), s.store.turns)
	defer work.Pause()
	page, err := find(work, q)
	if err != nil {
		return err
	}
	isCSVPreferred := q.format == "" && fields.isFind && prefersCSV(r)
	isCSV := q.format == "csv" || isCSVPreferred
	if isCSV || q.fields != nil || acceptsGzip(r) {
		w = &pacedWriter{w, work} // the answer is made or compressed while it is sent
	}
	h := w.Header()
	tag := s.tag(page.version)
	totals := ""
	h.Set("X-Total-Count", strconv.Itoa(page.total))
	if links := q.links(page.total); links != "" {
		h.Set("Link", links)
	}
	if fields.isFind {
		h.Set("Vary", "Origin, Accept")
		totals = totalsJSON(page)
	}
	if isCSV {
		h.Set("Content-Disposition", `attachment; filename="flats.csv"`)
		return send(w, r, http.StatusOK, typeCSV, csvTag(tag), unknownLength, func(out *bufio.Writer) {
			fields.writeCSV(work, out, page.records, q.fields)
		})
	}
	const begin = `{"data":[`
	itemsPerPage := cmp.Or(q.size, int64(len(page.records)))
	end := `],"page":` + strconv.FormatInt(q.number, 10) + `,"items_per_page":` + strconv.FormatInt(itemsPerPage, 10) +
		totals + "}"
	element, length := text, unknownLength
	if q.fields == nil {
		length = len(begin) + listLength(page.records, text) + len(end)
	} else {
		// Objects are made while they are sent, so that a slow client does not keep them in memory.
		element = func(record *R) string {
			object := fields.object(record, q.fields)
			work.Step(100*len(q.fields) + len(object)) // as long as an object takes, in steps of a few nanoseconds
			return object
		}
	}
	work.Pause() // sending needs no turn; making objects (Step) and compressing (pacedWriter) take one again
	return send(w, r, http.StatusOK, typeJSON, tag, length, func(out *bufio.Writer) {
		out.WriteString(begin)
		for i, record := range page.records {
			if i > 0 {
				out.WriteByte(',')
			}
			out.WriteString(element(record))
		}
		out.WriteString(end)
	})
}

// totalsJSON returns the members that only the answer to /find has, as JSON, each after a comma.
func totalsJSON[R any](page Page[R]) string {
	totals := fmt.Sprintf(`,"total":%d,"counts":%s`, page.total, encodeJSON(page.counts))
	if page.replaced != nil {
		totals += `,"replaced":` + encodeJSON(page.replaced)
	}
	return totals
}

// listLength returns the length of records as JSON, with commas between them.
func listLength[R any](records []*R, text func(*R) string) int {
	length := max(0, len(records)-1)
	for _, record := range records {
		length += len(text(record))
	}
	return length
}

func (s *server) getDuplicates(w http.ResponseWriter, r *http.Request) error {
	work := turns.NewTask(r.Context(), s.store.turns)
	defer work.Pause() // Duplicates panics if the client has gone
	list, number := s.store.Duplicates(work)
	work.Pause() // sending needs no turn
	return write(w, r, http.StatusOK, typeJSON, s.tag(number), `{"data":`, list, `}`)
}

func (s *server) getFlat(w http.ResponseWriter, r *http.Request) error {
	f, err := s.flat(r)
	if err != nil {
		return err
	}
	return s.answerFlat(w, r, f)
}

func (s *server) patchFlat(w http.ResponseWriter, r *http.Request) error {
	f, err := s.flat(r)
	if err != nil {
		return err
	}
	by, err := s.author(parameterValues(r.URL.RawQuery, "by"))
	if err != nil {
		return err
	}
	by.since, err = statusSince(parameterValues(r.URL.RawQuery, "status_since"), s.store.now())
	if err != nil {
		return err
	}
	if by.keys, err = updateKeys(parameterValues(r.URL.RawQuery, "key")); err != nil {
		return err
	}
	body, err := readBody(w, r, maxBody)
	if err != nil {
		return err
	}
	tags := r.Header.Values("If-Match")
	isCurrent := func(version uint64) bool {
		return len(tags) == 0 || hasTag(tags, s.tag(version))
	}
	f, err = s.store.Update(f.ID.String(), body, isCurrent, by)
	if err != nil {
		return err
	}
	return s.answerFlat(w, r, f)
}

func (s *server) answerFlat(w http.ResponseWriter, r *http.Request, f *Flat) error {
	return write(w, r, http.StatusOK, typeJSON, s.tag(f.version), `{"data":`, f.JSON(), `}`)
}

// getVisits makes the calendar twice, first for its hash and length, and then to send it, so that
// a slow client does not keep it in memory.
func (s *server) getVisits(w http.ResponseWriter, r *http.Request) error {
	work := turns.NewTask(r.Context(), s.store.turns)
	defer work.Pause()
	visits := visitsOf(work, s.store.snapshot().all(), s.config.Timezone, s.log)
	feed := func(out *bufio.Writer) { writeCalendar(work, out, visits, s.config.WebsiteURL) }
	hash := sha256.New()
	var length counter
	buffered(io.MultiWriter(hash, &length), feed)
	w.Header().Set("Content-Disposition", `inline; filename="visits.ics"`)
	tag := fmt.Sprintf(`"%x"`, hash.Sum(nil))
	return send(&pacedWriter{w, work}, r, http.StatusOK, typeICS, tag, int(length), feed)
}

// metadata is the answer of /metadata.
type metadata struct {
	Version     string   `json:"version"`
	Flats       int      `json:"flats"`
	PostalCodes int      `json:"postal_codes"`
	LastUpdate  *string  `json:"last_update"`
	People      []string `json:"people,omitempty"`
}

func (s *server) getMetadata(w http.ResponseWriter, r *http.Request) error {
	flats := s.store.snapshot()
	var last time.Time
	for _, f := range flats.all() {
		if at := f.UpdatedAt.at; at.After(last) && at.Year() <= 9999 { // RFC 3339 has no later years
			last = at
		}
	}
	lastUpdate := ""
	if !last.IsZero() {
		lastUpdate = last.Format(time.RFC3339)
	}
	data := metadata{
		Version:     version,
		Flats:       flats.size,
		PostalCodes: s.store.codes.all.size,
		LastUpdate:  orNull(lastUpdate),
		People:      s.config.People,
	}
	return write(w, r, http.StatusOK, typeJSON, s.tag(flats.version), `{"data":`, encodeJSON(data), `}`)
}

// maxUploads is the number of uploads that may be received at a time: files of postal codes, and imports of more than
// maxBody bytes or of unknown length.
const maxUploads = 4

// postImport imports the listings of a body. The parameter complete names the site of a
// complete import.
func (s *server) postImport(w http.ResponseWriter, r *http.Request) error {
	sites := slices.Compact(parameterValues(r.URL.RawQuery, "complete"))
	if len(sites) > 1 || slices.Contains(sites, "") {
		return s.refuseImport(errorf(statusInvalid, "Invalid complete provided: must name one site."))
	}
	site := ""
	if len(sites) == 1 {
		site = sites[0]
	}
	if r.ContentLength < 0 || r.ContentLength > maxBody {
		underWay := s.longUploads.Add(1)
		defer s.longUploads.Add(-1)
		if underWay > maxUploads {
			return s.refuseImport(errorf(http.StatusServiceUnavailable,
				"%d other long imports are under way: try again later.", maxUploads))
		}
	}
	body, err := readUpload(w, r, maxImportBody)
	if err != nil {
		return s.refuseImport(err)
	}
	importBody := s.importListings
	if contentType, _ := listing.MediaType(r.Header.Get("Content-Type")); contentType == typeMail {
		importBody = s.importMail
	}
	counts, err := importBody(r, body, site)
	if err != nil {
		return err
	}
	return write(w, r, http.StatusOK, typeJSON, "", `{"data":`, encodeJSON(counts), `}`)
}

// importListings unpacks and imports one body at a time, because both steps take much memory. A waiting
// body is kept as it was sent. A body may be a mail although its type does not say so: then it waits again, among
// the mails.
func (s *server) importListings(r *http.Request, sent []byte, site string) (counts Counts, err error) {
	s.importer.unpacking.Lock()
	unlock := sync.OnceFunc(s.importer.unpacking.Unlock) // once: before a mail waits again, or at the end
	defer unlock()
	body, err := unpackImport(r, sent)
	if err != nil {
		return counts, s.refuseImport(err)
	}
	if listing.LooksLikeMail(body) {
		unlock()
		return s.importMail(r, sent, site)
	}
	keys, err := updateKeys(parameterValues(r.URL.RawQuery, "key"))
	if err != nil {
		return counts, s.refuseImport(err)
	}
	return s.importer.ImportText(body, site, keys...)
}

// importMail imports the listings of a body that is a mail or an mbox, one body at a time. It stops if the client
// disconnects before all listings are read.
func (s *server) importMail(r *http.Request, body []byte, site string) (counts Counts, err error) {
	if site != "" {
		return counts, s.refuseImport(errorf(statusInvalid, "Invalid complete provided: %v.", errMailComplete))
	}
	turns.NewTask(r.Context(), s.store.turns).Wait(s.importer.readingMail)
	defer s.importer.readingMail.Release()
	if body, err = unpackImport(r, body); err == nil && len(body) > listing.MaxMail {
		err = errorf(http.StatusRequestEntityTooLarge, "A mail may have at most %d bytes.", listing.MaxMail)
	}
	if err != nil {
		return counts, s.refuseImport(err)
	}
	counts, err = s.importer.ImportMail(r.Context(), body, "HTTP")
	if errors.Is(err, context.Canceled) {
		err = s.refuseImport(errorf(statusInvalid, "Nothing was imported: the client has gone before the mail was read."))
	}
	return counts, err
}

// unpackImport returns the body of an import, which may be gzipped, without its packing.
func unpackImport(r *http.Request, body []byte) ([]byte, error) {
	if strings.EqualFold(r.Header.Get("Content-Encoding"), "gzip") {
		zip, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, errorf(statusInvalid, "The body could not be read: %v.", err)
		}
		if body, err = readAtMost(zip, maxImportBody); err != nil {
			return nil, err
		}
	}
	body, err := unpack(body, maxImportBody)
	if err != nil {
		status := statusInvalid
		if errors.Is(err, errUnpacked) {
			status = http.StatusRequestEntityTooLarge
		}
		return nil, errorf(status, "The body is %v.", err)
	}
	return body, nil
}

// refuseImport adds err to the list of imports, and returns it. It is for imports that fail
// before [Importer.ImportText], which adds its own outcome.
func (s *server) refuseImport(err error) error {
	s.importer.addOutcome("HTTP", Counts{}, err, "")
	return err
}

func (s *server) getImports(w http.ResponseWriter, r *http.Request) error {
	return answerData(w, r, s.importer.Outcomes())
}

func (s *server) getViews(w http.ResponseWriter, r *http.Request) error {
	work := turns.NewTask(r.Context(), s.store.turns)
	defer work.Pause()
	answers := []viewAnswer{}
	for _, view := range *s.views.list.Load() {
		answers = append(answers, s.views.answer(work, view))
	}
	return answerData(w, r, answers)
}

// putView sets members of a view, or adds it. Its parameters are name, and was, the earlier name of a view to rename.
func (s *server) putView(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(w, r, maxBody)
	if err != nil {
		return err
	}
	object, err := parseObject(body)
	if err != nil {
		return errorf(statusInvalid, "Invalid view provided: %v.", err)
	}
	name, earlierName := nameIn(r, "name"), nameIn(r, "was")
	view, added, err := s.views.put(name, earlierName, object)
	if err != nil {
		return err
	}
	work := turns.NewTask(r.Context(), s.store.turns)
	defer work.Pause()
	status := http.StatusOK
	if added {
		status = http.StatusCreated
	}
	return write(w, r, status, typeJSON, "", `{"data":`, encodeJSON(s.views.answer(work, view)), `}`)
}

func (s *server) deleteView(w http.ResponseWriter, r *http.Request) error {
	if err := s.views.remove(nameIn(r, "name")); err != nil {
		return err
	}
	return noContent(w, r)
}

// postApply lets the rule of a view decide on the flats that are there.
func (s *server) postApply(w http.ResponseWriter, r *http.Request) error {
	work := turns.NewTask(r.Context(), s.store.turns)
	defer work.Pause()
	ids, err := s.views.apply(work, nameIn(r, "name"))
	if err != nil {
		return err
	}
	return answerData(w, r, map[string]any{"ids": ids})
}

// A serviceState describes another service: whether it is configured, when it last answered, and
// what has gone wrong since.
type serviceState struct {
	Configured bool    `json:"configured"`
	Last       *string `json:"last"`
	Error      *string `json:"error"`
}

func newServiceState(isConfigured bool, last time.Time, err error) serviceState {
	at := ""
	if !last.IsZero() {
		at = last.UTC().Format(time.RFC3339)
	}
	return serviceState{isConfigured, orNull(at), orNull(errorText(err))}
}

// getNotify reports whether a receiver of messages is configured, and whether it accepts them.
func (s *server) getNotify(w http.ResponseWriter, r *http.Request) error {
	last, err := s.notifier.state()
	return answerData(w, r, newServiceState(s.notifier.to != nil, last, err))
}

// A travelState is the answer of /travel.
type travelState struct {
	serviceState
	Waiting      int      `json:"waiting"`                 // the number of flats that wait for positions or travel times
	NotFound     int      `json:"not_found"`               // the number of flats whose address is unknown
	WithoutCodes []string `json:"without_codes,omitempty"` // the constraints with areas or near, but no postal code
}

// getTravel reports how many flats wait for positions and travel times, and whether the travel
// service answers.
func (s *server) getTravel(w http.ResponseWriter, r *http.Request) error {
	waiting, last, err := s.geocoder.state()
	state := newServiceState(s.config.Travel != nil, last, err)
	return answerData(w, r, travelState{state, waiting, s.geocoder.notFound(), s.store.codes.emptyConstraints()})
}

// postTravel makes the geocoder ask again for the addresses that were not found.
func (s *server) postTravel(w http.ResponseWriter, r *http.Request) error {
	if s.config.Travel == nil {
		return errorf(http.StatusConflict, "No travel service is configured: set travel in the config.")
	}
	body := encodeJSON(map[string]int{"waiting": s.geocoder.askAgain()})
	return write(w, r, http.StatusOK, typeJSON, "", `{"data":`, body, `}`)
}

// A mailboxState is the answer of /mailbox.
type mailboxState struct {
	serviceState
	Mails    int      `json:"mails"`          // the number of mails read since the start
	Listings int      `json:"listings"`       // the number of listings in them
	Others   int      `json:"others"`         // the number of mails since the start from other senders
	From     []string `json:"from,omitempty"` // the domains of the senders in the config
}

// getMailbox tells when the mailbox was last read, what came, and whether it can be read.
func (s *server) getMailbox(w http.ResponseWriter, r *http.Request) error {
	last, mails, listings, err := s.mailbox.state()
	state := mailboxState{
		serviceState: newServiceState(s.config.Mailbox != nil, last, err),
		Mails:        mails,
		Listings:     listings,
		Others:       s.mailbox.fromOthers(),
	}
	if s.config.Mailbox != nil {
		state.From = s.config.Mailbox.From
	}
	return answerData(w, r, state)
}

// A photosState tells how far the photo fetcher is, and what is wrong.
type photosState struct {
	Configured bool    `json:"configured"`
	Photos     int     `json:"photos"`
	Bytes      int64   `json:"bytes"`
	Waiting    int     `json:"waiting"`
	Error      *string `json:"error"`
}

// getPhotos reports how many photos are kept, how many are still to be fetched, and what is wrong.
func (s *server) getPhotos(w http.ResponseWriter, r *http.Request) error {
	state := s.photoFetcher.state()
	return answerData(w, r, photosState{
		Configured: s.config.KeepPhotos,
		Photos:     state.photos,
		Bytes:      state.bytes,
		Waiting:    state.waiting,
		Error:      orNull(errorText(cmp.Or(state.storeErr, state.fetchErr))),
	})
}

// getPhoto sends a kept photo. Its content is not trusted, so that a browser may show it, but must
// not run anything in it.
func (s *server) getPhoto(w http.ResponseWriter, r *http.Request) error {
	hash := r.PathValue("hash")
	w.Header().Set(dataHeader, s.config.dataID)
	err := s.sendPhoto(w, r, hash, "private, max-age=31536000, immutable")
	if errors.Is(err, fs.ErrNotExist) {
		return errorf(statusMissing, "No photo with hash %s.", hash)
	}
	return err
}

// sendPhoto sends a kept photo. The error is fs.ErrNotExist if it is not kept.
func (s *server) sendPhoto(w http.ResponseWriter, r *http.Request, hash, caching string) error {
	file, contentType, err := s.photoFetcher.open(hash)
	if err != nil {
		return err
	}
	defer file.Close()
	h := w.Header()
	h.Set("Cache-Control", caching)
	// What the cache of a browser keeps for one page must not answer a page of another site.
	h.Set("Vary", "Origin, Sec-Fetch-Dest, Sec-Fetch-Site")
	h.Set("Content-Security-Policy", "sandbox; frame-ancestors 'none'")
	h.Set("Content-Type", contentType)
	h.Set("Etag", `"`+hash+`"`)
	http.ServeContent(w, r, "", time.Time{}, file)
	return nil
}

// getBackups answers with the backups of the last nights, and with what is wrong.
func (s *server) getBackups(w http.ResponseWriter, r *http.Request) error {
	if err := s.maySet(r); err != nil {
		return err
	}
	state, err := s.nightly.state()
	if err != nil {
		return err
	}
	return answerData(w, r, state)
}

// getBackup sends a backup, which holds every secret but the password that was set.
func (s *server) getBackup(w http.ResponseWriter, r *http.Request) error {
	if err := s.maySet(r); err != nil {
		return err
	}
	name := r.PathValue("name")
	file, err := s.nightly.openNight(name)
	if errors.Is(err, fs.ErrNotExist) {
		return errorf(statusMissing, "No backup with this name.")
	}
	if err != nil {
		return err
	}
	defer file.Close()
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	h.Set("Content-Type", "application/gzip")
	http.ServeContent(w, r, "", time.Time{}, file)
	return nil
}

// postNotify sends an example to the receiver of messages.
func (s *server) postNotify(w http.ResponseWriter, r *http.Request) error {
	if s.config.sample {
		return errSampleIsOffline
	}
	if s.notifier.to == nil {
		return errorf(http.StatusConflict, "No receiver is configured: set notify in the settings.")
	}
	return answerTest(w, r, func() (int, error) {
		return s.notifier.send(r.Context(), exampleMessage(s.config.WebsiteURL))
	})
}

// answerTest sends an example, and answers with the status of the recipient's answer.
func answerTest(w http.ResponseWriter, r *http.Request, send func() (status int, err error)) error {
	status, err := send()
	var refused *statusError
	if errors.As(err, &refused) {
		return err
	}
	if err != nil {
		return errorf(http.StatusBadGateway, "The message was not taken: %v.", err)
	}
	return write(w, r, http.StatusOK, typeJSON, "", `{"data":`, encodeJSON(map[string]int{"status": status}), `}`)
}
