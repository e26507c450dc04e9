// Links to listings: linksOf returns the links of a flat, webLink completes a typed one. Only the service knows which
// links lead to the same listing, and which parts of a link only track readers (parts/asklink.js).

import {parsedURL} from "./dom.js"

// linksOf returns the links of a flat as texts. urls may hold links in any form: a text, objects, nested lists.
export const linksOf = ({urls}) => [urls ?? []].flat(Infinity).flatMap(linksIn).filter(Boolean).map(String)

// linksIn returns the links in an element of urls. Of an object it takes url, link or href, or else all web addresses.
function linksIn(url) {
	if (url === null || typeof url !== "object") return [url]
	const link = ["url", "link", "href"].map(name => url[name]).find(Boolean)
	return link ? linksOf({urls: link}) : linksOf({urls: Object.values(url)}).filter(text => /^https?:/i.test(text))
}

// webLink returns a web address in full, adding https:// if the scheme is missing, or null if text is no address.
export function webLink(text) {
	const isWhole = /^https?:/i.test(text)
	const url = parsedURL(isWhole ? text : "https://" + text)
	return url && (isWhole || url.hostname.includes(".")) ? url.href : null
}
