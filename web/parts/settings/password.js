// The password of the household, in the section "Access". The event "password" reports a change.

import {call} from "../../lib/api.js"
import {fill, h} from "../../lib/dom.js"
import {hasSetting, setting} from "../../lib/settings.js"
import {t} from "../../words/format.js"
import {s} from "../../words/settings.js"
import {clearWrong, field, showWrong, wrongAt} from "../form.js"
import {reason, say, tell} from "../notice.js"

// Numbers of characters, as in the service
const minLength = 8
const maxLength = 256

// passwordForm makes the form that sets or changes the password. If only the service's computer may set the first one,
// it says so.
export function passwordForm(hasPassword) {
	if (!hasPassword && !hasSetting("website_url")) return h("p.soft", s.first_password)
	const secret = autocomplete => h("input", {type: "password", autocomplete, maxlength: maxLength})
	const old = secret("current-password")
	const password = secret("new-password")
	const again = secret("new-password")
	const strength = h("p.soft", {role: "status"})
	const trouble = h("p.wrong", {role: "alert"})
	const button = h("button", hasPassword ? s.change_password : s.set_password)
	// Password managers need the name of a user.
	const user = h("input", {type: "text", autocomplete: "username", value: "me", hidden: true})
	const form = h("form.settings.password", {submit: save, novalidate: ""}, user,
		hasPassword && field(s.old_password, old, "old"),
		field(s.new_password, password, "password", {hint: s.password_hint}, strength),
		field(s.password_again, again, "again"), trouble, h("div.line", button))
	password.addEventListener("input", () => {
		const words = password.value && s.strengths[strengthOf(password.value)]
		if (words !== strength.textContent) fill(strength, words)
	})

	async function save(event) {
		event.preventDefault()
		if (button.ariaDisabled === "true") return
		clearWrong(form)
		fill(trouble)
		button.ariaDisabled = "true" // disabled would take the focus from it
		try {
			check()
			const body = {password: password.value}
			if (hasPassword) body.old = old.value
			await call("password", {method: "PUT", body: JSON.stringify(body)})
			done()
		} catch (error) {
			const otherErrors = showWrong(form, wrongOf(error, hasPassword)) // those of no field
			fill(trouble, otherErrors)
			if (!otherErrors) say(s.see_fields)
		}
		button.ariaDisabled = null
	}

	function check() {
		const {length} = [...password.value]
		if (length < minLength || length > maxLength) throw wrongAt("password", s.password_length)
		if (password.value !== again.value) throw wrongAt("again", s.not_the_same)
		if (hasPassword && !old.value) throw wrongAt("old", s.fill_in)
	}

	function done() {
		form.reset()
		fill(strength)
		// With a password, the address of the calendar needs its token, which only a new page has.
		const needsToken = !hasPassword && setting("feed_token")
		if (needsToken) tell(s.open_anew, {act: [t.open_again, () => location.reload()]})
		else tell(hasPassword ? s.password_changed : s.password_is_set)
		dispatchEvent(new Event("password"))
	}

	return form
}

// wrongOf returns the errors of a failed request by the path of their field; "" is for errors of no field.
function wrongOf(error, hasPassword) {
	if (error.wrong) return error.wrong
	if (error.status === 403) return hasPassword ? {old: s.old_is_wrong} : {password: s.first_password}
	if (error.status === 409) return {password: s.password_fixed}
	return error.status === 400 ? {password: error.message} : {"": `${t.failed} ${reason(error)}`}
}

// frequent matches words that are guessed first. Each counts as one character.
const frequent = new RegExp("passw(or)?[dt]|passwort|motdepasse|kennwort|qwert[yz]|azerty|flats?|hallo|hello|bonjour|" +
	"soleil|admin|(19|20)\\d\\d", "g")

// bitsOfCharacter has the bits of one character, by the number of kinds of characters in the password, from one to
// four: log2 of 10, 26, 48 and 64.
const bitsOfCharacter = [3.3, 4.7, 5.6, 6]

// strengthOf estimates how long a password resists guesses: 0 too short, 1 weak, 2 fair from 40 bits on, 3 strong from
// 60 on. Characters that follow from the one before, as in "aaa", "abc" and "321", do not count, and the same character
// counts only twice on average.
export function strengthOf(password) {
	if ([...password].length < minLength) return 0
	const characters = [...password.toLowerCase().replace(frequent, "§")]
	const isSurprise = (character, at) =>
		at === 0 || Math.abs(character.codePointAt() - characters[at - 1].codePointAt()) > 1
	const surprises = characters.filter(isSurprise)
	const kinds = [/\d/, /\p{Ll}/u, /\p{Lu}/u, /[^\d\p{Ll}\p{Lu}]/u].filter(kind => kind.test(password))
	const counted = Math.min(surprises.length, 2 * new Set(surprises).size)
	const bits = counted * bitsOfCharacter[kinds.length - 1]
	if (bits < 40) return 1
	return bits < 60 ? 2 : 3
}
