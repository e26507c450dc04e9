// Messages about views: what has changed, and how a receiver is told.

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"text/template"
	"time"

	"flats/internal/listing"
	"flats/internal/turns"
)

// Notify is a receiver of messages. No log, answer or error may show its URL beyond the
// host, or its headers.
type Notify struct {
	URL     string            `json:"url"` // "" for none: then devices alone are told
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`   // a template; "" for a plain text
	Remind  string            `json:"remind"` // the time of the daily message, such as 08:00; "" for none

	url      *url.URL           // URL, parsed
	template *template.Template // Body, parsed; nil for a plain text
}

// A message tells what has changed in a view. Templates use its exported members.
type message struct {
	View  string // its name
	Title string
	Text  string
	Link  string
	Flats []flatEvent // the first maxChanges

	textWithoutLinks string
	about            string // what a later message must be about to replace this one
}

// A flatEvent is a flat of a view that is new, cheaper or gone, or one that is visited today or has
// a step that is due.
type flatEvent struct {
	Event string       // new, cheaper, gone, visit or due
	Link  string       // to the flat on the page
	Was   *json.Number // the former cost; nil unless the flat is cheaper
	label string       // what its line in a plain text begins with; "" for the event
	flat  *Flat
}

// Flat returns the members of the flat by name.
func (c flatEvent) Flat() any { return decodeJSON(c.flat.JSON()) }

// MarshalJSON includes the members of the flat.
func (c flatEvent) MarshalJSON() ([]byte, error) {
	return []byte(encodeJSON(struct {
		Event, Link string
		Was         *json.Number
		Flat        json.RawMessage
	}{c.Event, c.Link, c.Was, json.RawMessage(c.flat.JSON())})), nil
}

const (
	maxMessage = 1 << 20 // bytes of a message made by a template
	maxText    = 3780    // bytes of the entries in a plain message; with its title it stays below the usual limit of 4096
	maxFacts   = 2000    // bytes of the entries in a message to a device
	maxLines   = 10      // changes in a plain message
	maxChanges = 100     // changes in a message
)

// setTemplate parses the template of the body, and tries it on the example.
func (n *Notify) setTemplate(text string) (err error) {
	funcs := template.FuncMap{"json": func(v any) string { return encodeJSON(v) }}
	n.template, err = template.New("body").Funcs(funcs).Parse(text)
	if err != nil {
		return err
	}
	_, err = n.execute(exampleMessage("http://127.0.0.1:8080/"))
	return err
}

// body returns the body of a message. It halves the list of changes until the template neither
// fails nor writes too much.
func (n *Notify) body(m message) (string, error) {
	if n.template == nil {
		return m.Text, nil
	}
	text, err := n.execute(m)
	for err != nil && len(m.Flats) > 0 {
		m.Flats = m.Flats[:len(m.Flats)/2]
		text, err = n.execute(m)
	}
	return text, err
}

func (n *Notify) execute(m message) (string, error) {
	out := &limitedBuffer{}
	err := n.template.Execute(out, m)
	return out.String(), err
}

// A limitedBuffer holds up to maxMessage bytes. A write that exceeds them fails.
type limitedBuffer struct{ strings.Builder }

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxMessage {
		return 0, fmt.Errorf("the template writes more than %d bytes", maxMessage)
	}
	return b.Builder.Write(p)
}

// newMessage returns a message about a view. Links begin with website.
func newMessage(website string, view View, changes []flatEvent) message {
	m := message{View: view.Name, Flats: changes[:min(len(changes), maxChanges)], Link: website,
		about: "view " + view.Name}
	if view.Page != nil {
		m.Link = website + *view.Page
	}
	if len(changes) == 1 {
		m.Link = changes[0].Link
	}
	counts := map[string]int{}
	for _, c := range changes {
		counts[c.Event]++
	}
	var events []string
	for _, event := range []string{"new", "cheaper", "gone"} {
		if counts[event] > 0 {
			events = append(events, fmt.Sprintf("%d %s", counts[event], event))
		}
	}
	m.Title = view.Name + ": " + strings.Join(events, ", ")
	m.Text = entries(changes, maxText, func(c flatEvent) string { return c.line() + "\n" + c.Link + "\n" })
	m.textWithoutLinks = entries(changes, maxFacts, func(c flatEvent) string { return c.line() + "\n" })
	return m
}

// entries returns the entries of the first changes, at most maxLines and about maxBytes, and says how many more there
// are. format makes the entry of a change.
func entries(changes []flatEvent, maxBytes int, format func(flatEvent) string) string {
	var text strings.Builder
	for i, c := range changes {
		entry := format(c)
		if i == maxLines || text.Len()+len(entry) > maxBytes {
			fmt.Fprintf(&text, "and %d more\n", len(changes)-i)
			break
		}
		text.WriteString(entry)
	}
	return text.String()
}

// line returns a line about the change, such as "Cheaper: Loft, €1,100 (was €1,240), 46 m², 2 rooms, Lyon". It
// leaves out a cost, an area and rooms of 0, which listings have in place of what they do not say.
func (c flatEvent) line() string {
	f := c.flat
	capitalized := strings.ToUpper(c.Event[:1]) + c.Event[1:] // "New" for new
	label := cmp.Or(c.label, capitalized)
	title := cmp.Or(short(f.Title.String()), "untitled")
	facts := []string{label + ": " + title}
	if f.Cost.number > 0 {
		currency := short(f.Currency.String())
		cost := money(f.Cost.number, currency)
		if c.Was != nil {
			was, _ := c.Was.Float64() // no error: it is a number
			cost += fmt.Sprintf(" (was %s)", money(was, currency))
		}
		facts = append(facts, cost)
	}
	if f.Area.number > 0 {
		facts = append(facts, thousands(f.Area.number, 1)+" m²")
	}
	if f.Rooms.number > 0 {
		word := " rooms"
		if f.Rooms.number == 1 {
			word = " room"
		}
		facts = append(facts, f.Rooms.String()+word)
	}
	if location := short(f.Location.String()); location != "" {
		facts = append(facts, location)
	}
	return strings.Join(facts, ", ")
}

// money returns an amount as the page writes it in English: "€1,240", "€800.50", "CHF 1,240".
func money(amount float64, currency string) string {
	text := thousands(amount, 2)
	if _, decimals, _ := strings.Cut(text, "."); len(decimals) == 1 {
		text += "0" // thousands leaves out zeros at the end
	}
	code := listing.CurrencyCode(currency)
	if sign := listing.CurrencySign(code); sign != "" {
		return sign + text
	}
	if threeCapitals().MatchString(code) {
		return code + " " + text
	}
	return strings.TrimSpace(text + " " + code)
}

var threeCapitals = newPattern(`^[A-Z]{3}$`)

// thousands returns a number with commas between thousands, and with at most a number of decimals.
func thousands(number float64, decimals int) string {
	text := rounded(number, decimals)
	if decimals > 0 {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	whole, _, _ := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	pointAndDecimals := text[strings.Index(text, whole)+len(whole):]
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if number < 0 {
		whole = "-" + whole
	}
	return whole + pointAndDecimals
}

const maxShort = 100 // characters of a text of a flat in a message

// short returns a text as one line, cut to at most maxShort characters.
func short(text string) string {
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) > maxShort {
		return string(line[:maxShort-1]) + "…"
	}
	return string(line)
}

// exampleMessage returns the message that tests the receiver.
func exampleMessage(website string) message {
	const text = `[{"id": "example", "title": "Example", "cost": 840, "currency": "EUR", "area": 46, "rooms": 2}]`
	flats, _ := readFlats("the example", []byte(text), nil, nil) // no error: it is valid
	example := flatEvent{Event: "new", Link: website + flats[0].fragment(), flat: flats[0]}
	m := newMessage(website, View{Name: "Test"}, []flatEvent{example})
	m.about = "test"
	return m
}

// A recipient takes messages: the receiver in the config, or a device. It stores which imports they cover.
type recipient interface {
	// toldUntil returns the time of the last import that messages about a view cover.
	toldUntil(view View) time.Time
	// saveTold stores such times, except of views that have changed since.
	saveTold(told map[subscription]time.Time) error
	// deliver sends a message and returns the status of the answer. The error is a badMessage if the recipient, or a
	// template, refused this message, but may take others.
	deliver(ctx context.Context, m message) (status int, err error)
}

// A notifier sends messages about views to a recipient. It is safe for concurrent use, except that only one goroutine
// may call run.
type notifier struct {
	views   *Views
	changed chan struct{} // receives when flats have changed, and when a refused message is due
	to      recipient     // nil for none
	website string
	log     *slog.Logger
	// Only run uses unsaved and refused.
	unsaved map[subscription]time.Time // the last import that messages cover, where the recipient has not stored it yet
	refused map[subscription]refusal   // why the last message about a view was refused

	mu   sync.Mutex // guards the rest
	last time.Time  // when the recipient last took a message
	err  error      // what has gone wrong since
}

// A subscription is what the messages about a view depend on. When one of its members changes,
// what was told or refused before no longer counts.
type subscription struct{ name, query, from string }

func (view View) subscription() subscription { return subscription{view.Name, view.Query, view.From} }

// A refusal says why the last message was refused, and when to send it again.
type refusal struct {
	err     error
	wait    time.Duration
	retryAt time.Time
}

// newNotifier returns a notifier. A value in changed wakes it when flats have changed.
func newNotifier(views *Views, changed chan struct{}, to recipient, website string, log *slog.Logger) *notifier {
	return &notifier{
		views:   views,
		changed: changed,
		to:      to,
		website: website,
		log:     log,
		unsaved: map[subscription]time.Time{},
		refused: map[subscription]refusal{},
	}
}

// A receiverAt is the receiver in the config.
type receiverAt struct {
	*Notify
	views  *Views
	client *http.Client
}

// newReceiverNotifier returns a notifier of the receiver in the config, if there is one.
func newReceiverNotifier(views *Views, to *Notify, website string) *notifier {
	n := newNotifier(views, views.store.changes(), nil, website, views.log)
	if to != nil && to.url != nil {
		n.to = &receiverAt{to, views, &http.Client{Timeout: messagePatience, CheckRedirect: noRedirect}}
	}
	return n
}

// messagePatience is how long a recipient may take to answer.
const messagePatience = 10 * time.Second

// inherit takes over the time of the last message from a notifier that has stopped, if both have the same receiver.
func (n *notifier) inherit(before *notifier) {
	to, hasReceiver := n.to.(*receiverAt)
	earlier, hadReceiver := before.to.(*receiverAt)
	if hasReceiver && hadReceiver && to.URL == earlier.URL {
		n.last, _ = before.state()
	}
}

// run sends messages, at start and after changes of flats, until ctx is done. After a failure it
// waits before it sends any. If the recipient refused a message, only the messages about its view wait.
func (n *notifier) run(ctx context.Context) {
	if n.to == nil {
		return
	}
	wait := time.Duration(0)
	for ctx.Err() == nil {
		err := n.tell(ctx)
		saveErr := n.saveTold()
		n.setError(cmp.Or(err, saveErr))
		if ctx.Err() != nil {
			return
		}
		var bad badMessage
		hasFailed := err != nil && !errors.As(err, &bad) // bad messages have timers of their own
		var retry <-chan time.Time
		changed := n.changed
		switch {
		case hasFailed:
			wait = backoff(wait)
			again := askedWait(err, wait)
			n.log.Warn("messages could not be sent", "err", err, "again_in", again)
			retry = time.After(again)
			changed = nil // a nil channel never receives: imports do not end the wait, and join the message
		case saveErr != nil:
			wait = backoff(wait)
			n.log.Warn("messages were sent, but a restart would repeat them", "err", saveErr)
			retry = time.After(wait)
		default:
			wait = 0
		}
		select {
		case <-ctx.Done():
		case <-retry:
		case <-changed:
		}
	}
}

// setError keeps what is wrong, or nil.
func (n *notifier) setError(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.err = err
}

// setTaken notes that the recipient has just taken a message.
func (n *notifier) setTaken() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.last, n.err = time.Now(), nil
}

// state returns when the recipient last took a message, or the zero time, and what is wrong
// since then.
func (n *notifier) state() (last time.Time, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.last, n.err
}

// tell sends a message about each view whose flats have changed since its last one. It
// returns the first error of the recipient, or a badMessage if the messages about some views
// were refused. Those views wait, and delay no others.
func (n *notifier) tell(ctx context.Context) (refused error) {
	until := n.views.clock.lastFinished() // no import that has ended has a later time
	list := *n.views.list.Load()
	maps.DeleteFunc(n.refused, func(s subscription, _ refusal) bool {
		return !slices.ContainsFunc(list, func(view View) bool { return view.subscription() == s })
	})
	for _, view := range list {
		subscription := view.subscription()
		since := n.to.toldUntil(view)
		if unsaved, ok := n.unsaved[subscription]; ok {
			since = unsaved
		}
		isUpToDate := !since.Before(until)
		if !view.Notify || isUpToDate {
			continue
		}
		earlier := n.refused[subscription]
		if time.Now().Before(earlier.retryAt) {
			refused = cmp.Or(refused, earlier.err)
			continue
		}
		delete(n.refused, subscription)
		q, err := n.views.parse(view.Query)
		if err != nil {
			continue // the query is no longer valid, which was logged at start
		}
		changes, err := n.changes(ctx, q, since, until)
		if err == nil && len(changes) > 0 {
			_, err = n.send(ctx, newMessage(n.website, view, changes))
		}
		var bad badMessage
		if errors.As(err, &bad) {
			wait := backoff(earlier.wait)
			again := askedWait(err, wait)
			n.refused[subscription] = refusal{err, wait, time.Now().Add(again)}
			time.AfterFunc(again, func() { wake(n.changed) })
			n.log.Warn("a message was refused", "view", view.Name, "err", err, "again_in", again)
			refused = cmp.Or(refused, err)
			continue
		}
		if err != nil {
			return err
		}
		n.unsaved[subscription] = until
		if len(changes) > 0 {
			n.setTaken()
			n.saveTold() // run calls it again, and reports the error
		}
	}
	return refused
}

// A badMessage is the error of a message that its template or the recipient refused. It says
// nothing about other messages.
type badMessage struct{ error }

func (e badMessage) Unwrap() error { return e.error }

// A laterError is the error of an answer that says how long to wait.
type laterError struct {
	error
	after time.Duration // at most maxWait; 0 if it does not say
}

// askedWait returns how long to wait after an error: as long as the answer asks, or else fallback.
func askedWait(err error, fallback time.Duration) time.Duration {
	var later laterError
	errors.As(err, &later)
	return cmp.Or(later.after, fallback)
}

// saveTold stores the times in unsaved, and then forgets them.
func (n *notifier) saveTold() error {
	if len(n.unsaved) == 0 {
		return nil
	}
	err := n.to.saveTold(n.unsaved)
	if err == nil {
		clear(n.unsaved)
	}
	return err
}

func (to *receiverAt) toldUntil(view View) time.Time {
	until, _, _ := parseDatetime(view.Told) // no error: readView has checked it
	return until
}

func (to *receiverAt) saveTold(told map[subscription]time.Time) error {
	return to.views.change(func(list []View) ([]View, error) {
		for i := range list {
			if at, ok := told[list[i].subscription()]; ok {
				list[i].Told = unquote(at.Format(jsonTime))
			}
		}
		return list, nil
	})
}

// changes returns how the flats that a query finds have changed after since and up to until.
func (n *notifier) changes(ctx context.Context, q *Query, since, until time.Time) (changes []flatEvent, err error) {
	store := n.views.store
	work := turns.NewTask(ctx, store.turns)
	defer work.Finish(&err)
	isBetween := func(at *Datetime) bool { return at.at.After(since) && !at.at.After(until) }
	add := func(event string, f *Flat, was *json.Number) {
		changes = append(changes, flatEvent{Event: event, Link: n.website + f.fragment(), Was: was, flat: f})
	}
	added, _ := store.Find(work, n.views.onlyAfter(q, "first_seen", since)) // no error: parse has checked the search
	for _, f := range added.records {
		if isBetween(&f.FirstSeen) && !f.isRuledOut() {
			add("new", f, nil)
		}
	}
	changed, _ := store.Find(work, n.views.onlyAfter(q, "changed", since)) // no error, as above
	for _, f := range changed.records {
		if isBetween(&f.FirstSeen) || f.isRuledOut() {
			continue
		}
		before, last, arePrices := f.CostHistory.lastPrices()
		work.Step(10 * len(f.CostHistory.JSON())) // for parsing; steps take a few nanoseconds each
		if arePrices && isBetween(&last.date) && last.cost.number < before.cost.number {
			was := json.Number(before.cost.JSON())
			add("cheaper", f, &was)
		}
		if isBetween(&f.Gone) {
			add("gone", f, nil)
		}
	}
	return changes, nil
}

// send sends a message to the recipient and returns the status of the answer. Any answer but
// 2xx is an error.
func (n *notifier) send(outer context.Context, m message) (status int, err error) {
	defer recoverError(&err)
	// If the service stops now, the message gets some more time, so that it need not be repeated.
	ctx, cancel := context.WithCancel(context.WithoutCancel(outer))
	defer cancel()
	unwatch := context.AfterFunc(outer, func() { time.AfterFunc(stopGrace, cancel) })
	defer unwatch()
	return n.to.deliver(ctx, m)
}

func (to *receiverAt) deliver(ctx context.Context, m message) (status int, err error) {
	body, err := to.body(m)
	if err != nil {
		return 0, badMessage{err}
	}
	// No error: the config has parsed the URL.
	r, _ := http.NewRequestWithContext(ctx, http.MethodPost, to.url.String(), strings.NewReader(body))
	if to.template == nil { // the receiver may be an ntfy server, which takes title and link from headers
		r.Header.Set("Content-Type", "text/plain; charset=utf-8")
		r.Header.Set("Title", m.Title)
		r.Header.Set("Click", m.Link)
	} else {
		r.Header.Set("Content-Type", "application/json")
	}
	for name, text := range to.Headers {
		r.Header.Set(name, text)
	}
	answer, err := post(to.client, r)
	if answer == nil {
		return 0, err
	}
	if isRefusal(answer.StatusCode) {
		err = badMessage{err}
	}
	return answer.StatusCode, err
}

// post sends a request. The answer is nil if there was none; its body is closed. A status other than 2xx is also an
// error.
func post(client *http.Client, r *http.Request) (answer *http.Response, err error) {
	answer, err = client.Do(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %s", r.URL.Host, netErrorText(err))
	}
	answer.Body.Close()
	if answer.StatusCode/100 != 2 {
		err = unwantedStatus(r.URL.Host, answer.StatusCode)
	}
	return answer, err
}
