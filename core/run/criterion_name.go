package run

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/score"
)

// CriterionName identifies a criterion over all its cases: by its id, or by its text if it has no
// id of its own.
type CriterionName struct {
	Grader    string `json:"evaluator,omitempty"` // "" where the criterion alone identifies it
	Criterion string `json:"criterion"`           // "" for unnamed criteria
	Numbered  bool   `json:"numbered,omitempty"`  // the name is a text, or missing, because there is no id
	// Unnamed is the number of criteria without an id that share this row, each counted in every
	// case that has it. It is 0 for a criterion with a name.
	Unnamed int `json:"unnamed,omitempty"`
}

// Label returns the name for people, after the grader's name: one line, long texts abbreviated.
func (n CriterionName) Label() string {
	label := excerpt.Shorten(n.Criterion, maxLabelLength)
	switch {
	case n.Unnamed == 1:
		label = "a criterion without an id"
	case n.Unnamed > 0:
		label = fmt.Sprintf("%d criteria without an id", n.Unnamed)
	}
	if n.Grader != "" {
		label = n.Grader + "/" + label
	}
	return label
}

// CriterionTable has a row for each criterion, over all cases that have it. If many cases have
// criteria without an id, these share one row.
type CriterionTable[R any] struct {
	rows  map[CriterionName]*row[R]
	order []CriterionName
}

type row[R any] struct {
	value R
	uses  int
}

// maxUnnamedListed is how many criteria that occur in a single case, and have no id, are listed one
// by one.
const maxUnnamedListed = 10

// Row returns the row of a criterion and counts one more case. grader is "" if criteria are
// identified without their grader.
func (t *CriterionTable[R]) Row(grader string, c CriterionRecord) *R {
	name := CriterionName{Grader: grader, Criterion: c.ID, Numbered: c.hasNumberedID()}
	if name.Numbered {
		name.Criterion = c.Text
	}
	current := t.row(name)
	current.uses++
	return &current.value
}

func (t *CriterionTable[R]) row(name CriterionName) *row[R] {
	if t.rows == nil {
		t.rows = map[CriterionName]*row[R]{}
	}
	if t.rows[name] == nil {
		t.rows[name], t.order = new(row[R]), append(t.order, name)
	}
	return t.rows[name]
}

// Each visits the rows in order of first appearance, and then one row of unnamed criteria for
// each grader. merge adds one row to another.
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
		rest := unnamed.row(CriterionName{Grader: name.Grader, Numbered: true})
		rest.uses += current.uses
		merge(&rest.value, current.value)
	}
	for _, name := range unnamed.order {
		rest := unnamed.rows[name]
		name.Unnamed = rest.uses
		visit(name, rest.value)
	}
}

// isSingleUse reports whether a criterion has no id and occurs in one case only.
func (t *CriterionTable[R]) isSingleUse(name CriterionName) bool {
	return name.Numbered && t.rows[name].uses == 1
}

// maxLabelLength is the length in characters to which a text is abbreviated as a label.
const maxLabelLength = 80

// Label returns the criterion's id or, if the id is generated, the beginning of its text.
func (r *CriterionRecord) Label() string {
	if r.hasNumberedID() && r.Text != "" {
		return excerpt.Shorten(r.Text, maxLabelLength)
	}
	return r.ID
}

// WithLabels returns the record for display: its reasons name criteria by their labels.
func (r Record) WithLabels() Record {
	if r.Verdict == score.Pass && r.Ungraded == 0 {
		return r
	}
	reasons := slices.Clone(r.Reasons)
	for i := range reasons {
		reasons[i] = r.LabelReason(reasons[i])
	}
	r.Reasons, r.Graders = reasons, labelGraders(r.Graders)
	return r
}

func labelGraders(graders []GraderRecord) []GraderRecord {
	graders = slices.Clone(graders)
	for i := range graders {
		g := &graders[i]
		g.Ungraded = g.LabelText(g.Ungraded, "")
		g.Members = labelGraders(g.Members)
	}
	return graders
}

// LabelReason returns a reason in which the criteria of its grader are named by their labels.
func (r *Record) LabelReason(reason string) string {
	for i := range r.Graders {
		g := &r.Graders[i]
		if name := "`" + g.Name + "`"; strings.HasPrefix(reason, name) || strings.Contains(reason, " of "+name+": ") {
			return g.LabelText(reason, "")
		}
	}
	return reason
}

// LabelText returns text with the criteria of g, each after the path to it, replaced by their
// labels.
func (g *GraderRecord) LabelText(text, path string) string {
	for i := range g.Criteria {
		c := &g.Criteria[i]
		text = strings.ReplaceAll(text, "`"+path+c.ID+"`", "`"+path+c.Label()+"`")
	}
	for i := range g.Members {
		m := &g.Members[i]
		prefix := "`" + m.Name + "` is ungraded: "
		text = strings.ReplaceAll(text, prefix+m.Ungraded, prefix+m.LabelText(m.Ungraded, ""))
		text = m.LabelText(text, path+m.Name+"/")
	}
	return text
}

// Agreement says how far the samples of a criterion agree, over the cases that were judged more
// than once.
type Agreement struct {
	CriterionName
	Cases     int     `json:"cases"`
	Contested int     `json:"contested"` // cases whose samples did not all give the same grade
	Agreement float64 `json:"agreement"` // mean over the cases; see score.Grade
	FlipRate  float64 `json:"flip_rate"` // mean over the cases
}

// EachGrade calls visit for each criterion that has a grade or is ungraded, including those of
// members.
func (r Record) EachGrade(visit func(CriterionRecord, score.Grade)) {
	eachGrade(r.Graders, func(_ string, c CriterionRecord, grade score.Grade, isKnown bool) {
		if isKnown {
			visit(c, grade)
		}
	})
}

// eachGrade visits all grades, each with the name of its grader and with its criterion. Of a
// criterion that is not known there is only the id.
func eachGrade(graders []GraderRecord, visit func(grader string, c CriterionRecord, grade score.Grade, isKnown bool)) {
	eachGrader(graders, func(g *GraderRecord) {
		for _, grade := range g.Grades {
			i := slices.IndexFunc(g.Criteria, func(c CriterionRecord) bool { return c.ID == grade.ID })
			if i >= 0 {
				visit(g.Name, g.Criteria[i], grade, true)
			} else {
				visit(g.Name, CriterionRecord{ID: grade.ID}, grade, false)
			}
		}
	})
}

// AgreementOf sums up the agreement of each criterion, in order of first appearance. It returns
// nil if no judge was asked twice.
func AgreementOf(records []Record) []Agreement {
	var all Agreements
	for _, r := range records {
		all.Add(r)
	}
	return all.List()
}

// Agreements accumulates the agreement of criteria, one record at a time.
type Agreements struct{ rows CriterionTable[Agreement] }

// Add counts one more record.
func (a *Agreements) Add(r Record) {
	eachGrade(r.Graders, func(grader string, c CriterionRecord, grade score.Grade, _ bool) {
		if grade.Agreement != nil {
			one := Agreement{Cases: 1, Agreement: *grade.Agreement}
			if grade.FlipRate != nil {
				one.FlipRate = *grade.FlipRate
			}
			if grade.IsContested() {
				one.Contested = 1
			}
			a.rows.Row(grader, c).add(one)
		}
	})
}

// List returns one row for each criterion, in order of first appearance.
func (a *Agreements) List() (list []Agreement) {
	a.rows.Each((*Agreement).add, func(name CriterionName, a Agreement) {
		a.CriterionName = name
		list = append(list, a)
	})
	return list
}

func (a *Agreement) add(more Agreement) {
	a.Cases += more.Cases
	share := float64(more.Cases) / float64(a.Cases)
	a.Agreement += (more.Agreement - a.Agreement) * share
	a.FlipRate += (more.FlipRate - a.FlipRate) * share
	a.Contested += more.Contested
}
