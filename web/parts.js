// What several views show of a flat.

import {costPerArea, flats, statuses, statusOf} from "./api.js"
import {h, outward} from "./dom.js"
import {change, title} from "./notice.js"
import {count, day, money, number, statusName, t} from "./strings.js"

export function facts(flat) {
	const {area, cost, currency, rooms} = flat
	const each = costPerArea(flat)
	return h("ul.facts", h("li.cost", cost == null ? "–" : money(cost, currency)),
		area != null && h("li", number(area) + " m²"), rooms != null && h("li", count(t.n_rooms, rooms)),
		each && h("li.soft", money(each, currency) + "/m²"))
}

export const times = flat => Object.entries(flat.service_time_to ?? {})
	.map(([place, to]) => [place, Math.round((to?.time ?? to) / 60)])
	.filter(([, time]) => Number.isFinite(time))
	.map(([place, time]) => [place, time + " min"])

export function about(flat, where = flat.service_postal_code?.name || flat.location, [far] = times(flat)) {
	return h("p.about", where && h("span", where), far && h("span", `${far[1]} → ${far[0]}`), flat.date && h("span", day(flat.date)))
}

export const phoneLink = text => h("a.phone", text, {href: "tel:" + text.replace(/(?!^\+)\D/g, "")})

// A listing may give its position; else its address is looked up.
export function mapLink({gps, details, location, service_postal_code: code}) {
	const address = [location || code?.name, code?.postal_code].filter(Boolean).join(", ")
	const at = [gps ?? details?.gps].flat().map(Number)
	const query = at.length === 2 && at.every(Number.isFinite) ? at.join() : address
	return query && outward("https://www.openstreetmap.org/search?query=" + encodeURIComponent(query), address || query)
}

// The buttons of a status are switches: pressed again, they make the flat new.
export const setStatus = (id, status) => change(id, {status}, statusName(status))
const toggle = (id, status) => setStatus(id, statusOf(flats.get(id)) === status ? "new" : status)

export const flatKey = (id, key) => key === "f" ? toggle(id, "followed") : key === "x" ? toggle(id, "ignored")
	: /^[0-5]$/.test(key) && rate(id, Number(key) || null)

const rate = (id, notation) => change(id, {notation}, `${t.notation} ${notation ?? "–"}`)

export const common = ["followed", "contacted", "visited", "ignored"]
const verbs = {followed: t.follow, ignored: t.dismiss}

export function choices(id, offered) {
	const flat = flats.get(id)
	const {notation} = flat
	const named = label => ({label: `${label}: ${title(flat)}`})
	const press = (text, label, pressed, click, to) => h("button", text, named(label), {"aria-pressed": pressed, click, "data-status": to})
	const status = (to, text = verbs[to] ?? statusName(to)) => press(text, text, statusOf(flat) === to, () => toggle(id, to), to)
	const star = n => press(notation >= n ? "★" : "☆", `${t.notation} ${n}`, notation === n, () => rate(id, notation === n ? null : n))
	return [h("div.statuses", {role: "group"}, named(t.status), (offered ?? [...new Set([...statuses, statusOf(flat)])]).map(to => status(to))),
		h("div.rating", {role: "group"}, named(t.notation), [1, 2, 3, 4, 5].map(star), notation % 1 || notation > 5 ? number(notation) : null)]
}
