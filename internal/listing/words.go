// Words: the lists of words by which texts and mails are read, in many languages.
//
// The file words/CODE.txt has the words of a language, and words/all.txt the words of all languages. A list is a name,
// a colon, and words in lower case with commas between them; it goes on in indented lines. No letter stands before a
// word that begins with "_", nor after a word that ends with "_"; other words may be parts of longer ones. In a
// pattern, "…" before or after a word stands for letters. Quotes keep the spaces at the ends of a word. The list
// "missing" has the names of the lists that nobody has written for the language yet, and "none" the names of those that
// it does not need. To add a language, add its file: TestWordsByLanguage names what is missing.

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
	{"loan", "names of a loan or of its payments, which are not the cost of the home"},
	{"fee", "names of what is paid once, to an agency or for moving in"},
	{"otherCost", "names of other amounts: taxes, parking, energy, incomes, renovations"},
	{"takeover", "names of things that a new tenant takes over from the last one"},
	{"negotiable", "words next to the price of what takeover names: \"VB\", \"abzulösen\""},
	{"rentNext", "whole words right before or after a number that make it a rent"},
	{"charges", "names of utilities and of other running costs"},
	{"withCharges", "words for a total, or for an amount that includes the utilities"},
	{"withoutCharges", "words that tell that the utilities come on top"},
	{"notIncluded", "words that make withCharges mean the opposite: \"not incl\""},
	{"coldRent", "words for a rent without utilities"},
	{"salePrice", "names of the price of a home that is sold"},
	{"rent", "words for a rent, a price or a month"},
	{"former", "words for a rent or price that no longer holds"},
	{"perArea", "words for the price of a square metre or a square foot"},
	{"bound", "words before an amount that somebody asks for at most or at least"},
	{"from", "words before the least amount that a search asks for, or before the lowest of several amounts"},
	{"rentName", "the word for a rent"},
	{"priceName", "the word for a price, and for a rent in a language without rentName"},
	{"area", "names of the area of a home"},
	{"label", "names of other facts, such as the floor"},
	{"included", "words that tell that something is part of the price"},
	{"denial", "words before what a home lacks or a fee that is not due: \"no\", \"without\""},
	{"squareMetres", "words after a number that make it an area in square metres"},
	{"roomUnit", "words after a number that make it a number of rooms"},
	{"bedroomUnit", "words after a number that make it a number of bedrooms"},
	{"floorUnit", "words after a number that make it a floor"},
	{"homeUnit", "words after a number of homes or people"},
	{"otherUnit", "words after a number of anything else: minutes, percent, years"},
	{"ordinal", "the endings of ordinals: \"st\" of \"1st\""},
	{"numbered", "words before a number that counts nothing: references, floors, years"},
	{"month", "names of months and their short forms"},
	{"perMonth", "words after a cost that is paid each month"},
	{"perWeek", "words after a cost that is paid each week"},
	{"perYear", "words after a cost that is paid each year"},
	{"perDay", "words after a cost that is paid each day or night"},
	{"per", "words between a cost and its period"},
	{"duration", "words for a period that mean a duration unless a word of per precedes: \"3 months\""},
	{"monthly", "parts of words before a cost that is paid each month"},
	{"weekly", "parts of words before a cost that is paid each week"},
	{"yearly", "parts of words before a cost that is paid each year"},
	{"partArea", "words of an area that is not the home's: of a part or a plot, or in a comparison (\"per\", \"max\")"},
	{"bathArea", "words for the area of a bathroom or a hall, next to the area of a room in a shared home"},
	{"roomArea", "words for the area of a bedroom"},
	{"ownRoom", "words for the area of the room that is offered in a shared home"},
	{"with", "words after an area that add something else to a home"},
	{"wholeHome", "words for a whole home rather than for a room in it"},
	{"rooms", "labels of a number of rooms"},
	{"studio", "names of homes with a single room"},
	{"roomsAfterWord", "words for rooms after a number in letters: \"drei Zimmer\""},
	{"oneRoom", "words for one room, such as in a shared home"},
	{"within", "words between a room and the home it is in"},
	{"sharedHome", "words for a room in a shared home"},
	{"imprint", "words for who runs a site"},
	{"home", "words for homes in titles"},
	{"and", "words that join an amount to another one"},
	{"refersBack", "words between two amounts that add the second to the first or make it a part: \"plus\", \"incl\""},
	{"aside", "words before a fee that an amount includes or excludes"},
	{"feeName", "names of fees and taxes that an amount may include or exclude"},
	{"feeState", "words after the name of a fee, without their endings: included, excluded, charged"},
	{"totalAfter", "words after an amount that make it a total"},
	{"onRequest", "words in the place of a price that one must ask for"},
	{"rangeTo", "words between the ends of a range"},
	{"thousand", "words for thousands after a number"},
	{"million", "words for millions after a number"},
	{"floorName", "labels of the floor"},
	{"floorValue", "floors without a number"},
	{"depositName", "labels of the deposit, in full"},
	{"availableName", "labels of the day from which a home is free"},
	{"availableNow", "words that tell that a home is free at once, or by agreement"},
	{"energyName", "labels of the energy class"},
	{"reduced", "words that tell that a price has fallen"},
	{"reducedTo", "words between those of reduced and the present price"},
	{"reducedBy", "words between those of reduced and the amount by which a price has fallen"},
	{"cheaper", "words after the amount by which a price has fallen"},
	{"reduction", "words before the amount by which a price has fallen"},
	{"orMore", "words after the least number that a search asks for"},
	{"forHome", "words between goods and the size of a home that they suit"},
	{"searchName", "names of a search before what it asks for"},
	{"average", "words for averages, which are not facts of a home"},
	{"now", "words before the present price"},
	{"lodging", "words for a place by the night, and for shares in one"},
	{"aWeek", "words before \"one week\""},
	{"one", "the word for one"},
	{"week", "the word for a week"},
	{"days", "words for days and nights, as stays count them"},
	{"already", "words before those of gone"},
	{"gone", "words that tell that a home is sold, let or no longer offered"},
	{"goneOn", "words between those of gone and a price or a date"},
	{"paid", "words that tell that a bill is paid"},
	{"goneHomes", "words in a heading of homes that are sold or let"},
	{"notGone", "words in a heading that tell that the homes are not gone yet"},
	{"views", "words after a number of visits or the like to the reader's own listing"},
	{"viewed", "words before how often a listing was seen"},
	{"times", "words after how often a listing was seen"},
	{"place", "names of a place on a waiting list"},
	{"placeOf", "words between a place on a waiting list and its length"},
	{"share", "names of shares in a home"},
	{"sleeps", "words that tell how many people a place is for"},
	{"perWeekText", "words for a rent of a week, as places by the night have it"},
	{"footer", "words about the mail, its sender or the search"},
	{"button", "words with which the text of a button begins"},
	{"action", "words of links that do something rather than show a listing"},
	{"homeName", "words for a home or for rent"},
	{"homeSize", "words for the size of a home, in lines that name one"},
	{"service", "words in the titles of offers to people who have a home"},
	{"order", "words of mails about what was bought, booked, billed or asked"},
	{"otherSubject", "words of the subjects of other mails about homes: a search was saved or found " +
		"nothing, a home is gone or lived in, and mails by movers, banks, employers and analysts"},
	{"news", "words of the subjects of alerts with one listing: something is new, cheaper, or was looked for"},
	{"your", "words for \"your\""},
	{"ownHome", "words for a home or a rent after \"your\""},
	{"searched", "words for searches"},
	{"commercial", "words for rooms that nobody lives in"},
	{"goods", "words of shops, employers, bills, lenders and shares, whose prices are not those of a home"},
	{"view", "words of buttons that show a listing"},
	{"firstPerson", "words that people write about themselves: \"I\""},
	{"letter", "words of somebody who has met or will meet the reader"},
	{"reply", "marks before the subject of a reply"},
	{"searchPath", "paths of searches in links"},
	{"otherPath", "parts of links that do something else than show a listing"},
	{"bedrooms", "labels of a number of bedrooms"},
	{"titleName", "labels of the title of a listing"},
	{"linkName", "labels of the link of a listing"},
	{"menuEntry", "words for homes in menus, which lead to several homes"},
	{"homeWord", "words for homes in the names of searches and in titles"},
	{"homeWithin", "words for homes in scripts that have no spaces between words"},
	{"goodsHome", "words of homeWord that also stand in the names of searches for goods"},
	{"roomShort", "words after a number of rooms, as titles shorten them"},
	{"wanted", "words in the names of searches among wishes: \"wanted\", \"swap\""},
	{"wish", "words in the titles of people who look for a home"},
	{"wishStart", "words with which such a title begins"},
	{"partWith", "words between a home and a part of it"},
	{"for", "words between goods and the homes that they suit"},
	{"anyHome", "words after those of for that tell that goods suit every home"},
	{"homeGoods", "words for a home in the names of categories of goods: \"home\" of \"home & garden\""},
	{"goodsAnd", "words between those of homeGoods and of garden"},
	{"garden", "words after those of goodsAnd in such a name"},
	{"toRent", "parts of the names of searches for homes to let"},
	{"toBuy", "parts of the names of searches for homes for sale"},
	{"thing", "parts of words for what nobody lives in: goods, garages, plots"},
	{"work", "parts of words for jobs, for people who do them, and for texts about homes"},
	{"titleLabel", "labels before a title in its line"},
	{"foundFor", "words that tell that a listing was found, or is for the reader"},
	{"newOne", "words for \"new\" before those of newsOf"},
	{"newsOf", "names of a listing or a home after \"new\""},
	{"offered", "words that tell that a home is offered, before those of offeredBy"},
	{"offeredBy", "words between those of offered and who offers the home"},
	{"homeKind", "parts of the names of kinds of homes in titles"},
	{"bath", "words for bathrooms"},
	{"noTitle", "words of lines that are rarely titles"},
	{"notStreet", "words before a number that is not the number of a house, where any word may be a street"},
	{"notTown", "words of badges and of the ends of letters, which look like names of towns"},
	{"noPlace", "words about the cost of a home and who may rent it, which look like names of places"},
	{"badge", "lines that only tell that something is new, or who offers it"},
	{"countedPart", "names of parts of a home before their number, which look like streets"},
	{"ofTotal", "words between the number of a part and the number of all such parts"},
	{"crown", "words that tell the country of an amount in crowns"},
	{"fromName", "names of the sender in the head of a mail that is quoted"},
	{"subjectName", "names of the subject in the head of a mail that is quoted"},
	{"sentName", "names of the date in the head of a mail that is quoted"},
	{"forwarded", "marks before the subject of a forwarded mail"},
	{"pageWord", "words of a page outside of the listing: cookies, menus, buttons"},
	{"manyHomes", "words for several homes, which titles of listings rarely have"},
	{"titleWith", "words before a place or a part of a home in titles"},
	{"similar", "first words of a heading of similar offers"},
	{"afterListing", "first words of what follows a listing: other offers, and who runs the site"},
	{"placeLabel", "labels of the place of a home"},
	{"placeStart", "beginnings of other labels of a place"},
	{"clue", "words that tell the country of a text by its language"},
	{"rangeWord", "words between the facts of a range"},
	{"rentPath", "words for rent in the paths of links"},
	{"salePath", "words for sales in the paths of links"},
	{"noAgency", "words before an agency that tell that there is none"},
	{"advertiser", "first words of what a page says about the advertiser"},
	{"aboutOther", "first words of what a page says about something else"},
	{"companyForm", "forms of companies as their names have them, and words of their addresses"},
	{"tenant", "words for somebody who lives in a home or owns it"},
	{"weekNumber", "words before the number of a week"},
	{"dayMonth", "beginnings of months after the days of a stay"},
	{"monthStart", "beginnings of months in the dates of details"},
	{"compactRoom", "words of rooms right after their number"},
	{"layout", "labels of a layout such as 2LDK"},
	{"perMonthPaid", "words between a rent and those of monthPaid"},
	{"monthPaid", "words for the month after those of perMonthPaid"},
	{"paidMonthly", "words between a rent and what it includes that make it a rent of a month"},
	{"codeLabel", "labels of a postal code"},
	{"agencyForm", "words in the name of a company that lets or sells homes, in a line of its own"},
	{"textHeading", "headings of the text of a listing, in lines of their own"},
	{"factsHeading", "first words of a heading of facts"},
	{"byline", "words before the name of an author"},
	{"countedRoom", "words for rooms, or their beginnings, after the number that homes have or a search asks for"},
	{"until", "words between the least and the greatest size of homes"},
	{"boundAfter", "words after the least or the greatest number that a search asks for"},
	{"letHomes", "words before those of let"},
	{"let", "words that tell that homes are let, but alone may mean something else"},
	{"numberSign", "short words for \"number\""},
	{"weekend", "words for a weekend after a price, or before one"},
	{"youMay", "words before those of youLike, perhaps with others between them"},
	{"youLike", "words in a heading that tell that the reader may like what follows"},
	{"youMayLike", "words that mean the same as those of youMay and youLike together"},
	{"notState", "words before those of feeState that deny them"},
	{"feeFree", "words that tell that there is no fee, without their endings"},
	{"feeWithin", "short words right after a price for sale that includes the fees of the agent: \"FAI\""},
	{"feePayer", "words before who pays the fees, where that is not the reader"},
	{"feeOfBuyer", "words in brackets that tell that the reader pays the fees"},
	{"ofWhich", "words before the part of a price that is a fee"},
	{"floorOrdinal", "words before those of storey, in the place of a number"},
	{"storey", "words for floors after their number"},
	{"storeyBefore", "words for floors before their number"},
	{"floorShort", "floors in two capital letters"},
	{"floorStart", "first words of a floor without a number"},
	{"depositCount", "words for one, two and three before those of depositMonth"},
	{"depositMonth", "beginnings of words for months: a deposit is the rent of some"},
	{"energyClass", "words before the letter of an energy class"},
	{"phoneName", "words before a phone number, or to call one"},
	{"notPhone", "words before a number that is no phone number, or not the advertiser's"},
	{"extensionName", "words before the extension of a phone number"},
	{"agencyName", "words in the names of companies, above all of agencies"},
	{"hasFallen", "words that tell that a price has fallen, right before the amount by which it has"},
	{"only", "words between those of now and the present price"},
	{"moreOf", "first words of a heading of other offers, before those of moreHomes"},
	{"moreHomes", "words for homes in such a heading"},
	{"asideLine", "whole lines of a page that are outside of the listing"},
	{"mapName", "words for a map at the end of a line"},
	{"photosAfter", "words for photos after their number"},
	{"photosBefore", "words for photos before their number"},
	{"grossArea", "words for an area with walls and stairs"},
	{"notRoom", "words after a word for rooms that then counts none: \"Zimmer frei\""},
	{"perSquare", "words between an amount and the square metre that it is for"},
	{"squareFeet", "words after a number that make it an area in square feet"},
	{"numeral", "the words for one, two and so on before those of roomsAfterWord, in this order"},
	{"extraCost", "words before an amount that is paid on top of a rent"},
	{"oclock", "words after a time of the day"},
	{"scaleOf", "words between millions or thousands and a currency"},
	{"streetEnd", "ends of the names of streets"},
	{"streetStart", "words with which the names of streets begin"},
	{"streetWord", "words of a street after its name"},
	{"withinName", "words in lower case within the names of towns and streets"},
	{"placeWord", "words in lower case in a row of names of places: streets, squares, districts"},
	{"aboveCode", "first words of a line above a postal code that is not its town"},
}

// A lexicon has the words of a language by the names of their lists.
type lexicon map[string][]string

//go:embed words/*.txt
var wordFiles embed.FS

// lexicons returns the lexicons by the codes of their languages. It panics if a file cannot be parsed.
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

// parseLexicon parses the text of a file of words.
func parseLexicon(text string) (lexicon, error) {
	words := lexicon{}
	name := ""
	for line := range strings.Lines(text) {
		line, _, _ := strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		list := line
		if isIndented := line[0] == ' ' || line[0] == '\t'; !isIndented { // a new list begins
			var hasColon bool
			if name, list, hasColon = strings.Cut(line, ":"); !hasColon || words[name] != nil {
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
		isCapital := names != lists
		var forms []string
		for _, word := range wordsOf(strings.Fields(names)...) {
			word, endsWord := strings.CutSuffix(strings.Trim(word, " "), "_")
			word = strings.TrimPrefix(word, "_")
			if isCapital {
				word = firstRune(word, unicode.ToUpper)
			}
			form := regexp.QuoteMeta(word)
			if endsWord {
				form += `\b`
			}
			if rest, ok := strings.CutPrefix(form, "…"); ok {
				form = `(?:\p{L}+-?)?` + rest
			}
			if rest, ok := strings.CutSuffix(form, "…"); ok {
				form = rest + `\p{L}+`
			}
			forms = append(forms, form)
		}
		return "(?:" + strings.Join(forms, "|") + ")"
	})
}

// firstRune returns a text with its first rune changed.
func firstRune(text string, change func(rune) rune) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(change(first)) + text[size:]
}
