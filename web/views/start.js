// Start: how an empty service begins, with the first flat, and with the steps that make the service run by itself. It
// exports show, as all views do (see app.js).

import {call} from "../lib/api.js"
import {fill, h} from "../lib/dom.js"
import {look} from "../lib/flats.js"
import {tally} from "../lib/query.js"
import {loadSettings, setting} from "../lib/settings.js"
import {hashOf} from "../lib/state.js"
import {store} from "../lib/storage.js"
import {countNews, startKey} from "../parts/bar.js"
import {icon} from "../parts/icons.js"
import {attempt, failed, reason, tell} from "../parts/notice.js"
import {example, makeWelcome} from "../parts/welcome.js"
import {t} from "../words/format.js"
import {s} from "../words/settings.js"

// steps has the steps by the section of Settings that each leads to. A function reports whether its step is done; it
// gets the devices with push messages.
const steps = {
	where: () => regions().some(({near, areas}) => near || areas),
	places: () => regions().some(({time_to: to}) => Object.keys(to ?? {}).length > 0),
	listings: () => setting("mailbox") != null,
	messages: devices => setting("notify")?.url != null || devices.length > 0,
	people: () => setting("people")?.length > 0,
}

const regions = () => Object.values(setting("constraints") ?? {})

// show fills root with the field for the first flat and the steps. From then on the view is in the menu, until all
// steps are done or the user hides it.
export async function show(root, route, signal) {
	const list = h("ol.rowed")
	const refused = h("p.wrong")
	const tryIt = h("button", s.try_example, {click: () => attempt(importExample)})
	const hide = h("button.link", s.hide, {click: () => {
		store(startKey, "over")
		location.hash = "#/"
	}})
	store(startKey, "open")
	const welcome = makeWelcome()
	const dropWords = ({total}) => total > 0 && welcome.lastChild.remove() // they say that there is no flat
	look({}, tally, {signal}).then(dropWords, () => {/* they stay */})
	fill(root, h("h1", t.start), welcome, h("div.line", tryIt, h("span.soft", s.example_how)),
		h("h2", s.by_itself), h("p.soft", s.any_order), refused, list, h("div.line", hide))
	try {
		const [{data: {devices}}] = await Promise.all([call("push", {signal}), loadSettings(signal)])
		fill(list, Object.entries(steps).map(([name, isDone]) => stepLine(name, isDone(devices))))
		if (Object.values(steps).every(isDone => isDone(devices))) store(startKey, "over")
	} catch (error) {
		if (signal.aborted) throw error
		if (error.status === 403) fill(refused, reason(error))
		else failed(error, () => location.reload())
	}
	document.querySelector("#menu [data-view=start]").hidden = false
}

const stepLine = (name, isDone) => h("li.step-line", {data: {step: name, isDone}},
	h("span.done", isDone && icon("done"), {role: "img", label: isDone ? s.is_done : s.not_done}),
	h("p", h("b", s["step_" + name]), " ", h("span.soft", s[`step_${name}_gives`])),
	h("a.button", isDone ? s.change : s["step_" + name + "_do"], {href: "#/settings/" + name}))

// importExample imports the example and shows it.
async function importExample() {
	await call("import", {method: "POST", body: example})
	countNews().catch(() => {})
	tell(s.example_came)
	location.hash = hashOf("list")
}
