// What waits for the network, in a line below the bar: how many changes, and the questions about those that were
// changed elsewhere in the meantime, that the service rejects, or that may be for other flats (lib/earlier.js).
// lib/queue.js keeps the changes; notes have drafts (notes.js). If the browser cannot keep them, the line says so, and
// the browser asks before it closes the page.
//
// startWaiting sends what waits and keeps the line up to date. countUnsent returns the number of all changes that
// forgetWaiting drops.

import {fill, h} from "../lib/dom.js"
import {dropEarlier, findEarlier, forgetEarlier, onEarlier, takeEarlier} from "../lib/earlier.js"
import {flats} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {forget, isSending, isUnderWay, waiting, waitingKey} from "../lib/queue.js"
import {questions, startSending} from "../lib/sender.js"
import {fieldInWords, fieldsInWords, labelOf, shortened, title} from "../words/flats.js"
import {count, t, text} from "../words/format.js"
import {countDrafts, sendDrafts} from "./adding.js"
import {byWords, decidedNow} from "./decisions.js"
import {draftsKey, nameOf} from "./drafts.js"
import {flatLink} from "./flats.js"
import {forgetNotes, notesElsewhere, notesPrefix, notesQuestions, sendNotes, waitingNotes} from "./notes.js"
import {attempt, failed, reason, say, signInLink, tell, tellReplaced, wayOut} from "./notice.js"

// countWaiting returns the number of changes that wait.
const countWaiting = () => waiting().length + waitingNotes() + countDrafts()

// countUnsent returns the number of changes that wait, that other tabs have not sent, or that may be for other flats.
export const countUnsent = () =>
	countWaiting() + notesElsewhere() + kept.earlier.reduce((n, {values}) => n + values.size, 0)

// forgetWaiting drops all changes that wait.
export function forgetWaiting() {
	forget()
	forgetNotes()
	return forgetEarlier()
}

// startWaiting sends what waits, now and from now on, and shows it.
export function startWaiting() {
	const box = document.getElementById("waiting")
	const line = h("p", {role: "status"})
	const unkept = h("div", {role: "status"})
	const cause = h("div.line.cause")
	const list = h("div.questions")
	const settle = startSending(failed)
	let notice = null // of the last question

	// show shows what waits, without what is under way. A question that is answered passes the focus to the next one.
	function show() {
		const n = countWaiting() - waiting().filter(isUnderWay).length
		const held = list.contains(document.activeElement)
		const words = n > 0 ? count(t.waits, n) : ""
		if (line.textContent !== words) fill(line, words)
		warn(unkept)
		fillCause(cause, isSending() || waitingNotes() > notesQuestions().length ? kept.cause : null)
		const asked = list.children.length
		fill(list, questions().map(question => askField(question, settle)), notesQuestions().map(askNotes),
			kept.earlier.map(askEarlier))
		box.hidden = n === 0 && !isLosing() && kept.earlier.length === 0
		if (held) (list.querySelector("button") ?? document.getElementById("main")).focus({preventScroll: true})
		if (list.children.length > asked) announce()
		else if (list.children.length === 0) notice?.remove()
	}

	// announce says that there is a new question, which stands above the view: in a notice, if it is out of sight.
	function announce() {
		const words = list.lastElementChild.querySelector("h2").innerText + ". " + t.asks
		if (box.getBoundingClientRect().bottom > 0) return say(words)
		const goTo = () => {
			box.scrollIntoView({block: "center"})
			list.querySelector("button").focus({preventScroll: true})
		}
		notice = tell(words, {error: true, act: [t.show, goTo]})
	}

	fill(box, {label: t.waiting}, line, unkept, cause, list)
	addEventListener("waiting", show)
	addEventListener("overruled", ({detail}) => overruled(detail))
	addEventListener("online", sendDrafts)
	addEventListener("answer", ({detail: asOf}) => asOf || sendDrafts())
	sendKept()
	show()
	const find = () => findEarlier().then(sendTaken)
	onEarlier(find)
	find()
}

// sendKept sends the notes and the drafts that this browser has kept.
function sendKept() {
	sendNotes()
	sendDrafts()
}

// sendTaken sends what was kept under names that were taken over. The view is shown anew, because it may have the notes
// of such a flat.
function sendTaken(names) {
	if (names.length === 0) return
	for (const name of names) kept.savers.delete(name.slice(notesPrefix.length))
	sendKept()
	dispatchEvent(new HashChangeEvent("hashchange"))
}

// isLosing reports whether changes, notes or drafts are lost when the page is closed.
const isLosing = () => [waitingKey, draftsKey, notesPrefix]
	.some(beginning => [...kept.unkept].some(name => name.startsWith(beginning)))

const askFirst = event => event.preventDefault()

// warn says in an element that something is lost when the page is closed, and then has the browser ask before it
// closes the page.
function warn(element) {
	const words = isLosing() ? t.unkept : ""
	if (words === element.textContent) return
	fill(element, words && h("p.wrong", words))
	if (words) addEventListener("beforeunload", askFirst)
	else removeEventListener("beforeunload", askFirst)
}

// fillCause says for what changes wait, and offers what helps. The same words stay as they are: they may have the
// focus.
function fillCause(element, error) {
	const words = error ? text(t.not_sent, {reason: reason(error)}) : ""
	if (words === (element.firstChild?.textContent ?? "")) return
	const [label, click] = error && wayOut(error) || []
	const way = error?.status === 401 ? signInLink() : label && h("button", label, {click})
	fill(element, words && h("p.soft", words), way)
}

// overruled has Undo restore what a change has replaced, and says so if nobody has seen it. A change that was taken
// back has replaced nothing; one that takes another back becomes a decision.
function overruled({isSeen, ...entry}) {
	const {key, id, name, was, wasBy, wasSince, undoes} = entry
	const words = fieldsInWords({[name]: was}) + byWords({status_by: wasBy})
	const decision = kept.decisions.find(({made}) => made.some(change => change.key === key))
	if (decision) Object.assign(decision.made.find(change => change.key === key), {was, wasBy, wasSince})
	if (isSeen) return
	if (decision) tellReplaced(decision, words)
	else if (undoes) decidedNow([entry], `${title(flats.get(id))}: ${t.undone}`, words)
}

// questionCard makes a question about a value that differs here and elsewhere.
const questionCard = ({id, title = id}, label, {reason, mine, theirs}, answers) => h("article.card",
	h("h2", flatLink({id, title}), `: ${label}`), h("p.wrong", reason ? `${t.declined} ${reason}` : t.elsewhere),
	h("dl.pairs", [[t.value_here, mine], [t.value_there, theirs]].map(([name, value]) =>
		h("div", h("dt", name), h("dd.text", value || "–")))),
	h("div.line", answers.map(([word, act]) => h("button", word, {click: () => attempt(async () => act())}))))

// askField makes the question about a field, which settle answers.
function askField(question, settle) {
	const {name, set, theirs, theirsBy, onTheWay} = question
	const reason = onTheWay ? text(t.refused_on_way, {status: onTheWay}) : question.reason
	const answers = [[t.keep_yours, () => settle(question, true)], [t.keep_theirs, () => settle(question, false)]]
	const [mine, now] = [set, theirs].map(value => fieldInWords(name, {[name]: value}))
	return questionCard(question, labelOf(name), {reason, mine, theirs: now + byWords({status_by: theirsBy})}, answers)
}

// askNotes makes the question about notes. Its answers are those of their editor.
const askNotes = question => questionCard(question, t.notes, question, question.answers)

// askEarlier makes the question about changes that may be for other flats.
function askEarlier(entry) {
	const changes = [...entry.values].map(inWords)
	const answers = [[t.send_here, () => takeEarlier(entry).then(sendTaken)], [t.delete_them, () => dropEarlier(entry)]]
	return h("article.card", h("h2", count(t.earlier, changes.length)), h("p.soft", t.earlier_why),
		h("ul", changes.map(words => h("li.text", words))),
		h("div.line", answers.map(([word, act]) => h("button", word, {click: () => attempt(act)}))))
}

// inWords returns what was kept under a name in words.
function inWords([name, value]) {
	const id = name.slice(notesPrefix.length)
	const entryInWords = ({title, id, name, set}) => `${title ?? id}: ${fieldsInWords({[name]: set})}`
	if (name.startsWith(waitingKey)) return entryInWords(value)
	if (name.startsWith(draftsKey)) return `${t.add}: ${nameOf(value)}`
	if (!name.startsWith(notesPrefix)) return value.name
	return `${title(flats.get(id) ?? {id})}: ${t.notes} ${shortened(value.text)}`
}
