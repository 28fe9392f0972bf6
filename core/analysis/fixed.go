package analysis

import (
	"sort"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/text"
)

// maxRounds bounds how often fixes are applied: mending one fault may uncover
// the next, and no fix may chase its own tail.
const maxRounds = 10

// Fixed is the analysis of the text with every safe fix applied, and whether
// that changed anything. A fix that would overlap another waits for the next
// round; one that does not make its finding go away is not applied.
func (a *Analysis) Fixed() (*Analysis, bool) {
	fixed := a
	for range maxRounds {
		body, err := text.Apply(fixed.Source.Body, safeEdits(fixed.Diagnostics))
		if err != nil || body == fixed.Source.Body {
			break
		}
		input := fixed.input
		input.Text = body
		next := Of(input)
		if len(next.Diagnostics) >= len(fixed.Diagnostics) {
			break
		}
		fixed = next
	}
	return fixed, fixed != a
}

// safeEdits takes the first safe fix of each finding unless it touches one
// that was taken already.
func safeEdits(found []diag.Diagnostic) []text.Edit {
	var edits []text.Edit
	for _, d := range found {
		for _, f := range d.Fixes {
			if f.Safe && !touchesAny(f.Edits, edits) {
				edits = append(edits, f.Edits...)
				break
			}
		}
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
