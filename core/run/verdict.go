package run

import (
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/score"
)

// Unknown is where a record stands whose case could not be judged: it is neither
// a pass nor a fail.
const Unknown score.Verdict = "unknown"

// DisplayVerdict is a record's verdict, as people are to be told of it. Where something
// is ungraded it is [Unknown], unless a gate or a metric that was judged fails the
// case whatever the rest comes to.
func (r Record) DisplayVerdict() score.Verdict {
	if r.Ungraded == 0 && r.Error == "" {
		return r.Verdict
	}
	for _, m := range r.MetricResults() {
		if m.Status == metric.Failed {
			return score.Fail
		}
	}
	judged := map[GradeKey]bool{}
	eachGrader(r.Graders, func(g *GraderRecord) {
		judged[GradeKey{Grader: g.Name}] = g.Ungraded == ""
		for _, given := range g.Grades {
			judged[GradeKey{Grader: g.Name, Criterion: given.ID}] = given.Ungraded == ""
		}
	})
	for _, gate := range r.Gates {
		key := GradeKey{Grader: gate.Grader, Criterion: gate.ID}
		if gate.Whole {
			key.Criterion = ""
		}
		if !gate.Met && judged[key] {
			return score.Fail
		}
	}
	return Unknown
}

// MetricResults returns the results of the record's metrics.
func (r Record) MetricResults() (all []metric.Result) {
	for _, g := range r.Graders {
		if g.Metric != nil {
			all = append(all, *g.Metric)
		}
	}
	return all
}
