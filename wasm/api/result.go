package api

import (
	"maps"

	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// keepResult keeps what a case of an open document came to, for as long as the
// document is held: hints, lenses and hovers tell of it.
func keepResult(name string, record run.Record) {
	opened.Lock()
	defer opened.Unlock()
	d, open := opened.documents[name]
	if !open {
		return
	}
	d.last = maps.Clone(d.last) // versions of the document share the one before
	if d.last == nil {
		d.last = map[string]run.Record{}
	}
	d.last[record.EvalID] = record
	opened.documents[name] = d
}

// results are what some cases of a document last came to: stale are those of cases
// that mean something else since. Which of their grades still hold, the language
// server can say; here that would link what scores records again.
func (d document) results(cases []*rubric.Case) assist.Results {
	if len(d.last) == 0 {
		return nil
	}
	all := assist.Results{}
	for _, c := range cases {
		if last, ok := d.last[c.ID]; ok {
			all[c.ID] = assist.OutcomeOf(last, nil, last.CaseFingerprint == c.Fingerprint())
		}
	}
	return all
}

// lastRun are the cases of which something is kept.
func (d document) lastRun() (all []*rubric.Case) {
	if len(d.last) == 0 {
		return nil
	}
	for _, c := range d.Suite().Cases {
		if _, ok := d.last[c.ID]; ok {
			all = append(all, c)
		}
	}
	return all
}
