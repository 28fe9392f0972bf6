package api

import (
	"maps"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// storeResult keeps what a case of an open document came to, for as long as the
// document is held: hints, lenses and hovers tell of it.
func storeResult(name string, result storedResult) {
	openDocuments.Lock()
	defer openDocuments.Unlock()
	d, open := openDocuments.byName[name]
	if !open {
		return
	}
	d.lastResults = maps.Clone(d.lastResults) // versions of the document share the one before
	if d.lastResults == nil {
		d.lastResults = map[string]storedResult{}
	}
	d.lastResults[result.Record.EvalID] = result
	openDocuments.byName[name] = d
}

// outcome is what a case last came to, as it stands now; false if it has not been run.
// What metrics measured is stale as a whole, since all of it rests on the same, and so
// is what was judged of an answer that is another one now.
func (d document) outcome(c *rubric.Case) (record run.Record, stale map[run.GradeKey]bool, isCurrent, hasRun bool) {
	stored, hasRun := d.lastResults[c.ID]
	if !hasRun {
		return record, nil, false, false
	}
	if isMeasured(d.Analysis) {
		return stored.Record, nil, stored.Record.CaseFingerprint == c.Fingerprint(), true
	}
	record, stale = stored.ForCase(c)
	return record, stale, stored.answer == d.answerFrom(stored.answer.file, c.ID), true
}

// results are what some cases of a document last came to.
func (d document) results(cases []*rubric.Case) assist.Results {
	if len(d.lastResults) == 0 {
		return nil
	}
	all := assist.Results{}
	for _, c := range cases {
		if record, stale, isCurrent, hasRun := d.outcome(c); hasRun {
			all[c.ID] = assist.NewOutcome(record, stale, isCurrent)
		}
	}
	return all
}

// resultsInPart are those of the cases of a part, and of what is measured all.
func (d document) resultsInPart(p *analysis.Chunk) assist.Results {
	if isMeasured(d.Analysis) {
		return d.results(d.casesWithResults())
	}
	return d.results(p.Suite.Cases)
}

// casesWithResults are the cases of which something is kept.
func (d document) casesWithResults() (all []*rubric.Case) {
	if len(d.lastResults) == 0 {
		return nil
	}
	add := func(cases []*rubric.Case) {
		for _, c := range cases {
			if _, ok := d.lastResults[c.ID]; ok {
				all = append(all, c)
			}
		}
	}
	if isMeasured(d.Analysis) {
		add(d.runnableSuite().Cases)
		return all
	}
	d.Chunks(func(p *analysis.Chunk) bool { // each of which is lowered once, while nothing in it changes
		add(p.Suite.Cases)
		return true
	})
	return all
}

// findCase is a case that can be run.
func (d document) findCase(id string) (*rubric.Case, error) {
	if isMeasured(d.Analysis) {
		return findInSuite(d.runnableSuite(), id)
	}
	return findCase(d.Analysis, id)
}

// metricCriteria are what an evalset is measured by; none if that cannot be read, and of
// other files.
func (d document) metricCriteria() []metric.Criterion {
	if !isMeasured(d.Analysis) {
		return nil
	}
	evaluation, err := d.evalsetFiles().evaluation(d.Analysis)
	if err != nil {
		return nil
	}
	return evaluation.Criteria
}

// runnableSuite is the cases that can be run: of an evalset those that are measured, as far
// as what stands beside it can be read.
func (d document) runnableSuite() *rubric.Suite {
	if !isMeasured(d.Analysis) {
		return d.Suite()
	}
	evaluation, err := d.evalsetFiles().evaluation(d.Analysis)
	if err != nil {
		evaluation, _ = evaluationFiles{}.newEvaluation(d.Analysis, nil)
	}
	return evaluation.Suite
}
