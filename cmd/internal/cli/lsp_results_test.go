package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// storedSuite has a case that passes and one that does not.
const storedSuite = `evalcases:
  - id: window
    expected_outcome: Names the refund window
    input: Can I send it back?
    expected_output: The refund window is 30 days.
    rubrics:
      - id: days
        expected_outcome: Mentions “30 days”
  - id: label
    expected_outcome: Offers a label
    input: Hello
    expected_output: Good morning!
    rubrics:
      - id: prepaid
        expected_outcome: Mentions “prepaid label”
`

// restarted is a server to which a file was opened, as an editor does after a restart.
type restarted struct {
	*lsptest.Editor
	uri string
}

func restart(t *testing.T, path, body string) restarted {
	t.Helper()
	e := restarted{startEditor(t, `{"experimental":{"rubric":{"results":true}}}`, `"initializationOptions":{"trusted":true}`), "file://" + filepath.ToSlash(path)}
	e.Open(e.uri, body)
	return e
}

// run runs a command and waits for the end of its job.
func (e restarted) run(command, more string) {
	var started struct{ Job string }
	e.RequestInto(&started, "workspace/executeCommand", fmt.Sprintf(`{"command":%q,"arguments":[{"uri":%q%s}]}`, command, e.uri, more))
	e.Await("the end of the job", func(m lsptest.Message) bool {
		return m.Method == "rubric/results" && strings.Contains(string(m.Params), `"job":"`+started.Job+`"`) && strings.Contains(string(m.Params), `"state":"done"`)
	})
}

// views returns everything that shows results.
func (e restarted) views() map[string]string {
	at := fmt.Sprintf(`{"textDocument":{"uri":%q},"position":{"line":2,"character":8}}`, e.uri)
	all := map[string]string{}
	for _, method := range []string{"rubric/testItems", "rubric/casePanel", "rubric/records", "rubric/report", "textDocument/codeLens", "textDocument/hover"} {
		all[method] = string(e.Request(method, at))
	}
	return all
}

// TestResultsSurviveARestart: a new server shows the results of the one before, as they were; what was
// edited since is stale, and an answer can be judged again.
func TestResultsSurviveARestart(t *testing.T) {
	path := filepath.Join(write(t, map[string]string{"a.eval.yaml": storedSuite}), "a.eval.yaml")
	e := restart(t, path, storedSuite)
	e.run("rubric.runFile", "")
	want := e.views()
	if !strings.Contains(want["rubric/testItems"], `"state":"fail"`) {
		t.Fatalf("no result: %s", want["rubric/testItems"])
	}
	e.Request("shutdown", nil)

	e = restart(t, path, storedSuite)
	for method, answer := range e.views() {
		if answer != want[method] {
			t.Errorf("%s after a restart:\n%s\nbefore:\n%s", method, answer, want[method])
		}
	}
	e.run("rubric.rejudge", `,"case":"label"`)
	e.Request("shutdown", nil)

	e = restart(t, path, strings.Replace(storedSuite, "prepaid label", "label", 1))
	var root struct {
		Children []struct {
			Result struct {
				State string
				Stale bool
			}
		}
	}
	e.RequestInto(&root, "rubric/testItems", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, e.uri))
	if got := fmt.Sprint(root.Children); got != "[{{pass false}} {{fail true}}]" {
		t.Errorf("after an edit while no server ran: %s", got)
	}
	e.Request("shutdown", nil)

	e = restart(t, filepath.Join(filepath.Dir(path), "other.eval.yaml"), storedSuite)
	if items := string(e.Request("rubric/testItems", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, e.uri))); strings.Contains(items, "result") {
		t.Errorf("another file has results: %s", items)
	}
}

// TestResultsFollowARenamedFile: a renamed file keeps its results, also if its folder is renamed, its new name had some or a
// new server shows them; a new file with the old name has none.
func TestResultsFollowARenamedFile(t *testing.T) {
	folder := filepath.Join(write(t, map[string]string{"evals/a.eval.yaml": storedSuite, "evals/b.eval.yaml": storedSuite}), "evals")
	e := restart(t, filepath.Join(folder, "b.eval.yaml"), storedSuite)
	e.run("rubric.runCase", `,"case":"window"`)
	e.uri = "file://" + filepath.ToSlash(filepath.Join(folder, "a.eval.yaml"))
	e.Open(e.uri, storedSuite)
	e.run("rubric.runFile", "")
	results := func(file string) string {
		var root struct {
			Children []struct {
				Result struct {
					State string
					Stale bool
				}
			}
		}
		e.RequestInto(&root, "rubric/testItems", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, "file://"+filepath.ToSlash(file)))
		return fmt.Sprint(root.Children)
	}
	const want = "[{{pass false}} {{fail false}}]"
	if got := results(filepath.Join(folder, "a.eval.yaml")); got != want {
		t.Fatalf("before: %s", got)
	}
	rename := func(from, to string, opened ...string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
		for _, file := range opened { // an editor may open a file before it tells of the new name
			e.Open("file://"+filepath.ToSlash(file), storedSuite)
			results(file)
		}
		e.Notify("workspace/didRenameFiles", fmt.Sprintf(`{"files":[{"oldUri":%q,"newUri":%q}]}`, "file://"+filepath.ToSlash(from), "file://"+filepath.ToSlash(to)))
	}
	renamed := filepath.Join(folder, "b.eval.yaml")
	rename(filepath.Join(folder, "a.eval.yaml"), renamed, renamed)
	if got := results(renamed); got != want {
		t.Errorf("after the file was renamed: %s", got)
	}
	moved := filepath.Join(filepath.Dir(folder), "tests")
	rename(folder, moved, filepath.Join(moved, "b.eval.yaml"))
	if got := results(filepath.Join(moved, "b.eval.yaml")); got != want {
		t.Errorf("after its folder was renamed: %s", got)
	}
	e.Open("file://"+filepath.ToSlash(renamed), storedSuite)
	if got := results(renamed); strings.Contains(got, "pass") {
		t.Errorf("a new file with the old name: %s", got)
	}
	e.Request("shutdown", nil)
	e = restart(t, filepath.Join(moved, "b.eval.yaml"), storedSuite)
	if got := results(filepath.Join(moved, "b.eval.yaml")); got != want {
		t.Errorf("in a new server: %s", got)
	}
}

// TestCompareWithAnEarlierRun compares as `rubric runs compare` does, also with a run of an earlier server.
func TestCompareWithAnEarlierRun(t *testing.T) {
	path := filepath.Join(write(t, map[string]string{"a.eval.yaml": storedSuite}), "a.eval.yaml")
	e := restart(t, path, storedSuite)
	type compared struct {
		Label, Outcome, Text string
		Range                lsptest.Range
		Criteria             []compared
	}
	var answer struct {
		Runs       []struct{ ID, Time, Label string }
		Comparison *struct {
			Title string
			Notes []string
			Cases []compared
		}
	}
	e.run("rubric.runFile", "")
	e.RequestInto(&answer, "rubric/compare", fmt.Sprintf(`{"uri":%q}`, e.uri))
	if len(answer.Runs) > 0 {
		t.Errorf("the only run can be compared with itself: %v", answer.Runs)
	}
	e.Request("shutdown", nil)

	better := strings.Replace(storedSuite, "Good morning!", "Here is a prepaid label.", 1)
	e = restart(t, path, better)
	e.run("rubric.runCase", `,"case":"label"`)
	e.RequestInto(&answer, "rubric/compare", fmt.Sprintf(`{"uri":%q}`, e.uri))
	if len(answer.Runs) != 1 || answer.Runs[0].Label != "1 of 2 cases pass, expected answers · offline judge" || answer.Runs[0].Time == "" {
		t.Fatalf("runs %v", answer.Runs)
	}
	raw := e.Request("workspace/executeCommand", fmt.Sprintf(`{"command":"rubric.compare","arguments":[{"uri":%q,"run":%q}]}`, e.uri, answer.Runs[0].ID))
	if err := json.Unmarshal(raw, &answer); err != nil {
		t.Fatal(err)
	}
	c := answer.Comparison
	if c.Title != "1 won, 0 lost, 1 tied of 2; mean difference +0.5; too few cases for an interval" || len(c.Notes) != 1 || len(c.Cases) != 1 {
		t.Fatalf("%s", raw)
	}
	won := c.Cases[0]
	if won.Label != "label" || won.Outcome != "win" || won.Text != "0 → 1" || won.Range.Start.Line != 8 || len(won.Criteria) != 1 {
		t.Errorf("%+v", won)
	} else if g := won.Criteria[0]; g.Text != "✗ no → ✓ yes" || g.Outcome != "win" || g.Range.Start.Line != 13 {
		t.Errorf("%+v", g)
	}
	files, _ := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "rubric", "results", "a.eval.yaml-*", "*.jsonl"))
	if len(files) != 2 {
		t.Fatalf("stored runs: %v", files)
	}
	if code, out, _ := rubric(t, "", "runs", "compare", files[0], files[1], "--force"); code != 0 || !strings.Contains(out, " won\n") {
		t.Errorf("rubric runs compare: exit status %d: %s", code, out)
	}
	if _, err := e.AwaitResponse(e.StartRequest("rubric/compare", fmt.Sprintf(`{"uri":%q,"run":"x"}`, e.uri))); err == nil || !strings.Contains(err.Message, "no earlier run `x`") {
		t.Errorf("an unknown run: %v", err)
	}
	if code, out, _ := rubric(t, "", "cache", "clear"); code != 0 || !strings.Contains(out, "results of editors deleted, ") {
		t.Errorf("rubric cache clear: exit status %d: %s", code, out)
	}
	if files, _ := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "rubric", "results", "*")); len(files) > 0 {
		t.Errorf("after rubric cache clear there is still %v", files)
	}
}
