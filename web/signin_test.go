// Tests of the pages, made by the service, that ask for a password and that answer an invite.

package web

import (
	"fmt"
	"strings"
	"testing"
)

// What a person sees of the page that asks for the password, and the request by which the page signs out.
const (
	signInField = "input[type=password]"
	signInWords = `[...document.querySelectorAll("label, button, [role=alert]")].map((part) => part.innerText).join("|")`
	signInFits  = `document.documentElement.scrollWidth <= innerWidth && [...document.querySelectorAll(
		"input[type=password], button")].every((part) => part.getBoundingClientRect().height >= 44)`
	passwordHasFocus = `document.activeElement.matches("input[type=password]")`
	signOut          = `fetch("api/v1/session", {method: "DELETE"}).then(({status}) => status)`
)

// openLocked opens a tab at a hash of a program with the password "secret", before anybody has signed in.
func openLocked(t *testing.T, hash string, width int) *tab {
	t.Helper()
	p := openTab(t, "[]", "", width)
	p.url = start(t, twoListings, `"username": "me"`, `"password": "secret"`)
	p.navigate("/" + hash)
	return p
}

// navigate opens a path, and waits until the page has loaded.
func (p *tab) navigate(path string) {
	p.t.Helper()
	p.eval("window.old = true")
	p.do("Page.navigate", object{"url": p.url + path})
	p.wait(`!window.old && document.readyState === "complete"`)
}

// TestPageSignInForm tests that the form signs a person in and leads back to the view that the person wanted, that a
// reload keeps the person signed in, and that signing out asks again.
func TestPageSignInForm(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openLocked(t, "?a=b#/?tab=all&sort=-cost", 1280)
	const address = `location.pathname + location.search + location.hash`
	p.test("the password is asked for", func() {
		p.see(signInWords, "Password|Sign in")
		p.see(passwordHasFocus, "true")
		p.see("document.title", "Sign in · Flats")
	})
	p.test("a wrong password is said to be wrong", func() {
		p.press("wrong")
		p.key("Enter")
		p.see(signInWords, "Password|This password is wrong.|Sign in")
	})
	p.checkAxe("the sign-in page")
	p.test("the right password leads to the view that was asked for", func() {
		p.focus(signInField)
		p.press("secret")
		p.key("Enter")
		p.see(rowCount, "2")
		p.see(address, "/?a=b#/?tab=all&sort=-cost")
	})
	p.test("a reload asks nothing", func() {
		p.reload()
		p.see(rowCount, "2")
		p.see("document.cookie", "")
	})
	p.test("after signing out it is asked for again", func() {
		p.see(signOut, "204")
		p.navigate("/#/map")
		p.see(signInWords, "Password|Sign in")
	})
	p.checkFaults()
}

// TestPageSignInPlain tests that the form works without scripts, and on a narrow phone in another language.
func TestPageSignInPlain(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openLocked(t, "", 320)
	p.do("Emulation.setUserAgentOverride", object{"userAgent": "Mozilla/5.0", "acceptLanguage": "de"})
	p.do("Emulation.setScriptExecutionDisabled", object{"value": true})
	p.navigate("/?a=b")
	p.test("the form fits, in light and in dark", func() {
		p.see(signInWords, "Passwort|Anmelden")
		p.see(signInFits, "true")
		const colours = `(({color, backgroundColor}) => color + " " + backgroundColor)(
			getComputedStyle(document.documentElement))`
		p.setScheme("dark")
		p.see(colours, "rgb(230, 231, 229) rgb(15, 17, 19)")
		p.setScheme("light")
		p.see(colours, "rgb(27, 29, 31) rgb(245, 245, 242)")
	})
	p.test("the form signs in", func() {
		p.eval(fmt.Sprintf(`document.querySelector(%q).value = "secret"; document.forms[0].submit()`, signInField))
		p.wait(`document.querySelector("#main")`)
		p.see("location.pathname + location.search", "/?a=b")
	})
	p.checkFaults()
}

// TestPageInvite tests that the button of an invite signs a device in, once.
func TestPageInvite(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openLocked(t, "", 390)
	p.enter(signInField, "secret")
	p.wait(hasFocus(signInField)) // autofocus may come later
	p.key("Enter")
	p.see(rowCount, "2")
	link := fmt.Sprint(p.eval(`fetch("api/v1/invites", {method: "POST"}).then((answer) => answer.json())
		.then(({data}) => data.url)`))
	path := link[strings.Index(link, "/join/"):]
	p.see(signOut, "204")
	p.test("the button signs in", func() {
		p.navigate(path)
		p.see(signInWords, "Sign this device in")
		p.see(signInFits, "true")
		p.key("Tab")
		p.key("Enter")
		p.see(rowCount, "2")
		p.see("location.pathname", "/")
	})
	p.test("an invite cannot be used again", func() {
		p.navigate(path)
		p.see(signInWords, "")
		p.see(`document.querySelector("main p").innerText`, "This link has been used, or has ended. Ask for another one.")
	})
	p.checkFaults()
}
