// Input by fingers and arrow keys: swipe follows a finger, roaming moves the focus.

const leastSwipe = 80 // pixels that a finger must move

// swipe calls right or left after a finger moved far enough to that side. While the finger moves, swipe calls follow
// with the number of pixels to the right, and finally with 0. A touch counts if begins(target) is true for its target.
// The element needs touch-action: pan-y, or the browser scrolls.
export function swipe(element, right, left, follow = () => {}, begins = () => true) {
	let from = null // where the finger came down, in pixels from the left
	const on = (type, act) => element.addEventListener("pointer" + type, act)
	const moved = act => ({clientX}) => from != null && act(clientX - from)
	const end = by => {
		from = null
		follow(0)
		if (by > leastSwipe) right()
		if (by < -leastSwipe) left()
	}
	on("down", ({clientX, isPrimary, pointerType, target}) =>
		from = isPrimary && pointerType === "touch" && begins(target) ? clientX : null)
	on("move", moved(follow))
	on("up", moved(end))
	on("cancel", () => end(0))
}

// roaming lets arrow keys move the focus in a drawing. It returns an object with the keydown listener, which h (dom.js)
// takes for the drawing. selector matches the parts that can have the focus, each with a tabindex. There may be
// thousands, so Tab reaches only one.
export const roaming = selector => ({keydown(event) {
	const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key]
	const parts = [...event.currentTarget.querySelectorAll(selector)]
	const at = parts.indexOf(event.target)
	if (!step || at < 0 || event.altKey || event.ctrlKey || event.metaKey) return
	event.preventDefault()
	const next = parts[(at + step + parts.length) % parts.length]
	event.target.setAttribute("tabindex", -1)
	next.setAttribute("tabindex", 0)
	next.focus()
}})
