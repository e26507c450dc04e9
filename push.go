// Push messages: what each device is told, and how.

package main

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"flats/internal/turns"
	"flats/internal/webpush"
)

const (
	maxContent  = 3000 // bytes of a message to a device
	maxPushLink = 1000 // bytes of the link in it; a longer one leads to the page
	pushTTL     = day  // how long a push service keeps a message for a device that is off
)

// A pusher tells each device what views notify about, independently of other devices and of the receiver in the config.
type pusher struct {
	devices *pushDevices
	views   *Views
	config  *Config
	client  *http.Client
	changed chan struct{} // receives when flats or devices have changed

	mu      sync.Mutex
	running map[string]*toldDevice // the devices that run tells, by id; guarded by mu
}

// A toldDevice is a device while it is told. It is a recipient of messages.
type toldDevice struct {
	id       string
	pusher   *pusher
	notifier *notifier
	cancel   context.CancelFunc
}

// newPusher returns a pusher for the devices of push.json.
func newPusher(devices *pushDevices, views *Views, config *Config) *pusher {
	transport := &http.Transport{
		DialContext:            (&net.Dialer{Control: onlyPublic}).DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           2,
		IdleConnTimeout:        messagePatience,
		MaxResponseHeaderBytes: 64 << 10,
	}
	return &pusher{
		devices: devices,
		views:   views,
		config:  config,
		client:  &http.Client{Transport: transport, CheckRedirect: noRedirect, Timeout: messagePatience},
		changed: views.store.changes(),
		running: map[string]*toldDevice{},
	}
}

// run tells the devices until ctx is done.
func (p *pusher) run(ctx context.Context) {
	var group sync.WaitGroup
	defer func() { // after ctx is done, which also ends what followDevices has started
		group.Wait()
		p.mu.Lock()
		defer p.mu.Unlock()
		clear(p.running) // a change of settings ends run; if the change fails, run is called again
	}()
	for {
		p.followDevices(ctx, &group)
		select {
		case <-ctx.Done():
			return
		case <-p.changed:
		}
	}
}

// followDevices starts telling new devices, stops telling removed ones, and wakes the others.
func (p *pusher) followDevices(ctx context.Context, group *sync.WaitGroup) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, device := range p.running {
		if _, isThere := p.devices.find(id); !isThere {
			device.cancel()
			delete(p.running, id)
		}
	}
	for _, d := range p.devices.list() {
		if device := p.running[d.ID]; device != nil {
			wake(device.notifier.changed)
			continue
		}
		device := p.recipient(d.ID)
		var deviceCtx context.Context
		deviceCtx, device.cancel = context.WithCancel(ctx)
		p.running[d.ID] = device
		reminder := newReminder(device.notifier, p.config.Notify, p.config.Timezone)
		reminder.lastDay, reminder.save = d.Reminded, device.saveReminded
		group.Go(func() { device.notifier.run(deviceCtx) })
		group.Go(func() { reminder.run(deviceCtx) })
	}
}

// recipient returns a new toldDevice. It can send messages, but its notifier does not run yet.
func (p *pusher) recipient(id string) *toldDevice {
	device := &toldDevice{id: id, pusher: p, cancel: func() {}}
	log := p.views.log.With("device", id)
	device.notifier = newNotifier(p.views, make(chan struct{}, 1), device, p.config.WebsiteURL, log)
	return device
}

// errorOf returns what has gone wrong since a device last took a message, or nil.
func (p *pusher) errorOf(id string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if device := p.running[id]; device != nil {
		_, err := device.notifier.state()
		return err
	}
	return nil
}

// add adds a device as a browser describes it, or changes the one with its endpoint.
func (p *pusher) add(subscription []byte) (device pushDevice, isNew bool, err error) {
	var given struct {
		Endpoint string   `json:"endpoint"`
		Keys     pushKeys `json:"keys"`
		Name     string   `json:"name"`
	}
	if err := json.Unmarshal(subscription, &given); err != nil {
		text := "want a JSON object" // the error itself may quote a secret
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) && wrong.Field != "" {
			text = wrong.Field + ": has another type"
		}
		return device, false, errorf(statusInvalid, "Invalid subscription provided: %s.", text)
	}
	device, isNew, err = p.devices.put(p.views.store, pushDevice{
		ID:       rand.Text()[:12],
		Name:     strings.Join(strings.Fields(given.Name), " "),
		Since:    p.views.now(),
		Endpoint: given.Endpoint,
		Keys:     given.Keys,
	})
	if err == nil {
		wake(p.changed)
	}
	return device, isNew, err
}

// remove removes a device. Nothing more is sent to it.
func (p *pusher) remove(id string) error {
	if err := p.devices.remove(p.views.store, id); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if device := p.running[id]; device != nil {
		device.cancel() // run then drops the device
	}
	wake(p.changed)
	return nil
}

// test sends an example to a device, and returns the status of the answer. It does not count as a message.
func (p *pusher) test(ctx context.Context, id string) (status int, err error) {
	if _, ok := p.devices.find(id); !ok {
		return 0, noDevice(id)
	}
	return p.recipient(id).notifier.send(ctx, exampleMessage(p.config.WebsiteURL))
}

// toldUntil returns the time of the last import that messages about a view cover. It is not before the time when the
// device was added, and not before the view began to notify with its query.
func (d *toldDevice) toldUntil(view View) (last time.Time) {
	device, _ := d.pusher.devices.find(d.id)
	for _, text := range []string{device.Since, device.Told[view.Name], view.From} {
		if at, _, _ := parseDatetime(text); at.After(last) { // "" gives the zero time
			last = at
		}
	}
	return last
}

// saveTold writes the times in told to push.json. The times of other views stay, except those of views that are gone.
func (d *toldDevice) saveTold(told map[subscription]time.Time) error {
	views := *d.pusher.views.list.Load()
	return d.pusher.devices.update(d.pusher.views.store, d.id, func(device *pushDevice) {
		next := map[string]string{}
		for _, view := range views {
			if at, ok := told[view.subscription()]; ok {
				next[view.Name] = unquote(at.Format(jsonTime))
			} else if before := device.Told[view.Name]; before != "" {
				next[view.Name] = before
			}
		}
		device.Told = next
		device.Last = d.last(device.Last)
	})
}

func (d *toldDevice) saveReminded(today string) error {
	return d.pusher.devices.update(d.pusher.views.store, d.id, func(device *pushDevice) {
		device.Reminded = today
		device.Last = d.last(device.Last)
	})
}

// last returns when the device last took a message. If it has taken none since the start, that is before.
func (d *toldDevice) last(before string) string {
	last, _ := d.notifier.state()
	if last.IsZero() {
		return before
	}
	return last.UTC().Format(time.RFC3339)
}

// deliver posts a message to the push service of the device. It removes the device if the push service says that it
// is gone.
func (d *toldDevice) deliver(ctx context.Context, m message) (status int, err error) {
	p := d.pusher
	device, ok := p.devices.find(d.id)
	if !ok {
		return 0, noDevice(d.id)
	}
	key, err := p.devices.key(p.views.store)
	if err != nil {
		return 0, err
	}
	to, err := device.subscription()
	if err != nil {
		return 0, badMessage{err}
	}
	badge, err := p.countNew(ctx)
	if err != nil {
		return 0, err
	}
	topic := topicOf(key, m.about)
	r, err := to.Request(ctx, key, p.config.pushSubject(), webpush.Message{
		Content: m.content(p.config.WebsiteURL, topic, badge),
		TTL:     pushTTL,
		Topic:   topic,
		Urgency: "high", // good flats go within hours, and a phone that saves power delays the others
	})
	if err != nil {
		return 0, badMessage{err}
	}
	answer, err := post(p.client, r)
	if answer == nil {
		return 0, err
	}
	status = answer.StatusCode
	if err != nil {
		err = laterError{err, retryAfter(answer)}
	}
	switch {
	case status == http.StatusNotFound || status == http.StatusGone:
		if removeErr := p.remove(d.id); removeErr != nil {
			return status, errors.Join(err, removeErr)
		}
		p.views.log.Info("a device was removed, because its push service does not know it any more",
			slog.String("device", d.id), slog.String("host", r.URL.Host))
	case status/100 == 4: // it refused this message
		err = badMessage{err}
	}
	return status, err
}

// topicOf returns the topic of a message. A push service cannot tell from it what the message is about.
func topicOf(key *webpush.Key, about string) string {
	sum := hmac.New(sha256.New, []byte(key.String()))
	io.WriteString(sum, about)
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:24]) // 32 characters, the most that RFC 8030 allows
}

// pushSubject returns a URL by which push services can reach the person who runs the service, or "".
func (c *Config) pushSubject() string {
	if site, err := url.Parse(c.WebsiteURL); err == nil && site.Scheme == "https" {
		return originOf(site)
	}
	if c.Travel != nil && c.Travel.Contact != "" {
		return "mailto:" + c.Travel.Contact
	}
	return ""
}

// countNew returns the number of flats that are new in at least one view that notifies: first seen after the view was
// looked at. Each message has that number, because a device that was off gets only the last message.
func (p *pusher) countNew(ctx context.Context) (n int, err error) {
	work := turns.NewTask(ctx, p.views.store.turns)
	defer work.Finish(&err)
	ids := map[string]bool{}
	for _, view := range *p.views.list.Load() {
		q, err := p.views.parse(view.Query)
		if !view.Notify || err != nil {
			continue
		}
		seen, _, _ := parseDatetime(view.Seen) // no error: it was checked when it was set
		// No error: parse has checked the search.
		added, _ := p.views.store.Find(work, p.views.onlyAfter(q, "first_seen", seen))
		for _, f := range added.records {
			ids[f.ID.String()] = true
		}
	}
	return len(ids), nil
}

// content returns a message for the worker of the page (web/sw.js), as JSON of at most maxContent bytes.
func (m message) content(website, tag string, badge int) []byte {
	content := struct {
		Title string `json:"title"`
		Text  string `json:"text"`
		Link  string `json:"link"`
		Tag   string `json:"tag"`
		Badge int    `json:"badge"`
	}{m.Title, strings.TrimSpace(m.textWithoutLinks), m.Link, tag, badge}
	if len(content.Link) > maxPushLink {
		content.Link = website
	}
	text := encodeJSON(content)
	if over := len(text) - maxContent; over > 0 { // as JSON, a text has at least as many bytes as before
		content.Text = cutBytes(content.Text, len(content.Text)-over)
		text = encodeJSON(content)
	}
	return []byte(text)
}

// cutBytes returns the beginning of a text with "…" after it, in at most size bytes, or "" if there is no room. The
// text must have more than size bytes.
func cutBytes(text string, size int) string {
	length := size - len("…")
	if length <= 0 {
		return ""
	}
	for !utf8.RuneStart(text[length]) { // cut no character in two
		length--
	}
	return text[:length] + "…"
}
