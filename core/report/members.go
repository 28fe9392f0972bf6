package report

import (
	"fmt"

	"github.com/rubric-ls/rubric/core/run"
)

// Members returns the parts of a grader: its members, or the turns that a metric measured.
func Members(g run.GraderRecord) []run.GraderRecord {
	if g.Metric != nil {
		return mergeTurns(run.TurnRecords(*g.Metric))
	}
	return g.Members
}

// mergeTurns combines consecutive turns that have the same score and nothing else to show.
func mergeTurns(turns []run.GraderRecord) []run.GraderRecord {
	var all []run.GraderRecord
	for i := 0; i < len(turns); {
		next := i + 1
		for next < len(turns) && hasOnlyScore(turns[i]) && hasOnlyScore(turns[next]) && turns[next].Score == turns[i].Score && turns[next].Verdict == turns[i].Verdict {
			next++
		}
		g := turns[i]
		if next > i+1 {
			g.Name = fmt.Sprintf("turns %d to %d", i+1, next)
		}
		all = append(all, g)
		i = next
	}
	return all
}

func hasOnlyScore(g run.GraderRecord) bool {
	return g.Ungraded == "" && g.Reasoning == "" && len(g.Grades)+len(g.Problems)+len(g.Replies) == 0
}

// MetricThreshold describes a metric's threshold, and the mean of its turns' means if it has one.
// It is "" for other graders.
func MetricThreshold(g run.GraderRecord) string {
	if g.Metric == nil || g.Metric.Score == nil {
		return ""
	}
	text := "threshold " + FormatNumber(g.Metric.Threshold)
	if mean := g.Metric.TurnMean; mean != nil {
		text += "; the mean of the turns' means is " + FormatScore(*mean)
	}
	return text
}
