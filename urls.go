// The links and photos of listings.

package main

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"flats/internal/listing"
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
