package completion

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/ide/internal/naming"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// completeVariable proposes template variables. inside reports whether the offset is between braces,
// where nothing else is valid.
func completeVariable(p *analysis.Chunk, offset int, host Host) (items []CompletionItem, inside bool) {
	body := p.Source.Body
	line := p.Source.LineSpan(p.Source.OffsetLine(offset))
	open := strings.LastIndex(body[line.Start:offset], "{{")
	if open < 0 || strings.Contains(body[line.Start+open:offset], "}}") {
		return nil, false
	}
	names := templateVariables(p, line.Start+open, host)
	if names == nil {
		return nil, false
	}
	word := syntax.WordAt(body, offset, text.Span{Start: line.Start + open, End: line.End}, isNameRune)
	before, after := "", ""
	if body[word.Start-1] == '{' {
		before = " "
	}
	if !strings.HasPrefix(strings.TrimLeft(body[word.End:line.End], " "), "}}") {
		after = " }}"
	}
	for _, name := range names {
		items = append(items, CompletionItem{Label: name, Kind: VariableItem, Edit: text.Edit{Span: word, New: before + name + after}})
	}
	return items, true
}

// completePlaceholder proposes the placeholders of a target's command. inside reports whether the
// offset is in braces there.
func completePlaceholder(p *analysis.Chunk, offset int) (items []CompletionItem, inside bool) {
	n := p.Tree.NodeAt(offset)
	if f := syntax.ContextOf(p, n).Field; p.Role != agentv.Targets || f == nil || f.Key != "command_template" || syntax.IsKey(n) {
		return nil, false
	}
	body := p.Source.Body
	line := p.Source.LineSpan(p.Source.OffsetLine(offset))
	word := syntax.WordAt(body, offset, line, isNameRune)
	before := body[line.Start:word.Start]
	if !strings.HasSuffix(before, "{") || strings.HasSuffix(before, "{{") {
		return nil, false
	}
	after := "}"
	if strings.HasPrefix(body[word.End:], "}") {
		after = ""
	}
	for _, name := range agentv.Placeholders {
		items = append(items, CompletionItem{Label: name, Kind: VariableItem, Edit: text.Edit{Span: word, New: name + after}})
	}
	return items, true
}

func isNameRune(r rune) bool {
	return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// templateVariables returns the names that a template at an offset may use, or nil if there is no
// template. In the newest version every string is a template, with variables from the cases.
func templateVariables(p *analysis.Chunk, offset int, host Host) (names []string) {
	prompt := isInPrompt(p, offset)
	if prompt {
		names = append(names, grade.Variables...)
	}
	if prompt && p.Version != "" {
		names = append(names, naming.V4PromptVariables...)
	}
	if p.Version != agentv.Head || p.Tree.NodeAt(offset).Kind != yaml.Scalar {
		return names
	}
	for _, name := range append(declaredVars(p), callNames(host.VarNames)...) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return append([]string{}, names...)
}

// declaredVars returns the variables that a chunk and its header declare.
func declaredVars(p *analysis.Chunk) []string {
	names := treeVars(p.Tree)
	if p.Header != nil {
		names = append(names, treeVars(p.Header)...)
	}
	return names
}

// isInPrompt reports whether an offset is in a judge's prompt. It falls back to the line's text,
// because an unclosed brace can hide the prompt from the tree.
func isInPrompt(p *analysis.Chunk, offset int) bool {
	for n := p.Tree.NodeAt(offset); n != nil; n = n.Parent {
		if f := syntax.ContextOf(p, n).Field; f != nil && !syntax.IsKey(n) {
			return f.Key == "prompt"
		}
	}
	line := p.Source.LineSpan(p.Source.OffsetLine(offset))
	words := strings.TrimLeft(p.Source.Slice(line), " -")
	return strings.HasPrefix(words, "prompt:") || strings.Contains(words, " prompt:")
}

// varScanWindow is how many bytes before and after the cursor are scanned for variables. That covers
// tens of cases, which usually declare the same ones.
const varScanWindow = 16 << 10

var varsCache = analysis.NewChunkCache(func(p *analysis.Chunk) []string { return treeVars(p.Tree) })

func treeVars(tree *yaml.Tree) (names []string) {
	yaml.Walk(tree.Root(), func(n *yaml.Node) bool {
		for _, pair := range n.Get("vars").Entries() {
			names = append(names, pair.Key.Value)
		}
		return true
	})
	return names
}
