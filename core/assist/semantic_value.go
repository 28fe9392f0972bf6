package assist

import (
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// scalar is what a scalar is coloured as; false if it is a text like any other.
func (c *coloring) scalar(v value) (kind TokenType, m Modifiers, said bool) {
	if name, use, ok := nameOfValue(c.part, v); ok {
		m = 0
		if use.Declares {
			m = Declared
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
		return WordToken, 0, true
	case v.isGraded():
		return ProseToken, Judged, true
	case v.shape != nil && v.shape.Kind == schema.Text && (v.shape.Values != nil || v.shape.Known != nil):
		return EnumToken, unknownIf(!lists(v.shape, value)), true
	}
	return 0, 0, false
}

// lists reports whether a type knows a text, by one of its names.
func lists(t *schema.Type, word string) bool {
	return slices.ContainsFunc(slices.Concat(t.Values, t.Known), func(v schema.Value) bool {
		return v.Text == word || slices.Contains(v.Not, word)
	})
}

// isGraded reports whether a text is what a judge goes by: the goal of a case, a
// criterion, what a range means.
func (v value) isGraded() bool {
	if v.isBand() || v.placeOf() == agentv.InCriterion {
		return true
	}
	place, _ := agentv.PlaceOf(v.Owner)
	return v.pair != nil && v.Field != nil && slices.Contains(textKeys[place], v.pair.Key.Value)
}

// text colours a scalar, or, of a text that is not coloured as a whole, only its
// variables.
func (c *coloring) text(v value, kind TokenType, m Modifiers, said bool) {
	found, known := slotsOf(c.part, v)
	at := v.node.Span.Start
	if v.node.Style == yaml.Literal || v.node.Style == yaml.Folded { // the mark is no part of the text
		at = min(c.part.Source.LineSpan(c.part.Source.OffsetLine(at)).End, v.node.Span.End)
	}
	for _, name := range found {
		if said {
			c.add(text.Span{Start: at, End: name.Start}, kind, m)
		}
		c.add(name, VariableToken, unknownIf(!known(c.part.Source.Slice(name))))
		at = name.End
	}
	if rest := (text.Span{Start: at, End: v.node.Span.End}); said && !rest.Empty() {
		c.add(rest, kind, m)
	}
}
