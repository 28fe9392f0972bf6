//go:build unix

package resultstore_test

import (
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host/hosttest"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/core/run"
)

// TestJournalOnAFullDisk: written records stay, the result file is unchanged, and a partial
// record does no harm later.
func TestJournalOnAFullDisk(t *testing.T) {
	result := filepath.Join(t.TempDir(), "r.jsonl")
	hosttest.Put(t, result, lines("old"))
	j, err := resultstore.OpenJournal(result, false, ignoreRecord)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Add(&run.Record{EvalID: "a"}); err != nil {
		t.Fatal(err)
	}
	room := limitFiles(t, int64(len(hosttest.Get(t, result+".partial")))+10)
	torn := j.Add(&run.Record{EvalID: "b"})
	room()
	if torn == nil || !strings.HasPrefix(torn.Error(), result+".partial: ") {
		t.Errorf("a full disk is no error: %v", torn)
	}
	if err := j.Add(&run.Record{EvalID: "c"}); err == nil {
		t.Error("a record is added behind a torn one")
	}
	j.Close()
	if partial := hosttest.Get(t, result+".partial"); strings.HasSuffix(partial, "\n") {
		t.Fatalf("nothing was torn: %q", partial)
	}
	if got := resumed(t, result); !slices.Equal(got, []string{"a"}) {
		t.Errorf("resumes %v", got)
	}
	if hosttest.Get(t, result) != lines("old") {
		t.Error("the result file has changed")
	}
}

// limitFiles lets no file grow beyond a size until the limit is lifted.
func limitFiles(t *testing.T, size int64) (lift func()) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ)
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	limit := old
	limit.Cur = uint64(size)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
			t.Fatal(err)
		}
		signal.Reset(syscall.SIGXFSZ)
	}
}

// TestJournalOnAFullDevice: the very first record does not fit.
func TestJournalOnAFullDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Logf("there is no /dev/full here: %v", err)
		return
	}
	result := filepath.Join(t.TempDir(), "r.jsonl")
	hosttest.Put(t, result, lines("old"))
	if err := os.Symlink("/dev/full", result+".partial"); err != nil {
		t.Fatal(err)
	}
	if _, err := resultstore.OpenJournal(result, true, ignoreRecord); err == nil || !strings.Contains(err.Error(), "is not a regular file") {
		t.Errorf("a device is resumed: %v", err)
	}
	if err := os.Symlink("/dev/full", result+".partial"); err != nil && !os.IsExist(err) {
		t.Fatal(err)
	}
	j, err := resultstore.OpenJournal(result, false, ignoreRecord)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Add(&run.Record{EvalID: "a"}); err == nil || err.Error() != result+".partial: no space left on device" {
		t.Errorf("got %v", err)
	}
	j.Close()
	if hosttest.Get(t, result) != lines("old") {
		t.Error("the result file has changed")
	}
}
