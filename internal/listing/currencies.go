// Currencies: their codes, their signs and their names.

package listing

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// currencyCodes are the codes of ISO 4217.
var currencyCodes = setOf(`AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN
	BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD
	HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD
	MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON
	RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX
	USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG`)

// wordCodes are codes that are also words, so that they count only behind a number: "TOP 3 rooms".
var wordCodes = setOf("ALL CUP MOP PEN SOS TOP TRY rand Rand")

// smallCodes are codes that people also write in small letters. Most others would be words.
var smallCodes = setOf("eur chf gbp usd dkk sek nok pln czk huf ron cad aud nzd")

// signs are the signs and names of currencies, by what stands in the text in small letters. Those of sharedSigns are
// currencies of several countries.
var signs = map[string]string{
	"€": "EUR", "euro": "EUR", "euros": "EUR", "£": "GBP", "pound": "GBP", "pounds": "GBP",
	"$": "$", "dollar": "$", "dollars": "$", "us$": "USD", "a$": "AUD", "au$": "AUD", "nz$": "NZD", "c$": "CAD",
	"ca$": "CAD", "cdn$": "CAD", "hk$": "HKD", "s$": "SGD", "sg$": "SGD", "r$": "BRL", "reais": "BRL",
	"mx$": "MXN", "nt$": "TWD", "ar$": "ARS", "cl$": "CLP", "u$s": "USD",
	"fr.": "CHF", "sfr": "CHF", "sfr.": "CHF", "franken": "CHF", "francs": "CHF",
	"kr": "kr", "kr.": "kr", "kroner": "kr", "kronor": "kr", "zł": "PLN", "złotych": "PLN", "kč": "CZK", "korun": "CZK",
	"forint": "HUF", "lei": "RON", "leu": "RON", "₹": "INR", "₽": "RUB", "₺": "TRY", "₩": "KRW", "원": "KRW",
	"₪": "ILS", "฿": "THB",
	"₫": "VND", "₱": "PHP", "₴": "UAH", "грн": "UAH", "руб": "RUB", "₦": "NGN",
	"¥": "¥", "￥": "¥", "円": "JPY", "jp¥": "JPY",
	"元": "CNY", "rmb": "CNY", "cn¥": "CNY", "yuan": "CNY", "人民币": "CNY",
	"rand": "ZAR", "ksh": "KES", "ksh.": "KES", "kshs": "KES", "gh₵": "GHS", "₵": "GHS",
	"din.": "RSD", "dinara": "RSD",
	"дин": "RSD", "дин.": "RSD", "динара": "RSD", "lekë": "ALL", "lek": "ALL",
	"₾": "GEL", "₸": "KZT", "₼": "AZN", "manat": "AZN", "baht": "THB", "₡": "CRC", "rd$": "DOP", "đ": "VND",
	"dirham": "Dh", "dirhams": "Dh",
	"лв": "BGN", "лв.": "BGN",
	"ευρώ": "EUR",
}

// capitalSigns are signs that would be words or units in small letters.
var capitalSigns = map[string]string{"Ft": "HUF", "TL": "TRY", "RM": "MYR", "Rp": "IDR", "Rs": "Rs", "Rs.": "Rs",
	"Php": "PHP", "NIS": "ILS", "S/": "PEN", "S/.": "PEN", "Dhs": "Dh", "Dhs.": "Dh"}

const longestSign = 16 // bytes of a sign or name of a currency

// currencyNamed returns the currency that a sign, a code or a name stands for, or "".
func currencyNamed(written string) string {
	if currencyCodes[written] {
		return written
	}
	if code := capitalSigns[written]; code != "" {
		return code
	}
	if code, ok := strings.CutSuffix(written, "$"); ok && currencyCodes[code] {
		return code
	}
	lower := strings.ToLower(written)
	if smallCodes[lower] {
		return strings.ToUpper(lower)
	}
	return signs[lower]
}

// signBehind parses a currency at the start of text, the part after a number. length counts a
// leading space.
func signBehind(text string) (sign string, length int) {
	rest := strings.TrimPrefix(text, " ")
	space := len(text) - len(rest)
	first, _ := utf8.DecodeRuneInString(rest)
	if !unicode.IsLetter(first) && !unicode.Is(unicode.Sc, first) {
		return "", 0
	}
	ends := []int{}
	for i := range rest {
		if i > longestSign {
			break
		}
		if i > 0 {
			ends = append(ends, i)
		}
	}
	if len(rest) <= longestSign && rest != "" {
		ends = append(ends, len(rest))
	}
	for i := len(ends) - 1; i >= 0; i-- {
		end := ends[i]
		last, _ := utf8.DecodeLastRuneInString(rest[:end])
		next, _ := utf8.DecodeRuneInString(rest[end:])
		if unicode.IsLetter(last) && last < 0x3000 && end < len(rest) && (unicode.IsLetter(next) || next == '²') {
			continue
		}
		if sign := currencyNamed(rest[:end]); sign != "" {
			return sign, space + end
		}
	}
	return "", 0
}

// signBefore returns the currency at the end of a text before a number, perhaps before a space, and its length with
// the space.
func signBefore(text string) (sign string, length int) {
	rest := strings.TrimSuffix(text, " ")
	for start := max(0, len(rest)-longestSign); start < len(rest); start++ {
		if !utf8.RuneStart(rest[start]) {
			continue
		}
		written := rest[start:]
		first, _ := utf8.DecodeRuneInString(written)
		last, _ := utf8.DecodeLastRuneInString(rest[:start])
		if unicode.IsLetter(first) && start > 0 && unicode.IsLetter(last) || wordCodes[written] {
			continue
		}
		if sign := currencyNamed(written); sign != "" {
			return sign, len(text) - start
		}
	}
	return "", 0
}

// ownCurrencies are the currencies of countries that call them kr or $, or that have no euro, by the domain of their
// sites.
var ownCurrencies = map[string]string{"dk": "DKK", "se": "SEK", "no": "NOK", "is": "ISK", "ca": "CAD", "au": "AUD",
	"nz": "NZD", "us": "USD", "hk": "HKD", "sg": "SGD", "mx": "MXN", "ch": "CHF", "li": "CHF", "uk": "GBP", "gb": "GBP",
	"pl": "PLN", "cz": "CZK", "hu": "HUF", "ro": "RON", "cn": "CNY", "jp": "JPY", "in": "INR", "pk": "PKR",
	"lk": "LKR", "np": "NPR", "cl": "CLP", "ar": "ARS", "co": "COP", "uy": "UYU", "tw": "TWD", "ma": "MAD", "ae": "AED",
	"za": "ZAR", "ba": "BAM"}

// A localSign is what a country writes for its currency, which is a word or a unit elsewhere.
type localSign struct{ country, written, code string }

var localSigns = []localSign{{"za", "R", "ZAR"}, {"ba", "KM", "BAM"}, {"ng", "N", "NGN"}, {"dz", "DA", "DZD"},
	{"tn", "DT", "TND"}, {"ma", "DH", "MAD"}, {"ma", "dh", "MAD"}, {"ma", "dhs", "MAD"}, {"eg", "LE", "EGP"},
	{"rs", "din", "RSD"}, {"mk", "ден", "MKD"}}

// withCodes returns a text with the codes of currencies in the place of the signs of a country.
func withCodes(text, country string) string {
	for _, sign := range localSigns {
		if sign.country == country {
			text = replaceWord(text, sign.written, sign.code)
		}
	}
	return text
}

// replaceWord replaces a word where no letters stand beside it.
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

// sharedSigns are the signs by which several countries call their currencies. The first currency counts in countries
// with none of these.
var sharedSigns = map[string][]string{
	"$":  {"USD", "CAD", "AUD", "NZD", "HKD", "SGD", "TWD", "MXN", "CLP", "ARS", "COP", "UYU"},
	"kr": {"", "DKK", "SEK", "NOK", "ISK"},
	"¥":  {"JPY", "CNY"},
	"Rs": {"INR", "PKR", "LKR", "NPR"},
	"Dh": {"AED", "MAD"},
}

// currencyIn returns the code of a currency that stands in a text of a country, which may be "". A krone has no code
// without a country.
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

// OwnCurrency returns the currency of a country that calls it kr or $, or that has no euro, by the domain of its sites.
// It returns "" for any other country.
func OwnCurrency(country string) string { return ownCurrencies[country] }
