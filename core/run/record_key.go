package run

import (
	"cmp"
	"crypto/sha256"
	"fmt"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// RecordKey identifies what a record is about: the case as it was understood, the target, the
// judge and how they were asked. If a record has the key that a run would give to a case, the run
// does not need to repeat the case.
type RecordKey [16]byte

// Key returns the record's key.
func (r *Record) Key() RecordKey {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %q %q %d",
		r.Dataset, r.EvalID, r.CaseFingerprint, r.Target, r.Judge, r.Profile, max(1, r.Samples)))
	return RecordKey(sum[:16])
}

// RecordKey returns the key of the record that the run would make of c.
func (r Runner) RecordKey(suite *rubric.Suite, c *rubric.Case) RecordKey {
	r.Profile = cmp.Or(r.Profile, score.Spec)
	return r.newRecord(suite, c).Key()
}
