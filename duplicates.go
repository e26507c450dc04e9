// Flats that are probably the same home.

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"flats/internal/turns"
)

// Duplicates returns the groups of flats that are probably the same home, as a JSON list, and the number of this list:
// how many it has made since the start. It makes a new one only if the flats, or the pictures of their kept photos,
// have changed.
func (s *Store) Duplicates(work *turns.Task) (list string, number uint64) {
	last := &s.duplicates
	work.Wait(last.making)
	defer last.making.Release()
	flats, pictures := s.snapshot(), s.pictures.Load()
	isSame := last.flatsVersion == flats.version && last.pictures == pictures
	if last.list != "" && isSame {
		return last.list, last.number
	}
	homes := make([]home, 0, flats.size)
	for _, f := range flats.all() {
		homes = append(homes, f.home(work))
		// home has parsed these values, too, which takes a few steps for each byte. All numbers of steps in this file are
		// estimates; a step takes a few nanoseconds.
		for _, v := range []value{&f.MergedIDs, &f.NotDuplicates, &f.ServicePostalCode, &f.Location, &f.Phone, &f.Currency} {
			work.Step(20 + 4*len(v.JSON()))
		}
	}
	links := newKnownLinks(work, s.links, flats)
	pairs := append(links.pairs(), picturedPairs(work, links, homes, pictures)...)
	groups := duplicates(work, homes, pairs)
	answer := make([]duplicateGroup, len(groups))
	for i, g := range groups {
		for _, row := range g.rows {
			id := json.RawMessage(flats.row(row).ID.JSON())
			answer[i].IDs = append(answer[i].IDs, id)
			if g.pictured[row] {
				answer[i].SamePhotos = append(answer[i].SamePhotos, id)
			}
			if g.linked[row] {
				answer[i].SameLinks = append(answer[i].SameLinks, id)
			}
		}
		answer[i].Because = g.because
	}
	last.list, last.flatsVersion, last.pictures = encodeJSON(answer), flats.version, pictures
	last.number++
	return last.list, last.number
}

// A duplicateGroup lists flats that are probably the same home, and why.
type duplicateGroup struct {
	IDs     []json.RawMessage `json:"ids"`
	Because []string          `json:"because"`
	// SamePhotos lists those of IDs whose kept photos show the same pictures. Clients cannot tell that from URLs.
	SamePhotos []json.RawMessage `json:"same_photos,omitempty"`
	// SameLinks lists those of IDs that share a link, or the number of a listing in their links. Clients cannot tell
	// which links lead to the same listing.
	SameLinks []json.RawMessage `json:"same_links,omitempty"`
}

// picturedPairs returns the pairs of flats whose kept photos show the same pictures: at least half of the pictures of
// the flat with fewer, because flats of one building share some, too, such as its front. It ignores pictures that more
// than maxShared flats have, and pairs of flats that facts tell apart.
func picturedPairs(work *turns.Task, links *knownLinks, homes []home, pictures *pictureList) (pairs []linkedPair) {
	if len(pictures.numbers) == 0 {
		return nil
	}
	pictureCounts := map[uint32]int{}    // how many pictures each flat has
	sharedCounts := map[linkedPair]int{} // how many pictures both flats of a pair have
	for _, rows := range rowsByPicture(work, links.flats, pictures) {
		work.Step(50 * maxShared)
		if len(rows) > maxShared {
			continue
		}
		for i, row := range rows {
			pictureCounts[row]++
			for _, other := range rows[:i] {
				sharedCounts[linkedPair{row, other, "photo"}]++
			}
		}
	}
	for pair, shared := range sharedCounts {
		a, b := &homes[pair.row], &homes[pair.other]
		work.Step(100)
		fewer := min(pictureCounts[pair.row], pictureCounts[pair.other])
		shareHalf := 2*shared >= fewer
		if a.id == "" || b.id == "" || !shareHalf { // without an id, a flat is in no group
			continue
		}
		facts, otherFacts := links.linkedHome(pair.row).facts(), links.linkedHome(pair.other).facts()
		if !facts.contradict(otherFacts) && !a.parsedAddress().differs(b.parsedAddress()) {
			pairs = append(pairs, pair)
		}
	}
	slices.SortFunc(pairs, func(a, b linkedPair) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.other, b.other))
	})
	return pairs
}

// rowsByPicture returns the rows of the flats with each picture, ascending, by the number of the picture.
func rowsByPicture(work *turns.Task, flats *snapshot[Flat], pictures *pictureList) map[int][]uint32 {
	rowsWith := map[int][]uint32{}
	for i, f := range flats.all() {
		row := uint32(i)
		work.Step(20 + 50*len(f.KeptPhotos.photos))
		for _, p := range f.KeptPhotos.photos {
			number, isKnown := pictures.numbers[p.Hash]
			others := rowsWith[number]
			isRepeated := len(others) > 0 && others[len(others)-1] == row // an earlier photo of the flat shows it, too
			if isKnown && !isRepeated {
				rowsWith[number] = append(others, row)
			}
		}
	}
	return rowsWith
}

// home returns what the search for duplicates compares. Cost and area are NaN unless
// both are known.
func (f *Flat) home(work *turns.Task) home {
	h := home{
		links: slices.Concat(linksIn(work, "photo", f.Photos.JSON()), linksIn(work, "url", f.URLs.JSON())),
		cost:  math.NaN(),
		area:  math.NaN(),
		rooms: math.NaN(),
	}
	if f.hasStatus([]string{statusDuplicate, statusDeleted}) {
		return h // without an id, it is in no group, but may show that an agency reuses its photos
	}
	if f.Cost.Known() && f.Area.Known() {
		h.cost, h.area = f.Cost.number, f.Area.number
	}
	if f.Rooms.Known() {
		h.rooms = f.Rooms.number
	}
	h.id = f.ID.String()
	h.currency = f.currencyCode()
	h.code, h.location = f.ServicePostalCode.String(), f.Location.String()
	digits := strings.FieldsFunc(f.Phone.String(), func(r rune) bool { return r < '0' || r > '9' })
	h.phone = strings.Join(digits, "")
	h.merged, h.apart = f.MergedIDs.ids(), f.NotDuplicates.ids()
	return h
}

// linksIn returns the distinct URLs in a JSON text, as links with the given reason.
func linksIn(work *turns.Task, because, text string) (found []sharedLink) {
	seen := map[string]bool{}
	// A URL contains no quotes, so that splitting at them keeps it whole.
	for part := range strings.SplitSeq(text, `"`) {
		work.Step(20 + len(part))
		url := escapesInURLs.Replace(part)
		if strings.HasPrefix(url, "http") && !seen[url] {
			seen[url] = true
			found = append(found, sharedLink{because, url})
		}
	}
	return found
}

var escapesInURLs = strings.NewReplacer(`\/`, "/", `\u0026`, "&")

// A home contains the facts of a flat that are compared to find its duplicates. Unknown facts are
// "" or NaN. The id of a duplicate or of a deleted flat is "": it joins no group, but counts as one
// of the flats that share a link (maxShared).
type home struct {
	id                    string
	cost, area, rooms     float64
	currency              string
	code, location, phone string
	address               *address // in the location; parsedAddress sets it
	links                 []sharedLink
	merged                []string // the ids of flats that are the same home
	apart                 []string // the ids of flats that are other homes
}

// A sharedLink is a URL that flats of one home may share, and the reason to group them.
type sharedLink struct{ because, url string }

// reasonsAlike returns the reasons why two flats are probably the same home by their facts, or nil. Cost
// and area must be known. Areas may differ by 1 m², and costs by 2 %.
func (h *home) reasonsAlike(other *home) (because []string) {
	const rounding = 1 + 1e-9       // a gap may be a little larger, because a float64 rounds
	const maxAreaGap = 1 * rounding // square metres between the areas of one home in two listings
	maxCostGap := 0.02 * max(h.cost, other.cost) * rounding
	if math.Abs(h.area-other.area) > maxAreaGap || math.Abs(h.cost-other.cost) > maxCostGap {
		return nil
	}
	if h.currency != other.currency {
		return nil
	}
	haveOtherRooms := h.rooms < other.rooms || h.rooms > other.rooms // false if either is NaN
	if haveOtherRooms {
		return nil
	}
	where, otherWhere := h.code, other.code
	if where == "" || otherWhere == "" {
		where, otherWhere = h.location, other.location
	}
	if where != "" && where == otherWhere {
		because = append(because, "place")
	}
	if h.phone != "" && h.phone == other.phone {
		because = append(because, "phone")
	}
	if because != nil && h.parsedAddress().differs(other.parsedAddress()) {
		return nil
	}
	return because
}

// An address is the part of a location that tells homes apart.
type address struct {
	street    string   // the first four letters of the street, simplified
	respelled string   // the same with ae, oe, ue for ä, ö, ü
	numbers   []string // of the house with its letter, the floor, and the door; nil if unknown
}

// differs reports whether two addresses belong to different homes. Only the numbers that both have are compared, and
// addresses without a house number never differ.
func (a *address) differs(b *address) bool {
	common := min(len(a.numbers), len(b.numbers))
	isSameStreet := a.street == b.street || a.respelled == b.respelled
	areSameNumbers := slices.Equal(a.numbers[:common], b.numbers[:common])
	return common > 0 && !(isSameStreet && areSameNumbers)
}

// addressPattern matches a street, the house number, its letter, and the rest: "Rue Haute", "5", "b" and ", 2nd floor".
// An ordinal is not a house number, as in "Straße des 17. Juni 135".
var addressPattern = newPattern(`(?s)(\p{L}[^,0-9]*),? *([0-9]{1,3})[ /]?(\p{L}?)((?:[^.0-9\p{L}].*)?)$`)

// maxLocation is the number of bytes of a location that are searched for an address.
const maxLocation = 200

// parsedAddress returns the address in the location, and parses it once. The floor and the door are the first
// numbers of one or two digits after the house number.
func (h *home) parsedAddress() *address {
	if h.address != nil {
		return h.address
	}
	h.address = &address{}
	parts := addressPattern().FindStringSubmatch(h.location[:min(len(h.location), maxLocation)])
	if parts == nil {
		return h.address
	}
	var street, respelled string
	t := tokenizer{text: parts[1]}
	for word := range t.tokens {
		street += word.word
		respelled += cmp.Or(word.respelled, word.word)
	}
	house := strings.ToLower(parts[2] + parts[3])
	numbers := strings.FieldsFunc(parts[4], func(r rune) bool { return r < '0' || r > '9' })
	numbers = slices.DeleteFunc(numbers, func(number string) bool { return len(number) > 2 })
	floorAndDoor := numbers[:min(2, len(numbers))]
	h.address.street = firstLetters(street)
	h.address.respelled = firstLetters(respelled)
	h.address.numbers = append([]string{house}, floorAndDoor...)
	return h.address
}

// firstLetters returns the first four letters of a street. Only these are compared, because sites
// abbreviate the rest.
func firstLetters(street string) string { return fmt.Sprintf("%.4s", street) }

// A homeGroup is a set of flats that are probably the same home. Each reason joined at
// least two of them.
type homeGroup struct {
	rows     []uint32
	because  []string
	apart    map[*homeGroup]bool // the groups with which join has refused to join this one
	pictured map[uint32]bool     // the rows, of any group, that were joined by pictures
	linked   map[uint32]bool     // the rows, of any group, that were joined by links of listings
}

// A grouping is a partition of homes into groups.
type grouping struct {
	work      *turns.Task
	homes     []home            // by row
	rowOf     map[string]uint32 // by id
	groupOf   []*homeGroup      // by row
	apartFrom [][]uint32        // by row: the rows that must not be in the same group, ascending
	linked    map[uint32]bool   // the rows that were joined by links of listings
}

const (
	maxShared = 8  // flats that share a photo or URL of a home; more share an agency's logo
	maxAlike  = 50 // flats in a set of joinAlike, and sets that it tries at a spot; else many equal flats take too long
)

// duplicates returns the groups of flats that are probably the same home, in the order
// of their first rows. linked are the pairs of flats that have equal links or pictures.
func duplicates(work *turns.Task, homes []home, linked []linkedPair) (groups []*homeGroup) {
	g := &grouping{work: work, homes: homes, rowOf: make(map[string]uint32, len(homes)), linked: map[uint32]bool{}}
	for row, h := range homes {
		g.groupOf = append(g.groupOf, &homeGroup{rows: []uint32{uint32(row)}, apart: map[*homeGroup]bool{}})
		if h.id != "" {
			g.rowOf[h.id] = uint32(row)
		}
		work.Step(20)
	}
	g.keepApart()
	g.joinLinked()
	pictured := map[uint32]bool{}
	for _, pair := range linked {
		work.Step(20)
		if homes[pair.row].id == "" || homes[pair.other].id == "" { // see home: it is in no group
			continue
		}
		if pair.because != "photo" {
			g.joinByLink(pair.row, pair.other, pair.because)
		} else if g.join(pair.row, pair.other, pair.because) {
			pictured[pair.row], pictured[pair.other] = true, true
		}
	}
	g.joinAlike()
	seen := map[*homeGroup]bool{}
	for _, group := range g.groupOf {
		if len(group.rows) > 1 && !seen[group] {
			group.pictured, group.linked = pictured, g.linked
			slices.Sort(group.rows)
			slices.Sort(group.because)
			groups = append(groups, group)
			seen[group] = true
		}
	}
	return groups
}

// others returns the rows of the ids that the flat at a row lists, without that row itself.
func (g *grouping) others(row uint32, ids []string) (rows []uint32) {
	for _, id := range ids {
		if other, ok := g.rowOf[id]; ok && other != row {
			rows = append(rows, other)
		}
		g.work.Step(50)
	}
	return rows
}

// keepApart notes which rows must not be joined.
func (g *grouping) keepApart() {
	g.apartFrom = make([][]uint32, len(g.homes))
	for row := range g.homes {
		for _, other := range g.others(uint32(row), g.homes[row].apart) {
			g.apartFrom[row] = append(g.apartFrom[row], other)
			g.apartFrom[other] = append(g.apartFrom[other], uint32(row))
		}
	}
	for row, others := range g.apartFrom {
		slices.Sort(others)
		g.apartFrom[row] = slices.Compact(others)
		g.work.Step(20 * len(others))
	}
}

// areApart reports whether a row of a small group must not be joined with one of a large group. join keeps the result,
// so that the same two groups are compared again only if one has grown.
func (g *grouping) areApart(small, large *homeGroup) bool {
	for _, row := range small.rows {
		others := g.apartFrom[row]
		g.work.Step(20 + 20*min(len(others), len(large.rows)))
		// Go through the shorter of the two lists.
		if len(others) < len(large.rows) {
			if slices.ContainsFunc(others, func(other uint32) bool { return g.groupOf[other] == large }) {
				return true
			}
			continue
		}
		for _, other := range large.rows {
			if _, found := slices.BinarySearch(others, other); found {
				return true
			}
		}
	}
	return false
}

// join joins the groups of two rows for the given reasons. It reports false if they must stay apart, and notes that in
// both groups. It moves the smaller group, so that each row moves rarely.
func (g *grouping) join(a, b uint32, because ...string) bool {
	small, large := g.groupOf[a], g.groupOf[b]
	if len(small.rows) > len(large.rows) {
		small, large = large, small
	}
	if small.apart[large] {
		return false
	}
	if small != large && g.areApart(small, large) {
		small.apart[large], large.apart[small] = true, true
		return false
	}
	if small != large {
		g.work.Step(10*len(small.rows) + 100*len(small.apart))
		for _, row := range small.rows {
			g.groupOf[row] = large
		}
		for other := range small.apart { // what must stay apart from small now must from large
			delete(other.apart, small)
			other.apart[large], large.apart[other] = true, true
		}
		large.rows = append(large.rows, small.rows...)
		because = append(because, small.because...)
	}
	for _, reason := range because {
		if !slices.Contains(large.because, reason) {
			large.because = append(large.because, reason)
		}
	}
	return true
}

// joinByLink joins the groups of two rows that share a link for the given reason: "url", "number", or "photo" for the
// URL of a photo.
func (g *grouping) joinByLink(a, b uint32, because string) {
	if g.join(a, b, because) && because != "photo" {
		g.linked[a], g.linked[b] = true, true
	}
}

// joinLinked joins flats if one is merged into the other or if they share a link.
func (g *grouping) joinLinked() {
	sharing := make(map[sharedLink][]uint32, len(g.homes))
	for row := range g.homes {
		for _, l := range g.homes[row].links {
			sharing[l] = append(sharing[l], uint32(row))
			g.work.Step(20)
		}
	}
	for row := range g.homes {
		h := &g.homes[row]
		for _, other := range g.others(uint32(row), h.merged) {
			g.join(uint32(row), other, "merged_ids")
		}
		for _, l := range h.links {
			g.work.Step(20)
			if h.id == "" || len(sharing[l]) > maxShared {
				continue
			}
			for _, other := range sharing[l] {
				if other < uint32(row) && g.homes[other].id != "" {
					g.joinByLink(uint32(row), other, l.because)
				}
			}
		}
		g.work.Step(20)
	}
}

// A spot is where joinAlike looks for flats that are alike. It has their currency, a text that they share (the code,
// the location or the phone), and a step of their cost and of their area. A step is wider than twice the gap that
// reasonsAlike allows. So a flat that is like another is on the other's step, or on the nearer of the two next to it.
type spot struct {
	currency, text     string
	costStep, areaStep float64 // whole numbers
}

const (
	costWidth = 0.0406 // of the logarithm of the cost: a little more than 2 * -ln(1-0.02), for 2 % of the cost
	areaWidth = 2.02   // m², a little more than 2 * 1 m²
)

// joinAlike joins flats that are alike. It collects sets in which any two flats are alike. Each
// flat joins the first set that takes it, or else begins a new one. A set is found by the spots
// of its first flat, so that few flats are compared.
func (g *grouping) joinAlike() {
	var sets [][]uint32
	setsAt := map[spot][]int{}
	for row := range g.homes {
		h := &g.homes[row]
		if h.id == "" || math.IsNaN(h.cost) || math.IsNaN(h.area) { // without an id, it is in no group (see home)
			continue
		}
		positive := max(h.cost, 0.01)            // 0 has no logarithm
		costAt := math.Log(positive) / costWidth // in steps
		areaAt := h.area / areaWidth             // in steps
		var spots []spot
		var candidates []int
		for _, text := range []string{h.code, h.location, h.phone} {
			if text == "" {
				continue
			}
			spots = append(spots, spot{h.currency, text, math.Floor(costAt), math.Floor(areaAt)})
			// Half a step down and half a step up reach the flat's own step and the nearer one next to it.
			for _, nearCost := range []float64{costAt - 0.5, costAt + 0.5} {
				for _, nearArea := range []float64{areaAt - 0.5, areaAt + 0.5} {
					near := setsAt[spot{h.currency, text, math.Floor(nearCost), math.Floor(nearArea)}]
					latest := near[max(0, len(near)-maxAlike):]
					candidates = append(candidates, latest...)
				}
			}
		}
		slices.Sort(candidates)
		candidates = slices.Compact(candidates)
		isJoined := false
		for _, i := range candidates {
			isJoined = g.joinSet(uint32(row), sets[i])
			if isJoined {
				sets[i] = append(sets[i], uint32(row))
				break
			}
		}
		if !isJoined {
			for _, at := range spots {
				setsAt[at] = append(setsAt[at], len(sets))
			}
			sets = append(sets, []uint32{uint32(row)})
		}
		g.work.Step(200 + 50*len(candidates))
	}
}

// joinSet joins a flat with the group of a set, if the set has room, all of its flats are
// like this one, and their groups need not stay apart. It reports whether it did.
func (g *grouping) joinSet(row uint32, set []uint32) bool {
	if len(set) == maxAlike {
		return false
	}
	var because []string
	for _, other := range set {
		reasons := g.homes[row].reasonsAlike(&g.homes[other])
		g.work.Step(20)
		if reasons == nil {
			return false
		}
		because = append(because, reasons...)
	}
	return g.join(row, set[0], because...)
}
