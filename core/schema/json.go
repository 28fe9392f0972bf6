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
	out = append(out, d.Root.body()...)
	var named object
	Walk(d.Root, func(t *Type) {
		if t.Name != "" && t != d.Root {
			named = append(named, member{t.Name, t.body()})
		}
	})
	if named != nil {
		out = append(out, member{"definitions", named})
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
		if err := write(&b, m.key); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := write(&b, m.value); err != nil {
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

// write encodes v without the escapes that only HTML needs.
func write(b *bytes.Buffer, v any) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// ref is the type as it stands in another: by name if it has one.
func (t *Type) ref() object {
	if t.Name != "" {
		return object{{"$ref", "#/definitions/" + t.Name}}
	}
	return t.body()
}

func (t *Type) body() object {
	var out object
	if t.Doc != "" {
		out = append(out, member{"description", plain(t.Doc)})
	}
	switch t.Kind {
	case Text:
		return append(out, t.text()...)
	case Number:
		return append(out, t.number()...)
	case Bool:
		return append(out, member{"type", "boolean"})
	case List:
		out = append(out, member{"type", "array"}, member{"items", t.Items.ref()})
		if t.MinLength > 0 {
			out = append(out, member{"minItems", t.MinLength})
		}
		if t.MaxLength > 0 {
			out = append(out, member{"maxItems", t.MaxLength})
		}
		return out
	case Map:
		return append(out, t.mapping()...)
	case Union:
		var choices []object
		for _, c := range t.Choices {
			choices = append(choices, c.ref())
		}
		return append(out, member{"anyOf", choices})
	}
	return out
}

func (t *Type) text() object {
	switch {
	case t.Values != nil:
		return object{{"enum", texts(t.Values)}}
	case t.Known != nil:
		out := object{{"type", "string"}, {"anyOf", []object{{{"enum", texts(t.Known)}}, {}}}}
		if t.Refused != nil {
			out = append(out, member{"not", object{{"enum", t.Refused}}})
		}
		return out
	case t.NonEmpty:
		return object{{"type", "string"}, {"pattern", `\S`}}
	}
	return object{{"type", "string"}}
}

func (t *Type) number() object {
	out := object{{"type", "number"}}
	if t.Whole {
		out = object{{"type", "integer"}}
	}
	if t.Min != nil {
		limit := "minimum"
		if t.Above {
			limit = "exclusiveMinimum"
		}
		out = append(out, member{limit, *t.Min})
	}
	if t.Max != nil {
		out = append(out, member{"maximum", *t.Max})
	}
	return out
}

func texts(values []Value) []string {
	var out []string
	for _, v := range values {
		out = append(out, v.Text)
	}
	return out
}

// plain is Markdown without its marks, for editors that show descriptions as text.
func plain(doc string) string {
	return strings.ReplaceAll(doc, "`", "")
}
