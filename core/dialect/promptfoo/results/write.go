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

// Write writes the records of a run, with the metrics that its files derive.
func Write(w io.Writer, description string, records iter.Seq[run.Record], derived []rubric.DerivedMetric) error {
	f := file{EvalID: "rubric", Config: map[string]any{}}
	if description != "" {
		f.Config["description"] = description
	}
	f.Results.Version, f.Results.Prompts, f.Results.Rows = version, []column{}, []row{}
	columns, tests, all := map[[2]string]int{}, map[string]int{}, newMetrics()
	for rec := range records {
		r := newRow(rec)
		r.Column, r.Test = position(columns, [2]string{rec.Target, rec.Prompt}), position(tests, rec.Dataset+"\n"+rec.EvalID)
		if r.Prompt.Label = cmp.Or(rec.Prompt, rec.Question); r.Column == len(f.Results.Prompts) {
			own := prompt{Raw: r.Prompt.Label, Label: r.Prompt.Label}
			f.Results.Prompts = append(f.Results.Prompts, column{prompt: own, Provider: rec.Target, Metrics: newMetrics()})
		}
		f.Results.Timestamp = cmp.Or(f.Results.Timestamp, rec.Timestamp)
		f.Results.Prompts[r.Column].Metrics.add(r)
		all.add(r)
		f.Results.Rows = append(f.Results.Rows, r)
	}
	for _, c := range f.Results.Prompts {
		assertion.Derive(c.Metrics.Named, c.Metrics.Passes+c.Metrics.Fails+c.Metrics.Errors, derived)
	}
	f.Results.Stats = map[string]any{"successes": all.Passes, "failures": all.Fails, "errors": all.Errors, "tokenUsage": all.Tokens}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(f)
}

// position returns the place of a key in the order in which keys came.
func position[K comparable](known map[K]int, key K) int {
	if _, found := known[key]; !found {
		known[key] = len(known)
	}
	return known[key]
}

func orZero[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}

func newRow(rec run.Record) row {
	trace := orZero(rec.TraceSummary)
	r := row{
		ID: rec.EvalID, Vars: map[string]any{}, Prompt: prompt{Raw: rec.Question}, Success: rec.Verdict == score.Pass,
		Score: orZero(rec.Score), Named: map[string]float64{}, Latency: orZero(trace.DurationMS), Cost: orZero(trace.CostUSD),
	}
	r.Case.Description, r.Case.Threshold, r.Provider.ID = rec.EvalID, ownThreshold(rec), rec.Target
	switch {
	case rec.Error != "" || rec.Verdict == score.Ungraded || rec.Ungraded > 0 && !r.Success:
		r.Failure, r.Error = hadError, cmp.Or(rec.Error, strings.Join(rec.Reasons, "; "))
	case !r.Success:
		r.Failure, r.Error = failedAssertion, strings.Join(rec.Reasons, "; ")
	}
	if len(rec.Graders) == 0 && rec.Error != "" {
		return r
	}
	r.Response = &response{Output: rec.CandidateAnswer}
	if u := trace.TokenUsage; u != nil {
		r.Response.Tokens = tokens{Total: u.Input + u.Output, Prompt: u.Input, Completion: u.Output, Cached: u.Cached, Requests: 1}
	}
	if r.Failure == hadError {
		return r
	}
	r.Grading = &grading{Pass: r.Success, Score: r.Score, Reason: cmp.Or(strings.Join(rec.Reasons, "; "), "all assertions pass")}
	named := assertion.NamedScores(run.WeightedResults(rec.Graders))
	r.Named, r.Grading.Named, r.Grading.NamedWeights = named.Scores, named.Scores, named.Weights
	for _, g := range rec.Graders {
		c := newComponent(g)
		r.Grading.Components = append(append(r.Grading.Components, c), c.Components...)
		r.Case.Assert = append(r.Case.Assert, cmp.Or(c.Metadata.Set, c.Assertion))
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

func newComponent(g run.GraderRecord) component {
	c := component{grading: grading{
		Pass: g.Verdict == score.Pass, Score: orZero(g.Score), Reason: cmp.Or(g.Reasoning, strings.Join(g.Misses, "; "), strings.Join(g.Hits, "; "), "it holds"),
	}}
	about := &described{Type: g.Name, Metric: assertion.DetailsOf(g.Result).Metric}
	if g.Weight != 1 {
		about.Weight = &g.Weight
	}
	if c.Assertion = about; len(g.Members) > 0 || g.Type == rubric.AssertSet {
		about.Type, c.Assertion = "assert-set", nil
		c.Metadata.Set = about
	}
	for _, m := range g.Members {
		c.Components = append(c.Components, newComponent(m))
	}
	return c
}

func newMetrics() metrics {
	return metrics{Named: map[string]float64{}, NamedCounts: map[string]int{}, NamedWeights: map[string]float64{}}
}

func (m *metrics) add(r row) {
	m.Score, m.LatencyMS, m.Cost = m.Score+r.Score, m.LatencyMS+r.Latency, m.Cost+r.Cost
	counts := [...]*int{passed: &m.Passes, failedAssertion: &m.Fails, hadError: &m.Errors}
	*counts[r.Failure]++
	if r.Response != nil {
		m.Tokens.add(r.Response.Tokens)
	}
	if r.Grading == nil {
		return
	}
	uses := map[string]int{}
	asserts := map[bool]*int{true: &m.AssertPasses, false: &m.AssertFails}
	for _, c := range r.Grading.Components {
		*asserts[c.Pass]++
		if c.Assertion != nil {
			uses[c.Assertion.Metric]++
		}
	}
	for name, value := range r.Named {
		weight := r.Grading.NamedWeights[name]
		m.Named[name] += value * weight
		m.NamedWeights[name] += weight
		m.NamedCounts[name] += max(1, uses[name])
	}
}

func (t *tokens) add(other tokens) {
	t.Total, t.Prompt, t.Completion, t.Cached = t.Total+other.Total, t.Prompt+other.Prompt, t.Completion+other.Completion, t.Cached+other.Cached
	t.Requests += other.Requests
}
