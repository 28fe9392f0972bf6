package assist

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/pattern"
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
	word := wordAt(body, offset, text.Span{Start: line.Start + open, End: line.End}, isNameRune)
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
	if f := schemaContextOf(p, n).Field; p.Role != agentv.Targets || f == nil || f.Key != "command_template" || isKey(n) {
		return nil, false
	}
	body := p.Source.Body
	line := p.Source.LineSpan(p.Source.OffsetLine(offset))
	word := wordAt(body, offset, line, isNameRune)
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

// v4PromptVariables are available to a judge's prompt in later versions, besides
// [grade.Variables].
var v4PromptVariables = []string{"input", "output", "expected_output", "criteria", "rubric", "tool_calls"}

// templateVariables returns the names that a template at an offset may use, or nil if there is no
// template. In the newest version every string is a template, with variables from the cases.
func templateVariables(p *analysis.Chunk, offset int, host Host) (names []string) {
	prompt := isInPrompt(p, offset)
	if prompt {
		names = append(names, grade.Variables...)
	}
	if prompt && p.Version != "" {
		names = append(names, v4PromptVariables...)
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
		if f := schemaContextOf(p, n).Field; f != nil && !isKey(n) {
			return f.Key == "prompt"
		}
	}
	line := p.Source.LineSpan(p.Source.OffsetLine(offset))
	words := strings.TrimLeft(p.Source.Slice(line), " -")
	return strings.HasPrefix(words, "prompt:") || strings.Contains(words, " prompt:")
}

// templateVariable matches a variable in a template.
var templateVariable = pattern.New(`\{\{-?\s*([A-Za-z_][A-Za-z0-9_.]*)\s*-?\}\}`)

// environmentVariable matches an environment variable in a target's settings.
var environmentVariable = pattern.New(`\$\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}`)

// variableSpans returns the variables in a template. known reports whether a variable gets a value.
func variableSpans(p *analysis.Chunk, v value) (slots []text.Span, known func(name string) bool) {
	slot, known := templateVariable, func(string) bool { return true }
	switch {
	case v.node.Kind != yaml.Scalar:
		return nil, known
	case p.Role == agentv.Targets:
		slot = environmentVariable
	case p.Version == agentv.Head: // there every string is a template, and cases declare variables
	case v.Field != nil && v.Field.Key == "prompt":
		known = func(name string) bool {
			return slices.Contains(grade.Variables, name) || p.Version != "" && slices.Contains(v4PromptVariables, name)
		}
	default:
		return nil, known
	}
	for _, m := range slot().FindAllStringSubmatchIndex(p.Source.Slice(v.node.Span), -1) {
		slots = append(slots, text.Span{Start: m[2], End: m[3]}.Shift(v.node.Span.Start))
	}
	return slots, known
}

// visitVariables visits the template variables that a value uses and the one that its key declares.
// Only the newest version has named variables.
func visitVariables(p *analysis.Chunk, v value, visit func(Name, Use)) {
	if p.Version != agentv.Head {
		return
	}
	if key := v.variableKey(); key != nil {
		visit(Name{Kind: VariableName, Text: key.Value, Scope: -1}, Use{Span: unquotedSpan(key), IsDeclaration: true, node: key})
	}
	slots, _ := variableSpans(p, v)
	for _, span := range slots {
		name, _, _ := strings.Cut(p.Source.Slice(span), ".")
		visit(Name{Kind: VariableName, Text: name, Scope: -1}, Use{Span: text.Span{Start: span.Start, End: span.Start + len(name)}})
	}
}

// variableKey returns the key if it declares a variable, or nil. Keys with a fixed meaning are not
// variables.
func (v value) variableKey() *yaml.Node {
	if v.pair == nil || v.parent.Field == nil || v.parent.Field.Key != "vars" || v.pair.Key.Kind != yaml.Scalar || v.pair.IsMerge() {
		return nil
	}
	if place, _ := agentv.ScopeOf(v.parent.Owner); place != agentv.InCase || agentv.LookupConcept(v.pair.Key.Value, agentv.InVars) != nil {
		return nil
	}
	return v.pair.Key
}
