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
	Standing string      `json:"standing"` // pass, borderline, fail or unknown
	Score    float64     `json:"score"`
	Stale    bool        `json:"stale"`
	Judge    string      `json:"judge,omitempty"`
	Grades   []LastGrade `json:"grades"`
}

// LastGrade is a grade of a run, in the form in which somebody could type it, of a
// criterion, of a whole grader, or of what a metric had judged.
type LastGrade struct {
	metric.Ruling
	Score     *float64 `json:"score,omitempty"` // of a criterion 0–10, of a grader 0–1
	Stale     bool     `json:"stale"`
	Ungraded  string   `json:"ungraded,omitempty"` // why it was not judged
	Reasoning string   `json:"reasoning,omitempty"`
}

// last gives nothing of a case that has not been run.
func last(p caseParams) (*LastResult, error) {
	d, err := p.find()
	if err != nil || len(d.last) == 0 {
		return nil, err
	}
	c, err := d.find(p.Case)
	if err != nil {
		return nil, err
	}
	record, stale, same, ran := d.outcome(c)
	if !ran {
		return nil, nil
	}
	result := LastResult{Standing: string(record.Standing()), Score: record.Score, Stale: len(stale) > 0 || !same, Judge: record.Judge, Grades: []LastGrade{}}
	for _, t := range metric.RulingsOf(record.Metrics(), d.criteria()) {
		result.Grades = append(result.Grades, LastGrade{Ruling: t, Stale: !same})
	}
	result.add(record.Graders, func(part run.Part) bool { return stale[part] || !same })
	return &result, nil
}

// add adds the grades of graders' criteria, and the scores of graders without any.
func (l *LastResult) add(graders []run.GraderRecord, stale func(run.Part) bool) {
	for _, g := range graders {
		switch {
		case g.Metric != nil:
		case len(g.Members) > 0:
			l.add(g.Members, stale)
		case len(g.Criteria) == 0:
			whole := LastGrade{Ruling: metric.Ruling{Metric: g.Name}, Stale: stale(run.Part{Grader: g.Name}), Ungraded: g.Ungraded, Reasoning: g.Reasoning}
			if g.Ungraded == "" {
				whole.Score = &g.Score
			}
			l.Grades = append(l.Grades, whole)
		}
		for _, k := range g.Grades {
			l.Grades = append(l.Grades, LastGrade{
				Ruling: metric.Ruling{Metric: g.Name, ID: k.ID, Satisfied: k.Satisfied}, Score: k.Score,
				Stale: stale(run.Part{Grader: g.Name, Criterion: k.ID}), Ungraded: k.Ungraded, Reasoning: k.Reasoning,
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
	trialFiles
}

// KeptResult says that a record is kept.
type KeptResult struct {
	Case string `json:"case"`
}

func keepRecord(p keepParams) (KeptResult, error) {
	d, err := fileParams{Document: p.Document}.find()
	if err != nil {
		return KeptResult{}, err
	}
	was := d
	if d.Slice(text.Span{End: d.Length()}) != p.Text {
		was.Analysis = analyse(d.Source().Name, p.Text)
	}
	c, err := p.ran(was)
	if err != nil {
		return KeptResult{}, err
	}
	if isMeasured(was.Analysis) { // whose fingerprints are each host's own
		p.Record.CaseFingerprint = c.Fingerprint()
	}
	keepResult(p.Document, kept{Kept: run.Keep(p.Record.Record, c)})
	return KeptResult{c.ID}, nil
}

// ran is the case as it was run.
func (p keepParams) ran(was document) (*rubric.Case, error) {
	if !isMeasured(was.Analysis) {
		return was.find(p.Record.EvalID)
	}
	trial, err := p.trial(was.Analysis) // what is not given did not stand beside it, whatever does now
	if err != nil {
		return nil, err
	}
	return caseIn(trial.Suite, p.Record.EvalID)
}
