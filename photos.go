// The kept photos: which are fetched, from where, and their files.

package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"flats/internal/picture"
	"flats/internal/turns"
)

const (
	maxKept   = 1000      // kept photos of a flat, including those that the listing no longer names
	maxNamed  = 256 << 10 // bytes of a flat's kept_photos, after which it names no more photos
	maxPhoto  = 10 << 20  // bytes of a photo
	minFree   = 256 << 20 // bytes of the disk that photos leave for updates
	keptAfter = 7 * day   // how long photos stay after their flat left the shortlist
)

var photoTypes = []string{"image/jpeg", "image/png", "image/gif", "image/webp"}

var (
	globalUnicast = netip.MustParsePrefix("2000::/3")     // all of IPv6 that is public
	nat64         = netip.MustParsePrefix("64:ff9b::/96") // the last four bytes are an IPv4 address
	sixToFour     = netip.MustParsePrefix("2002::/16")    // the four bytes after the prefix are an IPv4 address
	// The parts of globalUnicast that lead elsewhere or nowhere.
	otherIPv6 = []netip.Prefix{
		netip.MustParsePrefix("2001::/32"),     // Teredo, a tunnel to any IPv4 address
		netip.MustParsePrefix("2001:10::/28"),  // hashes of keys
		netip.MustParsePrefix("2001:db8::/32"), // documentation
		netip.MustParsePrefix("3fff::/20"),     // documentation
	}
	// The parts of IPv4 that are not public, although no method of netip.Addr says so.
	otherIPv4 = []netip.Prefix{
		netip.MustParsePrefix("0.0.0.0/8"),      // this network
		netip.MustParsePrefix("100.64.0.0/10"),  // shared by the customers of a provider
		netip.MustParsePrefix("192.0.0.0/24"),   // special purposes
		netip.MustParsePrefix("192.88.99.0/24"), // relays to IPv6, not in use any more
		netip.MustParsePrefix("198.18.0.0/15"),  // benchmarks
		netip.MustParsePrefix("240.0.0.0/4"),    // reserved
	}
)

// isPublic reports whether an address belongs to the public internet, and not to this machine
// or a private network.
func isPublic(a netip.Addr) bool {
	a = a.Unmap()
	b := a.As16()
	switch { // the networks of IPv6 that lead to an IPv4 address come first: Is6 is true for them, too
	case nat64.Contains(a):
		a = netip.AddrFrom4([4]byte(b[12:16]))
	case sixToFour.Contains(a):
		a = netip.AddrFrom4([4]byte(b[2:6]))
	case a.Is6():
		// ISATAP is a tunnel to the IPv4 address in the last four bytes, after 00005efe or 02005efe.
		isISATAP := b[8]&^2 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe
		return globalUnicast.Contains(a) && !isIn(a, otherIPv6) && !isISATAP
	}
	return a.IsGlobalUnicast() && !a.IsPrivate() && !isIn(a, otherIPv4)
}

// isIn reports whether an address is in one of the networks.
func isIn(a netip.Addr, networks []netip.Prefix) bool {
	return slices.ContainsFunc(networks, func(network netip.Prefix) bool { return network.Contains(a) })
}

// onlyPublic refuses a connection to anything but a web server of the public internet. A
// dialer calls it with the address that it is about to connect to, so that neither a host name
// nor a redirect gets around it.
func onlyPublic(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	isWebPort := to.Port() == 80 || to.Port() == 443
	if err != nil || !isPublic(to.Addr()) || !isWebPort {
		return errors.New("not a public address with port 80 or 443")
	}
	return nil
}

// checkDownloadRedirect allows up to three redirects, and only to URLs that a photo may have. Files of postal codes are
// fetched with it, too.
func checkDownloadRedirect(r *http.Request, via []*http.Request) error {
	if len(via) > 3 || !mayBeFetched(r.URL.String()) {
		return http.ErrUseLastResponse
	}
	return nil
}

// A wantedPhoto is a photo to fetch or, if URL is "", a kept photo without a print: the small fingerprint by which
// equal photos are found.
type wantedPhoto struct {
	keptPhoto
	host  string
	flat  *Flat
	index int // among the photos of the flat
}

// lacksOnlyPrint reports whether the photo is kept, and needs nothing but a print.
func (p *wantedPhoto) lacksOnlyPrint() bool { return p.URL == "" }

// A failedPhoto says how often and when a photo could not be fetched.
type failedPhoto struct {
	tries int
	last  time.Time
}

// A photoFetcher fetches the photos of the shortlist, and keeps them in a folder. The file of a photo is
// named by the hash of its URL and never changes. It is written before a flat names it, and
// removed when no flat names it any more. Only state and open may be called by goroutines other
// than that of run.
type photoFetcher struct {
	backfill[wantedPhoto]
	folder   string // "" to keep nothing
	disk     disk
	free     func(folder string) (bytes int64, ok bool) // freeSpace, unless a test replaces it
	client   *http.Client
	maxBytes int64

	sizes        map[string]int64       // bytes of each file by hash, nil until they are listed
	prints       photoPrints            // of the files, nil until they are read
	isDirty      bool                   // whether the prints differ from those in photos/prints
	failed       map[string]failedPhoto // by the hash of the URL
	failingHosts map[string]bool        // the hosts whose last photo failed
	fetchErr     error                  // why the last photo that failed could not be fetched
	started      time.Time              // when it looked first: by store.now, like StatusSince
	cleaned      time.Time              // when photos were last removed: by time.Now, like lastLook
	isFull       bool                   // the photo that was fetched last did not fit into maxBytes
	storeErr     error                  // why no photo can be stored, or nil

	published atomic.Pointer[photoFetcherState] // what publish stored last
}

// A photoFetcherState describes the photo fetcher to other goroutines.
type photoFetcherState struct {
	photos   int   // files in the folder
	bytes    int64 // in all files
	waiting  int   // photos that are to be fetched
	fetchErr error // why some photos cannot be fetched, or nil
	storeErr error // why no photo can be stored, or nil
}

// newPhotoFetcher returns a photo fetcher of at most maxBytes of photos, in a folder next to the flats.json at path.
func newPhotoFetcher(store *Store, path string, maxBytes int64) *photoFetcher {
	transport := &http.Transport{
		DialContext:            (&net.Dialer{Control: onlyPublic}).DialContext,
		DisableCompression:     true,
		MaxIdleConns:           2,
		IdleConnTimeout:        10 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
	}
	pf := &photoFetcher{
		disk:         osDisk{},
		free:         freeSpace,
		client:       &http.Client{Transport: transport, CheckRedirect: checkDownloadRedirect, Timeout: 20 * time.Second},
		maxBytes:     maxBytes,
		failed:       map[string]failedPhoto{},
		failingHosts: map[string]bool{},
	}
	pf.publish()
	pf.backfill = backfill[wantedPhoto]{
		store:   store,
		changed: store.changes(),
		every:   lookEvery / 2, // so that a new photo is asked for within ten seconds
		look:    pf.look,
		ask:     pf.ask,
	}
	if store.writer.files != nil {
		pf.folder = filepath.Join(filepath.Dir(path), "photos")
	}
	return pf
}

// inherit takes over what has failed, the wait after that, and the published state of before, which has stopped.
func (pf *photoFetcher) inherit(before *photoFetcher) {
	pf.failed = before.failed
	pf.failingHosts = before.failingHosts
	pf.fetchErr = before.fetchErr
	pf.failurePause = before.failurePause
	pf.notBefore = before.notBefore
	pf.published.Store(before.published.Load())
}

// state returns the state that was last published. It is safe for concurrent use.
func (pf *photoFetcher) state() photoFetcherState { return *pf.published.Load() }

// total returns the number of bytes in the folder.
func (pf *photoFetcher) total() (bytes int64) {
	for _, size := range pf.sizes {
		bytes += size
	}
	return bytes
}

// publish updates the state that others see.
func (pf *photoFetcher) publish() {
	state := photoFetcherState{photos: len(pf.sizes), bytes: pf.total(), storeErr: pf.storeErr}
	for _, p := range pf.queue {
		if !p.lacksOnlyPrint() {
			state.waiting++
		}
	}
	if len(pf.failed) > 0 {
		state.fetchErr = fmt.Errorf("photos that could not be fetched: %d, the last one from %w", len(pf.failed), pf.fetchErr)
	}
	pf.published.Store(&state)
}

// setStoreErr keeps why no photo can be stored, or nil if photos can be. It logs a new reason.
func (pf *photoFetcher) setStoreErr(err error) {
	if err != nil && (pf.storeErr == nil || pf.storeErr.Error() != err.Error()) {
		pf.store.log.Warn("photos cannot be kept", "folder", pf.folder, "err", err)
	}
	pf.storeErr = err
}

// open opens a kept photo. The error is fs.ErrNotExist if it is not kept.
func (pf *photoFetcher) open(hash string) (file *os.File, contentType string, err error) {
	if pf.folder == "" || !photoName().MatchString(hash) {
		return nil, "", fs.ErrNotExist
	}
	root, err := os.OpenRoot(pf.folder)
	if err != nil {
		return nil, "", err
	}
	defer root.Close()
	info, err := root.Lstat(hash)
	if err == nil && !info.Mode().IsRegular() { // opening a pipe could block forever
		err = fs.ErrNotExist
	}
	if err == nil {
		file, err = root.Open(hash)
	}
	if err != nil {
		return nil, "", err
	}
	const sniffed = 512 // bytes that DetectContentType considers
	head := make([]byte, sniffed)
	n, _ := io.ReadFull(file, head) // a file that cannot be read has no type of photoTypes
	contentType = http.DetectContentType(head[:n])
	_, err = file.Seek(0, io.SeekStart)
	if !slices.Contains(photoTypes, contentType) {
		err = fs.ErrNotExist
	}
	if err != nil {
		file.Close()
	}
	return file, contentType, err
}

var (
	photoName     = newPattern(`^[0-9a-f]{64}$`)
	photoTempName = newPattern(`^[0-9a-f]{64}\.[A-Z2-7]+\.tmp$`)
)

// path returns the path of a file in the folder.
func (pf *photoFetcher) path(name string) string { return filepath.Join(pf.folder, name) }

// listFolder lists the photos in the folder, and creates the folder if it is missing. It removes
// the temporary files of services that were killed.
func (pf *photoFetcher) listFolder() error {
	if err := pf.disk.MkdirAll(pf.folder, 0o700); err != nil {
		return err
	}
	paths, err := pf.disk.List(pf.folder + string(filepath.Separator))
	if err != nil {
		return err
	}
	sizes := map[string]int64{}
	for _, path := range paths {
		name := filepath.Base(path)
		if photoTempName().MatchString(name) {
			pf.disk.Remove(path)
		}
		info, err := pf.disk.Lstat(path)
		if err == nil && photoName().MatchString(name) && info.Mode().IsRegular() {
			sizes[name] = info.Size()
		}
	}
	pf.sizes = sizes
	return nil
}

// look names the fetched photos in their flats, and queues the missing ones. At start and once
// a day it also lists the folder, and removes files that no flat names and the photos of flats
// that left the shortlist more than keptAfter ago. It reports whether all that is known is
// stored.
func (pf *photoFetcher) look(work *turns.Task) (isDone bool) {
	pf.lastLook = time.Now()
	if pf.started.IsZero() {
		pf.started = pf.store.now()
	}
	mayRemove := pf.lastLook.Sub(pf.cleaned) >= day
	err := pf.store.check() // another service may own the data, and the photos
	mustList := pf.sizes == nil || mayRemove
	if err == nil && mustList {
		err = pf.listFolder()
	}
	wanted := map[string]wantedPhoto{}
	keptByShortlist := map[string]bool{} // the hashes that flats of the shortlist name once amend has returned
	if err == nil {
		_, err = pf.store.amend(work, func(f *Flat) members {
			if !f.isShortlisted() {
				if f.KeptPhotos.Known() && mayRemove && pf.leftLongAgo(f) {
					return members{"kept_photos": json.RawMessage("null")}
				}
				return nil
			}
			kept, missing := pf.keptAndMissing(f)
			for _, p := range missing {
				if other, ok := wanted[p.Hash]; !ok || pf.compare(p, other) < 0 {
					wanted[p.Hash] = p
				}
			}
			for _, p := range kept {
				keptByShortlist[p.Hash] = true
			}
			if slices.Equal(kept, f.KeptPhotos.photos) {
				return nil
			}
			return members{"kept_photos": json.RawMessage(encodeJSON(kept))}
		})
	}
	if err == nil && mayRemove {
		err = pf.removeUnnamed(work, keptByShortlist)
	}
	defer pf.publish()
	if err != nil {
		pf.queue = nil
		pf.setStoreErr(err)
		return false
	}
	pf.comparePrints(work)
	if mayRemove {
		pf.cleaned = pf.lastLook
		clear(pf.failingHosts)
	}
	work.Pause()
	pf.enqueue(wanted)
	return true
}

// leftLongAgo reports whether a flat that is not on the shortlist left it more than keptAfter ago.
func (pf *photoFetcher) leftLongAgo(f *Flat) bool {
	leftAt := f.StatusSince.at
	if !f.StatusSince.Known() { // as in a file that a person has edited
		leftAt = pf.started
	}
	return pf.store.now().Sub(leftAt) > keptAfter
}

// keptAndMissing returns the photos of a flat that are kept, the listing's first, and the ones
// that are to be fetched.
func (pf *photoFetcher) keptAndMissing(f *Flat) (kept []keptPhoto, missing []wantedPhoto) {
	isNamed := map[keptPhoto]bool{} // by the flat
	for _, p := range f.KeptPhotos.photos {
		isNamed[p] = true
	}
	room := maxKept - len(isNamed) // how many more photos the flat may name
	if len(f.KeptPhotos.JSON()) > maxNamed {
		room = 0
	}
	seen := map[keptPhoto]bool{}
	for _, p := range slices.Concat(f.listed, f.KeptPhotos.photos) {
		if seen[p] {
			continue
		}
		index := len(seen)
		seen[p] = true
		_, hasFile := pf.sizes[p.Hash]
		mayBeNamed := isNamed[p] || room > 0
		mayFetch := index < maxFetched && mayBeFetched(p.URL) && mayBeNamed
		isFetched := hasFile && mayFetch // since the last look, or for another flat
		if isNamed[p] || isFetched {
			kept = append(kept, p)
		}
		if !hasFile && mayFetch {
			u, _ := url.Parse(p.URL) // mayBeFetched has parsed it
			missing = append(missing, wantedPhoto{p, u.Host, f, index})
		}
		if mayFetch && !isNamed[p] {
			room--
		}
	}
	return kept, missing
}

// compare orders photos as they are fetched. Those of hosts that have failed come late, so that they delay no others,
// and kept photos that lack a print come last. In each group, the photos of the flat decided on last come first.
func (pf *photoFetcher) compare(a, b wantedPhoto) int {
	rank := func(p wantedPhoto) int {
		switch {
		case p.lacksOnlyPrint():
			return 2
		case pf.failingHosts[p.host]:
			return 1
		}
		return 0
	}
	return cmp.Or(rank(a)-rank(b), b.flat.StatusSince.at.Compare(a.flat.StatusSince.at),
		strings.Compare(a.flat.ID.String(), b.flat.ID.String()), a.index-b.index)
}

// enqueue makes the queue of the wanted photos, without those that failed twice, or once within the last
// day. While the folder is full, it leaves out all of them. Kept photos that lack a print follow.
func (pf *photoFetcher) enqueue(wanted map[string]wantedPhoto) {
	maps.DeleteFunc(pf.failed, func(hash string, _ failedPhoto) bool {
		_, isWanted := wanted[hash]
		return !isWanted
	})
	maps.DeleteFunc(wanted, func(hash string, _ wantedPhoto) bool {
		failed := pf.failed[hash]
		mustWait := failed.tries == 1 && pf.lastLook.Sub(failed.last) < day
		isGivenUp := failed.tries > 1
		return pf.isFull || mustWait || isGivenUp
	})
	pf.queue = slices.SortedFunc(maps.Values(wanted), pf.compare)
	if !pf.isFull && len(pf.queue) == 0 {
		pf.setStoreErr(nil) // the photo that could not be stored is not wanted any more
	}
	for _, hash := range slices.Sorted(maps.Keys(pf.sizes)) {
		if _, hasPrint := pf.prints[hash]; !hasPrint && len(pf.prints) < maxPrints {
			pf.queue = append(pf.queue, wantedPhoto{keptPhoto: keptPhoto{Hash: hash}, flat: &Flat{}})
		}
	}
}

// comparePrints reads the prints at start, and drops the prints of removed files. If the prints have changed, it
// compares them and writes the file.
func (pf *photoFetcher) comparePrints(work *turns.Task) {
	isFirst := pf.prints == nil
	if isFirst {
		removeTemps(pf.disk, pf.path(printsBase))
		text, _, _ := readAll(pf.disk, pf.path(printsBase), maxPrintsFile) // what cannot be read is made anew
		pf.prints = parsePrints(string(text))
	}
	maps.DeleteFunc(pf.prints, func(hash string, _ picture.Print) bool {
		_, isKept := pf.sizes[hash]
		pf.isDirty = pf.isDirty || !isKept
		return !isKept
	})
	if isFirst || pf.isDirty {
		pf.store.pictures.Store(pf.prints.pictures(work))
	}
	if pf.isDirty {
		// After an error, the next look tries again. A restart makes prints anew that are not in the file.
		pf.isDirty = pf.write(printsBase, []byte(pf.prints.text())) != nil
	}
}

// makePrint makes the print of a kept photo, as one long task.
func (pf *photoFetcher) makePrint(ctx context.Context, hash string, content []byte) {
	if len(pf.prints) == maxPrints { // no more photos are compared
		return
	}
	var print picture.Print
	decode := func() (err error) {
		work := turns.NewTask(ctx, pf.store.turns)
		defer work.Finish(&err) // sets err if ctx is done or picture.Of has panicked

		print = picture.Of(content, func(bytes int) { work.Step(30 * bytes) }) // steps take a few nanoseconds each
		return nil
	}
	if err := decode(); err != nil && ctx.Err() != nil {
		return // the next look tries again
	}
	pf.prints[hash] = print // after a panic an empty one, so that the photo is not tried forever
	pf.isDirty = true
}

// removeUnnamed removes the files whose hashes are not in named and that no flat names. look has collected named a
// moment ago, and a flat that has changed since may name more.
func (pf *photoFetcher) removeUnnamed(work *turns.Task, named map[string]bool) error {
	for _, f := range pf.store.snapshot().all() {
		for _, p := range f.KeptPhotos.photos {
			named[p.Hash] = true
		}
		work.Step(20 + 100*len(f.KeptPhotos.photos)) // steps take a few nanoseconds each
	}
	for hash := range pf.sizes {
		if named[hash] {
			continue
		}
		if err := pf.disk.Remove(pf.path(hash)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		delete(pf.sizes, hash)
		pf.isFull = false // there is room again
	}
	return nil
}

// ask fetches the first photo in the queue, and reports whether it is kept. A photo that cannot be
// fetched is tried once more after a day, and the photos of other hosts come first. If a photo cannot
// be stored, or this machine has no network, all photos wait.
func (pf *photoFetcher) ask(ctx context.Context) bool {
	p := pf.queue[0]
	pf.queue = pf.queue[1:]
	if p.lacksOnlyPrint() {
		content, _, _ := readAll(pf.disk, pf.path(p.Hash), maxPhoto) // what cannot be read has no print
		pf.makePrint(ctx, p.Hash, content)
		return true
	}
	content, err := pf.fetch(ctx, p.URL)
	if ctx.Err() != nil {
		return false
	}
	defer pf.publish()
	if errors.Is(err, errNoNetwork) {
		pf.queue = append(pf.queue, p) // this is no fault of the photo
		pf.waitAfter(err)
		return false
	}
	if err != nil {
		pf.failed[p.Hash] = failedPhoto{pf.failed[p.Hash].tries + 1, time.Now()}
		pf.fetchErr = fmt.Errorf("%s: %w", p.host, err)
		if !pf.failingHosts[p.host] {
			pf.failingHosts[p.host] = true
			slices.SortFunc(pf.queue, pf.compare)
		}
		return false
	}
	delete(pf.failed, p.Hash)
	delete(pf.failingHosts, p.host)
	size := int64(len(content))
	if pf.total()+size > pf.maxBytes {
		pf.isFull = true
		pf.queue = nil
		pf.setStoreErr(fmt.Errorf("the kept photos have reached their limit of %d bytes (max_photos)", pf.maxBytes))
		return false
	}
	if err := pf.write(p.Hash, content); err != nil {
		if listErr := pf.listFolder(); listErr != nil {
			err = listErr // the folder itself cannot be used
		}
		pf.queue = slices.Insert(pf.queue, 0, p)
		pf.waitAfter(err)
		return false
	}
	pf.sizes[p.Hash] = size
	pf.makePrint(ctx, p.Hash, content)
	pf.failurePause = 0
	pf.setStoreErr(nil)
	return true
}

// waitAfter lets all photos wait after an error that is not about one of them.
func (pf *photoFetcher) waitAfter(err error) {
	pf.failurePause = backoff(pf.failurePause)
	pf.notBefore = time.Now().Add(pf.failurePause)
	pf.setStoreErr(err)
}

// write writes a file of the folder and returns when that is durable.
func (pf *photoFetcher) write(name string, content []byte) error {
	if free, ok := pf.free(pf.folder); ok && free-int64(len(content)) < minFree {
		return fmt.Errorf("the disk is nearly full: photos leave %d MiB free for updates", minFree>>20)
	}
	temp := newTemp(pf.path(name))
	err := writeTemp(pf.disk, temp, 0o600, func(w *bufio.Writer) { w.Write(content) })
	if err == nil {
		_, err = replace(pf.disk, temp, pf.path(name))
	}
	return err
}

// fetch returns the photo at a URL.
func (pf *photoFetcher) fetch(ctx context.Context, link string) (content []byte, err error) {
	r, _ := http.NewRequestWithContext(ctx, http.MethodGet, link, nil) // no error: mayBeFetched has parsed it
	r.Header.Set("Accept", strings.Join(photoTypes, ", "))
	r.Header.Set("User-Agent", "flats/"+version)
	answer, err := pf.client.Do(r)
	if err == nil {
		defer answer.Body.Close()
		content, err = io.ReadAll(io.LimitReader(answer.Body, maxPhoto+1))
	}
	switch {
	case isOffline(err):
		return nil, errNoNetwork
	case err != nil:
		return nil, errors.New(netErrorText(err))
	case answer.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("it answered %d %s", answer.StatusCode, http.StatusText(answer.StatusCode))
	case len(content) > maxPhoto:
		return nil, fmt.Errorf("it has more than %d bytes", maxPhoto)
	case !slices.Contains(photoTypes, http.DetectContentType(content)):
		return nil, errors.New("it is not a JPEG, PNG, GIF or WebP image")
	}
	return content, nil
}
