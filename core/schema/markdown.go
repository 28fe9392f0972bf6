package schema

import (
	"fmt"
	"strings"
)

// Markdown returns the reference of a file format, with a section for the file and for
// every named type in it. level is the level of the headings.
func (d Document) Markdown(level int) string {
	var b strings.Builder
	Walk(d.Root, func(t *Type) {
		if t.Name == "" {
			return
		}
		heading := t.Title()
		if t == d.Root {
			heading = d.Title
		}
		fmt.Fprintf(&b, "%s %s\n\n%s\n\n", strings.Repeat("#", level), heading, t.Doc)
		if t.HasVariants() {
			t.writeVariants(&b)
		} else if t.Kind == Map {
			t.writeFields(&b)
		}
	})
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// Title returns the display name of a named type: "score range", "`latency` evaluator".
func (t *Type) Title() string {
	if len(t.TagValues) > 0 {
		family, _, _ := strings.Cut(t.Name, "-")
		return "`" + t.TagValues[0] + "` " + family
	}
	return strings.ReplaceAll(t.Name, "-", " ")
}

// writeVariants writes a table of the variants and what selects each.
func (t *Type) writeVariants(b *strings.Builder) {
	head := "written as"
	if t.Tag != "" {
		head = "`" + t.Tag + "`"
	}
	fmt.Fprintf(b, "| %s | |\n|---|---|\n", head)
	for _, c := range t.Choices {
		var names []string
		for _, name := range c.TagValues {
			names = append(names, "`"+name+"`")
		}
		switch {
		case c.MarkerKey != "":
			names = append(names, "with `"+c.MarkerKey+"`")
		case names == nil:
			names = append(names, "any other")
		}
		fmt.Fprintf(b, "| %s | %s |\n", strings.Join(names, ", "), c.markdownLink())
	}
	b.WriteByte('\n')
}

func (t *Type) writeFields(b *strings.Builder) {
	b.WriteString("| key | value | default | |\n|---|---|---|---|\n")
	for _, f := range t.Fields {
		f.writeRow(b)
	}
	if t.OtherValues != nil {
		name := "*any other*"
		if n := len(t.OtherNames); n > 0 {
			name = fmt.Sprintf("`%s` … `%s`", t.OtherNames[0], t.OtherNames[n-1])
		}
		fmt.Fprintf(b, "| %s | %s | | |\n", name, t.OtherValues.describe())
	}
	b.WriteByte('\n')
}

func (f *Field) writeRow(b *strings.Builder) {
	keys := "`" + f.Key + "`"
	for _, alias := range f.Aliases {
		keys += ", `" + alias + "`"
	}
	if f.Required {
		keys += " **required**"
	}
	doc := f.Doc
	for _, v := range append(f.Type.Values, f.Type.KnownValues...) {
		if v.Doc != "" {
			doc += "<br>`" + v.Text + "`: " + v.Doc + "."
		}
	}
	if len(f.DeprecatedNames) > 0 {
		doc += " Deprecated names: `" + strings.Join(f.DeprecatedNames, "`, `") + "`."
	}
	if f.AddedIn != "" {
		doc += " Since " + f.AddedIn + "."
	}
	value := f.Type.describe()
	if f.AliasType != nil {
		value += "; short: " + f.AliasType.describe()
	}
	if f.RemovedIn != "" {
		value, doc = "*not read*", doc+" Removed "+f.RemovedIn+"."
	}
	fmt.Fprintf(b, "| %s | %s | %s | %s |\n", keys, value, f.Default, strings.ReplaceAll(doc, "|", `\|`))
}

// describe returns a type in words, with a link to its section if it has one.
func (t *Type) describe() string {
	return t.Describe(func(t *Type) string {
		if t.Name == "" {
			return ""
		}
		return t.markdownLink()
	}, 0)
}

// markdownLink links to the type's section by the anchor that GitHub derives from a heading.
func (t *Type) markdownLink() string {
	title := t.Title()
	anchor := strings.NewReplacer("`", "", ":", "", " ", "-").Replace(strings.ToLower(title))
	return "[" + title + "](#" + anchor + ")"
}
