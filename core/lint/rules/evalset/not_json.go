package evalset

import (
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/text"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "not-json",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		if p.ADK == nil || !p.ADK.JSON {
			return
		}
		for _, e := range p.ADK.Excess {
			message, fixes := "a comma before a closing bracket is not JSON", []diag.Fix{{Title: "remove the comma", Safe: true, Edits: []text.Edit{{Span: e.Span}}}}
			if e.Kind == adk.Comment {
				message, fixes = "JSON has no comments", fix.RemoveComment(p.Source, e.Span)
			}
			d := p.Report(e.Span, "%s; the runner refuses the file", message)
			d.Severity, d.Fixes = diag.Warning, fixes
		}
		if p.ADK.Fault != nil && p.ADK.Fragment() == nil {
			reportJSONFault(p, *p.ADK.Fault)
		}
		if at := p.ADK.MissingComma; at != nil {
			p.Report(*at, "a comma is missing after this; the runner refuses the file").Fixes = addComma(at.End)
		}
	},
})

// reportJSONFault reports the first place where the text is not JSON.
func reportJSONFault(p *lint.Pass, at text.Span) {
	plain := p.ADK.WithoutComments()
	before := strings.TrimRight(plain[:at.Start], " \t\r\n")
	here := p.Source.Slice(at)
	what, end := "text", len(strings.TrimRight(p.Source.Body, " \t\r\n"))
	if p.ADK.IsChunk {
		what, end = "case", len(strings.TrimRight(strings.TrimSuffix(plain, "]"), " \t\r\n"))
	}
	switch {
	case here == "'":
		p.Report(at, "JSON strings need double quotes; the runner refuses the file")
	case before == "":
		p.Report(at, "this is not JSON; the runner refuses the file")
	case strings.ContainsAny(here, "\"{[-0123456789tfn") && strings.ContainsAny(before[len(before)-1:], "\"}]0123456789el"):
		p.Report(at, "a comma is missing before this; the runner refuses the file").Fixes = addComma(len(before))
	case at.Start+1 >= end:
		p.Report(at, "the %s ends before all brackets and quotes are closed; the runner refuses the file", what)
	default:
		p.Report(at, "this is not JSON; the runner refuses the file")
	}
}

func addComma(offset int) []diag.Fix {
	return []diag.Fix{{Title: "add the comma", Safe: true, Edits: []text.Edit{{Span: text.Span{Start: offset, End: offset}, New: ","}}}}
}
