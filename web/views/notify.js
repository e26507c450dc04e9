// Tell me: whether messages about saved views arrive, and about which ones they are sent. It exports show,
// as all views do (see app.js).

import {call} from "../lib/api.js"
import {fill, h} from "../lib/dom.js"
import {reason} from "../parts/notice.js"
import {setUp, showState, wrong} from "../parts/runs.js"
import {bell, showViews} from "../parts/savedviews.js"
import {dayAndTime, t, text} from "../words/format.js"

// show fills root with the state of the receiver, a test, and the saved views.
export async function show(root, route, signal) {
	const state = h("div.card.told")
	const result = h("p", {role: "status"})
	const list = h("ul")
	fill(root, h("h1", t.notify), h("p", t.notify_what), state, h("h2", t.saved), list)
	showViews(views => fill(list, views.length > 0 ? views.map(viewLine) : h("li.soft", t.none_saved)), signal)

	const test = h("button.primary", t.test, {click: async () => {
		fill(result, t.sending)
		fill(result, ...await sendTest())
		load().catch(() => {/* the result of the test says enough */})
	}})

	const draw = data => (data.configured ? [receiver(data), h("div.line", test, result)]
		: setUp(t.told_nobody, t.notify_steps, example))
	const {load, passes} = await showState(state, "notify", draw, signal)
	return {passes}
}

// sendTest sends an example to the receiver, and returns the result in words.
async function sendTest() {
	try {
		const {data: {status}} = await call("notify", {method: "POST"})
		return [text(t.test_taken, {status})]
	} catch (error) {
		return [h("span.wrong", t.failed + " " + reason(error))]
	}
}

// receiver says when the receiver last accepted a message, and what has failed since then.
const receiver = ({last, error}) => [
	h("p", last ? text(t.told_last, {date: dayAndTime(last)}) : t.told_never),
	wrong(t.told_wrong, error),
]

// A topic of ntfy.sh is open to everyone who knows its name, so the example has one that nobody can guess.
const topic = "flats-" + [...crypto.getRandomValues(new Uint32Array(2))].map(part => part.toString(36)).join("")
const example = `"notify": {"url": "https://ntfy.sh/${topic}"}`

function viewLine(view) {
	const {name, page} = view
	return h("li.line", bell(view), page ? h("a", name, {href: page}) : name)
}
