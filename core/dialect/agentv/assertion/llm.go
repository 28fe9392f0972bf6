package assertion

import (
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// gone are the keys under which Head's rubric once had its criteria.
var gone = []string{"criteria", "rubric_item", "rubricItem", "rubrics"}

// llmRubric reads Head's rubric. Its value is a list of criteria, or one; any
// other value is what the judge is told, in its own words.
func (r *reading) llmRubric(g *rubric.Grader, n *yaml.Node) (keep bool) {
	for _, key := range gone {
		if older := n.Get(key); older != nil {
			r.refuse(RubricField, older, key)
		}
	}
	prompt := n.Get("prompt")
	if prompt.IsNull() && g.Assert.Type == r.words.judge {
		prompt = r.Prompt
	}
	g.Prompt, g.Samples = r.prompt(prompt), agentv.Samples(n)
	known := slices.Concat([]string{"value", "score_ranges"}, gone, judgeKeys)
	g.Assert.Config = r.config(n, r.rest(n, known))
	value := n.Get("value")
	if value != nil {
		g.Assert.ValueSpan = r.span(value)
	}
	g.Criteria = r.structured(value, n)
	if text, ok := value.Str(); ok && text != "" {
		g.Assert.Value = text
	} else if len(g.Criteria) == 0 && !falsy(value) {
		g.Assert.Value = value.Any()
		if value.IsSeq() {
			r.lose(RubricFreeForm, rubric.Silent, value, "")
		}
	}
	if g.Assert.Value == nil && len(g.Criteria) == 0 && g.Prompt == nil {
		at := n
		if value != nil {
			at = value
		}
		return r.skip(RubricNoValue, at, g.Name)
	}
	return true
}

// falsy reports whether a value is as good as none: null, false, 0, an empty
// text or an empty list.
func falsy(n *yaml.Node) bool {
	switch value := n.Any().(type) {
	case nil:
		return true
	case bool:
		return !value
	case float64:
		return value == 0
	case string:
		return value == ""
	case []any:
		return len(value) == 0
	}
	return false
}

// structured is the criteria that a value amounts to, nil if it is not written
// as criteria. Entry is what the value stands in.
func (r *reading) structured(value, entry *yaml.Node) []*rubric.Criterion {
	if _, ok := value.Str(); ok {
		if entry.Get("score_ranges") == nil {
			return nil
		}
		return r.single(value, entry)
	}
	if isCriterion(value) {
		return r.nested(value)
	}
	for _, item := range value.List() {
		if _, isText := item.Str(); isText || isCriterion(item) {
			return r.criteria(value.List(), true)
		}
	}
	return nil
}

// isCriterion reports whether n is written as a criterion: with the newest name
// of its text, with ranges, or with an older name beside something that only
// criteria have.
func isCriterion(n *yaml.Node) bool {
	if _, ok := n.Get("outcome").Str(); ok || n.Get("score_ranges") != nil {
		return true
	}
	if _, ok := n.Get("criteria").Str(); !ok {
		return false
	}
	for _, key := range []string{"id", "weight", "required", "min_score", "operator"} {
		if n.Get(key) != nil {
			return true
		}
	}
	return false
}

// nested reads a mapping that is a criterion, or holds some under an older key.
func (r *reading) nested(n *yaml.Node) []*rubric.Criterion {
	inner := first(n, "criteria", "rubrics", "rubric_item", "rubricItem")
	if _, ok := inner.Str(); ok {
		return r.single(inner, n)
	}
	switch {
	case inner.IsSeq():
		return r.criteria(inner.List(), true)
	case inner.IsMap():
		return r.nested(inner)
	}
	return r.criteria([]*yaml.Node{n}, true)
}

// single is one criterion whose settings stand beside its text.
func (r *reading) single(outcome, beside *yaml.Node) []*rubric.Criterion {
	c := &rubric.Criterion{ID: rubric.AutoID(1), AutoID: true, Weight: 1, Span: r.span(beside)}
	if !r.fields(c, beside, outcome) {
		return nil
	}
	return []*rubric.Criterion{c}
}
