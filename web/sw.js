// The service worker keeps the page, one set of files by its hash, and answers, for when the network fails.

// The server puts in the hash and the names of the files.
const assets = "assets/-/"
const files = []
const pageCache = "page " + assets
const answerCache = "answers"
const most = 200 // answers are kept

const scope = new URL("./", location)
const api = new URL("api/v1/", scope).href
const feed = new URL("ics/visits.ics", api).pathname

addEventListener("install", event => event.waitUntil(install()))

async function install() {
	await keepPage()
	await skipWaiting()
}

async function keepPage() {
	const cache = await caches.open(pageCache)
	const index = await fetch(scope, {cache: "no-cache"})
	const text = await index.clone().text()
	// The server may be another version by now, with its own worker.
	if (!index.ok || !text.includes(assets)) throw new Error("another version")
	await cache.put(scope, index)
	await cache.addAll(files.map(name => new URL(assets + name, scope)))
}

addEventListener("activate", event => event.waitUntil(activate()))

async function activate() {
	for (const name of await caches.keys()) if (name.startsWith("page ") && name !== pageCache) await caches.delete(name)
	await clients.claim()
}

// The page was opened, which this worker had to forget.
addEventListener("message", event => event.waitUntil(keepAgain()))

async function keepAgain() {
	await keepPage()
	await clients.claim()
}

addEventListener("fetch", event => {
	const answer = answerTo(event)
	if (answer) event.respondWith(answer)
})

// Where it gives nothing, the browser asks by itself.
function answerTo(event) {
	const {request} = event
	const {method, mode} = request
	const {href, origin, pathname, searchParams} = new URL(request.url)
	// An update is answered with the flat.
	if (method === "PATCH" && href.startsWith(api + "flat/")) return ask(event, href.replace("/flat/", "/flats/"))
	if (method !== "GET" || origin !== scope.origin || pathname === feed) return null
	if (mode === "navigate") {
		if (pathname !== scope.pathname) return null
		if (!signsIn || !searchParams.has("sign-in")) return navigate(request)
		signsIn = false
		return null
	}
	if (href.startsWith(api)) return orKept(ask(event, href), () => recall(href))
	if (!href.startsWith(new URL("assets/", scope))) return null
	return orKept(fetch(request), () => caches.match(request, {ignoreVary: true}))
}

// The browser asks for the password only where it fetches the page by itself: the next navigation
// that says sign-in is left to it. A later one, without a network, finds the page that is kept.
let signsIn = false

const orKept = (asked, find) => asked.catch(async () => await find() ?? Response.error())

async function navigate(request) {
	const response = await orKept(fetch(request), () => caches.match(scope, {cacheName: pageCache}))
	if (response.status !== 401) return response
	await caches.delete(answerCache)
	signsIn = true
	const address = new URL(request.url)
	address.searchParams.set("sign-in", "")
	return Response.redirect(address)
}

// ask keeps the answer as that of an address.
async function ask(event, address) {
	const response = await fetch(event.request)
	if (response.status === 401) await caches.delete(answerCache)
	if (response.status === 200) event.waitUntil(keep(address, response.clone()).catch(() => {/* the disk is full */}))
	return response
}

// A device that was asked to forget has no page of any version; the page is kept as it is next opened.
const isForgotten = async () => !(await caches.keys()).some(name => name.startsWith("page "))

// Each is put at the end: the first were not asked for longest.
async function keep(address, response) {
	if (await isForgotten()) return
	const headers = new Headers(response.headers)
	if (headers.get("Content-Disposition")?.startsWith("attachment")) return
	headers.set("X-Kept", new Date().toISOString())
	headers.delete("Vary")
	const cache = await caches.open(answerCache)
	await cache.put(address, new Response(await response.blob(), {headers}))
	for (const key of (await cache.keys()).slice(0, -most)) await cache.delete(key)
	if (await isForgotten()) await caches.delete(answerCache) // meanwhile
}

async function recall(address) {
	const cache = await caches.open(answerCache)
	const [, id] = /\/api\/v1\/flats\/([^?]+)$/.exec(address) ?? []
	return await cache.match(address) ?? (id && findFlat(cache, decodeURIComponent(id)))
}

// A flat that was not opened is in the answer to a list.
async function findFlat(cache, id) {
	const whole = ({url}) => url.startsWith(api + "find?") && !url.includes("fields=")
	for (const key of (await cache.keys()).filter(whole).reverse()) {
		const kept = await cache.match(key)
		const flat = (await kept.clone().json()).data.find(flat => String(flat.id) === id)
		if (flat) return new Response(JSON.stringify({data: flat}), {headers: kept.headers})
	}
}
