// QR codes (ISO/IEC 18004) of versions 1 to 10 with error correction M, which hold up to 213 bytes. A module is a dark
// or light square of the code, a codeword is eight bits.
//
// The standard sets all numbers here. qrImage makes an image of a text, qrCode returns its modules.

import {svg} from "../lib/dom.js"

// versions has, for each version, how many codewords there are, how many for error correction in each block, and how
// many blocks.
const versions = [[26, 10, 1], [44, 16, 1], [70, 26, 1], [100, 18, 2], [134, 24, 2], [172, 16, 4], [196, 18, 4],
	[242, 22, 4], [292, 22, 5], [346, 26, 5]]

// qrImage makes an image of a text with a quiet zone, or returns null if the text is too long. label is its accessible
// name.
export function qrImage(text, label) {
	const code = qrCode(text)
	if (!code) return null
	const quiet = 4 // modules around the code that stay light
	const size = code.length + 2 * quiet
	const drawModule = (x, y) => `M${x + quiet} ${y + quiet}h1v1h-1z`
	const background = `M0 0h${size}v${size}h-${size}z`
	const darkModules = code.flatMap((row, y) => row.map((isDark, x) => (isDark ? drawModule(x, y) : ""))).join("")
	return svg("svg", {class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", label, "shape-rendering": "crispEdges"},
		svg("path", {class: "light", d: background}), svg("path", {class: "dark", d: darkModules}))
}

// qrCode returns the rows of the code of a text, with true for dark modules, or null if the text is too long.
export function qrCode(text) {
	const bytes = [...new TextEncoder().encode(text)]
	const version = 1 + versions.findIndex((_, i) => bytes.length <= room(i + 1))
	if (version === 0) return null // the text fits into none
	const stream = bitsOf(withCorrection(version, dataOf(version, bytes)))
	const codes = masks.map(mask => rowsOf(version, stream, mask))
	const costs = codes.map(penalty)
	return codes[costs.indexOf(Math.min(...costs))]
}

// dataLength returns the number of codewords for data in a version.
const dataLength = version => {
	const [all, correction, blocks] = versions[version - 1]
	return all - correction * blocks
}

// countBits returns the length in bits of the field that has the number of bytes.
const countBits = version => (version < 10 ? 8 : 16)

// room returns how many bytes fit into a code, after the mode, which has 4 bits, and the number of bytes.
const room = version => Math.floor((dataLength(version) * 8 - 4 - countBits(version)) / 8)

// bitsOf returns the bits of numbers with a width, the highest bit first.
const bitsOf = (numbers, width = 8) =>
	numbers.flatMap(n => Array.from({length: width}, (_, i) => n >> width - 1 - i & 1))

// dataOf returns the codewords for bytes: mode, number of bytes, bytes, and padding.
function dataOf(version, bytes) {
	const [modeOfBytes, end] = [[0, 1, 0, 0], [0, 0, 0, 0]]
	const bits = [...modeOfBytes, ...bitsOf([bytes.length], countBits(version)), ...bitsOf(bytes), ...end]
	const words = []
	for (let i = 0; i + 8 <= bits.length; i += 8) words.push(parseInt(bits.slice(i, i + 8).join(""), 2))
	for (let i = 0; words.length < dataLength(version); i++) words.push(i % 2 === 0 ? 0xEC : 0x11)
	return words
}

// withCorrection splits data into blocks, the shorter ones first, and returns all codewords: first the data of the
// blocks in turn, then their error correction in turn.
function withCorrection(version, data) {
	const [, correctionLength, blockCount] = versions[version - 1]
	const shortLength = Math.floor(data.length / blockCount)
	const longerCount = data.length % blockCount // blocks with one codeword more
	const blocks = []
	for (let i = 0, from = 0; i < blockCount; i++) {
		const isLonger = i >= blockCount - longerCount
		const to = from + shortLength + Number(isLonger)
		blocks.push(data.slice(from, to))
		from = to
	}
	const corrections = blocks.map(block => remainder(block, generator(correctionLength)))
	// inTurn returns the first codewords of all lists, then the second ones, and so on.
	const inTurn = lists => Array.from({length: Math.max(...lists.map(list => list.length))}, (_, i) =>
		lists.map(list => list[i]).filter(word => word !== undefined)).flat()
	return [...inTurn(blocks), ...inTurn(corrections)]
}

// times multiplies in the field of 256 elements with the polynomial 0x11D. Each bit of a number is a coefficient of a
// polynomial, and ^ adds two of them.
function times(a, b) {
	let product = 0
	for (let bit = 7; bit >= 0; bit--) {
		product = product << 1 ^ (product >> 7) * 0x11D // twice the product, reduced to eight bits
		product ^= (b >> bit & 1) * a
	}
	return product
}

// generator returns the generator polynomial for a number of codewords of error correction, without its first
// coefficient, 1. The polynomial is the product of (x - root) for that many successive powers of 2, beginning with 1.
function generator(length) {
	const result = Array(length).fill(0)
	result[length - 1] = 1
	for (let i = 0, root = 1; i < length; i++, root = times(root, 2))
		for (let j = 0; j < length; j++) result[j] = times(result[j], root) ^ (result[j + 1] ?? 0)
	return result
}

// remainder returns the remainder of a division of polynomials, which is the error correction of data.
function remainder(data, divisor) {
	const result = Array(divisor.length).fill(0)
	for (const word of data) {
		const factor = word ^ result.shift()
		result.push(0)
		for (let i = 0; i < divisor.length; i++) result[i] ^= times(divisor[i], factor)
	}
	return result
}

// withCheck appends the check bits of a BCH code to a number: the remainder of its division by a polynomial.
function withCheck(n, polynomial, bits) {
	let rest = n
	for (let i = 0; i < bits; i++) rest = rest << 1 ^ (rest >> bits - 1) * polynomial
	return n << bits | rest
}

// masks has the eight masks. A module is inverted where its mask returns 0.
const masks = [(x, y) => (x + y) % 2, (x, y) => y % 2, x => x % 3, (x, y) => (x + y) % 3,
	(x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2, (x, y) => x * y % 2 + x * y % 3,
	(x, y) => (x * y % 2 + x * y % 3) % 2, (x, y) => ((x + y) % 2 + x * y % 3) % 2]

// rowsOf returns the rows of a code whose codewords are the bits of stream, under a mask.
function rowsOf(version, stream, mask) {
	const size = 17 + 4 * version
	const rows = Array.from({length: size}, () => Array(size).fill(null)) // null where codewords go
	drawPatterns(rows, version)
	drawNumbers(rows, version, masks.indexOf(mask))
	let i = 0
	// Go through pairs of columns from the right, up and down in turn. Modules after the end of stream are 0.
	let isUpward = true
	for (let right = size - 1; right >= 1; right -= 2) {
		if (right === 6) right = 5 // column 6 has the timing pattern
		for (let step = 0; step < size; step++) for (const x of [right, right - 1]) {
			const y = isUpward ? size - 1 - step : step
			if (rows[y][x] === null) rows[y][x] = (stream[i++] === 1) !== (mask(x, y) === 0)
		}
		isUpward = !isUpward
	}
	return rows
}

// drawPatterns draws the patterns by which readers locate the code.
function drawPatterns(rows, version) {
	const size = rows.length
	const square = (left, top, radius, isDark) => {
		for (let y = -radius; y <= radius; y++) for (let x = -radius; x <= radius; x++)
			if (rows[top + y]?.[left + x] !== undefined) rows[top + y][left + x] = isDark(Math.max(Math.abs(x), Math.abs(y)))
	}
	for (let i = 0; i < size; i++) rows[6][i] = rows[i][6] = i % 2 === 0 // the timing pattern
	for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) square(x, y, 4, far => far !== 2 && far !== 4)
	// Alignment patterns stand in a grid, except where the corners have the patterns above.
	const middle = version < 7 ? [] : [(6 + size - 7) / 2]
	const places = version === 1 ? [] : [6, ...middle, size - 7]
	const corners = [`6,6`, `6,${size - 7}`, `${size - 7},6`]
	for (const x of places) for (const y of places)
		if (!corners.includes(`${x},${y}`)) square(x, y, 2, far => far !== 1)
}

// drawNumbers draws the level of error correction and the number of the mask and, from version 7 on, the version.
function drawNumbers(rows, version, mask) {
	const size = rows.length
	const format = withCheck(mask, 0x537, 10) ^ 0x5412 // level M is 0, so that it adds nothing to the mask
	const bit = i => (format >> i & 1) === 1
	// The 15 bits of the format stand twice: around the corner at the top left, down column 8 and back along row 8, and
	// along the two other corners.
	const alongCorner = [0, 1, 2, 3, 4, 5, 7, 8, 7, 5, 4, 3, 2, 1, 0] // row or column 6 has the timing pattern
	for (let i = 0; i < 15; i++) {
		const isFirstHalf = i < 8
		if (isFirstHalf) rows[alongCorner[i]][8] = bit(i)
		else rows[8][alongCorner[i]] = bit(i)
		if (isFirstHalf) rows[8][size - 1 - i] = bit(i)
		else rows[size - 15 + i][8] = bit(i)
	}
	rows[size - 8][8] = true // always dark
	if (version < 7) return
	// The 18 bits of the version stand twice, in blocks of 3 times 6 modules at the two other corners.
	const number = withCheck(version, 0x1F25, 12)
	for (let i = 0; i < 18; i++) {
		const [far, near] = [size - 11 + i % 3, Math.floor(i / 3)]
		rows[far][near] = rows[near][far] = (number >> i & 1) === 1
	}
}

// penalty counts what makes reading hard: long runs, blocks of one colour, false finder patterns, and a number of dark
// modules far from half.
function penalty(rows) {
	let cost = 0
	const columns = rows[0].map((_, x) => rows.map(row => row[x]))
	for (const line of [...rows, ...columns]) {
		const bits = line.map(Number).join("")
		for (const [run] of bits.matchAll(/0{5,}|1{5,}/g)) cost += 3 + (run.length - 5)
		cost += 40 * [...bits.matchAll(/(?=10111010000|00001011101)/g)].length
	}
	for (let y = 1; y < rows.length; y++) for (let x = 1; x < rows.length; x++)
		if (new Set([rows[y][x], rows[y - 1][x], rows[y][x - 1], rows[y - 1][x - 1]]).size === 1) cost += 3
	const dark = rows.flat().filter(Boolean).length / rows.length ** 2
	return cost + 10 * Math.floor(Math.abs(dark - 0.5) * 20)
}
