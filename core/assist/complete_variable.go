package assist

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// completeVariable are the variables of a template; inside reports whether the
// offset is between the braces of one, where nothing else can be.
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
	word := text.Span{Start: offset, End: offset}
	for isNameByte(body[word.Start-1]) {
		word.Start--
	}
	for word.End < line.End && isNameByte(body[word.End]) {
		word.End++
	}
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

// isNameByte reports whether a byte can be one of a variable's name.
func isNameByte(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

// laterPromptVariables are those that a judge's own prompt has in later versions
// besides [grade.Variables].
var laterPromptVariables = []string{"input", "output", "expected_output", "criteria", "rubric", "tool_calls"}

// templateVariables are the names that a template at an offset may use: of a judge's
// prompt those that are filled in for it, and in the newest version, where every
// text is one, those that cases give values to. Nil where no template is.
func templateVariables(p *analysis.Chunk, offset int, host Host) (names []string) {
	prompt := isInPrompt(p, offset)
	if prompt {
		names = append(names, grade.Variables...)
	}
	if prompt && p.Version != "" {
		names = append(names, laterPromptVariables...)
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

// declaredVars are the names that a part, and what stands around it, give values to.
func declaredVars(p *analysis.Chunk) []string {
	names := treeVars(p.Tree)
	if p.Header != nil {
		names = append(names, treeVars(p.Header)...)
	}
	return names
}

// isInPrompt reports whether an offset is in a text that a judge is told. The tree
// knows of the text, or, where a brace that is not closed yet hides it, the line.
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
