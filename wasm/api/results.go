package api

import (
	"sync"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// caseResults holds the last results of each case by its id, the last first. The nil value has none.
type caseResults struct {
	mu   sync.RWMutex
	byID map[string][]storedResult
}

// maxResults is the number of results that a case keeps.
const maxResults = 5

// of returns the results of a case from the last one with a target. No target means any.
func (r *caseResults) of(id, target string) []storedResult {
	if r == nil {
		return nil
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	all := r.byID[id]
	for i, s := range all {
		if target == "" || s.Record.Target == target {
			return all[i:]
		}
	}
	return nil
}

// isEmpty reports whether no case has a result.
func (r *caseResults) isEmpty() bool {
	if r == nil {
		return true
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.byID) == 0
}

// storeResult stores the result of a case until its document is closed. Hints, lenses and hovers
// show it.
func storeResult(name string, result storedResult) {
	openDocuments.Lock()
	d, open := openDocuments.byName[name]
	openDocuments.Unlock()
	if !open {
		return
	}
	d.lastResults.mu.Lock()
	defer d.lastResults.mu.Unlock()
	if d.lastResults.byID == nil {
		d.lastResults.byID = map[string][]storedResult{}
	}
	all := append([]storedResult{result}, d.lastResults.byID[result.Record.EvalID]...)
	d.lastResults.byID[result.Record.EvalID] = all[:min(len(all), maxResults)]
}

// storeRunNames stores whom a run of an open document would ask. Lenses show it.
func storeRunNames(name string, names *ide.RunNames) {
	openDocuments.Lock()
	defer openDocuments.Unlock()
	if d, open := openDocuments.byName[name]; open {
		d.runNames = names
		openDocuments.byName[name] = d
	}
}

// lastRun returns the last result of a case with a target; nil if there is none. No target means any. The result of
// an evalset case, and one whose recorded answer changed, is stale as a whole.
func (d document) lastRun(c *rubric.Case, target string) *ide.LastRun {
	all := d.lastResults.of(c.ID, target)
	if len(all) == 0 {
		return nil
	}
	last, stored := &ide.LastRun{Record: all[0].Record}, all[0]
	if d.ADK().IsMeasured() {
		last.Comparable = last.Record.CaseFingerprint == c.Fingerprint()
	} else {
		last.Record, last.Stale = stored.ForCase(c)
		last.Comparable = stored.answer == d.answerFrom(stored.answer.file, c.ID)
	}
	last.Record.Verdict = last.Record.VerdictFrom(stored.threshold)
	for _, earlier := range all[1:] {
		last.Earlier = append(last.Earlier, earlier.Record)
	}
	return last
}

// outcomes returns the outcomes of the cases that have a result.
func (d document) outcomes() ide.Results {
	if d.lastResults.isEmpty() {
		return nil
	}
	all := ide.Results{}
	add := func(cases []*rubric.Case) {
		for _, c := range cases {
			if last := d.lastRun(c, ""); last != nil {
				all[c.ID] = last.Outcome()
			}
		}
	}
	if d.ADK().IsMeasured() {
		add(d.runnableSuite().Cases)
		return all
	}
	d.Chunks(func(c *analysis.Chunk) bool { // unchanged chunks are lowered only once
		add(c.Suite.Cases)
		return true
	})
	return all
}

// findCase returns a case that can run.
func (d document) findCase(id string) (*rubric.Case, error) {
	return findInSuite(d.runnableSuite(), id)
}

// metricCriteria returns the criteria of an evalset; none if its files have errors, and for other
// dialects.
func (d document) metricCriteria() []metric.Criterion {
	if !d.ADK().IsMeasured() {
		return nil
	}
	evaluation, err := d.evalsetFiles().evaluation(d.Analysis)
	if err != nil {
		return nil
	}
	return evaluation.Criteria
}

// runnableSuite returns the cases that can run. An evalset whose other files have errors still has
// its cases.
func (d document) runnableSuite() *rubric.Suite {
	if !d.ADK().IsMeasured() {
		return d.Suite()
	}
	evaluation, err := d.evalsetFiles().evaluation(d.Analysis)
	if err != nil {
		evaluation, _ = evaluationFiles{}.newEvaluation(d.Analysis, nil)
	}
	return evaluation.Suite
}

// LastResult is the last result of a case. Stale says that something it depends on has changed
// since.
type LastResult struct {
	Verdict string      `json:"standing"` // pass, borderline, fail or ungraded
	Score   *float64    `json:"score"`    // 0–1; nil if ungraded
	Stale   bool        `json:"stale"`
	Judge   string      `json:"judge,omitempty"`
	Target  string      `json:"target,omitempty"` // whose answer was graded
	Answer  string      `json:"answer,omitempty"`
	Grades  []LastGrade `json:"grades"`
}

// LastGrade is a grade of a run, in the form that `grade` and `measure` accept: of a criterion, a
// whole grader, or a question of a metric.
type LastGrade struct {
	metric.ManualVerdict
	Score     *float64 `json:"score,omitempty"` // 0–10 for a criterion, 0–1 for a grader
	Stale     bool     `json:"stale"`
	Ungraded  string   `json:"ungraded,omitempty"` // why it was not judged
	Reasoning string   `json:"reasoning,omitempty"`
}

// lastResult returns null if the case has not run.
func lastResult(p caseParams) (*LastResult, error) {
	d, err := p.findDocument()
	if err != nil || d.lastResults.isEmpty() {
		return nil, err
	}
	c, err := d.findCase(p.Case)
	if err != nil {
		return nil, err
	}
	last := d.lastRun(c, "")
	if last == nil {
		return nil, nil
	}
	record, isCurrent := last.Record, last.Comparable
	result := LastResult{Verdict: string(record.Verdict), Score: record.Score, Stale: len(last.Stale) > 0 || !isCurrent, Judge: record.Judge, Target: record.Target, Answer: record.CandidateAnswer, Grades: []LastGrade{}}
	for _, verdict := range metric.ManualVerdictsOf(record.MetricResults(), d.metricCriteria()) {
		result.Grades = append(result.Grades, LastGrade{ManualVerdict: verdict, Stale: !isCurrent})
	}
	result.addGrades(record.Graders, func(key run.GradeKey) bool { return last.Stale[key] || !isCurrent })
	return &result, nil
}

// addGrades adds the grades of criteria, and the scores of graders without criteria.
func (l *LastResult) addGrades(graders []run.GraderRecord, stale func(run.GradeKey) bool) {
	for _, g := range graders {
		switch {
		case g.Metric != nil:
		case len(g.Members) > 0:
			l.addGrades(g.Members, stale)
		case len(g.Criteria) == 0:
			whole := LastGrade{ManualVerdict: metric.ManualVerdict{Metric: g.Name}, Stale: stale(run.GradeKey{Grader: g.Name}), Ungraded: g.Ungraded, Reasoning: g.Reasoning}
			if g.Ungraded == "" {
				whole.Score = g.Score
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

// keepParams are a case's record from a run elsewhere, the document's text at that time, and the
// other files of the evaluation. Without a text, Stale says whether the case was another one then.
type keepParams struct {
	Document string     `json:"document"`
	Text     string     `json:"text,omitempty"`
	Stale    bool       `json:"stale,omitempty"`
	Record   CaseRecord `json:"record"`
	evaluationFiles
}

// StoredRecord confirms that a record is stored.
type StoredRecord struct {
	Case string `json:"case"`
}

func storeRecord(p keepParams) (StoredRecord, error) {
	d, err := fileParams{Document: p.Document}.findDocument()
	if err != nil {
		return StoredRecord{}, err
	}
	original := d
	if p.Text != "" && d.Body() != p.Text {
		original.Analysis = analysis.Of(analysis.Input{Path: d.Source().Name, Text: p.Text})
	}
	c, err := p.caseAsRun(original)
	if err != nil {
		return StoredRecord{}, err
	}
	if original.ADK().IsMeasured() && !p.Stale { // because each host computes its own fingerprint of an evalset case
		p.Record.CaseFingerprint = c.Fingerprint()
	}
	p.Record.Upgrade()
	stored := run.NewStoredResult(p.Record.Record, c)
	if p.Stale {
		stored.Fingerprints = nil
	}
	storeResult(p.Document, storedResult{StoredResult: stored})
	return StoredRecord{c.ID}, nil
}

// caseAsRun returns the case in the form in which it ran.
func (p keepParams) caseAsRun(original document) (*rubric.Case, error) {
	if !original.ADK().IsMeasured() {
		return original.findCase(p.Record.EvalID)
	}
	evaluation, err := p.evaluation(original.Analysis) // files that are not in the parameters did not exist at the time of the run
	if err != nil {
		return nil, err
	}
	return findInSuite(evaluation.Suite, p.Record.EvalID)
}

// storedResult is the last result of a case, the source of its answer and the run's threshold.
type storedResult struct {
	run.StoredResult
	answer    answerSource
	threshold float64 // from which the case passes; 0 means by its verdict
}

// answerSource identifies an answer in an open file next to the document.
type answerSource struct {
	file   string // the file's name; "" if the answer is from nowhere that can be read again
	digest string // digest of the answer; "" without one
}

// recordingCache holds the recording that was parsed last, because every case of a file needs the
// same one.
var recordingCache struct {
	sync.Mutex
	text    string
	answers run.Recording
}

// parseAnswers returns the recorded answers in a text; none if it is not a recording.
func parseAnswers(body string) run.Recording {
	recordingCache.Lock()
	defer recordingCache.Unlock()
	if recordingCache.answers == nil || recordingCache.text != body {
		answers, err := run.ReadRecording([]byte(body))
		if err != nil {
			answers = run.Recording{}
		}
		recordingCache.text, recordingCache.answers = body, answers
	}
	return recordingCache.answers
}

// answerFrom identifies the answer that an open file currently has for a case.
func (d document) answerFrom(from, id string) answerSource {
	source := answerSource{file: from}
	if from == "" || d.deps == nil {
		return source
	}
	body, _ := d.deps.file(from)
	if s, found := parseAnswers(body)[id]; found {
		source.digest = rubric.Digest([]any{s})
	}
	return source
}

// answerSource identifies the answer of a run, if it comes from an open file next to the document.
func (p runParams) answerSource(d document) (source answerSource) {
	if d.deps == nil || p.Target == "" || p.Target == run.SelfTargetLabel {
		return source
	}
	if _, found := d.deps.file(p.Target); !found {
		return source
	}
	source.file = p.Target
	if p.Submission != nil {
		source.digest = rubric.Digest([]any{*p.Submission})
	}
	return source
}
