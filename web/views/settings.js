// Settings: what the household sets, and the state of what the service does, in sections. It exports show, as all views
// do (see app.js). Typed input stays when the view is left.

import {fill, h} from "../lib/dom.js"
import {kept} from "../lib/kept.js"
import {loadSettings} from "../lib/settings.js"
import {attemptIn, reason} from "../parts/notice.js"
import {accessSection} from "../parts/settings/access.js"
import {backupsSection} from "../parts/settings/backups.js"
import {listingsSection} from "../parts/settings/listings.js"
import {messagesSection} from "../parts/settings/messages.js"
import {peopleSection} from "../parts/settings/people.js"
import {photosSection} from "../parts/settings/photos.js"
import {placesSection} from "../parts/settings/places.js"
import {rulesSection} from "../parts/settings/rules.js"
import {makeSection} from "../parts/settings/section.js"
import {sharesSection} from "../parts/settings/shares.js"
import {whereSection} from "../parts/settings/where.js"
import {t} from "../words/format.js"
import {s} from "../words/settings.js"

// descriptions has the sections by name, in their order, in the form that makeSection takes.
const descriptions = {
	where: whereSection,
	places: placesSection,
	listings: listingsSection,
	messages: messagesSection,
	rules: rulesSection,
	people: peopleSection,
	photos: photosSection,
	access: accessSection,
	shares: sharesSection,
	backups: backupsSection,
}

// show fills root with the sections, and scrolls to the one in the route. Users who may not change settings see only
// the states.
export async function show(root, route, signal) {
	const {sections} = kept.household ??= makeHousehold()
	const refused = h("p.wrong")
	const links = h("nav.tabs.settings-links", {label: s.sections}, sections.map(({name}) =>
		h("a", s[name], {href: "#/settings/" + name})))
	const body = h("div.parts")

	async function begin() {
		kept.settings = {}
		await loadSettings(signal).catch(error => {
			if (![403, 404].includes(error.status)) throw error
			fill(refused, reason(error))
		})
		fill(body, sections.map(({element}) => element))
		await Promise.all(sections.map(section => section.show(signal)))
	}

	fill(root, h("h1", t.settings), links, refused, body)
	await attemptIn(body, begin)
	moveTo(route, sections)

	function onMinute() {
		for (const section of sections) section.onMinute()
	}

	function update(next) {
		moveTo(next, sections)
		for (const section of sections) section.load().catch(() => {/* what is shown will do until the next look */})
	}

	return {onMinute, update}
}

// moveTo scrolls to the section in a route and focuses its heading.
function moveTo({rest}, sections) {
	const section = sections.find(({name}) => name === rest)
	if (!section) return
	section.element.scrollIntoView()
	section.heading.focus({preventScroll: true})
}

// makeHousehold makes all sections. When one saves, the others show it.
function makeHousehold() {
	const household = {sections: [], changed}

	function changed() {
		for (const section of household.sections) {
			section.redraw()
			section.load().catch(() => {/* what is shown will do until the next look */})
		}
	}

	household.sections = Object.entries(descriptions).map(([name, description]) =>
		makeSection(household, name, description))
	return household
}
