// Import: listings from files or pasted, a flat added by hand, and what became
// of the last imports.

import {call, find} from "./api.js"
import {setNews} from "./bar.js"
import {fill, h, webURL} from "./dom.js"
import {count, dayAndTime, parseNumber} from "./format.js"
import {reason, tell} from "./notice.js"
import {flatHash, hashOf, parametersOf} from "./state.js"
import {t} from "./strings.js"

let take = null // takes in files and texts, while the view is open

export function show(root, route, signal) {
	const report = h("div.report", {role: "status"})
	const log = h("div")
	const showLog = () => lastImports(signal).then(rows => fill(log, rows), () => {}) // the rest works without
	take = async inputs => {
		fill(report)
		for (const input of inputs) await takeIn(input, report) // one that is refused does not stop the next
		countNews()
		showLog()
	}
	signal.addEventListener("abort", () => take = null)
	fill(root, h("h1", t.import, {tabindex: -1}), report, h("div.columns", h("div", fromFiles(), pasted()), byHand()), log)
	showLog()
}

/** importFiles imports files that were dropped on the page, whatever its view. */
export async function importFiles(files) {
	location.hash = hashOf("import")
	while (!take) await new Promise(requestAnimationFrame)
	await take(files)
}

// Large files take their time.
const send = (body, headers = {}) => call("import", {method: "POST", body, headers, patience: 600_000})

async function takeIn(input, report) {
	const name = input.name && h("b", input.name + ": ")
	const line = h("p", name, t.importing)
	report.append(line)
	try {
		const {data} = await send(input, input.name?.endsWith(".gz") ? {"Content-Encoding": "gzip"} : {})
		fill(line, name, inWords(data), " ", data.added > 0 && h("a", t.triage, {href: hashOf("triage")}))
	} catch (error) {
		line.replaceWith(h("p.wrong", name, reason(error), {role: "alert"}))
	}
}

// The number in the bar is by the way.
const countNews = () => find(parametersOf({tab: "new"}), {"page[size]": 1, fields: "status"})
	.then(({total}) => setNews(total), () => {})

const inWords = ({added, updated, unchanged, gone}) =>
	[[t.n_added, added], [t.n_updated, updated], [t.n_unchanged, unchanged], [t.n_gone, gone]]
		.filter(([, n], i) => n > 0 || i === 0).map(([forms, n]) => count(forms, n)).join(", ")

function fromFiles() {
	const input = h("input", {type: "file", multiple: "", accept: ".json,.gz", label: t.choose_files, change: async () => {
		await take([...input.files])
		input.value = ""
	}})
	return h("section.card", h("h2", t.from_files), h("p.soft", t.drop_hint), input)
}

const example = `[{"id": "1@example", "title": "Two rooms with a balcony", "cost": 840, "currency": "EUR",
  "area": 46, "rooms": 2, "location": "12 Example Street", "phone": "+33 1 99 00 00 00",
  "urls": ["https://www.example.org/1"], "photos": [], "text": "Quiet, third floor."}]`

function pasted() {
	const input = h("textarea", {label: t.pasted, spellcheck: "false"})
	const showExample = () => {
		input.value = example
		input.focus()
	}
	return h("section.card", h("h2", t.pasted), input, h("div.line",
		h("button.primary", t.import, {click: () => take([input.value])}), h("button", t.example, {click: showExample})))
}

// A flat that a friend told of: the same import, of one listing.
function byHand() {
	const inputs = {}
	const field = (name, label = t[name], attributes = {}) => {
		inputs[name] = h(name === "text" ? "textarea" : "input", {id: "add-" + name, autocomplete: "off", ...attributes})
		return h("p.field", h("label", label, {for: "add-" + name}), inputs[name])
	}
	const number = name => field(name, t[name], {inputmode: "decimal"})
	const wrong = h("p.wrong", {role: "alert"})

	async function submit(event) {
		event.preventDefault()
		const flat = read(inputs)
		const bad = ["cost", "area", "rooms"].filter(name => Number.isNaN(flat[name]))
		for (const name in inputs) inputs[name].setAttribute("aria-invalid", String(bad.includes(name)))
		fill(wrong, bad.map(name => `${t[name]}: ${t.unreadable} `))
		if (bad.length > 0) return inputs[bad[0]].focus()
		try {
			await send(JSON.stringify([flat]))
			countNews()
			location.hash = flatHash(flat.id)
			tell(count(t.n_added, 1))
		} catch (error) {
			fill(wrong, reason(error))
		}
	}
	return h("form.card", {submit}, h("h2", t.add_flat),
		field("link", t.link, {type: "url"}), field("title", t.title, {required: ""}),
		h("div.line", number("cost"), field("currency", t.currency, {value: "EUR", maxlength: 8}),
			number("area"), number("rooms")),
		field("location", t.place), field("phone", t.phone, {type: "tel"}), field("text", t.listing_text), wrong,
		h("button.primary", t.add_flat, {type: "submit"}))
}

// read makes a listing of the form. The same link makes the same flat.
function read(inputs) {
	const value = name => inputs[name].value.trim() || null
	const link = webURL(value("link"))
	const {host, pathname, search} = link ? new URL(link) : {}
	return {
		id: link ? `${pathname.slice(1)}${search}@${host}` : `${Date.now().toString(36)}@${t.by_hand}`,
		...Object.fromEntries(["title", "text", "location", "phone", "currency"].map(name => [name, value(name)])),
		...Object.fromEntries(["cost", "area", "rooms"].map(name => [name, parseNumber(inputs[name].value)])),
		urls: link ? [link] : null, date: new Date().toISOString().replace(/\..*/, "Z"),
	}
}

async function lastImports(signal) {
	const {data} = await call("imports", {signal})
	const heading = name => h("th", name, {scope: "col"})
	if (data.length === 0) return null
	const rows = data.map(({at, source, error, ...counts}) => h("tr", h("td", dayAndTime(at)), h("td", source),
		error ? h("td.wrong", error) : h("td", inWords(counts))))
	return [h("h2", t.last_imports), h("div.scrolls", {tabindex: 0, role: "region", label: t.last_imports},
		h("table", h("thead", h("tr", heading(t.date), heading(t.from_where), heading(t.result))), h("tbody", rows)))]
}
