// Duplicates: groups of flats that are probably one home. "Same home" keeps one of them and makes the others
// duplicates of it; "Not the same" stores that they differ, so that they are not proposed again. It exports show, as
// all views do (see app.js).

import {call} from "../lib/api.js"
import {fill, h, later} from "../lib/dom.js"
import {keyOf, photoURLs, siteOf, statusOf} from "../lib/fields.js"
import {find, onChange} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {compareHash, shortlisted} from "../lib/state.js"
import {withChosen} from "../parts/bar.js"
import {facts, flatLink, mapLink, photo} from "../parts/flats.js"
import {attemptIn, changeAll, tell} from "../parts/notice.js"
import {sinceOf, title} from "../words/flats.js"
import {count, instant, t} from "../words/format.js"

const atOnce = 20 // groups shown first, and added by "More"

// show fills root with the groups.
export async function show(root, route, signal) {
	const about = h("p.soft")
	const list = h("div.groups")
	const more = h("button.more", t.more, {hidden: true, click: () => render(shown += atOnce)})
	fill(root, h("h1", t.duplicates), about, list, more)
	const cards = {} // by what they show; a card keeps its ticks until that changes
	let groups, tag
	let shown = atOnce

	// ask gets the groups and reports whether they have changed.
	async function ask() {
		const answer = await call("duplicates", {signal, since: tag})
		if (!answer) return false
		const before = JSON.stringify(groups)
		tag = answer.tag
		groups = answer.data
		return JSON.stringify(groups) !== before
	}

	const load = () => attemptIn(list, async () => {
		await ask()
		await render()
	})

	// render requests whole flats, because a decision adds to their lists of ids.
	async function render() {
		const seen = await Promise.all(groups.slice(0, shown).map(async ({ids, because}) =>
			({because, ...await find({}, {"any[id]": ids}, {signal})})))
		const at = [...list.children].findIndex(element => element.contains(document.activeElement))
		fill(about, count(t.n_groups, groups.length))
		fill(list, seen.map(({flats, because}) => cards[JSON.stringify([flats, because])] ??= card(flats, because)))
		more.hidden = groups.length <= shown
		kept.trail.ids = seen.flatMap(({flats}) => flats.map(keyOf))
		if (at >= 0) (list.children[at] ?? list.lastChild ?? root).querySelector("h1, h2").focus()
	}

	onChange(later(() => signal.aborted || load(), 100), signal)

	const press = button => () =>
		(document.activeElement.closest("article") ?? list.firstChild)?.querySelector(button)?.click()
	await load()
	return {keys: {s: [t.same_home, press(".same")], n: [t.not_same, press(".differ")]}, fresh: ask, show: load}
}

// evidence has, by a reason that the service gives, what two listings of one home share.
const evidence = {
	photo: ({photos}) => [photos].flat().map(photo => photo?.url ?? photo),
	phone: ({phone}) => [phone?.replace(/\D/g, "")],
	url: ({urls}) => [urls].flat(),
	merged_ids: flat => [keyOf(flat), ...[flat.merged_ids ?? []].flat().map(String)],
}

// isEvident reports whether a flat shares evidence for one of the reasons with another flat of its group. Place,
// cost and area alone are not evidence: two flats of a new building often have these in common.
function isEvident(flat, group, because) {
	const of = (home, reason) => (evidence[reason]?.(home) ?? []).filter(Boolean)
	const shares = other => because.some(reason => of(flat, reason).some(item => of(other, reason).includes(item)))
	return group.some(other => other !== flat && shares(other))
}

// card makes the card of a group. The flats for which there is evidence are ticked.
function card(group, because) {
	const boxes = group.map(flat =>
		h("input", {type: "checkbox", checked: isEvident(flat, group, because), label: title(flat)}))
	const radios = group.map(flat => h("input", {type: "radio", name: "keep " + keyOf(group[0]),
		change: () => { preferred = flat }}))
	const ids = group.map(keyOf)
	let preferred
	const picked = () => group.filter((_, i) => boxes[i].checked)
	const parted = () => (picked().length > 0 ? picked() : group) // without ticks, all differ
	const toKeep = () => [preferred, ...group.toSorted(byWork)].find(flat => picked().includes(flat))
	const same = h("button.same.primary", t.same_home, {click: () => mergeHomes(picked(), toKeep())})
	const differ = h("button.differ", t.not_same, {click: () => partHomes(parted())})

	function offer() {
		same.disabled = picked().length < 2
		differ.disabled = parted().length < 2
		radios.forEach((radio, i) => Object.assign(radio, {checked: group[i] === toKeep(), disabled: !boxes[i].checked}))
	}

	// compareToo compares the group together with the flats chosen so far.
	function compareToo({currentTarget}) {
		const all = withChosen(ids)
		currentTarget.href = compareHash(all)
		if (!ids.every(id => all.includes(id))) tell(t.compare_most)
	}

	offer()
	const homes = group.map((flat, i) => h("li", photo(photoURLs(flat)[0]),
		h("div.line", h("label", boxes[i]), flatLink(flat)), facts(flat),
		h("p", mapLink(flat)), h("p.soft", siteOf(flat), " ", sinceOf(flat)),
		flat.notes && h("p.notes", flat.notes), h("label", radios[i], t.keep_this)))
	return h("article.card", h("h2", because.map(name => t["same_" + name] ?? name).join(", "), {tabindex: -1}),
		h("ul.homes", homes, {change: offer}),
		h("div.line", same, differ, h("a.button", t.compare, {href: compareHash(withChosen(ids)), click: compareToo})))
}

// byWork compares two flats for sorting: the one with more of the user's own work (notes, rating, visit, status)
// comes first, then the older one.
function byWork(a, b) {
	const work = flat => [flat.notes, flat.notation, flat.visit_date, shortlisted.includes(statusOf(flat))]
		.filter(Boolean).length
	const age = flat => instant(flat.first_seen ?? flat.date) ?? Infinity
	return work(b) - work(a) || age(a) - age(b) || 0
}

// united returns all ids of some lists, each once.
const united = (...lists) => [...new Map(lists.flat(3).map(id => [String(id), id])).values()]

// mergeHomes makes the others duplicates of the flat to keep. That flat takes their ids into its merged_ids, and is
// not gone as long as one of their listings exists.
function mergeHomes(group, keep) {
	const others = group.filter(flat => flat !== keep)
	const merged_ids = united(keep.merged_ids ?? [], others.map(({id, merged_ids}) => [id, merged_ids ?? []]))
	changeAll([[keyOf(keep), {merged_ids}], ...others.map(flat => [keyOf(flat), {status: "duplicate"}])],
		`${title(keep)}: ${t.same_home}`)
}

// partHomes stores in each flat that the others are different homes.
function partHomes(group) {
	const others = flat => group.filter(other => other !== flat).map(({id}) => id)
	changeAll(group.map(flat => [keyOf(flat), {not_duplicates: united(flat.not_duplicates ?? [], others(flat))}]),
		`${title(group[0])}: ${t.not_same}`)
}
