package cli

import (
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/metric"
)

// conversations visits those that were measured; see [report.Suite].
func (l loaded) conversations(o *runOptions) func(func(string, metric.Conversation) bool) error {
	if l.trial == nil {
		return nil
	}
	return func(visit func(string, metric.Conversation) bool) (failed error) {
		cases, _ := l.chosen(o.cases, &failed)
		for c := range cases {
			if !visit(c.ID, l.trial.Conversation(c)) {
				break
			}
		}
		return failed
	}
}

// resultFault is a result file of ADK's asked for where there can be none.
func (o *runOptions) resultFault(suites []loaded) error {
	asked := o.format == report.EvalsetResult
	for _, path := range o.out {
		asked = asked || formatOf(path) == report.EvalsetResult
	}
	if asked && (len(suites) != 1 || suites[0].trial == nil) {
		return report.ErrNotMeasured
	}
	return nil
}
