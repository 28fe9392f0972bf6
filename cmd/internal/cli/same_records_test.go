package cli_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/lsp/lsptest"
)

var update = flag.Bool("update", false, "write the records of testdata/hosts")

// incidental are the parts of records that --format jsonl leaves out, so that equal runs are equal.
var incidental = regexp.MustCompile(`"timestamp":"[^"]*",|,"duration_ms":[0-9.]+|,"kept":true`)

// unescape undoes escapes that some encoders of JSON write for the sake of HTML.
var unescape = strings.NewReplacer(`\u0026`, "&", `\u003c`, "<", `\u003e`, ">")

// hostFile is a file of testdata/hosts that all hosts run, with its answers.
type hostFile struct{ name, replay, recorded, records string }

var hostFiles = []hostFile{
	{name: "support.eval.yaml", replay: "judge.jsonl", records: "support.records.jsonl"},
	{name: "banking.evalset.json", recorded: "banking.evalset_result.json", records: "banking.records.jsonl"},
}

// TestSameRecords checks that the command line, the language server and the evaluator write the
// same records, byte for byte, for the same file, settings and answers. The tests of wasm/npm and of
// the page compare theirs with the same files.
func TestSameRecords(t *testing.T) {
	golden, err := filepath.Abs("../../../testdata/hosts")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(golden)); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if *update {
		os.Remove("judge.jsonl")
		rubric(t, "", "run", "support.eval.yaml", "--judge", "cli:sh judge.sh", "--record", "judge.jsonl")
		writeGolden(t, filepath.Join(golden, "judge.jsonl"), readFile(t, "judge.jsonl"))
	}
	for _, f := range hostFiles {
		t.Run(f.name, func(t *testing.T) {
			byCommandLine := f.runByCommandLine(t)
			if *update {
				writeGolden(t, filepath.Join(golden, f.records), byCommandLine)
			}
			want := readFile(t, filepath.Join(golden, f.records))
			for host, got := range map[string]string{"command line": byCommandLine, "language server": f.runByServer(t), "evaluator": f.runByEvaluator(t)} {
				got = unescape.Replace(incidental.ReplaceAllString(got, ""))
				at := 0
				for at < min(len(got), len(want)) && got[at] == want[at] {
					at++
				}
				if got != want {
					t.Errorf("%s; -update writes the records of the command line: byte %d:\n%.200s\nnot\n%.200s", host, at, got[max(at-50, 0):], want[max(at-50, 0):])
				}
			}
		})
	}
}

func (f hostFile) runByCommandLine(t *testing.T) string {
	args := []string{"run", f.name, "--format", "jsonl"}
	if f.replay != "" {
		args = append(args, "--replay", f.replay)
	}
	if f.recorded != "" {
		args = append(args, "--recorded", f.recorded)
	}
	_, stdout, _ := rubric(t, "", args...)
	return stdout
}

func (f hostFile) runByServer(t *testing.T) string {
	settings := map[string]any{"recorded": f.recorded}
	if f.replay != "" {
		settings["judge"] = "replay:" + f.replay
	}
	return runInEditor(t, f.name, settings)
}

// runInEditor returns the records of a file in the working folder that an editor runs.
func runInEditor(t *testing.T, name string, settings map[string]any) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	root := "file://" + filepath.ToSlash(dir)
	uri := root + "/" + name
	e := startEditor(t, `{}`, fmt.Sprintf(`"workspaceFolders":[{"uri":%q,"name":"hosts"}]`, root))
	e.Notify("workspace/didChangeConfiguration", encode(t, map[string]any{"settings": map[string]any{"rubric": settings}}))
	e.Open(uri, readFile(t, name))
	e.Request("workspace/executeCommand", fmt.Sprintf(`{"command":"rubric.runFile","arguments":[{"uri":%q}]}`, uri))
	e.Await("the end of the run", func(m lsptest.Message) bool {
		return m.Method == "rubric/results" && strings.Contains(string(m.Params), `"state":"done"`)
	})
	var found struct{ Records []json.RawMessage }
	decode(t, e.Request("rubric/records", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, uri)), &found)
	e.Request("shutdown", nil)
	var lines strings.Builder
	for _, record := range found.Records {
		fmt.Fprintf(&lines, "%s\n", record)
	}
	return lines.String()
}

// TestEditorSettings checks that an editor's runs follow the profile, the panel and the limit of its
// settings.
func TestEditorSettings(t *testing.T) {
	t.Chdir(write(t, map[string]string{
		"x.eval.yaml": "evalcases:\n  - { id: a, expected_outcome: Greets, input: Hello, expected_output: Hi, rubrics: [Says hi] }\n  - { id: b, expected_outcome: Greets, input: Hello, expected_output: Hi, rubrics: [Says hi] }\n",
		"judge.sh":    `echo '{"checks":[{"id":"rubric-1","satisfied":true,"reasoning":"so"}],"overall_reasoning":""}'` + "\n",
	}))
	records := runInEditor(t, "x.eval.yaml", map[string]any{"judge": []string{"cli:sh judge.sh", "offline"}, "profile": "agentv", "maxCalls": 1, "workers": 1})
	for _, want := range []string{`"judge":"cli:sh judge.sh + offline"`, `"profile":"agentv"`} {
		if !strings.Contains(records, want) {
			t.Errorf("no %s in\n%s", want, records)
		}
	}
	if n := strings.Count(records, `"model":"cli"`); n != 1 {
		t.Errorf("the command answered %d questions", n)
	}
}

func (f hostFile) runByEvaluator(t *testing.T) string {
	params := map[string]any{"path": f.name, "text": readFile(t, f.name)}
	call := func(method string, params, result any) {
		t.Helper()
		_, stdout, stderr := rubric(t, encode(t, params)+"\n", "call", method)
		var response struct{ Result json.RawMessage }
		decode(t, []byte(stdout), &response)
		if response.Result == nil {
			t.Fatalf("%s: %s%s", method, stdout, stderr)
		}
		decode(t, response.Result, result)
	}
	var suite struct{ Cases []struct{ ID string } }
	if f.replay != "" {
		var recording struct {
			Answers json.RawMessage
			Judges  []string
		}
		call("tape", map[string]any{"text": readFile(t, f.replay)}, &recording)
		params["answers"], params["judge"], params["replay"] = recording.Answers, strings.Join(recording.Judges, " + "), true
		call("suite", map[string]any{"path": f.name, "text": params["text"]}, &suite)
	} else {
		params["recorded"], params["config"], params["target"] = readFile(t, f.recorded), readFile(t, "test_config.json"), f.recorded
		var set struct {
			Cases []struct {
				ID string `json:"eval_id"`
			} `json:"eval_cases"`
		}
		decode(t, []byte(params["text"].(string)), &set)
		for _, c := range set.Cases {
			suite.Cases = append(suite.Cases, struct{ ID string }{c.ID})
		}
	}
	var lines strings.Builder
	for _, c := range suite.Cases {
		params["case"] = c.ID
		var result struct{ Record json.RawMessage }
		call("run", params, &result)
		fmt.Fprintf(&lines, "%s\n", result.Record)
	}
	return lines.String()
}

func encode(t *testing.T, value any) string {
	t.Helper()
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}

func decode(t *testing.T, encoded []byte, value any) {
	t.Helper()
	if err := json.Unmarshal(encoded, value); err != nil {
		t.Fatalf("%v: %s", err, encoded)
	}
}

func writeGolden(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
