package report

import (
	"slices"

	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/run"
)

// Causes returns each reason once why something of a case is ungraded, and whether anything is graded.
func Causes(rec run.Record) (causes []string, graded bool) {
	note := func(cause string) {
		if !slices.Contains(causes, cause) {
			causes = append(causes, cause)
		}
	}
	var add func(run.GraderRecord)
	add = func(g run.GraderRecord) {
		hasCause := false
		for _, grade := range g.Grades {
			if grade.Ungraded == "" {
				graded = true
			} else {
				hasCause = true
				note(grade.Ungraded)
			}
		}
		for _, member := range g.Members {
			add(member)
		}
		switch {
		case g.Metric != nil && g.Metric.Status == metric.NotEvaluated:
			note(g.Metric.Reason)
		case g.Ungraded == "":
			graded = true
		case !hasCause && len(g.Members) == 0:
			note(g.Ungraded)
		}
	}
	for _, g := range rec.Graders {
		add(g)
	}
	if len(rec.Graders) == 0 && rec.Error != "" {
		note(rec.Error)
	}
	return causes, graded
}
