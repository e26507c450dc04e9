// The section "People": the names of the people who hunt together, what they say of themselves, and invites for their
// devices.

import {call} from "../../lib/api.js"
import {fill, h} from "../../lib/dom.js"
import {me, people} from "../../lib/people.js"
import {hasPassword} from "../../lib/sessions.js"
import {hasSetting, isFixed, setting} from "../../lib/settings.js"
import {nearDay, t, text} from "../../words/format.js"
import {s} from "../../words/settings.js"
import {field} from "../form.js"
import {linkBox, onlyHere} from "../linkbox.js"
import {attempt, say} from "../notice.js"
import {askWho} from "../who.js"

const maxPeople = 8
const maxPersonName = 40 // characters, as in the service
const maxAboutThem = 2000 // characters of what they say of themselves

export const peopleSection = {
	keys: ["people", "who_we_are"],
	draw,
	watch(element) {
		const load = () => fill(element, report())
		load()
		return {load}
	},
	extra: makeInvites,
}

// areNamesOld reports whether the names have changed since the page was loaded.
const areNamesOld = () => hasSetting("people") && (setting("people") ?? []).join("\n") !== people.join("\n")

// report shows the people, and who uses this device.
const report = () => [h("p", people.length > 0 ? people.join(", ") : s.no_people), people.length > 0 &&
	h("p.line", me() ? text(t.you_are, {name: me()}) : t.who, h("button", s.change_me, {click: () => askWho()})),
areNamesOld() && h("p.line", s.open_anew, h("button", t.open_again, {click: () => location.reload()}))]

// draw makes the form (section.js).
function draw(changed) {
	const fixed = isFixed("people")
	const names = setting("people") ?? []
	const empty = ["", ""].slice(names.length) // so that there are at least two fields
	const rows = h("div.rowed", [...names, ...empty].map(nameField))

	function nameField(value) {
		const input = h("input", {value, autocomplete: "off", maxlength: maxPersonName})
		return field(s.person_name, input, "people", {fixed, isNoted: true}) // the form has one note for all names
	}

	function addName() {
		const row = nameField("")
		rows.append(row)
		row.querySelector("input").focus()
		more.hidden = rows.childElementCount >= maxPeople
		changed()
	}

	const cannotAdd = fixed || names.length >= maxPeople
	const more = h("button", s.another_person, {type: "button", hidden: cannotAdd, click: addName})
	const us = h("textarea", {value: setting("who_we_are") ?? "", rows: 4, maxlength: maxAboutThem,
		placeholder: s.who_we_are_example})
	const element = h("div.fields-of", h("p.soft", fixed ? s.fixed : s.people_how), rows, more, hasSetting("who_we_are") &&
		field(s.who_we_are, us, "who_we_are", {hint: s.who_we_are_how, fixed: isFixed("who_we_are")}))
	return {element, read() {
		const all = [...rows.querySelectorAll("input")].map(({value}) => value.trim()).filter(Boolean)
		return {people: all.length > 0 ? all : null, who_we_are: us.value.trim() || null}
	}}
}

// makeInvites offers invites, or says that they need a password.
function makeInvites(signal) {
	const buttons = h("div.line")
	const invitation = h("div.fields-of")

	async function show() {
		const canInvite = await hasPassword()
		fill(invitation)
		fill(buttons, canInvite ? [...people, null].map(inviteButton) : needsPassword())
	}

	function inviteButton(person) {
		const words = person ? text(s.invite_person, {name: person}) : s.invite_somebody
		return h("button", words, {type: "button", click: () => attempt(() => invite(person, words))})
	}

	async function invite(person, words) {
		try {
			const body = JSON.stringify(person ? {person} : {})
			const {data: {url, until}} = await call("invites", {method: "POST", body, signal})
			const goodUntil = text(s.invite_until, {time: nearDay(until)})
			const why = await onlyHere(url) // on another device, localhost is that device
			fill(invitation, h("p", words + ". " + goodUntil), why && h("p.wrong", why), linkBox(url, words, {hasCode: !why}))
			say(goodUntil)
		} catch (error) {
			if (error.status !== 409) throw error
			fill(invitation)
			fill(buttons, needsPassword())
		}
	}

	addEventListener("password", show, {signal})
	show()
	return [h("h3", s.invite), h("p.soft", s.invite_how), buttons, invitation]
}

const needsPassword = () => h("p", s.invite_needs, " ", h("a", s.set_password, {href: "#/settings/access"}))
