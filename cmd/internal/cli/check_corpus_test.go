package cli_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/lint"
)

// TestCheckCorpus: testdata/corpus has a file for every rule, and only the files in faulty have
// errors, but for one that is about a refused case and for what only AgentV can run.
func TestCheckCorpus(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "testdata", "corpus")
	args := []string{"check", "--format", "json", folder}
	for _, rule := range lint.All() {
		if rule.AboutProfile {
			args = append(args, "--rule", rule.ID+"="+rule.Severity.String())
		}
	}
	code, stdout, stderr := rubric(t, "", args...)
	var report struct {
		Files []struct {
			Path        string
			Diagnostics []struct{ Code, Severity, Message string }
		}
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil || code != 1 || stderr != "" {
		t.Fatalf("%d %v\n%s", code, err, stderr)
	}
	reported := map[string]bool{}
	for _, file := range report.Files {
		for _, d := range file.Diagnostics {
			reported[d.Code] = true
			if d.Severity == "error" && d.Code != "not-supported" && !strings.Contains(file.Path, "faulty") && filepath.Base(file.Path) != "retired.eval.yaml" {
				t.Errorf("%s: %s: %s", file.Path, d.Code, d.Message)
			}
		}
	}
	for _, rule := range lint.All() {
		if !reported[rule.ID] {
			t.Errorf("no file triggers %s", rule.ID)
		}
	}
	t.Logf("%d files trigger %d rules", len(report.Files), len(reported))
}
