// Questions to the service about a link: it knows which links lead to the same listing.

import {call} from "../lib/api.js"
import {find} from "../lib/flats.js"

// askLink promises {url, title, flatId}: the link without parts that track readers, a title made from its words, and
// the id of the flat that has the link, or undefined.
export async function askLink(link, signal) {
	const {data, known: flatId} = await call("read", {method: "POST", body: JSON.stringify({text: link}), signal})
	return {url: data.urls?.[0], title: data.title, flatId}
}

// flatOf promises the flat with an id, or undefined if the id is undefined.
export async function flatOf(id, signal) {
	if (id === undefined) return undefined
	return (await find({}, {fields: "title,urls,status,currency", "any[id]": id}, {signal})).flats[0]
}
