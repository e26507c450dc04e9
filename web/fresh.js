// A view says that it has changed elsewhere, and changes when it is told to.

import {fill, h} from "./dom.js"
import {t} from "./strings.js"

/** watch gives the fresh of a view: where changed() promises true, the bar offers show(). */
export function watch(bar, changed, show) {
	return async () => {
		if (!await changed().catch(() => false)) return // the next time will do
		fill(bar, h("button", t.changed_elsewhere, " · ", t.show, {click: () => fill(bar) ?? show()}))
	}
}
