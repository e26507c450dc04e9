// The search field and the filters, for all views that have filters. makeControls makes them; panel.js has the controls
// in the panel. searchKeys describes the keys of the search field.

import {fill, h, later, loadStyle, openDialog} from "../lib/dom.js"
import {currenciesIn} from "../lib/fields.js"
import {look} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {queryOf, tally} from "../lib/query.js"
import {hashOf, mapWindow, ranges, unknownIn} from "../lib/state.js"
import {activeFilters} from "../words/filters.js"
import {named, number, t, text} from "../words/format.js"
import {icon} from "./icons.js"
import {attempt} from "./notice.js"
import {wide} from "./rows.js"

// countFlats requests the number of flats that match filters.
async function countFlats(filters, signal) {
	const {total} = await look(queryOf(filters), tally, {signal})
	return total
}

// makeControls makes the controls of a view, and returns these elements:
//   head        the search field, the panel, and a menu with tools, buttons of the view
//   chips       the active filters
//   hidden      how many flats the ranges hide
//   currencies  the currencies whose costs are not compared with each other
// and functions:
//   show(filters)                sets the controls to filters
//   go(filters)                  opens the view with other filters
//   noMatch()                    returns a note that nothing matches, with a way out
//   showCurrencies(counts)       adds a note if costs in several currencies are compared, with a button
//                                for each; counts has the number of flats by currency
//   showHidden(signal, total)    requests how many flats the ranges hide, and shows it; total is the number of
//                                flats that match
export function makeControls(view, signal, ...tools) {
	let filters
	const search = makeSearch(type, signal)
	const menu = h("div#tools.tools.options", {popover: "auto", label: t.view_actions, click: closeMenu}, tools)
	const opener = tools.length > 0 && h("button.tools-opener", icon("more"), {label: t.view_actions,
		title: t.view_actions, popovertarget: menu.id, "aria-haspopup": "true"})
	const panel = makePanel(set, type, signal, menu)
	const head = h("div.head", {role: "search", keydown: applyOnEnter}, search.field,
		panel.toggle, opener, menu, panel.element, search.help)
	const chips = h("div.chips")
	const currencies = h("div.currencies.soft")
	const hidden = h("div.hidden-ones")

	// closeMenu closes the menu, unless it is a part of the sheet (openSheet).
	function closeMenu() {
		if (menu.popover) menu.hidePopover()
	}

	function applyOnEnter({key}) {
		if (key === "Enter") apply()
	}

	function show(next) {
		filters = next
		search.show(filters.q)
		panel.show(filters)
		const hadFocus = chips.contains(document.activeElement)
		fill(chips, chipsOf(filters, set, clear))
		if (hadFocus) (chips.querySelector("button") ?? search.field.firstChild).focus({preventScroll: true})
	}

	// go replaces the address, so that "Back" does not go through a word letter by letter.
	function go(next) {
		history.replaceState(null, "", hashOf(view, next))
		dispatchEvent(new Event("hashchange"))
	}

	// set changes one filter. The two ranges of the map's window share a chip, which removes both.
	function set(name, value) {
		delete kept.typed[name]
		const names = mapWindow.includes(name) ? mapWindow : [name]
		go({...filters, ...Object.fromEntries(names.map(each => [each, value]))})
	}

	// clear removes all filters, including typed ones that are not applied yet. The tab, the destination and the order
	// stay.
	function clear() {
		for (const name in kept.typed) delete kept.typed[name]
		const {tab, to, sort} = filters
		go({tab, to, sort})
	}

	// type changes a filter letter by letter. It is applied once typing pauses, on Enter, or when a view opens.
	function type(name, value) {
		if (value === undefined) delete kept.typed[name] // what was typed is no valid value
		else kept.typed[name] = value
		applySoon()
	}

	const isTyped = () => Object.keys(kept.typed).length > 0
	function apply() {
		if (isTyped()) dispatchEvent(new Event("hashchange")) // app.js then adds what was typed (bar.js)
	}
	const applySoon = later(apply, 200)
	// A click may open another view. The address keeps what was typed, for "Back".
	function keepTyped() {
		if (isTyped()) history.replaceState(null, "", hashOf(view, {...filters, ...kept.typed}))
	}
	addEventListener("click", keepTyped, {capture: true, signal})

	function showCurrencies(counts) {
		fill(currencies, comparesCurrencies(filters, counts) && [t.currencies_separate, " ",
			currenciesIn(counts).map(code => h("button", code, {click: () => set("currency", code)}))])
	}

	async function showHidden(signal, total) {
		const {hiding, wider} = withUnknown(filters)
		const n = hiding.length > 0 ? await countFlats(wider, signal) - total : 0
		const name = hiding.map(range => named("{name}", range)).join(" / ")
		// Such a flat may have a cost: it does not say what else is paid each month.
		const isOnlyMonthly = hiding.join() === "monthly"
		fill(hidden, n > 0 && h("p", text(isOnlyMonthly ? t.n_unsaid : t.n_without, {n: number(n), name}), " · ",
			h("button.link", t.show, {click: () => go(wider)})))
	}

	// noMatch returns a note that nothing matches, with a button that clears the filters or, without filters, a link to a
	// larger tab: the live flats, or from these all.
	function noMatch() {
		const isFiltered = activeFilters(filters).length > 0
		const [largerTab, name] = filters.tab ? [{}, t.live] : [{tab: "all"}, t.all]
		return [t.no_match, " · ", isFiltered ? h("button.link", t.clear, {click: clear})
			: h("a", name, {href: hashOf(view, largerTab)})]
	}

	return {head, chips, hidden, currencies, show, go, noMatch, showCurrencies, showHidden}
}

// searchKeys has these keys for the help only: act returns false, because the search field handles them itself.
export const searchKeys = {ArrowDown: [t.key_down, () => false], Escape: [t.key_leave, () => false]}

// makeSearch makes the search field and its help, {field, help, show}. The field calls type("q", words) on each letter.
// The arrow down moves to the first row. Escape leaves the field, and empties it if pressed once more. show(words) sets
// the field, unless typed text is not applied yet.
function makeSearch(type, signal) {
	const input = h("input#search", {type: "search", label: t.search, placeholder: t.search, autocomplete: "off",
		input: () => type("q", input.value.trim()), keydown: press})

	// press handles the keys that move the focus. A second Escape is for emptyOnEscape.
	function press(event) {
		if (event.key === "ArrowDown") {
			const first = document.querySelector(".row a")
			if (!first) return
			event.preventDefault()
			first.focus()
		}
		if (event.key === "Escape") {
			event.preventDefault() // the browser would empty the field
			event.stopPropagation()
			input.blur()
			addEventListener("keydown", emptyOnEscape, {once: true, signal})
		}
	}

	// emptyOnEscape empties the field if Escape is the first key after it was left.
	function emptyOnEscape({key}) {
		if (key !== "Escape" || document.activeElement !== document.body) return
		input.value = ""
		type("q", "")
	}

	const help = h("div#search-help", {popover: "auto"}, h("h2", t.search_help),
		h("ul", t.search_lines.map(line => h("li", line))))
	const field = h("div.field", input, h("button", "?", {label: t.search_help, popovertarget: help.id}))

	function show(words = "") {
		if (!("q" in kept.typed) && input.value.trim() !== words) input.value = words
	}

	return {field, help, show}
}

// makePanel makes the panel, {element, toggle, tools, show}. toggle is the button that opens the panel, whose controls
// (panel.js) load when it first opens. On a phone the panel is a sheet, which includes tools. show(filters) sets the
// controls.
function makePanel(set, type, signal, tools) {
	let filters
	let controls
	const element = h("div.panel", {hidden: true})
	const toggle = h("button.toggle", {"aria-expanded": "false", click: () => attempt(turn)})

	// turn opens or closes the panel.
	async function turn() {
		if (!controls) {
			const [{makeFilters}] = await Promise.all([import("./panel.js"), loadStyle()])
			controls ??= makeFilters(set, type, signal)
			fill(element, controls.element)
		}
		setOpen(element.hidden)
		if (element.hidden) return
		controls.show(filters)
		controls.offerValues(filters)
		if (!wide.matches) openSheet()
	}

	function setOpen(isOpen) {
		element.hidden = !isOpen
		toggle.setAttribute("aria-expanded", isOpen)
	}

	// openSheet shows the panel as a sheet, in which tools are no menu.
	function openSheet() {
		tools.removeAttribute("popover")
		const sheet = h("dialog.sheet", {label: t.filters, closedby: "any"}, element, tools,
			h("button.primary.done", t.show))
		const leave = ({target}) => {
			if (target.closest(".tools > *, .done")) sheet.close()
		}
		sheet.addEventListener("click", leave, {capture: true}) // a tool's own question would be below the sheet
		sheet.addEventListener("close", () => {
			setOpen(false)
			tools.popover = "auto"
			toggle.parentElement.append(tools, element)
		})
		openDialog(toggle.parentElement, sheet)
	}

	function show(next) {
		filters = next
		const n = activeFilters(filters).length
		fill(toggle, t.filters, n > 0 && ` (${n})`)
		controls?.show(filters)
		if (!element.hidden) controls.offerValues(filters)
	}

	return {element, toggle, tools, show}
}

// chipsOf makes a chip for each active filter, which set removes, and a button that removes all by clear.
function chipsOf(filters, set, clear) {
	const chips = activeFilters(filters).map(({name, words, rest}) => h("button.chip", h("span", words), icon("dismiss"),
		{label: text(t.remove, {name: words}), click: () => set(name, rest)}))
	return chips.length > 0 ? [chips, h("button.link", t.clear, {click: clear})] : []
}

// comparesCurrencies reports whether filters or their order compare costs in several currencies.
function comparesCurrencies({currency, cost, monthly, cost_per_area: each, sort}, counts) {
	const areSeveral = currenciesIn(counts).length > 1 && !currency
	const filtersByCost = cost || monthly || each
	const sortsByCost = /cost|monthly/.test(sort)
	return areSeveral && (filtersByCost || sortsByCost)
}

// withUnknown returns {hiding, wider}. hiding has the ranges that hide flats without a value; wider are filters that
// show these flats, too.
function withUnknown(filters) {
	const unknown = unknownIn(filters)
	const hiding = ranges.filter(range => filters[range] && !unknown.includes(range))
	return {hiding, wider: {...filters, unknown: [...unknown, ...hiding].join()}}
}
