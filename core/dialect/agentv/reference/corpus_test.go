package reference_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/agentv/reference"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TestOwnCorpus repeats a measurement: the reference validator rejects some of
// its own project's eval files, and only for messages that its loader reads,
// those with data for content and those with tool calls alone.
func TestOwnCorpus(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..", "..", "shared", "corpus", "agentv-seed")
	if _, err := os.Stat(root); err != nil {
		t.Skip("the corpus is not beside the repository")
	}
	files, rejected := 0, 0
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil || !strings.Contains("\n"+string(body), "\nevalcases:") {
			return err
		}
		files++
		found := reference.Eval(yaml.Parse(text.New(path, string(body))))
		if len(found) > 0 {
			rejected++
		}
		for _, f := range found {
			if f.Category != "content_missing_or_wrong_type" {
				t.Errorf("%s: %+v", path, f)
			}
		}
		return nil
	})
	if err != nil || files == 0 || rejected == 0 || rejected == files {
		t.Fatalf("%d of %d files rejected, %v", rejected, files, err)
	}
	t.Logf("%d of %d files rejected", rejected, files)
}
