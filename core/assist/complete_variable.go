package assist

import (
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/text"
)

// variableItems are the variables of a judge's prompt; inside reports whether
// the offset is between the braces of one, where nothing else can be.
func variableItems(p *analysis.Part, offset int) (items []Item, inside bool) {
	body := p.Source.Body
	line := p.Source.LineSpan(p.Source.OffsetLine(offset))
	open := strings.LastIndex(body[line.Start:offset], "{{")
	if open < 0 || strings.Contains(body[line.Start+open:offset], "}}") || !inPrompt(p, line.Start+open) {
		return nil, false
	}
	word := text.Span{Start: line.Start + open + 2, End: offset}
	for word.Start < offset && body[word.Start] == ' ' {
		word.Start++
	}
	for word.End < line.End && (body[word.End] == '_' || body[word.End] >= 'a' && body[word.End] <= 'z') {
		word.End++
	}
	before, after := "", ""
	if body[word.Start-1] == '{' {
		before = " "
	}
	if !strings.HasPrefix(strings.TrimLeft(body[word.End:line.End], " "), "}}") {
		after = " }}"
	}
	for _, name := range grade.Variables {
		items = append(items, Item{Label: name, Kind: VariableItem, Edit: text.Edit{Span: word, New: before + name + after}})
	}
	return items, true
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
