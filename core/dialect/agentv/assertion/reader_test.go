package assertion_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/assertion"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TestSpans checks the text of every span.
func TestSpans(t *testing.T) {
	body := `- Polite
- {type: llm-rubric, metric: r, weight: 2, required: true, min_score: 0.5, value: [{id: a, outcome: A, weight: 3, operator: correctness, min_score: 0.7, score_ranges: {0: x}}, {outcome: B, required: false}]}
- {type: contains, value: v}
- {type: assert-set, threshold: 0.5, assert: [{type: is-json}]}
- Short
`
	src := text.New("t.yaml", body)
	got := assertion.Reader{Version: newest}.ReadList(yaml.Parse(src).Root())
	if len(got.Graders) != 4 || len(got.Losses) > 0 {
		t.Fatal(shape(got))
	}
	texts, r, contains, set := got.Graders[0], got.Graders[1], got.Graders[2], got.Graders[3]
	a, b := r.Criteria[0], r.Criteria[1]
	for name, c := range map[string]struct {
		span text.Span
		want string
	}{
		"texts":            {texts.Span, strings.TrimSuffix(strings.TrimPrefix(body, "- "), "\n")},
		"texts' head":      {texts.SelectionSpan, "Polite"},
		"second text":      {texts.Criteria[1].TextSpan, "Short"},
		"name":             {r.SelectionSpan, "r"},
		"type":             {r.Assert.TypeSpan, "llm-rubric"},
		"grader's weight":  {r.WeightSpan, "2"},
		"grader's gate":    {r.RequiredSpan, "true"},
		"grader's minimum": {r.MinScoreSpan, "0.5"},
		"id":               {a.IDSpan, "a"},
		"text":             {a.TextSpan, "A"},
		"weight":           {a.WeightSpan, "3"},
		"operator":         {a.OperatorSpan, "correctness"},
		"minimum":          {a.MinScoreSpan, "0.7"},
		"ranges":           {a.BandsSpan, "{0: x}"},
		"band":             {a.Bands[0].Span, "0: x"},
		"criterion":        {b.Span, "{outcome: B, required: false}"},
		"gate":             {b.RequiredSpan, "false"},
		"value":            {contains.Assert.ValueSpan, "v"},
		"head of no name":  {contains.SelectionSpan, "contains"},
		"threshold":        {set.ThresholdSpan, "0.5"},
		"member":           {set.Members[0].Span, "{type: is-json}"},
	} {
		if found := body[c.span.Start:c.span.End]; found != c.want {
			t.Errorf("%s: %q", name, found)
		}
	}
}

// templates returns an Include for texts by name.
func templates(files map[string]string) assertion.Include {
	return func(ref, from string) (string, *yaml.Tree) {
		body, ok := files[ref]
		if !ok {
			return "", nil
		}
		return ref, parse(body)
	}
}

// TestInclude checks the position of included graders, and that their spans are the include's.
func TestInclude(t *testing.T) {
	include := templates(map[string]string{
		"all":   "assert: [B, {include: more}, {type: contains}]",
		"more":  "assert: [{type: llm-rubric, value: [{outcome: C, score_ranges: {0: c}}]}]",
		"cycle": "assert: [{include: cycle}]",
		"list":  "[A]",
		"bomb":  "assert: &a [*a]",
	})
	for _, c := range []struct{ list, want string }{
		{"[A, {include: all}, {type: is-json}]", `llm-rubric llm_judge/llm-rubric *2 (rubric-1 "A" *1 must=true) (rubric-2 "B" *1 must=true)
llm-rubric llm_judge/llm-rubric *1 (rubric-1 "C" *1 must=false 0-10=c)
is-json deterministic/is-json *1
! warning assert_value_missing_skipped contains`},
		{"[{type: assert-set, assert: [{include: more}]}]", `assert-set assert_set/assert-set *1 [llm-rubric llm_judge/llm-rubric *1 (rubric-1 "C" *1 must=false 0-10=c)]`},
		{"[{include: cycle}]", "! error include_cycle cycle\nrefused include_cycle"},
		{"[{include: list}]", "! error include_invalid list\nrefused include_invalid"},
		{"[{include: bomb}]", "! error include_invalid bomb\nrefused include_invalid"},
		{"[{include: none}]", "! error include_not_found none\nrefused include_not_found"},
		{"[{include: all, type: is-json}]", "is-json deterministic/is-json *1"},
	} {
		root := parse(c.list).Root()
		got := assertion.Reader{Version: newest, Include: include}.ReadList(root)
		if shape(got) != c.want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", c.list, shape(got), c.want)
		}
		for _, g := range got.Graders {
			within(t, root.Span, g)
		}
		for _, l := range got.Losses {
			if !root.Span.Contains(l.Span) || l.Span.Empty() {
				t.Errorf("%s: %s at %v", c.list, l.Kind, l.Span)
			}
		}
	}
	unread := assertion.Reader{Version: stable}.ReadList(parse("[{include: all}]").Root())
	if shape(unread) != "! silent include_unread all" {
		t.Error(shape(unread))
	}
}

func within(t *testing.T, outer text.Span, g *rubric.Grader) {
	t.Helper()
	spans := []text.Span{g.Span, g.SelectionSpan}
	for _, c := range g.Criteria {
		spans = append(spans, c.Span, c.TextSpan)
		for _, b := range c.Bands {
			spans = append(spans, b.Span)
		}
	}
	for _, s := range spans {
		if !outer.Contains(s) {
			t.Errorf("%s: %v is outside of %v", g.Name, s, outer)
		}
	}
	for _, m := range g.Members {
		within(t, outer, m)
	}
}

// TestCase checks which lists apply to a case.
func TestCase(t *testing.T) {
	for _, c := range []struct {
		version     agentv.Version
		test, suite string
		want        string // the texts, in order
	}{
		{newest, "assert: [a]", "assert: [s]", "a s"},
		{newest, "execution: {assert: [e]}", "", "e"},
		{newest, "{assert: [a], execution: {assert: [e], skip_defaults: true}}", "assert: [s]", "a"},
		{newest, "assertions: [x]", "assertions: [y]", ""},
		{newest, "assert: [a]", "{default_test: {assert: [d]}, assert: [s]}", "a d s"},
		{newest, "", "{default_test: {assert: [d]}, assert: s}", "d s"},
		{stable, "{assertions: [a], assert: [b]}", "{assertions: [s]}", "a s"},
		{stable, "{assert: [b], evaluators: [c]}", "{execution: {evaluators: [s]}}", "b s"},
		{stable, "{evaluators: [c], execution: {evaluators: [d]}}", "", "d"},
		{stable, "{assert: , evaluators: [c]}", "", "c"},
	} {
		got := assertion.Reader{Version: c.version}.ReadCase(parse(c.test).Root(), parse(c.suite).Root())
		var texts []string
		for _, g := range got.Graders {
			for _, k := range g.Criteria {
				texts = append(texts, k.Text)
			}
		}
		if found := strings.Join(texts, " "); found != c.want || got.Refused != "" {
			t.Errorf("%s %s + %s: %s", c.version, c.test, c.suite, shape(got))
		}
	}
}

// TestInline reads a V4 case's own rubric.
func TestInline(t *testing.T) {
	for _, c := range []struct{ list, want string }{
		{`[A, 7, {outcome: B, min_score: 0.7, required_min_score: 2, weight: 2}, {outcome: C, required_min_score: 12}]`,
			`rubrics llm_judge/llm-grader *1 (rubric-1 "A" *1 must=true) (rubric-2 "B" *2 must=true min=7) (rubric-3 "C" *1 must=true min=12)
! silent rubric_item_not_object_skipped`},
		{`[{id: a, score_ranges: [{outcome: x}, {outcome: y, score_range: [3, 1]}]}]`,
			"rubrics llm_judge/llm-grader *1 (a \"\" *1 must=false 0-10=x 3-1=y)\n! silent range_defaulted"},
		{`[{outcome: A, score_ranges: {1: x}}]`,
			"rubrics llm_judge/llm-grader *1 (rubric-1 \"A\" *1 must=true)\n! error map_must_start_at_0\nrefused map_must_start_at_0"},
		{`[]`, ""},
	} {
		got := assertion.Reader{Version: stable}.ReadInlineRubric(parse("rubrics: " + c.list).Root().Get("rubrics"))
		if shape(got) != c.want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", c.list, shape(got), c.want)
		}
		if len(got.Graders) > 0 && got.Graders[0].SelectionSpan.Len() != len("rubrics") {
			t.Errorf("%s: its selection span is %v", c.list, got.Graders[0].SelectionSpan)
		}
	}
}

// TestText checks that a plain text becomes a rubric with one criterion.
func TestText(t *testing.T) {
	want := `llm-rubric llm_judge/llm-rubric *1 (rubric-1 "A" *1 must=true)`
	if got := shape(assertion.Reader{Version: newest}.ReadText(parse(" A ").Root())); got != want {
		t.Error(got)
	}
}
