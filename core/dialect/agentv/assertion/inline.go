package assertion

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/bands"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Inline reads the `rubrics` of a Stable case, as forgivingly as its loader. The
// result has one grader, or none. A map of score ranges that does not start at
// 0 is refused with the whole file.
func (r Reader) Inline(n *yaml.Node) Result {
	state := r.start()
	g := &rubric.Grader{
		Name: "rubric", Kind: rubric.LLMJudge, Weight: 1, Inline: true, Span: n.Span, Head: n.Span,
		Assert: &rubric.Assertion{Type: state.words.judge, TypeSpan: n.Span},
	}
	if n.Key != nil {
		g.Head = n.Key.Key.Span
	}
	number := 0
	for _, item := range n.List() {
		if _, isText := item.Str(); !isText && !item.IsMap() {
			state.lose(agentv.ItemNotObject, rubric.Silent, item, "")
			continue
		}
		number++
		if c := state.inlineItem(item, number); c != nil {
			g.Criteria = append(g.Criteria, c)
		}
	}
	if len(g.Criteria) == 0 {
		return state.done(nil)
	}
	return state.done([]*rubric.Grader{g})
}

// inlineItem reads an item of a case's own rubric; nil if it has neither text
// nor bands.
func (r *reading) inlineItem(n *yaml.Node, number int) *rubric.Criterion {
	c := &rubric.Criterion{ID: rubric.AutoID(number), AutoID: true, Weight: 1, Span: r.span(n)}
	text := n
	if n.IsMap() {
		text = textOf(n, "outcome")
		r.id(c, n.Get("id"))
		r.weight(c, n.Get("weight"))
		r.inlineMinimum(c, n)
		ranges := n.Get("score_ranges")
		r.inlineRanges(c, ranges)
		r.required(c, n.Get("required"))
	}
	if text != nil {
		c.Text, _ = text.Str()
		c.TextSpan = r.span(text)
	}
	if c.Text == "" && !c.Ranged() {
		r.lose(agentv.ItemNoOutcome, rubric.Silent, n, "")
		return nil
	}
	return c
}

// inlineMinimum takes any number.
func (r *reading) inlineMinimum(c *rubric.Criterion, n *yaml.Node) {
	minimum, scale := n.Get("min_score"), float64(tenfold)
	if _, ok := minimum.Number(); !ok {
		minimum, scale = n.Get("required_min_score"), 1
	}
	if f, ok := minimum.Number(); ok {
		f *= scale
		c.MinScore, c.MinScoreSpan = &f, r.span(minimum)
	}
}

func (r *reading) inlineRanges(c *rubric.Criterion, n *yaml.Node) {
	if n == nil {
		return
	}
	c.BandsSpan = r.span(n)
	found, lost := bands.Read(n, "outcome")
	c.Bands = found
	r.losses = append(r.losses, lost...)
	if len(lost) > 0 && lost[len(lost)-1].Kind == bands.MapStart {
		r.losses[len(r.losses)-1].Fatal = true
		r.refused = bands.MapStart
	}
}
