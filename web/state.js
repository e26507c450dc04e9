// The hash is the state of the page, so that Back, a reload and a bookmark keep
// it: #/?status=new&q=balcony, #/triage?<the same>, #/flat/<id>, #/visits

export const sorts = ["cost", "area", "per_area", "date", "notation", "visit_date"]
export const ranges = ["max_cost", "min_area", "min_rooms"]
const names = ["status", "q", "constraint", ...ranges, "sort"]

export function parse(hash) {
	const [, view = "list", id = "", search] = /^#?\/?(?:(flat|triage|visits)(?:\/([^?]*))?)?[^?]*(?:\?(.*))?$/s.exec(hash)
	const given = new URLSearchParams(search)
	const query = {}
	for (const name of names) if (given.get(name)) query[name] = given.get(name)
	return {view, id: decodeURIComponent(id), query}
}

export function listHash(query, view = "#/") {
	const search = new URLSearchParams(names.filter(name => query[name]).map(name => [name, query[name]]))
	return view + (search.size ? "?" + search : "")
}

export const flatHash = id => "#/flat/" + encodeURIComponent(id)

// A browser may refuse to store: the page then forgets, and works.
export function stored(name) {
	try {
		return JSON.parse(localStorage.getItem(name))
	} catch {/* null */}
}

export function store(name, value) {
	try {
		if (value == null) localStorage.removeItem(name)
		else localStorage.setItem(name, JSON.stringify(value))
	} catch {/* see above */}
}

// The trail is the list that a flat was opened from.
export const trail = {hash: "#/", ids: [], more: null}
