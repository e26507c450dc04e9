// Phone numbers as people write them: dialled returns what a phone dials.

const dash = "[\\u2010-\\u2015\\u2212-]"
const between = `(?:[ ,./()+]|${dash})` // what may stand between the digits of a phone number
const inARow = RegExp(`[+(]*\\d(?:${between}{0,5}\\d)*`, "gu")
const separator = RegExp(between + "+", "gu")
const ofSeveral = RegExp(`/| ${dash} |  `, "u")
const afterWhole = RegExp(`[(+]|/ ?${dash}`, "u")
const extensions = RegExp("^[ ,(.–-]{0,4}(?:(?:DW|Durchwahl)[ .:–-]{0,3}(?<direct>\\d{1,6})|" +
	"(?:ext(?:ension|n)?|x|#|poste|int(?:erno)?|toestel|tst|lokal|wewn?|Nebenstelle|Nst)[ .:–-]{0,3}" +
	"(?<extension>\\d{1,6}))(?!\\d)", "iu")
// Letters that are part of a number, as in 1-800-FLATS
const lettersBehind = /^(?:[-.]?\p{L}{2}| ?[-./]? ?\p{Lu}{3})[\p{L}\d-]*/u
const digitsOf = text => text.replace(/\D/g, "")

// phoneNumber returns the first phone number of a text with the extension behind it, {written, number, extension,
// direct}, or undefined. Fewer than five digits count only if there is nothing else. direct is an extension that is
// dialled with the number, as in Germany; a switchboard connects the others. A number with letters has only written.
function phoneNumber(text) {
	const line = text.slice(0, 500).replace(/[^\S\n]/g, " ")
	const runs = [...line.matchAll(inARow)]
	const {0: run, index} = runs.find(([run]) => digitsOf(run).length >= 5) ?? runs[0] ?? {}
	if (!run) return undefined
	const number = run.slice(0, endOfNumber(run))
	const rest = line.slice(index + number.length)
	const {0: behind = "", groups} = extensions.exec(rest) ?? []
	const [letters] = lettersBehind.exec(rest) ?? []
	if (!groups && letters && digitsOf(number).length < 8) return {written: number + letters}
	return {written: number + behind, number, ...groups}
}

// endOfNumber returns the length of the first of several numbers in a row. Most of what separates two numbers may
// also stand within one, so it depends on the digits before and after.
function endOfNumber(run) {
	for (const {0: gap, index} of run.matchAll(separator)) {
		const before = digitsOf(run.slice(0, index).replace(/^\D*00|\(0\)/g, "")).length
		const rest = run.slice(index + gap.length)
		const isNext = ofSeveral.test(gap) && digitsOf(rest).length >= 7 && before >= (rest.startsWith("0") ? 7 : 8)
		if (isNext || before >= 6 && gap.includes(",") || before >= 7 && afterWhole.test(gap)) return index
	}
	return run.length
}

// The zero in the brackets of "+49 (0)89" is dialled only within the country. In Italy (39) it belongs to the number.
const bracketedZero = /^(\D*(?!39)\d+\D*)\(0\)/

// The zero behind the country code of "+49 089" is wrong abroad, too, in NL, BE and FR (31 to 33), CH (41), AT (43), UK
// (44), SE (46) and DE (49).
const zeroAfterCode = /^(3[1-3]|4[13469])0/

const digitsFromAbroad = number => digitsOf(number.replace(bracketedZero, "$1")).replace(zeroAfterCode, "$1")

// dialled returns what a phone dials for the first number of a text: a leading plus, its digits, and its extension
// after a comma, which is a pause. It returns "" for a number with letters: without them another number would be
// dialled.
export function dialled(phone) {
	const {number = "", extension, direct} = phoneNumber(phone) ?? {}
	const whole = direct ? number.replace(RegExp(` ?${dash} ?0$`, "u"), "") + direct : number
	const [, sign = "", rest] = /^[^\d+]*(\+|00)?(.*)$/.exec(whole)
	const digits = sign ? digitsFromAbroad(rest) : digitsOf(rest)
	const pause = extension ? "," + extension : ""
	return sign + digits + pause
}
