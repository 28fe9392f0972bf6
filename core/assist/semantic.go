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
	KeywordToken                    // true, false or null
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
	DeclarationModifier Modifiers = 1 << iota // what others refer to
	DeprecatedModifier                        // a name of another time
	UnknownModifier                           // nobody reads it
	JudgedModifier                            // what a judge is shown
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
func Tokens(p *analysis.Chunk) []Token {
	c := &tokenCollector{part: p}
	for _, comment := range p.Tree.Comments {
		c.add(comment.Span, CommentToken, 0)
	}
	walkValues(p, c.addValue)
	slices.SortStableFunc(c.tokens, func(a, b Token) int { return a.Span.Start - b.Span.Start })
	return dropOverlaps(c.tokens)
}

var tokenCache = analysis.NewChunkCache(Tokens)

// dropOverlaps leaves out what overlaps a token before it, as in a text that could not
// be read.
func dropOverlaps(tokens []Token) []Token {
	end := 0
	return slices.DeleteFunc(tokens, func(t Token) bool {
		if t.Span.Start < end {
			return true
		}
		end = t.Span.End
		return false
	})
}

type tokenCollector struct {
	part   *analysis.Chunk
	tokens []Token
}

// add adds a token for each line of a span that holds more than blanks.
func (tc *tokenCollector) add(span text.Span, kind TokenType, m Modifiers) {
	source := tc.part.Source
	for line := source.OffsetLine(span.Start); ; line++ {
		on := source.LineSpan(line)
		if on.Start >= span.End && line > source.OffsetLine(span.Start) {
			return
		}
		lineSpan := text.Span{Start: max(on.Start, span.Start), End: min(on.End, span.End)}
		words := source.Slice(lineSpan)
		lineSpan.End -= len(words) - len(strings.TrimRight(words, " \t"))
		lineSpan.Start += len(words) - len(strings.TrimLeft(words, " \t"))
		if !lineSpan.Empty() {
			tc.tokens = append(tc.tokens, Token{lineSpan, kind, m})
		}
		if line+1 >= source.Lines() {
			return
		}
	}
}

func (tc *tokenCollector) addValue(v value) {
	if v.pair != nil {
		tc.addKey(v)
	}
	n := v.node
	switch {
	case n.Kind == yaml.Alias:
		tc.add(n.Span, AnchorToken, unknownIf(n.Target == nil))
		return
	case n.Anchor != "":
		tc.add(n.Props, AnchorToken, DeclarationModifier)
	}
	if n.Kind == yaml.Scalar {
		kind, m, whole := tc.scalarToken(v)
		tc.addScalar(v, kind, m, whole)
	}
}

func unknownIf(unknown bool) Modifiers {
	if unknown {
		return UnknownModifier
	}
	return 0
}
