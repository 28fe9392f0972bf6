package cache

import (
	"maps"
	"slices"
	"time"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// An EarlierRun holds the results of a run, at least one of which a later run has replaced.
type EarlierRun struct {
	ID      string
	Records []run.Record
}

// Time returns when the run began, or the zero time.
func (r EarlierRun) Time() time.Time {
	began, _ := time.Parse(run.RunTime, r.ID) // the id can be of another version
	return began
}

// History returns the last records of a file's cases, and the earlier runs, the last first.
func (rs *Results) History(u uri.URI, cases []*rubric.Case) (last []run.Record, runs []EarlierRun) {
	byRun, replaced := map[string][]run.Record{}, map[string]bool{}
	for _, c := range cases {
		r := rs.Get(u, c.ID)
		if r == nil {
			continue
		}
		last = append(last, r.Record)
		byRun[r.Run] = append(byRun[r.Run], r.Record)
		for _, before := range r.earlier {
			replaced[before.Run] = true
			byRun[before.Run] = append(byRun[before.Run], before.Record)
		}
	}
	for _, id := range slices.Backward(slices.Sorted(maps.Keys(replaced))) {
		runs = append(runs, EarlierRun{id, byRun[id]})
	}
	return last, runs
}
