// Sends the changes that wait (queue.js) once the service can be reached. Before a change is sent, the field is
// compared by value with what it was here. Where it differs, or the service refuses, the change becomes a question:
// {…, theirs, theirsBy, theirsSince, reason, onTheWay}, with the value that the service has, who gave it and, if it is
// a status, since when the flat has it; onTheWay is the status with which something between here and the service
// refused it. Only a change under way replaces another value without a question. Each change is sent with its key, by
// which the service knows one that it has had already, although its answer was lost: that one is done, whatever others
// have set since.

import {call, findPath, flatPath, isLost, otherFlats, unreached} from "./api.js"
import {later} from "./dom.js"
import {changed, flats, inTurn, patch, remember} from "./flats.js"
import {kept} from "./kept.js"
import {onElements} from "./keptlists.js"
import {edited, isList} from "./lists.js"
import {peopleOf} from "./opinions.js"
import {valueOf} from "./people.js"
import {alone, holdBack, isSendable, isUnderWay, longer, ofField, same, setWaiting, waiting, waitingKey}
	from "./queue.js"

// startSending sends what waits, now and from now on, and pauses longer after each failure. It calls refused(error) the
// first time that the service fails, or has other flats. It returns a function that answers a question. The
// event "overruled" reports a change that replaces a value, was, that this page did not know when the change was made;
// isSeen is true if a question has shown the value since.
export function startSending(refused) {
	let isSending = false
	let timer = null // of the next try, after a failure
	let pause = 0 // milliseconds before it
	let told = 0 // the status of the failure that refused was told

	// send sends what waits, unless another tab is doing so. It tries again until all is sent.
	async function send() {
		clearTimeout(timer)
		timer = null
		if (isSending || next().length === 0) return
		isSending = true
		try {
			await alone("flats.waiting", () => sendAll(progress))
		} catch (error) {
			isSending = false
			sendLater()
			holdBack(error.status === 412 && told !== 412 ? null : error) // after the first, the next try compares
			const isTold = error.status === otherFlats || !isLost(error)
			if (isTold && ![412, told].includes(error.status)) refused(error)
			told = error.status
			return
		}
		isSending = false
		holdBack(null)
		send() // what was decided while the lock was released
	}

	function progress() {
		pause = told = 0
	}

	function sendLater() {
		pause = longer(pause)
		timer = setTimeout(send, pause)
	}

	// unsent sends a new change, in its turn: while others wait for the next try, so does this one.
	function unsent(isNow) {
		if (isSending) return
		if (isNow && !timer) return send()
		if (!timer) sendLater()
		holdBack()
	}

	// settle answers a question with the value here, or with that of the service.
	async function settle(question, isMine) {
		if (isMine) {
			keepMine(question)
			return unsent(true)
		}
		keepTheirs(question)
		await askFlat(question.id).catch(error => {
			if (error.status !== 404) throw error // a flat that no longer exists has nothing to show
		})
	}

	addEventListener("unsent", ({detail: isNow}) => unsent(isNow))
	onElements(waitingKey, later(send, 2_000)) // the tab that has made the change may be closed by now
	addEventListener("online", send)
	send()
	return settle
}

// sendAll sends what waits in its order, up to four changes of one decision at a time. What was sent is removed for all
// four at once, because the browser's storage is written as a whole. progress is called after each that was sent.
async function sendAll(progress) {
	for (let some = next(); some.length > 0; some = next()) {
		const ends = await Promise.allSettled(some.map(change => inTurn(change.id, () => sendOne(change))))
		const done = ends.map(({value}) => value).filter(Boolean)
		if (done.length > 0) {
			sent(done)
			progress()
		}
		for (const change of done) if (!some.includes(change)) report(change)
		const failure = ends.find(({status}) => status === "rejected")
		if (failure) throw failure.reason
	}
}

// sendOne sends a change if its field is still what it was here, or the change is under way: then the last one wins. It
// promises the change once the service has it, with what it has replaced if that was not known here.
async function sendOne(change) {
	const {key, id, name, was, set, by, since} = change
	let found = {theirs: null}
	let isThere = false // whether the service has answered
	try {
		if (await sendAtOnce(change)) return change
		const flat = await askFlat(id)
		isThere = true
		const [theirs, theirsBy] = [valueOf(flat, name, by), name === "status" && flat.status_by]
		found = {theirs, theirsBy}
		const value = isList(name) ? edited(theirs, was, set) : set
		const isKnown = isList(name) || same(theirs, set) || same(theirs, was)
		if (!isKnown && name === "status") found.theirsSince = await sinceOf(id)
		if (!isKnown && !isUnderWay(change)) return await hasArrived(change) ? change : askAbout(change, found)
		const options = {match: kept.tags.get(id), keepalive: true, by, since, keys: [key]}
		if (!same(theirs, value)) await patch(id, {[name]: value}, options)
		return isKnown ? change : {...change, was: theirs, wasBy: theirsBy, wasSince: found.theirsSince}
	} catch (error) {
		if (isRepeated(error)) return change
		const onTheWay = isThere && error.onTheWay // something refuses this change alone
		if (!onTheWay && !isRefusal(error)) throw error
		if (onTheWay) found.onTheWay = onTheWay
		askAbout(change, found, error.message)
	}
}

// isRepeated reports whether the service has refused a change because it has had it already.
const isRepeated = ({status}) => status === 409

// hasArrived promises whether the service has had a change already. No flat has the tag of this update.
const hasArrived = ({id, key}) =>
	patch(id, {}, {match: '"none"', keys: [key]}).then(() => false, error => {
		if (![409, 412].includes(error.status)) throw error
		return isRepeated(error)
	})

// isRefusal reports whether the service has refused a change, so that sending it again would not help. After a 412, the
// flat has changed between two requests: the next try compares again.
const isRefusal = error => error.status > 0 && error.status < 500 && error.status !== 412 && !isLost(error)

// sendAtOnce sends a change that is under way without requesting the flat first. It reports whether that was enough,
// which it is if the flat is still what it was here.
async function sendAtOnce({key, id, name, set, by, since}) {
	const tag = kept.underWay.get(key)
	if (!tag) return false
	try {
		await patch(id, {[name]: set}, {match: tag, keepalive: true, by, since, keys: [key]})
		// Later changes of the flat begin with what this one has made of it.
		const isLater = other => other.id === id && kept.underWay.get(other.key) === tag
		for (const {key} of waiting().filter(isLater)) kept.underWay.set(key, kept.tags.get(id))
		return true
	} catch (error) {
		if (error.status !== 412 && !error.onTheWay && !isRefusal(error)) throw error
		return false
	}
}

// askFlat returns a flat as the service has it now, without the changes that wait.
async function askFlat(id) {
	const [{tag, asOf, ...answer}, others] = await Promise.all([call(flatPath(id)), peopleOf(id)])
	if (asOf) throw unreached()
	const data = {...answer.data, ...others}
	kept.tags.set(id, tag)
	const before = flats.get(id) ?? data
	const now = remember(data)
	if (JSON.stringify(now) !== JSON.stringify(before)) changed(now, before)
	return data
}

// sinceOf promises since when a flat has the status that the service knows, which only find says.
async function sinceOf(id) {
	const {data} = await call(findPath({}, {"any[id]": id, fields: "status_since"}))
	return data[0]?.status_since
}

// next returns the first change that can be sent, and up to three after it that belong to the same decision, on other
// flats.
function next() {
	const first = waiting().find(isSendable)
	if (!first) return []
	const at = waiting().indexOf(first)
	const some = waiting().slice(at, at + 4).filter(change => change.decision === first.decision && isSendable(change))
	return some.filter(({id}, i) => some.findIndex(other => other.id === id) === i)
}

// sent removes changes that the service has by now. A change that takes one back restores the value that it replaced.
function sent(done) {
	const all = new Map(done.map(change => [change.key, change]))
	for (const key of all.keys()) kept.underWay.delete(key)
	const restoring = (other, {was, wasBy, wasSince}) => ({...other, set: was, by: wasBy || other.by, since: wasSince})
	setWaiting(list => list.filter(({key}) => !all.has(key))
		.map(other => (all.has(other.undoes) ? restoring(other, all.get(other.undoes)) : other)))
}

// askAbout makes a change a question.
const askAbout = ({key}, found, reason) =>
	setWaiting(list => list.map(entry => (entry.key === key ? {...entry, ...found, reason} : entry)))

const report = detail => dispatchEvent(new CustomEvent("overruled", {detail}))

// keepMine answers a question: the value here is sent, since the other one has been seen.
function keepMine({key, id, name, theirs: was, theirsBy: wasBy, theirsSince: wasSince, set, since, title, by}) {
	setWaiting(list =>
		[...list.filter(other => !ofField({id, name, by})(other)),
			{key, id, name, was, wasBy, wasSince, set, since, title, by, decision: key}])
	report({key, name, was, wasBy, wasSince, isSeen: true})
}

// keepTheirs answers a question: the value here is dropped.
const keepTheirs = question => setWaiting(list => list.filter(other => !ofField(question)(other)))

// questions returns the questions, each with the value that the field has here by now.
export const questions = () => waiting().filter(entry => "theirs" in entry)
	.map(entry => {
		const {set, since} = waiting().findLast(ofField(entry))
		return {...entry, set, since}
	})
