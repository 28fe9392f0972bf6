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

// editContext is a place in a file, and all that it is in.
type editContext struct {
	file *analysis.Analysis
	part *analysis.Chunk
	path []value // from the root to the innermost
	json bool    // keys and texts are in double quotes there
}

func newEditContext(a *analysis.Analysis, offset int) editContext {
	ec := editContext{file: a, part: a.ChunkAt(offset)}
	local := ec.part.FromFile(offset)
	around := rootValues(ec.part)
	for len(around) > 0 {
		var next *value
		for i := range around {
			if lines := ec.lineSpan(around[i]); lines.Touches(local) {
				next = &around[i]
			}
		}
		if next == nil {
			break
		}
		ec.path = append(ec.path, *next)
		around = next.children()
	}
	if n := len(ec.path); n > 0 {
		ec.json = hasQuotedKeys(ec.path[n-1].node)
	}
	return ec
}

// lineSpan are the lines that a value is on, with its key and its dash; between
// brackets it is what it covers.
func (ec editContext) lineSpan(v value) text.Span {
	span := fullSpan(v.node)
	if v.pair != nil {
		span = span.Cover(v.pair.Key.Span)
	}
	if v.parent != nil && v.parent.node.Style == yaml.Flow || v.parent == nil {
		return span
	}
	source := ec.part.Source
	return text.Span{Start: source.LineSpan(source.OffsetLine(span.Start)).Start, End: source.LineSpan(source.OffsetLine(span.End)).End}
}

// criterion is the innermost criterion that the spot is in; ok is false if it is
// in none.
func (ec editContext) criterion() (v value, ok bool) {
	for i := len(ec.path) - 1; i >= 0; i-- {
		v = ec.path[i]
		if v.place() == agentv.InCriterion && v.node.Parent != nil && v.node.Parent.Kind == yaml.Sequence {
			return v, true
		}
	}
	return value{}, false
}

// criteriaList is the list of criteria that the spot is in, or whose key it is on; nil
// if it is in none.
func (ec editContext) criteriaList() *yaml.Node {
	for i := len(ec.path) - 1; i >= 0; i-- {
		v := ec.path[i]
		if v.node.Kind != yaml.Sequence {
			continue
		}
		for _, item := range v.children() {
			if item.place() == agentv.InCriterion && item.isCriterion() {
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
		place, _ := agentv.ScopeOf(t)
		return place == agentv.InCriterion
	})
}

// lookupCriterion is the criterion that a node is, as it is understood; nil if it is not, or
// there is no node.
func (ec editContext) lookupCriterion(n *yaml.Node) (found *rubric.Criterion) {
	if n == nil {
		return nil
	}
	visitSuiteGraders(ec.part.Suite, func(g *rubric.Grader) {
		for _, c := range g.Criteria {
			if c.Span == n.Span {
				found = c
			}
		}
	})
	return found
}

// termFor is how this file's version calls what the oldest calls so.
func (ec editContext) termFor(in agentv.Scope, key string) agentv.Term {
	if name, ok := agentv.LookupConcept(key, in).PreferredTerm(cmp.Or(ec.part.Version, agentv.Seed)); ok {
		return name
	}
	return agentv.Term{Text: key, Scope: in}
}
