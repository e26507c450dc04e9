// Duplicates: groups of flats that are probably one home, to be confirmed or not.

import {call, find, flats, keyOf, onChange, statusOf, update} from "./api.js"
import {fill, h, later} from "./dom.js"
import {count, instant, since} from "./format.js"
import {watch} from "./fresh.js"
import {decided, failed, title} from "./notice.js"
import {addressLink, facts, news, photo, photoURLs, siteOf, statusTag} from "./parts.js"
import {compareHash, flatHash, shortlisted, trail} from "./state.js"
import {t} from "./strings.js"

const atOnce = 20 // groups
const ticked = 4 // larger groups begin without ticks: they are rarely right as a whole

export async function show(root, route, signal) {
	const bar = h("div.fresh", {role: "status"})
	const about = h("p.soft")
	const list = h("div.groups")
	const more = h("button.more", t.load_more, {click: () => {
		shown += atOnce
		render()
	}})
	fill(root, h("h1", t.duplicates, {tabindex: -1}), bar, about, list, more)
	let groups, tag
	let shown = atOnce
	let cards = new Map() // by the ids of their groups

	async function ask() {
		const answer = await call("duplicates", {signal, since: tag})
		if (!answer) return false
		const before = JSON.stringify(groups)
		tag = answer.tag
		groups = answer.data.map(({ids, because}) => ({ids: ids.map(String), because}))
		return JSON.stringify(groups) !== before
	}

	async function load() {
		try {
			await ask()
			await render()
		} catch (error) {
			failed(error, load)
		}
	}

	// Cards of groups that are as they were stay, with what is ticked in them.
	async function render() {
		const seen = groups.slice(0, shown)
		const fresh = seen.filter(({ids}) => !cards.has(ids.join("\n")))
		await getFlats(fresh.flatMap(({ids}) => ids), signal)
		cards = new Map(seen.map(group => {
			const key = group.ids.join("\n")
			return [key, cards.get(key) ?? card(group)]
		}))
		const at = [...list.children].findIndex(element => element.contains(document.activeElement))
		fill(about, groups.length > 0 ? count(t.n_groups, groups.length) : t.no_duplicates)
		fill(list, [...cards.values()].map(({element}) => element))
		more.hidden = groups.length <= shown
		Object.assign(trail, {hash: location.hash, ids: seen.flatMap(({ids}) => ids), more: null})
		const next = list.children[at] ?? list.lastChild ?? root
		if (at >= 0 && !list.contains(document.activeElement)) next.querySelector("h1, h2").focus()
	}

	// What is decided here, or taken back, changes the groups.
	const reload = later(() => signal.aborted || load(), 100)
	onChange(flat => {
		for (const [key, {ids}] of cards) if (ids.includes(keyOf(flat))) cards.delete(key)
		reload()
	}, signal)

	const current = () => {
		const all = [...cards.values()]
		return all.find(({element}) => element.contains(document.activeElement)) ?? all[0]
	}
	const keys = {s: [t.same_home, () => current()?.same()], n: [t.not_same, () => current()?.differ()]}
	await load()
	return {keys, fresh: watch(bar, ask, render)}
}

// Whole flats: what is decided here builds on all that they are.
async function getFlats(ids, signal) {
	const size = 50
	for (let from = 0; from < ids.length; from += size)
		await find(ids.slice(from, from + size).map(id => ["any[id]", id]), {}, {signal})
}

// card shows a group side by side, with what speaks for it.
function card({ids, because}) {
	const group = ids.map(id => flats.get(id)).filter(Boolean)
	const boxes = group.map(flat => h("input", {type: "checkbox", checked: group.length <= ticked, change: offer,
		label: title(flat)}))
	const name = "keep " + ids[0]
	const radios = group.map(flat => h("input", {type: "radio", name, value: keyOf(flat)}))
	const picked = () => group.filter((_, i) => boxes[i].checked)
	const kept = () => group.find((_, i) => radios[i].checked && boxes[i].checked)
	const same = () => picked().length > 1 && mergeHomes(picked(), kept())
	const differ = () => picked().length > 1 && partHomes(picked())
	const buttons = [h("button.primary", t.same_home, {click: same}), h("button", t.not_same, {click: differ})]

	function offer() {
		for (const button of buttons) button.disabled = picked().length < 2
		const keep = kept() ?? usuallyKept(picked())
		radios.forEach((radio, i) => Object.assign(radio, {checked: group[i] === keep, disabled: !boxes[i].checked}))
	}

	offer()
	const pictured = group.some(flat => photoURLs(flat).length > 0)
	const homes = group.map((flat, i) => h("li", pictured && photo(photoURLs(flat)[0]),
		h("div.line", h("label", boxes[i]), h("a", title(flat), {href: flatHash(flat.id)})),
		facts(flat), h("p", addressLink(flat)),
		h("p.soft", [siteOf(flat), since(flat.first_seen ?? flat.date)].filter(Boolean).join(", ")),
		h("p", statusTag(flat), " ", news(flat)), flat.notes && h("p.notes", flat.notes),
		h("label", radios[i], t.keep_this)))
	const reasons = {place: t.same_place, phone: t.same_phone, photo: t.same_photo, merged_ids: t.same_merged}
	const element = h("article.card", h("h2", because.map(name => reasons[name] ?? name).join(", "), {tabindex: -1}),
		h("ul.homes", homes), h("div.line", buttons, h("a.button", t.compare, {href: compareHash(ids.slice(0, 6))})))
	return {ids, element, same, differ}
}

// The kept one is that with most of one's own work, else the oldest.
function usuallyKept(group) {
	const workOn = flat => [flat.notes, flat.notation, flat.visit_date, shortlisted.includes(statusOf(flat))]
	const work = flat => workOn(flat).filter(Boolean).length
	const age = flat => instant(flat.first_seen ?? flat.date) ?? Infinity
	const [first] = group.toSorted((a, b) => work(b) - work(a) || age(a) - age(b) || 0)
	return first
}

const listOf = value => [value ?? []].flat()

// united are the ids of two lists, each once.
const united = (some, more) => [...new Map([...listOf(some), ...more].map(id => [String(id), id])).values()]

// The kept one stands for the others, whose listings come in under their ids.
function mergeHomes(group, kept) {
	const others = group.filter(flat => flat !== kept)
	const merged_ids = united(kept.merged_ids, others.flatMap(({id, merged_ids}) => [id, ...listOf(merged_ids)]))
	const changes = others.map(flat => [keyOf(flat), {status: "duplicate"}])
	return decide([[keyOf(kept), {merged_ids}], ...changes], `${title(kept)}: ${t.same_home}`)
}

function partHomes(group) {
	const changes = group.map(flat => {
		const others = group.filter(other => other !== flat).map(({id}) => id)
		return [keyOf(flat), {not_duplicates: united(flat.not_duplicates, others)}]
	})
	return decide(changes, `${title(group[0])}: ${t.not_same}`)
}

// decide updates several flats, all or none of them, and one Undo takes it back.
async function decide(changes, words) {
	const before = changes.map(([id, fields]) => {
		const flat = flats.get(id)
		return [id, Object.fromEntries(Object.keys(fields).map(name => [name, flat[name] ?? null]))]
	})
	const back = async () => {
		for (const [id, fields] of before) await update(id, fields)
	}
	try {
		for (const [id, fields] of changes) await update(id, fields)
	} catch (error) {
		await back().catch(() => {}) // what could not be reached is as it was
		return failed(error, () => decide(changes, words))
	}
	decided(words, back)
}
