package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// shardedFiles are eval files of which some cases fail, some are ungraded and some depend on others.
func shardedFiles() map[string]string {
	cases := "tests:\n"
	for i := range 30 {
		answer, needs := "We refund you.", ""
		switch {
		case i%7 == 3:
			answer = "No."
		case i%11 == 5:
			needs = fmt.Sprintf(", depends_on: [case-%d]", (i+9)%30)
		}
		criterion := "Mentions “refund”"
		if i == 12 {
			criterion = "Is polite"
		}
		cases += fmt.Sprintf("  - { id: case-%d, criteria: O, input: Q, expected_output: %s, assertions: [{ type: rubrics, criteria: [%s] }]%s, metadata: { tags: [%s] } }\n", i, answer, criterion, needs, []string{"even", "odd"}[i%2])
	}
	return map[string]string{
		"a.eval.yaml": cases, "b.eval.yaml": three,
		"answers.jsonl": strings.ReplaceAll(`{"id":"a","answer":"We refund you."}|{"id":"b","answer":"No."}|{"id":"c","answer":"No."}`+"\n", "|", "\n"),
	}
}

// runShards runs all shards, the last one first, and returns their folders.
func runShards(t *testing.T, count int, args ...string) (folders []string) {
	t.Helper()
	for i := count; i > 0; i-- {
		folder := fmt.Sprintf("shards/%d", i)
		shard := append([]string{"run", "--shard", fmt.Sprintf("%d/%d", i, count), "--out", folder}, args...)
		if code, stdout, stderr := rubric(t, "", shard...); code != 0 {
			t.Fatalf("shard %d: exit status %d\n%s%s", i, code, stdout, stderr)
		}
		folders = append(folders, folder)
	}
	return folders
}

// incidentalTimes are what a JUnit report says of times.
var incidentalTimes = regexp.MustCompile(` (time|timestamp)="[^"]*"`)

// TestShards: 8 shards that are merged give the records, the report, the other formats and the exit status of
// the whole run.
func TestShards(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		args  []string
	}{
		{"files", shardedFiles(), []string{"a.eval.yaml", "b.eval.yaml"}},
		{"threshold", shardedFiles(), []string{"a.eval.yaml", "b.eval.yaml", "--threshold", "0.9"}},
		{"minimums", shardedFiles(), []string{"a.eval.yaml", "b.eval.yaml", "--min-pass-rate", "0.8", "--min-mean", "odd=0.9", "--min-mean", "even=0.9"}},
		{"targets", shardedFiles(), []string{"b.eval.yaml", "--target", "answers.jsonl", "--target", "mock:We refund you."}},
		{"selection", shardedFiles(), []string{"a.eval.yaml", "--case", "case-1*"}},
		{"left out", map[string]string{"a.eval.yaml": three + "  - { id: d }\n"}, []string{"a.eval.yaml", "--ignore-errors"}},
		{"stream", map[string]string{"a.jsonl": manyCasesJSONL(1100)}, []string{"a.jsonl"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "stream" && testing.Short() {
				t.Skip("long")
			}
			t.Chdir(write(t, c.files))
			code, stdout, _ := rubric(t, "", append([]string{"run", "--out", "whole.jsonl", "--out", "whole.xml"}, c.args...)...)
			merge := append([]string{"runs", "merge", "--out", "merged.jsonl", "--out", "merged.xml"}, runShards(t, 8, c.args...)...)
			mergedCode, mergedStdout, stderr := rubric(t, "", merge...)
			if mergedCode != code || mergedStdout != stdout {
				t.Errorf("exit status %d and not %d, %s\n%s\nnot\n%s", mergedCode, code, stderr, mergedStdout, stdout)
			}
			if readFile(t, "merged.jsonl") != readFile(t, "whole.jsonl") {
				t.Errorf("the merged records are\n%.300s\nnot\n%.300s", readFile(t, "merged.jsonl"), readFile(t, "whole.jsonl"))
			}
			times := func(xml string) string { return incidentalTimes.ReplaceAllString(xml, "") }
			if times(readFile(t, "merged.xml")) != times(readFile(t, "whole.xml")) {
				t.Errorf("the merged report is\n%s\nnot\n%s", readFile(t, "merged.xml"), readFile(t, "whole.xml"))
			}
		})
	}
}

// TestMergeRefuses: what is not all shards of one run is refused, with the name of what is wrong.
func TestMergeRefuses(t *testing.T) {
	t.Chdir(write(t, shardedFiles()))
	folders := runShards(t, 3, "a.eval.yaml")
	if err := os.CopyFS("again", os.DirFS("shards/2")); err != nil {
		t.Fatal(err)
	}
	rubric(t, "", "run", "--shard", "2/3", "--out", "other", "a.eval.yaml", "--case", "case-1*")
	rubric(t, "", "run", "--shard", "2/4", "--out", "fourth", "a.eval.yaml")
	for name, files := range map[string]map[string]string{
		"changed": {"shard-3-of-3.jsonl": "{}\n", "shard-3-of-3.json": readFile(t, "shards/3/shard-3-of-3.json")},
		"strange": {"shard-1-of-3.json": `{"shard":2,"count":3}`},
		"stopped": {"shard-2-of-3.jsonl.partial": "{}\n"},
	} {
		for file, text := range files {
			if err := os.MkdirAll(name, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(name, file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		folders, want string
	}{
		{"shards/3 shards/1", "the run has no results of shard 2/3"},
		{"shards/2", "the run has no results of shards 1/3 and 3/3"},
		{"shards/1 shards/2 shards/3 again", "shard 2/3 in shards/2 is also in again; name one of the folders"},
		{"shards/1 other shards/3", "shard 2/3 in other is of another run than shard 1/3 in shards/1: its plan is "},
		{"shards/1 fourth shards/3", "shard 2/4 in fourth is of another run than shard 1/3 in shards/1: its plan is "},
		{"shards/1 shards/2 changed", "changed/shard-3-of-3.jsonl has changed since the shard was run; run it again with --resume"},
		{"strange", "strange/shard-1-of-3.json does not describe a shard"},
		{"shards/1 stopped", "stopped has no finished shard; stopped/shard-2-of-3.jsonl.partial is of an interrupted shard"},
		{"shards", "shards has no finished shard"},
		{"absent", "absent"},
		{"", "FOLDER is missing"},
		{"shards/1 shards/2 shards/3 --out shards/1/shard-1-of-3.jsonl", "has the results of a shard; choose another file"},
		{"shards/1 shards/2 shards/3 --out r.evalset_result.json", "the name must end in .jsonl, .json, .xml, .html or .md"},
	} {
		code, stdout, stderr := rubric(t, "", append([]string{"runs", "merge"}, strings.Fields(c.folders)...)...)
		if code != 2 || !strings.Contains(filepath.ToSlash(stderr), c.want) {
			t.Errorf("%s: exit status %d, %s%s", c.folders, code, stdout, stderr)
		}
	}
	if code, stdout, stderr := rubric(t, "", append([]string{"runs", "merge"}, folders...)...); code != 1 || !strings.Contains(stdout, "1 ungraded") {
		t.Errorf("all shards: %d, %s%s", code, stdout, stderr)
	}
}

// TestShardResume: a shard continues as a run does, and its other shards are not touched.
func TestShardResume(t *testing.T) {
	t.Chdir(write(t, shardedFiles()))
	folders := runShards(t, 2, "a.eval.yaml")
	code, _, stderr := rubric(t, "", "run", "--shard", "1/2", "--out", "shards/1", "--resume", "a.eval.yaml")
	if code != 0 || !strings.Contains(stderr, "14 of 15 results and 1 answer reused from an earlier run") {
		t.Errorf("exit status %d, %s", code, stderr)
	}
	if code, _, stderr := rubric(t, "", append([]string{"runs", "merge", "--out", "merged.jsonl"}, folders...)...); code != 1 {
		t.Errorf("exit status %d, %s", code, stderr)
	}
}

// TestShardBalance: earlier results decide which cases a shard has, in all their forms.
func TestShardBalance(t *testing.T) {
	files := shardedFiles()
	files["earlier.jsonl"] = ""
	for i := range 30 {
		took := 10
		if i == 4 {
			took = 290
		}
		files["earlier.jsonl"] += fmt.Sprintf(`{"eval_id":"case-%d","dataset":"a","target":"self (expected output)","score":1,"trace_summary":{"duration_ms":%d}}`+"\n", i, took)
	}
	t.Chdir(write(t, files))
	runShards(t, 2, "a.eval.yaml", "--balance", "earlier.jsonl")
	if records := readFile(t, "shards/1/shard-1-of-2.jsonl"); !strings.Contains(records, `"eval_id":"case-4"`) || strings.Count(records, "\n") != 1 {
		t.Errorf("the shard of the slow case has %d records:\n%.300s", strings.Count(records, "\n"), records)
	}
	code, _, stderr := rubric(t, "", "run", "--shard", "1/2", "--dry-run", "a.eval.yaml", "--balance", "shards/1")
	if code != 0 || !strings.Contains(stderr, "shard 1/2 of plan ") {
		t.Errorf("from the shards of an earlier run: %d, %s", code, stderr)
	}
	_, _, stderr = rubric(t, "", "run", "--shard", "1/2", "--out", "by-count", "a.eval.yaml", "--balance", "absent.jsonl")
	if !strings.Contains(stderr, "there are no results in absent.jsonl, so each shard has equally many cases") || strings.Count(readFile(t, "by-count/shard-1-of-2.jsonl"), "\n") < 14 {
		t.Errorf("without earlier results: %s", stderr)
	}
}

// TestShardOptions: options that do not go together are refused before anything runs.
func TestShardOptions(t *testing.T) {
	t.Chdir(write(t, shardedFiles()))
	for _, name := range []string{"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "CI_NODE_INDEX"} {
		t.Setenv(name, "")
	}
	for _, c := range []struct{ args, want string }{
		{"--shard 1/2", "--shard needs one --out, with the folder for the shard's results"},
		{"--shard 1/2 --out r.jsonl", "--shard needs one --out"},
		{"--shard 1/2 --out a --out b", "--shard needs one --out"},
		{"--shard 3/2 --out a", "--shard must be a shard such as `3/8`"},
		{"--shard auto --out a", "--shard is `auto`, but none of"},
		{"--balance r.jsonl", "--balance needs --shard"},
	} {
		code, _, stderr := rubric(t, "", append([]string{"run", "a.eval.yaml"}, strings.Fields(c.args)...)...)
		if code != 2 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: %d, %s", c.args, code, stderr)
		}
	}
	if entries, _ := filepath.Glob("*"); slices.Contains(entries, "a") {
		t.Error("a refused run made its folder")
	}
	if code, _, stderr := rubric(t, "", "run", "b.eval.yaml", "--judge", "cli:exit 1", "--shard", "1/2", "--out", "out"); code != 3 {
		t.Errorf("a judge that cannot be reached: %d, %s", code, stderr)
	}
}
