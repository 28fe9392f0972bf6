package lsp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// TestDiagnostic checks all properties of a diagnostic.
func TestDiagnostic(t *testing.T) {
	const twice = "evalcases:\n  - id: a\n    expected_outcome: It works\n    input: Do it\n  - id: a\n    expected_outcome: It works\n    input: Do it\n"
	for _, c := range []struct {
		name, capabilities string
		related            int
	}{
		{"a client that says nothing", `{}`, 1},
		{"one that shows second places", `{"textDocument":{"publishDiagnostics":{"relatedInformation":true}}}`, 1},
		{"one that does not", `{"textDocument":{"publishDiagnostics":{}}}`, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := start(t, nil, c.capabilities)
			e.Open(doc, twice)
			found := e.AwaitDiagnostics(doc, 1)
			if len(found) != 1 || len(found[0].Related) != c.related {
				t.Fatalf("%+v", found)
			}
			d := found[0]
			if d.Code != "duplicate-case-id" || d.Severity != 1 || d.Source != "rubric" || !strings.HasSuffix(d.CodeDescription.Href, "#duplicate-case-id") ||
				d.Range != (lsptest.Range{Start: lsptest.Position{Line: 4, Character: 8}, End: lsptest.Position{Line: 4, Character: 9}}) {
				t.Errorf("%+v", d)
			}
			if c.related > 0 && (d.Related[0].Location.URI != doc || d.Related[0].Location.Range.Start.Line != 1) {
				t.Errorf("%+v", d.Related)
			}
		})
	}
}

// TestTags checks the tags for unnecessary and deprecated text, if the client shows them.
func TestTags(t *testing.T) {
	const retired = "description: &unused x\ngrader: llm_judge\nevalcases:\n  - id: a\n    expected_outcome: It works\n    input: Do it\n"
	tags := func(capabilities string) (all []int) {
		e := start(t, nil, capabilities)
		e.Open(doc, retired)
		for _, d := range e.AwaitDiagnostics(doc, 1) {
			all = append(all, d.Tags...)
		}
		return all
	}
	if got := tags(`{"textDocument":{"publishDiagnostics":{"tagSupport":{"valueSet":[1,2]}}}}`); !slices.Equal(got, []int{1, 2}) {
		t.Errorf("%v", got)
	}
	if got := tags(`{"textDocument":{"publishDiagnostics":{"tagSupport":{"valueSet":[2]}}}}`); !slices.Equal(got, []int{2}) {
		t.Errorf("%v", got)
	}
	if got := tags(`{"textDocument":{"publishDiagnostics":{}}}`); got != nil {
		t.Errorf("%v", got)
	}
}

// TestOthers checks that other YAML files get no diagnostics, and that an eval file stays one while
// its first line is edited.
func TestOthers(t *testing.T) {
	e := start(t, nil, "{}")
	const compose = "file:///compose.yaml"
	e.Open(compose, "services:\n  web: {image: x, image: y}\n")
	if found := e.AwaitDiagnostics(compose, 1); len(found) != 0 {
		t.Errorf("%+v", found)
	}
	const suite = "file:///suite-of-mine.yaml"
	e.Open(suite, hasOne)
	e.AwaitDiagnostics(suite, 1)
	e.Change(suite, 2, lsptest.TextChange(0, 4, 9, ""))
	if found := e.AwaitDiagnostics(suite, 2); len(found) == 0 {
		t.Error("a half-typed file is silent")
	}
}

type fileReport struct {
	Kind, ResultID, URI string
	Version             *int
	Items               []lsptest.Diagnostic
}

func (r fileReport) String() string {
	return fmt.Sprintf("%s %s %v", strings.TrimPrefix(r.URI, "file:///evals/"), r.Kind, lsptest.Codes(r.Items))
}

// TestPull checks that a client that pulls diagnostics gets none pushed.
func TestPull(t *testing.T) {
	e := start(t, nil, `{"textDocument":{"diagnostic":{},"publishDiagnostics":{}}}`)
	e.Open(doc, hasOne)
	pull := func(previous string) (r fileReport) {
		params := map[string]any{"textDocument": map[string]any{"uri": doc}}
		if previous != "" {
			params["previousResultId"] = previous
		}
		e.RequestInto(&r, "textDocument/diagnostic", params)
		return r
	}
	first := pull("")
	if first.Kind != "full" || len(first.Items) != 1 || first.ResultID == "" {
		t.Fatalf("%+v", first)
	}
	if same := pull(first.ResultID); same.Kind != "unchanged" || same.ResultID != first.ResultID || same.Items != nil {
		t.Errorf("%+v", same)
	}
	e.Change(doc, 2, lsptest.TextChange(2, 13, 19, "outcome"))
	if changed := pull(first.ResultID); changed.Kind != "full" || len(changed.Items) != 0 || changed.ResultID == first.ResultID {
		t.Errorf("%+v", changed)
	}
	e.Close(doc)
	if closed := pull(""); closed.Kind != "full" || closed.Items == nil || len(closed.Items) != 0 {
		t.Errorf("%+v", closed)
	}
	for _, m := range e.Messages() {
		if m.Method == "textDocument/publishDiagnostics" {
			t.Errorf("pushed: %s", m.Params)
		}
	}
}

// TestWorkspace checks the diagnostics of all files, open and closed, as partial results and again.
func TestWorkspace(t *testing.T) {
	folder := lsptest.NewFolder(map[string]string{
		"/evals/a.eval.yaml": hasOne, "/evals/b.eval.yaml": hasOne, "/evals/other.yaml": "x: 1\n", "/elsewhere/c.eval.yaml": hasOne,
	})
	e := start(t, folder, `{"textDocument":{"diagnostic":{}}}`, `"workspaceFolders":[{"uri":"file:///evals","name":"evals"}]`)
	e.Open("file:///evals/b.eval.yaml", strings.Replace(hasOne, "outcme", "outcome", 1))
	ask := func(extra string, previous ...fileReport) (all []fileReport) {
		ids := []map[string]string{}
		for _, r := range previous {
			ids = append(ids, map[string]string{"uri": r.URI, "value": r.ResultID})
		}
		encoded, _ := json.Marshal(ids)
		var result struct{ Items []fileReport }
		e.RequestInto(&result, "workspace/diagnostic", fmt.Sprintf(`{"previousResultIds":%s%s}`, encoded, extra))
		return result.Items
	}
	first := ask("")
	if got := fmt.Sprint(first); got != "[a.eval.yaml full [unknown-key] b.eval.yaml full []]" {
		t.Errorf("%s", got)
	}
	if first[0].Version != nil || first[1].Version == nil || *first[1].Version != 1 {
		t.Errorf("versions %v and %v", first[0].Version, first[1].Version)
	}
	if got := fmt.Sprint(ask("", first...)); got != "[a.eval.yaml unchanged [] b.eval.yaml unchanged []]" {
		t.Errorf("%s", got)
	}
	folder.Remove("/evals/a.eval.yaml")
	folder.Write("/evals/d.eval.yaml", hasOne)
	if got := fmt.Sprint(ask("", first...)); got != "[b.eval.yaml unchanged [] d.eval.yaml full [unknown-key] a.eval.yaml full []]" {
		t.Errorf("%s", got)
	}
	if last := ask(`,"partialResultToken":"p"`); len(last) != 0 {
		t.Errorf("%v beside the pieces", last)
	}
	m := e.Await("a piece", func(m lsptest.Message) bool { return m.Method == "$/progress" })
	var piece struct {
		Token string
		Value struct{ Items []fileReport }
	}
	if err := json.Unmarshal(m.Params, &piece); err != nil || piece.Token != "p" || len(piece.Value.Items) != 2 {
		t.Errorf("%s", m.Params)
	}
	e.Notify("workspace/didChangeWorkspaceFolders", `{"event":{"added":[{"uri":"file:///elsewhere","name":"x"}],"removed":[{"uri":"file:///evals","name":"evals"}]}}`)
	e.Close("file:///evals/b.eval.yaml")
	if got := fmt.Sprint(ask("")); got != "[file:///elsewhere/c.eval.yaml full [unknown-key]]" {
		t.Errorf("%s", got)
	}
}

// TestDependencies checks that diagnostics follow changes of other files, on disk and in open
// documents.
func TestDependencies(t *testing.T) {
	const refers = "evalcases:\n  - id: a\n    expected_outcome: It works\n    input:\n      - role: user\n        content:\n          - { type: file, value: there.md }\n"
	folder := lsptest.NewFolder(map[string]string{"/evals/there.md": "x"})
	e := start(t, folder, `{"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":true}}}`)
	e.Await("a registration", func(m lsptest.Message) bool {
		return m.Method == "client/registerCapability" && strings.Contains(string(m.Params), "workspace/didChangeWatchedFiles")
	})
	next := func(want ...string) {
		t.Helper()
		m := e.AwaitNext("diagnostics", func(m lsptest.Message) bool { return m.Method == "textDocument/publishDiagnostics" })
		var p lsptest.Published
		if err := json.Unmarshal(m.Params, &p); err != nil || !slices.Equal(lsptest.Codes(p.Diagnostics), want) {
			t.Errorf("%s, want %v", m.Params, want)
		}
	}
	e.Open(doc, refers)
	next()
	folder.Remove("/evals/there.md")
	e.Notify("workspace/didChangeWatchedFiles", `{"changes":[{"uri":"file:///evals/there.md","type":3}]}`)
	next("missing-file")
	folder.Write("/evals/there.md", "x")
	e.Notify("textDocument/didSave", `{"textDocument":{"uri":"file:///evals/there.md"}}`)
	next()
	folder.SetSeverities(map[string]diag.Severity{"missing-file": diag.Error})
	folder.Remove("/evals/there.md")
	e.Notify("workspace/didChangeWatchedFiles", `{"changes":[{"uri":"file:///evals/.rubric.yaml","type":1}]}`)
	next("missing-file")
}

// TestRefresh checks that a client that pulls is asked to pull again when another file has changed.
func TestRefresh(t *testing.T) {
	folder := lsptest.NewFolder(nil)
	e := start(t, folder, `{"textDocument":{"diagnostic":{}},"workspace":{"diagnostics":{"refreshSupport":true}}}`)
	e.Notify("workspace/didChangeWatchedFiles", `{"changes":[{"uri":"file:///evals/b.eval.yaml","type":1}]}`)
	e.Await("a refresh", func(m lsptest.Message) bool { return m.Method == "workspace/diagnostic/refresh" })
}
