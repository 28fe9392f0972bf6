package assist

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// values adds what could be the value, or the item, that the word is.
func (m *menu) values(s slot, n *yaml.Node) {
	if s.Type == nil {
		m.paths(s, n)
		return
	}
	m.scalars(s)
	m.names(s, n)
	m.paths(s, n)
	if m.flow != nil && pairOf(n) == nil && m.word.Empty() {
		for _, shape := range shapes(s.Type) {
			m.items = append(m.items, m.wholes(shape, "", 0)...)
		}
	}
	if m.flow != nil || pairOf(n) == nil || !m.word.Empty() {
		return
	}
	column := columnOf(m.part.Source, pairOf(n).Key)
	for _, shape := range collections(s.Type) {
		k := m.sketch()
		k.value(shape, s.Field, column)
		m.snippet(shape, strings.TrimPrefix(k.b.String(), " "), k.stops)
	}
}

// scalars adds the texts that a type lists, and true and false.
func (m *menu) scalars(s slot) {
	byDefault := ""
	if s.Field != nil {
		byDefault = strings.Trim(s.Field.Default, "`")
	}
	for _, shape := range shapes(s.Type) {
		k := m.sketch()
		for _, v := range slices.Concat(shape.Values, shape.Known) {
			item := Item{Label: v.Text, Kind: ValueItem, Detail: v.Doc}
			if s.Owner != nil && s.Field != nil {
				item.Topic = topic(s.Owner, s.Field.Key, v.Text)
			}
			m.add(item, k.scalar(v.Text), nil)
		}
		if shape.Kind != schema.Bool {
			continue
		}
		for _, word := range []string{"true", "false"} {
			item := Item{Label: word, Kind: ValueItem}
			if strings.HasPrefix(byDefault, word) {
				item.Detail = "the default"
			}
			m.add(item, word, nil)
		}
	}
}

// shapes are a type, or the shapes of a union.
func shapes(t *schema.Type) (all []*schema.Type) {
	if t.Kind != schema.Union {
		return []*schema.Type{t}
	}
	for _, c := range t.Choices {
		all = append(all, shapes(c)...)
	}
	return all
}

// collections are the shapes of a type that take lines of their own and of which
// more is known than that.
func collections(t *schema.Type) (all []*schema.Type) {
	for _, shape := range shapes(t) {
		if shape.Kind == schema.List && shape.Items.Kind != schema.Any || shape.Kind == schema.Map && len(shape.Fields)+len(shape.Choices) > 0 {
			all = append(all, shape)
		}
	}
	return all
}

// open adds what could stand where nothing is yet but the word: in place of a
// key's value on lines of its own, or of an item.
func (m *menu) open(s slot, mapping *yaml.Node) {
	m.scalars(s)
	m.names(s, mapping)
	m.paths(s, mapping)
	item := mapping.Parent != nil && mapping.Parent.Kind == yaml.Sequence
	for _, shape := range shapes(s.Type) {
		switch {
		case shape.Kind == schema.Map && item && m.flow == nil:
			m.items = append(m.items, m.wholes(shape, "", m.probe.column)...)
		case shape.Kind == schema.List && !item && m.bare && m.flow == nil:
			for _, inner := range shapes(shape.Items) {
				m.items = append(m.items, m.wholes(inner, "- ", m.probe.column+2)...)
			}
		}
	}
}
