package report

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/run"
)

// EvalsetResult is the name of the format of ADK result files.
const EvalsetResult = "evalset-result"

// ErrNotMeasured reports results that ADK's format cannot hold: those of graders, or of
// several evalsets.
var ErrNotMeasured = errors.New("the evalset-result format needs exactly one ADK evalset")

// EvalsetResult writes the report as an ADK .evalset_result.json. ADK's format has no
// reason for metrics that were not evaluated, and they do not affect a case's status. A
// case without a conversation has no turns.
func (r Report) EvalsetResult(w io.Writer) error {
	if len(r.Suites) != 1 || r.Suites[0].Conversations == nil {
		return ErrNotMeasured
	}
	s := r.Suites[0]
	out := adk.Run{SetID: s.Name, CreatedAt: startTime(s.Records)}
	out.ID = strings.ReplaceAll(fmt.Sprintf("%s_%d", s.Name, int64(out.CreatedAt)), "/", "_")
	var failed error
	out.Cases = func(yield func(adk.MeasuredCase) bool) { failed = s.visitMeasured(yield) }
	err := out.Write(w)
	return cmp.Or(failed, err)
}

// visitMeasured visits each record with its conversation. An interrupted run has
// conversations without records.
func (s Suite) visitMeasured(yield func(adk.MeasuredCase) bool) error {
	next, stop := iter.Pull(s.Records)
	defer stop()
	rec, more := next()
	return s.Conversations(func(id string, conversation metric.Conversation) bool {
		if !more || rec.EvalID != id {
			return more
		}
		measured := adk.MeasuredCase{ID: id, Conversation: conversation, Result: caseResult(rec)}
		rec, more = next()
		return yield(measured)
	})
}

// caseResult returns the metric results of a case with ADK's status.
func caseResult(rec run.Record) metric.CaseResult {
	var c metric.CaseResult
	var statuses []metric.Status
	for _, g := range rec.Graders {
		if g.Metric != nil {
			c.Metrics = append(c.Metrics, *g.Metric)
			statuses = append(statuses, g.Metric.Status)
		}
	}
	c.Status = metric.CaseStatus(statuses)
	return c
}

// startTime returns the time of the first record in seconds since 1970, or 0 if none has
// a time.
func startTime(records iter.Seq[run.Record]) float64 {
	for rec := range records {
		if at, err := time.Parse(time.RFC3339, rec.Timestamp); err == nil {
			return float64(at.UnixMilli()) / 1000
		}
	}
	return 0
}
