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
	for _, v := range []agentv.Version{agentv.Stable, agentv.Head} {
		adapters["assert_parse@"+string(v)] = parseAssert
	}
	adapters["rubric_parse_inline@"+string(agentv.Stable)] = parseStableInline
	adapters["evaluator_inherit@"+string(agentv.Head)] = inheritAsserts
	adapters["include_depth@"+string(agentv.Head)] = includeDepth
}

// node is a value as it is read from a file.
func node(v any) *yaml.Node {
	body, _ := json.Marshal(v)
	return parse(string(body)).Root()
}

func parseAssert(t *testing.T, c testCase) error {
	in := read[struct {
		Assert []any `json:"assert"`
	}](t, c.Input)
	want := read[struct {
		Result      any      `json:"result"`
		Diagnostics []string `json:"diagnostics"`
	}](t, c.Expected)
	got := assertion.Reader{Version: agentv.Version(c.Dialect)}.List(node(in.Assert))
	if got.Refused != "" {
		return matches(want.Result, map[string]any{"error": got.Refused}, true)
	}
	if said := told(&rubric.Suite{Losses: got.Losses}); !reflect.DeepEqual(said, want.Diagnostics) {
		return fmt.Errorf("it says %q", said)
	}
	wanted, _ := want.Result.([]any)
	if len(wanted) != len(got.Graders) {
		return fmt.Errorf("got %d graders", len(got.Graders))
	}
	whole := !strings.HasPrefix(c.Name, "test:") // those name only what they are about
	for i, g := range got.Graders {
		view := assertView(g)
		if !whole {
			view["outcomes"] = outcomes(g)
		}
		if err := matches(wanted[i], plain(view), whole); err != nil {
			return err
		}
	}
	return nil
}

// assertView is a grader with the keys that the newer versions hold it under.
func assertView(g *rubric.Grader) map[string]any {
	view := map[string]any{"name": g.Name, "type": g.Assert.Type}
	set(view, "weight", g.Weight, !g.WeightSpan.Empty() || g.Inline)
	set(view, "value", g.Assert.Value, g.Assert.Value != nil)
	set(view, "config", g.Assert.Config, g.Assert.Config != nil)
	set(view, "negate", true, g.Negate)
	set(view, "required", true, g.Required)
	set(view, "min_score", g.MinScore, g.MinScore != nil)
	var criteria []any
	for _, c := range g.Criteria {
		criteria = append(criteria, itemView(c, g.Assert.Type == "llm-grader"))
	}
	set(view, "rubrics", criteria, criteria != nil)
	return view
}

// itemView is a criterion as the newer versions hold it; Stable keeps a minimum
// on both its scales.
func itemView(c *rubric.Criterion, twice bool) map[string]any {
	view := map[string]any{"id": c.ID, "weight": c.Weight}
	set(view, "outcome", c.Text, c.Text != "")
	set(view, "required", c.Must(), c.Required != nil || !c.Ranged())
	set(view, "operator", c.Operator, c.Operator != "")
	if c.MinScore != nil {
		view["min_score"] = *c.MinScore / rubric.Highest
		set(view, "required_min_score", math.Round(*c.MinScore), twice)
	}
	var ranges []any
	for _, b := range c.Bands {
		ranges = append(ranges, map[string]any{"score_range": [2]float64{b.Lo, b.Hi}, "outcome": b.Text})
	}
	set(view, "score_ranges", ranges, ranges != nil)
	return view
}

func outcomes(g *rubric.Grader) (texts []string) {
	for _, c := range g.Criteria {
		texts = append(texts, c.Text)
	}
	return texts
}

func parseStableInline(t *testing.T, c testCase) error {
	in := read[map[string]any](t, c.Input)
	got := assertion.Reader{Version: agentv.Stable}.Inline(node(in["rubrics"]))
	want := read[any](t, c.Expected)
	if len(got.Graders) == 0 {
		return matches(want, nil, true)
	}
	return matches(want, plain(assertView(got.Graders[0])), true)
}

// inheritAsserts takes the texts of the case for names of graders.
func inheritAsserts(t *testing.T, c testCase) error {
	in := read[struct{ Case, Suite struct{ Assert []string } }](t, c.Input)
	named := func(names []string) *yaml.Node {
		var list []any
		for _, name := range names {
			list = append(list, map[string]any{"metric": name, "type": "is-json"})
		}
		return node(map[string]any{"assert": list})
	}
	got := assertion.Reader{Version: agentv.Head}.Case(named(in.Case.Assert), named(in.Suite.Assert))
	var names []string
	for _, g := range got.Graders {
		names = append(names, g.Name)
	}
	return matches(read[any](t, c.Expected), plain(map[string]any{"evaluators": names}), true)
}

// includeDepth reads a list that includes a chain of templates.
func includeDepth(t *testing.T, c testCase) error {
	in := read[struct{ Depth int }](t, c.Input)
	include := func(ref, _ string) (string, *yaml.Tree) {
		n, _ := strconv.Atoi(ref)
		if n == in.Depth {
			return ref, parse("assert: [A]")
		}
		return ref, parse(fmt.Sprintf("assert: [{include: '%d'}]", n+1))
	}
	got := assertion.Reader{Version: agentv.Head, Include: include}.List(node([]any{map[string]any{"include": "1"}}))
	if got.Refused != "" {
		return matches(read[any](t, c.Expected), map[string]any{"error": got.Refused}, true)
	}
	return matches(read[any](t, c.Expected), map[string]any{"ok": len(got.Graders) == 1 && got.Graders[0].Criteria[0].Text == "A"}, true)
}
