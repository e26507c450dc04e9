// The list of flats: the rows of a view, in a table or, on a phone, as cards.

import {call, csvURL, find, flats, keyOf, onChange, statusOf} from "./api.js"
import {setNews} from "./bar.js"
import {fill, h, later, swap} from "./dom.js"
import {hiddenBy, makeControls, tabOf} from "./filters.js"
import {count, number, text} from "./format.js"
import {matcher} from "./marks.js"
import {failed, say} from "./notice.js"
import {pageOf, pageSize, tally} from "./offline.js"
import {flatKeys} from "./parts.js"
import {makePrint} from "./print.js"
import {makeCard, makeRow, makeTable} from "./rows.js"
import {savedSearches} from "./saved.js"
import {hashOf, liveIn, newestFirst, parametersOf, trail} from "./state.js"
import {t} from "./strings.js"

const wide = matchMedia("(min-width: 900px)")

let kept = null // the list as it was left: Back finds it so
let doubles = new Set() // ids of flats that may be another one's home again

export async function show(root, {filters}, signal) {
	const list = new List(root, signal)
	if (kept?.was.hash === hashOf("list", filters)) list.restore(filters, kept)
	else await list.load(filters)
	return list
}

// The live and new ones leave out what is gone, the other tabs do not.
const leavesGone = (tab = "") => tab === "" || tab === "new"

const controlsOf = element => [...element.querySelectorAll("a, button")]
const topOf = element => element.getBoundingClientRect().top

class List {
	rows = new Map() // by id {flat, element}, as they are shown
	loading = new AbortController()

	constructor(root, signal) {
		const print = makePrint(this, signal)
		this.saved = savedSearches()
		this.csv = h("a.button", t.csv, {download: "flats.csv"})
		this.controls = makeControls("list", signal, h("button", t.save_view, {click: this.saved.save}),
			h("button", t.print, {click: print.all}), this.csv)
		this.tabs = h("nav.tabs", {label: t.status})
		this.notes = h("div.hidden-ones")
		this.news = h("div.fresh", {role: "status"})
		this.body = h("div")
		this.more = h("button.more", t.load_more, {click: this.extend, hidden: true})
		this.end = h("p.end")
		this.foot = h("div.foot", this.more, this.end)
		fill(root, h("h1.sr", t.list, {tabindex: -1}), this.controls.head, this.saved.element, this.tabs,
			this.controls.chips, this.notes, this.news, this.body, this.foot, print.element)
		this.near = new IntersectionObserver(seen => seen.at(-1).isIntersecting && this.extend(), {rootMargin: "1600px"})
		onChange(this.changed, signal)
		wide.addEventListener("change", () => this.draw(this.ids().map(id => flats.get(id))), {signal})
		signal.addEventListener("abort", this.leave)
	}

	update = async ({filters}) => {
		if (hashOf("list", filters) !== this.hash) await this.load(filters)
	}

	// What is shown stays until the first rows and the counts of the tabs are there.
	load = async filters => {
		this.begin(filters)
		const {signal} = this.loading
		try {
			const [found, all] = await Promise.all([find(this.parameters, pageOf(0), {signal}), this.countTabs()])
			// There is nothing to see before the first import.
			if (all === 0 && this.hash === "#/") return location.replace("#/import")
			const {total, tag, counts} = found
			Object.assign(this, {total, tag, at: new Date().toISOString(), currencies: counts.currency})
			scrollTo(0, 0)
			this.draw(found.flats)
			say(count(t.n_flats, total))
		} catch (error) {
			if (!signal.aborted) failed(error, () => this.load(filters))
		}
	}

	begin(filters) {
		this.loading.abort()
		this.loading = new AbortController()
		this.filters = filters
		this.hash = hashOf("list", filters)
		this.parameters = parametersOf(filters)
		this.matches = matcher(filters.q)
		this.controls.show(filters)
		this.csv.href = csvURL(this.parameters)
		this.saved.show(filters)
		fill(this.news)
	}

	leave = () => {
		this.loading.abort()
		this.near.disconnect()
		const {hash, total, tag, at, currencies, counts} = this
		const was = {hash, total, tag, at, currencies, counts}
		const ids = this.ids()
		const anchor = this.elements().find(element => topOf(element) > 0)
		if (anchor) kept = {was, ids, anchor: anchor.dataset.id, top: topOf(anchor)}
		trail.ids = ids
	}

	// restore draws the list as it was left, down to what was in sight.
	restore(filters, {ids, anchor, top, was}) {
		this.begin(filters)
		Object.assign(this, was)
		const here = ids.filter(id => this.has(flats.get(id)))
		this.total -= ids.length - here.length
		this.showTabs(...this.counts)
		const last = Math.max(here.indexOf(anchor), here.indexOf(trail.last))
		this.draw(here.slice(0, last + pageSize).map(id => flats.get(id)))
		const scrollBack = () => scrollBy(0, topOf(this.rows.get(anchor)?.element ?? this.body) - top)
		scrollBack()
		requestAnimationFrame(scrollBack) // rows that were not in sight yet had a guessed height
		this.rows.get(trail.last)?.element.querySelector("a").focus({preventScroll: true})
		this.recount()
		this.fresh()
	}

	async countTabs() {
		const of = tab => find(parametersOf({...this.filters, tab}), tally, {signal: this.loading.signal})
		const [live, all] = await Promise.all([of(""), of("all")])
		this.showTabs(live.counts.status, all.counts.status)
		return all.total
	}

	recount = later(() => this.countTabs().catch(() => {}), 50) // the counts of before stand

	showTabs(live, all) {
		this.counts = [live, all]
		setNews(live.new ?? 0)
		const {tab = ""} = this.filters
		const further = Object.keys(all).filter(status => status !== "new").sort((a, b) => liveIn(b) - liveIn(a))
		const names = new Set(["", "new", "shortlist", ...further.map(status => "is:" + status), "all", tab])
		const links = [...names].map(name => {
			const {label, holds} = tabOf(name)
			const counts = Object.entries(leavesGone(name) ? live : all)
			const n = counts.reduce((sum, [status, n]) => sum + (holds(status) ? n : 0), 0)
			return h("a", label, " ", h("b", number(n)), {data: {status: name.replace("is:", "")},
				href: hashOf("list", {...this.filters, tab: name}), "aria-current": tab === name && "page"})
		})
		this.tabs = swap(this.tabs, h("nav.tabs", {label: t.status}, links))
		this.tabs.scrollLeft = this.tabs.querySelector("[aria-current]").offsetLeft - 16
	}

	has = flat => tabOf(this.filters.tab).holds(statusOf(flat)) && !(flat.gone && leavesGone(this.filters.tab))

	elements = () => [...this.body.querySelectorAll(".row")]
	ids = () => this.elements().map(({dataset}) => dataset.id)

	draw(found) {
		this.rows = new Map()
		const {sort = newestFirst} = this.filters
		this.holder = wide.matches ? makeTable(sort, sort => this.controls.go({...this.filters, sort})) : h("ol.rows")
		fill(this.body, this.holder)
		this.append(found)
		this.finish()
		this.controls.showCurrencies(this.currencies)
		for (const ask of [this.showHidden, this.saved.count, this.markDoubles])
			ask(this.loading.signal).catch(() => {}) // the list does without
	}

	rowOf(flat) {
		return (this.holder.tBodies ? makeRow : makeCard)(flat, this.matches, doubles.has(keyOf(flat)))
	}

	// Pages overlap where a flat came in between. In one body alone, a table would
	// be laid out anew as a whole.
	append(found) {
		const rows = found.filter(flat => !this.rows.has(keyOf(flat))).map(flat => ({flat, element: this.rowOf(flat)}))
		for (const row of rows) this.rows.set(keyOf(row.flat), row)
		const group = this.holder.createTBody?.() ?? this.holder
		group.append(...rows.map(({element}) => element))
		return rows.length
	}

	extend = () => {
		const {signal} = this.loading
		this.extending ??= this.nextPage(signal)
			.catch(error => signal.aborted || failed(error, this.extend))
			.finally(() => (this.extending = null))
	}

	// Where flats have left, the next page begins earlier.
	async nextPage(signal, page = Math.floor(this.ids().length / pageSize)) {
		const found = await find(this.parameters, pageOf(page), {signal})
		const added = this.append(found.flats)
		const last = (page + 1) * pageSize >= found.total
		this.total = last ? this.ids().length : found.total
		this.finish()
		if (added === 0 && !last) await this.nextPage(signal, page + 1)
	}

	finish() {
		const done = this.ids().length >= this.total
		// Who scrolls fast is at the new end at once: observed anew, it tells so again.
		this.near.unobserve(this.foot)
		if (!done) this.near.observe(this.foot)
		this.more.hidden = done
		fill(this.end, done && (this.total > 0 ? t.the_end : t.no_match))
		this.holder.hidden = this.total === 0
	}

	// A row that leaves the view leaves a comment in its place, where Undo puts it back.
	changed = (flat, before) => {
		if (statusOf(before) !== statusOf(flat)) this.recount()
		const row = this.rows.get(keyOf(flat))
		if (!row) return
		const {element} = row
		const [was, is] = [element instanceof Element, this.has(flat)]
		Object.assign(row, {flat, element: is ? this.rowOf(flat) : new Comment()})
		if (was && !is) this.passFocus(element)
		if (was && is) swap(element, row.element)
		else element.replaceWith(row.element)
		this.total += is - was
		this.finish()
	}

	// The focus goes on to the same control of the next row.
	passFocus(element) {
		const control = controlsOf(element).indexOf(document.activeElement)
		const next = this.beside(element, 1) ?? this.beside(element, -1)
		if (control >= 0) (next ? controlsOf(next)[control] : this.controls.search).focus({preventScroll: true})
	}

	beside(element, by) {
		const all = this.elements()
		return all[all.indexOf(element) + by]
	}

	// What a range hides because nobody knows it.
	showHidden = async signal => {
		const lines = await Promise.all(hiddenBy(this.filters).map(async ({words, hidden, shown}) => {
			const {total} = await find(hidden, {"page[size]": 1, fields: "status"}, {signal})
			return total > 0 && h("p", text(words, {n: number(total)}), " · ",
				h("button.link", t.show, {click: () => this.controls.go(shown)}))
		}))
		fill(this.notes, lines)
	}

	markDoubles = async signal => {
		const {data} = await call("duplicates", {signal})
		doubles = new Set(data.flatMap(({ids}) => ids.map(String)))
		for (const [id, {flat}] of this.rows) if (doubles.has(id)) this.changed(flat, flat)
	}

	// fresh looks whether something came in or changed elsewhere, and says so.
	fresh = async () => {
		if (!this.tag) return
		const {signal} = this.loading
		const size = Math.min(500, Math.max(pageSize, this.ids().length))
		const asked = find(this.parameters, {"page[size]": size, "page[number]": 0}, {signal, since: this.tag})
		const found = await asked.catch(() => null) // it tries again in a minute
		if (!found || found.asOf || signal.aborted) return
		this.tag = found.tag
		const shown = flat => this.rows.get(keyOf(flat))?.flat
		const came = found.flats.filter(flat => flat.first_seen >= this.at && !shown(flat)).length
		const arrived = Math.max(came, found.total - this.total)
		const left = this.total + arrived - found.total
		const differs = flat => shown(flat) && JSON.stringify(shown(flat)) !== JSON.stringify(flat)
		const changed = found.flats.filter(differs).length
		if (arrived + changed + left === 0) return
		const words = text(t.fresh, {new: number(arrived), changed: number(changed + left)})
		fill(this.news, h("button", words, " · ", t.show, {click: () => this.load(this.filters)}))
	}

	row = () => document.activeElement.closest(".row")

	step = by => () => (this.row() ? this.beside(this.row(), by) : this.elements()[0])?.querySelector("a").focus()

	keys = {
		j: [t.key_next, this.step(1)],
		k: [t.key_next, this.step(-1)],
		...flatKeys(() => this.row()?.dataset.id),
	}
}
