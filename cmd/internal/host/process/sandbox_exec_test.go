//go:build !race

package process_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/hosttest"
	"github.com/rubric-ls/rubric/cmd/internal/host/process"
	"github.com/rubric-ls/rubric/cmd/internal/host/sandbox"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/wasm/artefact/gobuild"
)

// TestExampleGraders runs the graders in wasm/graders as a run would, with no
// leave to run programs.
func TestExampleGraders(t *testing.T) {
	dir := t.TempDir()
	if err := gobuild.WASI("wasm/graders/mentions", filepath.Join(dir, "mentions.wasm")); err != nil {
		t.Fatal(err)
	}
	brief(t, filepath.Join(dir, "lib"))
	hosttest.Put(t, filepath.Join(dir, "folder.wasm", "x"), "")
	hosttest.Put(t, filepath.Join(dir, "broken.wasm"), "no")
	limits := sandbox.Defaults
	limits.Time = time.Minute // of which compiling may take most
	box := sandbox.New(limits, t.TempDir())
	defer box.Close()
	ports := grade.Ports{Sandbox: process.SandboxExec(filepath.Join(dir, "x.eval.yaml"), box)}
	words := map[string]any{"words": []any{"refund", "sorry"}}
	long := strings.Repeat("é\\\"\n", 100) // 400 characters, of which JSON escapes most
	for _, c := range []struct {
		name, answer string
		code         rubric.Code
		score        float64
		reasoning    string
		ungraded     string // a part of it
		miss         string // a part of the only one
	}{
		{"half of the words", "Your REFUND is on its way", rubric.Code{Argv: []string{"mentions.wasm"}, Config: words}, 0.5, "1 of 2 words", "", "does not mention sorry"},
		{"as a shell's line", "refund, sorry", rubric.Code{Argv: []string{"sh", "-lc", "./mentions.wasm"}, Config: words}, 1, "2 of 2 words", "", ""},
		{"badly set", "refund", rubric.Code{Argv: []string{"mentions.wasm"}}, 0, "", "exited with code 1: mentions: `words` names no word", ""},
		{"short", "Yes.", rubric.Code{Argv: []string{"brief.wasm"}, Dir: "lib"}, 1, "4 characters", "", ""},
		{"long", long, rubric.Code{Argv: []string{"lib/brief.wasm"}}, 0.5, "400 characters", "", ""},
		{"not there", "", rubric.Code{Argv: []string{"gone.wasm"}}, 0, "", "gone.wasm: no such file or folder", ""},
		{"a folder", "", rubric.Code{Argv: []string{"folder.wasm"}}, 0, "", "folder.wasm: is a folder, not a file", ""},
		{"not WebAssembly", "", rubric.Code{Argv: []string{"broken.wasm"}}, 0, "", "run `broken.wasm`: is not WebAssembly", ""},
		{"a program", "", rubric.Code{Argv: []string{"sh", "-lc", "cat lib/brief.wasm"}}, 0, "", "programs run only with `rubric run FILE --allow-exec`", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := &rubric.Grader{Name: "code", Kind: rubric.CodeJudge, Weight: 1, Code: &c.code}
			r := grade.Grade(t.Context(), ports, &rubric.Case{}, g, grade.Submission{Answer: c.answer}).Result
			if (r.Score == nil) != (c.ungraded != "") || r.Score != nil && *r.Score != c.score || !strings.Contains(r.Ungraded, c.ungraded) || (r.Ungraded != "") != (c.ungraded != "") || !strings.Contains(strings.Join(r.Misses, "\n"), c.miss) {
				t.Errorf("score %v, ungraded %q, misses %q", r.Score, r.Ungraded, r.Misses)
			}
			if c.miss == "" && c.ungraded == "" && r.Reasoning != c.reasoning {
				t.Errorf("%q, want %q", r.Reasoning, c.reasoning)
			}
		})
	}
}

// brief puts the grader in C into dir: compiled, where there is a compiler for
// it, else as it is in the repository.
func brief(t *testing.T, dir string) {
	t.Helper()
	source := filepath.Join("..", "..", "..", "..", "wasm", "graders", "brief")
	compiled, err := os.ReadFile(filepath.Join(source, "brief.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "brief.wasm")
	hosttest.Put(t, out, string(compiled))
	_, noLinker := exec.LookPath("wasm-ld")
	if compiler, err := exec.LookPath("clang"); err == nil && noLinker == nil {
		output, err := exec.Command(compiler, "--target=wasm32", "-O2", "-nostdlib", "-Wl,--strip-all", "-o", out, filepath.Join(source, "brief.c")).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
	}
}
