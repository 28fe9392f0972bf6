package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

const (
	bank    = "file:///evals/bank.evalset.json"
	bankSet = `{"eval_set_id": "bank", "eval_cases": [
 {"eval_id": "balance", "conversation": [
  {"user_content": {"parts": [{"text": "My balance?"}]},
   "final_response": {"parts": [{"text": "It is 20 euros."}]},
   "intermediate_data": {"tool_uses": [{"name": "get_balance", "args": {}}]}},
  {"user_content": {"parts": [{"text": "Thanks"}]},
   "final_response": {"parts": [{"text": "You are welcome."}]}}]},
 {"eval_id": "hello", "conversation": [
  {"user_content": {"parts": [{"text": "Hello"}]},
   "final_response": {"parts": [{"text": "Good morning."}]}}]}]}
`
	bankConfig = `{"criteria": {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.6, "safety_v1": 0.8}}`
	// bankRuns has a wrong answer in the second turn of balance, and no hello.
	bankRuns = `{"eval_set_id": "bank", "eval_cases": [
 {"eval_id": "balance", "conversation": [
  {"user_content": {"parts": [{"text": "My balance?"}]},
   "final_response": {"parts": [{"text": "It is 20 euros."}]},
   "intermediate_data": {"tool_uses": [{"name": "get_balance", "args": {}}]}},
  {"user_content": {"parts": [{"text": "Thanks"}]},
   "final_response": {"parts": [{"text": "Nothing else matters here today"}]}}]}]}
`
)

// startEvalset starts a session with an open evalset, its configuration, and a recording in a folder
// below.
func startEvalset(t *testing.T, settings string, more ...string) (*lsptest.Editor, *folder) {
	t.Helper()
	folder := newFolder(map[string]string{
		"/evals/bank.evalset.json": bankSet, "/evals/test_config.json": bankConfig, "/evals/runs/bank.json": bankRuns,
	})
	e := lsptest.Start(t, newServer(folder))
	e.Initialize(allCapabilities, more...)
	if settings != "" {
		e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":`+settings+`}}`)
	}
	e.Open(bank, bankSet)
	return e, folder
}

// TestRunEvalset checks that an evalset is evaluated with its configuration and that the metrics
// are shown as results.
func TestRunEvalset(t *testing.T) {
	e, _ := startEvalset(t, `{"recorded":"runs/*.json"}`)
	end, states, order := awaitJobIn(t, e, bank, startJobIn(t, e, bank, "rubric.runFile", ""))
	if end.State != "done" || end.Done != 2 || end.Total != 2 {
		t.Errorf("%+v", end)
	}
	for item, want := range map[string]string{
		"balance": "fail", "balance/tool_trajectory_avg_score": "pass", "balance/response_match_score": "fail", "balance/safety_v1": "ungraded", "hello": "ungraded",
	} {
		if states[item] != want {
			t.Errorf("%s is %q: %v", item, states[item], order)
		}
	}
	shown := e.Await("the message about the run", func(m lsptest.Message) bool {
		return m.Method == "window/showMessage" && strings.Contains(string(m.Params), "2 of 2 cases run")
	})
	checkContains(t, "the message", string(shown.Params), "bank.evalset.json: done, 2 of 2 cases run (bank.json · offline judge): 0 pass, 1 fail, 1 ungraded")
	checkContains(t, "the lenses", lensesIn(e, bank), "0 Run file rubric.runFile", "0 0 of 2 passed", "1 Run case rubric.runCase",
		"1 fail, score 0.75, 1 grade missing", "1 2 turns", "2 turn 1: get_balance", "7 ungraded, 1 grade missing")
	checkContains(t, "the hover on a case", hoverIn(e, bank, 1, 15), "last run: fail", "`tool_trajectory_avg_score`: **passed**: 1, from 1",
		"`response_match_score`: **failed**: 0.5, below 0.6", "safety_v1", "needs a model")
	checkContains(t, "the hover on a turn", hoverIn(e, bank, 5, 6), "`response_match_score`: **failed**: 0, below 0.6")
	checkContains(t, "the hover on a case without a recording", hoverIn(e, bank, 7, 15), "no conversation of the case", "is recorded")
}

// TestRunDivided checks the same for an evalset whose cases are on separate lines, and its outline.
func TestRunDivided(t *testing.T) {
	const divided = `{
  "eval_set_id": "bank",
  "eval_cases": [
    {
      "eval_id": "hello",
      "conversation": [{"user_content": {"parts": [{"text": "Hello"}]}, "final_response": {"parts": [{"text": "Good morning."}]}}]
    },
    {
      "eval_id": "bye",
      "conversation": [{"user_content": {"parts": [{"text": "Bye"}]}, "final_response": {"parts": [{"text": "Good night."}]}}]
    }
  ]
}
`
	e, _ := startEvalset(t, "")
	e.Change(bank, 2, fmt.Sprintf(`{"text":%q}`, divided))
	job := startJobIn(t, e, bank, "rubric.runFile", "")
	end, states, _ := awaitJobIn(t, e, bank, job)
	if end.Done != 2 || states["bye/safety_v1"] != "ungraded" || states["hello/safety_v1"] != "ungraded" {
		t.Errorf("%+v, %v", end, states)
	}
	checkContains(t, "the lenses", lensesIn(e, bank), "0 Run file", "4 Run case", "5 turn 1: no tool call", "8 ungraded, 3 grades missing", "9 turn 1")
	checkContains(t, "the hover", hoverIn(e, bank, 8, 20), "last run: ungraded", "1 turn")
	checkContains(t, "the outline", string(e.Request("textDocument/documentSymbol", `{"textDocument":{"uri":"`+bank+`"}}`)), `"name":"hello"`, `"name":"bye"`, `"name":"eval_cases"`)
	e.Change(bank, 3, lsptest.TextChange(8, 18, 21, "bye2"))
	checkContains(t, "the lenses after an edit", lensesIn(e, bank), "4 ungraded, 3 grades missing")
}

const (
	results     = "file:///evals/bank.evalset_result.json"
	bankResults = `{"eval_set_result_id": "r", "eval_set_id": "bank", "creation_timestamp": 1, "eval_case_results": [
 {"eval_id": "hello", "eval_set_id": "bank", "final_eval_status": 2, "session_id": "s", "overall_eval_metric_results": [{"metric_name": "response_match_score", "threshold": 0.6, "score": 0.25, "eval_status": 2}],
  "eval_metric_result_per_invocation": [{
   "actual_invocation": {"user_content": {"parts": [{"text": "Hello"}]}, "final_response": {"parts": [{"text": "Good morning."}]}},
   "expected_invocation": {"user_content": {"parts": [{"text": "Hello"}]}, "final_response": {"parts": [{"text": "Good morning."}]}}}]}]}
`
)

// TestResultsLens checks that the results in a file are offered as a page, where the client can show it.
func TestResultsLens(t *testing.T) {
	e := lsptest.Start(t, newServer(newFolder(map[string]string{"/evals/bank.evalset.json": bankSet})))
	e.Initialize(strings.Replace(allCapabilities, `"ask":true`, `"ask":true,"choose":true`, 1))
	e.Open(results, bankResults)
	checkContains(t, "the lenses", lensesIn(e, results), "0 Show results rubric.results")
	e.Open(bank, bankSet)
	if lenses := lensesIn(e, bank); strings.Contains(lenses, "Show results") {
		t.Errorf("an evalset has %s", lenses)
	}
}

// TestRunResults checks that a result file is evaluated with the configuration next to it and shown
// with the recorded scores.
func TestRunResults(t *testing.T) {
	e, _ := startEvalset(t, "")
	e.Open(results, bankResults)
	checkContains(t, "the lenses before", lensesIn(e, results), "0 Run file", "1 Run case", "1 1 turn; recorded: 0 of 1 metric passed")
	checkContains(t, "the report before", string(e.Request("rubric/report", `{"textDocument":{"uri":"`+results+`"},"withoutPage":true}`)), `"cases":1`)
	_, states, order := awaitJobIn(t, e, results, startJobIn(t, e, results, "rubric.runFile", ""))
	if states["hello"] != "ungraded" || states["hello/response_match_score"] != "pass" {
		t.Errorf("%v: %v", states, order)
	}
	checkContains(t, "the lenses", lensesIn(e, results), "0 0 of 1 passed", "1 ungraded, 1 grade missing")
	checkContains(t, "the hover", hoverIn(e, results, 1, 15), "recorded: `response_match_score` 0.25", "recorded: took 0 tool calls", "`response_match_score`: **passed**: 1, from 0.6", "took 0 tool calls")
}

// TestRunEvalsetAlone checks that without a recording the expected conversations are judged, and
// that comparing metrics say why they are not evaluated.
func TestRunEvalsetAlone(t *testing.T) {
	e, _ := startEvalset(t, "")
	job := startJobIn(t, e, bank, "rubric.runCase", `,"case":"hello"`)
	end, states, _ := awaitJobIn(t, e, bank, job)
	if end.Done != 1 || states["hello"] != "ungraded" || states["hello/response_match_score"] != "ungraded" || states["hello/safety_v1"] != "ungraded" {
		t.Errorf("%+v, %v", end, states)
	}
	checkContains(t, "the hover", hoverIn(e, bank, 7, 15), "`response_match_score`: **not evaluated**: this is the expected conversation itself", "last run: ungraded, 3 grades missing")
	checkContains(t, "the lenses", lensesIn(e, bank), "7 ungraded, 3 grades missing")
	if got := lensesIn(e, bank); strings.Contains(got, "1 ungraded") {
		t.Errorf("only one case was run:\n%s", got)
	}
}

// TestEvalsetStale checks that a result becomes stale with changes of three files and of the
// settings.
func TestEvalsetStale(t *testing.T) {
	e, folder := startEvalset(t, `{"recorded":"runs/bank.json"}`)
	awaitJobIn(t, e, bank, startJobIn(t, e, bank, "rubric.runCase", `,"case":"balance"`))
	isStale := func() bool { return strings.Contains(lensesIn(e, bank), "(stale)") }
	stale := func(what string, want bool) {
		t.Helper()
		if isStale() != want {
			t.Errorf("after %s the lenses are\n%s", what, lensesIn(e, bank))
		}
	}
	configure := func(config string, want bool) {
		folder.Write("/evals/test_config.json", config)
		e.Notify("workspace/didChangeWatchedFiles", `{"changes":[{"uri":"file:///evals/test_config.json","type":2}]}`)
		for isStale() != want {
			e.AwaitNext("to be asked anew", func(m lsptest.Message) bool { return m.Method == "workspace/codeLens/refresh" })
		}
	}
	stale("the run", false)
	e.Change(bank, 2, lsptest.TextChange(8, 40, 45, "Hi"))
	stale("an edit of another case", false)
	e.Change(bank, 3, lsptest.TextChange(2, 40, 42, "Our"))
	stale("an edit of the case", true)
	e.Change(bank, 4, lsptest.TextChange(2, 40, 43, "My"))
	stale("taking it back", false)
	configure(strings.Replace(bankConfig, "0.6", "0.1", 1), true)
	configure(bankConfig, false)
	e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":{"recorded":""}}}`)
	stale("another recording", true)
}

// TestEvalsetItems checks that the test tree has the cases of an evalset with their metrics.
func TestEvalsetItems(t *testing.T) {
	e, _ := startEvalset(t, "")
	var root struct {
		Label, Kind string
		Children    []struct {
			ID, Label, Kind string
			Range           lsptest.Range
			Children        []struct{ ID, Kind, Label string }
		}
	}
	e.RequestInto(&root, "rubric/testItems", `{"textDocument":{"uri":"`+bank+`"}}`)
	if root.Label != "bank" || len(root.Children) != 2 || root.Children[1].Range.Start.Line != 7 || root.Children[1].Kind != "case" {
		t.Fatalf("%+v", root)
	}
	if metrics := root.Children[0].Children; len(metrics) != 3 || metrics[2].Kind != "metric" || metrics[2].ID != bank+"#balance/safety_v1" {
		t.Errorf("%+v", metrics)
	}
}

// TestDryRunEvalset checks the plan for an evalset: what is measured, by which judge, and how many
// questions it gets.
func TestDryRunEvalset(t *testing.T) {
	for _, c := range []struct{ name, settings, want string }{
		{"by the stand-in", `{}`, "2 cases would be answered by `self (expected conversation)` and judged by `offline`: 0 questions"},
		{"by a model", `{"judge":"editor","recorded":"runs/bank.json"}`, "2 cases would be answered by `bank.json` and judged by `editor`: 2 questions"},
		{"several times", `{"judge":"editor","samples":4}`, "judged by `editor`: 12 questions"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, _ := startEvalset(t, c.settings)
			e.Request("workspace/executeCommand", `{"command":"rubric.dryRun","arguments":[{"uri":"`+bank+`"}]}`)
			e.Await(c.want, func(m lsptest.Message) bool {
				return m.Method == "window/showMessage" && strings.Contains(string(m.Params), c.want)
			})
		})
	}
}

// TestEvalsetRefused checks the reasons why an evalset cannot run, and that nothing runs in an
// untrusted folder.
func TestEvalsetRefused(t *testing.T) {
	for _, c := range []struct{ name, trust, settings, config, want string }{
		{"not trusted", "false", `{}`, bankConfig, "not trusted"},
		{"no recording", "true", `{"recorded":"gone.json"}`, bankConfig, "there is no `gone.json` next to the evalset"},
		{"no conversations", "true", `{"recorded":"test_config.json"}`, bankConfig, "holds no recorded conversations"},
		{"a faulty configuration", "true", `{}`, `{"criteria": {"response_match_score": "high"}}`, "fix this error in `test_config.json` first"},
		{"a null criterion", "true", `{}`, `{"criteria": {"response_match_score": null}}`, "fix this error in `test_config.json` first: `response_match_score` is null"},
		{"no metric", "true", `{}`, `{"criteria": {}}`, "names no metrics"},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := newFolder(map[string]string{"/evals/bank.evalset.json": bankSet, "/evals/test_config.json": c.config})
			e := lsptest.Start(t, newServer(folder))
			e.Initialize(allCapabilities, `"initializationOptions":{"trusted":`+c.trust+`}`)
			e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":`+c.settings+`}}`)
			e.Open(bank, bankSet)
			for _, name := range []string{"rubric.runFile", "rubric.runCase"} {
				raw, err := commandIn(e, bank, name, `,"case":"hello"`)
				if err == nil || !strings.Contains(err.Message, c.want) {
					t.Errorf("%s gives %s, %v", name, raw, err)
				}
			}
		})
	}
}

// TestEvalsetSpent checks that the report shows the judge's token usage.
func TestEvalsetSpent(t *testing.T) {
	server := newServer(newFolder(map[string]string{"/evals/test_config.json": bankConfig}))
	server.Host = lsp.Host{
		Host: run.Host{
			OpenJudge: func(context.Context, string, string) (run.OpenedJudge, error) {
				return run.OpenedJudge{Judge: judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
					return judge.Answer{Text: "{}", Model: "told-1", Usage: judge.Usage{Input: 7, Output: 2}}, nil
				})}, nil
			},
		},
		WriteReport: func(w io.Writer, suite, _ string, records []run.Record) error {
			_, err := fmt.Fprint(w, suite, len(records))
			return err
		},
	}
	e := lsptest.Start(t, server)
	e.Initialize(allCapabilities)
	e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":{"judge":"some","samples":3}}}`)
	e.Open(bank, bankSet)
	awaitJobIn(t, e, bank, startJobIn(t, e, bank, "rubric.runCase", `,"case":"hello"`))
	checkContains(t, "the report", string(e.Request("rubric/report", `{"textDocument":{"uri":"`+bank+`"}}`)), `"html":"bank1"`, `"input":21,"output":6`)
}

// TestEvalsetModeration checks that the configured moderator is asked instead of the judge, and not
// for an untrusted folder.
func TestEvalsetModeration(t *testing.T) {
	asked := make(chan string, 9)
	start := func(settings string, more ...string) *lsptest.Editor {
		server := newServer(newFolder(map[string]string{"/evals/test_config.json": `{"criteria": {"safety_v1": 0.8}}`}))
		server.Host = lsp.Host{Host: run.Host{OpenModerator: func(_ context.Context, name string) (metric.Moderate, error) {
			if name != "guard" {
				return nil, fmt.Errorf("there is no endpoint `%s`", name)
			}
			return func(_ context.Context, text string) ([]metric.RubricScore, error) {
				asked <- text
				none := 0.0
				return []metric.RubricScore{{ID: "menace", Score: &none, Rationale: "it is one"}}, nil
			}, nil
		}}}
		e := lsptest.Start(t, server)
		e.Initialize(allCapabilities, more...)
		e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":`+settings+`}}`)
		e.Open(bank, bankSet)
		return e
	}
	e := start(`{"moderation":"guard"}`)
	_, states, _ := awaitJobIn(t, e, bank, startJobIn(t, e, bank, "rubric.runCase", `,"case":"hello"`))
	if text := <-asked; text != "Good morning." || states["hello/safety_v1"] != "fail" {
		t.Errorf("asked about %q: %v", text, states)
	}
	checkContains(t, "the hover", hoverIn(e, bank, 7, 15), "last run: fail")
	e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":{}}}`)
	checkContains(t, "the lenses after another setting", lensesIn(e, bank), "fail, score 0 (stale)")

	e = start(`{"moderation":"nobody"}`)
	end, _, _ := awaitJobIn(t, e, bank, startJobIn(t, e, bank, "rubric.runCase", `,"case":"hello"`))
	if end.State != "failed" || !strings.Contains(end.Message, "there is no endpoint `nobody`") {
		t.Errorf("%+v", end)
	}
	e = start(`{"moderation":"guard","sandboxedGraders":true}`, `"initializationOptions":{"trusted":false}`)
	awaitJobIn(t, e, bank, startJobIn(t, e, bank, "rubric.runCase", `,"case":"hello"`))
	if len(asked) > 0 {
		t.Errorf("asked about %q, though nobody trusts the folder", <-asked)
	}
}

// TestCancelEvalset cancels a judge that does not answer.
func TestCancelEvalset(t *testing.T) {
	asked := make(chan bool, 99)
	folder := newFolder(map[string]string{"/evals/bank.evalset.json": bankSet, "/evals/test_config.json": bankConfig})
	server := newServer(folder)
	server.Host = lsp.Host{Host: run.Host{OpenJudge: openSilentJudge(asked)}}
	e := lsptest.Start(t, server)
	e.Initialize(allCapabilities)
	e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":{"judge":"slow"}}}`)
	e.Open(bank, bankSet)
	job := startJobIn(t, e, bank, "rubric.runCase", `,"case":"balance"`)
	<-asked
	e.Request("workspace/executeCommand", fmt.Sprintf(`{"command":"rubric.cancelRun","arguments":[{"job":%q}]}`, job))
	end, states, _ := awaitJobIn(t, e, bank, job)
	if end.State != "cancelled" || states["balance"] != "cancelled" || states["balance/safety_v1"] != "cancelled" {
		t.Errorf("%+v, %v", end, states)
	}
}

func hoverIn(e *lsptest.Editor, uri string, line, character int) string {
	var h struct{ Contents struct{ Value string } }
	raw := e.Request("textDocument/hover", fmt.Sprintf(`{"textDocument":{"uri":%q},"position":{"line":%d,"character":%d}}`, uri, line, character))
	if json.Unmarshal(raw, &h) != nil {
		return string(raw)
	}
	return h.Contents.Value
}
