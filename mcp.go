// The assistants: the Model Context Protocol and its tools.

package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"flats/internal/turns"
)

//go:embed docs/mcp.json
var toolsFile []byte

// protocolVersions are the supported versions of the Model Context Protocol (MCP), newest first.
var protocolVersions = []string{"2025-11-25", "2025-06-18", "2025-03-26"}

// A tool is what an assistant may call. Its JSON is defined by MCP.
type tool struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Annotations map[string]bool `json:"annotations"`
	InputSchema struct {
		Type       string                     `json:"type"`
		Properties map[string]json.RawMessage `json:"properties"` // the schemas of its arguments
		Required   []string                   `json:"required,omitempty"`
		Others     bool                       `json:"additionalProperties"`
	} `json:"inputSchema"`
}

// A schema is the part of JSON Schema that docs/mcp.json uses.
type schema struct {
	Type             json.RawMessage // one name or several
	Enum             []string
	Minimum, Maximum float64 // of a number; if Maximum is 0, there are no limits
	Items            *schema
}

// assistants serves the tools that assistants call by MCP.
type assistants struct {
	*server
	tools        []tool
	instructions string
}

func newAssistants(s *server) *assistants {
	instructions, tools := readTools(s.config)
	return &assistants{s, tools, instructions}
}

// readTools returns the instructions and tools of docs/mcp.json, with the names in the config and the
// statuses.
func readTools(config *Config) (instructions string, tools []tool) {
	const maxNames = 4000 // bytes of the names of fields that assistants are told; a config may name thousands of places
	names := encodeJSON(cut(strings.Join(config.fieldNames(), ", "), maxNames))
	placeholders := strings.NewReplacer(
		"{fields}", names[1:len(names)-1], // without quotes, because it becomes part of a string
		`["{people}"]`, encodeJSON(config.People),
		`["{statuses}"]`, encodeJSON(pageStatuses),
	)
	var file struct {
		Instructions string
		Tools        []tool
	}
	text := placeholders.Replace(string(toolsFile))
	json.Unmarshal([]byte(text), &file) // no error: tests read the embedded file
	if len(config.People) == 0 {
		for _, t := range file.Tools {
			delete(t.InputSchema.Properties, "rating")
			delete(t.InputSchema.Properties, "by")
		}
	}
	return file.Instructions, file.Tools
}

// An rpcMessage is a message of JSON-RPC 2.0. Its id and params are JSON.
type rpcMessage struct {
	id         string // "" for none
	method     string
	params     string // "" for none
	isResponse bool
}

// An rpcError says why a message is refused. Its JSON is defined by JSON-RPC 2.0.
type rpcError struct {
	status  int    // of the HTTP answer
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// Error codes: those of JSON-RPC 2.0, and one of MCP.
const (
	rpcParseError     = -32700
	rpcInvalidRequest = -32600
	rpcMethodNotFound = -32601
	rpcInvalidParams  = -32602

	rpcUnsupportedVersion = -32022 // in versions of MCP since 2026-07-28
)

func refuseRPC(status, code int, format string, args ...any) *rpcError {
	return &rpcError{status: status, Code: code, Message: fmt.Sprintf(format, args...)}
}

// post answers a message of MCP. A notification or a response gets 202 without a body.
func (s *assistants) post(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(w, r, maxBody)
	if err != nil {
		return err
	}
	message, refused := parseMCP(body, r.Header.Get("MCP-Protocol-Version"))
	if refused == nil && (message.id == "" || message.isResponse) {
		w.WriteHeader(http.StatusAccepted)
		return nil
	}
	var result any
	if refused == nil {
		result, refused = s.answerMCP(r, message)
	}
	id := ""
	if message.id != "" {
		id = `"id":` + message.id + ","
	}
	if refused != nil {
		return write(w, r, refused.status, typeJSON, "", `{"jsonrpc":"2.0",`, id, `"error":`, encodeJSON(refused), "}")
	}
	return write(w, r, http.StatusOK, typeJSON, "", `{"jsonrpc":"2.0",`, id, `"result":`, encodeJSON(result), "}")
}

// parseMCP parses a message. protocol is the version that the client says it speaks, or "". A
// refused message keeps its id if that could be read.
func parseMCP(body []byte, protocol string) (m rpcMessage, refused *rpcError) {
	object, err := parseObject(body)
	// parseObject refuses these bodies, too, but JSON-RPC has a separate code for them.
	if !json.Valid(body) || !utf8.Valid(body) {
		return m, refuseRPC(statusInvalid, rpcParseError, "Invalid message: %v.", err)
	}
	id := string(object["id"])
	if id != "" && id[0] != '"' && !isInteger(id) {
		err = errors.New("id: want a string or an integer")
	}
	if err != nil {
		return m, refuseRPC(statusInvalid, rpcInvalidRequest, "Invalid message: %v.", err)
	}
	hasResult := object["result"] != nil || object["error"] != nil
	m = rpcMessage{
		id:         id,
		method:     unquote(object.text("method")),
		params:     string(object["params"]),
		isResponse: object["method"] == nil && hasResult,
	}
	isText := func(name string) bool { return object.text(name)[0] == '"' }
	isRequest := isText("method") && isText("jsonrpc") && unquote(object.text("jsonrpc")) == "2.0"
	// A client that also knows newer versions learns from the error of server/discover, an unknown method,
	// that it must initialize.
	isDiscovery := m.method == "server/discover" && id != ""
	isAnyVersion := protocol == "" || m.method == "initialize" || isDiscovery
	switch {
	case !isAnyVersion && !slices.Contains(protocolVersions, protocol):
		refused = refuseRPC(statusInvalid, rpcInvalidRequest, "Invalid MCP-Protocol-Version: want one of %s.",
			protocolVersions)
		if isNewVersion(protocol) {
			refused.Code = rpcUnsupportedVersion
			refused.Data = map[string]any{"supported": protocolVersions, "requested": protocol}
		}
	case !m.isResponse && !isRequest: // a notification is a request without an id
		refused = refuseRPC(statusInvalid, rpcInvalidRequest, "Invalid message: want a request of JSON-RPC 2.0.")
	}
	return m, refused
}

// isNewVersion reports whether a version of MCP, a date, is newer than the supported ones.
func isNewVersion(protocol string) bool {
	_, err := time.Parse(time.DateOnly, protocol)
	return err == nil && protocol > protocolVersions[0]
}

// answerMCP returns the result of a request.
func (s *assistants) answerMCP(r *http.Request, m rpcMessage) (result any, refused *rpcError) {
	// The error of an unknown method comes first, even if its params are invalid.
	if !slices.Contains([]string{"initialize", "ping", "tools/list", "tools/call"}, m.method) {
		return nil, refuseRPC(http.StatusOK, rpcMethodNotFound, "Unknown method: %s.", excerpt(encodeJSON(m.method)))
	}
	params, err := parseObject([]byte(cmp.Or(m.params, "{}")))
	if err != nil {
		return nil, refuseRPC(http.StatusOK, rpcInvalidParams, "Invalid params: %v.", err)
	}
	arguments, err := parseObject([]byte(cmp.Or(string(params["arguments"]), "{}")))
	if err != nil {
		return nil, refuseRPC(http.StatusOK, rpcInvalidParams, "Invalid params: %v.", err)
	}
	switch m.method {
	case "initialize":
		protocol := protocolVersions[0] // the newest, unless the client wants another supported one
		requested := unquote(params.text("protocolVersion"))
		if slices.Contains(protocolVersions, requested) {
			protocol = requested
		}
		return map[string]any{
			"protocolVersion": protocol,
			"capabilities":    map[string]any{"tools": members{}},
			"serverInfo":      map[string]string{"name": "flats", "title": "Flats", "version": version},
			"instructions":    s.instructions,
		}, nil
	case "ping":
		return members{}, nil
	case "tools/list":
		return map[string]any{"tools": s.tools}, nil
	}
	// The method is tools/call.
	name := unquote(params.text("name"))
	i := slices.IndexFunc(s.tools, func(t tool) bool { return t.Name == name })
	if i < 0 {
		return nil, refuseRPC(http.StatusOK, rpcInvalidParams, "Unknown tool: %s.", excerpt(name))
	}
	text, err := s.callTool(r, &s.tools[i], arguments)
	if err != nil {
		text = cut(s.statusErrorOf(r, err).text, maxAnswer-len("…"))
	}
	content := []map[string]string{{"type": "text", "text": text}}
	return map[string]any{"content": content, "isError": err != nil}, nil
}

// read returns the arguments that a call gives, in the form that the schema wants: clients write numbers and
// lists as text, and give null or "" for nothing. If the schema allows unknown arguments, ignored has their names.
func (t *tool) read(given members) (arguments members, ignored []string) {
	arguments = members{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		value := given[name]
		property, ok := t.InputSchema.Properties[name]
		if !ok && t.InputSchema.Others {
			ignored = append(ignored, excerpt(name))
			continue
		}
		var want schema
		json.Unmarshal(property, &want) // no error: tests read the embedded file
		isNothing := string(value) == "null" && !want.allows("null")
		isEmpty := string(value) == `""` && name != "add_note" // an empty note is refused
		switch {
		case !ok: // check refuses it
		case isNothing || isEmpty:
			continue
		case value[0] == '"' && !want.allows("string"):
			value = want.readText(unquote(string(value)), value)
		}
		arguments[name] = value
	}
	if len(ignored) > maxIgnored {
		ignored = append(ignored[:maxIgnored], "…")
	}
	return arguments, ignored
}

// maxIgnored is the number of unknown arguments that an answer names.
const maxIgnored = 20

// readText returns the number or the list in a text as JSON, or else fallback. A list is in JSON, or has commas
// if the schema wants a list.
func (want *schema) readText(text string, fallback json.RawMessage) json.RawMessage {
	text = strings.TrimSpace(text)
	_, isNumber := parseNumber(text)
	isList := json.Valid([]byte(text)) && strings.HasPrefix(text, "[")
	switch {
	case isNumber || isList: // check, which comes later, refuses one that is not wanted
		return json.RawMessage(text)
	case want.allows("array"):
		items := strings.Split(text, ",")
		for i := range items {
			items[i] = strings.TrimSpace(items[i])
		}
		return json.RawMessage(encodeJSON(items))
	}
	return fallback
}

// allows reports whether the schema allows a type. The type of the schema is a name, or a list of names.
func (want *schema) allows(name string) bool {
	return bytes.Contains(want.Type, []byte(encodeJSON(name)))
}

// check returns an error if arguments do not fit the schema of the tool.
func (t *tool) check(arguments members) error {
	for _, name := range t.InputSchema.Required {
		if arguments[name] == nil {
			return invalidParameter(name, errors.New("is missing"))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		property, ok := t.InputSchema.Properties[name]
		if !ok {
			return invalidParameter(excerpt(name), errors.New("there is no such argument"))
		}
		var want schema
		json.Unmarshal(property, &want) // no error: tests read the embedded file
		if text := string(arguments[name]); !want.fits(text) {
			return invalidParameter(name, unexpected(string(property), text))
		}
	}
	return nil
}

// fits reports whether a JSON value fits the schema.
func (want *schema) fits(text string) bool {
	isWrong := func(item json.RawMessage) bool { return !want.Items.fits(string(item)) }
	number, isNumber := parseNumber(text)
	switch {
	case text[0] == '"':
		return want.allows("string") && (want.Enum == nil || slices.Contains(want.Enum, unquote(text)))
	case text[0] == '[':
		var items []json.RawMessage
		json.Unmarshal([]byte(text), &items) // no error: it is valid
		return want.allows("array") && !slices.ContainsFunc(items, isWrong)
	case isNumber:
		isWhole := number == math.Trunc(number)
		isInRange := want.Maximum == 0 || (number >= want.Minimum && number <= want.Maximum)
		return isInRange && (want.allows("number") || (want.allows("integer") && isWhole))
	}
	return text == "null" && want.allows("null") // no schema allows an object or a boolean
}

// maxAnswer is the largest number of bytes of a tool's answer.
const maxAnswer = 100_000

// callTool runs a tool and returns its answer as JSON.
func (s *assistants) callTool(r *http.Request, t *tool, given members) (string, error) {
	arguments, ignored := t.read(given)
	if err := t.check(arguments); err != nil {
		return "", err
	}
	work := turns.NewTask(r.Context(), s.store.turns)
	defer work.Pause()
	if t.Name == "find_flats" {
		return s.findFlats(work, arguments, ignored)
	}
	// The others, get_flat and update_flat, answer with one flat.
	id := unquote(arguments.text("id"))
	f := s.store.Get(id)
	if f == nil {
		return "", noFlat(id)
	}
	if t.Name == "update_flat" {
		var err error
		f, err = s.updateFlat(f, arguments)
		if err != nil {
			return "", err
		}
	}
	object, _ := decodeJSON(f.JSON()).(map[string]any)
	work.Step(20 * len(f.JSON())) // for the decoding; steps take a few nanoseconds each
	var more []int                // the numbers of the fields that lists do not have
	fields := s.store.table.fields
	for i, field := range fields.list {
		isMore := field.where == onlyFind || field.where == derived
		if isMore && field.name != "corrected" { // corrected has what listings say, not what the flat has
			more = append(more, i)
		}
	}
	if ignored != nil {
		object["ignored"] = ignored
	}
	return shortRows(work, maxAnswer, slices.Values([]any{s.shownFlat(work, f, object, more)})), nil
}

// shownFlat adds to object, which may have members of a flat, the fields whose numbers are in more, and a link to the
// flat on the page. It returns a copy without inline photos and other data.
func (s *assistants) shownFlat(work *turns.Task, f *Flat, object map[string]any, more []int) any {
	fields := s.store.table.fields
	for _, n := range more {
		text := fields.list[n].value(f).JSON()
		object[fields.list[n].name] = decodeJSON(text)
		work.Step(20 * len(text)) // for the decoding
	}
	object["link"] = s.config.WebsiteURL + f.fragment()
	// Here, shorten is to leave out data, and to cut nothing that shortRows would keep. It cuts each level of a value to
	// 7/8 of the level around it. With this limit, texts of maxAnswer bytes stay whole down to level 17.
	const large = 10 * maxAnswer
	return shorten(work, object, large)
}

// findFlats returns as JSON the number of flats that a query finds, some fields of the first of them, and the
// names of ignored arguments.
func (s *assistants) findFlats(work *turns.Task, arguments members, ignored []string) (string, error) {
	a := struct {
		Q, Where, Sort string
		Limit          float64
		Fields         []string
	}{
		Sort:   "cost",
		Limit:  20,
		Fields: []string{"title", "cost", "currency", "area", "rooms", "place", "status", "travel_time", "first_seen"},
	}
	json.Unmarshal([]byte(encodeJSON(arguments)), &a) // no error: they fit the schema
	if _, err := s.views.parse(a.Where); err != nil {
		return "", err
	}
	if arguments["q"] != nil && len(parameterValues(a.Where, "q")) > 0 {
		return "", invalidParameter("q", errors.New("where has q, too: give only one of them"))
	}
	// The other arguments become parameters, so that parseQuery checks them.
	more := url.Values{"q": {a.Q}, "sort": {a.Sort}, "page[size]": {fmt.Sprint(a.Limit)}, "fields": append(a.Fields, "id")}
	fields := s.store.table.fields
	q, err := parseQuery(fields, a.Where+"&"+more.Encode(), "")
	if err != nil {
		return "", err
	}
	page, err := s.store.Find(work, q)
	if err != nil {
		return "", err
	}
	rows := func(yield func(any) bool) {
		for _, f := range page.records {
			if !yield(s.shownFlat(work, f, map[string]any{}, q.fields)) {
				return
			}
		}
	}
	end := "}"
	if ignored != nil {
		end = `,"ignored":` + encodeJSON(ignored) + "}"
	}
	data := shortRows(work, maxAnswer-100-len(end), rows) // the rest takes less than 100 bytes
	return fmt.Sprintf(`{"total":%d,"data":[%s]%s`, page.total, data, end), nil
}

// updateFlat sets what the arguments name, as PATCH does, and adds a line to the notes.
func (s *assistants) updateFlat(f *Flat, arguments members) (*Flat, error) {
	values := maps.Clone(arguments) // the members of the flat to set
	for _, name := range []string{"id", "add_note", "by"} {
		delete(values, name)
	}
	if visit := values["visit_date"]; visit != nil {
		values["visit_date"] = withOffset(visit, s.config.Timezone)
	}
	var names []string
	if name := arguments["by"]; name != nil {
		names = []string{unquote(string(name))}
	}
	by, err := s.author(names)
	if err != nil {
		return nil, err
	}
	var isCurrent func(version uint64) bool
	if note := arguments["add_note"]; note != nil {
		notes := strings.Join(strings.Fields(unquote(string(note))), " ")
		if notes == "" {
			return nil, invalidParameter("add_note", errors.New("must not be empty"))
		}
		if before := f.Notes.String(); before != "" {
			notes = before + "\n" + notes
		}
		values.put("notes", notes)
		isCurrent = func(version uint64) bool { return version == f.version }
	}
	after, err := s.store.Update(f.ID.String(), []byte(encodeJSON(values)), isCurrent, by)
	var refused *statusError
	if errors.As(err, &refused) && refused.status == statusChanged {
		return s.updateFlat(s.store.Get(f.ID.String()), arguments) // add the line to the notes as they are now
	}
	return after, err
}

// withOffset adds the offset of a zone to a JSON text with a time of day and no offset: an assistant
// means the clock of its user, but some calendars take such a time for UTC. It returns other texts as
// they are. A nil zone is the zone of the machine. If that is UTC, withOffset returns all texts as they
// are, because the machine is a server or a container whose users are elsewhere.
func withOffset(datetime json.RawMessage, zone *time.Location) json.RawMessage {
	text := unquote(string(datetime))
	wall, hasOffset, err := parseDatetime(text) // as if it were UTC
	if err != nil || hasOffset || len(text) == len(time.DateOnly) {
		return datetime
	}
	offset := wall.Sub(whenClocksShow(wall, cmp.Or(zone, time.Local)))
	if offset == 0 && zone == nil {
		return datetime
	}
	fixed := time.FixedZone("", int(offset.Seconds()))
	return json.RawMessage(encodeJSON(text + wall.In(fixed).Format("-07:00")))
}

// shortRows returns decoded JSON objects as JSON, joined with commas, in at most size bytes. If they
// are too long, it cuts texts, names and lists, the longest first, and marks each cut with "…". It
// cuts when a row arrives, and keeps only the JSON of rows, because decoded rows take much more
// memory. It drops no object, so size must have room for `{"…":"…"},` for each of them.
func shortRows(work *turns.Task, size int, rows iter.Seq[any]) string {
	var texts []string
	var longest []int // the longestPart of each row
	put := func(i int, row any) {
		texts[i], longest[i] = encodeJSON(row), longestPart(work, row)
		work.Step(10 * len(texts[i])) // for the encoding; steps take a few nanoseconds each
	}
	isTooLong := func() bool {
		total := len(texts) - 1 // commas
		for _, text := range texts {
			total += len(text)
		}
		return total > size
	}
	limit := size // of each part: it only shrinks
	for row := range rows {
		texts, longest = append(texts, ""), append(longest, 0)
		if limit < size { // the rows before it have been cut
			row = shorten(work, row, limit)
		}
		put(len(texts)-1, row)
		for isTooLong() {
			limit = min(limit, slices.Max(longest)) * 2 / 3 // below the longest part, so that every round cuts something
			for i, text := range texts {
				if longest[i] > limit {
					work.Step(10 * len(text)) // for the decoding
					put(i, shorten(work, decodeJSON(text), limit))
				}
			}
		}
	}
	return strings.Join(texts, ",")
}

// longestPart returns a limit with which shorten cuts nothing. shorten cuts inner values to 7/8 of the limit, so they
// count for 8/7 of their length.
func longestPart(work *turns.Task, v any) (longest int) {
	work.Step(100) // of a few nanoseconds each
	switch v := v.(type) {
	case string:
		return len(v)
	case json.Number:
		return len(v)
	case []any:
		longest = len(v)
		for _, inner := range v {
			longest = max(longest, longestPart(work, inner)*8/7+1)
		}
	case map[string]any:
		longest = len(v)
		for name, inner := range v {
			longest = max(longest, len(name), longestPart(work, inner)*8/7+1)
		}
	}
	return longest
}

// shorten returns a JSON value with texts cut to limit bytes, and lists and objects to limit values.
// Nested values are cut to less, and nested data URLs are left out.
func shorten(work *turns.Task, v any, limit int) any {
	work.Step(100) // of a few nanoseconds each
	switch v := v.(type) {
	case string:
		work.Step(len(v))
		return cut(v, limit)
	case json.Number:
		if len(v) > limit {
			return cut(v.String(), limit)
		}
	case []any:
		v = slices.DeleteFunc(v, isData)
		if len(v) > limit {
			v = append(v[:limit], "…")
		}
		for i := range v {
			v[i] = shorten(work, v[i], limit*7/8)
		}
		return v
	case map[string]any:
		short := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			inner := limit * 7 / 8 // nested values are cut sooner than what contains them
			if name == "id" {
				inner = max(inner, maxIdentifier) // an assistant needs the whole id to name the flat
			}
			switch {
			case isData(v[name]): // left out
			case len(short) < limit:
				short[cut(name, limit)] = shorten(work, v[name], inner)
			default:
				short["…"] = "…"
			}
		}
		return short
	}
	return v
}

// dataURL matches the beginning of a data URL (RFC 2397): a type, parameters, and a comma.
var dataURL = newPattern(`^data:([\w.+-]+/[\w.+-]+)?(;[\w.+-]+(=[^;, ]*)?)*,`)

// isData reports whether a JSON value is a data URL.
func isData(v any) bool {
	text, _ := v.(string)
	return dataURL().MatchString(text[:min(len(text), 200)]) // bounds the match: a type and its parameters are shorter
}
