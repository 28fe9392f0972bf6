package host_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/run"
)

// TestJournalPublishes: whatever the journal holds and wherever the result file is,
// that gets the lines of this run without their times, and no journal is left.
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
			put(t, result, lines("old"))
			if err := os.Chmod(result, 0o640); err != nil {
				t.Fatal(err)
			}
		}, []run.Record{{EvalID: "a"}}, 0o640},
		{"what an earlier run left", true, func(t *testing.T, result string) { put(t, result+".partial", lines("old")) }, []run.Record{{EvalID: "a"}}, 0o644},
		{"a line that was cut off", true, func(t *testing.T, result string) { put(t, result+".partial", `{"eval_id`) }, []run.Record{{EvalID: "a"}}, 0o644},
	} {
		t.Run(c.name, func(t *testing.T) {
			result := filepath.Join(t.TempDir(), "r.jsonl")
			if c.set != nil {
				c.set(t, result)
			}
			j, err := host.OpenJournal(result, c.resume, ignoreRecord)
			if err != nil {
				t.Fatal(err)
			}
			var want bytes.Buffer
			for _, rec := range c.add {
				untimed := rec.WithoutTimes()
				if err := errors.Join(j.Add(&rec), untimed.WriteLine(&want)); err != nil {
					t.Fatal(err)
				}
			}
			if err := j.Publish(); err != nil {
				t.Fatal(err)
			}
			j.Close()
			if got := get(t, result); got != want.String() {
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
	put(t, result, lines("old"))
	if err := os.Chmod(result, 0o444); err != nil {
		t.Fatal(err)
	}
	j, err := host.OpenJournal(result, false, ignoreRecord)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Add(&run.Record{EvalID: "a"}); err != nil {
		t.Fatal(err)
	}
	if err := j.Publish(); err == nil || !strings.Contains(err.Error(), "the file is read-only") {
		t.Errorf("published over it: %v", err)
	}
	j.Close()
	if got := get(t, result); got != lines("old") {
		t.Errorf("it is %s", got)
	}
	if got := resumed(t, result); len(got) != 1 || got[0] != "a" {
		t.Errorf("what was done is gone: %v", got)
	}
}
