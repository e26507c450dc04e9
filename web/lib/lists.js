// Fields of a flat that are lists. People and imports add to them, so a change adds and removes elements rather than
// replacing the list, and keeps what others have added meanwhile.

const lists = ["merged_ids", "not_duplicates", "urls"]

// isList reports whether a field is such a list.
export const isList = name => lists.includes(name)

// itemsOf returns the elements of a list, which may be a single element or null.
const itemsOf = list => [list ?? []].flat()

// textOf returns a text by which elements are compared.
const textOf = item => (item === null || typeof item !== "object" ? String(item) : JSON.stringify(item))

// mergedList returns the list now with the change from before to set applied: without what the change removed, and with
// what it added. With the change from ["a"] to ["c"], the list ["a", "b"] becomes ["c", "b"]. Elements may be any JSON.
export function mergedList(now, before, set) {
	const textsOf = list => new Set(itemsOf(list).map(textOf))
	const textsBefore = textsOf(before)
	const textsSet = textsOf(set)
	const isRemoved = text => textsBefore.has(text) && !textsSet.has(text)
	const merged = itemsOf(now).filter(item => !isRemoved(textOf(item)))
	const there = new Set([...textsBefore, ...textsOf(merged)])
	itemsOf(set).forEach((item, i) => {
		if (!there.has(textOf(item))) merged.splice(i, 0, item) // the change has added it
	})
	return merged.length === 0 && itemsOf(set).length === 0 ? set : merged // an empty list may be null
}
