package report

import (
	"fmt"

	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// Item is the result of one item of a test explorer: a case, a metric or a criterion.
type Item struct {
	Path    []string `json:"path"`            // the case's id, the grader's name, the criterion's id
	State   string   `json:"state"`           // pass, borderline, fail or ungraded
	Score   *float64 `json:"score,omitempty"` // of a criterion 0–10, else 0–1; nil where the state is ungraded
	Message string   `json:"message,omitempty"`
}

// Items returns a record's results: those of its graders, and last that of the case; see [CaseItem].
func Items(rec run.Record, threshold float64) []Item {
	all := []Item{}
	for _, g := range rec.Graders {
		all = append(all, GraderItems(rec, g)...)
	}
	return append(all, CaseItem(rec, threshold))
}

// GraderItems returns the results of one grader of a record: of each criterion, its
// members' too, or of the metric.
func GraderItems(rec run.Record, g run.GraderRecord) (all []Item) {
	if g.Metric != nil {
		return []Item{metricItem(rec.EvalID, g.Metric)}
	}
	for _, row := range Rows(rec.Profile, g) {
		item := Item{Path: []string{rec.EvalID, g.Name, row.ID}, State: string(row.Verdict), Score: row.Grade.Score, Message: row.Grade.Reasoning}
		if row.Verdict == score.Ungraded {
			item.Score, item.Message = nil, row.Grade.Ungraded
		}
		all = append(all, item)
	}
	for _, m := range g.Members {
		all = append(all, GraderItems(rec, m)...)
	}
	return all
}

// CaseItem returns the result of a record's case. Its message is the first reason
// why the case does not pass. With a threshold, cases pass from that score; 0 means by their verdict.
func CaseItem(rec run.Record, threshold float64) Item {
	verdict := rec.VerdictFrom(threshold)
	item := Item{Path: []string{rec.EvalID}, State: string(verdict), Score: rec.Score}
	if verdict == score.Fail && rec.Verdict != score.Fail {
		item.Message = "below the threshold " + FormatScore(threshold)
	}
	if len(rec.Reasons) > 0 {
		item.Message = rec.LabelReason(rec.Reasons[0])
	}
	if rec.Verdict == score.Ungraded {
		if why := firstUngraded(rec.Graders); why != "" {
			item.Message = why
		}
	}
	return item
}

func firstUngraded(graders []run.GraderRecord) string {
	for _, g := range graders {
		if g.Ungraded != "" {
			return fmt.Sprintf("`%s`: %s", g.Name, g.LabelText(g.Ungraded, ""))
		}
		for _, grade := range g.Grades {
			if grade.Ungraded != "" {
				return fmt.Sprintf("`%s`: %s", grade.ID, grade.Ungraded)
			}
		}
		if why := firstUngraded(g.Members); why != "" {
			return why
		}
	}
	return ""
}

func metricItem(id string, m *metric.Result) Item {
	item := Item{Path: []string{id, m.Metric}, State: string(score.Pass), Score: m.Score}
	switch m.Status {
	case metric.NotEvaluated:
		item.State, item.Message = string(score.Ungraded), m.Reason
	case metric.Failed:
		item.State, item.Message = string(score.Fail), failingTurn(m)
	}
	return item
}

// failingTurn names the first turn that keeps a metric from passing.
func failingTurn(m *metric.Result) string {
	for i, t := range m.Invocations {
		if t.Status != metric.Failed || t.Score == nil {
			continue
		}
		text := fmt.Sprintf("turn %d is %.4g, below %.4g", i+1, *t.Score, m.Threshold)
		if t.Reason != "" {
			text += ": " + t.Reason
		}
		return text
	}
	return fmt.Sprintf("below %.4g", m.Threshold)
}
