package disk_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/hosttest"
)

func TestReadSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	hosttest.Put(t, filepath.Join(dir, "binary.yaml"), "GIF89a\x00\x01")
	large := filepath.Join(dir, "large.yaml")
	hosttest.Put(t, large, "")
	if err := os.Truncate(large, 100<<20); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, path, want string }{
		{"missing", filepath.Join(dir, "nope.yaml"), "no such file or folder"},
		{"no name", "", "a path is empty"},
		{"a folder", dir, "is a folder, not a file"},
		{"binary", filepath.Join(dir, "binary.yaml"), "is binary, not text"},
		{"100 MB", large, "is 100 MiB, more than the 64 MiB that can be read"},
		{"a device", "/dev/zero", "is not a regular file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := disk.ReadFile(tt.path)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), tt.path) {
				t.Errorf("got %v, want the path and %q", err, tt.want)
			}
		})
	}
}

func TestFilesWalksFoldersAndTakesWhatIsNamed(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{"a.yaml", "b.yml", "c.jsonl", "d.txt", ".hidden.yaml", "node_modules/x.yaml", ".git/y.yaml", ".agentv/targets.yaml", "sub/e.yaml"} {
		hosttest.Put(t, filepath.Join(dir, path), "x")
	}
	if err := os.Symlink(dir, filepath.Join(dir, "sub", "loop")); err != nil {
		t.Fatal(err)
	}
	files, errs := disk.FindEvalFiles([]string{dir, filepath.Join(dir, "d.txt"), filepath.Join(dir, "a.yaml"), filepath.Join(dir, "gone")})
	var got []string
	for _, f := range files {
		rel, _ := filepath.Rel(dir, f)
		got = append(got, filepath.ToSlash(rel))
	}
	want := []string{".agentv/targets.yaml", "a.yaml", "b.yml", "c.jsonl", "sub/e.yaml", "d.txt"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), "no such file") {
		t.Errorf("errors: %v", errs)
	}
}

// TestFilesFollowsLinksToFiles: each file is listed once, by whatever path, and a dangling link
// is reported.
func TestFilesFollowsLinksToFiles(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	hosttest.Put(t, filepath.Join(elsewhere, "shared.yaml"), "x")
	hosttest.Put(t, filepath.Join(dir, "own.yaml"), "x")
	for name, target := range map[string]string{
		"link.yaml": filepath.Join(elsewhere, "shared.yaml"), "second.yaml": filepath.Join(elsewhere, "shared.yaml"), "own-again.yaml": "own.yaml",
		"folder.yaml": elsewhere, "gone.yaml": "nowhere", "circle.yaml": "circle.yaml", ".#lock.yaml": "nobody@nowhere", "note.txt": "nowhere",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	files, errs := disk.FindEvalFiles([]string{dir})
	want := []string{filepath.Join(dir, "link.yaml"), filepath.Join(dir, "own-again.yaml")}
	if !slices.Equal(files, want) {
		t.Errorf("got %v, want %v", files, want)
	}
	errTexts := fmt.Sprint(errs)
	for name, why := range map[string]string{"gone.yaml": "is a link to a file that does not exist", "circle.yaml": "too many levels of symbolic links"} {
		if len(errs) != 2 || !strings.Contains(errTexts, filepath.Join(dir, name)+": "+why) {
			t.Errorf("errors: %v", errs)
		}
	}
}

func TestWriteFileReplacesAsAWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.jsonl")
	hosttest.Put(t, path, "old")
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := disk.WriteFile(path, write("new")); err != nil {
		t.Fatal(err)
	}
	if got := hosttest.Get(t, path); got != "new" {
		t.Errorf("got %q", got)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("mode became %v", info.Mode())
	}
}

// TestRewrite: a file that was saved meanwhile is not overwritten.
func TestRewrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.eval.yaml")
	hosttest.Put(t, path, "theirs")
	if err := disk.ReplaceText(path, "as it was read", "ours"); err == nil || !strings.Contains(err.Error(), path+": the file was changed meanwhile") || hosttest.Get(t, path) != "theirs" {
		t.Errorf("%v, %q", err, hosttest.Get(t, path))
	}
	if err := disk.ReplaceText(path, "theirs", "ours"); err != nil || hosttest.Get(t, path) != "ours" {
		t.Errorf("%v, %q", err, hosttest.Get(t, path))
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestWriteFileThatFailsLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.jsonl")
	hosttest.Put(t, path, "old")
	full := errors.New("no space left on device")
	tests := []struct {
		name string
		fill func(io.Writer) error
	}{
		{"at once", func(io.Writer) error { return full }},
		{"after a megabyte", func(w io.Writer) error {
			_, err := w.Write(make([]byte, 1<<20))
			return errors.Join(err, full)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := disk.WriteFile(path, tt.fill)
			if !errors.Is(err, full) {
				t.Errorf("got error %v", err)
			}
			if got := hosttest.Get(t, path); got != "old" {
				t.Errorf("the old file became %q", got)
			}
			if entries, _ := os.ReadDir(dir); len(entries) != 1 {
				t.Errorf("left behind: %v", entries)
			}
		})
	}
	if err := disk.WriteFile(dir, write("x")); err == nil {
		t.Error("a folder was replaced")
	}
}

func write(text string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
}
