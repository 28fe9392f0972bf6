package lsp_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// undrafted has a case without criteria, comments and an unusual style.
const undrafted = `# the suite
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
			Edits        []struct {
				edit
				AnnotationID string
			}
		}
		ChangeAnnotations map[string]struct {
			Label, Description string
			NeedsConfirmation  bool
		}
	}
}

// insert returns body after an edit that must insert whole lines.
func insert(t *testing.T, body string, e edit) string {
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
	e := running(t, lsp.Host{}, everything, "")
	e.Change(doc, 2, lsptest.FullChange(undrafted))
	e.Handle("workspace/applyEdit", func(json.RawMessage) any { return `{"applied":true}` })
	holds(t, "the lens", lenses(e), "2 Generate rubrics rubric.generateRubrics")
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
	note := a.Edit.ChangeAnnotations[change.Edits[0].AnnotationID]
	if *change.TextDocument.Version != 2 || !note.NeedsConfirmation || note.Label != "Draft of a rubric" {
		t.Errorf("%+v, %+v", change, note)
	}
	after := insert(t, undrafted, change.Edits[0].edit)
	holds(t, "the text", after, "  rubrics:\n  - id: draft-states-refund-window\n    expected_outcome: States the refund window\n",
		"draft-offers-return-label", "  # last words\n- id: other", `Conveys that "The refund window is thirty days"`)
	e.Change(doc, 3, lsptest.FullChange(after))
	for _, code := range lsptest.Codes(e.AwaitDiagnostics(doc, 3)) {
		if !slices.Contains([]string{"gate-not-kept", "borderline-unreachable"}, code) && !slices.Contains(lsptest.Codes(e.AwaitDiagnostics(doc, 2)), code) {
			t.Errorf("the file has %s with it", code)
		}
	}
}

// TestGenerateRefused checks that nothing is inserted if the draft would have an error or the
// document has changed.
func TestGenerateRefused(t *testing.T) {
	e := running(t, lsp.Host{}, everything, `{"judge":"editor"}`)
	e.Change(doc, 2, lsptest.FullChange(undrafted))
	asked, answer := make(chan bool, 9), make(chan string, 9)
	e.Handle("rubric/ask", func(json.RawMessage) any {
		asked <- true
		encoded, _ := json.Marshal(map[string]string{"text": <-answer, "model": "m"})
		return string(encoded)
	})
	const three = `{"rubrics":[{"id":"a","expected_outcome":"Names the window"},{"id":"b","expected_outcome":"Offers a label"},{"id":"c","expected_outcome":"Thanks the customer"}]}`
	begin(t, e, "rubric.generateRubrics", `,"case":"window"`)
	<-asked
	e.Change(doc, 3, lsptest.TextChange(0, 0, 0, "# moved\n"))
	e.Request("textDocument/codeLens", `{"textDocument":{"uri":"`+doc+`"}}`) // the edit has been read
	answer <- three
	shown := e.AwaitNext("a refusal", func(m lsptest.Message) bool { return m.Method == "window/showMessage" })
	holds(t, "the refusal", string(shown.Params), "the document has changed")

	begin(t, e, "rubric.generateRubrics", `,"case":"window"`)
	<-asked
	answer <- three
	m := e.AwaitNext("the edit", func(m lsptest.Message) bool { return m.Method == "workspace/applyEdit" })
	holds(t, "the edit", string(m.Params), "Names the window", `written by the judge`)

	e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":{}}}`)
	begin(t, e, "rubric.generateRubrics", `,"case":"other"`) // "Is helpful" is too vague to check
	shown = e.AwaitNext("a refusal", func(m lsptest.Message) bool { return m.Method == "window/showMessage" })
	holds(t, "the refusal", string(shown.Params), "the expected outcome of `other` contains nothing checkable")

	plain := running(t, lsp.Host{}, "{}", "")
	plain.Change(doc, 2, lsptest.FullChange(undrafted))
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
	e := running(t, lsp.Host{}, everything, `{"judge":"editor"}`)
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
	_, states, _ := finish(t, e, begin(t, e, "rubric.runCase", `,"case":"greeting"`))
	if states["greeting"] != "pass" || question.Schema["type"] != "object" || !strings.Contains(question.User, "Good morning!") || question.System == "" {
		t.Errorf("%v, %+v", states, question)
	}
	other := running(t, lsp.Host{}, "{}", `{"judge":"editor"}`)
	if end, _, _ := finish(t, other, begin(t, other, "rubric.runCase", `,"case":"greeting"`)); end.State != "failed" || !strings.Contains(end.Message, "this editor offers none") {
		t.Errorf("%+v", end)
	}
	for _, m := range other.Messages() {
		if m.Method == "rubric/ask" {
			t.Error("it was asked all the same")
		}
	}
}
