// The section "People": the names of those who hunt together.

import {fill, h} from "../../lib/dom.js"
import {me, people} from "../../lib/people.js"
import {isFixed, setting} from "../../lib/settings.js"
import {t, text} from "../../words/format.js"
import {s} from "../../words/settings.js"
import {field} from "../form.js"
import {askWho} from "../who.js"

const most = 8

export const peopleSection = {
	keys: ["people"],
	draw,
	watch(state) {
		const load = () => fill(state, report())
		load()
		return {load}
	},
}

const report = () => [h("p", people.length > 0 ? people.join(", ") : s.no_people), people.length > 0 &&
	h("p.line", me() ? text(t.you_are, {name: me()}) : t.who, h("button", s.change_me, {click: () => askWho()}))]

function draw(changed) {
	const fixed = isFixed("people") && "quiet"
	const names = setting("people") ?? []
	const rows = h("div.rowed", [...names, ...names.length < 2 ? ["", ""].slice(names.length) : []].map(nameField))

	function nameField(value) {
		const input = h("input", {value, autocomplete: "off", maxlength: 100})
		return field(s.person_name, input, "people", {fixed})
	}

	function addName() {
		const row = nameField("")
		rows.append(row)
		row.querySelector("input").focus()
		more.hidden = rows.childElementCount >= most
		changed()
	}

	const isFull = Boolean(fixed) || names.length >= most
	const more = h("button", s.another_person, {type: "button", hidden: isFull, click: addName})
	const element = h("div.fields-of", h("p.soft", fixed ? s.fixed : s.people_how), rows, more)
	return {element, read() {
		const all = [...rows.querySelectorAll("input")].map(({value}) => value.trim()).filter(Boolean)
		return {people: all.length > 0 ? all : null}
	}}
}
