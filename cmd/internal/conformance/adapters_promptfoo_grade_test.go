package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/assertion"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/jsonschema"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

func init() {
	adapters["assertion@promptfoo"] = promptfooAssertion
	adapters["judge@promptfoo"] = promptfooAssertion
	adapters["assertions@promptfoo"] = promptfooAssertions
	adapters["json_extract@promptfoo"] = promptfooExtract
}

// promptfooInput is the input of an assertion, of one that asks a judge, or of a list of them.
type promptfooInput struct {
	Assertion      map[string]any
	Assert         []any
	Threshold      any
	Output         any
	Vars           map[string]any
	Prompt         *string
	Options        map[string]any
	Cost           *float64
	LatencyMs      *float64
	ProviderConfig map[string]any
	Replies        []any
	Needs          []string
}

type promptfooExpected struct {
	Pass              bool
	Score             *float64
	Error             string
	GraderError       bool
	Calls             *int
	Prompts           []json.RawMessage
	NamedScores       map[string]float64
	NamedScoreWeights map[string]float64
	Components        []struct {
		Type  string
		Pass  bool
		Score *float64
	}
}

func (in promptfooInput) row() *assertion.Row {
	prompt := "p"
	if in.Prompt != nil {
		prompt = *in.Prompt
	}
	return &assertion.Row{Vars: in.Vars, Prompt: prompt, Options: in.Options, Tools: in.ProviderConfig["tools"], Functions: in.ProviderConfig["functions"]}
}

func (in promptfooInput) submission() grade.Submission {
	text := ""
	if in.Output != nil {
		text = javascript.Encode(in.Output)
	}
	return grade.Submission{Answer: text, Trace: &grade.Trace{CostUSD: in.Cost, DurationMS: in.LatencyMs}}
}

// scriptedJudge replies in order.
type scriptedJudge struct {
	replies []any
	asked   []judge.Question
}

func (j *scriptedJudge) Ask(_ context.Context, q judge.Question) (judge.Answer, error) {
	if j.asked = append(j.asked, q); len(j.asked) > len(j.replies) {
		return judge.Answer{}, errors.New("no reply is left")
	}
	switch reply := j.replies[len(j.asked)-1].(type) {
	case string:
		return judge.Answer{Text: reply}, nil
	case map[string]any:
		if fault, isFault := reply["providerError"].(string); isFault {
			return judge.Answer{}, errors.New(fault)
		}
		text, err := json.Marshal(reply["object"])
		return judge.Answer{Text: string(text)}, err
	}
	return judge.Answer{}, errors.New("the reply is of no known form")
}

func promptfooPorts(j judge.Judge) grade.Ports {
	return grade.Ports{Profile: score.Promptfoo, Judge: j, Schema: func(schema, document any) ([]string, error) {
		return jsonschema.Validate(schema, document, nil)
	}}
}

func promptfooAssertion(t *testing.T, c testCase) error {
	var in promptfooInput
	var want promptfooExpected
	decodeInto(t, c.Input, &in)
	decodeInto(t, c.Expected, &want)
	asked := &scriptedJudge{replies: in.Replies}
	out := grade.Grade(t.Context(), promptfooPorts(asked), &rubric.Case{}, assertion.Lower(in.Assertion, in.row()), in.submission())
	switch {
	case want.Error != "" != (out.Result.Ungraded != ""):
		return fmt.Errorf("the error is %q", out.Result.Ungraded)
	case want.Error != "":
		return nil
	case want.Pass != (out.Result.Verdict == score.Pass) || !closeTo(want.Score, numberOf(out.Result)):
		return fmt.Errorf("it is %s with %v: %s", out.Result.Verdict, numberOf(out.Result), out.Result.Reasoning)
	case want.Calls != nil && *want.Calls != len(asked.asked):
		return fmt.Errorf("the judge was asked %d times", len(asked.asked))
	}
	for i, raw := range want.Prompts {
		var text string
		var builtIn struct{ LastMessage string }
		if json.Unmarshal(raw, &text) == nil && text != asked.asked[i].User || json.Unmarshal(raw, &builtIn) == nil && builtIn.LastMessage != asked.asked[i].User {
			return fmt.Errorf("the judge read %q", asked.asked[i].User)
		}
	}
	return nil
}

// closeTo compares scores. JSON has null for NaN, which records have as 0.
func closeTo(want *float64, got float64) bool {
	if want == nil {
		return got == 0
	}
	return math.Abs(*want-got) <= 1e-12
}

// numberOf returns a score, or 0 for what is ungraded.
func numberOf(r score.Result) float64 {
	if r.Score == nil {
		return 0
	}
	return *r.Score
}

func promptfooAssertions(t *testing.T, c testCase) error {
	var in promptfooInput
	var want promptfooExpected
	decodeInto(t, c.Input, &in)
	decodeInto(t, c.Expected, &want)
	row := in.row()
	evalCase := &rubric.Case{Threshold: new(float64)}
	if threshold, isNumber := in.Threshold.(float64); isNumber {
		evalCase.Threshold, row.Thresholds = &threshold, true
	}
	var parts []score.WeightedResult
	var components []grade.Outcome
	for _, item := range in.Assert {
		g := assertion.Lower(item.(map[string]any), row)
		if strings.HasPrefix(g.Name, "select-") || g.Name == "max-score" {
			continue // compared only after all rows are graded
		}
		out := grade.Grade(t.Context(), promptfooPorts(nil), evalCase, g, in.submission())
		components = append(append(components, out), out.Members...)
		parts = append(parts, score.WeightedResult{Name: out.Name, Weight: out.Weight, Result: out.Result})
	}
	got := score.Case(score.Promptfoo, evalCase.Threshold, parts)
	failed := slices.ContainsFunc(parts, func(p score.WeightedResult) bool { return p.Result.Ungraded != "" })
	if want.Error != "" != failed {
		return fmt.Errorf("the reasons are %q", got.Reasons)
	}
	if want.Error != "" {
		return nil
	}
	if want.Pass != (got.Verdict == score.Pass) || !closeTo(want.Score, *got.Score) {
		return fmt.Errorf("it is %s with %v: %q", got.Verdict, *got.Score, got.Reasons)
	}
	named := assertion.NamedScores(parts)
	for name, got := range named.Scores {
		value, weight := want.NamedScores[name], want.NamedScoreWeights[name]
		if !closeTo(&value, got) || !closeTo(&weight, named.Weights[name]) {
			return fmt.Errorf("metric %s is %v with the weight %v", name, got, named.Weights[name])
		}
	}
	if len(named.Scores) != len(want.NamedScores) {
		return errors.New("other metrics are named")
	}
	if len(components) != len(want.Components) {
		return fmt.Errorf("it has %d components", len(components))
	}
	for i, w := range want.Components {
		if got := components[i]; got.Name != w.Type || (got.Result.Verdict == score.Pass) != w.Pass || !closeTo(w.Score, numberOf(got.Result)) {
			return fmt.Errorf("component %d is %s: %s with %v", i, got.Name, got.Result.Verdict, numberOf(got.Result))
		}
	}
	return nil
}

func promptfooExtract(t *testing.T, c testCase) error {
	var in struct{ Text string }
	var want any
	decodeInto(t, c.Input, &in)
	decodeInto(t, c.Expected, &want)
	got := []any{}
	for _, object := range assertion.ExtractObjects(in.Text) {
		got = append(got, object.Any())
	}
	if a, b := mustJSON(want), mustJSON(got); a != b {
		return fmt.Errorf("it is %s", b)
	}
	return nil
}

func mustJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func decodeInto(t *testing.T, raw json.RawMessage, into any) {
	t.Helper()
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatal(err)
	}
}

// comparesRows is why assertions that compare the answers of several prompts and providers differ.
const comparesRows = "a case is graded by itself, so that what compares answers is ungraded"

// promptfooDifferences are the cases that give something else here, each with the reason.
var promptfooDifferences = map[string]string{
	"judge: llm-rubric: rubric is a mapping":                     "the keys of a mapping are in alphabetical order",
	"assertions: weight as text":                                 "promptfoo joins texts where it adds weights; a weight as a text is its number here",
	"run: rubricPrompt misspelt under options":                   "the judge's built-in prompt is in other words, and an echo of it holds no verdict",
	"run: select-best by the judge":                              comparesRows,
	"run: select-best beside a failing assertion":                comparesRows,
	"run: select-best with one output":                           comparesRows,
	"run: max-score":                                             comparesRows,
	"run: storeOutputAs":                                         "an answer is no variable of later tests",
	"run: max-score tie":                                         comparesRows,
	"run: select-best by a judge that is no configured provider": comparesRows,
	"run: half fail, pass rate 50":                               "`rubric run` has --min-pass-rate for it, not an environment variable",
	"run: half fail, exit code 0":                                "`rubric run` has no other exit status for cases that fail",
}

// promptfooSkipped says why a case is not run; "" means that it is.
func promptfooSkipped(c testCase) string {
	var input promptfooInput
	var expected struct{ Error string }
	if json.Unmarshal(c.Input, &input) == nil && len(input.Needs) > 0 {
		return "it needs " + strings.Join(input.Needs, ", ")
	}
	if input.Assertion != nil && json.Unmarshal(c.Expected, &expected) == nil && expected.Error == "" {
		if why := grade.Unsupported(assertion.Lower(input.Assertion, input.row())); why != "" {
			return why
		}
	}
	return promptfooDifferences[c.Kind+": "+c.Name]
}
