// The numbers in the menu "More", requested when it opens.

import {flats} from "../lib/flats.js"
import {isOver, isPlanned, visitStart} from "./agenda.js"
import {setBadge} from "./bar.js"
import {askDue} from "./due.js"
import {groupsOfHomes} from "./homes.js"

// countVisits shows the number of visits to come.
export async function countVisits() {
	const isAhead = flat => visitStart(flat) != null && isPlanned(flat) && !isOver(flat)
	setBadge("visits", [...await askDue()].map(id => flats.get(id)).filter(isAhead).length)
}

// countDoubles shows the number of groups of duplicates to decide on.
export async function countDoubles() {
	setBadge("duplicates", (await groupsOfHomes()).length)
}
