// The section "Listings": the mailbox from which listings come, and the other ways for them to come.

import {call} from "../../lib/api.js"
import {fill, h, outward} from "../../lib/dom.js"
import {hasSetting, isFixed, setting} from "../../lib/settings.js"
import {ago, count, dayAndTime, t, text} from "../../words/format.js"
import {s} from "../../words/settings.js"
import {makeBookmarklet} from "../bookmarklet.js"
import {copy} from "../copy.js"
import {clearWrong, field, showWrong, wrongAt} from "../form.js"
import {reason, say} from "../notice.js"
import {errorLine, showState} from "../runs.js"
import {providerOf} from "./data.js"

export const listingsSection = {keys: ["mailbox"], draw, extra: otherWays,
	watch: (element, signal) => showState(element, "mailbox", report, signal, isFirstLook)}

// isFirstLook reports whether the mailbox is being read for the first time, which may take minutes.
const isFirstLook = ({last, error}) => !last && !error

// report shows the state of the mailbox. from has the domains of the setting. mails is the number of mails from these
// senders since the service started, others the number from all other senders.
function report({configured, last, mails, listings, others, from, error}) {
	if (!configured) return h("p", s.mailbox_none)
	const lastLook = last && text(s.mailbox_last, {date: ago(last), listings: count(s.listings_came, listings)})
	return [
		h("p", lastLook || !error && s.mailbox_never, last && {title: dayAndTime(last)}),
		(last || error) && h("p", count(s.mails_came, mails)),
		from && mails === 0 && others > 0 && h("p", count(s.mails_others, others) + " " + from.join(", ")),
		errorLine(s.last_error, error),
	]
}

// draw makes the form (section.js).
function draw(changed) {
	const fixed = isFixed("mailbox")
	const storedMailbox = setting("mailbox")
	const storedAddress = addressOf(storedMailbox?.url)
	const address = h("input", {value: storedAddress.user, autocomplete: "off", inputmode: "email", spellcheck: "false",
		input: showProvider})
	const password = h("input", {type: "password", autocomplete: "off",
		placeholder: storedMailbox?.password ? s.kept_password : ""})
	const folder = h("input", {value: storedAddress.folder, autocomplete: "off", spellcheck: "false"})
	const server = h("input", {value: storedAddress.server, autocomplete: "off", inputmode: "url", spellcheck: "false"})
	const senders = h("input", {value: (storedMailbox?.from ?? []).join(", "), autocomplete: "off", spellcheck: "false"})
	const certificate = h("input", {value: storedMailbox?.certificate ?? "", autocomplete: "off", spellcheck: "false"})
	const needNote = h("p.soft", {role: "status"})
	const result = h("div.told", {role: "status"})
	const furtherFields = h("details", h("summary", s.mail_details),
		field(s.mail_server, server, "mailbox.url", {hint: s.mail_server_how, fixed}),
		field(s.certificate, certificate, "mailbox.certificate", {hint: s.certificate_how, fixed}),
		field(s.senders, senders, "mailbox.from", {hint: s.senders_how, fixed}))
	const tryButton = h("button", s.try, {type: "button", disabled: fixed, click: tryMailbox})
	const folderField = field(s.folder, folder, "mailbox.folder", {hint: s.folder_how, fixed})
	const element = h("div.fields-of", h("p.soft", s.mailbox_what),
		field(s.mail_address, address, "mailbox", {fixed}, needNote),
		field(s.password, password, "mailbox.password", {hint: s.password_how, fixed}),
		folderField, furtherFields, h("div.line", tryButton, h("span.soft", s.try_what)), result)
	let proposedServer = storedAddress.server
	showProvider()

	// showProvider proposes the server for the address, unless the user has typed a server, and says what users must turn
	// on there. A placeholder guesses the server of a provider that the page does not know.
	function showProvider() {
		const provider = providerOf(address.value)
		const helpLink = provider?.help && [" ", outward(provider.help, s.providers_page)]
		fill(needNote, provider?.need && [s[provider.need], helpLink])
		const isServerTyped = server.value !== proposedServer
		if (address.value.trim() === storedAddress.user) proposedServer = storedAddress.server
		else if (provider?.host) proposedServer = (provider.usesStartTLS ? "imap://" : "") + provider.host
		else proposedServer = ""
		if (!isServerTyped) server.value = proposedServer
		const [, domain = ""] = /@(.+)/.exec(address.value) ?? []
		server.placeholder = domain && "imap." + domain.trim()
	}

	// read returns the value of the setting, or null if no address is typed.
	function read() {
		const typed = address.value.trim()
		if (!typed) return null
		const provider = providerOf(typed)
		if (provider?.cannot) throw wrongAt("mailbox", s[provider.need])
		const [, scheme = "imaps://", host] = /^(imaps?:\/\/)?(.*)$/.exec(server.value.trim() || server.placeholder)
		if (!host) throw wrongAt("mailbox", s.whole_address)
		// Some providers (isLocal) want only what stands before the @ as the user. A stored user stays as it is.
		const user = provider?.isLocal && typed !== storedAddress.user ? typed.split("@")[0] : typed
		const path = folder.value.trim().split("/").map(encodeURIComponent).join("/")
		const url = `${scheme}${encodeURIComponent(user)}@${host}${path && "/" + path}`
		const from = senders.value.split(/[,;\s]+/).filter(Boolean)
		// A stored address stays as it is written, unless it was changed.
		const next = {...storedMailbox, url: sameAddress(url, storedMailbox?.url) ? storedMailbox.url : url, from}
		if (password.value || storedMailbox?.password) next.password = password.value || true // true keeps the stored one
		if (from.length === 0) delete next.from
		next.certificate = certificate.value.trim()
		if (!next.certificate) delete next.certificate
		return next
	}

	// tryMailbox tries the mailbox without storing anything. It shows the folders, and what the mails of the last week
	// would bring.
	async function tryMailbox() {
		const form = element.closest("form")
		clearWrong(form)
		fill(result, h("p", s.trying))
		try {
			const value = read()
			if (!value) throw wrongAt("mailbox", s.whole_address)
			const namesToSend = ["url", "password", "from", "certificate"].filter(name => value[name])
			const body = JSON.stringify(Object.fromEntries(namesToSend.map(name => [name, value[name]])))
			const {data} = await call("mailbox/try", {method: "POST", body, patience: 45_000})
			fill(result, outcome(data, chooseFolder))
		} catch (error) {
			const otherErrors = error.wrong ? showWrong(form, error.wrong) : `${t.failed} ${reason(error)}`
			fill(result, otherErrors && [h("p.wrong", otherErrors), h("p.soft", s.try_failed)])
		}
	}

	function chooseFolder(name) {
		folder.value = name
		changed()
		tryMailbox()
	}

	// readToSave is read for saving, which requires senders if the folder is the inbox.
	function readToSave() {
		const mailbox = read()
		const isInbox = /^(inbox)?$/i.test(folder.value.trim())
		if (mailbox && isInbox && !mailbox.from) throw wrongAt("mailbox.from", s.senders_needed)
		return {mailbox}
	}

	return {element, read: readToSave}
}

// outcome shows the result of a try: folders to choose from, and examples of listings. mails is null if no folder was
// chosen: then the service only lists the folders.
function outcome({folders, mails, listings, examples}, choose) {
	const words = mails == null ? s.folders_found
		: text(count(s.try_brings, listings), {mails: count(s.n_mails, mails)})
	say(words)
	const example = ({title, cost, location}) => h("li", [title, cost, location].filter(Boolean).join(" · "))
	const folder = name => h("button", name, {type: "button", click: () => choose(name)})
	return [
		h("p", words),
		examples.length > 0 && h("ul.plain", examples.map(example)),
		h("div.line", {role: "group", label: s.folders}, folders.slice(0, 100).map(folder)),
	]
}

// addressOf parses the URL of a mailbox into {user, server, folder}. server is the host, with "imap://" before it if
// the URL has that scheme: without a scheme it is read as imaps.
function addressOf(url) {
	if (!url || !URL.canParse(url)) return {user: "", server: "", folder: ""}
	const {protocol, username, host, pathname} = new URL(url)
	return {user: decodeURIComponent(username), server: (protocol === "imap:" ? "imap://" : "") + host,
		folder: decodeURIComponent(pathname.slice(1))}
}

const sameAddress = (one, other) => JSON.stringify(addressOf(one)) === JSON.stringify(addressOf(other))

// otherWays shows how listings come without a mailbox.
function otherWays() {
	const address = new URL("api/v1/import", document.baseURI).href
	return h("details", h("summary", s.other_ways), makeBookmarklet(), h("p.soft", s.share_sheet),
		h("p", outward("https://github.com/orangecoding/fredy", "fredy"), ": ", s.fredy_how),
		h("div.line", h("code", address), h("button", t.copy, {type: "button", click: () => copy(address)})),
		hasSetting("import_token") && h("p", h("a", s.import_token, {href: "#/settings/access"})))
}
