// The texts of the page in the user's language, by name.

const languages = ["en", "fr", "de"]

export const locale = navigator.languages.find(tag => languages.includes(tag.slice(0, 2))) ?? "en"
export const language = locale.slice(0, 2)
export const {default: t} = await import(`./strings/${language}.js`)
