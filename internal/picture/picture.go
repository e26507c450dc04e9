// Package picture tells whether two files show the same picture, although sites scale what they show and encode it
// anew.
//
// The [Print] of a picture is what remains of it in any size and quality. A grid of 9 by 9 cells is laid over the
// picture. For each cell but those at the right and lower edge the print has two bits: whether the cell is darker than
// its neighbour to the right, and than the one below. Two prints of one picture differ in few bits, and prints of two
// pictures in about half of them.
//
// A picture without structure, such as a logo on white or one colour, has no print: it would be like many others. What
// cannot be decoded (WebP, damaged files, and pictures with more than maxPixels) is compared by its bytes.
package picture

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"image"
	"image/color"
	_ "image/jpeg" // registers the format
	_ "image/png"  // registers the format
	"io"
	"math/bits"
)

const (
	// maxPixels is the number of pixels above which a picture is not decoded. A JPEG in parts (progressive) takes up to
	// 19 bytes of memory for each.
	maxPixels = 6 << 20
	// maxFlips is the number of bits in which two prints of one picture may differ. In the drawn rooms of the tests, they
	// differ in at most 3 bits, and prints of two rooms in 25 or more.
	maxFlips = 6

	maxScans = 50      // parts of a JPEG that is decoded: each takes as long as all of its pixels
	minSide  = 100     // pixels of each side: smaller pictures are icons
	minBytes = 8 << 10 // of a file that is compared by its bytes: smaller ones are icons and drawings
	minStep  = 2.0     // of 255: a difference of brightness that any quality shows
	// minSteps is the number of differences of a print, of 128, that must be at least minStep. With 60, a shade with noise
	// has a print; with 110, some rooms have none.
	minSteps = 80

	// minEither is the number of the 64 bits of a direction that must be set, and of those that must not be, for it to
	// have structure: see isShade.
	minEither = 4

	cells   = 9  // of the grid, in each direction
	samples = 32 // pixels of a cell that are looked at, in each direction: with 8, noise changes prints
)

// A Print is what remains of a picture in any size and quality. The zero value means that the picture has none.
// Prints may be compared with ==, and be keys of maps.
type Print struct {
	kind        byte   // 0 for none, ofPixels or ofBytes; in a part of a print, its place from 1 on: see Bands
	right, down uint64 // the bits of all cells, to the right and down; of bytes, halves of a hash
}

const (
	ofPixels = '~'
	ofBytes  = '='
)

// Of returns the print of a file: of its bytes if it cannot be decoded, and none if it is as small as an icon or has no
// structure. While it decodes, it calls worked, which must not be nil, with the number of bytes of each read.
func Of(file []byte, worked func(bytes int)) Print {
	config, format, err := image.DecodeConfig(bytes.NewReader(file))
	isOtherFormat := format != "jpeg" && format != "png"
	isCMYK := config.ColorModel == color.CMYKModel // takes more memory than others
	isLarge := int64(config.Width)*int64(config.Height) > maxPixels
	// In the data of a JPEG the two bytes that begin a part stand nowhere else.
	hasManyScans := format == "jpeg" && bytes.Count(file, []byte{0xff, 0xda}) > maxScans
	if err != nil || isOtherFormat || isCMYK || isLarge || hasManyScans {
		return printOfBytes(file)
	}
	if config.Width < minSide || config.Height < minSide {
		return Print{}
	}
	picture, _, err := image.Decode(&meter{bytes.NewReader(file), worked})
	if err != nil {
		return printOfBytes(file)
	}
	return printOfPixels(picture)
}

// A meter tells worked how many bytes each read has returned.
type meter struct {
	io.Reader
	worked func(bytes int)
}

func (m *meter) Read(b []byte) (int, error) {
	n, err := m.Reader.Read(b)
	m.worked(n)
	return n, err
}

func printOfBytes(file []byte) Print {
	if len(file) < minBytes {
		return Print{}
	}
	sum := sha256.Sum256(file)
	return Print{ofBytes, binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16])}
}

func printOfPixels(picture image.Image) Print {
	p := Print{kind: ofPixels}
	grid := brightness(picture)
	steps := 0                                      // differences of at least minStep
	addBit := func(set *uint64, from, to float64) { // sets the bit if the cell from is darker than its neighbour to
		*set <<= 1
		if from < to {
			*set |= 1
		}
		if from-to >= minStep || to-from >= minStep {
			steps++
		}
	}
	for y := range cells - 1 {
		for x := range cells - 1 {
			addBit(&p.right, grid[y][x], grid[y][x+1])
			addBit(&p.down, grid[y][x], grid[y+1][x])
		}
	}
	if steps < minSteps || isShade(p.right) && isShade(p.down) {
		return Print{}
	}
	return p
}

// isShade reports whether a picture only becomes brighter, or only darker, in a direction: nearly all bits are equal.
func isShade(set uint64) bool {
	ones := bits.OnesCount64(set)
	return ones < minEither || 64-ones < minEither
}

// brightness returns the mean brightness of each cell of a picture, from 0 to 255.
func brightness(picture image.Image) (grid [cells][cells]float64) {
	const across = cells * samples // lines and columns that are looked at
	bounds := picture.Bounds()
	for i := range across {
		for j := range across {
			x := bounds.Min.X + (2*j+1)*bounds.Dx()/(2*across)
			y := bounds.Min.Y + (2*i+1)*bounds.Dy()/(2*across)
			gray := color.Gray16Model.Convert(picture.At(x, y)).(color.Gray16)
			const levels = 65535 / 255 // of Gray16 for a level from 0 to 255
			grid[i/samples][j/samples] += float64(gray.Y) / (levels * samples * samples)
		}
	}
	return grid
}

// IsLike reports whether two pictures are one: both have a print, and these differ in no more than maxFlips bits.
func (p Print) IsLike(other Print) bool {
	if p.kind != ofPixels { // bytes are equal or not
		return p == other && p.kind != 0
	}
	flips := bits.OnesCount64(p.right^other.right) + bits.OnesCount64(p.down^other.down)
	return other.kind == ofPixels && flips <= maxFlips
}

// Bands returns parts of a print, each with its place. Two prints that are like one another have a part in common: at
// most maxFlips bits differ, so that at least one of maxFlips+1 parts has none of them. A picture without a print has
// no parts.
func (p Print) Bands() []Print {
	if p.kind == 0 {
		return nil
	}
	if p.kind == ofBytes {
		return []Print{p}
	}
	const bands = maxFlips + 1
	list := make([]Print, bands)
	for i := range 64 { // the bits take turns among the parts, one to the right and one down
		list[2*i%bands].right |= p.right & (1 << i)
		list[(2*i+1)%bands].down |= p.down & (1 << i)
	}
	for i := range list {
		list[i].kind = byte(i + 1) // its place
	}
	return list
}

// String returns a print as a text, "-" for none.
func (p Print) String() string {
	if p.kind == 0 {
		return "-"
	}
	text := binary.BigEndian.AppendUint64(nil, p.right)
	return string(p.kind) + hex.EncodeToString(binary.BigEndian.AppendUint64(text, p.down))
}

// Parse returns the print of a text that String has returned.
func Parse(text string) (p Print, ok bool) {
	if text == "-" {
		return Print{}, true
	}
	const length = 1 + 2*16 // the kind, and 16 bytes in hex
	if len(text) != length || text[0] != ofPixels && text[0] != ofBytes {
		return Print{}, false
	}
	raw, err := hex.DecodeString(text[1:])
	if err != nil {
		return Print{}, false
	}
	return Print{text[0], binary.BigEndian.Uint64(raw[:8]), binary.BigEndian.Uint64(raw[8:])}, true
}
