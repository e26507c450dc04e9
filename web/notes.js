// Notes save themselves. What is typed stays in this browser until the server
// has it; nothing is overwritten unseen.

import {getFlat, keyOf, update} from "./api.js"
import {reason} from "./notice.js"
import {store, stored} from "./state.js"

const prefix = "flats.notes."
const savers = new Map()

/** notesOf is what saves the notes of a flat. There is one for each flat: leaving the view must not stop it. */
export function notesOf(id, notes = "") {
	if (!savers.has(id)) savers.set(id, new Saver(id, notes))
	const saver = savers.get(id)
	if (saver.state === "saved") saver.text = saver.base = notes
	return saver
}

/** notesIn are the notes of a flat as they were last typed here, sent or not. */
export const notesIn = flat => notesOf(keyOf(flat), flat.notes ?? "").text

class Saver {
	constructor(id, notes) {
		const draft = stored(prefix + id)
		this.id = id
		this.text = draft?.text ?? notes
		this.base = draft?.base ?? notes // what the server had when typing began
		this.state = "saved" // or saving, kept (and trouble says why), conflict (with theirs)
		this.show = () => {} // called when the state changes
		if (draft) this.become("saving", 0)
	}

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

	// Another answer than these will be the same next time. A flat that changed
	// between the two requests (412) is looked at again.
	failed(error) {
		const {status} = error
		this.trouble = status === 412 ? "" : reason(error)
		this.become("kept", status === 0 || status === 412 || status >= 500 ? 3_000 : null)
	}

	/** settle ends a conflict: their version has been read, and what is typed next takes its place. */
	settle() {
		this.base = this.theirs
		this.state = "saving"
	}
}

// Drafts that an earlier visit could not send go out now.
try {
	for (const name in localStorage) if (name.startsWith(prefix)) notesOf(name.slice(prefix.length))
} catch {/* none */}

const box = /^[ \t]*[-*] \[([ xX])\] ?(.*)$/gm

/** boxesOf are the lines "- [ ] …" of notes, each with the notes as they are when it is turned. */
export const boxesOf = notes => [...notes.matchAll(box)].map(({0: line, 1: sign, 2: text, index}) => {
	const turned = line.replace(/\[.\]/, sign === " " ? "[x]" : "[ ]")
	return {text, ticked: sign !== " ", turned: notes.slice(0, index) + turned + notes.slice(index + line.length)}
})

/** wordsOf is what the notes say beside their boxes. */
export const wordsOf = notes => notes.replace(box, "").trim()

/** onPaper is notes as they are printed: the boxes are for a pen. */
export const onPaper = notes => notes.replace(box, (_, sign, text) => (sign === " " ? "☐ " : "☑ ") + text)
