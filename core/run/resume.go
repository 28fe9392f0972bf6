package run

import (
	"context"
	"iter"
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
)

// Store keeps the records of a run as they come, so that a later run can continue it.
type Store interface {
	// Add writes a record of this run.
	Add(*Record) error
	// Read returns a record of an earlier run. It must be safe for concurrent use.
	Read(Place) (*Record, error)
	// Keep makes a record of an earlier run the next one of this run.
	Keep(Place)
}

// Place is where a [Store] has a record, in bytes.
type Place struct{ Offset, Size int64 }

// Resume stores the records of a run, and continues an earlier one whose results [Resume.AddEarlier]
// has added. It holds their places only, because the results may not fit in memory. It is for one
// run at a time.
type Resume struct {
	Store Store // nil if nothing is stored
	// Locate finds the file that records name as their eval file: its index among the files of the
	// run, or -1 if the path is another, and whether the run has it, possibly at another path. Files
	// of the same name in two folders may have the same cases.
	Locate func(evalFile string) (index int, inRun bool)

	Results int  // delivered records
	Reused  int  // of these, complete results of an earlier run
	Answers int  // earlier answers that were graded further
	Paid    bool // a reused result or answer has used calls or tokens

	complete   map[resultKey]Place
	incomplete map[resultKey]Place // answered, without all grades
	replaced   []resultKey         // of both
	lost       map[RecordKey]string
}

type resultKey struct {
	RecordKey
	file int // see [Resume.Locate]
}

// earlierResult is what an earlier run has of a case.
type earlierResult struct {
	record   *Record // nil if it cannot be used
	complete bool
	key      resultKey
	place    Place
}

// AddEarlier adds a result of an earlier run. It ignores results without an answer. selects says
// which cases this run has.
func (rs *Resume) AddEarlier(rec *Record, place Place, selects func(*rubric.Case) bool) {
	if rs.complete == nil {
		rs.complete, rs.incomplete, rs.lost = map[resultKey]Place{}, map[resultKey]Place{}, map[RecordKey]string{}
	}
	file, inRun := rs.Locate(rec.EvalFile)
	if rec.EvalFile != "" && !inRun {
		rs.lost[rec.Key()] = rec.EvalFile
	} else if !selects(&rubric.Case{ID: rec.EvalID}) {
		rs.lost[rec.Key()] = ""
	}
	key := resultKey{rec.Key(), file}
	switch _, whole := rs.complete[key]; {
	case rec.Error == "" && !rec.Unreachable && rec.Ungraded == 0 && len(rec.unfinishedTrials()) == 0:
		rs.complete[key] = place
		delete(rs.incomplete, key)
	case !whole && len(rec.Graders) > 0 && (!rec.HasMetrics() || rec.Recorded != nil):
		rs.incomplete[key] = place
	}
}

// MayLose reports whether the run would drop unchanged results: of files that it does not have, or
// of cases that it does not select.
func (rs *Resume) MayLose() bool { return len(rs.lost) > 0 }

// Retain says that the run has cases, whose results it therefore does not drop, such as those of a
// moved or copied file.
func (rs *Resume) Retain(r Runner, suite *rubric.Suite, cases iter.Seq[*rubric.Case]) {
	for c := range cases {
		delete(rs.lost, r.RecordKey(suite, c))
	}
}

// Lost returns how many unchanged results the run would drop, and their eval files. The file is ""
// for cases that are not selected.
func (rs *Resume) Lost() (count int, files []string) {
	return len(rs.lost), slices.Compact(slices.Sorted(maps.Values(rs.lost)))
}

// Unused yields the places of earlier results that this run has not replaced. They include those
// that it has kept.
func (rs *Resume) Unused() iter.Seq[Place] {
	for _, key := range rs.replaced {
		delete(rs.incomplete, key)
		delete(rs.complete, key)
	}
	return func(yield func(Place) bool) {
		for _, results := range []map[resultKey]Place{rs.complete, rs.incomplete} {
			for _, place := range results {
				if !yield(place) {
					return
				}
			}
		}
	}
}

// Run is [Runner.Stream], without asking for what is complete in earlier results. Every record is
// stored before its event. An error ends the run. The records of cases that an interruption has left
// unfinished are not delivered, but their answers are stored.
func (rs *Resume) Run(ctx context.Context, r Runner, suite *rubric.Suite, cases iter.Seq[*rubric.Case], total int) iter.Seq2[Event, error] {
	if len(rs.complete)+len(rs.incomplete) > 0 {
		file, _ := rs.Locate(r.EvalFile)
		r.lookup = func(c *rubric.Case) (earlierResult, error) {
			return rs.lookup(r, resultKey{r.RecordKey(suite, c), file}, c)
		}
	}
	return func(yield func(Event, error) bool) {
		for e := range r.Stream(ctx, suite, cases, total) {
			deliver, err := true, error(nil)
			if e.Stage == Done {
				deliver, err = rs.finish(ctx, e, r.Threshold)
			}
			if deliver && !yield(e, err) || err != nil {
				return
			}
		}
	}
}

func (rs *Resume) lookup(r Runner, key resultKey, c *rubric.Case) (e earlierResult, err error) {
	find := func(results map[resultKey]Place) (found bool) {
		for _, e.key = range []resultKey{key, {key.RecordKey, -1}} { // files that were not found have no index
			if e.place, found = results[e.key]; found {
				break
			}
		}
		return found
	}
	if e.complete = find(rs.complete); !e.complete && !find(rs.incomplete) {
		return earlierResult{}, nil
	}
	if e.record, err = rs.Store.Read(e.place); err == nil && !e.complete && !r.CanReuseAnswer(e.record, c) {
		e.record = nil
	}
	return e, err
}

// finish stores the record of a case of a run with a threshold. It reports whether the record is to be delivered.
func (rs *Resume) finish(ctx context.Context, e Event, threshold float64) (deliver bool, err error) {
	rec := e.Record
	switch interrupted := ctx.Err() != nil && !e.Reused && e.err == nil && rec.Error != ""; {
	case e.err != nil:
		return true, e.err
	case interrupted && len(rec.Graders) == 0:
		return false, nil
	case interrupted:
		err := rs.add(rec)
		return err != nil, err
	}
	other := rec.RunThreshold != threshold // the record of an earlier run, or of a worker with other options
	rec.RunThreshold = threshold
	rs.Results++
	if e.earlier.record != nil {
		usage := e.earlier.record.JudgeUsage()
		usage.Add(e.earlier.record.TargetUsage())
		rs.Paid = rs.Paid || usage.String() != ""
	}
	if e.Reused {
		rs.Reused++
		if !other {
			rs.Store.Keep(e.earlier.place)
			return true, nil
		}
		rs.replaced = append(rs.replaced, e.earlier.key)
		return true, rs.add(rec)
	}
	if e.earlier.record != nil {
		rs.Answers++
	}
	if e.earlier.place != (Place{}) && len(rec.Graders) > 0 { // otherwise the earlier answer is still the only one
		rs.replaced = append(rs.replaced, e.earlier.key)
	}
	return true, rs.add(rec)
}

func (rs *Resume) add(rec *Record) error {
	if rs.Store == nil {
		return nil
	}
	return rs.Store.Add(rec)
}
