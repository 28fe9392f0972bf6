package assist

import (
	"cmp"
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
)

// PositionedToken is a token with where it is in the file, in a client's units.
type PositionedToken struct {
	Start     text.Position
	Length    int
	Type      TokenType
	Modifiers Modifiers
}

// TokensIn are the tokens of a stretch of a file, in the order of the file.
func TokensIn(a *analysis.Analysis, span text.Span, enc text.Encoding) (all []PositionedToken) {
	for spot, found := range tokenCache.EachIn(a, span, false) {
		for _, t := range found {
			at := spot.ToFile(t.Span)
			if at.End <= span.Start || span.End <= at.Start {
				continue
			}
			r := a.Range(at, enc)
			all = append(all, PositionedToken{r.Start, r.End.Character - r.Start.Character, t.Type, t.Modifiers})
		}
	}
	slices.SortStableFunc(all, func(a, b PositionedToken) int {
		return cmp.Or(a.Start.Line-b.Start.Line, a.Start.Character-b.Start.Character)
	})
	return all
}

// encodedTokenSize is how many numbers a token takes in the protocol.
const encodedTokenSize = 5

// EncodeTokens are tokens in the order of the file as the protocol has them: five
// numbers each, lines and columns counted from the token before.
func EncodeTokens(tokens []PositionedToken) []uint32 {
	data := make([]uint32, 0, encodedTokenSize*len(tokens))
	var last text.Position
	for _, t := range tokens {
		column := t.Start.Character
		if t.Start.Line == last.Line {
			column -= last.Character
		}
		data = append(data, uint32(t.Start.Line-last.Line), uint32(column), uint32(t.Length), uint32(t.Type), uint32(t.Modifiers))
		last = t.Start
	}
	return data
}

// TokenEdit replaces Deleted numbers from Start on.
type TokenEdit struct {
	Start, Deleted int
	Data           []uint32
}

// DiffTokens is the edit that makes after of before; false if they are the same.
// Both are as [EncodeTokens] gives them; tokens are replaced as a whole.
func DiffTokens(before, after []uint32) (edit TokenEdit, changed bool) {
	same := func(i, j int) bool {
		return [encodedTokenSize]uint32(before[i:]) == [encodedTokenSize]uint32(after[j:])
	}
	first, end, last := 0, len(before), len(after)
	for first < min(end, last) && same(first, first) {
		first += encodedTokenSize
	}
	for end > first && last > first && same(end-encodedTokenSize, last-encodedTokenSize) {
		end, last = end-encodedTokenSize, last-encodedTokenSize
	}
	if first == end && first == last {
		return TokenEdit{}, false
	}
	return TokenEdit{Start: first, Deleted: end - first, Data: after[first:last]}, true
}
