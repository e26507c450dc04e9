// Sign-in: the sessions of devices, and whether there is a password.

import {base, call} from "./api.js"
import {kept} from "./kept.js"
import {dataId} from "./service.js"

// askSessions promises the devices that are signed in, [{id, name, first, last, this}]. The event "sessions" reports
// that hasSession may have changed.
export async function askSessions(signal) {
	kept.sessions = (await call("sessions", {signal})).data
	dispatchEvent(new Event("sessions"))
	return kept.sessions
}

// hasSession reports whether this device has a session.
export const hasSession = () => kept.sessions.some(session => session.this)

// endSession signs this device out. It succeeds if another device has already done so.
export const endSession = () => call("session", {method: "DELETE"}).catch(error => {
	if (error.status !== 401 || error.onTheWay) throw error
})

// endSessionOf signs out another device.
export const endSessionOf = id => call("sessions/" + encodeURIComponent(id), {method: "DELETE"})

// hasPassword promises whether the service asks for a password. It sends HEAD, because to the worker a 401 to any GET
// is the end of a session.
export async function hasPassword() {
	const options = {method: "HEAD", credentials: "omit", cache: "no-store", headers: {"X-Flats": dataId}}
	const {status} = await fetch(base, options).catch(() => ({status: 0}))
	return status === 401
}
