package targets_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/hosttest"
	"github.com/rubric-ls/rubric/cmd/internal/host/targets"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
)

// approved expects that a check finds no fault in a targets file that is used.
func approved(t *testing.T, path string) {
	t.Helper()
	body, err := disk.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range analysis.Of(analysis.Input{Path: ".agentv/targets.yaml", Text: body}).Diagnostics() {
		if d.Severity == diag.Error || d.Severity == diag.Warning {
			t.Errorf("check says of it: %s [%s]", d.Message, d.Code)
		}
	}
}

// TestFindTarget: the nearest targets file counts, unless another one is given.
func TestFindTarget(t *testing.T) {
	named := func(name string) string { return "targets:\n  - { name: " + name + ", provider: mock }\n" }
	both := map[string]string{
		"repo/.git/HEAD": "", "repo/targets.yaml": named("root"), "repo/evals/.agentv/targets.yml": named("hidden"),
		"targets.yaml": named("outside"), "given.yaml": named("given"),
	}
	for _, c := range []struct {
		name  string
		files map[string]string
		given string
		want  string // the target's name, which its file is made to say
	}{
		{"beside", map[string]string{"repo/evals/deep/targets.yaml": named("beside")}, "", "beside"},
		{"targets.yaml before .agentv", map[string]string{"repo/evals/targets.yml": named("open")}, "", "open"},
		{"above, in .agentv", nil, "", "hidden"},
		{"given", nil, "given.yaml", "given"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, files := range []map[string]string{both, c.files} {
				for path, body := range files {
					hosttest.Put(t, filepath.Join(dir, path), body)
				}
			}
			given := c.given
			if given != "" {
				given = filepath.Join(dir, given)
			}
			target, path, err := targets.FindTarget(filepath.Join(dir, "repo/evals/deep/x.yaml"), given, c.want)
			if err != nil || target.Name != c.want || !strings.HasPrefix(path, dir) {
				t.Errorf("got %q in %s, %v", target.Name, path, err)
			}
		})
	}
}

// TestFindTargetStaysInside: nothing above the repository is searched, nor above the file's
// directory outside one, except for the working directory.
func TestFindTargetStaysInside(t *testing.T) {
	dir := t.TempDir()
	hosttest.Put(t, filepath.Join(dir, "targets.yaml"), "targets: [{ name: a, provider: mock }]\n")
	hosttest.Put(t, filepath.Join(dir, "repo/.git"), "gitdir: elsewhere\n")
	hosttest.Put(t, filepath.Join(dir, "loose/x.yaml"), "")
	for _, file := range []string{"repo/x.yaml", "loose/x.yaml"} {
		if target, path, err := targets.FindTarget(filepath.Join(dir, file), "", "a"); err == nil || !strings.Contains(err.Error(), "no targets.yaml was found") {
			t.Errorf("%s: %v in %s, %v", file, target, path, err)
		}
	}
	t.Chdir(dir)
	if _, path, err := targets.FindTarget(filepath.Join(dir, "repo/x.yaml"), "", "a"); err != nil || filepath.Base(path) != "targets.yaml" {
		t.Errorf("in the working folder: %s, %v", path, err)
	}
}

// TestFindTargetSettlesFolders as the reference implementation does: seen from
// the eval file, not from the targets file.
func TestFindTargetSettlesFolders(t *testing.T) {
	dir := t.TempDir()
	abs := filepath.Join(dir, "abs")
	hosttest.Put(t, filepath.Join(dir, ".git/HEAD"), "")
	hosttest.Put(t, filepath.Join(dir, ".agentv/targets.yaml"), "targets:\n"+
		"  - { name: none, provider: cli, command_template: x, healthcheck: { type: command, command_template: y } }\n"+
		"  - { name: own, provider: cli, command_template: x, cwd: .., healthcheck: { type: command, command_template: y } }\n"+
		"  - { name: both, provider: cli, command_template: x, cwd: .., healthcheck: { type: command, command_template: y, cwd: z } }\n"+
		"  - { name: later, provider: cli, command: x, cwd: .., healthcheck: { command: y } }\n"+
		"  - { name: abs, provider: cli, command_template: x, cwd: '"+abs+"', healthcheck: { type: http, url: y } }\n")
	evals := filepath.Join(dir, "a", "evals")
	for _, c := range []struct{ name, command, health string }{
		{"none", evals, evals}, {"own", filepath.Dir(evals), filepath.Dir(evals)},
		{"both", filepath.Dir(evals), filepath.Join(evals, "z")}, {"abs", abs, abs},
		{"later", filepath.Dir(evals), evals},
	} {
		target, _, err := targets.FindTarget(filepath.Join(evals, "x.yaml"), "", c.name)
		if err != nil || target.Command.Dir != c.command || target.Command.Health.Dir != c.health {
			t.Errorf("%s: %+v, %v", c.name, target.Command, err)
		}
	}
}

func TestFindTargetSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"another name", "targets: [{ name: agent, provider: mock }, { name: other, provider: mock }]", "there is no target `agnet`; did you mean `agent`?"},
		{"broken", "targets:\n  - name: agnet\n    command_template: \"x\n", "targets.yaml:3: "},
		{"no targets", "providers: []\n", "has no `targets` or `providers` with a name"},
		{"no names", "targets: [{ provider: mock }]\n", "has no `targets` or `providers` with a name"},
		{"empty", "", "has no `targets` or `providers` with a name"},
		{"without end", "targets: &a [*a]\n", "has no `targets` or `providers` with a name"},
		{"binary", "\x00\x01", "is binary, not text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "targets.yaml")
			hosttest.Put(t, path, c.body)
			_, _, err := targets.FindTarget("x.yaml", path, "agnet")
			if err == nil || !strings.HasPrefix(err.Error(), path) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
