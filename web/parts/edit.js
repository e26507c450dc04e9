// Corrections: "Edit" turns the facts of a flat into fields. The service remembers what the listing says about a
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

const editsKey = "flats.edits" // in sessionStorage

const amount = {inputmode: "decimal"} // the attributes of all numbers
const utilities = {choices: ["", "included", "excluded"]}
const numberFields = Object.fromEntries([...paidMonthly, ...paidOnce, ...plainNumbers].map(name => [name, amount]))

// fields has the fields of the form in order, with the attributes of their controls or the choices of a select. link is
// the first of the flat's urls.
const fields = {title: {}, cost: amount, currency: {}, utilities, ...numberFields, location: {},
	service_postal_code: {}, phone: {type: "tel"}, link: {inputmode: "url"}, text: {}}

// editable returns a function that makes the facts of a flat, with a button that turns them into fields. Until the
// signal aborts, it calls redraw when facts have changed; the view then calls the function again.
export function editable(id, signal, redraw) {
	let element
	// correctionsAsked is the promise of the last request for corrections (lib/api.js): {said, code}. said is what the
	// listing says about corrected fields, by name; code is the postal code.
	let correctionsAsked
	let form = null // what makeForm returned, while the fields are open

	// make makes the facts.
	function make() {
		const button = h("button.edit", icon("edit"), {label: t.edit, title: t.edit, click: edit})
		element = h("div.editable", h("div.line", allFacts(flats.get(id)), button), h("ul.corrected"))
		ask()
		if (drafts().has(id)) open()
		return element
	}

	// ask requests what was corrected, and lists these fields. It lists none if the request fails, or if ask is called
	// again meanwhile.
	function ask() {
		const list = element.querySelector(".corrected")
		const request = corrections(id, signal).catch(() => ({said: {}}))
		correctionsAsked = request
		request.then(({said, code}) => {
			if (request !== correctionsAsked) return
			fill(list, correctedLines(withCodeAndLink(flats.get(id), code), saidWithLink(said)))
		})
	}

	// open replaces the facts by the fields.
	async function open() {
		const {said, code} = await correctionsAsked
		if (signal.aborted || !element.isConnected) return
		form = makeForm(withCodeAndLink(flats.get(id), code), saidWithLink(said), drafts().get(id), close)
		drafts().delete(id)
		element = swap(element, form.element)
	}

	async function edit() {
		drafts().set(id, {}) // if make is called before the answer, the fields open all the same
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

	// follow updates the facts after a change. Corrections may change although no fact does. Open fields stay as they
	// are.
	function follow(flat, before) {
		if (keyOf(flat) !== id || form) return
		const differs = name => JSON.stringify(flat[name]) !== JSON.stringify(before?.[name])
		if (["urls", ...Object.keys(fields)].some(differs)) redraw()
		else ask()
	}

	// keepDraft stores the unsaved input.
	function keepDraft() {
		const draft = form?.currentDraft()
		if (draft) drafts().set(id, draft)
		storeDrafts()
	}

	onChange(follow, signal)
	for (const type of ["visibilitychange", "pagehide"]) addEventListener(type, keepDraft, {signal})
	signal.addEventListener("abort", keepDraft)
	return make
}

// drafts has the unsaved input, a draft of makeForm by the id of the flat. It outlives a reload.
const drafts = () => kept.edits ??= new Map(stored(editsKey, "sessionStorage"))
const storeDrafts = () => store(editsKey, drafts().size > 0 ? [...drafts()] : null, "sessionStorage")

// withCodeAndLink returns a flat with its postal code as text, and with its link. code is the one that corrections
// promised; the flat itself has a postal code only if the service knows it.
const withCodeAndLink = (flat, code) => ({
	...flat,
	link: firstLink(flat),
	service_postal_code: flat.service_postal_code?.postal_code ?? code ?? null,
})

// saidWithLink returns what the listing says about corrected fields, with its link if urls is one of them.
const saidWithLink = said => ("urls" in said ? {...said, link: firstLink(said)} : said)

// firstLink returns the first link in the urls of a flat or of its listing, or null.
const firstLink = fields => linksOf(fields)[0] ?? null

// askNow promises {flat, said}: the flat as the service has it, and what the listing says about corrected fields.
async function askNow(id) {
	const {said, code} = await corrections(id)
	const flat = await getFlat(id, null, {online: true})
	return {flat: withCodeAndLink(flat, code), said: saidWithLink(said)}
}

// withUrls replaces link in a change by urls: the link and the flat's other urls, or, for the listing's own link, all
// urls of the listing.
function withUrls({link, ...set}, flat, said) {
	if (link === undefined) return set
	if ("urls" in said && link === said.link) return {...set, urls: said.urls}
	const [, ...otherUrls] = [flat.urls ?? []].flat()
	return {...set, urls: [link, ...otherUrls].filter(Boolean)}
}

// correctedLines makes a line for each corrected field, with the flat's value and the listing's.
const correctedLines = (flat, said) => Object.keys(fields).filter(name => name in said).map(name =>
	h("li", `${labelOf(name)}: ${valueOf(name, flat)} `, h("span.tag", t.corrected), " ", saidInWords(name, flat, said)))

// valueOf writes the value of a field, shortened if it is the text.
function valueOf(name, flat) {
	const words = fieldInWords(name, flat)
	return (name === "text" ? shortened(words) : words) || t.nothing
}

// saidInWords writes what the listing says about a corrected field.
const saidInWords = (name, flat, said) => text(t.listing_says, {value: valueOf(name, {...flat, ...said})})

// makeForm makes the fields of a flat and returns {element, currentDraft}. loaded is the flat as the page has it. said
// is what its listing says about corrected fields. The form calls close() when it is saved or cancelled.
//
// currentDraft() returns the unsaved input, {field: {text, isTicked, value}}, or null if there is none. value is what
// the flat had when the input was begun. draft, if given, is such input, to be restored. A restored field counts as
// changed if its text differs from its value, even if the flat has got another value since.
function makeForm(loaded, said, draft, close) {
	// begun is the flat with the values that the user saw when the input was begun.
	const begun = {...loaded, ...Object.fromEntries(Object.entries(draft ?? {}).map(([name, {value}]) => [name, value]))}
	const controls = Object.keys(fields).map(name => makeControl(name, begun, said, draft?.[name]))
	let saving = false
	const form = h("form.panel.editing", {label: t.edit, novalidate: "", autocomplete: "off", submit, keydown},
		controls.map(control => control.element),
		h("div.line", h("button.primary", t.save_facts, h("kbd", "↵", {"aria-hidden": "true"})),
			h("button", t.cancel, {type: "button", click: close})))
	form.elements.cost.addEventListener("change", takeCurrency)

	// changed returns the changed fields with their values.
	const changed = () => Object.fromEntries(controls.map(({name, read}) => [name, read()])
		.filter(([, value]) => value !== undefined))

	async function submit(event) {
		event.preventDefault()
		if (saving) return
		const wrong = controls.filter(control => !control.check())
		if (wrong.length > 0) return wrong[0].input.focus()
		const edits = changed()
		if (Object.keys(edits).length === 0) return close()
		saving = true
		const set = withUrls(edits, begun, said)
		const words = `${title(begun)}: ${fieldsInWords(set, begun)}`
		await changeAll([[keyOf(begun), set, () => prepare(edits)]], words, close)
		saving = false
	}

	// prepare is called by changeAll just before the edits are sent (decisions.js). latest is the flat at this time.
	async function prepare(edits) {
		const latest = await askNow(keyOf(begun))
		const set = withUrls(edits, latest.flat, latest.said)
		const isSeen = name => [begun, edits].some(known => same(known[name], latest.flat[name]))
		const unseen = Object.keys(edits).filter(name => !isSeen(name))
		return {
			set,
			overruled: unseen.map(name => fieldsInWords({[name]: latest.flat[name]}, latest.flat)),
			undoFields: () => undoFields(set, latest),
		}
	}

	// Escape closes the form unless something was typed.
	function keydown(event) {
		if (event.key !== "Escape") return
		event.stopPropagation()
		if (Object.keys(changed()).length === 0) close()
	}

	// takeCurrency sets the currency if the cost was pasted with one.
	function takeCurrency({target}) {
		const code = currencyIn(target.value)
		const {currency} = form.elements
		if (code && currencyOf({currency: currency.value}) !== code) currency.value = code
	}

	function currentDraft() {
		const all = controls.map(control => [control.name, control.currentDraft()]).filter(([, fieldDraft]) => fieldDraft)
		return all.length > 0 ? Object.fromEntries(all) : null
	}

	return {element: form, currentDraft}
}

// undoFields promises the fields that undo the change set. atChange is what askNow promised just before the change. A
// field that was not corrected before the change gets what the listing says now, which ends the correction. Fields that
// an import has changed since are left out.
async function undoFields(set, atChange) {
	const latest = await askNow(keyOf(atChange.flat))
	const isCorrected = name => name in latest.said
	// A change to what the listing says ends a correction.
	const isAsListed = name => same(set[name], atChange.said[name]) && same(set[name], latest.flat[name])
	const wasCorrected = name => name in atChange.said
	const isNewlyCorrected = name => isCorrected(name) && !wasCorrected(name)
	const valueBefore = name => (isNewlyCorrected(name) ? latest.said[name] : atChange.flat[name] ?? null)
	return Object.fromEntries(Object.keys(set).filter(name => isCorrected(name) || isAsListed(name))
		.map(name => [name, valueBefore(name)]))
}

// makeControl makes the control of a field and returns {name, element, input, read, check, currentDraft}. read()
// returns the value to send, or undefined if it is unchanged. check() reports whether the input is valid, and marks
// invalid input. currentDraft() returns the draft of the field, {text, isTicked, value}, as of makeForm, or false.
// Emptying a field does not delete its value; it shows a checkbox for that.
function makeControl(name, flat, said, draft) {
	const value = flat[name]
	const isNumber = fields[name] === amount // all numbers have this one object
	const isText = name === "text"
	const {choices, ...attributes} = fields[name]
	const id = "edit-" + name
	const troubleID = "edit-trouble-" + name
	const listedID = "edit-listed-" + name
	const textTag = isText ? "textarea" : "input"
	const input = h(choices ? "select" : textTag,
		choices && [...new Set([...choices, value ?? ""])].map(choice =>
			h("option", fieldInWords(name, {[name]: choice}), {value: choice})),
		{id, name, value: inField(value), "aria-describedby": `${troubleID} ${listedID}`, ...attributes, input: show,
			change: () => check()})
	const initial = input.value // an input has no line breaks, which value may have
	let asListed // the text that "as listed" has entered, if it was pressed
	const trouble = h("p.trouble", {id: troubleID})
	const box = h("input", {type: "checkbox", checked: draft?.isTicked})
	if (draft) input.value = draft.text
	const deletion = h("label.line", box, text(t.delete_or, {value: shortened(valueOf(name, flat))}))

	function read() {
		const entered = input.value.trim()
		if (input.value === asListed) return said[name] // even if it is initial: that ends the correction
		if (input.value === initial) return undefined
		const isDeleted = initial !== "" && (choices || box.checked) // a select has an empty choice, and no checkbox
		if (entered === "") return isDeleted ? null : undefined
		const parsed = isNumber ? parseNumber(entered) : entered
		return parsed === value ? undefined : parsed
	}

	function check() {
		const next = read()
		let wrong = ""
		if (Number.isNaN(next)) wrong = t.unreadable
		else if (name === "link" && next && !webURL(next)) wrong = t.no_link
		input.setAttribute("aria-invalid", wrong !== "")
		fill(trouble, wrong)
		return wrong === ""
	}

	// show shows the checkbox that deletes the value if the field is empty.
	function show() {
		if (trouble.firstChild) check()
		const isEmptied = input.value.trim() === "" && ![initial, asListed].includes(input.value)
		deletion.hidden = choices || !isEmptied
	}

	// takeSaid fills in what the listing says.
	function takeSaid() {
		input.value = inField(said[name])
		asListed = input.value
		check()
		show()
	}

	const currentDraft = () => input.value !== initial && {text: input.value, isTicked: box.checked, value}

	show()
	const listed = name in said && [h("p.soft", saidInWords(name, flat, said), {id: listedID}),
		h("button.link", t.as_listed, {type: "button", label: `${labelOf(name)}: ${t.as_listed}`, click: takeSaid})]
	const isWide = isText || name === "link"
	const element = h("div.field", {"data-wide": isWide || null}, h("label", labelOf(name), {for: id}), input, trouble,
		deletion, listed)
	return {name, element, input, read, check, currentDraft}
}
