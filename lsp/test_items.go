package lsp

import (
	"cmp"
	"context"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

// methodTestItems returns the test tree of a document.
const methodTestItems = "rubric/testItems"

// testItem is a suite, a case, a criterion or a metric.
type testItem struct {
	ID          string        `json:"id"`
	Kind        string        `json:"kind"` // suite, case, criterion or metric
	Label       string        `json:"label"`
	Range       *text.Range   `json:"range,omitzero"` // where the item is shown; nil if it is in another file
	ResultRange *text.Range   `json:"told,omitzero"`  // where to show its result, if not at Range
	Target      commandTarget `json:"target"`         // the argument of the run commands
	Children    []testItem    `json:"children"`
	Run         *runNames     `json:"run,omitzero"` // of the suite
}

// runNames say whom a run of a file would ask.
type runNames struct {
	Target string `json:"target"`
	Judge  string `json:"judge"`
}

// testItems returns the test tree of a document, or null without cases.
func testItems(ctx context.Context, s *snapshot, p *documentParams) (*testItem, error) {
	d := s.EvalDocument(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	suite := s.RunnableSuite(d)
	if len(suite.Cases) == 0 {
		return nil, nil
	}
	top := s.SpanRange(d, text.Span{})
	root := &testItem{ID: itemID(d.URI), Kind: "suite", Label: suite.Name, Range: &top, Target: commandTarget{URI: d.URI}, Children: []testItem{}}
	for _, c := range suite.Cases {
		item := testItem{ID: itemID(d.URI, c.ID), Kind: "case", Label: cmp.Or(c.ID, suite.Name), Target: commandTarget{URI: d.URI, Case: c.ID}, Children: []testItem{}}
		head := s.SpanRange(d, c.SelectionSpan)
		item.Range = &head
		s.addCriteria(d, c, c.Graders, &item)
		root.Children = append(root.Children, item)
	}
	root.Run = s.runNames(ctx, d)
	return root, nil
}

// runNames returns whom a run of a document would ask. The definition of a target can name its judge;
// definitions are read only where the workspace is trusted.
func (s *snapshot) runNames(ctx context.Context, d *cache.Document) *runNames {
	config := s.ConfigOf(s.RunSettings, d)
	if host, err := s.permittedHost(); err == nil && s.Client.TrustsFiles && config.Target != run.SelfTargetName {
		opened, err := s.openRun(ctx, host, runRequest{doc: d, settings: s.RunSettings, client: s.Client}, s.RunnableSuite(d), &run.Plan{})
		if err == nil {
			defer opened.Close()
			return &runNames{opened.TargetName, opened.JudgeName}
		}
	}
	return &runNames{config.Target, config.Judge}
}

// addCriteria adds the criteria and metrics of graders and their members to the case's item.
func (s *snapshot) addCriteria(d *cache.Document, c *rubric.Case, graders []*rubric.Grader, item *testItem) {
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
			if span := cache.DisplaySpan(criterion); span.Start < d.Length() {
				rng := s.SpanRange(d, span)
				child.Range = &rng
				// inlay hints are at the end of the criterion's text
				if textRange := s.SpanRange(d, criterion.TextSpan); textRange.Start.Line > rng.End.Line {
					child.ResultRange = &textRange
				}
			}
			item.Children = append(item.Children, child)
		}
		s.addCriteria(d, c, g.Members, item)
	}
}
