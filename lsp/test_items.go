package lsp

import (
	"cmp"
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// methodTestItems asks for what a test explorer shows of a document.
const methodTestItems = "rubric/testItems"

// documentParams names a document.
type documentParams struct {
	TextDocument protocol.TextDocumentIdentifier `json:"textDocument"`
}

// testItem is a suite, a case, a criterion or a metric: what can be run and has a result.
type testItem struct {
	ID          string          `json:"id"`
	Kind        string          `json:"kind"` // suite, case, criterion or metric
	Label       string          `json:"label"`
	Range       *protocol.Range `json:"range,omitzero"` // by which it is shown; none if it stands elsewhere
	ResultRange *protocol.Range `json:"told,omitzero"`  // beside which there is room to tell of its result, if not beside Range
	Target      commandTarget   `json:"target"`         // what the commands take that run it
	Children    []testItem      `json:"children"`
}

// testItems answers what is in a document to be run: null if it has no cases.
func testItems(_ context.Context, s *snapshot, p *documentParams) (*testItem, error) {
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	suite := s.runnableSuite(d)
	if len(suite.Cases) == 0 {
		return nil, nil
	}
	top := s.client.toRange(d.Analysis, text.Span{})
	root := &testItem{ID: itemID(d.URI), Kind: "suite", Label: suite.Name, Range: &top, Target: commandTarget{URI: d.URI}, Children: []testItem{}}
	for _, c := range suite.Cases {
		item := testItem{ID: itemID(d.URI, c.ID), Kind: "case", Label: cmp.Or(c.ID, suite.Name), Target: commandTarget{URI: d.URI, Case: c.ID}, Children: []testItem{}}
		head := s.client.toRange(d.Analysis, c.SelectionSpan)
		item.Range = &head
		s.addCriteria(d, c, c.Graders, &item)
		root.Children = append(root.Children, item)
	}
	return root, nil
}

// addCriteria adds the criteria of graders, and metrics, to their case's item, those of members
// too.
func (s *snapshot) addCriteria(d *document, c *rubric.Case, graders []*rubric.Grader, item *testItem) {
	for _, g := range graders {
		if g.Kind == rubric.Metric {
			item.Children = append(item.Children, testItem{
				ID: itemID(d.URI, c.ID, g.Name), Kind: "metric", Label: g.Name, Range: item.Range,
				Target: commandTarget{URI: d.URI, Case: c.ID}, Children: []testItem{},
			})
		}
		for _, criterion := range g.Criteria {
			child := testItem{
				ID: itemID(d.URI, c.ID, g.Name, criterion.ID), Kind: "criterion", Label: criterion.DisplayName(),
				Target: commandTarget{URI: d.URI, Case: c.ID, Grader: g.Name, Criterion: criterion.ID}, Children: []testItem{},
			}
			if span := displaySpan(criterion); span.Start < d.Length() {
				rng := s.client.toRange(d.Analysis, span)
				child.Range = &rng
				// Hints stand beside what it is shown by.
				if textRange := s.client.toRange(d.Analysis, criterion.TextSpan); textRange.Start.Line > rng.End.Line {
					child.ResultRange = &textRange
				}
			}
			item.Children = append(item.Children, child)
		}
		s.addCriteria(d, c, g.Members, item)
	}
}

// displaySpan is the span by which a criterion is shown: its id, its text, or all of it.
func displaySpan(c *rubric.Criterion) text.Span {
	for _, span := range []text.Span{c.IDSpan, c.TextSpan} {
		if !span.Empty() {
			return span
		}
	}
	return c.Span
}
