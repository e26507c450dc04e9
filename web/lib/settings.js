// The settings of the service: what a household sets in the page.

import {call} from "./api.js"
import {own} from "./fields.js"
import {kept} from "./kept.js"
import {hasBounds} from "./limits.js"

// A large household starts anew for some seconds when its settings change.
const patience = 60_000

// secretKeys has the keys whose values may hold secrets, for which the service answers true.
const secretKeys = ["mailbox", "notify", "travel", "feed_token", "import_token"]

// writtenKeys has the keys that the service writes into the page: after a change of one the page is loaded anew.
const writtenKeys = ["people", "who_we_are", "map_tiles", "map_credit", "feed_token"]

// loadSettings requests the settings, {value, from, host} by their keys, and keeps them.
export async function loadSettings(signal) {
	kept.settings = (await call("settings", {signal})).data
}

// setting returns the value of a key, or undefined if the service has no such key; null is a key without a value.
export const setting = key => own(kept.settings, key)?.value

// isFixed reports whether config.json sets a key.
export const isFixed = key => own(kept.settings, key)?.from === "config"

// hasSetting reports whether the service knows a key.
export const hasSetting = key => own(kept.settings, key) !== undefined

// secretHost returns the host of the address under a key that is a secret, or "".
export const secretHost = key => own(kept.settings, key)?.host ?? ""

// sameValue compares two values of settings, whatever the order of their members.
export const sameValue = (one, other) => sorted(one) === sorted(other)

const sorted = value => JSON.stringify(value ?? null, (_, member) => (member?.constructor === Object
	? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member))

// changesIn returns the members of a patch that change something.
export const changesIn = patch => Object.fromEntries(Object.entries(patch)
	.filter(([key, value]) => hasSetting(key) && !isFixed(key) && !sameValue(value, setting(key))))

// saveSettings sends a patch, and promises the patch that takes it back, or null where that would need a secret that
// only the service had.
export async function saveSettings(patch) {
	const back = isReversible(patch) ? Object.fromEntries(Object.keys(patch)
		.map(key => [key, kept.settings[key].from === "settings" ? setting(key) : null])) : null
	kept.settings = (await call("settings", {method: "PATCH", body: JSON.stringify(patch), patience})).data
	return back
}

const isReversible = patch => Object.entries(patch)
	.every(([key, value]) => !secretKeys.includes(key) || keepsSecrets(setting(key), value))

// keepsSecrets reports whether each secret in a value is still there in the next one.
const keepsSecrets = (before, next) => (before === true ? next === true
	: before?.constructor !== Object || Object.keys(before).every(name => keepsSecrets(before[name], own(next, name))))

// needsReload reports whether the page has to be loaded anew after a patch: it has who goes to which places, and how
// long that may take, too.
export const needsReload = patch => writtenKeys.some(key => Object.hasOwn(patch, key)) ||
	Object.hasOwn(patch, "constraints") && ((setting("people") ?? []).length > 0 || hasBounds || bounded(patch))

// bounded reports whether a place in a patch has a bound.
const bounded = ({constraints}) => Object.values(constraints ?? {})
	.some(({time_to: to}) => Object.values(to ?? {}).some(({time}) => time != null))
