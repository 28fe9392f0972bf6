package lsp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/lsp/lsptest"
)

const reading = `# suites of refunds
# and returns
evalcases:
  - id: refund
    expected_outcome: Names thirty days
    input: Can I send it back?
    rubrics: &window
      - id: days
        expected_outcome: Names thirty days
        weight: 2
      - Is polite
  - id: "日😀"
    expected_outcome: Names thirty days
    input: And this?
    rubrics: *window
`

func at(line, character int) string {
	return fmt.Sprintf(`{"textDocument":{"uri":"%s"},"position":{"line":%d,"character":%d}}`, doc, line, character)
}

func requestIn(e *lsptest.Editor, method, params string) string {
	return canonical(e.Request(method, params))
}

// TestReading sends every read-only request about a position or a document. Other files and closed
// documents get empty results.
func TestReading(t *testing.T) {
	const capabilities = `{"textDocument":{"documentSymbol":{"hierarchicalDocumentSymbolSupport":true},"rename":{"prepareSupport":true},"hover":{"contentFormat":["markdown"]}}}`
	e := start(t, nil, capabilities)
	e.Open(doc, reading)
	const other = "file:///compose.yaml"
	e.Open(other, "services:\n  web: &a x\n")
	whole := `{"textDocument":{"uri":"` + doc + `"}`
	for _, c := range []struct {
		method, params string
		want           []string // all must be in the result
		none           string   // the result for a file that is not an eval file
	}{
		{"textDocument/hover", at(9, 10), []string{`"kind":"markdown"`, `"start":{"character":8,"line":9}`, "weight"}, "null"},
		{"textDocument/documentSymbol", whole + `}`, []string{`"name":"refund"`, `"name":"日😀"`, `"children":[`, `"selectionRange"`}, "[]"},
		{"textDocument/foldingRange", whole + `}`, []string{`"endLine":1,"kind":"comment","startLine":0`, `"endLine":10,"startLine":3`}, "[]"},
		{"textDocument/selectionRange", whole + `,"positions":[{"line":8,"character":28}]}`, []string{`"parent":{`, `"end":{"character":0,"line":15},"start":{"character":0,"line":0}`}, "[]"},
		{"textDocument/documentHighlight", at(14, 16), []string{`"kind":3`, `"kind":2`}, "[]"},
		{"textDocument/linkedEditingRange", at(14, 16), []string{`"line":6`, `"line":14`, `"wordPattern"`}, "null"},
		{"textDocument/definition", at(14, 16), []string{`"start":{"character":14,"line":6}`, doc}, "[]"},
		{"textDocument/references", at(6, 16)[:len(at(6, 16))-1] + `,"context":{"includeDeclaration":true}}`, []string{`"line":6`, `"line":14`}, "[]"},
		{"textDocument/prepareRename", at(6, 16), []string{`"placeholder":"window"`}, "null"},
		{"textDocument/rename", at(6, 16)[:len(at(6, 16))-1] + `,"newName":"frame"}`, []string{`"newText":"frame"`, `"line":6`, `"line":14`}, "null"},
		{"textDocument/completion", at(9, 8), []string{`"label":"required"`, `"isIncomplete":false`, `"sortText":"0000"`}, `{"isIncomplete":false,"items":[]}`},
		{"textDocument/inlayHint", whole + `,"range":{"start":{"line":7,"character":0},"end":{"line":9,"character":20}}}`, []string{`"label":"required"`, `"line":7`}, "[]"},
		{"textDocument/formatting", whole + `,"options":{"tabSize":2,"insertSpaces":true}}`, []string{"[]"}, "[]"},
		{"textDocument/rangeFormatting", whole + `,"range":{"start":{"line":0,"character":0},"end":{"line":15,"character":0}},"options":{"tabSize":2,"insertSpaces":true}}`, []string{"[]"}, "[]"},
		{"textDocument/onTypeFormatting", at(6, 0)[:len(at(6, 0))-1] + `,"ch":"\n","options":{"tabSize":2,"insertSpaces":true}}`, []string{"[]"}, "[]"},
		{"textDocument/semanticTokens/full", whole + `}`, []string{`"data":[0,0,19,9,0,1,0,13,9,0,`, `"resultId"`}, "null"},
		{"textDocument/semanticTokens/range", whole + `,"range":{"start":{"line":9,"character":0},"end":{"line":9,"character":20}}}`, []string{`"data":[9,8,6,0,0,0,8,1,5,0]`}, "null"},
	} {
		t.Run(c.method, func(t *testing.T) {
			got := requestIn(e, c.method, c.params)
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("no %s in\n%s", want, got)
				}
			}
			for _, u := range []string{other, "file:///closed.eval.yaml"} {
				if got := requestIn(e, c.method, strings.ReplaceAll(c.params, doc, u)); got != c.none {
					t.Errorf("of %s: %s", u, got)
				}
			}
		})
	}
}

// TestCompletion checks that each client gets the text that it can insert, with or without
// placeholders.
func TestCompletion(t *testing.T) {
	type item struct {
		Label            string
		InsertTextFormat int
		InsertTextMode   int
		TextEdit         struct{ NewText string }
		Data             json.RawMessage
		Documentation    struct{ Kind, Value string }
	}
	items := func(e *lsptest.Editor) map[string]item {
		var list struct{ Items []item }
		e.Open(doc, "evalcases:\n  - id: a\n    \n")
		e.RequestInto(&list, "textDocument/completion", at(2, 4))
		all := map[string]item{}
		for _, i := range list.Items {
			all[i.Label] = i
		}
		return all
	}
	rich := start(t, nil, `{"textDocument":{"completion":{"completionItem":{"snippetSupport":true,"insertTextModeSupport":{"valueSet":[1]}}}}}`)
	plain := start(t, nil, `{}`)
	some := 0
	for label, r := range items(rich) {
		p := items(plain)[label]
		if r.InsertTextMode != 1 || p.InsertTextMode != 0 || p.InsertTextFormat != 0 {
			t.Errorf("%s: %+v, plainly %+v", label, r, p)
		}
		if r.InsertTextFormat == 2 {
			some++
		}
		if strings.Contains(p.TextEdit.NewText, "${") {
			t.Errorf("%s: %+v", label, p)
		}
	}
	if some == 0 {
		t.Error("nothing is left to fill in")
	}
	outcome := items(rich)["expected_outcome"]
	if outcome.Data == nil {
		t.Fatal("there is nothing to look up")
	}
	encoded, _ := json.Marshal(map[string]any{"label": "x", "data": outcome.Data})
	var resolved item
	rich.RequestInto(&resolved, "completionItem/resolve", string(encoded))
	if resolved.Documentation.Kind != "markdown" || len(resolved.Documentation.Value) < 20 {
		t.Errorf("%+v", resolved)
	}
	if _, err := rich.AwaitResponse(rich.StartRequest("completionItem/resolve", `{"label":"x","data":7}`)); err == nil || err.Code != -32602 {
		t.Errorf("data that is not ours: %v", err)
	}
}

// TestLinks checks that links and definitions lead to existing files.
func TestLinks(t *testing.T) {
	const refers = "evalcases:\n  - id: a\n    expected_outcome: It works\n    input:\n      - role: user\n        content:\n          - { type: file, value: there.md }\n          - { type: file, value: gone.md }\n"
	e := start(t, newFolder(map[string]string{"/evals/there.md": "x"}), "{}")
	e.Open(doc, refers)
	got := requestIn(e, "textDocument/documentLink", `{"textDocument":{"uri":"`+doc+`"}}`)
	if !strings.Contains(got, `"target":"file:///evals/there.md"`) || strings.Contains(got, "gone") {
		t.Errorf("%s", got)
	}
	if got := requestIn(e, "textDocument/definition", at(6, 36)); !strings.Contains(got, `"uri":"file:///evals/there.md"`) {
		t.Errorf("%s", got)
	}
	if got := requestIn(e, "textDocument/definition", at(7, 36)); got != "[]" {
		t.Errorf("%s", got)
	}
}

// TestFormatting checks that formatting changes only the requested lines or the new line.
func TestFormatting(t *testing.T) {
	e := start(t, nil, "{}")
	e.Open(doc, "evalcases:\n  - id:   a  \n    expected_outcome:   It works # as it is   \n    input:  Do it\n\n")
	const options = `"options":{"tabSize":2,"insertSpaces":true}}`
	got := requestIn(e, "textDocument/rangeFormatting", `{"textDocument":{"uri":"`+doc+`"},"range":{"start":{"line":1,"character":0},"end":{"line":2,"character":0}},`+options)
	if !strings.Contains(got, `"line":1`) || strings.Contains(got, `"line":3`) {
		t.Errorf("%s", got)
	}
	all := requestIn(e, "textDocument/formatting", `{"textDocument":{"uri":"`+doc+`"},`+options)
	if !strings.Contains(all, `"line":1`) || !strings.Contains(all, `"line":3`) || strings.Contains(all, "as it is") {
		t.Errorf("%s", all)
	}
	e.Change(doc, 2, lsptest.TextChange(3, 17, 17, "\n"))
	if got := requestIn(e, "textDocument/onTypeFormatting", at(4, 0)[:len(at(4, 0))-1]+`,"ch":"\n",`+options); !strings.Contains(got, `"newText":"    "`) {
		t.Errorf("%s", got)
	}
}

// TestRefusedRename checks the reason why a name cannot be renamed.
func TestRefusedRename(t *testing.T) {
	e := start(t, nil, `{}`)
	e.Open(doc, reading)
	for method, params := range map[string]string{
		"textDocument/prepareRename": at(9, 10),
		"textDocument/rename":        at(3, 10)[:len(at(3, 10))-1] + `,"newName":""}`,
	} {
		if result, err := e.AwaitResponse(e.StartRequest(method, params)); err == nil || err.Code != -32803 || len(err.Message) < 10 {
			t.Errorf("%s: %s, %v", method, result, err)
		}
	}
}

// TestAcrossFiles checks definitions and renames of a target across files, open or on disk.
func TestAcrossFiles(t *testing.T) {
	folder := newFolder(map[string]string{
		"/evals/targets.yaml": "targets:\n  - name: fast\n    provider: mock\n",
		"/evals/b.eval.yaml":  "target: fast\n" + strings.Replace(reading, "id: refund", "id: fast-refund", 1),
	})
	e := start(t, folder, `{"workspace":{"workspaceEdit":{"documentChanges":true}}}`, `"workspaceFolders":[{"uri":"file:///evals","name":"evals"}]`)
	e.Open(doc, "target: fast\n"+reading)
	if got := requestIn(e, "textDocument/definition", at(0, 9)); !strings.Contains(got, "file:///evals/targets.yaml") || !strings.Contains(got, `"line":1`) {
		t.Errorf("%s", got)
	}
	got := requestIn(e, "textDocument/rename", at(0, 9)[:len(at(0, 9))-1]+`,"newName":"quick"}`)
	for _, want := range []string{`"uri":"file:///evals/targets.yaml","version":null`, `"uri":"file:///evals/b.eval.yaml","version":null`, `"uri":"` + doc + `","version":1`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	var symbols []struct {
		Name     string
		Location struct{ URI string }
	}
	e.RequestInto(&symbols, "workspace/symbol", `{"query":"FSTREF"}`)
	if len(symbols) != 1 || symbols[0].Name != "fast-refund" || symbols[0].Location.URI != "file:///evals/b.eval.yaml" {
		t.Errorf("%+v", symbols)
	}
}

// TestFlatSymbols checks the flat list for clients without tree support.
func TestFlatSymbols(t *testing.T) {
	e := start(t, nil, "{}")
	e.Open(doc, reading)
	if got := requestIn(e, "textDocument/documentSymbol", `{"textDocument":{"uri":"`+doc+`"}}`); !strings.Contains(got, `"containerName":"refund"`) || strings.Contains(got, "children") {
		t.Errorf("%s", got)
	}
}

// TestColours checks that deltas keep an editor's tokens current.
func TestColours(t *testing.T) {
	e := start(t, nil, "{}")
	e.Open(doc, reading)
	type tokens struct {
		ResultID string
		Data     []int
		Edits    []struct {
			Start, DeleteCount int
			Data               []int
		}
	}
	var now tokens
	whole := `{"textDocument":{"uri":"` + doc + `"}`
	e.RequestInto(&now, "textDocument/semanticTokens/full", whole+"}")
	for version, change := range []string{
		lsptest.TextChange(9, 16, 17, "3 # three"), lsptest.TextChange(0, 0, 0, "# one more line\n"), lsptest.TextChange(1, 0, 0, ""), lsptest.TextChange(4, 0, 30, ""),
	} {
		e.Change(doc, version+2, change)
		var delta, full tokens
		e.RequestInto(&delta, "textDocument/semanticTokens/full/delta", whole+`,"previousResultId":"`+now.ResultID+`"}`)
		for _, d := range delta.Edits {
			now.Data = append(append(append([]int{}, now.Data[:d.Start]...), d.Data...), now.Data[d.Start+d.DeleteCount:]...)
		}
		e.RequestInto(&full, "textDocument/semanticTokens/full", whole+"}")
		if fmt.Sprint(full.Data) != fmt.Sprint(now.Data) || delta.Data != nil {
			t.Errorf("version %d:\n%v\nis\n%v", version, now.Data, full.Data)
		}
		now = full
	}
	var again tokens
	e.RequestInto(&again, "textDocument/semanticTokens/full/delta", whole+`,"previousResultId":"no such"}`)
	if again.Data == nil || again.Edits != nil {
		t.Errorf("a change since nothing: %+v", again)
	}
}

// completionLabels returns the labels of a completion and whether the list is incomplete.
func completionLabels(e *lsptest.Editor, line, character int) (all []string, cut bool) {
	var list struct {
		IsIncomplete bool
		Items        []struct{ Label string }
	}
	e.RequestInto(&list, "textDocument/completion", at(line, character))
	for _, i := range list.Items {
		all = append(all, i.Label)
	}
	return all, list.IsIncomplete
}

// TestFirstCaseHalfTyped checks that keys are proposed in the first case of a new list of cases, which is reported
// once it is one, and not in other lists.
func TestFirstCaseHalfTyped(t *testing.T) {
	for file, want := range map[string]bool{"evals/new.jsonl": true, "data/new.jsonl": false, "evals/new.yaml": true, "data/new.yaml": false} {
		e := start(t, nil, "{}")
		body, place := `{"id": "a", "crit"}`, at(0, 17)
		if strings.HasSuffix(file, "yaml") {
			body, place = "- id: a\n  crit", at(1, 6)
		}
		e.Open("file:///"+file, body)
		if found := e.AwaitDiagnostics("file:///"+file, 1); len(found) != 0 {
			t.Errorf("%s: %+v", file, found)
		}
		answer := string(e.Request("textDocument/completion", strings.Replace(place, doc, "file:///"+file, 1)))
		if strings.Contains(answer, `"label":"criteria"`) != want {
			t.Errorf("%s: %s", file, answer)
		}
	}
}

// TestNames checks that references to tests complete with the names in the file and in its dataset,
// and templates with the variables in scope.
func TestNames(t *testing.T) {
	const head = "name: shop\ntests:\n"
	const sibling = head + "  - { id: pay, input: Q, criteria: C }\n  - { id: greet, input: Q, criteria: C }\n"
	folder := newFolder(map[string]string{
		"/evals/0.eval.yaml": sibling, "/evals/c.eval.yaml": strings.Replace(sibling, "shop", "other", 1),
	})
	e := start(t, folder, "{}", `"workspaceFolders":[{"uri":"file:///evals","name":"evals"}]`)
	e.Open(doc, head+"  - id: greet\n    criteria: It works\n    vars: { customer: Ann }\n    assert: [It greets]\n"+
		"  - id: refund\n    input: Hello {{ c }}\n    criteria: It works\n    depends_on: []\n")
	e.Await("what is found among the files", func(m lsptest.Message) bool {
		return m.Method == "textDocument/publishDiagnostics" && strings.Contains(string(m.Params), "duplicate-case-id")
	})
	if got, cut := completionLabels(e, 9, 17); !slices.Equal(got, []string{"greet", "pay"}) || cut {
		t.Errorf("tests: %v", got)
	}
	if got, _ := completionLabels(e, 7, 21); !slices.Contains(got, "customer") {
		t.Errorf("variables: %v", got)
	}
}

// TestManyNames checks that a long list contains the names that match the typed text.
func TestManyNames(t *testing.T) {
	var b strings.Builder
	b.WriteString("tests:\n")
	for i := range 500 {
		fmt.Fprintf(&b, "  - { id: t%d, input: Q, criteria: C }\n", i)
	}
	e := start(t, nil, "{}")
	e.Open(doc, b.String()+"  - id: last\n    input: Q\n    criteria: C\n    depends_on: [t49]\n")
	if got, cut := completionLabels(e, 504, 17); !cut || len(got) != 200 {
		t.Errorf("%d, cut: %v", len(got), cut)
	}
	if got, cut := completionLabels(e, 504, 20); cut || len(got) != 11 || !slices.Contains(got, "t499") {
		t.Errorf("%v, cut: %v", got, cut)
	}
}

// suiteReferringTo returns an eval file that refers to another file.
func suiteReferringTo(reference string) string {
	return "evalcases:\n  - id: a # kept\n    expected_outcome: It works\n    input:\n      - role: user\n        content:\n          - { type: file, value: " + reference + " }\n"
}

// TestRenamedFiles checks that links to renamed files are updated in their own style, in open and
// closed files.
func TestRenamedFiles(t *testing.T) {
	for _, c := range []struct{ name, reference, old, new, want string }{
		{"a file", "there.md", "/evals/there.md", "/evals/here.md", "here.md"},
		{"with a dot", "./there.md", "/evals/there.md", "/evals/docs/there.md", "./docs/there.md"},
		{"with its scheme", "file://there.md", "/evals/there.md", "/evals/here.md", "file://here.md"},
		{"out of the folder", "there.md", "/evals/there.md", "/there.md", "../there.md"},
		{"the folder that it is in", "docs/there.md", "/evals/docs", "/evals/notes", "notes/there.md"},
		{"the eval itself", "there.md", "/evals/a.eval.yaml", "/evals/more/a.eval.yaml", "../there.md"},
		{"the folder of both", "there.md", "/evals", "/tests", ""},
		{"another file", "there.md", "/evals/other.md", "/evals/here.md", ""},
		{"a name that begins alike", "docs/there.md", "/evals/doc", "/evals/notes", ""},
		{"where there is nothing", "gone.md", "/evals/gone.md", "/evals/here.md", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := newFolder(map[string]string{
				"/evals/a.eval.yaml": suiteReferringTo(c.reference), "/evals/there.md": "x", "/evals/docs/there.md": "x",
			})
			for _, open := range []bool{false, true} {
				e := start(t, folder, "{}", `"workspaceFolders":[{"uri":"file:///evals","name":"evals"}]`)
				if open {
					e.Open(doc, suiteReferringTo(c.reference))
				}
				raw := e.Request("workspace/willRenameFiles", fmt.Sprintf(`{"files":[{"oldUri":"file://%s","newUri":"file://%s"}]}`, c.old, c.new))
				var answer struct{ Changes map[string][]edit }
				if err := json.Unmarshal(raw, &answer); err != nil {
					t.Fatalf("%s: %v", raw, err)
				}
				edits := answer.Changes[doc]
				if c.want == "" {
					if string(raw) != "null" {
						t.Errorf("%s", raw)
					}
				} else if len(edits) != 1 || edits[0].Range.Start.Line != 6 || strings.Trim(edits[0].NewText, `"'`) != c.want {
					t.Errorf("%s, want %s", raw, c.want)
				}
			}
		})
	}
}

// TestADK checks diagnostics across ADK files while they are edited, with the languages json and
// jsonc, and requests about them.
func TestADK(t *testing.T) {
	const (
		set = `{"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [{
 "user_content": {"parts": [{"text": "q"}]}, "final_response": {"parts": [{"text": "a"}]},
 "rubrics": [{"rubric_id": "kind", "rubric_content": {"text_property": "Is calm."}, "type": "FINAL_RESPONSE_QUALITY"}]}]}]}`
		config = `{"criteria": {"rubric_based_final_response_quality_v1": {"threshold": 0.8,
 "rubrics": [{"rubric_id": "kind", "rubric_content": {"text_property": "Is kind."}}]}}}`
		setURI, configURI = "file:///evals/bank.evalset.json", "file:///evals/test_config.json"
	)
	folder := newFolder(map[string]string{"/evals/test_config.json": config, "/evals/bank.evalset.json": set, "/evals/package.json": `{"criteria": 1}`})
	e := start(t, folder, `{"textDocument":{"publishDiagnostics":{"relatedInformation":true}}}`, `"workspaceFolders":[{"uri":"file:///evals","name":"evals"}]`)
	next := func(uri string, want ...string) (found []lsptest.Diagnostic) {
		t.Helper()
		e.AwaitNext("what is found in "+uri, func(m lsptest.Message) bool {
			p := lsptest.Published{}
			if m.Method != "textDocument/publishDiagnostics" || json.Unmarshal(m.Params, &p) != nil || p.URI != uri || !slices.Equal(lsptest.Codes(p.Diagnostics), want) {
				return false
			}
			found = p.Diagnostics
			return true
		})
		return found
	}
	e.Open(setURI, set)
	twice := next(setURI, "duplicate-rubric-id")[0]
	if at := twice.Related[0].Location; at.URI != configURI || at.Range.Start.Line != 1 {
		t.Errorf("%+v", at)
	}
	e.Open(configURI, config)
	next(configURI, "duplicate-rubric-id")
	e.Change(configURI, 2, lsptest.TextChange(1, 28, 32, "warm"))
	next(configURI)
	next(setURI)

	hover := string(e.Request("textDocument/hover", `{"textDocument":{"uri":"`+configURI+`"},"position":{"line":0,"character":20}}`))
	if !strings.Contains(hover, "÷") || !strings.Contains(hover, "passes from 0.8") {
		t.Error(hover)
	}
	e.Change(configURI, 3, lsptest.TextChange(0, 14, 14, `\"sa\"\n `))
	items := string(e.Request("textDocument/completion", `{"textDocument":{"uri":"`+configURI+`"},"position":{"line":0,"character":17}}`))
	if !strings.Contains(items, `safety_v1`) {
		t.Error(items)
	}
	lenses := string(e.Request("textDocument/codeLens", `{"textDocument":{"uri":"`+setURI+`"}}`))
	if !strings.Contains(lenses, "turn 1: no tool call") {
		t.Error(lenses)
	}
}
