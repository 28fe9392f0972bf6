package run_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// TestScoreManually: a metric has a score once every item that its judge would be asked about has a
// grade, of its turn or of all.
func TestScoreManually(t *testing.T) {
	say := func(text string) *metric.Content { return &metric.Content{Parts: []metric.Part{{Text: text}}} }
	talk := metric.Conversation{Actual: []metric.Invocation{{User: say("Hi"), Final: say("Hello")}, {User: say("Bye"), Final: say("See you")}}}
	cs := &run.Conversations{Measure: func(p metric.Ports, _ int) func(context.Context, *rubric.Case) (metric.CaseResult, error) {
		return func(ctx context.Context, _ *rubric.Case) (r metric.CaseResult, err error) {
			quality := metric.Criterion{Metric: metric.ResponseQuality, Threshold: 0.6, Rubrics: []metric.Rubric{{ID: "kind", Text: "Is kind"}, {ID: "short", Text: "Is short"}}}
			for _, c := range []metric.Criterion{quality, {Metric: metric.Hallucinations, Threshold: 0.5}} {
				r.Metrics = append(r.Metrics, metric.Evaluate(ctx, p, c, talk))
			}
			return r, nil
		}
	}}
	yes, no, ten := true, false, 10.0
	about := func(metric string, turn int, id string, is bool) grade.ManualGrade {
		return grade.ManualGrade{Grader: metric, Turn: turn, ID: id, Satisfied: &is}
	}
	kind, short, grounded := about("", 0, "kind", yes), about("", 0, "short", no), about("", 0, "1.1", yes)
	invented := func(turn int) grade.ManualGrade { return about(metric.Hallucinations, turn, "1.1", no) }
	for _, c := range []struct {
		name   string
		grades []grade.ManualGrade
		want   string
	}{
		{"none", nil, "ungraded, 2 open: –, –; no grade for 4 items; no grade for 2 items"},
		{"of one item", []grade.ManualGrade{kind}, "ungraded, 2 open: –, –; no grade for 2 items; no grade for 2 items"},
		{"of one metric", []grade.ManualGrade{kind, short}, "fail, 1 open: 0.5, –; no grade for 2 items"},
		{"all", []grade.ManualGrade{kind, short, grounded}, "fail, 0 open: 0.5, 1"},
		{"the first counts", []grade.ManualGrade{kind, short, invented(1), grounded}, "fail, 0 open: 0.5, 0.5"},
		{"of a turn alone", []grade.ManualGrade{kind, short, invented(2)}, "fail, 1 open: 0.5, –; no grade for 1 item"},
		{"of a turn that is not there", []grade.ManualGrade{kind, short, invented(3)}, "no metric of the case `c` asks about `1.1` there; name another `grader` or `turn`, or none"},
		{"of both turns", []grade.ManualGrade{kind, short, invented(1), invented(2)}, "fail, 0 open: 0.5, 0"},
		{"without a value", []grade.ManualGrade{{ID: "other"}, kind, short, grounded}, "fail, 0 open: 0.5, 1"},
		{"of another metric", []grade.ManualGrade{about(metric.Safety, 0, "kind", yes)}, "no metric of the case `c` asks about `kind` there; name another `grader` or `turn`, or none"},
		{"of no item", []grade.ManualGrade{about("", 0, "kin", no)}, "no metric of the case `c` asks about `kin`; did you mean `kind`?"},
		{"a score", []grade.ManualGrade{{ID: "kind", Score: &ten}}, "no metric of the case `c` asks about `kind` with a score; set `satisfied`"},
	} {
		r, err := cs.ScoreManually(t.Context(), &rubric.Case{ID: "c"}, c.grades)
		var scores, why []string
		for _, g := range r.Graders {
			scores = append(scores, scoreText(g.Score))
		}
		for _, reason := range r.Reasons {
			if _, open, found := strings.Cut(reason, "was not evaluated: "); found {
				why = append(why, "; "+open)
			}
		}
		got := fmt.Sprintf("%s, %d open: %s%s", r.Verdict, r.Ungraded, strings.Join(scores, ", "), strings.Join(why, ""))
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	broken := errors.New("broken")
	for fails := range 2 { // the questions, or the measurement with the grades
		calls := 0
		cs.Measure = func(metric.Ports, int) func(context.Context, *rubric.Case) (metric.CaseResult, error) {
			return func(context.Context, *rubric.Case) (r metric.CaseResult, err error) {
				if calls++; calls > fails {
					err = broken
				}
				return r, err
			}
		}
		if _, err := cs.ScoreManually(t.Context(), &rubric.Case{ID: "c"}, nil); !errors.Is(err, broken) || calls != fails+1 {
			t.Errorf("after %d calls: %v", calls, err)
		}
	}
}
