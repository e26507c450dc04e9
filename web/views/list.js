// The list: the flats of a tab with filters, in a table or, on a phone, as cards.
//
// It loads the first page and adds others as the end comes near, follows decisions, and is restored as it was left.
// rowlist.js keeps its rows, rows.js draws them, tabs.js makes the tabs above them, filters.js the filters,
// savedtabs.js the saved views. showList is the show of this view (see app.js), by a name that no other module of the
// first list has.

import {call, csvURL} from "../lib/api.js"
import {fill, h, later, swap, whenIdle} from "../lib/dom.js"
import {keyOf, statusOf} from "../lib/fields.js"
import {find, findAll, flats, look, onChange, outdated, remember} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {people, valueOf} from "../lib/people.js"
import {isSending, same} from "../lib/queue.js"
import {conditionsOf, pageOf, pageSize, queryOf, tally, wholePageOf} from "../lib/query.js"
import {hashOf, holds, newestFirst, orderOf, parse, tabOf} from "../lib/state.js"
import {store, stored} from "../lib/storage.js"
import {hasCome, keepLoaded, rowSays} from "../parts/changes.js"
import {flatKeys} from "../parts/decide.js"
import {makeControls, searchKeys} from "../parts/filters.js"
import {icon} from "../parts/icons.js"
import {attempt, failed, notKept, say} from "../parts/notice.js"
import {RowList, focusedRow, makeFoot} from "../parts/rowlist.js"
import {cityOf, makeHolder, makeLine, makePaper, setStatusTimes, wide} from "../parts/rows.js"
import {makeSavedViews} from "../parts/savedtabs.js"
import {refreshViews} from "../parts/savedviews.js"
import {askMark, countUnseen, isAfterMark, moveMark, takeMark} from "../parts/seen.js"
import {countTabs, tabLinks} from "../parts/tabs.js"
import {activeFilters, filtersInWords, replacedInWords} from "../words/filters.js"
import {count, number, statusName, t} from "../words/format.js"
import {matcher} from "../words/marks.js"


const topOf = element => element.getBoundingClientRect().top
const flatsOf = ids => ids.map(id => flats.get(id))

// showList fills root with the list. The rows come later: what is typed or chosen until then finds the same elements.
export function showList(root, {filters}, signal) {
	const isBack = kept.list.anchor && kept.list.hash === hashOf("list", filters)
	if (!kept.mark.isKept) takeMark()
	const list = new List(root, filters, signal)
	const asked = isBack ? null : list.ask() // the answer comes while the elements are made
	list.build()
	onChange((flat, before) => list.follow(flat, before), signal)
	addEventListener("photos", () => list.showPhotos(), {signal})
	addEventListener("waiting", () => list.settle(), {signal})
	wide.addEventListener("change", () => list.draw(flatsOf(list.rows.ids)), {signal})
	signal.addEventListener("abort", () => list.leave())
	addEventListener("pagehide", () => list.keepPlace(), {signal})
	document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && moveMark(), {signal})
	const place = kept.list.isReloaded ? stored("flats.place", "sessionStorage") : null
	kept.list.isReloaded = false
	const ready = isBack ? list.restore() : list.load(asked)
	let choosing = null // what fingers and Shift do, once the first rows are there
	ready.then(() => whenIdle(async () => {
		const {makeChoosing} = await import("../parts/choosing.js")
		if (signal.aborted) return
		choosing = makeChoosing(list.body, signal)
		root.append(choosing.bar)
	})).catch(() => {/* keys and buttons do the same */})
	ready.then(() => place?.hash === kept.list.hash && list.returnTo(place)).catch(() => {/* the top will do */})
	const step = (label, by) => [label, () => list.rows.beside(focusedRow(), by)?.querySelector("a").focus()]
	return {
		fresh: () => list.fresh(),
		show: () => {
			takeMark()
			return list.load()
		},
		ready,
		update: route => list.update(route),
		keys: {j: step(t.next, 1), k: step(t.prev, -1),
			y: [t.choose_several, () => void choosing?.toggle()], ...flatKeys(() => focusedRow()?.dataset.id), ...searchKeys},
	}
}

// A List is the list while it is open. Its members:
//   filters     those of the route
//   query, tab  those of the filters
//   loading     an AbortController that ends the requests for the filters
//   rows        the rows that are shown
//   drawn       the query of the rows that are shown; it differs from query while other rows are loading, and is null
//               if the rows of these filters are not to be had without a network
//   drawing     promises that all rows of the last load are drawn
//   isRough     true if the counts of the tabs may be from before a change
class List {
	rows = new RowList(h("p")) // none yet

	constructor(root, filters, signal) {
		Object.assign(this, {root, filters, signal})
	}

	// build fills root with the elements of the list.
	build() {
		this.saved = makeSavedViews(this.signal)
		this.csv = h("a.button", icon("import"), "CSV", {download: "flats.csv"})
		this.link = h("button", icon("link"), t.share_link, {hidden: true, click: () => attempt(() => this.shareAll())})
		addEventListener("views", () => this.showLink(), {signal: this.signal})
		this.controls = makeControls("list", this.signal,
			h("button", icon("saved"), t.save, {click: this.saved.save}), this.link,
			h("button", icon("print"), t.print, {click: () => attempt(() => this.printAll())}), this.csv)
		this.sweep = h("button.sweep",
			{hidden: true, data: {status: "ignored"}, click: () => attempt(() => this.dismissNew())})
		this.tabs = h("nav")
		this.city = h("p.city.soft")
		this.misspelled = h("p.misspelled.soft")
		this.elsewhere = h("div")
		this.body = h("div", this.rows.holder)
		this.foot = makeFoot(() => attempt(() => this.addPage()))
		this.paper = makePaper(() => [this.filters, flatsOf(this.rows.ids), kept.list.total], this.signal)
		const {head, chips, hidden, currencies} = this.controls
		fill(this.root, h("h1.sr", t.list), head,
			h("div.aims", h("div.lines", this.saved.element, chips, hidden, currencies), this.sweep),
			this.tabs, this.taken = h("div"), this.misspelled, this.city, this.body, this.foot.element, this.elsewhere,
			this.paper.element)
	}

	// has reports whether a flat belongs to the list.
	has(flat) {
		const {alive, unrated} = this.tab
		const isRated = unrated && valueOf(flat, "rating", unrated) != null
		return holds(this.tab, statusOf(flat)) && !(alive && flat.gone) && !isRated
	}

	// Requests

	// begin ends the requests for earlier filters.
	begin() {
		this.loading?.abort()
		this.loading = new AbortController()
		this.query = queryOf(this.filters)
		this.tab = tabOf(this.filters.tab)
	}

	// ask requests the first page and the counts of the tabs, and returns the two promises. If only the counts fail, it
	// says so; if the page fails, load does, and once is enough.
	ask() {
		this.begin()
		const asking = find(this.query, pageOf(0), {signal: this.loading.signal})
		const counting = this.counting = this.recount(asking)
		const again = error => failed(error, () => this.load())
		// Without a network the line below the bar says so, or load has.
		counting.catch(error => asking.then(({asOf}) => asOf || again(error), () => {}))
		return [asking, counting]
	}

	// recount requests the counts of the tabs and shows them. asking promises an answer for the filters.
	async recount(asking) {
		const wasSending = isSending()
		kept.list.counts = await countTabs(this.filters, asking, this.loading.signal)
		this.showTabs()
		this.takeCounts((await asking).counts)
		this.isRough = wasSending
		this.settle()
		this.showElsewhere(await asking).catch(() => {/* the list does without */})
	}

	// showElsewhere shows what a search finds besides the flats of the list, if anything.
	async showElsewhere({total}) {
		if (!this.filters.q || kept.list.counts.total <= total) return fill(this.elsewhere)
		const {showElsewhere} = await import("../parts/elsewhere.js")
		await showElsewhere(this.elsewhere, this.filters, this.matches(), this.loading.signal)
	}

	// matches returns the function that finds the words of the search, and those that stand for misspelled ones.
	matches() {
		return matcher([...kept.list.replaced.flatMap(({by}) => by), this.filters.q].join(" "))
	}

	// takeCounts shows what an answer for the filters counts besides the tabs.
	takeCounts({status, currency_code: currencies = {}}) {
		Object.assign(kept.list, {news: status.new ?? 0, currencies})
		this.controls.showCurrencies(currencies)
		this.showSweep()
	}

	// settle corrects counts that may be from before a change, once the service has all changes.
	settle() {
		if (!this.isRough || isSending()) return
		this.isRough = false
		this.recountLater()
	}

	recountLater = later(() => {
		const asking = look(this.query, tally, {signal: this.loading.signal})
		this.recount(asking).catch(() => {/* the counts of before will do */})
	}, 50)

	// update shows the filters of another route.
	update({filters}) {
		this.filters = filters
		return this.load()
	}

	// load shows the first page, which asked promises if ask was called before. Earlier rows stay until the new ones
	// arrive. The first time, load also waits for the counts of the tabs: if there are no flats at all, Import opens
	// instead.
	async load(asked = this.ask()) {
		try {
			const [asking, counting] = asked
			this.showFilters()
			const {flats: found, total, tag, counts, asOf, replaced = []} = await asking
			this.takeCounts(counts)
			if (total === 0 && !kept.list.counts?.total) await counting // the counts say whether there are any flats
			const hash = hashOf("list", this.filters)
			if (total === 0 && !kept.list.counts.total && hash === "#/") return location.replace("#/start")
			Object.assign(kept.list, {hash, total, tag, replaced})
			scrollTo(0, 0)
			keepLoaded(this.query, found, total).catch(() => {/* then fresh says nothing */})
			this.drawing = attempt(() => this.draw(found, innerHeight / (wide.matches ? 56 : 100))) // those in sight first
			say([replacedInWords(replaced), count(t.n_flats, total)].filter(Boolean).join(". "))
			if (!asOf) this.saved.markSeen(found[0])
		} catch (error) {
			const isShown = this.drawn && kept.list.hash === hashOf("list", this.filters)
			if (error.status !== 0 || isShown) failed(error, () => this.load())
			else this.miss(error)
		}
	}

	// miss says that these filters need the network. The rows and counts of other filters would be mistaken for theirs.
	miss(error) {
		this.drawn = null
		this.rows = new RowList(h("p"))
		this.body.hidden = false
		swap(this.body.firstChild, notKept(error, () => this.load()))
		this.foot.show(true)
		for (const element of [this.controls.hidden, this.misspelled, this.elsewhere]) fill(element)
		const hash = hashOf("list", this.filters)
		Object.assign(kept.list, {hash, tag: null, counts: {}, total: 0, anchor: null})
		this.showTabs()
		this.takeCounts({status: {}})
	}

	// addPage adds the next page to the rows.
	async addPage() {
		if (this.drawn !== this.query) return // the rows of other filters are on their way
		this.foot.rest()
		const {loading: {signal}, query, rows} = this
		const before = rows.size
		let page = Math.floor(rows.ids.length / pageSize) // if flats have left, this repeats rows, which append skips
		let found
		do {
			found = await find(query, pageOf(page++), {signal})
			await rows.append(found.flats, signal, 0)
			this.askWhole(page - 1)
			this.drawLines()
			this.markPeople(found.flats, signal).catch(() => {/* the list does without */})
		} while (rows.size === before && page * pageSize < found.total)
		const isAll = page * pageSize >= found.total
		kept.list.total = isAll ? rows.ids.length : found.total
		this.showEnd()
	}

	// askWhole requests all of the flats of a page, so that one that is opened is there at once. What has changed since
	// its row was drawn is left out: whoever decides on it has not seen that.
	async askWhole(page) {
		const {loading: {signal}, query} = this
		const isOutdated = outdated()
		const found = await look(query, wholePageOf(page), {signal}).catch(() => ({flats: []}))
		for (const flat of found.flats) {
			const known = flats.get(keyOf(flat))
			if (known && !isOutdated(keyOf(flat)) && rowSays(known) === rowSays(flat)) remember(flat, found.asOf)
		}
	}

	// markUnseen requests up to when the user has looked, and shows what came since.
	async markUnseen(signal) {
		const known = kept.mark.at
		if (await askMark() && !known) for (const flat of this.rows.flats) if (isAfterMark(flat)) this.redraw(flat)
		this.drawLines()
		await countUnseen(signal)
	}

	// drawLines draws a line above what came since the user looked last, and one below it, if the newest come first.
	drawLines() {
		const {holder} = this.rows
		for (const line of holder.querySelectorAll(".since-line")) line.remove()
		if (orderOf(this.filters) !== newestFirst) return
		const isNew = ({dataset}) => isAfterMark(flats.get(dataset.id))
		const elements = this.rows.elements
		const first = elements.findIndex(isNew)
		if (first !== 0) return
		elements[0].before(makeLine(kept.mark.at))
		const old = elements.find(element => !isNew(element))
		old?.before(makeLine())
	}

	// markDuplicates requests the groups of duplicates, and marks their flats.
	async markDuplicates(signal) {
		const {data} = await call("duplicates", {signal})
		kept.list.doubles = new Set(data.flatMap(({ids}) => ids.map(String)))
		for (const flat of this.rows.flats) if (kept.list.doubles.has(keyOf(flat))) this.redraw(flat)
	}

	// markContacted requests since when flats have been contacted, and shows it.
	async markContacted(signal) {
		const isContacted = flat => statusOf(flat) === "contacted"
		await this.counting
		if (!kept.list.counts?.all?.status.contacted || !holds(this.tab, "contacted")) return
		const query = {"any[status]": "contacted", fields: "status_since", "page[size]": 1000}
		setStatusTimes((await look({}, query, {signal})).flats)
		for (const flat of this.rows.flats) if (isContacted(flat)) this.redraw(flat)
	}

	// markPeople requests who decided on flats and rated them, and shows it.
	async markPeople(found, signal) {
		if (people.length === 0) return
		const {askPeople} = await import("../lib/opinions.js")
		const ids = found.map(keyOf)
		await askPeople(ids, signal)
		for (const flat of flatsOf(ids)) if (flat.status_by || flat.ratings) this.redraw(flat)
	}

	// fresh says in words what has changed elsewhere. It returns "" if nothing has, null if the rows that it compares with
	// are not kept yet (changes.js), and nothing if there is nothing to tell: the rows were missing, so that it has loaded
	// them, or others are loading, or the answer is the same or comes without a network.
	async fresh() {
		if (this.drawn === null) return this.load()
		if (this.drawn !== this.query) return // the rows are on their way
		const {loading: {signal}, query} = this
		// This is what load asked, so that one short answer is all while nothing has changed.
		const found = await look(query, pageOf(0), {signal, since: kept.list.tag})
		if (!found || found.asOf) return
		refreshViews()
		countUnseen(signal).catch(() => {/* the number of before will do */})
		const {changesInWords} = await import("../parts/news.js")
		const words = await changesInWords(query, signal)
		if (words != null) kept.list.tag = found.tag
		return words
	}

	// dismissNew dismisses all new flats of the list, after a question. Flats that have come in since it was loaded
	// have not been seen, and stay.
	async dismissNew() {
		const found = await findAll(this.query, {"any[status]": "new", fields: "title,status"}, {signal: this.signal})
		const seen = found.map(keyOf).filter(id => !hasCome(id))
		if (seen.length === 0) return
		const {askSweep, saveRule} = await import("../parts/rules.js")
		const question = `${count(t.dismiss_sure, seen.length)} ${filtersInWords(this.filters)}`
		const rule = await askSweep(this.root, question, this.filters)
		if (!rule) return
		if (rule.name) await saveRule(rule, refreshViews)
		const {changeNow} = await import("../parts/decisions.js")
		changeNow(seen.map(id => [id, {status: "ignored"}]),
			`${count(t.n_flats, seen.length)}: ${statusName("ignored")}`)
	}

	// printAll prints all flats of the list.
	async printAll() {
		this.paper.show(this.filters, await findAll(this.query, {}, {signal: this.signal}))
		print()
	}

	// shareAll asks for a link to a page of the shortlist, or of the saved view that is open, for somebody else.
	async shareAll() {
		const view = this.saved.open()
		const {shareLink} = await import("../parts/share.js")
		if (!this.link.hidden) shareLink(this.root, {title: view?.name ?? t.shortlist,
			query: view?.query ?? conditionsOf(this.filters)})
	}

	// What is shown

	// showLink offers a link only where one knows what it will show: for the shortlist and for saved views.
	showLink() {
		this.link.hidden = this.filters.tab !== "shortlist" && !this.saved.open()
	}

	showFilters() {
		this.controls.show(this.filters)
		this.saved.show(this.filters)
		this.showLink()
		this.controls.showCurrencies(kept.list.currencies)
		this.csv.href = csvURL(this.query)
		if (kept.list.counts) this.showTabs()
	}

	// showSweep shows the button that dismisses all new flats, beside the filters: on a phone as an icon and a number.
	// Without filters there is no such button, nor while changes are to be sent, which the number may not comprise.
	showSweep() {
		const isFiltered = activeFilters(this.filters).length > 0
		const n = isFiltered && holds(this.tab, "new") && !isSending() ? kept.list.news : 0
		const words = count(t.dismiss_these, n)
		this.sweep.ariaLabel = this.sweep.title = words
		fill(this.sweep, h("span.words", words), icon("dismiss"), h("span.number", number(n)))
		this.sweep.hidden = n === 0
	}

	showTabs() {
		this.tabs = swap(this.tabs, tabLinks(this.filters, kept.list.counts))
		if (this.filters.tab) this.tabs.scrollLeft = this.tabs.querySelector("[aria-current]").offsetLeft - 16
	}

	// draw replaces the rows by those of found, the first ones at once. Then it requests what may come later.
	async draw(found, first) {
		this.foot.rest()
		const {signal} = this.loading
		const {holder, makeRow} = makeHolder(orderOf(this.filters), sort => this.controls.go({...this.filters, sort}))
		const {to} = this.filters
		const matches = this.matches()
		fill(this.misspelled, replacedInWords(kept.list.replaced))
		kept.list.city = cityOf(found)
		fill(this.city, kept.list.city.replace(/[ -]$/, ""))
		this.rows = new RowList(holder, flat =>
			(this.has(flat) ? makeRow(flat, matches, kept.list.doubles.has(keyOf(flat)), to) : new Comment()))
		this.drawn = this.query
		swap(this.body.firstChild, holder)
		await this.rows.append(found, signal, first)
		this.drawLines()
		this.showEnd()
		// A flat that is opened from here shows at once what is known of it.
		whenIdle(() => signal.aborted || this.askWhole(0))
		const further = [this.controls.showHidden(signal, kept.list.total), this.markDuplicates(signal),
			this.markContacted(signal), this.markPeople(found, signal), this.markUnseen(signal), this.showTaken(signal)]
		for (const asking of further) asking.catch(() => {/* the list does without */})
	}

	// showTaken shows what rules have dismissed lately, above all that was dismissed.
	async showTaken(signal) {
		fill(this.taken)
		if (this.filters.tab !== "is:ignored") return
		const {showTaken} = await import("../parts/taken.js")
		for (const flat of await showTaken(this.taken, signal)) this.redraw(flats.get(keyOf(flat)))
	}

	showEnd() {
		this.foot.show(this.rows.ids.length >= kept.list.total, kept.list.total > 0 ? t.end : this.controls.noMatch())
		this.body.hidden = kept.list.total === 0
	}

	// redraw replaces the row of a flat, if it has one.
	redraw(flat) {
		if (!this.rows.flat(keyOf(flat))) return
		kept.list.total += this.rows.replace(flat, this.root.firstChild)
		this.showEnd()
	}

	// showPhotos redraws the flats of which the service keeps photos.
	showPhotos() {
		for (const flat of this.rows.flats) if (kept.photos.of.has(keyOf(flat))) this.redraw(flat)
	}

	// follow shows an update that was made on this page.
	follow(flat, before) {
		if (!before || statusOf(before) !== statusOf(flat) || !same(before.ratings, flat.ratings)) this.recountLater()
		this.redraw(flat)
	}

	// Leaving, and coming back

	// A flat that is opened leaves the others as they are.
	leave() {
		moveMark()
		kept.mark.isKept = parse(location.hash).view === "flat"
		this.loading.abort()
		this.foot.rest()
		this.keepPlace()
	}

	// keepPlace keeps in memory what restore needs, and in the tab's storage what returnTo needs.
	keepPlace() {
		kept.trail.ids = this.rows.ids
		const anchor = this.rows.elements.find(element => topOf(element) > 0)
		Object.assign(kept.list, {ids: kept.trail.ids, anchor: anchor?.dataset.id, top: anchor && topOf(anchor)})
		const {hash, ids, top} = kept.list
		const at = ids.indexOf(kept.list.anchor)
		if (at >= 0) store("flats.place", {hash, at, ids: ids.slice(at, at + 50), top}, "sessionStorage")
	}

	// returnTo scrolls to the place of the list before a reload: the flat that was number at, or the first of ids that
	// still exists.
	async returnTo({at, ids, top}) {
		if (at === 0 && top > 0) return // it was at the top, where it is now
		await this.drawing
		while (this.drawn === this.query && this.rows.size <= at && this.rows.size < kept.list.total) await this.addPage()
		const shown = new Set(this.rows.ids)
		await this.scrollTo(ids.find(id => shown.has(id)), top)
	}

	// scrollTo scrolls until the row of a flat is at its earlier top. Rows have an estimated height until they are in
	// sight, so the place is corrected after each of a few frames.
	async scrollTo(id, top) {
		for (let frame = 0; frame < 3 && !this.signal.aborted; frame++) {
			scrollBy(0, topOf(this.rows.elementOf(id) ?? this.body) - top)
			await new Promise(requestAnimationFrame)
		}
	}

	// restore shows the list as it was left, with the flats as they are now known, and then what the service has.
	async restore() {
		this.begin()
		this.showFilters()
		const here = flatsOf(kept.list.ids)
		kept.list.total -= here.filter(flat => !this.has(flat)).length
		this.draw(here)
		this.rows.elementOf(kept.trail.last)?.querySelector("a").focus({preventScroll: true})
		await this.scrollTo(kept.list.anchor, kept.list.top)
		this.recountLater()
		await this.renew().catch(() => {/* without a network the list stays as it was left */})
	}

	// withOwn returns flats, a Map by id, with those that have left the list by a decision made here, in their places, so
	// that Undo can restore them there.
	withOwn(rows) {
		const all = [...rows.values()]
		for (const [i, id] of kept.list.ids.entries()) {
			if (rows.has(id) || this.has(flats.get(id))) continue
			all.splice(all.findIndex(flat => keyOf(flat) === kept.list.ids[i - 1]) + 1, 0, flats.get(id))
		}
		return all
	}

	// renew shows what came and changed while another view was open. Rows in sight stay where they are, unless the list is
	// at its top, where what came is to be seen.
	async renew() {
		const {loading: {signal}, query} = this
		const found = await look(query, pageOf(0), {signal, since: kept.list.tag})
		if (!found || found.asOf) return
		const rows = new Map()
		for (let page = 0; page * pageSize < Math.max(1, kept.list.ids.length); page++)
			for (const flat of (await find(query, pageOf(page), {signal})).flats) rows.set(keyOf(flat), flat)
		if (query !== this.query) return
		const {total, tag, counts, replaced = []} = found
		Object.assign(kept.list, {total, tag, replaced, news: counts.status.new ?? 0})
		const all = this.withOwn(rows)
		keepLoaded(query, [...rows.values()], total).catch(() => {/* then fresh says nothing */})
		const held = focusedRow()?.dataset.id
		const tops = this.rows.elements.map(element => [element.dataset.id, topOf(element)])
		const drawing = this.draw(all, all.length)
		const [id, top] = tops.find(([id, top]) => top > 0 && rows.has(id)) ?? []
		this.rows.elementOf(held)?.querySelector("a").focus({preventScroll: true})
		if (scrollY > 0 && id) await this.scrollTo(id, top)
		await drawing
	}
}
