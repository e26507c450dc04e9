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

// A domainTable has the suffixes below which customers register domains, and the domains of sites that have several.
type domainTable struct {
	country map[string]bool   // labels such as "co" that belong to the suffix if a country of two letters follows
	suffix  map[string]bool   // suffixes of two labels
	first   map[string]string // for each domain of a site with several, the one that stands for all
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

// siteOf returns the registrable domain of a host in lower case. Of a site with several domains it returns the one that
// stands for all. It returns an IP address as it is. A port stays.
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
