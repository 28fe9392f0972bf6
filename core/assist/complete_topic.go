package assist

import (
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/schema"
)

// topic names a type, one of its fields, or one of a field's values.
func topic(t *schema.Type, field, value string) string {
	if t.Name == "" {
		return ""
	}
	return strings.TrimRight(t.Name+"\n"+field+"\n"+value, "\n")
}

// Topic is the page of an item's topic, in Markdown, by the table of the file
// that the item was for; "" if there is none.
func Topic(table *schema.Type, topic string) string {
	parts := append(strings.Split(topic, "\n"), "", "")
	if parts[0] == ruleTopic {
		if rule := lint.Find(parts[1]); rule != nil {
			return analysis.Page(rule, false)
		}
		return ""
	}
	var t *schema.Type
	schema.Walk(table, func(found *schema.Type) {
		if t == nil && found.Name == parts[0] {
			t = found
		}
	})
	switch {
	case t == nil:
		return ""
	case parts[1] == "":
		return "**" + t.Title() + "**: " + t.Doc
	}
	s := slotIn(t, parts[1])
	switch {
	case s.Type == nil:
		return ""
	case parts[2] != "":
		return valueDoc(s, parts[2])
	case s.Field != nil:
		return fieldDoc(s.Field, parts[1])
	}
	return "**" + code(parts[1]) + "**: " + words(s.Type) + "\n\n" + t.Doc
}
