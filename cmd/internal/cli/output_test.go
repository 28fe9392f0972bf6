package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
	"github.com/rubric-ls/rubric/core/text"
)

// findSteering says where a text has a character that steers a terminal; "" if nowhere.
func findSteering(out string) string {
	for i, r := range out {
		if text.IsDisplayControl(r) || r == utf8.RuneError && !strings.HasPrefix(out[i:], "\uFFFD") {
			return fmt.Sprintf("%q in %q", r, out[max(0, i-60):min(len(out), i+20)])
		}
	}
	return ""
}

// TestNothingSteersTheTerminal: whatever characters files, settings and commands hold,
// no command prints them raw in any format, and JSON stays JSON with the same text.
func TestNothingSteersTheTerminal(t *testing.T) {
	useTempCache(t)
	const bad = "\x1b[31m\x1b]0;x\a\u009b2J\u202e\u2066\u200f\u2028\x7f"
	quoted, err := json.Marshal(bad + "\r\b\x00")
	if err != nil {
		t.Fatal(err)
	}
	q := string(quoted)
	q = `"x` + q[1:]
	dir := write(t, map[string]string{
		"a.eval.yaml": "name: " + q + "\nevalcases:\n  - id: " + q + "\n    " + q + ": 1\n    expected_outcome: " + q + "\n    input: " + q + "\n    expected_output: " + q + "\n    wieght: 1\n" +
			"    rubrics:\n      - { id: " + q + ", expected_outcome: " + q + ", weight: 1 }\n      - { id: " + q + ", expected_outcome: " + q + " }\n" +
			"  - { id: b, expected_outcome: " + q + ", input: " + q + " }\n",
		"plain.eval.yaml": "evalcases:\n  - id: b\n    expected_outcome: Mentions “Hello”\n    input: hi " + bad + "\n    expected_output: hello\n  - id: c" + bad + "\n    expected_outcome: x\n",
		"a.evalset.json":  `{"eval_set_id":` + q + `,"eval_cases":[{"eval_id":` + q + `,` + q + `:1,"conversation":[{"user_content":{"parts":[{"text":` + q + `}]},"final_response":{"parts":[{"text":` + q + `}]}}]}]}`,
		"targets.yaml": "targets:\n  - { name: " + q + ", provider: " + q + ", model: " + q + ", " + q + ": 1 }\n" +
			"  - { name: echo, provider: cli, command_template: " + `"printf 'x\\033[31m\\a\\302\\2332J\\342\\200\\256' >&2; printf '\\033[31m\\302\\233'; exit ${CODE:-0}"` + ", judge_target: " + q + " }\n" +
			"  - { name: model, provider: openai, model: " + q + ", base_url: " + `"http://127.0.0.1:1/` + q[1:] + " }\n",
		"rtl.eval.yaml": "evalcases:\n  - id: b\n    expected_outcome: Mentions “Hello” and \u202egoodbye\n    input: hi\n    expected_output: hello\n",
		".env":          "LD_PRELOAD=x\n", "bad.yaml": "rules: { " + q + ": error }\n", "bad/.rubric.yaml": "rules: { " + q + ": error }\n", "bad/x.eval.yaml": good,
		"prices.yaml": q + ": 1\n", "reply.txt": bad, "labels.jsonl": `{"case":` + q + `,"criterion":` + q + `,"satisfied":true}` + "\n",
	})
	t.Chdir(dir)
	results := filepath.Join(dir, "r.jsonl")
	if code, _, stderr := rubric(t, "", "run", "a.eval.yaml", "--ignore-errors", "--out", results); code == 2 {
		t.Fatal(stderr)
	}
	for _, line := range []string{
		"check a.eval.yaml plain.eval.yaml a.evalset.json targets.yaml bad.yaml", "check . --format json", "check . --format sarif", "check . --format github", "check . --effective",
		"check --color always a.eval.yaml targets.yaml", "check --color always --format github .", "check --color always --effective a.eval.yaml", "check " + bad, "check bad",
		"run a.eval.yaml", "run a.eval.yaml --ignore-errors", "run a.eval.yaml --ignore-errors --color always", "run a.eval.yaml --ignore-errors --format json", "run a.eval.yaml --ignore-errors --format jsonl",
		"run a.eval.yaml --ignore-errors --format junit", "run a.eval.yaml --ignore-errors --format evalset-result", "run a.eval.yaml --ignore-errors --dry-run", "run a.eval.yaml --ignore-errors --dry-run --format json", "run a.evalset.json",
		"run a.eval.yaml --ignore-errors --target echo", "run a.eval.yaml --ignore-errors --target echo --judge offline", "run a.eval.yaml --ignore-errors --target model --judge offline",
		"run a.eval.yaml --ignore-errors --judge echo", "run a.eval.yaml --ignore-errors --prices prices.yaml --judge echo", "run a.eval.yaml --case " + bad, "run a.eval.yaml --target " + bad, "run --" + bad, bad + ".yaml",
		"targets", "targets --format json", "targets --check --timeout 1s", "generate rubrics --diff plain.eval.yaml", "generate rubrics --diff a.eval.yaml", "convert --to adk a.eval.yaml", "convert --to agentv a.evalset.json --format json",
		"runs list", "runs show r.jsonl", "runs show r.jsonl --format json", "runs compare r.jsonl r.jsonl", "rescore r.jsonl", "rescore r.jsonl --format json", "rescore r.jsonl a.eval.yaml",
		"score a.eval.yaml --case b", "calibrate a.eval.yaml --labels labels.jsonl", "explain " + bad, "schema " + bad, "cache stats", "cache " + bad, "call " + bad, "version", "lsp --tcp " + bad,
	} {
		code, stdout, stderr := rubric(t, bad, strings.Split(line, " ")...)
		if at := findSteering(stdout); at != "" && !strings.Contains(line, "--color always") {
			t.Errorf("%q: standard output has %s", line, at)
		}
		if at := findSteering(stderr); at != "" && !strings.Contains(line, "--color always") {
			t.Errorf("%q: standard error has %s", line, at)
		}
		if strings.Contains(line, "--color always") {
			plain := strings.NewReplacer("\x1b[0m", "", "\x1b[1m", "", "\x1b[2m", "", "\x1b[1;31m", "", "\x1b[1;33m", "", "\x1b[1;34m", "", "\x1b[1;36m", "", "\x1b[31m", "", "\x1b[32m", "", "\x1b[33m", "", "\x1b[34m", "", "\x1b[35m", "", "\x1b[36m", "").Replace(stdout + stderr)
			if at := findSteering(plain); at != "" {
				t.Errorf("%q: %s", line, at)
			}
			if strings.Contains(line, "--effective") || strings.Contains(line, "github") {
				if strings.Contains(stdout, "\x1b") {
					t.Errorf("%q: the file colours what has no colours: %q", line, stdout)
				}
			}
		}
		if code < 2 && (strings.Contains(line, "--format json") || strings.Contains(line, "sarif") || strings.Contains(line, "evalset-result")) {
			for dec := json.NewDecoder(strings.NewReader(stdout)); ; {
				var v any
				if err := dec.Decode(&v); err == io.EOF {
					break
				} else if err != nil {
					t.Errorf("%q is no JSON: %v\n%.300s", line, err, stdout)
					break
				}
			}
		}
	}
	request, _ := json.Marshal(map[string]any{"text": "evalcases: [{ id: " + q + ", id: 1 }]"})
	_, stdout, _ := rubric(t, string(request), "call", "check")
	if at := findSteering(stdout); at != "" || !json.Valid([]byte(stdout)) {
		t.Errorf("call: %s\n%s", at, stdout)
	}
	if _, stdout, _ = rubric(t, "", "generate", "rubrics", "--diff", "rtl.eval.yaml"); !strings.Contains(stdout, `\u202egoodbye`) || findSteering(stdout) != "" {
		t.Errorf("a diff: %q", stdout)
	}
	if _, stdout, _ = rubric(t, "", "convert", "--to", "agentv", "a.evalset.json"); !strings.Contains(stdout, "\u200f") && !strings.Contains(stdout, `\u200f`) && !strings.Contains(stdout, `\u200F`) {
		t.Errorf("a document that is printed lost some text:\n%q", stdout)
	}
}

// TestOutputInPieces: characters and colours that two writes hold in part come out whole,
// and the line ends of Windows stay.
func TestOutputInPieces(t *testing.T) {
	dir := write(t, map[string]string{"x.eval.yaml": strings.ReplaceAll("evalcases:\n  - id: grüße-😀-\u009b\n    expected_outcome: O\n    input: Q\n    expected_output: "+strings.Repeat("ü😀", 4000)+"\n    rubrics:\n      - Mentions “Hello”\n", "\n", "\r\n")})
	file := filepath.Join(dir, "x.eval.yaml")
	_, stdout, _ := rubric(t, "", "run", file, "--format", "jsonl")
	if strings.Contains(stdout, "\uFFFD") || !strings.Contains(stdout, `😀-\u009b`) || strings.Count(stdout, "ü😀") < 4000 {
		t.Errorf("%.400q", stdout)
	}
	for _, color := range []string{"always", "never"} {
		var out bytes.Buffer
		cli.Main([]string{"check", file, "--color", color}, strings.NewReader(""), &out, io.Discard)
		if strings.Contains(out.String(), `\u001b`) || strings.Contains(out.String(), "\x1b") != (color == "always" && out.Len() > 0) {
			t.Errorf("%s: %q", color, out.String())
		}
	}
}

// A journalReader compares the results that a run shows with those in its journal.
type journalReader struct {
	t           *testing.T
	journalPath string // the path of the journal
	output      strings.Builder
}

func (r *journalReader) Write(text []byte) (int, error) {
	r.output.Write(text)
	if journal, err := os.ReadFile(r.journalPath); err != nil || !strings.HasPrefix(string(journal), r.output.String()) {
		r.t.Errorf("%d bytes are shown, of which %d are kept (%v)", r.output.Len(), len(journal), err)
	}
	return len(text), nil
}

// TestShownIsJournaled checks that every shown result is already in the journal, so that
// it survives when the program is killed.
func TestShownIsJournaled(t *testing.T) {
	dir := write(t, map[string]string{"x.eval.yaml": three, "long.txt": strings.Repeat("A long answer. ", 300)})
	result := filepath.Join(dir, "r.jsonl")
	args := []string{"run", filepath.Join(dir, "x.eval.yaml"), "--format", "jsonl", "--out", result, "--target", "cli:cat " + filepath.Join(dir, "long.txt")}
	rubric(t, "", append(slices.Clip(args), "--case", "a", "--case", "b")...) // which are shown again, and not kept again
	stdout := &journalReader{t: t, journalPath: result + ".partial"}
	var stderr strings.Builder
	cli.Main(append(args, "--resume"), strings.NewReader(""), stdout, &stderr)
	if n := strings.Count(stdout.output.String(), "\n"); n != 3 {
		t.Errorf("%d results are shown: %s", n, stderr.String())
	}
}

// TestNotesFit: on a terminal, a note is as wide as that at most, and what follows it stays as it is.
func TestNotesFit(t *testing.T) {
	const note = "rubric: one two three four five six seven\n  a list that stays as it is\nrubric: short\n"
	want := "rubric: one two three four\n  five six seven\n  a list that stays as it is\nrubric: short\n"
	if got := string(cli.WrapNotes([]byte(note), 26)); got != want {
		t.Errorf("%s", got)
	}
	if got := string(cli.WrapNotes([]byte(note), 0)); got != note {
		t.Errorf("%s", got)
	}
}
