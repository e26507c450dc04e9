// One flat. What the decision depends on comes first (parts/listing.js), then the listing's text, then the user's
// own status, rating, visit and notes, then all other details. If there is room, photos, text and details stand in one
// column, what decides beside them, and the user's own in a third. It exports show, as all views do (see app.js).

import {controlsOf, fill, h, isTyping, later, swap} from "../lib/dom.js"
import {detailsOf, keyOf, originOf, paidMonthly, paidOnce, shortDetails, shortlisted, statuses, statusOf} from "../lib/fields.js"
import {find, flats, getFlat, onChange, patch, stateOf} from "../lib/flats.js"
import {swipe} from "../lib/gestures.js"
import {kept} from "../lib/kept.js"
import {linksOf} from "../lib/links.js"
import {askPeople, askRule} from "../lib/opinions.js"
import {me} from "../lib/people.js"
import {withVisit} from "../lib/query.js"
import {mustWait} from "../lib/queue.js"
import {flatHash, idOf} from "../lib/state.js"
import {around, isPlanned, usualVisits} from "../parts/agenda.js"
import {phoneLink} from "../parts/call.js"
import {copy} from "../parts/copy.js"
import {compareButton, flatKeys, followButton, setStatus, stars, statusButton} from "../parts/decide.js"
import {change, changeNow} from "../parts/decisions.js"
import {editable} from "../parts/edit.js"
import {byWhom, following} from "../parts/flats.js"
import {makeDoubles} from "../parts/homes.js"
import {icon} from "../parts/icons.js"
import {about, gallery, pairs, photoKeys, turnPhoto} from "../parts/listing.js"
import {editor, focusNotes} from "../parts/notes.js"
import {reason} from "../parts/notice.js"
import {markOpened} from "../parts/seen.js"
import {stepButton} from "../parts/steps.js"
import {addressOf, described, detailInWords, detailName, fieldInWords, fieldsInWords, labelOf, title}
	from "../words/flats.js"
import {dayAndTime, fromControl, instant, longDay, statusName, t, text, toControl} from "../words/format.js"

// show fills root with the flat that the hash names.
export async function show(root, route, signal) {
	const id = idOf(route)
	let flat
	let shown // the state of the flat that is shown, and its text
	const photo = {} // the one that is shown
	let drawn = new AbortController() // aborts when the view is drawn anew
	kept.trail.last = id

	async function fresh(how = {changed: true}) {
		await getFlat(id, signal, how)
		await Promise.all([askPeople([id], signal), askRule(id, signal)]).catch(() => {/* the flat is shown without */})
		return !flat || shown !== stateNow()
	}

	const stateNow = () => stateOf([id]) + flats.get(id).text

	function follow(other) {
		if (!flat || keyOf(other) !== id) return
		flat = other
		shown = stateNow()
	}

	// isInUse reports whether fields or a dialog are open, or somebody types: what is drawn anew loses the focus, and
	// then letters would act as keys.
	function isInUse() {
		const focused = document.activeElement
		return root.querySelector(".editing, dialog") || root.contains(focused) && isTyping(focused)
	}

	async function load() {
		try {
			if (await fresh({}) && !isInUse()) render() // else "Show" will be offered
		} catch (error) {
			if (!flat) fill(root, h("div.empty", h("h1", reason(error)), h("button", t.retry, {click: load})))
		}
	}

	function render() {
		flat = flats.get(id)
		shown = stateNow()
		markOpened(flat)
		drawn.abort()
		drawn = new AbortController()
		const until = AbortSignal.any([signal, drawn.signal])
		const choices = () => h("div.choices", statusChoices(id), decidedBy(flats.get(id)),
			h("div.line", stars(id), compareButton(id)))
		const makeFacts = editable(id, until, redraw)
		const {first, doubles} = makeDoubles(flat, until)
		let what = makeWhat()

		function makeWhat() {
			const now = flats.get(id)
			const beneath = [mapOf(now, until), doubles] // what stands under the facts
			return about(now, [first, h("h1", title(now))], makeFacts(), until, beneath)
		}

		function redraw() {
			what = swap(what, makeWhat())
		}

		const focused = document.activeElement
		const at = alike(root, focused).indexOf(focused)
		fill(root, steps(id), gallery(flat, until, photo), what, following(id, () => h("p.text", flats.get(id).text), until),
			h("div.own", following(id, choices, until), contact(id, until), visit(flat, id, until), editor(flat, until)),
			details(flat), following(id, () => makeBar(flats.get(id), id), until))
		alike(root, focused)[at]?.focus({preventScroll: true})
	}

	onChange(follow, signal)
	swipe(root, () => turnPhoto(root, -1), () => turnPhoto(root, 1))
	// If another view has asked for the whole flat before, it is shown while the request is under way.
	if ("text" in (flats.get(id) ?? {})) render()
	const loading = load()
	if (!flat) await loading
	if (flat && kept.trail.notes === id) goToNotes()
	kept.trail.notes = null
	return {fresh, show: render, keys: {...flatKeys(() => flat && id), ...photoKeys(root), ...ownKeys(root)}}
}

// mapOf makes a place for the small map of a flat, which is loaded on its own, if the flat has a position.
function mapOf(flat, signal) {
	const element = originOf(flat).at && h("div.small-map")
	if (element) import("../parts/smallmap.js").then(({drawSmallMap}) => drawSmallMap(element, flat, signal))
		.catch(() => element.remove())
	return element
}

// alike returns the headings and controls in root that say the same as an element. A flat that has changed may have
// other controls before the one that had the focus, so that its number alone does not find it again.
const alike = (root, element) => [root.querySelector("h1"), ...controlsOf(root)].filter(other =>
	other && ["tagName", "type", "textContent", "ariaLabel"].every(name => other[name] === element[name]))

// decidedBy says which status somebody else or a rule gave the flat. What a rule dismissed can be brought back.
const decidedBy = flat => byWhom(flat) && h("p.soft.line", h("span", byWhom(flat)), flat.status_because &&
	statusOf(flat) === "ignored" && h("button", t.not_this, {click: () => setStatus(keyOf(flat), "new")}))

// ownKeys returns the keys that only this view has.
function ownKeys(root) {
	const press = selector => () => root.querySelector(selector)?.click()
	return {
		e: [t.edit, press(".edit")],
		m: [t.message, press(".contact button")],
		n: [t.notes, () => root.querySelector(".own .notes") && focusNotes(root.querySelector(".own .notes"))],
		Escape: [t.back, () => void goBack()],
		j: [t.next, press("[rel=next]")],
		k: [t.prev, press("[rel=prev]")],
	}
}

// goBack goes back in the history if one came from a view of the page, and never adds to it.
function goBack() {
	if (history.state?.isFromPage) history.back()
	else location.replace(kept.trail.hash)
}

// steps makes the links back to where the flat was opened, and to the flats before and after. The latter replace the
// address in the history, so that "Back" skips them.
function steps(id) {
	const at = kept.trail.ids.indexOf(id)
	// link makes a link that acts in place of the browser, unless it is opened in another tab.
	const link = (act, ...rest) => h("a.button", {click: event => {
		if (event.ctrlKey || event.metaKey || event.shiftKey) return
		event.preventDefault()
		act(event.currentTarget.href)
	}}, rest)
	const replace = href => {
		const {href: oldURL} = location
		history.replaceState(history.state, "", href)
		dispatchEvent(new HashChangeEvent("hashchange", {oldURL, newURL: href}))
	}
	const step = (other, rel, side) => other && link(replace, icon(side), {href: flatHash(other), rel, label: t[rel]})
	return h("div.steps", link(goBack, "← ", t.back, {href: kept.trail.hash}),
		step(kept.trail.ids[at - 1], "prev", "left"), step(at >= 0 && kept.trail.ids[at + 1], "next", "right"), h("span"),
		h("button", t.share, {click: () => share(flats.get(id))}),
		h("button", icon("link"), h("span", t.share_link), {label: t.share_link,
			click: event => shareFlat(event.currentTarget.closest("section"), flats.get(id))}),
		h("button", t.print, {click: () => print()}))
}

// statusChoices makes the buttons of all statuses: a row of those that a flat goes through, "Dismiss" apart from them,
// and the others in a menu, beside the next step. The flat's own status, whatever that is, stands outside the menu.
// Unlike "Follow" elsewhere, they take a flat back to an earlier status, and a press on its own does nothing.
function statusChoices(id) {
	const own = statusOf(flats.get(id))
	const choice = (status, word = statusName(status)) => h("button", word, {data: {status}, title: word,
		"aria-pressed": String(status === own), click: () => status !== own && setStatus(id, status)})
	const row = ["new", ...shortlisted].filter(status => status !== "offered")
	const others = statuses.filter(status => ![...row, "ignored", own].includes(status))
	const menu = h("div#statuses", {popover: "auto"}, others.map(status => choice(status)))
	const open = h("button", icon("more"), {label: t.more_statuses, title: t.more_statuses, popovertarget: menu.id})

	// Esc closes the menu, and leaves the view where it is.
	function keydown(event) {
		if (event.key !== "Escape" || !menu.matches(":popover-open")) return
		event.stopPropagation()
		menu.hidePopover()
	}

	return [
		h("div.statuses", {role: "group", label: t.status}, row.map(status => choice(status))),
		h("div.line", ![...row, "ignored"].includes(own) && choice(own), choice("ignored", t.dismiss),
			h("span", {keydown}, open, menu), stepButton(id)),
	]
}

// visit makes the field for the visit, which saves itself. The lines below it say which visits it overlaps,
// and how much time there is to the visits before and after it.
function visit(flat, id, signal) {
	let others = []
	let isTyped = false // true while the field has what is not saved yet
	const input = h("input#visit", {type: "datetime-local", min: "1900-01-01T00:00", max: "9999-12-31T23:59",
		input: () => {
			isTyped = true
			show()
			saveSoon()
		},
		blur: () => {
			if (!input.validity.valid) fill(about, h("p.wrong", input.validationMessage))
		}})
	const remove = h("button.close", icon("dismiss"), {label: text(t.remove, {name: t.visit_date}),
		click: () => {
			isTyped = false
			if (input.value) save(null)
		}})
	const about = h("div", {role: "status"})
	const paper = h("p.sheet") // a control says nothing more on paper
	function show() {
		remove.hidden = !input.value
		fill(about, input.value && isPlanned(flats.get(id)) && around(instant(input.value), others))
		fill(paper, dayAndTime(input.value))
	}

	// withStatus returns the fields that a visit changes: it follows a flat that is new.
	const withStatus = visit_date => ({visit_date,
		...visit_date && statusOf(flats.get(id)) === "new" && {status: "followed"}})

	// save saves a visit. If that fails, the field is reset, unless more was typed in the meantime.
	async function save(visit_date) {
		const typed = input.value
		const fields = withStatus(visit_date)
		const saved = await change(id, fields, fieldsInWords(fields))
		if (input.value !== typed) return
		isTyped = false
		if (!saved) reset()
	}

	function reset() {
		isTyped = false
		input.value = toControl(flats.get(id).visit_date)
		show()
	}

	// A half-typed year (2, 20, 202) is invalid and is not saved. A day in the past is often a slip of the finger, so
	// it is saved only after a question.
	const isPast = () => input.value && instant(input.value) < new Date().setHours(0, 0, 0, 0)
	const saveSoon = later(() => {
		if (!input.validity.valid) return
		if (input.value === toControl(flats.get(id).visit_date)) {
			isTyped = false
			return
		}
		const saveNow = () => save(fromControl(input.value))
		if (isPast()) fill(about, pastQuestion(input.value, () => saveNow().then(show), reset))
		else saveNow()
	}, 800)

	// keepTyped keeps what was just typed when the page is hidden, because the page may be closed next. The queue would
	// send it a moment later, so it is sent at once, unless earlier changes wait. If that fails, the queue still has it.
	function keepTyped({type}) {
		if (type !== "pagehide" && document.visibilityState !== "hidden") return
		if (!isTyped || !input.validity.valid || isPast()) return
		isTyped = false
		const fields = withStatus(fromControl(input.value))
		const isFirst = !mustWait(id, fields)
		changeNow([[id, fields]], `${title(flats.get(id))}: ${fieldsInWords(fields)}`)
		if (isFirst) patch(id, fields, {match: kept.tags.get(id), keepalive: true, by: me()})
			.catch(() => {/* the queue sends it */})
	}
	document.addEventListener("visibilitychange", keepTyped, {signal})
	addEventListener("pagehide", keepTyped, {signal})

	function follow(other) {
		if (keyOf(other) === id && !isTyped && input !== document.activeElement) reset()
	}
	onChange(follow, signal)
	follow(flat)
	find(withVisit, {}, {signal}).then(found => {
		others = found.flats.filter(other => keyOf(other) !== id)
		show()
	}, () => {/* the visit can be saved without them */})
	// choose sets a visit by a chip. What it overlaps shows at once.
	function choose(value) {
		input.value = value
		isTyped = true
		show()
		save(fromControl(value))
	}
	const chips = usualVisits().map(([words, value]) => h("button", words, {click: () => choose(value)}))
	return h("div.visit", h("label", t.visit_date, {for: "visit"}), h("div.line", input, remove),
		h("div.line.usual", chips), paper, about)
}

// pastQuestion asks whether to save a visit although its day is past.
const pastQuestion = (date, yes, no) => [h("p.overlap", text(t.past_sure, {date: longDay(instant(date))})),
	h("div.line", h("button", t.sure, {click: yes}), h("button", t.cancel, {click: no}))]

// nextAction names the next action by the status of a flat, if there is one.
const nextAction = ({notation, visit_date: date, status}) => ({new: "call", followed: "call",
	contacted: !date && "visit", visited: notation == null && "rate"}[status ?? "new"])

// contact makes the row of actions: to call or write to the advertiser, to set a visit, or to rate what was visited.
// The next one by the status is filled.
function contact(id, signal) {
	const flat = flats.get(id)
	const call = phoneLink("a.button", flat, t.call)
	const message = h("button", t.message, {click: write})
	const visit = h("button", t.set_visit, {click: pickVisit})
	const rate = h("button", t.rate, {click: () => document.querySelector(".own .stars button").focus()})
	const element = h("div.line.contact", call, message, visit, rate)

	function mark(flat) {
		rate.hidden = nextAction(flat) !== "rate"
		const next = {call: call || message, visit, rate}[nextAction(flat)]
		for (const action of element.children) action.classList.toggle("primary", action === next)
	}

	mark(flat)
	onChange(other => keyOf(other) === id && mark(other), signal)

	async function write() {
		const {showMessage} = await import("../parts/message.js")
		if (element.isConnected) showMessage(element, flats.get(id))
	}

	return element
}

// makeBar makes the bar of a phone. The next action is filled here, if the bar has it.
function makeBar(flat, id) {
	const spec = (name, tag) => (nextAction(flat) === name ? tag + ".primary" : tag)
	return h("div.bar", {role: "group", label: t.actions}, phoneLink(spec("call", "a.button"), flat, t.call),
		followButton(id), h(spec("visit", "button"), t.visit_date, {click: pickVisit}),
		h("button", t.notes, {click: goToNotes}), statusButton(id, "ignored"))
}

// pickVisit opens the browser's calendar.
function pickVisit() {
	const input = document.getElementById("visit")
	input.focus()
	input.showPicker()
}

// goToNotes shows the notes, to write in them.
function goToNotes() {
	const notes = document.querySelector(".own .notes")
	notes.scrollIntoView()
	focusNotes(notes)
}

// placed has the fields that are shown elsewhere on the page, or not at all.
const placed = new Set(("id title text area cost currency utilities rooms bedrooms date location station phone " +
	"photos urls merged_ids notes notation status visit_date service_constraint service_postal_code service_stations " +
	"service_time_to first_seen cost_history gone not_duplicates details status_by status_since status_because ratings " +
	"next_step next_date charges contacted_since").split(" ").concat(paidOnce))

// details shows everything else, including members that only the listing's site knows. The short ones are shown with
// the facts.
function details(flat) {
	const short = new Set(shortDetails(flat).map(([name]) => name))
	const money = paidMonthly.filter(name => !placed.has(name))
	return h("dl.pairs.details", pairs([
		...money.map(name => [labelOf(name), fieldInWords(name, flat)]),
		...[
			[t.station, flat.station],
			...Object.entries(flat).filter(([name]) => !placed.has(name) && !money.includes(name)),
			...Object.entries(detailsOf(flat)).filter(([name]) => !short.has(name) && name !== "gps"),
		].map(([name, value]) => [detailName(name), detailInWords(name, value, flat)]),
	]))
}

// shareFlat asks for a link to a page of the flat for somebody else.
async function shareFlat(element, flat) {
	const {shareLink} = await import("../parts/share.js")
	if (element.isConnected) shareLink(element, {title: title(flat), ids: [keyOf(flat)]})
}

// share hands a text about the flat to the device, or copies it if the device offers no sharing.
async function share(flat) {
	const text = [described(flat), addressOf(flat), flat.phone, ...linksOf(flat)].filter(Boolean).join("\n")
	if (navigator.share) return navigator.share({title: title(flat), text}).catch(() => {/* the sheet was closed */})
	copy(text)
}
