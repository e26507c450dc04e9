// The rows of the list as they were when it was loaded, which news.js compares with the service.
//
// keepLoaded stores them, askRows requests the present ones, hasCome tells whether a flat is new among them.

import {keyOf} from "../lib/fields.js"
import {findAll, flats, look, onChange} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {withWaiting} from "../lib/queue.js"
import {instant} from "../words/format.js"

// comparedFields has the fields whose change counts as a change of a flat: what rows show, and what people write.
export const comparedFields = ("title,status,cost,currency,charges,area,rooms,bedrooms,date,location,phone,utilities," +
	"notation,visit_date,next_step,next_date,notes,gone").split(",")
const timeFields = ["date", "visit_date", "next_date"] // compared as instants, however they are written

// rowSays returns the state of a flat's row as text: a JSON list of values in the order of comparedFields.
export const rowSays = flat => JSON.stringify(comparedFields.map(name => comparable(name, flat[name] ?? null)))

// comparable returns the value of a field as it is compared. A time that cannot be read stays as it is.
function comparable(name, value) {
	const isTime = timeFields.includes(name) && typeof value === "string"
	return isTime ? instant(value) || value : value
}

// keyOfQuery returns a query without its order, which does not change what it finds. currencies is a part of the order.
export function keyOfQuery(query) {
	const others = new URLSearchParams(query)
	for (const name of ["sort", "currencies"]) others.delete(name)
	return String(others)
}

// Flats that were changed on this page are not reported as new or gone.
onChange(flat => {
	const id = keyOf(flat)
	const {changedHere, rows} = kept.loaded
	changedHere.add(id)
	if (rows.has(id)) rows.set(id, rowSays(flat))
})

// keepLoaded stores the rows of a query. found is its first page, total the number of its flats. It requests the other
// pages, even if the list is left meanwhile.
export async function keepLoaded(query, found, total) {
	kept.loaded.asking.abort()
	const asking = new AbortController()
	const loaded = kept.loaded = {key: null, rows: new Map(), changedHere: new Set(), asking} // no key until all is there
	const all = total > found.length ? await askRows(query, asking.signal) : []
	if (loaded !== kept.loaded) return
	// Of the flats of the first page, found counts, because the list shows that.
	loaded.rows = new Map([...all, ...found].map(flat => [keyOf(flat), rowSays(flat)]))
	for (const id of loaded.changedHere) if (loaded.rows.has(id)) loaded.rows.set(id, rowSays(flats.get(id)))
	loaded.key = keyOfQuery(query)
}

// hasCome reports whether a flat has joined the list since it was loaded.
export const hasCome = id => kept.loaded.key != null && !kept.loaded.rows.has(id) && !kept.loaded.changedHere.has(id)

// askRows requests all flats of a query with comparedFields.
export const askRows = async (query, signal) =>
	(await findAll(query, {fields: comparedFields.join()}, {signal}, look)).map(withWaiting)
