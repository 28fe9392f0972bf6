package lint_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/text"
)

// TestNewerFixesOnCorpus writes keys of the reference implementation's own files
// by an older name: the safe fixes give every byte back.
func TestNewerFixesOnCorpus(t *testing.T) {
	root := filepath.Join("..", "..", "..", "shared", "corpus", "agentv-head")
	if _, err := os.Stat(root); err != nil {
		t.Skip("the corpus is not beside the repository")
	}
	faults := []struct{ key, older string }{
		{"assert", "assertions"}, {"metric", "name"}, {"tests", "cases"}, {"outcome", "expected_outcome"}, {"command", "script"}, {"value", "rubrics"},
	}
	mended := map[string]int{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		body := string(raw)
		before := analysis.Of(analysis.Input{Path: path, Text: body})
		if before.Version() == "" || hasErrors(before) {
			return nil
		}
		for _, f := range faults {
			faulty := regexp.MustCompile(`(?m)^( *(?:- )?)`+f.key+`:`).ReplaceAllString(body, "${1}"+f.older+":")
			if faulty == body || f.key == "value" && !strings.Contains(body, "type: llm-rubric\n") {
				continue
			}
			edits := renamings(analysis.Of(analysis.Input{Path: path, Text: faulty}), f.older)
			if len(edits) != strings.Count(faulty, f.older+":")-strings.Count(body, f.older+":") {
				continue // some of them are nobody's: variables, or what a program is given
			}
			if fixed, err := text.Apply(faulty, edits); err != nil || fixed != body {
				t.Errorf("%s: `%s` for `%s` is not mended: %v", path, f.older, f.key, err)
			}
			mended[f.key]++
		}
		return nil
	})
	if err != nil || mended["assert"] < 60 || mended["metric"] < 5 || mended["command"] < 10 || mended["value"] < 10 {
		t.Errorf("%v, %v", mended, err)
	}
}

func hasErrors(a *analysis.Analysis) bool {
	for _, d := range a.Diagnostics() {
		if d.Severity == diag.Error {
			return true
		}
	}
	return false
}

// renamings are the safe fixes of a key by its name in another version.
func renamings(a *analysis.Analysis, key string) (edits []text.Edit) {
	for _, d := range a.Diagnostics() {
		if (d.Code == "other-version" || d.Code == "retired-key") && strings.HasPrefix(d.Message, "`"+key+"`") && len(d.Fixes) > 0 && d.Fixes[0].Safe {
			edits = append(edits, d.Fixes[0].Edits...)
		}
	}
	return edits
}
