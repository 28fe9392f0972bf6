package cli_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
)

// reader is somebody who compares what a run shows with what it has kept.
type reader struct {
	t     *testing.T
	kept  string // the path of the journal
	shown strings.Builder
}

func (r *reader) Write(text []byte) (int, error) {
	r.shown.Write(text)
	if kept, err := os.ReadFile(r.kept); err != nil || !strings.HasPrefix(string(kept), r.shown.String()) {
		r.t.Errorf("%d bytes are shown, of which %d are kept (%v)", r.shown.Len(), len(kept), err)
	}
	return len(text), nil
}

// TestShownIsKept: whoever has seen a result, or a part of it, finds it in the journal,
// even if the program is killed while it waits for the reader.
func TestShownIsKept(t *testing.T) {
	dir := write(t, map[string]string{"x.eval.yaml": three, "long.txt": strings.Repeat("A long answer. ", 300)})
	result := filepath.Join(dir, "r.jsonl")
	args := []string{"run", filepath.Join(dir, "x.eval.yaml"), "--format", "jsonl", "--out", result, "--target", "cli:cat " + filepath.Join(dir, "long.txt")}
	rubric(t, "", append(slices.Clip(args), "--case", "a", "--case", "b")...) // which are shown again, and not kept again
	stdout := &reader{t: t, kept: result + ".partial"}
	var stderr strings.Builder
	cli.Main(append(args, "--resume"), strings.NewReader(""), stdout, &stderr)
	if n := strings.Count(stdout.shown.String(), "\n"); n != 3 {
		t.Errorf("%d results are shown: %s", n, stderr.String())
	}
}
