package results

import (
	"cmp"
	"encoding/json"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/assertion"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// Write writes the records of a run. Derived are the metrics that the file derives.
func Write(w io.Writer, description string, records iter.Seq[run.Record], derived []assertion.Derived) error {
	f := file{EvalID: "rubric", Config: map[string]any{}, Results: summary{Version: version, Prompts: []column{}, Rows: []row{}}}
	if description != "" {
		f.Config["description"] = description
	}
	columns, tests := map[[2]string]int{}, map[string]int{}
	for rec := range records {
		at, name := [2]string{rec.Target, rec.Prompt}, rec.Dataset+"\n"+rec.EvalID
		if _, known := columns[at]; !known {
			columns[at] = len(columns)
			f.Results.Prompts = append(f.Results.Prompts, column{Raw: cmp.Or(rec.Prompt, rec.Question), Label: cmp.Or(rec.Prompt, rec.Question), Provider: rec.Target, Metrics: metrics{
				Named: map[string]float64{}, NamedCounts: map[string]int{}, NamedWeights: map[string]float64{},
			}})
		}
		if _, known := tests[name]; !known {
			tests[name] = len(tests)
		}
		f.Results.Timestamp = cmp.Or(f.Results.Timestamp, rec.Timestamp)
		c := &f.Results.Prompts[columns[at]]
		r := newRow(rec)
		r.Column, r.Test, r.Prompt.Label = columns[at], tests[name], c.Label
		c.Metrics.add(rec, r)
		f.Results.Rows = append(f.Results.Rows, r)
		f.Results.Stats.add(r)
	}
	for i := range f.Results.Prompts {
		m := &f.Results.Prompts[i].Metrics
		assertion.Derive(m.Named, m.Passes+m.Fails+m.Errors, derived)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(f)
}

func newRow(rec run.Record) row {
	r := row{
		ID: rec.EvalID, Case: test{Description: rec.EvalID, Threshold: ownThreshold(rec)}, Vars: map[string]any{}, Prompt: label{Raw: rec.Question},
		Provider: provider{ID: rec.Target}, Success: rec.Verdict == score.Pass, Named: map[string]float64{},
	}
	if rec.Score != nil {
		r.Score = *rec.Score
	}
	switch {
	case rec.Error != "" || rec.Verdict == score.Ungraded || rec.Ungraded > 0 && !r.Success:
		r.Failure, r.Error = hadError, cmp.Or(rec.Error, strings.Join(rec.Reasons, "; "))
	case !r.Success:
		r.Failure, r.Error = failedAssertion, strings.Join(rec.Reasons, "; ")
	}
	if t := rec.TraceSummary; t != nil {
		if t.DurationMS != nil {
			r.Latency = *t.DurationMS
		}
		if t.CostUSD != nil {
			r.Cost = *t.CostUSD
		}
	}
	if len(rec.Graders) == 0 && rec.Error != "" {
		return r
	}
	r.Response = &response{Output: rec.CandidateAnswer}
	if t := rec.TraceSummary; t != nil && t.TokenUsage != nil {
		u := t.TokenUsage
		r.Response.Tokens = tokens{Total: u.Input + u.Output, Prompt: u.Input, Completion: u.Output, Cached: u.Cached, Requests: 1}
	}
	if r.Failure == hadError {
		return r
	}
	r.Grading = &grading{Pass: r.Success, Score: r.Score, Reason: cmp.Or(strings.Join(rec.Reasons, "; "), "all assertions pass"), Named: r.Named, NamedWeights: map[string]float64{}}
	for name, n := range named(rec) {
		r.Named[name], r.Grading.NamedWeights[name] = n.Value(), n.Weight
	}
	for _, g := range rec.Graders {
		c := newComponent(g)
		r.Grading.Components = append(append(r.Grading.Components, c), c.Components...)
		r.Case.Assert = append(r.Case.Assert, c.described())
	}
	return r
}

// ownThreshold returns the threshold that the test has, or nil: without one, its graders are gates.
func ownThreshold(rec run.Record) any {
	isGate := func(g run.GraderRecord) bool { return g.Terms.Required }
	if rec.Threshold == nil || slices.ContainsFunc(rec.Graders, isGate) || *rec.Threshold == 0 {
		return nil
	}
	return *rec.Threshold
}

func named(rec run.Record) map[string]assertion.Named {
	var parts []score.WeightedResult
	for _, g := range rec.Graders {
		parts = append(parts, score.WeightedResult{Name: g.Name, Weight: g.Weight, Result: g.Result})
	}
	return assertion.NamedScores(parts)
}

func newComponent(g run.GraderRecord) component {
	c := component{grading: grading{Pass: g.Verdict == score.Pass, Reason: cmp.Or(g.Reasoning, strings.Join(g.Misses, "; "), strings.Join(g.Hits, "; "), "it holds")}}
	if g.Score != nil {
		c.Score = *g.Score
	}
	about := &described{Type: g.Name, Metric: assertion.DetailsOf(g.Result).Metric}
	if g.Weight != 1 {
		about.Weight = &g.Weight
	}
	if len(g.Members) > 0 || g.Type == rubric.AssertSet {
		about.Type = "assert-set"
		c.Metadata = &componentMetadata{Set: about}
	} else {
		c.Assertion = about
	}
	for _, m := range g.Members {
		c.Components = append(c.Components, newComponent(m))
	}
	return c
}

func (c component) described() any {
	if c.Assertion != nil {
		return c.Assertion
	}
	return c.Metadata.Set
}

func (m *metrics) add(rec run.Record, r row) {
	m.Score, m.LatencyMS, m.Cost = m.Score+r.Score, m.LatencyMS+r.Latency, m.Cost+r.Cost
	switch r.Failure {
	case passed:
		m.Passes++
	case failedAssertion:
		m.Fails++
	case hadError:
		m.Errors++
	}
	if r.Response != nil {
		m.Tokens.add(r.Response.Tokens)
	}
	if r.Grading == nil {
		return
	}
	counts := map[string]int{}
	for _, c := range r.Grading.Components {
		if c.Pass {
			m.AssertPasses++
		} else {
			m.AssertFails++
		}
		if c.Assertion != nil {
			counts[c.Assertion.Metric]++
		}
	}
	for name, n := range named(rec) {
		m.Named[name] += n.Value() * n.Weight
		m.NamedWeights[name] += n.Weight
		m.NamedCounts[name] += max(1, counts[name])
	}
}

func (t *tokens) add(other tokens) {
	t.Total, t.Prompt, t.Completion, t.Cached = t.Total+other.Total, t.Prompt+other.Prompt, t.Completion+other.Completion, t.Cached+other.Cached
	t.Requests += other.Requests
}

func (s *stats) add(r row) {
	switch r.Failure {
	case passed:
		s.Successes++
	case failedAssertion:
		s.Failures++
	case hadError:
		s.Errors++
	}
	if r.Response != nil {
		s.Tokens.add(r.Response.Tokens)
	}
}
