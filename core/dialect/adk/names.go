package adk

import (
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/core/metric"
)

// Metrics are the names of the metrics that ADK has.
func Metrics() []string {
	var all []string
	for _, f := range criteriaType.Fields {
		all = append(all, f.Key)
	}
	return all
}

// RubricTypes are the types that a rubric of a case or turn may have.
func RubricTypes() []string {
	var all []string
	for _, v := range rubricTypes.KnownValues {
		all = append(all, v.Text)
	}
	return all
}

// IsTold reports whether a name is that of a figure that ADK tells of every run.
func IsTold(name string) bool { return told[name] }

// Own are the names of the author's own metrics.
func (s *Settings) Own() []string { return slices.Sorted(maps.Keys(s.Custom)) }

// Knows reports whether ADK knows a metric, or the author has it.
func (s *Settings) Knows(name string) bool {
	_, own := s.Custom[name]
	return own || criteriaType.Field(name) != nil || name == metric.ToolParameters
}

// Criterion is what is asked of a metric; nil if it is not measured.
func (s *Settings) Criterion(name string) *Criterion {
	for i := range s.Criteria {
		if s.Criteria[i].Metric == name {
			return &s.Criteria[i]
		}
	}
	return nil
}

// ForTurns reports whether ADK's test runner takes a metric for a list of turns, the
// oldest form.
func ForTurns(name string) bool {
	switch name {
	case metric.ToolTrajectory, metric.ResponseMatch, metric.Safety, coherenceScore:
		return true
	}
	return false
}
