// Tests of codes.go.

package main

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// Addresses of sixteen countries as people write them, with the code that each must get, or none.
// None gets a wrong one: neither in the constraint of its country, nor among all codes.
func TestAddressesOfCountries(t *testing.T) {
	codes, err := readPostalCodes("postal_codes.txt", []byte(readFile(t, "testdata/postal_codes.txt")))
	if err != nil {
		t.Fatal(err)
	}
	constraints := map[string]Constraint{}
	for _, code := range codes {
		constraints[code.country()] = Constraint{Areas: []string{code.Area.String()}}
	}
	postal := newPostalCodes(codes, constraints)
	type share struct{ addresses, found, foundAmongAll int }
	shares := map[string]*share{}
	for row := range strings.Lines(readFile(t, "testdata/addresses.txt")) {
		cells := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		country, want, address := cells[0], cells[1], cells[2]
		if shares[country] == nil {
			shares[country] = &share{}
		}
		s := shares[country]
		if got := postal.in(address, country); got != want {
			t.Errorf("%q in %s: %q; want %q", address, country, got, want)
		}
		amongAll := postal.in(address, "")
		if amongAll != "" && amongAll != want {
			t.Errorf("%q among all: %q; want %q or none", address, amongAll, want)
		}
		if want == "" {
			continue
		}
		s.addresses++
		if postal.in(address, country) == want {
			s.found++
		}
		if amongAll == want {
			s.foundAmongAll++
		}
	}
	for _, country := range slices.Sorted(maps.Keys(shares)) {
		s := shares[country]
		t.Logf("%s: %d of %d, among all %d", country, s.found, s.addresses, s.foundAmongAll)
		if s.addresses < 20 {
			t.Errorf("%s has %d addresses; want at least 20", country, s.addresses)
		}
	}
}
