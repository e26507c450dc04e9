// Numbers computed from others: quantiles, and the steps of a scale.

// quantile returns the value below which a part (0 to 1) of the numbers lies, interpolated between two
// numbers. It returns NaN if there are no numbers.
export function quantile(numbers, part) {
	const sorted = numbers.toSorted((a, b) => a - b)
	const at = (sorted.length - 1) * part
	const low = sorted[Math.floor(at)]
	return low + (sorted[Math.ceil(at)] - low) * (at % 1)
}

// median returns the quantile in the middle.
export const median = numbers => quantile(numbers, 0.5)

// leastForMedian is the number of flats below which the page names no median or quartile: those of a few say nothing.
export const leastForMedian = 8

// rounded rounds a positive number down to 1, 2 or 5 times a power of ten, for the marks of a scale.
export function rounded(n) {
	const tens = 10 ** Math.floor(Math.log10(n))
	return tens * [5, 2, 1].find(digit => digit * tens <= n)
}
