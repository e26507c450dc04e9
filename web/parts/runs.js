// The state of what the service does by itself, such as reading mail. showState shows a state, errorLine shows an
// error, withoutCodes names search areas without postal codes.

import {call} from "../lib/api.js"
import {fill, h} from "../lib/dom.js"
import {t, text} from "../words/format.js"
import {attempt} from "./notice.js"

const pauseBetween = 5_000 // milliseconds between requests while the service is busy

// showState requests the state at a path, and fills an element with what draw(data) returns or promises. While
// isBusy(data) is true, it does so again every few seconds. It promises {load, onMinute}: load() shows the state anew
// at once. onMinute(), which app.js calls once a minute, does so, too, and ignores a failure.
export async function showState(element, path, draw, signal, isBusy = ({waiting}) => waiting > 0) {
	let timer

	async function load() {
		clearTimeout(timer)
		const {data} = await call(path, {signal})
		fill(element, await draw(data))
		if (data.configured && isBusy(data) && !signal.aborted) timer = setTimeout(loadAgain, pauseBetween)
	}

	const loadAgain = () => load().catch(() => {/* app.js asks again, once a minute */})
	signal.addEventListener("abort", () => clearTimeout(timer))
	await attempt(load)
	return {load, onMinute: loadAgain}
}

// withoutCodes writes which search areas have no postal codes, given the state of travel times, or returns "".
export const withoutCodes = ({without_codes: names}) => (names ? text(t.no_codes, {names: names.join(", ")}) : "")

// errorLine shows an error of the service, if there is one.
export const errorLine = (words, error) => error && h("p.wrong", `${words} ${error}`.trim())
