package run_test

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// awayFor is a target that fails for the case with this id.
func awayFor(id string) run.Target {
	return func(_ context.Context, c *rubric.Case) (grade.Submission, error) {
		if c.ID == id {
			return grade.Submission{}, errors.New("away")
		}
		return grade.Submission{Answer: "no"}, nil
	}
}

// TestDependencies: a case runs after those that it depends on, and only if they were run to their end,
// whatever their score. Cases whose dependencies do not come are last.
func TestDependencies(t *testing.T) {
	on := func(id string, needs ...string) *rubric.Case {
		return &rubric.Case{ID: id, DependsOn: needs, Graders: []*rubric.Grader{containsGrader("yes")}}
	}
	anyway := on("anyway", "away")
	anyway.OnDependencyFailure = "run"
	s := &rubric.Suite{Cases: []*rubric.Case{
		on("early", "late"), on("itself", "itself"), on("away"), on("skipped", "away", "late"), anyway, on("late"), on("late"), on("last", "gone"), on("free"),
	}}
	var got []string
	for _, rec := range records(t.Context(), run.Runner{Target: awayFor("away")}, s, nil) {
		got = append(got, rec.EvalID+" "+rec.Error)
	}
	want := `away the target gave no answer: away
anyway 
late 
early 
skipped skipped: it depends on ` + "`away`" + `, which could not be run
late 
free 
itself skipped: it depends on the case ` + "`itself`" + `, which is not run before it
last skipped: it depends on the case ` + "`gone`" + `, which is not run before it`
	if strings.Join(got, "\n") != want {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	for want, completed := range map[string]map[string]bool{
		"": {"away": true, "late": true, "other": false}, "skipped: it depends on `away`, which could not be run": {"away": false, "late": true},
		"skipped: it depends on the case `late`, which is not run before it": {"away": true},
	} {
		if rec := (run.Runner{Target: awayFor("")}).RunAfter(t.Context(), s, s.Cases[3], completed); rec.Error != want {
			t.Errorf("after %v: %q, want %q", completed, rec.Error, want)
		}
	}
	selected, neededBy := run.WithDependencies(s.Cases, func(c *rubric.Case) bool { return c.ID == "skipped" || c.ID == "early" })
	if all := strings.Join(caseIDs(&rubric.Suite{Cases: selected}), " "); all != "early away skipped late late" || !maps.Equal(neededBy, map[string]string{"away": "skipped", "late": "early"}) {
		t.Errorf("selected %s, needed by %v", all, neededBy)
	}
}

func TestIsCompleted(t *testing.T) {
	for _, c := range []struct {
		rec  *run.Record
		want bool
	}{
		{nil, false}, {&run.Record{Verdict: score.Fail}, true}, {&run.Record{Verdict: score.Ungraded}, false}, {&run.Record{Verdict: score.Pass, Error: "x"}, false},
		{&run.Record{Verdict: score.Fail, Execution: &score.Execution{Status: "execution_error"}}, false},
		{&run.Record{Verdict: score.Fail, Execution: &score.Execution{Status: "quality_failure"}}, true},
	} {
		if got := c.rec.IsCompleted(); got != c.want {
			t.Errorf("%+v: %v", c.rec, got)
		}
	}
}
