// The field for a position. It takes an address or a town, for which the service proposes positions as the user types;
// copied coordinates; a link to a map; or a pin on a map.

import {call} from "../../lib/api.js"
import {fill, h, later} from "../../lib/dom.js"
import {positionOf} from "../../lib/fields.js"
import {secretHost, setting} from "../../lib/settings.js"
import {count, language, t, text} from "../../words/format.js"
import {s} from "../../words/settings.js"
import {field, wrongAt} from "../form.js"
import {reason, say} from "../notice.js"
import {placePin} from "./pin.js"

// positionField makes the field for the position at a path, {element, read}. at is the present position, or null. With
// isTown, only the postal codes propose towns; otherwise the travel service also proposes addresses. chosen(name) is
// called after a choice. read returns the position, null if nothing is typed, or throws an error of wrongAt.
export function positionField(label, path, {at = null, isTown = false, fixed, changed, chosen = () => {}}) {
	let position = at // null while what is typed is no position
	let asked = "" // the last text for which positions were proposed
	const input = h("input", {value: at ? coordinates(at) : "", autocomplete: "off", spellcheck: "false"})
	const list = h("ul.proposals", {label: s.proposals})
	const note = h("p.soft")
	const hint = isTown ? s.town_how : `${s.address_how} ${asks()}`
	const takePin = pin => {
		input.value = coordinates(pin)
		take(readPosition(input.value), "")
	}
	const onMap = !fixed &&
		h("button.link", s.on_map, {type: "button", click: () => placePin(element, position, takePin)})
	const element = field(label, input, path, {hint, fixed}, note, onMap, list)

	// take chooses a position. name is its name, or "".
	function take(next, name) {
		position = next
		asked = input.value
		fill(list)
		fill(note, text(s.position_is, {position: coordinates(next)}))
		say(text(s.position_is, {position: [name, coordinates(next)].filter(Boolean).join(", ")}))
		changed()
		chosen(name)
	}

	const choose = ({name, gps}) => {
		input.value = name
		take(gps, name)
		input.focus()
	}

	const ask = later(async () => {
		const typed = input.value.trim()
		const isTooShort = typed.length < 3
		if (isTooShort || typed === asked || position) return
		asked = typed
		try {
			const {data} = await call("geocode?" + new URLSearchParams({text: typed}))
			if (typed !== input.value.trim() || position) return
			const found = data.filter(({precision}) => !isTown || ["place", "postal_code"].includes(precision))
			fill(list, found.map(one => h("li", h("button", one.name, {type: "button", click: () => choose(one)}))))
			fill(note, found.length > 0 ? "" : s.nothing_found)
			say(found.length > 0 ? count(s.n_proposals, found.length) : s.nothing_found)
		} catch (error) {
			fill(note, `${t.failed} ${reason(error)}`)
		}
	}, 500)

	input.addEventListener("input", () => {
		position = null
		const read = readPosition(input.value)
		if (read) return take(read, "")
		fill(list)
		fill(note)
		ask()
	})
	// Enter chooses the first proposal, and does not submit the form.
	input.addEventListener("keydown", event => {
		const first = list.querySelector("button")
		if (event.key !== "Enter" || !first) return
		event.preventDefault()
		first.click()
	})

	return {element, read() {
		if (position) return position
		if (!input.value.trim()) return null
		throw wrongAt(input.dataset.path, s.choose_proposal)
	}}
}

// asks writes which service learns what is typed.
const asks = () => {
	const service = setting("travel")
	return service ? text(s.geocode_asks, {host: hostOf(service)}) : s.geocode_alone
}

// hostOf returns the host of the travel service, whose address may be a secret.
export const hostOf = ({url}) => (URL.canParse(url) ? new URL(url).host : secretHost("travel"))

// coordinates writes a position, accurate to about a metre.
export const coordinates = at => at.map(n => Number(n.toFixed(5))).join(", ")

// Angles as maps and encyclopedias write them: 52.3917° N, 52° 23.5′ N, N 52°23'30". The letters are after both angles
// or before both; without letters, both may have a sign. angle has groups for degrees, minutes and seconds.
const angle = String.raw`(\d{1,3}(?:\.\d+)?)\s*°?\s*(?:(\d{1,2}(?:\.\d+)?)\s*['′’]\s*)?` +
	String.raw`(?:(\d{1,2}(?:\.\d+)?)\s*(?:["″”]|''|′′)\s*)?`
const letters = language === "en" ? "NSEW" : "NSEWO" // O has no meaning in English
const letter = String.raw`\s*([${letters}])\s*`
const twoAngles = {
	lettersAfter: new RegExp(`^\\s*${angle}${letter}[,;]?\\s*${angle}${letter}$`, "i"),
	lettersBefore: twoWithSign(`[${letters}]`),
	signsBefore: twoWithSign("[-+]?"),
}

// twoWithSign returns a pattern of two angles, each after a sign.
function twoWithSign(sign) {
	const signAndAngle = `\\s*(${sign})\\s*${angle}`
	return new RegExp(`^${signAndAngle}[,;\\s]*${signAndAngle}\\s*$`, "i")
}

// partsOfAngles returns the parts of two angles in a text, [[sign, degrees, minutes, seconds], …], or null. A sign is a
// letter, "+", "-" or "". Two plain numbers are no angles: without letters, there must be a °.
function partsOfAngles(text) {
	const groupsOf = pattern => pattern.exec(text)?.slice(1)
	const lettersAfter = groupsOf(twoAngles.lettersAfter)
	if (lettersAfter) {
		const signFirst = ([degrees, minutes, seconds, sign]) => [sign, degrees, minutes, seconds]
		return [lettersAfter.slice(0, 4), lettersAfter.slice(4)].map(signFirst)
	}
	const before = groupsOf(twoAngles.lettersBefore) ?? (text.includes("°") ? groupsOf(twoAngles.signsBefore) : null)
	return before ? [before.slice(0, 4), before.slice(4)] : null
}

// readAngles parses two angles in any order as [latitude, longitude], or returns null.
function readAngles(typed) {
	const parts = partsOfAngles(typed.replace(/[−–]/g, "-").replace(/(\d),(?=\d)/g, "$1."))
	if (!parts) return null
	const at = []
	for (const [i, [sign, degrees, minutes = 0, seconds = 0]] of parts.entries()) {
		const [axis, direction] = axes[sign.toLowerCase()] ?? [i, sign === "-" ? -1 : 1]
		if (minutes >= 60 || seconds >= 60) return null
		at[axis] = Number((direction * (Number(degrees) + minutes / 60 + seconds / 3600)).toFixed(6))
	}
	const hasBothAxes = at.length === 2 && Object.hasOwn(at, 0) // as two letters of one axis would not
	return hasBothAxes ? at : null
}

// axes has, for each letter, the index in [latitude, longitude] and the sign. O is east in German and west in French.
const axes = {n: [0, 1], s: [0, -1], e: [1, 1], w: [1, -1], o: [1, language === "de" ? 1 : -1]}

const number = String.raw`(-?\d{1,3}(?:\.\d+)?)`
const patterns = [
	`^\\s*(?:geo:)?${number}\\s*[,;\\s]\\s*${number}\\s*(?:\\?.*)?$`,
	`[?&]mlat=${number}&mlon=${number}`, // OpenStreetMap: the marker, before the window
	`[#&?]map=\\d+(?:\\.\\d+)?/${number}/${number}`,
	`!3d${number}!4d${number}`, // Google: the place, before the window
	`@${number},${number}`,
	`[?&](?:ll|q|query|coordinate|center|daddr|destination)=(?:loc:)?${number}(?:,|%2C)(?:\\+|%20)?${number}`,
].map(source => new RegExp(source, "i"))

// readPosition parses copied coordinates, or a link to OpenStreetMap, Google Maps or Apple Maps, as [latitude,
// longitude]. It returns null if there are none.
export function readPosition(copied) {
	const typed = copied.replace(/^\s*\((.*)\)\s*$/, "$1")
	const hasDecimalCommas = /^\s*-?\d+,\d+(?:\s*;|,?\s)\s*-?\d+,\d+\s*$/.test(typed) // 45,76; 4,85
	const plain = hasDecimalCommas ? typed.replace(/(\d),(?=\d)/g, "$1.") : typed
	const isPostalCode = /^\s*\d+\s+\d+\s*$/.test(typed) // such as 114 55
	if (isPostalCode) return null
	for (const pattern of patterns) {
		const [, lat, lng] = pattern.exec(plain) ?? []
		const at = lat && positionOf({gps: [Number(lat), Number(lng)]})
		if (at) return at
	}
	return positionOf({gps: readAngles(typed)})
}
