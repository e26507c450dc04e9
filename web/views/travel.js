// Travel: how many flats wait for a position or a travel time, and what the travel service answers. It exports show,
// as all views do (see app.js).

import {call, places} from "../lib/api.js"
import {fill, h, outward} from "../lib/dom.js"
import {look} from "../lib/flats.js"
import {queryOf, tally} from "../lib/query.js"
import {attempt} from "../parts/notice.js"
import {sample, setUp, showState, withoutCodes, wrong} from "../parts/runs.js"
import {count, dayAndTime, number, t, text} from "../words/format.js"

// show fills root with the state of the travel service, or with what to write into the config.
export async function show(root, route, signal) {
	const state = h("div.card.told")
	fill(root, h("h1", t.travel), h("p", t.travel_what), state, h("p.soft", sources()))

	async function draw(data) {
		const [{total}, areas] = await Promise.all([look(queryOf({}), tally, {signal}), places(signal)])
		const isAnywhere = Object.values(areas).some(area => Object.keys(area).length > 0)
		return [wrong("", withoutCodes(data)), data.configured
			? report(data, total, isAnywhere, askAgain) : notConfigured(isAnywhere)]
	}

	const askAgain = () => attempt(async () => {
		await call("travel", {method: "POST"})
		await load()
	})

	const {load, passes} = await showState(state, "travel", draw, signal)
	return {passes}
}

// report says how many of the live flats wait, when the service last answered, what has failed since then, and of how
// many flats the address was not found. A button asks again.
function report({waiting, last, error, not_found: unknown}, total, isAnywhere, askAgain) {
	const words = text(t.travel_waits, {n: number(waiting), total: number(total)})
	return [
		h("p", waiting > 0 ? words : t.travel_done),
		waiting > 0 && h("progress", {label: words, max: Math.max(total, waiting), value: Math.max(total - waiting, 0)}),
		last ? h("p", text(t.travel_last, {date: dayAndTime(last)})) : !error && h("p", t.travel_never),
		wrong(t.last_error, error),
		unknown > 0 && h("p", count(t.travel_unknown, unknown)),
		(unknown > 0 || error) && h("p", h("button", t.ask_again, {click: askAgain})),
		!isAnywhere && [h("p", t.no_places), sample(examplePlaces)],
	]
}

const exampleService = `"travel": {"url": "https://api.transitous.org", "contact": "me@example.org"}`
const examplePlaces = `"constraints": {"home": {"time_to": {"work": {"gps": [48.1374, 11.5755]}}}}`

const notConfigured = isAnywhere => [
	setUp(t.travel_nobody, t.travel_steps, isAnywhere ? exampleService : `${exampleService},\n${examplePlaces}`),
	h("p.soft", t.travel_sent),
]

// sources names and links whose data positions and times are made of.
function sources() {
	const links = {
		osm: outward("https://www.openstreetmap.org/copyright", t.osm_credit),
		motis: outward("https://github.com/motis-project/motis", "MOTIS"),
		transitous: outward("https://transitous.org/sources/", "Transitous"),
	}
	return t.travel_credit.split(/[{}]/).map(part => links[part] ?? part)
}
