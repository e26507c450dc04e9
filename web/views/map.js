// Map: where the flats are that match the filters, and a list of their places or of the flats in one circle.
// canvas.js draws the map. It exports show, as all views do (see app.js).

import {call} from "../lib/api.js"
import {fill, h} from "../lib/dom.js"
import {keyOf, photoURLs, placeOf} from "../lib/fields.js"
import {flats} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {median} from "../lib/numbers.js"
import {hashOf, mapWindow} from "../lib/state.js"
import {store, stored} from "../lib/storage.js"
import {landmarks, makeCanvas} from "../parts/canvas.js"
import {facts, firstPhoto, flatLink, statusTag} from "../parts/flats.js"
import {groupsOf, growing, legend, showFound, tableOf} from "../parts/found.js"
import {icon} from "../parts/icons.js"
import {withoutCodes} from "../parts/runs.js"
import {number, t, text} from "../words/format.js"

// show fills root with the map and the list next to it.
export async function show(root, route, signal) {
	const last = kept.map
	const panel = h("div.beside")
	const legends = h("div.legends")
	const nowhere = h("div.empty.nowhere", {hidden: true})
	const onlyInSight = h("button", t.only_in_sight, {click: () => {
		const {lat, lng, ...others} = shown
		location.hash = hashOf("map", hasWindow(shown) ? others : {...shown, ...canvas.window()})
	}})
	const canvas = makeCanvas({open, moved, showAll}, onlyInSight)
	const body = h("div.split", h("div", canvas.element, nowhere, legends), panel)
	let list, shown

	function render(found, filters) {
		list = found
		shown = filters
		onlyInSight.ariaPressed = hasWindow(filters)
		const [placed, unplaced] = [list.filter(whereOf), list.filter(flat => !whereOf(flat))]
		canvas.element.hidden = legends.hidden = placed.length === 0 && !hasWindow(filters)
		fill(legends, legend(list), kinds(placed))
		nowhere.hidden = !canvas.element.hidden
		if (!nowhere.hidden && list.length > 0) explain()
		const sizes = new Map(groupsOf(list, placeOf).map(([name, group]) => [name, group.length]))
		canvas.show({points: placed.map(flat => ({at: whereOf(flat), name: placeOf(flat), flat, isExact: isExact(flat),
			of: sizes.get(placeOf(flat))}))})
		if (last.hash !== hashOf("map", filters)) {
			const left = last.isReloaded ? stored("flats.map", "sessionStorage") : null
			Object.assign(last, {hash: hashOf("map", filters), opened: null, isReloaded: false})
			if (left?.hash === last.hash) canvas.look(left)
			else if (hasWindow(filters)) canvas.look(filters)
			else {
				const first = new Set(mostOf(placed))
				canvas.fit(({flat}) => first.has(flat))
			}
		}
		renderPanel()
		const words = text(t.unplaced, {n: number(unplaced.length)})
		return unplaced.length > 0 && h("button", words, {click: () => open(unplaced, words)})
	}

	// explain says why no flat has a position, and what to do.
	async function explain() {
		const {data} = await call("travel", {signal}).catch(() => ({data: {}}))
		const {configured, waiting, error} = data
		const asked = waiting > 0 ? text(t.nowhere_waits, {n: number(waiting)}) : t.nowhere_unknown
		const why = configured ? asked : t.nowhere_how
		fill(nowhere, h("h2", t.nowhere), h("p", withoutCodes(data) || why), error && h("p.wrong", error),
			h("a.button.primary", t.settings, {href: "#/settings/where"}))
	}

	function renderPanel() {
		canvas.mark(last.opened?.ids)
		panel.classList.toggle("opened", Boolean(last.opened))
		if (!last.opened) return fill(panel, tableOf(groupsOf(list, placeOf).map(opener), [t.place], () => []))
		const {ids, name} = last.opened
		const rows = h("ol")
		kept.trail.ids = ids
		fill(panel, h("div.line", h("h2", name || t.unknown, {tabindex: -1}),
			h("button.close", icon("dismiss"), {label: t.close, click: close})), rows,
		growing(rows, ids.map(id => flats.get(id)), flatRow))
		showPhotos(ids.slice(0, 50), rows).catch(() => {/* the list does without */})
	}

	// showPhotos requests the first photos of the flats whose rows are shown, and adds them.
	async function showPhotos(ids, rows) {
		const {data} = await call("find?" + new URLSearchParams([...ids.map(id => ["any[id]", id]),
			["fields", "photos,kept_photos,details"], ["page[size]", ids.length]]), {signal})
		for (const flat of data) {
			const row = [...rows.children].find(({dataset}) => dataset.id === keyOf(flat))
			if (photoURLs(flat).length > 0) row?.prepend(firstPhoto(flat))
		}
	}

	const opener = ([name, group]) => [h("button.link", name || t.unknown, {click: () => {
		canvas.fit(point => group.includes(point.flat))
		open(group)
	}}), group]

	// open lists some flats next to the map.
	function open(group, name = placeOf(group[0])) {
		last.opened = {name, ids: group.map(keyOf)}
		renderPanel()
		goTo(panel, panel.querySelector("h2"))
	}

	// close lists the places again, and goes to the circle whose flats were listed.
	function close() {
		const circle = canvas.element.querySelector("[aria-pressed=true]")
		last.opened = null
		renderPanel()
		goTo(canvas.element, circle ?? panel.querySelector("button"))
	}

	// goTo moves the focus to a control, and shows the part that it is about. On a phone the list is below the map.
	function goTo(part, control) {
		control.focus({preventScroll: true})
		if (panel.offsetTop > canvas.element.offsetTop) part.scrollIntoView({block: "nearest"})
	}

	// moved makes the filter for the window follow the map.
	function moved() {
		if (!hasWindow(shown)) return
		const hash = hashOf("map", {...shown, ...canvas.window()})
		Object.assign(last, {hash, opened: null}) // the map is there already
		history.replaceState(null, "", hash)
		dispatchEvent(new Event("hashchange"))
	}

	// showAll shows all flats of the other filters.
	function showAll() {
		const {lat, lng, ...others} = shown
		if (hasWindow(shown)) location.hash = hashOf("map", others)
		else canvas.fit()
	}

	// keep keeps the window for a reload, here or on a flat from which "Back" returns here.
	function keep() {
		if (canvas.element.clientWidth > 0) store("flats.map", {hash: last.hash, ...canvas.window()}, "sessionStorage")
	}

	addEventListener("pagehide", keep, {signal})
	signal.addEventListener("abort", keep)
	landmarks(signal).then(canvas.show, () => {/* the map does without */})
	const found = await showFound(root, route, signal, body, render, {stays: hasWindow})
	const leaveList = () => (list && last.opened ? close() : false)
	return {...found, keys: {...canvas.keys, Escape: [t.close, leaveList]}}
}

// hasWindow reports whether filters have a window of the map. Then the map stays, even if no flat is in it.
const hasWindow = filters => mapWindow.some(name => filters[name])

// whereOf returns the position that the service knows of a flat, if it is on the map, which ends at a latitude of 85°.
const whereOf = ({lat, lng}) => lat != null && lng != null && Math.abs(lat) < 85 && [lat, lng]

// isExact reports whether a flat is where it is on the map, and not just near there.
const isExact = ({precision}) => ["own", "house", "street"].includes(precision)

// kinds is a legend of how the map shows positions that are exact, and others.
const kinds = placed => h("p.legend.kinds", placed.some(isExact) && h("span", t.exact),
	!placed.every(isExact) && h("span.rough", t.rough))

// mostOf returns the flats with which the map begins: those of the search area that has most of them. It leaves out
// those that are more than a degree away from their middle. If half of them or more are, the search area has several
// cities, and mostOf returns all of its flats.
function mostOf(placed) {
	const [[, group] = []] = groupsOf(placed, flat => flat.service_constraint ?? "")
	if (!group) return []
	const [lat, lng] = [0, 1].map(i => median(group.map(flat => whereOf(flat)[i])))
	const near = group.filter(flat => Math.hypot(flat.lat - lat, (flat.lng - lng) * Math.cos(lat * Math.PI / 180)) < 1)
	return near.length > group.length / 2 ? near : group
}

const flatRow = flat => h("li", {data: {id: keyOf(flat)}}, flatLink(flat), facts(flat), statusTag(flat))
