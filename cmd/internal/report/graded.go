package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// wellAt is the score, of 10, from which a criterion looks well; it is a hit
// from there on, too.
const wellAt = 7

// graded is a criterion, what it was graded, and the gate that it was, if any.
type graded struct {
	run.CriterionRecord
	Grade score.Grade
	Gate  *score.Gate
}

// gradedOf lists a rubric's criteria as they were graded, and at the end those
// that have no grade at all: the judge gave none, or a profile dropped it.
func gradedOf(g run.GraderRecord) []graded {
	gates := map[string][]score.Gate{}
	for _, gate := range g.Gates {
		gates[gate.ID] = append(gates[gate.ID], gate)
	}
	var list []graded
	seen := make([]bool, len(g.Criteria))
	for i, grade := range g.Grades {
		row := graded{CriterionRecord: run.CriterionRecord{ID: grade.ID, Weight: grade.Weight}, Grade: grade}
		if at := place(g.Criteria, grade.ID, i); at >= 0 {
			row.CriterionRecord, seen[at] = g.Criteria[at], true
		}
		if queue := gates[grade.ID]; len(queue) > 0 {
			row.Gate, gates[grade.ID] = &queue[0], queue[1:]
		}
		list = append(list, row)
	}
	for i, c := range g.Criteria {
		if !seen[i] {
			list = append(list, graded{CriterionRecord: c, Grade: score.Grade{ID: c.ID, Ungraded: "it has no grade"}})
		}
	}
	return list
}

// place is where the criterion of the i-th grade stands: at the same place, or
// where its id is; -1 if nowhere.
func place(criteria []run.CriterionRecord, id string, i int) int {
	if i < len(criteria) && criteria[i].ID == id {
		return i
	}
	return slices.IndexFunc(criteria, func(c run.CriterionRecord) bool { return c.ID == id })
}

// Label is what people call the criterion.
func (g graded) Label() string { return cmp.Or(g.Text, g.ID) }

// Reason is why it was graded so, or not graded, and how sure the samples were.
func (g graded) Reason() string {
	switch {
	case g.Grade.Ungraded != "":
		return "ungraded: " + g.Grade.Ungraded
	case g.Grade.Agreement != nil:
		return strings.TrimSpace(fmt.Sprintf("(%s) %s", g.Grade.Votes(), g.Grade.Reasoning))
	}
	return g.Grade.Reasoning
}

// Mark is the grade in five columns.
func (g graded) Mark() string { return Mark(g.Grade) }

// Mark is a grade in five columns.
func Mark(g score.Grade) string {
	switch {
	case g.Ungraded != "":
		return "?    "
	case g.Score != nil:
		return fmt.Sprintf("%5s", number(*g.Score)+"/10")
	case g.Satisfied != nil && *g.Satisfied:
		return "✓ yes"
	}
	return "✗ no "
}

// color is how good the grade is.
func (g graded) color() string {
	switch {
	case g.Grade.Ungraded != "", g.Gate != nil && !g.Gate.Met:
		return red
	case g.Grade.Score != nil && *g.Grade.Score < wellAt:
		return yellow
	case g.Grade.Score != nil, g.Grade.Satisfied != nil && *g.Grade.Satisfied:
		return green
	}
	return red
}

// GateName is what the gate asks for, "" if it is none. What has no grade was
// held against no gate, and has the one that its file asks for.
func (g graded) GateName() string {
	switch {
	case g.Gate != nil && g.Gate.Minimum != nil:
		return "at least " + number(*g.Gate.Minimum)
	case g.Gate != nil:
		return "required"
	case g.Grade.Ungraded == "":
		return ""
	case len(g.Bands) > 0 && g.MinScore != nil:
		return "at least " + number(*g.MinScore)
	case g.Required:
		return "required"
	}
	return ""
}

// terms are the weight, where it is not the common one, the gate, and whether its
// samples disagree.
func (g graded) terms() string {
	var parts []string
	if g.Weight != 1 {
		parts = append(parts, "weight "+number(g.Weight))
	}
	if name := g.GateName(); name != "" {
		if g.Gate != nil && !g.Gate.Met {
			name += ": not met"
		}
		parts = append(parts, name)
	}
	if g.Grade.Contested() {
		parts = append(parts, "contested")
	}
	return strings.Join(parts, ", ")
}

// reached is the band that the score lies in, the first of several; -1 if none.
func (g graded) reached() int {
	if g.Grade.Score == nil {
		return -1
	}
	return slices.IndexFunc(g.Bands, func(b run.BandRecord) bool {
		return rubric.Band{Lo: b.Range[0], Hi: b.Range[1]}.Holds(*g.Grade.Score)
	})
}

// kindOf is what a grader is called: a judge with criteria is a rubric.
func kindOf(g run.GraderRecord) string {
	if len(g.Criteria) > 0 && g.Type != rubric.Turn {
		return "rubric"
	}
	return plain(string(g.Type))
}

// plain is a name from a file in words.
func plain(name string) string { return strings.ReplaceAll(name, "_", " ") }

// findsItself reports whether a grader's hits and misses are its own words. A
// rubric's repeat its grades, and a mean's repeat its members'.
func findsItself(g run.GraderRecord) bool {
	return len(g.Criteria) == 0 && (len(g.Members) == 0 || g.Aggregator != "weighted_average")
}

// why says in words what keeps a case from passing, apart from its error. The
// profile that goes by the score alone gives no reasons.
func why(rec run.Record) []string {
	reasons := slices.DeleteFunc(slices.Clone(rec.Reasons), func(reason string) bool { return reason == rec.Error })
	switch {
	case rec.Verdict == score.Pass:
		return nil
	case len(reasons) == 0 && rec.Error == "":
		return []string{fmt.Sprintf("score %s is below %s", decimal(rec.Score), number(score.PassAt))}
	}
	return reasons
}

// number is a number as people wrote it.
func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
