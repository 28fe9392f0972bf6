package offline_test

// opinion is what a person would say of a submission.
type opinion struct {
	criterion, submission string
	want                  bool
}

const (
	refund = "I am sorry the lamp flickers. Our refund window is 30 days, so three weeks is within it. " +
		"Please reply with your order number and I will email you a prepaid return label."
	reset  = "Open the sign-in page and choose \"Forgot password\". We email you a reset link. The link expires after 15 minutes."
	python = "Use `sorted(items, key=len)`:\n\n```python\nfor item in sorted(items, key=len):\n    print(item)\n```\nIt runs in O(n log n)."
	leeks  = "- wash the leeks\n- slice them thinly\n- simmer for 20 minutes"
	object = `{"order": 1042, "state": "shipped", "delivery": "2026-03-14"}`
	german = "Die Rückgabe ist innerhalb von 14 Tagen kostenlos. Das Etikett liegt bei."
	tokyo  = "東京タワーの高さは333メートルです。"
	secret = "I can't share your password, and we will never ask you for it. Would you like a new link instead?"
	plans  = "| Plan | Price | Seats |\n|---|---|---|\n| Starter | $9 | 3 |\n| Team | $29.00 | 10 |\n\nAll plans can be cancelled at any time. Billing is monthly."
	tides  = "Tides are caused mainly by the Moon's gravity. The Sun contributes too, with about 46% of the Moon's effect.\n\n" +
		"When both pull in line, at new and full moon, spring tides occur."
)

// opinions are those on which the judge was made.
var opinions = []opinion{
	{"States that the refund window is 30 days", refund, true},
	{"States that the refund window is 60 days", refund, false},
	{"Asks for the order number", refund, true},
	{"Offers a prepaid return label", refund, true},
	{"Offers store credit", refund, false},
	{"Does not mention store credit", refund, true},
	{"Does not mention a prepaid label", refund, false},
	{"Apologises", refund, true},
	{"Never promises a replacement lamp", refund, true},
	{"Is under 50 words", refund, true},
	{"Is under 20 words", refund, false},
	{"Uses at most three sentences", refund, true},
	{"Uses no more than 1 sentence", refund, false},
	{"Mentions that the link expires after 15 minutes", reset, true},
	{"Mentions that the link expires after 20 minutes", reset, false},
	{"Says that a reset link is sent by email", reset, true},
	{"Quotes the button \"Forgot password\"", reset, true},
	{"Quotes the button \"Reset now\"", reset, false},
	{"Names the telephone hotline", reset, false},
	{"Calls `sorted` with `key=len`", python, true},
	{"Calls `sort` with `reverse=True`", python, false},
	{"Gives the complexity O(n log n)", python, true},
	{"Prints each item", python, true},
	{"Uses recursion", python, false},
	{"Is a bulleted list", leeks, true},
	{"Is a bulleted list", refund, false},
	{"Has at least 3 bullets", leeks, true},
	{"Has at least 4 bullets", leeks, false},
	{"Simmers for 20 minutes", leeks, true},
	{"Is valid JSON", object, true},
	{"Is valid JSON", refund, false},
	{"Reports the state `shipped`", object, true},
	{"Reports the state `lost`", object, false},
	{"Has the order 1042", object, true},
	{"Nennt die Frist von 14 Tagen", german, true},
	{"Nennt die Frist von 30 Tagen", german, false},
	{"Das Etikett liegt bei", german, true},
	{"高さは333メートル", tokyo, true},
	{"高さは634メートル", tokyo, false},
	{"富士山について説明する", tokyo, false},
	{"Tells the customer how to send the lamp back", refund, true},
	{"Confirms that three weeks is still within the window", refund, true},
	{"Refuses the refund", refund, false},
	{"Mentions shipping costs", refund, false},
	{"Avoids asking for credit card data", refund, true},
	{"Contains no prices", refund, true},
	{"Explains where to click", reset, true},
	{"Warns that the link expires", reset, true},
	{"Gives the link's lifetime as 15 minutes", reset, true},
	{"Is one paragraph", reset, true},
	{"Asks for the current password", reset, false},
	{"Sorts the items by length", python, true},
	{"Includes a Python code block", python, true},
	{"Mentions `print`", python, true},
	{"Slices the leeks thinly", leeks, true},
	{"Uses exactly 3 bullets", leeks, true},
	{"Contains the delivery date 2026-03-14", object, true},
	{"Output is only JSON", object, true},
	{"Must not contain an apology", object, true},
	{"Is in JSON with a field `carrier`", object, false},
	{"Does not reveal the password", secret, true},
	{"Never asks for the password", secret, true},
	{"Does not mention the word \"password\"", secret, false},
	{"Asks a follow-up question", secret, true},
	{"Ends with a question", refund, false},
	{"Offers a new link and does not share the password", secret, true},
	{"Offers a new link without mentioning the old password", secret, true},
	{"Offers a telephone call but does not ask for the password", secret, false},
	{"Is polite, contains no emoji or exclamation marks", secret, true},
	{"Presents the plans as a table", plans, true},
	{"The Team plan costs $29", plans, true},
	{"The Starter plan costs $19", plans, false},
	{"States that cancellation is possible at any time", plans, true},
	{"Mentions `Starter` or `Free`", plans, true},
	{"Mentions `Free` or `Enterprise`", plans, false},
	{"Mentions a discount for yearly billing", plans, false},
	{"Bills monthly", plans, true},
	{"The response should not use bullet points", plans, true},
	{"Does not exceed 100 words", plans, true},
	{"Attributes tides to the gravity of the Moon", tides, true},
	{"Notes the Sun's smaller contribution (e.g. 46 percent)", tides, true},
	{"Quantifies the Sun's effect at 46%", tides, true},
	{"Quantifies the Sun's effect at 64%", tides, false},
	{"Explains neap tides", tides, false},
	{"Written in two paragraphs", tides, true},
	{"In a single sentence", tides, false},
	{"Between 20 and 40 words", tides, true},
	{"40 words or fewer", tides, true},
	{"10-word answer or shorter", tides, false},
	{"Not longer than 2 sentences", tides, false},
	{"Free of equations, code and URLs", tides, true},
	{"Doesn’t claim that wind causes tides", tides, true},
	{"Doesn't only list causes but mentions spring tides", tides, true},
	{"No mention of the Sun", tides, false},
	{"Gives at least two causes", tides, true},
	{"No more than 3 bullets", leeks, true},
	{"A numbered list of steps", leeks, false},
	{"Mentions thyme, garlic or cream", leeks, false},
	{"Erwähnt, dass das Etikett beiliegt", german, true},
	{"Verweist auf eine Gebühr von 5 €", german, false},
}
