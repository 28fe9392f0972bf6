package lint

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/yaml"
)

// reportProblems reports what the parser found of one kind, in the parser's words.
func (p *Pass) reportProblems(kind yaml.ProblemKind, note string) {
	for _, problem := range p.Tree.Problems {
		if problem.Kind == kind {
			p.reportProblem(problem, note)
		}
	}
}

func (p *Pass) reportProblem(problem yaml.Problem, note string) *diag.Diagnostic {
	d := p.Report(problem.Span, "%s", problem.Message)
	if !problem.Note.Empty() {
		d.Notes = []diag.Note{{Span: problem.Note, Message: note}}
	}
	return d
}
