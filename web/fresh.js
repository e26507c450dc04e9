// A view says that it has changed elsewhere, and changes when it is told to.

import {find} from "./api.js"
import {fill, h} from "./dom.js"
import {t} from "./strings.js"

/** watch gives the fresh of a view: where changed() promises true, the bar offers show(). */
export function watch(bar, changed, show) {
	return async () => {
		try {
			if (!await changed()) return
			fill(bar, h("button", t.changed_elsewhere, " · ", t.show, {click: () => fill(bar) ?? show()}))
		} catch {/* the next time will do */}
	}
}

/**
 * changes gives a function that promises whether a view's flats are more, fewer
 * or of other statuses than at its last call.
 */
export function changes(parameters, signal) {
	let tag, before
	return async () => {
		const what = {"page[size]": 1, fields: "status", counts: "status"}
		const found = await find(parameters, what, {signal, since: tag})
		const now = found && JSON.stringify(found.counts)
		const changed = Boolean(found && before && now !== before)
		if (found) [tag, before] = [found.tag, now]
		return changed
	}
}
