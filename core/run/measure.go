package run

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// ProfileOf is the profile of records that metrics measured.
func ProfileOf(p metric.Profile) score.Profile { return score.Profile("adk-" + p) }

// measure has a case's conversation measured. It tells of each metric.
func (r Runner) measure(ctx context.Context, rec *Record, c *rubric.Case, tell func(*GraderRecord)) {
	found, err := r.Measure(ctx, c)
	if err != nil {
		rec.fail(ctx, err)
		return
	}
	rec.CandidateAnswer = found.Answer
	rec.sum(found)
	for i := range rec.Graders {
		tell(&rec.Graders[i])
	}
	if ctx.Err() != nil {
		rec.fail(ctx, ctx.Err())
	}
}

// Measured reports whether metrics, and not graders, made the record.
func (r *Record) Measured() bool { return len(r.Graders) > 0 && r.Graders[0].Metric != nil }

// sum sets what follows from the metrics of a case: it passes if all of them do.
// ADK takes no notice of one that is not evaluated; here it is ungraded, and fails
// the case. The score is the mean of theirs, in which that one is 0.
func (r *Record) sum(found metric.CaseResult) {
	r.Verdict, r.Gates, r.Hits, r.Misses, r.Graders = score.Pass, []score.Gate{}, []string{}, []string{}, []GraderRecord{}
	var all []*float64
	for _, m := range found.Metrics {
		g := metricRecord(m)
		all = append(all, &g.Score)
		if m.Status == metric.NotEvaluated {
			r.Ungraded++
		}
		if m.Status != metric.Passed {
			r.Verdict = score.Fail
			r.Reasons = append(r.Reasons, shortfall(m))
		}
		r.Unreachable = r.Unreachable || g.Unreachable
		r.Graders = append(r.Graders, g)
	}
	if mean := metric.Mean(all); mean != nil {
		r.Score = *mean
	}
	if len(found.Metrics) == 0 {
		r.Verdict, r.Ungraded = score.Fail, 1
		reason := found.Reason
		if reason == "" {
			reason = "no metric is asked for"
		}
		r.Reasons = append(r.Reasons, reason)
	}
}

// shortfall is why a metric keeps its case from passing.
func shortfall(m metric.Result) string {
	if m.Status == metric.NotEvaluated {
		return fmt.Sprintf("`%s` was not evaluated: %s", m.Metric, m.Reason)
	}
	return fmt.Sprintf("`%s` is %s, below %s", m.Metric, short(*m.Score), short(m.Threshold))
}

func metricRecord(m metric.Result) GraderRecord {
	return GraderRecord{
		Name: m.Metric, Type: rubric.Metric, Weight: 1, Result: outcome(m.Score, m.Status, m.Reason), Metric: &m,
		Unreachable: errors.Is(m.Err, judge.ErrUnreachable),
	}
}

// outcome is a status in the words of all graders.
func outcome(value *float64, status metric.Status, reason string) score.Result {
	if value == nil {
		return score.UngradedResult(reason)
	}
	r := score.Result{Score: *value, Verdict: score.Fail, Gates: []score.Gate{}, Hits: []string{}, Misses: []string{}, Reasoning: reason}
	if status == metric.Passed {
		r.Verdict = score.Pass
	}
	return r
}

// Turns are what a metric says of each turn, as records of graders: with the
// rubrics or the claims that were judged as criteria.
func Turns(m metric.Result) []GraderRecord {
	turns := make([]GraderRecord, len(m.Invocations))
	for i, t := range m.Invocations {
		g := GraderRecord{
			Name: "turn " + strconv.Itoa(i+1), Type: rubric.Turn, Weight: 1,
			Result: outcome(t.Score, t.Status, t.Reason), Problems: t.Problems,
		}
		for _, s := range t.Rubrics {
			g.judged(s.ID, s.ID, s.Score, s.Rationale)
		}
		for n, step := range t.Steps {
			for k, c := range step.Claims {
				value, _ := metric.ScoreLabels([]string{c.Label})
				g.judged(fmt.Sprintf("%d.%d", n+1, k+1), c.Sentence, value, c.Label+": "+c.Rationale+quotes(c))
			}
		}
		for n, reply := range t.Replies {
			g.Replies = append(g.Replies, ReplyRecord{Text: reply.Text, Model: reply.Model, Usage: reply.Usage, Kept: reply.Kept, Sample: n, Problems: reply.Problems})
		}
		turns[i] = g
	}
	return turns
}

// judged adds a yes or no, or neither, as a criterion with its grade.
func (g *GraderRecord) judged(id, text string, value *float64, reasoning string) {
	grade := score.Grade{ID: id, Weight: 1, Reasoning: reasoning}
	if value == nil {
		grade.Ungraded = "the judge said neither yes nor no"
	} else {
		yes := *value == 1
		grade.Satisfied = &yes
	}
	g.Criteria = append(g.Criteria, CriterionRecord{ID: id, Text: text, Weight: 1})
	g.Grades = append(g.Grades, grade)
}

// quotes are the words of the evidence that a claim was held against.
func quotes(c metric.Claim) (text string) {
	if c.Supporting != nil && *c.Supporting != "" {
		text += fmt.Sprintf("; supported by %q", *c.Supporting)
	}
	if c.Contradicting != nil && *c.Contradicting != "" {
		text += fmt.Sprintf("; contradicted by %q", *c.Contradicting)
	}
	return text
}

// short is a score as people write it.
func short(f float64) string { return strconv.FormatFloat(f, 'g', 4, 64) }
