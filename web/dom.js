// How elements are made. Listings come from strangers: their text only ever
// becomes text nodes, and their addresses pass webURL.

const properties = ["value", "checked", "hidden"]

// h makes an element: "tag#id.class", then attributes and children in any
// order. Functions among the attributes are event listeners, label is
// aria-label; null, false and "" are left out.
export function h(spec, ...rest) {
	const [, tag, id, names] = /^(\w+)(?:#(\w+))?(?:\.(\w+))?$/.exec(spec)
	const element = document.createElement(tag)
	if (id) element.id = id
	if (names) element.className = names
	if (tag === "button") element.type = "button"
	for (const item of present(rest)) {
		if (typeof item !== "object" || item instanceof Node) element.append(item)
		else for (const [name, value] of Object.entries(item)) {
			if (typeof value === "function") element.addEventListener(name, value)
			else if (properties.includes(name)) element[name] = value
			else if (value != null) element.setAttribute(name === "label" ? "aria-label" : name, value)
		}
	}
	return element
}

const present = list => list.flat(9).filter(item => item != null && item !== false && item !== "")

// later waits until there have been no more calls for so many milliseconds.
export function later(act, ms) {
	let timer
	return (...args) => clearTimeout(timer) || (timer = setTimeout(act, ms, ...args))
}

export const fill = (element, ...children) => element.replaceChildren(...present(children))

// swap leaves the focus on the same control.
export function swap(old, element) {
	const controls = element => [...element.querySelectorAll("a, button, select")]
	const at = controls(old).indexOf(document.activeElement)
	old.replaceWith(element)
	controls(element)[at]?.focus({preventScroll: true})
}

// webURL gives back an absolute address that runs nothing, and else null.
export function webURL(text, schemes = /^https?:$/) {
	const url = URL.canParse(text) && new URL(text)
	return url && schemes.test(url.protocol) ? url.href : null
}

export function outward(url, text) {
	const href = webURL(url)
	return href ? h("a", text, {href, target: "_blank", rel: "noopener noreferrer"}) : h("span", text)
}

export const photos = ({photos}) => [photos].flat().map(photo => webURL(photo?.url ?? photo, /^https:$/)).filter(Boolean)

// The style reserves the room of a picture; one that fails leaves it empty.
export const picture = (src, alt) =>
	h("img", {src, alt, loading: "lazy", referrerpolicy: "no-referrer", error: ({target}) => target.classList.add("missing")})
