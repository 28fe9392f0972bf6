package analysis

import (
	"sort"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/text"
)

// maxRounds bounds how often fixes are applied: mending one fault may uncover
// the next, and no fix may chase its own tail.
const maxRounds = 10

// maxTries bounds how many fixes are tried one by one in a round.
const maxTries = 50

// Fixed is the analysis of the text with every safe fix applied, and whether
// that changed anything. A fix that would overlap another waits for the next
// round; one that does not make its finding go away, or brings a new one, is not
// applied.
func (a *Analysis) Fixed() (*Analysis, bool) {
	fixed := a
	for range maxRounds {
		fixes := safeFixes(fixed.Diagnostics())
		next := fixed.with(flat(fixes))
		if next == nil {
			next = fixed.oneByOne(fixes)
		}
		if next == nil {
			break
		}
		fixed = next
	}
	return fixed, fixed != a
}

// with is the analysis of the text with edits applied; nil if that is no better.
func (a *Analysis) with(edits []text.Edit) *Analysis {
	body, err := text.Apply(a.Source().Body, edits)
	if err != nil || body == a.Source().Body {
		return nil
	}
	in := *a.input
	in.Text = body
	next := Of(in)
	before, after := counts(a.Diagnostics()), counts(next.Diagnostics())
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

// counts is how often each rule is broken.
func counts(found []diag.Diagnostic) map[string]int {
	n := map[string]int{}
	for _, d := range found {
		n[d.Code]++
	}
	return n
}

// oneByOne applies the first of some fixes that is of use alone: together they
// are not. Nil if none is.
func (a *Analysis) oneByOne(fixes []diag.Fix) *Analysis {
	for i, f := range fixes {
		if i == maxTries {
			break
		}
		if next := a.with(f.Edits); next != nil {
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
			if f.Safe && !touchesAny(f.Edits, flat(fixes)) {
				fixes = append(fixes, f)
				break
			}
		}
	}
	return fixes
}

// flat are the edits of fixes in order of place.
func flat(fixes []diag.Fix) (edits []text.Edit) {
	for _, f := range fixes {
		edits = append(edits, f.Edits...)
	}
	sort.SliceStable(edits, func(i, j int) bool { return edits[i].Span.Start < edits[j].Span.Start })
	return edits
}

func touchesAny(edits, taken []text.Edit) bool {
	for _, e := range edits {
		for _, t := range taken {
			if e.Span.Start <= t.Span.End && t.Span.Start <= e.Span.End {
				return true
			}
		}
	}
	return false
}
