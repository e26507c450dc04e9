// The list of flats: the rows of a view, in a table or, on a phone, as cards.

import {call, csvURL, find, flats, keyOf, onChange, statusOf} from "./api.js"
import {setNews} from "./bar.js"
import {fill, h, later, swap} from "./dom.js"
import {makeControls, ranged} from "./filters.js"
import {count, number, statusName, text} from "./format.js"
import {matcher} from "./marks.js"
import {failed, say} from "./notice.js"
import {pageOf, pageSize, tally} from "./offline.js"
import {flatKeys} from "./parts.js"
import {makePrint} from "./print.js"
import {makeCard, makeTable, makeTableRow} from "./rows.js"
import {savedSearches} from "./saved.js"
import {hashOf, liveIn, newestFirst, parametersOf, shortlisted, trail} from "./state.js"
import {t} from "./strings.js"

// As many rows as a screen has come at once, further ones a few at a time.
const firstRows = 12
const rowsAtATime = 10

const wide = matchMedia("(min-width: 900px)")

// What the list was when it was left: Back finds it so.
let kept = null

const controls = "a, button, select"

// The ids of flats that may be another one's home again, once they are known.
let doubles = new Set()

export async function show(root, route, signal) {
	const list = new List(root, signal)
	onChange(list.changed, signal)
	wide.addEventListener("change", list.renderAll, {signal})
	signal.addEventListener("abort", list.keep)
	if (kept?.hash === hashOf("list", route.filters)) await list.restore(route.filters, kept)
	else await list.load(route.filters)
	return {keys: list.keys, update: list.update, fresh: list.fresh}
}

class List {
	constructor(root, signal) {
		this.signal = signal
		this.loading = new AbortController()
		this.print = makePrint(this, signal)
		this.saved = savedSearches()
		this.csv = h("a.button", t.csv, {download: "flats.csv"})
		this.controls = makeControls(this.go, signal, h("button", t.save_view, {click: this.saved.save}),
			h("button", t.print, {click: this.print.all}), this.csv)
		this.tabs = h("nav.tabs", {label: t.status})
		this.notes = h("div.hidden-ones")
		this.news = h("div.fresh")
		this.body = h("div")
		this.more = h("button.more", t.load_more, {click: () => this.extend(), hidden: true})
		this.end = h("p.end", t.the_end, {hidden: true})
		this.foot = h("div.foot", this.more, this.end)
		fill(root, h("h1.sr", t.list, {tabindex: -1}), this.controls.head, this.saved.element, this.tabs,
			this.controls.chips, this.notes, this.news, this.body, this.foot, this.print.element)
		this.near = new IntersectionObserver(([end]) => end.isIntersecting && this.extend(), {rootMargin: "1600px"})
		signal.addEventListener("abort", () => this.near.disconnect())
	}

	// go shows other filters; what is typed or sorted replaces the entry in the
	// history, as Back must not go through a word letter by letter.
	go = filters => {
		const hash = hashOf("list", filters)
		if (hash === hashOf("list", this.filters)) return
		history.replaceState(null, "", hash)
		dispatchEvent(new Event("hashchange"))
	}

	update = async ({filters}) => {
		if (hashOf("list", filters) !== hashOf("list", this.filters)) await this.load(filters)
	}

	// load asks for the first rows of a view and for the counts of its tabs. What
	// is shown stays until they are there.
	load = async filters => {
		this.begin(filters)
		const {signal} = this.loading
		try {
			const [found, others] = await Promise.all([find(this.parameters, pageOf(0), {signal}), this.countOthers()])
			if (signal.aborted) return
			Object.assign(this, {ids: [], total: found.total, tag: found.tag, at: new Date().toISOString()})
			this.take(found.flats)
			this.setCounts(found.counts, others.counts)
			// There is nothing to see before the first import.
			if (found.total + others.total === 0 && hashOf("list", filters) === "#/") return location.replace("#/import")
			scrollTo(0, 0)
			this.remember()
			say(count(t.n_flats, this.total))
			await this.renderAll()
			if (!signal.aborted) this.after()
		} catch (error) {
			if (!signal.aborted) failed(error, () => this.load(filters))
		}
	}

	begin(filters) {
		this.left = new Map() // what took the place of the rows that left
		this.page = null
		this.loading.abort()
		this.loading = new AbortController()
		this.signal.addEventListener("abort", () => this.loading.abort(), {once: true})
		this.filters = filters
		this.parameters = parametersOf(filters)
		this.matches = matcher(filters.q)
		this.controls.show(filters)
		this.csv.href = csvURL(this.parameters)
		this.saved.show(filters)
		fill(this.news)
	}

	// Coming back finds the list as it was left; the tabs may count others by now.
	restore = async (filters, was) => {
		this.begin(filters)
		Object.assign(this, {total: was.total, tag: was.tag, at: was.at})
		this.ids = was.ids.filter(id => this.has(flats.get(id)))
		this.total -= was.ids.length - this.ids.length
		this.setCounts(was.counts, was.others)
		this.remember()
		this.renderAll()
		this.drawSome(was.drawn - this.drawn)
		this.scrollBack(was)
		this.focus(trail.last)
		// Rows that were not in sight yet had a guessed height.
		requestAnimationFrame(() => this.scrollBack(was))
		this.recount()
		this.fresh()
		this.after()
	}

	scrollBack({anchor, top}) {
		const element = this.rows.get(anchor)?.element
		if (element) scrollBy(0, element.getBoundingClientRect().top - top)
	}

	keep = () => {
		if (!this.ids) return
		const {total, tag, at, ids, counts, others} = this
		const top = id => this.rows.get(id).element.getBoundingClientRect().top
		const drawn = ids.slice(0, this.drawn)
		const anchor = drawn.find(id => top(id) > 0)
		const below = drawn.findIndex(id => top(id) > 2 * innerHeight)
		kept = {hash: hashOf("list", this.filters), total, tag, at, ids, counts, others,
			anchor, top: anchor && top(anchor), drawn: below < 0 ? this.drawn : below}
	}

	remember() {
		Object.assign(trail, {hash: hashOf("list", this.filters), ids: this.ids, more: this.extend})
	}

	// after is what can wait until the rows are seen.
	after() {
		for (const ask of [this.showHidden, this.saved.count, this.markDoubles])
			ask(this.loading.signal).catch(() => {}) // the list does without
	}

	// The live and new ones leave out what is gone, the other tabs do not.
	leavesGone = () => ["", "new"].includes(this.filters.tab ?? "")

	countOthers() {
		const others = parametersOf({...this.filters, tab: this.leavesGone() ? "all" : ""})
		return find(others, tally, {signal: this.loading.signal})
	}

	recount = later(async () => {
		const {signal} = this.loading
		const both = [find(this.parameters, tally, {signal}), this.countOthers()]
		const [same, others] = await Promise.all(both).catch(() => []) // those of before stand
		if (same) this.setCounts(same.counts, others.counts)
	}, 50)

	setCounts(counts, others) {
		this.counts = counts
		this.others = others
		const {tab = ""} = this.filters
		const [live, all] = this.leavesGone() ? [counts.status, others.status] : [others.status, counts.status]
		const sum = (of, has) => Object.entries(of).reduce((n, [status, m]) => n + (has(status) ? m : 0), 0)
		setNews(live.new ?? 0)
		const further = Object.keys(all).filter(status => status !== "new").sort((a, b) => liveIn(b) - liveIn(a))
		const offered = [
			["", t.live, sum(live, liveIn)], ["new", t.status_new, live.new ?? 0],
			["shortlist", t.shortlist, sum(all, status => shortlisted.includes(status))],
			...further.map(status => ["is:" + status, statusName(status), all[status]]),
			["all", t.all, sum(all, () => true)],
		]
		if (tab && !offered.some(([name]) => name === tab)) offered.push([tab, statusName(tab.slice(3)), 0])
		const tabs = offered.map(([name, label, n]) => h("a", label, " ", h("b", number(n)), {
			href: hashOf("list", {...this.filters, tab: name}), "aria-current": tab === name && "page",
			"data-status": name === "new" ? name : name.slice(3),
		}))
		this.tabs = swap(this.tabs, h("nav.tabs", {label: t.status}, tabs))
		this.tabs.scrollLeft = this.tabs.querySelector("[aria-current]").offsetLeft - 16
		this.controls.showCurrencies(counts.currency)
	}

	has = flat => {
		const {tab = ""} = this.filters
		const status = statusOf(flat)
		if (tab === "") return liveIn(status) && !flat.gone
		if (tab === "new") return status === "new" && !flat.gone
		if (tab === "shortlist") return shortlisted.includes(status)
		return tab === "all" || tab === "is:" + status
	}

	// What is shown stays until the first rows are there to take its place.
	renderAll = () => {
		const cards = !wide.matches
		const sortBy = sort => this.go({...this.filters, sort})
		this.holder = cards ? h("ol.rows") : makeTable(this.filters.sort ?? newestFirst, sortBy)
		this.makeRow = flat => (cards ? makeCard : makeTableRow)(flat, this.matches, doubles.has(keyOf(flat)))
		this.rows = new Map()
		this.drawn = 0
		this.drawSome(firstRows)
		fill(this.body, this.holder)
		return this.draw()
	}

	// take keeps what an answer holds: pages overlap where a flat came in between.
	take(found) {
		const held = new Set(this.ids)
		const ids = found.map(keyOf).filter(id => !held.has(id))
		this.ids.push(...ids)
		return ids.length
	}

	// draw makes rows for a page of flats, a few at a time: typing and scrolling go on.
	async draw() {
		const {holder} = this
		const end = this.drawn + pageSize
		this.finish()
		while (this.drawn < Math.min(end, this.ids.length)) {
			this.drawSome(rowsAtATime)
			await new Promise(done => setTimeout(done))
			if (this.holder !== holder) return
		}
		this.finish()
	}

	drawSome(n) {
		const ids = this.ids.slice(this.drawn, this.drawn + n)
		const elements = ids.map(id => {
			const flat = flats.get(id)
			const element = this.makeRow(flat)
			this.rows.set(id, {flat, element})
			return element
		})
		this.drawn += ids.length
		this.group().append(...elements)
	}

	// A table is laid out anew as a whole where it has one body alone.
	group() {
		if (this.holder.tagName !== "TABLE") return this.holder
		const last = this.holder.tBodies[this.holder.tBodies.length - 1]
		return last?.rows.length < pageSize ? last : this.holder.createTBody()
	}

	// extend goes on towards the end: with what is known already, else with the next page.
	extend = () => (this.extending ??= this.nextPage().finally(() => {
		this.extending = null
	}))

	async nextPage() {
		if (!this.ids) return
		const {signal} = this.loading
		const {ids} = this
		try {
			while (this.drawn >= ids.length && ids.length < this.total) {
				// Where flats have left, the next page begins earlier.
				const page = this.page ?? Math.floor(ids.length / pageSize)
				const found = await find(this.parameters, pageOf(page), {signal})
				if (signal.aborted) return
				this.page = this.take(found.flats) > 0 ? null : page + 1
				this.total = (page + 1) * pageSize >= found.total ? ids.length : found.total
			}
			if (this.drawn < ids.length) await this.draw()
			else this.finish()
		} catch (error) {
			if (!signal.aborted) failed(error, this.extend)
		}
	}

	finish() {
		const done = this.drawn >= this.ids.length && this.ids.length >= this.total
		// Who scrolls fast is at the new end at once: observed anew, it tells so again.
		this.near.unobserve(this.foot)
		if (!done) this.near.observe(this.foot)
		this.more.hidden = done
		this.controls.showTotal(this.total)
		this.end.hidden = !done || this.ids.length === 0
		this.body.querySelector(".empty")?.remove()
		this.holder.hidden = this.ids.length === 0
		if (this.ids.length > 0) return
		const {tab, sort, ...filters} = this.filters
		this.body.append(h("div.empty", h("h2", t.no_match),
			Object.keys(filters).length > 0 && h("a.button", t.clear_filters, {href: hashOf("list", {tab, sort})})))
	}

	// A row that leaves gives the focus to the next one. Undo puts it back.
	changed = (flat, before) => {
		if (!this.counts) return
		const id = keyOf(flat)
		if (statusOf(before) !== statusOf(flat)) this.recount()
		const row = this.rows.get(id)
		if (!row) return
		const element = this.makeRow(flat)
		const [was, is] = [row.element.isConnected, this.has(flat)]
		if (was && is) swap(row.element, element)
		else if (was) this.takeOut(id, row.element)
		else if (is) this.putBack(id, element)
		this.rows.set(id, {flat, element})
	}

	takeOut(id, element) {
		const at = this.ids.indexOf(id)
		const next = this.rows.get(this.ids[at + 1] ?? this.ids[at - 1])?.element
		const control = [...element.querySelectorAll(controls)].indexOf(document.activeElement)
		element.remove()
		if (control >= 0) (next?.querySelectorAll(controls)[control] ?? this.controls.search).focus({preventScroll: true})
		this.left.set(id, this.ids[at + 1])
		this.ids.splice(at, 1)
		this.drawn--
		this.total--
		this.finish()
		if (this.drawn < pageSize / 2) this.extend()
	}

	putBack(id, element) {
		const next = this.left.get(id)
		const at = this.ids.includes(next) && this.rows.get(next)?.element.isConnected ? this.ids.indexOf(next) : this.drawn
		this.ids.splice(at, 0, id)
		if (at < this.drawn) this.rows.get(next).element.before(element)
		else this.group().append(element)
		this.drawn++
		this.total++
		this.finish()
	}

	// What a range hides because nobody knows it.
	showHidden = async signal => {
		const lines = await Promise.all(ranged(this.filters).map(async ({words, hidden, shown}) => {
			const {total} = await find(hidden, {"page[size]": 1, fields: "status"}, {signal})
			return total > 0 && h("p", text(words, {n: number(total)}), " · ",
				h("button.link", t.show, {click: () => this.go(shown)}))
		}))
		fill(this.notes, lines)
	}

	markDoubles = async signal => {
		const {data} = await call("duplicates", {signal})
		doubles = new Set(data.flatMap(({ids}) => ids.map(String)))
		for (const [id, row] of this.rows) {
			if (doubles.has(id) && row.element.isConnected) row.element = swap(row.element, this.makeRow(row.flat))
		}
	}

	// fresh looks whether something came in or changed elsewhere, and says so.
	fresh = async () => {
		if (!this.tag) return
		const {signal} = this.loading
		const size = Math.min(500, Math.max(pageSize, this.ids.length))
		const asked = find(this.parameters, {"page[size]": size, "page[number]": 0}, {signal, since: this.tag})
		const found = await asked.catch(() => null) // it tries again in a minute
		if (!found || found.asOf || signal.aborted) return
		const shown = flat => this.rows.get(keyOf(flat))?.flat
		const came = found.flats.filter(flat => flat.first_seen >= this.at && !shown(flat)).length
		const arrived = Math.max(came, found.total - this.total)
		const left = this.total + arrived - found.total
		const changed = found.flats.filter(flat => shown(flat) && JSON.stringify(shown(flat)) !== JSON.stringify(flat)).length
		this.tag = found.tag
		if (arrived + changed + left === 0) return
		const words = text(t.fresh, {new: number(arrived), changed: number(changed + left)})
		fill(this.news, h("button", words, " · ", t.show, {click: () => this.load(this.filters)}))
	}

	row = () => document.activeElement.closest(".row")

	focus = id => this.rows.get(id)?.element.querySelector("a").focus({preventScroll: true})

	step = by => () => {
		const row = this.row()
		this.focus(this.ids[row ? this.ids.indexOf(row.dataset.id) + by : 0])
		this.row()?.scrollIntoView({block: "nearest"})
	}

	keys = {
		j: [t.key_next, this.step(1)],
		k: [t.key_next, this.step(-1)],
		...flatKeys(() => this.row()?.dataset.id),
	}
}
