// Compare: two to six flats next to each other, in a table with a column for each. The best number of a row is
// marked; equal rows can be hidden. It exports show, as all views do (see app.js).
//
// Opening an address chooses its flats for comparison, unless that would remove a flat chosen before. In that case
// they are only shown, and a button chooses them.

import {fill, h, swap} from "../lib/dom.js"
import {costPerArea, currencyOf, detailsOf, keyOf, monthlyOf, own, paidMonthly, paidOnce, photoURLs, plainNumbers,
	priceOf, shortDetails, travelTimes, utilitiesOf} from "../lib/fields.js"
import {find, flats, onChange, stateOf} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {askPeople} from "../lib/opinions.js"
import {people, valueOf} from "../lib/people.js"
import {compareHash, idsOf} from "../lib/state.js"
import {chosen, setChosen} from "../parts/bar.js"
import {statusButton} from "../parts/decide.js"
import {byWhom, firstPhoto, flatLink, mapLink, news, statusTag, travel} from "../parts/flats.js"
import {icon} from "../parts/icons.js"
import {inBrief} from "../parts/notes.js"
import {attempt, attemptIn} from "../parts/notice.js"
import {cost, detailInWords, detailName, fieldInWords, labelOf, sinceOf, siteName, title} from "../words/flats.js"
import {minutes, money, perArea, since, t, text} from "../words/format.js"

// show fills root with the flats that the hash names or, if it names none, those chosen before.
export async function show(root, route, signal) {
	const differencesOnly = h("input", {type: "checkbox", change: render})
	const choose = h("button", t.choose_these, {click: () => {
		setChosen(ids)
		choose.hidden = true
	}})
	const options = h("div.line", {hidden: true}, h("label.line", differencesOnly, t.differences),
		h("button", t.share_link, {click: () => attempt(share)}), h("button", t.print, {click: () => print()}), choose)
	const note = h("p.soft")
	let body = h("div")
	fill(root, h("h1", t.compare), options, note, body)
	let ids
	let found = {flats: []}
	let shown // the state of the flats
	let loading // promises the end of the last load

	function update(route) {
		const named = idsOf(route)
		ids = [...new Set(named.length > 0 ? named : chosen())].slice(0, 6)
		history.replaceState(null, "", compareHash(ids))
		choose.hidden = chosen().every(id => ids.includes(id))
		if (choose.hidden) setChosen(ids)
		kept.trail.ids = ids
		return load()
	}

	const ask = since => find({}, {"any[id]": ids}, {signal, since})

	const load = () => loading = attemptIn(body, async () => {
		if (ids.length > 0) found = await ask()
		await askPeople(ids, signal).catch(() => {/* the table does without */})
		shown = stateOf(ids)
		render()
	})

	async function fresh() {
		const before = loading
		await before // after a change made here
		const now = ids.length > 0 && await ask(found.tag)
		return now && loading === before && stateOf(ids) !== shown
	}

	function render() {
		const list = ids.map(id => flats.get(id)).filter(Boolean)
		fill(note, ids.length === 0 && [t.compare_how, " ", h("a", t.list, {href: "#/"})],
			new Set(list.filter(priceOf).map(currencyOf)).size > 1 && t.currencies + " ",
			new Set(list.filter(priceOf).map(utilitiesOf)).size > 1 && t.utilities_apart + " ",
			ids.filter(id => !flats.has(id)).map(id => text(t.no_flat, {id}) + " "))
		body = swap(body, table(list, differencesOnly.checked, remove))
		options.hidden = body.hidden = list.length === 0
	}

	async function share() {
		const {shareLink} = await import("../parts/share.js")
		if (root.isConnected) shareLink(root, {title: t.compare, ids})
	}

	function remove(id) {
		if (choose.hidden) setChosen(chosen().filter(other => other !== id))
		location.hash = compareHash(ids.filter(other => other !== id))
	}

	// fit shrinks the table to fit on one printed page. A4 landscape is 718 pixels high within the margins.
	function fit(isPrinted) {
		root.classList.toggle("fitted", isPrinted)
		root.style.zoom = isPrinted ? Math.min(1, 680 / root.scrollHeight) : 1
	}
	addEventListener("beforeprint", () => fit(true), {signal})
	addEventListener("afterprint", () => fit(false), {signal})
	onChange(flat => ids.includes(keyOf(flat)) && load(), signal)
	addEventListener("photos", load, {signal})
	await update(route)
	return {keys: {d: [t.differences, () => differencesOnly.click()]}, update, fresh, show: load}
}

// table makes the table, with a button in each head that removes the flat. It leaves out rows in which no flat has
// a value.
function table(list, onlyDifferences, remove) {
	const head = flat => h("th", {scope: "col"}, flatLink(flat), " ",
		h("button.close", icon("dismiss"), {label: text(t.remove, {name: title(flat)}), click: () => remove(keyOf(flat))}))
	const rows = rowsOf(list).filter(row => {
		const texts = new Set([...row.cells].slice(1).map(cell => cell.firstChild.textContent))
		const isDifferent = texts.size > 1
		const hasMoreThanText = row.querySelector("img, button") !== null
		if (isDifferent || hasMoreThanText) return true
		const isEmpty = texts.has("–")
		const isHidden = onlyDifferences && list.length > 1
		return !isEmpty && !isHidden
	})
	const element = h("table", h("thead", h("tr", h("td"), list.map(head))), h("tbody", rows))
	element.style.setProperty("--flats", list.length)
	return h("div.side-by-side", {tabindex: 0, role: "group", label: t.compare}, element)
}

// rowsOf makes all rows, including those without any value.
function rowsOf(list) {
	// row makes a row with what show returns for each flat, or none. isBest reports whether a flat is the best.
	const row = (name, show, isBest, none = "–") => h("tr", h("th", name, {scope: "row"}), list.map(flat => h("td",
		h("div", show(flat) || none), isBest?.(flat) && [{class: "best"}, " ", h("span.tag.good", t.best)])))

	// ranked makes a row of numbers, which write turns into words, and marks the best one. number returns null if it is
	// not known. Numbers that are written alike count as equal, and none is marked if all are. Options:
	//   sign         1 if the highest number is the best, -1 if the lowest is
	//   apart(flat)  only flats for which it returns the same are compared
	//   none         what is shown where there is no number
	//   show(flat)   makes what is shown, if not what write returns
	function ranked(name, number, write, {sign = 1, apart = () => "", none, show} = {}) {
		const written = flat => (number(flat) == null ? null : write(number(flat), flat.currency))
		const isBest = flat => {
			const all = list.filter(other => number(other) != null && apart(other) === apart(flat))
				.sort((a, b) => (number(b) - number(a)) * sign).map(written)
			return written(flat) === all[0] && all.at(-1) !== all[0]
		}
		return row(name, flat => written(flat) && (show ?? written)(flat), isBest, none)
	}

	const costApart = flat => currencyOf(flat) + " " + utilitiesOf(flat)

	const field = name => ranked(labelOf(name), flat => flat[name] || null, value => fieldInWords(name, {[name]: value}))
	const paid = name => ranked(labelOf(name), flat => flat[name], money, {sign: -1, apart: currencyOf})
	const detail = name => row(detailName(name), flat => detailInWords(name, own(detailsOf(flat), name), flat))
	const short = new Set(list.flatMap(shortDetails).map(([name]) => name))
	const namesOf = objects => [...new Set(objects.flatMap(object => Object.keys(object)))]
	const timeTo = (place, flat) => travelTimes(flat).find(([name]) => name === place)?.slice(1) ?? []
	return [
		row(t.photos, flat => photoURLs(flat).length > 0 && firstPhoto(flat)),
		row(t.status, flat => [statusTag(flat), byWhom(flat), " ", news(flat),
			h("div.line", ["followed", "ignored"].map(status => statusButton(keyOf(flat), status)))]),
		ranked(t.cost, priceOf, money, {sign: -1, apart: costApart, none: t.no_price}),
		ranked(t.cost_per_area, costPerArea, perArea, {sign: -1, apart: costApart}),
		row(t.utilities, flat => fieldInWords("utilities", flat)),
		...paidMonthly.map(paid),
		ranked(t.monthly, monthlyOf, money, {sign: -1, apart: currencyOf}),
		...paidOnce.map(paid),
		...plainNumbers.map(field),
		...[...short].map(detail),
		...[...new Set(list.flatMap(travelTimes).map(([place]) => place))].map(place =>
			ranked(place, flat => timeTo(place, flat)[0], minutes,
				{sign: -1, show: flat => travel(...timeTo(place, flat))})),
		row(t.place, mapLink),
		row(t.station, ({station}) => station),
		field("notation"),
		...people.map(person => ranked(`${t.notation}: ${person}`, flat => valueOf(flat, "rating", person) || null,
			rating => fieldInWords("rating", {rating}))),
		row(t.visit_date, flat => fieldInWords("visit_date", flat)),
		row(t.changes, ({cost_history: history, currency}) => history?.length > 1 && history.map(entry =>
			h("div", cost({...entry, currency}), " ", since(entry.date)))),
		row(t.since, sinceOf),
		row(t.site, siteName),
		...namesOf(list.map(detailsOf)).filter(name => !short.has(name)).map(detail),
		row(t.notes, ({notes}) => notes && h("p.notes", inBrief(notes))),
	]
}
