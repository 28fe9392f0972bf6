package run_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// gradesItself takes the score of an answer from its first word. An answer that ends with "gated"
// fails whatever its score, and one that ends with "barred" fails its gate.
type gradesItself struct{}

func (gradesItself) Grade(_ context.Context, p grade.Ports, _ *rubric.Case, _ *rubric.Grader, sub grade.Submission) grade.Outcome {
	var value float64
	if _, err := fmt.Sscan(sub.Answer, &value); err != nil {
		return grade.Outcome{Result: score.UngradedResult(sub.Answer)}
	}
	r := score.PlainResult(value, nil, nil, "")
	if r.Verdict = score.VerdictAt(p.Profile, value, nil); strings.HasSuffix(sub.Answer, "gated") {
		r.Verdict = score.Fail
	}
	if strings.HasSuffix(sub.Answer, "barred") {
		r.Gates = []score.Gate{{ID: "own", Grader: "own", Whole: true, Reason: "barred"}}
	}
	return grade.Outcome{Result: r}
}
func (gradesItself) IsGate(p score.Profile, _ *rubric.Grader) bool { return !p.IsReference() }
func (gradesItself) Unsupported() string                           { return "" }
func (gradesItself) IsYesNo() bool                                 { return false }

// TestTrials runs a case several times, with an answer and a quarter of a dollar for each. Lower bounds
// are those of Student's t-distribution.
func TestTrials(t *testing.T) {
	alternately := strings.Repeat("1,0.8,", 15)
	const mean, pass, interval, head = "mean", "pass_at_k", "confidence_interval", score.AgentVHead
	for _, c := range []struct {
		trials  rubric.Trials
		profile score.Profile
		again   int // by the settings
		answers string
		want    string
	}{
		{rubric.Trials{Strategy: mean}, "", 0, "1", "1.0000 pass, best 1"},
		{rubric.Trials{Strategy: mean}, "", 0, "1,0.5", "0.7500 borderline, best 1, 1 of 2"},
		{rubric.Trials{Strategy: mean}, "", 0, "0.5,0.7,0.7 again,0.6", "0.6250 borderline, best 0.7, 0 of 4"},
		{rubric.Trials{Strategy: mean}, "", 0, "?,0.5,0.9", "none ungraded, best 0.9, 1 of 3"},
		{rubric.Trials{Strategy: mean}, "", 0, "1,1,0.5", "0.8333 pass, best 1, 2 of 3"},
		{rubric.Trials{Strategy: mean}, "", 0, "1,1 gated", "1.0000 fail, best 1, 1 of 2"},
		{rubric.Trials{Strategy: mean}, head, 0, "0.9,1", "0.9500 pass, best 1, 2 of 2, ok"},
		{rubric.Trials{Strategy: mean}, head, 0, "0.2,0.3", "0.2500 fail, best 0.3, 0 of 2, quality_failure"},
		{rubric.Trials{Strategy: mean}, head, 0, "error,0", "0.0000 fail, best , 0 of 2, quality_failure"},
		{rubric.Trials{Strategy: mean}, "", 0, "?,0", "0.0000 fail, best 0, 0 of 2"},
		{rubric.Trials{Strategy: mean}, "", 0, "?,error", "none ungraded, best ?, 0 of 2"},
		{rubric.Trials{Strategy: pass}, "", 0, "0.2,0.9", "0.9000 pass, best 0.9, 1 of 2"},
		{rubric.Trials{Strategy: "pass_any"}, "", 0, "0.9,0.2", "0.9000 pass, best 0.9, 1 of 2"},
		{rubric.Trials{Strategy: pass}, "", 0, "0.2,1 gated", "1.0000 fail, best 1 gated, 0 of 2"},
		{rubric.Trials{Strategy: pass}, "", 0, "0.2,?", "0.2000 fail, best 0.2, 0 of 2"},
		{rubric.Trials{Strategy: pass}, "", 0, "0.7,?", "none ungraded, best 0.7, 0 of 2"},
		{rubric.Trials{Strategy: pass}, "", 0, "0.9,?", "0.9000 pass, best 0.9, 1 of 2"},
		{rubric.Trials{Strategy: interval}, "", 0, "0.9,1,0.95,0.85", "0.8223 pass, best 1, 4 of 4"},
		{rubric.Trials{Strategy: interval}, "", 0, "0.95,0.96", "0.8915 pass, best 0.96, 2 of 2"},
		{rubric.Trials{Strategy: interval}, "", 0, strings.TrimSuffix(alternately, ","), "0.8620 pass, best 1, 30 of 30"},
		{rubric.Trials{Strategy: interval}, "", 0, alternately + "1", "0.8675 pass, best 1, 31 of 31"},
		{rubric.Trials{Strategy: interval, StopAtPass: true}, "", 0, "0.9,0.2", "0.9000 pass, best 0.9, 1 of 1"},
		{rubric.Trials{Strategy: mean, StopAtPass: true}, "", 0, "0.5,0.9,0.2", "0.7000 borderline, best 0.9, 1 of 2"},
		{rubric.Trials{Strategy: mean, StopAtPass: true}, "", 3, "0.9,0.9,0.9", "0.9000 pass, best 0.9, 3 of 3"},
		{rubric.Trials{Strategy: mean, MaxCost: 0.5}, "", 0, "0.2,0.2,0.2", "0.2000 fail, best 0.2, 0 of 2"},
	} {
		answers := strings.Split(c.answers, ",")
		c.trials.Count = len(answers)
		kase := &rubric.Case{ID: "a", Trials: &c.trials, Graders: []*rubric.Grader{{Name: "own", Kind: rubric.Deterministic, Weight: 1, DialectData: gradesItself{}}}}
		target := func(context.Context, *rubric.Case) (grade.Submission, error) {
			answer := answers[0]
			if answers = slices.Delete(answers, 0, 1); answer == "error" {
				return grade.Submission{}, errors.New("away")
			}
			return grade.Submission{Answer: answer, Trace: &grade.Trace{CostUSD: new(0.25)}}, nil
		}
		graded := 0
		rec := run.Runner{Target: target, Profile: c.profile, Trials: c.again}.RunCase(t.Context(), &rubric.Suite{}, kase, func(*run.GraderRecord) { graded++ })
		got := "none"
		if rec.Score != nil {
			got = fmt.Sprintf("%.4f", *rec.Score)
		}
		got += fmt.Sprintf(" %s, best %s", rec.Verdict, rec.CandidateAnswer)
		if rec.Trials != nil {
			got += fmt.Sprintf(", %d of %d", rec.Trials.Passed, len(rec.Trials.Runs))
		}
		if rec.Execution != nil {
			got += ", " + rec.Execution.Status
		}
		if got != c.want || graded != len(rec.Graders) {
			t.Errorf("%s of %s in %q: %s, graded %d times, want %s", c.trials.Strategy, c.answers, c.profile, got, graded, c.want)
		}
	}
}

// TestTrialReasons checks what a record says of its trials: why some have no grade or fail, and whether
// something was out of reach.
func TestTrialReasons(t *testing.T) {
	const mean, pass = "mean", "pass_at_k"
	for _, c := range []struct {
		strategy string
		profile  score.Profile
		answers  string
		reasons  string // of the record; then of each trial
		says     string
		away     bool
		passes   string // the thresholds of 0.5, 0.6 and 1 that the record reaches
	}{
		{mean, "", "1,0.9", "|,", "2 of 2 pass (pass@2), mean 0.95, score by mean", false, "0.5 0.6"},
		{mean, "", "1,?,0.9", "1 of 3 trials have no grade: `own` is ungraded: ?|,`own` is ungraded: ?,", "2 of 3 pass (pass@3), 1 ungraded, mean 0.95, score by mean", false, ""},
		{mean, "", "error,?,0.9", "2 of 3 trials have no grade: the target gave no answer: broken|the target gave no answer: broken,`own` is ungraded: ?,", "1 of 3 pass (pass@3), 2 ungraded, mean 0.9, score by mean", false, ""},
		{mean, score.AgentVHead, "error,1,0.9", "|the target gave no answer: broken,,", "2 of 3 pass (pass@3), mean 0.6333, score by mean", false, ""},
		{mean, "", "?,?", "`own` is ungraded: ?|`own` is ungraded: ?,`own` is ungraded: ?", "0 of 2 pass (pass@2), 2 ungraded, mean –, score by mean", false, ""},
		{mean, "", "1,0.2 barred", "in a trial, `own`: barred; in a trial, `own`: it does not pass|,", "1 of 2 pass (pass@2), mean 0.6, score by mean", false, "0.5 0.6"},
		{mean, score.AgentV, "1,0.2 barred", "|,", "1 of 2 pass (pass@2), mean 0.6, score by mean", false, "0.5 0.6"},
		{mean, "", "1,0.5 barred,1", "|,,", "2 of 3 pass (pass@3), mean 0.8333, score by mean", false, "0.6"},
		{mean, "", "1,away", "1 of 2 trials have no grade: the target gave no answer: could not be reached|,the target gave no answer: could not be reached", "1 of 2 pass (pass@2), 1 ungraded, mean 1, score by mean", true, ""},
		{pass, "", "away,1", "|the target gave no answer: could not be reached,", "1 of 2 pass (pass@2), 1 ungraded, mean 1, score by pass_at_k", false, "0.5 0.6 1"},
		{pass, "", "away,0", "in a trial, `own`: it does not pass|the target gave no answer: could not be reached,", "0 of 2 pass (pass@2), 1 ungraded, mean 0, score by pass_at_k", true, ""},
	} {
		answers := strings.Split(c.answers, ",")
		kase := &rubric.Case{ID: "a", Trials: &rubric.Trials{Count: len(answers), Strategy: c.strategy}, Graders: []*rubric.Grader{{Name: "own", Kind: rubric.Deterministic, Weight: 1, DialectData: gradesItself{}}}}
		errorOf := map[string]error{"error": errors.New("broken"), "away": judge.ErrUnreachable}
		target := func(ctx context.Context, _ *rubric.Case) (grade.Submission, error) {
			trial, _ := judge.TrialOf(ctx)
			return grade.Submission{Answer: answers[trial]}, errorOf[answers[trial]]
		}
		rec := run.Runner{Target: target, Profile: c.profile}.RunCase(t.Context(), &rubric.Suite{}, kase, func(*run.GraderRecord) {})
		var faults, passes []string
		for _, trial := range rec.Trials.Runs {
			faults = append(faults, trial.Error)
		}
		for _, threshold := range []float64{0.5, 0.6, 1} {
			if rec.Passes(threshold) {
				passes = append(passes, fmt.Sprint(threshold))
			}
		}
		reasons := strings.Join(rec.Reasons, "; ") + "|" + strings.Join(faults, ",")
		if reasons != c.reasons || rec.Trials.String() != c.says || rec.Unreachable != c.away || strings.Join(passes, " ") != c.passes {
			t.Errorf("%s of %s: %q, %s, away %v, passes with %s", c.strategy, c.answers, reasons, rec.Trials, rec.Unreachable, passes)
		}
	}
	for says, trials := range map[string]run.Trials{
		"1 of 1 pass (pass@1), mean –, score by mean":             {Strategy: mean, Count: 1, Passed: 1, Runs: []run.Trial{{Score: new(1.0)}}},
		"0 of 1 pass (pass@1), 1 ungraded, mean –, score by mean": {Strategy: mean, Count: 1, Mean: new(1.0), Runs: []run.Trial{{}}},
	} {
		if trials.String() != says {
			t.Errorf("%s, want %s", trials, says)
		}
	}
}
