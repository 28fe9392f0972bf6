package completion

import (
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv/head"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/ide/internal/fielddoc"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/schema"
)

// ResolveDoc returns the documentation for a DocKey in Markdown, or "". table is the field table of
// the file that was completed.
func ResolveDoc(table *schema.Type, key string) string {
	names := append(strings.Split(key, "\n"), "", "")
	if names[0] == fielddoc.RuleDocPrefix {
		if rule := lint.Find(names[1]); rule != nil {
			return analysis.RulePage(rule, false)
		}
		return ""
	}
	page := ""
	for _, root := range []*schema.Type{table, head.EvalFile} { // the version that an empty file may become
		schema.Walk(root, func(t *schema.Type) {
			if page == "" && t.Name == names[0] {
				page = typeDoc(t, names[1], names[2])
			}
		})
	}
	return page
}

func typeDoc(t *schema.Type, field, value string) string {
	if field == "" {
		return "**" + t.Title() + "**: " + t.Doc
	}
	s := syntax.ContextForKey(t, field)
	switch {
	case s.Type == nil:
		return ""
	case value != "":
		return fielddoc.ValueDoc(s, value)
	case s.Field != nil:
		return fielddoc.FieldDoc(s.Field, field)
	}
	return "**" + facts.InlineCode(field) + "**: " + fielddoc.DescribeType(s.Type) + "\n\n" + t.Doc
}
