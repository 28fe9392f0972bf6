// Package fielddoc documents the keys and values of the field table, in Markdown.
package fielddoc

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/schema"
)

// RuleDocPrefix starts the documentation keys of rules. No type has this name.
const RuleDocPrefix = "#"

// FieldDoc returns the documentation of a field under one of its names, in Markdown.
func FieldDoc(f *schema.Field, name string) string {
	t := f.TypeAs(name)
	head := "**`" + name + "`**"
	if f.Required {
		head += " (required)"
	}
	head += ": " + DescribeType(t)
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
	for _, v := range syntax.TypeValues(t) {
		if v.Doc != "" {
			fmt.Fprintf(&b, "- `%s`: %s\n", v.Text, v.Doc)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// maxValues is how many listed values a description names.
const maxValues = 10

// DescribeType describes a type in a few words, a mapping by its title.
func DescribeType(t *schema.Type) string {
	return t.Describe(func(t *schema.Type) string {
		if t.Kind != schema.Map || t.Name == "" {
			return ""
		}
		return t.Title()
	}, maxValues)
}

// plainScalar matches text that YAML reads back unchanged in any position.
var plainScalar = pattern.New(`^[A-Za-z][A-Za-z0-9 ./_-]*[A-Za-z0-9]$`)

// formatExample formats an example value of the field table as one line of YAML.
func formatExample(value any) string {
	switch v := value.(type) {
	case string:
		return QuoteScalar(v)
	case []string:
		return "[" + strings.Join(generic.Map(v, QuoteScalar), ", ") + "]"
	case map[string]any:
		all := generic.Map(SortedKeys(v), func(key string) string { return key + ": " + formatExample(v[key]) })
		return "{ " + strings.Join(all, ", ") + " }"
	case []int:
		return strings.ReplaceAll(fmt.Sprint(v), " ", ", ")
	}
	return fmt.Sprint(value)
}

// QuoteScalar returns text as YAML, double-quoted if necessary.
func QuoteScalar(text string) string {
	if plainScalar().MatchString(text) && !slices.Contains([]string{"true", "false", "null"}, strings.ToLower(text)) {
		return text
	}
	return scalar.Quote(text)
}

// SortedKeys returns the keys of an example: those that are numbers numerically, and others as text.
func SortedKeys(example map[string]any) []string {
	keys := slices.Sorted(maps.Keys(example))
	generic.SortStable(keys, compareNumeric)
	return keys
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

// DocKey identifies a type, one of its fields, or one of a field's values.
func DocKey(t *schema.Type, field, value string) string {
	if t.Name == "" {
		return ""
	}
	return strings.TrimRight(t.Name+"\n"+field+"\n"+value, "\n")
}

// ValueDoc returns the meaning of one of a field's listed values, or "". For a tag that is the
// variant it selects.
func ValueDoc(s syntax.Context, value string) string {
	doc := ""
	for _, v := range syntax.TypeValues(s.Type) {
		if v.Text == value {
			doc = v.Doc
		}
	}
	if v := taggedVariant(s, value); v != nil && v.Doc != "" {
		doc = v.Doc
	}
	if doc == "" {
		return ""
	}
	return "**`" + value + "`**: " + doc
}

// taggedVariant returns the variant that a tag value selects, or nil.
func taggedVariant(s syntax.Context, value string) *schema.Type {
	if s.Owner == nil || s.Field == nil {
		return nil
	}
	switch {
	case s.Owner.Tag == s.Field.Key:
		return s.Owner.VariantByTag(value)
	case slices.Contains(s.Owner.TagValues, value) && syntax.SelectingTag(s.Owner, s.Field) != "":
		return s.Owner
	}
	return nil
}

var (
	IgnorePattern = pattern.New(`^#\s*rubric:\s*ignore\b`)
	RuleIDPattern = pattern.New(`[a-z0-9]+(-[a-z0-9]+)*`)
)
