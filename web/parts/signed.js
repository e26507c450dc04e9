// The end of the hunt: once a flat is signed, a dialog offers to inform the advertisers of the other flats on the
// shortlist, and to turn off notifications.

import {call, viewPath} from "../lib/api.js"
import {h, loadStyle, openDialog} from "../lib/dom.js"
import {keyOf, shortlisted} from "../lib/fields.js"
import {find, flats} from "../lib/flats.js"
import {changeIds, keptIds} from "../lib/keptlists.js"
import {dueFields} from "../lib/query.js"
import {title} from "../words/flats.js"
import {count, t, text} from "../words/format.js"
import {flatLink} from "./flats.js"
import {noLonger, showMessage} from "./message.js"
import {failed, showDecision} from "./notice.js"
import {refreshViews} from "./savedviews.js"

const key = "flats.signed" // the list in storage of flats for which the dialog was shown

// offerEnd opens the dialog for a signed flat, once.
export async function offerEnd(id) {
	if (keptIds(key).includes(id)) return
	const asked = [find({}, {"any[status]": shortlisted, fields: dueFields.join()}), call("views"), loadStyle()]
	const [found, views] = await Promise.all(asked).catch(() => []) // without a network, nothing can be offered
	if (!found) return
	const others = found.flats.filter(flat => keyOf(flat) !== id)
	const notifying = views.data.filter(({notify}) => notify)
	if (others.length + notifying.length === 0) return
	changeIds(key, ids => [...ids, id])
	const writeTo = flat => showMessage(dialog, flat, () => {}, noLonger)
	const dialog = h("dialog.signed", {label: text(t.signed_for, {name: title(flats.get(id))})},
		h("h2", text(t.signed_for, {name: title(flats.get(id))})),
		others.length > 0 && [h("p", t.signed_ask), h("ul.plain", others.map(flat => otherLine(flat, () => writeTo(flat))))],
		h("div.line", h("button.primary", t.close, {click: () => dialog.close()}), notifying.length > 0 &&
			h("button", count(t.bells_off, notifying.length), {click: ({target}) => silence(notifying, target)})))
	dialog.addEventListener("click", ({target}) => {
		if (target.closest("a[href^='#/flat']")) dialog.close()
	})
	openDialog(document.getElementById("main"), dialog)
}

// otherLine makes the line for another flat. click opens the message to its advertiser.
const otherLine = (flat, click) => h("li.line", flatLink(flat),
	h("button", t.message, {label: `${t.message}: ${title(flat)}`, click}))

// silence turns off notifications about views, and removes the button that was pressed for it.
async function silence(views, button) {
	const setAll = async members => {
		for (const {name} of views) await call(viewPath(name), {method: "PUT", body: JSON.stringify(members)})
		await refreshViews()
	}
	button.disabled = true
	try {
		await setAll({notify: false})
		button.remove()
		showDecision(t.bells_are_off, () => setAll({notify: true}))
	} catch (error) {
		button.disabled = false
		failed(error, () => silence(views, button), t.not_saved)
	}
}
