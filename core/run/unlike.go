package run

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
)

// Unlike says why a difference between two runs need not be one of their targets:
// another judge, other samples, another arithmetic, or cases that mean something
// else. What a run does not tell is taken to be the same.
func Unlike(a, b []Record) (why []string) {
	for _, w := range []struct {
		what string
		of   func(Record) string
	}{
		{"judge", func(r Record) string { return r.Judge }},
		{"profile", func(r Record) string { return string(r.Profile) }},
		{"number of samples", func(r Record) string { return fmt.Sprint(max(r.Samples, 1)) }},
	} {
		was, is := values(a, w.of), values(b, w.of)
		if len(was) > 0 && len(is) > 0 && !slices.Equal(was, is) {
			why = append(why, fmt.Sprintf("the %s was %s and is %s", w.what, named(was), named(is)))
		}
	}
	changed := map[string][]string{}
	pairs(a, b, func(first, second Record) {
		if what := changedIn(first, second); what != "" {
			changed[what] = append(changed[what], second.EvalID)
		}
	})
	for _, what := range []string{changedQuestion, changedRubric, changedCase} {
		if ids := changed[what]; len(ids) > 0 {
			why = append(why, fmt.Sprintf("%s is another now in %s", what, few(ids)))
		}
	}
	return why
}

// What of a case can have changed between two runs.
const (
	changedQuestion = "what is asked for"
	changedRubric   = "the rubric"
	changedCase     = "the definition"
)

// changedIn is what makes two records ones of unlike cases, "" if nothing does.
func changedIn(first, second Record) string {
	switch {
	case first.CaseFingerprint == "" || second.CaseFingerprint == "" || first.CaseFingerprint == second.CaseFingerprint:
		return ""
	case first.Question != second.Question || first.ExpectedOutcome != second.ExpectedOutcome:
		return changedQuestion
	case !slices.EqualFunc(criteriaOf(first), criteriaOf(second), CriterionRecord.equal):
		return changedRubric
	}
	return changedCase
}

func criteriaOf(r Record) (all []CriterionRecord) {
	each(r.Graders, func(g *GraderRecord) { all = append(all, g.Criteria...) })
	return all
}

// equal reports whether both ask for the same and count for the same.
func (r CriterionRecord) equal(other CriterionRecord) bool {
	return r.ID == other.ID && r.asksAs(other) && r.Weight == other.Weight && r.Required == other.Required &&
		(r.MinScore == nil) == (other.MinScore == nil) && (r.MinScore == nil || *r.MinScore == *other.MinScore)
}

// asksAs reports whether both ask a judge for the same.
func (r CriterionRecord) asksAs(other CriterionRecord) bool {
	return r.Text == other.Text && slices.Equal(r.Bands, other.Bands)
}

// values are those that records give, each once, in order.
func values(records []Record, of func(Record) string) (all []string) {
	for _, r := range records {
		if v := of(r); v != "" {
			all = append(all, v)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func named(values []string) string { return diag.Listed(diag.Ticked(values), "and") }

// few names some of many.
func few(ids []string) string {
	const most = 3
	if len(ids) <= most {
		return named(ids)
	}
	return fmt.Sprintf("%s and %d more", strings.Join(diag.Ticked(ids[:most]), ", "), len(ids)-most)
}
