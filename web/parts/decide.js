// The buttons and keys that decide on a flat: its status, its rating, and its comparison.

import {h} from "../lib/dom.js"
import {own, shortlisted, statusOf} from "../lib/fields.js"
import {flats} from "../lib/flats.js"
import {me, people, valueOf} from "../lib/people.js"
import {fieldInWords, fieldsInWords, othersRatings, title} from "../words/flats.js"
import {number, statusName, t} from "../words/format.js"
import {compared, toggleCompared} from "./bar.js"
import {icon} from "./icons.js"
import {tell} from "./notice.js"

// isStepBack reports whether setting a status would be a step back for a flat. Only "followed" can be one.
const isStepBack = (id, status) =>
	status === "followed" && shortlisted.indexOf(statusOf(flats.get(id))) > shortlisted.indexOf(status)

// changeAll calls changeAll of decisions.js, which is loaded at the first decision or after the first list.
const changeAll = async (...decision) => (await import("./decisions.js")).changeAll(...decision)

// decide makes a decision on one flat. words describe the decision. make is changeAll, or changeNow for views that do
// not wait for the service (decisions.js).
const decide = (id, fields, words, make = changeAll) => make([[id, fields]], `${title(flats.get(id))}: ${words}`)

// setStatus sets a status; make is as for decide.
export async function setStatus(id, status, make) {
	const isMade = await decide(id, {status}, statusName(status), make)
	const hasFailed = isMade === false // changeNow promises nothing
	if (status === "signed" && !hasFailed) (await import("./signed.js")).offerEnd(id)
}

// toggleStatus sets a status, or "new" if the flat already has it. If that would be a step back, it only tells the
// status that the flat has.
export function toggleStatus(id, pressed) {
	const present = statusOf(flats.get(id))
	if (isStepBack(id, pressed)) return tell(`${title(flats.get(id))}: ${statusName(present)}`)
	setStatus(id, present === pressed ? "new" : pressed)
}

// rate sets the rating of the person who uses this device, or the only rating if the config names no people.
async function rate(id, value, make) {
	if (people.length > 0 && !me()) {
		const {askWho} = await import("./who.js")
		return askWho(() => rate(id, value, make))
	}
	const fields = people.length > 0 ? {rating: value} : {notation: value}
	decide(id, fields, fieldsInWords(fields), make)
}

const verbs = {followed: t.follow, ignored: t.dismiss}

// statusButton makes a button that sets a status, or "new" if the flat already has it.
export function statusButton(id, status, attributes) {
	const word = own(verbs, status) ?? statusName(status)
	return h("button", word, {data: {status}, title: word, "aria-pressed": String(status === statusOf(flats.get(id))),
		click: () => toggleStatus(id, status)}, attributes)
}

// followButton makes the button that follows a flat, or returns null if that would be a step back.
export const followButton = (id, attributes) =>
	(isStepBack(id, "followed") ? null : statusButton(id, "followed", attributes))

// stars makes the five buttons of the rating. The ratings of others follow, or an imported rating that is no integer.
export function stars(id, make) {
	const flat = flats.get(id)
	const rating = people.length > 0 ? valueOf(flat, "rating") : flat.notation
	const isWhole = rating == null || Number.isInteger(rating)
	return h("div.stars", {role: "group", label: t.notation, "data-rated": flat.notation != null},
		[1, 2, 3, 4, 5].map(n =>
			h("button", icon("star"), {label: `${t.notation} ${n}`, data: {isFilled: rating >= n},
				"aria-pressed": String(rating === n), click: () => rate(id, rating === n ? null : n, make)})),
		!isWhole && number(rating), people.length > 0 && h("span.beside", ratingsNotMine(flat)))
}

// ratingsNotMine writes the ratings of other people, or else an imported rating, which belongs to nobody.
const ratingsNotMine = flat => othersRatings(flat) ||
	(flat.notation != null && !flat.ratings && fieldInWords("notation", flat))

// compareButton makes the button that chooses a flat for comparison. bar.js keeps it up to date.
export function compareButton(id) {
	return h("button.compare", t.compare, {"aria-pressed": String(compared().includes(id)), title: t.compare,
		data: {compare: id}, click: () => toggleCompared(id)})
}

// contactedStatuses has the statuses from "contacted" on.
const contactedStatuses = [...shortlisted.slice(shortlisted.indexOf("contacted")), "signed", "refused"]
const isContacted = id => contactedStatuses.includes(statusOf(flats.get(id)))

// offerContacted offers the status "contacted" after a call, unless the flat has passed it.
export function offerContacted(id) {
	if (!isContacted(id)) tell(title(flats.get(id)), {act: [statusName("contacted"), () => setContacted(id)]})
}

// setContacted sets the status "contacted" after a message, unless the flat has passed it.
export function setContacted(id) {
	if (!isContacted(id)) setStatus(id, "contacted")
}

// flatKeys returns the keys that decide on the flat with the id current(), unless that is null. make is as for decide.
export function flatKeys(current, make) {
	const key = (label, act) => [label, () => {
		if (current() == null) return false
		act(current())
		return true
	}]
	return {
		// The indices of this list become the keys "0" to "5". The key "0" removes the rating.
		...[0, 1, 2, 3, 4, 5].map(n => key(t.notation, id => rate(id, n || null, make))),
		f: key(t.follow, id => toggleStatus(id, "followed")),
		x: key(t.dismiss, id => toggleStatus(id, "ignored")),
		c: key(t.compare, toggleCompared),
	}
}
