//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// long is a file of so many cases in JSONL, each of about a kilobyte.
func long(cases int) string {
	var b strings.Builder
	padding := strings.Repeat("It has been so for weeks. ", 40)
	for i := range cases {
		fmt.Fprintf(&b, `{"id":"case-%d","expected_outcome":"O","input":"Where is order %d? %s","expected_output":"We refund you.","rubrics":["Offers a refund","Names order %d"]}`+"\n", i, i, padding, i%7)
	}
	return b.String()
}

// listed is the same in YAML.
func listed(lines string) string {
	return "description: Orders\nevalcases:\n" + strings.ReplaceAll("\n"+strings.TrimSuffix(lines, "\n"), "\n{", "\n  - {")[1:] + "\nmetadata: { team: orders }\n"
}

// TestPieces: a long file is run a piece at a time and comes to the same as when it
// is read as a whole, which is also how what is wrong with it is told.
func TestPieces(t *testing.T) {
	const n = 1100
	twice := long(n) + `{"id":"case-3","expected_outcome":"O","input":"Q","expected_output":"We refund you.","rubrics":["Offers a refund"]}` + "\n"
	wrong := long(n) + `{"id":"z","expected_outcome":"O","input":"Q","rubrics":[{"id":"a","weigth":2}]}` + "\n"
	for name, c := range map[string]struct {
		long, twice, wrong string
		line               int // of the error
	}{
		"jsonl": {long(n), twice, wrong, n + 1}, "yaml": {listed(long(n)), listed(twice), listed(wrong), n + 3},
	} {
		t.Run(name, func(t *testing.T) { inPieces(t, n, "."+name, c.long, c.twice, c.wrong, c.line) })
	}
}

func inPieces(t *testing.T, n int, ext, all, twice, wrong string, line int) {
	dir := write(t, map[string]string{"long" + ext: all, "twice" + ext: twice, "wrong" + ext: wrong})
	at := func(name string) string { return filepath.Join(dir, strings.Replace(name, ".*", ext, 1)) }
	code, lines, stderr := rubric(t, "", "run", at("long.*"), "--format", "jsonl", "--out", at("r.jsonl"))
	if code != 1 || strings.Count(lines, "\n") != n || body(t, at("r.jsonl")) != lines {
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
		if a, b := plainCase(t, []byte(line)), plainCase(t, report.Suites[0].Cases[i]); a != b {
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

// TestPiecesThatChange: what was not checked is not run.
func TestPiecesThatChange(t *testing.T) {
	all := strings.ReplaceAll(listed(long(40)), "It has been so", strings.Repeat("so ", 1500)) // half a piece each
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
		fmt.Fprintf(&b, "  - { id: t%d, criteria: Refunds, input: Q, expected_output: We refund you., assert: [Offers a refund] }\n", i)
	}
	stable := b.String()
	dir := write(t, map[string]string{"all.eval.yaml": stable + "  - { id: last, criteria: Refunds, input: Q, expected_output: We refund you., assert: [Offers a refund] }\n"})
	head := write(t, map[string]string{"all.eval.yaml": stable + "  - { id: last, vars: { x: y }, criteria: Refunds, assert: [Offers a refund] }\n"})
	if code, lines, stderr := rubric(t, "", "run", filepath.Join(dir, "all.eval.yaml"), "--format", "jsonl"); strings.Count(lines, "\n") != 401 {
		t.Errorf("%d, %d cases\n%s", code, strings.Count(lines, "\n"), stderr)
	}
	_, _, whole := rubric(t, "", "check", filepath.Join(head, "all.eval.yaml"))
	if code, lines, _ := rubric(t, "", "run", filepath.Join(head, "all.eval.yaml"), "--format", "jsonl"); code != 2 || lines != "" {
		t.Errorf("%d, %d cases\n%s", code, strings.Count(lines, "\n"), whole)
	}
}

// plainCase is a record without its times.
func plainCase(t *testing.T, raw []byte) string {
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

// heaps finds how much of the heap was in use after a collection, in what the Go
// runtime tells of it: what came while it went on depends on how busy the machine is.
var heaps = regexp.MustCompile(`\d+->\d+->(\d+) MB`)

// TestFlatMemory: many cases take no more memory than few.
func TestFlatMemory(t *testing.T) {
	dir := write(t, map[string]string{
		"few.jsonl": long(1100), "many.jsonl": long(5000), "listed/few.yaml": listed(long(1100)), "listed/many.yaml": listed(long(5000)),
	})
	binary := filepath.Join(dir, "rubric")
	if out, err := exec.Command("go", "build", "-o", binary, "github.com/rubric-ls/rubric/cmd/rubric").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	peak := func(name string) (most int) {
		cmd := exec.Command(binary, "run", filepath.Join(dir, name), "--out", filepath.Join(dir, name+".out.jsonl"))
		var stderr bytes.Buffer
		cmd.Env, cmd.Stderr = append(os.Environ(), "GODEBUG=gctrace=1"), &stderr
		if err := cmd.Run(); cmd.ProcessState.ExitCode() != 1 {
			t.Fatalf("%v: %.300s", err, stderr.String())
		}
		for _, found := range heaps.FindAllStringSubmatch(stderr.String(), -1) {
			megabytes, _ := strconv.Atoi(found[1])
			most = max(most, megabytes)
		}
		return most
	}
	for _, files := range [][2]string{{"few.jsonl", "many.jsonl"}, {"listed/few.yaml", "listed/many.yaml"}} {
		few, many := peak(files[0]), peak(files[1])
		if few == 0 || many > 3*few { // as a whole they would take five times as much
			t.Errorf("%s: 5000 cases take %d MB, 1100 take %d", files[1], many, few)
		}
	}
}
