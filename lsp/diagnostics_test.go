package lsp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/lsp"
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
	folder := newFolder(map[string]string{
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
	folder := newFolder(map[string]string{"/evals/there.md": "x"})
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
	folder.Remove("/evals/there.md")
	e.Notify("workspace/didDeleteFiles", `{"files":[{"uri":"file:///evals/there.md"}]}`)
	next("missing-file")
	folder.Write("/evals/there.md", "x")
	e.Notify("workspace/didCreateFiles", `{"files":[{"uri":"file:///evals/there.md"}]}`)
	next()
	folder.SetSettings(lsp.ProjectSettings{Severities: map[string]diag.Severity{"missing-file": diag.Error}})
	folder.Remove("/evals/there.md")
	e.Notify("workspace/didChangeWatchedFiles", `{"changes":[{"uri":"file:///evals/.rubric.yaml","type":1}]}`)
	next("missing-file")
}

// TestRefresh checks that a client that pulls is asked to pull again when another file has changed.
func TestRefresh(t *testing.T) {
	folder := newFolder(nil)
	e := start(t, folder, `{"textDocument":{"diagnostic":{}},"workspace":{"diagnostics":{"refreshSupport":true}}}`)
	e.Notify("workspace/didChangeWatchedFiles", `{"changes":[{"uri":"file:///evals/b.eval.yaml","type":1}]}`)
	e.Await("a refresh", func(m lsptest.Message) bool { return m.Method == "workspace/diagnostic/refresh" })
}

// faultySuite returns a suite in which every case has an error, except one with a hint.
func faultySuite(cases, mild int) string {
	var b strings.Builder
	b.WriteString("evalcases:\n")
	for i := range cases {
		fmt.Fprintf(&b, "  - id: case-%d\n    expected_outcome: It works\n    input: Do it\n", i)
		if i == mild {
			b.WriteString("    rubrics: [Is good]\n")
		} else {
			b.WriteString("    wieght: 1\n")
		}
	}
	return b.String()
}

// TestCut checks that with more than a thousand findings the client learns how many are left out
// and gets those near the cursor.
func TestCut(t *testing.T) {
	const cases, mild = 1200, 1100
	line := 1 + 4*mild
	near := func(all []lsptest.Diagnostic) (n int) {
		for _, d := range all {
			if d.Range.Start.Line >= line && d.Range.Start.Line < line+4 {
				n++
			}
		}
		return n
	}
	check := func(t *testing.T, all []lsptest.Diagnostic, hidden bool) {
		t.Helper()
		if len(all) != 1000 || all[0].Code != "not-all-shown" || all[0].Severity != 3 || all[0].Range.End.Line != 0 || all[0].Range.End.Character == 0 {
			t.Fatalf("%d, first %+v", len(all), all[0])
		}
		if !strings.Contains(all[0].Message, "more findings are not shown") {
			t.Errorf("%s", all[0].Message)
		}
		if (near(all) == 0) != hidden {
			t.Errorf("%d near line %d", near(all), line)
		}
	}
	t.Run("pushed", func(t *testing.T) {
		e := start(t, nil, "{}")
		e.Open(doc, faultySuite(cases, mild))
		check(t, e.AwaitDiagnostics(doc, 1), true)
		e.Request("textDocument/inlayHint", fmt.Sprintf(`{"textDocument":{"uri":%q},"range":{"start":{"line":%d,"character":0},"end":{"line":%d,"character":0}}}`, doc, line-20, line+20))
		e.Await("the findings where somebody looks", func(m lsptest.Message) bool {
			var p lsptest.Published
			return m.Method == "textDocument/publishDiagnostics" && json.Unmarshal(m.Params, &p) == nil && near(p.Diagnostics) > 0
		})
		e.Change(doc, 2, lsptest.TextChange(2, 6, 6, "x"))
		check(t, e.AwaitDiagnostics(doc, 2), true)
		e.Change(doc, 3, lsptest.TextChange(line+1, 25, 25, "x"))
		check(t, e.AwaitDiagnostics(doc, 3), false)
	})
	t.Run("pulled", func(t *testing.T) {
		e := start(t, nil, `{"textDocument":{"diagnostic":{}}}`)
		e.Open(doc, faultySuite(cases, mild))
		pull := func() []lsptest.Diagnostic {
			var r fileReport
			e.RequestInto(&r, "textDocument/diagnostic", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, doc))
			return r.Items
		}
		check(t, pull(), true)
		e.Change(doc, 2, lsptest.TextChange(line+1, 25, 25, "x"))
		check(t, pull(), false)
	})
}

// TestUncut checks that nothing is left out up to that number.
func TestUncut(t *testing.T) {
	e := start(t, nil, "{}")
	e.Open(doc, faultySuite(999, -1))
	if all := e.AwaitDiagnostics(doc, 1); len(all) != 999 || all[0].Code != "unknown-key" {
		t.Errorf("%d, first %+v", len(all), all[0])
	}
}

// poll is a client with reports on a workspace that waits for changes, as partial results.
type poll struct {
	*lsptest.Editor
	folder *folder
	known  string // result ids as JSON
}

func startPoll(t *testing.T) *poll {
	p := &poll{folder: newFolder(map[string]string{"/evals/a.eval.yaml": hasOne, "/evals/b.eval.yaml": hasOne})}
	p.Editor = start(t, p.folder, `{"textDocument":{"diagnostic":{}}}`, `"workspaceFolders":[{"uri":"file:///evals","name":"evals"}]`)
	var first struct{ Items []fileReport }
	p.RequestInto(&first, "workspace/diagnostic", `{"previousResultIds":[]}`)
	var ids []string
	for _, r := range first.Items {
		ids = append(ids, fmt.Sprintf(`{"uri":%q,"value":%q}`, r.URI, r.ResultID))
	}
	p.known = "[" + strings.Join(ids, ",") + "]"
	return p
}

// ask sends the request and checks that it is not answered at once.
func (p *poll) ask(t *testing.T) (id int) {
	t.Helper()
	id = p.StartRequest("workspace/diagnostic", `{"previousResultIds":`+p.known+`,"partialResultToken":"p"}`)
	p.Request("workspace/symbol", `{"query":""}`)
	for _, m := range p.Messages() {
		if string(m.ID) == fmt.Sprint(id) {
			t.Fatalf("it is answered at once: %s", m.Result)
		}
	}
	return id
}

// TestLongPoll checks that the request is answered after a change on disk or in an editor.
func TestLongPoll(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*poll)
		want   string
	}{
		{"on disk", func(p *poll) {
			p.folder.Write("/evals/a.eval.yaml", strings.Replace(hasOne, "outcme", "outcome", 1))
			p.Notify("workspace/didChangeWatchedFiles", `{"changes":[{"uri":"file:///evals/a.eval.yaml","type":2}]}`)
		}, "[a.eval.yaml full [] b.eval.yaml unchanged []]"},
		{"gone", func(p *poll) {
			p.folder.Remove("/evals/b.eval.yaml")
			p.Notify("workspace/didChangeWatchedFiles", `{"changes":[{"uri":"file:///evals/b.eval.yaml","type":3}]}`)
		}, "[a.eval.yaml unchanged [] b.eval.yaml full []]"},
		{"in an editor", func(p *poll) {
			p.Open("file:///evals/b.eval.yaml", strings.Replace(hasOne, "outcme", "outcome", 1))
		}, "[a.eval.yaml unchanged [] b.eval.yaml full []]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := startPoll(t)
			id := p.ask(t)
			c.change(p)
			m := p.Await("a piece", func(m lsptest.Message) bool { return m.Method == "$/progress" })
			var piece struct{ Value struct{ Items []fileReport } }
			if err := json.Unmarshal(m.Params, &piece); err != nil || fmt.Sprint(piece.Value.Items) != c.want {
				t.Errorf("%s", m.Params)
			}
			if rest, err := p.AwaitResponse(id); err != nil || string(rest) != `{"items":[]}` {
				t.Errorf("%s %v", rest, err)
			}
		})
	}
}

// TestLongPollEnds checks that the request can be cancelled and does not delay shutdown.
func TestLongPollEnds(t *testing.T) {
	p := startPoll(t)
	given := p.ask(t)
	p.Notify("$/cancelRequest", fmt.Sprintf(`{"id":%d}`, given))
	if _, err := p.AwaitResponse(given); err == nil || err.Code != -32800 {
		t.Errorf("%v", err)
	}
	pending := p.ask(t)
	p.Request("shutdown", nil)
	if rest, err := p.AwaitResponse(pending); err != nil || !strings.HasPrefix(string(rest), `{"items":[`) {
		t.Errorf("%s %v", rest, err)
	}
	p.Notify("exit", nil)
	if status := p.AwaitExit(); status != 0 {
		t.Errorf("status %d", status)
	}
}

// TestWorkspaceIndex checks that a duplicate id in another file of the dataset is reported at its
// current position, as long as it exists.
func TestWorkspaceIndex(t *testing.T) {
	const (
		other = "/evals/0.eval.yaml"
		body  = "dataset: shop\nevalcases:\n  - id: a\n    expected_outcome: It works\n    input: Do it\n"
	)
	folder := newFolder(map[string]string{other: "# first\n" + body})
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
	folder := newFolder(map[string]string{"/evals/0.eval.yaml": body, "/evals/unrelated.eval.yaml": hasOne})
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
