// Push messages to this device. obstacle tells why it cannot get any. tellHere and untellHere turn them on and off.
// deviceHere finds this device among the service's devices, offerHere offers messages when a bell is pressed.

import {call} from "../lib/api.js"
import {me} from "../lib/people.js"
import {store, stored} from "../lib/storage.js"
import {t} from "../words/format.js"
import {s} from "../words/settings.js"
import {attempt, tell} from "./notice.js"

const deviceKey = "flats.device" // in storage: the id that the service gave this device
const offeredKey = "flats.told-offered" // in storage: whether offerHere has offered messages

const agent = navigator.userAgent

// isApple reports whether the device is an iPhone or iPad, which may call itself a Mac.
const isApple = ({userAgent, maxTouchPoints}) => /iPhone|iPad|iPod/.test(userAgent) ||
	/Macintosh/.test(userAgent) && maxTouchPoints > 1

// isPhone tells whether to call the device a phone.
export const isPhone = /Mobi|Android/.test(agent) || isApple(navigator)

// obstacle writes why a browser cannot get messages, or returns "".
export function obstacle(browser = window) {
	if (!browser.isSecureContext) return s.push_needs_https
	const isAble = "serviceWorker" in browser.navigator && "PushManager" in browser && "Notification" in browser
	const isInstalled = browser.navigator.standalone // on Apple's devices, where only an installed page is able
	const mustInstall = isApple(browser.navigator) && !isInstalled
	if (!isAble) return mustInstall ? s.push_needs_install : s.push_unknown
	return browser.Notification.permission === "denied" ? s.push_denied : ""
}

// subscriptionHere promises the browser's subscription to push messages, or a falsy value if there is none.
const subscriptionHere = async () => (await navigator.serviceWorker?.getRegistration())?.pushManager?.getSubscription()

// deviceHere promises this device among the service's devices, or undefined if it gets no messages.
export async function deviceHere(devices) {
	const device = devices.find(({id}) => id === stored(deviceKey))
	return device && await subscriptionHere() ? device : undefined
}

// tellHere asks the browser for permission, and the service to send messages to this device.
export async function tellHere() {
	if (await Notification.requestPermission() !== "granted") throw new Error(s.push_denied)
	const {data: {key}} = await call("push")
	await navigator.serviceWorker.register("sw.js")
	const {pushManager} = await navigator.serviceWorker.ready
	const options = {userVisibleOnly: true, applicationServerKey: key}
	const subscription = await pushManager.subscribe(options).catch(async error => {
		const before = await pushManager.getSubscription()
		if (!before) throw new Error(`${s.push_failed} ${error.message}`)
		await before.unsubscribe() // it is for a service with another key
		return pushManager.subscribe(options)
	})
	const body = JSON.stringify({...subscription.toJSON(), name: nameHere()})
	const {data} = await call("push", {method: "POST", body})
	store(deviceKey, data.id)
	return data
}

// untellHere ends messages to this browser.
export async function untellHere() {
	await (await subscriptionHere())?.unsubscribe()
	store(deviceKey, null)
}

// nameHere makes a name for this device from its person, browser and system.
function nameHere() {
	const first = names => names.find(([pattern]) => pattern.test(agent))?.[1]
	const browser = first([[/Edg/, "Edge"], [/Firefox|FxiOS/, "Firefox"], [/SamsungBrowser/, "Samsung Internet"],
		[/OPR/, "Opera"], [/Chrom|CriOS/, "Chrome"], [/Safari/, "Safari"]])
	const system = first([[/iPhone/, "iPhone"], [/Android/, "Android"], [/Windows/, "Windows"],
		[/CrOS/, "ChromeOS"], [/Linux/, "Linux"]]) ?? (isApple(navigator) ? "iPad" : "Mac")
	return [me(), browser, system].filter(Boolean).join(" · ")
}

// offerHere offers messages on this device: each time if nobody gets messages yet, else once. isElsewhere tells whether
// messages also go to the receiver in the config. If this device cannot get messages and nobody else does, offerHere
// says why.
export async function offerHere(isElsewhere) {
	const {data: {devices}} = await call("push")
	if (await deviceHere(devices)) return
	const isAnybodyTold = isElsewhere || devices.length > 0
	const hindrance = obstacle()
	if (isAnybodyTold && (hindrance || stored(offeredKey))) return
	store(offeredKey, true)
	if (hindrance) tell(`${t.told_nobody}. ${hindrance}`, {act: [t.notify, openMessages]})
	else tell(isAnybodyTold ? s.offer_device : t.told_nobody, {act: [s.tell_device, () => attempt(tellNow)]})
}

const openMessages = () => (location.hash = "#/settings/messages")

async function tellNow() {
	await tellHere()
	tell(isPhone ? s.phone_told : s.device_told)
}
