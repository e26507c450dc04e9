// Tests of words.go.

package listing

import (
	"slices"
	"strings"
	"testing"
)

// TestWordsByLanguage names the lists of words that a language lacks. A file says which ones it lacks: "none" are the
// lists that the language does not need, and "missing" those that are still to be written.
func TestWordsByLanguage(t *testing.T) {
	for code, words := range lexicons() {
		lacks := append(slices.Clone(words["none"]), words["missing"]...)
		isPart := code == "all" || slices.Contains(words["missing"], "all others")
		var missing []string
		for _, list := range wordLists {
			switch isNamed := slices.Contains(lacks, list.name); {
			case words[list.name] == nil && !isNamed:
				missing = append(missing, list.name+" ("+list.purpose+")")
			case words[list.name] != nil && isNamed:
				t.Errorf("words/%s.txt has the list %s, and calls it missing", code, list.name)
			}
		}
		switch {
		case len(missing) > 0 && !isPart:
			t.Errorf("words/%s.txt lacks lists; write them, or name them in its lines none and missing:\n%s",
				code, strings.Join(missing, "\n"))
		case len(words["missing"]) > 0:
			t.Logf("words/%s.txt: missing are %s", code, strings.Join(words["missing"], ", "))
		}
	}
}

// TestWordsHaveLists finds names of lists that are misspelled, and words that nothing can match.
func TestWordsHaveLists(t *testing.T) {
	names := map[string]bool{"none": true, "missing": true, "all others": true}
	for _, list := range wordLists {
		if names[list.name] {
			t.Errorf("there are two lists %s", list.name)
		}
		names[list.name] = true
		wordsOf(list.name)
	}
	for code, words := range lexicons() {
		for name, list := range words {
			if !names[name] {
				t.Errorf("words/%s.txt: there is no list %s", code, name)
			}
			for i, word := range list {
				switch {
				case name == "none" || name == "missing":
					if !names[word] {
						t.Errorf("words/%s.txt: there is no list %s", code, word)
					}
				case word != strings.ToLower(word) && name != "firstPerson":
					t.Errorf("words/%s.txt: %s: %q is not in lower case", code, name, word)
				case slices.Contains(list[:i], word):
					t.Errorf("words/%s.txt: %s: %q stands there twice", code, name, word)
				}
			}
		}
	}
}

func TestParseLexicon(t *testing.T) {
	words, err := parseLexicon("# Klingon\n\nrent: a b, _c_,\n    \"d \"\n\nnone: fee\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(words["rent"], "|"); got != "a b|_c_|d " {
		t.Errorf("the words are %q", got)
	}
	for _, text := range []string{"rent a\n", "rent: a\nrent: b\n", "    a\n"} {
		if _, err := parseLexicon(text); err == nil {
			t.Errorf("%q is read without an error", text)
		}
	}
}

// An ellipsis in a list stands for letters before or after a word.
func TestWordsGoOn(t *testing.T) {
	form := newPattern(`(?i)^{{homeWord}}$`)()
	for text, want := range map[string]bool{
		"Wohnung": true, "Mietwohnung": true, "Miet-Wohnung": true, "2-Wohnung": false, "Wohnungstür": false,
		"dzīvokļi": true, "dzīvokļ": false, "house share": true, "…wohnung": false,
	} {
		if got := form.MatchString(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// The name of a list with a capital letter stands for its words with one.
func TestWordsInCapitals(t *testing.T) {
	form := newPattern(`^(?:{{StreetWord}}|{{StreetStart}} .*)$`)()
	for text, want := range map[string]bool{
		"Street": true, "street": false, "STREET": false, "Rue X": true, "rue X": false, "Вулиця X": true,
		"C/ X": true, "Rue": false,
	} {
		if got := form.MatchString(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
