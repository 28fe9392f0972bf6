package promptfoo_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo"
)

// TestRecognition reads all corpora: a file of promptfoo is no file of another dialect, nor the reverse.
func TestRecognition(t *testing.T) {
	counts := map[string]int{}
	for _, file := range corpustest.All(t, ".yaml", ".yml", ".json", ".jsonl") {
		a := analysis.Of(analysis.Input{Path: file.Path, Text: file.Body, SkipLint: true})
		if !a.Recognised() {
			continue
		}
		counts[a.Dialect()]++
		isOurs := strings.Contains(file.Path, "promptfoo/") || strings.HasSuffix(file.Path, "/promptfooconfig.yaml")
		if strings.Contains(file.Path, "promptfoo-export") || strings.HasSuffix(file.Path, ".labels.yaml") {
			isOurs = false
		}
		if isOurs != (a.Dialect() == promptfoo.Name) {
			t.Errorf("%s is a file of %s", file.Path, a.Dialect())
		}
	}
	if counts[promptfoo.Name] < 3 || counts["agentv"] < 20 || counts["adk"] < 5 {
		t.Error(counts)
	}
}
