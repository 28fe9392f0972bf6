package adk

import (
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/core/metric"
)

// MetricNames are the names of the metrics that ADK has.
func MetricNames() []string {
	var all []string
	for _, f := range criteriaTable.Fields {
		all = append(all, f.Key)
	}
	return all
}

// RubricTypes are the types that a rubric of a case or turn may have.
func RubricTypes() []string {
	var all []string
	for _, v := range rubricTypeNames.KnownValues {
		all = append(all, v.Text)
	}
	return all
}

// IsInformational reports whether a name is that of a figure that ADK tells of every run.
func IsInformational(name string) bool { return informationalMetrics[name] }

// CustomNames are the names of the author's own metrics.
func (s *Settings) CustomNames() []string { return slices.Sorted(maps.Keys(s.Custom)) }

// IsKnownMetric reports whether ADK knows a metric, or the author has it.
func (s *Settings) IsKnownMetric(name string) bool {
	_, own := s.Custom[name]
	return own || criteriaTable.Field(name) != nil || name == metric.ToolParameters
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

// SupportsTurnList reports whether ADK's test runner takes a metric for a list of turns, the
// oldest form.
func SupportsTurnList(name string) bool {
	switch name {
	case metric.ToolTrajectory, metric.ResponseMatch, metric.Safety, coherenceMetric:
		return true
	}
	return false
}
