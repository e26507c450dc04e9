// Elements of the page. h and svg make them, fill and swap change them, controlsOf finds the controls in one, isTyping
// tells which take letters, openDialog shows a dialog, loadStyle loads views.css. webURL, imageURL and outward guard
// what listings link to. later delays a function, whenIdle until a quiet moment.
//
// Listings are written by strangers. Their text only ever becomes text nodes, never HTML, and their addresses pass
// webURL before they become links, and imageURL before they become images.

import {kept} from "./kept.js"

// h makes an HTML element: h("p.soft", "3 ", h("b", "flats"), {title: "…"}).
//
// spec is "tag#id.class.class". Attributes and children follow in any order, arrays of them too:
//   an object     attributes by name; a function is a listener for the event of that name, label is
//                 aria-label, data is the dataset, value is the property and not the attribute
//   a Node        a child
//   a string      a text node; so is a number
// null, undefined, false and "" are left out, so that (condition && child) can stand for a child.
export function h(spec, ...rest) {
	if (!kept.templates.has(spec)) kept.templates.set(spec, make(spec))
	return complete(kept.templates.get(spec).cloneNode(), rest) // faster than making an element anew
}

function make(spec) {
	const [, tag, id, classes] = /^(\w+)#?([\w-]*)\.?(.*)$/.exec(spec)
	const element = document.createElement(tag)
	if (id) element.id = id
	if (classes) element.className = classes.replaceAll(".", " ")
	if (tag === "h1") element.tabIndex = -1 // app.js focuses it when its view opens
	return element
}

// svg makes an SVG element, with attributes and children as in h.
export const svg = (tag, ...rest) => complete(document.createElementNS("http://www.w3.org/2000/svg", tag), rest)

// complete gives an element its attributes and children.
function complete(element, rest) {
	for (const item of rest) {
		if (Array.isArray(item)) complete(element, item)
		else if (item instanceof Node) element.append(item)
		else if (typeof item === "object") for (const name in item) set(element, name, item[name])
		else if (item || item === 0) element.append(item)
	}
	return element
}

function set(element, name, value) {
	if (typeof value === "function") element.addEventListener(name, value)
	else if (name === "data") Object.assign(element.dataset, value)
	else if (name === "value") element.value = value
	else if (value != null && value !== false) element.setAttribute(name === "label" ? "aria-label" : name, value)
}

// fill replaces the children of an element by others, given as in h; without any, it empties the element.
// Attributes among them are set.
export function fill(element, ...children) {
	element.replaceChildren()
	complete(element, children)
}

// controlsOf returns the controls in an element that can have the focus, in document order.
export const controlsOf = element =>
	[...element.querySelectorAll("a, button, select, input, textarea, summary")]

// isTyping reports whether an element is a control that takes letters. Boxes do not, and keep the focus after a press.
export const isTyping = element => element.matches("textarea, select, input:not([type=checkbox], [type=radio])")

// swap replaces an old element by a new one, which it returns. If a control in the old element has the focus, the
// control with the same number in the new one gets it.
export function swap(old, element) {
	const at = controlsOf(old).indexOf(document.activeElement)
	old.replaceWith(element)
	controlsOf(element)[at]?.focus({preventScroll: true})
	return element
}

// openDialog opens a dialog over an element, and removes it when it is closed. Keys and swipes stay inside: the
// view below would act on them, too.
export function openDialog(element, dialog) {
	dialog.addEventListener("close", () => dialog.remove())
	dialog.addEventListener("pointerdown", event => event.stopPropagation())
	dialog.addEventListener("keydown", event => {
		event.stopPropagation()
		if (event.key === "Escape") dialog.close()
	})
	element.append(dialog)
	dialog.showModal()
}

// later returns a function that calls act with its last arguments once it has not been called for
// some milliseconds.
export function later(act, milliseconds) {
	let timer
	return (...args) => {
		clearTimeout(timer)
		timer = setTimeout(act, milliseconds, ...args)
	}
}

// whenIdle calls act once the browser has nothing else to do, or after a second: a busy device may never be idle.
export const whenIdle = act =>
	(globalThis.requestIdleCallback ?? (act => setTimeout(act)))(act, {timeout: 1_000})

// loadStyle loads the style of the filters and of the views other than the list, so that the list comes sooner.
export function loadStyle() {
	kept.style ??= new Promise((load, reject) => {
		const href = new URL("../views.css", import.meta.url)
		// The page says the same where a module is lost (notice.js).
		const error = () => reject(new Error(`Failed to load the style of a module: ${href}`))
		document.head.append(h("link", {rel: "stylesheet", href, load, error}))
	})
	return kept.style
}

// parsedURL returns the URL that a text is, or null. Safari has had URL.parse only since version 18.
export const parsedURL = text => (URL.canParse(text) ? new URL(text) : null)

// webURL returns an absolute http or https address in its normal form, else null. An address in a
// listing may be anything, even a javascript: URL.
export function webURL(text) {
	const url = parsedURL(text)
	return /^https?:$/.test(url?.protocol) ? url.href : null
}

// imageURL returns the address of a photo, else null: a web address, requested by https, or an image contained in
// the address itself. As the source of an image, that runs nothing, not even an SVG's scripts; it must never become
// a link.
export function imageURL(text) {
	const {href = ""} = parsedURL(text) ?? {}
	return /^data:image\/[\w.+-]+[;,]/.test(href) ? href : webURL(text)?.replace(/^http:/, "https:") ?? null
}

// outward makes a link to another site, or plain text if webURL refuses the address.
export const outward = (url, text) =>
	webURL(url) ? h("a", text, {href: webURL(url), target: "_blank", rel: "noopener noreferrer"}) : h("span", text)
