// The sample: made-up flats that show the service.

package main

import (
	"bytes"
	"embed"
	"encoding/csv"
	"log/slog"
	"maps"
	"time"
)

// The sample is the flats, postal codes, views and config of flats -sample.
//
//go:embed sample
var sample embed.FS

func sampleFile(name string) []byte {
	text, _ := sample.ReadFile("sample/" + name) // no error: the file is embedded
	return text
}

// sampleDay matches the dates in the sample, which openSample shifts.
var sampleDay = newPattern(`\b20\d\d-\d\d-\d\d`)

// sampleViews returns the views of the sample, which are never written.
func sampleViews() *sideFile {
	return &sideFile{name: "sample/views.json", text: string(sampleFile("views.json"))}
}

// openSample opens a store of the embedded flats. It shifts all dates by the same number of
// days, so that the first visits are today.
func openSample(config *Config, now time.Time, log *slog.Logger) *Store {
	firstVisits := time.Date(2026, 1, 13, 0, 0, 0, 0, time.UTC) // the day of the first visits in the file
	shift := now.UTC().Sub(firstVisits).Truncate(24 * time.Hour)
	text := sampleDay().ReplaceAllFunc(sampleFile("flats.json"), func(day []byte) []byte {
		at, _ := time.Parse(time.DateOnly, string(day))
		return at.Add(shift).AppendFormat(nil, time.DateOnly)
	})
	// The errors are always nil: both files are embedded, and tests read them.
	entries, _ := readPostalCodes("sample/postal_codes.json", sampleFile("postal_codes.json"))
	codes := newPostalCodes(entries, config.Constraints)
	flats, _ := readFlats("sample/flats.json", text, codes, log)
	log.Info("serving made-up flats from memory", "flats", len(flats))
	return newStore(flats, codes, log, nil, config.fieldNames()...)
}

// withSampleSettings returns the config of the sample, with the keys of its file as settings, so that the page can
// change them.
func withSampleSettings(config *Config) *Config {
	base := *config
	settings := members{}
	maps.Copy(settings, config.given)
	base.given = nil
	base.People, base.Constraints, base.PostalCodes = nil, nil, nil // they become settings
	settings.put("postal_codes", sampleCountries)
	return base.withSettings(settings, wrongKeys{}) // tests read the file: nothing is wrong
}

// sampleCountries are the countries of the postal codes in the sample.
var sampleCountries = []string{"DE", "FR"}

// addSampleCodes adds the postal codes of the sample to the files in memory.
func addSampleCodes(files *codeFiles, codes *PostalCodes) {
	for _, country := range sampleCountries {
		var text bytes.Buffer
		rows := csv.NewWriter(&text)
		rows.Write([]string{"postal_code", "name", "lat", "lng", "area"})
		for _, c := range codes.all.all() {
			if c.country() == country {
				rows.Write([]string{c.PostalCode.String(), c.Name.String(), c.Lat.String(), c.Lng.String(), c.Area.String()})
			}
		}
		rows.Flush()
		files.store(country, text.Bytes(), fromFile)
	}
}
