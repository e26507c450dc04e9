// The handlers for settings, postal codes, places, devices and mailboxes, which the page of settings uses.

package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"flats/internal/turns"
)

// forSettings returns a handler for people who may change settings (see maySet). Settings may change while it runs.
func (s *server) forSettings(serve handler) handler {
	return s.forOwnPage(func(w http.ResponseWriter, r *http.Request) error {
		if err := s.maySet(r); err != nil {
			return err
		}
		return serve(w, r)
	})
}

func (s *server) getSettings(w http.ResponseWriter, r *http.Request) error {
	return answerData(w, r, s.config.shown())
}

// readPatch reads the body of a request as an object. An error quotes nothing of it.
func readPatch(w http.ResponseWriter, r *http.Request) (members, error) {
	body, err := readBody(w, r, maxBody)
	if err != nil {
		return nil, err
	}
	patch, err := parseObject(body)
	if err != nil {
		return nil, errorf(statusInvalid, "Invalid settings provided: %v.", withLine("the body", body, plainSyntax(err)))
	}
	if path := repeatedKey("", json.NewDecoder(strings.NewReader(string(body)))); path != "" {
		return nil, invalidSettings(statusInvalid, wrongKeys{path: errors.New("an object has this key twice")})
	}
	return patch, nil
}

func (s *server) patchSettings(w http.ResponseWriter, r *http.Request) error {
	patch, err := readPatch(w, r)
	if err != nil {
		return err
	}
	config, err := s.change(r.Context(), sameCodes, func(config *Config) (members, error) { return config.patched(patch) })
	if err != nil {
		return err
	}
	return answerData(w, r, config.shown())
}

// getCodeFiles describes the postal codes of countries, and names the host from which they can be fetched.
func (s *server) getCodeFiles(w http.ResponseWriter, r *http.Request) error {
	return answer(w, r, typeJSON, `{"data":`+encodeJSON(s.codeFiles.states(s.config.countries))+
		`,"geonames":`+encodeJSON(s.codeFiles.from.Host)+`}`)
}

// countryOf returns the country that the path of a request names.
func countryOf(r *http.Request) (string, error) {
	country := r.PathValue("country")
	if err := checkPattern(countryPattern, country, wantCountry); err != nil {
		return "", errorf(statusInvalid, "Invalid country provided: %v.", err)
	}
	return country, nil
}

// putCodeFile stores the postal codes of a country or, without a body, begins to fetch them.
func (s *server) putCodeFile(w http.ResponseWriter, r *http.Request) error {
	country, err := countryOf(r)
	if err != nil {
		return err
	}
	if s.longUploads.Add(1) > maxUploads {
		s.longUploads.Add(-1)
		return errorf(http.StatusServiceUnavailable, "%d other files are on their way: try again later.", maxUploads)
	}
	defer s.longUploads.Add(-1)
	if r.Header.Get("Content-Encoding") != "" {
		return errorf(http.StatusUnsupportedMediaType, "Send the file without a content encoding.")
	}
	body, err := readUpload(w, r, maxCodesBody)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if len(body) == 0 {
		if s.config.sample {
			return errSampleIsOffline
		}
		s.codeFiles.fetch(country, s.useCodes)
		status = http.StatusAccepted
	} else {
		if _, err := s.codeFiles.store(country, body, fromFile); err != nil {
			return err
		}
		if err := s.reloadCodes(r.Context(), country); err != nil {
			return err
		}
	}
	s.codeFiles.mu.Lock()
	state := s.codeFiles.stateOf(country)
	s.codeFiles.mu.Unlock()
	return write(w, r, status, typeJSON, "", `{"data":`, encodeJSON(state), `}`)
}

var errNotUsed = errors.New("the postal codes are not used")

// reloadCodes brings the postal codes of a country into force, if the settings name the country.
func (s *server) reloadCodes(ctx context.Context, country string) error {
	_, err := s.change(ctx, newCodes, func(config *Config) (members, error) {
		if !slices.Contains(config.countries, country) {
			return nil, errNotUsed
		}
		return config.settings, nil // the same settings: only the codes are new
	})
	if errors.Is(err, errNotUsed) {
		return nil
	}
	return err
}

// useCodes brings fetched postal codes of a country into force, as soon as no change is under way.
func (s *server) useCodes(country string) {
	err := s.reloadCodes(s.codeFiles.ctx, country)
	for errors.Is(err, errUnsettled) && sleep(s.codeFiles.ctx, 10*time.Second) {
		err = s.reloadCodes(s.codeFiles.ctx, country)
	}
	if err != nil {
		s.log.Warn("postal codes come into force at the next start", "country", country, "err", err)
	}
}

// deleteCodeFile removes the postal codes of a country that the settings do not name. It holds the lock of changes of
// settings, so that no change can name the country meanwhile.
func (s *server) deleteCodeFile(w http.ResponseWriter, r *http.Request) error {
	country, err := countryOf(r)
	if err != nil {
		return err
	}
	_, err = s.change(r.Context(), sameCodes, func(config *Config) (members, error) {
		if slices.Contains(config.countries, country) {
			return nil, errorf(http.StatusConflict, "The settings name %s: remove it from postal_codes first.", country)
		}
		isThere, err := s.codeFiles.remove(country)
		if err == nil && !isThere {
			err = errorf(statusMissing, "There are no postal codes of %s.", country)
		}
		if err != nil {
			return nil, err
		}
		return config.settings, nil
	})
	if err != nil {
		return err
	}
	return noContent(w, r)
}

// getAreas answers with the areas of a country's postal codes.
func (s *server) getAreas(w http.ResponseWriter, r *http.Request) error {
	countries := parameterValues(r.URL.RawQuery, "country")
	if len(countries) != 1 || !countryPattern().MatchString(countries[0]) {
		return errorf(statusInvalid, "Invalid country provided: %s.", wantCountry)
	}
	beginnings := parameterValues(r.URL.RawQuery, "q") // how a town of the areas begins, none for all areas
	if len(beginnings) > 1 || len(beginnings) == 1 && len(beginnings[0]) > maxLocation {
		return errorf(statusInvalid, "Invalid q provided: want one name of at most %d bytes.", maxLocation)
	}
	work := turns.NewTask(r.Context(), s.store.turns)
	defer work.Pause()
	found, names, err := s.areasOf(work, countries[0])
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return errorf(statusMissing, "There are no postal codes of %s: get them first.", countries[0])
	}
	beginning := ""
	if len(beginnings) == 1 {
		beginning = beginnings[0]
	}
	list := found.served(names, beginning)
	work.Pause() // to write the answer may take long
	return answerData(w, r, list)
}

// areasOf returns the areas of a country and their names, from the loaded postal codes or else from its file.
func (s *server) areasOf(work *turns.Task, country string) (found areas, names map[string]string, err error) {
	found, names = areas{}, s.store.codes.areaNames
	add := func(entry *PostalCode) {
		work.Step(300) // of a few nanoseconds each
		if entry.country() == country {
			found.add(entry)
		}
	}
	for _, entry := range s.store.codes.all.all() {
		add(entry)
	}
	if len(found) == 0 && s.codeFiles.has(country) {
		names = map[string]string{}
		if err = s.codeFiles.load(country, add, names); err != nil {
			s.codeFiles.setFailed(country, err)
			err = errorf(statusMissing, "The postal codes of %s cannot be used: %v.", country, err)
		}
	}
	return found, names, err
}

// getGeocode answers with the places that an address may mean, from the travel service and the loaded postal codes.
func (s *server) getGeocode(w http.ResponseWriter, r *http.Request) error {
	texts := parameterValues(r.URL.RawQuery, "text")
	if len(texts) != 1 || strings.TrimSpace(texts[0]) == "" || len(texts[0]) > maxLocation {
		return errorf(statusInvalid, "Invalid text provided: want an address of at most %d bytes.", maxLocation)
	}
	text := strings.ToValidUTF8(texts[0], " ")
	work := turns.NewTask(r.Context(), s.store.turns)
	defer work.Pause()
	fromCodes := s.store.codes.placesIn(work, text)
	work.Pause() // the travel service may take long
	found := []foundPlace{}
	if !s.config.sample {
		found = append(found, s.geocoder.search(r.Context(), text, fromCodes)...)
	}
	found = append(found, fromCodes...)
	return answerData(w, r, found[:min(len(found), maxFoundPlaces)])
}

// A pushAnswer is the answer of /push.
type pushAnswer struct {
	Key     string         `json:"key"` // the public one
	Devices []deviceAnswer `json:"devices"`
}

// A deviceAnswer is a device as it is served.
type deviceAnswer struct {
	ID    string  `json:"id"`
	Name  string  `json:"name"`
	Since string  `json:"since"`
	Last  *string `json:"last"`  // when it last took a message
	Error *string `json:"error"` // what is wrong since then
}

func (s *server) deviceAnswer(d pushDevice) deviceAnswer {
	return deviceAnswer{d.ID, d.Name, d.Since, orNull(d.Last), orNull(errorText(s.pusher.errorOf(d.ID)))}
}

// getPush answers with the devices that are told, and with the key that a browser needs to become one.
func (s *server) getPush(w http.ResponseWriter, r *http.Request) error {
	key, err := s.pusher.devices.key(s.store)
	if err != nil {
		return err
	}
	state := pushAnswer{Key: key.Public(), Devices: []deviceAnswer{}}
	for _, device := range s.pusher.devices.list() {
		state.Devices = append(state.Devices, s.deviceAnswer(device))
	}
	return answerData(w, r, state)
}

// postPush adds a device.
func (s *server) postPush(w http.ResponseWriter, r *http.Request) error {
	if s.config.sample {
		return errSampleIsOffline
	}
	body, err := readBody(w, r, maxBody)
	if err != nil {
		return err
	}
	device, isNew, err := s.pusher.add(body)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if isNew {
		status = http.StatusCreated
	}
	return write(w, r, status, typeJSON, "", `{"data":`, encodeJSON(s.deviceAnswer(device)), `}`)
}

func (s *server) deletePush(w http.ResponseWriter, r *http.Request) error {
	if err := s.pusher.remove(r.PathValue("id")); err != nil {
		return err
	}
	return noContent(w, r)
}

// postPushTest sends an example to a device.
func (s *server) postPushTest(w http.ResponseWriter, r *http.Request) error {
	if s.config.sample {
		return errSampleIsOffline
	}
	return answerTest(w, r, func() (int, error) { return s.pusher.test(r.Context(), r.PathValue("id")) })
}

// postMailboxTry tells what a mailbox has, before it is set.
func (s *server) postMailboxTry(w http.ResponseWriter, r *http.Request) error {
	value, err := readPatch(w, r)
	if err != nil {
		return err
	}
	wrong := wrongKeys{}
	mailbox, hasFolder := mailboxToTry(s.config.revealedMailbox(value, wrong), wrong)
	if len(wrong) == 0 {
		s.config.resolveCertificate(mailbox)
		_, err := mailbox.readCertificate()
		wrong.add("mailbox.certificate", err) // adds nothing for nil
	}
	if len(wrong) > 0 {
		return invalidSettings(statusInvalid, wrong)
	}
	if s.config.sample {
		return errSampleIsOffline
	}
	if s.trials.Add(1) > maxTrials {
		s.trials.Add(-1)
		return errorf(http.StatusServiceUnavailable, "%d other mailboxes are being tried: try again later.", maxTrials)
	}
	defer s.trials.Add(-1)
	reader := &mailReader{mailbox: mailbox, importer: s.importer}
	found, err := reader.try(r.Context(), hasFolder)
	if err != nil {
		return errorf(http.StatusBadGateway, "The mailbox cannot be read: %v.", err)
	}
	return write(w, r, http.StatusOK, typeJSON, "", `{"data":`, encodeJSON(found), `}`)
}

// maxTrials is the number of mailboxes that are tried at a time. Each trial keeps a connection to a mail server open.
const maxTrials = 2
