package resultstore_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/hosttest"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/core/run"
)

// lines are records of a result file as short as they may be.
func lines(ids ...string) string {
	var out strings.Builder
	for _, id := range ids {
		out.WriteString(`{"eval_id":"` + id + `"}` + "\n")
	}
	return out.String()
}

// opened is a journal that goes on from what is there, and the cases that are.
func opened(result string) (j *resultstore.Journal, ids []string, err error) {
	j, err = resultstore.OpenJournal(result, true, func(rec *run.Record, _ run.Place) { ids = append(ids, rec.EvalID) })
	return j, ids, err
}

// resumed are the cases that a journal gives back, and closes it again.
func resumed(t *testing.T, result string) []string {
	t.Helper()
	j, found, err := opened(result)
	if err != nil {
		t.Fatal(err)
	}
	j.Close()
	return found
}

// ignoreRecord wants to know what is there.
func ignoreRecord(*run.Record, run.Place) {}

// TestJournalResumes from whatever an earlier run left behind.
func TestJournalResumes(t *testing.T) {
	const none = "-"
	for _, c := range []struct {
		name            string
		partial, result string
		first, then     []string // what is resumed, at once and after one more case
		failed          string
	}{
		{"nothing", none, none, nil, []string{"new"}, ""},
		{"an interrupted run", lines("a", "b"), none, []string{"a", "b"}, []string{"a", "b", "new"}, ""},
		{"a cut line", lines("a") + `{"eval_id":"b","sc`, none, []string{"a"}, []string{"a", "new"}, ""},
		{"nothing but a cut line", `{"eval_id":"b","sc`, none, nil, []string{"new"}, ""},
		{"a last line without its end", lines("a") + `{"eval_id":"b"}`, none, []string{"a", "b"}, []string{"a", "b", "new"}, ""},
		{"empty lines", "\n" + lines("a") + "\r\n", none, []string{"a"}, []string{"a", "new"}, ""},
		{"a finished run", none, lines("a", "b"), []string{"a", "b"}, []string{"a", "b", "new"}, ""},
		{"a finished run without its end", none, lines("a") + `{"eval_id":"b"}`, []string{"a", "b"}, []string{"a", "b", "new"}, ""},
		{"both", lines("c"), lines("a", "b"), []string{"c"}, []string{"c", "new"}, ""},
		{"an empty journal beside a result", "", lines("a"), []string{"a"}, []string{"a", "new"}, ""},
		{"a journal that is none", "hello\n" + lines("a"), lines("b"), nil, nil, "r.jsonl.partial: line 1 is not a record of a run"},
		{"a result that is none", none, lines("a") + `{"id":"b"}` + "\n", nil, nil, "r.jsonl: line 2 is not a record of a run: it has no `eval_id`"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			result := filepath.Join(dir, "r.jsonl")
			for path, body := range map[string]string{result + ".partial": c.partial, result: c.result} {
				if body != none {
					hosttest.Put(t, path, body)
				}
			}
			j, found, err := opened(result)
			if c.failed != "" {
				if err == nil || !strings.Contains(err.Error(), c.failed) {
					t.Fatalf("got %v, want %q", err, c.failed)
				}
				if c.partial != none && hosttest.Get(t, result+".partial") != c.partial || hosttest.Get(t, result) != c.result {
					t.Error("what could not be read is gone")
				}
				return
			}
			if err != nil || !slices.Equal(found, c.first) {
				t.Fatalf("resumes %v, %v; want %v", found, err, c.first)
			}
			if err := j.Add(&run.Record{EvalID: "new"}); err != nil {
				t.Fatal(err)
			}
			j.Close()
			if got := resumed(t, result); !slices.Equal(got, c.then) {
				t.Errorf("then resumes %v, want %v", got, c.then)
			}
			if c.result != none && hosttest.Get(t, result) != c.result {
				t.Error("the result file has changed")
			}
		})
	}
}

// TestJournalLeaves: a journal without records of its own is removed.
func TestJournalLeaves(t *testing.T) {
	result := filepath.Join(t.TempDir(), "r.jsonl")
	left := func() (names []string) {
		entries, err := os.ReadDir(filepath.Dir(result))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	open := func(resume bool) *resultstore.Journal {
		j, err := resultstore.OpenJournal(result, resume, ignoreRecord)
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	open(false).Close()
	if got := left(); got != nil {
		t.Errorf("an empty journal leaves %v", got)
	}
	j := open(false)
	if err := j.Add(&run.Record{EvalID: "a"}); err != nil {
		t.Fatal(err)
	}
	j.Close()
	if got := left(); !slices.Equal(got, []string{"r.jsonl.partial"}) {
		t.Errorf("an interrupted run leaves %v", got)
	}
	if _, err := resultstore.OpenJournal(result, false, ignoreRecord); err == nil || !strings.Contains(err.Error(), "continue with --resume, or remove it") {
		t.Errorf("a new run starts over it: %v", err)
	}
	j = open(true)
	if err := j.Remove(); err != nil {
		t.Error(err)
	}
	j.Close()
	if got := left(); got != nil {
		t.Errorf("a finished run leaves %v", got)
	}
	if _, err := resultstore.OpenJournal(filepath.Join(result, "none", "r.jsonl"), false, ignoreRecord); err == nil || !strings.HasPrefix(err.Error(), filepath.Join(result, "none", "r.jsonl")+": no such file") {
		t.Errorf("in no folder: %v", err)
	}
}

// TestJournalWritesAtOnce: a record is on the disk once it is added.
func TestJournalWritesAtOnce(t *testing.T) {
	result := filepath.Join(t.TempDir(), "r.jsonl")
	j, err := resultstore.OpenJournal(result, false, ignoreRecord)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	var all strings.Builder
	for i := range 10 {
		rec := &run.Record{EvalID: strconv.Itoa(i), Question: strings.Repeat("q", i*i*i*100)}
		if err := errors.Join(j.Add(rec), rec.WriteLine(&all)); err != nil {
			t.Fatal(err)
		}
		if got := hosttest.Get(t, result+".partial"); got != all.String() {
			t.Fatalf("after %d records, %d bytes of %d are written", i+1, len(got), all.Len())
		}
	}
	var again strings.Builder
	if err := j.WriteRecords(&again); err != nil || again.String() != all.String() {
		t.Errorf("given again are %d bytes of %d: %v", again.Len(), all.Len(), err)
	}
}

// TestJournalHasOneWriter at a time, however many come and go.
func TestJournalHasOneWriter(t *testing.T) {
	result := filepath.Join(t.TempDir(), "r.jsonl")
	j, err := resultstore.OpenJournal(result, false, ignoreRecord)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := resultstore.OpenJournal(result, true, ignoreRecord); err == nil || err.Error() != result+": another program is writing it" {
		t.Errorf("a second one opens it: %v", err)
	}
	j.Close()

	var inside, opened atomic.Int32
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 500 {
				j, err := resultstore.OpenJournal(result, true, ignoreRecord)
				if err != nil {
					continue
				}
				if inside.Add(1) > 1 {
					t.Error("two have it at once")
				}
				for range opened.Add(1) % 8 {
					runtime.Gosched() // so that others get to try
				}
				inside.Add(-1)
				j.Close()
			}
		})
	}
	wait.Wait()
	if opened.Load() == 0 {
		t.Error("nobody ever had it")
	}
}

// TestJournalPublishes: the result file gets the lines of this run without their times, and the
// journal is removed.
func TestJournalPublishes(t *testing.T) {
	timed := run.Record{EvalID: "timed", Timestamp: "2026-03-14T15:09:26.000Z", DurationMS: new(1.5)}
	for _, c := range []struct {
		name   string
		resume bool
		set    func(t *testing.T, result string)
		add    []run.Record
		mode   os.FileMode // of the result
	}{
		{"records", false, nil, []run.Record{{EvalID: "a"}, {EvalID: "b"}}, 0o644},
		{"nothing", false, nil, nil, 0o644},
		{"times", false, nil, []run.Record{{EvalID: "a"}, timed, {EvalID: "b"}}, 0o644},
		{"a result that was there", false, func(t *testing.T, result string) {
			hosttest.Put(t, result, lines("old"))
			if err := os.Chmod(result, 0o640); err != nil {
				t.Fatal(err)
			}
		}, []run.Record{{EvalID: "a"}}, 0o640},
		{"what an earlier run left", true, func(t *testing.T, result string) { hosttest.Put(t, result+".partial", lines("old")) }, []run.Record{{EvalID: "a"}}, 0o644},
		{"a line that was cut off", true, func(t *testing.T, result string) { hosttest.Put(t, result+".partial", `{"eval_id`) }, []run.Record{{EvalID: "a"}}, 0o644},
	} {
		t.Run(c.name, func(t *testing.T) {
			result := filepath.Join(t.TempDir(), "r.jsonl")
			if c.set != nil {
				c.set(t, result)
			}
			j, err := resultstore.OpenJournal(result, c.resume, ignoreRecord)
			if err != nil {
				t.Fatal(err)
			}
			var want bytes.Buffer
			for _, rec := range c.add {
				stored := rec.Stored()
				if err := errors.Join(j.Add(&rec), stored.WriteLine(&want)); err != nil {
					t.Fatal(err)
				}
			}
			if err := errors.Join(disk.WriteFile(result, j.WriteRecords), j.Remove()); err != nil {
				t.Fatal(err)
			}
			j.Close()
			if got := hosttest.Get(t, result); got != want.String() {
				t.Errorf("got %s, want %s", got, want.String())
			}
			info, err := os.Stat(result)
			if err != nil || info.Mode().Perm() != c.mode {
				t.Errorf("its permissions are %v, %v", info.Mode(), err)
			}
			if entries, err := os.ReadDir(filepath.Dir(result)); err != nil || len(entries) != 1 {
				t.Errorf("beside it are %v, %v", entries, err)
			}
		})
	}
}

// TestJournalRemains where it cannot become the result file.
func TestJournalRemains(t *testing.T) {
	result := filepath.Join(t.TempDir(), "r.jsonl")
	hosttest.Put(t, result, lines("old"))
	if err := os.Chmod(result, 0o444); err != nil {
		t.Fatal(err)
	}
	j, err := resultstore.OpenJournal(result, false, ignoreRecord)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Add(&run.Record{EvalID: "a"}); err != nil {
		t.Fatal(err)
	}
	if err := disk.WriteFile(result, j.WriteRecords); err == nil || !strings.Contains(err.Error(), "the file is read-only") {
		t.Errorf("published over it: %v", err)
	}
	j.Close()
	if got := hosttest.Get(t, result); got != lines("old") {
		t.Errorf("it is %s", got)
	}
	if got := resumed(t, result); len(got) != 1 || got[0] != "a" {
		t.Errorf("what was done is gone: %v", got)
	}
}
