package syntax

import (
	"strings"
	"unicode"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// HasQuotedKeys reports whether the flow collection around n uses JSON keys in double quotes.
func HasQuotedKeys(n *yaml.Node) bool {
	for up := n.Parent; up != nil; up = up.Parent {
		for _, pair := range up.Pairs {
			if pair.Key != n && up.Style == yaml.Flow {
				return pair.Key.Style == yaml.DoubleQuoted
			}
		}
	}
	return n.Style == yaml.DoubleQuoted
}

// IndentStep is the indentation of a nested mapping.
const IndentStep = 2

// EndOnLine returns where a span ends on its first line.
func EndOnLine(src *text.Source, span text.Span) int {
	return min(span.End, src.LineSpan(src.OffsetLine(span.Start)).End)
}

// ChunkSpan returns the span of a chunk in its file. ok is false for the header, the text around the
// cases, which has two spans.
func ChunkSpan(a *analysis.Analysis, p *analysis.Chunk) (inFile text.Span, ok bool) {
	whole := p.Source.Whole()
	if p.Role != agentv.Cases && p.Header == nil && whole.Len() < a.Length() {
		return text.Span{}, false
	}
	return p.ToFile(whole), true
}

// FullSpan returns the span of a node with its anchor and tag.
func FullSpan(n *yaml.Node) text.Span {
	if n.Props.Empty() {
		return n.Span
	}
	return n.Props.Cover(n.Span)
}

// UnquotedSpan returns the span of a node without its quotes.
func UnquotedSpan(n *yaml.Node) text.Span {
	if quoted := n.Style == yaml.SingleQuoted || n.Style == yaml.DoubleQuoted; quoted && n.Span.Len() >= 2 {
		return text.Span{Start: n.Span.Start + 1, End: n.Span.End - 1}
	}
	return n.Span
}

// WordAt returns the word around an offset within a span; it may be empty.
func WordAt(body string, offset int, within text.Span, isWordRune func(rune) bool) text.Span {
	before, after := body[min(within.Start, offset):offset], body[offset:max(within.End, offset)]
	return text.Span{
		Start: offset - len(before) + len(strings.TrimRightFunc(before, isWordRune)),
		End:   offset + len(after) - len(strings.TrimLeftFunc(after, isWordRune)),
	}
}

// IsWordRune reports whether a rune belongs to a word.
func IsWordRune(r rune) bool {
	return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

// Style says how new lines are to be written.
type Style struct {
	Newline string
	Dash    int  // columns from a key to the dashes of its list
	Json    bool // keys and texts are in double quotes
}

// StyleOf derives the style from a chunk, and the dash from how the file indents the chunk itself.
func StyleOf(p *analysis.Chunk) Style {
	s := Style{Newline: "\n", Dash: 2}
	if strings.Contains(p.Source.Body, "\r\n") {
		s.Newline = "\r\n"
	}
	root := p.Tree.Root()
	if root.Kind == yaml.Sequence && root.Style == yaml.Block && p.Header != nil {
		s.Dash = min(ColumnOf(p.Source, root), 4)
	}
	found := false
	yaml.Walk(root, func(n *yaml.Node) bool {
		for _, pair := range n.Pairs {
			if v := pair.Value; !found && n.Style == yaml.Block && v.Kind == yaml.Sequence && v.Style == yaml.Block && len(v.Items) > 0 {
				s.Dash, found = max(ColumnOf(p.Source, v)-ColumnOf(p.Source, pair.Key), 0), true
			}
		}
		return !found
	})
	return s
}

// ColumnOf returns the column of a node in bytes.
func ColumnOf(src *text.Source, n *yaml.Node) int {
	return src.OffsetPosition(n.Span.Start, text.UTF8).Character
}
