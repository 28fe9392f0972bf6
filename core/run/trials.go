package run

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// Trials are several runs of one case. The record of the case is that of the best one, with the score
// and the verdict of all. One that passes is better than any other.
type Trials struct {
	Strategy string   `json:"strategy"` // how the scores are combined; see [rubric.Trials]
	Count    int      `json:"count"`    // that were to be run
	Passed   int      `json:"passed"`   // pass@k is 1 if any passed
	Mean     *float64 `json:"mean"`     // of the scores, if there are any
	Runs     []Trial  `json:"runs"`     // fewer than Count if one that passed or the cost ended them
}

// Trial is one run of a case.
type Trial struct {
	Score           *float64      `json:"score"`
	Verdict         score.Verdict `json:"verdict"`
	Status          string        `json:"execution_status,omitempty"`
	CandidateAnswer string        `json:"candidate_answer"`
	Gates           []score.Gate  `json:"gates,omitempty"` // that failed
	Error           string        `json:"error,omitempty"` // why it did not finish, or is ungraded
	JudgeUsage      ModelUsage    `json:"judge_usage,omitzero"`
	TargetUsage     ModelUsage    `json:"target_usage,omitzero"`
}

// String says how many trials pass, and how many have no score.
func (t Trials) String() string {
	unscored, mean := 0, "–"
	for _, trial := range t.Runs {
		if trial.Score == nil {
			unscored++
		}
	}
	pass := fmt.Sprintf("%d of %d pass (pass@%d)", t.Passed, len(t.Runs), t.Count)
	if unscored > 0 {
		pass += fmt.Sprintf(", %d ungraded", unscored)
	}
	if unscored < len(t.Runs) && t.Mean != nil {
		mean = fmt.Sprintf("%.4g", *t.Mean)
	}
	return fmt.Sprintf("%s, mean %s, score by %s", pass, mean, t.Strategy)
}

// trialsOf returns how often a case is run: as the settings say, or else the file.
func (r Runner) trialsOf(c *rubric.Case) rubric.Trials {
	t := rubric.Trials{Count: r.Trials, Strategy: "mean"}
	switch {
	case r.Measure != nil && !r.asksAgent: // what is recorded stays the same
		t.Count = 1
	case c.Trials != nil:
		t = *c.Trials
		if r.Trials > 0 {
			t.Count, t.StopAtPass = r.Trials, false
		}
	}
	return t
}

// RunCase runs one case, from its target to its record, as often as its trials say. It calls onGraded
// after each grader.
func (r Runner) RunCase(ctx context.Context, suite *rubric.Suite, c *rubric.Case, onGraded func(*GraderRecord)) *Record {
	trials := r.trialsOf(c)
	if trials.Count <= 1 {
		return r.runOnce(ctx, suite, c, onGraded)
	}
	r.Earlier = nil // see [Runner.CanReuseAnswer]
	var best *Record
	var runs []Trial
	cost, unreachable, answeredBy := 0.0, false, ""
	for trial := range trials.Count {
		rec := r.runOnce(judge.WithTrial(ctx, trial), suite, c, func(*GraderRecord) {})
		done := Trial{Score: rec.Score, Verdict: rec.Verdict, CandidateAnswer: rec.CandidateAnswer, Error: rec.Error, JudgeUsage: rec.JudgeUsage(), TargetUsage: rec.TargetUsage()}
		if rec.Execution != nil {
			done.Status = rec.Execution.Status
		}
		if done.Gates = slices.DeleteFunc(slices.Clone(rec.Gates), func(g score.Gate) bool { return !g.Failed() }); rec.Verdict == score.Ungraded {
			done.Error = strings.Join(rec.Reasons, "; ")
		}
		runs = append(runs, done)
		unreachable, answeredBy = unreachable || rec.Unreachable, cmp.Or(answeredBy, rec.AnsweredBy)
		if best == nil || rec.isBetter(best) {
			best = rec
		}
		if rec.TraceSummary != nil && rec.TraceSummary.CostUSD != nil {
			cost += *rec.TraceSummary.CostUSD
		}
		if ctx.Err() != nil {
			return rec // of a run that was stopped
		}
		if trials.StopAtPass && rec.Verdict == score.Pass || trials.MaxCost > 0 && cost >= trials.MaxCost {
			break
		}
	}
	best.Trials.Runs, best.AnsweredBy = runs, answeredBy
	best.applyTrials()
	best.Unreachable = unreachable && best.Trials.counts()
	for i := range best.Graders {
		onGraded(&best.Graders[i])
	}
	return best
}

// isBetter reports whether r says more for its case than another record: it passes, or has the higher score.
func (r *Record) isBetter(than *Record) bool {
	if passes := r.Verdict == score.Pass; passes != (than.Verdict == score.Pass) {
		return passes
	}
	return r.Score != nil && (than.Score == nil || *r.Score > *than.Score)
}

// takesAny reports whether one trial that passes is enough.
func (t *Trials) takesAny() bool { return t.Strategy == "pass_at_k" || t.Strategy == "pass_any" }

// counts reports whether every trial counts, and not only one that passes.
func (t *Trials) counts() bool { return t != nil && !(t.Passed > 0 && t.takesAny()) }

// unfinishedTrials returns the trials that count and have no grade.
func (r Record) unfinishedTrials() []Trial {
	if !r.Trials.counts() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Trials.Runs), func(t Trial) bool { return t.Error == "" && t.Verdict != score.Ungraded })
}

// gatedTrials returns the trials that count, reach the case's score or threshold, and fail all the same.
func (r Record) gatedTrials(threshold float64) []Trial {
	if !r.Trials.counts() || r.Profile.IsReference() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Trials.Runs), func(t Trial) bool {
		return t.Score == nil || t.Verdict != score.Fail ||
			score.VerdictAt(r.Profile, *t.Score, r.Threshold) != score.Pass && (len(t.Gates) == 0 || *t.Score < threshold)
	})
}

// applyTrials sets the score and the verdict of a record with trials.
func (r *Record) applyTrials() {
	if r.Trials == nil || len(r.Trials.Runs) == 0 {
		return
	}
	t := r.Trials
	var scores []float64
	t.Passed, t.Mean = 0, nil
	sum := 0.0
	for _, trial := range t.Runs {
		if trial.Score != nil {
			scores = append(scores, *trial.Score)
			sum += *trial.Score
		}
		if trial.Verdict == score.Pass {
			t.Passed++
		}
	}
	if len(scores) == 0 {
		return // the record says why no trial has a score
	}
	value := sum / float64(len(scores))
	t.Mean = new(value)
	switch {
	case t.takesAny():
		value = slices.Max(scores)
	case t.Strategy == "confidence_interval":
		value = lowerBound(scores, value)
	}
	verdict := score.VerdictAt(r.Profile, value, r.Threshold)
	unfinished, gated := r.unfinishedTrials(), r.gatedTrials(1)
	isUngraded := func(trial Trial) bool { return trial.Verdict == score.Ungraded }
	r.Reasons = nil
	switch {
	case !t.counts():
		verdict = score.Pass
	case slices.ContainsFunc(unfinished, isUngraded) && verdict != score.Fail:
		r.Score, r.Verdict, r.Ungraded = nil, score.Ungraded, max(r.Ungraded, len(unfinished))
		r.Reasons = []string{fmt.Sprintf("%d of %d trials have no grade: %s", len(unfinished), len(t.Runs), unfinished[0].Error)}
		return
	case t.takesAny(), len(gated) > 0:
		verdict = score.Fail
	}
	for _, trial := range t.Runs {
		for _, g := range trial.Gates {
			if verdict != score.Pass && trial.Verdict == score.Fail && r.Profile != score.AgentV { // whose gates decide nothing
				r.Reasons = generic.AppendNew(r.Reasons, "in a trial, "+g.FailureMessage())
			}
		}
	}
	r.Score, r.Verdict = &value, verdict
	if r.Execution == nil {
		return
	}
	for _, status := range []string{"quality_failure", "ok"} {
		if slices.ContainsFunc(t.Runs, func(trial Trial) bool { return trial.Status == status }) {
			r.Execution = &score.Execution{Status: status}
		}
	}
}

// lowerBound returns the lower end of the 95 % confidence interval of a mean, within 0 and 1.
func lowerBound(scores []float64, mean float64) float64 {
	n := float64(len(scores))
	if n < 2 {
		return score.Clamp(mean)
	}
	variance := 0.0
	for _, s := range scores {
		variance += (s - mean) * (s - mean)
	}
	return score.Clamp(mean - studentT(len(scores)-1)*math.Sqrt(variance/(n-1))/math.Sqrt(n))
}

// studentT returns the two-tailed critical value of Student's t-distribution for 95 %.
func studentT(degrees int) float64 {
	table := []float64{
		12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
		2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045,
	}
	if degrees > len(table) {
		return 1.96
	}
	return table[degrees-1]
}
