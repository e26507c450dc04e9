// What a person sees of the password, the devices and the invites, and what a person does there.

package web

import (
	"fmt"
	"strings"
)

// The page to sign in, which is the service's own.
const (
	passwordField  = `input[type=password][autocomplete=current-password]`
	signInButton   = "main form button"
	asksToSignIn   = `document.querySelector("` + passwordField + `") !== null && document.querySelector("#bar") === null`
	signedOutLine  = `document.querySelector("#kept").innerText`
	signInHere     = "#kept a"
	signOutInMenu  = "#menu button:nth-last-child(2)"
	signOutOffered = `!document.querySelector("` + signOutInMenu + `").hidden &&
		document.querySelector("` + signOutInMenu + `").innerText === "Sign out"`
)

const whoDialog = "dialog.who" // asks who uses the page

// The sections "Access" and "People".
const (
	passwordForm     = "#settings-access form.password"
	oldPassword      = passwordForm + " [data-path=old]"
	newPassword      = passwordForm + " [data-path=password]"
	passwordAgain    = passwordForm + " [data-path=again]"
	passwordButton   = passwordForm + " > .line button"
	passwordStrength = `document.querySelector("` + passwordForm + ` [role=status]").innerText`
	// deviceLines has the line of each device without its days.
	deviceLines = `[...document.querySelectorAll("#settings-access li.line")].map((line) => [...line.children]
		.filter((part) => !part.matches(".soft")).map(({innerText}) => innerText).join(" ")).join("; ")`
	deviceDays  = `document.querySelector("#settings-access li.line .soft").innerText`
	lastSignOut = "#settings-access li.line:last-child button"
	inviteWords = `[...document.querySelectorAll("#settings-people > .told:last-child > *")].map(({innerText}) =>
		innerText).filter(Boolean).join(" | ")`
	phoneHelp     = "#settings-access details > p:not(.soft)" // why a phone does not reach the address
	inviteLink    = `document.querySelector("#settings-people .link-box code").innerText`
	secondInvite  = "#settings-people .told:last-child > .line button:nth-child(2)" // the button that invites Ben
	inviteButtons = `[...document.querySelectorAll("#settings-people .told:last-child > .line button")]
		.map(({innerText}) => innerText).join()`
)

// sectionLine returns an expression for the line with the state of a section.
func sectionLine(section string) string { return text(inSection(section, ".told p")) }

// troubleIn returns an expression for what is wrong at a field of the password, as a screen reader finds it.
func troubleIn(path string) string { return troubleAt("access", path) }

// inviteFor returns an expression for the button that invites a person.
func inviteFor(person string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("#settings-people button")].find(({innerText}) => innerText === %q)`,
		"Invite "+person)
}

// drawnCode returns an expression for the rows of the QR code in a part of the page, as JSON, from its drawing.
func drawnCode(part string) string {
	return fmt.Sprintf(`((drawing) => {
		const size = drawing.viewBox.baseVal.width - 8;
		const rows = Array.from({length: size}, () => Array(size).fill(false));
		for (const [, x, y] of drawing.querySelector(".dark").getAttribute("d").matchAll(/M(\d+) (\d+)/g))
			rows[y - 4][x - 4] = true;
		return JSON.stringify(rows);
	})(document.querySelector(%q))`, part+" svg.qr")
}

// setPassword types a password twice, and the old one if there is one, and presses the button.
func (p *tab) setPassword(old, password string) {
	p.t.Helper()
	if old != "" {
		p.enter(oldPassword, old)
	}
	p.enter(newPassword, password)
	p.enter(passwordAgain, password)
	p.click(passwordButton)
}

// signInWith types a password in the page to sign in, and presses its button.
func (p *tab) signInWith(password string) {
	p.t.Helper()
	p.enter(passwordField, password)
	p.click(signInButton)
}

// openSignedOut opens a path on another device, which has to sign in first.
func (p *tab) openSignedOut(path string, width int) *tab {
	p.t.Helper()
	other := &tab{browser: p.browser, t: p.t, url: p.url}
	other.openDevice(path, width)
	other.wait(asksToSignIn)
	return other
}

// openInvite opens an invite on another device, and presses its button.
func (p *tab) openInvite(link string, width int) *tab {
	p.t.Helper()
	other := &tab{browser: p.browser, t: p.t, url: p.url}
	other.openDevice(strings.TrimPrefix(link, p.url+"/"), width)
	other.wait(isThere(signInButton))
	return other
}
