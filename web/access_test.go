// Tests of the password, the devices that are signed in, and invites.

package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const (
	firstPassword  = "correct horse battery"
	secondPassword = "umbrella seven lamp"
)

// startHousehold runs the program in an empty folder for Ann and Ben.
func startHousehold(t *testing.T) string {
	t.Helper()
	return startNew(t, `"people": ["Ann", "Ben"]`)
}

// openWithPassword opens the section "Access" as Ann, and sets the first password.
func openWithPassword(t *testing.T, width int) *tab {
	t.Helper()
	p := openSettings(t, startHousehold(t), "access", width)
	p.answerWho("Ann")
	p.setPassword("", firstPassword)
	p.see(sectionLine("access"), "A password is asked for")
	return p
}

// TestPagePassword tests that a password is set and changed in Settings, and what Settings says of a refused password.
func TestPagePassword(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, width := range []int{1280, 320} {
		t.Run(fmt.Sprintf("at %d pixels", width), func(t *testing.T) {
			p := openSettings(t, startHousehold(t), "access", width)
			p.answerWho("Ann")
			p.see(sectionLine("access"), "No password: only the machine of the service may change settings")
			p.test("words say how strong a password is", func() {
				for password, want := range map[string]string{"short": "Too short", "password1": "Weak: quickly guessed",
					"abcdefghijklm": "Weak: quickly guessed", "ああああああああああ": "Weak: quickly guessed",
					"Hamburg2024!": "Fair", firstPassword: "Strong"} {
					p.enter(newPassword, password)
					p.see(passwordStrength, want)
				}
			})
			p.test("a complaint stands at its field, and nothing typed is lost", func() {
				p.enter(newPassword, "short")
				p.click(passwordButton)
				p.see(troubleIn("password"), "Between 8 and 256 characters are needed")
				p.enter(newPassword, firstPassword)
				p.enter(passwordAgain, "correct horse battery.")
				p.click(passwordButton)
				p.see(troubleIn("again"), "The two are not the same")
				p.see(valueOf(newPassword), firstPassword)
			})
			p.test("the first password needs no old one", func() {
				p.setPassword("", firstPassword)
				p.see(lastNotice, "The password is set. This device is signed in.")
				p.see(sectionLine("access"), "A password is asked for")
				p.see(valueOf(newPassword), "")
			})
			p.test("a wrong old password is reported at its field", func() {
				p.setPassword("wrong password", secondPassword)
				p.see(troubleIn("old"), "This is not the password")
			})
			p.test("the right old password lets one change it", func() {
				p.setPassword(firstPassword, secondPassword)
				p.see(lastNotice, "The password is changed. All other devices are signed out.")
				other := p.openSignedOut("", width)
				other.signInWith(firstPassword)
				other.wait(isThere("#wrong"))
				other.signInWith(secondPassword)
				other.wait(isThere(menuButton))
				other.checkFaults()
			})
			p.test("nothing is wider than the window", func() { p.see(fitsAcross, "true") })
			p.checkFaults()
		})
	}
}

// TestPagePasswordRefused tests what Settings says if only another machine may set the first password.
func TestPagePasswordRefused(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startNew(t), "#/visits", 390)
	network.forwarded.Store(true)
	p.typeHash("#/settings")
	const first = "Only the machine of the service sets the first password: open the page there, " +
		"or run “flats password” there."
	p.see(text(inSection("access", ".fields-of > .soft")), first)
	p.test("a page that was loaded on that machine says so when it sets the password from another one", func() {
		network.forwarded.Store(false)
		p.reload()
		p.enter(newPassword, firstPassword)
		p.enter(passwordAgain, firstPassword)
		network.forwarded.Store(true)
		p.click(passwordButton)
		p.see(troubleIn("password"), first)
	})
	p.checkFaults()
}

// TestPageDevices tests that Settings lists the devices that are signed in, and signs them out: the tab of Ben, by
// that of Ann.
func TestPageDevices(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openWithPassword(t, 390)
	other := p.openSignedOut("#/visits", 1280)
	other.signInWith(firstPassword)
	other.test("signing in leads back to where one was", func() { other.see(openView, "visits") })
	other.answerWho("Ben")
	p.test("this one is marked, and each has its days", func() {
		p.reload()
		p.see(deviceLines, "Chrome · Linux this device Sign out; Chrome · Linux Sign out")
		p.wait(deviceDays + `.startsWith("since ")`)
	})
	p.test("another device can be signed out", func() {
		p.click(lastSignOut)
		p.see(lastNotice, "Chrome · Linux is signed out")
		p.see(deviceLines, "Chrome · Linux this device Sign out")
		other.comeBack()
		other.see(signedOutLine, "Signed out · Sign in")
	})
	other.test("the link of a signed-out device leads to the page to sign in, and back to where one was", func() {
		other.click(signInHere)
		other.wait(asksToSignIn)
		other.signInWith(firstPassword)
		other.see(openView, "visits")
		other.see(signedOutLine, "")
		other.checkFaults()
	})
	p.checkFaults()
}

// TestPageInvites tests that an invite signs a device in, and tells the device who uses it.
func TestPageInvites(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openSettings(t, startHousehold(t), "people", 320)
	p.answerWho("Ann")
	p.test("without a password, the section says that invites need one", func() {
		p.see(inviteWords, "Invite | The link signs a device in without the password, and tells it who uses it. | "+
			"Invites need a password: without one there is nothing to sign in to. Set a password")
	})
	p.test("with a password, each person can be invited", func() {
		p.setPassword("", firstPassword)
		p.see(inviteButtons, "Invite Ann,Invite Ben,Invite somebody")
		p.clickOn(inviteFor("Ben"))
		p.wait(inviteWords + `.includes("Invite Ben. The link is good once, until tomorrow ")`)
		p.wait(inviteWords + `.includes("start the service with “-addr 0.0.0.0:8080”")`)
		p.see(fitsAcross, "true")
	})
	link := fmt.Sprint(p.eval(inviteLink))
	p.test("an invite to this machine has no QR code, because a phone would look for the service on itself", func() {
		p.see(count("#settings-people .link-box svg"), "0")
	})
	other := p.openInvite(link, 390)
	other.test("the device that opens an invite is signed in, and knows who uses it", func() {
		other.click(signInButton)
		other.click(menuButton)
		other.see(whoInMenuLabel, "You are Ben")
		other.see("location.search", "")
		other.checkFaults()
	})
	p.test("an invite is good once", func() {
		third := &tab{browser: p.browser, t: p.t, url: p.url}
		third.openDevice(strings.TrimPrefix(link, p.url+"/"), 390) // the path of the link
		third.wait(`document.body.innerText.includes("has been used")`)
	})
	p.test("an invite for no person asks who uses the page", func() {
		p.clickOn(inviteFor("somebody"))
		p.wait(inviteLink + ` !== ` + encode(link))
		third := p.openInvite(fmt.Sprint(p.eval(inviteLink)), 390)
		third.click(signInButton)
		third.wait(isThere(whoDialog))
	})
	p.checkFaults()
}

// TestPageInviteCode tests that an invite has a QR code of its link, if other devices reach its address.
func TestPageInviteCode(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openSettings(t, startNew(t, `"website_url": "http://flats.example/"`), "people", 390)
	p.setPassword("", firstPassword)
	p.clickOn(inviteFor("somebody"))
	p.wait(inviteLink + `.startsWith("http://flats.example/")`)
	p.seeCode("#settings-people", fmt.Sprint(p.eval(inviteLink)))
	p.checkFaults()
}

// TestPageOnlyHere tests what the page says of an address that other devices do not reach, by why they do not.
func TestPageOnlyHere(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const local = `"website_url": "http://localhost:8080/"`
	const user, secret = `"username": "me"`, `"password": "correct horse battery"`
	mayNot := map[string]string{"en": "set a password, and start", "fr": "fixez un mot de passe et lancez",
		"de": "ein Passwort setzen und den Dienst mit"}
	listensHere := map[string]string{"en": "For other devices, start the service", "fr": "d’autres appareils, lancez",
		"de": "Für andere Geräte den Dienst mit"}
	isAnother := map[string]string{"en": "set the address of the page", "fr": "indiquez l’adresse de la page",
		"de": "unter Einstellungen, Zugang die Adresse der Seite setzen"}
	for _, c := range []struct {
		state    string
		settings []string
		host     string
		setsIt   bool // the page sets the password
		want     map[string]string
	}{
		{"no password", nil, "127.0.0.1", false, mayNot},
		{"a password that the page has set", nil, "127.0.0.1", true, listensHere},
		{"a password in the config", []string{user, secret}, "127.0.0.1", false, listensHere},
		{"an address in the config", []string{local}, "127.0.0.1", false, isAnother},
		{"an address in the config, and a password", []string{local}, "127.0.0.1", true, isAnother},
		{"the page at another address", []string{user, secret}, "flats.localhost", false, isAnother},
	} {
		t.Run(c.state, func(t *testing.T) {
			url := strings.Replace(startNew(t, c.settings...), "127.0.0.1", c.host, 1)
			p := &tab{browser: openBrowser(t), t: t, url: url}
			p.openDevice("#/settings/access", 390)
			hasPassword := c.setsIt || len(c.settings) == 2
			if hasPassword && !c.setsIt {
				p.signInWith(firstPassword)
			}
			p.wait(isThere(phoneHelp))
			if c.setsIt {
				p.setPassword("", firstPassword)
				p.see(sectionLine("access"), "A password is asked for")
			}
			for _, language := range []string{"en", "fr", "de"} {
				p.setLanguage(language)
				p.reload()
				want := encode(c.want[language])
				p.wait(`document.querySelector(` + encode(phoneHelp) + `)?.textContent.includes(` + want + `)`)
				if hasPassword {
					p.click("#settings-people .told:last-child > .line button")
					p.wait(`document.querySelector("#settings-people .told .wrong")?.innerText.includes(` + want + `)`)
				}
			}
			p.checkFaults()
		})
	}
}

// TestPageSignOut tests that "Sign out" ends the session and forgets the device, and asks first if changes wait.
func TestPageSignOut(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	url := startHousehold(t)
	p, network := openThroughProxy(t, url, "#/settings/access", 1280)
	p.answerWho("Ann")
	p.importListings(`[{"id": "a", "title": "Attic"}, {"id": "b", "title": "Barn"}]`)
	p.test("Sign out is not offered without a session", func() { p.see(signOutOffered, "false") })
	p.setPassword("", firstPassword)
	p.see(sectionLine("access"), "A password is asked for")
	p.test("Sign out is offered in a session", func() { p.see(signOutOffered, "true") })
	p.startWorker()
	p.typeHash("#/")
	p.see(rowCount, "2")
	network.down.Store(true)
	p.dismissRow(1)
	p.see(waitingLine, "1 change waits")
	network.down.Store(false)
	p.test("Sign out asks first if changes wait", func() {
		network.down.Store(true)
		p.click(menuButton)
		p.click(signOutInMenu)
		p.see(forgetQuestion, "1 unsent change will be lost.")
		p.click(keepDevice)
	})
	p.test("nothing is deleted if the service cannot be reached", func() {
		p.click(menuButton)
		p.click(signOutInMenu)
		p.click(agreeToForget)
		p.wait(isThere(failureNotice))
		p.see(waitingLine, "1 change waits")
		p.click(closeFailure)
	})
	p.test("once the changes are sent, Sign out does not ask", func() {
		network.down.Store(false)
		p.beBackOnline()
		p.see(waitingLine, "")
		p.click(menuButton)
		p.click(signOutInMenu)
		p.see(heading, forgotten)
		p.see(keptNames, "")
	})
	p.test("after Sign out the page asks to sign in", func() {
		p.startReload()
		p.wait(asksToSignIn)
		p.see(keptNames, "")
	})
}

// TestPageAccessLooks tests password, devices and invites, with errors, in each language, as TestPageReach tests each
// view.
func TestPageAccessLooks(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openWithPassword(t, 1280)
	other := p.openSignedOut("", 1280)
	other.signInWith(firstPassword)
	other.wait(isThere(menuButton))
	for _, language := range []string{"en", "fr", "de"} {
		p.resize(1280)
		p.setLanguage(language)
		p.reload()
		p.wait(isThere(lastSignOut))
		p.click(secondInvite)
		p.wait(inviteLink)
		p.enter(newPassword, "short")
		p.click(passwordButton)
		p.wait(troubleIn("password") + ` !== ""`)
		p.eval(`for (const fold of document.querySelectorAll("#settings-access details")) fold.open = true`)
		for _, width := range []int{1280, 390, 320} {
			p.resize(width)
			what := fmt.Sprintf("%s at %d pixels", language, width)
			p.eval("scrollTo(0, 0)") // the bar hides a part of the page
			p.checkAxe(what)
			p.checkReach(what)
			p.checkLooks(what)
			p.see(fitsAcross, "true")
		}
	}
	p.checkFaults()
}

// TestPageFollowed tests that a link on another site opens the page on a device that is signed in, also through the
// worker.
func TestPageFollowed(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openWithPassword(t, 1280)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `<!doctype html><title>A site</title><a href="%s/#/visits">A flat</a>`, p.url)
	}))
	t.Cleanup(site.Close)
	follow := func() { // follows the link on the site, which is another one to the browser by its name "localhost"
		p.do("Page.navigate", object{"url": strings.Replace(site.URL, "127.0.0.1", "localhost", 1)})
		p.wait(`document.title === "A site"`)
		p.click(anyLink)
		p.see(openView, "visits")
	}
	p.test("the link opens the page without the worker", follow)
	p.startWorker()
	p.test("the link opens the page with the worker, which forgets no answer", func() {
		p.eval(`caches.open(keptAs("answers")).then((cache) => cache.put("api/v1/mark", new Response("")))`)
		follow()
		p.wait(keptOfAPI + `.then((urls) => urls.includes("/api/v1/mark"))`)
	})
	p.checkFaults()
}

// TestEnginesSignIn tests signing in in each engine, with its worker, also after the session has ended.
func TestEnginesSignIn(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for name, open := range engines {
		t.Run(name, func(t *testing.T) {
			url := start(t, "[]", `"username": "me"`, `"password": "secret"`)
			e := open(t)
			e.open(url+"/#/visits", 1280)
			signInAgain := func(what string) {
				waitIn(t, e, what, asksToSignIn)
				e.eval(`document.querySelector("` + passwordField + `").value = "secret", document.forms[0].requestSubmit(), 0`)
				waitIn(t, e, what, openView+` === "visits" && `+isThere(menuButton))
			}
			signInAgain("the page to sign in")
			waitIn(t, e, "the worker", "navigator.serviceWorker.controller !== null")
			waitIn(t, e, "what is kept", `(await `+keptOfAPI+`) !== ""`)
			endSessions(t, url, "secret")
			e.eval(`document.dispatchEvent(new Event("visibilitychange")), 0`)
			waitIn(t, e, "the line", signedOutLine+` === "Signed out · Sign in"`)
			waitIn(t, e, "what is left", `(await `+keptOfAPI+`) === ""`)
			e.eval(`document.querySelector("` + signInHere + `").click(), 0`)
			signInAgain("the page to sign in again")
			waitIn(t, e, "what is kept again", `(await `+keptOfAPI+`) !== ""`)
		})
	}
}

// TestPageStaysSignedIn tests that the page stays signed in over a restart of the browser, as of a phone.
func TestPageStaysSignedIn(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	openBrowser(t) // skips the test without Chromium
	profile := browserDir(t)
	url := start(t, twoListings, `"username": "me"`, `"password": "secret"`)
	open := func(shown string) *tab {
		b, stop, err := startBrowser(profile)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(stop)
		p := &tab{browser: b, t: t, url: url}
		p.openPath(object{}, "#/", 390)
		p.wait(shown)
		return p
	}
	p := open(asksToSignIn)
	p.signInWith("secret")
	p.see(rowCount, "2")
	p.quit()
	p = open(isThere(menuButton))
	p.see(rowCount, "2")
	p.checkFaults()
}
