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

// HeadSize is how many bytes of a file show its format.
const HeadSize = 400

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
	ids := newIDs(f.Results.Rows)
	var records []run.Record
	for _, r := range f.Results.Rows {
		rec := r.record()
		rec.EvalID, rec.Dataset = ids[r.Test], dataset
		if len(labels) > 1 {
			rec.Prompt = r.Prompt.Label
		}
		records = append(records, rec)
	}
	return records, nil
}

// newIDs returns an id for each test: its description if no other has it, or else its number.
func newIDs(rows []row) map[int]string {
	tests := map[string]map[int]bool{}
	for _, r := range rows {
		if tests[r.Case.Description] == nil {
			tests[r.Case.Description] = map[int]bool{}
		}
		tests[r.Case.Description][r.Test] = true
	}
	ids := map[int]string{}
	for _, r := range rows {
		switch {
		case r.Case.Description == "":
			ids[r.Test] = fmt.Sprintf("test-%d", r.Test+1)
		case len(tests[r.Case.Description]) > 1:
			ids[r.Test] = fmt.Sprintf("%s (%d)", r.Case.Description, r.Test+1)
		default:
			ids[r.Test] = r.Case.Description
		}
	}
	return ids
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
	if r.Grading != nil {
		rec.Graders = graders(r.Grading.Components, !hasThreshold)
	}
	for _, g := range rec.Graders {
		rec.Gates, rec.Hits, rec.Misses = append(rec.Gates, g.Gates...), append(rec.Hits, g.Hits...), append(rec.Misses, g.Misses...)
	}
	for i := range rec.Gates {
		rec.Gates[i].Grader = rec.Gates[i].ID
	}
	if !r.Success && r.Grading != nil {
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
	g := run.GraderRecord{Type: rubric.Deterministic, Weight: 1}
	about := c.Assertion
	if c.Metadata != nil && c.Metadata.Set != nil {
		about = c.Metadata.Set
	}
	if about != nil {
		a := assertion.Assertion{Type: strings.TrimPrefix(about.Type, "not-")}
		g.Name, g.Type = about.Type, a.Kind()
		if about.Weight != nil {
			g.Weight = *about.Weight
		}
	}
	if g.Name = cmp.Or(g.Name, "assertion"); names[g.Name] > 0 {
		names[g.Name]++
		g.Name = fmt.Sprintf("%s-%d", g.Name, names[g.Name])
	} else {
		names[g.Name] = 1
	}
	g.Result = score.Result{Score: &c.Score, Verdict: score.Fail, Gates: []score.Gate{}, Hits: []string{}, Misses: []string{}}
	if c.Pass {
		g.Verdict, g.Hits = score.Pass, []string{c.Reason}
	} else if c.Reason != "" {
		g.Misses = []string{c.Reason}
	}
	if about != nil && (about.Metric != "" || len(c.Named) > 0) {
		g.Details = assertion.Details{Metric: about.Metric, Scores: c.Named, Weights: c.NamedWeights}
	}
	inSet := map[string]int{}
	for _, m := range c.Components {
		g.Members, g.Aggregator = append(g.Members, m.grader(inSet)), string(rubric.AssertSet)
	}
	return g
}
