// Push messages to this device. obstacle says why it cannot have any, tellHere and untellHere turn them on and off,
// deviceHere finds it among the devices of the service, offerHere offers them when a bell is pressed.

import {call} from "../lib/api.js"
import {me} from "../lib/people.js"
import {store, stored} from "../lib/storage.js"
import {t} from "../words/format.js"
import {s} from "../words/settings.js"
import {attempt, tell} from "./notice.js"

const deviceKey = "flats.device" // in the browser's storage: the id that the service gave this device
const offeredKey = "flats.told-offered" // whether offerHere has offered to tell it

const agent = navigator.userAgent

const isApple = ({userAgent, maxTouchPoints}) => /iPhone|iPad|iPod/.test(userAgent) ||
	/Macintosh/.test(userAgent) && maxTouchPoints > 1

// isPhone is whether to call the device a phone.
export const isPhone = /Mobi|Android/.test(agent) || isApple(navigator)

// obstacle returns in words why a browser cannot be told, or "".
export function obstacle(browser = window) {
	if (!browser.isSecureContext) return s.push_needs_https
	const isAble = "serviceWorker" in browser.navigator && "PushManager" in browser && "Notification" in browser
	const mustInstall = isApple(browser.navigator) && !browser.navigator.standalone
	if (!isAble) return mustInstall ? s.push_needs_install : s.push_unknown
	return browser.Notification.permission === "denied" ? s.push_denied : ""
}

const subscriptionHere = async () => (await navigator.serviceWorker?.getRegistration())?.pushManager?.getSubscription()

// deviceHere promises this device among those of the service, as long as its browser takes messages, or undefined.
export async function deviceHere(devices) {
	const device = devices.find(({id}) => id === stored(deviceKey))
	return device && await subscriptionHere() ? device : undefined
}

// tellHere asks the browser for messages, and the service to send them here.
export async function tellHere() {
	if (await Notification.requestPermission() !== "granted") throw new Error(s.push_denied)
	const {data: {key}} = await call("push")
	await navigator.serviceWorker.register("sw.js")
	const {pushManager} = await navigator.serviceWorker.ready
	const options = {userVisibleOnly: true, applicationServerKey: key}
	const subscription = await pushManager.subscribe(options).catch(async error => {
		const before = await pushManager.getSubscription()
		if (!before) throw new Error(`${s.push_failed} ${error.message}`)
		await before.unsubscribe() // it is one of a service with another key
		return pushManager.subscribe(options)
	})
	const body = JSON.stringify({...subscription.toJSON(), name: nameHere()})
	const {data} = await call("push", {method: "POST", body})
	store(deviceKey, data.id)
	return data
}

// untellHere ends the messages in the browser.
export async function untellHere() {
	await (await subscriptionHere())?.unsubscribe()
	store(deviceKey, null)
}

// nameHere names this device for the others: its person, its browser and its system.
function nameHere() {
	const first = names => names.find(([pattern]) => pattern.test(agent))?.[1]
	const browser = first([[/Edg/, "Edge"], [/Firefox|FxiOS/, "Firefox"], [/SamsungBrowser/, "Samsung Internet"],
		[/OPR/, "Opera"], [/Chrom|CriOS/, "Chrome"], [/Safari/, "Safari"]])
	const system = first([[/iPhone/, "iPhone"], [/Android/, "Android"], [/Windows/, "Windows"],
		[/CrOS/, "ChromeOS"], [/Linux/, "Linux"]]) ?? (isApple(navigator) ? "iPad" : "Mac")
	return [me(), browser, system].filter(Boolean).join(" · ")
}

// offerHere offers to tell this device, as long as nobody is told, else once. isElsewhere is whether there is another
// receiver of messages. Where nobody can be told it says why.
export async function offerHere(isElsewhere) {
	const {data: {devices}} = await call("push")
	if (await deviceHere(devices)) return
	const isAnybody = isElsewhere || devices.length > 0
	const hindrance = obstacle()
	if (isAnybody && (hindrance || stored(offeredKey))) return
	store(offeredKey, true)
	if (hindrance) tell(`${t.told_nobody}. ${hindrance}`, {act: [t.notify, openMessages]})
	else tell(isAnybody ? s.offer_device : t.told_nobody, {act: [s.tell_device, () => attempt(tellNow)]})
}

const openMessages = () => (location.hash = "#/settings/messages")

async function tellNow() {
	await tellHere()
	tell(isPhone ? s.phone_told : s.device_told)
}
