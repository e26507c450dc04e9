// Duplicates: groups of flats that are probably one home, to be decided on (parts/homes.js). It exports show, as all
// views do (see app.js).

import {fill, h, later} from "../lib/dom.js"
import {idsIn, keyOf, photoURLs} from "../lib/fields.js"
import {find, onChange} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {linksOf} from "../lib/links.js"
import {compareHash} from "../lib/state.js"
import {withChosen} from "../parts/bar.js"
import {facts, firstPhoto, flatLink, mapLink, seenAgo} from "../parts/flats.js"
import {groupsOfHomes, mergeHomes, partHomes, toKeep} from "../parts/homes.js"
import {inBrief} from "../parts/notes.js"
import {attemptIn, tell} from "../parts/notice.js"
import {siteName, title} from "../words/flats.js"
import {count, t} from "../words/format.js"

const atOnce = 20 // groups shown first, and added by "More"

// show fills root with the groups.
export async function show(root, route, signal) {
	const about = h("p.soft")
	const list = h("div.groups")
	const more = h("button.more", t.more, {hidden: true, click: () => render(shown += atOnce)})
	fill(root, h("h1", t.duplicates), about, list, more)
	const cards = {} // by what they show; a card keeps its ticks until that changes
	let groups
	let shown = atOnce

	// ask gets the groups and reports whether they have changed.
	async function ask() {
		const before = groups
		groups = await groupsOfHomes(signal)
		return groups !== before
	}

	const load = () => attemptIn(list, async () => {
		await ask()
		await render()
	})

	// render requests whole flats, because a decision adds to their lists of ids.
	async function render() {
		const seen = await Promise.all(groups.slice(0, shown).map(async ({ids, ...speaks}) =>
			({speaks, ...await find({}, {"any[id]": ids}, {signal})})))
		const at = [...list.children].findIndex(element => element.contains(document.activeElement))
		fill(about, groups.length > 0 ? count(t.n_groups, groups.length)
			: [t.no_groups, " ", h("a", t.list, {href: "#/"})])
		fill(list, seen.map(({flats, speaks}) => {
			const hasPhotos = flats.some(flat => photoURLs(flat).length > 0)
			return cards[JSON.stringify([flats, speaks, hasPhotos])] ??= card(flats, speaks, hasPhotos)
		}))
		more.hidden = groups.length <= shown
		kept.trail.ids = seen.flatMap(({flats}) => flats.map(keyOf))
		if (at >= 0) (list.children[at] ?? list.lastChild ?? root).querySelector("h1, h2").focus()
	}

	onChange(later(() => signal.aborted || load(), 100), signal)
	addEventListener("photos", () => groups && render().catch(() => {/* the flats are shown without */}), {signal})

	const press = button => () =>
		(document.activeElement.closest("article") ?? list.firstChild)?.querySelector(button)?.click()
	await load()
	return {keys: {s: [t.same_home, press(".same")], n: [t.not_same, press(".differ")]}, fresh: ask, show: load}
}

// evidence has, by a reason that the service gives, what two listings of one home share.
const evidence = {
	photo: ({photos}) => [photos].flat().map(photo => photo?.url ?? photo),
	phone: ({phone}) => [phone?.replace(/\D/g, "")],
	url: linksOf,
	merged_ids: flat => [keyOf(flat), ...idsIn(flat.merged_ids)],
}

// isEvident reports whether a flat shares evidence for one of the reasons with another flat of its group, or has kept
// photos that show the same as those of another one, which only the service sees. Place, cost and area alone are not
// evidence: two flats of a new building often have these in common.
function isEvident(flat, group, {because, same_photos}) {
	if (idsIn(same_photos).includes(keyOf(flat))) return true
	const of = (home, reason) => (evidence[reason]?.(home) ?? []).filter(Boolean)
	const shares = other => because.some(reason => of(flat, reason).some(item => of(other, reason).includes(item)))
	return group.some(other => other !== flat && shares(other))
}

// tint marks what the flats of a group have of one kind, if it differs.
function tint(parts) {
	if (new Set(parts.map(part => part?.textContent)).size > 1) for (const part of parts) part?.classList.add("differs")
}

// card makes the card of a group, with what speaks for it, and with photos if it has any. A group of two is settled by
// one press. In a larger one the flats for which there is evidence are ticked.
function card(group, speaks, hasPhotos) {
	const isPair = group.length === 2
	const boxes = group.map(flat =>
		h("input", {type: "checkbox", checked: isPair || isEvident(flat, group, speaks), label: title(flat)}))
	const radios = group.map(flat => h("input", {type: "radio", name: "keep " + keyOf(group[0]),
		change: () => { preferred = flat }}))
	const ids = group.map(keyOf)
	let preferred
	const picked = () => group.filter((_, i) => boxes[i].checked)
	const parted = () => (picked().length > 0 ? picked() : group) // without ticks, all differ
	const chosen = () => (picked().includes(preferred) ? preferred : toKeep(picked()))
	const same = h("button.same.primary", t.same_home, {click: () => mergeHomes(picked(), chosen())})
	const differ = h("button.differ", t.not_same, {click: () => partHomes(parted())})
	const why = h("p.soft", t.tick_same) // as long as "Same home" cannot be pressed

	function offer() {
		same.disabled = picked().length < 2
		why.hidden = !same.disabled
		differ.disabled = parted().length < 2
		radios.forEach((radio, i) => Object.assign(radio, {checked: group[i] === chosen(), disabled: !boxes[i].checked}))
	}

	// compareToo compares the group together with the flats chosen so far.
	function compareToo({currentTarget}) {
		const all = withChosen(ids)
		currentTarget.href = compareHash(all)
		if (!ids.every(id => all.includes(id))) tell(t.compare_most)
	}

	offer()
	const homes = group.map((flat, i) => h("li", hasPhotos && firstPhoto(flat),
		h("div.line", !isPair && h("label", boxes[i]), flatLink(flat)), facts(flat),
		h("p.where", mapLink(flat)), h("p.soft", siteName(flat), " ", seenAgo(flat)),
		flat.notes && h("p.notes", inBrief(flat.notes)), !isPair && h("label", radios[i], t.keep_this)))
	for (const part of [".cost", ".area", ".rooms", ".bedrooms", ".where"])
		tint(homes.map(home => home.querySelector(part)))
	// Some reasons have parts in common.
	const reasons = new Set(speaks.because.flatMap(name => (t["same_" + name] ?? name).split(", ")))
	return h("article.card", h("h2", [...reasons].join(", "), {tabindex: -1}),
		h("ul.homes", homes, {change: offer}), why,
		h("div.line", same, differ, h("a.button", t.compare, {href: compareHash(withChosen(ids)), click: compareToo})))
}
