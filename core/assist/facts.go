package assist

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/schema"
)

// fieldDoc is the page of a field, in Markdown, under one of its names.
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

// fieldNotes is what is said of a field's name: other ones, how long it has been
// there, and what the runner does without a good value.
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
		notes = append(notes, "An older name, read for the sake of older files only.")
	}
	others := slices.DeleteFunc(f.Names(), func(other string) bool { return other == name || slices.Contains(f.DeprecatedNames, other) })
	switch {
	case len(others) > 0 && f.WinningName != "":
		notes = append(notes, "Also written "+diag.JoinList(diag.Backtick(others), "or")+"; of both `"+f.WinningName+"` counts.")
	case len(others) > 0:
		notes = append(notes, "Also written "+diag.JoinList(diag.Backtick(others), "or")+"; of several the first counts: "+
			strings.Join(diag.Backtick(f.Names()), ", ")+".")
	}
	if f.AddedIn != "" {
		notes = append(notes, "Since "+f.AddedIn+".")
	}
	if f.OnInvalid != "" && f.RemovedIn == "" {
		notes = append(notes, "Without a good value the runner "+f.OnInvalid+".")
	}
	return strings.Join(notes, " ")
}

// valueDocs is what each of a type's values means, as a list.
func valueDocs(t *schema.Type) string {
	var b strings.Builder
	for _, v := range typeValues(t) {
		if v.Doc != "" {
			fmt.Fprintf(&b, "- `%s`: %s\n", v.Text, v.Doc)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// typeValues are the texts that a type lists, those of its shapes included.
func typeValues(t *schema.Type) []schema.Value {
	if t.Kind != schema.Union {
		return slices.Concat(t.Values, t.KnownValues)
	}
	var all []schema.Value
	for _, c := range t.Choices {
		all = append(all, typeValues(c)...)
	}
	return all
}

// quoteValues are values as Markdown, of many the first.
func quoteValues(values []schema.Value) (all []string) {
	const named = 10
	for i, v := range values {
		if i == named && len(values) > named+1 {
			return append(all, fmt.Sprintf("%d more", len(values)-named))
		}
		all = append(all, "`"+v.Text+"`")
	}
	return all
}

// describeType is a type in a few words.
func describeType(t *schema.Type) string {
	switch t.Kind {
	case schema.Text:
		if list := typeValues(t); len(list) > 0 {
			return diag.JoinList(quoteValues(list), "or")
		}
		return "text"
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
