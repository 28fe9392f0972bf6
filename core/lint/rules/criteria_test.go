package rules_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TestFalseAlarms counts diagnostics of the style rules on criteria of real files: at most one
// in ten files.
func TestFalseAlarms(t *testing.T) {
	files, criteria, findings := 0, 0, 0
	for _, given := range corpustest.Files(t, "agentv-head", "yaml") {
		path := given.Path
		before := criteria
		for _, list := range writtenValue(yaml.Parse(text.New(path, given.Body)).Root()) {
			criteria += len(list)
			file := "evalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n    rubrics:\n"
			for _, words := range list {
				file += "      - " + strconv.Quote(words) + "\n"
			}
			for _, d := range analysis.Of(analysis.Input{Path: "x.yaml", Text: file}).Diagnostics() {
				findings++
				t.Logf("%s: %s: %s", d.Code, d.Message, path)
			}
		}
		if criteria > before {
			files++
		}
	}
	t.Logf("%d findings on %d criteria of %d files", findings, criteria, files)
	if files < 3 || findings*10 > files {
		t.Errorf("%d findings on %d criteria of %d files", findings, criteria, files)
	}
}

// writtenValue are the lists of texts that stand under `assert` in a file of a later version: each
// is a rubric.
func writtenValue(root *yaml.Node) (lists [][]string) {
	yaml.Walk(root, func(n *yaml.Node) bool {
		if n.Key == nil || n.Key.Key.Value != "assert" && n.Key.Key.Value != "assertions" {
			return true
		}
		var list []string
		for _, item := range n.List() {
			if words, ok := item.Str(); ok {
				list = append(list, strings.TrimSpace(words))
			}
		}
		if len(list) > 0 {
			lists = append(lists, list)
		}
		return true
	})
	return lists
}

// TestOtherLanguages: the rules for English report nothing in other languages.
func TestOtherLanguages(t *testing.T) {
	for _, words := range []string{
		"Die Antwort ist gut und kurz", "Nennt die Frist und bietet ein Etikett an", "La réponse est claire et concise", "La respuesta es buena",
		"回答は簡潔である", "Ответ краткий и точный", "De svar er korte og gode", "Wie freundlich ist die Antwort?", "Il tono della risposta",
	} {
		file := "evalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n    rubrics:\n      - " + strconv.Quote(words) + "\n"
		for _, d := range analysis.Of(analysis.Input{Path: "x.yaml", Text: file}).Diagnostics() {
			t.Errorf("%q: %s", words, d.Code)
		}
	}
}

// TestWriting has criteria that the style rules report, and similar ones that they do not.
func TestWriting(t *testing.T) {
	for words, want := range map[string]string{
		"Is good": "vague-criterion", "The answer is very clear.": "vague-criterion", "Short": "vague-criterion", "Response should be helpful": "vague-criterion",
		"Is clear about the deadline of 30 days": "", "Good answers name the deadline": "", "Is under 50 words": "",
		"Feels natural": "not-evaluable", "The reply seems polite": "not-evaluable", "Says how the customer feels": "",
		"Accuracy": "not-yes-no", "Tone of the answer": "not-yes-no", "How short is it?": "not-yes-no", "What the refund costs is stated": "", "Rate the tone": "not-yes-no",
		"Is the deadline named?": "", "Tone is set to formal in the header": "",
		"Contains errors": "inverted-criterion", "The code has serious bugs": "inverted-criterion", "Fails to greet": "inverted-criterion", "Is off-topic": "inverted-criterion",
		"Contains no errors": "", "Handles errors": "", "Includes error handling for missing files": "", "Contains errors messages": "", "Does not mention competitors": "", "Refuses to give the password": "",
		"Is accurate and concise": "two-concepts", "The answer is both polite and complete": "two-concepts", "Names the deadline and offers a refund": "two-concepts",
		"Names the deadline and the fee": "", "Mentions salt and pepper": "", "States the window, offers a label and asks for the order": "",
	} {
		file := "evalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n    rubrics:\n      - " + strconv.Quote(words) + "\n"
		got := ""
		for _, d := range analysis.Of(analysis.Input{Path: "x.yaml", Text: file}).Diagnostics() {
			got += d.Code
		}
		if got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}
