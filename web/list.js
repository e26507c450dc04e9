// The list of flats.

import {constraints, flats, keyOf, onChange, Results, statuses, statusOf} from "./api.js"
import {fill, h, later, photos, picture, swap} from "./dom.js"
import {marked, matcher} from "./marks.js"
import {failed, say, title} from "./notice.js"
import {about, choices, common, facts, flatKey} from "./parts.js"
import {flatHash, listHash, parse, ranges, sorts, trail} from "./state.js"
import {count, dayAndTime, number, statusName, t} from "./strings.js"

let query, results
let rows = new Map() // by id; those taken out too, as Undo puts them back
let counts = {}
let y = 0 // how far one had scrolled

const option = (value, text = value) => h("option", text, {value})
const controls = {
	q: h("input#search", {type: "search", placeholder: t.search, label: t.search}),
	sort: h("select", sorts.map((name, i) => option(i ? name : "", t[name]))),
	...Object.fromEntries(ranges.map(name => [name, h("input", {type: "number", step: "any", wheel: ({target}) => target.blur()})])),
	constraint: h("select", option("", t.all)),
}
const {q, ...others} = controls
const open = h("button.toggle", {"aria-expanded": "false", click: () => open.setAttribute("aria-expanded", element.classList.toggle("open"))})
let tabs = h("nav")
const total = h("p")
const triage = h("a.button", t.triage_these)
const list = h("ol.rows")
const empty = h("div.empty")
const next = h("div") // in sight, more rows come

export const element = h("section.list", h("h1.sr", t.list),
	h("div.search", {role: "search", input: later(change, 200)}, q, open,
		h("div.filters", Object.entries(others).map(([name, control]) => h("label", h("span", t[name]), control)))),
	tabs, h("div.head", total, triage), empty, list, next)

// Back must not go through a word letter by letter.
function change() {
	const next = {status: query.status}
	for (const name in controls) next[name] = controls[name].value.trim()
	if (listHash(next) === listHash(query)) return
	history.replaceState(null, "", listHash(next))
	load(parse(location.hash).query)
}

// Coming back finds the list as it was left.
export async function show(to) {
	const back = query && listHash(query) === listHash(to)
	scrollTo(0, back ? y : 0)
	if (back) focusRow(trail.last, true)
	else await load(to)
}

export const hide = () => (y = scrollY)

function load(to) {
	results?.stop()
	query = to
	results = new Results(query)
	results.matches = matcher(query.q)
	next.hidden = true
	showQuery()
	return addPage(results)
}

function showQuery() {
	offer(query.constraint)
	for (const name in controls) if (controls[name] !== document.activeElement) controls[name].value = query[name] ?? ""
	const used = [...ranges, "constraint"].filter(name => query[name]).length
	fill(open, t.filters, used > 0 && ` (${used})`)
	triage.href = listHash({...query, status: ""}, "#/triage")
	showTabs()
}

function offer(name = "") {
	if (![...others.constraint.options].some(({value}) => value === name)) others.constraint.append(option(name))
}

function showTabs() {
	const {status: current = ""} = query
	const all = new Set(["", ...statuses, ...Object.keys(counts), current])
	swap(tabs, tabs = h("nav.tabs", {label: t.status}, [...all].map(status =>
		h("a", status ? statusName(status) : t.all, " ", h("b", status in counts && number(counts[status])),
			{href: listHash({...query, status}), "data-status": status, "aria-current": status === current && "page"}))))
}

async function addPage(mine) {
	const first = !mine.ids.length
	try {
		const found = await mine.more()
		if (mine !== results) return
		if (first) {
			rows = new Map()
			fill(list)
			Object.assign(trail, {hash: listHash(query), ids: mine.ids, more: extend})
		}
		for (let i = 0; i < found.length; i += 10) {
			if (i) await new Promise(done => setTimeout(done)) // typing and scrolling go on
			if (mine !== results) return
			for (const flat of found.slice(i, i + 10)) rows.set(keyOf(flat), list.appendChild(makeRow(flat)))
		}
		finish()
		if (!first) return
		say(total.textContent)
		const tally = await mine.counts()
		if (mine !== results) return
		counts = tally
		showTabs()
	} catch (error) {
		failed(error, () => first ? load(query) : extend())
	}
}

const extend = () => addPage(results)

new IntersectionObserver(([end]) => end.isIntersecting && extend(), {rootMargin: "1500px"}).observe(next)

function finish() {
	fill(total, count(t.n_flats, results.total))
	next.hidden = results.done
	if (list.firstChild || !results.done) fill(empty)
	else if (listHash({...query, sort: ""}) !== "#/") fill(empty, h("h2", t.no_match), h("a.button", t.clear_filters, {href: "#/"}))
	else fill(empty, h("h2", t.no_flats), h("p", t.no_flats_hint), h("pre", "flats import listings.json"))
}

function makeRow(flat) {
	const {matches} = results
	const id = keyOf(flat)
	const [photo] = photos(flat)
	const name = title(flat)
	const status = statusOf(flat)
	const [line] = (flat.notes ?? "").trim().split("\n")
	return h("li.row", {"data-id": id, "data-status": status}, photo && picture(photo, ""),
		h("div.what",
			h("h2", h("a", marked(name, "title", matches), {href: flatHash(id)})), about(flat),
			h("p.excerpt", marked(flat.text, "text", matches, 220)),
			flat.visit_date && h("p.badge", `${t.visit_date}: ${dayAndTime(flat.visit_date)}`),
			line && h("p.note", marked(line, "notes", matches))),
		facts(flat),
		h("div.acts", h("p.badge", statusName(status)), choices(id, common)))
}

// Where a row leaves, the next one takes the focus. Undo puts it back.
onChange((flat, before) => {
	const id = keyOf(flat)
	const old = rows.get(id)
	if (!old) return
	const row = makeRow(flat)
	rows.set(id, row)
	const [was, is] = [statusOf(before), statusOf(flat)]
	counts[was]--
	counts[is] = (counts[is] ?? 0) + 1
	showTabs()
	if (!old.isConnected) {
		if (!results.has(flat)) return
		const after = results.ids.slice(results.ids.indexOf(id) + 1).find(id => rows.get(id)?.isConnected)
		list.insertBefore(row, rows.get(after) ?? null)
		results.total++
	} else {
		if (results.has(flat)) return swap(old, row)
		const heir = old.nextSibling ?? old.previousSibling
		if (heir) swap(old, heir)
		else q.focus(), old.remove()
		results.total--
		if (!results.done && list.childElementCount < 10) extend()
	}
	finish()
})

function focusRow(id, quiet) {
	const row = rows.get(id)
	row?.querySelector("a").focus({preventScroll: quiet})
	row?.scrollIntoView({block: "nearest"})
}

export function key(key) {
	const row = document.activeElement.closest(".row")
	const to = {j: row ? row.nextSibling : list.firstChild, k: row?.previousSibling}
	if (key in to) focusRow(to[key]?.dataset.id)
	else return Boolean(row) && flatKey(row.dataset.id, key)
	return true
}

export const focusSearch = () => q.select()

constraints().then(names => names.forEach(offer), () => {})
