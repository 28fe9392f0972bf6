//go:build unix

package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// startProcess starts `rubric lsp` as a process of its own, which the test may kill.
func startProcess(t *testing.T, binary string) (*lsptest.Editor, *exec.Cmd) {
	t.Helper()
	cmd := exec.Command(binary, "lsp")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	e := lsptest.Attach(t, lsptest.Framed(pipes{out, in}))
	e.Initialize(`{}`, `"initializationOptions":{"trusted":true}`)
	return e, cmd
}

// manyStored is an eval file with n cases that pass.
func manyStored(n int) string {
	body := "evalcases:\n"
	for i := range n {
		body += fmt.Sprintf("  - { id: case-%d, expected_outcome: Greets, input: Hi, expected_output: Hello, rubrics: [{ id: greets, expected_outcome: Mentions “Hello” }] }\n", i)
	}
	return body
}

// TestKilledSixTimes: a server that is killed in the middle of its runs leaves every result that it has
// sent, and the next one works.
func TestKilledSixTimes(t *testing.T) {
	binary, body := buildBinary(t), manyStored(400)
	useTempCache(t)
	uri := "file://" + filepath.ToSlash(filepath.Join(write(t, map[string]string{"a.eval.yaml": body}), "a.eval.yaml"))
	passed := map[string]bool{}
	for i := range 7 {
		e, cmd := startProcess(t, binary)
		e.Open(uri, body)
		var root struct {
			Children []struct {
				ID     string
				Result *struct{ State string }
			}
		}
		e.RequestInto(&root, "rubric/testItems", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, uri))
		for _, item := range root.Children {
			if passed[item.ID] && (item.Result == nil || item.Result.State != "pass") {
				t.Fatalf("after %d kills, %s has lost its result: %v", i, item.ID, item.Result)
			}
		}
		if len(root.Children) != 400 {
			t.Fatalf("%d cases", len(root.Children))
		}
		e.Request("workspace/executeCommand", fmt.Sprintf(`{"command":"rubric.runFile","arguments":[{"uri":%q}]}`, uri))
		want := `"state":"pass"`
		if i == 6 {
			want = `"state":"done"`
		}
		e.Await("results", func(m lsptest.Message) bool {
			return m.Method == "rubric/results" && strings.Contains(string(m.Params), want)
		})
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		e.AwaitClose()
		for _, m := range e.Messages() {
			var sent notified
			if m.Method == "rubric/results" && json.Unmarshal(m.Params, &sent) == nil {
				for _, r := range sent.Results {
					passed[r.ID] = passed[r.ID] || r.State == "pass" && !strings.Contains(r.ID, "/rubric/")
				}
			}
		}
	}
}

// notified are the results of a notification.
type notified struct{ Results []struct{ ID, State string } }

// project is a folder whose files change on disk while a server runs.
type project struct {
	t   *testing.T
	dir string
}

func (p project) uri(name string) string {
	return "file://" + filepath.ToSlash(filepath.Join(p.dir, name))
}

// events are the file events that a client sends after the files have changed.
func (p project) events(kind int, names ...string) string {
	var all []string
	for _, name := range names {
		all = append(all, fmt.Sprintf(`{"uri":%q,"type":%d}`, p.uri(name), kind))
	}
	return `{"changes":[` + strings.Join(all, ",") + `]}`
}

// start starts a server that has the project's folder.
func (p project) start() *lsptest.Editor {
	return startEditor(p.t, `{"textDocument":{"diagnostic":{}},"workspace":{"workspaceFolders":true}}`,
		fmt.Sprintf(`"workspaceFolders":[{"uri":%q,"name":"p"}]`, "file://"+filepath.ToSlash(p.dir)))
}

// problems returns the code and the message of every diagnostic in the folder.
func (p project) problems(e *lsptest.Editor) (all []string) {
	var report struct {
		Items []struct {
			URI   string
			Items []lsptest.Diagnostic
		}
	}
	e.RequestInto(&report, "workspace/diagnostic", `{"previousResultIds":[]}`)
	for _, file := range report.Items {
		for _, d := range file.Items {
			all = append(all, filepath.Base(file.URI)+" "+d.Code+" "+d.Message)
		}
	}
	slices.Sort(all)
	return all
}

// awaitFresh waits until a server reports what a new one does.
func (p project) awaitFresh(what string, e *lsptest.Editor, open map[string]string) {
	p.t.Helper()
	fresh := p.start()
	for name, body := range open {
		fresh.Open(p.uri(name), body)
	}
	want, got := p.problems(fresh), []string(nil)
	for range 1200 {
		if got = p.problems(e); slices.Equal(got, want) {
			if len(want) == 0 {
				p.t.Errorf("%s: no diagnostics at all", what)
			}
			return
		}
		time.Sleep(50 * time.Millisecond) // the server reads files after a pause
	}
	p.t.Errorf("%s: stale diagnostics:\n%s\na new server reports:\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
}

// TestFilesChangeOnDisk: after another branch was checked out, and a file renamed and deleted, a server
// reports what a new one reports.
func TestFilesChangeOnDisk(t *testing.T) {
	files, names := map[string]string{}, []string{}
	for i := range 60 {
		name := fmt.Sprintf("f%d.eval.yaml", i)
		files[name], names = strings.ReplaceAll(storedSuite, "rubrics:", fmt.Sprintf("weigth: %d\n    rubrics:", i)), append(names, name)
	}
	p := project{t, write(t, files)}
	e := p.start()
	open := map[string]string{"f0.eval.yaml": files["f0.eval.yaml"], "f1.eval.yaml": files["f1.eval.yaml"]}
	for name, body := range open {
		e.Open(p.uri(name), body)
	}
	p.awaitFresh("at the start", e, open)

	for i, name := range names { // another branch: a third is deleted, the rest differs
		path := filepath.Join(p.dir, name)
		if body := strings.ReplaceAll(files[name], "weigth", "wieght"); i%3 == 2 {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		} else if open[name] != "" {
			open[name] = body
			e.Change(p.uri(name), 2, lsptest.FullChange(body)) // editors read an unchanged file again
		}
	}
	e.Notify("workspace/didChangeWatchedFiles", p.events(2, names...))
	p.awaitFresh("after a switch of branches", e, open)

	renamed := filepath.Join(p.dir, "renamed.eval.yaml")
	if err := os.Rename(filepath.Join(p.dir, "f1.eval.yaml"), renamed); err != nil {
		t.Fatal(err)
	}
	e.Close(p.uri("f1.eval.yaml"))
	open["renamed.eval.yaml"] = open["f1.eval.yaml"]
	delete(open, "f1.eval.yaml")
	e.Open(p.uri("renamed.eval.yaml"), open["renamed.eval.yaml"])
	e.Notify("workspace/didChangeWatchedFiles", p.events(3, "f1.eval.yaml"))
	e.Notify("workspace/didChangeWatchedFiles", p.events(1, "renamed.eval.yaml"))
	p.awaitFresh("after a rename", e, open)

	if err := os.Remove(renamed); err != nil {
		t.Fatal(err)
	}
	e.Close(p.uri("renamed.eval.yaml"))
	delete(open, "renamed.eval.yaml")
	e.Notify("workspace/didChangeWatchedFiles", p.events(3, "renamed.eval.yaml"))
	p.awaitFresh("after a deletion", e, open)
}
