// The flats of the list when it was loaded, which news.js compares with what the service has now.
//
// keepLoaded keeps them, ask requests those of now, hasCome reports on one.

import {keyOf} from "../lib/fields.js"
import {findAll, flats, look, onChange} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {withWaiting} from "../lib/queue.js"
import {instant} from "../words/format.js"

// A flat has changed if one of these fields has: those that rows show, and those that people write.
export const fields = ("title,status,cost,currency,charges,area,rooms,bedrooms,date,location,phone,utilities," +
	"notation,visit_date,next_step,next_date,notes,gone").split(",")
const times = ["date", "visit_date", "next_date"] // compared as instants, however they are written

// rowSays returns what a row says about a flat, as text.
export const rowSays = flat => JSON.stringify(fields.map(name =>
	times.includes(name) && instantOf(flat[name]) || (flat[name] ?? null)))
const instantOf = time => typeof time === "string" && instant(time)

// keyOfQuery names a query without its order, which does not change which flats it finds.
export function keyOfQuery(query) {
	const others = new URLSearchParams(query)
	for (const name of ["sort", "currencies"]) others.delete(name)
	return String(others)
}

// A flat that was changed on this page is not reported as new or gone.
onChange(flat => {
	const id = keyOf(flat)
	const {own, rows} = kept.loaded
	own.add(id)
	if (rows.has(id)) rows.set(id, rowSays(flat))
})

// keepLoaded keeps the flats of a query, of which found is the first page and total the number of flats. It requests
// the further pages, even if the list is left in the meantime.
export async function keepLoaded(query, found, total) {
	kept.loaded.asking.abort()
	const asking = new AbortController()
	const loaded = kept.loaded = {key: null, rows: new Map(), own: new Set(), asking} // no key until all is there
	const all = total > found.length ? await ask(query, asking.signal) : []
	if (loaded !== kept.loaded) return
	loaded.rows = new Map([...all, ...found].map(flat => [keyOf(flat), rowSays(flat)]))
	for (const id of loaded.own) if (loaded.rows.has(id)) loaded.rows.set(id, rowSays(flats.get(id)))
	loaded.key = keyOfQuery(query)
}

// hasCome reports whether a flat has come into the list since it was kept.
export const hasCome = id => kept.loaded.key != null && !kept.loaded.rows.has(id) && !kept.loaded.own.has(id)

// ask requests all flats of a query, with what rows say about them.
export const ask = async (query, signal) =>
	(await findAll(query, {fields: fields.join()}, {signal}, look)).map(withWaiting)
