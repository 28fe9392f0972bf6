package lsp

import (
	"fmt"
	"maps"
	"slices"

	"go.lsp.dev/uri"

	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
)

// methodResults tells a client what comes of a run, as it comes.
const methodResults = "rubric/results"

// resultsParams are how far a job is, and what is new of the items of its file.
type resultsParams struct {
	Job     string       `json:"job"`
	URI     uri.URI      `json:"uri"`
	State   string       `json:"state"` // of the job
	Message string       `json:"message,omitzero"`
	Done    int          `json:"done"` // cases
	Total   int          `json:"total"`
	Results []itemResult `json:"results"`
}

// The states of a job.
const (
	jobRunning   = "running"
	jobDone      = "done"
	jobCancelled = "cancelled" // with what was done until then
	jobFailed    = "failed"    // nothing could be run, for the reason in the message
)

// itemResult is what is new of a test item.
type itemResult struct {
	ID      string   `json:"id"`
	State   string   `json:"state"`
	Score   *float64 `json:"score,omitzero"` // of a case or a metric 0–1, of a criterion 0–10
	Message string   `json:"message,omitzero"`
}

// The states of an item, besides a case's verdicts.
const (
	itemStarted   = "started"
	itemUnknown   = "unknown" // it could not be judged, for the reason in the message
	itemCancelled = "cancelled"
)

// tell tells the client how far the job is.
func (r *underWay) tell(state, message string, items ...itemResult) {
	r.client.notify(methodResults, &resultsParams{
		Job: r.job.id, URI: r.doc.URI, State: state, Message: message, Done: r.done, Total: r.total, Results: items,
	})
}

// take takes in one step of the run.
func (r *underWay) take(e run.Event) {
	switch e.Stage {
	case run.Started:
		r.total = e.Total
		r.tell(jobRunning, "", itemResult{ID: itemID(r.doc.URI, e.Case.ID), State: itemStarted})
	case run.Graded:
		for _, item := range corereport.GraderItems(run.Record{EvalID: e.Case.ID}, *e.Grader) {
			told := r.item(item)
			if told.State == itemUnknown && r.job.ctx.Err() != nil {
				told.State = itemCancelled
			}
			r.tell(jobRunning, "", told)
		}
	case run.Done:
		r.done++
		kept := r.keep(e.Case.ID, *e.Record)
		item := r.item(corereport.CaseItem(kept))
		if r.job.ctx.Err() != nil && e.Record.Error != "" {
			item.State, item.Message, item.Score = itemCancelled, e.Record.Error, nil
		}
		r.tell(jobRunning, "", item)
		r.job.meter.report(fmt.Sprintf("%d of %d cases", r.done, r.total), r.done)
		r.session.refresh()
	}
}

// keep keeps what a case came to. Of one that was cancelled, and of one of which
// only a criterion was judged, that is added to what is kept already.
func (r *underWay) keep(id string, record run.Record) run.Record {
	c := r.meant[id]
	old := r.session.results.get(r.doc.URI, id)
	next := &result{basis: r.doc.beside.basis(r.how.way(r.doc), c)}
	r.lock.Lock()
	if sub, ok := r.answered[id]; ok {
		next.submission = &sub
	}
	r.lock.Unlock()
	if r.again && old != nil {
		next.way.target = old.way.target // who gave the answer that is judged
	}
	switch cancelled := r.job.ctx.Err() != nil && record.Error != ""; {
	case old != nil && (cancelled || r.only.Criterion != ""):
		if cancelled && (r.only.Criterion == "" || len(record.Graders) == 0) {
			return record
		}
		next.Kept, next.basis, next.submission = old.With(record, c), old.basis, old.submission
	default:
		next.Kept = run.Keep(record, c)
	}
	r.session.results.put(r.doc.URI, id, next)
	return next.Record
}

// item returns a result with the id that the client knows its item by.
func (r *underWay) item(of corereport.Item) itemResult {
	return itemResult{ID: itemID(r.doc.URI, of.Path...), State: of.State, Score: of.Score, Message: of.Message}
}

// refused are the cases that are not run because of what is wrong with them.
func (r *underWay) refused() (items []itemResult) {
	for _, id := range slices.Sorted(maps.Keys(r.faults)) {
		items = append(items, itemResult{ID: itemID(r.doc.URI, id), State: itemUnknown, Message: "it is not run: " + r.faults[id]})
	}
	return items
}
