package run

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// Comparison compares two runs over the same cases: their scores, and the grades of each
// criterion that both runs have.
type Comparison struct {
	score.Comparison
	// Interval is a confidence interval of the mean difference, from the trials of each case; nil if
	// these are too few.
	Interval *score.Interval `json:"interval"`
	// Regression says that the second run is worse: cases are lost, and Interval is below 0.
	// Without an interval, the mean difference is a loss.
	Regression bool            `json:"regression"`
	Warnings   []string        `json:"unlike"` // see [ComparabilityWarnings]
	Grades     []GradePair     `json:"grades"` // pairs that differ, in the second run's order
	Criteria   []CriterionPair `json:"criteria"`
}

// GradePair holds the two grades of one criterion in one case.
type GradePair struct {
	Dataset   string        `json:"dataset,omitempty"`
	ID        string        `json:"eval_id"`
	Grader    string        `json:"evaluator"`
	Criterion string        `json:"criterion"`
	Text      string        `json:"expected_outcome,omitempty"` // set if the criterion has no id of its own
	First     score.Grade   `json:"grade1"`
	Second    score.Grade   `json:"grade2"`
	Outcome   score.Outcome `json:"outcome"` // ungraded if either grade is
}

// CriterionPair sums up a criterion over the cases in which both runs have it.
type CriterionPair struct {
	CriterionName
	Cases int `json:"cases"`
	score.Outcomes
	// Interval is that of the mean difference of the grades, 0–1; nil for fewer than 6 cases.
	Interval *score.Interval `json:"interval"`

	grades []score.Pair
}

// Compare compares two runs case by case and criterion by criterion.
//
// Criteria are matched by grader name and id. Without an id of its own, a criterion is matched by
// its text, or by its number if the text has changed. A difference between two grades or scores is a win or
// a loss if it reaches threshold, and so is a gate that fails in one run alone. A check counts as 0 or 1 and a
// score as tenths.
func Compare(a, b []Record, threshold float64) Comparison {
	c := Comparison{
		Comparison: score.Compare(scoresOf(a), scoresOf(b), threshold),
		Warnings:   ComparabilityWarnings(a, b), Grades: []GradePair{}, Criteria: []CriterionPair{},
	}
	first, second := recordsByCase(a), recordsByCase(b)
	c.countGates(first, second)
	c.Interval = score.MeanDifference(scorePairs(c.Cases, first, second))
	c.Regression = c.Losses > 0 && (c.Interval != nil && c.Interval.High < 0 ||
		c.Interval == nil && score.Classify(c.MeanDelta, threshold) == score.Loss)
	var criteria CriterionTable[CriterionPair]
	eachPair(a, b, func(first, second Record) {
		pairGrades(first.Graders, second.Graders, func(oldGrade, newGrade *gradedCriterion) {
			old, now := oldGrade.grade, newGrade.grade
			outcome := criteria.Row("", newGrade.criterion).count(old, now, threshold)
			if old.Value() != now.Value() || (old.Ungraded == "") != (now.Ungraded == "") {
				pair := GradePair{Dataset: second.Dataset, ID: second.EvalID, Grader: newGrade.grader, Criterion: newGrade.criterion.ID, First: old, Second: now, Outcome: outcome}
				if newGrade.criterion.hasNumberedID() {
					pair.Text = newGrade.criterion.Text
				}
				c.Grades = append(c.Grades, pair)
			}
		})
	})
	criteria.Each((*CriterionPair).add, func(name CriterionName, p CriterionPair) {
		p.CriterionName, p.Interval, p.grades = name, score.MeanDifference(p.grades), nil
		c.Criteria = append(c.Criteria, p)
	})
	generic.SortStable(c.Criteria, func(a, b CriterionPair) int {
		return cmp.Or(cmp.Compare(a.Unnamed, b.Unnamed), cmp.Compare(a.Criterion, b.Criterion))
	})
	return c
}

// Totals sums up the comparison in one line.
func (c Comparison) Totals() string {
	line := fmt.Sprintf("%d won, %d lost, %d tied of %d", c.Wins, c.Losses, c.Ties, c.Matched-c.Ungraded)
	if c.Matched > c.Ungraded {
		line += "; mean difference " + score.FormatDifference(c.MeanDelta)
	}
	switch {
	case c.Interval != nil:
		line += ", 95 % interval " + c.Interval.String()
	case c.Matched > c.Ungraded:
		line += "; too few cases for an interval"
	}
	return line
}

func scoresOf(records []Record) score.Scores {
	scores := score.Scores{}
	for _, r := range records {
		if scores[caseKey(r)] = r.Score; r.Verdict == score.Ungraded {
			scores[caseKey(r)] = nil // older records have a score there
		}
	}
	return scores
}

// countGates counts a case whose gate fails in one run alone as won or lost, whatever its scores.
func (c *Comparison) countGates(first, second map[score.CaseKey]*Record) {
	c.Outcomes = score.Outcomes{}
	for i := range c.Cases {
		p := &c.Cases[i]
		old, now := first[score.CaseKey{Dataset: p.Dataset, ID: p.ID}], second[score.CaseKey{Dataset: p.Dataset, ID: p.ID}]
		switch {
		case p.Delta == nil: // one of the records is missing or ungraded
		case now.failsByGate() && old.Verdict != score.Fail:
			p.Outcome = score.Loss
		case old.failsByGate() && now.Verdict != score.Fail:
			p.Outcome = score.Win
		}
		c.Add(p.Outcome)
	}
}

// failsByGate reports whether a gate fails the case or one of its trials. For promptfoo, each assertion is one.
func (r *Record) failsByGate() bool {
	return r.Verdict == score.Fail && (r.Profile == score.Promptfoo ||
		!r.Profile.IsReference() && (slices.ContainsFunc(r.Gates, score.Gate.Failed) || len(r.gatedTrials(1)) > 0))
}

// scorePairs returns the scores of all trials of each case that both runs have graded.
func scorePairs(cases []score.CaseDelta, first, second map[score.CaseKey]*Record) (pairs []score.Pair) {
	for _, c := range cases {
		if c.Delta == nil {
			continue
		}
		p, key := score.Pair{First: []float64{*c.First}, Second: []float64{*c.Second}}, score.CaseKey{Dataset: c.Dataset, ID: c.ID}
		if scores := first[key].trialScores(); len(scores) > 0 {
			p.First = scores
		}
		if scores := second[key].trialScores(); len(scores) > 0 {
			p.Second = scores
		}
		pairs = append(pairs, p)
	}
	return pairs
}

// recordsByCase returns the records by case. A case's dataset is "" in a second entry, as in a comparison in
// which its id is unique.
func recordsByCase(records []Record) map[score.CaseKey]*Record {
	all := map[score.CaseKey]*Record{}
	for i := range records {
		r := &records[i]
		all[caseKey(*r)], all[score.CaseKey{ID: r.EvalID}] = r, r
	}
	return all
}

// trialScores returns the scores of the trials, if the case's score is their mean.
func (r *Record) trialScores() (scores []float64) {
	if r != nil && r.Trials != nil && r.Score != nil && r.Trials.Mean != nil && *r.Score == *r.Trials.Mean {
		for _, trial := range r.Trials.Runs {
			if trial.Score != nil {
				scores = append(scores, *trial.Score)
			}
		}
	}
	return scores
}

// count adds one case and returns its outcome.
func (p *CriterionPair) count(old, now score.Grade, threshold float64) score.Outcome {
	p.Cases++
	outcome := score.NoOutcome
	if old.Ungraded == "" && now.Ungraded == "" {
		p.grades = append(p.grades, score.Pair{First: []float64{old.Value()}, Second: []float64{now.Value()}})
		outcome = score.Classify(now.Value()-old.Value(), threshold)
	}
	p.Add(outcome)
	return outcome
}

func (p *CriterionPair) add(o CriterionPair) {
	p.Cases, p.Wins, p.Losses, p.Ties, p.Ungraded = p.Cases+o.Cases, p.Wins+o.Wins, p.Losses+o.Losses, p.Ties+o.Ties, p.Ungraded+o.Ungraded
	p.grades = append(p.grades, o.grades...)
}

// eachPair visits the cases that both runs have, in the second's order. If a run has several
// records of a case, the last one counts.
func eachPair(a, b []Record, visit func(first, second Record)) {
	oldIndex, newIndex := indexByCase(a), indexByCase(b)
	for i, r := range b {
		key := caseKey(r)
		if j, ok := oldIndex[key]; ok && newIndex[key] == i {
			visit(a[j], r)
		}
	}
}

func caseKey(r Record) score.CaseKey { return score.CaseKey{Dataset: r.Dataset, ID: r.EvalID} }

func indexByCase(records []Record) map[score.CaseKey]int {
	index := map[score.CaseKey]int{}
	for i, r := range records {
		index[caseKey(r)] = i
	}
	return index
}

type gradedCriterion struct {
	grader    string
	criterion CriterionRecord
	grade     score.Grade
	match     *gradedCriterion // the same criterion in the other run; nil if none was found
}

type criterionKey struct {
	grader, name string
	isText       bool // name is the criterion's text rather than its id
}

// key returns a key with the criterion's id or, byText, with its text if it has no id of its own.
func (g gradedCriterion) key(byText bool) criterionKey {
	if byText && g.criterion.hasNumberedID() && g.criterion.Text != "" {
		return criterionKey{g.grader, g.criterion.Text, true}
	}
	return criterionKey{g.grader, g.criterion.ID, false}
}

// pairGrades visits the criteria that both runs of a case have, in the second's order. It matches
// by text first and then by number, because the text may have been reworded. Criteria with equal
// keys are matched in order.
func pairGrades(first, second []GraderRecord, visit func(first, second *gradedCriterion)) {
	old, now := gradedCriteria(first), gradedCriteria(second)
	for _, byText := range []bool{true, false} {
		unpaired := map[criterionKey][]*gradedCriterion{}
		for i := range old {
			if key := old[i].key(byText); old[i].match == nil {
				unpaired[key] = append(unpaired[key], &old[i])
			}
		}
		for i := range now {
			key := now[i].key(byText)
			if found := unpaired[key]; now[i].match == nil && len(found) > 0 {
				now[i].match, found[0].match, unpaired[key] = found[0], &now[i], found[1:]
			}
		}
	}
	for i := range now {
		if now[i].match != nil {
			visit(now[i].match, &now[i])
		}
	}
}

func gradedCriteria(graders []GraderRecord) (all []gradedCriterion) {
	eachGrade(graders, func(grader string, c CriterionRecord, grade score.Grade, _ bool) {
		all = append(all, gradedCriterion{grader: grader, criterion: c, grade: grade})
	})
	return all
}

// ComparabilityWarnings returns reasons why a difference between two runs may not come from their
// targets: another judge, another number of samples, another profile, or changed cases. Values
// that a run does not record count as equal.
func ComparabilityWarnings(a, b []Record) []string {
	warnings := []string{}
	for _, setting := range []struct {
		name string
		of   func(Record) string
	}{
		{"judge", func(r Record) string { return r.Judge }},
		{"profile", func(r Record) string { return string(r.Profile) }},
		{"number of trials", func(r Record) string {
			if r.Trials == nil {
				return "1"
			}
			return fmt.Sprint(r.Trials.Count)
		}},
		{"number of samples", func(r Record) string { return fmt.Sprint(max(r.Samples, 1)) }},
	} {
		oldValues, newValues := distinctValues(a, setting.of), distinctValues(b, setting.of)
		if len(oldValues) > 0 && len(newValues) > 0 && !slices.Equal(oldValues, newValues) {
			warnings = append(warnings, fmt.Sprintf("the %s was %s and is %s", setting.name, quotedList(oldValues), quotedList(newValues)))
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
			warnings = append(warnings, fmt.Sprintf("%s of %s was edited between the runs", what, shortList(ids)))
		}
	}
	return warnings
}

// The parts of a case that can change between two runs.
const (
	changedQuestion = "the question or the expected outcome"
	changedRubric   = "the rubric"
	changedCase     = "the definition"
)

func caseChange(first, second Record) string {
	switch {
	case first.CaseFingerprint == "" || second.CaseFingerprint == "" || rubric.HasEqualDefinition(first.CaseFingerprint, second.CaseFingerprint):
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
