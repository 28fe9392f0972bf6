package grade_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
)

// TestPanelOpinions: each seat of a panel has its vote and keeps its opinion, and
// what they do not agree on says how often it would turn.
func TestPanelOpinions(t *testing.T) {
	check := func(checks string) string { return `{"checks":[` + checks + `],"overall_reasoning":""}` }
	yes, no := check(`{"id":"a","satisfied":true,"reasoning":"yes"}`), check(`{"id":"a","satisfied":false,"reasoning":"no"}`)
	height := func(n int) string { return check(fmt.Sprintf(`{"id":"a","score":%d,"reasoning":"%d"}`, n, n)) }
	bands := []rubric.Band{{Lo: 0, Hi: 4, Text: "poor"}, {Lo: 5, Hi: 10, Text: "good"}}
	for _, c := range []struct {
		name      string
		bands     []rubric.Band
		says      []string // by seat; "" is away
		score     float64
		flip      float64
		votes     string
		contested bool
	}{
		{"all say so", nil, []string{yes, yes, yes}, 1, 0, "3 of 3 agree", false},
		{"two of three", nil, []string{yes, no, yes}, 1, 2.0 / 3, "2 of 3 agree: A yes, B no, C yes", true},
		{"a tie is a no", nil, []string{yes, no}, 0, 1, "1 of 2 agree: A yes, B no", true},
		{"one is away", nil, []string{yes, "", yes}, 1, 0, "2 of 3 agree: A yes, B nothing, C yes", true},
		{"scores of one band", bands, []string{height(6), height(8), height(7)}, 0.7, 0, "1 of 3 agree: A 6, B 8, C 7", true},
		{"scores of two", bands, []string{height(6), height(2), height(6)}, 0.6, 2.0 / 3, "2 of 3 agree: A 6, B 2, C 6", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var seats []judge.Seat
			for i, reply := range c.says {
				seats = append(seats, judge.Seat{Name: string(rune('A' + i)), Judge: judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
					if reply == "" {
						return judge.Answer{}, judge.ErrUnreachable
					}
					return judge.Answer{Text: reply}, nil
				})})
			}
			g := &rubric.Grader{Name: "g", Kind: rubric.LLMJudge, Criteria: []*rubric.Criterion{{ID: "a", Text: "A", Weight: 1, Bands: c.bands}}}
			out := grade.Grade(t.Context(), grade.Ports{Judge: judge.Panel(seats...), Samples: len(seats)}, &rubric.Case{}, g, grade.Submission{})
			got := out.Result.Grades[0]
			if number(out.Result) != c.score || got.FlipRate == nil || *got.FlipRate != c.flip || got.VoteSummary() != c.votes || got.IsContested() != c.contested {
				t.Errorf("score %v, %q, contested %v, flip rate %v", number(out.Result), got.VoteSummary(), got.IsContested(), got.FlipRate)
			}
			for i, o := range got.Opinions {
				if o.Judge != string(rune('A'+i)) || o.Sample != i || (o.Ungraded == "") == (c.says[i] == "") {
					t.Errorf("opinion %d is %+v", i, o)
				}
			}
			if len(got.Opinions) != len(seats) {
				t.Errorf("%d opinions", len(got.Opinions))
			}
		})
	}
}

// TestOwnJudge: a grader's own judge has no panel. It is asked as often as one seat would be, and its
// replies are all votes there are.
func TestOwnJudge(t *testing.T) {
	const good, bad = `{"score":1,"hits":[],"misses":[],"reasoning":"r"}`, `{"score":0,"hits":[],"misses":[],"reasoning":"r"}`
	none := strings.ReplaceAll(both, "true", "false")
	for _, c := range []struct {
		g        *rubric.Grader
		own, all string // replies
	}{{freely(), good, bad}, {two(), both, none}} {
		for judgeName, want := range map[string]struct {
			score float64
			named string
			own   int // questions
			panel int
		}{"strict": {1, "strict", 3, 0}, "unknown": {0, "", 0, 6}} {
			own, panel := &script{replies: []string{c.own}}, &script{replies: []string{c.all}}
			ports := grade.Ports{Judge: panel, OwnJudges: map[string]judge.Judge{"strict": own}, Samples: 6, PanelSize: 2}
			c.g.Judge = judgeName
			out := grade.Grade(t.Context(), ports, &rubric.Case{}, c.g, grade.Submission{})
			if out.Judge != want.named || number(out.Result) != want.score || len(own.asked) != want.own || len(panel.asked) != want.panel {
				t.Errorf("%s: %q scores %v after %d and %d questions: %s", c.g.Name, out.Judge, number(out.Result), len(own.asked), len(panel.asked), out.Result.Ungraded)
			}
			if out.Result.Ungraded != "" || strings.Contains(out.Result.Reasoning, "only") {
				t.Errorf("%s: %q, %q", c.g.Name, out.Result.Ungraded, out.Result.Reasoning)
			}
		}
	}
}
