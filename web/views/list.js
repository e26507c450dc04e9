// The list: the flats of a tab with filters, in a table or, on a phone, as cards.
//
// It loads the first page and adds others as the end comes near, follows decisions, and is restored as it was left. In
// parts/, rowlist.js has its rows, rows.js draws them, tabs.js makes the tabs, filters.js the filters, savedtabs.js the
// saved views. showList is the show of this view (see app.js). All modules of the first list are served as one, so no
// other may have its name.
//
// The mark (parts/seen.js) divides the flats that the user has seen from the new ones. Leaving the list or hiding the
// page moves it to the newest flat (moveMark). The list still shows the old mark, until it is opened again or shows
// changes made elsewhere (applyMovedMark). A user who comes back from a flat finds the old mark (kept.mark.stays).

import {call, csvURL} from "../lib/api.js"
import {fill, h, later, swap, whenIdle} from "../lib/dom.js"
import {keyOf, statusOf} from "../lib/fields.js"
import {find, findAll, flats, look, onChange, outdatedTest, remember} from "../lib/flats.js"
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
import {applyMovedMark, askMark, countUnseen, isAfterMark, moveMark} from "../parts/seen.js"
import {countTabs, tabLinks} from "../parts/tabs.js"
import {activeFilters, filtersInWords, replacedInWords} from "../words/filters.js"
import {count, number, t} from "../words/format.js"
import {matcher} from "../words/marks.js"

// topOf returns how many pixels an element is below the top of the window.
const topOf = element => element.getBoundingClientRect().top

// placeIds is the number of ids that keepPlace stores: the flat in sight and those after it, of which one should still
// be in the list after a reload.
const placeIds = 50

const flatsOf = ids => ids.map(id => flats.get(id))

// showList fills root with the list, and returns what app.js needs of a view. The rows come later; elements that are
// used until then stay.
//
// If this page has already shown the list with these filters, it restores the list as it was left, from memory. If the
// page was reloaded since, it loads the list, and then scrolls to the place that sessionStorage has.
export function showList(root, {filters}, signal) {
	if (!kept.mark.stays) applyMovedMark()
	const list = new List(root, filters, signal)
	const canRestore = kept.list.firstInSight && kept.list.hash === hashOf("list", filters)
	const requests = canRestore ? null : list.ask() // before build, to have the answers sooner
	list.build()
	onChange((flat, before) => list.follow(flat, before), signal)
	addEventListener("photos", () => list.showPhotos(), {signal})
	addEventListener("waiting", () => list.recountIfRough(), {signal})
	wide.addEventListener("change", () => list.draw(flatsOf(list.rows.ids)), {signal})
	signal.addEventListener("abort", () => list.leave())
	addEventListener("pagehide", () => list.keepPlace(), {signal})
	document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && moveMark(), {signal})
	const placeBeforeReload = kept.list.wasShown ? null : stored("flats.place", "sessionStorage")
	kept.list.wasShown = true
	const ready = canRestore ? list.restore() : list.load(requests)
	const returnToPlace = () => placeBeforeReload?.hash === kept.list.hash && list.returnTo(placeBeforeReload)
	ready.then(returnToPlace).catch(() => {/* the top will do */})
	let choosing = null // what makeChoosing returned, once it is loaded
	ready.then(() => whenIdle(async () => {
		const {makeChoosing} = await import("../parts/choosing.js")
		if (signal.aborted) return
		choosing = makeChoosing(list.body, signal)
		root.append(choosing.bar)
	})).catch(() => {/* the user can decide on one flat at a time */})
	const step = (label, by) => [label, () => list.rows.neighbour(focusedRow(), by)?.querySelector("a").focus()]
	return {
		findChanges: () => list.findChanges(),
		show: () => {
			applyMovedMark()
			return list.load()
		},
		ready,
		update: route => list.update(route),
		keys: {j: step(t.next, 1), k: step(t.prev, -1),
			y: [t.choose_several, () => void choosing?.toggle()], ...flatKeys(() => focusedRow()?.dataset.id), ...searchKeys},
	}
}

// A List is the list while it is open. Its members:
//   filters     the filters of the route
//   query, tab  the query and the tab of these filters
//   loading     the AbortController of the requests for these filters
//   rows        the rows that are shown
//   drawn       the query of the rows that are shown. It differs from query while other rows are loading, and is
//               null if rows for these filters need a network.
//   drawing     promises that all rows of the last load are drawn
//   isRough     whether the counts of the tabs may lack a change
class List {
	rows = new RowList(h("p")) // empty until draw

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
		this.taken = h("div")
		this.body = h("div", this.rows.holder)
		this.foot = makeFoot(() => attempt(() => this.addPage()))
		this.paper = makePaper(() => [this.filters, flatsOf(this.rows.ids), kept.list.total], this.signal)
		const {head, chips, hidden, currencies} = this.controls
		fill(this.root, h("h1.sr", t.list), head,
			h("div.aims", h("div.lines", this.saved.element, chips, hidden, currencies), this.sweep),
			this.tabs, this.taken, this.misspelled, this.city, this.body, this.foot.element, this.elsewhere,
			this.paper.element)
	}

	// belongs reports whether a flat belongs to the list.
	belongs(flat) {
		const {alive, unrated} = this.tab
		const isRated = unrated && valueOf(flat, "rating", unrated) != null
		return holds(this.tab, statusOf(flat)) && !(alive && flat.gone) && !isRated
	}

	// Requests

	// begin aborts the requests for earlier filters, and sets query and tab.
	begin() {
		this.loading?.abort()
		this.loading = new AbortController()
		this.query = queryOf(this.filters)
		this.tab = tabOf(this.filters.tab)
	}

	// ask requests the first page and the counts of the tabs, and returns the promises of both. If only the counts
	// fail, it reports that; if the page fails, load does.
	ask() {
		this.begin()
		const asking = find(this.query, pageOf(0), {signal: this.loading.signal})
		this.counting = this.recount(asking)
		// Without a network, report nothing: the line below the bar says it, or load has said it.
		this.counting.catch(error => asking.then(({asOf}) => {
			if (!asOf) failed(error, () => this.load())
		}, () => {}))
		return [asking, this.counting]
	}

	// recount requests the counts of the tabs and shows them. asking promises an answer for the filters.
	async recount(asking) {
		const wasSending = isSending()
		kept.list.counts = await countTabs(this.filters, asking, this.loading.signal)
		this.showTabs()
		this.takeCounts((await asking).counts)
		this.isRough = wasSending
		this.recountIfRough()
		this.showElsewhere(await asking).catch(() => {/* the list does without */})
	}

	// showElsewhere shows results of the search outside the tab, if there are any.
	async showElsewhere({total}) {
		if (!this.filters.q || kept.list.counts.total <= total) return fill(this.elsewhere)
		const parts = await import("../parts/elsewhere.js")
		await parts.showElsewhere(this.elsewhere, this.filters, this.makeMatcher(), this.loading.signal)
	}

	// makeMatcher returns a function that matches the words of the search, and the words that replaced misspelled ones.
	makeMatcher() {
		return matcher([...kept.list.replaced.flatMap(({by}) => by), this.filters.q].join(" "))
	}

	// takeCounts shows the counts of an answer in the filters, except the tabs.
	takeCounts({status, currency_code: currencies = {}}) {
		Object.assign(kept.list, {news: status.new ?? 0, currencies})
		this.controls.showCurrencies(currencies)
		this.showSweep()
	}

	// recountIfRough requests the counts again if they may lack a change, once the service has all changes.
	recountIfRough() {
		if (!this.isRough || isSending()) return
		this.isRough = false
		this.recountLater()
	}

	recountLater = later(() => {
		const asking = look(this.query, tally, {signal: this.loading.signal})
		this.recount(asking).catch(() => {/* the counts of before will do */})
	}, 50) // milliseconds, so that a decision on many flats is followed by one recount

	// update shows the filters of another route.
	update({filters}) {
		this.filters = filters
		return this.load()
	}

	// load shows the first page. requests is what ask returned, if it has already been called. The present rows stay
	// until the new ones arrive. If there are no flats of any status, Start opens instead.
	async load(requests = this.ask()) {
		try {
			const [asking, counting] = requests
			this.showFilters()
			const {flats: found, total, tag, counts, asOf, replaced = []} = await asking
			this.takeCounts(counts)
			// counting sets kept.list.counts, whose total is that of all tabs.
			if (total === 0 && !kept.list.counts?.total) await counting
			const hash = hashOf("list", this.filters)
			if (total === 0 && !kept.list.counts.total && hash === "#/") return location.replace("#/start")
			Object.assign(kept.list, {hash, total, tag, replaced})
			scrollTo(0, 0)
			keepLoaded(this.query, found, total).catch(() => {/* findChanges will say nothing */})
			// The estimated pixels of a row, or of a card and its margin: see contain-intrinsic-size in style.css.
			const rowHeight = wide.matches ? 56 : 100
			this.drawing = attempt(() => this.draw(found, innerHeight / rowHeight))
			say([replacedInWords(replaced), count(t.n_flats, total)].filter(Boolean).join(". "))
			const isFromService = !asOf // and not an answer that the worker kept
			if (isFromService) this.saved.markSeen(found[0])
		} catch (error) {
			const isShown = this.drawn && kept.list.hash === hashOf("list", this.filters)
			const isWithoutNetwork = error.status === 0
			// Rows of other filters must not stay under these filters.
			if (isWithoutNetwork && !isShown) this.showNeedsNetwork(error)
			else failed(error, () => this.load())
		}
	}

	// showNeedsNetwork says that these filters need the network. It removes the rows and counts, which are of other
	// filters.
	showNeedsNetwork(error) {
		this.drawn = null
		this.rows = new RowList(h("p"))
		this.body.hidden = false
		swap(this.body.firstChild, notKept(error, () => this.load()))
		this.foot.show({isAll: true})
		for (const element of [this.controls.hidden, this.misspelled, this.elsewhere]) fill(element)
		const hash = hashOf("list", this.filters)
		Object.assign(kept.list, {hash, tag: null, counts: {}, total: 0, firstInSight: null})
		this.showTabs()
		this.takeCounts({status: {}})
	}

	// addPage adds the next page to the rows.
	async addPage() {
		if (this.drawn !== this.query) return // rows for other filters are being loaded
		this.foot.rest()
		const {loading: {signal}, query, rows} = this
		const sizeBefore = rows.size
		// If flats have left the list, this page has some of the rows again. append skips them.
		let page = Math.floor(rows.ids.length / pageSize)
		let found
		do {
			found = await find(query, pageOf(page), {signal})
			await rows.append(found.flats, signal, 0)
			this.askWhole(page)
			page++
			this.drawLines()
			this.markPeople(found.flats, signal).catch(() => {/* the list does without */})
		} while (rows.size === sizeBefore && page * pageSize < found.total)
		const isAll = page * pageSize >= found.total
		kept.list.total = isAll ? rows.ids.length : found.total
		this.showEnd()
	}

	// askWhole requests a page with all fields, so that a flat opens at once. It ignores flats that have changed since
	// their rows were drawn, because users must see in the row what they decide on.
	async askWhole(page) {
		const {loading: {signal}, query} = this
		const isOutdated = outdatedTest()
		const found = await look(query, wholePageOf(page), {signal}).catch(() => ({flats: []}))
		for (const flat of found.flats) {
			const knownFlat = flats.get(keyOf(flat))
			if (knownFlat && !isOutdated(keyOf(flat)) && rowSays(knownFlat) === rowSays(flat)) remember(flat, found.asOf)
		}
	}

	// markUnseen requests the mark, and shows which flats came after it.
	async markUnseen(signal) {
		const hadMark = kept.mark.at != null
		if (await askMark() && !hadMark) {
			for (const flat of this.rows.flats) if (isAfterMark(flat)) this.redraw(flat) // drawn without the mark
		}
		this.drawLines()
		await countUnseen(signal)
	}

	// drawLines draws a line above the flats after the mark, and one below them, if the list is sorted by newest first.
	drawLines() {
		const {holder} = this.rows
		for (const line of holder.querySelectorAll(".since-line")) line.remove()
		if (orderOf(this.filters) !== newestFirst) return
		const isNew = ({dataset}) => isAfterMark(flats.get(dataset.id))
		const {elements} = this.rows
		const [first] = elements
		if (!first || !isNew(first)) return
		first.before(makeLine(kept.mark.at))
		const old = elements.find(element => !isNew(element))
		old?.before(makeLine())
	}

	// markDuplicates requests the groups of probable duplicates, and marks their flats.
	async markDuplicates(signal) {
		const {data} = await call("duplicates", {signal})
		kept.list.doubles = new Set(data.flatMap(({ids}) => ids.map(String)))
		for (const flat of this.rows.flats) if (kept.list.doubles.has(keyOf(flat))) this.redraw(flat)
	}

	// markContacted requests when flats were contacted, and shows how many days ago that was.
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

	// findChanges promises words for the changes elsewhere, or "" if there are none. It promises null if the rows to
	// compare with are not complete yet (parts/changes.js), and undefined if there is nothing to offer: rows are being
	// loaded, or there is no network. If the rows of these filters were missing, it loads them.
	async findChanges() {
		if (this.drawn === null) return this.load()
		if (this.drawn !== this.query) return // rows are being loaded
		const {loading: {signal}, query} = this
		// The request of load again: while nothing has changed, the answer is empty.
		const found = await look(query, pageOf(0), {signal, since: kept.list.tag})
		if (!found || found.asOf) return // unchanged, or without a network
		refreshViews()
		countUnseen(signal).catch(() => {/* the number of before will do */})
		const {changesInWords} = await import("../parts/news.js")
		const words = await changesInWords(query, signal)
		if (words != null) kept.list.tag = found.tag
		return words
	}

	// dismissNew dismisses all new flats of the list, after a question. Flats that have joined the list since it was
	// loaded were not seen, and stay.
	async dismissNew() {
		const found = await findAll(this.query, {"any[status]": "new", fields: "title,status"}, {signal: this.signal})
		const seenIds = found.map(keyOf).filter(id => !hasCome(id))
		if (seenIds.length === 0) return
		const {sweep} = await import("../parts/rules.js")
		await sweep(this.root, [{words: filtersInWords(this.filters), filters: this.filters, ids: seenIds}])
	}

	// printAll prints all flats of the list.
	async printAll() {
		this.paper.show(this.filters, await findAll(this.query, {}, {signal: this.signal}))
		print()
	}

	// shareAll opens the dialog for a shared page of the shortlist or of the open saved view.
	async shareAll() {
		const view = this.saved.open()
		const {shareLink} = await import("../parts/share.js")
		if (!this.link.hidden) shareLink(this.root, {title: view?.name ?? t.shortlist,
			query: view?.query ?? conditionsOf(this.filters)})
	}

	// What is shown

	// showLink shows the button to share only for the shortlist and saved views: others do not know what they will show
	// later.
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

	// showSweep shows the button that dismisses all new flats, on the narrowest phones as an icon with their number. There
	// is none without filters, nor while changes are being sent, because the number may lack them.
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
		// The current tab is in sight, with 16 pixels of the one before it.
		if (this.filters.tab) this.tabs.scrollLeft = this.tabs.querySelector("[aria-current]").offsetLeft - 16
	}

	// draw replaces the rows by the flats in found: as many as numberAtOnce at once, by default all, and the others in
	// the next frames. Then it requests what may come later.
	async draw(found, numberAtOnce) {
		this.foot.rest()
		const {signal} = this.loading
		const {holder, makeRow} = makeHolder(orderOf(this.filters), sort => this.controls.go({...this.filters, sort}))
		const {to} = this.filters
		const matches = this.makeMatcher()
		fill(this.misspelled, replacedInWords(kept.list.replaced))
		kept.list.city = cityOf(found)
		fill(this.city, kept.list.city)
		// A comment keeps the place of a flat that has left the list.
		this.rows = new RowList(holder, flat =>
			(this.belongs(flat) ? makeRow(flat, matches, kept.list.doubles.has(keyOf(flat)), to) : new Comment()))
		this.drawn = this.query
		swap(this.body.firstChild, holder)
		await this.rows.append(found, signal, numberAtOnce)
		this.drawLines()
		this.showEnd()
		whenIdle(() => {
			if (!signal.aborted) this.askWhole(0)
		})
		const additions = [this.controls.showHidden(signal, kept.list.total), this.markDuplicates(signal),
			this.markContacted(signal), this.markPeople(found, signal), this.markUnseen(signal), this.showTaken(signal)]
		for (const addition of additions) addition.catch(() => {/* the list works without */})
	}

	// showTaken shows what rules have dismissed lately, above the dismissed flats.
	async showTaken(signal) {
		fill(this.taken)
		if (this.filters.tab !== "is:ignored") return
		const parts = await import("../parts/taken.js")
		for (const flat of await parts.showTaken(this.taken, signal)) this.redraw(flats.get(keyOf(flat)))
	}

	showEnd() {
		const {total} = kept.list
		this.foot.show({isAll: this.rows.ids.length >= total, words: total > 0 ? t.all_shown : this.controls.noMatch()})
		this.body.hidden = total === 0
	}

	// redraw replaces the row of a flat, if it has one.
	redraw(flat) {
		if (!this.rows.flat(keyOf(flat))) return
		kept.list.total += this.rows.replace(flat, this.root.firstChild)
		this.showEnd()
	}

	// showPhotos redraws the flats whose photos the service keeps.
	showPhotos() {
		for (const flat of this.rows.flats) if (kept.photos.byFlat.has(keyOf(flat))) this.redraw(flat)
	}

	// follow shows an update that was made on this page.
	follow(flat, before) {
		const isSameStatus = before && statusOf(before) === statusOf(flat)
		const isCountedAlike = isSameStatus && same(before.ratings, flat.ratings) // as tabs go by status and rating
		if (!isCountedAlike) this.recountLater()
		this.redraw(flat)
	}

	// Leaving, and coming back

	// leave stores the state of the list when the view is left. If a flat is opened, the mark stays until the list
	// returns.
	leave() {
		moveMark()
		kept.mark.stays = parse(location.hash).view === "flat"
		this.loading.abort()
		this.foot.rest()
		this.keepPlace()
	}

	// keepPlace stores what restore needs in memory, and what returnTo needs in sessionStorage.
	keepPlace() {
		kept.trail.ids = this.rows.ids
		const row = this.rows.elements.find(element => topOf(element) > 0)
		Object.assign(kept.list, {ids: kept.trail.ids, firstInSight: row?.dataset.id, top: row && topOf(row)})
		const {hash, ids, firstInSight, top} = kept.list
		const at = ids.indexOf(firstInSight)
		if (at >= 0) store("flats.place", {hash, at, ids: ids.slice(at, at + placeIds), top}, "sessionStorage")
	}

	// returnTo scrolls to the place of the list before a reload. at is the index of the first flat that was in sight, top
	// how many pixels its row was below the top of the window. ids has the ids of this flat and the next ones: the first
	// that is still in the list comes to the same place.
	async returnTo({at, ids, top}) {
		if (at === 0 && top > 0) return // the list was at its top
		await this.drawing
		while (this.drawn === this.query && this.rows.size <= at && this.rows.size < kept.list.total) await this.addPage()
		const shown = new Set(this.rows.ids)
		await this.scrollTo(ids.find(id => shown.has(id)), top)
	}

	// scrollTo scrolls until the row of a flat is top pixels below the top of the window. Rows have an estimated height
	// until they are in sight, so scrollTo corrects the position in each of a few frames.
	async scrollTo(id, top) {
		for (let frame = 0; frame < 3 && !this.signal.aborted; frame++) {
			scrollBy(0, topOf(this.rows.elementOf(id) ?? this.body) - top)
			await new Promise(requestAnimationFrame)
		}
	}

	// restore shows the list as it was left, with the flats as they are now known, and then updates it from the
	// service.
	async restore() {
		this.begin()
		this.showFilters()
		const knownFlats = flatsOf(kept.list.ids)
		kept.list.total -= knownFlats.filter(flat => !this.belongs(flat)).length // changed in another view
		this.draw(knownFlats)
		this.rows.elementOf(kept.trail.last)?.querySelector("a").focus({preventScroll: true})
		await this.scrollTo(kept.list.firstInSight, kept.list.top)
		this.recountLater()
		await this.renew().catch(() => {/* without a network the list stays as it was left */})
	}

	// withDecidedHere returns the flats of found, a Map by id, as an array. It adds flats that have left the list by a
	// decision on this page at their old places, so that Undo can restore them there.
	withDecidedHere(found) {
		const all = [...found.values()]
		for (const [i, id] of kept.list.ids.entries()) {
			if (found.has(id) || this.belongs(flats.get(id))) continue
			const indexBefore = all.findIndex(flat => keyOf(flat) === kept.list.ids[i - 1]) // -1 at the beginning
			all.splice(indexBefore + 1, 0, flats.get(id))
		}
		return all
	}

	// renew shows what has come and changed while another view was open. Rows in sight stay where they are, unless the
	// list is at its top, where new flats are to be seen.
	async renew() {
		const {loading: {signal}, query} = this
		const firstPage = await look(query, pageOf(0), {signal, since: kept.list.tag})
		if (!firstPage || firstPage.asOf) return // unchanged, or without a network
		const found = new Map() // as many flats as the list had, by id
		for (let page = 0; page * pageSize < Math.max(1, kept.list.ids.length); page++)
			for (const flat of (await find(query, pageOf(page), {signal})).flats) found.set(keyOf(flat), flat)
		if (query !== this.query) return
		const {total, tag, counts, replaced = []} = firstPage
		Object.assign(kept.list, {total, tag, replaced, news: counts.status.new ?? 0})
		const all = this.withDecidedHere(found)
		keepLoaded(query, [...found.values()], total).catch(() => {/* then findChanges says nothing */})
		const focusedId = focusedRow()?.dataset.id
		const topsBefore = this.rows.elements.map(element => [element.dataset.id, topOf(element)])
		const drawing = this.draw(all, all.length)
		const [firstInSight, top] = topsBefore.find(([id, top]) => top > 0 && found.has(id)) ?? []
		this.rows.elementOf(focusedId)?.querySelector("a").focus({preventScroll: true})
		if (scrollY > 0 && firstInSight) await this.scrollTo(firstInSight, top)
		await drawing
	}
}
