// Links to listings: linksOf returns those of a flat, webLink completes one. Which links lead to one listing, and what
// in them only tracks readers, the service knows (parts/known.js).

import {parsedURL} from "./dom.js"

// linksOf returns the links of a flat. Its urls may be anything that holds links: a link, objects, lists of lists.
export const linksOf = ({urls}) => [urls ?? []].flat(Infinity).flatMap(linksIn).filter(Boolean).map(String)

function linksIn(url) {
	if (url === null || typeof url !== "object") return [url]
	const own = ["url", "link", "href"].map(name => url[name]).find(Boolean)
	return own ? linksOf({urls: own}) : linksOf({urls: Object.values(url)}).filter(link => /^https?:/i.test(link))
}

// webLink returns a web address, which may lack its scheme, as a whole one, or null if the text is none.
export function webLink(text) {
	const isWhole = /^https?:/i.test(text)
	const url = parsedURL(isWhole ? text : "https://" + text)
	return url && (isWhole || url.hostname.includes(".")) ? url.href : null
}
