package agentv

import (
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/schema"
)

// OtherVersions tells, among what does not fit the seed's field table, the keys
// that are another version's names for something that the seed has too.
func OtherVersions(found []conform.Mismatch) {
	for i := range found {
		m := &found[i]
		if m.Kind != conform.UnknownKey {
			continue
		}
		place, ok := placeOf(m.Owner)
		if !ok {
			continue
		}
		if name, asIs, ok := Rename(m.Key, place, Seed); ok && name.Text != m.Key && m.Owner.Field(name.Text) != nil {
			m.Kind, m.Near, m.Moved = conform.OtherVersion, name.Text, !asIs
			for _, v := range KnownIn(m.Key, place) {
				m.Known = append(m.Known, string(v))
			}
		}
	}
}

// placeOf is the place that a mapping of the field table is.
func placeOf(t *schema.Type) (Place, bool) {
	switch {
	case t == nil:
		return "", false
	case t == EvalFile:
		return InFile, true
	case t == caseType:
		return InCase, true
	case strings.HasSuffix(t.Name, "-execution"):
		return InExecution, true
	case t == criterionType || t == strictCriterion:
		return InCriterion, true
	case t == bandType:
		return InRange, true
	case len(t.Chosen) > 0 && strings.HasPrefix(t.Name, "evaluator-"):
		return InGrader, true
	}
	return "", false
}
