// Finds the flat with a link. Links are compared by linkKey (lib/links.js).

import {find, findAll} from "../lib/flats.js"
import {cleanLink, linkKey, linksOf} from "../lib/links.js"

const fields = "title,urls,status,currency"

// knownBy promises the flat with a link among its urls, or undefined. A duplicate counts only if there is no other.
// The API finds only the first of a flat's urls, by its exact text, so all flats with urls are searched if it finds
// none.
export async function knownBy(link, signal) {
	const key = linkKey(link)
	if (!key) return undefined
	const has = flat => linksOf(flat).some(url => linkKey(url) === key)
	const best = flats => flats.filter(has).sort((a, b) => (a.status === "duplicate") - (b.status === "duplicate"))[0]
	return best(await byFirst(link, signal)) ?? best(await findAll({}, {fields, "known[urls]": "yes"}, {signal}))
}

// byFirst promises the flats whose first url is the link, or differs from it by a slash at the end.
async function byFirst(link, signal) {
	const plain = cleanLink(link)
	const forms = new Set([link, plain, plain.replace(/\/$/, ""), plain.replace(/\/?$/, "/")])
	try {
		return (await find({}, {fields, "any[url]": [...forms]}, {signal})).flats
	} catch (error) {
		if (error.status !== 400) throw error
		return [] // a service that does not know the field url
	}
}
