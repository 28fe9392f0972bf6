// Package format tidies lines without changing a value or a comment.
package format

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/analysis/rewrite"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
	"github.com/rubric-ls/rubric/core/yaml/lines"
)

// FormatRange returns edits, in spans of the file, that tidy the lines of a span: no trailing
// blanks, and one space between a key and its value.
//
// Comments and values stay. Each chunk is parsed again with its edits; an invalid file is parsed
// again as a whole, because edits can change error recovery. If a value would change, no edits are
// returned.
func FormatRange(a *analysis.Analysis, span text.Span) (all []text.Edit) {
	valid := true
	for p := range a.ChunksIn(span) {
		local := text.Span{Start: p.FromFile(span.Start), End: p.FromFile(span.End)}
		if inFile, ok := syntax.ChunkSpan(a, p); ok {
			local = text.Span{Start: max(span.Start, inFile.Start), End: min(span.End, inFile.End)}.Shift(-inFile.Start)
		}
		all = append(all, checkedEdits(a, p, tidyEdits(p, local))...)
		valid = valid && len(p.Tree.Problems) == 0
	}
	if !valid && len(all) > 0 && !rewrite.SameValues(a.Tree(), rewrite.ApplyEdits(a, all).Tree()) {
		return nil
	}
	return all
}

// checkedEdits returns edits of a chunk in spans of the file, or none if they would change a value.
func checkedEdits(a *analysis.Analysis, p *analysis.Chunk, edits []text.Edit) []text.Edit {
	if _, q, err := rewrite.TryEdits(a, p, edits); len(edits) == 0 || err != nil || !rewrite.SameValues(p.Tree, q.Tree) {
		return nil
	}
	return rewrite.PlaceEdits(p, edits)
}

// tidyEdits returns the edits that tidy the lines of a span.
func tidyEdits(p *analysis.Chunk, span text.Span) (edits []text.Edit) {
	protected := append(multilineScalars(p), commentSpans(p)...)
	for line := p.Source.OffsetLine(span.Start); line <= p.Source.OffsetLine(span.End); line++ {
		lineSpan := p.Source.LineSpan(line)
		lineText := p.Source.Slice(lineSpan)
		if end := lineSpan.Start + len(strings.TrimRight(lineText, " \t")); end < lineSpan.End && !anyCovers(protected, end) {
			edits = append(edits, text.Edit{Span: text.Span{Start: end, End: lineSpan.End}})
		}
	}
	for n := range p.Tree.Nodes() {
		for _, pair := range n.Pairs {
			gap := text.Span{Start: pair.Key.Span.End, End: pair.Value.FullSpan().Start}
			if pair.Value.Span.Empty() || !span.Contains(gap) {
				continue
			}
			written := p.Source.Slice(gap)
			if between := strings.Trim(written, " "); between == ":" && written != ": " && written != ":" {
				edits = append(edits, text.Edit{Span: gap, New: ": "})
			}
		}
	}
	return edits
}

// multilineScalars returns the spans of scalars on several lines.
func multilineScalars(p *analysis.Chunk) (spans []text.Span) {
	for n := range p.Tree.Nodes() {
		if n.Kind == yaml.Scalar && p.Source.OffsetLine(n.Span.Start) != p.Source.OffsetLine(n.Span.End) {
			spans = append(spans, n.Span)
		}
	}
	return spans
}

func commentSpans(p *analysis.Chunk) (spans []text.Span) {
	for _, c := range p.Tree.Comments {
		spans = append(spans, c.Span)
	}
	return spans
}

// anyCovers reports whether an offset is inside a span or at its end.
func anyCovers(spans []text.Span, offset int) bool {
	return slices.ContainsFunc(spans, func(span text.Span) bool { return span.Start < offset && offset <= span.End })
}

// FormatOnEnter returns edits, in spans of the file, for after a line break was typed. It indents
// the new line if that is blank, and trims the line before. Lines inside a scalar stay.
func FormatOnEnter(a *analysis.Analysis, offset int) []text.Edit {
	p := a.ChunkAt(offset)
	local := p.FromFile(offset)
	line := p.Source.OffsetLine(local)
	lineSpan := p.Source.LineSpan(line)
	if line == 0 || strings.Trim(p.Source.Slice(lineSpan), " \t") != "" {
		return nil
	}
	before := p.Source.LineSpan(line - 1)
	lineText := p.Source.Slice(before)
	trimmed := strings.TrimRight(lineText, " \t")
	end := before.Start + len(trimmed)
	if anyCovers(multilineScalars(p), end) {
		return nil
	}
	var edits []text.Edit
	if end < before.End && !anyCovers(commentSpans(p), end) {
		edits = append(edits, text.Edit{Span: text.Span{Start: end, End: before.End}})
	}
	if indent, ok := indentAfter(p, line-1); ok && p.Source.Slice(lineSpan) != strings.Repeat(" ", indent) {
		edits = append(edits, text.Edit{Span: lineSpan, New: strings.Repeat(" ", indent)})
	}
	return checkedEdits(a, p, edits)
}

// indentAfter returns the indentation of the line after a given one; false if unknown.
func indentAfter(p *analysis.Chunk, line int) (int, bool) {
	span := p.Source.LineSpan(line)
	whole := strings.TrimRight(p.Source.Slice(span), " \t")
	column := len(whole) - len(strings.TrimLeft(whole, " "))
	content := column // column after the dashes
	for strings.HasPrefix(whole[content:], "- ") {
		content += len("-")
		content += len(whole[content:]) - len(strings.TrimLeft(whole[content:], " "))
	}
	words := trimComment(p, span, whole)
	last := p.Tree.NodeAt(span.Start + len(words))
	switch end := words[max(len(words)-1, 0):]; {
	case whole == "" || strings.HasPrefix(whole[column:], "\t"):
		return 0, false
	case words == "": // only a comment
		return column, true
	case strings.HasSuffix(words, "[") || strings.HasSuffix(words, "{"):
		return column + syntax.IndentStep, true
	case openBracketStart(last, span.Start+len(words)) >= 0:
		return column, openBracketStart(last, span.Start+len(words)) < span.Start
	case strings.HasSuffix(words[column:], "-") && strings.Trim(words[column:], "- ") == "":
		return len(words) + len(" "), true
	case last.Style == yaml.Literal || last.Style == yaml.Folded:
		return content + syntax.IndentStep, true
	case lines.KeyLength(words[content:]) == 0:
		return column, true
	case end == ":" && expectsList(syntax.ContextOf(p, last).Type):
		return content + syntax.StyleOf(p).Dash, true
	case end == ":":
		return content + syntax.IndentStep, true
	}
	return content, true
}

// openBracketStart returns the offset of the innermost bracket that is open at an offset, or -1.
func openBracketStart(n *yaml.Node, offset int) int {
	for ; n != nil; n = n.Parent {
		if n.Style == yaml.Flow && n.Span.Start < offset && offset < n.Span.End {
			return n.Span.Start
		}
	}
	return -1
}

// expectsList reports whether a key's value on its own lines is a list.
func expectsList(t *schema.Type) bool {
	if t == nil || t.Kind != schema.Union {
		return t != nil && t.Kind == schema.List
	}
	return slices.ContainsFunc(t.Choices, expectsList) && !slices.ContainsFunc(t.Choices, func(c *schema.Type) bool { return c.Kind == schema.Map })
}

// trimComment returns a line without its trailing comment.
func trimComment(p *analysis.Chunk, span text.Span, words string) string {
	for _, c := range p.Tree.Comments {
		if span.Contains(c.Span) && c.Span.Start < span.Start+len(words) {
			return strings.TrimRight(words[:c.Span.Start-span.Start], " \t")
		}
	}
	return words
}

// InRange returns the edits that format the lines of a span. They change no comment and no meaning.
func InRange(f *ide.File, within text.Span) []ide.TextEdit {
	return f.TextEdits(FormatRange(f.Analysis, within))
}

// NewLine is the character after which an editor calls [AfterNewLine].
const NewLine = "\n"

// AfterNewLine returns the edits after a line break was typed.
func AfterNewLine(f *ide.File, offset int) []ide.TextEdit {
	return f.TextEdits(FormatOnEnter(f.Analysis, offset))
}
