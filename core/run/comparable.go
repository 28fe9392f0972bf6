package run

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
)

// ComparabilityWarnings says why a difference between two runs need not be one of their targets:
// another judge, other samples, another arithmetic, or cases that mean something
// else. What a run does not tell is taken to be the same.
func ComparabilityWarnings(a, b []Record) (warnings []string) {
	for _, w := range []struct {
		what string
		of   func(Record) string
	}{
		{"judge", func(r Record) string { return r.Judge }},
		{"profile", func(r Record) string { return string(r.Profile) }},
		{"number of samples", func(r Record) string { return fmt.Sprint(max(r.Samples, 1)) }},
	} {
		oldValues, newValues := distinctValues(a, w.of), distinctValues(b, w.of)
		if len(oldValues) > 0 && len(newValues) > 0 && !slices.Equal(oldValues, newValues) {
			warnings = append(warnings, fmt.Sprintf("the %s was %s and is %s", w.what, quotedList(oldValues), quotedList(newValues)))
		}
	}
	changed := map[string][]string{}
	eachPair(a, b, func(first, second Record) {
		if what := caseChange(first, second); what != "" {
			changed[what] = append(changed[what], second.EvalID)
		}
	})
	for _, what := range []string{changedQuestion, changedRubric, changedCase} {
		if ids := changed[what]; len(ids) > 0 {
			warnings = append(warnings, fmt.Sprintf("%s is another now in %s", what, shortList(ids)))
		}
	}
	return warnings
}

// What of a case can have changed between two runs.
const (
	changedQuestion = "what is asked for"
	changedRubric   = "the rubric"
	changedCase     = "the definition"
)

// caseChange is what makes two records ones of unlike cases, "" if nothing does.
func caseChange(first, second Record) string {
	switch {
	case first.CaseFingerprint == "" || second.CaseFingerprint == "" || first.CaseFingerprint == second.CaseFingerprint:
		return ""
	case first.Question != second.Question || first.ExpectedOutcome != second.ExpectedOutcome:
		return changedQuestion
	case !slices.EqualFunc(allCriteria(first), allCriteria(second), CriterionRecord.equal):
		return changedRubric
	}
	return changedCase
}

func allCriteria(r Record) (all []CriterionRecord) {
	eachGrader(r.Graders, func(g *GraderRecord) { all = append(all, g.Criteria...) })
	return all
}

// equal reports whether both ask for the same and count for the same.
func (r CriterionRecord) equal(other CriterionRecord) bool {
	return r.ID == other.ID && r.sameQuestion(other) && r.Weight == other.Weight && r.Required == other.Required &&
		(r.MinScore == nil) == (other.MinScore == nil) && (r.MinScore == nil || *r.MinScore == *other.MinScore)
}

// sameQuestion reports whether both ask a judge for the same.
func (r CriterionRecord) sameQuestion(other CriterionRecord) bool {
	return r.Text == other.Text && slices.Equal(r.Bands, other.Bands)
}

// distinctValues are those that records give, each once, in order.
func distinctValues(records []Record, get func(Record) string) (all []string) {
	for _, r := range records {
		if v := get(r); v != "" {
			all = append(all, v)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func quotedList(values []string) string { return diag.JoinList(diag.Backtick(values), "and") }

// shortList names some of many.
func shortList(ids []string) string {
	const most = 3
	if len(ids) <= most {
		return quotedList(ids)
	}
	return fmt.Sprintf("%s and %d more", strings.Join(diag.Backtick(ids[:most]), ", "), len(ids)-most)
}
