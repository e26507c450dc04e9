// Files of postal codes: users send them, or the service fetches them from GeoNames.

package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	maxCodesBody = 64 << 20  // bytes of a file of postal codes as it is sent or fetched
	maxCodes     = 512 << 20 // bytes of a file of postal codes without its packing
	maxCodeRows  = 3_000_000 // postal codes of a country: Great Britain has 1.8 million
	maxFetch     = time.Hour // to fetch a file of postal codes

	// maxZipFiles is the number of files in a zip archive of postal codes. Those of GeoNames have two. zip.NewReader makes
	// a struct for each file, which is much larger than the entry in the archive.
	maxZipFiles = 1000

	// Each entry of a zip archive begins with zipEntryMark, and so does the archive. In the directory at the end of the
	// archive, each file is listed after a zipFileMark.
	zipEntryMark = "PK\x03\x04"
	zipFileMark  = "PK\x01\x02"
)

// codesPatience is how long a fetch of postal codes waits for the next byte.
const codesPatience = 30 * time.Second

// codesFolder is the folder next to flats.json with the postal codes of countries.
const codesFolder = "postal_codes"

// codesName matches the name of a file in that folder: gzipped, with codesInfo as the comment.
var codesName = newPattern(`^[A-Z]{2}\.gz$`)

// countryPattern matches the codes of countries (ISO 3166), as GeoNames names its files.
var countryPattern = newPattern(`^[A-Z]{2}$`)

const wantCountry = "want the two capital letters of a country, such as FR"

// A codesInfo describes the postal codes of a country.
type codesInfo struct {
	Codes int    `json:"codes"`
	From  string `json:"from"` // fromFile, or the host that has sent them
	date  time.Time
}

// fromFile says that a user has sent the file.
const fromFile = "file"

// A codesFetch is the last attempt to fetch the postal codes of a country, or to read their file.
type codesFetch struct {
	isRunning bool
	bytes     int64 // received so far
	err       error // why it failed, or why the stored file cannot be used; else nil
}

// codeFiles are the postal codes of countries, each in a file that never changes. They live on when settings
// change. They are safe for concurrent use.
type codeFiles struct {
	disk   disk
	folder string   // "" to keep them in memory, and to fetch nothing
	from   *url.URL // the folder of GeoNames
	client *http.Client
	log    *slog.Logger

	storing sync.Mutex // held while a file is checked and written, because that takes much memory

	mu      sync.Mutex             // guards the four members below
	infos   map[string]codesInfo   // by country
	memory  map[string][]byte      // the files by country, if they are kept in memory
	fetches map[string]*codesFetch // by country
	stopped bool

	patience time.Duration // codesPatience, or less in tests

	ctx     context.Context // of all fetches, done once stop is called
	cancel  context.CancelFunc
	running sync.WaitGroup // the fetches under way
}

// newCodeFiles returns the files next to the flats.json at path, or files in memory if path is "". The URL of GeoNames
// may lead to a private network only if the config file has set it.
func newCodeFiles(disk disk, path string, config *Config, log *slog.Logger) *codeFiles {
	c := &codeFiles{disk: disk, log: log, infos: map[string]codesInfo{}, memory: map[string][]byte{},
		fetches: map[string]*codesFetch{}, patience: codesPatience}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.from, _ = url.Parse(config.GeoNames) // no error: the config has checked it
	c.from.Path = cmp.Or(c.from.Path, "/") // without it, JoinPath makes a relative path, which servers refuse
	configuredHost := ""
	if config.given.has("geonames") {
		configuredHost = hostPort(c.from)
	}
	c.client = newCodesClient(configuredHost)
	if path != "" {
		c.folder = filepath.Join(filepath.Dir(path), codesFolder)
		c.readFolder()
	}
	return c
}

// newCodesClient returns a client that connects to public addresses, and to configuredHost, which may be private.
func newCodesClient(configuredHost string) *http.Client {
	dialPublic := (&net.Dialer{Control: onlyPublic, Timeout: codesPatience}).DialContext
	dialAny := (&net.Dialer{Timeout: codesPatience}).DialContext
	return &http.Client{CheckRedirect: checkDownloadRedirect, Transport: &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if address == configuredHost {
				return dialAny(ctx, network, address)
			}
			return dialPublic(ctx, network, address)
		},
		DisableCompression:     true,
		DisableKeepAlives:      true,
		MaxResponseHeaderBytes: 64 << 10,
	}}
}

// readFolder notes which files are in the folder, or why one cannot be used, and removes temporary files.
func (c *codeFiles) readFolder() {
	files, err := c.disk.List(c.folder + string(filepath.Separator))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.log.Warn("the folder of the postal codes cannot be read", "folder", c.folder, "err", err)
	}
	for _, file := range files {
		base := filepath.Base(file)
		nameLength := min(len(base), len("FR.gz"))
		if suffix := base[nameLength:]; tempSuffix().MatchString(suffix) {
			c.disk.Remove(file) // a killed process has left this temporary file of FR.gz
		}
		if codesName().MatchString(base) {
			country := strings.TrimSuffix(base, ".gz")
			if _, info, err := c.open(country); err == nil {
				c.infos[country] = info
			} else {
				c.fetches[country] = &codesFetch{err: err}
			}
		}
	}
}

// hostPort returns the host and the port of a URL, as a dialer gets them.
func hostPort(u *url.URL) string {
	port := map[string]string{"http": "80", "https": "443"}[u.Scheme]
	return net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), port))
}

// stop ends the fetches.
func (c *codeFiles) stop() {
	c.mu.Lock()
	c.stopped = true
	c.mu.Unlock()
	c.cancel()
	c.running.Wait()
}

func (c *codeFiles) path(country string) string { return filepath.Join(c.folder, country+".gz") }

// open returns the text and the info of a country's postal codes. It is an error if there are none.
func (c *codeFiles) open(country string) (text io.Reader, info codesInfo, err error) {
	name := c.path(country)
	c.mu.Lock()
	packed := c.memory[country]
	c.mu.Unlock()
	if c.folder != "" {
		// maxPacked is the size of a stored file: store compresses the text anew, perhaps less than the body was.
		const maxPacked = 2 * maxCodesBody
		if packed, _, err = readAll(c.disk, name, maxPacked); err != nil {
			return nil, info, err
		}
	}
	if packed == nil {
		return nil, info, fmt.Errorf("there are no postal codes of %s: get them first", country)
	}
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err == nil {
		err = json.Unmarshal([]byte(zip.Comment), &info)
	}
	if err != nil {
		return nil, info, fmt.Errorf("%s is damaged: get the postal codes again", name)
	}
	info.date = zip.ModTime
	return newCodesText(zip), info, nil
}

// has reports whether there are postal codes of a country.
func (c *codeFiles) has(country string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, isThere := c.infos[country]
	return isThere
}

// load calls add for each postal code of a country. It adds the names of areas to names.
func (c *codeFiles) load(country string, add func(*PostalCode), names map[string]string) (err error) {
	text, _, err := c.open(country)
	if err != nil {
		return err
	}
	r := newPostalReader(c.path(country))
	r.areaNames = names
	if err = r.readText(text, add); err != nil {
		return fmt.Errorf("%w: get the postal codes again", err)
	}
	return nil
}

// errCodesSize is the error of postal codes that are too large.
var errCodesSize = errorf(http.StatusRequestEntityTooLarge,
	"A file of postal codes may have %d bytes, %d bytes unpacked, and %d rows.", maxCodesBody, maxCodes, maxCodeRows)

// A codesText is a text of postal codes that ends with errCodesSize if it is too large.
type codesText struct {
	io.Reader
	left int64 // how many bytes may still be read
}

// newCodesText returns a text that may have up to maxCodes bytes.
func newCodesText(text io.Reader) *codesText { return &codesText{text, maxCodes + 1} } // the last byte is one too many

func (t *codesText) Read(b []byte) (int, error) {
	if t.left <= 0 {
		return 0, errCodesSize
	}
	n, err := t.Reader.Read(b[:min(int64(len(b)), t.left)])
	t.left -= int64(n)
	return n, err
}

// store checks the postal codes that a user or a host has sent for a country, and replaces the file. The error is a
// *statusError if the codes are at fault.
func (c *codeFiles) store(country string, body []byte, from string) (info codesInfo, err error) {
	c.storing.Lock()
	defer c.storing.Unlock()
	info = codesInfo{From: from, date: time.Now().UTC().Truncate(time.Second)}
	text, err := unpackCodes(country, body)
	if err == nil {
		info.Codes, err = checkCountryCodes(country, text)
	}
	var tooLarge *statusError // errCodesSize
	if errors.As(err, &tooLarge) {
		return info, tooLarge
	}
	if err != nil {
		return info, errorf(statusInvalid, "Invalid postal codes provided: %v.", err)
	}
	if text, err = unpackCodes(country, body); err != nil { // again from the start: checkCountryCodes has read it all
		return info, err
	}
	fill := func(w io.Writer) error {
		zip, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // no error: the level is valid
		zip.Comment, zip.ModTime = encodeJSON(info), info.date
		_, err := io.Copy(zip, text)
		return errors.Join(err, zip.Close())
	}
	if err := c.write(country, fill); err != nil {
		return info, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.infos[country] = info
	if f := c.fetches[country]; f != nil {
		f.err = nil
	}
	return info, nil
}

// write replaces the file of a country with what fill writes.
func (c *codeFiles) write(country string, fill func(io.Writer) error) error {
	if c.folder == "" { // nothing is stored: the sample keeps the files in memory
		var packed bytes.Buffer
		if err := fill(&packed); err != nil {
			return err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.memory[country] = packed.Bytes()
		return nil
	}
	if err := c.disk.MkdirAll(c.folder, 0o700); err != nil {
		return err
	}
	temp := newTemp(c.path(country))
	var fillErr error // writeTemp knows only the errors of its own writer
	err := writeTemp(c.disk, temp, 0o600, func(w *bufio.Writer) { fillErr = fill(w) })
	if fillErr != nil {
		c.disk.Remove(temp)
		return fillErr
	}
	if err == nil {
		_, err = replace(c.disk, temp, c.path(country))
	}
	if err != nil {
		return err
	}
	return c.disk.SyncDir(filepath.Dir(c.folder)) // the folder may be new
}

// remove removes the file of a country, and reports whether there was any trace of it.
func (c *codeFiles) remove(country string) (isThere bool, err error) {
	c.storing.Lock()
	defer c.storing.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	_, hasFile := c.infos[country]
	f := c.fetches[country]
	if f != nil && f.isRunning {
		return true, errorf(http.StatusConflict, "The postal codes of %s are still being fetched: try again later.", country)
	}
	if !hasFile && f == nil {
		return false, nil
	}
	if c.folder != "" {
		err := c.disk.Remove(c.path(country))
		if err == nil {
			err = c.disk.SyncDir(c.folder)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return true, err
		}
	}
	delete(c.infos, country)
	delete(c.memory, country)
	delete(c.fetches, country)
	return true, nil
}

// unpackCodes returns the text of postal codes. The body is this text, or a zip archive of GeoNames.
func unpackCodes(country string, body []byte) (*codesText, error) {
	start := bytes.TrimLeft(bytes.TrimPrefix(body, []byte("\uFEFF")), " \t\r\n")
	if bytes.HasPrefix(start, []byte("[")) || bytes.HasPrefix(start, []byte("{")) {
		return nil, errors.New("want a zip or text file of GeoNames, or CSV; JSON works only in files that config.json names")
	}
	if !bytes.HasPrefix(body, []byte(zipEntryMark)) {
		return newCodesText(bytes.NewReader(body)), nil
	}
	if bytes.Count(body, []byte(zipFileMark)) > maxZipFiles {
		return nil, fmt.Errorf("the zip archive has more than %d files", maxZipFiles)
	}
	packed, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		return nil, errors.New("the zip archive is damaged")
	}
	for _, file := range packed.File {
		if file.Name != country+".txt" && file.Name != country+"_full.txt" {
			continue
		}
		text, err := file.Open()
		if err != nil {
			return nil, errors.New("the zip archive is damaged")
		}
		return newCodesText(text), nil
	}
	return nil, fmt.Errorf("there is no %s.txt in the zip archive", country)
}

// checkCountryCodes returns the number of postal codes in a text. It returns an error if the text is damaged or too
// large, has no postal code, or has one of another country.
func checkCountryCodes(country string, text *codesText) (n int, err error) {
	r := newPostalReader(country + ".txt")
	otherCountry := ""
	err = r.readText(text, func(c *PostalCode) {
		n++
		if n > maxCodeRows {
			text.left = 0 // the next Read returns errCodesSize
		}
		found := c.country()
		if otherCountry == "" && found != country && countryPattern().MatchString(found) {
			otherCountry = found
		}
	})
	switch {
	case errors.Is(err, zip.ErrChecksum), errors.Is(err, zip.ErrFormat), errors.Is(err, io.ErrUnexpectedEOF),
		errors.As(err, new(flate.CorruptInputError)):
		return n, errors.New("the zip archive is damaged")
	case err != nil:
		return n, err
	case otherCountry != "":
		return n, fmt.Errorf("there are postal codes of %s among those of %s", otherCountry, country)
	case n == 0:
		return n, errors.New("the file has no postal codes")
	case n > maxCodeRows: // by so little that no further Read was needed
		return n, errCodesSize
	}
	return n, nil
}

// fetch starts to fetch the postal codes of a country, unless that is under way. done is called when they are stored.
func (c *codeFiles) fetch(country string, done func(country string)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	last := c.fetches[country]
	isUnderWay := last != nil && last.isRunning
	if isUnderWay || c.stopped {
		return
	}
	f := &codesFetch{isRunning: true}
	c.fetches[country] = f
	c.running.Go(func() {
		err := c.fetchNow(country, f)
		if err == nil {
			c.log.Info("postal codes were fetched", "country", country, "host", c.from.Host)
			done(country)
		} else if c.ctx.Err() == nil {
			c.log.Warn("postal codes could not be fetched", "country", country, "err", err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		f.isRunning, f.err = false, err
	})
}

// fetchNow fetches and stores the postal codes of a country. Errors show no more of a URL than its host.
func (c *codeFiles) fetchNow(country string, f *codesFetch) (err error) {
	defer recoverError(&err)
	ctx, cancel := context.WithTimeout(c.ctx, maxFetch)
	defer cancel()
	idle := time.AfterFunc(c.patience, cancel) // received puts it off
	defer idle.Stop()
	host := c.from.Host
	r := &http.Request{Method: http.MethodGet, URL: c.from.JoinPath(country + ".zip"),
		Header: http.Header{"User-Agent": {"flats/" + version}}}
	answer, err := c.client.Do(r.WithContext(ctx))
	if err != nil {
		return fetchError(ctx, host, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return unwantedStatus(host, answer.StatusCode)
	}
	received := func(n int) {
		idle.Reset(c.patience)
		c.mu.Lock()
		defer c.mu.Unlock()
		f.bytes += int64(n)
	}
	body, err := io.ReadAll(io.LimitReader(&countedReader{answer.Body, received}, maxCodesBody+1))
	if err != nil {
		return fetchError(ctx, host, err)
	}
	idle.Stop()
	if len(body) > maxCodesBody {
		return fmt.Errorf("%s: the answer has more than %d bytes", host, maxCodesBody)
	}
	if _, err := c.store(country, body, host); err != nil {
		return fmt.Errorf("%s: %s", host, strings.TrimSuffix(err.Error(), "."))
	}
	return nil
}

// fetchError returns why a fetch failed.
func fetchError(ctx context.Context, host string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: no answer in time", host)
	}
	return fmt.Errorf("%s: %s", host, netErrorText(err))
}

// A countedReader calls received with the number of bytes of each read.
type countedReader struct {
	io.Reader
	received func(n int)
}

func (c *countedReader) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.received(n)
	return n, err
}

// A codesState is an element of the answer of /postal_codes.
type codesState struct {
	Country string  `json:"country"`
	Codes   int     `json:"codes"`
	Date    *string `json:"date"`
	From    *string `json:"from"`
	State   string  `json:"state"` // ready, fetching or failed
	Bytes   *int64  `json:"bytes"` // that have been fetched so far, nil if nothing is being fetched
	Error   *string `json:"error"`
}

// states describes the postal codes of each country that has some, is being fetched, or is used.
func (c *codeFiles) states(used []string) []codesState {
	c.mu.Lock()
	defer c.mu.Unlock()
	countries := slices.Concat(used, slices.Collect(maps.Keys(c.infos)), slices.Collect(maps.Keys(c.fetches)))
	slices.Sort(countries)
	list := []codesState{}
	for _, country := range slices.Compact(countries) {
		list = append(list, c.stateOf(country))
	}
	return list
}

// stateOf describes the postal codes of a country. mu must be held.
func (c *codeFiles) stateOf(country string) codesState {
	state := codesState{Country: country, State: "failed"} // unless there is a file, or one is being fetched
	info, isThere := c.infos[country]
	if isThere {
		state.State, state.Codes, state.From = "ready", info.Codes, &info.From
		state.Date = orNull(info.date.UTC().Format(time.RFC3339))
	}
	f := c.fetches[country]
	switch {
	case f != nil && f.isRunning:
		received := f.bytes
		state.State, state.Bytes = "fetching", &received
	case f != nil: // the last attempt has ended, perhaps with an error; a file from before it may still be ready
		state.Error = orNull(errorText(f.err))
	case !isThere:
		state.Error = orNull("the file is gone: get the postal codes again")
	}
	return state
}

// setFailed keeps why the postal codes of a country cannot be used.
func (c *codeFiles) setFailed(country string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.infos, country)
	c.fetches[country] = &codesFetch{err: err}
}
