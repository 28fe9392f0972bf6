package agentv

import "slices"

// Scope is the kind of mapping that a key stands in.
type Scope string

// The places whose keys have changed their names.
const (
	InFile      Scope = "file"
	InTargets   Scope = "targets file"
	InExecution Scope = "execution"
	InCase      Scope = "case"
	InVars      Scope = "vars"
	InGrader    Scope = "grader" // an evaluator, later an assertion
	InType      Scope = "type"   // no key: the value of a grader's `type`
	InCriterion Scope = "criterion"
	InRange     Scope = "range"
)

// Term is one of the names that a concept has had. Dates are YYYY-MM-DD.
type Term struct {
	Text            string
	Scope           Scope
	Since           string // "" if it was there from the start
	DeprecatedSince string // since when it is read only for the sake of older files, "" if it is not
	RemovedSince    string // since when it is not read, "" if it still is
	ValueForm       string // what is written under it, where that is not the same for all terms
}

// Concept is one thing under all its names, oldest first.
type Concept struct {
	Description string // with its article, as in a sentence
	Terms       []Term
}

// snapshotDate is the day that a version was read.
func (v Version) snapshotDate() string {
	switch v {
	case Seed:
		return "2026-02-06"
	case Stable:
		return "2026-06-19"
	case Head:
		return "2026-07-08"
	}
	return ""
}

// isReadBy reports whether a version reads the term.
func (t Term) isReadBy(v Version) bool {
	return t.Since <= v.snapshotDate() && (t.RemovedSince == "" || v.snapshotDate() < t.RemovedSince)
}

// isPreferredIn reports whether the term is one to write in a version that reads it.
func (t Term) isPreferredIn(v Version) bool {
	return t.DeprecatedSince == "" || v.snapshotDate() < t.DeprecatedSince
}

// IsShare reports whether what is under the term is a share, above 0 and up to 1,
// where another term for the same has a whole number of ten.
func (t Term) IsShare() bool { return t.ValueForm == shareOfOne }

// LookupConcept is the concept that key names in a place, in whatever version; nil
// if it never had another name.
func LookupConcept(key string, scope Scope) *Concept {
	for i := range Concepts {
		if len(Concepts[i].termsNamed(key, scope)) > 0 {
			return &Concepts[i]
		}
	}
	return nil
}

// termsNamed are those that are written as key: several, if it left and came back.
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

// VersionsReading are the versions that read key in a place, oldest first: none of them
// if it is older or never had another name.
func VersionsReading(key string, scope Scope) (versions []Version) {
	for _, v := range []Version{Seed, Stable, Head} {
		for _, t := range LookupConcept(key, scope).termsNamed(key, scope) {
			if t.isReadBy(v) {
				versions = append(versions, v)
				break
			}
		}
	}
	return versions
}

// OtherNames are the names in a place that a version does not read and has name for;
// none if name is not the one to write in that version.
func OtherNames(name string, scope Scope, v Version) (others []string) {
	c := LookupConcept(name, scope)
	if c == nil {
		return nil
	}
	if proper, _ := c.PreferredTerm(v); proper.Text != name {
		return nil
	}
	for _, t := range c.Terms {
		if t.Scope == scope && !slices.Contains(VersionsReading(t.Text, scope), v) && !slices.Contains(others, t.Text) {
			others = append(others, t.Text)
		}
	}
	return others
}

// PreferredTerm is the term to write in a version, the newest that is proper there;
// false if the version has none.
func (c *Concept) PreferredTerm(v Version) (name Term, ok bool) {
	for _, t := range c.Terms {
		if t.isReadBy(v) && (t.isPreferredIn(v) || !ok) {
			name, ok = t, true
		}
	}
	return name, ok
}

// ReadableTermFor is what key is called in a version: itself where the version reads it.
// AsIs reports whether what is under it may stay as it is and where it is;
// otherwise the new name has another place or another form. False if key never
// had another name, or if the version has none for it.
func ReadableTermFor(key string, scope Scope, to Version) (name Term, asIs, ok bool) {
	c := LookupConcept(key, scope)
	terms := c.termsNamed(key, scope)
	for _, t := range terms {
		if t.isReadBy(to) {
			return t, true, true
		}
	}
	if c == nil {
		return Term{}, false, false
	}
	name, ok = c.PreferredTerm(to)
	return name, ok && name.Scope == scope && name.ValueForm == terms[0].ValueForm, ok
}

// PreferredTermFor is [Rename] without names that the version reads for the sake of older
// files only: what one writes there.
func PreferredTermFor(key string, scope Scope, to Version) (name Term, asIs, ok bool) {
	c := LookupConcept(key, scope)
	terms := c.termsNamed(key, scope)
	for _, t := range terms {
		if t.isReadBy(to) && t.isPreferredIn(to) {
			return t, true, true
		}
	}
	if c == nil {
		return Term{}, false, false
	}
	name, ok = c.PreferredTerm(to)
	return name, ok && name.Scope == scope && name.ValueForm == terms[0].ValueForm, ok
}
