package adk

import (
	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Misfits are the places where a file does not fit its table, but for those that
// mean to ADK what they say: numbers and truths as texts, other spellings of a
// match type, and null for what may be missing.
func (f File) Misfits() []conform.Mismatch {
	t, root := TypeOf(f.Role), f.Tree.Root()
	switch {
	case f.Part && f.Role == Results:
		t = caseResultsType
	case f.Part:
		t = casesType
	}
	if _, encoded := root.Str(); t == nil || f.Tree.Endless() || f.Role == Results && encoded {
		return nil
	}
	var kept []conform.Mismatch
	for _, m := range conform.Check(t, root) {
		if !meantSo(m) {
			kept = append(kept, m)
		}
	}
	return kept
}

func meantSo(m conform.Mismatch) bool {
	switch m.Kind {
	case conform.Absent:
		return m.Field != nil && (m.Field.Default == null || m.Type == nullableText) && written(m.Node)
	case conform.WrongType:
		return converts(m.Type, m.Node)
	case conform.UnknownValue:
		return m.Type == matchNames && isMatch(m.Node)
	}
	return false
}

// written reports whether a null is there in so many letters.
func written(n *yaml.Node) bool { return !n.Span.Empty() }
