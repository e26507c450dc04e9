// Medians and quartiles.

import {currencyOf} from "./format.js"

/** quantile is the value below which a part of some numbers in ascending order lies. */
export function quantile(sorted, part) {
	const at = (sorted.length - 1) * part
	const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
	return low + (high - low) * (at - Math.floor(at))
}

/** summary of some numbers: {n, low, median, high}, or null for none. */
export function summary(numbers) {
	if (numbers.length === 0) return null
	const sorted = numbers.toSorted((a, b) => a - b)
	const [low, median, high] = [0.25, 0.5, 0.75].map(part => quantile(sorted, part))
	return {n: sorted.length, low, median, high}
}

/** byCurrency groups flats, the most frequent currency first: they are never compared as numbers. */
export function byCurrency(flats) {
	return [...Map.groupBy(flats, currencyOf)].sort(([, a], [, b]) => b.length - a.length)
}
