package analysis

import (
	"sort"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/text"
)

// maxFixRounds bounds how often fixes are applied: mending one fault may uncover
// the next, and no fix may chase its own tail.
const maxFixRounds = 10

// maxFixAttempts bounds how many fixes are tried one by one in a round.
const maxFixAttempts = 50

// ApplySafeFixes is the analysis of the text with every safe fix applied, and whether
// that changed anything. A fix that would overlap another waits for the next
// round; one that does not make its finding go away, or brings a new one, is not
// applied.
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

// applyIfBetter is the analysis of the text with edits applied; nil if that is no better.
func (a *Analysis) applyIfBetter(edits []text.Edit) *Analysis {
	body, err := text.Apply(a.Source().Body, edits)
	if err != nil || body == a.Source().Body {
		return nil
	}
	in := *a.input
	in.Text = body
	next := Of(in)
	before, after := countCodes(a.Diagnostics()), countCodes(next.Diagnostics())
	for code, n := range after {
		if n > before[code] {
			return nil
		}
	}
	if len(next.Diagnostics()) >= len(a.Diagnostics()) {
		return nil
	}
	return next
}

// countCodes is how often each rule is broken.
func countCodes(found []diag.Diagnostic) map[string]int {
	n := map[string]int{}
	for _, d := range found {
		n[d.Code]++
	}
	return n
}

// applyFirstUseful applies the first of some fixes that is of use alone: together they
// are not. Nil if none is.
func (a *Analysis) applyFirstUseful(fixes []diag.Fix) *Analysis {
	for i, f := range fixes {
		if i == maxFixAttempts {
			break
		}
		if next := a.applyIfBetter(f.Edits); next != nil {
			return next
		}
	}
	return nil
}

// safeFixes takes the first safe fix of each finding unless it touches one that
// was taken already.
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

// sortedEdits are the edits of fixes in order of place.
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
