// Tests of Start, with which an empty service begins.

package web

import "testing"

// TestPageStart tests what Start shows, and that each step is ticked once it is done.
func TestPageStart(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, width := range []int{1280, 320} {
		p := &tab{browser: openBrowser(t), t: t, url: startNew(t)}
		p.open("#/", width)
		p.test("an empty service begins at Start", func() {
			p.see(hash, "#/start")
			p.see(textsOf(".start .step-line b"), "Where do you look?,Where do you go every day?,"+
				"Let listings come by mail,Be told at once,Who hunts?")
			p.see(textsOf(".start .primary"), "Add")
			p.see(fitsAcross, "true")
		})
		p.test("a link that is pasted is read by Add", func() {
			p.enter(welcomeField, "https://a.example/1")
			p.click(welcomeButton)
			p.see(hash, "#/add")
			p.click(clearAdd)
		})
		p.test("an example can be imported", func() {
			p.goTo("#/start", ".step-line")
			p.click(".start .welcome + .line button")
			p.see(hash, "#/")
			p.see(rowCount, "1")
		})
		p.test("the words for an empty service go once it has a flat", func() {
			p.goTo("#/start", ".step-line")
			p.see(`document.querySelectorAll(".welcome p").length`, "0")
		})
		p.test("each step leads to its section, and is ticked once it is done", func() {
			p.click(menuButton)
			p.click(inMenu("start"))
			p.click("[data-step=listings] a")
			p.see(hash, "#/settings/listings")
			p.eval(`fetch("api/v1/settings", {method: "PATCH", body: JSON.stringify({people: ["Ann", "Ben"],
				notify: {url: "http://127.0.0.1:1/x"}})}).then(({status}) => status)`)
			p.goTo("#/start", ".step-line")
			p.see(`[...document.querySelectorAll(".step-line")].map(({dataset}) => dataset.isDone).join()`,
				"false,false,false,true,true")
			p.see(`document.querySelector("[data-step=people] .done").ariaLabel`, "Done")
		})
		p.test("a device that gets messages ticks the step of messages, too", func() {
			const subscription = `{endpoint: "https://push.example/", keys: ` + pushKeys + "}"
			p.eval(`fetch("api/v1/settings", {method: "PATCH", body: JSON.stringify({notify: {remind: "08:00"}})})
				.then(({status}) => status)`)
			p.goTo("#/visits", "h1")
			p.goTo("#/start", ".step-line")
			p.see(`document.querySelector("[data-step=messages]").dataset.isDone`, "false")
			p.eval(`fetch("api/v1/push", {method: "POST", body: JSON.stringify(` + subscription + `)})
				.then(({status}) => status)`)
			p.goTo("#/visits", "h1")
			p.goTo("#/start", ".step-line")
			p.see(`document.querySelector("[data-step=messages]").dataset.isDone`, "true")
		})
		p.test("Hide takes Start out of the menu", func() {
			p.click(".start > .line:last-child button")
			p.see(hash, "#/")
			p.see(`document.querySelector("#menu [data-view=start]").hidden`, "true")
		})
		p.checkFaults()
	}
}
