package lsp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

type action struct {
	Title, Kind string
	IsPreferred bool
	Diagnostics []lsptest.Diagnostic
	Data        json.RawMessage `json:",omitempty"`
	Edit        *struct {
		Changes         map[string][]edit
		DocumentChanges []struct {
			TextDocument struct {
				URI     string
				Version *int
			}
			Edits []edit
		}
	} `json:",omitempty"`
}

type edit struct {
	Range   lsptest.Range
	NewText string
}

func actions(t *testing.T, e *lsptest.Editor, line int, only string) (all []action) {
	t.Helper()
	at := fmt.Sprintf(`{"line":%d,"character":6}`, line)
	e.RequestInto(&all, "textDocument/codeAction", `{"textDocument":{"uri":"`+doc+`"},"range":{"start":`+at+`,"end":`+at+`},"context":{"diagnostics":[]`+only+`}}`)
	return all
}

const resolveEditsCapabilities = `{"workspace":{"workspaceEdit":{"documentChanges":true}},"textDocument":{"codeAction":{"isPreferredSupport":true,"dataSupport":true,"resolveSupport":{"properties":["edit"]},"codeActionLiteralSupport":{"codeActionKind":{"valueSet":["quickfix"]}}}}}`

// TestQuickFix checks that a fix is offered only at its finding, with the edit for clients that do
// not resolve edits.
func TestQuickFix(t *testing.T) {
	e := start(t, nil, "{}")
	e.Open(doc, hasOne)
	all := actions(t, e, 2, "")
	if len(all) != 2 || all[0].Kind != "quickfix" || len(all[0].Diagnostics) != 1 || all[0].Diagnostics[0].Code != "unknown-key" || all[0].Data != nil {
		t.Fatalf("%+v", all)
	}
	edits := all[0].Edit.Changes[doc]
	if len(edits) != 1 || edits[0].NewText != "expected_outcome" || edits[0].Range != all[0].Diagnostics[0].Range {
		t.Errorf("%+v", edits)
	}
	if ignore := all[1].Edit.Changes[doc]; all[1].Title != "ignore `unknown-key` here" || len(ignore) != 1 || ignore[0].NewText != "    # rubric: ignore unknown-key -- reason\n" ||
		ignore[0].Range.Start.Line != 2 || ignore[0].Range.Start.Character != 0 || all[1].IsPreferred || all[1].Kind != "suppress.rubric" {
		t.Errorf("%+v", all[1])
	}
	if none := actions(t, e, 0, ""); len(none) != 0 {
		t.Errorf("%+v", none)
	}
	if none := actions(t, e, 2, `,"only":["refactor"]`); len(none) != 0 {
		t.Errorf("%+v", none)
	}
}

// TestLazyFix checks that the edit is computed when the action is chosen, for the version that it
// was offered for.
func TestLazyFix(t *testing.T) {
	e := start(t, nil, resolveEditsCapabilities)
	e.Open(doc, hasOne)
	all := actions(t, e, 2, `,"only":["quickfix"]`)
	if len(all) != 1 || all[0].Edit != nil || all[0].Data == nil || !all[0].IsPreferred {
		t.Fatalf("%+v", all)
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(e.Request("textDocument/codeAction", `{"textDocument":{"uri":"`+doc+`"},"range":{"start":{"line":2,"character":5},"end":{"line":2,"character":5}},"context":{"diagnostics":[]}}`), &raw); err != nil {
		t.Fatal(err)
	}
	var resolved action
	e.RequestInto(&resolved, "codeAction/resolve", string(raw[0]))
	change := resolved.Edit.DocumentChanges
	if len(change) != 1 || change[0].TextDocument.Version == nil || *change[0].TextDocument.Version != 1 || len(change[0].Edits) != 1 || change[0].Edits[0].NewText != "expected_outcome" {
		t.Errorf("%+v", change)
	}
	e.Change(doc, 2, lsptest.TextChange(0, 0, 0, "# moved\n"))
	if _, err := e.AwaitResponse(e.StartRequest("codeAction/resolve", string(raw[0]))); err == nil || err.Code != -32801 {
		t.Errorf("an edit for another version: %v", err)
	}
	for _, span := range []string{`{"start":1}`, `{"start":99999,"end":99999}`, `{"start":-1,"end":1}`} {
		if _, err := e.AwaitResponse(e.StartRequest("codeAction/resolve", `{"title":"x","data":{"uri":"`+doc+`","version":2,"refactor":"weights","span":`+span+`}}`)); err == nil || err.Code != -32602 {
			t.Errorf("%s: %v", span, err)
		}
	}
	e.Close(doc)
	if _, err := e.AwaitResponse(e.StartRequest("codeAction/resolve", string(raw[0]))); err == nil || err.Code != -32801 {
		t.Errorf("an edit of a closed document: %v", err)
	}
	if _, err := e.AwaitResponse(e.StartRequest("codeAction/resolve", `{"title":"x","data":7}`)); err == nil || err.Code != -32602 {
		t.Errorf("data that is not ours: %v", err)
	}
}

// TestRefactorings checks that refactorings are offered when they or all kinds are requested, with
// a reason where one is not available.
func TestRefactorings(t *testing.T) {
	const body = "evalcases:\n  - id: a\n    expected_outcome: It works\n    input: Do it\n    rubrics:\n      - Is polite\n      - Names thirty days\n"
	disabling := strings.Replace(resolveEditsCapabilities, `"isPreferredSupport":true`, `"disabledSupport":true`, 1)
	e := start(t, nil, disabling)
	e.Open(doc, body)
	kinds := func(only string) (all []string) {
		for _, a := range actions(t, e, 5, only) {
			all = append(all, a.Kind)
		}
		return all
	}
	if got := kinds(`,"only":["refactor"]`); len(got) < 2 || slices.ContainsFunc(got, func(k string) bool { return !strings.HasPrefix(k, "refactor.") }) {
		t.Errorf("%v", got)
	}
	if got := kinds(`,"only":["quickfix"]`); len(got) != 0 {
		t.Errorf("%v", got)
	}
	changed, impossible := 0, 0
	var raw []json.RawMessage
	e.RequestInto(&raw, "textDocument/codeAction", `{"textDocument":{"uri":"`+doc+`"},"range":{"start":{"line":5,"character":10},"end":{"line":5,"character":10}},"context":{"diagnostics":[],"only":["refactor.rewrite"]}}`)
	for _, r := range raw {
		if strings.Contains(string(r), `"disabled"`) {
			impossible++
			continue
		}
		var a action
		e.RequestInto(&a, "codeAction/resolve", string(r))
		if a.Edit == nil || len(a.Edit.DocumentChanges) != 1 || *a.Edit.DocumentChanges[0].TextDocument.Version != 1 {
			t.Errorf("%s has no edit: %+v", r, a)
		}
		changed++
	}
	if changed == 0 || impossible > 0 {
		t.Errorf("%d can be had and %d cannot: %s", changed, impossible, raw)
	}
	if _, err := e.AwaitResponse(e.StartRequest("codeAction/resolve", `{"title":"x","data":{"uri":"`+doc+`","version":1,"refactor":"no-such"}}`)); err == nil || err.Code != -32803 {
		t.Errorf("%v", err)
	}
	eager := start(t, nil, "{}")
	eager.Open(doc, body)
	for _, a := range actions(t, eager, 5, `,"only":["refactor"]`) {
		if a.Edit == nil {
			t.Errorf("%s has no edit", a.Title)
		}
	}
}

// TestMigrations checks the action that uses the names of another version.
func TestMigrations(t *testing.T) {
	e := start(t, nil, resolveEditsCapabilities)
	e.Open(doc, strings.Replace(hasOne, "outcme", "outcome", 1))
	if all := actions(t, e, 0, ""); len(all) != 0 {
		t.Errorf("unasked: %+v", all)
	}
	var raw []json.RawMessage
	e.RequestInto(&raw, "textDocument/codeAction", `{"textDocument":{"uri":"`+doc+`"},"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"context":{"diagnostics":[],"only":["source.migrate"]}}`)
	if len(raw) != 2 {
		t.Fatalf("%s", raw)
	}
	var a action
	e.RequestInto(&a, "codeAction/resolve", string(raw[1]))
	if a.Edit == nil || len(a.Edit.DocumentChanges) != 1 || !slices.ContainsFunc(a.Edit.DocumentChanges[0].Edits, func(e edit) bool { return e.NewText == "tests" }) {
		t.Errorf("%+v", a)
	}
}

// TestFixAll checks that one action applies all safe fixes and nothing else.
func TestFixAll(t *testing.T) {
	var b strings.Builder
	b.WriteString("evalcases:\n")
	for i := range 20 {
		comment := ""
		if i%5 == 0 {
			comment = "  # rubric: ignore unknown-key -- 日本"
		}
		fmt.Fprintf(&b, "  - id: case-%d\n    expected_outcome: It works well enough # 日本\n    input: Do it %d%s\n", i, i, comment)
	}
	e := start(t, nil, "{}")
	e.Open(doc, b.String())
	if all := actions(t, e, 0, ""); len(all) != 0 {
		t.Errorf("unasked: %+v", all)
	}
	all := actions(t, e, 0, `,"only":["source.fixAll"]`)
	if len(all) != 1 || all[0].Kind != "source.fixAll.rubric" {
		t.Fatalf("%+v", all)
	}
	edits := all[0].Edit.Changes[doc]
	if len(edits) != 4 {
		t.Errorf("%d edits for 4 faults: %+v", len(edits), edits)
	}
	encoded, version := []string{}, 2
	for i := len(edits) - 1; i >= 0; i-- { // from the end, so that offsets stay valid
		raw, _ := json.Marshal(edits[i])
		encoded = append(encoded, strings.NewReplacer(`"Range"`, `"range"`, `"Start"`, `"start"`, `"End"`, `"end"`, `"NewText"`, `"text"`).Replace(string(raw)))
	}
	e.Change(doc, version, encoded...)
	if found := e.AwaitDiagnostics(doc, version); len(found) != 0 {
		t.Errorf("%+v", found)
	}
	if all := actions(t, e, 0, `,"only":["source.fixAll.rubric"]`); len(all) != 0 {
		t.Errorf("nothing is left to fix: %+v", all)
	}
}

// TestIgnore checks that the reason is a placeholder if the client supports snippets.
func TestIgnore(t *testing.T) {
	e := start(t, nil, `{"workspace":{"workspaceEdit":{"documentChanges":true,"snippetEditSupport":true}}}`)
	e.Open(doc, hasOne)
	raw := string(e.Request("textDocument/codeAction", `{"textDocument":{"uri":"`+doc+`"},"range":{"start":{"line":2,"character":6},"end":{"line":2,"character":6}},"context":{"diagnostics":[]}}`))
	if want := `"snippet":{"kind":"snippet","value":"    # rubric: ignore unknown-key -- ${1:reason}\n"}`; !strings.Contains(raw, want) {
		t.Errorf("no %s in\n%s", want, raw)
	}
}

// createFilesCapabilities are the capabilities of a client that creates files and does not resolve edits.
var createFilesCapabilities = strings.Replace(resolveEditsCapabilities, `"documentChanges":true`, `"documentChanges":true,"resourceOperations":["create"]`, 1)

// newFilesAction are the new files of an action.
type newFilesAction struct {
	Edit struct {
		DocumentChanges []struct {
			Kind, URI    string
			Options      struct{ Overwrite *bool }
			TextDocument struct{ URI string }
			Edits        []edit
		}
	}
}

// conversionOf returns the action with a title that converts a file.
func conversionOf(t *testing.T, e *lsptest.Editor, uri, title string) json.RawMessage {
	t.Helper()
	var all []json.RawMessage
	e.RequestInto(&all, "textDocument/codeAction", `{"textDocument":{"uri":"`+uri+`"},"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"context":{"diagnostics":[],"only":["refactor.rewrite.rubric.convert"]}}`)
	for _, raw := range all {
		var a action
		if err := json.Unmarshal(raw, &a); err != nil {
			t.Fatal(err)
		}
		if a.Title == title {
			return raw
		}
	}
	t.Fatalf("%s: no action %s", uri, title)
	return nil
}

// TestConversion checks that the action creates new files in the other dialect, reports what is
// lost, and is offered on the first line only.
func TestConversion(t *testing.T) {
	const evals = "# All.\nevalcases:\n  - id: a\n    expected_outcome: It works\n    input: Do it\n    rubrics:\n      - {id: x, expected_outcome: Is polite, weight: 2}\n"
	const set = `{"eval_set_id": "s", "eval_cases": [{"eval_id": "hi", "conversation": [{"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "Hello"}]}}]}]}`
	const config = `{"criteria": {"rubric_based_final_response_quality_v1": {"threshold": 0.8, "rubrics": [{"rubric_id": "r", "rubric_content": {"text_property": "Is kind"}}]}}}`
	folder := newFolder(map[string]string{"/evals/test_config.json": config})
	e := start(t, folder, createFilesCapabilities)
	for _, c := range []struct{ uri, body, title, file, text, lost string }{
		{doc, evals, "convert to an ADK evalset", "file:///evals/a.evalset.json", `"text_property": "Is polite"`, "rubrics have no weights"},
		{doc, evals, "convert to AgentV v4", "file:///evals/a.v4.eval.yaml", "type: rubrics", "comments are left out"},
		{doc, evals, "convert to AgentV head", "file:///evals/a.head.eval.yaml", "type: llm-rubric", "it becomes the `description`"},
		{"file:///evals/s.evalset.json", set, "convert to an AgentV eval file", "file:///evals/s.eval.yaml", "expected_outcome: Is kind", "it is filled with the expected answer"},
	} {
		e.Open(c.uri, c.body)
		title, raw := c.title, conversionOf(t, e, c.uri, c.title)
		var got newFilesAction
		e.RequestInto(&got, "codeAction/resolve", string(raw))
		changes := got.Edit.DocumentChanges
		if len(changes) < 2 || changes[0].Kind != "create" || changes[0].URI != c.file || *changes[0].Options.Overwrite ||
			changes[1].TextDocument.URI != c.file || !strings.Contains(changes[1].Edits[0].NewText, c.text) {
			t.Errorf("%s: %+v", title, changes)
		}
		e.Await("what is lost", func(m lsptest.Message) bool {
			return m.Method == "window/showMessage" && strings.Contains(string(m.Params), c.lost)
		})
	}
	if all := actions(t, e, 3, ""); strings.Contains(kindsOf(all), "convert") {
		t.Errorf("%+v", all)
	}
	old := start(t, nil, resolveEditsCapabilities)
	old.Open(doc, evals)
	if all := actions(t, old, 0, ""); strings.Contains(kindsOf(all), "convert") {
		t.Errorf("%+v", all)
	}
}

// TestCreateFile checks that the files of a message and a prompt that are missing can be created, with a cursor anywhere
// in their lines, but not a program or a file outside of the folder.
func TestCreateFile(t *testing.T) {
	const evals = `evalcases:
  - id: a
    expected_outcome: It works
    input: [{ role: user, content: [{ type: file, value: docs/no such.md }, { type: file, value: ../up.md }] }]
    evaluators:
      - { type: llm_judge, name: judge, prompt: "prompts/judge.md" }
      - { type: code_judge, name: check.py, script: [python3, check.py] }
`
	for _, capabilities := range []string{createFilesCapabilities, resolveEditsCapabilities} {
		e := start(t, newFolder(nil), capabilities)
		e.Open(doc, evals)
		var got []string
		for line := range 7 {
			at := fmt.Sprintf(`{"line":%d,"character":6}`, line)
			var all []struct {
				newFilesAction
				Title       string
				Diagnostics []lsptest.Diagnostic
			}
			e.RequestInto(&all, "textDocument/codeAction", `{"textDocument":{"uri":"`+doc+`"},"range":{"start":`+at+`,"end":`+at+`},"context":{"diagnostics":[],"only":["quickfix"]}}`)
			for _, a := range all {
				for _, c := range a.Edit.DocumentChanges {
					if c.Kind == "" {
						continue
					}
					got = append(got, fmt.Sprintf("%d %s %s %s %s", line, a.Title, a.Diagnostics[0].Code, c.Kind, c.URI))
				}
			}
		}
		want := []string{
			"3 create `docs/no such.md` missing-file create file:///evals/docs/no%20such.md",
			"5 create `prompts/judge.md` missing-file create file:///evals/prompts/judge.md",
		}
		if capabilities == resolveEditsCapabilities {
			want = nil
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
	}
}

func kindsOf(all []action) string {
	var kinds []string
	for _, a := range all {
		kinds = append(kinds, a.Kind)
	}
	return strings.Join(kinds, " ")
}

// suiteWithoutRubric has a case without criteria, comments and an unusual style.
const suiteWithoutRubric = `# the suite
evalcases:
- id: window # first
  expected_outcome: States the refund window and offers a return label
  input: Can I send it back?
  expected_output: Yes. The refund window is thirty days.
  # last words
- id: other
  expected_outcome: Is helpful
  input: Hi
`

type applied struct {
	Edit struct {
		DocumentChanges []struct {
			TextDocument struct{ Version *int }
			Edits        []edit
		}
	}
}

// applyInsertion returns body after an edit that must insert whole lines.
func applyInsertion(t *testing.T, body string, e edit) string {
	t.Helper()
	lines := strings.SplitAfter(body, "\n")
	if e.Range.Start != e.Range.End {
		t.Errorf("it does not only insert: %+v", e)
	}
	at := e.Range.Start
	lines[at.Line] = lines[at.Line][:at.Character] + e.NewText + lines[at.Line][at.Character:]
	return strings.Join(lines, "")
}

// TestGenerate checks that the offline draft is an edit that only inserts, states its origin and
// version, and has no error.
func TestGenerate(t *testing.T) {
	e := startRunnable(t, lsp.Host{}, allCapabilities, "")
	e.Change(doc, 2, lsptest.FullChange(suiteWithoutRubric))
	e.Handle("workspace/applyEdit", func(json.RawMessage) any { return `{"applied":true}` })
	checkContains(t, "the lens", lenses(e), "2 Generate rubrics rubric.generateRubrics")
	var offered []struct {
		Title   string
		Command struct {
			Command   string
			Arguments []json.RawMessage
		}
	}
	e.RequestInto(&offered, "textDocument/codeAction", `{"textDocument":{"uri":"`+doc+`"},"range":{"start":{"line":4,"character":3},"end":{"line":4,"character":3}},"context":{"diagnostics":[],"only":["refactor.rewrite.rubric.generate"]}}`)
	if len(offered) != 1 || offered[0].Command.Command != "rubric.generateRubrics" {
		t.Fatalf("%+v", offered)
	}
	e.Request("workspace/executeCommand", map[string]any{"command": offered[0].Command.Command, "arguments": offered[0].Command.Arguments})
	m := e.Await("the edit", func(m lsptest.Message) bool { return m.Method == "workspace/applyEdit" })
	var a applied
	if err := json.Unmarshal(m.Params, &a); err != nil || len(a.Edit.DocumentChanges) != 1 || len(a.Edit.DocumentChanges[0].Edits) != 1 {
		t.Fatalf("%s", m.Params)
	}
	change := a.Edit.DocumentChanges[0]
	if *change.TextDocument.Version != 2 {
		t.Errorf("%+v", change)
	}
	after := applyInsertion(t, suiteWithoutRubric, change.Edits[0])
	checkContains(t, "the text", after, "  rubrics:\n  - id: draft-states-refund-window\n    expected_outcome: States the refund window\n",
		"draft-offers-return-label", "  # last words\n- id: other", `Conveys that "The refund window is thirty days"`)
	e.Change(doc, 3, lsptest.FullChange(after))
	for _, code := range lsptest.Codes(e.AwaitDiagnostics(doc, 3)) {
		if !slices.Contains(lsptest.Codes(e.AwaitDiagnostics(doc, 2)), code) {
			t.Errorf("the file has %s with it", code)
		}
	}
}

// TestPreview checks that a client that shows drafts gets one, and that nothing is inserted.
func TestPreview(t *testing.T) {
	e := startRunnable(t, lsp.Host{}, strings.Replace(allCapabilities, `"ask":true`, `"ask":true,"preview":true,"choose":true`, 1), "")
	e.Change(doc, 2, lsptest.FullChange(suiteWithoutRubric))
	checkContains(t, "the lens", lenses(e), "0 Grades expected answers · offline judge rubric.target.choose")
	startJob(t, e, "rubric.generateRubrics", `,"case":"window"`)
	m := e.Await("the draft", func(m lsptest.Message) bool { return m.Method == "rubric/preview" || m.Method == "workspace/applyEdit" })
	var draft struct {
		Case, Origin string
		Version      int
		Edits        []edit
	}
	if err := json.Unmarshal(m.Params, &draft); err != nil || m.Method != "rubric/preview" || draft.Case != "window" || draft.Version != 2 || len(draft.Edits) != 1 {
		t.Fatalf("%s %s", m.Method, m.Params)
	}
	checkContains(t, "the origin", draft.Origin, "no model was asked")
	checkContains(t, "the text", applyInsertion(t, suiteWithoutRubric, draft.Edits[0]), "  rubrics:\n  - id: draft-states-refund-window\n")
}

// TestGenerateRefused checks that nothing is inserted if the draft would have an error or the
// document has changed.
func TestGenerateRefused(t *testing.T) {
	e := startRunnable(t, lsp.Host{}, allCapabilities, `{"judge":"editor"}`)
	e.Change(doc, 2, lsptest.FullChange(suiteWithoutRubric))
	asked, answer := make(chan bool, 9), make(chan string, 9)
	e.Handle("rubric/ask", func(json.RawMessage) any {
		asked <- true
		encoded, _ := json.Marshal(map[string]string{"text": <-answer, "model": "m"})
		return string(encoded)
	})
	const three = `{"rubrics":[{"id":"a","expected_outcome":"Names the window"},{"id":"b","expected_outcome":"Offers a label"},{"id":"c","expected_outcome":"Thanks the customer"}]}`
	startJob(t, e, "rubric.generateRubrics", `,"case":"window"`)
	<-asked
	e.Change(doc, 3, lsptest.TextChange(0, 0, 0, "# moved\n"))
	e.Request("textDocument/codeLens", `{"textDocument":{"uri":"`+doc+`"}}`) // the edit has been read
	answer <- three
	shown := e.AwaitNext("a refusal", func(m lsptest.Message) bool { return m.Method == "window/showMessage" })
	checkContains(t, "the refusal", string(shown.Params), "the document has changed")

	startJob(t, e, "rubric.generateRubrics", `,"case":"window"`)
	<-asked
	answer <- three
	m := e.AwaitNext("the edit", func(m lsptest.Message) bool { return m.Method == "workspace/applyEdit" })
	checkContains(t, "the edit", string(m.Params), "Names the window", `written by the judge`)

	e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":{}}}`)
	startJob(t, e, "rubric.generateRubrics", `,"case":"other"`) // "Is helpful" is too vague to check
	shown = e.AwaitNext("a refusal", func(m lsptest.Message) bool { return m.Method == "window/showMessage" })
	checkContains(t, "the refusal", string(shown.Params), "the expected outcome of `other` contains nothing checkable")

	plain := startRunnable(t, lsp.Host{}, "{}", "")
	plain.Change(doc, 2, lsptest.FullChange(suiteWithoutRubric))
	if _, err := command(plain, "rubric.generateRubrics", `,"case":"window"`); err == nil || !strings.Contains(err.Message, "does not accept edits") {
		t.Error(err)
	}
	all := actions(t, plain, 3, `,"only":["refactor.rewrite.rubric.generate"]`)
	if len(all) != 1 || all[0].Edit == nil || len(all[0].Edit.Changes[doc]) != 1 {
		t.Errorf("a client that applies no edits gets the edit at once: %+v", all)
	}
}

// TestEditorJudge checks that the editor's own model judges only where the editor offers it.
func TestEditorJudge(t *testing.T) {
	e := startRunnable(t, lsp.Host{}, allCapabilities, `{"judge":"editor"}`)
	var question struct {
		System, User string
		Schema       map[string]any
	}
	e.Handle("rubric/ask", func(params json.RawMessage) any {
		if err := json.Unmarshal(params, &question); err != nil {
			t.Error(err)
		}
		return `{"text":"{\"checks\":[{\"id\":\"greets\",\"satisfied\":true,\"reasoning\":\"so it is\"}],\"overall_reasoning\":\"\"}","model":"m"}`
	})
	_, states, _ := awaitJob(t, e, startJob(t, e, "rubric.runCase", `,"case":"greeting"`))
	if states["greeting"] != "pass" || question.Schema["type"] != "object" || !strings.Contains(question.User, "Good morning!") || question.System == "" {
		t.Errorf("%v, %+v", states, question)
	}
	other := startRunnable(t, lsp.Host{}, "{}", `{"judge":"editor"}`)
	if end, _, _ := awaitJob(t, other, startJob(t, other, "rubric.runCase", `,"case":"greeting"`)); end.State != "failed" || !strings.Contains(end.Message, "this editor offers none") {
		t.Errorf("%+v", end)
	}
	for _, m := range other.Messages() {
		if m.Method == "rubric/ask" {
			t.Error("it was asked all the same")
		}
	}
}
