package assist

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv/tables"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/schema"
)

// fieldDoc returns the documentation of a field under one of its names, in Markdown.
func fieldDoc(f *schema.Field, name string) string {
	t := f.TypeAs(name)
	head := "**`" + name + "`**"
	if f.Required {
		head += " (required)"
	}
	head += ": " + describeType(t)
	if f.Default != "" {
		head += "; default " + f.Default
	}
	page := []string{head, f.Doc}
	if list := valueDocs(t); list != "" {
		page = append(page, list)
	}
	if line := fieldNotes(f, name); line != "" {
		page = append(page, line)
	}
	if f.Example != nil && f.AliasType == nil {
		page = append(page, "```yaml\n"+name+": "+formatExample(f.Example)+"\n```")
	}
	return strings.Join(page, "\n\n")
}

// fieldNotes returns notes about a field: other names, since when it exists, and what the runner
// does if its value is invalid.
func fieldNotes(f *schema.Field, name string) string {
	var notes []string
	if f.RemovedIn != "" {
		line := "Retired " + f.RemovedIn
		if f.ReplacedBy != "" {
			line += "; write `" + f.ReplacedBy + "`"
		}
		notes = append(notes, line+".")
	}
	if slices.Contains(f.DeprecatedNames, name) {
		notes = append(notes, "An older name, accepted only for older files.")
	}
	others := slices.DeleteFunc(f.Names(), func(other string) bool { return other == name || slices.Contains(f.DeprecatedNames, other) })
	switch {
	case len(others) > 0 && f.WinningName != "":
		notes = append(notes, "Also written "+diag.JoinList(diag.Backtick(others), "or")+"; of both `"+f.WinningName+"` counts.")
	case len(others) > 0:
		notes = append(notes, "Also written "+diag.JoinList(diag.Backtick(others), "or")+"; if several are present, the first of these counts: "+
			strings.Join(diag.Backtick(f.Names()), ", ")+".")
	}
	if f.AddedIn != "" {
		notes = append(notes, "Since "+f.AddedIn+".")
	}
	if f.OnInvalid != "" && f.RemovedIn == "" {
		notes = append(notes, "Without a valid value the runner "+f.OnInvalid+".")
	}
	return strings.Join(notes, " ")
}

// valueDocs returns the meaning of each value of a type as a Markdown list.
func valueDocs(t *schema.Type) string {
	var b strings.Builder
	for _, v := range typeValues(t) {
		if v.Doc != "" {
			fmt.Fprintf(&b, "- `%s`: %s\n", v.Text, v.Doc)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// typeValues returns the strings that a type lists, including the choices of a union.
func typeValues(t *schema.Type) []schema.Value {
	var all []schema.Value
	for _, s := range flattenUnion(t) {
		all = slices.Concat(all, s.Values, s.KnownValues)
	}
	return all
}

// limitList replaces all but the first n texts by their number, if that is shorter.
func limitList(all []string, n int) []string {
	if len(all) <= n+1 {
		return all
	}
	return append(all[:n:n], fmt.Sprintf("%d more", len(all)-n))
}

// describeType describes a type in a few words.
func describeType(t *schema.Type) string {
	switch t.Kind {
	case schema.Text:
		var values []string
		for _, v := range typeValues(t) {
			values = append(values, "`"+v.Text+"`")
		}
		return cmp.Or(diag.JoinList(limitList(values, 10), "or"), "text")
	case schema.Number:
		return t.DescribeNumber()
	case schema.Bool:
		return "`true` or `false`"
	case schema.List:
		if t.MinLength == t.MaxLength && t.MinLength > 0 {
			return fmt.Sprintf("list of %d, each %s", t.MinLength, describeType(t.Items))
		}
		if t.Items.Kind == schema.Union {
			return "list, each " + describeType(t.Items)
		}
		return "list of " + describeType(t.Items)
	case schema.Map:
		switch {
		case t.Name != "":
			return t.Title()
		case t.OtherValues != nil && t.OtherValues.Kind != schema.Any:
			return "mapping to " + describeType(t.OtherValues)
		}
		return "mapping"
	case schema.Union:
		var all []string
		for _, c := range t.Choices {
			all = append(all, describeType(c))
		}
		return diag.JoinList(all, "or")
	}
	return "anything"
}

// plainScalar matches text that YAML reads back unchanged in any position.
var plainScalar = pattern.New(`^[A-Za-z][A-Za-z0-9 ./_-]*[A-Za-z0-9]$`)

// formatExample formats an example value of the field table as one line of YAML.
func formatExample(value any) string {
	switch v := value.(type) {
	case string:
		return quoteScalar(v)
	case []string:
		all := make([]string, len(v))
		for i, item := range v {
			all[i] = quoteScalar(item)
		}
		return "[" + strings.Join(all, ", ") + "]"
	case map[string]any:
		var all []string
		for _, key := range slices.SortedStableFunc(maps.Keys(v), compareNumeric) {
			all = append(all, key+": "+formatExample(v[key]))
		}
		return "{ " + strings.Join(all, ", ") + " }"
	case []int:
		return strings.ReplaceAll(fmt.Sprint(v), " ", ", ")
	}
	return fmt.Sprint(value)
}

// quoteScalar returns text as YAML, double-quoted if necessary.
func quoteScalar(text string) string {
	if plainScalar().MatchString(text) && !slices.Contains([]string{"true", "false", "null"}, strings.ToLower(text)) {
		return text
	}
	return scalar.Quote(text)
}

// compareNumeric orders keys that are numbers numerically, and others as text.
func compareNumeric(a, b string) int {
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	if errX != nil || errY != nil {
		return cmp.Compare(a, b)
	}
	return cmp.Compare(x, y)
}

// docKey identifies a type, one of its fields, or one of a field's values.
func docKey(t *schema.Type, field, value string) string {
	if t.Name == "" {
		return ""
	}
	return strings.TrimRight(t.Name+"\n"+field+"\n"+value, "\n")
}

// ResolveDoc returns the documentation for a DocKey in Markdown, or "". table is the field table of
// the file that was completed.
func ResolveDoc(table *schema.Type, key string) string {
	names := append(strings.Split(key, "\n"), "", "")
	if names[0] == ruleDocPrefix {
		if rule := lint.Find(names[1]); rule != nil {
			return analysis.RulePage(rule, false)
		}
		return ""
	}
	page := ""
	for _, root := range []*schema.Type{table, tables.HeadEval} { // the version that an empty file may become
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
