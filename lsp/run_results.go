package lsp

import (
	"fmt"
	"maps"
	"slices"

	"go.lsp.dev/uri"

	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

// methodResults reports the progress of a run to the client.
const methodResults = "rubric/results"

// resultsParams is the state of a job and the new results in its file.
type resultsParams struct {
	Job     string       `json:"job"`
	URI     uri.URI      `json:"uri"`
	State   string       `json:"state"` // of the job
	Message string       `json:"message,omitzero"`
	Done    int          `json:"done"` // number of finished cases
	Total   int          `json:"total"`
	Results []itemResult `json:"results"`
}

// States of a job.
const (
	jobRunning   = "running"
	jobDone      = "done"
	jobCancelled = "cancelled" // with the results so far
	jobFailed    = "failed"    // nothing could run; the message says why
)

// itemResult is the new state of a test item.
type itemResult struct {
	ID      string   `json:"id"`
	State   string   `json:"state"`
	Score   *float64 `json:"score,omitzero"` // 0–1 for a case or a metric, 0–10 for a criterion
	Message string   `json:"message,omitzero"`
}

// States of an item, besides the verdicts.
const (
	itemStarted   = "started"
	itemUngraded  = string(score.Ungraded) // it could not be judged; the message says why
	itemCancelled = "cancelled"
)

// notify reports the job's state to the client.
func (er *evalRun) notify(state, message string, items ...itemResult) {
	er.client.Notify(methodResults, &resultsParams{
		Job: er.job.id, URI: er.doc.URI, State: state, Message: message, Done: er.done, Total: er.total, Results: items,
	})
}

// handleEvent handles one event of the run.
func (er *evalRun) handleEvent(e run.Event) {
	switch e.Stage {
	case run.Started:
		er.total = e.Total
		er.notify(jobRunning, "", itemResult{ID: itemID(er.doc.URI, e.Case.ID), State: itemStarted})
	case run.Graded:
		for _, item := range corereport.GraderItems(run.Record{EvalID: e.Case.ID}, *e.Grader) {
			result := er.toItemResult(item)
			if result.State == itemUngraded && er.job.ctx.Err() != nil {
				result.State = itemCancelled
			}
			er.notify(jobRunning, "", result)
		}
	case run.Done:
		er.done++
		record := er.storeResult(e.Case.ID, *e.Record)
		item := er.toItemResult(corereport.CaseItem(record, er.config.Threshold))
		if er.job.ctx.Err() != nil && e.Record.Error != "" {
			item.State, item.Message, item.Score = itemCancelled, e.Record.Error, nil
		}
		er.notify(jobRunning, "", item)
		er.job.progress.report(fmt.Sprintf("%d of %d cases", er.done, er.total), er.done)
		er.session.ResultsChanged(false)
	}
}

// storeResult stores the result of a case. If the case was cancelled, or only one criterion was
// judged, it merges the new grades into the stored result.
func (er *evalRun) storeResult(id string, record run.Record) run.Record {
	c := er.casesByID[id]
	previous := er.session.Results.Get(er.doc.URI, id)
	stored := &cache.Result{Inputs: er.doc.InputsOf(er.config.For(c, er.settings), c)}
	er.mu.Lock()
	if sub, ok := er.submissions[id]; ok {
		stored.Submission = &sub
	}
	er.mu.Unlock()
	if er.rejudge && previous != nil {
		stored.Config.Target = previous.Config.Target // the target whose answer was judged
	}
	switch cancelled := er.job.ctx.Err() != nil && record.Error != ""; {
	case previous != nil && (cancelled || er.criterion.Criterion != ""):
		if cancelled && (er.criterion.Criterion == "" || len(record.Graders) == 0) {
			return record
		}
		stored.StoredResult, stored.Inputs, stored.Submission = previous.Merge(record, c), previous.Inputs, previous.Submission
	default:
		stored.StoredResult = run.NewStoredResult(record, c)
	}
	er.session.Results.Put(er.doc.URI, id, stored)
	return stored.Record
}

// toItemResult converts a result for the client.
func (er *evalRun) toItemResult(item corereport.Item) itemResult {
	return itemResult{ID: itemID(er.doc.URI, item.Path...), State: item.State, Score: item.Score, Message: item.Message}
}

// skippedItems returns the cases that do not run, with the error of each.
func (er *evalRun) skippedItems() (items []itemResult) {
	for _, id := range slices.Sorted(maps.Keys(er.skipReasons)) {
		items = append(items, itemResult{ID: itemID(er.doc.URI, id), State: itemUngraded, Message: "not run: " + er.skipReasons[id]})
	}
	return items
}
