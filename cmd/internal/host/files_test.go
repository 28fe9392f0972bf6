package host_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host"
)

func TestReadSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "binary.yaml"), "GIF89a\x00\x01")
	large := filepath.Join(dir, "large.yaml")
	put(t, large, "")
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
			_, err := host.ReadFile(tt.path)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), tt.path) {
				t.Errorf("got %v, want the path and %q", err, tt.want)
			}
		})
	}
}

func TestFilesWalksFoldersAndTakesWhatIsNamed(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{"a.yaml", "b.yml", "c.jsonl", "d.txt", ".hidden.yaml", "node_modules/x.yaml", ".git/y.yaml", ".agentv/targets.yaml", "sub/e.yaml"} {
		put(t, filepath.Join(dir, path), "x")
	}
	if err := os.Symlink(dir, filepath.Join(dir, "sub", "loop")); err != nil {
		t.Fatal(err)
	}
	files, errs := host.FindEvalFiles([]string{dir, filepath.Join(dir, "d.txt"), filepath.Join(dir, "a.yaml"), filepath.Join(dir, "gone")})
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
	put(t, filepath.Join(elsewhere, "shared.yaml"), "x")
	put(t, filepath.Join(dir, "own.yaml"), "x")
	for name, target := range map[string]string{
		"link.yaml": filepath.Join(elsewhere, "shared.yaml"), "second.yaml": filepath.Join(elsewhere, "shared.yaml"), "own-again.yaml": "own.yaml",
		"folder.yaml": elsewhere, "gone.yaml": "nowhere", "circle.yaml": "circle.yaml", ".#lock.yaml": "nobody@nowhere", "note.txt": "nowhere",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	files, errs := host.FindEvalFiles([]string{dir})
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
	put(t, path, "old")
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := host.WriteFile(path, write("new")); err != nil {
		t.Fatal(err)
	}
	if got := get(t, path); got != "new" {
		t.Errorf("got %q", got)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("mode became %v", info.Mode())
	}
}

// TestNoWriterFollowsALink: nothing is written through a link, because the user did not name its
// target.
func TestNoWriterFollowsALink(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	victim := filepath.Join(elsewhere, "victim")
	put(t, victim, "old")
	put(t, filepath.Join(dir, ".git", "HEAD"), "")
	put(t, filepath.Join(dir, "runs", "x"), "")
	for name, target := range map[string]string{
		"out.jsonl": victim, "made.jsonl": filepath.Join(elsewhere, "made"), "door": elsewhere, "near": "runs",
		"p.jsonl.partial": filepath.Join(elsewhere, "made"), "l.jsonl.lock": filepath.Join(elsewhere, "made"),
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	journal := func(path string) error {
		j, err := host.OpenJournal(path, false, ignoreRecord)
		if err == nil {
			j.Close()
		}
		return err
	}
	record := func(path string) error {
		w, err := host.OpenRecording(path)
		if err == nil {
			w.Close()
		}
		return err
	}
	for name, writer := range map[string]func(path string) error{
		"WriteFile": func(path string) error { return host.WriteFile(path, write("new")) }, "Rewrite": func(path string) error { return host.ReplaceText(path, "old", "new") },
		"Writable": host.CheckWritable, "Tape": record, "OpenJournal": journal,
	} {
		files := []string{"out.jsonl", "made.jsonl", "door/victim", "door/made"}
		if name == "OpenJournal" {
			files = []string{"p.jsonl", "l.jsonl", "door/made"}
		}
		for _, file := range files {
			path := filepath.Join(dir, file)
			if err := writer(path); err == nil || !strings.HasPrefix(err.Error(), path) || !strings.Contains(err.Error(), "symbolic link") || !strings.Contains(err.Error(), "name the") {
				t.Errorf("%s of %s: %v", name, file, err)
			}
		}
		if err := writer(filepath.Join(dir, "near", name)); err != nil && name != "Rewrite" {
			t.Errorf("%s in a folder that leads to another of the repository: %v", name, err)
		}
	}
	if _, err := os.Stat(filepath.Join(elsewhere, "made")); err == nil || get(t, victim) != "old" {
		t.Errorf("written elsewhere: %v, %q", err, get(t, victim))
	}
}

// TestRewrite: a file that was saved meanwhile is not overwritten.
func TestRewrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.eval.yaml")
	put(t, path, "theirs")
	if err := host.ReplaceText(path, "as it was read", "ours"); err == nil || !strings.Contains(err.Error(), path+": the file was changed meanwhile") || get(t, path) != "theirs" {
		t.Errorf("%v, %q", err, get(t, path))
	}
	if err := host.ReplaceText(path, "theirs", "ours"); err != nil || get(t, path) != "ours" {
		t.Errorf("%v, %q", err, get(t, path))
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// TestSweep: the next run of the same output removes the temporary files of a killed run, and no
// others.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	left := []string{".out.jsonl.123.tmp", ".out.jsonl.partial.9.tmp", ".out.jsonl.earlier.77.tmp"}
	others := []string{".out.jsonl.tmp", ".out.jsonl.mine.tmp", ".other.jsonl.123.tmp", "out.jsonl.123.tmp"}
	for _, name := range slices.Concat(left, others) {
		put(t, filepath.Join(dir, name), "x")
	}
	j, err := host.OpenJournal(filepath.Join(dir, "out.jsonl"), false, ignoreRecord)
	if err != nil {
		t.Fatal(err)
	}
	j.Close()
	for _, name := range left {
		if host.Exists(filepath.Join(dir, name)) {
			t.Errorf("%s is left", name)
		}
	}
	for _, name := range others {
		if !host.Exists(filepath.Join(dir, name)) {
			t.Errorf("%s is gone", name)
		}
	}
}

func TestWriteFileThatFailsLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.jsonl")
	put(t, path, "old")
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
			err := host.WriteFile(path, tt.fill)
			if !errors.Is(err, full) {
				t.Errorf("got error %v", err)
			}
			if got := get(t, path); got != "old" {
				t.Errorf("the old file became %q", got)
			}
			if entries, _ := os.ReadDir(dir); len(entries) != 1 {
				t.Errorf("left behind: %v", entries)
			}
		})
	}
	if err := host.WriteFile(dir, write("x")); err == nil {
		t.Error("a folder was replaced")
	}
}

func write(text string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
}

func put(t *testing.T, path, body string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, path string) string {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
