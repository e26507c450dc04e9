// What a flat has in common with others that are to be dismissed, too: Triage offers to dismiss all of them.

import {keyOf, shortDetails, shortlisted} from "../lib/fields.js"
import {findAll, look} from "../lib/flats.js"
import {leastForMedian, quantile, roundedDown} from "../lib/numbers.js"
import {queryOf, tally} from "../lib/query.js"
import {ways} from "../lib/state.js"
import {filterInWords} from "../words/filters.js"
import {detailInWords, detailName, title} from "../words/flats.js"
import {nameFor} from "./naming.js"

const maxChoices = 4
const nearlyAll = 0.95 // the part of the shortlist that a choice must leave out
const way = ways.at(-1) ?? "travel_time" // where people have ways of their own, the last of ways is the longest of them

// kinds has the numbers that may be too high or too low:
//   name     the filter
//   field    the API's field
//   unit     how many units of the field are one of the filter, such as 60 seconds for a minute
//   step     limits are multiples of this; the cost, without a step, has steps by its size
//   isUpper  whether a flat is worse with a higher number
const kinds = [
	{name: "cost", field: "price", unit: 1, isUpper: true},
	{name: way, field: way, unit: 60, step: 5, isUpper: true},
	{name: "area", field: "area", unit: 1, step: 5},
	{name: "rooms", field: "rooms", unit: 1, step: 0.5},
]

// likesOf promises what a flat has in common with others, as choices for sweep (rules.js): those that find most flats
// come first. It leaves out what most flats have, and what flats of the shortlist have, too.
export async function likesOf(flat, signal) {
	const id = keyOf(flat)
	const possible = [...inTitle(flat), ...inDetails(flat), ...await beyondShortlist(id, signal)]
	const statuses = async filters => (await look(queryOf({...filters, tab: "all"}), tally, {signal})).counts.status
	const [all, ...found] = await Promise.all([{}, ...possible.map(({filters}) => filters)].map(statuses))
	// beyondShortlist has already compared the ranges with the shortlist, so only searches (q) are compared here.
	const leavesOutShortlist = ({filters, total, pursued}) => !filters.q || pursued <= (1 - nearlyAll) * total
	const likely = possible.map((choice, i) => ({...choice, total: sum(found[i]), pursued: sum(found[i], shortlisted)}))
		.filter(({total}) => total > 1 && total <= sum(all) / 2)
		.filter(leavesOutShortlist)
		.sort((a, b) => b.total - a.total).slice(0, maxChoices)
	const choices = await Promise.all(likely.map(async ({filters, words = nameFor(filters, 60), name = words}) => {
		const newFlats = await findAll(queryOf({...filters, tab: "new"}), {fields: "title,status"}, {signal})
		return {filters, words, name, ids: newFlats.map(keyOf)}
	}))
	return choices.filter(({ids}) => ids.includes(id)) // a search may miss the flat itself
}

// sum adds up counts, or those with the given names.
const sum = (counts, names = Object.keys(counts)) => names.reduce((sum, name) => sum + (counts[name] ?? 0), 0)

// inTitle returns a search for each of the eight longest words of the title.
const inTitle = flat => [...new Set(title(flat).toLowerCase().match(/[\p{L}\p{M}]{3,}/gu))]
	.sort((a, b) => b.length - a.length).slice(0, 8).map(q => ({filters: {q}, words: filterInWords("q", q), name: q}))

// inDetails returns a search for each short detail: the service finds its name and value as a phrase, unless the value
// is true or false.
function inDetails(flat) {
	const searched = shortDetails(flat).filter(([, value]) => typeof value !== "boolean")
	return searched.map(([name, value]) => {
		const phrase = `${name} ${value}`.replaceAll("\"", " ")
		return {filters: {q: `details:"${phrase}"`}, words: `${detailName(name)} ${detailInWords(name, value, flat)}`}
	})
}

// beyondShortlist promises a range for each number of a flat that is higher, or lower, than that of nearly all flats of
// the shortlist.
async function beyondShortlist(id, signal) {
	const fields = ["currency_code", ...kinds.map(({field}) => field)].join()
	const [{flats: [flat]}, pursued] = await Promise.all([look({}, {"any[id]": id, fields}, {signal}),
		findAll({}, {"any[status]": shortlisted, fields}, {signal}, look)])
	const currency = flat.currency_code
	return kinds.flatMap(({name, field, unit, step, isUpper}) => {
		const isAlike = other => other[field] > 0 && (name !== "cost" || other.currency_code === currency)
		const limit = limitFor(flat[field] / unit, pursued.filter(isAlike).map(other => other[field] / unit), isUpper, step)
		return limit ? [{filters: {[name]: isUpper ? `${limit}..` : `..${limit}`, ...name === "cost" && {currency}}}] : []
	})
}

// limitFor returns the limit from which on numbers are too high (isUpper), or too low. own is the flat's number, others
// are those of the shortlist. limitFor returns null if own is not beyond nearly all others. If it is beyond, the limit
// is the first multiple of a step beyond all others: for costs of 700 to 980, 1000. It is own if that is nearer to the
// others, or if the others are so few that they do not tell where to begin.
function limitFor(own, others, isUpper, step) {
	if (!(own > 0)) return null
	const ownLimit = isUpper ? Math.floor(own) : own
	if (others.length === 0) return ownLimit
	const usual = quantile(others, isUpper ? nearlyAll : 1 - nearlyAll)
	if (isUpper ? own <= usual : own >= usual) return null
	if (others.length < leastForMedian) return ownLimit
	const size = step ?? roundedDown(usual) / 20 // 25 for a usual cost of 500 to 999, 50 for 1,000 to 1,999
	const firstAbove = (Math.floor(Math.max(...others) / size) + 1) * size
	const firstBelow = (Math.ceil(Math.min(...others) / size) - 1) * size
	return isUpper ? Math.min(ownLimit, firstAbove) : Math.max(ownLimit, firstBelow)
}
