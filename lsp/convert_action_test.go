package lsp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// creating are the capabilities of a client that creates files and does not resolve edits.
var creating = strings.Replace(lazy, `"documentChanges":true`, `"documentChanges":true,"resourceOperations":["create"]`, 1)

// made are the new files of an action.
type made struct {
	Edit struct {
		DocumentChanges []struct {
			Kind, URI    string
			Options      struct{ Overwrite *bool }
			TextDocument struct{ URI string }
			Edits        []edit
		}
	}
}

// conversionOf returns the only action that converts a file.
func conversionOf(t *testing.T, e *lsptest.Editor, uri string) (raw json.RawMessage, title string) {
	t.Helper()
	var all []json.RawMessage
	e.RequestInto(&all, "textDocument/codeAction", `{"textDocument":{"uri":"`+uri+`"},"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"context":{"diagnostics":[],"only":["refactor.rewrite.rubric.convert"]}}`)
	if len(all) != 1 {
		t.Fatalf("%d actions", len(all))
	}
	var a action
	if err := json.Unmarshal(all[0], &a); err != nil {
		t.Fatal(err)
	}
	return all[0], a.Title
}

// TestConversion checks that the action creates new files in the other dialect, reports what is
// lost, and is offered on the first line only.
func TestConversion(t *testing.T) {
	const evals = "evalcases:\n  - id: a\n    expected_outcome: It works\n    input: Do it\n    rubrics:\n      - {id: x, expected_outcome: Is polite, weight: 2}\n"
	const set = `{"eval_set_id": "s", "eval_cases": [{"eval_id": "hi", "conversation": [{"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "Hello"}]}}]}]}`
	const config = `{"criteria": {"rubric_based_final_response_quality_v1": {"threshold": 0.8, "rubrics": [{"rubric_id": "r", "rubric_content": {"text_property": "Is kind"}}]}}}`
	folder := lsptest.NewFolder(map[string]string{"/evals/test_config.json": config})
	e := start(t, folder, creating)
	for _, c := range []struct{ uri, body, title, file, text, lost string }{
		{doc, evals, "convert to an ADK evalset", "file:///evals/a.evalset.json", `"text_property": "Is polite"`, "rubrics have no weights"},
		{"file:///evals/s.evalset.json", set, "convert to an AgentV eval file", "file:///evals/s.eval.yaml", "expected_outcome: Is kind", "it is filled with the expected answer"},
	} {
		e.Open(c.uri, c.body)
		raw, title := conversionOf(t, e, c.uri)
		var got made
		e.RequestInto(&got, "codeAction/resolve", string(raw))
		changes := got.Edit.DocumentChanges
		if title != c.title || len(changes) < 2 || changes[0].Kind != "create" || changes[0].URI != c.file || *changes[0].Options.Overwrite ||
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
	old := start(t, nil, lazy)
	old.Open(doc, evals)
	if all := actions(t, old, 0, ""); strings.Contains(kindsOf(all), "convert") {
		t.Errorf("%+v", all)
	}
}

func kindsOf(all []action) string {
	var kinds []string
	for _, a := range all {
		kinds = append(kinds, a.Kind)
	}
	return strings.Join(kinds, " ")
}
