// Links that call a flat's phone.

import {h} from "../lib/dom.js"
import {keyOf} from "../lib/fields.js"
import {dialled} from "../lib/phone.js"
import {t} from "../words/format.js"
import {offerContacted} from "./decide.js"

// phoneLink makes a link, with words, that calls the flat's phone and then offers the status "contacted". spec is a
// spec of h, such as "a.button". If the phone cannot be dialled, phoneLink makes plain text of it if words include the
// phone, and otherwise returns a falsy value.
export function phoneLink(spec, flat, words = flat.phone) {
	const {phone} = flat
	const number = phone && dialled(phone)
	if (number) return h(spec, words, {href: "tel:" + number, click: () => offerContacted(keyOf(flat))})
	return phone && [words].flat().includes(phone) && h("span", phone)
}

// callButton makes a link to call with a word and the number, which narrow cards hide. A phone that cannot be dialled
// is plain text.
export const callButton = (spec, flat) =>
	phoneLink(spec, flat, [h("span", t.call, " ", h("span.digits", flat.phone))]) || flat.phone && h("span", flat.phone)
