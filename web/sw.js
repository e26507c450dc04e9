// The service worker. It keeps the page and answers of the API for times without a network, and shows push messages.
//
// Every request goes to the network first. A kept answer is used only if the network fails, if it does not answer for
// some time, or if a proxy cannot reach the service; never instead of another error. A foreign answer, such as a
// proxy's page to sign in, is passed on and never kept.
//
// There are three caches. The first has the page, and is named after the hash of its files, so that two versions never
// mix. The second has the last 200 answers by address, from which recall also makes answers for other addresses. The
// third has the last 300 photos. Their names begin as all names in this browser's storage do (lib/service.js), because
// a browser has one set of caches for all services on a host.
//
// A 401 deletes the answers, the photos, and index.html, which has names and a token from the config, so that nobody
// sees them without the password. If opening the page gets the 401, the browser fetches it once more by itself, and
// shows the service's page to sign in.
//
// "Forget this device" (app.js) deletes all caches. If the worker stays active, because tabs are open, it keeps nothing
// (isForgotten) until the page is opened again and sends a message.

// The service (page.go) replaces these three values: the folder with the hash, the files in it, and the id of the data.
const assets = "assets/-/"
const files = []
const dataId = "{data}"

const scope = new URL("./", location)
const pathPrefix = scope.pathname + " " // of the caches of all services that were ever at this path
const dataPrefix = pathPrefix + dataId + " " // of the caches of this service and its data
const pageCache = dataPrefix + "page " + assets
const answerCache = dataPrefix + "answers"
const photoCache = dataPrefix + "photos"
const maxEntries = {[answerCache]: 200, [photoCache]: 300} // by cache

const api = new URL("api/v1/", scope).href
const flats = api + "flats/"
const photos = api + "photos/"
const folder = new URL("assets/", scope).href

// patience is how many milliseconds a request may take before a kept answer is used. A kept file of the page is as good
// as the service's. A kept answer of the API is outdated, so it is used only shortly before lib/api.js gives up.
const patience = {page: 4_000, answers: 15_000}

// After a request without an answer, a page sends many more. For this number of milliseconds they have only a quarter
// of that patience.
const impatientFor = 20_000
let lastHung = -Infinity // the time of the last request without an answer; -Infinity once another was answered

const feed = new URL("ics/visits.ics", api).pathname // for calendars, never kept

// neverKept has the paths for Settings. Their answers are of no use later, and not for anybody who finds the device.
const neverKept = ["settings", "postal_codes", "areas", "geocode", "backups", "push", "shares", "sessions"]
	.map(name => new URL(name, api).pathname)

addEventListener("install", event => event.waitUntil(install()))

// install keeps the page and makes this version take over at once. An open page works with a worker of any version.
async function install() {
	await keepPage()
	await skipWaiting()
}

// keepPage keeps the page with all its files, and rejects if one cannot be fetched.
async function keepPage() {
	const cache = await caches.open(pageCache)
	const index = await fetch(scope, {cache: "no-cache"})
	const text = await index.clone().text()
	// If the service has another version by now, that has a worker of its own.
	if (!index.ok || !isOurs(index) || !text.includes(assets)) throw new Error("another version")
	await cache.put(scope, index)
	await Promise.all(files.map(async name => {
		const response = await fetch(new URL(assets + name, scope))
		if (!response.ok || !isFlats(response)) throw new Error("not the service")
		await cache.put(response.url, response)
	}))
}

addEventListener("activate", event => event.waitUntil(activate()))

// activate deletes the pages of other versions and the caches of other data, and takes over open tabs.
async function activate() {
	const current = [pageCache, answerCache, photoCache]
	for (const name of await caches.keys()) {
		if (name.startsWith(pathPrefix) && !current.includes(name)) await caches.delete(name)
		else if (/^(page .*|answers|photos)$/.test(name)) await dropFromShared(name)
	}
	await clients.claim()
}

// dropFromShared deletes this service's entries in a cache of earlier versions, which all services on a host shared.
async function dropFromShared(name) {
	const cache = await caches.open(name)
	for (const request of await cache.keys()) {
		const {href} = new URL(request.url)
		const isOwn = href === scope.href || [api, folder].some(beginning => href.startsWith(beginning))
		if (isOwn) await cache.delete(request)
	}
	if ((await cache.keys()).length === 0) await caches.delete(name)
}

// parts/keeping.js sends a message if the page is opened but not kept.
addEventListener("message", event => event.waitUntil(keepAgain()))

// keepAgain keeps the page.
async function keepAgain() {
	await keepPage()
	await clients.claim()
}

addEventListener("fetch", event => {
	const answer = answerTo(event)
	if (answer) event.respondWith(answer)
})

// answerTo promises the answer to a request, or returns null to leave the request to the browser.
function answerTo(event) {
	const {request} = event
	const {method, mode} = request
	const {href, origin, pathname, searchParams, hash} = new URL(request.url)
	// An update is a PATCH of flat?id=ID or flat/ID. Its answer is the whole flat, so it is kept as the answer for that
	// flat.
	const id = origin + pathname === api + "flat" ? encodeURIComponent(searchParams.get("id"))
		: after(api + "flat/", origin + pathname)
	if (method === "PATCH" && id) return ask(event, flats + id)
	if (method !== "GET" || origin !== scope.origin || pathname === feed) return null
	if (neverKept.some(path => pathname === path || pathname.startsWith(path + "/"))) return null
	if (mode === "navigate") {
		if (pathname !== scope.pathname) return null
		const opensList = /^(#\/?)?$/.test(hash)
		if (opensList) event.waitUntil(askAhead(event.resultingClientId).catch(() => {/* the page asks */}))
		if (leavesNavigation) {
			leavesNavigation = false
			return null
		}
		return navigate(event)
	}
	if (href.startsWith(api)) {
		const isFlat = origin + pathname === api + "flats" && searchParams.has("id")
		const address = isFlat ? flats + encodeURIComponent(searchParams.get("id")) : href
		const find = () => (isForUs(request) ? recall(address) : null)
		return orKept(signal => ask(event, address, signal), find, patience.answers)
	}
	return href.startsWith(folder) ? asset(request) : null
}

// after returns the rest of an address after its beginning, or "" if it begins otherwise.
const after = (beginning, address) => (address.startsWith(beginning) ? address.slice(beginning.length) : "")

// leavesNavigation makes the worker leave the next navigation to the browser. So the service's page to sign in is
// shown; and browsers ask for the password of a proxy (HTTP Basic) only if they fetch the page themselves.
let leavesNavigation = false

// isFlats reports whether an answer comes from a service, and not from a proxy, such as its page to sign in.
const isFlats = response => response.headers.has("X-Flats")

// isOurs reports whether an answer comes from the service with this worker's data. Another service may have come to the
// address; its page will have another worker soon.
const isOurs = response => response.headers.get("X-Flats") === dataId

// isForUs reports whether a request may be answered with this worker's data.
const isForUs = request => [null, dataId].includes(request.headers.get("X-Flats"))

// reach sends a request, which a signal may abort. If a proxy answers a GET because it cannot reach the service, it
// rejects with an error whose member proxy is that answer.
async function reach(request, signal = null) {
	const response = await fetch(request, signal && {signal: AbortSignal.any([request.signal, signal])})
	lastHung = -Infinity
	const isProxy = request.method === "GET" && response.status >= 500 && !isFlats(response)
	if (isProxy) throw Object.assign(new Error("proxy"), {proxy: response})
	return response
}

// asset promises a file of the page. It never changes, so a kept one replaces any refusal.
function asset(request) {
	const find = () => caches.match(request, {ignoreVary: true})

	async function askOrFind() {
		const response = await reach(request).catch(() => Response.error())
		if (response.ok && isFlats(response)) return response
		return await find() ?? response
	}

	return orKept(askOrFind, find, patience.page)
}

// orKept promises the answer that ask(signal) requests. If the request fails or takes more than longest milliseconds,
// and an answer is kept, orKept aborts the request and promises the kept answer, which find() promises. A kept answer
// that replaces a proxy's has the proxy's status in X-Proxy, for lib/api.js. If nothing is kept, orKept goes on
// waiting, or promises the proxy's answer or an error.
async function orKept(ask, find, longest) {
	const ending = new AbortController()
	const wait = Date.now() - lastHung < impatientFor ? longest / 4 : longest
	let timer
	let isAnswered = false // then aborting the request would cut its answer
	const instead = new Promise(resolve => {
		timer = setTimeout(async () => {
			const kept = await find().catch(() => null)
			if (!kept || isAnswered) return
			lastHung = Date.now()
			resolve(kept)
			ending.abort() // free the connection: browsers have only a few
		}, wait)
	})
	try {
		return await Promise.race([ask(ending.signal), instead])
	} catch ({proxy}) {
		const kept = await find()
		if (!kept) return proxy ?? Response.error()
		if (!proxy) return kept
		const headers = new Headers(kept.headers)
		headers.set("X-Proxy", proxy.status)
		return new Response(kept.body, {headers})
	} finally {
		isAnswered = true
		clearTimeout(timer)
	}
}

// navigate answers a request to open the page, and keeps the page. A 401 deletes what is kept. The worker sends a
// request of its own: passed on, a navigation from a link on another site would look to the service like one in a
// frame.
async function navigate(event) {
	const {url, cache, headers} = event.request
	const address = new URL(url)
	address.username = address.password = "" // fetch refuses addresses with these
	const opening = new Request(address, {cache, redirect: "manual", headers: {Accept: headers.get("Accept")}})
	const find = () => caches.match(scope, {cacheName: pageCache})
	const response = await orKept(() => reach(opening), find, patience.page)
	if (response.ok) event.waitUntil(keepIndex(response.clone()).catch(() => {/* the disk is full */}))
	if (response.status !== 401) return response
	await forget()
	leavesNavigation = true
	return Response.redirect(url)
}

// keepIndex keeps index.html as it was just opened: a 401 may have deleted it, or the config may have changed.
async function keepIndex(response) {
	const text = await response.text()
	if (!isOurs(response) || !text.includes(assets) || await isForgotten()) return
	const cache = await caches.open(pageCache)
	await cache.put(scope, new Response(text, {headers: response.headers}))
}

// ahead is the first request of the list, {client, href, answer, until}, or null. It is sent while the page is being
// fetched, so that over a slow network both answers come together. parts/keeping.js stores its address, "first". client
// is the id of the page, answer promises the answer, until is the time after which the answer is too old.
let ahead = null

// askAhead sends the first request of the list for the page with a client id.
async function askAhead(client) {
	const first = await caches.match(new URL("first", api), {cacheName: answerCache})
	if (!first) return
	const href = new URL(await first.text(), api).href
	const headers = {"X-Flats": dataId}
	const answer = reach(new Request(href, {cache: "no-cache", headers}))
	const sent = {client, href, answer, until: Infinity}
	ahead = sent
	await answer
	sent.until = Date.now() + 3_000 // the page asks as soon as it runs; a later request wants a new answer
}

// takeAhead returns the answer of ahead if it is the answer to this request, or null. An update makes ahead outdated. A
// request with If-None-Match comes from a list that has its answer already.
function takeAhead({clientId, request}) {
	if (request.method !== "GET") ahead = null
	const isSamePage = ahead?.client === clientId
	const isSameRequest = ahead?.href === request.url && isForUs(request) && !request.headers.has("If-None-Match")
	if (!isSamePage || !isSameRequest) return null
	const {answer, until} = ahead
	ahead = null
	return Date.now() < until ? answer : null
}

// ask sends a request, which a signal may abort, and keeps the answer under an address.
async function ask(event, address, signal) {
	const forgetsBefore = forgets
	const response = await (takeAhead(event) ?? reach(event.request, signal))
	if (response.status === 401) await forget()
	const isKept = response.status === 200 && isOurs(response)
	if (isKept) event.waitUntil(keep(address, response.clone(), forgetsBefore).catch(() => {/* the disk is full */}))
	return response
}

// forgets counts calls of forget. An answer that was requested before the last call is not kept.
let forgets = 0

// forget deletes answers, photos and index.html.
async function forget() {
	forgets++
	for (const name of await caches.keys()) {
		if ([answerCache, photoCache].includes(name)) await caches.delete(name)
		else if (name.startsWith(dataPrefix)) await (await caches.open(name)).delete(scope)
	}
}

// isForgotten promises whether the device was told to forget, which leaves no page of any version.
const isForgotten = async () => !(await caches.keys()).some(name => name.startsWith(dataPrefix + "page "))

// keep stores an answer under an address, unless it is a download (CSV), and deletes the entries whose last put is
// longest ago. forgetsBefore is the value of forgets when the answer was requested. The copy has the time in X-Kept,
// which lib/api.js returns as asOf, and no Vary, so that it matches any request for its address.
async function keep(address, response, forgetsBefore) {
	const mustForget = async () => forgetsBefore !== forgets || await isForgotten()
	if (await mustForget()) return
	const headers = new Headers(response.headers)
	if (headers.get("Content-Disposition")?.startsWith("attachment")) return
	headers.set("X-Kept", new Date().toISOString())
	headers.delete("Vary")
	const name = address.startsWith(photos) ? photoCache : answerCache
	const cache = await caches.open(name)
	await cache.put(address, new Response(await response.blob(), {headers}))
	// put has moved the address to the end of the keys.
	for (const key of (await cache.keys()).slice(0, -maxEntries[name])) await cache.delete(key)
	if (await mustForget()) await forget() // the others were, while this one was being stored
}

// readJSON is the function of lib/api.js, which this worker cannot import.
const readJSON = text => JSON.parse(text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g,
	token => (/^-?\d{16,}$/.test(token) ? `"${token}"` : token)))

// recall promises the kept answer for an address, or one made from others, or undefined.
async function recall(address) {
	if (address.startsWith(photos)) return caches.match(address, {cacheName: photoCache})
	const cache = await caches.open(answerCache)
	const answer = await cache.match(address)
	if (answer) return answer
	const id = after(flats, address)
	if (id && !id.includes("?")) return findFlat(cache, decodeURIComponent(id))
	return await findEarlier(cache, address) ?? await findRatings(cache, address) ?? findFlats(cache, address)
}

// times matches the times in min[changed]=… and min[first_seen]=…, the bounds of a query for the last days. They change
// with the hour.
const times = /(?<=min%5B(?:changed|first_seen)%5D=)[^&]+/g

// daysSince returns how many days before now the times in an address are, as text: "7".
const daysSince = (address, now) => String(address.match(times)?.map(time =>
	Math.round((now - Date.parse(decodeURIComponent(time))) / 86_400_000)))

// findEarlier promises the last answer to a query that differs only in its times, if it asked for as many days.
async function findEarlier(cache, address) {
	const query = address.replaceAll(times, "")
	if (query === address) return
	for (const {url} of (await cache.keys()).reverse()) {
		if (url.replaceAll(times, "") !== query) continue
		const kept = await cache.match(url)
		if (daysSince(url, Date.parse(kept.headers.get("X-Kept"))) === daysSince(address, Date.now())) return kept
	}
}

// findFlats promises an answer to a query for ids alone, as Compare sends it, if all these flats are kept.
async function findFlats(cache, address) {
	const {origin, pathname, searchParams} = new URL(address)
	if (origin + pathname !== api + "find" || [...searchParams.keys()].some(name => name !== "any[id]")) return
	const urls = searchParams.getAll("any[id]").map(id => api + "flats/" + encodeURIComponent(id))
	const found = await Promise.all(urls.map(recall))
	if (found.length === 0 || !found.every(Boolean)) return
	const data = await Promise.all(found.map(async kept => readJSON(await kept.text()).data))
	return new Response(JSON.stringify({data, total: data.length, counts: {}}), {headers: found[0].headers})
}

// findRatings promises an answer to a query for the ratings of some ids (lib/opinions.js). It takes each flat from the
// newest kept answer with the same fields that has it.
async function findRatings(cache, address) {
	const {searchParams: asked} = new URL(address)
	const fields = asked.get("fields")
	if (!fields?.includes("ratings")) return
	const ids = asked.getAll("any[id]")
	const rows = new Map()
	let headers
	for (const {url} of await cache.keys()) { // the newest last
		if (new URL(url).searchParams.get("fields") !== fields) continue
		const kept = await cache.match(url)
		for (const row of readJSON(await kept.text()).data) if (ids.includes(String(row.id))) rows.set(row.id, row)
		headers = kept.headers
	}
	const data = [...rows.values()]
	return data.length > 0 ? new Response(JSON.stringify({data, total: data.length, counts: {}}), {headers}) : undefined
}

// findFlat promises the answer for a flat that was never requested by itself. It takes the flat from the last answer
// that has it with all its fields: an answer to a query for particular fields lacks the others.
async function findFlat(cache, id) {
	const isWhole = ({url}) => url.startsWith(api + "find?") && !url.includes("fields=")
	for (const key of (await cache.keys()).filter(isWhole).reverse()) {
		const kept = await cache.match(key)
		const flat = readJSON(await kept.clone().text()).data.find(flat => String(flat.id) === id)
		if (flat) return new Response(JSON.stringify({data: flat}), {headers: kept.headers})
	}
}

// Push messages

// wordsIfUnreadable has the title of a message that cannot be read, by language.
const wordsIfUnreadable = {en: "There is news", fr: "Il y a du nouveau", de: "Es gibt Neues"}

addEventListener("push", event => event.waitUntil(showMessage(event.data)))

// showMessage shows a message, {title, text, link, tag, badge}. It replaces the last message with the same tag, the
// name of a view. badge is the number of all new flats.
async function showMessage(data) {
	const {title, text, link, tag, badge} = await isForgotten() ? {} : readMessage(data)
	const language = navigator.languages.map(name => name.slice(0, 2)).find(name => wordsIfUnreadable[name]) ?? "en"
	await registration.showNotification(title ?? wordsIfUnreadable[language], {
		body: text,
		tag,
		renotify: tag !== undefined,
		icon: new URL(assets + "icon-192.png", scope).href,
		data: link,
	})
	if (Number.isInteger(badge)) await navigator.setAppBadge?.(badge).catch(() => {/* the page is not installed */})
}

// readMessage returns the valid members of a message, or {} if it cannot be read.
function readMessage(data) {
	try {
		const {title, text, link, tag, badge} = data.json()
		if (typeof title !== "string" || title === "") return {}
		const asText = value => (typeof value === "string" && value !== "" ? value : undefined)
		return {title, text: asText(text), link: asText(link), tag: asText(tag), badge}
	} catch {
		return {}
	}
}

addEventListener("notificationclick", event => {
	event.notification.close()
	event.waitUntil(openLink(event.notification.data))
})

// openLink opens a link to the page, or the page itself for any other link, in a window that is already open if there
// is one.
async function openLink(link) {
	const isOwn = URL.canParse(link) && new URL(link).href.startsWith(scope.href)
	const all = await clients.matchAll({type: "window", includeUncontrolled: true})
	const ownWindows = all.filter(({url}) => url.startsWith(scope.href))
	const target = ownWindows.find(({visibilityState}) => visibilityState === "visible") ?? ownWindows[0]
	if (!target) return clients.openWindow(isOwn ? link : scope.href)
	await target.focus().catch(() => {/* the link opens all the same */})
	// navigate fails if this worker does not control the window, as after a forced reload.
	if (isOwn) await target.navigate(link).catch(() => clients.openWindow(link))
}
