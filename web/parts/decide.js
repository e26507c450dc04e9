// The buttons and keys that decide on a flat: its status, its rating, and whether it is compared.

import {h} from "../lib/dom.js"
import {statusOf} from "../lib/fields.js"
import {flats} from "../lib/flats.js"
import {statuses} from "../lib/state.js"
import {fieldsInWords, title} from "../words/flats.js"
import {number, statusName, t} from "../words/format.js"
import {choose, chosen} from "./bar.js"
import {change, tell} from "./notice.js"

// isBeyond reports whether a flat is already past being followed, so that following it would be a step back.
const isBeyond = (id, status) => status === "followed" && ["contacted", "visited"].includes(statusOf(flats.get(id)))

// toggleStatus sets a status, or "new" if the flat has that status already.
export function toggleStatus(id, pressed) {
	const was = statusOf(flats.get(id))
	if (isBeyond(id, pressed)) return tell(`${title(flats.get(id))}: ${statusName(was)}`)
	const status = was === pressed ? "new" : pressed
	change(id, {status}, statusName(status))
}

const rate = (id, notation) => change(id, {notation}, fieldsInWords({notation}))

const verbs = {followed: t.follow, ignored: t.dismiss}

// statusButton makes the button that sets a status, or takes it back.
export function statusButton(id, status, attributes) {
	const word = verbs[status] ?? statusName(status)
	return h("button", word, {data: {status}, title: word, "aria-pressed": String(status === statusOf(flats.get(id))),
		"aria-disabled": isBeyond(id, status) && "true", click: () => toggleStatus(id, status)}, attributes)
}

// statusButtons makes the buttons of the offered statuses. By default these are all statuses and the flat's
// own.
export const statusButtons = (id, offered = new Set([...statuses, statusOf(flats.get(id))])) =>
	h("div.statuses", {role: "group", label: t.status}, [...offered].map(status => statusButton(id, status)))

// stars makes the five buttons of the rating. An imported rating that is not an integer is shown next to them.
export function stars(id) {
	const {notation} = flats.get(id)
	return h("div.stars", {role: "group", label: t.notation, "data-rated": notation != null}, [1, 2, 3, 4, 5].map(n =>
		h("button", notation >= n ? "★" : "☆", {label: `${t.notation} ${n}`, "aria-pressed": String(notation === n),
			click: () => rate(id, notation === n ? null : n)})),
	notation != null && !Number.isInteger(notation) && number(notation))
}

// compareButton makes the button that chooses a flat for comparison; bar.js keeps it up to date.
export function compareButton(id) {
	return h("button.compare", t.compare, {"aria-pressed": String(chosen().includes(id)), title: t.compare,
		data: {compare: id}, click: () => choose(id)})
}

// offerContacted offers the next status when the user calls or writes.
export function offerContacted(id) {
	const status = "contacted"
	if (["new", "followed"].includes(statusOf(flats.get(id)))) tell(title(flats.get(id)),
		{act: [statusName(status), () => change(id, {status}, statusName(status))]})
}

// flatKeys returns the keys that decide on a flat. current returns its id, or null.
export function flatKeys(current) {
	const key = (label, decide) => [label, () => current() != null && (decide(current()), true)]
	return {
		...[0, 1, 2, 3, 4, 5].map(n => key(t.notation, id => rate(id, n || null))),
		f: key(t.follow, id => toggleStatus(id, "followed")),
		x: key(t.dismiss, id => toggleStatus(id, "ignored")),
		c: key(t.compare, choose),
	}
}
