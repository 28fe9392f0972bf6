package assertion_test

import (
	"path/filepath"
	"testing"

	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/dialect/agentv/assertion"
)

// TestCorpus reads the assertion lists of the reference implementation's own files. It refuses only
// entries for an older version.
func TestCorpus(t *testing.T) {
	graders, refused := 0, map[string]int{}
	for _, file := range corpustest.Files(t, "agentv-head", ".yaml", ".yml") {
		path := file.Path
		suite := parse(file.Body).Root()
		for _, test := range suite.Get("tests").List() {
			got := assertion.Reader{Version: newest}.ReadCase(test, suite)
			graders += len(got.Graders)
			for _, g := range got.Graders {
				if g.Kind == "" || g.Name == "" || g.Span.Empty() || g.SelectionSpan.Empty() {
					t.Errorf("%s: %+v", path, g)
				}
			}
			if got.Refused != "" {
				refused[filepath.Base(path)+" "+got.Refused]++
			}
		}
	}
	older := map[string]int{
		"retired.eval.yaml " + assertion.TypeUnsupported:          1,
		"deploy-execute.eval.yaml " + assertion.TypeUnsupported:   2,
		"skill-invocation.eval.yaml " + assertion.TypeUnsupported: 4,
		"suite.yaml " + assertion.RubricField:                     1, // a script that names a target
	}
	for name, n := range refused {
		if older[name] != n {
			t.Errorf("%s: %d times", name, n)
		}
	}
	if graders < 10 || len(refused) == 0 {
		t.Errorf("%d graders, refused %v", graders, refused)
	}
}
