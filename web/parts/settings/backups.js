// The section "Backups": archives that the service makes every night, to download.

import {base, call} from "../../lib/api.js"
import {fill, h} from "../../lib/dom.js"
import {dayAndTime, text} from "../../words/format.js"
import {s} from "../../words/settings.js"
import {errorLine} from "../runs.js"
import {inBytes} from "./photos.js"

export const backupsSection = {
	async watch(element, signal) {
		const load = async () => fill(element, report((await call("backups", {signal})).data))
		await load()
		return {load, onMinute: () => load().catch(() => {/* what is shown will do */})}
	},
}

// lastInWords says when the last archive was made, or why there is none.
function lastInWords({keep, archives: [last]}) {
	if (last) return text(s.backup_last, {date: dayAndTime(last.date)})
	return keep > 0 ? s.backups_none : s.backups_off
}

// report shows the archives.
const report = ({keep, error, archives}) => [
	h("p", lastInWords({keep, archives})),
	errorLine(s.last_error, error),
	archives.length > 0 && h("ul.plain", archives.map(({name, date, bytes}) => h("li",
		h("a", name, {href: new URL("backups/" + encodeURIComponent(name), base).href, download: name}),
		" ", h("span.soft", [dayAndTime(date), inBytes(bytes)].join(" · "))))),
	archives.length > 0 && h("p.soft", s.backups_hold),
]
