package head_test

import (
	"path/filepath"
	"testing"

	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
)

// TestCorpus reads the corpus of both versions. Only files with an older version's graders lose
// cases.
func TestCorpus(t *testing.T) {
	files, cases, skipped := 0, 0, map[string]int{}
	for _, file := range append(corpustest.Files(t, "agentv-head", ".yaml"), corpustest.Files(t, "agentv-4", ".yaml")...) {
		path, tree := file.Path, parse(file.Body)
		version := agentv.DetectVersion(tree.Root())
		if agentv.RoleOf(path, tree.Root(), false) != agentv.EvalV4 || version == "" {
			continue
		}
		files++
		suite := v4.Reader{Format: dialect.Format(agentv.EvalV4, version), Name: filepath.Base(path)}.LowerSuite(tree)
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
			if len(c.Input) == 0 || c.SelectionSpan.Empty() || c.Fingerprint() == "" {
				t.Errorf("%s: %+v", path, c)
			}
		}
	}
	older := map[string]int{
		"retired.eval.yaml: unsupported_assertion_type":          1,
		"deploy-execute.eval.yaml: unsupported_assertion_type":   2,
		"skill-invocation.eval.yaml: unsupported_assertion_type": 4,
		"suite.yaml: unsupported_rubric_field":                   1, // a script that names a target
	}
	for name, n := range skipped {
		if older[name] != n {
			t.Errorf("%s: %d times", name, n)
		}
	}
	if files < 4 || cases < 7 || len(skipped) == 0 {
		t.Errorf("%d files, %d cases, skipped %v", files, cases, skipped)
	}
}
