// The question who uses this device, if the config names people.

import {h, openDialog} from "../lib/dom.js"
import {me, people, setMe} from "../lib/people.js"
import {t} from "../words/format.js"
import {forgetNotices} from "./notice.js"
import {forgetMark} from "./seen.js"

// askWho asks who uses this device, and calls done() after an answer. If it is another person than before, the view is
// shown anew, and what the person before has decided can no longer be undone here.
export function askWho(done = () => {}) {
	function choose(person) {
		const isOther = me() !== person
		if (isOther && me()) forgetNotices()
		if (isOther) forgetMark()
		setMe(person)
		dispatchEvent(new HashChangeEvent("hashchange"))
		done()
	}

	const choice = person => h("button", person, {"aria-pressed": String(person === me()), click: () => choose(person)})
	const form = h("form", {method: "dialog"}, h("h2#who", t.who), h("p.soft", t.who_why),
		h("div.line", people.map(choice)), h("div.line", h("button.link", t.close)))
	const dialog = h("dialog.naming.who", {"aria-labelledby": "who"}, form)
	if (!document.querySelector("dialog[open]")) openDialog(document.body, dialog)
}
