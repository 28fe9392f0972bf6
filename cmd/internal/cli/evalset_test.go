package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/run"
)

const (
	banking = "../../../testdata/quickstart/banking/banking.evalset.json"
	visits  = "../../../testdata/quickstart/banking/banking.evalset_result.json"

	greet = `{"eval_set_id": "greet", "eval_cases": [{"eval_id": "hi", "conversation": [
		{"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "Hello and welcome"}]}}]},
		{"eval_id": "goodbye", "conversation": [{"user_content": {"parts": [{"text": "Bye"}]}, "final_response": {"parts": [{"text": "See you soon"}]}}]}]}`
	greetRecorded = `{"eval_set_id": "greet", "eval_cases": [{"eval_id": "hi", "conversation": [
		{"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "Hello and welcome"}]}}]},
		{"eval_id": "godbye", "conversation": [{"user_content": {"parts": [{"text": "Bye"}]}, "final_response": {"parts": [{"text": "Never again"}]}}]}]}`
)

// recordsByCase are the records of a run, by case.
func recordsByCase(t *testing.T, out string) map[string]run.Record {
	t.Helper()
	records := map[string]run.Record{}
	for line := range strings.Lines(out) {
		var rec run.Record
		if err := json.Unmarshal([]byte(line), &rec); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		records[rec.EvalID] = rec
	}
	return records
}

// failedMetrics are the metrics of a record that did not pass, with why.
func failedMetrics(rec run.Record) string {
	var all []string
	for _, g := range rec.Graders {
		if g.Metric.Status != metric.Passed {
			all = append(all, g.Name)
		}
	}
	return strings.Join(all, " ")
}

// TestBanking: of the quickstart of ADK's files the metrics that need no model fail two
// conversations; those that need one leave the others ungraded.
func TestBanking(t *testing.T) {
	code, stdout, stderr := rubric(t, "", "run", banking, "--recorded", visits, "--format", "jsonl")
	if code != 1 || !strings.Contains(stderr, "need a model") {
		t.Errorf("exit status %d, %s", code, stderr)
	}
	records := recordsByCase(t, stdout)
	for id, want := range map[string]string{
		"checks_then_transfers":     "",
		"invents_a_transaction":     "",
		"leaks_an_account":          "response_match_score",
		"transfers_before_checking": "tool_trajectory_avg_score",
	} {
		const model = "final_response_match_v2 rubric_based_final_response_quality_v1 rubric_based_tool_use_quality_v1 hallucinations_v1 safety_v1"
		want = strings.TrimSpace(want + " " + model)
		rec, found := records[id]
		if got := failedMetrics(rec); !found || got != want || len(rec.Graders) != 7 || (rec.Verdict == "ungraded") != (want == model) {
			t.Errorf("%s: %s with %d metrics, %q fail, want %q", id, rec.Verdict, len(rec.Graders), got, want)
		}
	}
	if code, stdout, _ := rubric(t, "", "run", banking, "--recorded", visits, "--case", "checks_then_transfers"); code != 3 ||
		!strings.Contains(stdout, "1 ungraded") || !strings.Contains(stdout, "needs a model") || !strings.Contains(stdout, "literal checks") {
		t.Errorf("exit status %d:\n%s", code, stdout)
	}
}

// TestEvalset: what an evalset's run says, and how it ends.
func TestEvalset(t *testing.T) {
	dir := write(t, map[string]string{
		"cut.evalset.json": greet[:len(greet)-90], "greet.evalset.json": greet, "same.evalset.json": greet, "said.evalset.json": greetRecorded, "x.eval.yaml": good, "nothing.evalset_result.json": "\n", "list.evalset_result.json": "[]\n",
		"empty.evalset_result.json": `{"eval_case_results": []}`,
		"match.json":                `{"criteria": {"response_match_score": 0.8}}`, "odd.yaml": "criteria:\n  politness: 0.5\n  response_match_score: 0.1\n",
		"nan.json": `{"criteria": {"response_match_score": NaN}}`, "none.json": `{"criteria": {}}`, "cut.json": "{\n\"criteria\": {\"safety_v1\" 0.9}}", "safe.json": `{"criteria": {"safety_v1": 0.9}}`,
	})
	at := func(name string) string { return filepath.Join(dir, name) }
	set := at("greet.evalset.json")
	for _, c := range []struct {
		name   string
		args   []string
		code   int
		stdout string
		stderr string
	}{
		{"alone it is compared with nothing", []string{set}, 3, "NOT_EVALUATED: this is the expected conversation itself|2 ungraded; mean score –; 4 grades missing", "the metrics that ADK uses without one"},
		{"alone it is judged", []string{set, "--config", at("safe.json")}, 3, "2 ungraded|needs a model|target self", ""},
		{"a conversation that was not recorded", []string{set, "--config", at("match.json"), "--recorded", at("said.evalset.json")}, 3,
			"no conversation of the case `goodbye` is recorded|1 pass, 0 fail, 1 ungraded (1 could not be run)", "`godbye` is recorded, but no case has that id; did you mean `goodbye`?"},
		{"one case", []string{set + ":hi", "--config", at("match.json"), "--recorded", at("said.evalset.json")}, 0, "1 pass, 0 fail", ""},
		{"one metric", []string{set, "--ignore-errors", "--config", at("odd.yaml"), "--recorded", at("same.evalset.json"), "--metric", "response_match_score"}, 3, "2 pass, 0 fail", "odd.yaml: ignored: "},
		{"an unknown metric is refused", []string{set, "--config", at("odd.yaml"), "--recorded", at("greet.evalset.json")}, 2, "", "odd.yaml has 1 error; fix the file"},
		{"an unknown metric is not evaluated", []string{set, "--config", at("odd.yaml"), "--recorded", at("same.evalset.json"), "--ignore-errors"}, 3, "NOT_EVALUATED: there is no metric `politness`|`politness` was not evaluated|2 ungraded", ""},
		{"a judge away", []string{set, "--config", at("safe.json"), "--judge", "cli:no-such-judge"}, 3, "NOT_EVALUATED|could not be reached", ""},
		{"a dry run", []string{set, "--config", at("safe.json"), "--judge", "cli:no-such-judge", "--dry-run"}, 0, "judge:  2 calls", ""},
		{"a misspelt metric", []string{set, "--metric", "response_mach_score"}, 2, "", "did you mean `response_match_score`?"},
		{"a metric that is not asked for", []string{set, "--config", at("safe.json"), "--metric", "politeness"}, 2, "", "the configuration has no metric `politeness`; it has `safety_v1`"},
		{"a configuration that is not there", []string{set, "--config", at("gone.json")}, 2, "", "gone.json: no such file"},
		{"a configuration without metrics", []string{set, "--config", at("none.json")}, 2, "", "names no metrics"},
		{"a configuration that is incomplete", []string{set, "--config", at("cut.json")}, 2, "", "cut.json: invalid JSON from line 2 on"},
		{"an evalset for a configuration", []string{set, "--config", set}, 2, "", "greet.evalset.json: this is an evalset, not a configuration"},
		{"a list for a configuration", []string{set, "--config", at("list.evalset_result.json")}, 2, "", "not a configuration: expected an object with `criteria`"},
		{"a threshold that no score has", []string{set, "--config", at("nan.json")}, 2, "", "is not a finite number"},
		{"a recording that is empty", []string{set, "--recorded", at("nothing.evalset_result.json")}, 2, "", "nothing.evalset_result.json: the file is empty"},
		{"a recording that is a list", []string{set, "--recorded", at("list.evalset_result.json")}, 2, "", "list.evalset_result.json: the file holds no recorded conversations"},
		{"a recording without conversations", []string{set, "--recorded", at("empty.evalset_result.json")}, 2, "", "holds no recorded conversations"},
		{"a recording that is incomplete", []string{set, "--recorded", at("cut.evalset.json")}, 2, "", "cut.evalset.json: invalid JSON from line 3 on"},
		{"a case that there is not", []string{set + ":hi,godbye"}, 2, "", "has no case `godbye`; did you mean `goodbye`?"},
		{"an endpoint for others' files", []string{at("x.eval.yaml"), "--moderation", "openai"}, 2, "", "--moderation applies only to ADK files"},
		{"a configuration", []string{at("match.json")}, 2, "", "is a configuration; name the evalset"},
		{"a recording that is none", []string{set, "--recorded", at("match.json")}, 2, "", "name an .evalset_result.json"},
		{"an agent to run", []string{set, "--target", "cli:agent"}, 2, "", "are recorded, or held with an agent"},
		{"options of others' files", []string{at("x.eval.yaml"), "--recorded", at("said.evalset.json")}, 2, "", "--recorded applies only to ADK files"},
		{"an unknown version", []string{set, "--adk", "3"}, 2, "", "--adk must be `latest` or `2.0`"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := rubric(t, "", append([]string{"run"}, c.args...)...)
			if code != c.code {
				t.Errorf("exit status %d, want %d", code, c.code)
			}
			for part := range strings.SplitSeq(c.stdout, "|") {
				if !strings.Contains(stdout, part) {
					t.Errorf("%q is not in %q", part, stdout)
				}
			}
			if !strings.Contains(stderr, c.stderr) {
				t.Errorf("%q is not in %q", c.stderr, stderr)
			}
		})
	}
}

// TestEvalsetRecords: the records of a measured case hold all that was found of it.
func TestEvalsetRecords(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out.jsonl")
	if code, _, stderr := rubric(t, "", "run", banking, "--recorded", visits, "--adk", "2.0", "--out", out, "--out", filepath.Join(dir, "r.html"), "--out", filepath.Join(dir, "r.xml")); code != 1 {
		t.Fatalf("%d: %s", code, stderr)
	}
	lines, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	rec := recordsByCase(t, string(lines))["invents_a_transaction"]
	if rec.Profile != "adk-2.0" || rec.Verdict != "ungraded" || rec.Graders[5].Metric.Invocations[0].Steps[0].Reason != offline.NeedsModel {
		t.Errorf("%+v", rec)
	}
	if code, stdout, stderr := rubric(t, "", "rescore", out); code != 0 || !strings.Contains(stdout, "0 of 4 verdicts flip") ||
		!strings.HasPrefix(stderr, "rubric: 4 cases measured by ADK metrics, shown unchanged; `rubric run EVALSET --recorded FILE` measures recorded conversations again") {
		t.Errorf("%d: %s%s", code, stdout, stderr)
	}
	if code, _, stderr := rubric(t, "", "rescore", out, banking); code != 2 || !strings.Contains(stderr, "banking.evalset.json is an ADK file; its metrics have no rubric to rescore with; measure recorded conversations again with `rubric run EVALSET --recorded FILE`") {
		t.Errorf("%d: %s", code, stderr)
	}
}

// TestEvalsetResult: results are written as ADK writes them, and measured again.
func TestEvalsetResult(t *testing.T) {
	dir := write(t, map[string]string{"x.eval.yaml": good})
	out := filepath.Join(dir, "again.evalset_result.json")
	if code, _, stderr := rubric(t, "", "run", banking, "--recorded", visits, "--out", out); code != 1 {
		t.Fatalf("%d: %s", code, stderr)
	}
	config := filepath.Join(filepath.Dir(banking), "test_config.json")
	code, stdout, stderr := rubric(t, "", "run", out, "--config", config, "--format", "evalset-result")
	var result struct {
		SetID string `json:"eval_set_id"`
		Cases []struct {
			ID     string `json:"eval_id"`
			Status int    `json:"final_eval_status"`
			Turns  []any  `json:"eval_metric_result_per_invocation"`
		} `json:"eval_case_results"`
	}
	if err := json.Unmarshal([]byte(stdout), &result); code != 1 || err != nil {
		t.Fatalf("%d: %v, %s", code, err, stderr)
	}
	if len(result.Cases) != 4 || result.SetID != "banking" || result.Cases[0].Status != 3 || result.Cases[3].Status != 2 || len(result.Cases[0].Turns) != 2 {
		t.Errorf("%+v", result)
	}
	for _, args := range [][]string{
		{filepath.Join(dir, "x.eval.yaml"), "--format", "evalset-result"}, {banking, out, "--config", config, "--out", filepath.Join(dir, "two.evalset_result.json")},
	} {
		if code, _, stderr := rubric(t, "", append([]string{"run"}, args...)...); code != 2 || !strings.Contains(stderr, "needs exactly one ADK evalset") {
			t.Errorf("%d: %s", code, stderr)
		}
	}
	if code, _, stderr := rubric(t, "", "run", banking, "--recorded", out, "--out", out); code != 2 || !strings.Contains(stderr, "would be overwritten") {
		t.Errorf("%d: %s", code, stderr)
	}
}

// TestScoreEvalset: a case is measured by replies that are there.
func TestScoreEvalset(t *testing.T) {
	dir := write(t, map[string]string{
		"x.evalset.json": `{"eval_set_id": "x", "eval_cases": [` + resultKey("one", "Hello") + `]}`,
		"c.json": `{"criteria": {"rubric_based_final_response_quality_v1": {"threshold": 0.8, "judge_model_options": {"num_samples": 1}, "rubrics": [
			{"rubric_id": "kind", "rubric_content": {"text_property": "It is kind"}}, {"rubric_id": "short", "rubric_content": {"text_property": "It is short"}},
			{"rubric_id": "true", "rubric_content": {"text_property": "It is true"}}]}}}`,
		"words.json": `{"criteria": {"response_match_score": 0.5}}`,
	})
	at := func(name string) string { return filepath.Join(dir, name) }
	blocks := "ID: kind\nProperty: It is kind\nRationale: r\nVerdict: yes\n\nID: short\nProperty: It is short\nRationale: r\nVerdict: yes\n\nID: true\nProperty: It is true\nRationale: r\nVerdict: no\n"
	list, _ := json.Marshal([]string{blocks})
	for name, reply := range map[string]string{"a text": blocks, "a list": string(list)} {
		code, stdout, stderr := rubric(t, reply, "score", at("x.evalset.json"), "--config", at("c.json"))
		if code != 0 || !strings.Contains(stdout, "FAILED 0.667, threshold 0.8") {
			t.Errorf("%s: %d\n%s%s", name, code, stdout, stderr)
		}
	}
	code, stdout, _ := rubric(t, "[]", "score", at("x.evalset.json"), "--config", at("c.json"), "--format", "json")
	var result struct{ Questions []struct{ Key string } }
	if err := json.Unmarshal([]byte(stdout), &result); err != nil || code != 0 || len(result.Questions) != 1 || result.Questions[0].Key == "" {
		t.Errorf("%d %v: %s", code, err, stdout)
	}
	if code, stdout, _ := rubric(t, "", "score", banking, "--recorded", visits, "--config", at("words.json"), "--case", "leaks_an_account"); code != 0 || !strings.Contains(stdout, "FAILED 0.077") {
		t.Errorf("%d: %s", code, stdout)
	}
	for want, args := range map[string][]string{
		"has 4 cases; choose one": {banking}, "did you mean `leaks_an_account`?": {banking, "--case", "leaks_an_acount"}, "--adk must be": {banking, "--adk", "1"},
	} {
		if code, _, stderr := rubric(t, "", append([]string{"score"}, args...)...); code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%d: %s, want %s", code, stderr, want)
		}
	}
}

// TestADKSetting checks that the ADK version comes from the options, or else from the
// settings.
func TestADKSetting(t *testing.T) {
	set := `{"eval_set_id": "x", "eval_cases": [` + resultKey("one", "東京 タワー") + `]}`
	dir := write(t, map[string]string{"x.evalset.json": set, "recorded.json": set, ".rubric.yaml": "adk: 2.0\n", "c.json": `{"criteria": {"response_match_score": 0.5}}`})
	path := filepath.Join(dir, "x.evalset.json")
	args := []string{"run", path, "--verbose", "--config", filepath.Join(dir, "c.json"), "--recorded", filepath.Join(dir, "recorded.json")}
	for want, more := range map[string][]string{"FAILED 0,": nil, "PASSED 1,": {"--adk", "latest"}} {
		if _, stdout, stderr := rubric(t, "", append(args, more...)...); !strings.Contains(stdout, want) {
			t.Errorf("no %q in %s%s", want, stdout, stderr)
		}
	}
	odd := write(t, map[string]string{"x.evalset.json": set, ".rubric.yaml": "rules: {}\nadk: 3\n"})
	if code, _, stderr := rubric(t, "", "run", filepath.Join(odd, "x.evalset.json")); code != 2 || !strings.Contains(stderr, "line 2: `adk` must be `latest` or `2.0`, not `3`") {
		t.Errorf("%d: %s", code, stderr)
	}
}

// TestEvalsetReplay records a judge of conversations and replays it.
func TestEvalsetReplay(t *testing.T) {
	recording := filepath.Join(t.TempDir(), "tape.jsonl")
	args := []string{"run", banking, "--recorded", visits, "--case", "checks_then_transfers"}
	if code, _, stderr := rubric(t, "", append(args, "--record", recording)...); code != 3 {
		t.Fatalf("%d: %s", code, stderr)
	}
	if code, stdout, stderr := rubric(t, "", append(args, "--replay", recording)...); code != 3 || !strings.Contains(stdout, "0 pass, 0 fail, 1 ungraded") {
		t.Errorf("%d: %s%s", code, stdout, stderr)
	}
}

// TestResultsAlone: a result file alone is measured as the evaluator measures it, whoever
// has that.
func TestResultsAlone(t *testing.T) {
	_, stdout, stderr := rubric(t, "", "run", visits, "--judge", "offline", "--format", "jsonl")
	records := recordsByCase(t, stdout)
	if len(records) != 4 || !strings.Contains(stderr, "need a model") {
		t.Fatalf("%d records, %s", len(records), stderr)
	}
	texts := map[string]string{}
	for _, path := range []string{visits, filepath.Join(filepath.Dir(visits), "test_config.json")} {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(path)] = string(body)
	}
	for id, want := range records {
		request, _ := json.Marshal(map[string]any{"id": 1, "method": "run", "params": map[string]any{
			"case": id, "path": filepath.Base(visits), "text": texts[filepath.Base(visits)], "config": texts["test_config.json"]}})
		_, stdout, _ := rubric(t, string(request)+"\n", "call")
		var reply struct{ Result struct{ Record run.Record } }
		if err := json.Unmarshal([]byte(stdout), &reply); err != nil {
			t.Fatal(err)
		}
		got := reply.Result.Record
		want.Timestamp, want.DurationMS, want.EvalFile = got.Timestamp, got.DurationMS, got.EvalFile // each host's own
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%+v, and by the command line\n%+v", id, got, want)
		}
	}
}

// TestRefusedEvalset: what check reports as refused by ADK is neither run nor scored, and
// no option makes a metric pass whose threshold cannot be read.
func TestRefusedEvalset(t *testing.T) {
	good := resultKey("one", "Hello")
	for name, c := range map[string]struct{ config, cases, want string }{
		"a null criterion":           {`{"response_match_score": null}`, good, "`response_match_score` is null"},
		"one null among good ones":   {`{"tool_trajectory_avg_score": 1, "response_match_score": null}`, good, "`response_match_score` is null"},
		"a null threshold":           {`{"response_match_score": {"threshold": null}}`, good, "`threshold` is null"},
		"null for all criteria":      {`null`, good, "`criteria` is null"},
		"a null option of the judge": {`{"final_response_match_v2": {"threshold": 0.5, "judge_model_options": {"num_samples": null}}}`, good, "the runner does not evaluate the metric"},
		"a null turn":                {`{"response_match_score": 0.5}`, `{"eval_id": "one", "conversation": [null]}`, "an item of `conversation` is null"},
		"a null part":                {`{"response_match_score": 0.5}`, `{"eval_id": "one", "conversation": [{"user_content": {"parts": [null]}}]}`, "an item of `parts` is null"},
		"a null state":               {`{"response_match_score": 0.5}`, strings.Replace(good, "{", `{"session_input": {"app_name": "a", "user_id": "u", "state": null}, `, 1), "`state` is null"},
	} {
		dir := write(t, map[string]string{"x.evalset.json": `{"eval_set_id": "x", "eval_cases": [` + c.cases + `]}`, "test_config.json": `{"criteria": ` + c.config + `}`})
		set := filepath.Join(dir, "x.evalset.json")
		for _, verb := range []string{"run", "score"} {
			if code, stdout, stderr := rubric(t, "[]", verb, set); code != 2 || !strings.Contains(stderr, c.want) {
				t.Errorf("%s: %s: %d\n%s%s", name, verb, code, stdout, stderr)
			}
		}
		if code, stdout, stderr := rubric(t, "", "run", set, "--ignore-errors"); code == 0 && strings.Contains(c.config, "match_score") && strings.Contains(c.config, "null") {
			t.Errorf("%s: %d\n%s%s", name, code, stdout, stderr)
		}
	}
}

// TestTornRecording: a recording with a null turn is not measured as an empty turn, which
// would pass where no tool is to be called.
func TestTornRecording(t *testing.T) {
	for name, body := range map[string]string{
		"r.evalset_result.json": `{"eval_set_result_id": "r", "eval_set_id": "x", "eval_case_results": [{"eval_id": "one", "final_eval_status": 1, "eval_metric_result_per_invocation": [{"actual_invocation": null}]}]}`,
		"r.evalset.json":        `{"eval_set_id": "x", "eval_cases": [{"eval_id": "one", "conversation": [null]}, ` + resultKey("two", "Hello") + `]}`,
	} {
		dir := write(t, map[string]string{
			"x.evalset.json": `{"eval_set_id": "x", "eval_cases": [` + resultKey("one", "Hello") + `]}`, "test_config.json": `{"criteria": {"tool_trajectory_avg_score": 1}}`, name: body,
		})
		code, stdout, stderr := rubric(t, "", "run", filepath.Join(dir, "x.evalset.json"), "--recorded", filepath.Join(dir, name))
		if code == 0 || strings.Contains(stdout, "PASSED") {
			t.Errorf("%s: %d\n%s%s", name, code, stdout, stderr)
		}
	}
}
