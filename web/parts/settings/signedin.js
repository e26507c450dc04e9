// The devices that are signed in, for the section "Access".

import {fill, h} from "../../lib/dom.js"
import {askSessions, endSessionOf} from "../../lib/sessions.js"
import {day, t, text} from "../../words/format.js"
import {s} from "../../words/settings.js"
import {attempt, tell} from "../notice.js"

// showDevices fills an element with the devices that are signed in, and updates it when one is signed out.
export async function showDevices(element, signal) {
	const nameOf = ({name}) => (name === "?" ? t.unknown : name) // the service does not recognize all browsers
	const all = (await askSessions(signal)).map(device => ({...device, name: nameOf(device)}))
	fill(element, all.length > 0 && [h("h3", s.devices), h("ul.plain", all.map(line))])

	function line(device) {
		const days = text(s.device_days, {first: day(device.first), last: day(device.last)})
		const end = () => {
			if (device.this) dispatchEvent(new Event("sign-out")) // app.js signs this device out
			else attempt(() => signOut(device))
		}
		return h("li.line", h("b", device.name), device.this && h("span.tag", s.this_device), h("span.soft", days),
			h("button.destroys", t.sign_out, {type: "button", label: `${t.sign_out}: ${device.name}`, click: end}))
	}

	async function signOut({id, name}) {
		await endSessionOf(id).catch(error => {
			if (error.status !== 404) throw error // it has already ended
		})
		tell(text(s.device_out, {name}))
		await showDevices(element, signal)
	}
}
