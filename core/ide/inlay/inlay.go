// Package inlay shows effective values that the text leaves out, and grades of the last run.
package inlay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/metric"
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
	head := syntax.EndOnLine(p.Source, c.DisplaySpan())
	// The grade is first: editors cut a line's hints after some characters.
	if g := results[cr.TestCase.ID].FindGrade(cr.Grader.Name, c.ID); g != nil {
		hints = append(hints, Hint{head, GradeLabel(*g), facts.EscapeMarkdown(g.Grade.Reasoning), true})
	}
	var labels, tooltips []string // one hint of all that the criterion's line leaves out, short because the line has its grade too
	if ofRubric, _, ok := cr.WeightShares(); ok && len(cr.Grader.Criteria) > 1 {
		if share := facts.FormatPercent(ofRubric); c.WeightSpan.Empty() {
			labels, tooltips = append(labels, share), append(tooltips, cr.WeightText())
		} else {
			hints = append(hints, Hint{c.WeightSpan.End, share, cr.WeightText(), false})
		}
	} else if c.WeightSpan.Empty() {
		labels = append(labels, "weight "+score.FormatNumber(c.Weight))
	}
	if c.Required == nil && (!c.HasBands() || c.MinScore == nil) {
		gate := "required"
		if !c.IsRequired() {
			gate = "optional"
		}
		labels, tooltips = append(labels, gate), append(tooltips, cr.GateText())
	}
	if len(labels) > 0 {
		hints = append(hints, Hint{head, strings.Join(labels, " · "), strings.Join(tooltips, "\n\n"), false})
	}
	if at, ok := colonEnd(p, p.Tree.NodeWithSpan(c.BandsSpan)); ok && c.HasBands() {
		label := cmp.Or(facts.BandFault(c.Bands), "0–10 covered")
		hints = append(hints, Hint{at, label, facts.DescribeCoverage(c.Bands), false})
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

// InRange returns the hints within a span of a file, with the last results.
func InRange(f *ide.File, within text.Span) []ide.InlayHint {
	if f.Host.Shown != nil {
		f.Host.Shown(within) // editors ask for the range that they show
	}
	all, results := []ide.InlayHint{}, f.Host.Outcomes()
	for chunk := range f.ChunksIn(within) {
		for _, h := range Hints(chunk, results) {
			at := chunk.ToFile(text.Span{Start: h.Offset, End: h.Offset})
			if at.Start < within.Start || at.Start > within.End || h.IsGrade && f.Client.ShowsResults {
				continue
			}
			hint := ide.InlayHint{Position: f.SpanRange(at).Start, Label: h.Label, PaddingLeft: true}
			if h.Tooltip != "" {
				hint.Tooltip = f.Client.Markup(h.Tooltip)
			}
			all = append(all, hint)
		}
	}
	return all
}

// Hints returns the inlay hints of a chunk in text order: defaults, shares and grades of its
// criteria.
func Hints(p *analysis.Chunk, results ide.Results) []Hint {
	hints := adkHints(p, results)
	seen := map[Hint]bool{} // criteria that cases share are visited repeatedly
	facts.VisitCriteria(p, func(cr facts.CriterionRef) {
		for _, h := range criterionHints(cr, p, results) {
			if !seen[h] {
				seen[h] = true
				hints = append(hints, h)
			}
		}
	})
	generic.SortStable(hints, func(a, b Hint) int { return cmp.Compare(a.Offset, b.Offset) })
	return hints
}

// adkHints returns the results of the last run for the rubrics and turns of an evalset.
func adkHints(p *analysis.Chunk, results ide.Results) (hints []Hint) {
	set, ok := facts.LowerEvalset(p)
	if !ok || len(results) == 0 || p.ADK.Role != adk.EvalSet {
		return nil
	}
	at, turn := -1, 0
	for _, list := range p.ADK.RubricLists() {
		if turn++; !list.IsTurn {
			at, turn = at+1, 0
		}
		o, ran := results[set.Cases[at].ID]
		if !ran {
			continue
		}
		if turn > 0 {
			hints = append(hints, turnHints(p, set.Cases[at], turn-1, o)...)
		}
		for _, r := range list.Rubrics {
			if label, why := rubricLabel(o, set.Cases[at], turn, r.Rubric); label != "" && r.IDNode != nil {
				hints = append(hints, Hint{endWithComma(p.Source, r.IDNode.Span), label + facts.StaleSuffix(o.Stale), why, false})
			}
		}
	}
	return hints
}

// turnHints returns how many metrics a turn passed. The tooltip lists them.
func turnHints(p *analysis.Chunk, c adk.Case, turn int, o ide.Outcome) []Hint {
	measured, passed := 0, 0
	for _, m := range o.Metrics {
		if len(m.Invocations) != len(c.Turns) {
			continue
		}
		if measured++; m.Invocations[turn].Status == metric.Passed {
			passed++
		}
	}
	head := adk.LookupPair(c.Turns[turn], "invocation_id")
	if measured == 0 || head == nil {
		return nil
	}
	label := fmt.Sprintf("%d of %s passed%s", passed, diag.CountNoun(measured, "metric"), facts.StaleSuffix(o.Stale))
	why := strings.Join(facts.TurnMeasurements(ide.Results{c.ID: o}, c, turn), "\n\n")
	return []Hint{{endWithComma(p.Source, head.Value.Span), label, why, false}}
}

// rubricLabel returns the grade of a rubric in one turn, counted from 1, or in all turns if turn is
// 0, and the judge's rationale.
func rubricLabel(o ide.Outcome, c adk.Case, turn int, r metric.Rubric) (label, why string) {
	i := slices.IndexFunc(o.Metrics, func(m metric.Result) bool { return m.Metric == adk.MetricForRubricType(r.Type) })
	if i < 0 {
		return "", ""
	}
	turns := o.Metrics[i].Invocations
	if turn > 0 {
		if len(turns) != len(c.Turns) {
			return "", ""
		}
		turns = turns[turn-1 : turn]
	}
	yes, no := 0, 0
	for _, t := range turns {
		for _, s := range t.Rubrics {
			switch {
			case s.ID != r.ID || s.Score == nil:
			case *s.Score == 1:
				yes++
			default:
				no++
				why = s.Rationale
			}
		}
	}
	switch {
	case yes+no == 0:
		return "not judged", ""
	case no == 0:
		return "yes", ""
	case yes == 0:
		return "no", facts.EscapeMarkdown(why)
	}
	return fmt.Sprintf("yes in %d of %d turns", yes, yes+no), facts.EscapeMarkdown(why)
}

// endWithComma returns where a value ends on its first line, after a comma.
func endWithComma(src *text.Source, span text.Span) int {
	end := syntax.EndOnLine(src, span)
	if end < len(src.Body) && src.Body[end] == ',' {
		return end + 1
	}
	return end
}
