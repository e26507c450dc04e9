// The links that call a flat's phone: phoneLink makes one, callButton one that says the number, too.

import {h} from "../lib/dom.js"
import {keyOf} from "../lib/fields.js"
import {dialled} from "../lib/phone.js"
import {t} from "../words/format.js"
import {offerContacted} from "./decide.js"

// phoneLink makes a link that calls the flat's phone, and then offers the next status. spec is, for example,
// "a.button". A phone that cannot be dialled is plain text, or nothing if words do not contain it.
export function phoneLink(spec, flat, words = flat.phone) {
	const {phone} = flat
	const number = phone && dialled(phone)
	if (number) return h(spec, words, {href: "tel:" + number, click: () => offerContacted(keyOf(flat))})
	return phone && [words].flat().includes(phone) && h("span", phone)
}

// callButton makes such a link as a button with the number, of which narrow cards show the word alone. A phone that
// cannot be dialled is plain text.
export const callButton = (spec, flat) =>
	phoneLink(spec, flat, [h("span", t.call, " ", h("span.digits", flat.phone))]) || flat.phone && h("span", flat.phone)
