// Domains: which site a link is from.

package listing

import (
	_ "embed"
	"net"
	"strings"
	"sync"
)

//go:embed domains.txt
var domainLines string

// A domainTable has the suffixes below which each customer has a domain of its own, and the domains of one site.
type domainTable struct {
	country map[string]bool   // labels that are part of the suffix before a country of two letters
	suffix  map[string]bool   // suffixes of two labels
	first   map[string]string // the domain that stands for another one of its site
}

// domains returns the table in domains.txt.
var domains = sync.OnceValue(func() *domainTable {
	t := &domainTable{country: map[string]bool{}, suffix: map[string]bool{}, first: map[string]string{}}
	for line := range strings.Lines(domainLines) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		for _, word := range words[1:] {
			switch words[0] {
			case "country":
				t.country[word] = true
			case "suffix":
				t.suffix[word] = true
			case "same":
				t.first[word] = words[1]
			}
		}
	}
	return t
})

// siteOf returns the registrable domain of a host in lower case, or the one that stands for it if its site has several.
// A port stays part of it.
func (t *domainTable) siteOf(host string) string {
	name, port, hasPort := strings.Cut(host, ":")
	if net.ParseIP(name) != nil || strings.HasPrefix(host, "[") {
		return host
	}
	labels := strings.Split(name, ".")
	keep := 2
	if n := len(labels); n > 2 {
		top, below := labels[n-1], labels[n-2]
		if len(top) == 2 && t.country[below] || t.suffix[below+"."+top] {
			keep = 3
		}
	}
	domain := strings.Join(labels[max(0, len(labels)-keep):], ".")
	if first := t.first[domain]; first != "" {
		domain = first
	}
	if hasPort {
		domain += ":" + port
	}
	return domain
}
