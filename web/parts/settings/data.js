// Constant data for Settings: countries with postal codes, mail providers, and receivers of messages.

// countries has the codes of the countries for which GeoNames has postal codes.
export const countries = ("AD AE AI AL AR AS AT AU AX AZ BD BE BG BM BR BY CA CC CH CL CN CO CR CX CY CZ DE DK DO DZ " +
	"EC EE ES FI FK FM FO FR GB GF GG GI GL GP GS GT GU HK HM HN HR HT HU ID IE IM IN IO IS IT JE JP KE KR LI LK LT " +
	"LU LV MA MC MD MH MK MO MP MQ MT MW MX MY NC NF NL NO NR NU NZ OM PA PE PF PH PK PL PM PN PR PT PW RE RO RS RU " +
	"SE SG SI SJ SK SM TC TH TR UA US UY VA VI WF WS YT ZA").split(" ")

// providers describes mail providers. domains has the domains of their addresses; "gmx" stands for gmx.net, gmx.de and
// so on.
//   host          the server, with the port if it is not the usual one
//   usesStartTLS  true if TLS begins after the connection is made (imap:), not with it (imaps:)
//   isLocal       true if the user name is the part of the address before the @
//   need          the name of the text (words/settings/) about what users must turn on first
//   help          the provider's page about that
//   cannot        true if programs cannot sign in with a password
const providers = [
	{domains: "gmail.com googlemail.com", host: "imap.gmail.com", need: "need_google",
		help: "https://myaccount.google.com/apppasswords"},
	{domains: "gmx.com", host: "imap.gmx.com", need: "need_imap"},
	{domains: "gmx", host: "imap.gmx.net", need: "need_imap"},
	{domains: "web.de", host: "imap.web.de", need: "need_imap"},
	{domains: "icloud.com me.com mac.com", host: "imap.mail.me.com", isLocal: true, need: "need_apple"},
	{domains: "fastmail.com fastmail.fm", host: "imap.fastmail.com", need: "need_app_password"},
	{domains: "yahoo ymail.com rocketmail.com", host: "imap.mail.yahoo.com", need: "need_app_password",
		help: "https://help.yahoo.com/kb/generate-manage-rd-party-passwords-sln15241.html"},
	{domains: "mailbox.org", host: "imap.mailbox.org"},
	{domains: "posteo", host: "posteo.de"},
	{domains: "t-online.de magenta.de", host: "secureimap.t-online.de", need: "need_telekom"},
	{domains: "orange.fr wanadoo.fr", host: "imap.orange.fr"},
	{domains: "free.fr", host: "imap.free.fr"},
	{domains: "laposte.net", host: "imap.laposte.net"},
	{domains: "libero.it", host: "imapmail.libero.it"},
	{domains: "proton.me protonmail.com protonmail.ch pm.me", host: "127.0.0.1:1143", usesStartTLS: true,
		need: "need_proton"},
	{domains: "outlook hotmail live msn.com", cannot: true, need: "need_microsoft"},
]

// providerOf returns the provider of a mail address, or undefined.
export function providerOf(address) {
	const [, domain = ""] = address.trim().toLowerCase().split("@")
	if (!domain.includes(".")) return undefined
	return providers.find(({domains}) => domains.split(" ").some(one =>
		(one.includes(".") ? one === domain : domain.startsWith(one + "."))))
}

// receivers describes receivers of messages: the fields that the user fills in, and make, which returns the address and
// the template for their values, {url, body}.
export const receivers = {
	ntfy: {fields: ["server", "topic"], make: ({server, topic}) =>
		({url: `${server.replace(/\/+$/, "")}/${encodeURIComponent(topic)}`})},
	telegram: {fields: ["bot_token", "chat"], make: ({bot_token: token, chat}) => ({
		url: `https://api.telegram.org/bot${token}/sendMessage`,
		body: `{"chat_id": ${JSON.stringify(chat)}, "text": {{json (print .Title "\\n" .Text)}}}`})},
	discord: {fields: ["webhook"], make: ({webhook}) => ({url: webhook,
		body: `{"content": {{json (printf "%.2000s" (print .Title "\\n" .Text))}}}`})},
	home_assistant: {fields: ["webhook"], make: ({webhook}) => ({url: webhook,
		body: `{"title": {{json .Title}}, "message": {{json .Text}}, "url": {{json .Link}}}`})},
	apprise: {fields: ["webhook"], make: ({webhook}) => ({url: webhook,
		body: `{"title": {{json .Title}}, "body": {{json .Text}}}`})},
	other: {fields: ["webhook", "template"], make: ({webhook, template}) =>
		({url: webhook, ...template.trim() && {body: template}})},
}
