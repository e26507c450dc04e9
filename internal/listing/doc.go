// Package listing reads the facts about a home in a text or a mail. It knows neither the site that a text comes from
// nor the program that asks, and it never fails: what a text does not tell is missing in the result.
//
// # Listings
//
// A listing is the description of one home on a site: its title, cost, area, rooms, address, link and photos.
// [ReadText] reads one from a [Text], as somebody copies it from a page, with menus, cookie banners and similar offers
// around it. [ReadMail] reads all those that a mail has, such as the alert of a portal. Both return members of
// JSON, named as the fields of a flat are.
//
// # Texts
//
// A text is a sequence of lines. The title is the line that is most like one; facts are short lines around it.
//
//   - An amount is a number with what belongs to it: a currency, a unit, a period.
//   - A unit is what the number counts: square metres, rooms, money.
//   - A period is the time that a cost is for. The cost of a week or a year is converted to a month.
//   - A label is the word that says what a value is, before it, after it, or in the line above: "Rent" of "Rent:
//     €900". What has one counts more than what has none.
//   - A kind is what a label or a word calls an amount of money: the rent with or without utilities, a price, a
//     deposit.
//   - Before the facts of a line are read, strokes (" | ") are put between them, and the amount by which a price has
//     fallen is removed. Lines of texts and of mails are read in the same way.
//   - The country of a listing decides between readings, such as whose dollar "$" is. The domain of its link,
//     its currency and its words tell it.
//
// # Words
//
// Words of many languages tell what a number is: "Kaution" makes it a deposit, "kvm" an area. The words of a language
// stand in one file, words/CODE.txt, by the names of their lists, and words.go explains what each list is for. All
// languages are read at once, because a mail has words of several and a text is too short to tell its own. Patterns
// name lists as in {{rent}}. TestWordsByLanguage names the lists that a language lacks.
//
// # Mails
//
// A mail has many homes, and nothing in it says where one ends and the next begins. These are the steps:
//
//   - A leaf is a line or an image, in the order in which the mail shows them. A leaf is the closer to the leaf
//     before, the more elements of HTML both are in.
//   - A fact is a property of a home that a leaf tells: a cost, an area, a number of rooms, a link.
//   - A card is a range of leaves about one home. A new one begins where a fact contradicts the card so far,
//     with a second cost for example. Two cards are cut where the leaves between their facts are least close to
//     each other. Where several leaves are equally close, votes decide: a leaf votes for the card that it is more
//     like, and a cut gets votes if the cards then begin and end like the first and the last card of the mail.
//   - The title, link, photo and address of a card are chosen by scores.
//   - The evidence of a card is how many of cost, area, rooms and address it has. With less than two it is
//     dropped, and so is what is sold, let by the night, or for sale in a shop. It is better to miss a home than
//     to invent one. If the mail names a search for homes, a title and a cost are enough.
//   - A mail with a single card may be a letter about one home rather than an alert. Its subject, sender and
//     greeting decide.
//
// # Links
//
// Mails wrap the links of sites in links of their own, and sites add parameters that say who has clicked. A link is
// therefore unwrapped before it is kept, and two links are of one listing if their keys are equal ([LinkKey]). They
// also are if their sites and the numbers of the listings are equal, and nothing else in them tells two homes apart
// ([Link.IsOfOneListing]).
//
// # Bounds
//
// All work takes time and memory linear in the text. Functions with a [turns.Task] charge it in steps of a few
// nanoseconds, and give other tasks their turns: Step(20*len(text)) means that looking at a byte of the text takes as
// long as 20 steps. A nil task is for callers that need neither. All functions may be called by several
// goroutines at once.
package listing
