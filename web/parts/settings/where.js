// The section "Where": the regions in which to look, each a town and a distance, or whole areas.

import {call} from "../../lib/api.js"
import {fill, h, later} from "../../lib/dom.js"
import {own} from "../../lib/fields.js"
import {look} from "../../lib/flats.js"
import {kept} from "../../lib/kept.js"
import {tally} from "../../lib/query.js"
import {isFixed, setting} from "../../lib/settings.js"
import {count, inField, number, parseNumber, t, text} from "../../words/format.js"
import {s} from "../../words/settings.js"
import {field, nameIn, renamePaths, wrongAt} from "../form.js"
import {reason} from "../notice.js"
import {ask} from "../question.js"
import {makeCodes, readyCountries} from "./codes.js"
import {coordinates, positionField} from "./position.js"

const usualDistance = 15 // kilometres

export const whereSection = {keys: ["constraints"], draw, watch, extra: makeCodesPart, isFirst: true}

function watch(element) {
	const load = () => fill(element, Object.entries(setting("constraints") ?? {}).map(([name, region]) =>
		h("p", `${name}: ${inWords(region)}`)), !setting("constraints") && h("p", s.no_regions))
	load()
	return {load}
}

// inWords writes what a region covers: "15 km around 45.764, 4.8357, 3 areas".
function inWords({areas, near}) {
	const parts = [near && text(s.around, {km: number(near.km), position: coordinates(near.gps)}),
		areas && count(s.n_areas, areas.length)]
	return parts.filter(Boolean).join(", ") || s.everywhere
}

// makeCodesPart makes the part about postal codes.
function makeCodesPart(signal) {
	return setting("postal_codes") !== undefined && [h("h3", s.codes), makeCodes(signal)]
}

// draw makes the form (section.js).
function draw(changed) {
	const fixed = isFixed("constraints")
	const regions = Object.entries(setting("constraints") ?? {}).map(([name, region]) => makeRegion(name, region))
	const list = h("div.rowed")
	const more = h("button", s.another_region, {type: "button", hidden: fixed, click: () => {
		const region = makeRegion("", {}, {isNew: true})
		regions.push(region)
		arrange()
		region.element.querySelector("input").focus()
		changed()
	}})
	const element = fixed ? h("details", h("summary.soft", s.fixed), list)
		: h("div.fields-of", h("p.soft", s.where_how), list, more)

	function arrange() {
		fill(list, regions.map(({element: region}) => region))
		fill(more, regions.length > 0 ? s.another_region : s.first_region)
	}

	// makeRegion makes the fields of a region, {element, read}. A stored region keeps its name, because its flats have it.
	// read returns [name, value], or null if nothing was filled in. It throws an error of wrongAt if a value cannot be
	// sent.
	function makeRegion(name, region, {isNew = false} = {}) {
		let pathName = name // the name of the region in the paths of the fields
		const path = part => `constraints.${pathName}${part}`
		const title = h("input", {value: name, autocomplete: "off", maxlength: 100})
		const setTitle = words => {
			title.value = words
			title.dispatchEvent(new Event("input"))
		}
		const km = h("input", {value: inField(region.near?.km ?? usualDistance), inputmode: "decimal"})
		// A new region gets the name of its town, without a postal code or an area: "Lyon" for "Lyon, FR-84".
		const nameAfter = found => {
			if (isNew && !title.value) setTitle(found.split(",")[0].replace(/^[\d\s-]+/, ""))
		}
		const town = positionField(s.town, path(".near.gps"),
			{at: region.near?.gps ?? null, isTown: true, fixed, changed, chosen: nameAfter})
		const areas = makeAreas(path(".areas"), region.areas ?? [], fixed, changed)
		const regionFields = {element: h("fieldset.part", h("legend", nameIn(title, s.new_region)), town.element,
			field(s.distance, km, path(".near.km"), {hint: s.kilometres, fixed}), areas.element,
			isNew && field(s.region_name, title, path(""), {hint: s.region_name_how}),
			!fixed && h("button.link", nameIn(title, s.new_region, words => text(t.remove, {name: words})),
				{type: "button", click: remove}))}

		async function remove() {
			if (!isNew && !await agreeToRemove(name, regionFields.element)) return
			regions.splice(regions.indexOf(regionFields), 1)
			arrange()
			more.focus()
			changed()
		}

		// renameTo changes the name in the paths. The service names a field that it refuses by the new name.
		function renameTo(newName) {
			const oldPath = path("")
			pathName = newName
			renamePaths(regionFields.element, oldPath, path(""))
		}

		regionFields.read = () => {
			const ownName = isNew ? title.value.trim() : name
			const at = town.read()
			const chosen = areas.read()
			if (!ownName && !at && chosen.length === 0) return null // nothing was filled in
			if (!ownName) throw wrongAt(path(""), s.name_region)
			renameTo(ownName)
			const distance = parseNumber(km.value)
			if (at && !(distance > 0)) throw wrongAt(path(".near.km"), t.unreadable)
			const next = {...region}
			if (at) next.near = {...region.near, gps: at, km: distance}
			else delete next.near
			if (chosen.length > 0) next.areas = chosen
			else delete next.areas
			return [ownName, next]
		}
		return regionFields
	}

	if (regions.length === 0 && !fixed) regions.push(makeRegion("", {}, {isNew: true}))
	arrange()
	return {element, read() {
		const now = setting("constraints") ?? {}
		const all = regions.map(region => region.read()).filter(Boolean)
		const repeated = all.find(([name], i) => all.findIndex(([other]) => other === name) < i)
		if (repeated) throw wrongAt(`constraints.${repeated[0]}`, text(s.name_taken, {name: repeated[0]}))
		// Keep the places of each region, which the section "Places" may have saved meanwhile.
		for (const [name, region] of all) {
			if (own(now, name)?.time_to) region.time_to = now[name].time_to
		}
		return {constraints: all.length > 0 ? Object.fromEntries(all) : null}
	}}
}

// agreeToRemove promises whether a region may be removed. It asks if there are flats in it.
async function agreeToRemove(name, element) {
	const {counts} = await look({}, {...tally, counts: "service_constraint"}).catch(() => ({counts: {}}))
	const n = own(counts?.service_constraint ?? {}, name) ?? 0
	return n === 0 || ask(element, text(count(s.region_has, n), {name}), s.remove_region)
}

// makeAreas makes the list of whole areas, {element, read}, with a field that searches them by their towns. read
// returns the chosen codes.
function makeAreas(path, chosen, fixed, changed) {
	const ticked = new Set(chosen)
	const seenAreas = kept.areas // by code
	const list = h("div.boxes.rowed")
	const note = h("p.soft", {role: "status"})
	const search = h("input", {type: "search", autocomplete: "off", input: () => findSoon()})
	const element = h("details", {open: chosen.length > 0 && ""}, h("summary", s.whole_areas),
		field(s.area_search, search, path, {hint: s.area_how, fixed}), note, list)

	function box({area, name, codes, places}) {
		const words = [name ?? area, codes && count(s.n_codes, codes), places?.join(", ")].filter(Boolean).join(" · ")
		const change = ({target}) => {
			if (target.checked) ticked.add(area)
			else ticked.delete(area)
			changed()
		}
		return h("label.line",
			h("input", {type: "checkbox", value: area, checked: ticked.has(area), disabled: fixed, change}),
			h("span", words))
	}

	// find searches areas, and lists up to 50 of them after the ticked ones.
	async function find() {
		const q = search.value.trim()
		// areasIn promises the areas of a country, or none if the request fails.
		const areasIn = country =>
			call("areas?" + new URLSearchParams(q ? {country, q} : {country})).then(({data}) => data, () => [])
		try {
			const countries = await readyCountries()
			const found = (await Promise.all(countries.map(areasIn))).flat()
			for (const one of found) seenAreas.set(one.area, one)
			const others = found.filter(({area}) => !ticked.has(area))
			fill(list, [...ticked].map(area => box(seenAreas.get(area) ?? {area})), others.slice(0, 50).map(box))
			fill(note, found.length > 0 ? count(s.areas_found, found.length) : s.no_areas)
		} catch (error) {
			fill(note, `${t.failed} ${reason(error)}`)
		}
	}

	const findSoon = later(find, 300)
	element.addEventListener("toggle", () => element.open && find())
	return {element, read: () => [...ticked]}
}
