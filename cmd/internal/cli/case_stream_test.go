//go:build unix

package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestStream: a large file is streamed and gives the same as when it is read as a whole, which also
// shows what is wrong with it.
func TestStream(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	const n = 1100
	all := manyCasesJSONL(n)
	dir := write(t, map[string]string{
		"long.jsonl":  all,
		"twice.jsonl": all + `{"id":"case-3","expected_outcome":"O","input":"Q","expected_output":"We refund you.","rubrics":["Mentions “refund”"]}` + "\n",
		"wrong.jsonl": all + `{"id":"z","expected_outcome":"O","input":"Q","rubrics":[{"id":"a","weigth":2}]}` + "\n",
	})
	at := func(name string) string { return filepath.Join(dir, name) }
	code, lines, stderr := rubric(t, "", "run", at("long.jsonl"), "--format", "jsonl", "--out", at("r.jsonl"))
	if code != 1 || strings.Count(lines, "\n") != n || readFile(t, at("r.jsonl")) != lines {
		t.Fatalf("%d, %d lines\n%s", code, strings.Count(lines, "\n"), stderr)
	}
	for first := 0; first < n; first += 500 { // files that are read as a whole
		last := min(first+500, n)
		part := write(t, map[string]string{"long.jsonl": strings.Join(slices.Collect(strings.Lines(all))[first:last], "")})
		_, whole, _ := rubric(t, "", "run", filepath.Join(part, "long.jsonl"), "--format", "jsonl")
		got := strings.Join(slices.Collect(strings.Lines(lines))[first:last], "")
		if want := strings.ReplaceAll(whole, part, dir); got != want {
			t.Errorf("streamed, the cases from %d are\n%.600s\nand as a whole\n%.600s", first, got, want)
		}
	}
	if code, stdout, _ := rubric(t, "", "run", at("long.jsonl")); code != 1 || !strings.Contains(stdout, "pass") || strings.Count(stdout, "case-") < n {
		t.Errorf("the table: %d, %.200s", code, stdout)
	}
	if code, lines, stderr := rubric(t, "", "run", at("twice.jsonl"), "--format", "jsonl"); code != 2 || lines != "" || !strings.Contains(stderr, "case-3") {
		t.Errorf("an id that comes twice: %d, %.300s", code, stderr)
	}
	if code, lines, stderr := rubric(t, "", "run", at("wrong.jsonl"), "--format", "jsonl"); code != 2 || lines != "" || !strings.Contains(stderr, fmt.Sprintf("wrong.jsonl:%d:", n+1)) {
		t.Errorf("an error at the end: %d, %.300s", code, stderr)
	}
}

// TestStreamSelected: some cases of a large file are run, or planned, by their ids.
func TestStreamSelected(t *testing.T) {
	dir := write(t, map[string]string{"long.jsonl": manyCasesJSONL(1100)})
	file := filepath.Join(dir, "long.jsonl")
	code, lines, stderr := rubric(t, "", "run", file, "--format", "jsonl", "--case", "case-1", "--case", "case-109?")
	var ids []string
	for line := range strings.Lines(lines) {
		ids = append(ids, caseID.FindStringSubmatch(line)[1])
	}
	if want := "case-1 case-1090 case-1091 case-1092 case-1093 case-1094 case-1095 case-1096 case-1097 case-1098 case-1099"; strings.Join(ids, " ") != want {
		t.Errorf("%d: %q, want %q\n%s", code, ids, want, stderr)
	}
	if code, _, stderr := rubric(t, "", "run", file, "--case", "case-1", "--case", "caze-1099"); code != 2 || !strings.Contains(stderr, "no case `caze-1099`; did you mean `case-1099`?") {
		t.Errorf("an id that there is not: %d, %s", code, stderr)
	}
	for _, c := range []struct {
		more  []string
		cases int
	}{{nil, 1100}, {[]string{"--case", "case-10*"}, 111}} {
		code, out, stderr := rubric(t, "", append([]string{"run", file, "--dry-run", "--format", "json"}, c.more...)...)
		var plan struct{ Cases int }
		if err := json.Unmarshal([]byte(out), &plan); err != nil || code != 0 || plan.Cases != c.cases {
			t.Errorf("%v: %d, %d cases, want %d: %s", c.more, code, plan.Cases, c.cases, stderr)
		}
	}
}

// TestDependentInLargeFile: a case of a large file runs with the case that it depends on.
func TestDependentInLargeFile(t *testing.T) {
	test := `,"criteria":"C","input":"Q","expected_output":"hello","assertions":[{"type":"contains","value":"hello"}]}` + "\n"
	padding := `{"id":"other","notes":"` + strings.Repeat("so ", 400_000) + `"` + test
	dir := write(t, map[string]string{"long.jsonl": `{"id":"second","depends_on":["first"]` + test + padding + `{"id":"first"` + test})
	code, lines, stderr := rubric(t, "", "run", filepath.Join(dir, "long.jsonl"), "--case", "second", "--format", "jsonl")
	if ids := caseID.FindAllString(lines, -1); code != 0 || fmt.Sprint(ids) != `["eval_id":"first" "eval_id":"second"]` {
		t.Errorf("%d, %q\n%s", code, ids, stderr)
	}
}

var caseID = regexp.MustCompile(`"eval_id":"([^"]*)"`)

// TestStreamResumed: of a long file that is resumed, the cases that are done stand
// among the others in their order, whatever order they were done in.
func TestStreamResumed(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	dir := write(t, map[string]string{"long.jsonl": strings.ReplaceAll(manyCasesJSONL(60), "It has been so", strings.Repeat("so ", 600))}) // a few to a batch
	file, result := filepath.Join(dir, "long.jsonl"), filepath.Join(dir, "r.jsonl")
	args := []string{"run", file, "--target", "cli:echo {EVAL_ID} >> " + filepath.Join(dir, "log") + "; echo We refund you.", "--format", "jsonl", "--out", result, "--resume"}
	_, whole, stderr := rubric(t, "", args...)
	if readFile(t, result) != whole || strings.Count(whole, "\n") != 60 {
		t.Fatal(stderr)
	}
	var done []string
	for line := range strings.Lines(whole) {
		id := caseID.FindStringSubmatch(line)[1]
		switch {
		case strings.HasSuffix(id, "7"), len(id) == len("case-0"): // whole batches
		case strings.HasSuffix(id, "3"): // it was asked something else
			done = append(done, strings.Replace(line, `"case_fingerprint":"`, `"case_fingerprint":"0`, 1))
		default:
			done = append([]string{line}, done...)
		}
	}
	if err := os.WriteFile(result+".partial", []byte(strings.Join(done, "")+`{"eval_id":"case-7","sc`), 0o600); err != nil {
		t.Fatal(err)
	}
	os.Remove(result)
	os.Remove(filepath.Join(dir, "log"))
	_, again, stderr := rubric(t, "", args...)
	if again != whole || readFile(t, result) != whole {
		t.Errorf("resumed, it comes to something else\n%s", stderr)
	}
	if !strings.Contains(stderr, "its last line is incomplete and was dropped; that case is graded again") {
		t.Errorf("it tells %q", stderr)
	}
	asked, want := strings.Count(readFile(t, filepath.Join(dir, "log")), "\n"), 10+5+5
	if asked != want {
		t.Errorf("%d cases are asked again, want %d", asked, want)
	}
}

// TestStreamThatChanges: what was not checked is not run.
func TestStreamThatChanges(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	all := strings.ReplaceAll(manyCasesJSONL(40), "It has been so", strings.Repeat("so ", 500)) // two to a batch
	dir := write(t, map[string]string{"long.jsonl": all, "other.jsonl": strings.Replace(all, `"id":"case-39"`, `"id":"case-xx"`, 1)})
	change := fmt.Sprintf("cli:dd if=%s of=%s conv=notrunc status=none; echo We refund you; :", filepath.Join(dir, "other.jsonl"), filepath.Join(dir, "long.jsonl"))
	code, lines, stderr := rubric(t, "", "run", filepath.Join(dir, "long.jsonl"), "--target", change, "--format", "jsonl", "--workers", "1")
	if code != 2 || strings.Contains(lines, "case-x") || !strings.Contains(lines, `"eval_id":"case-4"`) || !strings.Contains(stderr, "long.jsonl has changed since it was checked") {
		t.Errorf("%d, %d lines\n%s", code, strings.Count(lines, "\n"), stderr)
	}
}
