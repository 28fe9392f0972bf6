package references

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(lint.Rule{
	ID:       "outside-file",
	Summary:  "A file that a case refers to is outside the repository",
	Severity: diag.Error,
	Why: `
A run sends files of messages and prompts to targets and judges, and results quote them. A path or symbolic link out of
the repository could expose any file of the person who runs the evals. ~rubric~ does not follow it and leaves the case
ungraded. Without a repository the limit is the eval file's folder, or the working folder if that is above it and below
the home folder. The runner has no such limit. Copy the file into the repository, or start ~rubric~ in a folder above both.
`,
	Bad: `
evalcases:
  - id: refund
    expected_outcome: Follows the policy
    input:
      - role: user
        content:
          - { type: text, value: Can I send the lamp back? }
          - { type: file, value: ⟦../../../etc/hostname⟧ }
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
		if p.OutsideReason == nil {
			return
		}
		eachMessageFile(p, func(value *yaml.Node, path string) {
			if why := p.OutsideReason(path); why != "" {
				p.Report(value.Span, "`%s` is not read: %s", lint.Abbreviate(path), why)
			}
		})
		eachPrompt(p, func(prompt *rubric.Prompt) {
			if why := p.OutsideReason(prompt.Path); why != "" {
				p.Report(prompt.Span, "the prompt `%s` is not read: %s", lint.Abbreviate(prompt.Path), why)
			}
		})
	},
})
