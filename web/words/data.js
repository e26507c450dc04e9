// Reads what a listing's page says to machines, as JSON-LD of schema.org. Pages are written by strangers, so the length
// of what is read is bounded, and it is only ever text and numbers.

import {withoutEmpty} from "../lib/fields.js"
import {parseNumber} from "./format.js"

const longest = 16_000 // letters of a block that is read
const mostObjects = 500 // objects of a block that are read

// otherTypes matches the types of things that a page describes in addition to its listing. offering names the members
// that lead to the advertiser.
const otherTypes = /Organization|Agent|Person|Breadcrumb|ItemList|WebSite|Action|Business|Review|Rating|Image|Audience/
const offering = ["seller", "offeredBy", "provider", "agent", "broker", "landlord"]

// dataIn returns what blocks of JSON-LD say about a listing: the fields of Add by name. photos has an address on each
// line, gps is "latitude, longitude".
export function dataIn(blocks) {
	const objects = blocks.slice(0, 10).flatMap(block => objectsIn(parsed(block.slice(0, longest))))
	const listing = objects.filter(({isOther}) => !isOther).map(({object}) => object)
	const first = (...names) => listing.flatMap(object => names.map(name => plain(object[name]))).find(Boolean)
	const size = listing.map(({floorSize}) => floorSize).find(Boolean)
	const isInFeet = /FTK|sq\.? ?f|ft/i.test(size?.unitCode ?? size?.unitText ?? plain(size)) // FTK: square feet
	const area = amount(size)
	const town = first("addressLocality")
	const phone = objects.filter(({isOther, isOffering}) => !isOther || isOffering) // the advertiser's counts, too
		.map(({object}) => plain(object.telephone)).find(Boolean)
	const bedrooms = listing.map(({numberOfBedrooms}) => amount(numberOfBedrooms)).find(rooms => rooms > 0)
	const [latitude, longitude] = ["latitude", "longitude"].map(name => parseFloat(first(name)))
	return withoutEmpty({
		title: listing.filter(({name}) => name).map(({name}) => plain(name)).find(Boolean),
		text: first("description"),
		cost: listing.map(({price, lowPrice}) => amount(price ?? lowPrice)).find(cost => cost > 0),
		currency: first("priceCurrency"),
		area: area > 0 ? Math.round(area * (isInFeet ? 9.2903 : 100)) / 100 : null, // 100 square feet are 9.2903 m²
		rooms: listing.map(({numberOfRooms}) => amount(numberOfRooms)).find(rooms => rooms > 0),
		code: first("postalCode"),
		place: [first("streetAddress"), town].filter(Boolean).join(", "),
		phone,
		details: bedrooms > 0 ? {bedrooms} : null,
		gps: Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? `${latitude}, ${longitude}` : null,
		photos: listing.flatMap(({image, photo}) => [image, photo].flat().slice(0, 50))
			.map(image => plain(image?.url ?? image?.contentUrl ?? image)).filter(Boolean).join("\n"),
	})
}

// parsed returns the value of a JSON text, or null.
function parsed(text) {
	try {
		return JSON.parse(text)
	} catch {
		return null
	}
}

// objectsIn returns the first objects in a JSON value, outer ones first: [{object, isOther, isOffering}]. isOther is
// true for an object of otherTypes and all objects in it, isOffering for the objects in a member of offering.
function objectsIn(json) {
	const found = []
	const queue = [{value: json, isOther: false, isOffering: false}]
	for (let i = 0; i < queue.length && i < mostObjects; i++) {
		const {value, isOther, isOffering} = queue[i]
		if (Array.isArray(value)) queue.push(...value.slice(0, mostObjects).map(item => ({value: item, isOther, isOffering})))
		else if (value && typeof value === "object") {
			const types = [value["@type"]].flat().slice(0, 5).map(plain)
			const isOtherHere = isOther || otherTypes.test(types)
			found.push({object: value, isOther: isOtherHere, isOffering})
			for (const [name, member] of Object.entries(value).slice(0, mostObjects))
				if (member && typeof member === "object")
					queue.push({value: member, isOther: isOtherHere, isOffering: isOffering || offering.includes(name)})
		}
	}
	return found
}

// plain returns a text or number as text, bounded, and "" for anything else.
const plain = value => (["string", "number"].includes(typeof value) ? String(value).slice(0, 8_000).trim() : "")

// amount reads a number written as 72, "72", "72 m²" or {"value": 72}. It returns null if there is none.
function amount(value) {
	const text = plain(Object(value) === value && !Array.isArray(value) ? value.value : value)
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
	const [, found = ""] = /^\D{0,8}(\d[\d.,' ]*)(?!e)/i.exec(text) ?? [] // a currency may precede it; not 1e5
	return parseNumber(found.replace(/[.,]$/, "")) || null
}
