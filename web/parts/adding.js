// Adds flats from drafts (drafts.js).
//
// addDraft adds a draft now, addLater makes it wait for the network. sendDrafts sends the waiting drafts, countDrafts
// counts them. tellAdded shows the notice. positionIn parses a position, commonCurrency promises the currency to
// assume.

import {call, failure, isLost} from "../lib/api.js"
import {webURL} from "../lib/dom.js"
import {deleted, detailsOf, keyOf, positionOf} from "../lib/fields.js"
import {getFlat, look, update} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {webLink} from "../lib/links.js"
import {queryOf, tally} from "../lib/query.js"
import {withLock} from "../lib/queue.js"
import {hashOf} from "../lib/state.js"
import {readDetails} from "../words/flats.js"
import {parseNumber, t, text} from "../words/format.js"
import {askLink, flatOf} from "./asklink.js"
import {allDrafts, contentOf, dropDraft, keepDraft, nameOf, paidAt, readDraft, sendingKey} from "./drafts.js"
import {failed, showDecision, tell} from "./notice.js"

// addDraft imports a draft and promises {id, name, isNew} of its flat. It leaves out empty fields, which would erase
// what is known of the flat. The service finds the flat by its link, or makes an id from the link. A draft that is sent
// again has the same key, and the service then does nothing.
export async function addDraft(draft) {
	await readDraft(draft)
	const {link, title, currency, code, place, details = "", gps = "", photos = "", ...facts} = filledFields(draft)
	const address = link && webLink(link)
	if (!address && !title) throw failure(400, t.want_link)
	const {url, title: titleOfLink, flatId} = address ? await askLink(address) : {}
	const flat = await flatOf(flatId)
	const {bedrooms, ...otherDetails} = readDetails(details)
	// A cost needs a currency. Assume one, unless the user has emptied the field.
	const mayAssume = facts.cost !== undefined && draft.edited.currency === undefined
	const constraintOfNew = flat ? undefined : await constraintOf(code).catch(() => undefined)
	// JSON leaves out undefined members.
	const listing = {
		...facts,
		service_constraint: constraintOfNew,
		id: url ? undefined : draft.id,
		urls: address && [url ?? address],
		title: title ?? (flat ? undefined : titleOfLink),
		currency: currency ?? (mayAssume ? flat?.currency || await commonCurrency() : undefined),
		...paidAt(facts.cost, draft),
		bedrooms: parseNumber(bedrooms ?? "") ?? undefined,
		details: await detailsWith(otherDetails, flat),
		gps: positionIn(gps) ?? undefined,
		photos: photosIn(photos),
		location: placeWithCode(place, code),
		service_postal_code: code,
	}
	const path = "import?key=" + sendingKey(draft)
	const {data} = await call(path, {method: "POST", body: JSON.stringify([listing]), patience: 60_000})
	// A new flat with a link has the id that the service made from the link: ask for it.
	const id = flatId ?? (url ? (await askLink(url)).flatId : draft.id)
	return {id, name: listing.title ?? nameOf(draft), isNew: data.added > 0}
}

const amounts = ["cost", "area", "rooms"]

// filledFields returns the fields of a draft that are not empty, with amounts as numbers.
function filledFields(draft) {
	// toSend returns the value of a field as it is sent: null for an amount that is empty, "" for an empty text.
	function toSend(field, value) {
		if (typeof value === "number") return value
		return amounts.includes(field) ? parseNumber(String(value)) : String(value).trim()
	}
	const all = Object.entries(contentOf(draft)).map(([field, value]) => [field, toSend(field, value)])
	return Object.fromEntries(all.filter(([, value]) => value !== "" && value !== null))
}

// tellAdded says that a flat was added, with Undo, or that a known flat was updated.
export function tellAdded({id, name, isNew}) {
	const words = text(isNew ? t.was_added : t.was_updated, {name})
	if (!isNew) return tell(words)
	showDecision(words, async () => void await update(id, {status: deleted}))
}

// tellWaiting reports a change of the waiting drafts.
const tellWaiting = () => dispatchEvent(new Event("waiting"))

// waitingDrafts returns the drafts that wait for the network, the newest first.
const waitingDrafts = () => allDrafts().filter(({waits}) => waits)

const oldestWaiting = () => waitingDrafts().at(-1)

export const countDrafts = () => waitingDrafts().length

// addLater makes a draft wait for the network. Undo makes it an ordinary draft again, and calls undone().
export function addLater(draft, undone) {
	const undo = () => {
		if (waitingDrafts().some(({id}) => id === draft.id)) keepDraft({...draft, waits: undefined})
		tellWaiting()
		undone()
	}
	keepDraft({...draft, waits: true})
	tellWaiting()
	tell(text(t.add_waits, {name: nameOf(draft)}), {act: [t.undo, undo]})
}

// sendDrafts sends the waiting drafts, the oldest first, until one cannot be sent.
export async function sendDrafts() {
	if (kept.isAdding || countDrafts() === 0) return
	kept.isAdding = true
	const send = async () => {
		for (let draft = oldestWaiting(); draft; draft = oldestWaiting()) await sendDraft(draft)
	}
	await withLock("flats.add", send).catch(() => {/* they still wait */})
	kept.isAdding = false
}

// sendDraft sends a draft. A draft that the service refuses becomes an ordinary one again, and stays under Add. Without
// a network sendDraft fails, and the draft still waits.
async function sendDraft(draft) {
	try {
		tellAdded(await addDraft(draft))
		dropDraft(draft)
	} catch (error) {
		if (isLost(error)) throw error
		keepDraft({...draft, waits: undefined})
		failed(error, () => { location.hash = hashOf("add") }, text(t.not_added, {name: nameOf(draft)}))
	}
	tellWaiting()
}

// commonCurrency promises the currency that most flats have, or EUR if no flat has one or the request fails.
export async function commonCurrency() {
	const {counts} = await look(queryOf({}), tally).catch(() => ({counts: {currency_code: {}}}))
	return mostFrequent(counts.currency_code) ?? "EUR"
}

// constraintOf promises the constraint that most flats with a postal code have, or undefined.
async function constraintOf(code) {
	if (!code) return undefined
	const {counts} = await look({"filter[service_postal_code]": code}, {...tally, counts: "service_constraint"})
	return mostFrequent(counts.service_constraint)
}

// mostFrequent returns the value with the highest of counts, {value: number of flats}, or undefined. It ignores the
// flats without a value, which are counted as "null".
function mostFrequent(counts) {
	const values = Object.keys(counts).filter(value => value !== "null")
	return values.sort((a, b) => counts[b] - counts[a])[0]
}

// positionIn parses "latitude, longitude", or returns null.
export const positionIn = text => positionOf({gps: text.split(",")})

// photosIn parses the addresses of photos, one a line. It returns undefined if there are none.
function photosIn(text) {
	const all = text.split("\n").map(line => webURL(line.trim())).filter(Boolean)
	return all.length > 0 ? all : undefined
}

// detailsWith promises the details to set: those of the flat, if there is one, and over them the given ones. Without
// given details it promises undefined, so that the import leaves the flat's details as they are.
async function detailsWith(details, flat) {
	if (Object.keys(details).length === 0) return undefined
	const ofFlat = flat ? detailsOf(await getFlat(keyOf(flat), null, {online: true})) : {}
	return {...ofFlat, ...details}
}

// placeWithCode puts a postal code before the town in a place, "12 Mill Street, 10115 Berlin", or where people write it
// there, after it: "London NW1 9LR", "Brooklyn, NY 11211". It returns undefined if both are empty. The service does not
// show a code that it does not know, so the place has to say it.
export function placeWithCode(place = "", code = "") {
	if (!code || place.includes(code)) return place || undefined
	const parts = place.split(", ")
	const town = parts.pop()
	const standsLast = /^[A-Z]{1,2}\d/i.test(code) || /^[A-Z]{2}$/.test(town) // Britain, Canada, Ireland; American states
	return [...parts, (standsLast ? `${town} ${code}` : `${code} ${town}`).trim()].join(", ")
}
