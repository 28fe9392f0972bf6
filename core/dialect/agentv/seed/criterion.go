package seed

import (
	"math"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/bands"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// outcomeKeys are the keys for the text of a criterion or of a score range.
var outcomeKeys = []string{"expected_outcome", "description"}

// ReadCriteria reads a list of rubric items as part of a case.
func ReadCriteria(n *yaml.Node) []*rubric.Criterion {
	criteria, _ := (&loader{}).readInlineCriteria(n)
	return criteria
}

// readInlineRubric returns the grader for a case's own `rubrics`, or nil.
func (l *loader) readInlineRubric(n *yaml.Node) (g *rubric.Grader, fatal bool) {
	if n.IsNull() {
		return nil, false
	}
	if !n.IsSeq() {
		l.addLoss(agentv.RubricsNotList, rubric.Silent, n, "")
		return nil, false
	}
	criteria, fatal := l.readInlineCriteria(n)
	if len(criteria) == 0 {
		return nil, fatal
	}
	g = &rubric.Grader{Name: "rubric", Kind: rubric.LLMJudge, Weight: 1, Inline: true, Criteria: criteria, Span: n.Span, SelectionSpan: n.Span}
	if n.Key != nil {
		g.SelectionSpan = n.Key.Key.Span
	}
	return g, fatal
}

// readInlineCriteria numbers every string and mapping. Like the loader, it also counts the items
// that it drops because they have neither text nor bands.
func (l *loader) readInlineCriteria(n *yaml.Node) (criteria []*rubric.Criterion, fatal bool) {
	number := 0
	for _, item := range n.List() {
		text, isText := item.Str()
		if !isText && !item.IsMap() {
			l.addLoss(agentv.ItemNotObject, rubric.Silent, item, "")
			continue
		}
		number++
		isBroken := false
		c := &rubric.Criterion{ID: rubric.AutoID(number), AutoID: true, Weight: 1, Span: item.Span}
		if isText {
			c.Text, c.TextSpan = text, item.Span
		} else {
			l.readCriterionFields(c, item)
			isBroken = l.readBands(c, item.Get("score_ranges"))
			fatal = fatal || isBroken
		}
		if c.Text == "" && !c.HasBands() && !isBroken {
			l.addLoss(agentv.ItemNoOutcome, rubric.Silent, item, "")
			continue
		}
		criteria = append(criteria, c)
	}
	return criteria, fatal
}

// readCriterionFields reads the keys that every rubric item may have.
func (l *loader) readCriterionFields(c *rubric.Criterion, item *yaml.Node) {
	if id := item.Get("id"); id != nil {
		if text, ok := id.Str(); ok {
			c.ID, c.AutoID, c.IDSpan = text, false, id.Span
		}
	}
	if text := agentv.FirstString(item, outcomeKeys...); text != nil {
		c.Text, _ = text.Str()
		c.TextSpan = text.Span
	}
	if n := item.Get("weight"); n != nil {
		if weight, ok := n.Number(); ok {
			c.Weight, c.WeightSpan = weight, n.Span
		} else if !n.IsNull() {
			l.addLoss(agentv.WeightDefaulted, rubric.Silent, n, "")
		}
	}
	if n := item.Get("required"); n != nil {
		if required, ok := n.Bool(); ok {
			c.Required, c.RequiredSpan = &required, n.Span
		} else if !n.IsNull() {
			l.addLoss(agentv.RequiredDefaulted, rubric.Silent, n, "")
		}
	}
	if n := item.Get("required_min_score"); n != nil {
		if minimum, ok := n.Number(); ok {
			c.MinScore, c.MinScoreSpan = &minimum, n.Span
		} else if !n.IsNull() {
			l.addLoss(agentv.MinScoreIgnored, rubric.Silent, n, "")
		}
	}
	if n := item.Get("score_ranges"); n != nil {
		c.BandsSpan = n.Span
	}
}

// readEvaluatorCriteria reads an evaluator's rubrics. They are numbered by position and must be
// mappings. An invalid minimum or score range refuses the case; refused is the kind of the
// first one.
func (l *loader) readEvaluatorCriteria(n *yaml.Node) (criteria []*rubric.Criterion, refused string) {
	for i, item := range n.List() {
		if !item.IsMap() {
			l.addLoss(agentv.ItemNotObject, rubric.Warns, item, "")
			continue
		}
		c := &rubric.Criterion{ID: rubric.AutoID(i + 1), AutoID: true, Weight: 1, Span: item.Span}
		l.readCriterionFields(c, item)
		if c.MinScore != nil && !IsWholeScore(*c.MinScore) && refused == "" {
			refused = agentv.MinScoreInvalid
		}
		ranges := item.Get("score_ranges")
		if ranges == nil && c.Text == "" {
			l.addLoss(agentv.ItemNoOutcome, rubric.Warns, item, "")
			continue
		}
		if ranges != nil {
			if kind := bands.Validate(ranges, outcomeKeys...); kind != "" && refused == "" {
				refused = kind
			}
			l.readBands(c, ranges)
		}
		criteria = append(criteria, c)
	}
	return criteria, refused
}

// readBands reads a criterion's score ranges. It reports a map that does not start at 0, which
// in a case's own rubric rejects the whole file.
func (l *loader) readBands(c *rubric.Criterion, n *yaml.Node) (broken bool) {
	found, lost := bands.Read(n, outcomeKeys...)
	c.Bands = found
	l.losses = append(l.losses, lost...)
	return len(lost) > 0 && lost[len(lost)-1].Kind == bands.MapStart
}

// IsWholeScore reports whether f is a whole number from 0 to 10.
func IsWholeScore(f float64) bool {
	return f == math.Trunc(f) && f >= rubric.LowestScore && f <= rubric.HighestScore
}
