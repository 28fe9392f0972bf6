package lsp_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// TestNotAsked checks that plans and runs say when they do not ask whom the file names.
func TestNotAsked(t *testing.T) {
	const note = "`rubric.target` is `self`, so the expected output answers, and not `prod`, which the file names"
	host := lsp.Host{Host: run.Host{OpenTarget: func(context.Context, string, string) (run.OpenedTarget, error) {
		return run.OpenedTarget{Target: run.MockTarget("Hello"), Name: "prod"}, nil
	}}}
	for settings, want := range map[string]bool{`{}`: true, `{"target":"self"}`: true, `{"target":"prod"}`: false} {
		e := startRunnable(t, host, allCapabilities, settings)
		e.Open("file:///evals/named.eval.yaml", "execution: { target: prod }\n"+gradedSuite)
		raw, err := commandIn(e, "file:///evals/named.eval.yaml", "rubric.dryRun", "")
		if err != nil || strings.Contains(string(raw), note) != want {
			t.Errorf("%s: the plan is %s, %v", settings, raw, err)
		}
		startJobIn(t, e, "file:///evals/named.eval.yaml", "rubric.runFile", "")
		m := e.Await("the start", func(m lsptest.Message) bool { return m.Method == "rubric/results" })
		if strings.Contains(string(m.Params), note) != want {
			t.Errorf("%s: the run starts with %s", settings, m.Params)
		}
	}
}

// TestJudgeNotAsked is [TestNotAsked] for the judge that ADK's metrics name.
func TestJudgeNotAsked(t *testing.T) {
	for settings, want := range map[string]bool{`{}`: true, `{"judge":"editor"}`: false} {
		folder := lsptest.NewFolder(map[string]string{"/evals/bank.evalset.json": bankSet,
			"/evals/test_config.json": `{"criteria": {"final_response_match_v2": {"threshold": 0.5, "judge_model_options": {"judge_model": "gemini-2.5-flash"}}}}`})
		e := lsptest.Start(t, newServer(folder))
		e.Initialize(allCapabilities)
		e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":`+settings+`}}`)
		e.Open(bank, bankSet)
		raw, err := commandIn(e, bank, "rubric.dryRun", "")
		note := "`rubric.judge` is `offline`, so the judge is not `gemini:gemini-2.5-flash`, which the configuration names"
		if err != nil || strings.Contains(string(raw), note) != want {
			t.Errorf("%s: the plan is %s, %v", settings, raw, err)
		}
	}
}
