package run_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// unnamed is the record of a case whose criteria were written as texts alone, some
// of which, marked with a +, were satisfied. Its samples agreed on those.
func unnamed(id string, texts ...string) run.Record {
	g := run.GraderRecord{Name: "rubric", Type: rubric.LLMJudge, Weight: 1}
	for i, text := range texts {
		text, is := strings.CutSuffix(text, "+")
		agreed := 0.5
		if is {
			agreed = 1
		}
		g.Criteria = append(g.Criteria, run.CriterionRecord{ID: rubric.AutoID(i + 1), Text: text, Weight: 1})
		g.Grades = append(g.Grades, score.Grade{ID: rubric.AutoID(i + 1), Satisfied: &is, Agreement: &agreed})
	}
	return run.Rescore(run.Record{EvalID: id, Graders: []run.GraderRecord{g}}, score.Spec)
}

// many are cases with a criterion that all have, at changing places, and some of
// their own.
func many(cases int, mark string) (records []run.Record) {
	for i := range cases {
		own, also, common := fmt.Sprintf("names %d%s", i, mark), fmt.Sprintf("shows %d", i), "polite"+mark
		if i%2 == 0 {
			records = append(records, unnamed(fmt.Sprint(i), own, also, common))
		} else {
			records = append(records, unnamed(fmt.Sprint(i), common, own, also))
		}
	}
	return records
}

// written are cases with a criterion that somebody called as one without an id is called.
func written(cases int, mark string) (records []run.Record) {
	for i := range cases {
		r := unnamed(fmt.Sprint(i), fmt.Sprintf("names %d%s", i, mark))
		r.Graders[0].Criteria[0].Written = true
		records = append(records, r)
	}
	return records
}

// quotedList are two cases: a criterion with an id, and one without of that text.
func quotedList(id, mark string) []run.Record {
	with, without := unnamed("a", "Is it?"+mark), unnamed("b", id+mark)
	with.Graders[0].Criteria[0].ID, with.Graders[0].Grades[0].ID = id, id
	return []run.Record{with, without}
}

// TestCriteriaWithoutIDs: a generated id does not identify a criterion in other cases.
func TestCriteriaWithoutIDs(t *testing.T) {
	for _, c := range []struct {
		name       string
		was, is    []run.Record
		pairs      string
		agreements string
	}{
		{
			"few", []run.Record{unnamed("a", "polite", "short"), unnamed("b", "kind", "polite")}, []run.Record{unnamed("a", "polite+", "short"), unnamed("b", "kind+", "polite")},
			"kind 1/0/0, polite 1/0/1, short 0/0/1", "rubric/polite 2: 0.75, rubric/short 1: 0.50, rubric/kind 1: 1.00",
		},
		{"another order", []run.Record{unnamed("a", "polite", "short+")}, []run.Record{unnamed("a", "short+", "polite")}, "polite 0/0/1, short 0/0/1", "rubric/short 1: 1.00, rubric/polite 1: 0.50"},
		{"many", many(20, ""), many(20, "+"), "polite 20/0/0, 40 criteria without an id 20/0/20", "rubric/polite 20: 1.00, rubric/40 criteria without an id 40: 0.75"},
		{"very many", many(2000, ""), many(2000, "+"), "polite 2000/0/0, 4000 criteria without an id 2000/0/2000", "rubric/polite 2000: 1.00, rubric/4000 criteria without an id 4000: 0.75"},
		{"one text twice", []run.Record{unnamed("a", "polite", "polite")}, []run.Record{unnamed("a", "polite", "polite+")}, "polite 1/0/1", "rubric/polite 2: 0.75"},
		{"worded anew", []run.Record{unnamed("a", "polite", "short")}, []run.Record{unnamed("a", "very polite+", "short")}, "short 0/0/1, very polite 1/0/0", "rubric/very polite 1: 1.00, rubric/short 1: 0.50"},
		{"another in its place", []run.Record{unnamed("a", "polite", "short")}, []run.Record{unnamed("a", "kind+", "polite+")}, "polite 1/0/0", "rubric/kind 1: 1.00, rubric/polite 1: 1.00"},
		{"ids that are numbers", written(12, ""), written(12, "+"), "rubric-1 12/0/0", "rubric/rubric-1 12: 1.00"},
		{"an id that is a text", quotedList("polite", ""), quotedList("polite", "+"), "polite 1/0/0, polite 1/0/0", "rubric/polite 1: 1.00, rubric/polite 1: 1.00"},
		{"no texts", []run.Record{unnamed("a", ""), unnamed("b", "")}, []run.Record{unnamed("a", "+"), unnamed("b", "")}, "2 criteria without an id 1/0/1", "rubric/2 criteria without an id 2: 0.75"},
	} {
		var pairs, agreements []string
		for _, p := range compared(c.was, c.is).Criteria {
			pairs = append(pairs, fmt.Sprintf("%s %d/%d/%d", p.Label(), p.Wins, p.Losses, p.Ties))
		}
		var all run.Agreements
		for _, r := range c.is {
			all.Add(r)
		}
		for _, a := range all.List() {
			agreements = append(agreements, fmt.Sprintf("%s %d: %.2f", a.Label(), a.Cases, a.Agreement))
		}
		if got := strings.Join(pairs, ", "); got != c.pairs {
			t.Errorf("%s: %s, want %s", c.name, got, c.pairs)
		}
		if got := strings.Join(agreements, ", "); got != c.agreements {
			t.Errorf("%s: they agree %s, want %s", c.name, got, c.agreements)
		}
	}
	away := many(20, "")
	for _, r := range away {
		for i := range r.Graders[0].Grades {
			r.Graders[0].Grades[i].Satisfied, r.Graders[0].Grades[i].Ungraded = nil, "away"
		}
	}
	if p := compared(many(20, ""), away).Criteria[1]; p.Cases != 40 || p.Ungraded != 40 {
		t.Errorf("with a judge that is away: %+v", p)
	}
	texts := make([]string, 1001)
	named := unnamed("x", texts...)
	for i := range texts {
		named.Graders[0].Criteria[i].ID, named.Graders[0].Grades[i].ID = fmt.Sprint("id-", i), fmt.Sprint("id-", i)
	}
	run := []run.Record{named, unnamed("a", "polite"), unnamed("b", "polite")}
	if pairs := compared(run, run).Criteria; pairs[len(pairs)-1].Label() != "polite" {
		t.Errorf("after many ids a text is called %s", pairs[len(pairs)-1].Label())
	}
	worse := compared(many(20, "+"), many(20, "")).Criteria[1]
	if worse.Cases != 40 || worse.Losses != 20 || worse.Ties != 20 {
		t.Errorf("the other way round: %+v", worse)
	}
	if g := compared(many(2, ""), many(2, "+")).Grades; len(g) != 4 || g[0].Criterion != "rubric-1" || g[0].Text != "names 0" {
		t.Errorf("%+v", g)
	}
}
