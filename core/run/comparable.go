package run

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
)

// ComparabilityWarnings returns reasons why a difference between two runs may not come from their
// targets: another judge, another number of samples, another profile, or changed cases. Values
// that a run does not record count as equal.
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
			warnings = append(warnings, fmt.Sprintf("%s differs in %s", what, shortList(ids)))
		}
	}
	return warnings
}

// The parts of a case that can change between two runs.
const (
	changedQuestion = "what is asked for"
	changedRubric   = "the rubric"
	changedCase     = "the definition"
)

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

// equal reports whether both criteria ask the same and count the same.
func (r CriterionRecord) equal(other CriterionRecord) bool {
	return r.ID == other.ID && r.sameQuestion(other) && r.Weight == other.Weight && r.Required == other.Required &&
		(r.MinScore == nil) == (other.MinScore == nil) && (r.MinScore == nil || *r.MinScore == *other.MinScore)
}

// sameQuestion reports whether both criteria ask a judge the same.
func (r CriterionRecord) sameQuestion(other CriterionRecord) bool {
	return r.Text == other.Text && slices.Equal(r.Bands, other.Bands)
}

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

// shortList names at most three ids and counts the rest.
func shortList(ids []string) string {
	const most = 3
	if len(ids) <= most {
		return quotedList(ids)
	}
	return fmt.Sprintf("%s and %d more", strings.Join(diag.Backtick(ids[:most]), ", "), len(ids)-most)
}
