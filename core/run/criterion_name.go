package run

import (
	"fmt"

	"github.com/rubric-ls/rubric/core/excerpt"
)

// CriterionName is what a criterion is known by in all its cases: its id or, where it has none of
// its own and is numbered, its text.
type CriterionName struct {
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

// Label are the name for people, with the grader's before it: one line, and of a long
// text its beginning.
func (n CriterionName) Label() string {
	label := excerpt.Shorten(n.Criterion, maxLabelLength)
	switch {
	case n.Unnamed == 1:
		label = "a criterion without an id"
	case n.Unnamed > 1:
		label = fmt.Sprintf("%d criteria without an id", n.Unnamed)
		if n.AtMost {
			label = "at most " + label
		}
	}
	if n.Grader != "" {
		label = n.Grader + "/" + label
	}
	return label
}

// CriterionTable keeps a row for each criterion, over all cases that have it. Many cases may
// have criteria of their own without an id: where those are many they are one row.
type CriterionTable[R any] struct {
	rows     map[CriterionName]*row[R]
	order    []CriterionName
	numbered int // rows of criteria that are known by their text
}

type row[R any] struct {
	value R
	uses  int
}

const (
	// maxNumbered is how many criteria are known by their text; what comes after them
	// is unnamed at once, so that no run of many cases holds all their texts.
	maxNumbered = 1000
	// maxUnnamedListed is how many criteria of one case only, and without an id, are told
	// of one by one.
	maxUnnamedListed = 10
)

// Row is the row of a criterion of one more case. Grader is "" for criteria that are
// the same whoever judges them.
func (t *CriterionTable[R]) Row(grader string, c CriterionRecord) *R {
	name := CriterionName{Grader: grader, Criterion: c.ID, Numbered: c.hasNumberedID()}
	if name.Numbered {
		name.Criterion = c.Text
	}
	if t.rows[name] == nil && name.Numbered && t.numbered >= maxNumbered {
		name.Criterion, name.AtMost = "", true
	}
	if t.rows[name] == nil {
		t.addRow(name)
	}
	t.rows[name].uses++
	return &t.rows[name].value
}

func (t *CriterionTable[R]) addRow(name CriterionName) {
	if t.rows == nil {
		t.rows = map[CriterionName]*row[R]{}
	}
	if name.Numbered && name.Criterion != "" {
		t.numbered++
	}
	t.rows[name], t.order = new(row[R]), append(t.order, name)
}

// Each visits the rows in the order in which they first came, and then the unnamed ones of
// each grader: sum takes one into another.
func (t *CriterionTable[R]) Each(merge func(into *R, current R), visit func(CriterionName, R)) {
	singles := map[string]int{} // by grader
	for _, name := range t.order {
		if t.isSingleUse(name) {
			singles[name.Grader]++
		}
	}
	var unnamed CriterionTable[R]
	for _, name := range t.order {
		current := t.rows[name]
		if name.Criterion != "" && (!t.isSingleUse(name) || singles[name.Grader] <= maxUnnamedListed) {
			visit(name, current.value)
			continue
		}
		rest := CriterionName{Grader: name.Grader, Numbered: true}
		if unnamed.rows[rest] == nil {
			unnamed.addRow(rest)
		}
		unnamed.rows[rest].uses += current.uses
		merge(&unnamed.rows[rest].value, current.value)
	}
	for _, name := range unnamed.order {
		rest := unnamed.rows[name]
		name.Unnamed = rest.uses
		overflow := t.rows[CriterionName{Grader: name.Grader, Numbered: true, AtMost: true}]
		name.AtMost = overflow != nil && overflow.uses > 1
		visit(name, rest.value)
	}
}

// isSingleUse reports whether a criterion has no id and is one case's only.
func (t *CriterionTable[R]) isSingleUse(name CriterionName) bool {
	return name.Numbered && t.rows[name].uses == 1
}
