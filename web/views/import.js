// Import: listings from files or pasted text, and the log of imports. It exports show, as all views do (see app.js),
// and importFiles, for files that are dropped on any view.

import {call} from "../lib/api.js"
import {fill, h, outward, swap} from "../lib/dom.js"
import {siteOf} from "../lib/fields.js"
import {look} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {tally} from "../lib/query.js"
import {hashOf} from "../lib/state.js"
import {countNews} from "../parts/bar.js"
import {reason} from "../parts/notice.js"
import {example, makeWelcome} from "../parts/welcome.js"
import {count, dayAndTime, number, t, text} from "../words/format.js"

// show fills root with a link to Add, the form, the report of this page's imports, and the log of all imports. While
// the service has no flats, it begins with a field for the first one, and the rest is folded.
export async function show(root, route, signal) {
	const {welcome, add, report, form, log, importAll, showLog, greet, leave} = importer()
	signal.addEventListener("abort", leave)
	const examples = h("details.examples", h("summary", t.example), h("pre", example, {tabindex: 0}),
		h("button", t.import_example, {click: () => importAll([example])}))
	const formColumn = h("div", form)
	const many = h("details.many", h("summary", t.many_or_automatic),
		h("div.columns", formColumn, h("div", h("h2", t.imports), log)), h("h2", t.by_itself), programs())
	const wasEmpty = !welcome.hidden // whether the service had no flats when this was last known
	fill(root, welcome, h("h1", t.import), h("p.line", t.add_how, add), report, many)
	arrange()
	showLog()
	await greet()
	const isEmpty = !welcome.hidden
	if (isEmpty !== wasEmpty) arrange() // otherwise folds stay as the user has set them

	// arrange folds the import of many listings while there are no flats, and shows the example above it.
	function arrange() {
		many.open = welcome.hidden
		examples.open = !welcome.hidden
		if (welcome.hidden) formColumn.append(examples)
		else many.before(examples)
	}
}

// importFiles opens this view and imports files.
export function importFiles(files) {
	location.hash = hashOf("import")
	return importer().importAll(files)
}

// importer returns elements that outlive the view, and functions that act on them: an import continues when the view is
// left, and pasted text stays.
const importer = () => kept.importer ??= makeImporter()

// makeImporter makes what importer returns.
function makeImporter() {
	const report = h("div.report", {role: "status"})
	const log = h("ul.log")
	const welcome = makeWelcome({hidden: kept.list?.counts?.total !== 0})
	const add = h("a.button", t.add, {href: hashOf("add")})
	const send = h("button.take", t.import)
	const {form, untick} = makeForm(importAll, send)

	// greet shows the field for the first flat while there are no flats, and makes the field the next step.
	async function greet() {
		const {total} = await look({}, tally)
		welcome.hidden = total > 0
		send.classList.toggle("primary", total > 0)
	}

	function showLog() {
		call("imports")
			.then(({data}) => fill(log, data.length > 0 ? data.map(logLine) : h("li.soft", t.no_imports)))
			.catch(() => {/* the rest works without */})
	}

	// importAll imports files or texts one after the other, reports each, and promises whether all were imported.
	// completeSite is the site whose complete list this is, or null.
	async function importAll(inputs, completeSite = null) {
		fill(report)
		let allDone = true
		for (const input of inputs) if (!await importOne(input, completeSite, report)) allDone = false
		showLog()
		greet().catch(() => {/* the report says what came in */})
			.then(() => report.scrollIntoView({block: "nearest"})) // it is above the pressed button
		return allDone
	}

	// leave removes errors and the tick, which would be a surprise when the view is next opened.
	function leave() {
		for (const line of report.querySelectorAll(".wrong")) line.remove()
		untick()
	}

	return {report, log, welcome, add, form, importAll, showLog, greet, leave}
}

// logLine writes an import in the log.
const logLine = ({at, source, error, note, ...counts}) => h("li", dayAndTime(at), ", ",
	{HTTP: t.by_http, mailbox: t.mailbox}[source] ?? `${t.by_folder}, ${source}`, ": ",
	error ? h("span.wrong", explained(error)) : note || countsInWords(counts))

// countsInWords writes the counts of an import.
const countsInWords = ({added, updated, unchanged, gone, followed, dismissed}) => [
	text(t.imported,
		{added: number(added), updated: number(updated), unchanged: number(unchanged), gone: number(gone)}),
	followed > 0 && count(t.n_followed_by_rules, followed),
	dismissed > 0 && count(t.n_dismissed_by_rules, dismissed),
].filter(Boolean).join(", ")

// explained writes an error of the service with its line number, without the name of the input, which is always "body".
function explained(message) {
	const [, n, error] = /^(?:Nothing was imported: )?[^:]*:(\d+): (.*)$/s.exec(message) ?? []
	return n ? text(t.nothing_at, {n, error}) : message
}

// importOne imports a file or text, adds a line about it to report, and promises whether it was imported.
async function importOne(input, completeSite, report) {
	const name = input.name && h("b", input.name + ": ")
	const line = h("p", name, t.importing)
	report.append(line)
	try {
		const other = await otherThanListings(input)
		if (other) return refuse(line, name, other)
		const counts = await post(input, completeSite)
		fill(line, name, countsInWords(counts), " ", h("a", t.triage, {href: hashOf("triage")}))
		return true
	} catch (error) {
		line.replaceWith(h("p.wrong", name, explained(reason(error)), {role: "alert"}))
		return false
	}
}

// refuse reports that a link or the text of a listing should be added instead, and links to Add.
function refuse(line, name, {advice, link}) {
	const add = h("a", t.add, {href: `${hashOf("add")}?${new URLSearchParams({url: link})}`})
	line.replaceWith(h("p.wrong", name, advice, " ", add, {role: "alert"}))
	return false
}

// otherThanListings promises {advice, link} if a file or text is a link or the text of a listing. It promises null if
// there may be listings in it, or if the service can say better what it is. link is for Add, or "" for a text.
async function otherThanListings(input) {
	if (isZipped(input) || isMail(input)) return null
	const start = (await new Response(input.slice(0, 100_000)).text()).trim()
	const [first = "", second = ""] = start.split(/\s*\n\s*/, 2)
	if (/^(?:https?:\/\/|www\.)\S+$/i.test(start)) return {advice: t.is_link, link: start}
	const isOther = /^[[{<]|^PK|[\0\uFFFD]/.test(start) // JSON, HTML, a zip file, or bytes that are no text
	if (isOther || start === "") return null
	const columns = line => line.split(/[,;\t]/).length
	// A sentence often has one comma, too, so a table of two columns must begin with their names.
	const isHead = columns(first) > 2 || /^["\p{L}_]+[,;]["\p{L}_]+$/u.test(first)
	return second && isHead ? null : {advice: t.is_text, link: ""}
}

const isZipped = ({name}) => /\.gz$/.test(name)
const isMail = ({name}) => /\.eml$/i.test(name)

// post imports a file or text and promises the counts. A large file takes minutes.
async function post(body, completeSite) {
	const path = completeSite === null ? "import" : "import?" + new URLSearchParams({complete: completeSite})
	const headers = {}
	if (isZipped(body)) headers["Content-Encoding"] = "gzip"
	if (isMail(body)) headers["Content-Type"] = "message/rfc822"
	const {data} = await call(path, {method: "POST", body, headers, patience: 600_000})
	countNews().catch(() => {})
	return data
}

// makeForm makes the form for files and pasted listings, {form, untick}. send is the submit button. A complete list,
// which untick deselects, must be one file or text, because the service marks all other flats of the site as gone.
function makeForm(importAll, send) {
	const pasted = h("textarea", {spellcheck: "false", change: check})
	const hint = h("span.soft")
	const accept = ".json,.jsonl,.ndjson,.csv,.tsv,.gz,.eml"
	const files = h("input", {type: "file", multiple: "", accept, change: check})
	const completeBox = h("input", {type: "checkbox", change: tick})
	let site = makeSite()
	const inputs = () => [...files.files, ...(pasted.value.trim() ? [pasted.value] : [])]
	let commonSite = "" // the site of all listings that are chosen, or ""

	// tick replaces the field for the site, because the browser marks a field as invalid after a submit.
	function tick() {
		site = swap(site, makeSite(site.value))
		check()
	}

	function untick() {
		completeBox.checked = false
		check()
	}

	// check shows what is chosen, and fills in the site if all listings are of one.
	async function check() {
		const [input, ...others] = inputs()
		fill(hint, [...files.files].map(({name}) => name).join(", ") || t.drop_files)
		completeBox.setCustomValidity(completeBox.checked && others.length > 0 ? t.one_source : "")
		site.hidden = site.disabled = !completeBox.checked
		if (!completeBox.checked) return
		const found = others.length > 0 ? "" : await siteIn(input)
		if (input !== inputs()[0]) return // others were chosen meanwhile
		const isTyped = site.value !== commonSite
		commonSite = found
		if (found || !isTyped) site.value = found
	}

	// submit imports what is chosen. Files are deselected, because they may change; a rejected text stays, to be
	// corrected.
	async function submit(event) {
		event.preventDefault()
		const all = inputs()
		if (all.length === 0) return pasted.focus()
		const pastedBefore = pasted.value
		const areDone = await importAll(all, completeBox.checked ? site.value.trim() : null)
		files.value = ""
		if (areDone && pasted.value === pastedBefore) form.reset()
		check()
	}

	const setOver = isOver => () => drop.classList.toggle("over", isOver)
	// app.js imports dropped files.
	const drop = h("label.drop", h("span.button", t.choose_files), hint, files,
		{dragenter: setOver(true), dragleave: setOver(false), drop: setOver(false)})
	const form = h("form.card", {submit}, drop, h("label.field", t.pasted, pasted),
		h("div.line", h("label.line", completeBox, t.everything_of_site), site), h("div.line", send))
	check()
	return {form, untick}
}

// makeSite makes the field for the site of a complete list.
const makeSite = (value = "") =>
	h("input.site", {value, required: "", label: t.site, autocomplete: "off", spellcheck: "false"})

// siteIn promises the site of all listings in a file or text, or "" if they have no common one.
async function siteIn(input) {
	try {
		const body = isZipped(input) ? input.stream().pipeThrough(new DecompressionStream("gzip")) : input
		const read = await new Response(body).json()
		const sites = new Set([read.data ?? read].flat().map(siteOf))
		return sites.size === 1 ? [...sites][0] : ""
	} catch {
		return "" // the service will report the error
	}
}

// programs lists other programs that can import listings, with the address that they need.
function programs() {
	const address = new URL("api/v1/import", document.baseURI).href
	const line = (name, url, how, code) => h("li", outward(url, name), ": ", how, h("pre", code, {tabindex: 0}))
	return h("ul.programs.columns", line("fredy", "https://github.com/orangecoding/fredy", t.fredy_how, address),
		line("woob", "https://woob.tech/", t.woob_how, `curl --data-binary @flats.json ${address}`))
}
