package offline_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// quickstart are the cases of the example that people run first, with what is
// expected of their own reference answers. A number is a score of 0 to 10.
var quickstart = []struct {
	c        rubric.Case
	criteria []*rubric.Criterion
	answer   string
	want     []float64 // 1 and 0 for satisfied and not
}{
	{
		rubric.Case{ID: "refund-window", ExpectedOutcome: "Explains the refund policy and the next step"},
		[]*rubric.Criterion{
			{ID: "1", Text: "States that the refund window is 30 days"}, {ID: "2", Text: "Asks for the order number"}, {ID: "3", Text: "Offers a prepaid return label"},
		},
		"I am sorry the lamp flickers. Our refund window is 30 days, so three weeks is within it.\n" +
			"Please reply with your order number and I will email you a prepaid return label.",
		[]float64{1, 1, 1},
	},
	{
		rubric.Case{ID: "reset-password", ExpectedOutcome: "Gives safe, complete steps to reset a password"},
		[]*rubric.Criterion{
			{ID: "reset-link", Text: "Says that a reset link is sent by email"}, {ID: "no-password", Text: "Warns never to share the password"},
			{ID: "expiry", Text: "Mentions that the link expires after 15 minutes"}, {ID: "phone", Text: "Names the telephone hotline as an alternative"},
		},
		"Open the sign-in page and choose \"Forgot password\". We email you a reset link.\n" +
			"The link expires after 15 minutes. Never share your password, not even with us.",
		[]float64{1, 1, 1, 0},
	},
	{
		rubric.Case{ID: "summarise-review", ExpectedOutcome: "An accurate summary of the review in under 30 words"},
		[]*rubric.Criterion{
			{ID: "accuracy", Text: "Covers that the kettle boils fast, the lid broke after a month and support took two weeks", Bands: []rubric.Band{
				{Lo: 0, Hi: 3, Text: "Contradicts the review"}, {Lo: 4, Hi: 6, Text: "Misses the broken lid or the slow support"},
				{Lo: 7, Hi: 9, Text: "Covers both faults with minor omissions"}, {Lo: 10, Hi: 10, Text: "Covers every point of the review"},
			}},
			{ID: "brevity", Text: "Is under 30 words", Bands: []rubric.Band{
				{Lo: 0, Hi: 4, Text: "Much longer than asked"}, {Lo: 5, Hi: 8, Text: "Slightly longer than asked"}, {Lo: 9, Hi: 10, Text: "Within 30 words"},
			}},
		},
		"The kettle boils fast and looks lovely, but its lid broke after a month and support took two weeks to answer.",
		[]float64{10, 10},
	},
	{
		rubric.Case{ID: "order-status", ExpectedOutcome: "Reports the order's state and its delivery date as JSON"},
		[]*rubric.Criterion{{ID: "1", Text: "Reports the state `shipped`"}},
		`{"order":1042,"state":"shipped","delivery":"2026-03-14"}`,
		[]float64{1},
	},
	{
		rubric.Case{ID: "opening-hours", ExpectedOutcome: "Says that the shop is open from 9 to 18 on weekdays and closed on Sunday"},
		nil,
		"The shop is open from 9 to 18 on weekdays, from 10 to 14 on Saturday, and closed on Sunday.",
		[]float64{1},
	},
}

// grades are a judgement as numbers.
func grades(t *testing.T, profile score.Profile, c *rubric.Case, criteria []*rubric.Criterion, answer string) []float64 {
	t.Helper()
	d := asked(t, profile, c, criteria, answer)
	if len(criteria) == 0 {
		return []float64{*d.Score}
	}
	var out []float64
	for _, g := range d.Grades {
		switch {
		case g.Score != nil:
			out = append(out, *g.Score)
		case *g.Satisfied:
			out = append(out, 1)
		default:
			out = append(out, 0)
		}
	}
	return out
}

func TestQuickstart(t *testing.T) {
	for _, profile := range []score.Profile{score.Spec, score.AgentV} {
		for _, q := range quickstart {
			got := grades(t, profile, &q.c, q.criteria, q.answer)
			for i, want := range q.want {
				if got[i] != want {
					t.Errorf("%s, %s: %v, want %v", profile, q.c.ID, got, q.want)
				}
			}
		}
	}
}

// TestUnrelated: an answer to something else, or none, does not pass by luck.
func TestUnrelated(t *testing.T) {
	const weather = "Lisbon is lovely in May: expect sunshine, a light breeze and temperatures of around 22 degrees. Pack a jacket for the evenings, and try the custard tarts in Belém; the queues are shortest right after breakfast."
	for _, answer := range []string{weather, "", "\n\t "} {
		for _, q := range quickstart {
			for i, got := range grades(t, score.Spec, &q.c, q.criteria, answer) {
				if got > 0.25 && !(q.c.ID == "summarise-review" && i == 1 && got <= 8) { // 36 words are only slightly too long
					t.Errorf("%s, criterion %d: %.20q gets %v", q.c.ID, i+1, answer, got)
				}
			}
		}
	}
}
