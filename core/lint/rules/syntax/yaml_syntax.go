package syntax

import (
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "yaml-syntax",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		if p.ADK != nil && p.ADK.Fault != nil {
			return // not-json reports it
		}
		tabs := 0
		for _, problem := range p.Tree.Problems {
			if isTabProblem(p, problem) {
				tabs++
			}
		}
		isReported := false
		for _, problem := range p.Tree.Problems {
			switch {
			case problem.Kind != yaml.SyntaxProblem:
			case tabs < 2 || !isTabProblem(p, problem):
				reportSyntax(p, problem)
			case !isReported: // one cause, one diagnostic
				p.Report(problem.Span, "tabs indent %d lines from here on; YAML indents with spaces", tabs)
				isReported = true
			}
		}
	},
})

// isTabProblem reports whether a tab in the indentation causes a problem.
func isTabProblem(p *lint.Pass, problem yaml.Problem) bool {
	return problem.Kind == yaml.SyntaxProblem && strings.Contains(p.Source.Slice(problem.Note), "\t")
}

// reportSyntax reports a problem in the parser's words, or as missing quotes if quoting the value fixes it.
func reportSyntax(p *lint.Pass, problem yaml.Problem) {
	value, taken, ok := fix.FindUnquoted(p.Source, problem.Span)
	if ok && taken != "" {
		p.Report(value, "%s; quote it", taken).Fixes = fix.Quote(p.Source, value)
		return
	}
	d := p.ReportProblem(problem, "it starts here")
	if ok {
		d.Fixes = fix.Quote(p.Source, value)
	}
}
