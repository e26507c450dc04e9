// The settings of the service, which the household changes in the page.

import {call} from "./api.js"
import {own} from "./fields.js"
import {kept} from "./kept.js"
import {hasBounds} from "./limits.js"

// With many flats, the service takes some seconds to apply new settings.
const patience = 60_000

// secretKeys are the keys whose values may hold secrets. The service answers true for a secret.
const secretKeys = ["mailbox", "notify", "travel", "feed_token", "import_token"]

// writtenKeys are the keys that the service writes into the page, which must be reloaded when they change.
const writtenKeys = ["people", "who_we_are", "map_tiles", "map_credit", "feed_token"]

// loadSettings requests the settings, {key: {value, from, host}}, and keeps them in kept.settings.
export async function loadSettings(signal) {
	kept.settings = (await call("settings", {signal})).data
}

// setting returns the value of a key: null if it is not set, undefined if the service does not know the key.
export const setting = key => own(kept.settings, key)?.value

// isFixed reports whether config.json sets a key.
export const isFixed = key => own(kept.settings, key)?.from === "config"

// isSet reports whether somebody has set a key, in config.json or in the page.
export const isSet = key => ["config", "settings"].includes(own(kept.settings, key)?.from)

// hasSetting reports whether the service knows a key.
export const hasSetting = key => own(kept.settings, key) !== undefined

// secretHost returns the host in the secret address under a key, or "".
export const secretHost = key => own(kept.settings, key)?.host ?? ""

// sameValue reports whether two values of settings are equal, whatever the order of their members.
export const sameValue = (one, other) => sortedJSON(one) === sortedJSON(other)

// sortedJSON returns a value as JSON with the members of objects in order.
function sortedJSON(value) {
	const inOrder = object => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
	return JSON.stringify(value ?? null, (_, member) => (member?.constructor === Object ? inOrder(member) : member))
}

// changesIn returns the members of a patch that change something and may be set here.
export const changesIn = patch => Object.fromEntries(Object.entries(patch)
	.filter(([key, value]) => hasSetting(key) && !isFixed(key) && !sameValue(value, setting(key))))

// saveSettings sends a patch, and promises the patch that undoes it, or null if undoing would need a secret.
export async function saveSettings(patch) {
	const valueBefore = key => (kept.settings[key].from === "settings" ? setting(key) : null) // null unsets a key
	const valuesBefore = Object.fromEntries(Object.keys(patch).map(key => [key, valueBefore(key)]))
	const reversePatch = isReversible(patch) ? valuesBefore : null
	kept.settings = (await call("settings", {method: "PATCH", body: JSON.stringify(patch), patience})).data
	return reversePatch
}

// isReversible reports whether a patch can be undone without knowing a secret.
const isReversible = patch => Object.entries(patch)
	.every(([key, value]) => !secretKeys.includes(key) || keepsSecrets(setting(key), value))

// keepsSecrets reports whether all secrets in the value before are still in next. A secret is the value true.
function keepsSecrets(before, next) {
	if (before === true) return next === true
	if (before?.constructor !== Object) return true
	return Object.keys(before).every(name => keepsSecrets(before[name], own(next, name)))
}

// needsReload reports whether the page must be reloaded after a patch, because it changes values that the service
// writes into the page. From constraints the service writes who goes to which place, and the bounds of travel times.
export function needsReload(patch) {
	if (writtenKeys.some(key => Object.hasOwn(patch, key))) return true
	const hasPeople = (setting("people") ?? []).length > 0
	return Object.hasOwn(patch, "constraints") && (hasPeople || hasBounds || setsBound(patch))
}

// setsBound reports whether a patch has a place with a bound.
const setsBound = ({constraints}) => Object.values(constraints ?? {})
	.some(({time_to: to}) => Object.values(to ?? {}).some(({time}) => time != null))
