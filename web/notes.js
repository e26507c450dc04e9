// Notes save themselves. What is typed is kept in this browser until the service has it, and notes that
// were changed elsewhere are never overwritten unseen.
//
// editor makes the field for a flat's notes; notesOf, hints and onPaper are for views that show them.
// Loading the module sends what was not saved when the page was last left.

import {getFlat, keyOf, update} from "./api.js"
import {fill, h, swap} from "./dom.js"
import {t, text} from "./format.js"
import {reason} from "./notice.js"
import {store, stored} from "./state.js"

const prefix = "flats.notes."
const savers = new Map() // by the id of the flat; they go on when the view is left

// saverOf returns the saver of a flat's notes. One that has nothing to save takes the notes of the flat.
function saverOf(flat) {
	const id = keyOf(flat)
	if (!savers.has(id)) savers.set(id, new Saver(id))
	const saver = savers.get(id)
	if (saver.state === "saved") saver.text = saver.base = saver.theirs = flat.notes ?? ""
	return saver
}

// notesOf returns a flat's notes as they were last typed here, whether they are saved or not.
export const notesOf = flat => saverOf(flat).text

// A Saver saves the notes of one flat. It has the text as typed here; its base, which the service had
// when typing began; theirs, which the service has by now; and trouble, why it could not be saved.
class Saver {
	constructor(id) {
		const draft = stored(prefix + id)
		Object.assign(this, {id, theirs: draft?.base}, draft)
		if (draft) this.save()
	}

	show() {} // called when the state changes; an editor sets its own

	// state is "saved"; "saving"; "kept" in this browser, because of trouble; or "conflict", if the
	// notes were changed to something else elsewhere.
	get state() {
		if (this.text === this.base) return "saved"
		if (this.trouble) return "kept"
		return [this.base, this.text].includes(this.theirs) ? "saving" : "conflict"
	}

	// type takes what was typed, and saves it once typing pauses.
	type(text) {
		this.text = text
		this.keep()
		this.show()
		if (this.state !== "conflict") this.saveIn(700)
	}

	// keep keeps a draft in this browser, until it is saved.
	keep() {
		const {id, text, base} = this
		store(prefix + id, text === base ? null : {text, base})
	}

	saveIn(milliseconds) {
		clearTimeout(this.timer)
		this.timer = setTimeout(() => this.save(), milliseconds)
	}

	// save asks what the service has, and sends the text only if that is still its base.
	async save() {
		if (this.busy) return this.saveIn(700)
		this.busy = true
		this.trouble = ""
		try {
			this.theirs = (await getFlat(this.id, null, {kept: false})).notes ?? ""
			const {state, text} = this
			if (state === "saving") {
				if (text !== this.theirs) await update(this.id, {notes: text}, {match: true})
				this.theirs = this.base = text
				this.keep()
			}
		} catch (error) {
			this.trouble = reason(error)
			// 412 says that the flat has changed between the two requests. Other errors below 500 would
			// come again: the next letter that is typed tries again.
			if ([0, 412].includes(error.status) || error.status >= 500) this.saveIn(3_000)
		}
		this.busy = false
		this.show()
	}
}

// Send the drafts that were not saved last time.
try {
	for (const name in localStorage) if (name.startsWith(prefix)) saverOf({id: name.slice(prefix.length)})
} catch {/* this browser allows no storage */}

// editor makes the field for a flat's notes, its checklist, and what there is to say of their saving.
export function editor(flat, signal) {
	const saver = saverOf(flat)
	const input = h("textarea#notes", {value: saver.text, input: () => write(input.value),
		keydown: ({key}) => key === "Escape" && input.blur()}) // single keys act again outside the field
	const add = h("button", t.add_checklist, {click: () =>
		write([input.value.trimEnd(), ...t.checklist.map(item => "- [ ] " + item)].filter(Boolean).join("\n"))})
	const state = h("p#saved", {role: "status"})
	const versions = h("div.versions")
	const paper = h("p.sheet")
	let boxes = h("ul.boxes")

	function write(text) {
		input.value = text
		saver.type(text)
		show()
	}
	function show() {
		const all = boxesOf(input.value)
		add.hidden = all.some(({text}) => t.checklist.includes(text))
		boxes = swap(boxes, h("ul.boxes", all.map(({text, ticked, turned}) => h("li", h("label",
			h("input", {type: "checkbox", checked: ticked, change: () => write(turned)}), h("span", text))))))
		fill(paper, onPaper(input.value))
	}
	// settle makes a button for a conflict. The other version has been seen: the choice may replace it.
	const settle = (word, choice) => h("button", word, {click: () => {
		saver.base = saver.theirs
		write(choice())
		input.focus()
	}})
	saver.show = () => {
		const {state: is, theirs, trouble} = saver
		fill(state, t["notes_" + is], is === "kept" && " " + trouble)
		fill(versions, is === "conflict" && [h("p", theirs || "–"),
			settle(t.keep_both, () => `${theirs}\n\n${saver.text}`), settle(t.keep_yours, () => saver.text),
			settle(t.keep_theirs, () => theirs)])
	}
	if (saver.state !== "saved") saver.show()
	show()
	signal.addEventListener("abort", () => delete saver.show)
	return h("div.notes", h("label", t.notes, {for: "notes"}), boxes, input, paper, h("div.line", add, state), versions)
}

const box = /^[ \t]*[-*] \[([ xX])\] ?(.*)$/gm

// boxesOf returns the boxes of a checklist, which are lines "- [ ] …": {text, ticked, turned}. turned has
// the whole notes as they are after a press on the box.
const boxesOf = notes => [...notes.matchAll(box)].map(({0: line, 1: sign, 2: text, index}) => {
	const at = index + line.indexOf("[") + 1
	return {text, ticked: sign !== " ", turned: notes.slice(0, at) + (sign === " " ? "x" : " ") + notes.slice(at + 1)}
})

// hints returns the first line of notes, and how many boxes are ticked.
export function hints(notes) {
	const boxes = boxesOf(notes)
	const done = boxes.filter(({ticked}) => ticked).length
	const [words] = notes.replace(box, "").trim().split("\n")
	return [words, boxes.length > 0 && text(t.ticked, {done, all: boxes.length})].filter(Boolean).join(" · ")
}

// onPaper returns notes with boxes that one can tick with a pen.
export const onPaper = notes => notes.replace(box, (_, sign, text) => (sign === " " ? "☐ " : "☑ ") + text)
