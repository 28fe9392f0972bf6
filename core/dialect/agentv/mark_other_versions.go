package agentv

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/schema"
)

// MarkOtherVersions tells, among what does not fit a version's field table, the keys
// and the types of graders that are another version's names for something that
// this one has too. What stands under such a key and may stay is held to the
// table as well: the mismatches there are added.
func MarkOtherVersions(v Version, found []conform.Mismatch) []conform.Mismatch {
	for i := 0; i < len(found); i++ {
		m := &found[i]
		scope, ok := ScopeOf(m.Owner)
		name := m.Key
		switch {
		case m.Field != nil && m.Field.Key == "type" && (m.Kind == conform.UnknownValue || m.Kind == conform.UnlistedValue):
			name, _ = m.Node.Str()
			scope, ok = InType, scope == InGrader && v != Seed
		case m.Kind != conform.UnknownKey:
			ok = false
		}
		if ok {
			markOtherVersion(m, name, scope, v)
		}
		if m.Kind == conform.OtherVersion && !m.IsMoved && scope != InType {
			found = append(found, mismatchesUnder(*m)...)
		}
	}
	return found
}

// mismatchesUnder is what does not fit under a key, by what this version calls it.
func mismatchesUnder(m conform.Mismatch) []conform.Mismatch {
	pair := m.Node.Pair(m.Key)
	if pair == nil || m.Node.Pair(m.Suggestion) != nil {
		return nil
	}
	key := *pair.Key
	key.Value = m.Suggestion
	return conform.CheckField(m.Owner, &key, pair.Value)
}

// markOtherVersion says of a mismatch what name is called in a version, if that has
// a name for it.
func markOtherVersion(m *conform.Mismatch, written string, scope Scope, v Version) {
	name, asIs, ok := ReadableTermFor(written, scope, v)
	switch {
	case !ok || name.Text == written && name.Scope == scope:
		return
	case scope == name.Scope && scope != InType && m.Owner.Field(name.Text) == nil:
		return // of other graders than this one
	}
	m.Kind, m.Key, m.Suggestion, m.IsMoved = conform.OtherVersion, written, name.Text, !asIs
	if scope != name.Scope && m.Owner.Field(name.Text) == nil {
		m.NewParent = string(name.Scope)
	}
	for _, known := range VersionsReading(written, scope) {
		m.KnownVersions = append(m.KnownVersions, string(known))
	}
}

// scopesByType are the mappings of the field tables by their names.
var scopesByType = map[string]Scope{
	"eval-file": InFile, "targets-file": InTargets, "providers-file": InTargets, "case": InCase, "test": InCase, "default-test": InCase,
	"suite-execution": InExecution, "case-execution": InExecution, "test-execution": InExecution,
	"criterion": InCriterion, "evaluator-criterion": InCriterion, "inline-criterion": InCriterion, "score-range": InRange,
	"assertion": InGrader,
}

// ScopeOf is the place that a mapping of a field table is; false if its keys have
// never changed their names.
func ScopeOf(t *schema.Type) (Scope, bool) {
	if t == nil {
		return "", false
	}
	if scope, ok := scopesByType[t.Name]; ok {
		return scope, true
	}
	family, _, _ := strings.Cut(t.Name, "-")
	return InGrader, len(t.TagValues) > 0 && slices.Contains([]string{"evaluator", "assertion"}, family)
}
