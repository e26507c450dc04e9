// Addresses to open on another device or to give to another person.

import {h} from "../lib/dom.js"
import {t} from "../words/format.js"
import {copy} from "./copy.js"
import {qrImage} from "./qr.js"

// linkBox shows an address with "Copy" and a QR code, by which a phone opens it. name is the accessible name of the
// code. There is no code if hasCode is false, or if the address has more than 213 bytes.
export const linkBox = (url, name, {hasCode = true} = {}) => h("div.link-box", h("div.line", h("code", url),
	h("button", t.copy, {type: "button", label: `${t.copy}: ${name}`, click: () => copy(url)})),
	hasCode && qrImage(url, name))

// isOnlyHere reports whether an address only works on this device.
export const isOnlyHere = address => /^(localhost|127\..*|\[::1\])$/.test(new URL(address).hostname)
