package api

import (
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/text"
)

// LastResult is what a case came to when it was run last, as it stands now. Stale says
// that something that it rests on has changed since.
type LastResult struct {
	Verdict string      `json:"standing"` // pass, borderline, fail or unknown
	Score   float64     `json:"score"`
	Stale   bool        `json:"stale"`
	Judge   string      `json:"judge,omitempty"`
	Grades  []LastGrade `json:"grades"`
}

// LastGrade is a grade of a run, in the form in which somebody could type it, of a
// criterion, of a whole grader, or of what a metric had judged.
type LastGrade struct {
	metric.ManualVerdict
	Score     *float64 `json:"score,omitempty"` // of a criterion 0–10, of a grader 0–1
	Stale     bool     `json:"stale"`
	Ungraded  string   `json:"ungraded,omitempty"` // why it was not judged
	Reasoning string   `json:"reasoning,omitempty"`
}

// lastResult gives nothing of a case that has not been run.
func lastResult(p caseParams) (*LastResult, error) {
	d, err := p.findDocument()
	if err != nil || len(d.lastResults) == 0 {
		return nil, err
	}
	c, err := d.findCase(p.Case)
	if err != nil {
		return nil, err
	}
	record, stale, isCurrent, ran := d.outcome(c)
	if !ran {
		return nil, nil
	}
	result := LastResult{Verdict: string(record.DisplayVerdict()), Score: record.Score, Stale: len(stale) > 0 || !isCurrent, Judge: record.Judge, Grades: []LastGrade{}}
	for _, ruling := range metric.ManualVerdictsOf(record.MetricResults(), d.metricCriteria()) {
		result.Grades = append(result.Grades, LastGrade{ManualVerdict: ruling, Stale: !isCurrent})
	}
	result.addGrades(record.Graders, func(part run.GradeKey) bool { return stale[part] || !isCurrent })
	return &result, nil
}

// addGrades adds the grades of graders' criteria, and the scores of graders without any.
func (l *LastResult) addGrades(graders []run.GraderRecord, stale func(run.GradeKey) bool) {
	for _, g := range graders {
		switch {
		case g.Metric != nil:
		case len(g.Members) > 0:
			l.addGrades(g.Members, stale)
		case len(g.Criteria) == 0:
			whole := LastGrade{ManualVerdict: metric.ManualVerdict{Metric: g.Name}, Stale: stale(run.GradeKey{Grader: g.Name}), Ungraded: g.Ungraded, Reasoning: g.Reasoning}
			if g.Ungraded == "" {
				whole.Score = &g.Score
			}
			l.Grades = append(l.Grades, whole)
		}
		for _, grade := range g.Grades {
			l.Grades = append(l.Grades, LastGrade{
				ManualVerdict: metric.ManualVerdict{Metric: g.Name, ID: grade.ID, Satisfied: grade.Satisfied}, Score: grade.Score,
				Stale: stale(run.GradeKey{Grader: g.Name, Criterion: grade.ID}), Ungraded: grade.Ungraded, Reasoning: grade.Reasoning,
			})
		}
	}
}

// keepParams are a record of a case of an open document that was run elsewhere, and
// the text of the document then, with all that stood beside it.
type keepParams struct {
	Document string     `json:"document"`
	Text     string     `json:"text"`
	Record   CaseRecord `json:"record"`
	evaluationFiles
}

// StoredRecord says that a record is kept.
type StoredRecord struct {
	Case string `json:"case"`
}

func storeRecord(p keepParams) (StoredRecord, error) {
	d, err := fileParams{Document: p.Document}.findDocument()
	if err != nil {
		return StoredRecord{}, err
	}
	original := d
	if d.Slice(text.Span{End: d.Length()}) != p.Text {
		original.Analysis = analyse(d.Source().Name, p.Text)
	}
	c, err := p.caseAsRun(original)
	if err != nil {
		return StoredRecord{}, err
	}
	if isMeasured(original.Analysis) { // whose fingerprints are each host's own
		p.Record.CaseFingerprint = c.Fingerprint()
	}
	storeResult(p.Document, storedResult{StoredResult: run.NewStoredResult(p.Record.Record, c)})
	return StoredRecord{c.ID}, nil
}

// caseAsRun is the case as it was run.
func (p keepParams) caseAsRun(original document) (*rubric.Case, error) {
	if !isMeasured(original.Analysis) {
		return original.findCase(p.Record.EvalID)
	}
	trial, err := p.evaluation(original.Analysis) // what is not given did not stand beside it, whatever does now
	if err != nil {
		return nil, err
	}
	return findInSuite(trial.Suite, p.Record.EvalID)
}
