package schema

import (
	"fmt"
	"strconv"
	"strings"
)

// Markdown is the reference of a kind of file: a section for the file and one
// for every named type in it, at the heading level given.
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
		if t.Variants() {
			t.rows(&b)
		} else if t.Kind == Map {
			t.table(&b)
		}
	})
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// Title is what a named type is called: "score range", "`latency` evaluator".
func (t *Type) Title() string {
	if len(t.Chosen) > 0 {
		family, _, _ := strings.Cut(t.Name, "-")
		return "`" + t.Chosen[0] + "` " + family
	}
	return strings.ReplaceAll(t.Name, "-", " ")
}

// rows are the variants and what chooses each.
func (t *Type) rows(b *strings.Builder) {
	head := "written as"
	if t.Tag != "" {
		head = "`" + t.Tag + "`"
	}
	fmt.Fprintf(b, "| %s | |\n|---|---|\n", head)
	for _, c := range t.Choices {
		var names []string
		for _, name := range c.Chosen {
			names = append(names, "`"+name+"`")
		}
		switch {
		case c.Sign != "":
			names = append(names, "with `"+c.Sign+"`")
		case names == nil:
			names = append(names, "any other")
		}
		fmt.Fprintf(b, "| %s | %s |\n", strings.Join(names, ", "), c.link())
	}
	b.WriteByte('\n')
}

func (t *Type) table(b *strings.Builder) {
	b.WriteString("| key | value | default | |\n|---|---|---|---|\n")
	for _, f := range t.Fields {
		f.row(b, f.Required)
	}
	if t.Rest != nil {
		name := "*any other*"
		if n := len(t.Names); n > 0 {
			name = fmt.Sprintf("`%s` … `%s`", t.Names[0], t.Names[n-1])
		}
		fmt.Fprintf(b, "| %s | %s | | |\n", name, t.Rest.words())
	}
	b.WriteByte('\n')
}

func (f *Field) row(b *strings.Builder, required bool) {
	keys := "`" + f.Key + "`"
	for _, alias := range f.Aliases {
		keys += ", `" + alias + "`"
	}
	if required {
		keys += " **required**"
	}
	doc := f.Doc
	for _, v := range append(f.Type.Values, f.Type.Known...) {
		if v.Doc != "" {
			doc += "<br>`" + v.Text + "`: " + v.Doc + "."
		}
	}
	if len(f.Older) > 0 {
		doc += " Read for the sake of older files only: `" + strings.Join(f.Older, "`, `") + "`."
	}
	if f.Since != "" {
		doc += " Since " + f.Since + "."
	}
	value := f.Type.words()
	if f.Short != nil {
		value += "; short: " + f.Short.words()
	}
	if f.Retired != "" {
		value, doc = "*not read*", doc+" Retired "+f.Retired+"."
	}
	fmt.Fprintf(b, "| %s | %s | %s | %s |\n", keys, value, f.Default, strings.ReplaceAll(doc, "|", `\|`))
}

// words is a type in a few words, linked to its section if it has one.
func (t *Type) words() string {
	if t.Name != "" {
		return t.link()
	}
	switch t.Kind {
	case Text:
		var all []string
		for _, v := range append(t.Values, t.Known...) {
			all = append(all, "`"+v.Text+"`")
		}
		if all != nil {
			return strings.Join(all, " ")
		}
		return "text"
	case Number:
		return t.Bounds()
	case Bool:
		return "`true` or `false`"
	case List:
		if t.MinLength == t.MaxLength && t.MinLength > 0 {
			return "list of " + strconv.Itoa(t.MinLength) + ": " + t.Items.words()
		}
		return "list of " + t.Items.plural()
	case Map:
		if t.Rest != nil && t.Rest.Kind != Any {
			return "mapping to " + t.Rest.words()
		}
		return "mapping"
	case Union:
		var all []string
		for _, c := range t.Choices {
			all = append(all, c.words())
		}
		return strings.Join(all, " or ")
	}
	return "anything"
}

// plural is several of a type in a few words.
func (t *Type) plural() string {
	switch words := t.words(); words {
	case "text":
		return "texts"
	case t.Bounds():
		return strings.Replace(words, "number", "numbers", 1)
	default:
		return words
	}
}

// link points at the type's section, by the anchor that hosts make of a heading.
func (t *Type) link() string {
	title := t.Title()
	anchor := strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(title), "`", ""), " ", "-")
	return "[" + title + "](#" + anchor + ")"
}
