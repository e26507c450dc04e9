// "Share a link": a page with flats for somebody else, who needs no password. A dialog asks for its title, its duration
// and what it shows in addition to the facts, with a preview. Then it shows the link.

import {call} from "../lib/api.js"
import {fill, h, loadStyle, openDialog} from "../lib/dom.js"
import {dead, statusOf} from "../lib/fields.js"
import {findAll, look} from "../lib/flats.js"
import {newestFirst} from "../lib/state.js"
import {cost, fieldInWords, shortened} from "../words/flats.js"
import {count, longDay, t, text} from "../words/format.js"
import {s} from "../words/settings.js"
import {linkBox, onlyHere} from "./linkbox.js"
import {onOneLine} from "./naming.js"
import {inBrief} from "./notes.js"
import {reason, say} from "./notice.js"

const maxShared = 500 // flats on a page
const maxTitle = 200 // characters of its title

// requestedFields has the fields of a line of the preview, those that leave a flat out, and those of extras.
const requestedFields = ["id,title,cost,currency", "status,gone", "location,notes,notation,visit_date"].join()

// extras has what a page may show in addition to the facts, by the API's name, as functions for the preview.
const extras = {
	street: ({location}) => location,
	notes: ({notes}) => notes && inBrief(notes),
	ratings: flat => fieldInWords("notation", flat),
	visit: flat => fieldInWords("visit_date", flat),
}

// titleFrom returns a text as a title that the service accepts: on one line, and without its last words if it is too
// long. Like the service it counts characters, of which a string may need two units for one.
function titleFrom(words) {
	const line = onOneLine(words)
	const characters = [...line]
	if (characters.length <= maxTitle) return line
	return characters.slice(0, maxTitle - 1).join("").replace(/ \S{0,40}$/, "") + "…"
}

// shareLink opens the dialog over root, for the flats with ids, or for the flats that query finds whenever the page is
// opened. title is the proposed title.
export async function shareLink(root, {title, ids, query}) {
	await loadStyle() // the list may not have loaded it
	const name = h("input", {value: titleFrom(title), required: "", maxlength: maxTitle, autocomplete: "off",
		"aria-describedby": "wrong-share"})
	const days = h("select", [1, 7, 30, 90, 365].map(n => h("option", count(t.for_days, n), {value: n})))
	days.value = 30
	const boxes = Object.keys(extras).map(extra => h("input", {type: "checkbox", value: extra, change: preview}))
	const trouble = h("p#wrong-share.wrong", {role: "alert"})
	const shownFlats = h("div.preview", {tabindex: 0, role: "group", label: s.share_preview}, h("p.soft", s.share_looking))
	const makeButton = h("button.primary", s.make_link)
	const form = h("form", {submit: send, novalidate: ""},
		h("label", s.share_title, name), h("label", s.share_days, days),
		h("fieldset", h("legend", s.share_with), h("div.boxes", boxes.map(box =>
			h("label", box, s["share_" + box.value])))),
		h("h3", s.share_preview), h("p.soft", s.share_shows), shownFlats, trouble,
		h("div.line", makeButton, h("button", t.cancel, {type: "button", click: close})))
	const dialog = h("dialog.share", {label: t.share_link, close: () => ending.abort()}, h("h2", t.share_link), form)
	const ending = new AbortController()
	let found = null

	const chosen = () => boxes.filter(({checked}) => checked).map(({value}) => value)

	// ask requests the flats of the page, which leaves out dismissed and gone ones.
	async function ask() {
		const options = {signal: ending.signal}
		const more = {fields: requestedFields}
		try {
			const all = ids ? (await look({}, {...more, "any[id]": ids}, options)).flats
				: await findAll(query, {...more, sort: `${newestFirst},-date`}, options, look)
			found = all.filter(flat => !flat.gone && !dead.includes(statusOf(flat))).slice(0, maxShared)
			preview()
		} catch (error) {
			if (!ending.signal.aborted) fill(shownFlats, h("p.wrong", reason(error)))
		}
	}

	// preview lists the flats with the chosen extras, once ask has found them.
	function preview() {
		if (!found) return
		const extrasShown = chosen()
		fill(shownFlats, h("p", h("b", count(t.n_flats, found.length)), query != null && [" ", s.share_follows]),
			h("ul", found.map(flat => h("li", flat.title || s.share_untitled, " · ", cost(flat), extrasShown.map(extra => {
				const words = extras[extra](flat)
				return words && h("p.soft", s["share_" + extra], ": ", shortened(words))
			})))))
	}

	async function send(event) {
		event.preventDefault()
		if (makeButton.ariaDisabled === "true") return
		const title = titleFrom(name.value)
		fill(trouble, !title && s.share_no_title)
		name.ariaInvalid = title ? null : "true"
		if (!title) return name.focus()
		makeButton.ariaDisabled = "true"
		try {
			const which = ids ? {ids} : {view: {query}}
			const body = JSON.stringify({title, ...which, days: Number(days.value), with: chosen()})
			await showLink((await call("shares", {method: "POST", body})).data)
		} catch (error) {
			fill(trouble, `${t.failed} ${reason(error)}`)
		} finally {
			makeButton.ariaDisabled = null
		}
	}

	// showLink shows the link. It is shown only once, because the service does not store it.
	async function showLink({url, until}) {
		const why = await onlyHere(url)
		const words = text(s.share_made, {date: longDay(until)})
		const link = linkBox(url, t.share_link)
		const handOver = () => navigator.share({title: name.value, url}).catch(() => {/* the sheet was closed */})
		fill(dialog, h("h2", t.share_link), h("p", words), link, why && h("p.wrong", why),
			h("p.line.soft", h("span", s.share_once), h("a", s.shares, {href: "#/settings/shares", click: close})),
			h("div.line", navigator.share && h("button", t.share, {click: handOver}), h("button", t.close, {click: close})))
		link.querySelector("button").focus()
		say(words)
	}

	function close() {
		dialog.close()
	}

	if (!root.isConnected) return
	openDialog(root, dialog)
	name.select()
	ask()
}
