package resultstore_test

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/hosttest"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
)

// TestNoWriterFollowsALink: nothing is written through a link, because the user did not name its
// target.
func TestNoWriterFollowsALink(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	victim := filepath.Join(elsewhere, "victim")
	hosttest.Put(t, victim, "old")
	hosttest.Put(t, filepath.Join(dir, ".git", "HEAD"), "")
	hosttest.Put(t, filepath.Join(dir, "runs", "x"), "")
	for name, target := range map[string]string{
		"out.jsonl": victim, "made.jsonl": filepath.Join(elsewhere, "made"), "door": elsewhere, "near": "runs",
		"p.jsonl.partial": filepath.Join(elsewhere, "made"), "l.jsonl.lock": filepath.Join(elsewhere, "made"),
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	journal := func(path string) error {
		j, err := resultstore.OpenJournal(path, false, ignoreRecord)
		if err == nil {
			j.Close()
		}
		return err
	}
	record := func(path string) error {
		w, err := resultstore.OpenRecording(path)
		if err == nil {
			w.Close()
		}
		return err
	}
	for name, writer := range map[string]func(path string) error{
		"WriteFile": func(path string) error {
			return disk.WriteFile(path, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err })
		}, "Rewrite": func(path string) error { return disk.ReplaceText(path, "old", "new") },
		"Writable": disk.CheckWritable, "Tape": record, "OpenJournal": journal,
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
	if _, err := os.Stat(filepath.Join(elsewhere, "made")); err == nil || hosttest.Get(t, victim) != "old" {
		t.Errorf("written elsewhere: %v, %q", err, hosttest.Get(t, victim))
	}
}

// TestSweep: the next run of the same output removes the temporary files of a killed run, and no
// others.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	left := []string{".out.jsonl.123.tmp", ".out.jsonl.partial.9.tmp", ".out.jsonl.earlier.77.tmp"}
	others := []string{".out.jsonl.tmp", ".out.jsonl.mine.tmp", ".other.jsonl.123.tmp", "out.jsonl.123.tmp"}
	for _, name := range slices.Concat(left, others) {
		hosttest.Put(t, filepath.Join(dir, name), "x")
	}
	j, err := resultstore.OpenJournal(filepath.Join(dir, "out.jsonl"), false, ignoreRecord)
	if err != nil {
		t.Fatal(err)
	}
	j.Close()
	for _, name := range left {
		if disk.Exists(filepath.Join(dir, name)) {
			t.Errorf("%s is left", name)
		}
	}
	for _, name := range others {
		if !disk.Exists(filepath.Join(dir, name)) {
			t.Errorf("%s is gone", name)
		}
	}
}
