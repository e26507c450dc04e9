// The details of a listing: members that only its site knows, under names that the site gives them.
//
// detailsOf returns them, shortDetails those that are short enough to decide by. readable writes a name.

// detailsOf returns the details of a flat by name. Details that are no object have the name "details".
export const detailsOf = ({details}) => (typeof details === "object" ? {...details} : {details})

const isShort = value => ["boolean", "number"].includes(typeof value) ||
	typeof value === "string" && value.trim() !== "" && value.length <= 40

// shortDetails returns the first eight short details of a flat, [name, value].
export const shortDetails = flat => Object.entries(detailsOf(flat)).filter(([, value]) => isShort(value)).slice(0, 8)

// readable writes the name of a member as words: available_from and availableFrom become "Available from", as the
// page's own labels are written.
export const readable = name => name.replace(/[_\s]+/g, " ").trim()
	.replace(/(?<=[\p{Ll}\d])\p{Lu}(?=\p{Ll})/gu, letter => " " + letter.toLowerCase())
	.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
	.replace(/^\p{Ll}/u, letter => letter.toUpperCase())
