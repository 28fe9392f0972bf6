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
	l := &Loader{}
	criteria, _ := l.ReadInline(n, l.readCriterionFields)
	return criteria
}

// readInlineRubric returns the grader for a case's own `rubrics`, or nil.
func (l *Loader) readInlineRubric(n *yaml.Node) (g *rubric.Grader, fatal bool) {
	if !n.IsSeq() {
		if !n.IsNull() {
			l.AddLoss(agentv.RubricsNotList, rubric.Silent, n, "")
		}
		return nil, false
	}
	criteria, fatal := l.ReadInline(n, l.readCriterionFields)
	if len(criteria) == 0 {
		return nil, fatal
	}
	return NewInlineGrader("rubric", n, criteria), fatal
}

// NewInlineGrader returns the grader for a case's own rubric n.
func NewInlineGrader(name string, n *yaml.Node, criteria []*rubric.Criterion) *rubric.Grader {
	g := &rubric.Grader{Name: name, Kind: rubric.LLMJudge, Weight: 1, Inline: true, Criteria: criteria, Span: n.Span, SelectionSpan: n.Span}
	if n.Key != nil {
		g.SelectionSpan = n.Key.Key.Span
	}
	return g
}

// ReadInline reads the criteria of a case's own rubric. It numbers every string, and every mapping, which
// it reads with read. Like the loader, it also counts the items that it drops because they have neither
// text nor bands. It reports whether read did: score ranges that refuse the file, as read's last loss.
func (l *Loader) ReadInline(n *yaml.Node, read func(c *rubric.Criterion, item *yaml.Node) (broken bool)) (criteria []*rubric.Criterion, broken bool) {
	number := 0
	for _, item := range n.List() {
		text, isText := item.Str()
		if !isText && !item.IsMap() {
			l.AddLoss(agentv.ItemNotObject, rubric.Silent, item, "")
			continue
		}
		number++
		isBroken := false
		c := &rubric.Criterion{ID: rubric.AutoID(number), AutoID: true, Weight: 1, Span: l.SpanOf(item)}
		if isText {
			c.Text, c.TextSpan = text, c.Span
		} else {
			if isBroken = read(c, item); isBroken {
				l.Losses[len(l.Losses)-1].Fatal = true
				broken = true
			}
		}
		if c.Text == "" && !c.HasBands() && !isBroken {
			l.AddLoss(agentv.ItemNoOutcome, rubric.Silent, item, "")
			continue
		}
		criteria = append(criteria, c)
	}
	return criteria, broken
}

// readCriterionFields reads the keys that every rubric item may have. It reports what [Loader.ReadBands] does.
func (l *Loader) readCriterionFields(c *rubric.Criterion, item *yaml.Node) (broken bool) {
	l.ReadID(c, item.Get("id"))
	l.ReadOutcome(c, agentv.FirstString(item, outcomeKeys...))
	l.ReadWeight(c, agentv.FirstValue(item, "weight"))
	l.ReadRequired(c, agentv.FirstValue(item, "required"))
	if n := agentv.FirstValue(item, "required_min_score"); n != nil {
		if minimum, ok := n.Number(); ok {
			c.MinScore, c.MinScoreSpan = &minimum, l.SpanOf(n)
		} else {
			l.AddLoss(agentv.MinScoreIgnored, rubric.Silent, n, "")
		}
	}
	return l.ReadBands(c, agentv.FirstValue(item, "score_ranges"), outcomeKeys...)
}

// ReadID reads the id of a criterion. Like the following, n may be nil.
func (l *Loader) ReadID(c *rubric.Criterion, n *yaml.Node) {
	if text, ok := n.Str(); ok {
		c.ID, c.AutoID, c.IDSpan = text, false, l.SpanOf(n)
	}
}

// ReadOutcome reads the text of a criterion, which is a string.
func (l *Loader) ReadOutcome(c *rubric.Criterion, n *yaml.Node) {
	if n != nil {
		c.Text, c.TextSpan = n.Text(), l.SpanOf(n)
	}
}

// ReadWeight reads the weight of a criterion.
func (l *Loader) ReadWeight(c *rubric.Criterion, n *yaml.Node) {
	if weight, ok := n.Number(); ok {
		c.Weight, c.WeightSpan = weight, l.SpanOf(n)
	} else if n != nil {
		l.AddLoss(agentv.WeightDefaulted, rubric.Silent, n, "")
	}
}

// ReadRequired reads whether a criterion is a gate.
func (l *Loader) ReadRequired(c *rubric.Criterion, n *yaml.Node) {
	if required, ok := n.Bool(); ok {
		c.Required, c.RequiredSpan = &required, l.SpanOf(n)
	} else if n != nil {
		l.AddLoss(agentv.RequiredDefaulted, rubric.Silent, n, "")
	}
}

// ReadBands reads the score ranges of a criterion. It reports a map that does not start at 0, which in a
// case's own rubric refuses the whole file. Keys are those of a range's text.
func (l *Loader) ReadBands(c *rubric.Criterion, n *yaml.Node, keys ...string) (broken bool) {
	if n != nil {
		c.BandsSpan = l.SpanOf(n)
	}
	found, lost := bands.Read(n, keys...)
	c.Bands = found
	l.Losses = append(l.Losses, lost...)
	return len(lost) > 0 && lost[len(lost)-1].Kind == bands.MapStart
}

// readEvaluatorCriteria reads an evaluator's rubrics. They are numbered by position and must be
// mappings. An invalid minimum or score range refuses the case; refused is the kind of the
// first one.
func (l *Loader) readEvaluatorCriteria(n *yaml.Node) (criteria []*rubric.Criterion, refused string) {
	for i, item := range n.List() {
		if !item.IsMap() {
			l.AddLoss(agentv.ItemNotObject, rubric.Warns, item, "")
			continue
		}
		c := &rubric.Criterion{ID: rubric.AutoID(i + 1), AutoID: true, Weight: 1, Span: item.Span}
		l.readCriterionFields(c, item)
		if c.MinScore != nil && !IsWholeScore(*c.MinScore) && refused == "" {
			refused = agentv.MinScoreInvalid
		}
		ranges := item.Get("score_ranges")
		if ranges == nil && c.Text == "" {
			l.AddLoss(agentv.ItemNoOutcome, rubric.Warns, item, "")
			continue
		}
		if ranges != nil && refused == "" {
			refused = bands.Validate(ranges, outcomeKeys...)
		}
		criteria = append(criteria, c)
	}
	return criteria, refused
}

// IsWholeScore reports whether f is a whole number from 0 to 10.
func IsWholeScore(f float64) bool {
	return f == math.Trunc(f) && f >= rubric.LowestScore && f <= rubric.HighestScore
}
