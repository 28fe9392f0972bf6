package api

import (
	"maps"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// keepResult keeps what a case of an open document came to, for as long as the
// document is held: hints, lenses and hovers tell of it.
func keepResult(name string, k kept) {
	opened.Lock()
	defer opened.Unlock()
	d, open := opened.documents[name]
	if !open {
		return
	}
	d.last = maps.Clone(d.last) // versions of the document share the one before
	if d.last == nil {
		d.last = map[string]kept{}
	}
	d.last[k.Record.EvalID] = k
	opened.documents[name] = d
}

// outcome is what a case last came to, as it stands now; false if it has not been run.
// What metrics measured is stale as a whole, since all of it rests on the same, and so
// is what was judged of an answer that is another one now.
func (d document) outcome(c *rubric.Case) (record run.Record, stale map[run.Part]bool, same, ran bool) {
	kept, ran := d.last[c.ID]
	if !ran {
		return record, nil, false, false
	}
	if isMeasured(d.Analysis) {
		return kept.Record, nil, kept.Record.CaseFingerprint == c.Fingerprint(), true
	}
	record, stale = kept.Now(c)
	return record, stale, kept.answered == d.answered(kept.answered.from, c.ID), true
}

// results are what some cases of a document last came to.
func (d document) results(cases []*rubric.Case) assist.Results {
	if len(d.last) == 0 {
		return nil
	}
	all := assist.Results{}
	for _, c := range cases {
		if record, stale, same, ran := d.outcome(c); ran {
			all[c.ID] = assist.OutcomeOf(record, stale, same)
		}
	}
	return all
}

// resultsIn are those of the cases of a part, and of what is measured all.
func (d document) resultsIn(p *analysis.Part) assist.Results {
	if isMeasured(d.Analysis) {
		return d.results(d.lastRun())
	}
	return d.results(p.Suite.Cases)
}

// lastRun are the cases of which something is kept.
func (d document) lastRun() (all []*rubric.Case) {
	if len(d.last) == 0 {
		return nil
	}
	take := func(cases []*rubric.Case) {
		for _, c := range cases {
			if _, ok := d.last[c.ID]; ok {
				all = append(all, c)
			}
		}
	}
	if isMeasured(d.Analysis) {
		take(d.suite().Cases)
		return all
	}
	d.Parts(func(p *analysis.Part) bool { // each of which is lowered once, while nothing in it changes
		take(p.Suite.Cases)
		return true
	})
	return all
}

// find is a case that can be run.
func (d document) find(id string) (*rubric.Case, error) {
	if isMeasured(d.Analysis) {
		return caseIn(d.suite(), id)
	}
	return findCase(d.Analysis, id)
}

// criteria are what an evalset is measured by; none if that cannot be read, and of
// other files.
func (d document) criteria() []metric.Criterion {
	if !isMeasured(d.Analysis) {
		return nil
	}
	trial, err := d.besideSet().trial(d.Analysis)
	if err != nil {
		return nil
	}
	return trial.Criteria
}

// suite is the cases that can be run: of an evalset those that are measured, as far
// as what stands beside it can be read.
func (d document) suite() *rubric.Suite {
	if !isMeasured(d.Analysis) {
		return d.Suite()
	}
	trial, err := d.besideSet().trial(d.Analysis)
	if err != nil {
		trial, _ = trialFiles{}.measuredBy(d.Analysis, nil)
	}
	return trial.Suite
}
