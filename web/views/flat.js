// One flat. What the decision depends on comes first (parts/listing.js), then the listing's text, then the user's
// own status, rating, visit and notes, then all other details. If there is room, photos, text and details stand in one
// column, what decides beside them, and the user's own in a third. It exports show, as all views do (see app.js).

import {controlsOf, fill, h, isTyping, swap} from "../lib/dom.js"
import {detailsOf, keyOf, originOf, paidMonthly, paidOnce, shortDetails, shortlisted, statuses, statusOf}
	from "../lib/fields.js"
import {flats, getFlat, onChange, stateOf} from "../lib/flats.js"
import {swipe} from "../lib/gestures.js"
import {kept} from "../lib/kept.js"
import {linksOf} from "../lib/links.js"
import {askPeople, askRule} from "../lib/opinions.js"
import {flatHash, idOf} from "../lib/state.js"
import {phoneLink} from "../parts/call.js"
import {copy} from "../parts/copy.js"
import {compareButton, flatKeys, followButton, setContacted, setStatus, stars, statusButton} from "../parts/decide.js"
import {editable} from "../parts/edit.js"
import {byWhom, following} from "../parts/flats.js"
import {makeDoubles} from "../parts/homes.js"
import {icon} from "../parts/icons.js"
import {about, gallery, pairs, photoKeys, turnPhoto} from "../parts/listing.js"
import {editor, focusNotes} from "../parts/notes.js"
import {reason} from "../parts/notice.js"
import {markOpened} from "../parts/seen.js"
import {stepButton} from "../parts/steps.js"
import {makeVisit} from "../parts/visit.js"
import {addressOf, described, detailInWords, detailName, fieldInWords, labelOf, title} from "../words/flats.js"
import {statusName, t} from "../words/format.js"

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
		const choices = () => h("div.choices", statusChoices(id), decidedBy(flats.get(id)))
		const rated = () => h("div.line.rated", stars(id), compareButton(id))
		const visit = makeVisit(flat, until)
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
			h("div.own", h("div.card.next", {role: "group", label: t.next_up}, contact(id, visit.open, until), visit.element,
				following(id, choices, until)), following(id, rated, until), editor(flat, until)),
			details(flat), following(id, () => makeBar(flats.get(id), visit.open), until))
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

// steps makes the links back to where the flat was opened, and to the flats before and after, and what passes the flat
// on. On a phone, where they lie on the photo, all but Back and Share stand in a menu. The links replace the address in
// the history, so that "Back" skips them.
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
	const step = (other, rel, side, words) =>
		other && link(replace, icon(side), words && t[rel], {href: flatHash(other), rel, label: t[rel]})
	const beside = words => [step(kept.trail.ids[at - 1], "prev", "left", words),
		step(at >= 0 && kept.trail.ids[at + 1], "next", "right", words)]
	const further = () => [
		h("button", t.share_link, {click: event => shareFlat(event.currentTarget.closest("section"), flats.get(id))}),
		h("button", t.print, {click: () => print()})]
	return h("div.steps", link(goBack, "←", h("span.word", " ", t.back), {href: kept.trail.hash}), beside(), h("span"),
		h("button", icon("share"), h("span.word", t.share), {click: () => share(flats.get(id))}), further(),
		h("div.folded", menu("further", t.more, [beside(true), further()])))
}

// menu makes a button, and the menu that it opens.
function menu(id, label, ...items) {
	const element = h("div.menu-of", {id, popover: "auto", click: () => element.hidePopover()}, items)

	// Esc closes the menu, and leaves the view where it is.
	function keydown(event) {
		if (event.key !== "Escape" || !element.matches(":popover-open")) return
		event.stopPropagation()
		element.hidePopover()
	}

	return h("span", {keydown}, h("button", icon("more"), {label, title: label, popovertarget: id}), element)
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
	return [
		h("div.statuses", {role: "group", label: t.status}, row.map(status => choice(status))),
		h("div.line", ![...row, "ignored"].includes(own) && choice(own), choice("ignored", t.dismiss),
			menu("statuses", t.more_statuses, others.map(status => choice(status))), stepButton(id)),
	]
}

// nextAction names the next action by the status of a flat, if there is one.
const nextAction = ({notation, visit_date: date, status}) => ({new: "call", followed: "call",
	contacted: !date && "visit", visited: notation == null && "rate"}[status ?? "new"])

// contact makes the row of actions: to call or write to the advertiser, to set a visit, or to rate what was visited.
// The next one by the status is filled. Where all four stand in the row, the visit has its icon alone.
function contact(id, openVisit, signal) {
	const flat = flats.get(id)
	const call = phoneLink("a.button", flat, t.call)
	const message = h("button", t.message, {click: write})
	const visit = h("button", icon("today"), h("span.word", t.set_visit), {title: t.set_visit,
		click: () => openVisit(visit)})
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
		if (element.isConnected) showMessage(element, flats.get(id), () => setContacted(id))
	}

	return element
}

// makeBar makes the bar of a phone. The next action is filled here, if the bar has it.
function makeBar(flat, openVisit) {
	const id = keyOf(flat)
	const visit = h(nextAction(flat) === "visit" ? "button.primary" : "button", t.visit_date,
		{click: () => openVisit(visit)})
	return h("div.bar", {role: "group", label: t.actions},
		phoneLink(nextAction(flat) === "call" ? "a.button.primary" : "a.button", flat, t.call),
		followInBar(flat), visit, h("button", t.notes, {click: goToNotes}), statusButton(id, "ignored"))
}

// followInBar makes the button that follows a flat, which says whether that is done.
const followInBar = flat => {
	const button = followButton(keyOf(flat))
	if (button?.ariaPressed === "true") fill(button, statusName("followed"))
	return button
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
	"next_step next_date charges contacted_since gps").split(" ").concat(paidOnce))

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
