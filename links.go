// The links and photos of listings, and the flats by their links.

package main

import (
	"cmp"
	"encoding/json"
	"hash/maphash"
	"iter"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"

	"flats/internal/listing"
	"flats/internal/turns"
)

// cleanLinks returns the JSON of urls or photos with complete URLs. A text with several links becomes several elements,
// and so does an object or a list in urls that holds nothing but links. Photos that are neither an http or https
// address nor an image itself are dropped; objects without a url stay.
func cleanLinks(text json.RawMessage, arePhotos bool) json.RawMessage {
	isLinkObject := text[0] == '{' && !arePhotos && len(listing.LinksOf(text)) > 0
	isScalar := strings.IndexByte("[{n", text[0]) < 0 // no list, no object and not null
	if text[0] == '"' || isLinkObject || isScalar && arePhotos {
		text = inArray(text)
	}
	var list []json.RawMessage
	if text[0] != '[' || json.Unmarshal(text, &list) != nil {
		return text
	}
	cleaned := []json.RawMessage{}
	addLinks := func(links []string) {
		for _, link := range links {
			if !arePhotos || isImage(link) {
				cleaned = append(cleaned, json.RawMessage(encodeJSON(link)))
			}
		}
	}
	for _, element := range list {
		links, onlyLinks := listing.ReadLinks(element)
		switch {
		case element[0] == '"':
			addLinks(listing.SplitLinks(unquote(string(element))))
		case onlyLinks && !arePhotos:
			addLinks(links)
		case element[0] == '{':
			cleaned = append(cleaned, cleanObject(element, arePhotos)...)
		case !arePhotos:
			cleaned = append(cleaned, element)
		}
	}
	return json.RawMessage(encodeJSON(cleaned))
}

// A linkElement is an element of the JSON of urls.
type linkElement struct {
	key  string // what elements are compared by: the key of the link, if there is one
	text json.RawMessage
}

// linkElements returns the elements of the JSON of urls. A value that is no list is the only element.
func linkElements(urls json.RawMessage) (elements []linkElement) {
	if len(urls) == 0 || string(urls) == "null" {
		return nil
	}
	var list []json.RawMessage
	const arePhotos = false
	urls = cleanLinks(urls, arePhotos)
	if json.Unmarshal(urls, &list) != nil {
		list = []json.RawMessage{urls}
	}
	for _, text := range list {
		link := strings.Join(listing.LinksOf(text), " ")
		elements = append(elements, linkElement{cmp.Or(listing.LinkKey(link), link, string(text)), text})
	}
	return elements
}

// inArray returns a JSON array of one element.
func inArray(element []byte) []byte { return slices.Concat([]byte("["), element, []byte("]")) }

// cleanObject is cleanLinks for an element that is an object, such as a photo with its url. If the url is a text with
// several links, it returns a copy of the object for each link. An object with another url, or none, stays as it is.
func cleanObject(object json.RawMessage, arePhotos bool) (cleaned []json.RawMessage) {
	var fields members
	json.Unmarshal(object, &fields) // no error: it is a JSON object
	url := fields.text("url")
	if url[0] != '"' {
		return []json.RawMessage{object}
	}
	for _, link := range listing.SplitLinks(unquote(url)) {
		if arePhotos && !isImage(link) {
			continue
		}
		withLink := object
		if link != unquote(url) {
			fields.put("url", link)
			withLink = json.RawMessage(encodeJSON(fields))
		}
		cleaned = append(cleaned, withLink)
	}
	return cleaned
}

// isImage reports whether a link is an http or https address, or an image itself.
func isImage(link string) bool {
	start := strings.ToLower(link[:min(len(link), 16)]) // 16 bytes hold the prefix: a whole image may have megabytes
	return strings.HasPrefix(start, "data:image/") || listing.IsWebLink(link)
}

// listingID returns the id of a listing or, if it has none, the id made from its first link that makes one, or "".
func listingID(given members) string {
	if id := given["id"]; id != nil {
		return unquote(string(id))
	}
	for _, link := range listing.LinksOf(given["urls"]) {
		if id := listing.LinkID(link); id != "" {
			return id
		}
	}
	return ""
}

const (
	maxLinks         = 1000 // links of a flat by which it is found
	maxSameNumber    = 8    // flats with one number, and links of a flat with it; more have the number of an agency
	maxJoinsByNumber = 100  // listings of an import that join known homes by one number: each encodes the flat again
)

// A linkIndex finds flats by the keys and the numbers of their links. All links to one page have one key. The number is
// what a site calls a listing, and several pages may have it (see [listing.Link]). The index has only hashes of these,
// so its users must compare the links of the flats that they find. Each lookup first brings the index up to a
// snapshot, and so does the goroutine of the [textIndex] after each change.
type linkIndex struct {
	turns.Lock // guards the rest
	seed       maphash.Seed
	flats      *snapshot[Flat]     // the indexed flats
	rows       map[uint64][]uint32 // by the hash of a key or number, ascending
}

func newLinkIndex() *linkIndex {
	return &linkIndex{turns.NewLock(), maphash.MakeSeed(), &snapshot[Flat]{}, map[uint64][]uint32{}}
}

// lockFor locks the index, and brings it up to the flats, unless it has these or later ones. The task may be nil.
func (x *linkIndex) lockFor(work *turns.Task, flats *snapshot[Flat]) {
	if work == nil {
		<-x.Lock
	} else {
		work.Wait(x.Lock)
	}
	if flats.version <= x.flats.version {
		return
	}
	for row, f := range flats.changed(x.flats) {
		before := blank // a new flat replaces no other one
		if int(row) < x.flats.size {
			before = x.flats.row(row)
		}
		if before.URLs.JSON() == f.URLs.JSON() && before.Corrected.JSON() == f.Corrected.JSON() {
			continue
		}
		oldHashes, newHashes := x.hashes(before), x.hashes(f)
		for hash := range oldHashes {
			if !newHashes[hash] {
				x.remove(hash, row)
			}
		}
		for hash := range newHashes {
			x.insert(hash, row)
		}
	}
	x.flats = flats
}

// update brings the index up to the flats.
func (x *linkIndex) update(flats *snapshot[Flat]) {
	x.lockFor(nil, flats)
	x.Release()
}

// hashes returns the hashes of the keys and numbers of a flat's links.
func (x *linkIndex) hashes(f *Flat) map[uint64]bool {
	set := map[uint64]bool{}
	for _, link := range parseLinks(f.listingLinks()) {
		for _, text := range []string{link.Key, link.Number} {
			if text != "" {
				set[maphash.String(x.seed, text)] = true
			}
		}
	}
	return set
}

// listingLinks returns the links of a flat and, if the user has corrected the flat, also the links in its listing.
func (f *Flat) listingLinks() []string {
	if !f.URLs.Known() && !f.Corrected.Known() {
		return nil
	}
	links := listing.LinksOf(json.RawMessage(f.URLs.JSON()))
	if f.Corrected.Known() {
		links = append(links, listing.LinksOf(f.listedValue("urls"))...)
	}
	return links[:min(len(links), maxLinks)]
}

func (x *linkIndex) insert(hash uint64, row uint32) {
	list := x.rows[hash]
	if i, found := slices.BinarySearch(list, row); !found {
		x.rows[hash] = slices.Insert(list, i, row)
	}
}

func (x *linkIndex) remove(hash uint64, row uint32) {
	list := x.rows[hash]
	i, found := slices.BinarySearch(list, row)
	switch {
	case found && len(list) == 1:
		delete(x.rows, hash)
	case found:
		x.rows[hash] = slices.Delete(list, i, i+1)
	}
}

// rowsWith yields the rows of the flats that may have a link with a key or a number. It yields them in ascending order.
func (x *linkIndex) rowsWith(work *turns.Task, flats *snapshot[Flat], keyOrNumber string) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		x.lockFor(work, flats)
		defer x.Release()
		for _, row := range x.rows[maphash.String(x.seed, keyOrNumber)] {
			if int(row) >= flats.size || !yield(row) { // the index may know later flats
				return
			}
		}
	}
}

// sharedRows returns the rows of the flats that may have a key or a number in common with another flat.
func (x *linkIndex) sharedRows(work *turns.Task, flats *snapshot[Flat]) rowSet {
	x.lockFor(work, flats)
	defer x.Release()
	set := newRowSet(max(flats.size, x.flats.size)) // the index may know later flats
	for _, rows := range x.rows {
		work.Step(5) // steps take a few nanoseconds each
		if len(rows) > 1 {
			work.Step(len(rows))
			set.add(rows)
		}
	}
	return set
}

// A linkedHome is a flat or a listing whose links are compared with those of others, to find those that are one home.
type linkedHome struct {
	id          string
	isDuplicate bool
	isListing   bool // of the import that is read now
	links       []listing.Link
	facts       func() *homeFacts // read when two homes are first compared
}

// homeFacts are the facts of a listing that tell apart homes whose links have one number.
type homeFacts struct {
	area, rooms, bedrooms Number
	code, place           string // the postal code and the words of the location, in compact forms; "" if unknown
}

// homeFactsOf returns a function that reads the facts of a listing once. field returns the JSON of a field of the
// listing. The domain of link, a link of the listing, may tell the country.
func homeFactsOf(field func(name string) json.RawMessage, link string) func() *homeFacts {
	return sync.OnceValue(func() *homeFacts {
		// There are no errors that matter: a value of another type says nothing.
		h, code, location := &homeFacts{}, Text{}, Text{}
		for name, fact := range map[string]value{"area": &h.area, "rooms": &h.rooms, "bedrooms": &h.bedrooms,
			"service_postal_code": &code, "location": &location} {
			fact.setJSON(cmp.Or(string(field(name)), "null"))
		}
		h.code = compact(cmp.Or(code.String(), listing.PostalCode(location.String(), link)))
		h.place = simplifiedWords(location.String())
		return h
	})
}

// contradict reports whether area, rooms or postal code show that two listings describe different homes. A code may be
// the beginning of the other one, as in SW1A and SW1A 1AA.
func (h *homeFacts) contradict(other *homeFacts) bool {
	const maxAreaGap = 2 * (1 + 1e-9) // square metres between the areas of one home at two links, with room for rounding
	differ := func(a, b *Number, gap float64) bool {
		return a.Known() && b.Known() && math.Abs(a.number-b.number) > gap
	}
	// "", an unknown code, begins every code.
	isOneCode := strings.HasPrefix(h.code, other.code) || strings.HasPrefix(other.code, h.code)
	return differ(&h.area, &other.area, maxAreaGap) || differ(&h.rooms, &other.rooms, 0) ||
		differ(&h.bedrooms, &other.bedrooms, 0) || !isOneCode
}

// mayBe reports whether links and facts allow two homes to be the same. Two listings of one import must also name the
// same place.
func (h *linkedHome) mayBe(other *linkedHome) bool {
	facts, otherFacts := h.facts(), other.facts()
	if facts.contradict(otherFacts) {
		return false
	}
	place, otherPlace := facts.place, otherFacts.place
	areOtherPlaces := place != otherPlace && place != "" && otherPlace != "" // "" is unknown
	if h.isListing && other.isListing && areOtherPlaces {
		return false
	}
	// Two links may have one number and lead to different homes: to rent and to buy, or in two units of a building.
	return !slices.ContainsFunc(h.links, func(link listing.Link) bool {
		return slices.ContainsFunc(other.links, func(otherLink listing.Link) bool {
			return link.Number == otherLink.Number && !link.IsOfOneListing(&otherLink)
		})
	})
}

// withLinksOf returns the home with only its links of a number, at most maxSameNumber.
func (h linkedHome) withLinksOf(number string) linkedHome {
	var links []listing.Link
	for _, link := range h.links {
		if link.Number == number && len(links) < maxSameNumber {
			links = append(links, link)
		}
	}
	h.links = links
	return h
}

// knownLinks finds the flat that a listing is, by the links of both. It also finds earlier listings of the same import.
type knownLinks struct {
	work    *turns.Task // may be nil
	index   *linkIndex
	flats   *snapshot[Flat]
	rows    map[uint32]linkedHome // the flats that have been compared, by row
	ids     map[string]string     // the results of idWithKey, by key
	numbers map[string]*numberHomes
}

// A numberHomes has the homes with a link of one number.
type numberHomes struct {
	homes  []linkedHome
	joined int // listings of the import for which match has found one of them
}

func newKnownLinks(work *turns.Task, index *linkIndex, flats *snapshot[Flat]) *knownLinks {
	return &knownLinks{work, index, flats, map[uint32]linkedHome{}, map[string]string{}, map[string]*numberHomes{}}
}

// linkedHome returns the flat at a row for comparisons.
func (k *knownLinks) linkedHome(row uint32) linkedHome {
	if h, isKnown := k.rows[row]; isKnown {
		return h
	}
	f := k.flats.row(row)
	links := f.listingLinks()
	k.work.Step(100 + 20*len(f.URLs.JSON())) // for parsing; steps take a few nanoseconds each
	h := linkedHome{id: f.ID.String(), isDuplicate: f.Status.String() == statusDuplicate, links: parseLinks(links)}
	h.facts = homeFactsOf(f.listedValue, first(links))
	k.rows[row] = h
	return h
}

// first returns the first text, or "" if there is none.
func first(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return texts[0]
}

func parseLinks(texts []string) []listing.Link {
	links := make([]listing.Link, len(texts))
	for i, text := range texts {
		links[i] = listing.ParseLink(text)
	}
	return links
}

// idWithKey returns the id of the flat or listing that has a link with the key, or "": the first one that is not a
// duplicate, else the first one. Flats come before listings.
func (k *knownLinks) idWithKey(key string) string {
	id, isKnown := k.ids[key]
	if isKnown || key == "" {
		return id
	}
	for row := range k.index.rowsWith(k.work, k.flats, key) {
		isDuplicate := k.flats.row(row).Status.String() == statusDuplicate
		if isDuplicate && id != "" { // an earlier flat takes precedence
			continue
		}
		h := k.linkedHome(row)
		if !slices.ContainsFunc(h.links, func(link listing.Link) bool { return link.Key == key }) {
			continue
		}
		id = h.id
		if !isDuplicate {
			break
		}
	}
	k.ids[key] = id
	return id
}

// homesOf returns the homes with a link of the number. If there are more than match accepts, it does not look for all.
func (k *knownLinks) homesOf(number string) *numberHomes {
	n := k.numbers[number]
	if n != nil {
		return n
	}
	n = &numberHomes{}
	k.numbers[number] = n
	for row := range k.index.rowsWith(k.work, k.flats, number) {
		if h := k.linkedHome(row).withLinksOf(number); len(h.links) > 0 {
			n.homes = append(n.homes, h)
		}
		if len(n.homes) > maxSameNumber {
			break
		}
	}
	return n
}

// find returns the id of the known home with the key of one of h's links, or else the home that findByNumber finds,
// or "".
func (k *knownLinks) find(h *linkedHome) string {
	for _, link := range h.links {
		if id := k.idWithKey(link.Key); id != "" {
			return id
		}
	}
	return k.findByNumber(h)
}

// findByNumber looks at the known homes that share a number with a link of h, and returns the id of the home that match
// chooses, or "". It counts the homes that it finds by each number, because match allows only maxJoinsByNumber.
func (k *knownLinks) findByNumber(h *linkedHome) string {
	for _, link := range h.links {
		if link.Number == "" {
			continue
		}
		n := k.homesOf(link.Number)
		if best := n.match(h.withLinksOf(link.Number)); best != nil {
			n.joined++
			return best.id
		}
	}
	return ""
}

// match returns the known home for a listing with the number, or nil if none or several different ones fit. Of
// duplicates it prefers the original. If too many homes or listings have the number, it returns nil.
func (n *numberHomes) match(h linkedHome) (best *linkedHome) {
	if len(n.homes) > maxSameNumber || n.joined >= maxJoinsByNumber {
		return nil
	}
	// One id may have several homes here: the flat, and listings of the import. If one contradicts h, none is h.
	isContradicting := map[string]bool{} // by id
	for i := range n.homes {
		home := &n.homes[i]
		if !home.mayBe(&h) {
			isContradicting[home.id] = true
		}
	}
	for i := range n.homes {
		home := &n.homes[i]
		switch {
		case isContradicting[home.id]: // h is not this home
		case best != nil && !best.mayBe(home):
			return nil
		case best == nil || best.isDuplicate && !home.isDuplicate:
			best = home
		}
	}
	return best
}

// add makes a listing known, so that a later listing of the import with one of its links or numbers is found to be the
// same home.
func (k *knownLinks) add(h linkedHome) {
	seen := map[string]bool{"": true} // numbers; "" counts as seen, because it means no number
	for _, link := range h.links {
		if link.Key != "" {
			k.ids[link.Key] = cmp.Or(k.idWithKey(link.Key), h.id)
		}
		if seen[link.Number] {
			continue
		}
		seen[link.Number] = true
		n := k.homesOf(link.Number)
		added := h.withLinksOf(link.Number)
		if !slices.ContainsFunc(n.homes, added.isLike) && len(n.homes) <= maxSameNumber {
			n.homes = append(n.homes, added)
		}
	}
}

// isLike reports whether comparisons cannot tell two listings of one import apart.
func (h linkedHome) isLike(other linkedHome) bool {
	areLike := func(a, b listing.Link) bool { return a.IsLike(&b) }
	return h.id == other.id && h.isListing == other.isListing && slices.EqualFunc(h.links, other.links, areLike) &&
		reflect.DeepEqual(h.facts(), other.facts())
}

// withID returns a listing with an id, and makes the listing known. k may be nil if all listings have ids.
//
// A listing without an id gets the id of the flat with one of its links. Its urls become the links of that flat's
// listing and its own new links. If there is no such flat, it gets an id made from a link.
//
// A listing in a mail has an id, but its link may be one of a mailer, which differs from mail to mail, and then so does
// the id. If no flat has the id, but a flat has the number of the link, the listing gets the id of that flat.
func (k *knownLinks) withID(given members, isOfMail bool, current func(id string) *Flat) members {
	if k == nil {
		return given
	}
	texts := listing.LinksOf(given["urls"])
	texts = texts[:min(len(texts), maxLinks)]
	field := func(name string) json.RawMessage { return given[name] }
	h := linkedHome{isListing: true, links: parseLinks(texts), facts: homeFactsOf(field, first(texts))}
	h.id = unquote(given.text("id"))
	switch {
	case given["id"] == nil:
		given = maps.Clone(given)
		h.id = k.find(&h)
		if f := current(h.id); f != nil {
			given.put("urls", k.joinedLinks(f, texts, h.links))
		}
		h.id = cmp.Or(h.id, listingID(given))
		given.put("id", h.id)
	case isOfMail && current(h.id) == nil:
		if id := k.findByNumber(&h); id != "" {
			given = maps.Clone(given)
			given.put("id", id)
			h.id = id
		}
	}
	k.add(h)
	return given
}

// joinedLinks returns the links in the flat's listing, and then the new ones among texts, which are parsed in links.
// A link is new if it has a key, no flat has this key, and no link of the flat leads to the same listing.
func (k *knownLinks) joinedLinks(f *Flat, texts []string, links []listing.Link) (urls []json.RawMessage) {
	const arePhotos = false
	json.Unmarshal(cleanLinks(f.listedValue("urls"), arePhotos), &urls) // a value that is no list has no links

	var ofFlat []listing.Link // parsed only if a link needs them
	for i, link := range links {
		if link.Key == "" || k.idWithKey(link.Key) != "" {
			continue
		}
		if ofFlat == nil {
			ofFlat = parseLinks(f.listingLinks())
		}
		isSameListing := func(known listing.Link) bool { return known.IsOfOneListing(&link) }
		if !slices.ContainsFunc(ofFlat, isSameListing) {
			urls = append(urls, json.RawMessage(encodeJSON(texts[i])))
		}
	}
	return urls
}

// idOfLink returns the id of the flat that has a link and does not contradict facts, or "".
func (k *knownLinks) idOfLink(link string, facts members) string {
	field := func(name string) json.RawMessage { return facts[name] }
	return k.find(&linkedHome{links: parseLinks([]string{link}), facts: homeFactsOf(field, link)})
}

// A linkedPair has the rows of two flats that are probably one home.
type linkedPair struct {
	row, other uint32
	because    string // what they have in common, as in /duplicates: "url", "number" or "photo"
}

// pairs returns the flats that are probably one home: a link of each has the same key, or the same number, and mayBe
// does not tell them apart. It ignores a key or number that more than maxSameNumber flats have.
func (k *knownLinks) pairs() (pairs []linkedPair) {
	rows := map[string][]uint32{} // by key and by number
	var texts []string            // the keys and numbers, in the order of the rows
	for row := range k.index.sharedRows(k.work, k.flats).all() {
		if int(row) >= k.flats.size {
			break
		}
		seen := map[string]bool{"": true} // keys and numbers of this flat; "" counts as seen
		for _, link := range k.linkedHome(row).links {
			for _, text := range []string{link.Key, link.Number} {
				if seen[text] {
					continue
				}
				seen[text] = true
				if rows[text] == nil {
					texts = append(texts, text)
				}
				rows[text] = append(rows[text], row)
			}
		}
	}
	for _, text := range texts {
		if len(rows[text]) > maxSameNumber {
			continue
		}
		isNumber := strings.Contains(text, " ") // as in "site.example 1234567"; no key has a blank
		for i, row := range rows[text] {
			for _, other := range rows[text][:i] {
				k.work.Step(50) // steps take a few nanoseconds each
				if !isNumber {
					pairs = append(pairs, linkedPair{row, other, "url"})
					continue
				}
				home, otherHome := k.linkedHome(row).withLinksOf(text), k.linkedHome(other).withLinksOf(text)
				if home.mayBe(&otherHome) {
					pairs = append(pairs, linkedPair{row, other, "number"})
				}
			}
		}
	}
	return pairs
}
