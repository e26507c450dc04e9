// Columns: tables of mails in which the cards are columns, row by row.

package listing

import (
	"cmp"
	"maps"
	"slices"

	"flats/internal/turns"
)

// A contents is the set of things that a leaf or a cell holds, or that each cell of a row holds.
type contents uint8

const (
	holdsImage contents = 1 << iota
	holdsCost
	holdsSize
	holdsText
	holdsLink
)

// contentsOf returns what a leaf holds. A line of more than 2*longestFact bytes is too long for a fact, at least in
// scripts with one or two bytes per letter.
func contentsOf(l *leaf) (held contents) {
	if l.isImage {
		return holdsImage
	}
	held = holdsText
	if len(l.links) > 0 {
		held |= holdsLink
	}
	if !hasDigit(l.text) || len(l.text) > 2*longestFact {
		return held
	}
	for _, a := range amountsIn(nil, l.text) {
		switch {
		case a.sign != "" && a.unit == noUnit:
			held |= holdsCost
		case a.unit == squareMetres || a.unit == squareFeet || a.unit == roomCount || a.unit == bedroomCount:
			held |= holdsSize
		}
	}
	return held
}

// A tableCells tells what the cells of a table hold, and which leaves are in the table.
type tableCells struct {
	start, end int                      // the leaves of the table are leaves[start:end]
	rows       map[int]map[int]contents // by row and column
}

func (t *tableCells) add(c *cell, held contents) {
	if t.rows[c.row] == nil {
		t.rows[c.row] = map[int]contents{}
	}
	t.rows[c.row][c.col] |= held
}

// heldByAll returns what each cell of a row holds, and the number of cells.
func (t *tableCells) heldByAll(row int) (held contents, cells int) {
	held = ^contents(0) // everything
	for _, ofCell := range t.rows[row] {
		held &= ofCell
	}
	return held, len(t.rows[row])
}

// hasCardColumns reports whether the cards of a table are its columns: each cell of one row has a cost, each cell of
// another row a photo or a link, and the cells of no row are whole cards.
func (t *tableCells) hasCardColumns() bool {
	hasRowOfCosts, hasRowOfPhotos := false, false // or of links
	for row := range t.rows {
		held, cells := t.heldByAll(row)
		if cells < 2 {
			continue
		}
		haveCosts, haveSizes := held&holdsCost != 0, held&holdsSize != 0
		havePhotos := held&(holdsImage|holdsLink) != 0
		switch {
		case haveCosts && haveSizes && havePhotos: // each cell is a whole card
			return false
		case haveCosts:
			hasRowOfCosts = true
		case havePhotos:
			hasRowOfPhotos = true
		}
	}
	return hasRowOfCosts && hasRowOfPhotos
}

// within returns the cell of a table that is c or that contains c, or nil.
func (c *cell) within(table *grid) *cell {
	for c != nil && c.table != table {
		c = c.parent
	}
	return c
}

// blocks returns the block of each row, counted from 0. A block is a row of cards: for example a row of photos and the
// row of prices below it. A row with the same contents as the first row of the first block begins the next block.
func (t *tableCells) blocks(table *grid) map[int]int {
	blocks := map[int]int{} // by row
	block := 0
	var first contents                       // of the first row with an image, a cost or a link
	for row := 0; row <= table.rows; row++ { // rows count from 1; cells before the first <tr> are in row 0
		held, cells := t.heldByAll(row)
		if cells == 0 {
			continue
		}
		held &= holdsImage | holdsCost | holdsLink
		if first == 0 {
			first = held
		} else if first == held {
			block++
		}
		blocks[row] = block
	}
	return blocks
}

// transpose puts the leaves of the table in the order of its cards: block by block, and in a block column by column. It
// sets their closeness as if the cards were elements of the table, and the rows elements of the cards.
func (t *tableCells) transpose(leaves []leaf, table *grid) {
	type slot struct{ block, col, row int }
	type placedLeaf struct {
		leaf
		slot
	}
	blocks := t.blocks(table)
	var placed []placedLeaf
	last := slot{}
	for _, l := range leaves[t.start:t.end] {
		if c := l.cell.within(table); c != nil { // a text between cells stays after the cell before it
			last = slot{blocks[c.row], c.col, c.row}
		}
		placed = append(placed, placedLeaf{l, last})
	}
	slices.SortStableFunc(placed, func(a, b placedLeaf) int {
		return cmp.Or(cmp.Compare(a.block, b.block), cmp.Compare(a.col, b.col), cmp.Compare(a.row, b.row))
	})
	for i := range placed {
		leaves[t.start+i] = placed[i].leaf
		if i == 0 {
			continue
		}
		above, here := placed[i-1].slot, placed[i].slot
		switch {
		case above.block != here.block || above.col != here.col:
			leaves[t.start+i].closeness = closenessOf(table.depth, ruleSeparator)
		case above.row != here.row:
			leaves[t.start+i].closeness = closenessOf(table.depth+1, blockSeparator)
		}
	}
}

// A labelRow is a row of a table that may have the labels of other rows.
type labelRow struct {
	texts   map[int]string // by column
	leaves  int
	labels  int // leaves that isLabel knows as labels
	numbers int // leaves with a digit
	costs   int // leaves with a cost

	hasOther bool // a cell is no label: it has an image, a link, several lines or a long one
}

// isOfLabels reports whether a row has the labels of the rows below: at least half of its cells are known labels, or
// the row below has as many cells, with costs and other numbers.
func (r *labelRow) isOfLabels(below *labelRow) bool {
	if r.hasOther || r.numbers > 0 || r.leaves < 2 {
		return false
	}
	hasKnownLabels := 2*r.labels >= r.leaves
	isAboveFacts := below != nil && len(below.texts) == len(r.texts) && below.costs > 0 && below.numbers > below.costs
	return hasKnownLabels || r.leaves > 2 && isAboveFacts
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
	labelsAbove := map[*grid]*labelRow{} // the last row of labels of each table
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
		belowIsLast := rows[slot{c.table, c.row + 2}] == nil
		if head == nil && belowIsLast && below != nil && below.isOfLabels(nil) {
			head = below
		}
		if head != nil && hasDigit(leaves[i].text) && len(head.texts) == len(row.texts) {
			heads[i] = head.texts[c.col]
		}
	}
	return heads
}

// add counts a leaf of one of the row's cells, and keeps its text. Of a cell with several leaves it keeps only the text
// of the last one. No text of such a row is used, because it has no labels (hasOther).
func (r *labelRow) add(l *leaf) {
	const longestHead = 60 // bytes of the head of a column
	_, isSecondOfCell := r.texts[l.cell.col]
	isOther := isSecondOfCell || l.isImage || len(l.links) > 0 || len(l.text) > longestHead
	r.texts[l.cell.col] = l.text
	r.leaves++
	r.hasOther = r.hasOther || isOther
	r.labels += boolInt(isLabel(l.text))
	if hasDigit(l.text) {
		r.numbers++
		r.costs += boolInt(contentsOf(l)&holdsCost != 0)
	}
}

const longestTableLabel = 30 // letters of a label in a table of a mail

// labelsOf maps the index of a leaf to the index of its label, in tables of two columns: labels and values. In such a
// table no label has a number, a link or many letters, and at least two values have numbers. A table with a value that
// has a cost and a size, or is a link with a number, does not count: its left column has the names of homes.
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
		numbers := 0       // values with a number
		isOfLabels := true // so far
		for _, row := range table {
			if len(row) != 2 || leaves[row[0]].cell == leaves[row[1]].cell {
				continue
			}
			label, value := &leaves[row[0]], &leaves[row[1]]
			mayBeLabel := !label.isImage && len(label.links) == 0 && !hasDigit(label.text) &&
				runeCount(label.text) <= longestTableLabel
			const costAndSize = holdsCost | holdsSize
			isOfHome := contentsOf(value)&costAndSize == costAndSize || value.isLinked && hasDigit(value.text)
			isOfLabels = isOfLabels && mayBeLabel && !value.isImage && !isOfHome
			numbers += boolInt(hasDigit(value.text))
			ofTable[row[1]] = row[0]
		}
		if isOfLabels && numbers > 1 {
			maps.Copy(labels, ofTable)
		}
	}
	return labels
}

// byColumns puts leaves in the order of cards, and returns them: tables whose cards are columns are read column by
// column.
func byColumns(work *turns.Task, leaves []leaf) []leaf {
	tables := map[*grid]*tableCells{}
	order := []*grid{} // as the tables begin; of those that begin with one leaf, the inner ones come first
	for i := range leaves {
		work.Step(4 + len(leaves[i].text))
		held := contentsOf(&leaves[i])
		for c, depth := leaves[i].cell, 0; c != nil && depth < maxTables; c, depth = c.parent, depth+1 {
			t := tables[c.table]
			if t == nil {
				t = &tableCells{start: i, rows: map[int]map[int]contents{}}
				tables[c.table] = t
				order = append(order, c.table)
			}
			t.end = i + 1
			t.add(c, held)
		}
	}
	end := 0 // of the last table that was transposed; tables that overlap with it stay as they are
	for _, table := range order {
		if t := tables[table]; t.start >= end && t.hasCardColumns() {
			t.transpose(leaves, table)
			end = t.end
		}
	}
	return leaves
}

const maxTables = 8 // tables around a leaf that may be transposed, counted from the innermost
