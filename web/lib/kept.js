// What is kept for the page from its opening until it is closed or reloaded, whatever view is open. No other module has
// variables outside functions: what belongs to one view lives in its show, and what outlives the page is in storage.js.
// A comment names the module that sets a member.

export const kept = {
	// lib
	flats: new Map(), // what is known of each flat, by id (flats.js)
	times: new Map(), // when the service last said something of each flat, by id (flats.js)
	tags: new Map(), // the ETag of each whole flat, by id, for If-Match (flats.js)
	updates: new Map(), // the last update of each flat, by id, for which the next one waits (flats.js)
	// the changes that wait: {key, id, name, was, wasBy, wasSince, set, by, since, title, undoes, decision, at}; null
	// until they are read; and the same by the id of their flat (queue.js)
	waiting: null,
	waitingFor: null,
	earlier: [], // what was never sent and may be of another service, {before, values, names} (earlier.js)
	cause: null, // the error for which changes wait, once there has been one (queue.js, flats.js, notes.js)
	underWay: new Map(), // the ETag of the flat for each change that is sent for the first time, by its key (queue.js)
	// the photos that the service keeps: addresses there, by their addresses in listings; of, the latter by the id of
	// their flat; and the answer that says so (parts/keptphotos.js)
	photos: {addresses: new Map(), of: new Map(), answer: []},
	proxy: 0, // the status that a proxy gave last, if it did so because it cannot reach the service (api.js)
	wasCut: false, // true once an answer was cut on the way: the browser's cache may have kept it (api.js)
	unstored: new Map(), // the texts that localStorage did not take, by their names (storage.js)
	unkept: new Set(), // the names of those that are lost when the page is closed (storage.js)
	touched: new Set(), // the names under which this page has stored something (storage.js)
	isForgotten: false, // true once this device keeps nothing until the page is next opened (storage.js)
	sessions: [], // the devices that are signed in (sessions.js)
	settings: null, // the settings of the service by key, {value, from, host}, once they are known (settings.js)
	database: null, // promises the database that has a copy of what is stored (storage.js)
	templates: new Map(), // empty elements by spec (dom.js)

	// trail has the ways on from a flat. hash is the view that it was opened from, for "Back" (app.js); ids are the flats
	// there in their order, for "Previous flat" and "Next flat" (each view); last is the flat that was opened last
	// (flat.js); notes, that whose notes are to be shown when it is opened (views/today.js). app.js keeps it through a
	// reload.
	trail: {hash: "#/", ids: [], last: null, notes: null},

	// words
	formatters: new Map(), // by kind and options (format.js)
	months: null, // their numbers by name (written.js)

	// The frame
	current: {leaving: new AbortController(), view: {}}, // the view that is shown, with its route, and newsTag when it was
	// last asked what has changed (app.js)
	style: null, // promises the style of the views other than the list (dom.js)
	isGoing: false, // whether "g" was pressed last, so that the next letter opens a view (app.js)
	due: null, // the ids of the flats with a visit or a next step, once they are known (due.js)
	// mark has the time up to which the user has looked at the list, at, as the list shows it; next, the time to which it
	// was moved since; newest, when the newest flat came; unseen, how many flats came since and were neither decided on
	// nor opened; opened, the ids of those that were; and isKept, whether the list was left for a flat (seen.js, list.js).
	mark: {at: null, next: null, newest: null, unseen: null, opened: null},
	filters: {}, // those of the list, which other views share (bar.js)
	typed: {}, // the filters that were typed since the hash was last read, by name, until a view opens (filters.js)
	news: null, // the number of new flats, once it is known (bar.js)
	newsTag: null, // the tag of the answer that said so (bar.js)
	chosen: [], // the ids of the flats to compare (bar.js)
	decisions: [], // what can be taken back, {words, back, made}, the last decision at the end (notice.js)
	deciding: Promise.resolve(), // the last of the decisions that are under way (decisions.js)
	failures: new WeakMap(), // the changes of decisions that failed, by their notice (decisions.js)
	replacing: new WeakMap(), // the decisions that have replaced others, by the notice that says so (notice.js)

	// What is typed, and goes on being saved when its view is left
	savers: new Map(), // of notes, by the id of the flat (notes.js)
	edits: null, // unsaved input by the id of its flat, restored on return; null until it is read (edit.js)
	isAdding: false, // whether the drafts that wait are being sent (adding.js)
	importer: null, // the elements of Import, because an import goes on (views/import.js)

	// What views show again when the user comes back

	// list has what the list showed last, which "Back" restores: its hash; the total and tag of the answer; the counts of
	// the tabs; the number of new flats; that of flats by currency, currencies; doubles, the ids of flats that may be
	// duplicates; city, what most places begin with; replaced, the words of the search that are misspelled; and, once it
	// was left, the ids of its flats, the first one in sight (anchor) and how far that was from the top. isReloaded is
	// true until the list is first shown: then it may return to its place before a reload, which is in storage.js
	// (views/list.js).
	list: {currencies: {}, doubles: new Set(), isReloaded: true, city: "", replaced: []},
	statusTimes: new Map(), // when flats got their status, by id (rows.js)

	// loaded has the rows of the query that the list loaded last: key, the query without its order, once the rows are
	// complete; rows, what its flats said, by id; and own, the ids of flats that were changed on this page. asking ends
	// its requests (changes.js).
	loaded: {key: null, rows: new Map(), own: new Set(), asking: new AbortController()},

	// views has the saved views: list, those of the last answer, {name, query, page, notify, seen, total, new, error};
	// asked, the last request for them; moving, the move of those that this browser kept itself, once it has begun; and
	// reasons, why one stays in this browser, by its name (savedviews.js).
	views: {list: [], asked: null, moving: null, reasons: new Map()},

	areas: new Map(), // the areas of postal codes that were seen, by their codes (settings/where.js)
	tokens: new Map(), // those that were made here, by their keys (settings/access.js)
	household: null, // the sections of Settings, which keep what is typed (views/settings.js)

	homes: {tag: null, groups: []}, // the last answer about flats that are probably one home (homes.js)

	// pile has the ids of the flats that were new when they were asked for, newest first; done, those of them that have
	// been decided on here since; more, the number of further ones; outside, the number of new ones that the filters leave
	// out; isBare, whether there are no flats at all; current, the id of the flat in the card; lost, the same id once that
	// flat has been decided on elsewhere; and unkept, the ids of those that cannot be shown until the network is back
	// (views/triage.js).
	pile: {},
	skipped: null, // ids of flats that come last in the pile, in this order; null until they are read (views/triage.js)

	// map has the hash and the flats beside the map, opened, that the map showed last; and goal, the flat that it is to
	// show when it is opened next, {id, at} (parts/smallmap.js). isReloaded is true until the map is
	// first shown: then it may return to its window before a reload, which is in storage.js (views/map.js). world is the
	// part of the world that it shows: the position in its middle, and the width of the world in pixels (canvas.js).
	map: {hash: null, opened: null, goal: null, isReloaded: true, world: {x: 0.5, y: 0.5, scale: 2 ** 10}},
}
