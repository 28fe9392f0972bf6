package cli

import (
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/metric"
)

// visitConversations visits those that were measured; see [report.Suite].
func (l loadedSuite) visitConversations(o *runOptions) func(func(string, metric.Conversation) bool) error {
	if l.evaluation == nil {
		return nil
	}
	return func(visit func(string, metric.Conversation) bool) (failed error) {
		cases, _ := l.selectedCases(o.cases, &failed)
		for c := range cases {
			if !visit(c.ID, l.evaluation.Conversation(c)) {
				break
			}
		}
		return failed
	}
}

// checkEvalsetOutput is a result file of ADK's asked for where there can be none.
func (o *runOptions) checkEvalsetOutput(suites []loadedSuite) error {
	wanted := o.format == report.EvalsetResult
	for _, path := range o.outputs {
		wanted = wanted || formatOf(path) == report.EvalsetResult
	}
	if wanted && (len(suites) != 1 || suites[0].evaluation == nil) {
		return report.ErrNotMeasured
	}
	return nil
}
