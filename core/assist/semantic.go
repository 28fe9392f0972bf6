package assist

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TokenType is what a token is, by the protocol's names.
type TokenType uint8

// The types of tokens.
const (
	KeyToken       TokenType = iota // a mapping's key
	CaseToken                       // a case's id
	NameToken                       // the id or name of anything else
	ProseToken                      // what a judge reads: a criterion, an outcome, a range
	EnumToken                       // one of the values that a field has
	NumberToken                     // a number
	WordToken                       // true, false or null
	VariableToken                   // a template's variable
	AnchorToken                     // an anchor or an alias
	CommentToken                    // a comment
	tokenTypeCount int       = iota
)

// TokenTypes are the protocol's names of the types, in their order.
var TokenTypes = [tokenTypeCount]string{"property", "class", "function", "string", "enumMember", "number", "keyword", "variable", "label", "comment"}

// Modifiers is a set of what else is said of a token.
type Modifiers uint8

// The modifiers of tokens.
const (
	Declared   Modifiers = 1 << iota // what others refer to
	Deprecated                       // a name of another time
	Unknown                          // nobody reads it
	Judged                           // what a judge is shown
)

// TokenModifiers are the names of the modifiers, from the lowest bit on; all but
// `unknown` are the protocol's.
var TokenModifiers = [...]string{"declaration", "deprecated", "unknown", "documentation"}

// Token is a stretch of one line with a meaning.
type Token struct {
	Span      text.Span
	Type      TokenType
	Modifiers Modifiers
}

// Tokens are those of a part, in order. No two overlap, none is empty, none goes
// over a line's end.
func Tokens(p *analysis.Part) []Token {
	c := &coloring{part: p}
	for _, comment := range p.Tree.Comments {
		c.add(comment.Span, CommentToken, 0)
	}
	walk(p, c.value)
	slices.SortStableFunc(c.tokens, func(a, b Token) int { return a.Span.Start - b.Span.Start })
	return apart(c.tokens)
}

var tokens = analysis.NewMemo(Tokens)

// apart leaves out what overlaps a token before it, as in a text that could not
// be read.
func apart(tokens []Token) []Token {
	end := 0
	return slices.DeleteFunc(tokens, func(t Token) bool {
		if t.Span.Start < end {
			return true
		}
		end = t.Span.End
		return false
	})
}

type coloring struct {
	part   *analysis.Part
	tokens []Token
}

// add adds a token for each line of a span that holds more than blanks.
func (c *coloring) add(span text.Span, kind TokenType, m Modifiers) {
	source := c.part.Source
	for line := source.OffsetLine(span.Start); ; line++ {
		on := source.LineSpan(line)
		if on.Start >= span.End && line > source.OffsetLine(span.Start) {
			return
		}
		piece := text.Span{Start: max(on.Start, span.Start), End: min(on.End, span.End)}
		words := source.Slice(piece)
		piece.End -= len(words) - len(strings.TrimRight(words, " \t"))
		piece.Start += len(words) - len(strings.TrimLeft(words, " \t"))
		if !piece.Empty() {
			c.tokens = append(c.tokens, Token{piece, kind, m})
		}
		if line+1 >= source.Lines() {
			return
		}
	}
}

func (c *coloring) value(v value) {
	if v.pair != nil {
		c.key(v)
	}
	n := v.node
	switch {
	case n.Kind == yaml.Alias:
		c.add(n.Span, AnchorToken, unknownIf(n.Target == nil))
		return
	case n.Anchor != "":
		c.add(n.Props, AnchorToken, Declared)
	}
	if n.Kind == yaml.Scalar {
		kind, m, said := c.scalar(v)
		c.text(v, kind, m, said)
	}
}

func unknownIf(unknown bool) Modifiers {
	if unknown {
		return Unknown
	}
	return 0
}
