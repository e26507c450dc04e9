// The texts of Settings and Start, which other views do not load. s has them by name, as t has those of the page.

import {language} from "./format.js"

export const {default: s} = await import(`./settings/${language}.js`)
