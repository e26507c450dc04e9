// The input of imports: listings as sites, Flatisfy, woob and fredy write them.

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"flats/internal/listing"
	"flats/internal/turns"
)

const (
	maxMembers   = 3_000_000 // members of all listings of an import, where each listing counts for 10 more
	maxMailNotes = 5         // notes about the mails of a file; the others are counted
	maxRepeats   = 100       // listings of an import with the same id: each encodes the flat again
)

// Listings are the input of an import. As JSON they are a file of the import folder.
type Listings struct {
	Flats    []members `json:"data"`                    // each has valid members of a flat, perhaps no id but a link
	Complete string    `json:"complete,omitempty"`      // the site of a complete import, or ""
	Plain    bool      `json:"plain,omitempty"`         // the texts are not HTML
	Own      bool      `json:"read_by_flats,omitempty"` // they have been read, and may have the members of ownMembers
	partial  bool      // the listings are from fredy, which sends only what is new
	keys     []string  // by which the import is known if it is sent again (UpdateKeys)
	isMail   bool      // the listings are from a mail, which is a summary
}

// errMailComplete is the error for a mail that is to be all that a site has.
var errMailComplete = errors.New("a mail tells what is new, never all that a site has")

// listingsInMails returns the listings of a mail, or of the mails of an mbox. note says in words why there are none, or
// what was left out. The error says that the text, or a mail of it, is not a mail.
func listingsInMails(work *turns.Task, text []byte) (listings Listings, note string, err error) {
	if len(text) > listing.MaxMail {
		return listings, "", fmt.Errorf("a mail may have at most %d bytes", listing.MaxMail)
	}
	listings.partial, listings.isMail = true, true
	var notes []string
	count, memberCount := 0, 0
	for mail := range listing.SplitMails(text) {
		count++
		work.Step(1 + len(mail)/64)
		found, note, err := listing.ReadMail(work, mail, &rulesOfMails)
		if err != nil && count > 1 {
			err = fmt.Errorf("mail %d: %w", count, err)
		}
		if err != nil {
			return Listings{}, "", err
		}
		for _, listing := range found {
			memberCount += 10 + len(listing)
			listings.Flats = append(listings.Flats, listing)
		}
		if memberCount > maxMembers {
			return Listings{}, "", errMany
		}
		if note != "" {
			notes = append(notes, note)
		}
	}
	if more := len(notes) - maxMailNotes; more > 0 {
		notes = append(notes[:maxMailNotes], fmt.Sprintf("And %d more.", more))
	}
	return listings, strings.Join(notes, " "), nil
}

// rulesOfMails are the rules of imports. Only a new flat gets details that say which mail it comes from.
var rulesOfMails = listing.MailRules{
	Accept: func(found map[string]json.RawMessage) (map[string]json.RawMessage, string) {
		listing := members(found)
		if listing.has("date") {
			listing[asOf] = listing["date"]
		}
		listing.put(ifNew, members{"details": listing["details"]})
		delete(listing, "details")
		listing, err := readListing(listing, true)
		if err != nil {
			return nil, ""
		}
		return listing, listingID(listing)
	},
	Fold: simplifiedWords,
}

// readListings parses the listings in a text (see openContainer). It renames the members to those
// of a flat, and checks them. An object around the listings may name the site of a complete
// import. Errors name the text as given, the line and the field.
func readListings(name string, text []byte) (listings Listings, err error) {
	defer recoverError(&err)
	c, err := openContainer(name, text)
	if err != nil {
		return listings, err
	}
	listings.partial = c.fredy != nil
	memberCount := 0
	repeats := map[string]int{} // by id
	listings.Flats, err = c.objects(func(object members) (members, error) {
		memberCount += 10 + len(object) // even a short listing takes several hundred bytes of memory
		if memberCount > maxMembers {
			return nil, errMany
		}
		listing, err := c.readListing(object)
		memberCount += max(0, len(listing)-len(object)) // read may unwrap a member flatisfy
		id := listingID(listing)
		repeats[id]++
		if err == nil && repeats[id] > maxRepeats {
			err = fmt.Errorf("id: %s appears more than %d times", excerpt(id), maxRepeats)
		}
		return listing, err
	})
	if err != nil || c.complete == nil {
		return listings, err
	}
	var site Text
	if err = site.setJSON(string(c.complete)); err == nil {
		err = listings.markComplete(site.String())
	}
	if err != nil {
		err = fmt.Errorf("%s:1: complete: %w", name, err)
	}
	return listings, err
}

// readListing returns a listing of the container as valid members of a flat, perhaps without an id.
func (c *container) readListing(object members) (listing members, err error) {
	if c.fredy != nil {
		if object, err = c.fredy.listing(object); err != nil {
			return nil, err
		}
	} else if !c.isOwn {
		for _, name := range ownMembers {
			if text, ok := object[name]; ok {
				delete(object, name)
				object[strings.ReplaceAll(name, ".", "_")] = text
			}
		}
	}
	return readListing(object, c.isPlain)
}

var errMany = fmt.Errorf("there are more than %d members, where each listing counts for 10: import it in parts",
	maxMembers)

// markComplete marks the listings as everything that a site has. It returns an error if none is
// from the site, because a broken crawler must not mark all of the site's flats as gone.
func (l *Listings) markComplete(site string) error {
	isFromSite := func(listing members) bool {
		return strings.HasSuffix(listingID(listing), "@"+site)
	}
	switch {
	case site == "":
		return errors.New("want the name of a site, got nothing")
	case l.partial:
		return errors.New("fredy sends what is new, never all that a site has")
	case l.Complete != "" && l.Complete != site:
		return fmt.Errorf("the listings are from %q, not from %q", l.Complete, site)
	case !slices.ContainsFunc(l.Flats, isFromSite):
		return fmt.Errorf("no listing is from %q: all of its flats would be marked as gone", site)
	}
	l.Complete = site
	return nil
}
