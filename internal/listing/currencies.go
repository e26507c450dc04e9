// Currencies: their codes, their signs and their names. All that reads or compares money asks these tables.

package listing

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// currencyCodes are the codes of ISO 4217 in which homes are priced: no funds, no metals.
var currencyCodes = setOf(`AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN
	BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD
	HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD
	MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON
	RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX
	USD UYU UZS VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG`)

// anyCase has the signs and the names of currencies, which count in any case, and the codes that people also write in
// lower case: most others would be words. The keys are codes, or keys of sharedSigns.
var anyCase = map[string]string{
	"ALL": "lekë lek", "ARS": "ar$", "AUD": "aud a$ au$", "AZN": "₼ manat", "BGN": "лв лв.", "BRL": "r$ reais",
	"CAD": "cad c$ ca$ cdn$", "CHF": "chf fr. sfr sfr. franken francs", "CLP": "cl$", "CNY": "元 rmb cn¥ yuan 人民币",
	"CRC": "₡", "CZK": "czk kč korun", "DKK": "dkk", "DOP": "rd$", "EUR": "eur € euro euros ευρώ",
	"GBP": "gbp £ pound pounds", "GEL": "₾", "GHS": "gh₵ ₵", "HKD": "hk$", "HUF": "huf forint",
	"ILS": "₪", "INR": "₹",
	"JPY": "円 jp¥", "KES": "ksh ksh. kshs", "KRW": "₩ 원", "KZT": "₸", "MXN": "mx$", "NGN": "₦", "NOK": "nok",
	"NZD": "nzd nz$", "PHP": "₱", "PLN": "pln zł złotych", "RON": "ron lei leu",
	"RSD": "din. dinara дин дин. динара", "RUB": "₽ руб", "SEK": "sek", "SGD": "s$ sg$",
	"THB": "฿ baht",
	"TRY": "₺",
	"TWD": "nt$", "UAH": "₴ грн", "USD": "usd us$ u$s", "VND": "₫ đ", "ZAR": "rand",
	"$": "$ dollar dollars", "kr": "kr kr. kroner kronor", "¥": "¥ ￥", "Dh": "dirham dirhams",
}

// exactCase has the signs that would be words or units in another case.
var exactCase = map[string]string{"HUF": "Ft", "TRY": "TL", "MYR": "RM", "IDR": "Rp", "Rs": "Rs Rs.", "PHP": "Php",
	"ILS": "NIS", "PEN": "S/ S/.", "Dh": "Dhs Dhs."}

// afterNumber has the spellings that are also words, so that they count only after a number: "TOP 3 rooms" has none.
var afterNumber = setOf("ALL CUP MOP PEN SOS TOP TRY rand")

// A spelling is what people write for a currency.
type spelling struct {
	currency      string // a code, or one of sharedSigns
	isAfterNumber bool   // it counts only after a number
}

// spellings are the codes, signs and names of all currencies; those of anyCase are in lower case.
var spellings = allSpellings()

func allSpellings() map[string]spelling {
	all := map[string]spelling{}
	add := func(currency, written string) { all[written] = spelling{currency, afterNumber[written]} }
	for code := range currencyCodes {
		add(code, code)
	}
	for _, code := range sharedSigns["$"] {
		add(code, code+"$")
	}
	for _, table := range []map[string]string{anyCase, exactCase} {
		for currency, list := range table {
			for written := range strings.FieldsSeq(list) {
				add(currency, written)
			}
		}
	}
	return all
}

const longestSpelling = 16 // bytes of a currency as a text writes it

// spellingOf looks up a text among the spellings. The currency of the result is "" if there is no such spelling.
func spellingOf(written string) spelling {
	if found, ok := spellings[written]; ok {
		return found
	}
	return spellings[strings.ToLower(written)]
}

// CurrencyCode returns the code of a currency, given its code, its sign or its name. A dollar is the US dollar. Other
// signs that several countries share stay signs, in one spelling: "kr." is "kr". Three letters that are no known code
// become capitals, and anything else stays as it is. Space around it does not count. The page does the same, to name a
// currency in a filter.
func CurrencyCode(written string) string {
	written = strings.TrimSpace(written)
	code := spellingOf(written).currency
	switch {
	case code == "$":
		return "USD"
	case code != "":
		return code
	case threeLetters().MatchString(written):
		return strings.ToUpper(written)
	}
	return written
}

var threeLetters = newPattern(`^[A-Za-z]{3}$`)

// CurrencySign returns the sign that stands before an amount in English, given the code of its currency or the sign, or
// "" if the currency is written with its code.
func CurrencySign(written string) string {
	switch CurrencyCode(written) {
	case "EUR":
		return "€"
	case "GBP":
		return "£"
	case "USD":
		return "$"
	}
	return ""
}

// CurrencySpellings maps each currency, as [CurrencyCode] returns it, to its spellings, separated by spaces. Spellings
// that count in any case are in lower case.
func CurrencySpellings() map[string]string {
	all := map[string]string{}
	for _, written := range slices.Sorted(maps.Keys(spellings)) {
		code := CurrencyCode(written)
		all[code] = strings.TrimSpace(all[code] + " " + written)
	}
	return all
}

// signAfter returns the currency at the start of text, the part after a number, or "". length includes a leading space.
func signAfter(text string) (sign string, length int) {
	rest := strings.TrimPrefix(text, " ")
	space := len(text) - len(rest)
	first, _ := utf8.DecodeRuneInString(rest)
	if !unicode.IsLetter(first) && !unicode.Is(unicode.Sc, first) {
		return "", 0
	}
	longest := min(len(rest), longestSpelling)
	if i := strings.IndexByte(rest[:longest], ' '); i > 0 {
		longest = i
	}
	for end := longest; end > 0; end-- {
		if end < len(rest) && !utf8.RuneStart(rest[end]) {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(rest[:end])
		next, _ := utf8.DecodeRuneInString(rest[end:])
		// A word must be whole, but Chinese, Japanese and Korean letters join other words.
		const firstOfCJK = 0x3000
		isCut := unicode.IsLetter(last) && end < len(rest) && (unicode.IsLetter(next) || next == '²')
		if isCut && last < firstOfCJK {
			continue
		}
		if sign := spellingOf(rest[:end]).currency; sign != "" {
			return sign, space + end
		}
	}
	return "", 0
}

// signBefore returns the currency at the end of text, the part before a number, or "". length includes a trailing
// space.
func signBefore(text string) (sign string, length int) {
	rest := strings.TrimSuffix(text, " ")
	earliest := max(0, len(rest)-longestSpelling)               // where the longest spelling would begin
	earliest += strings.LastIndexByte(rest[earliest:], ' ') + 1 // no spelling has a space
	for start := earliest; start < len(rest); start++ {
		if !utf8.RuneStart(rest[start]) {
			continue
		}
		first, _ := utf8.DecodeRuneInString(rest[start:])
		previous, _ := utf8.DecodeLastRuneInString(rest[:start])
		if unicode.IsLetter(first) && start > 0 && unicode.IsLetter(previous) { // a word must be whole
			continue
		}
		if found := spellingOf(rest[start:]); found.currency != "" && !found.isAfterNumber {
			return found.currency, len(text) - start
		}
	}
	return "", 0
}

// currencyBefore returns the currency at the end of a text before a number, and its length. A code before a sign tells
// whose sign it is: "CAD $".
func currencyBefore(text string) (currency string, length int) {
	currency, length = signBefore(text)
	if sharedSigns[currency] == nil {
		return currency, length
	}
	if code, more := signBefore(text[:len(text)-length]); code != "" && slices.Contains(sharedSigns[currency], code) {
		return code, length + more
	}
	return currency, length
}

// isNextToSign reports whether the number in text[start:end] has a currency before or after it.
func isNextToSign(text string, start, end int) bool {
	_, before := signBefore(text[:start])
	_, after := signAfter(text[end:])
	return before > 0 || after > 0
}

// ownCurrencies maps the top-level domains of some countries without the euro to their currencies.
var ownCurrencies = map[string]string{"dk": "DKK", "se": "SEK", "no": "NOK", "is": "ISK", "ca": "CAD", "au": "AUD",
	"nz": "NZD", "us": "USD", "hk": "HKD", "sg": "SGD", "mx": "MXN", "ch": "CHF", "li": "CHF", "uk": "GBP", "gb": "GBP",
	"pl": "PLN", "cz": "CZK", "hu": "HUF", "ro": "RON", "cn": "CNY", "jp": "JPY", "in": "INR", "pk": "PKR",
	"lk": "LKR", "np": "NPR", "cl": "CLP", "ar": "ARS", "co": "COP", "uy": "UYU", "tw": "TWD", "ma": "MAD", "ae": "AED",
	"za": "ZAR", "ba": "BAM"}

// A localSign is how a country writes its currency. Elsewhere it is a word or a unit.
type localSign struct{ country, written, code string }

var localSigns = []localSign{{"za", "R", "ZAR"}, {"ba", "KM", "BAM"}, {"ng", "N", "NGN"}, {"dz", "DA", "DZD"},
	{"tn", "DT", "TND"}, {"ma", "DH", "MAD"}, {"ma", "dh", "MAD"}, {"ma", "dhs", "MAD"}, {"eg", "LE", "EGP"},
	{"rs", "din", "RSD"}, {"mk", "ден", "MKD"}}

// withCodes replaces the signs of a country with the codes of their currencies.
func withCodes(text, country string) string {
	for _, sign := range localSigns {
		if sign.country == country {
			text = replaceWord(text, sign.written, sign.code)
		}
	}
	return text
}

// replaceWord replaces a word where it is not part of a longer one.
func replaceWord(text, word, with string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, word)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		next, _ := utf8.DecodeRuneInString(rest)
		if unicode.IsLetter(last) || unicode.IsLetter(next) {
			b.WriteString(word)
		} else {
			b.WriteString(with)
		}
		text = rest
	}
}

// sharedSigns are the signs that several currencies share. In a country with none of them, the first one counts.
var sharedSigns = map[string][]string{
	"$":  {"USD", "CAD", "AUD", "NZD", "HKD", "SGD", "TWD", "MXN", "CLP", "ARS", "COP", "UYU"},
	"kr": {"", "DKK", "SEK", "NOK", "ISK"},
	"¥":  {"JPY", "CNY"},
	"Rs": {"INR", "PKR", "LKR", "NPR"},
	"Dh": {"AED", "MAD"},
}

// currencyIn returns the code of a currency, given the sign of an amount and the country of its text. Either may be "".
// "kr" has no code unless the country has crowns.
func currencyIn(sign, country string) string {
	shared := sharedSigns[sign]
	if shared == nil {
		return sign
	}
	if own := ownCurrencies[country]; slices.Contains(shared, own) {
		return own
	}
	return shared[0]
}

// OwnCurrency returns the currency of a country without the euro, given its top-level domain. It returns "" for any
// other country, and for those that ownCurrencies lacks.
func OwnCurrency(country string) string { return ownCurrencies[country] }
