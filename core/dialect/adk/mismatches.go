package adk

import (
	"slices"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/metric"
)

// Mismatches returns the places where a file does not fit its table, each marked with
// whether ADK refuses it. It leaves out what ADK accepts and means what it says:
// numbers and booleans as strings, other spellings of a match type, and null for
// what may be missing.
func (f File) Mismatches() []conform.Mismatch {
	t, root := TypeForRole(f.Role), f.Tree.Root()
	switch {
	case f.IsChunk && f.Role == Results:
		t = caseResultsType
	case f.IsChunk:
		t = casesType
	}
	if _, encoded := root.Str(); t == nil || f.Tree.HasUnboundedAliases() || f.Role == Results && encoded {
		return nil
	}
	return slices.DeleteFunc(mismatches(metric.Latest, t, root), func(m conform.Mismatch) bool { return !m.IsRefused && isAsMeant(m) })
}

// isAsMeant reports whether a value that ADK accepts means what it says: it converts, or
// is a null that is written out.
func isAsMeant(m conform.Mismatch) bool {
	switch m.Kind {
	case conform.NoValue:
		return !m.Node.Span.Empty()
	case conform.WrongType, conform.UnknownValue:
		return true
	}
	return false
}
