package assertion_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/agentv/assertion"
)

// TestCorpus reads the assertion lists of the reference implementation's own
// files. It refuses what was written for an older version, and nothing else.
func TestCorpus(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..", "..", "shared", "corpus", "agentv-head")
	if _, err := os.Stat(root); err != nil {
		t.Skip("the corpus is not here")
	}
	graders, refused := 0, map[string]int{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err != nil || d.IsDir() || ext != ".yaml" && ext != ".yml" {
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		suite := parse(string(body)).Root()
		for _, test := range suite.Get("tests").List() {
			got := assertion.Reader{Version: head}.Case(test, suite)
			graders += len(got.Graders)
			for _, g := range got.Graders {
				if g.Kind == "" || g.Name == "" || g.Span.Empty() || g.Head.Empty() {
					t.Errorf("%s: %+v", path, g)
				}
			}
			if got.Refused != "" {
				refused[filepath.Base(path)+" "+got.Refused]++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	older := map[string]int{
		"deploy-execute.eval.yaml " + assertion.TypeUnsupported:   2,
		"skill-invocation.eval.yaml " + assertion.TypeUnsupported: 4,
	}
	if graders < 500 || !maps.Equal(refused, older) {
		t.Errorf("%d graders, refused %v", graders, refused)
	}
}
