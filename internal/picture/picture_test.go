// Tests of picture.go.

package picture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// A scene is a drawn room: its colour at each point of a picture, from 0 to 1 in both directions.
type scene func(x, y float64) (r, g, b float64)

// newScene draws a room: walls, a floor and a window that shed light, and furniture.
func newScene(seed uint64) scene {
	random := rand.New(rand.NewPCG(seed, 1))
	corner, floor := 0.2+0.6*random.Float64(), 0.5+0.35*random.Float64()
	lampX, lampY := random.Float64(), 0.6*random.Float64()
	type thing struct{ left, top, right, bottom, r, g, b float64 }
	var things []thing
	for range 6 + random.IntN(10) {
		x, y := random.Float64(), 0.15+0.85*random.Float64()
		w, h := 0.05+0.3*random.Float64(), 0.05+0.3*random.Float64()
		shade := 0.1 + 0.8*random.Float64()
		things = append(things, thing{x - w/2, y - h/2, x + w/2, y + h/2, shade, shade * random.Float64(),
			shade * random.Float64()})
	}
	return func(x, y float64) (r, g, b float64) {
		r, g, b = 0.8, 0.78, 0.72
		if x > corner {
			r, g, b = 0.65, 0.64, 0.6
		}
		if y > floor+0.1*math.Abs(x-corner) {
			r, g, b = 0.5, 0.35, 0.2
		}
		for _, t := range things {
			if x > t.left && x < t.right && y > t.top && y < t.bottom {
				r, g, b = t.r, t.g, t.b
			}
		}
		light := 0.45 + 0.55*math.Exp(-3*((x-lampX)*(x-lampX)+(y-lampY)*(y-lampY)))
		return r * light, g * light, b * light
	}
}

// cropped leaves out a part of each edge.
func (s scene) cropped(part float64) scene {
	return func(x, y float64) (r, g, b float64) { return s(part+x*(1-2*part), part+y*(1-2*part)) }
}

// brighter makes a scene brighter or darker.
func (s scene) brighter(factor float64) scene {
	return func(x, y float64) (r, g, b float64) {
		r, g, b = s(x, y)
		return math.Min(1, r*factor), math.Min(1, g*factor), math.Min(1, b*factor)
	}
}

// marked puts a site's mark in a corner.
func (s scene) marked() scene {
	return func(x, y float64) (r, g, b float64) {
		if x > 0.8 && x < 0.97 && y > 0.9 && y < 0.97 {
			return 0.95, 0.95, 0.95
		}
		return s(x, y)
	}
}

// draw draws a scene in a size, with some noise, from 0 to 255.
func (s scene) draw(w, h int, noise float64) image.Image {
	random := rand.New(rand.NewPCG(uint64(w), uint64(h)))
	picture := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			r, g, b := s((float64(x)+0.5)/float64(w), (float64(y)+0.5)/float64(h))
			n := noise * random.NormFloat64()
			level := func(v float64) uint8 { return uint8(math.Max(0, math.Min(255, 255*v+n))) }
			picture.SetRGBA(x, y, color.RGBA{level(r), level(g), level(b), 255})
		}
	}
	return picture
}

func asJPEG(picture image.Image, quality int) []byte {
	var b bytes.Buffer
	jpeg.Encode(&b, picture, &jpeg.Options{Quality: quality})
	return b.Bytes()
}

func asPNG(picture image.Image) []byte {
	var b bytes.Buffer
	png.Encode(&b, picture)
	return b.Bytes()
}

func printOf(file []byte) Print { return Of(file, func(int) {}) }

// flips returns the number of bits in which two prints differ.
func flips(a, b Print) int {
	return bits.OnesCount64(a.right^b.right) + bits.OnesCount64(a.down^b.down)
}

// Prints of a photo are alike in other sizes, qualities and formats, with noise, a mark, or a narrow crop.
func TestIsLike(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		s := newScene(seed)
		original := printOf(asJPEG(s.draw(360, 270, 2), 90))
		if original == (Print{}) {
			t.Fatalf("room %d has no print", seed)
		}
		for what, file := range map[string][]byte{
			"small":       asJPEG(s.draw(160, 120, 2), 85),
			"low quality": asJPEG(s.draw(360, 270, 2), 30),
			"small, low":  asJPEG(s.draw(160, 120, 3), 40),
			"PNG":         asPNG(s.draw(240, 180, 0)),
			"noise":       asJPEG(s.draw(240, 180, 12), 75),
			"brighter":    asJPEG(s.brighter(1.15).draw(240, 180, 2), 80),
			"darker":      asJPEG(s.brighter(0.8).draw(240, 180, 2), 80),
			"crop":        asJPEG(s.cropped(0.003).draw(240, 180, 2), 80),
			"other shape": asJPEG(s.draw(240, 160, 2), 80),
			"mark":        asJPEG(s.marked().draw(240, 180, 2), 80),
		} {
			p := printOf(file)
			if !p.IsLike(original) || !original.IsLike(p) {
				t.Errorf("room %d: %s: %d bits differ; want at most %d", seed, what, flips(p, original), maxFlips)
			}
			isShared := func(band Print) bool { return slices.Contains(original.Bands(), band) }
			if !slices.ContainsFunc(p.Bands(), isShared) {
				t.Errorf("room %d: %s: no common band", seed, what)
			}
		}
		other := printOf(asJPEG(s.cropped(0.1).draw(240, 180, 2), 80))
		if other.IsLike(original) {
			t.Errorf("room %d: a part of it is like the whole", seed)
		}
	}
}

// Prints of two rooms differ in far more bits than maxFlips.
func TestIsUnlike(t *testing.T) {
	t.Parallel()
	var prints []Print
	for seed := range uint64(60) {
		prints = append(prints, printOfPixels(newScene(seed).draw(100, 100, 2)))
	}
	const leastFlips = 3 * maxFlips
	for i, p := range prints {
		for k, other := range prints[:i] {
			if n := flips(p, other); n < leastFlips || p.IsLike(other) {
				t.Errorf("rooms %d and %d differ in %d bits; want at least %d, and not alike", i, k, n, leastFlips)
			}
		}
	}
}

// If two prints differ in at most maxFlips bits, they have a band in common, wherever the bits are.
func TestBands(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		a := Print{ofPixels, random.Uint64(), random.Uint64()}
		b := a
		for range maxFlips { // flips up to two bits at a time, so that some prints differ in more than maxFlips
			b.right ^= uint64(random.IntN(2)) << random.IntN(64)
			b.down ^= uint64(random.IntN(2)) << random.IntN(64)
			if flips(a, b) >= maxFlips {
				break
			}
		}
		shared := 0
		for i, band := range a.Bands() {
			if band == b.Bands()[i] {
				shared++
			}
		}
		if isLike := flips(a, b) <= maxFlips; a.IsLike(b) != isLike || isLike && shared == 0 {
			t.Fatalf("%v and %v differ in %d bits, and share %d bands", a, b, flips(a, b), shared)
		}
	}
	a := Print{ofPixels, 1, 2}
	for _, c := range []struct {
		shows  string
		other  Print
		isLike bool
	}{
		{"no print", Print{}, false},
		{"the same bits of a file", Print{ofBytes, 1, 2}, false},
		{"6 bits differ", Print{ofPixels, 1, 0b1111100}, true},
		{"7 bits differ", Print{ofPixels, 1 << 20, 0b1111000}, false},
	} {
		if a.IsLike(c.other) != c.isLike || c.other.IsLike(a) != c.isLike {
			t.Errorf("%s: %v is like %v: %v; want %v", c.shows, a, c.other, a.IsLike(c.other), c.isLike)
		}
	}
	if (Print{}).IsLike(Print{}) || len(Print{}.Bands()) > 0 {
		t.Error("a picture without a print is like another one")
	}
}

// A picture without structure has no print, because it would be like many others.
func TestNoPrint(t *testing.T) {
	t.Parallel()
	plain := func(r, g, b float64) scene { return func(x, y float64) (float64, float64, float64) { return r, g, b } }
	logo := func(x, y float64) (r, g, b float64) {
		if math.Abs(x-0.5) < 0.12 && math.Abs(y-0.5) < 0.2 && int(x*40)%2 == 0 {
			return 0.8, 0.1, 0.1
		}
		return 1, 1, 1
	}
	shade := func(dx, dy float64) scene {
		return func(x, y float64) (r, g, b float64) { return dx*x + dy*y, dx*x + dy*y, 0.4 }
	}
	for what, s := range map[string]scene{
		"white": plain(1, 1, 1), "grey": plain(0.5, 0.5, 0.5), "black": plain(0, 0, 0), "a logo": logo,
		"a shade across": shade(0.9, 0), "a shade down": shade(0, 0.9), "a shade to a corner": shade(0.5, 0.4),
	} {
		for _, noise := range []float64{0, 3} {
			picture := s.draw(240, 180, noise)
			for _, file := range [][]byte{asJPEG(picture, 80), asPNG(picture)} {
				if p := printOf(file); p != (Print{}) {
					t.Errorf("%s with noise of %g has the print %v", what, noise, p)
				}
			}
		}
	}
	room := newScene(1)
	for what, picture := range map[string]image.Image{"narrow": room.draw(99, 200, 0), "low": room.draw(200, 99, 0)} {
		if p := printOf(asPNG(picture)); p != (Print{}) {
			t.Errorf("a picture that is too %s has the print %v", what, p)
		}
	}
	if printOf(asPNG(room.draw(100, 100, 0))) == (Print{}) {
		t.Error("a picture of the smallest size has no print")
	}
}

// A file that cannot be decoded is compared by its bytes, unless it is small.
func TestPrintOfBytes(t *testing.T) {
	t.Parallel()
	room := asJPEG(newScene(1).draw(600, 450, 8), 95)
	var moving bytes.Buffer
	gif.Encode(&moving, newScene(1).draw(300, 200, 0), nil)
	for what, file := range map[string][]byte{
		"WebP":             []byte("RIFF0000WEBPVP8 " + strings.Repeat("x", 10_000)),
		"GIF":              moving.Bytes(),
		"truncated":        room[:len(room)/2],
		"a header alone":   append(slices.Clone(room[:200]), make([]byte, 10_000)...),
		"a large JPEG":     append(headerOfJPEG(0xc0, 60_000, 60_000), make([]byte, 10_000)...),
		"a large PNG":      append(headerOfPNG(60_000, 60_000), make([]byte, 10_000)...),
		"the largest PNG":  append(headerOfPNG(1<<31-1, 1<<31-1), make([]byte, 10_000)...),
		"no picture":       make([]byte, 10_000),
		"a PNG of nothing": append(headerOfPNG(3000, 2000), make([]byte, 10_000)...),
	} {
		if len(file) < minBytes {
			t.Fatalf("%s has %d bytes", what, len(file))
		}
		other := slices.Clone(file)
		other[len(other)-1]++
		p := printOf(file)
		if p.kind != ofBytes || !p.IsLike(printOf(slices.Clone(file))) || p.IsLike(printOf(other)) ||
			!slices.Equal(p.Bands(), []Print{p}) {
			t.Errorf("%s has the print %v", what, p)
		}
		if small := printOf(file[:min(len(file), minBytes-1)]); small.kind == ofBytes {
			t.Errorf("%s, cut to less than %d bytes, has the print %v", what, minBytes, small)
		}
	}
	if p := printOf(nil); p != (Print{}) {
		t.Errorf("an empty file has the print %v", p)
	}
}

// headerOfPNG returns the beginning of a PNG with a width and a height.
func headerOfPNG(w, h uint32) []byte {
	// A signature, and the chunk IHDR: its length, its type, the width, the height, five more bytes and a checksum.
	const kind, width, height, sum, end = 8 + 4, 8 + 8, 8 + 12, 8 + 21, 8 + 25
	b := asPNG(image.NewRGBA(image.Rect(0, 0, 1, 1)))[:end]
	binary.BigEndian.PutUint32(b[width:], w)
	binary.BigEndian.PutUint32(b[height:], h)
	binary.BigEndian.PutUint32(b[sum:], crc32.ChecksumIEEE(b[kind:sum]))
	return b
}

// headerOfJPEG returns the beginning of a JPEG with a width, a height and three components, up to its parts. The marker
// is 0xc0 for a baseline JPEG, 0xc2 for a progressive one. By its tables one bit of 0 in the data is a block without
// change, or, for coefficients, together with 14 more bits of 0 the end of 16,384 blocks.
func headerOfJPEG(marker byte, w, h uint16) []byte {
	b := []byte{0xff, 0xd8, 0xff, 0xdb, 0, 67, 0} // the start, and a quantization table
	b = append(b, bytes.Repeat([]byte{1}, 64)...)
	b = append(b, 0xff, marker, 0, 17, 8, byte(h>>8), byte(h), byte(w>>8), byte(w), 3)
	for component := range byte(3) {
		b = append(b, component+1, 0x11, 0)
	}
	// Two Huffman tables, each of one code of one bit: for levels it means no change, for coefficients the end of blocks.
	for _, table := range []struct{ class, meaning byte }{{0x00, 0x00}, {0x10, 0xe0}} {
		b = append(append(b, 0xff, 0xc4, 0, 20, table.class, 1), make([]byte, 15)...)
		b = append(b, table.meaning)
	}
	return b
}

// progressive returns a progressive JPEG of maxPixels pixels with a number of parts. Each part covers all blocks of a
// component.
func progressive(parts int) []byte {
	const w, h = 3072, 2048
	b := headerOfJPEG(0xc2, w, h)
	// The first part has the levels of all three components: one bit for each block of 64 pixels.
	b = append(b, 0xff, 0xda, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 0, 0)
	b = append(b, make([]byte, w*h*3/64/8)...)
	// The others have the coefficients of one component: 15 bits for 16,384 of its 98,304 blocks, so 90 bits for all.
	for part := range parts - 1 {
		b = append(b, 0xff, 0xda, 0, 8, 1, byte(part%3)+1, 0, 1, 63, 0)
		b = append(b, make([]byte, 12)...)
	}
	return append(b, 0xff, 0xd9)
}

// The largest picture that is decoded takes less memory than a small machine has. A picture that would take longer is
// not decoded.
func TestPrintBounds(t *testing.T) {
	allocatedFor := func(file []byte) (bytes uint64, read int, p Print) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p = Of(file, func(n int) { read += n })
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc, read, p
	}
	size, read, p := allocatedFor(progressive(4)) // less than 64 MiB would show that it is not decoded
	if size > 128<<20 || size < 64<<20 || read == 0 || p != (Print{}) {
		t.Errorf("a progressive JPEG takes %d bytes, %d read; want at most 128 MiB; its print is %v", size, read, p)
	}
	for what, file := range map[string][]byte{
		"too many parts": progressive(maxScans + 1),
		"too large":      append(headerOfJPEG(0xc2, 3072, 2049), progressive(3)...),
		"a PNG":          append(headerOfPNG(6<<20+1, 1), make([]byte, 10_000)...),
		"60000 by 60000": append(headerOfPNG(60_000, 60_000), make([]byte, 10_000)...),
	} {
		if size, read, p := allocatedFor(file); size > 1<<20 || read > 0 || p.kind != ofBytes {
			t.Errorf("%s: it takes %d bytes, %d read, and the print is %v", what, size, read, p)
		}
	}
	if _, read, _ := allocatedFor(asJPEG(newScene(1).draw(300, 200, 5), 80)); read < 5000 {
		t.Errorf("%d bytes of a JPEG are told", read)
	}
}

// Parse reads what String has written, and nothing else.
func TestParse(t *testing.T) {
	t.Parallel()
	digits := strings.Repeat("0123456789abcdef", 2)
	for text, want := range map[string]Print{
		"-": {}, "~" + digits: {ofPixels, 0x0123456789abcdef, 0x0123456789abcdef},
		"=" + digits[16:] + strings.Repeat("f", 16): {ofBytes, 0x0123456789abcdef, math.MaxUint64},
	} {
		if p, ok := Parse(text); !ok || p != want || p.String() != text {
			t.Errorf("Parse(%q) = %v, %v; want %v", text, p, ok, want)
		}
	}
	for _, text := range []string{"", "~", "+" + digits, digits, "~" + digits[1:], "~" + digits + "0", "~x" + digits[1:]} {
		if p, ok := Parse(text); ok {
			t.Errorf("Parse(%q) = %v; want none", text, p)
		}
	}
}
