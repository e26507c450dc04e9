// Elements. Listings come from strangers: text becomes text nodes, and addresses pass webURL.

// h takes "tag#id.class.class", then attributes and children in any order. Functions are listeners,
// label is aria-label, data is a dataset; null, undefined, false and "" are left out.
export function h(spec, ...rest) {
	const [, tag, id, classes] = /^(\w+)#?([\w-]*)\.?(.*)$/.exec(spec)
	const element = document.createElement(tag)
	if (id) element.id = id
	if (classes) element.className = classes.replaceAll(".", " ")
	if (tag === "button") element.type = "button"
	if (tag === "h1") element.tabIndex = -1 // has the focus when its view is opened
	return complete(element, rest)
}

export const svg = (tag, ...rest) => complete(document.createElementNS("http://www.w3.org/2000/svg", tag), rest)

function complete(element, rest) {
	for (const item of present(rest)) {
		if (typeof item !== "object" || item instanceof Node) element.append(item)
		else for (const name in item) set(element, name, item[name])
	}
	return element
}

function set(element, name, value) {
	if (typeof value === "function") element.addEventListener(name, value)
	else if (name === "data") Object.assign(element.dataset, value)
	else if (name === "value") element.value = value
	else if (value != null && value !== false) element.setAttribute(name === "label" ? "aria-label" : name, value)
}

const present = list => list.flat(9).filter(item => item != null && item !== false && item !== "")

export const fill = (element, ...children) => element.replaceChildren(...present(children))

// The focus goes to the same control of the new element.
export function swap(old, element) {
	const controls = element => [...element.querySelectorAll("a, button, select, input, textarea, summary")]
	const at = controls(old).indexOf(document.activeElement)
	old.replaceWith(element)
	controls(element)[at]?.focus({preventScroll: true})
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
