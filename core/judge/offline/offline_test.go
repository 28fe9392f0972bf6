package offline_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
)

// ask returns the judge's reply about one criterion or, without bands and text, about
// the expected outcome.
func ask(t *testing.T, b judge.Brief) (reply struct {
	Checks []struct {
		ID        string
		Reasoning string
		Satisfied *bool
		Score     *float64
	}
	Ungraded any
	Score    *float64
}) {
	t.Helper()
	a, err := offline.Judge{}.Ask(t.Context(), judge.Question{Brief: b})
	if err != nil || json.Unmarshal([]byte(a.Text), &reply) != nil {
		t.Fatalf("%q %v", a.Text, err)
	}
	return reply
}

// grade returns "yes", "no" or "?".
func grade(t *testing.T, criterion, submission string) string {
	t.Helper()
	r := ask(t, judge.Brief{Submission: submission, Items: []judge.Item{{ID: "c", Text: criterion}}})
	switch {
	case len(r.Checks) == 0:
		reasons, _ := r.Ungraded.(map[string]any)
		if why, _ := reasons["c"].(string); !offline.IsLeft(why) {
			t.Errorf("%q is ungraded because of %v", criterion, r.Ungraded)
		}
		return "?"
	case *r.Checks[0].Satisfied:
		return "yes"
	}
	return "no"
}

// TestMeaning: what takes understanding is never decided, so that a wrong answer cannot
// pass nor a right one fail.
func TestMeaning(t *testing.T) {
	for _, c := range []struct{ criterion, submission string }{
		{"States that the refund window is 30 days", "There is no refund deadline because a full refund is never possible."},
		{"States that shoes can be sent back for a full refund", "Send the shoes back until 4 May and we will pay you in full."},
		{"Asks how it can help", "What can I do for you?"},
		{"Greets the user by name", "Hi Kim!"},
		{"Is polite", "Certainly, with pleasure."},
		{"Mentions the refund", "We refund you."},
		{"Says yes", "Yes."},
		{"States that it takes 30 days", "30 days"},
		{"States `30 days` as the window", "30 days"},
		{"Mentions `refund`", "We do not offer a refund."},
		{"Mentions `refund`", "Refunds are possible."},
		{"Mentions `Refund`", "We offer a refund."},
		{"Mentions `refund` and apologises", "A refund. Sorry!"},
		{"Uses a better word than `nice`", "Splendid."},
		{"Mentions a price above $30", "It costs $12."},
		{"Mentions 30 days", "Within thirty days."},
		{"Mentions 30 days", "Within 130 days."},
		{"Mentions 30 days", "It is not 30 days."},
		{"Mentions `a` and `b` or `c`", "a"},
		{"Is valid JSON", "```json\n{}\n```"},
		{"Is brief", "Yes."},
		{"Has at most 3 words", "well-known state-of-the-art"},
		{"Has exactly two sentences", "Ask Dr. Who. He knows e.g. everything."},
		{"Has exactly 2 items", "Leeks, and cream."},
		{"Has at most 5 words", "退货期限为30天。"},
		{"Matches /(/", "("},
		{"Names 3 products", "We have 3 products."},
		{"Contains 2 sentences", "It has 2 sentences"},
		{"Mentions $30", "It costs $30 million."},
		{"Uses the command `git rebase`", "Avoid `git rebase`."},
		{"Contains the heading `Setup`", "Setup is easy."},
		{"Contains \"`\"", "Some text with ` in it, but never more."},
		{"Mentions `café`", "The cafe\u0301 is open."},
		{"Mentions 5 km", "At 5 km/h."},
		{"Does not contain `a` and `b`", "A b."},
		{"Its summary is under 30 words", "{}"},
		{"Returns JSON", "Here it is: {\"a\": 1}"},
		{"Matches /a/ and /b/", "a and b"},
		{"Matches /(?i)a/", "ab"},
		{"Has exactly one sentence", "Ask Prof. Smith about it today."},
		{"Has exactly one sentence", "यह एक है। यह दो है।"},
		{"Has at most 2 words", "- a\n- b"},
		{"Has exactly 3 items", "1. a\n2. b\n   - c\n   - d"},
		{"Has exactly 3 items", "- a\n  - b\n- c"},
		{"Has exactly 2 bullet points", "1. a\n2. b"},
		{"", "Anything"},
		{"`refund`", "refund"},
	} {
		if got := grade(t, c.criterion, c.submission); got != "?" {
			t.Errorf("%q of %q: %s", c.criterion, c.submission, got)
		}
	}
}

// TestDoubt: a literal that is not found, or found where it may mean something else, is ungraded with
// what is in the answer.
func TestDoubt(t *testing.T) {
	for _, c := range []struct{ criterion, submission, want string }{
		{"Mentions 30 days", "Within a month.", "`30 days` is not in the answer word for word; whether it is meant needs a model"},
		{"Mentions `label` and 30 days", "It has a label.", "`30 days` is not in the answer word for word; whether it is meant needs a model"},
		{"Mentions `caf\u00e9`", "The cafe\u0301 is open.", "`caf\u00e9` is not in the answer word for word; whether it is meant needs a model"},
		{"Mentions `refund`", "Refunds are possible.", "`refund` is in the answer only in another spelling or inside a word; whether it counts needs a model"},
		{"Mentions `refund` and is short", "No refund.", "`refund` is in the answer, next to words that may deny or change it; what is meant needs a model"},
		{"Is polite", "Yes.", offline.NeedsModel},
	} {
		r := ask(t, judge.Brief{Submission: c.submission, Items: []judge.Item{{ID: "c", Text: c.criterion}}})
		if got, _ := r.Ungraded.(map[string]any); got["c"] != c.want {
			t.Errorf("%q of %q: %v", c.criterion, c.submission, r.Ungraded)
		}
	}
}

// TestPatternReasons: a decision about a pattern has its reason in words.
func TestPatternReasons(t *testing.T) {
	for _, c := range []struct{ submission, want string }{
		{"From 9 to 5.", "it matches /\\d to/ (literal check, not a model)"},
		{"All day.", "it does not match /\\d to/ (literal check, not a model)"},
	} {
		r := ask(t, judge.Brief{Submission: c.submission, Items: []judge.Item{{ID: "c", Text: "Matches /\\d to/"}}})
		if len(r.Checks) != 1 || r.Checks[0].Reasoning != c.want {
			t.Errorf("%q: %+v, want %s", c.submission, r.Checks, c.want)
		}
	}
}

// TestForms: what can be decided without understanding is.
func TestForms(t *testing.T) {
	const refund = "You can return it within 30 days for a full refund.\nPlease send the order number 1042, and 12.50 € for postage."
	const order = `{"order": 1042, "state": "shipped"}`
	for _, c := range []struct{ criterion, submission, want string }{
		{"Mentions `order number`", refund, "yes"},
		{"Mentions `prepaid label`", refund, "no"},
		{"Says `order number`", refund, "yes"},
		{"States \"30 days\"", refund, "yes"},
		{"The answer must state the amount 12.50 €", refund, "yes"},
		{"Cites `invoice`", refund, "no"},
		{"Does not say `voucher`", refund, "yes"},
		{"The answer mentions the phrase \"full refund\".", refund, "yes"},
		{"Contains `refund` and `label`", refund, "no"},
		{"Contains `refund`, `order number` and `30 days`", refund, "yes"},
		{"Names `label` or `refund`", refund, "yes"},
		{"Names `label` OR `refund`", refund, "yes"},
		{"Names `label` or `invoice`", refund, "no"},
		{"Mentions 30 days", refund, "yes"},
		{"Includes the amount 12.50 €", refund, "yes"},
		{"Must not contain `voucher`", refund, "yes"},
		{"Does not contain `refund`", refund, "no"},
		{"Contains no `voucher`", refund, "yes"},
		{"Does not contain `voucher` or `label`", refund, "yes"},
		{"Does not mention `voucher`, `refund` or `label`", refund, "no"},
		{"Does not mention 30 days", refund, "no"},
		{"Does not contain `!`", refund, "yes"},
		{"Does not contain `!`", "Hi!", "no"},
		{"Mentions `not refundable`", "It is not refundable.", "yes"},
		{"Mentions $12", "It costs $12.", "yes"},
		{"Reports the state `shipped`", order, "?"},
		{"Contains the text `shipped`", order, "yes"},
		{"Is valid JSON", order, "yes"},
		{"Is valid JSON", refund, "no"},
		{"Returns a JSON object with the keys `order` and `state`", order, "yes"},
		{"Is JSON with the key `delivery`", order, "no"},
		{"Returns a JSON object", "[1, 2]", "no"},
		{"Is valid JSON", `{"order": 10`, "no"},
		{"Is under 30 words", refund, "yes"},
		{"Is under ten words", refund, "no"},
		{"Has at most two sentences", refund, "yes"},
		{"Has exactly one sentence", refund, "no"},
		{"Has no more than 3 bullet points", "- a\n- b", "yes"},
		{"Uses exactly 3 items", "1. a\n2. b", "no"},
		{"Has at most 2 items", "- a\n- b", "yes"},
		{"Is at least 3 words long", refund, "yes"},
		{"Matches /order number \\d{4}/", refund, "yes"},
		{"Does not match /voucher|coupon/i", refund, "yes"},
		{"Matches /^(?!.*voucher)/", refund, "yes"},
		{"Matches /ORDER NUMBER/i", refund, "yes"},
		{"Matches /^a\\/b$/ and is under 9 words", "a/b", "yes"},
		{"Matches the pattern /^\\{.*\\}$/", refund, "no"},
		{"Mentions `refund` and is under 30 words", refund, "yes"},
		{"Mentions `refund` and is under 5 words", refund, "no"},
		{"Mentions `refund`", "", "no"},
		{"Does not contain `refund`", " \n", "no"},
		{"Is under 30 words", "", "no"},
	} {
		if got := grade(t, c.criterion, c.submission); got != c.want {
			t.Errorf("%q of %.30q: %s, want %s", c.criterion, c.submission, got, c.want)
		}
	}
}

// TestContradiction: a criterion that holds unless it is contradicted is never refuted, since
// to lack something is not to contradict it.
func TestContradiction(t *testing.T) {
	r := ask(t, judge.Brief{Submission: "Yes.", Items: []judge.Item{
		{ID: "a", Text: "Mentions `no`", SatisfiedByDefault: true}, {ID: "b", Text: "Mentions `Yes`", SatisfiedByDefault: true},
	}})
	if len(r.Checks) != 1 || r.Checks[0].ID != "b" || !*r.Checks[0].Satisfied {
		t.Errorf("%+v", r)
	}
}

// TestBands: a score is the lowest of the only band that holds, if all are decided.
func TestBands(t *testing.T) {
	score := func(submission string, bands ...string) any {
		r := ask(t, judge.Brief{Submission: submission, Items: []judge.Item{{ID: "c", Text: "Brevity", Ranged: true, Bands: bands}}})
		if len(r.Checks) == 0 {
			return nil
		}
		return *r.Checks[0].Score
	}
	bands := []string{"0–4: Has over 6 words", "5–8: Has over 3 words and has under 7 words", "9–10: Has at most 3 words"}
	for submission, want := range map[string]float64{"One two three": 9, "One two three four": 5, "One two three four five six seven": 0} {
		if got := score(submission, bands...); got != want {
			t.Errorf("%q: %v, want %v", submission, got, want)
		}
	}
	for _, bands := range [][]string{{"0–5: Is rude", "6–10: Has at most 3 words"}, {"0–5: Has at most 3 words", "6–10: Has at most 4 words"}, {"0–10: Has over 9 words"}, {"x: Has at most 3 words"}, nil} {
		if got := score("One two three", bands...); got != nil {
			t.Errorf("%v: %v", bands, got)
		}
	}
	r := ask(t, judge.Brief{Submission: "Yes, 30 days.", Items: []judge.Item{{ID: "c", Text: "Mentions `30 days`", Ranged: true}}})
	if got := r.Ungraded.(map[string]any)["c"]; got != "it has `30 days`; its score needs a model" {
		t.Errorf("a decided text without bands: %v", got)
	}
}

// TestExpectedOutcome: without criteria the expected outcome is decided, or nothing is.
func TestExpectedOutcome(t *testing.T) {
	for expected, want := range map[string]any{"Mentions `yes`": 1.0, "Mentions `no`": 0.0} {
		if r := ask(t, judge.Brief{Expected: expected, Submission: "Well, yes."}); r.Score == nil || *r.Score != want {
			t.Errorf("%s: %+v", expected, r)
		}
	}
	if r := ask(t, judge.Brief{Expected: "Says yes", Submission: "Well, yes."}); r.Score != nil || r.Ungraded != offline.NeedsModel {
		t.Errorf("%+v", r)
	}
}

// TestQuestions: it grades and does nothing else, and stops when it is told to.
func TestQuestions(t *testing.T) {
	if _, err := (offline.Judge{}).Ask(t.Context(), judge.Question{Schema: json.RawMessage(`{"properties":{"rubrics":{}}}`)}); err == nil {
		t.Error("it answers a question that asks for no grade")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (offline.Judge{}).Ask(ctx, judge.Question{}); err == nil || !strings.Contains(err.Error(), "canceled") {
		t.Errorf("after the end: %v", err)
	}
}

func FuzzAsk(f *testing.F) {
	f.Add("Mentions `refund` and is under 5 words", "We refund.")
	f.Add("Does not match /a(b/", "「」 30 days")
	f.Fuzz(func(t *testing.T, criterion, submission string) { grade(t, criterion, submission) })
}
