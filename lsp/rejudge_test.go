package lsp_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// generous opens a judge that satisfies every criterion, with 6 of 10 for a score.
func generous(context.Context, string, string) (judge.Judge, func(), error) {
	return judge.Func(func(_ context.Context, q judge.Question) (judge.Answer, error) {
		var checks []string
		for _, i := range q.Brief.Items {
			grade := `"satisfied":true`
			if i.Ranged {
				grade = `"score":6`
			}
			checks = append(checks, fmt.Sprintf(`{"id":%q,%s,"reasoning":"r"}`, i.ID, grade))
		}
		return judge.Answer{Text: `{"checks":[` + strings.Join(checks, ",") + `],"overall_reasoning":""}`}, nil
	}), func() {}, nil
}

// TestRejudgeByAnother checks that grades of one criterion by another judge do not mix with the
// stored ones.
func TestRejudgeByAnother(t *testing.T) {
	e := running(t, lsp.Host{OpenJudge: generous}, everything, "")
	finish(t, e, begin(t, e, "rubric.runFile", ""))
	e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":{"judge":"generous"}}}`)
	_, states, _ := finish(t, e, begin(t, e, "rubric.rejudge", `,"case":"window","criterion":"label"`))
	if len(states) != 3 || states["window/rubric/days"] != "pass" || states["window"] != "pass" {
		t.Errorf("%v", states)
	}
	holds(t, "the lens", lenses(e), "1 pass, score 1 \n", "10 pass, score 1 (stale)")
	_, states, _ = finish(t, e, begin(t, e, "rubric.rejudge", `,"case":"window","criterion":"label"`))
	if len(states) != 2 {
		t.Errorf("with one judge that criterion alone is judged: %v", states)
	}
}

// TestScored checks that a scored criterion has the verdict of its score, as a gate or not, and
// none without a grade.
func TestScored(t *testing.T) {
	for _, tt := range []struct{ name, grade, gated, free, whole string }{
		{"nothing", `"score":0`, "fail", "fail", "fail"},
		{"little", `"score":5`, "fail", "fail", "fail"},
		{"borderline", `"score":7`, "borderline", "borderline", "borderline"},
		{"enough", `"score":8`, "pass", "pass", "pass"},
		{"all", `"score":10`, "pass", "pass", "pass"},
		{"no grade", `"score":"?"`, "ungraded", "ungraded", "ungraded"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			judged := func(context.Context, string, string) (judge.Judge, func(), error) {
				return judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
					return judge.Answer{Text: `{"checks":[{"id":"gated",` + tt.grade + `,"reasoning":"r"},{"id":"free",` + tt.grade + `,"reasoning":"r"}],"overall_reasoning":""}`}, nil
				}), func() {}, nil
			}
			e := running(t, lsp.Host{OpenJudge: judged}, everything, `{"judge":"scoring"}`)
			e.Change(doc, 2, lsptest.FullChange(`evalcases:
  - id: a
    expected_outcome: Sums it up
    input: Sum it up
    expected_output: So it is
    rubrics:
      - { id: gated, required_min_score: 7, score_ranges: { 0: Wrong, 5: Right } }
      - { id: free, score_ranges: { 0: Long, 5: Short } }
`))
			end, states, _ := finish(t, e, begin(t, e, "rubric.runCase", `,"case":"a"`))
			if end.State != "done" || states["a/rubric/gated"] != tt.gated || states["a/rubric/free"] != tt.free || states["a"] != tt.whole {
				t.Errorf("%+v, %v", end, states)
			}
		})
	}
}

// TestRunPanics checks that a panic in the host ends the run with a message.
func TestRunPanics(t *testing.T) {
	host := lsp.Host{OpenJudge: func(context.Context, string, string) (judge.Judge, func(), error) { panic("planted") }}
	e := running(t, host, everything, `{"judge":"x"}`)
	if end, _, _ := finish(t, e, begin(t, e, "rubric.runFile", "")); end.State != "failed" || !strings.Contains(end.Message, "planted") {
		t.Errorf("%+v", end)
	}
	if status := e.Stop(); status != 0 {
		t.Errorf("exit status %d", status)
	}
}

// TestStaleByFile checks that a result depends on the files that the case refers to, and on the
// targets if one of them answers.
func TestStaleByFile(t *testing.T) {
	asks := strings.Replace(graded, "input: Can I send it back?", "input: [{ role: user, content: [{ type: file, value: question.md }] }]", 1)
	runs := strings.Replace(graded, "    rubrics:\n      - id: days", "    evaluators: [{ name: program, type: code_judge, script: [sh, grade.sh] }]\n    rubrics:\n      - id: days", 1)
	host := lsp.Host{OpenTarget: func(context.Context, string, string) (run.Target, error) { return run.SelfTarget, nil }}
	for _, c := range []struct {
		name, body, settings, file string
		both                       bool // cases become stale
	}{
		{"a message", asks, "{}", "question.md", false},
		{"a program", runs, "{}", "grade.sh", false},
		{"the targets", graded, `{"target":"ours"}`, "targets.yaml", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := lsptest.NewFolder(map[string]string{"/evals/" + c.file: "targets: [{ name: ours }]"})
			server := newServer(folder)
			server.Host = host
			e := lsptest.Start(t, server)
			e.Initialize(everything)
			e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":`+c.settings+`}}`)
			e.Open(doc, c.body)
			finish(t, e, begin(t, e, "rubric.runFile", ""))
			if got := lenses(e); strings.Contains(got, "(stale)") {
				t.Fatalf("stale at once:\n%s", got)
			}
			folder.Write("/evals/"+c.file, "targets: [{ name: ours, provider: mock }]")
			e.Notify("workspace/didChangeWatchedFiles", `{"changes":[{"uri":"file:///evals/`+c.file+`","type":2}]}`)
			got := ""
			for ; !strings.Contains(got, "(stale)"); got = lenses(e) {
				e.AwaitNext("lenses to be asked for anew", func(m lsptest.Message) bool { return m.Method == "workspace/codeLens/refresh" })
			}
			if n := strings.Count(got, "(stale)"); n != map[bool]int{false: 1, true: 2}[c.both] {
				t.Errorf("%d are stale:\n%s", n, got)
			}
		})
	}
}
