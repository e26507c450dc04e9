// Duplicates: groups of flats that are probably the same home, to decide on (parts/homes.js). It exports show, as all
// views do (see app.js).

import {fill, h, later} from "../lib/dom.js"
import {idsIn, keyOf, photoURLs} from "../lib/fields.js"
import {find, onChange} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {compareHash} from "../lib/state.js"
import {withCompared} from "../parts/bar.js"
import {facts, firstPhoto, flatLink, mapLink, seenAgo} from "../parts/flats.js"
import {groupsOfHomes, mergeHomes, separateHomes, toKeep} from "../parts/homes.js"
import {inBrief} from "../parts/notes.js"
import {attemptIn, tell} from "../parts/notice.js"
import {siteName, title} from "../words/flats.js"
import {count, t} from "../words/format.js"

const atOnce = 20 // groups shown at first, and added by "More"

// show fills root with the groups.
export async function show(root, route, signal) {
	const about = h("p.soft")
	const list = h("div.groups")
	const more = h("button.more", t.more, {hidden: true, click: () => {
		shown += atOnce
		render()
	}})
	fill(root, h("h1", t.duplicates), about, list, more)
	const cards = {} // cards by their content: a card keeps its ticks until that changes
	let groups
	let shown = atOnce

	// ask requests the groups and promises whether they have changed.
	async function ask() {
		const before = groups
		groups = await groupsOfHomes(signal)
		return groups !== before
	}

	const load = () => attemptIn(list, async () => {
		await ask()
		await render()
	})

	// render requests the flats of the groups with all fields, because a decision adds to their lists of ids.
	async function render() {
		const shownGroups = await Promise.all(groups.slice(0, shown).map(async ({ids, ...reasons}) =>
			({reasons, ...await find({}, {"any[id]": ids}, {signal})})))
		const focusedAt = [...list.children].findIndex(element => element.contains(document.activeElement))
		fill(about, groups.length > 0 ? count(t.n_groups, groups.length)
			: [t.no_groups, " ", h("a", t.list, {href: "#/"})])
		fill(list, shownGroups.map(({flats, reasons}) => {
			const hasPhotos = flats.some(flat => photoURLs(flat).length > 0)
			return cards[JSON.stringify([flats, reasons, hasPhotos])] ??= card(flats, reasons, hasPhotos)
		}))
		more.hidden = groups.length <= shown
		kept.trail.ids = shownGroups.flatMap(({flats}) => flats.map(keyOf))
		if (focusedAt >= 0) (list.children[focusedAt] ?? list.lastChild ?? root).querySelector("h1, h2").focus()
	}

	const loadSoon = later(() => {
		if (!signal.aborted) load()
	}, 100)
	onChange(loadSoon, signal)
	addEventListener("photos", () => groups && render().catch(() => {/* the flats are shown without */}), {signal})

	const press = button => () =>
		(document.activeElement.closest("article") ?? list.firstChild)?.querySelector(button)?.click()
	await load()
	return {keys: {s: [t.same_home, press(".same")], n: [t.not_same, press(".differ")]}, findChanges: ask, show: load}
}

// evidence has a function for each reason of the service that names no flats itself. It returns what a flat may share
// with another one.
const evidence = {
	photo: ({photos}) => [photos].flat().map(photo => photo?.url ?? photo),
	phone: ({phone}) => [phone?.replace(/\D/g, "")],
	merged_ids: flat => [keyOf(flat), ...idsIn(flat.merged_ids)],
}

// isEvident reports whether a flat shares evidence with another flat of its group, or has kept photos that look the
// same or links that lead to the same listing, which only the service sees. Place, cost and area alone are no evidence:
// flats in a new building often share them.
function isEvident(flat, group, {because, same_photos, same_links}) {
	if ([...idsIn(same_photos), ...idsIn(same_links)].includes(keyOf(flat))) return true
	const evidenceOf = (home, reason) => (evidence[reason]?.(home) ?? []).filter(Boolean)
	const shares = other => because.some(reason =>
		evidenceOf(flat, reason).some(item => evidenceOf(other, reason).includes(item)))
	return group.some(other => other !== flat && shares(other))
}

// markDiffering marks parts of the cards of a group, such as the costs, if their texts differ.
function markDiffering(parts) {
	if (new Set(parts.map(part => part?.textContent)).size > 1) for (const part of parts) part?.classList.add("differs")
}

// card makes the card of a group. reasons are the reasons of the service, {because, same_photos, same_links}. A group
// of two needs one press; in a larger one, the flats with evidence are ticked.
function card(group, reasons, hasPhotos) {
	const isPair = group.length === 2
	const boxes = group.map(flat =>
		h("input", {type: "checkbox", checked: isPair || isEvident(flat, group, reasons), label: title(flat)}))
	const radios = group.map(flat => h("input", {type: "radio", name: "keep " + keyOf(group[0]),
		change: () => { preferred = flat }}))
	const ids = group.map(keyOf)
	let preferred
	const ticked = () => group.filter((_, i) => boxes[i].checked)
	const flatsToSeparate = () => (ticked().length > 0 ? ticked() : group) // without ticks, all differ
	const flatToKeep = () => (ticked().includes(preferred) ? preferred : toKeep(ticked()))
	const sameButton = h("button.same.primary", t.same_home, {click: () => mergeHomes(ticked(), flatToKeep())})
	const differButton = h("button.differ", t.not_same, {click: () => separateHomes(flatsToSeparate())})
	const hint = h("p.soft", t.tick_same) // shown while "Same home" is disabled

	// updateButtons enables what a choice allows, and chooses the flat to keep.
	function updateButtons() {
		sameButton.disabled = ticked().length < 2
		hint.hidden = !sameButton.disabled
		differButton.disabled = flatsToSeparate().length < 2
		radios.forEach((radio, i) =>
			Object.assign(radio, {checked: group[i] === flatToKeep(), disabled: !boxes[i].checked}))
	}

	// compareWithChosen compares the group, together with flats that were chosen before.
	function compareWithChosen({currentTarget}) {
		const all = withCompared(ids)
		currentTarget.href = compareHash(all)
		if (!ids.every(id => all.includes(id))) tell(t.compare_most) // not all fit
	}

	updateButtons()
	const homes = group.map((flat, i) => h("li", hasPhotos && firstPhoto(flat),
		h("div.line", !isPair && h("label", boxes[i]), flatLink(flat, h("span", title(flat), {title: title(flat)}))),
		facts(flat),
		h("p.where", mapLink(flat)), h("p.soft", siteName(flat), " ", seenAgo(flat)),
		flat.notes && h("p.notes", inBrief(flat.notes)), h("label", radios[i], t.keep_this)))
	for (const part of [".cost", ".area", ".rooms", ".bedrooms", ".where"])
		markDiffering(homes.map(home => home.querySelector(part)))
	// Reasons may share parts of their texts.
	const words = new Set(reasons.because.flatMap(name => (t["same_" + name] ?? name).split(", ")))
	return h("article.card", h("h2", [...words].join(", "), {tabindex: -1}),
		h("ul.homes", homes, {change: updateButtons}), hint,
		h("div.line", sameButton, differButton,
			h("a.button", t.compare, {href: compareHash(withCompared(ids)), click: compareWithChosen})))
}
