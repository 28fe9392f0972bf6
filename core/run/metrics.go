package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/spell"
)

// MetricProfile returns the profile of records that metrics measured.
func MetricProfile(p metric.Profile) score.Profile { return score.Profile("adk-" + p) }

func (r Runner) runMetrics(ctx context.Context, rec *Record, c *rubric.Case, onGraded func(*GraderRecord)) {
	if r.Earlier != nil {
		if earlier := r.Earlier(c); r.canReuseConversation(earlier) {
			c = r.reuse(c, earlier.Recorded)
		}
	}
	result, err := r.Measure(ctx, c)
	rec.Informational = result.Informational
	if rec.Recorded = result.Recorded; rec.Recorded != nil && rec.Recorded.Calls > 0 {
		rec.TraceSummary = &grade.Trace{LLMCalls: &rec.Recorded.Calls, TokenUsage: &grade.Tokens{Input: float64(rec.Recorded.Usage.Input), Output: float64(rec.Recorded.Usage.Output)}}
	}
	if err != nil {
		rec.fail(ctx, err)
		return
	}
	rec.CandidateAnswer = result.Answer
	rec.ApplyMetrics(result)
	for i := range rec.Graders {
		onGraded(&rec.Graders[i])
	}
	if ctx.Err() != nil {
		rec.fail(ctx, ctx.Err())
	}
}

// canReuseConversation reports whether an earlier record has a conversation that needs no agent again.
func (r Runner) canReuseConversation(earlier *Record) bool {
	return r.reuse != nil && earlier != nil && earlier.Recorded != nil && earlier.Error == ""
}

// HasMetrics reports whether metrics, rather than graders, made the record.
func (r *Record) HasMetrics() bool { return len(r.Graders) > 0 && r.Graders[0].Metric != nil }

// NewMetricRecord returns the record of a recorded conversation whose metrics a result file of ADK has. Its target and
// judge are unknown.
func NewMetricRecord(dataset string, recorded *rubric.Case, metrics []metric.Result) Record {
	rec := Record{EvalID: recorded.ID, Dataset: dataset, Profile: MetricProfile(metric.Latest), Question: recorded.Question, CandidateAnswer: recorded.ReferenceAnswer}
	rec.ApplyMetrics(metric.CaseResult{Metrics: metrics, Reason: "the file has no results of metrics"})
	return rec
}

// ApplyMetrics sets what follows from the metrics of a case: it passes if all of them do.
// ADK ignores a metric that is not evaluated, and turns and rubrics without a verdict; here they leave the
// case ungraded, unless a metric failed. The score is the mean of those that are evaluated.
func (r *Record) ApplyMetrics(result metric.CaseResult) {
	r.Verdict, r.Gates, r.Hits, r.Misses, r.Graders = score.Pass, []score.Gate{}, []string{}, []string{}, []GraderRecord{}
	var scores []*float64
	for _, m := range result.Metrics {
		g := GraderRecord{
			Name: m.Metric, Type: rubric.Metric, Weight: 1, Result: metricOutcome(m.Score, m.Status, m.Reason), Metric: &m, Judge: m.Judge,
			Unreachable: errors.Is(m.Err, judge.ErrUnreachable),
		}
		scores = append(scores, m.Score)
		switch {
		case m.Status == metric.NotEvaluated:
			r.Ungraded++
			r.Reasons = append(r.Reasons, fmt.Sprintf("`%s` was not evaluated: %s", m.Metric, m.Reason))
		case m.Status != metric.Passed:
			r.Verdict = score.Fail
			r.Reasons = append(r.Reasons, fmt.Sprintf("`%s` is %s, below %s", m.Metric, formatScore(*m.Score), formatScore(m.Threshold)))
		case m.Err != nil:
			r.Ungraded++
			r.Reasons = append(r.Reasons, fmt.Sprintf("`%s` was not evaluated in full: %v", m.Metric, m.Err))
		}
		r.Unreachable = r.Unreachable || g.Unreachable
		r.Graders = append(r.Graders, g)
	}
	r.Score = metric.Mean(scores)
	if len(result.Metrics) == 0 {
		r.Ungraded = 1
		r.Reasons = append(r.Reasons, cmp.Or(result.Reason, "no metric is configured"))
	}
	if r.Ungraded > 0 && r.Verdict != score.Fail {
		r.Score, r.Verdict = nil, score.Ungraded
	}
}

// metricOutcome expresses a metric's status as a grader's result.
func metricOutcome(value *float64, status metric.Status, reason string) score.Result {
	if value == nil {
		return score.UngradedResult(reason)
	}
	r := score.Result{Score: value, Verdict: score.Fail, Gates: []score.Gate{}, Hits: []string{}, Misses: []string{}, Reasoning: reason}
	if status == metric.Passed {
		r.Verdict = score.Pass
	}
	return r
}

// TurnRecords returns what a metric found in each turn, as records of graders. The rubrics or
// claims that were judged are the criteria.
func TurnRecords(m metric.Result) []GraderRecord {
	turns := make([]GraderRecord, len(m.Invocations))
	for i, t := range m.Invocations {
		g := GraderRecord{
			Name: "turn " + strconv.Itoa(i+1), Type: rubric.Turn, Weight: 1,
			Result: metricOutcome(t.Score, t.Status, t.Reason), Problems: t.Problems,
		}
		for _, s := range t.Rubrics {
			g.addJudgement(s.ID, cmp.Or(s.Text, s.ID), s.Score, s.Rationale)
		}
		for n, step := range t.Steps {
			for k, c := range step.Claims {
				value, _ := metric.ScoreLabels([]string{c.Label})
				g.addJudgement(fmt.Sprintf("%d.%d", n+1, k+1), c.Sentence, value, c.Label+": "+c.Rationale+evidenceText(c))
			}
		}
		for n, reply := range t.Replies {
			reply.Sample = n
			g.Replies = append(g.Replies, reply)
		}
		turns[i] = g
	}
	return turns
}

// addJudgement adds a criterion with its grade. value is 1 for yes and 0 for no; nil means
// ungraded.
func (g *GraderRecord) addJudgement(id, text string, value *float64, reasoning string) {
	grade := score.Grade{ID: id, Weight: 1, Reasoning: reasoning}
	if value == nil {
		grade.Ungraded = "the judge answered neither yes nor no"
	} else {
		yes := *value == 1
		grade.Satisfied = &yes
	}
	g.Criteria = append(g.Criteria, CriterionRecord{ID: id, Text: text, Weight: 1})
	g.Grades = append(g.Grades, grade)
}

func evidenceText(c metric.Claim) (text string) {
	if c.Supporting != nil && *c.Supporting != "" {
		text += fmt.Sprintf("; supported by %q", *c.Supporting)
	}
	if c.Contradicting != nil && *c.Contradicting != "" {
		text += fmt.Sprintf("; contradicted by %q", *c.Contradicting)
	}
	return text
}

func formatScore(f float64) string { return strconv.FormatFloat(f, 'g', 4, 64) }

// ScoreManually is [grade.ScoreManually] for a conversation. A metric is evaluated once each item that
// its judge would be asked about has a grade; a grade without a turn is for all turns.
func (cs *Conversations) ScoreManually(ctx context.Context, c *rubric.Case, grades []grade.ManualGrade) (grade.ManualResult, error) {
	asked := &metric.ManualVerdicts{}
	if _, err := cs.measure(ctx, c, asked); err != nil {
		return grade.ManualResult{}, err
	}
	verdicts, missing, used := []metric.ManualVerdict{}, map[string]int{}, map[int]bool{}
	var ids []string
	for _, q := range asked.Questions() {
		for _, item := range q.Items {
			ids = append(ids, item.ID)
			if v, at := manualVerdict(q, item, grades); at < 0 {
				missing[q.Metric]++
			} else {
				verdicts, used[at] = append(verdicts, v), true
			}
		}
	}
	for i, g := range grades {
		if !used[i] && (g.Satisfied != nil || g.Score != nil) {
			hint := spell.DidYouMean(g.ID, ids)
			switch {
			case !slices.Contains(ids, g.ID):
			case g.Satisfied == nil:
				hint = " with a score; set `satisfied`"
			default:
				hint = " there; name another `grader` or `turn`, or none"
			}
			return grade.ManualResult{}, fmt.Errorf("no metric of the case `%s` asks about `%s`%s", c.ID, g.ID, hint)
		}
	}
	result, err := cs.measure(ctx, c, &metric.ManualVerdicts{Verdicts: verdicts})
	if err != nil {
		return grade.ManualResult{}, err
	}
	for i := range result.Metrics {
		if m := &result.Metrics[i]; missing[m.Metric] > 0 {
			m.Score, m.Status, m.Reason = nil, metric.NotEvaluated, "no grade for "+diag.CountNoun(missing[m.Metric], "item")
		}
	}
	var rec Record
	rec.ApplyMetrics(result)
	manual := grade.ManualResult{
		Score: rec.Score, Verdict: rec.Verdict, Gates: rec.Gates, Hits: rec.Hits, Misses: rec.Misses, Ungraded: rec.Ungraded,
		Reasons: append([]string{}, rec.Reasons...), Graders: []grade.ManualGraderResult{},
	}
	for _, g := range rec.Graders {
		manual.Graders = append(manual.Graders, grade.ManualGraderResult{Name: g.Name, Score: g.Result.Score, Verdict: g.Result.Verdict})
	}
	return manual, nil
}

func (cs *Conversations) measure(ctx context.Context, c *rubric.Case, verdicts *metric.ManualVerdicts) (metric.CaseResult, error) {
	return cs.Measure(metric.Ports{Profile: cs.Profile, Manual: verdicts}, 0)(ctx, c)
}

// manualVerdict returns the verdict of the first grade for an item, and the index of that grade or -1.
func manualVerdict(q metric.ManualQuestion, item metric.ManualItem, grades []grade.ManualGrade) (v metric.ManualVerdict, at int) {
	for i, g := range grades {
		if g.ID != item.ID || g.Grader != "" && g.Grader != q.Metric || g.Turn != 0 && g.Turn != q.Turn || g.Satisfied == nil {
			continue
		}
		v = metric.ManualVerdict{Metric: q.Metric, Turn: q.Turn, ID: item.ID, Satisfied: g.Satisfied}
		if q.Form == metric.LabelForm {
			v.Satisfied, v.Label = nil, metric.LabelFor(*g.Satisfied)
		}
		return v, i
	}
	return v, -1
}
