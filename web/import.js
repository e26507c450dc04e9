// Import: listings from files or pasted, a flat added by hand, and the last imports. It exports show,
// as all views do (see app.js), and importFiles, for files that are dropped on any view.

import {call} from "./api.js"
import {countNews} from "./bar.js"
import {fill, h, webURL} from "./dom.js"
import {dayAndTime, parseNumber, t, text} from "./format.js"
import {attempt, reason} from "./notice.js"
import {flatHash, hashOf} from "./state.js"

// These elements outlive the view, because an import goes on when the view is left.
const report = h("div.report", {role: "status"})
const log = h("ul")

// show fills root with the two forms, the report of this page's imports, and the log of all.
export function show(root) {
	fill(root, h("h1", t.import), report, h("div.columns", byMachine(), byHand()), h("h2", t.imports), log)
	showLog()
}

function showLog() {
	const line = ({at, source, error, ...counts}) => h("li", `${dayAndTime(at)}, ${source}: `,
		error ? h("span.wrong", error) : text(t.imported, counts))
	call("imports").then(({data}) => fill(log, data.map(line)), () => {/* the rest works without */})
}

// importFiles opens this view and imports files.
export function importFiles(files) {
	location.hash = hashOf("import")
	return take(files)
}

// take imports files or texts one after the other, and reports each.
async function take(inputs) {
	fill(report)
	for (const input of inputs) await takeIn(input)
	showLog()
}

async function takeIn(input) {
	const name = input.name && h("b", input.name + ": ")
	const line = h("p", name, t.importing)
	report.append(line)
	try {
		const counts = await send(input, input.name?.endsWith(".gz") ? {"Content-Encoding": "gzip"} : {})
		fill(line, name, text(t.imported, counts), " ", h("a", t.triage, {href: hashOf("triage")}))
	} catch (error) {
		line.replaceWith(h("p.wrong", name, reason(error), {role: "alert"}))
	}
}

// send imports a body and returns the counts. A large file takes minutes.
async function send(body, headers) {
	const {data} = await call("import", {method: "POST", body, headers, patience: 600_000})
	countNews().catch(() => {})
	return data
}

const example = `[{"id": "1@example", "title": "Two rooms with a balcony", "cost": 840, "currency": "EUR",
  "area": 46, "rooms": 2, "location": "12 Mill Street", "urls": ["https://example.org/1"]}]`

// byMachine makes the form for files and texts that programs have written.
function byMachine() {
	const input = h("textarea", {spellcheck: "false"})
	const files = h("input", {type: "file", multiple: "", accept: ".json,.gz",
		change: () => take([...files.files]).then(() => files.value = "")})
	return h("section.card", h("label.field", t.files, files), h("label.field", t.pasted, input), h("div.line",
		h("button.primary", t.import, {click: () => take([input.value])}),
		h("button", t.example, {click: () => input.value = example})))
}

// The fields of a flat added by hand, with the attributes of their controls.
const amount = {inputmode: "decimal", input: ({target}) =>
	target.setCustomValidity(Number.isNaN(parseNumber(target.value)) ? t.unreadable : "")}
const fields = {link: {type: "url"}, title: {required: ""}, cost: amount, currency: {value: "EUR"}, area: amount,
	rooms: amount, place: {}, phone: {type: "tel"}, text: {}}

// byHand makes the form for one flat.
const byHand = () => h("form.card", {submit: add, autocomplete: "off"}, h("h2", t.add_flat),
	Object.entries(fields).map(([name, attributes]) => h("label.field", t[name],
		h(name === "text" ? "textarea" : "input", {name, ...attributes}))),
	h("button.primary", t.add_flat))

// saidIn returns the fields that were filled in. A field that was left empty is not sent, because it would
// delete what is known of the flat. The currency that the form begins with is not sent without a cost.
function saidIn(form) {
	const said = Object.fromEntries([...new FormData(form)]
		.map(([name, typed]) => [name, fields[name] === amount ? parseNumber(typed) : typed.trim()])
		.filter(([, value]) => value !== "" && value !== null))
	if (!("cost" in said) && said.currency === fields.currency.value) delete said.currency
	return said
}

// add imports the flat that was filled in, and opens it.
function add(event) {
	event.preventDefault()
	const {link, place, ...flat} = saidIn(event.target)
	const url = webURL(link)
	// The id is made from the link, so that the same link makes the same flat.
	const id = url?.replace(/^https?:\/\/([^/]*)\/(.*)/, "$2@$1") ?? `${Date.now()}@${t.by_hand}`
	// JSON leaves out what is undefined.
	Object.assign(flat, {id, location: place, urls: url ? [url] : undefined})
	attempt(async () => {
		await send(JSON.stringify([flat]))
		location.hash = flatHash(id)
	})
}
