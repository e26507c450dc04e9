// The fields of a flat that are lists, to which people and imports add. A change of one adds elements and takes some
// away; it does not replace what others have added meanwhile.

const lists = ["merged_ids", "not_duplicates", "urls"]

// isList reports whether a field is such a list.
export const isList = name => lists.includes(name)

const itemsOf = list => [list ?? []].flat()
const textOf = item => (item === null || typeof item !== "object" ? String(item) : JSON.stringify(item))

// edited returns what becomes of a list, now, by a change that made set of before.
export function edited(now, before, set) {
	const [was, next] = [before, set].map(list => new Set(itemsOf(list).map(textOf)))
	const all = itemsOf(now).filter(item => next.has(textOf(item)) || !was.has(textOf(item)))
	const known = new Set([...was, ...all.map(textOf)])
	itemsOf(set).forEach((item, i) => known.has(textOf(item)) || all.splice(i, 0, item))
	return all.length > 0 ? all : set
}
