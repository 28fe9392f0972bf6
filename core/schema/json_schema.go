package schema

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Document is a file format as a JSON Schema document.
type Document struct {
	Name  string // the argument of `rubric schema`
	ID    string // $id, an absolute URI
	Title string
	Root  *Type
}

// JSON returns the document as JSON Schema draft-07, with a definition for every named
// type. It accepts a value exactly if package conform finds only harmless mismatches.
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
	out.addIf(definitions != nil, "definitions", definitions)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(out) // texts, numbers and lists of them always encode
	return b.Bytes()
}

// object is a JSON object with its members in order.
type object []member

type member struct {
	key   string
	value any
}

// addIf adds a member if a condition holds.
func (o *object) addIf(condition bool, key string, value any) {
	if condition {
		*o = append(*o, member{key, value})
	}
}

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := enc.Encode(m.key); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := enc.Encode(m.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// schemaRef is the type inside another: a reference if it has a name.
func (t *Type) schemaRef() object {
	if t.Name != "" {
		return object{{"$ref", "#/definitions/" + t.Name}}
	}
	return t.schemaBody()
}

func (t *Type) schemaBody() object {
	var out object
	out.addIf(t.Doc != "", "description", stripBackticks(t.Doc))
	switch t.Kind {
	case Text:
		return append(out, t.textSchema()...)
	case Number:
		return append(out, t.numberSchema()...)
	case Bool:
		return append(out, member{"type", "boolean"})
	case List:
		out = append(out, member{"type", "array"})
		if t.NullItems {
			out = append(out, member{"items", object{{"anyOf", []object{t.Items.schemaRef(), {{"type", "null"}}}}}})
		} else if t.First != nil {
			out = append(out, member{"items", []object{t.First.schemaRef()}}, member{"additionalItems", t.Items.schemaRef()})
		} else {
			out = append(out, member{"items", t.Items.schemaRef()})
		}
		out.addIf(t.MinLength > 0, "minItems", t.MinLength)
		out.addIf(t.MaxLength > 0, "maxItems", t.MaxLength)
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
		return object{{"enum", Texts(t.Values)}}
	case t.KnownValues != nil:
		out := object{{"type", "string"}, {"anyOf", []object{{{"enum", Texts(t.KnownValues)}}, {}}}}
		out.addIf(t.RefusedValues != nil, "not", object{{"enum", t.RefusedValues}})
		return out
	case t.NonEmpty:
		out := object{{"type", "string"}, {"pattern", `\S`}}
		out.addIf(t.Proposed != nil, "anyOf", []object{{{"enum", Texts(t.Proposed)}}, {}})
		return out
	case t.IsNumber:
		return object{{"type", "string"}, {"pattern", `^\s*([-+]?[0-9.]+([eE][-+]?[0-9]+)?\s*)?$|\$\{`}}
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

// stripBackticks removes code marks for editors that show descriptions as plain text.
func stripBackticks(doc string) string { return strings.ReplaceAll(doc, "`", "") }

func (t *Type) mapSchema() object {
	out := object{{"type", "object"}}
	if t.HasVariants() {
		return append(out, t.variantSchema()...)
	}
	var properties object
	var required []string // required keys without aliases; keyConditions has the others
	for _, f := range t.Fields {
		if f.RemovedIn != "" {
			if t.OtherValues != nil { // otherwise it is not allowed as an unknown key
				properties = append(properties, member{f.Key, false})
			}
			continue
		}
		for _, name := range f.Names() {
			properties = append(properties, member{name, f.propertySchema(name)})
		}
	}
	for _, f := range t.Fields {
		if f.Required && len(f.Aliases) == 0 {
			required = append(required, f.Key)
		}
	}
	out.addIf(properties != nil, "properties", properties)
	out.addIf(required != nil, "required", required)
	switch {
	case t.OtherValues == nil:
		out = append(out, member{"additionalProperties", false})
	case t.OtherValues.Kind != Any:
		out = append(out, member{"additionalProperties", t.OtherValues.schemaRef()})
	}
	if t.OtherNames != nil {
		var names []string
		for _, f := range t.Fields {
			names = append(names, f.Names()...)
		}
		out = append(out, member{"propertyNames", object{{"enum", append(names, t.OtherNames...)}}})
	}
	conditions := t.keyConditions()
	out.addIf(conditions != nil, "allOf", conditions)
	return out
}

// keyConditions are the conditions on keys that `required` cannot express: of several
// names exactly one is needed or allowed, or at least one of several keys is required.
func (t *Type) keyConditions() (all []object) {
	for _, f := range t.Fields {
		if len(f.Aliases) == 0 {
			continue
		}
		if f.Required {
			all = append(all, anyOf(f.Names()))
		}
		for i, name := range f.Names() {
			for _, other := range f.Names()[i+1:] {
				all = append(all, object{{"not", object{{"required", []string{name, other}}}}})
			}
		}
	}
	if t.RequireAny != nil {
		all = append(all, anyOf(t.RequireAny))
	}
	return all
}

func anyOf(keys []string) object {
	var choices []object
	for _, key := range keys {
		choices = append(choices, object{{"required", []string{key}}})
	}
	return object{{"anyOf", choices}}
}

// variantSchema selects a variant by the tag's value, or by the keys without a tag.
func (t *Type) variantSchema() (out object) {
	var conditions, defaults []object
	var markers []string
	for _, c := range t.Choices {
		switch {
		case c.MarkerKey != "":
			for _, marker := range c.Field(c.MarkerKey).Names() {
				conditions = append(conditions, object{{"if", t.untaggedCondition(marker)}, {"then", c.schemaRef()}})
				markers = append(markers, marker)
			}
		case c.TagValues == nil:
			defaults = append(defaults, c.schemaRef())
		default:
			conditions = append(conditions, object{
				{"if", object{{"properties", object{{t.Tag, object{{"enum", t.VariantTags(c)}}}}}, {"required", []string{t.Tag}}}},
				{"then", c.schemaRef()},
			})
		}
	}
	for _, ref := range defaults {
		conditions = append(conditions, object{{"if", object{{"not", anyOf(markers)}}}, {"then", ref}})
	}
	if t.Tag != "" {
		out = append(out, member{"properties", object{{t.Tag, t.Field(t.Tag).propertySchema(t.Tag)}}})
		out.addIf(markers == nil, "required", []string{t.Tag})
		if markers != nil {
			conditions = append(conditions, anyOf(append([]string{t.Tag}, markers...)))
		}
	}
	return append(out, member{"allOf", conditions})
}

// untaggedCondition matches a mapping with a marker key and without the tag.
func (t *Type) untaggedCondition(marker string) object {
	out := object{{"required", []string{marker}}}
	out.addIf(t.Tag != "", "not", object{{"required", []string{t.Tag}}})
	return out
}

// propertySchema is the schema of a field under one of its names. In draft-07 a $ref
// hides its siblings, so a described reference is wrapped in allOf.
func (f *Field) propertySchema(name string) object {
	doc := stripBackticks(f.Doc)
	if name != f.Key {
		doc = "Another name of " + f.Key + ". " + doc
	}
	if f.Default != "" {
		doc += " Default: " + stripBackticks(f.Default) + "."
	}
	out := object{{"description", doc}}
	if t := f.TypeAs(name); t.Name != "" {
		out = append(out, member{"allOf", []object{t.schemaRef()}})
	} else {
		out = append(out, t.schemaBody()...)
	}
	out.addIf(f.Example != nil && (f.AliasType == nil || name != f.Key), "examples", []any{f.Example})
	return out
}
