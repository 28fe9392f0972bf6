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

// variableItems are the variables of a template; inside reports whether the
// offset is between the braces of one, where nothing else can be.
func variableItems(p *analysis.Part, offset int, host Host) (items []Item, inside bool) {
	body := p.Source.Body
	line := p.Source.LineSpan(p.Source.OffsetLine(offset))
	open := strings.LastIndex(body[line.Start:offset], "{{")
	if open < 0 || strings.Contains(body[line.Start+open:offset], "}}") {
		return nil, false
	}
	names := variables(p, line.Start+open, host)
	if names == nil {
		return nil, false
	}
	word := text.Span{Start: offset, End: offset}
	for inName(body[word.Start-1]) {
		word.Start--
	}
	for word.End < line.End && inName(body[word.End]) {
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
		items = append(items, Item{Label: name, Kind: VariableItem, Edit: text.Edit{Span: word, New: before + name + after}})
	}
	return items, true
}

// inName reports whether a byte can be one of a variable's name.
func inName(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

// laterVariables are those that a judge's own prompt has in later versions
// besides [grade.Variables].
var laterVariables = []string{"input", "output", "expected_output", "criteria", "rubric", "tool_calls"}

// variables are the names that a template at an offset may use: of a judge's
// prompt those that are filled in for it, and in the newest version, where every
// text is one, those that cases give values to. Nil where no template is.
func variables(p *analysis.Part, offset int, host Host) (names []string) {
	prompt := inPrompt(p, offset)
	if prompt {
		names = append(names, grade.Variables...)
	}
	if prompt && p.Version != "" {
		names = append(names, laterVariables...)
	}
	if p.Version != agentv.Head || p.Tree.At(offset).Kind != yaml.Scalar {
		return names
	}
	for _, name := range append(varsIn(p), asked(host.Vars)...) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return append([]string{}, names...)
}

// varsIn are the names that a part, and what stands around it, give values to.
func varsIn(p *analysis.Part) []string {
	names := varsOf(p.Tree)
	if p.Frame != nil {
		names = append(names, varsOf(p.Frame)...)
	}
	return names
}

// inPrompt reports whether an offset is in a text that a judge is told. The tree
// knows of the text, or, where a brace that is not closed yet hides it, the line.
func inPrompt(p *analysis.Part, offset int) bool {
	for n := p.Tree.At(offset); n != nil; n = n.Parent {
		if f := slotOf(p, n).Field; f != nil && !isKey(n) {
			return f.Key == "prompt"
		}
	}
	line := p.Source.LineSpan(p.Source.OffsetLine(offset))
	words := strings.TrimLeft(p.Source.Slice(line), " -")
	return strings.HasPrefix(words, "prompt:") || strings.Contains(words, " prompt:")
}
