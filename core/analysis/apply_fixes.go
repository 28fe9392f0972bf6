package analysis

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/text"
)

const (
	maxFixRounds   = 10 // a fix may uncover the next fault
	maxFixAttempts = 50 // of single fixes in a round
)

// ApplyFixes returns the analysis of the text with every safe fix applied, or with every first fix of
// a diagnostic if unsafe is set, and what it applied. It skips a fix that overlaps another
// until the next round, and a fix that does not remove its diagnostic. A safe fix must not add
// diagnostics of any rule either. An unsafe one may: behind a misspelt key are often others.
func (a *Analysis) ApplyFixes(unsafe bool) (fixed *Analysis, applied []AppliedFix) {
	fixed = a
	for range maxFixRounds {
		fixes := compatibleFixes(fixed.Diagnostics(), unsafe)
		next := fixed.applyIfBetter(fixes, unsafe)
		if next == nil { // the first that helps by itself
			for i := range fixes[:min(len(fixes), maxFixAttempts)] {
				if next = fixed.applyIfBetter(fixes[i:i+1], unsafe); next != nil {
					fixes = fixes[i : i+1]
					break
				}
			}
		}
		if next == nil {
			break
		}
		for _, f := range fixes {
			line := fixed.Source().OffsetLine(f.Edits[0].Span.Start)
			was := strings.TrimSpace(fixed.Source().Slice(fixed.Source().LineSpan(line)))
			applied = append(applied, AppliedFix{Rule: f.rule, Title: f.Title, Line: line + 1, Was: was})
		}
		fixed = next
	}
	return fixed, applied
}

// An AppliedFix is a fix of a rule's diagnostic, and the line of its first edit as it was before, from 1.
type AppliedFix struct {
	Rule, Title string
	Line        int
	Was         string
}

// applyIfBetter returns the analysis of the text with fixes applied, or nil unless it has fewer
// diagnostics and no more of any rule. If unsafe is set, only those with the messages of what is fixed
// count, and syntax.
func (a *Analysis) applyIfBetter(fixes []fixOf, unsafe bool) *Analysis {
	body, err := text.Apply(a.Source().Body, sortedEdits(fixes))
	if err != nil || body == a.Source().Body {
		return nil
	}
	next := newAnalysis(a.input, text.New(a.input.Path, body), a.cache)
	isBetter := func(counts func(diag.Diagnostic) bool) bool {
		return isBetter(a.Diagnostics(), next.Diagnostics(), counts)
	}
	if unsafe && isBetter(func(d diag.Diagnostic) bool {
		return d.Code == "yaml-syntax" || slices.ContainsFunc(fixes, func(f fixOf) bool { return f.rule == d.Code && f.message == d.Message })
	}) {
		return next
	}
	// Of errors alone, too, since a repaired file may show what else it lacks.
	if isBetter(func(d diag.Diagnostic) bool { return d.Severity == diag.Error }) || isBetter(func(diag.Diagnostic) bool { return true }) {
		return next
	}
	return nil
}

// isBetter reports whether after has fewer of the diagnostics that count, and no more of any rule.
func isBetter(before, after []diag.Diagnostic, counts func(diag.Diagnostic) bool) bool {
	left, total := map[string]int{}, 0
	count := func(found []diag.Diagnostic, by int) {
		for _, d := range found {
			if counts(d) {
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

// fixOf is a fix of a rule's diagnostics with a message.
type fixOf struct {
	diag.Fix
	rule, message string
}

// compatibleFixes returns the first fix of each diagnostic, or the first safe one, without those that
// touch another.
func compatibleFixes(found []diag.Diagnostic, unsafe bool) (fixes []fixOf) {
	var taken []text.Edit
	isTouching := func(e text.Edit) bool {
		return slices.ContainsFunc(taken, func(t text.Edit) bool { return e.Span.Meets(t.Span) })
	}
	for _, d := range found {
		for _, f := range d.Fixes {
			if (unsafe || f.Safe) && !slices.ContainsFunc(f.Edits, isTouching) {
				fixes, taken = append(fixes, fixOf{f, d.Code, d.Message}), append(taken, f.Edits...)
				break
			}
		}
	}
	return fixes
}

// sortedEdits returns the edits of fixes, sorted by position.
func sortedEdits(fixes []fixOf) (edits []text.Edit) {
	for _, f := range fixes {
		edits = append(edits, f.Edits...)
	}
	generic.SortStable(edits, func(a, b text.Edit) int { return a.Span.Start - b.Span.Start })
	return edits
}
