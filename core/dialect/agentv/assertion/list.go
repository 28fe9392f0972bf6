package assertion

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// list reads a list's graders.
func (r *reading) list(n *yaml.Node) []*rubric.Grader {
	if n.IsNull() {
		return nil
	}
	if !n.IsSeq() {
		r.skip(agentv.EvaluatorsNotList, n, "")
		return nil
	}
	return r.items(r.expand(n, nil))
}

// items reads graders. Plain texts, wherever they stand, are one rubric in the
// place of the first.
func (r *reading) items(items []item) []*rubric.Grader {
	var texts *rubric.Grader
	var graders []*rubric.Grader
	for _, e := range items {
		before := r.place
		r.place = e.place
		if text, ok := e.node.Str(); ok {
			if texts == nil {
				texts = r.group(e.node)
				graders = append(graders, texts)
			}
			r.add(texts, text, e.node)
		} else if g := r.entry(e.node); g != nil {
			graders = append(graders, g)
		}
		r.place = before
	}
	return withoutEmpty(graders, texts)
}

// group is the rubric of a list's plain texts, still without any.
func (r *reading) group(n *yaml.Node) *rubric.Grader {
	span := r.span(n)
	return &rubric.Grader{
		Name: r.words.group, Kind: rubric.LLMJudge, Inline: true, Span: span, Head: span,
		Assert: &rubric.Assertion{Type: r.words.judge, TypeSpan: span},
	}
}

// add makes a text one more criterion. Each counts as much as a grader.
func (r *reading) add(g *rubric.Grader, text string, n *yaml.Node) {
	text = strings.TrimSpace(text)
	if text == "" {
		r.lose(EmptyText, rubric.Warns, n, "")
		return
	}
	g.Weight++
	span := r.span(n)
	g.Criteria = append(g.Criteria, &rubric.Criterion{
		ID: rubric.AutoID(len(g.Criteria) + 1), AutoID: true, Text: text, Weight: 1, Span: span, TextSpan: span,
	})
	g.Span = g.Span.Cover(span)
}

func withoutEmpty(graders []*rubric.Grader, texts *rubric.Grader) []*rubric.Grader {
	var kept []*rubric.Grader
	for _, g := range graders {
		if g != texts || len(g.Criteria) > 0 {
			kept = append(kept, g)
		}
	}
	return kept
}
