// The devices that get push messages, for the section "Messages": this one, and a list of all.

import {call} from "../../lib/api.js"
import {fill, h} from "../../lib/dom.js"
import {ago, count, t, text} from "../../words/format.js"
import {s} from "../../words/settings.js"
import {reason} from "../notice.js"
import {errorLine} from "../runs.js"
import {deviceHere, isPhone, obstacle, tellHere, untellHere} from "../telling.js"

// makeDevices makes an element for the devices, {element, show}. show(devices) shows them; load requests them and shows
// them again.
export function makeDevices(load) {
	const element = h("div.devices")
	const result = h("p", {role: "status", tabindex: -1})
	let shown = ""

	// act does an action, shows that it is under way, then done or an error, and shows the devices again.
	async function act(action, done) {
		fill(result, s.sending)
		try {
			await action()
			fill(result, done)
		} catch (error) {
			fill(result, h("span.wrong", `${t.failed} ${error.status === undefined ? error.message : reason(error)}`))
		}
		await load().catch(() => {/* the result says enough */})
	}

	const begin = () => act(tellHere, isPhone ? s.phone_told : s.device_told)
	const test = device => act(() => call("push/" + device.id, {method: "POST"}),
		text(s.device_tested, {name: nameOf(device)}))
	const remove = (device, isHere) => act(async () => {
		if (isHere) await untellHere()
		await call("push/" + device.id, {method: "DELETE"}).catch(error => {
			if (error.status !== 404) throw error // it was already removed
		})
	}, text(t.removed, {name: nameOf(device)}))

	const line = (device, isHere) => h("li", h("p", h("b", nameOf(device)), " ",
		h("span.soft", isHere ? s.this_device : lastOf(device))), errorLine(s.told_wrong, device.error),
	h("div.line", h("button", s.test_device, {type: "button", label: text(s.test_named, {name: nameOf(device)}),
		click: () => test(device)}),
	h("button.destroys", s.remove_device, {type: "button", label: text(t.remove, {name: nameOf(device)}),
		click: () => remove(device, isHere)})))

	async function show(devices) {
		const here = await deviceHere(devices)
		const hindrance = here ? "" : obstacle()
		const nextState = JSON.stringify([devices, here, hindrance])
		if (nextState === shown) return // keep the elements, one of which may have the focus
		shown = nextState
		const isFocused = element.contains(document.activeElement)
		const hereInWords = here && `${isPhone ? s.phone_told : s.device_told} · ${lastOf(here)}`
		const state = hereInWords || devices.length > 0 && count(s.devices_told, devices.length)
		const beginButton = h("button", s.tell_device, {type: "button", click: begin})
		const offer = hindrance ? h("p.soft", hindrance) : [h("p.soft", s.tell_device_how), h("div.line", beginButton)]
		const list = devices.map(device => line(device, device.id === here?.id))
		fill(element, state && h("p", state), !here && offer, list.length > 0 && h("ul.plain", list), result)
		if (isFocused) result.focus()
	}

	return {element, show}
}

// nameOf returns the name of a device.
const nameOf = ({name}) => name || s.unnamed_device

// lastOf writes when a device last got a message.
const lastOf = ({last}) => (last ? text(s.last_message, {time: ago(last)}) : s.no_message_yet)
