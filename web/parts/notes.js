// Notes save themselves. This browser keeps what is typed until the service has it. Notes that were changed
// elsewhere are shown before anything overwrites them.
//
// editor makes the field for a flat's notes, which focusNotes focuses; notesOf, hints, inBrief and onPaper are for
// views that show notes. sendNotes, waitingNotes, notesElsewhere, notesQuestions and forgetNotes are for waiting.js.

import {isLost} from "../lib/api.js"
import {fill, h, later, swap} from "../lib/dom.js"
import {keyOf} from "../lib/fields.js"
import {flats, getFlat, update} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {me} from "../lib/people.js"
import {longer} from "../lib/queue.js"
import {onForgotten, onStored, store, stored, storedNames} from "../lib/storage.js"
import {title} from "../words/flats.js"
import {t, text} from "../words/format.js"
import {reason} from "./notice.js"

export const notesPrefix = "flats.notes." // of the names of drafts in the browser's storage

// saverOf returns the saver of a flat's notes. If it has nothing to save, it takes over the notes of the flat.
function saverOf(flat) {
	const id = keyOf(flat)
	if (!kept.savers.has(id)) kept.savers.set(id, new Saver(id))
	const saver = kept.savers.get(id)
	if (saver.state === "saved") saver.text = saver.base = saver.theirs = flat.notes ?? ""
	return saver
}

// notesOf returns a flat's notes as they were last typed here, saved or not.
export const notesOf = flat => saverOf(flat).text

// A Saver saves the notes of one flat. Its members:
//   id       that of the flat
//   text     the notes as typed here
//   base     the service's notes when typing began
//   theirs   the service's notes now
//   kept     the text of the draft in this browser
//   other    the draft of another tab of this browser, until the user chooses one
//   seen     such a draft after the choice, which the other tab may have saved
//   hurried  what hurry may have saved
//   sent     the text that was sent last, and the key by which the service knows it if it is sent again, {text, key}
//   by       the person who typed
//   isLeft   whether the tab in which it was typed has been closed, so that another one may send the text
//   trouble  the reason why text could not be saved
//   waits    true from the first failure or conflict until the text is saved
//   pause    the milliseconds after which text is sent again
//   refused  true if the service rejects the text
//   busy     true while save is under way
//   editor   shows the state in the editor that is open, or null
class Saver {
	editor = null
	pause = 0

	constructor(id) {
		const draft = stored(notesPrefix + id)
		Object.assign(this, {id, theirs: draft?.base, kept: draft?.text}, draft)
		if (draft) this.save()
		if (draft?.isLeft) this.leave(false)
	}

	// leave says with the draft whether this tab is closed.
	leave(isLeft) {
		this.isLeft = isLeft || undefined
		if (this.state !== "saved") this.keep()
	}

	// attach calls show, that of an editor, whenever the state changes, until the signal aborts.
	attach(show, signal) {
		this.editor = show
		signal.addEventListener("abort", () => {
			if (this.editor === show) this.editor = null
			dispatchEvent(new Event("waiting"))
		})
	}

	// state is "saved"; "saving"; "kept" in this browser, because of trouble; or "conflict", if the
	// notes were changed to something else elsewhere.
	get state() {
		const replaceable = [undefined, this.base, this.text, this.seen, this.hurried] // without asking
		if (!replaceable.includes(this.rival)) return "conflict"
		if (this.text === this.base) return "saved"
		return this.trouble ? "kept" : "saving"
	}

	// rival is the text that saving would replace.
	get rival() {
		return this.other ?? this.theirs
	}

	// tell shows the state, in the editor and to waiting.js.
	tell() {
		const {state} = this
		if (state === "saved") this.waits = this.refused = false
		if (state === "conflict") this.waits = true
		this.editor?.()
		dispatchEvent(new Event("waiting"))
	}

	// settle ends a conflict with a text. The user has seen the other version, so the text may replace it.
	settle(text) {
		if (this.other == null) this.base = this.theirs
		else this.seen = this.other
		this.other = undefined
		this.type(text)
	}

	// type takes over what was typed, and saves it once typing pauses.
	type(text) {
		this.text = text
		this.by = me()
		this.keep()
		this.tell()
		if (this.state !== "conflict") this.saveIn(Math.max(700, this.pause))
	}

	// keep keeps a draft in this browser until it is saved. It does not overwrite the draft of another tab before that
	// is part of this one.
	keep() {
		const {id, text, base} = this
		const draft = stored(notesPrefix + id)
		if (draft && draft.text !== this.kept) {
			if (text === base) return
			this.other = draft.text
		}
		const {other, hurried, sent, by, isLeft} = this
		this.kept = text
		store(notesPrefix + id, text === base && other == null ? null : {text, base, other, hurried, sent, by, isLeft})
	}

	saveIn(milliseconds) {
		clearTimeout(this.timer)
		this.timer = setTimeout(() => this.save(), milliseconds)
	}

	// save requests the service's notes, and sends the text only if they are still its base.
	async save() {
		if (this.busy) return this.saveIn(700)
		this.busy = true
		this.trouble = ""
		try {
			this.theirs = (await getFlat(this.id, null, {online: true})).notes ?? ""
			const {state, text} = this
			if (state === "saving") {
				this.other = undefined // by now the text has it
				if (text === this.theirs) this.base = text
				else await this.send()
				this.seen = this.hurried = undefined
				this.pause = 0
				this.keep()
			}
		} catch (error) {
			this.trouble = reason(error)
			this.waits = true
			// 412 means that the flat has changed between the two requests. After other errors below 500, repeating the
			// request would not help; the next letter typed tries again.
			this.refused = error.status >= 400 && error.status < 500 && error.status !== 412 && !isLost(error)
			this.pause = this.refused ? 0 : longer(this.pause)
			kept.cause = error
			if (!this.refused) this.saveIn(this.pause)
		}
		this.busy = false
		this.tell()
	}

	// send sends the text, and takes over what the service then has. If that has had the text before, it is what
	// somebody else has made of it since.
	async send(options) {
		const {id, text, theirs, by} = this
		if (this.sent?.text !== text) {
			this.sent = {text, key: Math.random()}
			this.keep()
		}
		let stored = text
		try {
			await update(id, {notes: text}, {match: true, by, keys: [this.sent.key], ...options})
		} catch (error) {
			if (error.status !== 409) throw error
			stored = theirs
		}
		if (this.text === text) this.text = stored
		this.theirs = this.base = stored
	}

	// hurry sends the text at once, because the page may be closing. There is no time to request the service's notes:
	// If-Match protects them if the tag is known of the notes when typing began. If it fails, the draft stays.
	async hurry() {
		const {id, text, base} = this
		const isBase = kept.tags.has(id) && (flats.get(id)?.notes ?? "") === base
		if (this.state !== "saving" || this.other != null || !isBase || this.hurried === text) return
		this.hurried = text
		this.keep()
		try {
			await this.send({keepalive: true})
			this.hurried = undefined
			this.keep()
			this.tell()
		} catch {/* save tries again */}
	}
}

// The page may be hidden for good, and the other device needs what was typed.
for (const type of ["visibilitychange", "pagehide"]) addEventListener(type, ({type}) => {
	if (type === "pagehide" || document.visibilityState === "hidden")
		for (const saver of kept.savers.values()) saver.hurry()
	if (type === "pagehide") for (const saver of kept.savers.values()) saver.leave(true)
})

// The tab that stays open sends the notes that another one has left, unless that was only reloaded.
const sendLeft = later(() => {
	for (const id of idsElsewhere()) if (stored(notesPrefix + id)?.isLeft) saverOf({id})
}, 2_000)

onStored((name, text) => name.startsWith(notesPrefix) && text && JSON.parse(text).isLeft && sendLeft())

// idsElsewhere returns the ids of the flats whose notes this browser keeps for another tab, or since the page was left.
const idsElsewhere = () => storedNames().filter(name => name.startsWith(notesPrefix))
	.map(name => name.slice(notesPrefix.length)).filter(id => !kept.savers.has(id))

// notesElsewhere returns the number of notes that only other tabs are saving.
export const notesElsewhere = () => idsElsewhere().length

// sendNotes sends the drafts that were not saved when the page was last left.
export function sendNotes() {
	// The notes of an editor that is open are known here, and not in {id}: the draft is that of another tab.
	for (const id of idsElsewhere()) saverOf({id})
}

const isAsked = saver => saver.state === "conflict" || saver.refused

// waitingNotes returns the number of notes that wait to be saved.
export const waitingNotes = () => [...kept.savers.values()].filter(saver => saver.waits).length

// notesQuestions returns the questions about notes that no editor is showing: {id, title, reason, mine, theirs,
// answers}.
export function notesQuestions() {
	const asked = [...kept.savers.values()].filter(saver => isAsked(saver) && !saver.editor)
	return asked.map(saver => ({
		id: saver.id,
		title: title(flats.get(saver.id) ?? saver),
		reason: saver.refused && saver.trouble,
		mine: saver.text,
		theirs: saver.rival,
		answers: saver.refused ? refusal(saver) : answersOf(saver),
	}))
}

// answersOf returns the answers to a conflict, [word, function].
const answersOf = (saver, settle = text => saver.settle(text)) => [
	[t.keep_both, () => settle(united(saver.rival, saver.text))],
	[t.keep_yours, () => settle(saver.text)],
	[t.keep_theirs, () => settle(saver.rival)],
]

// refusal returns the answers if the service rejects notes, [word, function].
const refusal = saver => [
	[t.retry, () => saver.save()],
	[t.keep_theirs, () => saver.type(saver.base)],
]

// forgetNotes drops the notes that are not saved.
export function forgetNotes() {
	for (const saver of kept.savers.values()) {
		clearTimeout(saver.timer)
		saver.text = saver.base = saver.theirs
		saver.other = undefined
		saver.tell()
	}
}

onForgotten(forgetNotes)

// editor makes the field for a flat's notes, its checklist, and the state of saving. The ids in it end with suffix,
// because a view may have several editors.
export function editor(flat, signal, suffix = "") {
	const saver = saverOf(flat)
	const id = "notes" + suffix
	const input = h("textarea", {id, value: saver.text, input: () => write(input.value),
		keydown: ({key}) => key === "Escape" && input.blur()}) // single keys act again outside the field
	const add = h("button", t.add_checklist, {click: () => {
		input.hidden = true
		write(withChecklist(input.value))
	}})
	// The boxes stand for their lines in the text, which this button shows.
	const asText = h("button.as-text", t.as_text, {"aria-expanded": "false", click: () => {
		input.hidden = !input.hidden
		showText()
		if (!input.hidden) input.focus()
	}})
	const words = h("p.words")
	const status = h("p", {id: "saved" + suffix, role: "status"})
	const versions = h("div.versions")
	const paper = h("p.sheet")
	let boxes = h("ul.boxes")
	const element = h("div.notes", h("div.line", h("label", t.notes, {for: id}), status), boxes, versions, words,
		input, paper, h("div.line", add, asText))
	let asked = null // the notes of the other version that the question shows

	function write(text) {
		input.value = text
		saver.type(text)
		showText()
	}

	// showText shows what depends on the text: its boxes, and the notes on paper.
	function showText() {
		const all = boxesOf(input.value)
		add.hidden = all.some(({question}) => t.checklist.includes(question))
		asText.hidden = all.length === 0
		if (asText.hidden) input.hidden = false
		asText.ariaExpanded = String(!input.hidden)
		fill(words, input.hidden && input.value.replace(box, "").replace(/\n{2,}/g, "\n").trim())
		boxes = swap(boxes, h("ul.boxes", all.map(line)))
		fill(paper, onPaper(input.value))
	}

	// line makes the controls of the nth box. The field of an answer is not replaced while the user types in it.
	function line(box, n) {
		const here = () => boxesOf(input.value)[n]
		return boxLine(box, () => write(here().turned), answer => {
			input.value = here().answered(answer)
			saver.type(input.value)
			fill(paper, onPaper(input.value))
		})
	}

	// showState shows the state, and a conflict once. The question may come while the user is typing, with the rest of
	// the page out of sight. The field being typed in stays in sight.
	function showState() {
		const {state, trouble, rival} = saver
		if (state === "saved" && input.value !== saver.text) {
			input.value = saver.text
			showText()
		}
		fill(status, t["notes_" + state], state === "kept" && " " + trouble)
		const asks = state === "conflict" ? rival : null
		if (asks === asked) return
		asked = asks
		fill(versions, asks != null && conflict(saver, answersOf(saver, settle)))
		if (asks == null) return
		versions.scrollIntoView({block: "nearest"})
		if (element.contains(document.activeElement)) document.activeElement.scrollIntoView({block: "nearest"})
	}

	function settle(text) {
		saver.settle(text)
		input.value = text
		showText()
		focusNotes(element)
	}

	input.hidden = boxesOf(input.value).length > 0
	if (saver.state !== "saved") showState()
	saver.attach(showState, signal)
	showText()
	return element
}

// focusNotes moves the focus to the checklist in an editor, or to the field if there is none.
export const focusNotes = editor => editor.querySelector(".boxes input, textarea").focus({preventScroll: true})

// withChecklist returns notes with the checklist at their end.
const withChecklist = notes =>
	[notes.trimEnd(), ...t.checklist.map(item => "- [ ] " + item)].filter(Boolean).join("\n")

// boxLine makes the controls of a box. They call tick, and answered on each letter of the answer.
const boxLine = ({question, answer, ticked}, tick, answered) => h("li",
	h("label", h("input", {type: "checkbox", checked: ticked, change: tick}), h("span", question)),
	h("textarea.answer", {rows: 1, value: answer, label: text(t.answer, {question}),
		keydown: ({key, target}) => key === "Escape" && target.blur(),
		input: ({target}) => answered(target.value.replace(/\s+/g, " "))}))

// conflict shows the notes as they were changed elsewhere, and makes the buttons of the answers. Long notes scroll, by
// keyboard too.
const conflict = ({rival}, answers) => [h("div.wrong", t.changed_to, {role: "alert"}),
	h("p", rival || "–", {role: "group", tabindex: 0, label: t.changed_to}),
	h("div.line", answers.map(([word, act]) => h("button", word, {click: act})))]

// united returns two versions of notes as one. A line that both have appears once; so does a box with the same
// question, ticked if it is ticked in either version.
export function united(theirs, mine) {
	const lines = theirs.split("\n").map(text => ({text}))
	let pending = [] // lines of mine alone, which stand before the next one that both have
	let isMerged = false
	for (const text of mine.split("\n")) {
		const at = lines.findIndex(line => !line.isMine && text.trim() && joined(line.text, text) != null)
		if (at < 0) {
			pending.push({text, isMine: true})
			continue
		}
		isMerged = true
		lines.splice(at, 1, ...pending, {text: joined(lines[at].text, text), isMine: true})
		pending = []
	}
	if (!isMerged) return [theirs, mine].filter(text => text.trim()).join("\n\n")
	return [...lines, ...pending].map(({text}) => text).join("\n").replace(/\n{3,}/g, "\n\n").trimEnd()
}

// joined returns two lines as one if they are the same, or if they are boxes with one question and at most one
// answer. Otherwise it returns null.
function joined(line, other) {
	if (line.trimEnd() === other.trimEnd()) return line
	const [a, b] = [line, other].map(text => boxesOf(text)[0])
	if (!a || !b || a.question !== b.question || a.answer && b.answer && a.answer !== b.answer) return null
	const filled = a.answer ? line : other
	return a.ticked || b.ticked ? filled.replace("[ ]", "[x]") : filled
}

const box = /^[ \t]*[-*] \[([ xX])\] ?(.*)$/gm

// boxesOf returns the boxes of a checklist, {question, answer, ticked, turned, answered}. A box is a line "- [ ]
// question: answer"; turned is the whole notes after the box is clicked, and answered(answer) the whole notes with
// an answer.
const boxesOf = notes => [...notes.matchAll(box)].map(({0: line, 1: sign, 2: text, index}) => {
	const at = index + line.indexOf("[") + 1
	const [question, answer = ""] = text.trim().split(/:\s+(.*)/s)
	const end = index + line.length
	return {
		question,
		answer,
		ticked: sign !== " ",
		turned: notes.slice(0, at) + (sign === " " ? "x" : " ") + notes.slice(at + 1),
		answered: answer =>
			notes.slice(0, end - text.length) + question + (answer.trim() && ": " + answer) + notes.slice(end),
	}
})

// checked writes how many boxes of notes are ticked, "5 of 12 checked", or returns "" if there are none.
function checked(notes) {
	const boxes = boxesOf(notes)
	const done = boxes.filter(({ticked}) => ticked).length
	return boxes.length > 0 ? text(t.ticked, {done, all: boxes.length}) : ""
}

// hints returns the first line of notes and the number of ticked boxes.
export function hints(notes) {
	const [words] = notes.replace(box, "").trim().split("\n")
	return [words, checked(notes)].filter(Boolean).join(" · ")
}

// inBrief returns notes with the number of ticked boxes, and the answers, in place of the boxes.
export function inBrief(notes) {
	const answered = notes.replace(box, (_, sign, text) => (/:\s/.test(text) ? text.trim() : ""))
	return [checked(notes), answered.replace(/\n{2,}/g, "\n").trim()].filter(Boolean).join("\n")
}

// onPaper returns notes with their boxes as signs, to tick with a pen.
export const onPaper = notes => notes.replace(box, (_, sign, text) => (sign === " " ? "☐ " : "☑ ") + text)
