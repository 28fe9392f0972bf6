package assist

import (
	"cmp"
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// spot is a place in a file, and all that it is in.
type spot struct {
	in   *analysis.Analysis
	part *analysis.Part
	path []value // from the root to the innermost
	json bool    // keys and texts are in double quotes there
}

func spotAt(a *analysis.Analysis, offset int) spot {
	s := spot{in: a, part: a.At(offset)}
	local := s.part.Local(offset)
	around := roots(s.part)
	for len(around) > 0 {
		var next *value
		for i := range around {
			if lines := s.linesOf(around[i]); lines.Touches(local) {
				next = &around[i]
			}
		}
		if next == nil {
			break
		}
		s.path = append(s.path, *next)
		around = next.below()
	}
	if n := len(s.path); n > 0 {
		s.json = quotesKeys(s.path[n-1].node)
	}
	return s
}

// linesOf are the lines that a value is on, with its key and its dash; between
// brackets it is what it covers.
func (s spot) linesOf(v value) text.Span {
	span := fullSpan(v.node)
	if v.pair != nil {
		span = span.Cover(v.pair.Key.Span)
	}
	if v.above != nil && v.above.node.Style == yaml.Flow || v.above == nil {
		return span
	}
	source := s.part.Source
	return text.Span{Start: source.LineSpan(source.OffsetLine(span.Start)).Start, End: source.LineSpan(source.OffsetLine(span.End)).End}
}

// criterion is the innermost criterion that the spot is in; ok is false if it is
// in none.
func (s spot) criterion() (v value, ok bool) {
	for i := len(s.path) - 1; i >= 0; i-- {
		v = s.path[i]
		if v.placeOf() == agentv.InCriterion && v.node.Parent != nil && v.node.Parent.Kind == yaml.Sequence {
			return v, true
		}
	}
	return value{}, false
}

// rubric is the list of criteria that the spot is in, or whose key it is on; nil
// if it is in none.
func (s spot) rubric() *yaml.Node {
	for i := len(s.path) - 1; i >= 0; i-- {
		v := s.path[i]
		if v.node.Kind != yaml.Sequence {
			continue
		}
		for _, item := range v.below() {
			if item.placeOf() == agentv.InCriterion && item.isCriterion() {
				return v.node
			}
		}
	}
	return nil
}

// isCriterion reports whether an item stands among criteria, and not, as a text,
// among graders.
func (v value) isCriterion() bool {
	return v.Type != nil && slices.ContainsFunc(append([]*schema.Type{v.Type}, v.Type.Choices...), func(t *schema.Type) bool {
		place, _ := agentv.PlaceOf(t)
		return place == agentv.InCriterion
	})
}

// read is the criterion that a node is, as it is understood; nil if it is not, or
// there is no node.
func (s spot) read(n *yaml.Node) (found *rubric.Criterion) {
	if n == nil {
		return nil
	}
	eachGrader(s.part.Suite, func(g *rubric.Grader) {
		for _, c := range g.Criteria {
			if c.Span == n.Span {
				found = c
			}
		}
	})
	return found
}

// term is how this file's version calls what the oldest calls so.
func (s spot) term(in agentv.Place, key string) agentv.Term {
	if name, ok := agentv.ConceptOf(key, in).Name(cmp.Or(s.part.Version, agentv.Seed)); ok {
		return name
	}
	return agentv.Term{Text: key, In: in}
}
