// An address that is taken to another device or another person.

import {h} from "../lib/dom.js"
import {t} from "../words/format.js"
import {copy} from "./copy.js"
import {qrImage} from "./qr.js"

// linkBox shows an address with "Copy" and its QR code, of which a phone opens it. name is the accessible name of the
// code. An address of more than 213 bytes has no code, nor has one without hasCode.
export const linkBox = (url, name, hasCode = true) => h("div.link-box", h("div.line", h("code", url),
	h("button", t.copy, {type: "button", label: `${t.copy}: ${name}`, click: () => copy(url)})),
	hasCode && qrImage(url, name))

// isOnlyHere reports whether no other device reaches an address.
export const isOnlyHere = address => /^(localhost|127\..*|\[::1\])$/.test(new URL(address).hostname)
