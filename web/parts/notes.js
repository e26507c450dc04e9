// Notes that save themselves. This browser stores what is typed until the service has it. If notes were changed
// elsewhere, the user sees them before anything overwrites them.
//
// editor makes the field for a flat's notes, focusNotes focuses it. notesOf, hints, inBrief and onPaper are for views
// that show notes; sendNotes, waitingNotes, notesElsewhere, notesQuestions and forgetNotes are for waiting.js.

import {isLost} from "../lib/api.js"
import {fill, h, later, swap} from "../lib/dom.js"
import {keyOf} from "../lib/fields.js"
import {flats, getFlat, update} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {me} from "../lib/people.js"
import {longerPause} from "../lib/queue.js"
import {onForgottenElsewhere, onStored, store, stored, storedNames} from "../lib/storage.js"
import {title} from "../words/flats.js"
import {t, text} from "../words/format.js"
import {reason} from "./notice.js"

export const notesPrefix = "flats.notes." // how the names of drafts in storage begin; the id of the flat follows

// saverOf returns the saver of a flat's notes. A saver with nothing to save gets the notes of the flat.
function saverOf(flat) {
	const id = keyOf(flat)
	if (!kept.savers.has(id)) kept.savers.set(id, new Saver(id))
	const saver = kept.savers.get(id)
	if (saver.state === "saved") saver.text = saver.base = saver.theirs = flat.notes ?? ""
	return saver
}

// notesOf returns a flat's notes as last typed here, saved or not.
export const notesOf = flat => saverOf(flat).text

const typingPause = 700 // milliseconds without a further letter, after which notes are saved

// A Saver saves the notes of one flat. What happens to the notes changes its state:
//
//   saved     the service has the text. Typing leads to saving.
//   saving    the text differs from the service's. save sends it, which leads to saved; if that fails, to kept.
//   kept      only this browser has the text, because saving failed. save tries again.
//   conflict  a text that the user has not seen, rival, is at the service or in another tab. settle takes the user's
//             choice, which leads to saving.
//
// These members are in the draft in storage, too:
//   text     the notes as typed here
//   base     the service's notes when typing began
//   other    the text of a draft that another tab stored, until the user chooses between other and text
//   hurried  the text that hurry sent, if its answer has not come
//   sent     the text that was last sent, and the key by which the service recognizes the change, {text, key}
//   by       the person who typed
//   isLeft   whether the tab of the draft was closed, so that another tab may send the draft
// These are not:
//   id         the id of the flat
//   theirs     the service's notes now
//   draftText  the text of the draft in storage, if this tab stored it
//   seenOther  the text in other when the user chose; the other tab may still save it
//   trouble    the reason why the text could not be saved, or ""
//   waits      true from the first failure or conflict until the text is saved
//   pause      the milliseconds before the next try
//   isRefused  whether the service rejects the text
//   isSaving   whether save is running
//   timer      the timer that calls save
//   editor     the function that shows the state in the open editor, or null
class Saver {
	editor = null
	pause = 0

	constructor(id) {
		const draft = stored(notesPrefix + id)
		Object.assign(this, {id, theirs: draft?.base, draftText: draft?.text}, draft)
		if (draft) this.save()
		if (draft?.isLeft) this.setLeft(false)
	}

	// setLeft records in the draft whether this tab was closed.
	setLeft(isLeft) {
		this.isLeft = isLeft || undefined // JSON leaves undefined out
		if (this.state !== "saved") this.keep()
	}

	// attach makes the saver call show() whenever its state changes, until the signal aborts.
	attach(show, signal) {
		this.editor = show
		signal.addEventListener("abort", () => {
			if (this.editor === show) this.editor = null
			dispatchEvent(new Event("waiting"))
		})
	}

	// state is "saved", "saving", "kept" or "conflict".
	get state() {
		// Saving may replace these texts without a question, because the user has seen or written them.
		const replaceable = [undefined, this.base, this.text, this.seenOther, this.hurried]
		if (!replaceable.includes(this.rival)) return "conflict"
		if (this.text === this.base) return "saved"
		return this.trouble ? "kept" : "saving"
	}

	// rival is the text that saving would replace.
	get rival() {
		return this.other ?? this.theirs
	}

	// tell shows the state, in the editor and by the event "waiting".
	tell() {
		const {state} = this
		if (state === "saved") this.waits = this.isRefused = false
		if (state === "conflict") this.waits = true
		this.editor?.()
		dispatchEvent(new Event("waiting"))
	}

	// settle ends a conflict with a text. The user has seen the rival, so saving may replace it.
	settle(text) {
		if (this.other == null) this.base = this.theirs
		else this.seenOther = this.other
		this.other = undefined
		this.type(text)
	}

	// type takes a typed text, and saves it once typing pauses.
	type(text) {
		this.text = text
		this.by = me()
		this.keep()
		this.tell()
		if (this.state !== "conflict") this.saveIn(Math.max(typingPause, this.pause))
	}

	// keep stores the draft, or removes it if there is nothing to save. If another tab has stored a draft meanwhile and
	// nothing was typed here, keep does nothing. If something was typed here, the text of the other tab's draft becomes
	// other.
	keep() {
		const {id, text, base} = this
		const draft = stored(notesPrefix + id)
		if (draft && draft.text !== this.draftText) {
			if (text === base) return
			this.other = draft.text
		}
		const {other, hurried, sent, by, isLeft} = this
		this.draftText = text
		store(notesPrefix + id, text === base && other == null ? null : {text, base, other, hurried, sent, by, isLeft})
	}

	saveIn(milliseconds) {
		clearTimeout(this.timer)
		this.timer = setTimeout(() => this.save(), milliseconds)
	}

	// save requests the service's notes, and sends the text if they are still the base.
	async save() {
		if (this.isSaving) return this.saveIn(typingPause)
		this.isSaving = true
		this.trouble = ""
		try {
			this.theirs = (await getFlat(this.id, null, {online: true})).notes ?? ""
			const {state, text} = this
			if (state === "saving") {
				this.other = undefined // without a conflict, the user has seen this text
				if (text === this.theirs) this.base = text
				else await this.send()
				this.seenOther = this.hurried = undefined
				this.pause = 0
				this.keep()
			}
		} catch (error) {
			this.trouble = reason(error)
			this.waits = true
			// After a 412 the flat has changed between the two requests, so another try may succeed. Other refusals would only
			// be repeated: the next letter typed tries again.
			const isRefusal = error.status >= 400 && error.status < 500 && !isLost(error)
			this.isRefused = isRefusal && error.status !== 412
			this.pause = this.isRefused ? 0 : longerPause(this.pause)
			kept.cause = error
			if (!this.isRefused) this.saveIn(this.pause)
		}
		this.isSaving = false
		this.tell()
	}

	// send sends the text and updates base. A 409 means that the service has already had the text. Its notes, theirs,
	// may contain changes that somebody has made since, so they replace the text here.
	async send(options) {
		const {id, text, theirs, by} = this
		if (this.sent?.text !== text) {
			this.sent = {text, key: Math.random()}
			this.keep()
		}
		let saved = text
		try {
			await update(id, {notes: text}, {match: true, by, keys: [this.sent.key], ...options})
		} catch (error) {
			if (error.status !== 409) throw error
			saved = theirs
		}
		if (this.text === text) this.text = saved
		this.theirs = this.base = saved
	}

	// hurry sends the text at once, because the page may be closing. There is no time to request the service's notes.
	// If-Match protects them, provided that the known tag is of a flat with the notes in base. If sending fails, the
	// draft stays.
	async hurry() {
		const {id, text, base} = this
		const isTagOfBase = kept.tags.has(id) && (flats.get(id)?.notes ?? "") === base
		const maySend = this.state === "saving" && this.other == null && isTagOfBase
		if (!maySend || this.hurried === text) return
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

// A hidden page may never come back, so it sends at once what other devices need.
addEventListener("visibilitychange", () => {
	if (document.visibilityState === "hidden") hurryAll()
})
addEventListener("pagehide", () => {
	hurryAll()
	for (const saver of kept.savers.values()) saver.setLeft(true)
})

function hurryAll() {
	for (const saver of kept.savers.values()) saver.hurry()
}

// sendLeft sends the drafts of tabs that were closed. It waits, because a tab may only have been reloaded.
const sendLeft = later(() => {
	for (const id of idsElsewhere()) if (stored(notesPrefix + id)?.isLeft) saverOf({id})
}, 2_000)

// Another tab stores a draft as left when it is closed.
onStored((name, value) => {
	if (name.startsWith(notesPrefix) && value && JSON.parse(value).isLeft) sendLeft()
})

// idsElsewhere returns the ids of flats with drafts in storage that have no saver in this tab, and so no open editor.
const idsElsewhere = () => storedNames().filter(name => name.startsWith(notesPrefix))
	.map(name => name.slice(notesPrefix.length)).filter(id => !kept.savers.has(id))

// notesElsewhere returns the number of notes with drafts that this tab does not save.
export const notesElsewhere = () => idsElsewhere().length

// sendNotes sends all drafts that this tab does not save yet, also those that are not marked as left: a tab that
// crashed has not marked its drafts.
export function sendNotes() {
	for (const id of idsElsewhere()) saverOf({id})
}

// isAsked reports whether the user must answer a question about the notes of a saver.
const isAsked = saver => saver.state === "conflict" || saver.isRefused

// waitingNotes returns the number of notes that wait to be saved.
export const waitingNotes = () => [...kept.savers.values()].filter(saver => saver.waits).length

// notesQuestions returns the questions that no open editor shows, [{id, title, reason, mine, theirs, answers}]. answers
// is [[word, function]]. reason is falsy for a conflict.
export function notesQuestions() {
	const unanswered = [...kept.savers.values()].filter(saver => isAsked(saver) && !saver.editor)
	return unanswered.map(saver => ({
		id: saver.id,
		title: title(flats.get(saver.id) ?? {id: saver.id}),
		reason: saver.isRefused && saver.trouble,
		mine: saver.text,
		theirs: saver.rival,
		answers: saver.isRefused ? refusalAnswers(saver) : conflictAnswers(saver),
	}))
}

// conflictAnswers returns the answers to a conflict, [[word, function]].
const conflictAnswers = (saver, settle = text => saver.settle(text)) => [
	[t.keep_both, () => settle(united(saver.rival, saver.text))],
	[t.keep_yours, () => settle(saver.text)],
	[t.keep_theirs, () => settle(saver.rival)],
]

// refusalAnswers returns the answers if the service rejects the notes, [[word, function]].
const refusalAnswers = saver => [
	[t.retry, () => saver.save()],
	[t.keep_theirs, () => saver.type(saver.base)],
]

// forgetNotes drops unsaved notes.
export function forgetNotes() {
	for (const saver of kept.savers.values()) {
		clearTimeout(saver.timer)
		saver.text = saver.base = saver.theirs
		saver.other = undefined
		saver.tell()
	}
}

onForgottenElsewhere(forgetNotes)

// editor makes the field for a flat's notes, with the checklist and the state of saving. All ids in it end with suffix,
// because a view may have several editors.
export function editor(flat, signal, suffix = "") {
	const saver = saverOf(flat)
	const id = "notes" + suffix
	const input = h("textarea", {id, value: saver.text, input: () => write(input.value), keydown: leaveOnEscape})
	const add = h("button", t.add_checklist, {click: () => {
		input.hidden = true
		write(withChecklist(input.value))
	}})
	// asText shows the text, whose lines the boxes replace.
	const asText = h("button.as-text", t.as_text, {"aria-expanded": "false", click: () => {
		input.hidden = !input.hidden
		showText()
		if (!input.hidden) input.focus()
	}})
	const words = h("p.words") // the lines that are no boxes, while the field is hidden
	const status = h("p", {id: "saved" + suffix, role: "status"})
	const versions = h("div.versions") // the question of a conflict
	const paper = h("p.sheet") // the notes as they are printed
	let boxes = h("ul.boxes")
	const element = h("div.notes", h("div.line", h("label", t.notes, {for: id}), status), boxes, versions, words,
		input, paper, h("div.line", add, asText))
	let shownRival = null // the rival that the question shows, or null

	// write sets the notes to a text.
	function write(text) {
		input.value = text
		saver.type(text)
		showText()
	}

	// showText updates what depends on the text: the boxes and the notes on paper.
	function showText() {
		const all = boxesOf(input.value)
		add.hidden = all.some(({question}) => t.checklist.includes(question))
		asText.hidden = all.length === 0
		if (asText.hidden) input.hidden = false
		asText.ariaExpanded = String(!input.hidden)
		fill(words, input.hidden && input.value.replace(boxForm, "").replace(/\n{2,}/g, "\n").trim())
		boxes = swap(boxes, h("ul.boxes", all.map(makeLine)))
		fill(paper, onPaper(input.value))
	}

	// makeLine makes the controls of the nth box. It does not replace the field of an answer while the user types in
	// it.
	function makeLine(box, n) {
		const current = () => boxesOf(input.value)[n]
		return boxLine(box, () => write(current().turned), answer => {
			input.value = current().answered(answer)
			saver.type(input.value)
			fill(paper, onPaper(input.value))
		})
	}

	// showState shows the state, and the question of a conflict. The question may come while the user is typing, out of
	// sight, so it is scrolled into view; the field being typed in stays in view.
	function showState() {
		const {state, trouble, rival} = saver
		if (state === "saved" && input.value !== saver.text) {
			input.value = saver.text
			showText()
		}
		fill(status, t["notes_" + state], state === "kept" && " " + trouble)
		const rivalToShow = state === "conflict" ? rival : null
		if (rivalToShow === shownRival) return
		shownRival = rivalToShow
		const isConflict = rivalToShow != null
		fill(versions, isConflict && conflictQuestion(saver, conflictAnswers(saver, settle)))
		if (!isConflict) return
		versions.scrollIntoView({block: "nearest"})
		if (element.contains(document.activeElement)) document.activeElement.scrollIntoView({block: "nearest"})
	}

	// settle takes the user's answer to a conflict.
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

// focusNotes focuses the checklist in an editor, or the field if there is none.
export const focusNotes = editor => editor.querySelector(".boxes input, textarea").focus({preventScroll: true})

// leaveOnEscape takes the focus from a field, so that single keys act again.
function leaveOnEscape({key, target}) {
	if (key === "Escape") target.blur()
}

// withChecklist returns notes with the checklist added.
const withChecklist = notes =>
	[notes.trimEnd(), ...t.checklist.map(item => "- [ ] " + item)].filter(Boolean).join("\n")

// boxLine makes the controls of a box. They call tick() on a click and answered(answer) on each letter.
const boxLine = ({question, answer, ticked}, tick, answered) => h("li",
	h("label", h("input", {type: "checkbox", checked: ticked, change: tick}), h("span", question)),
	h("textarea.answer", {rows: 1, value: answer, label: text(t.answer, {question}),
		keydown: leaveOnEscape,
		input: ({target}) => answered(target.value.replace(/\s+/g, " "))}))

// conflictQuestion shows the notes as changed elsewhere, with the buttons of the answers. Long notes scroll, by
// keyboard, too.
const conflictQuestion = ({rival}, answers) => [h("div.wrong", t.changed_to, {role: "alert"}),
	h("p", rival || "–", {role: "group", tabindex: 0, label: t.changed_to}),
	h("div.line", answers.map(([word, act]) => h("button", word, {click: act})))]

// united merges two versions of notes. Lines in both appear once. So do boxes with the same question, ticked if either
// is. A line only in mine comes before the next line that is in both.
export function united(theirs, mine) {
	const lines = theirs.split("\n").map(text => ({text, isMine: false}))
	let pending = [] // lines only in mine since the last line in both
	let isMerged = false
	for (const text of mine.split("\n")) {
		const at = lines.findIndex(line => !line.isMine && text.trim() && joinLines(line.text, text) != null)
		if (at < 0) {
			pending.push({text, isMine: true})
			continue
		}
		isMerged = true
		lines.splice(at, 1, ...pending, {text: joinLines(lines[at].text, text), isMine: true})
		pending = []
	}
	if (!isMerged) return [theirs, mine].filter(text => text.trim()).join("\n\n")
	return [...lines, ...pending].map(({text}) => text).join("\n").replace(/\n{3,}/g, "\n\n").trimEnd()
}

// joinLines merges two lines if they are equal, or boxes with the same question whose answers do not differ, because
// they are equal or one is missing. Otherwise it returns null.
function joinLines(line, other) {
	if (line.trimEnd() === other.trimEnd()) return line
	const [a, b] = [line, other].map(text => boxesOf(text)[0])
	const haveSameQuestion = a && b && a.question === b.question
	if (!haveSameQuestion) return null
	const answersDiffer = a.answer && b.answer && a.answer !== b.answer
	if (answersDiffer) return null
	const filled = a.answer ? line : other
	return a.ticked || b.ticked ? filled.replace("[ ]", "[x]") : filled
}

// boxForm matches a box, a line such as "- [x] Cellar: dry". Its groups are the sign between the brackets and the text.
const boxForm = /^[ \t]*[-*] \[([ xX])\] ?(.*)$/gm

// boxesOf returns the boxes in notes, [{question, answer, ticked, turned, answered}]. A box is a line "- [ ] question:
// answer". turned is all the notes after a click on the box; answered(answer) returns all the notes with another
// answer.
const boxesOf = notes => [...notes.matchAll(boxForm)].map(({0: line, 1: sign, 2: text, index}) => {
	const signAt = index + line.indexOf("[") + 1
	const [question, answer = ""] = text.trim().split(/:\s+(.*)/s)
	const lineEnd = index + line.length
	const textAt = lineEnd - text.length
	return {
		question,
		answer,
		ticked: sign !== " ",
		turned: notes.slice(0, signAt) + (sign === " " ? "x" : " ") + notes.slice(signAt + 1),
		answered: answer => notes.slice(0, textAt) + question + (answer.trim() && ": " + answer) + notes.slice(lineEnd),
	}
})

// checked writes how many boxes are ticked, "5 of 12 checked", or returns "" if there are none.
function checked(notes) {
	const boxes = boxesOf(notes)
	const done = boxes.filter(({ticked}) => ticked).length
	return boxes.length > 0 ? text(t.ticked, {done, all: boxes.length}) : ""
}

// hints returns the first line of notes that is no box, and how many boxes are ticked.
export function hints(notes) {
	const [firstLine] = notes.replace(boxForm, "").trim().split("\n")
	return [firstLine, checked(notes)].filter(Boolean).join(" · ")
}

// inBrief returns notes in which the number of ticked boxes and the answers replace the boxes.
export function inBrief(notes) {
	const answered = notes.replace(boxForm, (_, sign, text) => (/:\s/.test(text) ? text.trim() : ""))
	return [checked(notes), answered.replace(/\n{2,}/g, "\n").trim()].filter(Boolean).join("\n")
}

// onPaper returns notes in which signs replace the boxes, to be ticked with a pen.
export const onPaper = notes => notes.replace(boxForm, (_, sign, text) => (sign === " " ? "☐ " : "☑ ") + text)
