// Visits: what is ahead, day by day, and how a calendar follows it.

import {feedURL, find, flats, keyOf, onChange, statusOf} from "./api.js"
import {fill, h} from "./dom.js"
import {clock, instant, longDay, span, statusName, timed} from "./format.js"
import {failed, say, title} from "./notice.js"
import {visits as visitsParameters} from "./offline.js"
import {addressLink, phoneLink} from "./parts.js"
import {flatHash, trail} from "./state.js"
import {t} from "./strings.js"

const hour = 3_600_000 // as in the feed
let agenda

export async function show(root, route, signal) {
	agenda = h("div")
	fill(root, h("h1", t.visits, {tabindex: -1}), h("div.columns", agenda, subscribe()))
	onChange(render, signal)
	await find(visitsParameters(), {}, {signal}).then(render, failed)
}

function render() {
	const start = flat => instant(flat.visit_date)
	const over = flat => start(flat) + (timed(flat.visit_date) ? hour : 24 * hour) < Date.now()
	const all = [...flats.values()].filter(flat => start(flat) != null).sort((a, b) => start(a) - start(b))
	const ahead = all.filter(flat => !over(flat))
	const past = all.filter(over).reverse()
	fill(agenda, ahead.length ? days(ahead) : h("div.empty", h("h2", t.no_visits), h("p", t.no_visits_hint)),
		past.length > 0 && [h("h2", t.past_visits), days(past)])
	Object.assign(trail, {hash: "#/visits", ids: [...ahead, ...past].map(keyOf), more: null})
}

const days = all => all.map((flat, i) => {
	const [before, day] = [all[i - 1], flat].map(flat => flat && longDay(flat.visit_date))
	return [day !== before && h("h2", day), visit(flat), between(flat, all[i + 1])]
})

function visit(flat) {
	const start = instant(flat.visit_date)
	return h("div.visit", h("p.when", timed(flat.visit_date) && [h("b", clock(start)), `– ${clock(start + hour)}`]),
		h("div", h("h3", h("a", title(flat), {href: flatHash(flat.id)})),
			h("p.about", [addressLink(flat), flat.phone && phoneLink(flat.phone)].map(item => item && h("span", item)))),
		h("span.badge", statusName(statusOf(flat)), {"data-status": statusOf(flat)}))
}

function between(flat, next) {
	const gap = next && instant(next.visit_date) - instant(flat.visit_date) - hour
	if (!(gap > -hour) || gap > 8 * hour) return null
	const kind = gap < 0 ? "overlap" : "gap"
	return h("p." + kind, t[kind].replace("#", span(Math.abs(gap))))
}

function subscribe() {
	const url = feedURL()
	const input = h("input#feed", {readonly: "", value: url})
	const copy = h("button", t.copy, {click: () => {
		input.select()
		document.execCommand("copy") // the newer way is for https alone
		fill(copy, t.copied)
		say(t.copied)
	}})
	return h("aside.subscribe", h("h2", t.subscribe),
		h("label", t.feed, {for: "feed"}), h("div.line", input, copy),
		h("a.button", t.open_calendar, {href: url.replace(/^https?/, "webcal")}),
		h("dl", ["Google", "Apple", "Outlook", "Thunderbird"].map(name => h("div", h("dt", name), h("dd", t["in_" + name.toLowerCase()])))))
}
