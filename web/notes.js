// Notes save themselves. What is typed stays in this browser until the server
// has it; nothing is overwritten unseen.

import {getFlat, keyOf, update} from "./api.js"
import {fill, h, swap} from "./dom.js"
import {t, text} from "./format.js"
import {reason} from "./notice.js"
import {store, stored} from "./state.js"

const prefix = "flats.notes."
const savers = new Map() // one for each flat: leaving the view must not stop it

function saverOf(flat) {
	const id = keyOf(flat)
	if (!savers.has(id)) savers.set(id, new Saver(id))
	const saver = savers.get(id)
	if (saver.state === "saved") saver.text = saver.base = flat.notes ?? ""
	return saver
}

/** notesOf are the notes of a flat as they were last typed here, sent or not. */
export const notesOf = flat => saverOf(flat).text

// A saver has the text and its base, what the server had when typing began. Its
// state is saved, saving, kept or conflict.
class Saver {
	constructor(id) {
		const draft = stored(prefix + id)
		Object.assign(this, {id, state: "saved"}, draft)
		if (draft) this.become("saving", 0)
	}

	show() {} // an editor's own takes its place

	// become may save again after a while.
	become(state, wait) {
		this.state = state
		this.show()
		clearTimeout(this.timer)
		if (wait != null) this.timer = setTimeout(() => this.save(), wait)
	}

	type(text) {
		this.text = text
		store(prefix + this.id, {text, base: this.base})
		if (this.state !== "conflict") this.become("saving", 700)
	}

	async save() {
		if (this.busy) return // what was typed meanwhile follows
		this.busy = true
		await this.send(this.text).catch(error => this.failed(error))
		this.busy = false
	}

	async send(text) {
		this.theirs = (await getFlat(this.id, null, {kept: false})).notes ?? ""
		if (this.theirs !== this.base && this.theirs !== text) return this.become("conflict")
		if (this.theirs !== text) await update(this.id, {notes: text}, {match: true})
		this.base = text
		if (this.text !== text) return this.type(this.text)
		store(prefix + this.id, null)
		this.become("saved")
	}

	// Another answer than these will be the same next time. With 412 the flat has
	// changed between the two requests.
	failed(error) {
		this.trouble = reason(error)
		this.become("kept", [0, 412].includes(error.status) || error.status >= 500 ? 3_000 : null)
	}
}

// Drafts that an earlier visit could not send go out now.
try {
	for (const name in localStorage) if (name.startsWith(prefix)) saverOf({id: name.slice(prefix.length)})
} catch {/* none */}

/** editor makes the controls. */
export function editor(flat, signal) {
	const saver = saverOf(flat)
	const input = h("textarea#notes", {value: saver.text, input: () => write(input.value),
		keydown: ({key}) => key === "Escape" && input.blur()}) // gives the single keys back
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
	// Their version has been read, and what is chosen takes its place.
	const settle = (word, choice) => h("button", word, {click: () => {
		saver.base = saver.theirs
		saver.become("saving")
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

// The lines "- [ ] …" of notes, each with the notes as they are when it is turned.
const boxesOf = notes => [...notes.matchAll(box)].map(({0: line, 1: sign, 2: text, index}) => {
	const at = index + line.indexOf("[") + 1
	return {text, ticked: sign !== " ", turned: notes.slice(0, at) + (sign === " " ? "x" : " ") + notes.slice(at + 1)}
})

/** hints are the first line of notes, and how far their checklist is. */
export function hints(notes) {
	const boxes = boxesOf(notes)
	const done = boxes.filter(({ticked}) => ticked).length
	const [words] = notes.replace(box, "").trim().split("\n")
	return [words, boxes.length > 0 && text(t.ticked, {done, all: boxes.length})].filter(Boolean).join(" · ")
}

/** onPaper is notes as they are printed: the boxes are for a pen. */
export const onPaper = notes => notes.replace(box, (_, sign, text) => (sign === " " ? "☐ " : "☑ ") + text)
