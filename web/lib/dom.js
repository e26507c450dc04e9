// Helpers for elements of the page.
//
// h and svg make elements, fill and swap change them, openDialog shows a dialog. controlsOf and isTyping look for
// controls. loadStyle loads views.css. later and whenIdle delay a function. webURL, imageURL and outward check
// addresses.
//
// Listings are written by strangers. Their text only ever becomes text nodes, never HTML. Their addresses pass webURL
// before they become links, and imageURL before they become images.

import {kept} from "./kept.js"

// h makes an HTML element: h("p.soft", "3 ", h("b", "flats"), {title: "…"}).
//
// spec is "tag#id.class.class". Attributes and children follow in any order, also in arrays:
//   an object     attributes by name. A function is a listener for the event of that name; label is aria-label;
//                 data is the dataset; value is the property, not the attribute.
//   a Node        a child
//   a string      a text node; a number, too
// null, undefined, false and "" are left out, so that (condition && child) can stand for a child.
export function h(spec, ...rest) {
	if (!kept.templates.has(spec)) kept.templates.set(spec, make(spec))
	return complete(kept.templates.get(spec).cloneNode(), rest) // faster than making an element anew
}

// make makes the empty element of a spec.
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

// complete adds attributes and children to an element, and returns it.
function complete(element, rest) {
	for (const item of rest) {
		if (Array.isArray(item)) complete(element, item)
		else if (item instanceof Node) element.append(item)
		else if (typeof item === "object") for (const name in item) set(element, name, item[name]) // null has no names
		else if (item || item === 0) element.append(item)
	}
	return element
}

// set sets an attribute of an element, or one of its properties and listeners as described at h.
function set(element, name, value) {
	if (typeof value === "function") element.addEventListener(name, value)
	else if (name === "data") Object.assign(element.dataset, value)
	else if (name === "value") element.value = value
	else if (value != null && value !== false) element.setAttribute(name === "label" ? "aria-label" : name, value)
}

// fill replaces the children of an element by others, in the form of h. It also sets attributes among them.
export function fill(element, ...children) {
	element.replaceChildren()
	complete(element, children)
}

// controlsOf returns the focusable controls in an element, in document order.
export const controlsOf = element =>
	[...element.querySelectorAll("a, button, select, input, textarea, summary")]

// isTyping reports whether an element takes typed letters. Checkboxes do not, and keep the focus after a press.
export const isTyping = element => element.matches("textarea, select, input:not([type=checkbox], [type=radio])")

// swap replaces the element old by another, and returns the new one. If a control in old has the focus, the control at
// the same position in the new element gets it.
export function swap(old, element) {
	const focusedAt = controlsOf(old).indexOf(document.activeElement)
	old.replaceWith(element)
	controlsOf(element)[focusedAt]?.focus({preventScroll: true})
	return element
}

// openDialog adds a dialog to an element and shows it; closing removes it. Keys and swipes do not leave the dialog,
// because the view below would act on them, too.
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

// later returns a function that calls act once some milliseconds have passed without a further call. act gets the
// arguments of the last call.
export function later(act, milliseconds) {
	let timer
	return (...args) => {
		clearTimeout(timer)
		timer = setTimeout(act, milliseconds, ...args)
	}
}

// whenIdle calls act once the browser is idle, or after a second, because a busy device may never be idle. Safari does
// not tell when it is idle.
export function whenIdle(act) {
	if (globalThis.requestIdleCallback) requestIdleCallback(act, {timeout: 1_000})
	else setTimeout(act)
}

// loadStyle loads views.css, the style of the filters and of all views except the list. It promises the event of its
// loading. The list comes sooner without it.
export function loadStyle() {
	kept.style ??= new Promise((load, reject) => {
		const href = new URL("../views.css", import.meta.url)
		// notice.js recognizes these words, which browsers use for a module that fails to load.
		const error = () => reject(new Error(`Failed to load the style of a module: ${href}`))
		document.head.append(h("link", {rel: "stylesheet", href, load, error}))
	})
	return kept.style
}

// parsedURL parses a URL, or returns null. Safari has URL.parse only since version 18.
export const parsedURL = text => (URL.canParse(text) ? new URL(text) : null)

// webURL returns an absolute http or https address in normal form, or null. Addresses in listings may be anything, even
// javascript: URLs.
export function webURL(text) {
	const url = parsedURL(text)
	return /^https?:$/.test(url?.protocol) ? url.href : null
}

// imageURL returns the address of a photo, or null. It is an https address, or a data: URL of an image. As the source
// of an image, a data: URL runs nothing, not even the scripts of an SVG; it must never become a link.
export function imageURL(text) {
	const {href = ""} = parsedURL(text) ?? {}
	const isData = /^data:image\/[\w.+-]+[;,]/.test(href)
	return isData ? href : webURL(text)?.replace(/^http:/, "https:") ?? null
}

// outward makes a link to another site, or a span with the text if webURL refuses the address.
export const outward = (url, text) =>
	webURL(url) ? h("a", text, {href: webURL(url), target: "_blank", rel: "noopener noreferrer"}) : h("span", text)
