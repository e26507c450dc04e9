// Links to listings: cleanLink removes from one what only tracks readers, linkKey returns what links to one listing
// have in common.

const tracking = /^(utm_\w*|fbclid|gclid|mc_[ce]id|referrer|search(type|id)|navigation\w+|channel)$/i

// cleanLink returns a web address without tracking parameters, or null.
export function cleanLink(text) {
	const isWhole = /^https?:/i.test(text)
	const url = URL.parse(isWhole ? text : "https://" + text)
	if (!url || !isWhole && !url.hostname.includes(".")) return null
	for (const name of [...url.searchParams.keys()]) if (tracking.test(name)) url.searchParams.delete(name)
	if (!/^#[/!][^?]*\w/.test(url.hash)) url.hash = "" // these are routes, which name the listing
	return url.href
}

// linkKey returns what two links to one listing have in common.
export const linkKey = link =>
	cleanLink(link)?.replace(/^https?:\/\/((www|m|mobile)\.)?/, "").replace(/\/(?=$|\?)/, "") ?? null
