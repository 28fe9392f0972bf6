package offline_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// asked is what the judge says of a submission; a reply that would be refused
// fails the test.
func asked(t *testing.T, profile score.Profile, c *rubric.Case, criteria []*rubric.Criterion, submission string) grade.DecodedReply {
	t.Helper()
	q := grade.Question(profile, c, &rubric.Grader{Kind: rubric.LLMJudge, Criteria: criteria}, grade.Submission{Answer: submission})
	a, err := offline.Judge{}.Ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	d := grade.DecodeReply(profile, criteria, a.Text)
	for _, p := range d.Problems {
		t.Errorf("its reply is refused: %s\n%s", p, a.Text)
	}
	conforms(t, q.Schema, a.Text)
	return d
}

// conforms wants each object of a reply to have the keys that the schema names,
// neither more nor fewer.
func conforms(t *testing.T, schema json.RawMessage, reply string) {
	t.Helper()
	type object struct {
		Properties struct {
			Checks struct {
				Items struct {
					Required []string
					AnyOf    []struct{ Required []string }
				}
			}
		}
		Required []string
	}
	var form object
	var got map[string]any
	if json.Unmarshal(schema, &form) != nil || json.Unmarshal([]byte(reply), &got) != nil {
		t.Fatalf("no JSON: %s, %s", schema, reply)
	}
	keys := func(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
	if !slices.Equal(keys(got), form.Required) {
		t.Errorf("a reply of %v, want %v", keys(got), form.Required)
	}
	list, _ := got["checks"].([]any)
	for _, item := range list {
		forms := [][]string{form.Properties.Checks.Items.Required}
		for _, f := range form.Properties.Checks.Items.AnyOf {
			forms = append(forms, f.Required)
		}
		has := keys(item.(map[string]any))
		if !slices.ContainsFunc(forms, func(f []string) bool { return slices.Equal(f, has) }) {
			t.Errorf("a check of %v, want one of %v", has, forms)
		}
	}
}

func one(text string) []*rubric.Criterion {
	return []*rubric.Criterion{{ID: "a", Text: text, Weight: 1}}
}

func satisfied(t *testing.T, criterion, submission string) bool {
	t.Helper()
	return *asked(t, score.Spec, &rubric.Case{}, one(criterion), submission).Grades[0].Satisfied
}

// TestEveryReplyIsUsable asks about every shape of rubric in both profiles.
func TestEveryReplyIsUsable(t *testing.T) {
	bands := []rubric.Band{{Lo: 0, Hi: 4, Text: "Wrong"}, {Lo: 5, Hi: 10, Text: "Explains the refund window"}}
	check, ranged := &rubric.Criterion{ID: "a", Text: "Offers a label"}, &rubric.Criterion{ID: "b", Text: "Refund", Bands: bands}
	c := &rubric.Case{ExpectedOutcome: "Explains the refund window of 30 days and asks for the order number"}
	huge := strings.Repeat("The refund window is 30 days. 返金 ", 1<<15)
	for _, profile := range []score.Profile{score.Spec, score.AgentV} {
		for _, criteria := range [][]*rubric.Criterion{{check}, {ranged}, {check, ranged}, {check, check}, nil} {
			for _, submission := range []string{"", " \n", refund, huge, "\x00\xff"} {
				asked(t, profile, c, criteria, submission)
			}
		}
	}
}

func TestFreeform(t *testing.T) {
	window := "Explains the refund window of 30 days and never promises a replacement"
	for name, c := range map[string]struct {
		c            rubric.Case
		submission   string
		score        float64
		hits, misses []string
	}{
		"all of it":            {rubric.Case{ExpectedOutcome: window}, refund, 1, []string{"refund window", "30 days", "rightly no replacement"}, nil},
		"a part":               {rubric.Case{ExpectedOutcome: "Names the refund window and the hotline"}, refund, 0.67, []string{"refund window"}, []string{"hotline"}},
		"what is forbidden":    {rubric.Case{ExpectedOutcome: "Does not mention the lamp"}, refund, 0, nil, []string{"wrongly lamp"}},
		"nothing":              {rubric.Case{ExpectedOutcome: window}, "", 0, nil, []string{"any text"}},
		"a vague wish":         {rubric.Case{ExpectedOutcome: "A good answer"}, refund, 0, nil, nil},
		"a vague wish, a text": {rubric.Case{ExpectedOutcome: "A good answer", ReferenceAnswer: "The lamp flickers loudly"}, refund, 0.67, []string{"lamp flickers"}, []string{"loudly"}},
		"only the first four":  {rubric.Case{ExpectedOutcome: "`a`, `b`, `c`, `d`, `e`"}, "abcde", 1, []string{"a", "b", "c", "d"}, nil},
	} {
		d := asked(t, score.Spec, &c.c, nil, c.submission)
		if *d.Score != c.score || !slices.Equal(d.Hits, c.hits) || !slices.Equal(d.Misses, c.misses) || !strings.HasSuffix(d.Reasoning, offline.Notice) {
			t.Errorf("%s: %v %q %q %s", name, *d.Score, d.Hits, d.Misses, d.Reasoning)
		}
	}
}

// TestReasoning: people are told what was found and what was missed.
func TestReasoning(t *testing.T) {
	const caveat = " (lexical stand-in, not a model)"
	for criterion, want := range map[string]string{
		"States that the refund window is 60 days":       "found `refund window`, `days`; missed `60`",
		"Apologises and names the hotline":               "found `apologises`; missed `hotline`",
		"Is under 20 words":                              "missed `under 20 words (it has 33)`",
		"Quotes `order number` or `invoice`":             "found `order number` or `invoice`",
		"Does not mention fees, store credit or coupons": "rightly without `fees`, `store credit`, `coupons`",
		"Does not mention the order number":              "found what must not be there: `order number`",
		"Is good":                                        "found nothing that could be looked for",
		"Ash, elm, oak, fir, yew, fig, lime, plum, pear, birch, larch, cedar, maple": "missed `ash`, `elm`, `oak`, `fir`, `yew`, `fig`, `lime`, `plum`, `pear`, `birch`, `larch`, `cedar` and 1 more",
		"`" + strings.Repeat("é", 70) + "`":                                          "missed `" + strings.Repeat("é", 60) + "…`",
	} {
		if got := asked(t, score.Spec, &rubric.Case{}, one(criterion), refund).Grades[0].Reasoning; got != want+caveat {
			t.Errorf("%q: %s", criterion, got)
		}
	}
}

// TestHonest: every reply says what it is, and there is none where it would not
// be a grade.
func TestHonest(t *testing.T) {
	a, err := offline.Judge{}.Ask(t.Context(), judge.Question{Brief: judge.Brief{Expected: "x", Submission: "x"}})
	if err != nil || !strings.Contains(a.Model, "not a model") || !strings.Contains(a.Text, offline.Notice) {
		t.Errorf("%+v, %v", a, err)
	}
	draft := judge.Question{Schema: json.RawMessage(`{"properties":{"rubrics":{"type":"array"}}}`)}
	if _, err := (offline.Judge{}).Ask(t.Context(), draft); err == nil || !strings.HasPrefix(err.Error(), "judge offline: it only grades") {
		t.Errorf("asked to write criteria it says %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (offline.Judge{}).Ask(ctx, judge.Question{}); err != context.Canceled {
		t.Errorf("after the end it says %v", err)
	}
}

// TestConcurrentUse: one judge, many questions, the same answers.
func TestConcurrentUse(t *testing.T) {
	ask := func(o opinion) string {
		q := grade.Question(score.Spec, &rubric.Case{}, &rubric.Grader{Criteria: one(o.criterion)}, grade.Submission{Answer: o.submission})
		a, _ := offline.Judge{}.Ask(t.Context(), q)
		return a.Text
	}
	var all sync.WaitGroup
	for _, o := range opinions {
		want := ask(o)
		for range 4 {
			all.Go(func() {
				if got := ask(o); got != want {
					t.Errorf("%q: %s, then %s", o.criterion, want, got)
				}
			})
		}
	}
	all.Wait()
}

func FuzzJudge(f *testing.F) {
	for _, o := range opinions {
		f.Add(o.criterion, o.submission)
	}
	f.Fuzz(func(t *testing.T, criterion, submission string) {
		criteria := []*rubric.Criterion{
			{ID: "a", Text: criterion, Weight: 1}, {ID: "b", Text: criterion, Bands: []rubric.Band{{Lo: 2, Hi: 3, Text: criterion}, {Lo: 6, Hi: 9, Text: criterion}}},
		}
		c := &rubric.Case{ExpectedOutcome: criterion, ReferenceAnswer: submission}
		for _, profile := range []score.Profile{score.Spec, score.AgentV} {
			first := asked(t, profile, c, criteria, submission)
			again := asked(t, profile, c, criteria, submission)
			for i, g := range first.Grades {
				if g.Reasoning != again.Grades[i].Reasoning || strings.TrimSpace(g.Reasoning) == "" {
					t.Fatalf("two answers to one question: %v, %v", g, again.Grades[i])
				}
			}
			if got := *first.Grades[1].Score; got < 2 || got > 9 || got == 4 || got == 5 {
				t.Fatalf("%v lies in no band", got)
			}
			asked(t, profile, c, nil, submission)
		}
	})
}

func BenchmarkMegabyte(b *testing.B) {
	criteria := one("States that the refund window is 60 days, in under 30 words, and does not mention store credit")
	q := grade.Question(score.Spec, &rubric.Case{}, &rubric.Grader{Criteria: criteria}, grade.Submission{Answer: strings.Repeat(refund+"\n", 1<<20/len(refund))})
	for b.Loop() {
		if _, err := (offline.Judge{}).Ask(b.Context(), q); err != nil {
			b.Fatal(err)
		}
	}
}
