package evalset

import (
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "undeclared-tool",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		if !p.HasADKRole(adk.EvalSet, adk.Config) {
			return
		}
		var siblings *adk.Summary // of a configuration
		if p.HasADKRole(adk.Config) {
			siblings = siblingTools(p)
		}
		for _, list := range rubricLists(p) {
			for _, r := range list.Rubrics {
				for _, name := range toolNames(r.Text) {
					checkMentionedTool(p, name, wordSpan(p.Source, r.TextNode, name), siblings)
				}
			}
		}
	},
})

// checkMentionedTool checks a tool name in a rubric of a configuration. In an evalset known is nil:
// the tools of all cases are needed, so it records a fact.
func checkMentionedTool(p *lint.Pass, name string, at text.Span, known *adk.Summary) {
	const message = "no case declares or calls the tool `%s`"
	if known == nil {
		p.AddFact(lint.Fact{Key: name, IsTool: true}, at, message, name)
	} else if near, faulty := known.CheckTool(name); faulty {
		fix.SuggestWord(p.Report(at, message, name), near)
	}
}

// siblingTools returns the tools of the evalsets in a configuration's folder.
func siblingTools(p *lint.Pass) *adk.Summary {
	all := &adk.Summary{Tools: map[string]bool{}, FieldNames: map[string]bool{}, HasDeclaredTools: true}
	for _, s := range siblingEvalsets(p) {
		maps.Copy(all.Tools, s.Tools)
		maps.Copy(all.FieldNames, s.FieldNames)
		all.HasDeclaredTools = all.HasDeclaredTools && s.HasDeclaredTools
	}
	return all
}

// callWords mark an adjacent name with underscores as the name of a tool.
var callWords = []string{
	"call", "calls", "called", "calling", "tool", "tools", "function", "functions", "invoke", "invokes", "invoked", "invoking",
	"use", "uses", "used", "using", "run", "runs",
}

// toolNames returns the tool names in a rubric's text, each once.
func toolNames(words string) (names []string) {
	before := ""
	fields := strings.Fields(words)
	for i, field := range fields {
		word := strings.Trim(field, ".,;:!?\"'`()[]{}*")
		after := ""
		if i+1 < len(fields) {
			after = strings.ToLower(strings.Trim(fields[i+1], ".,;:!?\"'`()[]{}*"))
		}
		if isToolName(word) && (slices.Contains(callWords, before) || slices.Contains(callWords, after) || strings.Contains(field, "()")) && !slices.Contains(names, word) {
			names = append(names, word)
		}
		if word != "the" && word != "a" {
			before = strings.ToLower(word)
		}
	}
	return names
}

func isToolName(word string) bool {
	for _, r := range word {
		if r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return false
		}
	}
	return strings.Contains(strings.Trim(word, "_"), "_")
}

// wordSpan returns the span of a word in a scalar, or that of the scalar if the word is escaped.
func wordSpan(src *text.Source, n *yaml.Node, word string) text.Span {
	if at := strings.Index(src.Slice(n.Span), word); at >= 0 {
		return text.Span{Start: n.Span.Start + at, End: n.Span.Start + at + len(word)}
	}
	return n.Span
}
