package analysis

import (
	"sort"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/text"
)

const (
	maxFixRounds   = 10 // a fix may uncover the next fault
	maxFixAttempts = 50 // of single fixes in a round
)

// ApplySafeFixes returns the analysis of the text with every safe fix applied, and whether
// the text changed. It skips a fix that overlaps another until the next round, and a fix that
// does not remove its diagnostic or adds a new one.
func (a *Analysis) ApplySafeFixes() (*Analysis, bool) {
	fixed := a
	for range maxFixRounds {
		fixes := safeFixes(fixed.Diagnostics())
		next := fixed.applyIfBetter(sortedEdits(fixes))
		if next == nil {
			next = fixed.applyFirstUseful(fixes)
		}
		if next == nil {
			break
		}
		fixed = next
	}
	return fixed, fixed != a
}

// applyIfBetter returns the analysis of the text with edits applied, or nil unless it has
// fewer errors, or fewer diagnostics, and no more of any rule.
func (a *Analysis) applyIfBetter(edits []text.Edit) *Analysis {
	body, err := text.Apply(a.Source().Body, edits)
	if err != nil || body == a.Source().Body {
		return nil
	}
	in := *a.input
	in.Text = body
	next := Of(in)
	if isBetter(a.Diagnostics(), next.Diagnostics(), diag.Error) || isBetter(a.Diagnostics(), next.Diagnostics(), diag.Hint) {
		return next
	}
	return nil
}

// isBetter reports whether there are fewer diagnostics after a fix, and no more of any rule. Those
// that are milder than least do not count, since a repaired file may show what else it lacks.
func isBetter(before, after []diag.Diagnostic, least diag.Severity) bool {
	left, total := map[string]int{}, 0
	count := func(found []diag.Diagnostic, by int) {
		for _, d := range found {
			if d.Severity <= least {
				left[d.Code] += by
				total += by
			}
		}
	}
	count(before, 1)
	count(after, -1)
	for _, n := range left {
		if n < 0 {
			return false
		}
	}
	return total > 0
}

// applyFirstUseful applies the first fix that helps by itself, after all together did not.
// It returns nil if there is none.
func (a *Analysis) applyFirstUseful(fixes []diag.Fix) *Analysis {
	for _, f := range fixes[:min(len(fixes), maxFixAttempts)] {
		if next := a.applyIfBetter(f.Edits); next != nil {
			return next
		}
	}
	return nil
}

// safeFixes returns the first safe fix of each diagnostic, without those that touch another.
func safeFixes(found []diag.Diagnostic) (fixes []diag.Fix) {
	for _, d := range found {
		for _, f := range d.Fixes {
			if f.Safe && !touchAny(f.Edits, sortedEdits(fixes)) {
				fixes = append(fixes, f)
				break
			}
		}
	}
	return fixes
}

// sortedEdits returns the edits of fixes, sorted by position.
func sortedEdits(fixes []diag.Fix) (edits []text.Edit) {
	for _, f := range fixes {
		edits = append(edits, f.Edits...)
	}
	sort.SliceStable(edits, func(i, j int) bool { return edits[i].Span.Start < edits[j].Span.Start })
	return edits
}

func touchAny(edits, taken []text.Edit) bool {
	for _, e := range edits {
		for _, t := range taken {
			if e.Span.Start <= t.Span.End && t.Span.Start <= e.Span.End {
				return true
			}
		}
	}
	return false
}
