// A test of QR codes, which an independent reader reads.

package web

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPageQR tests that zbarimg reads the codes of texts of each length that needs another version, and that too long a
// text has no code.
func TestPageQR(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	reader := needTool(t, "zbarimg")
	p := openTab(t, "[]", "#/visits", 1280)
	p.load("parts/qr")
	// The most bytes that each version takes, from version 1 on, at the level M of error correction.
	for i, length := range []int{14, 26, 42, 62, 84, 106, 122, 152, 180, 213} {
		text := ("https://e.example/" + strings.Repeat("aB3-", 60))[:length]
		var rows [][]bool
		got := fmt.Sprint(p.eval("JSON.stringify(qr.qrCode(" + encode(text) + "))"))
		side := 21 + 4*i // of this version, in modules
		if err := json.Unmarshal([]byte(got), &rows); err != nil || len(rows) != side {
			t.Fatalf("the code of %d bytes is %.80s: %v", length, got, err)
		}
		if got := readCode(t, reader, rows); got != text {
			t.Errorf("the code of %q is read as %q", text, got)
		}
	}
	p.see(`qr.qrCode("x".repeat(214))`, "null")
	p.checkFaults()
}

// readCode returns the text that a reader finds in the rows of a code.
func readCode(t *testing.T, reader string, rows [][]bool) string {
	t.Helper()
	const scale, margin = 4, 4
	const dark, light = 0, 255
	size := scale * (len(rows) + 2*margin)
	var image strings.Builder
	fmt.Fprintf(&image, "P5 %d %d 255\n", size, size)
	for y := range size {
		for x := range size {
			row, column := y/scale-margin, x/scale-margin
			isDark := row >= 0 && row < len(rows) && column >= 0 && column < len(rows) && rows[row][column]
			if isDark {
				image.WriteByte(dark)
			} else {
				image.WriteByte(light)
			}
		}
	}
	file := filepath.Join(t.TempDir(), "code.pgm")
	writeFile(t, file, image.String())
	output, err := exec.Command(reader, "-q", "--raw", file).Output()
	if err != nil {
		t.Errorf("zbarimg: %v", err)
	}
	return strings.TrimSpace(string(output))
}

// seeCode compares a text with the text that a reader finds in the QR code of a part of the page. Without the reader it
// skips the test.
func (p *tab) seeCode(part, want string) {
	p.t.Helper()
	p.wait(isThere(part + " svg.qr"))
	reader := needTool(p.t, "zbarimg")
	var rows [][]bool
	if err := json.Unmarshal([]byte(fmt.Sprint(p.eval(drawnCode(part)))), &rows); err != nil {
		p.t.Fatal(err)
	}
	if got := readCode(p.t, reader, rows); got != want {
		p.t.Errorf("the code in %s is read as %q; want %q", part, got, want)
	}
}
