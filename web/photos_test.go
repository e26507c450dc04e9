// Tests of photos.

package web

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"
)

// TestPagePhotos tests the photos on the whole screen.
func TestPagePhotos(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Loft", "photos":
		["https://127.0.0.1:1/1", "https://127.0.0.1:1/2", "https://127.0.0.1:1/3"]}]`, "#/flat/a", 390)
	p.test("a photo that is pressed fills the screen", func() {
		p.focus(photoFrame)
		p.key("Enter")
		p.see(largePhotoNumber, "1 / 3")
		p.see(largePhotoSize, "390,844")
	})
	p.test("arrows turn them, round the ends", func() {
		p.key("ArrowLeft")
		p.see(largePhotoNumber, "3 / 3")
		p.key("ArrowRight")
		p.key("ArrowRight")
		p.see(largePhotoNumber, "2 / 3")
	})
	p.test("a swipe turns them, and the strip has each", func() {
		p.swipe(largePhotoFrame, 120)
		p.see(largePhotoNumber, "1 / 3")
		p.click(largePhotoInStrip(3))
		p.see(largePhotoNumber, "3 / 3")
		p.see(currentInStrip, "Loft, photo 3")
	})
	p.test("the focus stays inside, and the buttons are large enough for a finger", func() {
		for range 8 {
			p.key("Tab")
			p.see(focusIsInPhotos, "true")
		}
		p.see(smallPhotoButtonCount, "0")
	})
	p.test("Esc closes them, and leaves the photo that was shown", func() {
		p.key("Escape")
		p.wait(photosAreClosed)
		p.see(`document.activeElement.className`, "frame")
		p.see(photoNumber, "3 / 3")
	})
	leavePhotos(p)
}

// leavePhotos tests that the photos on the whole screen leave no trace in the history.
func leavePhotos(p *tab) {
	p.typeHash("#/visits")
	p.typeHash("#/flat/a")
	p.test("Back closes the photo, and does not leave the flat", func() {
		p.click(photoFrame)
		p.see(largePhotoNumber, "1 / 3")
		p.goBack()
		p.wait(photosAreClosed)
		p.see(together(hash, heading), "#/flat/a, Loft")
	})
	p.test("Close adds nothing to the history", func() {
		p.click(photoFrame)
		p.click(closePhotos)
		p.wait(photosAreClosed)
		p.rest(forDrawing)
		p.goBack()
		p.see(hash, "#/visits")
	})
}

// visitable returns a flat with a visit and with further fields. All such flats are probably one home. The digit in the
// id is the day of the visit.
func visitable(id string, more object) object {
	flat := object{"status": "followed", "phone": "0198", "cost": 700, "area": 40, "location": "Ost", "id": id,
		"title": strings.ToUpper(id), "visit_date": "2099-05-0" + id[1:] + "T10:00:00Z"}
	maps.Copy(flat, more)
	return flat
}

// openKept opens the page of a service that keeps photos, each of another width: for A1 the first photo of the listing
// (11) and one that the listing no longer has (12); for B2 one that the listing does not have (13); for N4 the second
// photo of A1. The photo of C3, which is 1 wide, is no longer kept.
func openKept(t *testing.T) *tab {
	t.Helper()
	const lost = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
	const first, old, bare = "http://127.0.0.1:1/1", "https://127.0.0.1:1/old", "https://127.0.0.1:1/bare"
	url, _ := startKeeping(t, `{"keep_photos": true}`, []object{
		visitable("a1", object{"photos": []any{first, object{"url": "https://127.0.0.1:1/2"}},
			"kept_photos": []object{keptPhoto(first), keptPhoto(old)}}),
		visitable("b2", object{"photos": nil, "kept_photos": []object{keptPhoto(bare)}}),
		visitable("c3", object{"photos": []string{lost}, "kept_photos": []object{keptPhoto(lost)}}),
		{"id": "n4", "title": "N", "status_since": time.Now().UTC().Format(time.RFC3339), "photos": nil,
			"kept_photos": []object{keptPhoto(old)}},
	}, map[string]string{first: pngOf(11), old: pngOf(12), bare: pngOf(13)})
	p := &tab{browser: openBrowser(t), t: t, url: url}
	p.open("", 1280)
	p.checkAtEnd()
	return p
}

// TestPageKeptPhotos tests that all views show the photo that the service keeps, whether the page knows it before or
// after it draws the view. If the service has lost a photo, the view shows the listing's address.
func TestPageKeptPhotos(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openKept(t)
	for _, width := range []int{1280, 390} {
		p.resize(width)
		for _, c := range []struct{ hash, photos, want string }{
			{"#/?tab=shortlist&sort=title", rowPhotos, "11,13,1"},
			{"#/flat/a1", galleryPhoto, "11"},
			{"#/flat/b2", galleryPhotos, "13"},
			{"#/flat/c3", galleryPhotos, "1"},
			{"#/flat/c3", doublesPhotos, "11,13"},
			{"#/triage", cardPhotos, "12"},
			{"#/visits", visitsPhotos, "11,13,1"},
			{"#/compare/a1,b2,c3", comparePhotos, "11,13,1"},
			{"#/duplicates", groupPhotos, "11,13,1"},
		} {
			p.test(fmt.Sprintf("%s at %d pixels, opened at once", c.hash, width), func() {
				p.do("Page.navigate", object{"url": "about:blank"}) // otherwise only the hash would change
				p.do("Page.navigate", object{"url": p.url + "/" + c.hash})
				p.see(photoWidths(c.photos), c.want)
			})
			p.test(fmt.Sprintf("%s at %d pixels, after another view", c.hash, width), func() {
				p.opens("#/add")
				p.typeHash(c.hash)
				p.see(photoWidths(c.photos), c.want)
			})
		}
	}
}

// TestPageKeptPhotosOrder tests that the whole screen first has the photos of the listing in their order, and then
// photos that only the service keeps.
func TestPageKeptPhotosOrder(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openKept(t)
	p.typeHash("#/flat/a1")
	p.click(photoFrame)
	p.see(photoWidths(largePhotosAndStrip), "11,11,gap,12")
	p.key("ArrowLeft")
	p.see(photoWidths(largePhotos), "12")
	p.see(largePhotoNumber, "3 / 3")
}

// TestPageKeptPhotosLate tests that a group of listings without photos shows kept photos that the page learns of only
// after it has drawn the group.
func TestPageKeptPhotosLate(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const bare = "https://127.0.0.1:1/bare"
	url, _ := startKeeping(t, `{"keep_photos": true}`, []object{
		visitable("a1", object{"photos": nil, "kept_photos": []object{keptPhoto(bare)}}),
		visitable("b2", object{"photos": nil}),
	}, map[string]string{bare: pngOf(13)})
	p := &tab{browser: openBrowser(t), t: t, url: url}
	p.open("#/duplicates", 1280)
	p.runFirst(`
		const ask = fetch;
		window.fetch = async (url, options) => {
			const soon = () => new Promise((next) => setTimeout(next, 20));
			while (/kept_photos/.test(url) && !document.querySelector("article")) await soon();
			return ask(url, options);
		};`)
	p.reload()
	p.see(photoWidths(groupPhotos), "13,gap")
	p.checkFaults()
}
