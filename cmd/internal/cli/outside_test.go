//go:build unix

package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
)

const simple = "evalcases:\n  - { id: a, expected_outcome: O, input: Q, expected_output: R, rubrics: [mentions `R`] }\n"

// TestSpecialFiles: pipes, devices and links to the program's own streams in a repository
// keep nobody waiting, neither a command nor an editor.
func TestSpecialFiles(t *testing.T) {
	kinds := map[string]func(path string) error{
		"fifo":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"stdin":  func(path string) error { return os.Symlink("/dev/stdin", path) },
		"fd":     func(path string) error { return os.Symlink("/proc/self/fd/0", path) },
		"stdout": func(path string) error { return os.Symlink("/dev/stdout", path) },
		"zero":   func(path string) error { return os.Symlink("/dev/zero", path) },
	}
	for kind, make := range kinds {
		for _, name := range []string{".rubric.yaml", ".env", "c.yaml", "z.eval.yaml", "targets.yaml"} {
			t.Run(kind+" "+name, func(t *testing.T) {
				dir := write(t, map[string]string{
					"x.eval.yaml": simple, ".git/HEAD": "", ".agentv/targets.yaml": "targets: [{ name: m, provider: mock, response: R }]\n",
					"c.jsonl": `{"id":"a","expected_outcome":"O","input":"Q","expected_output":"R","rubrics":["Mentions “R”"]}` + "\n",
				})
				if err := make(filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
				eval := filepath.Join(dir, "x.eval.yaml")
				code, _, stderr := rubric(t, "", "check", dir)
				if name == ".rubric.yaml" && (code != 2 || !strings.Contains(stderr, name)) {
					t.Errorf("check: %d %s", code, stderr)
				}
				lines := filepath.Join(dir, "c.jsonl")
				for _, command := range []string{"check", "run"} {
					code, _, stderr := rubric(t, "", command, lines)
					if refused := code == 2 && strings.Contains(stderr, name); refused != (name == "c.yaml" || name == ".rubric.yaml") {
						t.Errorf("%s: %d %s", command, code, stderr)
					}
				}
				code, _, stderr = rubric(t, "", "run", eval, "--target", "m")
				if wanted := map[bool]int{true: 2}[name == ".rubric.yaml"]; code != wanted {
					t.Errorf("run: %d %s", code, stderr)
				}
				code, _, stderr = rubric(t, "", "targets", eval)
				if code != 0 || name == ".env" && !strings.Contains(stderr, "it sets no variables") {
					t.Errorf("targets: %d %s", code, stderr)
				}
				e := startEditor(t, "{}")
				for _, open := range []struct{ path, body string }{{eval, simple}, {filepath.Join(dir, "c.jsonl"), "{}"}} {
					document := map[string]any{"uri": "file://" + open.path, "languageId": "yaml", "version": 1, "text": open.body}
					e.Notify("textDocument/didOpen", map[string]any{"textDocument": document})
					e.Request("textDocument/codeLens", map[string]any{"textDocument": document})
				}
			})
		}
	}
}

// TestOutside: no path of an eval file and no link in its repository leads to another
// file of the person who opens or runs it.
func TestOutside(t *testing.T) {
	elsewhere := filepath.Join(t.TempDir(), "secret.md")
	if err := os.WriteFile(elsewhere, []byte("the secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, file, prompt, linked string }{
		{"a path up", "REL", "", ""},
		{"a link", "notes.md", "", "notes.md"},
		{"a folder that is a link", "docs/secret.md", "", "docs"},
		{"a prompt", "", "REL", ""},
		{"a prompt that is a link", "", "strict.md", "strict.md"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := write(t, map[string]string{"evals/.keep": "", ".git/HEAD": ""})
			evals := filepath.Join(dir, "evals")
			up, err := filepath.Rel(evals, elsewhere)
			if err != nil {
				t.Fatal(err)
			}
			switch target := elsewhere; c.linked {
			case "":
			case "docs":
				target = filepath.Dir(elsewhere)
				fallthrough
			default:
				if err := os.Symlink(target, filepath.Join(evals, c.linked)); err != nil {
					t.Fatal(err)
				}
			}
			body := "evalcases:\n  - id: b\n    expected_outcome: O\n    input: Q\n    expected_output: R\n    rubrics: [mentions `R`]\n" +
				"  - id: a\n    expected_outcome: O\n    expected_output: R\n"
			if c.file != "" {
				body += "    input: [{ role: user, content: [{ type: file, value: " + strings.Replace(c.file, "REL", up, 1) + " }] }]\n"
			} else {
				body += "    input: Q\n    evaluators: [{ name: e, type: llm_judge, prompt: " + strings.Replace(c.prompt, "REL", up, 1) + " }]\n"
			}
			eval := filepath.Join(evals, "x.eval.yaml")
			if err := os.WriteFile(eval, []byte(body), 0o600); err != nil {
				t.Fatal(err)
			}
			if code, stdout, stderr := rubric(t, "", "check", eval); code != 1 || strings.Count(stdout, "[outside-file]") != 1 || strings.Contains(stdout, "missing-file") {
				t.Errorf("check: %d %s%s", code, stdout, stderr)
			}
			out := filepath.Join(dir, "out.jsonl")
			if code, _, stderr := rubric(t, "", "run", eval, "--out", out); code != 2 || !strings.Contains(stderr, "outside of "+dir) {
				t.Errorf("run: %d %s", code, stderr)
			}
			asked := filepath.Join(dir, "asked")
			code, stdout, stderr := rubric(t, "", "run", eval, "--ignore-errors", "--out", out, "--judge", "cli:cat >> "+asked+"; echo '{}'")
			results, err := os.ReadFile(out)
			sent, _ := os.ReadFile(asked)
			if code != 3 || err != nil || !strings.Contains(stderr, "the case `a` is left out: ") || !strings.Contains(stderr, "outside of "+dir) || strings.Contains(string(results)+string(sent), "the secret") {
				t.Errorf("run --ignore-errors: %d, %v\n%s%s\n%s\n%s", code, err, stdout, stderr, results, sent)
			}
			e := startEditor(t, "{}")
			document := map[string]any{"uri": "file://" + eval, "languageId": "yaml", "version": 1, "text": body}
			e.Notify("textDocument/didOpen", map[string]any{"textDocument": document})
			var links []any
			if err := json.Unmarshal(e.Request("textDocument/documentLink", map[string]any{"textDocument": document}), &links); err != nil || len(links) > 0 {
				t.Errorf("links %v, %v", links, err)
			}
		})
	}
}

// TestFixAgainstASave: what an editor saves while --fix looks at a file is not lost.
func TestFixAgainstASave(t *testing.T) {
	dir := write(t, map[string]string{"x.eval.yaml": strings.Replace(simple, "expected_outcome", "expectedOutcome", 1)})
	path := filepath.Join(dir, "x.eval.yaml")
	cli.Meanwhile(t, func(path string) {
		if err := os.WriteFile(path, []byte("# saved\n"+simple), 0o600); err != nil {
			t.Error(err)
		}
	})
	code, stdout, stderr := rubric(t, "", "check", "--fix", dir)
	body, err := os.ReadFile(path)
	if code != 2 || err != nil || string(body) != "# saved\n"+simple || !strings.Contains(stderr, "not written") || !strings.Contains(stderr, "changed meanwhile") || strings.Contains(stderr, "fixed 1") {
		t.Errorf("%d %v %s%s\n%s", code, err, stdout, stderr, body)
	}
}

// TestOutputsAreNoLinks: no output goes where a link of the repository leads.
func TestOutputsAreNoLinks(t *testing.T) {
	dir := write(t, map[string]string{"x.eval.yaml": simple, "victim": "old", ".git/HEAD": ""})
	for _, name := range []string{"out.jsonl", "out.html", "out.xml", "tape.jsonl"} {
		if err := os.Symlink(filepath.Join(dir, "victim"), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		option := "--out"
		if name == "tape.jsonl" {
			option = "--record"
		}
		code, _, stderr := rubric(t, "", "run", filepath.Join(dir, "x.eval.yaml"), option, filepath.Join(dir, name))
		if body, _ := os.ReadFile(filepath.Join(dir, "victim")); code != 2 || string(body) != "old" || !strings.Contains(stderr, "is a symbolic link to "+filepath.Join(dir, "victim")) {
			t.Errorf("%s: %d %s\n%s", name, code, stderr, body)
		}
	}
}
