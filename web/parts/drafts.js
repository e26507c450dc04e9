// Listings that are not saved yet, which this browser keeps: what was pasted, or passed on by the bookmarklet or the
// share sheet of a phone, and what was typed into the fields of Add (views/add.js).
//
// A draft is {id, pasted, given, edited, isShared, reading, waits, key, at}: the id for a flat without a link, the
// text, fields by name, whether an app has passed on the text without its link, what the service reads in the text,
// {of, fields, unsure}, whether it is to be added once there is a network (adding.js), the key by which the service
// knows it if it is sent again, and when it was kept (lib/keptlists.js). readDraft gets the reading, sendingKey the
// key, contentOf returns the contents of the fields, nameOf a name.

import {call} from "../lib/api.js"
import {webURL} from "../lib/dom.js"
import {positionOf, said} from "../lib/fields.js"
import {changeElements, elements} from "../lib/keptlists.js"
import {webLink} from "../lib/links.js"
import {dataIn} from "../words/data.js"
import {detailsInLines} from "../words/flats.js"

export const draftsKey = "flats.add" // begins their names in the browser's storage

// randomId makes an id. crypto.randomUUID would need https.
const randomId = () =>
	[...crypto.getRandomValues(new Uint8Array(8))].map(byte => byte.toString(16).padStart(2, "0")).join("") + "@added"

const newDraft = (content = {}) => ({id: randomId(), pasted: "", given: {}, edited: {}, ...content})

// isEmpty reports whether a draft has no content.
export const isEmpty = ({pasted, given, edited}) =>
	!pasted.trim() && Object.values({...given, ...edited}).every(value => value === "")

// allDrafts returns the drafts, the newest first.
export const allDrafts = () => elements(draftsKey).reverse()

// newestDraft returns the newest draft that does not wait for the network, or an empty one.
export const newestDraft = () => allDrafts().find(({waits}) => !waits) ?? newDraft()

// keepDraft puts a draft before all others. It does not keep an empty one.
export function keepDraft(draft) {
	const others = all => all.filter(({id}) => id !== draft.id)
	changeElements(draftsKey, all => [...others(all), ...isEmpty(draft) ? [] : [{...draft, at: undefined}]])
}

// keepTyped keeps a draft that was typed into. If another tab has changed it meanwhile, it becomes a draft of its own.
export function keepTyped(draft) {
	const there = allDrafts().find(({id}) => id === draft.id)
	if (there && there.at !== draft.at) draft.id = randomId()
	keepDraft(draft)
	draft.at = allDrafts().find(({id}) => id === draft.id)?.at
}

// askedOf returns what the service is asked about a draft.
const askedOf = ({pasted, given, isShared}) =>
	JSON.stringify({text: pasted, link: given.link, title: given.title, shared: isShared})

// isRead reports whether the text of a draft and its given title have been read, or there is nothing to read.
export const isRead = draft =>
	draft.pasted.trim() === "" && !draft.given.title || draft.reading?.of === askedOf(draft)

// readDraft lets the service read the text of a draft, unless it has read it, and keeps that with the draft. It fails
// as call does.
export async function readDraft(draft, signal) {
	if (isRead(draft)) return
	const of = askedOf(draft)
	const {data, unsure} = await call("read", {method: "POST", body: of, signal})
	if (of !== askedOf(draft)) return // it was changed meanwhile
	const {title, cost, currency, area, rooms, phone, text, urls, bedrooms, utilities, details,
		service_postal_code: code, location: place} = data
	const fields = said({link: urls?.[0], title, cost, currency, area, rooms, code, place, phone, text})
	draft.reading = {of, fields, unsure, utilities, details: said({...details, bedrooms})}
	replaceDraft(draft)
}

// replaceDraft keeps a draft in its place, if it is kept.
const replaceDraft = draft =>
	changeElements(draftsKey, all => all.map(kept => (kept.id === draft.id ? {...draft, at: kept.at} : kept)))

// sendingKey returns the key with which a draft is sent. It is another one once the draft has been changed.
export function sendingKey(draft) {
	if (!draft.key) {
		draft.key = Math.random()
		replaceDraft(draft)
	}
	return draft.key
}

// readingOf returns what was read in the text of a draft, or nothing while it is not read.
const readingOf = draft =>
	(draft.reading?.of === askedOf(draft) ? draft.reading : {fields: {}, unsure: []})

// replacedBy promises the draft of a text that was pasted in place of the whole text of a draft. That is a new one if
// fields were typed and the text is of another listing: what was typed belongs to the one before.
export async function replacedBy(pasted, draft) {
	const isTyped = Object.keys(draft.edited).length > 0
	if (!isTyped || draft.pasted.trim() === "") return {...draft, pasted, key: undefined}
	const [before, after] = [newDraft({pasted: draft.pasted}), newDraft({pasted})]
	await Promise.all([readDraft(before), readDraft(after)]).catch(() => {})
	const isSame = isRead(before) && isRead(after) &&
		readingOf(before).fields.title === readingOf(after).fields.title
	return isSame ? {...draft, pasted, key: undefined} : after
}

// dropDraft removes a draft.
export const dropDraft = ({id}) => changeElements(draftsKey, all => all.filter(draft => draft.id !== id))

const maxPhotos = 20

// keepPasted makes a draft of a text that was pasted elsewhere.
export const keepPasted = pasted => keepDraft(newDraft({pasted}))

// keepGiven makes a draft from what a bookmarklet or a share sheet passes on: title, heading, text, url, photos, gps,
// and data, blocks of JSON-LD. It leaves existing drafts as they are.
export function keepGiven(parameters) {
	const of = name => (parameters.get(name) ?? "").trim().slice(0, 30_000)
	const {text = "", ...facts} = dataIn(parameters.getAll("data"))
	const link = linkAlone(of("url")) ?? linkAlone(of("text"))
	const photos = new Set([facts.photos, of("photos")].join("\n").split("\n").map(webURL).filter(Boolean))
	const gps = [facts.gps, of("gps")].find(at => positionOf({gps: at?.split(",")}))
	const title = titleOf(of("title"), [facts.title, of("heading")], link) || facts.title
	const given = said({...facts, link, title, gps, photos: [...photos].slice(0, maxPhotos).join("\n")})
	const texts = new Set([of("text"), of("text").includes(text) ? "" : text, link ? "" : of("url")]
		.filter(words => words && words !== given.title))
	const draft = newDraft({pasted: [...texts].join("\n\n"), given, isShared: !link || undefined})
	const same = allDrafts().find(({pasted, given}) => JSON.stringify([pasted, given]) ===
		JSON.stringify([draft.pasted, draft.given]))
	keepDraft(same ?? draft)
}

// titleOf returns the title of a page without what follows one of the names that the page gives its listing, or else
// without the name of the site at its end.
function titleOf(title, names, link) {
	const letters = text => text.toLowerCase().replace(/[^\p{L}\d]/gu, "")
	const isSite = text => link && letters(new URL(link).host).includes(letters(text.replace(/\.\w+$/, "")))
	const begins = name => name && title.startsWith(name) && /^ [|–—•·-] /.test(title.slice(name.length))
	const [, start, end] = /^(.{3,}) [|–—•-] ([^|–—•]+)$/.exec(title) ?? []
	const name = names.find(name => begins(name) && !isSite(name)) ?? (end && isSite(end) ? start : title)
	return name.slice(0, 300)
}

// linkAlone returns the link of a text that is nothing else, or undefined.
const linkAlone = text => (/^\S+$/.test(text.trim()) && webLink(text.trim()) || undefined)

// contentOf returns the contents of a draft, by field. What was typed takes precedence over what was passed on, and
// that over what was read in the text. A link alone needs no reading.
export function contentOf(draft) {
	const {given, edited} = draft
	const {fields, details} = readingOf(draft)
	const all = {...details, ...given.details}
	return said({link: linkAlone(draft.pasted), ...fields, ...given, details: detailsInLines(all), ...edited})
}

// unsureIn returns the fields of a draft that have what the service has read, without being sure of it.
export function unsureIn(draft) {
	const {fields, unsure} = readingOf(draft)
	const names = {location: "place", service_postal_code: "code"} // as the fields are called
	return unsure.map(name => names[name] ?? name).filter(name =>
		name in fields && draft.edited[name] === undefined && draft.given[name] === undefined)
}

// utilitiesAt returns whether a cost includes utilities, if it is the one that the text of a draft says that of.
export function utilitiesAt(cost, draft) {
	const {fields, utilities} = readingOf(draft)
	return fields.cost === cost ? utilities : undefined
}

// isOnlyLink reports whether a draft is only a link, perhaps with the title of its page, or with one that was made of
// its words.
export function isOnlyLink(draft) {
	const {given, edited} = draft
	const {fields, unsure} = readingOf(draft)
	const typed = Object.keys(said(edited)).filter(field => field !== "link")
	const isTitleKnown = given.title || unsure.includes("title")
	const read = Object.keys(fields).filter(field => field !== "title" || !isTitleKnown)
	const others = [...Object.keys(given).filter(field => field !== "title"), ...read].filter(field => field !== "link")
	return Boolean(contentOf(draft).link) && typed.length === 0 && others.length === 0
}

// nameOf returns the name of a draft.
export function nameOf(draft) {
	const {title, link, text} = contentOf(draft)
	return (title ?? link ?? text ?? draft.pasted.trim().split("\n")[0]).slice(0, 60)
}
