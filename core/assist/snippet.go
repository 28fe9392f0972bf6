package assist

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
)

// snippetWriter is text to insert, with the places in it that are to be filled in.
type snippetWriter struct {
	style
	b     strings.Builder
	stops []text.Span
	flow  bool
}

func (sw *snippetWriter) write(words string) { sw.b.WriteString(words) }

// writeStop writes a place to fill in, with what may stand there.
func (sw *snippetWriter) writeStop(words string) {
	start := sw.b.Len()
	sw.b.WriteString(words)
	sw.stops = append(sw.stops, text.Span{Start: start, End: sw.b.Len()})
}

// newLine begins a line at a column.
func (sw *snippetWriter) newLine(column int) {
	sw.b.WriteString(sw.newline + strings.Repeat(" ", column))
}

// writeEntry writes a field under one of its names, whose key stands at a column.
func (sw *snippetWriter) writeEntry(f *schema.Field, name string, column int) {
	sw.write(sw.keyText(name) + ":")
	sw.writeValue(f.TypeAs(name), f, column)
}

// keyText is a key as the file writes keys.
func (sw *snippetWriter) keyText(name string) string {
	if sw.json {
		return quoteJSON(name)
	}
	return name
}

// writeValue writes what may stand behind a colon of a key at a column.
func (sw *snippetWriter) writeValue(t *schema.Type, f *schema.Field, column int) {
	t = preferredType(t, f)
	switch {
	case t.Kind == schema.List && t.MaxLength > 0:
		sw.write(" ")
		sw.writeRange(f)
	case t.Kind == schema.List && !sw.flow && t.Items.Field("score_range") != nil:
		sw.writeBands(t.Items, column+sw.dash)
	case t.Kind == schema.List && !sw.flow:
		sw.newLine(column + sw.dash)
		sw.write("- ")
		sw.writeItem(t.Items, column+sw.dash+2)
	case t.Kind == schema.List:
		sw.write(" [")
		sw.writeStop("")
		sw.write("]")
	case t.Kind == schema.Map && !sw.flow:
		sw.newLine(column + 2)
		sw.writeMapping(t, f, column+2)
	case t.Kind == schema.Map:
		sw.write(" { ")
		sw.writeMapping(t, f, 0)
		sw.write(" }")
	default:
		sw.write(" ")
		sw.writeStop(sw.placeholderText(t, f))
	}
}

// preferredType is the shape of a type that is worth proposing: that of the field's
// example, or a list of things with ids, or the first.
func preferredType(t *schema.Type, f *schema.Field) *schema.Type {
	if t.Kind != schema.Union {
		return t
	}
	want := schema.Any
	if f != nil {
		switch f.Example.(type) {
		case map[string]any:
			want = schema.Map
		case []string, []int:
			want = schema.List
		case string:
			want = schema.Text
		}
	}
	for _, choice := range t.Choices {
		if choice.Kind == want || want == schema.Any && choice.Kind == schema.List && hasID(choice.Items) {
			return preferredType(choice, f)
		}
	}
	return preferredType(t.Choices[0], f)
}

// hasID reports whether a value may be a mapping with an id.
func hasID(t *schema.Type) bool {
	return slices.ContainsFunc(flattenUnion(t), func(s *schema.Type) bool {
		return s.Field("id") != nil || len(s.Choices) > 0 && s.Choices[0].Field("id") != nil
	})
}

// writeItem writes an item of a list whose content begins at a column.
func (sw *snippetWriter) writeItem(t *schema.Type, column int) {
	switch t = preferredType(t, nil); t.Kind {
	case schema.Map:
		sw.writeMapping(t, nil, column)
	case schema.List:
		sw.write("[")
		sw.writeStop("")
		sw.write("]")
	default:
		sw.writeStop(sw.placeholderText(t, nil))
	}
}

// writeMapping writes the entries that a mapping cannot do without, the first of them
// where it stands and the others each on a line of its own at the column.
func (sw *snippetWriter) writeMapping(t *schema.Type, f *schema.Field, column int) {
	next := func(first bool) {
		switch {
		case first:
		case sw.flow:
			sw.write(", ")
		default:
			sw.newLine(column)
		}
	}
	if f != nil {
		if shown, ok := f.Example.(map[string]any); ok {
			sw.writeExample(shown, next)
			return
		}
	}
	fields := essentialFields(t)
	for i, field := range fields {
		next(i == 0)
		if tag := selectingTag(t, field); tag != "" {
			sw.write(sw.keyText(field.Key) + ": " + sw.scalarText(tag))
			continue
		}
		sw.writeEntry(field, shortestName(field), column)
	}
	if len(fields) == 0 {
		sw.writeStop("")
	}
}

// writeExample writes an example, with a stop for each of its values.
func (sw *snippetWriter) writeExample(example map[string]any, next func(first bool)) {
	for i, key := range sortedKeys(example) {
		next(i == 0)
		sw.write(sw.keyText(key) + ": ")
		words := fmt.Sprint(example[key])
		if text, isText := example[key].(string); isText {
			words = sw.scalarText(text)
		}
		sw.writeStop(words)
	}
}

// selectingTag is the tag by which a variant is chosen, where the field is that tag;
// else "".
func selectingTag(t *schema.Type, f *schema.Field) string {
	for _, value := range t.TagValues {
		for _, known := range typeValues(f.Type) {
			if known.Text == value {
				return value
			}
		}
	}
	return ""
}

// essentialFields are the fields of a mapping without which it is nothing: those that
// are required and one of those of which some are, with its id before them.
func essentialFields(t *schema.Type) (fields []*schema.Field) {
	some := slices.ContainsFunc(t.Fields, func(f *schema.Field) bool { return f.Required && slices.Contains(t.RequireAny, f.Key) })
	for _, f := range t.Fields {
		first := !some && len(t.RequireAny) > 0 && f == t.Field(t.RequireAny[0])
		if f.RemovedIn == "" && (f.Required || first || f.Key == "id") {
			fields = append(fields, f)
		}
	}
	return fields
}

// shortestName is the name of a field under which the least has to be written.
func shortestName(f *schema.Field) string {
	names := proposedNames(f)
	if len(names) == 0 {
		return f.Key
	}
	return names[len(names)-1]
}

// placeholderText is what may stand in a value's place until it is filled in.
func (sw *snippetWriter) placeholderText(t *schema.Type, f *schema.Field) string {
	byDefault := ""
	if f != nil {
		byDefault = strings.Trim(f.Default, "`")
	}
	switch t.Kind {
	case schema.Bool:
		if strings.HasPrefix(byDefault, "true") {
			return "false" // nobody writes what holds anyway
		}
		return "true"
	case schema.Text:
		if values := typeValues(t); len(values) > 0 {
			return sw.scalarText(values[0].Text)
		}
	}
	if f != nil && f.Example != nil && t.Kind != schema.Any {
		switch shown := f.Example.(type) {
		case string:
			return sw.scalarText(shown)
		case int, float64:
			return fmt.Sprint(shown)
		}
	}
	if t.Kind != schema.Number {
		return sw.scalarText("")
	}
	if _, err := strconv.ParseFloat(byDefault, 64); err == nil {
		return byDefault
	}
	return "1"
}

// scalarText is a text as the file writes texts.
func (sw *snippetWriter) scalarText(words string) string {
	if sw.json {
		return quoteJSON(words)
	}
	if words == "" {
		return ""
	}
	return quoteScalar(words)
}
