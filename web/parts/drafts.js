// Drafts: listings that are not saved yet, which this browser stores. They come from text that was pasted, from the
// bookmarklet or the share sheet of a phone, and from the fields of Add (views/add.js).
//
// A draft is
//   id        the id of its flat, if it has no link
//   pasted    the text
//   given     fields by name, from the bookmarklet or share sheet
//   edited    fields by name, as typed
//   isShared  whether an app has shared the text without its link
//   reading   what the service reads in the text, {of, fields, unsure, paid, details}; of is the request for it
//   waits     whether to add it once there is a network (adding.js)
//   key       lets the service recognize the draft if it is sent twice
//   at        when it was stored (lib/keptlists.js)
// readDraft gets the reading, sendingKey the key. contentOf returns the fields of a draft, nameOf its name.

import {call} from "../lib/api.js"
import {webURL} from "../lib/dom.js"
import {positionOf, withoutEmpty} from "../lib/fields.js"
import {changeElements, elements} from "../lib/keptlists.js"
import {webLink} from "../lib/links.js"
import {dataIn} from "../words/data.js"
import {detailsInLines} from "../words/flats.js"

export const draftsKey = "flats.add" // the name of the list in storage (lib/keptlists.js)

// randomId makes an id. crypto.randomUUID would need HTTPS.
const randomId = () =>
	[...crypto.getRandomValues(new Uint8Array(8))].map(byte => byte.toString(16).padStart(2, "0")).join("") + "@added"

// newDraft makes a draft.
const newDraft = (content = {}) => ({id: randomId(), pasted: "", given: {}, edited: {}, ...content})

// isEmpty reports whether a draft has no content.
export const isEmpty = ({pasted, given, edited}) =>
	!pasted.trim() && Object.values({...given, ...edited}).every(value => value === "")

// allDrafts returns the drafts, the newest first.
export const allDrafts = () => elements(draftsKey).reverse()

// newestDraft returns the newest draft that does not wait for the network, or a new one.
export const newestDraft = () => allDrafts().find(({waits}) => !waits) ?? newDraft()

// keepDraft stores a draft as the newest one, or removes it if it is empty.
export function keepDraft(draft) {
	const newest = isEmpty(draft) ? [] : [{...draft, at: undefined}] // changeElements sets at to the present time
	changeElements(draftsKey, all => [...all.filter(({id}) => id !== draft.id), ...newest])
}

// keepTyped stores a draft after typing. If another tab has stored the draft meanwhile, so that the stored one has
// another time, this one gets a new id and becomes another draft.
export function keepTyped(draft) {
	const storedDraft = allDrafts().find(({id}) => id === draft.id)
	if (storedDraft && storedDraft.at !== draft.at) draft.id = randomId()
	keepDraft(draft)
	draft.at = allDrafts().find(({id}) => id === draft.id)?.at
}

// requestOf returns the body of the request for the reading of a draft.
const requestOf = ({pasted, given, isShared}) =>
	JSON.stringify({text: pasted, link: given.link, title: given.title, shared: isShared})

// isRead reports whether the text and the given title of a draft have been read, or there are none.
export function isRead(draft) {
	const hasNothingToRead = draft.pasted.trim() === "" && !draft.given.title
	return hasNothingToRead || draft.reading?.of === requestOf(draft)
}

// readDraft gets the reading of a draft from the service, unless the draft has it, and stores the draft. It fails as
// call does.
export async function readDraft(draft, signal) {
	if (isRead(draft)) return
	const request = requestOf(draft)
	const {data, unsure} = await call("read", {method: "POST", body: request, signal})
	if (request !== requestOf(draft)) return // the draft was changed meanwhile
	const {title, cost, currency, area, rooms, phone, text, urls, bedrooms, utilities, charges, deposit, fee, details,
		service_postal_code: code, location: place} = data
	const fields = withoutEmpty({link: urls?.[0], title, cost, currency, area, rooms, code, place, phone, text})
	const paid = {utilities, charges, deposit, fee}
	draft.reading = {of: request, fields, unsure, paid, details: withoutEmpty({...details, bedrooms})}
	replaceDraft(draft)
}

// replaceDraft stores a draft in its place, if it is still stored.
const replaceDraft = draft =>
	changeElements(draftsKey, all => all.map(old => (old.id === draft.id ? {...draft, at: old.at} : old)))

// sendingKey returns the key with which to send a draft, and stores it. Changing the draft removes the key.
export function sendingKey(draft) {
	if (!draft.key) {
		draft.key = Math.random()
		replaceDraft(draft)
	}
	return draft.key
}

// readingOf returns the reading of a draft, empty if it does not belong to the present text.
const readingOf = draft =>
	(draft.reading?.of === requestOf(draft) ? draft.reading : {fields: {}, unsure: []})

// replacedBy promises the draft that results when a text replaces the whole text of a draft. If fields were typed and
// the new text is of another listing, which has another title, the result is a new draft, because what was typed
// belongs to the old one.
export async function replacedBy(pasted, draft) {
	const isTyped = Object.keys(draft.edited).length > 0
	if (!isTyped || draft.pasted.trim() === "") return {...draft, pasted, key: undefined}
	const [before, after] = [newDraft({pasted: draft.pasted}), newDraft({pasted})]
	await Promise.all([readDraft(before), readDraft(after)]).catch(() => {})
	const areRead = isRead(before) && isRead(after)
	const isSameListing = areRead && readingOf(before).fields.title === readingOf(after).fields.title
	return isSameListing ? {...draft, pasted, key: undefined} : after
}

// dropDraft removes a draft.
export const dropDraft = ({id}) => changeElements(draftsKey, all => all.filter(draft => draft.id !== id))

const maxPhotos = 20

// keepPasted stores a draft of a text that was pasted elsewhere on the page.
export const keepPasted = pasted => keepDraft(newDraft({pasted}))

// keepGiven stores a draft of what a bookmarklet or a share sheet gives, as parameters: title, heading, text, url,
// photos, gps, and data, blocks of JSON-LD. If there already is such a draft, it becomes the newest.
export function keepGiven(parameters) {
	const parameter = name => (parameters.get(name) ?? "").trim().slice(0, 30_000) // characters
	const {text: textOfData = "", ...facts} = dataIn(parameters.getAll("data"))
	const link = linkAlone(parameter("url")) ?? linkAlone(parameter("text"))
	const photos = new Set([facts.photos, parameter("photos")].join("\n").split("\n").map(webURL).filter(Boolean))
	const gps = [facts.gps, parameter("gps")].find(at => positionOf({gps: at?.split(",")}))
	const title = titleOf(parameter("title"), [facts.title, parameter("heading")], link) || facts.title
	const given = withoutEmpty({...facts, link, title, gps, photos: [...photos].slice(0, maxPhotos).join("\n")})
	// The text of the JSON-LD counts unless the given text contains it. Without a link, the url is a text, too.
	const givenText = parameter("text")
	const allTexts = [givenText, givenText.includes(textOfData) ? "" : textOfData, link ? "" : parameter("url")]
	const texts = new Set(allTexts.filter(words => words && words !== given.title))
	const draft = newDraft({pasted: [...texts].join("\n\n"), given, isShared: !link || undefined})
	const contentAsText = ({pasted, given}) => JSON.stringify([pasted, given])
	keepDraft(allDrafts().find(other => contentAsText(other) === contentAsText(draft)) ?? draft)
}

const longestTitle = 300 // characters, as the bookmarklet sends

// titleOf returns the title of a listing, given the title of its page and other names that the page has for the
// listing. If the page's title begins with one of the names, it returns the name: "Two rooms" of "Two rooms | 840 € |
// Berlin". Otherwise it only cuts the name of the site: "Two rooms" of "Two rooms - Example.org".
function titleOf(title, names, link) {
	const lettersIn = text => text.toLowerCase().replace(/[^\p{L}\d]/gu, "")
	// isSite reports whether a text is the name of the site, as Example.org is of www.example.org.
	const isSite = text => link && lettersIn(new URL(link).host).includes(lettersIn(text.replace(/\.\w+$/, "")))
	const isBeginning = name => name && title.startsWith(name) && /^ [|–—•·-] /.test(title.slice(name.length))
	const [, beforeLastSign, afterLastSign] = /^(.{3,}) [|–—•-] ([^|–—•]+)$/.exec(title) ?? []
	const name = names.find(other => isBeginning(other) && !isSite(other))
	const withoutSite = afterLastSign && isSite(afterLastSign) ? beforeLastSign : title
	return (name ?? withoutSite).slice(0, longestTitle)
}

// linkAlone returns the link if a text is nothing else, or undefined.
const linkAlone = text => (/^\S+$/.test(text.trim()) ? webLink(text.trim()) || undefined : undefined)

// contentOf returns the fields of a draft by name. Typed fields take precedence over given ones, and given ones over
// fields that the service has read in the text. A text that is only a link needs no reading.
export function contentOf(draft) {
	const {given, edited} = draft
	const {fields, details} = readingOf(draft)
	const all = {...details, ...given.details}
	return withoutEmpty({link: linkAlone(draft.pasted), ...fields, ...given, details: detailsInLines(all), ...edited})
}

// unsureIn returns the names of the fields that the service has read in the text of a draft, but is not sure of.
export function unsureIn(draft) {
	const {fields, unsure} = readingOf(draft)
	const names = {location: "place", service_postal_code: "code"} // the API's names of two fields, and theirs in drafts
	return unsure.map(name => names[name] ?? name).filter(name =>
		name in fields && draft.edited[name] === undefined && draft.given[name] === undefined)
}

// paidAt returns what the text of a draft says about its cost, {utilities, charges, deposit, fee}: "included" or
// "excluded", and amounts. It returns {} if cost is not the one that the service has read in the text.
export function paidAt(cost, draft) {
	const {fields, paid} = readingOf(draft)
	return fields.cost === cost && paid ? paid : {}
}

// isOnlyLink reports whether a draft has nothing but a link, and perhaps the title of its page or one guessed from the
// link.
export function isOnlyLink(draft) {
	const {given, edited} = draft
	const {fields, unsure} = readingOf(draft)
	const hasTitleOfPageOrGuess = given.title || unsure.includes("title")
	const typed = Object.keys(withoutEmpty(edited))
	const givenBesidesTitle = Object.keys(given).filter(field => field !== "title")
	const read = Object.keys(fields).filter(field => field !== "title" || !hasTitleOfPageOrGuess)
	const others = [...typed, ...givenBesidesTitle, ...read].filter(field => field !== "link")
	return Boolean(contentOf(draft).link) && others.length === 0
}

const longestName = 60 // characters, in buttons and notices

// nameOf returns a short name for a draft.
export function nameOf(draft) {
	const {title, link, text} = contentOf(draft)
	return (title ?? link ?? text ?? draft.pasted.trim().split("\n")[0]).slice(0, longestName)
}
