package assist

import (
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv/tables"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/schema"
)

// docKey names a type, one of its fields, or one of a field's values.
func docKey(t *schema.Type, field, value string) string {
	if t.Name == "" {
		return ""
	}
	return strings.TrimRight(t.Name+"\n"+field+"\n"+value, "\n")
}

// ResolveDoc is the page of an item's topic, in Markdown, by the table of the file
// that the item was for; "" if there is none.
func ResolveDoc(table *schema.Type, topic string) string {
	parts := append(strings.Split(topic, "\n"), "", "")
	if parts[0] == ruleDocPrefix {
		if rule := lint.Find(parts[1]); rule != nil {
			return analysis.RulePage(rule, false)
		}
		return ""
	}
	page := ""
	for _, root := range []*schema.Type{table, tables.HeadEval} { // which a file may become
		schema.Walk(root, func(t *schema.Type) {
			if page == "" && t.Name == parts[0] {
				page = typeDoc(t, parts[1], parts[2])
			}
		})
	}
	return page
}

func typeDoc(t *schema.Type, field, value string) string {
	if field == "" {
		return "**" + t.Title() + "**: " + t.Doc
	}
	s := schemaContextForKey(t, field)
	switch {
	case s.Type == nil:
		return ""
	case value != "":
		return valueDoc(s, value)
	case s.Field != nil:
		return fieldDoc(s.Field, field)
	}
	return "**" + inlineCode(field) + "**: " + describeType(s.Type) + "\n\n" + t.Doc
}
