// What has changed in a view of the list elsewhere: the whole view as it was when it was loaded, compared with
// what the service has now.
//
// keepView keeps a view, changesInWords compares it, hasCome tells of one flat.

import {keyOf} from "../lib/fields.js"
import {findAll, flats, look, onChange} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {withWaiting} from "../lib/queue.js"
import {instant, number, t, text} from "../words/format.js"

// The fields by which a flat has changed: those that rows show, and those that people write.
const fields = ("title,status,cost,currency,area,rooms,bedrooms,date,location,phone,utilities,notation,visit_date," +
	"notes,gone").split(",")
const times = ["date", "visit_date"] // compared as instants, however they are written
const said = flat => JSON.stringify(fields.map(name =>
	times.includes(name) && instantOf(flat[name]) || (flat[name] ?? null)))
const instantOf = time => typeof time === "string" && instant(time)

// keyOfView names a view by its parameters without their order, which does not change what is in it.
function keyOfView(parameters) {
	const others = new URLSearchParams(parameters)
	others.delete("sort")
	return String(others)
}

// A flat that was changed on this page is no news when it comes or leaves.
onChange(flat => {
	const id = keyOf(flat)
	const {own, rows} = kept.loaded
	own.add(id)
	if (rows.has(id)) rows.set(id, said(flat))
})

// keepView keeps the view with these parameters, of which found is the first page and total the number of
// flats. It asks for the flats of further pages, also when the list is left meanwhile.
export async function keepView(parameters, found, total) {
	kept.loaded.asking.abort()
	const asking = new AbortController()
	const loaded = kept.loaded = {key: null, rows: new Map(), own: new Set(), asking} // no key until all is there
	const all = total > found.length ? await ask(parameters, asking.signal) : []
	if (loaded !== kept.loaded) return
	loaded.rows = new Map([...all, ...found].map(flat => [keyOf(flat), said(flat)]))
	for (const id of loaded.own) if (loaded.rows.has(id)) loaded.rows.set(id, said(flats.get(id)))
	loaded.key = keyOfView(parameters)
}

// hasCome reports whether a flat has come into the view since it was kept.
export const hasCome = id => kept.loaded.key != null && !kept.loaded.rows.has(id) && !kept.loaded.own.has(id)

const ask = async (parameters, signal) =>
	(await findAll(parameters, {fields: fields.join()}, {signal}, look)).map(withWaiting)

// changesInWords says how many flats have come into the view since it was kept, have changed, and are no longer
// in it. It returns "" if nothing has, and null if the view is not kept yet.
export async function changesInWords(parameters, signal) {
	const {key, rows, own} = kept.loaded
	if (key !== keyOfView(parameters)) return null
	const now = new Map((await ask(parameters, signal)).map(flat => [keyOf(flat), said(flat)]))
	const ids = [...now.keys()]
	const came = ids.filter(id => !rows.has(id) && !own.has(id)).length
	const changed = ids.filter(id => rows.has(id) && rows.get(id) !== now.get(id)).length
	const gone = [...rows.keys()].filter(id => !now.has(id) && !own.has(id)).length
	return came + changed + gone > 0
		? text(t.fresh, {new: number(came), changed: number(changed), gone: number(gone)}) : ""
}
