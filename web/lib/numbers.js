// Statistics and scales.

// quantile returns the value below which a part (0 to 1) of the numbers lies, interpolated between two of them, or NaN
// if there are no numbers.
export function quantile(numbers, part) {
	const sorted = numbers.toSorted((a, b) => a - b)
	const at = (sorted.length - 1) * part
	const low = sorted[Math.floor(at)]
	return low + (sorted[Math.ceil(at)] - low) * (at % 1)
}

// median returns the quantile in the middle.
export const median = numbers => quantile(numbers, 0.5)

// leastForMedian is the least number of flats for which the page shows a median or quartiles. Fewer say nothing.
export const leastForMedian = 8

// roundedDown rounds a positive number down to 1, 2 or 5 times a power of ten, for the steps of a scale.
export function roundedDown(n) {
	const power = 10 ** Math.floor(Math.log10(n))
	return power * [5, 2, 1].find(digit => digit * power <= n)
}

// Costs of two kinds differ by this factor at least: a home is sold for hundreds of its monthly rents.
export const magnitude = 20

// leastOfKind is the number of different costs that make a kind. Fewer may be mistakes.
const leastOfKind = 5

// leap returns the first number that is at least magnitude times the next lower one, or Infinity if there is none. At
// least leastOfKind different numbers must be below the leap, and leastAbove at the leap and above.
export function leap(numbers, leastAbove = 0) {
	const sorted = [...new Set(numbers)].sort((a, b) => a - b)
	const isEnough = i => i >= leastOfKind && sorted.length - i >= leastAbove
	return sorted.find((n, i) => isEnough(i) && n >= magnitude * sorted[i - 1]) ?? Infinity
}

// saleFrom returns the least cost of homes for sale, or Infinity if the costs are of one kind.
export const saleFrom = costs => leap(costs, leastOfKind)
