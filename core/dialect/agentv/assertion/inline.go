package assertion

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/bands"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// ReadInlineRubric reads the `rubrics` of a Stable case, as forgivingly as its loader. The
// result has one grader, or none. A map of score ranges that does not start at
// 0 is refused with the whole file.
func (r Reader) ReadInlineRubric(n *yaml.Node) Result {
	state := r.newListReader()
	g := &rubric.Grader{
		Name: "rubric", Kind: rubric.LLMJudge, Weight: 1, Inline: true, Span: n.Span, SelectionSpan: n.Span,
		Assert: &rubric.Assertion{Type: state.keys.rubricType, TypeSpan: n.Span},
	}
	if n.Key != nil {
		g.SelectionSpan = n.Key.Key.Span
	}
	number := 0
	for _, item := range n.List() {
		if _, isText := item.Str(); !isText && !item.IsMap() {
			state.addLoss(agentv.ItemNotObject, rubric.Silent, item, "")
			continue
		}
		number++
		if c := state.readInlineCriterion(item, number); c != nil {
			g.Criteria = append(g.Criteria, c)
		}
	}
	if len(g.Criteria) == 0 {
		return state.finish(nil)
	}
	return state.finish([]*rubric.Grader{g})
}

// readInlineCriterion reads an item of a case's own rubric; nil if it has neither text
// nor bands.
func (r *listReader) readInlineCriterion(n *yaml.Node, number int) *rubric.Criterion {
	c := &rubric.Criterion{ID: rubric.AutoID(number), AutoID: true, Weight: 1, Span: r.spanOf(n)}
	text := n
	if n.IsMap() {
		text = firstString(n, "outcome")
		r.readID(c, n.Get("id"))
		r.readWeight(c, n.Get("weight"))
		r.readInlineMinimum(c, n)
		ranges := n.Get("score_ranges")
		r.readInlineRanges(c, ranges)
		r.readRequired(c, n.Get("required"))
	}
	if text != nil {
		c.Text, _ = text.Str()
		c.TextSpan = r.spanOf(text)
	}
	if c.Text == "" && !c.HasBands() {
		r.addLoss(agentv.ItemNoOutcome, rubric.Silent, n, "")
		return nil
	}
	return c
}

// readInlineMinimum takes any number.
func (r *listReader) readInlineMinimum(c *rubric.Criterion, n *yaml.Node) {
	minimum, scale := n.Get("min_score"), float64(scoreScale)
	if _, ok := minimum.Number(); !ok {
		minimum, scale = n.Get("required_min_score"), 1
	}
	if f, ok := minimum.Number(); ok {
		f *= scale
		c.MinScore, c.MinScoreSpan = &f, r.spanOf(minimum)
	}
}

func (r *listReader) readInlineRanges(c *rubric.Criterion, n *yaml.Node) {
	if n == nil {
		return
	}
	c.BandsSpan = r.spanOf(n)
	found, lost := bands.Read(n, "outcome")
	c.Bands = found
	r.losses = append(r.losses, lost...)
	if len(lost) > 0 && lost[len(lost)-1].Kind == bands.MapStart {
		r.losses[len(r.losses)-1].Fatal = true
		r.refused = bands.MapStart
	}
}
