package newer_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/newer"
)

// TestCorpus reads the reference implementation's own files: all load, and only
// those with graders of an older version lose cases.
func TestCorpus(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..", "..", "shared", "corpus", "agentv-head")
	if _, err := os.Stat(root); err != nil {
		t.Skip("the corpus is not here")
	}
	files, cases, skipped := 0, 0, map[string]int{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".yaml") {
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		tree := parse(string(body))
		if agentv.RoleOf(path, tree.Root(), false) != agentv.Later || newer.VersionOf(tree.Root()) != agentv.Head {
			return nil
		}
		files++
		suite := newer.Reader{Version: agentv.Head, Name: filepath.Base(path)}.Suite(tree)
		cases += len(suite.Cases)
		for _, l := range suite.Losses {
			switch {
			case l.Fatal:
				t.Errorf("%s: %s", path, l.Kind)
			case l.Kind == agentv.CaseIncomplete || l.Kind == agentv.CaseBroken:
				skipped[filepath.Base(path)+": "+l.Detail]++
			}
		}
		for _, c := range suite.Cases {
			if len(c.Input) == 0 || c.Head.Empty() || c.Fingerprint() == "" {
				t.Errorf("%s: %+v", path, c)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	older := map[string]int{
		"deploy-execute.eval.yaml: unsupported_assertion_type":   2,
		"skill-invocation.eval.yaml: unsupported_assertion_type": 4,
	}
	if files < 70 || cases < 250 || !maps.Equal(skipped, older) {
		t.Errorf("%d files, %d cases, skipped %v", files, cases, skipped)
	}
}
