package inlay

import (
	"fmt"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// A Hint is an inlay hint.
type Hint struct {
	Offset  int // shown after this offset
	Label   string
	Tooltip string // Markdown; "" for none
	IsGrade bool   // of the last run
}

func criterionHints(cr facts.CriterionRef, p *analysis.Chunk, results ide.Results) (hints []Hint) {
	c := cr.Criterion()
	head := syntax.EndOnLine(p.Source, firstNonEmpty(c.IDSpan, c.TextSpan, c.Span))
	if c.Required == nil && (!c.HasBands() || c.MinScore == nil) {
		hints = append(hints, Hint{head, fmt.Sprintf("required: %v", c.IsRequired()), cr.GateText(), false})
	}
	shared := head
	if c.WeightSpan.Empty() {
		hints = append(hints, Hint{head, "weight: " + facts.FormatNumber(c.Weight), "", false})
	} else {
		shared = c.WeightSpan.End
	}
	if ofRubric, _, ok := cr.WeightShares(); ok && len(cr.Grader.Criteria) > 1 {
		hints = append(hints, Hint{shared, facts.FormatPercent(ofRubric), cr.WeightText(), false})
	}
	if at, ok := colonEnd(p, collectionAt(p.Tree, c.BandsSpan)); ok && c.HasBands() {
		label := "0–10 covered"
		if fault := facts.BandFault(c.Bands); fault != "" {
			label = fault
		}
		hints = append(hints, Hint{at, label, facts.DescribeCoverage(c.Bands), false})
	}
	if g := results[cr.TestCase.ID].FindGrade(cr.Grader.Name, c.ID); g != nil {
		hints = append(hints, Hint{head, GradeLabel(*g), facts.EscapeMarkdown(g.Grade.Reasoning), true})
	}
	return hints
}

// GradeLabel describes a grade without Markdown.
func GradeLabel(g ide.CriterionGrade) string {
	words := "ungraded"
	if g.Grade.Ungraded == "" {
		words = facts.DescribeGrade(g.Grade)
	}
	if g.Grade.IsContested() {
		words += " (" + g.Grade.VoteSummary() + ")"
	}
	return words + facts.StaleSuffix(g.Stale)
}

// firstNonEmpty returns the first non-empty span.
func firstNonEmpty(spans ...text.Span) text.Span {
	for _, s := range spans {
		if !s.Empty() {
			return s
		}
	}
	return text.Span{}
}

// colonEnd returns the offset after the colon of a value's key; false if it has none.
func colonEnd(p *analysis.Chunk, n *yaml.Node) (int, bool) {
	if n == nil || syntax.PairOf(n) == nil {
		return 0, false
	}
	end := syntax.PairOf(n).Key.Span.End
	for end < n.Span.Start && p.Source.Body[end] != ':' {
		end++
	}
	return min(end+1, n.Span.Start), true
}

// collectionAt returns the mapping or list with exactly this span, or nil.
func collectionAt(t *yaml.Tree, span text.Span) *yaml.Node {
	for n := t.NodeAt(span.Start); n != nil; n = n.Parent {
		if n.Span == span && (n.Kind == yaml.Mapping || n.Kind == yaml.Sequence) {
			return n
		}
	}
	return nil
}
