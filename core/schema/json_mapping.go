package schema

// mapping is a Map as JSON Schema.
func (t *Type) mapping() object {
	out := object{{"type", "object"}}
	if t.Variants() {
		return append(out, t.variants()...)
	}
	var properties object
	for _, f := range t.Fields {
		if f.Retired != "" {
			continue
		}
		for _, name := range f.Names() {
			properties = append(properties, member{name, f.property(name)})
		}
	}
	if properties != nil {
		out = append(out, member{"properties", properties})
	}
	if required := t.required(); required != nil {
		out = append(out, member{"required", required})
	}
	switch {
	case t.Rest == nil:
		out = append(out, member{"additionalProperties", false})
	case t.Rest.Kind != Any:
		out = append(out, member{"additionalProperties", t.Rest.ref()})
	}
	if t.Names != nil {
		var all []string
		for _, f := range t.Fields {
			all = append(all, f.Names()...)
		}
		out = append(out, member{"propertyNames", object{{"enum", append(all, t.Names...)}}})
	}
	if all := t.conditions(); all != nil {
		out = append(out, member{"allOf", all})
	}
	return out
}

// required are the required keys that go by one name.
func (t *Type) required() (keys []string) {
	for _, f := range t.Fields {
		if f.Required && len(f.Aliases) == 0 {
			keys = append(keys, f.Key)
		}
	}
	return keys
}

// conditions say what `required` cannot: keys with several names, of which one
// is enough and two are too many, and keys of which some must be there.
func (t *Type) conditions() (all []object) {
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
	if t.Some != nil {
		all = append(all, anyOf(t.Some))
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

// variants chooses among variants by the tag's value, or by the keys that are
// there where there is no tag.
func (t *Type) variants() (out object) {
	var all, untagged []object
	var signs []string
	for _, c := range t.Choices {
		switch {
		case c.Sign != "":
			all = append(all, object{{"if", t.untagged(c.Sign)}, {"then", c.ref()}})
			signs = append(signs, c.Sign)
		case c.Chosen == nil:
			untagged = append(untagged, c.ref())
		default:
			all = append(all, object{
				{"if", object{{"properties", object{{t.Tag, object{{"enum", t.Tags(c)}}}}}, {"required", []string{t.Tag}}}},
				{"then", c.ref()},
			})
		}
	}
	for _, ref := range untagged {
		all = append(all, object{{"if", object{{"not", anyOf(signs)}}}, {"then", ref}})
	}
	if t.Tag != "" {
		out = append(out, member{"properties", object{{t.Tag, t.Field(t.Tag).property(t.Tag)}}})
		if signs == nil {
			out = append(out, member{"required", []string{t.Tag}})
		} else {
			all = append(all, anyOf(append([]string{t.Tag}, signs...)))
		}
	}
	return append(out, member{"allOf", all})
}

// untagged is a mapping with a sign and without the tag.
func (t *Type) untagged(sign string) object {
	out := object{{"required", []string{sign}}}
	if t.Tag != "" {
		out = append(out, member{"not", object{{"required", []string{t.Tag}}}})
	}
	return out
}

// property is a field as JSON Schema under one of its names. A reference takes
// no siblings in draft-07, so a described one is wrapped.
func (f *Field) property(name string) object {
	doc := plain(f.Doc)
	if name != f.Key {
		doc = "Another name of " + f.Key + ". " + doc
	}
	if f.Default != "" {
		doc += " Default: " + plain(f.Default) + "."
	}
	out := object{{"description", doc}}
	if t := f.TypeAs(name); t.Name != "" {
		out = append(out, member{"allOf", []object{t.ref()}})
	} else {
		out = append(out, t.body()...)
	}
	if f.Example != nil && (f.Short == nil || name != f.Key) {
		out = append(out, member{"examples", []any{f.Example}})
	}
	return out
}
