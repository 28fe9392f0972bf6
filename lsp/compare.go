package lsp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/testitem"
	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

// methodCompare lists the earlier runs of a document, and compares one of them with its last results.
// The command rubric.compare does the same for clients that cannot send other methods.
const methodCompare = "rubric/compare"

// compareParams name a document, and the run to compare with.
type compareParams struct {
	URI uri.URI `json:"uri"`
	Run string  `json:"run"` // an id; "" only lists the runs
}

// compareResult lists the earlier runs, the last first.
type compareResult struct {
	Runs       []earlierRun `json:"runs"`
	Comparison *comparison  `json:"comparison,omitzero"` // with the run of the request
}

// earlierRun describes a run.
type earlierRun struct {
	ID    string `json:"id"`
	Time  string `json:"time"`  // when it began, RFC 3339
	Label string `json:"label"` // how many cases passed, and whom it asked
}

// comparison compares an earlier run with the last results, as `rubric runs compare` does.
type comparison struct {
	Title string         `json:"title"` // how many cases are won and lost
	Notes []string       `json:"notes"` // why a difference may have another reason than the answers
	Cases []comparedCase `json:"cases"` // the losses first
}

// comparedCase is a case or a criterion whose result differs, with its place in the document.
type comparedCase struct {
	ID      string         `json:"id"` // of the test item
	Label   string         `json:"label"`
	Range   *text.Range    `json:"range,omitzero"` // nil if it is in another file
	Outcome score.Outcome  `json:"outcome"`
	Text    string         `json:"text"`     // both results
	Grades  []comparedCase `json:"criteria"` // those that differ; none of a criterion
}

func compareRuns(_ context.Context, s *snapshot, p *compareParams) (*compareResult, error) {
	d, err := s.openEvalFile(p.URI)
	if err != nil {
		return nil, err
	}
	last, runs := s.session.Results.History(d.URI, s.RunnableSuite(d).Cases)
	result := &compareResult{Runs: append([]earlierRun{}, generic.Map(runs, describeRun)...)}
	if p.Run == "" {
		return result, nil
	}
	i := slices.IndexFunc(runs, func(r cache.EarlierRun) bool { return r.ID == p.Run })
	if i < 0 {
		return nil, requestFailed(fmt.Errorf("there is no earlier run `%s` of this file; choose one of the list", p.Run))
	}
	result.Comparison = newComparison(s.openFile(d), runs[i].Records, last)
	return result, nil
}

func describeRun(r cache.EarlierRun) earlierRun {
	var totals corereport.Totals
	for _, rec := range r.Records {
		totals.Add(rec)
	}
	label := fmt.Sprintf("%d of %s pass, %s", totals.Pass, diag.CountNoun(totals.Cases, "case"), ide.NewRunNames(r.Records[0].Target, r.Records[0].Judge).Label)
	began, _ := time.Parse(run.RunTime, r.ID) // the id can be of another version
	return earlierRun{ID: r.ID, Time: began.Format(time.RFC3339), Label: label}
}

// newComparison compares two runs of a file.
func newComparison(f *ide.File, before, after []run.Record) *comparison {
	c := run.Compare(before, after, score.DefaultThreshold)
	items := map[string]testitem.Item{}
	if root := testitem.Tree(f, testitem.Selection{Range: &text.Range{End: f.SpanRange(text.Span{Start: f.Length(), End: f.Length()}).End}}); root != nil {
		for _, item := range root.Children {
			for _, child := range append([]testitem.Item{item}, item.Children...) {
				items[child.ID] = child
			}
		}
	}
	result := &comparison{Title: c.Totals(), Notes: c.Warnings, Cases: []comparedCase{}}
	for _, outcome := range []score.Outcome{score.Loss, score.Win, score.NoOutcome, score.Tie} {
		for _, p := range c.Cases {
			grades := comparedGrades(f.URI, p.ID, c.Grades, items)
			if p.Outcome != outcome || outcome == score.Tie && len(grades) == 0 && *p.Delta == 0 {
				continue
			}
			id := testitem.ID(f.URI, p.ID)
			scores := fmt.Sprintf("%s → %s", corereport.ScoreOf(p.First), corereport.ScoreOf(p.Second))
			result.Cases = append(result.Cases, comparedCase{id, p.ID, items[id].Range, p.Outcome, scores, grades})
		}
	}
	return result
}

// comparedGrades returns the criteria of a case that were graded differently.
func comparedGrades(uri, caseID string, all []run.GradePair, items map[string]testitem.Item) []comparedCase {
	differ := []comparedCase{}
	for _, g := range all {
		if g.ID != caseID {
			continue
		}
		id := testitem.ID(uri, caseID, g.Grader, g.Criterion)
		label := cmp.Or(items[id].Label, run.CriterionName{Grader: g.Grader, Criterion: g.Criterion}.Label())
		grades := strings.TrimSpace(corereport.Mark(g.First)) + " → " + strings.TrimSpace(corereport.Mark(g.Second))
		differ = append(differ, comparedCase{id, label, items[id].Range, g.Outcome, grades, []comparedCase{}})
	}
	return differ
}

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
