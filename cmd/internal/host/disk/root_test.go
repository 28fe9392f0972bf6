//go:build unix

package disk_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/hosttest"
)

// TestReadStaysInside: what a folder holds is read if it is a regular file, by way of
// links too, as long as they stay in the repository.
func TestReadStaysInside(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	hosttest.Put(t, filepath.Join(elsewhere, "secret"), "secret")
	hosttest.Put(t, filepath.Join(dir, ".git", "HEAD"), "")
	hosttest.Put(t, filepath.Join(dir, "docs", "a.md"), "inside")
	hosttest.Put(t, filepath.Join(dir, "evals", "x"), "")
	hosttest.Link(t, "../docs/a.md", filepath.Join(dir, "evals", "relative"))
	hosttest.Link(t, filepath.Join(dir, "docs", "a.md"), filepath.Join(dir, "evals", "absolute"))
	hosttest.Link(t, "docs", filepath.Join(dir, "folder"))
	for name, target := range map[string]string{
		"out": filepath.Join(elsewhere, "secret"), "up": "../../002/secret", "zero": "/dev/zero", "stdin": "/dev/stdin", "fd": "/proc/self/fd/0", "stdout": "/dev/stdout",
	} {
		hosttest.Link(t, target, filepath.Join(dir, name))
	}
	hosttest.Link(t, elsewhere, filepath.Join(dir, "door"))
	if err := syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"docs/a.md", "evals/relative", "evals/absolute", "folder/a.md"} {
		if body, err := disk.ReadFile(filepath.Join(dir, name)); body != "inside" || err != nil {
			t.Errorf("%s: %q, %v", name, body, err)
		}
	}
	for name, want := range map[string]string{
		"out": "is not read: it is a link to " + filepath.Join(elsewhere, "secret") + ", outside of " + dir, "up": "outside of " + dir,
		"zero": "outside of " + dir, "stdin": "outside of " + dir, "fd": "outside of " + dir, "stdout": "outside of " + dir,
		"door/secret": "outside of " + dir, "fifo": "is not a regular file", "docs": "is a folder, not a file", "gone": "no such file",
	} {
		path := filepath.Join(dir, name)
		if body, err := disk.ReadFile(path); body != "" || err == nil || !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v", name, body, err)
		}
	}
	for name, want := range map[string]string{"out": "secret", "door/secret": "secret"} {
		if body, err := disk.ReadArgument(filepath.Join(dir, name)); body != want || err != nil {
			t.Errorf("%s, given by the person: %q, %v", name, body, err)
		}
	}
	go os.WriteFile(filepath.Join(dir, "fifo"), []byte("piped"), 0o600)
	if body, err := disk.ReadArgument(filepath.Join(dir, "fifo")); body != "piped" || err != nil {
		t.Errorf("a pipe, given by the person: %q, %v", body, err)
	}
}

// TestRoot: a file is bound by its repository, or by the working folder, or by its own
// folder.
func TestRoot(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"home/repo/.git/HEAD", "home/repo/sub/.git", "home/repo/evals/deep/x.yaml", "home/loose/evals/x.yaml", "home/top.md", "top.md", "home/repo/prompts/p.md", "home/loose/p.md"} {
		hosttest.Put(t, filepath.Join(base, path), "x")
	}
	t.Setenv("HOME", filepath.Join(base, "home"))
	for _, c := range []struct{ cwd, file, root string }{
		{"", "home/repo/evals/deep/x.yaml", "home/repo"},
		{"home/repo/evals", "home/repo/evals/deep/x.yaml", "home/repo"},
		{"home", "home/repo/evals/deep/x.yaml", "home/repo"},
		{"home/repo", "home/repo/sub/x.yaml", "home/repo"}, // started above a submodule
		{"home/repo/sub", "home/repo/sub/x.yaml", "home/repo/sub"},
		{"", "home/loose/evals/x.yaml", "home/loose/evals"},
		{"home", "home/loose/evals/x.yaml", "home/loose/evals"},
		{"home/loose", "home/loose/evals/x.yaml", "home/loose"},
		{"home/repo", "home/loose/evals/x.yaml", "home/loose/evals"},
	} {
		t.Chdir(filepath.Join(base, c.cwd))
		if got := disk.Root(filepath.Join(base, c.file)); got != filepath.Join(base, c.root) {
			t.Errorf("%s from %q: %s", c.file, c.cwd, got)
		}
	}
	t.Chdir(base)
	evalFile := filepath.Join(base, "home/repo/evals/deep/x.yaml")
	hosttest.Link(t, filepath.Join(base, "top.md"), filepath.Join(base, "home/repo/evals/deep/link.md"))
	hosttest.Link(t, "../../prompts/p.md", filepath.Join(base, "home/repo/evals/deep/inside.md"))
	for reference, want := range map[string]string{
		"../../prompts/p.md": "home/repo/prompts/p.md", "prompts/p.md": "home/repo/prompts/p.md", "/prompts/p.md": "home/repo/prompts/p.md", "inside.md": "home/repo/evals/deep/inside.md",
		"../../../top.md": "", "link.md": "", "top.md": "", "gone.md": "",
	} {
		got, why := disk.Locate(evalFile, reference), disk.OutsideReason(evalFile, reference)
		if want != "" && got != filepath.Join(base, want) || want == "" && got != "" || (why != "") != (want == "" && reference != "gone.md") {
			t.Errorf("%s: %q, %q", reference, got, why)
		}
	}
}
