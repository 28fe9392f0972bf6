package agentv

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/schema"
)

// OtherVersions tells, among what does not fit a version's field table, the keys
// and the types of graders that are another version's names for something that
// this one has too. What stands under such a key and may stay is held to the
// table as well: the mismatches there are added.
func OtherVersions(v Version, found []conform.Mismatch) []conform.Mismatch {
	for i := 0; i < len(found); i++ {
		m := &found[i]
		place, ok := PlaceOf(m.Owner)
		name := m.Key
		switch {
		case m.Field != nil && m.Field.Key == "type" && (m.Kind == conform.UnknownValue || m.Kind == conform.UnlistedValue):
			name, _ = m.Node.Str()
			place, ok = InType, place == InGrader && v != Seed
		case m.Kind != conform.UnknownKey:
			ok = false
		}
		if ok {
			otherVersion(m, name, place, v)
		}
		if m.Kind == conform.OtherVersion && !m.IsMoved && place != InType {
			found = append(found, beneath(*m)...)
		}
	}
	return found
}

// beneath is what does not fit under a key, by what this version calls it.
func beneath(m conform.Mismatch) []conform.Mismatch {
	pair := m.Node.Pair(m.Key)
	if pair == nil || m.Node.Pair(m.Suggestion) != nil {
		return nil
	}
	key := *pair.Key
	key.Value = m.Suggestion
	return conform.CheckField(m.Owner, &key, pair.Value)
}

// otherVersion says of a mismatch what name is called in a version, if that has
// a name for it.
func otherVersion(m *conform.Mismatch, written string, in Place, v Version) {
	name, asIs, ok := Rename(written, in, v)
	switch {
	case !ok || name.Text == written && name.In == in:
		return
	case in == name.In && in != InType && m.Owner.Field(name.Text) == nil:
		return // of other graders than this one
	}
	m.Kind, m.Key, m.Suggestion, m.IsMoved = conform.OtherVersion, written, name.Text, !asIs
	if in != name.In && m.Owner.Field(name.Text) == nil {
		m.NewParent = string(name.In)
	}
	for _, known := range KnownIn(written, in) {
		m.KnownVersions = append(m.KnownVersions, string(known))
	}
}

// places are the mappings of the field tables by their names.
var places = map[string]Place{
	"eval-file": InFile, "targets-file": InTargets, "providers-file": InTargets, "case": InCase, "test": InCase, "default-test": InCase,
	"suite-execution": InExecution, "case-execution": InExecution, "test-execution": InExecution,
	"criterion": InCriterion, "evaluator-criterion": InCriterion, "inline-criterion": InCriterion, "score-range": InRange,
	"assertion": InGrader,
}

// PlaceOf is the place that a mapping of a field table is; false if its keys have
// never changed their names.
func PlaceOf(t *schema.Type) (Place, bool) {
	if t == nil {
		return "", false
	}
	if place, ok := places[t.Name]; ok {
		return place, true
	}
	family, _, _ := strings.Cut(t.Name, "-")
	return InGrader, len(t.TagValues) > 0 && slices.Contains([]string{"evaluator", "assertion"}, family)
}
