// The saved views: tabs and filters of the list under a name, which the service keeps for all devices.
//
// showViews shows them, bell makes the button that turns messages about one on and off, refreshViews asks for them
// again. Views that an earlier version kept in this browser are moved to the service.

import {call, viewPath} from "../lib/api.js"
import {h} from "../lib/dom.js"
import {markName} from "../lib/fields.js"
import {kept} from "../lib/kept.js"
import {changeElements, elements} from "../lib/keptlists.js"
import {conditionsOf} from "../lib/query.js"
import {parse} from "../lib/state.js"
import {relativeIn} from "../words/filters.js"
import {t, text} from "../words/format.js"
import {icon} from "./icons.js"
import {decided, failed} from "./notice.js"

export const putView = (name, members) => call(viewPath(name), {method: "PUT", body: JSON.stringify(members)})

// renameView gives a view another name. If that is taken, the other view leaves.
export const renameView = (was, name) =>
	call(`${viewPath(name)}&${new URLSearchParams({was})}`, {method: "PUT", body: "{}"})

const isShown = ({name}) => !name.startsWith(markName)
export const viewOf = name => kept.views.list.find(view => view.name === name)

// remove removes a view. It need not be there: another device may have removed it.
export const remove = name => call(viewPath(name), {method: "DELETE"}).catch(error => {
	if (error.status !== 404) throw error
})

const draw = () => dispatchEvent(new Event("views"))

// showViews calls act(views), now and whenever the views have changed, until the signal aborts. It returns the
// promise of an answer.
export function showViews(act, signal) {
	addEventListener("views", () => act(kept.views.list), {signal})
	draw()
	return refreshViews()
}

// refreshViews requests the views and shows them. If the request fails, the earlier ones stay.
export async function refreshViews() {
	const mine = kept.views.asked = call("views")
	try {
		const {data, asOf} = await mine
		if (mine !== kept.views.asked) return // a later answer is on its way
		kept.views.list = data.filter(isShown)
		if (!asOf && viewsHere().length > 0) await (kept.views.moving ??= moveViews())
		draw()
	} catch {/* the list does without */}
}

// alter makes a change at the service and shows the views after it. If the change fails, alter says so.
export async function alter(act) {
	try {
		await act()
		await refreshViews()
	} catch (error) {
		failed(error, () => alter(act), t.not_saved)
	}
}

// announce says what has changed, with "Undo", which calls back.
export const announce = (words, back) => decided(words, async () => {
	await back()
	await refreshViews()
})

// saveView saves a view. If the name is taken, perhaps by another device, it replaces that view.
export const saveView = (name, members) => alter(async () => {
	await refreshViews()
	const before = viewOf(name)
	await putView(name, members)
	announce(text(before ? t.replaced : t.saved_as, {name}), () => (before ? putView(name, before) : remove(name)))
	if (members.notify) await offerBell()
})

// bell makes the button that turns messages about a view on and off.
export const bell = view => h("button.bell", {label: text(t.tell_about, view), title: t.notify,
	"aria-pressed": String(view.notify), click: () => ring(view)},
icon("bell"))

const ring = ({name, notify}) => alter(async () => {
	await putView(name, {notify: !notify})
	announce(text(notify ? t.told_off : t.told_on, {name}), () => putView(name, {notify}))
	if (!notify) await offerBell()
})

// offerBell offers messages on this device, or says that none can be sent yet.
async function offerBell() {
	const [{data: {configured}}, {offerHere}] = await Promise.all([call("notify"), import("./telling.js")])
	await offerHere(configured)
}

// Views of this browser

const key = "flats.searches"

// viewsHere returns the views that this browser still keeps, [{name, hash, opened}].
export const viewsHere = () => elements(key)

const isOther = ({name, hash}) => other => other.name !== name || other.hash !== hash

const dropLocal = view => changeElements(key, all => all.filter(isOther(view)))

// moveViews moves the views of this browser to the service. A view stays here until the service has it; after a
// reload, or if another tab has moved it, it is recognized there. One that the service rejects stays here.
async function moveViews() {
	try {
		for (const view of viewsHere()) await move(view)
		kept.views.list = (await call("views")).data.filter(isShown)
	} catch {
		kept.views.moving = null // the rest is moved later
	}
}

async function move(view) {
	const {name, hash, opened} = view
	const {filters} = parse(hash)
	const relative = relativeIn(filters)
	if (relative) {
		kept.views.reasons.set(name, text(t.relative, {name: relative}))
		return
	}
	const query = conditionsOf(filters)
	const {data, asOf} = await call("views")
	if (asOf) throw new Error("no network")
	if (viewsHere().every(isOther(view))) return // another tab has moved it
	const numbered = n => (n > 1 ? `${name} (${n})` : name)
	let n = 1
	while (data.some(other => other.name === numbered(n) && other.query !== query)) n++
	try {
		if (!data.some(other => other.name === numbered(n))) await putView(numbered(n), {query, page: hash, seen: opened})
		dropLocal(view)
	} catch (error) {
		if (![400, 404, 405].includes(error.status)) throw error
		kept.views.reasons.set(name, error.message)
	}
}

// removeLocal removes a view from this browser.
export function removeLocal(view) {
	dropLocal(view)
	draw()
	decided(text(t.removed, view), () => {
		changeElements(key, all => [view, ...all.filter(isOther(view))])
		draw()
	})
}
