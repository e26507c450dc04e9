// Finds the phone number in a text as people write it: dialled returns what a phone dials.

const dash = "[\\u2010-\\u2015\\u2212-]"
const sign = `(?:[ ,./()+]|${dash})` // may stand between the digits of a phone number
const runForm = RegExp(`[+(]*\\d(?:${sign}{0,5}\\d)*`, "gu") // one number, or several
const gapForm = RegExp(sign + "+", "gu")
const wideGap = RegExp(`/| ${dash} |  `, "u") // may separate two numbers
const endingGap = RegExp(`[(+]|/ ?${dash}`, "u") // ends a number that is long enough

// extensions matches an extension after a number: "ext. 12". direct is one that is dialled as part of the number.
const extensions = RegExp("^[ ,(.–-]{0,4}(?:(?:DW|Durchwahl)[ .:–-]{0,3}(?<direct>\\d{1,6})|" +
	"(?:ext(?:ension|n)?|x|#|poste|int(?:erno)?|toestel|tst|lokal|wewn?|Nebenstelle|Nst)[ .:–-]{0,3}" +
	"(?<extension>\\d{1,6}))(?!\\d)", "iu")

// lettersAfter matches letters that are part of a number: two that follow at once or after a sign, as in 1-800-Flats,
// or three capitals, which may also follow a space, as in 0800 WOHNEN.
const lettersAfter = /^(?:[-.]?\p{L}{2}| ?[-./]? ?\p{Lu}{3})[\p{L}\d-]*/u
const digitsOf = text => text.replace(/\D/g, "")

const searchedLength = 500 // characters; a longer text is no phone number with a few words
const leastDigits = 5 // of a number; shorter runs may be times of day
const wholeNumber = 8 // digits of a number that needs no letters

// phoneNumber returns the first phone number of a text, {written, number, extension, direct}, or undefined. It ignores
// runs of fewer than leastDigits if the text has a longer one: "9-17Uhr 0176 55501990". An extension is dialled after
// the call is answered; direct is an extension that is dialled as part of the number, as in Germany. A number with
// letters has only written, the text of the number.
function phoneNumber(text) {
	const line = text.slice(0, searchedLength).replace(/[^\S\n]/g, " ")
	const runs = [...line.matchAll(runForm)]
	const {0: run, index} = runs.find(([run]) => digitsOf(run).length >= leastDigits) ?? runs[0] ?? {}
	if (!run) return undefined
	const number = run.slice(0, endOfNumber(run))
	const rest = line.slice(index + number.length)
	const {0: suffix = "", groups} = extensions.exec(rest) ?? []
	const [letters] = lettersAfter.exec(rest) ?? []
	// Letters after a whole number are other words.
	const hasLetters = !groups && letters && digitsOf(number).length < wholeNumber
	if (hasLetters) return {written: number + letters}
	return {written: number + suffix, number, ...groups}
}

// endOfNumber returns the length of the first number in a run of digits, which may be several numbers. A gap may also
// be within a number, so it ends the number only after enough digits. The rarer such a gap is within numbers, the fewer
// are enough: 6 before a comma; 7 before a bracket, a plus or "/-"; 8 before a slash, a dash with spaces or two spaces,
// as in "33 55 50 12 / 20 55 50 12", but 7 if a 0 follows, because a 0 begins a number.
function endOfNumber(run) {
	for (const {0: gap, index} of run.matchAll(gapForm)) {
		// The digits before the gap, without the 00 before a country code and without (0)
		const before = digitsOf(run.slice(0, index).replace(/^\D*00|\(0\)/g, "")).length
		const rest = run.slice(index + gap.length)
		const isWholeBefore = before >= (rest.startsWith("0") ? 7 : 8)
		const isWholeAfter = digitsOf(rest).length >= 7
		const separatesTwo = wideGap.test(gap) && isWholeBefore && isWholeAfter
		const isEndingComma = gap.includes(",") && before >= 6
		const isOtherEnd = endingGap.test(gap) && before >= 7
		if (separatesTwo || isEndingComma || isOtherEnd) return index
	}
	return run.length
}

// bracketedZero matches the zero of "+49 (0)89", which is dialled only within the country. In Italy (39) it belongs to
// the number.
const bracketedZero = /^(\D*(?!39)\d+\D*)\(0\)/

// zeroAfterCode matches the zero of "+49 089", which is wrong after the codes of NL, BE and FR (31 to 33), CH (41),
// AT (43), UK (44), SE (46) and DE (49).
const zeroAfterCode = /^(3[1-3]|4[13469])0/

// digitsFromAbroad returns the digits of a number with a country code, without a zero that is dialled only at home.
const digitsFromAbroad = number => digitsOf(number.replace(bracketedZero, "$1")).replace(zeroAfterCode, "$1")

// switchboardZero matches the -0 of a switchboard at the end of a number. A direct extension takes its place: one dials
// 089552134 for "089 / 55 21 - 0 Durchwahl 34".
const switchboardZero = RegExp(` ?${dash} ?0$`, "u")

// dialled returns what a phone dials for the first number in a text: a plus sign or 00 if it has one, its digits, and a
// comma, which is a pause, with the extension. It returns "" if there is no number, or one with letters.
export function dialled(phone) {
	const {number = "", extension, direct} = phoneNumber(phone) ?? {}
	const whole = direct ? number.replace(switchboardZero, "") + direct : number
	const [, prefix = "", rest] = /^[^\d+]*(\+|00)?(.*)$/.exec(whole) // of "(+49) 89 1234", "+" and "49) 89 1234"
	const digits = prefix ? digitsFromAbroad(rest) : digitsOf(rest)
	const pause = extension ? "," + extension : ""
	return prefix + digits + pause
}
