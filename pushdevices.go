// The devices that get push messages, and push.json, which keeps them.

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"flats/internal/webpush"
)

const (
	maxDevices    = 20   // devices that are told
	maxDeviceName = 100  // characters of the name of a device
	maxEndpoint   = 2000 // bytes of the endpoint of a device
)

// pushBase is the base name of the file with the devices, next to flats.json.
const pushBase = "push.json"

// A pushDevice is a browser that gets push messages. Its json tags name the members of push.json. It is never
// modified: changes replace it.
type pushDevice struct {
	ID       string            `json:"id"`
	Name     string            `json:"name"`
	Since    string            `json:"since"`          // when it was added: see Views.now
	Last     string            `json:"last,omitempty"` // when it last took a message
	Endpoint string            `json:"endpoint"`       // a secret: with it and the keys, anybody can send messages
	Keys     pushKeys          `json:"keys"`
	Told     map[string]string `json:"told,omitempty"`     // by view, the time of the last import that messages cover
	Reminded string            `json:"reminded,omitempty"` // the last day whose daily message was sent
}

type pushKeys struct {
	P256dh string `json:"p256dh"`
	Auth   string `json:"auth"`
}

// subscription returns the device as webpush wants it, or an error that shows nothing of its endpoint.
func (d pushDevice) subscription() (*webpush.Subscription, error) {
	if err := checkEndpoint(d.Endpoint); err != nil {
		return nil, fmt.Errorf("endpoint: %w", err)
	}
	return webpush.NewSubscription(d.Endpoint, d.Keys.P256dh, d.Keys.Auth)
}

// checkEndpoint returns an error unless a URL may lead to a push service: https, port 443, and no host that is known
// not to be on the internet. onlyPublic checks where the host leads.
func checkEndpoint(endpoint string) error {
	if len(endpoint) > maxEndpoint {
		return fmt.Errorf("want at most %d bytes", maxEndpoint)
	}
	u, err := url.Parse(endpoint)
	if err != nil {
		return errors.New("want an https URL with port 443")
	}
	isWebPort := u.Port() == "" || u.Port() == "443"
	if u.Scheme != "https" || u.User != nil || !isWebPort {
		return errors.New("want an https URL with port 443")
	}
	host := strings.TrimSuffix(u.Hostname(), ".")
	address, err := netip.ParseAddr(host)
	isAddress := err == nil
	isPrivateAddress := isAddress && !isPublic(address.WithZone(""))
	isPrivateName := !isAddress && !internetName().MatchString(host)
	if isPrivateAddress || isPrivateName {
		return errors.New("want a URL of the internet")
	}
	return nil
}

// internetName matches names whose last part begins with a letter. Systems and browsers read others as addresses, such
// as 127.1 and 0x7f.1, also in other digits. Browsers write the name of a push service in ASCII.
var internetName = newPattern(`(?i)^([a-z0-9_-]+\.)+[a-z][a-z0-9-]*$`)

// A pushFile is the content of push.json.
type pushFile struct {
	Key     string       `json:"key"` // the private key of the service; "" until it is first needed
	Devices []pushDevice `json:"devices"`
}

// readPush parses the text of a push.json, which is empty if there is no file. Errors name the file as given, and show
// no secret.
func readPush(name, text string) (file pushFile, err error) {
	if text == "" {
		return file, nil
	}
	if _, err := parseObject([]byte(text)); err != nil {
		return file, withLine(name, []byte(text), plainSyntax(err))
	}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return file, fmt.Errorf("%s: %s: has another type", name, wrong.Field)
		}
		return file, fmt.Errorf("%s: %w", name, err) // the error names an unknown member, and shows no value
	}
	if _, err := webpush.ParseKey(file.Key); file.Key != "" && err != nil {
		return file, fmt.Errorf("%s: key: %w", name, err)
	}
	if len(file.Devices) > maxDevices {
		return file, fmt.Errorf("%s: there are more than %d devices", name, maxDevices)
	}
	ids := map[string]bool{}
	for i, device := range file.Devices {
		if err := device.check(); err != nil {
			return file, fmt.Errorf("%s: device %d: %w", name, i+1, err)
		}
		if ids[device.ID] {
			return file, fmt.Errorf("%s: device %d: id: appears twice", name, i+1)
		}
		ids[device.ID] = true
	}
	return file, nil
}

// check returns an error if a device cannot be told.
func (d pushDevice) check() error {
	if d.ID == "" {
		return fmt.Errorf("id: %w", errMissing)
	}
	times := map[string]string{} // by view or member, for errors
	maps.Copy(times, d.Told)
	times["since"] = d.Since
	if d.Last != "" {
		times["last"] = d.Last
	}
	for name, at := range times {
		if _, _, err := parseDatetime(at); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	_, err := d.subscription()
	return err
}

// pushDevices are the devices of push.json, in the order in which they were added. They are safe for concurrent use.
type pushDevices struct {
	file     *sideFile
	changing sync.Mutex               // held while a change is being written
	state    atomic.Pointer[pushFile] // never modified
}

// openPushDevices reads the push.json next to the flats.json at path. A store without files keeps its devices in
// memory.
func openPushDevices(views *Views, path string) (*pushDevices, error) {
	p := &pushDevices{file: &sideFile{name: pushBase}}
	p.state.Store(&pushFile{})
	files := views.store.writer.files
	if files == nil {
		return p, nil
	}
	var err error
	if p.file, err = openSideFile(files, path, pushBase); err != nil {
		return nil, err
	}
	file, err := readPush(p.file.name, p.file.text)
	if err != nil {
		return nil, fmt.Errorf("%w (the file is left as it is: fix it, put a backup in its place, or move it away, "+
			"after which each device must be added again)", err)
	}
	p.state.Store(&file)
	p.advanceClock(views)
	return p, nil
}

// advanceClock ensures that later imports get later times than any device has. It sets times in the future to now.
func (p *pushDevices) advanceClock(views *Views) {
	devices := slices.Clone(p.list())
	hasChanged := false
	for i := range devices {
		device := &devices[i]
		corrected := func(at string) string {
			instant, _, _ := parseDatetime(at) // no error: readPush has checked it
			if views.clock.advance(instant) {  // the clock refuses what is more than a day ahead
				return at
			}
			views.log.Warn("a time of a device is in the future: set to now", "device", device.Name, "time", at)
			hasChanged = true
			return views.now()
		}
		device.Since = corrected(device.Since)
		told := map[string]string{}
		for view, at := range device.Told {
			told[view] = corrected(at)
		}
		device.Told = told
	}
	if !hasChanged {
		return
	}
	err := p.change(views.store, func(file *pushFile) error {
		file.Devices = devices
		return nil
	})
	if err != nil {
		views.log.Warn("the times of devices could not be stored", "err", err)
	}
}

// change replaces the devices with what edit makes of a copy. It returns when they are durable. After an error, they
// are as before.
func (p *pushDevices) change(store *Store, edit func(*pushFile) error) error {
	p.changing.Lock()
	defer p.changing.Unlock()
	next := *p.state.Load()
	next.Devices = slices.Clone(next.Devices)
	if err := edit(&next); err != nil {
		return err
	}
	lines := make([]string, len(next.Devices))
	for i, device := range next.Devices {
		lines[i] = encodeJSON(device)
	}
	text := "{\n\"key\": " + encodeJSON(next.Key) + ",\n\"devices\": [\n" + strings.Join(lines, ",\n") + "\n]\n}\n"
	if err := store.writeSide(p.file, text); err != nil {
		return err
	}
	p.state.Store(&next)
	return nil
}

// key returns the key of the service. The first call makes it.
func (p *pushDevices) key(store *Store) (*webpush.Key, error) {
	if p.state.Load().Key == "" {
		err := p.change(store, func(file *pushFile) error {
			if file.Key == "" { // nobody else has made it meanwhile
				file.Key = webpush.NewKey().String()
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return webpush.ParseKey(p.state.Load().Key)
}

// list returns the devices. It must not be modified.
func (p *pushDevices) list() []pushDevice { return p.state.Load().Devices }

// find returns the device with an id.
func (p *pushDevices) find(id string) (device pushDevice, ok bool) {
	devices := p.list()
	i := slices.IndexFunc(devices, func(d pushDevice) bool { return d.ID == id })
	if i < 0 {
		return pushDevice{}, false
	}
	return devices[i], true
}

// update replaces the device with an id by what edit makes of it, if it is still there.
func (p *pushDevices) update(store *Store, id string, edit func(*pushDevice)) error {
	return p.change(store, func(file *pushFile) error {
		for i := range file.Devices {
			if file.Devices[i].ID == id {
				edit(&file.Devices[i])
			}
		}
		return nil
	})
}

// put adds a device. If there is already one with the endpoint, put only gives that one the name and keys. It returns
// when that is durable.
func (p *pushDevices) put(store *Store, given pushDevice) (device pushDevice, isNew bool, err error) {
	_, err = given.subscription()
	if utf8.RuneCountInString(given.Name) > maxDeviceName {
		err = fmt.Errorf("name: want at most %d characters", maxDeviceName)
	}
	if err != nil {
		return device, false, errorf(statusInvalid, "Invalid subscription provided: %v.", err)
	}
	err = p.change(store, func(file *pushFile) error {
		i := slices.IndexFunc(file.Devices, func(d pushDevice) bool { return d.Endpoint == given.Endpoint })
		isNew = i < 0
		switch {
		case isNew && len(file.Devices) == maxDevices:
			return errorf(statusInvalid, "There are %d devices already: remove one first.", maxDevices)
		case isNew:
			i = len(file.Devices)
			file.Devices = append(file.Devices, given)
		default:
			file.Devices[i].Name, file.Devices[i].Keys = given.Name, given.Keys
		}
		device = file.Devices[i]
		return nil
	})
	return device, isNew, err
}

// remove removes the device with an id. It returns when that is durable.
func (p *pushDevices) remove(store *Store, id string) error {
	return p.change(store, func(file *pushFile) error {
		n := len(file.Devices)
		file.Devices = slices.DeleteFunc(file.Devices, func(d pushDevice) bool { return d.ID == id })
		if len(file.Devices) == n {
			return noDevice(id)
		}
		return nil
	})
}

func noDevice(id string) error {
	return errorf(statusMissing, "No device with the id %s.", excerpt(id))
}
