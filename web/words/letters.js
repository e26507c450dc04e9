// Examples of messages to advertisers in the languages of listings, for "Message". languageOf finds the language of a
// listing.
//
// An example has the words before and after the flat, and no_longer, the words before it once the search is over.
// common has words that many texts in the language have: words of little meaning, and words about homes that
// neighbouring languages spell differently.

import {language} from "./format.js"

export const letters = {
	cs: {
		common: "a v na se je s z do pro po od za by nebo ale jako který která které byt bytu bytě pronájem ulice " +
			"pokoj kuchyně není jsou k o u",
		before: "Dobrý den,\n\nmám zájem o tento byt. Je ještě volný a kdy by bylo možné si ho prohlédnout?",
		no_longer: "Dobrý den,\n\nděkujeme za odpověď. Už jsme našli bydlení a dál nehledáme. Tento byt prosím " +
			"nabídněte někomu jinému:",
		after: "S pozdravem",
	},
	da: {
		common: "og i på til er af en et den det der som med for fra ikke har kan du vi også efter meget hvor bliver " +
			"lejlighed lejligheden værelse værelser værelses køkken bolig boligen husleje leje udlejes",
		before: "Hej,\n\nJeg er interesseret i denne bolig. Er den stadig ledig, og hvornår kan jeg komme og se den?",
		no_longer: "Hej,\n\nTak for svaret. Vi har fundet en bolig og leder ikke længere, så I må gerne give denne " +
			"til en anden:",
		after: "Venlig hilsen",
	},
	de: {
		common: "der die das den dem des und ist im in mit zu von für auf nicht ein eine einer sich auch wird werden " +
			"sind am bei zum zur sowie oder ab wohnung zimmer küche bad miete kaltmiete warmmiete nebenkosten kaution",
		before: "Guten Tag,\n\nich interessiere mich für diese Wohnung. Ist sie noch frei, und wann könnte ich sie " +
			"besichtigen?",
		no_longer: "Guten Tag,\n\nvielen Dank für Ihre Antwort. Wir haben eine Wohnung gefunden und suchen nicht " +
			"mehr. Diese Wohnung können Sie gern anderen geben:",
		after: "Freundliche Grüße",
	},
	en: {
		common: "the of and to in is with for a an on at this that from by you are be or it your we has have will " +
			"not flat apartment bedroom bedrooms bathroom kitchen rent available street room",
		before: "Hello,\n\nI am interested in this flat. Is it still available, and when could I come and see it?",
		no_longer: "Hello,\n\nthank you for your answer. We have found a home and are no longer looking, so please " +
			"give this one to somebody else:",
		after: "Kind regards",
	},
	es: {
		common: "el la los las de del y en un una con por para que se es su al lo como más sin o muy piso vivienda " +
			"habitación habitaciones baño baños cocina alquiler calle dormitorio dormitorios",
		before: "Buenos días:\n\nMe interesa esta vivienda. ¿Sigue disponible y cuándo podría visitarla?",
		no_longer: "Buenos días:\n\nMuchas gracias por su respuesta. Hemos encontrado una vivienda y ya no buscamos " +
			"más, así que puede ofrecer esta a otras personas:",
		after: "Un cordial saludo",
	},
	fi: {
		common: "ja on ei tai myös sekä se joka jossa mutta kun niin ovat sen hyvä asunto asunnon asunnossa huone " +
			"huonetta keittiö kylpyhuone vuokra vuokrataan parveke sauna kerros h kk",
		before: "Hei,\n\nolen kiinnostunut tästä asunnosta. Onko se vielä vapaana, ja milloin voisin tulla katsomaan " +
			"sitä?",
		no_longer: "Hei,\n\nkiitos vastauksesta. Löysimme asunnon emmekä enää etsi, joten tämän voi antaa jollekin " +
			"muulle:",
		after: "Ystävällisin terveisin",
	},
	fr: {
		common: "le la les l d de des du et en un une à au aux dans pour avec par sur est qui que ce cette sont ou " +
			"vous appartement logement pièces chambre chambres cuisine salle loyer charges rue étage",
		before: "Bonjour,\n\nCe logement m’intéresse. Est-il toujours disponible, et quand pourrais-je le visiter ?",
		no_longer: "Bonjour,\n\nmerci pour votre réponse. Nous avons trouvé un logement et ne cherchons plus. Vous " +
			"pouvez proposer celui-ci à d’autres :",
		after: "Cordialement,",
	},
	it: {
		common: "il lo la i gli le l d di del della dei delle e in un una con per che è si al alla nel nella da sono " +
			"non appartamento casa camera camere cucina bagno affitto via piano locali bilocale trilocale",
		before: "Buongiorno,\n\nmi interessa questo appartamento. È ancora disponibile e quando potrei visitarlo?",
		no_longer: "Buongiorno,\n\ngrazie per la risposta. Abbiamo trovato casa e non cerchiamo più, quindi può " +
			"proporre questo appartamento ad altri:",
		after: "Cordiali saluti",
	},
	nb: {
		common: "og i på til er av en et den det som med for fra ikke har kan du vi også etter mye hvor blir " +
			"leilighet leiligheten rom soverom kjøkken bolig boligen husleie leie utleie leies bad",
		before: "Hei,\n\nJeg er interessert i denne boligen. Er den fortsatt ledig, og når kan jeg komme på visning?",
		no_longer: "Hei,\n\nTakk for svaret. Vi har funnet et sted å bo og leter ikke lenger, så dere kan gjerne gi " +
			"denne til noen andre:",
		after: "Vennlig hilsen",
	},
	nl: {
		common: "de het een en van in is met voor op te aan dat die er om ook naar bij niet zijn of uit deze wordt " +
			"door woning appartement kamer kamers slaapkamer slaapkamers keuken badkamer huur huurprijs straat",
		before: "Goedendag,\n\nIk heb interesse in deze woning. Is deze nog beschikbaar en wanneer zou ik kunnen " +
			"komen kijken?",
		no_longer: "Goedendag,\n\nBedankt voor uw antwoord. Wij hebben een woning gevonden en zoeken niet verder. U " +
			"kunt deze woning dus gerust aan iemand anders aanbieden:",
		after: "Met vriendelijke groet",
	},
	pl: {
		common: "i w na z do jest się nie to o po dla za od oraz przy lub są ze ul mieszkanie mieszkania mieszkaniu " +
			"pokój pokoje kuchnia łazienka wynajem wynajęcia czynsz kaucja",
		before: "Dzień dobry,\n\ninteresuje mnie to mieszkanie. Czy jest jeszcze wolne i kiedy można je obejrzeć?",
		no_longer: "Dzień dobry,\n\ndziękujemy za odpowiedź. Znaleźliśmy mieszkanie i już nie szukamy. To mieszkanie " +
			"można zaproponować komuś innemu:",
		after: "Z poważaniem",
	},
	pt: {
		common: "o a os as de do da dos das e em no na um uma com por para que se é ao mais não ou sem muito " +
			"apartamento casa quarto quartos cozinha banheiro arrendamento aluguel renda rua sala andar",
		before: "Bom dia,\n\nTenho interesse neste apartamento. Ainda está disponível e quando poderia visitá-lo?",
		no_longer: "Bom dia,\n\nAgradecemos a sua resposta. Já temos casa e já não estamos à procura, por isso pode " +
			"propor este apartamento a outras pessoas:",
		after: "Com os melhores cumprimentos",
	},
	sv: {
		common: "och i på till är av en ett den det som med för från inte har kan du vi även efter mycket där blir " +
			"också lägenhet lägenheten rum sovrum kök bostad bostaden hyra hyran uthyres badrum",
		before: "Hej!\n\nJag är intresserad av den här bostaden. Är den fortfarande ledig, och när kan jag komma och " +
			"titta på den?",
		no_longer: "Hej!\n\nTack för svaret. Vi har hittat en bostad och letar inte längre, så ni får gärna ge den " +
			"här till någon annan:",
		after: "Vänliga hälsningar",
	},
}

const commonWords = Object.entries(letters).map(([language, {common}]) => [language, new Set(common.split(" "))])

// languageOf returns the language of a text, or the page's language if the text has no common words. Of several
// languages it returns the first, unless another one has much more of the text. Parts count by their letters, because a
// translation has about as many letters, but more or fewer words.
export function languageOf(text) {
	const whole = commonIn(text)
	const lengths = new Map() // letters of the parts in each language, in the order of the first parts
	for (const part of text.split(/[\n.!?:;]+/)) {
		const found = commonIn(part)
		// Neighbouring languages share words. A part that may be in several is in the one with most words of the whole text.
		const [first, second] = Object.keys(letters).sort((a, b) => found[b] - found[a] || whole[b] - whole[a])
		const isClear = found[first] > found[second] || found[first] > 0 && whole[first] > whole[second]
		if (isClear) lengths.set(first, (lengths.get(first) ?? 0) + part.length)
	}
	const most = Math.max(...lengths.values())
	// The first language with 70 % of the most letters or more: a translation is about as long.
	return [...lengths].find(([, length]) => length >= 0.7 * most)?.[0] ?? language
}

// commonIn returns the number of common words of each language in a text.
function commonIn(text) {
	const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
	return Object.fromEntries(commonWords.map(([language, common]) =>
		[language, words.filter(word => common.has(word)).length]))
}
