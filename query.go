// Struct tags as fields; queries: filter, sort and page, and the parameters of /find.

package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"flats/internal/turns"
)

// Fields describes a record type. It has a [field] for each struct field with a tag such as
// `field:"cost"` or `field:"gone,omitempty"` (see fieldsOf), in the order of the struct. Derived fields
// follow.
type Fields[R any] struct {
	list   []field[R]
	labels []string // the names as JSON
	isFind bool     // queries may have the parameters of /find, and name more fields than lists have
	byName map[string]int
}

// A presence says which answers have a field, and whether it is stored.
type presence string

// A tag has inListsIfKnown, onlyFind or onlyStored as an option. Without one, the field is inLists. Fields that forFind
// adds are derived, and have no tag.
const (
	inLists        presence = ""          // stored; every list has it, even if it is null
	inListsIfKnown presence = "omitempty" // stored; lists have it unless it is null
	onlyFind       presence = "find"      // stored; /find has it, if fields= names it
	onlyStored     presence = "stored"    // no answer has it
	derived        presence = "derived"   // not stored; /find has it, if fields= names it
)

type field[R any] struct {
	name    string
	where   presence
	options []string       // all options of its tag
	value   func(*R) value // points into the record, unless the field is derived
	null    value          // the field of an empty record, by which queries read texts; it must not be changed
}

// A derivedField is computed from a record.
type derivedField[R any] struct {
	name  string
	value func(*R) value
}

// optionAmong returns the first option in the field's tag (see Flat) that is one of the given ones, or "".
func (f field[R]) optionAmong(options ...string) string {
	for _, option := range f.options {
		if slices.Contains(options, option) {
			return option
		}
	}
	return ""
}

// isNumber reports whether the values of the field are numbers.
func (f field[R]) isNumber() bool {
	_, ok := f.null.(*Number)
	return ok
}

func (f field[R]) isListed() bool { return f.where == inLists || f.where == inListsIfKnown }

// key returns the sort key of the record's field. It takes steps for reading the text of the value.
func (f field[R]) key(work *turns.Task, r *R) key {
	v := f.value(r)
	if !v.Known() {
		return key{}
	}
	work.Step(10 + len(v.JSON())/4) // steps take a few nanoseconds each
	return v.key()
}

// fieldsOf returns the fields of R that have a tag: a name and options, separated by commas. It panics at an
// unknown option. One of these says where the field is:
//
//	omitempty, find, stored    see where; without any of them, every list has it
//
// These say what happens to a field of a flat:
//
//	user           the user or the service sets it; an import does not change it on a known flat
//	import         the importer sets it; an update cannot, and a listing, such as a backup's, only on a new flat
//	correctable    if the user changes it, corrected keeps the value of the listing
//	lenient        a wrong value in a listing is dropped with a warning, and the import continues
//	fromtext       an import reads it in the text of a listing that has none of the fields with this option
//	searched       a full-text search reads its words
//
// These tell the quantity of a number, for imports that parse texts (readAmount) and for the page's formatting
// (pageValues):
//
//	cost             the cost
//	monthly, once    money that is paid in addition to the cost, in its currency, each month or once
//	area, rooms      square metres; rooms of a kind
func fieldsOf[R any]() *Fields[R] {
	t := &Fields[R]{byName: map[string]int{}}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[R]()) {
		name, list, _ := strings.Cut(f.Tag.Get("field"), ",")
		if name == "" {
			continue
		}
		added := field[R]{name: name, options: strings.FieldsFunc(list, func(r rune) bool { return r == ',' })}
		for _, option := range added.options {
			mustBeOption(option)
		}
		added.where = presence(added.optionAmong(string(inListsIfKnown), string(onlyFind), string(onlyStored)))
		added.value = func(r *R) value {
			return reflect.ValueOf(r).Elem().Field(f.Index[0]).Addr().Interface().(value)
		}
		t.add(added)
	}
	return t
}

func mustBeOption(option string) {
	const all = "omitempty find stored user import correctable lenient fromtext searched cost monthly once area rooms"
	if !slices.Contains(strings.Fields(all), option) {
		panic("fields have no option " + strconv.Quote(option))
	}
}

// with returns the names of the fields whose tags have an option.
func (t *Fields[R]) with(option string) (names []string) {
	mustBeOption(option)
	for _, f := range t.list {
		if f.optionAmong(option) != "" {
			names = append(names, f.name)
		}
	}
	return names
}

// forFind returns the fields of /find: the fields of t, with the same numbers, and derived ones.
func (t *Fields[R]) forFind(more ...derivedField[R]) *Fields[R] {
	all := &Fields[R]{isFind: true, byName: map[string]int{}}
	for _, f := range t.list {
		all.add(f)
	}
	for _, f := range more {
		all.add(field[R]{name: f.name, where: derived, value: f.value})
	}
	return all
}

func (t *Fields[R]) add(f field[R]) {
	f.null = f.value(new(R))
	t.byName[f.name] = len(t.list)
	t.list = append(t.list, f)
	t.labels = append(t.labels, encodeJSON(f.name))
}

// queryField returns the number of the field that a query names, and reports whether queries may
// name it.
func (t *Fields[R]) queryField(name string) (i int, ok bool) {
	i, ok = t.byName[name]
	if !ok {
		return 0, false
	}
	f := t.list[i]
	return i, f.isListed() || t.isFind && f.where != onlyStored
}

// listedFields returns the numbers of the fields that lists have.
func (t *Fields[R]) listedFields() (fields []int) {
	for i, f := range t.list {
		if f.isListed() {
			fields = append(fields, i)
		}
	}
	return fields
}

// encode returns the record as lists have it, as a JSON object with tail in place of the closing brace.
// The record's values then share the memory of the result.
func (t *Fields[R]) encode(r *R, tail string) string {
	var b strings.Builder
	texts := make([]string, len(t.list)) // "" for the fields that the list leaves out
	size := len(tail)
	for i, f := range t.list {
		text := f.value(r).JSON()
		isKnownInLists := f.where == inListsIfKnown && text != "null"
		if f.where == inLists || isKnownInLists {
			texts[i] = text
			size += len(",:") + len(t.labels[i]) + len(text)
		}
	}
	b.Grow(size) // exactly, because the record keeps the text, and its values share the memory
	separator := byte('{')
	for i, text := range texts {
		if text == "" {
			continue
		}
		b.WriteByte(separator)
		separator = ','
		b.WriteString(t.labels[i])
		b.WriteByte(':')
		b.WriteString(text)
		t.list[i].value(r).share(b.String()[b.Len()-len(text):])
	}
	b.WriteString(tail)
	return b.String()
}

// object returns the given fields of a record as a JSON object.
func (t *Fields[R]) object(r *R, fields []int) string {
	members := make([]string, len(fields))
	for i, f := range fields {
		members[i] = t.labels[f] + ":" + t.list[f].value(r).JSON()
	}
	return "{" + strings.Join(members, ",") + "}"
}

// A Query is the parsed query string of a list route. It selects records, their order, a
// page, and the fields to serve.
type Query struct {
	conditions []condition // a record must meet all of them
	keys       []sortKey
	size       int64  // the number of records on a page, or 0 for all
	number     int64  // the number of the page, from 0
	others     string // all parameters but page[number], for links; "" if they are too long

	// The rest is set only for /find.
	search      string // a full-text search, or ""
	isForgiving bool   // a search that finds nothing may have misspelled words
	fields      []int  // the fields to serve, or nil for all
	counts      []int  // the fields whose values are counted
	format      string // "csv", "json" or ""
}

// A condition is met by records whose value of a field is in one of the ranges or, if it
// is negated, in none of them.
type condition struct {
	parameter string // filter, any, not, known, or range for min and max
	field     int
	ranges    []keyRange
	negated   bool
}

// A keyRange contains all keys from first to last.
type keyRange struct{ first, last key }

type sortKey struct {
	field       int
	descending  bool
	nullsLast   bool // moves null from the beginning to the end
	byFrequency bool // the most frequent values come first

	// mostFrequent has the texts of these values, in their order, once withFrequent has counted them. Each stands between
	// two NULs. It is a string so that sort keys can be compared with ==.
	mostFrequent string
}

// rank returns the key by which a value is sorted: its place in mostFrequent, or else its own key.
func (k sortKey) rank(work *turns.Task, own key) key {
	if k.mostFrequent == "" || own.kind != kindText {
		return own
	}
	work.Step(10 + len(k.mostFrequent)/16) // steps take a few nanoseconds each
	if i := strings.Index(k.mostFrequent, "\x00"+own.text+"\x00"); i >= 0 {
		return key{kind: kindNumber, number: float64(i)} // offsets grow with the places, and numbers come before texts
	}
	return own
}

// compare compares two values of the field in the direction of the sort key.
func (k sortKey) compare(a, b key) int {
	c := a.compare(b)
	isOneNull := (a.kind == kindNull) != (b.kind == kindNull)
	movesNull := k.nullsLast && isOneNull // nullsLast is never set together with descending
	if k.descending || movesNull {
		return -c
	}
	return c
}

// maxLink is the size up to which links repeat a query string. Clients refuse long headers.
const maxLink = 4 << 10

// parseQuery parses the parameters of a list from a raw query string:
//
//	query     = parameter *( "&" parameter )
//	parameter = "filter[" name "]=" text / "page[size]=" integer /
//	            "page[number]=" integer / "sort=" key *( "," key )
//	key       = [ "-" ] name
//
// and for /find also these:
//
//	parameter =/ "q=" text / "forgive=yes" / ( "min[" / "max[" ) name "]=" text /
//	             ( "any[" / "not[" ) name "]" [ "[" *DIGIT "]" ] "=" text /
//	             "known[" name "]=" ( "yes" / "no" ) / "unknown=" name / "nulls=last" /
//	             "currencies=frequent" / "fields=" name *( "," name ) / "counts=" name /
//	             "format=" ( "csv" / "json" )
//
// Other parameters are ignored, but for /find a condition without a field, such as max=900, is an
// error. Without sort, defaultSort has the sort keys. Of several errors parseQuery returns one about
// the page, or else one about the sort keys, or else the first. All have status 400, except an
// unknown field in a filter outside /find: version 1 of the API answers that with 500.
func parseQuery[R any](fields *Fields[R], raw, defaultSort string) (*Query, error) {
	q := &Query{}
	values := url.Values{}
	var wrong error        // the first error of a parameter
	var unknownField error // the first error of an unknown field in a filter outside /find
	for pair := range strings.SplitSeq(raw, "&") {
		name, escaped, _ := strings.Cut(pair, "=")
		name, nameErr := url.QueryUnescape(name)
		if nameErr != nil || pair == "" {
			continue // not a parameter of this API
		}
		if fields.isFind {
			name = withoutItem(name)
		}
		text, textErr := url.QueryUnescape(escaped)
		if textErr != nil {
			text = escaped
		}
		values.Add(name, text)
		isFilter := filterName().MatchString(name)
		isFindCondition := fields.isFind && conditionName().MatchString(name)
		if !isFilter && !isFindCondition {
			if fields.isFind {
				wrong = cmp.Or(wrong, checkWithoutField(name, textErr))
			}
			continue
		}
		parameter, field, _ := strings.Cut(strings.TrimSuffix(name, "]"), "[")
		i, exists := fields.queryField(field)
		if !exists && !fields.isFind {
			if unknownField == nil {
				unknownField = errorf(http.StatusInternalServerError, "Invalid filter key provided: %s.", field)
			}
			continue
		}
		err := errNoField
		if exists {
			err = addEscaped(q, fields, parameter, i, escaped)
		}
		if err != nil {
			wrong = cmp.Or(wrong, invalidParameter(name, err))
		}
	}
	if err := parsePage(q, fields, values, defaultSort); err != nil {
		return nil, err
	}
	if q.size > 0 && len(raw) <= maxLink {
		values.Del("page[number]")
		q.others = values.Encode()
	}
	if fields.isFind && wrong == nil {
		wrong = parseFind(q, fields, values)
	}
	return q, cmp.Or(wrong, unknownField)
}

// withoutItem returns the name of a parameter without the number of an item. Some clients write any[status][]=new or
// any[status][0]=new for any[status]=new.
func withoutItem(name string) string {
	list, item, _ := strings.Cut(name, "][")
	isList := strings.HasPrefix(list, "any[") || strings.HasPrefix(list, "not[")
	if isList && strings.Trim(item, "0123456789") == "]" {
		return list + "]"
	}
	return name
}

// addEscaped adds a condition on field i to q. escaped is the text of the parameter as the query string has it.
func addEscaped[R any](q *Query, fields *Fields[R], parameter string, i int, escaped string) error {
	text, err := url.QueryUnescape(escaped)
	if err != nil {
		return err
	}
	null := fields.list[i].null
	if _, isDatetime := null.(*Datetime); isDatetime {
		text = unescapeDatetime(escaped)
	}
	return q.addCondition(parameter, i, null, text)
}

// checkWithoutField checks a parameter of /find that is no condition on a field. It returns an error if the name should
// have a field, or if q has an invalid escape. textErr is the error of unescaping the text. It only matters for q,
// because the other parameters accept no text with an invalid escape.
func checkWithoutField(name string, textErr error) error {
	if name == "q" && textErr != nil {
		return invalidParameter(name, textErr)
	}
	if fieldless().MatchString(name) {
		return invalidParameter(name, errFieldless)
	}
	return nil
}

// unescapeDatetime decodes a datetime in a query string. A plus directly after the date
// is a space, as in forms. Any other plus is the sign of an offset, as people type it.
func unescapeDatetime(escaped string) string {
	date, _, _ := strings.Cut(escaped, "+")
	date, _ = url.PathUnescape(date)
	if len(date) == len("2006-01-02") {
		escaped = strings.Replace(escaped, "+", " ", 1)
	}
	text, _ := url.PathUnescape(escaped) // leaves a plus as it is
	return text
}

// filterName matches the filters of a list, and conditionName the conditions of /find. The
// range A-z is from version 1 of the API: it includes six characters that are not letters.
var (
	filterName    = newPattern(`^filter\[[A-z0-9_]+\]$`)
	conditionName = newPattern(`^(filter|any|not|min|max|known)\[([A-z0-9_]+|[^,\[\]]+)\]$`)
	// Some clients write max=[object Object] for max[cost]=900.
	fieldless    = newPattern(`^(any|not|min|max|known)(\[.*)?$`)
	errFieldless = errors.New("want a field in brackets, such as [cost]")
)

var errNoField = errors.New("there is no such field")

// addCondition adds the condition that a parameter puts on a field; null is the null of the field. It merges conditions
// of the same kind on one field: any and not add values to those already given, min and max narrow one range, and all
// filters must hold.
func (q *Query) addCondition(parameter string, field int, null value, text string) error {
	c := condition{parameter: parameter, field: field, negated: parameter == "not"}
	switch parameter {
	case "known":
		if text != "yes" && text != "no" {
			return unexpected("yes or no", strconv.Quote(text))
		}
		c.negated = text == "yes"
		// A field with one of these values is unknown: null, "", [] and {}.
		for _, k := range []key{{}, textKey(""), {kind: kindOther, text: "[]"}, {kind: kindOther, text: "{}"}} {
			c.ranges = append(c.ranges, keyRange{k, k})
		}
	case "min", "max":
		c.parameter = "range"
		span, err := openRange(parameter, null, text)
		if err != nil {
			return err
		}
		c.ranges = []keyRange{span}
	default:
		for _, k := range null.matchingKeys(text) {
			c.ranges = append(c.ranges, keyRange{k, k})
		}
	}
	i := slices.IndexFunc(q.conditions, func(other condition) bool {
		return other.parameter == c.parameter && other.field == field && other.negated == c.negated
	})
	if i < 0 {
		q.conditions = append(q.conditions, c)
		return nil
	}
	merged := &q.conditions[i]
	switch c.parameter {
	case "range":
		common, added := &merged.ranges[0], c.ranges[0]
		common.first = slices.MaxFunc([]key{common.first, added.first}, key.compare)
		common.last = slices.MinFunc([]key{common.last, added.last}, key.compare)
	case "any", "not":
		merged.ranges = append(merged.ranges, c.ranges...)
	default: // filter or known, which must all hold
		merged.ranges = slices.DeleteFunc(merged.ranges, func(r keyRange) bool {
			return !slices.Contains(c.ranges, r)
		})
	}
	return nil
}

// openRange returns the range of the keys that min or max allows; null is the null of the field.
func openRange(parameter string, null value, text string) (r keyRange, err error) {
	var want string
	switch null.(type) {
	case *Number:
		want = "a finite number"
	case *Datetime:
		want = "an ISO 8601 datetime"
	default:
		return r, errors.New("only number and datetime fields have ranges")
	}
	keys := null.matchingKeys(text)
	if len(keys) == 0 {
		return r, unexpected(want, strconv.Quote(text))
	}
	limit := keys[0]
	if parameter == "min" {
		return keyRange{limit, key{kind: limit.kind, number: math.Inf(1)}}, nil
	}
	return keyRange{key{kind: limit.kind, number: math.Inf(-1)}, limit}, nil
}

// parseFind parses the parameters that only /find has.
func parseFind[R any](q *Query, fields *Fields[R], values url.Values) error {
	fieldsIn := func(parameter string, names []string) (list []int, err error) {
		for _, name := range names {
			i, ok := fields.queryField(name)
			if !ok {
				return nil, invalidParameter(parameter, fmt.Errorf("%q: %w", name, errNoField))
			}
			if !slices.Contains(list, i) {
				list = append(list, i)
			}
		}
		return list, nil
	}
	unknown, err := fieldsIn("unknown", values["unknown"])
	if err == nil {
		q.counts, err = fieldsIn("counts", values["counts"])
	}
	if err == nil && values.Has("fields") {
		names := "id," + strings.Join(values["fields"], ",")
		q.fields, err = fieldsIn("fields", strings.Split(names, ","))
	}
	if err != nil {
		return err
	}
	for i, c := range q.conditions {
		if c.parameter == "range" && slices.Contains(unknown, c.field) {
			q.conditions[i].ranges = append(c.ranges, keyRange{}) // contains only null
		}
	}
	var nullsLast, isByFrequency bool
	for _, option := range []struct {
		parameter, want string
		isSet           *bool
	}{{"nulls", "last", &nullsLast}, {"currencies", "frequent", &isByFrequency}, {"forgive", "yes", &q.isForgiving}} {
		for _, text := range values[option.parameter] {
			if text != option.want {
				return invalidParameter(option.parameter, unexpected(option.want, strconv.Quote(text)))
			}
			*option.isSet = true
		}
	}
	for i := range q.keys {
		k := &q.keys[i]
		k.nullsLast = nullsLast && !k.descending // a descending order has them last anyway
		k.byFrequency = isByFrequency && fields.list[k.field].name == "currency_code"
	}
	for _, text := range values["format"] {
		if text != "csv" && text != "json" {
			return invalidParameter("format", unexpected("csv or json", strconv.Quote(text)))
		}
		q.format = text
	}
	q.search = strings.TrimSpace(strings.Join(values["q"], " "))
	return nil
}

// parsePage parses the page and the sort keys.
func parsePage[R any](q *Query, fields *Fields[R], values url.Values, defaultSort string) error {
	sort := defaultSort
	if values.Has("sort") {
		sort = strings.Join(values["sort"], ",")
	}
	var sizeErr, numberErr, sortErr error
	q.size, sizeErr = pageParameter(values["page[size]"], 1)
	q.number, numberErr = pageParameter(values["page[number]"], 0)
	q.keys, sortErr = parseSort(fields, sort)
	return cmp.Or(sizeErr, numberErr, sortErr)
}

// pageParameter parses the values of page[size] or page[number]. It returns 0 if there
// are none, and an error if they differ.
func pageParameter(texts []string, least int64) (int64, error) {
	if len(texts) == 0 {
		return 0, nil
	}
	n, err := strconv.ParseInt(texts[0], 10, 64)
	differ := slices.ContainsFunc(texts, func(text string) bool { return text != texts[0] })
	if err != nil || n < least || differ {
		return 0, errorf(statusInvalid, "Invalid pagination provided.")
	}
	return n, nil
}

// parseSort parses sort keys separated by commas.
func parseSort[R any](fields *Fields[R], keys string) (order []sortKey, err error) {
	for k := range strings.SplitSeq(keys, ",") {
		name, descending := strings.CutPrefix(k, "-")
		i, ok := fields.queryField(name)
		if !ok {
			return nil, errorf(statusInvalid, "Invalid sorting key provided: %s.", k)
		}
		// Drop keys that cannot change the order: repeats, and any key after id, which no two records share.
		settles := func(earlier sortKey) bool { return earlier.field == i || fields.list[earlier.field].name == "id" }
		if !slices.ContainsFunc(order, settles) {
			order = append(order, sortKey{field: i, descending: descending})
		}
	}
	return order, nil
}

// bounds returns the half-open range of the page in a list of total records. The
// arithmetic cannot overflow.
func (q *Query) bounds(total int) (from, to int) {
	if q.size == 0 {
		return 0, total
	}
	if q.number > int64(total)/q.size {
		return total, total
	}
	from = int(q.number * q.size)
	return from, from + int(min(q.size, int64(total-from)))
}

// links returns the Link header of a page (RFC 8288), with references relative to the
// list's URL. It returns "" if there are no pages or the links would be too long.
func (q *Query) links(total int) string {
	if q.others == "" {
		return ""
	}
	link := func(rel string, number int64) string {
		return "<?" + q.others + "&page%5Bnumber%5D=" + strconv.FormatInt(number, 10) + `>; rel="` + rel + `"`
	}
	last := max(0, int64(total)-1) / q.size
	links := append(make([]string, 0, 4), link("first", 0))
	if q.number > 0 {
		links = append(links, link("prev", min(q.number-1, last)))
	}
	if q.number < last {
		links = append(links, link("next", q.number+1))
	}
	return strings.Join(append(links, link("last", last)), ", ")
}
