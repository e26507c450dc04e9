// Import: listings from files or pasted, and the last imports. It exports show, as all views do (see
// app.js), and importFiles, for files that are dropped on any view.

import {call} from "./api.js"
import {countNews} from "./bar.js"
import {fill, h} from "./dom.js"
import {dayAndTime, t, text} from "./format.js"
import {reason} from "./notice.js"
import {hashOf} from "./state.js"

// These elements outlive the view, because an import goes on when the view is left.
const report = h("div.report", {role: "status"})
const log = h("ul")

// show fills root with the way to Add, the form, the report of this page's imports, and the log of all.
export function show(root) {
	fill(root, h("h1", t.import), report,
		h("p.line", t.add_how, h("a.button", t.add, {href: hashOf("add")})), byMachine(), h("h2", t.imports), log)
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
