package lint

import (
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
)

var unusedIgnore = register(Rule{
	ID:       "unused-ignore",
	Summary:  "A comment that silences a rule has no effect, or gives no reason",
	Severity: diag.Warning,
	RunsLast: true,
	Why: `
~# rubric: ignore RULE -- reason~ silences a rule on its line or, if it is alone on its line, on the next one. A comment
that silences nothing may hide the next fault of its kind. Without a reason the reader has to guess.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello  ⟦# rubric: ignore unknown-key -- was misspelt once⟧
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    # rubric: ignore unknown-key -- read by our own tool
    owner: ann
`,
	Run: func(p *Pass) {
		for _, i := range p.ignores {
			p.reportIgnore(i)
		}
	},
})

func (p *Pass) reportIgnore(i *ignoreDirective) {
	if len(i.rules) == 0 {
		p.Report(i.span, "this comment names no rule to ignore")
		return
	}
	if i.reason == "" {
		p.Report(i.span, "this comment gives no reason; write it after `--`")
	}
	for _, id := range i.rules {
		switch rule := Find(id); {
		case rule == nil:
			p.Report(i.span, "there is no rule `%s`%s", abbreviate(id), spell.DidYouMean(id, ruleIDs()))
		case !i.usedFor[id] && !(rule.AboutProfile && p.Severities[id] == 0):
			p.diagnostics = append(p.diagnostics, p.unusedIgnoreDiagnostic(i, id))
		}
	}
}

// unusedIgnoreDiagnostic reports a comment that silences no diagnostic of rule.
func (p *Pass) unusedIgnoreDiagnostic(i *ignoreDirective, rule string) diag.Diagnostic {
	d := p.newDiagnostic(i.span, "`%s` reports nothing here to ignore", rule)
	d.Tags = []diag.Tag{diag.Unnecessary}
	if len(i.rules) == 1 {
		d.Fixes = []diag.Fix{{Title: "remove the comment", Safe: true, Edits: []text.Edit{{Span: p.commentSpan(i.span)}}}}
	}
	return d
}

// commentSpan returns the span of a comment with the white space before it, and with the
// line break if nothing else is on the line.
func (p *Pass) commentSpan(span text.Span) text.Span {
	body := p.Source.Body
	start := len(strings.TrimRight(body[:span.Start], " \t"))
	if start > 0 && body[start-1] != '\n' {
		return text.Span{Start: start, End: span.End}
	}
	end := span.End
	if rest := body[end:]; strings.HasPrefix(rest, "\r\n") {
		end += 2
	} else if strings.HasPrefix(rest, "\n") {
		end++
	}
	return text.Span{Start: start, End: end}
}
