package offline

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/excerpt"
)

// What the pieces of a wish weigh. A number says more than a word, a quote or a
// measure more than a number.
const (
	plain   = 100
	heavy   = 200
	literal = 300
)

// evidence is what was found of a wish.
type evidence struct {
	got, wanted  int  // of what is asked for, in the weights above
	kept, banned int  // of what is forbidden
	broken       bool // something that has to be there is not, or the other way round

	found, missed     []string // what was looked for
	absent, intruding []string // what must not be there
}

// must adds a piece that has to be there.
func (e *evidence) must(what string, there bool) {
	if there {
		e.measured(what, literal, true)
	} else {
		e.measured(what, 0, false)
	}
}

// measured adds a piece that has to hold, and earns credit for coming near.
func (e *evidence) measured(what string, credit int, holds bool) {
	e.wanted += literal
	e.got += credit
	if holds {
		e.found = append(e.found, what)
	} else {
		e.missed = append(e.missed, what)
		e.broken = true
	}
}

// ban adds what must not be there.
func (e *evidence) ban(what string, there bool) {
	e.banned += literal
	if there {
		e.intruding = append(e.intruding, what)
		e.broken = true
	} else {
		e.kept += literal
		e.absent = append(e.absent, what)
	}
}

// weigh counts a piece without naming it.
func (e *evidence) weigh(weight int, there bool) {
	e.wanted += weight
	if there {
		e.got += weight
	}
}

// satisfied reports whether nothing is broken and more than half of what is
// asked for was found; keeping to what is forbidden does not make up for it.
func (e *evidence) satisfied() bool {
	if e.wanted == 0 {
		return !e.broken && e.banned > 0
	}
	return !e.broken && 2*e.got > e.wanted
}

// share is how much of it all is as wished: part of whole, 0 of 1 if nothing
// could be looked for.
func (e *evidence) share() (part, whole int) {
	return e.got + e.kept, max(1, e.wanted+e.banned)
}

func (e *evidence) hits() []string {
	hits := append([]string{}, e.found...)
	for _, what := range e.absent {
		hits = append(hits, "rightly no "+what)
	}
	return hits
}

func (e *evidence) misses() []string {
	misses := append([]string{}, e.missed...)
	for _, what := range e.intruding {
		misses = append(misses, "wrongly "+what)
	}
	return misses
}

// String says what was found and what was missed.
func (e *evidence) String() string {
	var parts []string
	for _, p := range []struct {
		said  string
		names []string
	}{
		{"found ", e.found}, {"missed ", e.missed}, {"rightly without ", e.absent}, {"found what must not be there: ", e.intruding},
	} {
		if len(p.names) > 0 {
			parts = append(parts, p.said+list(p.names))
		}
	}
	if len(parts) == 0 {
		return "found nothing that could be looked for"
	}
	return strings.Join(parts, "; ")
}

// list sets names in backticks; a long list and a long name are cut, since this
// is for people.
func list(names []string) string {
	const longest = 12
	var shown []string
	for _, n := range names[:min(longest, len(names))] {
		shown = append(shown, "`"+excerpt.Shorten(n, 60)+"`")
	}
	text := strings.Join(shown, ", ")
	if rest := len(names) - longest; rest > 0 {
		text += fmt.Sprintf(" and %d more", rest)
	}
	return text
}
