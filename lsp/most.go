package lsp

import (
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
)

// mostShown is how many findings of one file a client is sent: the most used
// editor shows no more, and each keystroke sends them all again.
const mostShown = 1000

// most are the findings that are sent, in order of place: of too many the most
// severe, and of those the first.
func most(found []diag.Diagnostic) []diag.Diagnostic {
	if len(found) <= mostShown {
		return found
	}
	var of [diag.Hint + 1]int // how many of each severity are
	for _, d := range found {
		of[d.Severity]++
	}
	room := mostShown
	for s := range of {
		of[s] = min(of[s], room)
		room -= of[s]
	}
	return slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool {
		of[d.Severity]--
		return of[d.Severity] < 0
	})
}
