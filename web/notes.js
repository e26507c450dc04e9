// Notes save themselves: what is typed stays here until the server has it, and nothing is overwritten unseen.

import {getFlat, keyOf, update} from "./api.js"
import {fill, h, swap} from "./dom.js"
import {t, text} from "./format.js"
import {reason} from "./notice.js"
import {store, stored} from "./state.js"

const prefix = "flats.notes."
const savers = new Map() // by flat: leaving the view must not stop them

function saverOf(flat) {
	const id = keyOf(flat)
	if (!savers.has(id)) savers.set(id, new Saver(id))
	const saver = savers.get(id)
	if (saver.state === "saved") saver.text = saver.base = saver.theirs = flat.notes ?? ""
	return saver
}

// Notes as they were last typed here, sent or not.
export const notesOf = flat => saverOf(flat).text

// A saver has the text; its base: what the server had when typing began; theirs: what it has by
// now; and the trouble that keeps the text here.
class Saver {
	constructor(id) {
		const draft = stored(prefix + id)
		Object.assign(this, {id, theirs: draft?.base}, draft)
		if (draft) this.save()
	}

	show() {} // an editor's own takes its place

	get state() {
		if (this.text === this.base) return "saved"
		if (this.trouble) return "kept"
		return [this.base, this.text].includes(this.theirs) ? "saving" : "conflict"
	}

	type(text) {
		this.text = text
		this.keep()
		this.show()
		if (this.state !== "conflict") this.saveIn(700)
	}

	keep() {
		const {id, text, base} = this
		store(prefix + id, text === base ? null : {text, base})
	}

	saveIn(milliseconds) {
		clearTimeout(this.timer)
		this.timer = setTimeout(() => this.save(), milliseconds)
	}

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
			// 412: it changed between the two requests. Other answers will be the same next time.
			if ([0, 412].includes(error.status) || error.status >= 500) this.saveIn(3_000)
		}
		this.busy = false
		this.show()
	}
}

try {
	for (const name in localStorage) if (name.startsWith(prefix)) saverOf({id: name.slice(prefix.length)})
} catch {/* none */}

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
	// Their version has been seen: what is chosen may take its place.
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

// Lines "- [ ] …", each with the notes as they are when it is turned.
const boxesOf = notes => [...notes.matchAll(box)].map(({0: line, 1: sign, 2: text, index}) => {
	const at = index + line.indexOf("[") + 1
	return {text, ticked: sign !== " ", turned: notes.slice(0, at) + (sign === " " ? "x" : " ") + notes.slice(at + 1)}
})

// The first line, and how far the checklist is.
export function hints(notes) {
	const boxes = boxesOf(notes)
	const done = boxes.filter(({ticked}) => ticked).length
	const [words] = notes.replace(box, "").trim().split("\n")
	return [words, boxes.length > 0 && text(t.ticked, {done, all: boxes.length})].filter(Boolean).join(" · ")
}

// Printed boxes are for a pen.
export const onPaper = notes => notes.replace(box, (_, sign, text) => (sign === " " ? "☐ " : "☑ ") + text)
