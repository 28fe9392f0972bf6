// What is about size alone takes its time under the race detector, and shows it nothing.

//go:build unix && !race

package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// heaps finds how much of the heap was in use after a collection, in what the Go
// runtime tells of it: what came while it went on depends on how busy the machine is.
var heaps = regexp.MustCompile(`\d+->\d+->(\d+) MB`)

// TestFlatMemory: many cases take no more memory than few.
func TestFlatMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	dir := write(t, map[string]string{
		"few.jsonl": manyCasesJSONL(1100), "many.jsonl": manyCasesJSONL(5000),
	})
	binary := filepath.Join(dir, "rubric")
	if out, err := exec.Command("go", "build", "-o", binary, "github.com/rubric-ls/rubric/cmd/rubric").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	peak := func(name string, more ...string) (most int) {
		cmd := exec.Command(binary, append([]string{"run", filepath.Join(dir, name), "--out", filepath.Join(dir, name+".out.jsonl")}, more...)...)
		var stderr bytes.Buffer
		cmd.Env, cmd.Stderr = append(os.Environ(), "GOGC=100", "GODEBUG=gctrace=1,gcstoptheworld=1"), &stderr
		if err := cmd.Run(); cmd.ProcessState.ExitCode() > 1 {
			t.Fatalf("%v: %.300s", err, stderr.String())
		}
		for _, found := range heaps.FindAllStringSubmatch(stderr.String(), -1) {
			megabytes, _ := strconv.Atoi(found[1])
			most = max(most, megabytes)
		}
		return most
	}
	for _, c := range []struct {
		few, many string
		more      []string
	}{
		{"few.jsonl", "many.jsonl", nil},
		{"few.jsonl", "many.jsonl", []string{"--resume"}},                         // all of them are done
		{"few.jsonl", "many.jsonl", []string{"--resume", "--target", "mock:No."}}, // none of them is
		{"few.jsonl", "many.jsonl", []string{"--dry-run"}},
		{"few.jsonl", "many.jsonl", []string{"--case", "case-*"}},
	} {
		few, many := peak(c.few, c.more...), peak(c.many, c.more...)
		if few == 0 || many > 3*few { // as a whole they would take five times as much
			t.Errorf("%s %v: 5000 cases take %d MB, 1100 take %d", c.many, c.more, many, few)
		}
	}
}

// TestTooLarge: JSONL that is too large to be read at once is streamed, and the message about any
// other file says what to do.
func TestTooLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	answer := strings.Repeat("It has been so for weeks. ", 40_000) // a megabyte
	var all strings.Builder
	for i := range 66 {
		fmt.Fprintf(&all, `{"id":"case-%d","expected_outcome":"O","input":"%s","expected_output":"R","rubrics":["R"]}`+"\n", i, answer)
	}
	var set strings.Builder
	set.WriteString("{\n  \"eval_set_id\": \"s\",\n  \"eval_cases\": [")
	for i := range 66 {
		set.WriteString(strings.Repeat(",", min(i, 1)) + fmt.Sprintf("\n    "+`{"eval_id":"case-%d","conversation":[{"user_content":{"parts":[{"text":"%s"}]}}]}`, i, answer))
	}
	dir := t.TempDir()
	for _, c := range []struct{ name, body, want string }{
		{"good.jsonl", all.String(), ""},
		{"s.evalset.json", set.String() + "\n  ]\n}", "is 65 MiB, more than the 64 MiB that can be read; split it into several files, which one run can measure\n"},
		{"wrong.jsonl", all.String() + `{"id":"z","input":"Q","rubrics":[{"id":"a"}]}`, "; split it, or fix what prevents reading it case by case: line 67: "},
		{"twice.jsonl", all.String() + `{"id":"case-3","expected_outcome":"O","input":"Q","rubrics":["R"]}`, "case by case: two of its cases have the id `case-3`"},
		{"list.yaml", "evalcases:\n- " + strings.ReplaceAll(strings.TrimSpace(all.String()), "\n", "\n- ") + "\n", "; split it, or write its cases as JSONL, one per line, which is read case by case\n"},
		{"list.json", "[" + strings.ReplaceAll(strings.TrimSpace(all.String()), "\n", ",\n") + "]", "is 65 MiB, more than the 64 MiB that can be read; split it into several files, which one run can measure\n"},
	} {
		path := filepath.Join(dir, c.name)
		if err := os.WriteFile(path, []byte(c.body), 0o600); err != nil {
			t.Fatal(err)
		}
		code, out, stderr := rubric(t, "", "run", path, "--dry-run")
		if c.want == "" && (code != 0 || !strings.Contains(out, "66 cases")) || c.want != "" && (code != 2 || !strings.Contains(stderr, c.want)) {
			t.Errorf("%s: %d, %.300s%.300s, want %q", c.name, code, out, stderr, c.want)
		}
		os.Remove(path)
	}
}
