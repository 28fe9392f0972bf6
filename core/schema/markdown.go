package schema

import (
	"fmt"
	"slices"
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

// Describe returns a type in words, such as "list of text". name returns the words for a type that
// has its own, or "". Of more than most listed values it names only that many; 0 means all.
func (t *Type) Describe(name func(*Type) string, most int) string {
	if words := name(t); words != "" {
		return words
	}
	describe := func(t *Type) string { return t.Describe(name, most) }
	switch t.Kind {
	case Text:
		var values []string
		for _, v := range slices.Concat(t.Values, t.KnownValues) {
			values = append(values, "`"+v.Text+"`")
		}
		if n := len(values) - most; most > 0 && n > 1 {
			values = append(values[:most:most], fmt.Sprintf("%d more", n))
		}
		switch {
		case t.IsBase64:
			return "base64"
		case values == nil:
			return "text"
		}
		return joinChoices(values)
	case Number:
		return t.describeNumber()
	case Bool:
		return boolWords
	case List:
		if t.First != nil {
			return fmt.Sprintf("list: %s, then %s", describe(t.First), describe(t.Items))
		}
		if t.MinLength == t.MaxLength && t.MinLength > 0 {
			return fmt.Sprintf("list of %d, each %s", t.MinLength, describe(t.Items))
		}
		if t.Items.Kind == Union && name(t.Items) == "" {
			return "list, each " + describe(t.Items)
		}
		return "list of " + describe(t.Items)
	case Map:
		if t.OtherValues != nil && t.OtherValues.Kind != Any {
			return "mapping to " + describe(t.OtherValues)
		}
		return "mapping"
	case Union:
		return joinChoices(mapTypes(t.Choices, describe))
	}
	return "anything"
}

// Expectation returns in words what a message expects of a value, without what is inside: "a whole
// number from 0 to 10", "a text or a list".
func (t *Type) Expectation() string {
	switch t.Kind {
	case Text:
		if len(t.Values) == 1 {
			return "`" + t.Values[0].Text + "`"
		}
		if t.IsBase64 {
			return "bytes in base64"
		}
		if t.IsNumber {
			return "the text of a number"
		}
		return "a text"
	case Number:
		return "a " + t.describeNumber()
	case Bool:
		return boolWords
	case List:
		return "a list"
	case Map:
		return "a mapping"
	case Union:
		return joinChoices(mapTypes(t.Choices, (*Type).Expectation))
	}
	return "a value"
}

const boolWords = "`true` or `false`"

func mapTypes(types []*Type, words func(*Type) string) (all []string) {
	for _, t := range types {
		all = append(all, words(t))
	}
	return all
}

// joinChoices returns "a, b or c".
func joinChoices(all []string) string {
	last := len(all) - 1
	if last < 1 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:last], ", ") + " or " + all[last]
}

// describeNumber returns the numbers that a type allows in words: "whole number from 0 to 10".
func (t *Type) describeNumber() string {
	noun := "number"
	if t.IsInteger {
		noun = "whole number"
	}
	switch {
	case t.ExcludesMin && t.Max != nil:
		return fmt.Sprintf("%s above %v and up to %v", noun, *t.Min, *t.Max)
	case t.ExcludesMin:
		return fmt.Sprintf("%s above %v", noun, *t.Min)
	case t.Min != nil && t.Max != nil:
		return fmt.Sprintf("%s from %v to %v", noun, *t.Min, *t.Max)
	case t.Min != nil:
		return fmt.Sprintf("%s of at least %v", noun, *t.Min)
	}
	return noun
}
