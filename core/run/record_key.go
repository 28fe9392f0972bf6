package run

import (
	"cmp"
	"crypto/sha256"
	"fmt"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// RecordKey stands for what a record is of: the case as it was meant, the target that
// answered and the judge, as they were asked. A record with the mark that a run would
// give a case is as good as the one that it would make.
type RecordKey [16]byte

// Key is the record's.
func (r *Record) Key() RecordKey {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %q %q %d",
		r.Dataset, r.EvalID, r.CaseFingerprint, r.Target, r.Judge, r.Profile, max(1, r.Samples)))
	return RecordKey(sum[:16])
}

// RecordKey is that of the record which the run would make of a case.
func (r Runner) RecordKey(suite *rubric.Suite, c *rubric.Case) RecordKey {
	r.Profile = cmp.Or(r.Profile, score.Spec)
	return r.newRecord(suite, c).Key()
}
