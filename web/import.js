// Import: listings from files or pasted, and the last imports. It exports show, as all views do (see
// app.js), and importFiles, for files that are dropped on any view.

import {call, look} from "./api.js"
import {countNews} from "./bar.js"
import {fill, h, outward} from "./dom.js"
import {dayAndTime, t, text} from "./format.js"
import {reason} from "./notice.js"
import {siteOf} from "./parts.js"
import {hashOf, tally} from "./state.js"

// These elements outlive the view, because an import goes on when the view is left, and what was pasted stays.
const report = h("div.report", {role: "status"})
const log = h("ul.log")
const welcome = h("p.welcome", {hidden: true}, t.welcome)
const add = h("a.button", t.add, {href: hashOf("add")})
const send = h("button.take", t.import)
let form // makeForm makes it when the view is first opened

// show fills root with the way to Add, the form, the report of this page's imports, and the log of all. While the
// service has no flats, it says first what the page is for, and shows an example.
export async function show(root) {
	const examples = h("details.examples", h("summary", t.example), h("pre", example, {tabindex: 0}),
		h("button", t.import_example, {click: () => take([example])}))
	fill(root, h("h1", t.import), welcome, h("p.line", t.add_how, add), report, form ??= makeForm(), examples,
		h("h2", t.by_itself), programs(), h("h2", t.imports), log)
	showLog()
	await greet()
	examples.open = !welcome.hidden
}

// greet says what the page is for, and makes adding a flat the next step, as long as there are no flats.
async function greet() {
	const {total} = await look({}, tally)
	welcome.hidden = total > 0
	send.classList.toggle("primary", total > 0)
	add.classList.toggle("primary", total === 0)
}

function showLog() {
	const line = ({at, source, error, ...counts}) => h("li", dayAndTime(at), ", ",
		source === "HTTP" ? t.by_http : `${t.by_folder}, ${source}`, ": ",
		error ? h("span.wrong", explained(error)) : text(t.imported, counts))
	call("imports")
		.then(({data}) => fill(log, data.length > 0 ? data.map(line) : h("li.soft", t.no_imports)))
		.catch(() => {/* the rest works without */})
}

// explained says in which line of its input the service found a mistake. It names the input itself, which is
// "body" for all that a client sends.
function explained(message) {
	const [, n, error] = /^(?:Nothing was imported: )?[^:]*:(\d+): (.*)$/s.exec(message) ?? []
	return n ? text(t.nothing_at, {n, error}) : message
}

// importFiles opens this view and imports files.
export function importFiles(files) {
	location.hash = hashOf("import")
	return take(files)
}

// take imports files or texts one after the other, and reports each. complete names the site that has no other
// flats; null stands for none. take promises whether all were imported.
async function take(inputs, complete = null) {
	fill(report)
	let areDone = true
	for (const input of inputs) areDone = await takeIn(input, complete) && areDone
	showLog()
	greet().catch(() => {/* the report says what came in */})
	return areDone
}

async function takeIn(input, complete) {
	const name = input.name && h("b", input.name + ": ")
	const line = h("p", name, t.importing)
	report.append(line)
	try {
		const counts = await post(input, complete)
		fill(line, name, text(t.imported, counts), " ", h("a", t.triage, {href: hashOf("triage")}))
		return true
	} catch (error) {
		line.replaceWith(h("p.wrong", name, explained(reason(error)), {role: "alert"}))
		return false
	}
}

const isZipped = ({name}) => /\.gz$/.test(name)

// post imports a file or text and returns the counts. A large file takes minutes.
async function post(body, complete) {
	const path = complete === null ? "import" : "import?" + new URLSearchParams({complete})
	const headers = isZipped(body) ? {"Content-Encoding": "gzip"} : {}
	const {data} = await call(path, {method: "POST", body, headers, patience: 600_000})
	countNews().catch(() => {})
	return data
}

const example = `[{"id": "1@example", "title": "Two rooms with a balcony", "cost": 840, "currency": "EUR",
  "area": 46, "rooms": 2, "location": "12 Mill Street", "urls": ["https://example.org/1"]}]`

// makeForm makes the form for files and pasted listings. One that takes everything of a site takes one file or
// text, because the service marks all others as gone.
function makeForm() {
	const pasted = h("textarea", {spellcheck: "false", change: check})
	const hint = h("span.soft")
	const files = h("input", {type: "file", multiple: "", accept: ".json,.gz", change: check})
	const every = h("input", {type: "checkbox", change: check})
	const site = h("input.site", {required: "", label: t.site, autocomplete: "off", spellcheck: "false"})
	const inputs = () => [...files.files, ...(pasted.value.trim() ? [pasted.value] : [])]
	let found = "" // the site of the listings

	// check shows what is chosen, and fills in the site if all listings are of one.
	async function check() {
		const [input, ...others] = inputs()
		fill(hint, [...files.files].map(({name}) => name).join(", ") || t.drop_files)
		every.setCustomValidity(every.checked && others.length > 0 ? t.one_source : "")
		site.hidden = site.disabled = !every.checked
		if (!every.checked) return
		const before = found
		const now = others.length > 0 ? "" : await siteIn(input)
		if (input !== inputs()[0]) return // others were chosen meanwhile
		found = now
		if (found || site.value === before) site.value = found
	}

	// submit imports what is chosen. Files must be chosen again, because they may change; a text that was refused
	// stays, to be corrected.
	async function submit(event) {
		event.preventDefault()
		const all = inputs()
		if (all.length === 0) return pasted.focus()
		const before = pasted.value
		const areDone = await take(all, every.checked ? site.value.trim() : null)
		files.value = ""
		if (areDone && pasted.value === before) form.reset()
		check()
	}

	const hover = isOver => () => drop.classList.toggle("over", isOver)
	// app.js takes what is dropped.
	const drop = h("label.drop", h("span.button", t.choose_files), hint, files,
		{dragenter: hover(true), dragleave: hover(false), drop: hover(false)})
	const form = h("form.card", {submit}, drop, h("label.field", t.pasted, pasted),
		h("div.line", h("label.line", every, t.every), site), h("div.line", send))
	check()
	return form
}

// siteIn returns the site of all listings in a file or text, or "" if there is no such site.
async function siteIn(input) {
	try {
		const body = isZipped(input) ? input.stream().pipeThrough(new DecompressionStream("gzip")) : input
		const read = await new Response(body).json()
		const sites = new Set([read.data ?? read].flat().map(siteOf))
		return sites.size === 1 ? [...sites][0] : ""
	} catch {
		return "" // the service says what is wrong
	}
}

// programs says how other programs bring listings in, with the address that they need.
function programs() {
	const address = new URL("api/v1/import", document.baseURI).href
	const line = (name, url, how, code) => h("li", outward(url, name), ": ", how, h("pre", code, {tabindex: 0}))
	return h("ul.programs", line("fredy", "https://github.com/orangecoding/fredy", t.fredy_how, address),
		line("woob", "https://woob.tech/", t.woob_how, `curl --data-binary @flats.json ${address}`))
}
