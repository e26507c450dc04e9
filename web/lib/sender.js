// Sends the changes that wait (queue.js) once the service can be reached.

import {isLost} from "./api.js"
import {askFlat, inTurn, patch} from "./flats.js"
import {ask, keepMine, keepTheirs, next, same, sent} from "./queue.js"

// startSending sends what waits, now and from now on. It calls refused(error) if the service asks for the password.
// It returns a function that answers a question.
export function startSending(refused) {
	let isSending = false
	let timer

	function sendIn(milliseconds) {
		clearTimeout(timer)
		timer = setTimeout(send, milliseconds)
	}

	// send sends what waits, unless another tab is doing so. It tries again until all is sent.
	async function send() {
		if (isSending || !next()) return
		isSending = true
		try {
			await (navigator.locks?.request("flats.waiting", sendAll) ?? sendAll())
		} catch (error) {
			if (error.status === 401) refused(error)
			else sendIn(error.status === 0 ? 3_000 : 30_000)
		}
		isSending = false
	}

	// settle answers a question with the value here, or with that of the service.
	async function settle(question, isMine) {
		if (isMine) {
			keepMine(question)
			return send()
		}
		keepTheirs(question)
		await askFlat(question.id).catch(error => {
			if (error.status !== 404) throw error // a flat that no longer exists has nothing to show
		})
	}

	addEventListener("unsent", () => sendIn(3_000))
	addEventListener("online", send)
	send()
	return settle
}

async function sendAll() {
	for (let change = next(); change; change = next()) await inTurn(change.id, () => sendOne(change))
}

// sendOne sends a change if its field is still what it was here.
async function sendOne(change) {
	const {id, name, was, set} = change
	let theirs = null
	try {
		theirs = (await askFlat(id))[name] ?? null
		if (!same(theirs, set) && !same(theirs, was)) return ask(change, theirs)
		if (!same(theirs, set)) await patch(id, {[name]: set}, true)
		sent(change)
	} catch (error) {
		if (error.status === 412) return // changed between the two requests: sendAll compares again
		if (isLost(error) || error.status >= 500 || !error.status) throw error
		ask(change, theirs, error.message)
	}
}
