package assertion

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/bands"
	"github.com/rubric-ls/rubric/core/dialect/agentv/seed"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// scoreScale converts a minimum from 0–1 to the scale of scores.
const scoreScale = rubric.HighestScore - rubric.LowestScore

// readCriteria reads a list of rubric items and numbers them by position. Strings are items
// only if texts is true.
func (r *listReader) readCriteria(items []*yaml.Node, texts bool) []*rubric.Criterion {
	var criteria []*rubric.Criterion
	for i, n := range items {
		c := &rubric.Criterion{ID: rubric.AutoID(i + 1), AutoID: true, Weight: 1, Span: r.spanOf(n)}
		text, isText := n.Str()
		switch {
		case isText && texts:
			if c.Text, c.TextSpan = text, r.spanOf(n); text == "" {
				r.addLoss(agentv.ItemNoOutcome, rubric.Warns, n, "")
				continue
			}
		case !n.IsMap():
			r.addLoss(agentv.ItemNotObject, rubric.Warns, n, "")
			continue
		default:
			r.readID(c, n.Get("id"))
			if !r.readCriterionFields(c, n, agentv.FirstString(n, "outcome", "criteria")) {
				continue
			}
		}
		criteria = append(criteria, c)
	}
	return criteria
}

func (r *listReader) readID(c *rubric.Criterion, n *yaml.Node) {
	if text, ok := n.Str(); ok {
		c.ID, c.AutoID, c.IDSpan = text, false, r.spanOf(n)
	}
}

// readCriterionFields reads the settings in n of a criterion with the text outcome, which may be
// nil. It skips a criterion with neither text nor ranges.
func (r *listReader) readCriterionFields(c *rubric.Criterion, n, outcome *yaml.Node) (keep bool) {
	if outcome != nil {
		c.Text, _ = outcome.Str()
		c.TextSpan = r.spanOf(outcome)
	}
	r.readOperator(c, n.Get("operator"))
	r.readWeight(c, n.Get("weight"))
	r.readMinimum(c, n)
	ranges := n.Get("score_ranges")
	if ranges == nil && c.Text == "" {
		return r.skipEntry(agentv.ItemNoOutcome, n, "")
	}
	if ranges != nil {
		r.readRanges(c, ranges)
	}
	if required := n.Get("required"); required != nil && ranges != nil && r.Version == agentv.Head {
		r.addLoss(RequiredRanged, rubric.Silent, required, "")
	} else {
		r.readRequired(c, required)
	}
	return true
}

func (r *listReader) readOperator(c *rubric.Criterion, n *yaml.Node) {
	if n == nil {
		return
	}
	operator, _ := n.Str()
	if operator != rubric.Correctness && operator != rubric.Contradiction {
		r.addLoss(OperatorInvalid, rubric.Warns, n, operator)
		return
	}
	c.Operator, c.OperatorSpan = operator, r.spanOf(n)
}

// readMinimum reads a criterion's minimum, 0–1, or the older one of V4, 0–10.
func (r *listReader) readMinimum(c *rubric.Criterion, n *yaml.Node) {
	minimum, older := n.Get("min_score"), n.Get("required_min_score")
	if older != nil && r.Version == agentv.Head {
		r.refuseCase(MinScoreRetired, older, "")
		return
	}
	if f, ok := minimum.Number(); ok {
		if _, within := readShare(minimum); !within || f == 0 {
			r.refuseCase(MinScoreOutside, minimum, minimum.Value)
			return
		}
		f *= scoreScale
		c.MinScore, c.MinScoreSpan = &f, r.spanOf(minimum)
		return
	}
	if f, ok := older.Number(); ok {
		if !seed.IsWholeScore(f) {
			r.refuseCase(agentv.MinScoreInvalid, older, older.Value)
			return
		}
		r.addLoss(Deprecated, rubric.Warns, older, "required_min_score")
		c.MinScore, c.MinScoreSpan = &f, r.spanOf(older)
	}
}

func (r *listReader) readWeight(c *rubric.Criterion, n *yaml.Node) {
	if n == nil {
		return
	}
	if weight, ok := n.Number(); ok {
		c.Weight, c.WeightSpan = weight, r.spanOf(n)
	} else {
		r.addLoss(agentv.WeightDefaulted, rubric.Silent, n, "")
	}
}

func (r *listReader) readRequired(c *rubric.Criterion, n *yaml.Node) {
	if n == nil {
		return
	}
	if required, ok := n.Bool(); ok {
		c.Required, c.RequiredSpan = &required, r.spanOf(n)
	} else {
		r.addLoss(agentv.RequiredDefaulted, rubric.Silent, n, "")
	}
}

// readRanges reads score ranges and refuses the case if any part of them is lost.
func (r *listReader) readRanges(c *rubric.Criterion, n *yaml.Node) {
	c.BandsSpan = r.spanOf(n)
	if kind := bands.Validate(n, "outcome"); kind != "" {
		r.refuseCase(kind, n, "")
	}
	found, lost := bands.Read(n, "outcome")
	if len(lost) > 0 && r.refused == "" {
		r.refuseCase(bands.NoText, n, "")
	}
	for i := range found {
		if r.includedAt != nil {
			found[i].Span = *r.includedAt
		}
	}
	c.Bands = found
}

// ReadInlineRubric reads the `rubrics` of a V4 case as leniently as its loader. The result
// has at most one grader. A map of score ranges that does not start at 0 refuses the file.
func (r Reader) ReadInlineRubric(n *yaml.Node) Result {
	state := r.newListReader()
	g := &rubric.Grader{
		Name: state.keys.rubricName, Kind: rubric.LLMJudge, Weight: 1, Inline: true, Span: n.Span, SelectionSpan: n.Span,
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

// readInlineCriterion reads an item of a case's own rubric. It returns nil for an item with
// neither text nor bands.
func (r *listReader) readInlineCriterion(n *yaml.Node, number int) *rubric.Criterion {
	c := &rubric.Criterion{ID: rubric.AutoID(number), AutoID: true, Weight: 1, Span: r.spanOf(n)}
	text := n
	if n.IsMap() {
		text = agentv.FirstString(n, "outcome")
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

// readInlineMinimum accepts any number.
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
