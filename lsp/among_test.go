package lsp_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// TestAmong: an id that another file of the dataset has is told, where it is and
// as long as it is so, whatever is typed meanwhile.
func TestAmong(t *testing.T) {
	const (
		other = "/evals/0.eval.yaml"
		body  = "dataset: shop\nevalcases:\n  - id: a\n    expected_outcome: It works\n    input: Do it\n"
	)
	folder := lsptest.NewFolder(map[string]string{other: "# first\n" + body})
	e := start(t, folder, `{}`, `"workspaceFolders":[{"uri":"file:///evals","name":"evals"}]`)
	next := func(version, line int, want ...string) {
		t.Helper()
		var p lsptest.Published
		e.Next("what is found among the files", func(m lsptest.Message) bool {
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
	e.Change(doc, 2, lsptest.Type(0, 0, 0, "# ours\n"))
	next(2, 3, "duplicate-case-id")
	e.Change(doc, 3, lsptest.Type(3, 8, 9, "b"))
	next(3, 0)
	e.Change(doc, 4, lsptest.Type(3, 8, 9, "a"))
	next(4, 3, "duplicate-case-id")
	folder.Remove(other)
	e.Notify("workspace/didChangeWatchedFiles", `{"changes":[{"uri":"file://`+other+`","type":3}]}`)
	next(4, 0)
}
