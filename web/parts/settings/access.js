// The section "Access": password, signed-in devices, address, tokens, time zone, and map images.

import {fill, h} from "../../lib/dom.js"
import {kept} from "../../lib/kept.js"
import {hasPassword} from "../../lib/sessions.js"
import {hasSetting, isFixed, setting} from "../../lib/settings.js"
import {t, text} from "../../words/format.js"
import {s} from "../../words/settings.js"
import {copy} from "../copy.js"
import {field} from "../form.js"
import {linkBox, onlyHere} from "../linkbox.js"
import {attempt, say} from "../notice.js"
import {ask} from "../question.js"
import {showDevices} from "./signedin.js"
import {passwordForm} from "./password.js"

export const accessSection = {
	keys: ["website_url", "feed_token", "import_token", "timezone", "map_tiles", "map_credit"],
	draw,
	watch,
	extra: makePasswordAndDevices,
	isFirst: true,
}

// watch shows whether there is a password, and how to open the page on a phone.
async function watch(element, signal) {
	const address = setting("website_url")
	const load = async () => {
		const [isThere, why] = await Promise.all([hasPassword(), address && onlyHere(address)])
		fill(element, h("p", isThere ? s.with_password : s.without_password), address && onPhone(address, why))
	}
	addEventListener("password", load, {signal})
	await load()
	return {load}
}

// makePasswordAndDevices makes the form of the password and the list of signed-in devices.
function makePasswordAndDevices(signal) {
	const form = h("div.fields-of")
	const devices = h("div.fields-of")

	const show = () => attempt(async () => {
		const isThere = await hasPassword()
		fill(form, passwordForm(isThere))
		fill(devices)
		if (isThere) await showDevices(devices, signal)
	})

	addEventListener("password", show, {signal})
	show()
	return [form, devices]
}

// onPhone shows the service's address as a QR code for a phone, or says why a phone does not reach it. It also says
// what a phone lacks without https.
function onPhone(address, why) {
	return h("details", h("summary", s.on_phone), why ? h("p", why) : linkBox(address, s.on_phone),
		address.startsWith("http:") && h("p.soft", s.without_https))
}

// draw makes the form (section.js).
function draw(changed) {
	const here = new URL("./", document.baseURI).href
	const textInput = key => h("input", {value: setting(key) ?? "", autocomplete: "off", spellcheck: "false"})
	const inputs = {website_url: textInput("website_url"), timezone: zones(), map_tiles: textInput("map_tiles"),
		map_credit: textInput("map_credit")}
	const tokens = {feed_token: makeToken("feed_token", changed), import_token: makeToken("import_token", changed)}
	const fieldOf = key => hasSetting(key) && field(s[key], inputs[key], key, {hint: s[key + "_how"], fixed: isFixed(key)})
	const proposal = setting("website_url") !== here && !isFixed("website_url") &&
		h("button.link", text(s.use_here, {address: here}), {type: "button", click: () => {
			inputs.website_url.value = here
			changed()
		}})
	const element = h("div.fields-of", fieldOf("website_url"), proposal, tokens.feed_token.element,
		tokens.import_token.element, fieldOf("timezone"),
		h("details", h("summary", s.map_images), fieldOf("map_tiles"), fieldOf("map_credit")))
	return {element, agree: () => agreeTo(inputs.website_url.value.trim(), here, element), read() {
		const values = {}
		for (const [key, {value}] of Object.entries(inputs)) {
			const isSame = value.trim() === (setting(key) ?? "")
			values[key] = isSame ? setting(key) : value.trim() || null // null removes the setting
		}
		for (const [key, token] of Object.entries(tokens)) values[key] = token.read()
		return values
	}}
}

// agreeTo promises whether to save a new address. It asks if the page itself is open at another address.
async function agreeTo(address, here, element) {
	const isSafe = ["", here, setting("website_url")].includes(address) || isFixed("website_url")
	return isSafe || ask(element, text(s.other_address, {address, here}), t.save_facts)
}

// zones makes the select of the time zone, with the present zone and the browser's first.
function zones() {
	const {timeZone} = Intl.DateTimeFormat().resolvedOptions()
	const all = [...new Set([setting("timezone"), timeZone, ...Intl.supportedValuesOf("timeZone")].filter(Boolean))]
	const choice = h("select", h("option", s.no_timezone, {value: ""}), all.map(zone => h("option", zone, {value: zone})))
	choice.value = setting("timezone") ?? ""
	return choice
}

// makeToken makes the line of a token, {element, read}. The service tells only whether a token exists. So a token is
// shown only by the page that made it, until that page is closed.
function makeToken(key, changed) {
	const fixed = isFixed(key)
	let newToken = null // one that is not saved yet
	let isWanted = setting(key) === true // whether there is to be a token; the service answers true if there is one
	const tokenBox = h("div.line")
	const stateLine = h("p")
	const off = h("button.destroys", s.remove_token, {type: "button", click: () => set(null)})
	const element = hasSetting(key) && h("div.setting", {role: "group", label: s[key]}, h("span.label", s[key]),
		h("p.soft", [s[key + "_how"], fixed && s.fixed].filter(Boolean).join(" ")), stateLine, tokenBox,
		!fixed && h("div.line", h("button", s.new_token, {type: "button", click: () => set(randomToken())}), off))

	function set(token) {
		newToken = token
		isWanted = token != null
		changed()
		show()
		say(stateLine.textContent)
	}

	function show() {
		const token = isWanted ? newToken ?? kept.tokens.get(key) : null
		fill(stateLine, stateInWords(token))
		fill(tokenBox, token && [h("code", token), h("button", t.copy, {type: "button", click: () => copy(token)})])
		off.hidden = !isWanted
	}

	function stateInWords(token) {
		if (newToken) return s.save_token
		if (token) return s.copy_token
		return isWanted ? s.has_token : s.has_no_token
	}

	show()
	// read returns a new token, true for the one that is stored, or null for none.
	return {element, read() {
		if (newToken) kept.tokens.set(key, newToken)
		return newToken ?? (isWanted || null)
	}}
}

// randomToken makes a token.
const randomToken = () => [...crypto.getRandomValues(new Uint8Array(24))]
	.map(byte => byte.toString(16).padStart(2, "0")).join("")
