// The links and photos of listings, and the flats that have them.

package main

import (
	"cmp"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strings"

	"flats/internal/listing"
	"flats/internal/turns"
)

// cleanLinks returns the JSON of urls or photos with complete URLs. A text with several is several. In
// urls, an object or a list that holds nothing but links is these. Of photos, it drops what is neither
// an http or https address nor an image itself.
func cleanLinks(text json.RawMessage, arePhotos bool) json.RawMessage {
	isOneLink := text[0] == '{' && !arePhotos && len(listing.LinksOf(text)) > 0
	if text[0] == '"' || isOneLink {
		text = inArray(text)
	}
	var list []json.RawMessage
	if text[0] != '[' || json.Unmarshal(text, &list) != nil {
		return text
	}
	cleaned := []json.RawMessage{}
	add := func(links []string) {
		for _, link := range links {
			if !arePhotos || isImage(link) {
				cleaned = append(cleaned, json.RawMessage(encodeJSON(link)))
			}
		}
	}
	for _, element := range list {
		links, onlyLinks := listing.ReadLinks(element)
		switch {
		case element[0] == '"':
			add(listing.SplitLinks(unquote(string(element))))
		case onlyLinks && !arePhotos:
			add(links)
		case element[0] == '{':
			cleaned = append(cleaned, cleanPhoto(element, arePhotos)...)
		default:
			cleaned = append(cleaned, element)
		}
	}
	return json.RawMessage(encodeJSON(cleaned))
}

// A linkElement is an element of the JSON of urls.
type linkElement struct {
	key  string // by which it is compared: the key of its link, if it has one
	text json.RawMessage
}

// linkElements returns the elements of the JSON of urls; any other value than a list is one.
func linkElements(urls json.RawMessage) (elements []linkElement) {
	if len(urls) == 0 || string(urls) == "null" {
		return nil
	}
	var list []json.RawMessage
	urls = cleanLinks(urls, false)
	if json.Unmarshal(urls, &list) != nil {
		list = []json.RawMessage{urls}
	}
	for _, text := range list {
		link := strings.Join(listing.LinksOf(text), " ")
		elements = append(elements, linkElement{cmp.Or(listing.LinkKey(link), link, string(text)), text})
	}
	return elements
}

// inArray returns a JSON array of one element.
func inArray(element []byte) []byte { return slices.Concat([]byte("["), element, []byte("]")) }

// cleanPhoto is cleanLinks for an object with a url. It returns an object for each address.
func cleanPhoto(object json.RawMessage, arePhotos bool) (cleaned []json.RawMessage) {
	var photo members
	json.Unmarshal(object, &photo) // no error: it is a JSON object
	url := photo.text("url")
	if url[0] != '"' {
		return []json.RawMessage{object}
	}
	for _, link := range listing.SplitLinks(unquote(url)) {
		if arePhotos && !isImage(link) {
			continue
		}
		next := object
		if link != unquote(url) {
			photo.put("url", link)
			next = json.RawMessage(encodeJSON(photo))
		}
		cleaned = append(cleaned, next)
	}
	return cleaned
}

// isImage reports whether a link is an http or https address, or an image itself.
func isImage(link string) bool {
	start := strings.ToLower(link[:min(len(link), 16)])
	return strings.HasPrefix(start, "data:image/") || listing.IsWebLink(link)
}

// id returns the id of the listing or, if it has none, the id that its first link makes, or "".
func listingID(given members) string {
	if id := given["id"]; id != nil {
		return unquote(string(id))
	}
	for _, link := range listing.LinksOf(given["urls"]) {
		if id := listing.LinkID(link); id != "" {
			return id
		}
	}
	return ""
}

// knownLinks has the ids of flats by the keys of their links.
type knownLinks map[string]string

// newKnownLinks returns the links of the flats. Of several flats with a link, the first one that
// is not a duplicate counts, else the first one.
func newKnownLinks(flats iter.Seq2[uint32, *Flat]) knownLinks {
	known := knownLinks{}
	for _, isDuplicate := range []bool{false, true} {
		for _, f := range flats {
			if (f.Status.String() == statusDuplicate) == isDuplicate {
				known.add(f.ID.String(), json.RawMessage(f.URLs.JSON()))
				if f.Corrected.Known() {
					known.add(f.ID.String(), f.listedValue("urls"))
				}
			}
		}
	}
	return known
}

// add adds the links in the JSON of urls, unless they are known. It does nothing on a nil map.
func (known knownLinks) add(id string, urls json.RawMessage) {
	if known == nil {
		return
	}
	for _, link := range listing.LinksOf(urls) {
		if key := listing.LinkKey(link); key != "" {
			known[key] = cmp.Or(known[key], id)
		}
	}
}

// flatWithLink returns the flat that a listing with the link would be, or nil: the first one that is not a
// duplicate, else the first one.
func flatWithLink(work *turns.Task, flats iter.Seq2[uint32, *Flat], link string) (found *Flat) {
	key := listing.LinkKey(link)
	if key == "" {
		return nil
	}
	hasKey := func(link string) bool { return listing.LinkKey(link) == key }
	for _, f := range flats {
		links := listing.LinksOf(json.RawMessage(f.URLs.JSON()))
		if f.Corrected.Known() {
			links = append(links, listing.LinksOf(f.listedValue("urls"))...)
		}
		work.Step(100 + 20*len(f.URLs.JSON()))
		if !slices.ContainsFunc(links, hasKey) {
			continue
		}
		if f.Status.String() != statusDuplicate {
			return f
		}
		found = cmp.Or(found, f)
	}
	return found
}

// addListings adds the links of listings with ids.
func (known knownLinks) addListings(listings []members) {
	for _, listing := range listings {
		known.add(unquote(listing.text("id")), listing["urls"])
	}
}

// identified returns a listing without an id with the id of the flat that has one of its links, or
// with one that its first link makes. A flat keeps the links that listings have said, and gets the others.
func (known knownLinks) identified(given members, current func(id string) *Flat) members {
	given = maps.Clone(given)
	id := known.of(given["urls"])
	if f := current(id); f != nil {
		var urls []json.RawMessage
		json.Unmarshal(cleanLinks(f.listedValue("urls"), false), &urls) // any other value has no links
		for _, link := range listing.LinksOf(given["urls"]) {
			if key := listing.LinkKey(link); key != "" && known[key] == "" {
				urls = append(urls, json.RawMessage(encodeJSON(link)))
			}
		}
		given.put("urls", urls)
	}
	given.put("id", cmp.Or(id, listingID(given)))
	return given
}

// of returns the id of the flat that has one of the links in the JSON of urls, or "".
func (known knownLinks) of(urls json.RawMessage) string {
	for _, link := range listing.LinksOf(urls) {
		if id := known[listing.LinkKey(link)]; id != "" {
			return id
		}
	}
	return ""
}
