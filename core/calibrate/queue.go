package calibrate

import (
	"cmp"
	"math"
	"slices"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// Item is one thing that a person can label: a criterion of an answer.
type Item struct {
	Record      run.Record
	Criterion   run.CriterionRecord
	Grade       score.Grade // the judge's
	Fingerprint string
}

// Queue returns what people can label in records, the most informative first, and alternating between the groups
// of cases that strata names, such as their tags. It leaves out turns of conversations, which have no answer of
// their own in a record.
func Queue(records []run.Record, strata func(caseID string) string) []Item {
	byStratum := map[string][]Item{}
	var order []string
	seen := map[labelKey]bool{}
	for _, rec := range records {
		if slices.ContainsFunc(rec.Graders, func(g run.GraderRecord) bool { return g.Turn != nil }) {
			continue
		}
		name := strata(rec.EvalID)
		rec.EachGrade(func(c run.CriterionRecord, g score.Grade) {
			key := labelKey{rec.EvalID, c.ID, 0}
			if seen[key] {
				return
			}
			seen[key] = true
			if byStratum[name] == nil {
				order = append(order, name)
			}
			byStratum[name] = append(byStratum[name], Item{rec, c, g, Fingerprint(rec, c)})
		})
	}
	var queue []Item
	for _, name := range order {
		generic.SortStable(byStratum[name], func(a, b Item) int { return cmp.Compare(b.interest(), a.interest()) })
	}
	for i := 0; len(queue) < len(seen); i++ {
		for _, name := range order {
			if items := byStratum[name]; i < len(items) {
				queue = append(queue, items[i])
			}
		}
	}
	return queue
}

// interest says how much a label can change: the verdict is near its threshold, or the grade near its gate, samples
// flip, or a panel disagrees.
func (it Item) interest() (sum float64) {
	threshold := *cmp.Or(it.Record.Threshold, new(score.PassAt))
	if s := it.Record.Score; s != nil {
		sum += max(0, 1-math.Abs(*s-threshold)*5)
	}
	g := it.Grade
	if g.FlipRate != nil {
		sum += 2 * *g.FlipRate
	}
	if g.Agreement != nil {
		sum += 1 - *g.Agreement
	}
	if least := it.Criterion.MinScore; least != nil && g.Score != nil {
		sum += max(0, 1-math.Abs(*g.Score-*least)/3)
	}
	if it.Criterion.Required && g.Satisfied != nil && !*g.Satisfied {
		sum++ // it alone fails the case
	}
	return sum
}
