package adk

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Recording holds the conversations of a result file.
type Recording struct {
	SetID   string // the evalset's id
	Cases   []RecordedCase
	Refused bool // ADK does not read the file

	Criteria []metric.Criterion // the metrics that the run measured, as the file records them
}

// CriteriaWithoutConfig returns the metrics to measure without a configuration, and their source:
// those that the file records, or ADK's defaults.
func (r Recording) CriteriaWithoutConfig() (criteria []metric.Criterion, source string) {
	if len(r.Criteria) > 0 {
		return r.Criteria, "the metrics and thresholds that the file records"
	}
	return DefaultCriteria(), "the metrics that ADK uses without one"
}

// AddCriteria adds metrics that the recording does not have yet.
func (r *Recording) AddCriteria(more []metric.Criterion) {
	for _, c := range more {
		if !slices.ContainsFunc(r.Criteria, func(known metric.Criterion) bool { return known.Metric == c.Metric }) {
			r.Criteria = append(r.Criteria, c)
		}
	}
}

// RecordedCase is one case's conversation: the agent's actions and, if the file has them, the
// expected ones.
type RecordedCase struct {
	ID    string
	SetID string // the evalset's id; set by ReadRecording
	metric.Conversation

	fault string // why the conversation cannot be measured, or ""; set by ReadRecording

	Span, IDSpan text.Span // the whole case and its id

	Node *yaml.Node // nil for a compact case
}

// Compact returns the case without its tree, which takes many times the memory, and with its spans
// shifted.
func (c RecordedCase) Compact(shift func(text.Span) text.Span) RecordedCase {
	c.Node = nil
	c.Span, c.IDSpan = shift(c.Span), shift(c.IDSpan)
	return c
}

// LowerResults reads the conversations of a result file and ignores its scores. Older files encode
// their JSON a second time as a string; spans in such a file refer to that string.
func LowerResults(p metric.Profile, f File) Recording {
	if inner, ok := f.Tree.Root().Str(); ok && f.JSON {
		f = Open(f.Tree.Source.Name, inner)
	}
	root := f.Tree.Root()
	var rec Recording
	list := lookup(root, resultsKey)
	if f.IsChunk {
		list = root
	}
	if f.Tree.HasUnboundedAliases() || !list.IsSeq() {
		rec.Refused = true
	} else {
		rec.SetID = lookup(root, "eval_set_id").Text()
		for _, item := range list.List() {
			rec.Cases = append(rec.Cases, lowerRecordedCase(item))
			rec.AddCriteria(recordedCriteria(p, item))
		}
	}
	rec.Refused = rec.Refused || f.isUnreadable()
	return rec
}

// ReadRecording reads conversations from a result file or from an evalset that a run wrote. It
// returns an error if there are none.
func ReadRecording(p metric.Profile, f File) (r Recording, err error) {
	switch f.Role {
	case Results:
		r = LowerResults(p, f)
	case EvalSet, Older:
		r = LowerSet(p, f).Recording()
	default:
		return r, errors.New("the file holds no recorded conversations; name an .evalset_result.json or an evalset")
	}
	switch {
	case strings.TrimSpace(f.Body) == "":
		return r, errors.New("the file is empty")
	case f.Fault != nil:
		return r, fmt.Errorf("invalid JSON from line %d on", f.Tree.Source.OffsetLine(f.Fault.Start)+1)
	case len(r.Cases) == 0:
		return r, errors.New("the file holds no recorded conversations")
	}
	for i := range r.Cases {
		r.Cases[i].SetID = r.SetID
	}
	for _, m := range f.Mismatches() {
		isLost := m.IsRefused && m.Kind != conform.MissingKey // a recording needs no scores
		at := slices.IndexFunc(r.Cases, func(c RecordedCase) bool { return isLost && c.Span.Contains(m.Span) })
		if at >= 0 && r.Cases[at].fault == "" {
			r.Cases[at].fault = fmt.Sprintf("has an error in line %d, which `rubric check` explains", f.Tree.Source.OffsetLine(m.Span.Start)+1)
		}
	}
	return r, nil
}

// recordedCriteria returns the metrics of a case's results. A figure without a threshold is none.
func recordedCriteria(p metric.Profile, n *yaml.Node) (all []metric.Criterion) {
	for _, item := range lookup(n, "overall_eval_metric_results").List() {
		name, threshold := lookup(item, "metric_name").Text(), lookup(item, "threshold")
		c, _ := ReadCriterion(p, name, lookup(item, "criterion"))
		if !threshold.IsNull() {
			c.Threshold = readThreshold(threshold)
		}
		if name != "" && !math.IsNaN(c.Threshold) {
			all = append(all, c)
		}
	}
	return all
}

func lowerRecordedCase(n *yaml.Node) RecordedCase {
	id := lookup(n, "eval_id")
	c := RecordedCase{ID: id.Text(), Node: n, Span: n.Span, IDSpan: generic.OrZero(id).Span}
	for _, turn := range lookup(n, "eval_metric_result_per_invocation").List() {
		actual := lookup(turn, "actual_invocation")
		if !actual.IsMap() { // see Case.hasInvalidTurn
			c.Conversation = metric.Conversation{}
			return c
		}
		c.Actual = append(c.Actual, readInvocation(actual))
		if expected := lookup(turn, "expected_invocation"); !expected.IsNull() {
			c.Expected = append(c.Expected, readInvocation(expected))
		}
	}
	if len(c.Expected) < len(c.Actual) {
		c.Expected = nil // the file does not say which turns they belong to
	}
	return c
}

// Case returns the recorded questions and answers as a case of the domain.
func (c RecordedCase) Case() *rubric.Case { return newDomainCase(c.ID, c.Actual) }

// Measured returns the results of the case's metrics in the file, without informational ones; see
// [metric.Measure].
func (c RecordedCase) Measured() (all []metric.Result) {
	for _, item := range lookup(c.Node, "overall_eval_metric_results").List() {
		name := lookup(item, "metric_name").Text()
		if IsInformational(name) {
			continue
		}
		own := readMeasured(item)
		m := metric.Result{Metric: name, Score: own.Score, Status: own.Status, Reason: own.Reason, Rubrics: own.Rubrics}
		m.Threshold = generic.OrZero(readCountOf(item, "threshold"))
		if status, _ := lookup(c.Node, "final_eval_status").Number(); status == 3 {
			m.Err = errors.New("its case is not evaluated")
		}
		for _, turn := range lookup(c.Node, "eval_metric_result_per_invocation").List() {
			for _, item := range lookup(turn, "eval_metric_results").List() {
				if lookup(item, "metric_name").Text() == name {
					m.Invocations = append(m.Invocations, readMeasured(item))
					m.Err = cmp.Or(m.Err, lackOf(m, len(m.Invocations)))
				}
			}
		}
		all = append(all, m)
	}
	return all
}

// lackOf returns what the last turn of a metric lacks that a judge grades turn by turn, or nil. ADK leaves it out of the score.
func lackOf(m metric.Result, turn int) error {
	last := m.Invocations[turn-1]
	unjudged := slices.IndexFunc(last.Rubrics, func(r metric.RubricScore) bool { return r.Score == nil })
	switch {
	case m.Metric != metric.ResponseQuality && m.Metric != metric.ToolQuality && m.Metric != metric.FinalResponseMatch:
		return nil
	case unjudged >= 0:
		return fmt.Errorf("turn %d has no verdict on `%s`", turn, last.Rubrics[unjudged].ID)
	case last.Score == nil:
		return fmt.Errorf("turn %d has no score", turn)
	}
	return nil
}

// readMeasured returns the result of a metric. A result without a score is not evaluated, whatever its status.
func readMeasured(n *yaml.Node) metric.InvocationResult {
	r := metric.InvocationResult{Score: readCountOf(n, "score"), Status: readStatus(lookup(n, "eval_status"))}
	if r.Score == nil || r.Status == metric.NotEvaluated {
		r.Score, r.Status, r.Reason = nil, metric.NotEvaluated, "the result file has no score"
	}
	for _, item := range lookup(lookup(n, "details"), "rubric_scores").List() {
		r.Rubrics = append(r.Rubrics, metric.RubricScore{ID: lookup(item, "rubric_id").Text(), Score: readCountOf(item, "score"), Rationale: item.Get("rationale").Text()})
	}
	return r
}

// readStatus returns a status by its number in a file.
func readStatus(n *yaml.Node) metric.Status {
	switch v, _ := n.Number(); v {
	case 1:
		return metric.Passed
	case 2:
		return metric.Failed
	}
	return metric.NotEvaluated
}

// asRecorded returns the case's own conversation as a recorded one. ok is false if the case has
// none or a turn is unreadable.
func (c Case) asRecorded() (recorded RecordedCase, ok bool) {
	if c.hasInvalidTurn {
		return recorded, false
	}
	return RecordedCase{ID: c.ID, Conversation: metric.Conversation{Actual: c.Conversation}, Span: c.Span, IDSpan: c.IDSpan}, c.Conversation != nil
}
