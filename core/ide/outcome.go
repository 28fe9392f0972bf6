package ide

import (
	"cmp"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
)

// Results holds the outcome of the last run of each case, by case id. It is nil if nothing was run.
type Results map[string]Outcome

// An Outcome is the result of one case.
type Outcome struct {
	Score    *float64 // 0–1; nil if ungraded
	Verdict  score.Verdict
	Ungraded int      // number of criteria and graders without a grade
	Reasons  []string // why the verdict is not pass
	Stale    bool     // an input has changed since
	Grades   []CriterionGrade
	Metrics  []metric.Result // results of an ADK case, instead of Grades

	Informational *metric.Informational // what the agent of an ADK case took, or nil
}

// A LastRun is the record of a case's last run, as it applies to the case as it is now.
type LastRun struct {
	Record     run.Record
	Stale      map[run.GradeKey]bool // what has changed since it was graded
	Comparable bool                  // a run would ask the same target and judge, with the same files
	Earlier    []run.Record          // of the runs before, the last first
}

// Outcome returns the outcome of the record.
func (r *LastRun) Outcome() Outcome {
	return NewOutcome(r.Record.WithLabels(), r.Stale, r.Comparable)
}

// A CriterionGrade is the grade of one criterion.
type CriterionGrade struct {
	Grader string // name of the grader
	Grade  score.Grade
	Stale  bool
}

// NewOutcome converts a record whose stale parts have changed since the run. The whole outcome is
// stale if the record is not comparable with new ones.
func NewOutcome(r run.Record, stale map[run.GradeKey]bool, comparable bool) Outcome {
	o := Outcome{
		Score: r.Score, Verdict: r.Verdict, Ungraded: r.Ungraded, Reasons: r.Reasons,
		Stale: len(stale) > 0 || !comparable, Metrics: r.MetricResults(), Informational: r.Informational,
	}
	var add func([]run.GraderRecord)
	add = func(graders []run.GraderRecord) {
		for _, g := range graders {
			for _, grade := range g.Grades {
				key := run.GradeKey{Grader: g.Name, Criterion: grade.ID}
				o.Grades = append(o.Grades, CriterionGrade{Grader: g.Name, Grade: grade, Stale: !comparable || stale[key]})
			}
			add(g.Members)
		}
	}
	add(r.Graders)
	return o
}

// FindGrade returns the grade of a grader's criterion, or nil.
func (o Outcome) FindGrade(grader, id string) *CriterionGrade {
	for i := range o.Grades {
		if g := &o.Grades[i]; g.Grader == grader && g.Grade.ID == id {
			return g
		}
	}
	return nil
}

// evalsetCache holds the evalset of each chunk without nodes. The ADK version makes no
// difference for the cases.
var evalsetCache = analysis.NewChunkCache(func(p *analysis.Chunk) adk.Set {
	set := adk.LowerSet(metric.Latest, *p.ADK)
	set.Cases = compactCases(set.Cases, unshifted)
	return set
})

// Evalset returns a whole evalset without nodes, with spans of the file.
func Evalset(a *analysis.Analysis) adk.Set {
	var set adk.Set
	for placement, data := range evalsetCache.Each(a) {
		if set.ID == "" {
			set.ID, set.Name, set.Description = data.ID, data.Name, data.Description
		}
		set.Cases = append(set.Cases, compactCases(data.Cases, placement.ToFile)...)
	}
	return set
}

// recordingCache holds the recorded results of each chunk without nodes.
var recordingCache = analysis.NewChunkCache(func(p *analysis.Chunk) adk.Recording {
	rec := adk.LowerResults(metric.Latest, *p.ADK)
	rec.Cases = compactCases(rec.Cases, unshifted)
	return rec
})

// Recording returns all recorded results of a file without nodes, with spans of the file.
func Recording(a *analysis.Analysis) adk.Recording {
	var whole adk.Recording
	for placement, data := range recordingCache.Each(a) {
		whole.SetID = cmp.Or(whole.SetID, data.SetID)
		whole.AddCriteria(data.Criteria)
		whole.Cases = append(whole.Cases, compactCases(data.Cases, placement.ToFile)...)
	}
	return whole
}

// RecordedResults returns the results that ADK measured and wrote to a result file, as records of a run.
func RecordedResults(a *analysis.Analysis) (records []run.Record) {
	for _, some := range recordedResultsCache.Each(a) {
		records = append(records, some...)
	}
	return records
}

var recordedResultsCache = analysis.NewChunkCache(func(p *analysis.Chunk) (records []run.Record) {
	results := adk.LowerResults(metric.Latest, *p.ADK)
	for _, c := range results.Cases {
		records = append(records, run.NewMetricRecord(results.SetID, c.Case(), c.Measured()))
	}
	return records
})

// compactCases returns cases without their trees, with shifted spans.
func compactCases[C interface {
	Compact(shift func(text.Span) text.Span) C
}](cases []C, shift func(text.Span) text.Span) []C {
	return generic.Map(cases, func(c C) C { return c.Compact(shift) })
}

// unshifted leaves a span relative to its chunk.
func unshifted(span text.Span) text.Span { return span }
