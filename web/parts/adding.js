// Adds the flats of drafts (drafts.js).
//
// addDraft sends one now. addLater has one wait for the network, as decisions wait; sendDrafts sends those that wait,
// and countDrafts returns their number. tellAdded says that a flat was added, and offers Undo. positionIn reads a
// position, commonCurrency promises the currency of a cost without one.

import {call, failure, isLost} from "../lib/api.js"
import {webURL} from "../lib/dom.js"
import {deleted, detailsOf, keyOf, positionOf} from "../lib/fields.js"
import {getFlat, look, update} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {webLink} from "../lib/links.js"
import {queryOf, tally} from "../lib/query.js"
import {alone} from "../lib/queue.js"
import {hashOf} from "../lib/state.js"
import {readDetails} from "../words/flats.js"
import {parseNumber, t, text} from "../words/format.js"
import {allDrafts, contentOf, dropDraft, keepDraft, nameOf, readDraft, sendingKey, utilitiesAt} from "./drafts.js"
import {askLink, flatOf} from "./known.js"
import {decided, failed, tell} from "./notice.js"

// addDraft imports what a draft says, and promises {id, name, isNew} of its flat. It does not send empty fields,
// because they would wipe what is known of the flat. The service finds the flat by its link, or makes its id of that,
// and leaves a flat alone that has had this draft already.
export async function addDraft(draft) {
	await readDraft(draft)
	const {link, title, currency, code, place, details = "", gps = "", photos = "", ...facts} = saidIn(draft)
	const address = link && webLink(link)
	if (!address && !title) throw failure(400, t.want_link)
	const {url, title: guess, known} = address ? await askLink(address) : {}
	const flat = await flatOf(known)
	const {bedrooms, ...others} = readDetails(details)
	const isBare = facts.cost !== undefined && draft.edited.currency === undefined
	const fresh = flat ? {} : {service_constraint: await constraintOf(code).catch(() => {})}
	// JSON leaves out what is undefined.
	const listing = {
		...facts,
		...fresh,
		id: url ? undefined : draft.id,
		urls: address && [url ?? address],
		title: title ?? (flat ? undefined : guess),
		currency: currency ?? (isBare ? flat?.currency || await commonCurrency() : undefined),
		utilities: utilitiesAt(facts.cost, draft),
		bedrooms: parseNumber(bedrooms ?? "") ?? undefined,
		details: await detailsWith(others, flat),
		gps: positionIn(gps) ?? undefined,
		photos: photosIn(photos),
		location: located(place, code),
		service_postal_code: code,
	}
	const path = "import?key=" + sendingKey(draft)
	const {data} = await call(path, {method: "POST", body: JSON.stringify([listing]), patience: 60_000})
	const id = known ?? (url ? (await askLink(url)).known : draft.id)
	return {id, name: listing.title ?? nameOf(draft), isNew: data.added > 0}
}

const amounts = ["cost", "area", "rooms"]

// saidIn returns the contents of a draft by field, with amounts as numbers, without empty ones.
function saidIn(draft) {
	const read = (field, value) => (amounts.includes(field) ? parseNumber(String(value)) : String(value).trim())
	const all = Object.entries(contentOf(draft))
		.map(([field, value]) => [field, typeof value === "number" ? value : read(field, value)])
	return Object.fromEntries(all.filter(([, value]) => value !== "" && value !== null))
}

// tellAdded says that a flat was added, with Undo, or that a known one has what the draft says.
export function tellAdded({id, name, isNew}) {
	const words = text(isNew ? t.was_added : t.was_updated, {name})
	if (!isNew) return tell(words)
	decided(words, async () => void await update(id, {status: deleted}))
}

const toldWaiting = () => dispatchEvent(new Event("waiting"))

const oldest = () => waitingDrafts().at(-1)

const waitingDrafts = () => allDrafts().filter(({waits}) => waits)

export const countDrafts = () => waitingDrafts().length

// addLater has a draft wait for the network. Undo brings it back, and calls undone.
export function addLater(draft, undone) {
	const undo = () => {
		if (waitingDrafts().some(({id}) => id === draft.id)) keepDraft({...draft, waits: undefined})
		toldWaiting()
		undone()
	}
	keepDraft({...draft, waits: true})
	toldWaiting()
	tell(text(t.add_waits, {name: nameOf(draft)}), {act: [t.undo, undo]})
}

// sendDrafts sends the drafts that wait, the oldest first, until one cannot be sent.
export async function sendDrafts() {
	if (kept.isAdding || countDrafts() === 0) return
	kept.isAdding = true
	const send = async () => {
		for (let draft = oldest(); draft; draft = oldest()) await sendDraft(draft)
	}
	await alone("flats.add", send).catch(() => {/* they still wait */})
	kept.isAdding = false
}

// sendDraft sends a draft. One that the service refuses waits no longer, but stays under Add.
async function sendDraft(draft) {
	try {
		tellAdded(await addDraft(draft))
		dropDraft(draft)
	} catch (error) {
		if (isLost(error)) throw error
		keepDraft({...draft, waits: undefined})
		failed(error, () => { location.hash = hashOf("add") }, text(t.not_added, {name: nameOf(draft)}))
	}
	toldWaiting()
}

// commonCurrency promises the most common currency.
export async function commonCurrency() {
	const {counts} = await look(queryOf({}), tally).catch(() => ({counts: {currency_code: {}}}))
	return mostOf(counts.currency_code) ?? "EUR"
}

// constraintOf promises the constraint that most flats with a postal code have, if any has one. The service itself
// knows the codes of each constraint: a flat outside of them belongs to none.
async function constraintOf(code) {
	if (!code) return undefined
	const {counts} = await look({"filter[service_postal_code]": code}, {...tally, counts: "service_constraint"})
	return mostOf(counts.service_constraint)
}

// mostOf returns the known value with the highest count.
const mostOf = counts => Object.entries(counts).filter(([value]) => value !== "null")
	.sort(([, a], [, b]) => b - a)[0]?.[0]

// positionIn reads "latitude, longitude", or returns null.
export const positionIn = text => positionOf({gps: text.split(",")})

// photosIn reads the addresses of photos, one a line. It returns undefined if there are none.
function photosIn(text) {
	const all = text.split("\n").map(line => webURL(line.trim())).filter(Boolean)
	return all.length > 0 ? all : undefined
}

// detailsWith promises details with the others of a known flat, or undefined if there are none to set.
async function detailsWith(details, flat) {
	if (Object.keys(details).length === 0) return undefined
	return {...flat && detailsOf(await getFlat(keyOf(flat), null, {online: true})), ...details}
}

// located writes a place with its postal code before the town. The service shows only codes that it knows.
function located(place = "", code = "") {
	if (!code || place.includes(code)) return place || undefined
	return [...place.split(", ").slice(0, -1), `${code} ${place.split(", ").at(-1)}`.trim()].join(", ")
}
