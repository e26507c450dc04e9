// The people who hunt together, if the config names any, who of them uses this device, and where each of them goes.

import {own, travelTimes} from "./fields.js"
import {onStored, store, stored} from "./storage.js"

const meKey = "flats.me" // in the browser's storage

// people has the names in the config. The service writes them into the page.
export const people = JSON.parse(document.querySelector("meta[name=flats-people]").content) ?? []

// goers say who goes to which places, "" for everybody: {persons, by constraint and place, others, by place, for flats
// of no constraint}. They are null if all places are those of everybody.
const goers = JSON.parse(document.querySelector("meta[name=flats-ways]")?.content ?? null)

const goesSomewhere = who =>
	Object.values(goers?.persons ?? {}).flatMap(Object.values).some(whose => ["", who].includes(whose))

// travellers are the people who go to places of their own, or to those of everybody beside such ones.
export const travellers = people.filter(goesSomewhere)

// goerTo returns who goes from a flat to a place, "" for everybody, or undefined.
export const goerTo = (flat, place) => own(own(goers?.persons, flat.service_constraint) ?? goers?.others, place)

// wayOf returns the shortest travel time of a flat to the places of a person, as travelTimes does, or undefined.
export const wayOf = (flat, person) => travelTimes(flat)
	.filter(([place]) => ["", person].includes(goerTo(flat, place)))
	.sort(([, a], [, b]) => a - b)[0]

// waysOf returns the travel times of a flat to show in few words, [name, seconds, entry, place]: that of each
// traveller, with the name of the person, or else the first three by the name of their place, with that name. to is the
// only place, if one was chosen.
export const waysOf = (flat, to) => (travellers.length > 0 && !to
	? travellers.map(person => [person, wayOf(flat, person)]).filter(([, way]) => way)
		.map(([person, [place, ...time]]) => [person, ...time, place])
	: travelTimes(flat).filter(([name]) => !to || name === to).sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, 3)
		.map(([place, ...time]) => [place, ...time, place]))

// me returns the name of the person who uses this device, or undefined if nobody has said so.
export const me = () => people.find(person => person === stored(meKey))

// setMe sets the person who uses this device.
export const setMe = person => store(meKey, person)

// onMe calls act when another tab has set the person.
export const onMe = act => onStored(name => name === meKey && act())

// ofPeople names the fields of a flat that only find returns: who gave it its status, when, and the rating of each
// person.
export const ofPeople = ["status_by", "status_since", "ratings"]

// valueOf returns the value of a field, or null. "rating" is the rating that a person gave.
export function valueOf(flat, field, by = me()) {
	const isRating = field === "rating"
	return own(isRating ? flat?.ratings : flat, isRating ? by : field) ?? null
}

// withPeople returns what is known of a flat, with the fields of ofPeople: those of an answer about it, or else
// those known before, which is nothing for a flat that is new here.
export function withPeople(known, answer, before) {
	const {status_by = null, status_since = null} = decisionIn(known, answer, before)
	const {ratings = null} = {...before, ...answer}
	return {...known, status_by, status_since, ratings}
}

// decisionIn returns an object with what is known of who gave a flat its status, and when: the answer, or what was
// known before if the status is the same. Who gave it another status is not known.
function decisionIn(known, answer, before) {
	if ("status_by" in answer) return answer
	const isSame = JSON.stringify(known.status) === JSON.stringify(before?.status)
	return isSame && before ? before : {}
}
