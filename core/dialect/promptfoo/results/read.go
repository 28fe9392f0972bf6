package results

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/assertion"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// Is reports whether the head of a file is that of promptfoo's results.
func Is(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) && bytes.Contains(head, []byte(`"evalId"`)) && bytes.Contains(head, []byte(`"results"`))
}

// Read reads results as records of runs.
func Read(body []byte) ([]run.Record, error) {
	var f file
	if err := json.Unmarshal(body, &f); err != nil {
		return nil, err
	}
	if f.Results.Version != version {
		return nil, fmt.Errorf("the results have the version %d; only version %d can be read", f.Results.Version, version)
	}
	if len(f.Results.Rows) == 0 {
		return nil, errors.New("it has no results")
	}
	dataset, _ := f.Config["description"].(string)
	labels := map[string]bool{}
	for _, c := range f.Results.Prompts {
		labels[c.Label] = true
	}
	slices.SortStableFunc(f.Results.Rows, func(a, b row) int { return cmp.Compare(a.Column, b.Column) })
	first, shared := map[string]int{}, map[string]bool{}
	for _, r := range f.Results.Rows {
		if first[r.Case.Description] == 0 {
			first[r.Case.Description] = r.Test + 1
		}
		shared[r.Case.Description] = shared[r.Case.Description] || first[r.Case.Description] != r.Test+1
	}
	var records []run.Record
	for _, r := range f.Results.Rows {
		rec := r.record()
		rec.EvalID, rec.Dataset = r.Case.Description, dataset
		if rec.EvalID == "" {
			rec.EvalID = fmt.Sprintf("test-%d", r.Test+1)
		} else if shared[rec.EvalID] {
			rec.EvalID = fmt.Sprintf("%s (%d)", rec.EvalID, r.Test+1)
		}
		if len(labels) > 1 {
			rec.Prompt = r.Prompt.Label
		}
		records = append(records, rec)
	}
	return records, nil
}

func (r row) record() run.Record {
	rec := run.Record{
		Question: r.Prompt.Raw, Target: cmp.Or(r.Provider.Label, r.Provider.ID), Profile: score.Promptfoo,
		Score: &r.Score, Verdict: score.Fail, Gates: []score.Gate{}, Hits: []string{}, Misses: []string{}, Graders: []run.GraderRecord{},
		Threshold: new(float64),
	}
	if r.Success {
		rec.Verdict = score.Pass
	}
	threshold, hasThreshold := r.Case.Threshold.(float64)
	if hasThreshold {
		rec.Threshold = &threshold
	}
	if r.Response != nil {
		rec.CandidateAnswer, _ = r.Response.Output.(string)
		if rec.CandidateAnswer == "" && r.Response.Output != nil {
			raw, _ := json.Marshal(r.Response.Output) // decoded JSON encodes
			rec.CandidateAnswer = strings.Trim(string(raw), `"`)
		}
		rec.TraceSummary = &grade.Trace{DurationMS: &r.Latency, CostUSD: &r.Cost}
		if t := r.Response.Tokens; t.Total > 0 {
			rec.TraceSummary.TokenUsage = &grade.Tokens{Input: t.Prompt, Output: t.Completion, Cached: t.Cached}
		}
	}
	if r.Failure == hadError || r.Grading == nil && r.Error != "" {
		rec.Error, _, _ = strings.Cut(cmp.Or(r.Error, "promptfoo reports an error"), "\n")
		rec.Reasons, rec.Ungraded = []string{rec.Error}, 1
		return rec
	}
	if r.Grading == nil {
		return rec
	}
	rec.Graders = graders(r.Grading.Components, !hasThreshold)
	for _, g := range rec.Graders {
		rec.Gates, rec.Hits, rec.Misses = append(rec.Gates, g.Gates...), append(rec.Hits, g.Hits...), append(rec.Misses, g.Misses...)
	}
	for i := range rec.Gates {
		rec.Gates[i].Grader = rec.Gates[i].ID
	}
	if !r.Success {
		rec.Reasons = []string{r.Grading.Reason}
	}
	return rec
}

// graders returns the graders of components. The members of a set, which follow it, belong to it.
func graders(components []component, gates bool) (list []run.GraderRecord) {
	names := map[string]int{}
	for i := 0; i < len(components); i++ {
		g := components[i].grader(names)
		weight := g.Weight
		g.Terms = score.Terms{ByVerdict: true, Required: gates && (weight != 0 || g.Type == rubric.AssertSet)}
		g.Result = g.Terms.Apply(score.Promptfoo, g.Name, g.Result)
		list = append(list, g)
		i += len(components[i].Components)
	}
	return list
}

func (c component) grader(names map[string]int) run.GraderRecord {
	g := run.GraderRecord{Name: "assertion", Type: rubric.Deterministic, Weight: 1}
	details := assertion.Details{Scores: c.Named, Weights: c.NamedWeights}
	if about := c.about(); about != nil {
		g.Name, g.Type, details.Metric = cmp.Or(about.Type, g.Name), assertion.TypeOf(about.Type).Kind(), about.Metric
		if about.Weight != nil {
			g.Weight = *about.Weight
		}
	}
	g.Result = assertion.NewResult(c.Pass, c.Score, c.Reason, details)
	if names[g.Name]++; names[g.Name] > 1 {
		g.Name = fmt.Sprintf("%s-%d", g.Name, names[g.Name])
	}
	inSet := map[string]int{}
	for _, m := range c.Components {
		g.Members, g.Aggregator = append(g.Members, m.grader(inSet)), string(rubric.AssertSet)
	}
	return g
}
