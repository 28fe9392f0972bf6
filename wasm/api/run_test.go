package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/run"
)

const graded = `evalcases:
  - id: refund
    expected_outcome: Says when
    input: When?
    expected_messages: [{role: assistant, content: Within five days}]
    evaluators:
      - name: rubric
        type: llm_judge
        rubrics: [{id: days, expected_outcome: Mentions “days”}]
      - {name: brief, type: code_judge, script: [brief.wasm]}
`

// TestRun answers what is open and calls again until nothing is.
func TestRun(t *testing.T) {
	answers, printed := map[string]any{}, map[string]any{}
	params := map[string]any{"text": graded, "path": "x.eval.yaml", "case": "refund", "judge": "editor", "answers": answers, "printed": printed}
	var asked []string
	for round := range 4 {
		result := call(t, "run", params)["result"]
		questions, _ := at(result, "questions").([]any)
		programs, _ := at(result, "programs").([]any)
		if len(questions)+len(programs) == 0 {
			if round != 2 || len(asked) != 2 || at(result, "standing") != "borderline" || !strings.Contains(asked[1], "not JSON") {
				t.Fatalf("round %d, asked %q", round, asked)
			}
			for path, want := range map[string]any{"score": 0.75, "verdict": "borderline", "target": "self (expected output)", "judge": "editor", "eval_file": "x.eval.yaml"} {
				if got := at(result, "record", path); got != want {
					t.Errorf("%s: %v, want %v", path, got, want)
				}
			}
			return
		}
		if at(result, "standing") != "ungraded" {
			t.Errorf("standing %v while something is open", at(result, "standing"))
		}
		for _, q := range questions {
			asked = append(asked, at(q, "user").(string))
			reply := "none"
			if len(asked) == 2 {
				reply = `{"checks": [{"id": "days", "satisfied": true, "reasoning": "five"}], "overall_reasoning": "r"}`
			}
			answers[at(q, "key").(string)] = map[string]any{"text": reply}
		}
		for _, p := range programs {
			if at(p, "argv", 0) != "brief.wasm" || !strings.Contains(at(p, "stdin").(string), `"candidate_answer": "Within five days"`) {
				t.Errorf("program %v", p)
			}
			printed[at(p, "key").(string)] = map[string]any{"stdout": `{"score": 0.5}`, "stderr": "", "code": 0}
		}
	}
	t.Error("it never ends")
}

func TestRunEnds(t *testing.T) {
	one := map[string]any{"text": strings.Split(graded, "      - {name: brief")[0], "case": "refund"}
	with := func(more map[string]any) map[string]any {
		for k, v := range one {
			more[k] = v
		}
		return more
	}
	open := call(t, "run", with(map[string]any{"judge": "m"}))["result"]
	key := at(open, "questions", 0, "key").(string)
	failed := map[string]any{key: map[string]any{"text": "", "error": "m: nobody is there", "unreachable": true}}
	for _, c := range []struct {
		name   string
		params map[string]any
		path   []any
		want   any
	}{
		{"the offline judge", map[string]any{}, []any{"record", "judge"}, "offline"},
		{"nobody there", map[string]any{"judge": "m", "answers": failed}, []any{"standing"}, "ungraded"},
		{"nobody there, and why", map[string]any{"judge": "m", "answers": failed}, []any{"record", "unreachable"}, true},
		{"another answer", map[string]any{"target": "a.jsonl", "submission": map[string]any{"candidate_answer": "days"}}, []any{"record", "candidate_answer"}, "days"},
		{"none recorded", map[string]any{"target": "a.jsonl"}, []any{"record", "error"}, "the target gave no answer: no answer is recorded for the case `refund`"},
		{"never recorded", map[string]any{"judge": "replay:x", "replay": true}, []any{"record", "evaluator_results", 0, "grades", 0, "ungraded"}, "the judge gave no answer: judge replay: no recorded answer for the question " + key[:12] + " about `When?`; record the run again"},
	} {
		if got := at(call(t, "run", with(c.params)), append([]any{"result"}, c.path...)...); got != c.want {
			t.Errorf("%s: %v is %v, want %v", c.name, c.path, got, c.want)
		}
	}
	if got := at(call(t, "run", map[string]any{"text": graded, "case": "x"}), "error", "code"); got != "unknown-case" {
		t.Errorf("another case: %v", got)
	}
}

// TestRunRecordedAnswer checks that a run grades the answer that a file records, and another one if that is given.
func TestRunRecordedAnswer(t *testing.T) {
	file := map[string]any{"path": "promptfooconfig.yaml", "case": "test-1", "text": "prompts: [Hi]\nproviders: [openai:m]\ntests:\n  - providerOutput: Hello\n    assert: [{type: contains, value: Hello}]\n"}
	if got := at(call(t, "suite", file), "result", "cases", 0, "answer"); got != "Hello" {
		t.Errorf("the answer of the case is %v", got)
	}
	if got := at(call(t, "run", file), "result", "standing"); got != "pass" {
		t.Errorf("the recorded answer: %v", got)
	}
	file["target"], file["submission"] = "typed answer", map[string]any{"candidate_answer": "Bye"}
	result := call(t, "run", file)["result"]
	if got := at(result, "record", "candidate_answer"); got != "Bye" || at(result, "standing") != "fail" {
		t.Errorf("answer %v is graded: %v", got, at(result, "standing"))
	}
}

// TestRunAsksOnce checks that a question that two graders ask is sent only once.
func TestRunAsksOnce(t *testing.T) {
	again := strings.Replace(graded, "      - {name: brief, type: code_judge, script: [brief.wasm]}", "      - name: again\n        type: llm_judge\n        rubrics: [{id: days, expected_outcome: Mentions “days”}]", 1)
	result := call(t, "run", map[string]any{"text": again, "case": "refund", "judge": "m"})["result"]
	if questions := at(result, "questions").([]any); len(questions) != 1 {
		t.Errorf("%d questions: %v", len(questions), questions)
	}
}

// TestRunEvalset checks that an evalset is evaluated with its configuration.
func TestRunEvalset(t *testing.T) {
	set := `{"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [{"user_content": {"parts": [{"text": "q"}]}, "final_response": {"parts": [{"text": "It costs 5"}]}}]}]}`
	recorded := strings.ReplaceAll(set, "costs 5", "costs 7")
	params := map[string]any{"text": set, "path": "s.evalset.json", "target": "r.json", "config": `{"criteria": {"response_match_score": 0.6}}`, "recorded": recorded}
	result := call(t, "run", params)["result"]
	if at(result, "standing") != "pass" || at(result, "record", "evaluator_results", 0, "metric", "metric_name") != "response_match_score" || at(result, "record", "dataset") != "s" {
		t.Errorf("%v", result)
	}
	for _, config := range []string{`{"criteria": 7}`, `{"criteria": {"response_match_score": null}}`, `{"criteria": {"response_match_score": {"threshold": 0.6, "include_intermediate_responses_in_final": null}}}`} {
		params["config"] = config
		if got := at(call(t, "run", params), "error", "code"); got != "refused" {
			t.Errorf("%s: %v", config, got)
		}
	}
	params["config"], params["text"] = `{"criteria": {"response_match_score": 0.6}}`, strings.Replace(set, `"conversation": [`, `"conversation": [null, `, 1)
	if got := call(t, "run", params); at(got, "error", "message") != "s.evalset.json, line 1: an item of `conversation` is null; expected a mapping; the runner refuses the file" {
		t.Errorf("a null turn: %v", got)
	}
}

// TestLast checks that a case's last result is shown in its document, and is stale once the case
// has changed.
func TestLast(t *testing.T) {
	call(t, "open", map[string]any{"document": "last", "path": "x.eval.yaml", "text": strings.Split(graded, "      - {name: brief")[0]})
	defer call(t, "forget", map[string]any{"document": "last"})
	shown := func() string {
		lenses, _ := json.Marshal(call(t, "lens", map[string]any{"document": "last"}))
		return string(lenses)
	}
	before := shown()
	call(t, "run", map[string]any{"document": "last", "case": "refund"})
	after := shown()
	if before == after || !strings.Contains(after, "pass, score 1") {
		t.Errorf("after a run: %s", after)
	}
	call(t, "edit", map[string]any{"document": "last", "changes": []any{map[string]any{"range": map[string]any{"start": map[string]any{"line": 2, "character": 22}, "end": map[string]any{"line": 2, "character": 22}}, "text": "Never "}}})
	if !strings.Contains(shown(), "stale") {
		t.Errorf("after an edit: %s", shown())
	}
}

// TestReasonsWithLabels: a hover names a criterion by its text, as the language server does.
func TestReasonsWithLabels(t *testing.T) {
	const body = "evalcases:\n  - id: a\n    expected_outcome: O\n    input: q\n    expected_output: Waves\n    rubrics: [{ required: true, expected_outcome: Mentions “Greets” }]\n"
	call(t, "open", map[string]any{"document": "labels", "path": "x.eval.yaml", "text": body})
	defer call(t, "forget", map[string]any{"document": "labels"})
	call(t, "run", map[string]any{"document": "labels", "case": "a"})
	shown, _ := json.Marshal(call(t, "hover", map[string]any{"document": "labels", "position": map[string]any{"line": 1, "character": 9}}))
	if !strings.Contains(string(shown), "Mentions “Greets”") {
		t.Errorf("%s", shown)
	}
}

// TestPanelOfTarget: the case panel shows the last run with a target, and the runs before it.
func TestPanelOfTarget(t *testing.T) {
	call(t, "open", map[string]any{"document": "panel", "path": "x.eval.yaml", "text": strings.Split(graded, "      - {name: brief")[0]})
	defer call(t, "forget", map[string]any{"document": "panel"})
	call(t, "run", map[string]any{"document": "panel", "case": "refund"})
	call(t, "run", map[string]any{"document": "panel", "case": "refund", "target": "mock", "submission": map[string]any{"candidate_answer": "No idea"}})
	show := func(target string) (answer any, targets []any) {
		panel := call(t, "lsp", map[string]any{"method": "rubric/casePanel", "params": map[string]any{
			"textDocument": map[string]any{"uri": "panel"}, "position": map[string]any{"line": 2, "character": 0}, "target": target,
		}})
		result := at(panel, "result", "result").(map[string]any)
		for _, past := range result["runs"].([]any) {
			targets = append(targets, at(past, "target"))
		}
		return result["answer"], targets
	}
	if answer, targets := show(""); answer != "No idea" || len(targets) != 2 || targets[0] != "mock" {
		t.Errorf("the last run: %v, %v", answer, targets)
	}
	self := run.SelfTargetLabel
	if answer, targets := show(self); answer == "No idea" || len(targets) != 1 || targets[0] != self {
		t.Errorf("the last run with %s: %v, %v", self, answer, targets)
	}
	if answer, targets := show("nobody"); answer == "No idea" || targets != nil {
		t.Errorf("a target without a run: %v, %v", answer, targets)
	}
}

// TestFormats: a file that is in no format has no name, and the formats are those of the dialects.
func TestFormats(t *testing.T) {
	for text, want := range map[string]any{"evalcases: []\n": "AgentV", "{\"eval_set_id\": \"a\", \"eval_cases\": []}": "ADK", "other: [file]\n": nil} {
		answer := call(t, "formats", map[string]any{"path": "x.yaml", "text": text})
		if got := at(answer, "result", "name"); got != want {
			t.Errorf("%q is of %v", text, got)
		}
		if got := len(at(answer, "result", "formats").([]any)); got != len(dialect.Names()) {
			t.Errorf("%d formats", got)
		}
	}
}

// TestLensesOfStretch checks that the lenses of a range are those of the file that begin in it,
// also after a run.
func TestLensesOfStretch(t *testing.T) {
	body := "evalcases:\n"
	for _, id := range []string{"a", "b", "c"} {
		body += "  - id: " + id + "\n    expected_outcome: Says it\n    input: Say it\n    expected_messages: [{role: assistant, content: Says it}]\n    rubrics: [Says it]\n"
	}
	call(t, "open", map[string]any{"document": "stretch", "path": "x.eval.yaml", "text": body})
	defer call(t, "forget", map[string]any{"document": "stretch"})
	call(t, "run", map[string]any{"document": "stretch", "case": "b"})
	whole := call(t, "lens", map[string]any{"document": "stretch"})["result"].([]any)
	seen := 0
	for line := range strings.Count(body, "\n") {
		stretch := map[string]any{"start": map[string]any{"line": line, "character": 0}, "end": map[string]any{"line": line, "character": 200}}
		got := call(t, "lens", map[string]any{"document": "stretch", "range": stretch})["result"].([]any)
		want := slices.DeleteFunc(slices.Clone(whole), func(l any) bool { return at(l, "range", "start", "line") != float64(line) })
		if encode(got) != encode(want) {
			t.Errorf("line %d: %s\nwant %s", line, encode(got), encode(want))
		}
		seen += len(got)
	}
	if seen != len(whole) || !strings.Contains(encode(whole), "ungraded, 1 grade missing") || !strings.Contains(encode(whole), "0 of 1 passed") {
		t.Errorf("%d of %s", seen, encode(whole))
	}
}

func TestWire(t *testing.T) {
	question := map[string]any{"provider": "ollama", "model": "m", "system": "s", "user": "u", "schema": map[string]any{"type": "object"}}
	result := call(t, "request", question)["result"]
	if at(result, "path") != "api/chat" || !strings.Contains(at(result, "body").(string), `"format":{"type":"object"}`) {
		t.Errorf("%v", result)
	}
	question["without"] = []any{"schema"}
	if body := at(call(t, "request", question), "result", "body").(string); strings.Contains(body, `"format"`) {
		t.Errorf("without a schema: %s", body)
	}
	for _, c := range []struct {
		status int
		body   string
		path   []any
		want   any
	}{
		{200, `{"model": "m1", "choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}]}`, []any{"text"}, "yes"},
		{401, `{"error": {"message": "no"}}`, []any{"fault", "message"}, "the key was not accepted (status 401): no"},
		{503, `x`, []any{"fault", "passing"}, true},
		{429, `x`, []any{"fault", "after"}, 2.0},
		{400, `{"error": {"message": "temperature", "param": "temperature"}}`, []any{"fault", "feature"}, "temperature"},
	} {
		got := call(t, "response", map[string]any{"provider": "openai", "status": c.status, "headers": map[string]string{"retry-after": "2"}, "body": c.body})
		if got := at(got, append([]any{"result"}, c.path...)...); got != c.want {
			t.Errorf("%d %s: %v, want %v", c.status, c.body, got, c.want)
		}
	}
	if got := at(call(t, "request", map[string]any{"provider": "x"}), "error", "code"); got != "bad-params" {
		t.Errorf("no such provider: %v", got)
	}
	recording := call(t, "tape", map[string]any{"text": `{"fingerprint": "f", "answer": "a", "judges": ["j"]}`})
	if at(recording, "result", "answers", "f", "text") != "a" || at(recording, "result", "judges", 0) != "j" {
		t.Errorf("%v", recording)
	}
	answers := call(t, "recording", map[string]any{"text": `{"id": "c", "answer": "a"}`})
	if at(answers, "result", "answers", "c", "candidate_answer") != "a" || at(call(t, "recording", map[string]any{"text": "{"}), "error", "code") != "refused" {
		t.Errorf("%v", answers)
	}
}

func encode(v any) string {
	encoded, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

// TestReport checks that runs are shown as a page, and that records of changed cases are counted.
func TestReport(t *testing.T) {
	text := "evalcases:\n  - id: a\n    expected_outcome: Greets\n    input: Hi\n    expected_output: Hello\n    rubrics: [Says hello, Says <b>]\n"
	call(t, "open", map[string]any{"document": "r", "path": "r.eval.yaml", "text": text})
	defer call(t, "forget", map[string]any{"document": "r"})
	result := call(t, "run", map[string]any{"document": "r", "case": "a", "judge": "editor", "samples": 3})
	questions, _ := at(result, "result", "questions").([]any)
	if len(questions) != 3 {
		t.Fatalf("%d questions for three samples", len(questions))
	}
	record := at(call(t, "run", map[string]any{"document": "r", "case": "a"}), "result", "record")
	report := func() any {
		return call(t, "report", map[string]any{"document": "r", "name": "r", "records": []any{record}})["result"]
	}
	page := fmt.Sprint(at(report(), "html"))
	for _, part := range []string{"<h1>0 of 1 passed</h1>", "Says &lt;b&gt;", "offline"} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %s", part)
		}
	}
	if at(report(), "stale") != 0.0 || at(report(), "totals", "cases") != 1.0 {
		t.Errorf("%v", at(report(), "totals"))
	}
	call(t, "edit", map[string]any{"document": "r", "changes": []any{map[string]any{"text": strings.Replace(text, "Hello", "Hi", 1)}}})
	if at(report(), "stale") != 1.0 {
		t.Error("a record of another answer is not stale")
	}
}

// TestRunTurns runs a conversation, whose turns need a target. Expected answers are graded; one
// answer for all turns is not.
func TestRunTurns(t *testing.T) {
	const talk = `{prompts: Be kind., tests: [{id: talk, mode: conversation, vars: {}, turns: [{input: Hello, expected_output: Hi, assert: [{type: equals, value: Hi}]}]}]}`
	for _, c := range []struct {
		more     map[string]any
		standing string
		problem  string
	}{
		{nil, "pass", ""},
		{map[string]any{"submission": map[string]any{"candidate_answer": "Hi"}, "target": "page"}, "ungraded", "a conversation in turns needs a target that answers each turn; one answer was given"},
		{map[string]any{"target": "page"}, "ungraded", "no answer is recorded for the case `talk/turn-1`"},
	} {
		params := map[string]any{"text": talk, "path": "x.eval.yaml", "case": "talk"}
		maps.Copy(params, c.more)
		result := call(t, "run", params)["result"]
		problem, _ := at(result, "record", "error").(string)
		if at(result, "standing") != c.standing || c.problem == "" != (problem == "") || !strings.Contains(problem, c.problem) {
			t.Errorf("%v: %v, %q", c.more, at(result, "standing"), problem)
		}
	}
	for op, more := range map[string]map[string]any{"prompt": nil, "score": {"reply": "{}"}} {
		params := map[string]any{"text": talk, "path": "x.eval.yaml", "case": "talk"}
		maps.Copy(params, more)
		if e := at(call(t, op, params), "error", "message"); !strings.Contains(fmt.Sprint(e), "a conversation in turns") {
			t.Errorf("%s: %v", op, e)
		}
	}
}
