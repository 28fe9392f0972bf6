package references

import (
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
)

var variablePattern = pattern.New(`\{\{\s*([A-Za-z0-9_]+)\s*\}\}`)

// answerPattern matches a variable or template tag of any version that contains the answer or what the target did.
var answerPattern = pattern.New(`\{[{%][^}]*\b(?:candidate_answer|output|output_messages|messages|tool_calls|trace|transcript|file_changes)\b[^}]*[}%]\}`)

var _ = lint.Register(pages, lint.Rule{
	ID:       "prompt-variable",
	Severity: diag.Warning,
	Highest:  diag.Error,
	Run: func(p *lint.Pass) {
		seen := map[*rubric.Prompt]bool{}
		p.EachDistinctGrader(func(g *rubric.Grader) {
			if g.Prompt == nil || seen[g.Prompt] || len(g.Prompt.Script) > 0 {
				return
			}
			seen[g.Prompt] = true
			body, isFile := readPromptFile(p, g.Prompt.Path)
			if isFile && !grade.HasRequiredVariable(p.Suite.Version, body) {
				needed := grade.RequiredVariables(p.Suite.Version)
				p.Report(g.Prompt.Span, "`%s` has neither `{{ %s }}` nor `{{ %s }}`; the runner skips the test", lint.Abbreviate(g.Prompt.Path), needed[0], needed[1]).Severity = diag.Error
				if p.Suite.Version == "" {
					checkPromptFile(p, g.Prompt, body)
				}
				return
			}
			if len(g.Criteria) > 0 || !isFile && g.Prompt.IsUnread() {
				return // see missing-file
			}
			switch {
			case p.Suite.Version != "": // prompts of later versions also have the variables of each test
			case isFile:
				checkPromptFile(p, g.Prompt, body)
			default:
				checkPromptText(p, g.Prompt)
			}
			if !isFile {
				body = g.Prompt.Text
			}
			checkShowsAnswer(p, g, body)
		})
	},
})

func readPromptFile(p *lint.Pass, path string) (body string, found bool) {
	if p.ReadFile == nil || path == "" {
		return "", false
	}
	return p.ReadFile(path)
}

// checkPromptText checks a prompt in the eval file; each variable has its own span.
func checkPromptText(p *lint.Pass, prompt *rubric.Prompt) {
	written := p.Source.Slice(prompt.Span)
	for _, m := range variablePattern().FindAllStringSubmatchIndex(written, -1) {
		name := written[m[2]:m[3]]
		if slices.Contains(grade.Variables, name) {
			continue
		}
		at := text.Span{Start: prompt.Span.Start + m[2], End: prompt.Span.Start + m[3]}
		fix.SuggestWord(p.Report(at, "there is no variable `%s`", lint.Abbreviate(name)), spell.Nearest(name, grade.Variables))
	}
}

// checkPromptFile checks a prompt in a file of its own; diagnostics are at its path.
func checkPromptFile(p *lint.Pass, prompt *rubric.Prompt, body string) {
	for _, m := range variablePattern().FindAllStringSubmatch(body, -1) {
		if !slices.Contains(grade.Variables, m[1]) {
			p.Report(prompt.Span, "`%s` uses `{{ %s }}`, which is not a variable%s", lint.Abbreviate(prompt.Path), m[1], spell.DidYouMean(m[1], grade.Variables))
		}
	}
}

// checkShowsAnswer reports a prompt that does not show the judge the answer.
func checkShowsAnswer(p *lint.Pass, g *rubric.Grader, prompt string) {
	if answerPattern().MatchString(prompt) {
		return
	}
	variable := "candidate_answer"
	if p.Suite.Version != "" {
		variable = "output"
	}
	p.Report(g.Prompt.Span, "the prompt of `%s` does not show the judge the answer; add `{{ %s }}`", lint.Abbreviate(g.Name), variable).Severity = diag.Error
}
