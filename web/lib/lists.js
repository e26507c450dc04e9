// Fields of a flat that are lists. People and imports add to them, so a change adds and removes elements rather than
// replacing the list, and keeps what others have added meanwhile.

const lists = ["merged_ids", "not_duplicates", "urls"]

// isList reports whether a field is such a list.
export const isList = name => lists.includes(name)

// itemsOf returns the elements of a list, which may be a single element or null.
const itemsOf = list => [list ?? []].flat()

// textOf returns a text by which elements are compared.
const textOf = item => (item === null || typeof item !== "object" ? String(item) : JSON.stringify(item))

// edited applies a change to the current list, now: the change replaced the list before by set. Elements may be any
// JSON.
export function edited(now, before, set) {
	const textsOf = list => new Set(itemsOf(list).map(textOf))
	const was = textsOf(before)
	const next = textsOf(set)
	const all = itemsOf(now).filter(item => next.has(textOf(item)) || !was.has(textOf(item)))
	const known = new Set([...was, ...textsOf(all)])
	itemsOf(set).forEach((item, i) => {
		if (!known.has(textOf(item))) all.splice(i, 0, item) // the change added it
	})
	return all.length > 0 ? all : set // an empty list may be null
}
