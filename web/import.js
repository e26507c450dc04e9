// Import: listings from files or pasted, and the last imports. It exports show, as all views do (see
// app.js), and importFiles, for files that are dropped on any view.

import {call, find} from "./api.js"
import {countNews} from "./bar.js"
import {fill, h, outward} from "./dom.js"
import {dayAndTime, t, text} from "./format.js"
import {reason} from "./notice.js"
import {hashOf, tally} from "./state.js"

// These elements outlive the view, because an import goes on when the view is left.
const report = h("div.report", {role: "status"})
const log = h("ul.log")

// show fills root with the way to Add, the form, the report of this page's imports, and the log of all. While the
// service has no flats, it says first what the page is for, and shows an example.
export async function show(root) {
	const welcome = h("p.welcome", {hidden: true}, t.welcome)
	const add = h("a.button", t.add, {href: hashOf("add")})
	const send = h("button.take.primary", t.import)
	const examples = h("details.examples", h("summary", t.example), h("pre", example, {tabindex: 0}),
		h("button", t.import_example, {click: () => take([example])}))
	fill(root, h("h1", t.import), welcome, h("p.line", t.add_how, add), report, makeForm(send), examples,
		h("h2", t.by_itself), programs(), h("h2", t.imports), log)
	showLog()
	const {total} = await find({}, tally)
	if (total > 0) return
	welcome.hidden = false
	examples.open = true
	send.classList.remove("primary") // the next step is to add a flat
	add.classList.add("primary")
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

// makeForm makes the form for files and pasted listings, which the button send imports.
function makeForm(send) {
	const input = h("textarea", {spellcheck: "false"})
	const files = h("input", {type: "file", multiple: "", accept: ".json,.gz",
		change: () => take([...files.files]).then(() => files.value = "")})
	const hover = isOver => () => drop.classList.toggle("over", isOver)
	// app.js takes what is dropped.
	const drop = h("label.drop", h("span.button", t.choose_files), h("span.soft", t.drop_files), files,
		{dragenter: hover(true), dragleave: hover(false), drop: hover(false)})
	send.addEventListener("click", () => take([input.value]))
	return h("section.card", drop, h("label.field", t.pasted, input), h("div.line", send))
}

// programs says how other programs bring listings in, with the address that they need.
function programs() {
	const address = new URL("api/v1/import", document.baseURI).href
	const line = (name, url, how, code) => h("li", outward(url, name), ": ", how, h("pre", code, {tabindex: 0}))
	return h("ul.programs", line("fredy", "https://github.com/orangecoding/fredy", t.fredy_how, address),
		line("woob", "https://woob.tech/", t.woob_how, `curl --data-binary @flats.json ${address}`))
}
