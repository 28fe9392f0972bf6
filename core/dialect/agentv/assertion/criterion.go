package assertion

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/bands"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// tenfold is how a minimum, 0–1, is brought to the scale of scores.
const tenfold = rubric.Highest - rubric.Lowest

// criteria reads a list of rubric items, which are numbered by their place in
// it. Plain texts are items only where texts says so.
func (r *reading) criteria(items []*yaml.Node, texts bool) []*rubric.Criterion {
	var criteria []*rubric.Criterion
	for i, n := range items {
		c := &rubric.Criterion{ID: rubric.AutoID(i + 1), AutoID: true, Weight: 1, Span: r.span(n)}
		text, isText := n.Str()
		switch {
		case isText && texts:
			if c.Text, c.TextSpan = text, r.span(n); text == "" {
				r.lose(agentv.ItemNoOutcome, rubric.Warns, n, "")
				continue
			}
		case !n.IsMap():
			r.lose(agentv.ItemNotObject, rubric.Warns, n, "")
			continue
		default:
			r.id(c, n.Get("id"))
			if !r.fields(c, n, textOf(n, "outcome", "criteria")) {
				continue
			}
		}
		criteria = append(criteria, c)
	}
	return criteria
}

func (r *reading) id(c *rubric.Criterion, n *yaml.Node) {
	if text, ok := n.Str(); ok && text != "" {
		c.ID, c.AutoID, c.IDSpan = text, false, r.span(n)
	}
}

// textOf is the first of keys that holds a string.
func textOf(n *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		if v := n.Get(key); v != nil {
			if _, ok := v.Str(); ok {
				return v
			}
		}
	}
	return nil
}

// fields reads what n says about a criterion whose text is outcome, which may
// be nil. A criterion with neither text nor ranges is skipped.
func (r *reading) fields(c *rubric.Criterion, n, outcome *yaml.Node) (keep bool) {
	if outcome != nil {
		c.Text, _ = outcome.Str()
		c.TextSpan = r.span(outcome)
	}
	r.operator(c, n.Get("operator"))
	r.weight(c, n.Get("weight"))
	r.minimum(c, n)
	ranges := n.Get("score_ranges")
	if ranges == nil && c.Text == "" {
		return r.skip(agentv.ItemNoOutcome, n, "")
	}
	if ranges != nil {
		r.ranges(c, ranges)
	}
	if required := n.Get("required"); required != nil && ranges != nil && r.Version == agentv.Head {
		r.lose(RequiredRanged, rubric.Silent, required, "")
	} else {
		r.required(c, required)
	}
	return true
}

func (r *reading) operator(c *rubric.Criterion, n *yaml.Node) {
	if n == nil {
		return
	}
	operator, _ := n.Str()
	if operator != rubric.Correctness && operator != rubric.Contradiction {
		r.lose(OperatorInvalid, rubric.Warns, n, operator)
		return
	}
	c.Operator, c.OperatorSpan = operator, r.span(n)
}

// minimum reads a criterion's minimum, 0–1, or Stable's older one, 0–10.
func (r *reading) minimum(c *rubric.Criterion, n *yaml.Node) {
	minimum, older := n.Get("min_score"), n.Get("required_min_score")
	if older != nil && r.Version == agentv.Head {
		r.refuse(MinScoreRetired, older, "")
		return
	}
	if f, ok := minimum.Number(); ok {
		if _, within := share(minimum); !within || f == 0 {
			r.refuse(MinScoreOutside, minimum, minimum.Value)
			return
		}
		f *= tenfold
		c.MinScore, c.MinScoreSpan = &f, r.span(minimum)
		return
	}
	if f, ok := older.Number(); ok {
		if !agentv.WholeScore(f) {
			r.refuse(agentv.MinScoreInvalid, older, older.Value)
			return
		}
		r.lose(Deprecated, rubric.Warns, older, "required_min_score")
		c.MinScore, c.MinScoreSpan = &f, r.span(older)
	}
}

func (r *reading) weight(c *rubric.Criterion, n *yaml.Node) {
	if n == nil {
		return
	}
	if weight, ok := n.Number(); ok {
		c.Weight, c.WeightSpan = weight, r.span(n)
	} else {
		r.lose(agentv.WeightDefaulted, rubric.Silent, n, "")
	}
}

func (r *reading) required(c *rubric.Criterion, n *yaml.Node) {
	if n == nil {
		return
	}
	if required, ok := n.Bool(); ok {
		c.Required, c.RequiredSpan = &required, r.span(n)
	} else {
		r.lose(agentv.RequiredDefaulted, rubric.Silent, n, "")
	}
}

// ranges reads score ranges, which are refused when anything in them is lost.
func (r *reading) ranges(c *rubric.Criterion, n *yaml.Node) {
	c.BandsSpan = r.span(n)
	if kind := bands.Refused(n, "outcome"); kind != "" {
		r.refuse(kind, n, "")
	}
	found, lost := bands.Read(n, "outcome")
	if len(lost) > 0 && r.refused == "" {
		r.refuse(bands.NoText, n, "")
	}
	for i := range found {
		if r.place != nil {
			found[i].Span = *r.place
		}
	}
	c.Bands = found
}
