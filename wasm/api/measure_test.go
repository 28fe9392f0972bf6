package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"strings"
	"testing"
)

// openBanking opens the quickstart's evalset with its configuration and recording. The result closes
// them.
func openBanking(t *testing.T) (end func()) {
	t.Helper()
	names := []string{"banking.evalset.json", "test_config.json", "banking.evalset_result.json"}
	for _, name := range names {
		body, err := os.ReadFile("../../testdata/quickstart/banking/" + name)
		if err != nil {
			t.Fatal(err)
		}
		call(t, "open", map[string]any{"document": "/" + name, "text": string(body), "together": true})
	}
	return func() {
		for _, name := range names {
			call(t, "forget", map[string]any{"document": "/" + name})
		}
	}
}

// bankingParams returns a request about the quickstart's first case.
func bankingParams(more map[string]any) map[string]any {
	params := map[string]any{"document": "/banking.evalset.json", "case": "checks_then_transfers"}
	maps.Copy(params, more)
	return params
}

// metricIn returns a metric of a result.
func metricIn(result any, name string) any {
	all, _ := at(result, "metrics").([]any)
	for _, m := range all {
		if at(m, "metric_name") == name {
			return m
		}
	}
	return nil
}

// TestMeasure checks that typed verdicts change a case's metrics, and that the result says what
// would flip them, in ADK's terms.
func TestMeasure(t *testing.T) {
	defer openBanking(t)()
	tools, match := "rubric_based_tool_use_quality_v1", "final_response_match_v2"
	typed := func(grader string, turn int, id, key string, value any) map[string]any {
		return bankingParams(map[string]any{"flips": true, "grades": []any{map[string]any{"grader": grader, "turn": turn, "id": id, key: value}}})
	}
	for _, c := range []struct {
		name   string
		params map[string]any
		metric string
		want   string // of the metric, the case, and what flips the metric
	}{
		{"the best", bankingParams(map[string]any{"flips": true}), tools, "PASSED 1 PASSED [1/no_advice:FAILED/FAILED 2/no_advice:FAILED/FAILED 2/checks_balance:FAILED/FAILED]"},
		{"a rubric", typed(tools, 2, "checks_balance", "satisfied", false), tools, "FAILED 0.6666666666666666 FAILED [2/checks_balance:PASSED/PASSED]"},
		{"two votes", typed(match, 1, "matches_the_reference", "votes", 2), match, "PASSED 1 PASSED [1/matches_the_reference:FAILED/FAILED 2/matches_the_reference:FAILED/FAILED]"},
		{"one vote", typed(match, 1, "matches_the_reference", "votes", 1), match, "FAILED 0.5 FAILED [1/matches_the_reference:PASSED/PASSED]"},
		{"a claim", typed("hallucinations_v1", 1, "1.1", "label", "unsupported"), "hallucinations_v1", "FAILED 0.5 FAILED [1/1.1:PASSED/PASSED]"},
		{"without a judge", bankingParams(nil), "tool_trajectory_avg_score", "PASSED 1 PASSED []"},
	} {
		result := call(t, "measure", c.params)["result"]
		m := metricIn(result, c.metric)
		var flips []string
		all, _ := at(result, "flips").([]any)
		for _, f := range all {
			if at(f, "grader") == c.metric {
				flips = append(flips, fmt.Sprintf("%v/%v:%v/%v", at(f, "turn"), at(f, "id"), at(f, "eval_status"), at(f, "final_eval_status")))
			}
		}
		if got := fmt.Sprint(at(m, "eval_status"), " ", at(m, "score"), " ", at(result, "final_eval_status"), " ", flips); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestMeasureReplies checks that a judge's raw replies are decoded with their errors, and that the
// questions are those for a judge.
func TestMeasureReplies(t *testing.T) {
	defer openBanking(t)()
	asked := metricIn(call(t, "measure", bankingParams(map[string]any{"questions": true}))["result"], "rubric_based_tool_use_quality_v1")
	key, user := at(asked, "asked", 1, "key"), at(asked, "asked", 1, "user")
	if !strings.Contains(fmt.Sprint(user), "transfer_funds") {
		t.Errorf("the question: %v", user)
	}
	reply := "ID: checks_balance\nProperty: x\nRationale: it did not\nVerdict: no\n\nID: stray\nProperty: y\nRationale: r\nVerdict: yes"
	result := call(t, "measure", bankingParams(map[string]any{"replies": map[string]any{key.(string): reply}}))["result"]
	turn := at(metricIn(result, "rubric_based_tool_use_quality_v1"), "invocations", 1)
	if at(turn, "score") != 0.0 || at(turn, "rubric_scores", 0, "rationale") != "it did not" {
		t.Errorf("%v", turn)
	}
	for _, problem := range []string{"the judge gave no verdict on `no_advice`", "it names an unknown rubric: `stray y`"} {
		if !strings.Contains(fmt.Sprint(turn), problem) {
			t.Errorf("problem %q is missing in %v", problem, turn)
		}
	}
}

// TestMeasureRefused checks the errors for other files and unknown cases, and that a case without a
// recording is not evaluated.
func TestMeasureRefused(t *testing.T) {
	defer openBanking(t)()
	for _, c := range []struct {
		params map[string]any
		path   []any
		want   any
	}{
		{map[string]any{"text": evalFile}, []any{"error", "code"}, "bad-params"},
		{bankingParams(map[string]any{"case": "x"}), []any{"error", "code"}, "unknown-case"},
		{bankingParams(map[string]any{"document": "/banking.evalset_result.json", "recorded": `{"eval_set_id": "b", "eval_cases": []}`}), []any{"error", "code"}, "bad-params"},
		{bankingParams(map[string]any{"config": `{"criteria": {}}`}), []any{"error", "code"}, "refused"},
		{bankingParams(map[string]any{"recorded": `{"eval_set_id": "b", "eval_cases": [{"eval_id": "other", "conversation": []}]}`}), []any{"result", "final_eval_status"}, "NOT_EVALUATED"},
		{bankingParams(map[string]any{"config": `{"criteria": {"response_match_score": 0.5}}`}), []any{"result", "metrics", 0, "invocations", 0, "reason"}, nil},
	} {
		if got := at(call(t, "measure", c.params), c.path...); got != c.want {
			t.Errorf("%v is %v, want %v", c.path, got, c.want)
		}
	}
}

// TestMeasureOlder checks that a result file of the older form, which holds its JSON as text, works
// like a newer one.
func TestMeasureOlder(t *testing.T) {
	defer openBanking(t)()
	params := call(t, "beside", map[string]any{"document": "/banking.evalset.json"})["result"].(map[string]any)
	text, err := json.Marshal(params["recorded"])
	if err != nil {
		t.Fatal(err)
	}
	want := call(t, "measure", bankingParams(nil))["result"]
	if got := call(t, "measure", bankingParams(map[string]any{"config": params["config"], "recorded": string(text)}))["result"]; got == nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestLastMeasured checks that an evalset case's result is shown at its rubrics, and is stale once
// the configuration has changed.
func TestLastMeasured(t *testing.T) {
	defer openBanking(t)()
	hints := func() string {
		var labels []string
		all, _ := call(t, "inlay", map[string]any{"document": "/banking.evalset.json"})["result"].([]any)
		for _, h := range all {
			labels = append(labels, fmt.Sprint(at(h, "label")))
		}
		return strings.Join(labels, ", ")
	}
	if got := hints(); got != "" {
		t.Errorf("before a run: %s", got)
	}
	call(t, "run", bankingParams(nil))
	want := "2 of 7 metrics passed, 2 of 7 metrics passed, not judged, not judged"
	if got := hints(); got != want {
		t.Errorf("after a run: %s", got)
	}
	lasting := call(t, "last", bankingParams(nil))["result"]
	if at(lasting, "stale") != false || at(lasting, "standing") != "ungraded" {
		t.Errorf("%v", lasting)
	}
	call(t, "open", map[string]any{"document": "/test_config.json", "text": `{"criteria": {"response_match_score": 0.5}}`, "together": true})
	if got := hints(); strings.Count(got, "(stale)") != 4 || at(call(t, "last", bankingParams(nil)), "result", "stale") != true {
		t.Errorf("with another configuration: %s", got)
	}
}

// TestLastOfEach checks that an edit makes stale only the grades that depend on it.
func TestLastOfEach(t *testing.T) {
	const body = "evalcases:\n  - id: a\n    expected_outcome: O\n    input: q\n    expected_output: Greets\n    rubrics:\n      - { id: one, expected_outcome: Mentions “Greets” }\n      - { id: two, expected_outcome: Mentions “Thanks” }\n"
	call(t, "open", map[string]any{"document": "each", "path": "/x.eval.yaml", "text": body})
	defer call(t, "forget", map[string]any{"document": "each"})
	about := map[string]any{"document": "each", "case": "a"}
	if got := call(t, "last", about)["result"]; got != nil {
		t.Errorf("before a run: %v", got)
	}
	call(t, "run", about)
	ruling := func() string {
		var all []string
		for i := range 2 {
			g := at(call(t, "last", about), "result", "grades", i)
			all = append(all, fmt.Sprint(at(g, "grader"), " ", at(g, "id"), " ", at(g, "satisfied"), " ", at(g, "stale")))
		}
		return strings.Join(all, ", ")
	}
	if got := ruling(); got != "rubric one true false, rubric two false false" {
		t.Errorf("after a run: %s", got)
	}
	call(t, "edit", map[string]any{"document": "each", "changes": []any{change(6, 38, 6, 44, "Waves")}})
	if got := ruling(); got != "rubric one true true, rubric two false false" {
		t.Errorf("after an edit: %s", got)
	}
	hints, _ := json.Marshal(call(t, "inlay", map[string]any{"document": "each"}))
	if strings.Count(string(hints), "(stale)") != 1 {
		t.Errorf("%s", hints)
	}
}

// TestLastOfAnswers checks that a grade is stale once the recorded answer has changed, but not if
// another case's answer has.
func TestLastOfAnswers(t *testing.T) {
	const body = "evalcases:\n  - id: a\n    expected_outcome: O\n    input: q\n    rubrics: [{ id: one, expected_outcome: Mentions “Greets” }]\n"
	const answer = `{"id": "a", "answer": "Greets", "output_messages": [{"role": "assistant", "content": [{"type": "text", "value": "Greets"}], "tool_calls": [{"tool": "t", "input": {"n": 12345678901234567890}}]}], "trace_summary": {"event_count": 1}}`
	for name, text := range map[string]string{"/x.eval.yaml": body, "/said.jsonl": answer} {
		call(t, "open", map[string]any{"document": name, "text": text, "together": true})
		defer call(t, "forget", map[string]any{"document": name})
	}
	about := map[string]any{"document": "/x.eval.yaml", "case": "a"}
	call(t, "run", map[string]any{"document": "/x.eval.yaml", "case": "a", "target": "said.jsonl", "submission": at(call(t, "recording", map[string]any{"text": answer}), "result", "answers", "a")})
	for _, c := range []struct {
		now   string
		stale bool
	}{
		{answer + "\n" + `{"id": "b", "answer": "Waves"}`, false},
		{`{"id": "a", "answer": "Waves"}`, true},
		{`{"id": "b", "answer": "Greets"}`, true},
		{answer, false},
	} {
		call(t, "edit", map[string]any{"document": "/said.jsonl", "changes": []any{map[string]any{"text": c.now}}})
		last := call(t, "last", about)["result"]
		if at(last, "stale") != c.stale || at(last, "grades", 0, "stale") != c.stale {
			t.Errorf("%s: %v", c.now, last)
		}
	}
	call(t, "forget", map[string]any{"document": "/said.jsonl"})
	if got := at(call(t, "last", about), "result", "stale"); got != true {
		t.Errorf("without the file: stale is %v", got)
	}
}

// TestKeep checks that the record of a run elsewhere counts like one of a run here, for the text
// that it ran on.
func TestKeep(t *testing.T) {
	const body = "evalcases:\n  - id: a\n    expected_outcome: O\n    input: q\n    expected_output: Greets\n    rubrics:\n      - { id: one, expected_outcome: Mentions “Greets” }\n"
	record := at(call(t, "run", map[string]any{"text": body}), "result", "record")
	another := strings.Replace(body, "“Greets” }", "“Waves” }", 1)
	for _, c := range []struct {
		name, now, then string
		stale           bool
	}{{"the same text", body, body, false}, {"another one by now", another, body, true}, {"an unknown text", body, "", false}, {"an unknown text of another case", body, "", true}} {
		call(t, "open", map[string]any{"document": "kept", "path": "/x.eval.yaml", "text": c.now})
		call(t, "keep", map[string]any{"document": "kept", "text": c.then, "stale": c.then == "" && c.stale, "record": record})
		if got := at(call(t, "last", map[string]any{"document": "kept"}), "result", "stale"); got != c.stale {
			t.Errorf("%s: stale is %v", c.name, got)
		}
		call(t, "forget", map[string]any{"document": "kept"})
	}
	if got := at(call(t, "keep", map[string]any{"document": "kept", "text": body, "record": record}), "error", "code"); got != "not-open" {
		t.Errorf("of no document: %v", got)
	}
}

// TestRecordingOfAnotherSet checks that an evalset is not measured on the open recording of another one.
func TestRecordingOfAnotherSet(t *testing.T) {
	call(t, "open", map[string]any{"document": "/a.evalset_result.json", "text": `{"eval_set_id": "other", "eval_case_results": []}`, "together": true})
	defer call(t, "forget", map[string]any{"document": "/a.evalset_result.json"})
	defer openBanking(t)()
	if got := call(t, "run", bankingParams(nil)); at(got, "result", "record", "candidate_answer") == nil {
		t.Error(got)
	}
}

// TestLastOfResults checks that a result file is evaluated with the open configuration, and is
// stale once that has changed.
func TestLastOfResults(t *testing.T) {
	defer openBanking(t)()
	about := bankingParams(map[string]any{"document": "/banking.evalset_result.json"})
	if got := at(call(t, "run", about), "result", "record", "target"); got != "banking.evalset_result.json" {
		t.Errorf("who had the conversations is %v", got)
	}
	stale := func() any { return at(call(t, "last", about), "result", "stale") }
	if got := stale(); got != false {
		t.Errorf("after a run: stale is %v", got)
	}
	call(t, "edit", map[string]any{"document": "/banking.evalset.json", "changes": []any{map[string]any{"text": "{}"}}})
	if got := stale(); got != false {
		t.Errorf("with another evalset beside it: stale is %v", got)
	}
	call(t, "edit", map[string]any{"document": "/test_config.json", "changes": []any{map[string]any{"text": `{"criteria": {"response_match_score": 0.5}}`}}})
	if got := stale(); got != true {
		t.Errorf("with another configuration: stale is %v", got)
	}
}

// TestKeepEvalset checks that the record of an evalset case that ran elsewhere is stale if the
// configuration has changed since.
func TestKeepEvalset(t *testing.T) {
	defer openBanking(t)()
	record := at(call(t, "run", bankingParams(nil)), "result", "record")
	params := call(t, "beside", map[string]any{"document": "/banking.evalset.json"})["result"].(map[string]any)
	text, err := os.ReadFile("../../testdata/quickstart/banking/banking.evalset.json")
	if err != nil {
		t.Fatal(err)
	}
	stored := map[string]any{"document": "/banking.evalset.json", "text": string(text), "record": record, "config": params["config"], "recorded": params["recorded"]}
	stale := func() any {
		call(t, "keep", stored)
		return at(call(t, "last", bankingParams(nil)), "result", "stale")
	}
	if got := stale(); got != false {
		t.Errorf("with the same configuration: stale is %v", got)
	}
	now := strings.Replace(params["config"].(string), "0.7", "0.9", 1)
	call(t, "edit", map[string]any{"document": "/test_config.json", "changes": []any{map[string]any{"text": now}}})
	if got := stale(); got != true {
		t.Errorf("with another: stale is %v", got)
	}
	none := bankingParams(map[string]any{"text": string(text), "path": "/banking.evalset.json"}) // without other files
	delete(none, "document")
	stored = map[string]any{"document": "/banking.evalset.json", "text": string(text), "record": at(call(t, "run", none), "result", "record")}
	if got := stale(); got != true {
		t.Errorf("with some instead of none: stale is %v", got)
	}
	for _, name := range []string{"/test_config.json", "/banking.evalset_result.json"} {
		call(t, "forget", map[string]any{"document": name})
		defer call(t, "open", map[string]any{"document": name, "text": "", "together": true}) // closed with the others
	}
	if got := stale(); got != false {
		t.Errorf("with none: stale is %v", got)
	}
}
