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

const numbered = /\d{5}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/i

// linkKey returns what two links to one listing have in common, as the service compares them: the host without its
// mirror, the path, and the query unless the path has a number or a UUID. It returns null for what is no link.
export function linkKey(link) {
	const url = parsedURL(cleanLink(link) ?? "")
	if (!url) return null
	const path = (url.pathname + url.hash).replace(/\/+$/, "")
	return url.host.replace(/^(www|m|mobile)\./, "") + path + (numbered.test(path) ? "" : url.search)
}
