// What a person sees of Settings and Start, and what a person does there.

package web

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// inSection returns a selector for a part of a section of Settings.
func inSection(section, part string) string { return "#settings-" + section + " " + part }

// foldOf returns a selector for the fold of what config.json sets in a section.
func foldOf(section string) string { return inSection(section, "form summary.soft") }

// settingField returns a selector for the control of a value in a section, by its path in the API. A region or place
// that has no name yet has an empty name in the path: "constraints..areas".
func settingField(section, path string) string {
	return fmt.Sprintf(`#settings-%s [data-path=%q]`, section, path)
}

// sectionState returns an expression for the words about the state of a section.
func sectionState(section string) string { return text(inSection(section, ".told")) }

// saveButton returns a selector for the button that saves a section.
func saveButton(section string) string {
	return inSection(section, "form:not(.password) > .line > button:first-child")
}

// undoSaving returns a selector for the button that undoes a save.
func undoSaving(section string) string {
	return inSection(section, "form:not(.password) > .line > button:last-child")
}

// troubleAt returns an expression for what is wrong at a field, as a screen reader finds it by aria-describedby.
func troubleAt(section, path string) string {
	return fmt.Sprintf(`((field) => field?.ariaInvalid === "true" ? document.getElementById(
		field.getAttribute("aria-describedby").split(" ").at(-1)).innerText : "")(document.querySelector(%s))`,
		encode(settingField(section, path)))
}

// storedSetting returns an expression for the value of a setting at the service.
func storedSetting(key string) string {
	return fmt.Sprintf(`fetch("api/v1/settings").then((answer) => answer.json())
		.then(({data}) => JSON.stringify(data[%q].value))`, key)
}

// save presses the button that saves a section, and waits until the button says that the settings are in force.
func (p *tab) save(section string) {
	p.t.Helper()
	p.click(saveButton(section))
	p.see(text(saveButton(section)), "Saved")
}

// openSettings opens the page at a section of Settings.
func openSettings(t *testing.T, url, section string, width int) *tab {
	t.Helper()
	p := &tab{browser: openBrowser(t), t: t, url: url}
	p.open("#/settings/"+section, width)
	p.wait(isThere(inSection("backups", "h2")) + " && " + isThere(inSection("access", ".told p")))
	return p
}

// chooseOption chooses an option of a select, as a person does.
func (p *tab) chooseOption(part, value string) {
	p.t.Helper()
	p.wait(isThere(part))
	p.eval(fmt.Sprintf(`{ const choice = document.querySelector(%s); choice.value = %s;
		choice.dispatchEvent(new Event("input", {bubbles: true}));
		choice.dispatchEvent(new Event("change", {bubbles: true})); }`, encode(part), encode(value)))
}

// Parts of Settings.
const (
	countryChoice  = "#country"
	getCodes       = "#settings-where .told button"
	codesFile      = "#settings-where input[type=file]"
	firstProposal  = ".proposals button"
	wholeAreas     = "#settings-where fieldset details summary"
	firstAreaBox   = "#settings-where .boxes input"
	receiverChoice = `#settings-messages [data-path="notify"]`
	testButton     = "#settings-messages .receiver button"
	devicesPart    = "#settings-messages .devices"
	tellDevice     = "#settings-messages .devices > .line button"
	testDevice     = "#settings-messages .devices li button:not(.link)"
	removeDevice   = "#settings-messages .devices li button.destroys"
	tryButton      = "#settings-listings form .fields-of > .line button"
	tryResult      = "#settings-listings form [role=status]:last-child"
	folderChoices  = "#settings-listings [role=group] button"
	codesLines     = "#settings-where .plain"
	focusIsOnMap   = `document.activeElement.matches(".pinning .canvas")`
	usePin         = ".pinning .primary"
	zoomIn         = ".pinning .zoom button"
	signWidths     = `[...document.querySelectorAll(".pinning .zoom button")].filter((button) => button.checkVisibility())
		.map((button) => button.querySelector("svg").getBoundingClientRect().width).join()`
	openDialogs = `document.querySelectorAll("dialog[open]").length`
)

// fieldButton returns an expression for a button beneath a control, by its text.
func fieldButton(control, words string) string {
	return fmt.Sprintf(`[...document.querySelector(%s).closest(".setting").querySelectorAll("button")]
		.find(({innerText}) => innerText === %s)`, encode(control), encode(words))
}

// checkSettingsWords compares the texts of Settings in all languages with each other, and with the texts that its
// modules use.
func checkSettingsWords(t *testing.T) {
	t.Helper()
	sources := readFolder(t)
	name := regexp.MustCompile(`(?m)^\t(\w+): (\[?)`)
	marks := regexp.MustCompile(`\{\w+\}|#`)
	forms := map[string]map[string]string{}
	for _, language := range []string{"en", "fr", "de"} {
		text := sources["words/settings/"+language+".js"]
		found := name.FindAllStringSubmatchIndex(text, -1)
		forms[language] = map[string]string{}
		for i, at := range found {
			end := len(text)
			if i+1 < len(found) {
				end = found[i+1][0]
			}
			inBraces := marks.FindAllString(text[at[1]:end], -1)
			slices.Sort(inBraces)
			forms[language][text[at[2]:at[3]]] = fmt.Sprint(text[at[4]:at[5]], inBraces)
		}
	}
	if !maps.Equal(forms["en"], forms["fr"]) || !maps.Equal(forms["en"], forms["de"]) {
		t.Errorf("the texts of Settings differ in their names or forms: %v\n%v\n%v", forms["en"], forms["fr"], forms["de"])
	}
	used := regexp.MustCompile(`\bs\.([a-z_]+)\b`)
	for file, source := range sources {
		if !strings.Contains(source, `words/settings.js"`) {
			continue
		}
		for _, use := range used.FindAllStringSubmatch(source, -1) {
			if forms["en"][use[1]] == "" {
				t.Errorf("%s uses the text %s, which does not exist", file, use[1])
			}
		}
	}
}
