// Scales: the words for thousands and millions after a number.

package listing

import (
	"cmp"
	"math"
	"strings"
	"sync"
)

// scales returns the words for thousands, millions and other scales, in lower case. isScale tells where a
// short one counts.
var scales = sync.OnceValue(func() map[string]float64 {
	all := map[string]float64{"lakh": 1e5, "lakhs": 1e5, "lac": 1e5, "lacs": 1e5, "crore": 1e7, "crores": 1e7, "cr": 1e7,
		"tỷ": 1e9}
	for _, word := range wordsOf("thousand") {
		all[word] = 1e3
	}
	for _, word := range wordsOf("million") {
		all[word] = 1e6
	}
	return all
})

// scaleAt returns the scale with which text begins, and its length, or 1 and 0. text is what follows a number, and sign
// the currency before the number.
func scaleAt(text, sign string, number float64) (scale float64, length int) {
	rest := strings.TrimPrefix(text, " ")
	skipped := len(text) - len(rest)
	for _, tenThousand := range []string{"万", "만", "萬"} {
		if strings.HasPrefix(rest, tenThousand) {
			return 1e4, skipped + len(tenThousand)
		}
	}
	word := wordAt(rest)
	if word == "" {
		return 1, 0
	}
	w := scaleWord{text: word, lower: strings.ToLower(word), isJoined: skipped == 0, before: sign}
	length = skipped + len(word)
	scale = scales()[w.lower]
	if scale == 0 {
		return joinedScaleAt(word, rest, skipped)
	}
	if _, signLength := signAfter(text); signLength > length {
		return 1, 0 // "s$" is a currency
	}
	if w.lower == "tkr" || w.lower == "mkr" || w.lower == "mnkr" {
		return scale, length - len("kr") // the currency is part of the word
	}
	after, point := currencyAfterScale(text[length:], len(w.lower) > 1)
	w.after = after
	length += point
	w.endsInPoint = strings.HasPrefix(text[length:], ".")
	const leastCost = 10 // no home costs less
	isOfSquare := strings.IndexAny(text[length:], "²2³3") == 0
	isSmall := number < leastCost
	w.isOfMillions = isSmall && number != math.Trunc(number) && !isOfSquare // not "£ 9 m from the sea"
	if !w.isScale() {
		return 1, 0
	}
	isOfMillions := after == "CZK" || cmp.Or(sign, after) == "GBP" && isSmall
	if w.lower == "mil" && isOfMillions { // elsewhere a thousand
		scale = 1e6
	}
	return scale, length
}

// currencyAfterScale returns the currency with which text, which follows a scale, begins, and the length of the point
// that belongs to the scale: 1 in "Mio. €" and "m. €", but 0 in "€ 450 K." at the end of a sentence. isWord says
// whether the scale has several letters.
func currencyAfterScale(text string, isWord bool) (currency string, point int) {
	rest, hasPoint := strings.CutPrefix(text, ".")
	if !hasPoint {
		currency, _ = signAfter(text)
		return currency, 0
	}
	currency, _ = signAfter(rest)
	if isWord || currency != "" {
		return currency, len(".")
	}
	return "", 0
}

// A scaleWord is a word of scales after a number, with what tells whether it is a scale there.
type scaleWord struct {
	text, lower   string
	isJoined      bool   // no space stands between the number and the word
	before, after string // the currencies before the number and after the word
	endsInPoint   bool   // a point that may end a sentence follows
	isOfMillions  bool   // the number is too small to be the cost of a home, has decimals, and no square follows
}

// isScale reports whether the word is a scale. Other words may be as short as "k", "cr" or "m", so such a scale needs
// a currency, or its number, directly beside it.
func (w *scaleWord) isScale() bool {
	switch {
	case len(w.lower) > 2, w.lower == "mn": // no other word is like these
		return true
	case w.after != "": // 1.2 m €
		return w.lower != "e" || w.after == "HUF" // it is short for a thousand only in Hungarian
	}
	switch w.lower {
	case "cr": // a crore
		return w.before == "INR" || w.before == "Rs"
	case "s", "ks": // the $300s
		return w.isJoined && w.before == "$"
	case "k": // 450k, € 450 K
		return w.isJoined || w.before != "" && !w.endsInPoint
	case "m": // €1.2m, € 1.2 M, £1.2 m
		return w.before != "" && (w.isJoined || w.text == "M" || w.isOfMillions)
	}
	return false
}

var (
	scaledCode  = newPattern(`(?:^|\P{L})([TkKM]|Mio)(EUR|CHF|USD|GBP|DKK|NOK|SEK) ?$`)
	scaleBefore = newPattern(`(?:^|\P{L})(?:([TkK])|((?i:mio|mn|mln|tsd))\.? ?)$`)
	// fullScales are the words for scales that count before a number. Most others are also words of a sentence.
	fullScales = map[string]float64{"mio": 1e6, "mn": 1e6, "mln": 1e6, "tsd": 1e3}
)

// scaledCurrencyBefore returns the currency at the end of a text before a number, its length with the scale next to it,
// and this scale, or 1: "k€ 450", "TEUR 450", "Mio. € 1,2", "CHF Mio. 1.2".
func scaledCurrencyBefore(text string) (currency string, length int, scale float64) {
	const longest = 4 * longestSpelling // bytes of a currency and a scale with spaces
	text = text[max(0, len(text)-longest):]
	if at := scaledCode().FindStringSubmatchIndex(text); at != nil {
		return text[at[4]:at[5]], len(text) - at[2], joinedScales[text[at[2]:at[3]]]
	}
	currency, length = currencyBefore(text)
	sign := text[len(text)-length:]
	before := strings.TrimSuffix(text, sign)
	at := scaleBefore().FindStringSubmatchIndex(before)
	switch {
	case at == nil:
		return currency, length, 1
	case at[2] >= 0 && currency != "" && !beginsInLetter(sign): // "k€"
		return currency, len(text) - at[2], joinedScales[before[at[2]:at[3]]]
	case at[4] < 0:
		return currency, length, 1
	}
	scale = fullScales[strings.ToLower(before[at[4]:at[5]])]
	if currency != "" { // "Mio. €"
		return currency, len(text) - at[4], scale
	}
	currency, length = currencyBefore(before[:at[4]]) // "CHF Mio."
	if currency == "" {
		return "", 0, 1
	}
	return currency, length + len(before) - at[4], scale
}

// joinedScales are the scales that a currency is joined to.
var joinedScales = map[string]float64{"T": 1e3, "k": 1e3, "K": 1e3, "e": 1e3, "E": 1e3, "M": 1e6, "Mio": 1e6}

// joinedScaleAt returns the scale of a word that a currency is joined to: "TEUR", "kEUR", "eFt". rest begins with the
// word, and skipped is the number of bytes before it.
func joinedScaleAt(word, rest string, skipped int) (scale float64, length int) {
	for name, scale := range joinedScales {
		if len(word) <= len(name) || !strings.HasPrefix(word, name) {
			continue
		}
		code, codeLength := signAfter(rest[len(name):])
		isWholeWord := len(name)+codeLength == len(word)
		if code != "" && isWholeWord && isScaleOf(name, code) {
			return scale, skipped + len(name)
		}
	}
	return 1, 0
}

// isScaleOf reports whether a scale is joined to the signs of a currency. "MEUR" is common, and "eFt" is Hungarian.
func isScaleOf(name, code string) bool { return !strings.EqualFold(name, "e") || code == "HUF" }
