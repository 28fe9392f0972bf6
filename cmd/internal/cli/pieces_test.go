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

// TestPieces: a long file is run a piece at a time and comes to the same as when it
// is read as a whole, which is also how what is wrong with it is told.
func TestPieces(t *testing.T) {
	const n = 1100
	dir := write(t, map[string]string{
		"long.jsonl":  long(n),
		"twice.jsonl": long(n) + `{"id":"case-3","expected_outcome":"O","input":"Q","expected_output":"We refund you.","rubrics":["Offers a refund"]}` + "\n",
		"wrong.jsonl": long(n) + `{"id":"z","expected_outcome":"O","input":"Q","rubrics":[{"id":"a","weigth":2}]}` + "\n",
	})
	at := func(name string) string { return filepath.Join(dir, name) }
	code, lines, stderr := rubric(t, "", "run", at("long.jsonl"), "--format", "jsonl", "--out", at("r.jsonl"))
	if code != 1 || strings.Count(lines, "\n") != n || body(t, at("r.jsonl")) != lines {
		t.Fatalf("%d, %d lines\n%s", code, strings.Count(lines, "\n"), stderr)
	}
	_, whole, _ := rubric(t, "", "run", at("long.jsonl"), "--format", "json")
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
	if code, stdout, _ := rubric(t, "", "run", at("long.jsonl")); code != 1 || !strings.Contains(stdout, "pass") || strings.Count(stdout, "case-") < n {
		t.Errorf("the table: %d, %.200s", code, stdout)
	}
	if code, lines, stderr := rubric(t, "", "run", at("twice.jsonl"), "--format", "jsonl"); code == 2 == (lines != "") || code == 2 && !strings.Contains(stderr, "case-3") {
		t.Errorf("an id that comes twice: %d, %.300s", code, stderr)
	}
	if code, lines, stderr := rubric(t, "", "run", at("wrong.jsonl"), "--format", "jsonl"); code != 2 || lines != "" || !strings.Contains(stderr, "wrong.jsonl:1101:") {
		t.Errorf("an error at the end: %d, %.300s", code, stderr)
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
	dir := write(t, map[string]string{"few.jsonl": long(1100), "many.jsonl": long(5000)})
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
	few, many := peak("few.jsonl"), peak("many.jsonl")
	if few == 0 || many > 3*few { // as a whole they would take five times as much
		t.Errorf("5000 cases take %d MB, 1100 take %d", many, few)
	}
}
