// The words, numbers and dates of the pages of shared flats, in each language of the page.

package main

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"
)

// pageWords are the words of a shared page in a language.
type pageWords struct {
	language   string
	texts      map[string]string // by name; for a count, the name with "+" has the plural
	factNames  []string          // of short facts, in the order of the page
	group      string            // separates thousands
	point      string            // begins decimals
	dateLayout string
}

// ownWords are the words that only shared pages have.
var ownWords = map[string]map[string]string{
	"en": {
		"until":        "open until {date}",
		"untitled":     "Flat",
		"photo":        "Photo",
		"open_listing": "Open the listing",
		"no_share":     "This link leads nowhere",
		"ask_again":    "It has ended, or was never complete. Ask for a new one where you have it from.",
	},
	"de": {
		"until":        "offen bis {date}",
		"untitled":     "Wohnung",
		"photo":        "Foto",
		"open_listing": "Anzeige öffnen",
		"no_share":     "Dieser Link führt nirgendwohin",
		"ask_again":    "Er ist abgelaufen oder unvollständig. Bitten Sie um einen neuen, wo Sie ihn herhaben.",
	},
	"fr": {
		"until":        "ouvert jusqu’au {date}",
		"untitled":     "Logement",
		"photo":        "Photo",
		"open_listing": "Ouvrir l’annonce",
		"no_share":     "Ce lien ne mène nulle part",
		"ask_again":    "Il a expiré ou il est incomplet. Demandez-en un nouveau à la personne qui vous l’a donné.",
	},
}

// pageWord matches a line of web/words/strings. Its groups are the name, the only text of the name, and the singular
// and the plural of the name of a count.
var pageWord = newPattern(`(?m)^\t(\w+): (?:"([^"\\]*)"|\["([^"\\]*)", "([^"\\]*)"\]),$`)

// pageWordsOf returns the words of a language. If the page is not in the language, it returns the words of the first of
// languages.
func pageWordsOf(language string) pageWords {
	if all := sharedWords(); all[language].texts != nil {
		return all[language]
	}
	return sharedWords()[languages[0]]
}

// sharedWords has the words of all languages that the page has.
var sharedWords = sync.OnceValue(func() map[string]pageWords {
	all := map[string]pageWords{}
	for language, form := range map[string]pageWords{
		"en": {group: ",", point: ".", dateLayout: "2 Jan 2006"},
		"de": {group: ".", point: ",", dateLayout: "02.01.2006"},
		"fr": {group: "\u202f", point: ",", dateLayout: "02/01/2006"},
	} {
		form.language, form.texts = language, map[string]string{}
		text, _ := web.ReadFile("web/words/strings/" + language + ".js") // no error: it is embedded
		for _, word := range pageWord().FindAllStringSubmatch(string(text), -1) {
			name, only, singular, plural := word[1], word[2], word[3], word[4]
			form.texts[name] = cmp.Or(only, singular)
			form.texts[name+"+"] = plural
			fact, isFact := strings.CutPrefix(name, "detail_")
			isPrivate := fact == "mail" || fact == "commute" // who wrote, and where somebody goes every day
			if isFact && !isPrivate {
				form.factNames = append(form.factNames, fact)
			}
		}
		for name, word := range ownWords[language] {
			form.texts[name] = word
		}
		all[language] = form
	}
	return all
})

func (w pageWords) date(at time.Time) string { return at.Format(w.dateLayout) }

// count returns a number with the word for what it counts.
func (w pageWords) count(name string, n float64) string {
	form := w.texts[name+"+"]
	if n == 1 || w.language == "fr" && n < 2 { // 1,5 pièce
		form = w.texts[name]
	}
	return strings.ReplaceAll(form, "#", w.number(n, 1))
}

// number returns a number in the form of the language, with at most some decimals.
func (w pageWords) number(n float64, decimals int) string {
	if math.Abs(n) >= 1e15 { // not all its digits would be exact
		return strconv.FormatFloat(n, 'g', 3, 64)
	}
	text := rounded(math.Abs(n), decimals)
	whole, rest, _ := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + w.group + whole[i:]
	}
	if rest = strings.TrimRight(rest, "0"); rest != "" {
		whole += w.point + rest
	}
	if n < 0 {
		whole = "-" + whole
	}
	return whole
}
