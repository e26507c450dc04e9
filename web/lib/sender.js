// Sends the changes of the queue (queue.js) once the service can be reached.
//
// Before it sends a change, it compares the field's value in the service with the value that the change replaced here,
// was. If they differ, or if the service refuses, the change becomes a question to the user. A question has also:
//   theirs       the value in the service
//   theirsBy     who gave it
//   theirsSince  for a status, when
//   reason       the text of a refusal
//   onTheWay     the HTTP status if something between page and service refused the change
// Only a change under way, which is one that is being sent for the first time (queue.js), replaces a differing value
// unasked.
//
// Each change is sent with its key, by which the service recognizes a change that it has already made. A change whose
// answer was lost is thus made only once, whatever others have set since.

import {call, findPath, flatPath, isLost, otherFlats, unreached} from "./api.js"
import {later} from "./dom.js"
import {flats, inTurn, patch, remember, reportChange} from "./flats.js"
import {kept} from "./kept.js"
import {onElements} from "./keptlists.js"
import {isList, mergedList} from "./lists.js"
import {peopleOf} from "./opinions.js"
import {valueOf} from "./people.js"
import {holdBack, isSendable, isUnderWay, longerPause, ofField, same, setWaiting, waiting, waitingKey, withLock}
	from "./queue.js"

// startSending sends what waits, now and from now on, with longer pauses after each failure. It calls refused(error)
// when an error with another status than the last one needs the user: the service has other flats, or has answered with
// a failure. It returns the function answerQuestion.
//
// The event "overruled" reports a change that replaced a value, was, which the user did not know when making the
// change. isSeen is true if a question has shown the value since.
export function startSending(refused) {
	let isSending = false
	let timer = null // of the next try after a failure
	let pause = 0 // milliseconds before that try
	let lastStatus = 0 // the status of the last failure, or 0 after a success

	// send sends what waits, unless another tab is doing so. It tries again until all is sent.
	async function send() {
		clearTimeout(timer)
		timer = null
		if (isSending || nextChanges().length === 0) return
		isSending = true
		try {
			await withLock("flats.waiting", () => sendAll(resetPause))
		} catch (error) {
			isSending = false
			sendLater()
			const isNewStatus = error.status !== lastStatus
			lastStatus = error.status
			report(error, isNewStatus)
			return
		}
		isSending = false
		holdBack(null)
		send() // changes that were made after sendAll had ended
	}

	// report says why changes wait, and calls refused if the user has to do something. A 412 says only that a flat has
	// changed. The next try compares again, and mostly succeeds: the page says why only if that fails as well.
	function report(error, isNewStatus) {
		if (error.status === 412) return holdBack(isNewStatus ? null : error)
		holdBack(error)
		const needsUser = error.status === otherFlats || !isLost(error)
		if (needsUser && isNewStatus) refused(error)
	}

	function resetPause() {
		pause = lastStatus = 0
	}

	function sendLater() {
		pause = longerPause(pause)
		timer = setTimeout(send, pause)
	}

	// sendNew sends new changes, at once if isNow, else after a pause. If the service has just failed, they wait for the
	// next try.
	function sendNew({isNow}) {
		if (isSending) return
		if (isNow && !timer) return send()
		if (!timer) sendLater()
		holdBack()
	}

	// answerQuestion answers a question with the user's value, if isMine, or with the service's.
	async function answerQuestion(question, isMine) {
		if (isMine) {
			keepMine(question)
			return sendNew({isNow: true})
		}
		keepTheirs(question)
		await askFlat(question.id).catch(error => {
			if (error.status !== 404) throw error // the flat no longer exists
		})
	}

	addEventListener("unsent", ({detail: isNow}) => sendNew({isNow}))
	onElements(waitingKey, later(send, 2_000)) // the tab that made the change may have been closed
	addEventListener("online", send)
	send()
	return answerQuestion
}

// sendAll sends the queue in order, up to four changes of one decision in parallel. It removes them from the queue
// together, in one write. It calls onProgress after each round with a success.
async function sendAll(onProgress) {
	for (let changes = nextChanges(); changes.length > 0; changes = nextChanges()) {
		const results = await Promise.allSettled(changes.map(change => inTurn(change.id, () => sendOne(change))))
		const done = results.map(({value}) => value).filter(Boolean)
		if (done.length > 0) {
			removeDone(done)
			onProgress()
		}
		// For a change that replaced an unknown value, sendOne promises another object.
		for (const change of done) if (!changes.includes(change)) reportOverruled(change)
		const failure = results.find(({status}) => status === "rejected")
		if (failure) throw failure.reason
	}
}

// sendOne sends a change if its field in the service still has the value that the change replaced here, or if the
// change is under way: then the last change wins. It promises the change once the service has it, or undefined if it
// has become a question. If the change replaced a value that this page did not know, was, wasBy and wasSince of the
// promised change describe the replaced value.
async function sendOne(change) {
	const {key, id, name, was, set, by, since} = change
	let found = {theirs: null} // the members that askAbout adds to a question
	let hasAnswered = false // whether the service has answered
	try {
		if (await sendAtOnce(change)) return change
		const flat = await askFlat(id)
		hasAnswered = true
		const theirs = valueOf(flat, name, by)
		found = {theirs, theirsBy: name === "status" && flat.status_by}
		// The user knows theirs if the change replaced it here, or sets it. A list is merged, which replaces nothing.
		const isTheirsKnown = isList(name) || same(theirs, was) || same(theirs, set)
		if (!isTheirsKnown) {
			if (name === "status") found.theirsSince = await statusSinceOf(id)
			if (!isUnderWay(change)) return await hasArrived(change) ? change : askAbout(change, found)
		}
		const next = isList(name) ? mergedList(theirs, was, set) : set
		const options = {match: kept.tags.get(id), keepalive: true, by, since, keys: [key]}
		if (!same(theirs, next)) await patch(id, {[name]: next}, options)
		return isTheirsKnown ? change : {...change, was: theirs, wasBy: found.theirsBy, wasSince: found.theirsSince}
	} catch (error) {
		if (isRepeated(error)) return change
		const onTheWay = hasAnswered && error.onTheWay // requests get through, but not this one
		if (!onTheWay && !isRefusal(error)) throw error
		if (onTheWay) found.onTheWay = onTheWay
		askAbout(change, found, error.message)
	}
}

// isRepeated reports whether the service refused a change because it has already made it.
const isRepeated = ({status}) => status === 409

// hasArrived promises whether the service has already made a change. It sends the key with an empty update that cannot
// succeed, because no flat has its tag.
async function hasArrived({id, key}) {
	try {
		await patch(id, {}, {match: '"none"', keys: [key]})
	} catch (error) {
		if (isRepeated(error)) return true
		if (error.status !== 412) throw error
	}
	return false
}

// isRefusal reports whether the service refused a change for good. A 412 is none: the flat has changed between two
// requests, and the next try compares again.
const isRefusal = error => error.status > 0 && error.status < 500 && error.status !== 412 && !isLost(error)

// sendAtOnce sends a change that is under way without looking at the flat first. It promises false if the flat must be
// looked at, because it has changed or the service refused.
async function sendAtOnce({key, id, name, set, by, since}) {
	const tag = kept.underWay.get(key)
	if (!tag) return false
	try {
		await patch(id, {[name]: set}, {match: tag, keepalive: true, by, since, keys: [key]})
		// Changes that were made on the same version of the flat now follow on its new version.
		const isLater = other => other.id === id && kept.underWay.get(other.key) === tag
		for (const {key} of waiting().filter(isLater)) kept.underWay.set(key, kept.tags.get(id))
		return true
	} catch (error) {
		const mustLook = error.status === 412 || error.onTheWay || isRefusal(error)
		if (!mustLook) throw error
		return false
	}
}

// askFlat requests a flat and promises it as the service has it, without the changes that wait.
async function askFlat(id) {
	const [{tag, asOf, ...answer}, others] = await Promise.all([call(flatPath(id)), peopleOf(id)])
	if (asOf) throw unreached()
	const data = {...answer.data, ...others}
	kept.tags.set(id, tag)
	const before = flats.get(id) ?? data
	const now = remember(data)
	if (JSON.stringify(now) !== JSON.stringify(before)) reportChange(now, before)
	return data
}

// statusSinceOf promises when a flat got the status that it has in the service. Only find returns that.
async function statusSinceOf(id) {
	const {data} = await call(findPath({}, {"any[id]": id, fields: "status_since"}))
	return data[0]?.status_since
}

// nextChanges returns the first change that can be sent, and up to three after it of the same decision, each of another
// flat.
function nextChanges() {
	const first = waiting().find(isSendable)
	if (!first) return []
	const at = waiting().indexOf(first)
	const sameDecision = waiting().slice(at, at + 4)
		.filter(change => change.decision === first.decision && isSendable(change))
	const isFirstOfFlat = ({id}, i) => sameDecision.findIndex(other => other.id === id) === i
	return sameDecision.filter(isFirstOfFlat)
}

// removeDone removes changes from the queue once the service has made them. A waiting change may undo one of them. It
// then restores the value that was replaced in the service, which may be another than this page knew: if "follow"
// replaced somebody's "ignore", undoing it sets "ignore".
function removeDone(done) {
	const byKey = new Map(done.map(change => [change.key, change]))
	for (const key of byKey.keys()) kept.underWay.delete(key)
	const restoring = (undo, {was, wasBy, wasSince}) => ({...undo, set: was, by: wasBy || undo.by, since: wasSince})
	setWaiting(list => list.filter(({key}) => !byKey.has(key))
		.map(change => (byKey.has(change.undoes) ? restoring(change, byKey.get(change.undoes)) : change)))
}

// askAbout makes a change a question, with what was found in the service and the reason of a refusal.
const askAbout = ({key}, found, reason) =>
	setWaiting(list => list.map(entry => (entry.key === key ? {...entry, ...found, reason} : entry)))

// reportOverruled dispatches "overruled" (startSending).
const reportOverruled = detail => dispatchEvent(new CustomEvent("overruled", {detail}))

// keepMine answers a question with the value here. It replaces all changes of the field by a single one, a decision of
// its own. This change replaces the value in the service, which the question has shown: so it is sent if the service
// still has that value, and Undo restores it.
function keepMine(question) {
	const {key, id, name, set, since, title, by} = question
	const replaced = {was: question.theirs, wasBy: question.theirsBy, wasSince: question.theirsSince}
	const change = {key, id, name, ...replaced, set, since, title, by, decision: key}
	setWaiting(list => [...list.filter(other => !ofField(question)(other)), change])
	reportOverruled({key, name, ...replaced, isSeen: true})
}

// keepTheirs answers a question with the service's value: it drops all changes of the field.
const keepTheirs = question => setWaiting(list => list.filter(other => !ofField(question)(other)))

// questions returns the open questions, each with set and since of the last change of its field.
export const questions = () => waiting().filter(entry => "theirs" in entry)
	.map(entry => {
		const {set, since} = waiting().findLast(ofField(entry))
		return {...entry, set, since}
	})
