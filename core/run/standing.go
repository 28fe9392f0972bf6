package run

import (
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/score"
)

// Unknown is where a record stands whose case could not be judged: it is neither
// a pass nor a fail.
const Unknown score.Verdict = "unknown"

// Standing is a record's verdict, as people are to be told of it. Where something
// is ungraded it is [Unknown], unless a gate or a metric that was judged fails the
// case whatever the rest comes to.
func (r Record) Standing() score.Verdict {
	if r.Ungraded == 0 && r.Error == "" {
		return r.Verdict
	}
	for _, m := range r.Metrics() {
		if m.Status == metric.Failed {
			return score.Fail
		}
	}
	judged := map[Part]bool{}
	each(r.Graders, func(g *GraderRecord) {
		judged[Part{Grader: g.Name}] = g.Ungraded == ""
		for _, given := range g.Grades {
			judged[Part{Grader: g.Name, Criterion: given.ID}] = given.Ungraded == ""
		}
	})
	for _, gate := range r.Gates {
		part := Part{Grader: gate.Grader, Criterion: gate.ID}
		if gate.Whole {
			part.Criterion = ""
		}
		if !gate.Met && judged[part] {
			return score.Fail
		}
	}
	return Unknown
}

// Metrics are what metrics say of a record's case.
func (r Record) Metrics() (all []metric.Result) {
	for _, g := range r.Graders {
		if g.Metric != nil {
			all = append(all, *g.Metric)
		}
	}
	return all
}
