// Tests of mcp.go.

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// tell sends a message of the Model Context Protocol.
func (s *service) tell(message string, header ...string) reply {
	s.Helper()
	return s.ask("POST", "/api/v1/mcp", message, header...)
}

// call calls a tool with arguments in JSON, and returns the text of the result and whether it is an error. Any other
// text must be JSON, and no text may be longer than 100,000 bytes.
func (s *service) call(tool, arguments string) (text string, isError bool) {
	s.Helper()
	got := s.tell(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` +
		arguments + `}}`)
	var answer struct {
		ID     int
		Result struct {
			Content []struct{ Type, Text string }
			IsError bool
		}
	}
	err := json.Unmarshal([]byte(got.body), &answer)
	if err != nil || got.status != 200 || answer.ID != 1 {
		s.Fatalf("%s %.200s: %d %.500s, %v; want 200 with the id 1", tool, arguments, got.status, got.body, err)
	}
	if content := answer.Result.Content; len(content) != 1 || content[0].Type != "text" {
		s.Fatalf("%s %.200s: %.500s; want one text as content", tool, arguments, got.body)
	}
	text = answer.Result.Content[0].Text
	if len(text) > 100_000 || !answer.Result.IsError && !json.Valid([]byte(text)) {
		s.Errorf("%s %.200s: %d bytes, %.500s", tool, arguments, len(text), text)
	}
	return text, answer.Result.IsError
}

// A message is answered by what it is: a request by its result or error, anything else by 202.
func TestMCPMessages(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	const missing = "missing"
	request := func(method, rest string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"` + method + `"` + rest + `}`
	}
	for _, c := range []struct {
		message string
		version string // in the header MCP-Protocol-Version, or missing
		status  int
		answer  string // the code of an error, the result, or nothing
		id      string // in the answer
	}{
		{request("ping", ""), missing, 200, `{}`, `1`},
		{request("ping", ""), "2025-06-18", 200, `{}`, `1`},
		{request("ping", ""), "2025-11-25", 200, `{}`, `1`},
		{`{"jsonrpc":"2.0","id":"\u00e4","method":"ping","params":{"_meta":{}},"x":1}`, missing, 200, `{}`, `"ä"`},
		{`{"jsonrpc":"2.0","id":"","method":"ping"}`, missing, 200, `{}`, `""`},
		{`{"jsonrpc":"2\u002e0","id":1,"method":"p\u0069ng"}`, missing, 200, `{}`, `1`},
		{request(`tools\/call`, ""), missing, 200, `-32602`, `1`},
		{`{"jsonrpc":"2.0","id":-7,"method":"ping"}`, missing, 200, `{}`, `-7`},

		// Versions that the service does not speak.
		{request("ping", ""), "2024-11-05", 400, `-32600`, `1`},
		{request("tools/list", ""), "latest", 400, `-32600`, `1`},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, "2024-11-05", 400, `-32600`, ``},

		// Messages without an id are notifications, and have no answer. Nor do answers.
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, "2025-11-25", 202, ``, ``},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, missing, 202, ``, ``},
		{`{"jsonrpc":"2.0","method":"tools/call","params":5}`, missing, 202, ``, ``},
		{`{}`, missing, 400, `-32600`, ``},
		{`{"jsonrpc":"2.0"}`, missing, 400, `-32600`, ``},
		{`{"jsonrpc":"2.0","params":{}}`, missing, 400, `-32600`, ``},
		{`{"method":"notifications/initialized"}`, missing, 400, `-32600`, ``},
		{`{"jsonrpc":"2.0","method":5}`, missing, 400, `-32600`, ``},
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, missing, 202, ``, ``},
		{`{"jsonrpc":"2.0","id":"x","error":{"code":-1,"message":"m"}}`, missing, 202, ``, ``},

		// What is not JSON, or no request.
		{``, missing, 400, `-32700`, ``}, {`{`, missing, 400, `-32700`, ``},
		{request("ping", "") + "x", missing, 400, `-32700`, ``}, {request("\xff", ""), missing, 400, `-32700`, ``},
		{`[]`, missing, 400, `-32600`, ``}, {`[` + request("ping", "") + `]`, missing, 400, `-32600`, ``},
		{`5`, missing, 400, `-32600`, ``}, {`null`, missing, 400, `-32600`, ``}, {`"ping"`, missing, 400, `-32600`, ``},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, missing, 400, `-32600`, ``},
		{`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, missing, 400, `-32600`, ``},
		{`{"jsonrpc":"2.0","id":[1],"method":"ping"}`, missing, 400, `-32600`, ``},
		{`{"jsonrpc":"2.0","id":true,"method":"ping"}`, missing, 400, `-32600`, ``},
		{`{"jsonrpc":"1.0","id":1,"method":"ping"}`, missing, 400, `-32600`, `1`},
		{`{"id":1,"method":"ping"}`, missing, 400, `-32600`, `1`},
		{`{"jsonrpc":"2.0","id":1}`, missing, 400, `-32600`, `1`},
		{`{"jsonrpc":"2.0","id":1,"method":5}`, missing, 400, `-32600`, `1`},

		// Methods that do not exist, and parameters that are wrong.
		{request("resources/list", ""), missing, 200, `-32601`, `1`},
		{request("Ping", `,"params":5`), missing, 200, `-32601`, `1`},
		{request("ping", `,"params":[]`), missing, 200, `-32602`, `1`},
		{request("initialize", `,"params":null`), missing, 200, `-32602`, `1`},
		{request("tools/call", ``), missing, 200, `-32602`, `1`},
		{request("tools/call", `,"params":{"name":"drop_flats"}`), missing, 200, `-32602`, `1`},
		{request("tools/call", `,"params":{"name":7,"arguments":{}}`), missing, 200, `-32602`, `1`},
		{request("tools/call", `,"params":{"name":"get_flat","arguments":null}`), missing, 200, `-32602`, `1`},
		{request("tools/call", `,"params":{"name":"get_flat","arguments":["a"]}`), missing, 200, `-32602`, `1`},
	} {
		var header []string
		if c.version != missing {
			header = []string{"MCP-Protocol-Version", c.version}
		}
		got := s.tell(c.message, header...)
		var answer members
		json.Unmarshal([]byte(got.body), &answer)
		text := string(answer["result"])
		if answer["error"] != nil {
			var failed struct {
				Code    json.Number
				Message string
			}
			json.Unmarshal(answer["error"], &failed)
			text = failed.Code.String()
			if failed.Message == "" || answer["result"] != nil {
				t.Errorf("%s: %s", c.message, got.body)
			}
		}
		id := ""
		if answer["id"] != nil {
			id = string(answer["id"])
		}
		if got.status != c.status || text != c.answer || !sameJSON(id, c.id) {
			t.Errorf("%s with %s: %d %s; want %d %s, id %s", c.message, c.version, got.status, got.body, c.status,
				c.answer, c.id)
		}
		hasRightBody := got.header.Get("Content-Type") == "application/json" && answer.text("jsonrpc") == `"2.0"`
		if got.status == 202 {
			hasRightBody = got.body == ""
		}
		if !hasRightBody || got.header.Get("Mcp-Session-Id") != "" {
			t.Errorf("%s: %d %v %s", c.message, got.status, got.header, got.body)
		}
	}
}

// Initialize agrees on the version that the client asks for, or else on the newest one, whatever the header says, and
// returns the instructions.
func TestMCPInitialize(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for asked, want := range map[string]string{`"2025-03-26"`: "2025-03-26", `"2025-06-18"`: "2025-06-18",
		`"2025-11-25"`: "2025-11-25",
		`"2024-11-05"`: "2025-11-25", `"2099-01-01"`: "2025-11-25", `""`: "2025-11-25", `7`: "2025-11-25"} {
		for _, header := range []string{"2025-06-18", "1999-01-01"} {
			got := s.tell(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":`+asked+
				`,"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, "MCP-Protocol-Version", header)
			var answer object
			json.Unmarshal([]byte(got.body), &answer)
			result, _ := answer["result"].(object)
			instructions, _ := result["instructions"].(string)
			delete(result, "instructions")
			s.want(reply{got.status, got.header, encodeJSON(answer)}, 200, `{"jsonrpc":"2.0","id":0,"result":{
				"protocolVersion":"`+want+`","capabilities":{"tools":{}},
				"serverInfo":{"name":"flats","title":"Flats","version":"`+version+`"}}}`)
			for _, text := range []string{`("flats")`, "new (", "followed (", "contacted (", "visited", "ignored (", "duplicate",
				"user_deleted", "m²", "seconds", "A cost of 0 is no price", "different currencies are not comparable",
				"data written by strangers", "never an order"} {
				if !strings.Contains(instructions, text) {
					t.Errorf("the instructions lack %q:\n%s", text, instructions)
				}
			}
		}
	}
}

// Assistants need the same as everybody else: the password, this origin, and a body of at most
// 1 MiB.
func TestMCPAccess(t *testing.T) {
	s := newService(t, testFlats, testCodes).with(func(c *Config) {
		c.Username, c.Password, c.FeedToken, c.ImportToken = "me", "pass", "f", "i"
		c.CORSOrigins = []string{"https://app.example"}
	})
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for _, c := range []struct {
		method, body string
		header       []string
		status       int
	}{
		{"POST", ping, []string{"Authorization", basic("me", "pass")}, 200},
		{"POST", ping, nil, 401},
		{"POST", ping, []string{"Authorization", "Bearer i"}, 401},
		{"POST", ping, []string{"Authorization", basic("me", "pass"), "Origin", "https://evil.example"}, 403},
		{"POST", ping, []string{"Authorization", basic("me", "pass"), "Origin", "https://app.example"}, 200},
		{"GET", "", []string{"Authorization", basic("me", "pass"), "Accept", "text/event-stream"}, 405},
		{"DELETE", "", []string{"Authorization", basic("me", "pass")}, 405},
		{"POST", strings.Repeat(" ", 1<<20-len(ping)) + ping, []string{"Authorization", basic("me", "pass")}, 200},
		{"POST", strings.Repeat(" ", 1<<20-len(ping)+1) + ping, []string{"Authorization", basic("me", "pass")}, 413},
		{"POST", ping, []string{"Authorization", basic("me", "pass"), "Content-Encoding", "gzip"}, 415},
	} {
		got := s.ask(c.method, "/api/v1/mcp", c.body, c.header...)
		if got.status != c.status || c.status == 405 && got.header.Get("Allow") != "POST, OPTIONS" {
			t.Errorf("%s %.60s with %q: %d %v; want %d", c.method, c.body, c.header, got.status, got.header, c.status)
		}
	}
	got := s.ask("OPTIONS", "/api/v1/mcp", "", "Origin", "https://app.example", "Access-Control-Request-Method", "POST",
		"Access-Control-Request-Headers", "content-type,mcp-protocol-version")
	if allowed := got.header.Get("Access-Control-Allow-Headers"); !strings.Contains(allowed, "MCP-Protocol-Version") {
		t.Errorf("a preflight allows %q", allowed)
	}
}

// Each tool has a schema, and hints that say what it changes.
func TestMCPTools(t *testing.T) {
	config := `{"constraints":{"lyon":{"time_to":{"my \"work\"":{"gps":[1,2]},"gym":{"gps":[1,2]}}}}}`
	parsed, err := parseConfig("config.json", []byte(config), quiet)
	if err != nil {
		t.Fatal(err)
	}
	for updateArguments, people := range map[string][]string{ // the arguments of update_flat, by the people of the config
		"add_note id next_date next_step notation status visit_date":           nil,
		"add_note by id next_date next_step notation rating status visit_date": {"Ann", "Ben"},
	} {
		s := newService(t, testFlats, testCodes).with(func(c *Config) {
			c.Constraints, c.People = parsed.Constraints, people
		})
		var answer object
		got := s.tell(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}`)
		if err := json.Unmarshal([]byte(got.body), &answer); err != nil {
			t.Fatal(err)
		}
		tools, _ := member(answer, "result", "tools").([]any)
		// The arguments of each tool, those that it needs, and whether it only reads, destroys, and may be repeated.
		listed := map[string]string{}
		for _, tool := range tools {
			name, schema := member(tool, "name").(string), member(tool, "inputSchema")
			properties := member(schema, "properties").(object)
			listed[name] = fmt.Sprint(slices.Sorted(maps.Keys(properties)), member(schema, "required"),
				member(tool, "annotations", "readOnlyHint"), member(tool, "annotations", "destructiveHint"),
				member(tool, "annotations", "idempotentHint"))
			mayHaveMore := name != "update_flat" // clients may add arguments of their own, but not to a change
			if member(schema, "type") != "object" || member(schema, "additionalProperties") != mayHaveMore {
				t.Errorf("%s has the schema %v", name, schema)
			}
			for argument, property := range properties {
				if text, _ := member(property, "description").(string); len(text) < 20 || member(property, "type") == nil {
					t.Errorf("%s of %s is described by %v", argument, name, property)
				}
			}
		}
		want := map[string]string{
			"find_flats":  "[fields limit q sort where] <nil> true false true",
			"get_flat":    "[id] [id] true false true",
			"update_flat": "[" + updateArguments + "] [id] false true false",
		}
		if !maps.Equal(listed, want) {
			t.Errorf("the tools are %q; want %q", listed, want)
		}
		description := member(tools[0], "description").(string)
		namesPlaces := strings.Contains(description, `time_to.gym, time_to.my "work"`)
		namesPeople := strings.Contains(description, "rating.Ann, rating.Ben")
		if !namesPlaces || namesPeople != (people != nil) || strings.Contains(got.body, "{fields}") {
			t.Errorf("find_flats does not name the places, or the people: %v", tools[0])
		}
		statuses := member(tools[2], "inputSchema", "properties", "status", "enum")
		if encodeJSON(statuses) != encodeJSON(pageStatuses) {
			t.Errorf("update_flat sets the statuses %v; want %v", statuses, pageStatuses)
		}
	}
}

// A refused call has a result that says why, so that the assistant reads it: the schema, or the
// error of the API.
func TestMCPRefusals(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	before := listed(s.store)
	for _, c := range []struct{ tool, arguments, want string }{
		{"find_flats", `{"limit":0}`, "Invalid limit provided: want {"},
		{"find_flats", `{"limit":51}`, "Invalid limit provided: want {"},
		{"find_flats", `{"limit":2.5}`, "Invalid limit provided: want {"},
		{"find_flats", `{"q":["a"]}`, "Invalid q provided: want {"},
		{"find_flats", `{"sort":true}`, "Invalid sort provided: want {"},
		{"find_flats", `{"where":{}}`, "Invalid where provided: want {"},
		{"find_flats", `{"fields":["title",5]}`, "Invalid fields provided: want {"},
		{"find_flats", `{"where":"q=a","q":"b"}`, "Invalid q provided: where has q, too: give only one of them."},
		{"find_flats", `{"where":"sort=cost"}`, `"sort" is not a condition`},
		{"find_flats", `{"where":"page%5Bsize%5D=9"}`, `"page%5Bsize%5D" is not a condition`},
		{"find_flats", `{"where":"fields=title"}`, `"fields" is not a condition`},
		{"find_flats", `{"where":"` + strings.Repeat("q=a&", 1100) + `"}`, "want at most 4096 bytes, got 4400"},
		{"find_flats", `{"where":"min[title]=5"}`,
			"Invalid min[title] provided: only number and datetime fields have ranges."},
		{"find_flats", `{"where":"max[cost]=cheap"}`, `Invalid max[cost] provided: want a finite number, got "cheap".`},
		{"find_flats", `{"where":"any[balcony]=1"}`, "Invalid any[balcony] provided: there is no such field."},
		{"find_flats", `{"sort":"-nope"}`, "Invalid sorting key provided: -nope."},
		{"find_flats", `{"fields":["nope"]}`, `Invalid fields provided: "nope": there is no such field.`},
		{"get_flat", `{}`, "Invalid id provided: is missing."},
		{"get_flat", `{"id":true}`, "Invalid id provided: want {"},
		{"get_flat", `{"id":1.5}`, "Invalid id provided: want {"},
		{"get_flat", `{"id":"nope"}`, "No flat with id nope."},
		{"update_flat", `{"status":"new"}`, "Invalid id provided: is missing."},
		{"update_flat", `{"id":"nope","status":"new"}`, "No flat with id nope."},
		{"update_flat", `{"id":"a","status":"interesting"}`, "Invalid status provided: want {"},
		{"update_flat", `{"id":"a","notation":6}`, "Invalid notation provided: want {"},
		{"update_flat", `{"id":"a","visit_date":"tomorrow"}`,
			`Invalid payload provided: visit_date: want an ISO 8601 datetime such as 2026-12-01T18:00 or ` +
				`2026-12-01T18:00:00+01:00, got "tomorrow".`},
		{"update_flat", `{"id":"a","status":"visited","visit_date":"x"}`, "Invalid payload provided: visit_date: want an"},
		{"update_flat", `{"id":"a","notes":"x"}`, "Invalid notes provided: there is no such argument."},
		{"update_flat", `{"id":"a","cost":1}`, "Invalid cost provided: there is no such argument."},
		{"update_flat", `{"id":"a","add_note":""}`, "Invalid add_note provided: must not be empty."},
		{"update_flat", `{"id":"a","add_note":" \n"}`, "Invalid add_note provided: must not be empty."},
		{"update_flat", `{"id":"a","add_note":5}`, "Invalid add_note provided: want {"},
	} {
		if text, isError := s.call(c.tool, c.arguments); !isError || !strings.HasPrefix(text, c.want) {
			t.Errorf("%s %.100s: %s, %t; want %s", c.tool, c.arguments, text, isError, c.want)
		}
	}
	if !slices.Equal(listed(s.store), before) {
		t.Error("a refused call has changed a flat")
	}
	if text, _ := s.call("get_flat", `{"id":"`+strings.Repeat("ä", 100_000)+`"}`); !strings.HasSuffix(text, "…") {
		t.Errorf("the error is %d bytes long and ends in %q", len(text), text[len(text)-10:])
	}
	s.store.Close()
	if text, isError := s.call("update_flat", `{"id":"a","status":"new"}`); !isError ||
		!strings.Contains(s.logs.String(), "request failed") {
		t.Errorf("a failure of the service: %s, %t, log %s", text, isError, s.logs)
	}
}

// Clients add arguments of their own, write numbers and lists as text, and give null or "" for nothing.
func TestMCPArguments(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	// An answer is that to the arguments in same. It also has the names of the ignored ones.
	for _, c := range []struct{ tool, arguments, same, ignored string }{
		{"find_flats", `{"limit":2,"sessionId":"x","action":"y","chatInput":{"a":1},"toolCallId":null}`, `{"limit":2}`,
			`["action","chatInput","sessionId","toolCallId"]`},
		{"find_flats", `{"limit":"2","fields":"[\"title\",\"cost\"]"}`, `{"limit":2,"fields":["title","cost"]}`, ""},
		{"find_flats", `{"limit":" 2 ","fields":"title, cost"}`, `{"limit":2,"fields":["title","cost"]}`, ""},
		{"find_flats", `{"limit":"","fields":"","sort":"","q":"","where":""}`, `{}`, ""},
		{"find_flats", `{"limit":null,"fields":null,"sort":null,"q":null,"where":null}`, `{}`, ""},
		{"find_flats", `{"q":"","where":"q="}`, `{"where":"q="}`, ""},
		{"get_flat", `{"id":"a","fields":["title"],"page":1}`, `{"id":"a"}`, `["fields","page"]`},
		{"update_flat", `{"id":"a","notation":"4","status":"","visit_date":"","next_step":"","add_note":null}`,
			`{"id":"a","notation":4}`, ""},
	} {
		got, isError := s.call(c.tool, c.arguments)
		want, _ := s.call(c.tool, c.same)
		var object members
		json.Unmarshal([]byte(got), &object)
		if ignored := string(object["ignored"]); ignored != c.ignored {
			t.Errorf("%s %s ignores %s; want %s", c.tool, c.arguments, ignored, c.ignored)
		}
		delete(object, "ignored")
		if isError || !sameJSON(encodeJSON(object), want) {
			t.Errorf("%s %s: %s; want %s", c.tool, c.arguments, got, want)
		}
	}
	var many []string
	for i := range 1000 {
		many = append(many, fmt.Sprintf(`"%s%d":1`, strings.Repeat("ä", 500), i))
	}
	for tool, id := range map[string]string{"find_flats": "", "get_flat": `"id":"a",`} {
		if got, isError := s.call(tool, "{"+id+strings.Join(many, ",")+"}"); isError || len(got) > maxAnswer ||
			!json.Valid([]byte(got)) {
			t.Errorf("%s with a thousand more: %d bytes, %t", tool, len(got), isError)
		}
	}
	for _, arguments := range []string{`{"id":"a","sessionId":"x"}`, `{"id":"a","sessionId":null}`} {
		if got, _ := s.call("update_flat", arguments); got != "Invalid sessionId provided: there is no such argument." {
			t.Errorf("update_flat %s: %s", arguments, got)
		}
	}
}

// A client that speaks only a newer version learns the supported versions from the error of that version. A client
// that also speaks older versions asks server/discover first, and falls back.
func TestMCPVersions(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	ask := func(method, version string) reply {
		return s.tell(`{"jsonrpc":"2.0","id":1,"method":"`+method+`"}`, "MCP-Protocol-Version", version)
	}
	got := ask("tools/list", "2026-07-28")
	s.want(got, 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,
		"message":"Invalid MCP-Protocol-Version: want one of [2025-11-25 2025-06-18 2025-03-26].",
		"data":{"supported":["2025-11-25","2025-06-18","2025-03-26"],"requested":"2026-07-28"}}}`)
	if got := ask("server/discover", "2026-07-28"); got.status != 200 || !strings.Contains(got.body, `"code":-32601`) {
		t.Errorf("server/discover: %d %s", got.status, got.body)
	}
	if got := ask("ping", "2025-03-26"); got.status != 200 {
		t.Errorf("2025-03-26: %d %s", got.status, got.body)
	}
	for _, version := range []string{"2024-11-05", "x", "2099"} {
		if got := ask("ping", version); got.status != 400 || !strings.Contains(got.body, `"code":-32600`) {
			t.Errorf("%s: %d %s", version, got.status, got.body)
		}
	}
}

// Find_flats finds what GET /find finds.
func TestFindFlats(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for _, c := range []struct{ arguments, want string }{ // want has the ids of the page, and the number of all
		{`{}`, "d a 7 e b of 5"}, // by cost, null first
		{`{"limit":2}`, "d a of 5"},
		{`{"limit":2.0}`, "d a of 5"},
		{`{"q":"loft"}`, "e b of 2"},
		{`{"q":"loft -zzz OR a&b=c;#%"}`, "e b of 2"},
		{`{"where":"q=loft"}`, "e b of 2"},
		{`{"q":"loft","where":"min[cost]=1000"}`, "b of 1"},
		{`{"where":"max[cost]=700&known[cost]=yes","sort":"-cost,title"}`, "7 e a of 3"},
		{`{"where":"max%5Bcost%5D=600&unknown=cost"}`, "d a of 2"},
		{`{"where":"any[status]=new&any[status]=followed"}`, "a b of 2"},
		{`{"where":"not[status]=new&filter[area]=80"}`, "7 of 1"},
		{`{"where":"filter[title]=nothing"}`, "of 0"},
		{`{"sort":"-id"}`, "e d b a 7 of 5"},
	} {
		text, isError := s.call("find_flats", c.arguments)
		var answer struct {
			Total int
			Data  []struct {
				ID   any
				Link string
			}
		}
		if err := json.Unmarshal([]byte(text), &answer); err != nil || isError {
			t.Errorf("%s: %v, %s", c.arguments, err, text)
		}
		got := ""
		for _, row := range answer.Data {
			got += fmt.Sprint(row.ID, " ")
			if want := fmt.Sprint("https://flats.example/#/flat/", row.ID); row.Link != want {
				t.Errorf("%s: the link is %s; want %s", c.arguments, row.Link, want)
			}
		}
		if got += fmt.Sprint("of ", answer.Total); got != c.want {
			t.Errorf("%s: %s; want %s", c.arguments, got, c.want)
		}
	}
	for arguments, want := range map[string]string{
		`{"where":"filter[id]=a"}`: `{"id":"a","title":"Studio","cost":500,"currency":null,"area":20.5,"rooms":null,
			"place":"69007 Lyon 7e","status":"followed","travel_time":null,"first_seen":null,
			"link":"https://flats.example/#/flat/a"}`,
		`{"where":"filter[id]=b","fields":["cost","x","photos"]}`: ``, // an error: there is no field x
		`{"where":"filter[id]=b","fields":["cost","photos","cost_per_area","cost"]}`: `{"id":"b","cost":1200.00,
			"photos":[{"url":"https://example.org/1.jpg"}],"cost_per_area":15,"link":"https://flats.example/#/flat/b"}`,
		`{"where":"filter[id]=7","fields":[]}`: `{"id":7,"link":"https://flats.example/#/flat/7"}`,
	} {
		text, isError := s.call("find_flats", arguments)
		isWanted := isError && want == "" || !isError && sameJSON(text, `{"total":1,"data":[`+want+`]}`)
		if !isWanted {
			t.Errorf("%s: %s\nwant %s", arguments, text, want)
		}
	}
	s = newService(t, manyFlats(60, `"cost":1`), testCodes)
	for arguments, want := range map[string]int{`{}`: 20, `{"limit":1}`: 1, `{"limit":50}`: 50} {
		text, _ := s.call("find_flats", arguments)
		if got := strings.Count(text, `"link"`); got != want || !strings.HasPrefix(text, `{"total":60,`) {
			t.Errorf("%s: %d rows; want %d in %s", arguments, got, want, text)
		}
	}
}

// Get_flat has the members that version 1 of the API serves, and derived ones. A member of a listing never replaces a
// derived one of the same name, such as link or site.
func TestGetFlat(t *testing.T) {
	s := newService(t, `[{"id":"a b","title":"T","cost":500,"area":20,"x":[1, 2],"link":"http://evil/","site":"s",
		"gps":[1,2],"first_seen":"2026-01-02","gone":null,"corrected":{"cost":600},"status_since":"2026-01-03T00:00:00Z",
		"service_time_to":{"work":{"time":600}}},{"id":7}]`, testCodes)
	text, _ := s.call("get_flat", `{"id":"a b"}`)
	want := `{"id":"a b","title":"T","text":null,"area":20,"cost":500,"currency":null,"utilities":null,"rooms":null,
		"bedrooms":null,"date":null,"location":null,"station":null,"phone":null,"photos":null,"urls":null,"details":null,
		"merged_ids":null,"notes":null,"notation":null,"status":"new","visit_date":null,"service_constraint":null,
		"service_postal_code":{},"service_stations":null,"service_time_to":{"work":{"time":600}},"first_seen":"2026-01-02",
		"x":[1,2],"gps":[1,2],"cost_per_area":25,"travel_time":600,"site":null,"lat":1,"lng":2,"precision":"own",
		"place":null,"url":null,"priced":1,"price":500,"currency_code":null,"monthly":null,"monthly_per_area":null,
		"contacted_since":null,"changed":null,"status_since":"2026-01-03T00:00:00Z",
		"found_position":null,"status_by":null,"status_because":null,"ratings":null,"kept_photos":null,
		"link":"https://flats.example/#/flat/a%20b"}`
	if !sameJSON(text, want) {
		t.Errorf("got %s\nwant %s", text, want)
	}
	for _, id := range []string{`7`, `"7"`} {
		if text, isError := s.call("get_flat", `{"id":`+id+`}`); isError || !strings.Contains(text, `"id":7,`) {
			t.Errorf("%s: %s", id, text)
		}
	}
}

// A visit that an assistant sets without an offset gets the offset of the zone, as in the calendar. On a machine in
// UTC without a zone in the config, it stays as it is.
func TestVisitOffset(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	machine := time.Local
	defer func() { time.Local = machine }()
	for _, c := range []struct {
		zone, machine *time.Location
		visit, want   string
	}{
		{berlin, time.UTC, "2026-12-01T18:00", "2026-12-01T18:00+01:00"},
		{berlin, time.UTC, "2026-03-29T02:30", "2026-03-29T02:30+01:00"}, // clocks skip this time
		{berlin, time.UTC, "2026-10-25T02:30", "2026-10-25T02:30+02:00"}, // clocks show it twice
		{nil, berlin, "2026-07-01T18:00", "2026-07-01T18:00+02:00"},
		{nil, time.UTC, "2026-07-01T18:00", "2026-07-01T18:00"},
		{time.UTC, berlin, "2026-07-01T18:00", "2026-07-01T18:00+00:00"},
	} {
		time.Local = c.machine
		if got := unquote(string(withOffset(json.RawMessage(encodeJSON(c.visit)), c.zone))); got != c.want {
			t.Errorf("%s in %v on a machine in %v is %s; want %s", c.visit, c.zone, c.machine, got, c.want)
		}
	}
}

// Update_flat sets values as PATCH does. It adds to the notes, and replaces none.
func TestUpdateFlat(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	s = s.with(func(c *Config) { c.Timezone = berlin })
	s.store.now = func() time.Time { return time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC) }
	for _, c := range []struct{ arguments, field, want string }{ // one after the other, on the same flats
		{`{"id":"b","visit_date":"2026-07-01 18:00:30"}`, "visit_date", `"2026-07-01 18:00:30+02:00"`},
		{`{"id":"b","visit_date":"2026-12-01T18:00Z"}`, "visit_date", `"2026-12-01T18:00Z"`},
		{`{"id":"b","visit_date":"2026-12-01T18:00-05"}`, "visit_date", `"2026-12-01T18:00-05"`},
		{`{"id":"b","visit_date":"2026-12-01"}`, "visit_date", `"2026-12-01"`},
		{`{"id":"b","status":"followed"}`, "status", `"followed"`},
		{`{"id":"b"}`, "status_since", `"2026-05-06T07:08:09Z"`},
		{`{"id":"b","notation":4.5,"visit_date":"2026-12-01T18:00"}`, "notation", `4.5`},
		{`{"id":"b","notation":null}`, "visit_date", `"2026-12-01T18:00+01:00"`},
		{`{"id":"b","visit_date":null}`, "notation", `null`},
		{`{"id":"b","add_note":"quiet"}`, "notes", `"quiet"`},
		{`{"id":"b","add_note":"two\r\nlines\nand\rmore\u2028here","status":"contacted"}`, "notes",
			`"quiet\ntwo lines and more here"`},
		{`{"id":"b","status":"ignored"}`, "notes", `"quiet\ntwo lines and more here"`},
		{`{"id":7,"add_note":"\"<&"}`, "notes", `"\"<&"`},
		{`{"id":"7","status":"visited"}`, "status", `"visited"`},
	} {
		text, isError := s.call("update_flat", c.arguments)
		var flat members
		json.Unmarshal([]byte(text), &flat)
		read, _ := s.call("get_flat", `{"id":`+flat.text("id")+`}`)
		if isError || flat.text(c.field) != c.want || read != text {
			t.Errorf("%s: %s is %s; want %s in %s", c.arguments, c.field, flat.text(c.field), c.want, text)
		}
	}
	// With people, a rating and a decision have somebody, and the notation is the mean of the ratings.
	withPeople := s.with(func(c *Config) { c.People = []string{"Ann", "Ben"} })
	for _, c := range []struct {
		arguments string
		field     string // "" if the call is refused
		want      string // the value of the field, or the start of the error
	}{
		{`{"id":"b","rating":4,"by":"Ann"}`, "ratings", `{"Ann":4}`},
		{`{"id":"b","rating":2,"by":"Ben","status":"followed"}`, "status_by", `"Ben"`},
		{`{"id":"b","by":"Ann"}`, "notation", `3`},
		{`{"id":"b","rating":null,"by":"Ben"}`, "notation", `4`},
		{`{"id":"b","status":"visited"}`, "status_by", `null`},
		{`{"id":"b","rating":5}`, "", "Invalid payload provided: rating: "},
		{`{"id":"b","rating":5,"notation":5,"by":"Ann"}`, "", "Invalid payload provided: "},
		{`{"id":"b","rating":6,"by":"Ann"}`, "", "Invalid rating provided: want {"},
		{`{"id":"b","rating":5,"by":"Cid"}`, "", "Invalid by provided: want {"},
	} {
		text, isError := withPeople.call("update_flat", c.arguments)
		var flat members
		json.Unmarshal([]byte(text), &flat)
		isWanted := !isError && flat.text(c.field) == c.want
		if c.field == "" {
			isWanted = isError && strings.HasPrefix(text, c.want)
		}
		if !isWanted {
			t.Errorf("%s: %s; want %s", c.arguments, text, c.want)
		}
	}
	if text, isError := s.call("update_flat", `{"id":"b","by":"Ann"}`); !isError {
		t.Errorf("without people: %s", text)
	}
	// Lines that are added at the same time all stay.
	var lines sync.WaitGroup
	for i := range 20 {
		lines.Go(func() { s.call("update_flat", fmt.Sprintf(`{"id":"a","add_note":"line %d"}`, i)) })
	}
	lines.Wait()
	if notes := s.store.Get("a").Notes.String(); len(strings.Split(notes, "\n")) != 20 {
		t.Errorf("the notes are %q; want 20 lines", notes)
	}
	// A line that is added to a flat that has changed since it was read stays, too.
	before := s.store.Get("d")
	s.call("update_flat", `{"id":"d","add_note":"first"}`)
	a := &assistants{server: &server{config: s.config, store: s.store}}
	after, err := a.updateFlat(before, members{"add_note": []byte(`"second"`)})
	if err != nil || after.Notes.String() != "first\nsecond" {
		t.Errorf("%v, %q", err, s.store.Get("d").Notes.String())
	}
	// A large flat does not grow beyond its bound.
	s = newService(t, `[{"id":"a","text":"`+strings.Repeat("x", maxLine.bytes-1000)+`"}]`, "[]")
	text, isError := s.call("update_flat", `{"id":"a","add_note":"`+strings.Repeat("n", 1000)+`"}`)
	if !isError || !strings.Contains(text, errLarge.Error()) {
		t.Errorf("a flat that is too large: %.300s", text)
	}
}

// An answer has at most 100,000 bytes. All rows stay, and the longest parts are cut.
func TestMCPSize(t *testing.T) {
	t.Parallel()
	const long = 120_000 // more bytes or elements than fit
	numbersOfRows := []int{1}
	if *whole {
		numbersOfRows = append(numbersOfRows, 10)
	}
	photos := `["data:image/png;base64,AAAA","http://p/1",{"url":"data:,x"},{"url":"http://p/2","n":1}]`
	deep := strings.Repeat("[", 4000) + strings.Repeat("]", 4000)
	// Each flat has the members. want is a part of the answer, which has … for what was cut, and no data URLs.
	for _, c := range []struct{ members, arguments, want string }{
		{`"photos":` + photos, `{"fields":["photos"]}`, `"photos":["http://p/1",{},{"n":1,"url":"http://p/2"}]`},
		{`"text":"data:text/plain,x","phone":"data:;base64,x"`, `{"fields":["text","phone"]}`, `{"id":"f0@s","link":`},
		{`"text":"data: none, yet","title":"data:none"`, `{"fields":["text","title"]}`, `"title":"data:none"`},
		{`"text":"data: none, yet"`, `{"fields":["text"]}`, `"text":"data: none, yet"`},
		{`"text":"a data: text"`, `{"fields":["text"]}`, `"text":"a data: text"`},
		{`"title":"short","text":"` + strings.Repeat("é", long) + `"`, `{"fields":["title","text"]}`,
			`éé…","title":"short"`},
		{`"title":"` + strings.Repeat(`\"\u2028\n`, long/4) + `"`, `{"fields":["title"]}`, `…"`},
		{`"photos":` + listOf(long, `"http://p/%[1]d"`), `{"fields":["photos","title"]}`, `,"…"],"title":null`},
		{`"details":{` + strings.TrimSuffix(filled(long, `"name %[1]d":1,`), ",") + `}`, `{"fields":["details"]}`,
			`,"…":"…"}`},
		{`"details":{"` + strings.Repeat("n", long) + `":1}`, `{"fields":["details"]}`, `nn…":1}`},
		{`"details":{"n":` + strings.Repeat("1", long) + `}`, `{"fields":["details"]}`, `11…"}`},
		{`"details":` + deep, `{"fields":["details"]}`, `["…"]`},
		{`"title":"` + strings.Repeat("\U0001F600", long) + `"`, `{"fields":["title"]}`, "\U0001F600…\""},
	} {
		for _, n := range numbersOfRows {
			s := newService(t, manyFlats(n, c.members), "[]")
			args := strings.TrimSuffix(c.arguments, "}") + `,"limit":50,"sort":"id"}`
			text, isError := s.call("find_flats", args)
			var answer struct{ Data []struct{ ID, Link string } }
			json.Unmarshal([]byte(text), &answer)
			if isError || len(answer.Data) != n || !strings.Contains(text, c.want) {
				t.Errorf("%d rows with %.40s: %d rows in %d bytes: %.200s … %.200s; want %s", n, c.members, len(answer.Data),
					len(text), text, text[max(0, len(text)-200):], c.want)
			}
			for _, row := range answer.Data {
				if got := s.store.Get(row.ID); got == nil || row.Link != "https://flats.example/#/flat/"+row.ID {
					t.Errorf("there is a row %v", row)
				}
			}
			if whole, _ := s.call("get_flat", `{"id":"f0@s"}`); !strings.Contains(whole, `"id":"f0@s"`) {
				t.Errorf("%.40s: %.300s", c.members, whole)
			}
			// What is cut still takes half of the room, but details are cut to less.
			const half = 50_000 // bytes
			isCut, isOfDetails := strings.Contains(text, "…"), strings.HasPrefix(c.members, `"details"`)
			if isCut && !isOfDetails && len(text) < half {
				t.Errorf("%.40s: only %d bytes; want at least %d", c.members, len(text), half)
			}
		}
	}
}

// A value that fits into an answer is whole, even if it is the longest of all, and all rows are there, even if their
// ids take all of the answer.
func TestRowsThatFit(t *testing.T) {
	const fits = 95_000 // bytes, of which an answer with the rows of two other flats has room for
	text, _ := newService(t, `[{"id":"f0@s","text":"`+strings.Repeat("x", fits)+`"},{"id":1},{"id":2}]`, "[]").call(
		"find_flats", `{"fields":["text"]}`)
	if strings.Contains(text, "…") {
		t.Errorf("a text of %d bytes was cut to an answer of %d bytes", fits, len(text))
	}
	const flats = 50
	longest := strings.Repeat(`\u0001`, maxIdentifier-len("00")) // six bytes each in JSON
	list := ""
	for i := range flats {
		list += fmt.Sprintf(`,{"id":"%s%02d","notes":"n"}`, longest, i)
	}
	text, _ = newService(t, "["+list[1:]+"]", "[]").call("find_flats", `{"limit":50,"fields":["notes"]}`)
	if rows := strings.Count(text, "{") - 1; rows != flats { // the first { is that of the answer
		t.Errorf("%d rows; want %d: %.300s", rows, flats, text)
	}
}

// The calls in docs/api.md that answer people's questions find what stands there.
func TestDocumentedQuestions(t *testing.T) {
	s, _ := sampleService(t)
	row := regexp.MustCompile("(?m)^\\| [A-Z].* \\| `([a-z_]+)` \\| `({.*})` \\| ([0-9]*) ?\\|$")
	rows := row.FindAllStringSubmatch(readFile(t, "docs/api.md"), -1)
	for _, row := range rows {
		text, isError := s.call(row[1], row[2])
		var answer struct{ Total json.Number }
		if json.Unmarshal([]byte(text), &answer); isError || answer.Total.String() != row[3] {
			t.Errorf("%s: %.300s; want %s", row[2], text, row[3])
		}
	}
	const questions = 10 // in the table of docs/api.md
	if len(rows) != questions {
		t.Errorf("there are %d questions; want %d", len(rows), questions)
	}
	if f := s.store.Get("lyon-1042@example"); f.Status.String() != "contacted" || f.Notation.JSON() != "4" ||
		!strings.HasSuffix(f.Notes.String(), "\nCalled, they ring back on Monday.") {
		t.Errorf("the flat is %s; want it as the last question changes it", f.JSON())
	}
}

// FuzzMCP checks that any message gets an answer of the protocol, and that any JSON fits into an
// answer: whole if it is short, else cut, but never with data.
func FuzzMCP(f *testing.F) {
	for _, text := range []string{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `[{"id":1}]`, `{"id":null}`, "\xff",
		`{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":7}}`,
		`{"data:":["data:,",[[1e999]],"é"]}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_flats","arguments":{"where":` +
			`"q=a&min[cost]=1","fields":["title","text"],"limit":3,"sort":"-cost,title"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"update_flat","arguments":{"id":7,"status":"new",` +
			`"add_note":"\n\ud800","notation":null,"visit_date":"2026-12-01"}}}`} {
		f.Add(text)
	}
	s := *newService(f, testFlats, testCodes)
	f.Fuzz(func(t *testing.T, text string) {
		s.TB = t
		got := s.tell(text)
		var answer struct {
			JSONRPC string
			Result  json.RawMessage
			Error   *struct{ Code int }
		}
		err := json.Unmarshal([]byte(got.body), &answer)
		isAnswer := err == nil && answer.JSONRPC == "2.0" && (answer.Result == nil) == (answer.Error != nil)
		switch {
		case got.status == 202 && got.body == "":
		case got.status == 200 && isAnswer && (answer.Error == nil || answer.Error.Code > -32603): // no internal error
		case got.status == 400 && isAnswer && (answer.Error.Code == -32600 || answer.Error.Code == -32700):
		default:
			t.Errorf("%q: %d %s", text, got.status, got.body)
		}
		object, err := parseObject([]byte(text))
		if err != nil {
			return
		}
		whole := encodeJSON(object)
		for _, size := range []int{60, 1000, 1 << 20} {
			row := func() any { return shorten(nil, decodeJSON(whole), 10*size) }
			short := "[" + shortRows(nil, size, slices.Values([]any{row(), row()})) + "]"
			if !json.Valid([]byte(short)) || len(short) > size+len("[]") {
				t.Errorf("%q in %d bytes: %q", text, size, short)
			}
			// An object that is small, nested little and without data URLs and escapes is not cut.
			isFlat := strings.Count(whole, "[")+strings.Count(whole, "{") < 15
			mustBeWhole := isFlat && 4*len(whole) < size && !strings.Contains(whole, `"data:`) &&
				!strings.Contains(whole, `\u00`)
			if mustBeWhole && !sameJSON(short, "["+whole+","+whole+"]") {
				t.Errorf("%q in %d bytes: %q", text, size, short)
			}
		}
	})
}
