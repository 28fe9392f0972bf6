package lsp_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/lsp"
)

// TestThreshold checks that cases pass from the threshold of the settings, or else of the project, in
// results and lenses, and that another threshold makes no grade stale.
func TestThreshold(t *testing.T) {
	const half = "evalcases:\n  - id: window\n    expected_outcome: O\n    input: Q\n    expected_output: The refund window is 30 days.\n    rubrics:\n" +
		"      - { id: days, expected_outcome: Mentions “30 days”, required: false }\n      - { id: label, expected_outcome: Mentions “label”, required: false }\n"
	project := lsp.ProjectSettings{}
	if err := run.FindOption("threshold").Set(&project.Run.Settings, "`threshold`", 0.9); err != nil {
		t.Fatal(err)
	}
	folder := newFolder(nil)
	folder.SetSettings(project)
	for settings, want := range map[string][]string{
		`{"threshold":0.5}`: {"pass", "1 of 1 passed", "pass, score 0.5"}, `{}`: {"fail", "0 of 1 passed", "fail, score 0.5"},
	} {
		e := start(t, folder, allCapabilities)
		e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":`+settings+`}}`)
		e.Open(doc, half)
		end, states, _ := awaitJob(t, e, startJob(t, e, "rubric.runFile", ""))
		if end.State != "done" || states["window"] != want[0] {
			t.Errorf("%s: %s, %v", settings, end.State, states)
		}
		lenses := string(e.Request("textDocument/codeLens", `{"textDocument":{"uri":"`+doc+`"}}`))
		if !strings.Contains(lenses, want[1]) || !strings.Contains(lenses, want[2]) {
			t.Errorf("%s: %s", settings, lenses)
		}
		e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":{"threshold":0.6}}}`)
		lenses = string(e.Request("textDocument/codeLens", `{"textDocument":{"uri":"`+doc+`"}}`))
		if !strings.Contains(lenses, "fail, score 0.5") || strings.Contains(lenses, "stale") {
			t.Errorf("%s, then 0.6: %s", settings, lenses)
		}
	}
}

// TestConsentWithoutStore checks that a host that knows no consent runs nothing that files name.
func TestConsentWithoutStore(t *testing.T) {
	var opened []string
	access := run.Access{Command: "agent"}
	host := lsp.Host{ForRun: func(_ string, _ run.Settings, plan *run.Plan) (run.Host, error) {
		if plan == nil {
			opened = append(opened, "for a run")
		}
		return run.Host{Plan: plan, OpenTarget: func(context.Context, string, string) (run.OpenedTarget, error) {
			return run.OpenedTarget{Target: run.MockTarget("Hello"), Name: "prod", Access: access}, nil
		}}, nil
	}}
	e := startRunnable(t, host, allCapabilities, `{}`)
	const named = "file:///evals/named.eval.yaml"
	e.Open(named, "execution: { target: prod }\n"+gradedSuite)
	end, _, _ := awaitJobIn(t, e, named, startJobIn(t, e, named, "rubric.runFile", ""))
	if end.State != "failed" || end.Message != "nothing is run: target `prod`, which /evals/named.eval.yaml names, runs `agent`, and this needs your consent" || slices.Contains(opened, "for a run") {
		t.Errorf("%s: %s %v", end.State, end.Message, opened)
	}
}
