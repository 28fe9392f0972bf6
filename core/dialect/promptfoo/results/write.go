package results

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/assertion"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// Write writes the records of a run, with the metrics that its files derive.
func Write(w io.Writer, description string, records []run.Record, derived []rubric.DerivedMetric) error {
	f := file{EvalID: "rubric", Config: map[string]any{}}
	if description != "" {
		f.Config["description"] = description
	}
	f.Results.Version, f.Results.Prompts, f.Results.Rows = version, []column{}, []row{}
	columns, tests := map[[2]string]int{}, map[string]int{}
	for _, rec := range records {
		r := newRow(rec)
		r.Column, r.Test = position(columns, [2]string{rec.Target, rec.Prompt}), position(tests, rec.EvalFile+"\n"+rec.Dataset+"\n"+rec.EvalID)
		if r.Prompt.Label = cmp.Or(rec.Prompt, rec.Question); r.Column == len(f.Results.Prompts) {
			f.Results.Prompts = append(f.Results.Prompts, column{prompt: prompt{r.Prompt.Label, r.Prompt.Label}, Provider: rec.Target})
		}
		f.Results.Timestamp = cmp.Or(f.Results.Timestamp, rec.Timestamp)
		f.Results.Rows = append(f.Results.Rows, r)
	}
	for i := range f.Results.Prompts {
		isOther := func(r row) bool { return r.Column != i }
		f.Results.Prompts[i].Metrics = metrics(slices.DeleteFunc(slices.Clone(f.Results.Rows), isOther), derived)
	}
	all := metrics(f.Results.Rows, nil)
	f.Results.Stats = map[string]any{
		"successes": all["testPassCount"], "failures": all["testFailCount"], "errors": all["testErrorCount"], "tokenUsage": all["tokenUsage"],
	}
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

func newRow(rec run.Record) row {
	trace := generic.OrZero(rec.TraceSummary)
	r := row{
		ID: rec.EvalID, Vars: map[string]any{}, Prompt: prompt{Raw: rec.Question}, Success: rec.Verdict == score.Pass,
		Score: generic.OrZero(rec.Score), Named: map[string]float64{}, Latency: generic.OrZero(trace.DurationMS), Cost: generic.OrZero(trace.CostUSD),
	}
	r.Case.Description, r.Provider.ID = rec.EvalID, rec.Target
	isGate := func(g run.GraderRecord) bool { return g.Terms.Required } // if the test has no threshold
	if least := generic.OrZero(rec.Threshold); least != 0 && !slices.ContainsFunc(rec.Graders, isGate) {
		r.Case.Threshold = least
	}
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

func newComponent(g run.GraderRecord) component {
	c := component{grading: grading{
		Pass: g.Verdict == score.Pass, Score: generic.OrZero(g.Score), Reason: cmp.Or(g.Reasoning, strings.Join(g.Misses, "; "), strings.Join(g.Hits, "; "), "it holds"),
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

// metrics returns what rows add up to, with the metrics that are derived from that.
func metrics(rows []row, derived []rubric.DerivedMetric) map[string]any {
	var all row
	var used tokens
	counts, asserts, uses := map[int]int{}, map[bool]int{}, map[string]int{}
	named := assertion.Details{Scores: map[string]float64{}, Weights: map[string]float64{}}
	for _, r := range rows {
		all.Score, all.Latency, all.Cost = all.Score+r.Score, all.Latency+r.Latency, all.Cost+r.Cost
		t := generic.OrZero(r.Response).Tokens
		used = tokens{used.Total + t.Total, used.Prompt + t.Prompt, used.Completion + t.Completion, used.Cached + t.Cached, used.Requests + t.Requests}
		counts[r.Failure]++
		own := map[string]int{}
		for _, c := range generic.OrZero(r.Grading).Components {
			asserts[c.Pass]++
			own[generic.OrZero(c.Assertion).Metric]++
		}
		for name, value := range r.Named {
			weight := r.Grading.NamedWeights[name]
			named.Scores[name] += value * weight
			named.Weights[name] += weight
			uses[name] += max(1, own[name])
		}
	}
	assertion.Derive(named.Scores, len(rows), derived)
	return map[string]any{
		"score": all.Score, "testPassCount": counts[passed], "testFailCount": counts[failedAssertion], "testErrorCount": counts[hadError],
		"assertPassCount": asserts[true], "assertFailCount": asserts[false], "totalLatencyMs": all.Latency, "cost": all.Cost, "tokenUsage": used,
		"namedScores": named.Scores, "namedScoresCount": uses, "namedScoreWeights": named.Weights,
	}
}
