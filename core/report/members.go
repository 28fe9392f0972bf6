package report

import (
	"fmt"

	"github.com/rubric-ls/rubric/core/run"
)

// Members are what a grader is made of: its members, or the turns that a metric
// measured.
func Members(g run.GraderRecord) []run.GraderRecord {
	if g.Metric != nil {
		return mergeTurns(run.TurnRecords(*g.Metric))
	}
	return g.Members
}

// mergeTurns has turns in a row of which there is the same to say, and nothing more, as
// one.
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

// hasOnlyScore reports whether there is no more to say of a turn than its score.
func hasOnlyScore(g run.GraderRecord) bool {
	return g.Ungraded == "" && g.Reasoning == "" && len(g.Grades)+len(g.Problems)+len(g.Replies) == 0
}

// MetricThreshold is what a metric was held against, and what else there is to say of its
// score; "" for graders that are none.
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
