// The section "Shared links": the shared pages, until when they are open, and how often they were opened.

import {call} from "../../lib/api.js"
import {fill, h} from "../../lib/dom.js"
import {count, day, text} from "../../words/format.js"
import {s} from "../../words/settings.js"
import {failed, say} from "../notice.js"
import {ask} from "../question.js"

export const sharesSection = {
	async watch(element, signal) {
		const load = async () => fill(element, report((await call("shares", {signal})).data, end))

		async function end({id, title}) {
			if (!await ask(element, text(s.share_end_sure, {title}), s.share_end)) return
			try {
				await call("shares?" + new URLSearchParams({id}), {method: "DELETE"}).catch(error => {
					if (error.status !== 404) throw error // it has already ended
				})
				await load()
				element.closest("section").querySelector("h2").focus()
				say(text(s.share_ended, {title}))
			} catch (error) {
				failed(error, () => end({id, title}))
			}
		}

		await load()
		return {load, onMinute: () => load().catch(() => {/* what is shown will do */})}
	},
}

const report = (shares, end) => [
	h("p", shares.length > 0 ? count(s.n_shares, shares.length) : s.shares_none),
	shares.length > 0 && h("ul.plain", shares.map(share => h("li.line", h("b", share.title),
		h("span.soft", [text(s.share_until, {date: day(share.until)}), count(s.n_opened, share.opened),
			...share.with.map(extra => s["share_" + extra])].join(" · ")),
		h("button.destroys", s.share_end, {label: `${s.share_end}: ${share.title}`, click: () => end(share)})))),
]
