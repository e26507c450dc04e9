// What the service does by itself: showState shows a state of it, wrong what has failed, withoutCodes which search
// areas have no postal codes.

import {call} from "../lib/api.js"
import {fill, h} from "../lib/dom.js"
import {t, text} from "../words/format.js"
import {attempt} from "./notice.js"

// While the service is busy, the state is requested at this interval, in milliseconds.
const every = 5_000

// showState requests a path and fills an element with what draw makes of the data, which may be a promise. It does so
// again as long as isBusy holds. It returns load, which does it at once, and passes, as a view has it (app.js).
export async function showState(element, path, draw, signal, isBusy = ({waiting}) => waiting > 0) {
	let timer

	async function load() {
		clearTimeout(timer)
		const {data} = await call(path, {signal})
		fill(element, await draw(data))
		if (data.configured && isBusy(data) && !signal.aborted) timer = setTimeout(loadAgain, every)
	}

	const loadAgain = () => load().catch(() => {/* app.js asks again, once a minute */})
	signal.addEventListener("abort", () => clearTimeout(timer))
	await attempt(load)
	return {load, passes: loadAgain}
}

// withoutCodes says which search areas have no postal codes, given the state of travel, or returns "".
export const withoutCodes = ({without_codes: names}) => (names ? text(t.no_codes, {names: names.join(", ")}) : "")

// wrong shows an error of the service, if there is one.
export const wrong = (words, error) => error && h("p.wrong", `${words} ${error}`.trim())
