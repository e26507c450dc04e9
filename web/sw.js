// The service worker: it keeps the page, and answers of the API, for times without a network.
//
// Every request goes to the network first. What is kept is used only if the network fails, or a proxy cannot reach the
// service, never in place of another error. A network that takes a request and does not answer, as in a lift, counts as
// one that fails. An answer that is not the service's, such as a proxy's page to sign in, is passed on and never kept.
// The page is kept in a cache named after the hash of its files, so that files of two versions never mix. Another
// cache has the last 200 answers by their address, of which recall makes answers for some other addresses, and a third
// one the last 300 photos. A 401 deletes both, and index.html, which has names and a token from the config, so that
// nobody can see them without the password; the other files are those of the program. After a 401 to the opening of
// the page, the browser fetches it itself, and shows the service's page to sign in.
//
// A browser has one set of caches for all services under a host. The names of these begin with the path of the page
// and the id of the data, as all that is kept (lib/service.js).
//
// Messages about saved views come here too, while the page is closed (push.go). They are at the end of this file.
//
// "Forget this device" (app.js) deletes all caches. A worker that stays active after that, because tabs
// are open, keeps nothing (isForgotten) until the page is opened again and sends a message.

// The service writes the hash and the names of the files here, and the id of its data.
const assets = "assets/-/"
const files = []
const dataId = "{data}"

const scope = new URL("./", location)
const ofPath = scope.pathname + " " // begins the names of the caches of all services that were ever at this path
const ofData = ofPath + dataId + " "
const pageCache = ofData + "page " + assets
const answerCache = ofData + "answers"
const photoCache = ofData + "photos"
const most = {[answerCache]: 200, [photoCache]: 300} // how many are kept

const api = new URL("api/v1/", scope).href
const flats = api + "flats/"
const photos = api + "photos/"
const folder = new URL("assets/", scope).href
// How long a request may go without an answer before what is kept is used, in milliseconds. A kept file of the page is
// as good as the service's. A kept answer is older: it is used shortly before lib/api.js gives up.
const patience = {page: 4_000, answers: 15_000}

// For some time after a request went without an answer, others wait only a quarter as long: a page has many.
const remembered = 20_000
let hungAt = -Infinity // when a request last went without an answer

const feed = new URL("ics/visits.ics", api).pathname // for calendars: never kept
// What Settings asks is of now alone, and not for whoever finds the device: it is never kept.
const unkept = ["settings", "postal_codes", "areas", "geocode", "backups", "push", "shares", "sessions"]
	.map(name => new URL(name, api).pathname)

addEventListener("install", event => event.waitUntil(install()))

// install keeps the page, and makes this version take over at once. An open page works with a worker of any version.
async function install() {
	await keepPage()
	await skipWaiting()
}

// keepPage keeps the page with all of its files, and fails if one of them cannot be fetched.
async function keepPage() {
	const cache = await caches.open(pageCache)
	const index = await fetch(scope, {cache: "no-cache"})
	const text = await index.clone().text()
	// If the service has another version now, its files differ; that version has its own worker.
	if (!index.ok || !isOurs(index) || !text.includes(assets)) throw new Error("another version")
	await cache.put(scope, index)
	await Promise.all(files.map(async name => {
		const response = await fetch(new URL(assets + name, scope))
		if (!response.ok || !isFlats(response)) throw new Error("not the service")
		await cache.put(response.url, response)
	}))
}

addEventListener("activate", event => event.waitUntil(activate()))

// activate deletes the pages of other versions and what was kept of other data, and serves the tabs that are open
// already.
async function activate() {
	const own = [pageCache, answerCache, photoCache]
	for (const name of await caches.keys()) {
		if (name.startsWith(ofPath) && !own.includes(name)) await caches.delete(name)
		else if (/^(page .*|answers|photos)$/.test(name)) await dropUnnamed(name)
	}
	await clients.claim()
}

// dropUnnamed deletes what this service has in a cache of earlier versions, which several services may share.
async function dropUnnamed(name) {
	const cache = await caches.open(name)
	for (const request of await cache.keys()) {
		const {href} = new URL(request.url)
		const isOwn = href === scope.href || [api, folder].some(beginning => href.startsWith(beginning))
		if (isOwn) await cache.delete(request)
	}
	if ((await cache.keys()).length === 0) await caches.delete(name)
}

// app.js sends a message if the page is opened after this worker had to forget it.
addEventListener("message", event => event.waitUntil(keepAgain()))

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
	// The answer to an update is the whole flat, so it is kept as the answer for that flat.
	const id = origin + pathname === api + "flat" ? encodeURIComponent(searchParams.get("id"))
		: after(api + "flat/", origin + pathname)
	if (method === "PATCH" && id) return ask(event, flats + id)
	if (method !== "GET" || origin !== scope.origin || pathname === feed) return null
	if (unkept.some(path => pathname === path || pathname.startsWith(path + "/"))) return null
	if (mode === "navigate") {
		if (pathname !== scope.pathname) return null
		if (/^(#\/?)?$/.test(hash)) event.waitUntil(askAhead(event.resultingClientId).catch(() => {/* the page asks */}))
		if (!asksItself) return navigate(event)
		asksItself = false
		return null
	}
	if (href.startsWith(api)) {
		const isFlat = origin + pathname === api + "flats" && searchParams.has("id")
		const address = isFlat ? flats + encodeURIComponent(searchParams.get("id")) : href
		const find = () => (isForUs(request) ? recall(address) : null)
		return orKept(signal => ask(event, address, signal), find, patience.answers)
	}
	return href.startsWith(folder) ? asset(request) : null
}

// after returns what follows the beginning of an address, or "" if it begins otherwise.
const after = (beginning, address) => (address.startsWith(beginning) ? address.slice(beginning.length) : "")

// asksItself leaves the next navigation to the browser: the service answers it by its page to sign in, and the browser
// asks for the password of a proxy (HTTP Basic) only if it fetches the page itself.
let asksItself = false

// isFlats reports whether an answer is a service's. Others come from a proxy, such as a page to sign in.
const isFlats = response => response.headers.has("X-Flats")

// isOurs reports whether an answer is that of the service with the data that this worker keeps: another service may
// have come to the address, whose page has another worker soon.
const isOurs = response => response.headers.get("X-Flats") === dataId

// isForUs reports whether a request may be answered with what is kept here: it is meant for no other data.
const isForUs = request => [null, dataId].includes(request.headers.get("X-Flats"))

// reach sends a request, which a signal may end. It fails if a proxy answers a GET because it cannot reach the service:
// the error has the proxy's answer.
async function reach(request, signal = null) {
	const response = await fetch(request, signal && {signal: AbortSignal.any([request.signal, signal])})
	hungAt = -Infinity
	const isLost = request.method === "GET" && response.status >= 500 && !isFlats(response)
	if (isLost) throw Object.assign(new Error("proxy"), {proxy: response})
	return response
}

// asset returns a file of the page. It never changes, so a kept one is as good as the service's, and is used in place
// of any refusal.
function asset(request) {
	const find = () => caches.match(request, {ignoreVary: true})

	async function ask() {
		const response = await reach(request).catch(() => Response.error())
		return response.ok && isFlats(response) ? response : await find() ?? response
	}

	return orKept(ask, find, patience.page)
}

// orKept promises the answer of the network, which ask(signal) requests. If the network fails or takes longer than most
// milliseconds, it promises the answer that find returns, and ends the request. If there is none, it goes on waiting,
// or promises the answer of the proxy that cannot reach the service. Otherwise X-Proxy has its status, for api.js.
async function orKept(ask, find, most) {
	const ending = new AbortController()
	const wait = Date.now() - hungAt < remembered ? most / 4 : most
	let timer
	let isOver = false // then ending the request would cut the answer
	const instead = new Promise(resolve => {
		timer = setTimeout(async () => {
			const kept = await find().catch(() => null)
			if (!kept || isOver) return
			hungAt = Date.now()
			resolve(kept)
			ending.abort() // it would occupy one of the few connections of a browser
		}, wait)
	})
	try {
		return await Promise.race([ask(ending.signal), instead])
	} catch ({proxy}) {
		const kept = await find()
		if (!kept || !proxy) return kept ?? proxy ?? Response.error()
		const headers = new Headers(kept.headers)
		headers.set("X-Proxy", proxy.status)
		return new Response(kept.body, {headers})
	} finally {
		isOver = true
		clearTimeout(timer)
	}
}

// navigate answers the opening of the page, which it keeps. A 401 deletes what is kept. The request is a new one: in
// one that is passed on, a link on another site looks like a frame there.
async function navigate(event) {
	const {url, cache, headers} = event.request
	const address = new URL(url)
	address.username = address.password = "" // a request with these would be refused
	const opening = new Request(address, {cache, redirect: "manual", headers: {Accept: headers.get("Accept")}})
	const find = () => caches.match(scope, {cacheName: pageCache})
	const response = await orKept(() => reach(opening), find, patience.page)
	if (response.ok) event.waitUntil(keepIndex(response.clone()).catch(() => {/* the disk is full */}))
	if (response.status !== 401) return response
	await forget()
	asksItself = true
	return Response.redirect(url)
}

// keepIndex keeps index.html as it was opened: a 401 may have deleted it, or the config may have other values.
async function keepIndex(response) {
	const text = await response.text()
	if (!isOurs(response) || !text.includes(assets) || await isForgotten()) return
	const cache = await caches.open(pageCache)
	await cache.put(scope, new Response(text, {headers: response.headers}))
}

// The first request of the list, {client, href, answer, until}, is sent while the page is asked for, so that over a
// slow network both answers come at once. parts/keeping.js keeps its address. An answer that the page does not ask for
// soon would be old: it is dropped, and so it is with any change.
let ahead = null

async function askAhead(client) {
	const first = await caches.match(new URL("first", api), {cacheName: answerCache})
	if (!first) return
	const href = new URL(await first.text(), api).href
	const headers = {"X-Flats": dataId}
	const mine = ahead = {client, href, answer: reach(new Request(href, {cache: "no-cache", headers})), until: Infinity}
	await mine.answer
	mine.until = Date.now() + 3_000
}

// takeAhead returns the answer to such a request, for the page that it was sent for, or null.
function takeAhead({clientId, request}) {
	if (request.method !== "GET") ahead = null
	const isSame = ahead?.client === clientId && ahead.href === request.url && isForUs(request)
	if (!isSame || request.headers.has("If-None-Match")) return null
	const {answer, until} = ahead
	ahead = null
	return Date.now() < until ? answer : null
}

// ask sends a request, which a signal may end, and keeps the answer as that of an address.
async function ask(event, address, signal) {
	const before = forgets
	const response = await (takeAhead(event) ?? reach(event.request, signal))
	if (response.status === 401) await forget()
	const isKept = response.status === 200 && isOurs(response)
	if (isKept) event.waitUntil(keep(address, response.clone(), before).catch(() => {/* the disk is full */}))
	return response
}

// An answer is not kept if a 401 has come since it was asked for.
let forgets = 0 // how often forget was called

// forget deletes the answers, the photos and index.html.
async function forget() {
	forgets++
	for (const name of await caches.keys()) {
		if ([answerCache, photoCache].includes(name)) await caches.delete(name)
		else if (name.startsWith(ofData)) await (await caches.open(name)).delete(scope)
	}
}

// isForgotten reports whether the device was asked to forget, which leaves no page of any version.
const isForgotten = async () => !(await caches.keys()).some(name => name.startsWith(ofData + "page "))

// keep keeps an answer, unless it is a download (CSV), and deletes the oldest ones: put moves an address to the end of
// the keys. before is the number of forgets when it was asked for. X-Kept has the time, which api.js returns as asOf.
// Without Vary the answer matches any request for its address.
async function keep(address, response, before) {
	const mustForget = async () => before !== forgets || await isForgotten()
	if (await mustForget()) return
	const headers = new Headers(response.headers)
	if (headers.get("Content-Disposition")?.startsWith("attachment")) return
	headers.set("X-Kept", new Date().toISOString())
	headers.delete("Vary")
	const name = address.startsWith(photos) ? photoCache : answerCache
	const cache = await caches.open(name)
	await cache.put(address, new Response(await response.blob(), {headers}))
	for (const key of (await cache.keys()).slice(0, -most[name])) await cache.delete(key)
	if (await mustForget()) await forget() // forgotten meanwhile
}

// recall finds the answer that was kept for an address, or makes it of others.
async function recall(address) {
	if (address.startsWith(photos)) return caches.match(address, {cacheName: photoCache})
	const cache = await caches.open(answerCache)
	const id = after(flats, address)
	return await cache.match(address) ??
		(id && !id.includes("?") ? findFlat(cache, decodeURIComponent(id))
			: await findEarlier(cache, address) ?? await findRatings(cache, address) ?? findFlats(cache, address))
}

// The times in the address of a query for the last days. They change with the hour.
const times = /(?<=min%5B(?:changed|first_seen)%5D=)[^&]+/g
const daysSince = (address, now) => String(address.match(times)?.map(time =>
	Math.round((now - Date.parse(decodeURIComponent(time))) / 86_400_000)))

// findEarlier finds the last answer to the same query for as many days.
async function findEarlier(cache, address) {
	const query = address.replaceAll(times, "")
	if (query === address) return
	for (const {url} of (await cache.keys()).reverse()) {
		if (url.replaceAll(times, "") !== query) continue
		const kept = await cache.match(url)
		if (daysSince(url, Date.parse(kept.headers.get("X-Kept"))) === daysSince(address, Date.now())) return kept
	}
}

// findFlats makes the answer to a query for nothing but some ids, as Compare sends it, if all of these flats are
// kept.
async function findFlats(cache, address) {
	const {origin, pathname, searchParams} = new URL(address)
	if (origin + pathname !== api + "find" || [...searchParams.keys()].some(name => name !== "any[id]")) return
	const urls = searchParams.getAll("any[id]").map(id => api + "flats/" + encodeURIComponent(id))
	const found = await Promise.all(urls.map(recall))
	if (found.length === 0 || !found.every(Boolean)) return
	const data = await Promise.all(found.map(async kept => (await kept.json()).data))
	return new Response(JSON.stringify({data, total: data.length, counts: {}}), {headers: found[0].headers})
}

// findRatings makes the answer to a query for the ratings of some ids, as lib/opinions.js sends it, from those to other
// such queries: the newest of each flat.
async function findRatings(cache, address) {
	const {searchParams: asked} = new URL(address)
	const fields = asked.get("fields")
	if (!fields?.includes("ratings")) return
	const ids = asked.getAll("any[id]")
	const rows = new Map()
	let headers
	for (const {url} of await cache.keys()) {
		if (new URL(url).searchParams.get("fields") !== fields) continue
		const kept = await cache.match(url)
		for (const row of (await kept.json()).data) if (ids.includes(String(row.id))) rows.set(row.id, row)
		headers = kept.headers
	}
	const data = [...rows.values()]
	return data.length > 0 ? new Response(JSON.stringify({data, total: data.length, counts: {}}), {headers}) : undefined
}

// findFlat makes the answer for a flat that was never requested itself from the answers to queries. It looks through
// them from the most recent one on, without those that have only some of the fields.
async function findFlat(cache, id) {
	const whole = ({url}) => url.startsWith(api + "find?") && !url.includes("fields=")
	for (const key of (await cache.keys()).filter(whole).reverse()) {
		const kept = await cache.match(key)
		const flat = (await kept.clone().json()).data.find(flat => String(flat.id) === id)
		if (flat) return new Response(JSON.stringify({data: flat}), {headers: kept.headers})
	}
}

// Push messages

// What is shown in place of a message that cannot be read, in the language of the browser.
const unread = {en: "There is news", fr: "Il y a du nouveau", de: "Es gibt Neues"}

addEventListener("push", event => event.waitUntil(showMessage(event.data)))

// showMessage shows a message, {title, text, link, tag, badge}. It takes the place of the last one with its tag, which
// is that of a view. The badge counts all that is new.
async function showMessage(data) {
	const {title, text, link, tag, badge} = await isForgotten() ? {} : readMessage(data)
	const language = navigator.languages.map(name => name.slice(0, 2)).find(name => unread[name]) ?? "en"
	await registration.showNotification(title ?? unread[language], {
		body: text,
		tag,
		renotify: tag !== undefined,
		icon: new URL(assets + "icon-192.png", scope).href,
		data: link,
	})
	if (Number.isInteger(badge)) await navigator.setAppBadge?.(badge).catch(() => {/* the page is not installed */})
}

// readMessage returns the members of a message as far as they are what they should be, or {} if it cannot be read.
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

// openLink opens a link of the page, in a window that is there if there is one. In place of any other link it opens the
// page.
async function openLink(link) {
	const isOwn = URL.canParse(link) && new URL(link).href.startsWith(scope.href)
	const all = await clients.matchAll({type: "window", includeUncontrolled: true})
	const own = all.filter(({url}) => url.startsWith(scope.href))
	const there = own.find(({visibilityState}) => visibilityState === "visible") ?? own[0]
	if (!there) return clients.openWindow(isOwn ? link : scope.href)
	await there.focus().catch(() => {/* it is opened all the same */})
	// A window that this worker does not control, as after a reload past it, cannot be led elsewhere.
	if (isOwn) await there.navigate(link).catch(() => clients.openWindow(link))
}
