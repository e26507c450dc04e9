// Words: the lists of words by which texts and mails are read, in many languages.
//
// The words of a language stand in words/CODE.txt, and those of no language in words/all.txt. A line of such a file is
// the name of a list, a colon, and words in lower case with commas between them; indented lines go on with the list. A
// word that begins or ends with "_" begins or ends there, too; others may be parts of words. In a pattern, "…" before
// or after a word stands for letters. Spaces at an end count in quotes. "missing" lists the names of the lists that
// nobody has written for the language yet, and "none" those that it does not need. To add a language, add its file:
// TestWordsByLanguage names what is missing.

package listing

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// wordLists are the names of all lists, with what each is for.
var wordLists = []struct{ name, purpose string }{
	{"deposit", "names of an amount that one gets back when moving out"},
	{"loan", "names of a loan or of what one pays for it, which is not the cost of the home"},
	{"fee", "names of what is paid once, to an agency or for moving in"},
	{"otherCost", "names of other amounts: taxes, parking, energy, incomes, renovations"},
	{"takeover", "names of things that a new tenant takes over from the one before"},
	{"negotiable", "words at the price of such things"},
	{"rentAfter", "words right after a number, or before it, that make it a rent, in whole words"},
	{"charges", "names of utilities and of other running costs"},
	{"withCharges", "words of a total, or that an amount includes the utilities"},
	{"withoutCharges", "words that the utilities come on top"},
	{"notIncluded", "words that deny those of withCharges"},
	{"coldRent", "words of a rent without utilities"},
	{"salePrice", "names of the price of a home that is sold"},
	{"rent", "names of a rent, of a price or of a month"},
	{"former", "words of a rent or price that no longer holds"},
	{"perArea", "words of the price of a square metre or a square foot"},
	{"bound", "words before an amount that is at most or at least asked for, not paid"},
	{"from", "words before a lower bound of a search, or before the lowest of several amounts"},
	{"rentName", "the word for a rent"},
	{"priceName", "the word for a price, and for a rent where it is no name of rentName"},
	{"area", "names of the area of a home"},
	{"label", "names of other facts, such as the floor"},
	{"included", "words that something is part of the price"},
	{"denial", "words before what a home or a price is without"},
	{"squareMetres", "words after a number that make it an area in square metres"},
	{"roomUnit", "words after a number that make it a number of rooms"},
	{"bedroomUnit", "words after a number that make it a number of bedrooms"},
	{"floorUnit", "words after a number that make it a floor"},
	{"homeUnit", "words after a number that count homes or people"},
	{"otherUnit", "words after a number that make it anything else: minutes, percent, years"},
	{"ordinal", "what a short number is joined to in an ordinal"},
	{"numbered", "words before a number that counts nothing: references, floors, years"},
	{"month", "names of months and their short forms"},
	{"perMonth", "words that make a cost one of a month"},
	{"perWeek", "words that make a cost one of a week"},
	{"perYear", "words that make a cost one of a year"},
	{"perDay", "words that make a cost one of a day or a night"},
	{"per", "words between a cost and its period"},
	{"duration", "words of a period that only count something without a word of \"per\" before them: \"3 months\""},
	{"monthly", "parts of the names of costs of a month"},
	{"weekly", "parts of the names of costs of a week"},
	{"yearly", "parts of the names of costs of a year"},
	{"partArea", "words of the area of a part of a home, of a plot, or of what an area is compared with"},
	{"bathArea", "words of the area of a bathroom or a hall, next to the area of a room in a shared home"},
	{"roomArea", "words of the area of a bedroom"},
	{"ownRoom", "words of the area of the room that is offered in a shared home"},
	{"with", "words after an area that add something else to a home"},
	{"wholeHome", "words of a whole home rather than of a room in it"},
	{"rooms", "labels of a number of rooms"},
	{"studio", "names of homes with a single room"},
	{"roomsAfterWord", "words of rooms after a number in letters: \"drei Zimmer\""},
	{"oneRoom", "words of one room, such as in a shared home"},
	{"within", "words between a room and the home that has it"},
	{"sharedHome", "words of a room in a shared home"},
	{"imprint", "words of who runs a site"},
	{"home", "words of homes, as titles have them"},
	{"and", "words that join an amount to another one"},
	{"refersBack", "words at the end of what refers to the amount before"},
	{"aside", "words before a fee that an amount includes or excludes"},
	{"feeName", "names of fees and taxes that an amount may include or exclude"},
	{"feeState", "what is said of a fee after its name, without its ending: included, excluded, charged"},
	{"totalAfter", "words after an amount that make it a total"},
	{"onRequest", "what stands in the place of a price that is told on request"},
	{"rangeTo", "words between the ends of a range"},
	{"thousand", "words for thousands after a number"},
	{"million", "words for millions after a number"},
	{"floorName", "labels of the floor"},
	{"floorValue", "floors without a number"},
	{"depositName", "labels of the deposit, in full"},
	{"availableName", "labels of the day from which a home is free"},
	{"availableNow", "that a home is free at once, or by agreement"},
	{"energyName", "labels of the energy class"},
	{"reduced", "that a price has fallen"},
	{"reducedTo", "words between what reduced says and the present price"},
	{"reducedBy", "words between what reduced says and the amount by which a price has fallen"},
	{"cheaper", "words after the amount by which a price has fallen"},
	{"reduction", "what stands before the amount by which a price has fallen"},
	{"orMore", "words after a number that is at least asked for"},
	{"forHome", "words between goods and the size of the home that they are for"},
	{"searchName", "names of a search before what it asks for"},
	{"average", "words of averages, which are of no home"},
	{"now", "words before the present price"},
	{"lodging", "words of a place by the night, and of shares in one"},
	{"aWeek", "words before \"one week\""},
	{"one", "the word for one"},
	{"week", "the word for a week"},
	{"days", "days and nights, as stays count them"},
	{"already", "words before what gone says"},
	{"gone", "that a home is sold, let or no longer offered"},
	{"goneOn", "words after what gone says, before a price or a date"},
	{"paid", "that a bill is paid"},
	{"goneHomes", "words of a heading of homes that are sold or let"},
	{"notGone", "words in a heading by which the homes are not gone yet"},
	{"views", "what is counted of the reader's own listing"},
	{"viewed", "words before how often a listing was seen"},
	{"times", "words after how often a listing was seen"},
	{"place", "names of a place on a waiting list"},
	{"placeOf", "words between a place on a waiting list and its length"},
	{"share", "names of shares in a home"},
	{"sleeps", "words of how many people a place is for"},
	{"perWeekText", "words of the rent of a week, as places by the night have it"},
	{"footer", "words about the mail, its sender or the search"},
	{"button", "words with which the text of a button begins"},
	{"action", "words of links that do something rather than show a listing"},
	{"homeName", "words of a home or of rent"},
	{"homeSize", "words of the size of a home, in lines that name one"},
	{"service", "words in the titles of what is offered to those who have a home"},
	{"order", "words of mails about what was bought, booked, billed or asked"},
	{"otherSubject", "words of the subjects of other mails about homes: a search was saved or found " +
		"nothing, a home is gone or lived in, and mails by movers, banks, employers and analysts"},
	{"news", "words of the subjects of alerts with one listing: something is new, cheaper, or was looked for"},
	{"your", "words for \"your\""},
	{"ownHome", "words for a home or a rent after \"your\""},
	{"searched", "words of searches"},
	{"commercial", "words of rooms that nobody lives in"},
	{"goods", "words of shops, employers, bills, lenders and shares, whose prices are of no home"},
	{"view", "words of buttons that show a listing"},
	{"firstPerson", "words that people write of themselves"},
	{"letter", "words of somebody who has met or will meet the reader"},
	{"reply", "marks of replies before a subject"},
	{"searchPath", "paths of searches in links"},
	{"otherPath", "parts of links that do something else than show a listing"},
	{"bedrooms", "labels of a number of bedrooms"},
	{"titleName", "labels of the title of a listing"},
	{"linkName", "labels of the link of a listing"},
	{"menuEntry", "words of homes in menus, which are of several homes"},
	{"homeWord", "words of homes in the names of searches and in titles"},
	{"homeWithin", "words of homes in scripts that have no spaces between words"},
	{"goodsHome", "words of homeWord that the names of searches for goods have, too"},
	{"roomShort", "words after a number of rooms, as titles shorten them"},
	{"wanted", "words of searches for what is wanted, not offered"},
	{"wish", "words of titles of those who look for a home"},
	{"wishStart", "words with which such a title begins"},
	{"partWith", "words between a home and a part of it"},
	{"for", "words between goods and the homes that they are for"},
	{"anyHome", "words by which goods are for every home"},
	{"homeGoods", "words of a home in the names of categories of goods"},
	{"goodsAnd", "words that join homeGoods to garden"},
	{"garden", "words of what such categories have in addition to the home"},
	{"toRent", "parts of the names of searches for homes to let"},
	{"toBuy", "parts of the names of searches for homes for sale"},
	{"thing", "parts of words of what is no home, or none to live in: goods, garages, plots"},
	{"work", "parts of words of jobs, of those who do them, and of texts about homes"},
	{"titleLabel", "labels before a title in its line"},
	{"foundFor", "words that a listing was found, or is for the reader"},
	{"newOne", "words for \"new\" before those of newsOf"},
	{"newsOf", "names of a listing or a home after \"new\""},
	{"offered", "words that a home is offered, before those of offeredBy"},
	{"offeredBy", "words between offered and who offers a home"},
	{"homeKind", "parts of the names of kinds of homes in titles"},
	{"bath", "words of bathrooms"},
	{"noTitle", "words of lines that are rarely titles"},
	{"notStreet", "words before a number that is none of a house, where any word may be a street"},
	{"notTown", "words of badges and of the ends of letters, which are written as towns are"},
	{"noPlace", "words of what a home costs and who may rent it, written as names of places are"},
	{"badge", "lines that only tell that something is new, or who offers it"},
	{"countedPart", "names of parts of a home before their number, which look like streets"},
	{"ofTotal", "words between the number of a part and how many there are"},
	{"crown", "words that tell the country of an amount in crowns"},
	{"fromName", "names of the sender in the head of a mail that is quoted"},
	{"subjectName", "names of the subject in the head of a mail that is quoted"},
	{"sentName", "names of the date in the head of a mail that is quoted"},
	{"forwarded", "marks before a subject that a mail is forwarded"},
	{"pageWord", "words of what a page says outside of the listing: cookies, menus, buttons"},
	{"manyHomes", "words of several homes, which titles of listings rarely have"},
	{"titleWith", "words before a place or a part of a home in titles"},
	{"similar", "words with which a heading of similar offers begins"},
	{"afterListing", "words with which begins what follows a listing: other offers, and who runs the site"},
	{"placeLabel", "labels of the place of a home"},
	{"placeStart", "beginnings of other labels of a place"},
	{"clue", "words that tell the country of a text by its language"},
	{"rangeWord", "words between the facts of a range"},
	{"rentPath", "words of rent in the paths of links"},
	{"salePath", "words of sales in the paths of links"},
	{"noAgency", "words before an agency that there is none"},
	{"advertiser", "words with which begins what a page says about the advertiser"},
	{"aboutOther", "words with which begins something else"},
	{"companyForm", "forms of companies as their names have them, and words of their addresses"},
	{"tenant", "words of who lives in a home or owns it, whom somebody looks for"},
	{"weekNumber", "words before the number of a week"},
	{"dayMonth", "beginnings of months after the days of a stay"},
	{"monthStart", "beginnings of months in the dates of details"},
	{"compactRoom", "words of rooms right after their number"},
	{"layout", "labels of a layout such as 2LDK"},
	{"perMonthPaid", "words before a month in which a rent is paid"},
	{"monthPaid", "words of a month after those of perMonthPaid"},
	{"paidMonthly", "words that a rent is one of a month, between it and what it includes"},
	{"codeLabel", "labels of a postal code"},
	{"agencyForm", "words of the name of a company that lets or sells homes, in a line of its own"},
	{"textHeading", "headings of the text of a listing, in lines of their own"},
	{"factsHeading", "words with which a heading of facts begins"},
	{"byline", "words before the name of an author"},
	{"countedRoom", "words of rooms, or their beginnings, after how many rooms the homes have or a search asks for"},
	{"until", "words between the least and the greatest size of homes"},
	{"boundAfter", "words after a number that is at most or at least asked for"},
	{"letHomes", "words before those of let"},
	{"let", "that homes are let, of a word that alone may mean something else"},
	{"numberSign", "short words for \"number\""},
	{"weekend", "words for a weekend after a price, or before one"},
	{"youMay", "words before those of youLike, perhaps with others between them"},
	{"youLike", "words by which a heading says that the reader may like what follows"},
	{"youMayLike", "what says the same without those of youLike"},
	{"notState", "words that deny those of feeState"},
	{"feeFree", "words that there is no fee, without their endings"},
	{"feeWithin", "short words right after a price that includes the fees"},
	{"feePayer", "words before who pays the fees, where that is not the reader"},
	{"feeOfBuyer", "that the reader pays the fees, in brackets"},
	{"ofWhich", "words before the part of a price that is a fee"},
	{"floorOrdinal", "words before those of storey, in the place of a number"},
	{"storey", "words of floors after their number"},
	{"storeyBefore", "words of floors before their number"},
	{"floorShort", "floors in two capital letters"},
	{"floorStart", "words with which a floor begins that has no number, with more after it"},
	{"depositCount", "words for one, two and three before those of depositMonth"},
	{"depositMonth", "beginnings of the months whose rent a deposit is"},
	{"energyClass", "words before the letter of an energy class"},
	{"phoneName", "words before a phone number, or to call one"},
	{"notPhone", "words before a number that is no phone, or not one of who offers a home"},
	{"extensionName", "words before the extension of a phone number"},
	{"agencyName", "words in the names of companies, above all of agencies"},
	{"hasFallen", "that a price has fallen, right before the amount"},
	{"only", "words between those of now and the present price"},
	{"moreOf", "words with which a heading of other offers begins, before those of moreHomes"},
	{"moreHomes", "words of homes in such a heading"},
	{"asideLine", "whole lines of a page that are outside of the listing"},
	{"mapName", "words for a map at the end of a line"},
	{"photosAfter", "words of photos after their number"},
	{"photosBefore", "words of photos before their number"},
	{"grossArea", "words of an area with walls and stairs"},
	{"notRoom", "what follows a word of rooms that are none"},
	{"perSquare", "words between an amount and the square metre that it is for"},
	{"squareFeet", "words after a number that make it an area in square feet"},
	{"numeral", "the words for one, two and so on before those of roomsAfterWord, in this order"},
	{"extraCost", "words of an amount that is paid on top of a rent"},
	{"oclock", "words after a time of the day"},
	{"scaleOf", "words between millions or thousands and a currency"},
	{"streetEnd", "ends of the names of streets"},
	{"streetStart", "words with which the names of streets begin"},
	{"streetWord", "words of a street after its name"},
	{"withinName", "words in lower case within the names of towns and streets"},
	{"placeWord", "words in lower case in a row of names of places: streets, squares, districts"},
	{"aboveCode", "words with which a line begins that is not the town above a postal code"},
}

// A lexicon has the words of a language by the names of their lists.
type lexicon map[string][]string

//go:embed words/*.txt
var wordFiles embed.FS

// lexicons returns the lexicons by the codes of their languages. It panics if a file has another form.
var lexicons = sync.OnceValue(func() map[string]lexicon {
	all := map[string]lexicon{}
	files, err := fs.Glob(wordFiles, "words/*.txt")
	if err != nil {
		panic(err)
	}
	for _, file := range files {
		text, err := wordFiles.ReadFile(file)
		if err != nil {
			panic(err)
		}
		words, err := parseLexicon(string(text))
		if err != nil {
			panic(file + ": " + err.Error())
		}
		all[strings.TrimSuffix(strings.TrimPrefix(file, "words/"), ".txt")] = words
	}
	return all
})

// parseLexicon reads a file of words.
func parseLexicon(text string) (lexicon, error) {
	words := lexicon{}
	name := ""
	for line := range strings.Lines(text) {
		line, _, _ := strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		list := line
		if line[0] != ' ' && line[0] != '\t' {
			var ok bool
			if name, list, ok = strings.Cut(line, ":"); !ok || words[name] != nil {
				return nil, fmt.Errorf("no name of a list, or one that is there already: %q", line)
			}
		}
		if name == "" {
			return nil, fmt.Errorf("words before the name of a list: %q", line)
		}
		for word := range strings.SplitSeq(list, ",") {
			word = strings.TrimSpace(word)
			if quoted, ok := strings.CutPrefix(word, `"`); ok {
				word = strings.TrimSuffix(quoted, `"`)
			}
			if word != "" {
				words[name] = append(words[name], word)
			}
		}
	}
	return words, nil
}

// wordsOf returns the words of lists in all languages, in descending order: a word comes before its own prefixes, and
// patterns share the prefixes of neighbours. It panics if there is no such list.
func wordsOf(lists ...string) []string {
	var all []string
	for _, name := range lists {
		n := len(all)
		for _, words := range lexicons() {
			all = append(all, words[name]...)
		}
		if len(all) == n {
			panic("no list of words: " + name)
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		return cmp.Or(strings.Compare(strings.TrimSuffix(b, "_"), strings.TrimSuffix(a, "_")), strings.Compare(a, b))
	})
	return slices.Compact(all)
}

// listOf returns a function that returns the words of lists.
func listOf(lists ...string) func() []string {
	return sync.OnceValue(func() []string { return wordsOf(lists...) })
}

// setOfWords returns a function that returns the words of lists as a set.
func setOfWords(lists ...string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for _, word := range wordsOf(lists...) {
			set[word] = true
		}
		return set
	})
}

// listsInPattern matches the names of lists in the text of a pattern.
var listsInPattern = regexp.MustCompile(`\{\{([\w ]+)\}\}`)

// withWords replaces the names of lists in the text of a pattern, such as {{rent}}, with the words of the list. {{rent
// price}} stands for the words of both lists, and {{Rent}} for the words of rent with a capital letter. A leading "_"
// of a word is dropped: the pattern itself says what may come before.
func withWords(text string) string {
	return listsInPattern.ReplaceAllStringFunc(text, func(lists string) string {
		lists = strings.Trim(lists, "{}")
		names := firstRune(lists, unicode.ToLower)
		words := wordsOf(strings.Fields(names)...)
		for i, word := range words {
			text, isWhole := strings.CutSuffix(strings.Trim(word, " "), "_")
			text = strings.TrimPrefix(text, "_")
			if lists != names {
				text = firstRune(text, unicode.ToUpper)
			}
			words[i] = regexp.QuoteMeta(text)
			if isWhole {
				words[i] += `\b`
			}
			if rest, ok := strings.CutPrefix(words[i], "…"); ok {
				words[i] = `(?:\p{L}+-?)?` + rest
			}
			if rest, ok := strings.CutSuffix(words[i], "…"); ok {
				words[i] = rest + `\p{L}+`
			}
		}
		return "(?:" + strings.Join(words, "|") + ")"
	})
}

// firstRune returns a text with its first rune changed.
func firstRune(text string, change func(rune) rune) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(change(first)) + text[size:]
}
