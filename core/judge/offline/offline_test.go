package offline_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

const (
	refund = "I am sorry the lamp flickers. Our refund window is 30 days, so three weeks is within it. " +
		"Please reply with your order number and I will email you a prepaid return label."
	reset  = "Open the sign-in page and choose \"Forgot password\". We email you a reset link. The link expires after 15 minutes."
	python = "Use `sorted(items, key=len)`:\n\n```python\nfor item in sorted(items, key=len):\n    print(item)\n```\nIt runs in O(n log n)."
	list   = "- wash the leeks\n- slice them thinly\n- simmer for 20 minutes"
	object = `{"order": 1042, "state": "shipped", "delivery": "2026-03-14"}`
	german = "Die Rückgabe ist innerhalb von 14 Tagen kostenlos. Das Etikett liegt bei."
	tokyo  = "東京タワーの高さは333メートルです。"
)

// opinions are criteria with what a person would say of a submission.
var opinions = []struct {
	criterion, submission string
	want                  bool
}{
	{"States that the refund window is 30 days", refund, true},
	{"States that the refund window is 60 days", refund, false},
	{"Asks for the order number", refund, true},
	{"Offers a prepaid return label", refund, true},
	{"Offers store credit", refund, false},
	{"Does not mention store credit", refund, true},
	{"Does not mention a prepaid label", refund, false},
	{"Apologises", refund, false},                        // it says "sorry": beyond the letter
	{"Never promises a replacement lamp", refund, false}, // "lamp" alone is half of it
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
	{"Is a bulleted list", list, true},
	{"Is a bulleted list", refund, false},
	{"Has at least 3 bullets", list, true},
	{"Has at least 4 bullets", list, false},
	{"Simmers for 20 minutes", list, true},
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
}

// heldOut were written after the judge was finished, and it was not changed for
// them: the share that it gets right says what a stand-in is worth.
var heldOut = []struct {
	criterion, submission string
	want                  bool
}{
	{"Tells the customer how to send the lamp back", refund, true},
	{"Confirms that three weeks is still within the window", refund, true},
	{"Refuses the refund", refund, false},
	{"Mentions shipping costs", refund, false},
	{"Avoids asking for credit card data", refund, true},
	{"Contains no prices", refund, true},
	{"Explains where to click", reset, false},
	{"Warns that the link expires", reset, true},
	{"Gives the link's lifetime as 15 minutes", reset, true},
	{"Is one paragraph", reset, true},
	{"Asks for the current password", reset, false},
	{"Sorts the items by length", python, false},
	{"Includes a Python code block", python, true},
	{"Mentions `print`", python, true},
	{"Slices the leeks thinly", list, true},
	{"Uses exactly 3 bullets", list, true},
	{"Contains the delivery date 2026-03-14", object, true},
	{"Output is only JSON", object, true},
	{"Must not contain an apology", object, true},
	{"Is in JSON with a field `carrier`", object, false},
}

func ask(t *testing.T, profile score.Profile, criteria []*rubric.Criterion, submission string) grade.Decoded {
	t.Helper()
	c := &rubric.Case{ID: "c", ExpectedOutcome: "Explains the refund window of 30 days and asks for the order number"}
	q := grade.Question(profile, c, &rubric.Grader{Kind: rubric.LLMJudge, Criteria: criteria}, grade.Submission{Answer: submission})
	a, err := offline.Judge{}.Ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	d := grade.Decode(profile, criteria, a.Text)
	for _, p := range d.Problems {
		t.Errorf("its reply is refused: %s\n%s", p, a.Text)
	}
	return d
}

func satisfied(t *testing.T, criterion, submission string) bool {
	t.Helper()
	d := ask(t, score.Spec, []*rubric.Criterion{{ID: "a", Text: criterion, Weight: 1}}, submission)
	return *d.Grades[0].Satisfied
}

func TestOpinions(t *testing.T) {
	wrong := 0
	for _, o := range opinions {
		if got := satisfied(t, o.criterion, o.submission); got != o.want {
			wrong++
			t.Logf("%q of %.30q is %v", o.criterion, o.submission, got)
		}
	}
	if wrong > 3 {
		t.Errorf("%d of %d opinions are not a person's", wrong, len(opinions))
	}
	wrong = 0
	for _, o := range heldOut {
		if got := satisfied(t, o.criterion, o.submission); got != o.want {
			wrong++
			t.Logf("held out: %q of %.30q is %v", o.criterion, o.submission, got)
		}
	}
	t.Logf("held out: %d of %d right", len(heldOut)-wrong, len(heldOut))
	if wrong > len(heldOut)/3 {
		t.Errorf("held out: %d of %d are wrong", wrong, len(heldOut))
	}
}

// TestEveryReplyIsUsable asks about every shape of rubric in both profiles; ask
// fails on a reply that would be refused.
func TestEveryReplyIsUsable(t *testing.T) {
	bands := []rubric.Band{{Lo: 0, Hi: 4, Text: "Wrong"}, {Lo: 5, Hi: 10, Text: "Explains the refund window"}}
	check, ranged := &rubric.Criterion{ID: "a", Text: "Offers a label", Weight: 1}, &rubric.Criterion{ID: "b", Weight: 1, Bands: bands}
	for _, profile := range []score.Profile{score.Spec, score.AgentV} {
		for _, criteria := range [][]*rubric.Criterion{{check}, {ranged}, {check, ranged}} {
			for _, submission := range []string{"", refund, strings.Repeat("x ", 1<<19), "\x00\xff"} {
				ask(t, profile, criteria, submission)
			}
		}
		if d := ask(t, profile, nil, refund); d.Score == nil || *d.Score < 0.8 || len(d.Hits) != 4 {
			t.Errorf("%s: a free-form judgement of the reference is %+v", profile, d)
		}
		if d := ask(t, profile, nil, ""); *d.Score != 0 || len(d.Misses) == 0 {
			t.Errorf("%s: a free-form judgement of nothing is %+v", profile, d)
		}
	}
	d := ask(t, score.Spec, []*rubric.Criterion{ranged}, refund)
	if got := *d.Grades[0].Score; got < 7 {
		t.Errorf("a criterion without a text is judged by its best range, got %v", got)
	}
}

// TestHonest: every reply says what it is.
func TestHonest(t *testing.T) {
	a, err := offline.Judge{}.Ask(t.Context(), judge.Question{Brief: judge.Brief{Expected: "x", Submission: "x"}})
	if err != nil || !strings.Contains(a.Model, "stand-in") || !strings.Contains(a.Text, offline.Notice) {
		t.Errorf("%+v, %v", a, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (offline.Judge{}).Ask(ctx, judge.Question{}); err == nil {
		t.Error("it answers after the end")
	}
}

func FuzzJudge(f *testing.F) {
	for _, o := range opinions {
		f.Add(o.criterion, o.submission)
	}
	f.Fuzz(func(t *testing.T, criterion, submission string) {
		criteria := []*rubric.Criterion{
			{ID: "a", Text: criterion, Weight: 1}, {ID: "b", Text: criterion, Bands: []rubric.Band{{Lo: 0, Hi: 10, Text: criterion}}},
		}
		q := grade.Question(score.Spec, &rubric.Case{}, &rubric.Grader{Criteria: criteria}, grade.Submission{Answer: submission})
		a, _ := offline.Judge{}.Ask(t.Context(), q)
		b, _ := offline.Judge{}.Ask(t.Context(), q)
		if a.Text != b.Text {
			t.Fatalf("two answers to one question: %s, %s", a.Text, b.Text)
		}
		if d := grade.Decode(score.Spec, criteria, a.Text); len(d.Problems) > 0 || !json.Valid([]byte(a.Text)) {
			t.Fatalf("%v in %s", d.Problems, a.Text)
		}
	})
}
