// Saved views: tabs and filters of the list under a name, which the service stores for all devices.
//
// showViews shows them, refreshViews requests them again, bell makes the button for notifications about a view. Views
// that an earlier version of the page stored in this browser are moved to the service.

import {call, viewPath} from "../lib/api.js"
import {h} from "../lib/dom.js"
import {markName} from "../lib/fields.js"
import {kept} from "../lib/kept.js"
import {changeElements, elements} from "../lib/keptlists.js"
import {conditionsOf} from "../lib/query.js"
import {parse} from "../lib/state.js"
import {datedFilterIn} from "../words/filters.js"
import {t, text} from "../words/format.js"
import {icon} from "./icons.js"
import {failed, showDecision} from "./notice.js"

// putView stores members of the view with a name, which it creates if necessary.
export const putView = (name, members) => call(viewPath(name), {method: "PUT", body: JSON.stringify(members)})

// renameView renames a view. The service removes a view that already has the new name.
export const renameView = (was, name) =>
	call(`${viewPath(name)}&${new URLSearchParams({was})}`, {method: "PUT", body: "{}"})

// isShown reports whether the user has saved a view. Other views have the mark (seen.js).
const isShown = ({name}) => !name.startsWith(markName)

// viewOf returns the view with a name, or undefined.
export const viewOf = name => kept.views.list.find(view => view.name === name)

// deleteView deletes a view. It succeeds if another device has already done so.
export const deleteView = name => call(viewPath(name), {method: "DELETE"}).catch(error => {
	if (error.status !== 404) throw error
})

// redrawViews makes the functions given to showViews show the views again.
const redrawViews = () => dispatchEvent(new Event("views"))

// showViews calls act(views) now and whenever the views have changed, until the signal aborts. It promises the end of a
// request for them.
export function showViews(act, signal) {
	addEventListener("views", () => act(kept.views.list), {signal})
	redrawViews()
	return refreshViews()
}

// refreshViews requests the views and shows them. If that fails, the earlier ones remain.
export async function refreshViews() {
	const request = call("views")
	kept.views.asked = request
	try {
		const {data, asOf} = await request
		if (request !== kept.views.asked) return // a later one is being sent
		kept.views.list = data.filter(isShown)
		if (!asOf && viewsHere().length > 0) await (kept.views.moving ??= moveViews())
		redrawViews()
	} catch {/* the earlier views remain */}
}

// changeViews calls act(), which changes views at the service, and shows the views again. It reports a failure.
export async function changeViews(act) {
	try {
		await act()
		await refreshViews()
	} catch (error) {
		failed(error, () => changeViews(act), t.not_saved)
	}
}

// tellChanged says what has changed, with an Undo that calls revert().
export const tellChanged = (words, revert) => showDecision(words, async () => {
	await revert()
	await refreshViews()
})

// saveView saves a view. It replaces a view with the same name, which another device may have saved.
export const saveView = (name, members) => changeViews(async () => {
	await refreshViews()
	const before = viewOf(name)
	await putView(name, members)
	tellChanged(text(before ? t.replaced : t.saved_as, {name}), () => (before ? putView(name, before) : deleteView(name)))
	if (members.notify) await offerBell()
})

// bell makes the button that turns notifications about a view on and off.
export const bell = view => h("button.bell", {label: text(t.tell_about, view), title: t.notify,
	"aria-pressed": String(view.notify), click: () => toggleBell(view)},
icon("bell"))

// toggleBell turns notifications about a view on or off.
const toggleBell = ({name, notify}) => changeViews(async () => {
	await putView(name, {notify: !notify})
	tellChanged(text(notify ? t.told_off : t.told_on, {name}), () => putView(name, {notify}))
	if (!notify) await offerBell()
})

// offerBell offers notifications on this device, or says that none can be sent yet.
async function offerBell() {
	const [{data: {configured}}, {offerHere}] = await Promise.all([call("notify"), import("./telling.js")])
	await offerHere(configured)
}

// Views that are only in this browser

const searchesKey = "flats.searches" // earlier versions called the views searches

// viewsHere returns the views that are still in this browser, [{name, hash, opened}].
export const viewsHere = () => elements(searchesKey)

// differsFrom returns a function that reports whether another view has another name or hash than the given one.
const differsFrom = ({name, hash}) => other => other.name !== name || other.hash !== hash

// dropLocal removes a view from this browser.
const dropLocal = view => changeElements(searchesKey, all => all.filter(differsFrom(view)))

// moveViews moves the views in this browser to the service. A view stays here until the service has it, and for good if
// the service rejects it.
async function moveViews() {
	try {
		for (const view of viewsHere()) await move(view)
		kept.views.list = (await call("views")).data.filter(isShown)
	} catch {
		kept.views.moving = null // try again later
	}
}

// move moves a view to the service. If the service has another view with the same name, move adds a number to the name.
// If the service has the same view, which an earlier try may have stored, move only removes the view here.
async function move(view) {
	const {name, hash, opened} = view
	const {filters} = parse(hash)
	// A filter such as "in the last week" depends on the current date, and the service stores only fixed conditions: such
	// a view stays here, with the reason.
	const datedFilter = datedFilterIn(filters)
	if (datedFilter) {
		kept.views.reasons.set(name, text(t.relative, {name: datedFilter}))
		return
	}
	const query = conditionsOf(filters)
	const {data, asOf} = await call("views")
	if (asOf) throw new Error("no network")
	if (viewsHere().every(differsFrom(view))) return // another tab has moved it
	const nameWith = n => (n > 1 ? `${name} (${n})` : name)
	let n = 1
	while (data.some(other => other.name === nameWith(n) && other.query !== query)) n++
	const isAlreadyMoved = data.some(other => other.name === nameWith(n))
	try {
		if (!isAlreadyMoved) await putView(nameWith(n), {query, page: hash, seen: opened})
		dropLocal(view)
	} catch (error) {
		// The service refuses the view or its name, and always will: the view stays here, with the reason. Other errors may
		// pass.
		const isRejected = [400, 404, 405].includes(error.status)
		if (!isRejected) throw error
		kept.views.reasons.set(name, error.message)
	}
}

// removeLocal removes a view from this browser.
export function removeLocal(view) {
	dropLocal(view)
	redrawViews()
	showDecision(text(t.removed, view), () => {
		changeElements(searchesKey, all => [view, ...all.filter(differsFrom(view))])
		redrawViews()
	})
}
