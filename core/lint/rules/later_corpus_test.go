package rules_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/text"
)

// TestLaterFixesOnCorpus writes keys in real files by an older name. The safe fixes restore the
// files exactly.
func TestLaterFixesOnCorpus(t *testing.T) {
	faults := []struct{ key, older string }{
		{"assert", "assertions"}, {"metric", "name"}, {"tests", "cases"}, {"outcome", "expected_outcome"}, {"command", "script"}, {"value", "rubrics"},
	}
	fixedCount := map[string]int{}
	for _, file := range corpustest.Files(t, "agentv-head", ".yaml") {
		path, body := file.Path, file.Body
		before := analysis.Of(analysis.Input{Path: path, Text: body})
		if before.Version() == "" || hasErrors(before) {
			continue
		}
		for _, f := range faults {
			faulty := regexp.MustCompile(`(?m)^( *(?:- )?)`+f.key+`:`).ReplaceAllString(body, "${1}"+f.older+":")
			if faulty == body || f.key == "value" && !strings.Contains(body, "type: llm-rubric\n") {
				continue
			}
			edits := renameEdits(analysis.Of(analysis.Input{Path: path, Text: faulty}), f.older)
			if len(edits) != strings.Count(faulty, f.older+":")-strings.Count(body, f.older+":") {
				continue // some are not keys of the format: variables, or a program's input
			}
			if fixed, err := text.Apply(faulty, edits); err != nil || fixed != body {
				t.Errorf("%s: `%s` for `%s` is not fixed: %v", path, f.older, f.key, err)
			}
			fixedCount[f.key]++
		}
	}
	for _, f := range faults {
		if f.key != "outcome" && fixedCount[f.key] == 0 {
			t.Errorf("`%s` is never fixed: %v", f.key, fixedCount)
		}
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

// renameEdits are the safe fixes of a key by its name in another version.
func renameEdits(a *analysis.Analysis, key string) (edits []text.Edit) {
	for _, d := range a.Diagnostics() {
		if (d.Code == "other-version" || d.Code == "retired-key") && strings.HasPrefix(d.Message, "`"+key+"`") && len(d.Fixes) > 0 && d.Fixes[0].Safe {
			edits = append(edits, d.Fixes[0].Edits...)
		}
	}
	return edits
}
