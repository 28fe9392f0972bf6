package agentv

import "slices"

// Place is the kind of mapping that a key stands in.
type Place string

// The places whose keys have changed their names.
const (
	InFile      Place = "file"
	InTargets   Place = "targets file"
	InExecution Place = "execution"
	InCase      Place = "case"
	InVars      Place = "vars"
	InGrader    Place = "grader" // an evaluator, later an assertion
	InType      Place = "type"   // no key: the value of a grader's `type`
	InCriterion Place = "criterion"
	InRange     Place = "range"
)

// Term is one of the names that a concept has had. Dates are YYYY-MM-DD.
type Term struct {
	Text string
	In   Place
	Came string // "" if it was there from the start
	Old  string // since when it is read only for the sake of older files, "" if it is not
	Went string // since when it is not read, "" if it still is
	Form string // what is written under it, where that is not the same for all terms
}

// Concept is one thing under all its names, oldest first.
type Concept struct {
	What  string // with its article, as in a sentence
	Terms []Term
}

// date is the day that a version was read.
func (v Version) date() string {
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

// known reports whether a version reads the term.
func (t Term) known(v Version) bool {
	return t.Came <= v.date() && (t.Went == "" || v.date() < t.Went)
}

// proper reports whether the term is one to write in a version that reads it.
func (t Term) proper(v Version) bool { return t.Old == "" || v.date() < t.Old }

// IsShare reports whether what is under the term is a share, above 0 and up to 1,
// where another term for the same has a whole number of ten.
func (t Term) IsShare() bool { return t.Form == ofOne }

// ConceptOf is the concept that key names in a place, in whatever version; nil
// if it never had another name.
func ConceptOf(key string, in Place) *Concept {
	for i := range Concepts {
		if len(Concepts[i].terms(key, in)) > 0 {
			return &Concepts[i]
		}
	}
	return nil
}

// terms are those that are written as key: several, if it left and came back.
func (c *Concept) terms(key string, in Place) (terms []Term) {
	if c == nil {
		return nil
	}
	for _, t := range c.Terms {
		if t.Text == key && t.In == in {
			terms = append(terms, t)
		}
	}
	return terms
}

// KnownIn are the versions that read key in a place, oldest first: none of them
// if it is older or never had another name.
func KnownIn(key string, in Place) (versions []Version) {
	for _, v := range []Version{Seed, Stable, Head} {
		for _, t := range ConceptOf(key, in).terms(key, in) {
			if t.known(v) {
				versions = append(versions, v)
				break
			}
		}
	}
	return versions
}

// Others are the names in a place that a version does not read and has name for;
// none if name is not the one to write in that version.
func Others(name string, in Place, v Version) (others []string) {
	c := ConceptOf(name, in)
	if c == nil {
		return nil
	}
	if proper, _ := c.Name(v); proper.Text != name {
		return nil
	}
	for _, t := range c.Terms {
		if t.In == in && !slices.Contains(KnownIn(t.Text, in), v) && !slices.Contains(others, t.Text) {
			others = append(others, t.Text)
		}
	}
	return others
}

// Name is the term to write in a version, the newest that is proper there;
// false if the version has none.
func (c *Concept) Name(v Version) (name Term, ok bool) {
	for _, t := range c.Terms {
		if t.known(v) && (t.proper(v) || !ok) {
			name, ok = t, true
		}
	}
	return name, ok
}

// Rename is what key is called in a version: itself where the version reads it.
// AsIs reports whether what is under it may stay as it is and where it is;
// otherwise the new name has another place or another form. False if key never
// had another name, or if the version has none for it.
func Rename(key string, in Place, to Version) (name Term, asIs, ok bool) {
	c := ConceptOf(key, in)
	terms := c.terms(key, in)
	for _, t := range terms {
		if t.known(to) {
			return t, true, true
		}
	}
	if c == nil {
		return Term{}, false, false
	}
	name, ok = c.Name(to)
	return name, ok && name.In == in && name.Form == terms[0].Form, ok
}

// Written is [Rename] without names that the version reads for the sake of older
// files only: what one writes there.
func Written(key string, in Place, to Version) (name Term, asIs, ok bool) {
	c := ConceptOf(key, in)
	terms := c.terms(key, in)
	for _, t := range terms {
		if t.known(to) && t.proper(to) {
			return t, true, true
		}
	}
	if c == nil {
		return Term{}, false, false
	}
	name, ok = c.Name(to)
	return name, ok && name.In == in && name.Form == terms[0].Form, ok
}
