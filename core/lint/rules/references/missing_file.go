package references

import (
	"path"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(lint.Rule{
	ID:       "missing-file",
	Summary:  "A file that a case refers to does not exist",
	Severity: diag.Warning,
	Highest:  diag.Error,
	Why: `
Files of messages, prompts and scripts are looked up in the eval file's folder, in its parent folders up to the
repository's root, and in the working folder. A missing script cannot grade. The oldest runner uses the path of a missing prompt
as the prompt itself, and later ones skip the test: all are errors. Programs without a path are not looked up. The runner leaves a missing file out of
a message. This is a warning because the file may exist where the evals run.
`,
	Bad: `
evalcases:
  - id: refund
    expected_outcome: Follows the policy
    input:
      - role: user
        content:
          - { type: text, value: Can I send the lamp back? }
          - { type: file, value: ⟦docs/polcy.md⟧ }
    evaluators:
      - { name: strict, type: llm_judge, prompt: ⟦prompts/strict.md⟧ }
      - { name: ⟦length⟧, type: code_judge, script: [python, judges/lenght.py] }
`,
	Good: `
evalcases:
  - id: refund
    expected_outcome: Follows the policy
    input:
      - role: user
        content:
          - { type: text, value: Can I send the lamp back? }
          - { type: file, value: docs/policy.md }
`,
	SiblingFiles: map[string]string{"docs/policy.md": "Thirty days."},
	Run: func(p *lint.Pass) {
		if p.ReadFile == nil || !p.HasCases() {
			return // the host cannot read files
		}
		eachMessageFile(p, func(value *yaml.Node, path string) {
			if isMissing(p, path) {
				p.Report(value.Span, "there is no file `%s` in the eval file's folder or above it", lint.Abbreviate(path))
			}
		})
		checkScripts(p)
		eachPrompt(p, func(prompt *rubric.Prompt) {
			if prompt.IsUnread() && isMissing(p, prompt.Path) {
				effect := "the runner's judge gets the path as its prompt"
				if p.Suite.Version != "" {
					effect = "the runner skips the test"
				}
				p.Report(prompt.Span, "there is no file `%s`; %s", lint.Abbreviate(prompt.Path), effect).Severity = diag.Error
			}
		})
	},
})

// isMissing reports whether a file does not exist. outside-file reports files outside the repository.
func isMissing(p *lint.Pass, reference string) bool {
	_, found := p.ReadFile(reference)
	return !found && (p.OutsideReason == nil || p.OutsideReason(reference) == "")
}

// checkScripts reports missing program files of code graders.
func checkScripts(p *lint.Pass) {
	p.EachDistinctGrader(func(g *rubric.Grader) {
		if g.Code == nil {
			return
		}
		for _, arg := range commandWords(g.Code.Argv) {
			if rubric.IsProgram(arg) && !path.IsAbs(arg) && !strings.HasPrefix(arg, "-") && isMissing(p, arg) && isMissing(p, path.Join(g.Code.Dir, arg)) {
				p.Report(g.SelectionSpan, "there is no file `%s` for `%s` to run", lint.Abbreviate(arg), lint.Abbreviate(g.Name)).Severity = diag.Error
			}
		}
	})
}

// commandWords returns the arguments of a command. It returns none for a shell line that is more
// than plain words.
func commandWords(argv []string) []string {
	if len(argv) != 3 || argv[1] != "-lc" {
		return argv
	}
	if strings.ContainsAny(argv[2], "\"'`$&|;<>(){}[]*?~#\\!\n") {
		return nil
	}
	return strings.Fields(argv[2])
}
