// Package results reads and writes results of promptfoo: the JSON of `promptfoo eval -o results.json`, version 3.
package results

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/assertion"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

func init() {
	run.RegisterFormat(run.Format{Name: "promptfoo", Is: Is, Read: Read, Write: Write})
}

const version = 3

type file struct {
	EvalID  string `json:"evalId"`
	Results struct {
		Version   int            `json:"version"`
		Timestamp string         `json:"timestamp"`
		Prompts   []column       `json:"prompts"`
		Rows      []row          `json:"results"`
		Stats     map[string]any `json:"stats"`
	} `json:"results"`
	Config map[string]any `json:"config"`
	Share  *string        `json:"shareableUrl"`
}

type prompt struct {
	Raw   string `json:"raw"`
	Label string `json:"label"`
}

// column is a prompt with a provider.
type column struct {
	prompt
	Provider string         `json:"provider"`
	Metrics  map[string]any `json:"metrics"`
}

type tokens struct {
	Total      float64 `json:"total"`
	Prompt     float64 `json:"prompt"`
	Completion float64 `json:"completion"`
	Cached     float64 `json:"cached"`
	Requests   int     `json:"numRequests"`
}

// row is the result of a test with a prompt and a provider.
type row struct {
	ID     string `json:"id"`
	Column int    `json:"promptIdx"`
	Test   int    `json:"testIdx"`
	Case   struct {
		Description string `json:"description,omitempty"`
		Assert      []any  `json:"assert,omitempty"`
		Threshold   any    `json:"threshold,omitempty"`
	} `json:"testCase"`
	Vars     map[string]any `json:"vars"`
	Prompt   prompt         `json:"prompt"`
	PromptID string         `json:"promptId"`
	Provider struct {
		ID    string `json:"id"`
		Label string `json:"label,omitempty"`
	} `json:"provider"`
	Response *response          `json:"response,omitempty"`
	Success  bool               `json:"success"`
	Score    float64            `json:"score"`
	Failure  int                `json:"failureReason"` // one of the constants below
	Error    string             `json:"error,omitempty"`
	Grading  *grading           `json:"gradingResult"`
	Named    map[string]float64 `json:"namedScores"`
	Latency  float64            `json:"latencyMs"`
	Cost     float64            `json:"cost"`
}

// Why a row is no success.
const (
	passed = iota
	failedAssertion
	hadError
)

type response struct {
	Output any    `json:"output"`
	Tokens tokens `json:"tokenUsage,omitzero"`
}

type grading struct {
	Pass         bool               `json:"pass"`
	Score        float64            `json:"score"`
	Reason       string             `json:"reason"`
	Named        map[string]float64 `json:"namedScores,omitempty"`
	NamedWeights map[string]float64 `json:"namedScoreWeights,omitempty"`
	Components   []component        `json:"componentResults,omitempty"`
}

// component is the result of an assertion, or of a set. The members of a set follow it, too.
type component struct {
	grading
	Assertion *described `json:"assertion,omitempty"`
	Metadata  struct {
		Set *described `json:"assertionSet,omitempty"`
	} `json:"metadata,omitzero"`
}

type described struct {
	Type   string   `json:"type"`
	Metric string   `json:"metric,omitempty"`
	Weight *float64 `json:"weight,omitempty"`
}

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
		return nil, fmt.Errorf("it has no results")
	}
	isOther := func(c column) bool { return c.Label != f.Results.Prompts[0].Label }
	hasSeveral := slices.ContainsFunc(f.Results.Prompts, isOther)
	slices.SortStableFunc(f.Results.Rows, func(a, b row) int { return cmp.Compare(a.Column, b.Column) })
	tests := map[string][]int{} // by their descriptions
	for _, r := range f.Results.Rows {
		if name := r.Case.Description; !slices.Contains(tests[name], r.Test) {
			tests[name] = append(tests[name], r.Test)
		}
	}
	var records []run.Record
	for _, r := range f.Results.Rows {
		rec := r.record()
		rec.EvalID, rec.Dataset = r.Case.Description, javascript.As[string](f.Config["description"])
		if rec.EvalID == "" {
			rec.EvalID = fmt.Sprintf("test-%d", r.Test+1)
		} else if len(tests[rec.EvalID]) > 1 {
			rec.EvalID = fmt.Sprintf("%s (%d)", rec.EvalID, r.Test+1)
		}
		if hasSeveral {
			rec.Prompt = r.Prompt.Label
		}
		records = append(records, rec)
	}
	return records, nil
}

func (r row) record() run.Record {
	threshold, hasThreshold := r.Case.Threshold.(float64)
	rec := run.Record{
		Question: r.Prompt.Raw, Target: cmp.Or(r.Provider.Label, r.Provider.ID), Profile: score.Promptfoo,
		Score: &r.Score, Verdict: score.Fail, Gates: []score.Gate{}, Hits: []string{}, Misses: []string{}, Graders: []run.GraderRecord{},
		Threshold: &threshold,
	}
	if r.Success {
		rec.Verdict = score.Pass
	}
	if r.Response != nil {
		if r.Response.Output != nil {
			rec.CandidateAnswer = javascript.Encode(r.Response.Output)
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
	verdict := rec.Verdict
	rec.Graders = graders(r.Grading.Components, !hasThreshold)
	rec = run.Rescore(rec, score.Promptfoo) // gates, hits and misses; a function may have changed the score
	if rec.Score, rec.Verdict, rec.Reasons = &r.Score, verdict, nil; !r.Success {
		rec.Reasons = []string{r.Grading.Reason}
	}
	return rec
}

// graders returns the graders of components. The members of a set, which follow it, belong to it.
func graders(components []component, gates bool) (list []run.GraderRecord) {
	names := map[string]int{}
	for i := 0; i < len(components); i++ {
		c := components[i]
		about := generic.OrZero(cmp.Or(c.Metadata.Set, c.Assertion))
		g := run.GraderRecord{Name: cmp.Or(about.Type, "assertion"), Type: assertion.TypeOf(about.Type).Kind(), Weight: *cmp.Or(about.Weight, new(1.0))}
		if names[g.Name]++; names[g.Name] > 1 {
			g.Name = fmt.Sprintf("%s-%d", g.Name, names[g.Name])
		}
		if g.Members = graders(c.Components, false); len(g.Members) > 0 {
			g.Aggregator = string(rubric.AssertSet)
		}
		details := assertion.Details{Metric: about.Metric, Scores: c.Named, Weights: c.NamedWeights}
		g.Terms = score.Terms{ByVerdict: true, Required: gates && (g.Weight != 0 || g.Type == rubric.AssertSet)}
		g.Result = g.Terms.Apply(score.Promptfoo, g.Name, assertion.NewResult(c.Pass, c.Score, c.Reason, details))
		list = append(list, g)
		i += len(c.Components)
	}
	return list
}
