// Add: a flat by its link, or by the copied text of its listing. It exports show, as all views do (see app.js). What is
// typed is stored as a draft (parts/drafts.js) until the service has it.

import {isLost} from "../lib/api.js"
import {fill, h, later} from "../lib/dom.js"
import {keyOf} from "../lib/fields.js"
import {webLink} from "../lib/links.js"
import {flatHash, hashOf} from "../lib/state.js"
import {addDraft, addLater, commonCurrency, placeWithCode, positionIn, tellAdded} from "../parts/adding.js"
import {askLink, flatOf} from "../parts/asklink.js"
import {countNews} from "../parts/bar.js"
import {makeBookmarklet} from "../parts/bookmarklet.js"
import {allDrafts, contentOf, dropDraft, isEmpty, isOnlyLink, isRead, keepDraft, keepGiven, keepTyped, nameOf,
	newestDraft, readDraft, replacedBy, unsureIn} from "../parts/drafts.js"
import {failed, showDecision} from "../parts/notice.js"
import {title} from "../words/flats.js"
import {count, inField, money, parseNumber, squareMetres, t} from "../words/format.js"

// show fills root with the form and the bookmarklet. If the address has data of a listing, show makes a draft of them
// and removes them from the address.
export function show(root, route, signal) {
	const [, given] = location.hash.split(/\?(.*)/s)
	if (given !== undefined) {
		keepGiven(new URLSearchParams(given))
		history.replaceState(null, "", hashOf("add"))
	}
	const form = new Form(signal)
	fill(root, h("h1", t.add), form.element, makeBookmarklet())
	form.draw({opens: given !== undefined}) // opens the flat if only the link of a known one is given
	if (isEmpty(form.draft)) form.paste.focus({preventScroll: true})
}

const amount = {inputmode: "decimal"}

// labels has the fields in order with their labels, attributes the attributes of their controls.
const labels = {link: t.link, title: t.title, cost: t.cost, currency: t.currency, area: t.area, rooms: t.rooms,
	code: t.code, place: t.place, phone: t.phone, text: t.text, details: t.details, gps: t.position, photos: t.photos}
const attributes = {link: {inputmode: "url"}, cost: amount, area: amount, rooms: amount, phone: {type: "tel"}}
const wide = {"data-wide": ""}
const textFields = ["text", "details", "photos"] // of several lines
const wideFields = ["link", "title", "place", "gps", ...textFields]
const rareFields = ["details", "gps", "photos"] // hidden while empty
const wantedFields = ["cost", "area", "rooms", "code", "place"] // say "not found" if the text does not have them
const isAmount = field => attributes[field] === amount

// A Form shows a draft. known is the existing flat with the same link, if any. lastAsked is {value, flat}, the link
// that was last looked up and the promise of its flat, or null after a failure. isReplaced is true while a paste
// replaces the whole text.
class Form {
	constructor(signal) {
		Object.assign(this, {signal, controls: {}, known: null, isReplaced: false})
		this.paste = h("textarea", {spellcheck: "false", maxlength: 100_000})
		for (const field in labels) {
			const tag = textFields.includes(field) ? "textarea" : "input"
			this.controls[field] = h(tag, {name: field, autocomplete: "off", ...attributes[field]})
		}
		this.knownNote = h("p.known", {role: "status"}) // says that the link is of a known flat
		this.unsaved = h("p.wrong", {role: "status"})
		this.others = h("div.line")
		this.button = h("button.primary", t.add)
		this.card = h("div.becomes", {"aria-hidden": "true"}) // the fields as a row of the list will show them
		this.byHand = h("button.link", t.by_hand, {type: "button", click: () => {
			this.element.classList.remove("bare")
			this.controls.link.focus()
		}})
		this.findKnownSoon = later(() => this.findKnown(), 400) // after typing a link
		this.readSoon = later(() => this.read(), 150) // after typing a text
		this.readLater = later(() => { // after a failure
			if (!signal.aborted) this.read()
		}, 5_000)
		addEventListener("online", () => this.read(), {signal})
		addEventListener("waiting", () => this.drawOthers(), {signal}) // a waiting draft may have been sent
		this.currency = commonCurrency() // promises the code
		const submit = event => {
			event.preventDefault()
			this.save()
		}
		const beforeinput = ({target, inputType}) => {
			const {selectionStart, selectionEnd, value} = this.paste
			const isWhole = selectionStart === 0 && selectionEnd === value.length
			this.isReplaced = target === this.paste && inputType === "insertFromPaste" && isWhole
		}
		this.element = h("form", {submit, beforeinput, input: event => this.takeInput(event)},
			this.others, h("div.paste", h("label.field", t.paste, this.paste), this.knownNote, this.unsaved,
				this.byHand),
			h("div.editing", Object.entries(this.controls).map(([field, control]) =>
				h("label.field", labels[field], control, wideFields.includes(field) && wide))),
			this.card, h("div.line.decision", this.button,
				h("button", t.clear_fields, {type: "button", click: () => this.clear()})))
	}

	// draw shows the newest draft, and buttons for the others. With opens, a link to a known flat opens that flat. The
	// form is reset first, because after a submit the browser would mark invalid fields of this draft.
	draw({opens} = {}) {
		this.element.reset()
		this.draft = newestDraft()
		this.paste.value = this.draft.pasted
		fill(this.unsaved)
		this.refill()
		this.drawOthers()
		this.read({opens})
	}

	// drawOthers shows the buttons for the other drafts.
	drawOthers() {
		const others = allDrafts().filter(({id}) => id !== this.draft.id)
		const bring = draft => {
			keepDraft({...draft, waits: undefined})
			this.draw()
		}
		fill(this.others, others.length > 0 && [t.unsaved, others.map(draft =>
			h("button", nameOf(draft), {type: "button", click: () => bring(draft)}))])
	}

	// shows reports whether the form still shows a draft, and not another one or none because the view was left.
	shows(draft) {
		return !this.signal.aborted && draft.id === this.draft.id
	}

	// read asks the service to read the text, shows the result, and checks whether the link is known. Without a network
	// the text is read later.
	async read({opens} = {}) {
		const {draft, signal} = this
		const wasRead = isRead(draft)
		try {
			await readDraft(draft, signal)
		} catch (error) {
			if (!this.shows(draft)) return
			fill(this.unsaved, isLost(error) ? t.read_later : error.message)
			this.unsaved.className = isLost(error) ? "soft" : "wrong"
			if (isLost(error)) this.readLater()
			return
		}
		if (!this.shows(draft) || !isRead(draft)) return
		if (!wasRead) {
			fill(this.unsaved)
			this.refill()
		}
		await this.findKnown({opens})
	}

	// refill fills the fields from the draft. While the draft is empty, only the field for the text is shown.
	refill() {
		const content = contentOf(this.draft)
		const unsure = unsureIn(this.draft)
		this.element.classList.toggle("bare", isEmpty(this.draft))
		const isSearched = this.draft.pasted.trim() !== "" && isRead(this.draft) && !isOnlyLink(this.draft)
		for (const [field, control] of Object.entries(this.controls)) {
			control.value = inField(content[field], 2)
			control.closest("label").hidden = rareFields.includes(field) && !control.value
			control.closest("label").toggleAttribute("data-unsure", unsure.includes(field))
			control.placeholder = isSearched && wantedFields.includes(field) ? t.not_found : ""
		}
		this.completeCurrency()
		this.check()
	}

	// completeCurrency fills in the currency of a cost if neither the text nor the user has said it: the known flat's, or
	// the most common one. Without a cost it empties the field.
	async completeCurrency() {
		const code = this.known?.currency || await this.currency
		const {cost, currency} = this.controls
		const isSaid = (contentOf(this.draft).currency ?? this.draft.edited.currency) !== undefined
		if (!isSaid && currency !== document.activeElement) currency.value = cost.value.trim() ? code : ""
		this.showCard()
	}

	// check marks fields with invalid input, and updates the card.
	check() {
		this.showCard()
		const {link, title, gps} = this.controls
		gps.setCustomValidity(gps.value.trim() && !positionIn(gps.value) ? t.no_position : "")
		for (const [field, control] of Object.entries(this.controls)) {
			if (isAmount(field)) control.setCustomValidity(Number.isNaN(parseNumber(control.value)) ? t.unreadable : "")
		}
		const address = link.value.trim()
		const isMissing = !address && !title.value.trim() && isRead(this.draft)
		const isWrong = address && !webLink(address)
		link.setCustomValidity(isMissing && t.want_link || isWrong && t.no_link || "")
	}

	// showCard shows the flat as the list will show it.
	showCard() {
		const value = field => this.controls[field].value.trim()
		const [cost, area, rooms] = ["cost", "area", "rooms"].map(field => parseNumber(value(field)))
		const facts = [cost > 0 && money(cost, value("currency")), area > 0 && squareMetres(area),
			rooms > 0 && count(t.n_rooms, rooms)].filter(Boolean).join(" · ")
		const where = placeWithCode(value("place"), value("code"))
		fill(this.card, h("b", value("title") || value("link")), h("p", facts), h("p.soft", where))
		this.card.hidden = !value("title") && !value("link")
	}

	// takeInput handles input, which is typed, or comes at once by paste, drop or completion. Only a link that comes at
	// once opens its flat.
	takeInput({target, inputType}) {
		const {draft, paste} = this
		if (target === paste && this.isReplaced) return this.replace(paste.value)
		this.element.classList.remove("bare")
		target.closest("label").removeAttribute("data-unsure") // the user has decided
		const before = target === paste ? draft.pasted : contentOf(draft)[target.name]
		const cameAtOnce = /Paste|Drop/.test(inputType) || !before && target.value.length > 1
		if (target === paste) draft.pasted = paste.value
		else draft.edited[target.name] = target.value
		draft.key = undefined
		keepTyped(draft)
		this.check()
		if (target.name === "cost") this.completeCurrency()
		if (target === paste) {
			if (cameAtOnce) this.read({opens: true})
			else this.readSoon()
		} else if (target.name === "link") {
			if (cameAtOnce) this.findKnown({opens: true})
			else this.findKnownSoon()
		}
	}

	// replace shows the draft that results when a paste replaces the whole text.
	async replace(pasted) {
		const draft = await replacedBy(pasted, this.draft)
		if (this.signal.aborted) return
		keepDraft(draft)
		this.draw({opens: true})
	}

	// findKnown finds out whether the link is of a known flat, and says so. With opens, it opens the known flat if the
	// draft is only a link.
	async findKnown({opens} = {}) {
		const {draft, controls: {link: {value}}} = this
		if (value !== this.lastAsked?.value) { // ask once for each link, and again after a failure
			const asking = this.askKnown(value.trim()).catch(() => {
				this.lastAsked = null
			})
			this.lastAsked = {value, flat: asking}
		}
		const flat = await this.lastAsked.flat
		if (!this.shows(draft) || value !== this.controls.link.value) return
		if (flat && opens && isOnlyLink(draft)) return this.leave(keyOf(flat))
		this.known = flat
		fill(this.button, flat ? t.update : t.add)
		const flatLink = flat && h("a", title(flat), {href: flatHash(keyOf(flat))})
		fill(this.knownNote, flat && [t.known_flat, " ", flatLink, ". ", t.known_keeps])
		this.completeCurrency()
	}

	// askKnown promises the flat with a link, or undefined.
	async askKnown(link) {
		const address = webLink(link)
		return address ? flatOf((await askLink(address, this.signal)).flatId, this.signal) : undefined
	}

	// leave drops the draft and opens a flat.
	leave(id) {
		dropDraft(this.draft)
		if (!this.signal.aborted) location.hash = flatHash(id)
	}

	// save adds the flat and opens it. Without a network the draft waits, and the form shows another draft or is empty.
	async save() {
		const {draft} = this
		this.button.disabled = true
		try {
			const added = await addDraft(draft)
			countNews().catch(() => {})
			if (added.isNew) tellAdded(added)
			this.leave(added.id)
		} catch (error) {
			const needsSignIn = error.status === 401 // then the draft stays here, below a notice with the link to sign in
			if (isLost(error) && !needsSignIn) {
				addLater(draft, () => this.showNewest()) // Undo shows the draft again: it is then the newest
				if (this.signal.aborted) return
				this.draw()
				scrollTo(0, 0)
			} else {
				failed(error, () => this.save())
				fill(this.unsaved, t.draft_kept)
				this.unsaved.className = "wrong"
			}
		}
		this.button.disabled = false
	}

	// showNewest shows the newest draft, in this view or, if the view was left, in a new one.
	showNewest() {
		if (this.signal.aborted) location.hash = hashOf("add")
		else this.draw()
	}

	// clear drops the draft; Undo restores it.
	clear() {
		const {draft} = this
		if (isEmpty(draft)) return
		dropDraft(draft)
		this.draw()
		this.paste.focus()
		showDecision(t.cleared, () => {
			keepDraft(draft)
			if (!this.signal.aborted) this.draw()
		})
	}
}
