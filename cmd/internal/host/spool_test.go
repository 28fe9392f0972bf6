package host_test

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/run"
)

// TestSpool: records come back in order, any number of times, and no file remains.
func TestSpool(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	for _, n := range []int{0, 1, 499, 500, 501, 3000} {
		spool := &host.Spool{}
		for i := range n {
			if err := spool.Add(&run.Record{EvalID: fmt.Sprint("case ", i), Timestamp: "2026-03-14T15:09:26.000Z", CandidateAnswer: "<ü> \u2028", Score: new(0.1 + float64(i))}); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			got := slices.Collect(spool.Records())
			for i, rec := range got {
				if rec.EvalID != fmt.Sprint("case ", i) || rec.Timestamp == "" || rec.CandidateAnswer != "<ü> \u2028" || *rec.Score != 0.1+float64(i) {
					t.Fatalf("record %d of %d is %+v", i, n, rec)
				}
			}
			if len(got) != n || spool.Err() != nil {
				t.Errorf("of %d records %d come back, %v", n, len(got), spool.Err())
			}
			for range spool.Records() { // the first alone
				break
			}
		}
		spool.Close()
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// TestSpoolWithoutRoom: records stay in memory if the temporary file cannot be created.
func TestSpoolWithoutRoom(t *testing.T) {
	dir := t.TempDir() + "/none"
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	spool := &host.Spool{}
	defer spool.Close()
	for i := range 1200 {
		if err := spool.Add(&run.Record{EvalID: fmt.Sprint("case ", i)}); err != nil {
			t.Fatal(err)
		}
	}
	got := slices.Collect(spool.Records())
	if len(got) != 1200 || got[1199].EvalID != "case 1199" || spool.Err() != nil {
		t.Errorf("%d come back, %v", len(got), spool.Err())
	}
}
