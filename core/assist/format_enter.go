package assist

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// FormatOnEnter are edits, in spans of the file, for right after a line break was
// typed: the new line, if nothing is on it, is indented for what would stand
// there, and the line before loses the blanks at its end. Lines in the middle of
// a text are left alone.
func FormatOnEnter(a *analysis.Analysis, offset int) []text.Edit {
	p := a.ChunkAt(offset)
	local := p.FromFile(offset)
	line := p.Source.OffsetLine(local)
	here := p.Source.LineSpan(line)
	if line == 0 || strings.Trim(p.Source.Slice(here), " \t") != "" {
		return nil
	}
	before := p.Source.LineSpan(line - 1)
	words := p.Source.Slice(before)
	bare := strings.TrimRight(words, " \t")
	end := before.Start + len(bare)
	if anyCovers(multilineScalars(p), end) {
		return nil
	}
	var edits []text.Edit
	if end < before.End && !anyCovers(commentSpans(p), end) {
		edits = append(edits, text.Edit{Span: text.Span{Start: end, End: before.End}})
	}
	if indent, ok := indentAfter(p, line-1); ok && p.Source.Slice(here) != strings.Repeat(" ", indent) {
		edits = append(edits, text.Edit{Span: here, New: strings.Repeat(" ", indent)})
	}
	if _, q, err := tryEdits(a, p, edits); len(edits) == 0 || err != nil || !sameValues(p.Tree, q.Tree) {
		return nil
	}
	return placeEdits(p, edits)
}

// indentStep is how far a mapping is indented in what it belongs to.
const indentStep = 2

// indentAfter is the indentation of what may stand on the line after one; false
// if that is not for us to say.
func indentAfter(p *analysis.Chunk, line int) (int, bool) {
	span := p.Source.LineSpan(line)
	whole := strings.TrimRight(p.Source.Slice(span), " \t")
	column := len(whole) - len(strings.TrimLeft(whole, " "))
	content := column // behind the dashes
	for strings.HasPrefix(whole[content:], "- ") {
		content += len("-")
		content += len(whole[content:]) - len(strings.TrimLeft(whole[content:], " "))
	}
	words := trimComment(p, span, whole)
	last := p.Tree.NodeAt(span.Start + len(words))
	switch end := words[max(len(words)-1, 0):]; {
	case whole == "" || strings.HasPrefix(whole[column:], "\t"):
		return 0, false
	case words == "": // a comment alone
		return column, true
	case strings.HasSuffix(words, "[") || strings.HasSuffix(words, "{"):
		return column + indentStep, true
	case openBracketStart(last, span.Start+len(words)) >= 0:
		return column, openBracketStart(last, span.Start+len(words)) < span.Start
	case strings.HasSuffix(words[column:], "-") && strings.Trim(words[column:], "- ") == "":
		return len(words) + len(" "), true
	case last.Style == yaml.Literal || last.Style == yaml.Folded:
		return content + indentStep, true
	case keyLength(words[content:]) == 0:
		return column, true
	case end == ":" && expectsList(schemaContextOf(p, last).Type):
		return content + styleOf(p).dash, true
	case end == ":":
		return content + indentStep, true
	}
	return content, true
}

// openBracketStart is where the innermost bracket is that is open at an offset, -1 if
// none is.
func openBracketStart(n *yaml.Node, offset int) int {
	for ; n != nil; n = n.Parent {
		if n.Style == yaml.Flow && n.Span.Start < offset && offset < n.Span.End {
			return n.Span.Start
		}
	}
	return -1
}

// expectsList reports whether what stands under a key on lines of its own is a
// list.
func expectsList(t *schema.Type) bool {
	if t == nil || t.Kind != schema.Union {
		return t != nil && t.Kind == schema.List
	}
	return slices.ContainsFunc(t.Choices, expectsList) && !slices.ContainsFunc(t.Choices, func(c *schema.Type) bool { return c.Kind == schema.Map })
}

// trimComment is a line without the comment at its end.
func trimComment(p *analysis.Chunk, span text.Span, words string) string {
	for _, c := range p.Tree.Comments {
		if span.Contains(c.Span) && c.Span.Start < span.Start+len(words) {
			return strings.TrimRight(words[:c.Span.Start-span.Start], " \t")
		}
	}
	return words
}
