package format

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(lint.Rule{
	ID:       "settings-ignored",
	Summary:  "A judge has settings that the runner ignores in this place",
	Severity: diag.Warning,
	Why: `
If an ~llm_judge~ has a rubric, the runner ignores its ~prompt~. Inside a ~composite~ the runner ignores both its rubric
and its prompt, and the judge grades freely. Move the rubric to the case.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    evaluators:
      - name: strict
        type: llm_judge
        prompt: ⟦Be strict. {{ candidate_answer }}⟧
        rubrics:
          - { id: by-name, expected_outcome: Greets the user by name }
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    evaluators:
      - name: strict
        type: llm_judge
        rubrics:
          - { id: by-name, expected_outcome: Greets the user by name }
`,
	Run: func(p *lint.Pass) {
		remove := func(n *yaml.Node) []diag.Fix { return fix.RemoveEntry(p.Source, n, "remove the setting") }
		p.ReportLosses("prompt_ignored_with_rubrics", "the runner ignores the prompt because there are `rubrics`", remove)
		p.ReportLosses("max_duration_ms_unread", "this version of the runner ignores `max_duration_ms`", remove)
		p.ReportLosses("member_settings_ignored", "inside a composite the runner ignores a judge's rubrics and prompt", nil)
	},
})
