package format

import (
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/schema"
)

// runnerLoss is the end of a message that says what the runner does: "; the runner skips
// the case", or "" for nothing.
func runnerLoss(action string) string {
	if action == "" {
		return ""
	}
	return "; the runner " + action
}

// keyLoss is the runnerLoss of a key that is surely wrong, without what may make it right.
func keyLoss(t *schema.Type) string {
	certain, _, _ := strings.Cut(t.OnUnknownKey, " unless")
	return runnerLoss(certain)
}

// mismatchLoss is the runnerLoss of a mismatch.
func mismatchLoss(m conform.Mismatch) string {
	if m.Field == nil && m.IsRefused {
		return runnerLoss("refuses the file")
	}
	return fieldLoss(m.Field)
}

// fieldLoss is the runnerLoss of a field without a valid value.
func fieldLoss(f *schema.Field) string {
	if f == nil {
		return ""
	}
	return runnerLoss(f.OnInvalid)
}

// typeNoun returns the name of a mapping type.
func typeNoun(t *schema.Type) string {
	if t == nil || t.Name == "" {
		return "mapping"
	}
	return t.Title()
}

// mismatchSubject names the value that a mismatch is about.
func mismatchSubject(m conform.Mismatch) string {
	switch {
	case m.Key != "":
		return "`" + m.Key + "`"
	case m.Field != nil:
		return "an item of `" + m.Field.Key + "`"
	}
	return "the " + typeNoun(m.Type)
}

// Field tables have score ranges in two forms: a mapping from scores, and a list with the
// key score_range.
func isScoreMap(t *schema.Type) bool    { return t != nil && t.Name == "score-map" }
func isScoreRange(f *schema.Field) bool { return f != nil && f.Key == "score_range" }
