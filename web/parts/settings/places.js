// The section "Places": the places to which people go every day, and the service that knows addresses and public
// transport.

import {call} from "../../lib/api.js"
import {fill, h, outward} from "../../lib/dom.js"
import {look} from "../../lib/flats.js"
import {queryOf, tally} from "../../lib/query.js"
import {hasSetting, isFixed, secretHost, setting} from "../../lib/settings.js"
import {count, dayAndTime, inField, number, parseNumber, t, text} from "../../words/format.js"
import {s} from "../../words/settings.js"
import {field, nameIn, renamePaths, wrongAt} from "../form.js"
import {attempt} from "../notice.js"
import {errorLine, showState, withoutCodes} from "../runs.js"
import {hostOf, positionField} from "./position.js"

const transitous = "https://api.transitous.org"
const modes = ["PUBLIC_TRANSPORT", "BIKE", "WALK"]

export const placesSection = {keys: ["constraints", "travel"], draw, watch, extra: credits}

// The state of the travel service

async function watch(element, signal) {
	async function report(data) {
		if (!data.configured) return [places(), h("p", s.travel_nobody), errorLine("", withoutCodes(data))]
		const {total} = await look(queryOf({}), tally, {signal})
		const again = h("p", h("button", s.ask_again, {type: "button", click: askAgain}))
		return [
			places(),
			errorLine("", withoutCodes(data)),
			progress(data, total),
			data.not_found > 0 && h("p", count(s.travel_unknown, data.not_found)),
			(data.not_found > 0 || data.error) && again,
		]
	}

	const askAgain = () => attempt(async () => {
		await call("travel", {method: "POST"})
		await watched.load()
	})

	const watched = await showState(element, "travel", report, signal)
	return watched
}

const regions = () => Object.entries(setting("constraints") ?? {})

// places names the places of all regions.
function places() {
	const names = regions().flatMap(([, {time_to: to}]) => Object.keys(to ?? {}))
	return h("p", names.length > 0 ? names.join(", ") : s.no_places)
}

// progress shows how many flats wait for the travel service, when it last answered, and its last error.
function progress({waiting, last, error}, total) {
	const words = text(s.travel_waits, {n: number(waiting), total: number(total)})
	return [
		h("p", waiting > 0 ? words : s.travel_done),
		waiting > 0 && h("progress", {label: words, max: Math.max(total, waiting), value: Math.max(total - waiting, 0)}),
		last ? h("p", text(s.travel_last, {date: dayAndTime(last)})) : !error && h("p", s.travel_never),
		errorLine(s.last_error, error),
	]
}

// credits names the sources of positions and times.
function credits() {
	const links = {
		osm: outward("https://www.openstreetmap.org/copyright", t.osm_credit),
		motis: outward("https://github.com/motis-project/motis", "MOTIS"),
		transitous: outward("https://transitous.org/sources/", "Transitous"),
	}
	return h("p.soft.credits", s.travel_credit.split(/[{}]/).map(part => links[part] ?? part))
}

// The fields

// draw makes the form (section.js).
function draw(changed) {
	const shownRegions = regions().length > 0 ? regions() : [[s.home, {}]]
	const isNamed = shownRegions.length > 1
	const parts = shownRegions.map(([name, region]) => makeRegion(name, region, {isNamed, changed}))
	const service = makeService()
	const elements = parts.map(({element: part}) => part)
	const element = h("div.fields-of", isFixed("constraints") ? h("details", h("summary.soft", s.fixed), elements)
		: [h("p.soft", s.places_how), elements], service.element)
	return {element, read() {
		const now = setting("constraints") ?? {}
		const next = {...now}
		for (const part of parts) {
			const newPlaces = part.read()
			const hadPlaces = Boolean(now[part.name]?.time_to)
			const hasPlaces = Object.keys(newPlaces).length > 0
			// A region that has no places, and had none, gets no empty time_to.
			if (hadPlaces || hasPlaces) next[part.name] = {...now[part.name], time_to: newPlaces}
		}
		return {constraints: Object.keys(next).length > 0 ? next : null, ...service.read()}
	}}
}

// makeRegion makes the fields for the places of a region, {name, element, read}. With isNamed it shows the name of the
// region.
function makeRegion(name, {time_to: to}, {isNamed, changed}) {
	const fixed = isFixed("constraints")
	const list = h("div.rowed")
	const all = Object.entries(to ?? {}).map(([place, value]) => makePlace(place, value))
	const cannotAdd = fixed || !hasSetting("constraints")
	const more = h("button", s.another_place, {type: "button", hidden: cannotAdd, click: () => {
		const place = makePlace("", {})
		all.push(place)
		arrange()
		place.element.querySelector("input").focus()
		changed()
	}})
	const arrange = () => fill(list, all.map(({element}) => element))

	// makePlace makes the fields of a place, {element, read}. read returns [name, value], or null if nothing was filled
	// in. It throws an error of wrongAt if a value cannot be sent.
	function makePlace(place, value) {
		let pathName = place // the name of the place in the paths of the fields
		const path = part => `constraints.${name}.time_to.${pathName}${part}`
		const title = h("input", {value: place, autocomplete: "off", maxlength: 100})
		const mode = h("select", modes.map(one => h("option", t["mode_" + one], {value: one})))
		mode.value = value.mode ?? modes[0]
		const who = h("select", ["", ...setting("people") ?? []].map(one => h("option", one || s.everybody, {value: one})))
		who.value = value.person ?? ""
		const where = positionField(s.address, path(".gps"), {at: value.gps ?? null, fixed, changed})
		const mostMinutes = mostMinutesOf(value)
		const most = h("input", {value: mostMinutes == null ? "" : inField(mostMinutes), inputmode: "decimal",
			autocomplete: "off"})
		const placeFields = {element: h("fieldset.part", h("legend", nameIn(title, s.new_place)),
			field(s.place_name, title, path(""), {hint: s.place_name_how, fixed}), where.element,
			field(s.mode, mode, path(".mode"), {fixed}),
			field(s.at_most, most, path(".time"), {hint: s.at_most_how, fixed}),
			who.options.length > 1 && field(s.place_of, who, path(".person"), {fixed}),
			!fixed && h("button.link", nameIn(title, s.new_place, removal), {type: "button", click: () => {
				all.splice(all.indexOf(placeFields), 1)
				arrange()
				more.focus()
				changed()
			}}))}

		// renameTo changes the name in the paths. The service names a field that it refuses by the new name.
		function renameTo(newName) {
			const oldPath = path("")
			pathName = newName
			renamePaths(placeFields.element, oldPath, path(""))
		}

		placeFields.read = () => {
			const newName = title.value.trim()
			const gps = where.read()
			if (!newName && !gps && !place) return null // nothing was filled in
			if (!newName) throw wrongAt(path(""), s.name_place)
			renameTo(newName)
			if (!gps) throw wrongAt(path(".gps"), s.want_position)
			const {person, time, ...rest} = value
			const newValue = {...rest, gps}
			const isModeSame = mode.value === (value.mode ?? modes[0])
			if (!isModeSame) newValue.mode = mode.value // a value without a mode stays so if the user leaves the first one
			Object.assign(newValue, timeIn(most, value, path(".time")))
			const newPerson = who.options.length > 1 ? who.value : person
			if (newPerson) newValue.person = newPerson
			return [newName, newValue]
		}
		return placeFields
	}

	if (all.length === 0 && !fixed) all.push(makePlace("", {}))
	arrange()
	return {name, element: h("div.fields-of", isNamed && h("h3", name), list, more), read() {
		const entries = all.map(place => place.read()).filter(Boolean)
		const repeated = entries.find(([place], i) => entries.findIndex(([other]) => other === place) < i)
		if (repeated) throw wrongAt(`constraints.${name}.time_to.${repeated[0]}`, text(s.name_taken, {name: repeated[0]}))
		return Object.fromEntries(entries)
	}}
}

const removal = name => text(t.remove, {name})

// mostMinutesOf returns the most minutes that the way to a place may take, or null. The setting time is a range in
// seconds, [least, most].
const mostMinutesOf = ({time}) => (Array.isArray(time) && time[1] > 0 ? time[1] / 60 : null)

// timeIn returns {time} for the minutes in a field, or {} if it is empty. It keeps the lower end of the range in value,
// the place as it is stored, because other programs may have set that end.
function timeIn(input, value, path) {
	const minutes = parseNumber(input.value)
	if (minutes == null) return {}
	if (!(minutes > 0)) throw wrongAt(path, t.unreadable)
	if (minutes === mostMinutesOf(value)) return {time: value.time} // 31 s / 60 * 60 is not 31 s
	const rangeBefore = mostMinutesOf(value) == null ? [] : value.time
	return {time: [rangeBefore[0] ?? 0, minutes * 60]}
}

// makeService makes the fields for the travel service: Transitous or another server.
function makeService() {
	const storedTravel = setting("travel")
	if (!hasSetting("travel")) return {element: "", read: () => ({})}
	const fixed = isFixed("travel")
	const isSecret = storedTravel?.url === true // the service answers true for an address with a path or a query
	const hasOwnServer = storedTravel && !isSecret && storedTravel.url !== transitous
	const wanted = h("input", {type: "checkbox", checked: storedTravel != null, change: () => show()})
	const contact = h("input", {value: storedTravel?.contact ?? "", autocomplete: "email", inputmode: "email"})
	const url = h("input", {value: isSecret ? "" : storedTravel?.url ?? "", inputmode: "url", autocomplete: "off",
		placeholder: isSecret ? secretHost("travel") : transitous})
	const more = h("div.fields-of", field(s.contact, contact, "travel.contact", {hint: s.contact_how, fixed}),
		h("details", {open: hasOwnServer && ""}, h("summary", s.own_server),
			field(s.server_url, url, "travel.url", {hint: s.own_server_how, fixed})))
	const show = () => {
		more.hidden = !wanted.checked
	}
	show()
	const host = storedTravel ? hostOf(storedTravel) : "api.transitous.org"
	const element = h("fieldset.part", h("legend", s.service),
		field(text(s.ask_service, {host}), wanted, "travel", {hint: s.travel_sent, fixed}), more)
	return {element, read() {
		if (!wanted.checked) return {travel: null}
		const travel = {...storedTravel}
		delete travel.contact
		travel.url = url.value.trim() || (isSecret ? true : transitous)
		if (contact.value.trim()) travel.contact = contact.value.trim()
		return {travel}
	}}
}
