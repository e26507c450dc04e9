// Notices, and the undoing of decisions. A notice closes by itself after a while; an error stays until it is closed.
//
// tell shows a notice, say only speaks to screen readers. failed and attempt report a failure and offer to try again;
// notKept and attemptIn do so in place of a view. signInLink leads to where one signs in. showDecision shows a decision
// (decisions.js), and undo takes it back; undoButton makes the button for undo in the bar. forgetNotices drops notices
// and decisions. tellReplaced is for waiting.js, which reports late that a decision replaced another.

import {otherFlats} from "../lib/api.js"
import {fill, h, later} from "../lib/dom.js"
import {kept} from "../lib/kept.js"
import {t, text} from "../words/format.js"
import {icon} from "./icons.js"

const box = document.getElementById("notice")

// say makes screen readers read some words. Of several calls at once they read the last.
export const say = later(words => fill(document.getElementById("live"), words), 300)

// tell shows a notice and returns its element. act, [label, function], adds a button. An error stays until it is closed
// or reported again. With cutsTitle, words are "Title: what was decided", and CSS cuts a long title. The next notice
// replaces this one, unless this is an error or says what a decision replaced.
export function tell(words, {act, error, cutsTitle} = {}) {
	const [label, press] = act ?? []
	const closeAndPress = () => {
		close(element)
		press()
	}
	const element = h("div.notice", {role: error ? "alert" : "status"}, h("p", cutsTitle ? inParts(words) : words),
		act && h("button", label, {click: closeAndPress}),
		h("button.close", icon("dismiss"), {label: t.close, click: () => close(element)}))
	const stays = old => old.matches("[role=alert]") || kept.replacing.has(old)
	const isRepeated = old => old.querySelector("p").textContent === words
	closeNotices(old => !stays(old) || isRepeated(old))
	box.append(element)
	if (!error) closeIn(element, act ? 10 : 6) // seconds; a button takes time to be found and pressed
	return element
}

// inParts splits "Title: what was decided", so that CSS can shorten only the title.
function inParts(words) {
	const at = words.lastIndexOf(": ") + 1
	return at > 0 ? [h("span.of", words.slice(0, at)), " ", h("span", words.slice(at + 1))] : words
}

// closeIn closes a notice after some seconds. Time does not count while the pointer or the focus is on the notice, or
// while the page is hidden, for example during a call.
function closeIn(element, seconds) {
	if (!element.isConnected) return
	if (seconds <= 0) return close(element)
	const timeCounts = () => !document.hidden && !element.matches(":hover, :focus-within")
	setTimeout(() => closeIn(element, timeCounts() ? seconds - 1 : seconds), 1_000)
}

// close closes a notice. A focus in it moves to the next notice, or to the view.
function close(element) {
	const hadFocus = element.contains(document.activeElement)
	element.remove()
	showUndo()
	if (hadFocus) (box.querySelector("button") ?? document.getElementById("main")).focus({preventScroll: true})
}

// closeNotices closes the notices for which isOver returns true.
export const closeNotices = isOver => [...box.children].filter(isOver).forEach(close)

// reason writes why a request failed.
export function reason({status, message, proxy}) {
	if (status === 0) return proxy ? text(t.no_answer, {status: proxy}) : t.offline
	if (status === 401) return t.why_signed_out
	return status === otherFlats ? t.other_flats : message || String(status)
}

// failed shows an error with a button that calls again(), and returns the notice. words say what failed. It shows and
// returns nothing for the error of a request that was aborted.
export function failed(error, again, words = t.failed) {
	if (error.name === "AbortError") return // the view was left
	// A module could not be loaded. The message of such an error has this word in all browsers, whatever their language.
	// Only reloading the page helps for sure: some browsers remember the failure, and the service may have a new version
	// without this module.
	if (error.status === undefined && /module/i.test(error.message))
		return tell(`${t.not_loaded} ${t.offline}`, {error: true, act: [t.retry, () => location.reload()]})
	const act = wayOut(error) ?? (again && [t.retry, again])
	const element = tell(words + " " + reason(error), {error: true, act})
	const onlyLacksNetwork = error.status === 0 && words === t.failed // other words say that something was not saved
	if (onlyLacksNetwork) element.dataset.offline = ""
	return element
}

// wayOut returns a button, [label, function], that reloads the page, if that helps after an error: to sign in, or
// because other flats are at the address. Otherwise it returns undefined.
export function wayOut({status}) {
	const reload = () => location.reload()
	if (status === 401) return [t.sign_in, reload]
	return status === otherFlats ? [t.open_again, reload] : undefined
}

// signInLink makes a link that reloads the page, whereupon the service or a proxy asks to sign in. An ordinary link to
// the address would only move to its hash.
export const signInLink = () => h("a", t.sign_in, {href: location.href, click: event => {
	event.preventDefault()
	location.reload()
}})

// Notices about a missing network close once there is a network, except those about something that was not saved. An
// answer without asOf comes from the service, so there is a network.
addEventListener("answer", ({detail: asOf}) => {
	if (!asOf) closeNotices(({dataset}) => "offline" in dataset)
})

// attempt calls an asynchronous function. If it fails, it shows the error with a button to try again.
export const attempt = act => act().catch(error => failed(error, () => attempt(act)))

// notKept makes what replaces a view that needs the network, with a button that calls again(). The first parameter is
// the error.
export function notKept({proxy}, again) {
	const words = proxy ? t.not_kept_silent : t.not_kept
	say(words)
	return h("div.empty.not-kept", h("p", words), h("button", t.retry, {click: again}))
}

// attemptIn calls an asynchronous function that fills an element. If that fails without a network and the element is
// empty, the element says so. Other errors are shown as by attempt.
export const attemptIn = (element, act) => act().catch(error => {
	const again = () => attemptIn(element, act)
	const isFilled = element.firstChild && !element.firstChild.matches(".not-kept") // with more than an earlier note
	if (error.status !== 0 || isFilled) return failed(error, again)
	element.hidden = false
	fill(element, notKept(error, again))
})

// undoButton makes the button that undoes the last decision once its notice is gone.
export const undoButton = () => h("button.undo", icon("undo"), h("b", t.undo),
	{hidden: true, label: t.undo, title: t.undo, click: () => undo()})

// forgetNotices closes all notices, and drops the decisions that could be undone.
export function forgetNotices() {
	kept.decisions = []
	fill(box)
	showUndo()
}

// showUndo shows the button in the bar if there is something to undo and no notice has an Undo of its own.
function showUndo() {
	const button = document.querySelector("#bar .undo")
	const hadFocus = button === document.activeElement
	button.hidden = kept.decisions.length === 0 || box.querySelector("[data-undoes]") !== null
	if (hadFocus && button.hidden) document.getElementById("main").focus({preventScroll: true})
}

// showDecision shows a decision with Undo, which calls revert(). revert promises true if it has shown a notice itself,
// as it does when Undo replaces somebody's decision. If revert fails, Undo can be tried again. entries are those of the
// decision in the queue (lib/queue.js). overruled, if given, names in words the decision made elsewhere that this one
// has replaced.
export function showDecision(words, revert, entries = [], overruled) {
	const decision = {words, revert, entries}
	kept.decisions.push(decision)
	if (overruled) tellReplaced(decision, overruled)
	else tellDecision(decision, words, {cutsTitle: true})
}

// tellDecision shows words about a decision in a notice with Undo.
function tellDecision(decision, words, {cutsTitle}) {
	const element = tell(words, {act: [t.undo, () => undo(decision)], cutsTitle})
	element.dataset.undoes = ""
	showUndo()
	return element
}

// tellReplaced shows a decision, and in words the decision that it overruled. Somebody who decides quickly would not
// have read this notice before the next one comes, so it stays until its time is over or the decision is undone.
export function tellReplaced(decision, overruled) {
	const words = text(t.overruled, {words: decision.words, was: overruled})
	kept.replacing.set(tellDecision(decision, words, {cutsTitle: false}), decision)
}

// undo undoes a decision, by default the last. It does nothing if the decision has already been undone.
export async function undo(decision = kept.decisions.at(-1)) {
	if (!kept.decisions.includes(decision)) return
	kept.decisions = kept.decisions.filter(other => other !== decision)
	showUndo()
	closeNotices(notice => kept.replacing.get(notice) === decision)
	try {
		const hasShownNotice = await decision.revert()
		if (!hasShownNotice) tell(t.undone)
	} catch (error) {
		kept.decisions.push(decision)
		showUndo()
		failed(error, () => undo(decision))
	}
}
