// What a person sees of "Share a link" and of the shared page, and what a person does there.

package web

import "fmt"

// Parts of the dialog, and of "Shared links".
const (
	shareDialog    = "dialog.share"
	shareTitle     = "dialog.share input:not([type])"
	shareDays      = "dialog.share select"
	sharePreview   = "dialog.share .preview"
	shareTrouble   = "dialog.share .wrong"
	makeLink       = "dialog.share button.primary"
	madeLink       = "dialog.share .link-box code"
	madeCode       = "dialog.share .link-box .qr"
	dialogButtons  = "dialog.share button"
	sharedLines    = "#settings-shares li"
	endShare       = "#settings-shares li button"
	sureToEnd      = "#settings-shares dialog .primary"
	focusedButton  = `document.activeElement.innerText`
	sharedTitles   = `[...document.querySelectorAll("main h2")].map(({innerText}) => innerText).join()`
	sharedLanguage = `document.documentElement.lang`
	sharedPageFits = `String(document.documentElement.scrollWidth <= innerWidth)`
	dialogFits     = `String([...document.querySelectorAll("dialog[open], dialog[open] :not(input)")].every((part) =>
		part.scrollWidth <= part.clientWidth + 1 || getComputedStyle(part).display === "inline"))`
	// photosInCard is true if the photos of each flat lie within its card.
	photosInCard = `String([...document.querySelectorAll(".photos")].every((photos) =>
		photos.getBoundingClientRect().right <= photos.closest("article").getBoundingClientRect().right))`
	// narrowestTickGap has the pixels between the labels of two boxes that stand next to each other.
	narrowestTickGap = `Math.min(...[...document.querySelectorAll("dialog.share .boxes label + label")].map((label) => {
		const [before, after] = [label.previousSibling, label].map((part) => part.getBoundingClientRect());
		return before.top === after.top ? Math.round(after.left - before.right) : Infinity;
	}))`
	paperBackground = `getComputedStyle(document.documentElement).colorScheme`
)

// shareBox returns a selector for the box of something that a page may show in addition to the facts.
func shareBox(extra string) string { return fmt.Sprintf("dialog.share [value=%s]", extra) }

// linkButton returns an expression for the button "Share a link" of a view.
const linkButton = `[...document.querySelectorAll("main button")]
	.find((button) => (button.ariaLabel ?? button.innerText) === "Share a link" && button.checkVisibility())`

// openShared opens the page of a link in the tab.
func (p *tab) openShared(link string) {
	p.t.Helper()
	p.do("Page.navigate", object{"url": link})
	p.wait(isThere("main article"))
}
