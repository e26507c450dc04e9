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
export function notesIn(flat) {
	const saver = savers.get(keyOf(flat))
	return saver && saver.state !== "saved" ? saver.text : flat.notes ?? ""
}

class Saver {
	constructor(id, notes) {
		const draft = stored(prefix + id)
		this.id = id
		this.text = draft?.text ?? notes
		this.base = draft?.base ?? notes // what the server had when typing began
		this.state = "saved" // or waiting, saving, kept (and trouble says why), conflict (with theirs)
		this.tries = 0
		this.show = () => {} // called when any of this changes
		if (draft) this.soon(0)
	}

	type(text) {
		this.text = text
		store(prefix + this.id, {text, base: this.base})
		if (this.state !== "conflict") this.soon(700)
	}

	soon(wait) {
		clearTimeout(this.timer)
		this.timer = setTimeout(() => this.save(), wait)
		if (this.state === "saved") this.become("waiting")
	}

	become(state) {
		this.state = state
		this.show()
	}

	async save() {
		clearTimeout(this.timer)
		if (this.state === "saving") return // what was typed meanwhile follows
		const {text, base} = this
		this.become("saving")
		try {
			this.theirs = (await getFlat(this.id, null, {kept: false})).notes ?? ""
			if (this.theirs !== base && this.theirs !== text) return this.become("conflict")
			if (this.theirs !== text) await update(this.id, {notes: text}, {match: true})
			this.saved(text)
		} catch (error) {
			this.failed(error)
		}
	}

	saved(text) {
		this.tries = 0
		this.base = text
		this.become("saved")
		if (this.text !== text) this.type(this.text)
		else store(prefix + this.id, null)
	}

	// Another answer than these will be the same next time. A flat that changed
	// between the two requests (412) is looked at again.
	failed(error) {
		this.trouble = error.status === 412 ? "" : reason(error)
		this.become("kept")
		const {status} = error
		if (status === 0 || status === 412 || status >= 500) this.soon(Math.min(30_000, 500 * 2 ** this.tries++))
	}

	// settle ends a conflict: their version has now been read.
	settle(text) {
		this.base = this.theirs
		this.become("waiting")
		this.type(text)
		this.save()
	}
}

addEventListener("online", () => savers.forEach(saver => saver.state === "kept" && saver.save()))

// Drafts that an earlier visit could not send go out now.
try {
	for (const name in localStorage) if (name.startsWith(prefix)) notesOf(name.slice(prefix.length))
} catch {/* none */}

const box = /^\s*[-*] \[([ xX])\] ?(.*)$/

/** boxesOf are the lines "- [ ] …" of notes: {at, text, ticked}, at is the number of the line. */
export const boxesOf = notes => notes.split("\n").flatMap((line, at) => {
	const [, tick, text] = box.exec(line) ?? []
	return tick ? [{at, text, ticked: tick !== " "}] : []
})

/** tick ticks the box in a line of notes, or takes the tick away. */
export const tick = (notes, at, ticked) => notes.split("\n")
	.map((line, i) => (i === at ? line.replace(/\[[ xX]\]/, ticked ? "[x]" : "[ ]") : line)).join("\n")

/** wordsOf are the lines of notes that are no boxes. */
export const wordsOf = notes => notes.split("\n").filter(line => line.trim() && !box.test(line))
