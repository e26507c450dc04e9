// Elements. Listings come from strangers: text becomes text nodes, and addresses pass webURL.

// h takes "tag#id.class.class", then attributes and children in any order. Functions are listeners,
// label is aria-label, data is a dataset; null, undefined, false and "" are left out.
export function h(spec, ...rest) {
	made[spec] ??= make(spec)
	return complete(made[spec].cloneNode(), rest)
}

const made = {} // to copy one is faster

function make(spec) {
	const [, tag, id, classes] = /^(\w+)#?([\w-]*)\.?(.*)$/.exec(spec)
	const element = document.createElement(tag)
	if (id) element.id = id
	if (classes) element.className = classes.replaceAll(".", " ")
	if (tag === "h1") element.tabIndex = -1 // has the focus when its view is opened
	return element
}

export const svg = (tag, ...rest) => complete(document.createElementNS("http://www.w3.org/2000/svg", tag), rest)

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

export function fill(element, ...children) {
	element.replaceChildren()
	complete(element, children)
}

export const controlsOf = element =>
	[...element.querySelectorAll("a, button, select, input, textarea, summary")]

// The focus goes to the same control of the new element.
export function swap(old, element) {
	const at = controlsOf(old).indexOf(document.activeElement)
	old.replaceWith(element)
	controlsOf(element)[at]?.focus({preventScroll: true})
	return element
}

// Acts once no call has come for a while.
export function later(act, milliseconds) {
	let timer
	return (...args) => {
		clearTimeout(timer)
		timer = setTimeout(act, milliseconds, ...args)
	}
}

// An absolute address that runs nothing, else null.
export function webURL(text) {
	const url = URL.parse(text)
	return /^https?:$/.test(url?.protocol) ? url.href : null
}

// A link to another site; plain text where the address is none.
export const outward = (url, text) =>
	webURL(url) ? h("a", text, {href: webURL(url), target: "_blank", rel: "noopener noreferrer"}) : h("span", text)
