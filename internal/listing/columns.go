// Columns: tables of mails in which the cards are columns, row by row.

package listing

import (
	"cmp"
	"maps"
	"slices"

	"flats/internal/turns"
)

// A rowKind is a set of things that a leaf or a cell holds, or that each cell of a row holds.
type rowKind uint8

const (
	holdsImage rowKind = 1 << iota
	holdsCost
	holdsSize
	holdsText
	holdsLink
)

// kindOfLeaf returns what a leaf holds.
func kindOfLeaf(l *leaf) (kind rowKind) {
	if l.isImage {
		return holdsImage
	}
	if len(l.links) > 0 {
		kind |= holdsLink
	}
	if !hasDigit(l.text) || len(l.text) > 2*longestFact {
		return kind | holdsText
	}
	for _, a := range amountsIn(nil, l.text) {
		switch {
		case a.sign != "" && a.unit == noUnit:
			kind |= holdsCost
		case a.unit == squareMetres || a.unit == squareFeet || a.unit == roomCount || a.unit == bedroomCount:
			kind |= holdsSize
		}
	}
	return kind | holdsText
}

// A tableCells tells what the cells of a table hold, and which leaves are in the table.
type tableCells struct {
	start, end int                     // the leaves of the table are leaves[start:end]
	rows       map[int]map[int]rowKind // by row and column
}

func (t *tableCells) add(c *cell, kind rowKind) {
	if t.rows[c.row] == nil {
		t.rows[c.row] = map[int]rowKind{}
	}
	t.rows[c.row][c.col] |= kind
}

// common returns what all cells of a row hold, and the number of cells.
func (t *tableCells) common(row int) (kind rowKind, cells int) {
	kind = ^rowKind(0) // everything
	for _, k := range t.rows[row] {
		kind &= k
	}
	return kind, len(t.rows[row])
}

// hasCardColumns reports whether the cards of a table are its columns: each cell of one row has a cost, each cell of
// another row a photo or a link, and the cells of no row are whole cards.
func (t *tableCells) hasCardColumns() bool {
	hasCost, hasOther := false, false
	for row := range t.rows {
		kind, cells := t.common(row)
		if cells < 2 {
			continue
		}
		if kind&holdsCost != 0 {
			if isCard := kind&holdsSize != 0 && kind&(holdsImage|holdsLink) != 0; isCard {
				return false
			}
			hasCost = true
		} else if kind&(holdsImage|holdsLink) != 0 {
			hasOther = true
		}
	}
	return hasCost && hasOther
}

// within returns the cell of a table that is c, or that c is in, or nil.
func (c *cell) within(table *grid) *cell {
	for c != nil && c.table != table {
		c = c.parent
	}
	return c
}

// transpose puts the leaves of the table in the order of its columns. A row of the kind of the first one begins another
// block of rows, with the next cards.
func (t *tableCells) transpose(leaves []leaf, table *grid) {
	type slot struct{ block, col, row int }
	var first rowKind // of the first row with an image, a cost or a link
	block := 0
	blocks := map[int]int{}                  // by row
	for row := 0; row <= table.rows; row++ { // rows count from 1; cells before the first <tr> are in row 0
		kind, cells := t.common(row)
		if cells == 0 {
			continue
		}
		kind &= holdsImage | holdsCost | holdsLink
		if first == 0 {
			first = kind
		} else if first == kind {
			block++
		}
		blocks[row] = block
	}
	type placed struct {
		leaf
		slot
	}
	var part []placed
	last := slot{}
	for _, l := range leaves[t.start:t.end] {
		if c := l.cell.within(table); c != nil { // a text between cells stays after the cell before it
			last = slot{blocks[c.row], c.col, c.row}
		}
		part = append(part, placed{l, last})
	}
	slices.SortStableFunc(part, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.block, b.block), cmp.Compare(a.col, b.col), cmp.Compare(a.row, b.row))
	})
	for i := range part {
		leaves[t.start+i] = part[i].leaf
		if i == 0 {
			continue
		}
		before, here := part[i-1].slot, part[i].slot
		gap := &leaves[t.start+i].gap
		switch {
		case before.block != here.block || before.col != here.col:
			*gap = gapOf(table.depth, gapRule)
		case before.row != here.row:
			*gap = gapOf(table.depth+1, gapBlock)
		}
	}
}

// A labelRow is a row of a table that may have the labels of other rows.
type labelRow struct {
	texts   map[int]string // by column
	cells   int
	labels  int  // cells that are known labels
	numbers int  // cells with a digit
	costs   int  // cells with a cost
	isOther bool // it is no row of labels: a cell has an image, a link, several lines or a long one
}

// isOfLabels reports whether a row has the labels of the rows below: half of its cells are known labels, or the row
// below has as many cells, with costs and other numbers.
func (r *labelRow) isOfLabels(below *labelRow) bool {
	if r.isOther || r.numbers > 0 || r.cells < 2 {
		return false
	}
	isAboveFacts := below != nil && len(below.texts) == len(r.texts) && below.costs > 0 && below.numbers > below.costs
	return 2*r.labels >= r.cells || r.cells > 2 && isAboveFacts
}

// headsOf returns the labels of leaves with numbers, by the indexes of the leaves. It takes them from the last row of
// labels above, or else from the row below if that ends the table.
func headsOf(leaves []leaf) map[int]string {
	type slot struct {
		table *grid
		row   int
	}
	rows := map[slot]*labelRow{}
	for i := range leaves {
		l := &leaves[i]
		if l.cell == nil {
			continue
		}
		at := slot{l.cell.table, l.cell.row}
		if rows[at] == nil {
			rows[at] = &labelRow{texts: map[int]string{}}
		}
		rows[at].add(l)
	}
	heads := map[int]string{}
	labelsAbove := map[*grid]*labelRow{} // the last row of labels
	for i := range leaves {
		c := leaves[i].cell
		if c == nil {
			continue
		}
		row := rows[slot{c.table, c.row}]
		below := rows[slot{c.table, c.row + 1}]
		if row.isOfLabels(below) {
			labelsAbove[c.table] = row
			continue
		}
		head := labelsAbove[c.table]
		if head == nil && rows[slot{c.table, c.row + 2}] == nil && below != nil && below.isOfLabels(nil) {
			head = below // the table ends with its labels
		}
		if head != nil && hasDigit(leaves[i].text) && len(head.texts) == len(row.texts) {
			heads[i] = head.texts[c.col]
		}
	}
	return heads
}

// add counts a leaf of one of the row's cells, and keeps its text.
func (r *labelRow) add(l *leaf) {
	_, isSecond := r.texts[l.cell.col]
	r.texts[l.cell.col] = l.text
	r.cells++
	r.labels += boolInt(isLabel(l.text))
	const longestHead = 60 // bytes
	r.isOther = r.isOther || isSecond || l.isImage || len(l.links) > 0 || len(l.text) > longestHead
	if hasDigit(l.text) {
		r.numbers++
		r.costs += boolInt(kindOfLeaf(l)&holdsCost != 0)
	}
}

const longestTableLabel = 30 // letters of a label in a table of a mail

// labelsOf maps the index of a leaf to the index of its label, in tables of two columns, labels and values. The left
// column of such a table has no numbers, and the right one has some.
func labelsOf(leaves []leaf) map[int]int {
	rows := map[*grid]map[int][]int{} // the leaves of each row of a table
	for i, l := range leaves {
		if c := l.cell; c != nil {
			if rows[c.table] == nil {
				rows[c.table] = map[int][]int{}
			}
			rows[c.table][c.row] = append(rows[c.table][c.row], i)
		}
	}
	labels := map[int]int{}
	for _, table := range rows {
		ofTable := map[int]int{}
		numbers, isOther := 0, false // values with a number; the table is not one of labels and values
		for _, row := range table {
			if len(row) != 2 || leaves[row[0]].cell == leaves[row[1]].cell {
				continue
			}
			label, value := &leaves[row[0]], &leaves[row[1]]
			isOther = isOther || label.isImage || value.isImage || len(label.links) > 0 || hasDigit(label.text) ||
				runeCount(label.text) > longestTableLabel
			const costAndSize = holdsCost | holdsSize
			isOther = isOther || kindOfLeaf(value)&costAndSize == costAndSize || value.isLinked && hasDigit(value.text)
			numbers += boolInt(hasDigit(value.text))
			ofTable[row[1]] = row[0]
		}
		if !isOther && numbers > 1 {
			maps.Copy(labels, ofTable)
		}
	}
	return labels
}

// byColumns returns the leaves in the order of cards: tables whose cards are columns are read column by column.
func byColumns(work *turns.Task, leaves []leaf) []leaf {
	tables := map[*grid]*tableCells{}
	order := []*grid{}
	for i := range leaves {
		work.Step(4 + len(leaves[i].text))
		kind := kindOfLeaf(&leaves[i])
		for c, depth := leaves[i].cell, 0; c != nil && depth < maxTables; c, depth = c.parent, depth+1 {
			t := tables[c.table]
			if t == nil {
				t = &tableCells{start: i, rows: map[int]map[int]rowKind{}}
				tables[c.table] = t
				order = append(order, c.table)
			}
			t.end = i + 1
			t.add(c, kind)
		}
	}
	end := 0 // of the last table that was transposed
	for _, table := range order {
		if t := tables[table]; t.start >= end && t.hasCardColumns() {
			t.transpose(leaves, table)
			end = t.end
		}
	}
	return leaves
}

const maxTables = 8 // tables in tables of a mail that may be transposed, from the inside
