package inlay

import (
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/score"
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
	var labels, tooltips []string // one hint of all that the criterion's line leaves out
	if c.WeightSpan.Empty() {
		labels = append(labels, "weight "+score.FormatNumber(c.Weight))
	}
	if ofRubric, _, ok := cr.WeightShares(); ok && len(cr.Grader.Criteria) > 1 {
		if share := facts.FormatPercent(ofRubric); c.WeightSpan.Empty() {
			labels, tooltips = append(labels, share), append(tooltips, cr.WeightText())
		} else {
			hints = append(hints, Hint{c.WeightSpan.End, share, cr.WeightText(), false})
		}
	}
	if c.Required == nil && (!c.HasBands() || c.MinScore == nil) {
		gate := "required"
		if !c.IsRequired() {
			gate = "not required"
		}
		labels, tooltips = append(labels, gate), append(tooltips, cr.GateText())
	}
	if len(labels) > 0 {
		hints = append(hints, Hint{head, strings.Join(labels, " · "), strings.Join(tooltips, "\n\n"), false})
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
