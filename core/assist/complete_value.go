package assist

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// addValues adds what could be the value, or the item, that the word is.
func (c *completer) addValues(s schemaContext, n *yaml.Node) {
	if s.Type == nil {
		c.addPaths(s, n)
		return
	}
	c.addScalars(s)
	c.addNames(s, n)
	c.addPaths(s, n)
	if c.brackets != nil && pairOf(n) == nil && c.word.Empty() {
		for _, shape := range flattenUnion(s.Type) {
			c.items = append(c.items, c.skeletonItems(shape, "", 0)...)
		}
	}
	if c.brackets != nil || pairOf(n) == nil || !c.word.Empty() {
		return
	}
	column := columnOf(c.part.Source, pairOf(n).Key)
	for _, shape := range blockTypes(s.Type) {
		sw := c.newSnippet()
		sw.writeValue(shape, s.Field, column)
		c.addSnippet(shape, strings.TrimPrefix(sw.b.String(), " "), sw.stops)
	}
}

// addScalars adds the texts that a type lists, and true and false.
func (c *completer) addScalars(s schemaContext) {
	byDefault := ""
	if s.Field != nil {
		byDefault = strings.Trim(s.Field.Default, "`")
	}
	for _, shape := range flattenUnion(s.Type) {
		sw := c.newSnippet()
		for _, v := range slices.Concat(shape.Values, shape.KnownValues) {
			item := CompletionItem{Label: v.Text, Kind: ValueItem, Detail: v.Doc}
			if s.Owner != nil && s.Field != nil {
				item.DocKey = docKey(s.Owner, s.Field.Key, v.Text)
			}
			c.addItem(item, sw.scalarText(v.Text), nil)
		}
		if shape.Kind != schema.Bool {
			continue
		}
		for _, word := range []string{"true", "false"} {
			item := CompletionItem{Label: word, Kind: ValueItem}
			if strings.HasPrefix(byDefault, word) {
				item.Detail = "the default"
			}
			c.addItem(item, word, nil)
		}
	}
}

// flattenUnion are a type, or the shapes of a union.
func flattenUnion(t *schema.Type) (all []*schema.Type) {
	if t.Kind != schema.Union {
		return []*schema.Type{t}
	}
	for _, c := range t.Choices {
		all = append(all, flattenUnion(c)...)
	}
	return all
}

// blockTypes are the shapes of a type that take lines of their own and of which
// more is known than that.
func blockTypes(t *schema.Type) (all []*schema.Type) {
	for _, shape := range flattenUnion(t) {
		if shape.Kind == schema.List && shape.Items.Kind != schema.Any || shape.Kind == schema.Map && len(shape.Fields)+len(shape.Choices) > 0 {
			all = append(all, shape)
		}
	}
	return all
}

// addAlternatives adds what could stand where nothing is yet but the word: in place of a
// key's value on lines of its own, or of an item.
func (c *completer) addAlternatives(s schemaContext, mapping *yaml.Node) {
	c.addScalars(s)
	c.addNames(s, mapping)
	c.addPaths(s, mapping)
	item := mapping.Parent != nil && mapping.Parent.Kind == yaml.Sequence
	for _, shape := range flattenUnion(s.Type) {
		switch {
		case shape.Kind == schema.Map && item && c.brackets == nil:
			c.items = append(c.items, c.skeletonItems(shape, "", c.probe.column)...)
		case shape.Kind == schema.List && !item && c.aloneOnLine && c.brackets == nil:
			for _, inner := range flattenUnion(shape.Items) {
				c.items = append(c.items, c.skeletonItems(inner, "- ", c.probe.column+2)...)
			}
		}
	}
}
