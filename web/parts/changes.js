// What has changed in a view of the list elsewhere: the whole view as it was when it was loaded, compared with
// what the service has now.
//
// keepView keeps a view, changesInWords compares it, hasCome tells of one flat.

import {keyOf} from "../lib/fields.js"
import {findAll, flats, look, onChange} from "../lib/flats.js"
import {withWaiting} from "../lib/queue.js"
import {instant, number, t, text} from "../words/format.js"

// The fields by which a flat has changed: those that rows show, and those that people write.
const fields = ("title,status,cost,currency,area,rooms,bedrooms,date,location,phone,utilities,notation,visit_date," +
	"notes,gone").split(",")
const times = ["date", "visit_date"] // compared as instants, however they are written
const said = flat => JSON.stringify(fields.map(name =>
	times.includes(name) && instantOf(flat[name]) || (flat[name] ?? null)))
const instantOf = time => typeof time === "string" && instant(time)

// kept is the view that was loaded last: its key; rows, what its flats said, by id; and own, the ids of flats
// that were changed on this page. Whether one of these has come or left is no news.
let kept = {rows: new Map(), own: new Set()}

// keyOfView names a view by its parameters without their order, which does not change what is in it.
function keyOfView(parameters) {
	const others = new URLSearchParams(parameters)
	others.delete("sort")
	return String(others)
}

onChange(flat => {
	const id = keyOf(flat)
	kept.own.add(id)
	if (kept.rows.has(id)) kept.rows.set(id, said(flat))
})

// keepView keeps the view with these parameters, of which found is the first page and total the number of
// flats. It asks for the flats of further pages, also when the list is left meanwhile.
export async function keepView(parameters, found, total) {
	asking.abort()
	const mine = asking = new AbortController()
	kept = {key: null, rows: new Map(), own: new Set()} // until all is there
	const all = total > found.length ? await ask(parameters, mine.signal) : []
	if (mine !== asking) return
	kept.rows = new Map([...all, ...found].map(flat => [keyOf(flat), said(flat)]))
	for (const id of kept.own) if (kept.rows.has(id)) kept.rows.set(id, said(flats.get(id)))
	kept.key = keyOfView(parameters)
}

let asking = new AbortController()

// hasCome reports whether a flat has come into the view since it was kept.
export const hasCome = id => kept.key != null && !kept.rows.has(id) && !kept.own.has(id)

const ask = async (parameters, signal) =>
	(await findAll(parameters, {fields: fields.join()}, {signal}, look)).map(withWaiting)

// changesInWords says how many flats have come into the view since it was kept, have changed, and are no longer
// in it. It returns "" if nothing has, and null if the view is not kept yet.
export async function changesInWords(parameters, signal) {
	const {key, rows, own} = kept
	if (key !== keyOfView(parameters)) return null
	const now = new Map((await ask(parameters, signal)).map(flat => [keyOf(flat), said(flat)]))
	const ids = [...now.keys()]
	const came = ids.filter(id => !rows.has(id) && !own.has(id)).length
	const changed = ids.filter(id => rows.has(id) && rows.get(id) !== now.get(id)).length
	const gone = [...rows.keys()].filter(id => !now.has(id) && !own.has(id)).length
	return came + changed + gone > 0
		? text(t.fresh, {new: number(came), changed: number(changed), gone: number(gone)}) : ""
}
