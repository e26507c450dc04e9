// Notes save themselves. What is typed stays in this browser until the server
// has it; nothing is overwritten unseen.

import {getFlat, update} from "./api.js"
import {reason} from "./notice.js"
import {store, stored} from "./state.js"

const prefix = "flats.notes."
const savers = new Map()

// A flat's notes have one saver: leaving the view must not stop it.
export function notesOf(id, notes = "") {
	if (!savers.has(id)) savers.set(id, new Saver(id, notes))
	const saver = savers.get(id)
	if (saver.state === "saved") saver.text = saver.base = notes
	return saver
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
			this.theirs = (await getFlat(this.id)).notes ?? ""
			if (this.theirs !== base && this.theirs !== text) return this.become("conflict")
			if (this.theirs !== text) await update(this.id, {notes: text})
			this.tries = 0
			this.base = text
			this.become("saved")
			if (this.text !== text) this.type(this.text)
			else store(prefix + this.id, null)
		} catch (error) {
			this.trouble = reason(error)
			this.become("kept")
			this.soon(Math.min(30_000, 500 * 2 ** this.tries++))
		}
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
