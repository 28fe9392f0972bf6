package offline_test

const (
	outage = "Subject: Outage on 3 March\n\nDear customers,\n\nWe are sorry: between 09:10 and 10:25 UTC our checkout was down. " +
		"A faulty database migration locked the orders table. We rolled it back and nothing was lost.\n\n" +
		"From now on every migration is rehearsed on a copy first. Affected shops receive a credit of 5% on their next invoice.\n\nKind regards\nThe Platform Team"
	query = "```sql\nSELECT c.name, COUNT(*) AS orders\nFROM customers c\nJOIN orders o ON o.customer_id = c.id\nGROUP BY c.name\nHAVING COUNT(*) > 10;\n```\n" +
		"The `HAVING` clause filters after grouping, so `WHERE` would not work here. An index on `orders.customer_id` makes the join fast."
	dosage = "Adults may take 400 mg of ibuprofen every six to eight hours, at most 1,200 mg a day without a prescription. " +
		"Take it with food. I cannot diagnose you; see a doctor if the fever lasts longer than three days."
	french  = "Le musée est ouvert de 10 h à 18 h, sauf le mardi. L'entrée coûte 12,50 € ; elle est gratuite pour les moins de 18 ans."
	chinese = "退货期限为30天。请提供订单号，我们会寄给您预付的退货标签。"
	tersely = `{"sentiment": "negative", "topics": ["lid", "support"], "confidence": 0.9}`
)

// heldOut are opinions on which the judge was not made: the words, stems and
// thresholds were chosen on [opinions] alone. Its share is what to expect of a
// new file; change the judge for one of these and it has to move over there.
var heldOut = []opinion{
	{"Apologises for the outage", outage, true},
	{"Gives the time span of the outage", outage, true},
	{"States that the outage ended at 10:25 UTC", outage, true},
	{"Names a faulty migration as the cause", outage, true},
	{"Blames an employee by name", outage, false},
	{"Says what will be done to prevent it", outage, true},
	{"Promises a credit of 10%", outage, false},
	{"Assures readers that no data was lost", outage, true},
	{"Does not blame a vendor", outage, true},
	{"Is no longer than 100 words", outage, true},
	{"The query joins the two tables on `customer_id`", query, true},
	{"Uses `LEFT JOIN`", query, false},
	{"Explains why WHERE can't be used", query, true},
	{"Suggests an index and doesn't suggest denormalising", query, true},
	{"Limits the result with LIMIT 10", query, false},
	{"Answer is formatted as a table", query, false},
	{"Recommends seeing a doctor when fever persists", dosage, true},
	{"Advises taking it with food", dosage, true},
	{"Daily maximum of 1200 mg", dosage, true},
	{"Daily maximum of 3200 mg", dosage, false},
	{"Must not diagnose the patient", dosage, true},
	{"Recommends paracetamol instead", dosage, false},
	{"Written in two to four sentences", dosage, true},
	{"Indique que le musée est fermé le mardi", french, true},
	{"Donne le prix de 12,50 €", french, true},
	{"Donne le prix de 15 €", french, false},
	{"要求提供订单号", chinese, true},
	{"说明退货期限为60天", chinese, false},
	{"Returns a JSON object with the key \"sentiment\"", tersely, true},
	{"Sentiment is positive", tersely, false},
	{"Does not wrap the JSON in a code block", tersely, true},
	{"Has a confidence of 0.90", tersely, true},
}
