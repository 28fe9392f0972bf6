package lint

import "github.com/rubric-ls/rubric/core/diag"

var _ = register(Rule{
	ID:       "settings-ignored",
	Summary:  "A judge has settings that the runner does not use where it stands",
	Severity: diag.Warning,
	Why: `
Beside a rubric an ~llm_judge~'s ~prompt~ is not used. Inside a ~composite~ the runner strips it of its rubric and its
prompt alike, and it grades free-form: move the rubric to the case, where it counts.
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
	Run: func(p *Pass) {
		p.reportLosses("prompt_ignored_with_rubrics", "the prompt is not used beside `rubrics`")
		p.reportLosses("member_settings_ignored", "inside a composite the runner uses neither rubrics nor prompt of a judge")
	},
})
