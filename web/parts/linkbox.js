// Addresses to open on another device or to give to another person.

import {h} from "../lib/dom.js"
import {hasPassword} from "../lib/sessions.js"
import {isSet} from "../lib/settings.js"
import {t} from "../words/format.js"
import {s} from "../words/settings.js"
import {copy} from "./copy.js"
import {qrImage} from "./qr.js"

// linkBox shows an address with "Copy" and a QR code, by which a phone opens it. name is the accessible name of the
// code. There is no code if hasCode is false, or if the address has more than 213 bytes.
export const linkBox = (url, name, {hasCode = true} = {}) => h("div.link-box", h("div.line", h("code", url),
	h("button", t.copy, {type: "button", label: `${t.copy}: ${name}`, click: () => copy(url)})),
	hasCode && qrImage(url, name))

// onlyHere promises why other devices do not reach an address, and what helps, or null if they do.
export async function onlyHere(address) {
	if (!isOnlyHere(address)) return null
	// The page was reached at another address, or somebody has set this one: it is the address that is wrong.
	if (!isOnlyHere(document.baseURI) || isSet("website_url")) return s.only_here_set
	return await hasPassword() ? s.only_here : s.only_here_open
}

// isOnlyHere reports whether an address only works on its own device.
const isOnlyHere = address => /^(localhost|127\..*|\[::1\])$/.test(new URL(address).hostname)
