package completion

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide/internal/fielddoc"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
)

// snippetWriter builds text to insert, with placeholders.
type snippetWriter struct {
	syntax.Style
	b     strings.Builder
	stops []text.Span
	flow  bool
}

func (sw *snippetWriter) write(words string) { sw.b.WriteString(words) }

// writeStop writes a placeholder with default text.
func (sw *snippetWriter) writeStop(words string) {
	start := sw.b.Len()
	sw.b.WriteString(words)
	sw.stops = append(sw.stops, text.Span{Start: start, End: sw.b.Len()})
}

// writeList writes a list in brackets, with a placeholder for each item.
func (sw *snippetWriter) writeList(items ...string) {
	sw.write("[")
	for i, item := range items {
		if i > 0 {
			sw.write(", ")
		}
		sw.writeStop(item)
	}
	sw.write("]")
}

func (sw *snippetWriter) newLine(column int) {
	sw.b.WriteString(sw.Newline + strings.Repeat(" ", column))
}

// writeEntry writes a field under one of its names, with the key at a column.
func (sw *snippetWriter) writeEntry(f *schema.Field, name string, column int) {
	sw.write(sw.keyText(name) + ":")
	sw.writeValue(f.TypeAs(name), f, column)
}

func (sw *snippetWriter) keyText(name string) string {
	if sw.Json {
		return scalar.Quote(name)
	}
	return name
}

// writeValue writes a value after the colon of a key at a column.
func (sw *snippetWriter) writeValue(t *schema.Type, f *schema.Field, column int) {
	t = preferredType(t, f)
	switch {
	case t.Kind == schema.List && t.MaxLength > 0:
		sw.write(" ")
		sw.writeRange(f)
	case t.Kind == schema.List && !sw.flow && t.Items.Field("score_range") != nil:
		sw.writeBands(t.Items, column+sw.Dash)
	case t.Kind == schema.List && !sw.flow:
		sw.newLine(column + sw.Dash)
		sw.write("- ")
		sw.writeItem(t.Items, column+sw.Dash+2)
	case t.Kind == schema.List:
		sw.write(" ")
		sw.writeList("")
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

// preferredType returns the choice of a union to propose: that of the field's example, else a list
// of mappings with ids, else the first.
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
	return slices.ContainsFunc(syntax.FlattenUnion(t), func(s *schema.Type) bool {
		return s.Field("id") != nil || len(s.Choices) > 0 && s.Choices[0].Field("id") != nil
	})
}

func (sw *snippetWriter) writeItem(t *schema.Type, column int) {
	switch t = preferredType(t, nil); t.Kind {
	case schema.Map:
		sw.writeMapping(t, nil, column)
	case schema.List:
		sw.writeList("")
	default:
		sw.writeStop(sw.placeholderText(t, nil))
	}
}

// writeMapping writes the essential entries of a mapping. The first goes to the current position,
// the others to lines of their own at the column.
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
		if tag := syntax.SelectingTag(t, field); tag != "" {
			sw.write(sw.keyText(field.Key) + ": " + sw.scalarText(tag))
			continue
		}
		sw.writeEntry(field, shortestName(field), column)
	}
	if len(fields) == 0 {
		sw.writeStop("")
	}
}

// writeExample writes an example with a placeholder for each value.
func (sw *snippetWriter) writeExample(example map[string]any, next func(first bool)) {
	for i, key := range fielddoc.SortedKeys(example) {
		next(i == 0)
		sw.write(sw.keyText(key) + ": ")
		words := fmt.Sprint(example[key])
		if text, isText := example[key].(string); isText {
			words = sw.scalarText(text)
		}
		sw.writeStop(words)
	}
}

// essentialFields returns the fields that a mapping needs: required ones, the first of alternatives
// of which one is required, and the id.
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

// shortestName returns the name of a field that needs the least text.
func shortestName(f *schema.Field) string {
	names := syntax.ProposedNames(f)
	if len(names) == 0 {
		return f.Key
	}
	return names[len(names)-1]
}

// placeholderText returns the default text of a placeholder.
func (sw *snippetWriter) placeholderText(t *schema.Type, f *schema.Field) string {
	byDefault := strings.Trim(generic.OrZero(f).Default, "`")
	switch t.Kind {
	case schema.Bool:
		if strings.HasPrefix(byDefault, "true") {
			return "false" // writing the default would be pointless
		}
		return "true"
	case schema.Text:
		if values := syntax.TypeValues(t); len(values) > 0 {
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

func (sw *snippetWriter) scalarText(words string) string {
	if sw.Json {
		return scalar.Quote(words)
	}
	if words == "" {
		return ""
	}
	return fielddoc.QuoteScalar(words)
}

// bandThirds are example bands that cover all scores once.
var bandThirds = [][2]int{{0, 3}, {4, 7}, {8, 10}}

// writeBands writes a list of score ranges with dashes at a column.
func (sw *snippetWriter) writeBands(t *schema.Type, column int) {
	for _, third := range bandThirds {
		sw.newLine(column)
		sw.write("- ")
		for i, f := range essentialFields(t) {
			if i > 0 {
				sw.newLine(column + 2)
			}
			if f.Type.MaxLength == len(third) {
				sw.write(sw.keyText(f.Key) + ": ")
				sw.writeList(fmt.Sprint(third[0]), fmt.Sprint(third[1]))
			} else {
				sw.writeEntry(f, f.Key, column+2)
			}
		}
	}
}

func (sw *snippetWriter) writeRange(f *schema.Field) {
	shown, _ := generic.OrZero(f).Example.([]int)
	sw.writeList(generic.Map(shown, strconv.Itoa)...)
}
