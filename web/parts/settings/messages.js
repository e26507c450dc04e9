// The section "Messages": the devices and the receiver that get messages, a test, and the saved views that send them.

import {call} from "../../lib/api.js"
import {fill, h} from "../../lib/dom.js"
import {isFixed, secretHost, setting} from "../../lib/settings.js"
import {dayAndTime, t, text} from "../../words/format.js"
import {s} from "../../words/settings.js"
import {copy} from "../copy.js"
import {field, wrongAt} from "../form.js"
import {attempt, reason} from "../notice.js"
import {qrImage} from "../qr.js"
import {errorLine} from "../runs.js"
import {bell, showViews} from "../savedviews.js"
import {receivers} from "./data.js"
import {makeDevices} from "./devices.js"

export const messagesSection = {keys: ["notify"], draw, watch, extra: makeViewList}

// watch shows in an element which devices get messages, and whether messages arrive at the receiver, with a button that
// tests that.
async function watch(element, signal) {
	const result = h("p", {role: "status"})
	const test = h("button", s.test, {type: "button", click: async () => {
		fill(result, s.sending)
		fill(result, ...await sendTest())
		load().catch(() => {/* the result of the test says enough */})
	}})
	const nobody = h("p", t.told_nobody)
	const devices = makeDevices(load)
	const report = h("div")
	const receiver = h("div.receiver", report, h("div.line", test, result))
	fill(element, nobody, devices.element, receiver)

	async function load() {
		const [{data: {configured, last, error}}, {data: {devices: list}}] =
			await Promise.all([call("notify", {signal}), call("push", {signal})])
		nobody.hidden = configured || list.length > 0
		receiver.hidden = !configured
		const lastMessage = last ? text(s.told_last, {date: dayAndTime(last)}) : s.told_never
		fill(report, h("p", lastMessage), errorLine(s.told_wrong, error))
		await devices.show(list)
	}

	await attempt(load)
	return {load, onMinute: () => load().catch(() => {/* what is shown will do */})}
}

// sendTest sends an example to the receiver, and promises the result as elements.
async function sendTest() {
	try {
		const {data: {status}} = await call("notify", {method: "POST"})
		return [text(s.test_taken, {status})]
	} catch (error) {
		return [h("span.wrong", t.failed + " " + reason(error))]
	}
}

// makeViewList lists the saved views, each with its bell.
function makeViewList(signal) {
	const list = h("ul.plain")
	showViews(views => fill(list, views.length > 0 ? views.map(viewLine) : h("li.soft", s.none_saved)), signal)
	return [h("h3", t.saved), h("p.soft", s.notify_what), list]
}

function viewLine(view) {
	const {name, page} = view
	return h("li.line", bell(view), page ? h("a", name, {href: page}) : name)
}

// randomTopic returns a topic for ntfy that nobody can guess: whoever knows the topic can read the messages.
const randomTopic = () => "flats-" + [...crypto.getRandomValues(new Uint8Array(16))]
	.map(byte => (byte % 36).toString(36)).join("")

// draw makes the form (section.js). The choice "keep" leaves the receiver, which may be a secret, as it is.
function draw() {
	const fixed = isFixed("notify")
	const storedNotify = setting("notify")
	const hasReceiver = storedNotify?.url != null
	const shownHost = hasReceiver && URL.canParse(storedNotify.url) ? new URL(storedNotify.url).host : ""
	const host = secretHost("notify") || shownHost
	const kinds = ["none", ...Object.keys(receivers)]
	if (hasReceiver) kinds.unshift("keep")
	const kind = h("select", kinds.map(name => h("option", text(s["receiver_" + name], {host}), {value: name})))
	kind.addEventListener("change", show)
	const remind = h("input", {type: "time", value: storedNotify?.remind ?? ""})
	const fields = h("div.fields-of")
	let controls = {}
	const element = h("div.fields-of", field(s.receiver, kind, "notify", {fixed}), fields,
		field(s.remind, remind, "notify.remind", {hint: s.remind_how, fixed}))
	show()

	// show shows the fields of the chosen receiver.
	function show() {
		controls = {}
		const isNtfy = kind.value === "ntfy"
		const names = receivers[kind.value]?.fields ?? []
		const initial = {server: "https://ntfy.sh", topic: randomTopic()}
		for (const name of names) controls[name] = h(name === "template" ? "textarea" : "input",
			{value: initial[name] ?? "", autocomplete: "off", spellcheck: "false"})
		const paths = {chat: "notify.body", template: "notify.body"} // the other fields are parts of notify.url
		const code = h("div") // the QR code of the topic's address, for the ntfy app on a phone
		const addressOfTopic = () => `${controls.server.value.replace(/\/+$/, "")}/${controls.topic.value}`
		const drawCode = () => fill(code, qrImage(addressOfTopic(), s.topic) ?? "")
		fill(fields, isNtfy && [h("ol.steps-of", s.ntfy_steps.map(step => h("li", step))), code],
			names.map(name => field(s[name], controls[name], paths[name] ?? "notify.url", {hint: s[name + "_how"]},
				name === "topic" && h("button", t.copy, {type: "button", click: () => copy(controls.topic.value)}))),
			receivers[kind.value] && h("p.soft", s.receiver_sees))
		if (!isNtfy) return
		for (const control of Object.values(controls)) control.addEventListener("input", drawCode)
		drawCode()
	}

	return {element, read() {
		const time = remind.value && {remind: remind.value}
		if (kind.value === "keep") {
			const rest = {...storedNotify}
			delete rest.remind
			return {notify: {...rest, ...time}}
		}
		if (kind.value === "none") return {notify: time || null}
		for (const [name, {value}] of Object.entries(controls)) {
			const path = name === "chat" ? "notify.body" : "notify.url"
			if (!value.trim() && name !== "template") throw wrongAt(path, s.fill_in)
		}
		const typed = Object.fromEntries(Object.entries(controls).map(([name, {value}]) => [name, value.trim()]))
		return {notify: {...receivers[kind.value].make(typed), ...time}}
	}}
}
