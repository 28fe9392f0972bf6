package report

import (
	"cmp"
	"slices"

	"github.com/rubric-ls/rubric/core/run"
)

// graderView is a grader as the page shows it.
type graderView struct {
	run.GraderRecord
	Nested  bool // a member of another
	Kind    string
	Word    string // its verdict; what was not judged has none
	Held    string // what a metric was held against
	Rows    []gradedView
	Itself  bool // its hits and misses are its own
	Members []graderView
}

// gradedView is a criterion as the page shows it.
type gradedView struct {
	graded
	Class string // good, fair, bad or none
	Bands []bandView
}

type bandView struct {
	run.BandRecord
	Reached bool
}

var classOf = map[string]string{green: "good", yellow: "fair", red: "bad"}

func graderViews(list []run.GraderRecord, nested bool) []graderView {
	var views []graderView
	for _, g := range list {
		v := graderView{GraderRecord: g, Nested: nested, Kind: kindOf(g), Word: string(g.Verdict), Itself: findsItself(g), Held: held(g), Members: graderViews(membersOf(g), true)}
		if g.Ungraded != "" {
			v.Word = "ungraded"
		}
		for _, c := range gradedOf(g) {
			v.Rows = append(v.Rows, gradedViewOf(c))
		}
		views = append(views, v)
	}
	return views
}

func gradedViewOf(c graded) gradedView {
	v := gradedView{graded: c, Class: classOf[c.color()]}
	if c.Grade.Ungraded != "" {
		v.Class = "none"
	}
	for i, b := range c.Bands {
		v.Bands = append(v.Bands, bandView{b, i == c.reached()})
	}
	slices.SortStableFunc(v.Bands, func(a, b bandView) int { return cmp.Compare(a.Range[0], b.Range[0]) })
	return v
}
