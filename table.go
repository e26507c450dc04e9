// How queries are answered: snapshots, sets of rows, and sorted orders.

package main

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"sync"

	"flats/internal/turns"
)

// A snapshot contains the records of a table at one instant, numbered by rows. Rows are
// never removed. A snapshot and its records never change; an update makes a new snapshot
// that shares the unchanged chunks.
type snapshot[R any] struct {
	version uint64 // the number of records put in so far
	size    int    // the number of rows
	chunks  []*[chunkRows]*R
}

// chunkRows is the number of rows in a chunk, which is copied when one of them changes.
const chunkRows = 256

// row returns the record at a row.
func (s *snapshot[R]) row(row uint32) *R { return s.chunks[row/chunkRows][row%chunkRows] }

// withRecords returns a snapshot in which the records replace those at the given rows. A new
// row must directly follow the last one.
func (s *snapshot[R]) withRecords(rows []uint32, records []*R) *snapshot[R] {
	next := &snapshot[R]{s.version + uint64(len(records)), s.size, slices.Clone(s.chunks)}
	for i, row := range rows {
		c := int(row / chunkRows)
		if c == len(next.chunks) {
			next.chunks = append(next.chunks, new([chunkRows]*R))
		} else if c < len(s.chunks) && next.chunks[c] == s.chunks[c] { // still shared with s
			chunk := *s.chunks[c]
			next.chunks[c] = &chunk
		}
		next.chunks[c][row%chunkRows] = records[i]
		next.size = max(next.size, int(row)+1)
	}
	return next
}

// all yields the rows and their records in ascending order.
func (s *snapshot[R]) all() iter.Seq2[uint32, *R] { return s.changed(&snapshot[R]{}) }

// changed yields the rows of s that from lacks, or whose record differs from that in from. from may be older or newer
// than s.
func (s *snapshot[R]) changed(from *snapshot[R]) iter.Seq2[uint32, *R] {
	return func(yield func(uint32, *R) bool) {
		for c, chunk := range s.chunks {
			if c < len(from.chunks) && chunk == from.chunks[c] {
				continue
			}
			for i, r := range chunk {
				row := c*chunkRows + i
				if row >= s.size {
					return
				}
				isChanged := row >= from.size || r != from.row(uint32(row))
				if isChanged && !yield(uint32(row), r) {
					return
				}
			}
		}
	}
}

// A rowSet is a set of rows, with one bit for each row of a table. Where a set may be nil, nil
// means all rows.
type rowSet []uint64

func newRowSet(rows int) rowSet { return make(rowSet, (rows+63)/64) }

func (s rowSet) add(rows []uint32) {
	for _, row := range rows {
		s[row/64] |= 1 << (row % 64)
	}
}

// include adds or removes a row.
func (s rowSet) include(row uint32, in bool) {
	if in {
		s[row/64] |= 1 << (row % 64)
	} else {
		s[row/64] &^= 1 << (row % 64)
	}
}

func (s rowSet) has(row uint32) bool { return s[row/64]&(1<<(row%64)) != 0 }

// and returns the intersection. It changes neither set. s may be nil.
func (s rowSet) and(other rowSet) rowSet {
	if s == nil {
		return other
	}
	both := make(rowSet, len(s))
	for i := range both {
		both[i] = s[i] & other[i]
	}
	return both
}

// or adds the rows of another set.
func (s rowSet) or(other rowSet) {
	for i := range s {
		s[i] |= other[i]
	}
}

// not turns the set into its complement in a table with the given number of rows, and returns it.
func (s rowSet) not(rows int) rowSet {
	for i := range s {
		s[i] = ^s[i]
	}
	if rows%64 != 0 {
		s[rows/64] &= 1<<(rows%64) - 1
	}
	return s
}

func (s rowSet) count() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// countOf returns the number of the given rows that are in the set, which may be nil.
func (s rowSet) countOf(rows []uint32) int {
	if s == nil {
		return len(rows)
	}
	n := 0
	for _, row := range rows {
		n += int(s[row/64] >> (row % 64) & 1) // faster than a mispredicted branch
	}
	return n
}

// slice filters the given rows by the set, which may be nil, and returns the slice from:to of
// the result.
func (s rowSet) slice(rows []uint32, from, to int) []uint32 {
	if s == nil {
		return rows[from:to]
	}
	found := make([]uint32, 0, to-from)
	n := 0
	for _, row := range rows {
		if n == to {
			break
		}
		if s.has(row) {
			if n >= from {
				found = append(found, row)
			}
			n++
		}
	}
	return found
}

// all yields the rows in ascending order. The caller may remove rows that it has already got.
func (s rowSet) all() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(uint32(i*64 + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}

// A Table answers queries about snapshots. It caches the orders that queries need, both
// to sort records and to find those with a given value. It is safe for concurrent use.
type Table[R any] struct {
	fields *Fields[R]
	mu     sync.Mutex
	orders []*order[R] // the oldest first; guarded by mu

	// Sorting all rows takes memory, so requests sort by a field one at a time. Sorting by
	// several fields takes longer and has a lock of its own, so that conditions, which need orders
	// by one field, do not wait for it.
	sorting        []turns.Lock // by field
	sortingSeveral turns.Lock
}

func newTable[R any](fields *Fields[R]) *Table[R] {
	t := &Table[R]{fields: fields, sortingSeveral: turns.NewLock()}
	for range fields.list {
		t.sorting = append(t.sorting, turns.NewLock())
	}
	return t
}

// maxOrders is the number of orders that a table caches.
const maxOrders = 80

// A Page is the result of a query.
type Page[R any] struct {
	records []*R                      // of the page alone
	total   int                       // the number of records on all pages together
	version uint64                    // of the snapshot
	counts  map[string]map[string]int // by field and value, the number of records

	replaced []replacement // the words of the search that are misspelled
}

// A replacement is a word that no flat has, and similar words that flats have instead.
type replacement struct {
	Word string   `json:"word"`
	By   []string `json:"by"` // the most frequent ones
}

// find answers a query about all rows of a snapshot or, if subset is not nil, about those in
// it. Each condition yields a set of rows by binary search in the order by its field
// (matches). The page is cut from the order by the query's sort keys (order), without the
// rows outside the common set. If few rows remain, only those are sorted (sort).
func (t *Table[R]) find(work *turns.Task, s *snapshot[R], q *Query, subset rowSet) Page[R] {
	page := Page[R]{total: s.size, version: s.version, counts: map[string]map[string]int{}}
	found := subset
	toCount := slices.Repeat([]rowSet{subset}, len(q.counts)) // the rows to count by each field
	for _, c := range q.conditions {
		set := t.matches(work, s, c)
		found = found.and(set)
		for i, field := range q.counts {
			// The counts tell what choosing another value of the field would find. So they leave out the conditions
			// that choose values of the field: filter, any and not.
			choosesValue := c.field == field && c.parameter != "range" && c.parameter != "known"
			if !choosesValue {
				toCount[i] = toCount[i].and(set)
			}
		}
		work.Step(len(q.counts) * len(set)) // of a few nanoseconds each
	}
	for i, field := range q.counts {
		page.counts[t.fields.list[field].name] = t.counts(work, s, field, toCount[i], maxCountsBytes/len(q.counts))
	}
	if found != nil {
		page.total = found.count()
	}
	from, to := q.bounds(page.total)
	by := t.withFrequent(work, s, q.keys)
	var rows []uint32
	areFew := page.total < s.size/1024 // sorting them is quicker than finding them in the order of all rows
	if areFew {
		few := slices.Collect(found.all()) // found is not nil: nil stands for all rows, which are not few
		rows = t.sort(work, s, few, by).rows[from:to]
	} else {
		rows = found.slice(t.order(work, s, by).rows, from, to)
	}
	page.records = make([]*R, 0, to-from)
	for _, row := range rows {
		page.records = append(page.records, s.row(row))
	}
	return page
}

// matches returns the rows that meet a condition.
func (t *Table[R]) matches(work *turns.Task, s *snapshot[R], c condition) rowSet {
	o := t.order(work, s, []sortKey{{field: c.field}})
	set := newRowSet(s.size)
	for _, r := range c.ranges {
		rows := o.between(work, r.first, r.last)
		set.add(rows)
		work.Step(searchSteps + len(rows))
	}
	if c.negated {
		set = set.not(s.size)
	}
	work.Step(len(set))
	return set
}

// searchSteps is about the number of steps (see turns.Task.Step) of a binary search in an order.
const searchSteps = 200

const (
	maxCountedValues = 1000    // values in the counts of a field; the most frequent ones are kept
	maxCountsBytes   = 1 << 20 // bytes of the JSON of all values in an answer, because a slow client keeps them in memory
)

// counts returns the number of found rows for each value of a field. If there are too many values, it
// keeps the most frequent ones. It leaves out values whose JSON does not fit into room bytes.
func (t *Table[R]) counts(work *turns.Task, s *snapshot[R], field int, found rowSet, room int) map[string]int {
	type valueCount struct {
		row uint32 // one with the value, whose text may take much memory
		n   int    // the number of found rows with the value
	}
	o := t.order(work, s, []sortKey{{field: field}})
	var list []valueCount
	for rows := o.rows; len(rows) > 0; {
		same := o.upTo(work, rows, o.key(work, rows[0])) // the number of rows with the value of the first one
		if n := found.countOf(rows[:same]); n > 0 {
			list = append(list, valueCount{rows[0], n})
		}
		work.Step(searchSteps + same)
		rows = rows[same:]
	}
	slices.SortStableFunc(list, func(a, b valueCount) int {
		work.Step(10)
		return b.n - a.n
	})
	counts := map[string]int{}
	for _, c := range list[:min(len(list), maxCountedValues)] {
		v := t.fields.list[field].value(s.row(c.row))
		size := len(v.JSON())
		if size > room {
			continue
		}
		room -= size
		text := "null"
		if v.Known() {
			text = v.String()
		}
		counts[text] += c.n // different keys may have the same text, such as 1 and "1"
		work.Step(100)      // of a few nanoseconds each
	}
	return counts
}

// maxFrequent is the number of values of a field that an order has first, because they are the most frequent ones.
const maxFrequent = 20

// withFrequent returns the sort keys, with the most frequent values added to keys that put them first. All rows count,
// so that each page of a query has the same order.
func (t *Table[R]) withFrequent(work *turns.Task, s *snapshot[R], keys []sortKey) []sortKey {
	if !slices.ContainsFunc(keys, func(k sortKey) bool { return k.byFrequency }) {
		return keys
	}
	keys = slices.Clone(keys)
	for i, k := range keys {
		if !k.byFrequency {
			continue
		}
		counts := t.counts(work, s, k.field, nil, maxCountsBytes)
		delete(counts, "null") // sorts as in other orders
		values := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
			return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
		})
		if len(values) > 0 { // the form in which sortKey.rank looks for a value
			keys[i].mostFrequent = "\x00" + strings.Join(values[:min(len(values), maxFrequent)], "\x00") + "\x00"
		}
	}
	return keys
}

// An order contains rows of a snapshot, sorted by some keys. A cached order contains all rows.
// Rows with equal keys are ascending. An order never changes.
type order[R any] struct {
	fields   *Fields[R]
	by       []sortKey
	snapshot *snapshot[R]
	rows     []uint32
}

// order returns the order of a snapshot by the given keys. It updates the cached order of
// another snapshot, or sorts all rows if there is none or too much has changed.
func (t *Table[R]) order(work *turns.Task, s *snapshot[R], by []sortKey) *order[R] {
	old := t.cachedOrder(by)
	o := old.update(work, s, maxMoved) // nil if old is nil, too
	if o == nil {
		sorting := t.sortingSeveral
		if len(by) == 1 {
			sorting = t.sorting[by[0].field]
		}
		work.Wait(sorting)
		defer sorting.Release() // only after the order is cached
		old = t.cachedOrder(by) // another request may have sorted the rows meanwhile
		o = old.update(work, s, mostMoved(s))
	}
	if o == nil {
		rows := make([]uint32, s.size)
		for row := range rows {
			rows[row] = uint32(row)
		}
		o = t.sort(work, s, rows, by)
	}
	if o != old {
		t.replaceCached(old, o)
	}
	return o
}

// cachedOrder returns the cached order by the given keys, of any snapshot, or nil.
func (t *Table[R]) cachedOrder(by []sortKey) *order[R] {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.IndexFunc(t.orders, func(o *order[R]) bool { return slices.Equal(o.by, by) }); i >= 0 {
		return t.orders[i]
	}
	return nil
}

// replaceCached replaces a cached order, unless o is of an older snapshot. If old is nil, it adds
// o. If there are then too many orders, it removes the oldest one.
func (t *Table[R]) replaceCached(old, o *order[R]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.Index(t.orders, old)
	switch {
	case i >= 0 && o.snapshot.version >= old.snapshot.version:
		t.orders[i] = o
	case old == nil:
		t.orders = append(t.orders, o)
	}
	if len(t.orders) > maxOrders {
		t.orders = slices.Delete(t.orders, 0, 1)
	}
}

// sort returns a new order of the given rows by the given keys.
func (t *Table[R]) sort(work *turns.Task, s *snapshot[R], rows []uint32, by []sortKey) *order[R] {
	o := &order[R]{t.fields, by, s, rows}
	o.sortRows(work, rows, by, beginnings)
	return o
}

// How many bytes of a text sortRows compares.
const beginnings, wholeTexts = 32, math.MaxInt

// sortRows sorts rows of the order by the first key of by, and then each run of equal rows by the
// other keys. To save memory, it compares only the first limit bytes of texts. Runs with equal
// beginnings it sorts again by whole texts.
func (o *order[R]) sortRows(work *turns.Task, rows []uint32, by []sortKey, limit int) {
	if len(rows) < 2 || len(by) == 0 {
		return
	}
	type keyed struct {
		key key
		row uint32
	}
	// Compute keys once, not in each comparison. Copy the beginnings of texts, so that the
	// texts themselves can be freed. Exact numbers cannot be cut.
	list := make([]keyed, len(rows))
	for i, row := range rows {
		k := o.keyBy(work, by[0], o.snapshot.row(row))
		if len(k.text) > limit && k.kind != kindNumber {
			k.text = strings.Clone(k.text[:limit])
		}
		list[i] = keyed{k, row}
		work.Step(100) // of a few nanoseconds each
	}
	slices.SortFunc(list, func(a, b keyed) int {
		work.Step(10 + min(len(a.key.text), len(b.key.text))/16)
		return cmp.Or(by[0].compare(a.key, b.key), cmp.Compare(a.row, b.row))
	})
	for first, next := 0, 0; first < len(list); first = next {
		for ; next < len(list) && list[next].key == list[first].key; next++ {
			rows[next] = list[next].row
		}
		if isCut := len(list[first].key.text) == limit; isCut { // or has exactly these bytes
			o.sortRows(work, rows[first:next], by, wholeTexts)
		} else {
			o.sortRows(work, rows[first:next], by[1:], beginnings)
		}
	}
}

// dropOld drops the orders that lag so many versions that the next query may have to sort
// all rows anyway. Until then they would keep replaced records in memory.
func (t *Table[R]) dropOld(s *snapshot[R]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	most := uint64(mostMoved(s))
	t.orders = slices.DeleteFunc(t.orders, func(o *order[R]) bool { return o.snapshot.version+most < s.version })
}

// maxMoved is the number of rows that a request moves in an order even if other requests are doing so, too. To move
// more, requests wait for each other, as they do to sort all rows.
const maxMoved = 1024

// mostMoved returns the number of changed rows up to which an order is updated by moving them. Moving an eighth of the
// rows takes a third of the steps that sorting all of them takes.
func mostMoved[R any](s *snapshot[R]) int { return max(maxMoved, s.size/8) }

// update returns the order of another snapshot by the same keys. It returns nil if o is nil, or if more than most
// rows must be moved.
func (o *order[R]) update(work *turns.Task, s *snapshot[R], most int) *order[R] {
	if o == nil || o.snapshot == s {
		return o
	}
	next := &order[R]{o.fields, o.by, s, o.rows}
	var moved []uint32
	for row, r := range s.changed(o.snapshot) {
		if int(row) >= o.snapshot.size || o.compare(work, r, o.snapshot.row(row)) != 0 {
			moved = append(moved, row)
		}
		if len(moved) > most {
			return nil
		}
	}
	if len(moved) == 0 && s.size == o.snapshot.size {
		return next
	}
	movedSet := newRowSet(max(s.size, o.snapshot.size))
	movedSet.add(moved)
	rest := slices.DeleteFunc(slices.Clone(o.rows), func(row uint32) bool {
		isMissing := int(row) >= s.size // s is older than the snapshot of o
		return isMissing || movedSet.has(row)
	})
	next.sortRows(work, moved, o.by, beginnings)
	next.rows = make([]uint32, 0, s.size)
	for _, row := range moved {
		i := next.place(work, row, rest)
		next.rows = append(next.rows, rest[:i]...)
		next.rows = append(next.rows, row)
		rest = rest[i:]
	}
	next.rows = append(next.rows, rest...)
	return next
}

// place returns the number of sorted rows that stand before a row. The caller places rows in ascending order, and each
// time cuts off the sorted rows before. So the place is likely to be near the start: place looks at sorted rows at
// doubling distances, until one stands after the row, and then searches between the last two.
func (o *order[R]) place(work *turns.Task, row uint32, sorted []uint32) int {
	keys := make([]key, len(o.by))
	for i, k := range o.by {
		keys[i] = o.keyBy(work, k, o.snapshot.row(row))
	}
	isBefore := func(other uint32) bool {
		work.Step(100) // for the keys, in steps of a few nanoseconds
		for i, k := range o.by {
			if c := k.compare(o.keyBy(work, k, o.snapshot.row(other)), keys[i]); c != 0 {
				return c < 0
			}
		}
		return other < row
	}
	from, to := 0, 1 // the place is one of these or between them
	for to < len(sorted) && isBefore(sorted[to]) {
		from, to = to, 2*to
	}
	to = min(to, len(sorted))
	return from + sort.Search(to-from, func(i int) bool { return !isBefore(sorted[from+i]) })
}

// compare compares two records by the keys of the order.
func (o *order[R]) compare(work *turns.Task, a, b *R) int {
	work.Step(100) // for the keys, in steps of a few nanoseconds
	for _, k := range o.by {
		if c := k.compare(o.keyBy(work, k, a), o.keyBy(work, k, b)); c != 0 {
			return c
		}
	}
	return 0
}

// keyBy returns the key of a record in an order by a sort key.
func (o *order[R]) keyBy(work *turns.Task, by sortKey, r *R) key {
	return by.rank(work, o.fields.list[by.field].key(work, r))
}

// between returns the rows with keys from first to last. The order must be ascending by
// one field.
func (o *order[R]) between(work *turns.Task, first, last key) []uint32 {
	compare := func(row uint32, k key) int { return o.key(work, row).compare(k) }
	from, _ := slices.BinarySearchFunc(o.rows, first, compare)
	return o.rows[from : from+o.upTo(work, o.rows[from:], last)]
}

// upTo returns the number of leading rows with keys up to last. The order must be
// ascending by one field.
func (o *order[R]) upTo(work *turns.Task, rows []uint32, last key) int {
	n, _ := slices.BinarySearchFunc(rows, last, func(row uint32, k key) int {
		return cmp.Or(o.key(work, row).compare(k), -1) // an equal key counts as smaller, so that the search goes on after it
	})
	return n
}

// key returns the key of a row in an order by one field.
func (o *order[R]) key(work *turns.Task, row uint32) key {
	return o.fields.list[o.by[0].field].key(work, o.snapshot.row(row))
}
