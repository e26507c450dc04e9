// "Message": a text about a flat in the language of its listing, to copy or to send by mail or text message. In the
// middle are the flat's title, address, cost and link; before and after are the user's own words. Those begin as an
// example, and this browser stores them for each language. The cost is left out if the flat has no price.

import {h, openDialog} from "../lib/dom.js"
import {keyOf, priceOf} from "../lib/fields.js"
import {getFlat} from "../lib/flats.js"
import {linksOf} from "../lib/links.js"
import {dialled} from "../lib/phone.js"
import {store, stored} from "../lib/storage.js"
import {addressOf, cost, title} from "../words/flats.js"
import {locale, t} from "../words/format.js"
import {languageOf, letters} from "../words/letters.js"
import {copy} from "./copy.js"

// The two messages. key names the user's words in storage; example names the example of the words before the flat in
// letters, the texts by language. A message with isFirst also says who writes.
const asking = {key: "flats.message", example: "before", isFirst: true}
export const noLonger = {key: "flats.no_longer", example: "no_longer"}

// whoWeAre is what the people say of themselves in the settings. The service writes it into the page.
const whoWeAre = document.querySelector("meta[name=flats-who-we-are]")?.content.trim()

const parts = ["before", "after"]

// ownWords returns the user's words by language, {language: {before, after}}. Earlier versions stored one {before,
// after}.
function ownWords(key) {
	const kept = stored(key) ?? {}
	const earlier = parts.filter(part => typeof kept[part] === "string").map(part => [part, kept[part]])
	if (earlier.length === 0) return kept
	return {[languageOf(earlier.flat().join(" "))]: Object.fromEntries(earlier)}
}

// languageOfFlat guesses the language of a flat's listing. Rows of a list have no text, so it may be wrong for them.
const languageOfFlat = flat => languageOf(`${title(flat)}\n${flat.text ?? ""}`)

// showMessage opens the dialog in an element. It calls onSent() once the message is copied, or passed to the program
// that sends it.
export async function showMessage(element, flat, onSent, {key, example, isFirst} = asking) {
	let language, words, isTouched
	const price = priceOf(flat) != null && cost(flat)
	const facts = [title(flat), addressOf(flat), price, linksOf(flat)[0]].filter(Boolean).join("\n")
	const aboutUs = isFirst && whoWeAre
	const message = () => [words.before, facts, aboutUs, words.after].filter(part => part?.trim()).join("\n\n")
	const boxes = Object.fromEntries(parts.map(part => [part, h("textarea", {input: ({target}) => {
		isTouched = true
		words[part] = target.value
		store(key, {...ownWords(key), [language]: words})
		updateLinks()
	}})]))
	const displayNames = new Intl.DisplayNames(locale, {type: "language"})
	const names = Object.keys(letters).map(code => [code, displayNames.of(code)])
		.sort(([, a], [, b]) => a.localeCompare(b, locale))
	const choice = h("select", names.map(([value, name]) => h("option", name, {value})),
		{change: () => {
			isTouched = true
			write(choice.value)
		}})
	const mail = h("a.button", t.mail, {click: closeAndTell})
	const sms = h("a.button", t.text_message, {click: closeAndTell})
	const close = () => dialog.close()
	const toSettings = h("a", aboutUs ? t.change_who_we_are : t.say_who_we_are,
		{href: "#/settings/people", click: close})
	const dialog = h("dialog.message", {label: t.message}, h("h2", t.message),
		h("label.field", t.message_language, choice),
		h("label.field", t.words_before, boxes.before), h("p.text", facts),
		aboutUs && h("p.text", aboutUs), isFirst && h("p", toSettings),
		h("label.field", t.words_after, boxes.after),
		h("div.line", h("button.primary", t.copy, {click: copyAndClose}), mail, flat.phone && sms,
			h("button", t.close, {click: close})))

	// write fills in the words of a language.
	function write(code) {
		language = choice.value = code
		words = {before: letters[code][example], after: letters[code].after, ...ownWords(key)[code]}
		for (const part of parts) Object.assign(boxes[part], {value: words[part], lang: code})
		updateLinks()
	}

	// updateLinks puts the message into the links: browsers would block a script that opens one. A text message goes to
	// the number without its extension, which follows a comma.
	function updateLinks() {
		const [subject, body] = [title(flat), message()].map(encodeURIComponent)
		mail.href = `mailto:?subject=${subject}&body=${body}`
		sms.href = `sms:${dialled(String(flat.phone)).split(",")[0]}?body=${body}`
	}

	function copyAndClose() {
		dialog.close()
		if (copy(message())) onSent()
	}

	// closeAndTell closes the dialog, which would hide Undo.
	function closeAndTell() {
		dialog.close()
		onSent()
	}

	write(languageOfFlat(flat))
	openDialog(element, dialog)
	if ("text" in flat) return
	const whole = await getFlat(keyOf(flat)).catch(() => flat)
	if (!isTouched) write(languageOfFlat(whole))
}
