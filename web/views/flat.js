// One flat. First come the facts for the decision (parts/listing.js), then the text of the listing, then the user's own
// status, rating, visit and notes, then all other details. If there is room, photos, text and details are in one
// column, the facts in a second, and the user's own in a third. It exports show, as all views do (see app.js).

import {controlsOf, fill, h, isTyping, swap} from "../lib/dom.js"
import {detailsOf, keyOf, originOf, paidMonthly, paidOnce, shortDetails, shortlisted, statuses, statusOf}
	from "../lib/fields.js"
import {flats, getFlat, onChange, stateOf} from "../lib/flats.js"
import {swipe} from "../lib/gestures.js"
import {kept} from "../lib/kept.js"
import {linksOf} from "../lib/links.js"
import {askPeople, askRule} from "../lib/opinions.js"
import {flatHash, idOf} from "../lib/state.js"
import {isOver} from "../parts/agenda.js"
import {phoneLink} from "../parts/call.js"
import {copy} from "../parts/copy.js"
import {compareButton, flatKeys, followButton, setContacted, setStatus, stars, statusButton} from "../parts/decide.js"
import {editable} from "../parts/edit.js"
import {byWhom, directions, keepCurrent} from "../parts/flats.js"
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
	let shown // the state of the flat, with its text, when it was drawn
	const photo = {} // has the url of the photo in sight (gallery)
	let drawn = new AbortController() // aborts when the view is drawn again
	kept.trail.last = id

	// findChanges requests the flat and promises whether it differs from the one shown. options are for getFlat.
	async function findChanges(options = {ifChanged: true}) {
		await getFlat(id, signal, options)
		await Promise.all([askPeople([id], signal), askRule(id, signal)]).catch(() => {/* the flat is shown without these */})
		return !flat || shown !== stateNow()
	}

	const stateNow = () => stateOf([id]) + flats.get(id).text

	// noteUpdate takes note of an update on this page: the elements of the view show it themselves.
	function noteUpdate(updated) {
		if (!flat || keyOf(updated) !== id) return
		flat = updated
		shown = stateNow()
	}

	// isInUse reports whether fields or a dialog are open, or somebody is typing: drawing the view again would take the
	// focus away, and then letters would act as keys.
	function isInUse() {
		const focused = document.activeElement
		return root.querySelector(".editing, dialog") || root.contains(focused) && isTyping(focused)
	}

	async function load() {
		try {
			if (await findChanges({}) && !isInUse()) render() // otherwise app.js will offer "Show"
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
		const rating = () => h("div.line.rated", stars(id), compareButton(id))
		const visit = makeVisit(flat, until)
		const makeFacts = editable(id, until, redrawListing)
		const {likeLine, doubles} = makeDoubles(flat, until)
		let listing = makeListing()

		function makeListing() {
			const now = flats.get(id)
			return about(now, [likeLine, h("h1", title(now))], makeFacts(), until, mapOf(now, until), doubles)
		}

		function redrawListing() {
			listing = swap(listing, makeListing())
		}

		const focused = document.activeElement
		const focusedAt = lookalikes(root, focused).indexOf(focused)
		const description = keepCurrent(id, () => h("p.text", flats.get(id).text), until)
		const nextCard = h("div.card.next", {role: "group", label: t.next_up},
			contact(id, visit.open, until), visit.element, keepCurrent(id, choices, until))
		fill(root, steps(id), gallery(flat, until, photo), listing, description,
			h("div.own", nextCard, keepCurrent(id, rating, until), editor(flat, until)),
			details(flat), keepCurrent(id, () => makeBar(flats.get(id), visit.open), until))
		lookalikes(root, focused)[focusedAt]?.focus({preventScroll: true})
	}

	onChange(noteUpdate, signal)
	swipe(root, () => turnPhoto(root, -1), () => turnPhoto(root, 1))
	// If another view has already requested the whole flat, show that until the answer.
	if ("text" in (flats.get(id) ?? {})) render()
	const loading = load()
	if (!flat) await loading
	if (flat && kept.trail.notes === id) goToNotes()
	kept.trail.notes = null
	return {findChanges, show: render, keys: {...flatKeys(() => flat && id), ...photoKeys(root), ...ownKeys(root)}}
}

// mapOf makes an element for the small map of a flat, whose module is loaded later, if the flat has a position.
function mapOf(flat, signal) {
	const element = originOf(flat).at && h("div.small-map")
	if (element) import("../parts/smallmap.js").then(({drawSmallMap}) => drawSmallMap(element, flat, signal))
		.catch(() => element.remove())
	return element
}

// lookalikes returns the headings and controls in root that look the same as an element. A changed flat may have more
// controls than before, so the number of a control alone does not find it again.
const lookalikes = (root, element) => [root.querySelector("h1"), ...controlsOf(root)].filter(other =>
	other && ["tagName", "type", "textContent", "ariaLabel"].every(name => other[name] === element[name]))

// decidedBy writes who gave the flat its status, if that was somebody else or a rule. If a rule dismissed the flat, a
// button brings it back.
const decidedBy = flat => byWhom(flat) && h("p.soft.line", h("span", byWhom(flat)), flat.status_because &&
	statusOf(flat) === "ignored" && h("button", t.not_this, {click: () => setStatus(keyOf(flat), "new")}))

// ownKeys returns the keys of this view alone.
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

// goBack goes back in the history if the flat was opened from a view of the page. It never adds to the history.
function goBack() {
	if (history.state?.isFromPage) history.back()
	else location.replace(kept.trail.hash)
}

// steps makes the links back and to the previous and next flat, and the buttons to share and print. On a phone these
// are on the photo, and a menu has all of them except Back and Share. The links to flats replace the address in the
// history, so that "Back" skips these flats.
function steps(id) {
	const at = kept.trail.ids.indexOf(id) // -1 if the view from which the user came does not have the flat
	// link makes a link that calls act(href), unless it is opened in another tab.
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
	const step = (other, rel, side, hasWords) =>
		other && link(replace, icon(side), hasWords && t[rel], {href: flatHash(other), rel, label: t[rel]})
	const neighbours = ({hasWords} = {}) => [step(kept.trail.ids[at - 1], "prev", "left", hasWords),
		step(at >= 0 && kept.trail.ids[at + 1], "next", "right", hasWords)]
	const others = () => [
		h("button", t.share_link, {click: event => shareFlat(event.currentTarget.closest("section"), flats.get(id))}),
		h("button", t.print, {click: () => print()})]
	return h("div.steps", link(goBack, "←", h("span.word", " ", t.back), {href: kept.trail.hash}), neighbours(), h("span"),
		h("button", icon("share"), h("span.word", t.share), {click: () => share(flats.get(id))}), others(),
		h("div.folded", menu("further", t.more, [neighbours({hasWords: true}), others()])))
}

// menu makes a button and the menu that it opens.
function menu(id, label, ...items) {
	const element = h("div.menu-of", {id, popover: "auto", click: () => element.hidePopover()}, items)

	// keydown closes the menu on Esc, without leaving the view.
	function keydown(event) {
		if (event.key !== "Escape" || !element.matches(":popover-open")) return
		event.stopPropagation()
		element.hidePopover()
	}

	return h("span", {keydown}, h("button", icon("more"), {label, title: label, popovertarget: id}), element)
}

// statusChoices makes the buttons of all statuses: a row of the statuses that a flat goes through, then "Dismiss", and
// a menu with the others. The flat's own status is never in the menu. Unlike "Follow" elsewhere, these buttons can take
// a flat back to an earlier status, and a press on its own status does nothing.
function statusChoices(id) {
	const ownStatus = statusOf(flats.get(id))
	const choice = (status, word = statusName(status)) => h("button", word, {data: {status}, title: word,
		"aria-pressed": String(status === ownStatus), click: () => status !== ownStatus && setStatus(id, status)})
	const row = ["new", ...shortlisted].filter(status => status !== "offered")
	const others = statuses.filter(status => ![...row, "ignored", ownStatus].includes(status))
	return [
		h("div.statuses", {role: "group", label: t.status}, row.map(status => choice(status))),
		h("div.line", ![...row, "ignored"].includes(ownStatus) && choice(ownStatus), choice("ignored", t.dismiss),
			menu("statuses", t.more_statuses, others.map(status => choice(status))), stepButton(id)),
	]
}

// nextAction returns the next action for the status of a flat, "call", "visit", "way" or "rate", or a falsy value.
function nextAction(flat) {
	const {notation, visit_date: date} = flat
	const status = statusOf(flat)
	const isAhead = date && !isOver(flat)
	if (isAhead && ["followed", "contacted"].includes(status)) return "way"
	return {new: "call", followed: "call", contacted: !date && "visit", visited: notation == null && "rate"}[status]
}

// contact makes the row of actions: call, message, visit, and the way before a visit, or rate after it. The next action
// is filled.
function contact(id, openVisit, signal) {
	const flat = flats.get(id)
	const call = phoneLink("a.button", flat, t.call)
	const message = h("button", t.message, {click: write})
	const visit = h("button", icon("today"), h("span.word", t.set_visit), {title: t.set_visit,
		click: () => openVisit(visit)})
	const rate = h("button.then", t.rate, {click: () => document.querySelector(".own .stars button").focus()})
	const way = directions(flat, "a.button.then") || null
	const element = h("div.line.contact", call, message, visit, way, rate)

	// mark fills the next action of a flat.
	function mark(flat) {
		rate.hidden = nextAction(flat) !== "rate"
		if (way) way.hidden = nextAction(flat) !== "way"
		const callOrMessage = call || message // a phone that cannot be dialled has no link
		const next = {call: callOrMessage, visit, way: way || callOrMessage, rate}[nextAction(flat)]
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

// makeBar makes the bar of a phone. The next action is filled, if the bar has it.
function makeBar(flat, openVisit) {
	const id = keyOf(flat)
	const visit = h(nextAction(flat) === "visit" ? "button.primary" : "button", t.visit_date,
		{click: () => openVisit(visit)})
	return h("div.bar", {role: "group", label: t.actions},
		phoneLink(nextAction(flat) === "call" ? "a.button.primary" : "a.button", flat, t.call),
		followInBar(flat), visit, h("button", t.notes, {click: goToNotes}), statusButton(id, "ignored"))
}

// followInBar makes the button that follows a flat. Once that is done, its word is the status.
const followInBar = flat => {
	const button = followButton(keyOf(flat))
	if (button?.ariaPressed === "true") fill(button, statusName("followed"))
	return button
}

// goToNotes scrolls to the notes and focuses them.
function goToNotes() {
	const notes = document.querySelector(".own .notes")
	notes.scrollIntoView()
	focusNotes(notes)
}

// fieldsElsewhere are those that details leaves out, because the view shows them elsewhere or not at all.
const fieldsElsewhere = new Set((
	"id title text area cost currency utilities rooms bedrooms date location station phone " +
	"photos urls merged_ids notes notation status visit_date service_constraint service_postal_code service_stations " +
	"service_time_to first_seen cost_history gone not_duplicates details status_by status_since status_because ratings " +
	"next_step next_date charges contacted_since gps").split(" ").concat(paidOnce))

// details shows all other fields and details. Short details are shown with the facts.
function details(flat) {
	const shortNames = new Set(shortDetails(flat).map(([name]) => name))
	const money = paidMonthly.filter(name => !fieldsElsewhere.has(name))
	return h("dl.pairs.details", pairs([
		...money.map(name => [labelOf(name), fieldInWords(name, flat)]),
		...[
			[t.station, flat.station],
			...Object.entries(flat).filter(([name]) => !fieldsElsewhere.has(name) && !money.includes(name)),
			...Object.entries(detailsOf(flat)).filter(([name]) => !shortNames.has(name) && name !== "gps"),
		].map(([name, value]) => [detailName(name), detailInWords(name, value, flat)]),
	]))
}

// shareFlat opens the dialog for a shared page of the flat.
async function shareFlat(element, flat) {
	const {shareLink} = await import("../parts/share.js")
	if (element.isConnected) shareLink(element, {title: title(flat), ids: [keyOf(flat)]})
}

// share passes a text about the flat to the device, or copies it if the device cannot share.
async function share(flat) {
	const text = [described(flat), addressOf(flat), flat.phone, ...linksOf(flat)].filter(Boolean).join("\n")
	if (navigator.share) return navigator.share({title: title(flat), text}).catch(() => {/* the sheet was closed */})
	copy(text)
}
