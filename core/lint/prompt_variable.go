package lint

import (
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
)

var variablePattern = pattern.New(`\{\{\s*([A-Za-z0-9_]+)\s*\}\}`)

var _ = register(Rule{
	ID:         "prompt-variable",
	Summary:    "A judge prompt uses an unknown variable or does not contain the answer",
	Severity:   diag.Warning,
	CanBeError: true,
	Why: `
An unknown variable reaches the judge as written, with its braces. A prompt with neither ~{{ candidate_answer }}~ nor
~{{ expected_messages }}~ does not show the judge the answer; the runner refuses such a prompt file.
`,
	Bad: `
evalcases:
  - id: refund
    expected_outcome: Follows the policy
    input: Can I send the lamp back?
    evaluators:
      - { name: strict, type: llm_judge, prompt: "Is {{ candidate_answer }} what {{ ⟦expected_outcom⟧ }} asks for?" }
`,
	Good: `
evalcases:
  - id: refund
    expected_outcome: Follows the policy
    input: Can I send the lamp back?
    evaluators:
      - { name: strict, type: llm_judge, prompt: "Is {{ candidate_answer }} what {{ expected_outcome }} asks for?" }
`,
	Run: func(p *Pass) {
		if p.Suite.Version != "" {
			return // prompts of later versions have other variables, and those of each test
		}
		for _, c := range p.sortedCases() {
			p.eachGrader(c, func(g *rubric.Grader) {
				if g.Prompt == nil || len(g.Prompt.Script) > 0 || len(g.Criteria) > 0 {
					return
				}
				if body, found := p.readPromptFile(g.Prompt.Path); found {
					p.checkPromptFile(g.Prompt, body)
				} else if !LooksLikeFile(g.Prompt.Path) || g.Prompt.Path == "" {
					p.checkPromptText(g.Prompt)
				}
			})
		}
	},
})

func (p *Pass) readPromptFile(path string) (body string, found bool) {
	if p.ReadFile == nil || path == "" {
		return "", false
	}
	return p.ReadFile(path)
}

// checkPromptText checks a prompt in the eval file; each variable has its own span.
func (p *Pass) checkPromptText(prompt *rubric.Prompt) {
	written := p.Source.Slice(prompt.Span)
	for _, m := range variablePattern().FindAllStringSubmatchIndex(written, -1) {
		name := written[m[2]:m[3]]
		if slices.Contains(grade.Variables, name) {
			continue
		}
		at := text.Span{Start: prompt.Span.Start + m[2], End: prompt.Span.Start + m[3]}
		d := p.Report(at, "there is no variable `%s`%s", abbreviate(name), spell.DidYouMean(name, grade.Variables))
		if near := spell.Nearest(name, grade.Variables); near != "" {
			d.Fixes = []diag.Fix{{Title: "change to `" + near + "`", Edits: []text.Edit{{Span: at, New: near}}}}
		}
	}
}

// checkPromptFile checks a prompt in a file of its own; diagnostics are at its path.
func (p *Pass) checkPromptFile(prompt *rubric.Prompt, body string) {
	shows := false
	for _, m := range variablePattern().FindAllStringSubmatch(body, -1) {
		shows = shows || m[1] == "candidate_answer" || m[1] == "expected_messages"
		if !slices.Contains(grade.Variables, m[1]) {
			p.Report(prompt.Span, "`%s` uses `{{ %s }}`, which is not a variable%s", abbreviate(prompt.Path), m[1], spell.DidYouMean(m[1], grade.Variables))
		}
	}
	if !shows {
		d := p.Report(prompt.Span, "`%s` shows the judge neither `{{ candidate_answer }}` nor `{{ expected_messages }}`; the runner refuses it", abbreviate(prompt.Path))
		d.Severity = diag.Error
	}
}
