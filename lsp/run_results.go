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

// notify tells the client how far the job is.
func (er *evalRun) notify(state, message string, items ...itemResult) {
	er.client.notify(methodResults, &resultsParams{
		Job: er.job.id, URI: er.doc.URI, State: state, Message: message, Done: er.done, Total: er.total, Results: items,
	})
}

// handleEvent takes in one step of the run.
func (er *evalRun) handleEvent(e run.Event) {
	switch e.Stage {
	case run.Started:
		er.total = e.Total
		er.notify(jobRunning, "", itemResult{ID: itemID(er.doc.URI, e.Case.ID), State: itemStarted})
	case run.Graded:
		for _, item := range corereport.GraderItems(run.Record{EvalID: e.Case.ID}, *e.Grader) {
			result := er.toItemResult(item)
			if result.State == itemUnknown && er.job.ctx.Err() != nil {
				result.State = itemCancelled
			}
			er.notify(jobRunning, "", result)
		}
	case run.Done:
		er.done++
		record := er.storeResult(e.Case.ID, *e.Record)
		item := er.toItemResult(corereport.CaseItem(record))
		if er.job.ctx.Err() != nil && e.Record.Error != "" {
			item.State, item.Message, item.Score = itemCancelled, e.Record.Error, nil
		}
		er.notify(jobRunning, "", item)
		er.job.progress.report(fmt.Sprintf("%d of %d cases", er.done, er.total), er.done)
		er.session.refreshViews()
	}
}

// storeResult keeps what a case came to. Of one that was cancelled, and of one of which
// only a criterion was judged, that is added to what is kept already.
func (er *evalRun) storeResult(id string, record run.Record) run.Record {
	c := er.casesByID[id]
	previous := er.session.results.get(er.doc.URI, id)
	stored := &storedResult{resultInputs: er.doc.deps.resultInputs(er.settings.config(er.doc), c)}
	er.mu.Lock()
	if sub, ok := er.submissions[id]; ok {
		stored.submission = &sub
	}
	er.mu.Unlock()
	if er.rejudge && previous != nil {
		stored.config.target = previous.config.target // who gave the answer that is judged
	}
	switch cancelled := er.job.ctx.Err() != nil && record.Error != ""; {
	case previous != nil && (cancelled || er.criterion.Criterion != ""):
		if cancelled && (er.criterion.Criterion == "" || len(record.Graders) == 0) {
			return record
		}
		stored.StoredResult, stored.resultInputs, stored.submission = previous.Merge(record, c), previous.resultInputs, previous.submission
	default:
		stored.StoredResult = run.NewStoredResult(record, c)
	}
	er.session.results.put(er.doc.URI, id, stored)
	return stored.Record
}

// toItemResult returns a result with the id that the client knows its item by.
func (er *evalRun) toItemResult(item corereport.Item) itemResult {
	return itemResult{ID: itemID(er.doc.URI, item.Path...), State: item.State, Score: item.Score, Message: item.Message}
}

// skippedItems are the cases that are not run because of what is wrong with them.
func (er *evalRun) skippedItems() (items []itemResult) {
	for _, id := range slices.Sorted(maps.Keys(er.skipReasons)) {
		items = append(items, itemResult{ID: itemID(er.doc.URI, id), State: itemUnknown, Message: "it is not run: " + er.skipReasons[id]})
	}
	return items
}
