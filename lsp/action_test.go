package lsp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

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

const lazy = `{"workspace":{"workspaceEdit":{"documentChanges":true}},"textDocument":{"codeAction":{"isPreferredSupport":true,"dataSupport":true,"resolveSupport":{"properties":["edit"]},"codeActionLiteralSupport":{"codeActionKind":{"valueSet":["quickfix"]}}}}}`

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
	e := start(t, nil, lazy)
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
	disabling := strings.Replace(lazy, `"isPreferredSupport":true`, `"disabledSupport":true`, 1)
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
	e := start(t, nil, lazy)
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
