// Mailbox: when the service last read it, how many mails and listings came, and what has failed. It exports show, as
// all views do (see app.js).

import {fill, h} from "../lib/dom.js"
import {setUp, showState, wrong} from "../parts/runs.js"
import {count, dayAndTime, t, text} from "../words/format.js"

// show fills root with the state of the mailbox, or with what to write into the config.
export async function show(root, route, signal) {
	const state = h("div.card.told")
	fill(root, h("h1", t.mailbox), h("p", t.mailbox_what), state)
	const {passes} = await showState(state, "mailbox", draw, signal)
	return {passes}
}

const draw = data => (data.configured ? report(data)
	: [setUp(t.mailbox_none, t.mailbox_steps, example), h("p.soft", t.mailbox_read)])

const report = ({last, mails, listings, others, from, error}) => [
	h("p", last ? text(t.mailbox_last, {date: dayAndTime(last)}) : !error && t.mailbox_never),
	h("p", text(count(t.mails_came, mails), {listings: count(t.listings_came, listings)})),
	from && mails === 0 && others > 0 && h("p", count(t.mails_others, others) + " " + from.join(", ")),
	wrong(t.last_error, error),
]

const example = `"mailbox": {"url": "imaps://me%40example.org@imap.example.org/Flats", "password": "…"}`
