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
	c.value(t, n, place{})
	return c.found
}

type checker struct{ found []Mismatch }

// place is where a value stands.
type place struct {
	owner *schema.Type
	field *schema.Field
	key   *yaml.Node // the key it is the value of
}

func (c *checker) add(m Mismatch, at place) {
	m.Owner, m.Field = at.owner, at.field
	if at.key != nil && m.Key == "" {
		m.Key = at.key.Value
	}
	c.found = append(c.found, m)
}

func (c *checker) value(t *schema.Type, n *yaml.Node, at place) {
	if t.Kind == schema.Any {
		return
	}
	target := n.Follow()
	if target == nil || target.Recovered && target.IsNull() {
		return // reported as what it is, by the parser
	}
	if target.IsNull() {
		m := Mismatch{Kind: Absent, Node: n, Span: n.Span, Type: t}
		if n.Span.Empty() && at.key != nil {
			m.Span = at.key.Span
		}
		c.add(m, at)
		return
	}
	shape := shapeOf(t, target)
	if shape == nil {
		c.add(Mismatch{Kind: WrongType, Node: n, Span: n.Span, Type: t}, at)
		return
	}
	switch shape.Kind {
	case schema.Text:
		c.text(shape, n, at)
	case schema.Number:
		c.number(shape, n, at)
	case schema.List:
		c.list(shape, n, at)
	case schema.Map:
		c.mapping(shape, n)
	}
}

// shapeOf is t, or the choice of a union, that has the value's shape; nil if
// there is none.
func shapeOf(t *schema.Type, n *yaml.Node) *schema.Type {
	if t.Kind == schema.Union {
		for _, choice := range t.Choices {
			if s := shapeOf(choice, n); s != nil {
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

func (c *checker) text(t *schema.Type, n *yaml.Node, at place) {
	value, _ := n.Str()
	m := Mismatch{Node: n, Span: n.Span, Type: t}
	switch {
	case t.Values != nil && !among(t.Values, value):
		m.Kind, m.Near = UnknownValue, meant(value, t.Values)
	case slices.Contains(t.Refused, value):
		m.Kind, m.Near = UnknownValue, renamed(value, t.Known)
	case t.Known != nil && !among(t.Known, value):
		m.Kind, m.Near = OddValue, meant(value, t.Known)
	case t.NonEmpty && strings.TrimSpace(value) == "":
		m.Kind = Blank
	default:
		return
	}
	c.add(m, at)
}

func among(values []schema.Value, text string) bool {
	for _, v := range values {
		if v.Text == text {
			return true
		}
	}
	return false
}

// meant is the value that goes by another name elsewhere, or is nearest.
func meant(text string, values []schema.Value) string {
	if name := renamed(text, values); name != "" {
		return name
	}
	return spell.Nearest(text, texts(values))
}

// renamed is the value that goes by another name elsewhere, "" if none does.
func renamed(text string, values []schema.Value) string {
	for _, v := range values {
		if slices.Contains(v.Not, text) {
			return v.Text
		}
	}
	return ""
}

func texts(values []schema.Value) []string {
	var out []string
	for _, v := range values {
		out = append(out, v.Text)
	}
	return out
}

func (c *checker) number(t *schema.Type, n *yaml.Node, at place) {
	value, _ := n.Number()
	m := Mismatch{Node: n, Span: n.Span, Type: t}
	switch {
	case math.IsNaN(value) || math.IsInf(value, 0), t.Min != nil && (value < *t.Min || t.Above && value == *t.Min), t.Max != nil && value > *t.Max:
		m.Kind = OutOfBounds
	case t.Whole && value != math.Trunc(value):
		m.Kind = NotWhole
	default:
		return
	}
	c.add(m, at)
}

func (c *checker) list(t *schema.Type, n *yaml.Node, at place) {
	items := n.List()
	if target := n.Follow(); !target.Recovered && (len(items) < t.MinLength || t.MaxLength > 0 && len(items) > t.MaxLength) {
		c.add(Mismatch{Kind: WrongLength, Node: n, Span: n.Span, Type: t}, at)
	}
	for _, item := range items {
		c.value(t.Items, item, place{owner: at.owner, field: at.field})
	}
}
