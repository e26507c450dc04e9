// Tests of Settings, against the service and stand-ins for other services.

package web

import (
	"archive/zip"
	"bytes"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"flats/internal/imap/imaptest"
)

// frenchCodes has some postal codes of France as GeoNames writes them.
const frenchCodes = "FR\t69001\tLyon\tAuvergne-Rhône-Alpes\t84\tRhône\t69\t\t\t45.7699\t4.8292\t5\n" +
	"FR\t69002\tLyon\tAuvergne-Rhône-Alpes\t84\tRhône\t69\t\t\t45.75\t4.8264\t5\n" +
	"FR\t75001\tParis\tÎle-de-France\t11\tParis\t75\t\t\t48.8592\t2.3417\t5\n"

// lyonPosition is the middle of the two codes of Lyon in frenchCodes.
const lyonPosition = "[45.75995,4.8278]"

// startGeoNames starts a stand-in for GeoNames, which has the codes of France. It returns its URL, and the number of
// requests that it got.
func startGeoNames(t *testing.T) (url string, asked *atomic.Int32) {
	t.Helper()
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	file, err := w.Create("FR.txt")
	if err == nil {
		_, err = io.WriteString(file, frenchCodes)
	}
	if err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	asked = new(atomic.Int32)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.URL.Path != "/FR.zip" {
			http.NotFound(w, r)
			return
		}
		w.Write(archive.Bytes())
	}))
	t.Cleanup(service.Close)
	return service.URL + "/", asked
}

// startNew runs the program in an empty folder, with members of a config as JSON.
func startNew(t *testing.T, settings ...string) string {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "config.json"), "{"+strings.Join(settings, ", ")+"}")
	return startIn(t, dir)
}

// TestPageSettingsWhere tests that users set where they look without knowing the code of an area.
func TestPageSettingsWhere(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, width := range []int{1280, 320} {
		t.Run(fmt.Sprintf("at %d pixels", width), func(t *testing.T) {
			geonames, asked := startGeoNames(t)
			p := openSettings(t, startNew(t, `"geonames": `+encode(geonames)), "where", width)
			p.test("postal codes are asked for once a button is pressed that says from whom", func() {
				p.chooseOption(countryChoice, "FR")
				host := strings.TrimSuffix(strings.TrimPrefix(geonames, "http://"), "/")
				p.see(text("#codes-asked"), "This asks "+host+
					" once for the file of the country, usually 0.1 to 2 MB. Nothing of yours is sent.")
				if n := asked.Load(); n != 0 {
					p.t.Fatalf("GeoNames was asked %d times before the press", n)
				}
				p.click(getCodes)
				p.wait(text(codesLines) + `.startsWith("France: 3 postal codes")`)
				p.see(storedSetting("postal_codes"), `["FR"]`)
				if n := asked.Load(); n != 1 {
					p.t.Errorf("GeoNames was asked %d times; want once", n)
				}
			})
			p.test("an area is found by a town in it", func() {
				p.click(wholeAreas)
				p.enter(settingField("where", "constraints..areas"), "lyo")
				p.see(textsOf("#settings-where .boxes label"), "Auvergne-Rhône-Alpes · 2 postal codes · Lyon")
				p.click(firstAreaBox)
			})
			p.test("a complaint stands at its field, and nothing typed is lost", func() {
				p.click(saveButton("where"))
				p.see(troubleAt("where", "constraints."), "Give the region a name")
				p.see(`document.activeElement.dataset.path`, "constraints.")
				p.see(`document.querySelector(`+encode(firstAreaBox)+`).checked`, "true")
			})
			p.test("the area is in force once the button says so", func() {
				p.enter(settingField("where", "constraints."), "Lyon & co")
				p.save("where")
				p.see(storedSetting("constraints"), `{"Lyon & co":{"areas":["FR-84"]}}`)
				p.see(sectionState("where"), "Lyon & co: 1 area")
			})
			p.test("Undo takes the region back", func() {
				p.click(undoSaving("where"))
				p.see(storedSetting("constraints"), "null")
				p.see(sectionState("where"), "Not said yet")
			})
			p.test("nothing is wider than the window", func() { p.see(fitsAcross, "true") })
			p.checkFaults()
		})
	}
}

// TestPageSettingsTown tests that a town and a distance are enough, and that several regions can be set.
func TestPageSettingsTown(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	geonames, _ := startGeoNames(t)
	p := openSettings(t, startNew(t, `"geonames": `+encode(geonames)), "where", 390)
	p.chooseOption(countryChoice, "FR")
	p.click(getCodes)
	p.wait(text(codesLines) + `.startsWith("France: 3 postal codes")`)
	p.test("a town is proposed as one types, and names the region", func() {
		// The name of the region stands between the dots. A new region has none until it is saved.
		p.enter(settingField("where", "constraints..near.gps"), "lyo")
		p.click(firstProposal)
		p.see(valueOf(settingField("where", "constraints.")), "Lyon")
		p.see(text(inSection("where", "legend")), "Lyon")
		p.see(text(inSection("where", "fieldset > .link")), "Remove Lyon")
		p.enter(settingField("where", "constraints..near.km"), "20")
		p.save("where")
		p.see(storedSetting("constraints"), `{"Lyon":{"near":{"gps":`+lyonPosition+`,"km":20}}}`)
	})
	p.test("a region with flats asks before it goes", func() {
		p.importListings(`[{"id": "a", "title": "A", "service_constraint": "Lyon"}]`)
		p.click(inSection("where", "fieldset > .link"))
		p.see(text(".question p"), "1 flat is in “Lyon”. It stays, without a region.")
		p.click(".question button:not(.primary)")
		p.see(count(inSection("where", "fieldset")), "1")
	})
	p.test("a distance that is no number says so", func() {
		p.enter(settingField("where", "constraints.Lyon.near.km"), "far")
		p.click(saveButton("where"))
		p.see(troubleAt("where", "constraints.Lyon.near.km"), "This is not a number")
	})
	p.checkFaults()
}

// TestPageSettingsCodesFile tests that postal codes can come from a file, and what the page says about a file without
// any.
func TestPageSettingsCodesFile(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	geonames, asked := startGeoNames(t)
	p := openSettings(t, startNew(t, `"geonames": `+encode(geonames)), "where", 1280)
	choose := func(body string) {
		p.eval(`{ const data = new DataTransfer(); data.items.add(new File([` + encode(body) + `], "FR.txt"));
			const input = document.querySelector(` + encode(codesFile) + `); input.files = data.files;
			input.dispatchEvent(new Event("change", {bubbles: true})); }`)
	}
	p.test("a country that cannot be fetched says how to get its file", func() {
		p.chooseOption(countryChoice, "DE")
		p.click(getCodes)
		p.wait(text(codesLines) + `.includes("Download its file elsewhere, and choose it below")`)
		p.see(`document.querySelector(`+encode(codesLines+" a")+`).href`, "https://download.geonames.org/export/zip/DE.zip")
	})
	asked.Store(0) // forgets the request for Germany
	p.chooseOption(countryChoice, "FR")
	p.test("a file of another form is refused", func() {
		choose("FR\t69001\tLyon")
		p.wait(text(inSection("where", ".told [role=alert]")) + `.startsWith("That did not work: ")`)
	})
	p.test("the codes of a file are stored, and GeoNames is not asked", func() {
		choose(frenchCodes)
		p.wait(textsOf(codesLines) + `.includes("France: 3 postal codes")`)
		p.see(storedSetting("postal_codes"), `["FR"]`)
		if n := asked.Load(); n != 0 {
			p.t.Errorf("GeoNames was asked %d times", n)
		}
	})
	p.checkFaults()
}

// startMOTIS starts a stand-in for MOTIS that finds every address in the rue Pasteur.
func startMOTIS(t *testing.T) string {
	t.Helper()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/geocode") {
			io.WriteString(w, `[{"type": "ADDRESS", "name": "Rue Pasteur", "street": "Rue Pasteur", "houseNumber": "5",
				"lat": 45.735, "lon": 4.839, "zip": "69007", "areas": [{"name": "Lyon", "default": true}]}]`)
			return
		}
		io.WriteString(w, `{"all": []}`)
	}))
	t.Cleanup(service.Close)
	return service.URL
}

// TestPageSettingsPlaces tests that places are found by their address, coordinates or a map link, and that the travel
// service is set with them.
func TestPageSettingsPlaces(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	travel := encode(object{"url": startMOTIS(t), "contact": "me@example.org"})
	p := openSettings(t, startNew(t, `"postal_codes": []`, `"travel": `+travel), "places", 390)
	const gps, name = "constraints.home.time_to..gps", "constraints.home.time_to."
	p.test("an address is proposed with its town", func() {
		p.see(text(inSection("places", "legend")), "New place")
		p.enter(settingField("places", name), "work")
		p.see(text(inSection("places", "legend")), "work")
		p.enter(settingField("places", gps), "5 rue Pasteur")
		p.see(textsOf(firstProposal), "Rue Pasteur 5, 69007 Lyon")
		p.click(firstProposal)
		p.chooseOption(settingField("places", "constraints.home.time_to..mode"), "BIKE")
		p.save("places")
		p.see(storedSetting("constraints"), `{"home":{"time_to":{"work":{"gps":[45.735,4.839],"mode":"BIKE"}}}}`)
	})
	p.test("coordinates and links of maps are read", func() {
		p.load("parts/settings/position")
		for typed, want := range map[string]string{
			"45.76, 4.85": "[45.76,4.85]", "45,76; 4,85": "[45.76,4.85]", "-33.87 151.21": "[-33.87,151.21]",
			"https://www.openstreetmap.org/#map=15/45.76/4.85":                       "[45.76,4.85]",
			"https://www.openstreetmap.org/?mlat=45.76&mlon=4.85#map=12/1.5/2.5":     "[45.76,4.85]",
			"https://www.google.com/maps/place/X/@45.1,4.1,15z/data=!3d45.76!4d4.85": "[45.76,4.85]",
			"https://www.google.com/maps/@45.76,4.85,15z":                            "[45.76,4.85]",
			"https://maps.google.com/?q=45.76,4.85":                                  "[45.76,4.85]",
			"https://maps.apple.com/?ll=45.76,4.85&q=Lyon":                           "[45.76,4.85]",
			"https://maps.apple.com/place?coordinate=45.76%2C4.85":                   "[45.76,4.85]",
			"45,76° N, 4,85° E":                                                      "[45.76,4.85]",
			"45.76° N, 4.85° E":                                                      "[45.76,4.85]",
			"45,76, 4,85":                                                            "[45.76,4.85]",
			`45°45'36"N 4°51'0"E`:                                                    "[45.76,4.85]",
			"45° 45′ 36″ N, 4° 51′ 0″ E":                                             "[45.76,4.85]",
			"N 45° 45.6' E 4° 51'":                                                   "[45.76,4.85]",
			"4,85° E; 45,76° N":                                                      "[45.76,4.85]",
			"33.87S 70.5W":                                                           "[-33.87,-70.5]",
			"−33.87°, +151.21°":                                                      "[-33.87,151.21]",
			"(45.76, 4.85)":                                                          "[45.76,4.85]",
			"geo:45.76,4.85?z=15":                                                    "[45.76,4.85]",
			// These are no positions.
			"95° N, 4° E":       "null",
			"45° N, 4° N":       "null",
			"45°75'N 4°E":       "null",
			"45 N, 4 O":         "null",
			"Rue N 5":           "null",
			"95.5, 4.85":        "null",
			"69 001":            "null",
			"12 rue de la Paix": "null",
			"":                  "null",
		} {
			if got := p.eval("JSON.stringify(position.readPosition(" + encode(typed) + "))"); got != want {
				p.t.Errorf("%q is read as %v; want %s", typed, got, want)
			}
		}
	})
	p.test("a place without a position says so", func() {
		p.click(inSection("places", ".fields-of > .fields-of > button"))
		p.enter(`#settings-places fieldset:nth-child(2) [data-path="constraints.home.time_to."]`, "park")
		p.click(saveButton("places"))
		const named = "constraints.home.time_to.park.gps" // after the renaming
		p.see(troubleAt("places", named), "Say where it is")
		p.enter(settingField("places", named), "45.77, 4.85")
		p.save("places")
		p.see(storedSetting("constraints"),
			`{"home":{"time_to":{"work":{"gps":[45.735,4.839],"mode":"BIKE"},"park":{"gps":[45.77,4.85]}}}}`)
	})
	p.test("a pin on the map moves a position", func() {
		field := settingField("places", "constraints.home.time_to.park.gps")
		pinned := func(keys ...string) string {
			p.clickOn(fieldButton(field, "On the map"))
			p.see(focusIsOnMap, "true")
			for _, key := range keys {
				p.key(key)
			}
			p.click(zoomIn)
			p.see(openDialogs, "1")
			p.see(fitsAcross, "true")
			p.click(usePin)
			p.see(openDialogs, "0")
			return fmt.Sprint(p.eval(valueOf(field)))
		}
		p.clickOn(fieldButton(field, "On the map"))
		p.see(signWidths, "20,20")
		p.key("Escape")
		if got := pinned(); got != "45.77, 4.85" {
			p.t.Errorf("the pin is at %s; want the position that was there", got)
		}
		lat, lng, _ := strings.Cut(pinned("ArrowRight", "ArrowRight"), ", ")
		if east, err := strconv.ParseFloat(lng, 64); lat != "45.77" || err != nil || east <= 4.85 || east > 5 {
			p.t.Errorf("the pin is at %s, %s; want a place further east", lat, lng)
		}
		p.save("places")
		p.see(storedSetting("constraints"), `{"home":{"time_to":{"work":{"gps":[45.735,4.839],"mode":"BIKE"},`+
			`"park":{"gps":[`+lat+`,`+lng+`]}}}}`)
	})
	p.test("what config.json sets is shown, and says so", func() {
		p.see(`document.querySelector(`+encode(settingField("places", "travel.contact"))+`).disabled`, "true")
		p.see(`document.querySelector(`+encode(settingField("places", "travel"))+
			`).closest(".setting").innerText.includes("set in config.json, which wins")`, "true")
		p.see(colourBehind(settingField("places", "travel.contact")), greyGround)
	})
	p.test("the credits name three sources", func() {
		p.see(count(inSection("places", ".credits a")), "3")
	})
	p.checkFaults()
}

// TestPageSettingsWhoGoes tests that a place belongs to everybody or to one person, and how long the way to it may be.
func TestPageSettingsWhoGoes(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openSettings(t, startNew(t, `"people": ["Ann", "Ben"]`), "places", 1280)
	p.answerWho("Ann")
	const path = "constraints.home.time_to."
	p.enter(settingField("places", path), "lab")
	p.enter(settingField("places", path+".gps"), "45.76, 4.85")
	p.chooseOption(settingField("places", path+".mode"), "WALK")
	p.chooseOption(settingField("places", path+".person"), "Ben")
	p.test("how long at most is a number of minutes", func() {
		p.enter(settingField("places", path+".time"), "long")
		p.click(saveButton("places"))
		p.see(troubleAt("places", path+"lab.time"), "This is not a number")
		p.enter(settingField("places", path+"lab.time"), "30 min")
	})
	p.click(saveButton("places"))
	p.see(storedSetting("constraints"),
		`{"home":{"time_to":{"lab":{"gps":[45.76,4.85],"mode":"WALK","time":[0,1800],"person":"Ben"}}}}`)
	p.see(`document.querySelector("meta[name=flats-bounds]").content`,
		`{"constraints":{"home":{"lab":1800}},"others":{"lab":1800}}`)
	p.see(valueOf(settingField("places", path+"lab.time")), "30")
	p.enter(settingField("places", path+"lab.time"), "")
	p.see(`document.querySelector("meta[name=flats-ways]").content`,
		`{"persons":{"home":{"lab":"Ben"}},"others":{"lab":"Ben"}}`)
	p.chooseOption(settingField("places", path+"lab.person"), "")
	p.click(saveButton("places"))
	p.see(storedSetting("constraints"), `{"home":{"time_to":{"lab":{"gps":[45.76,4.85],"mode":"WALK"}}}}`)
	p.checkFaults()
}

// TestPageSettingsMessages tests that a receiver is chosen without a template, and tried.
func TestPageSettingsMessages(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	got := make(chan string, 9)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- string(body)
	}))
	t.Cleanup(receiver.Close)
	p := openSettings(t, startNew(t), "messages", 390)
	p.see(text(inSection("messages", ".told > p")), "No messages can be sent yet")
	p.test("ntfy has a long topic that is made up", func() {
		p.chooseOption(receiverChoice, "ntfy")
		const topic = `document.querySelectorAll("#settings-messages [data-path='notify.url']")[1].value`
		p.see(topic+`.length >= 20`, "true")
		p.seeCode("#settings-messages", "https://ntfy.sh/"+fmt.Sprint(p.eval(topic)))
	})
	p.test("of other receivers only their own fields are filled in, and no template", func() {
		p.chooseOption(receiverChoice, "home_assistant")
		p.enter(settingField("messages", "notify.url"), receiver.URL+"/api/webhook/secret")
		p.enter(settingField("messages", "notify.remind"), "07:30")
		p.save("messages")
		p.see(storedSetting("notify"), `{"body":"{\"title\": {{json .Title}}, \"message\": {{json .Text}}, `+
			`\"url\": {{json .Link}}}","remind":"07:30","url":true}`)
	})
	p.test("a test arrives", func() {
		p.click(testButton)
		p.see(text(inSection("messages", ".receiver [role=status]")), "The receiver accepted the test (200)")
		if body := <-got; !strings.Contains(body, `"message"`) {
			p.t.Errorf("the receiver got %s", body)
		}
	})
	p.test("the address stays when the hour changes", func() {
		p.enter(settingField("messages", "notify.remind"), "08:15")
		p.save("messages")
		p.wait(storedSetting("notify") + `.then((value) => value.includes('"remind":"08:15","url":true'))`)
	})
	p.test("the hour stays for the devices when nobody else is told", func() {
		p.chooseOption(receiverChoice, "none")
		p.save("messages")
		p.see(storedSetting("notify"), `{"remind":"08:15"}`)
		p.see(isHidden(undoSaving("messages")), "true") // the page does not know the address
		p.see(text(inSection("messages", ".told > p")), "No messages can be sent yet")
		p.enter(settingField("messages", "notify.remind"), "")
		p.save("messages")
		p.see(storedSetting("notify"), "null")
	})
	p.checkFaults()
}

// TestPageSettingsMailbox tests that a mailbox is tried before it is saved, and what the page says about providers.
func TestPageSettingsMailbox(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	server := imaptest.NewServer(t, "From: Portal <alert@portal.example>\r\nSubject: New\r\n\r\nNo listing.\r\n")
	certificate := filepath.Join(t.TempDir(), "cert.pem")
	writeFile(t, certificate, string(pem.EncodeToMemory(
		&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate.Certificate[0]})))
	p := openSettings(t, startNew(t), "listings", 390)
	const address, folder = "mailbox", "mailbox.folder"
	p.see(sectionState("listings"), "No mailbox is read yet")
	p.test("the address tells the server, and what its users must turn on", func() {
		p.enter(settingField("listings", address), "ann@gmail.com")
		p.see(valueOf(settingField("listings", "mailbox.url")), "imap.gmail.com")
		p.wait(text(inSection("listings", "[role=status]")) + `.startsWith("Turn on two-step verification")`)
		p.see(`document.querySelector("#settings-listings [role=status] a").href`,
			"https://myaccount.google.com/apppasswords")
	})
	p.test("for a provider that lets no program in, the page says what to do", func() {
		p.enter(settingField("listings", address), "ann@hotmail.fr")
		p.click(saveButton("listings"))
		p.wait(troubleAt("listings", address) + `.startsWith("Outlook and Hotmail let no program in")`)
	})
	p.test("a server that is not found says where to enter it", func() {
		p.enter(settingField("listings", address), "ann@nowhere.invalid")
		p.enter(settingField("listings", "mailbox.password"), "secret-1")
		p.click(tryButton)
		p.see(text(tryResult+" p.soft"),
			"Compare the server, under “Server and senders”, with what your provider says.")
	})
	p.test("Try shows the folders, and what their mails would bring", func() {
		p.enter(settingField("listings", address), "hunter")
		p.click(inSection("listings", "form details summary"))
		p.enter(settingField("listings", "mailbox.url"), fmt.Sprintf("127.0.0.1:%d", server.Listen()))
		p.enter(settingField("listings", "mailbox.certificate"), certificate)
		p.enter(settingField("listings", "mailbox.password"), "secret-1")
		p.enter(settingField("listings", address), "hunter@portal.example")
		p.enter(settingField("listings", address), "hunter")
		p.click(tryButton)
		p.see(text(tryResult+" p"), "It works. Choose the folder:")
		p.clickOn(`[...document.querySelectorAll(` + encode(folderChoices) + `)]
			.find(({innerText}) => innerText === "Flats")`)
		p.see(text(tryResult+" p"), "The 1 mail of the last seven days would bring 0 listings")
		p.see(storedSetting("mailbox"), "null")
	})
	p.test("an inbox needs senders", func() {
		p.enter(settingField("listings", folder), "INBOX")
		p.click(saveButton("listings"))
		p.wait(troubleAt("listings", "mailbox.from") + `.startsWith("Name the domains of the senders, or choose a folder")`)
		p.enter(settingField("listings", folder), "Flats")
	})
	p.test("it is saved, and the password is kept without being shown", func() {
		p.save("listings")
		p.wait(storedSetting("mailbox") + `.then((value) => value.includes('"password":true'))`)
		p.see(valueOf(settingField("listings", "mailbox.password")), "")
		p.wait(sectionState("listings") + `.startsWith("Mailbox read ")`) // nothing tells the page
	})
	p.test("the password stays when something else changes", func() {
		p.enter(settingField("listings", "mailbox.from"), "portal.example")
		p.save("listings")
		p.wait(storedSetting("mailbox") + `.then((value) => value.includes('"from":["portal.example"],"password":true'))`)
	})
	p.test("the password is asked for again where it would go elsewhere", func() {
		p.enter(settingField("listings", "mailbox.url"), "imap.example.org")
		p.click(saveButton("listings"))
		p.wait(troubleAt("listings", "mailbox.password") + `.includes("again")`)
	})
	p.checkFaults()
}

// TestPageSettingsDovecot tests that a mailbox of a real server is tried, saved and read, without opening the page
// anew.
func TestPageSettingsDovecot(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	server := imaptest.StartDovecot(t)
	server.Add("Flats", time.Now(), readFile(t, "../internal/listing/testdata/mails/given/g02-de-text.eml"))
	p := openSettings(t, startNew(t), "listings", 390)
	p.enter(settingField("listings", "mailbox"), "hunter")
	p.click(inSection("listings", "form details summary"))
	p.enter(settingField("listings", "mailbox.url"), fmt.Sprintf("127.0.0.1:%d", server.IMAPS))
	p.enter(settingField("listings", "mailbox.certificate"), server.Certificate)
	p.enter(settingField("listings", "mailbox.password"), "secret-2")
	p.test("a wrong password says what to check", func() {
		p.click(tryButton)
		p.wait(text(tryResult+" .wrong") + `.includes("check the user and the password")`)
	})
	p.test("Try shows what the mails would bring, and brings nothing", func() {
		p.enter(settingField("listings", "mailbox.password"), "secret-1")
		p.click(tryButton)
		p.clickOn(`[...document.querySelectorAll(` + encode(folderChoices) + `)]
			.find(({innerText}) => innerText === "Flats")`)
		p.see(text(tryResult+" p"), "The 1 mail of the last seven days would bring 2 listings")
		p.see(storedSetting("mailbox"), "null")
	})
	p.test("once it is saved the listings come, and the section says so", func() {
		p.save("listings")
		p.wait(sectionState("listings") + `.includes("· 2 listings")`)
		p.goTo("#/", ".row")
		p.see(rowCount, "2")
	})
	p.checkFaults()
}

// TestPageSettingsTyping tests that input typed into a section stays while the section is being saved or undone.
func TestPageSettingsTyping(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	network, url := newProxy(t, startNew(t))
	p := openSettings(t, url, "messages", 390)
	field := settingField("messages", "notify.remind")
	typeDuring := func(button string) {
		t.Helper()
		held := holdChanges(t, network)
		p.click(button)
		held.waitFor(p, 1)
		p.enter(field, "09:30")
		held.release()
		p.wait(isThere(saveButton("messages") + ":not([aria-disabled])"))
		network.change.Store(nil)
		p.see(valueOf(field), "09:30")
		p.see(text(saveButton("messages")), "Save")
		p.see(isHidden(undoSaving("messages")), "true")
	}
	p.test("a field that is changed while Save is under way keeps the change", func() {
		p.enter(field, "08:15")
		typeDuring(saveButton("messages"))
	})
	p.test("a field that is changed while Undo is under way keeps the change", func() {
		p.save("messages")
		typeDuring(undoSaving("messages"))
	})
	p.checkFaults()
}

// TestPageSettingsPeople tests that names are in force at once, and that Undo is offered after the page was reloaded.
func TestPageSettingsPeople(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openSettings(t, startNew(t), "people", 390)
	p.test("one name is too few, which the service says at its field", func() {
		p.enter(inSection("people", "input"), "Ann")
		p.click(saveButton("people"))
		p.wait(troubleAt("people", "people") + ` !== ""`)
		p.see(valueOf(inSection("people", "input")), "Ann")
	})
	p.test("a name that the service would refuse cannot be typed", func() {
		p.paste(inSection("people", "input"), strings.Repeat("ö", 41))
		p.see(valueOf(inSection("people", "input")), strings.Repeat("ö", 40))
		p.enter(inSection("people", "input"), "Ann")
	})
	p.test("two names are saved, and the page has them", func() {
		p.enter(inSection("people", ".setting:nth-child(2) input"), "Ben")
		p.eval("window.old = true")
		p.click(saveButton("people"))
		p.wait("!window.old && " + isThere(saveButton("people")))
		p.see(text(saveButton("people")), "Saved")
		p.see(`document.querySelector("meta[name=flats-people]").content`, `["Ann","Ben"]`)
		p.answerWho("Ann")
		p.wait(sectionState("people") + `.includes("You are Ann")`)
	})
	p.test("Undo takes the names back", func() {
		p.eval("window.old = true")
		p.click(undoSaving("people"))
		p.wait("!window.old && " + isThere(saveButton("people")))
		p.see(storedSetting("people"), "null")
		p.see(text(saveButton("people")), "Save")
		p.see(isHidden(undoSaving("people")), "true")
		p.wait(text("#notice p") + ` === "Undone"`)
	})
	p.test("who they are is kept on the service, for every message", func() {
		p.eval("window.old = true")
		p.enter(settingField("people", "who_we_are"), "Ann,\nno <pets>")
		p.click(saveButton("people"))
		p.wait("!window.old && " + isThere(saveButton("people")))
		p.see(storedSetting("who_we_are"), `"Ann,\nno <pets>"`)
		p.see(`document.querySelector("meta[name=flats-who-we-are]").content`, "Ann,\nno <pets>")
	})
	p.test("with something else typed the section says that the page must be opened again", func() {
		p.enter(settingField("messages", "notify.remind"), "08:15")
		p.enter(inSection("people", "input"), "Ann")
		p.enter(inSection("people", ".setting:nth-child(2) input"), "Ben")
		p.save("people")
		p.wait(sectionState("people") + `.includes("It shows once the page is opened again.")`)
		p.eval("window.old = true")
		p.click(inSection("people", ".told button"))
		p.wait("!window.old && " + sectionState("people") + `.startsWith("Ann, Ben")`)
	})
	p.checkFaults()
}

// TestPageSettingsRest tests photos, access and backups, and that the addresses of former views lead to their sections.
func TestPageSettingsRest(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openSettings(t, startNew(t), "access", 1280)
	p.test("photos are kept by one tick", func() {
		p.see(sectionState("photos"), "No photos are kept")
		p.click(settingField("photos", "keep_photos"))
		p.enter(settingField("photos", "max_photos"), "1.5")
		p.save("photos")
		p.see(storedSetting("max_photos"), "1500000000")
		p.see(sectionState("photos"), "No photos are kept yet")
	})
	p.test("a token is made, and shown to be copied as long as the page is open", func() {
		const token = `#settings-access [aria-label="Import token"]`
		p.click(token + " button")
		made := fmt.Sprint(p.eval(text(token + " code")))
		if len(made) < 32 {
			p.t.Errorf("the token is %q", made)
		}
		p.save("access")
		p.see(storedSetting("import_token"), "true")
		p.see(text(token+" code"), made)
		p.see(`fetch("api/v1/import", {method: "POST", body: "[]", headers: {Authorization: "Bearer `+made+
			`"}}).then(({status}) => status)`, "200")
	})
	p.test("another address than the one that is open is asked about", func() {
		p.enter(settingField("access", "website_url"), "https://flats.example.org/")
		p.click(saveButton("access"))
		p.wait(text(".question p") + `.startsWith("Links will begin with https://flats.example.org/, but the page is open")`)
		p.click(".question button:not(.primary)")
		p.see(valueOf(settingField("access", "website_url")), "https://flats.example.org/")
	})
	p.test("unsaved fields are still there after another view", func() {
		p.typeHash("#/visits")
		p.see(openView, "visits")
		p.goTo("#/settings", inSection("access", "form"))
		p.see(valueOf(settingField("access", "website_url")), "https://flats.example.org/")
	})
	for old, section := range map[string]string{
		"travel": "places", "photos": "photos", "mailbox": "listings", "notify": "messages",
	} {
		p.typeHash("#/" + old)
		p.see(`document.activeElement.closest("section[id]")?.id`, "settings-"+section)
	}
	p.checkFaults()
}

// TestPageSettingsRefused tests that users who may not change settings see the states, and why they can set nothing.
func TestPageSettingsRefused(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, start(t, "[]"), "#/visits", 390)
	change := func(answer *http.Response) {
		if strings.HasSuffix(answer.Request.URL.Path, "/settings") {
			answer.StatusCode = http.StatusForbidden
			setBody(answer, strings.NewReader(`{"error": "Set a password.", "status_code": 403}`))
		}
	}
	network.change.Store(&change)
	p.typeHash("#/settings")
	p.see(text("main section > .wrong"), "Set a password.")
	p.wait(sectionState("photos") + ` === "No photos are kept"`)
	p.see(`[...document.querySelectorAll("form.settings")].filter((form) => !form.hidden).length`, "0")
}

// TestPageSettingsWords tests that each language has the same texts of Settings, in the same forms, and all that its
// modules use.
func TestPageSettingsWords(t *testing.T) {
	t.Parallel()
	checkSettingsWords(t)
}

// TestPageSettingsLooks tests Settings unfolded and with errors, as TestPageReach tests each view.
func TestPageSettingsLooks(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	geonames, _ := startGeoNames(t)
	url := startNew(t, `"geonames": `+encode(geonames))
	for _, width := range []int{1280, 390, 320} {
		p := openSettings(t, url, "", width)
		p.chooseOption(countryChoice, "FR")
		p.click(getCodes)
		p.wait(text(codesLines) + `.startsWith("France: 3 postal codes")`)
		p.eval(`for (const fold of document.querySelectorAll("main details")) fold.open = true`)
		p.wait(isThere(firstAreaBox))
		p.enter(settingField("where", "constraints..near.gps"), "lyo")
		p.wait(isThere(firstProposal))
		p.chooseOption(receiverChoice, "ntfy")
		p.click(settingField("places", "travel"))
		p.enter(inSection("people", "input"), "Ann")
		p.click(saveButton("people"))
		p.wait(troubleAt("people", "people") + ` !== ""`)
		what := fmt.Sprintf("Settings at %d pixels", width)
		p.checkAxe(what)
		p.checkReach(what)
		p.checkLooks(what)
		p.see(fitsAcross, "true")
		p.clickOn(fieldButton(inSection("places", "fieldset .setting:nth-of-type(2) input"), "On the map"))
		p.see(focusIsOnMap, "true")
		p.checkAxe(what + ", the map")
		p.checkReach(what + ", the map")
		p.checkLooks(what + ", the map")
		p.checkFaults()
	}
}

// TestPageSettingsDecimals tests that Save leaves distances and times as they are that the user does not change,
// however many decimals they have.
func TestPageSettingsDecimals(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, c := range []struct{ km, seconds string }{{"1.609", "5400"}, {"0.125", "97.5"}, {"12.3456", "31"}} {
		p := openSettings(t, startNew(t), "where", 1280)
		lyon := `{"lyon":{"near":{"gps":[45.76,4.84],"km":` + c.km + `},"time_to":{"lab":{"gps":[45.76,4.85],` +
			`"mode":"WALK","time":[0,` + c.seconds + `]}}}}`
		p.eval(`fetch("api/v1/settings", {method: "PATCH", body: ` + encode(`{"constraints": `+lyon+`}`) + `})`)
		p.reload()
		for section, field := range map[string]string{"where": "near.km", "places": "time_to.lab.time"} {
			p.wait(isThere(settingField(section, "constraints.lyon."+field)))
			p.save(section)
			p.see(storedSetting("constraints"), lyon)
		}
		p.checkFaults()
	}
}

// TestPageSettingsFolded tests that what config.json sets is folded under a line that says so, with nothing to save.
func TestPageSettingsFolded(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const config = `"constraints": {"lyon": {"near": {"gps": [45.76, 4.84], "km": 5},
		"time_to": {"lab": {"gps": [45.76, 4.85]}}}}`
	p := openSettings(t, startNew(t, config), "where", 390)
	for section, path := range map[string]string{"where": "constraints.lyon.near.km",
		"places": "constraints.lyon.time_to.lab.time"} {
		p.wait(isThere(settingField(section, path)))
		p.see(isSeen(settingField(section, path)), "false")
		p.click(foldOf(section))
		p.see(isSeen(settingField(section, path)), "true")
	}
	p.see(isSeen(saveButton("where")), "false")
	p.see(isSeen(saveButton("places")), "true") // for the travel service
}

// TestPageSettingsUnkept tests that the device keeps none of the answers for Settings.
func TestPageSettingsUnkept(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openSettings(t, startNew(t), "", 1280)
	p.startWorker()
	p.goTo("#/settings", inSection("access", ".told p"))
	p.wait(`fetch("api/v1/settings").then(({ok}) => ok)`)
	p.see(`caches.open(keptAs("answers")).then((cache) => cache.keys()).then((keys) => keys.map(({url}) => url)
		.filter((url) => /settings|postal_codes|areas|geocode|backups|push/.test(url)).join())`, "")
	p.wait(`caches.open(keptAs("answers")).then((cache) => cache.keys()).then((keys) =>
		keys.some(({url}) => url.endsWith("/photos")))`)
	p.checkFaults()
}

// TestPageSizes tests how the sizes of backups and of postal codes on their way are written.
func TestPageSizes(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startNew(t), "#/visits", 390)
	change := func(answer *http.Response) {
		if strings.HasSuffix(answer.Request.URL.Path, "/backups") {
			setBody(answer, strings.NewReader(`{"data": {"keep": 7, "error": null, "archives": [
				{"name": "flats-2026-12-03.tar.gz", "date": "2026-12-03", "bytes": 1},
				{"name": "flats-2026-12-02.tar.gz", "date": "2026-12-02", "bytes": 202},
				{"name": "flats-2026-12-01.tar.gz", "date": "2026-12-01", "bytes": 912034}]}}`))
		}
		if strings.HasSuffix(answer.Request.URL.Path, "/postal_codes") {
			setBody(answer, strings.NewReader(`{"geonames": "g.example", "data": [{"country": "FR", "codes": 0, "date": null,
				"from": null, "state": "fetching", "bytes": 202, "error": null}]}`))
		}
	}
	network.change.Store(&change)
	p.typeHash("#/settings")
	p.wait(text("#settings-backups") + `.includes("912 kB")`)
	for _, size := range []string{"· 1 byte", "· 202 bytes", "· 912 kB"} {
		p.see(text("#settings-backups")+`.includes(`+encode(size)+`)`, "true")
	}
	p.wait(text(codesLines) + `.includes("France: loading… 202 bytes")`)
}
