// Notices, and undoing decisions. A notice closes by itself after a while, except for an error, which stays until it
// is closed.
//
// tell shows a notice, say only speaks to screen readers, failed and attempt report failures and offer to try again,
// notKept and attemptIn do so in place of a view. change, changeAll, changeNow and decided make decisions that undo
// takes back; undoButton makes the button in the bar for it. forgetNotices drops decisions and notices. byWords,
// tellReplaced and decidedNow are for waiting.js, which corrects what a decision or its Undo has replaced.

import {fill, h, later} from "../lib/dom.js"
import {keyOf} from "../lib/fields.js"
import {flats, look, update, updateNow} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {me, ofPeople, people, valueOf} from "../lib/people.js"
import {ofField, same, waiting, withChange, withWaiting} from "../lib/queue.js"
import {fieldsInWords, title} from "../words/flats.js"
import {t, text} from "../words/format.js"

const box = document.getElementById("notice")

// say has screen readers read a text. If several texts come at once, they read only the last.
export const say = later(text => fill(document.getElementById("live"), text), 300)

// tell shows a notice and returns it. act, [label, function], gives it a button. An error stays until it is closed
// or reported again. The next notice replaces any other, unless it says what a decision has replaced.
export function tell(text, {act, error} = {}) {
	const element = h("div.notice", {role: error ? "alert" : "status"}, h("p", text),
		act && h("button", act[0], {click: () => close(element) || act[1]()}),
		h("button.close", "×", {label: t.close, click: () => close(element)}))
	const stays = old => old.matches("[role=alert]") || kept.replacing.has(old)
	const isOver = old => !stays(old) || old.querySelector("p").textContent === text
	for (const old of [...box.children].filter(isOver)) close(old)
	box.append(element)
	if (!error) leave(element, act ? 10 : 6)
	return element
}

// leave closes a notice after some seconds. Those do not count while the pointer or the focus is on it, nor while the
// page is hidden, as during a call.
function leave(element, seconds) {
	if (!element.isConnected) return
	if (seconds <= 0) return close(element)
	const isSeen = () => !document.hidden && !element.matches(":hover, :focus-within")
	setTimeout(() => leave(element, isSeen() ? seconds - 1 : seconds), 1_000)
}

// close closes a notice. If the notice has the focus, the focus moves to the next notice, or to the view.
function close(element) {
	const held = element.contains(document.activeElement)
	element.remove()
	if (held) (box.querySelector("button") ?? document.getElementById("main")).focus({preventScroll: true})
}

// reason returns in words why a request failed.
export const reason = ({status, message}) => (status === 0 ? t.offline : message || String(status))

// failed shows an error, with a button that calls again, and returns its notice. words say what has failed.
export function failed(error, again, words = t.failed) {
	if (error.name === "AbortError") return // the view was left
	// The browser asks for the password when it opens the page, not for requests of scripts.
	const act = error.status === 401 ? [t.sign_in, () => location.reload()] : again && [t.retry, again]
	const element = tell(words + " " + reason(error), {error: true, act})
	if (error.status === 0 && words === t.failed) element.dataset.offline = ""
	return element
}

// A notice about a missing network closes once there is one. What was not saved still needs its button.
addEventListener("answer", ({detail: asOf}) => {
	if (!asOf) for (const old of box.querySelectorAll("[data-offline]")) close(old)
})

// attempt calls an asynchronous function. If it fails, it shows the error with a button to try again.
export const attempt = act => act().catch(error => failed(error, () => attempt(act)))

// notKept makes what replaces a view that needs the network, with a button that calls again.
export function notKept(again) {
	say(t.not_kept)
	return h("div.empty.not-kept", h("p", t.not_kept), h("button", t.retry, {click: again}))
}

// attemptIn calls an asynchronous function that fills an element. If it fails without a network while the element is
// empty, the element says so; other errors are shown as attempt does.
export const attemptIn = (element, act) => act().catch(error => {
	const again = () => attemptIn(element, act)
	const isEmpty = !element.firstChild?.matches(":not(.not-kept)")
	if (error.status !== 0 || !isEmpty) return failed(error, again)
	element.hidden = false
	fill(element, notKept(again))
})

// undoButton makes the button that takes the last decision back after its notice has left.
export const undoButton = () => h("button.undo", h("span", "↶", {"aria-hidden": "true"}), h("b", t.undo),
	{hidden: true, label: t.undo, title: t.undo, click: () => undo()})

// forgetNotices closes all notices, and drops the decisions that could be taken back.
export function forgetNotices() {
	kept.decisions = []
	fill(box)
	showUndo()
}

// showUndo shows the button as long as there is something to take back.
function showUndo() {
	const button = document.querySelector("#bar .undo")
	const held = button === document.activeElement
	button.hidden = kept.decisions.length === 0
	if (held && button.hidden) document.getElementById("main").focus({preventScroll: true})
}

// decided shows a decision with "Undo", which calls the function back. That promises true if it has said itself what it
// replaced; if it fails, Undo can be tried again. made has the changes that wait to be sent (lib/queue.js). replaced
// says what was decided elsewhere, if anything was.
export function decided(words, back, made = [], replaced) {
	const decision = {words, back, made}
	kept.decisions.push(decision)
	showUndo()
	if (replaced) tellReplaced(decision, replaced)
	else tellDecision(decision)
}

const tellDecision = (decision, words = decision.words) => tell(words, {act: [t.undo, () => undo(decision)]})

// tellReplaced shows a decision with what it has replaced. Whoever decides quickly has not seen that yet when the next
// notice comes, so this one stays until its time is over, or the decision is undone.
export const tellReplaced = (decision, was) =>
	kept.replacing.set(tellDecision(decision, text(t.overruled, {words: decision.words, was})), decision)

// change sets fields of a flat as one decision.
export const change = (id, fields, words) => changeAll([[id, fields]], `${title(flats.get(id))}: ${words}`)

// changeAll makes all changes, [id, fields], as one decision, or none of them, and then calls done. changeAll promises
// whether the changes were made. If they replace a decision made elsewhere, the notice says which, and Undo restores
// it. A change may have a third part: a function that promises what it replaces, in words, and a function that promises
// the fields that undo it, {others, restored}; or, if it takes changes back, these and who makes it, {undone, by}.
export function changeAll(changes, words, done = () => {}) {
	kept.deciding = kept.deciding.then(() => make(changes, words, done)) // so that none is taken for one made elsewhere
	return kept.deciding
}

// changeNow is like changeAll, but shows the changes at once, and lets them be sent in the order of the decisions.
// Changes that change nothing are no decision.
export function changeNow(changes, words) {
	const isMade = ([id, fields]) => Object.entries(fields).every(([name, set]) => same(valueOf(flats.get(id), name), set))
	if (changes.every(isMade)) return
	decidedNow(updateNow(changes), words)
}

// decidedNow shows a decision whose changes, made, are sent in their order.
export function decidedNow(made, words, replaced) {
	const back = undone => [undone.id, {[undone.name]: undone.was}, {undone, by: undone.wasBy}]
	decided(words, async () => void updateNow(made.toReversed().map(back)), made, replaced)
}

// isReplaced reports whether later changes set a field of each flat that earlier ones were to set.
const isReplaced = (earlier, later) => earlier.every(([id, fields]) =>
	later.some(([other, set]) => other === id && Object.keys(set).some(name => name in fields)))

// inFours calls act for all items, four at a time, so that many take less long. If a call fails, inFours rejects once
// those beside it are done. While it works, the browser asks before it leaves the page, because the rest would be lost.
async function inFours(items, act) {
	const ask = event => event.preventDefault()
	if (items.length > 1) addEventListener("beforeunload", ask)
	try {
		for (let i = 0; i < items.length; i += 4) {
			const ends = await Promise.allSettled(items.slice(i, i + 4).map(act))
			const failure = ends.find(({status}) => status === "rejected")
			if (failure) throw failure.reason
		}
	} finally {
		removeEventListener("beforeunload", ask)
	}
}

async function make(changes, words, done) {
	// "Try again" would set what has been decided otherwise since.
	for (const notice of [...box.children])
		if (kept.failures.has(notice) && isReplaced(kept.failures.get(notice), changes)) close(notice)
	const made = []
	try {
		const replaced = await setAll(changes, made)
		decided(words, () => takeBack(made), made.flatMap(({own}) => own), replaced)
		done()
		return true
	} catch (error) {
		const notice = failed(error, () => changeAll(changes, words, done), `${words}. ${t.failed}`)
		if (notice) kept.failures.set(notice, changes)
		await takeBack(made).catch(() => {}) // without a network this fails too, and the first changes stay
		return false
	}
}

// setAll makes changes, and promises in words which decisions made elsewhere they replace. It adds to made what undoes
// each: {id, own, restored}, with own as waiting entries (lib/queue.js); those that were sent have no key.
async function setAll(changes, made) {
	const replaced = new Set()
	const now = await askFor(changes)
	await inFours(changes, async ([id, fields, prepare]) => {
		const {undone = [], by = me(), restored, ...found} = await prepare?.() ?? {}
		const known = undone.reduce(withChange, flats.get(id))
		for (const was of found.others ?? differences(known, now.get(id), fields)) replaced.add(was)
		const before = {...await update(id, fields, {by, undone}), ...now.get(id)}
		const own = Object.entries(fields).map(([name, set]) => ({
			key: waiting().findLast(ofField({id, name, by}))?.key,
			id,
			name,
			was: valueOf(before, name),
			wasBy: name === "status" && before.status_by,
			set,
			by,
		}))
		made.push({id, own, restored})
	})
	return [...replaced].join(", ")
}

// takeBack undoes what setAll has made. If that replaces a decision made elsewhere since, takeBack says so, with an
// Undo that restores it, and promises true.
async function takeBack(made) {
	const changes = await Promise.all(made.map(async ({id, own, restored}) => {
		const was = Object.fromEntries(own.map(({name, was}) => [name, was]))
		const by = own.find(({wasBy}) => wasBy)?.wasBy
		return [id, await restored?.() ?? was, () => ({undone: own, by})]
	}))
	const again = []
	const replaced = await setAll(changes, again)
	if (replaced) decided(t.undone, () => takeBack(again), again.flatMap(({own}) => own), replaced)
	return Boolean(replaced)
}

// The fields that another device may have decided on.
const decidable = ["status", "notation", "rating", "visit_date"]
const columnOf = name => (name === "rating" ? "ratings" : name)

// askFor returns the service's values of such fields, by id, before the changes are made. Without a network it
// returns nothing, because what cannot be sent replaces nothing.
async function askFor(changes) {
	const names = decidable.filter(name => changes.some(([, fields]) => name in fields))
	const asked = [...names, ...people.length > 0 ? ofPeople : []].filter(name => name !== "rating").join()
	const found = []
	try {
		for (let i = 0; names.length > 0 && i < changes.length; i += 100) { // an address has its limits
			const ids = changes.slice(i, i + 100).map(([id]) => id)
			const {flats, asOf} = await look({}, {"any[id]": ids, fields: asked, "page[size]": 100})
			if (asOf) break
			found.push(...flats)
		}
	} catch {/* the updates say what is wrong */}
	return new Map(found.map(flat => [keyOf(flat), withWaiting(flat)]))
}

// differences returns in words which values of a flat fields replace that this page did not know.
function differences(known, now = {}, fields) {
	return decidable
		.filter(name => name in fields && columnOf(name) in known && columnOf(name) in now)
		.filter(name => ![valueOf(known, name), fields[name]].some(value => same(valueOf(now, name), value)))
		.map(name => fieldsInWords({[name]: valueOf(now, name)}) + (name === "status" ? byWords(now) : ""))
}

// byWords writes who gave a flat its status, after the word for it.
export const byWords = ({status_by: name}) => (name && name !== me() ? " " + text(t.by_name, {name}) : "")

// undo takes a decision back, by default the last one, unless that has been done.
export async function undo(decision = kept.decisions.at(-1)) {
	if (!kept.decisions.includes(decision)) return
	kept.decisions = kept.decisions.filter(other => other !== decision)
	showUndo()
	for (const notice of [...box.children]) if (kept.replacing.get(notice) === decision) close(notice)
	try {
		if (!await decision.back()) tell(t.undone)
	} catch (error) {
		kept.decisions.push(decision)
		showUndo()
		failed(error, () => undo(decision))
	}
}
