// The prints of the kept photos, which tell whether two photos with different URLs show one picture. The print of a
// picture is a fingerprint of its content, in any size and quality (see picture.Print).

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
	maxFirsts     = 50                  // pictures that a photo is compared with for each part of its print
	maxPrints     = 20_000              // kept photos that are compared
	maxPrintsFile = 100*maxPrints + 100 // bytes of photos/prints: 99 for each photo, and the head

	printsBase = "prints"
	printsHead = "prints 1 " // followed by the SHA-256 of the lines, in hex
)

// photoPrints are the prints of kept photos, by the hashes that name their files.
type photoPrints map[string]picture.Print

// text returns the prints as a file: a line with a checksum, then a line for each print.
func (p photoPrints) text() string {
	var lines strings.Builder
	for _, hash := range slices.Sorted(maps.Keys(p)) {
		fmt.Fprintf(&lines, "%s %s\n", hash, p[hash])
	}
	return fmt.Sprintf("%s%x\n%s", printsHead, sha256.Sum256([]byte(lines.String())), lines.String())
}

// parsePrints returns the prints in a text that photoPrints.text has made. It returns none for any other text, such as
// a damaged one or one of another version: then the prints are made anew.
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

// A pictureList has the number of the picture that each kept photo shows, by the hash of the photo. It never changes.
type pictureList struct{ numbers map[string]int }

// pictures returns the number of the picture that each photo with a print shows. A photo shows a known picture if its
// print is like that of the picture's first photo, or else a new one. Two prints that are alike have at least one of
// their bands in common, so only prints with a common band are compared.
func (p photoPrints) pictures(work *turns.Task) *pictureList {
	numbers := make(map[string]int, len(p))
	var firsts []picture.Print          // by number, the print of the first photo of a picture
	byBand := map[picture.Print][]int{} // the numbers of pictures whose first print has the band
	for _, hash := range slices.Sorted(maps.Keys(p)) {
		print := p[hash]
		bands := print.Bands()
		work.Step(100 * len(bands)) // for finding and filling the lists in byBand, in steps of a few nanoseconds
		number := -1                // of no picture yet
		for _, band := range bands {
			work.Step(len(byBand[band])) // for the comparisons
			at := slices.IndexFunc(byBand[band], func(i int) bool { return firsts[i].IsLike(print) })
			if at >= 0 {
				number = byBand[band][at]
				break
			}
		}
		hasPrint := len(bands) > 0
		if number < 0 && hasPrint {
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
