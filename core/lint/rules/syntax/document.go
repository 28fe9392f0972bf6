// Package syntax has the rules about YAML itself, whatever the file holds, and about the comments
// that silence rules.
package syntax

import (
	"embed"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:         "yaml-syntax",
	Severity:   diag.Error,
	Unreadable: true,
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

var _ = lint.Register(pages, lint.Rule{
	ID:         "not-utf8",
	Severity:   diag.Error,
	Unreadable: true,
	// Markdown is UTF-8, so its page has no examples.
	Bad:  "evalcases:\n  - id: greeting\n    expected_outcome: Gr⟦\xfc⟧ßt\n    input: Hallo\n",
	Good: "evalcases:\n  - id: greeting\n    expected_outcome: Grüßt\n    input: Hallo\n",
	Run: func(p *lint.Pass) {
		p.ReportProblems(yaml.EncodingProblem, "", func(problem yaml.Problem) []diag.Fix {
			return readAsLatin1(problem.Span, p.Source.Slice(problem.Span))
		})
	},
})

// readAsLatin1 is the unsafe fix for bytes that are letters in Latin-1, an older encoding. It
// encodes them as UTF-8.
func readAsLatin1(span text.Span, bytes string) []diag.Fix {
	const firstLetter = 0xC0
	var decoded []rune
	for i := range len(bytes) {
		if bytes[i] < firstLetter {
			return nil
		}
		decoded = append(decoded, rune(bytes[i]))
	}
	return []diag.Fix{{Title: "read it as Latin-1: `" + string(decoded) + "`", Edits: []text.Edit{{Span: span, New: string(decoded)}}}}
}

var _ = lint.Register(pages, lint.Rule{
	ID:       "beyond-limits",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		p.ReportProblems(yaml.ExpansionBudget, "the repeated value is here", nil)
		p.ReportProblems(yaml.DepthProblem, "", nil)
		p.ReportProblems(yaml.TooLargeProblem, "", nil)
	},
})

var _ = lint.Register(pages, lint.Rule{
	ID:       "extra-document",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		if p.Role == "cases" {
			return // in JSONL every line is a document
		}
		for _, doc := range p.Tree.Docs[1:] {
			at := doc.Root.Span
			if len(doc.Root.Pairs) > 0 {
				at = doc.Root.Pairs[0].Key.Span
			}
			d := p.Report(at, "a second document starts here; only the first is read")
			d.Fixes = joinDocument(p, doc)
		}
	},
})

// joinDocument is the fix that removes the marker before a document: the marker alone if the document
// is empty, and the key too if the list below continues the one before.
func joinDocument(p *lint.Pass, doc *yaml.Document) []diag.Fix {
	removed := text.Span{Start: doc.Span.Start, End: doc.Root.Span.Start}
	pairs, earlier := doc.Root.Pairs, p.Tree.Root().Pairs
	switch {
	case !doc.ExplicitStart:
		return nil
	case doc.Root.Span.Empty():
		removed.End = removed.Start + len("---")
	case len(pairs) != 1 || len(earlier) == 0 || doc != p.Tree.Docs[1] || !continues(p.Source, earlier[len(earlier)-1], pairs[0]):
		return nil
	default:
		list := pairs[0].Value
		removed.End = p.Source.LineSpan(p.Source.OffsetLine(list.Span.Start)).Start
	}
	if strings.Contains(p.Source.Slice(removed), "#") { // a comment
		return nil
	}
	return []diag.Fix{{Title: "remove the marker between the documents", Edits: []text.Edit{{Span: removed}}}}
}

// continues reports whether two entries are block lists under one key whose items are equally indented.
func continues(src *text.Source, first, second *yaml.Pair) bool {
	column := func(n *yaml.Node) int { return n.Span.Start - src.LineSpan(src.OffsetLine(n.Span.Start)).Start }
	a, b := first.Value, second.Value
	isList := func(n *yaml.Node) bool { return n.Kind == yaml.Sequence && n.Style == yaml.Block && n.Props.Empty() }
	return first.Key.Value == second.Key.Value && isList(a) && isList(b) && column(a) == column(b)
}

var _ = lint.Register(pages, lint.Rule{
	ID:       "odd-layout",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		for _, kind := range []yaml.ProblemKind{yaml.EmptyKey, yaml.TabProblem, yaml.IndentProblem, yaml.LineBreakProblem} {
			p.ReportProblems(kind, "", func(problem yaml.Problem) []diag.Fix {
				if strings.Trim(p.Source.Slice(problem.Span), " \t") != "" {
					return nil
				}
				return []diag.Fix{{Title: "empty the line", Safe: true, Edits: []text.Edit{{Span: problem.Span}}}}
			})
		}
	},
})

var _ = lint.Register(pages, lint.Rule{
	ID:       "duplicate-key",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		p.ReportProblems(yaml.DuplicateKey, "first written here", func(problem yaml.Problem) []diag.Fix {
			return fix.RemoveEntry(p.Source, p.NodeAt(problem.Note), "remove the first one")
		})
	},
})

var _ = lint.Register(pages, lint.Rule{
	ID:       lint.UnusedIgnore,
	Severity: diag.Warning,
	RunsLast: true,
	Run:      (*lint.Pass).ReportIgnores,
})

//go:embed *.md
var pages embed.FS
