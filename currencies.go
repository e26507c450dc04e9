// Currencies: their codes, their signs and their names.

package main

import (
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
var wordCodes = setOf("ALL CUP MOP PEN SOS TOP TRY")

// smallCodes are codes that people also write in small letters. Most others would be words.
var smallCodes = setOf("eur chf gbp usd dkk sek nok pln czk huf ron cad aud nzd")

// signs are the signs and names of currencies, by what stands in the text in small letters. "$" and "kr" are
// currencies of several countries.
var signs = map[string]string{
	"€": "EUR", "euro": "EUR", "euros": "EUR", "£": "GBP", "pound": "GBP", "pounds": "GBP",
	"$": "$", "dollar": "$", "dollars": "$", "us$": "USD", "a$": "AUD", "au$": "AUD", "nz$": "NZD", "c$": "CAD",
	"ca$": "CAD", "cdn$": "CAD", "hk$": "HKD", "s$": "SGD", "sg$": "SGD", "r$": "BRL", "reais": "BRL",
	"mx$": "MXN", "nt$": "TWD", "ar$": "ARS", "cl$": "CLP", "u$s": "USD",
	"fr.": "CHF", "sfr": "CHF", "sfr.": "CHF", "franken": "CHF", "francs": "CHF",
	"kr": "kr", "kr.": "kr", "kroner": "kr", "kronor": "kr", "zł": "PLN", "złotych": "PLN", "kč": "CZK", "korun": "CZK",
	"forint": "HUF", "lei": "RON", "leu": "RON", "₹": "INR", "₽": "RUB", "₺": "TRY", "₩": "KRW",
	"₪": "ILS", "฿": "THB",
	"₫": "VND", "₱": "PHP", "₴": "UAH", "грн": "UAH", "руб": "RUB", "₦": "NGN",
	"¥": "JPY", "円": "JPY", "元": "CNY",
	"лв": "BGN", "лв.": "BGN",
	"ευρώ": "EUR",
}

// capitalSigns are signs that would be words or units in small letters.
var capitalSigns = map[string]string{"Ft": "HUF", "TL": "TRY", "RM": "MYR", "Rp": "IDR", "Rs": "INR", "Rs.": "INR"}

const longestSign = 16 // bytes

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

// signBehind returns the currency with which a text behind a number begins, perhaps after a space, and its length with
// the space.
func signBehind(text string) (sign string, length int) {
	rest := strings.TrimPrefix(text, " ")
	space := len(text) - len(rest)
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
	"pl": "PLN", "cz": "CZK", "hu": "HUF", "ro": "RON"}

// currencyIn returns the code of a currency that stands in a text of a country, which may be "". A dollar is that of
// the USA if the country has none; a krone has no code without a country.
func currencyIn(sign, country string) string {
	own := ownCurrencies[country]
	switch sign {
	case "$":
		if strings.HasSuffix(own, "D") || own == "MXN" {
			return own
		}
		return "USD"
	case "kr":
		if strings.HasSuffix(own, "K") && country != "cz" {
			return own
		}
		return ""
	}
	return sign
}
