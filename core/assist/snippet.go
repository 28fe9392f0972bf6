package assist

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
)

// sketch is text to insert, with the places in it that are to be filled in.
type sketch struct {
	style
	b     strings.Builder
	stops []text.Span
	flow  bool
}

func (k *sketch) write(words string) { k.b.WriteString(words) }

// stop writes a place to fill in, with what may stand there.
func (k *sketch) stop(words string) {
	start := k.b.Len()
	k.b.WriteString(words)
	k.stops = append(k.stops, text.Span{Start: start, End: k.b.Len()})
}

// line begins a line at a column.
func (k *sketch) line(column int) { k.b.WriteString(k.newline + strings.Repeat(" ", column)) }

// entry writes a field under one of its names, whose key stands at a column.
func (k *sketch) entry(f *schema.Field, name string, column int) {
	k.write(k.key(name) + ":")
	k.value(f.TypeAs(name), f, column)
}

// key is a key as the file writes keys.
func (k *sketch) key(name string) string {
	if k.json {
		return quotedJSON(name)
	}
	return name
}

// value writes what may stand behind a colon of a key at a column.
func (k *sketch) value(t *schema.Type, f *schema.Field, column int) {
	t = likely(t, f)
	switch {
	case t.Kind == schema.List && t.MaxLength > 0:
		k.write(" ")
		k.ends(f)
	case t.Kind == schema.List && !k.flow && t.Items.Field("score_range") != nil:
		k.bands(t.Items, column+k.dash)
	case t.Kind == schema.List && !k.flow:
		k.line(column + k.dash)
		k.write("- ")
		k.item(t.Items, column+k.dash+2)
	case t.Kind == schema.List:
		k.write(" [")
		k.stop("")
		k.write("]")
	case t.Kind == schema.Map && !k.flow:
		k.line(column + 2)
		k.mapping(t, f, column+2)
	case t.Kind == schema.Map:
		k.write(" { ")
		k.mapping(t, f, 0)
		k.write(" }")
	default:
		k.write(" ")
		k.stop(k.placeholder(t, f))
	}
}

// likely is the shape of a type that is worth proposing: that of the field's
// example, or a list of things with ids, or the first.
func likely(t *schema.Type, f *schema.Field) *schema.Type {
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
		if choice.Kind == want || want == schema.Any && choice.Kind == schema.List && identified(choice.Items) {
			return likely(choice, f)
		}
	}
	return likely(t.Choices[0], f)
}

// identified reports whether a value may be a mapping with an id.
func identified(t *schema.Type) bool {
	return slices.ContainsFunc(shapes(t), func(s *schema.Type) bool {
		return s.Field("id") != nil || len(s.Choices) > 0 && s.Choices[0].Field("id") != nil
	})
}

// item writes an item of a list whose content begins at a column.
func (k *sketch) item(t *schema.Type, column int) {
	switch t = likely(t, nil); t.Kind {
	case schema.Map:
		k.mapping(t, nil, column)
	case schema.List:
		k.write("[")
		k.stop("")
		k.write("]")
	default:
		k.stop(k.placeholder(t, nil))
	}
}

// mapping writes the entries that a mapping cannot do without, the first of them
// where it stands and the others each on a line of its own at the column.
func (k *sketch) mapping(t *schema.Type, f *schema.Field, column int) {
	next := func(first bool) {
		switch {
		case first:
		case k.flow:
			k.write(", ")
		default:
			k.line(column)
		}
	}
	if f != nil {
		if shown, ok := f.Example.(map[string]any); ok {
			k.shown(shown, next)
			return
		}
	}
	fields := essential(t)
	for i, field := range fields {
		next(i == 0)
		if tag := chosen(t, field); tag != "" {
			k.write(k.key(field.Key) + ": " + k.scalar(tag))
			continue
		}
		k.entry(field, shortest(field), column)
	}
	if len(fields) == 0 {
		k.stop("")
	}
}

// shown writes an example, with a stop for each of its values.
func (k *sketch) shown(example map[string]any, next func(first bool)) {
	for i, key := range sortedKeys(example) {
		next(i == 0)
		k.write(k.key(key) + ": ")
		words := fmt.Sprint(example[key])
		if text, isText := example[key].(string); isText {
			words = k.scalar(text)
		}
		k.stop(words)
	}
}

// chosen is the tag by which a variant is chosen, where the field is that tag;
// else "".
func chosen(t *schema.Type, f *schema.Field) string {
	for _, value := range t.Chosen {
		for _, known := range valuesOf(f.Type) {
			if known.Text == value {
				return value
			}
		}
	}
	return ""
}

// essential are the fields of a mapping without which it is nothing: those that
// are required and one of those of which some are, with its id before them.
func essential(t *schema.Type) (fields []*schema.Field) {
	some := slices.ContainsFunc(t.Fields, func(f *schema.Field) bool { return f.Required && slices.Contains(t.Some, f.Key) })
	for _, f := range t.Fields {
		first := !some && len(t.Some) > 0 && f == t.Field(t.Some[0])
		if f.Retired == "" && (f.Required || first || f.Key == "id") {
			fields = append(fields, f)
		}
	}
	return fields
}

// shortest is the name of a field under which the least has to be written.
func shortest(f *schema.Field) string {
	names := spellings(f)
	if len(names) == 0 {
		return f.Key
	}
	return names[len(names)-1]
}

// placeholder is what may stand in a value's place until it is filled in.
func (k *sketch) placeholder(t *schema.Type, f *schema.Field) string {
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
		if values := valuesOf(t); len(values) > 0 {
			return k.scalar(values[0].Text)
		}
	}
	if f != nil && f.Example != nil && t.Kind != schema.Any {
		switch shown := f.Example.(type) {
		case string:
			return k.scalar(shown)
		case int, float64:
			return fmt.Sprint(shown)
		}
	}
	if t.Kind != schema.Number {
		return k.scalar("")
	}
	if _, err := strconv.ParseFloat(byDefault, 64); err == nil {
		return byDefault
	}
	return "1"
}

// scalar is a text as the file writes texts.
func (k *sketch) scalar(words string) string {
	if k.json {
		return quotedJSON(words)
	}
	if words == "" {
		return ""
	}
	return scalar(words)
}
