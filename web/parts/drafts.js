// Listings that are not saved yet, which this browser keeps: what was pasted, or passed on by the bookmarklet or the
// share sheet of a phone, and what was typed into the fields of Add (views/add.js).
//
// A draft is {id, pasted, given, edited}: the id for a flat without a link, the text, and fields by name. contentOf
// returns the contents of the fields.

import {kept} from "../lib/kept.js"
import {store, stored} from "../lib/storage.js"
import {dataIn} from "../words/data.js"
import {pick, said} from "../words/pick.js"

const name = "flats.add" // in the browser's storage

// randomId makes an id. crypto.randomUUID would need https.
const randomId = () =>
	[...crypto.getRandomValues(new Uint8Array(8))].map(byte => byte.toString(16).padStart(2, "0")).join("") + "@added"

const newDraft = (content = {}) => ({id: randomId(), pasted: "", given: {}, edited: {}, ...content})

// isEmpty reports whether a draft has no content.
export const isEmpty = ({pasted, given, edited}) =>
	!pasted.trim() && Object.values({...given, ...edited}).every(value => value === "")

// allDrafts returns the drafts, the newest first.
export const allDrafts = () => (kept.drafts = stored(name) ?? kept.drafts)

// newestDraft returns the newest draft, or an empty one.
export const newestDraft = () => allDrafts()[0] ?? newDraft()

function setDrafts(drafts) {
	kept.drafts = drafts
	store(name, drafts.length > 0 ? drafts : null)
}

// keepDraft puts a draft before all others. It does not keep an empty one.
export function keepDraft(draft) {
	setDrafts([...isEmpty(draft) ? [] : [draft], ...allDrafts().filter(({id}) => id !== draft.id)])
}

// dropDraft removes a draft.
export const dropDraft = ({id}) => setDrafts(allDrafts().filter(draft => draft.id !== id))

// keepGiven makes a draft from what a bookmarklet or a share sheet passes on: title, text, url, and data, blocks of
// JSON-LD. It leaves existing drafts as they are.
export function keepGiven(parameters) {
	const of = name => (parameters.get(name) ?? "").trim().slice(0, 20_000)
	const {text, ...facts} = dataIn(parameters.getAll("data"))
	const {link} = pick(of("url"))
	const given = said({...facts, link, title: withoutSite(of("title"), link) || facts.title})
	const texts = new Set([of("text"), text, link ? "" : of("url")].filter(words => words && words !== given.title))
	const draft = newDraft({pasted: [...texts].join("\n\n"), given})
	const same = allDrafts().find(({pasted, given}) => JSON.stringify([pasted, given]) ===
		JSON.stringify([draft.pasted, draft.given]))
	keepDraft(same ?? draft)
}

// withoutSite removes the name of the site from the end of a page's title.
function withoutSite(title, link) {
	const letters = text => text.toLowerCase().replace(/[^\p{L}\d]/gu, "")
	const [, start, end] = /^(.{3,}) [|–—•-] ([^|–—•]+)$/.exec(title) ?? []
	const isSite = end && link && letters(new URL(link).host).includes(letters(end.replace(/\.\w+$/, "")))
	return (isSite ? start : title).slice(0, 300)
}

// contentOf returns the contents of a draft, by field. What was typed takes precedence over what was passed on, and
// that over what is picked out of the text.
export const contentOf = ({pasted, given, edited}) => said({...pick(pasted, given), ...given, ...edited})

// isOnlyLink reports whether a draft is only a link, perhaps with the title of its page.
export function isOnlyLink(draft) {
	const {pasted, given, edited} = draft
	const typed = Object.keys(said(edited)).filter(field => field !== "link")
	const others = [...Object.keys(given), ...Object.keys(pick(pasted))].filter(field => field !== "link")
	const isTitle = others.every(field => field === "title") && !pick(pasted).title
	return Boolean(contentOf(draft).link) && typed.length === 0 && isTitle
}
