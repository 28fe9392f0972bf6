package assist

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// HintKind is the kind of an inlay hint.
type HintKind string

// Kinds of hints, in display order.
const (
	RequiredHint HintKind = "required" // the default, if `required` is not written
	WeightHint   HintKind = "weight"   // the default, if `weight` is not written
	ShareHint    HintKind = "share"    // share of the rubric's score
	BandsHint    HintKind = "bands"    // coverage of the score ranges
	GradeHint    HintKind = "grade"    // grade in the last run
)

// A Hint is an inlay hint.
type Hint struct {
	Offset  int // shown after this offset
	Kind    HintKind
	Label   string
	Tooltip string // Markdown; "" for none
}

// Hints returns the inlay hints of a chunk in text order: defaults, shares and grades of its
// criteria.
func Hints(p *analysis.Chunk, results Results) []Hint {
	hints := adkHints(p, results)
	seen := map[Hint]bool{} // criteria that cases share are visited repeatedly
	visitCriteria(p, func(cr criterionRef) {
		for _, h := range cr.hints(p, results) {
			if !seen[h] {
				seen[h] = true
				hints = append(hints, h)
			}
		}
	})
	slices.SortStableFunc(hints, func(a, b Hint) int { return cmp.Compare(a.Offset, b.Offset) })
	return hints
}

func (cr criterionRef) hints(p *analysis.Chunk, results Results) (hints []Hint) {
	c := cr.criterion()
	head := endOnLine(p.Source, firstNonEmpty(c.IDSpan, c.TextSpan, c.Span))
	if c.Required == nil && (!c.HasBands() || c.MinScore == nil) {
		hints = append(hints, Hint{head, RequiredHint, fmt.Sprintf("required: %v", c.IsRequired()), cr.gateText()})
	}
	shared := head
	if c.WeightSpan.Empty() {
		hints = append(hints, Hint{head, WeightHint, "weight: " + formatNumber(c.Weight), ""})
	} else {
		shared = c.WeightSpan.End
	}
	if ofRubric, _, ok := cr.weightShares(); ok && len(cr.grader.Criteria) > 1 {
		hints = append(hints, Hint{shared, ShareHint, formatPercent(ofRubric), cr.weightText()})
	}
	if at, ok := colonEnd(p, collectionAt(p.Tree, c.BandsSpan)); ok && c.HasBands() {
		label := "0–10 covered"
		if fault := bandFault(c.Bands); fault != "" {
			label = fault
		}
		hints = append(hints, Hint{at, BandsHint, label, describeCoverage(c.Bands)})
	}
	if g := results[cr.testCase.ID].grade(cr.grader.Name, c.ID); g != nil {
		label := gradeLabel(*g)
		hints = append(hints, Hint{head, GradeHint, label, escapeMarkdown(g.Grade.Reasoning)})
	}
	return hints
}

// gradeLabel describes a grade without Markdown.
func gradeLabel(g CriterionGrade) string {
	words := "ungraded"
	if g.Grade.Ungraded == "" {
		words = describeGrade(g.Grade)
	}
	if g.Grade.IsContested() {
		words += " (" + g.Grade.VoteSummary() + ")"
	}
	return words + staleSuffix(g.Stale)
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

// endOnLine returns where a span ends on its first line.
func endOnLine(src *text.Source, span text.Span) int {
	return min(span.End, src.LineSpan(src.OffsetLine(span.Start)).End)
}

// colonEnd returns the offset after the colon of a value's key; false if it has none.
func colonEnd(p *analysis.Chunk, n *yaml.Node) (int, bool) {
	if n == nil || pairOf(n) == nil {
		return 0, false
	}
	end := pairOf(n).Key.Span.End
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
