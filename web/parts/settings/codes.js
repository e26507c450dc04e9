// Postal codes: for which countries the service has them, and how it gets more, from GeoNames or from a file.

import {call} from "../../lib/api.js"
import {fill, h, outward} from "../../lib/dom.js"
import {isFixed, saveSettings, setting} from "../../lib/settings.js"
import {count, locale, shortDay, t, text} from "../../words/format.js"
import {s} from "../../words/settings.js"
import {reason, say} from "../notice.js"
import {countries} from "./data.js"
import {inBytes} from "./photos.js"

const zips = "https://download.geonames.org/export/zip/"
const pause = 900 // milliseconds between requests while codes are fetched

export const countryName = code => new Intl.DisplayNames(locale, {type: "region"}).of(code)

// readyCountries promises the countries, as codes, whose postal codes the service has.
export const readyCountries = async signal => (await call("postal_codes", {signal})).data
	.filter(({state, codes}) => state === "ready" || codes > 0).map(({country}) => country)

// makeCodes makes the part of "Where" about postal codes, until the signal aborts.
export function makeCodes(signal) {
	const list = h("ul.plain")
	const wrong = h("p.wrong", {role: "alert"})
	const fixed = isFixed("postal_codes")
	const choice = h("select", {id: "country", "aria-describedby": "codes-asked"}, sortedCountries().map(code =>
		h("option", countryName(code), {value: code})))
	const sourceNote = h("p.soft", {id: "codes-asked"})
	const button = h("button", s.get_codes, {type: "button", click: () => act(fetchCodes)})
	const file = h("input", {type: "file", accept: ".zip,.txt,.csv", label: s.codes_file,
		change: () => file.files[0] && act(() => sendFile(file.files[0]))})
	const drop = h("label.drop", h("span.button", s.codes_file), h("span.soft", s.codes_drop), file)
	drop.addEventListener("drop", event => {
		if (!event.dataTransfer.files[0]) return
		event.preventDefault()
		event.stopPropagation() // app.js would import it
		act(() => sendFile(event.dataTransfer.files[0]))
	})
	let timer
	let lastStates = {} // by country: "fetching", "ready" or "failed" when load was last called
	signal.addEventListener("abort", () => clearTimeout(timer))

	// act calls an asynchronous function, and shows its failure.
	async function act(what) {
		fill(wrong)
		try {
			await what()
		} catch (error) {
			fill(wrong, `${t.failed} ${reason(error)}`)
		}
	}

	// fetchCodes makes the service fetch the postal codes of the chosen country.
	async function fetchCodes() {
		const country = choice.value
		await call("postal_codes/" + country, {method: "PUT"})
		say(text(s.codes_fetching, {country: countryName(country), size: ""}))
		lastStates[country] = "fetching" // the codes may have come before load asks: it then says so
		await load()
	}

	// sendFile sends a file with the postal codes of the chosen country.
	async function sendFile(given) {
		const country = choice.value
		say(text(s.codes_fetching, {country: countryName(country), size: inBytes(given.size)}))
		await call("postal_codes/" + country, {method: "PUT", body: given, patience: 600_000})
		file.value = ""
		await addToSetting(country)
		await load()
	}

	// addToSetting adds a country to the setting, so that "Where" and "Places" know its towns.
	async function addToSetting(country) {
		const used = setting("postal_codes") ?? []
		if (!fixed && !used.includes(country)) await saveSettings({postal_codes: [...used, country]})
	}

	// load shows the countries, and does so again while codes are fetched. It says when codes have come.
	async function load() {
		clearTimeout(timer)
		const {data, geonames} = await call("postal_codes", {signal})
		fill(sourceNote, text(s.codes_asks, {host: geonames}))
		fill(list, data.map(codesLine))
		for (const {country, state, error} of data) {
			const hasJustEnded = lastStates[country] === "fetching" && state !== "fetching"
			if (!hasJustEnded) continue
			say(error ? `${countryName(country)}: ${error}` : text(s.codes_are_there, {country: countryName(country)}))
			if (!error) await act(() => addToSetting(country))
		}
		lastStates = Object.fromEntries(data.map(({country, state}) => [country, state]))
		if (data.some(({state}) => state === "fetching") && !signal.aborted) timer = setTimeout(loadAgain, pause)
	}

	const loadAgain = () => load().catch(() => {/* the next look asks again */})
	loadAgain()
	return h("div.fields-of", list, wrong, h("div.setting", h("label", s.country, {for: "country"}), choice),
		h("div.line", button, drop), sourceNote)
}

// codesLine makes the line of a country.
function codesLine(source) {
	const {country, from, state, error} = source
	const words = codesInWords(source)
	const isFetched = from && from !== "file"
	return h("li", words, isFetched && [" · ", outward("https://www.geonames.org/", "GeoNames"), " (CC BY 4.0)"],
		state === "fetching" && h("progress", {label: words}), error && h("p.wrong", error),
		state === "failed" && h("p.soft", s.codes_elsewhere, " ", outward(`${zips}${country}.zip`, country + ".zip")))
}

// codesInWords writes the name of a country with the number and date of its codes, or how far their fetch has come.
function codesInWords({country, codes, date, state, bytes}) {
	const name = countryName(country)
	if (state === "failed") return name
	if (state === "fetching") return text(s.codes_fetching, {country: name, size: bytes ? inBytes(bytes) : ""})
	return [`${name}: ${count(s.n_codes, codes)}`, date && shortDay(date)].filter(Boolean).join(", ")
}

// regionOf returns the country of a language, or null if the language is no valid tag: some browsers have such
// languages.
function regionOf(language) {
	try {
		return new Intl.Locale(language).maximize().region
	} catch {
		return null
	}
}

// sortedCountries returns the codes of all countries: the countries of the browser's languages first, then by name.
function sortedCountries() {
	const first = navigator.languages.map(regionOf).filter(code => countries.includes(code))
	const {compare} = new Intl.Collator(locale)
	const byName = countries.toSorted((a, b) => compare(countryName(a), countryName(b)))
	return [...new Set([...first, ...byName])]
}
