package run

import (
	"fmt"

	"github.com/rubric-ls/rubric/core/excerpt"
)

// Name is what a criterion is known by in all its cases: its id or, where it has none of
// its own and is numbered, its text.
type Name struct {
	Grader    string `json:"evaluator,omitempty"` // "" where it is known by its criterion alone
	Criterion string `json:"criterion"`           // "" of those that are unnamed
	Numbered  bool   `json:"numbered,omitempty"`  // it is a text, or there is none, for lack of an id
	// Unnamed is how many criteria without an id are taken together, each counted in
	// every case that has it; 0 of one that has a name.
	Unnamed int `json:"unnamed,omitempty"`
	// AtMost is whether those may be fewer: texts that came late are not told apart, so
	// that one of several cases was counted in each.
	AtMost bool `json:"at_most,omitempty"`
}

// Words are the name for people, with the grader's before it: one line, and of a long
// text its beginning.
func (n Name) Words() string {
	said := excerpt.Of(n.Criterion, nameLength)
	switch {
	case n.Unnamed == 1:
		said = "a criterion without an id"
	case n.Unnamed > 1:
		said = fmt.Sprintf("%d criteria without an id", n.Unnamed)
		if n.AtMost {
			said = "at most " + said
		}
	}
	if n.Grader != "" {
		said = n.Grader + "/" + said
	}
	return said
}

// ByName keeps a row for each criterion, over all cases that have it. Many cases may
// have criteria of their own without an id: where those are many they are one row.
type ByName[R any] struct {
	rows     map[Name]*row[R]
	order    []Name
	numbered int // rows of criteria that are known by their text
}

type row[R any] struct {
	of   R
	uses int
}

const (
	// mostNumbered is how many criteria are known by their text; what comes after them
	// is unnamed at once, so that no run of many cases holds all their texts.
	mostNumbered = 1000
	// fewUnnamed is how many criteria of one case only, and without an id, are told
	// of one by one.
	fewUnnamed = 10
)

// Of is the row of a criterion of one more case. Grader is "" for criteria that are
// the same whoever judges them.
func (b *ByName[R]) Of(grader string, c CriterionRecord) *R {
	name := Name{Grader: grader, Criterion: c.ID, Numbered: c.numbered()}
	if name.Numbered {
		name.Criterion = c.Text
	}
	if b.rows[name] == nil && name.Numbered && b.numbered >= mostNumbered {
		name.Criterion, name.AtMost = "", true
	}
	if b.rows[name] == nil {
		b.add(name)
	}
	b.rows[name].uses++
	return &b.rows[name].of
}

func (b *ByName[R]) add(name Name) {
	if b.rows == nil {
		b.rows = map[Name]*row[R]{}
	}
	if name.Numbered && name.Criterion != "" {
		b.numbered++
	}
	b.rows[name], b.order = new(row[R]), append(b.order, name)
}

// Each visits the rows in the order in which they first came, and then the unnamed ones of
// each grader: sum takes one into another.
func (b *ByName[R]) Each(sum func(into *R, one R), visit func(Name, R)) {
	alone := map[string]int{} // by grader
	for _, name := range b.order {
		if b.alone(name) {
			alone[name.Grader]++
		}
	}
	var unnamed ByName[R]
	for _, name := range b.order {
		one := b.rows[name]
		if name.Criterion != "" && (!b.alone(name) || alone[name.Grader] <= fewUnnamed) {
			visit(name, one.of)
			continue
		}
		rest := Name{Grader: name.Grader, Numbered: true}
		if unnamed.rows[rest] == nil {
			unnamed.add(rest)
		}
		unnamed.rows[rest].uses += one.uses
		sum(&unnamed.rows[rest].of, one.of)
	}
	for _, name := range unnamed.order {
		rest := unnamed.rows[name]
		name.Unnamed = rest.uses
		late := b.rows[Name{Grader: name.Grader, Numbered: true, AtMost: true}]
		name.AtMost = late != nil && late.uses > 1
		visit(name, rest.of)
	}
}

// alone reports whether a criterion has no id and is one case's only.
func (b *ByName[R]) alone(name Name) bool { return name.Numbered && b.rows[name].uses == 1 }
