package resultstore_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/core/run"
)

func saved(name, id string) run.SavedResult {
	return run.SavedResult{Record: run.Record{EvalID: id, Verdict: "pass"}, Run: name, Editor: json.RawMessage(`{"a":1}`)}
}

// TestEditorResults: the last results of each case come back, also after a crash in the middle of a
// line, and runs that have none of them are removed.
func TestEditorResults(t *testing.T) {
	store := resultstore.EditorResults{Folder: filepath.Join(t.TempDir(), "results")}
	if found := store.Load("/ws/a.eval.yaml", 2); found != nil {
		t.Fatalf("without a folder: %v", found)
	}
	for i := range 4 {
		name := fmt.Sprintf("2026010%d", i)
		if err := store.Save("/ws/a.eval.yaml", []run.SavedResult{saved(name, "a"), saved(name, "a")}); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Save("/ws/a.eval.yaml", []run.SavedResult{saved("20260100", "b")}); err != nil {
		t.Fatal(err)
	}
	files := func() []string {
		all, _ := filepath.Glob(filepath.Join(store.Folder, "*", "*"))
		return all
	}
	last := files()[3]
	f, err := os.OpenFile(last, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, `{"eval_id":"c","verd`)
	f.Close()
	got := ""
	for _, r := range store.Load("/ws/a.eval.yaml", 2) {
		got += r.Run + " " + r.Record.EvalID + string(r.Editor) + "\n"
	}
	if want := "20260103 a{\"a\":1}\n20260102 a{\"a\":1}\n20260100 b{\"a\":1}\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if left := files(); len(left) != 3 {
		t.Errorf("runs without a last result stay: %v", left)
	}
	if info, err := os.Stat(last); err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others can read %v: %v", info, err)
	}
	if store.Size() == 0 || len(store.Load("/ws/b.eval.yaml", 2)) > 0 {
		t.Error("another file has results, or they have no size")
	}
}
