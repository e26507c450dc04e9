// Compare: two to six flats side by side, a column for each. The best number in a row is marked. Rows in which all
// flats are equal or without a value are folded. It exports show, as all views do (see app.js).
//
// An address chooses its flats for comparison when it is opened, unless that would drop flats chosen before. Then they
// are only shown, with a button that chooses them.

import {controlsOf, fill, h} from "../lib/dom.js"
import {costPerArea, currencyOf, detailsOf, keyOf, monthlyOf, own, paidMonthly, paidOnce, photoURLs, plainNumbers,
	priceOf, shortDetails, statusOf, travelTimes, utilitiesOf} from "../lib/fields.js"
import {find, flats, onChange, stateOf} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {exceededLimit} from "../lib/limits.js"
import {askPeople} from "../lib/opinions.js"
import {people, valueOf} from "../lib/people.js"
import {compareHash, idsOf} from "../lib/state.js"
import {compared, mostCompared, setCompared} from "../parts/bar.js"
import {followButton, statusButton} from "../parts/decide.js"
import {byWhom, changeTags, firstPhoto, flatLink, mapLink, statusTag, travel} from "../parts/flats.js"
import {icon} from "../parts/icons.js"
import {inBrief} from "../parts/notes.js"
import {attempt, attemptIn} from "../parts/notice.js"
import {cost, detailInWords, detailName, fieldInWords, labelOf, sinceOf, siteName, title} from "../words/flats.js"
import {count, minutes, money, perArea, since, statusName, t, text} from "../words/format.js"

// show fills root with the flats in the hash or, if there are none, the chosen ones.
export async function show(root, route, signal) {
	let isUnfolded = false
	const choose = h("button", t.choose_these, {click: () => {
		setCompared(ids)
		choose.hidden = true
	}})
	const note = h("p.soft")
	const print = h("button", t.print, {click: () => globalThis.print()})
	const unfold = h("button.unfold", {click: () => {
		isUnfolded = !isUnfolded
		render()
	}})
	const body = h("div")
	const shareIt = h("button", t.share_link, {click: () => attempt(share)})
	const options = h("div.line", {hidden: true}, unfold, shareIt, print, choose)
	fill(root, h("h1", t.compare), note, body, options)
	let ids
	let found = {flats: []}
	let shown // the state of the flats (stateOf) when they were drawn
	let loading // promises the end of the last load

	// update shows the flats of another route.
	function update(route) {
		const idsInHash = idsOf(route)
		ids = [...new Set(idsInHash.length > 0 ? idsInHash : compared())].slice(0, mostCompared)
		history.replaceState(null, "", compareHash(ids))
		choose.hidden = compared().every(id => ids.includes(id))
		if (choose.hidden) setCompared(ids)
		kept.trail.ids = ids
		return load()
	}

	const ask = tag => find({}, {"any[id]": ids}, {signal, since: tag})

	const load = () => loading = attemptIn(body, async () => {
		if (ids.length > 0) found = await ask()
		await askPeople(ids, signal).catch(() => {/* the table does without */})
		shown = stateOf(ids)
		render()
	})

	async function findChanges() {
		const before = loading
		await before // a change on this page may have started a load
		const answer = ids.length > 0 && await ask(found.tag)
		return answer && loading === before && stateOf(ids) !== shown
	}

	function render() {
		const list = ids.map(id => flats.get(id)).filter(Boolean)
		const differs = valueIn => new Set(list.filter(priceOf).map(valueIn)).size > 1
		fill(note, ids.length === 0 && [t.compare_how, " ", h("a", t.list, {href: "#/"})],
			differs(currencyOf) && t.currencies_not_compared + " ",
			differs(utilitiesOf) && t.utilities_not_compared + " ",
			ids.filter(id => !flats.has(id)).map(id => text(t.no_flat, {id}) + " "))
		const focusedAt = body.contains(document.activeElement) && controlsOf(body).indexOf(document.activeElement)
		const {scrollLeft = 0} = body.lastChild ?? {}
		const rows = rowsOf(list)
		const folded = rows.filter(row => isFolded(row, list.length))
		for (const row of folded) row.hidden = !isUnfolded
		fill(body, list.length > 0 && sideBySide(list, rows, remove))
		if (body.lastChild) body.lastChild.scrollLeft = scrollLeft
		controlsOf(body)[focusedAt]?.focus({preventScroll: true})
		options.hidden = list.length === 0
		unfold.hidden = folded.length === 0
		unfold.ariaExpanded = isUnfolded
		fill(unfold, count(t.more_rows, folded.length))
	}

	async function share() {
		const {shareLink} = await import("../parts/share.js")
		if (root.isConnected) shareLink(root, {title: t.compare, ids})
	}

	function remove(id) {
		const areChosen = choose.hidden // otherwise these flats are only shown
		if (areChosen) setCompared(compared().filter(other => other !== id))
		location.hash = compareHash(ids.filter(other => other !== id))
	}

	const printable = 680 // pixels; A4 landscape has 718 within the margins

	// fit shrinks the table to one printed page.
	function fit(isPrinted) {
		root.classList.toggle("fitted", isPrinted)
		root.style.zoom = isPrinted ? Math.min(1, printable / root.scrollHeight) : 1
	}
	addEventListener("beforeprint", () => fit(true), {signal})
	addEventListener("afterprint", () => fit(false), {signal})
	onChange(flat => ids.includes(keyOf(flat)) && load(), signal)
	addEventListener("photos", load, {signal})
	await update(route)
	return {keys: {d: [t.equal_rows, () => unfold.click()]}, update, findChanges, show: load}
}

// isFolded reports whether all of n flats have the same value in a row, or none has a value.
function isFolded(row, n) {
	const values = [...row.cells].slice(1).map(cell => cell.firstChild) // the first cell has the name
	const texts = new Set(values.map(value => value.textContent))
	const hasPhotos = row.querySelector("img") !== null // which have no text
	const isEqual = !hasPhotos && n > 1 && texts.size === 1
	return isEqual || values.every(value => value.dataset.empty)
}

// sideBySide makes the heads, which stay in sight, and the table. If they are wider than the window, they scroll
// sideways together.
function sideBySide(list, rows, remove) {
	const heads = h("div.heads", h("span"), list.map(flat => head(flat, remove)))
	const name = flat => h("th", title(flat), {scope: "col", role: "columnheader"})
	const table = h("table", {role: "table"}, h("colgroup", h("col"), h("col", {span: list.length})),
		h("thead.sr", {role: "rowgroup"}, h("tr", {role: "row"}, h("td", {role: "cell"}), list.map(name))),
		h("tbody", {role: "rowgroup"}, rows))
	const element = h("div.side-by-side", {tabindex: 0, role: "group", label: t.compare}, table)
	for (const part of [heads, element]) part.style.setProperty("--flats", list.length)
	heads.addEventListener("scroll", () => { element.scrollLeft = heads.scrollLeft })
	element.addEventListener("scroll", () => { heads.scrollLeft = element.scrollLeft })
	return [heads, element]
}

// head makes the head of a flat's column: the title and the buttons that remove it and decide on it.
function head(flat, remove) {
	const id = keyOf(flat)
	const labelWith = word => ({label: `${word}: ${title(flat)}`})
	const follow = followButton(id, labelWith(t.follow))
	if (statusOf(flat) === "followed") fill(follow, statusName("followed"), labelWith(statusName("followed")))
	return h("div.column", {"data-gone": flat.gone && "true"},
		h("div.name", flatLink(flat), h("button.close", icon("dismiss"),
			{label: text(t.remove, {name: title(flat)}), click: () => remove(id)})),
		h("div.line", follow, statusButton(id, "ignored", labelWith(t.dismiss))))
}

const dash = "–" // shown for an unknown value, except for money

// noSum writes that a sum is unknown, or that there is no price.
const noSum = flat => (priceOf(flat) ? t.unknown.toLowerCase() : t.no_price)

// rowsOf makes all rows, also those without any value.
function rowsOf(list) {
	// row makes a row. make(flat) makes the value of a flat, or returns a falsy value; then empty(flat) makes what is
	// shown. isBest(flat) reports whether the flat is the best.
	const row = (name, make, isBest, empty = () => dash) => h("tr", {role: "row"},
		h("th", name, {scope: "row", role: "rowheader"}),
		list.map(flat => h("td", {role: "cell", "data-gone": flat.gone && "true"},
			h("div", make(flat) || [empty(flat), {"data-empty": "true"}]),
			isBest?.(flat) && [{class: "best"}, h("span.sr", " ", t.best)])))

	// ranked makes a row of numbers and marks the best one. number(flat) returns the number, or null; write(number,
	// currency) writes the number. A flat that is gone is never marked. No flat is marked if the two best numbers are
	// written alike, or if the numbers are not comparable. Options:
	//   sign         1 if the highest number is the best, -1 if the lowest is
	//   apart(flat)  returns a text: numbers of flats with different texts are not comparable
	//   empty(flat)  writes what is shown instead of a number
	//   make(flat)   makes what is shown instead of the written number
	//   isFit(flat)  reports whether the number may be the best one: a way that is too long is not
	function ranked(name, number, write, {sign = 1, apart = () => "", empty, make, isFit = () => true} = {}) {
		const written = flat => (number(flat) == null ? null : write(number(flat), flat.currency))
		const bestFirst = list.filter(flat => !flat.gone && number(flat) != null)
			.sort((a, b) => (number(b) - number(a)) * sign)
		const [first, second] = bestFirst.map(written)
		const isClear = second !== undefined && first !== second
		const isComparable = new Set(bestFirst.map(apart)).size === 1
		const hasBest = isClear && isComparable && isFit(bestFirst[0])
		const isBest = flat => hasBest && flat === bestFirst[0]
		return row(name, flat => written(flat) && (make ?? written)(flat), isBest, empty)
	}

	const costApart = flat => currencyOf(flat) + " " + utilitiesOf(flat)

	// The kinds of rows
	const field = name => ranked(labelOf(name), flat => flat[name] || null, value => fieldInWords(name, {[name]: value}))
	const sum = (name, number, write, apart) => ranked(name, number, write, {sign: -1, apart, empty: noSum})
	// A detail of the same name, as the listing writes it, stands in the row of a sum, and has no row of its own.
	const paidNames = new Set([...paidMonthly, ...paidOnce].map(labelOf))
	const asWritten = (label, flat) => Object.entries(detailsOf(flat)).filter(([name]) => detailName(name) === label)
		.map(([name, value]) => detailInWords(name, value, flat))[0]
	const paid = name => (list.every(flat => flat[name] == null)
		? row(labelOf(name), flat => asWritten(labelOf(name), flat))
		: ranked(labelOf(name), flat => flat[name], money, {sign: -1, apart: currencyOf,
			empty: flat => asWritten(labelOf(name), flat) ?? t.unknown.toLowerCase()}))
	const detail = name => row(detailName(name), flat => detailInWords(name, own(detailsOf(flat), name), flat))
	const shortNames = new Set(list.flatMap(shortDetails).map(([name]) => name))
	const namesOf = objects => [...new Set(objects.flatMap(object => Object.keys(object)))]
	const wayTo = (place, flat) => travelTimes(flat).find(([name]) => name === place) ?? []
	const way = place => {
		const limit = flat => exceededLimit(flat, wayTo(place, flat))
		const make = flat => travel(...wayTo(place, flat).slice(1), limit(flat))
		return ranked(place, flat => wayTo(place, flat)[1], minutes, {sign: -1, make, isFit: flat => !limit(flat)})
	}
	const costThen = (entry, currency) => h("div", cost({...entry, currency}), " ", since(entry.date))
	return [
		row(t.photos, flat => photoURLs(flat).length > 0 && firstPhoto(flat)),
		row(t.status, flat => [statusTag(flat), byWhom(flat), " ", changeTags(flat)]),
		field("notation"),
		...people.map(person => ranked(`${t.notation}: ${person}`, flat => valueOf(flat, "rating", person) || null,
			rating => fieldInWords("rating", {rating}))),
		sum(t.monthly, monthlyOf, money, currencyOf),
		sum(t.cost, priceOf, money, costApart),
		sum(t.cost_per_area, costPerArea, perArea, costApart),
		...plainNumbers.map(field),
		...[...new Set(list.flatMap(travelTimes).map(([place]) => place))].map(way),
		row(t.visit_date, flat => fieldInWords("visit_date", flat)),
		row(t.notes, ({notes}) => notes && h("p.notes", inBrief(notes))),
		row(t.changes, ({cost_history: history, currency}) =>
			history?.length > 1 && history.map(entry => costThen(entry, currency))),
		row(t.utilities, flat => fieldInWords("utilities", flat)),
		...paidMonthly.map(paid),
		...paidOnce.map(paid),
		...[...shortNames].filter(name => !paidNames.has(detailName(name))).map(detail),
		row(t.place, mapLink),
		row(t.station, ({station}) => station),
		row(t.since, sinceOf),
		row(t.site, siteName),
		...namesOf(list.map(detailsOf))
			.filter(name => !shortNames.has(name) && !paidNames.has(detailName(name))).map(detail),
	]
}
