// Tests of the OpenAPI description and of the examples in docs/api.md.

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The OpenAPI description has exactly the routes of the table, each with its method and
// OPTIONS.
func TestOpenAPIRoutes(t *testing.T) {
	_, description := sampleService(t)
	if description["openapi"] != "3.1.0" || member(description, "servers", "0", "url") != "https://flats.example" {
		t.Errorf("openapi %v, servers %v", description["openapi"], description["servers"])
	}
	var served, documented []string
	for _, route := range (&server{config: defaultConfig(), store: newService(t, "[]", "[]").store}).table() {
		if path := strings.NewReplacer("{$}", "", "...", "").Replace(route.path); strings.HasPrefix(path, "/api/") {
			served = append(served, "OPTIONS "+path, route.method+" "+path)
		}
	}
	ids := map[any]bool{}
	for path, methods := range description["paths"].(object) {
		// The parameters in braces belong to all operations of the path.
		var inPath []string
		parameters, _ := member(methods, "parameters").([]any)
		for _, parameter := range parameters {
			if member(parameter, "in") != "path" || member(parameter, "required") != true {
				t.Errorf("%s has the parameter %v", path, parameter)
			}
			inPath = append(inPath, "{"+member(parameter, "name").(string)+"}") // as the path has them
		}
		if want := regexp.MustCompile(`{[^}]*}`).FindAllString(path, -1); !slices.Equal(inPath, want) {
			t.Errorf("%s has the parameters %q; want %q", path, inPath, want)
		}
		delete(methods.(object), "parameters")
		for method, operation := range methods.(object) {
			documented = append(documented, strings.ToUpper(method)+" "+path)
			id, summary := member(operation, "operationId"), member(operation, "summary")
			if ids[id] || id == "" || summary == "" {
				t.Errorf("%s %s: operationId %v, summary %v", method, path, id, summary)
			}
			ids[id] = true
		}
	}
	slices.Sort(served)
	slices.Sort(documented)
	served = slices.Compact(served) // OPTIONS stands once for several methods
	if !slices.Equal(documented, served) {
		t.Errorf("described %q\nserved    %q", documented, served)
	}
}

// The OpenAPI description has each field with its types, and each parameter with the
// fields that it accepts.
func TestOpenAPIFields(t *testing.T) {
	_, description := sampleService(t)
	const foundOnly = "cost_per_area travel_time site priced price gps lat lng place url changed monthly " +
		"monthly_per_area contacted_since status_since status_by status_because ratings travel_longest corrected " +
		"precision found_position kept_photos"
	var flat, numbers, dates, texts string // names of fields that lists have: all of them, and those of a type
	for _, field := range flatFields.list {
		if !strings.Contains(readFile(t, "docs/api.md"), "`"+field.name+"`") && field.where != onlyStored {
			t.Errorf("docs/api.md does not describe %s", field.name)
		}
		if !field.isListed() {
			continue
		}
		flat += " " + field.name
		switch field.value(new(Flat)).(type) {
		case *Number:
			numbers += " " + field.name
		case *Datetime:
			dates += " " + field.name
		case *Text:
			texts += " " + field.name
		}
	}
	words := func(texts ...string) []string {
		return slices.Sorted(slices.Values(strings.Fields(strings.Join(texts, " "))))
	}
	names := func(properties any) []string {
		members, _ := properties.(object)
		return slices.Sorted(maps.Keys(members))
	}
	for name, want := range map[string]string{
		"Flat": flat, "Row": flat + " " + foundOnly, "FlatChange": flat + " rating", "Listing": flat,
		"PostalCode": "postal_code name lat lng area",
	} {
		got := names(member(description, "components", "schemas", name, "properties"))
		if !slices.Equal(got, words(want)) {
			t.Errorf("%s has %q; want %s", name, got, want)
		}
	}
	for _, c := range []struct {
		section, end string // what follows the names in the first sentence
		fields       []string
	}{
		{"Corrections", ", the flat also keeps", correctableFields}, {"Search", ":", searchedFields},
	} {
		_, text, _ := strings.Cut(readFile(t, "docs/api.md"), "\n## "+c.section+"\n\n")
		text, _, _ = strings.Cut(text, c.end)
		var described []string
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,`\n", r) }) {
			if _, isField := flatFields.byName[word]; isField {
				described = append(described, word)
			}
		}
		if !slices.Equal(words(described...), words(c.fields...)) {
			t.Errorf("docs/api.md#%s names %q; want %q", c.section, described, c.fields)
		}
	}
	for types, fields := range map[string]string{"[number null]": numbers, "[string null]": dates + texts,
		"<nil>": "id photos status"} {
		for _, field := range strings.Fields(fields) {
			property := referenced(description, member(description, "components", "schemas", "Flat", "properties",
				field))
			if got := fmt.Sprint(member(property, "type")); got != types {
				t.Errorf("%s has the types %s; want %s", field, got, types)
			}
		}
	}
	const travelTimes, ratings, ways = `^time_to[.][^,\[\]]+$`, `^rating[.][^,\[\]]+$`, `^travel[.][^,\[\]]+$`
	view := words(flat, foundOnly, travelTimes, ratings, ways) // the fields of /find
	ranged := words(                                           // those that min and max accept
		numbers, dates, "cost_per_area travel_time lat lng priced price monthly monthly_per_area changed "+
			"contacted_since status_since travel_longest", travelTimes, ratings, ways)
	list := func(fields []string) map[string][]string { // by parameter, the names in its brackets
		return map[string][]string{"filter": fields, "page": {"number", "size"}, "sort": nil}
	}
	flats := list(words(flat))
	flats["id"] = nil
	for route, want := range map[string]map[string][]string{
		"/api/v1/flats get": flats, "/api/v1/search post": list(words(flat)),
		"/api/v1/opendata/postal_codes get": list(words("postal_code name lat lng area")),
		"/api/v1/flats/{id} get":            {},
		"/api/v1/flat/{id} patch":           {"If-Match": nil, "by": nil, "status_since": nil, "key": nil},
		"/api/v1/flat patch":                {"id": nil, "If-Match": nil, "by": nil, "status_since": nil, "key": nil},
		"/api/v1/ics/visits.ics get":        {"token": nil}, "/api/v1/import post": {"complete": nil, "key": nil},
		"/api/v1/find get": {"filter": view, "page": {"number", "size"}, "sort": nil, "q": nil, "forgive": nil, "any": view,
			"not": view, "min": ranged, "max": ranged,
			"known": view, "unknown": nil, "nulls": nil, "currencies": nil, "fields": nil, "counts": nil, "format": nil},
	} {
		path, method, _ := strings.Cut(route, " ")
		got := map[string][]string{}
		parameters, _ := member(description, "paths", path, method, "parameters").([]any)
		for _, parameter := range parameters {
			parameter = referenced(description, parameter)
			fields := names(member(parameter, "schema", "properties"))
			if fields == nil {
				fields = schemaNames(description, member(parameter, "schema", "propertyNames"))
				slices.Sort(fields)
			}
			got[member(parameter, "name").(string)] = fields
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s has the parameters %q\nwant %q", route, got, want)
		}
	}
}

// schemaNames returns the texts that a schema enumerates, and the patterns that it has.
func schemaNames(description object, schema any) (names []string) {
	schema = referenced(description, schema)
	enum, _ := member(schema, "enum").([]any)
	for _, text := range enum {
		names = append(names, text.(string))
	}
	if pattern, ok := member(schema, "pattern").(string); ok {
		names = append(names, pattern)
	}
	alternatives, _ := member(schema, "anyOf").([]any)
	for _, alternative := range alternatives {
		names = append(names, schemaNames(description, alternative)...)
	}
	return names
}

// The examples in the OpenAPI description match its schemas, and so do the service's answers.
func TestOpenAPIExamples(t *testing.T) {
	s, description := sampleService(t)
	// Make the lists of duplicates and imports non-empty.
	s.ask("POST", "/api/v1/import", `[{"id":"a","cost":900,"area":50,"phone":"1"},`+
		`{"id":7,"cost":900,"area":50,"phone":"1","not_duplicates":["b",8]}]`)
	s.ask("POST", "/api/v1/import", `[{}]`)
	s.ask("PUT", "/api/v1/views/Two%20rooms", `{"query":"q=x","rule":"dismiss"}`)
	s.ask("POST", "/api/v1/push", encodeJSON(member(description, "paths", "/api/v1/push", "post", "requestBody", "content",
		"application/json", "example")))
	check := func(what string, schema, value any) {
		if err := fitsSchema(description, schema, value); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	for path, methods := range description["paths"].(object) {
		for method, operation := range methods.(object) {
			isFile := path == "/api/v1/openapi.json" || path == "/api/v1/photos/{hash}" || path == "/api/v1/backups/{name}"
			needsOthers := path == "/api/v1/mailbox/try" || path == "/api/v1/postal_codes/{country}" ||
				path == "/api/v1/push/{id}" || path == "/api/v1/invites" // servers, a device, or a password
			if method == "options" || method == "parameters" || method == "delete" || isFile {
				continue
			}
			body, what := "", method+" "+path
			if content := member(operation, "requestBody", "content", "application/json"); content != nil {
				check(what+", the body", member(content, "schema"), member(content, "example"))
				body = encodeJSON(member(content, "example"))
			}
			if _, isDone := member(operation, "responses", "204").(object); isDone { // without a body
				continue
			}
			if needsOthers {
				content := cmp.Or(member(operation, "responses", "200", "content", "application/json"),
					member(operation, "responses", "201", "content", "application/json"))
				check(what+", the example", member(content, "schema"), member(content, "example"))
				continue
			}
			status := "200"
			if member(operation, "responses", status) == nil {
				status = "201"
			}
			for contentType, content := range member(operation, "responses", status, "content").(object) {
				target := strings.NewReplacer("{id}", "lyon-1042@example", "{name}", "Two%20rooms").Replace(path)
				switch path {
				case "/api/v1/flat":
					target += "?id=lyon-1042@example"
				case "/api/v1/views", "/api/v1/views/apply":
					target += "?name=Two%20rooms"
				case "/api/v1/areas":
					target += "?country=FR"
				case "/api/v1/geocode":
					target += "?text=Lyon"
				}
				got := s.ask(strings.ToUpper(method), target, body, "Accept", contentType)
				if fmt.Sprint(got.status) != status || got.header.Get("Content-Type") != contentType {
					t.Errorf("%s: %d %v; want %s", what, got.status, got.header, contentType)
				}
				example := member(content, "example")
				if text, ok := example.(string); ok { // not JSON: the answers begin alike
					if first := strings.SplitAfter(text, ",")[0]; !strings.HasPrefix(got.body, first) {
						t.Errorf("%s: %.40q; want a body like %q", what, got.body, text)
					}
					continue
				}
				var answer any
				if err := json.Unmarshal([]byte(got.body), &answer); err != nil {
					t.Errorf("%s: %v", what, err)
				}
				check(what+", the example", member(content, "schema"), example)
				check(what+", the answer", member(content, "schema"), answer)
			}
		}
	}
	problem := member(description, "components", "responses", "Error", "content", "application/json")
	check("the example of an error", member(problem, "schema"), member(problem, "example"))
}

// fitsSchema returns an error if a value does not match a schema of the description.
func fitsSchema(description object, schema, value any) error {
	schema = referenced(description, schema)
	kind := map[string]string{"string": "string", "float64": "number", "<nil>": "null", "bool": "boolean",
		"[]interface {}":          "array",
		"map[string]interface {}": "object"}[fmt.Sprintf("%T", value)]
	if alternatives, ok := member(schema, "oneOf").([]any); ok {
		fits := slices.ContainsFunc(alternatives, func(alternative any) bool {
			return fitsSchema(description, alternative, value) == nil
		})
		if !fits {
			return fmt.Errorf("%v fits none of %v", value, alternatives)
		}
		return nil
	}
	types := fmt.Sprint(member(schema, "type"))
	number, _ := value.(float64)
	isWhole := kind == "number" && number == float64(int64(number))
	fitsInteger := isWhole && strings.Contains(types, "integer")
	if types != "<nil>" && !strings.Contains(types, kind) && !fitsInteger {
		return fmt.Errorf("%v is of type %s; want %s", value, kind, types)
	}
	required, _ := member(schema, "required").([]any)
	for _, name := range required {
		if _, ok := value.(object)[name.(string)]; !ok {
			return fmt.Errorf("the required member %v is missing", name)
		}
	}
	var err error
	switch value := value.(type) {
	case object:
		for name, value := range value {
			described := cmp.Or(member(schema, "properties", name), member(schema, "additionalProperties"))
			if described == nil && member(schema, "properties") != nil {
				return fmt.Errorf("the member %s is not described", name)
			}
			if described != nil {
				err = cmp.Or(err, fitsSchema(description, described, value))
			}
		}
	case []any:
		for _, value := range value {
			err = cmp.Or(err, fitsSchema(description, member(schema, "items"), value))
		}
	}
	return err
}

// The commands in docs/api.md, run in order, print the documented output. An ellipsis (…)
// matches any text.
func TestDocumentedExamples(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"sh", "curl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil && os.Getenv("CI") == "" {
			t.Skip(err)
		}
	}
	p := start(t, t.TempDir(), "-sample")
	examples := 0 // a block each, of a command after $ and its output
	for block := range strings.SplitSeq(readFile(t, "docs/api.md"), "\n\n") {
		command, isExample := strings.CutPrefix(block, "    $ ")
		if !isExample {
			continue
		}
		examples++
		command, want, _ := strings.Cut(command, "\n    ")
		want = strings.ReplaceAll(want, "\n    ", "\n")
		script := strings.ReplaceAll(command, "http://127.0.0.1:8080", p.url)
		out, err := exec.Command("sh", "-c", script).CombinedOutput()
		got := strings.TrimSpace(string(out))
		pattern := strings.ReplaceAll(regexp.QuoteMeta(want), "…", ".+")
		if err != nil || !regexp.MustCompile("(?s)^"+pattern+"$").MatchString(got) {
			t.Errorf("%s: %v\n%s\nwant\n%s", command, err, got, want)
		}
	}
	if examples < 9 || examples != strings.Count(readFile(t, "docs/api.md"), "$ curl") {
		t.Errorf("ran %d examples; want every $ curl in docs/api.md, at least 9", examples)
	}
	p.stop()
}
