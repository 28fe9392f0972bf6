package grade_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// TestVotes: of several judgements the majority counts, no if there is none; of
// several scores the median, of two in the middle the lower.
func TestVotes(t *testing.T) {
	const yes, no, dunno = `{"id":"a","satisfied":true,"reasoning":"yes"}`, `{"id":"a","satisfied":false,"reasoning":"no"}`, `{"id":"z"}`
	height := func(n int) string { return fmt.Sprintf(`{"id":"a","score":%d,"reasoning":"%d"}`, n, n) }
	check := &rubric.Criterion{ID: "a", Text: "A", Weight: 1}
	ranged := &rubric.Criterion{ID: "a", Text: "A", Weight: 1, Bands: []rubric.Band{{Lo: 0, Hi: 10, Text: "any"}}}
	for _, c := range []struct {
		name      string
		criterion *rubric.Criterion
		checks    []string
		score     float64
		reasoning string
		agreement float64
		ungraded  string
	}{
		{"two of three", check, []string{yes, no, yes}, 1, "yes", 2.0 / 3, ""},
		{"all", check, []string{no, no, no}, 0, "no", 1, ""},
		{"as many", check, []string{yes, no}, 0, "no", 0.5, ""},
		{"as many of four", check, []string{yes, no, yes, no}, 0, "no", 0.5, ""},
		{"the median", ranged, []string{height(2), height(9), height(7)}, 0.7, "7", 1.0 / 3, ""},
		{"the lower median", ranged, []string{height(2), height(9), height(7), height(8)}, 0.7, "7", 0.25, ""},
		{"the median of many alike", ranged, []string{height(9), height(9), height(2)}, 0.9, "9", 2.0 / 3, ""},
		{"most have graded it", check, []string{yes, dunno, yes}, 1, "yes", 2.0 / 3, ""},
		{"half have graded it", check, []string{yes, dunno}, 0, "", 0, "only 1 of 2 samples graded it: missing in the reply, which has `z`"},
		{"nobody has", check, []string{dunno, dunno, dunno}, 0, "", 0, "only 0 of 3 samples graded it: missing in the reply, which has `z`"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := &script{}
			for _, check := range c.checks {
				n := 1
				if check == dunno {
					n = 3 // it is asked again for each sample
				}
				for range n {
					j.replies = append(j.replies, `{"checks":[`+check+`],"overall_reasoning":"all in all"}`)
				}
			}
			g := &rubric.Grader{Name: "g", Kind: rubric.LLMJudge, Criteria: []*rubric.Criterion{c.criterion}}
			out := grade.Grade(t.Context(), grade.Ports{Judge: j, Samples: len(c.checks)}, &rubric.Case{}, g, grade.Submission{})
			got := out.Result.Grades[0]
			if number(out.Result) != c.score || got.Reasoning != c.reasoning || got.Ungraded != c.ungraded || out.Result.Reasoning != "all in all" {
				t.Errorf("%v, %+v", number(out.Result), got)
			}
			if c.ungraded == "" && (got.Agreement == nil || *got.Agreement != c.agreement) {
				t.Errorf("%v agree", got.Agreement)
			}
			if isListed := strings.HasSuffix(got.VoteSummary(), "agree: one gave no grade"); isListed != (c.ungraded == "" && slices.Contains(c.checks, dunno)) {
				t.Errorf("it is told that %s", got.VoteSummary())
			}
			if last := j.asked[len(j.asked)-1]; last.Sample != len(c.checks)-1 || len(out.Replies) != len(j.replies) {
				t.Errorf("%d replies, the last to %+v", len(out.Replies), last)
			}
		})
	}
}

func TestFreeformSamples(t *testing.T) {
	free := func(s string) string { return `{"score":` + s + `,"hits":["` + s + `"],"misses":[],"reasoning":"r"}` }
	for _, c := range []struct {
		name     string
		replies  []string
		samples  int
		score    float64
		all      []float64
		ungraded string
	}{
		{"the median", []string{free("0.2"), free("0.9"), free("0.7")}, 3, 0.7, []float64{0.2, 0.9, 0.7}, ""},
		{"the lower of two", []string{free("0.9"), free("0.2")}, 2, 0.2, []float64{0.9, 0.2}, ""},
		{"one is away", []string{free("0.9"), "away", free("0.8")}, 3, 0.8, []float64{0.9, 0.8}, ""},
		{"one of two is away", []string{free("0.9"), "away"}, 2, 0, nil, "only 1 of 2 samples graded it: the judge gave no answer: "},
		{"one of three is no majority", []string{free("0.9"), "no"}, 3, 0, nil, "only 1 of 3 samples graded it: it is not JSON"},
		{"all are away", []string{"away"}, 3, 0, nil, "could not be reached"},
	} {
		j := &script{replies: c.replies}
		out := grade.Grade(t.Context(), grade.Ports{Judge: j, Samples: c.samples}, &rubric.Case{}, freely(), grade.Submission{})
		r := out.Result
		if number(r) != c.score || (c.ungraded == "") != (r.Ungraded == "") || !strings.Contains(r.Ungraded, c.ungraded) {
			t.Errorf("%s: %+v", c.name, r)
		}
		if c.all != nil && !reflect.DeepEqual(r.Details, grade.SampleScores{Scores: c.all}) {
			t.Errorf("%s: details are %+v", c.name, r.Details)
		}
		if prompt := r.Reasoning == "(only 2 of 3 samples graded it) r"; prompt != (c.name == "one is away") || !prompt && c.ungraded == "" && r.Reasoning != "r" {
			t.Errorf("%s: it is told that %q", c.name, r.Reasoning)
		}
		if unreachable(out.Err) != (c.name == "all are away") {
			t.Errorf("%s: error %v", c.name, out.Err)
		}
	}
}

// TestSampleCount: the samples of a grader are asked of each judge of a panel.
func TestSampleCount(t *testing.T) {
	for _, tt := range []struct{ run, own, panel, asked int }{{0, 0, 0, 1}, {3, 0, 0, 3}, {0, 2, 0, 2}, {3, 2, 0, 3}, {3, 2, 3, 6}} {
		j := &script{replies: []string{`{"score":1}`}}
		g := freely()
		g.Samples = tt.own
		r := grade.Grade(t.Context(), grade.Ports{Judge: j, Samples: tt.run, PanelSize: tt.panel}, &rubric.Case{}, g, grade.Submission{}).Result
		if len(j.asked) != tt.asked || (r.Details == nil) != (tt.asked == 1) {
			t.Errorf("%+v: asked %d times, details %v", tt, len(j.asked), r.Details)
		}
	}
}

// TestSamplesOfTheReference: replies that are of no use do not vote.
func TestSamplesOfTheReference(t *testing.T) {
	no := strings.ReplaceAll(both, "true", "false")
	j := &script{replies: []string{"x", "x", "x", both, no, both}}
	r := grade.Grade(t.Context(), grade.Ports{Judge: j, Samples: 4, Profile: score.AgentV}, &rubric.Case{}, two(), grade.Submission{}).Result
	if number(r) != 1 || *r.Grades[0].Agreement != 2.0/3 {
		t.Errorf("%+v", r)
	}
	twiceA := `{"checks":[{"id":"a","satisfied":true,"reasoning":""},{"id":"a","satisfied":false,"reasoning":""}],"overall_reasoning":""}`
	j = &script{replies: []string{twiceA}}
	r = grade.Grade(t.Context(), grade.Ports{Judge: j, Samples: 3, Profile: score.AgentV}, &rubric.Case{}, two(), grade.Submission{}).Result
	if number(r) != 0.5 || len(r.Grades) != 3 || r.Grades[2].Ungraded == "" {
		t.Errorf("the first grade of an id votes with the first, and `b` is left out: %+v", r)
	}
}

// TestDeclined: a judge that declines is not asked again. The reference scores as if it had not
// been asked about a criterion, and the criterion counts as ungraded.
func TestDeclined(t *testing.T) {
	one := `{"checks":[{"id":"a","satisfied":true,"reasoning":""}],"ungraded":{"b":"needs a model"},"overall_reasoning":""}`
	for profile, want := range map[score.Profile]struct {
		value   any
		verdict score.Verdict
	}{score.Spec: {nil, score.Ungraded}, score.AgentV: {1.0, score.Pass}, score.AgentV4: {1.0, score.Pass}, score.AgentVHead: {1.0, score.Pass}} {
		ports := grade.Ports{Judge: &script{replies: []string{one}}, Profile: profile}
		out := grade.Grade(t.Context(), ports, &rubric.Case{}, two(), grade.Submission{})
		c := score.Case(profile, nil, []score.WeightedResult{{Name: "rubric", Weight: 1, Result: out.Result}})
		if len(out.Replies) != 1 || out.Result.Verdict != want.verdict || c.Ungraded != 1 || out.Result.Grades[1].Ungraded != "needs a model" {
			t.Errorf("%s: %d replies, %d ungraded, %+v", profile, len(out.Replies), c.Ungraded, out.Result)
		}
		ports.Judge = &script{replies: []string{`{"ungraded":"needs a model"}`}}
		out = grade.Grade(t.Context(), ports, &rubric.Case{}, &rubric.Grader{Kind: rubric.LLMJudge}, grade.Submission{})
		if len(out.Replies) != 1 || out.Result.Ungraded != "needs a model" {
			t.Errorf("%s: %d replies, %+v", profile, len(out.Replies), out.Result)
		}
	}
}
