// What the page says: the tables have the cells of names. Where a text counts, a
// slash parts one from many, and # is the number.

const names = `
list|triage|visits|all
search|filters|clear_filters|sort|constraint
max_cost|min_area|min_rooms|triage_these
cost|area|per_area|date|notation|visit_date
status_new|status_followed|status_contacted|status_visited
status_ignored|status_duplicate|status_user_deleted
n_flats|n_rooms
n_left
no_match|no_flats|no_flats_hint
status|notes
follow|dismiss|skip|yes|no
details|bedrooms|utilities|included|excluded
station|merged_ids
photos|prev_photo|next_photo
prev|next|back|close
notes_saving|notes_saved|notes_kept
notes_conflict|keep_both|keep_yours|keep_theirs
pile_done|no_visits|no_visits_hint
past_visits|overlap|gap
subscribe|feed|copy|copied
open_calendar|in_google|in_apple
in_outlook|in_thunderbird
undo|undone|failed|offline|retry
keys|keys_on|key_steps`

export const tables = {
en: `
Flats|Triage|Visits|All
Search|Filters|Clear filters|Sort by|Search area
Cost up to|m² from|Rooms from|Triage new ones
Cost|Area|Cost per m²|Newest|Rating|Visit
New|Followed|Contacted|Visited
Ignored|Duplicate|Deleted
# flat/# flats|# room/# rooms
# left
No flat matches|No flats yet|Hand in listings, as JSON:
Status|Notes
Follow|Dismiss|Skip|yes|no
Details|Bedrooms|Utilities|in the cost|come on top
Station|Merged listings
Photos|Previous photo|Next photo
Previous flat|Next flat|Back|Close
Saving…|Saved|Kept here for now:
Changed elsewhere meanwhile, to:|Keep both|Keep mine|Take that
Nothing left to triage|No visits ahead|Set one in a flat.
Past visits|Overlaps the next by #|# until the next
Subscribe|Calendar address|Copy|Copied
Open in calendar|Other calendars +, From URL|File, New Calendar Subscription
Add calendar, From web|New Calendar, On the Network
Undo|Undone|That did not work:|no answer from the server.|Try again
Keys|Use single keys|Next, previous flat`,
fr: `
Logements|Tri|Visites|Tous
Rechercher|Filtres|Effacer les filtres|Trier par|Recherche
Prix maximal|m² au moins|Pièces au moins|Trier les nouveaux
Prix|Surface|Prix au m²|Récents|Note|Visite
Nouveau|Suivi|Contacté|Visité
Ignoré|Doublon|Supprimé
# logement/# logements|# pièce/# pièces
# à trier
Aucun logement ne correspond|Pas encore de logements|Donnez des annonces, en JSON :
Statut|Remarques
Suivre|Écarter|Passer|oui|non
Détails|Chambres|Charges|comprises|en sus
Station|Annonces réunies
Photos|Photo précédente|Photo suivante
Logement précédent|Logement suivant|Retour|Fermer
Enregistrement…|Enregistré|Gardé ici :
Modifié ailleurs entre-temps :|Garder les deux|Garder la mienne|Prendre l'autre
Plus rien à trier|Aucune visite à venir|Fixez-en une dans un logement.
Visites passées|Chevauche la suivante de #|# avant la suivante
S'abonner|Adresse de l'agenda|Copier|Copié
Ouvrir dans l'agenda|Autres agendas, +, À partir de l'URL|Fichier, Nouvel abonnement
Ajouter, À partir du web|Nouvel agenda, Sur le réseau
Annuler|Annulé|Échec :|le serveur ne répond pas.|Réessayer
Touches|Utiliser les touches seules|Logement suivant, précédent`,
de: `
Wohnungen|Sichten|Termine|Alle
Suchen|Filter|Filter aufheben|Sortieren nach|Suche
Preis bis|m² ab|Zimmer ab|Neue sichten
Preis|Fläche|Preis je m²|Neueste|Bewertung|Termin
Neu|Gemerkt|Angefragt|Besichtigt
Verworfen|Doppelt|Gelöscht
# Wohnung/# Wohnungen|# Zimmer/# Zimmer
noch #
Keine Wohnung passt|Noch keine Wohnungen|Inserate kommen als JSON herein:
Status|Notizen
Merken|Verwerfen|Später|ja|nein
Einzelheiten|Schlafzimmer|Nebenkosten|im Preis enthalten|kommen hinzu
Haltestelle|Vereinte Inserate
Fotos|Voriges Foto|Nächstes Foto
Vorige Wohnung|Nächste Wohnung|Zurück|Schließen
Speichert…|Gespeichert|Bleibt noch hier:
Inzwischen anderswo geändert, in:|Beide behalten|Meine behalten|Diese nehmen
Alles gesichtet|Keine Termine|Lege bei einer Wohnung einen fest.
Vergangene|# zugleich mit der nächsten|# bis zur nächsten
Abonnieren|Kalenderadresse|Kopieren|Kopiert
Im Kalender öffnen|Weitere Kalender, +, Per URL|Ablage, Neues Kalenderabonnement
Hinzufügen, Aus dem Internet|Neuer Kalender, Im Netzwerk
Rückgängig|Rückgängig gemacht|Das ging nicht:|Der Server antwortet nicht.|Erneut versuchen
Tasten|Einzelne Tasten verwenden|Nächste, vorige Wohnung`,
}

export const locale = navigator.languages.find(tag => tables[tag.slice(0, 2)]) ?? "en"
export const language = locale.slice(0, 2)

const cells = table => table.trim().split(/[|\n]/)

export const texts = table => Object.fromEntries(cells(names).map((name, i) => [name, cells(table)[i]]))

export const t = texts(tables[language])
export const statusName = status => t["status_" + status] ?? status

// Formatters are dear to make, and each row needs several.
const made = {}
const format = (Kind, options, value) => (made[Kind.name + JSON.stringify(options)] ??= new Kind(locale, options)).format(value)

export const number = (n, digits = 1) => format(Intl.NumberFormat, {maximumFractionDigits: digits}, n)
export const count = (forms, n) => forms.split("/")[new Intl.PluralRules(locale).select(n) === "one" ? 0 : 1].replace("#", number(n))

// What is no currency code stands behind the number.
export const money = (amount, currency) => /^[a-z]{3}$/i.test(currency)
	? format(Intl.NumberFormat, {style: "currency", currency, trailingZeroDisplay: "stripIfInteger"}, amount)
	: `${number(amount, 2)} ${currency ?? ""}`

// instant reads an ISO 8601 datetime; without an offset it is the clock on the
// wall here. Date takes +01:00, but not +0100 or +01.
export function instant(text) {
	if (!text) return null
	const iso = timed(text) ? text.replace(" ", "T") : text + "T00:00"
	return Date.parse(iso.replace(/(T.*[+-]\d\d):?(\d\d)?$/, (_, start, minutes = "00") => start + ":" + minutes))
}

export const timed = text => /\d[T ]\d/.test(text)

const date = options => text => format(Intl.DateTimeFormat, options, instant(text))
export const day = date({dateStyle: "medium"})
export const longDay = date({dateStyle: "full"})
const dayTime = date({weekday: "short", day: "numeric", month: "short", hour: "numeric", minute: "2-digit"})
export const dayAndTime = text => (timed(text) ? dayTime : longDay)(text)
export const clock = ms => format(Intl.DateTimeFormat, {timeStyle: "short"}, ms)

export const span = ms => (ms < 3_600_000 ? "" : Math.floor(ms / 3_600_000) + " h ") + ((ms / 60_000) % 60) + " min"

const offset = ms => -new Date(ms).getTimezoneOffset()
const iso = (ms, from, to) => new Date(ms).toISOString().slice(from, to)

// For a datetime control, and from it: with an offset, as calendars take others
// as they like.
export const toControl = text => (instant(text) == null ? "" : iso(instant(text) + offset(instant(text)) * 60_000, 0, 16))

export function fromControl(value) {
	const minutes = offset(value)
	return value ? `${value.slice(0, 16)}:00${minutes < 0 ? "-" : "+"}${iso(Math.abs(minutes) * 60_000, 11, 16)}` : null
}
