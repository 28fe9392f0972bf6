package host_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/hosttest"
	"github.com/rubric-ls/rubric/core/run"
)

// TestConsentCovers checks what a consent holds for: it ends when a command, a definition or the
// folder changes, and stands when a case changes.
func TestConsentCovers(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"x.yaml": "cases: 1\n", "y.yaml": "", "sub/x.yaml": "", "targets.yaml": "targets: []\n", ".rubric.yaml": "judge: it\n",
	}
	for name, body := range files {
		hosttest.Put(t, filepath.Join(dir, name), body)
	}
	path := func(name string) string { return filepath.Join(dir, name) }
	use := run.Use{Role: "target", Name: "it", By: path("x.yaml"), Access: run.Access{Command: "agent", File: path("targets.yaml")}}
	byProject, command := use, use
	byProject.By = path(".rubric.yaml")
	command.Name, command.Access.File = "cli:./agent", ""
	hash := func(evalFile string, u run.Use) string {
		t.Helper()
		c, err := host.NewConsent(path(evalFile), u)
		if err != nil {
			t.Fatal(err)
		}
		return c.Hash
	}
	for _, c := range []struct {
		name   string
		use    run.Use
		holds  bool
		change func() (evalFile string, u run.Use)
	}{
		{"the same", use, true, func() (string, run.Use) { return "x.yaml", use }},
		{"another file of the folder", use, true, func() (string, run.Use) { return "y.yaml", use }},
		{"another folder", use, false, func() (string, run.Use) { return "sub/x.yaml", use }},
		{"another role", use, false, func() (string, run.Use) { u := use; u.Role = "judge"; return "x.yaml", u }},
		{"another name", use, false, func() (string, run.Use) { u := use; u.Name = "other"; return "x.yaml", u }},
		{"another key", use, false, func() (string, run.Use) { u := use; u.Key = "the key from `K`"; return "x.yaml", u }},
		{"other cases", use, true, func() (string, run.Use) { hosttest.Put(t, path("x.yaml"), "cases: 2\n"); return "x.yaml", use }},
		{"another definition", use, false, func() (string, run.Use) {
			hosttest.Put(t, path("targets.yaml"), "targets: [{ name: it }]\n")
			return "x.yaml", use
		}},
		{"settings that name nothing of it", use, true, func() (string, run.Use) {
			hosttest.Put(t, path(".rubric.yaml"), "judge: other\n")
			return "x.yaml", use
		}},
		{"the settings that name it", byProject, false, func() (string, run.Use) {
			hosttest.Put(t, path(".rubric.yaml"), "judge: it\nsamples: 2\n")
			return "x.yaml", byProject
		}},
		{"a command in another working folder", command, false, func() (string, run.Use) { t.Chdir(t.TempDir()); return "x.yaml", command }},
		{"a definition in another working folder", use, true, func() (string, run.Use) { t.Chdir(t.TempDir()); return "x.yaml", use }},
	} {
		before := hash("x.yaml", c.use)
		evalFile, changed := c.change()
		if holds := hash(evalFile, changed) == before; holds != c.holds {
			t.Errorf("%s: the consent holds: %v", c.name, holds)
		}
	}
	gone := use
	gone.Access.File = path("gone.yaml")
	if _, err := host.NewConsent(path("x.yaml"), gone); err == nil {
		t.Error("a definition that cannot be read has a consent")
	}
}

// TestConsentFile checks that consents are stored for their owner alone, once, and forgotten by
// folder.
func TestConsentFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rubric", "trusted.json")
	store := host.ConsentFile(path)
	a, b := host.Consent{Hash: "1", Folder: filepath.Join(t.TempDir(), "a"), Use: "u"}, host.Consent{Hash: "2", Folder: filepath.Join(t.TempDir(), "b"), Use: "v"}
	expect := func(want ...host.Consent) {
		t.Helper()
		got, err := store.Read()
		if err != nil || len(got) != len(want) {
			t.Fatalf("%v, %v; want %v", got, err, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%v, want %v", got[i], want[i])
			}
		}
	}
	expect()
	for _, some := range [][]host.Consent{{a}, {b}, {a}} {
		if err := store.Add(some); err != nil {
			t.Fatal(err)
		}
	}
	expect(a, b)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if revoked, err := store.Revoke(filepath.Join(a.Folder, "c")); err != nil || len(revoked) != 0 {
		t.Errorf("%v, %v", revoked, err)
	}
	if revoked, err := store.Revoke(a.Folder); err != nil || len(revoked) != 1 || revoked[0] != a {
		t.Errorf("%v, %v", revoked, err)
	}
	expect(b)
	hosttest.Put(t, path, "nonsense")
	if _, err := store.Read(); err == nil {
		t.Error("a damaged file was read")
	}
	if err := store.Add([]host.Consent{a}); err == nil {
		t.Error("a damaged file was replaced")
	}
}
