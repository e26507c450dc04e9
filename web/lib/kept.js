// The variables of the page, from its opening until it is closed or reloaded, whatever view is open. No other module
// has variables outside functions: the state of one view lives in its show, and what outlives the page is in
// storage.js. The module in brackets sets the member.

export const kept = {
	// lib
	flats: new Map(), // the known flats by id (flats.js)
	times: new Map(), // when the service last said something about each flat, by id (flats.js)
	tags: new Map(), // the ETag of each whole flat, by id, for If-Match (flats.js)
	updates: new Map(), // the last update of each flat, by id, for which the next one waits (flats.js)
	// the queue of changes, [{key, id, name, was, wasBy, wasSince, set, by, since, title, undoes, decision, at}], or null
	// until it is read from the storage (queue.js; entriesOf describes the members)
	waiting: null,
	waitingFor: null, // the same changes by the id of their flat, or null (queue.js)
	earlier: [], // values that were never sent and may belong to another service, [{prefix, values, names}] (earlier.js)
	cause: null, // the last error for which changes wait, if any (queue.js, flats.js, notes.js)
	// the changes that are being sent for the first time, by key: the ETag of the flat, with which the change is sent
	// (If-Match), or false if it replaces another value than the page got last, so that the flat is requested first
	// (queue.js)
	underWay: new Map(),
	// photos are those that the service keeps (parts/keptphotos.js).
	//   addresses  their addresses at the service, by their address in the listing
	//   byFlat     their addresses in the listing, by the id of the flat
	//   answer     the answer that said so, to notice when it changes
	photos: {addresses: new Map(), byFlat: new Map(), answer: []},
	proxy: 0, // the status of the last answer, if a proxy gave it because it cannot reach the service (api.js)
	wasCut: false, // whether an answer was ever cut on the way: the browser's cache may have it (api.js)
	unstored: new Map(), // the texts that localStorage did not take, by name (storage.js)
	unkept: new Set(), // the names of values that are lost when the page is closed (storage.js)
	touched: new Set(), // the names under which this page has stored a value (storage.js)
	isForgotten: false, // whether this device was told to forget, and stores nothing more (storage.js)
	sessions: [], // the devices that are signed in (sessions.js)
	settings: null, // the settings of the service by key, {value, from, host}, once they are known (settings.js)
	database: null, // promises the database with copies of stored values (storage.js)
	templates: new Map(), // empty elements by spec (dom.js)

	// trail is where one can go from a flat. app.js keeps it through a reload.
	//   hash   the view from which the flat was opened, for "Back" (app.js)
	//   ids    the flats of that view in order, for "Previous flat" and "Next flat" (each view)
	//   last   the flat that was opened last (views/flat.js)
	//   notes  the flat whose notes are shown once it opens (views/today.js)
	trail: {hash: "#/", ids: [], last: null, notes: null},

	// words
	formatters: new Map(), // the formatters of Intl by kind and options (format.js)
	months: null, // the numbers of months by name (written.js)

	// The frame
	// current is the open view (app.js): its route, what its show returned (view), the controller that leaving it aborts
	// (leaving), the promise of a check (checking), and newsTag at its last check (tag).
	current: {leaving: new AbortController(), view: {}},
	style: null, // promises the style of the views other than the list (dom.js)
	isGoing: false, // whether "g" was pressed last, so that the next letter opens a view (app.js)
	due: null, // the ids of the flats with a visit or a next step, once they are known (due.js)
	// mark divides the list into flats that the user has seen and new ones (seen.js, list.js).
	//   at      the time of the mark, as the list shows it
	//   next    the time to which the mark has been moved meanwhile
	//   newest  when the newest flat came
	//   unseen  the number of flats after the mark that were neither decided on nor opened
	//   opened  the ids of the flats that were opened
	//   stays   whether the list was left for a flat, so that it has the same mark when the user comes back
	mark: {at: null, next: null, newest: null, unseen: null, opened: null, stays: false},
	filters: {}, // the filters of the list, which other views share (bar.js)
	typed: {}, // the filters by name that were typed but are not yet in the hash (filters.js)
	news: null, // the number of new flats, once it is known (bar.js)
	newsTag: null, // the tag of the answer with that number (bar.js)
	compared: [], // the ids of the flats to compare (bar.js)
	decisions: [], // the decisions that can be undone, [{words, revert, entries}], the latest last (notice.js)
	deciding: Promise.resolve(), // the last decision that is being made (decisions.js)
	failures: new WeakMap(), // the changes of failed decisions, by their notice (decisions.js)
	replacing: new WeakMap(), // the decisions that replaced somebody's, by the notice that reports it (notice.js)

	// Input that is still being saved after its view is left
	savers: new Map(), // the savers of notes, by the id of the flat (notes.js)
	edits: null, // the unsaved input of corrections, by the id of the flat, or null until it is read (edit.js)
	isAdding: false, // whether waiting drafts are being sent (adding.js)
	importer: null, // the elements of Import, because an import continues (views/import.js)

	// State that views restore when the user comes back

	// list is the state of the list, which "Back" restores (views/list.js). It also has the hash, the total, tag and
	// counts of the answer, the number of new flats and, once it was left, the ids of its flats, the first one in sight
	// (firstInSight) and its distance from the top.
	//   currencies  the numbers of flats by currency
	//   doubles     the ids of flats that may be duplicates
	//   wasShown    whether the list has been shown: the first time it may return to its place before a reload
	//   city        the text with which most places begin
	//   replaced    the misspelled words of the search
	list: {currencies: {}, doubles: new Set(), wasShown: false, city: "", replaced: []},
	statusTimes: new Map(), // when flats got their status, by id (parts/rows.js)

	// loaded has the rows of the query that the list loaded last (parts/changes.js).
	//   key          the query without its order, or null until the rows are complete
	//   rows         the state of its flats, by id
	//   changedHere  the ids of flats that were changed on this page
	//   asking       the controller that aborts its requests
	loaded: {key: null, rows: new Map(), changedHere: new Set(), asking: new AbortController()},

	// views has the saved views (parts/savedviews.js).
	//   list     the last answer, [{name, query, page, notify, seen, total, new, error}]
	//   asked    promises the last request for them
	//   moving   promises that views in this browser's storage have moved to the service, once that has begun
	//   reasons  why a view stays in this browser, by its name
	views: {list: [], asked: null, moving: null, reasons: new Map()},

	areas: new Map(), // the areas of postal codes, by code, as far as they were seen (settings/where.js)
	tokens: new Map(), // the tokens that were made here, by the key of their setting (settings/access.js)
	household: null, // the sections of Settings, which keep typed input (views/settings.js)

	homes: {tag: null, groups: []}, // the last answer about flats that are probably one home (homes.js)

	// pile is the pile of Triage (views/triage.js).
	//   hash         the hash of its filters
	//   ids          the flats that were new when they were requested, newest first
	//   done         the ids that have been decided on here since
	//   more         the number of new flats beyond ids
	//   outside      the number of new flats that the filters leave out
	//   isBare       whether there are no flats at all
	//   current      the id of the flat in the card
	//   overtaken    current, once its flat has been decided on elsewhere
	//   needNetwork  the ids that cannot be shown without a network
	pile: {},
	skipped: null, // the ids that come last in the pile, in order, or null until they are read (views/triage.js)

	// map is the state of the map (views/map.js).
	//   hash        the hash when it was last shown
	//   opened      the flats that were listed next to it
	//   goal        the flat to show when it opens next, {id, at} (parts/smallmap.js)
	//   wasShown    whether it has been shown: the first time it may return to its window before a reload
	//   world       the window that it shows (world.js)
	map: {hash: null, opened: null, goal: null, wasShown: false, world: {x: 0.5, y: 0.5, scale: 2 ** 10}},
}
