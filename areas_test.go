// Tests of areas.go and of the points in values.go: areas, a town and how far around, warnings about constraints.

package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAreas tests the list of areas of each format of files.
func TestAreas(t *testing.T) {
	// The number of a district, or of a post office as in "CEDEX 3", is no part of the name of a place.
	var many strings.Builder
	many.WriteString("postal_code,name,lat,lng,area\n")
	names := []string{"Lyon 07", "Lyon", "Lyon CEDEX 3", "Grenoble Cedex", "Vif"}
	const codes = 4125 // more than 999, so that the number has a comma
	for i := range codes {
		fmt.Fprintf(&many, "%05d,%s,1,2,FR-84\n", i, names[i%len(names)])
	}
	const geoNames = "FR\t69001\tLyon 01\tx\t84\tx\tx\tx\tx\t45.7\t4.8\t5\n"
	for _, c := range []struct{ text, want string }{
		{many.String(), "FR-84 · 4,125 · Lyon, Grenoble, Vif\n"},
		// Without a code of the area, the country is the area.
		{geoNames + strings.Replace(geoNames, "\t84", "\t", 1), "FR · 1 · Lyon\nFR-84 · 1 · Lyon\n"},
		// A code counts once, a place for each of its entries, and places with as many in the order of their names.
		{`[{"postal_code": "1", "name": "B", "area": "X"}, {"postal_code": "1", "name": "D", "area": "X"},
			{"postal_code": "1", "name": "C", "area": "X"}, {"postal_code": "2", "name": "A", "area": "X"},
			{"postal_code": "3", "name": "D", "area": "X"}]`, "X · 3 · D, A, B\n"},
		{`[{"postal_code": "1"}, {"postal_code": "2", "name": "1er", "area": "A"}]`, "(no area) · 1\nA · 1 · 1er\n"},
		// Names with control characters, which a terminal would obey, are quoted.
		{`[{"postal_code": "1", "name": "\u001b[2JX", "area": "\u001b]0;title\u0007"}, {"postal_code": "2", "name":
			"\u202eY", "area": "A"}]`, "\"\\x1b]0;title\\a\" · 1 · \"\\x1b[2JX\"\nA · 1 · \"\\u202eY\"\n"},
		{"[]", ""},
	} {
		var b strings.Builder
		file := writeFile(t, t.TempDir(), "codes", c.text)
		if err := printAreas(&b, file); err != nil || b.String() != c.want {
			t.Errorf("%.100s: %v\n%s\nwant\n%s", c.text, err, b.String(), c.want)
		}
	}
}

// TestWithCommas tests that commas separate thousands.
func TestWithCommas(t *testing.T) {
	for _, c := range []struct {
		n    int
		want string
	}{{1, "1"}, {999, "999"}, {1000, "1,000"}, {1234567, "1,234,567"}} {
		if got := withCommas(c.n); got != c.want {
			t.Errorf("withCommas(%d) = %s; want %s", c.n, got, c.want)
		}
	}
}

// nearCodes are postal codes in and around Lyon, and far from there.
const nearCodes = "postal_code,name,lat,lng,area\n" +
	"69001,Lyon,45.767,4.834,FR-84\n" +
	"69400,Villefranche,45.99,4.72,FR-84\n" + // 26 km from Lyon
	"75001,Paris,48.8566,2.3522,FR-11\n" +
	"00000,Nowhere,,,FR-84\n" +
	"96799,Pago Pago,-14.28,-170.7,AS\n" +
	"Z1,West,0,179.95,X\n" + // 5.6 km from the date line
	"Z2,East,0,-179.95,X\n" + // 5.6 km from it on the other side
	"Z3,North,89.99,0,X\n" // 1.1 km from the pole

// configOf returns the config with the given constraints.
func configOf(t *testing.T, constraints string) *Config {
	t.Helper()
	c, err := parseConfig("config.json", []byte(`{"constraints":`+constraints+`}`), quiet)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestNear tests which postal codes a constraint has: those of its areas, and those that are near. With neither, it has
// all. No other constraint has any, so that it is the only one of each of its codes.
func TestNear(t *testing.T) {
	for _, c := range []struct{ constraint, want string }{
		{`{"near":{"gps":[45.764,4.8357],"km":15}}`, "69001"},
		{`{"near":{"gps":[45.764,4.8357],"km":27}}`, "69001 69400"},
		{`{"near":{"gps":[45.764,4.8357],"km":25}}`, "69001"},
		{`{"near":{"gps":[45.767,4.834],"km":0.001}}`, "69001"},
		{`{"near":{"gps":[45.764,4.8357],"km":1000}}`, "69001 69400 75001"},
		{`{"near":{"gps":[45.764,4.8357],"km":15},"areas":["FR-11"]}`, "69001 75001"},
		{`{"near":{"gps":[45.764,4.8357],"km":15},"areas":["FR-84"]}`, "69001 69400 00000"},
		{`{"near":{"gps":[45.764,4.8357],"km":15},"areas":[]}`, "69001"},
		{`{"near":{"gps":[45.764,4.8357],"km":15},"areas":null}`, "69001"},
		{`{"near":null}`, "69001 69400 75001 00000 96799 Z1 Z2 Z3"},
		{`{"areas":[]}`, ""}, {`{"near":{"gps":[10,10],"km":5}}`, ""},
		{`{"near":{"gps":[0,180],"km":10}}`, "Z1 Z2"}, {`{"near":{"gps":[90,180],"km":2}}`, "Z3"},
	} {
		config := configOf(t, `{"a":`+c.constraint+`}`)
		codes := constrainedCodes(t, nearCodes, config.Constraints)
		var got []string
		for row := range codes.all.size {
			code := codes.all.row(uint32(row)).PostalCode.String()
			isOfConstraint := codes.get("a", code) != nil
			if isOfConstraint {
				got = append(got, code)
			}
			if only := codes.onlyConstraint(code, ""); (only == "a") != isOfConstraint {
				t.Errorf("%s: the only constraint of %s is %q", c.constraint, code, only)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v; want %s", c.constraint, got, c.want)
		}
	}
	// 69001 is near for a, and in the area of b. 69400 is only in that area.
	config := configOf(t, `{"a":{"near":{"gps":[45.764,4.8357],"km":15}},"b":{"areas":["FR-84"]}}`)
	codes := constrainedCodes(t, nearCodes, config.Constraints)
	if a, b := codes.onlyConstraint("69001", "FR"), codes.onlyConstraint("69400", "FR"); a != "" || b != "b" {
		t.Errorf("the only constraints are %q and %q", a, b)
	}
}

// TestNearConfig tests that both members of near must be there, and right.
func TestNearConfig(t *testing.T) {
	const gps, km = "gps: want a latitude of at most 90 and a longitude of at most 180 degrees, such as [48.8566, 2.3522]",
		"km: want a number of kilometres, more than 0 and at most 1000"
	const near = "config.json: constraints.a.near"
	for _, c := range []struct{ near, want string }{ // want is the error
		{`{"gps":[45.764,4.8357],"km":0.5}`, ""},
		{`{"gps":[45.764,4.8357],"km":1000}`, ""},
		{`null`, ""},
		{`{"km":15}`, near + "." + gps},
		{`{"gps":null,"km":15}`, near + "." + gps},
		{`{"gps":[95,0],"km":15}`, near + "." + gps},
		{`{"gps":[1],"km":15}`, near + "." + gps},
		{`{"gps":[1,2]}`, near + "." + km},
		{`{"gps":[1,2],"km":null}`, near + "." + km},
		{`{"gps":[1,2],"km":0}`, near + "." + km},
		{`{"gps":[1,2],"km":-1}`, near + "." + km},
		{`{"gps":[1,2],"km":1000.5}`, near + "." + km},
		{`{"gps":[1,2],"km":"15"}`, near + ".km: want a number"},
		{`[1,2]`, near + ": want an object"},
		{`{}`, near + "." + gps + "\n" + near + "." + km},
	} {
		_, err := parseConfig("config.json", []byte(`{"constraints":{"a":{"near":`+c.near+`}}}`), quiet)
		if got := errorText(err); got != c.want {
			t.Errorf("%s: %s; want %s", c.near, got, c.want)
		}
	}
}

// TestUnlikelyPlaces tests which places are far from the postal codes of their constraint, and which have no times by
// public transport.
func TestUnlikelyPlaces(t *testing.T) {
	const far = "constraints.a.time_to.w: lies more than 300 km from the nearest postal code of its constraint"
	for _, c := range []struct{ constraint, want string }{
		{`{"time_to":{"w":{"gps":[45.7,4.8],"mode":"WALK"}}}`, ""},                    // Lyon
		{`{"time_to":{"w":{"gps":[43.3,5.4],"mode":"WALK"}}}`, ""},                    // Marseille
		{`{"time_to":{"w":{"gps":[41.4,2.17],"mode":"WALK"}}}`, far},                  // Barcelona
		{`{"areas":["FR-11"],"time_to":{"w":{"gps":[45.7,4.8],"mode":"BIKE"}}}`, far}, // Lyon is no code of a
		{`{"time_to":{"w":{"gps":[4.8,45.7],"mode":"WALK"}}}`, far + ": latitude and longitude look swapped"},
		{`{"time_to":{"w":{"gps":[-14.28,-170.7],"mode":"WALK"}}}`, ""}, // Pago Pago
		{`{"time_to":{"w":{"gps":[30,120],"mode":"WALK"}}}`, far},       // swapped, it is no position
		{`{"near":{"gps":[45.764,4.8357],"km":15},"time_to":{"w":{"gps":[4.8,45.7],"mode":"WALK"}}}`,
			far + ": latitude and longitude look swapped"},
		{`{"areas":["none"],"time_to":{"w":{"gps":[4.8,45.7],"mode":"WALK"}}}`, ""}, // there are no codes to tell by
		{`{"time_to":{}}`, ""}, {`{}`, ""},
	} {
		config := configOf(t, `{"a":`+c.constraint+`}`)
		if got := oneLine(config.farPlaces(constrainedCodes(t, nearCodes, config.Constraints))); got != c.want {
			t.Errorf("%s: %s; want %s", c.constraint, got, c.want)
		}
	}
	// Public transport is the mode, too, if the config says none. chosen has only the places where the config says it.
	const transit = "constraints.a.time_to.w.mode: no times by public transport until travel is set; WALK and BIKE work"
	for _, c := range []struct{ mode, all, chosen string }{
		{`"PUBLIC_TRANSPORT"`, transit, transit}, {`null`, transit, ""}, {`"WALK"`, "", ""}, {`"BIKE"`, "", ""},
	} {
		config := configOf(t, `{"a":{"time_to":{"w":{"gps":[1,2],"mode":`+c.mode+`}}}}`)
		all, chosen := oneLine(config.transitWithoutTravel()), oneLine(config.chosenTransitWithoutTravel())
		if all != c.all || chosen != c.chosen {
			t.Errorf("%s: %s, %s", c.mode, all, chosen)
		}
		config.Travel = &Travel{}
		if got := config.transitWithoutTravel(); len(got) > 0 {
			t.Errorf("%s with travel: %v", c.mode, got)
		}
	}
}

// TestPlaceTimes tests which times of places bound the ways to them: an array of two, of which the second one is the
// longest time in seconds.
func TestPlaceTimes(t *testing.T) {
	const wrong = "constraints.a.time_to.w.time: want how long it may take at most, in seconds, such as [0, 1800]"
	// What the page gets. others holds for flats without a constraint.
	const bounds = `{"constraints":{"a":{"w":1800},"b":{}},"others":{"w":1800}}`
	for _, c := range []struct{ time, wrong, bounds string }{
		{`[0,1800]`, "", bounds}, {`[null,1800]`, "", bounds}, {`[600,1800.0]`, "", bounds}, {`null`, "", "null"},
		{`[0,null]`, "", "null"}, {`[600,null]`, "", "null"}, {`[]`, wrong, "null"}, {`[1800]`, wrong, "null"},
		{`[0,1800,1]`, wrong, "null"}, {`1800`, wrong, "null"}, {`"30"`, wrong, "null"}, {`[0,"30"]`, wrong, "null"},
		{`[0,0]`, wrong, "null"}, {`[0,-5]`, wrong, "null"}, {`{}`, wrong, "null"},
	} {
		config := configOf(t, `{"a":{"time_to":{"w":{"gps":[1,2],"mode":"WALK","time":`+c.time+`}}},"b":{}}`)
		if got := oneLine(config.wrongTimes()); got != c.wrong {
			t.Errorf("%s: %q; want %q", c.time, got, c.wrong)
		}
		if got := pageBounds(config); got != c.bounds {
			t.Errorf("%s: the page has %s; want %s", c.time, got, c.bounds)
		}
	}
	s := newSetup(t, t.TempDir(), `{}`)
	const key = "constraints.a.time_to.w.time"
	set := func(time string) string {
		return `{"constraints":{"a":{"time_to":{"w":{"gps":[1,2],"mode":"WALK","time":` + time + `}}}}}`
	}
	if got := s.must(400, "PATCH", "/api/v1/settings", set(`30`)); got != key {
		t.Errorf("wrong is %q; want %q", got, key)
	}
	s.must(200, "PATCH", "/api/v1/settings", set(`[0,1800]`))
}

// oneLine returns what is wrong with keys, as "KEY: ERROR; KEY: ERROR".
func oneLine(wrong wrongKeys) string {
	var list []string
	for _, key := range slices.Sorted(maps.Keys(wrong)) {
		list = append(list, key+": "+wrong[key].Error())
	}
	return strings.Join(list, "; ")
}

// TestRegionWarnings tests what the start says of constraints that can be used, but hardly mean what they say.
func TestRegionWarnings(t *testing.T) {
	const none = "msg=\"the constraint has no postal code: its flats get no position and no travel times from one\" " +
		"constraint=a\n"
	unknown := func(area, similar string) string {
		return fmt.Sprintf("msg=\"no postal code has this area\" constraint=a area=%s instead_perhaps=%q\n", area, similar)
	}
	tooMany := strings.Repeat(`,"ZZ"`, maxAreaWarnings+1)
	const place = "msg=\"a place is probably not what you mean\" key=constraints.a.time_to.w"
	for _, c := range []struct{ constraints, want string }{
		{`{"a":{"areas":["FR-84"]}}`, ""}, {`{"a":{}}`, ""},
		{`{"a":{"areas":["FR-84","FR-IDF"]}}`, unknown("FR-IDF", "[FR-11 FR-84 AS]")},
		{`{"a":{"areas":["fr-84"]}}`, unknown("fr-84", "[FR-84 FR-11 AS]") + none},
		{`{"a":{"areas":["FR-84"` + tooMany + `]}}`,
			strings.Repeat(unknown("ZZ", "[AS FR-11 FR-84]"), maxAreaWarnings)},
		{`{"a":{"areas":[]}}`, none},
		{`{"a":{"areas":["FR-84"],"near":{"gps":[10,10],"km":2.5}}}`,
			"msg=\"no postal code lies near enough\" constraint=a km=2.5\n"},
		{`{"a":{"near":{"gps":[10,10],"km":5}}}`, "msg=\"no postal code lies near enough\" constraint=a km=5\n" + none},
		{`{"a":{"time_to":{"w":{"gps":[4.8,45.7],"mode":"WALK"}}}}`,
			place + " why=\"lies more than 300 km from the nearest postal code of its constraint" +
				": latitude and longitude look swapped\"\n"},
		{`{"a":{"time_to":{"w":{"gps":[45.7,4.8]}}}}`, place +
			".mode why=\"no times by public transport until travel is set; WALK and BIKE work\"\n"},
		{`{"a":{"time_to":{"w":{"gps":[45.7,4.8],"mode":"WALK","time":30}}}}`, place +
			".time why=\"want how long it may take at most, in seconds, such as [0, 1800]\"\n"},
	} {
		config := configOf(t, c.constraints)
		if got := regionWarnings(config, constrainedCodes(t, nearCodes, config.Constraints)); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.constraints, got, c.want)
		}
	}
	const without = "msg=\"a constraint has areas or near, which mean nothing without postal codes: set postal_codes\" " +
		"constraint=a\n"
	for _, constraint := range []string{`{"areas":["FR-84"]}`, `{"areas":[]}`, `{"near":{"gps":[1,2],"km":3}}`} {
		config := configOf(t, `{"a":`+constraint+`,"b":{}}`)
		if got := regionWarnings(config, newPostalCodes(nil, config.Constraints)); got != without {
			t.Errorf("%s without codes:\ngot  %s\nwant %s", constraint, got, without)
		}
	}
}

// regionWarnings returns the warnings about a config.
func regionWarnings(config *Config, codes *PostalCodes) string {
	var log bytes.Buffer
	warnConstraints(config, codes, slog.New(slog.NewTextHandler(&log, nil)))
	var lines strings.Builder
	for line := range strings.Lines(log.String()) {
		_, line, _ = strings.Cut(line, "level=WARN ")
		lines.WriteString(line)
	}
	return lines.String()
}

// TestNearOverHTTP tests that a listing gets the postal code and the constraint that are near.
func TestNearOverHTTP(t *testing.T) {
	dir := t.TempDir()
	config := configOf(t, `{"lyon":{"near":{"gps":[45.764,4.8357],"km":15}}}`)
	config.Data, config.PostalCodes = filepath.Join(dir, "flats.json"), []string{writeFile(t, dir, "c.csv", nearCodes)}
	store, err := openData(config, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	const two = `[{"id":"1","location":"1 rue X, 69001 Lyon"},{"id":"2","location":"75001 Paris"}]`
	listings, err := readListings("in", []byte(two))
	if err == nil {
		_, err = newImporter(store).Import(t.Context(), listings, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := store.Get("1").JSON(); !strings.Contains(got, `"service_constraint":"lyon"`) ||
		!strings.Contains(got, `"name":"Lyon"`) {
		t.Errorf("the flat is %s", got)
	}
	if got := store.Get("2").JSON(); !strings.Contains(got, `"service_constraint":null`) {
		t.Errorf("the flat is %s", got)
	}
}
