// Map: the positions of the flats that match the filters, and next to it their places, or the flats of one circle.
// parts/canvas.js draws the map. It exports show, as all views do (see app.js).

import {call} from "../lib/api.js"
import {fill, h} from "../lib/dom.js"
import {currencyOf, keyOf, photoURLs, placeOf, priceOf, statusOf} from "../lib/fields.js"
import {flats} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {limitedWays} from "../lib/limits.js"
import {median} from "../lib/numbers.js"
import {travellers} from "../lib/people.js"
import {hashOf, mapWindow} from "../lib/state.js"
import {store, stored} from "../lib/storage.js"
import {landmarks, makeCanvas} from "../parts/canvas.js"
import {facts, firstPhoto, flatLink, statusTag, travel} from "../parts/flats.js"
import {groupsOf, addInParts, legend, showFound, tableOf} from "../parts/found.js"
import {icon} from "../parts/icons.js"
import {cityOf, withoutCity} from "../parts/rows.js"
import {withoutCodes} from "../parts/runs.js"
import {costInShort} from "../words/flats.js"
import {count, number, t, text} from "../words/format.js"

// show fills root with the map and the list next to it.
export async function show(root, route, signal) {
	const state = kept.map
	// lightMarks highlights the marks of the flats in the row that is pointed at or focused, until the pointer or the
	// focus leaves the row.
	const lightMarks = ({type, target}) => {
		const isEntered = ["mouseover", "focusin"].includes(type)
		canvas.light(isEntered ? flatsOf(target.closest("li, tr")) : [])
	}
	const panel = h("div.beside", Object.fromEntries(["mouseover", "mouseout", "focusin", "focusout"]
		.map(type => [type, lightMarks])))
	const legends = h("div.legends")
	const dots = h("p.legend", h("span.dot", t.code))
	const nowhere = h("div.empty.nowhere", {hidden: true})
	const onlyInSight = h("button", icon("sight"), h("span.word", t.only_in_sight), {click: () => {
		const {lat, lng, ...others} = shown
		location.hash = hashOf("map", hasWindow(shown) ? others : {...shown, ...canvas.window()})
	}})
	const canvas = makeCanvas({open: group => open(group), pointedAt: lightRows, moved, showAll, asks: true}, onlyInSight)
	const body = h("div.split", h("div", canvas.element, nowhere, legends), panel)
	let list, shown // the flats found, and the filters that found them
	let city = "" // the city of most flats (cityOf), shown above the map
	let codes = [] // the postal codes
	let hasCodesInCity = false // whether flats of the city have several postal codes
	// areaOf returns the place of a flat or, in the city, its postal code.
	const areaOf = flat => {
		const isDivided = hasCodesInCity && placeOf(flat) === city
		return isDivided && codeOf(flat) || placeOf(flat)
	}
	const shortName = name => withoutCity(name, city) || name

	// render draws the flats found, and returns the notes next to their number.
	function render(found, filters) {
		list = found
		shown = filters
		onlyInSight.ariaPressed = hasWindow(filters)
		const placed = list.filter(whereOf)
		const unplaced = list.filter(flat => !whereOf(flat))
		canvas.element.hidden = legends.hidden = placed.length === 0 && !hasWindow(filters)
		fill(legends, legend(placed.filter(flat => statusOf(flat) !== "new")), codes.length > 0 && dots)
		nowhere.hidden = !canvas.element.hidden
		if (!nowhere.hidden && list.length > 0) explainNowhere()
		city = cityOf(list)
		hasCodesInCity = new Set(list.filter(flat => placeOf(flat) === city).map(codeOf).filter(Boolean)).size > 1
		const [[commonCurrency] = []] = groupsOf(list.filter(priceOf), currencyOf) // the one of most flats
		canvas.show({
			codes: codes.map(code => ({...code, name: shortName(code.name)})),
			points: placed.map(flat => ({
				flat,
				at: whereOf(flat),
				name: shortName(placeOf(flat)),
				isExact: isExact(flat),
				words: costInShort(flat, commonCurrency),
			})),
		})
		moveToPlace(placed)
		renderPanel()
		const words = text(t.unplaced, {n: number(unplaced.length)})
		return [city && h("span.soft", city),
			unplaced.length > 0 && h("button", words, {click: () => open(unplaced, words)})]
	}

	// moveToPlace moves the map to the flat for which it was opened. Otherwise, if the filters have changed, it moves to
	// the window before a reload, to the window in the filters, or to most flats.
	function moveToPlace(placed) {
		const {goal} = state
		const hash = hashOf("map", shown)
		if (!goal && state.hash === hash) return
		const before = state.wasShown ? null : stored("flats.map", "sessionStorage") // the window before a reload
		Object.assign(state, {hash, opened: null, wasShown: true, goal: null})
		if (goal) {
			canvas.lookAt(goal.at, 0.01) // degrees around the flat
			if (placed.some(flat => keyOf(flat) === goal.id)) state.opened = {ids: [goal.id]}
		} else if (before?.hash === hash) canvas.look(before)
		else if (hasWindow(shown)) canvas.look(shown)
		else {
			const first = new Set(mostOf(placed))
			canvas.fit(({flat}) => first.has(flat))
		}
	}

	// explainNowhere says why no flat has a position, and what to do.
	async function explainNowhere() {
		const {data} = await call("travel", {signal}).catch(() => ({data: {}}))
		const {configured, waiting, error} = data
		const whyUnanswered = waiting > 0 ? text(t.nowhere_waits, {n: number(waiting)}) : t.nowhere_unknown
		const why = configured ? whyUnanswered : t.nowhere_how
		fill(nowhere, h("h2", t.nowhere), h("p", withoutCodes(data) || why), error && h("p.wrong", error),
			h("a.button.primary", t.settings, {href: "#/settings/where"}))
	}

	// renderPanel lists the places or, if flats are opened, those flats.
	function renderPanel() {
		canvas.mark(state.opened?.ids)
		panel.classList.toggle("opened", Boolean(state.opened))
		if (!state.opened) return fill(panel, tableOf(groupsOf(list, areaOf).map(withButton), [t.place], () => []))
		const {ids, name} = state.opened
		const group = ids.map(id => flats.get(id))
		const places = groupsOf(group, flat => shortName(placeOf(flat)))
		const [[onlyPlace]] = places
		const howMany = count(t.n_flats, ids.length)
		const firstPlaces = places.slice(0, 3).map(([place, {length}]) => `${place || t.unknown} ${number(length)}`)
		const furtherPlaces = places.length > 3 && `+${number(places.length - 3)}`
		const placesInWords = [...firstPlaces, furtherPlaces].filter(Boolean).join(" · ")
		const [heading, note] = places.length > 1 ? [howMany, placesInWords] : [onlyPlace || t.unknown, howMany]
		const rows = h("ol")
		kept.trail.ids = ids
		fill(panel,
			h("div.line", h("h2", name || heading, {tabindex: -1}),
				h("button.close", icon("dismiss"), {label: t.close, click: close})),
			!name && ids.length > 1 && h("p.soft", note),
			rows,
			addInParts(rows, group, flatRow))
		const idsShown = ids.slice(0, 50) // as many as addInParts shows at first
		showMore(idsShown, rows).catch(() => {/* the list does without */})
	}

	// showMore requests the first photos and the travel times of flats, and adds them to their rows.
	async function showMore(ids, rows) {
		const {data} = await call("find?" + new URLSearchParams([...ids.map(id => ["any[id]", id]),
			["fields", "photos,kept_photos,details,service_constraint,service_time_to"], ["page[size]", ids.length]]), {signal})
		for (const flat of data) {
			const row = [...rows.children].find(({dataset}) => dataset.id === keyOf(flat))
			if (!row) continue
			if (photoURLs(flat).length > 0) row.prepend(firstPhoto(flat))
			fill(row.querySelector(".to"), limitedWays(flat).map(([name, ...time], i) =>
				[i > 0 && " · ", name, " ", travel(...time)]))
		}
	}

	// withButton makes a group for tableOf, whose name is a button that lists the flats of the group.
	function withButton([name, group]) {
		const click = () => {
			canvas.fit(point => group.includes(point.flat))
			open(group)
		}
		return [h("button.link", shortName(name) || t.unknown, {data: {place: name}, click}), group]
	}

	// flatsOf returns the ids of the flats of a row.
	function flatsOf(row) {
		if (row?.dataset.id) return [row.dataset.id]
		const place = row?.querySelector("button")?.dataset.place
		return place == null ? [] : list.filter(flat => areaOf(flat) === place).map(keyOf)
	}

	// lightRows highlights the rows of the flats of the mark that is pointed at or focused.
	function lightRows(group) {
		const ids = new Set(group.map(keyOf))
		for (const row of panel.querySelectorAll("li, tbody tr"))
			row.classList.toggle("lit", ids.size > 0 && flatsOf(row).some(id => ids.has(id)))
	}

	// open lists flats next to the map, under a name, or else under the name of their place.
	function open(group, name) {
		state.opened = {name, ids: group.map(keyOf)}
		renderPanel()
		goTo(panel, panel.querySelector("h2"))
	}

	// close lists the places again, and moves the focus to the circle whose flats were listed.
	function close() {
		const circle = canvas.element.querySelector("[aria-pressed=true]")
		state.opened = null
		renderPanel()
		goTo(canvas.element, circle ?? panel.querySelector("button"))
	}

	// goTo focuses a control and scrolls its part into sight: on a phone the list is below the map.
	function goTo(part, control) {
		control.focus({preventScroll: true})
		if (panel.offsetTop > canvas.element.offsetTop) part.scrollIntoView({block: "nearest"})
	}

	// moved updates the filter for the window after the map has moved.
	function moved() {
		if (!hasWindow(shown)) return
		const hash = hashOf("map", {...shown, ...canvas.window()})
		Object.assign(state, {hash, opened: null}) // so that moveToPlace leaves the map where it is
		history.replaceState(null, "", hash)
		dispatchEvent(new Event("hashchange"))
	}

	// showAll drops the filter for the window, or shows all flats.
	function showAll() {
		if (!hasWindow(shown)) return canvas.fit()
		const {lat, lng, ...others} = shown // see mapWindow
		location.hash = hashOf("map", others)
	}

	// keep stores the window, to be restored after a reload.
	function keep() {
		if (canvas.element.clientWidth > 0) store("flats.map", {hash: state.hash, ...canvas.window()}, "sessionStorage")
	}

	addEventListener("pagehide", keep, {signal})
	signal.addEventListener("abort", keep)
	landmarks(signal).then(({places, codes: all}) => {
		codes = all
		if (all.length > 0) legends.append(dots)
		canvas.show({places, codes: all.map(code => ({...code, name: shortName(code.name)}))})
	}, () => {/* the map works without them */})
	const found = await showFound(root, route, signal, body, render, {showsNone: hasWindow})
	const leaveList = () => (list && state.opened ? close() : false) // false leaves the key to the browser
	return {...found, keys: {...canvas.keys, Escape: [t.close, leaveList]}}
}

// hasWindow reports whether filters have a window of the map. If so, the map is shown even if no flat is in it.
const hasWindow = filters => mapWindow.some(name => filters[name])

// whereOf returns the position of a flat that the service knows, or a falsy value if there is none or it is beyond the
// map, which ends at a latitude of 85°.
const whereOf = ({lat, lng}) => lat != null && lng != null && Math.abs(lat) < 85 && [lat, lng]

// codeOf returns the postal code of a flat, if it is known.
const codeOf = flat => flat.service_postal_code?.postal_code

// isExact reports whether the position of a flat is its house or street.
const isExact = ({precision}) => ["own", "house", "street"].includes(precision)

// mostOf returns the flats to show at first: the search area with most flats, without flats more than a degree away
// from their middle. If half or more are that far away, the search area has several cities, and mostOf returns all its
// flats.
function mostOf(placed) {
	const [[, group] = []] = groupsOf(placed, flat => flat.service_constraint ?? "")
	if (!group) return []
	const [lat, lng] = [0, 1].map(i => median(group.map(flat => whereOf(flat)[i])))
	const narrowing = Math.cos(lat * Math.PI / 180) // of degrees of longitude, away from the equator
	const near = group.filter(flat => Math.hypot(flat.lat - lat, (flat.lng - lng) * narrowing) < 1)
	return near.length > group.length / 2 ? near : group
}

// flatRow makes the row of a flat, with room for its travel times.
const flatRow = flat => h("li", {data: {id: keyOf(flat)}}, flatLink(flat), facts(flat),
	h("p.line", h("span.to", travellers.length > 0 && "\u00a0"), statusOf(flat) !== "new" && statusTag(flat)))
