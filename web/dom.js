// Listings come from strangers: text becomes text nodes, addresses pass webURL.

// h makes an element: "tag#id.class", then attributes and children in any order.
// Functions are listeners, label is aria-label; null, false, "" are left out.
export function h(spec, ...rest) {
	const [, tag, id, name] = /^(\w+)#?(\w*)\.?(\w*)$/.exec(spec)
	const element = document.createElement(tag)
	if (id) element.id = id
	if (name) element.className = name
	if (tag === "button") element.type = "button"
	for (const item of present(rest)) {
		if (typeof item !== "object" || item instanceof Node) element.append(item)
		else for (const [name, value] of Object.entries(item)) {
			if (typeof value === "function") element.addEventListener(name, value)
			else if (["value", "checked", "hidden"].includes(name)) element[name] = value
			else if (value != null) element.setAttribute(name === "label" ? "aria-label" : name, value)
		}
	}
	return element
}

const present = list => list.flat(9).filter(item => item != null && item !== false && item !== "")

// later waits until no more calls have come for a while.
export function later(act, ms) {
	let timer
	return (...args) => clearTimeout(timer) || (timer = setTimeout(act, ms, ...args))
}

export const fill = (element, ...children) => element.replaceChildren(...present(children))

// swap leaves the focus on the same control.
export function swap(old, element) {
	const [before, after] = [old, element].map(element => [...element.querySelectorAll("a, button")])
	const at = before.indexOf(document.activeElement)
	old.replaceWith(element)
	after[at]?.focus({preventScroll: true})
}

// webURL is an absolute address that runs nothing, else null.
export function webURL(text) {
	const url = URL.canParse(text) && new URL(text)
	return /^https?:$/.test(url.protocol) ? url.href : null
}

export const outward = (url, text) =>
	webURL(url) ? h("a", text, {href: webURL(url), target: "_blank", rel: "noopener noreferrer"}) : h("span", text)

export const photos = ({photos}) => [photos].flat().map(photo => webURL(photo?.url ?? photo)).filter(src => src?.startsWith("https:"))

// The style keeps room for a picture; where one fails, a house stands.
export const picture = (src, alt) => h("img", {src, alt, loading: "lazy", referrerpolicy: "no-referrer", error: ({target}) => {
	target.className = "missing"
	target.src = document.querySelector("[rel=icon]").href
}})
