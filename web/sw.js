// The service worker: for times without a network it keeps the page, as one set
// of files by its hash, and the last answers of the API. It answers from them
// only where the network fails.

const assets = "assets/-/" // the server puts in the hash,
const files = [] // and the names of the files
const pageCache = "page " + assets
const answerCache = "answers"
const most = 200 // answers are kept

const scope = new URL("./", location)
const api = new URL("api/v1/", scope).href
const feed = new URL("ics/visits.ics", api).pathname

addEventListener("install", event => event.waitUntil(install()))

async function install() {
	const cache = await caches.open(pageCache)
	const index = await fetch(scope, {cache: "no-cache"})
	const text = await index.clone().text()
	// The server may be another version by now: then its own worker comes next.
	if (!index.ok || !text.includes(assets)) throw new Error("another version of the page")
	await cache.put(scope, index)
	await cache.addAll(files.map(name => new URL(assets + name, scope)))
	await skipWaiting()
}

addEventListener("activate", event => event.waitUntil(activate()))

async function activate() {
	for (const name of await caches.keys()) if (name.startsWith("page ") && name !== pageCache) await caches.delete(name)
	await clients.claim()
}

addEventListener("fetch", event => {
	const {request} = event
	const url = new URL(request.url)
	if (request.method === "PATCH" && url.href.startsWith(api + "flat/")) return event.respondWith(update(request))
	if (request.method !== "GET" || url.origin !== scope.origin || url.pathname === feed) return
	if (request.mode === "navigate") {
		// A browser asks for the password only where it fetches the page by itself.
		if (!url.search) event.respondWith(navigate(request))
	} else if (url.href.startsWith(api)) event.respondWith(answer(request))
	else if (url.href.startsWith(new URL("assets/", scope))) event.respondWith(asset(request))
})

async function navigate(request) {
	let response
	try {
		response = await fetch(request)
	} catch {
		return (await caches.match(scope, {cacheName: pageCache})) ?? Response.error()
	}
	if (response.status !== 401) return response
	await caches.delete(answerCache)
	return Response.redirect(new URL("./?sign-in", scope))
}

async function asset(request) {
	try {
		return await fetch(request)
	} catch {
		return (await caches.match(request, {ignoreVary: true})) ?? Response.error()
	}
}

async function answer(request) {
	let response
	try {
		response = await fetch(request)
	} catch (error) {
		if (request.signal.aborted) throw error
		return (await recall(request)) ?? Response.error()
	}
	if (response.status === 401) await caches.delete(answerCache)
	if (response.status === 200) await keep(request, response.clone())
	return response
}

// The answer to an update is what the flat's own address answers from now on.
async function update(request) {
	const response = await fetch(request)
	if (response.status === 401) await caches.delete(answerCache)
	if (response.status === 200) await keep({url: request.url.replace("/flat/", "/flats/")}, response.clone())
	return response
}

// Each answer is put at the end, so that the first ones are those that were not
// asked for longest.
async function keep(request, response) {
	if (response.headers.get("Content-Disposition")?.startsWith("attachment")) return
	const headers = new Headers(response.headers)
	headers.set("X-Kept", new Date().toISOString())
	headers.delete("Vary")
	const cache = await caches.open(answerCache)
	await cache.delete(request.url)
	await cache.put(request.url, new Response(await response.blob(), {headers}))
	const keys = await cache.keys()
	for (const key of keys.slice(0, Math.max(0, keys.length - most))) await cache.delete(key)
}

async function recall(request) {
	const cache = await caches.open(answerCache)
	const kept = await cache.match(request.url)
	if (kept) return kept
	const [, id] = /\/api\/v1\/flats\/([^?]+)$/.exec(request.url) ?? []
	return id && findFlat(cache, decodeURIComponent(id))
}

// A flat that was seen in a list alone is in the answer to it.
async function findFlat(cache, id) {
	const whole = ({url}) => url.startsWith(api + "find?") && !url.includes("fields=")
	for (const key of (await cache.keys()).filter(whole).reverse()) {
		const kept = await cache.match(key)
		const flat = (await kept.clone().json()).data.find(flat => String(flat.id) === id)
		if (flat) return new Response(JSON.stringify({data: flat}), {headers: kept.headers})
	}
}
