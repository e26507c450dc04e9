// The people who hunt together, if the config names any: who of them uses this device, where they go, and what they
// said of a flat.

import {own, travelTimes} from "./fields.js"
import {onStored, store, stored} from "./storage.js"

const meKey = "flats.me" // in the browser's storage

// people has the names in the config, which the service writes into the page.
export const people = JSON.parse(document.querySelector("meta[name=flats-people]").content) ?? []

// goers has who goes to which place, a name or "" for everybody: {persons, others}. persons has them by constraint and
// place, others by place, for flats outside the constraints. It is null if everybody goes to all places.
const goers = JSON.parse(document.querySelector("meta[name=flats-ways]")?.content ?? null)

// goesSomewhere reports whether a person goes to a place. It is false for everybody if no place belongs to one person.
const goesSomewhere = person =>
	Object.values(goers?.persons ?? {}).flatMap(Object.values).some(goer => ["", person].includes(goer))

// travellers are the people who go to at least one place. It is empty if no place belongs to one person.
export const travellers = people.filter(goesSomewhere)

// goerTo returns the person who goes from a flat to a place, "" for everybody, or undefined if that is not known.
export const goerTo = (flat, place) => own(own(goers?.persons, flat.service_constraint) ?? goers?.others, place)

// wayOf returns a person's shortest travel time from a flat, in the form of travelTimes, or undefined.
export const wayOf = (flat, person) => travelTimes(flat)
	.filter(([place]) => ["", person].includes(goerTo(flat, place)))
	.sort(([, a], [, b]) => a - b)[0]

// waysOf returns the travel times of a flat for a row, [[label, seconds, entry, place]]. If there are travellers, these
// are the shortest for each, labelled with the person. Otherwise, or if a place, to, is given, the label is the place:
// waysOf returns the first three in the order of the places' names, or only the one to the given place.
export function waysOf(flat, to) {
	const labelled = (label, [place, ...time]) => [label, ...time, place]
	if (travellers.length > 0 && !to) {
		return travellers.map(person => [person, wayOf(flat, person)]).filter(([, way]) => way)
			.map(([person, way]) => labelled(person, way))
	}
	return travelTimes(flat).filter(([place]) => !to || place === to).sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, 3)
		.map(way => labelled(way[0], way))
}

// me returns the person who uses this device, or undefined if nobody has chosen one.
export const me = () => people.find(person => person === stored(meKey))

// setMe sets the person who uses this device.
export const setMe = person => store(meKey, person)

// onMe calls act when another tab has chosen a person.
export const onMe = act => onStored(name => {
	if (name === meKey) act()
})

// fieldsOfPeople are who gave the flat its status, when, and each person's rating. Only find returns them.
export const fieldsOfPeople = ["status_by", "status_since", "ratings"]

// valueOf returns the value of a field, or null. For "rating" it is the rating by a person.
export function valueOf(flat, field, by = me()) {
	const value = field === "rating" ? own(flat?.ratings, by) : own(flat, field)
	return value ?? null
}

// withPeople returns a known flat with fieldsOfPeople. Each comes from the answer, or else from before, the flat as it
// was known before the answer, or else is null.
export function withPeople(known, answer, before) {
	const {status_by = null, status_since = null} = decisionIn(known, answer, before)
	const {ratings = null} = {...before, ...answer}
	return {...known, status_by, status_since, ratings}
}

// decisionIn returns the object that tells who gave a flat its status, and when: the answer, or else the flat as it was
// known before if the status is the same, or else {}.
function decisionIn(known, answer, before) {
	if ("status_by" in answer) return answer
	const isSame = JSON.stringify(known.status) === JSON.stringify(before?.status)
	return isSame && before ? before : {}
}
