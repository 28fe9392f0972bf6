package assist

import (
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// scalarToken is what a scalar is coloured as; false if it is a text like any other.
func (tc *tokenCollector) scalarToken(v value) (kind TokenType, m Modifiers, ok bool) {
	if name, use, ok := valueName(tc.part, v); ok {
		m = 0
		if use.IsDeclaration {
			m = DeclarationModifier
		}
		if name.Kind == CaseName {
			return CaseToken, m, true
		}
		return NameToken, m, true
	}
	value, isText := v.node.Str()
	switch {
	case !isText && (v.node.Tag == yaml.TagInt || v.node.Tag == yaml.TagFloat):
		return NumberToken, 0, true
	case !isText && (v.node.Tag == yaml.TagBool || v.node.Tag == yaml.TagNull):
		return KeywordToken, 0, true
	case v.isJudgedText():
		return ProseToken, JudgedModifier, true
	case v.resolved != nil && v.resolved.Kind == schema.Text && (v.resolved.Values != nil || v.resolved.KnownValues != nil):
		return EnumToken, unknownIf(!listsValue(v.resolved, value)), true
	}
	return 0, 0, false
}

// listsValue reports whether a type knows a text, by one of its names.
func listsValue(t *schema.Type, word string) bool {
	return slices.ContainsFunc(slices.Concat(t.Values, t.KnownValues), func(v schema.Value) bool {
		return v.Text == word || slices.Contains(v.Synonyms, word)
	})
}

// isJudgedText reports whether a text is what a judge goes by: the goal of a case, a
// criterion, what a range means.
func (v value) isJudgedText() bool {
	if v.isBand() || v.place() == agentv.InCriterion {
		return true
	}
	place, _ := agentv.ScopeOf(v.Owner)
	return v.pair != nil && v.Field != nil && slices.Contains(textKeys[place], v.pair.Key.Value)
}

// addScalar colours a scalar, or, of a text that is not coloured as a whole, only its
// variables.
func (tc *tokenCollector) addScalar(v value, kind TokenType, m Modifiers, whole bool) {
	found, known := variableSpans(tc.part, v)
	at := v.node.Span.Start
	if v.node.Style == yaml.Literal || v.node.Style == yaml.Folded { // the mark is no part of the text
		at = min(tc.part.Source.LineSpan(tc.part.Source.OffsetLine(at)).End, v.node.Span.End)
	}
	for _, name := range found {
		if whole {
			tc.add(text.Span{Start: at, End: name.Start}, kind, m)
		}
		tc.add(name, VariableToken, unknownIf(!known(tc.part.Source.Slice(name))))
		at = name.End
	}
	if rest := (text.Span{Start: at, End: v.node.Span.End}); whole && !rest.Empty() {
		tc.add(rest, kind, m)
	}
}
