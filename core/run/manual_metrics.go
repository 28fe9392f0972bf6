package run

import (
	"context"
	"fmt"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/spell"
)

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
			return grade.ManualResult{}, fmt.Errorf("no metric of the case `%s` asks about `%s`%s", c.ID, g.ID, spell.DidYouMean(g.ID, ids))
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
