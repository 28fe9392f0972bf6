package lsp

import (
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/score"
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
	Answer  string   `json:"answer,omitzero"` // that was judged, unless the result is a pass
}

// States of an item, besides the verdicts.
const (
	itemStarted   = "started"
	itemUngraded  = string(score.Ungraded) // it could not be judged; the message says why
	itemCancelled = "cancelled"
)
