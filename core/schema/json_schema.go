package schema

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Document is a JSON Schema's head.
type Document struct {
	Name  string // as `rubric schema` takes it
	ID    string // $id, an absolute URI
	Title string
	Root  *Type
}

// JSON is the document as JSON Schema, draft-07, with a definition for every
// named type. A value is valid for it exactly if package conform finds nothing
// in it but values that are merely not known.
func (d Document) JSON() []byte {
	out := object{
		{"$schema", "http://json-schema.org/draft-07/schema#"},
		{"$id", d.ID},
		{"title", d.Title},
	}
	out = append(out, d.Root.schemaBody()...)
	var definitions object
	Walk(d.Root, func(t *Type) {
		if t.Name != "" && t != d.Root {
			definitions = append(definitions, member{t.Name, t.schemaBody()})
		}
	})
	if definitions != nil {
		out = append(out, member{"definitions", definitions})
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(out) // texts, numbers and lists of them always encode
	return b.Bytes()
}

// object is a JSON object that keeps the order of its members.
type object []member

type member struct {
	key   string
	value any
}

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	sep := byte('{')
	for _, m := range o {
		b.WriteByte(sep)
		if err := encodeValue(&b, m.key); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := encodeValue(&b, m.value); err != nil {
			return nil, err
		}
		sep = ','
	}
	if len(o) == 0 {
		b.WriteByte('{')
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// encodeValue encodes v without the escapes that only HTML needs.
func encodeValue(b *bytes.Buffer, v any) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// schemaRef is the type as it stands in another: by name if it has one.
func (t *Type) schemaRef() object {
	if t.Name != "" {
		return object{{"$ref", "#/definitions/" + t.Name}}
	}
	return t.schemaBody()
}

func (t *Type) schemaBody() object {
	var out object
	if t.Doc != "" {
		out = append(out, member{"description", stripBackticks(t.Doc)})
	}
	switch t.Kind {
	case Text:
		return append(out, t.textSchema()...)
	case Number:
		return append(out, t.numberSchema()...)
	case Bool:
		return append(out, member{"type", "boolean"})
	case List:
		out = append(out, member{"type", "array"}, member{"items", t.Items.schemaRef()})
		if t.MinLength > 0 {
			out = append(out, member{"minItems", t.MinLength})
		}
		if t.MaxLength > 0 {
			out = append(out, member{"maxItems", t.MaxLength})
		}
		return out
	case Map:
		return append(out, t.mapSchema()...)
	case Union:
		var choices []object
		for _, c := range t.Choices {
			choices = append(choices, c.schemaRef())
		}
		return append(out, member{"anyOf", choices})
	}
	return out
}

func (t *Type) textSchema() object {
	switch {
	case t.Values != nil:
		return object{{"enum", valueTexts(t.Values)}}
	case t.KnownValues != nil:
		out := object{{"type", "string"}, {"anyOf", []object{{{"enum", valueTexts(t.KnownValues)}}, {}}}}
		if t.RefusedValues != nil {
			out = append(out, member{"not", object{{"enum", t.RefusedValues}}})
		}
		return out
	case t.NonEmpty:
		return object{{"type", "string"}, {"pattern", `\S`}}
	}
	return object{{"type", "string"}}
}

func (t *Type) numberSchema() object {
	out := object{{"type", "number"}}
	if t.IsInteger {
		out = object{{"type", "integer"}}
	}
	if t.Min != nil {
		limit := "minimum"
		if t.ExcludesMin {
			limit = "exclusiveMinimum"
		}
		out = append(out, member{limit, *t.Min})
	}
	if t.Max != nil {
		out = append(out, member{"maximum", *t.Max})
	}
	return out
}

func valueTexts(values []Value) []string {
	var out []string
	for _, v := range values {
		out = append(out, v.Text)
	}
	return out
}

// stripBackticks is Markdown without its marks, for editors that show descriptions as text.
func stripBackticks(doc string) string {
	return strings.ReplaceAll(doc, "`", "")
}
