// SHA-256 (FIPS 180-4). The browser has its own only where the context is secure, which a service at home
// often is not, and a listing must have the same id on all devices.

// fraction returns the first 32 bits after the decimal point of a number.
const fraction = n => (n - Math.floor(n)) * 2 ** 32 | 0

// The primes whose roots the algorithm begins with.
const isPrime = n => Array.from({length: n}, (_, i) => i).every(i => i < 2 || n % i !== 0)
const primes = Array.from({length: 310}, (_, i) => i + 2).filter(isPrime) // the first 64
const steps = primes.map(prime => fraction(Math.cbrt(prime)))

const turn = (word, by) => word >>> by | word << 32 - by

// sha256 returns the hash of a text's UTF-8 as hex digits.
export function sha256(text) {
	const bytes = new TextEncoder().encode(text)
	const blocks = new DataView(new ArrayBuffer((bytes.length + 72 >> 6) << 6))
	new Uint8Array(blocks.buffer).set([...bytes, 0x80])
	blocks.setUint32(blocks.byteLength - 4, bytes.length * 8)
	let hash = primes.slice(0, 8).map(prime => fraction(Math.sqrt(prime)))
	for (let at = 0; at < blocks.byteLength; at += 64) {
		const words = Array.from({length: 16}, (_, i) => blocks.getInt32(at + 4 * i))
		hash = mixed(hash, words).map((word, i) => word + hash[i] | 0)
	}
	return hash.map(word => (word >>> 0).toString(16).padStart(8, "0")).join("")
}

// mixed mixes the 16 words of a block into a hash.
function mixed([a, b, c, d, e, f, g, h], words) {
	for (const [i, step] of steps.entries()) {
		if (i >= 16) {
			const [old, last] = [words[i - 15], words[i - 2]]
			words[i] = words[i - 16] + (turn(old, 7) ^ turn(old, 18) ^ old >>> 3) + words[i - 7] +
				(turn(last, 17) ^ turn(last, 19) ^ last >>> 10) | 0
		}
		const chosen = e & f ^ ~e & g
		const first = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + chosen + step + words[i] | 0
		const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + (a & b ^ a & c ^ b & c) | 0
		;[a, b, c, d, e, f, g, h] = [first + second | 0, a, b, c, d + first | 0, e, f, g]
	}
	return [a, b, c, d, e, f, g, h]
}
