package lsp_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/lsp/lsptest"
)

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
	folder := lsptest.NewFolder(map[string]string{"/evals/test_config.json": config, "/evals/bank.evalset.json": set, "/evals/package.json": `{"criteria": 1}`})
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
