// The visit of a flat: a field that saves itself, and times to choose from.

import {fill, h, later} from "../lib/dom.js"
import {keyOf, statusOf} from "../lib/fields.js"
import {find, flats, onChange, patch} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {me} from "../lib/people.js"
import {withVisit} from "../lib/query.js"
import {mustWait} from "../lib/queue.js"
import {fieldsInWords, title} from "../words/flats.js"
import {clock, dayAndTime, fromControl, instant, longDay, t, text, toControl} from "../words/format.js"
import {isPlanned, linesAround, nextDays, overlapsAt, usualVisits} from "./agenda.js"
import {change, changeNow} from "./decisions.js"
import {icon} from "./icons.js"

// makeVisit makes the visit of a flat, {element, open}: a field that saves itself, with a note about overlapping and
// neighbouring visits. The element is hidden while there is no visit. open(opener) shows it with the times to choose
// from; opener gets the focus once a time is chosen.
export function makeVisit(flat, signal) {
	const id = keyOf(flat)
	let others = []
	let isTyped = false // whether the field has a value that is not saved yet
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
	const about = h("div", {role: "status"}) // what is wrong, a question, or which visits overlap
	const paper = h("p.sheet") // replaces the control on paper
	const times = makeTimes(() => others, choose, () => {
		input.focus()
		input.showPicker()
	})
	const element = h("div.visit", times.element, h("label", t.visit_date, {for: "visit"}), h("div.line", input, remove),
		paper, about)

	function show() {
		remove.hidden = !input.value
		element.hidden = !input.value && !isTyped && times.element.hidden
		fill(about, input.value && isPlanned(flats.get(id)) && linesAround(instant(input.value), others))
		fill(paper, dayAndTime(input.value))
	}

	function open(opener) {
		times.open(opener)
		show()
		times.element.querySelector("button").focus({preventScroll: true})
		element.scrollIntoView({block: "nearest"})
	}

	// withStatus returns the fields that a visit changes. A visit to a new flat also follows the flat.
	function withStatus(visit_date) {
		const isFollowing = visit_date && statusOf(flats.get(id)) === "new"
		return isFollowing ? {visit_date, status: "followed"} : {visit_date}
	}

	// save saves a visit. If that fails, the field is reset, unless more was typed meanwhile.
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

	// A half-typed year (2, 20, 202) is invalid and is not saved. A day in the past is often a mistake, so it is saved
	// only after a question.
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

	// keepTyped saves what was just typed when the page is hidden, because the page may be closed next. The queue would
	// send the visit a moment later, so keepTyped also sends it at once, unless earlier changes wait. If that fails,
	// the visit is still in the queue.
	function keepTyped({type}) {
		if (type !== "pagehide" && document.visibilityState !== "hidden") return
		if (!isTyped || !input.validity.valid || isPast()) return
		isTyped = false
		const fields = withStatus(fromControl(input.value))
		const canSendAtOnce = !mustWait(id, fields) // to be asked before changeNow puts the visit into the queue
		changeNow([[id, fields]], `${title(flats.get(id))}: ${fieldsInWords(fields)}`)
		if (!canSendAtOnce) return
		const options = {match: kept.tags.get(id), keepalive: true, by: me()}
		patch(id, fields, options).catch(() => {/* the queue sends it */})
	}
	document.addEventListener("visibilitychange", keepTyped, {signal})
	addEventListener("pagehide", keepTyped, {signal})

	function follow(other) {
		const isInUse = isTyped || input === document.activeElement
		if (keyOf(other) === id && !isInUse) reset()
	}
	onChange(follow, signal)
	follow(flat)
	find(withVisit, {}, {signal}).then(found => {
		others = found.flats.filter(other => keyOf(other) !== id)
		times.draw()
		show()
	}, () => {/* the visit can be saved without knowing the others */})

	// choose saves a visit at once. What it overlaps shows immediately.
	function choose(value) {
		input.value = value
		isTyped = true
		show()
		save(fromControl(value))
	}

	return {element, open}
}

// makeTimes makes the times to choose from, {element, open, draw}: the usual ones, and the half hours of a day. Times
// that overlap a visit of getOthers() are struck through but can be chosen. A press calls choose(value), with the value
// of a datetime-local control; "Another day" calls pick().
function makeTimes(getOthers, choose, pick) {
	let opener // gets the focus when the times are closed
	let chosenDay // its date, or null
	const usual = h("div.usual")
	const days = h("div.days", {role: "group", label: t.set_visit})
	const hours = h("div.hours", {role: "group"})
	const element = h("div.times", {hidden: true, keydown}, usual, days, hours)

	function timeButton(words, value) {
		const overlap = overlapsAt(instant(value), getOthers()).join()
		return h("button", overlap ? h("s", words) : words, {title: overlap, label: overlap && `${words}, ${overlap}`,
			click: () => {
				close()
				choose(value)
			}})
	}

	function draw() {
		fill(usual, usualVisits().map(([words, value]) => timeButton(words, value)))
		const all = nextDays()
		const day = all.find(({date}) => date === chosenDay)
		const dayButtons = all.map(({date, words}) => h("button", words, {title: longDay(date),
			"aria-pressed": String(date === chosenDay), click: () => turnTo(date)}))
		fill(days, dayButtons, h("button", t.another_day, {click: pick}))
		hours.hidden = !day
		fill(hours, day && {label: longDay(day.date)}, day?.times.map(value => timeButton(clock(value), value)))
	}

	// turnTo shows the times of a day. The button that has the focus is drawn again, and keeps it.
	function turnTo(date) {
		const at = [...days.children].indexOf(document.activeElement)
		chosenDay = date
		draw()
		days.children[at]?.focus({preventScroll: true})
		hours.scrollIntoView({block: "nearest"})
	}

	// open shows the times, without those of a day yet. by is the button that was pressed.
	function open(by) {
		opener = by
		chosenDay = null
		element.hidden = false
		draw()
	}

	function close() {
		element.hidden = true
		opener.focus({preventScroll: true})
	}

	// keydown closes the times on Esc, without leaving the view.
	function keydown(event) {
		if (event.key !== "Escape") return
		event.stopPropagation()
		close()
	}

	function redraw() {
		if (!element.hidden) draw()
	}

	return {element, open, draw: redraw}
}

// pastQuestion asks whether to save a visit although its day is past. The buttons call yes() and no().
const pastQuestion = (date, yes, no) => [h("p.overlap", text(t.past_sure, {date: longDay(instant(date))})),
	h("div.line", h("button", t.sure, {click: yes}), h("button", t.cancel, {click: no}))]
