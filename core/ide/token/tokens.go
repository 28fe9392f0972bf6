// Package token classifies words for semantic highlighting.
package token

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/seed"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/naming"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TokenType is the type of a semantic token, an index into [TokenTypes].
type TokenType uint8

// Token types.
const (
	KeyToken       TokenType = iota // a mapping's key
	CaseToken                       // a case's id
	NameToken                       // id or name of anything else
	ProseToken                      // text that a judge reads: a criterion, an outcome, a band
	EnumToken                       // listed value of a field
	NumberToken                     // a number
	KeywordToken                    // true, false, null or <<
	VariableToken                   // a template's variable
	AnchorToken                     // an anchor or an alias
	CommentToken                    // a comment
	tokenTypeCount int       = iota
)

// TokenTypes are the LSP names of the types.
var TokenTypes = [tokenTypeCount]string{"property", "class", "function", "string", "enumMember", "number", "keyword", "variable", "label", "comment"}

// Modifiers is a set of token modifiers.
type Modifiers uint8

// Token modifiers.
const (
	DeclarationModifier Modifiers = 1 << iota // declares a name
	DeprecatedModifier                        // older name or retired key
	UnknownModifier                           // the runner ignores it
	JudgedModifier                            // shown to a judge
)

// TokenModifiers are the names of the modifiers, from the lowest bit. All but `unknown` are standard
// LSP modifiers.
var TokenModifiers = [...]string{"declaration", "deprecated", "unknown", "documentation"}

// A Token is a span of one line with a meaning.
type Token struct {
	Span      text.Span
	Type      TokenType
	Modifiers Modifiers
}

// Tokens returns the tokens of a chunk in order. They do not overlap, and none is empty or spans
// lines.
func Tokens(p *analysis.Chunk) []Token {
	tc := &tokenCollector{chunk: p}
	for _, comment := range p.Tree.Comments {
		tc.add(comment.Span, CommentToken, 0)
	}
	syntax.WalkValues(p, tc.addValue)
	generic.SortStable(tc.tokens, func(a, b Token) int { return a.Span.Start - b.Span.Start })
	return dropOverlaps(tc.tokens)
}

var tokenCache = analysis.NewChunkCache(Tokens)

// dropOverlaps removes tokens that overlap an earlier one, which happens in invalid text.
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
	chunk  *analysis.Chunk
	tokens []Token
}

// add adds a token for each non-blank line of a span.
func (tc *tokenCollector) add(span text.Span, kind TokenType, m Modifiers) {
	source := tc.chunk.Source
	for line := source.OffsetLine(span.Start); ; line++ {
		whole := source.LineSpan(line)
		if whole.Start >= span.End && line > source.OffsetLine(span.Start) {
			return
		}
		lineSpan := text.Span{Start: max(whole.Start, span.Start), End: min(whole.End, span.End)}
		lineText := source.Slice(lineSpan)
		lineSpan.End -= len(lineText) - len(strings.TrimRight(lineText, " \t"))
		lineSpan.Start += len(lineText) - len(strings.TrimLeft(lineText, " \t"))
		if !lineSpan.Empty() {
			tc.tokens = append(tc.tokens, Token{lineSpan, kind, m})
		}
		if line+1 >= source.Lines() {
			return
		}
	}
}

func (tc *tokenCollector) addValue(v syntax.Value) {
	if v.Pair != nil {
		tc.addKey(v)
	}
	n := v.Node
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

func (tc *tokenCollector) addKey(v syntax.Value) {
	key := v.Pair.Key
	switch {
	case key.Kind == yaml.Alias:
		tc.add(key.Span, AnchorToken, unknownIf(key.Target == nil))
	case key.Kind != yaml.Scalar:
	case v.Pair.IsMerge():
		tc.add(key.Span, KeywordToken, 0)
	case v.Owner == seed.ScoreMapType:
		tc.add(key.Span, NumberToken, unknownIf(v.Type == nil))
	default:
		tc.add(key.Span, KeyToken, keyModifiers(v))
	}
}

// keyModifiers says whether the runner reads the key.
func keyModifiers(v syntax.Value) Modifiers {
	key := v.Pair.Key.Value
	switch scope, _ := agentv.ScopeOf(v.Owner); {
	case v.Owner == nil:
		return 0
	case v.Field != nil && (v.Field.RemovedIn != "" || slices.Contains(v.Field.DeprecatedNames, key)):
		return DeprecatedModifier
	case v.Type != nil:
		return 0
	case agentv.LookupConcept(key, scope) != nil:
		return DeprecatedModifier | UnknownModifier
	}
	return UnknownModifier
}

// scalarToken returns the token of a scalar; false for ordinary text.
func (tc *tokenCollector) scalarToken(v syntax.Value) (kind TokenType, m Modifiers, ok bool) {
	if name, use, ok := naming.ValueName(tc.chunk, v); ok {
		m = 0
		if use.IsDeclaration {
			m = DeclarationModifier
		}
		if name.Kind == naming.CaseName {
			return CaseToken, m, true
		}
		return NameToken, m, true
	}
	value, isText := v.Node.Str()
	switch {
	case !isText && (v.Node.Tag == yaml.TagInt || v.Node.Tag == yaml.TagFloat):
		return NumberToken, 0, true
	case !isText && (v.Node.Tag == yaml.TagBool || v.Node.Tag == yaml.TagNull):
		return KeywordToken, 0, true
	case isJudgedText(v):
		return ProseToken, JudgedModifier, true
	case v.Resolved != nil && v.Resolved.Kind == schema.Text && (v.Resolved.Values != nil || v.Resolved.KnownValues != nil):
		return EnumToken, unknownIf(!listsValue(v.Resolved, value)), true
	}
	return 0, 0, false
}

// listsValue reports whether a type lists a string or a misnomer of one.
func listsValue(t *schema.Type, word string) bool {
	return slices.ContainsFunc(slices.Concat(t.Values, t.KnownValues), func(v schema.Value) bool {
		return v.Text == word || slices.Contains(v.Synonyms, word)
	})
}

// isJudgedText reports whether a judge reads the string: an outcome, a criterion, the text of a
// band.
func isJudgedText(v syntax.Value) bool {
	if v.IsBand() || v.Scope() == agentv.InCriterion {
		return true
	}
	scope, _ := agentv.ScopeOf(v.Owner)
	return v.Pair != nil && v.Field != nil && slices.Contains(syntax.TextKeys[scope], v.Pair.Key.Value)
}

// addScalar adds the tokens of a scalar. If whole is false, it adds only its variables.
func (tc *tokenCollector) addScalar(v syntax.Value, kind TokenType, m Modifiers, whole bool) {
	found, known := naming.VariableSpans(tc.chunk, v)
	at := v.Node.Span.Start
	if v.Node.Style == yaml.Literal || v.Node.Style == yaml.Folded { // skip the block scalar header
		at = min(tc.chunk.Source.LineSpan(tc.chunk.Source.OffsetLine(at)).End, v.Node.Span.End)
	}
	for _, name := range found {
		if whole {
			tc.add(text.Span{Start: at, End: name.Start}, kind, m)
		}
		tc.add(name, VariableToken, unknownIf(!known(tc.chunk.Source.Slice(name))))
		at = name.End
	}
	if rest := (text.Span{Start: at, End: v.Node.Span.End}); whole && !rest.Empty() {
		tc.add(rest, kind, m)
	}
}

// tokenSize is the number of integers of a token.
const tokenSize = 5

// InRange returns the semantic tokens of a span, as in LSP: five integers each, with lines and columns
// relative to the previous token.
func InRange(f *ide.File, within text.Span) ide.SemanticTokens {
	var found []Token // in spans of the file
	for placement, tokens := range tokenCache.EachIn(f.Analysis, within, false) {
		for _, t := range tokens {
			if t.Span = placement.ToFile(t.Span); t.Span.End > within.Start && within.End > t.Span.Start {
				found = append(found, t)
			}
		}
	}
	generic.SortStable(found, func(a, b Token) int { return a.Span.Start - b.Span.Start })
	data := make([]uint32, 0, tokenSize*len(found))
	var last text.Position
	for _, t := range found {
		r := f.SpanRange(t.Span)
		column := r.Start.Character
		if r.Start.Line == last.Line {
			column -= last.Character
		}
		data = append(data, uint32(r.Start.Line-last.Line), uint32(column), uint32(r.End.Character-r.Start.Character), uint32(t.Type), uint32(t.Modifiers))
		last = r.Start
	}
	return ide.SemanticTokens{Data: data}
}

// A TokenEdit replaces Deleted integers from Start by Data.
type TokenEdit struct {
	Start, Deleted int
	Data           []uint32
}

// DiffTokens returns the edit from before to after, both of [InRange]; false if they
// are equal. Tokens are replaced as a whole.
func DiffTokens(before, after []uint32) (edit TokenEdit, changed bool) {
	same := func(i, j int) bool {
		return [tokenSize]uint32(before[i:]) == [tokenSize]uint32(after[j:])
	}
	first, end, last := 0, len(before), len(after)
	for first < min(end, last) && same(first, first) {
		first += tokenSize
	}
	for end > first && last > first && same(end-tokenSize, last-tokenSize) {
		end, last = end-tokenSize, last-tokenSize
	}
	if first == end && first == last {
		return TokenEdit{}, false
	}
	return TokenEdit{Start: first, Deleted: end - first, Data: after[first:last]}, true
}
