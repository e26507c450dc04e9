// What waits for the network, shown below the bar: the number of changes, and questions about changes that conflict
// with others, that the service rejects, or that may be for another service (lib/earlier.js). lib/queue.js has the
// changes, notes.js the drafts of notes. If the browser cannot store them, a warning says so, and the browser asks
// before it closes the page.
//
// startWaiting sends what waits and shows it. countUnsent counts all that forgetWaiting would drop.

import {fill, h} from "../lib/dom.js"
import {dropEarlier, findEarlier, forgetEarlier, onEarlier, takeEarlier} from "../lib/earlier.js"
import {flats} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {emptyQueue, isSending, isUnderWay, waiting, waitingKey} from "../lib/queue.js"
import {questions, startSending} from "../lib/sender.js"
import {fieldInWords, fieldsInWords, labelOf, shortened, title} from "../words/flats.js"
import {count, t, text} from "../words/format.js"
import {countDrafts, sendDrafts} from "./adding.js"
import {byWords, showQueuedDecision} from "./decisions.js"
import {draftsKey, nameOf} from "./drafts.js"
import {flatLink} from "./flats.js"
import {forgetNotes, notesElsewhere, notesPrefix, notesQuestions, sendNotes, waitingNotes} from "./notes.js"
import {attempt, failed, reason, say, signInLink, tell, tellReplaced, wayOut} from "./notice.js"

// countWaiting returns the number of changes that wait.
const countWaiting = () => waiting().length + waitingNotes() + countDrafts()

// countUnsent returns the number of changes that wait, including those that other tabs have to send and those that may
// be for another service.
export const countUnsent = () =>
	countWaiting() + notesElsewhere() + kept.earlier.reduce((n, {values}) => n + values.size, 0)

// forgetWaiting drops all changes that wait.
export function forgetWaiting() {
	emptyQueue()
	forgetNotes()
	return forgetEarlier()
}

// startWaiting sends what waits, now and from now on, and keeps the display up to date.
export function startWaiting() {
	const box = document.getElementById("waiting")
	const line = h("p", {role: "status"})
	const unkept = h("div", {role: "status"})
	const cause = h("div.line.cause")
	const list = h("div.questions")
	const settle = startSending(failed) // settle(question, isMine) answers a question
	let notice = null // of the last question

	// show shows what waits, apart from changes that are being sent. An answered question passes the focus to the next.
	function show() {
		const n = countWaiting() - waiting().filter(isUnderWay).length
		const hadFocus = list.contains(document.activeElement)
		const words = n > 0 ? count(t.waits, n) : ""
		if (line.textContent !== words) fill(line, words)
		warn(unkept)
		// What waits only for an answer to a question has no cause to show.
		const waitsForService = isSending() || waitingNotes() > notesQuestions().length
		fillCause(cause, waitsForService ? kept.cause : null)
		const questionsBefore = list.children.length
		fill(list, questions().map(question => askField(question, settle)), notesQuestions().map(askNotes),
			kept.earlier.map(askEarlier))
		box.hidden = n === 0 && !isLosing() && kept.earlier.length === 0
		if (hadFocus) (list.querySelector("button") ?? document.getElementById("main")).focus({preventScroll: true})
		if (list.children.length > questionsBefore) announce()
		else if (list.children.length === 0) notice?.remove()
	}

	// announce says that there is a new question: in a notice, if the question is out of sight.
	function announce() {
		const words = list.lastElementChild.querySelector("h2").innerText + ". " + t.needs_answer
		if (box.getBoundingClientRect().bottom > 0) return say(words)
		const goTo = () => {
			box.scrollIntoView({block: "center"})
			list.querySelector("button").focus({preventScroll: true})
		}
		notice = tell(words, {error: true, act: [t.show, goTo]})
	}

	fill(box, {label: t.waiting}, line, unkept, cause, list)
	addEventListener("waiting", show)
	addEventListener("overruled", ({detail}) => handleOverruled(detail))
	addEventListener("online", sendDrafts)
	addEventListener("answer", ({detail: asOf}) => {
		if (!asOf) sendDrafts() // an answer without asOf comes from the service, so there is a network
	})
	sendNotesAndDrafts()
	show()
	const takeOver = () => findEarlier().then(sendTaken)
	onEarlier(takeOver)
	takeOver()
}

// sendNotesAndDrafts sends stored notes and drafts.
function sendNotesAndDrafts() {
	sendNotes()
	sendDrafts()
}

// sendTaken sends the values that lib/earlier.js has taken over, given by their names in storage. Notes among them are
// stored under notesPrefix and the id of their flat. A saver of such notes does not know the draft that was taken over.
// So it is dropped, and sendNotes makes a new one, which reads the draft. The view is shown anew, because it may show
// these notes.
function sendTaken(names) {
	if (names.length === 0) return
	const idsOfNotes = names.filter(name => name.startsWith(notesPrefix)).map(name => name.slice(notesPrefix.length))
	for (const id of idsOfNotes) kept.savers.delete(id)
	sendNotesAndDrafts()
	dispatchEvent(new HashChangeEvent("hashchange"))
}

// isLosing reports whether changes, notes or drafts would be lost by closing the page.
const isLosing = () => [waitingKey, draftsKey, notesPrefix]
	.some(beginning => [...kept.unkept].some(name => name.startsWith(beginning)))

// askFirst makes the browser ask before it closes the page.
const askFirst = event => event.preventDefault()

// warn says in an element that something would be lost by closing the page, and makes the browser ask first. It removes
// the warning if nothing would be lost.
function warn(element) {
	const words = isLosing() ? t.unkept : ""
	if (words === element.textContent) return
	fill(element, words && h("p.wrong", words))
	if (words) addEventListener("beforeunload", askFirst)
	else removeEventListener("beforeunload", askFirst)
}

// fillCause says why changes wait, and offers a way out. If the words stay the same, so do the elements, which may have
// the focus.
function fillCause(element, error) {
	const words = error ? text(t.not_sent, {reason: reason(error)}) : ""
	if (words === (element.firstChild?.textContent ?? "")) return
	const [label, click] = (error ? wayOut(error) : null) ?? []
	const control = error?.status === 401 ? signInLink() : label && h("button", label, {click})
	fill(element, words && h("p.soft", words), control)
}

// handleOverruled handles the event "overruled" of sender.js: the change of an entry has replaced was, a value that
// this page did not know. isSeen tells whether the user has seen this value meanwhile. There are three cases:
//   - Undo is still offered for the decision with this change. It will restore the value. A notice shows the value,
//     unless it was seen.
//   - The change undoes a decision. It becomes a decision itself, with an Undo, unless the value was seen.
//   - The decision has been undone meanwhile. There is nothing to do.
function handleOverruled({isSeen, ...entry}) {
	const {key, id, name, was, wasBy, wasSince, undoes} = entry
	const words = fieldsInWords({[name]: was}) + byWords({status_by: wasBy})
	const decision = kept.decisions.find(({entries}) => entries.some(other => other.key === key))
	if (decision) Object.assign(decision.entries.find(other => other.key === key), {was, wasBy, wasSince})
	if (isSeen) return
	if (decision) tellReplaced(decision, words)
	else if (undoes) showQueuedDecision(`${title(flats.get(id))}: ${t.undone}`, [entry], {overruled: words})
}

// questionCard makes a question about a value that differs here and in the service. answers is [[word, act]].
const questionCard = ({id, title = id}, label, {reason, mine, theirs}, answers) => h("article.card",
	h("h2", flatLink({id, title}), `: ${label}`), h("p.wrong", reason ? `${t.declined} ${reason}` : t.elsewhere),
	h("dl.pairs", [[t.value_here, mine], [t.value_there, theirs]].map(([name, value]) =>
		h("div", h("dt", name), h("dd.text", value || "–")))),
	h("div.line", answers.map(([word, act]) => h("button", word, {click: () => attempt(async () => act())}))))

// askField makes the question about a field. settle(question, isMine) answers it.
function askField(question, settle) {
	const {name, set, theirs, theirsBy, onTheWay} = question
	const why = onTheWay ? text(t.refused_on_way, {status: onTheWay}) : question.reason
	const keepMine = () => settle(question, true)
	const keepTheirs = () => settle(question, false)
	const answers = [[t.keep_yours, keepMine], [t.keep_theirs, keepTheirs]]
	const [mine, theirsInWords] = [set, theirs].map(value => fieldInWords(name, {[name]: value}))
	return questionCard(question, labelOf(name),
		{reason: why, mine, theirs: theirsInWords + byWords({status_by: theirsBy})}, answers)
}

// askNotes makes the question about notes.
const askNotes = question => questionCard(question, t.notes, question, question.answers)

// askEarlier makes the question about changes that may be for another service.
function askEarlier(entry) {
	const changes = [...entry.values].map(inWords)
	const answers = [[t.send_here, () => takeEarlier(entry).then(sendTaken)], [t.delete_them, () => dropEarlier(entry)]]
	return h("article.card", h("h2", count(t.earlier, changes.length)), h("p.soft", t.earlier_why),
		h("ul", changes.map(words => h("li.text", words))),
		h("div.line", answers.map(([word, act]) => h("button", word, {click: () => attempt(act)}))))
}

// inWords writes a stored value, [name, value]: a change, a draft of Add, a saved view, or notes.
function inWords([name, value]) {
	const id = name.slice(notesPrefix.length)
	const entryInWords = entry => `${entry.title ?? entry.id}: ${fieldsInWords({[entry.name]: entry.set})}`
	if (name.startsWith(waitingKey)) return entryInWords(value)
	if (name.startsWith(draftsKey)) return `${t.add}: ${nameOf(value)}`
	if (!name.startsWith(notesPrefix)) return value.name
	return `${title(flats.get(id) ?? {id})}: ${t.notes} ${shortened(value.text)}`
}
