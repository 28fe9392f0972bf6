package lsp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

const reportOf = `{"textDocument":{"uri":"` + doc + `"}}`

// TestReport checks that the page shows what ran, its cost and what is stale.
func TestReport(t *testing.T) {
	host := lsp.Host{
		Host: run.Host{
			OpenJudge: func(context.Context, string, string) (run.OpenedJudge, error) {
				return run.OpenedJudge{Judge: judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
					return judge.Answer{
						Text:  `{"checks":[{"id":"days","satisfied":true,"reasoning":"r"},{"id":"label","satisfied":true,"reasoning":"r"}],"overall_reasoning":""}`,
						Model: "told-1", Usage: judge.Usage{Input: 7, Output: 3},
					}, nil
				})}, nil
			},
		},
		WriteReport: func(w io.Writer, suite, path string, records []run.Record) error {
			fmt.Fprintf(w, "<p>%s", path)
			for _, r := range records {
				fmt.Fprintf(w, " %s %s", r.EvalID, r.Verdict)
			}
			return nil
		},
	}
	e := startRunnable(t, host, allCapabilities, `{"judge":"told"}`)
	if _, err := e.AwaitResponse(e.StartRequest("rubric/report", reportOf)); err == nil || !strings.Contains(err.Message, "no case of `a.eval.yaml` has been run") {
		t.Errorf("before anything was run: %v", err)
	}
	awaitJob(t, e, startJob(t, e, "rubric.runCase", `,"case":"window"`))
	checkContains(t, "the report", string(e.Request("rubric/report", reportOf)),
		`"html":"<p>/evals/a.eval.yaml window pass"`, `"cases":1`, `"stale":0`, `"input":7`, `"output":3`)
	if numbers := string(e.Request("rubric/report", `{"textDocument":{"uri":"`+doc+`"},"withoutPage":true}`)); numbers != `{"cases":1,"stale":0,"spent":{"input":7,"output":3}}` {
		t.Errorf("without the page: %s", numbers)
	}
	e.Notify("textDocument/didChange", `{"textDocument":{"uri":"`+doc+`","version":2},"contentChanges":[{"text":`+quoted(strings.Replace(gradedSuite, "30 days", "60 days", 2))+`}]}`)
	checkContains(t, "the report after an edit", string(e.Request("rubric/report", reportOf)), `"stale":1`)
}

// TestRecords checks that the full records of open documents are returned.
func TestRecords(t *testing.T) {
	e := startRunnable(t, lsp.Host{}, allCapabilities, "")
	checkContains(t, "before a run", string(e.Request("rubric/records", reportOf)), `{"records":[]}`)
	awaitJob(t, e, startJob(t, e, "rubric.runCase", `,"case":"window"`))
	var result struct{ Records []run.Record }
	if err := json.Unmarshal(e.Request("rubric/records", reportOf), &result); err != nil || len(result.Records) != 1 || result.Records[0].EvalID != "window" || len(result.Records[0].Graders) == 0 {
		t.Errorf("%v: %+v", err, result)
	}
	if _, err := e.AwaitResponse(e.StartRequest("rubric/records", `{"textDocument":{"uri":"file:///none.yaml"}}`)); err == nil || err.Code != -32803 {
		t.Errorf("of none: %v", err)
	}
}

// TestNoReport checks the error of a server that cannot write reports.
func TestNoReport(t *testing.T) {
	e := startRunnable(t, lsp.Host{}, allCapabilities, "")
	awaitJob(t, e, startJob(t, e, "rubric.runCase", `,"case":"window"`))
	if _, err := e.AwaitResponse(e.StartRequest("rubric/report", reportOf)); err == nil || err.Code != -32803 {
		t.Error(err)
	}
}

// TestKey checks that a host gets a key from its own client, while it opens a judge, if the client
// stores keys.
func TestKey(t *testing.T) {
	for capabilities, want := range map[string]string{
		`{"experimental":{"rubric":{"keys":true}}}`: "k-1",
		`{}`: "",
	} {
		held := make(chan string, 1)
		host := lsp.Host{Host: run.Host{OpenJudge: func(ctx context.Context, _, _ string) (run.OpenedJudge, error) {
			held <- lsp.ClientKey(ctx, "OPENAI_API_KEY")
			return run.OpenedJudge{}, fmt.Errorf("that is all")
		}}}
		e := startRunnable(t, host, capabilities, `{"judge":"openai:gpt"}`)
		e.Handle("rubric/key", func(params json.RawMessage) any {
			if string(params) != `{"name":"OPENAI_API_KEY"}` {
				t.Errorf("asked for %s", params)
			}
			return map[string]string{"key": "k-1"}
		})
		awaitJob(t, e, startJob(t, e, "rubric.runFile", ""))
		if got := <-held; got != want {
			t.Errorf("with %s the key is %q", capabilities, got)
		}
	}
	if got := lsp.ClientKey(t.Context(), "OPENAI_API_KEY"); got != "" {
		t.Errorf("outside of a run there is the key %q", got)
	}
}

// TestSamplesOfOneRun checks that a command can ask for more samples than the settings, and that
// the grade shows where they differ.
func TestSamplesOfOneRun(t *testing.T) {
	asked := make(chan bool, 99)
	host := lsp.Host{Host: run.Host{OpenJudge: func(context.Context, string, string) (run.OpenedJudge, error) {
		return run.OpenedJudge{Judge: judge.Func(func(_ context.Context, q judge.Question) (judge.Answer, error) {
			asked <- true
			return judge.Answer{Text: fmt.Sprintf(`{"checks":[{"id":"days","satisfied":true,"reasoning":"r"},{"id":"label","satisfied":%v,"reasoning":"r"}],"overall_reasoning":""}`, q.Sample != 1)}, nil
		})}, nil
	}}}
	e := startRunnable(t, host, allCapabilities, `{"judge":"counted"}`)
	awaitJob(t, e, startJob(t, e, "rubric.runCase", `,"case":"window","samples":3`))
	if n := len(asked); n != 3 {
		t.Errorf("the judge was asked %d times", n)
	}
	checkContains(t, "the hints", string(e.Request("textDocument/inlayHint", hintsOfAll)), `"label":"satisfied"`, `"label":"satisfied (2 of 3 agree)"`)
	checkContains(t, "the hover", hoverOn(e, 8, 13), "**satisfied** (2 of 3 agree)")
}

// TestSpentByTheEditorsModel checks that the usage that the client reports is shown.
func TestSpentByTheEditorsModel(t *testing.T) {
	host := lsp.Host{WriteReport: func(io.Writer, string, string, []run.Record) error { return nil }}
	e := startRunnable(t, host, allCapabilities, `{"judge":"editor"}`)
	e.Handle("rubric/ask", func(json.RawMessage) any {
		return map[string]any{
			"text":  `{"checks":[{"id":"days","satisfied":true,"reasoning":"r"},{"id":"label","satisfied":true,"reasoning":"r"}],"overall_reasoning":""}`,
			"model": "m", "usage": map[string]int{"input": 11, "output": 5},
		}
	})
	awaitJob(t, e, startJob(t, e, "rubric.runCase", `,"case":"window"`))
	checkContains(t, "the report", string(e.Request("rubric/report", reportOf)), `"input":11`, `"output":5`)
}

// TestScore checks that typed grades get a verdict, by request and by command.
func TestScore(t *testing.T) {
	e := startRunnable(t, lsp.Host{}, allCapabilities, "")
	type result struct {
		Score    float64
		Verdict  string
		Ungraded int
		Graders  []struct{ Name, Verdict string }
	}
	for _, c := range []struct {
		grades string
		want   result
	}{
		{`[{"id":"days","satisfied":true},{"id":"label","satisfied":true}]`, result{Score: 1, Verdict: "pass"}},
		{`[{"id":"days","satisfied":true},{"grader":"rubric","id":"label","satisfied":false}]`, result{Score: 0.5, Verdict: "fail"}},
		{`[{"id":"days","satisfied":true}]`, result{Verdict: "ungraded", Ungraded: 1}},
		{`[{"id":"days","score":7}]`, result{Verdict: "ungraded", Ungraded: 2}},
	} {
		params := `,"case":"window","grades":` + c.grades
		var asked, commanded result
		e.RequestInto(&asked, "rubric/score", `{"uri":"`+doc+`"`+params+`}`)
		raw, err := command(e, "rubric.score", params)
		if err != nil || json.Unmarshal(raw, &commanded) != nil {
			t.Fatalf("%s, %v", raw, err)
		}
		if len(asked.Graders) != 1 || asked.Score != c.want.Score || asked.Verdict != c.want.Verdict || asked.Ungraded != c.want.Ungraded || asked.Verdict != commanded.Verdict {
			t.Errorf("%s: %+v, %+v", c.grades, asked, commanded)
		}
	}
}

// TestItems checks the test tree: a suite, its cases and their criteria, with stable ids.
func TestItems(t *testing.T) {
	type item struct {
		ID, Kind, Label string
		Range           lsptest.Range
		ResultRange     lsptest.Range `json:"told"`
		Target          struct{ Case, Grader, Criterion string }
		Children        []item
	}
	e := startRunnable(t, lsp.Host{}, allCapabilities, "")
	items := func() (root item) {
		e.RequestInto(&root, "rubric/testItems", `{"textDocument":{"uri":"`+doc+`"}}`)
		return root
	}
	root := items()
	if root.ID != doc || root.Kind != "suite" || root.Label != "a.eval" || len(root.Children) != 2 {
		t.Fatalf("%+v", root)
	}
	label := root.Children[0].Children[1]
	if label.ID != doc+"#window/rubric/label" || label.Kind != "criterion" || label.Range.Start.Line != 8 || label.Target.Criterion != "label" || label.Label != "Mentions “prepaid label”" {
		t.Errorf("%+v", label)
	}
	if label.ResultRange.Start.Line != 9 {
		t.Errorf("hints are in line %d, and the result in line %d", label.Range.Start.Line, label.ResultRange.Start.Line)
	}
	e.Change(doc, 2, lsptest.TextChange(0, 0, 0, "# moved\n"))
	if moved := items().Children[0].Children[1]; moved.ID != label.ID || moved.Range.Start.Line != 9 {
		t.Errorf("%+v", moved)
	}
	e.Change(doc, 3, lsptest.FullChange("a: 1\n"))
	if raw := e.Request("rubric/testItems", `{"textDocument":{"uri":"`+doc+`"}}`); string(raw) != "null" {
		t.Errorf("%s", raw)
	}
}

// TestItemResults checks the results in the test tree, of the cases in a range, and that hints leave them out.
func TestItemResults(t *testing.T) {
	capabilities := strings.Replace(allCapabilities, `"ask":true`, `"ask":true,"results":true,"choose":true`, 1)
	e := startRunnable(t, lsp.Host{}, capabilities, `{"judge":"offline"}`)
	awaitJob(t, e, startJob(t, e, "rubric.runFile", ""))
	e.Await("the log of the run", func(m lsptest.Message) bool {
		return m.Method == "window/logMessage" && strings.Contains(string(m.Params), ": 1 pass, 1 fail")
	})
	for _, m := range e.Messages() {
		if m.Method == "window/showMessage" {
			t.Errorf("a client that shows results shows %s", m.Params)
		}
	}
	type item struct {
		Label  string
		Result struct {
			State, Text, Message string
			Stale                bool
		}
		Children []item
	}
	results := func(lines string) string {
		var root item
		e.RequestInto(&root, "rubric/testItems", `{"textDocument":{"uri":"`+doc+`"}`+lines+`}`)
		var b strings.Builder
		for _, c := range root.Children {
			fmt.Fprintf(&b, "%s: %s, %s, %v\n", c.Label, c.Result.State, c.Result.Text, c.Result.Stale)
			for _, child := range c.Children {
				fmt.Fprintf(&b, "  %s, %s, %v\n", child.Result.State, child.Result.Text, child.Result.Stale)
			}
		}
		return b.String()
	}
	first := "window: fail, fail, score 0.5, false\n  pass, satisfied, false\n  fail, not satisfied, false\n"
	second := "greeting: pass, pass, score 1, false\n  pass, satisfied, false\n"
	if got := results(""); got != first+second {
		t.Errorf("got:\n%s", got)
	}
	if got := results(`,"range":{"start":{"line":8,"character":0},"end":{"line":9,"character":0}}`); got != first {
		t.Errorf("got:\n%s", got)
	}
	stale := "window: fail, fail, score 0.5 (stale), true\n"
	e.Change(doc, 2, lsptest.FullChange(strings.Replace(gradedSuite, "Mentions 30 days", "Mentions 31 days", 1)))
	if got := results(""); got != stale+"  pass, satisfied (stale), true\n  fail, not satisfied, false\n"+second {
		t.Errorf("got:\n%s", got)
	}
	if hints := string(e.Request("textDocument/inlayHint", `{"textDocument":{"uri":"`+doc+`"},"range":{"start":{"line":0,"character":0},"end":{"line":30,"character":0}}}`)); strings.Contains(hints, "satisfied\"") || !strings.Contains(hints, "required") {
		t.Error(hints)
	}
}

// TestCasePanel checks what the panel of the case at a position shows, before and after runs.
func TestCasePanel(t *testing.T) {
	e := startRunnable(t, lsp.Host{}, allCapabilities, `{"judge":"offline"}`)
	show := func() string {
		var indented bytes.Buffer
		if err := json.Indent(&indented, e.Request("rubric/casePanel", `{"textDocument":{"uri":"`+doc+`"},"position":{"line":8,"character":4}}`), "", " "); err != nil {
			t.Fatal(err)
		}
		return indented.String()
	}
	expect := func(panel string, parts ...string) {
		t.Helper()
		for _, want := range parts {
			if !strings.Contains(panel, want) {
				t.Errorf("no %s in\n%s", want, panel)
			}
		}
	}
	expect(show(), `"label": "window"`, `"label": "expected answers · offline judge"`, `"role": "user",`, `"text": "Can I send it back?"`,
		`"answer": "The refund window is 30 days."`, `"judged": false`, `"runs": []`, `**50 %** of the rubric's score`, `# Criteria\n\n`)
	awaitJob(t, e, startJob(t, e, "rubric.runFile", ""))
	expect(show(), `"judged": true`, `"text": "not satisfied"`, "`rubric`: `label` satisfied gives score 1", `"verdict": "fail"`)
	e.Change(doc, 2, lsptest.FullChange(strings.Replace(gradedSuite, "Mentions “prepaid label”", "Mentions “30 days”", 1)))
	awaitJob(t, e, startJob(t, e, "rubric.runFile", ""))
	expect(show(), "`label` from not satisfied to satisfied", `"verdict": "pass"`, `"verdict": "fail"`)
	const tests = "file:///evals/promptfooconfig.yaml"
	e.Open(tests, "prompts: [Say a, Say b]\nproviders: [echo]\ntests:\n  - assert: [{type: contains, value: a}]\n  - vars: {word: Hello}\n")
	panelOf := func(line int, id string) string {
		return string(e.Request("rubric/casePanel", fmt.Sprintf(`{"textDocument":{"uri":"%s"},"position":{"line":%d,"character":4},"case":"%s"}`, tests, line, id)))
	}
	for _, id := range []string{"test-1:1", "test-1:2"} { // which have one place
		expect(panelOf(3, id), `"label":"`+id+`"`)
	}
	expect(panelOf(4, "test-2:1"), `"label":"Hello"`, `"case":"test-2:1"`)
	if raw := string(e.Request("rubric/casePanel", `{"textDocument":{"uri":"file:///none.yaml"},"position":{"line":8,"character":4}}`)); raw != "null" {
		t.Error(raw)
	}
}
