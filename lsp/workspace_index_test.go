package lsp_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// TestWorkspaceIndex checks that a duplicate id in another file of the dataset is reported at its
// current position, as long as it exists.
func TestWorkspaceIndex(t *testing.T) {
	const (
		other = "/evals/0.eval.yaml"
		body  = "dataset: shop\nevalcases:\n  - id: a\n    expected_outcome: It works\n    input: Do it\n"
	)
	folder := lsptest.NewFolder(map[string]string{other: "# first\n" + body})
	e := start(t, folder, `{}`, `"workspaceFolders":[{"uri":"file:///evals","name":"evals"}]`)
	next := func(version, line int, want ...string) {
		t.Helper()
		var p lsptest.Published
		e.AwaitNext("what is found among the files", func(m lsptest.Message) bool {
			p = lsptest.Published{}
			return m.Method == "textDocument/publishDiagnostics" && json.Unmarshal(m.Params, &p) == nil &&
				p.Version != nil && *p.Version == version && slices.Equal(lsptest.Codes(p.Diagnostics), want)
		})
		for _, d := range p.Diagnostics {
			if d.Range.Start.Line != line || len(d.Related) != 1 || d.Related[0].Location.URI != "file://"+other || d.Related[0].Location.Range.Start.Line != 3 {
				t.Errorf("%+v", d)
			}
		}
	}
	e.Open(doc, body)
	next(1, 2, "duplicate-case-id")
	e.Change(doc, 2, lsptest.TextChange(0, 0, 0, "# ours\n"))
	next(2, 3, "duplicate-case-id")
	e.Change(doc, 3, lsptest.TextChange(3, 8, 9, "b"))
	next(3, 0)
	e.Change(doc, 4, lsptest.TextChange(3, 8, 9, "a"))
	next(4, 3, "duplicate-case-id")
	folder.Remove(other)
	e.Notify("workspace/didChangeWatchedFiles", `{"changes":[{"uri":"file://`+other+`","type":3}]}`)
	next(4, 0)
}

// TestApart checks that files outside the datasets of open files are not analysed.
func TestApart(t *testing.T) {
	const body = "dataset: shop\nevalcases:\n  - id: a\n    expected_outcome: It works\n    input: Do it\n"
	folder := lsptest.NewFolder(map[string]string{"/evals/0.eval.yaml": body, "/evals/unrelated.eval.yaml": hasOne})
	server := newServer(folder)
	analysed, input := make(chan string, 100), server.Disk.Input
	server.Disk.Input = func(name string) analysis.Input { analysed <- name; return input(name) }
	e := lsptest.Start(t, server)
	e.Initialize(`{}`, `"workspaceFolders":[{"uri":"file:///evals","name":"evals"}]`)
	e.Open(doc, body)
	e.Await("what is found among the files", func(m lsptest.Message) bool {
		return m.Method == "textDocument/publishDiagnostics" && strings.Contains(string(m.Params), "duplicate-case-id")
	})
	e.Stop()
	close(analysed)
	seen := map[string]bool{}
	for name := range analysed {
		seen[name] = true
	}
	if !seen["/evals/0.eval.yaml"] || seen["/evals/unrelated.eval.yaml"] {
		t.Errorf("%v", seen)
	}
}
