package cli_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
)

// journalReader is somebody who compares what a run shows with what it has kept.
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

// TestShownIsJournaled: whoever has seen a result, or a part of it, finds it in the journal,
// even if the program is killed while it waits for the reader.
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
