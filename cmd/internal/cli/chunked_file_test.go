//go:build unix

package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// manyCasesJSONL is a file of so many cases in JSONL, each of about a kilobyte.
func manyCasesJSONL(cases int) string {
	var b strings.Builder
	padding := strings.Repeat("It has been so for weeks. ", 40)
	for i := range cases {
		fmt.Fprintf(&b, `{"id":"case-%d","expected_outcome":"O","input":"Where is order %d? %s","expected_output":"We refund you.","rubrics":["Mentions “refund”","Mentions “order %d”"]}`+"\n", i, i, padding, i%7)
	}
	return b.String()
}

// jsonlToYAML is the same in YAML.
func jsonlToYAML(lines string) string {
	return "description: Orders\nevalcases:\n" + strings.ReplaceAll("\n"+strings.TrimSuffix(lines, "\n"), "\n{", "\n  - {")[1:] + "\nmetadata: { team: orders }\n"
}

// TestPieces: a long file is run in chunks and comes to the same as when it
// is read as a whole, which is also how what is wrong with it is told.
func TestPieces(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	const n = 1100
	twice := manyCasesJSONL(n) + `{"id":"case-3","expected_outcome":"O","input":"Q","expected_output":"We refund you.","rubrics":["Mentions “refund”"]}` + "\n"
	wrong := manyCasesJSONL(n) + `{"id":"z","expected_outcome":"O","input":"Q","rubrics":[{"id":"a","weigth":2}]}` + "\n"
	for name, c := range map[string]struct {
		long, twice, wrong string
		line               int // of the error
	}{
		"jsonl": {manyCasesJSONL(n), twice, wrong, n + 1}, "yaml": {jsonlToYAML(manyCasesJSONL(n)), jsonlToYAML(twice), jsonlToYAML(wrong), n + 3},
	} {
		t.Run(name, func(t *testing.T) { testChunkedFile(t, n, "."+name, c.long, c.twice, c.wrong, c.line) })
	}
}

func testChunkedFile(t *testing.T, n int, ext, all, twice, wrong string, line int) {
	dir := write(t, map[string]string{"long" + ext: all, "twice" + ext: twice, "wrong" + ext: wrong})
	at := func(name string) string { return filepath.Join(dir, strings.Replace(name, ".*", ext, 1)) }
	code, lines, stderr := rubric(t, "", "run", at("long.*"), "--format", "jsonl", "--out", at("r.jsonl"))
	if code != 1 || strings.Count(lines, "\n") != n || readFile(t, at("r.jsonl")) != lines {
		t.Fatalf("%d, %d lines\n%s", code, strings.Count(lines, "\n"), stderr)
	}
	_, whole, _ := rubric(t, "", "run", at("long.*"), "--format", "json")
	var report struct {
		Suites []struct{ Cases []json.RawMessage }
	}
	if err := json.Unmarshal([]byte(whole), &report); err != nil || len(report.Suites[0].Cases) != n {
		t.Fatal(err, len(report.Suites))
	}
	for i, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		if a, b := withoutTimes(t, []byte(line)), withoutTimes(t, report.Suites[0].Cases[i]); a != b {
			t.Fatalf("in pieces, case %d is\n%s\nand as a whole\n%s", i, a, b)
		}
	}
	if code, stdout, _ := rubric(t, "", "run", at("long.*")); code != 1 || !strings.Contains(stdout, "pass") || strings.Count(stdout, "case-") < n {
		t.Errorf("the table: %d, %.200s", code, stdout)
	}
	if code, lines, stderr := rubric(t, "", "run", at("twice.*"), "--format", "jsonl"); code == 2 == (lines != "") || code == 2 && !strings.Contains(stderr, "case-3") {
		t.Errorf("an id that comes twice: %d, %.300s", code, stderr)
	}
	if code, lines, stderr := rubric(t, "", "run", at("wrong.*"), "--format", "jsonl"); code != 2 || lines != "" || !strings.Contains(stderr, fmt.Sprintf("wrong%s:%d:", ext, line)) {
		t.Errorf("an error at the end: %d, %.300s", code, stderr)
	}
}

// TestPiecesChosen: of a long file some cases are run, or looked at, by their ids.
func TestPiecesChosen(t *testing.T) {
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

var caseID = regexp.MustCompile(`"eval_id":"([^"]*)"`)

// TestPiecesResumed: of a long file that is resumed, the cases that are done stand
// among the others in their order, whatever order they were done in.
func TestPiecesResumed(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	dir := write(t, map[string]string{"long.jsonl": strings.ReplaceAll(manyCasesJSONL(60), "It has been so", strings.Repeat("so ", 600))}) // a few to a piece
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
		case strings.HasSuffix(id, "7"), len(id) == len("case-0"): // whole pieces
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

// TestPiecesThatChange: what was not checked is not run.
func TestPiecesThatChange(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	all := strings.ReplaceAll(jsonlToYAML(manyCasesJSONL(40)), "It has been so", strings.Repeat("so ", 1500)) // half a piece each
	dir := write(t, map[string]string{"long.yaml": all, "other.yaml": strings.Replace(all, `"id":"case-39"`, `"id":"case-x"`, 1)})
	change := fmt.Sprintf("cli:cp %s %s; echo We refund you; :", filepath.Join(dir, "other.yaml"), filepath.Join(dir, "long.yaml"))
	code, lines, stderr := rubric(t, "", "run", filepath.Join(dir, "long.yaml"), "--target", change, "--format", "jsonl", "--workers", "1")
	if code != 2 || strings.Contains(lines, "case-x") || !strings.Contains(lines, `"eval_id":"case-4"`) || !strings.Contains(stderr, "long.yaml has changed since it was checked") {
		t.Errorf("%d, %d lines\n%s", code, strings.Count(lines, "\n"), stderr)
	}
}

// TestPiecesOfTwoVersions: a file is of one version, whichever of its tests says so.
func TestPiecesOfTwoVersions(t *testing.T) {
	var b strings.Builder
	b.WriteString("tests:\n")
	for i := range 400 {
		fmt.Fprintf(&b, "  - { id: t%d, criteria: Refunds, input: Q, expected_output: We refund you., assert: [Mentions “refund”] }\n", i)
	}
	stable := b.String()
	dir := write(t, map[string]string{"all.eval.yaml": stable + "  - { id: last, criteria: Refunds, input: Q, expected_output: We refund you., assert: [Mentions “refund”] }\n"})
	head := write(t, map[string]string{"all.eval.yaml": stable + "  - { id: last, vars: { x: y }, criteria: Refunds, assert: [Mentions “refund”] }\n"})
	if code, lines, stderr := rubric(t, "", "run", filepath.Join(dir, "all.eval.yaml"), "--format", "jsonl"); strings.Count(lines, "\n") != 401 {
		t.Errorf("%d, %d cases\n%s", code, strings.Count(lines, "\n"), stderr)
	}
	_, _, whole := rubric(t, "", "check", filepath.Join(head, "all.eval.yaml"))
	if code, lines, _ := rubric(t, "", "run", filepath.Join(head, "all.eval.yaml"), "--format", "jsonl"); code != 2 || lines != "" {
		t.Errorf("%d, %d cases\n%s", code, strings.Count(lines, "\n"), whole)
	}
}

// withoutTimes is a record without its times.
func withoutTimes(t *testing.T, raw []byte) string {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal(raw, &object); err != nil {
		t.Fatal(err)
	}
	delete(object, "timestamp")
	delete(object, "duration_ms")
	out, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
