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
		c := &rubric.Criterion{ID: rubric.AutoID(i + 1), AutoID: true, Weight: 1, Span: r.SpanOf(n)}
		text, isText := n.Str()
		switch {
		case isText && texts:
			if c.Text, c.TextSpan = text, r.SpanOf(n); text == "" {
				r.AddLoss(agentv.ItemNoOutcome, rubric.Warns, n, "")
				continue
			}
		case !n.IsMap():
			r.AddLoss(agentv.ItemNotObject, rubric.Warns, n, "")
			continue
		default:
			r.ReadID(c, n.Get("id"))
			if !r.readCriterionFields(c, n, agentv.FirstString(n, "outcome", "criteria")) {
				continue
			}
		}
		criteria = append(criteria, c)
	}
	return criteria
}

// readCriterionFields reads the settings in n of a criterion with the text outcome, which may be
// nil. It skips a criterion with neither text nor ranges.
func (r *listReader) readCriterionFields(c *rubric.Criterion, n, outcome *yaml.Node) (keep bool) {
	r.ReadOutcome(c, outcome)
	r.readOperator(c, n.Get("operator"))
	r.ReadWeight(c, n.Get("weight"))
	r.readMinimum(c, n)
	ranges := n.Get("score_ranges")
	if ranges == nil && c.Text == "" {
		return r.Skip(agentv.ItemNoOutcome, n, "")
	}
	if ranges != nil {
		r.readRanges(c, ranges)
	}
	if required := n.Get("required"); required != nil && ranges != nil && r.Version == agentv.Head {
		r.AddLoss(RequiredRanged, rubric.Silent, required, "")
	} else {
		r.ReadRequired(c, required)
	}
	return true
}

func (r *listReader) readOperator(c *rubric.Criterion, n *yaml.Node) {
	if n == nil {
		return
	}
	operator := n.Text()
	if operator != rubric.Correctness && operator != rubric.Contradiction {
		r.AddLoss(OperatorInvalid, rubric.Warns, n, operator)
		return
	}
	c.Operator, c.OperatorSpan = operator, r.SpanOf(n)
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
		c.MinScore, c.MinScoreSpan = &f, r.SpanOf(minimum)
		return
	}
	if f, ok := older.Number(); ok {
		if !seed.IsWholeScore(f) {
			r.refuseCase(agentv.MinScoreInvalid, older, older.Value)
			return
		}
		r.AddLoss(Deprecated, rubric.Warns, older, "required_min_score")
		c.MinScore, c.MinScoreSpan = &f, r.SpanOf(older)
	}
}

// readRanges reads score ranges and refuses the case if any part of them is lost.
func (r *listReader) readRanges(c *rubric.Criterion, n *yaml.Node) {
	c.BandsSpan = r.SpanOf(n)
	if kind := bands.Validate(n, "outcome"); kind != "" {
		r.refuseCase(kind, n, "")
	}
	found, lost := bands.Read(n, "outcome")
	if len(lost) > 0 && r.refused == "" {
		r.refuseCase(bands.NoText, n, "")
	}
	for i := range found {
		if r.At != nil {
			found[i].Span = *r.At
		}
	}
	c.Bands = found
}

// ReadInlineRubric reads the `rubrics` of a V4 case as leniently as its loader. The result
// has at most one grader. A map of score ranges that does not start at 0 refuses the file.
func (r Reader) ReadInlineRubric(n *yaml.Node) Result {
	state := r.newListReader()
	criteria, _ := state.ReadInline(n, state.readInlineFields)
	if len(criteria) == 0 {
		return state.finish(nil)
	}
	g := seed.NewInlineGrader(state.keys.rubricName, n, criteria)
	g.Assert = &rubric.Assertion{Type: state.keys.rubricType, TypeSpan: n.Span}
	return state.finish([]*rubric.Grader{g})
}

// readInlineFields reads an item of a case's own rubric. It reports score ranges that refuse the file.
func (r *listReader) readInlineFields(c *rubric.Criterion, n *yaml.Node) (broken bool) {
	r.ReadOutcome(c, agentv.FirstString(n, "outcome"))
	r.ReadID(c, n.Get("id"))
	r.ReadWeight(c, n.Get("weight"))
	r.readInlineMinimum(c, n)
	r.ReadRequired(c, n.Get("required"))
	if broken = r.ReadBands(c, n.Get("score_ranges"), "outcome"); broken {
		r.refused = bands.MapStart
	}
	return broken
}

// readInlineMinimum accepts any number.
func (r *listReader) readInlineMinimum(c *rubric.Criterion, n *yaml.Node) {
	minimum, scale := n.Get("min_score"), float64(scoreScale)
	if _, ok := minimum.Number(); !ok {
		minimum, scale = n.Get("required_min_score"), 1
	}
	if f, ok := minimum.Number(); ok {
		f *= scale
		c.MinScore, c.MinScoreSpan = &f, r.SpanOf(minimum)
	}
}
