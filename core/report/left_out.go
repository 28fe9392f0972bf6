package report

import (
	"github.com/rubric-ls/rubric/core/diag"
)

// LeftOut is a case that did not run because of an error in its file or, without an ID, an error that the run ignored.
type LeftOut struct {
	File  string `json:"eval_file"`
	Line  int    `json:"line"` // of the error, from 1
	ID    string `json:"eval_id,omitempty"`
	Error string `json:"error"`
}

// CountLeftOut describes what a run left out in a few words, or returns "" for nothing.
func CountLeftOut(all []LeftOut) string {
	cases := 0
	for _, l := range all {
		if l.ID != "" {
			cases++
		}
	}
	switch ignored := len(all) - cases; {
	case len(all) == 0:
		return ""
	case cases == 0:
		return diag.CountNoun(ignored, "error") + " ignored"
	case ignored == 0:
		return diag.CountNoun(cases, "case") + " left out because of errors"
	default:
		return diag.CountNoun(cases, "case") + " left out because of errors, and " + diag.CountNoun(ignored, "error") + " ignored"
	}
}
