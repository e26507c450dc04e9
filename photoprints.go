// The prints of the kept photos, which tell whether two photos with other URLs show one picture.

package main

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"flats/internal/picture"
	"flats/internal/turns"
)

const (
	maxFirsts     = 50                  // pictures with one band that others are compared with
	maxPrints     = 20_000              // kept photos that are compared
	maxPrintsFile = 100*maxPrints + 100 // bytes of photos/prints: 99 for each photo, and the head

	printsBase = "prints"
	printsHead = "prints 1 " // followed by the SHA-256 of the lines, in hex
)

// photoPrints are the prints of kept photos, by the hashes that name their files.
type photoPrints map[string]picture.Print

// text returns the prints as a file: a line for each, after one by which a damaged file is known.
func (p photoPrints) text() string {
	var lines strings.Builder
	for _, hash := range slices.Sorted(maps.Keys(p)) {
		fmt.Fprintf(&lines, "%s %s\n", hash, p[hash])
	}
	return fmt.Sprintf("%s%x\n%s", printsHead, sha256.Sum256([]byte(lines.String())), lines.String())
}

// parsePrints returns the prints in a text of photoPrints.text. Any other text, such as a damaged one or one of another
// version, has none: they are made anew.
func parsePrints(text string) photoPrints {
	p := photoPrints{}
	head, lines, _ := strings.Cut(text, "\n")
	if head != fmt.Sprintf("%s%x", printsHead, sha256.Sum256([]byte(lines))) {
		return p
	}
	for line := range strings.Lines(lines) {
		hash, print, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if parsed, ok := picture.Parse(print); ok && len(p) < maxPrints {
			p[hash] = parsed
		}
	}
	return p
}

// A pictureList has the numbers of the pictures that kept photos show, by the hashes of these. It never changes.
type pictureList struct{ numbers map[string]int }

// numbered gives each photo that has a print the number of its picture. Photos that are like the first photo of a
// picture show it, too.
func (p photoPrints) numbered(work *turns.Task) *pictureList {
	numbers := make(map[string]int, len(p))
	var firsts []picture.Print
	byBand := map[picture.Print][]int{}
	for _, hash := range slices.Sorted(maps.Keys(p)) {
		print := p[hash]
		bands := print.Bands()
		work.Step(100 * len(bands))
		number := -1
		for _, band := range bands {
			work.Step(len(byBand[band]))
			at := slices.IndexFunc(byBand[band], func(i int) bool { return firsts[i].IsLike(print) })
			if at >= 0 {
				number = byBand[band][at]
				break
			}
		}
		if number < 0 && len(bands) > 0 {
			number = len(firsts)
			firsts = append(firsts, print)
			for _, band := range bands {
				if len(byBand[band]) < maxFirsts {
					byBand[band] = append(byBand[band], number)
				}
			}
		}
		if number >= 0 {
			numbers[hash] = number
		}
	}
	return &pictureList{numbers}
}
