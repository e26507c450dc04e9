// What waits for the network, in a line below the bar: how many changes, and the questions about those that were
// changed elsewhere in the meantime, or that the service rejects. lib/queue.js keeps the changes; notes have drafts
// (notes.js). If the browser cannot keep them, the line says so, and the browser asks before it closes the page.
//
// startWaiting sends what waits and keeps the line up to date. countWaiting returns the number of changes;
// forgetWaiting drops them.

import {fill, h} from "../lib/dom.js"
import {flats} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {forget, isSending, isUnderWay, waiting, waitingKey} from "../lib/queue.js"
import {questions, startSending} from "../lib/sender.js"
import {fieldInWords, fieldsInWords, labelOf, title} from "../words/flats.js"
import {count, t, text} from "../words/format.js"
import {countDrafts, sendDrafts} from "./adding.js"
import {byWords, decidedNow} from "./decisions.js"
import {draftsKey} from "./drafts.js"
import {flatLink} from "./flats.js"
import {forgetNotes, notesPrefix, notesQuestions, sendNotes, waitingNotes} from "./notes.js"
import {attempt, failed, reason, say, tell, tellReplaced} from "./notice.js"

// countWaiting returns the number of changes that wait.
export const countWaiting = () => waiting().length + waitingNotes() + countDrafts()

// forgetWaiting drops all changes that wait.
export function forgetWaiting() {
	forget()
	forgetNotes()
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
		fill(list, questions().map(question => askField(question, settle)), notesQuestions().map(askNotes))
		box.hidden = n === 0 && !isLosing()
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
	sendNotes()
	sendDrafts()
	show()
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

// fillCause says for what changes wait. It offers to sign in, which the browser or a proxy asks for when the page is
// opened. The same words stay as they are: they may have the focus.
function fillCause(element, error) {
	const words = error ? text(t.not_sent, {reason: reason(error)}) : ""
	if (words === (element.firstChild?.textContent ?? "")) return
	const signIn = error?.status === 401 && h("button", t.sign_in, {click: () => location.reload()})
	fill(element, words && h("p.soft", words), signIn)
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
	const {name, set, theirs, theirsBy, reason} = question
	const answers = [[t.keep_yours, () => settle(question, true)], [t.keep_theirs, () => settle(question, false)]]
	const [mine, now] = [set, theirs].map(value => fieldInWords(name, {[name]: value}))
	return questionCard(question, labelOf(name), {reason, mine, theirs: now + byWords({status_by: theirsBy})}, answers)
}

// askNotes makes the question about notes. Its answers are those of their editor.
const askNotes = question => questionCard(question, t.notes, question, question.answers)
