// "Message": a text about a flat, to copy, or to send by mail or text message. The words around the flat's title,
// address, cost and link are the user's own; they begin with an example, and this browser keeps them for all flats. A
// flat without a price has no cost there: the advertiser knows.

import {h, openDialog} from "../lib/dom.js"
import {priceOf} from "../lib/fields.js"
import {linksOf} from "../lib/links.js"
import {dialled} from "../lib/phone.js"
import {store, stored} from "../lib/storage.js"
import {addressOf, cost, title} from "../words/flats.js"
import {t} from "../words/format.js"
import {copy} from "./copy.js"

// The message that asks for a visit. key names the user's own words in the browser's storage: {before, after}.
const asking = {key: "flats.message", before: t.example_before, after: t.example_after}

// showMessage opens the dialog in an element, and removes it when it is closed. It calls sent when the text is
// copied or sent. key, before and after are the words around the facts, if they are not those of asking.
export function showMessage(element, flat, sent, {key, before, after} = asking) {
	const words = {before, after, ...stored(key)}
	const price = priceOf(flat) != null && cost(flat)
	const facts = [title(flat), addressOf(flat), price, linksOf(flat)[0]].filter(Boolean).join("\n")
	const message = () => [words.before, facts, words.after].filter(part => part.trim()).join("\n\n")
	const field = (part, label) => h("label.field", label, h("textarea", {value: words[part], input: ({target}) => {
		words[part] = target.value
		store(key, words)
		updateLinks()
	}}))
	const mail = h("a.button", t.mail, {click: sent})
	const sms = h("a.button", t.text_message, {click: sent})
	const dialog = h("dialog.message", {label: t.message}, h("h2", t.message),
		field("before", t.words_before), h("p.text", facts), field("after", t.words_after), h("div.line",
			h("button.primary", t.copy, {click: copyAndClose}), mail, flat.phone && sms,
			h("button", t.close, {click: () => dialog.close()})))

	// The links contain the text: if a script opened one later, the browser would block it. A text message goes to the
	// number without its extension.
	function updateLinks() {
		const [subject, body] = [title(flat), message()].map(encodeURIComponent)
		mail.href = `mailto:?subject=${subject}&body=${body}`
		sms.href = `sms:${dialled(String(flat.phone)).split(",")[0]}?body=${body}`
	}

	function copyAndClose() {
		dialog.close()
		copy(message())
		sent()
	}

	updateLinks()
	openDialog(element, dialog)
}
