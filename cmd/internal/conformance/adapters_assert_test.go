package conformance

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/assertion"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

func init() {
	for _, v := range []agentv.Version{agentv.V4, agentv.Head} {
		adapters["assert_parse@"+string(v)] = parseAssert
	}
	adapters["rubric_parse_inline@"+string(agentv.V4)] = parseV4Inline
	adapters["evaluator_inherit@"+string(agentv.Head)] = inheritAsserts
	adapters["include_depth@"+string(agentv.Head)] = includeDepth
}

// node is a value as it is read from a file.
func node(v any) *yaml.Node {
	body, _ := json.Marshal(v)
	return parse(string(body)).Root()
}

func parseAssert(t *testing.T, c testCase) error {
	in := decode[struct {
		Assert []any `json:"assert"`
	}](t, c.Input)
	want := decode[struct {
		Result      any      `json:"result"`
		Diagnostics []string `json:"diagnostics"`
	}](t, c.Expected)
	got := assertion.Reader{Version: agentv.Version(c.Dialect)}.ReadList(node(in.Assert))
	if got.Refused != "" {
		return compareJSON(want.Result, map[string]any{"error": got.Refused}, true)
	}
	whole := !strings.HasPrefix(c.Name, "test:") // those name only what they are about
	losses := reportedLosses(&rubric.Suite{Losses: got.Losses})
	if (whole || want.Diagnostics != nil) && !reflect.DeepEqual(losses, want.Diagnostics) {
		return fmt.Errorf("it says %q", losses)
	}
	expected, _ := want.Result.([]any)
	if len(expected) != len(got.Graders) {
		return fmt.Errorf("got %d graders", len(got.Graders))
	}
	for i, g := range got.Graders {
		view := assertView(g)
		if !whole {
			view["outcomes"] = outcomes(g)
		}
		if entry, ok := expected[i].(map[string]any); ok && entry["min_score"] != nil && entry["required"] == entry["min_score"] {
			entry["required"] = true // an older form of a gate with a minimum
		}
		if err := compareJSON(expected[i], toJSON(view), whole); err != nil {
			return err
		}
	}
	return nil
}

// assertView is a grader with the keys that the later versions hold it under.
func assertView(g *rubric.Grader) map[string]any {
	view := map[string]any{"name": g.Name, "type": g.Assert.Type}
	setIf(view, "weight", g.Weight, !g.WeightSpan.Empty() || g.Inline)
	key := "value"
	if g.Assert.Type == "llm-grader" {
		key = "prompt" // one without variables
	}
	setIf(view, key, g.Assert.Value, g.Assert.Value != nil)
	setIf(view, "config", g.Assert.Config, g.Assert.Config != nil)
	setIf(view, "negate", true, g.Negate)
	setIf(view, "required", true, g.Required)
	setIf(view, "min_score", g.MinScore, g.MinScore != nil)
	var criteria []any
	for _, c := range g.Criteria {
		criteria = append(criteria, itemView(c, g.Assert.Type == "llm-grader"))
	}
	setIf(view, "rubrics", criteria, criteria != nil)
	if g.Code != nil {
		view["command"] = g.Code.Argv
	}
	if g.Prompt != nil {
		view["prompt"] = g.Prompt.Text
	}
	var members []any
	for _, m := range g.Members {
		members = append(members, assertView(m))
	}
	if g.Kind == rubric.AssertSet {
		view["assertions"] = members
		setIf(view, "threshold", g.Threshold, g.Threshold != nil)
	}
	return view
}

// itemView is a criterion as the later versions hold it; V4 keeps a minimum
// on both its scales.
func itemView(c *rubric.Criterion, twice bool) map[string]any {
	view := map[string]any{"id": c.ID, "weight": c.Weight}
	setIf(view, "outcome", c.Text, c.Text != "")
	setIf(view, "required", c.IsRequired(), c.Required != nil || !c.HasBands())
	setIf(view, "operator", c.Operator, c.Operator != "")
	if c.MinScore != nil {
		view["min_score"] = *c.MinScore / rubric.HighestScore
		setIf(view, "required_min_score", math.Round(*c.MinScore), twice)
	}
	var ranges []any
	for _, b := range c.Bands {
		ranges = append(ranges, map[string]any{"score_range": [2]float64{b.Lo, b.Hi}, "outcome": b.Text})
	}
	setIf(view, "score_ranges", ranges, ranges != nil)
	return view
}

func outcomes(g *rubric.Grader) (texts []string) {
	for _, c := range g.Criteria {
		texts = append(texts, c.Text)
	}
	return texts
}

func parseV4Inline(t *testing.T, c testCase) error {
	in := decode[map[string]any](t, c.Input)
	got := assertion.Reader{Version: agentv.V4}.ReadInlineRubric(node(in["rubrics"]))
	want := decode[any](t, c.Expected)
	if len(got.Graders) == 0 {
		return compareJSON(want, nil, true)
	}
	view := assertView(got.Graders[0])
	delete(view, "weight") // only a rubric of plain texts has one
	return compareJSON(want, toJSON(view), true)
}

// inheritAsserts takes the texts of the case for names of graders.
func inheritAsserts(t *testing.T, c testCase) error {
	type holder struct {
		Assert    []string
		Execution map[string]any
	}
	in := decode[struct{ Case, Suite holder }](t, c.Input)
	assertsNamed := func(in holder) *yaml.Node {
		var list []any
		for _, name := range in.Assert {
			list = append(list, map[string]any{"metric": name, "type": "is-json"})
		}
		return node(map[string]any{"assert": list, "execution": in.Execution})
	}
	got := assertion.Reader{Version: agentv.Head}.ReadCase(assertsNamed(in.Case), assertsNamed(in.Suite))
	var names []string
	for _, g := range got.Graders {
		names = append(names, g.Name)
	}
	return compareJSON(decode[any](t, c.Expected), toJSON(map[string]any{"evaluators": names}), true)
}

// includeDepth reads a list that includes a chain of templates.
func includeDepth(t *testing.T, c testCase) error {
	in := decode[struct {
		Depth   int
		Missing bool
	}](t, c.Input)
	include := func(ref, _ string) (string, *yaml.Tree) {
		n, _ := strconv.Atoi(ref)
		if in.Missing {
			return ref, nil
		}
		if n == in.Depth {
			return ref, parse("assert: [A]")
		}
		return ref, parse(fmt.Sprintf("assert: [{include: '%d'}]", n+1))
	}
	got := assertion.Reader{Version: agentv.Head, Include: include}.ReadList(node([]any{map[string]any{"include": "1"}}))
	if got.Refused != "" {
		return compareJSON(decode[any](t, c.Expected), map[string]any{"error": got.Refused}, true)
	}
	return compareJSON(decode[any](t, c.Expected), map[string]any{"ok": len(got.Graders) == 1 && got.Graders[0].Criteria[0].Text == "A"}, true)
}
