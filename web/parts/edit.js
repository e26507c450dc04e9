// Corrections: "Edit" turns the facts of a flat into fields. The service keeps what the listing says about a
// corrected field, until an import says something new about it.

import {corrections} from "../lib/api.js"
import {fill, h, swap, webURL} from "../lib/dom.js"
import {currencyOf, keyOf, paidMonthly, paidOnce, plainNumbers} from "../lib/fields.js"
import {flats, getFlat, onChange} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {linksOf} from "../lib/links.js"
import {same} from "../lib/queue.js"
import {store, stored} from "../lib/storage.js"
import {fieldInWords, fieldsInWords, labelOf, shortened, title} from "../words/flats.js"
import {currencyIn, inField, parseNumber, t, text} from "../words/format.js"
import {changeAll} from "./decisions.js"
import {icon} from "./icons.js"
import {allFacts} from "./listing.js"

const name = "flats.edits" // in the tab's storage

// fields has the fields that can be changed, in their order in the form, with the attributes of their controls, or the
// choices of a select. link is the first of the flat's urls.
const amount = {inputmode: "decimal"}
const utilities = {choices: ["", "included", "excluded"]}
const others = Object.fromEntries([...paidMonthly, ...paidOnce, ...plainNumbers].map(name => [name, amount]))
const fields = {title: {}, cost: amount, currency: {}, utilities, ...others, location: {}, service_postal_code: {},
	phone: {type: "tel"}, link: {inputmode: "url"}, text: {}}

// editable returns a function that makes the facts of a flat, with the button that turns them into fields. They are
// kept up to date until the signal aborts: editable calls redraw when facts have changed, and the view then makes
// them again.
export function editable(id, signal, redraw) {
	let element, asked
	let form = null // the one that is open

	function make() {
		const button = h("button.edit", icon("edit"), {label: t.edit, title: t.edit, click: edit})
		element = h("div.editable", h("div.line", allFacts(flats.get(id)), button), h("ul.corrected"))
		ask()
		if (drafts().has(id)) open()
		return element
	}

	// ask requests what was corrected, and marks it, unless it is called again first. If the request fails, nothing is
	// marked.
	function ask() {
		const list = element.querySelector(".corrected")
		const mine = asked = corrections(id, signal).catch(() => ({said: {}}))
		mine.then(({said, code}) => mine === asked && fill(list, marks(withCode(flats.get(id), code), withLinkOf(said))))
	}

	async function open() {
		const {said, code} = await asked
		if (signal.aborted || !element.isConnected) return
		form = makeForm(withCode(flats.get(id), code), withLinkOf(said), drafts().get(id), close)
		drafts().delete(id)
		element = swap(element, form.element)
	}

	async function edit() {
		drafts().set(id, {}) // if the facts are made anew meanwhile, the fields open in these
		await open()
		element.querySelector("input")?.focus()
	}

	function close() {
		drafts().delete(id)
		storeDrafts()
		if (signal.aborted) return
		form = null
		redraw()
		element.querySelector("button").focus({preventScroll: true})
	}

	// The corrections may change although no fact does, so this asks after each update. Open fields are not touched.
	function follow(flat, before) {
		if (keyOf(flat) !== id || form) return
		const differs = name => JSON.stringify(flat[name]) !== JSON.stringify(before?.[name])
		if (["urls", ...Object.keys(fields)].some(differs)) redraw()
		else ask()
	}

	function keepDraft() {
		const draft = form?.typed()
		if (draft) drafts().set(id, draft)
		storeDrafts()
	}

	onChange(follow, signal)
	for (const type of ["visibilitychange", "pagehide"]) addEventListener(type, keepDraft, {signal})
	signal.addEventListener("abort", keepDraft)
	return make
}

// drafts has what was typed and not saved, by the id of the flat, also before a reload.
const drafts = () => kept.edits ??= new Map(stored(name, "sessionStorage"))
const storeDrafts = () => store(name, drafts().size > 0 ? [...drafts()] : null, "sessionStorage")

// withCode returns a flat with its postal code as text, and its link. The flat has the code only if the service knows
// it; code is what corrections returned.
const withCode = (flat, code) => withLinkOf({...flat, urls: flat.urls,
	service_postal_code: flat.service_postal_code?.postal_code ?? code ?? null})

// withLinkOf returns the fields of a flat or of a listing with the link, if they have urls.
const withLinkOf = fields => ("urls" in fields ? {...fields, link: linksOf(fields)[0] ?? null} : fields)

// askNow returns {flat, said}: a flat as the service has it now, and what the listing says about corrected fields.
async function askNow(id) {
	const {said, code} = await corrections(id)
	return {flat: withCode(await getFlat(id, null, {online: true}), code), said: withLinkOf(said)}
}

// withLink returns the members that set a flat's link: its urls, with the others that it has, or those of the listing
// if the link is the listing's.
function withLink({link, ...set}, flat, said) {
	if (link === undefined) return set
	if ("urls" in said && link === said.link) return {...set, urls: said.urls}
	const [, ...others] = [flat.urls ?? []].flat()
	return {...set, urls: [link, ...others].filter(Boolean)}
}

// marks makes a line for each corrected field, with the value of the flat and that of the listing.
const marks = (flat, said) => Object.keys(fields).filter(name => name in said).map(name =>
	h("li", `${labelOf(name)}: ${valueOf(name, flat)} `, h("span.tag", t.corrected), " ", saidInWords(name, flat, said)))

// valueOf writes a field of a flat; of a text only the beginning.
function valueOf(name, flat) {
	const words = fieldInWords(name, flat)
	return (name === "text" ? shortened(words) : words) || t.nothing
}

// saidInWords writes what the listing says about a corrected field.
const saidInWords = (name, flat, said) => text(t.listing_says, {value: valueOf(name, {...flat, ...said})})

// makeForm makes the fields of a flat, filled from a draft if there is one, and returns {element, typed}. typed
// returns the draft of the current fields, or null if nothing was typed. The form calls close when it is saved or
// cancelled. A field with a draft is compared with the value that it had when the draft was begun.
function makeForm(now, said, draft, close) {
	const flat = {...now, ...Object.fromEntries(Object.entries(draft ?? {}).map(([name, {value}]) => [name, value]))}
	const controls = Object.keys(fields).map(name => makeControl(name, flat, said, draft?.[name]))
	let saving = false
	const form = h("form.panel.editing", {label: t.edit, novalidate: "", autocomplete: "off", submit, keydown},
		controls.map(control => control.element),
		h("div.line", h("button.primary", t.save_facts, h("kbd", "↵", {"aria-hidden": "true"})),
			h("button", t.cancel, {type: "button", click: close})))
	form.elements.cost.addEventListener("change", takeCurrency)

	// changed returns the members to send: those that were changed.
	const changed = () => Object.fromEntries(controls.map(({name, read}) => [name, read()])
		.filter(([, value]) => value !== undefined))

	async function submit(event) {
		event.preventDefault()
		if (saving) return
		const wrong = controls.filter(control => !control.check())
		if (wrong.length > 0) return wrong[0].input.focus()
		const typed = changed()
		if (Object.keys(typed).length === 0) return close()
		saving = true // until then, another press is ignored
		const set = withLink(typed, flat, said)
		await changeAll([[keyOf(flat), set, () => prepare(typed)]], `${title(flat)}: ${fieldsInWords(set, flat)}`, close)
		saving = false
	}

	// prepare returns the fields to set in the flat of now, in words which values they replace that the form did not know,
	// and what undoes it.
	async function prepare(typed) {
		const before = await askNow(keyOf(flat))
		const set = withLink(typed, before.flat, before.said)
		const others = Object.keys(typed)
			.filter(name => ![flat, typed].some(known => same(known[name], before.flat[name])))
		return {set, others: others.map(name => fieldsInWords({[name]: before.flat[name]}, before.flat)),
			restored: () => restored(set, before)}
	}

	// Escape closes the form, but does not discard what was typed.
	function keydown(event) {
		if (event.key !== "Escape") return
		event.stopPropagation()
		if (Object.keys(changed()).length === 0) close()
	}

	// takeCurrency fills in the currency if the cost was pasted with one.
	function takeCurrency({target}) {
		const code = currencyIn(target.value)
		const {currency} = form.elements
		if (code && currencyOf({currency: currency.value}) !== code) currency.value = code
	}

	function typed() {
		const all = controls.map(control => [control.name, control.typed()]).filter(([, value]) => value)
		return all.length > 0 ? Object.fromEntries(all) : null
	}

	return {element: form, typed}
}

// restored returns the members that undo a change of what was there before. A field that was not corrected then gets
// what the listing says now, which ends its correction. What an import has said in the meantime stays.
async function restored(set, before) {
	const now = await askNow(keyOf(before.flat))
	const isKept = name => name in before.said || !["text", "urls"].includes(name)
	const stands = name => name in now.said ||
		same(set[name], now.flat[name]) && (!isKept(name) || same(set[name], before.said[name]))
	const isListed = name => name in now.said && !(name in before.said)
	return Object.fromEntries(Object.keys(set).filter(stands)
		.map(name => [name, isListed(name) ? now.said[name] : before.flat[name] ?? null]))
}

// makeControl makes the control of a field and returns {name, element, input, read, check, typed}. read returns the
// value to send, or undefined if there is none; check marks what is not a number, and reports whether the field is
// valid; typed returns what was typed over a value, {text, isTicked, value}. Emptying a field does not delete its
// value: it offers a box that does.
function makeControl(name, flat, said, draft) {
	const value = flat[name]
	const isNumber = fields[name] === amount
	const isText = name === "text"
	const {choices, ...attributes} = fields[name]
	const [id, troubleID, listedID] = ["edit-", "edit-trouble-", "edit-listed-"].map(prefix => prefix + name)
	const input = h(choices ? "select" : isText ? "textarea" : "input",
		choices && [...new Set([...choices, value ?? ""])].map(choice =>
			h("option", fieldInWords(name, {[name]: choice}), {value: choice})),
		{id, name, value: inField(value), "aria-describedby": `${troubleID} ${listedID}`, ...attributes, input: show,
			change: () => check()})
	const first = input.value // as the browser has it, on one line
	let taken // the text of the field once it was set to what the listing says
	const trouble = h("p.trouble", {id: troubleID})
	const box = h("input", {type: "checkbox", checked: draft?.isTicked})
	if (draft) input.value = draft.text
	const deletion = h("label.line", box, text(t.delete_or, {value: shortened(valueOf(name, flat))}))

	function read() {
		const typed = input.value.trim()
		if (input.value === taken) return said[name]
		if (input.value === first) return undefined
		if (typed === "") return first !== "" && (choices || box.checked) ? null : undefined
		const read = isNumber ? parseNumber(typed) : typed
		return read === value ? undefined : read
	}

	function check() {
		const value = read()
		const wrong = Number.isNaN(value) ? t.unreadable : name === "link" && value && !webURL(value) && t.no_link
		input.setAttribute("aria-invalid", Boolean(wrong))
		fill(trouble, wrong)
		return !wrong
	}

	function show() {
		if (trouble.firstChild) check()
		deletion.hidden = choices || input.value.trim() !== "" || [first, taken].includes(input.value)
	}

	function takeSaid() {
		input.value = inField(said[name])
		taken = input.value
		check()
		show()
	}

	const typed = () => input.value !== first && {text: input.value, isTicked: box.checked, value}

	show()
	const listed = name in said && [h("p.soft", saidInWords(name, flat, said), {id: listedID}),
		h("button.link", t.as_listed, {type: "button", label: `${labelOf(name)}: ${t.as_listed}`, click: takeSaid})]
	const isWide = isText || name === "link"
	const element = h("div.field", {"data-wide": isWide || null}, h("label", labelOf(name), {for: id}), input, trouble,
		deletion, listed)
	return {name, element, input, read, check, typed}
}
