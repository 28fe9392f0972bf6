package conform

import (
	"math"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Check gives the mismatches between n and t in the order of the text. It follows
// aliases, so n must not be of an endless tree.
func Check(t *schema.Type, n *yaml.Node) []Mismatch {
	c := &checker{}
	c.checkValue(t, n, location{})
	return c.mismatches
}

type checker struct{ mismatches []Mismatch }

// location is where a value stands.
type location struct {
	owner *schema.Type
	field *schema.Field
	key   *yaml.Node // the key it is the value of
}

func (c *checker) report(m Mismatch, loc location) {
	m.Owner, m.Field = loc.owner, loc.field
	if loc.key != nil && m.Key == "" {
		m.Key = loc.key.Value
	}
	c.mismatches = append(c.mismatches, m)
}

func (c *checker) checkValue(t *schema.Type, n *yaml.Node, loc location) {
	if t.Kind == schema.Any {
		return
	}
	target := n.Follow()
	if target == nil || target.Recovered && target.IsNull() {
		return // reported as what it is, by the parser
	}
	if target.IsNull() {
		m := Mismatch{Kind: NoValue, Node: n, Span: n.Span, Type: t}
		if n.Span.Empty() && loc.key != nil {
			m.Span = loc.key.Span
		}
		c.report(m, loc)
		return
	}
	matched := matchType(t, target)
	if matched == nil {
		c.report(Mismatch{Kind: WrongType, Node: n, Span: n.Span, Type: t}, loc)
		return
	}
	switch matched.Kind {
	case schema.Text:
		c.checkText(matched, n, loc)
	case schema.Number:
		c.checkNumber(matched, n, loc)
	case schema.List:
		c.checkList(matched, n, loc)
	case schema.Map:
		c.checkMapping(matched, n)
	}
}

// matchType is t, or the choice of a union, that has the value's shape; nil if
// there is none.
func matchType(t *schema.Type, n *yaml.Node) *schema.Type {
	if t.Kind == schema.Union {
		for _, choice := range t.Choices {
			if s := matchType(choice, n); s != nil {
				return s
			}
		}
		return nil
	}
	fits := false
	switch t.Kind {
	case schema.Any:
		fits = true
	case schema.Text:
		_, fits = n.Str()
	case schema.Number:
		_, fits = n.Number()
	case schema.Bool:
		_, fits = n.Bool()
	case schema.List:
		fits = n.IsSeq()
	case schema.Map:
		fits = n.IsMap()
	}
	if !fits {
		return nil
	}
	return t
}

func (c *checker) checkText(t *schema.Type, n *yaml.Node, loc location) {
	value, _ := n.Str()
	m := Mismatch{Node: n, Span: n.Span, Type: t}
	switch {
	case t.Values != nil && !hasValue(t.Values, value):
		m.Kind, m.Suggestion = UnknownValue, suggestValue(value, t.Values)
	case slices.Contains(t.RefusedValues, value):
		m.Kind, m.Suggestion = UnknownValue, findSynonym(value, t.KnownValues)
	case t.KnownValues != nil && !hasValue(t.KnownValues, value):
		m.Kind, m.Suggestion = UnlistedValue, suggestValue(value, t.KnownValues)
	case t.NonEmpty && strings.TrimSpace(value) == "":
		m.Kind = BlankText
	default:
		return
	}
	c.report(m, loc)
}

func hasValue(values []schema.Value, text string) bool {
	for _, v := range values {
		if v.Text == text {
			return true
		}
	}
	return false
}

// suggestValue is the value that goes by another name elsewhere, or is nearest.
func suggestValue(text string, values []schema.Value) string {
	if name := findSynonym(text, values); name != "" {
		return name
	}
	return spell.Nearest(text, valueTexts(values))
}

// findSynonym is the value that goes by another name elsewhere, "" if none does.
func findSynonym(text string, values []schema.Value) string {
	for _, v := range values {
		if slices.Contains(v.Synonyms, text) {
			return v.Text
		}
	}
	return ""
}

func valueTexts(values []schema.Value) []string {
	var out []string
	for _, v := range values {
		out = append(out, v.Text)
	}
	return out
}

func (c *checker) checkNumber(t *schema.Type, n *yaml.Node, loc location) {
	value, _ := n.Number()
	m := Mismatch{Node: n, Span: n.Span, Type: t}
	switch {
	case math.IsNaN(value) || math.IsInf(value, 0), t.Min != nil && (value < *t.Min || t.ExcludesMin && value == *t.Min), t.Max != nil && value > *t.Max:
		m.Kind = OutOfBounds
	case t.IsInteger && value != math.Trunc(value):
		m.Kind = NotWhole
	default:
		return
	}
	c.report(m, loc)
}

func (c *checker) checkList(t *schema.Type, n *yaml.Node, loc location) {
	items := n.List()
	if target := n.Follow(); !target.Recovered && (len(items) < t.MinLength || t.MaxLength > 0 && len(items) > t.MaxLength) {
		c.report(Mismatch{Kind: WrongLength, Node: n, Span: n.Span, Type: t}, loc)
	}
	for _, item := range items {
		c.checkValue(t.Items, item, location{owner: loc.owner, field: loc.field})
	}
}
