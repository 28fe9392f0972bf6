package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
)

// unsound are eval files whose analysis panics after [cli.PutFault]: in a rule, in
// lowering a case, and in reading what stands around the cases.
var unsound = map[string]string{
	"rule.eval.yaml":   "evalcases:\n  - id: a\n    expected_outcome: It works\n    input:\n      - role: user\n        content:\n          - { type: file, value: fault.md }\n",
	"case.eval.yaml":   "prompts: [Say it]\ntests:\n  - id: a\n    assert: [{ include: fault }]\n",
	"around.eval.yaml": "prompts: [Say it]\nscenarios: [file://fault.yaml]\ntests:\n  - id: a\n    assert: [Says it]\n",
}

const misspelt = "evalcases:\n  - id: a\n    expected_outcome: It works\n    input: Do it\n    wieght: 1\n"

// TestFaultFound: a file that cannot be analysed has one finding that says so, in every
// format, and the findings of the others stay.
func TestFaultFound(t *testing.T) {
	cli.PutFault(t)
	dir := write(t, unsound)
	if err := os.WriteFile(filepath.Join(dir, "sound.eval.yaml"), []byte(misspelt), 0o600); err != nil {
		t.Fatal(err)
	}
	const message = "this file could not be analysed: internal error: a fault that a test has put here"
	for _, format := range []string{"text", "json", "sarif", "github"} {
		var out, errs bytes.Buffer
		if status := cli.Main([]string{"check", "--format", format, dir}, strings.NewReader(""), &out, &errs); status != 1 {
			t.Errorf("%s: exit status %d: %s", format, status, errs.String())
		}
		if n := strings.Count(out.String(), message); n != len(unsound) {
			t.Errorf("%s: %d faults in %s", format, n, out.String())
		}
		for name := range unsound {
			if !strings.Contains(out.String(), name) {
				t.Errorf("%s: nothing of %s", format, name)
			}
		}
		if !strings.Contains(out.String(), "unknown-key") || !strings.Contains(out.String(), "`wieght`") {
			t.Errorf("%s: nothing of the sound file: %s", format, out.String())
		}
	}
	for name := range unsound { // named, as it is read from standard input and with --quiet
		var out, errs bytes.Buffer
		if status := cli.Main([]string{"check", "--quiet", "--rule", "missing-file=off", filepath.Join(dir, name)}, strings.NewReader(""), &out, &errs); name != "rule.eval.yaml" && (status != 1 || !strings.Contains(out.String(), message)) {
			t.Errorf("%s: exit status %d: %s%s", name, status, out.String(), errs.String())
		}
		if strings.Contains(errs.String(), "there are no eval files") {
			t.Errorf("%s: %s", name, errs.String())
		}
	}
}

// TestFaultEffective: what a file comes to is shown of the others.
func TestFaultEffective(t *testing.T) {
	cli.PutFault(t)
	dir := write(t, map[string]string{"around.eval.yaml": unsound["around.eval.yaml"], "sound.eval.yaml": misspelt})
	var out, errs bytes.Buffer
	status := cli.Main([]string{"check", "--effective", dir}, strings.NewReader(""), &out, &errs)
	if status != 2 || !strings.Contains(out.String(), "sound.eval.yaml") || !strings.Contains(errs.String(), "around.eval.yaml: this file could not be analysed") {
		t.Errorf("exit status %d: %s%s", status, out.String(), errs.String())
	}
}

// TestFaultNotRun checks that a run with a file that cannot be analysed contacts nothing
// and reports the reason, even with --ignore-errors.
func TestFaultNotRun(t *testing.T) {
	cli.PutFault(t)
	for _, name := range []string{"case.eval.yaml", "around.eval.yaml"} {
		dir := write(t, map[string]string{name: unsound[name], "sound.eval.yaml": strings.Replace(misspelt, "wieght", "note", 1)})
		var out, errs bytes.Buffer
		status := cli.Main([]string{"run", "--ignore-errors", filepath.Join(dir, "sound.eval.yaml"), filepath.Join(dir, name), "--target", "cli:touch " + dir + "/ran"}, strings.NewReader(""), &out, &errs)
		if status != 2 || !strings.Contains(errs.String(), name+": this file could not be analysed") {
			t.Errorf("%s: exit status %d: %s%s", name, status, out.String(), errs.String())
		}
		if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
			t.Errorf("%s: the other file was run", name)
		}
	}
}
