package rubric

import "github.com/rubric-ls/rubric/core/text"

// Label is the grade that a person gave a criterion of a case. Exactly one of
// Satisfied and Score is set.
type Label struct {
	Case, Criterion string   // their ids
	Satisfied       *bool    // of a checklist criterion
	Score           *float64 // 0–10
	Note, By        string

	Span text.Span `json:"-"` // of the grade
}
