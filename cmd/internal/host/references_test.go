package host_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/hosttest"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// repository has an eval file two folders down, and files at every level.
func repository(t *testing.T) (dir, evalFile string) {
	t.Helper()
	dir = t.TempDir()
	for path, body := range map[string]string{
		".git/HEAD": "", "root.md": "At the root.\n", "a/evals/beside.md": "Beside.\r\nTwo lines.\r\n", "a/evals/root.md/x": "a folder",
		"a/prompts/judge.md": "JUDGE {{ candidate_answer }}", "scan.pdf": "%PDF\x00", "empty.md": " \n", "a/evals/near.md": "near", "near.md": "far",
	} {
		hosttest.Put(t, filepath.Join(dir, path), body)
	}
	return dir, filepath.Join(dir, "a/evals/x.yaml")
}

// filled is a suite of one case with these keys, filled in.
func filled(t *testing.T, evalFile, keys string) (*rubric.Case, []string) {
	t.Helper()
	body := "evalcases:\n  - { id: c, expected_outcome: O, " + keys + " }\n"
	suite := v4.Reader{Format: v4.Seed, Name: "x"}.LowerSuite(yaml.Parse(text.New(evalFile, body)))
	if len(suite.Cases) != 1 {
		t.Fatalf("%s: %+v", body, suite.Losses)
	}
	return suite.Cases[0], host.FillReferences(evalFile, suite)
}

func TestFillMessages(t *testing.T) {
	dir, evalFile := repository(t)
	for _, c := range []struct {
		name, keys          string
		question, reference string
		files               []string
		problems            []string
	}{
		{"no files", "input: [{ role: system, content: S }, { role: user, content: [{ type: text, value: A }, { type: text, value: B }] }], expected_output: R", "@[System]:\nS\n\n@[User]:\nA\nB", "R", nil, nil},
		{"in their places", "input: [{ role: system, content: [{ type: file, value: root.md }] }, { role: user, content: [{ type: text, value: A }, { type: file, value: /beside.md }, { type: text, value: B }] }]",
			"@[System]:\n<file path=\"root.md\">\nAt the root.\n</file>\n\n@[User]:\nA\n<file path=\"beside.md\">\nBeside.\nTwo lines.\n</file>\nB", "", []string{"root.md", "a/evals/beside.md"}, nil},
		{"the nearest", "input: [{ role: user, content: [{ type: file, value: near.md }] }]", "<file path=\"near.md\">\nnear\n</file>", "", []string{"a/evals/near.md"}, nil},
		{"twice", "input: [{ role: user, content: [{ type: file, value: near.md }, { type: file, value: ./near.md }] }]", "<file path=\"near.md\">\nnear\n</file>\n\n<file path=\"./near.md\">\nnear\n</file>", "", []string{"a/evals/near.md"}, nil},
		{"missing", "input: [{ role: user, content: [{ type: text, value: A }, { type: file, value: gone.md }] }]", "A", "", nil, []string{"case `c`: there is no file `gone.md` in the eval file's folder or above it"}},
		{"not text", "input: [{ role: user, content: [{ type: text, value: A }, { type: file, value: scan.pdf }] }]", "A", "", []string{"scan.pdf"}, []string{"case `c`: " + filepath.Join(dir, "scan.pdf") + ": is binary, not text"}},
		{"empty", "input: [{ role: user, content: [{ type: text, value: A }, { type: file, value: empty.md }] }]", "A", "", []string{"empty.md"}, nil},
		{"no path", "input: [{ role: user, content: [{ type: text, value: A }, { type: file, value: 5 }, { type: file }] }]", "A", "", nil, nil},
		{"expected", "input: Q, expected_output: [{ role: assistant, content: [{ type: file, value: near.md }, { type: text, value: and }, { type: file, value: root.md }] }]", "Q", "near\n\nand\n\nAt the root.", nil, nil},
		{"expected and missing", "input: Q, expected_output: [{ role: assistant, content: [{ type: file, value: gone.md }] }]", "Q", "", nil, []string{"case `c`: there is no file `gone.md` in the eval file's folder or above it"}},
		{"expected before the last", "input: Q, expected_output: [{ role: assistant, content: [{ type: file, value: near.md }] }, { role: assistant, content: R }]", "Q", "R", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, problems := filled(t, evalFile, c.keys)
			if got.Question != c.question || got.ReferenceAnswer != c.reference {
				t.Errorf("asks %q, want %q; expects %q, want %q", got.Question, c.question, got.ReferenceAnswer, c.reference)
			}
			var files []string
			for _, path := range got.Files {
				rel, err := filepath.Rel(dir, path)
				if err != nil {
					t.Fatal(err)
				}
				files = append(files, filepath.ToSlash(rel))
			}
			if !slices.Equal(files, c.files) || !slices.Equal(problems, c.problems) {
				t.Errorf("files %v, want %v; problems %q, want %q", files, c.files, problems, c.problems)
			}
		})
	}
}

// TestFillPrompts: a prompt that is the path of a file is replaced by its text. A text that only
// looks like a path stays, with a note.
func TestFillPrompts(t *testing.T) {
	_, evalFile := repository(t)
	const held = "JUDGE {{ candidate_answer }}"
	for _, c := range []struct{ name, prompt, want, problem string }{
		{"a path", "../prompts/judge.md", held, ""},
		{"a path from above", "/a/prompts/judge.md", held, ""},
		{"a text", "Grade harshly", "Grade harshly", ""},
		{"a template", "'{{ question }}/{{ candidate_answer }}.md'", "{{ question }}/{{ candidate_answer }}.md", ""},
		{"a long text", strings.Repeat("grade ", 2000), strings.TrimSpace(strings.Repeat("grade ", 2000)), ""},
		{"a missing path", "gone/judge.md", "gone/judge.md", "evaluator `j`: there is no file `gone/judge.md` in the eval file's folder or above it"},
		{"a missing name", "judge.md", "judge.md", "evaluator `j`: there is no file `judge.md`"},
		{"a folder", "prompts", "prompts", ""},
		{"not text", "scan.pdf", "scan.pdf", "scan.pdf: is binary, not text"},
	} {
		for kind, keys := range map[string]string{
			"judge":      "{ name: j, type: llm_judge, prompt: PROMPT }",
			"member":     "{ name: all, type: composite, aggregator: { type: weighted_average }, evaluators: [{ name: j, type: llm_judge, prompt: PROMPT }] }",
			"aggregator": "{ name: j, type: composite, aggregator: { type: llm_judge, prompt: PROMPT }, evaluators: [{ name: k, type: llm_judge }] }",
		} {
			t.Run(c.name+" of a "+kind, func(t *testing.T) {
				got, problems := filled(t, evalFile, "input: Q, evaluators: ["+strings.ReplaceAll(keys, "PROMPT", c.prompt)+"]")
				g := got.Graders[0]
				var prompt string
				switch kind {
				case "judge":
					prompt = g.Prompt.Text
				case "member":
					prompt = g.Members[0].Prompt.Text
				case "aggregator":
					prompt = g.Combine.Prompt
				}
				if prompt != c.want {
					t.Errorf("got %q, want %q", prompt, c.want)
				}
				if joined := strings.Join(append(problems, got.Unreadable), ""); (joined == "") != (c.problem == "") || !strings.Contains(joined, c.problem) {
					t.Errorf("problems %q, want %q", problems, c.problem)
				}
			})
		}
	}
}

// TestFillShared: references that cases share are read and reported once.
func TestFillShared(t *testing.T) {
	_, evalFile := repository(t)
	body := "execution: { evaluators: [{ name: j, type: llm_judge, prompt: gone/judge.md }] }\nevalcases:\n" +
		"  - { id: a, expected_outcome: O, input: Q }\n  - { id: b, expected_outcome: O, input: Q }\n"
	suite := v4.Reader{Format: v4.Seed, Name: "x"}.LowerSuite(yaml.Parse(text.New(evalFile, body)))
	if problems := host.FillReferences(evalFile, suite); len(problems) != 1 || len(suite.Cases) != 2 {
		t.Errorf("problems %q of %d cases", problems, len(suite.Cases))
	}
}
