package assist

import (
	"strings"

	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
)

// wholes are items that insert all that a mapping of a type cannot do without,
// at a column: one for each of its variants.
func (m *menu) wholes(t *schema.Type, lead string, column int) []Item {
	w := &menu{cursor: m.cursor, probe: m.probe, style: m.style, host: m.host}
	variants := []*schema.Type{t}
	if len(t.Choices) > 0 {
		variants = t.Choices
	}
	for _, v := range variants {
		if v.Kind != schema.Map || len(v.Fields) == 0 {
			continue
		}
		k := w.sketch()
		k.write(lead)
		if k.flow {
			k.write("{ ")
		}
		k.mapping(v, nil, column)
		if k.flow {
			k.write(" }")
		}
		w.snippet(v, k.b.String(), k.stops)
		if bands := v.Field("score_ranges"); bands != nil {
			w.banded(v, bands, lead, column)
		}
	}
	return w.items
}

// banded adds a criterion that is graded 0 to 10.
func (m *menu) banded(t *schema.Type, bands *schema.Field, lead string, column int) {
	if m.flow != nil {
		return
	}
	k := m.sketch()
	k.write(lead)
	k.mapping(t, nil, column)
	k.line(column)
	k.entry(bands, bands.Key, column)
	m.add(Item{Label: titleOf(t) + " with score ranges", Kind: SnippetItem, Detail: "graded 0 to 10", Topic: topic(t, "", "")}, k.b.String(), k.stops)
}

func (m *menu) snippet(t *schema.Type, words string, stops []text.Span) {
	m.add(Item{Label: titleOf(t), Kind: SnippetItem, Detail: firstSentence(t.Doc), Topic: topic(t, "", "")}, words, stops)
}

// titleOf is what a type is called where it is proposed.
func titleOf(t *schema.Type) string {
	if t.Name != "" {
		return strings.ReplaceAll(t.Title(), "`", "")
	}
	if t.Kind != schema.List {
		return strings.ReplaceAll(words(t), "`", "")
	}
	for _, item := range shapes(t.Items) {
		if item.Name != "" {
			return titleOf(item) + " list"
		}
	}
	return "list"
}

func firstSentence(doc string) string {
	first, _, _ := strings.Cut(doc, ". ")
	return strings.TrimSuffix(first, ".")
}
