package assist

import (
	"strings"

	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
)

// skeletonItems are items that insert all that a mapping of a type cannot do without,
// at a column: one for each of its variants.
func (c *completer) skeletonItems(t *schema.Type, lead string, column int) []CompletionItem {
	w := &completer{cursor: c.cursor, probe: c.probe, style: c.style, host: c.host}
	variants := []*schema.Type{t}
	if len(t.Choices) > 0 {
		variants = t.Choices
	}
	for _, v := range variants {
		if v.Kind != schema.Map || len(v.Fields) == 0 {
			continue
		}
		sw := w.newSnippet()
		sw.write(lead)
		if sw.flow {
			sw.write("{ ")
		}
		sw.writeMapping(v, nil, column)
		if sw.flow {
			sw.write(" }")
		}
		w.addSnippet(v, sw.b.String(), sw.stops)
		if bands := v.Field("score_ranges"); bands != nil {
			w.addBandedItem(v, bands, lead, column)
		}
	}
	return w.items
}

// addBandedItem adds a criterion that is graded 0 to 10.
func (c *completer) addBandedItem(t *schema.Type, bands *schema.Field, lead string, column int) {
	if c.brackets != nil {
		return
	}
	sw := c.newSnippet()
	sw.write(lead)
	sw.writeMapping(t, nil, column)
	sw.newLine(column)
	sw.writeEntry(bands, bands.Key, column)
	c.addItem(CompletionItem{Label: typeTitle(t) + " with score ranges", Kind: SnippetItem, Detail: "graded 0 to 10", DocKey: docKey(t, "", "")}, sw.b.String(), sw.stops)
}

func (c *completer) addSnippet(t *schema.Type, words string, stops []text.Span) {
	c.addItem(CompletionItem{Label: typeTitle(t), Kind: SnippetItem, Detail: firstSentence(t.Doc), DocKey: docKey(t, "", "")}, words, stops)
}

// typeTitle is what a type is called where it is proposed.
func typeTitle(t *schema.Type) string {
	if t.Name != "" {
		return strings.ReplaceAll(t.Title(), "`", "")
	}
	if t.Kind != schema.List {
		return strings.ReplaceAll(describeType(t), "`", "")
	}
	for _, item := range flattenUnion(t.Items) {
		if item.Name != "" {
			return typeTitle(item) + " list"
		}
	}
	return "list"
}

func firstSentence(doc string) string {
	first, _, _ := strings.Cut(doc, ". ")
	return strings.TrimSuffix(first, ".")
}
