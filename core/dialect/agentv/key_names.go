package agentv

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/spell"
)

// Scope is the kind of mapping that contains a key.
type Scope string

// The scopes in which keys have been renamed.
const (
	InFile      Scope = "file"
	InTargets   Scope = "targets file"
	InExecution Scope = "execution"
	InCase      Scope = "case"
	InVars      Scope = "vars"
	InGrader    Scope = "grader" // an evaluator, later an assertion
	InType      Scope = "type"   // not a key: the value of a grader's `type`
	InCriterion Scope = "criterion"
	InRange     Scope = "range"
)

// Term is one of a concept's names. Dates are YYYY-MM-DD.
type Term struct {
	Text            string
	Scope           Scope
	Since           string // "" if it exists from the start
	DeprecatedSince string // from this date it is read only for older files; "" if not deprecated
	RemovedSince    string // from this date it is not read; "" if it still is
	ValueForm       string // the form of its value, if the concept's terms differ in it
}

// Concept is one thing with all its names, oldest first.
type Concept struct {
	Description string // with an article, as in a sentence
	Terms       []Term
}

// snapshotDate returns the date of the release that defines the version.
func (v Version) snapshotDate() string {
	return map[Version]string{Seed: "2026-02-06", V4: "2026-06-19", Head: "2026-07-08"}[v]
}

func (t Term) isReadBy(v Version) bool {
	return t.Since <= v.snapshotDate() && (t.RemovedSince == "" || v.snapshotDate() < t.RemovedSince)
}

// isPreferredIn reports whether a version that reads the term also recommends it.
func (t Term) isPreferredIn(v Version) bool {
	return t.DeprecatedSince == "" || v.snapshotDate() < t.DeprecatedSince
}

// IsShare reports whether the term's value is a share above 0 and up to 1. Another term for the
// same concept then has a whole number from 0 to 10.
func (t Term) IsShare() bool { return t.ValueForm == shareOfOne }

// LookupConcept returns the concept that key names in a scope in any version. It returns nil if
// the key has only ever had one name.
func LookupConcept(key string, scope Scope) *Concept {
	for i := range Concepts {
		if len(Concepts[i].termsNamed(key, scope)) > 0 {
			return &Concepts[i]
		}
	}
	return nil
}

// termsNamed returns the terms with the name key in a scope. A name that was removed and came
// back has several.
func (c *Concept) termsNamed(key string, scope Scope) (terms []Term) {
	if c == nil {
		return nil
	}
	for _, t := range c.Terms {
		if t.Text == key && t.Scope == scope {
			terms = append(terms, t)
		}
	}
	return terms
}

// VersionsReading returns the versions that read key in a scope, oldest first. It returns none
// if the key is older than all versions or has only ever had one name.
func VersionsReading(key string, scope Scope) (versions []Version) {
	for _, v := range []Version{Seed, V4, Head} {
		terms := LookupConcept(key, scope).termsNamed(key, scope)
		if slices.ContainsFunc(terms, func(t Term) bool { return t.isReadBy(v) }) {
			versions = append(versions, v)
		}
	}
	return versions
}

// OtherNames returns the names in a scope that a version does not read and for which it now has
// name. It returns none if name is not the preferred one in that version.
func OtherNames(name string, scope Scope, v Version) (others []string) {
	c := LookupConcept(name, scope)
	if c == nil {
		return nil
	}
	if preferred, _ := c.PreferredTerm(v); preferred.Text != name {
		return nil
	}
	for _, t := range c.Terms {
		if t.Scope == scope && !slices.Contains(VersionsReading(t.Text, scope), v) && !slices.Contains(others, t.Text) {
			others = append(others, t.Text)
		}
	}
	return others
}

// PreferredTerm returns the newest term that a version recommends. ok is false if the version
// has no term for the concept.
func (c *Concept) PreferredTerm(v Version) (name Term, ok bool) {
	for _, t := range c.Terms {
		if t.isReadBy(v) && (t.isPreferredIn(v) || !ok) {
			name, ok = t, true
		}
	}
	return name, ok
}

// ReadableTermFor returns the term for key in a version: the key itself if the version reads it.
// asIs reports whether the value can stay unchanged and in place; otherwise the new term has
// another scope or form. ok is false if the key has no other names or the version has no term.
func ReadableTermFor(key string, scope Scope, to Version) (name Term, asIs, ok bool) {
	return termFor(key, scope, to, Term.isReadBy)
}

// PreferredTermFor is like [ReadableTermFor], but excludes names that the version reads only for
// older files.
func PreferredTermFor(key string, scope Scope, to Version) (name Term, asIs, ok bool) {
	return termFor(key, scope, to, func(t Term, v Version) bool { return t.isReadBy(v) && t.isPreferredIn(v) })
}

// termFor returns the term for key in a version: the key itself if accepts allows it.
func termFor(key string, scope Scope, to Version, accepts func(Term, Version) bool) (name Term, asIs, ok bool) {
	c := LookupConcept(key, scope)
	if c == nil {
		return Term{}, false, false
	}
	terms := c.termsNamed(key, scope)
	for _, t := range terms {
		if accepts(t, to) {
			return t, true, true
		}
	}
	name, ok = c.PreferredTerm(to)
	return name, ok && name.Scope == scope && name.ValueForm == terms[0].ValueForm, ok
}

// MarkOtherVersions marks, among the mismatches with a version's field table, the keys and
// grader types that are another version's names for a concept of this one. It also checks
// the value under such a key against the table and adds the mismatches found there.
func MarkOtherVersions(v Version, found []conform.Mismatch) []conform.Mismatch {
	for i := 0; i < len(found); i++ {
		m := &found[i]
		scope, ok := ScopeOf(m.Owner)
		name := m.Key
		switch {
		case m.Field != nil && m.Field.Key == "type" && (m.Kind == conform.UnknownValue || m.Kind == conform.UnlistedValue):
			name = m.Node.Text()
			scope, ok = InType, scope == InGrader && v != Seed
		case m.Kind != conform.UnknownKey:
			ok = false
		}
		if ok {
			markOtherVersion(m, name, scope, v)
		}
		if ok && m.Kind == conform.UnknownKey && m.Suggestion == "" {
			m.Suggestion = suggestAcrossVersions(m, scope, v)
		}
		if m.Kind == conform.OtherVersion && !m.IsMoved && scope != InType {
			found = append(found, mismatchesUnder(*m)...)
		}
	}
	return found
}

// suggestAcrossVersions returns this version's key for a misspelt key of another version, or "".
func suggestAcrossVersions(m *conform.Mismatch, scope Scope, v Version) string {
	var names []string
	for _, c := range Concepts {
		for _, t := range c.Terms {
			if t.Scope == scope {
				names = append(names, t.Text)
			}
		}
	}
	if near, _, ok := ReadableTermFor(spell.Nearest(m.Key, names), scope, v); ok && m.Owner.Field(near.Text) != nil {
		return near.Text
	}
	return ""
}

// mismatchesUnder returns the mismatches in the value of a key that has another name in this
// version.
func mismatchesUnder(m conform.Mismatch) []conform.Mismatch {
	pair := m.Node.Pair(m.Key)
	if pair == nil || m.Node.Pair(m.Suggestion) != nil {
		return nil
	}
	key := *pair.Key
	key.Value = m.Suggestion
	return conform.CheckField(m.Owner, &key, pair.Value)
}

// markOtherVersion turns m into an OtherVersion mismatch if the version has a term for written.
func markOtherVersion(m *conform.Mismatch, written string, scope Scope, v Version) {
	name, asIs, ok := ReadableTermFor(written, scope, v)
	switch {
	case !ok || name.Text == written && name.Scope == scope:
		return
	case scope == name.Scope && scope != InType && m.Owner.Field(name.Text) == nil:
		return // the key belongs to other graders
	}
	m.Kind, m.Key, m.Suggestion, m.IsMoved = conform.OtherVersion, written, name.Text, !asIs
	if scope != name.Scope && m.Owner.Field(name.Text) == nil {
		m.NewParent = string(name.Scope)
	}
	for _, known := range VersionsReading(written, scope) {
		m.KnownVersions = append(m.KnownVersions, string(known))
	}
}

// scopesByType maps the names of field-table types to scopes.
var scopesByType = map[string]Scope{
	"eval-file": InFile, "targets-file": InTargets, "providers-file": InTargets, "case": InCase, "test": InCase, "default-test": InCase,
	"suite-execution": InExecution, "case-execution": InExecution, "test-execution": InExecution,
	"criterion": InCriterion, "evaluator-criterion": InCriterion, "inline-criterion": InCriterion, "score-range": InRange,
	"assertion": InGrader,
}

// ScopeOf returns the scope of a field-table type. ok is false if its keys were never renamed.
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
