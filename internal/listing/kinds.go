// Kinds of costs: what words call an amount of money, in many languages.

package listing

import "strings"

// A costKind is what a text calls an amount.
type costKind int

const (
	noKind      costKind = iota // the words next to it do not tell
	salePrice                   // the price of a home that is sold
	totalRent                   // a rent with utilities, as in "Warmmiete"
	rentCost                    // a rent, as in "Kaltmiete"
	weeklyRent                  // a rent of a week
	yearlyRent                  // a rent of a year
	lowestCost                  // the lowest of several rents or prices
	chargesCost                 // utilities
	depositCost                 // what one gets back
	feeCost                     // what is paid once, to an agency or for moving in
	formerCost                  // a rent or price that no longer holds
	otherCost                   // anything else with a price, such as a parking space or a square metre
)

// What amounts are called, in many languages. Deposits, loans and fees are never the cost. Neither are utilities, but
// a cost may include or exclude them.
var (
	depositWords = anyOf("kaution|genossenschaft|dépot|dépôt|depot_|caution|garant|garanț|deposit|depósito|indskud",
		"forudbetal|indflytning|waarborg|_borg_|_bond_|vakuus|takuu|polog|zábezpeka|εγγύηση|fianza|cauzione",
		"cauc|cauç",
		"kauc|kauč|mietzinsdepot")
	loanWords = anyOf("finanz|kredit|kredyt|rate_|rata_|ratę|mensualit|prêt|emprunt|mortgage|borrow|hypothe|maandlast",
		"hipotec|cuota|mutuo|ydelse|udbetaling|brutto/netto|brutto / netto|_lån|kontantinsats|boendekostnad|prestaç",
		"úvěr|splátk|hitel|törleszt|darlehen|_loan|préstamo|prestito|_lening|_laina")
	feeWords = anyOf("provision|prowizj|provize|provvig|jutalék|comissi|comisi|commissi|commisi|courtage|honoraires",
		"frais|état des lieux|_fee_|_fees_|admin|bemiddeling|mäklararvode|gebyr|maklergeb")
	otherWords = anyOf("taxe_|tax_|complément|council|ground rent|notar|grunderwerb|steuer|omkostning|fellesgjeld",
		"ablöse|abstand|hausgeld|stellplatz|parkplatz|parking|garage|strom_|internet|einkommen|einnahmen|versicher",
		"schufa|umzug|sparen|autopaikka|parkolás|parcare|parkiranje|rabatt|référence|estim|_est.|énerg|revenus|income",
		"assurance",
		"budget_|budżet|renovated for|refurbished for|done up for|renovation cost|rénovée pour|rénové pour",
		"coût des travaux|des travaux :",
		"renoviert für|umgebaut für|umbaukosten|sanierungskosten|reformado por|reformada por|ristrutturato con",
		"gerenoveerd voor|verbouwd voor|renoverad för|koszt remontu",
		// Taxes, and what is paid to notaries and registers.
		"stamp dut|_sdlt_|_lbtt_|transfer dut|taxes_|stempel|tinglysning|impuesto|imposta_|imposte_|imposto|_ibi_",
		"_itp_|_imt_|_imi_|_imu_|_tari_|_tasi_|_tasa_|_tasas_|tasación|belasting|skatt_|skat_|lagfart|pantbrev",
		"podatek|podatku|illeték|droits de mutation|droits d'enregistrement|_impôt|land registr|legal cost",
		"solicitor|conveyanc|_survey|closing cost|kaufnebenkosten|erwerbsnebenkosten|grundbuchk|grundbuche")
	utilityWords = anyOf("nebenkosten|heizkosten|betriebskosten|_nk_|_bk_|_hk_|charge_|charges_|bills|utilities",
		"service charge|servicecharge|service kosten|servicekosten|forbrug|a conto|aconto|varme_|ejerudgift|avgift",
		"drift|felleskost|fellesutgift|fælles|gastos|comunidad|spese|condomínio|condominio|despesas|czynsz|opłat",
		"poplat|služb|rezsi|közös k|energie_|energia_|vastike|vesimaksu|sähkö|întreținere|režij|režie",
		"κοινόχρηστα",
		"nutidige udgifter|media_|_hoa_")
	includeWords = anyOf("warm|gesamt|total|brut_|brutt_|bruto_|brutto_|bruttomiet|inkl|incl|inbegr|compris_|comprise_",
		"zahrnut|v ceně|w cenie|wliczon",
		"comprises_|comprend les charges|all in|all-in|allin|samlet|i alt|celkov|lordo")
	excludeWords = anyOf("zzgl|exkl|excl|hors|ohne|nicht|non |non-|_plus_|_not_|ekskl|netto|_hc_|_h.c.|kalt|no inclu")
	deniedWords  = anyOf("nicht inkl|nicht compris|nicht incl|no inkl|no compris|no incl|non inkl|non compris|non incl",
		"not inkl|not compris|not incl")
	bothWords = anyOf("_cc_|_tcc_|_c.c._")
	coldWords = anyOf("kalt|netto|grundmiet|basismiet|loyer de base|loyer nu_|base rent|basic rent|kale huur",
		"basishuur|hors charges|_hc_|_h.c.|_exkl_|_excl_|_ekskl_|_zzgl_")
	saleWords = anyOf("kaufpreis|asking price|guide price|offers over|offers in|prix de vente|vraagprijs|kosten koper",
		"myyntihinta|velaton hinta|_k.k.|kontantpris|prisantydning|utropspris|precio de venta|prezzo di vendita",
		"preço de venda|vételár|irányár")
	rentWords = anyOf("miete|mtl|monat|kalt|preis|loyer|mois|prix|vente|_rent|pcm|month|_pm_|price|cost|offers|leje",
		"måned|_md_|_pris_|leie|hyra|huur|per maand|prijs|alquiler|precio|affitto|canone|vuokra|hinta|_kk_|chirie|preț",
		"lună|cijena|najam|ενοίκιο|τιμή|prezzo|renda|preço|cena|najmu|nájem|bérleti|_ár_",
		"賃料|家賃|租金|월세")
	formerWords = anyOf("ancien prix|ancien loyer|ancienne|vorher|bisher|_statt_|_was_|previous|reduced from|last sold",
		"anterior|precedente|_antes_|tidligere|tidigare|før_|poprzedni|původní|korábbi|oude prijs|oud prijs|alte preis",
		"alten preis|alter preis|zuvor")
	areaCostWords = anyOf("/m²|/ m²|/m2|/ m2|/qm|/ qm|/kvm|/sq|/ sq|au m²|au m2|pro m²|pro m2|pro qm|per m²|per m2",
		"per sq|par m²|par m2|pr. m²|pr. m2|pr m2|pr. kvm|pr m²|por m²|por m2|al m²|al m2|al mq|za m²|za m2|ár m²",
		"kvadratmeter")
	boundWords = []string{"bis", "max", "max.", "maximum", "min", "min.", "minimum", "up to", "jusqu", "jusqu'à",
		"jusque", "jusqu'", "entre", "between", "under", "unter", "moins de", "ab", "dès", "from"}
	fromWords  = []string{"ab", "dès", "from"} // of boundWords
	rentNames  = anyOf("miete|loyer|rent|leje")
	priceNames = anyOf("miete|loyer|rent|leje|preis|prix|price|_pris_|leie|hyra|huur|prijs|precio|prezzo|preço",
		"cena|nájem")
)

// Words that mean something else than what they contain: warm water is not a warm rent, Ibi is a town as well as a tax,
// and Polish "itp." is "etc.".
var contrary = strings.NewReplacer("warmwasser", "wasser", "kaltwasser", "wasser", "provision pour", "charges",
	"hoa fee", "hoa", "en ibi", "", "itp.", "", "czynsz najmu", "najmu", "budget-friendly", "", "budget friendly", "")

// kindOf returns what words in lower case call an amount.
func kindOf(words string) costKind {
	if words == "" {
		return noKind
	}
	words = contrary.Replace(words)
	switch {
	case depositWords.in(words):
		return depositCost
	case loanWords.in(words), otherWords.in(words):
		return otherCost
	case feeWords.in(words):
		return feeCost
	case areaCostWords.in(words):
		return otherCost
	case formerWords.in(words):
		return formerCost
	case saleWords.in(words):
		return salePrice
	case bothWords.in(words), includeWords.in(words) && !deniedWords.in(words):
		return totalRent
	case utilityWords.in(words):
		if excludeWords.in(words) {
			return rentCost
		}
		return chargesCost
	case rentWords.in(words):
		return rentCost
	}
	return noKind
}

// isFee reports whether a kind is paid in addition to the cost.
func (k costKind) isFee() bool {
	return k == depositCost || k == feeCost || k == chargesCost || k == otherCost
}
