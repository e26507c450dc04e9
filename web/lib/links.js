// Links to listings: linksOf returns those of a flat, cleanLink removes from one what only tracks readers, linkKey
// returns what links to one listing have in common.

import {parsedURL} from "./dom.js"

// linksOf returns the links of a flat. Its urls may be anything that holds links: a link, objects, lists of lists.
export const linksOf = ({urls}) => [urls ?? []].flat(Infinity).flatMap(linksIn).filter(Boolean).map(String)

function linksIn(url) {
	if (url === null || typeof url !== "object") return [url]
	const own = ["url", "link", "href"].map(name => url[name]).find(Boolean)
	return own ? linksOf({urls: own}) : linksOf({urls: Object.values(url)}).filter(link => /^https?:/i.test(link))
}

const tracking = RegExp("^(utm_.*|fbclid|gclid|msclkid|mc_[ce]id|mkt_tok|_hs.*|rtoken|trk.*|xtor|at_.*|cmp|channel|" +
	"referrer|navigation.*|search_?id|saved_?search_?id|searchtype|(e?mail)_?id)$", "i")

// cleanLink returns a web address without tracking parameters, or null.
export function cleanLink(text) {
	const isWhole = /^https?:/i.test(text)
	const url = parsedURL(isWhole ? text : "https://" + text)
	if (!url || !isWhole && !url.hostname.includes(".")) return null
	for (const name of [...url.searchParams.keys()]) if (tracking.test(name)) url.searchParams.delete(name)
	if (!/^#[/!][^?]*\w/.test(url.hash)) url.hash = "" // these are routes, which name the listing
	return url.href
}

const uuid = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/.source
const numbered = RegExp("\\d{5}|" + uuid, "i")
const longNumbers = RegExp("\\d{6,}|" + uuid, "gi")
const dateNumber = /^(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/
const fiveAtEnd = /\d{5}(\.[a-z]+)?$/i
const display = RegExp("days$|view$|^conta[ck]t|^(page|pos|position|sort|order|lang|locale|tab|src|source|from|" +
	"campaign)$", "i")
const idName = RegExp("id$|nummer$|^(n[ro]|num|number|ad|ref|code|key)$|^(obj|expose|estate|listing|unit|flat|wohnung|" +
	"property|immo|item)", "i")

// tellingQuery returns what of a query may tell apart listings with one path: nothing if the path ends in the number of
// a listing. At its end, five digits may be a postal code instead, and any number before the end that of a customer.
function tellingQuery(path, query) {
	if (!query || !numbered.test(path)) return query
	const last = path.slice(path.lastIndexOf("/") + 1)
	if (last.match(longNumbers)?.some(number => !dateNumber.test(number))) return ""
	const isTelling = name => fiveAtEnd.test(last) ? idName.test(name) : !display.test(name)
	const kept = query.slice(1).split("&").filter(parameter => {
		const [name, ...value] = parameter.split("=")
		return isTelling(name) && value.join("=")
	})
	return kept.length ? "?" + kept.join("&") : ""
}

// linkKey returns what two links to one listing have in common, as the service compares them: the host without its
// mirror, the path, and what of the query may tell listings apart. It returns null for what is no link.
export function linkKey(link) {
	const url = parsedURL(cleanLink(link) ?? "")
	if (!url) return null
	const path = (url.pathname + url.hash).replace(/\/+$/, "")
	return url.host.replace(/^(www|m|mobile)\./, "") + path + tellingQuery(path, url.search)
}
