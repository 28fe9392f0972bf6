package assertion

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// readList reads a list's graders.
func (r *listReader) readList(n *yaml.Node) []*rubric.Grader {
	if n.IsNull() {
		return nil
	}
	if !n.IsSeq() {
		r.skipEntry(agentv.EvaluatorsNotList, n, "")
		return nil
	}
	return r.readItems(r.expandIncludes(n, nil))
}

// readItems reads graders. Plain texts, wherever they stand, are one rubric in the
// place of the first.
func (r *listReader) readItems(items []listItem) []*rubric.Grader {
	var texts *rubric.Grader
	var graders []*rubric.Grader
	for _, e := range items {
		before := r.includedAt
		r.includedAt = e.includedAt
		if text, ok := e.node.Str(); ok {
			if texts == nil {
				texts = r.newTextRubric(e.node)
				graders = append(graders, texts)
			}
			r.addText(texts, text, e.node)
		} else if g := r.readEntry(e.node); g != nil {
			graders = append(graders, g)
		}
		r.includedAt = before
	}
	return dropEmptyRubric(graders, texts)
}

// newTextRubric is the rubric of a list's plain texts, still without any.
func (r *listReader) newTextRubric(n *yaml.Node) *rubric.Grader {
	span := r.spanOf(n)
	return &rubric.Grader{
		Name: r.keys.rubricName, Kind: rubric.LLMJudge, Inline: true, Span: span, SelectionSpan: span,
		Assert: &rubric.Assertion{Type: r.keys.rubricType, TypeSpan: span},
	}
}

// addText makes a text one more criterion. Each counts as much as a grader.
func (r *listReader) addText(g *rubric.Grader, text string, n *yaml.Node) {
	text = strings.TrimSpace(text)
	if text == "" {
		r.addLoss(EmptyText, rubric.Warns, n, "")
		return
	}
	g.Weight++
	span := r.spanOf(n)
	g.Criteria = append(g.Criteria, &rubric.Criterion{
		ID: rubric.AutoID(len(g.Criteria) + 1), AutoID: true, Text: text, Weight: 1, Span: span, TextSpan: span,
	})
	g.Span = g.Span.Cover(span)
}

func dropEmptyRubric(graders []*rubric.Grader, texts *rubric.Grader) []*rubric.Grader {
	var nonEmpty []*rubric.Grader
	for _, g := range graders {
		if g != texts || len(g.Criteria) > 0 {
			nonEmpty = append(nonEmpty, g)
		}
	}
	return nonEmpty
}
